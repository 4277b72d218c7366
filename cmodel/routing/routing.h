/* Routing: tables for every input port of every switch, and the deadlock rule
 * (specification §2.7, §5.1–5.6).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_ROUTING_H
#define HD_ROUTING_H

#include "routing_dead.h"
#include "../switch/registers.h"
#include "../topology/topology.h"

enum hd_routing_kind {
  HD_ROUTE_DIMENSION_ORDER, /* meshes */
  HD_ROUTE_S_MOD_K,         /* trees */
  HD_ROUTE_D_MOD_K,         /* trees */
  HD_ROUTE_UP_DOWN,         /* any */
  HD_ROUTE_SHORTEST,        /* any; may deadlock, then the rule of §5.6 refuses it */
};

/** Tables of a fabric; entries as written to the configuration port (§3.2), 0 = invalid. */
struct hd_tables {
  uint32_t n_switches, ports, n_nodes;
  uint16_t *destination; /* [switch][input port][node], owned */
  uint16_t *source;      /* likewise; NULL where no packet goes by source */
  uint8_t header_mode;   /* 0 or 1 (§1.3): how network interfaces mark packets */
};

/** Fills the tables. `always_top`: trees only (§5.4). `vcs`: channels a port; every
 *  entry allows all of them. */
int hd_routing_build(struct hd_tables *tables, const struct hd_topology *t,
                     enum hd_routing_kind kind, bool always_top, uint32_t vcs,
                     struct hd_error *err);

/** Up-and-down tables without what is dead (§5.10): any mixture of the entries of these, and of those
 *  for less that is dead, obeys the deadlock rule. Entries without a way are invalid. */
int hd_routing_around(struct hd_tables *tables, const struct hd_topology *t,
                      const struct hd_dead *dead, uint32_t vcs, struct hd_error *err);

/** The deadlock rule (§5.6): 0, or HD_E_INPUT with the cycle of channels, or with a pair
 *  of nodes without a way or with a way that never ends, in err. */
int hd_routing_check(const struct hd_tables *tables, const struct hd_topology *t, uint32_t vcs,
                     struct hd_error *err);

/** The table entry that decides at switch and input port `at` about a packet (§2.7). */
static inline uint16_t hd_routing_entry(const struct hd_tables *tables, const struct hd_peer *at,
                                        uint32_t source, uint32_t destination)
{
  size_t row = ((size_t)at->index * tables->ports + at->port) * tables->n_nodes;
  uint16_t entry = tables->destination[row + destination];
  bool valid = entry >> 12 & 1;
  return valid || !tables->source ? entry : tables->source[row + source];
}

/** The way of a packet from source to destination: switches into path[], at most
 *  max_hops; returns their number or a negative status. */
int hd_routing_path(const struct hd_tables *tables, const struct hd_topology *t, uint32_t source,
                    uint32_t destination, uint16_t *path, uint32_t max_hops, struct hd_error *err);

void hd_tables_fini(struct hd_tables *tables);

#endif
