/* Hand-made events at the ports of a few switches, and the rule that they break (specification §6.7).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A test adds flits and credits in any order of cycles, changes `params` where it needs to, and calls expect. That
 * plays them in windows of several lengths, and begins anew.
 */
#ifndef HD_PORT_RIG_H
#define HD_PORT_RIG_H

#include "../../../bridge/watch/port_watch.h"

#include "test.h"

CLEANUP_OF(struct hd_port_watch, hd_port_watch_destroy)

enum {
  PORTS = 4,
  SWITCHES = 4,
  PORT_EVENTS = 4096,
  HEAD = HD_KIND_HEAD,
  BODY = HD_KIND_BODY,
  TAIL = HD_KIND_TAIL,
  SINGLE = HD_KIND_SINGLE
};

/* Events of a switch, by cycle. */
struct events {
  struct hd_flit_event in[PORT_EVENTS], out[PORT_EVENTS];
  struct hd_credit_event credits_in[PORT_EVENTS], credits_out[PORT_EVENTS];
  struct hd_config_event writes[PORT_EVENTS];
  uint32_t n_in, n_out, n_credits_in, n_credits_out, n_writes;
};
extern struct events events[SWITCHES];
extern struct hd_peer peers[SWITCHES * PORTS], senders[SWITCHES * PORTS];
extern struct hd_port_watch_params params;

/** The fixture of each test: one switch with a node at each port; node n is at port n. */
int port_rig_begin(void **state);

/** The header of a packet to a node. */
uint64_t head_to(unsigned node, uint64_t number);

void credit(struct hd_credit_event *list, uint32_t *n, struct hd_credit_event e);

/** A flit at an input of switch `sw`, whose slot is credited three cycles later. */
void flit_in_of(unsigned sw, uint32_t cycle, unsigned port, unsigned vc, unsigned kind,
                uint64_t data);

/** A flit at an output, whose receiver gives its credit two cycles later. */
void flit_out_of(unsigned sw, uint32_t cycle, unsigned port, unsigned vc, unsigned kind,
                 uint64_t data);

/** Events of switch 0. */
void flit_in(uint32_t cycle, unsigned port, unsigned vc, unsigned kind, uint64_t data);
void flit_out(uint32_t cycle, unsigned port, unsigned vc, unsigned kind, uint64_t data);

/** Adds events of switch 0 that are written as text: "in 10 0.1 H 2 7, out 14 2.0 B 18". The first is a head for node 2
 *  with number 7 at input port 0, channel 1, in cycle 10, the second a body with data 18 at output port 2. Kinds are H
 *  head, S single, P whole packet (packet_in), each with node and number; B body, T tail, each with its data; and M
 *  multicast single, with tree and number (§13). */
void add_events(const char *text);

/** Adds events, plays all in windows of several lengths, and begins anew: the rule is broken in that cycle, at that port
 *  and channel; or none is. */
void expect_break(const char *text, enum hd_port_rule rule, uint32_t cycle, unsigned port,
                  unsigned vc);
void expect_no_break(const char *text);

/** The header of a multicast flit. */
uint64_t head_to_tree(unsigned tree, uint64_t number);

/** A packet of four flits that comes in, or leaves, from `cycle` on. */
void packet_in(uint32_t cycle, unsigned port, unsigned vc, unsigned node, uint64_t number);
void packet_out(uint32_t cycle, unsigned port, unsigned vc, unsigned node, uint64_t number);

/** The table of every switch: node n by port n; of several switches by port 1, but for the switch's own node, at
 * port 0. */
struct hd_port_watch *open_watch(void);

/** A window of the events of switch `sw`. */
int play(struct hd_port_watch *watch, uint32_t sw, uint32_t start, uint32_t cycles,
         struct hd_port_break *broken);

/** The first rule that is broken in 3,000 cycles or at their end, by windows of `cycles`. */
struct hd_port_break judge_events(uint32_t cycles);

/** Plays all events in windows of several lengths: this rule must be the first that is broken, at this place. Then
 *  begins anew. */
void expect(enum hd_port_rule rule, uint32_t cycle, unsigned port, unsigned vc);

#endif
