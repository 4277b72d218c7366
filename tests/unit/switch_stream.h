/* Random event streams around one switch, and their replay through the DUT contract.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A stream is made with the model in windows of one cycle, its senders and receivers
 * answering what the switch puts out; its output events are what every backend, at every
 * window length, must give for the same inputs. Included by tests; all functions are static.
 */
#ifndef HD_SWITCH_STREAM_H
#define HD_SWITCH_STREAM_H

#include "../../bridge/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stream {
  struct hd_switch_params params;
  uint32_t cycles;
  struct hd_config_event *tables; /* written before cycle 0; cycle is unused */
  struct hd_flit_event *flits_in, *flits_out;
  struct hd_credit_event *credits_in, *credits_out;
  struct hd_config_event *configs_in;
  uint32_t *toggles;
  uint32_t n_tables, n_flits_in, n_flits_out, n_credits_in, n_credits_out, n_configs_in, n_toggles;
  uint16_t errors; /* error register at the end */
  bool quiescent;  /* in cycle 0 */
};

static uint64_t stream_random(uint64_t *state)
{
  *state += UINT64_C(0x9e3779b97f4a7c15);
  return hd_mix64(*state);
}
static uint32_t below(uint64_t *state, uint32_t n)
{
  return (uint32_t)(stream_random(state) >> 33) % n;
}
static bool chance(uint64_t *state, uint32_t per_mille)
{
  return below(state, 1000) < per_mille;
}

/* How the stream's neighbours behave. */
struct stream_style {
  uint32_t load;    /* per mille: a new packet of an idle sender's channel in a cycle */
  uint32_t illegal; /* per mille: something that §2.8 names, in a cycle at a port */
  uint32_t only;    /* 0, or port + 1 of the one port that does so */
  uint32_t clears;  /* per mille: all error bits are cleared in a cycle */
  uint32_t pauses;  /* per mille: for 64 cycles senders stop, in the midst of packets, too */
  bool narrow;      /* barrier messages of two groups and three switches alone */
  uint32_t names;   /* narrow: 0, or where groups and switches get numbers of all widths from */
};

#include "barrier_stream.h"

static void stream_fini(struct stream *s)
{
  free(s->tables);
  free(s->flits_in);
  free(s->flits_out);
  free(s->credits_in);
  free(s->credits_out);
  free(s->configs_in);
  free(s->toggles);
}

struct neighbour {
  int credits[HD_MAX_VCS];   /* sender's */
  uint32_t left[HD_MAX_VCS]; /* flits of the packet under way */
  int owed[HD_MAX_VCS];      /* receiver's: credits not yet returned */
  struct barrier_neighbour barrier;
};

static uint64_t random_header(const struct hd_switch_params *p, uint64_t *rnd, bool any)
{
  uint32_t node_bits = hd_log2_ceil(p->nodes), port_bits = hd_log2_ceil(p->ports);
  uint64_t data = stream_random(rnd);
  uint32_t destination = any ? (uint32_t)data & ((1u << node_bits) - 1) : below(rnd, p->nodes);
  switch (below(rnd, any ? 4 : 3)) {
  case 0:
    return (data << (2 + node_bits)) | (uint64_t)destination << 2;
  case 1: /* without source tables this is unroutable, so not for legal streams */
    if (!p->source_table)
      return any ? data << 2 | 1 : (uint64_t)destination << 2;
    return (uint64_t)(any ? data >> 32 & ((1u << node_bits) - 1) : below(rnd, p->nodes))
               << (2 + node_bits) |
           (uint64_t)destination << 2 | 1;
  case 2:
    data &= ~(uint64_t)3 << 2 | ~(UINT64_C(0xf) << 2); /* path above stays random */
    data &= ~(((UINT64_C(1) << port_bits) - 1) << 2);
    return (data & ~UINT64_C(3)) |
           (uint64_t)(any ? below(rnd, 1u << port_bits) : below(rnd, p->ports)) << 2 | 2;
  default:
    return data | 3;
  }
}

static uint64_t data_mask(const struct hd_switch_params *p)
{
  return p->data_bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << p->data_bits) - 1;
}

/* At most one flit of a sender in a cycle; false: none. */
static bool send_flit(const struct hd_switch_params *p, struct neighbour *n, uint64_t *rnd,
                      const struct stream_style *style, struct hd_flit_event *e)
{
  uint32_t v = below(rnd, p->vcs);
  e->data = stream_random(rnd) & data_mask(p);
  if (style->illegal && chance(rnd, style->illegal)) {
    e->vc = (uint8_t)below(rnd, 1u << hd_log2_ceil(p->vcs));
    e->kind = (uint8_t)below(rnd, 8);
    if (e->kind & 2)
      e->data = random_header(p, rnd, true) & data_mask(p);
    if (e->vc < p->vcs && n->credits[e->vc] > 0)
      n->credits[e->vc]--;
    return true;
  }
  if (p->barrier && send_barrier(p, &n->barrier, n->credits, n->left, rnd, style, e))
    return true;
  if (n->credits[v] <= 0 || style->pauses || (!n->left[v] && !chance(rnd, style->load)))
    return false;
  if (p->barrier &&
      ((n->barrier.cut >> v & 1) || (p->barrier == HD_BARRIER_RESERVED && v == p->vcs - 1)))
    return false;
  e->vc = (uint8_t)v;
  if (n->left[v]) {
    e->kind = --n->left[v] ? HD_KIND_BODY : HD_KIND_TAIL;
  } else {
    n->left[v] = below(rnd, 8);
    e->kind = n->left[v] ? HD_KIND_HEAD : HD_KIND_SINGLE;
    e->data = random_header(p, rnd, false) & data_mask(p);
  }
  n->credits[v]--;
  return true;
}

static void random_tables(struct stream *s, uint64_t *rnd, bool illegal)
{
  const struct hd_switch_params *p = &s->params;
  for (uint32_t port = 0; port < p->ports; port++)
    for (uint32_t node = 0; node < p->nodes; node++)
      for (uint32_t source = 0; source <= p->source_table; source++) {
        uint16_t entry = hd_table_entry(below(rnd, p->ports), 1 + below(rnd, (1u << p->vcs) - 1));
        if (illegal && chance(rnd, 100))
          entry = (uint16_t)stream_random(rnd);
        s->tables[s->n_tables++] = (struct hd_config_event){
            .addr = source ? HD_CFG_SOURCE(port, node) : HD_CFG_DESTINATION(port, node),
            .data = entry};
      }
}

static bool random_config(const struct hd_switch_params *p, uint64_t *rnd,
                          struct hd_config_event *e)
{
  if (p->barrier && chance(rnd, 500)) {
    barrier_config(p, rnd, &(struct stream_style){0}, e);
    return true;
  }
  switch (below(rnd, 4)) {
  case 0:
    e->addr = HD_CFG_ERRORS;
    e->data = (uint16_t)below(rnd, p->barrier ? 4096 : 128);
    return true;
  case 1:
    e->addr = HD_CFG_DESTINATION(below(rnd, p->ports), below(rnd, p->nodes));
    e->data = (uint16_t)stream_random(rnd);
    return true;
  case 2:
    e->addr = (uint32_t)stream_random(rnd) & 0xfffff;
    e->data = (uint16_t)stream_random(rnd);
    return true;
  default:
    e->addr = HD_CFG_SOURCE(below(rnd, p->ports), below(rnd, p->nodes));
    e->data = hd_table_entry(below(rnd, p->ports), 1 + below(rnd, (1u << p->vcs) - 1));
    return true;
  }
}

/* Room for a stream, and tables for it. */
static void stream_begin(struct stream *s, const struct hd_switch_params *params, uint32_t cycles,
                         const struct stream_style *style, uint64_t *rnd)
{
  size_t most = (size_t)cycles * params->ports + 1;
  memset(s, 0, sizeof *s);
  s->params = *params;
  s->cycles = cycles;
  s->tables =
      calloc((size_t)params->ports * params->nodes * 2 + BARRIER_WORLD + 2, sizeof *s->tables);
  s->flits_in = calloc(most, sizeof *s->flits_in);
  s->flits_out = calloc(most, sizeof *s->flits_out);
  s->credits_in = calloc(most, sizeof *s->credits_in);
  s->credits_out = calloc(most, sizeof *s->credits_out);
  s->configs_in = calloc(most, sizeof *s->configs_in);
  s->toggles = calloc(most, sizeof *s->toggles);
  random_tables(s, rnd, style->illegal > 0);
  if (params->barrier)
    barrier_tables(params, rnd, style->names, s->tables, &s->n_tables);
}

/* What a receiver owes for a flit. */
static void owe(const struct hd_switch_params *p, struct neighbour *n,
                const struct hd_flit_event *flit)
{
  if (!p->barrier || !hd_barrier_beside(p) || flit->kind < HD_KIND_BARRIER ||
      flit->kind == HD_KIND_NULL)
    n->owed[flit->vc]++;
  if (p->barrier && flit->kind == HD_KIND_BARRIER_LAST)
    n->barrier.owed++;
}

/* The stream's cycles with switch 0 of `dut`, which is reset and configured, in the loop: its
 * neighbours answer what it puts out, and that is what the stream's outputs are. */
static int stream_drive(struct stream *s, const struct hd_dut_ops *ops, struct hd_dut *dut,
                        const struct stream_style *style, uint64_t *rnd, struct hd_error *err)
{
  const struct hd_switch_params *params = &s->params;
  struct neighbour n[HD_MAX_PORTS] = {0};
  uint32_t pace = 500, load = style->load, pauses = 0, cycles = s->cycles;
  int status = 0;
  for (uint32_t p = 0; p < params->ports; p++)
    for (uint32_t v = 0; v < params->vcs; v++)
      n[p].credits[v] = (int)params->depth_flits;
  for (uint32_t p = 0; p < params->ports; p++)
    n[p].barrier.credits = HD_BARRIER_QUEUE;

  for (uint32_t c = 0; !status && c < cycles; c++) {
    if (c % 64 == 0) { /* silence, trickle, flood; free receivers, slow ones, none */
      static const uint32_t paces[] = {1000, 500, 100, 0};
      static const uint32_t loads[] = {100, 20, 2, 0};
      pace = paces[below(rnd, 4)];
      load = style->load * loads[below(rnd, 4)] / 100;
      pauses = style->pauses && chance(rnd, style->pauses);
    }
    uint32_t illegal = c % 512 < 256 ? style->illegal : 0;
    struct hd_dut_job job = {.sw = 0, .start = c, .cycles = 1};
    job.flits_in = s->flits_in + s->n_flits_in;
    job.credits_in = s->credits_in + s->n_credits_in;
    job.configs_in = s->configs_in + s->n_configs_in;
    for (uint32_t p = 0; p < params->ports; p++) {
      struct hd_flit_event flit = {.port = (uint8_t)p};
      struct hd_credit_event credit = {.port = (uint8_t)p};
      struct stream_style now = {
          .load = load, .pauses = pauses, .narrow = style->narrow, .names = style->names};
      if (!style->only || style->only == p + 1)
        now.illegal = illegal;
      if (send_flit(params, &n[p], rnd, &now, &flit))
        s->flits_in[s->n_flits_in + job.n_flits_in++] = flit;
      for (uint32_t v = 0; v < params->vcs; v++)
        if (n[p].owed[v] > 0 && chance(rnd, pace)) {
          n[p].owed[v]--;
          credit.vcs |= (uint8_t)(1u << v);
        }
      if (now.illegal && chance(rnd, now.illegal / 4))
        credit.vcs |= (uint8_t)(1u << below(rnd, params->vcs));
      if (n[p].barrier.owed > 0 && chance(rnd, pace)) {
        n[p].barrier.owed--;
        credit.barrier = 1;
      }
      if (params->barrier && now.illegal && chance(rnd, now.illegal / 4))
        credit.barrier = 1;
      if (credit.vcs || credit.barrier)
        s->credits_in[s->n_credits_in + job.n_credits_in++] = credit;
    }
    if (params->barrier && !illegal && chance(rnd, style->narrow && !style->names ? 20 : 60)) {
      barrier_config(params, rnd, style, &s->configs_in[s->n_configs_in]);
      job.n_configs_in = 1;
    }
    if (illegal && chance(rnd, 100))
      job.n_configs_in = random_config(params, rnd, &s->configs_in[s->n_configs_in]);
    if (style->clears && !job.n_configs_in && chance(rnd, style->clears)) {
      s->configs_in[s->n_configs_in] =
          (struct hd_config_event){.addr = HD_CFG_ERRORS, .data = UINT16_MAX};
      job.n_configs_in = 1;
    }

    job.flits_out = s->flits_out + s->n_flits_out;
    job.credits_out = s->credits_out + s->n_credits_out;
    job.toggles = s->toggles + s->n_toggles;
    job.cap_flits_out = job.cap_credits_out = params->ports;
    job.cap_toggles = 1;
    status = ops->run(dut, &job, 1, err);
    if (!c)
      s->quiescent = job.quiescent;
    for (uint32_t i = 0; i < job.n_flits_out; i++)
      owe(params, &n[job.flits_out[i].port], &job.flits_out[i]);
    for (uint32_t i = 0; i < job.n_credits_out; i++)
      if (n[job.credits_out[i].port].barrier.credits < HD_BARRIER_QUEUE)
        n[job.credits_out[i].port].barrier.credits += job.credits_out[i].barrier;
    for (uint32_t i = 0; i < job.n_credits_out; i++)
      for (uint32_t v = 0; v < params->vcs; v++)
        if (job.credits_out[i].vcs >> v & 1 &&
            n[job.credits_out[i].port].credits[v] < (int)params->depth_flits)
          n[job.credits_out[i].port].credits[v]++;
    /* from cycles of the window to cycles of the stream */
    for (uint32_t i = 0; i < job.n_flits_in; i++)
      s->flits_in[s->n_flits_in++].cycle = c;
    for (uint32_t i = 0; i < job.n_credits_in; i++)
      s->credits_in[s->n_credits_in++].cycle = c;
    for (uint32_t i = 0; i < job.n_configs_in; i++)
      s->configs_in[s->n_configs_in++].cycle = c;
    for (uint32_t i = 0; i < job.n_flits_out; i++)
      s->flits_out[s->n_flits_out++].cycle += c;
    for (uint32_t i = 0; i < job.n_credits_out; i++)
      s->credits_out[s->n_credits_out++].cycle += c;
    for (uint32_t i = 0; i < job.n_toggles; i++)
      s->toggles[s->n_toggles++] += c;
  }
  if (!status)
    status = ops->config_read(dut, 0, HD_CFG_ERRORS, &s->errors, err);
  return status;
}

static int stream_configure(const struct stream *s, const struct hd_dut_ops *ops,
                            struct hd_dut *dut, uint32_t sw, struct hd_error *err)
{
  int status = 0;
  for (uint32_t i = 0; !status && i < s->n_tables; i++)
    status = ops->config_write(dut, sw, s->tables[i].addr, s->tables[i].data, err);
  return status;
}

/* Makes a stream; returns 0 or a status of the model backend. */
static inline int stream_make(struct stream *s, const struct hd_switch_params *params,
                              uint32_t cycles, const struct stream_style *style, uint64_t seed,
                              struct hd_error *err)
{
  const struct hd_dut_ops *model = hd_dut_model_backend();
  struct hd_dut *dut = NULL;
  uint64_t rnd = seed;
  stream_begin(s, params, cycles, style, &rnd);
  int status = model->create(&dut, params, 1, "every-cycle", err);
  if (!status)
    status = stream_configure(s, model, dut, 0, err);
  if (!status)
    status = stream_drive(s, model, dut, style, &rnd, err);
  model->destroy(dut);
  return status;
}

/* ── replay ─────────────────────────────────────────────────────────────────── */

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

static void answer_init(struct answer *a, const struct stream *s)
{
  size_t most = (size_t)s->cycles * s->params.ports + 1;
  memset(a, 0, sizeof *a);
  a->flits = calloc(most, sizeof *a->flits);
  a->credits = calloc(most, sizeof *a->credits);
  a->toggles = calloc(most, sizeof *a->toggles);
}

static void answer_fini(struct answer *a)
{
  free(a->flits);
  free(a->credits);
  free(a->toggles);
}

#include "stream_expected.h"

/* Runs the stream's cycles [from, to) on switch `sw` in windows of at most `window`. */
static inline int stream_run(const struct stream *s, const struct hd_dut_ops *ops,
                             struct hd_dut *dut, uint32_t sw, uint32_t from, uint32_t to,
                             uint32_t window, struct answer *a, struct hd_error *err)
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

/* First difference between the stream's own outputs visible in cycles (from, to] and an
 * answer, as text; "" when there is none. Returns the events compared. */
static inline uint32_t stream_compare(const struct stream *s, const struct answer *a, uint32_t from,
                                      uint32_t to, char *text, size_t size)
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

#endif
