/* One DUT whose switches are spread over the processes of mpirun: rank 0's side, behind the DUT contract.
 * SPDX-License-Identifier: Apache-2.0
 * Length: the operations of one contract, which share who holds what.
 *
 * Switches are handed out in order, a range to each rank. Windows of a backend that takes them one by one go
 * out in parcels, so that a rank has begun while the next parcel is on its way. Rank 0 replays its own in the
 * meantime. Events that are as the model has them do not come back: rank 0 has them.
 */
#include "ranks_talk.h"

#include "../../cmodel/grow.h"
#include "../version.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
  PARCEL_BYTES = 256 << 10, /* of windows; at least */
  MOST_WRITES = 4096        /* that wait for a rank */
};

/* What of a rank is under way, and known. */
struct other {
  struct ranks_write *writes;
  size_t n_writes, cap_writes;
  /* Of hd_dut_ops.run: its jobs are jobs[order[i]] for these i. */
  uint32_t first, sent, answered, end;
  struct letter *states; /* of all its switches, as they are now; NULL: not known */
  size_t *offsets;       /* [switches + 1] of them */
};

/* What an open hd_backend has in its `made`. */
struct spread {
  struct hd_dut_ops ops; /* those of the backend, as far as one can see */
  struct hd_ranks *ranks;
  const struct hd_dut_ops *inner;
  size_t open, open_bytes; /* what the others need to open the same: where in `text` it is */
  char text[];             /* options; by their place create knows whose they are */
};

struct hd_dut {
  struct talk talk;
  const struct hd_dut_ops *inner;
  struct hd_dut *own; /* rank 0's share; NULL: it has none */
  uint32_t count;
  uint32_t *first;               /* [number + 1] switches of the ranks */
  struct other *others;          /* [number] */
  uint32_t *order;               /* [count] jobs of a call of run, by rank */
  pthread_mutex_t lock;          /* one run at a time */
  int traced;                    /* rank; −1: none */
  uint16_t unknown;              /* of the last read */
  struct hd_ranks_share *shares; /* [number] */
  double *seconds, began;        /* began: the first window; 0: not yet */
};

static int rank_of(const struct hd_dut *dut, uint32_t sw)
{
  int low = 0, high = dut->talk.number - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (dut->first[middle] <= sw)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* Bytes of a message. */
static char *put(char *to, const void *items, size_t bytes)
{
  if (bytes)
    memcpy(to, items, bytes);
  return to + bytes;
}

static const char *get(const char *at, void *to, size_t bytes)
{
  if (bytes)
    memcpy(to, at, bytes);
  return at + bytes;
}

/* ── orders ─────────────────────────────────────────────────────────────────── */

static int flush(struct hd_dut *dut, int rank, struct hd_error *err)
{
  struct other *o = &dut->others[rank];
  const struct ranks_head head = {.order = RANKS_WRITES, .n = (uint32_t)o->n_writes};
  if (!o->n_writes)
    return HD_OK;
  o->n_writes = 0;
  return hd_ranks_tell(dut->talk.ranks, rank, head, o->writes, head.n * sizeof *o->writes, err);
}

/* Sends an order that gets a reply. */
static int ask(struct hd_dut *dut, int rank, struct ranks_head head, const void *bytes,
               size_t length, struct hd_error *err)
{
  int status = dut->talk.gone ? hd_talk_is_gone(err) : flush(dut, rank, err);
  return status ? status : hd_talk_ask(&dut->talk, rank, head, bytes, length, err);
}

/* The order of a rank, and its reply. */
static int ask_one(struct hd_dut *dut, int rank, struct ranks_head head, const void *bytes,
                   size_t length, struct letter **reply, struct hd_error *err)
{
  int status = ask(dut, rank, head, bytes, length, err);
  *reply = NULL;
  return status ? status : hd_talk_await(&dut->talk, rank, reply, err);
}

static bool has_switches(const struct hd_dut *dut, int rank)
{
  return dut->first[rank] < dut->first[rank + 1];
}

/* The same order to all that have switches, at once. */
static int ask_all(struct hd_dut *dut, enum ranks_order order, struct hd_error *err)
{
  int status = HD_OK;
  for (int r = 1; r < dut->talk.number && !status; r++)
    if (has_switches(dut, r))
      status = ask(dut, r, (struct ranks_head){.order = order}, NULL, 0, err);
  return hd_talk_await_all(&dut->talk, status, err);
}

/* A switch is not any more what its rank's states say. */
static void forget(struct hd_dut *dut, int rank)
{
  hd_letter_free(dut->others[rank].states);
  dut->others[rank].states = NULL;
}

/* ── making ─────────────────────────────────────────────────────────────────── */

static void destroy(struct hd_dut *dut)
{
  if (!dut)
    return;
  const bool is_there = dut->talk.peers && dut->others;
  for (int r = 1; is_there && r < dut->talk.number && !dut->talk.gone; r++)
    ask(dut, r, (struct ranks_head){.order = RANKS_DESTROY}, NULL, 0, NULL);
  if (is_there && !dut->talk.gone)
    hd_talk_await_all(&dut->talk, HD_OK, NULL);
  if (dut->own)
    dut->inner->destroy(dut->own);
  for (int r = 0; dut->others && r < dut->talk.number; r++) {
    struct other *o = &dut->others[r];
    forget(dut, r);
    free(o->writes);
    free(o->offsets);
  }
  hd_talk_fini(&dut->talk);
  free(dut->others);
  free(dut->first);
  free(dut->order);
  pthread_mutex_destroy(&dut->lock);
  free(dut);
}

/* Seconds in which a backend plays a window of a switch to which nothing comes, at best; 0: not known. */
static double seconds_of_window(const struct hd_dut_ops *ops, const struct hd_switch_params *params,
                                const char *options)
{
  enum { CYCLES = 64, WINDOWS = 20 };
  struct hd_dut *dut = NULL;
  uint32_t toggles[CYCLES + 1];
  double best = 0;
  int status = hd_ranks_create(ops, &dut, params, 1, options, NULL);
  if (status)
    return 0;
  for (uint32_t i = 0; i < WINDOWS && !status; i++) {
    struct hd_dut_unknown unknown;
    struct hd_dut_job job = {.cycles = CYCLES,
                             .start = (uint64_t)i * CYCLES,
                             .toggles = toggles,
                             .cap_toggles = CYCLES + 1,
                             .every_cycle = true,
                             .unknown = &unknown};
    const double from = hd_ranks_now();
    status = ops->run(dut, &job, 1, NULL);
    const double seconds = hd_ranks_now() - from;
    best = i && best < seconds ? best : seconds;
  }
  ops->destroy(dut);
  return status ? 0 : best;
}

/* Rank 0 replays beside the model where it has a core for that. Otherwise what the model takes is taken from its
 * share: under load about 20 times as long as an idle switch of it, as long as Verilated ones. A bit lane costs
 * as much as all of its word. */
static uint32_t own_share(const struct hd_dut *dut, const struct hd_switch_params *params,
                          const char *options)
{
  const double under_load = 20, ranks = dut->talk.number;
  if (hd_ranks_spare_core(dut->talk.ranks))
    return dut->count / (uint32_t)dut->talk.number;
  if (dut->inner->capabilities & HD_DUT_BATCH)
    return 0;
  const double inner = seconds_of_window(dut->inner, params, options);
  const double model = seconds_of_window(hd_dut_model_backend(), params, "");
  const double cost =
      inner > 0 ? under_load * model / inner : 1; /* the model's, a replay's being 1 */
  const double share = (1 + cost) / ranks - cost;
  return share > 0 ? (uint32_t)(share * dut->count) : 0;
}

static void hand_out(struct hd_dut *dut, uint32_t own)
{
  uint32_t left = dut->count - own, others = (uint32_t)dut->talk.number - 1;
  for (uint32_t r = 0; r < others; r++)
    dut->first[r + 1] = own + (uint32_t)((uint64_t)left * r / others);
  dut->first[dut->talk.number] = dut->count;
}

/* All ranks at once: some may have to build the backend first. */
static int create_all(struct hd_dut *dut, const struct spread *spread,
                      const struct hd_switch_params *params, const char *options,
                      struct hd_error *err)
{
  int status = HD_OK;
  for (int r = 1; r < dut->talk.number && !status; r++)
    status = ask(dut, r, (struct ranks_head){.order = RANKS_OPEN}, spread->text + spread->open,
                 spread->open_bytes, err);
  for (int r = 1; r < dut->talk.number; r++) {
    struct hd_error why = {""};
    int one = dut->talk.peers[r].owed ? hd_talk_await_none(&dut->talk, r, &why) : HD_OK;
    if (one && !status)
      status = hd_fail(err, one, "rank %d: %.900s", r, why.text);
  }
  for (int r = 1; r < dut->talk.number && !status; r++)
    if (has_switches(dut, r))
      status = ask(dut, r, (struct ranks_head){.order = RANKS_CREATE, .n = dut->shares[r].switches},
                   options, strlen(options) + 1, err);
  if (!status && has_switches(dut, 0))
    status = hd_ranks_create(dut->inner, &dut->own, params, dut->first[1], options, err);
  return hd_talk_await_all(&dut->talk, status, err);
}

static int create(struct hd_dut **out, const struct hd_switch_params *params, uint32_t count,
                  const char *options, struct hd_error *err)
{
  const struct spread *spread =
      (const struct spread *)(const void *)(options - offsetof(struct spread, text));
  struct hd_dut *dut = *out = calloc(1, sizeof *dut);
  if (!dut)
    return hd_fail(err, HD_E_NOMEM, "MPI: no memory for %u switches", count);
  dut->shares = hd_ranks_share_slots(spread->ranks, &dut->seconds);
  int status = hd_talk_init(&dut->talk, spread->ranks, dut->shares, err);
  dut->inner = spread->inner;
  dut->count = count;
  dut->traced = -1;
  pthread_mutex_init(&dut->lock, NULL);
  dut->first = calloc((size_t)dut->talk.number + 1, sizeof *dut->first);
  dut->others = calloc((size_t)dut->talk.number, sizeof *dut->others);
  dut->order = calloc(count + 1, sizeof *dut->order);
  bool is_room = !status && dut->first && dut->others && dut->order;
  if (is_room)
    hand_out(dut, own_share(dut, params, options));
  for (int r = 0; r < dut->talk.number && is_room; r++) {
    uint32_t n = dut->first[r + 1] - dut->first[r];
    dut->shares[r] = (struct hd_ranks_share){.switches = n};
    dut->others[r].offsets = calloc(n + 1, sizeof *dut->others[r].offsets);
    is_room = dut->others[r].offsets;
  }
  if (!status)
    status = is_room ? create_all(dut, spread, params, options, err)
                     : hd_fail(err, HD_E_NOMEM, "MPI: no memory for %u switches", count);
  if (status) {
    destroy(dut);
    *out = NULL;
  }
  return status;
}

static int reset(struct hd_dut *dut, struct hd_error *err)
{
  for (int r = 1; r < dut->talk.number; r++)
    forget(dut, r);
  dut->traced = -1;
  int status = dut->own ? dut->inner->reset(dut->own, err) : HD_OK;
  return status ? status : ask_all(dut, RANKS_RESET, err);
}

/* ── configuration outside of windows ──────────────────────────────────────── */

/* An error comes with what the rank is asked next. */
static int config_write(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                        struct hd_error *err)
{
  const int rank = rank_of(dut, sw);
  struct other *o = &dut->others[rank];
  if (!rank)
    return dut->inner->config_write(dut->own, sw, addr, data, err);
  forget(dut, rank);
  if (!HD_ROOM(o->writes, o->cap_writes, o->n_writes, 1))
    return hd_fail(err, HD_E_NOMEM, "MPI: no memory for configuration writes");
  o->writes[o->n_writes++] = (struct ranks_write){sw - dut->first[rank], addr, data, 0};
  return o->n_writes < MOST_WRITES ? HD_OK : flush(dut, rank, err);
}

/* Those of a rank, which are `n` of all. */
static int ask_reads(struct hd_dut *dut, int rank, const struct hd_dut_read *reads, size_t n_reads,
                     uint32_t n, struct hd_error *err)
{
  struct hd_dut_read *its = malloc(n * sizeof *its);
  uint32_t at = 0;
  if (!its)
    return hd_fail(err, HD_E_NOMEM, "MPI: no memory for reads of registers");
  for (size_t i = 0; i < n_reads; i++)
    if (rank_of(dut, reads[i].sw) == rank)
      its[at++] = (struct hd_dut_read){.sw = reads[i].sw - dut->first[rank], .addr = reads[i].addr};
  int status =
      ask(dut, rank, (struct ranks_head){.order = RANKS_READS, .n = n}, its, n * sizeof *its, err);
  free(its);
  return status;
}

static int take_reads(struct hd_dut *dut, int rank, struct hd_dut_read *reads, size_t n_reads,
                      struct hd_error *err)
{
  struct letter *reply;
  int status = hd_talk_await(&dut->talk, rank, &reply, err);
  if (status)
    return status;
  const char *at = reply->at;
  for (size_t i = 0; i < n_reads; i++)
    if (rank_of(dut, reads[i].sw) == rank) {
      struct hd_dut_read read;
      at = get(at, &read, sizeof read);
      reads[i].data = read.data;
      reads[i].unknown = read.unknown;
    }
  hd_letter_free(reply);
  return HD_OK;
}

static int read_own(struct hd_dut *dut, struct hd_dut_read *read, struct hd_error *err)
{
  int status = dut->inner->config_read(dut->own, read->sw, read->addr, &read->data, err);
  if (!status && dut->inner->capabilities & HD_DUT_FOUR_STATE)
    status = dut->inner->config_unknown(dut->own, read->sw, &read->unknown, err);
  return status;
}

static int config_reads(struct hd_dut *dut, struct hd_dut_read *reads, size_t n_reads,
                        struct hd_error *err)
{
  int status = HD_OK;
  for (int r = 1; r < dut->talk.number && !status; r++) {
    uint32_t n = 0;
    for (size_t i = 0; i < n_reads; i++)
      n += rank_of(dut, reads[i].sw) == r;
    if (n)
      status = ask_reads(dut, r, reads, n_reads, n, err);
  }
  for (size_t i = 0; i < n_reads && !status; i++)
    if (!rank_of(dut, reads[i].sw))
      status = read_own(dut, &reads[i], err);
  for (int r = 1; r < dut->talk.number; r++) {
    struct hd_error later = {""};
    int one = dut->talk.peers[r].owed && !dut->talk.gone
                  ? take_reads(dut, r, reads, n_reads, status ? &later : err)
                  : HD_OK;
    status = status ? status : one;
  }
  if (n_reads)
    dut->unknown = reads[n_reads - 1].unknown;
  return status;
}

static int config_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err)
{
  struct hd_dut_read read = {.sw = sw, .addr = addr};
  int status = config_reads(dut, &read, 1, err);
  *data = read.data;
  return status;
}

static int config_unknown(struct hd_dut *dut, uint32_t sw, uint16_t *bits, struct hd_error *err)
{
  (void)sw, (void)err;
  *bits = dut->unknown;
  return HD_OK;
}

static int make_two_state(struct hd_dut *dut, uint32_t sw, struct hd_error *err)
{
  const int rank = rank_of(dut, sw);
  const struct ranks_head head = {.order = RANKS_TWO_STATE, .sw = sw - dut->first[rank]};
  struct letter *reply;
  if (!rank)
    return dut->inner->make_two_state(dut->own, sw, err);
  forget(dut, rank);
  int status = ask_one(dut, rank, head, NULL, 0, &reply, err);
  hd_letter_free(reply);
  return status;
}

/* ── windows ────────────────────────────────────────────────────────────────── */

static struct ranks_job describe(const struct hd_dut_job *job, uint32_t sw)
{
  static const struct hd_dut_expected none = {.n_flits = 0};
  const struct hd_dut_expected *x = job->expected ? job->expected : &none;
  return (struct ranks_job){.start = job->start,
                            .sw = sw,
                            .cycles = job->cycles,
                            .n_flits_in = job->n_flits_in,
                            .n_credits_in = job->n_credits_in,
                            .n_configs_in = job->n_configs_in,
                            .n_flits = x->n_flits,
                            .n_credits = x->n_credits,
                            .n_toggles = x->n_toggles,
                            .cap_flits = job->cap_flits_out,
                            .cap_credits = job->cap_credits_out,
                            .cap_toggles = job->cap_toggles,
                            .every_cycle = job->every_cycle,
                            .idle_pins = job->idle_pins,
                            .unknown = job->unknown,
                            .expected = job->expected,
                            .quiescent = x->quiescent};
}

static char *put_job(char *to, const struct ranks_job *j, const struct hd_dut_job *job)
{
  const struct hd_dut_expected *x = job->expected;
  char *at = put(to, j, sizeof *j);
  at = put(at, job->flits_in, j->n_flits_in * sizeof *job->flits_in);
  at = put(at, x ? x->flits : NULL, j->n_flits * sizeof *x->flits);
  at = put(at, job->credits_in, j->n_credits_in * sizeof *job->credits_in);
  at = put(at, x ? x->credits : NULL, j->n_credits * sizeof *x->credits);
  at = put(at, job->configs_in, j->n_configs_in * sizeof *job->configs_in);
  put(at, x ? x->toggles : NULL, j->n_toggles * sizeof *x->toggles);
  return to + ranks_job_bytes(j);
}

/* The next windows of a rank: as many as a parcel has, or all that are left. */
static int send_parcel(struct hd_dut *dut, int rank, const struct hd_dut_job *jobs,
                       struct hd_error *err)
{
  const bool all = dut->inner->capabilities & HD_DUT_BATCH;
  struct other *o = &dut->others[rank];
  struct ranks_head head = {.order = RANKS_RUN};
  uint32_t to = o->sent;
  for (; to < o->end && (all || head.length < PARCEL_BYTES); to++) {
    const struct ranks_job j = describe(&jobs[dut->order[to]], 0);
    head.length += ranks_job_bytes(&j);
  }
  head.n = to - o->sent;
  char *message = malloc(sizeof head + head.length), *at = message;
  if (!message)
    return hd_fail(err, HD_E_NOMEM, "MPI: no memory for the windows of %u switches", head.n);
  at = put(at, &head, sizeof head);
  for (; o->sent < to; o->sent++) {
    const struct hd_dut_job *job = &jobs[dut->order[o->sent]];
    const struct ranks_job j = describe(job, job->sw - dut->first[rank]);
    at = put_job(at, &j, job);
  }
  if (hd_ranks_send(dut->talk.ranks, rank, message, sizeof head + head.length))
    return hd_fail(err, HD_E_TOOL,
                   "MPI: rank %d cannot be sent %llu bytes; give run.window_cycles fewer cycles",
                   rank, (unsigned long long)head.length);
  dut->talk.peers[rank].owed++;
  return HD_OK;
}

static const char *get_list(const char *at, void *to, uint32_t n, uint32_t cap, size_t bytes)
{
  return n > cap ? at
                 : get(at, to, n * bytes); /* the caller sees by n that the contract was broken */
}

static const char *get_answer(const char *from, uint32_t first, struct hd_dut_job *job)
{
  struct ranks_answer a;
  const char *at = get(from, &a, sizeof a);
  job->n_flits_out = a.n_flits;
  job->n_credits_out = a.n_credits;
  job->n_toggles = a.n_toggles;
  job->lost = a.lost;
  job->evaluated_cycles = a.evaluated_cycles;
  job->quiescent = a.quiescent;
  job->agrees = a.agrees;
  if (a.assertion)
    at = get(at, &job->assertion, sizeof job->assertion);
  if (a.unknown)
    at = get(at, job->unknown, sizeof *job->unknown);
  else if (job->unknown)
    job->unknown->seen = 0;
  if (!a.agrees) {
    at = get_list(at, job->flits_out, a.n_flits, job->cap_flits_out, sizeof *job->flits_out);
    at =
        get_list(at, job->credits_out, a.n_credits, job->cap_credits_out, sizeof *job->credits_out);
    at = get_list(at, job->toggles, a.n_toggles, job->cap_toggles, sizeof *job->toggles);
  }
  if (a.changed) { /* the caller looks at that: it is to see it, too */
    job->sw = first + a.sw;
    job->cap_flits_out = ~job->cap_flits_out;
  }
  return from + ranks_filled((size_t)(at - from));
}

/* The answers of the rank's oldest parcel that has none. */
static int take_parcel(struct hd_dut *dut, int rank, struct hd_dut_job *jobs, struct hd_error *err)
{
  struct other *o = &dut->others[rank];
  struct letter *reply;
  int status = hd_talk_await(&dut->talk, rank, &reply, err);
  if (status)
    return status;
  const char *at = reply->at, *end = reply->at + reply->head.length;
  while (at < end && o->answered < o->end)
    at = get_answer(at, dut->first[rank], &jobs[dut->order[o->answered++]]);
  hd_letter_free(reply);
  return HD_OK;
}

/* Whose job is which. */
static void sort_out(struct hd_dut *dut, const struct hd_dut_job *jobs, size_t n_jobs)
{
  for (int r = 0; r < dut->talk.number; r++)
    dut->others[r].end = 0;
  for (size_t i = 0; i < n_jobs; i++)
    dut->others[rank_of(dut, jobs[i].sw)].end++;
  for (uint32_t r = 0, at = 0; r < (uint32_t)dut->talk.number; r++) {
    struct other *o = &dut->others[r];
    o->first = o->sent = o->answered = at;
    at += o->end;
    o->end = o->first;
  }
  for (size_t i = 0; i < n_jobs; i++)
    dut->order[dut->others[rank_of(dut, jobs[i].sw)].end++] = (uint32_t)i;
}

/* Rank 0's own. They mostly lie side by side, and then go to a backend that wants so in one call. */
static int run_own(struct hd_dut *dut, struct hd_dut_job *jobs, struct hd_error *err)
{
  const bool all = dut->inner->capabilities & HD_DUT_BATCH;
  const struct other *o = &dut->others[0];
  const double from = hd_ranks_now();
  int status = HD_OK;
  for (uint32_t i = o->first, n; i < o->end && !status; i += n) {
    for (n = 1; all && i + n < o->end && dut->order[i + n] == dut->order[i] + n;)
      n++;
    status = dut->inner->run(dut->own, &jobs[dut->order[i]], n, err);
    if (!status) /* moves what is being sent */
      status = hd_talk_look(&dut->talk, 0, err);
  }
  dut->shares[0].busy_seconds += hd_ranks_now() - from;
  return status;
}

static int run_all(struct hd_dut *dut, struct hd_dut_job *jobs, struct hd_error *err)
{
  int status = HD_OK;
  for (bool some = true; some && !status;) {
    some = false;
    for (int r = 1; r < dut->talk.number && !status; r++)
      if (dut->others[r].sent < dut->others[r].end) {
        status = send_parcel(dut, r, jobs, err);
        some = true;
      }
  }
  if (!status)
    status = run_own(dut, jobs, err);
  /* All replies are taken, so that the next order gets its own. */
  for (int r = 1; r < dut->talk.number; r++)
    while (dut->talk.peers[r].owed && !dut->talk.gone) {
      struct hd_error later = {""};
      int one = take_parcel(dut, r, jobs, status ? &later : err);
      status = status ? status : one;
    }
  return status;
}

static int run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n_jobs, struct hd_error *err)
{
  int status = HD_OK;
  pthread_mutex_lock(&dut->lock);
  if (!dut->began)
    dut->began = hd_ranks_now();
  if (dut->talk.gone)
    status = hd_talk_is_gone(err);
  sort_out(dut, jobs, n_jobs);
  for (int r = 1; r < dut->talk.number && !status; r++)
    if (dut->others[r].first < dut->others[r].end) {
      forget(dut, r);
      status = flush(dut, r, err);
    }
  if (!status)
    status = run_all(dut, jobs, err);
  *dut->seconds = hd_ranks_now() - dut->began;
  pthread_mutex_unlock(&dut->lock);
  return status;
}

/* ── snapshots and waves ────────────────────────────────────────────────────── */

/* All ranks tell the states of all their switches at once: whoever wants one wants the others. */
static int fetch(struct hd_dut *dut, struct hd_error *err)
{
  int status = HD_OK;
  for (int r = 1; r < dut->talk.number && !status; r++)
    if (!dut->others[r].states && has_switches(dut, r))
      status = ask(dut, r, (struct ranks_head){.order = RANKS_SAVE}, NULL, 0, err);
  for (int r = 1; r < dut->talk.number; r++) {
    struct other *o = &dut->others[r];
    struct hd_error later = {""};
    if (!dut->talk.peers[r].owed || dut->talk.gone)
      continue;
    int one = hd_talk_await(&dut->talk, r, &o->states, status ? &later : err);
    status = status ? status : one;
    const uint32_t n = dut->first[r + 1] - dut->first[r];
    for (uint32_t i = 0; o->states && i < n; i++) {
      uint64_t length;
      memcpy(&length, o->states->at + i * sizeof length, sizeof length);
      o->offsets[0] = n * sizeof length;
      o->offsets[i + 1] = o->offsets[i] + length;
    }
  }
  return status;
}

static int snapshot_save(struct hd_dut *dut, uint32_t sw, struct hd_dut_buffer *buffer,
                         struct hd_error *err)
{
  const int rank = rank_of(dut, sw);
  const struct other *o = &dut->others[rank];
  if (!rank)
    return dut->inner->snapshot_save(dut->own, sw, buffer, err);
  int status = o->states ? HD_OK : fetch(dut, err);
  if (status)
    return status;
  const size_t from = o->offsets[sw - dut->first[rank]],
               length = o->offsets[sw - dut->first[rank] + 1] - from;
  if (!HD_ROOM(buffer->bytes, buffer->capacity, buffer->length, length))
    return hd_fail(err, HD_E_NOMEM, "MPI: no memory for a snapshot of switch %u", sw);
  get(o->states->at + from, buffer->bytes + buffer->length, length);
  buffer->length += length;
  return HD_OK;
}

static int snapshot_restore(struct hd_dut *dut, uint32_t sw, const struct hd_dut_buffer *buffer,
                            struct hd_error *err)
{
  const int rank = rank_of(dut, sw);
  const struct ranks_head head = {.order = RANKS_RESTORE, .sw = sw - dut->first[rank]};
  struct letter *reply;
  if (!rank)
    return dut->inner->snapshot_restore(dut->own, sw, buffer, err);
  forget(dut, rank);
  int status = ask_one(dut, rank, head, buffer->bytes, buffer->length, &reply, err);
  hd_letter_free(reply);
  return status;
}

static int trace_open(struct hd_dut *dut, uint32_t sw, const char *path, struct hd_error *err)
{
  const int rank = rank_of(dut, sw);
  const struct ranks_head head = {.order = RANKS_TRACE_OPEN, .sw = sw - dut->first[rank]};
  struct letter *reply = NULL;
  if (dut->traced >= 0)
    return hd_fail(err, HD_E_INPUT, "waves are being written already");
  int status = rank ? ask_one(dut, rank, head, path, strlen(path) + 1, &reply, err)
                    : dut->inner->trace_open(dut->own, sw, path, err);
  hd_letter_free(reply);
  dut->traced = status ? -1 : rank;
  return status;
}

static int trace_close(struct hd_dut *dut, struct hd_error *err)
{
  const int rank = dut->traced;
  struct letter *reply = NULL;
  dut->traced = -1;
  if (rank < 0)
    return HD_OK;
  int status = rank ? ask_one(dut, rank, (struct ranks_head){.order = RANKS_TRACE_CLOSE}, NULL, 0,
                              &reply, err)
                    : dut->inner->trace_close(dut->own, err);
  hd_letter_free(reply);
  return status;
}

/* ── what the backend counted ───────────────────────────────────────────────── */

static uint32_t add_counters(struct hd_dut_counter *sums, uint32_t n,
                             const struct hd_dut_counter *more, uint32_t n_more)
{
  for (uint32_t i = 0; i < n_more; i++) {
    uint32_t at = 0;
    while (at < n && strncmp(sums[at].name, more[i].name, sizeof sums[at].name))
      at++;
    if (at == HD_DUT_COUNTERS)
      continue;
    if (at == n)
      sums[n++] = more[i];
    else
      sums[at].value += more[i].value;
  }
  return n;
}

static uint32_t counters(struct hd_dut *dut, struct hd_dut_counter sums[HD_DUT_COUNTERS])
{
  struct hd_dut_counter more[HD_DUT_COUNTERS];
  uint32_t n = dut->own ? dut->inner->counters(dut->own, sums) : 0;
  for (int r = 1; r < dut->talk.number && n <= HD_DUT_COUNTERS; r++) {
    struct letter *reply;
    if (!has_switches(dut, r) ||
        ask_one(dut, r, (struct ranks_head){.order = RANKS_COUNTERS}, NULL, 0, &reply, NULL))
      continue;
    uint32_t n_more = reply->head.n;
    if (n_more <= HD_DUT_COUNTERS) {
      get(reply->at, more, n_more * sizeof *more);
      n = add_counters(sums, n, more, n_more);
    } else
      n = n_more; /* the caller sees that the contract was broken */
    hd_letter_free(reply);
  }
  return n;
}

static void interrupt(struct hd_dut *dut)
{
  atomic_store(&dut->talk.interrupted, true);
}

/* ── opening ────────────────────────────────────────────────────────────────── */

static size_t bytes_of(const char *text)
{
  return text ? strlen(text) + 1 : 0;
}

static char *put_text(char *to, const char *text)
{
  return put(to, text, bytes_of(text));
}

/* The backend's operations, by way of the ranks. */
static struct hd_dut_ops operations(const struct hd_dut_ops *inner)
{
  struct hd_dut_ops ops = {
      .abi = inner->abi,
      .name = inner->name,
      .about = inner->about,
      .capabilities =
          (inner->capabilities & ~(uint32_t)(HD_DUT_NEWS | HD_DUT_COVERAGE)) | HD_DUT_READS,
      .create = create,
      .destroy = destroy,
      .reset = reset,
      .config_write = config_write,
      .config_read = config_read,
      .run = run,
      .snapshot_save = inner->snapshot_save ? snapshot_save : NULL,
      .snapshot_restore = inner->snapshot_restore ? snapshot_restore : NULL,
      .trace_open = inner->trace_open ? trace_open : NULL,
      .trace_close = inner->trace_close ? trace_close : NULL,
      .config_unknown = inner->config_unknown ? config_unknown : NULL,
      .make_two_state = inner->make_two_state ? make_two_state : NULL,
      .counters = inner->counters ? counters : NULL,
      .interrupt = interrupt,
      .config_reads = config_reads,
  };
  return ops;
}

int hd_ranks_spread(struct hd_ranks *ranks, struct hd_backend *backend, const char *name,
                    const struct hd_switch_params *params, const struct hd_backend_options *o,
                    struct hd_error *err)
{
  if (backend->ops->interrupt)
    return hd_fail(err, HD_E_INPUT,
                   "--dut %.300s waits for devices, which processes cannot share; run it without "
                   "mpirun",
                   name);
  if (o->coverage)
    return hd_fail(
        err, HD_E_INPUT,
        "--coverage: lines of the RTL are counted in one process; run it without mpirun");
  struct ranks_open open = {.version = HD_VERSION,
                            .params = *params,
                            .switches = o->switches,
                            .quick = o->quick,
                            .coverage = o->coverage,
                            .no_dfg = o->no_dfg,
                            .has_rtl = o->rtl_dir,
                            .has_cache = o->cache_dir,
                            .has_options = o->dut_options};
  const char *options = backend->options ? backend->options : "";
  const size_t open_bytes = sizeof open + bytes_of(name) + bytes_of(o->rtl_dir) +
                            bytes_of(o->cache_dir) + bytes_of(o->dut_options);
  struct spread *spread = malloc(sizeof *spread + bytes_of(options) + open_bytes);
  if (!spread)
    return hd_fail(err, HD_E_NOMEM, "MPI: out of memory");
  *spread = (struct spread){.ops = operations(backend->ops),
                            .ranks = ranks,
                            .inner = backend->ops,
                            .open = bytes_of(options),
                            .open_bytes = open_bytes};
  char *at = put_text(spread->text, options);
  at = put_text(put(at, &open, sizeof open), name);
  at = put_text(put_text(put_text(at, o->rtl_dir), o->cache_dir), o->dut_options);
  backend->ops = &spread->ops;
  free(backend->made); /* its text was copied */
  backend->made = (char *)spread;
  backend->options = spread->text;
  return HD_OK;
}

void hd_ranks_dismiss(struct hd_ranks *ranks)
{
  for (int r = 1; r < hd_ranks_number(ranks); r++)
    hd_ranks_tell(ranks, r, (struct ranks_head){.order = RANKS_QUIT}, NULL, 0, NULL);
}
