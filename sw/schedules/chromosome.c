/* Draws, repairs and mutates the genes of a schedule, and counts their conflicts.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "chromosome.h"

#include "../../bridge/host/memory.h"
#include <inttypes.h>

enum { MOST_GENES = UINT16_MAX, NONE = UINT32_MAX };
#define MOST_LOAD ((size_t)1 << 28)
#define NEVER INT32_MAX

/* ── the encoding ──────────────────────────────────────────────────────────── */

static bool has_one_destination(const struct encoding *e, uint32_t gene)
{
  return e->p->messages->all[e->message[gene]].n == 1;
}

static uint32_t source_of(const struct encoding *e, uint32_t gene)
{
  return e->p->messages->all[e->message[gene]].source;
}

static uint32_t to_of(const struct encoding *e, uint32_t gene)
{
  return e->p->messages->destinations[gene];
}

/* Returns the list that a gene is in: the sender's, or for broadcasts the receiver's. */
static uint32_t group_of(const struct encoding *e, uint32_t gene)
{
  return has_one_destination(e, gene) ? source_of(e, gene)
                                      : e->p->network->topology->n_nodes + to_of(e, gene);
}

/* Computes how many transfers each node can receive or send in a step. With all ports, that is the
 * number of links of its switch to other switches. */
static void make_nodes(struct encoding *e)
{
  const struct hd_topology *t = e->p->network->topology;
  for (uint32_t node = 0; node < t->n_nodes; node++) {
    e->in[node] = t->node_exits[node].index * t->ports + t->node_exits[node].port;
    e->capacity[node] = 0;
    for (uint32_t port = 0; port < t->ports && e->p->network->all_port; port++)
      e->capacity[node] +=
          t->peers[(size_t)t->node_peers[node].index * t->ports + port].kind == HD_PEER_SWITCH;
    e->capacity[node] += !e->capacity[node];
  }
  for (uint32_t link = 0; link < e->links; link++)
    e->counts[link] = hd_way_link_counts(e->p->network, link);
}

static void make_lists(struct encoding *e)
{
  uint32_t groups = 2 * e->p->network->topology->n_nodes;
  for (uint32_t i = 0; i < e->p->messages->n; i++)
    for (uint32_t d = 0; d < e->p->messages->all[i].n; d++)
      e->message[e->p->messages->all[i].first + d] = i;
  for (uint32_t gene = 0; gene < e->n; gene++)
    e->begin[group_of(e, gene)]++;
  for (uint32_t g = 0, sum = 0; g <= groups; g++) {
    sum += e->begin[g];
    e->begin[g] = sum;
  }
  for (uint32_t gene = e->n; gene--;)
    e->list[--e->begin[group_of(e, gene)]] = gene;
}

int hd_encoding_open(struct encoding *e, struct problem *p, uint64_t seed, struct hd_error *err)
{
  size_t n = p->messages->n_destinations, nodes = p->network->topology->n_nodes;
  *e = (struct encoding){.p = p, .n = (uint32_t)n, .err = err};
  hd_random_seed(&e->random, seed, 0);
  if (n > MOST_GENES || !n)
    return hd_fail(err, HD_E_INPUT, "%zu transfers; an evolution has at least 1 and at most %d", n,
                   MOST_GENES);
  e->links = hd_schedule_links(p->network->topology);
  e->message = hd_xcalloc(n, sizeof *e->message);
  e->list = hd_xcalloc(n, sizeof *e->list);
  e->begin = hd_xcalloc(2 * nodes + 1, sizeof *e->begin);
  e->counts = hd_xcalloc(e->links, sizeof *e->counts);
  e->in = hd_xcalloc(nodes, sizeof *e->in);
  e->capacity = hd_xcalloc(nodes, sizeof *e->capacity);
  e->next = hd_xcalloc(n, sizeof *e->next);
  e->holders = hd_xcalloc(nodes, sizeof *e->holders);
  e->moved = hd_xcalloc(n, sizeof *e->moved);
  e->has = hd_xcalloc(nodes, sizeof *e->has);
  e->sent = hd_xcalloc(nodes, sizeof *e->sent);
  e->sent_in = hd_xcalloc(nodes, sizeof *e->sent_in);
  make_nodes(e);
  make_lists(e);
  return HD_OK;
}

void hd_encoding_close(struct encoding *e)
{
  free(e->message);
  free(e->list);
  free(e->begin);
  free(e->counts);
  free(e->in);
  free(e->capacity);
  free(e->next);
  free(e->holders);
  free(e->moved);
  free(e->has);
  free(e->sent);
  free(e->sent_in);
  free(e->head);
  free(e->load);
  *e = (struct encoding){0};
}

int hd_encoding_steps(struct encoding *e, uint32_t steps)
{
  if (!steps || steps > UINT16_MAX || e->links * steps > MOST_LOAD)
    return hd_fail(e->err, HD_E_INPUT, "%" PRIu32 " steps on %zu links; too many for an evolution",
                   steps, e->links);
  if (steps > e->room) {
    free(e->load);
    free(e->head);
    e->load = hd_xmalloc(e->links * steps * sizeof *e->load);
    e->head = hd_xmalloc(steps * sizeof *e->head);
    e->room = steps;
  }
  e->steps = steps;
  return HD_OK;
}

/* ── loads ─────────────────────────────────────────────────────────────────── */

static uint16_t *load_of(const struct encoding *e, uint32_t step, uint32_t link)
{
  return &e->load[step * e->links + link];
}

static void add_gene(struct encoding *e, const struct gene *g)
{
  const struct way *way = &e->p->ways.all[g->way];
  const uint32_t *links = e->p->ways.links + way->first;
  uint16_t *load = load_of(e, g->step, 0);
  for (uint32_t i = 0; i < way->n; i++) {
    e->conflicts += e->counts[links[i]] ? load[links[i]] : 0;
    load[links[i]]++;
  }
}

static void remove_gene(struct encoding *e, const struct gene *g)
{
  const struct way *way = &e->p->ways.all[g->way];
  const uint32_t *links = e->p->ways.links + way->first;
  uint16_t *load = load_of(e, g->step, 0);
  for (uint32_t i = 0; i < way->n; i++) {
    load[links[i]]--;
    e->conflicts -= e->counts[links[i]] ? load[links[i]] : 0;
  }
}

/* Returns the number of transfers of a step with which a way shares links; one that shares two
 * links counts twice. */
static uint32_t count_shared(const struct encoding *e, uint32_t step, size_t number)
{
  const struct way *way = &e->p->ways.all[number];
  const uint32_t *links = e->p->ways.links + way->first;
  const uint16_t *load = load_of(e, step, 0);
  uint32_t n = 0;
  for (uint32_t i = 0; i < way->n; i++)
    n += e->counts[links[i]] ? load[links[i]] : 0;
  return n;
}

static bool in_conflict(const struct encoding *e, const struct gene *g)
{
  const struct way *way = &e->p->ways.all[g->way];
  const uint32_t *links = e->p->ways.links + way->first;
  const uint16_t *load = load_of(e, g->step, 0);
  for (uint32_t i = 0; i < way->n; i++)
    if (load[links[i]] > 1 && e->counts[links[i]])
      return true;
  return false;
}

/* Returns true if the first link of the way that counts is free in the step. With all ports, a node
 * has one such link in each direction. */
static bool sends_more(const struct encoding *e, const struct gene *g, uint32_t step)
{
  const struct way *way = &e->p->ways.all[g->way];
  const uint32_t *links = e->p->ways.links + way->first;
  uint32_t i = 0;
  while (i + 1 < way->n && !e->counts[links[i]])
    i++;
  return !*load_of(e, step, links[i]);
}

static bool receives_more(const struct encoding *e, uint32_t node, uint32_t step)
{
  return *load_of(e, step, e->in[node]) < e->capacity[node];
}

/* Returns the number of ways of a pair. */
static uint32_t find_ways(struct encoding *e, uint32_t from, uint32_t to, size_t *first)
{
  int n = from == to ? 0 : hd_ways_of(&e->p->ways, from, to, first, e->err);
  if (n < 0)
    e->status = n;
  return n > 0 ? (uint32_t)n : 0;
}

/* Gives the gene a random way from `from` to `to`. Returns false if there is none. */
static bool send_from(struct encoding *e, struct gene *g, uint32_t from, uint32_t to)
{
  size_t first;
  uint32_t n = find_ways(e, from, to, &first);
  if (!n)
    return false;
  g->from = (uint16_t)from;
  g->way = (uint32_t)(first + encoding_draw(e, n));
  return true;
}

/* ── repair ────────────────────────────────────────────────────────────────── */

void hd_chromosome_draw(struct encoding *e, struct gene *genes)
{
  for (uint32_t i = 0; i < e->n && !e->status; i++) {
    genes[i].step = (uint16_t)(has_one_destination(e, i) ? encoding_draw(e, e->steps) : 0);
    send_from(e, &genes[i], source_of(e, i), to_of(e, i));
  }
}

/* Acceleration: moves transfers to other steps, so that no node sends more in a step than it
 * can. */
static void accelerate(struct encoding *e, struct gene *genes)
{
  uint32_t n = e->begin[e->p->network->topology->n_nodes], n_moved = 0;
  for (uint32_t k = 0, i = n ? encoding_draw(e, n) : 0; k < n; k++, i = i + 1 == n ? 0 : i + 1) {
    uint32_t gene = e->list[i];
    if (sends_more(e, &genes[gene], genes[gene].step))
      add_gene(e, &genes[gene]);
    else
      e->moved[n_moved++] = gene;
  }
  for (uint32_t k = 0; k < n_moved; k++) {
    struct gene *g = &genes[e->moved[k]];
    uint32_t to = to_of(e, e->moved[k]), chosen = g->step;
    bool any = false;
    for (uint32_t i = 0, t = encoding_draw(e, e->steps); i < e->steps;
         i++, t = t + 1 == e->steps ? 0 : t + 1) {
      if (!sends_more(e, g, t))
        continue;
      bool both = receives_more(e, to, t);
      if (both || !any)
        chosen = t;
      any = true;
      if (both)
        break;
    }
    g->step = (uint16_t)chosen;
    add_gene(e, g);
  }
}

/* Returns true if a node can send this broadcast once more in the step. */
static bool is_idle(const struct encoding *e, uint32_t node, uint32_t step)
{
  return e->sent_in[node] != step || e->sent[node] < e->capacity[node];
}

/* Chooses a random one of the first n nodes that have the message, and a random way from it. */
static bool from_holder(struct encoding *e, struct gene *g, uint32_t to, uint32_t n, uint32_t step,
                        bool busy_too)
{
  for (uint32_t k = 0, i = encoding_draw(e, n); k < n; k++, i = i + 1 == n ? 0 : i + 1)
    if ((busy_too || is_idle(e, e->holders[i], step)) && send_from(e, g, e->holders[i], to))
      return true;
  return false;
}

/* Sorts the message's transfers into one list for each step. */
static void sort_by_step(struct encoding *e, const struct gene *genes, const struct hd_message *m)
{
  for (uint32_t s = 0; s < e->steps; s++)
    e->head[s] = NONE;
  e->has[m->source] = -1;
  e->sent_in[m->source] = NONE;
  for (uint32_t k = 0, d = encoding_draw(e, m->n); k < m->n; k++, d = d + 1 == m->n ? 0 : d + 1) {
    uint32_t gene = (uint32_t)m->first + d;
    e->has[to_of(e, gene)] = NEVER;
    e->sent_in[to_of(e, gene)] = NONE;
    e->next[gene] = e->head[genes[gene].step];
    e->head[genes[gene].step] = gene;
  }
}

/* Gives a transfer of step s a sender that has the message. Returns false if no such node can send
 * more; a later step is then drawn for it. */
static bool find_sender(struct encoding *e, struct gene *g, uint32_t to, uint32_t holders,
                        uint32_t s, bool first)
{
  bool has = e->has[g->from] < (int32_t)s;
  if (has && !(first && !is_idle(e, g->from, s)))
    return true;
  if (from_holder(e, g, to, holders, s, false))
    return true;
  if (first && s + 1 < e->steps) {
    g->step = (uint16_t)(s + 1 + encoding_draw(e, e->steps - s - 1));
    return false;
  }
  /* the source of the message always has a way */
  return has || from_holder(e, g, to, holders, s, true);
}

/* Restoration: gives each transfer a sender that has the message. */
static void restore(struct encoding *e, struct gene *genes, uint32_t message, bool first)
{
  const struct hd_message *m = &e->p->messages->all[message];
  uint32_t n = 1;
  e->holders[0] = m->source;
  sort_by_step(e, genes, m);
  for (uint32_t s = 0; s < e->steps; s++) {
    const uint32_t informed = n;
    for (uint32_t gene = e->head[s], after; gene != NONE; gene = after) {
      struct gene *g = &genes[gene];
      uint32_t to = to_of(e, gene);
      after = e->next[gene];
      if (!find_sender(e, g, to, informed, s, first)) {
        e->next[gene] = e->head[g->step];
        e->head[g->step] = gene;
        continue;
      }
      e->sent[g->from] = e->sent_in[g->from] == s ? e->sent[g->from] + 1 : 1;
      e->sent_in[g->from] = s;
      add_gene(e, g);
      e->has[to] = (int32_t)s;
      e->holders[n++] = to;
    }
  }
}

uint64_t hd_chromosome_repair(struct encoding *e, struct gene *genes, bool first)
{
  uint32_t n = (uint32_t)e->p->messages->n;
  memset(e->load, 0, e->links * e->steps * sizeof *e->load);
  e->conflicts = 0;
  accelerate(e, genes);
  for (uint32_t k = 0, i = encoding_draw(e, n); k < n && !e->status;
       k++, i = i + 1 == n ? 0 : i + 1)
    if (e->p->messages->all[i].n > 1)
      restore(e, genes, i, first);
  return e->conflicts;
}

/* ── mutation ──────────────────────────────────────────────────────────────── */

/* The choice among tested ways: a random one of those with the fewest conflicts. */
struct best {
  uint32_t fewest, as_few;
};

static void test_ways(struct encoding *e, struct gene *g, uint32_t from, uint32_t to,
                      struct best *best)
{
  size_t first = 0;
  uint32_t n = find_ways(e, from, to, &first);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t met = count_shared(e, g->step, first + i);
    best->as_few = met < best->fewest ? 1 : best->as_few + (met == best->fewest);
    if (met < best->fewest || (met == best->fewest && !encoding_draw(e, best->as_few))) {
      g->from = (uint16_t)from;
      g->way = (uint32_t)(first + i);
    }
    best->fewest = met < best->fewest ? met : best->fewest;
  }
}

/* Tests all ways of a gene, for broadcasts from all nodes that have the message, and chooses the
 * best. */
static void choose_route(struct encoding *e, struct gene *genes, uint32_t gene)
{
  const struct hd_message *m = &e->p->messages->all[e->message[gene]];
  struct best best = {UINT32_MAX, 0};
  test_ways(e, &genes[gene], m->source, to_of(e, gene), &best);
  for (uint32_t i = (uint32_t)m->first; m->n > 1 && i < m->first + m->n; i++)
    if (genes[i].step < genes[gene].step)
      test_ways(e, &genes[gene], to_of(e, i), to_of(e, gene), &best);
  add_gene(e, &genes[gene]);
}

/* Gives another sender to those receivers to which this gene's receiver cannot send any more. */
static void repair_receivers(struct encoding *e, struct gene *genes, uint32_t gene)
{
  const struct hd_message *m = &e->p->messages->all[e->message[gene]];
  for (uint32_t i = (uint32_t)m->first; m->n > 1 && i < m->first + m->n; i++)
    if (genes[i].from == to_of(e, gene) && genes[i].step <= genes[gene].step && i != gene) {
      remove_gene(e, &genes[i]);
      choose_route(e, genes, i);
    }
}

/* Chooses the step to swap with, and returns the transfer there. NONE: the step is free. */
static uint32_t choose_partner(struct encoding *e, const struct gene *genes, uint32_t gene,
                               uint32_t *step)
{
  uint32_t group = group_of(e, gene), n = e->begin[group + 1] - e->begin[group];
  const struct hd_message *m = &e->p->messages->all[e->message[gene]];
  if (!has_one_destination(e, gene) && n == 1) {
    uint32_t other = (uint32_t)m->first + encoding_draw(e, m->n);
    *step = genes[other].step;
    return other;
  }
  *step = encoding_draw(e, e->steps);
  bool is_free = has_one_destination(e, gene) ? sends_more(e, &genes[gene], *step)
                                              : receives_more(e, to_of(e, gene), *step);
  for (uint32_t k = 0, i = encoding_draw(e, n); k < n && !is_free; k++, i = i + 1 == n ? 0 : i + 1)
    if (genes[e->list[e->begin[group] + i]].step == *step)
      return e->list[e->begin[group] + i];
  return NONE;
}

uint64_t hd_chromosome_mutate(struct encoding *e, struct gene *genes)
{
  uint32_t first = encoding_draw(e, e->n), k = 0, step;
  for (; k < e->n && !in_conflict(e, &genes[first]); k++)
    first = first + 1 == e->n ? 0 : first + 1;
  if (k == e->n)
    return e->conflicts;
  uint32_t second = choose_partner(e, genes, first, &step);
  second = second == first ? NONE : second;
  remove_gene(e, &genes[first]);
  if (second != NONE) {
    remove_gene(e, &genes[second]);
    genes[second].step = genes[first].step;
  }
  genes[first].step = (uint16_t)step;
  choose_route(e, genes, first);
  if (second != NONE)
    choose_route(e, genes, second);
  repair_receivers(e, genes, first);
  if (second != NONE)
    repair_receivers(e, genes, second);
  return e->conflicts;
}
