/* report.md: its tables.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_study.h"

#include <inttypes.h>
#include <stdio.h>

enum { GROUPS_K = 16 };

static void add_number(bool known, double value, struct hd_text *text)
{
  if (known)
    hd_text_add(text, " %.0f |", value);
  else
    hd_text_add(text, " – |");
}

/* ── hops ──────────────────────────────────────────────────────────────────── */

static void add_count(const struct coding_results *r, uint32_t k,
                      enum hd_coding_multicast multicast, uint32_t members, struct hd_text *text)
{
  const struct coding_config flat = coding_flat(k, multicast);
  const struct coding_config coded = coding_grouped(k, HD_CODING_CODED, multicast, members);
  const struct coding_config plain = coding_grouped(k, HD_CODING_PLAIN, multicast, members);
  double hops = 0;
  bool known = coding_hops(r, &flat, HD_CODING_COUNT_ALL, &hops);
  hd_text_add(text, "| %" PRIu32 " | %s | %" PRIu32 " |", k, hd_coding_multicast_name(multicast),
              members);
  add_number(known, hops, text);
  for (uint32_t counted = 0; counted < HD_CODING_COUNTS; counted++) {
    known = coding_hops(r, &coded, (enum hd_coding_counted)counted, &hops);
    add_number(known, hops, text);
  }
  known = coding_hops(r, &plain, HD_CODING_COUNT_ALL, &hops);
  add_number(known, hops, text);
  hd_text_add(text, " %.0f |\n", (double)k * k * ((double)k * k - 1));
}

static void add_counts(const void *context, struct hd_text *text)
{
  const struct coding_results *r = context;
  hd_text_add(text,
              "| k | multicast | nodes of a group | no groups | coding, all steps | all but E "
              "| F alone | D and F | same groups, no coding | N(N − 1) |\n"
              "|---|---|---|---|---|---|---|---|---|---|\n");
  for (uint32_t multicast = 2; multicast--;) {
    const enum hd_coding_multicast by = (enum hd_coding_multicast)multicast;
    const uint32_t largest = by == HD_CODING_TREE ? CODING_LARGEST_TREE : CODING_LARGEST;
    for (uint32_t k = CODING_SMALLEST; k <= (r->quick ? 8 : largest); k *= 2) {
      uint32_t best = 0;
      double hops;
      if (coding_best(r, k, HD_CODING_CODED, by, false, &hops, &best) &&
          best != coding_paper_members(k))
        add_count(r, k, by, best, text);
      add_count(r, k, by, coding_paper_members(k), text);
    }
  }
  hd_text_add(text, "\n");
}

static void add_groups(const void *context, struct hd_text *text)
{
  const struct coding_results *r = context;
  hd_text_add(text,
              "| nodes of a group | step B | D | E | F | all | same groups, no coding | cycles, "
              "steps overlapping | sequential |\n|---|---|---|---|---|---|---|---|---|\n");
  for (uint32_t members = 2; members <= GROUPS_K * GROUPS_K / 2; members *= 2) {
    const struct coding_config coded =
        coding_grouped(GROUPS_K, HD_CODING_CODED, HD_CODING_TREE, members);
    const struct coding_config plain =
        coding_grouped(GROUPS_K, HD_CODING_PLAIN, HD_CODING_TREE, members);
    const struct coding_plan *plan = coding_find_plan(r, &coded);
    double value = 0;
    hd_text_add(text, "| %" PRIu32 " |", members);
    for (uint32_t step = 0; step < HD_CODING_STEPS; step++)
      add_number(plan && plan->done, plan ? (double)plan->formula.hops[0][step] : 0, text);
    bool known = coding_hops(r, &coded, HD_CODING_COUNT_ALL, &value);
    add_number(known, value, text);
    known = coding_hops(r, &plain, HD_CODING_COUNT_ALL, &value);
    add_number(known, value, text);
    for (uint32_t sequential = 0; sequential < 2; sequential++) {
      const struct coding_run_config run = coding_run_of(coded, sequential);
      known = coding_cycles(r, &run, &value);
      add_number(known, value, text);
    }
    hd_text_add(text, "\n");
  }
  hd_text_add(text, "\n");
}

/* ── runs ──────────────────────────────────────────────────────────────────── */

/* Adds the settings in which a run differs from the usual ones. */
static void add_otherwise(const struct coding_run_config *c, struct hd_text *text)
{
  char sources[80], inner[80], combined[80];
  snprintf(sources, sizeof sources, "%" PRIu32 " sources %s", c->plan.sources,
           c->plan.placed == CODING_SPREAD ? "spread" : "together");
  snprintf(inner, sizeof inner, "inner groups %" PRIu32 "×%" PRIu32, c->plan.inner[0],
           c->plan.inner[1]);
  snprintf(combined, sizeof combined, "packets up to %s", hd_count(c->combined_flits, "flit").text);
  const struct {
    bool holds;
    const char *what;
  } all[] = {{c->plan.torus, "torus"},
             {c->plan.sources, sources},
             {c->plan.inner[0], inner},
             {c->combined_flits, combined},
             {c->own_channels, "channels of their own"},
             {c->cut_flits == 1, "heads wait for room for 1 flit"},
             {c->restores, "software decodes"}};
  const char *between = " ";
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].holds) {
      hd_text_add(text, "%s%s", between, all[i].what);
      between = ", ";
    }
  hd_text_add(text, " |");
}

static void add_runs(const void *context, struct hd_text *text)
{
  const struct coding_results *r = context;
  hd_text_add(
      text,
      "| k | scheme | multicast | group | flits | steps | XOR | otherwise | cycles | flit-hops "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < r->n_runs; i++) {
    const struct coding_run *run = &r->runs[i];
    const struct coding_run_config *c = &run->config;
    hd_text_add(text, "| %" PRIu32 " | %s | %s |", c->plan.k, hd_coding_scheme_name(c->plan.scheme),
                hd_coding_multicast_name(c->plan.multicast));
    if (c->plan.group[0])
      hd_text_add(text, " %" PRIu32 "×%" PRIu32 " |", c->plan.group[0], c->plan.group[1]);
    else
      hd_text_add(text, " |");
    hd_text_add(text, " %" PRIu32 " | %s |", c->flits,
                !c->plan.group[0] ? ""
                : c->sequential   ? "sequential"
                                  : "overlapping");
    if (c->plan.scheme == HD_CODING_CODED)
      hd_text_add(text, " %s, %" PRIu32 " |", c->software ? "software" : "coder", c->xor_cycles);
    else
      hd_text_add(text, " |");
    add_otherwise(c, text);
    add_number(run->done, (double)run->cycles, text);
    add_number(run->done, (double)run->flit_hops, text);
    hd_text_add(text, "\n");
  }
  hd_text_add(text, "\n");
}

/* ── Figs. 9, 18 and 19 ────────────────────────────────────────────────────── */

static void add_ratio(const char *figure, const char *what, double hops, double cycles,
                      struct hd_text *text)
{
  hd_text_add(text, "| %s | %s | %.1f | %.1f |\n", figure, what, hops, cycles);
}

static void add_variants(const void *context, struct hd_text *text)
{
  const struct coding_results *r = context;
  char what[100];
  double hops, cycles;
  hd_text_add(text,
              "| figure | all-at-once | hops, percent | cycles, percent |\n|---|---|---|---|\n");
  for (uint32_t k = CODING_SMALLEST; k <= CODING_LARGEST_RUN; k *= 2)
    for (uint32_t torus = 2; torus--;) {
      snprintf(what, sizeof what, "%" PRIu32 "-ary 2-%s, groups of %" PRIu32, k,
               torus ? "torus" : "mesh", coding_paper_members(k));
      if (coding_torus_ratio(r, k, torus, &hops, &cycles))
        add_ratio("9", what, hops, cycles, text);
    }
  for (uint32_t placed = CODING_SPREAD; placed <= CODING_TOGETHER; placed++)
    for (uint32_t sources = 2; sources <= GROUPS_K * GROUPS_K; sources *= 2) {
      snprintf(what, sizeof what, "16-ary 2-mesh, groups of 32, %" PRIu32 " sources %s", sources,
               placed == CODING_SPREAD ? "spread" : "together");
      if (coding_sources_ratio(r, sources, (enum coding_sources)placed, &hops, &cycles))
        add_ratio("18", what, hops, cycles, text);
    }
  for (uint32_t k = CODING_SMALLEST; k <= CODING_LARGEST_RUN; k *= 2)
    for (uint32_t recursive = 0; recursive < 2; recursive++) {
      snprintf(what, sizeof what, "%" PRIu32 "-ary 2-mesh, best groups, %s", k,
               recursive ? "recursive" : "one level");
      if (coding_form_ratio(r, k, recursive, &hops, &cycles))
        add_ratio("19", what, hops, cycles, text);
    }
  hd_text_add(text, "\n");
}

static const struct hd_study_part parts[] = {
    {"counts", "Hops", "hops", add_counts},
    {"groups", "Groups on the 16-ary 2-mesh", "groups", add_groups},
    {"variants", "Tori, many sources, recursion", "variants", add_variants},
    {"runs", "Cycles", "times", add_runs}};

const struct hd_study_report coding_report = {
    .title = "The paper on hierarchical network coding",
    .left = "4-ary and 8-ary networks",
    .about = "Every plan is in plans.csv with the hops of its steps. Every run is in runs.csv "
             "with its KEY: heddle run runs/KEY.yaml repeats it.",
    .parts = parts,
    .n_parts = sizeof parts / sizeof *parts,
    .files = coding_write_figures,
    .written = "report.md, report.json, plans.csv, runs.csv; hops, groups, variants, times as "
               "csv, svg, png",
};
