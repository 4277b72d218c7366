/* Statements about the experiments: Section VI.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mton_study.h"

#include "../../../sw/contention/contention.h"

#include <math.h>

/* A measured number agrees with the paper's number if it differs by at most this share of it. */
static const double near = 0.1;
static const double about = 0.25; /* the share where the paper says about */

static const struct mton_run *run_of(const struct mton_results *r, enum mton_experiment e)
{
  static const struct mton_run none;
  const struct mton_run *run = mton_find(r, e);
  return run ? run : &none;
}

/* Returns a run of messages of the same size that meet no other message. Its smallest latency is
 * that of an idle network. */
static const struct mton_run *idle(const struct mton_results *r, const struct mton_run *run)
{
  return run_of(r, run->config.bytes == PACKET_BYTES ? MTON_SINGLE_PACED : MTON_MERGED);
}

double mton_latency_ns(const struct mton_results *r, const struct mton_run *run, double cycles)
{
  return processors_ns + HOPS * hop_ns + (cycles - idle(r, run)->least) * cycle_ns;
}

/* Returns the largest latency of a run over that of an idle network. *known: both were measured. */
static double longest(const struct mton_results *r, const struct mton_run *run, bool *known)
{
  *known = run->done && idle(r, run)->done;
  return mton_latency_ns(r, run, run->most) / mton_latency_ns(r, run, idle(r, run)->least);
}

/* Returns the cycles between two messages at a destination, when n messages were sent to it at
 * once. */
static double pace(const struct mton_run *run)
{
  double n = (double)run->config.sources * run->config.rounds;
  return n > 1 ? (run->most - run->least) / (n - 1) : 0;
}

static double gbps(double cycles)
{
  return cycles > 0 ? PACKET_BYTES * 8 / (cycles * cycle_ns) : 0;
}

/* ── the machine ───────────────────────────────────────────────────────────── */

/* Bytes that a RapidIO packet has besides 256 bytes of payload, from the paper's 93 %. */
static const double overhead = PACKET_BYTES / 0.93 - PACKET_BYTES;

static void judge_efficiency(const void *results, statement *s)
{
  const struct mton_run *fast = run_of(results, MTON_SINGLE);
  hd_study_check_near(s, fast->done, PACKET_BYTES / (pace(fast) * 8), 0.93, near,
                      "payload of a 256-byte packet over the flits that it takes on RTL");
}

/* Compares 26 bytes in a RapidIO packet, with that overhead, with 26 bytes in frames of other
 * protocols, with preamble and gap. */
static void judge_26_bytes(const void *results, statement *s)
{
  static const struct {
    const char *what;
    double headers;
  } frames[] = {{"Ethernet", 18}, {"UDP over IPv4", 18 + 28}, {"TCP over IPv4", 18 + 40}};
  const double bytes = 26, least_frame = 64, between = 20;
  (void)results;
  for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
    const double frame = fmax(bytes + frames[i].headers, least_frame) + between;
    hd_study_check_near(s, true, frame / (bytes + overhead), 2.63, near,
                        "26 bytes, RapidIO with 256 bytes at 93%% over %s", frames[i].what);
  }
}

/* Compares the paper's numbers of nodes and switches with those of the trees as built. */
static void judge_sizes(const void *results, statement *s)
{
  static const struct {
    uint32_t extended, nodes, switches;
  } trees[] = {{0, 8, 12}, {1, 16, 20}};
  (void)results;
  for (size_t i = 0; i < 2; i++) {
    struct hd_topology t = {0};
    const bool known = !(trees[i].extended ? hd_topology_extended_tree(&t, 2, 3, NULL)
                                           : hd_topology_tree(&t, 2, 3, NULL));
    const char *name = trees[i].extended ? "extended 2-ary 3-tree" : "2-ary 3-tree";
    hd_study_check_near(s, known, t.n_nodes, trees[i].nodes, 0, "%s: nodes as built", name);
    hd_study_check_near(s, known, t.n_switches, trees[i].switches, 0, "%s: switches as built",
                        name);
    hd_topology_fini(&t);
  }
}

static void judge_8_ary(const void *results, statement *s)
{
  (void)results;
  hd_study_check_within(
      s, true, 48 / 3, 8 * 8, 8 * 8,
      "leaves of each of the three local networks of the 48; an 8-ary tree has k²");
}

static void judge_constant_hops(const void *results, statement *s)
{
  static const enum mton_experiment free_runs[] = {MTON_PADDED, MTON_MERGED};
  for (int i = 0; i < 2; i++) {
    const struct mton_run *run = run_of(results, free_runs[i]);
    hd_study_check(s, run->done, run->most - run->least, STUDY_AT_MOST, 0,
                   "%s, %lu messages: cycles between the shortest latency and the longest",
                   mton_experiment_name(free_runs[i]), (unsigned long)run->messages);
  }
}

static void judge_zero_load(const void *results, statement *s)
{
  (void)results;
  hd_study_check_near(s, true, (processors_ns + HOPS * hop_ns) / 1000, 1.484, near,
                      "608 ns and 5 hops of 170 ns, us");
}

static void judge_throughput(const void *results, statement *s)
{
  const struct mton_run *fast = run_of(results, MTON_SINGLE);
  hd_study_check_near(s, fast->done, gbps(pace(fast)), 14.222, near,
                      "packets at once, Gb/s of 256-byte payloads");
}

static void judge_jitter(const void *results, statement *s)
{
  const struct mton_run *paced = run_of(results, MTON_SINGLE_PACED);
  hd_study_check(s, paced->done, paced->most - paced->least, STUDY_AT_LEAST, 1,
                 "14.222 Gb/s, which are 256 bytes in 36 cycles: cycles by which latencies differ");
}

/* ── one hot spot ──────────────────────────────────────────────────────────── */

/* All packets are handed over at the start, so the latency of a packet is its time of arrival. */
static void judge_fair_port(const void *results, statement *s)
{
  const struct mton_run *hot = run_of(results, MTON_HOT_SPOT);
  double apart = 0;
  for (uint32_t i = 0; i < mton_series(&hot->config); i++)
    apart = fmax(apart, fabs(hot->series[0][i] - hot->series[1][i]));
  hd_study_check(s, hot->done, apart / pace(hot), STUDY_AT_MOST, 1,
                 "packets that one source is ahead of the other, at most");
}

static void judge_hot_spot_slow(const void *results, statement *s)
{
  const struct mton_run *hot = run_of(results, MTON_HOT_SPOT);
  hd_study_check_near(s, hot->done, gbps(2 * pace(hot)), 2.4967, near,
                      "what one hot spot leaves each of two sources, Gb/s");
}

static void judge_hot_spot_waits(const void *results, statement *s)
{
  const struct mton_run *slow = run_of(results, MTON_HOT_SPOT_SLOW),
                        *hot = run_of(results, MTON_HOT_SPOT);
  hd_study_check(s, slow->done, (slow->most - slow->least) * cycle_ns, STUDY_AT_LEAST, cycle_ns,
                 "sources with 2.4967 Gb/s each: ns more than alone, at most");
  hd_study_check(s, hot->done, (hot->most - hot->least) * cycle_ns, STUDY_AT_LEAST, cycle_ns,
                 "packets at once: ns more than alone, at most");
}

/* Counts packets whose latency is not above that of the packet before them, of both sources. */
static uint32_t not_later(const struct mton_run *run)
{
  uint32_t n = 0;
  for (uint32_t source = 0; source < 2; source++)
    for (uint32_t i = 1; i < mton_series(&run->config); i++)
      n += run->series[source][i] <= run->series[source][i - 1];
  return n;
}

static void judge_hot_spot(const void *results, statement *s)
{
  const struct mton_run *hot = run_of(results, MTON_HOT_SPOT), *fast = run_of(results, MTON_SINGLE);
  hd_study_check_within(s, hot->done && fast->done, gbps(pace(hot)) / gbps(pace(fast)), 1 - near, 1,
                        "throughput of the port over that with one source");
  hd_study_check(s, hot->done, not_later(hot), STUDY_AT_MOST, 0,
                 "packets of %u whose latency is not above that of the one before",
                 2 * mton_series(&hot->config));
}

static bool decrease(const struct mton_results *r, enum mton_experiment hot,
                     enum mton_experiment scheduled, double *ns)
{
  const struct mton_run *before = run_of(r, hot), *after = run_of(r, scheduled);
  *ns = (before->most - after->most) * cycle_ns;
  return before->done && after->done;
}

static void judge_2_to_2(const void *results, statement *s)
{
  double ns;
  const bool known = decrease(results, MTON_2_TO_2, MTON_2_TO_2_SHUFFLED, &ns);
  hd_study_check(s, known, ns, STUDY_AT_LEAST, cycle_ns, "decrease of the largest latency, ns");
  hd_study_check_near(s, known, ns, 200, about, "decrease of the largest latency, ns");
}

static void judge_2_to_4(const void *results, statement *s)
{
  double two, four;
  const bool known = decrease(results, MTON_2_TO_2, MTON_2_TO_2_SHUFFLED, &two) &&
                     decrease(results, MTON_2_TO_4, MTON_2_TO_4_SHUFFLED, &four);
  hd_study_check_within(s, known, known ? four / two : 0, 1 - near, 1 + near,
                        "decrease of the largest latency, over that of 2-to-2");
}

/* ── Experiment 2 ──────────────────────────────────────────────────────────── */

static void judge_unscheduled(const void *results, statement *s)
{
  const struct mton_run *run = run_of(results, MTON_UNSCHEDULED);
  bool known;
  longest(results, run, &known);
  hd_study_check_near(s, known, mton_latency_ns(results, run, run->most) / 1000, 34.784, near,
                      "largest latency, us");
}

static void judge_reduced(const void *results, statement *s)
{
  const struct mton_run *before = run_of(results, MTON_UNSCHEDULED),
                        *run = run_of(results, MTON_VIRTUAL);
  bool known, known_before;
  double most = longest(results, run, &known),
         most_before = longest(results, before, &known_before);
  hd_study_check(s, known && known_before, most > 0 ? most_before / most : 0, STUDY_AT_LEAST, 2,
                 "largest latency, unscheduled over this");
}

static void judge_virtual(const void *results, statement *s)
{
  const struct mton_run *run = run_of(results, MTON_VIRTUAL);
  hd_study_check(s, run->done, (double)run->blocked, STUDY_AT_LEAST, 1, "blocked flit-cycles");
  hd_study_check(s, run->slots, (double)run->contention, STUDY_AT_LEAST, 1,
                 "links that messages of the same slot share, by the checker");
}

/* Checks that all messages take as long as a single message in an idle network. */
static void like_one_pair(const struct mton_results *r, statement *s, const struct mton_run *run,
                          const char *what)
{
  bool known;
  double most = longest(r, run, &known);
  hd_study_check(s, run->done, (double)run->blocked, STUDY_AT_MOST, 0, "%s: blocked flit-cycles",
                 what);
  hd_study_check(s, known, most, STUDY_AT_MOST, 1 + near,
                 "%s: largest latency over that of an idle network", what);
}

static void judge_hierarchical(const void *results, statement *s)
{
  struct mton_run run = {.config = mton_experiment(MTON_PAPER, false)};
  uint32_t contend = 0;
  bool known = true;
  like_one_pair(results, s, run_of(results, MTON_PAPER), "the paper's tables");
  for (uint32_t *way = &run.config.doubled; *way <= MTON_DOUBLED; ++*way) {
    known = known && !mton_check(&run, NULL);
    contend += run.contention > 0;
  }
  hd_study_check(
      s, known, contend, STUDY_AT_MOST, 0,
      "of %d ways to choose the ports that get twice as much, those that contend, by the "
      "checker",
      MTON_DOUBLED);
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
  hd_study_check_near(s, run->slots, us, 9.216, near,
                      "%u slots for %u messages of 480 bytes: us more", run->slots,
                      messages_of_a_source(run));
}

static void judge_twice(const void *results, statement *s)
{
  const struct mton_run *before = run_of(results, MTON_UNSCHEDULED),
                        *after = run_of(results, MTON_PAPER);
  hd_study_check_near(s, before->done && after->done,
                      after->cycles ? (double)before->cycles / (double)after->cycles : 0, 2, about,
                      "cycles until all has arrived, unscheduled over scheduled");
}

static void judge_merged(const void *results, statement *s)
{
  const struct mton_run *padded = run_of(results, MTON_PADDED),
                        *merged = run_of(results, MTON_MERGED);
  like_one_pair(results, s, padded, "padded transactions");
  like_one_pair(results, s, merged, "merged table");
  hd_study_check(s, merged->slots, merged->slots, STUDY_AT_MOST, 96, "merged table: slots");
  hd_study_check(s, merged->done && padded->done,
                 padded->cycles ? (double)merged->cycles / (double)padded->cycles : 0,
                 STUDY_AT_MOST, 1, "cycles until all has arrived, merged over padded");
}

const struct hd_study_judge mton_judges_of_experiments[] = {
    {"payload-efficiency", judge_efficiency},
    {"2.63-times-ethernet", judge_26_bytes},
    {"tree-sizes", judge_sizes},
    {"extended-8-ary", judge_8_ary},
    {"constant-hops", judge_constant_hops},
    {"latency-of-five-hops", judge_zero_load},
    {"throughput-of-a-pair", judge_throughput},
    {"jitter", judge_jitter},
    {"fair-port", judge_fair_port},
    {"hot-spot-leaves-2.5", judge_hot_spot_slow},
    {"hot-spot-waits", judge_hot_spot_waits},
    {"hot-spot-grows", judge_hot_spot},
    {"2-to-2", judge_2_to_2},
    {"2-to-4", judge_2_to_4},
    {"unscheduled-latency", judge_unscheduled},
    {"virtual-destinations-reduce", judge_reduced},
    {"virtual-destinations", judge_virtual},
    {"hierarchical-is-like-one-pair", judge_hierarchical},
    {"9.216-us-more", judge_more_processing},
    {"decrease-of-twice", judge_twice},
    {"96-slots", judge_merged},
    {0}};
