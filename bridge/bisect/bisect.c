/* Searches the history of the RTL for the commit that broke a scenario.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Git names the commit that halves the remaining ones best, merges included. Its files go into a
 * directory inside the search's. `heddle run` is a process of its own, whose exit code decides. The
 * result of each commit is written at once, so that an interrupted search can continue.
 *
 *   DIRECTORY/tested     a line with the identity of the search, then a line for each commit
 *   DIRECTORY/COMMIT/    the run of a commit, and its output in COMMIT.log
 *   DIRECTORY/tree/      the files of the commit under test
 *   DIRECTORY/first-bad/ at the end, the files of the first bad commit
 */
#include "bisect.h"

#include "../cli/exit_codes.h"

#include "../host/directory_lock.h"
#include "../host/file.h"
#include "../host/memory.h"
#include "../host/text.h"
#include "../host/tool_run.h"
#include "../record/rundb.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME = 12 }; /* digits of a commit in names and messages */

static void report_line(const struct hd_bisect *b, const struct hd_text *line)
{
  if (b->say)
    b->say(b->context, hd_text_chars(line));
}

/* Writes the path of a file in the search's directory. prepare() has checked its length. */
static void path_of(const struct hd_bisect *b, char path[PATH_MAX], const char *name,
                    const char *end)
{
  snprintf(path, PATH_MAX, "%.*s/%.100s%.20s", PATH_MAX - 128, b->directory, name, end);
}

/* ── the file of tested commits ────────────────────────────────────────────── */

static struct hd_bisect_test *find_test(const struct hd_bisect *b, const char *commit)
{
  for (size_t i = 0; i < b->n_tests; i++)
    if (!strcmp(b->tests[i].commit, commit))
      return &b->tests[i];
  return NULL;
}

static void add_test(struct hd_bisect *b, const struct hd_bisect_test *test)
{
  HD_XROOM(b->tests, b->capacity, b->n_tests, 1);
  b->tests[b->n_tests++] = *test;
}

static int append_test(const struct hd_bisect *b, const struct hd_bisect_test *t,
                       struct hd_error *err)
{
  char path[PATH_MAX];
  path_of(b, path, HD_BISECT_TESTED, "");
  FILE *file = fopen(path, "ae");
  bool failed = !file || fprintf(file, "%s %s %d %d %s %s\n", t->commit, *t->tree ? t->tree : "-",
                                 (int)t->result, t->exit_code, *t->run ? t->run : "-", t->why) < 0;
  if ((file && fclose(file)) || failed)
    return hd_fail(err, HD_E_IO, "%s: %s", path, strerror(errno));
  return HD_OK;
}

/* Reads a line of the file. Returns false if the line is not a test. */
static bool read_test(const char *line, struct hd_bisect_test *t)
{
  int result = 0, end = 0;
  *t = (struct hd_bisect_test){0};
  _Static_assert(HD_REPOSITORY_ID == 72, "the widths below");
  if (sscanf(line, "%71s %71s %d %d %71s%n", t->commit, t->tree, &result, &t->exit_code, t->run,
             &end) != 5 ||
      line[end] != ' ' || result < HD_BISECT_GOOD || result > HD_BISECT_SKIPPED)
    return false;
  t->result = (enum hd_bisect_result)result;
  if (!strcmp(t->tree, "-"))
    t->tree[0] = '\0';
  if (!strcmp(t->run, "-"))
    t->run[0] = '\0';
  snprintf(t->why, sizeof t->why, "%.*s", (int)strcspn(line + end + 1, "\n"), line + end + 1);
  return true;
}

/* Tests whether a commit that was skipped should run again. Its run may have failed because of
 * the machine, not of the RTL. */
static bool may_succeed_later(const struct hd_bisect_test *t)
{
  return t->result == HD_BISECT_SKIPPED && t->exit_code;
}

/* Reads the results of an earlier search, or begins the file. */
static int read_tests(struct hd_bisect *b, struct hd_error *err)
{
  struct hd_bisect_test t;
  char path[PATH_MAX], *text = NULL;
  size_t length = 0, n = strlen(b->identity);
  path_of(b, path, HD_BISECT_TESTED, "");
  if (access(path, F_OK)) {
    struct hd_text line = {0};
    hd_text_add(&line, "%s\n", b->identity);
    return hd_text_write(NULL, path, &line, err);
  }
  int status = hd_file_read(path, &text, &length, err);
  if (!status && (strncmp(text, b->identity, n) != 0 || text[n] != '\n'))
    status = hd_fail(err, HD_E_INPUT,
                     "--out %s: another search is in it; choose another directory, or remove it",
                     b->directory_as_given);
  if (!status) { /* an interrupted write may have left a last line without its end */
    length = (size_t)(strrchr(text, '\n') - text) + 1;
    text[length] = '\0';
    if (truncate(path, (off_t)length))
      status = hd_fail(err, HD_E_IO, "%s: %s", path, strerror(errno));
  }
  for (char *line = status ? NULL : text + n + 1, *next; line && (next = strchr(line, '\n'));
       line = next + 1)
    if (read_test(line, &t) && !may_succeed_later(&t) && !find_test(b, t.commit) && !status)
      add_test(b, &t);
  free(text);
  return status;
}

/* ── one commit ────────────────────────────────────────────────────────────── */

/* Takes the message of heddle run from its log: the last line that begins with "heddle: ", and
 * the lines after it. */
static void read_log_message(const char *log, char *why, size_t size)
{
  char *text = NULL;
  size_t length = 0;
  if (hd_file_read(log, &text, &length, NULL))
    return;
  const char *said = NULL;
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
    if (!strncmp(line, "heddle: ", 8))
      said = line + 8;
  snprintf(why, size, "%s", said ? said : "it said nothing");
  for (char *c = why; *c; c++)
    if (*c == '\n')
      *c = c[1] ? ' ' : '\0';
  free(text);
}

/* Writes the path of the RTL of the commit under test; "" if the commit does not have it. */
static void rtl_of(const struct hd_bisect *b, const char *tree, char path[2 * PATH_MAX])
{
  char switch_v[2 * PATH_MAX + 256];
  snprintf(path, 2 * PATH_MAX, "%s/%s", tree, b->repository.prefix);
  snprintf(switch_v, sizeof switch_v, "%s/%.200s", path,
           b->description ? b->description : "hd_switch.v");
  if (access(switch_v, F_OK))
    path[0] = '\0';
}

/* Judges the RTL by the exit code of heddle run. */
static int judge_exit_code(struct hd_bisect_test *t, struct hd_error *err)
{
  switch (t->exit_code) {
  case HD_EXIT_OK:
    t->result = HD_BISECT_GOOD;
    t->why[0] = '\0';
    return HD_OK;
  case HD_EXIT_IO:
    return hd_fail(err, HD_E_IO, "commit %.*s: %s", NAME, t->commit, t->why);
  case HD_EXIT_INTERRUPTED:
    return hd_fail(err, HD_E_INTERRUPTED, "interrupted");
  case HD_EXIT_DIVERGENCE:
  case HD_EXIT_BUDGET:
  case HD_EXIT_DEADLOCK:
  case HD_EXIT_SOFTWARE:
  case HD_EXIT_FAULT:
  case HD_EXIT_INVARIANT:
    t->result = HD_BISECT_BAD;
    return HD_OK;
  default: /* for example nothing was compared, which says nothing about the RTL */
    t->result = HD_BISECT_SKIPPED;
    return HD_OK;
  }
}

static int run_scenario(const struct hd_bisect *b, const char *rtl, struct hd_bisect_test *t,
                        struct hd_error *err)
{
  struct hd_text described = {0};
  hd_text_add(&described, "%s%s%s", rtl, b->description ? "/" : "",
              b->description ? b->description : "");
  const char *argv[160] = {"/proc/self/exe", "run",   b->scenario,
                           "--no-html",      "--rtl", described.chars};
  char out[PATH_MAX], log[PATH_MAX];
  size_t n = 6;
  path_of(b, out, t->run, "");
  path_of(b, log, t->run, ".log");
  argv[n++] = "--out";
  argv[n++] = out;
  for (const char *const *o = b->options; *o && n + 1 < sizeof argv / sizeof *argv; o++)
    argv[n++] = *o;
  const struct hd_tool tool = {
      .argv = argv, .package = "heddle", .log_path = log, .stop = b->stop, .context = b->context};
  struct hd_error why = {""};
  /* An interrupted search may have left files here. */
  int status = hd_tree_remove(out, err);
  unlink(log);
  if (status) {
    hd_text_fini(&described);
    return status;
  }
  status = hd_tool_run(&tool, &t->exit_code, &why);
  hd_text_fini(&described);
  if (status == HD_E_TOOL) { /* a signal ended heddle run */
    t->exit_code = HD_EXIT_INTERNAL;
    snprintf(t->why, sizeof t->why, "%.300s", why.text);
  } else if (status) {
    return hd_fail(err, status, "%s", why.text);
  } else if (t->exit_code) {
    read_log_message(log, t->why, sizeof t->why);
  }
  return judge_exit_code(t, err);
}

/* Finds a test of the same RTL, whose result holds for this commit, too. Tests of RTL that reads
 * files outside of its directory are not used, because its tree does not contain all that it
 * depends on. */
static const struct hd_bisect_test *same_rtl(const struct hd_bisect *b, const char *tree)
{
  for (size_t i = 0; *tree && i < b->n_tests; i++)
    if (!strcmp(b->tests[i].tree, tree))
      return &b->tests[i];
  return NULL;
}

static int is_outside(void *context, const char *name, uint64_t hash, struct hd_error *err)
{
  (void)hash;
  (void)err;
  *(bool *)context |= *name == '/' || !strncmp(name, "../", 3);
  return HD_OK;
}

static bool reads_outside(const struct hd_bisect *b, const struct hd_bisect_test *t)
{
  char run[PATH_MAX];
  struct hd_rundb_info info = {0};
  bool outside = false;
  path_of(b, run, t->run, "");
  if (hd_rundb_read(&info, run, NULL) || hd_rundb_rtl_each(&info, is_outside, &outside, NULL))
    outside = true; /* Git does not track these files */
  hd_rundb_info_fini(&info);
  return outside;
}

static int build_and_run(struct hd_bisect *b, struct hd_bisect_test *t, struct hd_error *err)
{
  char tree[PATH_MAX], rtl[2 * PATH_MAX];
  path_of(b, tree, "tree", "");
  int status = hd_tree_remove(tree, err);
  if (!status)
    status = hd_repository_extract(&b->repository, t->commit, tree, b->stop, b->context, err);
  if (!status) {
    rtl_of(b, tree, rtl);
    snprintf(t->run, sizeof t->run, "%.*s", NAME, t->commit);
    if (*rtl)
      status = run_scenario(b, rtl, t, err);
  }
  if (!status && !*rtl) {
    t->result = HD_BISECT_SKIPPED;
    t->run[0] = '\0';
    snprintf(t->why, sizeof t->why, "there is no %.80s in %.280s",
             b->description ? b->description : "hd_switch.v",
             *b->repository.prefix ? b->repository.prefix : "it");
  }
  if (!status && *t->run && reads_outside(b, t))
    t->tree[0] = '\0';
  int removed = hd_tree_remove(tree, status ? NULL : err);
  return status ? status : removed;
}

static void report_result(const struct hd_bisect *b, const struct hd_bisect_test *t,
                          const char *how)
{
  static const char *const words[] = {"good", "bad", "skipped"};
  struct hd_text line = {0};
  hd_text_add(&line, "  %s%s%s%s", words[t->result], how, *t->why ? ": " : "", t->why);
  report_line(b, &line);
  hd_text_fini(&line);
}

/* Tests a commit, unless it has been tested. *result is valid until the next call. */
static int test_commit(struct hd_bisect *b, const char *commit, const char *what,
                       const struct hd_bisect_test **result, struct hd_error *err)
{
  struct hd_bisect_test t = {0};
  struct hd_text line = {0};
  char subject[200] = "";
  *result = find_test(b, commit);
  if (*result)
    return HD_OK;
  snprintf(t.commit, sizeof t.commit, "%s", commit);
  int status = hd_repository_show(&b->repository, commit, "%s", subject, sizeof subject, NULL);
  if (status == HD_E_INTERRUPTED || b->stop(b->context))
    return hd_fail(err, HD_E_INTERRUPTED, "interrupted");
  hd_text_add(&line, "%s%.*s %s", what, NAME, commit, subject);
  report_line(b, &line);
  hd_text_fini(&line);
  status = hd_repository_tree(&b->repository, commit, t.tree, err);
  if (status)
    return status;
  const struct hd_bisect_test *same = same_rtl(b, t.tree);
  if (same) {
    t = *same;
    snprintf(t.commit, sizeof t.commit, "%s", commit);
  } else {
    status = build_and_run(b, &t, err);
  }
  if (!status)
    status = append_test(b, &t, err);
  if (!status)
    add_test(b, &t);
  if (status)
    return status;
  report_result(b, &t, same ? " (the RTL of a commit before)" : "");
  *result = &b->tests[b->n_tests - 1];
  return HD_OK;
}

/* ── the search ────────────────────────────────────────────────────────────── */

static void forget_candidates(struct hd_bisect *b)
{
  for (size_t i = 0; i < b->n_candidates; i++)
    free(b->candidates[i]);
  free(b->candidates);
  b->candidates = NULL;
  b->n_candidates = 0;
}

/* Lists the good commits in the history of `bad`. A good commit after `bad`, in which the bug
 * was fixed, says nothing about where it began. */
static int find_good(const struct hd_bisect *b, const char *bad, const char **good, size_t *n,
                     struct hd_error *err)
{
  int status = HD_OK;
  *n = 0;
  for (size_t i = 0; !status && i < b->n_tests; i++) {
    bool is = false;
    if (b->tests[i].result != HD_BISECT_GOOD)
      continue;
    status = hd_repository_is_ancestor(&b->repository, b->tests[i].commit, bad, &is, err);
    if (!status && is)
      good[(*n)++] = b->tests[i].commit;
  }
  return status;
}

/* Lists the commits that lead to `bad` and to no good commit. The commit that halves the others
 * best comes first. */
static int find_candidates(struct hd_bisect *b, const char *bad, struct hd_error *err)
{
  char list[PATH_MAX], *text = NULL;
  size_t n = 0, length = 0, capacity = 0;
  const char **good = hd_xcalloc(b->n_tests + 1, sizeof *good);
  path_of(b, list, "candidates", "");
  int status = find_good(b, bad, good, &n, err);
  if (!status)
    status = hd_repository_halve(&b->repository, bad, good, n, list, err);
  if (!status)
    status = hd_file_read(list, &text, &length, err);
  unlink(list);
  forget_candidates(b);
  for (const char *line = text; !status && line && *line;) {
    size_t digits = strspn(line, "0123456789abcdef");
    if (digits < 40) { /* Git may have printed a warning instead */
      line += strcspn(line, "\n");
      line += *line == '\n';
      continue;
    }
    HD_XROOM(b->candidates, capacity, b->n_candidates, 1);
    b->candidates[b->n_candidates++] = hd_xstrndup(line, digits);
    line += strcspn(line, "\n");
    line += *line == '\n';
  }
  if (!status && !b->n_candidates)
    status = hd_fail(err, HD_E_TOOL, "git names no commit that leads to %.*s", NAME, bad);
  free(text);
  free(good);
  return status;
}

static const char *next_candidate(const struct hd_bisect *b)
{
  for (size_t i = 0; i < b->n_candidates; i++)
    if (!find_test(b, b->candidates[i]))
      return b->candidates[i];
  return NULL;
}

static int search(struct hd_bisect *b, char bad[HD_REPOSITORY_ID], struct hd_error *err)
{
  const struct hd_bisect_test *t;
  for (;;) {
    unsigned steps = 0;
    int status = find_candidates(b, bad, err);
    if (status)
      return status;
    if (b->n_candidates == 1)
      break;
    const char *next = NULL;
    /* An earlier search may have found a bad commit that is closer. */
    for (size_t i = 0; !next && i < b->n_candidates; i++) {
      t = find_test(b, b->candidates[i]);
      if (t && t->result == HD_BISECT_BAD && strcmp(t->commit, bad) != 0)
        next = t->commit;
    }
    if (!next)
      next = next_candidate(b);
    if (!next)
      return hd_fail(
          err, HD_E_UNSUPPORTED,
          "the first bad commit is one of %zu: Heddle could not test them, because their RTL "
          "does not build or `heddle run` failed",
          b->n_candidates);
    for (size_t left = b->n_candidates; left > 1; left = (left + 1) / 2)
      steps++;
    char what[80];
    snprintf(what, sizeof what, "%zu commits left, about %s: ", b->n_candidates,
             hd_count(steps, "step").text);
    status = test_commit(b, next, what, &t, err);
    if (status)
      return status;
    if (t->result == HD_BISECT_BAD)
      strcpy(bad, t->commit);
  }
  forget_candidates(b);
  b->found = true;
  b->first_bad = (size_t)(find_test(b, bad) - b->tests);
  return HD_OK;
}

/* Tests one end of the search: the good commit must pass, the bad one must fail. */
static int test_endpoint(struct hd_bisect *b, const char *commit, bool good, struct hd_error *err)
{
  const struct hd_bisect_test *t;
  const char *name = good ? "good" : "bad", *revision = good ? b->good : b->bad;
  char what[40];
  snprintf(what, sizeof what, "the %s one: ", name);
  int status = test_commit(b, commit, what, &t, err);
  if (status)
    return status;
  if (t->result == HD_BISECT_SKIPPED)
    return hd_fail(err, HD_E_TOOL, "--%s %.200s cannot be tested: %s", name, revision, t->why);
  if (good && t->result == HD_BISECT_BAD)
    return hd_fail(err, HD_E_BUDGET, "--good %.200s fails, too: %s; give an older commit", revision,
                   t->why);
  if (!good && t->result == HD_BISECT_GOOD)
    return hd_fail(err, HD_E_BUDGET,
                   "--bad %.200s passes; give the commit at which the scenario failed, and the "
                   "same seed and options",
                   revision);
  return HD_OK;
}

static int prepare(struct hd_bisect *b, char good[HD_REPOSITORY_ID], char bad[HD_REPOSITORY_ID],
                   struct hd_error *err)
{
  bool is = false, swapped = false;
  if (strlen(b->directory) > PATH_MAX - 256)
    return hd_fail(err, HD_E_INPUT, "--out: the path is too long");
  int status = hd_repository_open(&b->repository, b->rtl_dir,
                                  b->description ? b->description : "hd_switch.v", err);
  if (!status)
    status = hd_repository_commit(&b->repository, b->good, good, err);
  if (!status)
    status = hd_repository_commit(&b->repository, b->bad, bad, err);
  if (!status)
    status = hd_repository_is_ancestor(&b->repository, good, bad, &is, err);
  if (!status && !strcmp(good, bad))
    return hd_fail(err, HD_E_INPUT,
                   "--good %.200s and --bad %.200s are the same commit; give two commits, the good "
                   "one in the history of the bad one",
                   b->good, b->bad);
  if (!status && !is)
    status = hd_repository_is_ancestor(&b->repository, bad, good, &swapped, err);
  if (!status && swapped)
    status =
        hd_fail(err, HD_E_INPUT,
                "--good %.200s comes after --bad %.200s; --good is the older one, at which the "
                "scenario passes",
                b->good, b->bad);
  else if (!status && !is)
    status = hd_fail(err, HD_E_INPUT,
                     "--good %.200s is not in the history of --bad %.200s; give a commit from "
                     "which the bad one comes",
                     b->good, b->bad);
  if (!status)
    status = hd_directory_lock(b->directory, &b->lock, err);
  b->locked = !status;
  return status ? status : read_tests(b, err);
}

int hd_bisect(struct hd_bisect *b, struct hd_error *err)
{
  char good[HD_REPOSITORY_ID], bad[HD_REPOSITORY_ID], tree[PATH_MAX];
  int status = prepare(b, good, bad, err);
  if (!status)
    status = test_endpoint(b, good, true, err);
  if (!status)
    status = test_endpoint(b, bad, false, err);
  if (!status)
    b->given_bad = (size_t)(find_test(b, bad) - b->tests);
  if (!status)
    status = search(b, bad, err);
  if (status)
    return status;
  path_of(b, tree, "first-bad", "");
  status = hd_tree_remove(tree, err);
  return status ? status
                : hd_repository_extract(&b->repository, b->tests[b->first_bad].commit, tree,
                                        b->stop, b->context, err);
}

void hd_bisect_fini(struct hd_bisect *b)
{
  forget_candidates(b);
  if (b->locked)
    close(b->lock);
  b->locked = false;
  free(b->tests);
  b->tests = NULL;
  b->n_tests = b->capacity = 0;
}
