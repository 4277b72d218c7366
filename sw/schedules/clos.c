/* Plans messages to one node each on Clos networks, with the fewest steps.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each message passes a first switch, any one of the m middle switches, and a last switch. So in a
 * step, a node sends and receives one message, and a switch of the first or last stage passes m.
 * Let T be the least number of steps that is enough for each node and each such switch alone. Then
 * T steps are enough for all of them together: with 1/T of every message in every step, all limits
 * are kept. These limits are sums over two nested families of sets (nodes within switches, at
 * either end), so if there is a fractional solution, there is an integral one. A step is a flow;
 * its lower limits are the messages that the other T − 1 steps could not carry. The messages of a
 * step then get middle switches as the edges of a bipartite graph get colours: degree m, m colours
 * (König).
 */
#include "schedules_internal.h"

#include "../../bridge/host/memory.h"
#include <inttypes.h>
#include <stdio.h>

enum {
  IN,
  OUT,
  HERE,
  THERE,
  /* vertices: source and sink of the flow; source and sink of its lower limits; then all others */
  FIXED
};

struct edge {
  uint32_t to, next, room; /* the reverse edge is edge ^ 1 */
};

enum { MOST_WORK = 50000000 }; /* messages times steps */

struct clos {
  struct problem *p;
  const struct hd_topology *t;
  uint32_t middles, steps;
  uint32_t *first, *last; /* [messages] first and last switch */
  uint32_t *step;         /* [messages] UINT32_MAX: none yet */
  /** [vertices] number of messages that are left; largest number of them in a step */
  uint32_t *left, *limit;
  struct edge *edges; /* edges of the flow */
  size_t n_edges, capacity;
  uint32_t *head, *level, *next, *queue; /* [vertices] head: 1 + index of the first edge */
  int64_t *balance;                      /* [vertices] */
  uint32_t vertices;
};

/* ── the step as a flow ────────────────────────────────────────────────────── */

static void add_edge(struct clos *c, uint32_t from, uint32_t to, uint32_t room)
{
  HD_XROOM(c->edges, c->capacity, c->n_edges, 2);
  c->edges[c->n_edges] = (struct edge){to, c->head[from], room};
  c->head[from] = (uint32_t)++c->n_edges;
  c->edges[c->n_edges] = (struct edge){from, c->head[to], 0};
  c->head[to] = (uint32_t)++c->n_edges;
}

static bool find_levels(struct clos *c)
{
  uint32_t n = 0;
  memset(c->level, 0, c->vertices * sizeof *c->level);
  c->level[c->queue[n++] = HERE] = 1;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t e = c->head[c->queue[i]]; e; e = c->edges[e - 1].next) {
      const struct edge *edge = &c->edges[e - 1];
      if (edge->room && !c->level[edge->to]) {
        c->level[edge->to] = c->level[c->queue[i]] + 1;
        c->queue[n++] = edge->to;
      }
    }
  return c->level[THERE];
}

static uint32_t push_flow(struct clos *c, uint32_t at, uint32_t most)
{
  uint32_t done = 0;
  if (at == THERE)
    return most;
  for (; c->next[at] && done < most; c->next[at] = c->edges[c->next[at] - 1].next) {
    uint32_t e = c->next[at] - 1, room = c->edges[e].room, rest = most - done;
    if (!room || c->level[c->edges[e].to] != c->level[at] + 1)
      continue;
    uint32_t moved = push_flow(c, c->edges[e].to, room < rest ? room : rest);
    c->edges[e].room -= moved;
    c->edges[e ^ 1].room += moved;
    done += moved;
    /* the edge may still have room */
    if (done == most)
      break;
  }
  return done;
}

/* Adds an edge for the messages of a vertex, between it and the vertex of the set that contains
 * it. */
static void add_limited_edge(struct clos *c, uint32_t vertex, uint32_t from, uint32_t to,
                             uint32_t step)
{
  uint64_t later = (uint64_t)(c->steps - step - 1) * c->limit[vertex];
  uint32_t left = c->left[vertex], least = left > later ? (uint32_t)(left - later) : 0;
  c->balance[to] += least;
  c->balance[from] -= least;
  add_edge(c, from, to, (left < c->limit[vertex] ? left : c->limit[vertex]) - least);
}

static uint32_t sender(const struct clos *c, uint32_t message)
{
  return FIXED + 2 * c->t->n_switches + c->p->messages->all[message].source;
}

static uint32_t receiver(const struct clos *c, uint32_t message)
{
  return FIXED + 2 * c->t->n_switches + c->t->n_nodes + *problem_to(c->p, message);
}

static uint32_t first_stage(const struct clos *c, uint32_t message)
{
  return FIXED + c->first[message];
}

static uint32_t last_stage(const struct clos *c, uint32_t message)
{
  return FIXED + c->t->n_switches + c->last[message];
}

/* Adds an edge for each vertex that has messages left, then an edge for each message. */
static void add_edges(struct clos *c, uint32_t step, size_t *messages)
{
  const uint32_t n = (uint32_t)c->p->messages->n;
  memset(c->head, 0, c->vertices * sizeof *c->head);
  memset(c->balance, 0, c->vertices * sizeof *c->balance);
  memset(c->level, 0, c->vertices * sizeof *c->level); /* 1: the vertex has its edge */
  c->n_edges = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t path[] = {IN, first_stage(c, i), sender(c, i), receiver(c, i), last_stage(c, i),
                             OUT};
    for (unsigned k = 1; c->step[i] == UINT32_MAX && k < 5; k++)
      if (!c->level[path[k]]) {
        c->level[path[k]] = 1;
        if (k < 3)
          add_limited_edge(c, path[k], path[k - 1], path[k], step);
        else
          add_limited_edge(c, path[k], path[k], path[k + 1], step);
      }
  }
  *messages = c->n_edges;
  for (uint32_t i = 0; i < n; i++)
    if (c->step[i] == UINT32_MAX)
      add_edge(c, sender(c, i), receiver(c, i), 1);
}

/* Chooses the messages of a step. Sets *found to false if there is no such flow. */
static void choose_messages(struct clos *c, uint32_t step, bool *found)
{
  size_t edge;
  uint64_t wanted = 0, moved = 0;
  add_edges(c, step, &edge);
  add_edge(c, OUT, IN, UINT32_MAX / 2);
  for (uint32_t v = 0; v < c->vertices; v++) {
    if (c->balance[v] > 0) {
      wanted += (uint64_t)c->balance[v];
      add_edge(c, HERE, v, (uint32_t)c->balance[v]);
    } else if (c->balance[v] < 0)
      add_edge(c, v, THERE, (uint32_t)-c->balance[v]);
  }
  while (find_levels(c)) {
    memcpy(c->next, c->head, c->vertices * sizeof *c->next);
    moved += push_flow(c, HERE, UINT32_MAX);
  }
  *found = moved == wanted;
  for (uint32_t i = 0; i < c->p->messages->n; i++) {
    if (c->step[i] != UINT32_MAX)
      continue;
    if (!c->edges[edge].room) {
      c->step[i] = step;
      c->left[first_stage(c, i)]--;
      c->left[sender(c, i)]--;
      c->left[receiver(c, i)]--;
      c->left[last_stage(c, i)]--;
    }
    edge += 2;
  }
}

/* ── middle switches as colours ────────────────────────────────────────────── */

/* The table has, for each colour at a switch, 1 + the move of a step that uses it. at_first and
 * at_last return the rows of a move's first and last switch. */
static uint32_t *at_first(const struct clos *c, uint32_t *at, const struct move *move)
{
  return at + (size_t)c->first[move->message] * c->middles;
}

static uint32_t *at_last(const struct clos *c, uint32_t *at, const struct move *move)
{
  return at + (size_t)(c->t->n_switches + c->last[move->message]) * c->middles;
}

static uint32_t unused_colour(const uint32_t *row)
{
  uint32_t colour = 0;
  while (row[colour])
    colour++;
  return colour;
}

/* Makes colour `a`, instead of `b`, unused at the last switch of a move: it swaps the two colours
 * along the path from there whose moves alternate between them. The path reaches first switches by
 * a move of colour `a`, so never a first switch where `a` is unused. */
static void swap_colours(const struct clos *c, const struct move *moves, const struct move *move,
                         uint32_t a, uint32_t b, uint32_t *at, uint32_t *path)
{
  size_t n = 0;
  for (uint32_t next = at_last(c, at, move)[a]; next;) {
    path[n++] = --next;
    next = n & 1 ? at_first(c, at, &moves[next])[b] : at_last(c, at, &moves[next])[a];
  }
  for (size_t i = 0; i < n; i++)
    at_first(c, at, &moves[path[i]])[i & 1 ? b : a] =
        at_last(c, at, &moves[path[i]])[i & 1 ? b : a] = 0;
  for (size_t i = 0; i < n; i++)
    at_first(c, at, &moves[path[i]])[i & 1 ? a : b] =
        at_last(c, at, &moves[path[i]])[i & 1 ? a : b] = path[i] + 1;
}

/* Gives each move of a step a way by a middle switch of its own. Returns false if its ways are not
 * those of a Clos network. */
static bool colour_step(struct clos *c, struct move *moves, size_t n, uint32_t *at, uint32_t *path)
{
  const struct ways *ways = &c->p->ways;
  uint32_t lowest = UINT32_MAX;
  memset(at, 0, 2 * (size_t)c->t->n_switches * c->middles * sizeof *at);
  for (size_t i = 0; i < n; i++) {
    uint32_t *first = at_first(c, at, &moves[i]), *last = at_last(c, at, &moves[i]);
    uint32_t a = unused_colour(first), b = unused_colour(last);
    if (last[a])
      swap_colours(c, moves, &moves[i], a, b, at, path);
    first[a] = last[a] = (uint32_t)i + 1;
  }
  for (size_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < c->middles; k++) {
      uint32_t middle = ways->links[ways->all[moves[i].way + k].first + 2] / c->t->ports;
      lowest = middle < lowest ? middle : lowest;
    }
  for (size_t i = 0; i < n; i++) {
    const uint32_t *first = at_first(c, at, &moves[i]);
    uint32_t own = 0, k = 0;
    while (first[own] != i + 1)
      own++;
    while (k < c->middles &&
           ways->links[ways->all[moves[i].way + k].first + 2] / c->t->ports != lowest + own)
      k++;
    if (k == c->middles)
      return false;
    moves[i].way += k;
  }
  return true;
}

/* ── the schedule ──────────────────────────────────────────────────────────── */

/* Finds the switches that messages pass, and the number of messages at each vertex. Sets *fits to
 * false if network or messages are not suited. */
static int find_limits(struct clos *c, bool *fits, struct hd_error *err)
{
  const struct hd_messages *m = c->p->messages;
  c->steps = 1;
  *fits = true;
  for (uint32_t i = 0; *fits && i < m->n; i++) {
    size_t first;
    *fits = m->all[i].n == 1;
    int n =
        *fits ? hd_ways_of(&c->p->ways, m->all[i].source, *problem_to(c->p, i), &first, err) : 0;
    if (n < 0)
      return n;
    *fits = *fits && n == (int)c->middles;
    for (int k = 0; *fits && k < n; k++)
      *fits = c->p->ways.all[first + (size_t)k].n == 4;
    if (!*fits)
      break;
    const uint32_t *links = c->p->ways.links + c->p->ways.all[first].first;
    c->first[i] = links[1] / c->t->ports;
    c->last[i] = links[3] / c->t->ports;
    c->step[i] = UINT32_MAX;
    const uint32_t vertices[] = {first_stage(c, i), sender(c, i), receiver(c, i), last_stage(c, i)};
    for (unsigned k = 0; k < 4; k++) {
      uint32_t v = vertices[k], one = c->p->network->all_port ? c->middles : 1;
      c->limit[v] = k == 0 || k == 3 ? c->middles : one;
      uint32_t least = (++c->left[v] + c->limit[v] - 1) / c->limit[v];
      c->steps = least > c->steps ? least : c->steps;
    }
  }
  return HD_OK;
}

static void allocate(struct clos *c)
{
  size_t n = c->p->messages->n + 1;
  c->vertices = FIXED + 2 * (c->t->n_switches + c->t->n_nodes);
  c->first = hd_xcalloc(n, sizeof *c->first);
  c->last = hd_xcalloc(n, sizeof *c->last);
  c->step = hd_xcalloc(n, sizeof *c->step);
  c->left = hd_xcalloc(c->vertices, sizeof *c->left);
  c->limit = hd_xcalloc(c->vertices, sizeof *c->limit);
  c->head = hd_xcalloc(c->vertices, sizeof *c->head);
  c->level = hd_xcalloc(c->vertices, sizeof *c->level);
  c->next = hd_xcalloc(c->vertices, sizeof *c->next);
  c->queue = hd_xcalloc(c->vertices, sizeof *c->queue);
  c->balance = hd_xcalloc(c->vertices, sizeof *c->balance);
}

/* Makes the moves of each step, with their ways. */
static int make_plan(struct clos *c, struct plan *plan, bool *fits, struct hd_error *err)
{
  const struct hd_messages *m = c->p->messages;
  uint32_t *at = hd_xcalloc(2 * (size_t)c->t->n_switches * c->middles, sizeof *at);
  uint32_t *path = hd_xcalloc(m->n + 1, sizeof *path);
  int status = HD_OK;
  snprintf(plan->how, sizeof plan->how,
           "flows and colours of a Clos network: %" PRIu32 " messages a switch and step",
           c->middles);
  for (uint32_t step = 0; !status && *fits && step < c->steps; step++) {
    size_t begin = plan->n;
    if (c->p->options->stop && c->p->options->stop(c->p->options->context))
      *fits = false;
    else
      choose_messages(c, step, fits);
    for (uint32_t i = 0; !status && *fits && i < m->n; i++)
      if (c->step[i] == step) {
        hd_plan_add(plan, step, i, m->all[i].source, *problem_to(c->p, i));
        hd_ways_of(&c->p->ways, m->all[i].source, *problem_to(c->p, i),
                   &plan->moves[plan->n - 1].way, err);
      }
    if (!status && *fits)
      *fits = colour_step(c, plan->moves + begin, plan->n - begin, at, path);
  }
  free(at);
  free(path);
  return status;
}

int hd_plan_clos(struct problem *p, struct hd_schedule *s, struct hd_error *err)
{
  const struct hd_schedule_network *network = p->network;
  struct clos c = {.p = p, .t = network->topology, .middles = network->topology->shape.m};
  struct plan plan = {0};
  bool fits = false;
  if (c.t->kind != HD_TOPO_CLOS || network->tables || c.middles > MOST_WAYS)
    return HD_OK;
  allocate(&c);
  int status = find_limits(&c, &fits, err);
  if (!status && fits && (uint64_t)c.steps * p->messages->n <= MOST_WORK &&
      (!s->steps || c.steps < s->steps)) {
    status = make_plan(&c, &plan, &fits, err);
    if (!status && fits)
      hd_schedule_take_ways(p, s, &plan);
  }
  free(plan.moves);
  free(c.edges);
  free(c.first);
  free(c.last);
  free(c.step);
  free(c.left);
  free(c.limit);
  free(c.head);
  free(c.level);
  free(c.next);
  free(c.queue);
  free(c.balance);
  return status;
}
