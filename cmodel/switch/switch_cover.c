/* Points of coverage that take more than one line: routes, ties, why a front waits, heads.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "switch_cover.h"

/* Counts a valid entry that was read. */
static void cover_entry(const struct hd_switch *sw, uint16_t entry)
{
  unsigned mask = entry >> 4 & sw->vc_bits;
  if ((entry & 15u) >= sw->ports)
    switch_cover(sw, HD_POINT_ENTRY_PORT);
  else if (!mask)
    switch_cover(sw, HD_POINT_ENTRY_MASK);
  else if (!(mask & sw->data_vc_bits))
    switch_cover(sw, HD_POINT_RESERVED_ALONE);
  else if (mask & ~(unsigned)sw->data_vc_bits)
    switch_cover(sw, HD_POINT_RESERVED_MASK);
  if ((mask & sw->data_vc_bits) && (mask & sw->data_vc_bits) != sw->data_vc_bits)
    switch_cover(sw, HD_POINT_ENTRY_SOME);
}

void hd_switch_cover_route(const struct hd_switch *sw, unsigned mode, bool by_source,
                           uint16_t entry)
{
  bool valid = entry >> 12 & 1;
  if (valid)
    cover_entry(sw, entry);
  if (mode == 0)
    switch_cover(sw, valid ? HD_POINT_MODE_0 : HD_POINT_MODE_0_NONE);
  else if (by_source)
    switch_cover(sw, valid ? HD_POINT_MODE_1_UP : HD_POINT_MODE_1_NONE);
  else
    switch_cover(sw, valid ? HD_POINT_MODE_1_DOWN : HD_POINT_MODE_1_NO_TABLE);
}

void hd_switch_cover_by_node(const struct hd_switch *sw, bool turns, uint16_t entry)
{
  bool valid = entry >> 12 & 1;
  if (valid)
    cover_entry(sw, entry);
  sw->coverage->count[!valid  ? HD_POINT_MODE_3_NONE
                      : turns ? HD_POINT_MODE_3_TURN
                              : HD_POINT_MODE_3_VIA]++;
}

void hd_switch_cover_chosen(const struct hd_switch *sw, unsigned port, const struct request *asked,
                            unsigned at_chosen, unsigned at_entry)
{
  uint64_t *count = sw->coverage->count;
  unsigned chosen = asked->chosen - 1u;
  if (at_chosen)
    count[!asked->lanes ? HD_POINT_CHOSEN_ALONE
          : at_entry    ? HD_POINT_CHOSEN_FIRST
                        : HD_POINT_CHOSEN_ONLY]++;
  else
    count[at_entry ? HD_POINT_CHOSEN_ENTRY : HD_POINT_CHOSEN_WAITS]++;
  if (!adaptive_channels(sw))
    count[HD_POINT_CHOSEN_NO_CHANNEL]++;
  if (asked->lanes && asked->port == chosen)
    count[HD_POINT_CHOSEN_SAME]++;
  if (chosen == port)
    count[HD_POINT_CHOSEN_BACK]++;
}

void hd_switch_cover_blocked(const struct hd_switch *sw, const struct request *asked, unsigned port,
                             unsigned vc, const struct barrier_cycle *barrier)
{
  unsigned output = asked->port, mask = switch_mask(asked->lanes);
  const struct port *out = &sw->port[output];
  bool open = sw->channels[switch_place(sw, port, vc)].state == VC_OPEN;
  unsigned has_credit = switch_mask(switch_has_credit(sw, out, true));
  unsigned free = mask & ~switch_mask(out->owned);
  unsigned could =
      open ? mask & has_credit
           : free & switch_mask(switch_has_credit(sw, out, false)); /* but for chapter 7 */
  enum hd_spec_point point;
  if (barrier && (barrier->padded_ports >> port & 1) && (barrier->padding[port] >> vc & 1))
    point = HD_POINT_PADDING_WAITS;
  else if (could)
    point = hd_barrier_blocked(barrier, output, open);
  else if (open)
    point = HD_POINT_OPEN_NO_CREDIT;
  else if (!free)
    point = HD_POINT_HEAD_ALL_OWNED;
  else
    point = free & has_credit ? HD_POINT_HEAD_CUT : HD_POINT_HEAD_NO_CREDIT;
  sw->coverage->count[point]++;
}

void hd_switch_cover_input_tie(const struct hd_switch *sw, unsigned port, unsigned vc,
                               unsigned eligible)
{
  sw->coverage->count[HD_POINT_INPUT_TIE_2 + switch_others(eligible) - 1]++;
  if (vc < switch_next(sw->port[port].in_last, sw->vcs))
    sw->coverage->count[HD_POINT_INPUT_WRAPS]++;
}

void hd_switch_cover_head(const struct hd_switch *sw, unsigned port, unsigned output,
                          const struct slot *front, unsigned channels, unsigned ovc)
{
  uint64_t *count = sw->coverage->count;
  unsigned single = front->kind & HD_KIND_TAIL, from_switch = !(sw->node_ports >> port & 1),
           to_switch = !(sw->node_ports >> output & 1);
  count[HD_POINT_IDLE_HEAD + single]++;
  count[HD_POINT_CHOICE_1 + switch_others(channels)]++;
  if ((channels & (channels - 1)) && ovc < switch_next(sw->port[output].vc_last, sw->vcs))
    count[HD_POINT_CHOICE_WRAPS]++;
  if (ovc + 1 == sw->vcs)
    count[HD_POINT_VC_NEXT_WRAPS]++;
  count[HD_POINT_NODE_TO_NODE + 2 * from_switch + to_switch]++;
  if (port == output)
    count[HD_POINT_SAME_PORT]++;
  if (front->change == HEADER_SHIFTS)
    count[HD_POINT_SHIFTED_HEAD + single]++;
  if (front->change == HEADER_TURNS)
    count[HD_POINT_TURNED_HEAD + single]++;
}

void hd_switch_cover_output_tie(const struct hd_switch *sw, unsigned output, unsigned port,
                                unsigned inputs)
{
  uint64_t *count = sw->coverage->count;
  bool node = sw->node_ports >> output & 1;
  count[(node ? HD_POINT_TIE_2_NODE : HD_POINT_TIE_2_SWITCH) + switch_others(inputs) - 1]++;
  if (port < switch_next(sw->port[output].out_last, switch_inputs(sw, output)))
    count[HD_POINT_OUTPUT_WRAPS]++;
  if (port + 1 == switch_inputs(sw, output))
    count[HD_POINT_OUT_NEXT_WRAPS]++;
}
