/* Requests of a cycle's input ports to outputs, kept for all of its steps (specification §2.5). For
 * cmodel/switch/ and cmodel/fabric/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWITCH_PICKS_H
#define HD_SWITCH_PICKS_H

#include "adaptive_state.h"
#include "barrier_state.h"
#include "switch_cover.h"
#include "switch_input.h"

/* The requests of one cycle: the picks of input ports, by output port. */
struct picks {
  unsigned outputs;              /* output ports that are requested */
  unsigned discards;             /* flits that were discarded */
  uint16_t inputs[HD_MAX_PORTS]; /* by output port: input ports that request it */
  uint8_t vc[HD_MAX_PORTS];      /* by input port: the channel picked */
  uint64_t lanes[HD_MAX_PORTS];  /* by input port: E of §2.5, or the open packet's channel */
};

/* Output channels that each eligible queue head can have, by switch_place. */
struct requests {
  struct channel_set asking;
  uint64_t lanes[HD_MAX_PORTS * HD_MAX_VCS];
  uint8_t output[HD_MAX_PORTS * HD_MAX_VCS];
  uint16_t
      branches[HD_MAX_PORTS * HD_MAX_VCS]; /* §13.4: branches, for multicast flits; 0 for others */
};

/* ── coverage of requests and picks ────────────────────────────────────────────── */

/* §6.3: counts a front as blocked until it is granted. A front that waits for padding does not count. */
INLINED void count_front(const struct hd_switch *sw, unsigned port, unsigned vc,
                         const struct barrier_cycle *barrier)
{
  bool padding =
      barrier && (barrier->padded_ports >> port & 1) && (barrier->padding[port] >> vc & 1);
  if (sw->blocked)
    sw->blocked[port * sw->vcs + vc] += !padding;
}

/* Counts a front that asks for the port of its entry and can have the channels `can`. */
INLINED void cover_front(const struct hd_switch *sw, const struct request *asked, unsigned place,
                         uint64_t can, const struct barrier_cycle *barrier)
{
  const unsigned port = switch_port_of(sw, place), vc = switch_vc_of(sw, place);
  if (!can)
    hd_switch_cover_blocked(sw, asked, port, vc, barrier);
  count_front(sw, port, vc, barrier);
}

/* Counts the first step of §2.5: input `port` picks `vc` among the eligible channels. */
INLINED void cover_input(const struct hd_switch *sw, unsigned port, unsigned vc, unsigned channels)
{
  if (channels & (channels - 1))
    hd_switch_cover_input_tie(sw, port, vc, channels);
  if (switch_set_of(sw, &sw->popped, port))
    switch_cover(sw, HD_POINT_DISCARD_AND_GRANT);
}

/* Counts the second step: output `output` picks input `port` among those that ask. */
INLINED void cover_output(const struct hd_switch *sw, unsigned output, unsigned port,
                          unsigned inputs)
{
  if (inputs & (inputs - 1))
    hd_switch_cover_output_tie(sw, output, port, inputs);
}

/* Returns the outputs that granted in the cycle before. */
INLINED unsigned granted_before(const struct hd_switch *sw, uint64_t cycle)
{
  return sw->pop_cycle + 1 == cycle ? sw->sent_ports : 0;
}

/* Counts all picks of a cycle: requested outputs and discarded flits. Returns `before` for cover_granted.
 */
INLINED unsigned cover_picks(struct hd_switch *sw, unsigned outputs, unsigned discards,
                             unsigned before)
{
  if (outputs + 1 == 1u << sw->ports)
    sw->coverage->count[HD_POINT_ALL_OUTPUTS]++;
  if (discards > 1)
    sw->coverage->count[HD_POINT_DISCARDS_SEVERAL]++;
  sw->sent_ports = (uint16_t)outputs;
  return before & outputs;
}

/* `before`: outputs that granted in the cycle before this one. */
INLINED void cover_granted(struct hd_switch *sw, unsigned output, unsigned ovc, unsigned before)
{
  if (before >> output & 1)
    sw->coverage->count[HD_POINT_GRANTS_AGAIN + (sw->port[output].sent_vc != ovc)]++;
  sw->port[output].sent_vc = (uint8_t)ovc;
}

#endif
