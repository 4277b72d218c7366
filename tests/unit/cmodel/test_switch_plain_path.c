/* The fast path of plain switches against the general one, on random meshes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Three fabrics must record the same events: with the fast path (switch_base_path.h), with the fast path and
 * coverage, and with the general path and coverage. The last two must count the same coverage points. HD_SEED=N
 * replays a run.
 */
#include "../../../cmodel/fabric/fabric_state.h"
#include "../../../cmodel/switch/switch_state.h"
#include "../lib/dice.h"
#include "../lib/test.h"

enum { CYCLES = 400, WINDOW = 100, FABRICS = 120 };
enum { PLAIN, COVERED, COMMON, KINDS };

static struct hd_fabric_params draw_params(struct dice *dice)
{
  struct hd_fabric_params p = {.link_cycles = 1 + roll(dice, 3)};
  p.sw = (struct hd_switch_params){.ports = 5,
                                   .vcs = 1 + roll(dice, 8),
                                   .data_bits = 16u << roll(dice, 3),
                                   .depth_flits = 1 + roll(dice, 9),
                                   .nodes = 64,
                                   .route_cycles = 1 + roll(dice, 2),
                                   .arb_cycles = 1,
                                   .buffer_cycles = roll(dice, 2)};
  return p;
}

/* Makes the fabric's switches use the general cycle instead of the plain one. */
static void make_common(struct hd_fabric *f)
{
  f->plain = false;
  for (uint32_t sw = 0; sw < f->topology->n_switches; sw++)
    hd_fabric_block(f, sw)->is_plain = false;
}

static void send_random(struct hd_fabric *fabrics[KINDS], const struct hd_topology *t,
                        struct dice *dice, uint32_t often)
{
  for (uint32_t node = 0; node < t->n_nodes; node++) {
    struct hd_packet packet = {
        .source = node, .destination = roll(dice, t->n_nodes), .flits = 1 + roll(dice, 6)};
    uint32_t number;
    if (roll(dice, 40) >= often)
      continue;
    if (!roll(dice, 50)) { /* a header that leads nowhere, for some switches */
      packet.raw_header = true;
      packet.header = roll(dice, 1u << 16);
    }
    for (unsigned i = 0; i < KINDS; i++)
      must(hd_fabric_send(fabrics[i], &packet, &number, &why));
  }
}

static uint64_t compare(const struct hd_record *a, const struct hd_record *b)
{
  uint64_t events = 0;
  for (uint32_t sw = 0; sw < a->n_switches; sw++) {
    const struct hd_switch_record *r = &a->switches[sw], *s = &b->switches[sw];
#define SAME(list, n)           \
  assert_int_equal(r->n, s->n); \
  if (r->n)                     \
  assert_memory_equal(r->list, s->list, r->n * sizeof *r->list)
    SAME(flits_in, n_flits_in);
    SAME(tags_in, n_flits_in);
    SAME(credits_in, n_credits_in);
    SAME(flits_out, n_flits_out);
    SAME(tags_out, n_flits_out);
    SAME(credits_out, n_credits_out);
    SAME(toggles, n_toggles);
#undef SAME
    events += r->n_flits_in + r->n_credits_in + r->n_flits_out + r->n_credits_out;
  }
  return events;
}

static uint64_t run_pair(struct dice *dice)
{
  const uint32_t dims[] = {2 + roll(dice, 3), 2 + roll(dice, 3)}, often = 1 + roll(dice, 20);
  struct hd_fabric_params params = draw_params(dice);
  CLEANUP(hd_topology_fini) struct hd_topology topology;
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  struct hd_fabric *fabrics[KINDS];
  struct hd_record records[KINDS];
  uint64_t events = 0;
  must(hd_topology_mesh(&topology, dims, 2, &why));
  must(hd_routing_build(&tables, &topology, HD_ROUTE_DIMENSION_ORDER, false, params.sw.vcs, 0,
                        &why));
  for (unsigned i = 0; i < KINDS; i++) {
    params.coverage = i != PLAIN;
    int status = hd_fabric_create(&fabrics[i], &params, &topology, &tables, &why);
    if (status)
      print_error("%s\n", why.text);
    assert_int_equal(status, HD_OK);
    assert_int_equal(hd_record_init(&records[i], topology.n_switches), HD_OK);
  }
  assert_true(fabrics[PLAIN]->plain && fabrics[COVERED]->plain);
  make_common(fabrics[COMMON]);
  for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
    for (unsigned i = 0; i < KINDS && cycle % WINDOW == 0; i++)
      hd_fabric_record_begin(fabrics[i], &records[i]);
    send_random(fabrics, &topology, dice, often);
    for (unsigned i = 0; i < KINDS; i++)
      must(hd_fabric_step(fabrics[i], &why));
    for (unsigned i = 0; i < KINDS && cycle % WINDOW == WINDOW - 1; i++)
      must(hd_fabric_record_end(fabrics[i], &why));
    if (cycle % WINDOW == WINDOW - 1)
      events +=
          compare(&records[PLAIN], &records[COMMON]) + compare(&records[COVERED], &records[COMMON]);
  }
  for (unsigned point = 0; point < HD_POINTS; point++)
    if (fabrics[COVERED]->coverage->count[point] != fabrics[COMMON]->coverage->count[point])
      fail_msg("point %u: %llu and %llu times", point,
               (unsigned long long)fabrics[COVERED]->coverage->count[point],
               (unsigned long long)fabrics[COMMON]->coverage->count[point]);
  assert_memory_equal(fabrics[COVERED]->blocked, fabrics[COMMON]->blocked,
                      (size_t)topology.n_switches * topology.ports * params.sw.vcs *
                          sizeof *fabrics[COMMON]->blocked);
  struct hd_fabric_counters counters[KINDS];
  for (unsigned i = 0; i < KINDS; i++) {
    hd_fabric_counters(fabrics[i], &counters[i]);
    hd_fabric_destroy(fabrics[i]);
    hd_record_fini(&records[i]);
  }
  for (unsigned i = 0; i < COMMON; i++) {
    assert_int_equal(counters[i].blocked_flit_cycles, counters[COMMON].blocked_flit_cycles);
    assert_int_equal(counters[i].last_progress, counters[COMMON].last_progress);
    assert_int_equal(counters[i].packets_received, counters[COMMON].packets_received);
  }
  return events;
}

TEST(the_fast_path_of_plain_switches_gives_the_same_events)
{
  struct dice dice =
      dice_begin("the_fast_path_of_plain_switches_gives_the_same_events", "test_switch_plain_path");
  uint64_t events = 0;
  for (uint32_t i = 0; i < n_cases(FABRICS); i++)
    events += run_pair(&dice);
  printf("%llu events compared\n", (unsigned long long)events);
  assert_true(events > 0);
}
