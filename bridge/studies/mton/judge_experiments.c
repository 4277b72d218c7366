/* Statements about the experiments: Section VI.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mton_study.h"

#include <math.h>

static const double near = 0.05; /* a figure of the paper counts as ours up to this share of it */

static const struct mton_run *run_of(const struct mton_results *r, enum mton_experiment e)
{
  static const struct mton_run none;
  const struct mton_run *run = mton_find(r, e);
  return run ? run : &none;
}

/* A run of messages of the same size that meet nobody: its smallest latency is that of an idle network. */
static const struct mton_run *idle(const struct mton_results *r, const struct mton_run *run)
{
  return run_of(r, run->config.bytes == PACKET_BYTES ? MTON_SINGLE_PACED : MTON_MERGED);
}

double mton_latency_ns(const struct mton_results *r, const struct mton_run *run, double cycles)
{
  return processors_ns + HOPS * hop_ns + (cycles - idle(r, run)->least) * cycle_ns;
}

/* The largest latency of a run over that of an idle network; known: both were measured. */
static double longest(const struct mton_results *r, const struct mton_run *run, bool *known)
{
  *known = run->done && idle(r, run)->done;
  return mton_latency_ns(r, run, run->most) / mton_latency_ns(r, run, idle(r, run)->least);
}

/* Cycles from one message to the next at a destination that gets n of them at once. */
static double pace(const struct mton_run *run)
{
  double n = (double)run->config.sources * run->config.rounds;
  return n > 1 ? (run->most - run->least) / (n - 1) : 0;
}

static double gbps(double cycles)
{
  return cycles > 0 ? PACKET_BYTES * 8 / (cycles * cycle_ns) : 0;
}

static void judge_zero_load(const void *results, statement *s)
{
  (void)results;
  study_check(s, true, fabs(processors_ns + HOPS * hop_ns - 1484) / 1484, STUDY_AT_MOST, near,
              "608 ns and 5 hops of 170 ns, share off 1.484 us");
}

static void judge_throughput(const void *results, statement *s)
{
  const struct mton_run *fast = run_of(results, MTON_SINGLE),
                        *paced = run_of(results, MTON_SINGLE_PACED);
  study_check(s, fast->done, gbps(pace(fast)), STUDY_AT_LEAST, 14.222,
              "packets at once, Gb/s of 256-byte payloads");
  study_check(s, paced->done, paced->most - paced->least, STUDY_AT_MOST, 0,
              "14.222 Gb/s, which are 256 bytes in 36 cycles: cycles by which latency grows");
}

static void judge_fair_port(const void *results, statement *s)
{
  const struct mton_run *hot = run_of(results, MTON_HOT_SPOT);
  double apart = 0;
  for (uint32_t i = 0; i < mton_series(&hot->config); i++)
    apart = fmax(apart, fabs(hot->series[0][i] - hot->series[1][i]));
  study_check(s, hot->done, apart / pace(hot), STUDY_AT_MOST, 1,
              "packets that one source is ahead of the other, at most");
}

static void judge_hot_spot_slow(const void *results, statement *s)
{
  const struct mton_run *hot = run_of(results, MTON_HOT_SPOT),
                        *slow = run_of(results, MTON_HOT_SPOT_SLOW);
  study_check(s, hot->done, gbps(2 * pace(hot)), STUDY_AT_MOST, 2.4967 * (1 + near),
              "what one hot spot leaves each of two sources, Gb/s");
  study_check(s, slow->done, (slow->most - slow->least) * cycle_ns, STUDY_AT_LEAST, cycle_ns,
              "sources with 2.4967 Gb/s each: ns that one waits for the other");
}

static void judge_hot_spot(const void *results, statement *s)
{
  const struct mton_run *hot = run_of(results, MTON_HOT_SPOT), *fast = run_of(results, MTON_SINGLE);
  study_check(s, hot->done && fast->done, gbps(pace(hot)) / gbps(pace(fast)), STUDY_AT_LEAST, 0.9,
              "throughput of the port over that with one source");
  study_check(s, hot->done, (hot->most - hot->least) / pace(hot), STUDY_AT_LEAST,
              hot->config.rounds, "largest wait of a packet, in packets");
}

static void one_hot_spot_less(const struct mton_results *r, statement *s, enum mton_experiment hot,
                              enum mton_experiment scheduled)
{
  const struct mton_run *before = run_of(r, hot), *after = run_of(r, scheduled);
  double decrease = (before->most - after->most) * cycle_ns;
  study_check(s, before->done && after->done, decrease, STUDY_AT_LEAST, 100,
              "decrease of the largest latency, ns");
  study_check(s, before->done && after->done, decrease, STUDY_AT_MOST, 300,
              "decrease of the largest latency, ns");
  study_check(s, after->done, (double)after->blocked, STUDY_AT_MOST, 0,
              "scheduled: blocked flit-cycles");
}

static void judge_2_to_2(const void *results, statement *s)
{
  one_hot_spot_less(results, s, MTON_2_TO_2, MTON_2_TO_2_SHUFFLED);
}

static void judge_2_to_4(const void *results, statement *s)
{
  one_hot_spot_less(results, s, MTON_2_TO_4, MTON_2_TO_4_SHUFFLED);
}

static void judge_unscheduled(const void *results, statement *s)
{
  const struct mton_run *run = run_of(results, MTON_UNSCHEDULED);
  bool known;
  double most = longest(results, run, &known);
  study_check(s, known, most, STUDY_AT_LEAST, 34.784 / 1.484,
              "largest latency over that of an idle network");
}

static void judge_virtual(const void *results, statement *s)
{
  const struct mton_run *before = run_of(results, MTON_UNSCHEDULED),
                        *run = run_of(results, MTON_VIRTUAL);
  bool known, known_before;
  double most = longest(results, run, &known),
         most_before = longest(results, before, &known_before);
  study_check(s, known && known_before, most > 0 ? most_before / most : 0, STUDY_AT_LEAST, 2,
              "largest latency, unscheduled over this");
  study_check(s, run->done, (double)run->blocked, STUDY_AT_LEAST, 1, "blocked flit-cycles");
  study_check(s, run->slots, (double)run->contention, STUDY_AT_LEAST, 1,
              "links that messages of the same slot share, by the checker");
}

/* All messages take as long as one alone. */
static void like_one_pair(const struct mton_results *r, statement *s, const struct mton_run *run,
                          const char *what)
{
  bool known;
  double most = longest(r, run, &known);
  study_check(s, run->done, (double)run->blocked, STUDY_AT_MOST, 0, "%s: blocked flit-cycles",
              what);
  study_check(s, known, most, STUDY_AT_MOST, 1 + near,
              "%s: largest latency over that of an idle network", what);
}

static void judge_hierarchical(const void *results, statement *s)
{
  like_one_pair(results, s, run_of(results, MTON_PAPER), "the paper's tables");
}

static uint32_t messages_of_a_source(const struct mton_run *run)
{
  return run->config.sources ? (uint32_t)(run->messages / run->config.sources) : 0;
}

static void judge_more_processing(const void *results, statement *s)
{
  const struct mton_run *run = run_of(results, MTON_PAPER);
  double us =
      (run->slots - (double)messages_of_a_source(run)) * run->config.slot_cycles * cycle_ns / 1000;
  study_check(s, run->slots, fabs(us - 9.216) / 9.216, STUDY_AT_MOST, near,
              "%u slots for %u messages of 480 bytes, %.3f us more: share off 9.216 us", run->slots,
              messages_of_a_source(run), us);
}

static void judge_twice(const void *results, statement *s)
{
  const struct mton_run *before = run_of(results, MTON_UNSCHEDULED),
                        *after = run_of(results, MTON_PAPER);
  study_check(s, before->done && after->done,
              after->cycles ? (double)before->cycles / (double)after->cycles : 0, STUDY_AT_LEAST, 2,
              "cycles until all has arrived, unscheduled over scheduled");
}

static void judge_merged(const void *results, statement *s)
{
  const struct mton_run *padded = run_of(results, MTON_PADDED),
                        *merged = run_of(results, MTON_MERGED);
  like_one_pair(results, s, padded, "padded transactions");
  like_one_pair(results, s, merged, "merged table");
  study_check(s, merged->slots, merged->slots, STUDY_AT_MOST, 96, "merged table: slots");
  study_check(s, merged->done && padded->done,
              padded->cycles ? (double)merged->cycles / (double)padded->cycles : 0, STUDY_AT_MOST,
              1, "cycles until all has arrived, merged over padded");
}

const struct study_judge mton_judges_of_experiments[] = {
    {"latency-of-five-hops", judge_zero_load},
    {"throughput-of-a-pair", judge_throughput},
    {"fair-port", judge_fair_port},
    {"hot-spot-leaves-2.5", judge_hot_spot_slow},
    {"hot-spot-grows", judge_hot_spot},
    {"2-to-2", judge_2_to_2},
    {"2-to-4", judge_2_to_4},
    {"unscheduled-latency", judge_unscheduled},
    {"virtual-destinations", judge_virtual},
    {"hierarchical-is-like-one-pair", judge_hierarchical},
    {"9.216-us-more", judge_more_processing},
    {"decrease-of-twice", judge_twice},
    {"96-slots", judge_merged},
    {0}};
