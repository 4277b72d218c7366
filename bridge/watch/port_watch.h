/* The rules at ports (specification §6.7): does each switch keep to links, credits, packets and tables?
 * SPDX-License-Identifier: Apache-2.0
 *
 * Events in, the first broken rule out. The watch knows no model and no RTL: it sees what crosses the ports of
 * switches (§6.1), the writes to their tables, and where links lead. Each switch is judged alone, because the rules
 * hold for who sent what comes in. In a bench of your own:
 *
 *   hd_port_watch_create     once, with the parameters and links of the network
 *   hd_port_watch_config     for each table entry that a switch starts with; none where routes is not HD_ROUTES_TABLE
 *   hd_port_watch_switch     for each switch and each cycle, or window of cycles
 *   hd_port_watch_deadlock   now and then: do packets wait for each other in a circle?
 *   hd_port_watch_end        when the network is empty: what did not come out?
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

/** The rules. X(NAME, number, name, sentence): the specification has the number. */
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
  uint64_t since;         /* the first cycle that matters: with P14 … P16 earlier than `cycle` */
  uint32_t sw;
  uint8_t port,
      vc; /* an input with P2, P3, P13 at the end, P14 … P16; otherwise an output; 0xff: none */
  bool has_flit;             /* a flit that left broke the rule */
  struct hd_flit_event flit; /* as it left */
  bool has_packet;           /* the packet is known: */
  uint8_t in_port, in_vc;    /* where the packet came in, */
  uint64_t came;             /* in this cycle, */
  uint64_t head;             /* with this header */
  char what[240];            /* "head to node 14 left by port 1, the table says port 3" */
};

/** How often each rule was held against something. Flits for P1, P4, P5; credits for P2; channels at the end of the
 *  run for P3; heads for P6, P7, P12; flits inside packets for P8 … P11; packets that left for P13; looks at packets
 *  that wait for P14 and P15; looks at channels that wait for P16; flits and credits for P17. */
struct hd_port_counts {
  uint64_t of[HD_PORT_RULES];
  uint64_t
      most_passed; /* heads of one input port that left by the channels that one packet waited for */
  uint64_t
      wanted; /* looks at outputs by which a flit left, or for which one waited that could leave */
  uint64_t idle; /* of these looks, those in which nothing left by the output */
  uint64_t
      filled; /* looks of P14 at packets under way for which all slots of the receiver were used */
};

struct hd_port_watch;

struct hd_port_watch_params {
  struct hd_switch_params sw;
  uint32_t n_switches;
  const struct hd_peer *peers,
      *senders; /* [n_switches][sw.ports]: where an output leads to, and what leads to an
                                            input; borrowed */
  /* Switches that compute routes (§12): the route of packets to a node, or with `from` of those from one, that come in
     by a port, as a table entry; 0: none. */
  uint16_t (*computed)(const void *context, bool from, uint32_t sw, uint32_t port, uint32_t node);
  const void *computed_context; /* borrowed */
  enum hd_port_order order;     /* HD_ORDER_USUAL: HD_ORDER_CHANNELS */
  enum hd_port_routes routes;
  uint32_t dims[HD_MAX_PORTS / 2],
      n_dims;        /* size of a mesh or torus (§5.1), for HD_ROUTES_DIMENSION_ORDER */
  uint32_t networks; /* virtual networks (§5.28), for HD_ORDER_NETWORKS; 0: one */
  /* The switch is a whole network (§6.8): P14, and P15's limit, are those of networks. */
  bool is_network;
  uint32_t held_cycles; /* limit of P14; 0: HD_HELD_CYCLES, or HD_NETWORK_HELD_CYCLES */
  uint32_t
      starved_heads; /* limit of P15; 0: that of §6.7 or §6.8; UINT32_MAX: the rule is not applied */
  /* Zeros are Heddle's own links and flits; others are what monitor.h needs. */
  /* Valid and ready in place of credits: a credit event has the channels that are ready from its cycle on. P1 to P3 and
     P16 are not applied. */
  bool ready_links;
  /* Outputs may depend on inputs of the same cycle. Windows have a cycle or more, and outputs of 0 … cycles − 1. */
  bool same_cycle;
  uint8_t shown_from; /* messages show data from this bit on, */
  bool digests;       /* and call them digests */
};

/** Starts with nothing under way and empty tables. HD_E_NOMEM; HD_E_INPUT: dimension order without dimensions. */
int hd_port_watch_create(struct hd_port_watch **watch, const struct hd_port_watch_params *params,
                         struct hd_error *err);
void hd_port_watch_destroy(struct hd_port_watch *watch); /* NULL is taken */

/** A write to the configuration port (§3.2) of a switch before its first window. */
void hd_port_watch_config(struct hd_port_watch *watch, uint32_t sw, uint32_t addr, uint16_t data);

/** The first output of a window that is X or Z where no output may be (specification §6.6). */
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
  const struct hd_port_unknown *unknown; /* X bits, for P17; NULL: the events have 0 and 1 alone */
};

/** The next window of switch `sw`; a cycle that no window has is one in which nothing crosses its ports. *broken: the
 *  first rule that is broken in it. A flit out of place may be swapped or stand for a lost one: that is known when the
 *  next ones have left, so the rule may be told a few windows after its cycle. May be called at the same time for
 *  different switches. HD_E_NOMEM. */
int hd_port_watch_switch(struct hd_port_watch *watch, uint32_t sw, const struct hd_port_events *e,
                         struct hd_port_break *broken);

/** The earliest rule that is broken but not told yet, by what is known now. False: there is none. */
bool hd_port_watch_pending(const struct hd_port_watch *watch, struct hd_port_break *broken);

/** P16, after windows up to cycle `now` of all switches. True: *broken has the circle's first channel, `circle` the
 *  whole circle as lines, cut to `size`. */
bool hd_port_watch_deadlock(struct hd_port_watch *watch, uint64_t now, struct hd_port_break *broken,
                            char *circle, size_t size);

/** P3, P13 and P14 when nothing is under way any more outside of switches. False: all has left and is credited. *broken
 *  (NULL: not wanted) has what came in first of what did not leave, or credits that did not come back. */
bool hd_port_watch_end(const struct hd_port_watch *watch, uint64_t cycle,
                       struct hd_port_break *broken);

/** The way of the packet of `broken` as far as its switches remember it, by what crossed their ports: "switch 3 (in by port
 *  2, channel 0, cycle 11; out by 1, 0, 14), switch 7 (in by …)". Returns the length that it needs. */
size_t hd_port_watch_way(const struct hd_port_watch *watch, const struct hd_port_break *broken,
                         char *way, size_t size);

struct hd_port_counts hd_port_watch_counts(const struct hd_port_watch *watch); /* NULL: zeros */

#ifdef __cplusplus
}
#endif

#endif
