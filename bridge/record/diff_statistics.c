/* Compares what the software of two runs recorded.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "diff.h"

#include <stdlib.h>
#include <string.h>

static const struct hd_rundb_statistic *find(const struct hd_rundb_statistics *all,
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

static struct hd_diff_statistic compare(const struct hd_rundb_statistic *a,
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

int hd_diff_statistics(struct hd_diff *diff, struct hd_error *err)
{
  struct hd_rundb_statistics *a = &diff->statistics_a, *b = &diff->statistics_b;
  int status = hd_rundb_statistics_read(a, diff->a.path, err);
  if (!status)
    status = hd_rundb_statistics_read(b, diff->b.path, err);
  if (status || !a->known || !b->known || !(a->n + b->n))
    return status;
  diff->statistics = calloc(a->n + b->n, sizeof *diff->statistics);
  if (!diff->statistics)
    return hd_fail(err, HD_E_NOMEM, "comparing statistics: out of memory");
  for (size_t i = 0; i < a->n; i++)
    diff->statistics[diff->n_statistics++] = compare(&a->list[i], find(b, a->list[i].name));
  for (size_t i = 0; i < b->n; i++)
    if (!find(a, b->list[i].name))
      diff->statistics[diff->n_statistics++] = compare(NULL, &b->list[i]);
  return HD_OK;
}

static void text_value(struct hd_text *text, char letter, const struct hd_rundb_statistic *s,
                       size_t place)
{
  if (s && place < s->n)
    hd_text_add(text, "    %c  %llu, recorded in cycle %llu\n", letter,
                (unsigned long long)s->values[place].value,
                (unsigned long long)s->values[place].cycle);
  else
    hd_text_add(text, "    %c  none\n", letter);
}

void hd_diff_statistics_text(const struct hd_diff *diff, struct hd_text *text)
{
  if (diff->statistics_a.known != diff->statistics_b.known)
    hd_text_add(text, "statistics of software not compared: %c is a run of an older Heddle\n",
                diff->statistics_a.known ? 'B' : 'A');
  for (size_t i = 0; i < diff->n_statistics; i++) {
    const struct hd_diff_statistic *s = &diff->statistics[i];
    hd_text_add(text, "statistic '%s': %llu equal, %llu differ, %llu only in A, %llu only in B\n",
                s->name, (unsigned long long)s->equal, (unsigned long long)s->differ,
                (unsigned long long)s->only_a, (unsigned long long)s->only_b);
    if (!s->differ && !s->only_a && !s->only_b)
      continue;
    if (s->a && s->b)
      hd_text_add(text, "  mean: A %.2f, B %.2f\n", s->mean_a, s->mean_b);
    hd_text_add(text, "  first: value number %zu\n", s->first + 1);
    text_value(text, 'A', s->a, s->first);
    text_value(text, 'B', s->b, s->first);
  }
}
