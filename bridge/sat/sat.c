/* Passes formulas to CaDiCaL, and returns its answers and proofs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * CaDiCaL tries the same value first for all variables. With a seed, randomly chosen variables are
 * passed as their opposites, so each variable has its own first value. The proof is the list of
 * learnt clauses. The C interface shows these, and without inprocessing CaDiCaL derives no other
 * clauses.
 */
#include "sat.h"

#include "../../cmodel/grow.h"
#include "../../cmodel/port_event.h"

#include <ccadical.h>
#include <limits.h>
#include <stdlib.h>

enum { SATISFIABLE = 10, UNSATISFIABLE = 20, MOST_PROOF_BYTES = 1 << 30 };

struct hd_sat {
  CCaDiCaL *solver;
  uint64_t seed, learnt;
  int32_t variables;
  uint8_t *proof; /* [n_proof] bytes */
  size_t n_proof, cap_proof;
  bool wants_proof, too_long, ended; /* ended: the empty clause was learnt */
  bool (*stop)(void *context);
  void *context;
};

/* Converts a literal of the caller to one of the solver, or back. */
static int32_t map_literal(const struct hd_sat *s, int32_t literal)
{
  const bool other = s->seed && hd_mix64(s->seed + (uint32_t)abs(literal)) & 1;
  return other ? -literal : literal;
}

/* ── proof ─────────────────────────────────────────────────────────────────── */

static void put_byte(struct hd_sat *s, uint8_t byte)
{
  s->too_long |= s->n_proof == MOST_PROOF_BYTES || !HD_ROOM(s->proof, s->cap_proof, s->n_proof, 1);
  if (!s->too_long)
    s->proof[s->n_proof++] = byte;
}

/* Writes a number with 7 bits in each byte, the lowest first. */
static void put_number(struct hd_sat *s, uint32_t number)
{
  for (; number > 0x7f; number >>= 7)
    put_byte(s, (uint8_t)((number & 0x7f) | 0x80));
  put_byte(s, (uint8_t)number);
}

/* Writes a lemma. `literals` end with 0. */
static void put_lemma(struct hd_sat *s, const int *literals)
{
  put_byte(s, 'a');
  for (; *literals; literals++) {
    const int32_t literal = map_literal(s, *literals);
    put_number(s, 2 * (uint32_t)abs(literal) + (literal < 0));
  }
  put_byte(s, 0);
}

static void add_learnt(void *context, int *literals)
{
  struct hd_sat *const s = context;
  s->learnt++;
  s->ended |= !*literals;
  if (s->wants_proof)
    put_lemma(s, literals);
}

/* ── formulas ──────────────────────────────────────────────────────────────── */

struct hd_sat *hd_sat_create(uint64_t seed, bool proof)
{
  struct hd_sat *s = calloc(1, sizeof *s);
  *s = (struct hd_sat){.solver = ccadical_init(), .seed = seed, .wants_proof = proof};
  ccadical_set_option(s->solver, "quiet", 1);
  if (proof)
    ccadical_set_option(s->solver, "inprocessing", 0);
  ccadical_set_learn(s->solver, s, INT_MAX, add_learnt);
  return s;
}

void hd_sat_destroy(struct hd_sat *s)
{
  if (!s)
    return;
  ccadical_release(s->solver);
  free(s->proof);
  free(s);
}

int32_t hd_sat_variable(struct hd_sat *s)
{
  return ++s->variables;
}

void hd_sat_clause(struct hd_sat *s, const int32_t *literals, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    ccadical_add(s->solver, map_literal(s, literals[i]));
  ccadical_add(s->solver, 0);
}

static int asks_to_stop(void *context)
{
  const struct hd_sat *s = context;
  return s->stop(s->context);
}

enum hd_sat_answer hd_sat_solve(struct hd_sat *s, uint32_t conflicts, bool (*stop)(void *context),
                                void *context)
{
  s->stop = stop;
  s->context = context;
  if (stop)
    ccadical_set_terminate(s->solver, s, asks_to_stop);
  if (conflicts)
    ccadical_limit(s->solver, "conflicts", conflicts > INT_MAX ? INT_MAX : (int)conflicts);
  const int answer = ccadical_solve(s->solver);
  if (answer == UNSATISFIABLE && s->wants_proof && !s->ended)
    put_lemma(s, &(int){0});
  return answer == SATISFIABLE ? HD_SAT_YES : answer == UNSATISFIABLE ? HD_SAT_NO : HD_SAT_GAVE_UP;
}

uint64_t hd_sat_conflicts(const struct hd_sat *s)
{
  return s->learnt;
}

bool hd_sat_true(const struct hd_sat *s, int32_t literal)
{
  /* Versions of CaDiCaL return different values for negative literals, so this asks for the
   * variable. */
  return (ccadical_val(s->solver, abs(literal)) > 0) == (map_literal(s, literal) > 0);
}

const uint8_t *hd_sat_proof(const struct hd_sat *s, size_t *size)
{
  *size = s->too_long ? 0 : s->n_proof;
  return s->too_long ? NULL : s->proof;
}
