/* Mutants of netlists of a few cells: which are proved equivalent, and which are not.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/backends/lanes/lanes_netlist.h"
#include "../../../bridge/mutation/prover.h"
#include "../../../bridge/host/text.h"
#include "../lib/lanes_fixture.h"
#include "../lib/test.h"

/* A cell: a lookup table of two inputs, its rows from the last to the first; without a table, a flip-flop that takes
 * `a`. */
struct cell {
  const char *name, *table;
  unsigned a, b, y;
};

static struct hd_netlist netlist;
static struct hd_mutants judged_mutants;
static struct hd_prover *prover;

/* The netlist of these cells and its mutants. */
static void begin_netlist(const struct cell *cells, size_t n)
{
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  for (size_t i = 0; i < n; i++) {
    const struct cell *c = &cells[i];
    hd_text_add(&text, "%s\"%s\": {", i ? ", " : "", c->name);
    if (c->table)
      hd_text_add(&text,
                  "\"type\": \"$lut\", \"parameters\": {\"LUT\": \"%s\"}, \"connections\": "
                  "{\"A\": [%u, %u], \"Y\": [%u]}}",
                  c->table, c->a, c->b, c->y);
    else
      hd_text_add(
          &text, "\"type\": \"$_DFF_P_\", \"connections\": {\"C\": [2], \"D\": [%u], \"Q\": [%u]}}",
          c->a, c->y);
  }
  CLEANUP(free_at) char *json = lanes_netlist(hd_text_chars(&text));
  assert_int_equal(hd_netlist_read(&netlist, &lanes_few, json, strlen(json), "there", NULL), 0);
  hd_mutants_find(&judged_mutants, &netlist);
}

static void begin_proofs(void)
{
  prover = hd_prover_create(&lanes_few, &netlist, &judged_mutants);
}

static void end(void)
{
  hd_prover_destroy(prover);
  prover = NULL;
  hd_mutants_fini(&judged_mutants);
  hd_netlist_fini(&netlist);
}

/* Checks how many mutants a cell has, and for how many of them it is proved that no test can detect them. */
static void assert_equivalent(uint32_t cell, unsigned mutants, unsigned equivalent)
{
  unsigned n = 0, same = 0;
  for (uint32_t i = 0; i < judged_mutants.n; i++) {
    n += judged_mutants.list[i].cell == cell;
    same += judged_mutants.list[i].cell == cell && judged_mutants.list[i].equivalent;
  }
  if (n != mutants || same != equivalent)
    fail_msg("cell %u: %u mutants, %u equivalent; not %u, %u", cell, n, same, mutants, equivalent);
}

/* Net 9 is every output and flip-flop "out"; 10 is rst, 11 and 12 are inputs. "dead" is 0 after a reset and for
 * ever, so "gate" is 0, and nobody sees "hidden", which it would let through. */
TEST(mutants_in_unreachable_states_are_proved_equivalent)
{
  /* Inputs come in the order of lanes_netlist: rst is 10, the next ones are 11 and 12. Tables, by B and A: 1000 and, 0110
   * exclusive or, 0010 A and not B. */
  static const struct cell cells[] = {
      {"keep", "1000", 300, 11, 301},  /* 0: dead and 11 */
      {"clear", "0010", 301, 10, 302}, /* 1: unless reset */
      {"hidden", "0110", 11, 12, 303}, /* 2 */
      {"gate", "1000", 303, 300, 304}, /* 3: hidden and dead */
      {"shown", "0110", 304, 12, 305}, /* 4: gate xor 12 */
      {"clean", "0010", 305, 10, 306}, /* 5: unless reset */
      {.name = "dead", .a = 302, .y = 300}, {.name = "out", .a = 306, .y = 9},
  };
  begin_netlist(cells, sizeof cells / sizeof *cells);
  hd_mutants_prove(&judged_mutants, &netlist);
  assert_equivalent(0, 8, 3); /* stuck at 0, or its input 11 stuck at 1 or inverted: "dead" is 0 */
  assert_equivalent(2, 7, 7); /* stuck, inverted, or one input or its inverse */
  assert_equivalent(3, 6, 1); /* stuck at 0 */
  assert_equivalent(4, 5, 0);
  end();
}

static bool may_try_again;

/* Returns how the prover proves the mutant of a cell with these rows. */
static enum hd_proof proof_of(uint32_t cell, uint8_t rows)
{
  for (uint32_t i = 0; i < judged_mutants.n; i++)
    if (judged_mutants.list[i].cell == cell && judged_mutants.list[i].rows == rows)
      return hd_prover_prove_equivalent(prover, i, &may_try_again, NULL, NULL);
  fail_msg("cell %u has no mutant with rows %u", cell, rows);
  return HD_PROOF_NONE;
}

/* "one" and "two" are never 1 together, so "first" need not look at "two". What "held" takes is seen only while
 * "open" is 1; then "load" let it through. */
TEST(mutants_are_proved_equivalent_by_induction)
{
  static const struct cell cells[] = {
      {"other", "0010", 12, 11, 302},   /* 0: 12 and not 11 */
      {"first", "0010", 300, 303, 304}, /* 1: one and not two */
      {"load", "1000", 13, 11, 305},    /* 2 */
      {"pass", "1000", 306, 307, 308},  /* 3: held and open */
      {"all", "0110", 304, 308, 309},   /* 4 */
      {"clean", "0010", 309, 10, 313},  /* 5: unless reset */
      {"a", "1000", 307, 12, 310},      /* what else "open" is for */
      {"b", "1000", 307, 13, 311},          {"c", "1000", 307, 14, 312},
      {.name = "one", .a = 11, .y = 300},   {.name = "two", .a = 302, .y = 303},
      {.name = "held", .a = 305, .y = 306}, {.name = "open", .a = 11, .y = 307},
      {.name = "out", .a = 313, .y = 9},
  };
  begin_netlist(cells, sizeof cells / sizeof *cells);
  hd_mutants_prove(&judged_mutants, &netlist);
  assert_int_equal(netlist.n_registers, 5);
  begin_proofs();
  for (uint64_t in = 0; in < 16; in++) { /* 11, 12, 13; out */
    const uint64_t one = in & 1, two = (in & 3) == 2, held = (in & 5) == 5;
    hd_prover_add_sample(prover,
                         &(uint64_t){one | two << 1 | held << 2 | one << 3 | (in >> 3) << 4});
  }
  assert_int_equal(hd_prover_learn_invariants(prover, NULL, NULL, NULL), 0);
  assert_int_equal(hd_prover_invariants(prover), 7);
  assert_int_equal(proof_of(1, 8), HD_PROOF_STEP);   /* two stuck at 0 */
  assert_int_equal(proof_of(2, 2), HD_PROOF_UNSEEN); /* 11 stuck at 1 */
  assert_int_equal(proof_of(1, 2), HD_PROOF_NONE);   /* stuck at 0 */
  assert_int_equal(proof_of(2, 8), HD_PROOF_NONE);
  assert_int_equal(proof_of(0, 8), HD_PROOF_NONE); /* 11 stuck at 0: both are 1 */
  end();
}

/* "a", "b" and "c" are never all 1, although any two of them can be. So "first" does not depend on "c". The prover
 * guesses this invariant only when it tries the mutant. */
TEST(invariants_that_a_proof_needs_are_guessed_and_proved)
{
  static const struct cell cells[] = {
      {"first", "0010", 328, 327, 329}, /* 0: a and b, not c */
      {"to_a", "0010", 11, 10, 320},    /* unless reset */
      {"to_b", "0010", 12, 10, 322},    /* unless reset */
      {"both", "1000", 11, 12, 324},    /* 3 */
      {"some", "0010", 13, 324, 325},   /* 4 */
      {"to_c", "0010", 325, 10, 326},   /* unless reset */
      {"pair", "1000", 321, 323, 328},  /* 6: a and b */
      {"clean", "0010", 329, 10, 330},  /* unless reset */
      {.name = "a", .a = 320, .y = 321}, {.name = "b", .a = 322, .y = 323},
      {.name = "c", .a = 326, .y = 327}, {.name = "out", .a = 330, .y = 9},
  };
  begin_netlist(cells, sizeof cells / sizeof *cells);
  assert_int_equal(netlist.n_registers, 4);
  begin_proofs();
  for (uint64_t in = 0; in < 16; in++) /* 11, 12, 13; out */
    hd_prover_add_sample(prover, &(uint64_t){(in & 7) == 7 ? in & ~UINT64_C(4) : in});
  assert_int_equal(hd_prover_learn_invariants(prover, NULL, NULL, NULL), 0);
  assert_int_equal(hd_prover_invariants(prover), 0);
  assert_int_equal(proof_of(0, 2), HD_PROOF_NONE); /* stuck at 0 */
  assert_false(may_try_again);
  assert_int_equal(proof_of(0, 8), HD_PROOF_NONE); /* c stuck at 0 */
  assert_true(may_try_again);
  assert_int_equal(hd_prover_learn_invariants(prover, NULL, NULL, NULL), 0);
  assert_int_equal(hd_prover_invariants(prover), 1);
  assert_int_equal(proof_of(0, 8), HD_PROOF_STEP);
  assert_int_equal(proof_of(0, 2), HD_PROOF_NONE);
  assert_int_equal(proof_of(3, 8), HD_PROOF_NONE); /* all three can be 1 */
  end();
}

/* Like the test before, with four registers, any three of which can have these values together. */
TEST(invariants_over_more_than_three_registers_are_guessed)
{
  static const struct cell cells[] = {
      {"first", "0010", 332, 330, 333}, /* 0: a and b and c, not d */
      {"to_a", "0010", 11, 10, 320},    /* unless reset */
      {"to_b", "0010", 12, 10, 322},     {"to_c", "0010", 13, 10, 324},
      {"two", "1000", 11, 12, 326},      {"three", "1000", 326, 13, 327}, /* 5 */
      {"some", "0010", 14, 327, 328},    {"to_d", "0010", 328, 10, 329},
      {"pair", "1000", 321, 323, 331},   {"all", "1000", 331, 325, 332},
      {"clean", "0010", 333, 10, 334},   {.name = "a", .a = 320, .y = 321},
      {.name = "b", .a = 322, .y = 323}, {.name = "c", .a = 324, .y = 325},
      {.name = "d", .a = 329, .y = 330}, {.name = "out", .a = 334, .y = 9},
  };
  begin_netlist(cells, sizeof cells / sizeof *cells);
  assert_int_equal(netlist.n_registers, 5);
  begin_proofs();
  for (uint64_t in = 0; in < 32; in++) /* 11 to 14; out */
    if ((in & 15) != 15)
      hd_prover_add_sample(prover, &in);
  assert_int_equal(hd_prover_learn_invariants(prover, NULL, NULL, NULL), 0);
  assert_int_equal(proof_of(0, 8), HD_PROOF_NONE); /* d stuck at 0 */
  assert_true(may_try_again);
  assert_int_equal(hd_prover_learn_invariants(prover, NULL, NULL, NULL), 0);
  assert_int_equal(hd_prover_invariants(prover), 1);
  assert_int_equal(proof_of(0, 8), HD_PROOF_STEP);
  assert_int_equal(proof_of(0, 2), HD_PROOF_NONE);
  assert_int_equal(proof_of(5, 8), HD_PROOF_NONE); /* all four can be 1 */
  end();
}

/* Values that did not occur together in the samples but can occur together are no invariant. The prover has not seen
 * "a" and "b" with "c". */
TEST(a_false_invariant_proves_nothing)
{
  static const struct cell cells[] = {
      {"first", "0010", 328, 327, 329},  {"to_a", "0010", 11, 10, 320},
      {"to_b", "0010", 12, 10, 322},     {"to_c", "0010", 13, 10, 326},
      {"pair", "1000", 321, 323, 328},   {"clean", "0010", 329, 10, 330},
      {.name = "a", .a = 320, .y = 321}, {.name = "b", .a = 322, .y = 323},
      {.name = "c", .a = 326, .y = 327}, {.name = "out", .a = 330, .y = 9},
  };
  begin_netlist(cells, sizeof cells / sizeof *cells);
  begin_proofs();
  for (uint64_t in = 0; in < 16; in++)
    if ((in & 7) != 7)
      hd_prover_add_sample(prover, &in);
  assert_int_equal(hd_prover_learn_invariants(prover, NULL, NULL, NULL), 0);
  for (unsigned times = 0; times < 2; times++) {
    assert_int_equal(proof_of(0, 8), HD_PROOF_NONE);
    assert_int_equal(may_try_again, !times); /* it is not guessed again */
    assert_int_equal(hd_prover_learn_invariants(prover, NULL, NULL, NULL), 0);
    assert_int_equal(hd_prover_invariants(prover), 0);
  }
  end();
}
