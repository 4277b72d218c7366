/* Replay of a stream on a DUT, and comparison with what it answered.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STREAM_REPLAY_H
#define HD_STREAM_REPLAY_H

#include "switch_stream.h"

/* What a DUT answered to a stream, cycles counted as in the stream. */
struct answer {
  struct hd_flit_event *flits;
  struct hd_credit_event *credits;
  uint32_t *toggles;
  uint32_t n_flits, n_credits, n_toggles;
  uint64_t evaluated_cycles;
  bool some, quiescent; /* has windows; in the first cycle of the first */
  bool told;            /* set by the caller: the DUT is told what must leave */
};

/* What the stream says leaves in a window. */
struct stream_expected {
  struct hd_dut_expected expected;
  struct hd_flit_event *flits;
  struct hd_credit_event *credits;
  uint32_t *toggles;
};

/** Runs the stream's cycles [from, to) on switch `sw` in windows of at most `window`. */
int stream_run(const struct stream *s, const struct hd_dut_ops *ops, struct hd_dut *dut,
               uint32_t sw, uint32_t from, uint32_t to, uint32_t window, struct answer *a,
               struct hd_error *err);

/** First difference between the stream's own outputs visible in cycles (from, to] and an
 * answer, as text; "" when there is none. Returns the events compared. */
uint32_t stream_compare(const struct stream *s, const struct answer *a, uint32_t from, uint32_t to,
                        char *text, size_t size);

void answer_init(struct answer *a, const struct stream *s);

void answer_fini(struct answer *a);

void stream_expect(const struct stream *s, uint32_t start, uint32_t end, struct stream_expected *x);

void stream_expected_fini(struct stream_expected *x);

#endif
