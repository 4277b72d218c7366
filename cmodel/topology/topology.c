/* Topologies: what all constructors share, and the check of a finished one (§5).
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

static bool has(const char *const keys[4], const char *key)
{
  for (int i = 0; i < 4 && keys[i]; i++)
    if (!strcmp(keys[i], key))
      return true;
  return false;
}

bool hd_topology_takes(const struct hd_topology_descriptor *d, const char *key, bool *needed)
{
  *needed = has(d->needs, key);
  return *needed || has(d->takes, key);
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
  if (n_nodes < 2 || n_nodes > HD_MAX_NODES)
    return hd_fail(err, HD_E_INPUT, "the fabric has %" PRIu32 " node%s; legal: 2 … %d", n_nodes,
                   n_nodes == 1 ? "" : "s", HD_MAX_NODES);
  if (n_switches < 1 || n_switches > HD_MAX_SWITCHES)
    return hd_fail(err, HD_E_INPUT, "the fabric has %" PRIu32 " switches; legal: 1 … %d",
                   n_switches, HD_MAX_SWITCHES);
  if (ports > HD_MAX_PORTS)
    return hd_fail(err, HD_E_INPUT, "the fabric needs switches of %" PRIu32 " ports; legal: 2 … %d",
                   ports, HD_MAX_PORTS);
  t->n_switches = n_switches;
  t->n_nodes = n_nodes;
  t->ports = ports < 2 ? 2 : ports;
  t->peers = calloc((size_t)n_switches * t->ports, sizeof *t->peers);
  t->node_peers = calloc(n_nodes, sizeof *t->node_peers);
  if (!t->peers || !t->node_peers) {
    hd_topology_fini(t);
    return hd_fail(err, HD_E_NOMEM, "out of memory for a topology of %" PRIu32 " switches",
                   n_switches);
  }
  return 0;
}

void hd_topology_link(struct hd_topology *t, uint32_t a, uint32_t a_port, uint32_t b,
                      uint32_t b_port)
{
  struct hd_peer *pa = peer_at(t, a, a_port), *pb = peer_at(t, b, b_port);
  assert(pa != pb && pa->kind == HD_PEER_NONE && pb->kind == HD_PEER_NONE);
  *pa = (struct hd_peer){HD_PEER_SWITCH, (uint8_t)b_port, (uint16_t)b};
  *pb = (struct hd_peer){HD_PEER_SWITCH, (uint8_t)a_port, (uint16_t)a};
}

void hd_topology_attach(struct hd_topology *t, uint32_t node, uint32_t sw, uint32_t port)
{
  struct hd_peer *p = peer_at(t, sw, port);
  assert(p->kind == HD_PEER_NONE && t->node_peers[node].kind == HD_PEER_NONE);
  *p = (struct hd_peer){HD_PEER_NODE, 0, (uint16_t)node};
  t->node_peers[node] = (struct hd_peer){HD_PEER_SWITCH, (uint8_t)port, (uint16_t)sw};
}

int hd_topology_widen(struct hd_topology *t, uint32_t ports, struct hd_error *err)
{
  if (ports < t->ports || ports > HD_MAX_PORTS)
    return hd_fail(err, HD_E_INPUT, "switches of %" PRIu32 " ports; legal: %" PRIu32 " … %d", ports,
                   t->ports, HD_MAX_PORTS);
  struct hd_peer *peers = calloc((size_t)t->n_switches * ports, sizeof *peers);
  if (!peers)
    return hd_fail(err, HD_E_NOMEM, "out of memory for a topology of %" PRIu32 " switches",
                   t->n_switches);
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    memcpy(peers + (size_t)sw * ports, peer_at(t, sw, 0), t->ports * sizeof *peers);
  free(t->peers);
  t->peers = peers;
  t->ports = ports;
  return 0;
}

void hd_topology_fini(struct hd_topology *t)
{
  free(t->peers);
  free(t->node_peers);
  memset(t, 0, sizeof *t);
}

/* Breadth-first from switch 0 over all links. */
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
    for (uint32_t p = 0; p < t->ports; p++) {
      const struct hd_peer *peer = peer_at(t, sw, p);
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

int hd_topology_check(const struct hd_topology *t, struct hd_error *err)
{
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    for (uint32_t p = 0; p < t->ports; p++) {
      const struct hd_peer *peer = peer_at(t, sw, p), *back;
      if (peer->kind == HD_PEER_NONE)
        continue;
      if (peer->kind == HD_PEER_SWITCH && peer->index < t->n_switches && peer->port < t->ports)
        back = peer_at(t, peer->index, peer->port);
      else if (peer->kind == HD_PEER_NODE && peer->index < t->n_nodes)
        back = &t->node_peers[peer->index];
      else
        return hd_fail(err, HD_E_INPUT, "s%" PRIu32 " port %" PRIu32 " leads nowhere", sw, p);
      if (back->kind != HD_PEER_SWITCH || back->index != sw || back->port != p)
        return hd_fail(err, HD_E_INPUT,
                       "s%" PRIu32 " port %" PRIu32 ": its far end does not lead back", sw, p);
    }
  for (uint32_t node = 0; node < t->n_nodes; node++) {
    const struct hd_peer *peer = &t->node_peers[node];
    if (peer->kind != HD_PEER_SWITCH || peer->index >= t->n_switches || peer->port >= t->ports)
      return hd_fail(err, HD_E_INPUT, "node n%" PRIu32 " has no link to a switch", node);
    const struct hd_peer *back = peer_at(t, peer->index, peer->port);
    if (back->kind != HD_PEER_NODE || back->index != node)
      return hd_fail(err, HD_E_INPUT, "n%" PRIu32 ": its switch port does not lead back", node);
  }
  return check_connected(t, err);
}
