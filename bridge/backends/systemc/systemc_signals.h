// Signals at the ports of the SystemC module of hd_switch, read and written as numbers.
// SPDX-License-Identifier: Apache-2.0
#ifndef HD_SYSTEMC_SIGNALS_H
#define HD_SYSTEMC_SIGNALS_H

#include "Vhd_switch.h"
#include "../rtl/switch_pins.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <systemc>
#include <utility>

namespace
{

// Makes a signal of the port's type and binds the port to it.
template <typename Port> auto make_signal(Port &port)
{
  using value_t = typename Port::data_type;
  auto signal = std::make_unique<sc_core::sc_signal<value_t>>(sc_core::sc_gen_unique_name("wire"));
  port(*signal);
  return signal;
}
template <typename Port>
using signal_t = decltype(make_signal(std::declval<std::remove_reference_t<Port> &>()));

// put writes a field of SwitchPins to a signal, get reads it. A field is a number, lowest byte
// first. If field and signal differ in width, the extra bits are 0.
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

// Binds the pins of barrier messages if the RTL has them. RTL without barrier messages may lack
// them.
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

// Binds the pins of counts (§10.8) if the RTL has them.
template <typename Module>
auto bind_count(Module &module, int)
    -> decltype(std::make_pair(make_signal(module.out_count_i), make_signal(module.in_count_o)))
{
  return {make_signal(module.out_count_i), make_signal(module.in_count_o)};
}
template <typename Module> std::nullptr_t bind_count(Module &, long)
{
  return nullptr;
}

// All pins of the switch but the clock and the pins of barrier messages and counts.
#define HD_INPUTS(X) \
  X(rst)             \
  X(in_valid_i)      \
  X(in_kind_i)       \
  X(in_vc_i)         \
  X(in_data_i)       \
  X(out_credit_i)    \
  X(cfg_write_i)     \
  X(cfg_read_i)      \
  X(cfg_addr_i)      \
  X(cfg_wdata_i)
#define HD_OUTPUTS(X) \
  X(in_credit_o)      \
  X(out_valid_o)      \
  X(out_kind_o)       \
  X(out_vc_o)         \
  X(out_data_o)       \
  X(cfg_rdata_o)      \
  X(quiescent_o)

// One signal for each of these ports. A signal has the name of its pin.
class SwitchSignals
{
  Vhd_switch &module;

public:
#define HD_SIGNAL(pin) signal_t<decltype(Vhd_switch::pin)> pin = make_signal(module.pin);
  HD_INPUTS(HD_SIGNAL)
  HD_OUTPUTS(HD_SIGNAL)
#undef HD_SIGNAL
  decltype(bind_barrier(std::declval<Vhd_switch &>(), 0)) barrier = bind_barrier(module, 0);
  decltype(bind_count(std::declval<Vhd_switch &>(), 0)) count = bind_count(module, 0);

  SwitchSignals(Vhd_switch &of) : module(of)
  {
  }

  void write(const SwitchPins &pins)
  {
#define HD_PUT(pin) put(*pin, pins.pin);
    HD_INPUTS(HD_PUT)
#undef HD_PUT
#if HD_BARRIER
    put(*barrier.first, pins.out_barrier_credit_i);
#endif
#if HD_ADAPTIVE == 2
    put(*count.first, pins.out_count_i);
#endif
  }
  void read(SwitchPins &pins) const
  {
#define HD_GET(pin) get(*pin, pins.pin);
    HD_OUTPUTS(HD_GET)
#undef HD_GET
#if HD_BARRIER
    get(*barrier.second, pins.in_barrier_credit_o);
#endif
#if HD_ADAPTIVE == 2
    get(*count.second, pins.in_count_o);
#endif
  }
};

} // namespace

#endif
