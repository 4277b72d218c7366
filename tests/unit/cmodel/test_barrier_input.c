/* Barrier messages at a switch's inputs: queues, credits, protocol (specification §7.3–7.5, §8.5).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/barrier_rig.h"
#include "../lib/test.h"

static void count_barrier_credits(unsigned barrier)
{
  struct hd_switch_params p = plain_params(barrier);
  CLEANUP(rig_close) struct rig r;
  open_way(&r, &p);
  for (unsigned i = 0; i < 3; i++) {
    put_message(&r, 0, 0, message_from(i));
    run_to(&r, r.cycle + 10);
  }
  assert_int_equal(r.n_flits, 2);
  uint64_t t = r.cycle;
  r.pins[1].credits = 1u << HD_BARRIER_CREDIT;
  run_to(&r, t + 5);
  expect_flit(&r, t + 3, 1, p.vcs - 1, HD_KIND_BARRIER_LAST, message_from(2));
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(errors_of(&r), 0);
    give_credits(&r, 1, 1u << HD_BARRIER_CREDIT);
  }
  expect_errors(&r, HD_ERR_CREDIT);
  assert_int_equal(view_of(&r).barrier[1].barrier_credit, 2);
}

TEST(barrier_credits_are_counted)
{
  for (unsigned barrier = 1; barrier <= 5; barrier++)
    count_barrier_credits(barrier);
}

TEST(the_barrier_unit_pauses_during_configuration_writes)
{
  CLEANUP(rig_close) struct rig r;
  open_plain_way(&r, HD_BARRIER_ANY);
  for (unsigned i = 0; i < 3; i++) {
    set_flit(&r, 0, 0, HD_KIND_BARRIER_LAST, message_from(i));
    configure(&r, HD_CFG_IDLE, 3);
  }
  assert_int_equal(view_of(&r).barrier[0].queued, 2);
  tick(&r); /* look */
  assert_int_equal(view_of(&r).unit_act, 1);
  assert_int_equal(errors_of(&r), HD_ERR_OVERFLOW);
  for (unsigned i = 0; i < 5; i++) {
    configure(&r, HD_CFG_ERRORS, 0xffff);
    assert_int_equal(view_of(&r).unit_act, 0);
  }
  uint64_t t = r.cycle; /* look, act; look, act: slots in t + 2, t + 4 */
  run_to(&r, t + 10);
  expect_flit(&r, t + 4, 1, 0, HD_KIND_BARRIER_LAST, message_from(0));
  expect_flit(&r, t + 6, 1, 0, HD_KIND_BARRIER_LAST, message_from(1));
  assert_int_equal(r.n_flits, 2);
}

/* Takes a port away as the management does: first LIVE, then the ways, a write a cycle. */
TEST(ways_of_messages_are_looked_up_again_after_writes)
{
  CLEANUP(rig_close) struct rig r;
  open_plain_way(&r, HD_BARRIER_ANY);
  put_flit(&r, 0, 0, HD_KIND_BARRIER_LAST, message_from(0));
  tick(&r); /* look */
  assert_int_equal(view_of(&r).unit_act, 1);
  configure(&r, HD_CFG_LIVE, 1u << 2);
  configure(&r, HD_CFG_BARRIER_WAY(2), 1u << 2);
  uint64_t t = r.cycle;
  run_to(&r, t + 10);
  expect_flit(&r, t + 4, 2, 0, HD_KIND_BARRIER_LAST, message_from(0));
  assert_int_equal(r.n_flits, 1);
}

TEST(a_queue_counts_as_full_in_the_cycle_in_which_a_message_leaves)
{
  CLEANUP(rig_close) struct rig r;
  open_plain_way(&r, HD_BARRIER_ANY);
  put_flit(&r, 0, 0, HD_KIND_BARRIER_LAST, message_from(0));
  put_flit(&r, 0, 0, HD_KIND_BARRIER_LAST, message_from(1)); /* look */
  put_flit(&r, 0, 0, HD_KIND_BARRIER_LAST, message_from(2)); /* act: two messages at its start */
  put_flit(&r, 0, 0, HD_KIND_BARRIER_LAST, message_from(3)); /* one */
  expect_errors(&r, HD_ERR_OVERFLOW);
  r.pins[1].credits = 1u << HD_BARRIER_CREDIT;
  run_to(&r, r.cycle + 20);
  assert_int_equal(r.n_flits, 3);
  assert_int_equal(r.flits[2].data, message_from(3));
}

TEST(one_message_a_cycle_moves_from_the_buffers_to_the_queue)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_QUEUED);
  CLEANUP(rig_close) struct rig r;
  p.vcs = 2;
  open_way(&r, &p);
  for (unsigned i = 0; i < 2; i++) { /* fills the queue while the unit stands still */
    set_flit(&r, 0, 0, HD_KIND_BARRIER_LAST, message_from(i));
    configure(&r, HD_CFG_IDLE, 3);
  }
  for (unsigned vc = 2; vc-- > 0;) { /* the higher channel's was first, but it waits */
    set_flit(&r, 0, vc, HD_KIND_BARRIER_LAST, message_from(2 + vc));
    configure(&r, HD_CFG_IDLE, 3);
  }
  for (unsigned i = 0; i < 4; i++)
    configure(&r, HD_CFG_IDLE, 3);
  assert_int_equal(view_of(&r).barrier[0].queued, 2);
  uint64_t t = r.cycle;
  uint32_t blocked = r.blocked;
  tick(&r); /* look */
  tick(&r); /* act */
  tick(&r); /* look; channel 0's is popped */
  assert_int_equal(credits_at(&r, t + 3, 0), 1);
  tick(&r); /* act; the queue is full at the start of the cycle */
  tick(&r); /* look; channel 1's is popped */
  assert_int_equal(credits_at(&r, t + 4, 0), 1 << HD_BARRIER_CREDIT);
  assert_int_equal(credits_at(&r, t + 5, 0), 2);
  assert_int_equal(r.blocked - blocked, 2 + 2 + 1 + 1);
  for (unsigned i = 0; i < 2; i++) {
    give_credits(&r, 1, 1u << HD_BARRIER_CREDIT);
  }
  run_to(&r, t + 20);
  assert_int_equal(r.n_flits, 4);
  for (unsigned i = 0; i < 4; i++)
    assert_int_equal(r.flits[i].data, message_from(i));
}

TEST(channels_with_messages_at_the_front_at_once_take_turns)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_QUEUED);
  CLEANUP(rig_close) struct rig r;
  p.vcs = 2;
  p.depth_flits = 2;
  open_way(&r, &p);
  configure(&r, HD_CFG_DESTINATION(0, 1), hd_table_entry(1, 1));
  for (unsigned i = 0; i < 3; i++) { /* the third finds no credit */
    put_flit(&r, 0, 0, HD_KIND_SINGLE, HEAD_FOR_1);
    run_to(&r, r.cycle + 3);
  }
  put_flit(&r, 0, 0, HD_KIND_BARRIER_LAST, message_from(0));
  run_to(&r, r.cycle + 3);
  uint64_t t = r.cycle;
  r.pins[1].credits = 1;                                     /* it goes in t + 1 */
  put_flit(&r, 0, 1, HD_KIND_BARRIER_LAST, message_from(1)); /* at the front in t + 2 */
  run_to(&r, t + 20);
  assert_int_equal(credits_at(&r, t + 3, 0), 1);
  assert_int_equal(credits_at(&r, t + 4, 0), 2);
}

TEST(protocol_violations_are_flagged_and_change_nothing_else)
{
  for (unsigned barrier = 1; barrier <= 5; barrier++) {
    struct hd_switch_params p = plain_params(barrier);
    CLEANUP(rig_close) struct rig r;
    p.vcs = 3;
    open_way(&r, &p);
    put_flit(&r, 0, 0, HD_KIND_PADDING, 1); /* not preempted */
    run_to(&r, r.cycle + 3);
    expect_errors(&r, HD_ERR_PROTOCOL);
    put_flit(&r, 0, 0, HD_KIND_BARRIER, 1); /* M = 1 */
    run_to(&r, r.cycle + 3);
    expect_errors(&r, HD_ERR_PROTOCOL);
    put_flit(&r, 0, 3, HD_KIND_BARRIER_LAST, message_from(1));
    run_to(&r, r.cycle + 3);
    expect_errors(&r, HD_ERR_CHANNEL);
    put_flit(&r, 0, 0, HD_KIND_PADDING, 0);
    run_to(&r, r.cycle + 3);
    assert_int_equal(errors_of(&r), barrier <= 3 ? 0 : HD_ERR_PROTOCOL);
    put_flit(&r, 0, 0, HD_KIND_PADDING, 0);
    run_to(&r, r.cycle + 3);
    expect_errors(&r, HD_ERR_PROTOCOL);
    assert_int_equal(view_of(&r).in[0][0].preempted, barrier <= 3);
    expect_silence(&r);
    assert_int_equal(r.n_credits, messages_use_buffers(barrier) ? 4 : 0);
  }
}
