/* Judges the statements on execution time, from the runs.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_study.h"

#include <inttypes.h>

enum { GROUPS_K = 16, PAPER_MEMBERS = 32 };

static const char *const orders[2] = {"steps overlapping", "steps one after the other"};

static struct coding_run_config coded(uint32_t k, enum hd_coding_multicast multicast,
                                      bool sequential)
{
  return coding_run_of(coding_grouped(k, HD_CODING_CODED, multicast, coding_paper_members(k)),
                       sequential);
}

/* Computes the cycles without groups over the cycles with coding. */
static bool speedup(const struct coding_results *r, uint32_t k, enum hd_coding_multicast multicast,
                    bool sequential, double *times)
{
  const struct coding_run_config flat = coding_run_of(coding_flat(k, multicast), false);
  const struct coding_run_config with = coded(k, multicast, sequential);
  double before = 0, after = 0;
  const bool known =
      coding_cycles(r, &flat, &before) && coding_cycles(r, &with, &after) && after > 0;
  *times = known ? before / after : 0;
  return known;
}

static void three_times(const struct coding_results *r, statement *s,
                        enum hd_coding_multicast multicast)
{
  for (uint32_t sequential = 0; sequential < 2; sequential++) {
    double times = 0;
    const bool known = speedup(r, CODING_LARGEST_RUN, multicast, sequential, &times);
    hd_study_check_near(s, known, times, 3, CODING_TENTH, "32-ary, %s: times faster with coding",
                        orders[sequential]);
  }
}

static void judge_three_times_tree(const void *results, statement *s)
{
  three_times(results, s, HD_CODING_TREE);
}

static void judge_three_times_all(const void *results, statement *s)
{
  three_times(results, s, HD_CODING_ALL_AT_ONCE);
}

/* Both orders are judged, because the paper does not say whether steps wait for each other here. */
static void judge_70(const void *results, statement *s)
{
  for (uint32_t sequential = 0; sequential < 2; sequential++) {
    double times = 0;
    const bool known =
        speedup(results, CODING_LARGEST_RUN, HD_CODING_ALL_AT_ONCE, sequential, &times);
    hd_study_check_near(s, known, known ? 100 * (1 - 1 / times) : 0, 70, CODING_TENTH,
                        "32-ary, all-at-once, %s: percent of the time saved", orders[sequential]);
  }
}

static void judge_small_tree(const void *results, statement *s)
{
  for (uint32_t sequential = 0; sequential < 2; sequential++) {
    double small = 0, large = 0;
    bool known = speedup(results, CODING_SMALLEST, HD_CODING_TREE, sequential, &small);
    hd_study_check(s, known, small, STUDY_AT_MOST, 1, "4-ary, %s: times faster with coding",
                   orders[sequential]);
    known = speedup(results, CODING_LARGEST_RUN, HD_CODING_TREE, sequential, &large);
    hd_study_check(s, known, large, STUDY_AT_LEAST, 1, "32-ary, %s: times faster with coding",
                   orders[sequential]);
  }
}

static void judge_small_all(const void *results, statement *s)
{
  for (uint32_t sequential = 0; sequential < 2; sequential++)
    for (uint32_t k = CODING_SMALLEST; k <= 8; k *= 2) {
      double small = 0;
      const bool known = speedup(results, k, HD_CODING_ALL_AT_ONCE, sequential, &small);
      hd_study_check_within(s, known, small, 1, 1.5,
                            "%" PRIu32 "-ary, %s: times faster with coding", k, orders[sequential]);
    }
}

static void judge_group_time(const void *results, statement *s)
{
  for (uint32_t sequential = 0; sequential < 2; sequential++) {
    const struct coding_run_config paper = coded(GROUPS_K, HD_CODING_TREE, sequential);
    double of_paper = 0, fewest = 0;
    uint32_t best = 0;
    bool known = coding_cycles(results, &paper, &of_paper);
    for (uint32_t members = 2; members <= 128; members *= 2) {
      const struct coding_run_config run = coding_run_of(
          coding_grouped(GROUPS_K, HD_CODING_CODED, HD_CODING_TREE, members), sequential);
      double cycles = 0;
      known = coding_cycles(results, &run, &cycles) && known;
      if (members != PAPER_MEMBERS && (!best || cycles < fewest)) {
        fewest = cycles;
        best = members;
      }
    }
    hd_study_check(s, known, known ? of_paper / fewest : 0, STUDY_AT_MOST, 1,
                   "%s: cycles with groups of 32 over the fewest of all other sizes (%" PRIu32 ")",
                   orders[sequential], best);
  }
}

/* Computes the percentage of the tree's time that coding saves at a packet length. */
static bool saved_at(const struct coding_results *r, uint32_t flits, bool sequential,
                     double *percent)
{
  struct coding_run_config flat = coding_run_of(coding_flat(GROUPS_K, HD_CODING_TREE), false);
  struct coding_run_config with = coded(GROUPS_K, HD_CODING_TREE, sequential);
  double before = 0, after = 0;
  flat.flits = with.flits = flits;
  const bool known = coding_cycles(r, &flat, &before) && coding_cycles(r, &with, &after);
  *percent = known && before > 0 ? 100 * (1 - after / before) : 0;
  return known;
}

static void judge_lengths(const void *results, statement *s)
{
  for (uint32_t sequential = 0; sequential < 2; sequential++)
    for (uint32_t flits = 1; flits <= 16; flits *= 2) {
      double percent = 0;
      const bool known = saved_at(results, flits, sequential, &percent);
      hd_study_check(s, known, percent, STUDY_AT_LEAST, 0,
                     "flits %" PRIu32 ", %s: percent of the time saved", flits, orders[sequential]);
    }
}

static void judge_53(const void *results, statement *s)
{
  for (uint32_t sequential = 0; sequential < 2; sequential++) {
    double percent = 0, shortest = 0;
    bool known = saved_at(results, 16, sequential, &percent);
    hd_study_check_near(s, known, percent, 53, CODING_TENTH,
                        "16 flits, %s: percent of the time saved", orders[sequential]);
    known = known && saved_at(results, 1, sequential, &shortest);
    hd_study_check(s, known, percent, STUDY_AT_LEAST, shortest,
                   "16 flits, %s: percent of the time saved, and with 1 flit", orders[sequential]);
  }
}

/* The paper counts the overhead of intermediate nodes only. So coders encode there, and programs
 * decode in no time. */
static void judge_xor(const void *results, statement *s)
{
  for (uint32_t sequential = 0; sequential < 2; sequential++) {
    const struct coding_run_config without = coding_xor_run(0, sequential),
                                   with = coding_xor_run(35, sequential);
    double none = 0, most = 0;
    const bool known =
        coding_cycles(results, &without, &none) && coding_cycles(results, &with, &most);
    hd_study_check_within(s, known, known ? 100 * (most / none - 1) : 0, -10, 10,
                          "coders at intermediate nodes alone, %s: percent of time more with 35 "
                          "cycles than with 0",
                          orders[sequential]);
  }
}

static void judge_xor_everywhere(const void *results, statement *s)
{
  for (uint32_t what = 0; what < 4; what++) {
    const bool software = what & 1, sequential = what & 2;
    struct coding_run_config run = coded(GROUPS_K, HD_CODING_TREE, sequential);
    double none = 0, most = 0;
    run.software = software;
    run.xor_cycles = 0;
    bool known = coding_cycles(results, &run, &none);
    run.xor_cycles = 35;
    known = coding_cycles(results, &run, &most) && known;
    hd_study_check(s, known, known ? 100 * (most / none - 1) : 0, STUDY_AT_LEAST, 20,
                   "%s, %s: percent of time more with 35 cycles than with 0",
                   software ? "programs encode, a pair after the other" : "coders decode, too",
                   orders[sequential]);
  }
}

/* Gives the cycles of message combining. Each message is sent in packets of the greatest length. */
static bool combined(const struct coding_results *r, bool sequential, double *cycles)
{
  const struct coding_run_config run = coding_run_of(
      coding_grouped(GROUPS_K, HD_CODING_COMBINED, HD_CODING_TREE, PAPER_MEMBERS), sequential);
  return coding_cycles(r, &run, cycles);
}

/* Computes the cycles with message combining over those with coding. */
static bool over_coding(const struct coding_results *r, bool sequential, double *ratio)
{
  const struct coding_run_config with = coded(GROUPS_K, HD_CODING_TREE, sequential);
  double coding = 0, combining = 0;
  const bool known =
      coding_cycles(r, &with, &coding) && combined(r, sequential, &combining) && coding > 0;
  *ratio = known ? combining / coding : 0;
  return known;
}

static void judge_combining(const void *results, statement *s)
{
  for (uint32_t sequential = 0; sequential < 2; sequential++) {
    double ratio = 0;
    const bool known = over_coding(results, sequential, &ratio);
    hd_study_check(s, known, ratio, STUDY_AT_LEAST, 1,
                   "%s: cycles with message combining over those with coding", orders[sequential]);
  }
}

static void judge_channels(const void *results, statement *s)
{
  for (uint32_t cut = 16; cut; cut = cut == 16 ? 1 : 0) {
    struct coding_run_config run = coded(GROUPS_K, HD_CODING_TREE, false);
    double shared = 0, own = 0;
    run.cut_flits = cut;
    bool known = coding_cycles(results, &run, &shared);
    run.own_channels = true;
    known = coding_cycles(results, &run, &own) && known;
    hd_study_check(s, known, known ? 100 * (1 - own / shared) : 0, STUDY_AT_MOST, 5,
                   "heads wait for room for %" PRIu32 " %s: percent of the time saved", cut,
                   cut == 1 ? "flit" : "flits");
  }
}

static void judge_1276(const void *results, statement *s)
{
  for (uint32_t sequential = 0; sequential < 2; sequential++) {
    double ratio = 0;
    const bool known = over_coding(results, sequential, &ratio);
    hd_study_check_near(s, known, ratio, 1832.0 / 1276, CODING_TENTH,
                        "%s: cycles with message combining over those with coding",
                        orders[sequential]);
  }
}

static void judge_rivals(const void *results, statement *s)
{
  for (uint32_t k = GROUPS_K; k <= CODING_LARGEST_RUN; k *= 2)
    for (uint32_t rival = 0; rival < 2; rival++) {
      const struct coding_run_config with = coded(k, HD_CODING_TREE, false);
      const struct coding_run_config without = coding_run_of(
          rival ? coding_flat(k, HD_CODING_NEIGHBOUR)
                : coding_grouped(k, HD_CODING_PLAIN, HD_CODING_TREE, coding_paper_members(k)),
          false);
      double coding = 0, cycles = 0;
      const bool known =
          coding_cycles(results, &with, &coding) && coding_cycles(results, &without, &cycles);
      hd_study_check(s, known, cycles, STUDY_AT_MOST, coding,
                     "%" PRIu32 "-ary: cycles %s, and with coding", k,
                     rival ? "from neighbour to neighbour" : "of the same groups without coding");
    }
}

const struct hd_study_judge coding_judges_of_time[] = {
    {"three-times-tree", judge_three_times_tree},
    {"tree-wins-when-small", judge_small_tree},
    {"best-group-time", judge_group_time},
    {"three-times-all-at-once", judge_three_times_all},
    {"slightly-better-when-small", judge_small_all},
    {"70-percent", judge_70},
    {"every-length", judge_lengths},
    {"53-percent", judge_53},
    {"xor-latency-is-marginal", judge_xor},
    {"xor-everywhere", judge_xor_everywhere},
    {"coding-beats-combining", judge_combining},
    {"1276-against-1832", judge_1276},
    {"own-channels", judge_channels},
    {"rivals-are-faster", judge_rivals},
    {0}};
