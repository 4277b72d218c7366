/* report.md: its tables.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_study.h"

#include <inttypes.h>
#include <stdio.h>

static void add_name(const struct schedules_row *row, struct hd_text *text)
{
  char title[2 * SCHEDULES_NAME];
  schedules_title(row, title, sizeof title);
  hd_text_add(text, "| %s | %s |", title, hd_exchange_name(row->kind));
  if (row->rooted)
    hd_text_add(text, " n%" PRIu32 "%s |", row->root, row->all_port ? ", all ports" : "");
  else
    hd_text_add(text, " |");
}

/* Adds a cell. An asterisk is escaped, because Markdown has a meaning for it. */
static void add_escaped(const char *cell, struct hd_text *text)
{
  for (; *cell; cell++)
    hd_text_add(text, "%s%c", *cell == '*' ? "\\" : "", *cell);
}

static void add_steps(const void *context, struct hd_text *text)
{
  const struct schedules_results *r = context;
  hd_text_add(text,
              "| network | collective | root | the paper | its time | its evolution | fewest | "
              "why not fewer | found in, s |\n|---|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_row *row = &r->rows[i];
    add_name(row, text);
    hd_text_add(text, " ");
    add_escaped(row->paper_steps, text);
    hd_text_add(text, " | %s | %" PRIu32 " |", row->paper_time, row->evolution);
    if (row->found)
      hd_text_add(text, " %" PRIu32 "%s | %s | %.3g |\n", row->steps,
                  row->proved ? "" : ", not proved", row->reason, row->seconds);
    else
      hd_text_add(text, " – | – | – |\n");
  }
  hd_text_add(text, "\n");
}

/* Adds the evolution's steps from the bound up, and the reason why it ended. */
static void add_upwards(const struct schedules_row *row, struct hd_text *text)
{
  const struct schedules_evolution *e = schedules_upwards(row);
  if (!e->done) {
    hd_text_add(text, " – | – |");
    return;
  }
  hd_text_add(text, " %" PRIu32 " | ", e->steps);
  if (!e->failed_steps)
    hd_text_add(text, "no conflict |");
  else if (e->failed_steps + 1 == e->steps || e->failed_steps == row->bound)
    hd_text_add(text, "%" PRIu32 " steps: %" PRIu64 " conflicts |", e->failed_steps, e->conflicts);
  else
    hd_text_add(text, "%" PRIu32 " steps: %" PRIu64 " conflicts, split |", e->failed_steps,
                e->conflicts);
}

static void add_evolution(const void *context, struct hd_text *text)
{
  const struct schedules_results *r = context;
  hd_text_add(text, "| network | collective | root | the paper | its time | its rate | asked for | "
                    "rate here | s | evaluations, of at most | reached here | where it ended | "
                    "fewest |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_row *row = &r->rows[i];
    const struct schedules_successes s = schedules_successes(r, row);
    add_name(row, text);
    hd_text_add(text, " ");
    add_escaped(row->paper_steps, text);
    hd_text_add(text, " | %s | %" PRIu32 "%% |", row->paper_time, row->paper_rate);
    if (!row->found || !s.runs) {
      hd_text_add(text, " – | – | – | – | – | – | – |\n");
      continue;
    }
    hd_text_add(text, " %" PRIu32 " | %.0f%% |", schedules_prescribed(row),
                100.0 * s.reached / s.runs);
    if (s.reached)
      hd_text_add(text, " %.3g | %.0f of %" PRIu64 " |", s.seconds, s.evaluations,
                  schedules_evaluations(row));
    else
      hd_text_add(text, " – | – of %" PRIu64 " |", schedules_evaluations(row));
    add_upwards(row, text);
    hd_text_add(text, " %" PRIu32 "%s |\n", row->steps, row->proved ? "" : ", not proved");
  }
  hd_text_add(text, "\n");
}

static void add_cell(const struct schedules_printed *p, int source, int step, struct hd_text *text)
{
  uint32_t to = p->to_here[source][step], of = p->of_here[source][step];
  if (to == UINT32_MAX)
    hd_text_add(text, " |");
  else if (of != (uint32_t)source)
    hd_text_add(text, " %" PRIu32 " (of %" PRIu32 ") |", to, of);
  else
    hd_text_add(text, " %" PRIu32 " |", to);
}

static void add_tables(const void *context, struct hd_text *text)
{
  const struct schedules_results *r = context;
  for (int table = 0; table < SCHEDULES_PRINTED; table++) {
    const struct schedules_printed *p = &r->printed[table];
    if (!p->title)
      continue;
    hd_text_add(text,
                "%s, `%s`, %s: the destination of each source and step; left the paper's, right "
                "the evolution's here%s.\n\n|  |",
                p->title, p->network, hd_exchange_name(p->kind),
                p->evolved ? "" : " (none of 7 steps, or not carried out)");
    for (int step = 0; step < 2 * SCHEDULES_PRINTED_STEPS; step++)
      hd_text_add(text, "%s %d |", step == SCHEDULES_PRINTED_STEPS ? "  |" : "",
                  step % SCHEDULES_PRINTED_STEPS + 1);
    hd_text_add(text, "\n|");
    for (int column = 0; column < 2 * SCHEDULES_PRINTED_STEPS + 2; column++)
      hd_text_add(text, "---|");
    for (int source = 0; source < SCHEDULES_PRINTED_NODES; source++) {
      hd_text_add(text, "\n| **%d** |", source);
      for (int step = 0; step < SCHEDULES_PRINTED_STEPS; step++)
        hd_text_add(text, " %c |", p->to[source][step]);
      hd_text_add(text, "  |");
      for (int step = 0; step < SCHEDULES_PRINTED_STEPS; step++)
        if (p->evolved)
          add_cell(p, source, step, text);
        else
          hd_text_add(text, " – |");
    }
    hd_text_add(text, "\n\n");
  }
}

static void add_run(const struct schedules_run *run, struct hd_text *text)
{
  if (!run->done)
    hd_text_add(text, " – |");
  else if (run->blocked)
    hd_text_add(text, " %" PRIu64 " (%" PRIu64 ") |", run->cycles, run->blocked);
  else
    hd_text_add(text, " %" PRIu64 " |", run->cycles);
}

static void add_cycles(const void *context, struct hd_text *text)
{
  const struct schedules_results *r = context;
  hd_text_add(text,
              "| network | collective | root | steps | at times | after barriers | settled | not "
              "separated | at times, a port a link | by the model |\n"
              "|---|---|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_row *row = &r->rows[i];
    add_name(row, text);
    hd_text_add(text, " %" PRIu32 " |", row->steps);
    for (int means = 0; means < SCHEDULES_MEANS; means++)
      add_run(&row->runs[means], text);
    if (row->runs[SCHEDULES_TIME].done)
      hd_text_add(text, " %" PRIu64 " |\n", row->runs[SCHEDULES_TIME].model);
    else
      hd_text_add(text, " – |\n");
  }
  hd_text_add(text, "\n");
}

static const struct hd_study_part parts[] = {
    {"steps", "Steps", "search", add_steps},
    {"evolution", "The evolution", NULL, add_evolution},
    {"tables", "The schedules that it prints", NULL, add_tables},
    {"cycles", "Cycles", "cycles", add_cycles}};

const struct hd_study_report schedules_report = {
    .title = "The paper on schedules for multistage networks",
    .left = "networks of 8 nodes and fewer, two seeds of the evolution",
    .about = "Each row is in rows.csv, with its KEYs: runs/KEY.csv is its schedule, heddle run "
             "runs/KEY.yaml repeats a run. Blocked flit-cycles are in parentheses.",
    .parts = parts,
    .n_parts = sizeof parts / sizeof *parts,
    .files = schedules_write_figures,
    .written = "report.md, report.json, rows.csv; search, cycles as csv, svg, png",
};
