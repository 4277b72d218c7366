/* Proves invariants of a switch: values that a few registers never have together.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Invariants are guessed from samples, then proved by induction: a reset from any state makes all
 * of them true, and a cycle that begins with all of them ends with all of them. Guesses that an
 * assignment of the solver breaks are dropped, until it finds no assignment. From each assignment's
 * state the switch also takes a random walk: true invariants are true in all its cycles, so guesses
 * that are false in one are dropped with less effort than by the solver.
 *
 * Pairs are guessed before the first mutant is tried, larger sets (invariant_candidates.c) when a
 * proof needs them. A state in which such a guess becomes false may be one that never occurs. So
 * before the guess is dropped, others are guessed that exclude this state, and others for these.
 */
#include "prover_internal.h"

#include "../host/memory.h"

#include <stdlib.h>

enum { MOST_INVARIANTS = 400000 };
enum {
  WALK = 64,                /* cycles of a random walk */
  WALKS = 4,                /* random walks of 64 copies each */
  RESETS = 8,               /* resets from 64 states each */
  MOST_DEPTH = 8,           /* length of a chain of guesses, each made for another */
  MOST_FOR_ONE = 8,         /* guesses made for one */
  MOST_AT_ONCE = 20,        /* guesses broken by one assignment for which others are made */
  MOST_GUESSED = 20000,     /* guesses that are not proved yet, at which no more are made */
  MOST_EXPLAINED = 1500,    /* assignments for which guesses are made */
  CONFLICTS = 1000000,      /* conflicts of the solver for the first invariants, … */
  CONFLICTS_LATER = 100000, /* … and for later ones */
};

void hd_prover_random_walk(struct hd_prover *p)
{
  struct walk *walk = hd_walk_create(p);
  for (unsigned k = 0; k < WALKS; k++) {
    hd_walk_begin(walk);
    for (unsigned cycle = 0; cycle < WALK; cycle++) {
      const uint64_t *registers = hd_walk_step(walk, cycle == 0);
      for (uint32_t i = 0; i < p->n->n_registers; i++)
        p->samples[i][p->n_samples / 64] = registers[i];
      p->n_samples += 64; /* copies */
    }
  }
  hd_walk_destroy(walk);
}

void hd_prover_add_sample(struct hd_prover *p, const uint64_t *registers)
{
  if (p->n_samples == MOST_SAMPLES)
    return;
  for (uint32_t i = 0; i < p->n->n_registers; i++)
    p->samples[i][p->n_samples / 64] |= (registers[i / 64] >> i % 64 & 1) << p->n_samples % 64;
  p->n_samples++;
}

/* Returns the pairs of values that registers x and y have in the samples: bit a + 2·b is set for
 * values a and b. */
static unsigned value_pairs(const struct hd_prover *p, uint32_t x, uint32_t y)
{
  const size_t words = (p->n_samples + 63) / 64;
  unsigned values = 0;
  for (size_t w = 0; w < words && values != 15; w++) {
    const uint64_t all =
        w < p->n_samples / 64 ? UINT64_MAX : (UINT64_C(1) << p->n_samples % 64) - 1;
    const uint64_t a = p->samples[x][w], b = p->samples[y][w];
    values |= (unsigned)((~a & ~b & all) != 0) | (unsigned)((a & ~b & all) != 0) << 1 |
              (unsigned)((~a & b & all) != 0) << 2 | (unsigned)((a & b & all) != 0) << 3;
  }
  return values;
}

static void guess_invariants(struct hd_prover *p)
{
  const uint32_t n = p->n->n_registers;
  /* Values of a register in the samples: 1: 0, 2: 1, 3: both. */
  uint8_t *alone = hd_xcalloc(n + 1, 1);
  for (uint32_t x = 0; x < n; x++) {
    const unsigned both = value_pairs(p, x, x);
    alone[x] = (uint8_t)((both & 1) | (both >> 3 & 1) << 1);
  }
  for (uint32_t x = 0; x < n; x++)
    for (uint32_t y = x; y < n; y++) {
      if (y > x && (alone[x] != 3 || alone[y] != 3))
        continue;
      const unsigned values = y == x && alone[x] == 3 ? 15 : value_pairs(p, x, y);
      for (unsigned k = 0; k < 4; k++) {
        if (values >> k & 1 || (x == y && (k & 1) != k >> 1))
          continue;
        if (p->n_invariants == MOST_INVARIANTS) {
          free(alone);
          return;
        }
        HD_XROOM(p->invariants, p->cap_invariants, p->n_invariants, 1);
        p->invariants[p->n_invariants++] =
            (struct invariant){.registers = {x, y}, .values = {k & 1, k >> 1}, .n = x == y ? 1 : 2};
      }
    }
  free(alone);
}

/* Finds the values of registers after a reset from any state. */
static void try_resets(struct hd_prover *p)
{
  struct walk *walk = hd_walk_create(p);
  for (unsigned k = 0; k < RESETS; k++) {
    hd_walk_begin(walk);
    const uint64_t *after = hd_walk_step(walk, true);
    for (uint32_t i = 0; i < p->n->n_registers; i++)
      p->resets[i] |= (uint8_t)((after[i] != UINT64_MAX) | (after[i] != 0) << 1);
  }
  hd_walk_destroy(walk);
}

void hd_prover_put_invariant(struct formula *f, const struct invariant *v)
{
  int32_t literals[MOST_LITERALS];
  for (unsigned k = 0; k < v->n; k++) {
    const int32_t x = f->variable[f->p->n->registers[v->registers[k]].q];
    if (!x)
      return;
    literals[k] = -hd_formula_literal(x, v->values[k]);
  }
  hd_sat_clause(f->s, literals, v->n);
}

void hd_prover_put_invariants(struct formula *f)
{
  for (size_t i = 0; i < f->p->n_invariants; i++)
    hd_prover_put_invariant(f, &f->p->invariants[i]);
}

/* Keeps a dropped guess, so that it is not made again. Pairs, which are guessed only once, are not
 * kept. */
static void keep_dropped(struct hd_prover *p, const struct invariant *v)
{
  if (p->learnt)
    hd_prover_drop(p, v);
}

/* Drops the guesses that are false in one of these 64 states. */
static void drop_broken(struct hd_prover *p, const uint64_t *registers)
{
  size_t kept = p->n_proved;
  for (size_t i = p->n_proved; i < p->n_invariants; i++) {
    const struct invariant *v = &p->invariants[i];
    uint64_t broken = UINT64_MAX;
    for (unsigned k = 0; k < v->n; k++)
      broken &= v->values[k] ? registers[v->registers[k]] : ~registers[v->registers[k]];
    if (!broken)
      p->invariants[kept++] = *v;
    else
      keep_dropped(p, v);
  }
  p->n_invariants = kept;
}

/* Takes a random walk from the state after the assignment's cycle, and drops guesses that are false
 * in it. */
static void walk_from(struct hd_prover *p, const struct formula *f, struct walk *walk)
{
  uint64_t *const first = hd_walk_begin(walk);
  for (uint32_t i = 0; i < p->n->n_registers; i++)
    if (f->variable[p->n->registers[i].d])
      first[i] = hd_formula_is_true(f, p->n->registers[i].d) ? UINT64_MAX : 0;
  drop_broken(p, first);
  for (unsigned i = 0; i < WALK; i++)
    drop_broken(p, hd_walk_step(walk, false));
}

/* State of the search for true invariants. */
struct keeping {
  struct hd_prover *p;
  struct formula f;
  struct causes causes;
  struct walk *walk;
  int32_t *some; /* [n_invariants], literal that is true only if the invariant is broken */
  size_t cap_some;
};

static bool is_listed(const struct hd_prover *p, size_t first, const struct invariant *v)
{
  for (size_t i = first; i < p->n_invariants; i++)
    if (!hd_prover_compare(&p->invariants[i], v))
      return true;
  return false;
}

/* Adds guesses that exclude the state in which the assignment breaks guess i, unless they are among
 * those from `first` on. False: there is no such guess. */
static bool guess_for(struct keeping *k, size_t i, size_t first)
{
  struct hd_prover *p = k->p;
  struct invariant more[MOST_FOR_ONE];
  const struct invariant v = p->invariants[i];
  if (v.depth == MOST_DEPTH || p->n_invariants - p->n_proved > MOST_GUESSED)
    return false;
  HD_XROOM(p->invariants, p->cap_invariants, p->n_invariants, MOST_FOR_ONE);
  hd_causes_begin(&k->causes);
  for (unsigned j = 0; j < v.n; j++)
    hd_causes_of(&k->causes, p->n->registers[v.registers[j]].d, false);
  hd_causes_follow(&k->causes);
  const uint32_t n = hd_prover_guess(p, &k->causes, more, MOST_FOR_ONE);
  for (uint32_t j = 0; j < n; j++) {
    more[j].depth = (uint8_t)(v.depth + 1);
    if (!is_listed(p, first, &more[j]))
      p->invariants[p->n_invariants++] = more[j];
  }
  return n > 0;
}

/* Makes guesses for guesses that the assignment breaks, and drops those for which there are none.
 * False: no guess was made, and nothing was dropped. */
static bool guess_more(struct keeping *k)
{
  struct hd_prover *p = k->p;
  const size_t before = p->n_invariants;
  unsigned tried = 0;
  size_t kept = p->n_proved;
  bool more = false;
  for (size_t i = p->n_proved; i < before && tried < MOST_AT_ONCE; i++)
    if (hd_sat_true(k->f.s, k->some[i])) {
      tried++;
      if (guess_for(k, i, before))
        more = true;
      else
        p->invariants[i].depth = UINT8_MAX;
    }
  if (!more) /* the caller drops them */
    return false;
  for (size_t i = p->n_proved; i < p->n_invariants; i++)
    if (p->invariants[i].depth == UINT8_MAX)
      keep_dropped(p, &p->invariants[i]);
    else
      p->invariants[kept++] = p->invariants[i];
  p->n_invariants = kept;
  hd_prover_sort_dropped(p);
  return true;
}

/* Searches an assignment that breaks a guess, and drops the guesses that it breaks, or makes
 * guesses for them. */
static enum hd_sat_answer break_invariants(struct keeping *k, bool reset, uint64_t round,
                                           bool (*stop)(void *context), void *context)
{
  struct hd_prover *p = k->p;
  struct formula *f = &k->f;
  HD_XROOM(k->some, k->cap_some, 0, p->n_invariants + 1);
  hd_formula_begin(f, round);
  hd_formula_contract(f);
  if (reset)
    hd_formula_reset(f);
  for (size_t i = p->n_proved; i < p->n_invariants; i++) {
    const struct invariant *v = &p->invariants[i];
    k->some[i] = hd_sat_variable(f->s);
    for (unsigned j = 0; j < v->n; j++) {
      hd_formula_net(f, p->n->registers[v->registers[j]].q);
      hd_formula_clause2(
          f->s, -k->some[i],
          hd_formula_literal(hd_formula_net(f, p->n->registers[v->registers[j]].d), v->values[j]));
    }
  }
  hd_sat_clause(f->s, k->some + p->n_proved, (uint32_t)(p->n_invariants - p->n_proved));
  hd_formula_end(f);
  if (!reset)
    hd_prover_put_invariants(f);
  const enum hd_sat_answer answer =
      hd_sat_solve(f->s, p->learnt ? CONFLICTS_LATER : CONFLICTS, stop, context);
  if (answer != HD_SAT_YES || (!reset && p->learnt && round < MOST_EXPLAINED && guess_more(k)))
    return answer;
  walk_from(p, f, k->walk);
  hd_prover_sort_dropped(p);
  return answer;
}

/* Drops guesses until no assignment breaks one. `reset`: after a reset from any state; otherwise
 * after a cycle that begins with all of them. */
static enum hd_sat_answer keep_invariants(struct hd_prover *p, bool reset,
                                          bool (*stop)(void *context), void *context)
{
  struct keeping k = {.p = p, .walk = hd_walk_create(p)};
  enum hd_sat_answer answer = HD_SAT_YES;
  hd_formula_init(&k.f, p);
  hd_causes_init(&k.causes, &k.f);
  for (uint64_t round = 1; answer == HD_SAT_YES; round++)
    answer = p->n_invariants == p->n_proved ? HD_SAT_NO
             : stop && stop(context)        ? HD_SAT_GAVE_UP
                                            : break_invariants(&k, reset, round, stop, context);
  hd_formula_fini(&k.f);
  hd_causes_fini(&k.causes);
  hd_walk_destroy(k.walk);
  free(k.some);
  return answer;
}

/* Drops guesses until a reset makes all true and a cycle keeps all. The second step may add
 * guesses, so it is followed by the first one again. */
static bool keep_guesses(struct hd_prover *p, bool (*stop)(void *context), void *context)
{
  for (size_t before = SIZE_MAX; before != p->n_invariants;) {
    if (keep_invariants(p, true, stop, context) != HD_SAT_NO ||
        keep_invariants(p, false, stop, context) != HD_SAT_NO)
      return false;
    before = p->n_invariants;
    if (keep_invariants(p, true, stop, context) != HD_SAT_NO)
      return false;
  }
  return true;
}

int hd_prover_learn_invariants(struct hd_prover *p, bool (*stop)(void *context), void *context,
                               struct hd_error *err)
{
  if (p->learnt)
    hd_prover_take_guesses(p);
  else if (p->n_samples) {
    guess_invariants(p);
    try_resets(p);
  }
  if (!keep_guesses(p, stop, context))
    p->n_invariants = p->n_proved;
  p->n_proved = p->n_invariants;
  p->learnt = true;
  return stop && stop(context) ? hd_fail(err, HD_E_INTERRUPTED, "interrupted") : HD_OK;
}

size_t hd_prover_invariants(const struct hd_prover *p)
{
  return p->n_invariants;
}
