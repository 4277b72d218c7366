// A switch as a SystemC module that Verilator has written, with signals at its ports and a clock.
// SPDX-License-Identifier: Apache-2.0
//
// Between calls the simulation stands in the middle of the clock's high half, because an edge at
// the end of a call to sc_start would be evaluated only in part.
#ifndef HD_SYSTEMC_SWITCH_H
#define HD_SYSTEMC_SWITCH_H

#include "systemc_signals.h"
#include "verilated_save.h"

namespace
{

class SystemcTop
{
  Vhd_switch module;
  sc_core::sc_clock clock;
  SwitchPins pins = {};
  SwitchSignals signals = {module};
  bool started = false;

  static sc_core::sc_time ns(unsigned n)
  {
    return sc_core::sc_time(n, sc_core::SC_NS);
  }

public:
  SwitchPins *const rootp = &pins;

  SystemcTop(VerilatedContext *context, const char *)
      : module((Verilated::threadContextp(context), sc_core::sc_module_name("hd_switch"))),
        clock("clock", ns(10), 0.5, ns(5), true)
  {
    module.clk(clock);
  }

  // Evaluates the combinational logic.
  void eval()
  {
    signals.write(pins);
    while (sc_core::sc_pending_activity_at_current_time())
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  void fall()
  {
    sc_core::sc_start(ns(4));
  }
  void rise()
  {
    sc_core::sc_start(ns(6));
    signals.read(pins);
  }
  // Clock edges rise at 5, 15, 25 … ns and fall at 10, 20 … ns. The simulation stops at 8, 18 … ns.
  void step()
  {
    signals.write(pins);
    sc_core::sc_start(ns(started ? 10 : 8));
    started = true;
    signals.read(pins);
  }
#if VM_TRACE
  void trace(VerilatedFstC *waves, int levels)
  {
    module.trace(waves, levels);
  }
#endif
  void final()
  {
    module.final();
  }

  friend VerilatedSerialize &operator<<(VerilatedSerialize &os, SystemcTop &top)
  {
    os << top.module;
    return os.write(&top.pins, sizeof top.pins);
  }
  // Signals get the restored inputs at the next step. Its clock edges make the module read all of
  // them.
  friend VerilatedDeserialize &operator>>(VerilatedDeserialize &is, SystemcTop &top)
  {
    is >> top.module;
    return is.read(&top.pins, sizeof top.pins);
  }
};

} // namespace

#endif
