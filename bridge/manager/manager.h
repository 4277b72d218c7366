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

/** A link or a switch that fails at a given time (§5.9). */
struct hd_fault {
  bool after_barrier; /* `when` is a number of barriers; otherwise a cycle */
  bool whole_switch;
  uint64_t when;
  uint32_t sw, port; /* port of the link */
};

/** The state of a fault. */
struct hd_fault_state {
  struct hd_fault fault;
  struct hd_peer peer; /* for a link: the port at its other end */
  bool struck;         /* the fault happened, in `cycle` */
  uint64_t cycle;
};

/** A member of a barrier group that cannot reach the group's center any more (§5.11). */
struct hd_unreachable {
  uint32_t node, sw; /* and its switch */
  uint32_t group, center, center_sw;
  uint64_t cycle; /* cycle in which this was found */
  char why[96];   /* "its switch has failed" */
};

/** A packet that a fault destroyed; found lost in `cycle`. */
struct hd_lost_packet {
  struct hd_loss packet;
  uint64_t cycle;
};

/** The first status table without room for a group. */
struct hd_full_table {
  uint64_t cycle;
  uint32_t members, center; /* the group's number of members and its central node */
  uint32_t sw, groups;      /* switch of the table, and the number of groups that it holds */
};

struct hd_manager_params {
  const struct hd_topology *topology; /* borrowed */
  const struct hd_tables *tables;     /* the tables that the switches start with; borrowed */
  struct hd_switch_params sw;
  uint32_t link_cycles;
  bool goes_around;              /* make new routing tables after a fault (§5.10) */
  const struct hd_fault *faults; /* [n_faults], copied */
  uint32_t n_faults;
  void *context;
  /** The number of completed rounds over all groups: every member was released. NULL: no fault
   *  needs it. */
  uint64_t (*barriers_over)(void *context);
  /** A fault ended an open group. HD_EP_BARRIER_CUT_OFF: members are unreachable.
   *  HD_EP_BARRIER_FULL: the group had to be created anew, and a status table has no room. May
   *  be NULL. */
  void (*ended)(void *context, uint32_t group, enum hd_ep_barrier_status why, uint64_t cycle);
  /** Tests whether every member has left the group's first round, or one member has given up.
   *  NULL: groups are never created anew. */
  bool (*first_round_over)(void *context, uint32_t group);
  /** The group was created anew in all switches (§5.10). Members that had arrived must arrive
   *  again. Must be set if first_round_over is. */
  int (*renewed)(void *context, uint32_t group, uint64_t cycle, struct hd_error *err);
  /** A status table has no room for a group. Called only for the first such table. May be NULL. */
  void (*full)(void *context, const struct hd_full_table *table);
};

/** Creates a manager; never NULL. `topology`, `tables` and `context` are borrowed until
 *  hd_manager_destroy. */
struct hd_manager *hd_manager_create(const struct hd_manager_params *params);
void hd_manager_destroy(struct hd_manager *manager); /* NULL is allowed */

/* ── cycles ───────────────────────────────────────────────────────────────── */

/** Call it before software runs in a cycle. Lets faults happen that are due, and writes to the
 *  switches. */
int hd_manager_begin(struct hd_manager *manager, struct hd_fabric *fabric, uint64_t cycle,
                     struct hd_error *err);

/** Call it after the cycle's step. Notes packets that were lost in it. */
void hd_manager_end(struct hd_manager *manager, const struct hd_fabric *fabric, uint64_t cycle);

/** The next cycle in which hd_manager_begin has work: a fault is due, or groups that are created
 *  anew are ready. 0: it has work as soon as no barrier message is under way. UINT64_MAX: no cycle
 *  is known. */
uint64_t hd_manager_next(const struct hd_manager *manager);

/* ── barrier groups (§8.6); members are nodes, ascending ──────────────────── */

/** An open group; `members` is NULL if the number is free. */
struct hd_manager_group {
  const uint32_t *members; /* [n] */
  uint32_t n;
  uint32_t center, center_sw; /* a node, and its switch */
};
struct hd_manager_group hd_manager_group(const struct hd_manager *manager, uint32_t number);

/** Finds the member in the middle (HD_EP_CENTER_MIDDLE). *place is its index in the list. */
int hd_manager_middle(struct hd_manager *manager, const uint32_t *members, uint32_t n,
                      uint32_t *place, struct hd_error *err);

/** Opens a group under a free number. Copies `members`. *opened is HD_EP_BARRIER_PASSED, or the
 *  reason why nothing was opened: HD_EP_BARRIER_UNREACHABLE or HD_EP_BARRIER_FULL. *ready: first
 *  cycle in which all switches have the group. */
int hd_manager_open(struct hd_manager *manager, uint32_t number, const uint32_t *members,
                    uint32_t n, uint32_t center, uint64_t *ready, enum hd_ep_barrier_status *opened,
                    struct hd_error *err);

/** Closes the group in all switches that have not failed; *done: first cycle in which this is done. */
int hd_manager_close(struct hd_manager *manager, uint32_t number, uint64_t *done,
                     struct hd_error *err);

/** True from the moment a fault interrupts the group's first round until the group is created
 *  anew (§5.10). Meanwhile the answers of failed rounds do not count, since the members arrive
 *  again. */
bool hd_manager_renews(const struct hd_manager *manager, uint32_t number);
/** The number of times that groups had to be created anew. *no_room: how often a status table
 *  had no room for that. */
uint32_t hd_manager_renewals(const struct hd_manager *manager, uint32_t *no_room);

/** The first cycle in which members may arrive. Before, writes to switches are under way, or a
 *  fault or the re-creation of a group waits until no message is under way. */
uint64_t hd_manager_ready(const struct hd_manager *manager);

/* ── chains of XOR coders (§11.12) ────────────────────────────────────────── */

/** Opens a chain of the coder at `node`, at the lowest free places. *first: its first place.
 *  *opened: HD_EP_CHAIN_OPEN, or the reason why not. *ready, which the caller sets before, becomes
 *  at least the first cycle in which the switch has the chain. */
int hd_manager_chain_open(struct hd_manager *manager, uint32_t node, uint32_t places,
                          uint32_t *first, uint64_t *ready, enum hd_ep_chain_status *opened,
                          struct hd_error *err);

/** Closes the chain. *open: whether there was such a chain. *done, which the caller sets before,
 *  becomes at least the first cycle in which the switch has closed it. */
int hd_manager_chain_close(struct hd_manager *manager, uint32_t node, uint32_t first,
                           uint32_t places, uint64_t *done, bool *open, struct hd_error *err);

/* ── multicast groups (§13.5); members are nodes, ascending ───────────────── */

/** Writes the group's tree into the switches. No other group may have the number. *ready: first
 *  cycle in which all switches have it. */
int hd_manager_multicast_open(struct hd_manager *manager, uint32_t tree, const uint32_t *members,
                              uint32_t n, uint64_t *ready, struct hd_error *err);
/** Clears a tree. None of its flits may be under way. */
int hd_manager_multicast_close(struct hd_manager *manager, uint32_t tree, struct hd_error *err);

/* ── what is in force, and what software may ask about it ─────────────────── */

/** The tables of the switches, as they are after all writes are in force. hd_manager_ways
 *  returns NULL without barriers. Borrowed until the next hd_manager_begin. */
const struct hd_barrier_ways *hd_manager_ways(const struct hd_manager *manager);
const struct hd_tables *hd_manager_tables(const struct hd_manager *manager);

/** Answer hd_ep_link, hd_ep_barrier_link and hd_ep_order from the topology and the tables that the
 *  switches started with, so faults do not change the answers. nodes: [n_nodes]. */
void hd_manager_link(const struct hd_manager *manager, uint32_t source, uint32_t destination,
                     struct hd_ep_link *link);
void hd_manager_barrier_link(const struct hd_manager *manager, const uint32_t *members, uint32_t n,
                             uint32_t center, uint32_t member, struct hd_ep_link *link);
void hd_manager_order(const struct hd_manager *manager, int *nodes);

/* ── consequences of faults; borrowed until the next call that is not const ── */

/** The states of the faults, in the order of the list that was given. */
const struct hd_fault_state *hd_manager_faults(const struct hd_manager *manager, uint32_t *n);
/** The members that became unreachable, ordered by time, then group, then node. */
const struct hd_unreachable *hd_manager_unreachable(const struct hd_manager *manager, uint32_t *n);
/** Lost packets, ordered by time. */
const struct hd_lost_packet *hd_manager_lost(const struct hd_manager *manager, size_t *n);
/** The number of switches that dropped barrier messages (§8.7); 0 without a list of faults. */
uint32_t hd_manager_droppers(const struct hd_manager *manager, const struct hd_fabric *fabric);

#endif
