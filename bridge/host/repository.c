/* Asking Git for versions of a directory.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "repository.h"

#include "file.h"
#include "tool_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GIT(directory)                                                                          \
  "git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", \
      "-c", "log.showSignature=false", "-C", directory

/* Without the settings of anybody. */
#define PLAIN "env", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"

bool hd_repository_version(const char *directory, const char *file, char *version, size_t size)
{
  /* A copy that a repository does not track has none of its versions. */
  const char *const tracked[] = {GIT(directory), "ls-files", "--", file, NULL};
  const char *const describe[] = {GIT(directory), "describe", "--always", "--dirty", NULL};
  char line[4096];
  if (hd_tool_answer(tracked, "git", line, sizeof line, NULL) || strcmp(line, file) != 0)
    return false;
  /* A warning has blanks. */
  return !hd_tool_answer(describe, "git", version, size, NULL) && !strchr(version, ' ');
}

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
  /* Nothing is printed at the top itself. */
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

int hd_repository_tree(const struct hd_repository *r, const char *commit, char id[HD_REPOSITORY_ID],
                       struct hd_error *err)
{
  char name[PATH_MAX + HD_REPOSITORY_ID + 4];
  const char *const parse[] = {GIT(r->top), "rev-parse", "--verify", "--quiet", name, NULL};
  struct hd_error why = {""};
  size_t n = strlen(r->prefix);
  snprintf(name, sizeof name, "%s:%.*s", commit, n ? (int)n - 1 : 0, r->prefix); /* without its / */
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

/* Runs it with all that it prints in a file of its own, which is shown where it fails. */
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
  const char **argv = calloc(WORDS + n + 1, sizeof *argv);
  if (!argv)
    return hd_fail(err, HD_E_NOMEM, "bisect: out of memory");
  memcpy(argv, command, sizeof command);
  memcpy(argv + WORDS, good, n * sizeof *good);
  int status = run_git(argv, list, NULL, NULL, err);
  free(argv);
  return status;
}

/* Settings and attributes of the repository may name commands that change files as they are written
 * (filter.*.smudge). So one that has none, made for this, reads the objects. */
int hd_repository_extract(const struct hd_repository *r, const char *commit, const char *directory,
                          bool (*stop)(void *context), void *context, struct hd_error *err)
{
  char objects[PATH_MAX + 32] = "GIT_OBJECT_DIRECTORY=", git_dir[PATH_MAX + 32] = "--git-dir=";
  char work_tree[PATH_MAX + 16], log[PATH_MAX + 8];
  const size_t n = strlen(objects), m = strlen(git_dir);
  const char *const own = git_dir + m;
  const bool sha256 = strlen(commit) == 64;
  const char *const where[] = {GIT(r->top),  "rev-parse", "--path-format=absolute",
                               "--git-path", "objects",   NULL};
  const char *const init[] = {PLAIN,
                              "git",
                              "init",
                              "--quiet",
                              "--bare",
                              "--template=",
                              sha256 ? "--object-format=sha256" : "--object-format=sha1",
                              own,
                              NULL};
  const char *const read[] = {PLAIN, objects, "git", git_dir, "read-tree", commit, NULL};
  const char *const checkout[] = {PLAIN,   objects,   "git", git_dir, work_tree, "checkout-index",
                                  "--all", "--force", NULL};
  snprintf(git_dir + m, sizeof git_dir - m, "%s.git", directory);
  snprintf(work_tree, sizeof work_tree, "--work-tree=%s", directory);
  snprintf(log, sizeof log, "%s.log", directory);
  int status = hd_tree_remove(own, err); /* of a search that was killed */
  if (!status)
    status = hd_tool_answer(where, "git", objects + n, sizeof objects - n, err);
  if (!status && mkdir(directory, 0777) && errno != EEXIST)
    status = hd_fail(err, HD_E_IO, "%s: %s", directory, strerror(errno));
  if (!status)
    status = run_git(init, log, stop, context, err);
  if (!status)
    status = run_git(read, log, stop, context, err);
  if (!status)
    status = run_git(checkout, log, stop, context, err);
  if (!status)
    unlink(log);
  int removed = hd_tree_remove(own, status ? NULL : err);
  return status ? status : removed;
}
