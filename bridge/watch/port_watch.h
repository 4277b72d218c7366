/* The rules at ports (specification §6.7): does each switch keep to links, credits, packets and tables?
 * SPDX-License-Identifier: Apache-2.0
 *
 * Events go in; the first broken rule comes out. The watch knows neither model nor RTL. It sees the
 * events at the ports of switches (§6.1), the writes to their tables, and the links. It judges each
 * switch alone, because the senders of a switch's inputs are judged by the same rules. In a bench
 * of your own:
 *
 *   hd_port_watch_create     once, with the parameters and links of the network
 *   hd_port_watch_config     for each table entry that a switch starts with; none where routes is not HD_ROUTES_TABLE
 *   hd_port_watch_switch     for each switch and each cycle, or window of cycles
 *   hd_port_watch_deadlock   now and then: finds packets that wait for each other in a circle
 *   hd_port_watch_end        when the network is empty: finds flits that did not come out
 */
#ifndef HD_PORT_WATCH_H
#define HD_PORT_WATCH_H

#ifdef __cplusplus
#define _Static_assert static_assert
#endif
#include "../../cmodel/port_event.h"
#include "../../cmodel/switch/params.h"
#include "../../cmodel/topology/topology.h"
#include "port_order.h"
#ifdef __cplusplus
#undef _Static_assert
extern "C" {
#endif

/** The rules. X(NAME, number, name, sentence). The numbers are those of the specification. */
#define HD_PORT_RULE_LIST(X)                                                                    \
  X(CREDIT, "P1", "no credit", "a flit was sent without a credit")                              \
  X(SURPLUS, "P2", "surplus credit", "a credit was given for a slot that no flit had taken")    \
  X(OWED, "P3", "credit kept", "credits did not come back")                                     \
  X(FRAMING, "P4", "framing", "the flits of a channel make no packet")                          \
  X(LINK, "P5", "no link", "a flit left by a port without a link")                              \
  X(ORIGIN, "P6", "made up", "a flit left that did not come in")                                \
  X(ROUTE, "P7", "route", "a head left by a way that is not allowed")                           \
  X(DOUBLED, "P8", "doubled", "a flit or packet left twice")                                    \
  X(DAMAGED, "P9", "damaged", "a flit left that is not as it came in")                          \
  X(MIXED, "P10", "mixed", "a flit left in the packet of another one")                          \
  X(SWAPPED, "P11", "swapped", "the flits of a packet left in another order than they came in") \
  X(ORDER, "P12", "order", "packets left in an order that is not promised")                     \
  X(MISSING, "P13", "lost in switch", "what came in did not leave")                             \
  X(HELD, "P14", "held", "a flit could leave for many cycles, and did not")                     \
  X(STARVED, "P15", "starved", "packets that came later left by the output that one waits for") \
  X(CIRCLE, "P16", "deadlock", "packets wait for each other in a circle")                       \
  X(UNKNOWN, "P17", "unknown", "an output was X or Z")

enum hd_port_rule {
  HD_PORT_NONE,
#define HD_PORT_RULE_ENUM(NAME, number, name, sentence) HD_PORT_##NAME,
  HD_PORT_RULE_LIST(HD_PORT_RULE_ENUM)
#undef HD_PORT_RULE_ENUM
};
#define HD_PORT_RULE_ONE(...) +1
enum { HD_PORT_RULES = 1 + HD_PORT_RULE_LIST(HD_PORT_RULE_ONE) };
#undef HD_PORT_RULE_ONE

/** "P1", "no credit", "a flit was sent without a credit"; static storage. */
const char *hd_port_rule_number(enum hd_port_rule rule);
const char *hd_port_rule_name(enum hd_port_rule rule);
const char *hd_port_rule_sentence(enum hd_port_rule rule);

/** A rule that a switch broke. */
struct hd_port_break {
  enum hd_port_rule rule; /* HD_PORT_NONE: none */
  uint64_t cycle;         /* cycle in which the break is visible */
  /* the first cycle that matters; with P14 … P16 it is earlier than `cycle` */
  uint64_t since;
  uint32_t sw;
  /* with P2, P3, P14 … P16, and P13 at the end, an input; otherwise an output; 0xff: none */
  uint8_t port, vc;
  bool has_flit;             /* a flit that left broke the rule */
  struct hd_flit_event flit; /* as it left */
  bool has_packet;           /* the packet is known; the next members describe it */
  uint8_t in_port, in_vc;    /* input by which the packet came in */
  uint64_t came;             /* cycle in which it came in */
  uint64_t head;             /* its header as it leaves */
  char what[240];            /* "head to node 14 left by port 1, the table says port 3" */
};

/** How often each rule was checked. The unit of each rule: P1, P4, P5: flits. P2: credits. P3:
 *  channels at the end of the run. P6, P7, P12: heads. P8 … P11: flits inside packets. P13:
 *  packets that left. P14, P15: looks at waiting packets. P16: looks at waiting channels. P17:
 *  flits and credits. */
struct hd_port_counts {
  uint64_t of[HD_PORT_RULES];
  /* most heads of one input port that left by the channels that one packet waited for */
  uint64_t most_passed;
  /* looks at outputs by which a flit left or could have left */
  uint64_t wanted;
  uint64_t idle; /* looks among these in which no flit left by the output */
  /* looks of P14 at packets under way while all of the receiver's slots were used */
  uint64_t filled;
};

struct hd_port_watch;

struct hd_port_watch_params {
  struct hd_switch_params sw;
  uint32_t n_switches;
  /* [n_switches][sw.ports]: receiver of each output, sender of each input; borrowed */
  const struct hd_peer *peers, *senders;
  /* For switches that compute routes (§12). Returns the route, as a table entry, of packets to a
     node that come in by a port; with `from`, of packets from a node. 0: no route. */
  uint16_t (*computed)(const void *context, bool from, uint32_t sw, uint32_t port, uint32_t node);
  const void *computed_context; /* borrowed */
  enum hd_port_order order;     /* HD_ORDER_USUAL: HD_ORDER_CHANNELS */
  enum hd_port_routes routes;
  uint32_t dims[HD_MAX_PORTS / 2],
      n_dims;        /* size of a mesh or torus (§5.1), for HD_ROUTES_DIMENSION_ORDER */
  uint32_t networks; /* virtual networks (§5.28), for HD_ORDER_NETWORKS; 0: one */
  /* The DUT is a whole network (§6.8). P14 and the limit of P15 are then those of networks. */
  bool is_network;
  uint32_t held_cycles; /* limit of P14; 0: HD_HELD_CYCLES, or HD_NETWORK_HELD_CYCLES */
  /* limit of P15; 0: that of §6.7 or §6.8; UINT32_MAX: the rule is off */
  uint32_t starved_heads;
  /* All zero for Heddle's own links and flits. monitor.h sets other values. */
  /* Links use valid and ready instead of credits. A credit event holds the channels that are
     ready from its cycle on. P1 to P3 and P16 are off. */
  bool ready_links;
  /* Outputs may depend on inputs of the same cycle. Windows have at least one cycle; their
   * outputs have cycles 0 … cycles − 1. */
  bool same_cycle;
  uint8_t shown_from; /* messages show a flit's data from this bit on */
  bool digests;       /* messages call the data digests */
};

/** Makes a watch with no packet under way and empty tables. HD_E_NOMEM; HD_E_INPUT: dimension
 *  order without dimensions, or too many nodes for a table of distances. */
int hd_port_watch_create(struct hd_port_watch **watch, const struct hd_port_watch_params *params,
                         struct hd_error *err);
void hd_port_watch_destroy(struct hd_port_watch *watch); /* NULL is allowed */

/** Writes to the configuration port (§3.2) of a switch before its first window. */
void hd_port_watch_config(struct hd_port_watch *watch, uint32_t sw, uint32_t addr, uint16_t data);

/** The first output of a window that is X or Z although the specification (§6.6) forbids it. */
struct hd_port_unknown {
  uint32_t cycle;   /* cycle of the window in which it is visible */
  char seen;        /* 'x' or 'z'; 0: there is none */
  uint8_t port, vc; /* port and channel of the output; 0xff: none */
  const char *pin;  /* "out_valid_o" */
};

/** A window of one switch: inputs of cycles 0 … cycles − 1, outputs of cycles 0 … cycles, both sorted by cycle. */
struct hd_port_events {
  uint64_t start;
  uint32_t cycles;
  const struct hd_flit_event *flits_in, *flits_out;
  const struct hd_credit_event *credits_in, *credits_out;
  const struct hd_config_event *configs_in;
  uint32_t n_flits_in, n_flits_out, n_credits_in, n_credits_out, n_configs_in;
  const struct hd_port_unknown *unknown; /* an X or Z, for P17; NULL: all events are 0 and 1 */
};

/** Checks the next window of switch `sw`. In cycles between windows nothing crosses the switch's
 *  ports. *broken gets the first rule that is broken in the window. If a flit leaves out of
 *  place, only the next flits show whether it was swapped or replaces a lost one. So a rule may
 *  be reported a few windows after its cycle. Different switches may be checked in parallel.
 *  HD_E_NOMEM. */
int hd_port_watch_switch(struct hd_port_watch *watch, uint32_t sw, const struct hd_port_events *e,
                         struct hd_port_break *broken);

/** Reports the earliest broken rule that was not reported yet, named by what is known now.
 *  False: there is none. */
bool hd_port_watch_pending(const struct hd_port_watch *watch, struct hd_port_break *broken);

/** Checks P16; all windows up to cycle `now` must have been checked. True: *broken has the
 *  circle's first channel, and `circle` has the whole circle as lines, cut to `size`. */
bool hd_port_watch_deadlock(struct hd_port_watch *watch, uint64_t now, struct hd_port_break *broken,
                            char *circle, size_t size);

/** Checks P3, P13 and P14 when nothing is under way outside of switches. False: every flit has
 *  left, every credit came back, and no rule is pending. True: *broken (may be NULL) has the first
 *  of these: a pending rule, a packet that did not leave, missing credits. */
bool hd_port_watch_end(const struct hd_port_watch *watch, uint64_t cycle,
                       struct hd_port_break *broken);

/** Writes the way of the packet of `broken`, as far as switches remember it: "switch 3 (in by
 *  port 2, channel 0, cycle 11; out by 1, 0, 14), switch 7 (in by …)". Returns the length of the
 *  whole text. */
size_t hd_port_watch_way(const struct hd_port_watch *watch, const struct hd_port_break *broken,
                         char *way, size_t size);

struct hd_port_counts hd_port_watch_counts(const struct hd_port_watch *watch); /* NULL: all zero */

#ifdef __cplusplus
}
#endif

#endif
