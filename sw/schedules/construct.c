/* Makes schedules from plans: finds ways for the transfers of each step.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_internal.h"

#include "../../bridge/host/memory.h"
#include <inttypes.h>
#include <stdio.h>

enum { RULES = 6, REPAIRS = 200, SEED = 12345 };

void hd_plan_add(struct plan *plan, uint32_t step, uint32_t message, uint32_t from, uint32_t to)
{
  HD_XROOM(plan->moves, plan->capacity, plan->n, 1);
  plan->moves[plan->n++] = (struct move){step, message, from, to, 0};
  if (step >= plan->steps)
    plan->steps = step + 1;
}

/* ── ways of a step ────────────────────────────────────────────────────────── */

struct choices {
  struct problem *p;
  struct move *moves;
  size_t n;
  struct {
    size_t first;
    uint32_t n, of_all; /* number of listed ways; number of all ways */
  } * ways;
  uint32_t *load; /* [links] */
  uint64_t random;
};

static void add_load(struct choices *c, size_t move, int change)
{
  const struct way *way = &c->p->ways.all[c->moves[move].way];
  for (uint32_t i = 0; i < way->n; i++) {
    uint32_t link = c->p->ways.links[way->first + i];
    if (hd_way_link_counts(c->p->network, link))
      c->load[link] += (uint32_t)change;
  }
}

/* Returns the number of transfers with which a way shares links; one that shares two links counts
 * twice. */
static uint32_t count_shared(const struct choices *c, size_t number)
{
  const struct way *way = &c->p->ways.all[number];
  uint32_t n = 0;
  for (uint32_t i = 0; i < way->n; i++)
    n += c->load[c->p->ways.links[way->first + i]];
  return n;
}

/* Returns the least base of which `size` is a power. */
static uint32_t base_of(uint32_t size)
{
  uint32_t base = 2;
  for (; base < size; base++) {
    uint32_t power = base;
    while (power < size && power <= size / base)
      power *= base;
    if (power == size)
      break;
  }
  return base;
}

/* Returns value < size with its digits reversed. */
static uint32_t reversed(uint32_t value, uint32_t size)
{
  uint32_t base = base_of(size), result = 0;
  for (; size > 1; size /= base, value /= base)
    result = base * result + value % base;
  return result;
}

/* Chooses a way by the digits of the source or destination, in one of the orders in which routings
 * of fat trees use them: reversed, as they are, or, as folded butterflies exchange them, the lowest
 * one first and then from the highest one down. */
static uint32_t rule_way(unsigned rule, uint32_t by, uint32_t nodes, uint32_t n)
{
  uint32_t base = base_of(nodes), turned = by % base * (nodes / base) + by / base;
  switch (rule / 2) {
  case 0:
    return reversed(by % n, n);
  case 1:
    return by % n;
  default:
    return nodes % n ? by % n : turned / (nodes / n);
  }
}

static size_t way_numbered(struct choices *c, size_t move, uint32_t number)
{
  const struct move *m = &c->moves[move];
  return number < c->ways[move].n ? c->ways[move].first + number
                                  : hd_ways_add_numbered(&c->p->ways, m->from, m->to, number);
}

static void by_rule(struct choices *c, unsigned rule)
{
  uint32_t nodes = c->p->network->topology->n_nodes;
  for (size_t i = 0; i < c->n; i++) {
    uint32_t by = rule & 1 ? c->moves[i].to : c->moves[i].from;
    c->moves[i].way = way_numbered(c, i, rule_way(rule, by, nodes, c->ways[i].of_all));
    add_load(c, i, 1);
  }
}

static bool has_no_conflict(const struct choices *c)
{
  for (size_t i = 0; i < c->n; i++) {
    const struct way *way = &c->p->ways.all[c->moves[i].way];
    for (uint32_t l = 0; l < way->n; l++)
      if (c->load[c->p->ways.links[way->first + l]] > 1)
        return false;
  }
  return true;
}

static void remove_loads(struct choices *c)
{
  for (size_t i = 0; i < c->n; i++)
    add_load(c, i, -1);
}

static uint32_t draw(struct choices *c, uint32_t n)
{
  c->random = c->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((c->random >> 33) % n);
}

/* Repeatedly gives each transfer that shares a link the way on which it shares the fewest. */
static void resolve_conflicts(struct choices *c)
{
  for (uint32_t round = 0; round < REPAIRS && !has_no_conflict(c); round++)
    for (size_t i = 0; i < c->n; i++) {
      add_load(c, i, -1);
      if (count_shared(c, c->moves[i].way)) {
        uint32_t fewest = UINT32_MAX, as_few = 0;
        for (uint32_t w = 0; w < c->ways[i].n; w++) {
          uint32_t n = count_shared(c, c->ways[i].first + w);
          as_few = n < fewest ? 1 : as_few + (n == fewest);
          if (n < fewest || (n == fewest && !draw(c, as_few)))
            c->moves[i].way = c->ways[i].first + w;
          fewest = n < fewest ? n : fewest;
        }
      }
      add_load(c, i, 1);
    }
}

static int plan_ways(struct problem *p, struct move *moves, size_t n, bool *fits,
                     struct hd_error *err)
{
  struct choices c = {.p = p, .moves = moves, .n = n, .random = SEED};
  bool single = true, none = false;
  int status = HD_OK;
  c.ways = hd_xcalloc(n, sizeof *c.ways);
  c.load = hd_xcalloc(hd_schedule_links(p->network->topology), sizeof *c.load);
  for (size_t i = 0; !status && i < n; i++) {
    int found = hd_ways_of(&p->ways, moves[i].from, moves[i].to, &c.ways[i].first, err);
    if (found < 0)
      status = found;
    c.ways[i].n = c.ways[i].of_all = found > 0 ? (uint32_t)found : 0;
    if (found > 0 && hd_ways_are_cut(&p->ways, moves[i].from, moves[i].to))
      c.ways[i].of_all = hd_ways_count(&p->ways, moves[i].from, moves[i].to);
    single = single && found == 1;
    none = none || !found;
  }
  *fits = false;
  for (unsigned rule = 0; !status && !none && !*fits && rule < (single ? 1 : RULES); rule++) {
    by_rule(&c, rule);
    *fits = has_no_conflict(&c);
    if (!*fits && !single && rule == RULES - 1) {
      resolve_conflicts(&c);
      *fits = has_no_conflict(&c);
    }
    remove_loads(&c);
  }
  free(c.ways);
  free(c.load);
  return status;
}

/* ── the schedule ──────────────────────────────────────────────────────────── */

static int by_step(const void *left, const void *right)
{
  const struct move *a = left, *b = right;
  if (a->step != b->step)
    return a->step < b->step ? -1 : 1;
  return a->from != b->from ? (a->from < b->from ? -1 : 1) : (a->to > b->to) - (a->to < b->to);
}

static void copy_plan(struct problem *p, struct hd_schedule *s, const struct plan *plan)
{
  s->n = s->n_links = 0;
  for (size_t i = 0; i < plan->n; i++) {
    const struct move *m = &plan->moves[i];
    const struct way *way = &p->ways.all[m->way];
    HD_XROOM(s->transfers, s->capacity, s->n, 1);
    HD_XROOM(s->links, s->room, s->n_links, way->n);
    s->transfers[s->n++] =
        (struct hd_transfer){m->step, m->message, m->from, m->to, way->n, s->n_links};
    memcpy(s->links + s->n_links, p->ways.links + way->first, way->n * sizeof *s->links);
    s->n_links += way->n;
  }
  s->steps = plan->steps;
  memcpy(s->how, plan->how, sizeof s->how);
}

void hd_schedule_take_ways(struct problem *p, struct hd_schedule *s, struct plan *plan)
{
  if (plan->n && s->steps && plan->steps >= s->steps)
    return;
  if (plan->n)
    qsort(plan->moves, plan->n, sizeof *plan->moves, by_step);
  copy_plan(p, s, plan);
  hd_problem_say(p, "%" PRIu32 " steps: %s", s->steps, s->how);
}

static int take_plan(struct problem *p, struct hd_schedule *s, struct plan *plan,
                     struct hd_error *err)
{
  bool fits = true;
  int status = HD_OK;
  if (!plan->n || (s->steps && plan->steps >= s->steps))
    return HD_OK;
  qsort(plan->moves, plan->n, sizeof *plan->moves, by_step);
  for (size_t i = 0, end; !status && fits && i < plan->n; i = end) {
    for (end = i; end < plan->n && plan->moves[end].step == plan->moves[i].step;)
      end++;
    status = plan_ways(p, plan->moves + i, end - i, &fits, err);
  }
  if (!status && fits)
    hd_schedule_take_ways(p, s, plan);
  return status;
}

int hd_plan_construct(struct problem *p, struct hd_schedule *s, struct hd_error *err)
{
  int status = HD_OK;
  for (unsigned number = 0; !status; number++) {
    struct plan plan = {0};
    bool more = hd_pattern_make(p, number, &plan);
    if (more)
      status = take_plan(p, s, &plan, err);
    free(plan.moves);
    if (!more || (s->steps && s->steps <= s->bound) ||
        (p->options->stop && p->options->stop(p->options->context)))
      break;
  }
  return status || (s->steps && s->steps <= s->bound) ? status : hd_plan_clos(p, s, err);
}
