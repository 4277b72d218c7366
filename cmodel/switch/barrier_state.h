/* The barrier part of a switch's block of memory; for cmodel/switch*.c and barrier*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The block has this part if BARRIER >= 1 (specification §7.1). Sets name the ports and entries that have something to
 * do, so that a cycle looks only at these. hd_switch.active counts each queued message, full slot, preempted channel,
 * and so on once.
 */
#ifndef HD_BARRIER_STATE_H
#define HD_BARRIER_STATE_H

#include "switch_state.h"

/** An entry of the status table, §8.2. Masks are sets of ports. */
struct barrier_entry {
  uint8_t valid, group, bsr, root, built, failed;
  uint8_t up; /* a send up is pending; to_local, to_child: ports with pending sends */
  uint16_t center, count, parent;
  uint16_t child, child_in, local, local_in, to_local, to_child;
  uint16_t child_address[HD_MAX_PORTS];
  uint8_t operator_, result_operator; /* §8.14; so are value, result */
  uint32_t value, result;
};

/** The barrier part of an input port, §7.4. The queue's oldest message comes first. */
struct barrier_input {
  uint64_t queue[HD_BARRIER_QUEUE];
  uint8_t queued;
  uint8_t preempted; /* mask of channels */
  uint16_t low[HD_MAX_VCS];
};

/** §7.6 */
struct barrier_output {
  uint64_t slot;
  uint16_t idle;
  uint8_t second, use_vc;
  uint8_t preempt_vc, preempt_next;
  uint8_t credit;
  uint8_t burst; /* messages of this preemption so far */
  uint8_t rest;  /* cycles left in which nothing may be preempted */
};

enum { NOBODY = 0xff }; /* value of barrier_state.owed */

enum { BURST_MESSAGES = 4, REST_CYCLES = 16 };

/** Kinds of messages that the unit sends for an entry, §8.3. */
enum barrier_send { SEND_UP, SEND_LOCAL, SEND_CHILD };

/** The step that is under way (§8.5), with what its look has found. */
struct barrier_unit {
  uint8_t act; /* 0: the next step is look */
  uint8_t turn, spread;
  uint8_t source; /* a port, or PORTS for the table */
  uint8_t entry;
  uint16_t ways; /* ways to the destination */
};

struct barrier_state {
  uint16_t queued_ports;     /* inputs with a message */
  uint16_t preempted_ports;  /* inputs with a channel that is preempted */
  uint16_t full_ports;       /* outputs with a message in the slot */
  uint16_t preempting_ports; /* outputs with a preempted channel */
  uint16_t resting_ports;    /* outputs whose rest is not 0 */
  uint32_t pending;          /* entries with pending sends */
  uint16_t pushed_ports;     /* inputs that got a message from a buffer in the last advance */
  uint8_t taken_port;        /* input from whose queue the unit took a message in the cycle
                              * `taken_cycle` */
  uint8_t all_flits;         /* M of §7.1 */
  uint8_t beside;
  uint8_t owed[HD_MAX_PORTS]; /* by slot: the source that it is kept for, or NOBODY (§8.4) */
  uint16_t port_bits;
  uint64_t taken_cycle;
  uint64_t held_cycle;                                   /* cycle in which the unit pauses */
  uint64_t step_cycle;                                   /* last cycle in which it took a step */
  uint16_t idle_limit, self, live, center, count, local; /* registers, §8.6 */
  struct barrier_unit unit;
  struct barrier_input input[HD_MAX_PORTS];
  struct barrier_output output[HD_MAX_PORTS];
  uint32_t ways_offset;           /* barrier routing table: bytes from the switch's start */
  struct barrier_entry entries[]; /* [groups] */
};

static inline struct barrier_state *barrier_of(const struct hd_switch *sw)
{
  return (struct barrier_state *)(void *)(uintptr_t)((const char *)sw + sw->barrier_offset);
}

static inline uint16_t *barrier_ways(const struct hd_switch *sw, const struct barrier_state *b)
{
  return (uint16_t *)(void *)(uintptr_t)((const char *)sw + b->ways_offset);
}

/** Returns the bytes of this part for these parameters; 0 without barrier. */
size_t hd_barrier_size(const struct hd_switch_params *params);
/** Sets the state that a reset keeps. The block must hold zeros, and its offset must be set. */
void hd_barrier_init(struct hd_switch *sw);
void hd_barrier_reset(struct hd_switch *sw);

/** How the barrier part uses the ports in one cycle. */
struct barrier_cycle {
  unsigned sending; /* outputs that send by §7.6 */
  uint8_t kind[HD_MAX_PORTS], vc[HD_MAX_PORTS];
  uint64_t data[HD_MAX_PORTS];
  unsigned credit_ports;         /* inputs that give a barrier credit */
  unsigned padded;               /* number of channels that want padding */
  unsigned padded_ports;         /* inputs with such channels */
  uint8_t padding[HD_MAX_PORTS]; /* masks of these channels, by input */
  unsigned masked;               /* outputs that §7.7 restricts */
  uint8_t open_can[HD_MAX_PORTS],
      head_can[HD_MAX_PORTS]; /* of these: channels that open packets, that heads may use */
};

/* Ports (barrier_port.c). Order in a cycle: hd_barrier_begin, picks, hd_barrier_picked, grants, arrivals. */

/** Carries out a step of the unit and of the output ports. From here to hd_barrier_picked, padding is among the fronts
 *  (§7.5). */
void hd_barrier_begin(struct hd_switch *sw, uint64_t cycle, struct barrier_cycle *now);
void hd_barrier_picked(struct hd_switch *sw, const struct barrier_cycle *now);
/** Returns why §7.7 keeps a front from `output` that could have it otherwise. */
enum hd_spec_point hd_barrier_blocked(const struct barrier_cycle *now, unsigned output, bool open);
/** Takes in a barrier or padding flit that passes beside the buffers (§7.4). */
void hd_barrier_arrive(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                       unsigned kind, uint64_t data);
/** Takes a barrier or padding flit from the front of a buffer (§7.5). False: it waits. */
bool hd_barrier_front(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                      const struct slot *front);
void hd_barrier_credit(struct hd_switch *sw, uint64_t cycle, unsigned port);
/** Returns the channel on which a message may start at output `port` in the present state, whether or not the slot is
 *  empty (§7.6). `initial`: the message is an initial reduce. -1: none. */
int hd_barrier_may_start(const struct hd_switch *sw, unsigned port, bool initial);

/* Unit (barrier_unit.c). */

/** Effects of a step of the unit outside its own state. */
struct barrier_step {
  int put_port; /* -1: nothing was put into a slot */
  uint64_t message;
  int taken_port; /* input whose message left its queue; -1: none */
};
void hd_barrier_step(struct hd_switch *sw, uint64_t cycle, struct barrier_step *step);
/** Called instead of the step in a cycle with a configuration write (§8.5). */
void hd_barrier_hold(struct hd_switch *sw);
/** Returns the group's entry (§8.2), or NULL. */
struct barrier_entry *hd_barrier_find(const struct hd_switch *sw, unsigned group);
/** Carry out OPEN and CLOSE (§8.6). */
void hd_barrier_open(struct hd_switch *sw, uint64_t cycle, unsigned group);
void hd_barrier_close(struct hd_switch *sw, unsigned group);
/** Releases all slots that are kept for a source (§8.4). */
void hd_barrier_owe_nobody(struct hd_switch *sw);

#endif
