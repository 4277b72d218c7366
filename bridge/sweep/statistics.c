/* Mean and confidence interval of a few values.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "statistics.h"

#include <math.h>

/* Student's t of 97.5 %, by degrees of freedom from 1 on. */
static double student(size_t freedom)
{
  static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                             2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                             2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  static const double normal = 1.959964;
  size_t n = sizeof t / sizeof *t;
  if (freedom <= n)
    return t[freedom - 1];
  /* Cornish and Fisher: exact to four digits from here on. */
  double z = normal, v = (double)freedom;
  return z + (z * z * z + z) / (4 * v) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * v * v);
}

struct hd_mean hd_mean(const double *values, size_t n)
{
  struct hd_mean m = {.mean = NAN, .half_width = NAN};
  double sum = 0, squares = 0;
  for (size_t i = 0; i < n; i++)
    if (!isnan(values[i])) {
      sum += values[i];
      m.n++;
    }
  if (!m.n)
    return m;
  m.mean = sum / (double)m.n;
  for (size_t i = 0; i < n; i++)
    if (!isnan(values[i]))
      squares += (values[i] - m.mean) * (values[i] - m.mean);
  if (m.n > 1)
    m.half_width = student(m.n - 1) * sqrt(squares / (double)(m.n - 1) / (double)m.n);
  return m;
}
