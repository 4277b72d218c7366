/* Replay of a stream on a DUT, and comparison with what it answered.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void answer_init(struct answer *a, const struct stream *s)
{
  size_t most = (size_t)s->cycles * s->params.ports + 1;
  memset(a, 0, sizeof *a);
  a->flits = calloc(most, sizeof *a->flits);
  a->credits = calloc(most, sizeof *a->credits);
  a->toggles = calloc(most, sizeof *a->toggles);
}

void answer_fini(struct answer *a)
{
  free(a->flits);
  free(a->credits);
  free(a->toggles);
}

void stream_expect(const struct stream *s, uint32_t start, uint32_t end, struct stream_expected *x)
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

void stream_expected_fini(struct stream_expected *x)
{
  free(x->flits);
  free(x->credits);
  free(x->toggles);
}

int stream_run(const struct stream *s, const struct hd_dut_ops *ops, struct hd_dut *dut,
               uint32_t sw, uint32_t from, uint32_t to, uint32_t window, struct answer *a,
               struct hd_error *err)
{
  size_t most = (size_t)window * s->params.ports;
  struct hd_flit_event *flits = malloc(most * sizeof *flits);
  struct hd_credit_event *credits = malloc(most * sizeof *credits);
  struct hd_config_event *configs = malloc(window * sizeof *configs);
  uint32_t f = 0, c = 0, w = 0;
  int status = 0;
  while (f < s->n_flits_in && s->flits_in[f].cycle < from)
    f++;
  while (c < s->n_credits_in && s->credits_in[c].cycle < from)
    c++;
  while (w < s->n_configs_in && s->configs_in[w].cycle < from)
    w++;
  for (uint32_t start = from; !status && start < to; start += window) {
    uint32_t cycles = to - start < window ? to - start : window, end = start + cycles;
    struct hd_dut_job job = {.sw = sw,
                             .cycles = cycles,
                             .start = start,
                             .flits_in = flits,
                             .credits_in = credits,
                             .configs_in = configs,
                             .flits_out = a->flits + a->n_flits,
                             .credits_out = a->credits + a->n_credits,
                             .toggles = a->toggles + a->n_toggles};
    job.cap_flits_out = job.cap_credits_out = cycles * s->params.ports;
    job.cap_toggles = cycles;
    for (; f < s->n_flits_in && s->flits_in[f].cycle < end; f++) {
      flits[job.n_flits_in] = s->flits_in[f];
      flits[job.n_flits_in++].cycle -= start;
    }
    for (; c < s->n_credits_in && s->credits_in[c].cycle < end; c++) {
      credits[job.n_credits_in] = s->credits_in[c];
      credits[job.n_credits_in++].cycle -= start;
    }
    for (; w < s->n_configs_in && s->configs_in[w].cycle < end; w++) {
      configs[job.n_configs_in] = s->configs_in[w];
      configs[job.n_configs_in++].cycle -= start;
    }
    struct stream_expected x = {.toggles = NULL};
    if (a->told) {
      stream_expect(s, start, end, &x);
      job.expected = &x.expected;
    }
    status = ops->run(dut, &job, 1, err);
    stream_expected_fini(&x);
    if (!status && job.lost)
      status = hd_fail(err, HD_E_INTERNAL, "%u events lost", job.lost);
    for (uint32_t i = 0; i < job.n_flits_out; i++)
      a->flits[a->n_flits++].cycle += start;
    for (uint32_t i = 0; i < job.n_credits_out; i++)
      a->credits[a->n_credits++].cycle += start;
    for (uint32_t i = 0; i < job.n_toggles; i++)
      a->toggles[a->n_toggles++] += start;
    a->evaluated_cycles += job.evaluated_cycles;
    if (!a->some)
      a->quiescent = job.quiescent;
    a->some = true;
  }
  free(flits);
  free(credits);
  free(configs);
  return status;
}

uint32_t stream_compare(const struct stream *s, const struct answer *a, uint32_t from, uint32_t to,
                        char *text, size_t size)
{
  uint32_t f = 0, c = 0, t = 0, n = 0;
  *text = '\0';
  while (f < s->n_flits_out && s->flits_out[f].cycle <= from)
    f++;
  while (c < s->n_credits_out && s->credits_out[c].cycle <= from)
    c++;
  while (t < s->n_toggles && s->toggles[t] <= from)
    t++;
  static const struct hd_flit_event no_flit = {.cycle = UINT32_MAX};
  static const struct hd_credit_event no_credit = {.cycle = UINT32_MAX};
  struct hd_flit_event ef = no_flit, gf = no_flit;
  struct hd_credit_event ec = no_credit, gc = no_credit;
  uint32_t et = UINT32_MAX, gt = UINT32_MAX;
  bool level = s->quiescent ^ (t & 1);
  for (uint32_t i = 0;; i++, n++) {
    ef = f + i < s->n_flits_out && s->flits_out[f + i].cycle <= to ? s->flits_out[f + i] : no_flit;
    gf = i < a->n_flits ? a->flits[i] : no_flit;
    if (memcmp(&ef, &gf, sizeof ef) || ef.cycle == UINT32_MAX)
      break;
  }
  for (uint32_t i = 0;; i++, n++) {
    ec = c + i < s->n_credits_out && s->credits_out[c + i].cycle <= to ? s->credits_out[c + i]
                                                                       : no_credit;
    gc = i < a->n_credits ? a->credits[i] : no_credit;
    if (memcmp(&ec, &gc, sizeof ec) || ec.cycle == UINT32_MAX)
      break;
  }
  for (uint32_t i = 0;; i++, n++) {
    et = t + i < s->n_toggles && s->toggles[t + i] <= to ? s->toggles[t + i] : UINT32_MAX;
    gt = i < a->n_toggles ? a->toggles[i] : UINT32_MAX;
    if (et != gt || et == UINT32_MAX)
      break;
  }
  if (memcmp(&ef, &gf, sizeof ef) || memcmp(&ec, &gc, sizeof ec) || et != gt ||
      a->quiescent != level)
    snprintf(text, size,
             "flit: want cycle %d port %u vc %u kind %u data %llx, got %d %u %u %u %llx; credit: "
             "want %d %u %x, got %d %u %x; quiescent: want %d toggle %d, got %d %d",
             (int)ef.cycle, ef.port, ef.vc, ef.kind, (unsigned long long)ef.data, (int)gf.cycle,
             gf.port, gf.vc, gf.kind, (unsigned long long)gf.data, (int)ec.cycle, ec.port, ec.vcs,
             (int)gc.cycle, gc.port, gc.vcs, level, (int)et, a->quiescent, (int)gt);
  return n;
}
