/* Random scenarios of `heddle check`: each can be run on a switch of the parameters for which it was drawn.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/host/file.h"
#include "../../../bridge/check/check_internal.h"
#include "../lib/dice.h"
#include "../lib/test.h"

static char directory[200];
static uint32_t computed; /* scenarios of switches that compute routes */

/* Runs the scenario with the model as DUT, compared exactly. */
static void try_on_model(const struct hd_check *check, uint32_t index)
{
  static struct soak_case c;
  struct soak_opened *opened = NULL;
  const struct soak_common common = {.directory = directory, .opened = &opened};
  struct hd_scenario scenario;
  CLEANUP(hd_topology_fini) struct hd_topology topology;
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  struct soak_result result;
  char yaml[SOAK_PATH];
  hd_check_draw(check, index, &c);
  c.compare = HD_COMPARE_EXACT;
  if (hd_soak_write(&c, directory, "drawn", yaml, &why) || hd_scenario_read(&scenario, yaml, &why))
    fail_msg("scenario %" PRIu32 ": %s", index, why.text);
  hd_scenario_build(&scenario, &topology, &tables, NULL); /* this sets how the switches route */
  const struct hd_switch_params *built = &check->sets[c.set];
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++)
    if (hd_switch_param_used(built, i) != hd_switch_param_used(&scenario.sw, i) ||
        (hd_switch_param_used(built, i) &&
         hd_switch_param_get(built, i) != hd_switch_param_get(&scenario.sw, i)))
      fail_msg("seed %" PRIu64 ", scenario %" PRIu32 ": another %s than the set has",
               check->params->seed, index, hd_switch_param_list[i].verilog);
  hd_scenario_fini(&scenario);
  computed += built->route != HD_ROUTE_BY_TABLE;
  hd_soak_run_scenario(yaml, hd_dut_model_backend(), false, &common, &result);
  hd_soak_unlink(directory, "drawn");
  if (result.outcome != SOAK_AGREED && result.outcome != SOAK_REFUSED)
    fail_msg("seed %" PRIu64 ", scenario %" PRIu32 ": %s: %s", check->params->seed, index,
             hd_soak_outcome_name(result.outcome), result.message);
}

TEST(every_drawn_scenario_can_be_run)
{
  static struct hd_check check;
  assert_int_equal(hd_directory_temporary("check-draws", directory, sizeof directory, NULL), 0);
  for (uint64_t seed = 1; seed <= 2; seed++) {
    const struct hd_check_params params = {.seed = seed};
    check = (struct hd_check){.params = &params, .judge = hd_check_judge_of(&params)};
    must(hd_check_sequence(&check, &why));
    for (uint32_t i = 0; i < n_cases(150); i++)
      try_on_model(&check, i);
    free(check.runs);
  }
  assert_true(computed > 0);
  hd_tree_remove(directory, NULL);
}

/* A drawn scenario that cannot be run is an error of Heddle. It must not be reported as an error of the RTL. */
TEST(a_drawn_scenario_that_cannot_run_is_an_internal_error)
{
  static struct hd_check check;
  static struct soak_case c;
  const struct hd_check_params params = {.seed = 1};
  assert_int_equal(hd_directory_temporary("check-draws", directory, sizeof directory, NULL), 0);
  check = (struct hd_check){.params = &params, .judge = hd_check_judge_of(&params)};
  must(hd_check_sequence(&check, &why));
  hd_check_draw(&check, 0, &c);
  must(hd_check_drawn(&c, directory, "drawn", &why));
  c.sw.vcs = 0;
  must_fail(hd_check_drawn(&c, directory, "drawn", &why), HD_E_INTERNAL,
            "no switch can carry out a scenario that heddle drew: ");
  assert_non_null(strstr(why.text, "vcs"));
  free(check.runs);
  hd_tree_remove(directory, NULL);
}
