/* Compares two runs. Reads both databases in order of packets, like a merge.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "diff.h"
#include "../host/memory.h"
#include "rundb_internal.h"

#include <stdlib.h>
#include <string.h>

static void keep_first(struct hd_diff *diff, bool is_hop, uint64_t cycle,
                       const struct hd_rundb_row *a, const struct hd_rundb_row *b)
{
  /* A hop is preferred to a packet of the same cycle, because it names the place. */
  if (diff->has_first && (cycle > diff->first_cycle ||
                          (cycle == diff->first_cycle && (diff->first_is_hop || !is_hop))))
    return;
  diff->has_first = true;
  diff->first_is_hop = is_hop;
  diff->first_cycle = cycle;
  diff->first_a = a ? *a : (struct hd_rundb_row){0};
  diff->first_b = b ? *b : (struct hd_rundb_row){0};
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* Returns the bin of a difference: the middle bin is 0, then 1, 2–3, 4–7, … to both sides. The
 * outermost bins are open. */
static unsigned bin_of(int64_t difference)
{
  uint64_t size = (uint64_t)(difference < 0 ? -difference : difference);
  unsigned step = 0;
  while (size && step < HD_DIFF_BINS / 2) {
    size >>= 1;
    step++;
  }
  return difference < 0 ? HD_DIFF_BINS / 2 - step : HD_DIFF_BINS / 2 + step;
}

static void count_latency(struct hd_diff *diff, const struct hd_rundb_packet *a,
                          const struct hd_rundb_packet *b)
{
  if (a->received == UINT64_MAX || b->received == UINT64_MAX)
    return;
  int64_t d = (int64_t)(b->received - b->created) - (int64_t)(a->received - a->created);
  if (!diff->latency_n || d < diff->latency_minimum)
    diff->latency_minimum = d;
  if (!diff->latency_n || d > diff->latency_maximum)
    diff->latency_maximum = d;
  diff->latency_n++;
  diff->latency_mean += ((double)d - diff->latency_mean) / (double)diff->latency_n;
  diff->bins[bin_of(d)]++;
}

/* Compares rows with the same key. If only one run has the row, the other argument is NULL. */
typedef void compare_fn(struct hd_diff *diff, const struct hd_rundb_row *a,
                        const struct hd_rundb_row *b, uint64_t *switches);

static void compare_packets(struct hd_diff *diff, const struct hd_rundb_row *a,
                            const struct hd_rundb_row *b, uint64_t *switches)
{
  (void)switches;
  if (!a || !b) {
    (*(a ? &diff->packets_only_a : &diff->packets_only_b))++;
    keep_first(diff, false, a ? a->packet.created : b->packet.created, a, b);
    return;
  }
  const struct hd_rundb_packet *p = &a->packet, *q = &b->packet;
  count_latency(diff, p, q);
  bool handed = p->source == q->source && p->destination == q->destination &&
                p->flits == q->flits && p->created == q->created && p->synthetic == q->synthetic;
  if (handed && p->received == q->received && p->intact == q->intact) {
    diff->packets_equal++;
    return;
  }
  diff->packets_differ++;
  uint64_t cycle = handed ? least_of(p->received, q->received) : least_of(p->created, q->created);
  keep_first(diff, false, cycle, a, b);
}

static void compare_hops(struct hd_diff *diff, const struct hd_rundb_row *a,
                         const struct hd_rundb_row *b, uint64_t *switches)
{
  if (!a || !b) {
    const struct hd_rundb_hop *h = a ? &a->hop : &b->hop;
    (*(a ? &diff->hops_only_a : &diff->hops_only_b))++;
    switches[h->sw]++;
    keep_first(diff, true, h->cycle, a, b);
    return;
  }
  const struct hd_rundb_hop *p = &a->hop, *q = &b->hop;
  if (p->sw == q->sw && p->in_port == q->in_port && p->out_port == q->out_port && p->vc == q->vc &&
      p->cycle == q->cycle) {
    diff->hops_equal++;
    return;
  }
  diff->hops_differ++;
  switches[p->sw]++;
  keep_first(diff, true, least_of(p->cycle, q->cycle), a, b);
}

static int merge(struct hd_diff *diff, struct hd_rundb_cursor *a, struct hd_rundb_cursor *b,
                 compare_fn *compare, uint64_t *switches, struct hd_error *err)
{
  const struct hd_rundb_row *p = hd_rundb_cursor_row(a), *q = hd_rundb_cursor_row(b);
  int status = HD_OK;
  while (!status && (p->present || q->present)) {
    bool from_a = p->key <= q->key, from_b = q->key <= p->key;
    compare(diff, from_a ? p : NULL, from_b ? q : NULL, switches);
    if (from_a)
      status = hd_rundb_cursor_next(a, err);
    if (!status && from_b)
      status = hd_rundb_cursor_next(b, err);
  }
  return status;
}

static int merge_rows(struct hd_diff *diff, bool hops, uint64_t *switches, struct hd_error *err)
{
  struct hd_rundb_cursor *a = NULL, *b = NULL;
  int status = hd_rundb_cursor_open(&a, diff->a.path, hops, err);
  if (!status)
    status = hd_rundb_cursor_open(&b, diff->b.path, hops, err);
  if (!status && hops)
    diff->both_hops = hd_rundb_cursor_row(a)->present && hd_rundb_cursor_row(b)->present;
  if (!status && (!hops || diff->both_hops))
    status = merge(diff, a, b, hops ? compare_hops : compare_packets, switches, err);
  hd_rundb_cursor_close(a);
  hd_rundb_cursor_close(b);
  return status;
}

static void most_switches(struct hd_diff *diff, uint64_t *counts)
{
  for (int i = 0; i < HD_DIFF_SWITCHES; i++) {
    uint32_t best = 0;
    for (uint32_t sw = 1; sw <= UINT16_MAX; sw++)
      if (counts[sw] > counts[best])
        best = sw;
    diff->switches[i].sw = best;
    diff->switches[i].hops = counts[best];
    counts[best] = 0;
  }
}

/* ── statistics of software ────────────────────────────────────────────────── */

static const struct hd_rundb_statistic *find_statistic(const struct hd_rundb_statistics *all,
                                                       const char *name)
{
  for (size_t i = 0; i < all->n; i++)
    if (!strcmp(all->list[i].name, name))
      return &all->list[i];
  return NULL;
}

static double mean(const struct hd_rundb_statistic *s)
{
  double sum = 0;
  for (size_t i = 0; s && i < s->n; i++)
    sum += (double)s->values[i].value;
  return s && s->n ? sum / (double)s->n : 0;
}

static struct hd_diff_statistic compare_values(const struct hd_rundb_statistic *a,
                                               const struct hd_rundb_statistic *b)
{
  size_t n_a = a ? a->n : 0, n_b = b ? b->n : 0, both = n_a < n_b ? n_a : n_b;
  struct hd_diff_statistic s = {.name = a ? a->name : b->name,
                                .a = a,
                                .b = b,
                                .only_a = n_a - both,
                                .only_b = n_b - both,
                                .first = both,
                                .mean_a = mean(a),
                                .mean_b = mean(b)};
  for (size_t i = both; i-- > 0;)
    if (a->values[i].cycle == b->values[i].cycle && a->values[i].value == b->values[i].value)
      s.equal++;
    else {
      s.differ++;
      s.first = i;
    }
  return s;
}

static int compare_statistics(struct hd_diff *diff, struct hd_error *err)
{
  struct hd_rundb_statistics *a = &diff->statistics_a, *b = &diff->statistics_b;
  int status = hd_rundb_statistics_read(a, diff->a.path, err);
  if (!status)
    status = hd_rundb_statistics_read(b, diff->b.path, err);
  if (status || !a->known || !b->known || !(a->n + b->n))
    return status;
  diff->statistics = hd_xcalloc(a->n + b->n, sizeof *diff->statistics);
  for (size_t i = 0; i < a->n; i++)
    diff->statistics[diff->n_statistics++] =
        compare_values(&a->list[i], find_statistic(b, a->list[i].name));
  for (size_t i = 0; i < b->n; i++)
    if (!find_statistic(a, b->list[i].name))
      diff->statistics[diff->n_statistics++] = compare_values(NULL, &b->list[i]);
  return HD_OK;
}

int hd_diff_runs(struct hd_diff *diff, const char *run_a, const char *run_b, bool force,
                 struct hd_error *err)
{
  *diff = (struct hd_diff){0};
  int status = hd_rundb_read(&diff->a, run_a, err);
  if (!status)
    status = hd_rundb_read(&diff->b, run_b, err);
  if (status)
    return status;
  if (!force && strcmp(diff->a.scenario, diff->b.scenario))
    return hd_fail(err, HD_E_INPUT,
                   "%s and %s are runs of different scenarios (%s, %s), so their packets have "
                   "nothing to do with each other; --force compares them nevertheless",
                   run_a, run_b, diff->a.name, diff->b.name);
  diff->same_digest = diff->a.digest && diff->b.digest && !strcmp(diff->a.digest, diff->b.digest);
  uint64_t *switches = hd_xcalloc(UINT16_MAX + 1, sizeof *switches);
  status = merge_rows(diff, false, switches, err);
  if (!status)
    status = merge_rows(diff, true, switches, err);
  most_switches(diff, switches);
  free(switches);
  return status ? status : compare_statistics(diff, err);
}

bool hd_diff_equal(const struct hd_diff *d)
{
  for (size_t i = 0; i < d->n_statistics; i++)
    if (d->statistics[i].differ || d->statistics[i].only_a || d->statistics[i].only_b)
      return false;
  return d->same_digest && !d->packets_differ && !d->packets_only_a && !d->packets_only_b &&
         !d->hops_differ && !d->hops_only_a && !d->hops_only_b;
}

void hd_diff_fini(struct hd_diff *diff)
{
  hd_rundb_info_fini(&diff->a);
  hd_rundb_info_fini(&diff->b);
  hd_rundb_statistics_fini(&diff->statistics_a);
  hd_rundb_statistics_fini(&diff->statistics_b);
  free(diff->statistics);
  *diff = (struct hd_diff){0};
}
