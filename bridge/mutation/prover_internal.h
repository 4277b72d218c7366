/* Types and functions that the files of the prover share: formulas about a switch, invariants,
 * conditions.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROVER_INTERNAL_H
#define HD_PROVER_INTERNAL_H

#include "../backends/lanes/lanes_pins.h"
#include "prover.h"
#include "../sat/sat.h"

#include <pthread.h>

enum { MOST_SAMPLES = 1 << 17, MOST_LITERALS = 6 };

/* An invariant: these registers never have these values together. The registers of a guess are
 * sorted. */
struct invariant {
  uint32_t registers[MOST_LITERALS];
  bool values[MOST_LITERALS];
  uint8_t n, depth; /* depth of a guess: number of guesses for which it was made, in a chain */
};

struct hd_prover {
  struct hd_switch_params params;
  const struct hd_netlist *n;
  const struct hd_mutants *mutants;
  uint64_t **samples; /* [registers][words], a bit for each sample */
  size_t n_samples;
  uint8_t *resets; /* [registers], values after a reset in the walks: 1: 0, 2: 1, 3: both */
  struct invariant *invariants;
  size_t n_invariants, cap_invariants, n_proved; /* the first n_proved are proved */
  struct invariant *guesses; /* guesses that proofs of mutants would need; guarded by `lock` */
  size_t n_guesses, cap_guesses;
  struct invariant *dropped; /* guesses that are false, or not proved; sorted */
  size_t n_dropped, cap_dropped;
  bool learnt;
  pthread_mutex_t lock;
  uint32_t *first_reader, *readers; /* [n_nets + 1]; look-up tables that read a net */
  bool *driven;                     /* [n_nets]: an input, memory, register or table drives it */
  uint32_t *lut_of, *taker; /* [n_nets]: table, and register, that drives it, + 1; 0: none */
};

/* ── formulas (prover_formula.c) ────────────────────────────────────────────── */

/* Clauses of the right copy, for the nets that were asked for and for all nets on which they
 * depend. */
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
/* Empties the formula. `seed` decides which value of each net the solver tries first. */
void hd_formula_begin(struct formula *f, uint64_t seed);
/* Asks for a net of the right copy, and returns its variable. */
int32_t hd_formula_net(struct formula *f, hd_net net);
/* Adds all cells on which the nets that were asked for depend. Call it after the last
 * hd_formula_net. */
void hd_formula_end(struct formula *f);
/* Returns the net's value in the assignment. The net must have been asked for. */
bool hd_formula_is_true(const struct formula *f, hd_net net);

/* Returns the literal that is true if the variable has this value. */
int32_t hd_formula_literal(int32_t variable, bool value);
void hd_formula_clause2(struct hd_sat *s, int32_t a, int32_t b);
void hd_formula_clause3(struct hd_sat *s, int32_t a, int32_t b, int32_t c);
/* Adds clauses by which y is the table's value of a. */
void hd_formula_table(struct hd_sat *s, uint8_t table, const int32_t a[3], int32_t y);
/* Returns a variable that can be true only if a and b differ. */
int32_t hd_formula_differ(struct hd_sat *s, int32_t a, int32_t b);

/* Adds the clause that the cycle has a reset. */
void hd_formula_reset(struct formula *f);
/* Adds the clauses of the contract (bridge/dut.h): a reset has no access to the configuration
 * port. */
void hd_formula_contract(struct formula *f);
struct hd_lane_pins hd_prover_pins(const struct hd_prover *p);

/* ── random walks (random_walk.c) ───────────────────────────────────────────── */

/* 64 copies of the switch without a mutant, with random inputs. Each bit of a word belongs to one
 * copy. */
struct walk *hd_walk_create(const struct hd_prover *p);
void hd_walk_destroy(struct walk *w);
/* Sets all registers to random values, and returns them. The caller may change them before the
 * walk. */
uint64_t *hd_walk_begin(struct walk *w);
/* Plays one cycle. `reset`: all copies are reset; otherwise a few are. Returns the registers after
 * it. */
const uint64_t *hd_walk_step(struct walk *w, bool reset);

/* ── invariants (prover_invariants.c) ───────────────────────────────────────── */

/* Add the clauses that all invariants, or one, are true at the beginning of the cycle. Skip those
 * with a register that the formula does not use. Call them after hd_formula_end. */
void hd_prover_put_invariants(struct formula *f);
void hd_prover_put_invariant(struct formula *f, const struct invariant *v);

/* ── conditions (mutant_dont_care.c) ───────────────────────────────────────── */

enum { MOST_CONDITIONS = 320 };

/* A condition: one of two registers, or both, has its value. Both may be the same register. */
struct condition {
  uint32_t registers[2];
  bool values[2];
};

/* A register that may differ while all its conditions are true. */
struct different {
  uint32_t reg, n;
  struct condition conditions[MOST_CONDITIONS];
};

/* Sets all conditions under which register d->reg might not be observed, the nearest first. */
void hd_prover_conditions(const struct hd_prover *p, struct different *d);

/* ── causes of values in an assignment (mutant_justify.c) ────────────────────── */

enum { MOST_CAUSES = 48 };

/* Registers whose values at the beginning of the cycle, together with its inputs, decide the values
 * of certain nets. */
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
/* Adds a net, of the right or the wrong copy, to those whose causes are searched. */
void hd_causes_of(struct causes *c, hd_net net, bool wrong);
/* Follows all these nets back to registers, the nearest first. */
void hd_causes_follow(struct causes *c);

/* ── guesses (invariant_candidates.c) ───────────────────────────────────────────────── */

/* Guesses invariants: values of two or three of these registers that no sample has together; if
 * there are none, of a few more. Guesses whose values are the most frequent ones come first: it is
 * least likely that such values occur together and no sample has them. Returns their number, at
 * most `most`. */
uint32_t hd_prover_guess(const struct hd_prover *p, const struct causes *causes,
                         struct invariant *guesses, uint32_t most);
/* Compares guesses by their registers and values, for qsort. 0: they are equal. */
int hd_prover_compare(const void *a, const void *b);
/* Moves p->guesses to p->invariants, sorted and each once, without those that were dropped
 * before. */
void hd_prover_take_guesses(struct hd_prover *p);
/* Adds a guess to p->dropped. Call hd_prover_sort_dropped after the last one. */
void hd_prover_drop(struct hd_prover *p, const struct invariant *v);
void hd_prover_sort_dropped(struct hd_prover *p);

#endif
