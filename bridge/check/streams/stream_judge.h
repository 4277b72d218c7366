/* Describes a stream's first difference. For bridge/check/streams/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STREAM_JUDGE_H
#define HD_STREAM_JUDGE_H

#include "stream_replay.h"
#include "streams.h"

/** Compares an answer with the stream in cycles (from, to], and writes the first difference to `result`, which has none
 *  yet. */
void hd_stream_judge(struct hd_stream_result *result, const struct stream *want,
                     const struct answer *answer, uint32_t from, uint32_t to);

/** Writes a configuration read that differs to `result`. */
void hd_stream_judge_register(struct hd_stream_result *result, uint32_t cycle, uint32_t address,
                              uint16_t want, uint16_t got);

#endif
