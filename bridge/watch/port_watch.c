/* The rules at ports, event by event (specification §6.7): credits, packets, links.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "watch_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hd_port_rule_number(enum hd_port_rule rule)
{
#define NUMBER(NAME, number, name, sentence) number,
  static const char *const numbers[] = {"", HD_PORT_RULE_LIST(NUMBER)};
#undef NUMBER
  return numbers[rule];
}

const char *hd_port_rule_name(enum hd_port_rule rule)
{
#define NAME_OF(NAME, number, name, sentence) name,
  static const char *const names[] = {"none", HD_PORT_RULE_LIST(NAME_OF)};
#undef NAME_OF
  return names[rule];
}

const char *hd_port_rule_sentence(enum hd_port_rule rule)
{
#define SENTENCE(NAME, number, name, sentence) sentence,
  static const char *const sentences[] = {"no rule is broken", HD_PORT_RULE_LIST(SENTENCE)};
#undef SENTENCE
  return sentences[rule];
}

/* ── making and ending ─────────────────────────────────────────────────────── */

static bool init_switch(struct hd_port_watch *watch, const struct hd_tables *tables, uint32_t sw)
{
  struct watched *s = &watch->switches[sw];
  const uint32_t ports = watch->params.ports, channels = ports * watch->params.vcs;
  uint8_t *bytes = watch->ports + (size_t)sw * (2 * channels + 3 * ports);
  struct hd_config_event write;
  s->sent = bytes;
  s->taken = s->sent + channels;
  s->open_in = s->taken + channels;
  s->open_out = s->open_in + ports;
  s->by_path = s->open_out + ports;
  if (!hd_routes_init(watch, &s->routes))
    return false;
  for (struct hd_table_writes walk = {.tables = tables, .sw = sw};
       hd_table_writes_next(&walk, &write);)
    hd_routes_write(watch, &s->routes, &write);
  for (struct hd_table_writes walk = {.tables = tables, .sw = sw};
       hd_adapt_writes_next(&walk, &write);)
    hd_routes_write(watch, &s->routes, &write);
  return true;
}

int hd_port_watch_create(struct hd_port_watch **watch, const struct hd_topology *topology,
                         const struct hd_tables *tables, const struct hd_switch_params *params,
                         struct hd_error *err)
{
  struct hd_port_watch *w = *watch = calloc(1, sizeof *w);
  const uint32_t n = topology->n_switches, ports = params->ports;
  bool whole = w != NULL;
  if (whole) {
    *w = (struct hd_port_watch){.t = topology,
                                .params = *params,
                                .node_bits = hd_log2_ceil(params->nodes),
                                .port_bits = hd_log2_ceil(ports),
                                .packet_channels = (1u << params->vcs) - 1,
                                .switches = calloc(n, sizeof *w->switches),
                                .ports = calloc(n, 2 * (size_t)ports * params->vcs + 3 * ports)};
    if (params->barrier == HD_BARRIER_RESERVED)
      w->packet_channels >>= 1;
    whole = w->switches && w->ports;
  }
  for (uint32_t sw = 0; whole && sw < n; sw++)
    whole = init_switch(w, tables, sw);
  if (whole)
    return HD_OK;
  hd_port_watch_destroy(w);
  *watch = NULL;
  return hd_fail(err, HD_E_NOMEM, "no memory to watch the ports of %" PRIu32 " switches", n);
}

void hd_port_watch_destroy(struct hd_port_watch *w)
{
  for (uint32_t sw = 0; w && w->switches && sw < w->t->n_switches; sw++)
    hd_routes_fini(&w->switches[sw].routes);
  if (w) {
    free(w->switches);
    free(w->ports);
  }
  free(w);
}

/* ── a switch ──────────────────────────────────────────────────────────────── */

struct view {
  struct hd_port_watch *watch;
  struct watched *s;
  struct hd_port_break *broken;
  uint64_t start;
  uint32_t sw;
};

static bool is_broken(const struct view *v)
{
  return v->broken->rule != HD_PORT_NONE;
}

__attribute__((format(printf, 6, 7))) static void
breaks(const struct view *v, enum hd_port_rule rule, uint32_t cycle, unsigned port,
       const struct hd_flit_event *flit, const char *format, ...)
{
  va_list args;
  if (is_broken(v))
    return;
  *v->broken = (struct hd_port_break){.rule = rule,
                                      .cycle = v->start + cycle,
                                      .sw = v->sw,
                                      .port = (uint8_t)port,
                                      .has_flit = flit != NULL};
  if (flit) {
    v->broken->flit = *flit;
    v->broken->vc = flit->vc;
  }
  va_start(args, format);
  vsnprintf(v->broken->what, sizeof v->broken->what, format, args);
  va_end(args);
}

static const char *kind_name(unsigned kind)
{
  static const char *const names[] = {
      "body", "tail", "head", "single", "barrier", "barrier last", "padding request", "null"};
  return names[kind & 7];
}

/* Barrier messages and padding control pass beside the buffers with BARRIER 1 and 2 (§7.3). */
static bool takes_slot(const struct hd_port_watch *w, unsigned kind)
{
  return !(kind & HD_KIND_RESERVED) || kind == HD_KIND_NULL || !hd_barrier_beside(&w->params);
}

/* Bodies and tails belong to a packet; so do null flits, which stand for bodies (§7.5). */
static bool is_inside(unsigned kind)
{
  return !(kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) || kind == HD_KIND_NULL;
}

static bool begins(unsigned kind)
{
  return (kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) == HD_KIND_HEAD;
}

/* After a flit a packet is under way on its channel, or none is. */
static void follow(uint8_t *open, const struct hd_flit_event *e)
{
  if (!(e->kind & HD_KIND_RESERVED))
    open[e->port] =
        (uint8_t)((open[e->port] & ~(1u << e->vc)) | (e->kind & HD_KIND_TAIL ? 0u : 1u << e->vc));
}

static int flit_in(const struct view *v, const struct hd_flit_event *e)
{
  struct watched *s = v->s;
  int status = HD_OK;
  if (e->port >= v->watch->params.ports || e->vc >= v->watch->params.vcs)
    return HD_OK;
  if (takes_slot(v->watch, e->kind))
    s->taken[e->port * v->watch->params.vcs + e->vc]++;
  if (begins(e->kind) && !(s->open_in[e->port] >> e->vc & 1))
    status = hd_routes_head_in(v->watch, &s->routes, e);
  follow(s->open_in, e);
  return status;
}

static void credit_in(const struct view *v, const struct hd_credit_event *e)
{
  const uint32_t vcs = v->watch->params.vcs;
  for (uint32_t vc = 0; e->port < v->watch->params.ports && vc < vcs; vc++) {
    uint8_t *sent = &v->s->sent[e->port * vcs + vc];
    *sent = (uint8_t)(*sent - ((e->vcs >> vc & 1) && *sent));
  }
}

/* P4 */
static void check_framing(const struct view *v, const struct hd_flit_event *e)
{
  const bool open = v->s->open_out[e->port] >> e->vc & 1;
  v->s->counts.of[HD_PORT_FRAMING]++;
  if (e->kind & HD_KIND_RESERVED && !v->watch->params.barrier)
    breaks(v, HD_PORT_FRAMING, e->cycle, e->port, e,
           "a flit of kind %u left by port %u, which switches without barrier messages do not send",
           e->kind, e->port);
  else if (is_inside(e->kind) && !open)
    breaks(v, HD_PORT_FRAMING, e->cycle, e->port, e,
           "a %s left by port %u on channel %u, where no packet is under way", kind_name(e->kind),
           e->port, e->vc);
  else if (begins(e->kind) && open)
    breaks(v, HD_PORT_FRAMING, e->cycle, e->port, e,
           "a %s left by port %u on channel %u inside a packet that has not ended",
           kind_name(e->kind), e->port, e->vc);
}

/* P6, P7 */
static void check_head(const struct view *v, const struct hd_flit_event *e)
{
  char what[sizeof v->broken->what];
  enum hd_port_rule rule = hd_routes_head_out(v->watch, &v->s->routes, e, what, sizeof what);
  v->s->counts.of[HD_PORT_ORIGIN]++;
  v->s->counts.of[HD_PORT_ROUTE] += rule != HD_PORT_ORIGIN;
  if (rule != HD_PORT_NONE)
    breaks(v, rule, e->cycle, e->port, e, "%s", what);
}

static void flit_out(const struct view *v, const struct hd_flit_event *e)
{
  const struct hd_switch_params *p = &v->watch->params;
  struct watched *s = v->s;
  if (e->port >= p->ports || e->vc >= p->vcs) {
    breaks(v, HD_PORT_FRAMING, e->cycle, e->port, e,
           "a flit left by port %u on channel %u; channels are 0 to %" PRIu32, e->port, e->vc,
           p->vcs - 1);
    return;
  }
  if (begins(e->kind))
    s->by_path[e->port] =
        (uint8_t)((s->by_path[e->port] & ~(1u << e->vc)) | ((e->data & 3) == 2 ? 1u << e->vc : 0u));
  s->counts.of[HD_PORT_LINK]++;
  if (v->watch->t->peers[(size_t)v->sw * p->ports + e->port].kind == HD_PEER_NONE &&
      !(s->by_path[e->port] >> e->vc & 1)) /* who writes a path may end it anywhere */
    breaks(v, HD_PORT_LINK, e->cycle, e->port, e, "a %s left by port %u, which has no link",
           kind_name(e->kind), e->port);
  uint8_t *sent = &s->sent[e->port * p->vcs + e->vc];
  if (takes_slot(v->watch, e->kind)) {
    s->counts.of[HD_PORT_CREDIT]++;
    if (*sent >= p->depth_flits)
      breaks(v, HD_PORT_CREDIT, e->cycle, e->port, e,
             "a %s left by port %u on channel %u, whose receiver has no free slot of %" PRIu32,
             kind_name(e->kind), e->port, e->vc, p->depth_flits);
    else
      ++*sent;
  }
  check_framing(v, e);
  if (begins(e->kind) && !is_broken(v))
    check_head(v, e);
  follow(s->open_out, e);
}

/* P2 */
static void credit_out(const struct view *v, const struct hd_credit_event *e)
{
  const uint32_t vcs = v->watch->params.vcs;
  for (uint32_t vc = 0; e->port < v->watch->params.ports && vc < vcs; vc++) {
    uint8_t *taken = &v->s->taken[e->port * vcs + vc];
    if (!(e->vcs >> vc & 1))
      continue;
    v->s->counts.of[HD_PORT_SURPLUS]++;
    if (*taken) {
      --*taken;
      continue;
    }
    breaks(v, HD_PORT_SURPLUS, e->cycle, e->port, NULL,
           "a credit was given at input port %u for channel %" PRIu32
           ", all of whose slots are free",
           e->port, vc);
    v->broken->vc = (uint8_t)vc;
  }
}

int hd_port_watch_switch(struct hd_port_watch *watch, uint32_t sw, const struct hd_port_events *e,
                         struct hd_port_break *broken)
{
  const struct view v = {watch, &watch->switches[sw], broken, e->start, sw};
  uint32_t fi = 0, fo = 0, ci = 0, co = 0, w = 0;
  int status = HD_OK;
  broken->rule = HD_PORT_NONE;
  for (;;) {
    /* A switch decides its outputs of a cycle before the inputs of that cycle come. */
    uint32_t cycle = UINT32_MAX;
    if (fo < e->n_flits_out)
      cycle = e->flits_out[fo].cycle;
    if (co < e->n_credits_out && e->credits_out[co].cycle < cycle)
      cycle = e->credits_out[co].cycle;
    uint32_t limit = cycle < e->cycles ? cycle : e->cycles;
    for (; fi < e->n_flits_in && e->flits_in[fi].cycle < limit && !status; fi++) {
      for (; w < e->n_configs_in && e->configs_in[w].cycle < e->flits_in[fi].cycle; w++) {
        hd_routes_forget(&v.s->routes);
        hd_routes_write(watch, &v.s->routes, &e->configs_in[w]);
      }
      status = flit_in(&v, &e->flits_in[fi]);
    }
    for (; w < e->n_configs_in && e->configs_in[w].cycle < limit; w++) {
      hd_routes_forget(&v.s->routes);
      hd_routes_write(watch, &v.s->routes, &e->configs_in[w]);
    }
    for (; ci < e->n_credits_in && e->credits_in[ci].cycle < limit; ci++)
      credit_in(&v, &e->credits_in[ci]);
    if (cycle > e->cycles || status || is_broken(&v))
      return status;
    for (; fo < e->n_flits_out && e->flits_out[fo].cycle == cycle; fo++)
      flit_out(&v, &e->flits_out[fo]);
    for (; co < e->n_credits_out && e->credits_out[co].cycle == cycle; co++)
      credit_out(&v, &e->credits_out[co]);
  }
}

int hd_port_watch_window(struct hd_port_watch *watch, const struct hd_record *record,
                         uint32_t cycles, struct hd_error *err)
{
  struct hd_port_break first = {.rule = HD_PORT_NONE};
  for (uint32_t sw = 0; watch && sw < record->n_switches; sw++) {
    const struct hd_switch_record *r = &record->switches[sw];
    const struct hd_port_events e = {.start = record->start,
                                     .cycles = cycles,
                                     .flits_in = r->flits_in,
                                     .flits_out = r->flits_out,
                                     .credits_in = r->credits_in,
                                     .credits_out = r->credits_out,
                                     .configs_in = r->configs_in,
                                     .n_flits_in = r->n_flits_in,
                                     .n_flits_out = r->n_flits_out,
                                     .n_credits_in = r->n_credits_in,
                                     .n_credits_out = r->n_credits_out,
                                     .n_configs_in = r->n_configs_in};
    struct hd_port_break broken;
    if (hd_port_watch_switch(watch, sw, &e, &broken))
      return hd_fail(err, HD_E_NOMEM, "no memory to watch the ports of switch %" PRIu32, sw);
    if (broken.rule != HD_PORT_NONE && (first.rule == HD_PORT_NONE || broken.cycle < first.cycle))
      first = broken;
  }
  if (first.rule == HD_PORT_NONE)
    return HD_OK;
  return hd_fail(err, HD_E_INVARIANT,
                 "rule %s (specification 6.7): in cycle %" PRIu64 ", switch %" PRIu32 ": %s",
                 hd_port_rule_number(first.rule), first.cycle, first.sw, first.what);
}

bool hd_port_watch_owes(const struct hd_port_watch *watch, uint64_t cycle,
                        struct hd_port_break *broken)
{
  const uint32_t vcs = watch->params.vcs, channels = watch->params.ports * vcs;
  for (uint32_t sw = 0; sw < watch->t->n_switches; sw++)
    for (uint32_t i = 0; i < channels; i++) {
      struct hd_port_break found = {.rule = HD_PORT_OWED,
                                    .cycle = cycle,
                                    .sw = sw,
                                    .port = (uint8_t)(i / vcs),
                                    .vc = (uint8_t)(i % vcs)};
      const unsigned taken = watch->switches[sw].taken[i];
      if (!taken)
        continue;
      snprintf(found.what, sizeof found.what,
               "%u %s at input port %u, channel %u, and the network is empty", taken,
               taken == 1 ? "credit is owed" : "credits are owed", found.port, found.vc);
      if (broken)
        *broken = found;
      return true;
    }
  return false;
}

struct hd_port_counts hd_port_watch_counts(const struct hd_port_watch *watch)
{
  struct hd_port_counts sum = {{0}};
  for (uint32_t sw = 0; watch && sw < watch->t->n_switches; sw++)
    for (int rule = 0; rule < HD_PORT_RULES; rule++)
      sum.of[rule] += watch->switches[sw].counts.of[rule];
  return sum;
}
