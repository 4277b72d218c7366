/* The check of proofs accepts lemmas that follow, and finds those that do not.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../sw/schedules/proof.h"
#include "../lib/test.h"

#define UNSATISFIABLE "c all four\np cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"
#define SATISFIABLE "p cnf 2 3\n1 2 0\n1 -2 0\n-1 2 0\n"

static int prove(const char *formula, const char *proof, size_t size,
                 struct hd_proof_result *result, struct hd_error *err)
{
  return hd_proof_check(formula, strlen(formula), (const uint8_t *)proof, size, NULL, NULL, result,
                        err);
}

TEST(valid_proofs_pass_and_wrong_steps_are_found)
{
  struct hd_proof_result result;
  /* a: 1, then all follows */
  must(prove(UNSATISFIABLE, "a\2\0", 3, &result, &why));
  assert_true(result.proved);
  assert_int_equal(result.lemmas, 1);
  /* a deleted clause is missed: without 1 ∨ 2, neither 1 nor the empty clause follows */
  must_fail(prove(UNSATISFIABLE, "d\2\4\0a\2\0", 7, &result, &why), HD_E_TOOL,
            "lemma 1 of the proof does not follow");
  /* nothing follows at once from four clauses of two literals */
  assert_int_equal(prove(UNSATISFIABLE, "a\0", 2, &result, &why), HD_E_TOOL);
  assert_false(result.proved);
  must_fail(prove(UNSATISFIABLE, "", 0, &result, &why), HD_E_TOOL, "without the empty clause");
  /* 1 follows here as well, but 1 and 2 are then a model */
  must_fail(prove(SATISFIABLE, "a\2\0a\0", 5, &result, &why), HD_E_TOOL, "lemma 2");
}

TEST(malformed_formulas_and_proofs_are_refused)
{
  struct hd_proof_result result;
  assert_int_equal(prove("p dnf 1 1\n1 0\n", "a\0", 2, &result, &why), HD_E_INPUT);
  assert_int_equal(prove("p cnf 1 2\n1 0\n", "a\0", 2, &result, &why), HD_E_INPUT);
  assert_int_equal(prove("p cnf 1 1\n2 0\n", "a\0", 2, &result, &why), HD_E_INPUT);
  must_fail(prove("p cnf 88888888 1\n1 0\n", "a\0", 2, &result, &why), HD_E_INPUT,
            "88888888 variables");
  assert_int_equal(prove(UNSATISFIABLE, "x\0", 2, &result, &why), HD_E_INPUT);
  assert_int_equal(prove(UNSATISFIABLE, "a\2", 2, &result, &why), HD_E_INPUT);
  assert_int_equal(prove(UNSATISFIABLE, "a\x10\0", 3, &result, &why), HD_E_INPUT);
  assert_int_equal(prove(UNSATISFIABLE, "a\xff\xff\xff\xff\xff\xff", 7, &result, &why), HD_E_INPUT);
}
