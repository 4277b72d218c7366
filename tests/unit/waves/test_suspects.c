/* A cause lists the signals that differ from the original's. Signals on which others depend come first.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/host/file.h"
#include "../../../bridge/waves/suspects.h"
#include "../lib/test.h"

static const char original[] = "module hd_switch (input wire clk, input wire rst, input wire "
                               "put_i, output reg [3:0] credit_o);\n"
                               "  reg [3:0] credit_q;\n"
                               "  reg next_q; integer i;\n"
                               "  reg [7:0] data_q;\n"
                               "  wire more = put_i && credit_q != 0 && i != 7;\n"
                               "  wire late = next_q ^ more;\n"
                               "  wire low = data_q[0];\n"
                               "  wire tied = 1'b0;\n"
                               "  always @(posedge clk)\n"
                               "    if (rst) begin\n"
                               "      credit_q <= 0;\n"
                               "      next_q <= 0;\n"
                               "    end else begin\n"
                               "      credit_q <= credit_q - more;\n"
                               "      next_q <= late;\n"
                               "    end\n"
                               "  always @(posedge clk) data_q <= data_q + 1;\n"
                               "  always @* credit_o = credit_q;\n"
                               "endmodule\n";

static char directories[2][64];

static int setup(void **state)
{
  (void)state;
  for (unsigned k = 0; k < 2; k++)
    must(hd_directory_temporary("hd-cause", directories[k], sizeof directories[k], &why));
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  return hd_tree_remove(directories[0], NULL) || hd_tree_remove(directories[1], NULL);
}

/* Finds the cause in RTL in which `old` became `new`, where these signals differ. */
static int cause_of(struct hd_suspects *cause, const char *old, const char *new,
                    const struct hd_wave_difference *differences, size_t n)
{
  char text[sizeof original + 100], path[160];
  const char *at = strstr(original, old);
  struct hd_suspect_sources sources;
  assert_non_null(at);
  sprintf(text, "%.*s%s%s", (int)(at - original), original, new, at + strlen(old));
  const char *const texts[] = {text, original};
  for (unsigned k = 0; k < 2; k++) {
    snprintf(path, sizeof path, "%s/hd_switch.v", directories[k]);
    must(hd_file_write(path, texts[k], strlen(texts[k]), &why));
  }
  must(hd_suspect_sources_read(&sources, directories[0], directories[1], &why));
  const struct hd_wave_diff diff = {
      .compared = 20, .differences = (struct hd_wave_difference *)(uintptr_t)differences, .n = n};
  int status = hd_suspects_find(cause, &sources, &diff, 2, 0, &why);
  hd_suspect_sources_free(&sources);
  return status;
}

#define DIFFERENCE(name, at, rtl, orig)                                             \
  {                                                                                 \
    .a = "hd_switch." name, .b = "hd_switch." name, .time = (at), .value_a = (rtl), \
    .value_b = (orig)                                                               \
  }

/* Asserts the sentence about the first suspect. */
static void assert_sentence(const struct hd_suspects *cause, const char *sentence)
{
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  assert_true(cause->n > 0);
  hd_suspect_text(&cause->suspects[0], false, &text);
  assert_string_equal(hd_text_chars(&text), sentence);
}

TEST(registers_are_listed_before_signals_that_follow_from_them)
{
  static const struct hd_wave_difference differences[] = {
      DIFFERENCE("data_q", 0, "00000001", "01000000"), /* arbitrary before the reset */
      DIFFERENCE("low", 0, "1", "0"),
      DIFFERENCE("credit_o", 8, "1111", "0000"),
      DIFFERENCE("credit_q", 8, "1111", "0000"),
      DIFFERENCE("next_q", 8, "1", "0"),
      DIFFERENCE("more", 9, "1", "0")};
  struct hd_suspects cause;
  assert_int_equal(cause_of(&cause, "credit_q - more", "credit_q - 1", differences, 6), 0);
  assert_int_equal(cause.n, 2);
  assert_int_equal(cause.suspects[0].cycle, 4);
  assert_sentence(&cause,
                  "credit_q of hd_switch (hd_switch.v:14) goes below 0: 15, in the original 0");
  /* A signal that is not proved equal to the original's comes first. */
  cause.suspects[1].unproved = true;
  hd_suspects_sort(&cause);
  assert_sentence(
      &cause,
      "next_q of hd_switch (hd_switch.v:15): 1, in the original 0; it was not proved equal to the "
      "original's, either");
  /* The other text equals the original's, so an arbiter's turn comes before a counter. */
  assert_int_equal(cause_of(&cause, "data_q + 1", "data_q + 2", differences, 6), 0);
  assert_sentence(&cause, "next_q of hd_switch (hd_switch.v:15): 1, in the original 0");
}

/* Only what the original resets can keep its value over reset. */
TEST(a_register_without_reset_is_not_said_to_keep_its_value)
{
  static const struct hd_wave_difference differences[] = {
      DIFFERENCE("data_q", 8, "00000001", "01000000")};
  struct hd_suspects cause;
  struct hd_text text = {0};
  assert_int_equal(cause_of(&cause, "data_q + 1", "data_q + 2", differences, 1), 0);
  assert_int_equal(cause.n, 1);
  hd_suspect_text(&cause.suspects[0], false, &text);
  assert_non_null(strstr(hd_text_chars(&text), "): 1, in the original 64"));
  assert_null(strstr(hd_text_chars(&text), "reset"));
  hd_text_fini(&text);
}

TEST(a_wire_is_a_cause_if_none_of_its_inputs_differs)
{
  static const struct hd_wave_difference differences[] = {
      DIFFERENCE("i", 6, "1", "0"), DIFFERENCE("late", 6, "1", "0"),
      DIFFERENCE("more", 6, "1", "0"), DIFFERENCE("credit_q", 8, "0001", "0010")};
  struct hd_suspects cause;
  assert_int_equal(cause_of(&cause, "put_i && credit_q", "put_i || credit_q", differences, 4), 0);
  assert_int_equal(cause.n, 1);
  assert_sentence(&cause, "more of hd_switch (hd_switch.v:5): 1, in the original 0");
}

TEST(a_changed_constant_is_a_cause)
{
  static const struct hd_wave_difference differences[] = {DIFFERENCE("tied", 6, "1", "0")};
  struct hd_suspects cause;
  assert_int_equal(cause_of(&cause, "tied = 1'b0", "tied = 1'b1", differences, 1), 0);
  assert_sentence(&cause, "tied of hd_switch (hd_switch.v:8): 1, in the original 0");
  assert_int_equal(cause_of(&cause, "data_q + 1", "data_q + 2", differences, 1), HD_E_NOTHING);
}

TEST(registers_that_keep_their_value_over_reset_are_named)
{
  static const struct hd_wave_difference differences[] = {DIFFERENCE("late", 0, "1", "0"),
                                                          DIFFERENCE("next_q", 0, "1", "0")};
  struct hd_suspects cause;
  assert_int_equal(cause_of(&cause, "      next_q <= 0;\n", "", differences, 2), 0);
  assert_int_equal(cause.n, 1);
  assert_sentence(
      &cause,
      "next_q of hd_switch (hd_switch.v:14) keeps its value over reset: 1, in the original 0");
}

TEST(registers_that_are_reset_to_another_value_are_named)
{
  static const struct hd_wave_difference differences[] = {DIFFERENCE("next_q", 0, "1", "0")};
  struct hd_suspects cause;
  assert_int_equal(cause_of(&cause, "next_q <= 0;", "next_q <= 1;", differences, 1), 0);
  assert_sentence(&cause,
                  "next_q of hd_switch (hd_switch.v:12) is 1 after reset, in the original 0");
  assert_int_equal(cause_of(&cause, "data_q + 1", "data_q + 2", differences, 1), 0);
  assert_sentence(&cause,
                  "next_q of hd_switch (hd_switch.v:12) is 1 after reset, in the original 0");
}

TEST(differences_without_a_changed_assignment_give_no_cause)
{
  static const struct hd_wave_difference differences[] = {
      DIFFERENCE("data_q", 0, "00000001", "01000000"), DIFFERENCE("low", 4, "1", "0")};
  struct hd_suspects cause;
  assert_int_equal(cause_of(&cause, "data_q + 1", "data_q + 2", differences, 2), HD_E_NOTHING);
  assert_int_equal(cause.n, 0);
}

int main(void)
{
  return tests_run(setup, teardown);
}
