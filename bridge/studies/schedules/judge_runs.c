/* Statements about schedules carried out.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_study.h"

#include <inttypes.h>

/* ── sums over rows ────────────────────────────────────────────────────────── */

struct sum {
  uint32_t runs, done, blocking; /* wanted runs, finished runs, runs that block */
  uint64_t blocked, late, rows;  /* blocked: flit-cycles; late: nodes */
};

static struct sum sum_of(const struct schedules_results *r, enum schedules_means means)
{
  struct sum sum = {.rows = r->n};
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_run *run = &r->rows[i].runs[means];
    sum.runs += run->wanted;
    sum.done += run->done;
    sum.blocked += run->blocked;
    sum.blocking += run->blocked > 0;
    sum.late += run->late;
  }
  return sum;
}

static bool known(const struct sum *sum)
{
  return sum->runs && sum->done == sum->runs;
}

/* Checks the smallest and the largest ratio of a run's cycles to the model's: for nodes with one
 * port, or for nodes with an interface for each link. */
static void check_ratio(const struct schedules_results *r, bool ports, double least, double most,
                        statement *s)
{
  bool any = false, complete = true;
  double low = 0, high = 0;
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_row *row = &r->rows[i];
    const struct schedules_run *run = &row->runs[ports ? SCHEDULES_PORTS : SCHEDULES_TIME];
    if (row->all_port != ports || !run->wanted)
      continue;
    uint64_t base = run->model;
    complete = complete && run->done && base;
    double ratio = base ? (double)run->cycles / (double)base : 0;
    low = !any || ratio < low ? ratio : low;
    high = !any || ratio > high ? ratio : high;
    any = true;
  }
  const char *nodes = ports ? "all-port nodes, an interface a link" : "one-port nodes";
  if (ports && !any)
    return;
  hd_study_check_within(s, any && complete, low, least, most,
                        "%s: cycles over the model's, steps at times, least", nodes);
  hd_study_check_within(s, any && complete, high, least, most,
                        "%s: cycles over the model's, steps at times, most", nodes);
}

/* ── contention ────────────────────────────────────────────────────────────── */

static void judge_avoided(const void *results, statement *s)
{
  static const enum schedules_means at_times[] = {SCHEDULES_TIME, SCHEDULES_PORTS};
  for (int i = 0; i < 2; i++) {
    struct sum sum = sum_of(results, at_times[i]);
    const char *how = i ? "steps at times, an interface a link" : "steps at times";
    if (i && !sum.runs)
      continue;
    hd_study_check(s, known(&sum), (double)sum.blocked, STUDY_AT_MOST, 0,
                   "%s: blocked flit-cycles in %" PRIu32 " runs", how, sum.runs);
    hd_study_check(s, known(&sum), (double)sum.late, STUDY_AT_MOST, 0,
                   "%s: nodes that came late for a step", how);
  }
}

static void judge_barriers(const void *results, statement *s)
{
  struct sum plain = sum_of(results, SCHEDULES_BARRIER),
             settled = sum_of(results, SCHEDULES_SETTLED);
  hd_study_check(s, known(&plain), plain.blocking, STUDY_AT_MOST, 0,
                 "steps after barriers: runs that block, of %" PRIu32, plain.runs);
  hd_study_check(s, known(&settled), settled.blocking, STUDY_AT_MOST, 0,
                 "steps after barriers that have settled: runs that block, of %" PRIu32,
                 settled.runs);
}

static void judge_unseparated(const void *results, statement *s)
{
  struct sum sum = sum_of(results, SCHEDULES_NONE);
  hd_study_check(s, known(&sum), sum.blocking, STUDY_AT_LEAST, 1,
                 "steps not separated: runs that block, of %" PRIu32, sum.runs);
}

/* ── cycles ────────────────────────────────────────────────────────────────── */

static void judge_model(const void *results, statement *s)
{
  check_ratio(results, false, 0.75, 1.33, s);
  check_ratio(results, true, 0.75, 1.33, s);
}

static void judge_faster(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  bool complete = true;
  uint32_t slower = 0;
  double least = 0;
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_run *time = &r->rows[i].runs[SCHEDULES_TIME],
                               *none = &r->rows[i].runs[SCHEDULES_NONE];
    complete = complete && time->done && none->done;
    if (!complete)
      break;
    slower += none->cycles >= time->cycles;
    double ratio = (double)time->cycles / (double)none->cycles;
    least = !i || ratio < least ? ratio : least;
  }
  hd_study_check(s, complete, slower, STUDY_AT_MOST, 0,
                 "rows in which steps that are not separated take no less than steps at times");
  hd_study_check(s, complete, least, STUDY_AT_LEAST, 1,
                 "cycles of the latter over the former, least");
}

static double cycles(const struct schedules_results *r, const char *network, enum hd_exchange kind,
                     bool *is_known)
{
  const struct schedules_row *row = schedules_find(r, network, kind, 0);
  const struct schedules_run *run = row ? &row->runs[SCHEDULES_TIME] : NULL;
  *is_known = *is_known && run && run->done && run->cycles;
  return run ? (double)run->cycles : 0;
}

/* Compares all-to-all scatter on a B-Tree with that on the F-Tree with as many nodes. */
static void judge_b_tree_falls(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  static const struct {
    const char *b_tree, *f_tree;
    uint32_t nodes;
  } sizes[] = {{"binary-tree:n=2", "folded-butterfly:k=2,n=2", 4},
               {"binary-tree:n=3", "folded-butterfly:k=2,n=3", 8},
               {"binary-tree:n=4", "folded-butterfly:k=2,n=4", 16},
               {"binary-tree:n=5", "folded-butterfly:k=2,n=5", 32}};
  double before = 0;
  for (int i = 0; i < (r->quick ? 2 : 4); i++) {
    bool is_known = true;
    double slow = cycles(r, sizes[i].b_tree, HD_EXCHANGE_ALL_TO_ALL_SCATTER, &is_known);
    double fast = cycles(r, sizes[i].f_tree, HD_EXCHANGE_ALL_TO_ALL_SCATTER, &is_known);
    double ratio = is_known ? slow / fast : 0;
    if (i)
      hd_study_check(s, is_known && before > 0, ratio, STUDY_AT_LEAST, 1.5 * before,
                     "%" PRIu32
                     " nodes: cycles of B-Tree over F-Tree; one and a half times that of "
                     "half the nodes",
                     sizes[i].nodes);
    before = ratio;
  }
}

static uint32_t steps_of(const struct schedules_results *r, const char *network,
                         enum hd_exchange kind, bool *is_known)
{
  const struct schedules_row *row = schedules_find(r, network, kind, 0);
  *is_known = *is_known && row && row->found;
  return row ? row->steps : 0;
}

/* Compares each network with the F-Tree: by steps, which alone decide the paper's time, and by
 * cycles. */
static void judge_f_tree_best(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  static const enum hd_exchange kinds[] = {HD_EXCHANGE_ALL_TO_ALL_BROADCAST,
                                           HD_EXCHANGE_ALL_TO_ALL_SCATTER};
  static const char *const networks[][2] = {{"omega:k=2,n=3", "omega:k=2,n=4"},
                                            {"butterfly:k=2,n=3", "butterfly:k=2,n=4"},
                                            {NULL, "clos:n=4,m=4,r=4"},
                                            {"binary-tree:n=3", "binary-tree:n=4"}};
  static const char *const f_trees[] = {"folded-butterfly:k=2,n=3", "folded-butterfly:k=2,n=4"};
  const int size = r->quick ? 0 : 1;
  for (int n = 0; n < 4; n++)
    for (int k = 0; k < 2; k++) {
      bool is_known = true;
      if (!networks[n][size])
        continue;
      const uint32_t steps = steps_of(r, networks[n][size], kinds[k], &is_known);
      hd_study_check(
          s, is_known, steps, STUDY_AT_LEAST, steps_of(r, f_trees[size], kinds[k], &is_known),
          "%s, %s: fewest steps, and the F-Tree's", networks[n][size], hd_exchange_name(kinds[k]));
      double other = cycles(r, networks[n][size], kinds[k], &is_known);
      double f_tree = cycles(r, f_trees[size], kinds[k], &is_known);
      hd_study_check(s, is_known, is_known ? other / f_tree : 0, STUDY_AT_LEAST, 1,
                     "%s, %s: cycles over the F-Tree's", networks[n][size],
                     hd_exchange_name(kinds[k]));
    }
}

const struct hd_study_judge schedules_judges_of_runs[] = {{"model", judge_model},
                                                          {"contention-avoided", judge_avoided},
                                                          {"synchronized-steps", judge_unseparated},
                                                          {"b-trees-fall", judge_b_tree_falls},
                                                          {"fat-trees-best", judge_f_tree_best},
                                                          {"barriers", judge_barriers},
                                                          {"unseparated-is-faster", judge_faster},
                                                          {0}};
