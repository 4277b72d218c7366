/* A SAT solver for many small formulas: is there an assignment that makes all clauses true?
 * SPDX-License-Identifier: Apache-2.0
 *
 * Conflict-driven clause learning, inside the process: a proof of a mutant takes dozens of formulas, most of which
 * are solved sooner than an external solver has started. What it learns can be written down as a proof.
 *
 * A literal is a variable, 1 … n, or its negative.
 */
#ifndef HD_PROVER_SAT_H
#define HD_PROVER_SAT_H

#include <stdbool.h>
#include <stdint.h>

enum hd_sat_answer { HD_SAT_NO, HD_SAT_YES, HD_SAT_GAVE_UP };

struct hd_sat;

/** NULL: no memory. */
struct hd_sat *hd_sat_create(void);
void hd_sat_destroy(struct hd_sat *sat); /* NULL is fine */

/** A new variable; the first is 1. */
int32_t hd_sat_variable(struct hd_sat *sat);

/** Adds a clause of n literals of variables that are there. Not after hd_sat_solve. */
void hd_sat_clause(struct hd_sat *sat, const int32_t *literals, uint32_t n);

/** Each learnt clause, in order: with the clauses a proof that there is no assignment; n = 0 ends it. */
struct hd_sat_learnt {
  void *context;
  void (*clause)(void *context, const int32_t *literals, uint32_t n);
};

/** Solves it, once. `seed` is for which value is tried first. Gives up after so many conflicts, or
 *  without memory. `learnt` may be NULL. */
enum hd_sat_answer hd_sat_solve(struct hd_sat *sat, uint64_t conflicts, uint64_t seed,
                                const struct hd_sat_learnt *learnt);

/** How many conflicts that took. */
uint64_t hd_sat_conflicts(const struct hd_sat *sat);

/** After HD_SAT_YES: is the literal true? */
bool hd_sat_true(const struct hd_sat *sat, int32_t literal);

#endif
