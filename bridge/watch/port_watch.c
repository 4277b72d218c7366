/* The rules at ports, event by event (specification §6.7): credits, framing, links.
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

/* ── creating and destroying ───────────────────────────────────────────────── */

/* Reserves the next `bytes` of `room`, 8-aligned. With `room` NULL it only counts. */
static void *reserve_bytes(unsigned char *room, size_t *at, size_t bytes)
{
  void *taken = room ? room + *at : NULL;
  *at += (bytes + 7) / 8 * 8;
  return taken;
}

/* Assigns a switch its arrays in `room`. */
static void lay_out(const struct hd_port_watch *w, struct watched *s, unsigned char *room,
                    size_t *at)
{
  const struct hd_switch_params *p = &w->params.sw;
  const size_t n = w->channels, ports = p->ports, table = ports * p->nodes * sizeof(uint16_t);
  struct watched of = {0};
  of.channels = reserve_bytes(room, at, n * sizeof *of.channels);
  of.outputs = reserve_bytes(room, at, n * sizeof *of.outputs);
  of.flit_out = reserve_bytes(room, at, ports * sizeof *of.flit_out);
  of.credit_in = reserve_bytes(room, at, ports * sizeof *of.credit_in);
  of.heads_out = reserve_bytes(room, at, n * ports * sizeof *of.heads_out);
  of.fronts = reserve_bytes(room, at, ports * sizeof *of.fronts);
  of.heads_now = reserve_bytes(room, at, ports * sizeof *of.heads_now);
  of.heads_before = reserve_bytes(room, at, ports * ports * sizeof *of.heads_before);
  of.full_at = reserve_bytes(room, at, n * sizeof *of.full_at);
  of.waiting = reserve_bytes(room, at, (n + 63) / 64 * sizeof *of.waiting);
  of.single_room = reserve_bytes(room, at, ports * ports);
  of.sent = reserve_bytes(room, at, n);
  of.taken = reserve_bytes(room, at, n);
  of.open_in = reserve_bytes(room, at, ports);
  of.open_out = reserve_bytes(room, at, ports);
  of.by_path = reserve_bytes(room, at, ports);
  of.preempted = reserve_bytes(room, at, ports);
  of.ready_in = reserve_bytes(room, at, ports);
  of.ready_out = reserve_bytes(room, at, ports);
  if (!p->route)
    of.entries[0] = reserve_bytes(room, at, table);
  if (p->source_table && !p->route)
    of.entries[1] = reserve_bytes(room, at, table);
  if (hd_switch_has_sets(p))
    of.entries[2] = reserve_bytes(room, at, table);
  of.trees = reserve_bytes(room, at, p->trees * sizeof *of.trees);
  if (!room)
    return;
  of.next_look = LOOK_CYCLES;
  for (size_t i = 0; i < n; i++)
    of.outputs[i].channel = -1;
  *s = of;
}

/* Returns the default limit of P15 (§6.7). In a network each fair arbiter on a way halves the share
 * of distant endpoints (§6.8), so the limit grows with the number of endpoints. */
static uint32_t usual_starved_heads(const struct hd_port_watch *w)
{
  const uint32_t ports = w->params.sw.ports;
  const uint32_t least = !w->params.is_network ? 0 : UINT32_C(1) << (ports < 31 ? ports - 1 : 30);
  return least > 64 * w->params.sw.vcs ? least : 64 * w->params.sw.vcs;
}

int hd_port_watch_create(struct hd_port_watch **watch, const struct hd_port_watch_params *params,
                         struct hd_error *err)
{
  const uint32_t n = params->n_switches;
  struct hd_port_watch *w = *watch = calloc(1, sizeof *w);
  size_t of_one = 0, at = 0;
  if (w) {
    w->params = *params;
    w->node_bits = hd_log2_ceil(params->sw.nodes);
    w->port_bits = hd_log2_ceil(params->sw.ports);
    w->channels = params->sw.ports * params->sw.vcs;
    w->packet_channels = (1u << params->sw.vcs) - 1;
    if (params->sw.barrier == HD_BARRIER_RESERVED)
      w->packet_channels >>= 1;
    if (params->order == HD_ORDER_USUAL)
      w->params.order = HD_ORDER_CHANNELS;
    if (!params->networks)
      w->params.networks = 1;
    if (!params->held_cycles)
      w->params.held_cycles = params->is_network ? HD_NETWORK_HELD_CYCLES : HD_HELD_CYCLES;
    if (!params->starved_heads)
      w->params.starved_heads = usual_starved_heads(w);
    lay_out(w, NULL, NULL, &of_one);
    w->switches = calloc(n, sizeof *w->switches);
    w->room = calloc(n, of_one);
    w->waits = calloc(n, w->channels);
    w->list = calloc((size_t)n * w->channels, sizeof *w->list);
  }
  if (!w || !w->switches || !w->room || !w->waits || !w->list) {
    hd_port_watch_destroy(w);
    *watch = NULL;
    return hd_fail(err, HD_E_NOMEM, "no memory to watch the ports of %" PRIu32 " switches", n);
  }
  for (uint32_t sw = 0; sw < n; sw++)
    lay_out(w, &w->switches[sw], w->room, &at);
  const int status = hd_watch_measure(w, err);
  if (status) {
    hd_port_watch_destroy(w);
    *watch = NULL;
  }
  return status;
}

void hd_port_watch_destroy(struct hd_port_watch *w)
{
  for (uint32_t sw = 0; w && w->switches && sw < w->params.n_switches; sw++)
    for (uint32_t i = 0; w->switches[sw].channels && i < w->channels; i++) {
      free(w->switches[sw].channels[i].packets);
      free(w->switches[sw].channels[i].flits);
    }
  if (w) {
    free(w->switches);
    free(w->room);
    free(w->waits);
    free(w->list);
    free(w->distances);
  }
  free(w);
}

void hd_port_watch_config(struct hd_port_watch *watch, uint32_t sw, uint32_t addr, uint16_t data)
{
  hd_watch_write(watch, &watch->switches[sw], addr, data);
}

/* ── a broken rule ─────────────────────────────────────────────────────────── */

bool hd_watch_is_broken(const struct view *v)
{
  return v->broken->rule != HD_PORT_NONE || v->s->pending.on;
}

void hd_watch_breaks(const struct view *v, enum hd_port_rule rule, uint64_t cycle, unsigned port,
                     const struct hd_flit_event *flit, const struct packet *packet,
                     uint32_t channel, const char *format, ...)
{
  const uint32_t vcs = v->watch->params.sw.vcs;
  va_list args;
  if (hd_watch_is_broken(v))
    return;
  struct hd_port_break *b = v->broken;
  *b = (struct hd_port_break){.rule = rule,
                              .cycle = cycle,
                              .since = cycle,
                              .sw = v->sw,
                              .port = (uint8_t)port,
                              .has_flit = flit != NULL,
                              .has_packet = packet != NULL};
  if (flit) {
    b->flit = *flit;
    b->vc = flit->vc;
  }
  if (packet) {
    b->in_port = (uint8_t)(channel / vcs);
    b->in_vc = (uint8_t)(channel % vcs);
    b->came = packet->came;
    b->head = packet->looks;
  }
  va_start(args, format);
  vsnprintf(b->what, sizeof b->what, format, args);
  va_end(args);
}

const char *hd_watch_kind_name(unsigned kind)
{
  static const char *const names[] = {
      "body", "tail", "head", "single", "barrier", "barrier last", "padding request", "null"};
  return names[kind & 7];
}

struct data_text hd_watch_data_text(const struct hd_port_watch *w, uint64_t data)
{
  struct data_text t;
  snprintf(t.text, sizeof t.text, "%s 0x%" PRIx64, w->params.digests ? "digest" : "data",
           data >> w->params.shown_from);
  return t;
}

/* ── a switch ──────────────────────────────────────────────────────────────── */

/* With BARRIER 1 and 2, barrier messages and padding control bypass the buffers (§7.3). So they
 * take no slot. */
static bool takes_slot(const struct hd_port_watch *w, unsigned kind)
{
  return !(kind & HD_KIND_RESERVED) || kind == HD_KIND_NULL || !hd_barrier_beside(&w->params.sw);
}

/* True for flits inside a packet: bodies, tails and null flits, which stand for bodies (§7.5). */
static bool is_inside(unsigned kind)
{
  return !(kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) || kind == HD_KIND_NULL;
}

static bool begins(unsigned kind)
{
  return (kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) == HD_KIND_HEAD;
}

/* Notes in *open whether a packet is under way on the flit's channel after this flit. */
static void follow(uint8_t *open, const struct hd_flit_event *e)
{
  if (!(e->kind & HD_KIND_RESERVED))
    open[e->port] =
        (uint8_t)((open[e->port] & ~(1u << e->vc)) | (e->kind & HD_KIND_TAIL ? 0u : 1u << e->vc));
}

static int watch_input(const struct view *v, const struct hd_flit_event *e)
{
  const struct hd_switch_params *p = &v->watch->params.sw;
  struct watched *s = v->s;
  if (e->port >= p->ports || e->vc >= p->vcs)
    return HD_OK;
  if (takes_slot(v->watch, e->kind) && !v->watch->params.ready_links) {
    s->taken[e->port * p->vcs + e->vc]++;
    s->owing++;
  }
  follow(s->open_in, e);
  return e->kind & HD_KIND_RESERVED ? HD_OK : hd_watch_flit_in(v, e);
}

static void credit_in(const struct view *v, const struct hd_credit_event *e)
{
  const uint32_t vcs = v->watch->params.sw.vcs;
  if (e->port >= v->watch->params.sw.ports)
    return;
  if (v->watch->params.ready_links) {
    if (e->vcs & ~v->s->ready_out[e->port])
      v->s->credit_in[e->port] = v->start + e->cycle;
    v->s->ready_out[e->port] = e->vcs;
    return;
  }
  uint8_t *sent = &v->s->sent[e->port * vcs];
  for (unsigned set = e->vcs & ((1u << vcs) - 1); set; set &= set - 1) {
    const int vc = __builtin_ctz(set);
    sent[vc] = (uint8_t)(sent[vc] - (sent[vc] > 0));
  }
  if (e->vcs)
    v->s->credit_in[e->port] = v->start + e->cycle;
}

/* P4 */
static void check_framing(const struct view *v, const struct hd_flit_event *e)
{
  const bool open = v->s->open_out[e->port] >> e->vc & 1;
  v->s->counts.of[HD_PORT_FRAMING]++;
  if (e->kind & HD_KIND_RESERVED && !v->watch->params.sw.barrier)
    hd_watch_breaks(v, HD_PORT_FRAMING, v->start + e->cycle, e->port, e, NULL, 0,
                    "a flit of kind %u left by port %u, which switches without barrier messages "
                    "do not send",
                    e->kind, e->port);
  else if (is_inside(e->kind) && !open)
    hd_watch_breaks(v, HD_PORT_FRAMING, v->start + e->cycle, e->port, e, NULL, 0,
                    "a %s left by port %u on channel %u, where no packet is under way",
                    hd_watch_kind_name(e->kind), e->port, e->vc);
  else if (begins(e->kind) && open)
    hd_watch_breaks(v, HD_PORT_FRAMING, v->start + e->cycle, e->port, e, NULL, 0,
                    "a %s left by port %u on channel %u inside a packet that has not ended",
                    hd_watch_kind_name(e->kind), e->port, e->vc);
}

/* Adds the packet to a rule that the flit broke before its packet was found. */
static void name_packet(const struct view *v, const struct hd_flit_event *e)
{
  const struct hd_port_watch *w = v->watch;
  const int32_t i = v->s->outputs[e->port * w->params.sw.vcs + e->vc].channel;
  struct hd_port_break *b = v->broken;
  if (b->rule == HD_PORT_NONE || b->has_packet || i < 0)
    return;
  const struct packet *p =
      packet_of(&v->s->channels[i], v->s->outputs[e->port * w->params.sw.vcs + e->vc].packet);
  b->has_packet = true;
  b->in_port = (uint8_t)((uint32_t)i / w->params.sw.vcs);
  b->in_vc = (uint8_t)((uint32_t)i % w->params.sw.vcs);
  b->came = p->came;
  b->head = p->looks;
}

static void watch_output(const struct view *v, const struct hd_flit_event *e)
{
  const struct hd_switch_params *p = &v->watch->params.sw;
  struct watched *s = v->s;
  const uint64_t cycle = v->start + e->cycle;
  if (e->port >= p->ports || e->vc >= p->vcs) {
    hd_watch_breaks(v, HD_PORT_FRAMING, cycle, e->port, e, NULL, 0,
                    "a flit left by port %u on channel %u; channels are 0 to %" PRIu32, e->port,
                    e->vc, p->vcs - 1);
    return;
  }
  const unsigned bit = 1u << e->vc;
  if (begins(e->kind))
    s->by_path[e->port] = (uint8_t)((s->by_path[e->port] & ~bit) | ((e->data & 3) == 2 ? bit : 0u));
  s->counts.of[HD_PORT_LINK]++;
  s->flit_out[e->port] = cycle;
  if (v->watch->params.peers[(size_t)v->sw * p->ports + e->port].kind == HD_PEER_NONE &&
      !(s->by_path[e->port] & bit)) /* the writer of a path may end it anywhere */
    hd_watch_breaks(v, HD_PORT_LINK, cycle, e->port, e, NULL, 0,
                    "a %s left by port %u, which has no link", hd_watch_kind_name(e->kind),
                    e->port);
  uint8_t *sent = &s->sent[e->port * p->vcs + e->vc];
  if (takes_slot(v->watch, e->kind) && !v->watch->params.ready_links) {
    s->counts.of[HD_PORT_CREDIT]++;
    if (*sent >= p->depth_flits)
      hd_watch_breaks(v, HD_PORT_CREDIT, cycle, e->port, e, NULL, 0,
                      "a %s left by port %u on channel %u, whose receiver has no free slot of "
                      "%" PRIu32,
                      hd_watch_kind_name(e->kind), e->port, e->vc, p->depth_flits);
    else if (++*sent == p->depth_flits)
      s->full_at[e->port * p->vcs + e->vc] = cycle;
  }
  check_framing(v, e);
  if (begins(e->kind))
    hd_watch_head_out(v, e);
  else if (!(e->kind & HD_KIND_RESERVED))
    hd_watch_flit_out(v, e);
  else if (e->kind == HD_KIND_PADDING)
    s->preempted[e->port] = (uint8_t)((s->preempted[e->port] & ~bit) | (e->data & 1 ? 0u : bit));
  follow(s->open_out, e);
  name_packet(v, e);
}

/* P2 */
static void credit_out(const struct view *v, const struct hd_credit_event *e)
{
  const uint32_t vcs = v->watch->params.sw.vcs;
  if (e->port >= v->watch->params.sw.ports)
    return;
  if (v->watch->params.ready_links) {
    v->s->ready_in[e->port] = e->vcs;
    return;
  }
  for (unsigned set = e->vcs & ((1u << vcs) - 1); set; set &= set - 1) {
    const uint32_t vc = (uint32_t)__builtin_ctz(set);
    uint8_t *taken = &v->s->taken[e->port * vcs + vc];
    v->s->counts.of[HD_PORT_SURPLUS]++;
    if (*taken) {
      --*taken;
      v->s->owing--;
      continue;
    }
    if (hd_watch_is_broken(v))
      continue;
    hd_watch_breaks(v, HD_PORT_SURPLUS, v->start + e->cycle, e->port, NULL, NULL, 0,
                    "a credit was given at input port %u for channel %" PRIu32
                    ", all of whose slots are free",
                    e->port, vc);
    v->broken->vc = (uint8_t)vc;
  }
}

/* P17. An X counts before other outputs of its cycle, since these may follow from the X. */
static void check_known(const struct view *v, const struct hd_port_unknown *u)
{
  char at[40] = "";
  if (u->port != 0xff && u->vc != 0xff)
    snprintf(at, sizeof at, ", port %u, channel %u", u->port, u->vc);
  else if (u->port != 0xff)
    snprintf(at, sizeof at, ", port %u", u->port);
  hd_watch_breaks(v, HD_PORT_UNKNOWN, v->start + u->cycle, u->port, NULL, NULL, 0, "%c in %s%s",
                  u->seen, u->pin, at);
  v->broken->vc = u->vc;
}

static void write_in(const struct view *v, const struct hd_config_event *e)
{
  const struct rewritten rewritten = hd_watch_write(v->watch, v->s, e->addr, e->data);
  if (rewritten.others || rewritten.trees)
    hd_watch_loosen(v, rewritten);
}

/* Skips looks at cycles in which nothing is inside and nothing crosses. True: the whole window
 * is skipped. */
static bool skip(struct watched *s, const struct hd_port_events *e, bool same_cycle)
{
  const uint64_t end = e->start + e->cycles - (same_cycle && e->cycles);
  if (s->next_look + LOOK_CYCLES <= e->start)
    s->next_look = e->start / LOOK_CYCLES * LOOK_CYCLES;
  if (s->inside || s->owing || s->pending.on || e->n_flits_in || e->n_flits_out ||
      e->n_credits_in || e->n_credits_out || e->n_configs_in || (e->unknown && e->unknown->seen))
    return false;
  if (s->next_look <= end)
    s->next_look = end / LOOK_CYCLES * LOOK_CYCLES + LOOK_CYCLES;
  return true;
}

int hd_port_watch_switch(struct hd_port_watch *watch, uint32_t sw, const struct hd_port_events *e,
                         struct hd_port_break *broken)
{
  struct watched *s = &watch->switches[sw];
  const struct view v = {watch, s, broken, e->start, sw};
  uint32_t fi = 0, fo = 0, ci = 0, co = 0, w = 0;
  const uint32_t same = watch->params.same_cycle;
  int status = HD_OK;
  const struct hd_port_unknown *x = e->unknown && e->unknown->seen ? e->unknown : NULL;
  broken->rule = HD_PORT_NONE;
  if (e->unknown)
    s->counts.of[HD_PORT_UNKNOWN] += e->n_flits_out + e->n_credits_out;
  if (skip(s, e, same))
    return HD_OK;
  for (;;) {
    /* A Heddle switch decides its outputs of a cycle before it gets the inputs of that cycle. */
    uint32_t cycle = UINT32_MAX;
    if (fo < e->n_flits_out)
      cycle = e->flits_out[fo].cycle;
    if (co < e->n_credits_out && e->credits_out[co].cycle < cycle)
      cycle = e->credits_out[co].cycle;
    if (x && x->cycle < cycle)
      cycle = x->cycle;
    const bool at_end = cycle > e->cycles - same;
    const bool looks = s->next_look < e->start + (at_end ? e->cycles + UINT64_C(1) - same : cycle);
    if (looks) /* this look comes before the next output */
      cycle = s->next_look > e->start ? (uint32_t)(s->next_look - e->start) : 0;
    const uint32_t limit = cycle < e->cycles ? cycle + same : e->cycles;
    for (; fi < e->n_flits_in && e->flits_in[fi].cycle < limit && !status; fi++) {
      for (; w < e->n_configs_in && e->configs_in[w].cycle < e->flits_in[fi].cycle; w++)
        write_in(&v, &e->configs_in[w]);
      status = watch_input(&v, &e->flits_in[fi]);
    }
    for (; w < e->n_configs_in && e->configs_in[w].cycle < limit; w++)
      write_in(&v, &e->configs_in[w]);
    for (; ci < e->n_credits_in && e->credits_in[ci].cycle < limit; ci++)
      credit_in(&v, &e->credits_in[ci]);
    if (s->pending.on)
      hd_watch_settle(&v, e->start + limit - same);
    if (status || broken->rule != HD_PORT_NONE)
      return status;
    if (looks) {
      if (s->inside || s->owing)
        hd_watch_look(&v, s->next_look);
      s->next_look += LOOK_CYCLES;
      continue;
    }
    if (at_end)
      return status;
    if (x && x->cycle == cycle) {
      check_known(&v, x);
      return status;
    }
    for (; fo < e->n_flits_out && e->flits_out[fo].cycle == cycle; fo++)
      watch_output(&v, &e->flits_out[fo]);
    for (; co < e->n_credits_out && e->credits_out[co].cycle == cycle; co++)
      credit_out(&v, &e->credits_out[co]);
  }
}

bool hd_port_watch_pending(const struct hd_port_watch *watch, struct hd_port_break *broken)
{
  bool found = false;
  for (uint32_t sw = 0; sw < watch->params.n_switches; sw++) {
    const struct pending *p = &watch->switches[sw].pending;
    if (!p->on || (found && p->broken.cycle >= broken->cycle))
      continue;
    *broken = p->broken;
    found = true;
  }
  return found;
}

/* The packet of an input channel that came in first and is still inside; NULL: none. */
static const struct packet *oldest(const struct channel *c)
{
  for (uint32_t i = c->first; i != c->next; i++) {
    const struct packet *p = packet_of(c, i);
    if (p->state != GONE && !(p->flags & LOOSE))
      return p;
  }
  return NULL;
}

bool hd_watch_takes_no_more(const struct hd_port_watch *w, const struct watched *s)
{
  for (uint32_t i = 0; i < w->channels; i++)
    if (s->taken[i])
      return true;
  return false;
}

/* P13 and P14 at the end: fills in *b for a packet that did not leave. */
static void say_left(const struct hd_port_watch *w, const struct watched *s, uint32_t i,
                     const struct packet *p, struct hd_port_break *b)
{
  const uint32_t vcs = w->params.sw.vcs, missing = p->flits - p->left;
  const bool credited = w->params.is_network ? !hd_watch_takes_no_more(w, s) : !s->taken[i];
  const char *where =
      w->params.is_network
          ? (credited ? "; the network took all flits that came, so it has lost it, or holds it "
                        "inside for ever"
                      : "; the network has not taken all flits that came, so it stands still")
      : credited ? "; all its slots are credited, so the switch has lost it, or keeps it inside"
                 : "; slots of the channel are not credited, so the switch holds it";
  b->rule = credited ? HD_PORT_MISSING : HD_PORT_HELD;
  b->has_packet = true;
  b->in_port = (uint8_t)(i / vcs);
  b->in_vc = (uint8_t)(i % vcs);
  b->came = b->since = b->cycle = p->came;
  b->head = p->looks;
  snprintf(b->what, sizeof b->what,
           "%s came in by port %u on channel %u in cycle %" PRIu64 ", and %" PRIu32
           " of its %" PRIu32 " flits did not leave%s",
           hd_watch_head_name(w, p->kind, p->looks).text, b->port, b->vc, p->came, missing,
           p->flits, w->params.ready_links ? "" : where);
}

bool hd_port_watch_end(const struct hd_port_watch *watch, uint64_t cycle,
                       struct hd_port_break *broken)
{
  const uint32_t vcs = watch->params.sw.vcs;
  struct hd_port_break first = {.rule = HD_PORT_NONE};
  hd_port_watch_pending(watch, &first);
  for (uint32_t sw = 0; sw < watch->params.n_switches; sw++) {
    struct watched *s = &watch->switches[sw];
    for (uint32_t i = 0; i < watch->channels; i++) {
      const struct packet *p = oldest(&s->channels[i]);
      const unsigned taken = s->taken[i];
      struct hd_port_break found = {.rule = HD_PORT_NONE,
                                    .cycle = cycle,
                                    .since = cycle,
                                    .sw = sw,
                                    .port = (uint8_t)(i / vcs),
                                    .vc = (uint8_t)(i % vcs)};
      if (broken && !watch->params.ready_links)
        s->counts.of[HD_PORT_OWED]++;
      if (p && p->flits > p->left) {
        say_left(watch, s, i, p, &found);
      } else if (taken) {
        found.rule = HD_PORT_OWED;
        snprintf(found.what, sizeof found.what,
                 "%u %s at input port %u, channel %u, and the network is empty", taken,
                 taken == 1 ? "credit is owed" : "credits are owed", found.port, found.vc);
      }
      if (found.rule != HD_PORT_NONE && (first.rule == HD_PORT_NONE || found.cycle < first.cycle))
        first = found;
    }
  }
  if (broken)
    *broken = first;
  return first.rule != HD_PORT_NONE;
}

struct hd_port_counts hd_port_watch_counts(const struct hd_port_watch *watch)
{
  struct hd_port_counts sum = {.wanted = 0};
  for (uint32_t sw = 0; watch && sw < watch->params.n_switches; sw++) {
    const struct hd_port_counts *c = &watch->switches[sw].counts;
    for (int rule = 0; rule < HD_PORT_RULES; rule++)
      sum.of[rule] += c->of[rule];
    sum.wanted += c->wanted;
    if (c->most_passed > sum.most_passed)
      sum.most_passed = c->most_passed;
    sum.idle += c->idle;
    sum.filled += c->filled;
  }
  return sum;
}

/* ── a packet's way ────────────────────────────────────────────────────────── */

struct stop {
  uint32_t sw;
  uint64_t came, left;
  uint8_t in_port, in_vc, port, vc;
  bool has_left;
};

/* Finds the head that came to the next switch in cycle `came` and left this one by the port and
 * channel. */
static const struct passed *find_passed(const struct watched *s, unsigned port, unsigned vc,
                                        uint64_t came)
{
  const struct passed *found = NULL;
  for (uint32_t i = 0; i < PASSED && i < s->n_passed; i++) {
    const struct passed *p = &s->passed[i];
    if (p->port == port && p->vc == vc && p->left <= came && (!found || p->left > found->left))
      found = p;
  }
  return found;
}

size_t hd_port_watch_way(const struct hd_port_watch *watch, const struct hd_port_break *broken,
                         char *way, size_t size)
{
  enum { MOST = 32 };
  struct stop stops[MOST];
  uint32_t n = 0;
  size_t at = 0;
  if (size)
    way[0] = 0;
  if (!broken->has_packet)
    return 0;
  stops[n++] = (struct stop){.sw = broken->sw,
                             .came = broken->came,
                             .in_port = broken->in_port,
                             .in_vc = broken->in_vc,
                             .left = broken->cycle,
                             .port = broken->port,
                             .vc = broken->vc,
                             .has_left = broken->has_flit};
  while (n < MOST) {
    const struct stop *here = &stops[n - 1];
    const struct hd_peer *from =
        &watch->params.senders[(size_t)here->sw * watch->params.sw.ports + here->in_port];
    if (from->kind != HD_PEER_SWITCH)
      break;
    const struct passed *p =
        find_passed(&watch->switches[from->index], from->port, here->in_vc, here->came);
    if (!p)
      break;
    stops[n++] =
        (struct stop){from->index, p->came, p->left, p->in_port, p->in_vc, p->port, p->vc, true};
  }
  for (uint32_t i = n; i-- > 0;) {
    const struct stop *s = &stops[i];
    char out[64] = "";
    if (s->has_left)
      snprintf(out, sizeof out, "; out by %u, %u, %" PRIu64, s->port, s->vc, s->left);
    const int length =
        snprintf(at < size ? way + at : NULL, at < size ? size - at : 0,
                 "%sswitch %" PRIu32 " (in by port %u, channel %u, cycle %" PRIu64 "%s)",
                 at ? ", " : "", s->sw, s->in_port, s->in_vc, s->came, out);
    at += (size_t)length;
  }
  return at;
}
