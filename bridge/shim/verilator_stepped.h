// A decompiled bitstream, Verilated, seen as the switch in it: the switch's pins, put there and
// read through the register file of fpga/step/hd_step_core.v.
// SPDX-License-Identifier: Apache-2.0
#ifndef HD_SHIM_VERILATOR_STEPPED_H
#define HD_SHIM_VERILATOR_STEPPED_H

#include "switch_pins.h"
#include "verilated_save.h"

namespace
{

class SteppedTop
{
  // The layout of hd_step_core's register file.
  static constexpr unsigned LANES = PORTS * (3 + VC_W + DATA_W);
  static constexpr unsigned STROBE_BYTES = (PORTS * (VCS + 2) + 3 + 7) / 8;
  static constexpr unsigned STIMULUS_BYTES = STROBE_BYTES + (LANES + 36 + 7) / 8;
  static constexpr unsigned FLAG_BYTES = (PORTS * (VCS + 2) + 1 + 7) / 8;
  static constexpr unsigned RESPONSE_BYTES = FLAG_BYTES + (LANES + 16 + 7) / 8;
  static constexpr unsigned ABOUT = 192, ABOUT_BYTES = 18; // without the build hash

  Vhd_switch board;
  SwitchPins pins = {};
  std::array<unsigned char, STIMULUS_BYTES> written = {}; // what the payload's registers hold
  std::array<unsigned char, RESPONSE_BYTES> response = {};

  void clock()
  {
    board.clk = 0;
    board.eval();
    board.clk = 1;
    board.eval();
  }
  void write(unsigned addr, unsigned char byte)
  {
    board.write_i = 1;
    board.addr_i = static_cast<uint8_t>(addr);
    board.data_i = byte;
    clock();
    board.write_i = 0;
  }
  unsigned char read(unsigned addr)
  {
    board.addr_i = static_cast<uint8_t>(addr);
    clock();
    return board.data_o;
  }

  // Fields one behind the other, from bit 0 of a byte on.
  struct Packer {
    unsigned char *bytes;
    unsigned at;
    template <typename Field> void put(const Field &field, unsigned width)
    {
      const unsigned char *const from = reinterpret_cast<const unsigned char *>(&field);
      for (unsigned i = 0; i < width; i++, at++) {
        const unsigned bit = from[i / 8] >> i % 8 & 1u;
        bytes[at / 8] =
            static_cast<unsigned char>((bytes[at / 8] & ~(1u << at % 8)) | bit << at % 8);
      }
    }
    template <typename Field> void get(Field &field, unsigned width)
    {
      unsigned char *const to = reinterpret_cast<unsigned char *>(&field);
      std::memset(to, 0, sizeof field);
      for (unsigned i = 0; i < width; i++, at++)
        to[i / 8] = static_cast<unsigned char>(to[i / 8] | (bytes[at / 8] >> at % 8 & 1u) << i % 8);
    }
  };

public:
  SwitchPins *const rootp = &pins;

  SteppedTop(VerilatedContext *context, const char *name) : board(context, name)
  {
    board.write_i = board.step_i = 0; // pins start with garbage, too
    board.addr_i = board.data_i = 0;
    board.rst = 1;
    clock();
    board.rst = 0;
    for (unsigned i = STROBE_BYTES; i < STIMULUS_BYTES; i++) // reset leaves the payload alone
      write(i, written[i]);
  }

  void eval()
  {
    board.eval();
  }
  void final()
  {
    board.final();
  }

  // Is it the switch that this was compiled for?
  bool is_expected(std::string &what)
  {
    static constexpr unsigned expected[ABOUT_BYTES] = {'H',
                                                       'D',
                                                       1,
                                                       HD_PORTS,
                                                       HD_VCS,
                                                       HD_DATA_W,
                                                       HD_DEPTH,
                                                       HD_ROUTE_CYCLES,
                                                       HD_ARB_CYCLES,
                                                       HD_BUFFER_CYCLES,
                                                       HD_CUT_FLITS,
                                                       HD_SOURCE_TABLE,
                                                       HD_BARRIER,
                                                       HD_GROUPS,
                                                       HD_NODES & 255,
                                                       HD_NODES >> 8,
                                                       HD_SWITCHES & 255,
                                                       HD_SWITCHES >> 8};
    unsigned found[ABOUT_BYTES];
    bool same = true;
    for (unsigned i = 0; i < ABOUT_BYTES; i++) {
      found[i] = read(ABOUT + i);
      same &= found[i] == expected[i] || (!HD_BARRIER && (i == 13 || i > 15));
    }
    if (found[0] != 'H' || found[1] != 'D' || found[2] != 1) {
      what = "no switch behind hd_step_core answers at its pins";
    } else {
      static const char *const names[] = {
          "PORTS",         "VCS",       "DATA_W",       "DEPTH",   "ROUTE_CYCLES", "ARB_CYCLES",
          "BUFFER_CYCLES", "CUT_FLITS", "SOURCE_TABLE", "BARRIER", "GROUPS"};
      what = "it holds a switch of NODES=" + std::to_string(found[14] + 256 * found[15]);
      for (unsigned i = 0; i < 11; i++)
        if (found[12] || i < 10) // without barrier messages there are no groups
          what += std::string(" ") + names[i] + "=" + std::to_string(found[3 + i]);
      if (found[12])
        what += " SWITCHES=" + std::to_string(found[16] + 256 * found[17]);
    }
    return same;
  }

  // One cycle of the switch: what differs is written, one step, what may have changed is read.
  void step()
  {
    std::array<unsigned char, STIMULUS_BYTES> now = written;
    std::memset(now.data(), 0, STROBE_BYTES);
    Packer in = {now.data(), 0};
    in.put(pins.in_valid_i, PORTS);
    in.put(pins.out_credit_i, PORTS * VCS);
    in.put(pins.out_barrier_credit_i, PORTS);
    in.put(pins.cfg_write_i, 1);
    in.put(pins.cfg_read_i, 1);
    in.put(pins.rst, 1);
    in.at = STROBE_BYTES * 8;
    in.put(pins.in_kind_i, PORTS * 3);
    in.put(pins.in_vc_i, PORTS * VC_W);
    in.put(pins.in_data_i, PORTS * DATA_W);
    in.put(pins.cfg_addr_i, 20);
    in.put(pins.cfg_wdata_i, 16);
    for (unsigned i = 0; i < STIMULUS_BYTES; i++)
      if (i < STROBE_BYTES ? now[i] != 0 : now[i] != written[i])
        write(i, now[i]);
    written = now;

    board.step_i = 1;
    clock();
    board.step_i = 0;
    clock();

    for (unsigned i = 0; i < FLAG_BYTES; i++)
      response[i] = read(i);
    Packer out = {response.data(), 0};
    out.get(pins.out_valid_o, PORTS);
    out.get(pins.in_credit_o, PORTS * VCS);
    out.get(pins.in_barrier_credit_o, PORTS);
    out.get(pins.quiescent_o, 1);
    if (!pins.out_valid_o && !pins.cfg_read_i)
      return; // nobody looks at the others
    for (unsigned i = FLAG_BYTES; i < RESPONSE_BYTES; i++)
      response[i] = read(i);
    out.at = FLAG_BYTES * 8;
    out.get(pins.out_kind_o, PORTS * 3);
    out.get(pins.out_vc_o, PORTS * VC_W);
    out.get(pins.out_data_o, PORTS * DATA_W);
    out.get(pins.cfg_rdata_o, 16);
  }

  friend VerilatedSerialize &operator<<(VerilatedSerialize &os, SteppedTop &top)
  {
    os << top.board;
    os.write(&top.pins, sizeof top.pins);
    return os.write(top.written.data(), top.written.size());
  }
  friend VerilatedDeserialize &operator>>(VerilatedDeserialize &is, SteppedTop &top)
  {
    is >> top.board;
    is.read(&top.pins, sizeof top.pins);
    return is.read(top.written.data(), top.written.size());
  }
};

} // namespace

#endif
