/* Finds the signals of the RTL that were wrong first, beside those of the original.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Both play one input. A signal whose own inputs are still right is where the difference comes from.
 */
#ifndef HD_CHECK_CAUSE_H
#define HD_CHECK_CAUSE_H

#include "../campaign/campaign.h"
#include "../explain/rtl_source.h"
#include "../waves/wave_diff.h"

enum {
  CHECK_SUSPECTS = 8, /* at most */
  CHECK_CAUSE_TEXT = 400
};

struct check_suspect {
  char path[HD_RTL_PATH];
  struct hd_rtl_signal signal;
  uint64_t cycle;
  char rtl[24], original[24];
  bool unproved;  /* a proof left it open whether it is the original's */
  bool changed;   /* its assignments are not the original's */
  bool at_reset;  /* it differs right after a reset, which sets it */
  bool not_reset; /* the original sets it when rst is 1, this RTL does not */
  bool below;     /* a counter that goes below 0 */
};

/** Signals that differ first in two files of waves; [0]: the likeliest. */
struct check_cause {
  struct check_suspect suspects[CHECK_SUSPECTS];
  uint32_t n;
  uint64_t compared; /* signals */
};

/** Both sides' texts; owned. */
struct check_sources {
  struct hd_rtl_source *rtl, *original;
};
int hd_check_sources_read(struct check_sources *sources, const char *rtl, const char *original,
                          struct hd_error *err);
void hd_check_sources_free(struct check_sources *sources);

/** Fills `cause` from what differs between two waves: times count `ticks` to a cycle, and the waves begin in cycle
 *  `first`. HD_E_NOTHING: no signal that says where a difference comes from. */
int hd_check_cause_find(struct check_cause *cause, const struct check_sources *sources,
                        const struct hd_wave_diff *diff, uint64_t ticks, uint64_t first,
                        struct hd_error *err);

/** Puts the likeliest first, once it is known which are `unproved`. */
void hd_check_cause_sort(struct check_cause *cause);

/** "owned_q of hd_output_port (hd_output_port.v:93): 1, in the original 0, in cycle 7" */
void hd_check_suspect_text(const struct check_suspect *suspect, bool with_cycle,
                           struct hd_text *text);

/** Puts them into an outcome: "cause": the first as a sentence; "causes": all, a line each, with the text of their
 *  lines in the RTL; "suspects": MODULE.NAME, blanks between. */
void hd_check_cause_put(const struct check_cause *cause, const struct check_sources *sources,
                        struct hd_task_outcome *outcome);

#endif
