/* Rules at ports as a comparison: they check the DUT's outputs and need no reference (specification §6.7).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lockstep_internal.h"

#include <string.h>

struct hd_divergence hd_rules_divergence(const struct hd_port_break *broken)
{
  return (struct hd_divergence){.difference = HD_DIFF_RULE,
                                .cycle = broken->cycle,
                                .sw = broken->sw,
                                .port = broken->port,
                                .vc = broken->vc,
                                .has_got = broken->has_flit,
                                .expected = {.kind = 0xff},
                                .got = broken->has_flit ? broken->flit
                                                        : (struct hd_flit_event){.kind = 0xff},
                                .packet = HD_PACKET_NONE,
                                .broken = *broken};
}

static bool are_wanted(const struct hd_lockstep *ls)
{
  return ls->params.rules;
}

/* The route of packets for the watch, from the fabric's rule and not from the switches'
 * registers. */
static uint16_t route_by_rule(const void *tables, bool from, uint32_t sw, uint32_t port,
                              uint32_t node)
{
  return (from ? hd_routing_from : hd_routing_to)(tables, sw, port, node);
}

static int watch_ports(struct hd_lockstep *ls, struct hd_error *err)
{
  const struct hd_lockstep_params *p = &ls->params;
  const struct hd_tables *tables = p->tables;
  struct hd_port_watch_params watch = {.sw = ls->fabric_params.sw,
                                       .n_switches = ls->n_switches,
                                       .peers = p->topology->peers,
                                       .senders = p->topology->senders,
                                       .order = p->order,
                                       .routes = p->routes,
                                       .n_dims = p->topology->n_dims,
                                       .networks = hd_routing_networks(tables),
                                       .is_network = p->is_network,
                                       .held_cycles = p->held_cycles};
  struct hd_config_event write;
  if (tables->computes) {
    watch.computed = route_by_rule;
    watch.computed_context = tables;
  }
  const bool choose =
      !p->is_network && (p->routes == HD_ROUTES_MINIMAL || p->routes == HD_ROUTES_ANY ||
                         (p->routes == HD_ROUTES_TABLE && tables->sets));
  memcpy(watch.dims, p->topology->dims, watch.n_dims * sizeof *watch.dims);
  if (hd_lockstep_keeps_timing(ls)) /* §2.5 promises no bound for packets that wait for channels */
    watch.starved_heads = UINT32_MAX;
  if (p->order == HD_ORDER_USUAL && !hd_lockstep_keeps_timing(ls))
    watch.order = choose ? HD_ORDER_NONE : HD_ORDER_FLOWS;
  const int status = hd_port_watch_create(&ls->watch, &watch, err);
  for (uint32_t sw = 0; !status && sw < ls->n_switches; sw++) {
    for (struct hd_table_writes walk = {.tables = tables, .sw = sw};
         hd_table_writes_next(&walk, &write);)
      hd_port_watch_config(ls->watch, sw, write.addr, write.data);
    for (struct hd_table_writes walk = {.tables = tables, .sw = sw};
         hd_adapt_writes_next(&walk, &write);)
      hd_port_watch_config(ls->watch, sw, write.addr, write.data);
  }
  return status;
}

static void stop(struct hd_lockstep *ls)
{
  hd_port_watch_destroy(ls->watch);
}

/* Checks the rules in a switch's window. In closed loop its inputs are those of the DUT's
 * fabric. In exact comparison a difference of the same cycle is reported first, and the rule in
 * addition. */
static int judge_ports(struct hd_lockstep *ls, const struct hd_dut_job *job,
                       const struct hd_dut_expected *s, struct hd_divergence *first)
{
  const struct hd_dut_unknown *u = job->unknown;
  const struct hd_port_unknown unknown = {.cycle = u ? u->cycle : 0,
                                          .seen = u && !u->after_reset ? u->seen : 0,
                                          .port = u ? u->port : 0xff,
                                          .vc = u ? u->vc : 0xff,
                                          .pin = u ? u->name : NULL};
  const struct hd_port_events e = {.start = job->start,
                                   .cycles = job->cycles,
                                   .flits_in = job->flits_in,
                                   .flits_out = s->flits,
                                   .credits_in = job->credits_in,
                                   .credits_out = s->credits,
                                   .configs_in = job->configs_in,
                                   .n_flits_in = job->n_flits_in,
                                   .n_flits_out = s->n_flits,
                                   .n_credits_in = job->n_credits_in,
                                   .n_credits_out = s->n_credits,
                                   .n_configs_in = job->n_configs_in,
                                   .unknown = u ? &unknown : NULL};
  struct hd_port_break broken;
  const int status = hd_port_watch_switch(ls->watch, job->sw, &e, &broken);
  if (status || broken.rule == HD_PORT_NONE)
    return status;
  const struct hd_divergence d = hd_rules_divergence(&broken);
  if (hd_divergence_before(&d, first))
    *first = d;
  else if (first->cycle == d.cycle && first->sw == d.sw)
    first->broken = broken;
  return HD_OK;
}

const struct comparator hd_compare_rules = {
    .is_needed = are_wanted, .create = watch_ports, .destroy = stop, .window = judge_ports};

void hd_rules_add_pending(const struct hd_lockstep *ls, struct hd_divergence *first)
{
  struct hd_port_break broken;
  struct hd_divergence inside;
  if (first->difference != HD_DIFF_NONE && hd_inside_pending(ls, &inside) &&
      inside.cycle <= first->cycle)
    *first = inside;
  if (!ls->watch || first->difference == HD_DIFF_NONE ||
      !hd_port_watch_pending(ls->watch, &broken) || broken.cycle > first->cycle)
    return;
  const bool beside = ls->params.compare == HD_COMPARE_EXACT && broken.cycle == first->cycle;
  if (!beside)
    *first = hd_rules_divergence(&broken);
  else if (broken.sw == first->sw)
    first->broken = broken;
}

int hd_rules_check_circle(struct hd_lockstep *ls, const struct hd_record *record,
                          struct hd_error *err)
{
  enum { CYCLES = 256 };
  const uint64_t end = record->start + record->cycles;
  struct hd_port_break broken;
  if (!ls->watch || record->start / CYCLES == end / CYCLES ||
      !hd_port_watch_deadlock(ls->watch, end, &broken, ls->result->circle,
                              sizeof ls->result->circle))
    return HD_OK;
  ls->result->divergence.broken = broken; /* nothing differs, but a rule is broken */
  return hd_fail(err, HD_E_DEADLOCK,
                 "deadlock in cycle %llu, switch %u: %s (rule P16 of specification 6.7)",
                 (unsigned long long)broken.since, broken.sw, broken.what);
}

int hd_rules_end(struct hd_lockstep *ls, struct hd_error *err)
{
  struct hd_port_break broken;
  struct hd_divergence inside;
  const struct hd_fabric *fabric = hd_lockstep_fabric(ls);
  const bool idle = hd_lockstep_is_idle(ls);
  if (idle ? hd_inside_end(ls, hd_fabric_cycle(fabric), &inside) : hd_inside_pending(ls, &inside)) {
    ls->result->divergence = inside;
    return hd_fail(err, HD_E_DIVERGENCE, "in cycle %llu, switch %u: %s",
                   (unsigned long long)inside.cycle, inside.sw, inside.broken.what);
  }
  if (!ls->watch || !(idle ? hd_port_watch_end(ls->watch, hd_fabric_cycle(fabric), &broken)
                           : hd_port_watch_pending(ls->watch, &broken)))
    return HD_OK;
  ls->result->divergence = hd_rules_divergence(&broken);
  return hd_fail(err, HD_E_DIVERGENCE, "in cycle %llu, switch %u: %s",
                 (unsigned long long)broken.cycle, broken.sw, broken.what);
}
