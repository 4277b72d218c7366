/* Known constructions, as transfers without ways: shifts, rings, halving, trees.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A pattern may not suit a network. Then plan_ways finds no ways, and the next pattern is tried.
 */
#include "schedules_internal.h"

#include "../../bridge/host/memory.h"
#include <stdio.h>

/* Returns the number of nodes that take part. */
static uint32_t members_of(const struct problem *p)
{
  return p->messages->n_members;
}

static uint32_t node_of(const struct problem *p, uint32_t member)
{
  return p->messages->members[member];
}

static uint32_t number_of_root(const struct problem *p)
{
  uint32_t number = 0;
  while (node_of(p, number) != p->messages->root)
    number++;
  return number;
}

static bool kind_is(const struct problem *p, enum hd_exchange kind)
{
  return p->messages->kind == kind;
}

static uint32_t scatter_number(uint32_t nodes, uint32_t from, uint32_t to)
{
  return from * (nodes - 1) + (to < from ? to : to - 1);
}

/* Adds a message between two members, given by their numbers. */
static void add_pair(const struct problem *p, struct plan *plan, uint32_t step, uint32_t from,
                     uint32_t to)
{
  bool scatter = kind_is(p, HD_EXCHANGE_ALL_TO_ALL_SCATTER);
  hd_plan_add(plan, step, scatter ? scatter_number(members_of(p), from, to) : from,
              node_of(p, from), node_of(p, to));
}

static bool all_to_all(const struct problem *p)
{
  return kind_is(p, HD_EXCHANGE_ALL_TO_ALL_SCATTER) || kind_is(p, HD_EXCHANGE_ALL_TO_ALL_BROADCAST);
}

static void xor_shifts(const struct problem *p, struct plan *plan)
{
  uint32_t n = members_of(p);
  snprintf(plan->how, sizeof plan->how, "in step t, node i sends to i xor t");
  for (uint32_t t = 1; all_to_all(p) && !(n & (n - 1)) && t < n; t++)
    for (uint32_t i = 0; i < n; i++)
      add_pair(p, plan, t - 1, i, i ^ t);
}

static void shifts(const struct problem *p, struct plan *plan)
{
  uint32_t n = members_of(p);
  snprintf(plan->how, sizeof plan->how, "in step t, node i sends to i + t");
  for (uint32_t t = 1; all_to_all(p) && t < n; t++)
    for (uint32_t i = 0; i < n; i++)
      add_pair(p, plan, t - 1, i, (i + t) % n);
}

/* ── rings, by number or by a walk ───────────────────────────────────────── */

struct walk {
  const struct hd_topology *t;
  uint32_t *order, n;
  uint32_t *number; /* [nodes] 1 + index of the member; 0: not a member */
  bool *seen;
};

static void walk_from(struct walk *w, uint32_t at)
{
  w->seen[at] = true;
  for (uint32_t port = 0; port < w->t->ports; port++) {
    const struct hd_peer *peer = &w->t->peers[(size_t)at * w->t->ports + port];
    if (peer->kind == HD_PEER_NODE && w->number[peer->index])
      w->order[w->n++] = w->number[peer->index] - 1;
    else if (peer->kind == HD_PEER_SWITCH && !w->seen[peer->index])
      walk_from(w, peer->index);
  }
}

/* Returns the members in the order of a walk around the network, or by number. The caller frees the
 * list. */
static uint32_t *order_of(const struct problem *p, bool walk)
{
  const struct hd_topology *t = p->network->topology;
  struct walk w = {.t = t,
                   .order = hd_xcalloc(members_of(p), sizeof *w.order),
                   .number = hd_xcalloc(t->n_nodes, sizeof *w.number),
                   .seen = hd_xcalloc(t->n_switches, sizeof *w.seen)};
  for (uint32_t i = 0; i < members_of(p); i++)
    w.number[node_of(p, i)] = i + 1;
  if (walk)
    walk_from(&w, 0);
  if (w.n < members_of(p))
    for (uint32_t i = 0; i < members_of(p); i++)
      w.order[i] = i;
  free(w.number);
  free(w.seen);
  return w.order;
}

static void ring(const struct problem *p, struct plan *plan, bool walk)
{
  uint32_t n = members_of(p), *order;
  if (!kind_is(p, HD_EXCHANGE_ALL_TO_ALL_BROADCAST))
    return;
  order = order_of(p, walk);
  snprintf(plan->how, sizeof plan->how, "a ring of the nodes %s",
           walk ? "in the order of a walk around the tree" : "by number");
  for (uint32_t t = 1; t < n; t++)
    for (uint32_t i = 0; i < n; i++)
      hd_plan_add(plan, t - 1, order[(i + n - (t - 1)) % n], node_of(p, order[i]),
                  node_of(p, order[(i + 1) % n]));
  free(order);
}

static void ring_by_number(const struct problem *p, struct plan *plan)
{
  ring(p, plan, false);
}

static void ring_by_walk(const struct problem *p, struct plan *plan)
{
  ring(p, plan, true);
}

/* ── broadcast ─────────────────────────────────────────────────────────────── */

static void binomial(const struct problem *p, struct plan *plan)
{
  uint32_t n = members_of(p), root = number_of_root(p), step = 0;
  snprintf(plan->how, sizeof plan->how, "a binomial tree, the highest bit first");
  if (!kind_is(p, HD_EXCHANGE_ONE_TO_ALL_BROADCAST) || n & (n - 1))
    return;
  for (uint32_t bit = n / 2; bit; bit /= 2, step++)
    for (uint32_t i = 0; i < n; i += 2 * bit)
      hd_plan_add(plan, step, 0, node_of(p, root ^ i), node_of(p, root ^ i ^ bit));
}

static void add_halving(struct plan *plan, const uint32_t *order, uint32_t n, uint32_t step)
{
  uint32_t half = (n + 1) / 2;
  if (n < 2)
    return;
  hd_plan_add(plan, step, 0, order[0], order[half]);
  add_halving(plan, order, half, step + 1);
  add_halving(plan, order + half, n - half, step + 1);
}

static void halving(const struct problem *p, struct plan *plan, bool walk)
{
  uint32_t n = members_of(p), root = number_of_root(p), *order, *turned, at = 0;
  if (!kind_is(p, HD_EXCHANGE_ONE_TO_ALL_BROADCAST))
    return;
  order = order_of(p, walk);
  turned = hd_xcalloc(n, sizeof *turned);
  snprintf(plan->how, sizeof plan->how, "halving of the nodes %s",
           walk ? "in the order of a walk around the network" : "by number");
  while (order[at] != root)
    at++;
  for (uint32_t i = 0; i < n; i++)
    turned[i] = node_of(p, order[(at + i) % n]);
  add_halving(plan, turned, n, 0);
  free(order);
  free(turned);
}

static void halving_by_number(const struct problem *p, struct plan *plan)
{
  halving(p, plan, false);
}

static void halving_by_walk(const struct problem *p, struct plan *plan)
{
  halving(p, plan, true);
}

/* ── one at a time ─────────────────────────────────────────────────────────── */

static void one_at_a_time(const struct problem *p, struct plan *plan)
{
  const struct hd_messages *m = p->messages;
  bool scatter = kind_is(p, HD_EXCHANGE_ONE_TO_ALL_SCATTER);
  snprintf(plan->how, sizeof plan->how, "one message after the other");
  if (!scatter && !kind_is(p, HD_EXCHANGE_ALL_TO_ONE_GATHER))
    return;
  for (uint32_t i = 0; i < m->n; i++)
    hd_plan_add(plan, i, i, m->all[i].source, *problem_to(p, i));
}

/* ── scatter between all on binary trees ───────────────────────────────────── */

/* Returns node `i` of the left or right subtree below the root; corresponding nodes have the same
 * index. */
static uint32_t subtree_node(const struct hd_topology *t, uint32_t i, bool right)
{
  if (t->kind == HD_TOPO_BINARY_TREE)
    return right ? t->n_nodes / 2 + i : i;
  /* Level d begins at switch 2^d − 1, and its right half is in the right subtree. */
  uint32_t size = 1;
  for (; i >= size; size *= 2)
    i -= size;
  return 2 * size - 1 + (right ? size : 0) + i;
}

/* While `a` of the left subtree sends to `b` of the right one across the root, and the reverse, the
 * links in the other direction are free. `b` sends to `a` within each subtree on them. So n² steps,
 * one for each (a, b), carry everything that crosses the root and everything that does not. */
static void scatter_binary_tree(const struct problem *p, struct plan *plan)
{
  const struct hd_topology *t = p->network->topology;
  bool full = t->kind == HD_TOPO_FULL_BINARY_TREE;
  uint32_t n = t->n_nodes / 2, step = 0;
  snprintf(plan->how, sizeof plan->how,
           "for each (a, b): a sends to b across the root, both ways; b sends to a below it");
  if (!kind_is(p, HD_EXCHANGE_ALL_TO_ALL_SCATTER) || !hd_problem_is_of_all(p) ||
      (!full && t->kind != HD_TOPO_BINARY_TREE))
    return;
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++) {
      uint32_t la = subtree_node(t, a, false), ra = subtree_node(t, a, true),
               lb = subtree_node(t, b, false), rb = subtree_node(t, b, true);
      /* the root exchanges with la and ra: two steps of three transfers, in both directions */
      if (full && a == b) {
        add_pair(p, plan, step, la, 0);
        add_pair(p, plan, step, 0, ra);
        add_pair(p, plan, step++, ra, la);
        add_pair(p, plan, step, ra, 0);
        add_pair(p, plan, step, 0, la);
        add_pair(p, plan, step++, la, ra);
        continue;
      }
      add_pair(p, plan, step, la, rb);
      add_pair(p, plan, step, ra, lb);
      if (a != b) {
        add_pair(p, plan, step, lb, la);
        add_pair(p, plan, step, rb, ra);
      }
      step++;
    }
}

/* ── broadcast on a full binary tree ───────────────────────────────────────── */

/* The state of a broadcast on a full binary tree. [nodes] has: the node has the message; next: it
 * gets it in this step; up, down: its link to or from its parent is taken in this step. */
struct heap {
  uint32_t nodes;
  bool *has, *up, *down, *next;
};

static bool subtree_is_empty(const struct heap *h, uint32_t i)
{
  return i >= h->nodes ||
         (!h->has[i] && subtree_is_empty(h, 2 * i + 1) && subtree_is_empty(h, 2 * i + 2));
}

/* Returns true if the way from `a` to `b` is free, and sets its length. With `take`, marks its
 * links. */
static bool heap_way(struct heap *h, uint32_t a, uint32_t b, bool take, uint32_t *length)
{
  bool is_free = true;
  for (*length = 0; a != b; ++*length) {
    bool *link = a > b ? &h->up[a] : &h->down[b];
    is_free = is_free && !*link;
    *link = *link || take;
    if (a > b)
      a = (a - 1) / 2;
    else
      b = (b - 1) / 2;
  }
  return is_free;
}

/* Lets the nearest node that has the message send it to `to`, if the way is free. */
static void heap_send(struct heap *h, struct plan *plan, uint32_t step, uint32_t to)
{
  uint32_t from = UINT32_MAX, least = UINT32_MAX, length;
  for (uint32_t i = 0; i < h->nodes; i++)
    if (h->has[i] && heap_way(h, i, to, false, &length) && length < least) {
      from = i;
      least = length;
    }
  if (from == UINT32_MAX)
    return;
  heap_way(h, from, to, true, &length);
  hd_plan_add(plan, step, 0, from, to);
  h->next[to] = true;
}

/* In each step, sends to the roots of the largest subtrees that lack the message, then to other
 * nodes. */
static void broadcast_full_binary_tree(const struct problem *p, struct plan *plan)
{
  const struct hd_topology *t = p->network->topology;
  uint32_t nodes = t->n_nodes;
  struct heap h = {nodes, hd_xcalloc(nodes, sizeof *h.has), hd_xcalloc(nodes, sizeof *h.up),
                   hd_xcalloc(nodes, sizeof *h.down), hd_xcalloc(nodes, sizeof *h.next)};
  bool all = false;
  snprintf(plan->how, sizeof plan->how, "the roots of the largest subtrees without it first");
  if (t->kind == HD_TOPO_FULL_BINARY_TREE && p->network->all_port && hd_problem_is_of_all(p) &&
      kind_is(p, HD_EXCHANGE_ONE_TO_ALL_BROADCAST)) {
    h.has[p->messages->root] = true;
    for (uint32_t step = 0; !all && step < nodes; step++) {
      memset(h.up, 0, nodes * sizeof *h.up);
      memset(h.down, 0, nodes * sizeof *h.down);
      memset(h.next, 0, nodes * sizeof *h.next);
      for (uint32_t i = 0; i < nodes; i++)
        if (subtree_is_empty(&h, i) && (!i || !subtree_is_empty(&h, (i - 1) / 2)))
          heap_send(&h, plan, step, i);
      for (uint32_t i = nodes; i--;)
        if (!h.has[i] && !h.next[i])
          heap_send(&h, plan, step, i);
      all = true;
      for (uint32_t i = 0; i < nodes; i++)
        all = (h.has[i] = h.has[i] || h.next[i]) && all;
    }
  }
  free(h.has);
  free(h.up);
  free(h.down);
  free(h.next);
}

/* ── tori, all ports ───────────────────────────────────────────────────────── */

/* Returns the node `by` places further in dimension d, with wraparound. */
static uint32_t node_moved(const uint32_t *dims, uint32_t node, uint32_t d, uint32_t by)
{
  uint32_t stride = 1;
  for (uint32_t i = 0; i < d; i++)
    stride *= dims[i];
  const uint32_t at = node / stride % dims[d];
  return node - at * stride + (at + by) % dims[d] * stride;
}

/* Returns the node that lies relative to `from` as `to` lies relative to node 0. */
static uint32_t node_translated(const uint32_t *dims, uint32_t n_dims, uint32_t from, uint32_t to)
{
  for (uint32_t d = 0, rest = to; d < n_dims; rest /= dims[d++])
    from = node_moved(dims, from, d, rest % dims[d]);
  return from;
}

/* In a step, each node sends and receives over each of its links, and all nodes do the same
 * relative to themselves. So only the spread of node 0's message is computed, with one transfer in
 * each direction and dimension. */
static void neighbours_alike(const struct problem *p, struct plan *plan)
{
  const struct hd_topology *t = p->network->topology;
  const bool cube = t->kind == HD_TOPO_HYPERCUBE;
  const uint32_t n_dims = cube ? t->shape.n : t->shape.n_dims, nodes = t->n_nodes;
  uint32_t dims[16], left = nodes - 1;
  if ((!cube && t->kind != HD_TOPO_TORUS) || !p->network->all_port ||
      !kind_is(p, HD_EXCHANGE_ALL_TO_ALL_BROADCAST) || !hd_problem_is_of_all(p))
    return;
  /** 1 + the step; 0: it does not have it */
  uint32_t *step_of = hd_xcalloc(nodes, sizeof *step_of);
  snprintf(plan->how, sizeof plan->how,
           "neighbours pass on messages over all links, all nodes in the same way");
  for (uint32_t d = 0; d < n_dims; d++)
    dims[d] = cube ? 2 : t->shape.dims[d];
  for (uint32_t step = 1; left; step++)
    for (uint32_t link = 0; link < 2 * n_dims; link++) {
      const uint32_t d = link / 2, back = link & 1 ? 1 : dims[d] - 1;
      if (dims[d] < 2 || (dims[d] == 2 && link & 1))
        continue;
      for (uint32_t to = 1; to < nodes; to++) {
        const uint32_t from = node_moved(dims, to, d, back);
        if (step_of[to] || (from && (!step_of[from] || step_of[from] == step)))
          continue;
        step_of[to] = step;
        left--;
        for (uint32_t i = 0; i < nodes; i++)
          hd_plan_add(plan, step - 1, i, node_translated(dims, n_dims, i, from),
                      node_translated(dims, n_dims, i, to));
        break;
      }
    }
  free(step_of);
}

bool hd_pattern_make(const struct problem *p, unsigned number, struct plan *plan)
{
  static void (*const patterns[])(const struct problem *, struct plan *) = {
      xor_shifts,       shifts,
      ring_by_number,   ring_by_walk,
      binomial,         halving_by_number,
      halving_by_walk,  broadcast_full_binary_tree,
      one_at_a_time,    scatter_binary_tree,
      neighbours_alike,
  };
  if (number >= sizeof patterns / sizeof *patterns)
    return false;
  if (p->messages->kind < HD_EXCHANGES)
    patterns[number](p, plan);
  return true;
}
