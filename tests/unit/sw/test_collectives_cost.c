/* The cost of a method in the lists is the time of its plans in the α–β model; no method is below the lower bounds.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Schedules and coded plans are those of a line of nodes. Their steps are not one after the other for every member, so the
 * lists say what they take at most. The model is played here, with the plans of all members: a member sends one message and receives one message at
 * a time, a message of n bytes takes α + βn from both at once, when its receiver's round wants it, and a round begins
 * when the one before is over.
 */
#include "../lib/known_network.h"
#include "../lib/world_fixture.h"
#include "../lib/test.h"

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
  double arrived_at[MOST][256];                /* when they came */
};

static struct member members[MOST];

static void begin_round(struct member *m)
{
  m->sent = m->first;
  m->last = m->round;
  memset(m->wants, 0, sizeof m->wants);
  for (m->end = m->first; m->end < m->plan.n && m->plan.actions[m->end].kind != HD_ACTION_END_ROUND;
       m->end++)
    if (m->plan.actions[m->end].kind == HD_ACTION_RECEIVE)
      m->wants[m->plan.actions[m->end].peer]++;
}

/* Ends rounds of which nothing is to be sent any more and everything has come. */
static void end_complete_rounds(struct member *m, int p)
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
        over = over > m->arrived_at[s][m->used[s] + k] ? over : m->arrived_at[s][m->used[s] + k];
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
    end_complete_rounds(&members[i], p);
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
    to->arrived_at[source][to->got[source]++] = over;
    end_complete_rounds(from, p);
    end_complete_rounds(to, p);
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
                  unsigned char *buffer, const size_t *sizes, const struct hd_steps *steps)
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
    const struct hd_team team = {.n = p, .me = i, .p = p, .steps = steps};
    hd_plan_clear(&members[i].plan);
    members[i].plan.ep = ep;
    members[i].plan.op = call.op;
    hd_method_builder(m->collective, m->algorithm)(&members[i].plan, &team, &call);
  }
}

static void *memory(void *ep, size_t bytes)
{
  return hd_ep_alloc(ep, bytes);
}

static void take_schedule(struct hd_steps *steps, const struct hd_method_info *m, int p, int root,
                          const struct hd_memory *of)
{
  static const enum hd_ep_exchange exchanges[HD_COLLECTIVES] = {
      [HD_COLLECTIVE_BROADCAST] = HD_EP_BROADCAST, [HD_COLLECTIVE_SCATTER] = HD_EP_SCATTER,
      [HD_COLLECTIVE_GATHER] = HD_EP_GATHER,       [HD_COLLECTIVE_ALLGATHER] = HD_EP_ALLGATHER,
      [HD_COLLECTIVE_ALLTOALL] = HD_EP_ALLTOALL,   [HD_COLLECTIVE_ALLTOALLV] = HD_EP_ALLTOALL};
  int ranks[MOST];
  struct hd_ep_schedule s = {0};
  struct hd_ep_transfer *transfers;
  for (int i = 0; i < p; i++) /* not in the order of the line */
    ranks[i] = p % 5 ? (i * 5 + 2) % p : p - 1 - i;
  known_schedule((uint32_t)MOST,
                 &(struct hd_ep_schedule_request){exchanges[m->collective], ranks, p, root, 0}, &s,
                 &transfers);
  struct hd_step_message *messages = of->alloc(of->context, s.n * sizeof *messages);
  for (uint32_t i = 0; i < s.n; i++)
    messages[i] = (struct hd_step_message){transfers[i].step, transfers[i].from, transfers[i].to,
                                           transfers[i].origin};
  hd_steps_fill(steps, messages, s.n, (uint32_t)p, of);
  free(transfers);
}

static void take_coded(struct hd_ep *ep, struct hd_steps *steps, int p, const struct hd_memory *of)
{
  const uint32_t column = p % 3 ? 1 : 3;
  uint32_t member[MOST];
  for (int i = 0; i < p; i++)
    member[i] = (uint32_t)(p - 1 - i);
  const struct hd_coded_box box = {
      .n_dims = 2, .dims = {(uint32_t)p / column, column}, .member = member};
  if (hd_coded_plan_make(steps, &box, of, &why))
    hd_ep_abort(ep, "%s", why.text);
}

/* A member sends one and receives one message in a step. */
static void check_steps(struct hd_ep *ep, const struct hd_steps *steps, int p)
{
  for (int i = 0; i < p; i++) {
    uint32_t sends = 0, receives = 0; /* in steps up to and with this one */
    for (uint32_t k = steps->first[i]; k < steps->first[i + 1]; k++) {
      const struct hd_step_message *m = &steps->messages[steps->of[k]];
      uint32_t *last = m->from == (uint32_t)i ? &sends : &receives;
      EXPECT(ep, m->from == (uint32_t)i || m->to == (uint32_t)i);
      EXPECT(ep, m->step >= *last && m->step < steps->n_steps);
      *last = m->step + 1;
    }
  }
}

/* Steps that the network gives for a method; none for most methods, and for one member. */
static bool take_steps(struct hd_ep *ep, struct hd_steps *steps, const struct hd_method_info *m,
                       int p, int root)
{
  const struct hd_memory of = {memory, ep};
  *steps = (struct hd_steps){0};
  if (p < 2 || (m->needs != HD_NEEDS_ROUTES && m->needs != HD_NEEDS_BOX))
    return false;
  if (m->needs == HD_NEEDS_BOX)
    take_coded(ep, steps, p, &of);
  else
    take_schedule(steps, m, p, root, &of);
  check_steps(ep, steps, p);
  EXPECT(ep, m->needs != HD_NEEDS_BOX || steps->n_steps >= (uint32_t)p - 1); /* ring has no more */
  return true;
}

static void time_all_plans(struct hd_ep *ep)
{
  struct hd_method_info m;
  unsigned char *buffer = hd_ep_alloc(ep, (size_t)MOST * MOST * 16);
  for (unsigned i = 0; hd_method_info(i, &m); i++)
    for (int p = 1; p <= MOST; p++) {
      size_t n = (size_t)p * 16, sizes[MOST]; /* parts of p and of a power of two are equal */
      const char *collective = hd_collective_info(m.collective).name;
      if (m.needs >= HD_NEEDS_BARRIERS || !hd_method_possible(m.collective, m.algorithm, p))
        continue;
      for (int j = 0; j < p; j++)
        sizes[j] = n;
      const int root = hd_collective_info(m.collective).rooted ? p / 3 : 0;
      struct hd_steps steps;
      const bool given = take_steps(ep, &steps, &m, p, root);
      build(ep, &m, p, root, n, buffer, sizes, given ? &steps : NULL);
      for (int c = 0; c < COSTS; c++) {
        const struct hd_collective_shape shape = {.members = p,
                                                  .bytes = n,
                                                  .most = (size_t)(p - 1) * n,
                                                  .alpha = costs[c][0],
                                                  .beta = costs[c][1],
                                                  .schedule_steps = steps.n_steps,
                                                  .coded_steps = steps.n_steps};
        double took = play(p, shape.alpha, shape.beta);
        double expected_message = hd_method_cycles(m.collective, m.algorithm, &shape);
        double least = hd_collective_least_cycles(m.collective, &shape);
        if ((!given && took < expected_message - 1e-6) || took > expected_message + 1e-6)
          hd_ep_abort(ep, "%s by %s, %d members, α %g, β %g: %g cycles, not %g", collective,
                      hd_algorithm_info(m.algorithm).name, p, shape.alpha, shape.beta, took,
                      expected_message);
        if (took < least - 1e-6)
          hd_ep_abort(ep, "%s by %s, %d members: %g cycles are below the bound, %g", collective,
                      hd_algorithm_info(m.algorithm).name, p, took, least);
        compared++;
      }
    }
}

TEST(plans_cost_as_much_as_the_list_of_methods_says)
{
  struct fake_network net = {.fixed_delay = 1};
  run_well(time_all_plans, fake_params(&net, 1, NULL), &net);
}

/* ── the lists and the choice ──────────────────────────────────────────────── */

TEST(every_collective_has_a_method_for_any_number_of_members)
{
  struct hd_method_info m, other;
  bool any[HD_COLLECTIVES] = {false};
  unsigned n = 0;
  for (; hd_method_info(n, &m); n++) {
    any[m.collective] = any[m.collective] || !m.needs;
    assert_int_not_equal(m.algorithm, HD_ALGORITHM_AUTO);
    for (unsigned i = 0; i < n && hd_method_info(i, &other); i++)
      assert_false(m.collective == other.collective && m.algorithm == other.algorithm);
  }
  assert_true(n > 0);
  for (unsigned i = 0; i < HD_COLLECTIVES; i++)
    assert_true(any[i]);
}

/* No method is more than 20 % faster than the chosen one. Methods before it in the list are more than 20 % slower
 * than the fastest. */
TEST(the_chosen_method_is_nearly_the_fastest_possible)
{
  uint32_t chosen = 0, before = 0, scheduled = 0, by_switches = 0;
  for (unsigned c = 0; c < HD_COLLECTIVES; c++)
    for (int p = 1; p < 70; p++)
      for (size_t n = 0; n < 100000; n = n * 3 + 1) {
        /* nothing is known of the network, or steps that are few or many */
        const uint32_t steps = (uint32_t)(p * (int)(n % 4) / 2);
        const struct hd_collective_shape shape = {.members = p,
                                                  .bytes = n,
                                                  .alpha = 60,
                                                  .beta = 0.5,
                                                  .schedule_steps = steps,
                                                  .coded_steps = steps / 2,
                                                  .values = (uint32_t)(p % 9),
                                                  .round_cycles = 150,
                                                  .cast_bytes = (uint32_t)(p % 4)};
        enum hd_collective collective = (enum hd_collective)c;
        enum hd_algorithm choice = hd_method_choose(collective, &shape);
        struct hd_method_info m;
        double fastest = INFINITY;
        bool earlier = true;
        for (unsigned i = 0; hd_method_info(i, &m); i++)
          if (m.collective == collective && hd_method_known(collective, m.algorithm, &shape))
            fastest = fmin(fastest, hd_method_cycles(collective, m.algorithm, &shape));
        assert_true(hd_method_known(collective, choice, &shape));
        assert_true(hd_method_cycles(collective, choice, &shape) <= 1.2 * fastest);
        for (unsigned i = 0; hd_method_info(i, &m); i++) {
          if (m.collective != collective || !hd_method_known(collective, m.algorithm, &shape))
            continue;
          earlier = earlier && m.algorithm != choice;
          if (earlier) {
            assert_true(hd_method_cycles(collective, m.algorithm, &shape) > 1.2 * fastest);
            before++;
          }
        }
        chosen++;
        scheduled += choice == HD_ALGORITHM_SCHEDULE;
        by_switches += choice == HD_ALGORITHM_IN_NETWORK;
      }
  assert_true(chosen > 0 && before > 0 && scheduled > 0 && by_switches > 0);
}

/* Known from the literature (Thakur, Rabenseifner, Gropp 2005): trees and doubling for short blocks, scattering
 * and halving for longer ones, rings for the longest. */
TEST(short_blocks_use_trees_and_long_blocks_are_split)
{
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

TEST(alpha_is_measured_and_sent_to_all_nodes)
{
  struct fake_network net = {.fixed_delay = 20};
  struct hd_world_params p = fake_params(&net, 4, NULL);
  p.startup_cycles = 5;
  run_well(measure, p, &net);
}
