// A bench in C++ for one_stage.v, with Heddle's monitor: random packets, credits that come back late.
// SPDX-License-Identifier: Apache-2.0
//
// docs/monitors.md builds it. 0: no rule was broken; 1: one was, and the sentence says which.
#include "Vone_stage.h"
#include "verilated.h"

#include "../../../bridge/watch/monitor.h"

#include <cstdio>
#include <cstdlib>
#include <deque>

enum { PORTS = 5, LANES = 2, SLOTS = 4, NODES = 16, CYCLES = 20000, DRAIN = 500 };

// A flit is {data[15:0], first, last}; a head's data are {number, node[3:0], mode 0}.
static uint32_t flit(uint32_t data, bool first, bool last)
{
  return data << 2 | first << 1 | last;
}

static unsigned way_to(unsigned node)
{
  return node % PORTS;
}

static unsigned dice(unsigned sides)
{
  return static_cast<unsigned>(rand()) % sides;
}

struct Bench {
  Vone_stage dut;
  hd_monitor *monitor = nullptr;
  std::deque<uint32_t> queue[PORTS]; // flits to be sent by lane 0
  unsigned slots[PORTS];             // free ones of it
  std::deque<int> taken[PORTS];      // lanes of flits that came out, for which a credit is due
  uint32_t number = 0;

  void clock()
  {
    dut.clk = 1;
    dut.eval();
    dut.clk = 0;
    dut.eval();
  }

  void write_tables()
  {
    for (unsigned port = 0; port < PORTS; port++)
      for (unsigned node = 0; node < NODES; node++) {
        dut.table_write_i = 1;
        dut.table_port_i = port;
        dut.table_index_i = node;
        dut.table_entry_i = 1u << 6 | 3u << 4 | way_to(node); // {valid, lanes, port}
        clock();
      }
    dut.table_write_i = 0;
  }

  void add_packet(unsigned port)
  {
    const unsigned length = 1 + dice(4);
    for (unsigned i = 0; i < length; i++)
      queue[port].push_back(flit(i ? number++ & 0xffff : (number++ & 0x3ff) << 6 | dice(NODES) << 2,
                                 i == 0, i + 1 == length));
  }

  // Inputs of a cycle: at most a flit at each port, and a credit for each output.
  void drive(bool sends)
  {
    uint64_t flits[PORTS] = {0};
    dut.push_i = dut.slot_i = 0;
    for (unsigned p = 0; p < PORTS; p++) {
      if (sends && queue[p].empty() && dice(4) == 0)
        add_packet(p);
      if (!queue[p].empty() && slots[p]) {
        dut.push_i |= 1u << p;
        flits[p] = queue[p].front();
        queue[p].pop_front();
        slots[p]--;
      }
      if (!taken[p].empty() && dice(2)) {
        dut.slot_i |= 1u << (p * LANES + taken[p].front());
        taken[p].pop_front();
      }
    }
    dut.push_flit_i[0] = flits[0] | flits[1] << 18;
    dut.push_flit_i[1] = flits[1] >> 14 | flits[2] << 4 | flits[3] << 22;
    dut.push_flit_i[2] = flits[3] >> 10 | flits[4] << 8;
  }

  // What all pins show, for the monitor; the bench's own books beside it.
  bool look()
  {
    hd_monitor_port pins[PORTS] = {};
    uint32_t in[PORTS], out[PORTS];
    for (unsigned p = 0; p < PORTS; p++) {
      in[p] = slice(dut.push_flit_i, p);
      out[p] = slice(dut.send_flit_o, p);
      pins[p].in = side(dut.push_i >> p & 1, 0, dut.freed_o >> p * LANES & 3, &in[p]);
      pins[p].out =
          side(dut.send_o >> p & 1, dut.send_lane_o >> p & 1, dut.slot_i >> p * LANES & 3, &out[p]);
      slots[p] += dut.freed_o >> p * LANES & 1;
      if (dut.send_o >> p & 1)
        taken[p].push_back(dut.send_lane_o >> p & 1);
    }
    return hd_monitor_cycle(monitor, pins) != 0;
  }

  static uint32_t slice(const WData *wide, unsigned port)
  {
    const unsigned at = port * 18, word = at / 32;
    const uint64_t two = wide[word] | static_cast<uint64_t>(word < 2 ? wide[word + 1] : 0) << 32;
    return two >> at % 32 & 0x3ffff;
  }

  static hd_monitor_side side(bool valid, unsigned lane, unsigned credits, const uint32_t *flit)
  {
    hd_monitor_side s = {};
    s.valid = valid;
    s.last = *flit & 1;
    s.first = *flit >> 1 & 1;
    s.node = *flit >> 4 & (NODES - 1);
    s.vc = lane;
    s.back = credits;
    s.data = flit;
    return s;
  }
};

int main()
{
  Bench bench;
  hd_monitor_params params = {};
  params.ports = PORTS;
  params.vcs = LANES;
  params.data_bits = 18;
  params.nodes = NODES;
  params.links = HD_MONITOR_CREDITS;
  params.depth_flits = SLOTS;
  if (hd_monitor_create(&bench.monitor, &params, nullptr))
    return 2;
  for (unsigned node = 0; node < NODES; node++)
    hd_monitor_route(bench.monitor, HD_MONITOR_ANY_PORT, node, 1u << way_to(node), 0, nullptr);

  for (unsigned &slots : bench.slots)
    slots = SLOTS;
  bench.dut.eval();
  bench.clock(); // rst_n is 0
  bench.dut.rst_n = 1;
  bench.write_tables();
  bool broken = false;
  for (unsigned cycle = 0; cycle < CYCLES + DRAIN && !broken; cycle++) {
    bench.drive(cycle < CYCLES);
    bench.dut.eval();
    broken = bench.look();
    bench.clock();
  }
  const int status = hd_monitor_end(bench.monitor);
  std::printf("%s\n", hd_monitor_says(bench.monitor));
  hd_monitor_destroy(bench.monitor);
  return status;
}
