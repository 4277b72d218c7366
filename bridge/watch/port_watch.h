/* The rules at ports (specification §6.7): does each switch keep to links, credits, packets and tables?
 * SPDX-License-Identifier: Apache-2.0
 *
 * The watch knows no model. It sees what crosses the ports of a switch (§6.1), the writes to its tables,
 * and which ports have a link. So it can name the first rule that a switch breaks, whoever made it.
 * Each switch is judged alone: what comes in is right, because the rules hold for who sent it.
 */
#ifndef HD_PORT_WATCH_H
#define HD_PORT_WATCH_H

#include "../../cmodel/fabric/fabric.h"

/** The rules. X(NAME, number, name, sentence): the specification has the number. */
#define HD_PORT_RULE_LIST(X)                                                                 \
  X(CREDIT, "P1", "no credit", "a flit was sent without a credit")                           \
  X(SURPLUS, "P2", "surplus credit", "a credit was given for a slot that no flit had taken") \
  X(OWED, "P3", "credit kept", "credits did not come back")                                  \
  X(FRAMING, "P4", "framing", "the flits of a channel make no packet")                       \
  X(LINK, "P5", "no link", "a flit left by a port without a link")                           \
  X(ORIGIN, "P6", "made up", "a head left that is not one that came in")                     \
  X(ROUTE, "P7", "route", "a head left by a way that the tables do not allow")

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
  uint64_t cycle;         /* in which it is visible */
  uint32_t sw;
  uint8_t port, vc;          /* an input port with P2 and P3, otherwise an output port */
  bool has_flit;             /* there is no flit with P2 and P3 */
  struct hd_flit_event flit; /* as it left */
  char what[200];            /* "head to node 14 left by port 1, the table says port 3" */
};

/** How often each rule was held against something: flits for P1, P4 and P5, credits for P2, channels at the end
 *  of the run for P3, heads for P6 and P7. */
struct hd_port_counts {
  uint64_t of[HD_PORT_RULES];
};

struct hd_port_watch;

/** The fabric has just been made: nothing is under way, switches have the tables. Borrows the topology. HD_E_NOMEM. */
int hd_port_watch_create(struct hd_port_watch **watch, const struct hd_topology *topology,
                         const struct hd_tables *tables, const struct hd_switch_params *params,
                         struct hd_error *err);
void hd_port_watch_destroy(struct hd_port_watch *watch); /* NULL is taken */

/** A window of one switch: inputs of cycles 0 … cycles − 1, outputs of cycles 0 … cycles, both sorted by cycle. */
struct hd_port_events {
  uint64_t start;
  uint32_t cycles;
  const struct hd_flit_event *flits_in, *flits_out;
  const struct hd_credit_event *credits_in, *credits_out;
  const struct hd_config_event *configs_in;
  uint32_t n_flits_in, n_flits_out, n_credits_in, n_credits_out, n_configs_in;
};

/** The next window of switch `sw`; a cycle that no window has is one in which nothing crosses its ports. *broken: the
 *  first rule that is broken in it. May be called at the same time for different switches. HD_E_NOMEM. */
int hd_port_watch_switch(struct hd_port_watch *watch, uint32_t sw, const struct hd_port_events *e,
                         struct hd_port_break *broken);

/** The first `cycles` cycles of a window of all switches, for who compares nothing: HD_E_INVARIANT with the
 *  first rule that is broken, HD_E_NOMEM. NULL for a watch is taken. */
int hd_port_watch_window(struct hd_port_watch *watch, const struct hd_record *record,
                         uint32_t cycles, struct hd_error *err);

/** Rule P3: nothing is under way any more. False: all slots have been credited. *broken (NULL: not wanted) has the first
 *  switch, port and channel that owes credits, and `cycle`. */
bool hd_port_watch_owes(const struct hd_port_watch *watch, uint64_t cycle,
                        struct hd_port_break *broken);

struct hd_port_counts hd_port_watch_counts(const struct hd_port_watch *watch);

#endif
