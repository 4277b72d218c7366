/* The original switch plays beside a changed one. A difference at a pin is found, and becomes a tape that the model
 * judges.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/backends/backend.h"
#include "../../../bridge/check/streams/stress_case.h"
#include "../lib/planted_rtl.h"
#include "../lib/switch_set.h"
#include "../lib/test.h"

static const struct hd_switch_params plain =
    SWITCH_SET(3, 2, 16, 4, 16, 1, 1, 0, 0, 0, 0, HD_BARRIER_NONE, 1, 2);
/* A switch whose tapes have all kinds of events: barrier credits, counts, padding, writes of every chapter. */
static const struct hd_switch_params full =
    SWITCH_SET(3, 2, 32, 5, 16, 1, 1, 0, 0, 1, 2, HD_BARRIER_ANY, 4, 8);

struct pair {
  struct hd_backend original, changed;
  struct hd_stress bench;
  struct hd_stress_sides sides;
};

static void pair_begin_with(struct pair *p, const struct hd_switch_params *params, const char *rtl,
                            bool foreign)
{
  struct hd_backend_options options = {.quick = true};
  *p = (struct pair){.sides = {.bench = &p->bench}};
  must(hd_backend_open(&p->original, "verilator", params, &options, &why));
  options.rtl_dir = rtl;
  must(hd_backend_open(&p->changed, "verilator", params, &options, &why));
  must(hd_stress_open(&p->bench, params, foreign, &options, &why));
  p->sides.original = hd_stress_pinned(&p->original);
  p->sides.changed = hd_stress_pinned(&p->changed);
  assert_non_null(p->sides.original);
  assert_non_null(p->sides.changed);
}

/* If `rtl` is NULL, the original plays beside itself. */
static void pair_begin(struct pair *p, const struct hd_switch_params *params, const char *rtl)
{
  pair_begin_with(p, params, rtl, false);
}

static void pair_end(struct pair *p)
{
  hd_stress_close(&p->bench);
  hd_backend_close(&p->original);
  hd_backend_close(&p->changed);
}

static void play(struct pair *p, const struct hd_switch_params *params,
                 struct hd_stress_result *result)
{
  const struct hd_stress_case c = {.params = *params, .seed = 1};
  must(hd_stress_play(&c, &p->sides, result, &why));
  print_message("seed 1: %llu cycles, %llu flits compared; %s\n",
                (unsigned long long)result->cycles, (unsigned long long)result->flits,
                result->found.difference ? result->found.text : "they agree");
}

/* Plays the inputs of a segment to the model and to one side. */
static int play_to_model(struct pair *p, const struct hd_switch_params *params,
                         const struct hd_stress_traffic *traffic, const struct hd_backend *side,
                         struct hd_stream_result *result)
{
  const struct hd_stress_case c = {.params = *params, .seed = 1};
  struct hd_tape *tape = NULL;
  must(hd_stress_record(&tape, &c, traffic, &p->sides, &why));
  int status = hd_tape_play(tape, side->ops, result, &why);
  hd_tape_destroy(tape);
  return status;
}

/* ── tests ─────────────────────────────────────────────────────────────────── */

TEST(the_original_agrees_with_itself)
{
  struct hd_stress_result result;
  struct pair p;
  pair_begin(&p, &plain, NULL);
  play(&p, &plain, &result);
  assert_int_equal(result.found.difference, HD_STRESS_AGREED);
  assert_true(result.cycles > 200000 && result.flits > 200000);
  pair_end(&p);
}

/* The model answers the tape's inputs as the original answered the bench. So the tape has everything that was at the
 * pins. */
TEST(a_tape_replays_everything_that_was_at_the_pins)
{
  struct hd_stress_traffic traffic = {.seed = 2, .cycles = 6000};
  struct hd_stream_result result;
  struct pair p;
  pair_begin(&p, &full, NULL);
  for (unsigned profile = 0; profile < 16; profile++) {
    traffic.mixed = profile & 1;
    traffic.writes = profile >> 1 & 1;
    traffic.resets = profile >> 2 & 1;
    traffic.illegal = profile >> 3 & 1;
    int status = play_to_model(&p, &full, &traffic, &p.original, &result);
    print_message("profile %u: %llu compared %s\n", profile, (unsigned long long)result.compared,
                  result.text);
    assert_int_equal(status, HD_OK);
    assert_true(result.compared > 1000);
  }
  pair_end(&p);
}

/* The contract has no event for how long a value stays at cfg_rdata_o (§3.1). So only the comparison of pins finds
 * the difference. */
TEST(values_at_pins_are_compared_also_between_events)
{
  struct hd_stress_result result;
  struct hd_stream_result judged;
  struct pair p;
  plant_rtl("build/planted-stress", "hd_config.v", "else if (read_i) rdata_o <= value;",
            "else rdata_o <= read_i ? value : 16'd0;");
  pair_begin(&p, &plain, "build/planted-stress");
  play(&p, &plain, &result);
  assert_int_equal(result.found.difference, HD_STRESS_READ);
  assert_true(result.found.cycle < 2000);
  assert_int_equal(play_to_model(&p, &plain, &result.traffic, &p.changed, &judged), HD_OK);
  pair_end(&p);
}

TEST(a_pointer_that_sticks_at_its_65536th_move_is_found)
{
  struct hd_stress_result result;
  struct hd_stream_result judged;
  struct pair p;
  plant_rtl("build/planted-stress", "hd_rr_arbiter.v",
            "    if (rst) from_q <= NONE;\n    else from_q <= from_q ^ turned;",
            "    if (rst) from_q <= NONE;\n"
            "    else if (moves_q != 16'hffff) from_q <= from_q ^ turned;\n"
            "  reg [15:0] moves_q;\n"
            "  always @(posedge clk)\n"
            "    if (rst) moves_q <= 16'd0;\n"
            "    else if (advance_i) moves_q <= moves_q + 16'd1;");
  pair_begin(&p, &plain, "build/planted-stress");
  play(&p, &plain, &result);
  assert_true(result.found.difference == HD_STRESS_FLIT ||
              result.found.difference == HD_STRESS_CREDIT);
  assert_true(result.found.cycle > 65536);
  assert_int_equal(play_to_model(&p, &plain, &result.traffic, &p.changed, &judged),
                   HD_E_DIVERGENCE);
  assert_int_equal(play_to_model(&p, &plain, &result.traffic, &p.original, &judged), HD_OK);
  pair_end(&p);
}

TEST(a_failed_assertion_is_a_difference)
{
  struct hd_stress_result result;
  struct pair p;
  plant_rtl("build/planted-stress", "hd_config.v", "else if (read_i) rdata_o <= value;",
            "else if (read_i) begin rdata_o <= value; if (addr_i == 20'd4) $stop; end");
  pair_begin(&p, &plain, "build/planted-stress");
  play(&p, &plain, &result);
  assert_int_equal(result.found.difference, HD_STRESS_ASSERTION);
  assert_non_null(strstr(result.found.text, "hd_config.v"));
  pair_end(&p);
}

/* ── a router of any kind ──────────────────────────────────────────────────── */

/* Heddle's switch, treated as a router without a model. Packets to node n leave by port n % 3. */
static void make_router(struct hd_stress_router *router)
{
  static struct hd_config_event writes[3 * 16];
  *router = (struct hd_stress_router){.writes = writes, .n_writes = 3 * 16};
  for (unsigned port = 0; port < 3; port++)
    for (unsigned node = 0; node < 16; node++) {
      writes[16 * port + node] = (struct hd_config_event){.addr = 1u << 16 | port << 12 | node,
                                                          .data = (uint16_t)(0x1ff0 | node % 3)};
      router->nodes[port][node] =
          port == 2 ? 0 /* nothing comes by it */
                    : (uint16_t)(HD_STRESS_NODE | (node % 3 == port ? (node + 1) % 16 : node));
    }
}

static int play_router(struct pair *p, const struct hd_stress_router *router,
                       struct hd_stress_result *result, struct hd_tape **tape)
{
  const struct hd_stress_case c = {.params = plain, .seed = 3, .router = router};
  must(hd_stress_play(&c, &p->sides, result, &why));
  print_message("seed 3: %llu cycles, %llu flits compared; %s\n",
                (unsigned long long)result->cycles, (unsigned long long)result->flits,
                result->found.difference ? result->found.text : "they agree");
  *tape = NULL;
  return result->found.difference ? hd_stress_record(tape, &c, &result->traffic, &p->sides, &why)
                                  : HD_OK;
}

TEST(without_a_model_only_flits_and_credits_are_compared)
{
  struct hd_stress_router router;
  struct hd_stress_result result;
  struct hd_tape *tape;
  struct pair p;
  make_router(&router);
  plant_rtl("build/planted-stress", "hd_config.v", "else if (read_i) rdata_o <= value;",
            "else rdata_o <= 16'd1;");
  pair_begin_with(&p, &plain, "build/planted-stress", true);
  play_router(&p, &router, &result, &tape);
  assert_int_equal(result.found.difference, HD_STRESS_AGREED);
  assert_true(result.cycles > 200000 && result.flits > 100000);
  pair_end(&p);
}

/* The tape shows the same difference against the original, without the model. The original shows no difference
 * against itself. */
TEST(a_tape_shows_its_difference_against_an_original_without_the_model)
{
  struct hd_stress_router router;
  struct hd_stress_result result;
  struct hd_stream_result judged;
  struct hd_tape *tape;
  struct pair p;
  make_router(&router);
  plant_rtl("build/planted-stress", "hd_rr_arbiter.v", "    if (advance_i)\n      for",
            "    if (!advance_i)\n      for");
  pair_begin_with(&p, &plain, "build/planted-stress", true);
  assert_int_equal(play_router(&p, &router, &result, &tape), HD_OK);
  assert_non_null(tape);
  const struct hd_tape_dut original = {p.original.ops, p.original.options};
  hd_tape_set_reference(tape, &original);
  assert_int_equal(hd_tape_play(tape, p.changed.ops, &judged, NULL), HD_E_DIVERGENCE);
  assert_int_equal(judged.port, result.found.port);
  assert_int_equal(hd_tape_play(tape, p.original.ops, &judged, NULL), HD_OK);
  assert_true(judged.compared > 0);
  hd_tape_destroy(tape);
  pair_end(&p);
}
