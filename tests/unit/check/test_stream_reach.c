/* Streams reach states in which faults hide: rare headers, the ends of all waits, whole rounds of barriers.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/check/streams/barrier_stream.h"
#include "../lib/stream_tests.h"
#include "../lib/switch_set.h"
#include "../lib/test.h"

enum { SEED = 1, STREAMS = 8 };

/* 5 ports, 2 channels of 32 bits: a message is a flit. */
static const struct hd_switch_params k_params =
    SWITCH_SET(5, 2, 32, 4, 16, 1, 1, 0, 0, 0, 0, HD_BARRIER_FIXED, 4, 6);

static void make_stream_of_style(struct stream *s, uint32_t cycles,
                                 const struct stream_style *style, uint64_t seed)
{
  must(hd_stream_make(s, &k_params, cycles, style, seed, &why));
}

/* A head of mode 1 is routed by its destination if that entry is valid (§2.7). So mode 1 is legal also without source
 * tables. */
TEST(heads_of_legal_streams_have_all_modes)
{
  uint32_t modes[4] = {0};
  CLEANUP(hd_stream_fini) struct stream s;
  make_stream_of_style(&s, 4096, &(struct stream_style){.load = 500}, SEED);
  for (uint32_t i = 0; i < s.n_flits_in; i++)
    if (s.flits_in[i].kind == HD_KIND_HEAD || s.flits_in[i].kind == HD_KIND_SINGLE)
      modes[s.flits_in[i].data & 3]++;
  print_message("heads of modes 0 to 3: %u, %u, %u, %u\n", modes[0], modes[1], modes[2], modes[3]);
  assert_true(modes[0] > 30 && modes[1] > 30 && modes[2] > 30);
  assert_int_equal(modes[3], 0);
}

/* Counts flits for a buffer that the flit of the cycle before has filled, or would have filled if no flit had left.
 */
TEST(streams_overrun_a_buffer_in_the_cycle_after_it_is_filled)
{
  int left[HD_MAX_PORTS][HD_MAX_VCS];
  uint32_t filled[HD_MAX_PORTS][HD_MAX_VCS] = {0}, overrun = 0; /* cycle + 1 */
  CLEANUP(hd_stream_fini) struct stream s;
  make_stream_of_style(&s, 4096, &(struct stream_style){.load = 700, .illegal = 60, .floods = 200},
                       SEED);
  for (uint32_t p = 0; p < HD_MAX_PORTS; p++)
    for (uint32_t v = 0; v < HD_MAX_VCS; v++)
      left[p][v] = (int)k_params.depth_flits;
  for (uint32_t i = 0, k = 0; i < s.n_flits_in; i++) {
    const struct hd_flit_event *e = &s.flits_in[i];
    for (; k < s.n_credits_out && s.credits_out[k].cycle <= e->cycle; k++)
      for (uint32_t v = 0; v < k_params.vcs; v++)
        left[s.credits_out[k].port][v] += s.credits_out[k].vcs >> v & 1;
    if (e->vc >= k_params.vcs)
      continue;
    overrun += left[e->port][e->vc] <= 0 && filled[e->port][e->vc] == e->cycle;
    if (left[e->port][e->vc] > 0 && !--left[e->port][e->vc])
      filled[e->port][e->vc] = e->cycle + 1;
  }
  print_message("%u flits right after the one that fills a buffer\n", overrun);
  assert_true(overrun > 250);
}

/* Counts preemptions by their length, in powers of two from 8 to 16384 cycles, at all ports. */
TEST(preemptions_last_up_to_each_power_of_two_of_idle)
{
  uint32_t lengths[32] = {0}, ports[32] = {0};
  for (uint32_t target = 0; target < 3; target++) {
    const struct stream_style style = {
        .load = 900, .ends = 2000, .target = target, .waits = true, .narrow = true};
    uint32_t since[HD_MAX_PORTS] = {0};
    struct stream s;
    make_stream_of_style(&s, 69700, &style, SEED + target);
    for (uint32_t i = 0; i < s.n_flits_out; i++) {
      const struct hd_flit_event *e = &s.flits_out[i];
      if (e->kind != HD_KIND_PADDING)
        continue;
      if (!(e->data & 1)) {
        since[e->port] = e->cycle;
        continue;
      }
      const uint32_t bit = 31 - (uint32_t)__builtin_clz((e->cycle - since[e->port]) | 1);
      lengths[bit]++;
      ports[bit] |= 1u << e->port;
    }
    hd_stream_fini(&s);
  }
  for (uint32_t bit = 3; bit <= 14; bit++) {
    print_message("2^%u cycles: %u times, ports 0x%x\n", bit, lengths[bit], ports[bit]);
    assert_int_equal(ports[bit], (1u << k_params.ports) - 1);
  }
}

struct rounds {
  uint32_t nodes, children; /* that are released */
};

static struct rounds count_rounds(const struct stream_style *style)
{
  struct rounds n = {0, 0};
  for (uint64_t seed = SEED; seed < SEED + STREAMS; seed++) {
    struct stream s;
    make_stream_of_style(&s, 512, style, seed);
    for (uint32_t i = 0; i < s.n_flits_out; i++) {
      const uint32_t message = (uint32_t)s.flits_out[i].data;
      const bool is_local = message >> 31, distributes = (message & 3) == HD_DISTRIBUTE;
      if (s.flits_out[i].kind != HD_KIND_BARRIER_LAST)
        continue;
      n.nodes += is_local && distributes;
      n.children += !is_local && distributes;
    }
    hd_stream_fini(&s);
  }
  return n;
}

TEST(barrier_trees_complete_many_rounds_in_a_stream)
{
  const struct rounds one_by_one =
      count_rounds(&(struct stream_style){.load = 500, .pauses = 500, .narrow = true});
  const struct rounds trees = count_rounds(
      &(struct stream_style){.load = 400, .pauses = 300, .narrow = true, .trees = true});
  print_message("released one by one: %u nodes, %u children; in rounds: %u nodes, %u children\n",
                one_by_one.nodes, one_by_one.children, trees.nodes, trees.children);
  assert_true(trees.nodes > 10 * STREAMS && trees.nodes > 3 * one_by_one.nodes);
  assert_true(trees.children > 8 * STREAMS && trees.children > 2 * one_by_one.children);
}

/* Counts pairs that are picked while others are ready. Which pair is first then depends on both pairs and on the
 * pointer. */
TEST(coder_pairs_are_picked_while_other_pairs_are_ready)
{
  struct hd_switch_params params = k_params;
  struct hd_stream_case c;
  struct hd_stream_result result;
  params.barrier = HD_BARRIER_NONE;
  params.groups = params.switches = 0;
  params.code_places = 16;
  hd_stream_case_of(&params, HD_STREAM_CODER, &c);
  c.seed = SEED;
  must(hd_stream_play(&c, hd_dut_model_backend(), NULL, &result, &why));
  const uint64_t several = result.coverage.count[HD_POINT_PAIRS_SEVERAL];
  print_message("%llu pairs picked of several\n", (unsigned long long)several);
  assert_true(several > 300);
}
