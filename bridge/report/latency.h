/* Exact latency statistics of any number of packets (specification §4.4).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LATENCY_H
#define HD_LATENCY_H

#include "../../cmodel/error.h"

#include <stddef.h>
#include <stdint.h>

enum { HD_LATENCY_NEAR = 1 << 16 };

/** A latency and the number of packets that had it. */
struct hd_latency_far {
  uint64_t cycles, packets;
};

/** Latencies of packets. Zeroed means empty. Packets are counted by latency, so that percentiles
 *  are exact. Latencies below HD_LATENCY_NEAR are in a table. The few others are in a list,
 *  whose length depends on the number of different latencies, not of packets. */
struct hd_latency {
  uint64_t *counts;           /* [HD_LATENCY_NEAR], owned; NULL: no packet yet */
  struct hd_latency_far *far; /* owned; sorted, one entry for each latency, after a percentile was
                                 asked for */
  size_t n_far, cap_far;
  uint64_t n, sum, minimum, maximum;
  uint64_t median, p95, p99, p999; /* set by hd_latency_end, by nearest rank */
};

/** Counts one packet. */
void hd_latency_add(struct hd_latency *l, uint64_t cycles);

/** Returns the mean in cycles; 0.0 when empty. */
double hd_latency_mean(const struct hd_latency *l);

/** Returns the smallest latency that at least `permille` in 1,000 of the packets do not exceed
 *  (nearest rank); 0 when empty. Sorts the list of large latencies. */
uint64_t hd_latency_percentile(struct hd_latency *l, unsigned permille);

/** Fills in the percentiles. */
void hd_latency_end(struct hd_latency *l);

/** Copies latencies into an empty object. */
void hd_latency_copy(struct hd_latency *to, const struct hd_latency *from);

void hd_latency_fini(struct hd_latency *l);

#endif
