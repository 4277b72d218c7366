/* Calls a backend's operations, and checks that its answers keep the DUT contract.
 * SPDX-License-Identifier: Apache-2.0
 *
 * After these checks an answer is inside its arrays and in range, so no caller checks again. A
 * value that RTL can show at its pins, such as a virtual channel that does not exist, is no breach
 * of the contract: it is a difference.
 */
#include "lockstep_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ── calls under way ───────────────────────────────────────────────────────── */

static void note_call(struct hd_lockstep *ls, uint32_t thread, const char *what,
                      const struct hd_dut_job *job)
{
  if (ls->params.user_code)
    hd_user_call_enter(&ls->params.user_code->backend[thread], what, job ? job->sw : 0,
                       job ? job->start : 0, job ? job->cycles : 0);
}

static void note_return(struct hd_lockstep *ls, uint32_t thread)
{
  if (ls->params.user_code)
    hd_user_call_leave(&ls->params.user_code->backend[thread]);
}

void hd_contract_unlock(struct hd_lockstep *ls)
{
  if (ls->params.turn)
    pthread_mutex_unlock(ls->params.turn);
}

void hd_contract_lock(struct hd_lockstep *ls)
{
  if (ls->params.turn)
    pthread_mutex_lock(ls->params.turn);
}

void hd_contract_enter(struct hd_lockstep *ls, const char *what)
{
  note_call(ls, 0, what, NULL);
  hd_contract_unlock(ls);
}

void hd_contract_leave(struct hd_lockstep *ls)
{
  hd_contract_lock(ls);
  note_return(ls, 0);
}

/* ── windows ───────────────────────────────────────────────────────────────── */

/* A breach of the contract: what was found, and the rule that it breaks. */
struct breach {
  char rule[96], found[160];
};

#define BREACH(breach, rule_text, ...)                              \
  (snprintf((breach)->rule, sizeof(breach)->rule, "%s", rule_text), \
   snprintf((breach)->found, sizeof(breach)->found, __VA_ARGS__), false)

static bool fields_are_kept(const struct hd_dut_job *a, const struct hd_dut_job *b,
                            struct breach *breach)
{
  bool kept = a->sw == b->sw && a->cycles == b->cycles && a->start == b->start &&
              a->flits_in == b->flits_in && a->credits_in == b->credits_in &&
              a->configs_in == b->configs_in && a->n_flits_in == b->n_flits_in &&
              a->n_credits_in == b->n_credits_in && a->n_configs_in == b->n_configs_in &&
              a->flits_out == b->flits_out && a->credits_out == b->credits_out &&
              a->toggles == b->toggles && a->cap_flits_out == b->cap_flits_out &&
              a->cap_credits_out == b->cap_credits_out && a->cap_toggles == b->cap_toggles &&
              a->idle_pins == b->idle_pins && a->every_cycle == b->every_cycle &&
              a->unknown == b->unknown && a->expected == b->expected;
  return kept || BREACH(breach, "the caller's fields of a job are left alone",
                        "one of them was changed (sw is %" PRIu32 ")", b->sw);
}

static bool assertion_is_legal(const struct hd_dut_job *job, struct breach *breach)
{
  const struct hd_dut_assertion *a = &job->assertion;
  if (!a->failed)
    return true;
  if (!memchr(a->where, '\0', sizeof a->where))
    return BREACH(breach, "the place of an assertion is text that ends", "it has no end");
  return a->cycle <= job->cycles || BREACH(breach, "an assertion fails in a cycle of the window",
                                           "cycle %u of %u", a->cycle, job->cycles);
}

static bool counts_fit(const struct hd_dut_job *job, struct breach *breach)
{
  if (job->n_flits_out > job->cap_flits_out || job->n_credits_out > job->cap_credits_out ||
      job->n_toggles > job->cap_toggles)
    return BREACH(breach, "there is no more than there is room for",
                  "%u flits, %u credits, %u toggles; room is for %u, %u, %u", job->n_flits_out,
                  job->n_credits_out, job->n_toggles, job->cap_flits_out, job->cap_credits_out,
                  job->cap_toggles);
  if (job->lost)
    return BREACH(breach, "each port shows one flit and one credit event a cycle at most",
                  "%u events found no room: more than its ports can show in %u cycles", job->lost,
                  job->cycles);
  return true;
}

static bool evaluated_fits(const struct hd_dut_job *job, struct breach *breach)
{
  return job->evaluated_cycles <= job->cycles ||
         BREACH(breach, "no more cycles are evaluated than a window has", "%u of %u",
                job->evaluated_cycles, job->cycles);
}

/* Checks that an event comes after `last`, by cycle, then by port. So a port has at most one
 * event in a cycle. */
static bool in_order(uint64_t *last, uint32_t cycle, unsigned port)
{
  uint64_t place = ((uint64_t)cycle << 8 | port) + 1;
  bool ordered = place > *last;
  *last = place;
  return ordered;
}

/* The first cycle that answers may have. In a run's first window it includes what the switch
 * showed before the window (post_reset_events.h). */
static uint32_t first_cycle(const struct hd_dut_job *job)
{
  return job->start ? 1 : 0;
}

static bool flits_are_legal(const struct hd_dut_job *job, const struct hd_switch_params *p,
                            struct breach *breach)
{
  uint64_t last = 0;
  for (uint32_t i = 0; i < job->n_flits_out; i++) {
    const struct hd_flit_event *e = &job->flits_out[i];
    if (e->cycle < first_cycle(job) || e->cycle > job->cycles)
      return BREACH(breach, "outputs are visible in cycles 1 to n of the window",
                    "flit %u in cycle %u of %u", i, e->cycle, job->cycles);
    if (e->port >= p->ports || e->vc >> hd_log2_ceil(p->vcs) || e->kind > HD_KIND_NULL)
      return BREACH(breach, "events are what the pins can carry (2.11)",
                    "flit %u has port %u, vc %u, kind %u", i, e->port, e->vc, e->kind);
    if (e->zero || (p->data_bits < 64 && e->data >> p->data_bits))
      return BREACH(breach, "zero is 0, and so are bits of data above DATA_W",
                    "flit %u has zero %u, data 0x%" PRIx64, i, e->zero, e->data);
    if (!in_order(&last, e->cycle, e->port))
      return BREACH(breach, "outputs are sorted by cycle, then port",
                    "flit %u, in cycle %u at port %u, comes after a later one", i, e->cycle,
                    e->port);
  }
  return true;
}

static bool credits_are_legal(const struct hd_dut_job *job, const struct hd_switch_params *p,
                              struct breach *breach)
{
  uint64_t last = 0;
  for (uint32_t i = 0; i < job->n_credits_out; i++) {
    const struct hd_credit_event *e = &job->credits_out[i];
    if (e->cycle < first_cycle(job) || e->cycle > job->cycles)
      return BREACH(breach, "outputs are visible in cycles 1 to n of the window",
                    "credit %u in cycle %u of %u", i, e->cycle, job->cycles);
    /* Wrong RTL can have any value on the wires of a count. */
    unsigned counts = hd_switch_counts(p) ? 2 * HD_COUNT_SHOWN : 1;
    if (e->port >= p->ports || e->vcs >> p->vcs || e->barrier > (p->barrier ? 1 : 0) ||
        e->count >= counts)
      return BREACH(breach, "events are what the pins can carry (2.11)",
                    "credit %u has port %u, vcs 0x%x, barrier %u, count 0x%x", i, e->port, e->vcs,
                    e->barrier, e->count);
    if (!in_order(&last, e->cycle, e->port))
      return BREACH(breach, "outputs are sorted by cycle, then port",
                    "credit %u, in cycle %u at port %u, comes after a later one", i, e->cycle,
                    e->port);
  }
  return true;
}

static bool toggles_are_legal(const struct hd_dut_job *job, struct breach *breach)
{
  uint32_t last = 0;
  for (uint32_t i = 0; i < job->n_toggles; last = job->toggles[i++])
    if (job->toggles[i] <= last || job->toggles[i] > job->cycles)
      return BREACH(breach, "toggles are cycles 1 to n, each after the one before",
                    "toggle %u is in cycle %u of %u, after %u", i, job->toggles[i], job->cycles,
                    last);
  return true;
}

static bool unknown_is_legal(const struct hd_dut_job *job, const struct hd_switch_params *p,
                             struct breach *breach)
{
  const struct hd_dut_unknown *u = job->unknown;
  if (!u || !u->seen)
    return true;
  bool legal = (u->seen == 'x' || u->seen == 'z') && u->cycle <= job->cycles &&
               (u->port < p->ports || u->port == 0xff) && (u->vc < HD_MAX_VCS || u->vc == 0xff) &&
               memchr(u->name, 0, sizeof u->name) && memchr(u->registers, 0, sizeof u->registers);
  return legal || BREACH(breach, "unknown tells of an x or z of the window, by names that end",
                         "seen %d, cycle %u, port %u, vc %u", u->seen, u->cycle, u->port, u->vc);
}

static bool equal_arrays(const void *a, uint32_t n, const void *b, uint32_t m, size_t size)
{
  return n == m && (!n || !memcmp(a, b, n * size));
}

/* Tests whether the window's events are the expected ones. Those are legal, so almost no window
 * needs a closer check. */
static bool is_expected(const struct hd_dut_job *job)
{
  const struct hd_dut_expected *x = job->expected;
  return x && job->quiescent == x->quiescent &&
         equal_arrays(job->flits_out, job->n_flits_out, x->flits, x->n_flits, sizeof *x->flits) &&
         equal_arrays(job->credits_out, job->n_credits_out, x->credits, x->n_credits,
                      sizeof *x->credits) &&
         equal_arrays(job->toggles, job->n_toggles, x->toggles, x->n_toggles, sizeof *x->toggles);
}

/* Checks a job's outputs. Sets job->agrees if they are as expected and the backend did not say
 * so. */
static bool outputs_are_legal(struct hd_dut_job *job, const struct hd_switch_params *p,
                              struct breach *breach)
{
  if (job->agrees)
    return job->expected || BREACH(breach, "an answer agrees with what is expected",
                                   "it agrees, but nothing was expected");
  if (!counts_fit(job, breach))
    return false;
  job->agrees = is_expected(job);
  return job->agrees || (flits_are_legal(job, p, breach) && credits_are_legal(job, p, breach) &&
                         toggles_are_legal(job, breach));
}

static int check_answer(const struct hd_lockstep *ls, const struct hd_dut_job *asked,
                        struct hd_dut_job *job, struct hd_error *err)
{
  const struct hd_switch_params *p = &ls->fabric_params.sw;
  struct breach breach;
  if (fields_are_kept(asked, job, &breach) && evaluated_fits(job, &breach) &&
      assertion_is_legal(job, &breach) && unknown_is_legal(job, p, &breach) &&
      outputs_are_legal(job, p, &breach))
    return HD_OK;
  return hd_fail(err, HD_E_TOOL,
                 "backend %s%s breaks its contract (bridge/dut.h): switch %u, window of %u cycles "
                 "from cycle %" PRIu64 ": %s; rule: %s",
                 ls->params.dut->name, ls->is_original ? " of the original" : "", asked->sw,
                 asked->cycles, asked->start, breach.found, breach.rule);
}

int hd_contract_status(const struct hd_lockstep *ls, const char *what, int status,
                       struct hd_error *err)
{
  if (err)
    err->text[sizeof err->text - 1] = '\0';
  switch (status) {
  case HD_OK:
  case HD_E_NOMEM:
  case HD_E_INPUT:
  case HD_E_IO:
  case HD_E_TOOL:
  case HD_E_INTERRUPTED:
  case HD_E_UNSUPPORTED:
  case HD_E_INTERNAL:
    return status;
  default:
    return hd_fail(err, HD_E_TOOL,
                   "backend %s breaks its contract (bridge/dut.h): %s returned %d; rule: 0, or a "
                   "status that says why it could not be done (cmodel/error.h)",
                   ls->params.dut->name, what, status);
  }
}

/* Changes the switch numbers of jobs from this lockstep's to the DUT's. */
static void number(const struct hd_lockstep *ls, struct hd_dut_job *jobs, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    jobs[i].sw += ls->first_switch;
}

/* Changes the switch numbers back to this lockstep's, and checks the answers in `jobs`. */
static int take_answers(const struct hd_lockstep *ls, struct hd_dut_job *asked,
                        struct hd_dut_job *jobs, uint32_t n, struct hd_error *err)
{
  int status = HD_OK;
  for (uint32_t i = 0; i < n; i++) {
    asked[i].sw -= ls->first_switch;
    jobs[i].sw -= ls->first_switch;
    if (!status)
      status = check_answer(ls, &asked[i], &jobs[i], err);
  }
  return status;
}

int hd_contract_run(struct hd_lockstep *ls, uint32_t thread, struct hd_dut_job *jobs,
                    struct hd_dut_job *asked, uint32_t n, struct hd_error *err)
{
  note_call(ls, thread, ls->is_original ? "the original's run" : "run", jobs);
  number(ls, jobs, n);
  memcpy(asked, jobs, n * sizeof *jobs);
  int status = ls->params.dut->run(ls->dut, jobs, n, err);
  note_return(ls, thread);
  status = hd_contract_status(ls, "run", status, err);
  return status ? status : take_answers(ls, asked, jobs, n, err);
}

void hd_contract_run_together(struct shared *shared, uint32_t thread)
{
  const struct hd_lockstep *first = shared->tested[0];
  struct hd_error err = {""};
  uint32_t n = 0;
  for (uint32_t i = 0; i < shared->n_tested; i++) {
    struct hd_lockstep *ls = shared->tested[i];
    struct hd_dut_job *jobs = ls->workers[0].jobs;
    note_call(ls, thread, "run", jobs);
    memcpy(shared->jobs + n, jobs, ls->n_switches * sizeof *jobs);
    number(ls, shared->jobs + n, ls->n_switches);
    n += ls->n_switches;
  }
  memcpy(shared->asked, shared->jobs, n * sizeof *shared->jobs);
  int status = first->params.dut->run(shared->dut, shared->jobs, n, &err);
  status = hd_contract_status(first, "run", status, &err);
  n = 0;
  for (uint32_t i = 0; i < shared->n_tested; i++) {
    struct hd_lockstep *ls = shared->tested[i];
    struct worker *w = &ls->workers[0];
    note_return(ls, thread);
    if (!w->status && status) {
      w->status = status;
      w->err = err;
    } else if (!w->status)
      w->status = take_answers(ls, shared->asked + n, shared->jobs + n, ls->n_switches, &w->err);
    memcpy(w->jobs, shared->jobs + n, ls->n_switches * sizeof *w->jobs);
    n += ls->n_switches;
  }
}

/* ── the other operations ──────────────────────────────────────────────────── */

int hd_contract_config_write(struct hd_lockstep *ls, uint32_t sw, uint32_t addr, uint16_t data,
                             struct hd_error *err)
{
  return ls->params.dut->config_write(ls->dut, ls->first_switch + sw, addr, data, err);
}

/* Reads registers one by one. */
static int read_each(struct hd_lockstep *ls, struct hd_dut_read *reads, uint32_t n,
                     struct hd_error *err)
{
  const struct hd_dut_ops *ops = ls->params.dut;
  int status = HD_OK;
  for (uint32_t i = 0; i < n && !status; i++) {
    struct hd_dut_read *r = &reads[i];
    status = ops->config_read(ls->dut, r->sw, r->addr, &r->data, err);
    if (!status && ops->capabilities & HD_DUT_FOUR_STATE)
      status = ops->extension->config_unknown(ls->dut, r->sw, &r->unknown, err);
  }
  return status;
}

int hd_contract_config_read(struct hd_lockstep *ls, struct hd_dut_read *reads, uint32_t n,
                            struct hd_error *err)
{
  const struct hd_dut_ops *ops = ls->params.dut;
  hd_contract_enter(ls, "config_read");
  for (uint32_t i = 0; i < n; i++)
    reads[i].sw += ls->first_switch;
  int status = ops->capabilities & HD_DUT_READS
                   ? ops->extension->config_reads(ls->dut, reads, n, err)
                   : read_each(ls, reads, n, err);
  for (uint32_t i = 0; i < n; i++)
    reads[i].sw -= ls->first_switch;
  hd_contract_leave(ls);
  return hd_contract_status(ls, "config_read", status, err);
}

int hd_contract_restore(struct hd_lockstep *ls, uint32_t sw, const struct hd_dut_buffer *buffer,
                        struct hd_error *err)
{
  return ls->params.dut->snapshot_restore(ls->dut, ls->first_switch + sw, buffer, err);
}

int hd_contract_make_two_state(struct hd_lockstep *ls, uint32_t sw, struct hd_error *err)
{
  return ls->params.dut->extension->make_two_state(ls->dut, ls->first_switch + sw, err);
}

int hd_contract_trace_open(struct hd_lockstep *ls, uint32_t sw, const char *path,
                           struct hd_error *err)
{
  return ls->params.dut->extension->trace_open(ls->dut, ls->first_switch + sw, path, err);
}

int hd_contract_create(struct hd_lockstep *ls, struct hd_error *err)
{
  const struct hd_lockstep_params *p = &ls->params;
  hd_contract_enter(ls, "create");
  int status = p->dut->create(&ls->shared->dut, &ls->fabric_params.sw, ls->shared->n_switches,
                              p->dut_options ? p->dut_options : "", err);
  hd_contract_leave(ls);
  status = hd_contract_status(ls, "create", status, err);
  if (status || ls->shared->dut)
    return status;
  return hd_fail(err, HD_E_TOOL,
                 "backend %s breaks its contract (bridge/dut.h): create returned 0 and no DUT",
                 p->dut->name);
}

int hd_contract_counters(struct hd_lockstep *ls, struct hd_dut_counter counters[HD_DUT_COUNTERS],
                         uint32_t *n, struct hd_error *err)
{
  const struct hd_dut_extension *e = ls->dut ? ls->params.dut->extension : NULL;
  *n = 0;
  if (!e || ls->abandoned || !e->counters)
    return HD_OK;
  hd_contract_enter(ls, "counters");
  uint32_t told = e->counters(ls->dut, counters);
  hd_contract_leave(ls);
  bool legal = told <= HD_DUT_COUNTERS;
  for (uint32_t i = 0; legal && i < told; i++)
    legal = counters[i].name[0] && memchr(counters[i].name, 0, sizeof counters[i].name);
  if (!legal)
    return hd_fail(err, HD_E_TOOL,
                   "backend %s breaks its contract (bridge/dut.h): counters returned %u; rule: %d "
                   "counters at most, each with a name that ends",
                   ls->params.dut->name, told, HD_DUT_COUNTERS);
  *n = told;
  return HD_OK;
}

int hd_lockstep_write_coverage(struct hd_lockstep *ls, const char *path, struct hd_error *err)
{
  const struct hd_dut_ops *dut = ls->params.dut;
  if (!dut || ls->abandoned || !(dut->capabilities & HD_DUT_COVERAGE))
    return hd_fail(err, HD_E_UNSUPPORTED,
                   "the DUT has no coverage of its RTL, or no longer answers");
  hd_contract_enter(ls, "coverage_write");
  int status = dut->extension->coverage_write(ls->dut, path, err);
  hd_contract_leave(ls);
  return hd_contract_status(ls, "coverage_write", status, err);
}

int hd_contract_save(struct hd_lockstep *ls, uint32_t sw, struct hd_dut_buffer *buffer,
                     struct hd_error *err)
{
  hd_contract_enter(ls, "snapshot_save");
  int status = ls->params.dut->snapshot_save(ls->dut, ls->first_switch + sw, buffer, err);
  hd_contract_leave(ls);
  status = hd_contract_status(ls, "snapshot_save", status, err);
  if (status || (buffer->length <= buffer->capacity && (buffer->bytes || !buffer->length)))
    return status;
  return hd_fail(err, HD_E_TOOL,
                 "backend %s breaks its contract (bridge/dut.h): switch %u: a snapshot of %zu "
                 "bytes in a buffer of %zu",
                 ls->params.dut->name, sw, buffer->length, buffer->capacity);
}
