/* heddle diff: the first difference and the distribution of the rest.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/rundb_fixture.h"
#include "../lib/test.h"

#include "../../../bridge/record/diff.h"

enum { PACKETS = 50 };

/* The planted difference of a run: number of the packet or value; -1: none. */
struct change {
  int late_packet;    /* received 5 cycles later */
  int lost_packet;    /* not received */
  int missing_packet; /* never sent */
  int other_hop;      /* leaves by another port */
  int other_value;    /* the value that software recorded is larger by one */
  int values_end;     /* number of recorded values; then the second statistic is missing */
  bool hops;
  const char *text;
};
static const struct change no_change = {-1, -1, -1, -1, -1, PACKETS, true, NULL};

static void make_run(struct fixture *f, int i, const struct change *c, uint64_t digest)
{
  static char other[] = "name: other\n", same[] = "name: small\n";
  f->scenario.text = c->text ? other : same;
  struct hd_rundb *db = fixture_create(f, i);
  for (int n = 0; n < PACKETS; n++) {
    struct hd_rundb_packet p = fixture_packet((uint32_t)n);
    if (n == c->missing_packet)
      continue;
    if (n == c->late_packet)
      p.received += 5;
    if (n == c->lost_packet)
      p.received = UINT64_MAX;
    assert_int_equal(hd_rundb_packet(db, &p, NULL), 0);
    for (uint32_t h = 0; c->hops && h < 2; h++) {
      struct hd_rundb_hop hop = {.packet = (uint32_t)n,
                                 .hop = h,
                                 .sw = (uint16_t)h,
                                 .in_port = 0,
                                 .out_port = 1,
                                 .cycle = p.created + 4 + 4 * h};
      if (n == c->other_hop && h == 1)
        hop.out_port = 2;
      assert_int_equal(hd_rundb_hop(db, &hop, NULL), 0);
    }
  }
  for (int n = 0; n < c->values_end; n++)
    for (uint32_t s = 0; s < (c->values_end < PACKETS ? 1u : 2u); s++) {
      struct hd_rundb_value value = {s, s ? "waits" : "rounds", 10 * (uint64_t)n, 100 + s};
      value.value += n == c->other_value;
      assert_int_equal(hd_rundb_value(db, &value, NULL), 0);
    }
  fixture_finish(f, db, digest);
}

static void compare(struct fixture *f, const struct change *b, uint64_t digest,
                    struct hd_diff *diff)
{
  make_run(f, 0, &no_change, 1);
  make_run(f, 1, b, digest);
  must(hd_diff_runs(diff, f->path[0], f->path[1], false, &why));
}

TEST_WITH(identical_runs_are_reported_as_equal, fixture_setup, fixture_teardown)
{
  CLEANUP(hd_diff_fini) struct hd_diff d;
  compare(*state, &no_change, 1, &d);
  assert_true(hd_diff_equal(&d));
  assert_int_equal(d.packets_equal, PACKETS);
  assert_int_equal(d.hops_equal, 2 * PACKETS);
  assert_false(d.has_first);
}

TEST_WITH(runs_that_differ_only_in_the_digest_differ, fixture_setup, fixture_teardown)
{
  CLEANUP(hd_diff_fini) struct hd_diff d;
  compare(*state, &no_change, 2, &d);
  assert_false(hd_diff_equal(&d));
  assert_int_equal(d.packets_equal, PACKETS);
}

TEST_WITH(a_late_packet_is_found_with_its_cycle, fixture_setup, fixture_teardown)
{
  struct change c = no_change;
  CLEANUP(hd_diff_fini) struct hd_diff d;
  c.late_packet = 17;
  compare(*state, &c, 2, &d);
  assert_int_equal(d.packets_differ, 1);
  assert_int_equal(d.packets_equal, PACKETS - 1);
  assert_true(d.has_first);
  assert_false(d.first_is_hop);
  assert_int_equal(d.first_cycle, 17 * 10 + 12);
  assert_int_equal(d.first_a.packet.number, 17);
  assert_int_equal(d.latency_n, PACKETS);
  assert_int_equal(d.latency_minimum, 0);
  assert_int_equal(d.latency_maximum, 5);
  assert_true(d.latency_mean > 0.099 && d.latency_mean < 0.101);
  assert_int_equal(d.bins[HD_DIFF_BINS / 2], PACKETS - 1);
  assert_int_equal(d.bins[HD_DIFF_BINS / 2 + 3], 1); /* 4 to 7 */
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  hd_diff_text(&d, &text);
  assert_non_null(strstr(text.chars, "first difference in cycle 182: packet 17\n"));
  assert_non_null(strstr(text.chars, "maximum +5"));
}

TEST_WITH(of_several_differences_the_earliest_is_reported_first, fixture_setup, fixture_teardown)
{
  /* A packet with a lower number that differs in a later cycle is not reported first. */
  struct change c = no_change;
  CLEANUP(hd_diff_fini) struct hd_diff d;
  c.other_hop = 9;   /* cycle 98 */
  c.late_packet = 8; /* cycle 92 */
  compare(*state, &c, 2, &d);
  assert_false(d.first_is_hop);
  assert_int_equal(d.first_cycle, 92);
  assert_int_equal(d.hops_differ, 1);
  assert_int_equal(d.switches[0].sw, 1);
  assert_int_equal(d.switches[0].hops, 1);
  assert_int_equal(d.switches[1].hops, 0);
}

TEST_WITH(a_hop_by_another_port_is_found_with_its_switch, fixture_setup, fixture_teardown)
{
  struct change c = no_change;
  CLEANUP(hd_diff_fini) struct hd_diff d;
  c.other_hop = 30;
  compare(*state, &c, 2, &d);
  assert_true(d.first_is_hop);
  assert_int_equal(d.first_cycle, 308);
  assert_int_equal(d.first_a.hop.out_port, 1);
  assert_int_equal(d.first_b.hop.out_port, 2);
  assert_false(hd_diff_equal(&d));
}

TEST_WITH(lost_and_missing_packets_are_differences, fixture_setup, fixture_teardown)
{
  struct change c = no_change;
  CLEANUP(hd_diff_fini) struct hd_diff d;
  c.lost_packet = 4;
  c.missing_packet = 40;
  compare(*state, &c, 2, &d);
  assert_int_equal(d.packets_differ, 1);
  assert_int_equal(d.packets_only_a, 1);
  assert_int_equal(d.hops_only_a, 2);
  assert_int_equal(d.latency_n, PACKETS - 2);
  assert_int_equal(d.first_cycle, 52);
}

TEST_WITH(hops_are_not_compared_where_a_run_has_none, fixture_setup, fixture_teardown)
{
  struct change c = no_change;
  CLEANUP(hd_diff_fini) struct hd_diff d;
  c.hops = false;
  compare(*state, &c, 1, &d);
  assert_false(d.both_hops);
  assert_int_equal(d.hops_only_a, 0);
  assert_true(hd_diff_equal(&d));
}

TEST_WITH(values_recorded_by_software_are_compared_in_order, fixture_setup, fixture_teardown)
{
  struct change c = no_change;
  CLEANUP(hd_diff_fini) struct hd_diff d;
  c.other_value = 7;
  compare(*state, &c, 1, &d);
  assert_true(d.same_digest);
  assert_false(hd_diff_equal(&d));
  assert_int_equal(d.n_statistics, 2);
  for (size_t i = 0; i < 2; i++) {
    assert_string_equal(d.statistics[i].name, i ? "waits" : "rounds");
    assert_int_equal(d.statistics[i].equal, PACKETS - 1);
    assert_int_equal(d.statistics[i].differ, 1);
    assert_int_equal(d.statistics[i].first, 7);
  }
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  hd_diff_text(&d, &text);
  assert_non_null(strstr(text.chars, "different\n"));
  assert_non_null(strstr(text.chars,
                         "statistic 'rounds': 49 equal, 1 differ, 0 only in A, 0 only in B\n"
                         "  mean: A 100.00, B 100.02\n"
                         "  first: value number 8\n"
                         "    A  100, recorded in cycle 70\n"
                         "    B  101, recorded in cycle 70\n"));
}

TEST_WITH(missing_values_and_statistics_are_differences, fixture_setup, fixture_teardown)
{
  struct change c = no_change;
  CLEANUP(hd_diff_fini) struct hd_diff d;
  c.values_end = 20;
  compare(*state, &c, 1, &d);
  assert_false(hd_diff_equal(&d));
  assert_int_equal(d.statistics[0].equal, 20);
  assert_int_equal(d.statistics[0].only_a, PACKETS - 20);
  assert_int_equal(d.statistics[0].first, 20);
  assert_int_equal(d.statistics[1].only_a, PACKETS);
  assert_null(d.statistics[1].b);
}

TEST_WITH(runs_of_different_scenarios_are_refused_without_force, fixture_setup, fixture_teardown)
{
  struct fixture *f = *state;
  struct change c = no_change;
  struct hd_diff d;
  c.text = "other";
  make_run(f, 0, &no_change, 1);
  make_run(f, 1, &c, 1);
  must_fail(hd_diff_runs(&d, f->path[0], f->path[1], false, &why), HD_E_INPUT, "--force");
  hd_diff_fini(&d);
  must(hd_diff_runs(&d, f->path[0], f->path[1], true, &why));
  assert_true(hd_diff_equal(&d));
  hd_diff_fini(&d);
}
