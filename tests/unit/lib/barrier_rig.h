/* One switch with a barrier part, its pins set by hand, its outputs kept with their cycles.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A port is set, then tick() or a helper that ends the cycle.
 */
#ifndef HD_BARRIER_RIG_H
#define HD_BARRIER_RIG_H

#include "../../../cmodel/switch/switch.h"

#include "test.h"

enum { RIG_EVENTS = 4096 };

/* Values at a port's pins in this cycle. */
struct pins {
  bool valid;
  uint8_t vc, kind;
  uint64_t data;
  unsigned credits; /* bit HD_BARRIER_CREDIT: barrier credit */
};

struct rig {
  struct hd_switch_params params;
  struct hd_switch *sw;
  uint64_t cycle; /* the one whose pins are set next */
  struct pins pins[HD_MAX_PORTS];
  bool write;
  uint32_t addr;
  uint16_t value;
  struct hd_flit_event flits[RIG_EVENTS]; /* cycles are those in which they are visible */
  struct hd_credit_event credits[RIG_EVENTS];
  uint32_t n_flits, n_credits, blocked;
};

/** Three ports, one virtual channel of four flits, R = 1, D = 0; M = 1. */
struct hd_switch_params plain_params(unsigned barrier);

/** Plays one cycle with the pins as they are set. Then all pins are idle. */
void tick(struct rig *r);

/** Gives credits of the channels in mask `vcs` to output `port`, and plays the cycle. */
void give_credits(struct rig *r, unsigned port, unsigned vcs);

/** Gives back all barrier credits that outputs have used. */
void refill(struct rig *r);

/** Shows a flit, and plays the cycle. */
void put_flit(struct rig *r, unsigned port, unsigned vc, unsigned kind, uint64_t data);

uint16_t errors_of(const struct rig *r);

/** Credits visible at input `port` in `cycle`; bit HD_BARRIER_CREDIT as in hd_switch_put_credit. */
unsigned credits_at(const struct rig *r, uint64_t cycle, unsigned port);

/** Finds the next message that output `port` shows from *cycle on; *cycle becomes the cycle after it. Returns false
 *  if there is none. */
bool next_message(const struct rig *r, uint64_t *cycle, unsigned port, uint64_t *message);

enum { HEAD_FOR_1 = 1 << 2 }; /* header for node 1 */

uint32_t message_from(unsigned bsr);

bool messages_use_buffers(unsigned barrier);

struct hd_switch_view view_of(const struct rig *r);

void rig_open(struct rig *r, const struct hd_switch_params *params);

/** Frees the switch. No error must be left in its register. */
void rig_close(struct rig *r);

void run_to(struct rig *r, uint64_t cycle);

void set_flit(struct rig *r, unsigned port, unsigned vc, unsigned kind, uint64_t data);

void configure(struct rig *r, uint32_t addr, unsigned value);

/** A message at input `port`; the rig's cycle is then the one after its last flit. */
void put_message(struct rig *r, unsigned port, unsigned vc, uint64_t message);

/** The error register must hold exactly these errors. Clears it. */
void expect_errors(struct rig *r, unsigned errors);

void expect_flit(const struct rig *r, uint64_t cycle, unsigned port, unsigned vc, unsigned kind,
                 uint64_t data);

void expect_none(const struct rig *r, uint64_t first, uint64_t end, unsigned port);

/** Runs 40 cycles: exactly this message leaves, by `port`. */
void expect_message(struct rig *r, unsigned port, uint64_t message);

void expect_silence(struct rig *r);

/** Messages to switch 2 leave by output 1, heads for node 1 likewise, on any channel. */
void open_way(struct rig *r, const struct hd_switch_params *params);
/** The same with the plain parameters of this kind of barrier hardware. */
void open_plain_way(struct rig *r, unsigned barrier);

#endif
