// Bare RTL: 64 Verilated switches linked by plain arrays, every one evaluated in every
// cycle; no model, no comparison, no contract. What `make bench` measures against.
// SPDX-License-Identifier: Apache-2.0
#include "traffic.h"

#include "Vhd_switch.h"
#include "verilated.h"

#include "../../bridge/backends/rtl/pins.h"

#include <memory>

namespace
{

class Mesh
{
public:
  Mesh()
  {
    for (unsigned s = 0; s < NODES; s++) {
      tops_[s] = std::make_unique<Vhd_switch>(&context_, "");
      Vhd_switch &t = *tops_[s];
      t.rst = 1;
      clock(t);
      t.rst = 0;
      for (unsigned port = 0; port < PORTS; port++)
        for (unsigned to = 0; to < NODES; to++) {
          t.cfg_write_i = 1;
          t.cfg_addr_i = 0x10000 | port << 12 | to;
          t.cfg_wdata_i = static_cast<uint16_t>(1u << 12 | 3u << 4 | route(s, to));
          clock(t);
        }
      t.cfg_write_i = 0;
      for (unsigned port = 0; port < PORTS; port++)
        peer_[s][port] = peer(s, port);
    }
  }

  void cycle(Traffic &traffic)
  {
    for (unsigned s = 0; s < NODES; s++)
      connect(s, traffic);
    for (unsigned s = 0; s < NODES; s++) {
      Vhd_switch &t = *tops_[s];
      const Flit out{(t.out_valid_o & 1) != 0, static_cast<uint8_t>(t.out_kind_o & 7),
                     static_cast<uint8_t>(t.out_vc_o & 1),
                     static_cast<uint16_t>(hd::lane_read<16>(t.out_data_o, 0))};
      traffic.cycle(s, out, t.in_credit_o & 3);
    }
    for (unsigned s = 0; s < NODES; s++)
      clock(*tops_[s]);
  }

private:
  struct Peer {
    int sw; // -1: none
    unsigned port;
  };

  static Peer peer(unsigned s, unsigned port)
  {
    const unsigned x = s % SIDE, y = s / SIDE;
    if (port == 1 && x + 1 < SIDE)
      return {static_cast<int>(s + 1), 2};
    if (port == 2 && x > 0)
      return {static_cast<int>(s - 1), 1};
    if (port == 3 && y + 1 < SIDE)
      return {static_cast<int>(s + SIDE), 4};
    if (port == 4 && y > 0)
      return {static_cast<int>(s - SIDE), 3};
    return {-1, 0};
  }

  // Inputs of switch s from the registered outputs of its neighbours.
  void connect(unsigned s, const Traffic &traffic)
  {
    Vhd_switch &t = *tops_[s];
    const Node &n = traffic.nodes[s];
    unsigned valid = n.out.valid, credits = n.credit_out;
    if (valid)
      put(t, 0, n.out.kind, n.out.vc, n.out.data);
    for (unsigned port = 1; port < PORTS; port++) {
      const Peer far = peer_[s][port];
      if (far.sw < 0)
        continue;
      const Vhd_switch &f = *tops_[static_cast<unsigned>(far.sw)];
      credits |= (f.in_credit_o >> far.port * VCS & 3u) << port * VCS;
      if (!(f.out_valid_o >> far.port & 1))
        continue;
      valid |= 1u << port;
      put(t, port, f.out_kind_o >> far.port * 3 & 7u, f.out_vc_o >> far.port & 1u,
          static_cast<uint16_t>(hd::lane_read<16>(f.out_data_o, far.port)));
    }
    t.in_valid_i = static_cast<uint8_t>(valid);
    t.out_credit_i = static_cast<uint16_t>(credits);
  }

  static void put(Vhd_switch &t, unsigned port, unsigned kind, unsigned vc, uint16_t data)
  {
    hd::lane_write<3>(t.in_kind_i, port, kind);
    hd::lane_write<1>(t.in_vc_i, port, vc);
    hd::lane_write<16>(t.in_data_i, port, data);
  }

  static void clock(Vhd_switch &t)
  {
    t.clk = 0;
    t.eval();
    t.clk = 1;
    t.eval();
  }

  VerilatedContext context_;
  std::unique_ptr<Vhd_switch> tops_[NODES];
  Peer peer_[NODES][PORTS];
};

} // namespace

int main(int argc, char **argv)
{
  return bench_main<Mesh>(argc, argv);
}
