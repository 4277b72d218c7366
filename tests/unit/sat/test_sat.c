/* The SAT solver: its answers are right, its proofs are checked, and limits and stops end it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/sat/sat.h"
#include "../../../bridge/host/text.h"
#include "../../../sw/schedules/proof.h"
#include "../lib/dice.h"
#include "../lib/test.h"

CLEANUP_OF(struct hd_sat, hd_sat_destroy)

enum { MOST_CLAUSES = 1024, MOST_IN_ONE = 10 };

struct formula {
  uint32_t variables, n;
  struct {
    uint32_t n;
    int32_t literals[MOST_IN_ONE];
  } clauses[MOST_CLAUSES];
};

static struct hd_sat *solver_of(const struct formula *f, uint64_t seed, bool proof)
{
  struct hd_sat *sat = hd_sat_create(seed, proof);
  for (uint32_t i = 0; i < f->variables; i++)
    assert_int_equal(hd_sat_variable(sat), i + 1);
  for (uint32_t i = 0; i < f->n; i++)
    hd_sat_clause(sat, f->clauses[i].literals, f->clauses[i].n);
  return sat;
}

static void draw_formula(struct formula *f, uint32_t variables, uint32_t clauses, struct dice *dice)
{
  *f = (struct formula){.variables = variables, .n = clauses};
  for (uint32_t i = 0; i < clauses; i++) {
    f->clauses[i].n = 1 + roll(dice, 6) / 2 + (roll(dice, 4) > 0);
    for (uint32_t k = 0; k < f->clauses[i].n; k++) {
      const int32_t variable = 1 + (int32_t)roll(dice, variables);
      f->clauses[i].literals[k] = roll(dice, 2) ? variable : -variable;
    }
  }
}

static bool is_fulfilled(const struct formula *f, uint32_t assignment)
{
  for (uint32_t i = 0; i < f->n; i++) {
    bool some = false;
    for (uint32_t k = 0; k < f->clauses[i].n; k++) {
      const int32_t l = f->clauses[i].literals[k];
      some |= (assignment >> (abs(l) - 1) & 1) == (l > 0);
    }
    if (!some)
      return false;
  }
  return true;
}

TEST(answers_equal_those_of_trying_all_assignments)
{
  enum { FORMULAS = 3000, VARIABLES = 9 };
  static struct formula f;
  struct dice dice = dice_begin("answers_equal_those_of_trying_all_assignments", "test_sat");
  unsigned answers[2] = {0, 0};
  for (unsigned i = 0; i < FORMULAS; i++) {
    draw_formula(&f, VARIABLES, 8 + roll(&dice, 40), &dice);
    bool possible = false;
    for (uint32_t a = 0; a < 1u << VARIABLES && !possible; a++)
      possible = is_fulfilled(&f, a);
    CLEANUP(hd_sat_destroy_at) struct hd_sat *sat = solver_of(&f, i / 2, i % 2);
    const enum hd_sat_answer answer = hd_sat_solve(sat, 100000, NULL, NULL);
    uint32_t found = 0;
    assert_int_equal(answer, possible ? HD_SAT_YES : HD_SAT_NO);
    for (int32_t v = 1; v <= VARIABLES && possible; v++)
      found |= (uint32_t)hd_sat_true(sat, v) << (v - 1);
    assert_true(!possible || is_fulfilled(&f, found));
    answers[possible]++;
  }
  print_message("%u formulas with an assignment, %u without\n", answers[1], answers[0]);
  assert_true(answers[0] > FORMULAS / 10 && answers[1] > FORMULAS / 10);
}

/* Checks that there is no solution, and that the learnt clauses prove it to another checker. */
static void assert_refuted(const struct formula *f, uint64_t seed, const char *what)
{
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  struct hd_proof_result result;
  CLEANUP(hd_sat_destroy_at) struct hd_sat *sat = solver_of(f, seed, true);
  size_t size;
  assert_int_equal(hd_sat_solve(sat, 0, NULL, NULL), HD_SAT_NO);
  const uint8_t *proof = hd_sat_proof(sat, &size);
  hd_text_add(&text, "p cnf %u %u\n", f->variables, f->n);
  for (uint32_t i = 0; i < f->n; i++) {
    for (uint32_t k = 0; k < f->clauses[i].n; k++)
      hd_text_add(&text, "%d ", f->clauses[i].literals[k]);
    hd_text_add(&text, "0\n");
  }
  if (hd_proof_check(text.chars, text.length, proof, size, NULL, NULL, &result, &why))
    fail_msg("%s: %s", what, why.text);
  assert_true(result.proved && result.lemmas > 0);
  print_message("%s: %llu conflicts, %llu lemmas\n", what,
                (unsigned long long)hd_sat_conflicts(sat), (unsigned long long)result.lemmas);
}

/* Each of n + 1 pigeons has a hole, no two have the same. */
static void draw_pigeons(struct formula *f, int32_t n)
{
  *f = (struct formula){.variables = (uint32_t)(n * (n + 1))};
  for (int32_t p = 0; p <= n; p++) {
    for (int32_t h = 0; h < n; h++)
      f->clauses[f->n].literals[f->clauses[f->n].n++] = p * n + h + 1;
    f->n++;
  }
  for (int32_t h = 0; h < n; h++)
    for (int32_t p = 0; p <= n; p++)
      for (int32_t other = 0; other < p; other++) {
        f->clauses[f->n].n = 2;
        f->clauses[f->n].literals[0] = -(p * n + h + 1);
        f->clauses[f->n++].literals[1] = -(other * n + h + 1);
      }
}

TEST(proofs_of_the_solver_pass_the_proof_checker)
{
  static struct formula f;
  struct dice dice = dice_begin("proofs_of_the_solver_pass_the_proof_checker", "test_sat");
  draw_pigeons(&f, 7);
  assert_refuted(&f, 0, "seven holes");
  assert_refuted(&f, 1, "seven holes, other values first");
  /* Far more clauses of three literals than an assignment can fulfil. */
  f = (struct formula){.variables = 120, .n = 720};
  for (uint32_t i = 0; i < f.n; i++)
    for (f.clauses[i].n = 0; f.clauses[i].n < 3;) {
      const int32_t variable = 1 + (int32_t)roll(&dice, f.variables);
      f.clauses[i].literals[f.clauses[i].n++] = roll(&dice, 2) ? variable : -variable;
    }
  assert_refuted(&f, 2, "three literals");
}

/* The limit counts conflicts, so it does not depend on the machine's speed. */
TEST(the_solver_gives_up_after_the_given_number_of_conflicts)
{
  static struct formula f;
  uint64_t conflicts[2];
  draw_pigeons(&f, 9);
  for (int i = 0; i < 2; i++) {
    CLEANUP(hd_sat_destroy_at) struct hd_sat *sat = solver_of(&f, 3, false);
    assert_int_equal(hd_sat_solve(sat, 50, NULL, NULL), HD_SAT_GAVE_UP);
    conflicts[i] = hd_sat_conflicts(sat);
  }
  assert_int_equal(conflicts[0], conflicts[1]);
  assert_in_range(conflicts[0], 40, 60);
}

static bool stop_at_third(void *context)
{
  return ++*(unsigned *)context >= 3;
}

TEST(the_solver_gives_up_when_it_is_stopped)
{
  static struct formula f;
  unsigned asked = 0;
  draw_pigeons(&f, 9);
  CLEANUP(hd_sat_destroy_at) struct hd_sat *sat = solver_of(&f, 0, false);
  assert_int_equal(hd_sat_solve(sat, 0, stop_at_third, &asked), HD_SAT_GAVE_UP);
  assert_int_equal(asked, 3);
}
