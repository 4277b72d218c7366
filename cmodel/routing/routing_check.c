/* The deadlock rule: follows every packet through the tables, then looks for a cycle (§5.6).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A *state* is (switch, input port), which stands for the directed link that ends there. The way of a packet from
 * s to d is a chain of states. While D entries are invalid it depends on s alone, so that part is found once a
 * source. From the first valid D entry on it depends on d alone, so it is followed once a destination, and all
 * ways that join it share it. Packets are followed pair by pair only if a D entry is invalid again after a valid
 * one.
 *
 * Virtual channels between which no entry distinguishes are one *class*. A cycle of classes is a cycle of channels, and
 * a cycle of channels is one of classes. So tables with one mask cost as little as one channel. deps[state][output
 * port] is an 8 × 8 bit matrix: held class (row) to wanted class.
 */
#include "../grow.h"
#include "routing_build.h"
#include "routing_deps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  BLOCK = 32,        /* destinations that are copied out of the tables at once: one cache line */
  INJECTED = 1 << 8, /* in a state's held classes: came from a node, holds no channel */
  MAX_CHAIN = 4096,  /* ways by source that are longer are followed pair by pair */
};

/* A step of a source's way while its source table decides. */
struct step {
  uint32_t state;
  uint32_t held;
};

struct walk {
  const struct hd_tables *tables;
  const struct hd_topology *t;
  struct hd_deps *deps;
  struct hd_error *err;
  uint16_t *block;   /* [BLOCK][state]: D entries */
  uint16_t *held;    /* [state] of one destination: classes on which packets came to it */
  uint32_t *visited; /* [state]: serial number of the first walk that came here; below the
                      * destination's first serial number: none has come yet */
  uint32_t serial;
  struct step *steps; /* steps of all sources */
  size_t n_steps, cap_steps;
  size_t *first_step; /* [source + 1] */
  uint32_t *deepest;  /* [source]: the last step that some destination needs */
};

enum outcome { DELIVERED, AGAIN_BY_SOURCE, FAILED };

static bool entry_valid(uint16_t entry)
{
  return entry >> 12 & 1;
}

static int fail_no_route(const struct walk *w, uint32_t source, uint32_t destination)
{
  /* The path goes into the message. It is at most as long as the longest way that repeats no state. */
  uint32_t most = w->deps->n_states + 1;
  uint16_t *path = malloc(most * sizeof *path);
  if (!path)
    return hd_fail(w->err, HD_E_NOMEM, "out of memory");
  int hops = hd_routing_path(w->tables, w->t, source, destination, path, most, w->err);
  if (hops >= 0) /* hd_routing_path found a way, but its mask has no channel below VCS */
    hd_fail(w->err, HD_E_INPUT,
            "no way from n%" PRIu32 " to n%" PRIu32 ": an entry allows no virtual channel", source,
            destination);
  free(path);
  return HD_E_INPUT;
}

static int fail_endless(const struct walk *w, uint32_t source, uint32_t destination, uint32_t state)
{
  return hd_fail(w->err, HD_E_INPUT,
                 "the way from n%" PRIu32 " to n%" PRIu32 " never ends: it comes to s%" PRIu32
                 " port %" PRIu32 " again and again",
                 source, destination, state / w->t->ports, state % w->t->ports);
}

/* Follows one entry for one hop. *state and *held move on. False: the entry leads to no switch; *delivered is then true
 * if it led to the destination. */
static bool follow_entry(struct walk *w, uint16_t entry, uint32_t destination, uint32_t *state,
                         uint32_t *held, bool *delivered)
{
  uint32_t port = entry & 15, classes = w->deps->classes_of[entry >> 4 & 0xff];
  *delivered = false;
  if (!entry_valid(entry) || !classes || port >= w->t->ports)
    return false;
  const struct hd_peer *next = &w->t->peers[(size_t)(*state / w->t->ports) * w->t->ports + port];
  if (next->kind == HD_PEER_NODE)
    *delivered = next->index == destination;
  if (next->kind != HD_PEER_SWITCH)
    return false;
  hd_deps_add(w->deps, *state, port, *held & 0xff, classes);
  *state = next->index * w->t->ports + next->port;
  *held = classes;
  return true;
}

static uint16_t source_entry_at(const struct walk *w, uint32_t state, uint32_t source)
{
  return hd_routing_from(w->tables, state / w->t->ports, state % w->t->ports, source);
}

/* Follows each source's way by its S entries alone. */
static int collect_steps(struct walk *w)
{
  uint32_t n = w->t->n_nodes;
  for (uint32_t s = 0; s < n; s++) {
    const struct hd_peer *entry_port = &w->t->node_peers[s];
    struct step step = {entry_port->index * w->t->ports + entry_port->port, INJECTED};
    w->first_step[s] = w->n_steps;
    for (uint32_t i = 0; i < MAX_CHAIN; i++) {
      if (!HD_ROOM(w->steps, w->cap_steps, w->n_steps, 1))
        return hd_fail(w->err, HD_E_NOMEM, "out of memory");
      w->steps[w->n_steps++] = step;
      if (w->tables->header_mode != 1)
        break;
      uint16_t entry = source_entry_at(w, step.state, s);
      uint32_t port = entry & 15, classes = w->deps->classes_of[entry >> 4 & 0xff];
      if (!entry_valid(entry) || !classes || port >= w->t->ports)
        break;
      const struct hd_peer *next =
          &w->t->peers[(size_t)(step.state / w->t->ports) * w->t->ports + port];
      if (next->kind != HD_PEER_SWITCH)
        break;
      step = (struct step){next->index * w->t->ports + next->port, classes};
    }
  }
  w->first_step[n] = w->n_steps;
  return 0;
}

/* Follows D entries from a state with a valid one, up to a state that an earlier walk has visited. */
static enum outcome follow_destination(struct walk *w, const uint16_t *entries, uint32_t source,
                                       uint32_t destination, uint32_t base, struct step at)
{
  uint32_t state = at.state, held = at.held, mine = ++w->serial;
  for (;;) {
    bool first = w->visited[state] <= base;
    if (!first && !(held & ~w->held[state])) {
      if (w->visited[state] != mine)
        return DELIVERED; /* an earlier walk went on from here and arrived */
      fail_endless(w, source, destination, state);
      return FAILED;
    }
    if (first) {
      w->visited[state] = mine;
      w->held[state] = 0;
    }
    w->held[state] = (uint16_t)(w->held[state] | held);
    uint16_t entry = entries[state];
    if (!entry_valid(entry))
      return AGAIN_BY_SOURCE;
    bool delivered;
    if (!follow_entry(w, entry, destination, &state, &held, &delivered)) {
      if (delivered)
        return DELIVERED;
      fail_no_route(w, source, destination);
      return FAILED;
    }
  }
}

/* Follows one packet alone, entry by entry. */
static int follow_one_packet(struct walk *w, const uint16_t *entries, uint32_t source,
                             uint32_t destination)
{
  const struct hd_peer *start = &w->t->node_peers[source];
  uint32_t state = start->index * w->t->ports + start->port, held = INJECTED;
  for (uint32_t hops = 0; hops <= w->deps->n_states; hops++) {
    uint16_t entry = entries[state];
    if (!entry_valid(entry) && w->tables->header_mode == 1)
      entry = source_entry_at(w, state, source);
    bool delivered;
    if (!follow_entry(w, entry, destination, &state, &held, &delivered))
      return delivered ? 0 : fail_no_route(w, source, destination);
  }
  return fail_endless(w, source, destination, state);
}

/* Follows all packets to one destination. entries[state] are the D entries for it. */
static int follow_all(struct walk *w, const uint16_t *entries, uint32_t destination)
{
  uint32_t base = w->serial;
  bool pairwise = false;
  for (uint32_t s = 0; s < w->t->n_nodes && !pairwise; s++) {
    size_t first = w->first_step[s], end = w->first_step[s + 1], i = first;
    while (i < end && !entry_valid(entries[w->steps[i].state]))
      i++;
    if (i == end) {
      /* No D entry decides on this source's way: there is no way, or a very long one. */
      int status = follow_one_packet(w, entries, s, destination);
      if (status)
        return status;
      continue;
    }
    if (i - first > w->deepest[s])
      w->deepest[s] = (uint32_t)(i - first);
    switch (follow_destination(w, entries, s, destination, base, w->steps[i])) {
    case DELIVERED:
      break;
    case AGAIN_BY_SOURCE:
      pairwise = true;
      break;
    case FAILED:
      return HD_E_INPUT;
    }
  }
  for (uint32_t s = 0; s < w->t->n_nodes && pairwise; s++) {
    int status = follow_one_packet(w, entries, s, destination);
    if (status)
      return status;
  }
  return 0;
}

/* Copies a state's D entries for nodes from `first` on into the block. Of ports that a rule gives the same entries,
 * only the first is read. */
static void copy_entries(struct walk *w, uint32_t state, uint32_t first, uint32_t width)
{
  const uint32_t ports = w->t->ports, n_states = w->deps->n_states, port = state % ports;
  const uint32_t same = w->tables->rule ? hd_rule_port(w->tables, port) : port;
  for (uint32_t i = 0; i < width; i++) {
    uint16_t *at = w->block + (size_t)i * n_states + state;
    *at = same < port ? at[(ptrdiff_t)same - (ptrdiff_t)port]
                      : hd_routing_to(w->tables, state / ports, port, first + i);
  }
}

static int follow_packets(struct walk *w)
{
  uint32_t n = w->t->n_nodes, n_states = w->deps->n_states;
  int status = collect_steps(w);
  for (uint32_t first = 0; first < n && status == 0; first += BLOCK) {
    uint32_t width = n - first < BLOCK ? n - first : BLOCK;
    for (uint32_t state = 0; state < n_states; state++)
      copy_entries(w, state, first, width);
    for (uint32_t i = 0; i < width && status == 0; i++)
      status = follow_all(w, w->block + (size_t)i * n_states, first + i);
  }
  for (uint32_t s = 0; s < n && status == 0; s++)
    for (uint32_t i = 0; i < w->deepest[s]; i++) {
      const struct step *step = &w->steps[w->first_step[s] + i];
      uint16_t entry = source_entry_at(w, step->state, s);
      hd_deps_add(w->deps, step->state, entry & 15, step->held & 0xff,
                  w->deps->classes_of[entry >> 4 & 0xff]);
    }
  return status;
}

/* Checks fabrics with too many nodes for following all pairs. Only in the rings of a torus can cycles arise: e-cube and
 * dimension order go through the dimensions in one direction, and layered fabrics go up, then down, or one way. So each
 * ring is checked alone, as a torus of one dimension. */
static int check_large(const struct hd_tables *tables, const struct hd_topology *t, uint32_t vcs,
                       struct hd_error *err)
{
  int status = HD_OK;
  const bool plain =
      t->kind == HD_TOPO_MESH || t->kind == HD_TOPO_HYPERCUBE || hd_topologies[t->kind]->layered;
  if (!plain && t->kind != HD_TOPO_TORUS)
    return hd_fail(err, HD_E_INPUT, "%" PRIu32 " nodes; legal: 2 … %d", t->n_nodes, HD_MAX_NODES);
  for (uint32_t d = 0; d < t->n_dims && !plain && !status; d++) {
    const struct hd_topology_shape shape = {.dims = {t->dims[d]}, .n_dims = 1};
    struct hd_tables of_ring;
    struct hd_topology ring;
    if (t->dims[d] <= 4) /* §5.15 */
      continue;
    status = hd_topology_build(&ring, HD_TOPO_TORUS, &shape, NULL, err);
    if (status)
      return status;
    status = hd_routing_by_rule(&of_ring, &ring, HD_ROUTE_MINIMAL, false, vcs,
                                vcs - tables->packet_vcs, err);
    if (!status && ring.n_nodes > HD_MAX_NODES)
      status =
          hd_fail(err, HD_E_INPUT,
                  "a ring of %" PRIu32 " switches; the deadlock check takes rings of at most %d",
                  ring.n_nodes, HD_MAX_NODES);
    if (!status)
      status = hd_routing_check(&of_ring, &ring, vcs, false, err);
    hd_tables_fini(&of_ring);
    hd_topology_fini(&ring);
  }
  return status;
}

int hd_routing_check(const struct hd_tables *tables, const struct hd_topology *t, uint32_t vcs,
                     bool cut_through, struct hd_error *err)
{
  struct hd_deps deps;
  struct walk w = {.tables = tables, .t = t, .deps = &deps, .err = err};
  if (tables->n_switches != t->n_switches || tables->ports != t->ports ||
      tables->n_nodes != t->n_nodes || vcs < 1 || vcs > HD_MAX_VCS)
    return hd_fail(err, HD_E_INPUT, "the tables are not those of the topology");
  if (t->n_nodes > HD_MAX_NODES)
    return check_large(tables, t, vcs, err);
  int status = hd_deps_init(&deps, tables, t, vcs, err);
  if (status)
    return status;
  w.block = malloc((size_t)BLOCK * deps.n_states * sizeof *w.block);
  w.held = calloc(deps.n_states, sizeof *w.held);
  w.visited = calloc(deps.n_states, sizeof *w.visited);
  w.first_step = malloc(((size_t)t->n_nodes + 1) * sizeof *w.first_step);
  w.deepest = calloc(t->n_nodes, sizeof *w.deepest);
  if (tables->sets || tables->header_mode == 3)
    status = hd_routing_check_choice(tables, t, &deps, cut_through, err);
  else if (w.block && w.held && w.visited && w.first_step && w.deepest)
    status = follow_packets(&w);
  else
    status = hd_fail(err, HD_E_NOMEM, "out of memory for the deadlock check");
  if (status == 0)
    status = hd_deps_find_cycle(&deps, err);
  free(w.block);
  free(w.held);
  free(w.visited);
  free(w.steps);
  free(w.first_step);
  free(w.deepest);
  hd_deps_fini(&deps);
  return status;
}
