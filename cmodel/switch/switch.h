/* The switch model: cycle-exact at every port (specification chapter 2 and 3).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A switch is one flat block of memory without pointers into itself, so a snapshot is a copy. It does no I/O and has no
 * globals and no clock: the caller gives the cycle.
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

/** Returns the bytes of storage that a switch needs, aligned to 64 bytes. The params must be checked. */
size_t hd_switch_size(const struct hd_switch_params *params);

/** Makes a switch in the caller's storage (hd_switch_size() bytes, 64-byte aligned). Its state is that after reset, and
 *  its tables are empty. */
struct hd_switch *hd_switch_init(void *storage, const struct hd_switch_params *params);

/** Makes the switch count into `coverage`, the caller's. Many switches of one thread may share it. NULL: it counts
 *  nothing, as after hd_switch_init. `node_ports`: a bit for each port that leads to a node. With coverage it also
 *  counts the blocked flit-cycles (§6.3) of each input channel in `blocked`, the caller's [ports·vcs], index
 *  port·vcs + vc; NULL: it does not. A copy of the switch counts into the same places until this is called for it.
 *  */
void hd_switch_cover(struct hd_switch *sw, struct hd_coverage *coverage, uint64_t *blocked,
                     unsigned node_ports);

/** Resets the switch (§2.9). Tables are kept. The next cycle may have any number. */
void hd_switch_reset(struct hd_switch *sw);

/** Tag of the flits of packets that the coder makes (§11.6); flits that are no packet's have UINT32_MAX. */
enum { HD_TAG_MADE = UINT32_MAX - 1 };

/** Puts a flit at input `port` in `cycle`. `tag` travels with it inside the model, and a DUT never shows it (the fabric
 *  uses it as packet number). */
void hd_switch_put_flit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                        unsigned kind, uint64_t data, uint32_t tag);

/** Puts credits at output `port` in `cycle`. Bit HD_BARRIER_CREDIT of `vcs`: a barrier credit; from bit HD_COUNT_WIRES
 *  on: a count (§10.8). */
void hd_switch_put_credit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vcs);

/** Announces a configuration write in `cycle`. Called before the advance of that cycle, and needed only with barrier,
 *  because the barrier unit pauses in such a cycle (§8.5). */
void hd_switch_config_ahead(struct hd_switch *sw, uint64_t cycle);

/** Writes to the configuration port in `cycle` (§3). The write is in force from the next cycle on. */
void hd_switch_config_write(struct hd_switch *sw, uint64_t cycle, uint32_t addr, uint16_t data);

/** Returns the value that a configuration read gets in the present state. */
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

/** Carries out the allocation of `cycle` and changes the state accordingly. Event cycles count from `window_start`
 *  (§6.1). Sets n_flits, n_credits, blocked. */
void hd_switch_advance(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                       struct hd_switch_output *out);

/** Returns the number of flits in buffers and route pipelines and, with barrier, of all things that §8.8 requires to be
 *  empty or 0, such as preempted channels; one more for a count that is to be shown (§10.8). At 0, hd_switch_advance
 *  may be skipped. */
uint32_t hd_switch_active(const struct hd_switch *sw);

/** Returns quiescent_o at `cycle` (§2.10). Correct after all calls for cycles < `cycle`. */
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
  uint8_t count[HD_MAX_PORTS];      /* the neighbours' counts (§10.8) */
  uint16_t packets;                 /* N of §10.8 */
  uint16_t coder_waiting;           /* §11.14 */
  uint8_t coder_next, coder_picked, coder_sending, coder_flit;
};
void hd_switch_look(const struct hd_switch *sw, struct hd_switch_view *view);

/** Returns the value of a state of hd_state_list in a view. */
uint32_t hd_switch_view_get(const struct hd_switch_view *view, const struct hd_state *state,
                            unsigned port, unsigned vc);

/** An entry of the status table (§8.2), for tests of its tree. Sets are sets of ports. */
struct hd_group_view {
  bool bsr, built, failed, pending;
  uint16_t center, parent;
  uint16_t child, child_in, local, local_in;
  uint16_t child_address[HD_MAX_PORTS];
};
/** Returns true if a barrier message is in a queue, a buffer or a slot, or the unit has a pending send. */
bool hd_switch_holds_messages(const struct hd_switch *sw);

/** Gets the entry of `group`. False: there is none. */
bool hd_switch_look_group(const struct hd_switch *sw, unsigned group, struct hd_group_view *view);

#endif
