/* A monitor for one router: turns pins into the events of the watch, and its broken rule into a sentence.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The watch reads heads in Heddle's format (§1.3). So the monitor shifts a flit up and puts the
 * destination, which the bench supplies, into the lower bits. A flit that is too wide for this is
 * replaced by a digest.
 */
#include "monitor.h"

#include "watch_internal.h"

#include "../../cmodel/switch/registers.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IN, OUT, WAYS, MAX_CHANNELS = HD_MAX_PORTS * HD_MAX_VCS };
enum { MAX_SLOTS = 254, MAX_WORDS = HD_MONITOR_MAX_BITS / 32 };
enum { SELECT_DESTINATION = 1, SELECT_SET = 4, ENTRY_VALID = 1 << 12 }; /* §3.2 */

struct route {
  uint16_t ports;
  uint8_t channels;
};

/** A flit that was offered and not yet taken. */
struct offer {
  bool on;
  uint8_t vc, first, last;
  uint64_t data;
};

struct hd_monitor {
  struct hd_monitor_params params;
  enum hd_port_order order;
  uint32_t nodes, words, shift;
  uint32_t kept[MAX_WORDS];
  struct hd_peer peers[HD_MAX_PORTS], senders[HD_MAX_PORTS];
  struct route *routes;        /* [ports][nodes] */
  bool routed, chosen;         /* a route was given; a route has several ports */
  struct hd_port_watch *watch; /* NULL before the first cycle and after a reset */
  uint64_t cycle, flits[WAYS];
  uint64_t packets; /* packets that left before the last reset */
  struct offer offers[WAYS][HD_MAX_PORTS];
  uint8_t back[WAYS][HD_MAX_PORTS]; /* wires that the watch saw last */
  /* cycles in a row, this one included, in which the channel was off */
  uint32_t off[WAYS][MAX_CHANNELS];
  const char *rule; /* "" */
  bool told;        /* hd_monitor_cycle has returned 1 */
  char says[640];
};

/* ── what the router is like ───────────────────────────────────────────────── */

struct limit {
  const char *name;
  uint32_t value, low, high;
};

static int check_limits(const struct hd_monitor_params *p, struct hd_error *err)
{
  const bool credits = p->links == HD_MONITOR_CREDITS;
  const struct limit limits[] = {
      {"ports", p->ports, 2, HD_MAX_PORTS},
      {"vcs", p->vcs, 1, HD_MAX_VCS},
      {"data_bits", p->data_bits, 1, HD_MONITOR_MAX_BITS},
      {"nodes", p->nodes, 0, HD_MAX_NODES},
      {"links", (uint32_t)p->links, HD_MONITOR_READY, HD_MONITOR_ONOFF},
      {credits ? "depth_flits with credits" : "depth_flits without credits", p->depth_flits,
       credits, credits ? MAX_SLOTS : 0},
  };
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    const struct limit *l = &limits[i];
    if (l->value < l->low || l->value > l->high)
      return hd_fail(err, HD_E_INPUT, "%s is %" PRIu32 "; it must be %" PRIu32 " to %" PRIu32,
                     l->name, l->value, l->low, l->high);
  }
  if (p->unlinked >> p->ports)
    return hd_fail(err, HD_E_INPUT, "unlinked is 0x%" PRIx32 ", which names ports above %" PRIu32,
                   p->unlinked, p->ports - 1);
  return HD_OK;
}

/* "networks" needs the number of virtual networks. A single router has none. */
static int find_order(const char *name, enum hd_port_order *order, struct hd_error *err)
{
  for (unsigned i = HD_ORDER_USUAL; name && hd_port_order_name(i); i++)
    if (i != HD_ORDER_NETWORKS && !strcmp(name, hd_port_order_name(i))) {
      *order = (enum hd_port_order)i;
      return HD_OK;
    }
  *order = HD_ORDER_USUAL;
  if (!name)
    return HD_OK;
  return hd_fail(err, HD_E_INPUT,
                 "order is \"%s\"; it must be usual, channels, flows, pairs or none", name);
}

int hd_monitor_create(struct hd_monitor **monitor, const struct hd_monitor_params *params,
                      struct hd_error *err)
{
  enum hd_port_order order;
  *monitor = NULL;
  const int status = check_limits(params, err);
  if (status || find_order(params->order, &order, err))
    return HD_E_INPUT;
  struct hd_monitor *m = calloc(1, sizeof *m);
  const uint32_t nodes = params->nodes ? params->nodes : 1;
  struct route *routes = calloc((size_t)params->ports * nodes, sizeof *routes);
  if (!m || !routes) {
    free(m);
    free(routes);
    return hd_fail(err, HD_E_NOMEM, "no memory to monitor a router");
  }
  m->params = *params;
  m->order = order;
  m->nodes = nodes;
  m->words = (params->data_bits + 31) / 32;
  m->shift = 2 + hd_log2_ceil(nodes);
  m->routes = routes;
  m->rule = "";
  for (uint32_t i = 0; i < m->words; i++)
    m->kept[i] = params->kept ? params->kept[i] : UINT32_MAX;
  m->params.kept = NULL;
  m->params.order = NULL;
  if (!params->off_cycles)
    m->params.off_cycles = 1;
  for (uint32_t p = 0; p < params->ports; p++) {
    m->peers[p].kind = params->unlinked >> p & 1 ? HD_PEER_NONE : HD_PEER_NODE;
    m->senders[p].kind = HD_PEER_NODE;
  }
  for (uint32_t i = 0; i < params->ports * nodes; i++)
    routes[i].ports = (uint16_t)((1u << params->ports) - 1);
  *monitor = m;
  return HD_OK;
}

void hd_monitor_destroy(struct hd_monitor *m)
{
  if (!m)
    return;
  hd_port_watch_destroy(m->watch);
  free(m->routes);
  free(m);
}

static int check_route(const struct hd_monitor *m, int in_port, uint32_t node, uint32_t ports,
                       uint32_t channels, struct hd_error *err)
{
  const uint32_t all = m->params.ports;
  if (m->watch)
    return hd_fail(err, HD_E_INPUT,
                   "a route was given in cycle %" PRIu64
                   "; routes are given before the first cycle or after a reset",
                   m->cycle);
  if (in_port < HD_MONITOR_ANY_PORT || in_port >= (int)all)
    return hd_fail(err, HD_E_INPUT,
                   "a route is for input port %d; ports are 0 to %" PRIu32 ", or -1 for all",
                   in_port, all - 1);
  if (node >= m->nodes)
    return hd_fail(err, HD_E_INPUT, "a route is for node %" PRIu32 "; nodes are 0 to %" PRIu32,
                   node, m->nodes - 1);
  if (ports >> all)
    return hd_fail(err, HD_E_INPUT,
                   "a route to node %" PRIu32 " has the ports 0x%" PRIx32
                   "; ports are 0 to %" PRIu32,
                   node, ports, all - 1);
  if (channels >> m->params.vcs || (channels && ports & (ports - 1)))
    return hd_fail(err, HD_E_INPUT,
                   "a route to node %" PRIu32 " has the channels 0x%" PRIx32
                   "; it must be channels below %" PRIu32 " of one port, or 0 for all",
                   node, channels, m->params.vcs);
  return HD_OK;
}

int hd_monitor_route(struct hd_monitor *m, int in_port, uint32_t node, uint32_t ports,
                     uint32_t channels, struct hd_error *err)
{
  const int status = check_route(m, in_port, node, ports, channels, err);
  if (status)
    return status;
  for (uint32_t p = 0; p < m->params.ports; p++)
    if (in_port == HD_MONITOR_ANY_PORT || in_port == (int)p)
      m->routes[p * m->nodes + node] =
          (struct route){.ports = (uint16_t)ports, .channels = (uint8_t)channels};
  m->routed = true;
  m->chosen |= (ports & (ports - 1)) != 0;
  return HD_OK;
}

/* Tables of the watch: an entry for one port, which may name channels, or a set of ports. */
static void write_route(struct hd_monitor *m, uint32_t port, uint32_t node)
{
  const struct route *r = &m->routes[port * m->nodes + node];
  const uint32_t at = port << 12 | node;
  const unsigned channels = r->channels ? r->channels : (1u << m->params.vcs) - 1;
  if (r->ports & (r->ports - 1))
    hd_port_watch_config(m->watch, 0, SELECT_SET << 16 | at, r->ports);
  else if (r->ports)
    hd_port_watch_config(
        m->watch, 0, SELECT_DESTINATION << 16 | at,
        (uint16_t)(ENTRY_VALID | channels << 4 | (unsigned)__builtin_ctz(r->ports)));
}

static enum hd_port_order usual_order(const struct hd_monitor *m)
{
  if (m->order != HD_ORDER_USUAL)
    return m->order;
  return m->routed && !m->chosen ? HD_ORDER_FLOWS : HD_ORDER_NONE;
}

static int begin(struct hd_monitor *m)
{
  const struct hd_monitor_params *p = &m->params;
  const struct hd_port_watch_params params = {
      .sw = {.ports = p->ports,
             .vcs = p->vcs,
             .depth_flits = p->depth_flits,
             .nodes = m->nodes,
             .adaptive = HD_ADAPTIVE_CREDITS},
      .n_switches = 1,
      .peers = m->peers,
      .senders = m->senders,
      .order = usual_order(m),
      .held_cycles = p->held_cycles,
      .starved_heads = p->starved_heads,
      .ready_links = p->links != HD_MONITOR_CREDITS,
      .same_cycle = true,
      .shown_from = (uint8_t)m->shift,
      .digests = p->data_bits + m->shift > 64,
  };
  const int status = hd_port_watch_create(&m->watch, &params, NULL);
  if (status)
    return status;
  hd_port_watch_config(m->watch, 0, HD_CFG_ADAPT, (uint16_t)((1u << p->vcs) - 1));
  for (uint32_t port = 0; port < p->ports; port++)
    for (uint32_t node = 0; node < m->nodes; node++)
      write_route(m, port, node);
  return HD_OK;
}

/* ── a broken rule in words ────────────────────────────────────────────────── */

struct rule {
  const char *number, *name, *sentence;
};
enum {
#define RULE_AT(NAME, number, name, sentence) RULE_##NAME,
  HD_MONITOR_RULE_LIST(RULE_AT)
#undef RULE_AT
};
static const struct rule own_rules[] = {
#define RULE_ROW(NAME, number, name, sentence) {number, name, sentence},
    HD_MONITOR_RULE_LIST(RULE_ROW)
#undef RULE_ROW
};

static void note_broken(struct hd_monitor *m, const struct rule *rule, uint64_t cycle, int way,
                        uint32_t port, uint32_t vc, const char *what)
{
  m->rule = rule->number;
  snprintf(m->says, sizeof m->says,
           "%s %s: %s (cycle %" PRIu64 ", %s port %" PRIu32 ", channel %" PRIu32 "): %s",
           rule->number, rule->name, rule->sentence, cycle, way == IN ? "input" : "output", port,
           vc, what);
}

__attribute__((format(printf, 6, 7))) static void breaks(struct hd_monitor *m,
                                                         const struct rule *rule, int way,
                                                         uint32_t port, uint32_t vc,
                                                         const char *format, ...)
{
  char what[240];
  va_list args;
  if (m->rule[0])
    return;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  note_broken(m, rule, m->cycle, way, port, vc, what);
}

/* Says which rule broke and where. A port is an input unless a flit left by it. */
static void tell_break(struct hd_monitor *m, const struct hd_port_break *b)
{
  const struct rule rule = {hd_port_rule_number(b->rule), hd_port_rule_name(b->rule),
                            hd_port_rule_sentence(b->rule)};
  char node[32] = "";
  note_broken(m, &rule, b->cycle, b->has_flit ? OUT : IN, b->port, b->vc, b->what);
  if (!b->has_packet)
    return;
  if (m->params.nodes)
    snprintf(node, sizeof node, " for node %" PRIu64,
             b->head >> 2 & ((UINT64_C(1) << (m->shift - 2)) - 1));
  const size_t at = strlen(m->says);
  snprintf(m->says + at, sizeof m->says - at,
           "; packet%s that came in by port %u on channel %u in cycle %" PRIu64, node, b->in_port,
           b->in_vc, b->came);
}

/* ── pins ──────────────────────────────────────────────────────────────────── */

static uint32_t word(const struct hd_monitor *m, const struct hd_monitor_side *s, uint32_t i)
{
  const uint32_t rest = m->params.data_bits - 32 * i;
  const uint32_t mask = rest < 32 ? (1u << rest) - 1 : UINT32_MAX;
  return s->data[i] & mask & (s->first ? m->kept[i] : UINT32_MAX);
}

/* A flit in the form that the watch reads. */
static uint64_t watched_data(const struct hd_monitor *m, const struct hd_monitor_side *s)
{
  uint64_t data = word(m, s, 0);
  if (m->words > 1)
    data |= (uint64_t)word(m, s, 1) << 32;
  if (m->params.data_bits + m->shift > 64)
    for (uint32_t i = 2; i < m->words || i == 2; i++)
      data = hd_mix64(data + (i < m->words ? word(m, s, i) : 0));
  const uint64_t node = s->first ? s->node & ((UINT64_C(1) << (m->shift - 2)) - 1) : 0;
  return data << m->shift | node << 2;
}

/* V1 and V2: checks that the flit is offered as the link's protocol demands. True: the flit
 * crosses. */
static bool crosses(struct hd_monitor *m, int way, uint32_t port, const struct hd_monitor_side *s)
{
  const bool legal = s->vc < m->params.vcs, back = legal && s->back >> s->vc & 1;
  const struct rule *rule = &own_rules[way == IN ? RULE_BENCH : RULE_WITHDRAWN];
  struct offer *was = &m->offers[way][port];
  if (m->params.links == HD_MONITOR_READY) {
    const struct offer now = {.on = s->valid && legal && !back,
                              .vc = s->vc,
                              .first = s->first,
                              .last = s->last,
                              .data = s->valid ? watched_data(m, s) : 0};
    if (was->on && !(m->params.may_withdraw && way == OUT) &&
        (!s->valid || was->vc != now.vc || was->first != now.first || was->last != now.last ||
         was->data != now.data))
      breaks(m, rule, way, port, was->vc,
             "the flit that was offered in cycle %" PRIu64 " %s, and was not taken", m->cycle - 1,
             s->valid ? "has changed" : "is not offered any more");
    *was = now;
    return s->valid && !now.on;
  }
  if (m->params.links == HD_MONITOR_ONOFF && s->valid && legal &&
      m->off[way][port * m->params.vcs + s->vc] > m->params.off_cycles)
    breaks(m, &own_rules[way == IN ? RULE_BENCH : RULE_OFF], way, port, s->vc,
           "a flit was sent, and the channel is off since cycle %" PRIu64,
           m->cycle + 1 - m->off[way][port * m->params.vcs + s->vc]);
  return s->valid;
}

/* B1: the bench sends a flit that the router need not accept. */
static void check_bench(struct hd_monitor *m, uint32_t port, const struct hd_monitor_side *s,
                        bool first)
{
  const struct watched *w = &m->watch->switches[0];
  const struct rule *bench = &own_rules[RULE_BENCH];
  if (s->vc >= m->params.vcs) {
    breaks(m, bench, IN, port, s->vc,
           "the bench sent a flit on channel %u; channels are 0 to %" PRIu32, s->vc,
           m->params.vcs - 1);
    return;
  }
  const bool open = w->open_in[port] >> s->vc & 1;
  if (first == open)
    breaks(m, bench, IN, port, s->vc,
           open ? "the bench sent a first flit inside a packet"
                : "the bench sent a flit that is not a first one, and no packet is under way");
  if (first && m->params.nodes && s->node >= m->nodes)
    breaks(m, bench, IN, port, s->vc,
           "the bench sent a packet to node %" PRIu32 "; nodes are 0 to %" PRIu32, s->node,
           m->nodes - 1);
  if (m->params.links == HD_MONITOR_CREDITS &&
      w->taken[port * m->params.vcs + s->vc] - (s->back >> s->vc & 1) >= (int)m->params.depth_flits)
    breaks(m, bench, IN, port, s->vc,
           "the bench sent a flit, and none of the %" PRIu32 " slots is free",
           m->params.depth_flits);
}

/* Turns a flit at the pins into an event of the watch. False: no flit crosses. */
static bool take_flit(struct hd_monitor *m, int way, uint32_t port,
                      const struct hd_monitor_side *pins, struct hd_flit_event *e)
{
  const struct watched *w = &m->watch->switches[0];
  struct hd_monitor_side s = *pins;
  const uint8_t open = way == IN ? w->open_in[port] : w->open_out[port];
  if (m->params.no_first)
    s.first = s.vc < m->params.vcs && !(open >> s.vc & 1);
  if (!crosses(m, way, port, &s))
    return false;
  if (way == IN)
    check_bench(m, port, &s, s.first);
  m->flits[way]++;
  *e = (struct hd_flit_event){
      .data = watched_data(m, &s),
      .port = (uint8_t)port,
      .vc = s.vc,
      .kind = (uint8_t)((s.first ? HD_KIND_HEAD : 0) | (s.last ? HD_KIND_TAIL : 0))};
  return true;
}

/* B1: the bench gives credits for slots that hold no flit. */
static void check_credits(struct hd_monitor *m, uint32_t port, unsigned set)
{
  const struct watched *w = &m->watch->switches[0];
  for (uint32_t vc = 0; vc < m->params.vcs; vc++)
    if (set >> vc & 1 && !w->sent[port * m->params.vcs + vc])
      breaks(m, &own_rules[RULE_BENCH], OUT, port, vc,
             "the bench gave a credit, and all slots are free");
}

/* Turns a port's ready, credit or on wires into an event of the watch. False: they did not
 * change. */
static bool take_back(struct hd_monitor *m, int way, uint32_t port, const struct hd_monitor_side *s,
                      struct hd_credit_event *e)
{
  const unsigned all = (1u << m->params.vcs) - 1;
  const bool credits = m->params.links == HD_MONITOR_CREDITS;
  /* While a flit is offered, other channels must wait. Without an offer, a ready that waits for
   * valid says nothing. */
  const bool waits = m->params.links == HD_MONITOR_READY && way == IN;
  const unsigned set = m->offers[way][port].on ? 0 : waits ? all : s->back & all;
  const bool news = credits ? set != 0 : set != m->back[way][port];
  *e = (struct hd_credit_event){.port = (uint8_t)port, .vcs = (uint8_t)set};
  m->back[way][port] = (uint8_t)set;
  if (credits && way == OUT)
    check_credits(m, port, set);
  return news;
}

/* Counts the cycles in which channels are off, this one included. */
static void count_off(struct hd_monitor *m, int way, uint32_t port, const struct hd_monitor_side *s)
{
  for (uint32_t vc = 0; vc < m->params.vcs; vc++) {
    uint32_t *off = &m->off[way][port * m->params.vcs + vc];
    *off = s->back >> vc & 1 ? 0 : *off + (*off < UINT32_MAX);
  }
}

/* Flits and credits that cross the ports in one cycle. */
struct crossing {
  struct hd_flit_event flits[WAYS][HD_MAX_PORTS];
  /* ready, credit or on wires of the flits of that direction */
  struct hd_credit_event backs[WAYS][HD_MAX_PORTS];
  uint32_t n_flits[WAYS], n_backs[WAYS];
};

static void take_pins(struct hd_monitor *m, const struct hd_monitor_port *ports, struct crossing *c)
{
  c->n_flits[IN] = c->n_flits[OUT] = c->n_backs[IN] = c->n_backs[OUT] = 0;
  for (uint32_t p = 0; p < m->params.ports && !m->rule[0]; p++)
    for (int way = IN; way < WAYS; way++) {
      const struct hd_monitor_side *s = way == IN ? &ports[p].in : &ports[p].out;
      count_off(m, way, p, s);
      c->n_flits[way] += take_flit(m, way, p, s, &c->flits[way][c->n_flits[way]]);
      c->n_backs[way] += take_back(m, way, p, s, &c->backs[way][c->n_backs[way]]);
    }
}

static int watch_cycle(struct hd_monitor *m, const struct crossing *c)
{
  struct hd_port_break broken;
  const struct hd_port_events e = {.start = m->cycle,
                                   .cycles = 1,
                                   .flits_in = c->flits[IN],
                                   .flits_out = c->flits[OUT],
                                   .credits_in = c->backs[OUT],
                                   .credits_out = c->backs[IN],
                                   .n_flits_in = c->n_flits[IN],
                                   .n_flits_out = c->n_flits[OUT],
                                   .n_credits_in = c->n_backs[OUT],
                                   .n_credits_out = c->n_backs[IN]};
  const int status = hd_port_watch_switch(m->watch, 0, &e, &broken);
  if (!status && broken.rule != HD_PORT_NONE)
    tell_break(m, &broken);
  return status;
}

/* The router drives a pin if it belongs to an output, or if it runs against an input's flits. */
void hd_monitor_unknown(struct hd_monitor *m, bool out, bool back, uint32_t port)
{
  const struct rule unknown = {hd_port_rule_number(HD_PORT_UNKNOWN),
                               hd_port_rule_name(HD_PORT_UNKNOWN),
                               hd_port_rule_sentence(HD_PORT_UNKNOWN)};
  breaks(m, out != back ? &unknown : &own_rules[RULE_BENCH], out ? OUT : IN, port, 0,
         "%s is X or Z", back ? "a wire against the flits" : "valid or a valid flit");
}

int hd_monitor_cycle(struct hd_monitor *m, const struct hd_monitor_port *ports)
{
  struct crossing c;
  int status = HD_OK;
  if (!m->told && !m->watch)
    status = begin(m);
  if (!m->rule[0] && !status) {
    take_pins(m, ports, &c);
    if (!m->rule[0])
      status = watch_cycle(m, &c);
  }
  m->cycle++;
  if (status || m->told)
    return status;
  m->told = m->rule[0] != 0;
  return m->told;
}

void hd_monitor_reset(struct hd_monitor *m)
{
  m->cycle++;
  if (!m->watch)
    return;
  m->packets += hd_port_watch_counts(m->watch).of[HD_PORT_MISSING];
  hd_port_watch_destroy(m->watch);
  m->watch = NULL;
  memset(m->offers, 0, sizeof m->offers);
  memset(m->back, 0, sizeof m->back);
  memset(m->off, 0, sizeof m->off);
}

/* ── the end ───────────────────────────────────────────────────────────────── */

/* B1: flits may stay inside while the bench accepts none. */
static void check_drained(struct hd_monitor *m)
{
  const struct watched *w = &m->watch->switches[0];
  const struct rule *bench = &own_rules[RULE_BENCH];
  for (uint32_t p = 0; p < m->params.ports; p++) {
    const struct offer *offer = &m->offers[OUT][p];
    if (w->open_in[p])
      breaks(m, bench, IN, p, (uint32_t)__builtin_ctz(w->open_in[p]),
             "at the end the bench has not sent the last flit of a packet");
    if (offer->on)
      breaks(m, bench, OUT, p, offer->vc,
             "at the end the bench has not taken the flit that is offered");
    for (uint32_t vc = 0; vc < m->params.vcs && m->params.links == HD_MONITOR_CREDITS; vc++)
      if (w->sent[p * m->params.vcs + vc] >= m->params.depth_flits)
        breaks(m, bench, OUT, p, vc, "at the end the bench owes credits for all slots");
  }
}

int hd_monitor_end(struct hd_monitor *m)
{
  struct hd_port_break broken;
  if (!m->rule[0] && !m->flits[IN] && !m->flits[OUT])
    breaks(m, &own_rules[RULE_BENCH], IN, 0, 0, "no flit crossed the ports, so nothing was judged");
  if (!m->rule[0] && m->watch && hd_port_watch_end(m->watch, m->cycle, &broken)) {
    check_drained(m);
    if (!m->rule[0])
      tell_break(m, &broken);
  }
  return m->rule[0] != 0;
}

const char *hd_monitor_rule(const struct hd_monitor *m)
{
  return m->rule;
}

/* Lists the rules that were not watched, with reasons: "P7 (no routes are known), …". */
static void say_unwatched(const struct hd_monitor *m, char *text, size_t size)
{
  const struct hd_monitor_params *p = &m->params;
  const bool credits = p->links == HD_MONITOR_CREDITS;
  const struct {
    bool on;
    const char *text;
  } unwatched[] = {
      {!credits, "P1 to P3 (no credits)"},
      {!p->unlinked, "P5 (all outputs are linked)"},
      {!m->routed, "P7 (no routes are known)"},
      {usual_order(m) == HD_ORDER_NONE, "P12 (no order is promised)"},
      {p->held_cycles == UINT32_MAX, "P14 (switched off)"},
      {p->starved_heads == UINT32_MAX, "P15 (switched off)"},
      {true, "P16 (needs the whole network)"},
      {!p->four_state, "P17 (pins are 0 or 1)"},
      {p->links == HD_MONITOR_READY && p->may_withdraw, "V1 (switched off)"},
  };
  size_t at = 0;
  for (size_t i = 0; i < sizeof unwatched / sizeof *unwatched; i++)
    if (unwatched[i].on && at < size)
      at += (size_t)snprintf(text + at, size - at, "%s%s", at ? ", " : "", unwatched[i].text);
}

const char *hd_monitor_says(struct hd_monitor *m)
{
  char unwatched[320];
  if (m->rule[0])
    return m->says;
  const uint64_t packets = m->packets + hd_port_watch_counts(m->watch).of[HD_PORT_MISSING];
  say_unwatched(m, unwatched, sizeof unwatched);
  snprintf(m->says, sizeof m->says,
           "%" PRIu64 " flits came in, %" PRIu64 " flits and %" PRIu64
           " whole packets left in %" PRIu64 " cycles, and no rule was broken; not watched: %s",
           m->flits[IN], m->flits[OUT], packets, m->cycle, unwatched);
  return m->says;
}
