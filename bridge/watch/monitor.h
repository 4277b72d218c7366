/* A monitor for one router in a bench of your own: pins in, the first broken rule out (specification §6.7).
 * SPDX-License-Identifier: Apache-2.0
 *
 *   hd_monitor_create   once, with the router's properties
 *   hd_monitor_route    the outputs by which packets may leave; without it they may leave by all
 *   hd_monitor_cycle    at each rising edge of the clock, with the values of the pins before the edge
 *   hd_monitor_end      after the bench has taken all flits: checks that none is left inside
 *
 * The router may have registers between inputs and outputs, or none. After the first broken rule
 * the monitor judges nothing more. docs/monitors.md has benches in C++, SystemVerilog and Python.
 */
#ifndef HD_MONITOR_H
#define HD_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct hd_error;

enum { HD_MONITOR_MAX_BITS = 1024, HD_MONITOR_ANY_PORT = -1 };

/** Kinds of flow control. X(NAME, name, meaning of the wires that run against the flits). */
#define HD_MONITOR_LINKS_LIST(X)                                  \
  X(READY, "ready", "the channel takes the flit that is offered") \
  X(CREDITS, "credits", "a slot of the channel has become free")  \
  X(ONOFF, "onoff", "the channel is on: flits may be sent, and none is refused")

enum hd_monitor_links {
#define HD_MONITOR_LINKS_ENUM(NAME, name, says) HD_MONITOR_##NAME,
  HD_MONITOR_LINKS_LIST(HD_MONITOR_LINKS_ENUM)
#undef HD_MONITOR_LINKS_ENUM
};

/** Rules in addition to those of port_watch.h. X(NAME, number, name, sentence). */
#define HD_MONITOR_RULE_LIST(X)                                                  \
  X(BENCH, "B1", "bench", "the bench broke a rule, so the router is not judged") \
  X(WITHDRAWN, "V1", "withdrawn",                                                \
    "a flit that was offered was withdrawn or changed before it was taken")      \
  X(OFF, "V2", "off", "a flit was sent on a channel that was off")

/** Properties of the router. "0:" in a comment gives the default. */
struct hd_monitor_params {
  uint32_t ports;     /* 2 … 16; there are as many outputs as inputs */
  uint32_t vcs;       /* virtual channels of a port, 1 … 8 */
  uint32_t data_bits; /* bits of a flit without `first`, `last` and `vc`: 1 … 1024 */
  uint32_t nodes;     /* destinations that packets name, 1 … 2048; 0: they name none */
  enum hd_monitor_links links;
  /** CREDITS: slots of a channel, 1 … 254, at inputs and at the receivers of outputs; otherwise
   *  0. */
  uint32_t depth_flits;
  /** ONOFF: for this many cycles after a channel went off, flits may still be sent; 0: 1. */
  uint32_t off_cycles;
  /** P12: packets that keep their order: "channels", "flows", "pairs", "none". NULL or "usual":
   *  "flows" if routes were given, each with one port at most, otherwise "none". Not used after
   *  hd_monitor_create. */
  const char *order;
  uint32_t held_cycles;   /* limit of P14; 0: 64; UINT32_MAX: the rule is off */
  uint32_t starved_heads; /* limit of P15; 0: 64 · vcs; UINT32_MAX: the rule is off */
  uint32_t unlinked;      /* bit p: output p has no link (P5) */
  bool no_first;          /* there is no wire `first`: the flit after a last one begins a packet */
  bool may_withdraw;      /* READY: the router may withdraw what it offers (V1) */
  bool four_state;        /* the bench looks for X and Z, and calls hd_monitor_unknown (P17) */
  /** [data_bits / 32, rounded up], lowest first, copied: bits of a packet's first flit that the
   *  router does not change. NULL: all. */
  const uint32_t *kept;
};

/** One direction of a port in one cycle. */
struct hd_monitor_side {
  bool valid;
  bool first, last; /* flit of a packet */
  uint8_t vc;
  uint8_t back;         /* bit v: channel v's ready, credit or on */
  uint32_t node;        /* destination; read with a first flit */
  const uint32_t *data; /* [data_bits / 32, rounded up], lowest first; NULL without `valid` */
};
struct hd_monitor_port {
  struct hd_monitor_side in, out;
};

struct hd_monitor;

/** HD_E_INPUT if the parameters are not possible, with a sentence in *err (may be NULL);
 *  HD_E_NOMEM. */
int hd_monitor_create(struct hd_monitor **monitor, const struct hd_monitor_params *params,
                      struct hd_error *err);
void hd_monitor_destroy(struct hd_monitor *monitor); /* NULL is allowed */

/** Sets the route of packets for `node` that come in by `in_port` (HD_MONITOR_ANY_PORT: by any
 *  port). They may leave by the outputs in the set `ports`, on the channels in the set
 *  `channels` (0: all; a smaller set only with a single port). No ports: the router drops these
 *  packets. Call it before the first cycle or after a reset. HD_E_INPUT. */
int hd_monitor_route(struct hd_monitor *monitor, int in_port, uint32_t node, uint32_t ports,
                     uint32_t channels, struct hd_error *err);

/** Judges a cycle; ports[params.ports]. Cycles count from 0, the first call of this function or of
 *  hd_monitor_reset. Returns 1 if a rule is broken in this cycle or was shortly before; 0 if none
 *  is, or if one was already reported; HD_E_NOMEM. */
int hd_monitor_cycle(struct hd_monitor *monitor, const struct hd_monitor_port *ports);

/** Says that a pin is X or Z in the cycle that ends with the next hd_monitor_cycle. The pin is
 *  valid or part of a valid flit or, with `back`, a wire that runs against the flits. It belongs
 *  to output `port` with `out`, otherwise to input `port`. */
void hd_monitor_unknown(struct hd_monitor *monitor, bool out, bool back, uint32_t port);

/** The router is reset in this cycle and loses all flits inside. This counts as a cycle. */
void hd_monitor_reset(struct hd_monitor *monitor);

/** Judges flits that did not leave, and credits that did not come back. Returns 1 if a rule is
 *  broken, now or before; also if nothing crossed the ports, or if the bench keeps the router
 *  from sending. */
int hd_monitor_end(struct hd_monitor *monitor);

/** "P4", as in hd_port_rule_number; "" while no rule is broken. */
const char *hd_monitor_rule(const struct hd_monitor *monitor);
/** Describes the broken rule: number, name, sentence, cycle, port, channel, what was seen,
 *  packet. If no rule is broken, says what crossed the ports, and which rules were watched or
 *  not, and why. The text lives until the next call. */
const char *hd_monitor_says(struct hd_monitor *monitor);

#ifdef __cplusplus
}
#endif

#endif
