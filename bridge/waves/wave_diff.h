/* Compares two wave files signal by signal, and finds when each signal first differs.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WAVE_DIFF_H
#define HD_WAVE_DIFF_H

#include "../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Each signal below scope `a` of the first file is compared with the signal of the same name
 *  below scope `b` of the second. "" is the root. A scope may also be a signal itself. */
struct hd_wave_map {
  const char *a, *b;
};

/** A signal that differs. Strings are owned. Values have characters 0 1 x z …, one for each bit. */
struct hd_wave_difference {
  char *a, *b; /* paths */
  uint64_t time;
  char *value_a, *value_b;
};

struct hd_wave_diff {
  int exponent;              /* times count units of 10^exponent seconds */
  uint64_t first, last;      /* the time that both files cover and that was compared */
  uint64_t first_a, first_b; /* where each file begins */
  uint64_t last_a, last_b;   /* where each file ends */
  size_t compared;           /* number of pairs of signals */
  size_t only_a, only_b;     /* signals of the mapped scopes without a partner */
  /* pairs that cannot be compared: reals, strings, different widths */
  size_t not_comparable;
  struct hd_wave_difference *differences; /* ordered by time, then by name */
  size_t n;
};

/** Tests whether all of both files was compared. False: they begin or end at different times, or
 *  have signals without a partner or that cannot be compared. */
bool hd_wave_diff_is_whole(const struct hd_wave_diff *diff);

/** Compares FST or VCD files; their bytes show the format. No maps: compares all signals that
 *  have the same name. If the files' time units differ, the finer unit counts. HD_E_IO: a file
 *  cannot be read. HD_E_INPUT: a file is no wave file or is damaged, or the files have no signal
 *  or no time in common. A child process with limits on memory and processor time reads the
 *  files. The caller must call hd_wave_diff_fini, also after errors. */
int hd_wave_diff(struct hd_wave_diff *diff, const char *path_a, const char *path_b,
                 const struct hd_wave_map *maps, size_t n_maps, struct hd_error *err);

void hd_wave_diff_fini(struct hd_wave_diff *diff);

#endif
