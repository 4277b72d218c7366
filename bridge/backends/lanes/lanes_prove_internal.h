/* What the files of the prover share: formulas about a switch, invariants, conditions.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LANES_PROVE_INTERNAL_H
#define HD_LANES_PROVE_INTERNAL_H

#include "lanes_pins.h"
#include "lanes_prove.h"
#include "lanes_sat.h"

enum { MOST_SAMPLES = 1 << 17 };

/* Two registers never have these values together; or one never has it. */
struct invariant {
  uint32_t registers[2];
  bool values[2];
};

struct hd_prover {
  struct hd_switch_params params;
  const struct hd_netlist *n;
  const struct hd_mutants *mutants;
  uint64_t **samples; /* [registers][words], a bit each; NULL after hd_prover_learn */
  size_t n_samples;
  struct invariant *invariants;
  size_t n_invariants, cap_invariants;
  uint32_t *first_reader, *readers; /* [n_nets + 1]; look-up tables that read a net */
  bool *driven;                     /* [n_nets] */
  uint32_t *lut_of, *taker;         /* [n_nets]: of which table it is y, of which register q; + 1 */
};

/* ── formulas (lanes_formula.c) ────────────────────────────────────────────── */

/* Clauses of the right copy: of the nets that somebody asked for, and what these follow from. */
struct formula {
  const struct hd_prover *p;
  struct hd_sat *s;
  int32_t *variable; /* [n_nets]; 0: nobody asked for it */
  hd_net *asked;     /* [n_nets] */
  uint32_t n_asked, n_done;
};

/* False: no memory. formula_fini frees it in any case. */
bool formula_init(struct formula *f, const struct hd_prover *p);
void formula_fini(struct formula *f);
/* Makes it an empty one. False: no memory. */
bool formula_begin(struct formula *f);
/* The variable of a net of the right copy, which asks for it. */
int32_t formula_net(struct formula *f, hd_net net);
/* Adds what the nets that were asked for follow from, to the last one. */
void formula_end(struct formula *f);
/* Is it 1 in the assignment? It was asked for. */
bool formula_is_true(const struct formula *f, hd_net net);

/* The literal that is true if the variable has this value. */
int32_t formula_literal(int32_t variable, bool value);
void formula_clause2(struct hd_sat *s, int32_t a, int32_t b);
void formula_clause3(struct hd_sat *s, int32_t a, int32_t b, int32_t c);
void formula_unit(struct hd_sat *s, int32_t a);
/* y is the table's value of a. */
void formula_table(struct hd_sat *s, uint8_t table, const int32_t a[3], int32_t y);
/* A variable that can be true only where a and b differ. */
int32_t formula_differ(struct hd_sat *s, int32_t a, int32_t b);

/* The cycle has a reset. */
void formula_reset(struct formula *f);
/* No access to the configuration port comes with a reset (bridge/dut.h). */
void formula_contract(struct formula *f);
struct hd_lane_pins prover_pins(const struct hd_prover *p);

/* ── random walks (lanes_walk.c) ───────────────────────────────────────────── */

/* Copies of the switch without a mutant, with random inputs, a bit of each word a copy. NULL: no memory. */
struct walk *walk_create(const struct hd_prover *p);
void walk_destroy(struct walk *w); /* NULL is fine */
/* Any state, [registers]; to be changed into one from which the walk begins. */
uint64_t *walk_begin(struct walk *w);
/* One cycle. The registers after it. */
const uint64_t *walk_step(struct walk *w);

/* ── invariants (lanes_invariants.c) ───────────────────────────────────────── */

/* They hold at the begin of the cycle: those of registers that were asked for. After formula_end. */
void prover_put_invariants(struct formula *f);

/* ── conditions (lanes_conditions.c) ───────────────────────────────────────── */

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

/* Fills in all conditions under which register d->reg could be of no interest, the nearest first. False: no memory. */
bool prover_conditions(const struct hd_prover *p, struct different *d);

#endif
