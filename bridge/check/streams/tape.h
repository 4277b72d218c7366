/* A recording of all that a stream gave to a switch. It can be stored, made small, played again and shown as waves.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A stream is given by the numbers that it is drawn from; a small change of them draws another one. A tape has
 * what was drawn: resets, configuration, flits, credits, cycles. It can lose any of them; the model says anew what
 * must come out. As a file it is text, a line each (docs/check.md).
 */
#ifndef HD_TAPE_H
#define HD_TAPE_H

#include "../../explain/explain.h"
#include "../../waves/waves.h"
#include "streams.h"

struct hd_tape;

/** Plays a case as hd_stream_play does, up to its first difference, and keeps what the DUT was given. The
 *  caller destroys the tape. What the DUT returns. */
int hd_tape_record(struct hd_tape **tape, const struct hd_stream_case *c,
                   const struct hd_dut_ops *ops, struct hd_error *err);
/** HD_E_IO; HD_E_INPUT names the line. */
int hd_tape_read(struct hd_tape **tape, const char *path, struct hd_error *err);
int hd_tape_write(const struct hd_tape *tape, const char *path, struct hd_error *err);
void hd_tape_destroy(struct hd_tape *tape); /* NULL is fine */

const struct hd_switch_params *hd_tape_params(const struct hd_tape *tape);

/** Flits, credits, resets, reads and writes; and cycles. */
struct hd_tape_size {
  uint64_t inputs, cycles;
};
struct hd_tape_size hd_tape_size(const struct hd_tape *tape);

/** Plays it on model and DUT, up to the first difference. Returns as hd_stream_play; HD_E_INPUT: some line is
 *  nothing that a switch can be given. */
int hd_tape_play(const struct hd_tape *tape, const struct hd_dut_ops *ops,
                 struct hd_stream_result *result, struct hd_error *err);

/** Leaves out what the difference does not need, for at most so many seconds. The tape differs in the same
 *  kind of event, or the same register, afterwards. Where the model records no error, it records none
 *  then either: neighbours that keep the rules keep them. HD_E_NOTHING: played by itself, nothing differs. */
int hd_tape_shrink(struct hd_tape *tape, const struct hd_dut_ops *ops, double seconds,
                   struct hd_error *err);

/** A DUT to play a tape on; options are for its create. */
struct hd_tape_dut {
  const struct hd_dut_ops *ops;
  const char *options;
};

/** From here on it is played beside this DUT in place of the model, which knows no router but Heddle's. NULL: the model
 *  again. Borrowed. */
void hd_tape_beside(struct hd_tape *tape, const struct hd_tape_dut *original);

/** The tape for a switch of other parameters; what that one cannot be given is left out. To be
 *  destroyed. */
struct hd_tape *hd_tape_refit(const struct hd_tape *tape, const struct hd_switch_params *params);
/** Makes parameters of the tape's switch smaller in way `i`, if they are not; false: there is no such way. */
bool hd_tape_smaller_params(const struct hd_tape *tape, uint32_t i,
                            struct hd_switch_params *params);
/** Does a tape differ on a DUT as another does on one: in the same kind of event, or the same register? In time. */
bool hd_tape_fails_as(const struct hd_tape *tape, const struct hd_tape *as,
                      const struct hd_tape_dut *dut, const struct hd_tape_dut *as_dut,
                      double until);

/** Waves of model and DUT around the difference, into `dir`, which exists (bridge/waves/waves.h); `title` is
 *  their head, `watcher` is told of the cycles around it (NULL: nobody is). `explanation` is zeroed; it gets
 *  divergence, last flits, state and first wrong state, and why there is none. HD_E_IO, HD_E_NOTHING:
 *  nothing differs. */
int hd_tape_show(const struct hd_tape *tape, const struct hd_tape_dut *dut, const char *title,
                 const char *dir, struct hd_waves_watcher *watcher,
                 struct hd_explanation *explanation, struct hd_error *err);

/** Waves of two DUTs, the first of which differs from the model, up to the cycle of the difference: cycle c begins
 *  at time 2 c. `*first`: the first cycle. As hd_tape_show; HD_E_UNSUPPORTED: a DUT has no waves. */
int hd_tape_trace(const struct hd_tape *tape, const struct hd_tape_dut duts[2],
                  const char *const paths[2], uint64_t *first, struct hd_error *err);

#endif
