/* The manager's state. Private to bridge/manager/.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_MANAGER_INTERNAL_H
#define HD_MANAGER_INTERNAL_H

#include "manager.h"

/** A group that is open in switches. */
struct group {
  uint32_t *members; /* [n] nodes, owned; NULL: no group */
  uint32_t n, center;
  uint32_t *entries; /* [n_entries] switches whose status tables have an entry for it, owned */
  uint32_t n_entries;
  /* §5.10; RENEW_WHEN_READY: the group is being opened */
  enum { RENEW_NOT, RENEW_WHEN_QUIET, RENEW_WHEN_READY } renew;
};

struct hd_manager {
  struct hd_manager_params params; /* its `faults` is NULL */
  struct hd_fabric *fabric;        /* the fabric, in the current cycle */
  /* groups.c */
  struct group groups[HD_MANAGER_GROUPS];
  uint8_t *entries; /* [n_switches]: open groups in the switch's status table; NULL: none yet */
  bool told_full;
  uint32_t renewals, no_room;
  /* chains.c */
  /* [n_switches][code_places]: places of the chain that begins at this place; 0: none begins
   * here; NULL: there are no chains */
  uint16_t *chains;
  /* multicast.c */
  uint16_t *trees; /* [n_switches][sw.trees] entries as written; NULL: none yet */
  /* faults.c */
  struct hd_fault_state *faults; /* [n_faults] */
  uint32_t n_faults;
  struct hd_barrier_ways ways; /* ways in force; masks NULL: as the switches started */
  struct hd_tables tables;     /* tables with all changes so far; destination NULL */
  uint16_t *live;              /* [n_switches]: register LIVE */
  uint64_t ready;              /* first cycle in which all writes are in force */
  struct hd_lost_packet *lost; /* [lost_n] */
  size_t lost_n, lost_cap;
  /* unreachable.c */
  struct hd_unreachable *unreachable; /* [n_unreachable] */
  uint32_t n_unreachable;
  size_t cap_unreachable;
};

/** Writes to a switch. *ready becomes at least the first cycle in which the write is in force. */
int hd_manager_write(struct hd_manager *manager, uint32_t sw, uint32_t addr, uint16_t data,
                     uint64_t *ready, struct hd_error *err);

/** Forgets all groups, without writes to switches. */
void hd_manager_forget_groups(struct hd_manager *manager);

/** Closes the group in the switches, and opens it again. *room false: a status table has no
 *  room, and the group stays closed. */
int hd_manager_reopen(struct hd_manager *manager, uint32_t number, bool *room,
                      struct hd_error *err);

/** Copies the list of faults. None has happened yet. */
void hd_manager_faults_init(struct hd_manager *manager, const struct hd_fault *faults, uint32_t n);

/** Finds the members of a group that are unreachable. Returns how many were not known before. If
 *  the group is to be created anew, its tree does not count. */
uint32_t hd_manager_find_unreachable(struct hd_manager *manager, uint32_t number,
                                     const struct group *group);

#endif
