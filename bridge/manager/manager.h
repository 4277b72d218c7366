/* The fabric's management: groups, places in status tables, faults, ways around them, who is unreachable, places of
 * XOR coders, trees of multicast (specification §5.9–5.11, §8.3, §8.12, §11.12, §13.5).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The manager depends on the fabric only. It changes switches by writes to their configuration ports. Each
 * cycle begins with hd_manager_begin, which names the fabric for all following calls, and ends with
 * hd_manager_end.
 */
#ifndef HD_MANAGER_H
#define HD_MANAGER_H

#include "../../cmodel/fabric/fabric.h"
#include "../../sw/endpoint.h"

struct hd_manager;

enum { HD_MANAGER_GROUPS = 32 }; /* group numbers */

/** A link or a switch that is to fail (§5.9). */
struct hd_fault {
  bool after_barrier; /* `when` counts barriers, otherwise it is a cycle */
  bool whole_switch;
  uint64_t when;
  uint32_t sw, port; /* port of the link */
};

/** The state of a fault. */
struct hd_fault_state {
  struct hd_fault fault;
  struct hd_peer peer; /* of a link: the port at its other end */
  bool struck;         /* the fault has happened, in `cycle` */
  uint64_t cycle;
};

/** A member of a barrier group that has no way to the group's center any more (§5.11). */
struct hd_unreachable {
  uint32_t node, sw; /* and its switch */
  uint32_t group, center, center_sw;
  uint64_t cycle; /* in which it was found */
  char why[96];   /* "its switch has failed" */
};

/** A packet that was lost by a fault; `cycle`: in which it was found lost. */
struct hd_lost_packet {
  struct hd_loss packet;
  uint64_t cycle;
};

/** The first status table that had no room for a group. */
struct hd_full_table {
  uint64_t cycle;
  uint32_t members, center; /* of the group: number of members, central node */
  uint32_t sw, groups;      /* the table, and how many groups it holds */
};

struct hd_manager_params {
  const struct hd_topology *topology; /* borrowed */
  const struct hd_tables *tables;     /* tables with which the switches start; borrowed */
  struct hd_switch_params sw;
  uint32_t link_cycles;
  bool goes_around;              /* routing tables are made anew after a fault (§5.10) */
  const struct hd_fault *faults; /* [n_faults], copied */
  uint32_t n_faults;
  void *context;
  /** The number of rounds of all groups from which every member was released. NULL: no fault counts
   *  them. */
  uint64_t (*barriers_over)(void *context);
  /** A fault ends an open group: HD_EP_BARRIER_CUT_OFF, members are unreachable; HD_EP_BARRIER_FULL, it had
   *  to be created anew, and a status table has no room. May be NULL. */
  void (*ended)(void *context, uint32_t group, enum hd_ep_barrier_status why, uint64_t cycle);
  /** Tests whether every member has left the group's first round, or one has given up. NULL: no
   *  group is created anew. */
  bool (*first_round_over)(void *context, uint32_t group);
  /** The group has been created anew in all switches (§5.10): members that had arrived must arrive again. Not
   *  NULL with first_round_over. */
  int (*renewed)(void *context, uint32_t group, uint64_t cycle, struct hd_error *err);
  /** A status table has no room for a group. Called only for the first such table. May be NULL. */
  void (*full)(void *context, const struct hd_full_table *table);
};

struct hd_manager *hd_manager_create(const struct hd_manager_params *params);
void hd_manager_destroy(struct hd_manager *manager); /* NULL is fine */

/* ── cycles ───────────────────────────────────────────────────────────────── */

/** Called before software runs in a cycle: lets faults happen that are due, and writes to the
 *  switches. */
int hd_manager_begin(struct hd_manager *manager, struct hd_fabric *fabric, uint64_t cycle,
                     struct hd_error *err);

/** Called after the cycle's step: notes packets that were lost in it. */
void hd_manager_end(struct hd_manager *manager, const struct hd_fabric *fabric, uint64_t cycle);

/** The next cycle in which a fault is due; 0: as soon as no barrier message is under way;
 *  UINT64_MAX: none is. */
uint64_t hd_manager_next(const struct hd_manager *manager);

/* ── barrier groups (§8.6); members are nodes, ascending ──────────────────── */

/** An open group; `members` is NULL if the number is free. */
struct hd_manager_group {
  const uint32_t *members; /* [n] */
  uint32_t n;
  uint32_t center, center_sw; /* a node, and its switch */
};
struct hd_manager_group hd_manager_group(const struct hd_manager *manager, uint32_t number);

/** Finds the member in the middle (HD_EP_CENTER_MIDDLE); *place is its index in the list. */
int hd_manager_middle(struct hd_manager *manager, const uint32_t *members, uint32_t n,
                      uint32_t *place, struct hd_error *err);

/** Opens a group under a free number. *opened is HD_EP_BARRIER_PASSED. If nothing is opened, it is
 *  HD_EP_BARRIER_UNREACHABLE or HD_EP_BARRIER_FULL. *ready: first cycle in which all switches have the group. */
int hd_manager_open(struct hd_manager *manager, uint32_t number, const uint32_t *members,
                    uint32_t n, uint32_t center, uint64_t *ready, enum hd_ep_barrier_status *opened,
                    struct hd_error *err);

/** Closes the group in all switches that have not failed; *done: first cycle in which this is done. */
int hd_manager_close(struct hd_manager *manager, uint32_t number, uint64_t *done,
                     struct hd_error *err);

/** True while a fault has met the group's first round and the group is not yet created anew
 *  (§5.10). Until then only releases of its switches' answers count. */
bool hd_manager_renews(const struct hd_manager *manager, uint32_t number);
/** The number of times that a group had to be created anew. *no_room: the number of times that a
 *  status table had no room for it. */
uint32_t hd_manager_renewals(const struct hd_manager *manager, uint32_t *no_room);

/** The first cycle in which members may arrive. Earlier, switches are still being written to, or a
 *  fault waits until no message is under way. */
uint64_t hd_manager_ready(const struct hd_manager *manager);

/* ── chains of XOR coders (§11.12) ────────────────────────────────────────── */

/** Opens a chain of the coder beside `node`, at the lowest places that are free. *opened: HD_EP_CHAIN_OPEN, or why not.
 *  *ready: first cycle in which the switch has it. */
int hd_manager_chain_open(struct hd_manager *manager, uint32_t node, uint32_t places,
                          uint32_t *first, uint64_t *ready, enum hd_ep_chain_status *opened,
                          struct hd_error *err);

/** Closes it. *open: there was such a chain. *done: first cycle in which the switch has closed it. */
int hd_manager_chain_close(struct hd_manager *manager, uint32_t node, uint32_t first,
                           uint32_t places, uint64_t *done, bool *open, struct hd_error *err);

/* ── multicast groups (§13.5); members are nodes, ascending ───────────────── */

/** Puts the group's tree into the switches, under a number that no other group has. *ready: first cycle in which all
 *  switches have it. */
int hd_manager_multicast_open(struct hd_manager *manager, uint32_t tree, const uint32_t *members,
                              uint32_t n, uint64_t *ready, struct hd_error *err);
/** Clears a tree that has no flit under way. */
int hd_manager_multicast_close(struct hd_manager *manager, uint32_t tree, struct hd_error *err);

/* ── what is in force, and what software may ask about it ─────────────────── */

/** The tables that the switches have, or will have when all writes have reached them. Ways: NULL without
 *  barrier. Borrowed until the next hd_manager_begin. */
const struct hd_barrier_ways *hd_manager_ways(const struct hd_manager *manager);
const struct hd_tables *hd_manager_tables(const struct hd_manager *manager);

/** Answers hd_ep_link, hd_ep_barrier_link and hd_ep_order by the tables that the switches started with. */
void hd_manager_link(const struct hd_manager *manager, uint32_t source, uint32_t destination,
                     struct hd_ep_link *link);
void hd_manager_barrier_link(const struct hd_manager *manager, const uint32_t *members, uint32_t n,
                             uint32_t center, uint32_t member, struct hd_ep_link *link);
void hd_manager_order(const struct hd_manager *manager, int *nodes);

/* ── consequences of faults; borrowed until the next call that is not const ── */

/** States of faults, in the order of the list of faults. */
const struct hd_fault_state *hd_manager_faults(const struct hd_manager *manager, uint32_t *n);
/** Members that were unreachable, ordered by time, then group, then node. */
const struct hd_unreachable *hd_manager_unreachable(const struct hd_manager *manager, uint32_t *n);
/** Lost packets, ordered by time. */
const struct hd_lost_packet *hd_manager_lost(const struct hd_manager *manager, size_t *n);
/** The number of switches that dropped barrier messages (§8.7); 0 without a list of faults. */
uint32_t hd_manager_droppers(const struct hd_manager *manager, const struct hd_fabric *fabric);

#endif
