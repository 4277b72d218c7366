/* The switch model: cycle-exact at every port (specification chapter 2 and 3).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A switch is one flat block of memory without pointers into itself, so a snapshot
 * is a copy. No I/O, no globals, no clock of its own: the caller gives the cycle.
 *
 * All outputs are registered, so the outputs of a cycle depend only on the state at its
 * start. Order of calls in a cycle c: first hd_switch_advance(c), then _put_flit and
 * _put_credit for what is at the pins in c, then _config_write. The advance may be left
 * out while hd_switch_active() is 0. With barrier, if there is a configuration write in c,
 * hd_switch_config_ahead(c) must be called before the advance.
 */
#ifndef HD_SWITCH_H
#define HD_SWITCH_H

#include "../port_event.h"
#include "coverage.h"
#include "params.h"
#include "registers.h"
#include "states.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_switch;

/** Bytes of storage that a switch needs, aligned to 64 bytes; params must be checked. */
size_t hd_switch_size(const struct hd_switch_params *params);

/** Makes a switch in the caller's storage (hd_switch_size() bytes, 64-byte aligned). It is
 *  after reset and has empty tables. */
struct hd_switch *hd_switch_init(void *storage, const struct hd_switch_params *params);

/** From now on the switch counts into `coverage`, the caller's, which may be that of many switches of
 *  one thread; NULL: it counts nothing, as after hd_switch_init. Bits of `node_ports`: ports that lead
 *  to nodes. With coverage it also counts the blocked flit-cycles (§6.3) of each input channel in
 *  `blocked`, the caller's [ports·vcs], index port·vcs + vc; NULL: it does not. A copy of the switch
 *  counts there, too, until it is told otherwise. */
void hd_switch_cover(struct hd_switch *sw, struct hd_coverage *coverage, uint64_t *blocked,
                     unsigned node_ports);

/** Reset (§2.9): tables are kept. The next cycle may be any number. */
void hd_switch_reset(struct hd_switch *sw);

/** Tag of the flits of packets that the coder makes (§11.6); flits that are no packet's have UINT32_MAX. */
enum { HD_TAG_MADE = UINT32_MAX - 1 };

/** A flit at input `port` in `cycle`. `tag` travels with it inside the model and is
 *  never visible at a DUT (the fabric uses it as packet number). */
void hd_switch_put_flit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                        unsigned kind, uint64_t data, uint32_t tag);

/** Credits at output `port` in `cycle`; bit HD_BARRIER_CREDIT of `vcs`: a barrier credit; from bit
 *  HD_COUNT_WIRES on: a count (§10.8). */
void hd_switch_put_credit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vcs);

/** Says that there will be a configuration write in `cycle`. Called before the advance of that cycle. Needed
 *  only with barrier, because the barrier unit does nothing in such a cycle (§8.5). */
void hd_switch_config_ahead(struct hd_switch *sw, uint64_t cycle);

/** A configuration write in `cycle` (§3), in force from the next cycle on. */
void hd_switch_config_write(struct hd_switch *sw, uint64_t cycle, uint32_t addr, uint16_t data);

/** The value that a configuration read returns in the state now. */
uint16_t hd_switch_config_read(const struct hd_switch *sw, uint32_t addr);

/** Outputs of one cycle. The arrays are the caller's; each has room for one event per port. */
struct hd_switch_output {
  struct hd_flit_event *flits;     /* appended, sorted by port, visible at cycle+2+D */
  uint32_t *tags;                  /* the flits' tags; of kinds 4 to 7 UINT32_MAX */
  struct hd_credit_event *credits; /* appended, sorted by port, visible at cycle+1; a port with a
                                      barrier credit or a count alone has vcs 0 */
  uint32_t n_flits, n_credits;
  uint32_t blocked; /* blocked flit-cycles (§6.3) of this cycle */
};

/** Carries out the allocation of `cycle` and changes the state accordingly. Event cycles are written relative
 *  to `window_start` (§6.1). Sets n_flits, n_credits, blocked. */
void hd_switch_advance(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                       struct hd_switch_output *out);

/** Number of flits in buffers and route pipelines and, with barrier, of all things that §8.8 requires to be
 *  empty or 0, such as preempted channels; and 1 for a count that is to be shown (§10.8). If it is 0,
 *  hd_switch_advance may be skipped. */
uint32_t hd_switch_active(const struct hd_switch *sw);

/** §2.10 at `cycle`: is quiescent_o 1? Correct after all calls for cycles < `cycle`. */
bool hd_switch_quiescent(const struct hd_switch *sw, uint64_t cycle);

/** State by the names of HD_STATE_LIST, for waves and reports. */
struct hd_switch_view {
  struct {
    uint8_t occupancy, state, oport, ovc, preempted;
  } in[HD_MAX_PORTS][HD_MAX_VCS];
  struct {
    uint8_t credit, owned;
  } out[HD_MAX_PORTS][HD_MAX_VCS];
  uint8_t in_next[HD_MAX_PORTS], out_next[HD_MAX_PORTS], vc_next[HD_MAX_PORTS];
  uint16_t errors;
  /* §8.10 */
  struct {
    uint8_t queued, slot, second, preempting, preempt_vc, preempt_next, burst, rest, barrier_credit;
  } barrier[HD_MAX_PORTS];
  uint8_t unit_act, unit_turn, unit_spread;
  uint16_t generator[HD_MAX_PORTS]; /* §10.6 */
  uint8_t count[HD_MAX_PORTS];      /* §10.8: of the neighbours */
  uint16_t packets;                 /* §10.8: N */
  uint16_t coder_waiting;           /* §11.14 */
  uint8_t coder_next, coder_picked, coder_sending, coder_flit;
};
void hd_switch_look(const struct hd_switch *sw, struct hd_switch_view *view);

/** The value of a state of hd_state_list in a view. */
uint32_t hd_switch_view_get(const struct hd_switch_view *view, const struct hd_state *state,
                            unsigned port, unsigned vc);

/** An entry of the status table (§8.2), for tests of the tree that it holds; sets are of ports. */
struct hd_group_view {
  bool bsr, built, failed, pending;
  uint16_t center, parent;
  uint16_t child, child_in, local, local_in;
  uint16_t child_address[HD_MAX_PORTS];
};
/** True if a barrier message is in a queue, a buffer or a slot, or the unit has a pending send. */
bool hd_switch_holds_messages(const struct hd_switch *sw);

/** The entry of `group`; false: there is none. */
bool hd_switch_look_group(const struct hd_switch *sw, unsigned group, struct hd_group_view *view);

#endif
