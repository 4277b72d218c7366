/* Git: what it calls the version of a directory, and older versions of it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Nothing here runs commands that a repository names (hooks, filters, remotes), takes locks, or touches the
 * working tree, its index or its branches.
 */
#ifndef HD_REPOSITORY_H
#define HD_REPOSITORY_H

#include "../../cmodel/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/** Writes the version that `git describe --always --dirty` would give to the repository that tracks
 *  `file` in `directory`. No filter of Git is run: a file with a filter that was touched is
 *  compared as it is. A submodule is dirty only when it stands at another commit. Uses $TMPDIR, or
 *  /tmp. Returns false without Git, without such a repository, or without a place to work in. */
bool hd_repository_version(const char *directory, const char *file, char *version, size_t size);

enum { HD_REPOSITORY_ID = 72 }; /* a commit or tree in hexadecimal digits, with its end */

/** The repository of a directory. */
struct hd_repository {
  char top[PATH_MAX];    /* the working tree */
  char prefix[PATH_MAX]; /* the directory in it, "hw/rtl/"; "": the top itself */
};

/** Opens the repository that tracks `file` in `directory`. HD_E_INPUT: no repository does.
 * HD_E_TOOL: there is no Git. */
int hd_repository_open(struct hd_repository *repository, const char *directory, const char *file,
                       struct hd_error *err);

/** The commit that a revision (branch, tag, HEAD~3, …) names. HD_E_INPUT. */
int hd_repository_commit(const struct hd_repository *repository, const char *revision,
                         char id[HD_REPOSITORY_ID], struct hd_error *err);

/** The commit that `git bisect` takes for bad, by whatever term (--term-new). False: no bisection is under way, or none is
 *  known yet. */
bool hd_repository_bisect_bad(const struct hd_repository *repository, char id[HD_REPOSITORY_ID]);

/** Git's name of the directory's contents in a commit; "" if the commit does not have the directory. HD_E_TOOL. */
int hd_repository_tree(const struct hd_repository *repository, const char *commit,
                       char id[HD_REPOSITORY_ID], struct hd_error *err);

/** Is `older` in the history of `newer`? */
int hd_repository_is_ancestor(const struct hd_repository *repository, const char *older,
                              const char *newer, bool *is, struct hd_error *err);

/** Returns a line of `git show` in the given format, such as "%an <%ae>". HD_E_TOOL. */
int hd_repository_show(const struct hd_repository *repository, const char *commit,
                       const char *format, char *line, size_t size, struct hd_error *err);

/** Writes to the file `list` the commits that `bad` has in its history and none of the `n` good ones, `bad` itself
 *  included: a line each that begins with the commit, those first that halve the rest best. `log` and `list`
 *  are absolute. HD_E_TOOL, HD_E_INTERRUPTED. */
int hd_repository_halve(const struct hd_repository *repository, const char *bad,
                        const char *const *good, size_t n, const char *list, struct hd_error *err);

/** Writes all files of a commit into `directory`, which is created, as the repository keeps them:
 * no filter (Git LFS, ends of lines) runs. Creates and removes directory.git beside it. The path is
 * absolute, and no other process writes there meanwhile. HD_E_TOOL, HD_E_IO, HD_E_INTERRUPTED;
 * `stop` may be NULL (tool_run.h). */
int hd_repository_extract(const struct hd_repository *repository, const char *commit,
                          const char *directory, bool (*stop)(void *context), void *context,
                          struct hd_error *err);

#endif
