/* Evaluates points and curves.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fat_tree_study.h"

#include <math.h>
#include <string.h>

static struct hd_mean mean_of(const struct fattree_results *r, const struct fattree_point *point,
                              double (*of)(const struct fattree_run *run))
{
  double values[FATTREE_MAX_SEEDS];
  size_t n = 0;
  for (uint32_t i = 0; i < r->seeds; i++)
    if (point->runs[i].done)
      values[n++] = of(&point->runs[i]);
  return hd_mean(values, n);
}

static double latency(const struct fattree_run *run)
{
  return run->latency;
}

static double accepted(const struct fattree_run *run)
{
  return run->accepted;
}

static double offered(const struct fattree_run *run)
{
  return run->offered;
}

static double blocked(const struct fattree_run *run)
{
  return run->blocked;
}

struct hd_mean fattree_latency(const struct fattree_results *r, const struct fattree_point *point)
{
  return mean_of(r, point, latency);
}

struct hd_mean fattree_accepted(const struct fattree_results *r, const struct fattree_point *point)
{
  return mean_of(r, point, accepted);
}

struct hd_mean fattree_offered(const struct fattree_results *r, const struct fattree_point *point)
{
  return mean_of(r, point, offered);
}

struct hd_mean fattree_blocked(const struct fattree_results *r, const struct fattree_point *point)
{
  return mean_of(r, point, blocked);
}

bool fattree_known(const struct fattree_results *r, const struct fattree_point *point)
{
  return fattree_latency(r, point).n > 0;
}

bool fattree_saturated(const struct fattree_results *r, const struct fattree_point *point)
{
  uint32_t saturated = 0, done = 0;
  for (uint32_t i = 0; i < r->seeds; i++) {
    saturated += point->runs[i].done && point->runs[i].saturated;
    done += point->runs[i].done;
  }
  return 2 * saturated > done;
}

const struct fattree_curve *fattree_find(const struct fattree_results *r, const char *network,
                                         const char *routing, enum fattree_traffic traffic)
{
  for (uint32_t i = 0; i < r->n; i++) {
    const struct fattree_curve *curve = &r->curves[i];
    if (curve->traffic == traffic && !strcmp(fattree_networks[curve->network].name, network) &&
        (!routing || !strcmp(fattree_routings[curve->routing].name, routing)))
      return curve;
  }
  return NULL;
}

/* Tests whether all points of the curve have been run with this seed. */
static bool has_seed(const struct fattree_results *r, const struct fattree_curve *curve,
                     uint32_t seed)
{
  for (uint32_t i = 0; i < r->n_loads; i++)
    if (!curve->points[i].runs[seed].done)
      return false;
  return true;
}

bool fattree_complete(const struct fattree_results *r, const struct fattree_curve *curve)
{
  return curve && has_seed(r, curve, 0);
}

struct hd_mean fattree_most_accepted(const struct fattree_results *r,
                                     const struct fattree_curve *curve)
{
  struct hd_mean most = {0};
  for (uint32_t i = 0; curve && i < r->n_loads; i++) {
    struct hd_mean mean = fattree_accepted(r, &curve->points[i]);
    if (mean.n && (!most.n || mean.mean > most.mean))
      most = mean;
  }
  return most;
}

/* Returns the most that a seed has accepted at any load. */
static double most_of_seed(const struct fattree_results *r, const struct fattree_curve *curve,
                           uint32_t seed)
{
  double most = 0;
  for (uint32_t i = 0; i < r->n_loads; i++)
    most = fmax(most, curve->points[i].runs[seed].accepted);
  return most;
}

struct hd_mean fattree_accepted_ratio(const struct fattree_results *r,
                                      const struct fattree_curve *a, const struct fattree_curve *b)
{
  double ratios[FATTREE_MAX_SEEDS];
  size_t n = 0;
  for (uint32_t seed = 0; seed < r->seeds; seed++)
    if (has_seed(r, a, seed) && has_seed(r, b, seed))
      ratios[n++] = most_of_seed(r, a, seed) / most_of_seed(r, b, seed);
  return hd_mean(ratios, n);
}

uint32_t fattree_saturates_at(const struct fattree_results *r, const struct fattree_curve *curve)
{
  for (uint32_t i = 0; i < r->n_loads; i++)
    if (fattree_saturated(r, &curve->points[i]))
      return curve->points[i].load_permille;
  return 0;
}
