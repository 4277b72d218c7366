/* Means of few and of correlated values, warm-up, drift, saturation: against series whose answer is known.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/report/estimate.h"
#include "../../../bridge/report/load.h"
#include "../lib/dice.h"
#include "../lib/test.h"
#include "../../../sw/runtime/random.h"

#include <math.h>

enum { STRETCHES = 600, SERIES = 400 };

static struct hd_random random_numbers;

/* Returns a random number in (0, 1]. */
static double random_fraction(void)
{
  return ((double)(hd_random_next(&random_numbers) >> 11) + 1) / 9007199254740992.0;
}

static double normal(void)
{
  return sqrt(-2 * log(random_fraction())) * cos(6.283185307179586 * random_fraction());
}

/* ── means ───────────────────────────────────────────────────────────────── */

/* Against tables of Student's t, and a sum by hand. */
TEST(means_have_confidence_intervals)
{
  const double values[] = {2, 4, NAN, 9};
  struct hd_mean m = hd_mean(values, 4);
  assert_int_equal(m.n, 3);
  assert_true(m.mean == 5);
  /* s² = (9 + 1 + 16) / 2 = 13; t(2) = 4.303 */
  assert_true(fabs(m.half_width - 4.303 * sqrt(13.0 / 3)) < 1e-9);
  m = hd_mean(values, 1);
  assert_true(m.n == 1 && m.mean == 2 && isnan(m.half_width));
  m = hd_mean(values + 2, 1);
  assert_true(m.n == 0 && isnan(m.mean));
  /* n values ±1: s = √(n / (n − 1)), so the half width is t / √(n − 1). */
  static const struct {
    size_t n;
    double t;
  } tables[] = {{2, 12.706}, {10, 2.262}, {30, 2.045}, {42, 2.0195}, {62, 1.9996}, {122, 1.9798}};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    double plus_minus[200];
    for (size_t k = 0; k < tables[i].n; k++)
      plus_minus[k] = k % 2 ? 1 : -1;
    m = hd_mean(plus_minus, tables[i].n);
    assert_true(fabs(m.half_width * sqrt((double)tables[i].n - 1) - tables[i].t) < 2e-3);
  }
}

/* If means agree by chance, the interval of their series is used; if that is unknown, their own. */
TEST(a_mean_of_means_has_the_wider_interval)
{
  const double alike[] = {10, 10.01, 9.99}, apart[] = {8, 10, 12}, own[] = {0.9, 1.2, 1.5},
               some[] = {0.9, NAN, 1.5};
  struct hd_mean m = hd_mean_of_means(alike, own, 3);
  assert_true(fabs(m.half_width - sqrt(0.81 + 1.44 + 2.25) / 3) < 1e-9);
  assert_true(hd_mean_of_means(apart, own, 3).half_width == hd_mean(apart, 3).half_width);
  assert_true(hd_mean_of_means(alike, some, 3).half_width == hd_mean(alike, 3).half_width);
  assert_true(hd_mean_of_means(alike, own, 1).half_width == 0.9);
}

/* ── series in time ────────────────────────────────────────────────────────── */

/* x' = correlation x + noise, of mean 10; `early` is added at first and dies away, `more` grows to the end. */
static void make_series(struct hd_stretch *series, double correlation, double early, double more)
{
  double x = normal() / sqrt(1 - correlation * correlation);
  for (size_t i = 0; i < STRETCHES; i++) {
    double at = (double)i / STRETCHES;
    series[i] = (struct hd_stretch){10 + x + early * exp(-at * 20) + more * at, 1};
    x = correlation * x + normal();
  }
}

/* A queue with one server, Poisson arrivals of this rate and services of length 1, in equilibrium from the begin on:
 * the waiting times of those that come, by Lindley's recursion. Mean rate / (2 (1 - rate)), Pollaczek and Khinchine. */
static void make_queue(struct hd_stretch *series, double rate, double cycles)
{
  double wait = 0, now = -3000;
  memset(series, 0, STRETCHES * sizeof *series);
  while (now < cycles) {
    double step = -log(random_fraction()) / rate;
    wait = fmax(0, wait + 1 - step);
    now += step;
    if (now < 0 || now >= cycles)
      continue;
    struct hd_stretch *s = &series[(size_t)(now / cycles * STRETCHES)];
    s->sum += wait;
    s->weight++;
  }
}

static void expect_covered(const char *what, unsigned covered, unsigned of)
{
  print_message("%s: %u of %u intervals have the true mean\n", what, covered, of);
  /* 95 % of 400 are 380 ± 4.4; correlation that the batches do not show takes some of them. */
  assert_in_range(covered, of * 92 / 100, of * 99 / 100);
}

TEST(confidence_intervals_contain_the_true_mean)
{
  static const double correlations[] = {0, 0.5, 0.8, 0.9}, rates[] = {0.3, 0.5, 0.7};
  struct hd_stretch series[STRETCHES];
  char what[40];
  for (size_t c = 0; c < sizeof correlations / sizeof *correlations; c++) {
    unsigned covered = 0;
    for (unsigned i = 0; i < SERIES; i++) {
      make_series(series, correlations[c], 0, 0);
      const struct hd_mean m = hd_series_mean(series, STRETCHES).mean;
      covered += fabs(m.mean - 10) <= m.half_width;
    }
    snprintf(what, sizeof what, "correlation %.1f", correlations[c]);
    expect_covered(what, covered, SERIES);
  }
  for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
    unsigned covered = 0;
    for (unsigned i = 0; i < SERIES; i++) {
      make_queue(series, rates[r], 20000);
      const struct hd_mean m = hd_series_mean(series, STRETCHES).mean;
      covered += fabs(m.mean - rates[r] / (2 * (1 - rates[r]))) <= m.half_width;
    }
    snprintf(what, sizeof what, "queue at %.1f", rates[r]);
    expect_covered(what, covered, SERIES);
  }
}

/* A transient of 5 % of the series, as high as its mean; then nothing but noise. */
TEST(warm_up_is_found)
{
  struct hd_stretch series[STRETCHES];
  unsigned found = 0, none = 0;
  for (unsigned i = 0; i < SERIES; i++) {
    make_series(series, 0.5, -10, 0);
    const size_t cut = hd_mser5(series, STRETCHES);
    const struct hd_mean rest = hd_series_mean(series + cut, STRETCHES - cut).mean;
    assert_int_equal(cut % HD_MSER_BATCH, 0);
    assert_true(cut <= STRETCHES / 2);
    found += cut >= STRETCHES / 20 && fabs(rest.mean - 10) <= 1.2 * rest.half_width;
    make_series(series, 0, 0, 0);
    none += hd_mser5(series, STRETCHES) <= STRETCHES / 5;
  }
  print_message("found in %u of %u, none seen in %u\n", found, SERIES, none);
  assert_true(found > SERIES * 9 / 10);
  assert_true(none > SERIES * 8 / 10);
}

TEST(a_drifting_series_is_recognised)
{
  struct hd_stretch series[STRETCHES];
  unsigned seen = 0, wrong = 0;
  for (unsigned i = 0; i < SERIES; i++) {
    make_series(series, 0.5, 0, 4);
    const struct hd_series_mean drifting = hd_series_mean(series, STRETCHES);
    seen += drifting.drifts && fabs(drifting.drift - 4 / 12.0) < 0.12;
    make_series(series, 0.5, 0, 0);
    wrong += hd_series_mean(series, STRETCHES).drifts;
  }
  print_message("seen in %u of %u, taken for one in %u\n", seen, SERIES, wrong);
  assert_true(seen > SERIES * 95 / 100);
  assert_true(wrong <= SERIES / 100);
}

TEST(a_short_series_has_no_interval)
{
  struct hd_stretch series[STRETCHES];
  make_series(series, 0, 0, 0);
  for (size_t n = 0; n < HD_BATCHES_LEAST; n++)
    assert_int_equal(hd_series_mean(series, n).mean.n, 0);
  assert_int_equal(hd_series_mean(series, HD_BATCHES_LEAST).mean.n, HD_BATCHES_LEAST);
  for (size_t i = 0; i < STRETCHES; i++)
    series[i].weight = series[i].sum = 0;
  assert_int_equal(hd_series_mean(series, STRETCHES).mean.n, 0);
  assert_int_equal(hd_mser5(series, STRETCHES), 0);
}

/* ── a fabric's load ───────────────────────────────────────────────────────── */

enum { NO_LOAD = 30, NODES = 16 };

static double scale = 1; /* of a DUT with a timing of its own */

/* Each node sends a packet of 4 flits in one of 20 cycles, whose latency is that without load, some noise, and what
 * is given: `steady` from the begin on, `rising` times the cycle, `early` that dies away within 5 % of the phase. Those
 * that arrive after `end` have not. */
static struct hd_load_verdict verdict_of(uint64_t warm_up, uint64_t cycles, uint64_t end,
                                         double steady, double rising, double early)
{
  CLEANUP(hd_load_fini) struct hd_load load = {0};
  struct hd_load_verdict verdict;
  const struct hd_load_phase phase = {.begin = warm_up, .cycles = cycles, .scale = scale};
  for (uint64_t c = 0; c < warm_up + cycles; c++)
    for (unsigned node = 0; node < NODES; node++) {
      if (random_fraction() > 0.05)
        continue;
      const double at = (double)c / (double)cycles;
      const uint64_t latency = (uint64_t)(NO_LOAD + steady + rising * (double)c +
                                          early * exp(-at * 60) + 4 * random_fraction()),
                     arrives = c + latency;
      const bool measured = c >= warm_up;
      if (measured)
        hd_load_created(&load, c - warm_up, 4, NO_LOAD);
      if (arrives >= warm_up && arrives < warm_up + cycles)
        hd_load_received(&load, arrives - warm_up, 4);
      if (measured && arrives < end)
        hd_load_latency(&load, c - warm_up, latency);
      else if (measured)
        hd_load_missing(&load, c - warm_up, end - c);
    }
  hd_load_judge(&load, &phase, &verdict);
  print_message("%s: %s\n", hd_load_state_name(verdict.state), verdict.why);
  return verdict;
}

TEST(a_steady_fabric_is_recognised_as_steady)
{
  struct hd_load_verdict v = verdict_of(500, 4000, UINT64_MAX, 10, 0, 0);
  assert_int_equal(v.state, HD_LOAD_STEADY);
  assert_true(v.no_load == NO_LOAD);
  assert_true(v.half_width > 0.01 && v.half_width < 0.5);
  /* An empty network fills: flits arrive later than they are sent, but queues do not grow. */
  v = verdict_of(0, 1000, UINT64_MAX, 0, 0, 0);
  assert_int_equal(v.state, HD_LOAD_STEADY);
  /* The phase ends with the run, and so do the packets under way. */
  v = verdict_of(500, 4000, 4500, 10, 0, 0);
  assert_int_equal(v.state, HD_LOAD_STEADY);
}

TEST(a_phase_that_is_too_short_gives_no_verdict)
{
  assert_int_equal(verdict_of(0, 100, UINT64_MAX, 0, 0, 0).state, HD_LOAD_SHORT);
  assert_int_equal(verdict_of(1000, 250, UINT64_MAX, 0, 0, 0).state, HD_LOAD_SHORT);
  assert_int_equal(verdict_of(1000, 20, UINT64_MAX, 0, 0, 0).state, HD_LOAD_SHORT);
  assert_int_equal(verdict_of(0, 0, UINT64_MAX, 0, 0, 0).state, HD_LOAD_NONE);
  /* A short phase gives a verdict if saturation is clear without latencies. */
  assert_int_equal(verdict_of(1000, 250, UINT64_MAX, 200, 0, 0).state, HD_LOAD_SATURATED);
}

TEST(a_long_latency_is_saturation)
{
  assert_int_equal(verdict_of(500, 4000, UINT64_MAX, 1.7 * NO_LOAD, 0, 0).state, HD_LOAD_STEADY);
  assert_int_equal(verdict_of(500, 4000, UINT64_MAX, 2.2 * NO_LOAD, 0, 0).state, HD_LOAD_SATURATED);
  /* The bound scales with the DUT: it is lower for a DUT twice as fast, and higher for one twice as slow. */
  scale = 0.5;
  assert_int_equal(verdict_of(500, 4000, UINT64_MAX, 0.7 * NO_LOAD, 0, 0).state, HD_LOAD_SATURATED);
  scale = 2;
  assert_int_equal(verdict_of(500, 4000, UINT64_MAX, 2.2 * NO_LOAD, 0, 0).state, HD_LOAD_STEADY);
  scale = 1;
  /* A packet that has not arrived counts with its age, which is less than its latency. */
  assert_int_equal(verdict_of(500, 4000, 4500, 3000, 0, 0).state, HD_LOAD_SATURATED);
}

/* No latency is known, but in both halves more packets are sent than arrive. */
TEST(growing_queues_are_saturation)
{
  struct hd_load load = {0};
  struct hd_load_verdict v;
  const struct hd_load_phase phase = {.cycles = 20000, .scale = scale};
  for (unsigned lost = 1; lost <= 10; lost += 9) {
    for (uint64_t c = 0; c < phase.cycles; c++)
      for (unsigned node = 0; node < NODES; node++) {
        if (random_fraction() > 0.05)
          continue;
        hd_load_created(&load, c, 4, 0);
        hd_load_latency(&load, c, 30);
        if (random_fraction() > lost / 100.0)
          hd_load_received(&load, c, 4);
      }
    hd_load_judge(&load, &phase, &v);
    print_message("%u %% behind: %s, %s\n", lost, hd_load_state_name(v.state), v.why);
    assert_int_equal(v.state, lost == 1 ? HD_LOAD_STEADY : HD_LOAD_SATURATED);
    hd_load_fini(&load);
  }
}

/* Every node sends all the time, and latency goes up and down between the two values. */
static struct hd_load_verdict verdict_of_waves(uint64_t low, uint64_t high)
{
  enum { CYCLES = 4000, WAVE = 250 };
  CLEANUP(hd_load_fini) struct hd_load load = {0};
  struct hd_load_verdict verdict;
  for (uint64_t c = 0; c < CYCLES; c += 4) {
    hd_load_created(&load, c, 4, NO_LOAD);
    hd_load_received(&load, c, 4);
    hd_load_latency(&load, c, c / WAVE % 2 ? high : low);
  }
  hd_load_judge(&load, &(struct hd_load_phase){.cycles = CYCLES, .scale = 1}, &verdict);
  print_message("%s: %s\n", hd_load_state_name(verdict.state), verdict.why);
  return verdict;
}

TEST(an_interval_that_contains_the_saturation_bound_gives_no_verdict)
{
  const uint64_t bound = HD_LOAD_TIMES * NO_LOAD;
  assert_int_equal(verdict_of_waves(bound - 45, bound + 55).state, HD_LOAD_SHORT);
  assert_int_equal(verdict_of_waves(bound - 55, bound + 45).state, HD_LOAD_SHORT);
  assert_int_equal(verdict_of_waves(bound - 5, bound + 55).state, HD_LOAD_SATURATED);
  assert_int_equal(verdict_of_waves(bound - 55, bound + 5).state, HD_LOAD_STEADY);
  /* The waves are even wider here, but their mean is far above the bound. */
  assert_int_equal(verdict_of_waves(0, 9 * NO_LOAD).state, HD_LOAD_SATURATED);
}

TEST(a_load_that_is_not_in_equilibrium_is_reported)
{
  struct hd_load_verdict v = verdict_of(0, 4000, UINT64_MAX, 0, 0.01, 0);
  assert_int_equal(v.state, HD_LOAD_DRIFTS);
  assert_true(v.drift > 0.5 && v.half_width == 0);
  assert_non_null(strstr(v.why, "rises"));
  assert_int_equal(verdict_of(0, 4000, UINT64_MAX, 40, -0.01, 0).state, HD_LOAD_DRIFTS);
  v = verdict_of(0, 4000, UINT64_MAX, 25, 0, -25);
  assert_int_equal(v.state, HD_LOAD_WARM_UP);
  assert_in_range(v.warm_up, 100, 1000);
  assert_true(v.half_width == 0);
}

int main(void)
{
  hd_random_seed(&random_numbers, first_seed(), 0);
  return tests_run(NULL, NULL);
}
