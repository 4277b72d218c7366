/* Statements about steps, and about finding them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_study.h"

#include <inttypes.h>

#define BROADCASTS HD_EXCHANGE_ONE_TO_ALL_BROADCAST
#define SCATTERS HD_EXCHANGE_ONE_TO_ALL_SCATTER
#define ALL_BROADCAST HD_EXCHANGE_ALL_TO_ALL_BROADCAST
#define ALL_SCATTER HD_EXCHANGE_ALL_TO_ALL_SCATTER

static uint32_t doublings(uint32_t nodes)
{
  uint32_t steps = 0;
  while (1u << steps < nodes)
    steps++;
  return steps;
}

static int32_t excess(const struct schedules_row *row)
{
  return (int32_t)row->evolution - (int32_t)row->steps;
}

/* ── bounds ────────────────────────────────────────────────────────────────── */

/* Checks by how many steps rows of a collective exceed a bound, at least. The bound is for nodes
 * that send one message in a step. */
static void check_bound(const struct schedules_results *r, enum hd_exchange kind,
                        uint32_t (*bound)(uint32_t nodes), statement *s)
{
  bool known = false;
  double least = 0;
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_row *row = &r->rows[i];
    if (row->kind != kind || row->all_port)
      continue;
    double above = (double)row->steps - bound(row->nodes);
    if (!known || above < least)
      least = above;
    known = row->found;
    if (!known)
      break;
  }
  hd_study_check(s, known, least, STUDY_AT_LEAST, 0,
                 "one-port nodes: fewest steps above that, least");
}

static uint32_t less_one(uint32_t nodes)
{
  return nodes - 1;
}

static void judge_broadcast_bound(const void *results, statement *s)
{
  check_bound(results, BROADCASTS, doublings, s);
}

static void judge_scatter_bound(const void *results, statement *s)
{
  check_bound(results, SCATTERS, less_one, s);
}

static void judge_bound_out_of_reach(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  bool known = true;
  uint32_t n = 0;
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_row *row = &r->rows[i];
    if (row->kind != ALL_BROADCAST)
      continue;
    known = known && row->found;
    n += row->steps > less_one(row->nodes);
  }
  hd_study_check(s, known, n, STUDY_AT_LEAST, 1,
                 "networks whose all-to-all broadcast needs more than N-1 steps");
}

/* ── the evolution's steps ─────────────────────────────────────────────────── */

/* Checks that the evolution took at most `most` steps more than needed. */
static void check_row(const struct schedules_results *r, const char *network, enum hd_exchange kind,
                      double most, statement *s)
{
  const struct schedules_row *row = schedules_find(r, network, kind, 0);
  hd_study_check(s, row && row->found, row ? excess(row) : 0, STUDY_AT_MOST, most,
                 "%s, %s: steps that the evolution took more than needed", network,
                 hd_exchange_name(kind));
}

static const char butterfly_8[] = "graph:file=docs/examples/butterfly-8.csv";
static const char butterfly_16[] = "graph:file=docs/examples/butterfly-16.csv";

static void judge_eight(const void *results, statement *s)
{
  static const char *const networks[] = {"omega:k=2,n=3", "butterfly:k=2,n=3"};
  for (int n = 0; n < 2; n++) {
    check_row(results, networks[n], BROADCASTS, 0, s);
    check_row(results, networks[n], ALL_BROADCAST, 0, s);
    check_row(results, networks[n], SCATTERS, 0, s);
    check_row(results, n ? butterfly_8 : networks[n], ALL_SCATTER, 0, s);
  }
}

/* The paper says that the evolution took one step more than the bound. That step was needed. */
static void judge_sixteen(const void *results, statement *s)
{
  check_row(results, "omega:k=2,n=4", ALL_BROADCAST, 0, s);
  check_row(results, "omega:k=2,n=4", ALL_SCATTER, 0, s);
  check_row(results, "butterfly:k=2,n=4", ALL_BROADCAST, 0, s);
  check_row(results, butterfly_16, ALL_SCATTER, 0, s);
}

static void judge_clos(const void *results, statement *s)
{
  static const char *const networks[] = {"clos:n=3,m=3,r=4", "clos:n=4,m=4,r=4"};
  for (int n = 0; n < 2; n++) {
    check_row(results, networks[n], ALL_BROADCAST, 0, s);
    check_row(results, networks[n], ALL_SCATTER, 0, s);
  }
}

/* Returns the share of a network's rows in which the evolution has the fewest steps. */
static double share(const struct schedules_results *r, const char *network, bool *known)
{
  uint32_t n = 0, optimal = 0;
  *known = true;
  for (size_t i = 0; i < r->n; i++)
    if (schedules_is(&r->rows[i], network)) {
      *known = *known && r->rows[i].found;
      n++;
      optimal += excess(&r->rows[i]) <= 0;
    }
  *known = *known && n;
  return n ? (double)optimal / n : 0;
}

static void judge_b_trees(const void *results, statement *s)
{
  bool known;
  double optimal = share(results, "binary-tree:", &known);
  hd_study_check(s, known, optimal, STUDY_AT_LEAST, 0.5, "B-Trees: share of rows that are optimal");
}

static void judge_f_trees(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  bool known = true;
  int32_t most = 0;
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_row *row = &r->rows[i];
    if (!schedules_is(row, "folded-butterfly:") || (row->nodes == 32 && row->kind == ALL_SCATTER))
      continue;
    known = known && row->found;
    most = excess(row) > most ? excess(row) : most;
  }
  hd_study_check(s, known, most, STUDY_AT_MOST, 0, "F-Trees: steps more than needed, at most");
}

static void judge_f_tree_32(const void *results, statement *s)
{
  const struct schedules_row *row =
      schedules_find(results, "folded-butterfly:k=2,n=5", ALL_SCATTER, 0);
  bool known = row && row->found;
  hd_study_check_near(s, known, row ? excess(row) : 0, 1, 0, "steps more than needed");
}

static void judge_fb_trees(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  static const enum hd_exchange kinds[] = {BROADCASTS, ALL_BROADCAST, SCATTERS, ALL_SCATTER};
  for (int k = 0; k < 4; k++) {
    bool known = true;
    int32_t most = 0;
    for (size_t i = 0; i < r->n; i++) {
      const struct schedules_row *row = &r->rows[i];
      if (!schedules_is(row, "full-binary-tree:") || row->kind != kinds[k])
        continue;
      known = known && row->found;
      most = excess(row) > most ? excess(row) : most;
    }
    hd_study_check(s, known, most, STUDY_AT_MOST, 0,
                   "FB-Trees, %s: steps more than needed, at most", hd_exchange_name(kinds[k]));
  }
}

/* Counts rows in which the evolution has more steps than needed: of all-to-all scatter, and of
 * other collectives. */
static void judge_only_scatter(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  bool known = true;
  uint32_t others = 0, scatters = 0;
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_row *row = &r->rows[i];
    bool late = row->kind == ALL_SCATTER;
    known = known && row->found;
    others += !late && excess(row) > 0;
    scatters += late && excess(row) > 0;
  }
  hd_study_check(s, known, others, STUDY_AT_MOST, 0,
                 "rows other than all-to-all scatter above the fewest steps");
  hd_study_check(s, known, scatters, STUDY_AT_MOST, 0,
                 "all-to-all scatter: rows above the fewest steps, so that no bound was too tight");
}

static void judge_no_fewer(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  bool known = true;
  uint32_t below = 0;
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_row *row = &r->rows[i];
    /* The specification numbers the butterfly's links in another way than the paper. */
    if (schedules_is(row, "butterfly:") && row->kind == ALL_SCATTER)
      continue;
    known = known && row->found;
    below += excess(row) < 0;
  }
  hd_study_check(s, known, below, STUDY_AT_MOST, 0, "rows in which the paper has fewer steps");
}

static void judge_proved(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  bool known = true;
  uint32_t proved = 0;
  for (size_t i = 0; i < r->n; i++) {
    known = known && r->rows[i].found;
    proved += r->rows[i].found && r->rows[i].proved;
  }
  hd_study_check(s, known, proved, STUDY_AT_LEAST, (double)r->n,
                 "rows whose schedule has as many steps as its lower bound, of %zu", r->n);
}

/* ── time ──────────────────────────────────────────────────────────────────── */

static void judge_time(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  bool known = true;
  double paper = 0, here = 0;
  for (size_t i = 0; i < r->n; i++) {
    known = known && r->rows[i].found;
    paper += r->rows[i].paper_seconds;
    here += r->rows[i].seconds;
  }
  hd_study_check(s, known && here > 0, here > 0 ? paper / here : 0, STUDY_AT_LEAST, 100,
                 "all rows: the evolution's time over that of finding, proving and checking here");
}

/* ── the paper's printed schedules and example ─────────────────────────────── */

static void check_printed(const struct schedules_printed *p, statement *s)
{
  uint32_t most = 0;
  for (int step = 0; step < SCHEDULES_PRINTED_STEPS; step++)
    most = p->steps[step] > most ? p->steps[step] : most;
  hd_study_check(s, p->links, p->pairs, STUDY_AT_LEAST,
                 SCHEDULES_PRINTED_NODES * (SCHEDULES_PRINTED_NODES - 1), "pairs of nodes in %s",
                 p->title);
  hd_study_check(s, p->links, most, STUDY_AT_MOST, 1,
                 "steps that the transfers of a column need, at most");
}

static void judge_table_2(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  check_printed(&r->printed[0], s);
}

static void judge_table_4(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  check_printed(&r->printed[1], s);
}

static void judge_all_busy(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  const struct schedules_printed *p = &r->printed[0];
  uint32_t least = p->used[0];
  for (int step = 1; step < SCHEDULES_PRINTED_STEPS; step++)
    least = p->used[step] < least ? p->used[step] : least;
  hd_study_check(s, p->links, least, STUDY_AT_LEAST, p->links,
                 "links in use in each step, of %" PRIu32, p->links);
}

/* Computes one step of 1024 bytes with t0 = 1 us and t1 = 0.5 ns a byte, then 2 and 992 steps. */
static void judge_example(const void *results, statement *s)
{
  static const struct {
    double steps, says, off;
  } cases[] = {{1, 1.512, 0.0005}, {2, 3.02, 0.005}, {992, 1499, 1}};
  (void)results;
  for (int i = 0; i < 3; i++) {
    double us = cases[i].steps * (1 + 1024 * 0.0005);
    hd_study_check_near(s, true, us, cases[i].says, cases[i].off / cases[i].says,
                        "%g steps: us by the formula", cases[i].steps);
  }
}

const struct hd_study_judge schedules_judges_of_steps[] = {
    {"log2-N-steps", judge_broadcast_bound},
    {"N-1-steps", judge_scatter_bound},
    {"bound-out-of-reach", judge_bound_out_of_reach},
    {"eight-nodes-optimal", judge_eight},
    {"sixteen-needs-one-more", judge_sixteen},
    {"clos-needs-one-more", judge_clos},
    {"b-trees-mostly-optimal", judge_b_trees},
    {"f-trees-optimal", judge_f_trees},
    {"f-tree-32-one-worse", judge_f_tree_32},
    {"fb-trees-at-their-bounds", judge_fb_trees},
    {"only-scatter-in-large-networks", judge_only_scatter},
    {"table-2", judge_table_2},
    {"all-links-busy", judge_all_busy},
    {"table-4", judge_table_4},
    {"example-of-the-model", judge_example},
    {"fewest-steps-proved", judge_proved},
    {"paper-never-fewer", judge_no_fewer},
    {"search-time", judge_time},
    {0}};
