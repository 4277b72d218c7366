/* Closed loop: a window is one cycle, and what the DUT shows is what its neighbours get.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lockstep_state.h"

/* Flits inside a DUT with a timing of its own are out of sight. No switch keeps one that long
 * while nothing else moves and nothing is in its way. */
enum { SETTLE_CYCLES = 1000 };

/* Nothing moves outside of the DUT, and nothing in it will come out any more. */
static bool at_rest(const struct hd_lockstep *ls)
{
  struct hd_fabric_counters c;
  if (!hd_fabric_idle(ls->model) || !hd_fabric_idle(ls->loop))
    return false;
  if (hd_fabric_oldest_packet(ls->loop) == HD_PACKET_NONE &&
      !hd_messages_rest(ls, HD_BOTH_SIDES, 0, NULL))
    return true;
  hd_fabric_counters(ls->loop, &c);
  return hd_fabric_cycle(ls->loop) > c.last_progress + SETTLE_CYCLES;
}

/* True when the run ends before this cycle. A packet or a barrier message that is lost ends it, too:
 * software may wait for it for ever. */
static bool is_last(const struct hd_lockstep *ls, const struct hd_fabric *leader)
{
  if (hd_fabric_cycle(leader) >= ls->limit)
    return true;
  if (ls->params.compare == HD_COMPARE_EXACT)
    return hd_lockstep_finished(ls, leader) && hd_fabric_idle(ls->loop);
  return at_rest(ls) &&
         (hd_lockstep_finished(ls, leader) || hd_fabric_oldest_packet(ls->loop) != HD_PACKET_NONE ||
          hd_messages_rest(ls, HD_BOTH_SIDES, 0, NULL));
}

/* Hands the packets that one fabric was given in this cycle to the other, too. */
static int mirror(const struct hd_fabric *from, struct hd_fabric *to, uint64_t sent,
                  struct hd_error *err)
{
  struct hd_fabric_counters counters;
  hd_fabric_counters(from, &counters);
  for (uint64_t i = sent; i < counters.packets_sent; i++) {
    struct hd_packet packet;
    uint64_t created;
    uint32_t number;
    if (hd_fabric_packet(from, (uint32_t)i, &packet, &created))
      return hd_fail(err, HD_E_INTERNAL, "packet %llu is gone before it was sent",
                     (unsigned long long)i);
    int status = hd_fabric_send(to, &packet, &number, err);
    if (status)
      return status;
  }
  return HD_OK;
}

/* One cycle in closed loop: model and DUT side by side, software on the model's side when the
 * comparison is exact (they are the same until they differ), otherwise on the DUT's. */
static int run_closed_cycle(struct hd_lockstep *ls, struct window *w, struct hd_error *err)
{
  const struct hd_lockstep_hooks *h = &ls->params.hooks;
  bool exact = ls->params.compare == HD_COMPARE_EXACT;
  struct hd_fabric *leader = exact ? ls->model : ls->loop;
  struct hd_fabric *other = exact ? ls->loop : ls->model;
  uint64_t cycle = hd_fabric_cycle(leader);
  struct hd_fabric_counters before;
  int status = HD_OK;
  w->last = is_last(ls, leader);
  if (w->last)
    return HD_OK;
  hd_fabric_counters(leader, &before);
  if (h->cycle_begin)
    status = h->cycle_begin(h->context, leader, cycle, err);
  if (!status)
    status = mirror(leader, other, before.packets_sent, err);
  if (!status)
    status = hd_fabric_mirror(leader, other, err);
  if (status)
    return status;
  hd_history_begin(ls, w);
  hd_fabric_record_begin(ls->model, &w->record);
  hd_fabric_record_begin(ls->loop, &ls->loop_record);
  status = hd_fabric_step(ls->model, err);
  int ended = hd_fabric_record_end(ls->model, err);
  status = status ? status : ended;
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
  if (!status && hd_messages_add(ls, cycle))
    status = hd_fail(err, HD_E_NOMEM, "no memory to compare messages");
  if (!status && h->cycle_end)
    status = h->cycle_end(h->context, exact ? ls->model : ls->loop, cycle, err);
  if (!status && !exact && h->model_cycle_end)
    status = h->model_cycle_end(h->context, ls->model, cycle, err);
  /* Software cannot have asked for what it refuses: the DUT made it up. */
  if (status == HD_E_INPUT && hd_messages_rest(ls, HD_DUT_SIDE, cycle, &ls->workers[0].first))
    status = HD_OK;
  return status;
}

/* Packets that the DUT's fabric received, but that nobody sent so (§6.2, packets). */
static int check_deliveries(struct hd_lockstep *ls, uint64_t cycle)
{
  uint32_t n;
  const struct hd_delivery *d = hd_fabric_deliveries(ls->loop, &n);
  if (ls->params.compare == HD_COMPARE_EXACT)
    return HD_OK;
  for (uint32_t i = 0; i < n; i++) {
    if (d[i].intact)
      continue;
    struct hd_peer at = ls->params.topology->node_peers[d[i].node];
    struct hd_divergence bad = {.difference = HD_DIFF_PACKET,
                                .cycle = cycle,
                                .sw = at.index,
                                .port = at.port,
                                .packet = d[i].number,
                                .has_got = true,
                                .got = {.data = d[i].words[0], .port = at.port}};
    if (hd_divergence_before(&bad, &ls->workers[0].first))
      ls->workers[0].first = bad;
  }
  return HD_OK;
}

/* At rest, what only one side has shown was lost by the other. Of a run that is cut off before
 * that nobody knows what was still to come. */
static int check_rest(struct hd_lockstep *ls, struct hd_error *err)
{
  struct hd_divergence *d = &ls->result->divergence;
  struct hd_packet packet;
  uint64_t created;
  uint32_t lost = hd_fabric_oldest_packet(ls->loop);
  if (ls->params.compare == HD_COMPARE_EXACT || !at_rest(ls))
    return HD_OK;
  if (ls->order)
    hd_order_rest(ls->order, HD_BOTH_SIDES, 0, d);
  if (d->difference == HD_DIFF_NONE)
    hd_messages_rest(ls, HD_BOTH_SIDES, 0, d);
  if (d->difference == HD_DIFF_NONE && lost != HD_PACKET_NONE) {
    hd_fabric_packet(ls->loop, lost, &packet, &created);
    struct hd_peer at = ls->params.topology->node_peers[packet.destination];
    *d = (struct hd_divergence){
        .difference = HD_DIFF_PACKET,
        .cycle = hd_fabric_cycle(ls->loop),
        .sw = at.index,
        .port = at.port,
        .packet = lost,
        .has_expected = true,
        .expected = {.data = packet.header,
                     .port = at.port,
                     .kind = packet.flits == 1 ? HD_KIND_HEAD | HD_KIND_TAIL : HD_KIND_HEAD}};
  }
  if (d->difference == HD_DIFF_NONE)
    return HD_OK;
  return hd_fail(err, HD_E_DIVERGENCE, "at the end of the run, switch %u: %s", d->sw,
                 d->difference == HD_DIFF_PACKET ? "a packet was never received"
                 : d->difference == HD_DIFF_BARRIER
                     ? "a node did not receive the same barrier messages"
                     : "DUT and model did not show the same flits");
}

int hd_lockstep_run_closed(struct hd_lockstep *ls, struct hd_error *err)
{
  struct window *w = &ls->windows[0];
  for (;;) {
    struct hd_fabric *leader = ls->params.compare == HD_COMPARE_EXACT ? ls->model : ls->loop;
    uint64_t cycle = hd_fabric_cycle(leader);
    int status = run_closed_cycle(ls, w, err);
    if (status || w->last)
      return status ? status : check_rest(ls, err);
    hd_lockstep_begin_test(ls, w, &ls->loop_record);
    hd_lockstep_finish_test(ls);
    status = end_closed_cycle(ls, cycle, err);
    for (uint32_t sw = 0; ls->order && !status && sw < ls->n_switches; sw++)
      status = hd_order_add(ls->order, 0, sw, w->record.switches[sw].flits_out,
                            w->record.switches[sw].tags_out, w->record.switches[sw].n_flits_out,
                            cycle, &ls->workers[0].first);
    if (!status)
      status = check_deliveries(ls, cycle);
    if (!status)
      status = hd_lockstep_conclude(ls, err);
    if (!status && cycle % 256 == 255)
      status = hd_lockstep_watch(ls, err);
    if (status)
      return status;
  }
}
