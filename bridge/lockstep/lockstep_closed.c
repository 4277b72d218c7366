/* Closed loop: a window is one cycle, and the DUT's outputs become its neighbours' inputs.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lockstep_internal.h"

/* If all packets have arrived, the run waits for COPY_HELD times run.held_cycles: a wrong DUT may
 * still send a copy of a packet. */
enum { COPY_HELD = 4 };

/* True if a node has received something on only one of `sides`. */
static bool received_apart(const struct hd_lockstep *ls, unsigned sides)
{
  return hd_comparators_rest(ls, HD_REST_NODES, sides, 0, NULL);
}

/* True if nothing moves in the model's fabric and in the fabric around the DUT. */
static bool is_idle(const struct hd_lockstep *ls)
{
  return hd_fabric_idle(ls->reference) && hd_fabric_idle(ls->loop);
}

/* True if every sent packet has arrived and the DUT holds nothing. */
static bool all_arrived(const struct hd_lockstep *ls)
{
  return is_idle(ls) && hd_fabric_oldest_packet(ls->loop) == HD_PACKET_NONE &&
         !received_apart(ls, HD_BOTH_SIDES) &&
         !(ls->watch && hd_port_watch_end(ls->watch, hd_fabric_cycle(ls->loop), NULL));
}

/* True if nothing has moved for so long that nothing will leave the DUT any more, not even a
 * copy of a packet. */
static bool at_rest(const struct hd_lockstep *ls)
{
  struct hd_fabric_counters c;
  if (!is_idle(ls))
    return false;
  hd_fabric_counters(ls->loop, &c);
  return hd_fabric_cycle(ls->loop) >
         c.last_progress + (all_arrived(ls) ? COPY_HELD * hd_lockstep_held_cycles(ls)
                                            : hd_lockstep_settle_cycles(ls));
}

/* True if software has had its cycles. The run then only waits for packets under way (§6.2). */
static bool drains(const struct hd_lockstep *ls)
{
  return ls->params.compare != HD_COMPARE_EXACT && hd_fabric_cycle(ls->loop) >= ls->limit;
}

static uint64_t later(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* True if packets that have not arrived never will: for too long no flit has moved on either
 * side, or flits moved but no packet arrived. */
static bool stalled(const struct hd_lockstep *ls)
{
  if (all_arrived(ls))
    return false;
  struct hd_fabric_counters dut, model;
  uint64_t watchdog = ls->params.watchdog_cycles, now = hd_fabric_cycle(ls->loop);
  uint64_t patience = hd_lockstep_stall_limit_cycles(ls, watchdog ? watchdog : HD_SETTLE_CYCLES);
  hd_fabric_counters(ls->loop, &dut);
  hd_fabric_counters(ls->reference, &model);
  return now > later(dut.last_progress, model.last_progress) + patience ||
         now > later(later(dut.last_received, model.last_received), ls->limit) + 100 * patience;
}

/* True if the run ends before this cycle. A lost packet or barrier message ends it, too, since
 * software may wait for it for ever. */
static bool is_last(struct hd_lockstep *ls, const struct hd_fabric *leader)
{
  if (ls->params.compare == HD_COMPARE_EXACT)
    return hd_fabric_cycle(leader) >= ls->limit || hd_lockstep_over(ls, leader) ||
           (hd_lockstep_finished(ls) && hd_fabric_idle(ls->loop));
  if (!all_arrived(ls) || !(drains(ls) || hd_lockstep_finished(ls)))
    ls->ended = UINT64_MAX;
  else if (ls->ended == UINT64_MAX)
    ls->ended = hd_fabric_cycle(leader);
  if (ls->params.until && hd_fabric_cycle(leader) >= ls->params.until)
    return true;
  if (drains(ls))
    return at_rest(ls) || stalled(ls);
  return at_rest(ls) &&
         (hd_lockstep_finished(ls) || hd_fabric_oldest_packet(ls->loop) != HD_PACKET_NONE ||
          received_apart(ls, HD_BOTH_SIDES));
}

/* Gives the packets that software sent in fabric `from` in this cycle to fabric `to`, too. `next`
 * is the first one's number. */
static int mirror(const struct hd_fabric *from, struct hd_fabric *to, uint32_t next,
                  struct hd_error *err)
{
  for (uint32_t i = next; i < hd_fabric_next_packet(from); i++) {
    struct hd_packet packet;
    uint64_t created;
    uint32_t number;
    if (hd_fabric_packet(from, i, &packet, &created))
      return hd_fail(err, HD_E_INTERNAL, "packet %u is gone before it was sent", i);
    int status = hd_fabric_send(to, &packet, &number, err);
    if (status)
      return status;
  }
  return HD_OK;
}

/* Begins a cycle in closed loop: runs software and the model, and gathers the DUT's inputs. In
 * exact comparison software uses the model's fabric, because both are equal until they differ;
 * otherwise it uses the DUT's. */
static int run_closed_cycle(struct hd_lockstep *ls, struct window *w, struct hd_error *err)
{
  const struct hd_lockstep_hooks *h = &ls->params.hooks;
  bool exact = ls->params.compare == HD_COMPARE_EXACT;
  struct hd_fabric *leader = exact ? ls->reference : ls->loop;
  struct hd_fabric *other = exact ? ls->loop : ls->reference;
  uint64_t cycle = hd_fabric_cycle(leader);
  int status = HD_OK;
  w->last = is_last(ls, leader);
  if (w->last)
    return HD_OK;
  const uint32_t next = hd_fabric_next_packet(leader);
  if (h->cycle_begin && !drains(ls))
    status = h->cycle_begin(h->context, leader, cycle, err);
  if (!status && hd_lockstep_has_model(ls))
    status = mirror(leader, other, next, err);
  if (!status && hd_lockstep_has_model(ls))
    status = hd_fabric_mirror(leader, other, err);
  if (status)
    return status;
  hd_history_decide(ls);
  status = hd_history_begin(ls, w, err);
  if (status)
    return status;
  hd_fabric_record_begin(ls->reference, &w->record);
  hd_fabric_record_begin(ls->loop, &ls->loop_record);
  if (hd_lockstep_has_model(ls))
    status = hd_fabric_step(ls->reference, err);
  else
    hd_fabric_skip(ls->reference, 1);
  int ended = hd_fabric_record_end(ls->reference, err);
  status = status ? status : ended;
  if (!status)
    status = hd_registers_read_reference(ls, w, err);
  if (!status)
    status = hd_fabric_step_inputs(ls->loop, err);
  ls->loop_record.cycles = 1;
  return status;
}

static int end_closed_cycle(struct hd_lockstep *ls, uint64_t cycle, struct hd_error *err)
{
  const struct hd_lockstep_hooks *h = &ls->params.hooks;
  bool exact = ls->params.compare == HD_COMPARE_EXACT;
  hd_fabric_step_done(ls->loop);
  int status = hd_fabric_record_end(ls->loop, err);
  if (!status && hd_comparators_cycle(ls, cycle, &ls->workers[0].first))
    status = hd_fail(err, HD_E_NOMEM, "no memory to compare what model and DUT show");
  if (!status && h->cycle_end)
    status = h->cycle_end(h->context, exact ? ls->reference : ls->loop, cycle, err);
  if (!status && !exact && hd_lockstep_has_model(ls) && h->model_cycle_end)
    status = h->model_cycle_end(h->context, ls->reference, cycle, err);
  /* Software refused an arrival as an input error. It never asked for that packet, so the DUT
   * made it up: report a difference. */
  if (status == HD_E_INPUT &&
      hd_comparators_rest(ls, HD_REST_NODES, HD_DUT_SIDE, cycle, &ls->workers[0].first))
    status = HD_OK;
  return status;
}

/* Puts the first flit, message or packet that only one of `sides` has shown into the result, or a
 * broken rule that explains it. HD_OK: there is none. */
static int find_missing(struct hd_lockstep *ls, unsigned sides, struct hd_error *err)
{
  struct hd_divergence *d = &ls->result->divergence;
  if (at_rest(ls) && hd_rules_end(ls, err)) /* the rule names the switch */
    return HD_E_DIVERGENCE;
  if (!hd_comparators_rest(ls, HD_REST_ANYWHERE, sides, 0, d))
    return HD_OK;
  return hd_fail(err, HD_E_DIVERGENCE, "in cycle %llu, switch %u: %s",
                 (unsigned long long)hd_fabric_cycle(ls->loop), d->sw,
                 d->difference == HD_DIFF_LOST ? "a packet was never received"
                 : d->difference == HD_DIFF_BARRIER
                     ? "a node did not receive the same barrier messages"
                 : d->difference == HD_DIFF_PACKET
                     ? "a node did not receive the same packets from its switch's coder"
                     : "DUT and model did not show the same flits");
}

/* Judges a DUT in which nothing moves any more. The model got the same packets at the same
 * times. So a packet that only the model delivered is missing. Returns HD_E_DEADLOCK, with the
 * caller's *err, if the model is stuck, too. */
static int judge_stuck(struct hd_lockstep *ls, struct hd_error *err)
{
  struct hd_packet packet;
  uint64_t created;
  uint32_t oldest = hd_fabric_oldest_packet(ls->loop);
  bool only_dut =
      oldest != HD_PACKET_NONE && hd_fabric_packet(ls->reference, oldest, &packet, &created);
  if (hd_fabric_idle(ls->reference))
    only_dut |= received_apart(ls, HD_MODEL_SIDE);
  return only_dut ? find_missing(ls, HD_MODEL_SIDE, err) : HD_E_DEADLOCK;
}

/* At the end of a run that compares order or packets: reports what only one side has delivered. */
static int check_rest(struct hd_lockstep *ls, struct hd_error *err)
{
  struct hd_fabric_counters c;
  if (ls->params.compare == HD_COMPARE_EXACT)
    return HD_OK;
  if (at_rest(ls))
    return find_missing(ls, HD_BOTH_SIDES, err);
  if (!stalled(ls)) /* the run ends here as planned, drained or not */
    return HD_OK;
  hd_fabric_counters(ls->loop, &c);
  hd_fail(err, HD_E_DEADLOCK,
          "what is under way in cycle %llu does not come, in model and DUT; the last flit of the "
          "DUT's fabric moved in cycle %llu",
          (unsigned long long)hd_fabric_cycle(ls->loop), (unsigned long long)c.last_progress);
  return judge_stuck(ls, err);
}

int hd_lockstep_run_closed(struct hd_lockstep *ls, struct hd_error *err)
{
  struct window *w = &ls->windows[0];
  for (;;) {
    struct hd_fabric *leader = ls->params.compare == HD_COMPARE_EXACT ? ls->reference : ls->loop;
    uint64_t cycle = hd_fabric_cycle(leader);
    int status = run_closed_cycle(ls, w, err);
    if (status || w->last)
      return status ? status : check_rest(ls, err);
    hd_lockstep_prepare_test(ls, w, &ls->loop_record);
    hd_lockstep_begin_test(ls->shared);
    hd_lockstep_finish_test(ls->shared);
    status = end_closed_cycle(ls, cycle, err);
    if (!status)
      status = hd_lockstep_conclude(ls, err);
    if (!status && cycle % 256 == 255)
      status = hd_lockstep_watch(ls, err);
    if (status == HD_E_DEADLOCK && ls->params.compare != HD_COMPARE_EXACT &&
        !ls->result->circle[0]) /* rule P16 has already named the cause */
      status = judge_stuck(ls, err);
    if (status)
      return status;
  }
}
