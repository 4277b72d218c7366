/* make reproduce-m-to-n.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mton_study.h"

#include "../study.h"

#include <argp.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_INPUT = 2, EXIT_INTERRUPTED = 130 };

struct arguments {
  const char *out, *rtl, *docs;
  uint32_t jobs;
  bool quick;
};

static const struct argp_option options[] = {
    {"quick", 'q', NULL, 0, "every 15th case of contention, the experiments by the model alone", 0},
    {"jobs", 'j', "N", 0, "runs at a time, 1 to 64 (2)", 0},
    {"out", 'd', "DIR", 0, "where everything goes (build/reproduce/m-to-n)", 0},
    {"docs", 'p', "PAGE", 0, "also make the made sections of this page anew", 0},
    {"rtl", 'r', "DIR", 0, "Verilog of the switch, when it is not Heddle's own rtl/", 0},
    {0}};

static const char doc[] =
    "Judges what the M-to-N paper says: contention of its schedules by RTL in lockstep and by the "
    "checker for all M, N up to 16, and its Experiments 1 and 2.\v"
    "Writes report.md, report.json and runs.csv. What runs came to is kept under DIR/runs: what "
    "was "
    "carried out before by this program on this RTL is not carried out again. heddle run "
    "DIR/runs/KEY.yaml repeats the run that runs.csv names KEY.\n"
    "\n"
    "Ends with 0 when everything was measured, whatever the verdicts are; 130 when interrupted: "
    "then the report has what is there.\n"
    "\n"
    "Examples:\n"
    "  reproduce-m-to-n --quick\n"
    "  reproduce-m-to-n --jobs 4 --out build/reproduce/again";

static volatile int stop;

static void on_signal(int number)
{
  (void)number;
  stop = 1;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct arguments *a = state->input;
  char *end;
  switch (key) {
  case 'q':
    a->quick = true;
    return 0;
  case 'j':
    a->jobs = (uint32_t)strtoul(arg, &end, 10);
    if (*end || *arg < '0' || *arg > '9' || a->jobs < 1 || a->jobs > 64)
      argp_error(state, "%s: must be a whole number from 1 to 64", arg);
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
  const struct mts_results *results;
  const struct study_statement *statements;
  uint32_t n;
};

static void section(const void *context, const char *name, struct hd_text *text)
{
  const struct report *report = context;
  mts_section(report->results, report->statements, report->n, name, text);
}

static int write_all(const struct mts_results *r, const char *out, const char *docs,
                     struct hd_error *err)
{
  uint32_t n;
  struct study_statement *statements = mts_judge(r, &n);
  if (!statements)
    return hd_fail(err, HD_E_NOMEM, "no memory for the statements");
  int status = mts_write(r, statements, n, out, err);
  if (!status)
    status = mts_write_json(r, statements, n, out, err);
  for (uint32_t i = 0; !status && i < n; i++)
    printf("%-32s %s\n", statements[i].name, study_verdict(&statements[i]));
  if (!status && docs)
    status = study_write_docs(section, &(struct report){r, statements, n}, out, docs, err);
  study_statements_free(statements, n);
  if (!status)
    printf("%s/report.md, report.json, runs.csv\n", out);
  return status;
}

static int reproduce(const struct arguments *a, struct hd_error *err)
{
  struct mts_results results = {0};
  char runs[STUDY_PATH];
  snprintf(runs, sizeof runs, "%s/runs", a->out);
  const struct mts_execution how = {
      .rtl_dir = a->rtl, .directory = runs, .jobs = a->jobs, .stop = &stop};
  int status = study_make_directories(runs, err);
  if (!status)
    status = mts_plan(&results, a->quick);
  if (!status)
    status = mts_run_all(&results, &how, err);
  if (!status || status == HD_E_INTERRUPTED) { /* then what there is */
    int written = write_all(&results, a->out, status ? NULL : a->docs, status ? NULL : err);
    status = status ? status : written;
  }
  mts_fini(&results);
  return status;
}

int main(int argc, char **argv)
{
  static const struct argp argp = {.options = options, .parser = parse, .doc = doc};
  struct arguments a = {.out = "build/reproduce/m-to-n", .jobs = 2};
  struct hd_error err = {""};
  struct sigaction action = {.sa_handler = on_signal};
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  int status = reproduce(&a, &err);
  if (status)
    fprintf(stderr, "reproduce-m-to-n: %s\n", err.text[0] ? err.text : hd_status_text(status));
  return status == HD_E_INTERRUPTED ? EXIT_INTERRUPTED
         : status == HD_E_INPUT     ? EXIT_INPUT
                                    : status != 0;
}
