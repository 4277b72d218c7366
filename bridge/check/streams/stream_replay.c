/* Replays a stream on a DUT, and compares the DUT's answer with the stream.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hd_answer_init(struct answer *a, const struct stream *s)
{
  size_t most = ((size_t)s->cycles + 1) * s->params.ports + 1;
  memset(a, 0, sizeof *a);
  a->flits = calloc(most, sizeof *a->flits);
  a->credits = calloc(most, sizeof *a->credits);
  a->toggles = calloc(most, sizeof *a->toggles);
}

void hd_answer_fini(struct answer *a)
{
  free(a->flits);
  free(a->credits);
  free(a->toggles);
}

void hd_stream_expect(const struct stream *s, uint32_t start, uint32_t end,
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

void hd_stream_expected_fini(struct stream_expected *x)
{
  free(x->flits);
  free(x->credits);
  free(x->toggles);
}

int hd_stream_run(const struct stream *s, const struct hd_dut_ops *ops, struct hd_dut *dut,
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
                             .every_cycle = a->every_cycle,
                             .flits_in = flits,
                             .credits_in = credits,
                             .configs_in = configs,
                             .flits_out = a->flits + a->n_flits,
                             .credits_out = a->credits + a->n_credits,
                             .toggles = a->toggles + a->n_toggles};
    job.cap_flits_out = job.cap_credits_out = (cycles + 1) * s->params.ports;
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
    if (a->gets_expected) {
      hd_stream_expect(s, start, end, &x);
      job.expected = &x.expected;
    }
    status = ops->run(dut, &job, 1, err);
    hd_stream_expected_fini(&x);
    if (!status && job.lost)
      status = hd_fail(err, HD_E_INTERNAL, "%u events lost", job.lost);
    for (uint32_t i = 0; i < job.n_flits_out; i++)
      a->flits[a->n_flits++].cycle += start;
    for (uint32_t i = 0; i < job.n_credits_out; i++)
      a->credits[a->n_credits++].cycle += start;
    for (uint32_t i = 0; i < job.n_toggles; i++)
      a->toggles[a->n_toggles++] += start;
    if (job.assertion.failed && !a->assertion.failed) {
      a->assertion = job.assertion;
      a->assertion.cycle += start;
    }
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

static void name_flit(const struct hd_stream_shown *shown, char *text, size_t size)
{
  static const char *const names[] = {"body",          "tail",         "head",    "single",
                                      "first barrier", "last barrier", "padding", "null"};
  const struct hd_flit_event *e = &shown->flit;
  if (!shown->some)
    snprintf(text, size, "nothing");
  else
    snprintf(text, size, "a %s flit, channel %u, data 0x%llx", names[e->kind & 7], e->vc,
             (unsigned long long)e->data);
}

/* Writes a credit as text: "credits of channels 0 and 2, a credit of barrier messages, count 3". */
static void name_credit(const struct hd_stream_shown *shown, char *text, size_t size)
{
  const struct hd_credit_event *e = &shown->credit;
  size_t n = 0;
  if (!shown->some)
    snprintf(text, size, "no credit");
  for (unsigned v = 0, left = (unsigned)__builtin_popcount(e->vcs); shown->some && left; v++)
    if (e->vcs >> v & 1) {
      left--;
      n += (size_t)snprintf(text + n, size - n, "%s%u",
                            n == 0      ? (left ? "credits of channels " : "a credit of channel ")
                            : left == 0 ? " and "
                                        : ", ",
                            v);
    }
  if (shown->some && e->barrier)
    n += (size_t)snprintf(text + n, size - n, "%sa credit of barrier messages", n ? ", " : "");
  if (shown->some && e->count)
    snprintf(text + n, size - n, "%scount %u", n ? ", " : "", e->count & HD_COUNT_MOST);
}

/* Does the first event come before the other, by cycle and then by port? */
static bool earlier(uint32_t cycle, uint8_t port, uint32_t other_cycle, uint8_t other_port)
{
  return cycle != other_cycle ? cycle < other_cycle : port <= other_port;
}

uint32_t hd_stream_find_difference(const struct stream *s, const struct answer *a, uint32_t from,
                                   uint32_t to, struct stream_difference *first)
{
  uint32_t f = 0, c = 0, t = 0, n = 0;
  *first = (struct stream_difference){
      .kind = STREAM_AGREED, .cycle = UINT32_MAX, .port = 0xff, .vc = 0xff};
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
  bool level = s->quiescent ^ (t & 1), now = level;
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
    now = !now;
  }
  char want[100], got[100];
  if (a->quiescent != level) {
    first->kind = STREAM_QUIESCENT;
    first->cycle = from;
    first->expected.quiescent = level;
    first->got.quiescent = a->quiescent;
    snprintf(first->text, sizeof first->text, "quiescent_o was %d in cycle %u; expected %d",
             a->quiescent, from, level);
    return n;
  }
  if (memcmp(&ef, &gf, sizeof ef)) {
    const struct hd_flit_event *e = earlier(ef.cycle, ef.port, gf.cycle, gf.port) ? &ef : &gf;
    first->kind = STREAM_FLIT;
    first->cycle = e->cycle;
    first->port = e->port;
    first->vc = e->vc;
    first->expected =
        (struct hd_stream_shown){.some = ef.cycle == e->cycle && ef.port == e->port, .flit = ef};
    first->got =
        (struct hd_stream_shown){.some = gf.cycle == e->cycle && gf.port == e->port, .flit = gf};
    name_flit(&first->expected, want, sizeof want);
    name_flit(&first->got, got, sizeof got);
    snprintf(first->text, sizeof first->text, "port %u sent %s in cycle %u; expected %s", e->port,
             got, e->cycle, want);
  }
  if (memcmp(&ec, &gc, sizeof ec)) {
    const struct hd_credit_event *e = earlier(ec.cycle, ec.port, gc.cycle, gc.port) ? &ec : &gc;
    if (e->cycle < first->cycle) {
      bool both = ec.cycle == gc.cycle && ec.port == gc.port;
      unsigned set = both ? ec.vcs ^ gc.vcs : e->vcs;
      first->kind = STREAM_CREDIT;
      first->cycle = e->cycle;
      first->port = e->port;
      first->vc = set ? (uint8_t)__builtin_ctz(set) : 0xff;
      if (!set && !(both ? ec.barrier ^ gc.barrier : e->barrier))
        first->vc = HD_COUNT_WIRES;
      first->expected = (struct hd_stream_shown){.some = ec.cycle == e->cycle && ec.port == e->port,
                                                 .credit = ec};
      first->got = (struct hd_stream_shown){.some = gc.cycle == e->cycle && gc.port == e->port,
                                            .credit = gc};
      name_credit(&first->expected, want, sizeof want);
      name_credit(&first->got, got, sizeof got);
      snprintf(first->text, sizeof first->text, "port %u gave %s back in cycle %u; expected %s",
               e->port, got, e->cycle, want);
    }
  }
  if (et != gt && (et < gt ? et : gt) < first->cycle) {
    first->kind = STREAM_QUIESCENT;
    first->cycle = et < gt ? et : gt;
    first->port = first->vc = 0xff;
    first->expected = (struct hd_stream_shown){.quiescent = et < gt ? !now : now};
    first->got = (struct hd_stream_shown){.quiescent = et < gt ? now : !now};
    snprintf(first->text, sizeof first->text, "quiescent_o was %d in cycle %u; expected %d",
             first->got.quiescent, first->cycle, first->expected.quiescent);
  }
  return n;
}

uint32_t hd_stream_compare(const struct stream *s, const struct answer *a, uint32_t from,
                           uint32_t to, char *text, size_t size)
{
  struct stream_difference first;
  uint32_t n = hd_stream_find_difference(s, a, from, to, &first);
  snprintf(text, size, "%s", first.text);
  return n;
}
