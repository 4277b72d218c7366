/* Compares two runs packet by packet and hop by hop.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_DIFF_H
#define HD_DIFF_H

#include "rundb.h"
#include "../host/text.h"

enum {
  HD_DIFF_BINS = 21, /* bins of latency differences: …, −8–15, −4–7, −2–3, −1, 0, 1, 2–3, … */
  HD_DIFF_SWITCHES = 5, /* largest number of switches that are named */
};

/** A named statistic of both runs, or of one. Values and their cycles are compared in order. */
struct hd_diff_statistic {
  const char *name;
  const struct hd_rundb_statistic *a, *b; /* NULL: that run has no such statistic */
  uint64_t equal, differ, only_a, only_b;
  size_t first; /* index of the first difference or missing value; if none, the number of values */
  double mean_a, mean_b;
};

/** The comparison of two runs. */
struct hd_diff {
  struct hd_rundb_info a, b;
  bool same_digest;
  bool both_hops; /* both runs traced hops */
  uint64_t packets_equal, packets_differ, packets_only_a, packets_only_b;
  uint64_t hops_equal, hops_differ, hops_only_a, hops_only_b;

  bool has_first, first_is_hop;
  uint64_t first_cycle;                 /* earliest cycle in which something differs */
  struct hd_rundb_row first_a, first_b; /* not `present`: that run has no such row */

  struct hd_rundb_statistics statistics_a, statistics_b;
  struct hd_diff_statistic *statistics; /* [n_statistics] */
  size_t n_statistics;

  uint64_t latency_n;                       /* packets that both runs received */
  int64_t latency_minimum, latency_maximum; /* latency in B less that in A */
  double latency_mean;
  uint64_t bins[HD_DIFF_BINS];
  struct {
    uint32_t sw;
    uint64_t hops;
  } switches[HD_DIFF_SWITCHES]; /* switches with the most differing hops; hops 0: no further one */
};

/** Compares two runs, given by directory or database. Different scenarios are an error,
 *  HD_E_INPUT, unless `force`. Call hd_diff_fini in any case. */
int hd_diff_runs(struct hd_diff *diff, const char *run_a, const char *run_b, bool force,
                 struct hd_error *err);

/** Tests whether nothing differs: the digest, and packets, hops and statistics as far as both
 *  runs have them. */
bool hd_diff_equal(const struct hd_diff *diff);

/** Writes the comparison as text. */
void hd_diff_text(const struct hd_diff *diff, struct hd_text *text);

void hd_diff_fini(struct hd_diff *diff);

#endif
