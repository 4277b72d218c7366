/* Mean and confidence interval of a few values.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWEEP_STATISTICS_H
#define HD_SWEEP_STATISTICS_H

#include <stddef.h>

struct hd_mean {
  size_t n;    /* values that there are; others are no numbers */
  double mean; /* NaN: there are none */
  double
      half_width; /* of the 95 % confidence interval, by Student's t; NaN: fewer than two values */
};

/** Values that are NaN do not count. */
struct hd_mean hd_mean(const double *values, size_t n);

#endif
