/* A switch in VHDL behind the DUT contract: windows, snapshots that are processes, reads, reset, failed assertions.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Needs ghdl and verilator (Debian packages of these names).
 */
#include "../../../bridge/backends/backend.h"
#include "../lib/switch_set.h"
#include "../lib/test.h"

enum { PORTS = 5, CYCLES = 240, PERIOD = 12, FLITS = 3, MOST = PORTS * (CYCLES + 1), KEPT = 4 };
static const struct hd_switch_params params =
    SWITCH_SET(PORTS, 2, 16, 4, 64, 1, 1, 0, 0, 0, 0, 0, 0, 0);
static struct hd_backend backend;

/* Packets of three flits from each port to the next one, which answers each flit by a credit. Channel 0 alone. */
static struct hd_flit_event flits_in[MOST];
static struct hd_credit_event credits_in[MOST];
static uint32_t n_flits_in, n_credits_in;

/* A switch's outputs in cycles from `start` on. */
struct shown {
  struct hd_flit_event flits[MOST];
  struct hd_credit_event credits[MOST];
  uint32_t n_flits, n_credits;
};

static void make_traffic(void)
{
  for (uint32_t c = 0; c < CYCLES; c++)
    for (uint8_t p = 0; p < PORTS; p++) {
      const uint32_t at = c % PERIOD, to = (p + 1u) % PORTS;
      const bool is_head = at == 0, is_tail = at == FLITS - 1;
      if (at < FLITS && c + PERIOD < CYCLES)
        flits_in[n_flits_in++] =
            (struct hd_flit_event){.cycle = c,
                                   .port = p,
                                   .kind = (uint8_t)(is_head ? 2 : is_tail),
                                   .data = is_head ? to << 2 | (c & 15) << 8 : 0x1000 + c + p};
      if (at >= 3 && at < 3 + FLITS &&
          c + PERIOD < CYCLES) /* in at c, out at c + 2, back at c + 3 */
        credits_in[n_credits_in++] = (struct hd_credit_event){.cycle = c, .port = p, .vcs = 1};
    }
}

static int open_ghdl(void **state)
{
  (void)state;
  const struct hd_backend_options build = {.rtl_dir = "docs/examples/vhdl_router"};
  if (system("command -v ghdl >/dev/null && command -v verilator >/dev/null")) {
    print_message("SKIP ghdl: install the packages ghdl and verilator\n");
    return 0;
  }
  make_traffic();
  must(hd_backend_open(&backend, "ghdl", &params, &build, &why));
  return 0;
}

static int close_ghdl(void **state)
{
  (void)state;
  hd_backend_close(&backend);
  return 0;
}

static struct hd_dut *make_switches(uint32_t count)
{
  struct hd_dut *dut = NULL;
  if (!backend.ops)
    skip();
  must(backend.ops->create(&dut, &params, count, "", &why));
  for (uint32_t sw = 0; sw < count; sw++)
    for (unsigned p = 0; p < PORTS; p++)
      for (unsigned node = 0; node < PORTS; node++)
        assert_int_equal(backend.ops->config_write(dut, sw, HD_CFG_DESTINATION(p, node),
                                                   hd_table_entry(node, 1), NULL),
                         0);
  return dut;
}

/* Plays cycles [from, to) in windows of this length. */
static int play(struct hd_dut *dut, uint32_t sw, uint32_t from, uint32_t to, uint32_t window,
                struct shown *shown)
{
  static struct hd_flit_event flits[MOST], flits_out[MOST];
  static struct hd_credit_event credits[MOST], credits_out[MOST];
  uint32_t toggles[CYCLES + 1];
  struct hd_dut_unknown unknown = {.seen = 0};
  for (uint32_t end; from < to; from = end) {
    end = from + window < to ? from + window : to;
    struct hd_dut_job job = {.sw = sw,
                             .start = from,
                             .cycles = end - from,
                             .flits_in = flits,
                             .credits_in = credits,
                             .flits_out = flits_out,
                             .credits_out = credits_out,
                             .toggles = toggles,
                             .cap_flits_out = MOST,
                             .cap_credits_out = MOST,
                             .cap_toggles = CYCLES + 1,
                             .unknown = &unknown};
    for (uint32_t i = 0; i < n_flits_in; i++)
      if (flits_in[i].cycle >= from && flits_in[i].cycle < end) {
        flits[job.n_flits_in] = flits_in[i];
        flits[job.n_flits_in++].cycle -= from;
      }
    for (uint32_t i = 0; i < n_credits_in; i++)
      if (credits_in[i].cycle >= from && credits_in[i].cycle < end) {
        credits[job.n_credits_in] = credits_in[i];
        credits[job.n_credits_in++].cycle -= from;
      }
    int status = backend.ops->run(dut, &job, 1, NULL);
    if (status)
      return status;
    assert_true(!job.lost && !unknown.seen && !job.assertion.failed);
    for (uint32_t i = 0; i < job.n_flits_out; i++) {
      shown->flits[shown->n_flits] = flits_out[i];
      shown->flits[shown->n_flits++].cycle += from;
    }
    for (uint32_t i = 0; i < job.n_credits_out; i++) {
      shown->credits[shown->n_credits] = credits_out[i];
      shown->credits[shown->n_credits++].cycle += from;
    }
  }
  return 0;
}

/* The outputs of a switch that nobody disturbs: each flit two cycles after it came. */
static const struct shown *undisturbed_outputs(void)
{
  static struct shown whole;
  if (whole.n_flits)
    return &whole;
  struct hd_dut *dut = make_switches(1);
  assert_int_equal(play(dut, 0, 0, CYCLES, CYCLES, &whole), 0);
  backend.ops->destroy(dut);
  assert_int_equal(whole.n_flits, n_flits_in);
  assert_int_equal(whole.n_credits, n_flits_in);
  for (uint32_t i = 0; i < n_flits_in; i++)
    assert_int_equal(whole.flits[i].cycle, flits_in[i].cycle + 2);
  return &whole;
}

static void assert_undisturbed(const struct shown *s)
{
  const struct shown *whole = undisturbed_outputs();
  assert_int_equal(s->n_flits, whole->n_flits);
  assert_int_equal(s->n_credits, whole->n_credits);
  assert_memory_equal(s->flits, whole->flits, s->n_flits * sizeof *s->flits);
  assert_memory_equal(s->credits, whole->credits, s->n_credits * sizeof *s->credits);
}

/* ── the tests ─────────────────────────────────────────────────────────────── */

TEST(windows_of_any_length_give_the_same_answers)
{
  static const uint32_t windows[] = {1, 7, 100};
  struct hd_dut *dut = make_switches(3);
  for (uint32_t sw = 0; sw < 3; sw++) {
    struct shown s = {.n_flits = 0};
    assert_int_equal(play(dut, sw, 0, CYCLES, windows[sw], &s), 0);
    assert_undisturbed(&s);
  }
  backend.ops->destroy(dut);
}

/* In the middle of packets, into the same switch and into another one, more than once. */
TEST(a_restored_snapshot_continues_like_the_saved_run)
{
  struct hd_dut *dut = make_switches(2);
  struct hd_dut_buffer buffer = {0};
  struct shown begun = {.n_flits = 0};
  assert_int_equal(play(dut, 0, 0, 62, 20, &begun), 0);
  assert_int_equal(backend.ops->snapshot_save(dut, 0, &buffer, NULL), 0);
  for (unsigned i = 0; i < 6; i++) {
    struct shown s = begun;
    if (i)
      assert_int_equal(backend.ops->snapshot_restore(dut, i % 2, &buffer, NULL), 0);
    assert_int_equal(play(dut, i % 2, 62, CYCLES, 50, &s), 0);
    assert_undisturbed(&s);
  }
  free(buffer.bytes);
  backend.ops->destroy(dut);
}

TEST(the_last_snapshots_are_kept)
{
  struct hd_dut *dut = make_switches(1);
  struct hd_dut_buffer buffers[KEPT + 1] = {{0}};
  struct shown s = {.n_flits = 0}, again[KEPT + 1];
  for (uint32_t i = 0; i <= KEPT; i++) {
    assert_int_equal(play(dut, 0, 30 * i, 30 * (i + 1), 30, &s), 0);
    assert_int_equal(backend.ops->snapshot_save(dut, 0, &buffers[i], NULL), 0);
    again[i] = s;
  }
  must_fail(backend.ops->snapshot_restore(dut, 0, &buffers[0], &why), HD_E_UNSUPPORTED,
            "this snapshot is gone");
  for (uint32_t i = KEPT; i >= 1; i--) {
    assert_int_equal(backend.ops->snapshot_restore(dut, 0, &buffers[i], NULL), 0);
    assert_int_equal(play(dut, 0, 30 * (i + 1), CYCLES, CYCLES, &again[i]), 0);
    assert_undisturbed(&again[i]);
  }
  for (uint32_t i = 0; i <= KEPT; i++)
    free(buffers[i].bytes);
  backend.ops->destroy(dut);
}

TEST(reading_a_register_does_not_change_the_switch)
{
  struct hd_dut *dut = make_switches(1);
  struct shown s = {.n_flits = 0};
  for (uint32_t c = 0; c < CYCLES; c += 5) {
    uint16_t data = 1, unknown = 1;
    assert_int_equal(play(dut, 0, c, c + 5, 5, &s), 0);
    assert_int_equal(backend.ops->config_read(dut, 0, HD_CFG_ERRORS, &data, NULL), 0);
    assert_int_equal(backend.ops->extension->config_unknown(dut, 0, &unknown, NULL), 0);
    assert_int_equal(data + unknown, 0);
  }
  assert_undisturbed(&s);
  backend.ops->destroy(dut);
}

/* In the middle of packets; tables stay. */
TEST(a_switch_behaves_after_reset_as_at_the_start)
{
  struct hd_dut *dut = make_switches(1);
  struct shown ignored = {.n_flits = 0}, s = {.n_flits = 0};
  assert_int_equal(play(dut, 0, 0, 62, 62, &ignored), 0);
  assert_int_equal(backend.ops->config_write(dut, 0, 1, 1, NULL), HD_E_INPUT);
  assert_int_equal(backend.ops->reset(dut, NULL), 0);
  assert_int_equal(play(dut, 0, 0, CYCLES, 100, &s), 0);
  assert_undisturbed(&s);
  backend.ops->destroy(dut);
}

int main(void)
{
  return tests_run(open_ghdl, close_ghdl);
}
