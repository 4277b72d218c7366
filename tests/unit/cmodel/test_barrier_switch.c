/* Preemptions and padding at a switch's ports, cycle by cycle (specification §7.5–7.8, §8.5).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/barrier_rig.h"
#include "../lib/test.h"

TEST(a_hop_takes_the_cycles_of_the_formula)
{
  unsigned hops = 0;
  for (unsigned all = 0; all < 5 * 2 * 2 * 2 * 2; all++, hops++) {
    unsigned barrier = 1 + all / 16, bits = all & 1 ? 16 : 64;
    struct hd_switch_params p = plain_params(barrier);
    p.data_bits = bits;
    p.route_cycles = 1 + (all >> 1 & 1);
    p.arb_cycles = 1 + (all >> 2 & 1);
    p.buffer_cycles = all >> 3 & 1;
    uint64_t m = bits == 16 ? 2 : 1, d = p.buffer_cycles;
    CLEANUP(rig_close) struct rig r;
    open_way(&r, &p);
    put_message(&r, 0, p.vcs - 1, message_from(1));
    uint64_t last = r.cycle - 1; /* its last flit is at the pins */
    uint64_t q = last + 1 + (messages_use_buffers(barrier) ? p.route_cycles + 1 : 0);
    run_to(&r, q + 20);
    assert_int_equal(r.n_flits, m);
    /* The last flit is in the next switch's queue at q + T_b; with LINK = 1, and no routing
     * before the queue, it is visible one cycle before. */
    uint64_t t_b = m + d + 1 + 3;
    if (m == 2)
      expect_flit(&r, q + t_b - 2, 1, p.vcs - 1, HD_KIND_BARRIER, message_from(1) & 0xffff);
    expect_flit(&r, q + t_b - 1, 1, p.vcs - 1, HD_KIND_BARRIER_LAST,
                m == 2 ? message_from(1) >> 16 : message_from(1));
    /* Taken in q + 1. */
    assert_int_equal(credits_at(&r, q + 2, 0), 1 << HD_BARRIER_CREDIT);
    if (messages_use_buffers(barrier))
      assert_int_equal(credits_at(&r, q, 0), 1 << (p.vcs - 1));
  }
  printf("%u hops\n", hops);
  assert_int_equal(hops, 80);
}

/* Sends a packet at input 0 from t on, and a message at input 2 in t + 2, whose slot is full from t + 5 on. Returns
 * t. */
static uint64_t start_preemption(struct rig *r)
{
  uint64_t t = r->cycle;
  put_flit(r, 0, 0, HD_KIND_HEAD, HEAD_FOR_1); /* granted in t + 2 */
  put_flit(r, 0, 0, HD_KIND_BODY, 11);         /* t + 3 */
  set_flit(r, 2, 0, HD_KIND_BARRIER_LAST, message_from(1));
  tick(r); /* queue and look t + 3, act t + 4 */
  put_flit(r, 0, 0, HD_KIND_BODY, 12);
  put_flit(r, 0, 0, HD_KIND_TAIL, 13);
  return t;
}

TEST(a_preempted_packet_stops_and_continues_after_the_preemption)
{
  CLEANUP(rig_close) struct rig r;
  open_plain_way(&r, HD_BARRIER_ANY);
  uint64_t t = start_preemption(&r);
  run_to(&r, t + 40);
  expect_flit(&r, t + 4, 1, 0, HD_KIND_HEAD, HEAD_FOR_1);
  expect_flit(&r, t + 5, 1, 0, HD_KIND_BODY, 11);
  expect_flit(&r, t + 7, 1, 0, HD_KIND_PADDING, 0);                    /* sent in t + 5 */
  expect_flit(&r, t + 8, 1, 0, HD_KIND_BARRIER_LAST, message_from(1)); /* T_p = 1 */
  expect_flit(&r, t + 12, 1, 0, HD_KIND_PADDING, 1); /* idle: 0 in t + 7, 3 in t + 10 */
  expect_flit(&r, t + 13, 1, 0, HD_KIND_BODY, 12);
  expect_flit(&r, t + 14, 1, 0, HD_KIND_TAIL, 13);
  assert_int_equal(r.n_flits, 7);
  assert_int_equal(r.blocked, 6); /* body 12, t + 5 to t + 10 */
}

TEST(a_second_message_uses_the_preemption_in_progress)
{
  CLEANUP(rig_close) struct rig r;
  open_plain_way(&r, HD_BARRIER_ANY);
  uint64_t t = start_preemption(&r);
  run_to(&r, t + 6);
  put_flit(&r, 2, 0, HD_KIND_BARRIER_LAST, message_from(5)); /* slot t + 9 */
  run_to(&r, t + 40);
  expect_flit(&r, t + 8, 1, 0, HD_KIND_BARRIER_LAST, message_from(1));
  expect_flit(&r, t + 11, 1, 0, HD_KIND_BARRIER_LAST, message_from(5));
  expect_flit(&r, t + 15, 1, 0, HD_KIND_PADDING, 1); /* idle: 0 in t + 10 */
  expect_flit(&r, t + 16, 1, 0, HD_KIND_BODY, 12);
  assert_int_equal(r.n_flits, 8);
}

TEST(padding_keeps_a_preempted_packet_s_path)
{
  CLEANUP(rig_close) struct rig r;
  open_plain_way(&r, HD_BARRIER_ANY);
  uint64_t t = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_HEAD, HEAD_FOR_1); /* granted in t + 2 */
  put_flit(&r, 0, 0, HD_KIND_PADDING, 0);       /* preempted from t + 2 on */
  run_to(&r, t + 8);
  r.pins[1].credits = 1; /* there from t + 9 on */
  run_to(&r, t + 12);
  r.pins[1].credits = 1;
  put_flit(&r, 0, 0, HD_KIND_PADDING, 1);
  put_flit(&r, 0, 0, HD_KIND_TAIL, 13); /* at the front in t + 15 */
  run_to(&r, t + 40);
  expect_flit(&r, t + 4, 1, 0, HD_KIND_HEAD, HEAD_FOR_1);
  for (unsigned i = 5; i < 8; i++) /* three credits were left */
    expect_flit(&r, t + i, 1, 0, HD_KIND_NULL, 0);
  expect_none(&r, t + 8, t + 11, 1);
  expect_flit(&r, t + 11, 1, 0, HD_KIND_NULL, 0);
  expect_none(&r, t + 12, t + 17, 1);
  expect_flit(&r, t + 17, 1, 0, HD_KIND_TAIL, 13);
  assert_int_equal(r.n_flits, 6);
  assert_int_equal(r.n_credits, 2); /* of the packet alone */
  assert_int_equal(credits_at(&r, t + 3, 0), 1);
  assert_int_equal(credits_at(&r, t + 16, 0), 1);
  assert_int_equal(r.blocked, 0); /* padding that waits does not count as blocked */
}

TEST(padding_pauses_while_its_output_is_itself_preempted)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_ANY);
  CLEANUP(rig_close) struct rig r;
  p.depth_flits = 16;
  open_way(&r, &p);
  uint64_t t = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_HEAD, HEAD_FOR_1);
  put_flit(&r, 0, 0, HD_KIND_PADDING, 0);
  put_flit(&r, 2, 0, HD_KIND_BARRIER_LAST, message_from(1)); /* slot t + 5 */
  run_to(&r, t + 14);
  expect_flit(&r, t + 5, 1, 0, HD_KIND_NULL, 0); /* sent in t + 3 */
  expect_flit(&r, t + 6, 1, 0, HD_KIND_NULL, 0);
  expect_flit(&r, t + 7, 1, 0, HD_KIND_PADDING, 0);
  expect_flit(&r, t + 8, 1, 0, HD_KIND_BARRIER_LAST, message_from(1));
  expect_none(&r, t + 9, t + 12, 1);
  expect_flit(&r, t + 12, 1, 0, HD_KIND_PADDING, 1);
  expect_flit(&r, t + 13, 1, 0, HD_KIND_NULL, 0);
}

TEST(padding_without_an_open_packet_is_not_forwarded)
{
  CLEANUP(rig_close) struct rig r;
  open_plain_way(&r, HD_BARRIER_ANY);
  put_flit(&r, 0, 0, HD_KIND_PADDING, 0);
  expect_silence(&r);
  assert_false(hd_switch_quiescent(r.sw, r.cycle)); /* §8.8 */
  put_flit(&r, 0, 0, HD_KIND_HEAD, 2 << 2);         /* unroutable: sink */
  put_flit(&r, 0, 0, HD_KIND_NULL, 0);
  expect_silence(&r);
  expect_errors(&r, HD_ERR_UNROUTABLE);
  put_flit(&r, 0, 0, HD_KIND_TAIL, 0);
  uint64_t end = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_PADDING, 1);
  tick(&r);
  tick(&r); /* the tail is discarded in end + 1: its credit is visible in end + 2 */
  assert_int_equal(credits_at(&r, end + 2, 0), 1);
  assert_false(hd_switch_quiescent(r.sw, end + 3));
  tick(&r);
  assert_true(hd_switch_quiescent(r.sw, end + 4));
  put_flit(&r, 0, 0, HD_KIND_NULL, 0);
  run_to(&r, r.cycle + 4);
  expect_errors(&r, HD_ERR_ORPHAN);
}

/* A packet of input `port` owns channel `vc` of output 1, and sends nothing more. */
static void own_channel(struct rig *r, unsigned port, unsigned vc)
{
  configure(r, HD_CFG_DESTINATION(port, 1), hd_table_entry(1, 1u << vc));
  put_flit(r, port, 0, HD_KIND_HEAD, HEAD_FOR_1);
  r->pins[1].credits = 0;
  run_to(r, r->cycle + 4);
  give_credits(r, 1, 1u << vc); /* its head has gone */
}

/* A message at input 2; the next two flits of output 1, 0 if there are none. */
static void two_flits(struct rig *r, struct hd_flit_event *first, struct hd_flit_event *second)
{
  uint32_t n = r->n_flits;
  put_message(r, 2, 0, message_from(1));
  run_to(r, r->cycle + 12);
  memset(first, 0, sizeof *first);
  memset(second, 0, sizeof *second);
  if (r->n_flits > n)
    *first = r->flits[n];
  if (r->n_flits > n + 1)
    *second = r->flits[n + 1];
}

TEST(kind_any_takes_a_free_channel_or_else_the_next_in_turn)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_ANY);
  struct hd_flit_event a, b;
  CLEANUP(rig_close) struct rig r;
  p.vcs = 2;
  open_way(&r, &p);
  configure(&r, HD_CFG_IDLE, 0);
  own_channel(&r, 0, 0);
  two_flits(&r, &a, &b);
  assert_int_equal(a.kind << 4 | a.vc, HD_KIND_BARRIER_LAST << 4 | 1);
  assert_int_equal(b.kind, 0);
  own_channel(&r, 1, 1);
  for (unsigned i = 0; i < 3; i++) { /* preemptions in turn, each ended at once */
    r.pins[1].credits = 1u << HD_BARRIER_CREDIT;
    two_flits(&r, &a, &b);
    assert_int_equal(a.kind << 4 | a.vc, HD_KIND_PADDING << 4 | (i & 1));
    assert_int_equal(b.kind << 4 | b.vc, HD_KIND_BARRIER_LAST << 4 | (i & 1));
    assert_int_equal(view_of(&r).barrier[1].preempting, 0);
  }
}

TEST(kind_fixed_preempts_only_channel_0)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_FIXED);
  struct hd_flit_event a, b;
  CLEANUP(rig_close) struct rig r;
  p.vcs = 2;
  open_way(&r, &p);
  own_channel(&r, 0, 1);
  two_flits(&r, &a, &b);
  assert_int_equal(a.kind << 4 | a.vc, HD_KIND_BARRIER_LAST << 4);
  assert_int_equal(b.kind, 0);
  own_channel(&r, 1, 0);
  two_flits(&r, &a, &b);
  assert_int_equal(a.kind << 4 | a.vc, HD_KIND_PADDING << 4);
  assert_int_equal(b.kind << 4 | b.vc, HD_KIND_BARRIER_LAST << 4);
  assert_int_equal(errors_of(&r), 0);
  put_flit(&r, 0, 1, HD_KIND_PADDING, 0);
  expect_errors(&r, HD_ERR_PROTOCOL);
  assert_int_equal(view_of(&r).in[0][1].preempted, 0);
}

TEST(kind_moving_preempts_only_with_slots_downstream)
{
  CLEANUP(rig_close) struct rig r;
  struct hd_flit_event a, b;
  open_plain_way(&r, HD_BARRIER_MOVING);
  put_flit(&r, 0, 0, HD_KIND_HEAD, HEAD_FOR_1);
  put_flit(&r, 0, 0, HD_KIND_BODY, 1);
  put_flit(&r, 0, 0, HD_KIND_BODY, 2); /* one of four credits is left, M + 2 are needed */
  run_to(&r, r.cycle + 4);
  two_flits(&r, &a, &b);
  assert_int_equal(a.kind, 0);
  give_credits(&r, 1, 1);
  uint64_t t = r.cycle;
  run_to(&r, t + 4);
  expect_none(&r, t - 1, t + 4, 1);
  t = r.cycle;
  give_credits(&r, 1, 1);
  run_to(&r, t + 12);
  expect_flit(&r, t + 3, 1, 0, HD_KIND_PADDING, 0);
  expect_flit(&r, t + 4, 1, 0, HD_KIND_BARRIER_LAST, message_from(1));
  expect_flit(&r, t + 8, 1, 0, HD_KIND_PADDING, 1); /* its credit was kept; IDLE is 3 */
  assert_int_equal(view_of(&r).out[1][0].credit, 0);
  assert_int_equal(view_of(&r).barrier[1].preempting, 0);
}

TEST(kind_moving_handles_padding_at_the_front_of_the_buffer)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_MOVING);
  CLEANUP(rig_close) struct rig r;
  p.depth_flits = 8;
  open_way(&r, &p);
  uint64_t t = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_HEAD, HEAD_FOR_1); /* granted in t + 2 */
  put_flit(&r, 0, 0, HD_KIND_PADDING, 0);       /* popped in t + 3, preempted from t + 4 on */
  run_to(&r, t + 6);
  put_flit(&r, 0, 0, HD_KIND_PADDING, 1); /* not empty from t + 7 on, popped in t + 8 */
  put_flit(&r, 0, 0, HD_KIND_PADDING, 1); /* protocol */
  put_flit(&r, 0, 0, HD_KIND_TAIL, 9);    /* t + 10 */
  run_to(&r, t + 30);
  expect_flit(&r, t + 4, 1, 0, HD_KIND_HEAD, HEAD_FOR_1);
  for (unsigned i = 4; i < 7; i++)
    expect_flit(&r, t + i + 2, 1, 0, HD_KIND_NULL, 0);
  expect_none(&r, t + 9, t + 12, 1);
  expect_flit(&r, t + 12, 1, 0, HD_KIND_TAIL, 9);
  assert_int_equal(credits_at(&r, t + 4, 0), 1);
  assert_int_equal(r.n_credits, 5);
  expect_errors(&r, HD_ERR_PROTOCOL);
}

TEST(kind_queued_waits_for_a_free_channel)
{
  CLEANUP(rig_close) struct rig r;
  struct hd_flit_event a, b;
  open_plain_way(&r, HD_BARRIER_QUEUED);
  own_channel(&r, 0, 0);
  two_flits(&r, &a, &b);
  assert_int_equal(a.kind, 0);
  uint64_t t = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_TAIL, 5); /* granted in t + 2 */
  put_flit(&r, 0, 0, HD_KIND_PADDING, 0);
  run_to(&r, t + 8);
  expect_flit(&r, t + 4, 1, 0, HD_KIND_TAIL, 5);
  expect_flit(&r, t + 5, 1, 0, HD_KIND_BARRIER_LAST, message_from(1));
  expect_errors(&r, HD_ERR_PROTOCOL); /* this kind of switch does not preempt */
}

TEST(kind_reserved_keeps_the_last_channel_for_messages)
{
  CLEANUP(rig_close) struct rig r;
  struct hd_flit_event a, b;
  open_plain_way(&r, HD_BARRIER_RESERVED);
  put_flit(&r, 0, 0, HD_KIND_HEAD, HEAD_FOR_1);
  put_flit(&r, 1, 0, HD_KIND_HEAD, HEAD_FOR_1); /* must wait, though channel 1 is not owned */
  run_to(&r, r.cycle + 10);
  assert_int_equal(r.n_flits, 1);
  assert_int_equal(r.flits[0].vc, 0);
  two_flits(&r, &a, &b);
  assert_int_equal(a.kind << 4 | a.vc, HD_KIND_BARRIER_LAST << 4 | 1);
  assert_int_equal(b.kind, 0);
}

TEST(packets_that_may_take_only_the_reserved_channel_are_unroutable)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_RESERVED);
  CLEANUP(rig_close) struct rig r;
  p.vcs = 3;
  open_way(&r, &p);
  configure(&r, HD_CFG_DESTINATION(0, 2), hd_table_entry(1, 4)); /* channel 2 alone */
  configure(&r, HD_CFG_DESTINATION(0, 3), hd_table_entry(1, 6));
  put_flit(&r, 0, 0, HD_KIND_HEAD, 2 << 2);
  put_flit(&r, 0, 0, HD_KIND_TAIL, 1);
  expect_silence(&r);
  expect_errors(&r, HD_ERR_UNROUTABLE);
  for (unsigned i = 0; i < 3; i++) { /* channels 0 and 1 by source, in turn */
    put_flit(&r, 0, 0, HD_KIND_SINGLE, 1 << 2 | 2);
    run_to(&r, r.cycle + 6);
    assert_int_equal(r.n_flits, i + 1);
    assert_int_equal(r.flits[i].vc, i % 2);
  }
  for (unsigned i = 3; i < 6; i++) { /* channel 1 by table */
    put_flit(&r, 0, 0, HD_KIND_SINGLE, 3 << 2);
    r.pins[1].credits = 2;
    run_to(&r, r.cycle + 6);
    assert_int_equal(r.n_flits, i + 1);
    assert_int_equal(r.flits[i].vc, 1);
  }
}

TEST(an_input_does_not_wait_for_an_output_that_sends)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_ANY);
  CLEANUP(rig_close) struct rig r;
  p.vcs = 2;
  p.data_bits = 16;
  open_way(&r, &p);
  configure(&r, HD_CFG_DESTINATION(0, 2), hd_table_entry(2, 0xff));
  uint64_t t = r.cycle;
  put_message(&r, 2, 0, message_from(0));         /* sent in t + 4 and t + 5 */
  put_flit(&r, 0, 0, HD_KIND_SINGLE, HEAD_FOR_1); /* for the same output, at the front in t + 4 */
  put_flit(&r, 0, 1, HD_KIND_SINGLE, 2 << 2);     /* for another, t + 5 */
  run_to(&r, t + 20);
  expect_flit(&r, t + 6, 1, 0, HD_KIND_BARRIER, message_from(0) & 0xffff);
  expect_flit(&r, t + 7, 1, 0, HD_KIND_BARRIER_LAST, message_from(0) >> 16);
  expect_flit(&r, t + 7, 2, 0, HD_KIND_SINGLE, 2 << 2);
  expect_flit(&r, t + 8, 1, 0, HD_KIND_SINGLE, HEAD_FOR_1);
  assert_int_equal(r.blocked, 2);
}
