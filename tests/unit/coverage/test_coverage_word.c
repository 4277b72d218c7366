/* A run's coverage written as a word (bridge/coverage/coverage_word.c) is read back unchanged, or refused.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/coverage/coverage_set.h"
#include "../lib/test.h"

static void make_run(struct hd_coverage_set *run, unsigned seed)
{
  *run = (struct hd_coverage_set){.runs = 1};
  for (unsigned i = 0; i < HD_POINTS; i++) {
    run->reachable[i] = (i * 7 + seed) % 3 != 0;
    run->count[i] = run->reachable[i] && (i + seed) % 4 ? ((uint64_t)i << (i % 40)) + seed : 0;
  }
}

TEST(a_coverage_word_is_read_back_as_the_same_counts)
{
  struct hd_coverage_set sum = {0}, expected = {0};
  for (unsigned seed = 0; seed < 5; seed++) {
    struct hd_coverage_set run;
    CLEANUP(hd_text_fini) struct hd_text word = {0};
    make_run(&run, seed);
    hd_coverage_word(&run, &word);
    assert_null(strpbrk(hd_text_chars(&word), " \t\n\""));
    assert_true(hd_coverage_add_word(&sum, hd_text_chars(&word)));
    hd_coverage_merge(&expected, &run);
  }
  assert_memory_equal(sum.count, expected.count, sizeof sum.count);
  assert_memory_equal(sum.reachable, expected.reachable, sizeof sum.reachable);
  assert_int_equal(sum.runs, 5);
}

/* A word that was cut or has one changed character is refused, or has other counts. It never damages earlier counts.
 */
TEST(a_damaged_coverage_word_adds_no_counts)
{
  struct hd_coverage_set run, none = {0}, sum = {0};
  CLEANUP(hd_text_fini) struct hd_text word = {0};
  make_run(&run, 1);
  hd_coverage_word(&run, &word);
  size_t refused = 0;
  for (size_t i = 0; i < word.length; i++) {
    CLEANUP(free_at) char *cut = strndup(word.chars, i);
    assert_false(hd_coverage_add_word(&sum, cut));
    char kept = word.chars[i];
    word.chars[i] = 'x';
    assert_false(hd_coverage_add_word(&sum, word.chars));
    word.chars[i] = kept;
    refused += 2;
  }
  printf("%zu words refused\n", refused);
  assert_memory_equal(&sum, &none, sizeof sum);
  hd_text_add(&word, "0,");
  assert_false(hd_coverage_add_word(&sum, word.chars));
}
