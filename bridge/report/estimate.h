/* Means of few or correlated values: confidence interval, warm-up, drift.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_ESTIMATE_H
#define HD_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

struct hd_mean {
  size_t n;          /* number of values; values that are not numbers do not count */
  double mean;       /* NaN: there are none */
  double half_width; /* half the 95 % confidence interval; NaN: not known */
};

/** The mean of independent values, with an interval by Student's t. Values that are NaN do not count. */
struct hd_mean hd_mean(const double *values, size_t n);

/** The mean of the means of independent series, with the wider of two intervals: that of hd_mean, and that which
 *  follows from the intervals of the series, where all are known. So a few means that agree by chance make no
 *  narrow interval, nor does a series whose own interval is too narrow. */
struct hd_mean hd_mean_of_means(const double *means, const double *half_widths, size_t n);

/** A stretch of time of a series: the sum of a value, and the number of events that it sums. */
struct hd_stretch {
  double sum, weight;
};

enum {
  HD_MSER_BATCH = 5,
  HD_BATCHES_LEAST = 8, /* batches of a series, below which nothing is said of its interval */
  HD_BATCHES_MOST = 16,
};

/** The number of stretches at the beginning that are warm-up, by MSER-5: K. P. White, "An effective
 *  truncation heuristic for bias reduction in simulation output", Simulation 69(6), 1997. Values
 *  are means of five stretches. MSER-5 leaves out as many as make the marginal standard error of
 *  the rest least, and at most half. */
size_t hd_mser5(const struct hd_stretch *series, size_t n);

/** A correlated series in equilibrium, by batch means. There are as many batches as are not significantly
 *  correlated with their neighbours, and the interval is widened by what correlation is left, as in Skart
 *  (A. Tafazzoli, J. R. Wilson, IIE Transactions 43(2), 2011). */
struct hd_series_mean {
  struct hd_mean mean; /* n: batches; 0: the series is too short */
  double drift;        /* from its begin to its end, by a straight line, as a share of the mean */
  bool drifts;         /* and chance does not explain it */
};
struct hd_series_mean hd_series_mean(const struct hd_stretch *series, size_t n);

#endif
