/* The switches of one rank: does with a backend of its own what rank 0 asks for.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ranks_internal.h"

#include "../../cmodel/grow.h"
#include "../version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAIT_MS = 250 }; /* between two looks at whether rank 0 is there */

struct held {
  struct hd_ranks *ranks;
  struct hd_backend backend;
  struct hd_switch_params params;
  struct hd_dut *dut;
  uint32_t count;
  double busy_seconds;
  int late; /* status of a configuration write that nobody has heard of */
  struct hd_error late_err;
  char *reply; /* the one that is being made, its head first */
  size_t length, capacity;
  /* Room for windows that are replayed in one call. */
  struct hd_dut_job *jobs, *asked;
  struct hd_dut_expected *expected;
  struct hd_dut_unknown *unknown;
  size_t n_jobs;
  struct hd_flit_event *flits;
  struct hd_credit_event *credits;
  uint32_t *toggles;
  size_t n_flits, n_credits, n_toggles;
};

/* An order, and what belongs to it. */
struct given {
  struct ranks_head head;
  const char *at;
};

static const struct hd_dut_ops *ops_of(const struct held *h)
{
  return h->backend.ops;
}

static int add(struct held *h, const void *bytes, size_t length, struct hd_error *err)
{
  if (!HD_ROOM(h->reply, h->capacity, h->length, length))
    return hd_fail(err, HD_E_NOMEM, "MPI: no memory for an answer");
  if (length)
    memcpy(h->reply + h->length, bytes, length);
  h->length += length;
  return HD_OK;
}

static void fini(struct held *h)
{
  if (h->dut)
    ops_of(h)->destroy(h->dut);
  if (h->backend.ops)
    hd_backend_close(&h->backend);
  free(h->reply);
  free(h->jobs);
  free(h->asked);
  free(h->expected);
  free(h->unknown);
  free(h->flits);
  free(h->credits);
  free(h->toggles);
  *h = (struct held){.ranks = h->ranks};
}

/* ── making ─────────────────────────────────────────────────────────────────── */

/* The next text, with its NUL. */
static const char *text(const char **at)
{
  const char *chars = *at;
  *at += strlen(chars) + 1;
  return chars;
}

static int open_backend(struct held *h, const struct given *g, struct hd_error *err)
{
  struct ranks_open open;
  const char *at = g->at + sizeof open;
  memcpy(&open, g->at, sizeof open);
  if (strcmp(open.version, HD_VERSION))
    return hd_fail(err, HD_E_TOOL, "this is Heddle %s, rank 0 has %s; give all ranks the same",
                   HD_VERSION, open.version);
  const char *name = text(&at);
  h->params = open.params;
  struct hd_backend_options options = {.switches = open.switches,
                                       .quick = open.quick,
                                       .coverage = open.coverage,
                                       .no_dfg = open.no_dfg};
  options.rtl_dir = open.has_rtl ? text(&at) : NULL;
  options.cache_dir = open.has_cache ? text(&at) : NULL;
  options.dut_options = open.has_options ? text(&at) : NULL;
  return hd_backend_open(&h->backend, name, &open.params, &options, err);
}

static int create(struct held *h, const struct given *g, struct hd_error *err)
{
  h->count = g->head.n;
  h->busy_seconds = 0;
  return hd_ranks_create(ops_of(h), &h->dut, &h->params, h->count, g->at, err);
}

/* ── windows ────────────────────────────────────────────────────────────────── */

static bool room(void *array, size_t *has, size_t wanted, size_t bytes)
{
  void *items;
  memcpy(&items, array, sizeof items);
  if (*has >= wanted)
    return true;
  free(items); /* nothing in it is wanted any more */
  items = malloc(wanted * bytes);
  memcpy(array, &items, sizeof items);
  *has = items ? wanted : 0;
  return items != NULL;
}

static bool room_for(struct held *h, const char *at, uint32_t n)
{
  size_t flits = 0, credits = 0, toggles = 0, jobs[4];
  for (uint32_t i = 0; i < n; i++) {
    const struct ranks_job *j = (const struct ranks_job *)(const void *)at;
    flits += j->cap_flits;
    credits += j->cap_credits;
    toggles += j->cap_toggles;
    at += ranks_job_bytes(j);
  }
  for (int i = 0; i < 4; i++)
    jobs[i] = h->n_jobs;
  bool is_there = room(&h->jobs, &jobs[0], n, sizeof *h->jobs) &&
                  room(&h->asked, &jobs[1], n, sizeof *h->asked) &&
                  room(&h->expected, &jobs[2], n, sizeof *h->expected) &&
                  room(&h->unknown, &jobs[3], n, sizeof *h->unknown);
  h->n_jobs = is_there && n > h->n_jobs ? n : is_there ? h->n_jobs : 0;
  return is_there && room(&h->flits, &h->n_flits, flits, sizeof *h->flits) &&
         room(&h->credits, &h->n_credits, credits, sizeof *h->credits) &&
         room(&h->toggles, &h->n_toggles, toggles, sizeof *h->toggles);
}

static const void *take(const char **at, size_t bytes)
{
  const void *items = *at;
  *at += bytes;
  return items;
}

/* The i-th job of a call; its lists stay where they are. */
static const char *read_job(struct held *h, uint32_t i, const char *at, struct hd_dut_job *next)
{
  const struct ranks_job *j = (const struct ranks_job *)(const void *)at;
  const char *p = at + sizeof *j;
  struct hd_dut_job *job = &h->jobs[i];
  struct hd_dut_expected *x = &h->expected[i];
  memset(job, 0, sizeof *job); /* so that two of them can be compared */
  memset(&h->unknown[i], 0, sizeof h->unknown[i]);
  job->sw = j->sw;
  job->cycles = j->cycles;
  job->start = j->start;
  job->n_flits_in = j->n_flits_in;
  job->n_credits_in = j->n_credits_in;
  job->n_configs_in = j->n_configs_in;
  *x = (struct hd_dut_expected){.n_flits = j->n_flits,
                                .n_credits = j->n_credits,
                                .n_toggles = j->n_toggles,
                                .quiescent = j->quiescent};
  job->flits_in = take(&p, j->n_flits_in * sizeof *job->flits_in);
  x->flits = take(&p, j->n_flits * sizeof *x->flits);
  job->credits_in = take(&p, j->n_credits_in * sizeof *job->credits_in);
  x->credits = take(&p, j->n_credits * sizeof *x->credits);
  job->configs_in = take(&p, j->n_configs_in * sizeof *job->configs_in);
  x->toggles = take(&p, j->n_toggles * sizeof *x->toggles);
  job->flits_out = next->flits_out;
  job->credits_out = next->credits_out;
  job->toggles = next->toggles;
  job->cap_flits_out = j->cap_flits;
  job->cap_credits_out = j->cap_credits;
  job->cap_toggles = j->cap_toggles;
  next->flits_out += j->cap_flits;
  next->credits_out += j->cap_credits;
  next->toggles += j->cap_toggles;
  job->every_cycle = j->every_cycle;
  job->idle_pins = j->idle_pins;
  job->unknown = j->unknown ? &h->unknown[i] : NULL;
  job->expected = j->expected ? x : NULL;
  return at + ranks_job_bytes(j);
}

static bool is_kept(const struct hd_dut_job *asked, struct hd_dut_job job)
{
  job.n_flits_out = job.n_credits_out = job.n_toggles = job.lost = job.evaluated_cycles = 0;
  job.quiescent = job.agrees = false;
  job.assertion = asked->assertion;
  return !memcmp(&job, asked, sizeof job);
}

static bool same(const void *a, uint32_t n, uint32_t cap, const void *b, uint32_t m, size_t size)
{
  return n == m && n <= cap && (!n || !memcmp(a, b, n * size));
}

/* Here, so that what is as expected need not cross. `job` has the arrays of `asked`, whatever the backend wrote
 * there. */
static bool is_expected(const struct hd_dut_job *asked, const struct hd_dut_job *job)
{
  const struct hd_dut_expected *x = asked->expected;
  return job->agrees || (x && !job->lost && job->quiescent == x->quiescent &&
                         same(asked->flits_out, job->n_flits_out, asked->cap_flits_out, x->flits,
                              x->n_flits, sizeof *x->flits) &&
                         same(asked->credits_out, job->n_credits_out, asked->cap_credits_out,
                              x->credits, x->n_credits, sizeof *x->credits) &&
                         same(asked->toggles, job->n_toggles, asked->cap_toggles, x->toggles,
                              x->n_toggles, sizeof *x->toggles));
}

static int add_list(struct held *h, const void *items, uint32_t n, uint32_t cap, size_t bytes,
                    struct hd_error *err)
{
  return n > cap ? HD_OK : add(h, items, n * bytes, err);
}

static int add_outputs(struct held *h, const struct hd_dut_job *asked, const struct ranks_answer *a,
                       struct hd_error *err)
{
  int status = add_list(h, asked->flits_out, a->n_flits, asked->cap_flits_out,
                        sizeof *asked->flits_out, err);
  if (!status)
    status = add_list(h, asked->credits_out, a->n_credits, asked->cap_credits_out,
                      sizeof *asked->credits_out, err);
  return status ? status
                : add_list(h, asked->toggles, a->n_toggles, asked->cap_toggles,
                           sizeof *asked->toggles, err);
}

static int add_answer(struct held *h, const struct hd_dut_job *asked, const struct hd_dut_job *job,
                      struct hd_error *err)
{
  const size_t zero = 0;
  const struct ranks_answer a = {.sw = job->sw,
                                 .n_flits = job->n_flits_out,
                                 .n_credits = job->n_credits_out,
                                 .n_toggles = job->n_toggles,
                                 .lost = job->lost,
                                 .evaluated_cycles = job->evaluated_cycles,
                                 .quiescent = job->quiescent,
                                 .assertion = job->assertion.failed,
                                 .unknown = asked->unknown && asked->unknown->seen,
                                 .agrees = is_expected(asked, job),
                                 .changed = !is_kept(asked, *job)};
  int status = add(h, &a, sizeof a, err);
  if (!status && a.assertion)
    status = add(h, &job->assertion, sizeof job->assertion, err);
  if (!status && a.unknown)
    status = add(h, asked->unknown, sizeof *asked->unknown, err);
  if (!status && !a.agrees)
    status = add_outputs(h, asked, &a, err);
  return status ? status : add(h, &zero, ranks_filled(h->length) - h->length, err);
}

/* `n` jobs in one call. */
static int run_call(struct held *h, const char **at, uint32_t n, struct hd_error *err)
{
  if (!room_for(h, *at, n))
    return hd_fail(err, HD_E_NOMEM, "MPI: no memory for the windows of %u switches", n);
  struct hd_dut_job next = {
      .flits_out = h->flits, .credits_out = h->credits, .toggles = h->toggles};
  for (uint32_t i = 0; i < n; i++)
    *at = read_job(h, i, *at, &next);
  memcpy(h->asked, h->jobs, n * sizeof *h->jobs);
  double from = hd_ranks_now();
  int status = ops_of(h)->run(h->dut, h->jobs, n, err);
  h->busy_seconds += hd_ranks_now() - from;
  for (uint32_t i = 0; i < n && !status; i++)
    status = add_answer(h, &h->asked[i], &h->jobs[i], err);
  return status;
}

static int run(struct held *h, const struct given *g, struct hd_error *err)
{
  const uint32_t at_once = ops_of(h)->capabilities & HD_DUT_BATCH ? g->head.n : 1;
  const char *at = g->at;
  int status = HD_OK;
  for (uint32_t i = 0; i < g->head.n && !status; i += at_once)
    status = run_call(h, &at, at_once, err);
  return status;
}

/* ── the other operations ──────────────────────────────────────────────────── */

static void write_all(struct held *h, const struct given *g)
{
  for (uint32_t i = 0; i < g->head.n && !h->late; i++) {
    struct ranks_write w;
    memcpy(&w, g->at + i * sizeof w, sizeof w);
    h->late = ops_of(h)->config_write(h->dut, w.sw, w.addr, w.data, &h->late_err);
  }
}

static int read_all(struct held *h, const struct given *g, struct hd_error *err)
{
  const struct hd_dut_ops *ops = ops_of(h);
  const bool at_once = ops->capabilities & HD_DUT_READS;
  struct hd_dut_read *reads = malloc((g->head.n + 1) * sizeof *reads);
  if (!reads)
    return hd_fail(err, HD_E_NOMEM, "no memory for %u reads", g->head.n);
  memcpy(reads, g->at, g->head.n * sizeof *reads);
  int status = at_once ? ops->config_reads(h->dut, reads, g->head.n, err) : HD_OK;
  for (uint32_t i = 0; i < g->head.n && !status && !at_once; i++) {
    struct hd_dut_read *r = &reads[i];
    status = ops->config_read(h->dut, r->sw, r->addr, &r->data, err);
    if (!status && ops->capabilities & HD_DUT_FOUR_STATE)
      status = ops->config_unknown(h->dut, r->sw, &r->unknown, err);
  }
  if (!status)
    status = add(h, reads, g->head.n * sizeof *reads, err);
  free(reads);
  return status;
}

static int save_all(struct held *h, struct hd_error *err)
{
  struct hd_dut_buffer states = {0};
  int status = HD_OK;
  for (uint32_t sw = 0; sw < h->count && !status; sw++) {
    uint64_t before = states.length;
    status = ops_of(h)->snapshot_save(h->dut, sw, &states, err);
    if (!status && (states.length > states.capacity || states.length < before))
      status = hd_fail(err, HD_E_TOOL,
                       "backend %s breaks its contract (bridge/dut.h): a snapshot of %zu bytes in "
                       "a buffer of %zu",
                       ops_of(h)->name, states.length, states.capacity);
    uint64_t length = states.length - before;
    if (!status)
      status = add(h, &length, sizeof length, err);
  }
  if (!status)
    status = add(h, states.bytes, states.length, err);
  free(states.bytes);
  return status;
}

static int restore(struct held *h, const struct given *g, struct hd_error *err)
{
  struct hd_dut_buffer state = {.length = g->head.length, .capacity = g->head.length};
  state.bytes = malloc(state.length + 1);
  if (!state.bytes)
    return hd_fail(err, HD_E_NOMEM, "MPI: no memory for a snapshot");
  memcpy(state.bytes, g->at, state.length);
  int status = ops_of(h)->snapshot_restore(h->dut, g->head.sw, &state, err);
  free(state.bytes);
  return status;
}

static int tell_counters(struct held *h, struct hd_error *err)
{
  struct hd_dut_counter counters[HD_DUT_COUNTERS];
  uint32_t n = ops_of(h)->counters(h->dut, counters);
  ((struct ranks_head *)(void *)h->reply)->n = n;
  return n > HD_DUT_COUNTERS ? HD_OK : add(h, counters, n * sizeof *counters, err);
}

static int obey(struct held *h, const struct given *g, struct hd_error *err)
{
  if (h->late) {
    int late = h->late;
    h->late = HD_OK;
    return hd_fail(err, late, "%s", h->late_err.text);
  }
  switch (g->head.order) {
  case RANKS_OPEN:
    return open_backend(h, g, err);
  case RANKS_CREATE:
    return create(h, g, err);
  case RANKS_DESTROY:
    return HD_OK; /* when the reply is on its way */
  case RANKS_RESET:
    return ops_of(h)->reset(h->dut, err);
  case RANKS_READS:
    return read_all(h, g, err);
  case RANKS_RUN:
    return run(h, g, err);
  case RANKS_SAVE:
    return save_all(h, err);
  case RANKS_RESTORE:
    return restore(h, g, err);
  case RANKS_TWO_STATE:
    return ops_of(h)->make_two_state(h->dut, g->head.sw, err);
  case RANKS_TRACE_OPEN:
    return ops_of(h)->trace_open(h->dut, g->head.sw, g->at, err);
  case RANKS_TRACE_CLOSE:
    return ops_of(h)->trace_close(h->dut, err);
  case RANKS_COUNTERS:
    return tell_counters(h, err);
  case RANKS_COVERAGE:
    return ops_of(h)->coverage_write(h->dut, g->at, err);
  default:
    return hd_fail(err, HD_E_INTERNAL, "MPI: rank 0 asks for something unknown");
  }
}

/* Carries an order out and answers. */
static int carry_out(struct held *h, const struct given *g, struct hd_error *err)
{
  struct ranks_head head = {.order = g->head.order};
  struct hd_error why = {""};
  if (g->head.order == RANKS_WRITES) {
    write_all(h, g);
    return HD_OK;
  }
  h->length = 0;
  int status = add(h, &head, sizeof head, err);
  if (status)
    return status;
  int done = obey(h, g, &why);
  memcpy(&head, h->reply, sizeof head);
  if (done) {
    why.text[sizeof why.text - 1] = '\0';
    h->length = sizeof head;
    status = add(h, why.text, strlen(why.text) + 1, err);
  }
  head.status = done;
  head.busy_seconds = h->busy_seconds;
  head.length = h->length - sizeof head;
  memcpy(h->reply, &head, sizeof head);
  char *reply = h->reply;
  h->reply = NULL;
  h->capacity = 0;
  if (!status && hd_ranks_send(h->ranks, 0, reply, h->length))
    status = hd_fail(err, HD_E_TOOL, "MPI: rank 0 cannot be reached any more");
  if (g->head.order == RANKS_DESTROY)
    fini(h);
  return status;
}

/* 1 to go on, 0 to end, or a status. */
static int hear(struct held *h, double *heard, struct hd_error *err)
{
  struct given g;
  char *bytes;
  size_t length;
  int from, got = hd_ranks_wait(h->ranks, WAIT_MS, &from, &bytes, &length), status = HD_OK;
  if (got < 0)
    return hd_fail(err, HD_E_TOOL, "MPI: rank 0 cannot be heard any more");
  if (!got && hd_ranks_now() > *heard + hd_ranks_silence_seconds()) {
    hd_ranks_lose(h->ranks);
    return hd_fail(err, HD_E_TOOL, "MPI: rank 0 does not answer any more");
  }
  if (!got)
    return 1;
  if (hd_ranks_over(h->ranks))
    return free(bytes), 0;
  if (length >= sizeof g.head) {
    memcpy(&g.head, bytes, sizeof g.head);
    g.at = bytes + sizeof g.head;
    if (g.head.order == RANKS_QUIT) {
      free(bytes);
      return 0;
    }
    status = carry_out(h, &g, err);
  }
  free(bytes);
  *heard = hd_ranks_now();
  return status ? status : 1;
}

int hd_ranks_hold_switches(struct hd_ranks *ranks, struct hd_error *err)
{
  struct held h = {.ranks = ranks};
  double heard = hd_ranks_now();
  int going = hd_ranks_stay_alive(ranks, err);
  for (going = going ? going : 1; going == 1;)
    going = hear(&h, &heard, err);
  fini(&h);
  return going;
}
