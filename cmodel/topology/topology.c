/* Topologies: functions that all constructors share, and the check of a finished topology (§5).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "topology_build.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DESCRIPTOR(KIND, name) &hd_topology_kind_##name,
const struct hd_topology_descriptor *const hd_topologies[] = {HD_TOPOLOGY_LIST(DESCRIPTOR) NULL};
#undef DESCRIPTOR

const char *hd_topology_kind_name(unsigned kind)
{
  return kind < HD_TOPOLOGIES ? hd_topologies[kind]->name : NULL;
}

uint32_t hd_topology_channel_classes(const struct hd_topology *t)
{
  const struct hd_topology_descriptor *d = hd_topologies[t->kind];
  return d->channel_classes ? d->channel_classes(t) : 1;
}

static bool has_key(const char *const keys[4], const char *key)
{
  for (int i = 0; i < 4 && keys[i]; i++)
    if (!strcmp(keys[i], key))
      return true;
  return false;
}

bool hd_topology_takes(const struct hd_topology_descriptor *d, const char *key, bool *needed)
{
  *needed = has_key(d->needs, key);
  return *needed || has_key(d->takes, key);
}

int hd_topology_build(struct hd_topology *t, enum hd_topology_kind kind,
                      const struct hd_topology_shape *shape, const struct hd_topology_text *text,
                      struct hd_error *err)
{
  int status = hd_topologies[kind]->build(t, shape, text, err);
  if (!status) {
    t->shape = *shape;
    t->shape.file = NULL;
  }
  return status;
}

static struct hd_peer *peer_at(const struct hd_topology *t, uint32_t sw, uint32_t port)
{
  return &t->peers[(size_t)sw * t->ports + port];
}

int hd_topology_alloc(struct hd_topology *t, enum hd_topology_kind kind, uint32_t n_switches,
                      uint32_t n_nodes, uint32_t ports, struct hd_error *err)
{
  memset(t, 0, sizeof *t);
  t->kind = kind;
  if (n_nodes < 2 || n_nodes > HD_MAX_COMPUTED_NODES)
    return hd_fail(err, HD_E_INPUT, "the fabric has %" PRIu32 " node%s; legal: 2 … %d", n_nodes,
                   n_nodes == 1 ? "" : "s", HD_MAX_COMPUTED_NODES);
  if (n_switches < 1 || n_switches > HD_MAX_SWITCHES)
    return hd_fail(err, HD_E_INPUT, "the fabric has %" PRIu32 " switches; legal: 1 … %d",
                   n_switches, HD_MAX_SWITCHES);
  const uint32_t most = n_switches == 1 ? HD_MAX_ENDPOINTS : HD_MAX_PORTS; /* §6.8 */
  if (ports > most)
    return hd_fail(err, HD_E_INPUT,
                   "the fabric needs switches of %" PRIu32 " ports; legal: 2 … %" PRIu32, ports,
                   most);
  t->n_switches = n_switches;
  t->n_nodes = n_nodes;
  t->ports = ports < 2 ? 2 : ports;
  t->senders = t->peers = calloc((size_t)n_switches * t->ports, sizeof *t->peers);
  t->node_exits = t->node_peers = calloc(n_nodes, sizeof *t->node_peers);
  if (!t->peers || !t->node_peers) {
    hd_topology_fini(t);
    return hd_fail(err, HD_E_NOMEM, "out of memory for a topology of %" PRIu32 " switches",
                   n_switches);
  }
  return 0;
}

/* Returns the peer that an end of a link sends to; sender_of returns the peer that sends to it. */
static struct hd_peer *target_of(const struct hd_topology *t, struct hd_peer end)
{
  return end.kind == HD_PEER_NODE ? &t->node_peers[end.index] : peer_at(t, end.index, end.port);
}

static struct hd_peer *sender_of(const struct hd_topology *t, struct hd_peer end)
{
  return end.kind == HD_PEER_NODE ? &t->node_exits[end.index]
                                  : &t->senders[(size_t)end.index * t->ports + end.port];
}

int hd_topology_part(struct hd_topology *t, struct hd_error *err)
{
  size_t places = (size_t)t->n_switches * t->ports;
  t->senders = malloc(places * sizeof *t->senders);
  t->node_exits = malloc(t->n_nodes * sizeof *t->node_exits);
  if (!t->senders || !t->node_exits) {
    hd_topology_fini(t);
    return hd_fail(err, HD_E_NOMEM, "out of memory for a topology");
  }
  memcpy(t->senders, t->peers, places * sizeof *t->senders);
  memcpy(t->node_exits, t->node_peers, t->n_nodes * sizeof *t->node_exits);
  return 0;
}

void hd_topology_send(struct hd_topology *t, struct hd_peer from, struct hd_peer to)
{
  assert(target_of(t, from)->kind == HD_PEER_NONE && sender_of(t, to)->kind == HD_PEER_NONE);
  *target_of(t, from) = to;
  *sender_of(t, to) = from;
}

/* Links a and b in both directions. If all links go both ways, the second direction changes nothing.
 */
static void link_both_ways(struct hd_topology *t, struct hd_peer a, struct hd_peer b)
{
  assert(target_of(t, a)->kind == HD_PEER_NONE && sender_of(t, a)->kind == HD_PEER_NONE);
  assert(target_of(t, b)->kind == HD_PEER_NONE && sender_of(t, b)->kind == HD_PEER_NONE);
  *target_of(t, a) = *sender_of(t, a) = b;
  *target_of(t, b) = *sender_of(t, b) = a;
}

void hd_topology_link(struct hd_topology *t, uint32_t a, uint32_t a_port, uint32_t b,
                      uint32_t b_port)
{
  link_both_ways(t, hd_switch_end(a, a_port), hd_switch_end(b, b_port));
}

void hd_topology_attach(struct hd_topology *t, uint32_t node, uint32_t sw, uint32_t port)
{
  link_both_ways(t, hd_node_end(node), hd_switch_end(sw, port));
}

int hd_topology_delay(struct hd_topology *t, uint32_t sw, uint32_t port, uint32_t cycles,
                      struct hd_error *err)
{
  assert(cycles <= HD_LINK_CYCLES_MAX);
  if (!t->link_cycles)
    t->link_cycles = calloc((size_t)t->n_switches * t->ports, sizeof *t->link_cycles);
  if (!t->link_cycles) {
    hd_topology_fini(t);
    return hd_fail(err, HD_E_NOMEM, "out of memory for a topology");
  }
  t->link_cycles[(size_t)sw * t->ports + port] = (uint8_t)cycles;
  return 0;
}

uint32_t hd_topology_longest_link(const struct hd_topology *t, uint32_t link)
{
  uint32_t longest = link;
  for (size_t i = 0; t->link_cycles && i < (size_t)t->n_switches * t->ports; i++)
    longest = t->link_cycles[i] > longest ? t->link_cycles[i] : longest;
  return longest;
}

static struct hd_peer *copy_wider(const struct hd_topology *t, const struct hd_peer *from,
                                  uint32_t ports)
{
  struct hd_peer *to = calloc((size_t)t->n_switches * ports, sizeof *to);
  for (uint32_t sw = 0; to && sw < t->n_switches; sw++)
    memcpy(to + (size_t)sw * ports, from + (size_t)sw * t->ports, t->ports * sizeof *to);
  return to;
}

int hd_topology_widen(struct hd_topology *t, uint32_t ports, struct hd_error *err)
{
  if (ports < t->ports || ports > HD_MAX_PORTS)
    return hd_fail(err, HD_E_INPUT, "switches of %" PRIu32 " ports; legal: %" PRIu32 " … %d", ports,
                   t->ports, HD_MAX_PORTS);
  bool one_way = hd_topology_one_way(t);
  struct hd_peer *peers = copy_wider(t, t->peers, ports);
  struct hd_peer *senders = one_way ? copy_wider(t, t->senders, ports) : peers;
  uint8_t *cycles = t->link_cycles ? calloc((size_t)t->n_switches * ports, sizeof *cycles) : NULL;
  if (!peers || !senders || (t->link_cycles && !cycles)) {
    free(cycles);
    free(peers);
    if (one_way)
      free(senders);
    return hd_fail(err, HD_E_NOMEM, "out of memory for a topology of %" PRIu32 " switches",
                   t->n_switches);
  }
  if (one_way)
    free(t->senders);
  for (uint32_t sw = 0; cycles && sw < t->n_switches; sw++)
    memcpy(cycles + (size_t)sw * ports, t->link_cycles + (size_t)sw * t->ports, t->ports);
  free(t->link_cycles);
  t->link_cycles = cycles;
  free(t->peers);
  t->peers = peers;
  t->senders = senders;
  t->ports = ports;
  return 0;
}

void hd_topology_fini(struct hd_topology *t)
{
  if (hd_topology_one_way(t)) {
    free(t->senders);
    free(t->node_exits);
  }
  free(t->peers);
  free(t->node_peers);
  free(t->link_cycles);
  free(t->routes.entries);
  free(t->routes.name);
  memset(t, 0, sizeof *t);
}

/* Searches breadth-first from switch 0 over all links, whichever way they go. */
static int check_connected(const struct hd_topology *t, struct hd_error *err)
{
  bool *seen = calloc(t->n_switches, sizeof *seen);
  uint32_t *queue = malloc(t->n_switches * sizeof *queue), head = 0, tail = 0;
  int status = 0;
  if (!seen || !queue) {
    status = hd_fail(err, HD_E_NOMEM, "out of memory");
    goto out;
  }
  seen[0] = true;
  queue[tail++] = 0;
  while (head < tail) {
    uint32_t sw = queue[head++];
    for (uint32_t p = 0; p < 2 * t->ports; p++) {
      const struct hd_peer *peer =
          p < t->ports ? peer_at(t, sw, p) : &t->senders[(size_t)sw * t->ports + p - t->ports];
      if (peer->kind == HD_PEER_SWITCH && !seen[peer->index]) {
        seen[peer->index] = true;
        queue[tail++] = peer->index;
      }
    }
  }
  for (uint32_t sw = 0; sw < t->n_switches && status == 0; sw++)
    if (!seen[sw])
      status = hd_fail(err, HD_E_INPUT,
                       "not connected: switch s%" PRIu32 " cannot be reached from s0 (%" PRIu32
                       " of %" PRIu32 " switches can)",
                       sw, tail, t->n_switches);
out:
  free(seen);
  free(queue);
  return status;
}

static bool is_end(const struct hd_topology *t, const struct hd_peer *end)
{
  return end->kind == HD_PEER_SWITCH ? end->index < t->n_switches && end->port < t->ports
                                     : end->kind == HD_PEER_NODE && end->index < t->n_nodes;
}

static bool is_same_end(const struct hd_peer *a, const struct hd_peer *b)
{
  return a->kind == b->kind && a->index == b->index && a->port == b->port;
}

/* Checks that both ends of a link agree: a port's target takes from that port, and a port's sender sends to it.
 */
static int check_port(const struct hd_topology *t, uint32_t sw, uint32_t port, struct hd_error *err)
{
  const struct hd_peer here = hd_switch_end(sw, port);
  const struct hd_peer *to = target_of(t, here), *from = sender_of(t, here);
  if ((to->kind != HD_PEER_NONE && !is_end(t, to)) ||
      (from->kind != HD_PEER_NONE && !is_end(t, from)))
    return hd_fail(err, HD_E_INPUT, "s%" PRIu32 " port %" PRIu32 " leads nowhere", sw, port);
  if ((to->kind != HD_PEER_NONE && !is_same_end(sender_of(t, *to), &here)) ||
      (from->kind != HD_PEER_NONE && !is_same_end(target_of(t, *from), &here)))
    return hd_fail(err, HD_E_INPUT, "s%" PRIu32 " port %" PRIu32 ": its far end does not lead back",
                   sw, port);
  return 0;
}

static int check_node(const struct hd_topology *t, uint32_t node, struct hd_error *err)
{
  const struct hd_peer here = hd_node_end(node);
  const struct hd_peer *to = target_of(t, here), *from = sender_of(t, here);
  if (to->kind == HD_PEER_NONE && from->kind == HD_PEER_NONE)
    return hd_fail(err, HD_E_INPUT, "node n%" PRIu32 " has no link to a switch", node);
  if (to->kind != HD_PEER_SWITCH || from->kind != HD_PEER_SWITCH)
    return hd_fail(err, HD_E_INPUT, "node n%" PRIu32 " has no way %s", node,
                   to->kind != HD_PEER_SWITCH ? "in: no link to a switch"
                                              : "out: no link from a switch");
  if (!is_end(t, to) || !is_end(t, from) || !is_same_end(sender_of(t, *to), &here) ||
      !is_same_end(target_of(t, *from), &here))
    return hd_fail(err, HD_E_INPUT, "n%" PRIu32 ": its switch port does not lead back", node);
  return 0;
}

int hd_topology_check(const struct hd_topology *t, struct hd_error *err)
{
  int status = 0;
  for (uint32_t sw = 0; sw < t->n_switches && !status; sw++)
    for (uint32_t p = 0; p < t->ports && !status; p++)
      status = check_port(t, sw, p, err);
  for (uint32_t node = 0; node < t->n_nodes && !status; node++)
    status = check_node(t, node, err);
  return status ? status : check_connected(t, err);
}
