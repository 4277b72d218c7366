/* Asks Git for the version of a directory, and for older versions of it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * These functions run no commands that a repository names (hooks, filters, remotes), take no
 * locks, and do not change the working tree, its index or its branches.
 */
#ifndef HD_REPOSITORY_H
#define HD_REPOSITORY_H

#include "../../cmodel/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/** Writes the version that `git describe --always --dirty` would give for the repository that
 *  tracks `file` in `directory`. Runs no filters of Git: a changed file that has a filter is
 *  compared unfiltered. A submodule is dirty only if another commit is checked out. Uses
 *  $TMPDIR, or /tmp. Returns false without Git, without such a repository, or if no temporary
 *  directory can be created. */
bool hd_repository_version(const char *directory, const char *file, char *version, size_t size);

enum { HD_REPOSITORY_ID = 72 }; /* a commit or tree in hexadecimal digits, and a NUL */

/** The repository of a directory. */
struct hd_repository {
  char top[PATH_MAX];    /* the working tree */
  char prefix[PATH_MAX]; /* the directory within it, "hw/rtl/"; "": `top` itself */
};

/** Opens the repository that tracks `file` in `directory`. HD_E_INPUT: no repository does.
 * HD_E_TOOL: there is no Git. */
int hd_repository_open(struct hd_repository *repository, const char *directory, const char *file,
                       struct hd_error *err);

/** Finds the commit that a revision (branch, tag, HEAD~3, …) names. HD_E_INPUT. */
int hd_repository_commit(const struct hd_repository *repository, const char *revision,
                         char id[HD_REPOSITORY_ID], struct hd_error *err);

/** Finds the commit that `git bisect` has marked bad, whatever term the user has chosen for that
 *  (--term-new). False: there is no bisection, or no bad commit yet. */
bool hd_repository_bisect_bad(const struct hd_repository *repository, char id[HD_REPOSITORY_ID]);

/** Finds Git's name for the directory's contents in a commit; "" if the commit has no such
 *  directory. HD_E_INTERRUPTED. */
int hd_repository_tree(const struct hd_repository *repository, const char *commit,
                       char id[HD_REPOSITORY_ID], struct hd_error *err);

/** Sets *is to whether `older` is in the history of `newer`. */
int hd_repository_is_ancestor(const struct hd_repository *repository, const char *older,
                              const char *newer, bool *is, struct hd_error *err);

/** Returns a line of `git show` in the given format, such as "%an <%ae>". HD_E_TOOL. */
int hd_repository_show(const struct hd_repository *repository, const char *commit,
                       const char *format, char *line, size_t size, struct hd_error *err);

/** Writes the commits in the history of `bad`, itself included, that are not in that of the `n`
 *  good ones, to the file `list`, one in a line. Those that split them most evenly come first.
 *  `list` is absolute. HD_E_TOOL, HD_E_INTERRUPTED. */
int hd_repository_halve(const struct hd_repository *repository, const char *bad,
                        const char *const *good, size_t n, const char *list, struct hd_error *err);

/** Creates `directory` and writes all files of a commit into it as the repository stores them:
 * no filter (Git LFS, ends of lines) runs. Creates and removes directory.git beside it. The path
 * is absolute, and no other process may write there meanwhile. HD_E_TOOL, HD_E_IO,
 * HD_E_INTERRUPTED; `stop` may be NULL (tool_run.h). */
int hd_repository_extract(const struct hd_repository *repository, const char *commit,
                          const char *directory, bool (*stop)(void *context), void *context,
                          struct hd_error *err);

#endif
