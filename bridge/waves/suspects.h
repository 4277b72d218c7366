/* Finds the signals of the RTL that were wrong first, compared with the original.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Both get the same inputs. If a signal is wrong while its own inputs are still right, the
 * difference comes from this signal.
 */
#ifndef HD_SUSPECTS_H
#define HD_SUSPECTS_H

#include "../explain/rtl_source.h"
#include "../host/text.h"
#include "../lockstep/lockstep.h"
#include "wave_diff.h"

enum {
  HD_SUSPECTS = 8 /* most suspects */
};

struct hd_suspect {
  char path[HD_RTL_PATH];
  struct hd_rtl_signal signal;
  uint64_t cycle;
  char rtl[24], original[24];
  bool unproved;  /* a proof left open whether it equals the original's; the caller sets it */
  bool changed;   /* its assignments differ from the original's */
  bool at_reset;  /* it differs right after a reset that sets it */
  bool not_reset; /* reset sets it in the original, but not in this RTL */
  bool below;     /* a counter went below 0 */
};

/** The signals that differ first between two wave files; [0] is the likeliest origin. */
struct hd_suspects {
  struct hd_suspect suspects[HD_SUSPECTS];
  uint32_t n;
  uint64_t compared; /* number of signals compared */
};

/** The sources of the changed and the original RTL. The struct owns both. */
struct hd_suspect_sources {
  struct hd_rtl_source *rtl, *original;
};
/** Reads the RTL in two directories. Call hd_suspect_sources_free, also after an error. */
int hd_suspect_sources_read(struct hd_suspect_sources *sources, const char *rtl,
                            const char *original, struct hd_error *err);
void hd_suspect_sources_free(struct hd_suspect_sources *sources);

/** Fills `cause` from the differences between two waves. A cycle has `ticks` units of time, and
 *  the waves begin in cycle `first`. HD_E_NOTHING: no signal shows the origin. */
int hd_suspects_find(struct hd_suspects *cause, const struct hd_suspect_sources *sources,
                     const struct hd_wave_diff *diff, uint64_t ticks, uint64_t first,
                     struct hd_error *err);

/** Puts the likeliest signal first. Call it after `unproved` is set. */
void hd_suspects_sort(struct hd_suspects *cause);

/** Writes a sentence such as "owned_q of hd_output_port (hd_output_port.v:93): 1, in the original
 *  0, in cycle 7". */
void hd_suspect_text(const struct hd_suspect *suspect, bool with_cycle, struct hd_text *text);

/** After a divergence from an original: writes a sentence about the signal that differs first in
 *  the divergent switch. Replays both from their snapshots. `rtl` and `original` are the
 *  directories with their sources. Temporary files go to `dir`. HD_E_NOTHING: no signal shows
 *  the origin. HD_E_UNSUPPORTED: a side cannot be replayed, or its waves have only ports. */
int hd_waves_find_suspect(struct hd_lockstep *lockstep, const char *rtl, const char *original,
                          const char *dir, struct hd_text *sentence, struct hd_error *err);

#endif
