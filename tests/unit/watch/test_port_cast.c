/* The rules at ports for multicast flits (specification §13.7): each way to lose, double, misdirect or misorder a copy is
 * found, and copies that leave one after the other break none.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The switch has four ports, two channels, and a tree of ports 1 to 3. Channel 1 is for multicast.
 */
#include "../../../cmodel/switch/registers.h"
#include "../lib/port_rig.h"
#include "../lib/test.h"

enum { CAST = 1 };

static void write_at(uint32_t cycle, uint32_t addr, uint16_t data)
{
  events[0].writes[events[0].n_writes++] =
      (struct hd_config_event){.cycle = cycle, .addr = addr, .data = data};
}

static void begin_trees(void)
{
  params.sw.trees = 2;
  write_at(0, HD_CFG_TREE(0), 0xe);
  write_at(0, HD_CFG_TREE(1), 0x3);
  write_at(0, HD_CFG_CAST, CAST);
}

static void leave_by_tree_0(uint32_t cycle, unsigned port, uint64_t number)
{
  flit_out(cycle, port, CAST, SINGLE, head_to_tree(0, number));
}

TEST_WITH(copies_that_leave_together_or_one_by_one_break_no_rule, port_rig_begin, NULL)
{
  begin_trees();
  flit_in(10, 0, CAST, SINGLE, head_to_tree(0, 1));
  for (unsigned port = 1; port < PORTS; port++)
    leave_by_tree_0(14, port, 1);
  /* The flits of cycles 20 and 21 are equal. */
  add_events("in 20 0.1 M 0 2, in 21 0.1 M 0 2, out 24 3.1 M 0 2, out 26 1.1 M 0 2, "
             "out 40 2.1 M 0 2");
  for (unsigned port = 1; port < PORTS; port++)
    leave_by_tree_0(45 + port, port, 2);
  expect_no_break("in 50 2.0 M 0 3, " /* not back by its own port */
                  "out 54 1.1 M 0 3, out 54 3.1 M 0 3, in 60 3.1 M 1 4, " /* from outside */
                  "out 64 0.1 M 1 4, out 65 1.1 M 1 4");
}

TEST_WITH(equal_flits_of_two_ports_break_no_rule, port_rig_begin, NULL)
{
  begin_trees();
  expect_no_break("in 10 1.1 M 0 1, in 10 2.1 M 0 1, out 14 3.1 M 0 1, out 15 3.1 M 0 1, "
                  "out 16 2.1 M 0 1, out 18 1.1 M 0 1");
}

TEST_WITH(a_copy_that_is_lost_is_found, port_rig_begin, NULL)
{
  begin_trees();
  expect_break("in 10 0.1 M 0 1, out 14 1.1 M 0 1, out 14 3.1 M 0 1", HD_PORT_MISSING, 96, 0, CAST);
}

TEST_WITH(a_copy_overtaken_by_later_ones_is_reported_as_lost, port_rig_begin, NULL)
{
  begin_trees();
  add_events("in 10 0.1 M 0 1, in 11 0.1 M 0 2, out 14 1.1 M 0 1, out 14 3.1 M 0 1");
  for (unsigned port = 1; port < PORTS; port++)
    leave_by_tree_0(16, port, 2);
  expect(HD_PORT_MISSING, 16, 2, CAST);
}

TEST_WITH(copies_that_leave_out_of_order_are_found, port_rig_begin, NULL)
{
  begin_trees();
  expect_break("in 10 0.1 M 0 1, in 11 0.1 M 0 2, out 14 1.1 M 0 1, out 14 3.1 M 0 1, "
               "out 15 2.1 M 0 2, out 16 2.1 M 0 1",
               HD_PORT_ORDER, 15, 2, CAST);
}

TEST_WITH(a_copy_that_leaves_twice_is_found, port_rig_begin, NULL)
{
  begin_trees();
  /* One copy leaves twice before the others have left. */
  expect_break("in 10 0.1 M 0 1, out 14 1.1 M 0 1, out 15 1.1 M 0 1", HD_PORT_DOUBLED, 15, 1, CAST);
  begin_trees();
  flit_in(10, 0, CAST, SINGLE,
          head_to_tree(0, 1)); /* all copies have left before one leaves again */
  for (unsigned port = 1; port < PORTS; port++)
    leave_by_tree_0(14, port, 1);
  expect_break("out 15 2.1 M 0 1", HD_PORT_DOUBLED, 15, 2, CAST);
}

TEST_WITH(a_copy_on_a_wrong_port_or_channel_is_found, port_rig_begin, NULL)
{
  begin_trees();
  /* By a port that is not in the tree. */
  expect_break("in 10 0.1 M 1 1, out 14 2.1 M 1 1", HD_PORT_ROUTE, 14, 2, CAST);
  begin_trees();
  /* By the port by which it came in. */
  expect_break("in 10 1.1 M 1 1, out 14 1.1 M 1 1", HD_PORT_ROUTE, 14, 1, CAST);
  begin_trees();
  /* On another channel than CAST. */
  expect_break("in 10 0.1 M 0 1, out 14 1.0 M 0 1", HD_PORT_ROUTE, 14, 1, 0);
}

TEST_WITH(a_copy_that_is_damaged_is_found, port_rig_begin, NULL)
{
  begin_trees();
  expect_break("in 10 0.1 M 0 1, out 14 1.1 M 0 1, out 14 2.1 M 0 5", HD_PORT_DAMAGED, 14, 2, CAST);
  begin_trees();
  flit_in(10, 0, CAST, SINGLE,
          head_to_tree(0, 1)); /* its mode is cleared, as another packet's is at its node (§2.7) */
  flit_out(14, 1, CAST, SINGLE, head_to_tree(0, 1) & ~UINT64_C(3));
  expect(HD_PORT_DAMAGED, 14, 1, CAST);
}

TEST_WITH(a_flit_for_an_unknown_tree_must_not_leave, port_rig_begin, NULL)
{
  begin_trees();
  /* there is no such tree */
  add_events("in 10 0.1 M 2 1, in 11 0.1 M 0 2");
  for (unsigned port = 1; port < PORTS; port++)
    leave_by_tree_0(15, port, 2);
  expect(HD_PORT_NONE, 0, 0, 0);
  begin_trees();
  expect_break("in 10 0.1 M 2 1, out 14 1.1 M 2 1", HD_PORT_ORIGIN, 14, 1, CAST);
}

TEST_WITH(flits_inside_may_follow_the_old_or_the_new_tree_after_a_write, port_rig_begin, NULL)
{
  begin_trees();
  flit_in(10, 0, CAST, SINGLE, head_to_tree(0, 1));
  write_at(11, HD_CFG_TREE(0), 0x3);
  expect_no_break("out 14 1.1 M 0 1");
  begin_trees();
  flit_in(10, 0, CAST, SINGLE, head_to_tree(0, 1));
  write_at(11, HD_CFG_TREE(1), 0x8); /* a write to another tree does not count */
  expect_break("out 14 1.1 M 0 1, out 14 3.1 M 0 1", HD_PORT_MISSING, 96, 0, CAST);
}

/* Branch 2 has no credit; branch 3 has, and the switch does not use it. */
TEST_WITH(a_branch_with_a_credit_that_is_not_used_is_reported_as_held, port_rig_begin, NULL)
{
  begin_trees();
  flit_in(10, 0, CAST, SINGLE, head_to_tree(0, 1));
  events[0].n_credits_out = 0; /* its slot stays taken */
  leave_by_tree_0(14, 1, 1);
  struct hd_port_break b = judge_events(50);
  assert_int_equal(b.rule, HD_PORT_HELD);
  assert_int_equal(b.in_port, 0);
}
