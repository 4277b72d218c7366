/* Contention, found before a run: messages of one slot that need the same link.
 * SPDX-License-Identifier: Apache-2.0
 *
 * It works on any fabric. Each message is followed from switch to switch by the routing tables, as
 * its packets would be. A slot is the time in which all its messages are sent and arrive, or in
 * which they all take the same number of hops, in step with the messages of the slots before and
 * after it. Then a schedule without contention blocks no flit, if buffers are as deep as a credit's
 * round trip (specification §4.5).
 *
 * This room does not make schedules; the caller gives one (sw/mton makes some).
 */
#ifndef HD_CONTENTION_H
#define HD_CONTENTION_H

#include "../../cmodel/routing/routing.h"

struct hd_slot_message {
  uint32_t slot, source, destination; /* nodes; a message from a node to itself takes no link */
};

/** A link in one direction: out of a switch's port, or out of a node. */
struct hd_slot_link {
  bool from_node;
  uint32_t index, port; /* of the node or switch; the port of a node is 0 */
};

/** Two messages on one link. */
struct hd_contention {
  size_t first, second; /* indices in messages[] */
  struct hd_slot_link link;
};

/** Finds all contention, in the order of slots. If k messages of a slot need a link, that is k − 1
 *  contentions, each with the first of them. Calls `each` for every contention (NULL: no calls),
 *  and sets *n to their number. The messages may be in any order; those of one slot are taken in
 *  the order of the list. Returns HD_E_INPUT if a message has no path, a node does not exist, or
 *  paths are not fixed (hd_routing_is_fixed). */
int hd_contention_find(const struct hd_topology *topology, const struct hd_tables *tables,
                       const struct hd_slot_message *messages, size_t n_messages,
                       void (*each)(void *context, const struct hd_contention *contention),
                       void *context, uint64_t *n, struct hd_error *err);

/** Returns a link as text: "s3 port 1 to s17", "n4 to s2", "s5 port 0 to n10". */
struct hd_link_name {
  char text[64];
};
struct hd_link_name hd_contention_link(const struct hd_topology *topology,
                                       const struct hd_slot_link *link);

#endif
