// Signals at the ports of a module that `verilator --sc` made of hd_switch, and numbers there.
// SPDX-License-Identifier: Apache-2.0
#ifndef HD_SHIM_SYSTEMC_SIGNALS_H
#define HD_SHIM_SYSTEMC_SIGNALS_H

#include "Vhd_switch.h"
#include "../rtl/switch_pins.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <systemc>
#include <utility>

namespace
{

// A signal of the type that the port has, with the port bound to it.
template <typename Port> auto make_signal(Port &port)
{
  using value_t = typename Port::data_type;
  auto signal = std::make_unique<sc_core::sc_signal<value_t>>(sc_core::sc_gen_unique_name("wire"));
  port(*signal);
  return signal;
}
template <typename Port>
using signal_t = decltype(make_signal(std::declval<std::remove_reference_t<Port> &>()));

// Fields of SwitchPins are numbers, lowest byte first; what of one is wider than the other is 0.
template <typename Field, typename Value>
void put(sc_core::sc_signal<Value> &signal, const Field &field)
{
  Value value = {};
  std::memcpy(&value, &field, std::min(sizeof value, sizeof field));
  signal.write(value);
}
template <typename Field> void put(sc_core::sc_signal<bool> &signal, const Field &field)
{
  signal.write(*reinterpret_cast<const unsigned char *>(&field) & 1);
}
template <typename Field, int WIDTH>
void put(sc_core::sc_signal<sc_dt::sc_bv<WIDTH>> &signal, const Field &field)
{
  sc_dt::sc_bv<WIDTH> value;
  for (size_t i = 0; i * 4 < sizeof field && i * 32 < WIDTH; i++) {
    sc_dt::sc_digit word = 0;
    std::memcpy(&word, reinterpret_cast<const unsigned char *>(&field) + 4 * i,
                std::min(sizeof field - 4 * i, size_t{4}));
    value.set_word(static_cast<int>(i), word);
  }
  signal.write(value);
}

template <typename Field, typename Value>
void get(const sc_core::sc_signal<Value> &signal, Field &field)
{
  const Value value = signal.read();
  std::memset(&field, 0, sizeof field);
  std::memcpy(&field, &value, std::min(sizeof value, sizeof field));
}
template <typename Field, int WIDTH>
void get(const sc_core::sc_signal<sc_dt::sc_bv<WIDTH>> &signal, Field &field)
{
  std::memset(&field, 0, sizeof field);
  for (size_t i = 0; i * 4 < sizeof field && i * 32 < WIDTH; i++) {
    const sc_dt::sc_digit word = signal.read().get_word(static_cast<int>(i));
    std::memcpy(reinterpret_cast<unsigned char *>(&field) + 4 * i, &word,
                std::min(sizeof field - 4 * i, size_t{4}));
  }
}

// RTL without barrier messages need not have their pins; where they are, they must be bound.
template <typename Module>
auto bind_barrier(Module &module, int)
    -> decltype(std::make_pair(make_signal(module.out_barrier_credit_i),
                               make_signal(module.in_barrier_credit_o)))
{
  return {make_signal(module.out_barrier_credit_i), make_signal(module.in_barrier_credit_o)};
}
template <typename Module> std::nullptr_t bind_barrier(Module &, long)
{
  return nullptr;
}

// A signal at each port but the clock's. What the pins are called is what the signals are.
class SwitchSignals
{
  Vhd_switch &module;

public:
#define HD_SIGNAL(pin) signal_t<decltype(Vhd_switch::pin)> pin = make_signal(module.pin)
  HD_SIGNAL(rst);
  HD_SIGNAL(in_valid_i);
  HD_SIGNAL(in_kind_i);
  HD_SIGNAL(in_vc_i);
  HD_SIGNAL(in_data_i);
  HD_SIGNAL(in_credit_o);
  HD_SIGNAL(out_valid_o);
  HD_SIGNAL(out_kind_o);
  HD_SIGNAL(out_vc_o);
  HD_SIGNAL(out_data_o);
  HD_SIGNAL(out_credit_i);
  HD_SIGNAL(cfg_write_i);
  HD_SIGNAL(cfg_read_i);
  HD_SIGNAL(cfg_addr_i);
  HD_SIGNAL(cfg_wdata_i);
  HD_SIGNAL(cfg_rdata_o);
  HD_SIGNAL(quiescent_o);
#undef HD_SIGNAL
  decltype(bind_barrier(std::declval<Vhd_switch &>(), 0)) barrier = bind_barrier(module, 0);

  SwitchSignals(Vhd_switch &of) : module(of)
  {
  }

  void write(const SwitchPins &pins)
  {
    put(*rst, pins.rst);
    put(*in_valid_i, pins.in_valid_i);
    put(*in_kind_i, pins.in_kind_i);
    put(*in_vc_i, pins.in_vc_i);
    put(*in_data_i, pins.in_data_i);
    put(*out_credit_i, pins.out_credit_i);
    put(*cfg_write_i, pins.cfg_write_i);
    put(*cfg_read_i, pins.cfg_read_i);
    put(*cfg_addr_i, pins.cfg_addr_i);
    put(*cfg_wdata_i, pins.cfg_wdata_i);
#if HD_BARRIER
    put(*barrier.first, pins.out_barrier_credit_i);
#endif
  }
  void read(SwitchPins &pins) const
  {
    get(*in_credit_o, pins.in_credit_o);
    get(*out_valid_o, pins.out_valid_o);
    get(*out_kind_o, pins.out_kind_o);
    get(*out_vc_o, pins.out_vc_o);
    get(*out_data_o, pins.out_data_o);
    get(*cfg_rdata_o, pins.cfg_rdata_o);
    get(*quiescent_o, pins.quiescent_o);
#if HD_BARRIER
    get(*barrier.second, pins.in_barrier_credit_o);
#endif
  }
};

} // namespace

#endif
