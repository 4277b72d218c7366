/* Observed state: values that RTL and model show under the same names (specification §6.5, §8.10, §10.6, §11.14).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWITCH_STATES_H
#define HD_SWITCH_STATES_H

#include "params.h"
#include "registers.h"

/** X(place, name, bits, when, part, member):
 *  - place: SWITCH, "name"; IN_VC, "in[p].vc[v].name"; IN, "in[p].name"; OUT_VC and OUT likewise;
 *    UNIT, "unit.name"; CODER, "coder.name";
 *  - when: RESET: from reset on; OPEN: means something only while the channel's packet is open;
 *    LATER: reset need not set it (§6.6);
 *  - part: BARRIER: only a switch with barrier messages has it, ADAPTIVE: one with port sets, COUNT: one
 *    that counts packets (§10.8), CODER: one with an XOR coder;
 *  - member of struct hd_switch_view. */
#define HD_STATE_LIST(X)                                               \
  X(SWITCH, errors, HD_ERROR_BITS, RESET, PLAIN, errors)               \
  X(IN_VC, occupancy, 7, RESET, PLAIN, in[p][v].occupancy)             \
  X(IN_VC, state, 2, RESET, PLAIN, in[p][v].state)                     \
  X(IN_VC, oport, 4, OPEN, PLAIN, in[p][v].oport)                      \
  X(IN_VC, ovc, 3, OPEN, PLAIN, in[p][v].ovc)                          \
  X(IN, next, 3, RESET, PLAIN, in_next[p])                             \
  X(OUT_VC, credit, 7, RESET, PLAIN, out[p][v].credit)                 \
  X(OUT_VC, owned, 1, RESET, PLAIN, out[p][v].owned)                   \
  X(OUT, next, 4, RESET, PLAIN, out_next[p])                           \
  X(OUT, vc_next, 3, RESET, PLAIN, vc_next[p])                         \
  X(IN_VC, preempted, 1, RESET, BARRIER, in[p][v].preempted)           \
  X(IN, queued, 2, RESET, BARRIER, barrier[p].queued)                  \
  X(OUT, slot, 1, RESET, BARRIER, barrier[p].slot)                     \
  X(OUT, second, 1, RESET, BARRIER, barrier[p].second)                 \
  X(OUT, preempting, 1, RESET, BARRIER, barrier[p].preempting)         \
  X(OUT, preempt_vc, 3, LATER, BARRIER, barrier[p].preempt_vc)         \
  X(OUT, preempt_next, 3, RESET, BARRIER, barrier[p].preempt_next)     \
  X(OUT, burst, 3, RESET, BARRIER, barrier[p].burst)                   \
  X(OUT, rest, 5, RESET, BARRIER, barrier[p].rest)                     \
  X(OUT, barrier_credit, 2, RESET, BARRIER, barrier[p].barrier_credit) \
  X(UNIT, act, 1, RESET, BARRIER, unit_act)                            \
  X(UNIT, turn, 5, RESET, BARRIER, unit_turn)                          \
  X(UNIT, spread, 4, RESET, BARRIER, unit_spread)                      \
  X(IN, generator, 16, RESET, ADAPTIVE, generator[p])                  \
  X(SWITCH, packets, 14, RESET, COUNT, packets)                        \
  X(OUT, count, 6, RESET, COUNT, count[p])                             \
  X(CODER, waiting, 9, RESET, CODER, coder_waiting)                    \
  X(CODER, next, 8, RESET, CODER, coder_next)                          \
  X(CODER, picked, 1, RESET, CODER, coder_picked)                      \
  X(CODER, sending, 1, RESET, CODER, coder_sending)                    \
  X(CODER, flit, 4, RESET, CODER, coder_flit)

enum hd_state_place {
  HD_PLACE_SWITCH,
  HD_PLACE_IN_VC,
  HD_PLACE_IN,
  HD_PLACE_OUT_VC,
  HD_PLACE_OUT,
  HD_PLACE_UNIT,
  HD_PLACE_CODER
};
enum hd_state_when { HD_STATE_RESET, HD_STATE_OPEN, HD_STATE_LATER };

/** A line of HD_STATE_LIST. */
struct hd_state {
  const char *name; /* the part of the name after the last dot */
  enum hd_state_place place;
  uint8_t bits;
  enum hd_state_when when;
  enum hd_part part;
};
#define HD_STATE_ONE(...) +1
enum { HD_STATES = HD_STATE_LIST(HD_STATE_ONE) };
#undef HD_STATE_ONE
extern const struct hd_state hd_state_list[HD_STATES];

/** Bytes of a name. */
enum { HD_STATE_NAME = 40 };

/** Writes a state's name, such as "in[1].vc[0].occupancy". Port and channel are ignored if the name has none. */
void hd_state_name(char name[HD_STATE_NAME], const struct hd_state *state, unsigned port,
                   unsigned vc);

/** Finds the state of that name, its port and its channel. NULL: there is none. */
const struct hd_state *hd_state_find(const char *name, unsigned *port, unsigned *vc);

/** How often a switch of `params` has a state: at `ports` ports, for `vcs` channels of each; 1, 1: once; 0, 0: never. */
struct hd_state_count {
  unsigned ports, vcs;
};
struct hd_state_count hd_state_count(const struct hd_state *state,
                                     const struct hd_switch_params *params);

/** Returns the state's width in bits in a switch of `params`. The error register is narrower without barrier messages
 *  or coder. */
unsigned hd_state_bits(const struct hd_state *state, const struct hd_switch_params *params);

enum { HD_VC_STATES = 3 };
/** Returns "idle", "open" or "sink" for a value of in[p].vc[v].state (§2.4); otherwise "?". */
const char *hd_vc_state_name(uint32_t state);

#endif
