/* SAT solver: finds an assignment that makes all clauses of a formula true, or proves that there is
 * none.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The solver is CaDiCaL, as a library. Schedules need one large formula, proofs about mutants
 * dozens of small ones. Unless it is stopped, the answer depends only on the formula, the seed and
 * the limit of conflicts.
 *
 * A literal is a variable, 1 … n, or its negative.
 */
#ifndef HD_SAT_H
#define HD_SAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Name of the solver in messages and reports. */
#define HD_SAT_NAME "cadical"

enum hd_sat_answer { HD_SAT_NO, HD_SAT_YES, HD_SAT_GAVE_UP };

struct hd_sat;

/** Creates an empty formula. `seed` decides which value of each variable is tried first; 0: true.
 * With `proof`, the solver keeps the clauses that it learns, and uses no method whose steps unit
 * propagation cannot check. */
struct hd_sat *hd_sat_create(uint64_t seed, bool proof);
void hd_sat_destroy(struct hd_sat *sat); /* NULL is fine */

/** Adds a variable and returns it. The first is 1. */
int32_t hd_sat_variable(struct hd_sat *sat);

/** Adds a clause of n literals. Do not call it after hd_sat_solve. */
void hd_sat_clause(struct hd_sat *sat, const int32_t *literals, uint32_t n);

/** Solves the formula, once. Gives up after this number of conflicts (0: never), or when `stop`,
 * which may be NULL, returns true. */
enum hd_sat_answer hd_sat_solve(struct hd_sat *sat, uint32_t conflicts, bool (*stop)(void *context),
                                void *context);

/** Returns the number of learnt clauses: one for each conflict, or a few more. */
uint64_t hd_sat_conflicts(const struct hd_sat *sat);

/** After HD_SAT_YES: tests whether the literal is true. */
bool hd_sat_true(const struct hd_sat *sat, int32_t literal);

/** After HD_SAT_NO, for a formula that was created with `proof`: returns the proof as binary DRAT.
 *  Each of its lemmas follows by unit propagation. Borrowed until hd_sat_destroy. NULL: it would be
 *  longer than 1 GiB. */
const uint8_t *hd_sat_proof(const struct hd_sat *sat, size_t *size);

#endif
