/* List schedules: each step takes the transfers that fit, the most urgent first.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_internal.h"

#include "../../bridge/host/memory.h"
#include <inttypes.h>
#include <stdio.h>

/* A destination that does not have its message yet. */
struct wish {
  uint32_t message, to;
  double urgency;
};

struct list {
  struct problem *p;
  struct wish *wishes;
  size_t n;
  /** [links] number of unsent messages to one node whose first way uses the link */
  uint32_t *load;
  uint32_t *pending;  /* [messages] number of destinations without the message */
  uint32_t *has_step; /* [destinations] step in which it gets the message; UINT32_MAX: not yet */
  size_t *placed;     /* [wishes] ways of the step's transfers, whose links are freed after it */
  uint64_t random;
};

static double draw(struct list *l)
{
  l->random = l->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(l->random >> 40) / (double)(1 << 24);
}

static bool has_one_destination(const struct list *l, uint32_t message)
{
  return l->p->messages->all[message].n == 1;
}

static int first_way(struct list *l, uint32_t message, uint32_t to, const struct way **way,
                     struct hd_error *err)
{
  size_t first;
  int n = hd_ways_of(&l->p->ways, l->p->messages->all[message].source, to, &first, err);
  *way = n > 0 ? &l->p->ways.all[first] : NULL;
  return n < 0 ? n : HD_OK;
}

static int add_load(struct list *l, const struct wish *w, int change, struct hd_error *err)
{
  const struct way *way;
  int status =
      has_one_destination(l, w->message) ? first_way(l, w->message, w->to, &way, err) : HD_OK;
  if (!status && has_one_destination(l, w->message))
    for (uint32_t i = 0; way && i < way->n; i++)
      l->load[l->p->ways.links[way->first + i]] += (uint32_t)change;
  return status;
}

static int more_urgent(const void *left, const void *right)
{
  double a = ((const struct wish *)left)->urgency, b = ((const struct wish *)right)->urgency;
  return (a < b) - (a > b);
}

static int sort_wishes(struct list *l, bool random, struct hd_error *err)
{
  for (size_t i = 0; i < l->n; i++) {
    struct wish *w = &l->wishes[i];
    const struct way *way = NULL;
    uint32_t most = 0;
    int status =
        has_one_destination(l, w->message) ? first_way(l, w->message, w->to, &way, err) : HD_OK;
    if (status)
      return status;
    for (uint32_t k = 0; way && k < way->n; k++) {
      uint32_t link = l->p->ways.links[way->first + k];
      if (hd_way_link_counts(l->p->network, link) && l->load[link] > most)
        most = l->load[link];
    }
    w->urgency = (has_one_destination(l, w->message) ? most : l->pending[w->message]) +
                 (random ? 2 : 0.9) * draw(l);
  }
  qsort(l->wishes, l->n, sizeof *l->wishes, more_urgent);
  return HD_OK;
}

/* Returns true if the first and the last link of a way are free. All ways of a pair share these two
 * links. */
static bool ends_are_free(const struct list *l, size_t number)
{
  const struct way *way = &l->p->ways.all[number];
  const uint32_t *links = &l->p->ways.links[way->first];
  return !way->n || (!l->p->taken[links[0]] && !l->p->taken[links[way->n - 1]]);
}

/* Finds a free way from a node that has the message. Sets *found to false if there is none. */
static int find_way(struct list *l, struct plan *plan, uint32_t step, const struct wish *w,
                    size_t *way, bool *found, struct hd_error *err)
{
  const struct hd_message *m = &l->p->messages->all[w->message];
  uint32_t holders = m->n + 1, start = (uint32_t)(draw(l) * holders);
  *found = false;
  for (uint32_t h = 0; !*found && h < holders; h++) {
    uint32_t i = (start + h) % holders; /* 0: the source */
    size_t first;
    if (i && l->has_step[m->first + i - 1] >= step)
      continue;
    uint32_t from = i ? problem_to(l->p, w->message)[i - 1] : m->source;
    int n = hd_ways_of(&l->p->ways, from, w->to, &first, err);
    if (n < 0)
      return n;
    uint32_t turn = n ? (uint32_t)(draw(l) * n) : 0;
    const bool open = n && ends_are_free(l, first);
    for (uint32_t k = 0; open && !*found && k < (uint32_t)n; k++) {
      *way = first + (turn + k) % (uint32_t)n;
      *found = hd_way_is_free(l->p, *way);
    }
    if (!*found)
      continue;
    hd_way_mark(l->p, *way, true);
    hd_plan_add(plan, step, w->message, from, w->to);
    plan->moves[plan->n - 1].way = *way;
    for (uint32_t d = 0; d < m->n; d++)
      if (problem_to(l->p, w->message)[d] == w->to)
        l->has_step[m->first + d] = step;
  }
  return HD_OK;
}

static int fill_step(struct list *l, struct plan *plan, uint32_t step, struct hd_error *err)
{
  size_t kept = 0, placed = 0;
  int status = HD_OK;
  for (size_t i = 0; !status && i < l->n; i++) {
    struct wish w = l->wishes[i];
    bool found = false;
    status = find_way(l, plan, step, &w, &l->placed[placed], &found, err);
    if (status || !found) {
      l->wishes[kept++] = w;
      continue;
    }
    placed++;
    l->pending[w.message]--;
    status = add_load(l, &w, -1, err);
  }
  l->n = kept;
  for (size_t i = 0; i < placed; i++)
    hd_way_mark(l->p, l->placed[i], false);
  if (!status && !placed)
    status = hd_fail(err, HD_E_INPUT, "no way leads to n%" PRIu32 " for the message of n%" PRIu32,
                     l->wishes[0].to, l->p->messages->all[l->wishes[0].message].source);
  return status;
}

/* Makes one schedule. Gives up if it takes `most` steps; 0: no limit. */
static int make_list_schedule(struct list *l, struct plan *plan, bool random, uint32_t most,
                              struct hd_error *err)
{
  const struct hd_messages *m = l->p->messages;
  int status = HD_OK;
  memset(l->load, 0, hd_schedule_links(l->p->network->topology) * sizeof *l->load);
  l->n = 0;
  for (size_t i = 0; !status && i < m->n; i++) {
    l->pending[i] = m->all[i].n;
    for (uint32_t d = 0; !status && d < m->all[i].n; d++) {
      l->wishes[l->n] = (struct wish){(uint32_t)i, problem_to(l->p, i)[d], 0};
      l->has_step[m->all[i].first + d] = UINT32_MAX;
      status = add_load(l, &l->wishes[l->n++], 1, err);
    }
  }
  for (uint32_t step = 0; !status && l->n && (!most || step < most); step++) {
    if (random && hd_problem_over(l->p))
      break;
    if (!random && l->p->options->stop && l->p->options->stop(l->p->options->context))
      return most ? HD_OK : hd_fail(err, HD_E_INTERRUPTED, "stopped before there was a schedule");
    status = sort_wishes(l, random, err);
    if (!status)
      status = fill_step(l, plan, step, err);
  }
  return status;
}

int hd_plan_greedy(struct problem *p, struct hd_schedule *s, uint32_t tries, struct hd_error *err)
{
  const struct hd_messages *m = p->messages;
  struct list l = {.p = p,
                   .wishes = hd_xcalloc(m->n_destinations + 1, sizeof *l.wishes),
                   .load = hd_xcalloc(hd_schedule_links(p->network->topology), sizeof *l.load),
                   .pending = hd_xcalloc(m->n + 1, sizeof *l.pending),
                   .has_step = hd_xcalloc(m->n_destinations + 1, sizeof *l.has_step),
                   .placed = hd_xcalloc(m->n_destinations + 1, sizeof *l.placed),
                   .random = 1};
  int status = HD_OK;
  for (uint32_t i = 0; !status && i < tries && (!s->steps || s->steps > s->bound); i++) {
    struct plan plan = {.how = "a list schedule: in each step what fits, the most urgent first"};
    if (i && hd_problem_over(p))
      break;
    status = make_list_schedule(&l, &plan, i > 0, s->steps, err);
    if (!status && !l.n)
      hd_schedule_take_ways(p, s, &plan);
    free(plan.moves);
  }
  free(l.wishes);
  free(l.load);
  free(l.pending);
  free(l.has_step);
  free(l.placed);
  return status;
}
