/* Exact latency statistics.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "latency.h"

#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

static int far_order(const void *a, const void *b)
{
  const struct hd_latency_far *x = a, *y = b;
  return (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

static void far_join(struct hd_latency *l)
{
  size_t n = 0;
  if (l->n_far)
    qsort(l->far, l->n_far, sizeof *l->far, far_order);
  for (size_t i = 0; i < l->n_far; i++)
    if (n && l->far[n - 1].cycles == l->far[i].cycles)
      l->far[n - 1].packets += l->far[i].packets;
    else
      l->far[n++] = l->far[i];
  l->n_far = n;
}

static void far_add(struct hd_latency *l, uint64_t cycles)
{
  if (l->n_far == l->cap_far) {
    far_join(l);
    /* Grows the list if half of it is full after sorting, so that it is not sorted for every
     * packet. */
    if (l->n_far >= l->cap_far / 2)
      HD_XROOM(l->far, l->cap_far, l->cap_far, 1);
  }
  l->far[l->n_far++] = (struct hd_latency_far){cycles, 1};
}

void hd_latency_add(struct hd_latency *l, uint64_t cycles)
{
  if (cycles < HD_LATENCY_NEAR) {
    if (!l->counts)
      l->counts = hd_xcalloc(HD_LATENCY_NEAR, sizeof *l->counts);
    l->counts[cycles]++;
  } else
    far_add(l, cycles);
  if (!l->n || cycles < l->minimum)
    l->minimum = cycles;
  if (!l->n || cycles > l->maximum)
    l->maximum = cycles;
  l->n++;
  l->sum += cycles;
}

double hd_latency_mean(const struct hd_latency *l)
{
  return l->n ? (double)l->sum / (double)l->n : 0.0;
}

uint64_t hd_latency_percentile(struct hd_latency *l, unsigned permille)
{
  if (!l->n)
    return 0;
  uint64_t rank = l->n / 1000 * permille + (l->n % 1000 * permille + 999) / 1000;
  if (!rank)
    rank = 1;
  uint64_t seen = 0;
  for (uint64_t c = 0; l->counts && c < HD_LATENCY_NEAR; c++) {
    seen += l->counts[c];
    if (seen >= rank)
      return c;
  }
  far_join(l);
  size_t i = 0;
  while ((seen += l->far[i].packets) < rank)
    i++;
  return l->far[i].cycles;
}

void hd_latency_end(struct hd_latency *l)
{
  l->median = hd_latency_percentile(l, 500);
  l->p95 = hd_latency_percentile(l, 950);
  l->p99 = hd_latency_percentile(l, 990);
  l->p999 = hd_latency_percentile(l, 999);
}

void hd_latency_copy(struct hd_latency *to, const struct hd_latency *from)
{
  *to = *from;
  if (from->counts) {
    to->counts = hd_xcalloc(HD_LATENCY_NEAR, sizeof *to->counts);
    memcpy(to->counts, from->counts, HD_LATENCY_NEAR * sizeof *to->counts);
  }
  to->far = NULL;
  to->cap_far = 0;
  if (from->n_far) {
    HD_XROOM(to->far, to->cap_far, 0, from->n_far);
    memcpy(to->far, from->far, from->n_far * sizeof *to->far);
  }
}

void hd_latency_fini(struct hd_latency *l)
{
  free(l->counts);
  free(l->far);
  *l = (struct hd_latency){0};
}
