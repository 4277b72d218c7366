/* Creates the directory of a run.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RUN_DIRECTORY_H
#define HD_RUN_DIRECTORY_H

#include "../../cmodel/error.h"

/** Creates the run's directory: out_dir, or runs/<name>-<n> if that is NULL. out_dir may exist
 *  if it can be written to and has no run in it. The caller frees *directory. HD_E_INPUT,
 *  HD_E_IO. */
int hd_run_directory(const char *out_dir, const char *name, char **directory, struct hd_error *err);

/** Refuses an out_dir that has a run in it (HD_E_INPUT), or whose run.db could not be replaced
 *  (HD_E_IO). Creates nothing. */
int hd_run_directory_is_free(const char *out_dir, struct hd_error *err);

/** Creates a directory and its parents, for waves of a recorded run. HD_E_IO. */
int hd_run_make_directory(const char *path, struct hd_error *err);

#endif
