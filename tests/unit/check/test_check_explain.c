/* A failure for which a check has no time left is explained with the switch that is already built, without waves.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/planted_rtl.h"
#include "../lib/test.h"

#include "../../../bridge/check/check_internal.h"
#include "../../../bridge/check/streams/tape.h"
#include "../../../bridge/host/clock.h"
#include "../../../bridge/host/file.h"

#include <sys/stat.h>

static char rtl[64], directory[64], path[96], out[96];

static const char scenario[] =
    "name: late\nfabric: {topology: mesh, dims: [2]}\nswitch: {vcs: 2}\n"
    "software: {program: uniform, packet_bytes: 8, parameters: {load: 0.5}}\n"
    "run: {cycles: 2000, dut: verilator}\n";
static const char stream[] =
    "# A stream into one switch: heddle check RTL_DIR --stream THIS_FILE\n"
    "ports 3\nvcs 2\ndata_bits 16\ndepth_flits 4\nnodes 2\nroute_cycles 1\narb_cycles 1\n"
    "buffer_cycles 0\ncut_flits 0\nsource_table 0\nadaptive 0\nbarrier 0\ngroups 1\nswitches 2\n"
    "code_places 0\ncode_cycles 0\n"
    "flit port 1 vc 0 kind 2 data 0x6\nevery 1\nflit port 1 vc 0 kind 1 data 0x0\n"
    "flit port 2 vc 0 kind 2 data 0x76\nevery 1\nflit port 2 vc 0 kind 0 data 0x0\nevery 1\n"
    "flit port 2 vc 0 kind 0 data 0x0\nevery 1\nflit port 2 vc 0 kind 1 data 0x0\nevery 2\n"
    "flit port 2 vc 0 kind 3 data 0x6\nevery 3\n";

static const char *text_of_outcome(const struct hd_task_outcome *outcome, const char *key)
{
  const struct hd_value *value = hd_task_outcome_find(outcome, key);
  return value && value->type == HD_VALUE_TEXT ? value->text : "";
}

static void write_example(const char *text)
{
  must(hd_file_write(path, text, strlen(text), &why));
}

/* A check whose time was over long ago. */
static struct hd_check *check_without_time(void)
{
  static const struct hd_check_params params = {.rtl_dir = rtl, .seconds = 1};
  struct hd_check *check = calloc(1, sizeof *check);
  assert_non_null(check);
  check->params = &params;
  check->directory = directory;
  check->started = hd_seconds_now() - 1000;
  assert_non_null(realpath(rtl, check->rtl_dir));
  return check;
}

static void assert_explained(const struct hd_task_outcome *outcome, const char *explanation,
                             const char *words)
{
  char file[160], *text;
  size_t length;
  assert_string_equal(text_of_outcome(outcome, "run"), out);
  assert_non_null(strstr(text_of_outcome(outcome, "no_cause"), "there was no time"));
  assert_string_equal(text_of_outcome(outcome, "cause"), "");
  snprintf(file, sizeof file, "%s/%s", out, explanation);
  must(hd_file_read(file, &text, &length, &why));
  assert_non_null(strstr(text, words));
  free(text);
  snprintf(file, sizeof file, "%s/report.html", out);
  assert_int_equal(access(file, R_OK), 0);
}

TEST(a_failing_run_is_explained_even_when_time_is_over)
{
  CLEANUP(free_at) struct hd_check *check = check_without_time();
  CLEANUP(hd_task_outcome_fini) struct hd_task_outcome outcome = {0};
  write_example(scenario);
  hd_check_explain_run(check, CHECK_AIMED, path, out, &outcome);
  assert_non_null(
      strstr(text_of_outcome(&outcome, "sentence"), "RTL and model differ first in cycle "));
  assert_explained(&outcome, "report.json", "\"divergence\": {");
}

TEST(a_failing_stream_is_explained_even_when_time_is_over)
{
  CLEANUP(free_at) struct hd_check *check = check_without_time();
  CLEANUP(hd_task_outcome_fini) struct hd_task_outcome outcome = {0};
  struct hd_tape *tape;
  write_example(stream);
  must(hd_tape_read(&tape, path, &why));
  hd_check_explain_tape(check, NULL, tape, "late", path, out, &outcome);
  assert_explained(&outcome, "explanation.txt", "DIVERGENCE in cycle ");
  hd_tape_destroy(tape);
}

static int setup(void **state)
{
  (void)state;
  char bug[64];
  snprintf(rtl, sizeof rtl, "build/explain-rtl-%d", (int)getpid());
  snprintf(directory, sizeof directory, "build/explain-%d", (int)getpid());
  snprintf(path, sizeof path, "%s/late.txt", directory);
  snprintf(out, sizeof out, "%s/late-run", directory);
  /* Fault: an output's channel stays owned after its packet has left. The comment in the RTL is new, so no cache has
   * the switch. */
  snprintf(bug, sizeof bug, "owned_q <= {1'b0, owned_q | turned}; /* %d */", (int)getpid());
  plant_rtl(rtl, "hd_output_port.v", "owned_q <= owned_q ^ turned;", bug);
  return mkdir(directory, 0777);
}

static int teardown(void **state)
{
  (void)state;
  return hd_tree_remove(rtl, NULL) || hd_tree_remove(directory, NULL);
}

int main(void)
{
  return tests_run(setup, teardown);
}
