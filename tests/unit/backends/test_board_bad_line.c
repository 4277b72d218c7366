/* Whole runs on a virtual board behind a bad line end with the model's digest, or with a reason. Bytes are lost,
 * flipped, doubled and delayed both ways, and the device vanishes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=n replays a seed. Only a timeout shows that bytes were lost. So the test repeats a run that timed out with
 * more patience, for slow machines. The board is the RTL, Verilated, as a host sees it (specification chapter 9).
 */
#include "../../../bridge/backends/board/board_process.h"
#include "../lib/switch_set.h"
#include "../../../bridge/backends/board/board_virtual.h"

#include "../lib/fake_board_line.h"
#include "../lib/dice.h"
#include "../lib/runs.h"
#include "../lib/test.h"

static const char k_scenario[] =
    "name: bad-line\n"
    "fabric: {topology: mesh, dims: [2]}\n"
    "switch: {vcs: 1, data_bits: 16, depth_flits: 2, barrier: any, groups: 2}\n"
    "software: {program: barrier, parameters: {rounds: 10, load: 0.2}}\n"
    "run: {cycles: 2000}\n"
    "trace: {waves: false}\n";
/* tests/cli/test_board.sh has the same boards. */
static const struct hd_switch_params k_params =
    SWITCH_SET(3, 1, 16, 2, 2, 1, 1, 0, 0, 0, 0, 1, 2, 2);

enum { MOST_PATIENCE_MS = 60000, MOST_OF_A_LOSSY_LINE_MS = 600 };
static char k_program[4096];

static int run_dut(const char *dut, enum hd_mode mode, struct hd_run_report *report,
                   struct hd_error *err)
{
  const int status = run_options((struct hd_run_options){.scenario_path = "bad-line.yaml",
                                                         .scenario_text = k_scenario,
                                                         .dut = dut,
                                                         .has_mode = true,
                                                         .mode = mode},
                                 report);
  *err = why;
  return status;
}

static uint64_t dut_counter(const struct hd_run_report *r, const char *name)
{
  for (uint32_t i = 0; i < r->n_dut_counters; i++)
    if (!strcmp(r->dut_counters[i].name, name))
      return r->dut_counters[i].value;
  return 0;
}

/* Outcome of a run over a line. */
struct outcome {
  int status;
  uint64_t digest, cycles, resent, bad;
  struct hd_error err;
};

static struct outcome run_over_line(struct board_line *line, unsigned patience_ms,
                                    const char *options)
{
  struct outcome o = {.status = 0};
  CLEANUP(hd_run_report_fini) struct hd_run_report report;
  char device[256], dut[512];
  struct hd_board_process process;
  if (hd_board_process_start(&process, k_program, 0, device, sizeof device, &o.err))
    fail_msg("%s", o.err.text);
  board_line_begin(line, device);
  snprintf(dut, sizeof dut, "board:%s,baud=3000000,patience=%u,wait=1%s", line->path, patience_ms,
           options);
  o.status = run_dut(dut, line->seed % 3 ? HD_MODE_DECOUPLED : HD_MODE_CLOSED, &report, &o.err);
  o.digest = report.result.digest;
  o.cycles = report.result.cycles_compared;
  o.resent = dut_counter(&report, "requests_resent");
  o.bad = dut_counter(&report, "answers_bad") + dut_counter(&report, "board_frames_bad");
  board_line_end(line);
  hd_board_process_stop(&process);
  return o;
}

static struct outcome run_on_model(void)
{
  struct outcome o = {.status = 0};
  CLEANUP(hd_run_report_fini) struct hd_run_report report;
  o.status = run_dut("model", HD_MODE_DECOUPLED, &report, &o.err);
  o.digest = report.result.digest;
  o.cycles = report.result.cycles_compared;
  assert_int_equal(o.status, 0);
  return o;
}

TEST(rtl_behind_a_bad_line_agrees_or_the_run_gives_a_reason)
{
  const struct outcome model = run_on_model();
  unsigned agreed = 0, runs = n_streams(8);
  uint64_t resent = 0, bad = 0, damaged = 0;
  for (uint64_t seed = first_seed(), i = 0; i < runs; i++, seed++) {
    const struct board_line bad_line = {.seed = seed,
                                        .dropped = seed % 2 ? 600 : 0,
                                        .flipped = seed % 4 / 2 ? 600 : 0,
                                        .doubled = 1000,
                                        .delayed = seed % 4 == 1 ? 2000 : 0};
    struct board_line line;
    struct outcome o;
    unsigned patience_ms = bad_line.delayed ? 120 : 40;
    do {
      line = bad_line;
      o = run_over_line(&line, patience_ms, seed % 5 || line.delayed ? "" : ",events");
    } while (o.status && strstr(o.err.text, "no answer") &&
             (patience_ms *= 5) <= MOST_OF_A_LOSSY_LINE_MS);
    if (o.status ? o.status != HD_E_IO || !*o.err.text
                 : o.digest != model.digest || o.cycles != model.cycles)
      fail_msg("seed %" PRIu64 " (HD_SEED=%" PRIu64 " replays): status %d, digest %016" PRIx64
               " of %" PRIu64 " cycles, not %016" PRIx64 " of %" PRIu64 "; %s",
               seed, seed, o.status, o.digest, o.cycles, model.digest, model.cycles, o.err.text);
    agreed += !o.status;
    if (o.status)
      print_message("seed %" PRIu64 ": %s\n", seed, o.err.text);
    resent += o.resent;
    bad += o.bad;
    damaged += line.damaged;
  }
  print_message("seeds from %" PRIu64 ": %u of %u runs agreed; %" PRIu64 " bytes damaged, %" PRIu64
                " requests sent again, %" PRIu64 " bad frames\n",
                first_seed(), agreed, runs, damaged, resent, bad);
  assert_true(damaged > 0);
  assert_true(runs == 1 || (agreed > runs / 2 && resent > 0 && bad > 0));
}

TEST(a_device_that_vanishes_ends_the_run_with_a_reason)
{
  for (uint64_t seed = first_seed(), i = 0; i < n_streams(4); i++, seed++) {
    struct board_line line = {.seed = seed, .gone_after = 600 + 1000 * (uint32_t)(seed % 4)};
    struct outcome o =
        run_over_line(&line, MOST_PATIENCE_MS, ""); /* no byte is lost before the device vanishes */
    if (o.status != HD_E_IO || !strstr(o.err.text, "gone"))
      fail_msg("seed %" PRIu64 ": status %d: %s", seed, o.status, o.err.text);
  }
}

/* A run must also end if the line damages every frame. */
TEST(a_line_that_damages_every_frame_ends_the_run_with_an_error)
{
  struct board_line line = {.seed = first_seed(), .flipped = 300000};
  struct outcome o = run_over_line(&line, 40, "");
  assert_int_equal(o.status, HD_E_IO);
  assert_non_null(strstr(o.err.text, "no answer"));
}

int main(void)
{
  const struct hd_backend_options options = {.rtl_dir = NULL};
  int status = hd_board_virtual_build(&k_params, 2, &options, k_program, sizeof k_program, &why);
  if (status == HD_E_TOOL && strstr(why.text, "install the package")) {
    printf("SKIP virtual boards: %s\n", why.text);
    return 0;
  }
  if (status) {
    printf("%s\n", why.text);
    return 1;
  }
  return tests_run(NULL, NULL);
}
