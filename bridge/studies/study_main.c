/* The main function of a study: options that all have, and signals.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"
#include "study.h"

#include "../host/file.h"

#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_JOBS = 64 };

struct reading {
  const struct hd_study_program *program;
  struct hd_study_arguments *arguments;
};

static volatile int stop;

static void on_signal(int number)
{
  (void)number;
  stop = 1;
}

uint32_t hd_study_number(struct argp_state *state, const char *value, unsigned long most)
{
  char *end;
  unsigned long number = strtoul(value, &end, 10);
  if (*value < '0' || *value > '9' || *end || !number || number > most)
    argp_error(state, "%s: must be a whole number from 1 to %lu", value, most);
  return (uint32_t)number;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
  const struct reading *reading = state->input;
  struct hd_study_arguments *a = reading->arguments;
  switch (key) {
  case ARGP_KEY_INIT:
    if (reading->program->children)
      state->child_inputs[0] = reading->program->context;
    return 0;
  case 'q':
    a->quick = true;
    return 0;
  case 'j':
    a->study.jobs = hd_study_number(state, value, MOST_JOBS);
    return 0;
  case 'd':
    a->out = value;
    return 0;
  case 'p':
    a->docs = value;
    return 0;
  case 'r':
    a->study.rtl_dir = value;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Judges the results so far and writes all files. */
static int write_all(const struct hd_study_program *program, const struct hd_study_arguments *a,
                     struct hd_error *err)
{
  struct hd_study_statements statements;
  const char *mark = a->quick ? "QUICK: " : a->part ? "PART: " : "";
  int status = hd_study_statements_judge(&statements, program->room, program->judge,
                                         program->results, mark, err);
  if (!status)
    status = hd_study_report_write(&(struct hd_study_judged){program, a, &statements}, err);
  hd_study_statements_fini(&statements);
  return status;
}

static int carry_out(const struct hd_study_program *program, struct hd_study_arguments *a,
                     struct hd_error *err)
{
  static const char mark[] = "study";
  char runs[STUDY_PATH];
  struct hd_text name = {0};
  snprintf(runs, sizeof runs, "%s/runs", a->out);
  a->study.directory = runs;
  int status = hd_directory_belongs(a->out, mark, err);
  if (!status)
    status = hd_study_make_directories(runs, err);
  hd_text_add(&name, "%s\n", program->name);
  if (!status)
    status = hd_text_write(a->out, mark, &name, err);
  hd_text_fini(&name);
  if (!status)
    status = program->run(program->context, a, err);
  if (status == HD_E_INTERRUPTED) { /* the results so far are written */
    a->interrupted = true;
    a->docs = NULL;
    write_all(program, a, NULL);
    return status;
  }
  return status ? status : write_all(program, a, err);
}

int hd_study_main(const struct hd_study_program *program, int argc, char **argv)
{
  char out[STUDY_PATH];
  snprintf(out, sizeof out, "where everything goes (%s)", program->out);
  const struct argp_option options[] = {
      {"quick", 'q', NULL, 0, program->quick, 0},
      {"jobs", 'j', "N", 0, "runs at a time, 1 to 64 (2)", 0},
      {"out", 'd', "DIR", 0, out, 0},
      {"docs", 'p', "DIR", 0,
       "also write all tables there as CSV, and copy anew the pictures that it has, for `make "
       "site`",
       0},
      {"rtl", 'r', "DIR", 0,
       "Verilog of the switch, for what runs in lockstep, when it is not Heddle's own rtl/", 0},
      {0}};
  const struct argp argp = {
      .options = options, .parser = parse, .doc = program->doc, .children = program->children};
  struct hd_study_arguments arguments = {.out = program->out, .study = program->study};
  struct reading reading = {program, &arguments};
  struct hd_error err = {""};
  struct sigaction action = {.sa_handler = on_signal};
  arguments.study.jobs = 2;
  arguments.study.stop = &stop;
  char name[STUDY_PATH];
  snprintf(name, sizeof name, "%s", program->name);
  argv[0] = name; /* argp's messages begin with this name */
  argp_parse(&argp, argc, argv, 0, NULL, &reading);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  int status = carry_out(program, &arguments, &err);
  if (status)
    fprintf(stderr, "%s: %s\n", program->name, err.text[0] ? err.text : hd_status_text(status));
  return status;
}
