/* The directory of a run.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RUN_DIRECTORY_H
#define HD_RUN_DIRECTORY_H

#include "../../cmodel/error.h"

/** Makes the run's directory: out_dir, which may be there if one may write into it and it has no run, or
 *  runs/<name>-<n>. *directory is the caller's. HD_E_INPUT, HD_E_IO. */
int hd_run_directory(const char *out_dir, const char *name, char **directory, struct hd_error *err);

/** Refuses an out_dir that holds a run (HD_E_INPUT) or something that cannot be replaced (HD_E_IO).
 *  Makes nothing. */
int hd_run_directory_is_free(const char *out_dir, struct hd_error *err);

/** Makes a directory and those above it, for waves of a recorded run. HD_E_IO. */
int hd_run_make_directory(const char *path, struct hd_error *err);

#endif
