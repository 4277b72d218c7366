/* Access to the pins of a Verilated switch in every cycle, for the stress bench.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The DUT contract has events in windows, so it cannot compare every pin in every cycle. For this
 * purpose a shared object of the Verilator backend also exports hd_dut_pinned. This header is C and
 * C++.
 */
#ifndef HD_PINNED_H
#define HD_PINNED_H

#include "../../../cmodel/error.h"

#include <stddef.h>
#include <stdint.h>

/** X(name): the pins of hd_switch except its clock (§2.11, §8.9, §10.8). */
#define HD_PIN_LIST(X)    \
  X(rst)                  \
  X(in_valid_i)           \
  X(in_kind_i)            \
  X(in_vc_i)              \
  X(in_data_i)            \
  X(in_credit_o)          \
  X(in_barrier_credit_o)  \
  X(in_count_o)           \
  X(out_valid_o)          \
  X(out_kind_o)           \
  X(out_vc_o)             \
  X(out_data_o)           \
  X(out_credit_i)         \
  X(out_barrier_credit_i) \
  X(out_count_i)          \
  X(cfg_write_i)          \
  X(cfg_read_i)           \
  X(cfg_addr_i)           \
  X(cfg_wdata_i)          \
  X(cfg_rdata_o)          \
  X(quiescent_o)

enum hd_pin {
#define HD_PIN_ENUM(name) HD_PIN_##name,
  HD_PIN_LIST(HD_PIN_ENUM)
#undef HD_PIN_ENUM
      HD_PINS
};

/** One switch. pins[p] is the pin's value, lowest byte first, in bytes[p] bytes, as Verilator keeps
 *  it. NULL: the switch has no such pin. */
struct hd_pinned {
  void *pins[HD_PINS];
  size_t bytes[HD_PINS];
};

enum { HD_PINNED_ABI = 1 };

struct hd_pinned_ops {
  uint32_t abi;
  /** Creates a switch with rst = 0 and garbage in all registers, which depends on `seed`. The
   *  caller resets it. HD_E_NOMEM, HD_E_TOOL. */
  int (*create)(struct hd_pinned **pinned, uint32_t seed, struct hd_error *err);
  /** Gives a rising edge of the clock. The outputs are then those of the next cycle. HD_E_TOOL: the
   *  RTL called $stop or $finish, or an assertion of it failed. */
  int (*clock)(struct hd_pinned *pinned, struct hd_error *err);
  void (*destroy)(struct hd_pinned *pinned);
};

#ifdef __cplusplus
extern "C" {
#endif
typedef const struct hd_pinned_ops *hd_pinned_fn(void);
const struct hd_pinned_ops *hd_dut_pinned(void);
#ifdef __cplusplus
}
#endif

#endif
