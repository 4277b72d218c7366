/* Exact latency statistics.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "latency.h"

#include <stdlib.h>

int hd_latency_add(struct hd_latency *l, uint64_t cycles)
{
  if (cycles < HD_LATENCY_NEAR) {
    if (!l->counts && !(l->counts = calloc(HD_LATENCY_NEAR, sizeof *l->counts)))
      return HD_E_NOMEM;
    l->counts[cycles]++;
  } else {
    if (l->n_far == l->cap_far) {
      size_t cap = l->cap_far ? 2 * l->cap_far : 1024;
      uint64_t *far = realloc(l->far, cap * sizeof *far);
      if (!far)
        return HD_E_NOMEM;
      l->far = far;
      l->cap_far = cap;
    }
    l->far[l->n_far++] = cycles;
  }
  if (!l->n || cycles < l->minimum)
    l->minimum = cycles;
  if (!l->n || cycles > l->maximum)
    l->maximum = cycles;
  l->n++;
  l->sum += cycles;
  return HD_OK;
}

double hd_latency_mean(const struct hd_latency *l)
{
  return l->n ? (double)l->sum / (double)l->n : 0.0;
}

static int latency_order(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

uint64_t hd_latency_percentile(struct hd_latency *l, unsigned percent)
{
  if (!l->n)
    return 0;
  uint64_t rank = l->n / 100 * percent + (l->n % 100 * percent + 99) / 100;
  if (!rank)
    rank = 1;
  uint64_t seen = 0;
  for (uint64_t c = 0; l->counts && c < HD_LATENCY_NEAR; c++) {
    seen += l->counts[c];
    if (seen >= rank)
      return c;
  }
  qsort(l->far, l->n_far, sizeof *l->far, latency_order);
  return l->far[rank - seen - 1];
}

void hd_latency_fini(struct hd_latency *l)
{
  free(l->counts);
  free(l->far);
  *l = (struct hd_latency){0};
}
