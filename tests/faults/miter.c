/* The miter: the netlist beside itself, and the script that asks Yosys for a proof.
 * SPDX-License-Identifier: Apache-2.0
 *
 * One switch is without a mutant, the other with one of those that are tried, which one is left
 * open, at the same inputs. Proved is that what a port shows (§1.1: while valid) and what a read of
 * the configuration port shows is equal, together with what is true of all reachable states
 * (mutants/invariants.v). A reset comes with no configuration access, as the DUT contract has it.
 */
#include "miter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ── registers ──────────────────────────────────────────────────────────────── */

/* Registers of the flat netlist that make one vector; a loop of 1 has no index in the name. */
struct registers {
  const char *vector, *format;
  uint32_t loops[3], bits;
  bool equal;     /* always equal in both; otherwise hd_alike says when */
  bool reachable; /* hd_reachable looks at it */
  bool zero;      /* at power-up */
};

enum { MAX_REGISTERS = 90 };

/* Of the rigs whose barrier hardware is mutated: one cycle of routing, no source tables. Nearly all of
 * the data's registers are equal there, as no mutant touches them; those that reset leaves alone
 * hold the same at power-up, whatever that is (`begun`). */
static unsigned list_barrier_registers(const struct hd_switch_params *p, struct registers list[])
{
  const uint32_t P = p->ports, V = p->vcs, W = p->data_bits, D = p->depth_flits, G = p->groups;
  const uint32_t stages = hd_switch_grant_stages(p) + 1, rows = p->nodes;
  const uint32_t port_w = hd_log2_ceil(P), fill_w = hd_log2_ceil(D + 1);
  const uint32_t entry_w = 1 + port_w + V, slot_w = V + port_w + 3 + W;
#define VC "in[%u].u_port.vc[%u].u_vc."
#define OUT "out[%u].u_port."
#define IN_BARRIER "in[%u].u_port.barrier.u_barrier."
#define OUT_BARRIER "out[%u].barrier.u_barrier."
#define UNIT "unit.u_unit."
  const struct registers all[] = {
      {"errors", "in[%u].u_port.errors_q", {P}, 7, true, false, false},
      {"in_from", "in[%u].u_port.u_arbiter.from_q", {P}, V, true, true, false},
      {"stage_valid", "in[%u].u_port.stage[%u].valid_q", {P, stages}, 1, true, true, false},
      {"stage_kind", "in[%u].u_port.stage[%u].kind_q", {P, stages}, 3, false, false, false},
      {"stage_data", "in[%u].u_port.stage[%u].data_q", {P, stages}, W, false, false, false},
      {"take", "in[%u].u_port.u_route.take_q", {P}, V, true, true, false},
      {"kind", "in[%u].u_port.u_route.kind_q", {P}, 3, true, true, false},
      {"data", "in[%u].u_port.u_route.data_q", {P}, W, true, false, false},
      {"by_destination",
       "in[%u].u_port.u_route.u_destination.entry_q",
       {P},
       entry_w,
       true,
       true,
       false},
      {"destinations",
       "in[%u].u_port.u_route.u_destination.mem[%u]",
       {P, rows},
       entry_w,
       true,
       true,
       true},
      {"state", VC "state_q", {P, V}, 2, true, true, false},
      {"oport", VC "oport_q", {P, V}, P, true, true, false},
      {"route", VC "route_q", {P, V}, P, false, true, false},
      {"mask", VC "mask_q", {P, V}, V, false, true, false},
      {"ovc", VC "ovc_q", {P, V}, V, true, true, false},
      {"held", VC "u_buffer.line.held_q", {P, V}, D, true, true, false},
      {"slots", VC "u_buffer.line.place[%u].flit_q", {P, V, D}, slot_w, false, true, false},
      {"error", OUT "error_q", {P}, 1, true, false, false},
      {"owned", OUT "owned_q", {P}, V, true, true, false},
      {"select", OUT "stage[%u].select_q", {P, stages}, P + 1, true, true, false},
      {"select_vc", OUT "stage[%u].vc_q", {P, stages}, V, false, false, false},
      {"out_from", OUT "u_arbiter.from_q", {P}, P, true, true, false},
      {"vc_from", OUT "u_vc_arbiter.from_q", {P}, V, true, true, false},
      {"count", OUT "vc[%u].count_q", {P, V}, fill_w, true, true, false},
      {"credited", OUT "some_q", {P}, V, true, true, false},
      {"free", OUT "free_q", {P}, V, true, true, false},
      {"preempted", IN_BARRIER "preempted_q", {P}, V, true, false, false},
      {"low", IN_BARRIER "channel[%u].two.low_q", {P, V}, 16, true, false, false},
      {"queue_fill", IN_BARRIER "fill_q", {P}, 2, true, true, false},
      {"queue_front", IN_BARRIER "front_q", {P}, 32, false, true, false},
      {"queue_back", IN_BARRIER "back_q", {P}, 32, false, true, false},
      {"queue_credit", IN_BARRIER "credit_q", {P}, 1, true, false, false},
      {"queue_errors", IN_BARRIER "errors_q", {P}, 2, true, false, false},
      {"slot", OUT_BARRIER "slot_q", {P}, 1, true, true, false},
      {"second", OUT_BARRIER "second_q", {P}, 1, true, true, false},
      {"preempting", OUT_BARRIER "preempting_q", {P}, 1, true, true, false},
      {"burst", OUT_BARRIER "burst_q", {P}, 3, false, true, false},
      {"rest", OUT_BARRIER "rest_q", {P}, 5, true, true, false},
      {"resting", OUT_BARRIER "resting_q", {P}, 1, true, true, false},
      {"in_order", OUT_BARRIER "in_order_q", {P}, 1, false, true, false},
      {"message", OUT_BARRIER "message_q", {P}, 32, false, true, false},
      {"use_vc", OUT_BARRIER "use_vc_q", {P}, V, false, true, false},
      {"preempt_vc", OUT_BARRIER "preempt_vc_q", {P}, V, false, true, false},
      {"preempt_from", OUT_BARRIER "preempter.u_arbiter.from_q", {P}, V, false, true, false},
      {"idle_count", OUT_BARRIER "idle_q", {P}, 16, true, true, false},
      {"over", OUT_BARRIER "over_q", {P}, 1, true, true, false},
      {"sure", OUT_BARRIER "sure_q", {P}, 1, true, true, false},
      {"try", OUT_BARRIER "try_q", {P}, 1, true, true, false},
      {"place_count", OUT_BARRIER "count_q", {P}, 2, true, true, false},
      {"place_error", OUT_BARRIER "error_q", {P}, 1, true, false, false},
      {"lane_kind", OUT_BARRIER "stage[%u].kind_q", {P, stages}, 3, false, false, false},
      {"lane_data", OUT_BARRIER "stage[%u].data_q", {P, stages}, W, false, false, false},
      {"idle", UNIT "idle_o", {1}, 16, true, true, false},
      {"self", UNIT "self_o", {1}, 11, true, true, false},
      {"live", UNIT "live_o", {1}, P, true, false, false},
      {"center", UNIT "center_q", {1}, 11, true, false, false},
      {"members_away", UNIT "count_q", {1}, 12, true, false, false},
      {"members", UNIT "members_q", {1}, P, true, false, false},
      {"act", UNIT "act_q", {1}, 1, true, true, false},
      {"source", UNIT "source_q", {1}, P + 1, false, true, false},
      {"turn_from", UNIT "u_turn.from_q", {1}, P + 1, false, true, false},
      {"entry", UNIT "entry_q", {1}, G, false, true, false},
      {"barrier_ways", UNIT "mem[%u]", {1u << hd_log2_ceil(p->switches)}, P, true, true, true},
      {"ways", UNIT "ways_q", {1}, P, false, true, false},
      {"in_range", UNIT "in_range_q", {1}, 1, false, true, false},
      {"look_message", UNIT "message_q", {1}, 32, false, true, false},
      {"look_here", UNIT "here_q", {1}, 1, false, true, false},
      {"look_record", UNIT "record_q", {1}, 17 + 6 * P, false, true, false},
      {"look_known", UNIT "known_q", {1}, 1, false, true, false},
      {"look_named", UNIT "named_q", {1}, P, false, true, false},
      {"look_parent", UNIT "by_parent_q", {1}, 1, false, true, false},
      {"look_owed", UNIT "owed_to_source_q", {1}, P, false, true, false},
      {"spread_from", UNIT "u_spread.from_q", {1}, P, false, true, false},
      {"owed", UNIT "owed_q", {1}, P, true, true, false},
      {"owed_to", UNIT "slot[%u].to_q", {P}, P + 1, false, true, false},
      {"unit_errors", UNIT "errors_q", {1}, 5, true, false, false},
      {"valid", UNIT "u_table.valid_q", {1}, G, true, true, false},
      {"groups", UNIT "u_table.entry[%u].group_q", {G}, 5, false, true, false},
      {"parents", UNIT "u_table.entry[%u].parent_q", {G}, 11, false, true, false},
      {"addresses", UNIT "u_table.entry[%u].address_q", {G}, 11 * P, false, true, false},
      {"records", UNIT "u_table.entry[%u].record_q", {G}, 17 + 6 * P, false, true, false},
  };
#undef VC
#undef OUT
#undef IN_BARRIER
#undef OUT_BARRIER
#undef UNIT
  _Static_assert(sizeof all / sizeof *all <= MAX_REGISTERS, "room for all registers");
  memcpy(list, all, sizeof all);
  return sizeof all / sizeof *all;
}

/* Of the rig whose XOR coder is mutated: one cycle of routing, no source tables, one more cycle from
 * the grant to the pins (D = 1). As no mutant touches what is outside of the coder, all of that is
 * equal. At power-up all holds the same, since in the cycle of the reset the coder may write what
 * reset leaves alone (`begun`). */
static unsigned list_coder_registers(const struct hd_switch_params *p, struct registers list[])
{
  const uint32_t P = p->ports, V = p->vcs, W = p->data_bits, D = p->depth_flits, N = p->code_places;
  const uint32_t stages = hd_switch_grant_stages(p) + 1, rows = p->nodes;
  const uint32_t port_w = hd_log2_ceil(P), fill_w = hd_log2_ceil(D + 1), place_w = hd_place_bits(p);
  const uint32_t banks = 2, L = p->code_cycles;
#define IN "in[%u].u_port."
#define OUT "out[%u].u_port."
#define CODER "coder.u_coder."
  const struct registers all[] = {
      {"errors", IN "errors_q", {P}, 7, true, false, false},
      {"in_from", IN "u_arbiter.from_q", {P}, V, true, false, false},
      {"ask", IN "two.ask_q", {P}, V, true, false, false},
      {"ask_port", IN "two.port_q", {P}, P, true, false, false},
      {"ask_mask", IN "two.mask_q", {P}, V, true, false, false},
      {"ask_starts", IN "two.starts_q", {P}, 1, true, false, false},
      {"stage_valid", IN "stage[%u].valid_q", {P, stages}, 1, true, false, false},
      {"stage_kind", IN "stage[%u].kind_q", {P, stages}, 3, true, false, false},
      {"stage_data", IN "stage[%u].data_q", {P, stages}, W, true, false, false},
      {"take", IN "u_route.take_q", {P}, V, true, false, false},
      {"kind", IN "u_route.kind_q", {P}, 3, true, false, false},
      {"data", IN "u_route.data_q", {P}, W, true, false, false},
      {"by_destination",
       IN "u_route.u_destination.entry_q",
       {P},
       1 + port_w + V,
       true,
       false,
       false},
      {"in_range", IN "u_route.u_destination.some.in_range_q", {P}, 1, true, false, false},
      {"destinations",
       IN "u_route.u_destination.mem[%u]",
       {P, rows},
       1 + port_w + V,
       true,
       false,
       true},
      {"state", IN "vc[%u].u_vc.state_q", {P, V}, 2, true, false, false},
      {"oport", IN "vc[%u].u_vc.oport_q", {P, V}, P, true, false, false},
      {"route", IN "vc[%u].u_vc.route_q", {P, V}, P, true, false, false},
      {"mask", IN "vc[%u].u_vc.mask_q", {P, V}, V, true, false, false},
      {"ovc", IN "vc[%u].u_vc.ovc_q", {P, V}, V, true, false, false},
      {"held", IN "vc[%u].u_vc.u_buffer.line.held_q", {P, V}, D, true, false, false},
      {"slots",
       IN "vc[%u].u_vc.u_buffer.line.place[%u].flit_q",
       {P, V, D},
       V + port_w + 3 + W,
       true,
       false,
       false},
      {"error", OUT "error_q", {P}, 1, true, false, false},
      {"owned", OUT "owned_q", {P}, V, true, false, false},
      {"select_vc", OUT "stage[%u].vc_q", {P, stages}, V, true, false, false},
      {"vc_from", OUT "u_vc_arbiter.from_q", {P}, V, true, false, false},
      {"count", OUT "vc[%u].count_q", {P, V}, fill_w, true, false, false},
      {"credited", OUT "some_q", {P}, V, true, false, false},
      {"free", OUT "free_q", {P}, V, true, false, false},
      {"coder_select", "out[0].u_port.stage[%u].select_q", {stages}, P + 1, true, true, false},
      {"select_1", "out[1].u_port.stage[%u].select_q", {stages}, P, true, false, false},
      {"select_2", "out[2].u_port.stage[%u].select_q", {stages}, P, true, false, false},
      {"coder_out_from", "out[0].u_port.u_arbiter.from_q", {1}, P + 1, true, false, false},
      {"out_from_1", "out[1].u_port.u_arbiter.from_q", {1}, P, true, false, false},
      {"out_from_2", "out[2].u_port.u_arbiter.from_q", {1}, P, true, false, false},
      {"out_valid", "out_valid_o", {1}, P, true, false, false},
      {"out_kind", "out_kind_o", {1}, P * 3, true, true, false},
      {"out_vc", "out_vc_o", {1}, P, true, false, false},
      {"out_data", "out_data_o", {1}, P * W, true, true, false},
      {"coder_errors", CODER "errors_q", {1}, 4, true, false, false},
      {"picked", CODER "picked_q", {1}, 1, true, true, false},
      {"picked_pair", CODER "picked_pair_q", {1}, place_w, false, true, false},
      {"picked_coded", CODER "picked_coded_q", {1}, 1, false, false, false},
      {"picked_upper", CODER "picked_upper_q", {1}, 1, false, false, false},
      {"sending", CODER "sending_q", {1}, 1, true, true, false},
      {"pair", CODER "pair_q", {1}, place_w, false, true, false},
      {"place", CODER "place_q", {1}, place_w, false, true, false},
      {"coded", CODER "coded_q", {1}, 1, false, false, false},
      {"above", CODER "above_q", {1}, 1, false, true, false},
      {"even_flits", CODER "even_flits_q", {1}, 4, false, false, false},
      {"odd_flits", CODER "odd_flits_q", {1}, 4, false, false, false},
      {"last", CODER "last_q", {1}, 4, false, true, false},
      {"flit", CODER "flit_q", {1}, 4, true, true, false},
      {"coder_vc", CODER "vc_q", {1}, V, false, false, false},
      {"even_in", CODER "even_in_q", {1}, 1, false, false, false},
      {"odd_in", CODER "odd_in_q", {1}, 1, false, false, false},
      {"pair_odd", CODER "pair_odd_q", {1}, 1, false, false, false},
      {"starts", CODER "starts_q", {1}, 1, false, false, false},
      {"tail", CODER "tail_q", {1}, 1, false, false, false},
      {"its_coded", CODER "its_coded_q", {1}, 1, false, false, false},
      {"its_place", CODER "its_place_q", {1}, place_w, false, true, false},
      {"made", CODER "made_q", {1}, stages + 1, true, true, false},
      {"upper", CODER "upper_q", {1}, stages + 1, true, true, false},
      {"made_kind", CODER "stage[1].later.kind_q", {1}, 3, false, true, false},
      {"made_data", CODER "stage[1].later.data_q", {1}, W, false, true, false},
      {"open", CODER "u_places.open_q", {1}, N, true, false, false},
      {"ends", CODER "u_places.last_q", {1}, N, false, false, false},
      {"filling", CODER "u_places.filling_q", {1}, N, true, true, false},
      {"natives", CODER "u_places.native_q", {1}, N, true, true, false},
      {"codeds", CODER "u_places.coded_q", {1}, N, true, true, false},
      {"low", CODER "u_places.low_q", {1}, N, false, false, false},
      {"high", CODER "u_places.high_q", {1}, N, false, true, false},
      {"work", CODER "u_places.work_q", {1}, N, true, true, false},
      {"pairs_from", CODER "u_places.u_arbiter.from_q", {1}, N, false, true, false},
      {"watched", CODER "u_watch.watched_q", {1}, V, true, true, false},
      {"watch", CODER "u_watch.watch[%u]", {V}, 12 + place_w, false, true, false},
      {"pending", CODER "u_watch.later.pending_q", {1}, L, true, true, false},
      {"events", CODER "u_watch.later.events_q", {1}, L * (3 + place_w), false, true, false},
      {"size", CODER "u_memory.bank[%u].size_q", {banks}, 8, false, false, false},
      {"pair_data", CODER "u_memory.bank[%u].flit_q", {banks}, W, false, false, false},
  };
#undef IN
#undef OUT
#undef CODER
  _Static_assert(sizeof all / sizeof *all <= MAX_REGISTERS, "room for all registers");
  memcpy(list, all, sizeof all);
  return sizeof all / sizeof *all;
}

/* What a switch that chooses among ports has beside list_registers(); returns how many. */
static unsigned list_adaptive_registers(const struct hd_switch_params *p, struct registers list[])
{
  const uint32_t P = p->ports, V = p->vcs;
#define ROUTE "in[%u].u_port.u_route."
#define CREDITS "by_credits.u_free."
#define COUNTS "by_counts.u_counts."
#define PACKETS "by_counts.u_packets."
  const struct registers both[] = {
      {"adapt", "u_config.adaptive.adapt_q", {1}, V, true, false, false},
      {"generator", ROUTE "adaptive.u_choice.generator_q", {P}, 16, true, true, false},
      {"set", ROUTE "adaptive.u_sets.entry_q", {P}, P, false, false, false},
      {"set_in_range", ROUTE "adaptive.u_sets.some.in_range_q", {P}, 1, false, true, false},
      {"sets", ROUTE "adaptive.u_sets.mem[%u]", {P, p->nodes}, P, true, false, true},
      {"chosen2", ROUTE "two.chosen2_q", {P}, 1, false, true, false},
      {"chosen_port2", ROUTE "two.chosen_port2_q", {P}, hd_log2_ceil(P), false, true, false},
      {"choice", "in[%u].u_port.vc[%u].u_vc.adaptive.choice_q", {P, V}, P, false, true, false},
  };
  const struct registers by_credits[] = {
      {"freer", CREDITS "freer_o", {1}, P * P, true, true, false},
      {"adapt_some", CREDITS "adapt_some_o", {1}, 1, true, false, false},
  };
  const uint32_t width = hd_log2_ceil(P * V * (p->depth_flits + 1) + 1);
  const struct registers by_counts[] = {
      {"freer", COUNTS "freer_o", {1}, P * P, true, true, false},
      {"adapt_some", COUNTS "adapt_some_o", {1}, 1, true, false, false},
      {"neighbours", COUNTS "port[%u].count_q", {P}, 6, true, false, false},
      {"packets", PACKETS "packets_q", {1}, width, true, true, false},
      {"own_count", PACKETS "count_q", {1}, 6, true, true, false},
      {"leaves", "in[%u].u_port.counted.leaves_q", {P}, 2 * V, false, false, false},
  };
#undef ROUTE
#undef CREDITS
#undef COUNTS
#undef PACKETS
  const bool counts = p->adaptive == HD_ADAPTIVE_COUNT;
  const unsigned n = sizeof both / sizeof *both,
                 more = (unsigned)(counts ? sizeof by_counts / sizeof *by_counts
                                          : sizeof by_credits / sizeof *by_credits);
  memcpy(list, both, sizeof both);
  memcpy(list + n, counts ? by_counts : by_credits, more * sizeof *list);
  return n + more;
}

/* Of the rigs of the plain and the adaptive switch: two cycles of routing, source tables. */
static unsigned list_registers(const struct hd_switch_params *p, struct registers list[])
{
  const uint32_t P = p->ports, V = p->vcs, W = p->data_bits, D = p->depth_flits;
  const uint32_t stages = hd_switch_grant_stages(p) + 1, rows = p->nodes;
  const uint32_t port_w = hd_log2_ceil(P), fill_w = hd_log2_ceil(D + 1);
  const uint32_t entry_w = 1 + port_w + V,
                 slot_w = V + port_w + 3 + W + 1 + (p->adaptive ? 1 + port_w : 0);
#define ROUTE "in[%u].u_port.u_route."
#define VC "in[%u].u_port.vc[%u].u_vc."
#define OUT "out[%u].u_port."
  const struct registers all[] = {
      {"errors", "in[%u].u_port.errors_q", {P}, 7, true, true, false},
      {"in_from", "in[%u].u_port.u_arbiter.from_q", {P}, V, false, true, false},
      {"ask", "in[%u].u_port.two.ask_q", {P}, V, false, true, false},
      {"ask_port", "in[%u].u_port.two.port_q", {P}, P, false, true, false},
      {"ask_mask", "in[%u].u_port.two.mask_q", {P}, V, false, true, false},
      {"ask_starts", "in[%u].u_port.two.starts_q", {P}, 1, false, true, false},
      {"stage_valid", "in[%u].u_port.stage[%u].valid_q", {P, stages}, 1, false, true, false},
      {"stage_kind", "in[%u].u_port.stage[%u].kind_q", {P, stages}, 3, false, true, false},
      {"stage_data", "in[%u].u_port.stage[%u].data_q", {P, stages}, W, false, false, false},
      {"take", ROUTE "take_q", {P}, V, true, true, false},
      {"kind", ROUTE "kind_q", {P}, 3, false, true, false},
      {"data", ROUTE "data_q", {P}, W, false, true, false},
      {"by_destination", ROUTE "u_destination.entry_q", {P}, entry_w, false, true, false},
      {"by_source", ROUTE "source.u_source.entry_q", {P}, entry_w, false, true, false},
      {"in_range", ROUTE "u_destination.some.in_range_q", {P}, 1, false, true, false},
      {"via_in_range", ROUTE "source.u_source.some.in_range_q", {P}, 1, false, true, false},
      {"push", ROUTE "two.push_q", {P}, V, true, true, false},
      {"kind2", ROUTE "two.kind2_q", {P}, 3, false, true, false},
      {"data2", ROUTE "two.data2_q", {P}, W, false, true, false},
      {"port2", ROUTE "two.port2_q", {P}, port_w, false, true, false},
      {"mask2", ROUTE "two.mask2_q", {P}, V, false, true, false},
      {"turns2", ROUTE "two.turns2_q", {P}, 1, false, true, false},
      {"destinations", ROUTE "u_destination.mem[%u]", {P, rows}, entry_w, false, true, true},
      {"sources", ROUTE "source.u_source.mem[%u]", {P, rows}, entry_w, false, true, true},
      {"state", VC "state_q", {P, V}, 2, true, true, false},
      {"oport", VC "oport_q", {P, V}, P, false, true, false},
      {"route", VC "route_q", {P, V}, P, false, true, false},
      {"mask", VC "mask_q", {P, V}, V, false, true, false},
      {"ovc", VC "ovc_q", {P, V}, V, false, true, false},
      {"held", VC "u_buffer.line.held_q", {P, V}, D, true, true, false},
      {"slots", VC "u_buffer.line.place[%u].flit_q", {P, V, D}, slot_w, false, true, false},
      {"error", OUT "error_q", {P}, 1, true, false, false},
      {"owned", OUT "owned_q", {P}, V, true, true, false},
      {"select", OUT "stage[%u].select_q", {P, stages}, P, false, true, false},
      {"select_vc", OUT "stage[%u].vc_q", {P, stages}, V, false, true, false},
      {"out_from", OUT "u_arbiter.from_q", {P}, P, false, true, false},
      {"vc_from", OUT "u_vc_arbiter.from_q", {P}, V, false, true, false},
      {"count", OUT "vc[%u].count_q", {P, V}, fill_w, true, true, false},
      {"credited", OUT "some_q", {P}, V, true, true, false},
      {"free", OUT "free_q", {P}, V, true, true, false},
  };
#undef ROUTE
#undef VC
#undef OUT
  const unsigned n = sizeof all / sizeof *all;
  _Static_assert(sizeof all / sizeof *all + 14 <= MAX_REGISTERS, "room for all registers");
  memcpy(list, all, sizeof all);
  return n + (p->adaptive ? list_adaptive_registers(p, list + n) : 0);
}

static uint32_t times(const struct registers *r)
{
  uint32_t n = r->loops[0];
  n *= r->loops[1] ? r->loops[1] : 1;
  return n * (r->loops[2] ? r->loops[2] : 1);
}

/* Name of register `index` as Verilog needs it: an escaped identifier and a blank. */
static void put_name(FILE *out, const char *side, const struct registers *r, uint32_t index)
{
  uint32_t third = r->loops[2] ? r->loops[2] : 1, second = r->loops[1] ? r->loops[1] : 1;
  char name[160];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(name, sizeof name, r->format, index / third / second, index / third % second,
           index % third);
#pragma GCC diagnostic pop
  fprintf(out, "\\u_%s.%s ", side, name);
}

static void put_vectors(FILE *out, const char *side, char prefix, const struct registers *list,
                        unsigned n)
{
  for (unsigned i = 0; i < n; i++) {
    const struct registers *r = &list[i];
    for (uint32_t k = 0; k < times(r); k++) {
      fprintf(out, "  (* hierconn%s *) wire [%u:0] ", r->zero ? ", init = 0" : "", r->bits - 1);
      put_name(out, side, r, k);
      fputs(";\n", out);
    }
    fprintf(out, "  wire [%u:0] %c_%s = {", times(r) * r->bits - 1, prefix, r->vector);
    for (uint32_t k = times(r); k--;) {
      put_name(out, side, r, k);
      fputs(k ? "," : "};\n", out);
    }
  }
}

/* ── ports, as the netlist has them ─────────────────────────────────────────── */

struct port {
  char name[64];
  uint32_t width;
  bool out;
};

enum { MAX_PORTS = 64 };

/* Reads `wire width N input|output I \name` of the only module of an RTLIL file. */
static int read_ports(const char *path, struct port ports[], unsigned *n, struct hd_error *err)
{
  FILE *in = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  *n = 0;
  if (!in)
    return hd_fail(err, HD_E_IO, "cannot read %s: %s", path, strerror(errno));
  while (*n < MAX_PORTS && getline(&line, &room, in) > 0) {
    struct port *p = &ports[*n];
    const char *width = strstr(line, " width "), *way = strstr(line, " input ");
    if (strncmp(line, "  wire ", 7) != 0)
      continue;
    p->out = !way;
    if (!way)
      way = strstr(line, " output ");
    p->width = width ? (uint32_t)strtoul(width + 7, NULL, 10) : 1;
    if (way && sscanf(way, " %*s %*u \\%63s", p->name) == 1)
      ++*n;
  }
  free(line);
  fclose(in);
  return *n && *n < MAX_PORTS ? 0 : hd_fail(err, HD_E_TOOL, "%s has %u ports", path, *n);
}

static bool is_in(const char *name, const char *const *names)
{
  while (*names && strcmp(name, *names) != 0)
    names++;
  return *names;
}

static void put_switch(FILE *out, const char *side, char prefix, const char *mutant,
                       const struct port ports[], unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (ports[i].out)
      fprintf(out, "  wire [%u:0] %c_%s;\n", ports[i].width - 1, prefix, ports[i].name);
  fprintf(out, "  hd_mutants u_%s (.mutsel(%s)", side, mutant);
  for (unsigned i = 0; i < n; i++)
    if (ports[i].out)
      fprintf(out, ",\n      .%s(%c_%s)", ports[i].name, prefix, ports[i].name);
    else
      fprintf(out, ",\n      .%s(%s%s)", ports[i].name, ports[i].name,
              is_in(ports[i].name, (const char *const[]){"cfg_write_i", "cfg_read_i", NULL})
                  ? " && !rst"
                  : "");
  fputs(");\n", out);
}

/* Equal are all outputs, those that mean something only at times at those times. */
static void put_shown(FILE *out, const struct port ports[], unsigned n)
{
  static const char *const at_times[] = {"out_kind_o", "out_vc_o", "out_data_o", "cfg_rdata_o",
                                         NULL};
  fputs("  reg read_q;\n  always @(posedge clk) read_q <= cfg_read_i && !rst;\n"
        "  reg shown;\n  integer i;\n  always @* begin\n"
        "    shown = !read_q || g_cfg_rdata_o == h_cfg_rdata_o;\n",
        out);
  for (unsigned i = 0; i < n; i++)
    if (ports[i].out && !is_in(ports[i].name, at_times))
      fprintf(out, "    shown = shown && g_%s == h_%s;\n", ports[i].name, ports[i].name);
  fputs("    for (i = 0; i < P; i = i + 1)\n"
        "      if (g_out_valid_o[i])\n"
        "        shown = shown && g_out_kind_o[i*3+:3] == h_out_kind_o[i*3+:3] &&\n"
        "            g_out_vc_o[i*VC_W+:VC_W] == h_out_vc_o[i*VC_W+:VC_W] &&\n"
        "            g_out_data_o[i*W+:W] == h_out_data_o[i*W+:W];\n"
        "  end\n",
        out);
}

/* ── memories ───────────────────────────────────────────────────────────────── */

/* The coder's memories are not in the proof, only what is at their pins: with their bits it does not
 * end. What stands in their place: hd_memory_pair in invariants-coder.v. */
struct memory {
  const char *cell;
  uint32_t row_bits, bits;
};

enum { MAX_MEMORIES = 4 };

static unsigned list_memories(const struct hd_switch_params *p, struct memory list[])
{
  const uint32_t rows = hd_place_bits(p) - 1;
  const struct memory all[MAX_MEMORIES] = {
      {"coder.u_coder.u_memory.bank[0].sizes", rows, 8},
      {"coder.u_coder.u_memory.bank[1].sizes", rows, 8},
      {"coder.u_coder.u_memory.bank[0].flits", rows + 4, p->data_bits},
      {"coder.u_coder.u_memory.bank[1].flits", rows + 4, p->data_bits},
  };
  memcpy(list, all, sizeof all);
  return p->code_places ? MAX_MEMORIES : 0;
}

/* Wires at their pins, as hd_memory has them, and what hd_memory_pair says of them. */
static void put_memories(FILE *out, const struct memory *list, unsigned n)
{
  static const char *const sides[] = {"gold", "gate"};
  static const char *const pins[] = {"RD_ADDR", "WR_ADDR", "RD_DATA", "WR_DATA", "WR_EN"};
  enum { N_PINS = sizeof pins / sizeof *pins };
  if (n)
    fprintf(out, "  wire [%u:0] pairs_kept;\n", n - 1);
  for (unsigned i = 0; i < n; i++) {
    const struct memory *m = &list[i];
    for (unsigned k = 0; k < 2 * N_PINS; k++)
      fprintf(out, "  (* hierconn *) wire [%u:0] \\u_%s.%s.%s ;\n",
              (strstr(pins[k / 2], "ADDR") ? m->row_bits : m->bits) - 1, sides[k % 2], m->cell,
              pins[k / 2]);
    fprintf(out,
            "  hd_memory_pair #(.ABITS(%u), .WIDTH(%u)) pair_%u (.clk(clk), .row(row_%u), "
            ".other_row(other_row_%u), .kept(pairs_kept[%u])",
            m->row_bits, m->bits, i, i, i, i);
    for (unsigned k = 0; k < 2 * N_PINS; k++)
      fprintf(out, ",\n      .%c_%s(\\u_%s.%s.%s )", "gh"[k % 2], pins[k / 2], sides[k % 2],
              m -> cell, pins[k / 2]);
    fputs(");\n", out);
  }
  fprintf(out, "  wire kept = %s;\n", n ? "&pairs_kept" : "1'b1");
}

/* ── the miter ──────────────────────────────────────────────────────────────── */

static void put_reachable(FILE *out, char prefix, const struct hd_switch_params *p, unsigned loose,
                          const struct registers *list, unsigned n)
{
  fprintf(out, "  wire %c_ok; wire [P*V*D-1:0] %c_occupied; wire [P*S-1:0] %c_awaited;\n", prefix,
          prefix, prefix);
  if (p->barrier)
    fprintf(out, "  hd_barrier_reachable #(.LOOSE(%u), .BARRIER(%u)) %c_reachable (.ok(%c_ok)",
            loose, p->barrier, prefix, prefix);
  else if (p->code_places)
    fprintf(out, "  hd_coder_reachable #(.LOOSE(%u)) %c_reachable (.ok(%c_ok)", loose, prefix,
            prefix);
  else
    fprintf(out,
            "  hd_reachable #(.LOOSE(%u), .ADAPTIVE(%u)) %c_reachable (.ok(%c_ok), "
            ".occupied(%c_occupied), .awaited(%c_awaited)",
            loose, p->adaptive, prefix, prefix, prefix, prefix);
  for (unsigned i = 0; i < n; i++)
    if (list[i].reachable)
      fprintf(out, ",\n      .%s(%c_%s)", list[i].vector, prefix, list[i].vector);
  fputs(");\n", out);
}

static void put_alike(FILE *out, const struct hd_switch_params *p, unsigned loose,
                      const struct registers *list, unsigned n)
{
  if (p->barrier)
    fprintf(out,
            "  hd_barrier_alike #(.LOOSE(%u), .BARRIER(%u)) u_alike (.same(same), .held(g_held), "
            ".slot(g_slot), "
            ".second(g_second), .preempting(g_preempting),\n      .queue_fill(g_queue_fill), "
            ".act(g_act), "
            ".owed(g_owed), .valid(g_valid), .select(g_select), .stage_valid(g_stage_valid)",
            loose, p->barrier);
  else if (p->code_places)
    fprintf(out,
            "  hd_coder_alike #(.LOOSE(%u)) u_alike (.same(same), .picked(g_picked), "
            ".sending(g_sending), .flit(g_flit),\n      .made(g_made), .watched(g_watched), "
            ".pending(g_pending)",
            loose);
  else
    fprintf(out,
            "  hd_alike #(.LOOSE(%u), .ADAPTIVE(%u)) u_alike (.same(same), .take(g_take), "
            ".push(g_push), .state(g_state), .credited_back(g_in_credit_o),\n      "
            ".occupied(g_occupied), .awaited(g_awaited)",
            loose, p->adaptive);
  for (unsigned i = 0; i < n; i++)
    if (!list[i].equal && strcmp(list[i].vector, "stage_valid") != 0)
      fprintf(out, ",\n      .g_%s(g_%s), .h_%s(h_%s)", list[i].vector, list[i].vector,
              list[i].vector, list[i].vector);
  fputs(", .ok(alike));\n", out);
}

int miter_write(const char *path, const char *plain, const struct hd_switch_params *p,
                enum miter_level level, const bool *tried, size_t n, struct hd_error *err)
{
  struct registers list[MAX_REGISTERS];
  struct memory memories[MAX_MEMORIES];
  struct port ports[MAX_PORTS];
  unsigned n_list = p->barrier       ? list_barrier_registers(p, list)
                    : p->code_places ? list_coder_registers(p, list)
                                     : list_registers(p, list);
  unsigned n_memories = list_memories(p, memories);
  unsigned n_ports = 0, loose = level == MITER_LOOSE;
  bool some = false;
  int status = read_ports(plain, ports, &n_ports, err);
  FILE *out = status ? NULL : fopen(path, "w");
  if (!out)
    return status ? status : hd_fail(err, HD_E_IO, "cannot write %s: %s", path, strerror(errno));
  fprintf(out, "module miter #(parameter P = %u, V = %u, W = %u, D = %u, S = %u, VC_W = %u) (\n",
          p->ports, p->vcs, p->data_bits, p->depth_flits, hd_switch_grant_stages(p) + 1,
          hd_log2_ceil(p->vcs) ? hd_log2_ceil(p->vcs) : 1);
  for (unsigned i = 0; i < n_ports; i++)
    if (!ports[i].out)
      fprintf(out, "    input [%u:0] %s,\n", ports[i].width - 1, ports[i].name);
  for (unsigned i = 0; i < n_memories; i++)
    fprintf(out, "    input [%u:0] row_%u, other_row_%u,\n", memories[i].bits - 1, i, i);
  /* Any number, the same for ever: the script must not optimise registers away. */
  fputs("    output fine, output begun);\n"
        "  reg [11:0] mutant;\n  always @(posedge clk) mutant <= mutant;\n  wire tried = ",
        out);
  for (size_t i = 0; i < n; i++)
    if (tried[i]) {
      fprintf(out, "%smutant == 12'd%zu", some ? " || " : "", i + 1);
      some = true;
    }
  fputs(some ? ";\n" : "mutant == 12'd0;\n", out);
  put_switch(out, "gold", 'g', "12'd0", ports, n_ports);
  put_switch(out, "gate", 'h', "mutant", ports, n_ports);
  put_vectors(out, "gold", 'g', list, n_list);
  put_vectors(out, "gate", 'h', list, n_list);
  put_memories(out, memories, n_memories);
  put_reachable(out, 'g', p, 0, list, n_list);
  put_reachable(out, 'h', p, loose, list, n_list);
  fputs("  wire same = 1'b1", out);
  for (unsigned i = 0; i < n_list; i++)
    if (list[i].equal)
      fprintf(out, "\n      && g_%s == h_%s", list[i].vector, list[i].vector);
  fputs(";\n  wire alike;\n", out);
  put_alike(out, p, loose, list, n_list);
  put_shown(out, ports, n_ports);
  fprintf(out, "  assign begun = %s", p->barrier || p->code_places ? "same" : "1'b1");
  for (unsigned i = 0; p->code_places && i < n_list; i++)
    if (!list[i].equal)
      fprintf(out, "\n      && g_%s == h_%s", list[i].vector, list[i].vector);
  fputs(";\n", out);
  fputs("  assign fine = !tried || (shown && alike && g_ok && h_ok && kept);\nendmodule\n", out);
  return fclose(out) ? hd_fail(err, HD_E_IO, "cannot write %s: %s", path, strerror(errno)) : 0;
}
