/* Invariants of a switch: pairs of values that two registers never have together.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Guessed from what was seen, kept as far as they are proved by induction: a reset from any state makes all of them
 * true, and a cycle that begins with all of them keeps them. What an assignment of the solver breaks is dropped, until
 * there is none. The switch goes on from there with random inputs: invariants that are true for ever are true in all
 * of these cycles, too, so what is false in one is dropped with less effort than the solver's.
 */
#include "lanes_prove_internal.h"

#include "../../../cmodel/grow.h"

#include <stdlib.h>

enum { MOST_INVARIANTS = 400000 };
enum { WALK = 64 }; /* cycles */
static const uint64_t k_conflicts = 1000000;

void hd_prover_see(struct hd_prover *p, const uint64_t *registers)
{
  if (p->n_samples == MOST_SAMPLES)
    return;
  for (uint32_t i = 0; i < p->n->n_registers; i++)
    p->samples[i][p->n_samples / 64] |= (registers[i / 64] >> i % 64 & 1) << p->n_samples % 64;
  p->n_samples++;
}

/* Bit a + 2·b: registers x and y had the values a and b together. */
static unsigned had(const struct hd_prover *p, uint32_t x, uint32_t y)
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

static bool guess_invariants(struct hd_prover *p)
{
  const uint32_t n = p->n->n_registers;
  uint8_t *alone = calloc(n + 1, 1); /* 1: had 0, 2: had 1 */
  if (!alone)
    return false;
  for (uint32_t x = 0; x < n; x++) {
    const unsigned both = had(p, x, x);
    alone[x] = (uint8_t)((both & 1) | (both >> 3 & 1) << 1);
  }
  for (uint32_t x = 0; x < n; x++)
    for (uint32_t y = x; y < n; y++) {
      if (y > x && (alone[x] != 3 || alone[y] != 3))
        continue;
      const unsigned values = y == x && alone[x] == 3 ? 15 : had(p, x, y);
      for (unsigned k = 0; k < 4; k++) {
        if (values >> k & 1 || (x == y && (k & 1) != k >> 1))
          continue;
        if (p->n_invariants == MOST_INVARIANTS) {
          free(alone);
          return true;
        }
        if (!HD_ROOM(p->invariants, p->cap_invariants, p->n_invariants, 1)) {
          free(alone);
          return false;
        }
        p->invariants[p->n_invariants++] =
            (struct invariant){.registers = {x, y}, .values = {k & 1, k >> 1}};
      }
    }
  free(alone);
  return true;
}

/* The invariants hold at the begin of the cycle: those of registers that were asked for. */
void prover_put_invariants(struct formula *f)
{
  const struct hd_prover *p = f->p;
  for (size_t i = 0; i < p->n_invariants; i++) {
    const struct invariant *v = &p->invariants[i];
    const int32_t a = f->variable[p->n->registers[v->registers[0]].q],
                  b = f->variable[p->n->registers[v->registers[1]].q];
    if (a && b)
      formula_clause2(f->s, -formula_literal(a, v->values[0]), -formula_literal(b, v->values[1]));
  }
}

/* Takes those away that are false in one of these states. */
static void drop_broken(struct hd_prover *p, const uint64_t *registers)
{
  size_t kept = 0;
  for (size_t i = 0; i < p->n_invariants; i++) {
    const struct invariant *v = &p->invariants[i];
    uint64_t broken = UINT64_MAX;
    for (unsigned k = 0; k < 2; k++)
      broken &= v->values[k] ? registers[v->registers[k]] : ~registers[v->registers[k]];
    if (!broken)
      p->invariants[kept++] = *v;
  }
  p->n_invariants = kept;
}

/* The same of the state after the assignment's cycle, and of where the switch comes from there. */
static void walk_on(struct hd_prover *p, const struct formula *f, struct walk *walk)
{
  uint64_t *const first = walk_begin(walk);
  for (uint32_t i = 0; i < p->n->n_registers; i++)
    if (f->variable[p->n->registers[i].d])
      first[i] = formula_is_true(f, p->n->registers[i].d) ? UINT64_MAX : 0;
  drop_broken(p, first);
  for (unsigned i = 0; i < WALK; i++)
    drop_broken(p, walk_step(walk));
}

/* Is there an assignment that breaks an invariant? Takes away those that it breaks. */
static enum hd_sat_answer break_invariants(struct hd_prover *p, struct formula *f,
                                           struct walk *walk, bool reset, uint64_t round,
                                           int32_t *some)
{
  if (!formula_begin(f))
    return HD_SAT_GAVE_UP;
  formula_contract(f);
  if (reset)
    formula_reset(f);
  for (size_t i = 0; i < p->n_invariants; i++) {
    const struct invariant *v = &p->invariants[i];
    some[i] = hd_sat_variable(f->s);
    for (unsigned k = 0; k < 2; k++) {
      formula_net(f, p->n->registers[v->registers[k]].q);
      formula_clause2(
          f->s, -some[i],
          formula_literal(formula_net(f, p->n->registers[v->registers[k]].d), v->values[k]));
    }
  }
  hd_sat_clause(f->s, some, (uint32_t)p->n_invariants);
  formula_end(f);
  if (!reset)
    prover_put_invariants(f);
  const enum hd_sat_answer answer = hd_sat_solve(f->s, k_conflicts, round, NULL);
  if (answer == HD_SAT_YES)
    walk_on(p, f, walk);
  return answer;
}

/* Takes invariants away until nothing breaks those that are left. `reset`: after a reset from any state; else after a
 * cycle that begins with all of them. */
static enum hd_sat_answer keep_invariants(struct hd_prover *p, bool reset,
                                          bool (*stop)(void *context), void *context)
{
  struct formula f;
  int32_t *some = malloc((p->n_invariants + 1) * sizeof *some);
  struct walk *walk = walk_create(p);
  enum hd_sat_answer answer = formula_init(&f, p) && some && walk ? HD_SAT_YES : HD_SAT_GAVE_UP;
  for (uint64_t round = 1; answer == HD_SAT_YES; round++) {
    answer = !p->n_invariants        ? HD_SAT_NO
             : stop && stop(context) ? HD_SAT_GAVE_UP
                                     : break_invariants(p, &f, walk, reset, round, some);
  }
  formula_fini(&f);
  walk_destroy(walk);
  free(some);
  return answer;
}

int hd_prover_learn(struct hd_prover *p, bool (*stop)(void *context), void *context,
                    struct hd_error *err)
{
  if (p->n_samples && !guess_invariants(p))
    return hd_fail(err, HD_E_NOMEM, "out of memory for proofs");
  if (keep_invariants(p, true, stop, context) != HD_SAT_NO ||
      keep_invariants(p, false, stop, context) != HD_SAT_NO)
    p->n_invariants = 0;
  for (uint32_t i = 0; i < p->n->n_registers; i++) {
    free(p->samples[i]);
    p->samples[i] = NULL;
  }
  p->n_samples = MOST_SAMPLES;
  return stop && stop(context) ? hd_fail(err, HD_E_INTERRUPTED, "interrupted") : HD_OK;
}

size_t hd_prover_invariants(const struct hd_prover *p)
{
  return p->n_invariants;
}
