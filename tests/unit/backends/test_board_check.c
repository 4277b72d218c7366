/* The first steps of bring-up report what they found, and what is wrong with a broken board.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The board is soft_board.h's.
 */
#include "../../../bridge/backends/board/board_check.h"
#include "../lib/switch_set.h"
#include "../lib/soft_board.h"
#include "../lib/test.h"

static const struct hd_switch_params narrow = SWITCH_SET(2, 1, 16, 2, 4, 1, 1, 0, 0, 0, 0, 0, 0, 0);
static const struct hd_switch_params usual = SWITCH_SET(5, 2, 16, 4, 16, 1, 1, 0, 0, 0, 0, 1, 3, 6);
static const struct hd_switch_params wide = SWITCH_SET(4, 3, 64, 5, 20, 2, 2, 1, 2, 1, 0, 0, 0, 0);

static struct hd_board_check check_of_board(const struct soft_board *b)
{
  return (struct hd_board_check){.device = b->path,
                                 .baud = 3000000,
                                 .seed = 1,
                                 .echoes = 5,
                                 .link = {.line.fd = -1, .patience_ms = 60000}};
}

TEST(a_sound_board_passes_every_step_of_the_board_check)
{
  static int (*const rungs[])(struct hd_board_check * check, struct hd_error * err) = {
      hd_board_check_link, hd_board_check_echo, hd_board_check_registers, hd_board_check_memory,
      hd_board_check_signatures};
  static const struct hd_switch_params *const params[] = {&narrow, &usual, &wide};
  for (size_t i = 0; i < sizeof params / sizeof *params; i++) {
    CLEANUP(soft_end) struct soft_board b = {.params = *params[i], .switches = 2, .rnd = 1};
    struct hd_error err = {.text = ""};
    soft_begin(&b);
    CLEANUP(hd_board_check_fini) struct hd_board_check check = check_of_board(&b);
    for (size_t k = 0; k < sizeof rungs / sizeof *rungs; k++) {
      if (rungs[k](&check, &err))
        fail_msg("%u ports, rung %zu: %s", params[i]->ports, k, err.text);
      assert_true(check.found[0] != 0);
    }
    assert_memory_equal(&check.params, params[i], sizeof check.params);
  }
}

/* The report names the register that was wrong in the first attempt, not in later ones. */
TEST(a_wrong_register_is_named)
{
  static const struct {
    uint32_t reg;
    uint16_t value;
    const char *expected_message;
  } cases[] = {{0, 0, "register ID of switch 0 reads 0x0000, not 0x4844"},
               {2, 3 | 2 << 5 | 4 << 9, "name 3 ports, its answers have signatures of 5"},
               {2, 5 | 9 << 5 | 4 << 9, "describe an impossible switch: "}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct soft_board b = {.params = usual,
                           .switches = 1,
                           .rnd = 1,
                           .wrong = true,
                           .wrong_register = cases[i].reg,
                           .wrong_value = cases[i].value};
    struct hd_error err = {.text = ""};
    soft_begin(&b);
    CLEANUP(hd_board_check_fini) struct hd_board_check check = check_of_board(&b);
    assert_int_equal(hd_board_check_link(&check, &err), 0);
    assert_int_equal(hd_board_check_registers(&check, &err), HD_E_IO);
    soft_end(&b);
    if (!strstr(err.text, cases[i].expected_message))
      fail_msg("says: %s", err.text);
  }
}

TEST(a_broken_signature_unit_is_named)
{
  static const struct soft_board boards[] = {
      {.missigns = true}, {.misrecords = true}, {.missigns = true, .missigns_above = 100}};
  for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
    struct soft_board b = boards[i];
    struct hd_error err = {.text = ""};
    b.params = usual;
    b.switches = 2;
    b.rnd = 1;
    soft_begin(&b);
    CLEANUP(hd_board_check_fini) struct hd_board_check check = check_of_board(&b);
    int status = hd_board_check_link(&check, &err);
    status = status ? status : hd_board_check_registers(&check, &err);
    if (status)
      fail_msg("%s", err.text);
    assert_int_equal(hd_board_check_signatures(&check, &err), HD_E_IO);
    soft_end(&b);
    if (!strstr(err.text, "its signature unit"))
      fail_msg("board %zu says: %s", i, err.text);
  }
}

/* The check waits for the line once, and not once for each possible number of ports. */
TEST(a_line_that_dies_between_two_steps_is_waited_for_once)
{
  CLEANUP(soft_end) struct soft_board b = {.params = usual, .switches = 1, .rnd = 1};
  soft_begin(&b);
  CLEANUP(hd_board_check_fini) struct hd_board_check check = check_of_board(&b);
  must(hd_board_check_link(&check, &why));
  check.link.tries = 2;
  check.link.patience_ms = 50;
  const uint64_t before = check.link.resent;
  b.stop = true;
  pthread_join(b.thread, NULL);
  assert_int_equal(hd_board_check_registers(&check, &why), HD_E_IO);
  assert_int_equal(check.link.resent - before, 1);
  assert_non_null(strstr(why.text, "no answer from a board"));
  assert_non_null(strstr(why.text, "it has answered before"));
  pthread_create(&b.thread, NULL, soft_play, &b);
}
