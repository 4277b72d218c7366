/* heddle bisect: finds the commit that broke a scenario.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../bisect/bisect.h"
#include "../host/file.h"
#include "../host/install_root.h"
#include "../host/memory.h"
#include "../record/rundb.h"
#include "../render/render.h"
#include "../version.h"
#include "../wrap/wrap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { KEY_DUT = 1000, KEY_SET, KEY_SEED, KEY_MODE, KEY_CYCLES, KEY_CACHE };
enum { OPTIONS = 128 }; /* most words of options for heddle run */

struct arguments {
  struct hd_bisect bisect;
  const char *words[OPTIONS + 1]; /* options of heddle run */
  size_t n_words;
  const char *out;
  char name[64]; /* name of the directory if `out` is not set */
  bool json, quiet;
};

static const struct argp_option options[] = {
    {"good", HD_CLI_TEXT(struct arguments, bisect.good), "REV", 0,
     "name a commit at which the scenario passes", 1},
    {"bad", HD_CLI_TEXT(struct arguments, bisect.bad), "REV", 0,
     "name a later commit at which it fails", 1},
    {"rtl", HD_CLI_TEXT(struct arguments, bisect.rtl_dir), "DIR", 0,
     "use the hd_switch.v in DIR, in its repository, instead of Heddle's own rtl/. DIR may also be "
     "the description of a router (heddle wrap), whose files are beside it or below",
     1},
    {"dut", KEY_DUT, "NAME[:OPTIONS]", 0, "choose the device under test, as for run", 2},
    {"set", KEY_SET, "KEY=VALUE", 0, "set a key of the scenario, as for run; may be repeated", 2},
    {"seed", KEY_SEED, "N", 0, "set the seed of all random numbers", 2},
    {"mode", KEY_MODE, "MODE", 0, "choose decoupled or closed, as for run", 2},
    {"cycles", KEY_CYCLES, "N", 0, "end each run after N cycles at the latest", 2},
    {"cache", KEY_CACHE, "DIR", 0, "keep built backends in DIR", 2},
    {"out", HD_CLI_TEXT(struct arguments, out), "DIR", 0,
     "write the search into DIR (runs/bisect-NAME)", 3},
    {"json", HD_CLI_FLAG(struct arguments, json), NULL, 0, "print the result as JSON", 3},
    {"quiet", 'q', NULL, 0, "do not show progress", 3},
    {0},
};

static const char doc[] = "Finds the commit that broke a scenario: the first commit between a good "
                          "and a bad one whose RTL fails the scenario. Searches the history of the "
                          "RTL's repository. Tests each commit in a directory of its own, and does "
                          "not touch the working tree. Skips commits whose RTL does not build.\v"
                          "The same command continues a search that was interrupted.\n"
                          "\n"
                          "Exit codes: 0 the commit is found; 1 the good commit fails, or the bad "
                          "one passes; 2 bad input; 7 the good or the bad commit cannot be tested; "
                          "125 only commits are left that cannot be tested; 130 interrupted.\n"
                          "\n"
                          "Examples:\n"
                          "  heddle bisect --good v1.0 --bad HEAD --rtl my/rtl small.yaml\n"
                          "  heddle bisect --good HEAD~20 --bad HEAD --json small.yaml --seed 7";

static void forward_option(struct argp_state *state, struct arguments *a, const char *option,
                           const char *value)
{
  if (a->n_words + 2 > OPTIONS)
    argp_error(state, "%s %s: too many options", option, value);
  a->words[a->n_words++] = option;
  a->words[a->n_words++] = value;
}

static const struct hd_cli_store stores[] = {
    HD_CLI_LETTER('q', HD_CLI_FLAG(struct arguments, quiet)), {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct arguments *a = state->input;
  switch (key) {
  case KEY_DUT:
  case KEY_SET:
  case KEY_SEED:
  case KEY_MODE:
  case KEY_CYCLES:
  case KEY_CACHE: {
    static const char *const names[] = {"--dut",  "--set",    "--seed",
                                        "--mode", "--cycles", "--cache"};
    forward_option(state, a, names[key - KEY_DUT], arg);
    return 0;
  }
  case ARGP_KEY_ARG:
  case ARGP_KEY_NO_ARGS:
    hd_cli_single_argument(state, "scenario", "its file", &a->bisect.scenario, arg);
    return 0;
  case ARGP_KEY_END:
    if (!a->bisect.good || !a->bisect.bad)
      argp_error(state, "--good and --bad are needed: a commit at which the scenario passes, and "
                        "one at which it does not");
    return 0;
  default:
    return hd_cli_store(stores, a, key, arg, state);
  }
}

/* ── identity of the search ──────────────────────────────────────────────────── */

/* Adds a hash of the files that the scenario names, and the settings and the device of each run. */
static int identify_files(const struct arguments *a, const char *text, struct hd_text *line,
                          struct hd_error *err)
{
  struct hd_setting settings[OPTIONS / 2];
  struct hd_scenario scenario = {0};
  const char *dut = NULL;
  char *words[OPTIONS / 2] = {0};
  size_t n = 0;
  int status = HD_OK;
  for (size_t i = 0; !status && i + 1 < a->n_words; i += 2) {
    if (!strcmp(a->words[i], "--dut"))
      dut = a->words[i + 1];
    if (strcmp(a->words[i], "--set"))
      continue;
    words[n] = hd_xstrdup(a->words[i + 1]); /* hd_setting_parse cuts it */
    status = hd_setting_parse(words[n], &settings[n], err);
    n++;
  }
  if (!status) {
    status = hd_scenario_read_set(&scenario, text, a->bisect.scenario, settings, n, err);
    if (!status)
      hd_scenario_identify(&scenario, dut, line);
    hd_scenario_fini(&scenario);
  }
  for (size_t i = 0; i < n; i++)
    free(words[i]);
  return status;
}

/* Makes a line that identifies the search: only a search with the same identity uses its results
 * again. */
static int make_identity(const struct arguments *a, struct hd_text *line, struct hd_error *err)
{
  char rtl[PATH_MAX], *text = NULL, *program = NULL;
  size_t length = 0, size = 0;
  int status = hd_file_read(a->bisect.scenario, &text, &length, err);
  if (!status) /* a hash of the program: one version has many builds */
    status = hd_file_read("/proc/self/exe", &program, &size, err);
  if (status) {
    free(text);
    return status;
  }
  if (!realpath(a->bisect.rtl_dir, rtl))
    status = hd_fail(err, HD_E_INPUT, "--rtl %s: there is no such directory", a->bisect.rtl_dir);
  if (!status)
    hd_text_add(line, "heddle bisect %s (%016" PRIx64 "), %s, scenario %016" PRIx64, HD_VERSION,
                hd_hash_bytes(program, size, 0), rtl, hd_hash_bytes(text, length, 0));
  if (!status)
    status = identify_files(a, text, line, err);
  hd_text_add(line, ":");
  for (size_t i = 0; !status && i < a->n_words; i++)
    hd_text_add_option(line, " ", a->words[i]);
  free(text);
  free(program);
  return status;
}

/* Names the directory by a hash of the search, so that the same command continues it. */
static int make_directory(struct arguments *a, const char *identity, char path[PATH_MAX],
                          struct hd_error *err)
{
  if (!a->out) {
    uint64_t hash = hd_hash_bytes(identity, strlen(identity), 1);
    snprintf(a->name, sizeof a->name, "runs/bisect-%08" PRIx32, (uint32_t)(hash ^ hash >> 32));
    mkdir("runs", 0777);
  }
  const char *given = a->out ? a->out : a->name;
  a->bisect.directory_as_given = given;
  int status = hd_directory_belongs(given, HD_BISECT_TESTED, err);
  if (status)
    return status;
  if (mkdir(given, 0777) && errno != EEXIST)
    return hd_fail(err, HD_E_IO, "--out %s: cannot make this directory: %s", given,
                   strerror(errno));
  return realpath(given, path) ? HD_OK
                               : hd_fail(err, HD_E_IO, "--out %s: %s", given, strerror(errno));
}

/* ── the result ──────────────────────────────────────────────────────────────── */

/* Facts about the first bad commit. A text is "" if it is not known. */
struct finding {
  char author[200], date[64], subject[400], inside[400];
  struct hd_text replay;
};

static const char *result_of(const struct hd_rundb_table *table, const char *key)
{
  for (size_t i = 0; i < table->rows; i++) {
    const char *name = hd_rundb_cell(table, i, 0), *value = hd_rundb_cell(table, i, 1);
    if (name && !strcmp(name, key))
      return value;
  }
  return NULL;
}

/* Finds the first wrong state inside the switch in the run's database. */
static void find_inside(const struct hd_bisect *b, const struct hd_bisect_test *t,
                        struct finding *f)
{
  struct hd_rundb_table table = {0};
  struct hd_text path = {0};
  hd_text_add(&path, "%s/%s/run.db", b->directory, t->run);
  if (*t->run && !hd_rundb_table_read(&table, HD_RUNDB_RESULTS, path.chars, NULL)) {
    const char *state = result_of(&table, "first_wrong.state");
    const char *cycle = result_of(&table, "first_wrong.cycle");
    const char *rtl = result_of(&table, "first_wrong.rtl");
    const char *model = result_of(&table, "first_wrong.model");
    if (state && cycle && rtl && model)
      snprintf(f->inside, sizeof f->inside, "%s: RTL %s, model %s in cycle %s", state, rtl, model,
               cycle);
  }
  hd_rundb_table_fini(&table);
  hd_text_fini(&path);
}

static void add_replay(const struct hd_bisect *b, const struct hd_bisect_test *t,
                       struct hd_text *text)
{
  struct hd_text path = {0};
  hd_text_add(text, "heddle replay ");
  hd_text_add(&path, "%s/%s", b->directory_as_given, t->run);
  hd_text_add_word(text, hd_text_chars(&path));
  hd_text_fini(&path);
  hd_text_add(text, " --rtl ");
  hd_text_add(&path, "%s/first-bad/%s%s", b->directory_as_given, b->repository.prefix,
              b->description ? b->description : "");
  if (path.length && path.chars[path.length - 1] == '/')
    path.chars[--path.length] = '\0';
  hd_text_add_word(text, hd_text_chars(&path));
  hd_text_fini(&path);
}

static void find_out(const struct hd_bisect *b, struct finding *f)
{
  const struct hd_bisect_test *t = &b->tests[b->first_bad];
  hd_repository_show(&b->repository, t->commit, "%an <%ae>", f->author, sizeof f->author, NULL);
  hd_repository_show(&b->repository, t->commit, "%ad", f->date, sizeof f->date, NULL);
  hd_repository_show(&b->repository, t->commit, "%s", f->subject, sizeof f->subject, NULL);
  find_inside(b, t, f);
  add_replay(b, t, &f->replay);
}

static const char *const result_names[] = {"good", "bad", "skipped"};

/* A bug may have been mended, and another one come later. The search then ends at either. */
static bool fails_otherwise(const struct hd_bisect *b)
{
  return strcmp(b->tests[b->first_bad].why, b->tests[b->given_bad].why) != 0;
}

static void add_text(const struct hd_bisect *b, const struct finding *f, struct hd_text *text)
{
  size_t skipped = 0;
  for (size_t i = 0; i < b->n_tests; i++)
    skipped += b->tests[i].result == HD_BISECT_SKIPPED;
  if (b->found) {
    const struct hd_bisect_test *t = &b->tests[b->first_bad];
    hd_text_add(text, "first bad commit: %s\n", t->commit);
    hd_text_add(text, "  author              %s\n  date                %s\n", f->author, f->date);
    hd_text_add(text, "  subject             %s\n  it fails            %s\n", f->subject, t->why);
    if (*f->inside)
      hd_text_add(text, "  first wrong inside  %s\n", f->inside);
    hd_text_add(text, "  again               %s\n", hd_text_chars(&f->replay));
    if (fails_otherwise(b))
      hd_text_add(text,
                  "  --bad fails         %s\n"
                  "                      If this is another bug, and a commit between the two "
                  "passes, search from there: --good THAT_COMMIT\n",
                  b->tests[b->given_bad].why);
  } else if (b->n_candidates) {
    hd_text_add(text, "the first bad commit is one of\n");
    for (size_t i = 0; i < b->n_candidates; i++)
      hd_text_add(text, "  %s\n", b->candidates[i]);
  }
  hd_text_add(text, "%s tested, %zu skipped; %s\n", hd_count(b->n_tests, "commit").text, skipped,
              b->directory_as_given);
}

#define TEST_COLUMNS(X)                                     \
  X("commit", TEXT, NULL, t->commit, true)                  \
  X("result", WORD, NULL, result_names[t->result], true)    \
  X("exit_code", COUNT, NULL, (uint64_t)t->exit_code, true) \
  X("message", TEXT, NULL, t->why, true)

#define FOUND_COLUMNS(X)                                    \
  X("commit", TEXT, NULL, t->commit, true)                  \
  X("author", TEXT, NULL, f->author, true)                  \
  X("date", TEXT, NULL, f->date, true)                      \
  X("subject", TEXT, NULL, f->subject, true)                \
  X("exit_code", COUNT, NULL, (uint64_t)t->exit_code, true) \
  X("message", TEXT, NULL, t->why, true)                    \
  X("first_wrong", TEXT, NULL, f->inside, true)             \
  X("bad_message", TEXT, NULL, bad->why, true)              \
  X("replay", TEXT, NULL, hd_text_chars(&f->replay), true)

static json_t *json_of(const struct hd_bisect *b, const struct finding *f)
{
  static const struct hd_column tests[] = {TEST_COLUMNS(HD_PLAIN_COLUMN)},
                                found[] = {FOUND_COLUMNS(HD_PLAIN_COLUMN)};
  json_t *json =
             json_pack("{s:b,s:o}", "found", b->found, "directory", hd_json_string(b->directory)),
         *candidates = json_array(), *tested = json_array();
  if (b->found) {
    const struct hd_bisect_test *t = &b->tests[b->first_bad], *bad = &b->tests[b->given_bad];
    json_object_set_new(json, "first_bad",
                        hd_json_row(HD_COLUMNS(found), HD_PLAIN_ROW(FOUND_COLUMNS)));
  }
  for (size_t i = 0; i < b->n_candidates; i++)
    json_array_append_new(candidates, hd_json_string(b->candidates[i]));
  for (const struct hd_bisect_test *t = b->tests; t < b->tests + b->n_tests; t++)
    json_array_append_new(tested, hd_json_row(HD_COLUMNS(tests), HD_PLAIN_ROW(TEST_COLUMNS)));
  json_object_set_new(json, "candidates", candidates);
  json_object_set_new(json, "tested", tested);
  return json;
}

/* Writes the result to standard output and bisect.json. */
static int write_result(const struct arguments *a, struct hd_error *err)
{
  const struct hd_bisect *b = &a->bisect;
  struct hd_text json = {0}, text = {0};
  struct finding f = {0};
  if (b->found)
    find_out(b, &f);
  int status = hd_json_add(json_of(b, &f), 0, &json, err);
  add_text(b, &f, &text);
  if (!status)
    hd_cli_print_escaped(stdout, a->json ? json.chars : text.chars);
  if (!status)
    status = hd_text_write(b->directory, "bisect.json", &json, err);
  hd_text_fini(&text);
  hd_text_fini(&f.replay);
  return status;
}

static bool stop(void *context)
{
  (void)context;
  return hd_cli_stopped();
}

static void say(void *context, const char *line)
{
  (void)context;
  hd_cli_print_escaped(stderr, line);
  fputc('\n', stderr);
}

static int exit_code(int status, const struct hd_bisect *b, const struct hd_error *err)
{
  if (!status)
    return HD_EXIT_OK;
  int code = hd_cli_fail(status, err);
  if (status == HD_E_INTERRUPTED && b->n_tests)
    fprintf(stderr,
            "heddle: %s tested so far, results in %s; the same command continues the search\n",
            hd_count(b->n_tests, "commit").text, b->directory_as_given);
  return status == HD_E_UNSUPPORTED ? HD_EXIT_SKIP
         : status == HD_E_BUDGET    ? HD_EXIT_DIFFERENT
                                    : code;
}

/* If --rtl names a description of a router, splits it into directory and file: the directory is
 * searched. */
static void split_description(struct hd_bisect *b, char directory[PATH_MAX])
{
  if (!hd_wrap_is_description(b->rtl_dir))
    return;
  const char *slash = strrchr(b->rtl_dir, '/');
  b->description = slash ? slash + 1 : b->rtl_dir;
  snprintf(directory, PATH_MAX, "%.*s", slash ? (int)(slash - b->rtl_dir) : 1,
           slash ? b->rtl_dir : ".");
  b->rtl_dir = directory;
}

int hd_cmd_bisect(int argc, char **argv)
{
  static const struct argp_child children[] = {{&hd_cli_verilator_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .args_doc = "SCENARIO",
                                   .doc = doc,
                                   .children = children};
  struct arguments a = {0};
  struct hd_text identity = {0};
  struct hd_error err = {""}, later = {""};
  char directory[PATH_MAX], rtl[PATH_MAX];
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  hd_cli_catch_signals();
  int status = HD_OK;
  if (!a.bisect.rtl_dir) {
    status = hd_install_root(rtl, sizeof rtl - 4, &err);
    if (!status)
      a.bisect.rtl_dir = strcat(rtl, "/rtl");
  } else {
    split_description(&a.bisect, rtl);
  }
  if (!status)
    status = make_identity(&a, &identity, &err);
  if (!status)
    status = make_directory(&a, hd_text_chars(&identity), directory, &err);
  a.bisect.identity = hd_text_chars(&identity);
  a.bisect.directory = directory;
  a.bisect.options = a.words;
  a.bisect.stop = stop;
  a.bisect.say = a.quiet ? NULL : say;
  if (!status) {
    status = hd_bisect(&a.bisect, &err);
    int told = a.bisect.n_tests ? write_result(&a, &later) : HD_OK;
    if (told && !status)
      status = hd_fail(&err, told, "%s", later.text);
  }
  int code = exit_code(status, &a.bisect, &err);
  hd_bisect_fini(&a.bisect);
  hd_text_fini(&identity);
  return code;
}
