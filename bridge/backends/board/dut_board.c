/* DUT contract for switches on boards (specification chapter 9).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A window is played in pieces that fit into the board's memories. If the expected outputs are
 * known, the board answers with signatures. It answers with events if a signature differs or
 * nothing is expected. A file keeps all stimulus since reset with a hash of the signatures that it
 * gave. By replay of this file a board that was reset, or a cycle in the middle of a window, is
 * reached again; and if a replay gives other signatures, the board is unsteady. Several boards can
 * share the fabric's switches. Each has a line of its own.
 */
#include "board_play.h"

#include "../backend.h"
#include "board_open.h"
#include "board_run.h"
#include "../../host/text.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A board and its share of the fabric: switches first … first + play.count - 1. */
struct share {
  struct hd_board_open *open; /* borrowed from the set */
  struct hd_board_play play;
  uint32_t first;
  pthread_mutex_t line; /* held by the thread that uses the board's line */
};

struct hd_dut {
  bool dead; /* a board has failed with HD_E_IO */
  atomic_bool interrupted;
  pthread_mutex_t news_lock; /* held to read or change `unread_news` */
  char unread_news[4096];    /* lines of news that were not read yet */
  struct hd_board_set set;
  struct hd_board_log log;
  struct share *shares; /* [n_shares] */
  uint32_t n_shares, count;
};

static void destroy(struct hd_dut *dut)
{
  if (!dut)
    return;
  for (uint32_t i = 0; i < dut->n_shares; i++) {
    hd_board_play_fini(&dut->shares[i].play);
    pthread_mutex_destroy(&dut->shares[i].line);
  }
  free(dut->shares);
  hd_board_set_close(&dut->set);
  hd_board_log_close(&dut->log);
  pthread_mutex_destroy(&dut->news_lock);
  free(dut);
}

/* Adds the name of the board to an error that does not name it, when there are several boards. */
static int name_board(const struct hd_dut *dut, const struct share *s, int status,
                      struct hd_error *err)
{
  const char *device = s->open->link.device;
  if (!status || !err || dut->set.n < 2 || strstr(err->text, device))
    return status;
  const struct hd_error why = *err;
  return hd_fail(err, status, "board %s (switches %u to %u): %.400s", device, s->first,
                 s->first + s->play.count - 1, why.text);
}

static struct share *share_of(struct hd_dut *dut, uint32_t sw)
{
  struct share *s = dut->shares;
  while (sw >= s->first + s->play.count)
    s++;
  return s;
}

/* Adds a parameter's value as a scenario writes it. */
static void add_value(struct hd_text *text, const struct hd_switch_param *p, uint32_t value)
{
  const char *name = p->kind == HD_PARAM_CHOICE ? hd_barrier_name(value) : NULL;
  if (name)
    hd_text_add(text, "%s", name);
  else
    hd_text_add(text, "%u", value);
}

/* Adds a sentence about a register whose value `has` is not that of a switch of `params`, and the
 * parameters that differ. */
static void add_register(struct hd_text *text, const struct hd_register *r, uint16_t has,
                         const struct hd_switch_params *params)
{
  uint16_t values[HD_REGISTERS] = {0};
  const char *between = " (";
  struct hd_switch_params theirs;
  values[r->address] = has;
  hd_params_of_registers(&theirs, values);
  hd_text_add(text, "%sregister %s reads 0x%04x, needed is 0x%04x", text->length ? "; " : "",
              r->name, has, hd_register_of_params(params, r->address));
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++) {
    const struct hd_switch_param *p = &hd_switch_param_list[i];
    uint32_t value = hd_switch_param_get(&theirs, i), needed = hd_switch_param_get(params, i);
    bool used = p->kind == HD_PARAM_CHOICE || hd_switch_param_used(params, i); /* even "none" */
    if (p->reg != r->address || !used || value == needed)
      continue;
    hd_text_add(text, "%s%s%s is ", between, p->kind == HD_PARAM_ROUTING ? "" : "switch.", p->name);
    add_value(text, p, value);
    hd_text_add(text, ", needed is ");
    add_value(text, p, needed);
    between = "; ";
  }
  hd_text_add(text, "%s", *between == ';' ? ")" : "");
}

/* Checks by its registers that the board's first switch is that of the scenario. This comes before
 * all windows, because the length of an answer depends on the switch. */
static int check_shape(struct hd_board_open *open, struct hd_board_log *log,
                       const struct hd_switch_params *params, struct hd_error *err)
{
  struct hd_board_link *link = &open->link;
  struct hd_switch_params any = hd_board_play_unknown(&open->about);
  struct hd_board_play play = {0};
  struct hd_text differ = {0};
  int status = hd_board_count_ports(link, &open->about, &any.ports, err);
  if (!status)
    status = hd_board_play_init(&play, link, &open->about, &any, 1, log, err);
  if (!status)
    play.histories[0].needs_replay = true; /* state unknown: the first read resets the switch */
  for (size_t i = 0; i < HD_REGISTERS && !status; i++) {
    const struct hd_register *r = &hd_register_list[i];
    uint16_t has = 0, needed = hd_register_of_params(params, r->address);
    if (r->access != HD_ACCESS_READ)
      continue;
    status = hd_board_play_read(&play, 0, r->address, &has, err);
    /* The barrier routing table may have more entries than the fabric has switches. */
    if (!status && has != needed && !(r->address == HD_CFG_SWITCHES && has > needed))
      add_register(&differ, r, has, params);
  }
  if (!status && differ.length)
    status =
        hd_fail(err, HD_E_INPUT,
                "the board at %s holds another switch than the scenario: %.700s (specification "
                "3.3, 8.6); give the scenario what the board has, or flash a board that was "
                "built for it",
                link->device, hd_text_chars(&differ));
  hd_text_fini(&differ);
  hd_board_play_fini(&play);
  return status;
}

static bool is_interrupted(void *context)
{
  return atomic_load(&((struct hd_dut *)context)->interrupted);
}

/* Adds a line of news of any board. If there is no room for it, the line is dropped. */
static void add_news(void *context, const char *line)
{
  struct hd_dut *dut = context;
  pthread_mutex_lock(&dut->news_lock);
  size_t used = strlen(dut->unread_news);
  if (used + strlen(line) + 2 <= sizeof dut->unread_news)
    snprintf(dut->unread_news + used, sizeof dut->unread_news - used, "%s\n", line);
  pthread_mutex_unlock(&dut->news_lock);
}

static bool board_news(struct hd_dut *dut, char *line, size_t size)
{
  pthread_mutex_lock(&dut->news_lock);
  size_t n = strcspn(dut->unread_news, "\n");
  bool is = n > 0;
  if (is) {
    snprintf(line, size, "%.*s", (int)n, dut->unread_news);
    memmove(dut->unread_news, dut->unread_news + n + 1, strlen(dut->unread_news + n + 1) + 1);
  }
  pthread_mutex_unlock(&dut->news_lock);
  return is;
}

static void board_interrupt(struct hd_dut *dut)
{
  atomic_store(&dut->interrupted, true);
}

/* Gives each board its part of the fabric, in the order of the boards' names. Checks all boards
 * before any of them plays. */
static int assign_switches(struct hd_dut *dut, const struct hd_switch_params *params,
                           struct hd_error *err)
{
  int status = 0;
  dut->shares = calloc(dut->set.n, sizeof *dut->shares);
  if (!dut->shares)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the boards");
  for (uint32_t given = 0; given < dut->count && !status;) {
    struct share *s = &dut->shares[dut->n_shares];
    s->open = &dut->set.boards[dut->n_shares++];
    s->first = given;
    s->open->link.stop = is_interrupted;
    s->open->link.report = add_news;
    s->open->link.context = dut;
    pthread_mutex_init(&s->line, NULL);
    uint32_t left = dut->count - given, holds = s->open->about.switches;
    s->play.count = left < holds ? left : holds;
    given += s->play.count;
    status = name_board(dut, s, check_shape(s->open, &dut->log, params, err), err);
  }
  for (uint32_t i = 0; i < dut->n_shares && !status; i++) {
    struct share *s = &dut->shares[i];
    status = hd_board_play_init(&s->play, &s->open->link, &s->open->about, params, s->play.count,
                                &dut->log, err);
    s->play.unsigned_answers = dut->set.events;
    if (!status)
      status = hd_board_play_begin(&s->play, err);
    status = name_board(dut, s, status, err);
  }
  return status;
}

static int create(struct hd_dut **out, const struct hd_switch_params *params, uint32_t count,
                  const char *options, struct hd_error *err)
{
  *out = NULL;
  struct hd_dut *dut = calloc(1, sizeof *dut);
  if (!dut)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the board");
  dut->count = count;
  pthread_mutex_init(&dut->news_lock, NULL);
  int status = hd_board_log_open(&dut->log, err);
  if (!status)
    status = hd_board_set_open(&dut->set, params, count, options ? options : "", err);
  if (!status)
    status = assign_switches(dut, params, err);
  if (status) {
    destroy(dut);
    return status;
  }
  *out = dut;
  return 0;
}

static int create_bitstream(struct hd_dut **out, const struct hd_switch_params *params,
                            uint32_t count, const char *options, struct hd_error *err)
{
  struct hd_text text = {0};
  *out = NULL;
  hd_text_add(&text, "virtual:%s", options ? options : "");
  int status = create(out, params, count, hd_text_chars(&text), err);
  hd_text_fini(&text);
  return status;
}

static int reset(struct hd_dut *dut, struct hd_error *err)
{
  int status = 0;
  for (uint32_t i = 0; i < dut->n_shares && !status; i++)
    status = name_board(dut, &dut->shares[i], hd_board_play_reset(&dut->shares[i].play, err), err);
  return status;
}

static int config_write(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                        struct hd_error *err)
{
  struct share *s = share_of(dut, sw);
  return name_board(dut, s, hd_board_play_write(&s->play, sw - s->first, addr, data, err), err);
}

static int config_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err)
{
  struct share *s = share_of(dut, sw);
  return name_board(dut, s, hd_board_play_read(&s->play, sw - s->first, addr, data, err), err);
}

/* ── windows: all boards play at the same time ──────────────────────────────────── */

struct turn {
  struct share *share;
  struct hd_dut_job **jobs; /* [n_jobs], for switches of this share */
  size_t n_jobs;
  bool events, threaded;
  int status;
  struct hd_error err;
  pthread_t thread;
};

static void *run_share(void *argument)
{
  struct turn *t = argument;
  struct share *s = t->share;
  pthread_mutex_lock(&s->line);
  for (size_t i = 0; i < t->n_jobs && !t->status; i++) {
    struct hd_dut_job *job = t->jobs[i];
    job->n_flits_out = job->n_credits_out = job->n_toggles = job->lost = 0;
    job->evaluated_cycles = job->cycles;
    job->sw -= s->first; /* its number on the board */
    t->status = hd_board_play_window(&s->play, job, t->events ? NULL : job->expected, &t->err);
    job->sw += s->first;
  }
  pthread_mutex_unlock(&s->line);
  return NULL;
}

/* Sorts the jobs by board: each turn gets a part of `sorted`. */
static void sort_jobs(struct hd_dut *dut, struct turn *turns, struct hd_dut_job **sorted,
                      struct hd_dut_job *jobs, size_t n_jobs)
{
  for (size_t i = 0; i < n_jobs; i++)
    turns[share_of(dut, jobs[i].sw) - dut->shares].n_jobs++;
  for (uint32_t i = 0; i < dut->n_shares; i++) {
    turns[i].share = &dut->shares[i];
    turns[i].events = dut->set.events;
    turns[i].jobs = sorted;
    sorted += turns[i].n_jobs;
    turns[i].n_jobs = 0;
  }
  for (size_t i = 0; i < n_jobs; i++) {
    struct turn *t = &turns[share_of(dut, jobs[i].sw) - dut->shares];
    t->jobs[t->n_jobs++] = &jobs[i];
  }
}

static int run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n_jobs, struct hd_error *err)
{
  struct turn *turns = calloc(dut->n_shares, sizeof *turns);
  struct hd_dut_job **sorted = calloc(n_jobs ? n_jobs : 1, sizeof(struct hd_dut_job *));
  struct turn *own = NULL; /* runs in this thread */
  int status = 0;
  if (!turns || !sorted) {
    free(turns);
    free(sorted);
    return hd_fail(err, HD_E_NOMEM, "out of memory for the boards' windows");
  }
  sort_jobs(dut, turns, sorted, jobs, n_jobs);
  for (uint32_t i = 0; i < dut->n_shares; i++) {
    struct turn *t = &turns[i];
    if (t->n_jobs && own) {
      t->threaded = !pthread_create(&t->thread, NULL, run_share, t);
      if (!t->threaded)
        t->status = hd_fail(&t->err, HD_E_NOMEM, "no thread for the board");
    } else if (t->n_jobs)
      own = t;
  }
  if (own)
    run_share(own);
  for (uint32_t i = 0; i < dut->n_shares; i++) {
    struct turn *t = &turns[i];
    if (t->threaded)
      pthread_join(t->thread, NULL);
    dut->dead |= t->status == HD_E_IO;
    if (t->status && !status) {
      status = t->status;
      if (err)
        *err = t->err;
      name_board(dut, t->share, status, err);
    }
  }
  free(sorted);
  free(turns);
  return status;
}

static int snapshot_save(struct hd_dut *dut, uint32_t sw, struct hd_dut_buffer *buffer,
                         struct hd_error *err)
{
  struct share *s = share_of(dut, sw);
  return name_board(dut, s, hd_board_play_save(&s->play, sw - s->first, buffer, err), err);
}

static int snapshot_restore(struct hd_dut *dut, uint32_t sw, const struct hd_dut_buffer *buffer,
                            struct hd_error *err)
{
  struct share *s = share_of(dut, sw);
  return name_board(dut, s, hd_board_play_restore(&s->play, sw - s->first, buffer, err), err);
}

/* Gets the host's counters and, if all boards answer, the boards' board_counters (§9.3). Both are sums
 * over the boards. */
static uint32_t board_counters(struct hd_dut *dut, struct hd_dut_counter list[HD_DUT_COUNTERS])
{
  uint64_t bytes_out = 0, bytes_in = 0, resent = 0, reopened = 0, bad = 0, recovered = 0;
  uint64_t good_there = 0, bad_there = 0, done = 0, again = 0, lost = 0, cycles = 0;
  bool answers = !dut->dead;
  for (uint32_t i = 0; i < dut->n_shares; i++) {
    const struct hd_board_link *link = &dut->shares[i].open->link;
    bytes_out += link->bytes_out;
    bytes_in += link->bytes_in;
    resent += link->resent;
    reopened += link->reopened;
    bad += link->reader.bad;
    recovered += dut->shares[i].play.recovered;
  }
  for (uint32_t i = 0; i < dut->n_shares && answers; i++) {
    struct hd_board_counters c = {0};
    struct hd_error err = {0};
    answers = !hd_board_counters(&dut->shares[i].open->link, &c, &err);
    good_there += c.good;
    bad_there += c.bad;
    done += c.done;
    again += c.again;
    lost += c.lost;
    cycles += c.cycles;
  }
  const struct hd_dut_counter all[] = {{"bytes_out", bytes_out},
                                       {"bytes_in", bytes_in},
                                       {"requests_resent", resent},
                                       {"line_reopened", reopened},
                                       {"answers_bad", bad},
                                       {"board_recovered", recovered},
                                       {"board_frames_good", good_there},
                                       {"board_frames_bad", bad_there},
                                       {"board_requests", done},
                                       {"board_answers_resent", again},
                                       {"board_bytes_lost", lost},
                                       {"board_cycles", cycles}};
  uint32_t n = answers ? sizeof all / sizeof *all : 6; /* the host's */
  memcpy(list, all, n * sizeof *all);
  return n;
}

static const struct hd_dut_extension k_extension = {
    .counters = board_counters, .interrupt = board_interrupt, .news = board_news};

#define BOARD_OPS(called, says, creates)                                                     \
  {                                                                                          \
    .abi = HD_DUT_ABI, .name = called, .about = says " (specification chapter 9)",           \
    .capabilities =                                                                          \
        HD_DUT_QUIESCENT | HD_DUT_SNAPSHOT | HD_DUT_BATCH | HD_DUT_NEWS | HD_DUT_DEAR_READS, \
    .create = creates, .destroy = destroy, .reset = reset, .config_write = config_write,     \
    .config_read = config_read, .run = run, .snapshot_save = snapshot_save,                  \
    .snapshot_restore = snapshot_restore, .extension = &k_extension                          \
  }

const struct hd_dut_ops *hd_dut_board_backend(void)
{
  static const struct hd_dut_ops ops =
      BOARD_OPS("board", "switches in FPGAs behind serial lines", create);
  return &ops;
}

const struct hd_dut_ops *hd_dut_virtual_board_backend(void)
{
  static const struct hd_dut_ops ops = BOARD_OPS(
      "board", "virtual boards; the RTL's own assertions are off, as on a real one", create);
  return &ops;
}

const struct hd_dut_ops *hd_dut_bitstream_backend(void)
{
  static const struct hd_dut_ops ops =
      BOARD_OPS("bitstream", "virtual boards of what a bitstream holds", create_bitstream);
  return &ops;
}
