/* The bound of a barrier's latency (specification §8.11), against times worked out by hand.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../sw/analysis/barrier_bound.h"
#include "../lib/test.h"

/* 16-bit flits, fastest timing: T_b = 2 + 0 + 1 + 3 = 6; a member's way in 3, out 6. */
static const struct hd_barrier_hardware fast = {
    .message_flits = 2, .link_cycles = 1, .idle_cycles = 16, .preempts = true};

TEST(hops_take_the_cycles_of_section_8_5)
{
  struct hd_barrier_hardware h = {
      .message_flits = 2, .grant_stages = 2, .link_cycles = 3, .preempts = true};
  assert_int_equal(hd_barrier_hop_cycles(&fast), 6);
  assert_int_equal(hd_barrier_hop_cycles(&h), 10);
  assert_int_equal(hd_barrier_preempt_cycles(&h), 1);
  assert_int_equal(hd_barrier_rest_cycles(&h), 18);
  h.buffer_cycles = 2; /* reserved, ROUTE_CYCLES 1 */
  h.preempts = false;
  assert_int_equal(hd_barrier_hop_cycles(&h), 12);
  assert_int_equal(hd_barrier_preempt_cycles(&h), 0);
  assert_int_equal(hd_barrier_rest_cycles(&h), 0);
}

/* A switch alone. Two members: in the queues in 3, taken one after the other until 7; sent one after
 * the other, seen by the second at 7 + 2 + 6. Its rounds are short, so that four of them go by a preemption:
 * then the preemption ends, and rests. */
TEST(the_bound_for_members_on_one_switch_is_as_worked_out)
{
  struct hd_barrier_branch one = {.locals = 2, .send_cycles = 2};
  struct hd_barrier_hardware unpreempted = fast;
  unpreempted.preempts = false;
  assert_int_equal(hd_barrier_worst_latency(&unpreempted, &one, 1), 3 + 4 + 2 + 6);
  assert_int_equal(hd_barrier_worst_latency(&fast, &one, 1), 3 + 4 + 2 + 6 + 18);
  /* Eight members: those who are released first are back before the last is: 14 cycles of sends, 9 to
   * come back. Seven steps more. */
  one.locals = 8;
  assert_int_equal(hd_barrier_worst_latency(&unpreempted, &one, 1), 3 + 16 + 14 + 14 + 6);
}

/* A chain of three, the center at one end, one member each. */
TEST(the_bound_for_a_chain_of_switches_is_as_worked_out)
{
  const struct hd_barrier_branch chain[] = {
      {.children = 1, .locals = 1, .send_cycles = 2},
      {.parent = 0, .children = 1, .locals = 1, .hops_up = 1, .hops_down = 1, .send_cycles = 2},
      {.parent = 1, .locals = 1, .hops_up = 1, .hops_down = 1, .send_cycles = 2}};
  assert_int_equal(hd_barrier_farthest_hops(chain, 3), 2);
  assert_int_equal(hd_barrier_farthest_hops(chain, 1), 0);
  /* Last switch: 3 + 2; a hop with a preemption is 7 to the queue, 2 to be taken there. Up 5, 14, 23, down
   * 32, 41, out 6 + 1. */
  assert_int_equal(hd_barrier_worst_latency(&fast, chain, 3), 5 + 9 + 9 + 9 + 9 + 7);
  /* Where preemptions last as long as rounds, each may have to rest: 17 more on four hops and a way out. */
  struct hd_barrier_hardware patient = fast;
  patient.idle_cycles = 3 * 6 + 1 + 2 + 1;
  assert_int_equal(hd_barrier_worst_latency(&patient, chain, 3), 5 + 9 + 9 + 9 + 9 + 7 + 5 * 17);
  patient.idle_cycles--;
  assert_int_equal(hd_barrier_worst_latency(&patient, chain, 3), 5 + 9 + 9 + 9 + 9 + 7);
}

/* Two children report in the same cycle: one of them waits a step. The second is sent to a step
 * later. */
TEST(the_bound_includes_waits_of_children_for_each_other)
{
  struct hd_barrier_branch tree[] = {
      {.children = 2, .locals = 1, .send_cycles = 2},
      {.locals = 1, .hops_up = 1, .hops_down = 1, .send_cycles = 2},
      {.before = 1, .locals = 1, .hops_up = 1, .hops_down = 1, .send_cycles = 2}};
  /* Both messages wait 12 cycles in the center's queues and are taken by 16. The second child gets
   * its message in 18, waits until 25, takes it in 27, and its member has it in 34. The center's
   * own node has it in 16 + 4 + 7 = 27. */
  assert_int_equal(hd_barrier_worst_latency(&fast, tree, 3), 34);
  tree[2].hops_up = 3; /* one comes long before: no waiting. 5 + 21 = 26, 28, down 30, 37, 39 */
  assert_int_equal(hd_barrier_farthest_hops(tree, 3), 3);
  assert_int_equal(hd_barrier_worst_latency(&fast, tree, 3), 46);
  tree[2].wait_up = 4; /* what may be in the way counts where it is */
  tree[2].wait_down = 5;
  tree[2].rests_up = 1;
  tree[0].passing_cycles = 2;
  assert_int_equal(hd_barrier_worst_latency(&fast, tree, 3), 46 + 4 + 5 + 17 + 2 * 2);
}

/* A mesh's center with a child in each direction, one member each, on the fastest switch: T_b = 5, in 2, out 5.
 * The children are in its queue in 2 + 2 + 6, and taken one after the other. */
TEST(in_up_to_five_dimensions_a_round_ends_before_the_next_one)
{
  const struct hd_barrier_hardware fastest = {
      .message_flits = 1, .link_cycles = 1, .idle_cycles = 16, .preempts = true};
  for (uint32_t dimensions = 1; dimensions <= 6; dimensions++) {
    const uint32_t children = 2 * dimensions;
    struct hd_barrier_branch mesh[13] = {{.children = children, .locals = 1, .send_cycles = 2}};
    for (uint32_t i = 1; i <= children; i++)
      mesh[i] = (struct hd_barrier_branch){
          .before = i - 1, .locals = 1, .hops_up = 1, .hops_down = 1, .send_cycles = 2};
    uint32_t next_round = dimensions <= 5 ? 0 : 2 * children;
    assert_int_equal(hd_barrier_worst_latency(&fastest, mesh, children + 1),
                     10 + 2 * children + next_round + 2 * (children - 1) + 6 + 2 + 5 + 1);
  }
}
