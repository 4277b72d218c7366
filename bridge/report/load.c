/* Judges whether a fabric carries its load: latency over time, warm-up, drift, saturation.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "load.h"

#include "../host/memory.h"
#include "estimate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ── bins ────────────────────────────────────────────────────────────────────── */

/* Doubles the width of bins until the last bin contains `cycle` or a later one. */
static void widen(struct hd_load *l, uint64_t cycle)
{
  for (; cycle / l->width >= HD_LOAD_BINS; l->width *= 2)
    for (size_t i = 0; i < HD_LOAD_BINS; i++) {
      struct hd_load_bin two[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
      for (size_t k = 0; k < 2 && 2 * i + k < HD_LOAD_BINS; k++)
        two[k] = l->bins[2 * i + k];
      l->bins[i] =
          (struct hd_load_bin){two[0].packets + two[1].packets, two[0].latency + two[1].latency,
                               two[0].created + two[1].created, two[0].received + two[1].received};
    }
}

static struct hd_load_bin *bin_of(struct hd_load *l, uint64_t cycle)
{
  if (!l->bins) {
    l->bins = hd_xcalloc(HD_LOAD_BINS, sizeof *l->bins);
    l->width = 1;
  }
  widen(l, cycle);
  return &l->bins[cycle / l->width];
}

void hd_load_created(struct hd_load *l, uint64_t cycle, uint32_t flits, uint64_t no_load)
{
  struct hd_load_bin *bin = bin_of(l, cycle);
  bin->created += flits;
  l->no_load += (double)no_load;
  l->no_load_packets += no_load > 0;
}

void hd_load_received(struct hd_load *l, uint64_t cycle, uint32_t flits)
{
  struct hd_load_bin *bin = bin_of(l, cycle);
  bin->received += flits;
}

void hd_load_latency(struct hd_load *l, uint64_t cycle, uint64_t latency)
{
  struct hd_load_bin *bin = bin_of(l, cycle);
  bin->packets++;
  bin->latency += latency;
}

void hd_load_missing(struct hd_load *l, uint64_t cycle, uint64_t age)
{
  if (!l->missing || cycle < l->missing_first)
    l->missing_first = cycle;
  l->missing++;
  l->missing_age += age;
}

void hd_load_lost(struct hd_load *l, uint64_t cycle, uint32_t flits)
{
  struct hd_load_bin *bin = bin_of(l, cycle);
  bin->created -= flits < bin->created ? flits : bin->created;
}

void hd_load_fini(struct hd_load *l)
{
  free(l->bins);
  *l = (struct hd_load){0};
}

/* ── judgement ─────────────────────────────────────────────────────────────── */

const char *hd_load_state_name(enum hd_load_state state)
{
  static const char *const names[] = {NULL,     "steady",    "warm-up",
                                      "drifts", "too short", "saturated"};
  return names[state];
}

static size_t bins_until(const struct hd_load *l, uint64_t cycle)
{
  uint64_t n = cycle / l->width;
  return n < HD_LOAD_BINS ? (size_t)n : HD_LOAD_BINS;
}

/* Sets *created to the flits created in a part of the phase. Returns how many more flits were
 * created than received. */
static double flits_not_received(const struct hd_load *l, size_t from, size_t to, double *created)
{
  double received = 0;
  *created = 0;
  for (size_t i = from; i < to; i++) {
    *created += (double)l->bins[i].created;
    received += (double)l->bins[i].received;
  }
  return *created - received;
}

/* Tests whether the fabric accepts less than is offered: queues grow in both halves of the phase
 * by more than chance explains. A fabric that only fills up grows them in the first half alone.
 * `flits`: length of a packet. */
static bool accepts_less(const struct hd_load *l, size_t bins, double flits, double *accepted)
{
  double created[2], more[2];
  for (size_t half = 0; half < 2; half++) {
    more[half] = flits_not_received(l, half ? bins / 2 : 0, half ? bins : bins / 2, &created[half]);
    if (more[half] < HD_LOAD_BEHIND * created[half] ||
        more[half] < 3 * sqrt(2 * created[half] * flits))
      return false;
  }
  *accepted = 1 - (more[0] + more[1]) / (created[0] + created[1]);
  return true;
}

/* Sums over the packets of the phase, received or not. */
struct totals {
  double packets, latency,
      flits; /* number; sum of latencies, or of ages of packets under way; mean length */
  double mean;
};

static struct totals sum_phase(const struct hd_load *l)
{
  struct totals t = {.packets = (double)l->missing, .latency = (double)l->missing_age};
  double created = 0;
  for (size_t i = 0; i < HD_LOAD_BINS; i++) {
    t.packets += (double)l->bins[i].packets;
    t.latency += (double)l->bins[i].latency;
    created += (double)l->bins[i].created;
  }
  t.mean = t.packets > 0 ? t.latency / t.packets : 0;
  t.flits = t.packets > 0 ? created / t.packets : 0;
  return t;
}

static bool is_long(double mean, const struct hd_load_verdict *v)
{
  return v->no_load > 0 && mean > HD_LOAD_TIMES * v->no_load;
}

static void explain_times(struct hd_load_verdict *v, const char *least, double mean,
                          const char *more)
{
  if (v->no_load > 0)
    snprintf(v->why, sizeof v->why,
             "mean latency is %s%.1f times that without load (%.1f cycles)%s", least,
             mean / v->no_load, v->no_load, more);
}

/* Tests for saturation without a confidence interval: the mean latency is very long, or it is
 * long and some packets have been under way for half of the phase. */
static bool is_clearly_saturated(const struct hd_load *l, const struct totals *t,
                                 const struct hd_load_phase *phase, const struct hd_load_verdict *v)
{
  const bool waits = l->missing && 2 * l->missing_first < phase->cycles;
  return t->packets >= HD_LOAD_PACKETS && is_long(t->mean, v) &&
         (waits || t->mean > HD_LOAD_CLEAR * v->no_load);
}

static bool is_saturated(const struct hd_load *l, const struct totals *t, size_t bins,
                         const struct hd_load_phase *phase, struct hd_load_verdict *v)
{
  double accepted;
  if (is_clearly_saturated(l, t, phase, v))
    explain_times(v, l->missing ? "at least " : "", t->mean, "");
  else if (accepts_less(l, bins, t->flits, &accepted))
    snprintf(v->why, sizeof v->why, "%.1f %% of what is offered is accepted", 100 * accepted);
  else
    return false;
  return true;
}

/* Tests whether too little was measured for a verdict, and says why in v->why. */
static bool is_short(const struct hd_load *l, const struct totals *t,
                     const struct hd_load_phase *phase, struct hd_load_verdict *v)
{
  if (t->packets < HD_LOAD_PACKETS)
    snprintf(v->why, sizeof v->why, "%.0f packets were measured; %d are needed", t->packets,
             HD_LOAD_PACKETS);
  else if ((double)phase->cycles < HD_LOAD_PHASE * v->no_load)
    snprintf(v->why, sizeof v->why,
             "%" PRIu64 " cycles were measured, and a packet takes %.1f without load; %d times as "
             "many are needed",
             phase->cycles, v->no_load, HD_LOAD_PHASE);
  else if (l->missing && 2 * l->missing_first < phase->cycles)
    snprintf(v->why, sizeof v->why,
             "packets were still under way that were created in cycle %" PRIu64,
             phase->begin + l->missing_first);
  else
    return false;
  return true;
}

static void explain_series(struct hd_load_verdict *v, const struct hd_load_phase *phase,
                           const struct hd_mean *mean)
{
  if (!mean->n)
    snprintf(v->why, sizeof v->why, "there are stretches of the phase without a packet");
  else if (v->state == HD_LOAD_DRIFTS)
    snprintf(v->why, sizeof v->why, "latency %s by %.0f %% while it is measured",
             v->drift > 0 ? "rises" : "falls", 100 * fabs(v->drift));
  else if (v->state == HD_LOAD_WARM_UP)
    snprintf(v->why, sizeof v->why,
             "the warm-up lasts until about cycle %" PRIu64
             ", and measuring begins in cycle %" PRIu64,
             phase->begin + v->warm_up, phase->begin);
  else
    explain_times(v, "", mean->mean,
                  v->state == HD_LOAD_SHORT ? ", too uncertain to be told from saturation" : "");
}

/* Judges latency over time, for the whole phase and for the part after its warm-up. */
static void judge_series(const struct hd_load *l, const struct hd_load_phase *phase, size_t bins,
                         struct hd_load_verdict *v)
{
  struct hd_stretch series[HD_LOAD_BINS];
  for (size_t i = 0; i < bins; i++)
    series[i] = (struct hd_stretch){(double)l->bins[i].latency, (double)l->bins[i].packets};
  const size_t cut = hd_mser5(series, bins);
  const struct hd_series_mean all = hd_series_mean(series, bins);
  const struct hd_series_mean rest = hd_series_mean(series + cut, bins - cut);
  const bool warms_up = rest.mean.mean - all.mean.mean > rest.mean.half_width;
  const bool all_drifts = all.drifts && fabs(all.drift) > HD_LOAD_DRIFT;
  const bool rest_drifts = rest.drifts && fabs(rest.drift) > HD_LOAD_DRIFT;
  const struct hd_mean *mean = warms_up ? &rest.mean : &all.mean;
  v->drift = all_drifts ? all.drift : rest.drift;
  const bool drifts = rest_drifts || (all_drifts && !warms_up);
  if (!mean->n)
    v->state = HD_LOAD_SHORT;
  else if (is_long(mean->mean - (drifts && v->drift > 0 ? 0 : mean->half_width), v))
    v->state = HD_LOAD_SATURATED;
  else if (drifts)
    v->state = HD_LOAD_DRIFTS;
  else if (is_long(mean->mean + mean->half_width, v))
    v->state = HD_LOAD_SHORT;
  else
    v->state = warms_up ? HD_LOAD_WARM_UP : HD_LOAD_STEADY;
  v->warm_up = v->state == HD_LOAD_WARM_UP ? cut * l->width : 0;
  if (v->state == HD_LOAD_STEADY && !l->missing && mean->half_width <= HD_LOAD_WIDE * mean->mean)
    v->half_width = mean->half_width;
  explain_series(v, phase, mean);
}

void hd_load_judge(const struct hd_load *l, const struct hd_load_phase *phase,
                   struct hd_load_verdict *v)
{
  *v = (struct hd_load_verdict){.state = HD_LOAD_NONE};
  if (!l->bins || !phase->cycles)
    return;
  const struct totals t = sum_phase(l);
  const size_t bins = bins_until(l, phase->cycles);
  if (l->no_load_packets)
    v->no_load = l->no_load / (double)l->no_load_packets * phase->scale;
  if (is_saturated(l, &t, bins, phase, v))
    v->state = HD_LOAD_SATURATED;
  else if (is_short(l, &t, phase, v))
    v->state = HD_LOAD_SHORT;
  else
    judge_series(l, phase, l->missing ? bins_until(l, l->missing_first) : bins, v);
}
