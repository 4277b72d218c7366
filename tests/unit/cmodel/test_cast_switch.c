/* Multicast in one switch: branches, and what each needs (specification §13.3, §13.4).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The switch has four ports and two channels of two slots. Channel 1 is for multicast, tree 0 has ports 1 to 3, tree 1
 * all ports.
 */
#include "../lib/barrier_rig.h"
#include "../lib/test.h"

enum { CAST = 1, SLOTS = 2, NODE_BITS = 3 };

static uint64_t flit(unsigned tree, unsigned number)
{
  return 3 | tree << 2 | number << (2 + NODE_BITS);
}

static void open_switch(struct rig *r)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_NONE);
  p.ports = 4;
  p.vcs = 2;
  p.depth_flits = SLOTS;
  p.nodes = 1u << NODE_BITS;
  p.trees = 2;
  rig_open(r, &p);
  configure(r, HD_CFG_TREE(0), 0xe);
  configure(r, HD_CFG_TREE(1), 0xf);
  configure(r, HD_CFG_CAST, CAST);
}

TEST(all_copies_leave_in_one_cycle)
{
  CLEANUP(rig_close) struct rig r;
  open_switch(&r);
  const uint64_t at = r.cycle;
  put_flit(&r, 0, CAST, HD_KIND_SINGLE, flit(0, 7));
  run_to(&r, at + 10);
  for (unsigned port = 1; port < 4; port++)
    expect_flit(&r, at + 4, port, CAST, HD_KIND_SINGLE, flit(0, 7)); /* as §2.2 has it */
  assert_int_equal(r.n_flits, 3);
  assert_int_equal(credits_at(&r, at + 3, 0), 1u << CAST);
  assert_int_equal(r.n_credits, 1);
}

TEST(a_multicast_flit_does_not_leave_by_its_input_port)
{
  CLEANUP(rig_close) struct rig r;
  open_switch(&r);
  const uint64_t at = r.cycle;
  put_flit(&r, 2, 0, HD_KIND_SINGLE, flit(1, 1)); /* it may come in on any channel */
  run_to(&r, at + 10);
  for (unsigned port = 0; port < 4; port++)
    if (port != 2)
      expect_flit(&r, at + 4, port, CAST, HD_KIND_SINGLE, flit(1, 1));
  assert_int_equal(r.n_flits, 3);
}

/* Nobody gives credits back: the third flit has none left at any branch, then at one of them. */
TEST(branches_do_not_wait_for_each_other)
{
  CLEANUP(rig_close) struct rig r;
  open_switch(&r);
  for (unsigned i = 0; i < 3; i++) {
    put_flit(&r, 0, CAST, HD_KIND_SINGLE, flit(0, i));
    run_to(&r, r.cycle + 8);
  }
  assert_int_equal(r.n_flits, 3 * SLOTS);
  uint64_t at = r.cycle;
  give_credits(&r, 2, 1u << CAST);
  run_to(&r, at + 10);
  assert_int_equal(r.n_flits, 3 * SLOTS + 1);
  expect_flit(&r, at + 3, 2, CAST, HD_KIND_SINGLE, flit(0, 2));
  assert_int_equal(r.n_credits, SLOTS); /* the flit still waits in the buffer */
  at = r.cycle;
  give_credits(&r, 2, 1u << CAST);
  run_to(&r, at + 10);
  assert_int_equal(r.n_flits, 3 * SLOTS + 1); /* it does not leave a second time */
  at = r.cycle;
  give_credits(&r, 1, r.pins[3].credits = 1u << CAST);
  run_to(&r, at + 10);
  expect_flit(&r, at + 3, 1, CAST, HD_KIND_SINGLE, flit(0, 2));
  expect_flit(&r, at + 3, 3, CAST, HD_KIND_SINGLE, flit(0, 2));
  assert_int_equal(credits_at(&r, at + 2, 0), 1u << CAST);
}

TEST(long_packets_and_unknown_trees_on_multicast_are_unroutable)
{
  static const struct {
    unsigned kind, tree, port, channel;
  } cases[] = {{HD_KIND_HEAD, 0, 0, CAST},   /* more than one flit */
               {HD_KIND_SINGLE, 2, 0, CAST}, /* no such tree */
               {HD_KIND_SINGLE, 0, 0, 2}};   /* CAST beyond VCS */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(rig_close) struct rig r;
    open_switch(&r);
    configure(&r, HD_CFG_CAST, cases[i].channel);
    put_flit(&r, cases[i].port, 0, cases[i].kind, flit(cases[i].tree, 0));
    expect_silence(&r);
    expect_errors(&r, HD_ERR_UNROUTABLE);
  }
  struct rig r;
  open_switch(&r);
  configure(&r, HD_CFG_TREE(0), 1u << 3 | 0xf0); /* ports beyond PORTS are no branches */
  put_flit(&r, 3, 0, HD_KIND_SINGLE, flit(0, 0));
  expect_silence(&r);
  expect_errors(&r, HD_ERR_UNROUTABLE);
  rig_close(&r);
}

/* A multicast flit shares an output with others: each gets a grant in turn. It holds no channel. */
TEST(an_output_serves_multicast_flits_in_turn_with_other_packets)
{
  CLEANUP(rig_close) struct rig r;
  open_switch(&r);
  for (unsigned port = 0; port < 4; port++)
    configure(&r, HD_CFG_DESTINATION(port, 1), hd_table_entry(1, 1));
  set_flit(&r, 0, CAST, HD_KIND_SINGLE, flit(0, 5));
  set_flit(&r, 2, 0, HD_KIND_SINGLE, 1u << 2);
  const uint64_t at = r.cycle;
  tick(&r);
  run_to(&r, at + 10);
  expect_flit(&r, at + 4, 1, CAST, HD_KIND_SINGLE, flit(0, 5)); /* input 0 first */
  expect_flit(&r, at + 5, 1, 0, HD_KIND_SINGLE, 1u << 2);
  expect_flit(&r, at + 4, 3, CAST, HD_KIND_SINGLE, flit(0, 5));
}

TEST(parameters_that_exclude_multicast_are_refused)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_NONE);
  p.nodes = 8;
  p.trees = 4;
  must(hd_switch_params_check(&p, &why));
  p.arb_cycles = 2;
  must_say(hd_switch_params_check(&p, &why), HD_E_INPUT,
           "switch parameter arb_cycles is 2, must be 1 with trees 4");
  p.arb_cycles = 1;
  p.trees = 33;
  assert_int_equal(hd_switch_params_check(&p, &why), HD_E_INPUT);
}
