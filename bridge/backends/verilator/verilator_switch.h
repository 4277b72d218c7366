// One Verilated switch: gives it clocks, saves and restores its state.
// SPDX-License-Identifier: Apache-2.0
#ifndef HD_VERILATOR_SWITCH_H
#define HD_VERILATOR_SWITCH_H

#define _Static_assert static_assert
#include "../../post_reset_events.h"

#include "Vhd_switch.h"
#include "Vhd_switch___024root.h"
#include "../rtl/switch_pins.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#else
struct VerilatedFstC { // a quick build has no waves
  void dump(uint64_t)
  {
  }
  void close()
  {
  }
};
#endif
#if VM_COVERAGE
#include "Vhd_switch__Syms.h"
#include "verilated_cov.h"
#else
#include "verilated_save.h"
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

// Declared here because newer versions of Verilator do not have it.
template <std::size_t> class VlTriggerVec;

// The function that Vhd_switch::eval() calls after the first time. To call it directly is 4 %
// faster. Some versions of Verilator do not have it.
__attribute__((weak)) void Vhd_switch___024root___eval(Vhd_switch___024root *root);

#if HD_FORM == 2 // hd_verilator_form: the RTL as a module of SystemC
#include "../systemc/systemc_switch.h"
#endif

namespace
{

#if HD_FORM == 2
using top_t = SystemcTop;
using root_t = SwitchPins;
#else
using top_t = Vhd_switch;
using root_t = Vhd_switch___024root;
#endif

// ── clock ────────────────────────────────────────────────────────────────────

// Sets the clock's last evaluated value to 0, so that the next evaluation finds a rising edge. If
// the clock is the only trigger of the model, this replaces the evaluation of the falling edge.
// Returns false if it cannot: other versions of Verilator and other RTL need the evaluation.
template <typename Root>
auto rewind_clock(Root *root, int)
    -> decltype(static_cast<void>(root->__Vtrigrprev__TOP__clk),
                std::enable_if_t<std::is_same_v<decltype(root->__VactTriggered), VlTriggerVec<1>>,
                                 bool>())
{
  root->__Vtrigrprev__TOP__clk = 0;
  return true;
}
template <typename Root> bool rewind_clock(Root *, long)
{
  return false;
}

// Thrown when the RTL calls $stop, $error or $fatal, or when an assertion of it fails.
struct Stopped final : std::runtime_error {
  std::string where; // file:line, and the message
  explicit Stopped(const std::string &place)
      : std::runtime_error("the RTL called $stop, or an assertion of it failed, at " + place),
        where(place)
  {
  }
};

#if HD_FORM == 2
// Keeps the message of a failure until SystemC's kernel has returned, since no exception may cross
// the kernel.
std::string stopped_at;

void throw_stopped()
{
  if (!stopped_at.empty())
    throw Stopped(std::exchange(stopped_at, {}));
}
#endif

struct Switch {
  std::unique_ptr<top_t> top;
  std::unique_ptr<VerilatedFstC> waves;
  bool quiescent = true;   // quiescent_o that was reported last; 1 after reset (§2.9)
  bool configured = false; // needs an idle cycle before the next window
  bool as_saved = false;   // not clocked since its state was saved to read a register
  bool filled = false;     // the last reset had inputs at every pin
  uint64_t next_cycle = 0; // first cycle of the next window
  hd_post_reset_events early = {};

#if HD_FORM == 2
  void clock()
  {
    as_saved = false;
    top->step();
    throw_stopped();
  }
  void clock_traced(uint64_t cycle)
  {
    as_saved = false;
    top->eval();
    waves->dump(2 * cycle);
    top->fall();
    waves->dump(2 * cycle + 1);
    top->rise();
    throw_stopped();
  }
#else
  void clock()
  {
    as_saved = false;
    root_t *const root = top->rootp;
    const bool rewound = rewind_clock(root, 0);
    if (!rewound) {
      root->clk = 0;
      top->eval();
      root->clk = 1;
    }
    if (Vhd_switch___024root___eval && rewound)
      Vhd_switch___024root___eval(root);
    else
      top->eval();
  }

  // Writes the cycle's values to the waves with the clock high, then low.
  void clock_traced(uint64_t cycle)
  {
    as_saved = false;
    top->eval(); // combinational logic, with the new inputs
    waves->dump(2 * cycle);
    top->rootp->clk = 0;
    top->eval();
    waves->dump(2 * cycle + 1);
    top->rootp->clk = 1;
    top->eval();
  }
#endif
};

#if VM_COVERAGE
// ── coverage counts, and snapshots without them ──────────────────────────────

Vhd_switch__Syms &symbols(const top_t &top)
{
  return *top.rootp->vlSymsp;
}

std::vector<uint32_t> counts_of(const top_t &top)
{
  return {std::begin(symbols(top).__Vcoverage), std::end(symbols(top).__Vcoverage)};
}

void set_coverage(const top_t &top, const std::vector<uint32_t> &counts)
{
  std::copy(counts.begin(), counts.end(), symbols(top).__Vcoverage);
}

// Saves and restores a model that counts coverage, which Verilator itself cannot. With --flatten
// the model is one object, and it owns no memory except its name (hd_images, verilated_make.c). So
// its bytes are its state.
struct Saver final {
  std::vector<unsigned char> bytes;
  void take(top_t &top)
  {
    const auto *const first = reinterpret_cast<const unsigned char *>(top.rootp);
    bytes.assign(first, first + sizeof *top.rootp);
  }
};

struct Restorer final {
  void give(top_t &top, const unsigned char *bytes, size_t length)
  {
    // The snapshot may be another switch's, so the pointers to name and symbols must stay the
    // switch's own.
    static_assert(sizeof(VerilatedModule) == sizeof(const char *), "a module has a name alone");
    unsigned char *const to = reinterpret_cast<unsigned char *>(top.rootp);
    const char *const name = top.rootp->name();
    Vhd_switch__Syms *const s = &symbols(top);
    const size_t name_at =
        reinterpret_cast<unsigned char *>(static_cast<VerilatedModule *>(top.rootp)) - to;
    const size_t s_at = reinterpret_cast<const unsigned char *>(&top.rootp->vlSymsp) - to;
    std::memcpy(to, bytes, length);
    std::memcpy(to + name_at, &name, sizeof name);
    std::memcpy(to + s_at, &s, sizeof s);
  }
};
#else
// ── snapshots by Verilator's serialisation ───────────────────────────────────

struct Saver final : VerilatedSerialize {
  std::vector<unsigned char> bytes;
  void take(top_t &top)
  {
    bytes.clear();
    m_isOpen = true;
    *this << top;
    flush();
  }
  void flush() override
  {
    bytes.insert(bytes.end(), m_bufp, m_cp);
    m_cp = m_bufp;
  }
};

struct Restorer final : VerilatedDeserialize {
  const unsigned char *from = nullptr, *end = nullptr;
  void give(top_t &top, const unsigned char *bytes, size_t length)
  {
    from = bytes;
    end = bytes + length;
    m_cp = m_endp = m_bufp;
    m_isOpen = true;
    *this >> top;
  }
  void fill() override
  {
    if (from == end)
      return;
    const size_t rest = static_cast<size_t>(m_endp - m_cp);
    std::memmove(m_bufp, m_cp, rest);
    const size_t room = bufferSize() - rest, left = static_cast<size_t>(end - from);
    const size_t n = left < room ? left : room;
    std::memcpy(m_bufp + rest, from, n);
    from += n;
    m_cp = m_bufp;
    m_endp = m_bufp + rest + n;
  }
};
#endif

} // namespace

#endif
