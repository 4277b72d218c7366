// Access to the pins of one Verilated switch (pinned.h), for verilator.cpp.
// SPDX-License-Identifier: Apache-2.0
#ifndef HD_VERILATOR_PINNED_H
#define HD_VERILATOR_PINNED_H

#include "pinned.h"
#include "verilator_window.h"

namespace
{

struct PinnedSwitch : hd_pinned {
  VerilatedContext context; // declared before the switch, so that it outlives it
  Switch s;
};

#define HD_PINNED_AT(name) pins[HD_PIN_##name] = &root.name, bytes[HD_PIN_##name] = sizeof root.name

inline void pin_all(root_t &root, void **pins, size_t *bytes)
{
  HD_PINNED_AT(rst);
  HD_PINNED_AT(in_valid_i);
  HD_PINNED_AT(in_kind_i);
  HD_PINNED_AT(in_vc_i);
  HD_PINNED_AT(in_data_i);
  HD_PINNED_AT(in_credit_o);
  HD_PINNED_AT(out_valid_o);
  HD_PINNED_AT(out_kind_o);
  HD_PINNED_AT(out_vc_o);
  HD_PINNED_AT(out_data_o);
  HD_PINNED_AT(out_credit_i);
#if HD_BARRIER
  HD_PINNED_AT(in_barrier_credit_o);
  HD_PINNED_AT(out_barrier_credit_i);
#endif
#if HD_ADAPTIVE == 2
  HD_PINNED_AT(in_count_o);
  HD_PINNED_AT(out_count_i);
#endif
  HD_PINNED_AT(cfg_write_i);
  HD_PINNED_AT(cfg_read_i);
  HD_PINNED_AT(cfg_addr_i);
  HD_PINNED_AT(cfg_wdata_i);
  HD_PINNED_AT(cfg_rdata_o);
  HD_PINNED_AT(quiescent_o);
}
#undef HD_PINNED_AT

int pinned_create(hd_pinned **out, uint32_t seed, hd_error *err)
{
  *out = nullptr;
  return guarded(err, [&] {
    auto pinned = std::make_unique<PinnedSwitch>();
    const char *name[] = {"hd_switch"};
    pinned->context.commandArgs(1, name); // without arguments $test$plusargs would be an error
    pinned->context.randReset(2);
    pinned->context.randSeed(static_cast<int>(seed & INT32_MAX));
    pinned->s.top = std::make_unique<top_t>(&pinned->context, "");
    root_t &root = *pinned->s.top->rootp;
    clear_inputs(&root);
    root.rst = 0;
    root.clk = 0;
    pinned->s.top->eval();
    root.clk = 1;
    pinned->s.top->eval();
    pin_all(root, pinned->pins, pinned->bytes);
    *out = pinned.release();
    return 0;
  });
}

int pinned_clock(hd_pinned *pinned, hd_error *err)
{
  return guarded(err, [&] {
    PinnedSwitch &p = static_cast<PinnedSwitch &>(*pinned);
    Verilated::threadContextp(&p.context);
    p.s.clock();
    return 0;
  });
}

void pinned_destroy(hd_pinned *pinned)
{
  if (!pinned)
    return;
  PinnedSwitch *const p = static_cast<PinnedSwitch *>(pinned);
  guarded(nullptr, [&] {
    Verilated::threadContextp(&p->context); // the context of another switch may be set, and gone
    p->s.top->final();
    return 0;
  });
  delete p;
}

const hd_pinned_ops k_pinned_ops = {HD_PINNED_ABI, pinned_create, pinned_clock, pinned_destroy};

} // namespace

extern "C" __attribute__((visibility("default"))) const hd_pinned_ops *hd_dut_pinned(void)
{
  return &k_pinned_ops;
}

#endif
