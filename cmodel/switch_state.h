/* The layout of a switch's block of memory; for cmodel/switch*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Per-channel arrays are indexed port·vcs + vc, so small switches touch few cache
 * lines. Behind the struct: the buffers' slots, then the routing tables.
 */
#ifndef HD_SWITCH_STATE_H
#define HD_SWITCH_STATE_H

#include "switch.h"

enum vc_state { VC_IDLE, VC_OPEN, VC_SINK };

/** A flit in a buffer, with the route of a head (§2.7). */
struct slot {
  uint64_t data;
  uint32_t tag;
  uint8_t kind;
  uint8_t oport;
  uint8_t vc_mask; /* legal output channels; 0: unroutable */
  uint8_t source_routed;
};
_Static_assert(sizeof(struct slot) == 16, "a flit takes 16 bytes");

/** An input virtual channel. The want_* fields say what its front asks for, so that
 *  allocation need not look at the flit; they are renewed when the front or the state
 *  changes. */
struct channel {
  uint16_t base;    /* index of its first slot */
  uint8_t head;     /* slot of the oldest flit */
  uint8_t count;    /* occupancy, §2.3 */
  uint8_t ready;    /* flits through routing; 0: no front */
  uint8_t state;    /* enum vc_state */
  uint8_t oport, ovc; /* of the open packet */
  uint8_t want_port;
  uint8_t want_mask; /* channels it could take; 0: the front is to be discarded */
};

enum { DUE_SLOTS = 4 }; /* routing takes at most two cycles, so three are under way at most */

struct hd_switch {
  struct hd_switch_params params;
  uint32_t vc_bits;    /* mask of legal channels */
  uint32_t head_need;  /* credits that a head needs, max(1, CUT_FLITS) */
  uint32_t node_bits, port_bits;
  uint32_t flit_delay; /* grant to output wire: 2 + D */
  uint32_t destination_offset, source_offset; /* of the tables, bytes from the block's start */

  uint32_t active;     /* flits held */
  uint64_t quiet_from; /* §2.10: quiescent_o is 1 from here on if nothing enters */
  uint64_t pop_cycle;  /* cycle of the last advance that popped … */
  uint8_t popped[HD_MAX_PORTS]; /* … and from which channels */
  uint64_t error_cycle;         /* cycle of the last error … */
  uint8_t errors_now;           /* … and the bits recorded in it */
  uint8_t errors;

  uint16_t front_ports;              /* input ports that have a front */
  uint16_t popped_ports;             /* input ports in `popped` */
  uint16_t due_ports[DUE_SLOTS];     /* by cycle modulo: ports whose flit is then routed … */
  uint8_t due_vc[DUE_SLOTS][HD_MAX_PORTS]; /* … and its channel */
  uint8_t fronts[HD_MAX_PORTS];      /* channels of an input port that have a front */
  uint8_t in_next[HD_MAX_PORTS];
  uint8_t out_next[HD_MAX_PORTS];
  uint8_t vc_next[HD_MAX_PORTS];
  uint8_t owned[HD_MAX_PORTS];       /* mask of channels */
  uint8_t has_credit[HD_MAX_PORTS];  /* channels with credit >= 1 */
  uint8_t head_credit[HD_MAX_PORTS]; /* channels with credit >= head_need */
  uint8_t credit[HD_MAX_PORTS * HD_MAX_VCS];
  struct channel channels[HD_MAX_PORTS * HD_MAX_VCS];
  _Alignas(64) struct slot slots[]; /* [ports·vcs][depth_flits] */
};

#endif
