/* The rules at ports for heads that decide between two ways (specification §6.7, §10.9): either way is right with the header
 * that belongs to it, and no other.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Packets to node 2 go by port 2 straight, and by port 3 on channel 1 where they go by node 1. They decide at input port 0.
 */
#include "../../../cmodel/switch/switch.h"
#include "../lib/port_rig.h"
#include "../lib/test.h"

static uint64_t head_of_mode(unsigned mode, uint64_t number)
{
  return mode | 2 << 2 | 1 << 4 | number << 6;
}

static void write_at(uint32_t cycle, uint32_t addr, uint16_t data)
{
  events[0].writes[events[0].n_writes++] =
      (struct hd_config_event){.cycle = cycle, .addr = addr, .data = data};
}

static void begin_deciding(void)
{
  params.sw.source_table = 1;
  params.sw.adaptive = HD_ADAPTIVE_UGAL;
  for (unsigned port = 0; port < PORTS; port++)
    write_at(0, HD_CFG_SOURCE(port, 1), hd_table_entry(3, 2));
  write_at(0, HD_CFG_FIRST, 1);
}

TEST_WITH(a_head_that_decides_may_leave_by_either_route, port_rig_begin, NULL)
{
  begin_deciding();
  flit_in(10, 0, 0, SINGLE, head_of_mode(3, 1));
  flit_out(14, 3, 1, SINGLE, head_of_mode(3, 1));
  flit_in(20, 0, 0, SINGLE, head_of_mode(3, 2));
  flit_out(24, 2, 0, SINGLE, head_of_mode(0, 2));
  flit_in(30, 1, 0, SINGLE, head_of_mode(3, 3)); /* at another port none decides */
  flit_out(34, 3, 1, SINGLE, head_of_mode(3, 3));
  expect(HD_PORT_NONE, 0, 0, 0);
}

TEST_WITH(a_header_that_belongs_to_the_other_route_is_found, port_rig_begin, NULL)
{
  begin_deciding();
  flit_in(10, 0, 0, SINGLE, head_of_mode(3, 1));
  flit_out(14, 2, 0, SINGLE, head_of_mode(3, 1)); /* straight, and not turned */
  expect(HD_PORT_ROUTE, 14, 2, 0);
  begin_deciding();
  flit_in(10, 0, 0, SINGLE, head_of_mode(3, 1));
  flit_out(14, 3, 1, SINGLE, head_of_mode(0, 1)); /* by the node, and turned */
  expect(HD_PORT_ROUTE, 14, 3, 1);
  begin_deciding();
  flit_in(10, 0, 0, SINGLE, head_of_mode(3, 1));
  flit_out(14, 3, 0, SINGLE, head_of_mode(3, 1)); /* not on the entry's channel */
  expect(HD_PORT_ROUTE, 14, 3, 0);
  begin_deciding();
  flit_in(10, 1, 0, SINGLE, head_of_mode(3, 1));
  flit_out(14, 2, 0, SINGLE, head_of_mode(0, 1)); /* at port 1 it does not decide */
  expect(HD_PORT_DAMAGED, 14, 2, 0);
}

/* A packet that has turned before and a packet that decides look alike once both have gone straight. */
TEST_WITH(packets_whose_headers_become_equal_may_leave_in_either_order, port_rig_begin, NULL)
{
  begin_deciding();
  flit_in(10, 1, 0, HEAD, head_of_mode(0, 1));
  flit_in(11, 1, 0, TAIL, 7);
  flit_in(11, 0, 0, HEAD, head_of_mode(3, 1));
  flit_in(12, 0, 0, TAIL, 8);
  flit_out(14, 2, 0, HEAD, head_of_mode(0, 1));
  flit_out(15, 2, 0, TAIL, 8);
  flit_out(18, 2, 1, HEAD, head_of_mode(0, 1));
  flit_out(19, 2, 1, TAIL, 7);
  expect(HD_PORT_NONE, 0, 0, 0);
  begin_deciding();
  flit_in(10, 1, 0, HEAD, head_of_mode(0, 1));
  flit_in(11, 1, 0, TAIL, 7);
  flit_in(11, 0, 0, HEAD, head_of_mode(3, 1));
  flit_in(12, 0, 0, TAIL, 8);
  flit_out(14, 3, 1, HEAD, head_of_mode(3, 1));
  flit_out(15, 3, 1, TAIL, 7); /* of the one that cannot go by the node */
  expect(HD_PORT_DAMAGED, 15, 3, 1);
}
