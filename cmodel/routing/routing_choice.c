/* The deadlock rule where packets choose among ports, or go by another node (§5.6).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The next hops of such a packet depend only on its state (switch, input port) and on one node: first the node to go
 * by, then the destination. So all packets for a node are followed at once, from every state that they can reach, with
 * all channels that they can hold there.
 */
#include "routing_deps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INJECTED = 1 << 8 }; /* in a state's held classes: came from a node, holds no channel */

struct choice {
  const struct hd_tables *tables;
  const struct hd_topology *t;
  struct hd_deps *deps;
  struct hd_error *err;
  unsigned chosen;  /* classes of channels at a chosen port; 0: no port is ever chosen */
  bool cut_through; /* a waiting packet is in one channel only */
  uint16_t *held;   /* [state]: classes that a packet for the node can hold here */
  uint16_t *start;  /* [state]: likewise, for packets that start towards their destination here */
  uint32_t *found;  /* states that are still to be followed */
  uint32_t n_found;
  uint8_t *leads; /* [state]: do entries alone lead from here to the node? */
};

static uint32_t state_at(const struct hd_topology *t, const struct hd_peer *at)
{
  return at->index * t->ports + at->port;
}

static const struct hd_peer *peer_behind(const struct choice *c, uint32_t state, uint32_t port)
{
  return &c->t->peers[(size_t)(state / c->t->ports) * c->t->ports + port];
}

static int fail_no_route(const struct choice *c, uint32_t node, uint32_t state, const char *why)
{
  return hd_fail(c->err, HD_E_INPUT,
                 "no way for packets to n%" PRIu32 ": s%" PRIu32 " port %" PRIu32 " %s", node,
                 state / c->t->ports, state % c->t->ports, why);
}

static void note_reached(struct choice *c, uint32_t state, unsigned held)
{
  if (!(held & ~(unsigned)c->held[state]))
    return;
  c->held[state] = (uint16_t)(c->held[state] | held);
  c->found[c->n_found++] = state;
}

/* Takes one hop from a state by a port. `turns`: the node is one to go by, and packets reach it where an entry is not
 * valid. */
static int take_hop(struct choice *c, uint32_t node, uint32_t state, uint32_t port,
                    unsigned classes, bool waits, bool turns)
{
  const struct hd_peer *next = peer_behind(c, state, port);
  if (next->kind == HD_PEER_NODE && next->index == node && !turns)
    return 0;
  if (next->kind != HD_PEER_SWITCH)
    return fail_no_route(c, node, state, "sends them to a port that leads elsewhere");
  if (waits)
    hd_deps_add(c->deps, state, port, c->held[state] & 0xff, classes);
  note_reached(c, state_at(c->t, next), classes);
  return 0;
}

static unsigned classes_of(const struct choice *c, uint16_t entry)
{
  bool routable = entry >> 12 & 1 && (entry & 15u) < c->t->ports;
  return routable ? c->deps->classes_of[entry >> 4 & 0xff] : 0;
}

/* Returns the ports of a state's set, if packets choose there. */
static unsigned ports_to_choose(const struct choice *c, uint32_t state, uint32_t node)
{
  return c->chosen
             ? c->tables->sets[(size_t)state * c->t->n_nodes + node] & ((1u << c->t->ports) - 1)
             : 0;
}

/* Follows packets for a node from the states of held[] to all states that they can reach. A state is followed again
 * when packets can reach it with further channels. `turns`: an entry that is not valid ends the way. */
static int reach_all_states(struct choice *c, const uint16_t *table, uint32_t node, bool turns)
{
  int status = 0;
  c->n_found = 0;
  for (uint32_t state = 0; state < c->deps->n_states; state++)
    if (c->held[state])
      c->found[c->n_found++] = state;
  while (c->n_found && !status) {
    uint32_t state = c->found[--c->n_found];
    uint16_t entry = table[(size_t)state * c->t->n_nodes + node];
    unsigned set = turns ? 0 : ports_to_choose(c, state, node), classes = classes_of(c, entry);
    if (turns && !(entry >> 12 & 1))
      continue;
    if (!classes)
      return fail_no_route(c, node, state, "has no entry for them");
    status = take_hop(c, node, state, entry & 15, classes, true, turns);
    for (; set && !status; set &= set - 1)
      status =
          take_hop(c, node, state, (uint32_t)__builtin_ctz(set), c->chosen, !c->cut_through, false);
  }
  return status;
}

/* Checks that entries alone lead on from each state in which a packet can be. */
static int check_entries_end(struct choice *c, const uint16_t *table, uint32_t node, bool turns)
{
  enum { UNKNOWN, ON_THE_WAY, LEADS };
  memset(c->leads, UNKNOWN, c->deps->n_states);
  for (uint32_t first = 0; first < c->deps->n_states; first++) {
    uint32_t state = first, n = 0;
    while (c->held[first] && c->leads[state] == UNKNOWN) {
      uint16_t entry = table[(size_t)state * c->t->n_nodes + node];
      c->leads[state] = ON_THE_WAY;
      c->found[n++] = state;
      if (turns && !(entry >> 12 & 1))
        break;
      const struct hd_peer *next = peer_behind(c, state, entry & 15);
      if (next->kind == HD_PEER_NODE)
        break;
      state = state_at(c->t, next);
      if (c->leads[state] == ON_THE_WAY)
        return hd_fail(c->err, HD_E_INPUT,
                       "the way to n%" PRIu32 " never ends: it comes to s%" PRIu32 " port %" PRIu32
                       " again and again",
                       node, state / c->t->ports, state % c->t->ports);
    }
    while (n)
      c->leads[c->found[--n]] = LEADS;
  }
  return 0;
}

static int follow_to_node(struct choice *c, const uint16_t *table, const uint16_t *start,
                          uint32_t node, bool turns)
{
  memcpy(c->held, start, c->deps->n_states * sizeof *start);
  int status = reach_all_states(c, table, node, turns);
  return status ? status : check_entries_end(c, table, node, turns);
}

/* Follows packets from every source by every node. start[] gets the states in which they turn. Packets that decide
 * (§10.9) can turn at their first switch. */
static int follow_by_nodes(struct choice *c, uint16_t *injected)
{
  int status = 0;
  memcpy(injected, c->start, c->deps->n_states * sizeof *injected);
  if (!c->tables->first)
    memset(c->start, 0, c->deps->n_states * sizeof *c->start);
  for (uint32_t node = 0; node < c->t->n_nodes && !status; node++) {
    status = follow_to_node(c, c->tables->source, injected, node, true);
    for (uint32_t state = 0; state < c->deps->n_states && !status; state++)
      if (!(c->tables->source[(size_t)state * c->t->n_nodes + node] >> 12 & 1))
        c->start[state] |= c->held[state];
  }
  return status;
}

int hd_routing_check_choice(const struct hd_tables *tables, const struct hd_topology *t,
                            struct hd_deps *deps, bool cut_through, struct hd_error *err)
{
  const size_t n = deps->n_states;
  const bool chooses = tables->sets && tables->header_mode != 1;
  struct choice c = {.tables = tables, .t = t, .deps = deps, .err = err};
  c.chosen = chooses ? deps->classes_of[tables->adapt] : 0;
  c.cut_through = cut_through;
  deps->whole_way = c.chosen && !cut_through;
  uint16_t *words = calloc(3 * n, sizeof *words);
  c.found = malloc(n * (HD_MAX_VCS + 1) * sizeof *c.found);
  c.leads = malloc(n);
  int status = 0;
  if (!words || !c.found || !c.leads) {
    status = hd_fail(err, HD_E_NOMEM, "out of memory for the deadlock check");
  } else {
    c.held = words;
    c.start = words + n;
    for (uint32_t node = 0; node < t->n_nodes; node++)
      c.start[state_at(t, &t->node_peers[node])] = INJECTED;
    if (tables->header_mode == 3)
      status = follow_by_nodes(&c, words + 2 * n);
    for (uint32_t node = 0; node < t->n_nodes && !status; node++)
      status = follow_to_node(&c, tables->destination, c.start, node, false);
  }
  free(words);
  free(c.found);
  free(c.leads);
  return status;
}
