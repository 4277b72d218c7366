/* Replays a stream on a DUT, and compares the DUT's answer with the stream.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STREAM_REPLAY_H
#define HD_STREAM_REPLAY_H

#include "streams.h"
#include "switch_stream.h"

/* A DUT's answer to a stream, in cycles of the stream. */
struct answer {
  struct hd_flit_event *flits;
  struct hd_credit_event *credits;
  uint32_t *toggles;
  uint32_t n_flits, n_credits, n_toggles;
  uint64_t evaluated_cycles;
  bool some, quiescent; /* some: a window was played; quiescent: in the first cycle of the first */
  bool gets_expected;   /* set by the caller: the DUT gets the expected outputs */
  bool every_cycle;     /* set by the caller: quiescent cycles are evaluated, too */
  struct hd_dut_assertion assertion; /* the first that failed; its cycle is that of the stream */
};

/* The first difference between a stream and an answer. */
struct stream_difference {
  enum { STREAM_AGREED, STREAM_FLIT, STREAM_CREDIT, STREAM_QUIESCENT } kind;
  uint32_t cycle;
  uint8_t port, vc; /* 0xff: of no port or channel */
  struct hd_stream_shown expected, got;
  char text[320]; /* both events in a sentence; "": no difference */
};

/* The expected outputs of a window, and the room for them. */
struct stream_expected {
  struct hd_dut_expected expected;
  struct hd_flit_event *flits;
  struct hd_credit_event *credits;
  uint32_t *toggles;
};

/** Plays the stream's cycles [from, to) on switch `sw`, in windows of at most `window` cycles, and adds its outputs to the
 *  answer. Errors are those of the DUT. */
int hd_stream_run(const struct stream *s, const struct hd_dut_ops *ops, struct hd_dut *dut,
                  uint32_t sw, uint32_t from, uint32_t to, uint32_t window, struct answer *a,
                  struct hd_error *err);

/** Finds the first difference between an answer and the stream's outputs that are visible in cycles (from, to]. Returns
 *  the number of compared events. */
uint32_t hd_stream_find_difference(const struct stream *s, const struct answer *a, uint32_t from,
                                   uint32_t to, struct stream_difference *first);

/** Does the same, but gives only the text of the difference; "": nothing differs. */
uint32_t hd_stream_compare(const struct stream *s, const struct answer *a, uint32_t from,
                           uint32_t to, char *text, size_t size);

/** Prepares an empty answer with room for all outputs of the stream. */
void hd_answer_init(struct answer *a, const struct stream *s);

void hd_answer_fini(struct answer *a);

/** Gives the expected outputs of the window from cycle `start` to `end`, in cycles of the window. The caller frees them. */
void hd_stream_expect(const struct stream *s, uint32_t start, uint32_t end,
                      struct stream_expected *x);

void hd_stream_expected_fini(struct stream_expected *x);

#endif
