/* What a stream says leaves in a window, as the DUT contract tells backends. Included by switch_stream.h.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STREAM_EXPECTED_H
#define HD_STREAM_EXPECTED_H

/* What the stream says leaves in a window. */
struct stream_expected {
  struct hd_dut_expected expected;
  struct hd_flit_event *flits;
  struct hd_credit_event *credits;
  uint32_t *toggles;
};

static void stream_expect(const struct stream *s, uint32_t start, uint32_t end,
                          struct stream_expected *x)
{
  size_t most = (size_t)(end - start) * s->params.ports + 1;
  *x = (struct stream_expected){.expected.quiescent = s->quiescent,
                                .flits = calloc(most, sizeof *x->flits),
                                .credits = calloc(most, sizeof *x->credits),
                                .toggles = calloc(most, sizeof *x->toggles)};
  for (uint32_t i = 0; i < s->n_flits_out; i++)
    if (s->flits_out[i].cycle > start && s->flits_out[i].cycle <= end) {
      x->flits[x->expected.n_flits] = s->flits_out[i];
      x->flits[x->expected.n_flits++].cycle -= start;
    }
  for (uint32_t i = 0; i < s->n_credits_out; i++)
    if (s->credits_out[i].cycle > start && s->credits_out[i].cycle <= end) {
      x->credits[x->expected.n_credits] = s->credits_out[i];
      x->credits[x->expected.n_credits++].cycle -= start;
    }
  for (uint32_t i = 0; i < s->n_toggles; i++)
    if (s->toggles[i] <= start)
      x->expected.quiescent = !x->expected.quiescent;
    else if (s->toggles[i] <= end)
      x->toggles[x->expected.n_toggles++] = s->toggles[i] - start;
  x->expected.flits = x->flits;
  x->expected.credits = x->credits;
  x->expected.toggles = x->toggles;
}

static void stream_expected_fini(struct stream_expected *x)
{
  free(x->flits);
  free(x->credits);
  free(x->toggles);
}

#endif
