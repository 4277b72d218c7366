/* The comparison of two runs as text.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "diff.h"

#include <stdio.h>

enum { BAR_WIDTH = 40 };

static void text_run(struct hd_text *text, char letter, const struct hd_rundb_info *info)
{
  hd_text_add(text, "  %c  %s: seed %llu, %s, %s, %s, %s", letter, info->path,
              (unsigned long long)info->seed, info->dut, hd_mode_name(info->mode),
              hd_count(info->cycles, "cycle").text, info->status);
  hd_text_add(text, info->digest ? ", digest %s\n" : " (cut off, no digest)%s\n",
              info->digest ? info->digest : "");
}

static void text_side(struct hd_text *text, char letter, bool is_hop, const struct hd_rundb_row *s)
{
  hd_text_add(text, "    %c  ", letter);
  if (!s->present)
    hd_text_add(text, "none\n");
  else if (is_hop)
    hd_text_add(text, "switch %u, input port %u, output port %u, vc %u, in cycle %llu\n", s->hop.sw,
                s->hop.in_port, s->hop.out_port, s->hop.vc, (unsigned long long)s->hop.cycle);
  else {
    const struct hd_rundb_packet *p = &s->packet;
    hd_text_add(text, "node %u to node %u, %s, handed over in cycle %llu, ", p->source,
                p->destination, hd_count(p->flits, "flit").text, (unsigned long long)p->created);
    if (p->received == UINT64_MAX)
      hd_text_add(text, "not received\n");
    else
      hd_text_add(text, "received in %llu%s\n", (unsigned long long)p->received,
                  p->intact ? "" : ", NOT INTACT");
  }
}

static void text_first(struct hd_text *text, const struct hd_diff *d)
{
  const struct hd_rundb_row *s = d->first_a.present ? &d->first_a : &d->first_b;
  hd_text_add(text, "first difference in cycle %llu: packet %u", (unsigned long long)d->first_cycle,
              d->first_is_hop ? s->hop.packet : s->packet.number);
  if (d->first_is_hop)
    hd_text_add(text, ", hop %u", s->hop.hop);
  hd_text_add(text, "\n");
  text_side(text, 'A', d->first_is_hop, &d->first_a);
  text_side(text, 'B', d->first_is_hop, &d->first_b);
}

/* Adds the smallest and largest difference of a bin. The outermost bins are open. */
static void text_bin_name(struct hd_text *text, int bin)
{
  char name[32];
  int step = bin - HD_DIFF_BINS / 2;
  int size = step < 0 ? -step : step;
  int least = size ? 1 << (size - 1) : 0, most = (1 << size) - 1;
  if (size == HD_DIFF_BINS / 2)
    snprintf(name, sizeof name, step < 0 ? "%+d and less" : "%+d and more",
             step < 0 ? -least : least);
  else if (size < 2)
    snprintf(name, sizeof name, size ? "%+d" : "%d", step);
  else
    snprintf(name, sizeof name, "%+d to %+d", step < 0 ? -most : least, step < 0 ? -least : most);
  hd_text_add(text, "%16s", name);
}

static void text_latency(struct hd_text *text, const struct hd_diff *d)
{
  if (!d->latency_n)
    return;
  hd_text_add(text,
              "latency, B less A, of %s received in both: minimum %+lld, mean %+.3f, "
              "maximum %+lld\n",
              hd_count(d->latency_n, "packet").text, (long long)d->latency_minimum, d->latency_mean,
              (long long)d->latency_maximum);
  uint64_t most = 0;
  for (int i = 0; i < HD_DIFF_BINS; i++)
    most = d->bins[i] > most ? d->bins[i] : most;
  for (int i = 0; i < HD_DIFF_BINS; i++) {
    if (!d->bins[i])
      continue;
    hd_text_add(text, "  ");
    text_bin_name(text, i);
    hd_text_add(text, "  %10llu  ", (unsigned long long)d->bins[i]);
    int bar = (int)((double)d->bins[i] * BAR_WIDTH / (double)most);
    for (int j = 0; j < (bar ? bar : 1); j++)
      hd_text_add(text, "#");
    hd_text_add(text, "\n");
  }
}

static void text_counts(struct hd_text *text, const char *what, uint64_t equal, uint64_t differ,
                        uint64_t only_a, uint64_t only_b)
{
  hd_text_add(text, "%-8s %llu equal, %llu differ, %llu only in A, %llu only in B\n", what,
              (unsigned long long)equal, (unsigned long long)differ, (unsigned long long)only_a,
              (unsigned long long)only_b);
}

static uint64_t cycles_of(const struct hd_rundb_info *info)
{
  return info->cycles_compared ? info->cycles_compared : info->cycles;
}

/* Says which run ended earlier. From that cycle on, runs differ for this reason alone. */
static void text_ends(struct hd_text *text, const struct hd_diff *d)
{
  uint64_t a = cycles_of(&d->a), b = cycles_of(&d->b);
  if (a != b)
    hd_text_add(text, "%c ended earlier, after cycle %llu; %c ended after cycle %llu\n",
                a < b ? 'A' : 'B', (unsigned long long)(a < b ? a : b), a < b ? 'B' : 'A',
                (unsigned long long)(a < b ? b : a));
}

static const char *verdict(const struct hd_diff *d, bool has_digests)
{
  if (hd_diff_equal(d))
    return "equal";
  return has_digests || d->has_first ? "different" : "not known to be equal: a run was cut off";
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

static void text_statistics(const struct hd_diff *diff, struct hd_text *text)
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

void hd_diff_text(const struct hd_diff *d, struct hd_text *text)
{
  bool has_digests = d->a.digest && d->b.digest;
  hd_text_add(text, "%s\n", verdict(d, has_digests));
  text_run(text, 'A', &d->a);
  text_run(text, 'B', &d->b);
  text_ends(text, d);
  text_counts(text, "packets", d->packets_equal, d->packets_differ, d->packets_only_a,
              d->packets_only_b);
  if (d->both_hops)
    text_counts(text, "hops", d->hops_equal, d->hops_differ, d->hops_only_a, d->hops_only_b);
  else
    hd_text_add(text,
                "hops     not compared: both runs need trace.hops: true and run.compare: exact\n");
  hd_text_add(text, "digests  %s\n",
              !has_digests     ? "not compared: a run that was cut off has none"
              : d->same_digest ? "equal"
                               : "differ");
  if (d->has_first)
    text_first(text, d);
  else if (has_digests && !d->same_digest)
    hd_text_add(text, "no packet or hop differs, but the port traffic does: credits, flits "
                      "after the heads, or the runs' lengths\n");
  if (d->packets_differ)
    text_latency(text, d);
  text_statistics(d, text);
  for (int i = 0; i < HD_DIFF_SWITCHES && d->switches[i].hops; i++)
    hd_text_add(text, "%s switch %u: %llu hops differ\n", i ? "        " : "most in ",
                d->switches[i].sw, (unsigned long long)d->switches[i].hops);
}
