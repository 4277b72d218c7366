/* Writes named statistics of a run's software into database and report.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "statistics.h"

#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

static int compare_values(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Returns the smallest value that is not exceeded by at least `permille` in 1,000 of the values. */
static uint64_t percentile(const uint64_t *sorted, size_t n, unsigned permille)
{
  size_t rank = n / 1000 * permille + (n % 1000 * permille + 999) / 1000;
  return sorted[rank ? rank - 1 : 0];
}

void hd_statistic_summarise(struct hd_run_statistic *s, const char *name,
                            const struct hd_world_value *values, size_t n)
{
  uint64_t *sorted = hd_xmalloc(n * sizeof *sorted);
  double sum = 0;
  s->name = hd_xstrdup(name);
  s->values = hd_xmalloc(n * sizeof *s->values);
  memcpy(s->values, values, n * sizeof *s->values);
  s->n = n;
  for (size_t i = 0; i < n; i++) {
    sorted[i] = values[i].value;
    sum += (double)sorted[i];
  }
  qsort(sorted, n, sizeof *sorted, compare_values);
  s->minimum = sorted[0];
  s->median = percentile(sorted, n, 500);
  s->p99 = percentile(sorted, n, 990);
  s->p999 = percentile(sorted, n, 999);
  s->maximum = sorted[n - 1];
  s->mean = sum / (double)n;
  free(sorted);
}

void hd_statistics_fini(struct hd_statistics *statistics)
{
  free(statistics->taken);
}

static void more_statistics(struct hd_statistics *s, uint32_t n)
{
  HD_XROOM(s->taken, s->capacity, s->n, n - s->n);
  memset(s->taken + s->n, 0, (n - s->n) * sizeof *s->taken);
  s->n = n;
}

int hd_statistics_flush(struct hd_statistics *s, const struct hd_world *world, uint64_t limit,
                        struct hd_rundb *db, struct hd_error *err)
{
  uint32_t n = hd_world_statistics(world);
  int status = HD_OK;
  if (n > s->n)
    more_statistics(s, n);
  for (uint32_t i = 0; db && !status && i < n; i++) {
    struct hd_world_statistic from = hd_world_statistic(world, i);
    size_t *taken = &s->taken[i];
    while (!status && *taken < from.n && from.values[*taken].cycle <= limit) {
      const struct hd_world_value *value = &from.values[(*taken)++];
      status = hd_rundb_value(
          db, &(struct hd_rundb_value){i, from.name, value->cycle, value->value}, err);
    }
  }
  return status;
}

void hd_statistics_report(const struct hd_world *world, uint64_t limit,
                          struct hd_run_report *report)
{
  uint32_t n = hd_world_statistics(world);
  if (!n)
    return;
  report->statistics = hd_xcalloc(n, sizeof *report->statistics);
  for (uint32_t i = 0; i < n; i++) {
    struct hd_world_statistic from = hd_world_statistic(world, i);
    size_t known = from.n;
    while (known && from.values[known - 1].cycle > limit)
      known--;
    if (known)
      hd_statistic_summarise(&report->statistics[report->n_statistics++], from.name, from.values,
                             known);
  }
}
