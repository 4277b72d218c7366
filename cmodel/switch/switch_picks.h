/* What a cycle's input ports ask outputs for, kept for all of its steps (specification §2.5). For switch.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWITCH_PICKS_H
#define HD_SWITCH_PICKS_H

#include "switch_state.h"

/* Requests of one cycle: input ports' picks by output port. */
struct picks {
  unsigned outputs;              /* output ports that are asked for */
  unsigned discards;             /* flits that were discarded */
  uint16_t inputs[HD_MAX_PORTS]; /* by output port: input ports that ask */
  uint8_t vc[HD_MAX_PORTS];      /* by input port */
  uint64_t lanes[HD_MAX_PORTS];  /* by input port: E of §2.5, or the open packet's channel */
};

/* What an eligible front can have; by its place. */
struct requests {
  struct channel_set asking;
  uint64_t lanes[HD_MAX_PORTS * HD_MAX_VCS];
  uint8_t output[HD_MAX_PORTS * HD_MAX_VCS];
};

#endif
