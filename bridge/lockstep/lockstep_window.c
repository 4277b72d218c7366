/* Runs one window of the DUT: all switches replay it, and their outputs are compared.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lockstep_internal.h"

#include "../../cmodel/grow.h"

/* Decides whether a switch is evaluated in every cycle of this window, because no proof says
 * that quiescent_o is right. Of eight successive windows it chooses one, a different one for each
 * switch; a window counts as at least CYCLES long. In a run of fewer than eight windows it chooses
 * one of them. Software may end a run in its first window, so there it also chooses one switch. */
static bool checks_quiescence(const struct hd_lockstep *ls, uint32_t sw, uint64_t start)
{
  enum { CYCLES = 256, ONE_IN = 8 };
  uint64_t cycles = ls->read_cycles > CYCLES ? ls->read_cycles : CYCLES;
  uint64_t window = start / cycles, of_run = (ls->limit + cycles - 1) / cycles;
  uint64_t one_in = of_run && of_run < ONE_IN ? of_run : ONE_IN, seed = ls->params.seed;
  if (!ls->params.sample_quiescence)
    return false;
  return (!window && sw == hd_mix64(seed) % ls->n_switches) ||
         hd_mix64(seed + hd_mix64(sw + hd_mix64(window / ONE_IN))) % one_in == window % ONE_IN;
}

/* Fills in a switch's job, with room for the answer in slot `i` of the worker. */
static void ask(struct hd_lockstep *ls, struct worker *w, uint32_t sw, uint32_t i)
{
  const struct hd_record *inputs = ls->stimulus;
  const struct hd_switch_record *r = &inputs->switches[sw];
  const struct hd_switch_record *x = &ls->under_test->record.switches[sw];
  uint32_t cap = (ls->params.window_cycles + 1) * ls->fabric_params.sw.ports;
  bool exact = ls->params.compare == HD_COMPARE_EXACT;
  w->expected[i] = (struct hd_dut_expected){.flits = x->flits_out,
                                            .credits = x->credits_out,
                                            .toggles = x->toggles,
                                            .n_flits = x->n_flits_out,
                                            .n_credits = x->n_credits_out,
                                            .n_toggles = x->n_toggles,
                                            .quiescent = x->quiescent_at_start};
  w->jobs[i] = (struct hd_dut_job){
      .sw = sw,
      .cycles = inputs->cycles,
      .start = inputs->start,
      .flits_in = r->flits_in,
      .credits_in = r->credits_in,
      .configs_in = r->configs_in,
      .n_flits_in = r->n_flits_in,
      .n_credits_in = r->n_credits_in,
      .n_configs_in = r->n_configs_in,
      .flits_out = w->flits + (size_t)i * cap,
      .credits_out = w->credits + (size_t)i * cap,
      .toggles = w->toggles + (size_t)i * (ls->params.window_cycles + 1),
      .cap_flits_out = cap,
      .cap_credits_out = cap,
      .cap_toggles = ls->params.window_cycles + 1,
      .expected = exact ? &w->expected[i] : NULL,
      .every_cycle = checks_quiescence(ls, sw, inputs->start),
      .idle_pins = hd_lockstep_keeps_timing(ls),
      .unknown = ls->params.dut->capabilities & HD_DUT_FOUR_STATE ? &w->unknown[i] : NULL};
}

/* The outputs of the DUT's switch, in the form of struct hd_dut_expected. */
static struct hd_dut_expected shown(const struct hd_dut_job *job)
{
  if (job->agrees)
    return *job->expected;
  return (struct hd_dut_expected){.flits = job->flits_out,
                                  .credits = job->credits_out,
                                  .toggles = job->toggles,
                                  .n_flits = job->n_flits_out,
                                  .n_credits = job->n_credits_out,
                                  .n_toggles = job->n_toggles,
                                  .quiescent = job->quiescent};
}

/* Keeps the flits of a switch with its own timing, for callers that count them. Their packets
 * have no numbers. */
static int keep_shown(struct hd_switch_record *r, const struct hd_dut_expected *s)
{
  size_t tags = r->cap_flits_out;
  if (!HD_ROOM(r->tags_out, tags, 0, s->n_flits) ||
      !HD_ROOM(r->flits_out, r->cap_flits_out, 0, s->n_flits))
    return HD_E_NOMEM;
  for (uint32_t i = 0; i < s->n_flits; i++) {
    r->flits_out[i] = s->flits[i];
    r->tags_out[i] = HD_PACKET_NONE;
  }
  r->n_flits_out = s->n_flits;
  return HD_OK;
}

static void judge(struct hd_lockstep *ls, struct worker *w, const struct hd_dut_job *job)
{
  const struct hd_dut_expected s = shown(job);
  ls->digests[job->sw] += hd_events_digest(s.flits, s.n_flits, s.credits, s.n_credits, job->start);
  w->traffic += s.n_flits + s.n_credits;
  w->events += s.n_flits + s.n_credits + s.n_toggles;
  w->evaluated += job->evaluated_cycles;
  w->sampled += job->every_cycle ? job->cycles : 0;
  w->status = hd_comparators_window(ls, job, &s, &w->first);
  if (ls->params.compare != HD_COMPARE_EXACT && !w->status)
    w->status = keep_shown(&ls->stimulus->switches[job->sw], &s);
  if (ls->loop) {
    pthread_mutex_lock(&ls->loop_lock);
    hd_fabric_put_outputs(ls->loop, job->sw, s.flits, s.n_flits, s.credits, s.n_credits);
    pthread_mutex_unlock(&ls->loop_lock);
  }
}

static void run_batch(void *context, uint32_t task, uint32_t worker)
{
  struct hd_lockstep *ls = ((const struct shared *)context)->tested[0];
  struct worker *w = &ls->workers[worker];
  uint32_t from = task * ls->batch;
  uint32_t to = from + ls->batch < ls->n_switches ? from + ls->batch : ls->n_switches;
  for (uint32_t sw = from; sw < to && !w->status; sw += ls->at_once) {
    uint32_t n = to - sw < ls->at_once ? to - sw : ls->at_once;
    for (uint32_t i = 0; i < n; i++)
      ask(ls, w, sw + i, i);
    w->status = hd_contract_run(ls, worker, w->jobs, w->asked, n, &w->err);
    for (uint32_t i = 0; i < n && !w->status; i++)
      judge(ls, w, &w->jobs[i]);
  }
}

/* Runs all switches of all locksteps, if there is more than one lockstep. */
static void run_together(void *context, uint32_t task, uint32_t worker)
{
  struct shared *shared = context;
  (void)task;
  for (uint32_t i = 0; i < shared->n_tested; i++)
    for (uint32_t sw = 0; sw < shared->tested[i]->n_switches; sw++)
      ask(shared->tested[i], &shared->tested[i]->workers[0], sw, sw);
  hd_contract_run_together(shared, worker);
  for (uint32_t i = 0; i < shared->n_tested; i++) {
    struct hd_lockstep *ls = shared->tested[i];
    struct worker *w = &ls->workers[0];
    for (uint32_t sw = 0; sw < ls->n_switches && !w->status; sw++)
      judge(ls, w, &w->jobs[sw]);
  }
}

static uint32_t n_batches(const struct hd_lockstep *ls)
{
  return (ls->n_switches + ls->batch - 1) / ls->batch;
}

/* Saves the DUT's snapshots for a new epoch. Call it before the threads start, since only `run`
 * may be called from several threads (dut.h). Errors go to the first worker. */
static void save_snapshots(struct hd_lockstep *ls)
{
  struct worker *w = &ls->workers[0];
  for (uint32_t sw = 0; sw < ls->n_switches && !w->status; sw++)
    w->status = hd_contract_save(ls, sw, &ls->epochs[1].switches[sw].dut, &w->err);
}

void hd_lockstep_prepare_test(struct hd_lockstep *ls, struct window *w, struct hd_record *stimulus)
{
  ls->under_test = w;
  ls->stimulus = stimulus;
  for (uint32_t i = 0; i < ls->params.threads; i++)
    ls->workers[i].first.difference = HD_DIFF_NONE;
  if (w->epoch)
    hd_history_turn(ls, w);
  if (w->epoch && ls->params.dut->snapshot_save)
    save_snapshots(ls);
  ls->shared->tested[ls->shared->n_tested++] = ls;
}

void hd_lockstep_begin_test(struct shared *shared)
{
  if (shared->jobs)
    hd_pool_begin(&shared->pool, 1, run_together, shared);
  else
    hd_pool_begin(&shared->pool, n_batches(shared->tested[0]), run_batch, shared);
}

void hd_lockstep_finish_test(struct shared *shared)
{
  for (uint32_t i = 0; i < shared->n_tested; i++)
    hd_contract_unlock(shared->tested[i]);
  hd_pool_finish(&shared->pool);
  for (uint32_t i = 0; i < shared->n_tested; i++)
    hd_contract_lock(shared->tested[i]);
  shared->n_tested = 0;
}

/* Merges the workers' findings after all switches ran the window. */
int hd_lockstep_conclude(struct hd_lockstep *ls, struct hd_error *err)
{
  struct hd_lockstep_result *result = ls->result;
  const struct hd_record *record = &ls->under_test->record;
  struct hd_divergence first = {.difference = HD_DIFF_NONE};
  int status = HD_OK;
  for (uint32_t i = 0; i < ls->params.threads; i++) {
    struct worker *w = &ls->workers[i];
    result->events_compared += w->events;
    result->traffic_compared += w->traffic;
    result->evaluated_cycles += w->evaluated;
    result->sampled_cycles += w->sampled;
    w->events = w->traffic = w->evaluated = w->sampled = 0;
    hd_divergence_keep(&first, &w->first);
    if (w->status && !status) {
      status = w->status;
      if (err)
        *err = w->err;
    }
  }
  if (!status)
    status = hd_history_add(ls, ls->stimulus, record, err);
  if (!status && first.difference == HD_DIFF_NONE)
    status = hd_registers_compare(ls, ls->under_test, &first, err);
  if (status)
    return status;
  hd_rules_add_pending(ls, &first);
  uint32_t agreed = record->cycles;
  if (first.difference != HD_DIFF_NONE) {
    result->divergence = first;
    agreed = (uint32_t)(first.cycle - record->start);
    agreed = agreed ? agreed - 1 : 0;
    if (agreed > record->cycles)
      agreed = record->cycles;
    status = hd_fail(err, HD_E_DIVERGENCE, "cycle %llu, switch %u: %s",
                     (unsigned long long)first.cycle, first.sw,
                     first.difference == HD_DIFF_RULE ? first.broken.what
                     : ls->original                   ? "RTL and original differ"
                                                      : "RTL and model differ");
    hd_four_state_judge(ls);
  }
  result->cycles_compared += agreed;
  result->switch_cycles += (uint64_t)agreed * ls->n_switches;
  if (agreed && ls->params.hooks.window_agreed) {
    struct hd_error own = {""}; /* a divergence keeps its message */
    const struct hd_record *shown_by_dut =
        ls->params.compare == HD_COMPARE_EXACT ? record : ls->stimulus;
    int told = ls->params.hooks.window_agreed(ls->params.hooks.context, shown_by_dut, agreed, &own);
    if (told && !status)
      status = hd_fail(err, told, "%s", own.text);
  }
  return status ? status : hd_rules_check_circle(ls, record, err);
}
