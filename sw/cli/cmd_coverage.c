/* heddle coverage RUNS…: what runs did not exercise of the specification.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../../bridge/coverage/coverage_set.h"
#include "../../bridge/host/text.h"
#include "../../bridge/record/rundb.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char doc[] =
    "Says how often runs came by each rule, row, tie-break and way to an error of chapters 2, 3, 7 "
    "and 8 of the specification, all runs together. A RUN is the directory of a run, its run.db, "
    "or a "
    "directory of runs.\v"
    "A hole is a point that some of the runs could have reached, by the parameters of its "
    "switches, "
    "and none did. docs/coverage.md lists all points.\n"
    "\n"
    "Examples:\n"
    "  heddle coverage runs/mesh-8x8-uniform-1\n"
    "  heddle coverage --holes runs\n"
    "  heddle coverage --json runs/*/run.db";

enum { KEY_JSON = 256, KEY_CSV, KEY_HOLES, KEY_MARKDOWN };

struct choice {
  struct hd_coverage_set set;
  bool json, csv, holes, markdown;
  char **runs;
  int n;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  (void)arg;
  switch (key) {
  case KEY_JSON:
    choice->json = true;
    return 0;
  case KEY_CSV:
    choice->csv = true;
    return 0;
  case KEY_HOLES:
    choice->holes = true;
    return 0;
  case KEY_MARKDOWN:
    choice->markdown = true;
    return 0;
  case ARGP_KEY_ARGS:
    choice->runs = state->argv + state->next;
    choice->n = state->argc - state->next;
    return 0;
  case ARGP_KEY_END:
    if (choice->json && choice->csv)
      argp_error(state, "--json and --csv are two formats; choose one");
    if (!choice->n && !choice->markdown)
      argp_error(state, "runs are needed; give their directories");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static bool is_there(const char *directory, const char *name, struct hd_text *path)
{
  struct stat st;
  hd_text_fini(path);
  hd_text_add(path, "%s/%s", directory, name);
  return !path->failed && !stat(path->chars, &st);
}

static int add_run(struct choice *choice, const char *run, struct hd_error *err)
{
  struct hd_rundb_info info;
  int status = hd_rundb_read(&info, run, err);
  if (!status)
    status = hd_rundb_coverage_read(&choice->set, &info, err);
  hd_rundb_info_fini(&info);
  return status;
}

/* The runs of a directory. */
static int add_runs(struct choice *choice, const char *directory, struct hd_error *err)
{
  struct dirent **names;
  struct hd_text run = {0}, database = {0};
  int status = HD_OK, n = scandir(directory, &names, NULL, alphasort);
  if (n < 0)
    return hd_fail(err, HD_E_IO, "%s: cannot be read", directory);
  uint32_t before = choice->set.runs;
  for (int i = 0; i < n; i++) {
    if (!status && names[i]->d_name[0] != '.' && is_there(directory, names[i]->d_name, &run) &&
        is_there(run.chars, "run.db", &database))
      status = add_run(choice, run.chars, err);
    free(names[i]);
  }
  free(names);
  hd_text_fini(&run);
  hd_text_fini(&database);
  if (!status && choice->set.runs == before)
    status = hd_fail(err, HD_E_INPUT,
                     "%s: there is no run in it; a run is a directory that heddle run made, or its "
                     "run.db",
                     directory);
  return status;
}

static int add_all(struct choice *choice, struct hd_error *err)
{
  struct hd_text path = {0};
  int status = HD_OK;
  for (int i = 0; !status && i < choice->n; i++) {
    struct stat st;
    bool directory = !stat(choice->runs[i], &st) && S_ISDIR(st.st_mode);
    if (directory && !is_there(choice->runs[i], "run.db", &path))
      status = add_runs(choice, choice->runs[i], err);
    else
      status = add_run(choice, choice->runs[i], err);
  }
  hd_text_fini(&path);
  return status;
}

int hd_cmd_coverage(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"holes", KEY_HOLES, NULL, 0, "list only what was not exercised, but could have been", 0},
      {"json", KEY_JSON, NULL, 0, "as JSON", 0},
      {"csv", KEY_CSV, NULL, 0, "as CSV", 0},
      {"markdown", KEY_MARKDOWN, NULL, 0, "the table of docs/coverage.md, without runs", 0},
      {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "RUN...", .doc = doc};
  struct choice choice = {0};
  struct hd_text text = {0};
  struct hd_error err = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  int status = add_all(&choice, &err);
  if (!status && choice.markdown)
    hd_coverage_markdown(&text);
  else if (!status && choice.csv)
    hd_coverage_csv(&choice.set, choice.holes, &text);
  else if (!status && choice.json)
    hd_coverage_json(&choice.set, choice.holes, &text);
  else if (!status)
    hd_coverage_table(&choice.set, choice.holes, &text);
  if (!status && text.failed)
    status = hd_fail(&err, HD_E_NOMEM, "coverage: out of memory");
  if (!status)
    hd_cli_put(stdout, hd_text_chars(&text));
  hd_text_fini(&text);
  return status ? hd_cli_fail(status, &err) : HD_EXIT_OK;
}
