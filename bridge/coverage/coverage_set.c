/* Sets of coverage: adds the counts of runs, finds holes.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coverage_set.h"

static void add(struct hd_coverage_set *set, const struct hd_coverage *counts,
                const struct hd_switch_params *params, bool stream)
{
  set->runs++;
  for (unsigned i = 0; i < HD_POINTS; i++) {
    set->count[i] += counts->count[i];
    set->reachable[i] |= (stream || hd_coverage_list[i].by == HD_COVERAGE_RUN) &&
                         hd_coverage_possible(params, (enum hd_spec_point)i);
  }
}

void hd_coverage_add(struct hd_coverage_set *set, const struct hd_coverage *counts,
                     const struct hd_switch_params *params)
{
  add(set, counts, params, false);
}

void hd_coverage_add_stream(struct hd_coverage_set *set, const struct hd_coverage *counts,
                            const struct hd_switch_params *params)
{
  add(set, counts, params, true);
}

void hd_coverage_merge(struct hd_coverage_set *set, const struct hd_coverage_set *other)
{
  set->runs += other->runs;
  for (unsigned i = 0; i < HD_POINTS; i++) {
    set->count[i] += other->count[i];
    set->reachable[i] |= other->reachable[i];
  }
}

bool hd_coverage_is_hole(const struct hd_coverage_set *set, enum hd_spec_point point)
{
  return set->reachable[point] && !set->count[point];
}

enum hd_spec_point hd_coverage_next_hole(const struct hd_coverage_set *set, enum hd_spec_point from)
{
  unsigned i = from;
  while (i < HD_POINTS && !hd_coverage_is_hole(set, (enum hd_spec_point)i))
    i++;
  return (enum hd_spec_point)i;
}

uint32_t hd_coverage_reachable_points(const struct hd_coverage_set *set)
{
  uint32_t n = 0;
  for (unsigned i = 0; i < HD_POINTS; i++)
    n += set->reachable[i];
  return n;
}

uint32_t hd_coverage_holes(const struct hd_coverage_set *set)
{
  uint32_t n = 0;
  for (unsigned i = 0; i < HD_POINTS; i++)
    n += hd_coverage_is_hole(set, (enum hd_spec_point)i);
  return n;
}
