/* Exact latency statistics of any number of packets (specification §4.4).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LATENCY_H
#define HD_LATENCY_H

#include "../../cmodel/error.h"

#include <stddef.h>
#include <stdint.h>

enum { HD_LATENCY_NEAR = 1 << 16 };

/** Zeroed is empty. Latencies below HD_LATENCY_NEAR are counted one by one, the few
 *  others are kept as they are, so that percentiles are exact. */
struct hd_latency {
  uint64_t *counts; /* [HD_LATENCY_NEAR], owned; NULL before the first */
  uint64_t *far;    /* owned, unsorted until asked */
  size_t n_far, cap_far;
  uint64_t n, sum, minimum, maximum;
};

/** Counts one packet. HD_E_NOMEM. */
int hd_latency_add(struct hd_latency *l, uint64_t cycles);

/** 0.0 when empty. */
double hd_latency_mean(const struct hd_latency *l);

/** The smallest latency that at least `percent` % of the packets do not pass (nearest
 *  rank); 0 when empty. Sorts the far ones. */
uint64_t hd_latency_percentile(struct hd_latency *l, unsigned percent);

void hd_latency_fini(struct hd_latency *l);

#endif
