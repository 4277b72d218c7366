/* report.md and runs.csv.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mton_study.h"

#include "../../host/file.h"

#include <inttypes.h>

/* Adds a square table of cases: N to the right, M downwards. */
static void add_cases(const struct mton_results *r, uint32_t by_destination, struct hd_text *text)
{
  const struct mton_run *at[SIDE + 1][SIDE + 1] = {{0}};
  for (size_t i = 0; i < r->n; i++) {
    const struct mton_config *c = &r->runs[i].config;
    if (mton_is_case(c) && c->by_destination == by_destination && c->schedule == HD_MTON_PAPER)
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

static void add_contention(const void *context, struct hd_text *text)
{
  add_cases(context, 0, text);
  add_cases(context, 1, text);
}

static void add_experiments(const void *context, struct hd_text *text)
{
  const struct mton_results *r = context;
  hd_text_add(text,
              "| run | slots | messages | contended links | blocked flit-cycles | latency, us: "
              "least, mean, most | all arrived after, us |\n|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < MTON_EXPERIMENTS; i++) {
    const struct mton_run *run = mton_find(r, (enum mton_experiment)i);
    if (!run || !run->done)
      continue;
    hd_text_add(text,
                "| %s | %" PRIu32 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64
                " | %.3f, %.3f, %.3f | %.3f |\n",
                mton_experiment_name((enum mton_experiment)i), run->slots,
                run->messages * run->config.rounds, run->contention, run->blocked,
                mton_latency_ns(r, run, run->least) / 1000,
                mton_latency_ns(r, run, run->mean) / 1000,
                mton_latency_ns(r, run, run->most) / 1000, (double)run->cycles * cycle_ns / 1000);
  }
}

static const struct hd_study_part parts[] = {{"contention", "Contention", NULL, add_contention},
                                             {"experiments", "Experiments", NULL, add_experiments}};

const struct hd_study_report mton_report = {
    .title = "The M-to-N paper",
    .left = "a part of the cases",
    .about = "Each run is in runs.csv, with its KEY: heddle run runs/KEY.yaml repeats it.",
    .parts = parts,
    .n_parts = sizeof parts / sizeof *parts,
    .files = mton_write_figures,
    .written = "report.md, report.json, runs.csv; packets, destinations as csv, svg, png",
};

static void add_csv(const struct mton_results *r, struct hd_text *text)
{
  hd_text_add(text,
              "k,n,extended,routing,sources,destinations,first_destination,schedule,bytes,rounds,"
              "slot_cycles,doubled,rtl,slots,messages,contended_links,done,packets,"
              "blocked_flit_cycles,cycles,latency_least,latency_mean,latency_most,key\n");
  for (size_t i = 0; i < r->n; i++) {
    const struct mton_run *run = &r->runs[i];
    const struct mton_config *c = &run->config;
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

int mton_write_csv(const struct mton_results *r, const char *directory, struct hd_error *err)
{
  struct hd_text csv = {0};
  add_csv(r, &csv);
  return hd_text_write(directory, "runs.csv", &csv, err);
}
