/* The switch model: cycle-exact at every port (specification chapter 2 and 3).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A switch is one flat block of memory without pointers into itself, so a snapshot
 * is a copy. No I/O, no globals, no clock of its own: the caller names the cycle.
 *
 * All outputs are registered, so what a cycle makes depends on the state at its start
 * alone. Order of calls in a cycle c: first hd_switch_advance(c), then _put_flit and
 * _put_credit for what is at the pins in c, then _config_write. The advance may be left
 * out while hd_switch_active() is 0. The one exception: a switch with a barrier part has to
 * be told of a configuration write before it advances, by hd_switch_config_ahead(c).
 */
#ifndef HD_SWITCH_H
#define HD_SWITCH_H

#include "../port_event.h"
#include "params.h"
#include "registers.h"
#include "states.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_switch;

/** Bytes and alignment-64 storage that a switch needs; params must be checked. */
size_t hd_switch_size(const struct hd_switch_params *params);

/** Makes caller's storage (hd_switch_size() bytes, 64-byte aligned) a switch after
 *  reset with empty tables. */
struct hd_switch *hd_switch_init(void *storage, const struct hd_switch_params *params);

/** Reset (§2.9): tables are kept. The next cycle may be any number. */
void hd_switch_reset(struct hd_switch *sw);

/** A flit at input `port` in `cycle`. `tag` travels with it inside the model and is
 *  never visible at a DUT (the fabric uses it as packet number). */
void hd_switch_put_flit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                        unsigned kind, uint64_t data, uint32_t tag);

/** Credits at output `port` in `cycle`; bit HD_BARRIER_CREDIT of `vcs`: a barrier credit. */
void hd_switch_put_credit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vcs);

/** There will be a configuration write in `cycle`; before its advance. Needed with barrier
 *  only, where the barrier unit stands still in such a cycle (§8.5). */
void hd_switch_config_ahead(struct hd_switch *sw, uint64_t cycle);

/** A configuration write in `cycle` (§3), in force from the next cycle on. */
void hd_switch_config_write(struct hd_switch *sw, uint64_t cycle, uint32_t addr, uint16_t data);

/** What a configuration read would show of the state now. */
uint16_t hd_switch_config_read(const struct hd_switch *sw, uint32_t addr);

/** What one cycle made; arrays are the caller's, room for one event a port each. */
struct hd_switch_output {
  struct hd_flit_event *flits;     /* appended, sorted by port, visible at cycle+2+D */
  uint32_t *tags;                  /* the flits' tags; of kinds 4 to 7 UINT32_MAX */
  struct hd_credit_event *credits; /* appended, sorted by port, visible at cycle+1; a port with a
                                      barrier credit alone has vcs 0 */
  uint32_t n_flits, n_credits;
  uint32_t blocked; /* blocked flit-cycles (§6.3) of this cycle */
};

/** Allocation of `cycle` and what it changes. Event cycles are written relative
 *  to `window_start` (§6.1). Sets n_flits, n_credits, blocked. */
void hd_switch_advance(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                       struct hd_switch_output *out);

/** Flits in buffers and route pipelines and, with barrier, everything that §8.8 asks about (a
 *  channel that is preempted and an output that rests count); 0 means hd_switch_advance may be skipped. */
uint32_t hd_switch_active(const struct hd_switch *sw);

/** §2.10 at `cycle`: is quiescent_o 1? Correct after all calls for cycles < `cycle`. */
bool hd_switch_quiescent(const struct hd_switch *sw, uint64_t cycle);

/** First cycle from which quiescent_o is 1 if nothing enters any more; UINT64_MAX while the
 *  switch is active. */
uint64_t hd_switch_quiet_from(const struct hd_switch *sw);

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
/** A barrier message is in a queue, a buffer or a slot, or the unit has something to send. */
bool hd_switch_holds_messages(const struct hd_switch *sw);

/** The entry of `group`; false: there is none. */
bool hd_switch_look_group(const struct hd_switch *sw, unsigned group, struct hd_group_view *view);

#endif
