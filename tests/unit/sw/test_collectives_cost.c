/* What the lists say of a method's cost is what its plans take in the α–β model; nothing is below the lower bounds.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model is played here, with the plans of all members: a member sends one message and receives one message at
 * a time, a message of n bytes takes α + βn from both at once, when its receiver's round wants it, and a round begins
 * when the one before is over.
 */
#include "../lib/world_fixture.h"

#include "../../../sw/collectives/plan.h"

#include <math.h>

enum { MOST = 17 };

/* ── the α–β machine ───────────────────────────────────────────────────────── */

struct member {
  struct hd_plan plan;
  double sends_free, receives_free, round;     /* from when: its ports; its round */
  size_t first, end;                           /* actions of the round */
  size_t sent;                                 /* next action to be sent */
  double last;                                 /* arrival of the round's messages */
  uint32_t wants[MOST], got[MOST], used[MOST]; /* messages by source: of the round; come; taken */
  double at[MOST][256];                        /* when they came */
};

static struct member members[MOST];

static void begin_round(struct member *m)
{
  m->sent = m->first;
  m->last = m->round;
  memset(m->wants, 0, sizeof m->wants);
  for (m->end = m->first; m->end < m->plan.n && m->plan.actions[m->end].kind != HD_ACTION_NEXT;
       m->end++)
    if (m->plan.actions[m->end].kind == HD_ACTION_RECEIVE)
      m->wants[m->plan.actions[m->end].peer]++;
}

/* Ends rounds of which nothing is to be sent any more and everything has come. */
static void end_rounds(struct member *m, int p)
{
  while (m->first < m->plan.n) {
    double over = m->last;
    while (m->sent < m->end && m->plan.actions[m->sent].kind != HD_ACTION_SEND)
      m->sent++;
    if (m->sent < m->end)
      return;
    for (int s = 0; s < p; s++) {
      if (m->got[s] < m->used[s] + m->wants[s])
        return;
      for (uint32_t k = 0; k < m->wants[s]; k++)
        over = over > m->at[s][m->used[s] + k] ? over : m->at[s][m->used[s] + k];
    }
    for (int s = 0; s < p; s++)
      m->used[s] += m->wants[s];
    m->round = over;
    m->first = m->end + 1;
    begin_round(m);
  }
}

/* The message that can begin first goes first. Returns when the last member is through. */
static double play(int p, double alpha, double beta)
{
  for (int i = 0; i < p; i++) {
    struct hd_plan plan = members[i].plan;
    memset(&members[i], 0, sizeof members[i]);
    members[i].plan = plan;
    begin_round(&members[i]);
    end_rounds(&members[i], p);
  }
  for (;;) {
    struct member *from = NULL;
    double earliest = 0;
    for (int i = 0; i < p; i++) {
      struct member *m = &members[i];
      if (m->sent >= m->end)
        continue;
      const struct member *to = &members[m->plan.actions[m->sent].peer];
      if (to->got[i] == to->used[i] + to->wants[i])
        continue;
      double start = m->sends_free > m->round ? m->sends_free : m->round;
      start = start > to->receives_free ? start : to->receives_free;
      start = start > to->round ? start : to->round;
      if (!from || start < earliest) {
        from = m;
        earliest = start;
      }
    }
    if (!from)
      break;
    const struct hd_action *a = &from->plan.actions[from->sent++];
    struct member *to = &members[a->peer];
    int source = (int)(from - members);
    double over = earliest + alpha + beta * (double)a->bytes;
    from->sends_free = to->receives_free = over;
    from->last = from->last > over ? from->last : over;
    to->at[source][to->got[source]++] = over;
    end_rounds(from, p);
    end_rounds(to, p);
  }
  double over = 0;
  for (int i = 0; i < p; i++) {
    if (members[i].first < members[i].plan.n)
      return -1; /* it waits for a message that nobody sends */
    over = over > members[i].round ? over : members[i].round;
  }
  return over;
}

/* ── tests: inside of a node's software, whose memory the plans are ────────── */

static const double costs[][2] = {{1, 0}, {0, 1}, {7, 3}, {100, 0.5}};
enum { COSTS = sizeof costs / sizeof *costs };

/* `n` bytes; reductions have elements of one byte. */
static void build(struct hd_ep *ep, const struct hd_method_info *m, int p, int root, size_t n,
                  unsigned char *buffer, const size_t *sizes)
{
  const struct hd_collective_call call = {.collective = m->collective,
                                          .algorithm = m->algorithm,
                                          .root = root,
                                          .send = buffer,
                                          .receive = buffer,
                                          .bytes = n,
                                          .send_bytes = sizes,
                                          .receive_bytes = sizes,
                                          .op = &hd_operator_sum_u8};
  for (int i = 0; i < p; i++) {
    const struct hd_team team = {.n = p, .me = i, .p = p};
    hd_plan_clear(&members[i].plan);
    members[i].plan.ep = ep;
    members[i].plan.op = call.op;
    hd_method_builder(m->collective, m->algorithm)(&members[i].plan, &team, &call);
  }
}

static void plans(struct hd_ep *ep)
{
  struct hd_method_info m;
  unsigned char *buffer = hd_ep_alloc(ep, (size_t)MOST * MOST * 16);
  for (unsigned i = 0; hd_method_info(i, &m); i++)
    for (int p = 1; p <= MOST; p++) {
      size_t n = (size_t)p * 16, sizes[MOST]; /* parts of p and of a power of two are equal */
      const char *collective = hd_collective_info(m.collective).name;
      if (!hd_method_possible(m.collective, m.algorithm, p))
        continue;
      for (int j = 0; j < p; j++)
        sizes[j] = n;
      build(ep, &m, p, hd_collective_info(m.collective).rooted ? p / 3 : 0, n, buffer, sizes);
      for (int c = 0; c < COSTS; c++) {
        const struct hd_collective_shape shape = {.members = p,
                                                  .bytes = n,
                                                  .most = (size_t)(p - 1) * n,
                                                  .alpha = costs[c][0],
                                                  .beta = costs[c][1]};
        double took = play(p, shape.alpha, shape.beta);
        double says = hd_method_cycles(m.collective, m.algorithm, &shape);
        double least = hd_collective_least_cycles(m.collective, &shape);
        if (took < says - 1e-6 || took > says + 1e-6)
          hd_ep_abort(ep, "%s by %s, %d members, α %g, β %g: %g cycles, not %g", collective,
                      hd_algorithm_info(m.algorithm).name, p, shape.alpha, shape.beta, took, says);
        if (took < least - 1e-6)
          hd_ep_abort(ep, "%s by %s, %d members: %g cycles are below the bound, %g", collective,
                      hd_algorithm_info(m.algorithm).name, p, took, least);
        compared++;
      }
    }
}

static void plans_take_what_the_lists_say(void **state)
{
  (void)state;
  struct fake_network net = {.fixed_delay = 1};
  run_well(plans, fake_params(&net, 1, NULL), &net);
}

/* ── the lists and the choice ──────────────────────────────────────────────── */

static void every_collective_can_be_done_by_any_number(void **state)
{
  (void)state;
  struct hd_method_info m, other;
  bool any[HD_COLLECTIVES] = {false};
  unsigned n = 0;
  for (; hd_method_info(n, &m); n++) {
    any[m.collective] = any[m.collective] || !m.power_of_two;
    assert_int_not_equal(m.algorithm, HD_ALGORITHM_AUTO);
    for (unsigned i = 0; i < n && hd_method_info(i, &other); i++)
      assert_false(m.collective == other.collective && m.algorithm == other.algorithm);
  }
  assert_true(n > 0);
  for (unsigned i = 0; i < HD_COLLECTIVES; i++)
    assert_true(any[i]);
}

/* Nothing is more than 20 % faster than the choice, and what stands before it in the list is more than 20 % slower
 * than the fastest. */
static void the_choice_is_about_the_fastest_that_is_possible(void **state)
{
  (void)state;
  uint32_t chosen = 0, before = 0;
  for (unsigned c = 0; c < HD_COLLECTIVES; c++)
    for (int p = 1; p < 70; p++)
      for (size_t n = 0; n < 100000; n = n * 3 + 1) {
        const struct hd_collective_shape shape = {
            .members = p, .bytes = n, .alpha = 60, .beta = 0.5};
        enum hd_collective collective = (enum hd_collective)c;
        enum hd_algorithm choice = hd_method_choose(collective, &shape);
        struct hd_method_info m;
        double fastest = INFINITY;
        bool earlier = true;
        for (unsigned i = 0; hd_method_info(i, &m); i++)
          if (m.collective == collective && hd_method_possible(collective, m.algorithm, p))
            fastest = fmin(fastest, hd_method_cycles(collective, m.algorithm, &shape));
        assert_true(hd_method_possible(collective, choice, p));
        assert_true(hd_method_cycles(collective, choice, &shape) <= 1.2 * fastest);
        for (unsigned i = 0; hd_method_info(i, &m); i++) {
          if (m.collective != collective || !hd_method_possible(collective, m.algorithm, p))
            continue;
          earlier = earlier && m.algorithm != choice;
          if (earlier) {
            assert_true(hd_method_cycles(collective, m.algorithm, &shape) > 1.2 * fastest);
            before++;
          }
        }
        chosen++;
      }
  assert_true(chosen > 0 && before > 0);
}

/* Known from the literature (Thakur, Rabenseifner, Gropp 2005): trees and doubling for short blocks, scattering
 * and halving for longer ones, rings for the longest. */
static void short_blocks_go_by_trees_and_long_ones_in_parts(void **state)
{
  (void)state;
  static const struct {
    enum hd_collective collective;
    int members;
    size_t bytes;
    enum hd_algorithm algorithm;
  } cases[] = {
      {HD_COLLECTIVE_BROADCAST, 16, 16, HD_ALGORITHM_BINOMIAL},
      {HD_COLLECTIVE_BROADCAST, 16, 2048, HD_ALGORITHM_RECURSIVE_DOUBLING},
      {HD_COLLECTIVE_BROADCAST, 16, 65536, HD_ALGORITHM_RING},
      {HD_COLLECTIVE_ALLREDUCE, 16, 16, HD_ALGORITHM_RECURSIVE_DOUBLING},
      {HD_COLLECTIVE_ALLREDUCE, 16, 2048, HD_ALGORITHM_RECURSIVE_HALVING},
      {HD_COLLECTIVE_ALLREDUCE, 15, 65536, HD_ALGORITHM_RING},
      {HD_COLLECTIVE_REDUCE, 16, 16, HD_ALGORITHM_BINOMIAL},
      {HD_COLLECTIVE_REDUCE, 16, 2048, HD_ALGORITHM_RECURSIVE_HALVING},
      {HD_COLLECTIVE_ALLGATHER, 15, 16, HD_ALGORITHM_BRUCK},
      {HD_COLLECTIVE_ALLGATHER, 15, 65536, HD_ALGORITHM_RING},
      {HD_COLLECTIVE_REDUCE_SCATTER, 16, 16, HD_ALGORITHM_RECURSIVE_HALVING},
      {HD_COLLECTIVE_ALLTOALL, 16, 4, HD_ALGORITHM_BRUCK},
      {HD_COLLECTIVE_ALLTOALL, 16, 4096, HD_ALGORITHM_PAIRWISE},
      {HD_COLLECTIVE_BARRIER, 13, 0, HD_ALGORITHM_DISSEMINATION},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct hd_collective_shape shape = {
        .members = cases[i].members, .bytes = cases[i].bytes, .alpha = 60, .beta = 0.5};
    enum hd_algorithm choice = hd_method_choose(cases[i].collective, &shape);
    if (choice != cases[i].algorithm)
      fail_msg("case %zu: %s", i, hd_algorithm_info(choice).name);
  }
}

/* ── measuring ─────────────────────────────────────────────────────────────── */

static void measure(struct hd_ep *ep)
{
  static const int ranks[] = {3, 0, 2, 1};
  struct hd_comm *comm = hd_comm_create(hd_collectives_create(ep), ranks, 4, 0);
  EXPECT(ep, hd_comm_alpha(comm) == 100 && hd_comm_beta(comm) == 0.5);
  hd_comm_measure(comm, 640);
  /* start-up 5, 20 on the way, 1 until software sees it; packets do not wait for one another */
  EXPECT(ep, hd_comm_alpha(comm) == 26);
  EXPECT(ep, hd_comm_beta(comm) == 0);
  hd_comm_set_cost(comm, 3, 0.25);
  EXPECT(ep, hd_comm_alpha(comm) == 3 && hd_comm_beta(comm) == 0.25);
}

static void alpha_is_measured_and_told_to_all(void **state)
{
  (void)state;
  struct fake_network net = {.fixed_delay = 20};
  struct hd_world_params p = fake_params(&net, 4, NULL);
  p.startup_cycles = 5;
  run_well(measure, p, &net);
}

int main(int argc, char **argv)
{
  (void)argc;
  seed = fake_seed(argv[0], 20240614);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plans_take_what_the_lists_say),
      cmocka_unit_test(every_collective_can_be_done_by_any_number),
      cmocka_unit_test(the_choice_is_about_the_fastest_that_is_possible),
      cmocka_unit_test(short_blocks_go_by_trees_and_long_ones_in_parts),
      cmocka_unit_test(alpha_is_measured_and_told_to_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
