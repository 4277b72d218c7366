/* Estimates means of few or of correlated values: confidence interval, warm-up, drift.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_ESTIMATE_H
#define HD_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

struct hd_mean {
  size_t n;          /* number of values, without those that are NaN */
  double mean;       /* NaN: there are no values */
  double half_width; /* half the 95 % confidence interval; NaN: not known */
};

/** Returns the mean of independent values, with an interval by Student's t. Values that are NaN
 *  do not count. */
struct hd_mean hd_mean(const double *values, size_t n);

/** Returns the mean of the means of independent series, with the wider of two intervals: that of
 *  hd_mean, and that which follows from the series' own intervals, if all are known. So the
 *  interval is not too narrow if a few means agree by chance, or if one series' own interval is
 *  too narrow. */
struct hd_mean hd_mean_of_means(const double *means, const double *half_widths, size_t n);

/** A stretch of time of a series: the sum of a value, and the number of events that it sums. */
struct hd_stretch {
  double sum, weight;
};

enum {
  HD_MSER_BATCH = 5,
  HD_BATCHES_LEAST = 8, /* a series with fewer batches gets no interval */
  HD_BATCHES_MOST = 16,
};

/** Returns the number of stretches at the beginning that are warm-up, by MSER-5: K. P. White,
 *  "An effective truncation heuristic for bias reduction in simulation output", Simulation
 *  69(6), 1997. MSER-5 takes means of five stretches, and cuts off as many of them, at most
 *  half, as make the marginal standard error of the remaining ones least. */
size_t hd_mser5(const struct hd_stretch *series, size_t n);

/** Mean of a correlated series in equilibrium, by batch means. The number of batches is chosen
 *  so that neighbours are not significantly correlated. The correlation that is left widens the
 *  interval, as in Skart (A. Tafazzoli, J. R. Wilson, IIE Transactions 43(2), 2011). */
struct hd_series_mean {
  struct hd_mean mean; /* n: batches; 0: the series is too short */
  double drift;        /* change of a straight line from begin to end, divided by the mean */
  bool drifts;         /* the drift is larger than chance explains */
};
struct hd_series_mean hd_series_mean(const struct hd_stretch *series, size_t n);

#endif
