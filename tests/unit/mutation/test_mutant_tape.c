/* Tapes that mutants play: values at the pins in each step, and what is compared.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/mutation/mutant_tape.h"
#include "../lib/lanes_fixture.h"
#include "../lib/test.h"

static bool has_input(const struct hd_mutant_tape *tape, const struct hd_lane_step *step,
                      uint32_t pin)
{
  for (uint32_t i = 0; i < step->n_inputs; i++)
    if (tape->pins[step->pins + i] == pin)
      return true;
  return false;
}

/* Pins from `first` on that the step has. */
static uint64_t inputs_from(const struct hd_mutant_tape *tape, const struct hd_lane_step *step,
                            uint32_t first, uint32_t n)
{
  uint64_t bits = 0;
  for (uint32_t i = 0; i < n; i++)
    bits |= (uint64_t)has_input(tape, step, first + i) << i;
  return bits;
}

/* A flit at port 1 in cycle 0, then none. With noise, pins that carry nothing have random values. */
TEST(noise_is_put_only_on_pins_that_carry_nothing)
{
  const struct hd_flit_event flit = {.cycle = 0, .port = 1, .kind = HD_KIND_SINGLE, .data = 5};
  const struct hd_dut_job job = {.cycles = 40, .flits_in = &flit, .n_flits_in = 1};
  for (unsigned noisy = 0; noisy < 2; noisy++) {
    struct hd_mutant_tape *tape = hd_mutant_tape_create(&lanes_whole);
    assert_non_null(tape);
    const struct hd_lane_pins *at = &tape->layout;
    uint64_t data = 0, kinds = 0, counts = 0, addr = 0;
    if (noisy)
      hd_mutant_tape_noise(tape, 7);
    hd_mutant_tape_reset(tape);
    must(hd_mutant_tape_job(tape, &job, &why));
    assert_int_equal(tape->n_steps, 1 + job.cycles);
    assert_int_equal(tape->inverted, noisy);
    assert_int_equal(tape->steps[0].flags, HD_STEP_COMPARE | (noisy ? HD_STEP_TAKEN : 0));
    for (uint32_t i = 1; i < tape->n_steps; i++) {
      const struct hd_lane_step *step = &tape->steps[i];
      for (uint32_t port = 0; port < lanes_whole.ports; port++) {
        const bool some = i == 1 && port == 1;
        assert_int_equal(has_input(tape, step, port * at->flit + HD_LANE_VALID), some);
        if (some)
          assert_int_equal(
              inputs_from(tape, step, port * at->flit + at->data, lanes_whole.data_bits), 5);
        else
          data |= inputs_from(tape, step, port * at->flit + at->data, lanes_whole.data_bits);
        const uint64_t count =
            inputs_from(tape, step, at->count + port * HD_COUNT_BITS, HD_COUNT_BITS);
        assert_true(!(count & HD_COUNT_SHOWN));
        counts |= count;
        kinds |= some ? 0 : inputs_from(tape, step, port * at->flit + HD_LANE_KIND, 3);
      }
      addr |= inputs_from(tape, step, at->addr, HD_LANE_ADDR);
      assert_int_equal(inputs_from(tape, step, at->credit, at->count - at->credit), 0);
      assert_false(has_input(tape, step, at->write) || has_input(tape, step, at->read));
      assert_int_equal(step->flags, HD_STEP_COMPARE | (noisy ? HD_STEP_KEPT : 0));
    }
    const uint64_t all =
        lanes_whole.data_bits == 64 ? UINT64_MAX : (UINT64_C(1) << lanes_whole.data_bits) - 1;
    assert_true(data == (noisy ? all : 0) && kinds == (noisy ? 7 : 0));
    assert_int_equal(counts, noisy ? HD_COUNT_MOST : 0);
    assert_true(addr == (noisy ? (1u << HD_LANE_ADDR) - 1 : 0));
    hd_mutant_tape_destroy(tape);
  }
}

/* Flits and credits during a reset must have no effect. With noise, every other reset has them, to find a reset that
 * forgets something. */
TEST(every_other_reset_has_noise_at_the_pins)
{
  for (int noisy = 0; noisy < 2; noisy++) {
    struct hd_mutant_tape *tape = hd_mutant_tape_create(&lanes_whole);
    uint32_t some = 0;
    assert_non_null(tape);
    if (noisy)
      hd_mutant_tape_noise(tape, 7);
    for (uint32_t i = 0; i < 64; i++) {
      hd_mutant_tape_reset(tape);
      const struct hd_lane_step *step = &tape->steps[i];
      assert_true(has_input(tape, step, tape->layout.rst));
      assert_int_equal(step->n_outputs, 1); /* quiescent_o */
      const bool credit = has_input(tape, step, tape->layout.credit);
      assert_int_equal(has_input(tape, step, HD_LANE_VALID), credit);
      some += credit;
    }
    if (noisy)
      assert_in_range(some, 16, 48);
    else
      assert_int_equal(some, 64);
    hd_mutant_tape_destroy(tape);
  }
}

/* Two reads, and a window whose first cycle has a write. The reads are repeated in the two cycles after it, because
 * the write may have changed their values. A read right before the next window has a known value. */
TEST(reads_are_repeated_after_the_first_cycle_of_the_next_window)
{
  const struct hd_config_event write = {.cycle = 0, .addr = HD_CFG_ERRORS, .data = 1};
  const struct hd_dut_job jobs[] = {
      {.cycles = 4, .configs_in = &write, .n_configs_in = 1, .quiescent = true},
      {.cycles = 3, .start = 4, .quiescent = true}};
  struct hd_mutant_tape *tape = hd_mutant_tape_create(&lanes_whole);
  assert_non_null(tape);
  hd_mutant_tape_reset(tape);
  for (uint32_t addr = 8; addr < 10; addr++)
    hd_mutant_tape_read(tape, addr, 5);
  must(hd_mutant_tape_job(tape, &jobs[0], &why));
  hd_mutant_tape_read(tape, 8, 5);
  must(hd_mutant_tape_job(tape, &jobs[1], &why));
  const struct {
    unsigned flags;
    bool reads, writes;
  } want[] = {{HD_STEP_COMPARE, false, false}, /* the reset */
              {HD_STEP_READ, true, false},
              {HD_STEP_READ, true, false},
              {HD_STEP_COMPARE, false, true},
              {HD_STEP_COMPARE, true, false},
              {HD_STEP_COMPARE, true, false},
              {HD_STEP_COMPARE, false, false},
              {HD_STEP_READ, true, false},
              {HD_STEP_COMPARE | HD_STEP_TAKEN, true, false},
              {HD_STEP_COMPARE | HD_STEP_KEPT, false, false},
              {HD_STEP_COMPARE | HD_STEP_KEPT, false, false}};
  assert_int_equal(tape->n_steps, sizeof want / sizeof *want);
  for (size_t i = 0; i < tape->n_steps; i++) {
    const struct hd_lane_step *step = &tape->steps[i];
    if (step->flags != want[i].flags || has_input(tape, step, tape->layout.read) != want[i].reads ||
        has_input(tape, step, tape->layout.write) != want[i].writes)
      fail_msg("step %zu: flags %u, not %u, or another access", i, step->flags, want[i].flags);
  }
  hd_mutant_tape_destroy(tape);
}
