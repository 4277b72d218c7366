/* Barrier groups of endpoint software on a fake network that works or fails.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The network releases all members `delay` cycles after the last arrival; it can also refuse, or never answer.
 */
#include "../lib/world_fixture.h"
#include "../lib/test.h"

enum { NODES = 12, DELAY = 20, READY = 7, NUMBERS = 32 };

enum behaviour { GOOD, REFUSES, SILENT, NO_WAY, NO_ROOM };

/* State of the pretended switches. */
static struct {
  struct fake_network *net;
  enum behaviour behaviour;
  uint32_t n[NUMBERS], members[NUMBERS][NODES], arrived[NUMBERS], center[NUMBERS];
  uint64_t due[NUMBERS];                  /* cycle of the release; 0: none */
  struct hd_world_answer answer[NUMBERS]; /* of the round under way; these switches always sum */
  uint32_t open, opened, closed;
  uint64_t cut_off_cycle; /* cycle in which a member of group 0 is cut off; 0: none is */
  uint64_t ready;         /* cycle before which nobody may arrive */
} hardware;

static int barrier_middle(void *context, const uint32_t *members, uint32_t n, uint32_t *place)
{
  (void)context;
  (void)members;
  *place = n / 2;
  return 0;
}

static int barrier_open(void *context, uint32_t number, const uint32_t *members, uint32_t n,
                        uint32_t center, uint64_t *ready, enum hd_ep_barrier_status *status)
{
  (void)context;
  *status = hardware.behaviour == NO_WAY    ? HD_EP_BARRIER_UNREACHABLE
            : hardware.behaviour == NO_ROOM ? HD_EP_BARRIER_FULL
                                            : HD_EP_BARRIER_PASSED;
  *ready = hardware.net->now + READY;
  if (*status != HD_EP_BARRIER_PASSED)
    return 0;
  assert_int_equal(hardware.open >> number & 1, 0);
  hardware.open |= UINT32_C(1) << number;
  hardware.opened++;
  hardware.n[number] = n;
  hardware.center[number] = center;
  memcpy(hardware.members[number], members, n * sizeof *members);
  hardware.arrived[number] = 0;
  return 0;
}

static int barrier_close(void *context, uint32_t number, uint64_t *done)
{
  (void)context;
  assert_int_equal(hardware.open >> number & 1, 1);
  hardware.open &= ~(UINT32_C(1) << number);
  hardware.closed++;
  *done = hardware.net->now + 3;
  return 0;
}

static int barrier_arrive(void *context, uint32_t node, uint32_t number,
                          enum hd_ep_reduction reduction, uint32_t value)
{
  struct hd_world_answer *answer = &hardware.answer[number];
  (void)context;
  (void)node;
  if (!hardware.arrived[number])
    *answer = (struct hd_world_answer){.reduction = reduction};
  if (reduction != answer->reduction)
    answer->reduction = HD_EP_REDUCE_NOTHING;
  answer->result += value;
  answer->failed = hardware.behaviour == REFUSES;
  if (++hardware.arrived[number] == hardware.n[number] && hardware.behaviour != SILENT)
    hardware.due[number] = hardware.net->now + DELAY;
  return 0;
}

static uint64_t barrier_ready(void *context)
{
  (void)context;
  return hardware.ready;
}

static bool hw_values; /* of the next run */

/* Works like fake_run, with releases. */
static int run_world(uint64_t limit, uint64_t *ended, struct hd_error *err)
{
  struct fake_network *net = hardware.net;
  int status = 0;
  while (!status && net->now < limit) {
    *ended = net->now;
    if (hardware.cut_off_cycle && hardware.cut_off_cycle == net->now) {
      hd_world_barrier_end(net->world, 0, HD_EP_BARRIER_CUT_OFF, hardware.cut_off_cycle);
      hardware.cut_off_cycle = 0;
    }
    status = hd_world_step(net->world, net->now, err);
    uint64_t next = hd_world_next_cycle(net->world);
    for (uint32_t g = 0; g < NUMBERS; g++) {
      if (!hardware.due[g])
        continue;
      if (hardware.due[g] == net->now) {
        hardware.due[g] = 0;
        hardware.arrived[g] = 0;
        for (uint32_t i = 0; !status && i < hardware.n[g]; i++)
          status = hd_world_barrier(net->world, hardware.members[g][i], g, &hardware.answer[g],
                                    net->now, err);
        next = hd_world_next_cycle(net->world);
      }
    }
    for (uint32_t g = 0; g < NUMBERS; g++)
      if (hardware.due[g] && hardware.due[g] < next)
        next = hardware.due[g];
    if (hardware.cut_off_cycle && hardware.cut_off_cycle < next)
      next = hardware.cut_off_cycle;
    if (status || hd_world_finished(net->world))
      break;
    if (next == UINT64_MAX)
      return HD_E_DEADLOCK;
    net->now = next;
  }
  return status;
}

static int try_run(void (*run)(struct hd_ep *ep), enum behaviour behaviour, bool barrier,
                   uint64_t startup, uint64_t *ended, struct hd_error *err)
{
  static struct fake_network net;
  struct hd_program program = program_of(run);
  struct hd_world_params p = fake_params(&net, NODES, &program);
  net = (struct fake_network){.fixed_delay = 3};
  memset(&hardware, 0, sizeof hardware);
  hardware.net = &net;
  hardware.behaviour = behaviour;
  p.startup_cycles = startup;
  p.barrier = barrier;
  p.values = barrier && hw_values;
  p.barrier_middle = barrier_middle;
  p.barrier_open = barrier_open;
  p.barrier_close = barrier_close;
  p.barrier_arrive = barrier_arrive;
  p.barrier_ready = barrier_ready;
  create(&net, &p);
  int status = run_world(UINT64_C(1) << 40, ended, err);
  fake_fini(&net);
  return status;
}

static void runs_well(void (*run)(struct hd_ep *ep), enum behaviour behaviour, uint64_t startup)
{
  uint64_t ended;
  must(try_run(run, behaviour, true, startup, &ended, &why));
  assert_true(compared > 0);
}

/* ── a member that is cut off ──────────────────────────────────────────────── */

enum { CUT_CYCLE = 500, HELD_UNTIL = 150 };

static void is_cut_off(struct hd_ep *ep)
{
  struct hd_ep_barrier *b, *fewer;
  int ranks[NODES], even[NODES / 2], rank = hd_ep_rank(ep);
  for (int i = 0; i < NODES; i++) {
    ranks[i] = i;
    even[i / 2] = i / 2 * 2;
  }
  hardware.ready = HELD_UNTIL;
  hardware.cut_off_cycle = hd_ep_time(ep) < CUT_CYCLE ? CUT_CYCLE : 0;
  EXPECT(ep, hd_ep_barrier_create(ep, ranks, NODES, NULL, &b) == HD_EP_BARRIER_PASSED);
  EXPECT(ep, hd_ep_barrier_arrive(ep, b) == HD_EP_BARRIER_PENDING);
  EXPECT(ep, hd_ep_time(ep) == HELD_UNTIL);
  EXPECT(ep, hd_ep_barrier_wait(ep, b) == HD_EP_BARRIER_PASSED);
  if (rank % 2) {
    /* A member that arrives later gets the answer when it arrives. */
    hd_ep_wait_until(ep, 2 * CUT_CYCLE);
    EXPECT(ep, hd_ep_barrier_arrive(ep, b) == HD_EP_BARRIER_CUT_OFF);
    EXPECT(ep, hd_ep_time(ep) == 2 * CUT_CYCLE);
    EXPECT(ep, hd_ep_barrier_wait(ep, b) == HD_EP_BARRIER_CUT_OFF);
    hd_ep_barrier_destroy(ep, b);
    return;
  }
  EXPECT(ep, hd_ep_barrier_arrive(ep, b) == HD_EP_BARRIER_PENDING);
  EXPECT(ep, hd_ep_barrier_wait(ep, b) == HD_EP_BARRIER_CUT_OFF);
  EXPECT(ep, hd_ep_time(ep) == CUT_CYCLE + 1);
  hd_ep_barrier_destroy(ep, b);
  /* The other members continue without them. */
  EXPECT(ep, hd_ep_barrier_create(ep, even, NODES / 2, NULL, &fewer) == HD_EP_BARRIER_PASSED);
  EXPECT(ep, hd_ep_barrier_arrive(ep, fewer) == HD_EP_BARRIER_PENDING);
  EXPECT(ep, hd_ep_barrier_wait(ep, fewer) == HD_EP_BARRIER_PASSED);
  hd_ep_barrier_destroy(ep, fewer);
}

TEST(members_learn_that_another_member_is_cut_off)
{
  runs_well(is_cut_off, GOOD, 0);
  assert_int_equal(hardware.opened, 2);
  assert_int_equal(hardware.closed, 1); /* messages of the other may be under way for ever */
}

static void runs_badly(void (*run)(struct hd_ep *ep), const char *expected_message)
{
  uint64_t ended;
  int status = try_run(run, GOOD, true, 0, &ended, &why);
  if (status != HD_E_SOFTWARE)
    fail_msg("%d: %s, instead of: %s", status, why.text, expected_message);
  if (!strstr(why.text, expected_message))
    fail_msg("'%s' is not in '%s'", expected_message, why.text);
}

static int all_ranks(int *ranks)
{
  for (int i = 0; i < NODES; i++)
    ranks[i] = (i * 5 + 3) % NODES; /* in no order */
  return NODES;
}

/* ── rounds ────────────────────────────────────────────────────────────────── */

enum { STARTUP = 13, ROUNDS = 50 };

static void meet_often(struct hd_ep *ep)
{
  static int inside; /* of the round under way, over all nodes */
  struct hd_ep_barrier *b;
  int ranks[NODES], n = all_ranks(ranks);
  if (!hd_ep_rank(ep))
    inside = 0;
  EXPECT(ep, hd_ep_barrier_create(ep, ranks, n, NULL, &b) == HD_EP_BARRIER_PASSED);
  EXPECT(ep, hd_ep_barrier_center(b) == 0);
  EXPECT(ep, hd_ep_time(ep) >= READY);
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t slow = (uint64_t)((round * 7 + hd_ep_rank(ep) * 11) % 40), start = hd_ep_time(ep);
    bool last = slow == 39;
    hd_ep_delay(ep, slow);
    EXPECT(ep, hd_ep_barrier_arrive(ep, b) == HD_EP_BARRIER_PENDING);
    EXPECT(ep, hd_ep_time(ep) == start + slow + STARTUP);
    inside++;
    uint64_t arrived = hd_ep_time(ep);
    if (hd_ep_rank(ep) % 3 == 0) {
      EXPECT(ep, hd_ep_barrier_wait(ep, b) == HD_EP_BARRIER_PASSED);
    } else if (hd_ep_rank(ep) % 3 == 1) {
      enum hd_ep_barrier_status status;
      while ((status = hd_ep_barrier_test(ep, b)) == HD_EP_BARRIER_PENDING)
        ;
      EXPECT(ep, status == HD_EP_BARRIER_PASSED);
    } else {
      EXPECT(ep, hd_ep_barrier_wait_until(ep, b, arrived + 5) == HD_EP_BARRIER_PENDING);
      EXPECT(ep, hd_ep_time(ep) == arrived + 5);
      EXPECT(ep, hd_ep_barrier_wait(ep, b) == HD_EP_BARRIER_PASSED);
    }
    EXPECT(ep, inside == (round + 1) * NODES);
    EXPECT(ep, !last || hd_ep_time(ep) == arrived + DELAY + 1);
    hd_ep_statistic(ep, round ? "later" : "first", hd_ep_time(ep) - arrived);
  }
  hd_ep_barrier_destroy(ep, b);
}

TEST(members_complete_many_rounds_of_a_barrier)
{
  runs_well(meet_often, GOOD, STARTUP);
  assert_int_equal(hardware.opened, 1);
  assert_int_equal(hardware.closed, 1);
}

/* Nodes are in several groups. Groups are matched by their members, and group numbers are reused. */
static void many_groups(struct hd_ep *ep)
{
  int rank = hd_ep_rank(ep);
  for (int round = 0; round < 40; round++) {
    int pair[2] = {rank, rank ^ 1}, half[NODES / 2], all[NODES];
    struct hd_ep_barrier *of_pair, *of_half, *of_all, *again;
    struct hd_ep_barrier_options middle = {.center_rule = HD_EP_CENTER_MIDDLE};
    struct hd_ep_barrier_options named = {.center_rule = HD_EP_CENTER_RANK, .center = 4};
    for (int i = 0; i < NODES / 2; i++)
      half[i] = 2 * i + rank % 2;
    EXPECT(ep, !hd_ep_barrier_create(ep, pair, 2, &middle, &of_pair));
    EXPECT(ep, hd_ep_barrier_center(of_pair) == (rank | 1));
    EXPECT(ep, !hd_ep_barrier_create(ep, half, NODES / 2, NULL, &of_half));
    EXPECT(ep, hd_ep_barrier_center(of_half) == rank % 2);
    EXPECT(ep, !hd_ep_barrier_create(ep, all, all_ranks(all), &named, &of_all));
    EXPECT(ep, !hd_ep_barrier_create(ep, all, all_ranks(all), &named, &again));
    EXPECT(ep, of_all != again && hd_ep_barrier_center(again) == 4);
    struct hd_ep_barrier *list[] = {of_pair, of_half, of_all, again};
    hd_ep_delay(ep, hd_ep_random(ep) % 30);
    for (int i = 0; i < 4; i++)
      EXPECT(ep, hd_ep_barrier_arrive(ep, list[i]) == HD_EP_BARRIER_PENDING);
    for (int i = 4; i-- > 0;)
      EXPECT(ep, hd_ep_barrier_wait(ep, list[i]) == HD_EP_BARRIER_PASSED);
    for (int i = 0; i < 4; i++)
      hd_ep_barrier_destroy(ep, list[i]);
  }
}

TEST(barrier_groups_do_not_mix)
{
  runs_well(many_groups, GOOD, 0);
  assert_int_equal(hardware.opened, 40 * (NODES / 2 + 2 + 2));
  assert_int_equal(hardware.closed, hardware.opened);
  assert_int_equal(hardware.open, 0);
}

/* ── when it goes wrong ────────────────────────────────────────────────────── */

static void is_refused(struct hd_ep *ep)
{
  struct hd_ep_barrier *b;
  int ranks[NODES], n = all_ranks(ranks);
  EXPECT(ep, !hd_ep_barrier_create(ep, ranks, n, NULL, &b));
  hd_ep_barrier_arrive(ep, b);
  EXPECT(ep, hd_ep_barrier_wait(ep, b) == HD_EP_BARRIER_FAILED);
  EXPECT(ep, hd_ep_barrier_arrive(ep, b) == HD_EP_BARRIER_FAILED);
  EXPECT(ep, hd_ep_barrier_wait(ep, b) == HD_EP_BARRIER_FAILED);
  hd_ep_barrier_destroy(ep, b);
}

static void is_not_answered(struct hd_ep *ep)
{
  struct hd_ep_barrier *b;
  struct hd_ep_barrier_options patient = {.timeout_cycles = 5000};
  int ranks[NODES], n = all_ranks(ranks);
  EXPECT(ep, !hd_ep_barrier_create(ep, ranks, n, &patient, &b));
  if (hd_ep_rank(ep) == 2)
    return;
  uint64_t start = hd_ep_time(ep);
  hd_ep_barrier_arrive(ep, b);
  EXPECT(ep, hd_ep_barrier_wait_until(ep, b, start + 4999) == HD_EP_BARRIER_PENDING);
  EXPECT(ep, hd_ep_barrier_wait(ep, b) == HD_EP_BARRIER_TIMEOUT);
  EXPECT(ep, hd_ep_time(ep) == start + 5000);
  EXPECT(ep, hd_ep_barrier_test(ep, b) == HD_EP_BARRIER_TIMEOUT);
}

static void finds_no_route(struct hd_ep *ep)
{
  struct hd_ep_barrier *b = NULL;
  int ranks[NODES], n = all_ranks(ranks);
  hd_ep_delay(ep, (uint64_t)hd_ep_rank(ep));
  for (int i = 0; i < 3; i++)
    EXPECT(ep, hd_ep_barrier_create(ep, ranks, n, NULL, &b) == HD_EP_BARRIER_UNREACHABLE && !b);
}

static void finds_no_room(struct hd_ep *ep)
{
  struct hd_ep_barrier *b = NULL;
  int ranks[NODES], n = all_ranks(ranks);
  hd_ep_delay(ep, (uint64_t)hd_ep_rank(ep));
  EXPECT(ep, hd_ep_barrier_create(ep, ranks, n, NULL, &b) == HD_EP_BARRIER_FULL && !b);
  hd_ep_delay(ep, NODES);
  hardware.behaviour = GOOD;
  EXPECT(ep, hd_ep_barrier_create(ep, ranks, n, NULL, &b) == HD_EP_BARRIER_PASSED && b);
}

static void too_many(struct hd_ep *ep)
{
  struct hd_ep_barrier *b;
  int ranks[NODES], n = all_ranks(ranks);
  for (int i = 0; i < NUMBERS; i++)
    EXPECT(ep, !hd_ep_barrier_create(ep, ranks, n, NULL, &b));
  EXPECT(ep, hd_ep_barrier_create(ep, ranks, n, NULL, &b) == HD_EP_BARRIER_FULL);
}

static void finds_no_barriers(struct hd_ep *ep)
{
  struct hd_ep_barrier *b;
  int ranks[NODES], n = all_ranks(ranks);
  EXPECT(ep, hd_ep_barrier_create(ep, ranks, n, NULL, &b) == HD_EP_BARRIER_UNSUPPORTED);
}

TEST(failures_of_barriers_are_reported_and_never_hang)
{
  uint64_t ended;
  runs_well(is_refused, REFUSES, 4);
  assert_int_equal(hardware.closed, 0); /* its number stays in use */
  runs_well(is_not_answered, SILENT, 0);
  runs_well(finds_no_route, NO_WAY, 0);
  runs_well(finds_no_room, NO_ROOM, 0);
  runs_well(too_many, GOOD, 0);
  assert_int_equal(hardware.opened, NUMBERS);
  must(try_run(finds_no_barriers, GOOD, false, 0, &ended, &why));
  for (int i = 0; i <= HD_EP_BARRIER_UNSUPPORTED; i++)
    assert_true(strlen(hd_ep_barrier_text((enum hd_ep_barrier_status)i)) > 3);
}

/* ── misuse ────────────────────────────────────────────────────────────────── */

static void creates_without_itself(struct hd_ep *ep)
{
  struct hd_ep_barrier *b;
  int ranks[] = {5, 6};
  hd_ep_barrier_create(ep, ranks, 2, NULL, &b);
}

static void names_unknown_node(struct hd_ep *ep)
{
  struct hd_ep_barrier *b;
  int ranks[] = {hd_ep_rank(ep), NODES};
  hd_ep_barrier_create(ep, ranks, 2, NULL, &b);
}

static void names_a_node_twice(struct hd_ep *ep)
{
  struct hd_ep_barrier *b;
  int ranks[] = {hd_ep_rank(ep), 3, hd_ep_rank(ep)};
  hd_ep_barrier_create(ep, ranks, 3, NULL, &b);
}

static void create_group_of_one(struct hd_ep *ep, struct hd_ep_barrier **b)
{
  int ranks[] = {hd_ep_rank(ep)};
  hd_ep_barrier_create(ep, ranks, 1, NULL, b);
}

static void other_center(struct hd_ep *ep)
{
  struct hd_ep_barrier *b;
  int ranks[NODES], n = all_ranks(ranks);
  struct hd_ep_barrier_options o = {.center_rule = HD_EP_CENTER_RANK, .center = hd_ep_rank(ep) / 8};
  hd_ep_barrier_create(ep, ranks, n, &o, &b);
}

static void strange_center(struct hd_ep *ep)
{
  struct hd_ep_barrier *b;
  int ranks[] = {hd_ep_rank(ep)};
  struct hd_ep_barrier_options o = {.center_rule = HD_EP_CENTER_RANK, .center = 11};
  hd_ep_barrier_create(ep, ranks, 1, &o, &b);
}

static void arrives_twice(struct hd_ep *ep)
{
  struct hd_ep_barrier *b;
  create_group_of_one(ep, &b);
  hd_ep_barrier_arrive(ep, b);
  hd_ep_barrier_arrive(ep, b);
}

static void waits_early(struct hd_ep *ep)
{
  struct hd_ep_barrier *b;
  create_group_of_one(ep, &b);
  hd_ep_barrier_wait(ep, b);
}

static void leaves_early(struct hd_ep *ep)
{
  struct hd_ep_barrier *b;
  create_group_of_one(ep, &b);
  hd_ep_barrier_arrive(ep, b);
  hd_ep_barrier_destroy(ep, b);
}

TEST(misuse_of_barriers_ends_the_run_with_a_reason)
{
  runs_badly(creates_without_itself, "this node is not one of them");
  runs_badly(names_unknown_node, "barrier with node 12; nodes are 0 to 11");
  runs_badly(names_a_node_twice, "twice");
  runs_badly(other_center, "another center than the one that other members have chosen");
  runs_badly(strange_center, "center 11, which is no member");
  runs_badly(arrives_twice, "twice in one round");
  runs_badly(waits_early, "without having arrived");
  runs_badly(leaves_early, "left with a round under way");
}

/* ── values ────────────────────────────────────────────────────────────────── */

/* Before the first value, the runtime runs a barrier of all members without a value. */
static void reduces(struct hd_ep *ep)
{
  const uint32_t rank = (uint32_t)hd_ep_rank(ep);
  struct hd_ep_barrier *b;
  int ranks[NODES];
  uint32_t result;
  EXPECT(ep, hd_ep_barrier_reduces(ep));
  EXPECT(ep, !hd_ep_barrier_create(ep, ranks, all_ranks(ranks), NULL, &b));
  for (uint32_t round = 0; round < 3; round++) {
    EXPECT(ep, hd_ep_barrier_arrive_with(ep, b, HD_EP_REDUCE_SUM, rank + round) ==
                   HD_EP_BARRIER_PENDING);
    EXPECT(ep, hd_ep_barrier_wait(ep, b) == HD_EP_BARRIER_PASSED);
    EXPECT(ep, hd_ep_barrier_result(b, &result));
    EXPECT(ep, result == NODES * (NODES - 1) / 2 + NODES * round);
  }
  hd_ep_barrier_arrive_with(ep, b, rank ? HD_EP_REDUCE_SUM : HD_EP_REDUCE_MAXIMUM, rank);
  EXPECT(ep, hd_ep_barrier_wait(ep, b) == HD_EP_BARRIER_PASSED);
  EXPECT(ep, !hd_ep_barrier_result(b, &result));
  hd_ep_barrier_arrive(ep, b);
  EXPECT(ep, hd_ep_barrier_wait(ep, b) == HD_EP_BARRIER_PASSED);
  EXPECT(ep, !hd_ep_barrier_result(b, &result));
  hd_ep_barrier_destroy(ep, b);
}

/* These switches combine no values. */
static void names_a_value(struct hd_ep *ep)
{
  struct hd_ep_barrier *b;
  create_group_of_one(ep, &b);
  hd_ep_barrier_arrive_with(ep, b, HD_EP_REDUCE_SUM, 1);
}

static void is_refused_a_value(struct hd_ep *ep)
{
  struct hd_ep_barrier *b;
  int ranks[NODES];
  EXPECT(ep, !hd_ep_barrier_create(ep, ranks, all_ranks(ranks), NULL, &b));
  EXPECT(ep, hd_ep_barrier_arrive_with(ep, b, HD_EP_REDUCE_SUM, 1) == HD_EP_BARRIER_FAILED);
  EXPECT(ep, hd_ep_barrier_arrive_with(ep, b, HD_EP_REDUCE_SUM, 1) == HD_EP_BARRIER_FAILED);
}

TEST(values_of_members_are_combined_into_a_result)
{
  hw_values = true;
  runs_well(reduces, GOOD, STARTUP);
  runs_well(is_refused_a_value, REFUSES, 0);
  hw_values = false;
  runs_badly(names_a_value, "switches combine none; set switch.values: 1");
}
