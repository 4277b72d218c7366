/* Compares two wave files signal by signal: when each differs first.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WAVE_DIFF_H
#define HD_WAVE_DIFF_H

#include "../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A signal below scope `a` of the first file is compared with the one of the same name below scope `b`
 *  of the second. "" is the root; a scope may also be a signal itself. */
struct hd_wave_map {
  const char *a, *b;
};

/** A signal that differs. Strings are owned; values are characters 0 1 x z …, one a bit. */
struct hd_wave_difference {
  char *a, *b; /* paths */
  uint64_t time;
  char *value_a, *value_b;
};

struct hd_wave_diff {
  int exponent;                           /* times count 10^exponent seconds */
  uint64_t first, last;                   /* what both files have, and what was compared */
  uint64_t first_a, first_b;              /* where each begins */
  uint64_t last_a, last_b;                /* and ends */
  size_t compared;                        /* pairs of signals */
  size_t only_a, only_b;                  /* in the mapped scopes, without a partner */
  size_t not_comparable;                  /* reals, strings, signals of different widths */
  struct hd_wave_difference *differences; /* in order of time, then of name */
  size_t n;
};

/** Has all of both files been compared? False: one begins or ends at another time, or has signals without a partner or
 *  that are not comparable. */
bool hd_wave_diff_is_whole(const struct hd_wave_diff *diff);

/** FST or VCD, told from their bytes. No maps: all signals by their own names. Where times of the files
 *  count different units, the finer one counts. HD_E_IO: a file cannot be read. HD_E_INPUT: it is no
 *  wave file or a damaged one, the files have no signal or no time in common. Files are read in a process of its own, which may
 *  take so much memory and processor time and no more. The caller frees by
 *  hd_wave_diff_fini, after failures too. */
int hd_wave_diff(struct hd_wave_diff *diff, const char *path_a, const char *path_b,
                 const struct hd_wave_map *maps, size_t n_maps, struct hd_error *err);

void hd_wave_diff_fini(struct hd_wave_diff *diff);

#endif
