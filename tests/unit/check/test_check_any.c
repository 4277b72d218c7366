/* A check of any router: each mix of traffic can be run. Runs that the router refuses are left out and named.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The test takes tasks from the plan and reports outcomes, but does not carry tasks out.
 */
#include "../../../bridge/check/check_internal.h"
#include "../../../bridge/host/file.h"
#include "../../../bridge/run/run.h"
#include "../lib/test.h"

static const struct hd_check_params params = {
    .seed = 1, .foreign = true, .rtl_dir = "docs/examples/one_stage"};

static struct hd_check *create(const struct hd_check_params *of)
{
  struct hd_check *check;
  must(hd_check_create(&check, of, &why));
  return check;
}

/* Runs some cycles on the model alone, which checks fabric, routing and the program's parameters. */
static void run_on_model(const struct hd_check *check, const struct check_run *run,
                         const char *directory)
{
  char path[SOAK_PATH];
  struct hd_run_report report;
  must(hd_check_write_ruled(check, run, directory, "mix", path, &why));
  const struct hd_run_options options = {
      .scenario_path = path, .dut = "none", .cycles = 600, .results_only = true};
  const int status = hd_run(&options, &report, &why);
  if (status && status != HD_E_BUDGET)
    fail_msg("%s %u: %s", hd_check_kinds[run->kind].name, run->index, why.text);
  hd_run_report_fini(&report);
  hd_soak_unlink(directory, "mix");
}

TEST(every_mix_of_traffic_can_be_run)
{
  struct hd_check *check = create(&params);
  char directory[] = "build/check-any-XXXXXX";
  uint32_t of_kind[CHECK_KINDS] = {0};
  assert_non_null(mkdtemp(directory));
  hd_check_extend(check, 700);
  for (uint64_t i = 0; i < 700; i++) {
    const struct check_run *run = &check->runs[i];
    const bool often = run->kind == CHECK_MIX || of_kind[run->kind] < 8;
    of_kind[run->kind]++;
    if (often)
      run_on_model(check, run, directory);
  }
  for (int k = 0; k < CHECK_KINDS; k++)
    if (hd_check_is_ruled((enum check_kind)k) && (k != CHECK_UNKNOWN || check->has_tool[1]))
      assert_true(of_kind[k]);
  rmdir(directory);
  hd_check_destroy(check);
}

/* Ends a task: sets from `from` on do not build, and Icarus cannot read the RTL. */
static int end_task(const struct hd_plan *plan, const struct hd_task *task, uint32_t from)
{
  CLEANUP(hd_task_outcome_fini) struct hd_task_outcome outcome = {0};
  const bool refused = !strcmp(task->kind, "build") ? strtoul(task->text, NULL, 10) >= from
                                                    : !strcmp(task->kind, "unknown");
  if (refused)
    hd_task_outcome_fail(&outcome, HD_E_TOOL, "VCS must be 2", "does not build");
  const int status = plan->ended(plan->context, task, &outcome, &why);
  return status;
}

TEST(runs_that_the_router_refuses_are_left_out_and_named)
{
  struct hd_check *check = create(&params);
  struct hd_campaign campaign = {0};
  struct hd_task task;
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  uint32_t unknown = 0, mixes = 0;
  hd_check_campaign(check, &campaign);
  for (int i = 0; i < 300 && campaign.plan.next(check, &task); i++) {
    const struct hd_task given = task;
    unknown += !strcmp(given.kind, "unknown");
    mixes += !strcmp(given.kind, "mix");
    if (strcmp(given.kind, "build") != 0)
      assert_true(check->runs[given.order].set == 0);
    assert_int_equal(end_task(&campaign.plan, &given, 1), HD_OK);
  }
  assert_true(mixes > 10 && unknown == 1);
  hd_check_text(check, &text);
  assert_non_null(strstr(hd_text_chars(&text), "the router refuses it: VCS must be 2"));
  assert_int_equal(check->n_refusals, check->n_random_sets); /* all sets but one, and Icarus */
  hd_check_destroy(check);
}

TEST(a_router_that_never_builds_ends_the_check_with_a_tool_error)
{
  struct hd_check *check = create(&params);
  struct hd_campaign campaign = {0};
  struct hd_task task;
  int status = HD_OK;
  hd_check_campaign(check, &campaign);
  while (!status && campaign.plan.next(check, &task))
    status = end_task(&campaign.plan, &task, 0);
  assert_int_equal(status, HD_E_TOOL);
  assert_int_equal(hd_check_verdict(check), HD_E_TOOL);
  hd_check_destroy(check);
}

/* Every run uses the keys of --switch, because a router may support only these values. */
TEST(the_keys_of_option_switch_hold_in_every_run)
{
  const struct hd_check_params fixed = {.seed = 1,
                                        .foreign = true,
                                        .rtl_dir = params.rtl_dir,
                                        .switch_keys = "vcs: 1, data_bits: 64, cut_flits: 2"};
  struct hd_check *check = create(&fixed);
  assert_true(check->n_random_sets > 3);
  for (uint32_t i = 0; i < check->n_random_sets; i++) {
    const struct hd_switch_params *sw = &check->sets[i];
    assert_true(sw->vcs == 1 && sw->data_bits == 64 && sw->cut_flits == 2);
  }
  hd_check_destroy(check);
}

/* The scenario of run `i`, which it writes into the directory. The caller frees the text. */
static char *mix_of(struct hd_check *check, uint64_t i, const char *directory)
{
  char path[SOAK_PATH], *text = NULL;
  size_t length = 0;
  must(hd_check_write_ruled(check, &check->runs[i], directory, "mix", path, &why));
  must(hd_file_read(path, &text, &length, &why));
  return text;
}

/* A router that stores whole packets gets no packet longer than its buffers. */
TEST(drawn_packets_are_no_longer_than_the_router_takes)
{
  const struct hd_check_params described = {
      .seed = 1, .foreign = true, .rtl_dir = params.rtl_dir, .takes = {.ports = 5, .longest = 6}};
  struct hd_check *check = create(&described);
  char directory[] = "build/check-any-XXXXXX";
  uint32_t most = 0, with_flits = 0, with_bytes = 0;
  assert_non_null(mkdtemp(directory));
  hd_check_extend(check, 300);
  for (uint64_t i = 0; i < 300; i++) {
    CLEANUP(free_at) char *text = mix_of(check, i, directory);
    const char *flits = strstr(text, " flits: ");
    const uint32_t n = flits ? (uint32_t)strtoul(flits + 8, NULL, 10) : 0;
    most = n > most ? n : most;
    const char *bytes = strstr(text, "packet_bytes: "), *bits = strstr(text, "data_bits: ");
    const uint32_t word = bits ? (uint32_t)strtoul(bits + 11, NULL, 10) : 0;
    assert_true(word && (!flits) == (bytes != NULL));
    if (bytes)
      assert_int_equal(1 + 64 / word + (strtoul(bytes + 14, NULL, 10) + word / 8 - 1) / (word / 8),
                       6);
    with_bytes += bytes != NULL;
    with_flits += n != 0;
  }
  assert_int_equal(most, 6);
  assert_true(with_flits > 100 && with_bytes > 10);
  hd_soak_unlink(directory, "mix");
  rmdir(directory);
  hd_check_destroy(check);
}

/* A router without packets of one flit gets none, in any kind of run. */
TEST(a_router_gets_no_shorter_packets_than_it_takes)
{
  const struct hd_check_params described = {
      .seed = 1, .foreign = true, .rtl_dir = params.rtl_dir, .takes = {.ports = 5, .shortest = 3}};
  struct hd_check *check = create(&described);
  char directory[] = "build/check-any-XXXXXX";
  uint32_t least = 100, with_flits = 0, with_messages = 0;
  assert_non_null(mkdtemp(directory));
  hd_check_extend(check, 300);
  for (uint64_t i = 0; i < 300; i++) {
    CLEANUP(free_at) char *text = mix_of(check, i, directory);
    const char *flits = strstr(text, " flits: "), *bits = strstr(text, "data_bits: ");
    const uint32_t n = flits ? (uint32_t)strtoul(flits + 8, NULL, 10) : 0;
    least = flits && n < least ? n : least;
    with_flits += flits != NULL;
    with_messages += !flits;
    assert_non_null(bits);
    if (!flits) /* head and envelope */
      assert_true(1 + 64 / strtoul(bits + 11, NULL, 10) >= 3);
  }
  assert_int_equal(least, 3);
  assert_true(with_flits > 100 && with_messages > 10);
  hd_soak_unlink(directory, "mix");
  rmdir(directory);
  hd_check_destroy(check);
}

/* A router that routes by itself gets only meshes. A router made for a number of columns gets only meshes of that
 * width. */
TEST(drawn_fabrics_are_those_that_the_router_supports)
{
  static const struct hd_setting itself[] = {{"run.routes", "dimension-order"}};
  const struct hd_check_params described = {
      .seed = 1,
      .foreign = true,
      .rtl_dir = params.rtl_dir,
      .settings = itself,
      .n_settings = 1,
      .takes = {.ports = 5, .vcs = 1, .columns = 4, .single = true}};
  struct hd_check *check = create(&described);
  char directory[] = "build/check-any-XXXXXX", path[SOAK_PATH];
  struct hd_scenario scenario;
  assert_non_null(mkdtemp(directory));
  hd_check_extend(check, 100);
  for (uint64_t i = 0; i < 100; i++) {
    must(hd_check_write_ruled(check, &check->runs[i], directory, "mix", path, &why));
    must(hd_scenario_read(&scenario, path, &why));
    assert_int_equal(scenario.fabric.topology, HD_TOPO_MESH);
    assert_int_equal(scenario.fabric.shape.dims[0], 4);
    assert_int_equal(scenario.routing.algorithm, HD_ROUTE_DIMENSION_ORDER);
    assert_int_equal(scenario.run.routes, HD_ROUTES_DIMENSION_ORDER);
    assert_true(scenario.sw.vcs == 1 && scenario.sw.ports == 5);
    hd_scenario_fini(&scenario);
  }
  hd_soak_unlink(directory, "mix");
  rmdir(directory);
  hd_check_destroy(check);
}
