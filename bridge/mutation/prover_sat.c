/* Conflict-driven clause learning: two watched literals, activities, restarts, forgetting.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inside, a literal is 2·variable, or 2·variable + 1 for its negative; variables count from 0.
 */
#include "prover_sat.h"

#include "../../cmodel/grow.h"
#include "../../cmodel/port_event.h"

#include <stdlib.h>
#include <string.h>

enum { FREE = 2, RESTART = 64, FIRST_LEARNTS = 2000, NONE = 0 };

typedef uint32_t literal;

/* A clause in the arena: its size, whether it was learnt and its age, then its literals. 0 is no place. */
enum { SIZE, LEARNT, LITERALS };

struct watch {
  uint32_t clause;
  literal other; /* of the clause; true: the clause is, too */
};
struct watches {
  struct watch *list;
  size_t n, cap;
};

struct hd_sat {
  uint32_t *arena;
  size_t used, cap_arena;
  uint32_t *clauses; /* places in the arena */
  size_t n_clauses, cap_clauses;
  literal *units; /* clauses of one literal */
  size_t n_units, cap_units;
  uint32_t n; /* variables */
  bool empty, failed;

  /* Made by hd_sat_solve. */
  struct watches *watches; /* [2·n] clauses to look at when the literal becomes true */
  uint8_t *value;          /* [n]: 0, 1, FREE */
  uint8_t *phase;          /* [n]: what it had last */
  uint32_t *level, *reason;
  literal *trail;
  uint32_t n_trail, looked; /* assigned; those whose watches were looked at */
  uint32_t *limits;         /* [levels]: trail at each decision */
  uint32_t n_limits;
  double *activity, bump;
  uint32_t *heap, *place; /* free variables by activity; where in the heap, + 1 */
  uint32_t n_heap;
  uint8_t *seen;
  literal *learning;
  uint32_t n_learning;
  size_t n_learnts, most_learnts;
  uint64_t conflicts;
};

struct hd_sat *hd_sat_create(void)
{
  struct hd_sat *s = calloc(1, sizeof *s);
  if (s)
    s->used = 1;
  return s;
}

void hd_sat_destroy(struct hd_sat *s)
{
  if (!s)
    return;
  for (uint32_t i = 0; s->watches && i < 2 * s->n; i++)
    free(s->watches[i].list);
  free(s->watches);
  free(s->arena);
  free(s->clauses);
  free(s->units);
  free(s->value);
  free(s->phase);
  free(s->level);
  free(s->reason);
  free(s->trail);
  free(s->limits);
  free(s->activity);
  free(s->heap);
  free(s->place);
  free(s->seen);
  free(s->learning);
  free(s);
}

int32_t hd_sat_variable(struct hd_sat *s)
{
  return (int32_t)++s->n;
}

static literal inside(int32_t l)
{
  return l > 0 ? 2 * (uint32_t)(l - 1) : 2 * (uint32_t)(-l - 1) + 1;
}

static int32_t outside(literal l)
{
  const int32_t variable = (int32_t)(l / 2) + 1;
  return l & 1 ? -variable : variable;
}

/* A place in the arena with these literals; 0: no memory. */
static uint32_t put_clause(struct hd_sat *s, const literal *literals, uint32_t n, uint32_t learnt)
{
  if (s->used > UINT32_MAX - n - LITERALS ||
      !HD_ROOM(s->arena, s->cap_arena, s->used, n + LITERALS) ||
      !HD_ROOM(s->clauses, s->cap_clauses, s->n_clauses, 1)) {
    s->failed = true;
    return 0;
  }
  const uint32_t at = (uint32_t)s->used;
  s->arena[at + SIZE] = n;
  s->arena[at + LEARNT] = learnt;
  memcpy(s->arena + at + LITERALS, literals, n * sizeof *literals);
  s->used += n + LITERALS;
  s->clauses[s->n_clauses++] = at;
  return at;
}

void hd_sat_clause(struct hd_sat *s, const int32_t *literals, uint32_t n)
{
  if (n == 0)
    s->empty = true;
  if (n == 1) {
    if (!HD_ROOM(s->units, s->cap_units, s->n_units, 1))
      s->failed = true;
    else
      s->units[s->n_units++] = inside(literals[0]);
  }
  if (n < 2)
    return;
  const uint32_t at = put_clause(s, (const literal *)literals, n, 0);
  for (uint32_t i = 0; at && i < n; i++)
    s->arena[at + LITERALS + i] = inside(literals[i]);
}

/* ── assignment ────────────────────────────────────────────────────────────── */

/* 1, 0, or FREE and more. */
static uint8_t value_of(const struct hd_sat *s, literal l)
{
  return s->value[l / 2] ^ (l & 1);
}

static void assign(struct hd_sat *s, literal l, uint32_t reason)
{
  s->value[l / 2] = !(l & 1);
  s->level[l / 2] = s->n_limits;
  s->reason[l / 2] = reason;
  s->trail[s->n_trail++] = l;
  __builtin_prefetch(&s->watches[l]);
}

static void watch(struct hd_sat *s, literal l, uint32_t clause, literal other)
{
  struct watches *w = &s->watches[l ^ 1];
  if (!HD_ROOM(w->list, w->cap, w->n, 1))
    s->failed = true;
  else
    w->list[w->n++] = (struct watch){clause, other};
}

static void watch_clause(struct hd_sat *s, uint32_t at)
{
  const literal *l = s->arena + at + LITERALS;
  watch(s, l[0], at, l[1]);
  watch(s, l[1], at, l[0]);
}

/* What follows from what is assigned; a clause that is false, or 0. */
static uint32_t propagate(struct hd_sat *s)
{
  while (s->looked < s->n_trail) {
    const literal now = s->trail[s->looked++], gone = now ^ 1;
    if (s->looked < s->n_trail) /* lists come from memory, and that takes longer than all else */
      __builtin_prefetch(s->watches[s->trail[s->looked]].list);
    struct watches *w = &s->watches[now];
    size_t kept = 0, i = 0;
    while (i < w->n) {
      const struct watch at = w->list[i++];
      if (value_of(s, at.other) == 1) {
        w->list[kept++] = at;
        continue;
      }
      literal *l = s->arena + at.clause + LITERALS;
      const uint32_t n = s->arena[at.clause + SIZE];
      if (l[0] == gone) {
        l[0] = l[1];
        l[1] = gone;
      }
      const struct watch kept_watch = {at.clause, l[0]};
      if (value_of(s, l[0]) == 1) {
        w->list[kept++] = kept_watch;
        continue;
      }
      uint32_t k = 2;
      while (k < n && value_of(s, l[k]) == 0)
        k++;
      if (k < n) {
        l[1] = l[k];
        l[k] = gone;
        watch(s, l[1], at.clause, l[0]);
        continue;
      }
      w->list[kept++] = kept_watch;
      if (value_of(s, l[0]) == 0) {
        while (i < w->n)
          w->list[kept++] = w->list[i++];
        w->n = kept;
        return at.clause;
      }
      assign(s, l[0], at.clause);
    }
    w->n = kept;
  }
  return NONE;
}

/* ── the order of variables ────────────────────────────────────────────────── */

static void heap_up(struct hd_sat *s, uint32_t at)
{
  const uint32_t v = s->heap[at];
  for (; at && s->activity[s->heap[(at - 1) / 2]] < s->activity[v]; at = (at - 1) / 2) {
    s->heap[at] = s->heap[(at - 1) / 2];
    s->place[s->heap[at]] = at + 1;
  }
  s->heap[at] = v;
  s->place[v] = at + 1;
}

static void heap_down(struct hd_sat *s, uint32_t at)
{
  const uint32_t v = s->heap[at];
  for (uint32_t child; (child = 2 * at + 1) < s->n_heap; at = child) {
    if (child + 1 < s->n_heap && s->activity[s->heap[child + 1]] > s->activity[s->heap[child]])
      child++;
    if (s->activity[s->heap[child]] <= s->activity[v])
      break;
    s->heap[at] = s->heap[child];
    s->place[s->heap[at]] = at + 1;
  }
  s->heap[at] = v;
  s->place[v] = at + 1;
}

static void heap_put(struct hd_sat *s, uint32_t v)
{
  if (s->place[v])
    return;
  s->heap[s->n_heap] = v;
  heap_up(s, s->n_heap++);
}

/* The most active variable; UINT32_MAX: there is none. */
static uint32_t heap_take(struct hd_sat *s)
{
  if (!s->n_heap)
    return UINT32_MAX;
  const uint32_t v = s->heap[0];
  s->place[v] = 0;
  s->heap[0] = s->heap[--s->n_heap];
  if (s->n_heap)
    heap_down(s, 0);
  return v;
}

static void make_active(struct hd_sat *s, uint32_t v)
{
  s->activity[v] += s->bump;
  if (s->activity[v] > 1e100) {
    for (uint32_t i = 0; i < s->n; i++)
      s->activity[i] *= 1e-100;
    s->bump *= 1e-100;
  }
  if (s->place[v])
    heap_up(s, s->place[v] - 1);
}

static void back_to(struct hd_sat *s, uint32_t level)
{
  if (s->n_limits <= level)
    return;
  while (s->n_trail > s->limits[level]) {
    const uint32_t v = s->trail[--s->n_trail] / 2;
    s->phase[v] = s->value[v];
    s->value[v] = FREE;
    heap_put(s, v);
  }
  s->n_limits = level;
  s->looked = s->n_trail;
}

/* ── learning ──────────────────────────────────────────────────────────────── */

/* Does a literal follow from others of the clause that is learnt? */
static bool follows(const struct hd_sat *s, literal l)
{
  const uint32_t reason = s->reason[l / 2];
  if (!reason)
    return false;
  const literal *other = s->arena + reason + LITERALS;
  for (uint32_t i = 0; i < s->arena[reason + SIZE]; i++)
    if (other[i] / 2 != l / 2 && !s->seen[other[i] / 2] && s->level[other[i] / 2])
      return false;
  return true;
}

/* The clause that a conflict teaches, in s->learning, the literal that it makes true first; returns the level to
 * go back to. */
static uint32_t learn(struct hd_sat *s, uint32_t conflict)
{
  uint32_t open = 0, at = s->n_trail, n = 1, back = 0;
  literal last = 0;
  bool first = true;
  for (uint32_t clause = conflict;; clause = s->reason[last / 2]) {
    const literal *l = s->arena + clause + LITERALS;
    for (uint32_t i = 0; i < s->arena[clause + SIZE]; i++) {
      const uint32_t v = l[i] / 2;
      if ((!first && l[i] == last) || s->seen[v] || !s->level[v])
        continue;
      s->seen[v] = 1;
      make_active(s, v);
      if (s->level[v] == s->n_limits)
        open++;
      else
        s->learning[n++] = l[i];
    }
    first = false;
    do
      last = s->trail[--at];
    while (!s->seen[last / 2]);
    if (!--open)
      break;
    s->seen[last / 2] = 0;
  }
  s->learning[0] = last ^ 1;
  uint32_t kept = 1;
  const uint32_t all = n;
  for (uint32_t i = 1; i < n; i++) {
    const literal l = s->learning[i];
    if (follows(s, l))
      continue;
    s->learning[i] = s->learning[kept];
    s->learning[kept++] = l;
  }
  for (uint32_t i = 0; i < all; i++)
    s->seen[s->learning[i] / 2] = 0;
  n = kept;
  for (uint32_t i = 1; i < n; i++)
    if (s->level[s->learning[i] / 2] > back) {
      back = s->level[s->learning[i] / 2];
      const literal l = s->learning[1];
      s->learning[1] = s->learning[i];
      s->learning[i] = l;
    }
  s->n_learning = n;
  return back;
}

/* How many levels a clause's literals are of, at most 255: few are worth more. */
static uint32_t levels_of(const struct hd_sat *s, const literal *l, uint32_t n)
{
  uint32_t levels = 0;
  for (uint32_t i = 0; i < n && levels < 255; i++) {
    bool fresh = true;
    for (uint32_t k = 0; k < i && fresh; k++)
      fresh = s->level[l[k] / 2] != s->level[l[i] / 2];
    levels += fresh;
  }
  return levels;
}

static int by_worth(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void watch_all(struct hd_sat *s)
{
  for (uint32_t i = 0; i < 2 * s->n; i++)
    s->watches[i].n = 0;
  for (size_t i = 0; i < s->n_clauses; i++)
    watch_clause(s, s->clauses[i]);
}

/* Forgets the worse half of what was learnt. Only before the first decision: no reason is lost then that anyone
 * asks for. */
static void forget(struct hd_sat *s)
{
  uint64_t *worth = malloc((s->n_learnts + 1) * sizeof *worth);
  size_t n = 0, kept = 0;
  if (!worth) {
    s->failed = true;
    return;
  }
  for (size_t i = 0; i < s->n_clauses; i++)
    if (s->arena[s->clauses[i] + LEARNT])
      worth[n++] = (uint64_t)s->arena[s->clauses[i] + LEARNT] << 32 | (UINT32_MAX - (uint32_t)i);
  qsort(worth, n, sizeof *worth, by_worth);
  const uint64_t limit = worth[n / 2];
  for (size_t i = 0; i < s->n_clauses; i++) {
    const uint32_t learnt = s->arena[s->clauses[i] + LEARNT];
    const bool keep = learnt <= 2 || ((uint64_t)learnt << 32 | (UINT32_MAX - (uint32_t)i)) < limit;
    if (keep)
      s->clauses[kept++] = s->clauses[i];
    else
      s->n_learnts--;
  }
  s->n_clauses = kept;
  free(worth);
  watch_all(s);
  s->most_learnts += s->most_learnts / 8;
}

/* ── solving ───────────────────────────────────────────────────────────────── */

static bool prepare(struct hd_sat *s, uint64_t seed)
{
  const size_t n = (size_t)s->n + 1;
  s->watches = calloc(2 * n, sizeof *s->watches);
  s->value = malloc(n);
  s->phase = malloc(n);
  s->level = calloc(n, sizeof *s->level);
  s->reason = calloc(n, sizeof *s->reason);
  s->trail = malloc(n * sizeof *s->trail);
  s->limits = malloc(n * sizeof *s->limits);
  s->activity = calloc(n, sizeof *s->activity);
  s->heap = malloc(n * sizeof *s->heap);
  s->place = calloc(n, sizeof *s->place);
  s->seen = calloc(n, 1);
  s->learning = malloc(n * sizeof *s->learning);
  if (!s->watches || !s->value || !s->phase || !s->level || !s->reason || !s->trail || !s->limits ||
      !s->activity || !s->heap || !s->place || !s->seen || !s->learning)
    return false;
  memset(s->value, FREE, n);
  s->bump = 1;
  s->most_learnts = FIRST_LEARNTS + s->n_clauses / 4;
  for (uint32_t v = 0; v < s->n; v++) {
    s->phase[v] = seed ? hd_mix64(seed + v) & 1 : 0;
    heap_put(s, v);
  }
  watch_all(s);
  return !s->failed;
}

/* 1, 1, 2, 1, 1, 2, 4, … */
static uint64_t luby(uint64_t i)
{
  uint64_t size = 1, power = 1;
  for (; size < i + 1; size = 2 * size + 1)
    power *= 2;
  while (size - 1 != i) {
    size = (size - 1) / 2;
    power /= 2;
    i %= size;
  }
  return power;
}

/* The clause that was learnt, as one of all; its first literal becomes true. False: no memory. */
static bool take_learnt(struct hd_sat *s, uint32_t back, const struct hd_sat_learnt *learnt)
{
  const uint32_t levels = levels_of(s, s->learning, s->n_learning);
  back_to(s, back);
  uint32_t at = NONE;
  if (s->n_learning > 1) {
    at = put_clause(s, s->learning, s->n_learning, levels);
    if (!at)
      return false;
    watch_clause(s, at);
    s->n_learnts++;
  }
  assign(s, s->learning[0], at);
  if (learnt) {
    int32_t *const literals = (int32_t *)s->learning;
    for (uint32_t i = 0; i < s->n_learning; i++)
      literals[i] = outside(s->learning[i]);
    learnt->clause(learnt->context, literals, s->n_learning);
  }
  s->bump /= 0.95;
  return !s->failed;
}

static enum hd_sat_answer no(const struct hd_sat_learnt *learnt)
{
  if (learnt)
    learnt->clause(learnt->context, NULL, 0);
  return HD_SAT_NO;
}

enum hd_sat_answer hd_sat_solve(struct hd_sat *s, uint64_t conflicts, uint64_t seed,
                                const struct hd_sat_learnt *learnt)
{
  uint64_t restarts = 0, next = RESTART;
  if (s->failed || !prepare(s, seed))
    return HD_SAT_GAVE_UP;
  for (size_t i = 0; i < s->n_units && !s->empty; i++)
    if (value_of(s, s->units[i]) == 0)
      s->empty = true;
    else if (value_of(s, s->units[i]) != 1)
      assign(s, s->units[i], NONE);
  if (s->empty)
    return no(learnt);
  for (;;) {
    const uint32_t conflict = propagate(s);
    if (s->failed)
      return HD_SAT_GAVE_UP;
    if (conflict) {
      if (!s->n_limits)
        return no(learnt);
      if (s->conflicts++ == conflicts)
        return HD_SAT_GAVE_UP;
      const uint32_t back = learn(s, conflict);
      if (!take_learnt(s, back, learnt))
        return HD_SAT_GAVE_UP;
      continue;
    }
    if (s->conflicts >= next) {
      back_to(s, 0);
      next = s->conflicts + RESTART * luby(++restarts);
      if (s->n_learnts > s->most_learnts)
        forget(s);
      continue;
    }
    uint32_t v;
    do
      v = heap_take(s);
    while (v != UINT32_MAX && s->value[v] != FREE);
    if (v == UINT32_MAX)
      return HD_SAT_YES;
    s->limits[s->n_limits++] = s->n_trail;
    assign(s, 2 * v + !s->phase[v], NONE);
  }
}

uint64_t hd_sat_conflicts(const struct hd_sat *s)
{
  return s->conflicts;
}

bool hd_sat_true(const struct hd_sat *s, int32_t l)
{
  return value_of(s, inside(l)) == 1;
}
