// The flat 8x8 mesh, Verilated as one design.
// SPDX-License-Identifier: Apache-2.0
#include "traffic.h"

#include "Vflat_mesh.h"
#include "verilated.h"

#include "../../bridge/backends/rtl/pins.h"

#include <memory>

namespace
{

class Mesh
{
public:
  Mesh() : top_(std::make_unique<Vflat_mesh>(&context_, ""))
  {
    top_->rst = 1;
    clock();
    top_->rst = 0;
    for (unsigned s = 0; s < NODES; s++)
      for (unsigned port = 0; port < PORTS; port++)
        for (unsigned to = 0; to < NODES; to++) {
          top_->cfg_write_i = UINT64_C(1) << s;
          top_->cfg_addr_i = 0x10000 | port << 12 | to;
          top_->cfg_wdata_i = static_cast<uint16_t>(1u << 12 | 3u << 4 | route(s, to));
          clock();
        }
    top_->cfg_write_i = 0;
  }

  void cycle(Traffic &traffic)
  {
    uint64_t valid = 0, vcs = 0;
    uint8_t *const kinds = reinterpret_cast<uint8_t *>(&top_->node_kind_i);
    for (unsigned s = 0; s < NODES; s++) {
      const Node &n = traffic.nodes[s];
      if (n.out.valid) {
        valid |= UINT64_C(1) << s;
        vcs |= static_cast<uint64_t>(n.out.vc) << s;
        hd::lane_write<16>(top_->node_data_i, s, n.out.data);
        uint16_t two;
        std::memcpy(&two, kinds + s * 3 / 8, s * 3 / 8 < 23 ? 2 : 1);
        two = static_cast<uint16_t>((two & ~(7u << s * 3 % 8)) | static_cast<unsigned>(n.out.kind)
                                                                     << s * 3 % 8);
        std::memcpy(kinds + s * 3 / 8, &two, s * 3 / 8 < 23 ? 2 : 1);
      }
      uint32_t &word = top_->node_credit_i[s / 16];
      word = (word & ~(3u << s % 16 * 2)) | static_cast<uint32_t>(n.credit_out) << s % 16 * 2;
    }
    top_->node_valid_i = valid;
    top_->node_vc_i = (top_->node_vc_i & ~valid) | vcs;
    for (unsigned s = 0; s < NODES; s++) {
      const unsigned kind =
          top_->node_kind_o[s * 3 / 32] >> s * 3 % 32 |
          (s * 3 % 32 > 29 ? top_->node_kind_o[s * 3 / 32 + 1] << (32 - s * 3 % 32) : 0);
      const Flit out{(top_->node_valid_o >> s & 1) != 0, static_cast<uint8_t>(kind & 7),
                     static_cast<uint8_t>(top_->node_vc_o >> s & 1),
                     static_cast<uint16_t>(hd::lane_read<16>(top_->node_data_o, s))};
      traffic.cycle(s, out, top_->node_credit_o[s / 16] >> s % 16 * 2 & 3);
    }
    clock();
  }

private:
  void clock()
  {
    top_->clk = 0;
    top_->eval();
    top_->clk = 1;
    top_->eval();
  }

  VerilatedContext context_;
  std::unique_ptr<Vflat_mesh> top_;
};

} // namespace

int main(int argc, char **argv)
{
  return bench_main<Mesh>(argc, argv);
}
