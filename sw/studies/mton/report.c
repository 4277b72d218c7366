/* report.md and runs.csv.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mton_study.h"

#include "../../../bridge/host/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A square of cases: N to the right, M downwards. */
static void add_cases(const struct mts_results *r, uint32_t by_destination, struct hd_text *text)
{
  const struct mts_run *at[SIDE + 1][SIDE + 1] = {{0}};
  for (size_t i = 0; i < r->n; i++) {
    const struct mts_config *c = &r->runs[i].config;
    if (mts_is_case(c) && c->by_destination == by_destination && c->schedule == HD_MTON_PAPER)
      at[c->sources][c->destinations] = &r->runs[i];
  }
  hd_text_add(text,
              "%s, the paper's tables: blocked flit-cycles on RTL for M (down) to N.\n\n| M |",
              by_destination ? "D-mod-k" : "S-mod-k");
  for (uint32_t n = 1; n <= SIDE; n++)
    hd_text_add(text, " %" PRIu32 " |", n);
  hd_text_add(text, "\n|---|");
  for (uint32_t n = 1; n <= SIDE; n++)
    hd_text_add(text, "---|");
  for (uint32_t m = 1; m <= SIDE; m++) {
    hd_text_add(text, "\n| %" PRIu32 " |", m);
    for (uint32_t n = 1; n <= SIDE; n++)
      if (at[m][n] && at[m][n]->done)
        hd_text_add(text, " %" PRIu64 " |", at[m][n]->blocked);
      else
        hd_text_add(text, " – |");
  }
  hd_text_add(text, "\n\n");
}

static void add_experiments(const struct mts_results *r, struct hd_text *text)
{
  hd_text_add(text,
              "| run | slots | messages | contended links | blocked flit-cycles | latency, us: "
              "least, mean, most | all arrived after, us |\n|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < MTS_EXPERIMENTS; i++) {
    const struct mts_run *run = mts_find(r, (enum mts_experiment)i);
    if (!run || !run->done)
      continue;
    hd_text_add(text,
                "| %s | %" PRIu32 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64
                " | %.3f, %.3f, %.3f | %.3f |\n",
                mts_experiment_name((enum mts_experiment)i), run->slots,
                run->messages * run->config.rounds, run->contention, run->blocked,
                mts_latency_ns(r, run, run->least) / 1000, mts_latency_ns(r, run, run->mean) / 1000,
                mts_latency_ns(r, run, run->most) / 1000, (double)run->cycles * cycle_ns / 1000);
  }
}

void mts_section(const struct mts_results *r, const struct study_statement *statements, uint32_t n,
                 const char *section, struct hd_text *text)
{
  if (!strcmp(section, "overview"))
    study_overview(statements, n, text);
  else if (!strcmp(section, "statements"))
    study_statements(statements, n, text);
  else if (!strcmp(section, "contention")) {
    add_cases(r, 0, text);
    add_cases(r, 1, text);
  } else
    add_experiments(r, text);
}

static int write_text(struct hd_text *text, const char *directory, const char *name,
                      struct hd_error *err)
{
  char path[STUDY_PATH];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  int status = text->failed ? hd_fail(err, HD_E_NOMEM, "no memory for %s", path)
                            : hd_file_write(path, hd_text_chars(text), text->length, err);
  hd_text_fini(text);
  return status;
}

static void add_csv(const struct mts_results *r, struct hd_text *text)
{
  hd_text_add(text,
              "k,n,extended,routing,sources,destinations,first_destination,schedule,bytes,rounds,"
              "slot_cycles,doubled,rtl,slots,messages,contended_links,done,packets,"
              "blocked_flit_cycles,cycles,latency_least,latency_mean,latency_most,key\n");
  for (size_t i = 0; i < r->n; i++) {
    const struct mts_run *run = &r->runs[i];
    const struct mts_config *c = &run->config;
    hd_text_add(
        text,
        "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s,%" PRIu32
        ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%d,",
        c->k, c->n, c->extended, c->by_destination ? "d-mod-k" : "s-mod-k", c->sources,
        c->destinations, c->first_destination, hd_mton_kind_name(c->schedule), c->bytes, c->rounds,
        c->slot_cycles, c->doubled, c->rtl, run->slots, run->messages, run->contention, run->done);
    if (run->done)
      hd_text_add(text, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.0f,%.6g,%.0f,%s\n", run->packets,
                  run->blocked, run->cycles, run->least, run->mean, run->most, run->key);
    else
      hd_text_add(text, ",,,,,,%s\n", run->key);
  }
}

int mts_write(const struct mts_results *r, const struct study_statement *statements, uint32_t n,
              const char *directory, struct hd_error *err)
{
  static const char *const sections[] = {"statements", "contention", "experiments"};
  static const char *const headings[] = {"Statements", "Contention", "Experiments"};
  struct hd_text page = {0}, csv = {0};
  hd_text_add(&page,
              "# The M-to-N paper, reproduced\n\nMade by make reproduce-m-to-n%s. Each run is in "
              "runs.csv, with its KEY: heddle run runs/KEY.yaml repeats it.\n\n",
              r->quick ? " QUICK=1, a part of the cases" : "");
  mts_section(r, statements, n, "overview", &page);
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    hd_text_add(&page, "\n## %s\n\n", headings[i]);
    mts_section(r, statements, n, sections[i], &page);
  }
  add_csv(r, &csv);
  int status = write_text(&page, directory, "report.md", err);
  if (!status)
    status = write_text(&csv, directory, "runs.csv", err);
  hd_text_fini(&csv);
  return status;
}
