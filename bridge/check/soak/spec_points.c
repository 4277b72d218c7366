/* Counts points of the specification that a soak exercised; lists points that random scenarios never or seldom exercise.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "soak.h"

#include <inttypes.h>

static const struct {
  enum hd_spec_point point;
  const char *why;
  bool seldom; /* less than one in a hundred scenarios that are drawn for the point reaches it */
} excused[] = {
    {HD_POINT_PADDING_IDLE,
     "the output that preempts owns the channel, so its packet has begun and has not ended", false},
    {HD_POINT_LIVE_MASKS,
     "the management writes LIVE and the rows of the table one after the "
     "other, and the unit stands still "
     "meanwhile",
     false},
    {HD_POINT_LOCAL_FAILED,
     "a member that arrives while its group fails has left its node before the fault that made it "
     "fail",
     true},
    {HD_POINT_NO_PORT,
     "a message without a way is of a group that is cut off, and the run ends a cycle after that",
     true},
    {HD_POINT_NO_PORT_SEND, "the same", true},
    {HD_POINT_LOCAL_WAITS, "as \"local, failed\", and its slot is full in that very cycle", false},
};

static const char *why_not(enum hd_spec_point point, bool seldom)
{
  for (size_t i = 0; i < sizeof excused / sizeof *excused; i++)
    if (excused[i].point == point && excused[i].seldom == seldom)
      return excused[i].why;
  return NULL;
}

const char *hd_soak_out_of_reach(enum hd_spec_point point)
{
  return why_not(point, false);
}

struct soak_points hd_soak_points_count(const struct hd_coverage_set *set)
{
  struct soak_points points = {0};
  for (unsigned i = 0; i < HD_POINTS; i++) {
    const enum hd_spec_point p = (enum hd_spec_point)i;
    bool counts = set->reachable[i] && !why_not(p, false) && !why_not(p, true);
    points.reachable += counts;
    points.exercised += counts && set->count[i];
  }
  return points;
}

void hd_soak_points_print(const struct hd_coverage_set *set, FILE *file)
{
  const struct soak_points points = hd_soak_points_count(set);
  for (unsigned i = 0; i < HD_POINTS; i++) {
    const struct hd_coverage_point *p = &hd_coverage_list[i];
    const char *why = hd_soak_out_of_reach((enum hd_spec_point)i);
    const char *seldom = why_not((enum hd_spec_point)i, true);
    if (!set->reachable[i] || (set->count[i] && !why))
      continue;
    fprintf(file, "never exercised: §%s %s", p->section, p->name);
    if (seldom)
      fprintf(file, " (seldom, and not asked for: %s)", seldom);
    if (why)
      fprintf(file, " (out of reach: %s)", set->count[i] ? "wrong, it was exercised" : why);
    fprintf(file, "\n");
  }
  fprintf(file,
          "%" PRIu32 " of %" PRIu32 " points of the specification exercised that are asked for\n",
          points.exercised, points.reachable);
}

bool hd_soak_points_suffice(struct soak_points points, uint32_t scenarios)
{
  uint32_t percent = scenarios >= 1000 ? 99 : scenarios >= 500 ? 97 : 0;
  return 100 * points.exercised >= percent * points.reachable;
}
