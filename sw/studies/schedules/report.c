/* report.md: its tables.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_study.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void add_name(const struct ss_row *row, struct hd_text *text)
{
  char title[2 * SS_NAME];
  ss_title(row, title, sizeof title);
  hd_text_add(text, "| %s | %s |", title, hd_exchange_name(row->kind));
  if (row->rooted)
    hd_text_add(text, " n%" PRIu32 "%s |", row->root, row->all_port ? ", all ports" : "");
  else
    hd_text_add(text, " |");
}

/* An asterisk is none of Markdown's. */
static void add_escaped(const char *cell, struct hd_text *text)
{
  for (; *cell; cell++)
    hd_text_add(text, "%s%c", *cell == '*' ? "\\" : "", *cell);
}

static void add_steps(const struct ss_results *r, struct hd_text *text)
{
  hd_text_add(text,
              "| network | collective | root | the paper | its time | its evolution | fewest | "
              "why not fewer | found in, s |\n|---|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < r->n; i++) {
    const struct ss_row *row = &r->rows[i];
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

static void add_run(const struct ss_run *run, struct hd_text *text)
{
  if (!run->done)
    hd_text_add(text, " – |");
  else if (run->blocked)
    hd_text_add(text, " %" PRIu64 " (%" PRIu64 ") |", run->cycles, run->blocked);
  else
    hd_text_add(text, " %" PRIu64 " |", run->cycles);
}

static void add_cycles(const struct ss_results *r, struct hd_text *text)
{
  hd_text_add(text,
              "| network | collective | root | steps | at times | after barriers | settled | not "
              "separated | by the model |\n|---|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < r->n; i++) {
    const struct ss_row *row = &r->rows[i];
    add_name(row, text);
    hd_text_add(text, " %" PRIu32 " |", row->steps);
    for (int means = 0; means < SS_MEANS; means++)
      add_run(&row->runs[means], text);
    if (row->runs[SS_TIME].done)
      hd_text_add(text, " %" PRIu64 " |\n", row->runs[SS_TIME].model);
    else
      hd_text_add(text, " – |\n");
  }
  hd_text_add(text, "\n");
}

static void section(const void *context, const char *name, struct hd_text *text)
{
  if (!strcmp(name, "steps"))
    add_steps(context, text);
  else
    add_cycles(context, text);
}

struct study_report ss_report(const struct ss_results *r, const struct study_statement *statements,
                              uint32_t n)
{
  static const struct study_part parts[] = {{"steps", "Steps", "search"},
                                            {"cycles", "Cycles", "cycles"}};
  return (struct study_report){
      .title = "The paper on schedules for multistage networks",
      .command = "make reproduce-schedules",
      .quick = r->quick,
      .left = "networks of 8 nodes and fewer",
      .about = "Each row is in rows.csv, with its KEYs: runs/KEY.csv is its schedule, heddle run "
               "runs/KEY.yaml repeats a run. Blocked flit-cycles are in parentheses.",
      .statements = statements,
      .n = n,
      .parts = parts,
      .n_parts = sizeof parts / sizeof *parts,
      .section = section,
      .context = r,
  };
}
