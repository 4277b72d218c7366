/* Writes named statistics of a run's software into database and report.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STATISTICS_H
#define HD_STATISTICS_H

#include "../record/rundb.h"
#include "../report/outcome.h"

/** The number of values of each statistic that are in the database. Zeroed means none;
 *  hd_statistics_fini frees it. */
struct hd_statistics {
  size_t *taken; /* [n] values */
  uint32_t n;
  size_t capacity;
};
void hd_statistics_fini(struct hd_statistics *statistics);

/** Writes the values that software recorded up to and including cycle `limit` into the database;
 * NULL: there is no database. */
int hd_statistics_flush(struct hd_statistics *statistics, const struct hd_world *world,
                        uint64_t limit, struct hd_rundb *db, struct hd_error *err);

/** Writes the figures of values up to and including cycle `limit` into the report. */
void hd_statistics_report(const struct hd_world *world, uint64_t limit,
                          struct hd_run_report *report);

/** Computes the figures of n >= 1 values in order of time. Copies name and values. */
void hd_statistic_summarise(struct hd_run_statistic *statistic, const char *name,
                            const struct hd_world_value *values, size_t n);

#endif
