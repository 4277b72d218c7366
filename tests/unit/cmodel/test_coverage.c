/* Coverage of the specification by streams around a single switch: every point is reached, and counting changes
 * nothing.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The streams have fixed seeds, so they always reach the same points. If a change of the model makes a point
 * unreachable, the test fails.
 */
#include "../../../bridge/check/streams/barrier_stream.h"
#include "../lib/switch_set.h"
#include "../lib/dice.h"
#include "../lib/test.h"
#include "../../../bridge/check/streams/switch_stream.h"
#include "../../../cmodel/switch/switch.h"

enum { CYCLES = 3000 };

/* Points that no stream of the library reaches, and why. */
static const struct {
  enum hd_spec_point point;
  const char *why;
} out_of_reach[] = {
    {HD_POINT_NODE_MESSAGE, "a network interface"},
    {HD_POINT_NODE_NULL, "a network interface"},
    {HD_POINT_NODE_PADDING, "a network interface"},
    {HD_POINT_NODE_HELD, "a network interface"},
    {HD_POINT_INJECTED, "a network interface"},
    {HD_POINT_INJECT_HIGHER, "a network interface"},
    {HD_POINT_INJECT_PLACE, "a network interface"},
    {HD_POINT_INJECT_CREDIT, "a network interface"},
    {HD_POINT_INJECT_BEFORE, "a network interface"},
    {HD_POINT_INJECT_FIRST, "a network interface"},
};

static bool is_out_of_reach(enum hd_spec_point point)
{
  for (size_t i = 0; i < sizeof out_of_reach / sizeof *out_of_reach; i++)
    if (out_of_reach[i].point == point)
      return true;
  return false;
}

struct lists {
  struct hd_flit_event flits[HD_MAX_PORTS];
  struct hd_credit_event credits[HD_MAX_PORTS];
  uint32_t tags[HD_MAX_PORTS];
};

/* Channels' blocked flit-cycles (§6.3) make those of the switch. */
static void expect_blocked(const uint64_t of_channels[HD_MAX_PORTS * HD_MAX_VCS], uint64_t expected)
{
  uint64_t sum = 0;
  for (unsigned i = 0; i < HD_MAX_PORTS * HD_MAX_VCS; i++)
    sum += of_channels[i];
  assert_int_equal(sum, expected);
}

/* Plays the stream's inputs to a switch that counts into `coverage`, which may be NULL; returns a digest
 * of what it showed. */
static uint64_t play(const struct stream *s, struct hd_coverage *coverage)
{
  void *block = aligned_alloc(64, hd_switch_size(&s->params));
  struct hd_switch *sw = hd_switch_init(block, &s->params);
  struct lists lists;
  uint32_t f = 0, c = 0, w = 0;
  uint64_t digest = 0, of_channels[HD_MAX_PORTS * HD_MAX_VCS] = {0}, blocked = 0;
  hd_switch_cover(sw, coverage, of_channels, 0x5555);
  for (uint32_t i = 0; i < s->n_tables; i++)
    hd_switch_config_write(sw, 0, s->tables[i].addr, s->tables[i].data);
  for (uint32_t cycle = 1; cycle <= s->cycles; cycle++) {
    uint32_t now = cycle - 1; /* of the stream; in 0 the tables were written */
    struct hd_switch_output out = {lists.flits, lists.tags, lists.credits, 0, 0, 0};
    if (w < s->n_configs_in && s->configs_in[w].cycle == now)
      hd_switch_config_ahead(sw, cycle);
    hd_switch_advance(sw, cycle, 0, &out);
    blocked += out.blocked;
    for (uint32_t i = 0; i < out.n_flits; i++)
      digest = hd_mix64(digest + out.flits[i].data + out.flits[i].cycle + out.flits[i].kind);
    for (uint32_t i = 0; i < out.n_credits; i++)
      digest = hd_mix64(digest + hd_credit_set(&out.credits[i]) + out.credits[i].port);
    for (; f < s->n_flits_in && s->flits_in[f].cycle == now; f++)
      hd_switch_put_flit(sw, cycle, s->flits_in[f].port, s->flits_in[f].vc, s->flits_in[f].kind,
                         s->flits_in[f].data, 0);
    for (; c < s->n_credits_in && s->credits_in[c].cycle == now; c++)
      hd_switch_put_credit(sw, cycle, s->credits_in[c].port, hd_credit_set(&s->credits_in[c]));
    for (; w < s->n_configs_in && s->configs_in[w].cycle == now; w++)
      hd_switch_config_write(sw, cycle, s->configs_in[w].addr, s->configs_in[w].data);
    digest = hd_mix64(digest + hd_switch_quiescent(sw, cycle + 1));
    if (cycle % 64 == 0)
      digest = hd_mix64(digest + hd_switch_config_read(sw, (cycle / 64) % (HD_REGISTERS + 1)));
  }
  hd_switch_config_write(sw, s->cycles + 1, HD_CFG_ID, 0);
  hd_switch_reset(sw);
  free(block);
  expect_blocked(of_channels, coverage ? blocked : 0);
  return digest;
}

/* Parameters of stream `i`, of every kind of switch in turn. */
static struct hd_switch_params params_of(uint32_t i, uint64_t *rnd)
{
  static const uint32_t widths[] = {16, 32, 64};
  struct hd_switch_params p = {
      .ports = 2 + below(rnd, 5),
      .vcs = 1 + below(rnd, 5),
      .data_bits = widths[i / 18 % 3],
      .nodes = 3 + below(rnd, 14),
      .route_cycles = 1 + below(rnd, 2),
      .arb_cycles = 1 + below(rnd, 2),
      .buffer_cycles = below(rnd, 2),
      .source_table = below(rnd, 2),
      .adaptive = i / 2 % 2 * (1 + i / 4 % 2),
      .barrier = i % 6,
      .groups = 1 + below(rnd, 4),
      .switches = 6 + below(rnd, 3),
  };
  if (!p.adaptive && p.source_table && i / 9 % 2) /* packets decide */
    p.adaptive = HD_ADAPTIVE_UGAL;
  p.values = p.barrier && p.data_bits == 64 && i / 54 % 2;
  p.vcs += p.barrier == HD_BARRIER_RESERVED && p.vcs == 1;
  p.depth_flits = hd_switch_least_depth(&p) + 1 + below(rnd, 5);
  if (p.adaptive == HD_ADAPTIVE_COUNT &&
      chance(rnd, 300)) /* room for more packets than can be told */
    p.depth_flits = HD_MAX_DEPTH;
  p.cut_flits = chance(rnd, 300) ? 1 + below(rnd, p.depth_flits) : 0;
  if (!p.adaptive && i / 18 % 2) { /* multicast */
    p.trees = 1 + below(rnd, 6);
    p.arb_cycles = 1;
    p.source_table = 0;
    return p;
  }
  if (i / 36 % 2) {
    p.code_places = 1 + below(rnd, 12);
    p.code_cycles = below(rnd, 2) ? below(rnd, 64) : 0;
    if (hd_switch_params_check(&p, &why)) /* no room for a code field */
      p.code_places = 0;
  }
  must(hd_switch_params_check(&p, &why));
  return p;
}

static void make_stream_number(struct stream *s, uint32_t i)
{
  uint64_t rnd = 1000 + i;
  struct hd_switch_params p = params_of(i, &rnd);
  struct stream_style style = {
      .load = i % 4 == 3 ? 20 : 100 + below(&rnd, 700),
      .illegal = i / 6 % 3 ? 0 : 1 + below(&rnd, 30),
      .clears = i / 6 % 3 ? 0 : below(&rnd, 40),
      .reads = 200,
      .pauses = below(&rnd, 3) ? 0 : 5,
      .narrow = i % 2,
      .fails = i % 2 ? below(&rnd, 100) : 0,
      .trees = p.values && i % 2, /* rounds as a whole, in which values join */
  };
  if (p.depth_flits == HD_MAX_DEPTH) { /* to fill it */
    style.load = 1000;
    style.keeps = 1000;
  }
  must(hd_stream_make(s, &p, CYCLES, &style, i + 1, &why));
}

TEST(streams_reach_every_coverage_point)
{
  struct hd_coverage all = {{0}};
  uint32_t n = n_streams(240), missing = 0, reached = 0;
  for (uint32_t i = 0; i < n; i++) {
    CLEANUP(hd_stream_fini) struct stream s;
    struct hd_coverage own = {{0}};
    make_stream_number(&s, i);
    play(&s, &own);
    for (unsigned p = 0; p < HD_POINTS; p++) {
      const struct hd_coverage_point *point = &hd_coverage_list[p];
      all.count[p] += own.count[p];
      if (own.count[p] && point->by == HD_COVERAGE_TEST && !hd_coverage_possible(&s.params, p))
        fail_msg("stream %u reached §%s %s, which needs %s", i, point->section, point->name,
                 point->when);
    }
  }
  for (unsigned p = 0; p < HD_POINTS; p++) {
    const struct hd_coverage_point *point = &hd_coverage_list[p];
    reached += all.count[p] != 0;
    if (!all.count[p] == is_out_of_reach(p))
      continue;
    missing++;
    printf("§%s %s (%s): %s\n", point->section, point->name, point->about,
           all.count[p] ? "is reached, take it off the list" : "no stream reaches it");
  }
  printf("%u of %u points reached by %u streams\n", reached, HD_POINTS, n);
  assert_int_equal(missing, 0);
}

static uint64_t sum(const struct hd_coverage *c, enum hd_spec_point first, enum hd_spec_point last)
{
  uint64_t n = 0;
  for (unsigned i = first; i <= last; i++)
    n += c->count[i];
  return n;
}

/* Counts flits of packets and other flits that left within the stream. Some flits of its last cycles are missing. */
static uint32_t data_flits(const struct stream *s)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->n_flits_out; i++)
    n += !(s->flits_out[i].kind & HD_KIND_RESERVED);
  return n;
}

static const enum hd_spec_point ways_to_errors[] = {HD_POINT_OVERFLOW,
                                                    HD_POINT_OVERFLOW_POP,
                                                    HD_POINT_CHANNEL,
                                                    HD_POINT_OPEN_HEAD,
                                                    HD_POINT_OPEN_SINGLE,
                                                    HD_POINT_IDLE_BODY,
                                                    HD_POINT_IDLE_TAIL,
                                                    HD_POINT_NO_WAY_HEAD,
                                                    HD_POINT_NO_WAY_SINGLE,
                                                    HD_POINT_SINK_HEAD,
                                                    HD_POINT_SINK_SINGLE,
                                                    HD_POINT_RESERVED_IDLE,
                                                    HD_POINT_RESERVED_OPEN,
                                                    HD_POINT_RESERVED_SINK,
                                                    HD_POINT_CREDIT_SURPLUS,
                                                    HD_POINT_PLACE_SURPLUS,
                                                    HD_POINT_REQUEST_TWICE,
                                                    HD_POINT_END_OF_NONE,
                                                    HD_POINT_PADDING_CHANNEL,
                                                    HD_POINT_FIRST_FLIT_ALONE,
                                                    HD_POINT_QUEUE_OVERFLOW,
                                                    HD_POINT_QUEUE_OVERFLOW_TAKEN,
                                                    HD_POINT_NULL_IDLE,
                                                    HD_POINT_FRONT_PADDING,
                                                    HD_POINT_LOCAL_TYPE,
                                                    HD_POINT_LOCAL_NO_GROUP,
                                                    HD_POINT_LOCAL_NO_MEMBER,
                                                    HD_POINT_LOCAL_TWICE,
                                                    HD_POINT_PASS_BUILT,
                                                    HD_POINT_PASS_0_TWICE,
                                                    HD_POINT_PASS_3,
                                                    HD_POINT_PASS_TABLE,
                                                    HD_POINT_HERE_NO_GROUP,
                                                    HD_POINT_HERE_NO_BSR,
                                                    HD_POINT_INITIAL_NO_ROOT,
                                                    HD_POINT_INITIAL_BUILT,
                                                    HD_POINT_INITIAL_COUNT,
                                                    HD_POINT_INITIAL_3,
                                                    HD_POINT_INITIAL_TWICE,
                                                    HD_POINT_REDUCE_EARLY,
                                                    HD_POINT_REDUCE_NO_CHILD,
                                                    HD_POINT_REDUCE_TWICE,
                                                    HD_POINT_DISTRIBUTE_ROOT,
                                                    HD_POINT_DISTRIBUTE_UP,
                                                    HD_POINT_DISTRIBUTE_LOCAL,
                                                    HD_POINT_DISTRIBUTE_CHILD,
                                                    HD_POINT_DISTRIBUTE_PARENT,
                                                    HD_POINT_NO_PORT,
                                                    HD_POINT_NO_PORT_SEND,
                                                    HD_POINT_OPEN_TWICE,
                                                    HD_POINT_OPEN_TABLE,
                                                    HD_POINT_PLACE_INCOMPLETE,
                                                    HD_POINT_TAIL_MISSING,
                                                    HD_POINT_CODE_UNUSED,
                                                    HD_POINT_PLACE_BEYOND,
                                                    HD_POINT_PLACE_CLOSED,
                                                    HD_POINT_PLACE_OCCUPIED,
                                                    HD_POINT_TOO_LONG,
                                                    HD_POINT_WRONG_LENGTH};

/* Sums that are counted in two ways are equal. */
TEST(sums_of_coverage_counts_that_must_be_equal_are_equal)
{
  uint64_t all_heads = 0;
  for (uint32_t i = 0; i < 72; i++) {
    CLEANUP(hd_stream_fini) struct stream s;
    struct hd_coverage c = {{0}};
    make_stream_number(&s, i);
    play(&s, &c);
    const uint64_t *n = c.count;
    uint64_t heads = n[HD_POINT_IDLE_HEAD] + n[HD_POINT_IDLE_SINGLE];
    uint64_t granted = sum(&c, HD_POINT_IDLE_HEAD, HD_POINT_OPEN_SINGLE) +
                       sum(&c, HD_POINT_MADE_SINGLE, HD_POINT_MADE_PADDED);
    all_heads += heads;
    assert_true(granted >= data_flits(&s) && granted <= data_flits(&s) + 5 * s.params.ports);
    assert_int_equal(sum(&c, HD_POINT_CHOICE_1, HD_POINT_CHOICE_4), heads);
    assert_int_equal(sum(&c, HD_POINT_NODE_TO_NODE, HD_POINT_SWITCH_TO_SWITCH), heads);
    assert_int_equal(n[HD_POINT_PACKET_OF_TWO] + n[HD_POINT_PACKET_OF_MORE], n[HD_POINT_OPEN_TAIL]);
    assert_int_equal(n[HD_POINT_NODE_MESSAGE], 0);
    uint64_t errors = n[HD_POINT_ERROR_FIRST] + n[HD_POINT_ERROR_AGAIN], ways = 0;
    for (size_t e = 0; e < sizeof ways_to_errors / sizeof *ways_to_errors; e++)
      ways += n[ways_to_errors[e]];
    assert_int_equal(ways, errors);
  }
  assert_true(all_heads > 10000);
}

/* A switch of four inputs; in each cycle single flits to output 0 from those of `inputs`. */
TEST(ties_between_inputs_are_counted_by_their_number)
{
  struct hd_switch_params p = {SIMPLE_SWITCH(4, 1, 16, 4, 2)};
  struct hd_coverage c = {{0}};
  struct lists lists;
  uint64_t blocked[4] = {0};
  void *block = aligned_alloc(64, hd_switch_size(&p));
  struct hd_switch *sw = hd_switch_init(block, &p);
  for (unsigned port = 0; port < 4; port++)
    hd_switch_config_write(sw, 0, HD_CFG_DESTINATION(port, 1), hd_table_entry(0, 1));
  hd_switch_cover(sw, &c, blocked, 1); /* output 0 leads to a node */
  for (uint64_t cycle = 10; cycle < 20; cycle++) {
    struct hd_switch_output out = {lists.flits, lists.tags, lists.credits, 0, 0, 0};
    hd_switch_advance(sw, cycle, 0, &out);
    for (unsigned port = 0; cycle == 10 && port < 3; port++)
      hd_switch_put_flit(sw, cycle, port, 0, HD_KIND_HEAD | HD_KIND_TAIL, 1 << 2, 0);
  }
  /* Input 0 goes first, 1 waits a cycle, 2 waits two. */
  for (unsigned port = 0; port < 4; port++)
    assert_int_equal(blocked[port], port < 3 ? port : 0);
  free(block);
  static const struct {
    enum hd_spec_point point;
    uint64_t n;
  } expected[] = {
      {HD_POINT_IDLE_SINGLE, 3}, {HD_POINT_TIE_2_NODE, 1},    {HD_POINT_TIE_3_NODE, 1},
      {HD_POINT_TIE_4_NODE, 0},  {HD_POINT_TIE_3_SWITCH, 0},  {HD_POINT_MODE_0, 3},
      {HD_POINT_FIRST_SLOT, 3},  {HD_POINT_GRANTS_AGAIN, 2},  {HD_POINT_GRANTS_OTHER, 0},
      {HD_POINT_SAME_PORT, 1},   {HD_POINT_NODE_TO_NODE, 1},  {HD_POINT_SWITCH_TO_NODE, 2},
      {HD_POINT_WAKE_FLIT, 1},   {HD_POINT_CREDIT_LAST, 0},   {HD_POINT_OUTPUT_WRAPS, 0},
      {HD_POINT_OPEN_BODY, 0},   {HD_POINT_VC_NEXT_WRAPS, 3}, {HD_POINT_ARRIVES_AGAIN, 0},
      {HD_POINT_CREDIT_ALL, 0},  {HD_POINT_WRITE_ENTRY, 0},   {HD_POINT_HEAD_NO_CREDIT, 0},
      {HD_POINT_ALL_OUTPUTS, 0}, {HD_POINT_CHOICE_1, 3},      {HD_POINT_CHOICE_2, 0},
  };
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    if (c.count[expected[i].point] != expected[i].n)
      fail_msg("§%s %s: %llu, not %llu", hd_coverage_list[expected[i].point].section,
               hd_coverage_list[expected[i].point].name,
               (unsigned long long)c.count[expected[i].point], (unsigned long long)expected[i].n);
}

TEST(counting_coverage_does_not_change_the_run)
{
  struct hd_coverage coverage = {{0}};
  for (uint32_t i = 0; i < 12; i++) {
    CLEANUP(hd_stream_fini) struct stream s;
    make_stream_number(&s, i % 2 ? i : 36 + i);
    assert_true(play(&s, NULL) == play(&s, &coverage));
  }
  assert_true(coverage.count[HD_POINT_IDLE_HEAD] > 0);
}

TEST(coverage_points_have_unique_names)
{
  for (unsigned p = 0; p < HD_POINTS; p++)
    assert_int_equal(hd_coverage_find(hd_coverage_list[p].section, hd_coverage_list[p].name), p);
  assert_int_equal(hd_coverage_find("2.5", "no such point"), HD_POINTS);
}
