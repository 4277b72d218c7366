// A Heddle switch and its links in SystemC: the RTL, made a module by `verilator --sc`.
// SPDX-License-Identifier: Apache-2.0
//
// A signal's value is what crosses a link in a cycle (specification §1.1): a flit in one
// direction, a set of credits in the other. Every output is registered, so it changes after a
// rising edge of the clock and is stable long before the next one.
#ifndef HEDDLE_SWITCH_H
#define HEDDLE_SWITCH_H

#include "../backends/systemc/systemc_signals.h"

#include <ostream>
#include <string>
#include <systemc>
#include <vector>

namespace heddle
{

/** The wires of §1.1 in one cycle. Without `valid`, all other fields are 0 and mean nothing. */
struct flit {
  bool valid = false;
  uint8_t kind = 0, vc = 0;
  uint64_t data = 0;
};
inline bool operator==(const flit &a, const flit &b)
{
  return a.valid == b.valid && a.kind == b.kind && a.vc == b.vc && a.data == b.data;
}
inline std::ostream &operator<<(std::ostream &out, const flit &f)
{
  static const char *const kinds[] = {"body", "tail", "head", "single", "4", "5", "6", "7"};
  if (!f.valid)
    return out << "-";
  return out << kinds[f.kind] << " vc " << unsigned(f.vc) << " 0x" << std::hex << f.data
             << std::dec;
}
inline void sc_trace(sc_core::sc_trace_file *file, const flit &f, const std::string &name)
{
  sc_core::sc_trace(file, f.valid, name + ".valid");
  sc_core::sc_trace(file, f.kind, name + ".kind");
  sc_core::sc_trace(file, f.vc, name + ".vc");
  sc_core::sc_trace(file, f.data, name + ".data");
}

/** Bit v: a slot of virtual channel v became free. Bits from HD_COUNT_WIRES on: the wires of a
 *  count (§10.8). */
using credits = uint16_t;

/** The wires of a port: those that come in over its link and those that go out. */
struct link_ports {
  sc_core::sc_in<flit> flit_in;
  sc_core::sc_in<credits> credits_in;
  sc_core::sc_out<flit> flit_out;
  sc_core::sc_out<credits> credits_out;
};

/** The switch, with a link_ports for each of its ports, and its configuration port (chapter 3). */
class switch_module : public sc_core::sc_module
{
  Vhd_switch rtl;
  SwitchSignals wires = {rtl};
  SwitchPins in = {}, out = {};

  void put_inputs()
  {
    in.rst = rst.read();
    in.cfg_write_i = config_write.read();
    in.cfg_addr_i = config_address.read();
    in.cfg_wdata_i = config_data.read();
    in.in_valid_i = 0;
    credits_t freed = 0;
    counts_t counts = 0;
    for (unsigned p = 0; p < PORTS; p++) {
      const flit &f = links[p].flit_in.read();
      in.in_valid_i |= uint32_t{f.valid} << p;
      hd::lane_write<3>(in.in_kind_i, p, f.kind);
      hd::lane_write<VC_W>(in.in_vc_i, p, f.vc);
      hd::lane_write<DATA_W>(in.in_data_i, p, f.data);
      const credits back = links[p].credits_in.read();
      freed |= static_cast<credits_t>(back & ((1u << VCS) - 1)) << (p * VCS);
      counts |= static_cast<counts_t>(back >> HD_COUNT_WIRES) << (p * HD_COUNT_BITS);
    }
    in.out_credit_i = freed;
    in.out_count_i = counts;
    wires.write(in);
  }
  void take_outputs()
  {
    wires.read(out);
    for (unsigned p = 0; p < PORTS; p++) {
      flit f;
      f.valid = out.out_valid_o >> p & 1;
      if (f.valid) {
        f.kind = static_cast<uint8_t>(hd::lane_read<3>(out.out_kind_o, p));
        f.vc = static_cast<uint8_t>(hd::lane_read<VC_W>(out.out_vc_o, p));
        f.data = hd::lane_read<DATA_W>(out.out_data_o, p);
      }
      links[p].flit_out.write(f);
      const unsigned freed =
          static_cast<unsigned>(out.in_credit_o >> (p * VCS)) & ((1u << VCS) - 1);
      const unsigned count = static_cast<unsigned>(out.in_count_o >> (p * HD_COUNT_BITS)) &
                             ((1u << HD_COUNT_BITS) - 1);
      links[p].credits_out.write(static_cast<credits>(freed | count << HD_COUNT_WIRES));
    }
  }

public:
  sc_core::sc_in<bool> clk, rst;
  sc_core::sc_in<bool> config_write;
  sc_core::sc_in<uint32_t> config_address;
  sc_core::sc_in<uint16_t> config_data;
  std::array<link_ports, PORTS> links; // one for each port of the switch

  SC_HAS_PROCESS(switch_module);
  explicit switch_module(sc_core::sc_module_name name) : sc_module(name), rtl("rtl")
  {
    rtl.clk(clk);
    SC_METHOD(put_inputs);
    sensitive << rst << config_write << config_address << config_data;
    for (link_ports &l : links)
      sensitive << l.flit_in << l.credits_in;
    SC_METHOD(take_outputs);
    sensitive << *wires.out_valid_o << *wires.out_kind_o << *wires.out_vc_o << *wires.out_data_o
              << *wires.in_credit_o;
#if HD_ADAPTIVE == 2
    sensitive << *wires.count.second;
#endif
    dont_initialize();
  }
};

/** Delays one direction of a link by `cycles` − 1 cycles (§1.5), cycles ≥ 2. A link of one cycle
 *  needs no delay: the signal itself is the link. */
template <typename T> class link_delay : public sc_core::sc_module
{
  std::vector<T> stages;
  size_t at = 0;

  // The output is the last of cycles − 1 registers.
  void shift()
  {
    if (stages.empty()) {
      out.write(in.read());
      return;
    }
    out.write(stages[at]);
    stages[at] = in.read();
    at = at + 1 == stages.size() ? 0 : at + 1;
  }

public:
  sc_core::sc_in<bool> clk;
  sc_core::sc_in<T> in;
  sc_core::sc_out<T> out;

  SC_HAS_PROCESS(link_delay);
  link_delay(sc_core::sc_module_name name, unsigned cycles) : sc_module(name), stages(cycles - 2)
  {
    SC_METHOD(shift);
    sensitive << clk.pos();
    dont_initialize();
  }
};

} // namespace heddle

#endif
