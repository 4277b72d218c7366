/* Values in barriers: what the barrier unit of one switch does with them (specification §8.14).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The switch is number 1, with members on ports 0 and 4, a child 2 by port 2, and its parent, the center 6, by
 * port 3; or it is the center itself.
 */
#include "../lib/barrier_rig.h"
#include "../lib/test.h"

enum { SELF = 1, CENTER = 6, CHILD = 2, GROUP = 3, MEMBERS = 1 << 0 | 1 << 4 };

static void open_switch(struct rig *r, unsigned center)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_ANY);
  p.ports = 5;
  p.data_bits = 64;
  p.values = 1;
  rig_open(r, &p);
  configure(r, HD_CFG_SELF, SELF);
  configure(r, HD_CFG_BARRIER_WAY(CENTER), 1u << 3);
  configure(r, HD_CFG_BARRIER_WAY(CHILD), 1u << 2);
  configure(r, HD_CFG_CENTER, center);
  configure(r, HD_CFG_COUNT, center == SELF);
  configure(r, HD_CFG_LOCAL, MEMBERS);
  configure(r, HD_CFG_OPEN, GROUP);
}

static void deliver_message(struct rig *r, unsigned port, uint64_t message)
{
  put_message(r, port, 0, message);
  run_to(r, r->cycle + 20);
  refill(r);
}

static uint64_t local(enum hd_barrier_type type, unsigned op, uint32_t value)
{
  return hd_barrier_valued(hd_barrier_local(type, GROUP), op, value);
}

static uint64_t message(enum hd_barrier_type type, unsigned to, unsigned from, unsigned op,
                        uint32_t value)
{
  return hd_barrier_valued(hd_barrier_message(type, 0, GROUP, to, from), op, value);
}

static void expect_at(struct rig *r, uint64_t from, unsigned port, uint64_t expected)
{
  uint64_t got = 0;
  if (!next_message(r, &from, port, &got) || got != expected)
    fail_msg("output %u: message %016llx, not %016llx", port, (unsigned long long)got,
             (unsigned long long)expected);
}

/* The first round, which has no values. */
static void build(struct rig *r, unsigned center)
{
  open_switch(r, center);
  deliver_message(r, 0, local(HD_REDUCE, 0, 0));
  deliver_message(r, 4, local(HD_REDUCE, 0, 0));
  deliver_message(r, 2, hd_barrier_message(HD_INITIAL_REDUCE, 0, GROUP, center, CHILD));
  if (center != SELF)
    deliver_message(r, 3, message(HD_DISTRIBUTE, SELF, center, 0, 0));
  run_to(r, r->cycle + 20);
  refill(r);
  expect_errors(r, 0);
}

static uint32_t result(enum hd_barrier_operator op, uint32_t a, uint32_t b, uint32_t c)
{
  const uint32_t low = a < b ? a : b, high = a > b ? a : b;
  return op == HD_BARRIER_SUM       ? a + b + c
         : op == HD_BARRIER_MINIMUM ? (low < c ? low : c)
                                    : (high > c ? high : c);
}

TEST(the_center_releases_with_the_result)
{
  static const uint32_t values[][3] = {
      {1, 2, 3}, {UINT32_MAX, 7, 1}, {0, UINT32_MAX, 5}, {INT32_MAX, 1, UINT32_C(1) << 31}};
  struct rig r;
  build(&r, SELF);
  for (unsigned op = HD_BARRIER_SUM; op <= HD_BARRIER_MAXIMUM; op++)
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      const uint32_t *v = values[i], right = result(op, v[0], v[1], v[2]);
      deliver_message(&r, 0, local(HD_REDUCE, op, v[0]));
      deliver_message(&r, 2, message(HD_REDUCE, SELF, CHILD, op, v[1]));
      const uint64_t from = r.cycle;
      deliver_message(&r, 4, local(HD_REDUCE, op, v[2]));
      expect_at(&r, from, 2, message(HD_DISTRIBUTE, CHILD, SELF, op, right));
      expect_at(&r, from, 0, local(HD_DISTRIBUTE, op, right));
      expect_at(&r, from, 4, local(HD_DISTRIBUTE, op, right));
    }
  rig_close(&r);
}

TEST(a_switch_other_than_the_center_reports_values_and_forwards_the_result)
{
  CLEANUP(rig_close) struct rig r;
  build(&r, CENTER);
  deliver_message(&r, 0, local(HD_REDUCE, HD_BARRIER_SUM, 5));
  deliver_message(&r, 2, message(HD_REDUCE, SELF, CHILD, HD_BARRIER_SUM, 6));
  uint64_t from = r.cycle;
  deliver_message(&r, 4, local(HD_REDUCE, HD_BARRIER_SUM, 7));
  expect_at(&r, from, 3, message(HD_REDUCE, CENTER, SELF, HD_BARRIER_SUM, 18));
  from = r.cycle;
  deliver_message(&r, 3, message(HD_DISTRIBUTE, SELF, CENTER, HD_BARRIER_SUM, 1000));
  expect_at(&r, from, 2, message(HD_DISTRIBUTE, CHILD, SELF, HD_BARRIER_SUM, 1000));
  expect_at(&r, from, 4, local(HD_DISTRIBUTE, HD_BARRIER_SUM, 1000));
  /* The next round has neither operator nor result. The unit ignores the value of a message without an operator. */
  deliver_message(&r, 0, local(HD_REDUCE, 0, 77));
  deliver_message(&r, 2, message(HD_REDUCE, SELF, CHILD, 0, 77));
  from = r.cycle;
  deliver_message(&r, 4, local(HD_REDUCE, 0, 0));
  expect_at(&r, from, 3, message(HD_REDUCE, CENTER, SELF, 0, 0));
  from = r.cycle;
  deliver_message(&r, 3, message(HD_DISTRIBUTE, SELF, CENTER, 0, 77));
  expect_at(&r, from, 0, local(HD_DISTRIBUTE, 0, 0));
}

TEST(members_with_different_operators_are_released_without_a_result)
{
  CLEANUP(rig_close) struct rig r;
  build(&r, SELF);
  deliver_message(&r, 0, local(HD_REDUCE, HD_BARRIER_SUM, 5));
  deliver_message(&r, 2, message(HD_REDUCE, SELF, CHILD, HD_BARRIER_MAXIMUM, 6));
  expect_errors(&r, HD_ERR_PROTOCOL);
  uint64_t from = r.cycle;
  deliver_message(&r, 4, local(HD_REDUCE, HD_BARRIER_SUM, 7)); /* differs from none */
  expect_at(&r, from, 0, local(HD_DISTRIBUTE, 0, 0));
  expect_at(&r, from, 2, message(HD_DISTRIBUTE, CHILD, SELF, 0, 0));
  expect_errors(&r, HD_ERR_PROTOCOL);
}

TEST(a_value_in_the_first_round_is_refused)
{
  CLEANUP(rig_close) struct rig r;
  open_switch(&r, SELF);
  uint64_t from = r.cycle;
  deliver_message(&r, 0, local(HD_REDUCE, HD_BARRIER_SUM, 5));
  expect_at(&r, from, 0, hd_barrier_local(HD_FAIL, GROUP));
  expect_errors(&r, HD_ERR_PROTOCOL);
  /* The member has not arrived yet, so it may still arrive. */
  deliver_message(&r, 4, local(HD_REDUCE, 0, 0));
  deliver_message(&r, 2, hd_barrier_message(HD_INITIAL_REDUCE, 0, GROUP, SELF, CHILD));
  from = r.cycle;
  deliver_message(&r, 0, local(HD_REDUCE, 0, 0));
  expect_at(&r, from, 0, local(HD_DISTRIBUTE, 0, 0));
  /* A member that has arrived already is refused as before. */
  deliver_message(&r, 0, local(HD_REDUCE, HD_BARRIER_SUM, 5));
  expect_errors(&r, 0);
  from = r.cycle;
  deliver_message(&r, 0, local(HD_REDUCE, HD_BARRIER_SUM, 5));
  expect_at(&r, from, 0, hd_barrier_local(HD_FAIL, GROUP));
  expect_errors(&r, HD_ERR_DUPLICATE);
}

/* Members arrive for the next round while the unit still sends the releases of the last one. */
TEST(arrivals_for_the_next_round_do_not_change_the_result)
{
  CLEANUP(rig_close) struct rig r;
  build(&r, SELF);
  deliver_message(&r, 2, message(HD_REDUCE, SELF, CHILD, HD_BARRIER_SUM, 1));
  deliver_message(&r, 4, local(HD_REDUCE, HD_BARRIER_SUM, 2));
  const uint64_t from = r.cycle;
  put_message(&r, 0, 0, local(HD_REDUCE, HD_BARRIER_SUM, 3));
  /* The arrival is in the queue before the member's own release. The unit takes it after the round. */
  put_message(&r, 0, 0, local(HD_REDUCE, HD_BARRIER_MAXIMUM, 99));
  run_to(&r, r.cycle + 40);
  expect_at(&r, from, 2, message(HD_DISTRIBUTE, CHILD, SELF, HD_BARRIER_SUM, 6));
  expect_at(&r, from, 4, local(HD_DISTRIBUTE, HD_BARRIER_SUM, 6));
  expect_at(&r, from, 0, local(HD_DISTRIBUTE, HD_BARRIER_SUM, 6));
}

/* Bits that a switch does not look at go on with a message that passes. */
TEST(messages_in_transit_keep_bits_that_the_switch_does_not_read)
{
  static const uint64_t high = UINT64_C(0x9abcdef0) << 32;
  CLEANUP(rig_close) struct rig r;
  open_switch(&r, CENTER);
  uint64_t from = r.cycle;
  deliver_message(&r, 2, high | hd_barrier_message(HD_INITIAL_REDUCE, 0, GROUP, CENTER, CHILD));
  expect_at(&r, from, 3, high | hd_barrier_message(HD_INITIAL_REDUCE, 2, GROUP, CENTER, CHILD));
  from = r.cycle;
  deliver_message(&r, 2, high | message(HD_REDUCE, CENTER, CHILD, HD_BARRIER_MINIMUM, 0));
  expect_at(&r, from, 3, high | message(HD_REDUCE, CENTER, CHILD, HD_BARRIER_MINIMUM, 0));
}

TEST(barrier_values_need_flits_of_64_bits)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_ANY);
  p.values = 1;
  p.data_bits = 64;
  must(hd_switch_params_check(&p, &why));
  assert_int_equal(hd_register_of_params(&p, HD_CFG_BARRIER) >> 9, 1);
  p.data_bits = 32;
  must_say(hd_switch_params_check(&p, &why), HD_E_INPUT,
           "switch parameter values is 1, but data_bits is 32, must be 64: a "
           "barrier message with a value takes one flit");
  p.barrier = HD_BARRIER_NONE; /* then it is not looked at */
  must(hd_switch_params_check(&p, &why));
}
