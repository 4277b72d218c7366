/* make reproduce-barrier.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reproduce.h"

#include "../study.h"

#include <argp.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_INPUT = 2, EXIT_INTERRUPTED = 130 };

struct arguments {
  const char *out, *rtl, *only, *docs;
  uint32_t jobs, seeds;
  bool quick;
};

static const struct argp_option options[] = {
    {"quick", 'q', NULL, 0, "three points a curve, small networks", 0},
    {"seeds", 's', "N", 0, "runs of each point, 1 to 8 (3; quick: 2)", 0},
    {"only", 'o', "FIGURE", 0, "fig12, fig13, fig14, fig15 or data alone", 0},
    {"jobs", 'j', "N", 0, "runs at a time, 1 to 64 (2)", 0},
    {"out", 'd', "DIR", 0, "where everything goes (build/reproduce/barrier)", 0},
    {"docs", 'p', "PAGE", 0, "also make the made sections and the pictures of this page anew", 0},
    {"rtl", 'r', "DIR", 0,
     "Verilog of the switch, for what runs in lockstep, when it is not Heddle's own rtl/", 0},
    {0}};

static const char doc[] =
    "Reproduces Figs. 11 to 15 of the barrier paper and judges what it says of them.\v"
    "Writes report.md, report.json, and FIGURE.csv, .svg, .png and .gp for each figure. What runs "
    "came to is kept under DIR/runs: what was carried out before by this program on this RTL is "
    "not "
    "carried out again, so after Ctrl-C or a change of the plan the same command goes on. "
    "DIR/runs/KEY.yaml, where the CSV names KEY, is the scenario of a point's first seed: heddle "
    "run "
    "repeats it.\n"
    "\n"
    "Ends with 0 when everything was measured, whatever the verdicts are; 130 when interrupted: "
    "then "
    "the report has what is there.\n"
    "\n"
    "Examples:\n"
    "  reproduce --quick\n"
    "  reproduce --seeds 8 --jobs 4 --out build/reproduce/wide";

static volatile int stop;

static void on_signal(int number)
{
  (void)number;
  stop = 1;
}

static uint32_t number(struct argp_state *state, const char *arg, unsigned long most)
{
  char *end;
  unsigned long value = strtoul(arg, &end, 10);
  if (*arg < '0' || *arg > '9' || *end || !value || value > most)
    argp_error(state, "%s: must be a whole number from 1 to %lu", arg, most);
  return (uint32_t)value;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct arguments *a = state->input;
  switch (key) {
  case 'q':
    a->quick = true;
    return 0;
  case 's':
    a->seeds = number(state, arg, REP_MAX_SEEDS);
    return 0;
  case 'o':
    a->only = arg;
    return 0;
  case 'j':
    a->jobs = number(state, arg, 64);
    return 0;
  case 'd':
    a->out = arg;
    return 0;
  case 'p':
    a->docs = arg;
    return 0;
  case 'r':
    a->rtl = arg;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

struct report {
  const struct rep_results *results;
  const struct study_statement *statements;
  uint32_t n;
};

static void section(const void *context, const char *name, struct hd_text *text)
{
  const struct report *report = context;
  rep_markdown_section(report->results, report->statements, report->n, name, text);
}

static int write_all(const struct rep_results *r, const char *out, const char *docs,
                     struct hd_error *err)
{
  uint32_t n;
  struct study_statement *statements = rep_judge(r, &n);
  if (!statements)
    return hd_fail(err, HD_E_NOMEM, "no memory for the statements");
  int status = rep_write_markdown(r, statements, n, out, err);
  if (!status)
    status = rep_write_json(r, statements, n, out, err);
  for (uint32_t i = 0; !status && i < n; i++)
    printf("%-32s %s\n", statements[i].name, study_verdict(&statements[i]));
  if (!status)
    status = rep_write_figures(r, out, err);
  if (!status && docs)
    status = study_write_docs(section, &(struct report){r, statements, n}, out, docs, err);
  study_statements_free(statements, n);
  if (!status)
    printf("%s/report.md, report.json, fig11 to fig15 as csv, svg, png\n", out);
  return status;
}

/* Plans, carries out, writes. */
static int reproduce(const struct arguments *a, struct hd_error *err)
{
  struct rep_panel panels[REP_MAX_PANELS];
  struct rep_book book = {.seeds = a->seeds ? a->seeds : a->quick ? 2 : 3};
  struct rep_results results = {.book = &book,
                                .panels = panels,
                                .n_panels = rep_panels(panels, a->quick, a->only),
                                .quick = a->quick};
  char runs[REP_PATH];
  snprintf(runs, sizeof runs, "%s/runs", a->out);
  const struct rep_execution how = {
      .rtl_dir = a->rtl, .directory = runs, .jobs = a->jobs, .stop = &stop};
  if (!results.n_panels)
    return hd_fail(err, HD_E_INPUT, "--only %s: there are fig12, fig13, fig14, fig15 and data",
                   a->only);
  int status = study_make_directories(runs, err);
  for (uint32_t i = 0; !status && i < results.n_panels; i++)
    status = rep_panel_want(&panels[i], &book);
  if (!status)
    status = rep_run_scenarios(&book, &how, err);
  if (!status || status == HD_E_INTERRUPTED) { /* then what there is */
    int written = write_all(&results, a->out, status ? NULL : a->docs, status ? NULL : err);
    status = status ? status : written;
  }
  rep_book_fini(&book);
  return status;
}

int main(int argc, char **argv)
{
  static const struct argp argp = {.options = options, .parser = parse, .doc = doc};
  struct arguments a = {.out = "build/reproduce/barrier", .jobs = 2};
  struct hd_error err = {""};
  struct sigaction action = {.sa_handler = on_signal};
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  int status = reproduce(&a, &err);
  if (status)
    fprintf(stderr, "reproduce: %s\n", err.text);
  return status == HD_E_INTERRUPTED ? EXIT_INTERRUPTED
         : status == HD_E_INPUT     ? EXIT_INPUT
                                    : status != 0;
}
