/* The items of a tape; how it is recorded and tried. For bridge/check/streams/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STREAM_TAPE_H
#define HD_STREAM_TAPE_H

#include "stream_config.h"
#include "tape.h"

enum tape_kind {
  TAPE_RESET,
  TAPE_WRITE, /* writes, reads, saves and restores happen outside of cycles */
  TAPE_READ,
  TAPE_SAVE,
  TAPE_RESTORE,
  /* Flits, credits and writes take effect in the first cycle of the next TAPE_RUN. */
  TAPE_FLIT,
  TAPE_CREDIT,
  TAPE_CONFIG,
  TAPE_RUN,
};

struct tape_item {
  uint64_t data;        /* FLIT: its data; WRITE, CONFIG: the value; CREDIT: hd_credit_set */
  uint32_t address;     /* WRITE, READ, CONFIG */
  uint32_t cycles;      /* RUN */
  uint8_t kind;         /* enum tape_kind */
  uint8_t port, vc, is; /* FLIT, CREDIT; is: the flit's kind */
  bool every_cycle;     /* RUN: quiescent cycles are evaluated, too */
};

struct hd_tape {
  struct hd_switch_params params;
  struct tape_item *items; /* [n] */
  size_t n, capacity;
  const char *options;                /* options of the DUT; NULL: none */
  const struct hd_tape_dut *original; /* DUT in place of the model; NULL: the model */
};

/** An empty tape for a switch; the caller destroys it. */
struct hd_tape *hd_tape_create(const struct hd_switch_params *params);

/** Adds an item. A RUN after a RUN of the same kind makes that one longer. */
void hd_tape_add(struct hd_tape *tape, const struct tape_item *item);

/** Replaces the DUT of `side` by a recorder: it adds all inputs to the tape and passes them on to that DUT, which it
 *  destroys together with itself. */
void hd_tape_recorder(struct hd_tape *tape, struct stream_side *side);

/** The result of playing a tape. */
struct tape_outcome {
  struct hd_stream_result result; /* its cycles count from the last reset */
  uint16_t errors;                /* error bits that the model set */
  size_t items;                   /* items that the difference needs */
  uint64_t cycles;                /* cycles of these items */
};
/** Plays a tape up to its first difference. 0, also if it differs; HD_E_INTERRUPTED: it is later than `until`
 *  (hd_seconds_now(); 0: no limit); other codes are those of the DUT. */
int hd_tape_try(const struct hd_tape *tape, const struct hd_dut_ops *ops, double until,
                struct tape_outcome *outcome, struct hd_error *err);

/** Do both differ in the same kind of event, or in bits of the same register? If neighbours of the first keep the rules,
 *  those of the second must keep them, too. */
bool hd_tape_same_difference(const struct tape_outcome *a, const struct tape_outcome *b);

#endif
