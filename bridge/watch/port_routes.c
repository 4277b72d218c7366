/* Finds the ports by which a head may leave: by the tables of its switch (specification §2.7, §3.2, §10.2), or by a stated rule of routing (rule P7 of §6.7).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "watch_internal.h"

#include "../../cmodel/switch/registers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DESTINATION, SOURCE, SET };
enum { VALID = 1 << 12, ALL_CHANNELS = 0xff0 };

/* §13.3 */
static struct rewritten write_cast(const struct hd_port_watch *w, struct watched *s, uint32_t addr,
                                   uint16_t data)
{
  const uint32_t tree = addr & 0xfff;
  if (addr == HD_CFG_CAST) {
    s->cast = data & 7;
    return (struct rewritten){.trees = UINT32_MAX};
  }
  if (addr != HD_CFG_TREE(tree) || tree >= w->params.sw.trees)
    return (struct rewritten){.trees = 0};
  s->trees[tree] = data;
  return (struct rewritten){.trees = 1u << tree};
}

struct rewritten hd_watch_write(const struct hd_port_watch *w, struct watched *s, uint32_t addr,
                                uint16_t data)
{
  const uint32_t select = addr >> 16, port = addr >> 12 & 15, index = addr & 0xfff;
  static const int tables[] = {[1] = 1 + DESTINATION, [2] = 1 + SOURCE, [4] = 1 + SET};
  const int table = select < 5 ? tables[select] - 1 : -1;
  if (addr == HD_CFG_ADAPT) {
    s->adapt = (uint8_t)(data & ((1u << w->params.sw.vcs) - 1));
    return (struct rewritten){.others = true};
  }
  if (addr == HD_CFG_FIRST && w->params.sw.adaptive == HD_ADAPTIVE_UGAL) {
    s->first = (uint16_t)(data & ((1u << w->params.sw.ports) - 1));
    return (struct rewritten){.others = true};
  }
  if (w->params.sw.trees && (select == 7 || addr == HD_CFG_CAST))
    return write_cast(w, s, addr, data);
  if (table < 0 || !s->entries[table] || port >= w->params.sw.ports || index >= w->params.sw.nodes)
    return (struct rewritten){.others = false};
  s->entries[table][port * w->params.sw.nodes + index] = data;
  return (struct rewritten){.others = w->params.routes == HD_ROUTES_TABLE};
}

static uint32_t field(uint64_t data, uint32_t at, uint32_t bits)
{
  return at < 64 ? (uint32_t)(data >> at & ((UINT64_C(1) << bits) - 1)) : 0;
}

static uint16_t entry_of(const struct hd_port_watch *w, const struct watched *s, int table,
                         uint32_t port, uint32_t index)
{
  if (index >= w->params.sw.nodes)
    return 0;
  if (w->params.computed && table != SET)
    return w->params.computed(w->params.computed_context, table == SOURCE,
                              (uint32_t)(s - w->switches), port, index);
  if (!s->entries[table])
    return 0;
  return s->entries[table][port * w->params.sw.nodes + index];
}

static unsigned channels_of(const struct hd_port_watch *w, uint16_t entry)
{
  return entry & VALID && (entry & 15u) < w->params.sw.ports ? entry >> 4 & w->packet_channels : 0;
}

/* ── stated rules ──────────────────────────────────────────────────────────── */

enum { FAR = UINT16_MAX };

/* Fills `row` with each switch's distance to the node at `exit`, by breadth-first search against
 * the links. `row` is FAR everywhere before. */
static void measure_from(const struct hd_port_watch *w, uint32_t exit, uint16_t *row,
                         uint32_t *queue)
{
  const uint32_t ports = w->params.sw.ports;
  uint32_t n = 0;
  row[exit] = 0;
  queue[n++] = exit;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t port = 0; port < ports; port++) {
      const struct hd_peer *from = &w->params.senders[(size_t)queue[i] * ports + port];
      if (from->kind != HD_PEER_SWITCH || row[from->index] != FAR)
        continue;
      row[from->index] = (uint16_t)(row[queue[i]] + 1);
      queue[n++] = from->index;
    }
}

int hd_watch_measure(struct hd_port_watch *w, struct hd_error *err)
{
  const struct hd_port_watch_params *p = &w->params;
  const size_t ends = (size_t)p->n_switches * p->sw.ports;
  for (size_t i = 0; i < ends; i++)
    if (p->peers[i].kind == HD_PEER_NODE && p->peers[i].index >= w->nodes)
      w->nodes = p->peers[i].index + 1u;
  if (p->is_network || p->routes == HD_ROUTES_TABLE || p->routes == HD_ROUTES_ANY)
    return HD_OK;
  if (p->routes == HD_ROUTES_DIMENSION_ORDER && !p->n_dims)
    return hd_fail(err, HD_E_INPUT, "dimension order is for meshes and tori");
  if (w->nodes > HD_MAX_NODES)
    return hd_fail(err, HD_E_INPUT,
                   "distances of %" PRIu32 " nodes are too many to keep; at most %d; legal: "
                   "run.routes: table or any",
                   w->nodes, HD_MAX_NODES);
  const size_t bytes = (size_t)w->nodes * p->n_switches * sizeof *w->distances;
  uint32_t *queue = calloc(p->n_switches, sizeof *queue);
  w->distances = malloc(bytes);
  if (!queue || !w->distances) {
    free(queue);
    return hd_fail(err, HD_E_NOMEM, "no memory for the distances of %" PRIu32 " switches",
                   p->n_switches);
  }
  memset(w->distances, 0xff, bytes);
  for (size_t i = 0; i < ends; i++)
    if (p->peers[i].kind == HD_PEER_NODE)
      measure_from(w, (uint32_t)(i / p->sw.ports),
                   w->distances + (size_t)p->peers[i].index * p->n_switches, queue);
  free(queue);
  return HD_OK;
}

/* True if the link from `here` to `next` changes only the lowest dimension in which `here`
 * differs from `there`. */
static bool keeps_order(const struct hd_port_watch *w, uint32_t here, uint32_t next, uint32_t there)
{
  for (uint32_t d = 0; d < w->params.n_dims; d++) {
    const uint32_t k = w->params.dims[d];
    if (here % k != there % k)
      return here / k == next / k;
    if (here % k != next % k)
      return false;
    here /= k;
    next /= k;
    there /= k;
  }
  return false;
}

/* True if the stated rule lets a packet for the node go from switch `here` to `next`. */
static bool leads_on(const struct hd_port_watch *w, uint32_t here, uint32_t next, uint32_t node)
{
  if (w->params.routes == HD_ROUTES_ANY)
    return true;
  const uint16_t *row = w->distances + (size_t)node * w->params.n_switches;
  if (row[next] >= row[here])
    return false;
  /* In a mesh, node i is at switch i. */
  return w->params.routes == HD_ROUTES_MINIMAL || keeps_order(w, here, next, node);
}

/* The set of ports by which a packet may leave a switch. */
static unsigned stated_ports(const struct hd_port_watch *w, uint32_t sw, uint32_t destination)
{
  const struct hd_peer *peers = &w->params.peers[(size_t)sw * w->params.sw.ports];
  unsigned set = 0;
  if (!w->nodes || destination / w->nodes >= w->params.networks) /* §5.28 */
    return 0;
  const uint32_t node = destination % w->nodes;
  for (uint32_t o = 0; o < w->params.sw.ports; o++) {
    const struct hd_peer *to = &peers[o];
    if ((to->kind == HD_PEER_NODE && to->index == node) ||
        (to->kind == HD_PEER_SWITCH && leads_on(w, sw, to->index, node)))
      set |= 1u << o;
  }
  return set;
}

/* A network leads each packet to its destination. Node i is at port i (§6.8). */
static bool route_through(const struct hd_port_watch *w, uint32_t destination, struct packet *p)
{
  p->flags |= STATED;
  p->set = (uint16_t)destination;
  return destination < w->nodes;
}

/* §13.3 */
static bool route_cast(const struct hd_port_watch *w, const struct watched *s, uint32_t port,
                       uint64_t data, struct packet *p)
{
  const uint32_t tree = hd_watch_tree(w, data);
  const unsigned ports = (1u << w->params.sw.ports) - 1;
  p->flags |= CAST;
  p->entry = 0;
  p->vc = s->cast;
  if (p->kind == HD_KIND_SINGLE && tree < w->params.sw.trees && w->packet_channels >> s->cast & 1)
    p->set = (uint16_t)(s->trees[tree] & ports & ~(1u << port));
  return p->set;
}

/* ── both ──────────────────────────────────────────────────────────────────── */

bool hd_watch_route(const struct hd_port_watch *w, const struct watched *s, uint32_t port,
                    uint64_t data, struct packet *p)
{
  const uint32_t mode = data & 3, destination = field(data, 2, w->node_bits);
  const uint32_t other = field(data, 2 + w->node_bits, w->node_bits);
  const bool no_source = w->params.computed && mode == 1 && !w->params.sw.source_table; /* §12.2 */
  uint16_t entry = mode == 2 || no_source ? 0 : entry_of(w, s, DESTINATION, port, destination);
  p->looks = data;
  p->set = 0;
  if (mode == 3 && w->params.sw.trees)
    return route_cast(w, s, port, data, p);
  if (w->params.is_network && mode < 2)
    return route_through(w, destination, p);
  if (w->params.routes != HD_ROUTES_TABLE && mode < 2) {
    p->flags |= STATED;
    p->set = (uint16_t)stated_ports(w, (uint32_t)(s - w->switches), destination);
    return p->set;
  }
  if (mode == 2) {
    entry = (uint16_t)(VALID | ALL_CHANNELS | field(data, 2, w->port_bits));
    p->looks = (data >> 2 >> w->port_bits) << 2 | 2;
  } else if (mode == 3 && (!s->entries[SOURCE] || other >= w->params.sw.nodes)) {
    entry = 0;
  } else if (mode == 3 && entry_of(w, s, SOURCE, port, other) & VALID) {
    entry = entry_of(w, s, SOURCE, port, other);
    p->straight = entry_of(w, s, DESTINATION, port, destination);
    if (s->first >> port & 1 && channels_of(w, entry) && channels_of(w, p->straight))
      p->flags |= DECIDES;
  } else if (mode == 3) {
    p->looks &= ~UINT64_C(3);
  } else if (mode == 1 && !no_source && !(entry & VALID) && destination < w->params.sw.nodes) {
    entry = entry_of(w, s, SOURCE, port, other);
  }
  p->entry = channels_of(w, entry) ? entry : 0;
  if (mode == 0 && s->adapt & w->packet_channels)
    p->set = (uint16_t)(entry_of(w, s, SET, port, destination) & ((1u << w->params.sw.ports) - 1));
  return p->entry || p->set;
}

unsigned hd_watch_ways(const struct hd_port_watch *w, const struct watched *s,
                       const struct packet *p, uint32_t port)
{
  if (w->params.is_network)
    return p->set == port ? w->packet_channels : 0;
  unsigned ways = p->flags & ANY_WAY ? w->packet_channels : 0;
  if (p->flags & CAST)
    return ways | (p->set >> port & 1u) << p->vc;
  if (p->entry && (p->entry & 15u) == port)
    ways |= channels_of(w, p->entry);
  if (p->flags & DECIDES && (p->straight & 15u) == port)
    ways |= channels_of(w, p->straight);
  if (p->set >> port & 1)
    ways |= (p->flags & STATED ? ~0u : s->adapt) & w->packet_channels;
  return ways;
}

unsigned hd_watch_ways_with(const struct hd_port_watch *w, const struct watched *s,
                            const struct packet *p, uint32_t port, uint64_t data)
{
  struct packet as = *p;
  if (p->flags & DECIDES && !(p->flags & ANY_WAY)) {
    as.flags &= (uint8_t)~DECIDES;
    as.entry = data & 3 ? p->entry : p->straight;
  }
  return hd_watch_ways(w, s, &as, port);
}

static int append_number(char *what, size_t size, int at, const char *format, uint32_t number)
{
  const int n = at < (int)size ? snprintf(what + at, size - (size_t)at, format, number) : 0;
  return at + n;
}

void hd_watch_say_ways(const struct hd_port_watch *w, const struct watched *s,
                       const struct packet *p, const struct hd_flit_event *flit, char *what,
                       size_t size)
{
  const unsigned channels = hd_watch_ways_with(w, s, p, flit->port, flit->data);
  static const char *const rules[] = {[HD_ROUTES_TABLE] = ", the table says port ",
                                      [HD_ROUTES_DIMENSION_ORDER] = ", dimension order says port ",
                                      [HD_ROUTES_MINIMAL] = ", its node comes nearer by port ",
                                      [HD_ROUTES_ANY] = ", its node may be reached by port "};
  const char *before = w->params.is_network  ? ", its destination is at port "
                       : (p->looks & 3) == 2 ? ", its path says port "
                       : p->flags & CAST     ? ", its tree says port "
                       : p->flags & STATED   ? rules[w->params.routes]
                       : p->flags & DECIDES  ? ", with this header its entry says port "
                       : w->params.computed  ? ", its route is port "
                                             : rules[HD_ROUTES_TABLE];
  int at = append_number(what, size, 0, " left by port %" PRIu32, flit->port);
  if (channels) {
    at = append_number(what, size, at,
                       w->params.computed ? " on channel %" PRIu32 ", where its route says"
                                          : " on channel %" PRIu32 ", where the table says",
                       flit->vc);
    before = " channel ";
    for (uint32_t v = 0; v < w->params.sw.vcs; v++)
      if (channels >> v & 1) {
        at = append_number(what, size, at, before, 0);
        at = append_number(what, size, at, "%" PRIu32, v);
        before = ", ";
      }
    return;
  }
  for (uint32_t o = 0; o < w->params.sw.ports; o++)
    if (hd_watch_ways_with(w, s, p, o, flit->data)) {
      at = append_number(what, size, at, before, 0);
      at = append_number(what, size, at, "%" PRIu32, o);
      before = " or ";
    }
}
