/* P14 on hand-made events (specification §6.7, "Slots"): a switch must use every slot of its receiver, except slots
 * that a correct switch may leave empty.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/port_rig.h"
#include "../lib/test.h"

enum { LATE = 2000 };

/* Packet `number` of 8 flits comes in. */
static void long_in(uint32_t cycle, unsigned port, unsigned vc, unsigned node, uint64_t number)
{
  flit_in(cycle, port, vc, HEAD, head_to(node, number));
  for (uint32_t i = 1; i < 8; i++)
    flit_in(cycle + 4 * i, port, vc, i < 7 ? BODY : TAIL, number * 16 + i);
}

/* Flits `from` to `to_flit` − 1 of packet `number` leave. */
static void long_out(uint32_t cycle, unsigned port, unsigned vc, unsigned node, uint64_t number,
                     uint32_t from, uint32_t to_flit)
{
  for (uint32_t i = from; i < to_flit; i++)
    flit_out(cycle + i - from, port, vc, i ? (i < 7 ? BODY : TAIL) : HEAD,
             i ? number * 16 + i : head_to(node, number));
}

/* Delays all credits so far until LATE. */
static void hold_credits(void)
{
  for (uint32_t i = 0; i < events[0].n_credits_in; i++)
    events[0].credits_in[i].cycle = LATE + i;
}

/* The receiver has four slots, gives no credits, and gets `flits`. */
static void fill(uint32_t flits)
{
  long_in(10, 0, 0, 2, 1);
  long_out(30, 2, 0, 2, 1, 0, flits);
  hold_credits();
  for (uint32_t i = flits; i < 8; i++)
    long_out(LATE + 10 + i, 2, 0, 2, 1, i, i + 1);
}

TEST_WITH(a_packet_under_way_uses_the_last_slot, port_rig_begin, NULL)
{
  fill(4);
  expect(HD_PORT_NONE, 0, 0, 0);
  fill(3); /* the seventh flit came in cycle 38; all since */
  expect(HD_PORT_MISSING, 128, 0, 0);
  fill(3);
  events[0].n_credits_out = 3;
  expect(HD_PORT_HELD, 128, 0, 0);
}

TEST_WITH(checks_of_packets_that_have_used_all_slots_are_counted, port_rig_begin, NULL)
{
  for (uint32_t flits = 3; flits <= 4; flits++) {
    struct hd_port_watch *watch;
    struct hd_port_break broken;
    fill(flits);
    watch = open_watch();
    assert_int_equal(play(watch, 0, 0, 96, &broken), HD_OK);
    assert_int_equal(hd_port_watch_counts(watch).filled, flits == 4 ? 2 : 0); /* in 64 and 96 */
    hd_port_watch_destroy(watch);
    expect(flits == 4 ? HD_PORT_NONE : HD_PORT_MISSING, flits == 4 ? 0 : 128, 0, 0);
  }
}

/* Two packets of one input port are under way. The older one waits for a credit, the younger one has one. */
TEST_WITH(every_packet_under_way_is_checked, port_rig_begin, NULL)
{
  for (int may = 0; may < 2; may++) {
    long_in(10, 0, 0, 2, 1);
    long_in(11, 0, 1, 3, 2);
    long_out(60, 3, 1, 3, 2, 0, 1);
    long_out(61, 2, 0, 2, 1, 0, 4);
    hold_credits();
    if (!may) /* two flits of the younger one have passed the older one, which waits for a credit */
      long_out(110, 3, 1, 3, 2, 1, 3);
    long_out(LATE + 10, 2, 0, 2, 1, 4, 8);
    long_out(LATE + 20, 3, 1, 3, 2, may ? 1 : 3, 8);
    if (may)
      expect(HD_PORT_NONE, 0, 0, 0);
    else
      expect(HD_PORT_MISSING, 192, 0, 1);
  }
}

/* At one output: the packet on channel 0 waits for a credit, that on channel 1 has one. */
TEST_WITH(channels_of_an_output_may_wait_for_each_other_until_one_passes, port_rig_begin, NULL)
{
  for (int may = 0; may < 2; may++) {
    long_in(10, 0, 0, 2, 1);
    long_in(11, 1, 0, 2, 2);
    long_out(60, 2, 0, 2, 1, 0, 4);
    hold_credits();
    long_out(70, 2, 1, 2, 2, 0, 1);
    if (!may)
      long_out(110, 2, 1, 2, 2, 1, 3);
    long_out(LATE + 10, 2, 0, 2, 1, 4, 8);
    long_out(LATE + 20, 2, 1, 2, 2, may ? 1 : 3, 8);
    if (may)
      expect(HD_PORT_NONE, 0, 0, 0);
    else
      expect(HD_PORT_MISSING, 192, 1, 0);
  }
}

/* A router may begin a packet only in an empty channel, or where there is room for all of it. */
TEST_WITH(a_packet_may_wait_for_an_empty_channel, port_rig_begin, NULL)
{
  for (uint32_t back = 100; back <= LATE; back += LATE - 100) {
    flit_in(10, 0, 0, SINGLE, head_to(2, 1));
    flit_out(14, 2, 0, SINGLE, head_to(2, 1));
    events[0].credits_in[0].cycle = back;
    packet_in(20, 1, 0, 2, 2);
    packet_out(LATE + 5, 2, 0, 2, 2);
    if (back < LATE)
      expect(HD_PORT_MISSING, 192, 1, 0); /* since cycle 100 */
    else
      expect(HD_PORT_NONE, 0, 0, 0);
  }
}

/* A single that left while a slot was used shows that singles from its port do so. */
TEST_WITH(a_single_flit_packet_needs_no_more_room_than_earlier_ones_had, port_rig_begin, NULL)
{
  for (unsigned had = 0; had < 2; had++) {
    flit_in(10, 0, 0, SINGLE, head_to(2, 1));
    flit_in(14, 0, 0, SINGLE, head_to(2, 2));
    flit_out(20, 2, 0, SINGLE, head_to(2, 1));
    flit_out(had ? 21 : 30, 2, 0, SINGLE,
             head_to(2, 2)); /* the first one is credited in cycle 22 */
    flit_in(40, 0, 0, SINGLE, head_to(2, 3));
    flit_in(44, 0, 0, SINGLE, head_to(2, 4));
    flit_out(50, 2, 0, SINGLE, head_to(2, 3));
    events[0].credits_in[2].cycle = LATE;
    flit_out(LATE + 5, 2, 0, SINGLE, head_to(2, 4));
    if (had)
      expect(HD_PORT_MISSING, 128, 0, 0);
    else
      expect(HD_PORT_NONE, 0, 0, 0);
  }
}
