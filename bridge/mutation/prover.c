/* Proves that no input shows a difference between a mutant and the switch: induction over cycles,
 * by a SAT solver.
 * SPDX-License-Identifier: Apache-2.0
 *
 * One copy of the netlist is right, the other one has the mutant, and both get the same inputs. The
 * claim is that each register is equal in both copies. A weaker claim is allowed for some
 * registers: they may differ while all of certain conditions are true, because then nothing
 * observes them. It is proved that a reset makes all claims true; that they are true after any
 * cycle that begins with them; and that nothing that is seen differs in such a cycle. Then nothing
 * that is seen ever differs. Conditions are not guessed. A register that may differ begins with all
 * conditions, and each assignment that the solver finds removes some of them, until there is no
 * assignment, or something that is seen differs.
 *
 * Invariants of the switch limit the states in which a cycle can begin: values that registers never
 * had together in the samples, as far as induction proves this. A mutant without a proof is tried
 * once more with guesses (invariant_candidates.c): an assignment is excluded if registers from
 * which it follows never had these values together in the samples. If this gives a proof,
 * hd_prover_learn_invariants tries to prove the guesses, and then the mutant is tried again.
 *
 * Seen are outputs (those of a flit while it is valid), values that are read from registers, and
 * all inputs of memories. So memories have the same content in both copies, and reads of them give
 * the same, arbitrary, values.
 */
#include "prover_internal.h"

#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
  /* Limits for a mutant. */
  MOST_DIFFERENT = 64,   /* registers that may differ */
  MOST_ROUNDS = 200,     /* assignments that are tried */
  MOST_GUESSES = 400,    /* guesses that its proof may need */
  MOST_FOR_ONE = 8,      /* guesses to exclude one assignment */
  NEAREST = 6,           /* conditions that an assignment makes false and that are tried */
  MOST_SPLIT = 1500,     /* nets that may differ; with more, a difference is mostly seen */
  SPLIT_BY_GUESS = 3000, /* nets that may differ, if guesses are used, which limit the problem */
  FLIP_FLOP_TABLE = 0xa, /* rows d + 2·q: a flip-flop takes d */
  CONFLICTS = 20000,     /* conflicts of the solver */
};

static void find_driven(struct hd_prover *p)
{
  const struct hd_netlist *n = p->n;
  p->driven = hd_xcalloc((size_t)n->n_nets + 1, sizeof *p->driven);
  for (uint32_t i = 0; i < n->n_inputs; i++)
    p->driven[n->inputs[i]] = true;
  for (uint32_t m = 0; m < n->n_memories; m++)
    for (uint32_t r = 0; r < n->memories[m].n_reads; r++)
      for (uint32_t i = 0; i < n->memories[m].width; i++)
        p->driven[n->memories[m].reads[r].data[i]] = true;
  for (uint32_t i = 0; i < n->n_registers; i++)
    p->driven[n->registers[i].q] = true;
  for (uint32_t i = 0; i < n->n_luts; i++)
    p->driven[n->luts[i].y] = true;
}

static void find_readers(struct hd_prover *p)
{
  const struct hd_netlist *n = p->n;
  uint32_t *at = hd_xcalloc((size_t)n->n_nets + 1, sizeof *at);
  p->first_reader = hd_xcalloc((size_t)n->n_nets + 1, sizeof *p->first_reader);
  p->readers = hd_xcalloc(3 * (size_t)n->n_luts + 1, sizeof *p->readers);
  p->lut_of = hd_xcalloc((size_t)n->n_nets + 1, sizeof *p->lut_of);
  p->taker = hd_xcalloc((size_t)n->n_nets + 1, sizeof *p->taker);
  for (uint32_t i = 0; i < n->n_luts; i++)
    for (unsigned k = 0; k < n->luts[i].inputs; k++)
      p->first_reader[n->luts[i].a[k] + 1]++;
  for (uint32_t i = 0; i < n->n_nets; i++) {
    at[i] = p->first_reader[i];
    p->first_reader[i + 1] += p->first_reader[i];
  }
  for (uint32_t i = 0; i < n->n_luts; i++) {
    for (unsigned k = 0; k < n->luts[i].inputs; k++)
      p->readers[at[n->luts[i].a[k]]++] = i;
    p->lut_of[n->luts[i].y] = i + 1;
  }
  for (uint32_t i = 0; i < n->n_registers; i++)
    p->taker[n->registers[i].q] = i + 1;
  free(at);
}

struct hd_prover *hd_prover_create(const struct hd_switch_params *params,
                                   const struct hd_netlist *n, const struct hd_mutants *mutants)
{
  struct hd_prover *p = hd_xmalloc(sizeof *p);
  *p = (struct hd_prover){.params = *params, .n = n, .mutants = mutants};
  pthread_mutex_init(&p->lock, NULL);
  p->samples = hd_xcalloc((size_t)n->n_registers + 1, sizeof *p->samples);
  p->resets = hd_xcalloc((size_t)n->n_registers + 1, sizeof *p->resets);
  find_driven(p);
  find_readers(p);
  for (uint32_t i = 0; i < n->n_registers; i++)
    p->samples[i] = hd_xcalloc(MOST_SAMPLES / 64, sizeof **p->samples);
  return p;
}

void hd_prover_destroy(struct hd_prover *p)
{
  if (!p)
    return;
  for (uint32_t i = 0; i < p->n->n_registers; i++)
    free(p->samples[i]);
  free(p->samples);
  free(p->driven);
  free(p->invariants);
  free(p->resets);
  free(p->guesses);
  free(p->dropped);
  pthread_mutex_destroy(&p->lock);
  free(p->first_reader);
  free(p->readers);
  free(p->lut_of);
  free(p->taker);
  free(p);
}

/* ── proof of one mutant ───────────────────────────────────────────────────── */

struct attempt {
  struct formula f;
  struct hd_prover *p;
  const struct hd_mutant *mutant;
  struct different different[MOST_DIFFERENT];
  uint32_t n_different;
  int32_t *split; /* [n_nets], variable of the net in the wrong copy; 0: the net is equal in both */
  hd_net *queue;  /* [n_nets], nets that are split */
  uint32_t n_queue;
  int32_t *takes; /* [registers], variable of the value that it takes in the wrong copy; 0: equal */
  struct {
    int32_t right, wrong, mask; /* seen while the mask is true; mask 0: always */
    hd_net net, mask_net;
  } * seen;
  size_t n_seen, cap_seen;
  int32_t *some; /* literals; one of them must be true */
  size_t n_some, cap_some;
  struct causes causes;
  struct invariant assumed[MOST_GUESSES]; /* guesses that the proof uses */
  uint32_t n_assumed;
  bool guesses;
};

static int32_t wrong_copy_variable(struct attempt *a, hd_net net)
{
  return a->split[net] ? a->split[net] : hd_formula_net(&a->f, net);
}

static void split_net(struct attempt *a, hd_net net)
{
  if (a->split[net])
    return;
  a->split[net] = hd_sat_variable(a->f.s);
  a->queue[a->n_queue++] = net;
}

static void add_some(struct attempt *a, int32_t x)
{
  HD_XROOM(a->some, a->cap_some, a->n_some, 1);
  a->some[a->n_some++] = x;
}

/* Adds the claim that a net equals its copy `other` while `mask` is 1; mask 0: always. */
static void claim_equal(struct attempt *a, hd_net net, int32_t other, hd_net mask)
{
  if (!other)
    return;
  const int32_t its = hd_formula_net(&a->f, net), x = hd_formula_differ(a->f.s, its, other);
  const int32_t while_ = mask ? hd_formula_net(&a->f, mask) : 0;
  if (while_)
    hd_formula_clause2(a->f.s, -x, while_);
  add_some(a, x);
  HD_XROOM(a->seen, a->cap_seen, a->n_seen, 1);
  a->seen[a->n_seen].right = its;
  a->seen[a->n_seen].wrong = other;
  a->seen[a->n_seen].net = net;
  a->seen[a->n_seen].mask_net = mask;
  a->seen[a->n_seen++].mask = while_;
}

static void claim_net(struct attempt *a, hd_net net, hd_net mask)
{
  claim_equal(a, net, a->split[net], mask);
}

/* Adds the claims for outputs: the wires of a flit do not differ while it is valid. rdata_o keeps
 * its value after a read, so its register must never take another value. */
static void claim_pins(struct attempt *a)
{
  const struct hd_netlist *n = a->p->n;
  const struct hd_lane_pins pins = hd_prover_pins(a->p);
  for (uint32_t i = 0; i < n->n_outputs; i++) {
    const hd_net net = n->outputs[i];
    const uint32_t reg = a->p->taker[net];
    const bool of_flit = i < pins.credit && i % pins.flit != HD_LANE_VALID;
    if (i >= pins.rdata && i < pins.quiescent && reg)
      claim_equal(a, n->registers[reg - 1].d, a->takes[reg - 1], HD_NET_ZERO);
    else
      claim_net(a, net, of_flit ? n->outputs[i / pins.flit * pins.flit] : HD_NET_ZERO);
  }
}

/* Adds the claim that the address of a write does not differ while a bit is written. */
static void claim_write_address(struct attempt *a, const struct hd_memory *m,
                                const struct hd_write_port *w)
{
  for (uint32_t k = 0; k < m->address_bits; k++)
    for (uint32_t i = 0; i < m->width; i++)
      if (!i || w->enable[i] != w->enable[i - 1])
        claim_net(a, w->address[k], w->enable[i]);
}

/* Adds the claims for a memory: enables, resets and addresses of unclocked reads never differ;
 * other addresses and written data do not differ while they are enabled. */
static void claim_memory(struct attempt *a, const struct hd_memory *m)
{
  for (uint32_t i = 0; i < m->n_reads; i++) {
    const struct hd_read_port *r = &m->reads[i];
    for (uint32_t k = 0; k < m->address_bits; k++)
      claim_net(a, r->address[k], r->clocked ? r->enable : HD_NET_ZERO);
    claim_net(a, r->enable, HD_NET_ZERO);
    claim_net(a, r->reset, HD_NET_ZERO);
  }
  for (uint32_t i = 0; i < m->n_writes; i++) {
    const struct hd_write_port *w = &m->writes[i];
    claim_write_address(a, m, w);
    for (uint32_t k = 0; k < m->width; k++) {
      claim_net(a, w->enable[k], HD_NET_ZERO);
      claim_net(a, w->data[k], w->enable[k]);
    }
  }
}

/* Adds the wrong copy: the gates that depend on a net that may differ. */
static void add_wrong_copy(struct attempt *a)
{
  const struct hd_prover *p = a->p;
  const struct hd_netlist *n = p->n;
  const uint32_t cell = a->mutant->cell;
  if (cell < n->n_luts)
    split_net(a, n->luts[cell].y);
  for (uint32_t i = 0; i < a->n_queue; i++) {
    const hd_net net = a->queue[i];
    for (uint32_t k = p->first_reader[net]; k < p->first_reader[net + 1]; k++)
      split_net(a, n->luts[p->readers[k]].y);
  }
  for (uint32_t i = 0; i < a->n_queue; i++) {
    const uint32_t at = p->lut_of[a->queue[i]];
    if (!at)
      continue;
    const struct hd_lut *lut = &n->luts[at - 1];
    int32_t in[3];
    for (unsigned k = 0; k < 3; k++)
      in[k] = wrong_copy_variable(a, lut->a[k]);
    hd_formula_table(a->f.s, (uint8_t)(lut->table ^ (cell == at - 1 ? a->mutant->rows : 0)), in,
                     a->split[lut->y]);
  }
}

/* Sets a->takes: the values that registers of the wrong copy take; 0: the same as those of the
 * right copy. */
static void set_taken_values(struct attempt *a)
{
  const struct hd_netlist *n = a->p->n;
  for (uint32_t i = 0; i < n->n_registers; i++)
    a->takes[i] = a->split[n->registers[i].d];
  if (a->mutant->cell < n->n_luts)
    return;
  const uint32_t i = a->mutant->cell - n->n_luts;
  const int32_t y = hd_sat_variable(a->f.s);
  const int32_t in[3] = {wrong_copy_variable(a, n->registers[i].d),
                         wrong_copy_variable(a, n->registers[i].q),
                         hd_formula_net(&a->f, HD_NET_ZERO)};
  hd_formula_table(a->f.s, (uint8_t)(FLIP_FLOP_TABLE ^ (a->mutant->rows & 0xf)), in, y);
  a->takes[i] = y;
}

/* Adds the claims at the beginning of the cycle: registers that may differ do so only while all
 * their conditions are true. */
static void put_different(struct attempt *a)
{
  const struct hd_netlist *n = a->p->n;
  struct hd_sat *const s = a->f.s;
  for (uint32_t i = 0; i < a->n_different; i++) {
    const struct different *d = &a->different[i];
    const hd_net q = n->registers[d->reg].q;
    split_net(a, q);
    const int32_t its = hd_formula_net(&a->f, q), other = a->split[q], x = hd_sat_variable(s);
    hd_formula_clause3(s, x, its, -other); /* x is true if they differ */
    hd_formula_clause3(s, x, -its, other);
    for (uint32_t k = 0; k < d->n; k++) {
      const struct condition *c = &d->conditions[k];
      hd_formula_clause3(
          s, -x,
          hd_formula_literal(hd_formula_net(&a->f, n->registers[c->registers[0]].q), c->values[0]),
          hd_formula_literal(hd_formula_net(&a->f, n->registers[c->registers[1]].q), c->values[1]));
    }
  }
}

static struct different *find_different(struct attempt *a, uint32_t reg)
{
  for (uint32_t i = 0; i < a->n_different; i++)
    if (a->different[i].reg == reg)
      return &a->different[i];
  return NULL;
}

/* Returns a literal that can be true only if the condition is false after the cycle. */
static int32_t broken_after(struct attempt *a, const struct condition *c)
{
  const struct hd_netlist *n = a->p->n;
  const int32_t one = -hd_formula_literal(hd_formula_net(&a->f, n->registers[c->registers[0]].d),
                                          c->values[0]),
                two = -hd_formula_literal(hd_formula_net(&a->f, n->registers[c->registers[1]].d),
                                          c->values[1]);
  if (one == two)
    return one;
  const int32_t x = hd_sat_variable(a->f.s);
  hd_formula_clause2(a->f.s, -x, one);
  hd_formula_clause2(a->f.s, -x, two);
  return x;
}

/* Adds the literals of which one must be true to refute the claims: after the cycle a register
 * differs that must not. */
static void put_claims(struct attempt *a)
{
  const struct hd_netlist *n = a->p->n;
  for (uint32_t i = 0; i < n->n_registers; i++) {
    if (!a->takes[i])
      continue;
    const struct different *d = find_different(a, i);
    const int32_t x =
        hd_formula_differ(a->f.s, hd_formula_net(&a->f, n->registers[i].d), a->takes[i]);
    int32_t literals[MOST_CONDITIONS + 1] = {-x};
    for (uint32_t k = 0; d && k < d->n; k++)
      literals[k + 1] = broken_after(a, &d->conditions[k]);
    if (d)
      hd_sat_clause(a->f.s, literals, d->n + 1);
    add_some(a, x);
  }
}

static bool put_attempt(struct attempt *a, bool reset, uint64_t seed)
{
  const struct hd_netlist *n = a->p->n;
  for (uint32_t i = 0; i < a->n_queue; i++)
    a->split[a->queue[i]] = 0;
  a->n_queue = 0;
  a->n_seen = a->n_some = 0;
  hd_formula_begin(&a->f, seed);
  if (reset)
    hd_formula_reset(&a->f);
  else
    put_different(a);
  add_wrong_copy(a);
  set_taken_values(a);
  if (!reset) /* outputs in the reset itself do not count */
    claim_pins(a);
  for (uint32_t m = 0; m < n->n_memories; m++)
    claim_memory(a, &n->memories[m]);
  put_claims(a);
  hd_formula_contract(&a->f);
  hd_sat_clause(a->f.s, a->some, (uint32_t)a->n_some);
  hd_formula_end(&a->f);
  if (!reset)
    hd_prover_put_invariants(&a->f);
  for (uint32_t i = 0; i < a->n_assumed && !reset; i++)
    hd_prover_put_invariant(&a->f, &a->assumed[i]);
  return !a->n_different || a->n_queue <= (a->guesses ? SPLIT_BY_GUESS : MOST_SPLIT);
}

/* Returns the index of the first seen net that differs in the assignment; n_seen: none does. */
static size_t which_is_seen(const struct attempt *a)
{
  const struct hd_sat *s = a->f.s;
  size_t i = 0;
  while (i < a->n_seen && (hd_sat_true(s, a->seen[i].right) == hd_sat_true(s, a->seen[i].wrong) ||
                           (a->seen[i].mask && !hd_sat_true(s, a->seen[i].mask))))
    i++;
  return i;
}

/* Tests whether a condition can be true after the assignment's cycle. */
static bool can_be_true(const struct formula *f, const struct condition *c)
{
  for (unsigned i = 0; i < 2; i++) {
    const hd_net next = f->p->n->registers[c->registers[i]].d;
    if (!f->variable[next] || hd_formula_is_true(f, next) == c->values[i])
      return true;
  }
  return false;
}

/* Tests whether the mutant's register takes a wrong value in the assignment. */
static bool takes_wrong(const struct attempt *a, uint32_t reg)
{
  return a->takes[reg] &&
         hd_sat_true(a->f.s, a->takes[reg]) != hd_formula_is_true(&a->f, a->p->n->registers[reg].d);
}

/* Begins a search for causes in the assignment. */
static void begin_causes(struct attempt *a)
{
  struct causes *const c = &a->causes;
  c->split = a->split;
  c->mutant = a->mutant;
  c->different = a->different;
  c->n_different = a->n_different;
  hd_causes_begin(c);
}

/* Guesses that no state with these causes occurs. False: there is no such guess. */
static bool assume_of_causes(struct attempt *a)
{
  const uint32_t room = MOST_GUESSES - a->n_assumed;
  hd_causes_follow(&a->causes);
  const uint32_t more = hd_prover_guess(a->p, &a->causes, a->assumed + a->n_assumed,
                                        room < MOST_FOR_ONE ? room : MOST_FOR_ONE);
  a->n_assumed += more;
  return more > 0;
}

/* Guesses that the state of the assignment does not occur. False: there is no such guess. */
static bool exclude_state(struct attempt *a)
{
  const struct hd_netlist *n = a->p->n;
  struct causes *const c = &a->causes;
  const size_t seen = which_is_seen(a);
  begin_causes(a);
  for (uint32_t both = 0; both < 2 && seen < a->n_seen; both++)
    hd_causes_of(c, a->seen[seen].net, both);
  if (seen < a->n_seen && a->seen[seen].mask)
    hd_causes_of(c, a->seen[seen].mask_net, false);
  for (uint32_t i = 0; i < n->n_registers && seen == a->n_seen; i++)
    for (uint32_t both = 0; both < 2 && takes_wrong(a, i); both++)
      hd_causes_of(c, n->registers[i].d, both);
  if (a->mutant->cell >= n->n_luts)
    hd_causes_of(c, n->registers[a->mutant->cell - n->n_luts].q, true);
  return assume_of_causes(a);
}

/* Finds or adds a register that may differ. A new one has all conditions. NULL: there are too
 * many. */
static struct different *may_differ(struct attempt *a, uint32_t reg)
{
  struct different *d = find_different(a, reg);
  if (d || a->n_different == MOST_DIFFERENT)
    return d;
  d = &a->different[a->n_different++];
  *d = (struct different){.reg = reg};
  hd_prover_conditions(a->p, d);
  return d;
}

/* Guesses that no state occurs in which a register takes a wrong value while one of its nearest
 * conditions becomes false. False: there is no such guess, or no such register. */
static bool assume_kept(struct attempt *a)
{
  const struct hd_netlist *n = a->p->n;
  for (uint32_t i = 0; i < n->n_registers; i++) {
    const struct different *d = takes_wrong(a, i) ? may_differ(a, i) : NULL;
    uint32_t lost = 0;
    for (uint32_t k = 0; d && k < d->n && lost < NEAREST; k++) {
      const struct condition *c = &d->conditions[k];
      if (c->registers[0] != c->registers[1] || can_be_true(&a->f, c))
        continue;
      lost++;
      begin_causes(a);
      for (uint32_t both = 0; both < 2; both++)
        hd_causes_of(&a->causes, n->registers[i].d, both);
      hd_causes_of(&a->causes, n->registers[c->registers[0]].d, false);
      if (assume_of_causes(a))
        return true;
    }
  }
  return false;
}

/* Weakens the claims so that they allow the assignment. False: too many registers may differ. */
static bool weaken(struct attempt *a)
{
  const struct hd_netlist *n = a->p->n;
  const struct formula *f = &a->f;
  for (uint32_t i = 0; i < n->n_registers; i++) {
    if (!takes_wrong(a, i))
      continue;
    struct different *d = may_differ(a, i);
    uint32_t kept = 0;
    if (!d)
      return false;
    for (uint32_t k = 0; k < d->n; k++)
      if (can_be_true(f, &d->conditions[k]))
        d->conditions[kept++] = d->conditions[k];
    d->n = kept;
  }
  return true;
}

static enum hd_proof prove(struct attempt *a, bool (*stop)(void *context), void *context)
{
  bool reset = true, reset_is_right = false;
  uint32_t conflicts = CONFLICTS;
  for (uint32_t round = 0; round < MOST_ROUNDS && !(stop && stop(context)); round++) {
    if (!put_attempt(a, reset, round + 1))
      return HD_PROOF_NONE;
    const enum hd_sat_answer answer = hd_sat_solve(a->f.s, conflicts, stop, context);
    const uint64_t needed = hd_sat_conflicts(a->f.s);
    if (answer == HD_SAT_GAVE_UP || needed >= conflicts)
      return HD_PROOF_NONE;
    conflicts -= (uint32_t)needed;
    if (answer == HD_SAT_YES) {
      if (a->guesses && !reset && (exclude_state(a) || assume_kept(a)))
        continue;
      if (which_is_seen(a) < a->n_seen || !weaken(a))
        return HD_PROOF_NONE;
      continue;
    }
    /* Claims only become weaker, so claims that a reset has made true need no new proof. */
    if (reset)
      reset_is_right = true;
    else if (reset_is_right)
      return a->n_different ? HD_PROOF_UNSEEN : HD_PROOF_STEP;
    reset = !reset;
  }
  return HD_PROOF_NONE;
}

/* Keeps the guesses of a proof for hd_prover_learn_invariants. */
static void keep_assumed(struct attempt *a)
{
  struct hd_prover *p = a->p;
  pthread_mutex_lock(&p->lock);
  HD_XROOM(p->guesses, p->cap_guesses, p->n_guesses, a->n_assumed);
  for (uint32_t i = 0; i < a->n_assumed; i++)
    p->guesses[p->n_guesses++] = a->assumed[i];
  pthread_mutex_unlock(&p->lock);
}

enum hd_proof hd_prover_prove_equivalent(struct hd_prover *p, uint32_t mutant, bool *again,
                                         bool (*stop)(void *context), void *context)
{
  const struct hd_netlist *n = p->n;
  struct attempt *a = hd_xcalloc(1, sizeof *a);
  a->p = p;
  a->mutant = &p->mutants->list[mutant];
  a->split = hd_xcalloc((size_t)n->n_nets + 1, sizeof *a->split);
  a->queue = hd_xcalloc((size_t)n->n_nets + 1, sizeof *a->queue);
  a->takes = hd_xcalloc((size_t)n->n_registers + 1, sizeof *a->takes);
  hd_formula_init(&a->f, p);
  hd_causes_init(&a->causes, &a->f);
  const enum hd_proof proof = prove(a, stop, context);
  *again = false;
  if (proof == HD_PROOF_NONE) {
    a->guesses = true;
    a->n_different = 0;
    *again = prove(a, stop, context) != HD_PROOF_NONE;
  }
  if (*again)
    keep_assumed(a);
  hd_formula_fini(&a->f);
  hd_causes_fini(&a->causes);
  free(a->split);
  free(a->queue);
  free(a->takes);
  free(a->seen);
  free(a->some);
  free(a);
  return proof;
}
