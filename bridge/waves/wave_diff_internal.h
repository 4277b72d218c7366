/* Compares two wave files in the process that reads them.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WAVE_DIFF_INTERNAL_H
#define HD_WAVE_DIFF_INTERNAL_H

#include "wave_diff.h"

/** Progress that another process reads: the number of the current file, and the latest time
 *  found in it. */
struct hd_wave_diff_progress {
  unsigned file;
  uint64_t time;
};

/** Does the work of hd_wave_diff in this process. */
int hd_wave_diff_files(struct hd_wave_diff *diff, const char *const paths[2],
                       const struct hd_wave_map *maps, size_t n_maps,
                       volatile struct hd_wave_diff_progress *progress, struct hd_error *err);

#endif
