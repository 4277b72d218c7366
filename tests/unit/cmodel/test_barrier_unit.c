/* The barrier unit of one switch: what each message does (specification §8.3, §8.4, §8.6).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The switch is number 1; odd and even ports lead to switches as set in open_unit. Every test
 * runs beside (BARRIER 1) with messages of one flit and of two.
 */
#include "../lib/barrier_rig.h"
#include "../lib/test.h"

enum { SELF = 1, CENTER = 6, GROUP = 3 };

static void open_unit(struct rig *r, unsigned data_bits)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_ANY);
  p.ports = 5;
  p.data_bits = data_bits;
  p.groups = 2;
  rig_open(r, &p);
  configure(r, HD_CFG_SELF, SELF);
  configure(r, HD_CFG_BARRIER_WAY(CENTER), 1u << 3 | 1u << 4); /* first way: 3 */
  configure(r, HD_CFG_BARRIER_WAY(2), 1u << 2);
  configure(r, HD_CFG_BARRIER_WAY(4), 1u << 4);
  configure(r, HD_CFG_BARRIER_WAY(5), 0xf << 5); /* no port of this switch */
}

static void run_both(void (*test)(struct rig *r))
{
  for (unsigned data_bits = 16; data_bits <= 32; data_bits *= 2) {
    CLEANUP(rig_close) struct rig r;
    open_unit(&r, data_bits);
    test(&r);
  }
}

/* A test that runs on a switch with messages of two flits, and on one with messages of one flit. */
#define TEST_BOTH(name)                 \
  static void name##_of(struct rig *r); \
  TEST(name)                            \
  {                                     \
    run_both(name##_of);                \
  }                                     \
  static void name##_of(struct rig *r)

static void open_group(struct rig *r, unsigned group, unsigned center, unsigned count,
                       unsigned local)
{
  configure(r, HD_CFG_CENTER, center);
  configure(r, HD_CFG_COUNT, count);
  configure(r, HD_CFG_LOCAL, local);
  configure(r, HD_CFG_OPEN, group);
}

static uint32_t initial(unsigned tag, unsigned bsr)
{
  return hd_barrier_message(HD_INITIAL_REDUCE, tag, GROUP, CENTER, bsr);
}

/* `message` at input `in` makes `answer`, alone, at output `out`. */
static void expect_answer(struct rig *r, unsigned in, uint32_t message, unsigned out,
                          uint32_t answer)
{
  refill(r);
  put_message(r, in, 0, message);
  expect_message(r, out, answer);
}

static void expect_drop(struct rig *r, unsigned in, uint32_t message, unsigned error)
{
  refill(r);
  put_message(r, in, 0, message);
  expect_silence(r);
  expect_errors(r, error);
}

TEST_BOTH(initial_reduces_of_several_branches_are_counted_by_tags)
{
  expect_answer(r, 0, initial(0, 7), 3, initial(0, 7));    /* first branch: passes */
  expect_answer(r, 1, initial(0, 9), 3, initial(1, SELF)); /* second: this is a BSR node */
  expect_answer(r, 2, initial(0, 8), 3, initial(2, 8));    /* third: counted only */
  expect_answer(r, 0, initial(1, 7), 3, initial(2, 7));
  expect_answer(r, 4, initial(2, 5), 3, initial(2, 5));
  assert_int_equal(errors_of(r), 0);
  expect_drop(r, 2, initial(0, 4), HD_ERR_DUPLICATE); /* the branch by port 2 stays 8 */
  expect_drop(r, 0, initial(3, 7), HD_ERR_PROTOCOL);
  /* The branches by ports 0, 1, 2 are 7, 9, 8; the table knows switches below 8. */
  configure(r, HD_CFG_BARRIER_WAY(7), 1);
  put_message(r, 3, 0, hd_barrier_message(HD_DISTRIBUTE, 0, GROUP, SELF, CENTER));
  expect_message(r, 0, hd_barrier_message(HD_DISTRIBUTE, 0, GROUP, 7, SELF));
  expect_errors(r, HD_ERR_UNREACHABLE);
  expect_drop(r, 0, initial(0, 7), HD_ERR_GROUP);
  expect_drop(r, 0, initial(1, 7), HD_ERR_GROUP);
  expect_answer(r, 0, initial(2, 7), 3, initial(2, 7));
  expect_errors(r, 0);
}

TEST_BOTH(an_initial_reduce_with_tag_1_passes_from_the_first_branch)
{
  expect_answer(r, 0, initial(1, 7), 3, initial(1, 7));
  expect_answer(r, 0, initial(1, 6), 3, initial(1, 6)); /* no duplicate: a newer node there */
  expect_answer(r, 1, initial(0, 9), 3, initial(1, SELF));
  expect_errors(r, 0);
}

TEST_BOTH(a_switch_with_members_is_a_bsr_node_from_the_start)
{
  open_group(r, GROUP, CENTER, 0, 1u << 4);
  expect_answer(r, 0, initial(0, 7), 3, initial(2, 7));
  expect_answer(r, 4, hd_barrier_local(HD_REDUCE, GROUP), 3, initial(0, SELF));
  expect_answer(r, 4, hd_barrier_local(HD_REDUCE, GROUP), 4, hd_barrier_local(HD_FAIL, GROUP));
  expect_errors(r, HD_ERR_DUPLICATE);
  expect_answer(r, 2, hd_barrier_local(HD_REDUCE, GROUP), 2, hd_barrier_local(HD_FAIL, GROUP));
  expect_errors(r, HD_ERR_GROUP);
  expect_answer(r, 2, hd_barrier_local(HD_REDUCE, 9), 2, hd_barrier_local(HD_FAIL, 9));
  expect_errors(r, HD_ERR_GROUP);
  expect_drop(r, 4, hd_barrier_local(HD_DISTRIBUTE, GROUP), HD_ERR_PROTOCOL);
}

TEST_BOTH(rounds_on_a_built_tree_reduce_and_distribute_as_specified)
{
  open_group(r, GROUP, CENTER, 0, 1u << 4);
  put_message(r, 4, 0, hd_barrier_local(HD_REDUCE, GROUP));
  run_to(r, r->cycle + 20);
  put_message(r, 2, 0, initial(0, 2));
  run_to(r, r->cycle + 20);
  expect_drop(r, 2, hd_barrier_message(HD_REDUCE, 0, GROUP, SELF, 2), HD_ERR_GROUP);
  refill(r);
  uint64_t from = r->cycle, local = from, child = from;
  uint64_t message;
  put_message(r, 3, 0, hd_barrier_message(HD_DISTRIBUTE, 0, GROUP, SELF, CENTER));
  run_to(r, from + 40);
  assert_true(next_message(r, &local, 4, &message));
  assert_int_equal(message, hd_barrier_local(HD_DISTRIBUTE, GROUP));
  assert_true(next_message(r, &child, 2, &message));
  assert_int_equal(message, hd_barrier_message(HD_DISTRIBUTE, 0, GROUP, 2, SELF));
  assert_int_equal(local - child, 2); /* one step of the unit later */
  put_message(r, 4, 0, hd_barrier_local(HD_REDUCE, GROUP));
  expect_silence(r); /* the child has not reported */
  expect_drop(r, 1, hd_barrier_message(HD_REDUCE, 0, GROUP, SELF, 5), HD_ERR_GROUP);
  /* The message may come in at any port. It goes up by any way, from port 3 on: 2 was the last. */
  refill(r);
  put_message(r, 0, 0, hd_barrier_message(HD_REDUCE, 0, GROUP, SELF, 2));
  expect_message(r, 3, hd_barrier_message(HD_REDUCE, 0, GROUP, CENTER, SELF));
  expect_drop(r, 1, hd_barrier_message(HD_REDUCE, 0, GROUP, SELF, 2), HD_ERR_DUPLICATE);
  put_message(r, 0, 0, hd_barrier_message(HD_FAIL, 0, GROUP, SELF, 5));
  expect_message(r, 4, hd_barrier_local(HD_FAIL, GROUP));
}

TEST_BOTH(a_distribute_out_of_turn_releases_no_member)
{
  const uint32_t distribute = hd_barrier_message(HD_DISTRIBUTE, 0, GROUP, SELF, CENTER);
  const uint32_t arrival = hd_barrier_local(HD_REDUCE, GROUP);
  struct hd_group_view view;
  open_group(r, GROUP, CENTER, 0, 1u << 1 | 1u << 4);
  expect_drop(r, 3, distribute, HD_ERR_DUPLICATE); /* no member has arrived */
  put_message(r, 4, 0, arrival);
  expect_silence(r);
  expect_drop(r, 3, distribute, HD_ERR_DUPLICATE); /* one member is missing */
  /* The way up is blocked: two barrier credits and the slot of port 3 are taken. */
  configure(r, HD_CFG_LIVE, 1u << 3);
  for (unsigned i = 0; i < 3; i++) {
    put_message(r, 0, 0, initial(2, 7));
    run_to(r, r->cycle + 10);
  }
  put_message(r, 1, 0, arrival);
  run_to(r, r->cycle + 20);
  assert_true(hd_switch_look_group(r->sw, GROUP, &view) && view.pending);
  put_message(r, 4, 0, distribute);
  run_to(r, r->cycle + 20);
  assert_int_equal(errors_of(r), HD_ERR_DUPLICATE);
  assert_true(hd_switch_look_group(r->sw, GROUP, &view) && !view.built && view.local_in);
  configure(r, HD_CFG_LIVE, 0x1f);
  configure(r, HD_CFG_ERRORS, 0xffff);
  refill(r);
  run_to(r, r->cycle + 20);
  expect_answer(r, 2, initial(0, 2), 3, initial(2, 2)); /* a branch */
  refill(r);
  put_message(r, 3, 0, distribute);
  run_to(r, r->cycle + 40);
  assert_true(hd_switch_look_group(r->sw, GROUP, &view) && view.built && !view.local_in);
  expect_errors(r, 0);
  expect_drop(r, 3, distribute, HD_ERR_DUPLICATE); /* the same again */
  put_message(r, 4, 0, arrival);
  put_message(r, 1, 0, arrival);
  expect_silence(r);
  expect_drop(r, 3, distribute, HD_ERR_DUPLICATE); /* the branch is missing */
  put_message(r, 2, 0, hd_barrier_message(HD_REDUCE, 0, GROUP, SELF, 2));
  run_to(r, r->cycle + 40);
  expect_drop(r, 3, hd_barrier_message(HD_DISTRIBUTE, 0, GROUP, SELF, 4), HD_ERR_DUPLICATE);
  uint32_t seen = r->n_flits;
  put_message(r, 3, 0, distribute);
  run_to(r, r->cycle + 40);
  assert_int_equal(r->n_flits - seen, 3 * hd_barrier_flits(&r->params));
  expect_errors(r, 0);
}

TEST_BOTH(a_failed_group_refuses_arriving_members)
{
  const uint32_t fail = hd_barrier_message(HD_FAIL, 0, GROUP, SELF, 5);
  const uint32_t refusal = hd_barrier_local(HD_FAIL, GROUP);
  open_group(r, GROUP, CENTER, 0, 1u << 1 | 1u << 4);
  put_message(r, 1, 0, hd_barrier_local(HD_REDUCE, GROUP));
  expect_silence(r);
  expect_answer(r, 3, fail, 1, refusal); /* only a member that has arrived gets an answer */
  put_message(r, 3, 0, fail);
  expect_silence(r); /* no member gets a second answer */
  for (unsigned again = 0; again < 2; again++) {
    expect_answer(r, 4, hd_barrier_local(HD_REDUCE, GROUP), 4, refusal);
    expect_answer(r, 1, hd_barrier_local(HD_REDUCE, GROUP), 1, refusal);
  }
  expect_errors(r, 0);
  expect_answer(r, 2, hd_barrier_local(HD_REDUCE, GROUP), 2, refusal); /* no member */
  expect_errors(r, HD_ERR_GROUP);
}

static void set_message_flit(struct rig *r, unsigned port, uint32_t message, unsigned i)
{
  bool two = hd_barrier_flits(&r->params) == 2;
  bool first = two && !i;
  set_flit(r, port, 0, first ? HD_KIND_BARRIER : HD_KIND_BARRIER_LAST,
           first ? message & 0xffff
           : two ? message >> 16
                 : message);
}

/* A fail comes between two answers of a release. A member without an answer then gets the fail. */
TEST_BOTH(a_fail_during_a_release_answers_the_remaining_members)
{
  const uint32_t fail = hd_barrier_message(HD_FAIL, 0, GROUP, SELF, 5);
  uint64_t message;
  open_group(r, GROUP, SELF, 0, 1u << 1 | 1u << 4);
  put_message(r, 1, 0, hd_barrier_local(HD_REDUCE, GROUP));
  run_to(r, r->cycle + 20);
  uint64_t told[2] = {r->cycle, r->cycle};
  unsigned flits = hd_barrier_flits(&r->params);
  /* The fail comes a cycle later, so that its turn comes after the table's. */
  for (unsigned i = 0; i <= flits; i++) {
    if (i < flits)
      set_message_flit(r, 4, hd_barrier_local(HD_REDUCE, GROUP), i);
    if (i > 0)
      set_message_flit(r, 2, fail, i - 1);
    tick(r);
  }
  run_to(r, r->cycle + 40);
  assert_true(next_message(r, &told[0], 1, &message));
  assert_int_equal(message, hd_barrier_local(HD_DISTRIBUTE, GROUP));
  assert_true(next_message(r, &told[1], 4, &message));
  assert_int_equal(message, hd_barrier_local(HD_FAIL, GROUP));
  expect_errors(r, 0);
}

TEST_BOTH(the_center_counts_and_releases)
{
  open_group(r, GROUP, SELF, 2, 1u << 0 | 1u << 1);
  put_message(r, 2, 0, hd_barrier_message(HD_INITIAL_REDUCE, 0, GROUP, SELF, 2));
  put_message(r, 0, 0, hd_barrier_local(HD_REDUCE, GROUP));
  expect_drop(r, 2, hd_barrier_message(HD_INITIAL_REDUCE, 0, GROUP, SELF, 3), HD_ERR_DUPLICATE);
  put_message(r, 4, 0, hd_barrier_message(HD_INITIAL_REDUCE, 2, GROUP, SELF, 7));
  expect_silence(r);
  expect_errors(r, 0);
  expect_drop(r, 4, hd_barrier_message(HD_INITIAL_REDUCE, 0, GROUP, SELF, 4), HD_ERR_DUPLICATE);
  expect_drop(r, 4, hd_barrier_message(HD_DISTRIBUTE, 0, GROUP, SELF, 4), HD_ERR_GROUP);
  refill(r);
  uint64_t from = r->cycle, message;
  uint32_t seen = r->n_flits;
  put_message(r, 1, 0, hd_barrier_local(HD_REDUCE, GROUP));
  run_to(r, from + 40);
  assert_int_equal(r->n_flits - seen, 3 * hd_barrier_flits(&r->params));
  for (unsigned port = 0; port < 3; port++) {
    uint64_t at = from;
    assert_true(next_message(r, &at, port, &message));
    assert_int_equal(message, port < 2 ? hd_barrier_local(HD_DISTRIBUTE, GROUP)
                                       : hd_barrier_message(HD_DISTRIBUTE, 0, GROUP, 2, SELF));
  }
  expect_drop(r, 4, hd_barrier_message(HD_INITIAL_REDUCE, 0, GROUP, SELF, 4), HD_ERR_GROUP);
}

TEST_BOTH(groups_beyond_the_status_table_are_refused)
{
  open_group(r, 8, CENTER, 0, 1);
  open_group(r, 9, CENTER, 0, 1);
  expect_errors(r, 0);
  open_group(r, 9, CENTER, 0, 1);
  expect_errors(r, HD_ERR_GROUP);
  open_group(r, 10, CENTER, 0, 1);
  expect_errors(r, HD_ERR_TABLE);
  expect_answer(r, 0, initial(1, 7), 3, hd_barrier_message(HD_FAIL, 1, GROUP, CENTER, 7));
  expect_errors(r, HD_ERR_TABLE);
  expect_answer(r, 0, initial(2, 7), 3, initial(2, 7)); /* needs no entry */
  configure(r, HD_CFG_CLOSE, 10);
  configure(r, HD_CFG_CLOSE, 8);
  expect_answer(r, 0, initial(0, 7), 3, initial(0, 7));
  expect_errors(r, 0);
  expect_answer(r, 0, hd_barrier_local(HD_REDUCE, 8), 0, hd_barrier_local(HD_FAIL, 8));
  expect_errors(r, HD_ERR_GROUP);
}

TEST_BOTH(messages_for_unknown_groups_or_switches_are_dropped)
{
  for (unsigned type = 0; type < 4; type++)
    expect_drop(r, 0, hd_barrier_message(type, 0, GROUP, SELF, 7), HD_ERR_GROUP);
  expect_drop(r, 0, hd_barrier_message(HD_INITIAL_REDUCE, 0, GROUP, 5, 7), HD_ERR_UNREACHABLE);
  expect_drop(r, 0, hd_barrier_message(HD_REDUCE, 0, GROUP, 2000, 7), HD_ERR_UNREACHABLE);
  configure(r, HD_CFG_LIVE, 1u << 4);
  expect_drop(r, 0, hd_barrier_message(HD_FAIL, 0, GROUP, 2, 7), HD_ERR_UNREACHABLE);
  /* The first of these messages made no entry, so this one is the first branch again. Its way is live. */
  expect_answer(r, 0, initial(0, 7), 4, initial(0, 7));
  expect_errors(r, 0);
}

TEST_BOTH(messages_take_the_ports_of_their_way_in_turn)
{
  uint32_t up =
      hd_barrier_message(HD_REDUCE, 1, 31, CENTER, 7); /* tag and group are not looked at */
  expect_answer(r, 0, up, 3, up);
  expect_answer(r, 0, up, 4, up);
  expect_answer(r, 0, up, 3, up);
  refill(r);
  for (unsigned i = 0; i < 2; i++) { /* port 4 runs out of barrier credits */
    put_message(r, 0, 0, hd_barrier_message(HD_REDUCE, 0, GROUP, 4, 7));
    run_to(r, r->cycle + 20);
  }
  put_message(r, 0, 0, up);
  expect_message(r, 3, up);
  put_message(r, 0, 0, up);
  expect_message(r, 3, up);
  /* Both ports have no barrier credits: the slot of port 4 takes the message, and cannot send it. */
  put_message(r, 0, 0, up);
  expect_silence(r);
  struct hd_switch_view view;
  hd_switch_look(r->sw, &view);
  assert_int_equal(view.barrier[4].slot, 1);
  put_message(r, 0, 0, up);
  put_message(r, 0, 0, up);
  expect_silence(r);
  hd_switch_look(r->sw, &view);
  assert_int_equal(view.barrier[3].slot, 1);
  assert_int_equal(view.barrier[0].queued, 1); /* waits for a slot */
}

TEST_BOTH(input_ports_with_messages_take_turns)
{
  uint64_t from = r->cycle;
  uint64_t message;
  open_group(r, GROUP, SELF, 0, 1u << 2);
  for (unsigned i = 0; i < 2; i++) /* both queues are full before the unit may go */
    for (unsigned port = 0; port < 2; port++) {
      uint32_t m = hd_barrier_message(HD_REDUCE, 0, GROUP, 2 + 2 * port, i);
      if (hd_barrier_flits(&r->params) == 2) {
        set_flit(r, port, 0, HD_KIND_BARRIER, m & 0xffff);
        configure(r, HD_CFG_COUNT, 0);
      }
      set_flit(r, port, 0, HD_KIND_BARRIER_LAST, r->params.data_bits == 16 ? m >> 16 : m);
      configure(r, HD_CFG_COUNT, 0);
    }
  run_to(r, from + 60);
  uint64_t at[2][2];
  for (unsigned port = 0; port < 2; port++) {
    uint64_t cycle = from;
    for (unsigned i = 0; i < 2; i++) {
      assert_true(next_message(r, &cycle, 2 + 2 * port, &message));
      assert_int_equal(message, hd_barrier_message(HD_REDUCE, 0, GROUP, 2 + 2 * port, i));
      at[port][i] = cycle;
    }
  }
  assert_int_equal(at[1][0] - at[0][0], 2); /* a step each */
  assert_int_equal(at[0][1] - at[1][0], 2);
  assert_int_equal(at[1][1] - at[0][1], 2);
}

TEST_BOTH(a_closed_group_sends_no_more_messages)
{
  struct hd_switch_view view;
  for (unsigned again = 0; again < 2; again++) {
    open_group(r, GROUP, SELF, 0, 1u << 2);
    put_message(r, 2, 0, hd_barrier_local(HD_REDUCE, GROUP)); /* in its queue now */
    tick(r);                                                  /* look */
    tick(r);                                                  /* act: release */
    tick(r);                                                  /* look at the table */
    configure(r, HD_CFG_CLOSE, GROUP);
    if (again)
      open_group(r, GROUP, SELF, 0, 1u << 2); /* in the same place */
    hd_switch_look(r->sw, &view);
    assert_int_equal(view.unit_act, 0);
    expect_silence(r);
    assert_true(hd_switch_quiescent(r->sw, r->cycle));
  }
  expect_answer(r, 2, hd_barrier_local(HD_REDUCE, GROUP), 2,
                hd_barrier_local(HD_DISTRIBUTE, GROUP));
}

TEST(numbers_of_switches_have_eleven_bits)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_ANY);
  CLEANUP(rig_close) struct rig r;
  p.switches = 2048;
  rig_open(&r, &p);
  configure(&r, HD_CFG_SELF, 2046);
  configure(&r, HD_CFG_BARRIER_WAY(2047), 2);
  open_group(&r, 31, 2047, 0, 1);
  put_message(&r, 0, 0, hd_barrier_local(HD_REDUCE, 31));
  expect_message(&r, 1, hd_barrier_message(HD_INITIAL_REDUCE, 0, 31, 2047, 2046));
}

TEST_BOTH(registers_read_as_written)
{
  assert_int_equal(hd_switch_config_read(r->sw, HD_CFG_BARRIER), 1 | 2 << 3);
  assert_int_equal(hd_switch_config_read(r->sw, HD_CFG_SWITCHES), 8);
  assert_int_equal(hd_switch_config_read(r->sw, HD_CFG_IDLE), 16);
  assert_int_equal(hd_switch_config_read(r->sw, HD_CFG_LIVE), 31);
  for (uint32_t index = HD_CFG_IDLE; index <= HD_CFG_LOCAL; index++)
    configure(r, index, 0xffff);
  assert_int_equal(hd_switch_config_read(r->sw, HD_CFG_IDLE), 0xffff);
  assert_int_equal(hd_switch_config_read(r->sw, HD_CFG_SELF), 0x7ff);
  assert_int_equal(hd_switch_config_read(r->sw, HD_CFG_LIVE), 31);
  for (uint32_t index = HD_CFG_CENTER; index <= HD_CFG_CLOSE; index++)
    assert_int_equal(hd_switch_config_read(r->sw, index), 0);
  hd_switch_reset(r->sw);
  r->cycle = 0;
  r->n_flits = r->n_credits = 0;
  assert_int_equal(hd_switch_config_read(r->sw, HD_CFG_IDLE), 16);
  assert_int_equal(hd_switch_config_read(r->sw, HD_CFG_SELF), 0);
  uint32_t m = hd_barrier_message(HD_REDUCE, 0, GROUP, 2, 7);
  expect_answer(r, 0, m, 2, m); /* the barrier routing table is kept */
}

TEST(illegal_parameters_are_refused)
{
  static const struct {
    unsigned barrier, vcs, data_bits, depth, groups, switches;
    const char *word; /* NULL: legal */
  } cases[] = {
      {1, 1, 16, 1, 1, 2, NULL},          {1, 1, 16, 1, 32, 2048, NULL},
      {6, 1, 16, 4, 1, 2, "barrier"},     {1, 1, 16, 4, 0, 2, "groups"},
      {1, 1, 16, 4, 33, 2, "groups"},     {1, 1, 16, 4, 1, 1, "switches"},
      {1, 1, 16, 4, 1, 2049, "switches"}, {3, 1, 16, 3, 1, 2, "depth_flits"},
      {3, 1, 16, 4, 1, 2, NULL},          {3, 1, 32, 2, 1, 2, "depth_flits"},
      {3, 1, 32, 3, 1, 2, NULL},          {4, 1, 16, 1, 1, 2, "depth_flits"},
      {4, 1, 32, 1, 1, 2, NULL},          {5, 2, 16, 1, 1, 2, "depth_flits"},
      {5, 1, 32, 4, 1, 2, "vcs"},         {0, 1, 16, 1, 0, 0, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_error err = {""};
    struct hd_switch_params p = plain_params(cases[i].barrier);
    p.vcs = cases[i].vcs;
    p.data_bits = cases[i].data_bits;
    p.depth_flits = cases[i].depth;
    p.groups = cases[i].groups;
    p.switches = cases[i].switches;
    int status = hd_switch_params_check(&p, &err);
    if ((status != 0) != (cases[i].word != NULL) ||
        (cases[i].word && !strstr(err.text, cases[i].word)))
      fail_msg("case %zu: %d %s", i, status, err.text);
  }
}
