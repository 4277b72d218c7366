// Verilator behind the DUT contract (bridge/dut.h): pins in, pins out.
// SPDX-License-Identifier: Apache-2.0
//
// Compiled into one shared object with the Verilated hd_switch of one parameter set;
// the parameters come as HD_PORTS, HD_VCS, … on the command line.
//
// Between calls every switch rests behind a rising edge: clk is 1, registers and outputs
// are those of the coming cycle. A switch whose quiescent_o is 1 is not evaluated while
// no input is active (§2.10), unless the option "every-cycle" asks for it.
#define _Static_assert static_assert
#include "../dut.h"

#include "Vhd_switch.h"
#include "Vhd_switch___024root.h"
#include "pins.h"
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
#include "verilated_save.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

// What Vhd_switch::eval() comes down to after the first time, 4 % faster; called by its own name
// where this version of Verilator has it.
__attribute__((weak)) void Vhd_switch___024root___eval(Vhd_switch___024root *root);

namespace
{

constexpr unsigned PORTS = HD_PORTS;
constexpr unsigned VCS = HD_VCS;
constexpr unsigned DATA_W = HD_DATA_W;
constexpr unsigned VC_W = VCS <= 2 ? 1 : VCS <= 4 ? 2 : 3;
constexpr unsigned CREDITS = PORTS * VCS;
using credits_t = hd::bits_t<CREDITS>;
using root_t = Vhd_switch___024root;

// ── the clock ────────────────────────────────────────────────────────────────

// Verilator finds a rising edge by the clock's value at the evaluation before. Where the
// clock's edge is the only trigger of the whole model, setting that value back is the same
// as an evaluation of the falling edge, for nothing. Other versions and other RTL fall
// back to the evaluation.
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

struct Switch {
  std::unique_ptr<Vhd_switch> top;
  std::unique_ptr<VerilatedFstC> waves;
  bool quiescent = true;   // as told last; 1 after reset (§2.9)
  bool configured = false; // a cycle without input is due before the next window
  uint64_t next_cycle = 0; // of the next window

  void clock()
  {
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

  // The cycle's values with the clock high, then low.
  void clock_traced(uint64_t cycle)
  {
    top->eval(); // what combinational logic makes of the inputs
    waves->dump(2 * cycle);
    top->rootp->clk = 0;
    top->eval();
    waves->dump(2 * cycle + 1);
    top->rootp->clk = 1;
    top->eval();
  }
};

// ── snapshots: Verilator's own serialisation, into memory ────────────────────

struct Saver final : VerilatedSerialize {
  std::vector<unsigned char> bytes;
  void take(Vhd_switch &top)
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
  void give(Vhd_switch &top, const unsigned char *bytes, size_t length)
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

struct SnapshotHead {
  char magic[8];
  uint64_t image_bytes, next_cycle;
  uint8_t quiescent, configured, zero[6];
};
static_assert(sizeof(SnapshotHead) == 32, "snapshot head has no padding");

} // namespace

struct hd_dut {
  VerilatedContext context; // before the switches: it must outlive them
  std::vector<Switch> switches;
  bool every_cycle = false;
  Switch *traced = nullptr;
  size_t image_bytes = 0; // of a snapshot; the same for every switch
  Saver saver;
  Restorer restorer;
};

namespace
{

int fail(hd_error *err, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
int fail(hd_error *err, int status, const char *format, ...)
{
  if (err) {
    va_list args;
    va_start(args, format);
    std::vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
  }
  return status;
}

// No exception leaves this file; the RTL's $stop and $fatal come as runtime_error.
template <typename Body> int guarded(hd_error *err, Body body)
{
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return fail(err, HD_E_NOMEM, "out of memory in the Verilator backend");
  } catch (const std::exception &e) {
    return fail(err, HD_E_TOOL, "Verilator: %s", e.what());
  }
}

int parse_options(hd_dut &dut, const char *options, hd_error *err)
{
  for (const char *p = options; *p;) {
    const size_t n = std::strcspn(p, ",");
    const std::string option(p, n);
    if (option[0] == '+') {
      const char *arguments[] = {"hd_switch", option.c_str()};
      dut.context.commandArgsAdd(2, arguments);
    } else if (option == "every-cycle") {
      dut.every_cycle = true;
    } else {
      return fail(err, HD_E_INPUT,
                  "the Verilator backend has no option '%s'; it has: every-cycle (evaluate "
                  "quiescent switches, too) and +NAME=VALUE (for the RTL's $value$plusargs)",
                  option.c_str());
    }
    p += n + (p[n] == ',');
  }
  return 0;
}

void clear_inputs(root_t *root)
{
  root->in_valid_i = 0;
  hd::vector_write<CREDITS>(root->out_credit_i, 0);
  root->cfg_write_i = 0;
  root->cfg_read_i = 0;
}

int reset(hd_dut *dut, hd_error *err)
{
  return guarded(err, [&] {
    Verilated::threadContextp(&dut->context);
    for (Switch &s : dut->switches) {
      clear_inputs(s.top->rootp);
      s.top->rootp->rst = 1;
      s.clock();
      s.top->rootp->rst = 0;
      s.quiescent = true;
      s.configured = false;
      s.next_cycle = 0;
    }
    return 0;
  });
}

int create(hd_dut **out, const hd_switch_params *p, uint32_t count, const char *options,
           hd_error *err)
{
  *out = nullptr;
  if (p->ports != HD_PORTS || p->vcs != HD_VCS || p->data_bits != HD_DATA_W ||
      p->depth_flits != HD_DEPTH || p->nodes != HD_NODES || p->route_cycles != HD_ROUTE_CYCLES ||
      p->arb_cycles != HD_ARB_CYCLES || p->buffer_cycles != HD_BUFFER_CYCLES ||
      p->cut_flits != HD_CUT_FLITS || p->source_table != HD_SOURCE_TABLE)
    return fail(err, HD_E_INPUT,
                "this shared object was built for other switch parameters; open it by the name "
                "verilator, which builds what is needed");
  return guarded(err, [&] {
    auto dut = std::make_unique<hd_dut>();
    int status = parse_options(*dut, options ? options : "", err);
    if (status)
      return status;
    // Registers start with garbage, the same in every run, so that one that reset forgets
    // shows; waves may be opened at any later time.
    dut->context.randReset(2);
    dut->context.randSeed(1);
    dut->context.traceEverOn(VM_TRACE);
    dut->switches.resize(count);
    for (Switch &s : dut->switches) {
      s.top = std::make_unique<Vhd_switch>(&dut->context, "");
      clear_inputs(s.top->rootp);
      s.top->rootp->rst = 1;
      s.top->rootp->clk = 0;
      s.top->eval();
      s.top->rootp->clk = 1;
      s.top->eval();
    }
    status = reset(dut.get(), err);
    if (!status && count) {
      dut->saver.take(*dut->switches[0].top);
      dut->image_bytes = dut->saver.bytes.size();
    }
    if (!status)
      *out = dut.release();
    return status;
  });
}

int trace_close(hd_dut *dut, hd_error *err)
{
  return guarded(err, [&] {
    if (dut->traced) {
      Switch &s = *dut->traced;
      dut->traced = nullptr;
      const std::unique_ptr<VerilatedFstC> waves = std::move(s.waves);
      s.top->eval();
      waves->dump(2 * s.next_cycle); // what the last edge made visible
      waves->close();
    }
    return 0;
  });
}

void destroy(hd_dut *dut)
{
  if (!dut)
    return;
  trace_close(dut, nullptr);
  guarded(nullptr, [&] {
    for (Switch &s : dut->switches)
      if (s.top)
        s.top->final();
    return 0;
  });
  delete dut;
}

// ── configuration outside of windows ─────────────────────────────────────────

int config_write(hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data, hd_error *err)
{
  Switch &s = dut->switches[sw];
  if (!s.quiescent)
    return fail(err, HD_E_INPUT,
                "switch %u is busy: give it configuration writes as events of a window", sw);
  return guarded(err, [&] {
    root_t *const root = s.top->rootp;
    root->cfg_write_i = 1;
    root->cfg_addr_i = addr & 0xfffff;
    root->cfg_wdata_i = data;
    s.clock();
    root->cfg_write_i = 0;
    s.configured = true;
    return 0;
  });
}

int config_read(hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data, hd_error *err)
{
  return guarded(err, [&] {
    // A read takes a cycle; the switch goes back to where it was.
    Switch &s = dut->switches[sw];
    root_t *const root = s.top->rootp;
    dut->saver.take(*s.top);
    root->cfg_read_i = 1;
    root->cfg_addr_i = addr & 0xfffff;
    s.clock();
    *data = root->cfg_rdata_o;
    dut->restorer.give(*s.top, dut->saver.bytes.data(), dut->saver.bytes.size());
    return 0;
  });
}

// ── windows ──────────────────────────────────────────────────────────────────

struct Cursor {
  uint32_t flit = 0, credit = 0, config = 0;
};

uint32_t next_input(const hd_dut_job &job, const Cursor &at)
{
  uint32_t next = job.cycles;
  if (at.flit < job.n_flits_in && job.flits_in[at.flit].cycle < next)
    next = job.flits_in[at.flit].cycle;
  if (at.credit < job.n_credits_in && job.credits_in[at.credit].cycle < next)
    next = job.credits_in[at.credit].cycle;
  if (at.config < job.n_configs_in && job.configs_in[at.config].cycle < next)
    next = job.configs_in[at.config].cycle;
  return next;
}

// Puts what is at the pins in `cycle` there. False: no legal pins.
inline bool apply_inputs(root_t *root, const hd_dut_job &job, Cursor &at, uint32_t cycle)
{
  uint32_t valid = 0;
  bool legal = true;
  for (; at.flit < job.n_flits_in && job.flits_in[at.flit].cycle == cycle; at.flit++) {
    const hd_flit_event &e = job.flits_in[at.flit];
    if (e.port >= PORTS || (e.vc >> VC_W) || (e.kind >> 3) || (valid >> e.port & 1)) {
      legal = false;
      continue;
    }
    valid |= 1u << e.port;
    hd::lane_write<3>(root->in_kind_i, e.port, e.kind);
    hd::lane_write<VC_W>(root->in_vc_i, e.port, e.vc);
    hd::lane_write<DATA_W>(root->in_data_i, e.port, e.data);
  }
  root->in_valid_i = static_cast<std::remove_reference_t<decltype(root->in_valid_i)>>(valid);

  credits_t credits = 0;
  for (; at.credit < job.n_credits_in && job.credits_in[at.credit].cycle == cycle; at.credit++) {
    const hd_credit_event &e = job.credits_in[at.credit];
    if (e.port >= PORTS || (e.vcs >> VCS)) {
      legal = false;
      continue;
    }
    credits |= static_cast<credits_t>(e.vcs) << (e.port * VCS);
  }
  hd::vector_write<CREDITS>(root->out_credit_i, credits);

  root->cfg_write_i = 0;
  for (; at.config < job.n_configs_in && job.configs_in[at.config].cycle == cycle; at.config++) {
    const hd_config_event &e = job.configs_in[at.config];
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

// Output events visible in `cycle`.
inline void collect_outputs(const root_t *root, hd_dut_job &job, uint32_t cycle)
{
  for (uint32_t valid = root->out_valid_o; valid; valid &= valid - 1) {
    const unsigned port = hd::lowest_bit(static_cast<uint64_t>(valid));
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
  constexpr credits_t port_mask = (1u << VCS) - 1;
  for (credits_t left = hd::vector_read<CREDITS>(root->in_credit_o); left;) {
    const unsigned port = hd::lowest_bit(left) / VCS;
    const credits_t vcs = left >> (port * VCS) & port_mask;
    left &= ~(port_mask << (port * VCS));
    if (job.n_credits_out == job.cap_credits_out) {
      job.lost++;
      continue;
    }
    hd_credit_event &e = job.credits_out[job.n_credits_out++];
    e.cycle = cycle;
    e.port = static_cast<uint8_t>(port);
    e.vcs = static_cast<uint8_t>(vcs);
    e.zero = 0;
  }
}

int run_window(Switch &s, hd_dut_job &job, bool every_cycle, hd_error *err)
{
  root_t *const root = s.top->rootp;
  Cursor at;
  bool legal = true;
  job.n_flits_out = job.n_credits_out = job.n_toggles = job.lost = job.evaluated_cycles = 0;
  if (s.waves)
    every_cycle = true; // a clock that stands still makes odd waves
  if (s.configured) {
    clear_inputs(root);
    s.clock();
    s.configured = false;
  }
  s.quiescent = root->quiescent_o != 0; // as it is, not as reset should have left it
  for (uint32_t cycle = 0; cycle < job.cycles; cycle++) {
    if (root->quiescent_o && !every_cycle && (cycle = next_input(job, at)) >= job.cycles)
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
    return fail(err, HD_E_INPUT, "switch %u: an input event that no pins can carry", job.sw);
  if (at.flit < job.n_flits_in || at.credit < job.n_credits_in || at.config < job.n_configs_in)
    return fail(err, HD_E_INPUT, "switch %u: input events out of order or behind the window",
                job.sw);
  return 0;
}

int run(hd_dut *dut, hd_dut_job *jobs, size_t n_jobs, hd_error *err)
{
  return guarded(err, [&] {
    Verilated::threadContextp(&dut->context);
    for (size_t i = 0; i < n_jobs; i++) {
      const int status = run_window(dut->switches[jobs[i].sw], jobs[i], dut->every_cycle, err);
      if (status)
        return status;
    }
    return 0;
  });
}

// ── snapshots and waves ──────────────────────────────────────────────────────

int snapshot_save(hd_dut *dut, uint32_t sw, hd_dut_buffer *buffer, hd_error *err)
{
  return guarded(err, [&] {
    Switch &s = dut->switches[sw];
    dut->saver.take(*s.top);
    const SnapshotHead head = {{'h', 'd', '_', 'v', 'l', 't', '0', '1'},
                               dut->saver.bytes.size(),
                               s.next_cycle,
                               s.quiescent,
                               s.configured,
                               {}};
    const size_t need = buffer->length + sizeof head + dut->saver.bytes.size();
    if (need > buffer->capacity) {
      void *const grown = std::realloc(buffer->bytes, need);
      if (!grown)
        throw std::bad_alloc();
      buffer->bytes = static_cast<unsigned char *>(grown);
      buffer->capacity = need;
    }
    std::memcpy(buffer->bytes + buffer->length, &head, sizeof head);
    std::memcpy(buffer->bytes + buffer->length + sizeof head, dut->saver.bytes.data(),
                dut->saver.bytes.size());
    buffer->length = need;
    return 0;
  });
}

int snapshot_restore(hd_dut *dut, uint32_t sw, const hd_dut_buffer *buffer, hd_error *err)
{
  return guarded(err, [&] {
    Switch &s = dut->switches[sw];
    SnapshotHead head = {};
    if (buffer->length >= sizeof head)
      std::memcpy(&head, buffer->bytes, sizeof head);
    if (std::memcmp(head.magic, "hd_vlt01", 8) || head.image_bytes != dut->image_bytes ||
        buffer->length != sizeof head + head.image_bytes)
      return fail(err, HD_E_INPUT, "switch %u: this is no snapshot of this backend", sw);
    dut->restorer.give(*s.top, buffer->bytes + sizeof head, head.image_bytes);
    s.quiescent = head.quiescent;
    s.configured = head.configured;
    s.next_cycle = head.next_cycle;
    return 0;
  });
}

#if VM_TRACE
int trace_open(hd_dut *dut, uint32_t sw, const char *path, hd_error *err)
{
  if (dut->traced)
    return fail(err, HD_E_INPUT, "waves are being written already");
  return guarded(err, [&] {
    Switch &s = dut->switches[sw];
    auto waves = std::make_unique<VerilatedFstC>();
    s.top->trace(waves.get(), 99);
    waves->open(path);
    if (!waves->isOpen())
      return fail(err, HD_E_IO, "cannot write waves to %s", path);
    s.waves = std::move(waves);
    dut->traced = &s;
    return 0;
  });
}
#endif

const hd_dut_ops k_ops = {
    HD_DUT_ABI,
    "verilator",
    VERILATOR_PRODUCT " " VERILATOR_VERSION ", g++ " __VERSION__,
#if VM_TRACE
    HD_DUT_QUIESCENT | HD_DUT_SNAPSHOT | HD_DUT_WAVES,
#else
    HD_DUT_QUIESCENT | HD_DUT_SNAPSHOT,
#endif
    create,
    destroy,
    reset,
    config_write,
    config_read,
    run,
    snapshot_save,
    snapshot_restore,
#if VM_TRACE
    trace_open,
    trace_close,
#else
    nullptr,
    nullptr,
#endif
};

} // namespace

// What Verilator's runtime calls instead of ending the process (VL_USER_STOP, VL_USER_FATAL).
void vl_stop(const char *file, int line, const char *) VL_MT_UNSAFE
{
  throw std::runtime_error("the RTL called $stop at " + std::string(file) + ":" +
                           std::to_string(line));
}
void vl_fatal(const char *file, int line, const char *, const char *message) VL_MT_UNSAFE
{
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + message);
}

extern "C" __attribute__((visibility("default"))) const hd_dut_ops *hd_dut_backend(void)
{
  return &k_ops;
}
