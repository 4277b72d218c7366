/* Congested members: data that stand still delay a barrier only on switches without preemption.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_DUT=verilator compares the RTL.
 */
#include "../lib/runs.h"
#include "../lib/test.h"

enum { SHORT = 100, LONG = 1100, ROUNDS = 6, CONGESTED = 12, VCS = 2 };

struct seen {
  double later;     /* mean cycles of a round after the first */
  uint64_t blocked; /* flit-cycles */
  uint64_t digest;
};

static struct seen measure(const char *fabric, const char *barrier, const char *more,
                           const char *mode)
{
  const char *dut = getenv("HD_DUT");
  CLEANUP(hd_run_report_fini) struct hd_run_report r;
  char text[1024];
  snprintf(text, sizeof text,
           "name: congestion\nfabric: %s\nswitch: {barrier: %s, vcs: %d}\n"
           "software:\n  program: barrier\n  startup_cycles: 10\n"
           "  parameters: {members: 30, rounds: %d, center: middle, align: 64%s}\n"
           "run: {dut: %s, mode: %s}\n",
           fabric, barrier, VCS, ROUNDS, more, dut ? dut : "model", mode);
  run_text_well(text, &r);
  const struct hd_run_statistic *later = statistic(&r, "later barriers");
  assert_int_equal(later->n, ROUNDS - 1);
  assert_int_equal(statistic(&r, "first barriers")->n, 1);
  assert_int_equal(r.counters.packets_sent, r.counters.packets_received);
  struct seen seen = {later->mean, r.counters.blocked_flit_cycles, r.result.digest};
  return seen;
}

static struct seen congest(const char *fabric, const char *barrier, int cycles)
{
  char more[64];
  snprintf(more, sizeof more, ", congested: %d, congestion: %d", CONGESTED, cycles);
  return measure(fabric, barrier, more, "decoupled");
}

TEST(congestion_delays_only_barriers_that_cannot_preempt)
{
  static const char *const fabrics[] = {"{topology: irregular, switches: 40}",
                                        "{topology: mesh, dims: [6, 6]}"};
  static const struct {
    const char *barrier;
    bool waits;
  } kinds[] = {
      {"any", false}, {"fixed", false}, {"reserved", false}, {"queued", true}, {"moving", true}};
  for (size_t f = 0; f < 2; f++)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
      struct seen none = measure(fabrics[f], kinds[k].barrier, "", "decoupled");
      struct seen few = congest(fabrics[f], kinds[k].barrier, SHORT);
      struct seen many = congest(fabrics[f], kinds[k].barrier, LONG);
      printf("%s %s: %.1f cycles, congested for %d: %.1f, for %d: %.1f\n", fabrics[f],
             kinds[k].barrier, none.later, SHORT, few.later, LONG, many.later);
      /* Two fronts stand still for each channel of a congested link: at the member's switch and at
       * the next, for as long as is said. */
      double blocked = (double)(many.blocked - few.blocked);
      double channels = strcmp(kinds[k].barrier, "reserved") ? VCS : VCS - 1;
      assert_true(blocked >= 0.95 * (2 * channels * CONGESTED * (ROUNDS - 1) * (LONG - SHORT)));
      if (kinds[k].waits) {
        assert_true(few.later >= SHORT && many.later >= LONG);
        assert_true(many.later - few.later >= 0.8 * (LONG - SHORT));
        continue;
      }
      /* A preemption costs T_p = 1 a hop (§8.5); no way has more than 20 hops to the center and back. */
      assert_true(few.later - none.later <= 20);
      assert_true(many.later - none.later <= 20);
    }
}

TEST(runs_with_congestion_have_the_same_digest_in_every_mode)
{
  const char *fabric = "{topology: irregular, switches: 30, degree: 4, graph_seed: 5}";
  const char *more = ", congested: 9, congestion: 150, load: 0.02, compute: 40";
  struct seen decoupled = measure(fabric, "any", more, "decoupled");
  struct seen closed = measure(fabric, "any", more, "closed");
  assert_int_equal(decoupled.digest, closed.digest);
}

TEST(congestion_that_is_not_possible_is_refused_with_the_reason)
{
  static const char *const cases[][3] = {
      {"fabric: {topology: tree, k: 2, n: 3}\nswitch: {barrier: any}\n", "{congested: 1}",
       "congested: 1; legal here: 0 … 0, the members whose messages leave by a link with a node "
       "behind it"},
      {"fabric: {topology: mesh, dims: [4, 4]}\nswitch: {barrier: any, cut_flits: 4}\n",
       "{congested: 1}",
       "congested: 1; it takes packets of 8 flits, and virtual cut-through has at most 4 "
       "(switch.cut_flits)"},
      {"fabric: {topology: mesh, dims: [4, 4]}\nswitch: {barrier: any}\n",
       "{congested: 2, groups: 2}", "congested: 2; legal with several groups: 0"},
      {"fabric: {topology: mesh, dims: [4, 4]}\nswitch: {barrier: any}\n",
       "{congested: 5, members: 5}", "congested: 5; legal: a whole number, 0 … 4"},
      {"fabric: {topology: mesh, dims: [4, 4]}\nswitch: {barrier: any}\n",
       "{congested: 2, align: 0}", "align: 0; legal: a whole number, 1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    char text[512];
    snprintf(text, sizeof text,
             "name: congestion\n%ssoftware: {program: barrier, parameters: %s}\n"
             "run: {dut: none}\n",
             cases[i][0], cases[i][1]);
    assert_int_equal(run_text(text, &r), HD_E_INPUT);
    if (!strstr(hd_text_chars(&r.message), cases[i][2]))
      fail_msg("'%s' is not in '%s'", cases[i][2], hd_text_chars(&r.message));
  }
}

/* With `align` all members arrive in the same cycle. So all rounds take the same time, and the first round begins at
 * `start`. */
TEST(members_of_aligned_rounds_arrive_in_the_same_cycle)
{
  struct seen each = measure("{topology: irregular, switches: 30}", "any", "", "decoupled");
  struct seen again =
      measure("{topology: irregular, switches: 30}", "any", ", start: 5000", "decoupled");
  assert_true(each.later > 50);
  assert_true(again.later <= each.later && again.later >= each.later);
}
