// Plays a window of port events at the pins of one Verilated switch (specification §6.1).
// SPDX-License-Identifier: Apache-2.0
#ifndef HD_VERILATOR_WINDOW_H
#define HD_VERILATOR_WINDOW_H

#include "verilator_switch.h"

#include "../../job_cursor.h"

namespace
{

void clear_inputs(root_t *root)
{
  hd::vector_write<PORTS>(root->in_valid_i, {});
  hd::vector_write<CREDITS>(root->out_credit_i, {});
#if HD_BARRIER
  root->out_barrier_credit_i = 0;
#endif
#if HD_ADAPTIVE == 2
  hd::vector_write<COUNTS>(root->out_count_i, 0);
#endif
  root->cfg_write_i = 0;
  root->cfg_read_i = 0;
}

// Sets the inputs of `cycle` at the pins. False: the pins cannot carry an event.
inline bool apply_inputs(root_t *root, const hd_dut_job &job, hd_cursor &at, uint32_t cycle)
{
  valid_t valid{};
  bool legal = true;
  while (const hd_flit_event *const next = hd_cursor_flit(&at, &job, cycle)) {
    const hd_flit_event &e = *next;
    if (e.port >= PORTS || (e.vc >> VC_W) || (e.kind >> 3) || hd::take_bits<1>(valid, e.port)) {
      legal = false;
      continue;
    }
    hd::put_bits(valid, e.port, 1);
    hd::lane_write<3>(root->in_kind_i, e.port, e.kind);
    hd::lane_write<VC_W>(root->in_vc_i, e.port, e.vc);
    hd::lane_write<DATA_W>(root->in_data_i, e.port, e.data);
  }
  hd::vector_write<PORTS>(root->in_valid_i, valid);

  credits_t credits{};
  counts_t counts = 0;
  uint32_t barrier = 0;
  while (const hd_credit_event *const next = hd_cursor_credit(&at, &job, cycle)) {
    const hd_credit_event &e = *next;
    if (e.port >= PORTS || (e.vcs >> VCS) || (e.count >> HD_COUNT_BITS)) {
      legal = false;
      continue;
    }
    hd::put_bits(credits, e.port * VCS, e.vcs);
    if constexpr (HD_BARRIER != 0)
      barrier |= (e.barrier & 1u) << e.port;
    else
      legal &= !e.barrier;
    if constexpr (COUNTING)
      hd::put_bits(counts, e.port * HD_COUNT_BITS, e.count);
    else
      legal &= !e.count;
  }
  hd::vector_write<CREDITS>(root->out_credit_i, credits);
#if HD_BARRIER
  root->out_barrier_credit_i =
      static_cast<std::remove_reference_t<decltype(root->out_barrier_credit_i)>>(barrier);
#endif
#if HD_ADAPTIVE == 2
  hd::vector_write<COUNTS>(root->out_count_i, counts);
#endif

  root->cfg_write_i = 0;
  while (const hd_config_event *const next = hd_cursor_config(&at, &job, cycle)) {
    const hd_config_event &e = *next;
    if (root->cfg_write_i || (e.addr >> 20)) {
      legal = false;
      continue;
    }
    root->cfg_write_i = 1;
    root->cfg_addr_i = e.addr;
    root->cfg_wdata_i = e.data;
  }
  return legal;
}

// Adds the outputs that are visible in `cycle` to the job.
inline void collect_outputs(const root_t *root, hd_dut_job &job, uint32_t cycle)
{
  for (valid_t valid = hd::vector_read<PORTS>(root->out_valid_o); hd::some(valid);) {
    const unsigned port = hd::lowest_bit(valid);
    hd::take_bits<1>(valid, port);
    if (job.n_flits_out == job.cap_flits_out) {
      job.lost++;
      continue;
    }
    hd_flit_event &e = job.flits_out[job.n_flits_out++];
    e.data = hd::lane_read<DATA_W>(root->out_data_o, port);
    e.cycle = cycle;
    e.port = static_cast<uint8_t>(port);
    e.vc = static_cast<uint8_t>(hd::lane_read<VC_W>(root->out_vc_o, port));
    e.kind = static_cast<uint8_t>(hd::lane_read<3>(root->out_kind_o, port));
    e.zero = 0;
  }
#if HD_BARRIER
  uint32_t barrier = root->in_barrier_credit_o;
#else
  uint32_t barrier = 0;
#endif
#if HD_ADAPTIVE == 2
  counts_t counts = hd::vector_read<COUNTS>(root->in_count_o);
#else
  counts_t counts = 0;
#endif
  for (credits_t left = hd::vector_read<CREDITS>(root->in_credit_o);
       hd::some(left) || barrier || hd::some(counts);) {
    unsigned port = hd::some(left) ? hd::lowest_bit(left) / VCS : PORTS;
    if (HD_BARRIER && barrier && hd::lowest_bit(static_cast<uint64_t>(barrier)) < port)
      port = hd::lowest_bit(static_cast<uint64_t>(barrier));
    if (COUNTING && hd::some(counts) && hd::lowest_bit(counts) / HD_COUNT_BITS < port)
      port = hd::lowest_bit(counts) / HD_COUNT_BITS;
    const unsigned vcs = hd::take_bits<VCS>(left, port * VCS);
    uint8_t too = 0, count = 0;
    if constexpr (HD_BARRIER != 0)
      too = static_cast<uint8_t>(hd::take_bits<1>(barrier, port));
    if constexpr (COUNTING)
      count = static_cast<uint8_t>(hd::take_bits<HD_COUNT_BITS>(counts, port * HD_COUNT_BITS));
    if (job.n_credits_out == job.cap_credits_out) {
      job.lost++;
      continue;
    }
    hd_credit_event &e = job.credits_out[job.n_credits_out++];
    e.cycle = cycle;
    e.port = static_cast<uint8_t>(port);
    e.vcs = static_cast<uint8_t>(vcs);
    e.barrier = too;
    e.count = count;
  }
}

// Keeps events at the outputs outside of windows, where there must be none.
inline void keep_early(Switch &s)
{
  if (hd_post_reset_events_some(&s.early))
    return;
  hd_dut_job job = hd_post_reset_events_window(&s.early);
  collect_outputs(s.top->rootp, job, 0);
  hd_post_reset_events_keep(&s.early, &job);
}

int run_cycles(Switch &s, hd_dut_job &job, bool every_cycle, uint32_t &cycle, hd_error *err)
{
  root_t *const root = s.top->rootp;
  hd_cursor at = {};
  bool legal = true;
  job.n_flits_out = job.n_credits_out = job.n_toggles = job.lost = job.evaluated_cycles = 0;
  if (s.waves)
    every_cycle = true; // skipped cycles would be missing in the waves
  if (s.configured) {
    clear_inputs(root);
    s.clock();
    s.configured = false;
    keep_early(s);
  }
  if (hd_post_reset_events_some(&s.early))
    hd_post_reset_events_give(&s.early, &job);
  s.quiescent = root->quiescent_o != 0; // the RTL's own value, which reset() has not read
  job.quiescent = s.quiescent;
  for (; cycle < job.cycles; cycle++) {
    if (root->quiescent_o && !every_cycle &&
        (cycle = hd_cursor_next(&at, &job, job.cycles)) >= job.cycles)
      break;
    legal &= apply_inputs(root, job, at, cycle);
    if (s.waves)
      s.clock_traced(job.start + cycle);
    else
      s.clock();
    job.evaluated_cycles++;
    collect_outputs(root, job, cycle + 1);
    if (s.quiescent != (root->quiescent_o != 0)) {
      s.quiescent = root->quiescent_o != 0;
      if (job.n_toggles < job.cap_toggles)
        job.toggles[job.n_toggles++] = cycle + 1;
      else
        job.lost++;
    }
  }
  s.next_cycle = job.start + job.cycles;
  if (!legal)
    return hd_fail(err, HD_E_INPUT, "switch %u: an input event that no pins can carry", job.sw);
  if (!hd_cursor_done(&at, &job))
    return hd_fail(err, HD_E_INPUT, "switch %u: input events out of order or behind the window",
                   job.sw);
  return 0;
}

// Plays a window up to its end, or up to the first assertion that fails.
int run_window(Switch &s, hd_dut_job &job, bool every_cycle, hd_error *err)
{
  uint32_t cycle = 0;
  try {
    return run_cycles(s, job, every_cycle, cycle, err);
  } catch (const Stopped &stopped) {
    job.assertion.failed = true;
    job.assertion.cycle = cycle;
    std::snprintf(job.assertion.where, sizeof job.assertion.where, "%s", stopped.where.c_str());
    s.next_cycle = job.start + cycle + 1;
    return 0;
  }
}

} // namespace

#endif
