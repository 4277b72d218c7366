// Nodes of the benchmark's bare meshes: uniform traffic, credits, nothing else.
// SPDX-License-Identifier: Apache-2.0
//
// The network interface of the specification (§4.1, §4.2) in its plainest form, so that
// what is timed is the switches.
#ifndef HD_BENCH_TRAFFIC_H
#define HD_BENCH_TRAFFIC_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

constexpr unsigned SIDE = 8, NODES = SIDE * SIDE, PORTS = 5, VCS = 2, DEPTH = 4;

struct Flit {
  bool valid;
  uint8_t kind, vc;
  uint16_t data;
};

struct Node {
  uint64_t random;
  std::vector<uint8_t> queue; // destinations
  size_t first = 0;
  unsigned sent = 0, vc = 0, vc_next = 0, credit[VCS] = {DEPTH, DEPTH};
  Flit out{};             // visible in this cycle
  uint8_t credit_out = 0; // likewise
};

class Traffic
{
public:
  Traffic(double load, unsigned flits, uint64_t seed)
      : flits_(flits), threshold_(static_cast<uint64_t>(load / flits * 0x1p64))
  {
    for (unsigned i = 0; i < NODES; i++)
      nodes[i].random = (seed + i + 1) * 0x9e3779b97f4a7c15u;
  }

  // One cycle of node i: takes what is at its pins, decides what it shows in the next.
  void cycle(unsigned i, const Flit &in, unsigned credits)
  {
    Node &n = nodes[i];
    if (next(n.random) < threshold_) {
      unsigned to;
      do
        to = static_cast<unsigned>(next(n.random) >> 58);
      while (to == i);
      n.queue.push_back(static_cast<uint8_t>(to));
    }
    n.out.valid = false;
    if (n.first < n.queue.size())
      send(n);
    for (unsigned v = 0; v < VCS; v++)
      n.credit[v] += credits >> v & 1;
    n.credit_out = in.valid ? static_cast<uint8_t>(1u << in.vc) : 0;
    received += in.valid && (in.kind & 1);
  }

  Node nodes[NODES];
  uint64_t received = 0; // packets

private:
  static uint64_t next(uint64_t &state)
  {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }

  void send(Node &n)
  {
    if (n.sent == 0) {
      unsigned vc = n.vc_next, tried = 0;
      while (tried < VCS && !n.credit[vc]) {
        vc = vc + 1 == VCS ? 0 : vc + 1;
        tried++;
      }
      if (tried == VCS)
        return;
      n.vc = vc;
      n.vc_next = vc + 1 == VCS ? 0 : vc + 1;
    } else if (!n.credit[n.vc]) {
      return;
    }
    const bool tail = n.sent + 1 == flits_;
    n.out = {true, static_cast<uint8_t>((n.sent == 0 ? 2 : 0) | (tail ? 1 : 0)),
             static_cast<uint8_t>(n.vc), static_cast<uint16_t>(n.queue[n.first] << 2)};
    n.credit[n.vc]--;
    if (!tail) {
      n.sent++;
      return;
    }
    n.sent = 0;
    if (++n.first == n.queue.size()) {
      n.queue.clear();
      n.first = 0;
    }
  }

  unsigned flits_;
  uint64_t threshold_;
};

// Dimension order, specification §5.1.
inline unsigned route(unsigned sw, unsigned to)
{
  const unsigned x = sw % SIDE, y = sw / SIDE, tx = to % SIDE, ty = to / SIDE;
  return tx > x ? 1 : tx < x ? 2 : ty > y ? 3 : ty < y ? 4 : 0;
}

inline double seconds()
{
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Arguments LOAD FLITS CYCLES SEED; prints "switch-cycles seconds packets", the seconds of the processor.
template <typename Mesh> int bench_main(int argc, char **argv)
{
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s LOAD FLITS CYCLES SEED\n", argv[0]);
    return 2;
  }
  const unsigned long cycles = std::strtoul(argv[3], nullptr, 10);
  Traffic traffic(std::atof(argv[1]), static_cast<unsigned>(std::atoi(argv[2])),
                  std::strtoul(argv[4], nullptr, 10));
  Mesh mesh;
  const double start = seconds();
  for (unsigned long c = 0; c < cycles; c++)
    mesh.cycle(traffic);
  const double took = seconds() - start;
  std::printf("%lu %.6f %lu\n", cycles * NODES, took, static_cast<unsigned long>(traffic.received));
  return traffic.received ? 0 : 1;
}

#endif
