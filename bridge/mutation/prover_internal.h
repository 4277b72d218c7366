/* Types and functions that the files of the prover share: formulas about a switch, invariants, conditions.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROVER_INTERNAL_H
#define HD_PROVER_INTERNAL_H

#include "../backends/lanes/lanes_pins.h"
#include "prover.h"
#include "../sat/sat.h"

#include <pthread.h>

enum { MOST_SAMPLES = 1 << 17, MOST_LITERALS = 6 };

/* A set of registers that never have these values together. The registers of a guess are in order. */
struct invariant {
  uint32_t registers[MOST_LITERALS];
  bool values[MOST_LITERALS];
  uint8_t n, depth; /* depth: of a guess that is to prove another one's */
};

struct hd_prover {
  struct hd_switch_params params;
  const struct hd_netlist *n;
  const struct hd_mutants *mutants;
  uint64_t **samples; /* [registers][words], a bit each */
  size_t n_samples;
  uint8_t *resets; /* [registers] after a reset, as far as was tried: 1: can be 0, 2: can be 1 */
  struct invariant *invariants;
  size_t n_invariants, cap_invariants, n_proved; /* the first so many are proved */
  struct invariant *guesses; /* invariants that proofs of mutants would need; under the lock */
  size_t n_guesses, cap_guesses;
  struct invariant *dropped; /* guesses that are false, or not proved, in order */
  size_t n_dropped, cap_dropped;
  bool learnt;
  pthread_mutex_t lock;
  uint32_t *first_reader, *readers; /* [n_nets + 1]; look-up tables that read a net */
  bool *driven;                     /* [n_nets] */
  uint32_t *lut_of, *taker;         /* [n_nets]: of which table it is y, of which register q; + 1 */
};

/* ── formulas (prover_formula.c) ────────────────────────────────────────────── */

/* Clauses of the right copy, for the nets that were asked for and those that they follow from. */
struct formula {
  const struct hd_prover *p;
  struct hd_sat *s;
  int32_t *variable; /* [n_nets]; 0: the net is not in the formula */
  hd_net *asked;     /* [n_nets] */
  uint32_t n_asked, n_done;
};

/* hd_formula_fini frees the memory of a formula. */
void hd_formula_init(struct formula *f, const struct hd_prover *p);
void hd_formula_fini(struct formula *f);
/* Makes it an empty one; `seed` decides which value of each net is tried first. */
void hd_formula_begin(struct formula *f, uint64_t seed);
/* The variable of a net of the right copy, which asks for it. */
int32_t hd_formula_net(struct formula *f, hd_net net);
/* Adds what the nets that were asked for follow from, to the last one. */
void hd_formula_end(struct formula *f);
/* The net's value in the assignment. The net must have been asked for. */
bool hd_formula_is_true(const struct formula *f, hd_net net);

/* The literal that is true if the variable has this value. */
int32_t hd_formula_literal(int32_t variable, bool value);
void hd_formula_clause2(struct hd_sat *s, int32_t a, int32_t b);
void hd_formula_clause3(struct hd_sat *s, int32_t a, int32_t b, int32_t c);
/* Adds clauses by which y is the table's value of a. */
void hd_formula_table(struct hd_sat *s, uint8_t table, const int32_t a[3], int32_t y);
/* A variable that can be true only where a and b differ. */
int32_t hd_formula_differ(struct hd_sat *s, int32_t a, int32_t b);

/* The cycle has a reset. */
void hd_formula_reset(struct formula *f);
/* Adds the contract: no access to the configuration port comes with a reset (bridge/dut.h). */
void hd_formula_contract(struct formula *f);
struct hd_lane_pins hd_prover_pins(const struct hd_prover *p);

/* ── random walks (random_walk.c) ───────────────────────────────────────────── */

/* Copies of the switch without a mutant, with random inputs, a bit of each word a copy. */
struct walk *hd_walk_create(const struct hd_prover *p);
void hd_walk_destroy(struct walk *w);
/* The registers, which the caller sets to the state from which the walk begins. */
uint64_t *hd_walk_begin(struct walk *w);
/* Plays one cycle, with a reset in all copies or in some. Returns the registers after it. */
const uint64_t *hd_walk_step(struct walk *w, bool reset);

/* ── invariants (prover_invariants.c) ───────────────────────────────────────── */

/* Adds clauses that say that invariants hold at the beginning of the cycle. All invariants of
 * registers that the formula uses, or one. Call after formula_end. */
void hd_prover_put_invariants(struct formula *f);
void hd_prover_put_invariant(struct formula *f, const struct invariant *v);

/* ── conditions (mutant_dont_care.c) ───────────────────────────────────────── */

enum { MOST_CONDITIONS = 320 };

/* One of two registers has its value; both may be the same one. */
struct condition {
  uint32_t registers[2];
  bool values[2];
};

/* A register that may differ: while its conditions are all true. */
struct different {
  uint32_t reg, n;
  struct condition conditions[MOST_CONDITIONS];
};

/* Fills in all conditions under which register d->reg could be of no interest, the nearest first. */
void hd_prover_conditions(const struct hd_prover *p, struct different *d);

/* ── what an assignment follows from (mutant_justify.c) ──────────────────────── */

enum { MOST_CAUSES = 48 };

/* Registers whose values at the beginning of the cycle give some nets their values, with the
 * cycle's inputs. */
struct causes {
  const struct formula *f;
  const int32_t *split; /* [n_nets] variables of the wrong copy; NULL: there is no wrong copy */
  const struct hd_mutant *mutant;
  const struct different *different;
  uint32_t n_different;
  uint32_t n, registers[MOST_CAUSES];
  bool values[MOST_CAUSES];
  uint8_t *marks;  /* [n_nets] */
  uint32_t *queue; /* [2·n_nets] */
  uint32_t n_queue;
};

/* hd_causes_fini frees the memory of the causes. */
void hd_causes_init(struct causes *c, const struct formula *f);
void hd_causes_fini(struct causes *c);
void hd_causes_begin(struct causes *c);
/* Finds what this net follows from, in the right or in the wrong copy. */
void hd_causes_of(struct causes *c, hd_net net, bool wrong);
/* Follows all nets back to registers, the nearest first. */
void hd_causes_follow(struct causes *c);

/* ── guesses (invariant_candidates.c) ───────────────────────────────────────────────── */

/* Values of three of these registers that were never seen together, those first of which it is the least likely that they
 * come and were not seen; where there are none, values of a few more. Returns how many, at most `most`. */
uint32_t hd_prover_guess(const struct hd_prover *p, const struct causes *causes,
                         struct invariant *guesses, uint32_t most);
/* Orders guesses by their registers and values; 0: they are the same. */
int hd_prover_compare(const void *a, const void *b);
/* Takes up guesses that wait, in an order of their own, each once. */
void hd_prover_take_guesses(struct hd_prover *p);
/* Drops a guess. Dropped guesses are in order again after prover_sort_dropped. */
void hd_prover_drop(struct hd_prover *p, const struct invariant *v);
void hd_prover_sort_dropped(struct hd_prover *p);

#endif
