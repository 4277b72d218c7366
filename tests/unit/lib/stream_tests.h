/* Fixtures for tests of backends: DUTs for random streams, and the comparison of their answers.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STREAM_TESTS_H
#define HD_STREAM_TESTS_H

#include "dice.h"
#include "../../../bridge/check/streams/stream_replay.h"

#include <errno.h>

#include "test.h"

/** Makes a DUT of `count` switches with the stream's tables. */
struct hd_dut *make_dut(const struct hd_dut_ops *ops, const struct stream *s, uint32_t count,
                        const char *options);

void make_stream(struct stream *s, const struct hd_switch_params *params, uint32_t cycles,
                 uint32_t illegal, uint64_t seed);

/** Runs cycles [from, to) and compares; returns the number of events compared. */
uint32_t run_and_compare(const struct stream *s, const struct hd_dut_ops *ops, struct hd_dut *dut,
                         uint32_t sw, uint32_t from, uint32_t to, uint32_t window, uint64_t seed);

/** Saves a switch before cycle `half`, and compares what comes after it: as it goes on, restored in the
 *  same switch, and in another one. A snapshot that is cut off is refused. Returns the events compared. */
uint32_t snapshot_and_compare(const struct stream *s, const struct hd_dut_ops *ops, uint32_t half,
                              uint64_t seed);

#endif
