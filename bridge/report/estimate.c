/* Estimates means of few or of correlated values: confidence interval, warm-up, drift.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "estimate.h"

#include <math.h>

/* Returns Student's t for more than 30 degrees of freedom, by the expansion of Cornish and
 * Fisher, exact to four digits. `z` is the quantile of the normal distribution. */
static double expand(double z, size_t freedom)
{
  double v = (double)freedom;
  return z + (z * z * z + z) / (4 * v) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * v * v);
}

/* Returns the 97.5 % quantile of Student's t by degrees of freedom, from 1 on. */
static double student(size_t freedom)
{
  static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                             2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                             2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  static const double normal = 1.959964;
  size_t n = sizeof t / sizeof *t;
  if (freedom <= n)
    return t[freedom - 1];
  return expand(normal, freedom);
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

struct hd_mean hd_mean_of_means(const double *means, const double *half_widths, size_t n)
{
  struct hd_mean m = hd_mean(means, n);
  double squares = 0;
  for (size_t i = 0; i < n; i++)
    if (!isnan(means[i]))
      squares += half_widths[i] * half_widths[i];
  /* A NaN in half_widths makes the second value NaN. Then fmax() returns the first one. */
  m.half_width = fmax(m.half_width, sqrt(squares) / (double)m.n);
  return m;
}

/* ── a series in time ──────────────────────────────────────────────────────── */

static struct hd_stretch sum_of(const struct hd_stretch *series, size_t from, size_t to)
{
  struct hd_stretch all = {0, 0};
  for (size_t i = from; i < to; i++) {
    all.sum += series[i].sum;
    all.weight += series[i].weight;
  }
  return all;
}

/* Returns the mean of the HD_MSER_BATCH stretches from `from` on; NaN: nothing happened in them. */
static double batch_of(const struct hd_stretch *series, size_t from)
{
  struct hd_stretch all = sum_of(series, from, from + HD_MSER_BATCH);
  return all.weight > 0 ? all.sum / all.weight : NAN;
}

size_t hd_mser5(const struct hd_stretch *series, size_t n)
{
  size_t batches = n / HD_MSER_BATCH, best = 0;
  double sum = 0, squares = 0, kept = 0, least = INFINITY;
  /* Goes from the end to the begin, so that each step adds one batch to the sums. */
  for (size_t cut = batches; cut-- > 0;) {
    double value = batch_of(series, cut * HD_MSER_BATCH);
    if (isnan(value))
      continue;
    sum += value;
    squares += value * value;
    kept++;
    double error = (squares - sum * sum / kept) / (kept * kept);
    if (2 * cut <= batches && error <= least) {
      least = error;
      best = cut;
    }
  }
  return best * HD_MSER_BATCH;
}

/* Batches of a series: their deviations from the mean of the series, and a straight line through
 * these. */
struct batches {
  size_t n;
  double mean; /* mean of the whole series */
  /* Deviation of each batch: its sum, less that of the mean, divided by the mean weight of a
   * batch */
  double off[HD_BATCHES_MOST];
  double left[HD_BATCHES_MOST];  /* `off`, less the straight line */
  double slope, sum_xx, squares; /* rise per batch; sums of squares: of batch numbers around their
                                    middle, of `left` */
};

static bool cut_up(const struct hd_stretch *series, size_t n, size_t batches, struct batches *b)
{
  struct hd_stretch all = sum_of(series, 0, n);
  *b = (struct batches){.n = batches, .mean = all.sum / all.weight};
  double sum_xy = 0, middle = ((double)batches - 1) / 2;
  for (size_t i = 0; i < batches; i++) {
    struct hd_stretch one = sum_of(series, n * i / batches, n * (i + 1) / batches);
    if (!(one.weight > 0))
      return false;
    b->off[i] = (one.sum - b->mean * one.weight) * (double)batches / all.weight;
    b->sum_xx += ((double)i - middle) * ((double)i - middle);
    sum_xy += ((double)i - middle) * b->off[i];
  }
  b->slope = sum_xy / b->sum_xx;
  for (size_t i = 0; i < batches; i++) {
    b->left[i] = b->off[i] - b->slope * ((double)i - middle);
    b->squares += b->left[i] * b->left[i];
  }
  return true;
}

/* Returns the correlation of each value with the next one. */
static double correlation(const double *values, size_t n)
{
  double products = 0, squares = 0;
  for (size_t i = 0; i < n; i++) {
    squares += values[i] * values[i];
    products += i ? values[i] * values[i - 1] : 0;
  }
  return squares > 0 ? products / squares : 0;
}

/* Returns the factor by which correlation between neighbours widens the variance of a mean. A
 * correlation estimated from n values is too low by about 1/n. */
static double widening(double correlation_found, size_t n)
{
  double c = fmin(fmax(correlation_found + 1 / (double)n, 0), 0.8);
  return (1 + c) / (1 - c);
}

/* Returns the 99.95 % quantile of Student's t: chance looks like a drift in one run of a
 * thousand. */
static double sure_student(size_t freedom)
{
  return expand(3.290527, freedom);
}

struct hd_series_mean hd_series_mean(const struct hd_stretch *series, size_t n)
{
  static const double one_sided = 1.644854; /* 95 % of the normal distribution */
  struct hd_series_mean m = {.mean = {.mean = NAN, .half_width = NAN}, .drift = NAN};
  struct batches b;
  bool any = false;
  for (size_t k = HD_BATCHES_MOST; k >= HD_BATCHES_LEAST && n >= HD_BATCHES_LEAST; k /= 2) {
    if (k > n || !cut_up(series, n, k, &b))
      continue;
    any = true;
    if (correlation(b.left, k) < one_sided / sqrt((double)k))
      break;
  }
  if (!any)
    return m;
  double count = (double)b.n, squares = 0;
  for (size_t i = 0; i < b.n; i++)
    squares += b.off[i] * b.off[i];
  m.mean.n = b.n;
  m.mean.mean = b.mean;
  m.mean.half_width = student(b.n - 1) *
                      sqrt(squares / (count - 1) / count * widening(correlation(b.off, b.n), b.n));
  double slope_error =
      sqrt(b.squares / (count - 2) / b.sum_xx * widening(correlation(b.left, b.n), b.n));
  m.drift = b.slope * count / b.mean;
  m.drifts = fabs(b.slope) > sure_student(b.n - 2) * slope_error;
  return m;
}
