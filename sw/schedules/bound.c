/* Counts lower bounds: at nodes, links and cuts, and by how fast a broadcast can spread.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A cut: a message that starts in a set of nodes and has destinations outside must cross the border
 * at least once, relayed or not. In a step, at most as many messages cross as a maximal flow has
 * units. The sets that are tried are single nodes, the nodes beyond a link that has no detour,
 * contiguous ranges of nodes, and the nodes that are nearer to one end of a link than to the other
 * (in a mesh, those on one side of it).
 *
 * A switch: messages that enter it from another switch on all their ways, or leave it to one, share
 * its links.
 */
#include "schedules_internal.h"

#include "../../bridge/host/memory.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { ALL_RANGES = 32, MOST_WORK = 1000000, MOST_CROSSINGS = 100000000 };

static void raise_bound(struct hd_schedule *s, uint64_t bound, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void raise_bound(struct hd_schedule *s, uint64_t bound, const char *format, ...)
{
  va_list args;
  if (bound <= s->bound || bound > UINT32_MAX)
    return;
  s->bound = (uint32_t)bound;
  va_start(args, format);
  vsnprintf(s->reason, sizeof s->reason, format, args);
  va_end(args);
}

static uint64_t ceiling(uint64_t a, uint64_t b)
{
  return (a + b - 1) / b;
}

/* ── how fast a message can spread ─────────────────────────────────────────── */

/* Returns the largest number of nodes to which a node can send in a step. */
static uint32_t fan_out(const struct hd_schedule_network *network, uint32_t node)
{
  const struct hd_topology *t = network->topology;
  uint32_t at = t->node_peers[node].index, n = 0;
  if (!network->all_port)
    return 1;
  for (uint32_t port = 0; port < t->ports; port++) {
    const struct hd_peer *peer = &t->peers[(size_t)at * t->ports + port];
    n += peer->kind == HD_PEER_SWITCH || (peer->kind == HD_PEER_NODE && peer->index != node);
  }
  return n;
}

static int downwards(const void *left, const void *right)
{
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a < b) - (a > b);
}

static void bound_by_growth(struct problem *p, struct hd_schedule *s, size_t message)
{
  const struct hd_message *m = &p->messages->all[message];
  uint32_t *fan = hd_xmalloc(m->n * sizeof *fan);
  uint64_t informed = 1, sends = fan_out(p->network, m->source), steps = 0;
  char counts[160] = "1";
  for (uint32_t i = 0; i < m->n; i++)
    fan[i] = fan_out(p->network, problem_to(p, message)[i]);
  qsort(fan, m->n, sizeof *fan, downwards);
  while (informed < (uint64_t)m->n + 1 && sends) {
    uint64_t before = informed;
    informed += sends;
    if (informed > (uint64_t)m->n + 1)
      informed = (uint64_t)m->n + 1;
    for (uint64_t i = before; i < informed; i++)
      sends += fan[i - 1];
    steps++;
    size_t used = strlen(counts);
    snprintf(counts + used, sizeof counts - used, ", %" PRIu64, informed);
  }
  free(fan);
  raise_bound(s, steps,
              "after 0, 1, 2 … steps at most %s nodes can have the message of n%" PRIu32
              ": who has it sends it to %s",
              counts, m->source,
              p->network->all_port ? "one node over each of its links" : "one node in a step");
}

/* A complete subtree of k levels without the message needs k steps, counted from the first step in
 * which a transfer can enter it. That transfer informs one node: the root, or a node below one of
 * its two children. So nothing enters the subtree of k − 1 levels below the other child before the
 * next step. The source is outside one of the two subtrees of n − 1 levels. */
static void full_binary_tree(struct problem *p, struct hd_schedule *s)
{
  const struct hd_topology *t = p->network->topology;
  if (t->kind == HD_TOPO_FULL_BINARY_TREE && hd_problem_is_of_all(p) &&
      p->messages->kind == HD_EXCHANGE_ONE_TO_ALL_BROADCAST)
    raise_bound(
        s, t->shape.n - 1,
        "a subtree of k levels that is entered by one link takes k steps (by induction: one of "
        "the two subtrees below it can be entered one step later only); one of %" PRIu32
        " levels is without the source",
        t->shape.n - 1);
}

/* ── loads of links ────────────────────────────────────────────────────────── */

static int bound_by_links(struct problem *p, struct hd_schedule *s, struct hd_error *err)
{
  size_t links = hd_schedule_links(p->network->topology);
  uint32_t *load = hd_xcalloc(links, sizeof *load), *seen = hd_xcalloc(links, sizeof *seen);
  int status = HD_OK;
  for (size_t i = 0; !status && i < p->messages->n; i++) {
    const struct hd_message *m = &p->messages->all[i];
    size_t first;
    if (m->n != 1)
      continue;
    int n = hd_ways_of(&p->ways, m->source, *problem_to(p, i), &first, err);
    if (n < 0)
      status = n;
    else if (hd_ways_are_cut(&p->ways, m->source, *problem_to(p, i)))
      continue;
    for (int w = 0; w < n; w++) {
      const struct way *way = &p->ways.all[first + (size_t)w];
      for (uint32_t l = 0; l < way->n; l++)
        if (++seen[p->ways.links[way->first + l]] == (uint32_t)n)
          load[p->ways.links[way->first + l]]++;
    }
    for (int w = 0; w < n; w++) {
      const struct way *way = &p->ways.all[first + (size_t)w];
      for (uint32_t l = 0; l < way->n; l++)
        seen[p->ways.links[way->first + l]] = 0;
    }
  }
  for (uint32_t link = 0; !status && link < links; link++) {
    char name[32];
    hd_schedule_link_name(p->network->topology, link, name, sizeof name);
    if (hd_way_link_counts(p->network, link))
      raise_bound(s, load[link], "link %s is on every %sway of %" PRIu32 " messages", name,
                  p->network->tables ? "" : "shortest ", load[link]);
  }
  free(load);
  free(seen);
  return status;
}

/* ── loads of switches ─────────────────────────────────────────────────────── */

/* For a transfer: the number of ways that enter each switch from another one, and that leave it to
 * another one. */
struct passing {
  uint32_t *enter, *leave, ways;
  uint64_t *must_enter, *must_leave; /* number of transfers that do so on all their ways */
};

static int count_ways(struct problem *p, struct passing *a, uint32_t from, uint32_t to,
                      struct hd_error *err)
{
  size_t first;
  uint32_t ports = p->network->topology->ports;
  int n = hd_ways_of(&p->ways, from, to, &first, err);
  /* a way that is not listed, which is taken to pass no switch */
  a->ways += n > 0 && hd_ways_are_cut(&p->ways, from, to);
  for (int w = 0; w < n; w++) {
    const struct way *way = &p->ways.all[first + (size_t)w];
    for (uint32_t l = 1; l < way->n; l++) {
      uint32_t at = p->ways.links[way->first + l] / ports;
      a->enter[at] += l > 1;
      a->leave[at] += l + 1 < way->n;
    }
    a->ways++;
  }
  return n < 0 ? n : HD_OK;
}

static void count_passing(const struct problem *p, struct passing *a, bool enter, bool leave)
{
  uint32_t switches = p->network->topology->n_switches;
  for (uint32_t i = 0; i < switches; i++) {
    a->must_enter[i] += enter && a->ways && a->enter[i] == a->ways;
    a->must_leave[i] += leave && a->ways && a->leave[i] == a->ways;
  }
  memset(a->enter, 0, switches * sizeof *a->enter);
  memset(a->leave, 0, switches * sizeof *a->leave);
  a->ways = 0;
}

/* A destination gets its message from the source or from another destination. The source sends each
 * message at least once. */
static int count_transfers(struct problem *p, struct passing *a, size_t message,
                           struct hd_error *err)
{
  const struct hd_message *m = &p->messages->all[message];
  const uint32_t *to = problem_to(p, message);
  int status = HD_OK;
  for (uint32_t d = 0; !status && d < m->n; d++) {
    status = count_ways(p, a, m->source, to[d], err);
    for (uint32_t from = 0; !status && from < m->n; from++)
      if (from != d)
        status = count_ways(p, a, to[from], to[d], err);
    count_passing(p, a, true, m->n == 1);
  }
  for (uint32_t d = 0; !status && m->n > 1 && d < m->n; d++)
    status = count_ways(p, a, m->source, to[d], err);
  count_passing(p, a, false, true);
  return status;
}

static void raise_by_switches(struct problem *p, struct hd_schedule *s, const struct passing *a)
{
  const struct hd_topology *t = p->network->topology;
  const bool *failed = p->network->failed;
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    uint32_t in = 0, out = 0;
    for (uint32_t port = 0; port < t->ports; port++) {
      size_t link = (size_t)sw * t->ports + port;
      const struct hd_peer *from = &t->senders[link];
      out += t->peers[link].kind == HD_PEER_SWITCH && !(failed && failed[link]);
      in += from->kind == HD_PEER_SWITCH &&
            !(failed && failed[(size_t)from->index * t->ports + from->port]);
    }
    if (in)
      raise_bound(s, ceiling(a->must_enter[sw], in),
                  "%" PRIu64 " transfers must enter s%" PRIu32 " by %" PRIu32 " links",
                  a->must_enter[sw], sw, in);
    if (out)
      raise_bound(s, ceiling(a->must_leave[sw], out),
                  "%" PRIu64 " transfers must leave s%" PRIu32 " by %" PRIu32 " links",
                  a->must_leave[sw], sw, out);
  }
}

static int bound_by_switches(struct problem *p, struct hd_schedule *s, struct hd_error *err)
{
  size_t n = p->network->topology->n_switches;
  struct passing a = {hd_xcalloc(n, sizeof *a.enter), hd_xcalloc(n, sizeof *a.leave), 0,
                      hd_xcalloc(n, sizeof *a.must_enter), hd_xcalloc(n, sizeof *a.must_leave)};
  uint64_t work = 0;
  int status = HD_OK;
  for (size_t i = 0; i < p->messages->n; i++)
    work += (uint64_t)p->messages->all[i].n * p->messages->all[i].n;
  for (size_t i = 0; !status && work <= MOST_WORK && i < p->messages->n; i++)
    status = count_transfers(p, &a, i, err);
  if (!status)
    raise_by_switches(p, s, &a);
  free(a.enter);
  free(a.leave);
  free(a.must_enter);
  free(a.must_leave);
  return status;
}

/* ── cuts ──────────────────────────────────────────────────────────────────── */

/* A cut of the network. Its vertices are the switches, then the nodes. */
struct cut {
  struct problem *p;
  struct hd_schedule *schedule;
  bool *in;        /* [nodes] */
  uint32_t *flow;  /* [links] */
  uint32_t *queue; /* [vertices] */
  uint32_t *by;    /* [vertices] 1 + the link by which it was reached; 0: it was not */
};

static uint32_t tail_of(const struct hd_topology *t, uint32_t link)
{
  uint32_t of_switches = t->n_switches * t->ports;
  return link < of_switches ? link / t->ports : t->n_switches + link - of_switches;
}

static uint32_t head_of(const struct hd_topology *t, uint32_t link)
{
  uint32_t of_switches = t->n_switches * t->ports;
  const struct hd_peer *peer =
      link < of_switches ? &t->peers[link] : &t->node_peers[link - of_switches];
  return peer->kind == HD_PEER_NODE ? t->n_switches + peer->index : peer->index;
}

static bool mark_reached(struct cut *c, uint32_t vertex, uint32_t link, uint32_t *tail)
{
  if (c->by[vertex])
    return false;
  c->by[vertex] = link + 1;
  c->queue[(*tail)++] = vertex;
  return true;
}

/* Adds a unit of flow from the set `in` to the others, or, with `back`, from the others to it.
 * Returns false if the flow is maximal. */
static bool augment(struct cut *c, bool back)
{
  const struct hd_topology *t = c->p->network->topology;
  const bool *failed = c->p->network->failed;
  uint32_t head = 0, tail = 0, none = (uint32_t)hd_schedule_links(t), goal = UINT32_MAX;
  memset(c->by, 0, (t->n_switches + t->n_nodes) * sizeof *c->by);
  for (uint32_t node = 0; node < t->n_nodes; node++)
    if (c->in[node] != back)
      mark_reached(c, t->n_switches + node, none, &tail);
  while (head < tail && goal == UINT32_MAX) {
    uint32_t at = c->queue[head++];
    bool node = at >= t->n_switches;
    if (node && c->in[at - t->n_switches] == back) {
      goal = at;
      break;
    }
    for (uint32_t port = 0; port < (node ? 1 : t->ports); port++) {
      uint32_t out = node ? t->n_switches * t->ports + at - t->n_switches : at * t->ports + port;
      const struct hd_peer *sender =
          node ? &t->node_exits[at - t->n_switches] : &t->senders[(size_t)at * t->ports + port];
      if ((node || t->peers[out].kind != HD_PEER_NONE) && !(failed && failed[out]) &&
          (!c->flow[out] || !hd_way_link_counts(c->p->network, out)))
        mark_reached(c, head_of(t, out), out, &tail);
      if (sender->kind == HD_PEER_NONE)
        continue;
      uint32_t in = node                           ? sender->index * t->ports + sender->port
                    : sender->kind == HD_PEER_NODE ? t->n_switches * t->ports + sender->index
                                                   : sender->index * t->ports + sender->port;
      if (c->flow[in])
        mark_reached(c, tail_of(t, in), in, &tail);
    }
  }
  if (goal == UINT32_MAX)
    return false;
  for (uint32_t at = goal; c->by[at] != none + 1;) {
    uint32_t link = c->by[at] - 1;
    bool forward =
        head_of(t, link) == at && (!c->flow[link] || !hd_way_link_counts(c->p->network, link));
    if (forward) {
      c->flow[link]++;
      at = tail_of(t, link);
    } else {
      c->flow[link]--;
      at = head_of(t, link);
    }
  }
  return true;
}

/* Returns the number of messages that must cross. */
static uint64_t count_crossing(const struct cut *c, bool back)
{
  const struct hd_messages *m = c->p->messages;
  uint64_t n = 0;
  for (size_t i = 0; i < m->n; i++) {
    bool crosses = false;
    if (c->in[m->all[i].source] == back)
      continue;
    for (uint32_t d = 0; !crosses && d < m->all[i].n; d++)
      crosses = c->in[problem_to(c->p, i)[d]] == back;
    n += crosses;
  }
  return n;
}

/* Counts the bound of a set of nodes. `what` names the set: "n3", "n0 … n3". */
static void try_cut(struct cut *c, const char *what, bool node)
{
  const struct hd_topology *t = c->p->network->topology;
  for (int back = 0; back < 2; back++) {
    uint64_t messages = count_crossing(c, back), units = 0;
    if (messages <= c->schedule->bound)
      continue;
    memset(c->flow, 0, hd_schedule_links(t) * sizeof *c->flow);
    while (ceiling(messages, units + 1) > c->schedule->bound && augment(c, back))
      units++;
    /* If the flow is not maximal, the bound does not hold. */
    if (!units || ceiling(messages, units) <= c->schedule->bound || augment(c, back))
      continue;
    if (node && units == 1)
      raise_bound(c->schedule, messages, "%s %s %" PRIu64 " messages one at a time", what,
                  back ? "receives" : "sends", messages);
    else
      raise_bound(c->schedule, ceiling(messages, units),
                  "%" PRIu64 " messages %s %s, and at most %" PRIu64 " in a step", messages,
                  back ? "enter" : "leave", what, units);
  }
}

static void try_single_nodes(struct cut *c)
{
  for (uint32_t node = 0; node < c->p->network->topology->n_nodes; node++) {
    char what[32];
    snprintf(what, sizeof what, "n%" PRIu32, node);
    c->in[node] = true;
    try_cut(c, what, true);
    c->in[node] = false;
  }
}

static void try_ranges(struct cut *c)
{
  uint32_t nodes = c->p->network->topology->n_nodes;
  for (uint32_t length = 2; length <= nodes / 2;
       length = nodes <= ALL_RANGES ? length + 1 : 2 * length)
    for (uint32_t first = 0; first + length <= nodes;
         first = nodes <= ALL_RANGES ? first + 1 : first + length) {
      char what[64];
      snprintf(what, sizeof what, "n%" PRIu32 " … n%" PRIu32, first, first + length - 1);
      for (uint32_t i = 0; i < nodes; i++)
        c->in[i] = i >= first && i < first + length;
      try_cut(c, what, false);
    }
}

/* Tries the nodes beyond a two-way link, if there is no detour around it. */
static void try_beyond_link(struct cut *c, uint32_t link)
{
  const struct hd_topology *t = c->p->network->topology;
  uint32_t head = 0, tail = 0, start = link / t->ports, first = t->peers[link].index;
  memset(c->by, 0, (t->n_switches + t->n_nodes) * sizeof *c->by);
  memset(c->in, 0, t->n_nodes * sizeof *c->in);
  mark_reached(c, first, 0, &tail);
  while (head < tail) {
    uint32_t at = c->queue[head++];
    for (uint32_t port = 0; port < t->ports; port++) {
      const struct hd_peer *peer = &t->peers[(size_t)at * t->ports + port];
      if (peer->kind == HD_PEER_NODE)
        c->in[peer->index] = true;
      if (peer->kind == HD_PEER_SWITCH && !(at == first && peer->index == start))
        mark_reached(c, peer->index, 0, &tail);
    }
  }
  if (c->by[start])
    return;
  char name[32], what[64];
  hd_schedule_link_name(t, link, name, sizeof name);
  snprintf(what, sizeof what, "the nodes beyond link %s", name);
  try_cut(c, what, false);
}

/* Computes the distance of each switch from `start` in links between switches. UINT32_MAX: it
 * cannot be reached. */
static void find_distances(struct cut *c, uint32_t start, uint32_t *distance)
{
  const struct hd_topology *t = c->p->network->topology;
  uint32_t head = 0, tail = 0;
  memset(c->by, 0, (t->n_switches + t->n_nodes) * sizeof *c->by);
  memset(distance, 0xff, t->n_switches * sizeof *distance);
  mark_reached(c, start, 0, &tail);
  distance[start] = 0;
  while (head < tail) {
    const uint32_t at = c->queue[head++];
    for (uint32_t port = 0; port < t->ports; port++) {
      const struct hd_peer *peer = &t->peers[(size_t)at * t->ports + port];
      if (peer->kind == HD_PEER_SWITCH && mark_reached(c, peer->index, 0, &tail))
        distance[peer->index] = distance[at] + 1;
    }
  }
}

/* Tries the nodes that are nearer to one end of a link. Many links of a regular network divide the
 * nodes in the same way, so a hash makes sure that each set is tried once. */
static void try_nearer_nodes(struct cut *c)
{
  const struct hd_topology *t = c->p->network->topology;
  const uint32_t links = t->n_switches * t->ports;
  uint32_t *near = hd_xcalloc(2 * (size_t)t->n_switches, sizeof *near), *far = near + t->n_switches;
  uint64_t *tried = hd_xcalloc(links, sizeof *tried), work = 0;
  uint32_t n = 0;
  for (uint32_t link = 0; link < links && work < MOST_CROSSINGS; link++) {
    if (t->peers[link].kind != HD_PEER_SWITCH)
      continue;
    const uint32_t a = link / t->ports, b = t->peers[link].index;
    find_distances(c, a, near);
    find_distances(c, b, far);
    for (uint32_t node = 0; node < t->n_nodes; node++)
      c->in[node] = near[t->node_peers[node].index] < far[t->node_peers[node].index];
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t node = 0; node < t->n_nodes; node++)
      hash = (hash ^ (c->in[node] ? 2 : 1)) * UINT64_C(0x100000001b3);
    uint32_t known = 0;
    while (known < n && tried[known] != hash)
      known++;
    work += links + n;
    if (known < n)
      continue;
    tried[n++] = hash;
    work += c->p->messages->n + c->p->messages->n_destinations;
    char what[80];
    snprintf(what, sizeof what, "the nodes nearer to s%" PRIu32 " than to s%" PRIu32, a, b);
    try_cut(c, what, false);
  }
  free(near);
  free(tried);
}

static void bound_by_cuts(struct problem *p, struct hd_schedule *s)
{
  const struct hd_topology *t = p->network->topology;
  uint32_t vertices = t->n_switches + t->n_nodes;
  struct cut c = {.p = p,
                  .schedule = s,
                  .in = hd_xcalloc(t->n_nodes, sizeof *c.in),
                  .flow = hd_xcalloc(hd_schedule_links(t), sizeof *c.flow),
                  .queue = hd_xcalloc(vertices, sizeof *c.queue),
                  .by = hd_xcalloc(vertices, sizeof *c.by)};
  try_single_nodes(&c);
  for (uint32_t link = 0; !hd_topology_one_way(t) && link < t->n_switches * t->ports; link++)
    if (t->peers[link].kind == HD_PEER_SWITCH)
      try_beyond_link(&c, link);
  try_ranges(&c);
  try_nearer_nodes(&c);
  free(c.in);
  free(c.flow);
  free(c.queue);
  free(c.by);
}

int hd_bound_count(struct problem *p, struct hd_schedule *s, struct hd_error *err)
{
  uint32_t widest = 0;
  raise_bound(s, 1, "there is something to send");
  for (size_t i = 0; i < p->messages->n; i++)
    if (p->messages->all[i].n > widest) {
      widest = p->messages->all[i].n;
      bound_by_growth(p, s, i);
    }
  full_binary_tree(p, s);
  bound_by_cuts(p, s);
  const int status = bound_by_links(p, s, err);
  return status ? status : bound_by_switches(p, s, err);
}
