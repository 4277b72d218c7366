/* Index of each pin of a switch in the list of all pins, bit by bit.
 * SPDX-License-Identifier: Apache-2.0
 *
 * lanes_write.c and the functions that call the lane code use this order. The wires of a flit are
 * next to each other, so that an event sets a few bits in a row.
 */
#ifndef HD_LANES_PINS_H
#define HD_LANES_PINS_H

#include "../../../cmodel/port_event.h"
#include "../../../cmodel/switch/params.h"

/** Index of a flit's wires, relative to its first one. */
enum { HD_LANE_VALID = 0, HD_LANE_KIND = 1, HD_LANE_VC = 4 };

/** Index of the first pin of each group. Up to `both` the indices are the same for inputs and
 *  outputs. */
struct hd_lane_pins {
  uint32_t data;    /* data of a flit, relative to its first wire */
  uint32_t flit;    /* number of wires of a flit; port p has those from p·flit on */
  uint32_t credit;  /* [port·vcs + vc] */
  uint32_t barrier; /* [port]; none without barrier messages */
  uint32_t count;   /* [port·HD_COUNT_BITS]; none without counts (§10.8) */
  uint32_t both;
  /* inputs */
  uint32_t write, read, addr, wdata, rst, inputs;
  /* outputs */
  uint32_t rdata, quiescent, outputs;
};

enum { HD_LANE_ADDR = 20, HD_LANE_CONFIG = 16 }; /* bits of the configuration port */

static inline struct hd_lane_pins hd_lane_pins(uint32_t ports, uint32_t vcs, uint32_t data_bits,
                                               bool barrier, bool counts)
{
  struct hd_lane_pins p = {0};
  p.data = HD_LANE_VC + (vcs <= 2 ? 1 : vcs <= 4 ? 2 : 3);
  p.flit = p.data + data_bits;
  p.credit = ports * p.flit;
  p.barrier = p.credit + ports * vcs;
  p.count = p.barrier + (barrier ? ports : 0);
  p.both = p.count + (counts ? ports * HD_COUNT_BITS : 0);
  p.write = p.both;
  p.read = p.write + 1;
  p.addr = p.read + 1;
  p.wdata = p.addr + HD_LANE_ADDR;
  p.rst = p.wdata + HD_LANE_CONFIG;
  p.inputs = p.rst + 1;
  p.rdata = p.both;
  p.quiescent = p.rdata + HD_LANE_CONFIG;
  p.outputs = p.quiescent + 1;
  return p;
}

#endif
