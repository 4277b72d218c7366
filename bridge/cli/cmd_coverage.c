/* heddle coverage RUNS…: shows what runs did not exercise of the specification, or execute of the RTL.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../campaign/campaign.h"
#include "../coverage/coverage_set.h"
#include "../coverage/rtl_coverage.h"
#include "../host/file.h"
#include "../host/install_root.h"
#include "../host/memory.h"
#include "../host/text.h"
#include "../page/coverage_page.h"
#include "../record/rundb.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char doc[] =
    "Counts how often all these runs together exercised each point of the specification: a rule, a "
    "row of a table, a tie-break, a way to an error. RUN is the directory of a run, its run.db, or "
    "a directory of runs, of a sweep or of a check. If the runs had --coverage, it also counts "
    "lines, branches and bits of the RTL.\v"
    "A hole is a point that the switches of some run could have exercised, but that no run "
    "exercised. "
    "docs/coverage.md lists all points.\n"
    "\n"
    "--out writes coverage.html (the source of the RTL with counts), rtl/*.v (the same as text), "
    "coverage.json, points.csv, rtl.csv and coverage.info (for lcov).\n"
    "\n"
    "Examples:\n"
    "  heddle coverage runs/mesh-8x8-uniform-1\n"
    "  heddle coverage --holes runs\n"
    "  heddle coverage --json runs/*/run.db\n"
    "  heddle run small.yaml --coverage --out runs/covered\n"
    "  heddle coverage runs/covered --out coverage";

struct choice {
  struct hd_coverage_set set;
  struct hd_rtl_coverage rtl;
  char *rtl_dir; /* directory of the RTL of the first run with counts; NULL: the installed one */
  bool json, csv, holes, bits, markdown;
  const char *out;
  char **runs;
  int n;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  switch (key) {
  case ARGP_KEY_ARGS:
    choice->runs = state->argv + state->next;
    choice->n = state->argc - state->next;
    return 0;
  case ARGP_KEY_END:
    if (choice->json && choice->csv)
      argp_error(state, "--csv and --json exclude each other; give one");
    if (!choice->n && !choice->markdown)
      argp_error(state, "no run is given; give its directory");
    return 0;
  default:
    return hd_cli_store(NULL, choice, key, arg, state);
  }
}

static bool is_there(const char *directory, const char *name, struct hd_text *path)
{
  struct stat st;
  hd_text_fini(path);
  hd_text_add(path, "%s/%s", directory, name);
  return !stat(path->chars, &st);
}

struct source_of {
  struct hd_rtl_coverage *rtl;
  const char *run;
};

static int add_source(void *context, const char *name, uint64_t hash, struct hd_error *err)
{
  const struct source_of *of = context;
  return hd_rtl_coverage_source(of->rtl, name, hash, of->run, err);
}

/* Adds the run's counts of executed RTL, if it has any. */
static int add_rtl(struct choice *choice, const struct hd_rundb_info *info, struct hd_error *err)
{
  struct source_of of = {&choice->rtl, info->path};
  struct stat st;
  char *path = hd_file_beside(info->path, HD_RTL_COVERAGE_FILE);
  int status = HD_OK;
  if (!stat(path, &st)) {
    if (!choice->rtl.runs && info->rtl_dir)
      choice->rtl_dir = hd_xstrdup(info->rtl_dir);
    status = hd_rtl_coverage_read(&choice->rtl, path, err);
    if (!status)
      status = hd_rundb_rtl_each(info, add_source, &of, err);
  }
  free(path);
  return status;
}

static int add_run(struct choice *choice, const char *run, struct hd_error *err)
{
  struct hd_rundb_info info;
  int status = hd_rundb_read(&info, run, err);
  if (!status)
    status = hd_rundb_coverage_read(&choice->set, &info, err);
  if (!status)
    status = add_rtl(choice, &info, err);
  hd_rundb_info_fini(&info);
  return status;
}

/* Adds the runs of a directory. */
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

static int add_task(void *context, const struct hd_task *task,
                    const struct hd_task_outcome *outcome, struct hd_error *err)
{
  const struct hd_value *word = hd_task_outcome_find(outcome, "coverage");
  (void)task;
  (void)err;
  if (word && word->type == HD_VALUE_TEXT)
    hd_coverage_add_word(context, word->text);
  return HD_OK;
}

/* Adds the runs of a sweep or a check, which have no directories of their own. */
static int add_campaign(struct choice *choice, const char *directory, struct hd_error *err)
{
  uint32_t before = choice->set.runs;
  int status = hd_campaign_each(directory, add_task, &choice->set, err);
  if (!status && choice->set.runs == before)
    status = hd_fail(err, HD_E_INPUT, "%s: none of its runs counted points of the specification",
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
    if (directory && is_there(choice->runs[i], "campaign.db", &path))
      status = add_campaign(choice, choice->runs[i], err);
    else if (directory && !is_there(choice->runs[i], "run.db", &path))
      status = add_runs(choice, choice->runs[i], err);
    else
      status = add_run(choice, choice->runs[i], err);
  }
  hd_text_fini(&path);
  return status;
}

static int finish_rtl(struct choice *choice, struct hd_error *err)
{
  char root[PATH_MAX], installed[PATH_MAX + 8];
  int status = hd_rtl_coverage_finish(&choice->rtl, err);
  if (!status && !choice->rtl_dir)
    status = hd_install_root(root, sizeof root, err);
  if (status)
    return status;
  snprintf(installed, sizeof installed, "%s/rtl", choice->rtl_dir ? "" : root);
  hd_rtl_coverage_read_sources(&choice->rtl, choice->rtl_dir ? choice->rtl_dir : installed);
  return HD_OK;
}

static int add_json(const struct choice *choice, struct hd_text *text, struct hd_error *err)
{
  json_t *json = hd_coverage_json(&choice->set, choice->holes);
  if (choice->rtl.runs)
    json_object_set_new(json, "rtl", hd_rtl_coverage_json(&choice->rtl));
  return hd_json_add(json, 0, text, err);
}

static void add_text(const struct choice *choice, struct hd_text *text)
{
  hd_coverage_table(&choice->set, choice->holes, text);
  if (!choice->rtl.runs)
    return;
  hd_text_add(text, "\n");
  hd_rtl_coverage_table(&choice->rtl, choice->bits, text);
  if (choice->out)
    hd_text_add(text, "%s/coverage.html shows it on the source\n", choice->out);
}

/* ── files ─────────────────────────────────────────────────────────────────── */

/* Writes a source with its counts as a file of one directory. Characters in its name that would
 * lead to another directory are written as in a URL. */
static int write_source(const struct choice *choice, const struct hd_rtl_file *file,
                        struct hd_error *err)
{
  struct hd_text text = {0}, name = {0};
  hd_text_add(&name, "rtl/");
  for (const char *c = file->name; *c; c++)
    hd_text_add(&name, *c == '/' || *c == '%' || (*c == '.' && c == file->name) ? "%%%02X" : "%c",
                (unsigned char)*c);
  hd_rtl_coverage_annotate(&choice->rtl, file, &text);
  int status = hd_text_write(choice->out, name.chars, &text, err);
  hd_text_fini(&text);
  hd_text_fini(&name);
  return status;
}

static int write_rtl(const struct choice *choice, struct hd_error *err)
{
  struct hd_text text = {0}, path = {0};
  char root[PATH_MAX];
  const char *rtl_dir = choice->rtl_dir;
  hd_text_add(&path, "%s/rtl", choice->out);
  int status = HD_OK;
  if (mkdir(path.chars, 0777) && errno != EEXIST)
    status = hd_fail(err, HD_E_IO, "%s: %s", path.chars, strerror(errno));
  for (size_t i = 0; !status && i < choice->rtl.n_files; i++)
    if (choice->rtl.files[i].text)
      status = write_source(choice, &choice->rtl.files[i], err);
  hd_rtl_coverage_csv(&choice->rtl, &text);
  if (!status)
    status = hd_text_write(choice->out, "rtl.csv", &text, err);
  if (!status && !rtl_dir) {
    status = hd_install_root(root, sizeof root - 4, err);
    if (!status)
      rtl_dir = strcat(root, "/rtl");
  }
  if (!status) {
    hd_rtl_coverage_lcov(&choice->rtl, rtl_dir, &text);
    status = hd_text_write(choice->out, "coverage.info", &text, err);
  }
  hd_text_fini(&text);
  hd_text_fini(&path);
  return status;
}

static int write_files(const struct choice *choice, struct hd_error *err)
{
  static const char *const files[] = {"points.csv", "rtl.csv", "coverage.info", "coverage.html",
                                      NULL};
  struct hd_text text = {0}, page = {0};
  int spares = hd_directory_spares(choice->out, "coverage.json", files, err);
  if (spares)
    return spares;
  if (mkdir(choice->out, 0777) && errno != EEXIST)
    return hd_fail(err, HD_E_IO, "--out %s: cannot make this directory: %s", choice->out,
                   strerror(errno));
  int status = add_json(choice, &text, err);
  if (!status)
    status = hd_text_write(choice->out, "coverage.json", &text, err);
  hd_coverage_csv(&choice->set, choice->holes, &text);
  if (!status)
    status = hd_text_write(choice->out, "points.csv", &text, err);
  hd_text_fini(&text);
  if (status || !choice->rtl.runs)
    return status;
  status = write_rtl(choice, err);
  hd_text_add(&page, "%s/coverage.html", choice->out);
  if (!status)
    status = hd_coverage_page_write(&choice->set, &choice->rtl, page.chars, err);
  hd_text_fini(&page);
  return status;
}

int hd_cmd_coverage(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"holes", HD_CLI_FLAG(struct choice, holes), NULL, 0,
       "list only points that were not exercised but could have been", 0},
      {"json", HD_CLI_FLAG(struct choice, json), NULL, 0, "print JSON", 0},
      {"csv", HD_CLI_FLAG(struct choice, csv), NULL, 0, "print CSV", 0},
      {"bits", HD_CLI_FLAG(struct choice, bits), NULL, 0,
       "list signals with bits that never changed, too", 0},
      {"out", HD_CLI_TEXT(struct choice, out), "DIR", 0, "write files into DIR, too", 0},
      {"markdown", HD_CLI_FLAG(struct choice, markdown), NULL, 0,
       "print the table of docs/coverage.md, without runs", 0},
      {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "RUN...", .doc = doc};
  struct choice choice = {0};
  struct hd_text text = {0};
  struct hd_error err = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  int status = add_all(&choice, &err);
  if (!status && choice.rtl.runs)
    status = finish_rtl(&choice, &err);
  if (!status && choice.out)
    status = write_files(&choice, &err);
  if (!status && choice.markdown)
    hd_coverage_markdown(&text);
  else if (!status && choice.csv)
    hd_coverage_csv(&choice.set, choice.holes, &text);
  else if (!status && choice.json)
    status = add_json(&choice, &text, &err);
  else if (!status)
    add_text(&choice, &text);
  if (!status)
    hd_cli_print_escaped(stdout, hd_text_chars(&text));
  hd_text_fini(&text);
  hd_rtl_coverage_fini(&choice.rtl);
  free(choice.rtl_dir);
  return status ? hd_cli_fail(status, &err) : HD_EXIT_OK;
}
