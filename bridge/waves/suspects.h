/* Finds the signals of the RTL that were wrong first, beside those of the original.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Both play one input. A signal whose own inputs are still right is where the difference comes from.
 */
#ifndef HD_SUSPECTS_H
#define HD_SUSPECTS_H

#include "../explain/rtl_source.h"
#include "../host/text.h"
#include "../lockstep/lockstep.h"
#include "wave_diff.h"

enum {
  HD_SUSPECTS = 8 /* at most */
};

struct hd_suspect {
  char path[HD_RTL_PATH];
  struct hd_rtl_signal signal;
  uint64_t cycle;
  char rtl[24], original[24];
  bool unproved;  /* a proof left it open whether it is the original's */
  bool changed;   /* its assignments are not the original's */
  bool at_reset;  /* the signal differs right after a reset that sets it */
  bool not_reset; /* the original sets it when rst is 1, this RTL does not */
  bool below;     /* a counter that goes below 0 */
};

/** Signals that differ first in two files of waves; [0]: the likeliest. */
struct hd_suspects {
  struct hd_suspect suspects[HD_SUSPECTS];
  uint32_t n;
  uint64_t compared; /* signals */
};

/** The sources of the changed and the original RTL. The struct owns both. */
struct hd_suspect_sources {
  struct hd_rtl_source *rtl, *original;
};
int hd_suspect_sources_read(struct hd_suspect_sources *sources, const char *rtl,
                            const char *original, struct hd_error *err);
void hd_suspect_sources_free(struct hd_suspect_sources *sources);

/** Fills `cause` from what differs between two waves: times count `ticks` to a cycle, and the waves begin in cycle
 *  `first`. HD_E_NOTHING: no signal that says where a difference comes from. */
int hd_suspects_find(struct hd_suspects *cause, const struct hd_suspect_sources *sources,
                     const struct hd_wave_diff *diff, uint64_t ticks, uint64_t first,
                     struct hd_error *err);

/** Puts the likeliest signal first, once it is known which signals are `unproved`. */
void hd_suspects_sort(struct hd_suspects *cause);

/** Writes a sentence such as "owned_q of hd_output_port (hd_output_port.v:93): 1, in the original
 *  0, in cycle 7". */
void hd_suspect_text(const struct hd_suspect *suspect, bool with_cycle, struct hd_text *text);

/** After a divergence from an original: the first signal that differs in the divergent switch, as a sentence, by a replay
 *  of both from their snapshots. The texts of both are in these directories; temporary files are made in `dir`.
 *  HD_E_NOTHING: none says where it comes from; HD_E_UNSUPPORTED: a side cannot be replayed, or shows its ports alone. */
int hd_waves_find_suspect(struct hd_lockstep *lockstep, const char *rtl, const char *original,
                          const char *dir, struct hd_text *sentence, struct hd_error *err);

#endif
