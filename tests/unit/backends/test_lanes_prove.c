/* Mutants of netlists of a few cells: which are proved equivalent, and which are not.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../../bridge/backends/lanes/lanes_netlist.h"
#include "../../../bridge/backends/lanes/lanes_prove.h"
#include "../lib/lanes_fixture.h"

#include <stdlib.h>
#include <string.h>

static struct hd_mutants proved;

/* How many mutants of a cell there are, and of how many it is proved that nobody tells them. */
static void proves(uint32_t cell, unsigned mutants, unsigned equivalent)
{
  unsigned n = 0, same = 0;
  for (uint32_t i = 0; i < proved.n; i++) {
    n += proved.list[i].cell == cell;
    same += proved.list[i].cell == cell && proved.list[i].equivalent;
  }
  if (n != mutants || same != equivalent)
    fail_msg("cell %u: %u mutants, %u equivalent; not %u, %u", cell, n, same, mutants, equivalent);
}

/* Net 9 is every output and flip-flop "out"; 10 is rst, 11 and 12 are inputs. "dead" is 0 after a reset and for
 * ever, so "gate" is 0, and nobody sees "hidden", which it would let through. */
static void unreachable_mutants_are_proved(void **state)
{
  (void)state;
  struct hd_netlist netlist;
  struct hd_error err = {.text = ""};
  /* Inputs come in the order of lanes_netlist: rst is 10, the next ones are 11 and 12. Tables, by B and A: 1000 and, 0110
   * exclusive or, 0010 A and not B. */
  char *json =
      lanes_netlist(LANES_TABLE("keep", "1000", "300", "11", "301") ","  /* 0: dead and 11 */
                    LANES_TABLE("clear", "0010", "301", "10", "302") "," /* 1: unless reset */
                    LANES_TABLE("hidden", "0110", "11", "12", "303") "," /* 2 */
                    LANES_TABLE("gate", "1000", "303", "300", "304") "," /* 3: hidden and dead */
                    LANES_TABLE("shown", "0110", "304", "12", "305") "," /* 4: gate xor 12 */
                    LANES_TABLE("clean", "0010", "305", "10", "306") "," /* 5: unless reset */
                    LANES_TAKES("dead", "302", "300") "," LANES_TAKES("out", "306", "9"));
  assert_int_equal(hd_netlist_read(&netlist, &lanes_few, json, strlen(json), "there", &err), 0);
  assert_int_equal(hd_mutants_find(&proved, &netlist, &err), 0);
  assert_int_equal(hd_mutants_prove(&proved, &netlist, &err), 0);
  proves(0, 8, 3); /* stuck at 0, or its input 11 stuck at 1 or inverted: "dead" is 0 */
  proves(2, 7, 7); /* stuck, inverted, or one input or its inverse */
  proves(3, 6, 1); /* stuck at 0 */
  proves(4, 5, 0);
  hd_mutants_fini(&proved);
  hd_netlist_fini(&netlist);
  free(json);
}

static bool try_again;

/* How the prover proves the mutant of a cell whose rows these are. */
static enum hd_proof proof_of(struct hd_prover *prover, uint32_t cell, uint8_t rows)
{
  for (uint32_t i = 0; i < proved.n; i++)
    if (proved.list[i].cell == cell && proved.list[i].rows == rows)
      return hd_prover_try(prover, i, &try_again, NULL, NULL);
  fail_msg("cell %u has no mutant with rows %u", cell, rows);
  return HD_PROOF_NONE;
}

/* "one" and "two" are never 1 together, so "first" need not look at "two". What "held" takes is seen only while
 * "open" is 1; then "load" let it through. */
static void mutants_are_proved_by_induction(void **state)
{
  (void)state;
  struct hd_netlist netlist;
  struct hd_prover *prover;
  struct hd_error err = {.text = ""};
  char *json = lanes_netlist(
      LANES_TABLE("other", "0010", "12", "11", "302") ","   /* 0: 12 and not 11 */
      LANES_TABLE("first", "0010", "300", "303", "304") "," /* 1: one and not two */
      LANES_TABLE("load", "1000", "13", "11", "305") ","    /* 2 */
      LANES_TABLE("pass", "1000", "306", "307", "308") ","  /* 3: held and open */
      LANES_TABLE("all", "0110", "304", "308", "309") ","   /* 4 */
      LANES_TABLE("clean", "0010", "309", "10", "313") ","  /* 5: unless reset */
      LANES_TABLE("a", "1000", "307", "12", "310") ","      /* what else "open" is for */
      LANES_TABLE("b", "1000", "307", "13", "311") "," LANES_TABLE("c", "1000", "307", "14", "312") "," LANES_TAKES(
          "one", "11",
          "300") "," LANES_TAKES("two", "302",
                                 "303") "," LANES_TAKES("held", "305",
                                                        "306") "," LANES_TAKES("open", "11",
                                                                               "307") "," LANES_TAKES("out",
                                                                                                      "313",
                                                                                                      "9"));
  assert_int_equal(hd_netlist_read(&netlist, &lanes_few, json, strlen(json), "there", &err), 0);
  assert_int_equal(hd_mutants_find(&proved, &netlist, &err), 0);
  assert_int_equal(hd_mutants_prove(&proved, &netlist, &err), 0);
  assert_int_equal(netlist.n_registers, 5);
  assert_int_equal(hd_prover_create(&prover, &lanes_few, &netlist, &proved, &err), 0);
  for (uint64_t in = 0; in < 16; in++) { /* 11, 12, 13; out */
    const uint64_t one = in & 1, two = (in & 3) == 2, held = (in & 5) == 5;
    hd_prover_see(prover, &(uint64_t){one | two << 1 | held << 2 | one << 3 | (in >> 3) << 4});
  }
  assert_int_equal(hd_prover_learn(prover, NULL, NULL, &err), 0);
  assert_int_equal(hd_prover_invariants(prover), 7);
  assert_int_equal(proof_of(prover, 1, 8), HD_PROOF_STEP);   /* two stuck at 0 */
  assert_int_equal(proof_of(prover, 2, 2), HD_PROOF_UNSEEN); /* 11 stuck at 1 */
  assert_int_equal(proof_of(prover, 1, 2), HD_PROOF_NONE);   /* stuck at 0 */
  assert_int_equal(proof_of(prover, 2, 8), HD_PROOF_NONE);
  assert_int_equal(proof_of(prover, 0, 8), HD_PROOF_NONE); /* 11 stuck at 0: both are 1 */
  hd_prover_destroy(prover);
  hd_mutants_fini(&proved);
  hd_netlist_fini(&netlist);
  free(json);
}

/* "a", "b" and "c" are never 1 together, though each two are: "first" need not look at "c". Nobody guesses that before the
 * mutant is tried. */
static void what_a_proof_needs_is_guessed_and_proved(void **state)
{
  (void)state;
  struct hd_netlist netlist;
  struct hd_prover *prover;
  struct hd_error err = {.text = ""};
  char *json = lanes_netlist(
      LANES_TABLE("first", "0010", "328", "327", "329") "," /* 0: a and b, not c */
      LANES_TABLE("to_a", "0010", "11", "10", "320") ","    /* unless reset */
      LANES_TABLE("to_b", "0010", "12", "10", "322") ","    /* unless reset */
      LANES_TABLE("both", "1000", "11", "12", "324") ","    /* 3 */
      LANES_TABLE("some", "0010", "13", "324", "325") ","   /* 4 */
      LANES_TABLE("to_c", "0010", "325", "10", "326") ","   /* unless reset */
      LANES_TABLE("pair", "1000", "321", "323", "328") ","  /* 6: a and b */
      LANES_TABLE("clean", "0010", "329", "10", "330") ","  /* unless reset */
      LANES_TAKES("a", "320", "321") "," LANES_TAKES("b", "322", "323") "," LANES_TAKES(
          "c", "326", "327") "," LANES_TAKES("out", "330", "9"));
  assert_int_equal(hd_netlist_read(&netlist, &lanes_few, json, strlen(json), "there", &err), 0);
  assert_int_equal(hd_mutants_find(&proved, &netlist, &err), 0);
  assert_int_equal(netlist.n_registers, 4);
  assert_int_equal(hd_prover_create(&prover, &lanes_few, &netlist, &proved, &err), 0);
  for (uint64_t in = 0; in < 16; in++) /* 11, 12, 13; out */
    hd_prover_see(prover, &(uint64_t){(in & 7) == 7 ? in & ~UINT64_C(4) : in});
  assert_int_equal(hd_prover_learn(prover, NULL, NULL, &err), 0);
  assert_int_equal(hd_prover_invariants(prover), 0);
  assert_int_equal(proof_of(prover, 0, 2), HD_PROOF_NONE); /* stuck at 0 */
  assert_false(try_again);
  assert_int_equal(proof_of(prover, 0, 8), HD_PROOF_NONE); /* c stuck at 0 */
  assert_true(try_again);
  assert_int_equal(hd_prover_learn(prover, NULL, NULL, &err), 0);
  assert_int_equal(hd_prover_invariants(prover), 1);
  assert_int_equal(proof_of(prover, 0, 8), HD_PROOF_STEP);
  assert_int_equal(proof_of(prover, 0, 2), HD_PROOF_NONE);
  assert_int_equal(proof_of(prover, 3, 8), HD_PROOF_NONE); /* all three can be 1 */
  hd_prover_destroy(prover);
  hd_mutants_fini(&proved);
  hd_netlist_fini(&netlist);
  free(json);
}

/* As before, with four of which each three come together. */
static void more_than_three_are_guessed(void **state)
{
  (void)state;
  struct hd_netlist netlist;
  struct hd_prover *prover;
  struct hd_error err = {.text = ""};
  /* clang-format off */
  char *json = lanes_netlist(
      LANES_TABLE("first", "0010", "332", "330", "333") "," /* 0: a and b and c, not d */
      LANES_TABLE("to_a", "0010", "11", "10", "320") "," /* unless reset */
      LANES_TABLE("to_b", "0010", "12", "10", "322") ","
      LANES_TABLE("to_c", "0010", "13", "10", "324") ","
      LANES_TABLE("two", "1000", "11", "12", "326") ","
      LANES_TABLE("three", "1000", "326", "13", "327") "," /* 5 */
      LANES_TABLE("some", "0010", "14", "327", "328") ","
      LANES_TABLE("to_d", "0010", "328", "10", "329") ","
      LANES_TABLE("pair", "1000", "321", "323", "331") ","
      LANES_TABLE("all", "1000", "331", "325", "332") ","
      LANES_TABLE("clean", "0010", "333", "10", "334") ","
      LANES_TAKES("a", "320", "321") "," LANES_TAKES("b", "322", "323") "," LANES_TAKES("c", "324", "325") ","
      LANES_TAKES("d", "329", "330") "," LANES_TAKES("out", "334", "9"));
  /* clang-format on */
  assert_int_equal(hd_netlist_read(&netlist, &lanes_few, json, strlen(json), "there", &err), 0);
  assert_int_equal(hd_mutants_find(&proved, &netlist, &err), 0);
  assert_int_equal(netlist.n_registers, 5);
  assert_int_equal(hd_prover_create(&prover, &lanes_few, &netlist, &proved, &err), 0);
  for (uint64_t in = 0; in < 32; in++) /* 11 to 14; out */
    if ((in & 15) != 15)
      hd_prover_see(prover, &in);
  assert_int_equal(hd_prover_learn(prover, NULL, NULL, &err), 0);
  assert_int_equal(proof_of(prover, 0, 8), HD_PROOF_NONE); /* d stuck at 0 */
  assert_true(try_again);
  assert_int_equal(hd_prover_learn(prover, NULL, NULL, &err), 0);
  assert_int_equal(hd_prover_invariants(prover), 1);
  assert_int_equal(proof_of(prover, 0, 8), HD_PROOF_STEP);
  assert_int_equal(proof_of(prover, 0, 2), HD_PROOF_NONE);
  assert_int_equal(proof_of(prover, 5, 8), HD_PROOF_NONE); /* all four can be 1 */
  hd_prover_destroy(prover);
  hd_mutants_fini(&proved);
  hd_netlist_fini(&netlist);
  free(json);
}

/* What was never seen and comes all the same is no invariant: nobody has shown the prover "a" and "b" with "c". */
static void a_guess_that_is_false_proves_nothing(void **state)
{
  (void)state;
  struct hd_netlist netlist;
  struct hd_prover *prover;
  struct hd_error err = {.text = ""};
  char *json = lanes_netlist(
      LANES_TABLE("first", "0010", "328", "327", "329") "," LANES_TABLE("to_a", "0010", "11", "10", "320") "," LANES_TABLE("to_b", "0010", "12", "10", "322") "," LANES_TABLE(
          "to_c", "0010", "13", "10",
          "326") "," LANES_TABLE("pair", "1000", "321", "323",
                                 "328") "," LANES_TABLE("clean", "0010", "329", "10",
                                                        "330") "," LANES_TAKES("a", "320",
                                                                               "321") "," LANES_TAKES("b",
                                                                                                      "32"
                                                                                                      "2",
                                                                                                      "32"
                                                                                                      "3") "," LANES_TAKES("c",
                                                                                                                           "326",
                                                                                                                           "327") "," LANES_TAKES("out",
                                                                                                                                                  "330",
                                                                                                                                                  "9"));
  assert_int_equal(hd_netlist_read(&netlist, &lanes_few, json, strlen(json), "there", &err), 0);
  assert_int_equal(hd_mutants_find(&proved, &netlist, &err), 0);
  assert_int_equal(hd_prover_create(&prover, &lanes_few, &netlist, &proved, &err), 0);
  for (uint64_t in = 0; in < 16; in++)
    if ((in & 7) != 7)
      hd_prover_see(prover, &in);
  assert_int_equal(hd_prover_learn(prover, NULL, NULL, &err), 0);
  for (unsigned times = 0; times < 2; times++) {
    assert_int_equal(proof_of(prover, 0, 8), HD_PROOF_NONE);
    assert_int_equal(try_again, !times); /* it is not guessed again */
    assert_int_equal(hd_prover_learn(prover, NULL, NULL, &err), 0);
    assert_int_equal(hd_prover_invariants(prover), 0);
  }
  hd_prover_destroy(prover);
  hd_mutants_fini(&proved);
  hd_netlist_fini(&netlist);
  free(json);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unreachable_mutants_are_proved),
      cmocka_unit_test(mutants_are_proved_by_induction),
      cmocka_unit_test(what_a_proof_needs_is_guessed_and_proved),
      cmocka_unit_test(more_than_three_are_guessed),
      cmocka_unit_test(a_guess_that_is_false_proves_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
