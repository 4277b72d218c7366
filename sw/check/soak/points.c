/* What a soak came by of the specification, and what random scenarios cannot come by.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "soak.h"

#include <inttypes.h>

static const struct {
  enum hd_spec_point point;
  const char *why;
} out_of_reach[] = {
    {HD_POINT_PADDING_IDLE,
     "the output that preempts owns the channel, so its packet has begun and has not ended"},
    {HD_POINT_LIVE_MASKS, "the management writes LIVE and the rows of the table one after the "
                          "other, and the unit stands still "
                          "meanwhile"},
    {HD_POINT_LOCAL_WAITS, "the run ends with the first member that is told of a failure; its slot "
                           "would have to be full in "
                           "that very cycle"},
};

const char *soak_out_of_reach(enum hd_spec_point point)
{
  for (size_t i = 0; i < sizeof out_of_reach / sizeof *out_of_reach; i++)
    if (out_of_reach[i].point == point)
      return out_of_reach[i].why;
  return NULL;
}

struct soak_points soak_points_count(const struct hd_coverage_set *set)
{
  struct soak_points points = {0};
  for (unsigned i = 0; i < HD_POINTS; i++) {
    bool counts = set->reachable[i] && !soak_out_of_reach((enum hd_spec_point)i);
    points.reachable += counts;
    points.exercised += counts && set->count[i];
  }
  return points;
}

void soak_points_print(const struct hd_coverage_set *set, FILE *file)
{
  const struct soak_points points = soak_points_count(set);
  for (unsigned i = 0; i < HD_POINTS; i++) {
    const struct hd_coverage_point *p = &hd_coverage_list[i];
    const char *why = soak_out_of_reach((enum hd_spec_point)i);
    if (!set->reachable[i] || (set->count[i] && !why))
      continue;
    fprintf(file, "never exercised: §%s %s", p->section, p->name);
    if (why)
      fprintf(file, " (out of reach: %s)", set->count[i] ? "wrong, it was exercised" : why);
    fprintf(file, "\n");
  }
  fprintf(file,
          "%" PRIu32 " of %" PRIu32 " points of the specification exercised that are in reach\n",
          points.exercised, points.reachable);
}

bool soak_points_suffice(struct soak_points points, uint32_t scenarios)
{
  uint32_t percent = scenarios >= 1000 ? 99 : scenarios >= 500 ? 97 : 0;
  return 100 * points.exercised >= percent * points.reachable;
}
