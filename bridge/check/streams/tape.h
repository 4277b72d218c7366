/* A tape is a recording of all inputs of a switch. It can be stored, made small, played again and shown as waves.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A stream follows from a seed, and a small change of the seed gives another stream. A tape has the drawn inputs: resets,
 * configuration, flits, credits, cycles. It can lose any of them, because the model computes the expected outputs again
 * each time. As a file it is text with a line for each item (docs/check.md).
 */
#ifndef HD_TAPE_H
#define HD_TAPE_H

#include "../../explain/explain.h"
#include "../../waves/waves.h"
#include "streams.h"

struct hd_tape;

/** Plays a case as hd_stream_play does, up to its first difference, and records the inputs of the DUT. The caller destroys
 *  the tape. Errors are those of the DUT. */
int hd_tape_record(struct hd_tape **tape, const struct hd_stream_case *c,
                   const struct hd_dut_ops *ops, struct hd_error *err);
/** Read and write a tape as a file. HD_E_IO; HD_E_INPUT names the line. */
int hd_tape_read(struct hd_tape **tape, const char *path, struct hd_error *err);
int hd_tape_write(const struct hd_tape *tape, const char *path, struct hd_error *err);
void hd_tape_destroy(struct hd_tape *tape); /* NULL is fine */

/** The parameters of the tape's switch. */
const struct hd_switch_params *hd_tape_params(const struct hd_tape *tape);

/** Numbers of inputs (flits, credits, resets, reads, writes, snapshots) and of cycles. */
struct hd_tape_size {
  uint64_t inputs, cycles;
};
struct hd_tape_size hd_tape_size(const struct hd_tape *tape);

/** Plays the tape on model and DUT, up to the first difference. Returns as hd_stream_play; HD_E_INPUT: the switch cannot
 *  take an item. */
int hd_tape_play(const struct hd_tape *tape, const struct hd_dut_ops *ops,
                 struct hd_stream_result *result, struct hd_error *err);

/** Leaves out items that the difference does not need, for at most `seconds`. Afterwards the tape still differs in the same
 *  kind of event, or in the same register. If neighbours keep the rules in the tape, they keep them afterwards, too.
 *  HD_E_NOTHING: the tape shows no difference when it is played alone. */
int hd_tape_shrink(struct hd_tape *tape, const struct hd_dut_ops *ops, double seconds,
                   struct hd_error *err);

/** A DUT on which a tape is played; options are for its create. */
struct hd_tape_dut {
  const struct hd_dut_ops *ops;
  const char *options;
};

/** Compares the tape with this DUT in place of the model from now on, because the model knows no router but Heddle's.
 *  NULL: with the model again. Borrowed. */
void hd_tape_set_reference(struct hd_tape *tape, const struct hd_tape_dut *original);

/** Returns the tape for a switch of other parameters, without the items that this switch cannot take. The caller destroys
 *  it. */
struct hd_tape *hd_tape_refit(const struct hd_tape *tape, const struct hd_switch_params *params);
/** Applies change number `i` to `params`, which makes the tape's switch smaller if it is not so small already. False: there
 *  is no such change. */
bool hd_tape_smaller_params(const struct hd_tape *tape, uint32_t i,
                            struct hd_switch_params *params);
/** Does a tape on `dut` show the same difference as tape `as` on `as_dut`: the same kind of event, or the same register?
 *  False also where it is later than `until`. */
bool hd_tape_fails_as(const struct hd_tape *tape, const struct hd_tape *as,
                      const struct hd_tape_dut *dut, const struct hd_tape_dut *as_dut,
                      double until);

/** Writes waves of model and DUT around the difference into the existing directory `dir` (bridge/waves/waves.h), under a
 *  `title`. `watcher`, which may be NULL, gets the values of these cycles. `explanation` is zeroed before; it gets
 *  divergence, last flits, state, and the first wrong state or the reason why there is none. HD_E_IO; HD_E_NOTHING: the
 *  tape shows no difference. */
int hd_tape_show(const struct hd_tape *tape, const struct hd_tape_dut *dut, const char *title,
                 const char *dir, struct hd_waves_watcher *watcher,
                 struct hd_explanation *explanation, struct hd_error *err);

/** Writes waves of two DUTs, the first of which differs from the model, up to the cycle of the difference: cycle c begins
 *  at time 2 c. `*first` gets the first cycle. Errors as of hd_tape_show; HD_E_UNSUPPORTED: a DUT has no waves. */
int hd_tape_trace(const struct hd_tape *tape, const struct hd_tape_dut duts[2],
                  const char *const paths[2], uint64_t *first, struct hd_error *err);

#endif
