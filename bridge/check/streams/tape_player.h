/* Plays a tape on both sides, window by window. For bridge/check/streams/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TAPE_PLAYER_H
#define HD_TAPE_PLAYER_H

#include "stream_tape.h"

enum {
  TAPE_MODEL, /* the model, or the original in its place */
  TAPE_DUT,
  TAPE_WINDOW = 64 /* cycles */
};

/* The inputs of a window; cycles count from its first cycle. */
struct tape_inputs {
  struct hd_flit_event flits[(TAPE_WINDOW + 1) * HD_MAX_PORTS];
  struct hd_credit_event credits[(TAPE_WINDOW + 1) * HD_MAX_PORTS];
  struct hd_config_event configs[TAPE_WINDOW + 1];
  uint32_t n_flits, n_credits, n_configs, cycles;
  bool every_cycle;
};

/* The outputs of one side in a window. */
struct tape_outputs {
  struct hd_flit_event flits[(TAPE_WINDOW + 1) * HD_MAX_PORTS];
  struct hd_credit_event credits[(TAPE_WINDOW + 1) * HD_MAX_PORTS];
  uint32_t toggles[TAPE_WINDOW], n_flits, n_credits, n_toggles;
  bool quiescent;
  struct hd_dut_assertion assertion;
};

struct tape_player {
  const struct hd_tape *tape;
  struct stream_side sides[2];
  struct hd_dut_buffer saved[2];
  struct tape_inputs in;
  struct tape_outputs out[2];
  uint64_t cycle;  /* since the last reset */
  uint64_t cycles; /* cycles of all windows so far */
  struct tape_outcome *outcome;
};

/** The caller destroys *player, after failures too. Errors are those of the DUT. */
int hd_tape_player_create(struct tape_player **player, const struct hd_tape *tape,
                          const struct hd_dut_ops *ops, struct hd_error *err);
void hd_tape_player_destroy(struct tape_player *player); /* NULL is fine */

/** Adds an event to the next cycle. HD_E_INPUT: there are more events than pins can carry. */
int hd_tape_add_event(struct tape_inputs *in, const struct tape_item *item, struct hd_error *err);
/** Gives both sides the events of `in`, and writes their answers to `out`. Errors are those of the DUTs. */
int hd_tape_run_window(struct tape_player *player, struct hd_error *err);
/** Carries out an item that takes no cycle: a reset, a write, saving or restoring a state. */
int hd_tape_do_item(struct tape_player *player, const struct tape_item *item, struct hd_error *err);

#endif
