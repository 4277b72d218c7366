/* Lockstep: the run, window by window.
 * SPDX-License-Identifier: Apache-2.0
 *
 * While the DUT's switches replay one window on all threads, the calling thread first runs the
 * model and the software through the next one, then helps. A single thread has the DUT replay a
 * window right after the model ran it, while the window is in the processor's caches, and then
 * reuses its memory. The results are the same.
 */
#include "lockstep_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Skips an idle network to the next cycle in which software acts, but not past `end`.
 * HD_E_DEADLOCK if software never acts again. */
static int skip_idle(struct hd_lockstep *ls, struct hd_fabric *fabric, uint64_t end,
                     struct hd_error *err)
{
  const struct hd_lockstep_hooks *h = &ls->params.hooks;
  uint64_t now = hd_fabric_cycle(fabric);
  if (ls->original || !h->next_cycle || !hd_fabric_idle(fabric) || now == 0)
    return HD_OK; /* something may move inside an original, so no cycle is skipped */
  uint64_t next = h->next_cycle(h->context);
  if (next == UINT64_MAX && ls->params.watchdog_cycles) {
    struct hd_fabric_counters counters;
    hd_fabric_counters(fabric, &counters);
    /* A flit received in the last cycle wakes software in this one. */
    if (now > counters.last_progress + 1)
      return hd_fail(err, HD_E_DEADLOCK,
                     "cycle %llu: the network is empty, but software waits for messages",
                     (unsigned long long)now);
    return HD_OK;
  }
  if (next > end)
    next = end;
  if (next > now)
    hd_fabric_skip(fabric, next - now);
  return HD_OK;
}

/* The fabric that software uses. */
static struct hd_fabric *leader(const struct hd_lockstep *ls)
{
  return ls->loop && ls->params.compare != HD_COMPARE_EXACT ? ls->loop : ls->reference;
}

bool hd_lockstep_is_idle(const struct hd_lockstep *ls)
{
  return hd_fabric_idle(leader(ls)) && (!ls->original || hd_original_is_at_rest(ls));
}

bool hd_lockstep_finished(const struct hd_lockstep *ls)
{
  const struct hd_lockstep_hooks *h = &ls->params.hooks;
  return h->finished && h->finished(h->context) && hd_lockstep_is_idle(ls);
}

bool hd_lockstep_over(const struct hd_lockstep *ls, const struct hd_fabric *fabric)
{
  const struct hd_lockstep_hooks *h = &ls->params.hooks;
  return h->over && h->over(h->context, hd_fabric_cycle(fabric));
}

static int step_reference(struct hd_lockstep *ls, struct window *w, struct hd_error *err)
{
  return ls->original ? hd_original_step(ls, &w->record, err) : hd_fabric_step(ls->reference, err);
}

/* Runs reference and software through a window. Sets w->last if the run ends with it. */
static int run_ahead_of_dut(struct hd_lockstep *ls, struct window *w, struct hd_error *err)
{
  const struct hd_lockstep_hooks *h = &ls->params.hooks;
  struct hd_fabric *reference = ls->reference;
  uint64_t start = hd_fabric_cycle(reference), end = start + ls->params.window_cycles;
  int status = HD_OK;
  if (end > ls->limit)
    end = ls->limit;
  w->last = false;
  if (ls->dut)
    status = hd_history_begin(ls, w, err);
  hd_fabric_record_begin(reference, &w->record);
  while (!status && hd_fabric_cycle(reference) < end) {
    if (hd_lockstep_finished(ls) || hd_lockstep_over(ls, reference)) {
      w->last = true;
      break;
    }
    status = skip_idle(ls, reference, end, err);
    uint64_t cycle = hd_fabric_cycle(reference);
    if (status || cycle == end)
      break;
    if (h->cycle_begin)
      status = h->cycle_begin(h->context, reference, cycle, err);
    if (!status)
      status = step_reference(ls, w, err);
    if (!status && h->cycle_end)
      status = h->cycle_end(h->context, reference, cycle, err);
  }
  int ended = hd_fabric_record_end(reference, status ? NULL : err);
  status = status ? status : ended;
  if (end == ls->limit && hd_fabric_cycle(reference) == end)
    w->last = true;
  if (ls->dut)
    ended = hd_registers_read_reference(ls, w, status ? NULL : err);
  return status ? status : ended;
}

/* Without a DUT, the model's own outputs make up the digest and the traces. */
static int conclude_alone(struct hd_lockstep *ls, const struct window *w, struct hd_error *err)
{
  const struct hd_record *record = &w->record;
  for (uint32_t sw = 0; sw < ls->n_switches; sw++) {
    const struct hd_switch_record *r = &record->switches[sw];
    ls->digests[sw] += hd_events_digest(r->flits_out, r->n_flits_out, r->credits_out,
                                        r->n_credits_out, record->start);
  }
  if (!ls->params.hooks.window_agreed)
    return HD_OK;
  return ls->params.hooks.window_agreed(ls->params.hooks.context, record, record->cycles, err);
}

uint64_t hd_lockstep_held_cycles(const struct hd_lockstep *ls)
{
  return ls->params.held_cycles ? ls->params.held_cycles : HD_HELD_CYCLES;
}

uint64_t hd_lockstep_settle_cycles(const struct hd_lockstep *ls)
{
  const uint64_t held = 2 * hd_lockstep_held_cycles(ls);
  return held > HD_SETTLE_CYCLES ? held : HD_SETTLE_CYCLES;
}

uint64_t hd_lockstep_stall_limit_cycles(const struct hd_lockstep *ls, uint64_t watchdog_cycles)
{
  /* After a flit was sent, nothing more is seen of it until it can be granted. */
  uint64_t patience = watchdog_cycles + ls->longest_link_cycles +
                      hd_switch_grant_stages(&ls->fabric_params.sw) +
                      ls->fabric_params.sw.route_cycles + ls->fabric_params.sw.arb_cycles + 1;
  if (ls->fabric_params.sw.barrier) /* a preempted channel waits until the preemption ends, §7.6 */
    patience += ls->fabric_params.barrier_idle_cycles ? ls->fabric_params.barrier_idle_cycles
                                                      : HD_IDLE_AT_RESET;
  return patience;
}

int hd_lockstep_watch(const struct hd_lockstep *ls, struct hd_error *err)
{
  const struct hd_lockstep_hooks *h = &ls->params.hooks;
  struct hd_fabric *fabric = leader(ls);
  uint64_t now = hd_fabric_cycle(fabric);
  uint64_t patience = hd_lockstep_stall_limit_cycles(ls, ls->params.watchdog_cycles);
  struct hd_fabric_counters c;
  if (h->stop && h->stop(h->context, now))
    return hd_fail(err, HD_E_INTERRUPTED, "interrupted in cycle %llu", (unsigned long long)now);
  if (!ls->params.watchdog_cycles)
    return HD_OK;
  hd_fabric_counters(fabric, &c);
  if (c.packets_sent == c.packets_received + c.packets_lost) {
    /* Decoupled runs find this earlier (skip_idle). */
    bool waits = (ls->loop || ls->original) && hd_fabric_idle(fabric) && h->next_cycle &&
                 h->finished && !h->finished(h->context) && h->next_cycle(h->context) == UINT64_MAX;
    if (waits && now > c.last_progress + patience)
      return hd_fail(err, HD_E_DEADLOCK,
                     "cycle %llu: the network is empty, but software waits for messages",
                     (unsigned long long)now);
    if (c.barriers_sent && !hd_fabric_idle(fabric) && now > c.last_progress + patience)
      return hd_fail(err, HD_E_DEADLOCK,
                     "deadlock: no barrier flit has moved since cycle %llu, now is %llu",
                     (unsigned long long)c.last_progress, (unsigned long long)now);
    return HD_OK;
  }
  if (hd_fabric_idle(fabric) && !ls->original) /* packets inside of an original cannot be seen */
    return HD_OK;
  if (now > c.last_progress + patience)
    return hd_fail(err, HD_E_DEADLOCK, "deadlock: no flit has moved since cycle %llu, now is %llu",
                   (unsigned long long)c.last_progress, (unsigned long long)now);
  /* Flits move, but no packet arrives. A long packet may cause that, but not for ever. */
  if (now > c.last_received + 100 * patience && now > c.oldest_created + 100 * patience)
    return hd_fail(err, HD_E_DEADLOCK,
                   "livelock: no packet was received since cycle %llu, now is %llu",
                   (unsigned long long)c.last_received, (unsigned long long)now);
  return HD_OK;
}

/* Prepares the test of the window that the reference ran ahead. */
static int begin_round(struct hd_lockstep *ls)
{
  struct round *r = &ls->round;
  r->tested = r->ahead;
  r->concluded = false;
  /* A window cut short by an error of model or software is still compared. */
  r->last = r->ahead->last || r->model_status;
  r->ahead = r->last ? NULL : r->tested == &ls->windows[0] ? &ls->windows[1] : &ls->windows[0];
  if (r->model_status == HD_E_NOMEM)
    return r->model_status;
  r->test = ls->dut && r->tested->record.cycles;
  if (r->test)
    hd_lockstep_prepare_test(ls, r->tested, &r->tested->record);
  if (ls->dut)
    hd_history_decide(ls);
  return HD_OK;
}

static void run_ahead(struct hd_lockstep *ls)
{
  struct round *r = &ls->round;
  r->model_err = (struct hd_error){""};
  r->next_status = r->ahead ? run_ahead_of_dut(ls, r->ahead, &r->model_err) : HD_OK;
}

/* After the test. *err is the tested window's error, if it has one. */
static int conclude(struct hd_lockstep *ls, struct hd_error *err)
{
  const struct round *r = &ls->round;
  if (r->test)
    return hd_lockstep_conclude(ls, err);
  return ls->dut ? HD_OK : conclude_alone(ls, r->tested, err);
}

/* Concludes before the model runs ahead. If the test passed, the next window uses the tested
 * window's memory. */
static void conclude_early(struct hd_lockstep *ls)
{
  struct round *r = &ls->round;
  r->tested_err = (struct hd_error){""};
  r->tested_status = conclude(ls, &r->tested_err);
  r->concluded = true;
  if (r->ahead && !r->tested_status)
    r->ahead = r->tested;
}

/* True if the original itself failed in the divergent cycle. Its outputs of that cycle are not
 * complete, so the difference says nothing about the DUT. */
static bool is_fault_of_original(const struct hd_lockstep_result *result, int status)
{
  return status == HD_E_DIVERGENCE && result->original_fault[0] &&
         result->divergence.cycle >= result->original_cycles;
}

/* Called after the window was tested and the next one was run ahead. */
static int end_round(struct hd_lockstep *ls, struct hd_error *err)
{
  struct round *r = &ls->round;
  const int status = r->concluded ? r->tested_status : conclude(ls, err);
  if (r->concluded && status)
    *err = r->tested_err;
  if (is_fault_of_original(ls->result, status)) {
    ls->result->divergence = (struct hd_divergence){.difference = HD_DIFF_NONE};
    return hd_fail(err, r->model_status, "%s", ls->result->original_fault);
  }
  if (status)
    return status;
  if (r->model_status && r->last)
    return r->model_status;
  if (r->next_status)
    *err = r->model_err;
  r->model_status = r->next_status;
  return r->ahead && !r->model_status ? hd_lockstep_watch(ls, err) : HD_OK;
}

static bool goes_on(const struct hd_lockstep_turn *turn)
{
  return !turn->status && turn->lockstep->round.ahead;
}

static void run_decoupled(struct hd_lockstep_turn turns[], uint32_t n)
{
  struct shared *shared = turns[0].lockstep->shared;
  const bool alone = !shared || !shared->pool.n_threads;
  for (uint32_t i = 0; i < n; i++) {
    struct hd_lockstep *ls = turns[i].lockstep;
    ls->round = (struct round){.ahead = &ls->windows[0]};
    if (ls->dut)
      hd_history_decide(ls);
    ls->round.model_status = run_ahead_of_dut(ls, ls->round.ahead, &turns[i].err);
  }
  for (bool some = true; some;) {
    for (uint32_t i = 0; i < n; i++) {
      turns[i].lockstep->round.tested = NULL;
      if (goes_on(&turns[i]))
        turns[i].status = begin_round(turns[i].lockstep);
    }
    const bool test = shared && shared->n_tested;
    if (test)
      hd_lockstep_begin_test(shared);
    if (test && alone)
      hd_lockstep_finish_test(shared);
    for (uint32_t i = 0; i < n; i++) {
      if (!turns[i].lockstep->round.tested || turns[i].status)
        continue;
      if (alone)
        conclude_early(turns[i].lockstep);
      run_ahead(turns[i].lockstep);
    }
    if (test && !alone)
      hd_lockstep_finish_test(shared);
    some = false;
    for (uint32_t i = 0; i < n; i++) {
      if (turns[i].lockstep->round.tested && !turns[i].status)
        turns[i].status = end_round(turns[i].lockstep, &turns[i].err);
      some |= goes_on(&turns[i]);
    }
  }
}

static void sum_up(struct hd_lockstep *ls)
{
  ls->result->cycles = hd_fabric_cycle(hd_lockstep_fabric(ls));
  const uint64_t last = ls->ended < ls->limit ? ls->ended : ls->limit;
  if (ls->result->cycles > last)
    ls->result->drain_cycles = ls->result->cycles - last;
  if (ls->result->cycles > ls->ended)
    ls->result->rest_cycles = ls->result->cycles - ls->ended;
  ls->result->divergence.reference = ls->original ? HD_REFERENCE_ORIGINAL : HD_REFERENCE_MODEL;
  ls->result->ports = hd_port_watch_counts(ls->watch);
  const struct hd_divergence *d = &ls->result->divergence;
  if (d->inside)
    hd_inside_way(ls, &d->broken, ls->result->way, sizeof ls->result->way);
  else if (ls->watch && d->broken.rule != HD_PORT_NONE)
    hd_port_watch_way(ls->watch, &d->broken, ls->result->way, sizeof ls->result->way);
  for (uint32_t sw = 0; sw < ls->n_switches; sw++)
    ls->result->digest += hd_switch_digest(ls->digests[sw], sw);
}

void hd_lockstep_run_together(struct hd_lockstep_turn turns[], uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    struct hd_lockstep *ls = turns[i].lockstep;
    const uint64_t until = ls->params.until;
    *turns[i].result = (struct hd_lockstep_result){.divergence = {.difference = HD_DIFF_NONE}};
    ls->result = turns[i].result;
    ls->limit = until && until < turns[i].cycles ? until : turns[i].cycles;
    ls->ended = UINT64_MAX;
    turns[i].status = HD_OK;
  }
  if (turns[0].lockstep->loop) /* closed loop: such a run is always alone */
    turns[0].status = hd_lockstep_run_closed(turns[0].lockstep, &turns[0].err);
  else
    run_decoupled(turns, n);
  for (uint32_t i = 0; i < n; i++) {
    struct hd_lockstep *ls = turns[i].lockstep;
    struct hd_dut_counter counters[HD_DUT_COUNTERS];
    uint32_t n_counters;
    const bool exact = ls->dut && ls->params.compare == HD_COMPARE_EXACT;
    if (!turns[i].status && exact)
      turns[i].status = hd_registers_end(ls, &turns[i].err);
    if (!turns[i].status && exact)
      turns[i].status = hd_rules_end(ls, &turns[i].err);
    if (!turns[i].status)
      turns[i].status = hd_contract_counters(ls, counters, &n_counters, &turns[i].err);
    sum_up(ls);
  }
}

int hd_lockstep_run(struct hd_lockstep *ls, uint64_t cycles, struct hd_lockstep_result *result,
                    struct hd_error *err)
{
  struct hd_lockstep_turn turn = {.lockstep = ls, .cycles = cycles, .result = result};
  hd_lockstep_run_together(&turn, 1);
  if (turn.status && err)
    *err = turn.err;
  return turn.status;
}

void hd_lockstep_abandon(struct hd_lockstep *ls)
{
  ls->abandoned = true;
  sum_up(ls);
}

void hd_lockstep_interrupt(struct hd_lockstep *ls)
{
  if (ls->original)
    hd_lockstep_interrupt(&ls->original->side);
  const struct hd_dut_extension *e = ls->dut ? ls->params.dut->extension : NULL;
  if (e && e->interrupt)
    e->interrupt(ls->dut);
}

bool hd_lockstep_news(struct hd_lockstep *ls, char *line, size_t size)
{
  const struct hd_dut_ops *dut = ls->params.dut;
  return ls->dut && dut->capabilities & HD_DUT_NEWS && dut->extension->news(ls->dut, line, size);
}

struct hd_fabric *hd_lockstep_fabric(struct hd_lockstep *ls)
{
  return leader(ls);
}

const struct hd_coverage *hd_lockstep_coverage(const struct hd_lockstep *ls)
{
  return hd_fabric_coverage(ls->reference);
}

const uint64_t *hd_lockstep_blocked(const struct hd_lockstep *ls)
{
  return ls->params.compare == HD_COMPARE_EXACT ? hd_fabric_blocked(ls->reference) : NULL;
}

uint32_t hd_lockstep_dut_counters(struct hd_lockstep *ls,
                                  struct hd_dut_counter counters[HD_DUT_COUNTERS])
{
  uint32_t n;
  /* the run has already ended, so a breach of the contract is ignored here */
  hd_contract_counters(ls, counters, &n, NULL);
  return n;
}

/* ── creating and destroying ───────────────────────────────────────────────── */

/* Writes to the DUT, after its reset, the barrier configuration with which hd_fabric_create
 * started the model's switches. */
static int configure_barrier(struct hd_lockstep *ls, struct hd_error *err)
{
  const struct hd_barrier_ways *ways = hd_fabric_barrier_ways(ls->reference);
  uint16_t idle = (uint16_t)ls->fabric_params.barrier_idle_cycles;
  int status = HD_OK;
  for (uint32_t sw = 0; ways && sw < ways->n_switches && !status; sw++) {
    for (uint32_t to = 0; to < ways->n_switches && !status; to++) {
      uint16_t mask = hd_barrier_way(ways, sw, to);
      if (mask)
        status = hd_contract_config_write(ls, sw, HD_CFG_BARRIER_WAY(to), mask, err);
    }
    if (!status)
      status = hd_contract_config_write(ls, sw, HD_CFG_SELF, (uint16_t)sw, err);
    if (!status && idle)
      status = hd_contract_config_write(ls, sw, HD_CFG_IDLE, idle, err);
  }
  return status;
}

/* Writes the table entries that `next` returns to each switch. */
static int write_tables(struct hd_lockstep *ls,
                        bool (*next)(struct hd_table_writes *walk, struct hd_config_event *write),
                        struct hd_error *err)
{
  const struct hd_tables *t = ls->params.tables;
  int status = HD_OK;
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    struct hd_table_writes walk = {.tables = t, .sw = sw};
    struct hd_config_event write;
    while (!status && next(&walk, &write))
      status = hd_contract_config_write(ls, sw, write.addr, write.data, err);
  }
  return status;
}

/* Resets and configures the DUT for all locksteps, since a reset resets all switches. The routing
 * tables are written first, because a run begins with a reset after that (§2.9). Other registers
 * are written after the last reset, which clears them. */
static int configure(struct hd_lockstep *locksteps[], uint32_t n, struct hd_error *err)
{
  const struct hd_dut_ops *ops = locksteps[0]->params.dut;
  struct hd_dut *dut = locksteps[0]->dut;
  int status = ops->reset(dut, err);
  for (uint32_t i = 0; i < n && !status; i++)
    status = write_tables(locksteps[i], hd_table_writes_next, err);
  for (uint32_t i = 0; i < n && !status; i++)
    status = hd_lockstep_use(locksteps[i], err);
  if (!status)
    status = ops->reset(dut, err);
  for (uint32_t i = 0; i < n && !status; i++)
    status = write_tables(locksteps[i], hd_adapt_writes_next, err);
  for (uint32_t i = 0; i < n && !status; i++)
    status = configure_barrier(locksteps[i], err);
  return status;
}

int hd_lockstep_workers_start(struct hd_lockstep *ls, bool all, struct hd_error *err)
{
  uint32_t share = ls->n_switches / (ls->params.threads * 8);
  ls->batch = all || ls->params.threads == 1 ? ls->n_switches : share ? share : 1;
  /* without HD_DUT_BATCH: one switch at a time, whose window stays in the cache */
  ls->at_once = all ? ls->n_switches : 1;
  size_t events = (size_t)ls->at_once * (ls->params.window_cycles + 1) * ls->fabric_params.sw.ports;
  size_t toggles = (size_t)ls->at_once * (ls->params.window_cycles + 1);
  ls->workers = calloc(ls->params.threads, sizeof *ls->workers);
  if (!ls->workers)
    return hd_fail(err, HD_E_NOMEM, "no memory for %u threads", ls->params.threads);
  for (uint32_t i = 0; i < ls->params.threads; i++) {
    struct worker *w = &ls->workers[i];
    w->jobs = calloc(ls->at_once, sizeof *w->jobs);
    w->asked = calloc(ls->at_once, sizeof *w->asked);
    w->expected = calloc(ls->at_once, sizeof *w->expected);
    w->unknown = calloc(ls->at_once, sizeof *w->unknown);
    w->flits = malloc(events * sizeof *w->flits);
    w->credits = malloc(events * sizeof *w->credits);
    w->toggles = malloc(toggles * sizeof *w->toggles);
    if (!w->jobs || !w->asked || !w->expected || !w->unknown || !w->flits || !w->credits ||
        !w->toggles)
      return hd_fail(err, HD_E_NOMEM, "no memory for a window of %u cycles of %u switches",
                     ls->params.window_cycles, ls->at_once);
  }
  return HD_OK;
}

int hd_lockstep_share_dut(struct hd_lockstep *locksteps[], uint32_t n, uint32_t threads,
                          struct hd_error *err)
{
  struct hd_lockstep *ls = locksteps[0];
  const struct hd_lockstep_params *p = &ls->params;
  if (p->dut->abi != HD_DUT_ABI)
    return hd_fail(err, HD_E_INPUT, "backend %s was built for contract %u, this is %u",
                   p->dut->name, p->dut->abi, HD_DUT_ABI);
  struct shared *shared = calloc(1, sizeof *shared);
  if (!shared)
    return hd_fail(err, HD_E_NOMEM, "no memory for a lockstep");
  shared->users = n;
  for (uint32_t i = 0; i < n; i++) {
    locksteps[i]->shared = shared;
    locksteps[i]->first_switch = shared->n_switches;
    shared->n_switches += locksteps[i]->n_switches;
  }
  shared->tested = calloc(n, sizeof(struct hd_lockstep *));
  if (n > 1) {
    shared->jobs = calloc(shared->n_switches, sizeof *shared->jobs);
    shared->asked = calloc(shared->n_switches, sizeof *shared->asked);
  }
  if (!shared->tested || (n > 1 && (!shared->jobs || !shared->asked)))
    return hd_fail(err, HD_E_NOMEM, "no memory for jobs of %u switches", shared->n_switches);
  int status = hd_contract_create(ls, err);
  for (uint32_t i = 0; i < n; i++)
    locksteps[i]->dut = shared->dut;
  if (status)
    return status;
  hd_contract_enter(ls, "reset or config_write");
  status = configure(locksteps, n, err);
  hd_contract_leave(ls);
  status = hd_contract_status(ls, "reset or config_write", status, err);
  return status ? status : hd_pool_start(&shared->pool, threads, err);
}

/* Allocates what one lockstep needs to test the DUT: history, workers, comparisons. */
static int start_test(struct hd_lockstep *ls, struct hd_error *err)
{
  const struct hd_lockstep_params *p = &ls->params;
  int status = HD_OK;
  if (hd_history_init(ls))
    status = hd_fail(err, HD_E_NOMEM, "no memory for the history of %u switches", ls->n_switches);
  if (!status)
    status = hd_lockstep_workers_start(ls, p->dut->capabilities & HD_DUT_BATCH, err);
  if (!status && p->mode == HD_MODE_CLOSED) {
    struct hd_fabric_params loop = ls->fabric_params;
    loop.external_switches = true;
    status = hd_fabric_create(&ls->loop, &loop, p->topology, p->tables, err);
    if (!status && hd_record_init(&ls->loop_record, ls->n_switches))
      status = hd_fail(err, HD_E_NOMEM, "no memory for records");
  }
  return status ? status : hd_comparators_start(ls, err);
}

static int check_params(const struct hd_lockstep_params *params, uint32_t n, struct hd_error *err)
{
  if (params->compare != HD_COMPARE_EXACT && params->mode != HD_MODE_CLOSED)
    return hd_fail(err, HD_E_INPUT,
                   "comparison by order or packets needs closed loop (run.mode: closed)");
  if (params->is_network && !params->original &&
      (!params->dut || params->compare != HD_COMPARE_PACKETS))
    return hd_fail(err, HD_E_INPUT,
                   "a whole network (fabric.inside) has no model: it needs a DUT, and run.compare: "
                   "packets");
  if (params->original && (!params->dut || params->mode == HD_MODE_CLOSED))
    return hd_fail(err, HD_E_INPUT,
                   "the original runs in closed loop; the DUT that is compared with it cannot");
  if (!params->window_cycles || params->window_cycles > 4096)
    return hd_fail(err, HD_E_INPUT, "window_cycles is %u, must be 1 to 4096",
                   params->window_cycles);
  if (!params->threads || params->threads > HD_USER_THREADS)
    return hd_fail(err, HD_E_INPUT, "threads is %u, must be 1 to 64", params->threads);
  assert(n == 1 || (params->mode == HD_MODE_DECOUPLED && params->dut &&
                    params->dut->capabilities & HD_DUT_BATCH));
  (void)n;
  return HD_OK;
}

/* Creates the reference's side. */
static int create_reference(struct hd_lockstep **lockstep, const struct hd_lockstep_params *params,
                            struct hd_error *err)
{
  struct hd_lockstep *ls = *lockstep = calloc(1, sizeof *ls);
  if (!ls)
    return hd_fail(err, HD_E_NOMEM, "no memory for a lockstep");
  pthread_mutex_init(&ls->loop_lock, NULL);
  ls->params = *params;
  ls->fabric_params = *params->fabric;
  ls->fabric_params.external_switches = !hd_lockstep_has_model(ls);
  ls->fabric_params.coverage = params->coverage;
  ls->params.fabric = &ls->fabric_params;
  ls->read_cycles = params->window_cycles;
  if (params->mode == HD_MODE_CLOSED && params->dut)
    ls->params.window_cycles = 1;
  ls->n_switches = params->topology->n_switches;
  ls->longest_link_cycles = hd_topology_longest_link(params->topology, params->fabric->link_cycles);
  ls->block_size = hd_lockstep_has_model(ls) ? hd_switch_size(&ls->fabric_params.sw) : 0;
  ls->digests = calloc(ls->n_switches, sizeof *ls->digests);
  ls->written = calloc(ls->n_switches, sizeof *ls->written);
  if (!ls->digests || !ls->written || hd_record_init(&ls->windows[0].record, ls->n_switches) ||
      hd_record_init(&ls->windows[1].record, ls->n_switches))
    return hd_fail(err, HD_E_NOMEM, "no memory for records of %u switches", ls->n_switches);
  int status =
      hd_fabric_create(&ls->reference, &ls->fabric_params, params->topology, params->tables, err);
  return status || !params->original ? status : hd_original_create(ls, err);
}

int hd_lockstep_create_together(struct hd_lockstep *locksteps[],
                                const struct hd_lockstep_params params[], uint32_t n,
                                struct hd_error *err)
{
  int status = HD_OK;
  for (uint32_t i = 0; i < n; i++)
    locksteps[i] = NULL;
  for (uint32_t i = 0; i < n && !status; i++) {
    status = check_params(&params[i], n, err);
    if (!status)
      status = create_reference(&locksteps[i], &params[i], err);
    if (!status && n > 1)
      locksteps[i]->params.threads =
          1; /* one task tests the windows of all runs (run_together), with their first workers */
  }
  if (!status && params[0].dut)
    status = hd_lockstep_share_dut(locksteps, n, params[0].threads, err);
  for (uint32_t i = 0; i < n && !status && params[0].dut; i++)
    status = start_test(locksteps[i], err);
  for (uint32_t i = 0; i < n && status; i++) {
    hd_lockstep_destroy(locksteps[i]);
    locksteps[i] = NULL;
  }
  return status;
}

int hd_lockstep_create(struct hd_lockstep **lockstep, const struct hd_lockstep_params *params,
                       struct hd_error *err)
{
  return hd_lockstep_create_together(lockstep, params, 1, err);
}

void hd_lockstep_release_dut(struct hd_lockstep *ls)
{
  struct shared *shared = ls->shared;
  if (!shared || --shared->users)
    return;
  hd_pool_stop(&shared->pool);
  if (shared->dut) {
    hd_contract_enter(ls, "destroy");
    ls->params.dut->destroy(shared->dut);
    hd_contract_leave(ls);
  }
  free(shared->jobs);
  free(shared->asked);
  free(shared->tested);
  free(shared);
}

void hd_lockstep_workers_stop(struct hd_lockstep *ls)
{
  for (uint32_t i = 0; ls->workers && i < ls->params.threads; i++) {
    struct worker *w = &ls->workers[i];
    free(w->jobs);
    free(w->asked);
    free(w->expected);
    free(w->unknown);
    free(w->flits);
    free(w->credits);
    free(w->toggles);
  }
  free(ls->workers);
}

void hd_lockstep_destroy(struct hd_lockstep *ls)
{
  if (!ls)
    return;
  hd_lockstep_workers_stop(ls);
  hd_lockstep_release_dut(ls);
  hd_original_destroy(ls);
  hd_history_fini(ls);
  hd_comparators_stop(ls);
  hd_fabric_destroy(ls->reference);
  hd_fabric_destroy(ls->loop);
  hd_record_fini(&ls->loop_record);
  hd_record_fini(&ls->windows[0].record);
  hd_record_fini(&ls->windows[1].record);
  pthread_mutex_destroy(&ls->loop_lock);
  free(ls->digests);
  free(ls->written);
  free(ls);
}
