// Parameters of the hd_switch for which this code is compiled, and its pins as numbers.
// SPDX-License-Identifier: Apache-2.0
#ifndef HD_SWITCH_PINS_H
#define HD_SWITCH_PINS_H

#ifndef _Static_assert
#define _Static_assert static_assert
#endif
#include "../../../cmodel/port_event.h"
#include "built_params.h"
#include "pins.h"

#include <array>
#include <cstdint>

namespace
{

constexpr unsigned PORTS = HD_PORTS;
constexpr unsigned VCS = HD_VCS;
constexpr unsigned DATA_W = HD_DATA_W;
constexpr unsigned VC_W = VCS <= 2 ? 1 : VCS <= 4 ? 2 : 3;
constexpr unsigned CREDITS = PORTS * VCS;
constexpr bool COUNTING = HD_ADAPTIVE == 2; // §10.8
constexpr unsigned COUNTS = COUNTING ? PORTS * HD_COUNT_BITS : 1;
using valid_t = hd::bits_t<PORTS>;
using credits_t = hd::bits_t<CREDITS>;
using counts_t = hd::bits_t<COUNTS>;

// Pins of a switch under the names that they have in Verilator's root of hd_switch. Used where the
// pins are not variables.
struct SwitchPins {
  uint32_t in_valid_i, out_barrier_credit_i, cfg_addr_i, cfg_wdata_i;
  uint64_t in_kind_i, in_vc_i, out_kind_o, out_vc_o;
  std::array<unsigned char, PORTS * DATA_W / 8> in_data_i, out_data_o;
  credits_t out_credit_i, in_credit_o;
  counts_t out_count_i, in_count_o;
  uint32_t out_valid_o, in_barrier_credit_o;
  uint16_t cfg_rdata_o;
  uint8_t clk, rst, cfg_write_i, cfg_read_i, quiescent_o;
};

} // namespace

#endif
