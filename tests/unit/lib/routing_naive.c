/* An independent, slow reading of specification §5.6 that the deadlock check is held against.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_naive.h"

static bool naive_follow(struct naive *nv, uint32_t s, uint32_t d)
{
  const struct hd_topology *t = nv->t;
  struct hd_peer at = t->node_peers[s];
  unsigned held = 0; /* a node's own link is no vertex of any cycle */
  for (uint32_t hops = 0; hops <= t->n_switches * t->ports; hops++) {
    size_t state = (size_t)at.index * t->ports + at.port;
    uint16_t entry = nv->tables->destination[state * t->n_nodes + d];
    if (!(entry & 1 << 12) && nv->tables->header_mode == 1)
      entry = nv->tables->source ? nv->tables->source[state * t->n_nodes + s] : 0;
    unsigned port = entry & 15, mask = (entry >> 4 & 0xff) & ((1u << nv->vcs) - 1);
    if (!(entry & 1 << 12) || port >= t->ports || !mask)
      return false;
    struct hd_peer next = t->peers[(size_t)at.index * t->ports + port];
    if (next.kind != HD_PEER_SWITCH)
      return next.kind == HD_PEER_NODE && next.index == d;
    size_t next_state = (size_t)next.index * t->ports + next.port;
    for (uint32_t v = 0; v < nv->vcs; v++)
      for (uint32_t w = 0; w < nv->vcs; w++)
        if ((held >> v & 1) && (mask >> w & 1))
          nv->edges[(state * nv->vcs + v) * nv->n_vertices + next_state * nv->vcs + w] = true;
    held = mask;
    at = next;
  }
  return false;
}

int naive_check(const struct hd_tables *tables, const struct hd_topology *t, uint32_t vcs)
{
  size_t n = (size_t)t->n_switches * t->ports * vcs, left = n;
  struct naive nv = {tables, t, vcs, n, calloc(n * n, sizeof(bool))};
  bool *gone = calloc(n, sizeof *gone);
  int verdict = nv.edges && gone ? NAIVE_FINE : -1;
  for (uint32_t s = 0; s < t->n_nodes && verdict == NAIVE_FINE; s++)
    for (uint32_t d = 0; d < t->n_nodes && verdict == NAIVE_FINE; d++)
      if (!naive_follow(&nv, s, d))
        verdict = NAIVE_NO_WAY;
  for (bool moved = true; verdict == NAIVE_FINE && moved;) {
    moved = false;
    for (size_t v = 0; v < n; v++) {
      bool waits = false;
      for (size_t w = 0; w < n && !waits && !gone[v]; w++)
        waits = nv.edges[v * n + w] && !gone[w];
      if (!gone[v] && !waits) {
        gone[v] = moved = true;
        left--;
      }
    }
  }
  if (verdict == NAIVE_FINE && left)
    verdict = NAIVE_CYCLE;
  free(nv.edges);
  free(gone);
  return verdict;
}
