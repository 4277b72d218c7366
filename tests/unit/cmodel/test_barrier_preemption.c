/* How long a preemption lasts, and what waits for whom at an output (specification §7.6, §7.7).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/barrier_rig.h"
#include "../lib/test.h"

enum { SUPPLIED = 600, BURST = 4, REST = 16 };

/* Sends a packet without end at input 0 and as many messages as fit at input 2, both to output 1. Output 1 gets its
 * credits back at once. */
static void send_without_end(struct rig *r, unsigned cycles)
{
  bool low_sent = false;
  put_flit(r, 0, 0, HD_KIND_HEAD, HEAD_FOR_1);
  for (unsigned i = 0; i < cycles; i++) {
    struct hd_switch_view view = view_of(r);
    if (view.in[0][0].occupancy < r->params.depth_flits)
      set_flit(r, 0, 0, HD_KIND_BODY, i);
    bool room = messages_use_buffers(r->params.barrier)
                    ? view.in[2][0].occupancy + 1u < r->params.depth_flits
                    : view.barrier[2].queued == 0;
    bool two = hd_barrier_flits(&r->params) == 2;
    if (low_sent) {
      set_flit(r, 2, 0, HD_KIND_BARRIER_LAST, message_from(1) >> 16);
      low_sent = false;
    } else if (room && two) {
      set_flit(r, 2, 0, HD_KIND_BARRIER, message_from(1) & 0xffff);
      low_sent = true;
    } else if (room) {
      set_flit(r, 2, 0, HD_KIND_BARRIER_LAST, message_from(1));
    }
    if (view.barrier[1].barrier_credit < HD_BARRIER_QUEUE)
      r->pins[1].credits |= 1u << HD_BARRIER_CREDIT;
    if (view.out[1][0].credit < r->params.depth_flits)
      r->pins[1].credits |= 1;
    assert_true(view.barrier[1].burst <= BURST && view.barrier[1].rest <= REST);
    tick(r);
  }
}

static void expect_bursts(unsigned barrier, unsigned data_bits)
{
  struct hd_switch_params p = plain_params(barrier);
  CLEANUP(rig_close) struct rig r;
  p.depth_flits = 16;
  p.data_bits = data_bits;
  open_way(&r, &p);
  configure(&r, HD_CFG_IDLE, 8); /* longer than the next message takes */
  uint64_t from = r.cycle + 60, end = 0;
  send_without_end(&r, SUPPLIED);
  unsigned messages = 0, bodies = 0, preemptions = 0;
  for (uint32_t i = 0; i < r.n_flits; i++) {
    const struct hd_flit_event *e = &r.flits[i];
    if (e->port != 1 || e->cycle < from)
      continue;
    messages += e->kind == HD_KIND_BARRIER_LAST;
    bodies += e->kind == HD_KIND_BODY;
    if (e->kind != HD_KIND_PADDING)
      continue;
    if (e->data) { /* end */
      if (end)
        assert_int_equal(messages, BURST);
      end = e->cycle;
    } else if (end) { /* request: a message has waited since the end */
      assert_int_equal(e->cycle - end, REST + 1);
      assert_int_equal(bodies, REST);
      preemptions++;
    }
    messages = bodies = 0;
  }
  assert_int_equal(errors_of(&r), 0);
  assert_true(preemptions > 10);
  printf("BARRIER %u, %u bits: %u preemptions\n", barrier, data_bits, preemptions);
}

TEST(a_preemption_ends_after_four_messages_and_data_moves)
{
  for (unsigned barrier = HD_BARRIER_ANY; barrier <= HD_BARRIER_MOVING; barrier++)
    for (unsigned data_bits = 16; data_bits <= 32; data_bits *= 2)
      expect_bursts(barrier, data_bits);
}

/* Port `in` holds channel `vc` of output 1, whose slots are all free again. */
static void own_channel(struct rig *r, unsigned in, unsigned vc)
{
  configure(r, HD_CFG_DESTINATION(in, 1), hd_table_entry(1, 1u << vc));
  put_flit(r, in, 0, HD_KIND_HEAD, HEAD_FOR_1);
  run_to(r, r->cycle + 4);
  give_credits(r, 1, 1u << vc);
}

TEST(kind_moving_ends_a_preemption_whose_message_would_wait)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_MOVING);
  CLEANUP(rig_close) struct rig r;
  p.depth_flits = 3; /* request, message, end */
  open_way(&r, &p);
  configure(&r, HD_CFG_IDLE, 100);
  own_channel(&r, 0, 0);
  put_flit(&r, 0, 0, HD_KIND_BODY, 9);
  put_message(&r, 2, 0, message_from(1));
  run_to(&r, r.cycle + 2);
  r.pins[1].credits = 1; /* for the body */
  put_message(&r, 2, 0, message_from(4));
  run_to(&r, r.cycle + 8);
  uint32_t at = 0;
  while (at < r.n_flits && r.flits[at].kind != HD_KIND_PADDING)
    at++;
  assert_true(at + 2 < r.n_flits);
  uint64_t request = r.flits[at].cycle;
  expect_flit(&r, request + 1, 1, 0, HD_KIND_BARRIER_LAST, message_from(1));
  /* The second message waits in the slot. One credit is left, for the padding end. */
  assert_int_equal(r.flits[at + 2].kind, HD_KIND_PADDING);
  assert_int_equal(r.flits[at + 2].data, 1);
  uint64_t end = r.flits[at + 2].cycle;
  assert_true(end <= request + 5);
  assert_int_equal(view_of(&r).barrier[1].preempting, 0);
  assert_int_equal(view_of(&r).barrier[1].slot, 1);
  for (unsigned i = 0; i < 3; i++) {
    give_credits(&r, 1, 1);
  }
  run_to(&r, end + 30);
  expect_flit(&r, end + REST + 1, 1, 0, HD_KIND_PADDING, 0);
  expect_flit(&r, end + REST + 2, 1, 0, HD_KIND_BARRIER_LAST, message_from(4));
}

TEST(an_output_at_rest_after_a_preemption_is_not_quiescent)
{
  CLEANUP(rig_close) struct rig r;
  open_plain_way(&r, HD_BARRIER_ANY);
  own_channel(&r, 0, 0);
  for (unsigned i = 0; i <= BURST; i++) {
    put_message(&r, 2, 0, message_from(i));
    for (unsigned k = 0; k < 2; k++) {
      if (view_of(&r).barrier[1].barrier_credit < HD_BARRIER_QUEUE)
        r.pins[1].credits = 1u << HD_BARRIER_CREDIT;
      tick(&r);
    }
  }
  put_flit(&r, 0, 0, HD_KIND_TAIL, 5); /* then the last message needs no preemption */
  for (unsigned i = 0; i < 10 && !view_of(&r).barrier[1].rest; i++)
    tick(&r);
  assert_int_equal(view_of(&r).barrier[1].rest, REST);
  uint64_t t = r.cycle;
  for (unsigned left = REST; left > 0; left--) {
    assert_int_equal(view_of(&r).barrier[1].rest, left);
    assert_int_not_equal(hd_switch_active(r.sw), 0);
    tick(&r);
    assert_false(hd_switch_quiescent(r.sw, r.cycle));
  }
  assert_int_equal(hd_switch_active(r.sw), 0); /* all else was over long ago */
  tick(&r);
  assert_true(hd_switch_quiescent(r.sw, t + REST + 1));
  assert_int_equal(r.n_flits, 1 + 1 + BURST + 1 + 1 + 1);
}

/* A switch of a line that computes routes at once, with two cycles of allocation: padding of the preempted channel is
 * proposed in the cycle in which a message arrives there. If the queue is full then, the message waits at the
 * front. It must not leave where the padding was proposed (§2.5). */
TEST(a_message_that_waits_does_not_leave_in_place_of_proposed_padding)
{
  unsigned waited = 0;
  for (unsigned delay = 0; delay < 12; delay++) {
    struct hd_switch_params p = plain_params(HD_BARRIER_MOVING);
    CLEANUP(rig_close) struct rig r;
    p.vcs = 2;
    p.route = HD_ROUTE_BY_MESH;
    p.fields = 1;
    p.route_cycles = 0;
    p.arb_cycles = 2;
    rig_open(&r, &p);
    configure(&r, HD_CFG_SELF, 1);
    configure(&r, HD_CFG_BARRIER_WAY(2), 1 << 2);
    configure(&r, HD_CFG_OWN, 1);
    put_flit(&r, 0, 0, HD_KIND_HEAD, 2 << 2); /* to node 2, by output 1 */
    put_flit(&r, 0, 0, HD_KIND_PADDING, 0);
    for (unsigned i = 0; i < 3; i++)
      put_message(&r, 0, 1, message_from(1 + i));
    run_to(&r, r.cycle + delay);
    put_message(&r, 0, 0, message_from(4));
    for (unsigned i = 0; i < 60; i++) {
      const struct hd_switch_view view = view_of(&r);
      waited += view.in[0][0].occupancy > 0 && view.barrier[0].queued == HD_BARRIER_QUEUE;
      if (view.out[1][0].credit < p.depth_flits)
        r.pins[1].credits |= 1;
      if (view.barrier[2].barrier_credit < HD_BARRIER_QUEUE)
        r.pins[2].credits |= 1u << HD_BARRIER_CREDIT;
      tick(&r);
    }
    unsigned messages = 0;
    for (uint32_t i = 0; i < r.n_flits; i++) {
      messages += r.flits[i].kind == HD_KIND_BARRIER_LAST;
      if (r.flits[i].port == 1 && r.flits[i].kind != HD_KIND_HEAD)
        assert_int_equal(r.flits[i].kind, HD_KIND_NULL);
    }
    assert_int_equal(messages, 4);
  }
  assert_true(waited > 0);
}

static uint32_t initial_from(unsigned bsr)
{
  return hd_barrier_message(HD_INITIAL_REDUCE, 2, 3, 2, bsr);
}

TEST(initial_reduces_use_only_channel_0)
{
  for (unsigned barrier = HD_BARRIER_MOVING; barrier <= HD_BARRIER_QUEUED; barrier++) {
    struct hd_switch_params p = plain_params(barrier);
    CLEANUP(rig_close) struct rig r;
    p.vcs = 2;
    open_way(&r, &p);
    own_channel(&r, 0, 0); /* channel 1 is free */
    uint64_t t = r.cycle;
    put_message(&r, 2, 0, initial_from(1)); /* sent in t + 5 at the earliest */
    run_to(&r, t + 20);
    if (barrier == HD_BARRIER_QUEUED) {
      expect_none(&r, t, t + 20, 1);
      t = r.cycle;
      put_flit(&r, 0, 0, HD_KIND_TAIL, 5); /* granted in t + 2 */
      run_to(&r, t + 8);
      expect_flit(&r, t + 5, 1, 0, HD_KIND_BARRIER_LAST, initial_from(1));
    } else {
      expect_flit(&r, t + 7, 1, 0, HD_KIND_PADDING, 0);
      expect_flit(&r, t + 8, 1, 0, HD_KIND_BARRIER_LAST, initial_from(1));
    }
    t = r.cycle;
    put_message(&r, 2, 0, message_from(1)); /* any other message takes a free channel */
    run_to(&r, t + 20);
    expect_flit(&r, t + 7, 1, barrier == HD_BARRIER_MOVING, HD_KIND_BARRIER_LAST, message_from(1));
  }
}

TEST(an_initial_reduce_ends_another_channel_s_preemption)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_MOVING);
  CLEANUP(rig_close) struct rig r;
  p.vcs = 2;
  p.depth_flits = 16;
  open_way(&r, &p);
  configure(&r, HD_CFG_IDLE, 0);
  own_channel(&r, 0, 0);
  own_channel(&r, 1, 1);
  put_message(&r, 2, 0, message_from(1)); /* preempts channel 0, for a moment */
  run_to(&r, r.cycle + 12);
  configure(&r, HD_CFG_IDLE, 100);
  r.pins[1].credits = 1u << HD_BARRIER_CREDIT;
  put_message(&r, 2, 0, message_from(1)); /* preempts channel 1 */
  run_to(&r, r.cycle + 12);
  r.pins[1].credits = 1u << HD_BARRIER_CREDIT;
  assert_int_equal(view_of(&r).barrier[1].preempting << 4 | view_of(&r).barrier[1].preempt_vc,
                   0x11);
  uint64_t t = r.cycle;
  put_message(&r, 2, 0, initial_from(1)); /* in the slot from t + 5 on */
  run_to(&r, t + 40);
  expect_flit(&r, t + 7, 1, 1, HD_KIND_PADDING, 1);
  expect_flit(&r, t + 7 + REST + 1, 1, 0, HD_KIND_PADDING, 0);
  expect_flit(&r, t + 7 + REST + 2, 1, 0, HD_KIND_BARRIER_LAST, initial_from(1));
}

/* New packets wait for a message that waits, but not for one without a barrier credit. */
TEST(new_packets_wait_for_messages_that_have_a_barrier_credit)
{
  for (unsigned all = 0; all < 4; all++) {
    struct hd_switch_params p = plain_params(all & 1 ? HD_BARRIER_MOVING : HD_BARRIER_QUEUED);
    bool credit = all >> 1;
    CLEANUP(rig_close) struct rig r;
    p.data_bits = 16;
    open_way(&r, &p);
    for (unsigned i = 0; i < 2; i++) { /* the barrier credits, and all of four slots */
      put_message(&r, 2, 0, message_from(i));
      run_to(&r, r.cycle + 8);
    }
    assert_int_equal(view_of(&r).out[1][0].credit, 0);
    put_message(&r, 2, 0, message_from(2));
    run_to(&r, r.cycle + 8);
    assert_int_equal(view_of(&r).barrier[1].slot, 1);
    give_credits(&r, 1, (unsigned)credit << HD_BARRIER_CREDIT | 1); /* one slot; M are needed */
    uint64_t t = r.cycle;
    put_flit(&r, 0, 0, HD_KIND_SINGLE, HEAD_FOR_1);
    run_to(&r, t + 10);
    if (!credit) {
      expect_flit(&r, t + 4, 1, 0, HD_KIND_SINGLE, HEAD_FOR_1);
    } else {
      expect_none(&r, t, t + 10, 1);
      for (unsigned i = 0; i < 2; i++) {
        give_credits(&r, 1, 1);
      }
      run_to(&r, t + 20);
      expect_flit(&r, t + 13, 1, 0, HD_KIND_BARRIER, message_from(2) & 0xffff);
      expect_flit(&r, t + 14, 1, 0, HD_KIND_BARRIER_LAST, message_from(2) >> 16);
      expect_flit(&r, t + 15, 1, 0, HD_KIND_SINGLE, HEAD_FOR_1);
    }
  }
}

/* An initial reduce waits for channel 0. Packets for other channels need not wait for it: if they did, they would
 * wait for something that the deadlock rule does not know. Any other message may take their channels. */
TEST(packets_for_other_channels_do_not_wait_for_an_initial_reduce)
{
  for (unsigned initial = 0; initial < 2; initial++) {
    struct hd_switch_params p = plain_params(HD_BARRIER_QUEUED);
    CLEANUP(rig_close) struct rig r;
    p.vcs = 2;
    open_way(&r, &p);
    own_channel(&r, 0, 0);
    own_channel(&r, 2, 1);
    configure(&r, HD_CFG_DESTINATION(0, 1), hd_table_entry(1, 2));
    put_message(&r, 2, 0, initial ? initial_from(1) : message_from(1));
    run_to(&r, r.cycle + 20);
    assert_int_equal(view_of(&r).barrier[1].slot, 1);
    put_flit(&r, 0, 1, HD_KIND_SINGLE, HEAD_FOR_1);
    run_to(&r, r.cycle + 5);
    uint64_t t = r.cycle;
    put_flit(&r, 2, 0, HD_KIND_TAIL, 5); /* granted in t + 2; channel 1 is free then */
    run_to(&r, t + 12);
    expect_flit(&r, t + 4, 1, 1, HD_KIND_TAIL, 5);
    if (!initial)
      expect_flit(&r, t + 5, 1, 1, HD_KIND_BARRIER_LAST, message_from(1));
    expect_flit(&r, t + 5 + !initial, 1, 1, HD_KIND_SINGLE, HEAD_FOR_1);
    expect_none(&r, t + 6 + !initial, t + 12, 1);
  }
}
