/* Several boards: each holds some of a fabric's switches, and they play at the same time.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The boards are soft_board.h's. HD_SEED=n replays a seed.
 */
#include "../lib/dice.h"
#include "../lib/switch_set.h"
#include "../lib/soft_board.h"
#include "../lib/test.h"
#include "../../../bridge/check/streams/stream_replay.h"

static const struct hd_switch_params params =
    SWITCH_SET(5, 2, 16, 4, 16, 1, 1, 0, 0, 0, 0, 0, 0, 0);
enum { BOARDS = 3, SWITCHES = 4, CYCLES = 300 };
static const uint32_t switches_held[BOARDS] = {2, 1, 2}; /* the last one has a switch too many */

static void boards_begin(struct soft_board *boards, uint64_t seed, char *devices, size_t size)
{
  size_t n = 0;
  for (uint32_t i = 0; i < BOARDS; i++) {
    if (!boards[i].params.ports)
      boards[i].params = params;
    boards[i].switches = switches_held[i];
    boards[i].rnd = seed + i;
    soft_begin(&boards[i]);
    n += (size_t)snprintf(devices + n, size - n, "%s%s", i ? "+" : "", boards[i].path);
  }
  snprintf(devices + n, size - n, ",baud=3000000,any-build,patience=60000");
}

static void boards_end(struct soft_board *boards)
{
  for (uint32_t i = 0; i < BOARDS; i++)
    soft_end(&boards[i]);
}

/* Outcome of a fabric of four switches. */
struct outcome {
  int status;
  struct hd_error err;
  uint32_t compared;
  char differences[SWITCHES][512];
};

/* All windows in one call, each of the whole stream. */
static struct outcome play(const char *options, bool told, uint64_t seed)
{
  const struct hd_dut_ops *ops = hd_dut_board_backend();
  struct outcome o = {.status = 0};
  struct stream s[SWITCHES] = {0};
  struct answer a[SWITCHES] = {0};
  struct stream_expected x[SWITCHES] = {0};
  struct hd_dut_job jobs[SWITCHES] = {0};
  struct hd_dut *dut = NULL;
  struct stream_style style = {.load = 200};
  for (uint32_t i = 0; i < SWITCHES; i++) {
    if (hd_stream_make(&s[i], &params, CYCLES, &style, seed * 10 + i, &o.err))
      fail_msg("%s", o.err.text);
    hd_answer_init(&a[i], &s[i]);
  }
  o.status = ops->create(&dut, &params, SWITCHES, options, &o.err);
  for (uint32_t i = 0; i < SWITCHES && !o.status; i++)
    o.status = hd_stream_configure(&s[i], ops, dut, i, &o.err);
  if (!o.status)
    o.status = ops->reset(dut, &o.err);
  for (uint32_t k = 0; k < SWITCHES; k++) {
    uint32_t i = SWITCHES - 1 - k; /* in whatever order */
    hd_stream_expect(&s[i], 0, CYCLES, &x[i]);
    jobs[k] = (struct hd_dut_job){.sw = i,
                                  .cycles = CYCLES,
                                  .flits_in = s[i].flits_in,
                                  .credits_in = s[i].credits_in,
                                  .configs_in = s[i].configs_in,
                                  .n_flits_in = s[i].n_flits_in,
                                  .n_credits_in = s[i].n_credits_in,
                                  .n_configs_in = s[i].n_configs_in,
                                  .flits_out = a[i].flits,
                                  .credits_out = a[i].credits,
                                  .toggles = a[i].toggles,
                                  .cap_flits_out = CYCLES * params.ports,
                                  .cap_credits_out = CYCLES * params.ports,
                                  .cap_toggles = CYCLES,
                                  .expected = told ? &x[i].expected : NULL};
  }
  if (!o.status)
    o.status = ops->run(dut, jobs, SWITCHES, &o.err);
  for (uint32_t k = 0; k < SWITCHES && !o.status; k++) {
    uint32_t i = jobs[k].sw;
    assert_int_equal(i, SWITCHES - 1 - k);
    a[i].n_flits = jobs[k].n_flits_out;
    a[i].n_credits = jobs[k].n_credits_out;
    a[i].n_toggles = jobs[k].n_toggles;
    a[i].quiescent = jobs[k].quiescent;
    o.compared +=
        hd_stream_compare(&s[i], &a[i], 0, CYCLES, o.differences[i], sizeof *o.differences);
  }
  if (dut)
    ops->destroy(dut);
  for (uint32_t i = 0; i < SWITCHES; i++) {
    hd_stream_expected_fini(&x[i]);
    hd_answer_fini(&a[i]);
    hd_stream_fini(&s[i]);
  }
  return o;
}

TEST(several_boards_hold_the_switches_of_one_fabric)
{
  uint64_t from = first_seed();
  uint32_t compared = 0;
  for (uint64_t seed = from; seed < from + n_streams(6); seed++) {
    struct soft_board boards[BOARDS] = {0};
    char options[300];
    boards_begin(boards, seed, options, sizeof options);
    struct outcome o = play(options, seed % 2, seed);
    boards_end(boards);
    for (uint32_t i = 0; i < SWITCHES; i++)
      if (o.status || *o.differences[i])
        fail_msg("seed %" PRIu64 " (HD_SEED=%" PRIu64 " replays), switch %u: %s%s", seed, seed, i,
                 o.status ? o.err.text : "", o.differences[i]);
    for (uint32_t i = 0; i < BOARDS; i++)
      assert_true(boards[i].carried_out > 5);
    assert_true(o.compared > 100);
    compared += o.compared;
  }
  print_message("seed %" PRIu64 ": %u events compared\n", from, compared);
  assert_true(one_seed() || compared > 1000);
}

/* Switch 3 of the fabric is switch 0 of the third board. */
TEST(a_difference_on_the_third_board_names_the_switch_of_the_fabric)
{
  struct soft_board boards[BOARDS] = {{.lie_cycle = 0}, {.lie_cycle = 0}, {.lie_switch = 0}};
  char options[300];
  boards[2].lie_cycle = 100;
  boards_begin(boards, first_seed(), options, sizeof options);
  struct outcome o = play(options, true, first_seed());
  boards_end(boards);
  assert_int_equal(o.status, 0);
  for (uint32_t i = 0; i < SWITCHES; i++)
    assert_int_equal(*o.differences[i] != '\0', i == 3);
}

TEST(an_error_names_the_board)
{
  struct soft_board boards[BOARDS] = {{.missigns = false}, {.missigns = true}, {.missigns = false}};
  char options[300];
  boards_begin(boards, 1, options, sizeof options);
  struct outcome o = play(options, true, 1);
  boards_end(boards);
  assert_int_equal(o.status, HD_E_IO);
  if (!strstr(o.err.text, boards[1].path) || strstr(o.err.text, boards[0].path))
    fail_msg("says: %s", o.err.text);
}

TEST(too_few_switches_are_refused)
{
  struct soft_board boards[BOARDS] = {0};
  struct hd_dut *dut = NULL;
  char options[300];
  boards_begin(boards, 1, options, sizeof options);
  assert_int_equal(hd_dut_board_backend()->create(&dut, &params, 6, options, &why), HD_E_INPUT);
  boards_end(boards);
  if (!strstr(why.text, "has 6 switches") || !strstr(why.text, "hold 5"))
    fail_msg("says: %s", why.text);
}

/* The host has asked the other boards only for their description. */
TEST(a_wrong_board_is_refused_before_any_board_plays)
{
  struct soft_board boards[BOARDS] = {0};
  struct hd_dut *dut = NULL;
  char options[300];
  boards[2].params = params;
  boards[2].params.depth_flits++;
  boards_begin(boards, 1, options, sizeof options);
  assert_int_equal(hd_dut_board_backend()->create(&dut, &params, 4, options, &why), HD_E_INPUT);
  boards_end(boards);
  if (!strstr(why.text, boards[2].path) ||
      !strstr(why.text, "switch.depth_flits is 5, needed is 4"))
    fail_msg("says: %s", why.text);
  assert_true(boards[2].carried_out > 5);
  assert_int_equal(boards[0].carried_out, boards[2].carried_out);
  assert_int_equal(boards[1].carried_out, boards[2].carried_out);
}
