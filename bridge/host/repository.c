/* Asks Git for versions of a directory.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "repository.h"

#include "memory.h"
#include "file.h"
#include "tool_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GIT(directory)                                                                          \
  "git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", \
      "-c", "log.showSignature=false", "-C", directory

/* Makes Git ignore the settings of the user and of the machine. */
#define PLAIN "env", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"

int hd_repository_open(struct hd_repository *r, const char *directory, const char *file,
                       struct hd_error *err)
{
  const char *const version[] = {"git", "--version", NULL};
  const char *const tracked[] = {GIT(directory), "ls-files", "--", file, NULL};
  const char *const top[] = {GIT(directory), "rev-parse", "--show-toplevel", NULL};
  const char *const prefix[] = {GIT(directory), "rev-parse", "--show-prefix", NULL};
  char line[PATH_MAX];
  int status = hd_tool_answer(version, "git", line, sizeof line, err);
  if (status)
    return status;
  if (hd_tool_answer(tracked, "git", line, sizeof line, NULL) || strcmp(line, file) != 0 ||
      hd_tool_answer(top, "git", r->top, sizeof r->top, NULL))
    return hd_fail(err, HD_E_INPUT, "%s: no Git repository tracks a %s there", directory, file);
  /* In the repository's top folder git prints an empty line, which counts as no answer. */
  if (hd_tool_answer(prefix, "git", r->prefix, sizeof r->prefix, NULL))
    r->prefix[0] = '\0';
  return HD_OK;
}

int hd_repository_commit(const struct hd_repository *r, const char *revision,
                         char id[HD_REPOSITORY_ID], struct hd_error *err)
{
  char name[512];
  const char *const parse[] = {GIT(r->top),        "rev-parse", "--verify", "--quiet",
                               "--end-of-options", name,        NULL};
  int n = snprintf(name, sizeof name, "%s^{commit}", revision);
  if (n >= (int)sizeof name || hd_tool_answer(parse, "git", id, HD_REPOSITORY_ID, NULL))
    return hd_fail(err, HD_E_INPUT, "'%.200s' is no commit of the repository %.300s", revision,
                   r->top);
  return HD_OK;
}

bool hd_repository_bisect_bad(const struct hd_repository *r, char id[HD_REPOSITORY_ID])
{
  char term[256], reference[320];
  const char *const ask[] = {GIT(r->top), "bisect", "terms", "--term-bad", NULL};
  if (hd_tool_answer(ask, "git", term, sizeof term, NULL))
    return false;
  snprintf(reference, sizeof reference, "refs/bisect/%s", term);
  return !hd_repository_commit(r, reference, id, NULL);
}

int hd_repository_tree(const struct hd_repository *r, const char *commit, char id[HD_REPOSITORY_ID],
                       struct hd_error *err)
{
  char name[PATH_MAX + HD_REPOSITORY_ID + 4];
  const char *const parse[] = {GIT(r->top), "rev-parse", "--verify", "--quiet", name, NULL};
  struct hd_error why = {""};
  size_t n = strlen(r->prefix);
  snprintf(name, sizeof name, "%s:%.*s", commit, n ? (int)n - 1 : 0, r->prefix); /* no final / */
  int status = hd_tool_answer(parse, "git", id, HD_REPOSITORY_ID, &why);
  if (status == HD_E_INTERRUPTED)
    return hd_fail(err, status, "%s", why.text);
  if (status)
    id[0] = '\0';
  return HD_OK;
}

int hd_repository_is_ancestor(const struct hd_repository *r, const char *older, const char *newer,
                              bool *is, struct hd_error *err)
{
  const char *const ask[] = {GIT(r->top), "merge-base", "--is-ancestor", older, newer, NULL};
  const struct hd_tool tool = {.argv = ask, .package = "git"};
  int exit_code = 0, status = hd_tool_run(&tool, &exit_code, err);
  *is = !exit_code;
  return status;
}

int hd_repository_show(const struct hd_repository *r, const char *commit, const char *format,
                       char *line, size_t size, struct hd_error *err)
{
  char wanted[64];
  const char *const show[] = {GIT(r->top), "show", "-s", wanted, commit, NULL};
  snprintf(wanted, sizeof wanted, "--format=%s", format);
  return hd_tool_answer(show, "git", line, size, err);
}

/* Runs Git. Its output goes to the file `log`, whose end is shown if Git fails. */
static int run_git(const char *const *argv, const char *log, bool (*stop)(void *context),
                   void *context, struct hd_error *err)
{
  const struct hd_tool tool = {
      .argv = argv, .package = "git", .log_path = log, .stop = stop, .context = context};
  char end[640];
  unlink(log);
  int exit_code = 0, status = hd_tool_run(&tool, &exit_code, err);
  if (status || !exit_code)
    return status;
  hd_tool_log_end(log, end, sizeof end);
  return hd_fail(err, HD_E_TOOL, "git failed with exit code %d:\n%s", exit_code, end);
}

int hd_repository_halve(const struct hd_repository *r, const char *bad, const char *const *good,
                        size_t n, const char *list, struct hd_error *err)
{
  const char *const command[] = {GIT(r->top), "rev-list", "--bisect-all", bad, "--not"};
  enum { WORDS = sizeof command / sizeof *command };
  const char **argv = hd_xcalloc(WORDS + n + 1, sizeof *argv);
  memcpy(argv, command, sizeof command);
  memcpy(argv + WORDS, good, n * sizeof *good);
  int status = run_git(argv, list, NULL, NULL, err);
  free(argv);
  return status;
}

/* An extra repository without settings, which reads the objects of the user's repository. The
 * settings and attributes of that one may name commands that change files when Git reads or
 * writes them (filter.*.clean, .smudge and .process). */
struct own_git {
  char git_dir[PATH_MAX + 32], work_tree[PATH_MAX + 16], objects[PATH_MAX + 32]; /* words for git */
};
#define OWN_GIT(own) PLAIN, (own).objects, "git", (own).git_dir, (own).work_tree

/* Creates the extra repository at `path`, for commits like `commit`. All paths are absolute. */
static int own_git_init(struct own_git *own, const char *path, const char *objects,
                        const char *work_tree, const char *commit, const char *log,
                        bool (*stop)(void *context), void *context, struct hd_error *err)
{
  const char *const init[] = {PLAIN,
                              "git",
                              "init",
                              "--quiet",
                              "--bare",
                              "--template=",
                              strlen(commit) == 64 ? "--object-format=sha256"
                                                   : "--object-format=sha1",
                              path,
                              NULL};
  snprintf(own->git_dir, sizeof own->git_dir, "--git-dir=%s", path);
  snprintf(own->work_tree, sizeof own->work_tree, "--work-tree=%s", work_tree);
  snprintf(own->objects, sizeof own->objects, "GIT_OBJECT_DIRECTORY=%s", objects);
  return run_git(init, log, stop, context, err);
}

int hd_repository_extract(const struct hd_repository *r, const char *commit, const char *directory,
                          bool (*stop)(void *context), void *context, struct hd_error *err)
{
  struct own_git own;
  char path[PATH_MAX + 8], objects[PATH_MAX], log[PATH_MAX + 8];
  const char *const where[] = {GIT(r->top),  "rev-parse", "--path-format=absolute",
                               "--git-path", "objects",   NULL};
  const char *const read[] = {OWN_GIT(own), "read-tree", commit, NULL};
  const char *const checkout[] = {OWN_GIT(own), "checkout-index", "--all", "--force", NULL};
  snprintf(path, sizeof path, "%s.git", directory);
  snprintf(log, sizeof log, "%s.log", directory);
  int status = hd_tree_remove(path, err); /* removes the files of a search that was killed */
  if (!status)
    status = hd_tool_answer(where, "git", objects, sizeof objects, err);
  if (!status && mkdir(directory, 0777) && errno != EEXIST)
    status = hd_fail(err, HD_E_IO, "%s: %s", directory, strerror(errno));
  if (!status)
    status = own_git_init(&own, path, objects, directory, commit, log, stop, context, err);
  if (!status)
    status = run_git(read, log, stop, context, err);
  if (!status)
    status = run_git(checkout, log, stop, context, err);
  if (!status)
    unlink(log);
  int removed = hd_tree_remove(path, status ? NULL : err);
  return status ? status : removed;
}

/* ── the version ───────────────────────────────────────────────────────────── */

/* Runs git and splits its output into lines[n], which point into *text; the caller frees that. */
static bool answer_lines(const char *const *argv, const char *log, char **text, char **lines,
                         size_t n)
{
  const struct hd_tool tool = {.argv = argv, .package = "git", .log_path = log, .answers = true};
  size_t length = 0, i = 0;
  int exit_code = 0;
  if (hd_tool_run(&tool, &exit_code, NULL) || exit_code || hd_file_read(log, text, &length, NULL))
    return false;
  for (char *line = *text, *end; i < n && (end = strchr(line, '\n')); line = end + 1, i++) {
    *end = '\0';
    lines[i] = line;
  }
  return i == n;
}

/* Copies the index with its time, since Git reads files again that are as young as the index. */
static bool copy_index(const char *from, const char *to)
{
  char *bytes = NULL;
  size_t length = 0;
  struct stat st;
  bool copied = !stat(from, &st) && !hd_file_read(from, &bytes, &length, NULL) &&
                !hd_file_write(to, bytes, length, NULL) &&
                !utimensat(AT_FDCWD, to, (struct timespec[]){st.st_atim, st.st_mtim}, 0);
  free(bytes);
  return copied;
}

/* Tests whether the tracked files are equal to those of HEAD. Works in `scratch`, on a copy of the
 * index, which lists files that nobody has touched since. Files that cannot be compared count as
 * changed. */
static bool is_clean(const char *directory, const char *scratch)
{
  enum { TOP, OBJECTS, INDEX, HEAD, LINES };
  struct own_git own;
  char path[PATH_MAX], log[PATH_MAX + 8], index[PATH_MAX + 8], *text = NULL, *at[LINES];
  const char *const where[] = {GIT(directory),
                               "rev-parse",
                               "--path-format=absolute",
                               "--show-toplevel",
                               "--git-path",
                               "objects",
                               "--git-path",
                               "index",
                               "HEAD^{commit}",
                               NULL};
  snprintf(log, sizeof log, "%.*s/where", PATH_MAX - 16, scratch);
  snprintf(path, sizeof path, "%.*s/git", PATH_MAX - 16, scratch);
  snprintf(index, sizeof index, "%s/index", path);
  bool clean = answer_lines(where, log, &text, at, LINES) &&
               !own_git_init(&own, path, at[OBJECTS], at[TOP], at[HEAD], log, NULL, NULL, NULL) &&
               copy_index(at[INDEX], index);
  if (clean) {
    const char *const refresh[] = {OWN_GIT(own), "update-index", "-q", "--refresh", NULL};
    const char *const compare[] = {
        OWN_GIT(own), "diff-index", "--quiet", "--ignore-submodules=dirty", at[HEAD], "--", NULL};
    const struct hd_tool refreshing = {.argv = refresh, .package = "git"};
    const struct hd_tool comparing = {.argv = compare, .package = "git"};
    int exit_code = 0; /* the first command returns another value for changed files, too */
    clean = !hd_tool_run(&refreshing, &exit_code, NULL) &&
            !hd_tool_run(&comparing, &exit_code, NULL) && !exit_code;
  }
  free(text);
  return clean;
}

bool hd_repository_version(const char *directory, const char *file, char *version, size_t size)
{
  /* Files that the repository does not track have no version. */
  const char *const tracked[] = {GIT(directory), "ls-files", "--", file, NULL};
  const char *const describe[] = {GIT(directory), "describe", "--always", NULL};
  char line[4096], scratch[PATH_MAX];
  if (hd_tool_answer(tracked, "git", line, sizeof line, NULL) || strcmp(line, file) != 0)
    return false;
  /* An answer with blanks is a warning, not a version. */
  if (hd_tool_answer(describe, "git", version, size, NULL) || strchr(version, ' '))
    return false;
  if (hd_directory_temporary("heddle-git", scratch, sizeof scratch, NULL))
    return false;
  size_t n = strlen(version);
  if (!is_clean(directory, scratch))
    snprintf(version + n, size - n, "-dirty");
  hd_tree_remove(scratch, NULL);
  return true;
}
