/* Names a stream's first difference. For bridge/check/streams/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STREAM_JUDGE_H
#define HD_STREAM_JUDGE_H

#include "stream_replay.h"
#include "streams.h"

/** Takes over what an answer shows in cycles (from, to]; `result` says that nothing earlier differs. */
void hd_stream_judge(struct hd_stream_result *result, const struct stream *want,
                     const struct answer *answer, uint32_t from, uint32_t to);

/** A configuration read that differs. */
void hd_stream_judge_register(struct hd_stream_result *result, uint32_t cycle, uint32_t address,
                              uint16_t want, uint16_t got);

#endif
