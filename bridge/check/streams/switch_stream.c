/* Draws random event streams around one switch, with a DUT in the loop.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "switch_stream.h"

#include "barrier_stream.h"
#include "barrier_trees.h"
#include "cast_stream.h"
#include "coder_stream.h"
#include "route_stream.h"
#include "stream_random.h"

#include <stdlib.h>
#include <string.h>

struct neighbour {
  int credits[HD_MAX_VCS];   /* as sender: its credits */
  uint32_t left[HD_MAX_VCS]; /* as sender: flits that its packet under way still has */
  int owed[HD_MAX_VCS];      /* as receiver: credits that it has not yet returned */
  uint32_t kept;             /* as receiver: channel for which it returns no credits for now */
  uint32_t filled;           /* channel + 1 whose last credit was used in the last cycle */
  struct barrier_neighbour barrier;
};

void hd_stream_fini(struct stream *s)
{
  free(s->tables);
  free(s->flits_in);
  free(s->flits_out);
  free(s->credits_in);
  free(s->credits_out);
  free(s->configs_in);
  free(s->toggles);
  free(s->reads);
}

static uint64_t random_header(const struct hd_switch_params *p, uint64_t *rnd, bool any)
{
  uint32_t node_bits = hd_log2_ceil(p->nodes), port_bits = hd_log2_ceil(p->ports);
  uint64_t data = next_random(rnd), source;
  uint32_t destination = any ? (uint32_t)data & ((1u << node_bits) - 1) : below(rnd, p->nodes);
  const uint32_t most = hd_switch_has_sets(p) ? 0 : 3; /* mode of packets that choose, or decide */
  uint32_t mode = p->adaptive && chance(rnd, 500) ? most : below(rnd, 4);
  if (p->route && !any && (mode & 1) && !(p->source_table && mode == 1))
    mode = 0; /* §12.2 */
  switch (mode) {
  case 0:
    return (data << (2 + node_bits)) | (uint64_t)destination << 2;
  case 1:
  case 3: /* without source tables it is unroutable, so not for legal streams */
    if (!p->source_table)
      return any ? data << 2 | mode : (uint64_t)destination << 2 | (mode == 1);
    source = any ? data >> 32 & ((1u << node_bits) - 1) : below(rnd, p->nodes);
    if (any && data >> 63) /* a row beyond that of the last node */
      source |= p->nodes & ((1u << node_bits) - 1);
    return source << (2 + node_bits) | (uint64_t)destination << 2 | mode;
  default:
    data &= ~(uint64_t)3 << 2 | ~(UINT64_C(0xf) << 2); /* the later ports of the path stay random */
    data &= ~(((UINT64_C(1) << port_bits) - 1) << 2);
    return (data & ~UINT64_C(3)) |
           (uint64_t)(any ? below(rnd, 1u << port_bits) : below(rnd, p->ports)) << 2 | 2;
  }
}

static uint64_t data_mask(const struct hd_switch_params *p)
{
  return p->data_bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << p->data_bits) - 1;
}

/* Draws the flit that a sender sends in this cycle; false: it sends none. */
static bool send_flit(const struct hd_switch_params *p, struct neighbour *n, uint64_t *rnd,
                      const struct stream_style *style, struct hd_flit_event *e)
{
  uint32_t v = style->lane ? style->lane - 1 : below(rnd, p->vcs);
  const bool full = n->filled && n->credits[n->filled - 1] <= 0;
  const bool overruns = style->illegal && full && chance(rnd, 500);
  e->data = next_random(rnd) & data_mask(p);
  if (overruns || (style->illegal && chance(rnd, style->illegal))) {
    const uint32_t vc = below(rnd, 1u << hd_log2_ceil(p->vcs));
    e->vc = (uint8_t)(overruns ? n->filled - 1 : vc);
    e->kind = (uint8_t)below(rnd, 8);
    if (e->kind & 2)
      e->data = random_header(p, rnd, true) & data_mask(p);
    if ((e->kind & 2) && p->code_places)
      e->data = hd_coder_header(p, rnd, style, e->data, 1 + below(rnd, 3));
    if (e->vc < p->vcs && n->credits[e->vc] > 0)
      n->credits[e->vc]--;
    return true;
  }
  if (style->sinks) {
    if (n->credits[v] <= 0)
      return false;
    n->credits[v]--;
    e->vc = (uint8_t)v;
    e->kind = below(rnd, 2) ? HD_KIND_HEAD : HD_KIND_SINGLE;
    e->data &= ~UINT64_C(3);     /* mode 0: by the tables */
    e->data |= p->route ? 3 : 0; /* §12.2: unroutable */
    return true;
  }
  if (p->barrier && hd_barrier_stream_send(p, &n->barrier, n->credits, n->left, rnd, style, e))
    return true;
  if (n->credits[v] <= 0 || style->pauses || (!n->left[v] && !chance(rnd, style->load)))
    return false;
  if (p->barrier && n->barrier.preempted >> v & 1)
    return false;
  /* Only a style that breaks rules sends packets on the channel of barrier messages (§7.6). */
  if (p->barrier == HD_BARRIER_RESERVED && v == p->vcs - 1 && !style->illegal)
    return false;
  e->vc = (uint8_t)v;
  if (n->left[v]) {
    e->kind = --n->left[v] ? HD_KIND_BODY : HD_KIND_TAIL;
  } else {
    n->left[v] = style->singles ? 0 : p->code_places ? hd_coder_flits(rnd) - 1 : below(rnd, 8);
    if (p->trees && chance(rnd, 500)) /* multicast packets are singles */
      n->left[v] = 0;
    e->kind = n->left[v] ? HD_KIND_HEAD : HD_KIND_SINGLE;
    e->data = random_header(p, rnd, false) & data_mask(p);
    if (p->trees)
      e->data = hd_cast_stream_header(p, rnd, e->data, !n->left[v]);
    if (p->code_places)
      e->data = hd_coder_header(p, rnd, style, e->data, n->left[v] + 1);
  }
  n->credits[v]--;
  return true;
}

/* Each draw is a statement of its own, here and in all streams. If one expression had two draws, the compiler would choose
 * their order, and a seed would not always give the same stream. */
struct row {
  uint32_t port, node;
};
static struct row random_row(const struct hd_switch_params *p, uint64_t *rnd)
{
  struct row row;
  row.port = below(rnd, p->ports);
  row.node = below(rnd, p->nodes);
  return row;
}

static uint16_t random_entry(const struct hd_switch_params *p, uint64_t *rnd)
{
  const uint32_t channels = 1 + below(rnd, (1u << p->vcs) - 1);
  return hd_table_entry(below(rnd, p->ports), channels);
}

static void random_tables(struct stream *s, uint64_t *rnd, bool illegal, bool to_coder)
{
  const struct hd_switch_params *p = &s->params;
  for (uint32_t port = 0; port < p->ports; port++)
    for (uint32_t node = 0; node < p->nodes; node++)
      for (uint32_t source = 0; source <= p->source_table; source++) {
        uint16_t entry = random_entry(p, rnd);
        if (p->code_places && (to_coder || chance(rnd, 600))) /* by port 0, which has the coder */
          entry &= 0xfff0;
        if (illegal && chance(rnd, 100))
          entry = (uint16_t)next_random(rnd);
        if (source && chance(rnd, 300)) /* a head of mode 3 changes its mode here */
          entry &= 0xefff;
        s->tables[s->n_tables++] = (struct hd_config_event){
            .addr = source ? HD_CFG_SOURCE(port, node) : HD_CFG_DESTINATION(port, node),
            .data = entry};
      }
}

/* Draws a port set: empty of real ports, full, with some of them, or with ports that do not exist. */
static uint16_t random_set(const struct hd_switch_params *p, uint64_t *rnd)
{
  uint16_t any = (uint16_t)next_random(rnd), all = (uint16_t)((1u << p->ports) - 1);
  switch (below(rnd, 8)) {
  case 0:
    return any & (uint16_t)~all;
  case 1:
    return any;
  case 2:
    return all;
  default:
    return any & all;
  }
}

/* Draws the register ADAPT: seldom without a channel, often with all channels, because only then a sum of credits reaches
 * its maximum. */
static uint16_t random_adapt(const struct hd_switch_params *p, uint64_t *rnd)
{
  uint16_t any = (uint16_t)next_random(rnd), all = (uint16_t)((1u << p->vcs) - 1);
  if (chance(rnd, 500)) /* without a cap */
    any &= (uint16_t) ~(HD_ADAPT_CAP_MOST << HD_ADAPT_CAP_SHIFT);
  if (chance(rnd, 100))
    return (uint16_t)(any & ~all);
  if (chance(rnd, 400))
    return any | all;
  return (uint16_t)(any | 1u << below(rnd, p->vcs));
}

/* Draws a word for a generator: 0, which the generator takes as 1 (§10.3); a word with one bit set, which a wrong
 * comparison with 0 may miss; or any word. */
static uint16_t random_generator(uint64_t *rnd)
{
  switch (below(rnd, 4)) {
  case 0:
    return 0;
  case 1:
    return (uint16_t)next_random(rnd);
  default:
    return (uint16_t)(1u << below(rnd, 16));
  }
}

/* Draws a write to a register or table of chapter 10. */
static void adaptive_config(const struct hd_switch_params *p, uint64_t *rnd,
                            struct hd_config_event *e)
{
  struct row row;
  switch (below(rnd, 4)) {
  case 0:
    e->addr = HD_CFG_ADAPT;
    e->data = random_adapt(p, rnd);
    return;
  case 1:
    e->addr = HD_CFG_GENERATOR(below(rnd, p->ports));
    e->data = random_generator(rnd);
    return;
  default:
    row = random_row(p, rnd);
    e->addr = HD_CFG_PORT_SET(row.port, row.node);
    e->data = random_set(p, rnd);
    return;
  }
}

/* Draws a neighbour's count: often a small one, which other neighbours have, too. */
static uint8_t random_count(uint64_t *rnd)
{
  uint32_t count = below(rnd, HD_COUNT_MOST + 1);
  return (uint8_t)(HD_COUNT_SHOWN | (chance(rnd, 600) ? count & 3 : count));
}

static void adaptive_tables(struct stream *s, uint64_t *rnd)
{
  const struct hd_switch_params *p = &s->params;
  for (uint32_t port = 0; port < p->ports; port++)
    for (uint32_t node = 0; node < p->nodes; node++)
      s->tables[s->n_tables++] =
          (struct hd_config_event){.addr = HD_CFG_PORT_SET(port, node), .data = random_set(p, rnd)};
  for (uint32_t port = 0; port < p->ports; port++)
    s->tables[s->n_tables++] =
        (struct hd_config_event){.addr = HD_CFG_GENERATOR(port), .data = random_generator(rnd)};
  s->tables[s->n_tables++] =
      (struct hd_config_event){.addr = HD_CFG_ADAPT, .data = random_adapt(p, rnd)};
}

/* Draws register FIRST or BIAS (§10.9): most often packets decide at all ports, and the bias is one that a sum of credits
 * can reach. */
static uint16_t random_decision(const struct hd_switch_params *p, uint64_t *rnd, bool bias)
{
  uint16_t any = (uint16_t)next_random(rnd);
  if (!bias)
    return chance(rnd, 700) ? any | (uint16_t)((1u << p->ports) - 1) : any;
  return chance(rnd, 500)   ? any & (uint16_t)~HD_BIAS_MOST
         : chance(rnd, 900) ? (uint16_t)below(rnd, 2 * p->vcs * p->depth_flits)
                            : any;
}

static void decision_config(const struct hd_switch_params *p, uint64_t *rnd,
                            struct hd_config_event *e)
{
  const bool bias = chance(rnd, 500);
  e->addr = bias ? HD_CFG_BIAS : HD_CFG_FIRST;
  e->data = random_decision(p, rnd, bias);
}

static void decision_tables(struct stream *s, uint64_t *rnd)
{
  for (unsigned bias = 0; bias < 2; bias++)
    s->tables[s->n_tables++] = (struct hd_config_event){
        .addr = bias ? HD_CFG_BIAS : HD_CFG_FIRST, .data = random_decision(&s->params, rnd, bias)};
}

static bool random_config(const struct hd_switch_params *p, uint64_t *rnd,
                          struct hd_config_event *e)
{
  if (hd_switch_has_sets(p) && chance(rnd, 400)) {
    adaptive_config(p, rnd, e);
    return true;
  }
  if (p->adaptive && chance(rnd, 400)) {
    decision_config(p, rnd, e);
    return true;
  }
  if (p->route && chance(rnd, 400)) {
    hd_route_stream_config(p, rnd, true, e);
    return true;
  }
  if (p->trees && chance(rnd, 400)) {
    hd_cast_stream_config(p, rnd, e);
    return true;
  }
  if (p->code_places && chance(rnd, 400)) {
    hd_coder_stream_config(p, rnd, &(struct stream_style){0}, e);
    return true;
  }
  if (p->barrier && chance(rnd, 500)) {
    hd_barrier_stream_config(p, rnd, &(struct stream_style){0}, e);
    return true;
  }
  struct row row;
  switch (below(rnd, 4)) {
  case 0:
    e->addr = HD_CFG_ERRORS;
    e->data = (uint16_t)below(rnd, p->code_places ? 65536 : p->barrier ? 4096 : 128);
    return true;
  case 1:
    row = random_row(p, rnd);
    e->addr = HD_CFG_DESTINATION(row.port, row.node);
    e->data = (uint16_t)next_random(rnd);
    return true;
  case 2:
    e->addr = (uint32_t)next_random(rnd) & 0xfffff;
    e->data = (uint16_t)next_random(rnd);
    return true;
  default:
    row = random_row(p, rnd);
    e->addr = HD_CFG_SOURCE(row.port, row.node);
    e->data = random_entry(p, rnd);
    return true;
  }
}

void hd_stream_begin(struct stream *s, const struct hd_switch_params *params, uint32_t cycles,
                     const struct stream_style *style, uint64_t *rnd)
{
  size_t most = ((size_t)cycles + 1) * params->ports + 1;
  memset(s, 0, sizeof *s);
  s->params = *params;
  s->cycles = cycles;
  const size_t rows = params->route ? 0 : params->nodes * 3;
  s->tables = calloc((size_t)params->ports * (rows + 1) + 2 + BARRIER_WORLD + BARRIER_REGISTERS +
                         ROUTE_REGISTERS + params->code_places + params->trees + CAST_REGISTERS,
                     sizeof *s->tables);
  s->flits_in = calloc(most, sizeof *s->flits_in);
  s->flits_out = calloc(most, sizeof *s->flits_out);
  s->credits_in = calloc(most, sizeof *s->credits_in);
  s->credits_out = calloc(most, sizeof *s->credits_out);
  s->configs_in = calloc(most, sizeof *s->configs_in);
  s->toggles = calloc(most, sizeof *s->toggles);
  s->reads = calloc(cycles, sizeof *s->reads);
  if (params->route)
    hd_route_stream_tables(params, rnd, style->illegal > 0, s->tables, &s->n_tables);
  else
    random_tables(s, rnd, style->illegal > 0, style->places > 0);
  for (uint32_t i = 0; style->sinks && i < s->n_tables; i++)
    s->tables[i].data = 0;
  if (hd_switch_has_sets(params))
    adaptive_tables(s, rnd);
  else if (params->adaptive)
    decision_tables(s, rnd);
  if (params->trees)
    hd_cast_stream_tables(params, rnd, s->tables, &s->n_tables);
  if (params->code_places)
    hd_coder_stream_tables(params, rnd, s->tables, &s->n_tables);
  if (params->barrier)
    hd_barrier_stream_tables(params, rnd, style->names, s->tables, &s->n_tables);
}

/* Counts the credit that a receiver must return for a flit. */
static void count_owed_credit(const struct hd_switch_params *p, struct neighbour *n,
                              const struct hd_flit_event *flit)
{
  if (!p->barrier || !hd_barrier_beside(p) || flit->kind < HD_KIND_BARRIER ||
      flit->kind == HD_KIND_NULL)
    n->owed[flit->vc]++;
  if (p->barrier && flit->kind == HD_KIND_BARRIER_LAST)
    n->barrier.owed++;
}

/* Returns port + 1 of the routing table that a write changes; 0: it changes none. */
static uint32_t table_port(const struct hd_config_event *e)
{
  uint32_t select = e->addr >> 16;
  bool table = select == HD_CFG_DESTINATION(0, 0) >> 16 || select == HD_CFG_SOURCE(0, 0) >> 16 ||
               select == HD_CFG_PORT_SET(0, 0) >> 16;
  return table ? (e->addr >> 12 & 15) + 1 : 0;
}

/* Updates the set of ports with a preempted channel, when a padding flit leaves: a request or its end. */
static void update_preempted(const struct hd_flit_event *flit, uint32_t *preempted)
{
  if (flit->kind != HD_KIND_PADDING)
    return;
  *preempted &= ~(1u << flit->port);
  *preempted |= flit->data & 1 ? 0 : 1u << flit->port;
}

/* A time in which neighbours are silent, so that preemptions end by themselves after IDLE cycles (§7.6). */
struct silence {
  bool now;
  uint32_t from, to; /* begins in cycle `from`, or when falls_silent says so; ends in cycle `to` */
  uint32_t bit;      /* highest bit of IDLE */
  bool holds;        /* before it, preempted ports get no barrier credits, so most stay preempted */
  bool lowers;       /* near its end, IDLE is set to less than the cycles that have passed */
};
enum { FIRST_BIT = 3, LAST_BIT = 14, LONG_BIT = 12, FILLING = 2000, MARGIN = 100 };

/* Do neighbours stop sending now? They do when all ports have preempted a channel; from cycle `from` on, when the target
 * port has; and at the latest FILLING cycles after `from`. */
static bool falls_silent(const struct silence *q, const struct stream_style *style,
                         const struct hd_switch_params *p, uint32_t cycle, uint32_t preempted)
{
  const uint32_t port = (style->target + q->bit) % p->ports;
  return preempted + 1 == 1u << p->ports || (cycle >= q->from && preempted >> port & 1) ||
         cycle >= q->from + FILLING;
}

/* Steps the silence. True: *e is a write of IDLE, most often at the end of a silence. */
static bool step_silence(struct silence *q, const struct stream_style *style,
                         const struct hd_switch_params *p, uint64_t *rnd, uint32_t cycle,
                         uint32_t preempted, struct hd_config_event *e)
{
  uint32_t idle;
  if (q->now && cycle == q->to) {
    const uint32_t bit = q->bit < FIRST_BIT || q->bit == LAST_BIT ? FIRST_BIT : q->bit + 1;
    const uint32_t length = 1u << bit | (bit < LONG_BIT ? below(rnd, 1u << bit) : 0);
    *q = (struct silence){.from = cycle + FILLING, .to = length + MARGIN, .bit = bit};
    q->lowers = below(rnd, 2) != 0;
    q->holds = below(rnd, 2) != 0;
    idle = q->lowers ? UINT16_MAX : length;
  } else if (q->now && q->lowers && cycle + MARGIN == q->to) {
    idle = below(rnd, 1u << q->bit);
  } else {
    if (!q->now && falls_silent(q, style, p, cycle, preempted)) {
      q->now = true;
      q->to = style->waits ? cycle + q->to : UINT32_MAX;
    }
    return false;
  }
  *e = (struct hd_config_event){.addr = HD_CFG_IDLE, .data = (uint16_t)idle};
  return true;
}

int hd_stream_drive(struct stream *s, const struct hd_dut_ops *ops, struct hd_dut *dut,
                    const struct stream_style *style, uint64_t *rnd, struct hd_error *err)
{
  const struct hd_switch_params *params = &s->params;
  struct neighbour n[HD_MAX_PORTS] = {0};
  uint32_t pace = 500, load = style->load, pauses = 0, cycles = s->cycles;
  uint32_t telling = 0; /* per mille: a neighbour sends its count in a cycle (§10.8) */
  /* All packets have one flit. Then the switch has more packets than its count can say, and than the coder can send. */
  bool singles = false;
  uint32_t turn = 0, lane = UINT32_MAX;
  struct barrier_neighbour *barriers[HD_MAX_PORTS];
  struct barrier_trees trees = {.n = 0};
  struct silence silence = {.now = style->waits, .from = style->ends};
  uint32_t preempted = 0; /* set of ports with a preempted channel */
  uint32_t written = 0;   /* port + 1 of the routing table that was written in the last cycle */
  int status = 0;
  for (uint32_t p = 0; p < params->ports; p++)
    for (uint32_t v = 0; v < params->vcs; v++)
      n[p].credits[v] = (int)params->depth_flits;
  for (uint32_t p = 0; p < params->ports; p++) {
    n[p].barrier.credits = HD_BARRIER_QUEUE;
    barriers[p] = &n[p].barrier;
  }
  if (style->trees)
    hd_barrier_trees_begin(&trees, params, rnd);

  /* Some receivers hold back the credits of one channel for long, so that the switch runs out of them. */
  for (uint32_t p = 0; p < params->ports; p++)
    n[p].kept = style->keeps && chance(rnd, style->keeps) ? below(rnd, params->vcs) : UINT32_MAX;

  for (uint32_t c = 0; !status && c < cycles; c++) {
    if (c == turn) { /* new loads of senders and new speeds of receivers: none, low, full */
      static const uint32_t paces[] = {1000, 500, 100, 0};
      static const uint32_t loads[] = {100, 20, 2, 0};
      pace = paces[below(rnd, 4)];
      load = style->load * loads[below(rnd, 4)] / 100;
      if (hd_switch_counts(params)) {
        telling = loads[below(rnd, 4)] * 5;
        singles = below(rnd, 2) != 0;
      }
      pauses = style->pauses && chance(rnd, style->pauses);
      turn += 64;
      if (style->countdown)
        load = style->load;
      if (style->floods) { /* at times long enough to fill all buffers, or on one channel alone */
        turn += chance(rnd, style->floods) ? params->depth_flits * params->vcs : 0;
        lane = chance(rnd, style->floods) ? below(rnd, params->vcs) : UINT32_MAX;
      }
      if (style->every_place) {
        load = style->load;
        pace = 1000;
        singles = chance(rnd, 800);
      }
    }
    struct hd_config_event idle;
    const bool new_idle =
        style->ends && step_silence(&silence, style, params, rnd, c, preempted, &idle);
    bool over = style->ends && silence.now;
    if (style->ends)
      load = over ? 0 : style->load;
    uint32_t illegal = !over && c % 512 < 256 ? style->illegal : 0;
    struct hd_dut_job job = {.sw = 0, .start = c, .cycles = 1};
    job.flits_in = s->flits_in + s->n_flits_in;
    job.credits_in = s->credits_in + s->n_credits_in;
    job.configs_in = s->configs_in + s->n_configs_in;
    if (style->trees)
      hd_barrier_trees_step(&trees, params, rnd, c, barriers);
    for (uint32_t p = 0; p < params->ports; p++) {
      struct hd_flit_event flit = {.port = (uint8_t)p};
      struct hd_credit_event credit = {.port = (uint8_t)p};
      struct stream_style now = {.load = load,
                                 .pauses = pauses,
                                 .narrow = style->narrow,
                                 .singles = singles,
                                 .lane = lane == UINT32_MAX ? 0 : lane + 1,
                                 .fails = style->fails,
                                 .ends = style->ends,
                                 .crowd = style->crowd,
                                 .countdown = style->countdown,
                                 .trees = style->trees,
                                 .sinks = style->sinks,
                                 .names = style->names,
                                 .places = style->places,
                                 .first_place = style->first_place,
                                 .every_place = style->every_place};
      if (!style->only || style->only == p + 1)
        now.illegal = illegal;
      struct stream_style first =
          now; /* a head often comes in the cycle after a write of its table */
      if (now.illegal && written == p + 1)
        first.illegal = 1000;
      const bool sends = send_flit(params, &n[p], rnd, &first, &flit);
      n[p].filled = sends && flit.vc < params->vcs && n[p].credits[flit.vc] <= 0 ? flit.vc + 1u : 0;
      if (sends)
        s->flits_in[s->n_flits_in + job.n_flits_in++] = flit;
      for (uint32_t v = 0; v < params->vcs; v++)
        if (n[p].owed[v] > 0 && (v != n[p].kept || c > cycles - cycles / 4) && chance(rnd, pace)) {
          n[p].owed[v]--;
          credit.vcs |= (uint8_t)(1u << v);
        }
      if (now.illegal && chance(rnd, now.illegal / 4))
        credit.vcs |= (uint8_t)(1u << below(rnd, params->vcs));
      const bool holds = silence.holds && !over && preempted >> p & 1;
      if (n[p].barrier.owed > 0 && !holds && chance(rnd, pace)) {
        n[p].barrier.owed--;
        credit.barrier = 1;
      }
      if (params->barrier && now.illegal && chance(rnd, now.illegal / 4))
        credit.barrier = 1;
      if (style->strays && chance(rnd, style->strays))
        credit.barrier = 1;
      if (hd_switch_counts(params) && !over && chance(rnd, telling))
        credit.count = random_count(rnd);
      if (hd_credit_set(&credit))
        s->credits_in[s->n_credits_in + job.n_credits_in++] = credit;
    }
    if (new_idle) {
      s->configs_in[s->n_configs_in] = idle;
      job.n_configs_in = 1;
    } else if (style->trees)
      job.n_configs_in =
          hd_barrier_trees_config(&trees, params, rnd, c, &s->configs_in[s->n_configs_in]);
    else if (params->barrier && !over && !illegal && !style->countdown &&
             chance(rnd, style->narrow && !style->names ? 20
                         : style->crowd                 ? 120
                                                        : 60)) {
      hd_barrier_stream_config(params, rnd, style, &s->configs_in[s->n_configs_in]);
      job.n_configs_in = !style->ends || s->configs_in[s->n_configs_in].addr != HD_CFG_IDLE;
    }
    if (params->adaptive && !job.n_configs_in && !over && !illegal && chance(rnd, 60)) {
      (hd_switch_has_sets(params) ? adaptive_config
                                  : decision_config)(params, rnd, &s->configs_in[s->n_configs_in]);
      job.n_configs_in = 1;
    }
    if (params->route && !job.n_configs_in && !over && !illegal && chance(rnd, 60)) {
      hd_route_stream_config(params, rnd, style->illegal > 0, &s->configs_in[s->n_configs_in]);
      job.n_configs_in = 1;
    }
    if (params->code_places && !job.n_configs_in && !over && !illegal &&
        chance(rnd, style->every_place ? 10
                    : style->places    ? 100
                                       : 40)) {
      hd_coder_stream_config(params, rnd, style, &s->configs_in[s->n_configs_in]);
      job.n_configs_in = 1;
    }
    if (illegal && chance(rnd, 100))
      job.n_configs_in = random_config(params, rnd, &s->configs_in[s->n_configs_in]);
    if (style->clears && !job.n_configs_in && chance(rnd, style->clears)) {
      s->configs_in[s->n_configs_in] =
          (struct hd_config_event){.addr = HD_CFG_ERRORS, .data = UINT16_MAX};
      job.n_configs_in = 1;
    }

    written = job.n_configs_in ? table_port(&s->configs_in[s->n_configs_in]) : 0;

    job.flits_out = s->flits_out + s->n_flits_out;
    job.credits_out = s->credits_out + s->n_credits_out;
    job.toggles = s->toggles + s->n_toggles;
    job.cap_flits_out = job.cap_credits_out = params->ports * (c ? 1 : 2);
    job.cap_toggles = 1;
    status = ops->run(dut, &job, 1, err);
    if (!c)
      s->quiescent = job.quiescent;
    for (uint32_t i = 0; i < job.n_flits_out; i++) {
      count_owed_credit(params, &n[job.flits_out[i].port], &job.flits_out[i]);
      update_preempted(&job.flits_out[i], &preempted);
    }
    for (uint32_t i = 0; i < job.n_credits_out; i++)
      if (n[job.credits_out[i].port].barrier.credits < HD_BARRIER_QUEUE)
        n[job.credits_out[i].port].barrier.credits += job.credits_out[i].barrier;
    for (uint32_t i = 0; i < job.n_credits_out; i++)
      for (uint32_t v = 0; v < params->vcs; v++)
        if (job.credits_out[i].vcs >> v & 1 &&
            n[job.credits_out[i].port].credits[v] < (int)params->depth_flits)
          n[job.credits_out[i].port].credits[v]++;
    /* Cycles of the window become cycles of the stream. */
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
    if (!status && style->reads && (c + 1) % style->reads == 0)
      status = ops->config_read(dut, 0, HD_CFG_ERRORS, &s->reads[s->n_reads++], err);
  }
  if (!status)
    status = ops->config_read(dut, 0, HD_CFG_ERRORS, &s->errors, err);
  return status;
}

int hd_stream_configure(const struct stream *s, const struct hd_dut_ops *ops, struct hd_dut *dut,
                        uint32_t sw, struct hd_error *err)
{
  int status = 0;
  for (uint32_t i = 0; !status && i < s->n_tables; i++)
    status = ops->config_write(dut, sw, s->tables[i].addr, s->tables[i].data, err);
  return status;
}

int hd_stream_make(struct stream *s, const struct hd_switch_params *params, uint32_t cycles,
                   const struct stream_style *style, uint64_t seed, struct hd_error *err)
{
  const struct hd_dut_ops *model = hd_dut_model_backend();
  struct hd_dut *dut = NULL;
  uint64_t rnd = seed;
  hd_stream_begin(s, params, cycles, style, &rnd);
  int status = model->create(&dut, params, 1, "every-cycle", err);
  if (!status)
    status = hd_stream_configure(s, model, dut, 0, err);
  if (!status)
    status = hd_stream_drive(s, model, dut, style, &rnd, err);
  model->destroy(dut);
  return status;
}
