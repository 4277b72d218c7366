/* Stream cases cover every parameter, agree on Heddle's own switches, and find planted bugs.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/backends/backend.h"
#include "../../../bridge/coverage/coverage_set.h"
#include "../../../bridge/check/streams/streams.h"
#include "../lib/dice.h"
#include "../lib/planted_rtl.h"
#include "../lib/test.h"

#include "../../../bridge/host/file.h"

enum { SEED = 1 };

static bool is_power(uint32_t n)
{
  return n && !(n & (n - 1));
}

/* A value counts if the case's switch uses the parameter, or would use it with another value. */
static bool some_case_has(size_t param, uint32_t value)
{
  struct hd_stream_case c;
  for (uint32_t i = 0; i < hd_stream_cases(); i++) {
    hd_stream_case(i, SEED, &c);
    struct hd_switch_params most = c.params;
    hd_switch_param_set(&most, param, hd_switch_param_list[param].high);
    if (hd_switch_param_used(&most, param) && hd_switch_param_get(&c.params, param) == value)
      return true;
  }
  return false;
}

TEST(stream_cases_have_every_value_of_every_parameter)
{
  uint32_t values = 0;
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++) {
    const struct hd_switch_param *d = &hd_switch_param_list[i];
    for (uint32_t value = d->low; value <= d->high; value++) {
      bool end = value == d->low || value == d->high || d->kind == HD_PARAM_CHOICE;
      bool depth = !strcmp(d->name, "depth_flits"); /* counters of places end below powers of two */
      /* computed routes alone: numbers beyond tables, and a mask; multicast has few cases */
      bool computed =
          (!strcmp(d->name, "nodes") && value > HD_MAX_NODES) || !strcmp(d->name, "fields");
      if ((computed || d->part == HD_PART_CAST) && !end)
        continue;
      if (!end && !is_power(value) && !(depth && is_power(value + 1)))
        continue;
      values++;
      if (!some_case_has(i, value))
        fail_msg("%s %u is in no case", d->name, value);
    }
  }
  print_message("%u values in %u cases\n", values, hd_stream_cases());
  assert_true(values > 60);
}

TEST(stream_cases_are_legal_and_distinct)
{
  uint32_t set = 0;
  uint64_t last = 0;
  for (uint32_t i = 0; i < hd_stream_cases(); i++) {
    struct hd_stream_case c;
    struct hd_error err = {.text = ""};
    hd_stream_case(i, SEED, &c);
    if (hd_switch_params_check(&c.params, &err))
      fail_msg("case %u: %s", i, err.text);
    assert_true(c.seed != last && c.parts && c.cycles);
    assert_true(c.set == set || c.set == set + 1); /* those of a set are together */
    set = c.set;
    last = c.seed;
  }
  assert_int_equal(set, hd_stream_sets() - 1);
  struct hd_stream_case first, again;
  hd_stream_case(0, SEED, &first);
  hd_stream_case(hd_stream_cases(), SEED, &again);
  assert_true(first.seed != again.seed && first.style == again.style);
  assert_memory_equal(&first.params, &again.params, sizeof first.params);
}

/* ── a DUT that is the model but for one thing ─────────────────────────────── */

static enum hd_stream_difference planted_difference; /* about what */
static struct hd_dut_ops lying_ops;

static int lying_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  if (planted_difference == HD_STREAM_FLIT && jobs->n_flits_out && jobs->start > 100)
    jobs->flits_out[jobs->n_flits_out - 1].vc ^= 1;
  if (planted_difference == HD_STREAM_CREDIT && jobs->n_credits_out && jobs->start > 100)
    jobs->n_credits_out--;
  if (planted_difference == HD_STREAM_QUIESCENT && jobs->n_toggles)
    jobs->n_toggles--;
  if (planted_difference == HD_STREAM_ASSERTION && jobs->start > 100)
    jobs->assertion = (struct hd_dut_assertion){true, 3, "rtl/hd_switch.v:8"};
  return status;
}

static int lying_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                      struct hd_error *err)
{
  int status = hd_dut_model_backend()->config_read(dut, sw, addr, data, err);
  *data ^= planted_difference == HD_STREAM_REGISTER && addr == HD_CFG_WIDTH;
  return status;
}

static int play(uint32_t index, const struct hd_dut_ops *ops, struct hd_stream_result *result,
                struct hd_error *err)
{
  struct hd_stream_case c;
  hd_stream_case(index, SEED, &c);
  return hd_stream_play(&c, ops, "", result, err);
}

TEST(each_kind_of_difference_is_named)
{
  lying_ops = *hd_dut_model_backend();
  lying_ops.run = lying_run;
  lying_ops.config_read = lying_read;
  for (planted_difference = HD_STREAM_AGREED; planted_difference <= HD_STREAM_ASSERTION;
       planted_difference++) {
    struct hd_stream_result result;
    struct hd_error err = {.text = ""};
    assert_int_equal(play(0, &lying_ops, &result, &err), planted_difference ? HD_E_DIVERGENCE : 0);
    assert_int_equal(result.difference, planted_difference);
    print_message("%s\n", err.text);
    if (!planted_difference)
      continue;
    assert_true(*result.text && strstr(err.text, result.text));
    bool at_a_port = planted_difference == HD_STREAM_FLIT || planted_difference == HD_STREAM_CREDIT;
    assert_true(at_a_port ? result.port < 5 && result.vc < 3 : result.port == 0xff);
  }
}

/* A DUT that ignores bit 11 of the address, so that its registers appear at a second address, too. */
static int read_twice(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                      struct hd_error *err)
{
  return hd_dut_model_backend()->config_read(dut, sw, addr & ~0x800u, data, err);
}

TEST(a_register_at_a_second_address_is_found)
{
  struct hd_stream_result result;
  lying_ops = *hd_dut_model_backend();
  lying_ops.config_read = read_twice;
  assert_int_equal(play(0, &lying_ops, &result, &why), HD_E_DIVERGENCE);
  assert_int_equal(result.difference, HD_STREAM_REGISTER);
  assert_true(result.address & 0x800);
  print_message("%s\n", why.text);
}

/* A quarter of the parts reaches the same coverage points as all parts. So do the first ten sets, which have both
 * limits of every parameter. They are enough under sanitizers. */
TEST(the_model_agrees_with_itself)
{
  const uint32_t sets = n_cases(40);
  uint64_t compared = 0;
  for (uint32_t i = 0; i < hd_stream_cases(); i++) {
    struct hd_stream_case c;
    struct hd_stream_result result;
    struct hd_error err = {.text = ""};
    hd_stream_case(i, SEED, &c);
    if (c.set >= sets)
      break;
    c.parts = c.parts > 8 ? c.parts / 4 : 2;
    if (hd_stream_play(&c, hd_dut_model_backend(), "", &result, &err))
      fail_msg("case %u: %s", i, err.text);
    assert_true(result.compared > 100);
    compared += result.compared;
  }
  print_message("%" PRIu64 " events compared\n", compared);
}

TEST(a_stream_reports_the_coverage_points_that_it_reached)
{
  struct hd_stream_result result;
  struct hd_coverage_set stream = {.runs = 0}, run = {.runs = 0};
  struct hd_stream_case c;
  hd_stream_case(1, SEED, &c); /* every error */
  must(play(1, hd_dut_model_backend(), &result, &why));
  hd_coverage_add_stream(&stream, &result.coverage, &c.params);
  hd_coverage_add(&run, &result.coverage, &c.params);
  assert_true(stream.runs == 1 && stream.count[HD_POINT_OVERFLOW] > 0);
  assert_true(stream.reachable[HD_POINT_OVERFLOW] && !run.reachable[HD_POINT_OVERFLOW]);
  assert_true(stream.reachable[HD_POINT_IDLE_HEAD] && run.reachable[HD_POINT_IDLE_HEAD]);
  assert_false(stream.reachable[HD_POINT_LOOK_TABLE]); /* a switch without barrier messages */
  print_message("%u of %u points\n",
                hd_coverage_reachable_points(&stream) - hd_coverage_holes(&stream),
                hd_coverage_reachable_points(&stream));
}

TEST(a_case_that_compares_nothing_is_an_error)
{
  struct hd_stream_case c;
  struct hd_stream_result result;
  hd_stream_case(1, SEED, &c);
  c.parts = 0;
  assert_int_equal(hd_stream_play(&c, hd_dut_model_backend(), "", &result, &why), HD_E_NOTHING);
}

/* ── RTL ───────────────────────────────────────────────────────────────────── */

/* Plays the cases of the first set until one differs. */
static int play_rtl(const char *rtl, struct hd_stream_result *result, struct hd_error *err)
{
  struct hd_stream_case c;
  CLEANUP(hd_backend_close) struct hd_backend backend = {0};
  const char *dut = getenv("HD_DUT");
  struct hd_backend_options options = {.rtl_dir = rtl, .quick = true};
  hd_stream_case(0, SEED, &c);
  int status = hd_backend_open(&backend, dut ? dut : "verilator", &c.params, &options, err);
  for (uint32_t i = 0; !status && !c.set; hd_stream_case(++i, SEED, &c))
    status = hd_stream_play(&c, backend.ops, "", result, err);
  return status;
}

TEST(heddles_own_rtl_agrees_with_the_model)
{
  struct hd_stream_result result;
  must(play_rtl(NULL, &result, &why));
}

TEST(planted_bugs_are_found)
{
  static const struct {
    const char *file, *from, *to;
  } bugs[] = {
      {"hd_input_port.v", "picked_kind[0] && !picked_kind[2];", "picked_kind == 3'd1;"},
      {"hd_route_table.v", "wire legal = cfg_wdata_i[12] &&", "wire legal ="},
  };
  char directory[] = "/tmp/hd_streams_XXXXXX";
  assert_non_null(mkdtemp(directory));
  for (size_t i = 0; i < sizeof bugs / sizeof *bugs; i++) {
    struct hd_stream_result result;
    struct hd_error err = {.text = ""};
    plant_rtl(directory, bugs[i].file, bugs[i].from, bugs[i].to);
    assert_int_equal(play_rtl(directory, &result, &err), HD_E_DIVERGENCE);
    print_message("%s\n", err.text);
  }
  assert_int_equal(hd_tree_remove(directory, NULL), 0);
}
