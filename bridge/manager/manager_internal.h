/* Faults of a run under way: for bridge/run/ alone (specification §5.9–5.11).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RUN_FAULT_H
#define HD_RUN_FAULT_H

#include "../run/run.h"
#include "../record/rundb.h"

struct hd_run;

/** A barrier group that is open in switches; by its number. */
struct hd_run_group {
  uint32_t *members; /* [n] nodes, ascending, owned; NULL: there is none */
  uint32_t n, center;
  uint32_t *entries; /* [n_entries] switches whose status tables have an entry for it, owned */
  uint32_t n_entries;
};
enum { HD_RUN_GROUPS = 32 };

/** What faults have changed, and what they may hit. */
struct hd_run_management {
  struct hd_barrier_ways ways; /* in force; masks NULL: as the switches started */
  struct hd_tables tables;     /* likewise; destination NULL */
  uint16_t *live;              /* [n_switches] LIVE */
  uint64_t ready;              /* first cycle in which all writes are in force */
  struct hd_run_group groups[HD_RUN_GROUPS];
  uint8_t *entries; /* [n_switches] of open groups in the switch's status table; NULL: none yet */
  bool told_full;   /* the report says which table was the first without room */
  struct hd_rundb_packet *lost; /* [lost_n], `received` is the cycle in which it was found */
  size_t lost_n, lost_cap;
};

/** Puts the scenario's faults into the report; none has struck yet. */
int hd_run_faults_init(struct hd_run *run, struct hd_error *err);
void hd_run_faults_fini(struct hd_run *run);

/** Before software's share of a cycle: what is due strikes, and the switches are told. */
int hd_run_faults_begin(struct hd_run *run, struct hd_fabric *fabric, uint64_t cycle,
                        struct hd_error *err);
/** Behind a cycle: keeps packets that were lost. */
int hd_run_faults_end(struct hd_run *run, const struct hd_fabric *fabric, uint64_t cycle,
                      struct hd_error *err);

/** Next cycle in which a fault is due; UINT64_MAX: none is. */
uint64_t hd_run_faults_next(const struct hd_run *run);

/** First cycle in which members of barrier groups may arrive; context: the struct hd_run. */
uint64_t hd_run_faults_ready(void *context);

/** The barrier routing tables in force. */
const struct hd_barrier_ways *hd_run_ways(const struct hd_run *run, const struct hd_fabric *fabric);

/** Adds the members of a group that are cut off to the report. Returns how many are new there, or
 *  HD_E_NOMEM. */
int hd_run_cut_find(struct hd_run *run, const struct hd_fabric *fabric, uint32_t number,
                    const struct hd_run_group *group, struct hd_error *err);

/** Behind the last cycle: takes back what struck behind cycle `limit`, counts what was lost, and
 *  writes lost packets into the database. */
int hd_run_cut_settle(struct hd_run *run, uint64_t limit, struct hd_error *err);

/** The run's status, HD_E_FAULT where faults are to blame for it; then the report's message begins
 *  with what they did. */
int hd_run_cut_judge(struct hd_run *run, int status);

#endif
