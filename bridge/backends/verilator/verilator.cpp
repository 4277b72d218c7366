// Implements the DUT contract (bridge/dut.h) with Verilated switches.
// SPDX-License-Identifier: Apache-2.0
//
// Compiled into one shared object with the Verilated hd_switch of one parameter set. The compiler's
// command line defines the parameters as HD_PORTS, HD_VCS, …
//
// Between calls every switch stands after a rising edge: clk is 1, and registers and outputs are
// those of the next cycle. A switch whose quiescent_o is 1 is not evaluated while no input is
// active (§2.10), unless the option "every-cycle" is given.
#include "../../../cmodel/grow.h"
#include "../rtl/dut_options.h"
#include "../rtl/rtl_log.h"
#include "verilator_switch.h"
#include "verilator_window.h"

#include "../../dut_extension.h" // after verilator_switch.h, which defines _Static_assert for C++

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace
{

struct SnapshotHead {
  char magic[8];
  uint64_t image_bytes, next_cycle;
  uint8_t quiescent, configured, early_flits, early_credits, zero[4];
};
static_assert(sizeof(SnapshotHead) == 32, "snapshot head has no padding");

// A snapshot is its head, the image of the switch and these two arrays. They have room for an event
// at each port, so that all snapshots have the same length.
using EarlyFlits = hd_flit_event[PORTS];
using EarlyCredits = hd_credit_event[PORTS];

size_t snapshot_bytes(const SnapshotHead &head)
{
  return sizeof head + head.image_bytes + sizeof(EarlyFlits) + sizeof(EarlyCredits);
}

} // namespace

struct hd_dut {
  VerilatedContext context; // declared before the switches, so that it outlives them
  std::vector<Switch> switches;
  bool every_cycle = false;
  Switch *traced = nullptr;
  size_t image_bytes = 0; // size of a switch's image in a snapshot
  Saver saver;
  Restorer restorer;
  Switch *saved = nullptr; // switch whose state is in `saver`, if it is still `as_saved`
};

namespace
{

// Runs `body` so that no exception leaves this file. The RTL's $finish, $stop and $fatal arrive as
// runtime_error.
template <typename Body> int guarded(hd_error *err, Body body)
{
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return hd_fail(err, HD_E_NOMEM, "out of memory in the Verilator backend");
  } catch (const std::exception &e) {
    return hd_fail(err, HD_E_TOOL, "Verilator: %s", e.what());
  }
}

void apply_options(hd_dut &dut, const char *options)
{
  const char *name[] = {"hd_switch"};
  dut.context.commandArgs(1, name); // without arguments $test$plusargs would be an error
  for (const char *p = options; *p;) {
    const size_t n = std::strcspn(p, ",");
    const std::string option(p, n);
    if (option[0] == '+') {
      const char *arguments[] = {"hd_switch", option.c_str()};
      dut.context.commandArgsAdd(2, arguments);
    } else {
      dut.every_cycle = true;
    }
    p += n + (p[n] == ',');
  }
}

// Sets a flit and all credits at every port.
void fill_inputs(root_t *root)
{
  credits_t credits{};
  for (unsigned port = 0; port < PORTS; port++) {
    hd::lane_write<1>(root->in_valid_i, port, 1);
    hd::put_bits(credits, port * VCS, (1u << VCS) - 1);
  }
  hd::vector_write<CREDITS>(root->out_credit_i, credits);
#if HD_BARRIER
  for (unsigned port = 0; port < PORTS; port++)
    hd::lane_write<1>(root->out_barrier_credit_i, port, 1);
#endif
#if HD_ADAPTIVE == 2
  hd::vector_write<COUNTS>(root->out_count_i, ~counts_t{0} >> (8 * sizeof(counts_t) - COUNTS));
#endif
}

int reset(hd_dut *dut, hd_error *err)
{
  return guarded(err, [&] {
    Verilated::threadContextp(&dut->context);
    for (Switch &s : dut->switches) {
#if VM_COVERAGE
      const auto counts = counts_of(*s.top);
#endif
      // Reset wins over all inputs and needs none (§2.9). So some switches have inputs at every pin
      // now.
      clear_inputs(s.top->rootp);
      if (s.next_cycle)
        s.filled = !s.filled;
      if (s.filled)
        fill_inputs(s.top->rootp);
      s.top->rootp->rst = 1;
      s.clock();
      clear_inputs(s.top->rootp);
#if VM_COVERAGE
      // Reset counts for coverage. The pins of this cycle do not, because no run exercises them.
      s.clock();
      set_coverage(*s.top, counts);
      s.top->rootp->clk = 0; // a real edge of clk, which rewind_clock() does not show
      s.top->eval();
      s.top->rootp->clk = 1;
      s.top->eval();
#endif
      s.top->rootp->rst = 0;
#if !VM_COVERAGE
      s.top->eval();
#endif
      s.quiescent = true;
      s.configured = false;
      s.next_cycle = 0;
      keep_early(s);
    }
    return 0;
  });
}

int create(hd_dut **out, const hd_switch_params *p, uint32_t count, const char *options,
           hd_error *err)
{
  *out = nullptr;
  if (!hd_built_for(p))
    return hd_fail(err, HD_E_INPUT,
                   "this shared object was built for other switch parameters; open it by the name "
                   "verilator, which builds what is needed");
  if (!options)
    options = "";
  if (int wrong = hd_options_check("Verilator", HD_OPTIONS_VERILATED, options, err))
    return wrong;
  return guarded(err, [&] {
    auto dut = std::make_unique<hd_dut>();
    apply_options(*dut, options);
    // Registers start with garbage, so that a register that reset forgets shows. It is the same in
    // every run. Waves may be opened at any later time.
    dut->context.randReset(hd_options_have(options, HD_OPTION_ZEROS) ? 0 : 2);
    dut->context.randSeed(1);
    dut->context.traceEverOn(VM_TRACE);
#if HD_FORM == 2
    dut->context.threads(1); // other threads would not exist after a fork
#endif
    dut->switches.resize(count);
    for (uint32_t i = 0; i < count; i++) {
#if VM_COVERAGE
      // Names of coverage points take megabytes, so only those of switch 0, which is made last, are
      // kept.
      Switch &s = dut->switches[count - 1 - i];
      dut->context.coveragep()->clear();
#else
      Switch &s = dut->switches[i];
#endif
      s.top = std::make_unique<top_t>(&dut->context, "");
      s.filled = (&s - dut->switches.data()) % 2 == 0;
      clear_inputs(s.top->rootp);
      s.top->rootp->rst = 1;
#if HD_FORM == 2
      s.clock();
#else
      s.top->rootp->clk = 0;
      s.top->eval();
      s.top->rootp->clk = 1;
      s.top->eval();
#endif
#if VM_COVERAGE
      // Sets all counts to 0, because the garbage's change at reset is not part of a run. Then
      // repeats the code that runs only once, so that it counts: initial blocks, and constant parts
      // of other blocks.
      set_coverage(*s.top, std::vector<uint32_t>(counts_of(*s.top).size()));
      symbols(*s.top).__Vm_didInit = false;
      s.top->eval();
#endif
    }
    int status = reset(dut.get(), err);
    if (!status && count) {
      dut->saver.take(*dut->switches[0].top);
      dut->image_bytes = dut->saver.bytes.size();
    }
    if (!status)
      *out = dut.release();
    return status;
  });
}

int verilated_trace_close(hd_dut *dut, hd_error *err)
{
  return guarded(err, [&] {
    if (dut->traced) {
      Switch &s = *dut->traced;
      dut->traced = nullptr;
      const std::unique_ptr<VerilatedFstC> waves = std::move(s.waves);
      s.top->eval();
      waves->dump(2 * s.next_cycle); // values after the last edge
      waves->close();
    }
    return 0;
  });
}

void destroy(hd_dut *dut)
{
  if (!dut)
    return;
  verilated_trace_close(dut, nullptr);
  guarded(nullptr, [&] {
    Verilated::threadContextp(&dut->context); // the context of another DUT may be set, and gone
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
    return hd_fail(err, HD_E_INPUT,
                   "switch %u is busy: give it configuration writes as events of a window", sw);
  return guarded(err, [&] {
    root_t *const root = s.top->rootp;
    root->cfg_write_i = 1;
    root->cfg_addr_i = addr & 0xfffff;
    root->cfg_wdata_i = data;
    s.clock();
    root->cfg_write_i = 0;
    s.configured = true;
    keep_early(s);
    return 0;
  });
}

int config_read(hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data, hd_error *err)
{
  return guarded(err, [&] {
    // A read takes a cycle, so the state from before is restored afterwards. Reads mostly follow
    // each other, so the saved state is used again.
    Switch &s = dut->switches[sw];
    root_t *const root = s.top->rootp;
    if (dut->saved != &s || !s.as_saved)
      dut->saver.take(*s.top);
    // Otherwise flits and credits of the last cycle would come once more, and assertions would see
    // them.
    clear_inputs(root);
    root->cfg_read_i = 1;
    root->cfg_addr_i = addr & 0xfffff;
    s.clock();
    *data = root->cfg_rdata_o;
    dut->restorer.give(*s.top, dut->saver.bytes.data(), dut->saver.bytes.size());
    dut->saved = &s;
    s.as_saved = true;
    return 0;
  });
}

// ── windows, snapshots and waves ─────────────────────────────────────────────

int run(hd_dut *dut, hd_dut_job *jobs, size_t n_jobs, hd_error *err)
{
  return guarded(err, [&] {
    Verilated::threadContextp(&dut->context);
    for (size_t i = 0; i < n_jobs; i++) {
      const int status = run_window(dut->switches[jobs[i].sw], jobs[i],
                                    dut->every_cycle || jobs[i].every_cycle, err);
      if (status)
        return status;
    }
    return 0;
  });
}

int snapshot_save(hd_dut *dut, uint32_t sw, hd_dut_buffer *buffer, hd_error *err)
{
  return guarded(err, [&] {
    Switch &s = dut->switches[sw];
    dut->saved = nullptr;
    dut->saver.take(*s.top);
    const SnapshotHead head = {{'h', 'd', '_', 'v', 'l', 't', '0', '2'},
                               dut->saver.bytes.size(),
                               s.next_cycle,
                               s.quiescent,
                               s.configured,
                               static_cast<uint8_t>(s.early.n_flits),
                               static_cast<uint8_t>(s.early.n_credits),
                               {}};
    const size_t bytes = snapshot_bytes(head);
    if (!HD_ROOM(buffer->bytes, buffer->capacity, buffer->length, bytes))
      throw std::bad_alloc();
    unsigned char *to = buffer->bytes + buffer->length;
    std::memcpy(to, &head, sizeof head);
    to += sizeof head;
    std::memcpy(to, dut->saver.bytes.data(), head.image_bytes);
    to += head.image_bytes;
    std::memcpy(to, s.early.flits, sizeof(EarlyFlits));
    std::memcpy(to + sizeof(EarlyFlits), s.early.credits, sizeof(EarlyCredits));
    buffer->length += bytes;
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
    if (std::memcmp(head.magic, "hd_vlt02", 8) || head.image_bytes != dut->image_bytes ||
        buffer->length != snapshot_bytes(head))
      return hd_fail(err, HD_E_INPUT, "switch %u: this is no snapshot of this backend", sw);
    s.as_saved = false;
    dut->restorer.give(*s.top, buffer->bytes + sizeof head, head.image_bytes);
    s.quiescent = head.quiescent;
    s.configured = head.configured;
    s.next_cycle = head.next_cycle;
    const unsigned char *const early = buffer->bytes + sizeof head + head.image_bytes;
    std::memcpy(s.early.flits, early, sizeof(EarlyFlits));
    std::memcpy(s.early.credits, early + sizeof(EarlyFlits), sizeof(EarlyCredits));
    s.early.n_flits = std::min<uint32_t>(head.early_flits, PORTS);
    s.early.n_credits = std::min<uint32_t>(head.early_credits, PORTS);
    return 0;
  });
}

#if VM_TRACE
int verilated_trace_open(hd_dut *dut, uint32_t sw, const char *path, hd_error *err)
{
  if (dut->traced)
    return hd_fail(err, HD_E_INPUT, "waves are being written already");
  return guarded(err, [&] {
    Switch &s = dut->switches[sw];
    auto waves = std::make_unique<VerilatedFstC>();
    s.top->trace(waves.get(), 99);
    waves->open(path);
    if (!waves->isOpen())
      return hd_fail(err, HD_E_IO, "cannot write waves to %s", path);
    s.waves = std::move(waves);
    dut->traced = &s;
    return 0;
  });
}
#endif

#if VM_COVERAGE
int verilated_coverage_write(hd_dut *dut, const char *path, hd_error *err)
{
  return guarded(err, [&] {
    if (dut->switches.empty())
      return hd_fail(err, HD_E_INPUT, "there is no switch whose coverage could be written");
    top_t &first = *dut->switches[0].top;
    const auto own = counts_of(first);
    auto sums = own;
    for (size_t i = 1; i < dut->switches.size(); i++) {
      const auto more = counts_of(*dut->switches[i].top);
      for (size_t k = 0; k < sums.size(); k++)
        sums[k] += std::min(more[k], UINT32_MAX - sums[k]);
    }
    set_coverage(first, sums);
    dut->context.coveragep()->write(path);
    set_coverage(first, own);
    return 0;
  });
}
#endif

// RTL may lack link_dest_o.
template <typename Root>
auto read_link_dest(const Root &root, uint32_t link, int) -> decltype(root.link_dest_o, uint16_t{})
{
  return static_cast<uint16_t>(hd::lane_read<16>(root.link_dest_o, link));
}
template <typename Root> uint16_t read_link_dest(const Root &, uint32_t, long)
{
  return 0;
}

// RTL whose links have one channel may lack link_vc_o and link_channels_o.
template <typename Root>
auto read_link_vc(const Root &root, uint32_t link, int) -> decltype(root.link_vc_o, uint8_t{})
{
  return static_cast<uint8_t>(hd::lane_read<3>(root.link_vc_o, link));
}
template <typename Root> uint8_t read_link_vc(const Root &, uint32_t, long)
{
  return 0;
}
template <typename Root>
auto read_link_vcs(const Root &root, int) -> decltype(root.link_channels_o, uint8_t{})
{
  return root.link_channels_o;
}
template <typename Root> uint8_t read_link_vcs(const Root &, long)
{
  return 1;
}

// Reads the outputs that wrappers of networks have if the description names the links
// (docs/wrap.md).
template <typename Root>
auto read_links(const Root &root, hd_dut_link *links, uint32_t n, int)
    -> decltype(root.link_valid_o, uint32_t{})
{
  for (uint32_t i = 0; i < n; i++)
    links[i] = {hd::lane_read<DATA_W>(root.link_data_o, i),
                hd::lane_read<1>(root.link_valid_o, i) != 0,
                hd::lane_read<1>(root.link_tail_o, i) != 0,
                hd::lane_read<1>(root.link_ready_o, i) != 0,
                read_link_dest(root, i, 0),
                read_link_vc(root, i, 0),
                read_link_vcs(root, 0)};
  return 8 * sizeof root.link_valid_o;
}
template <typename Root> uint32_t read_links(const Root &, hd_dut_link *, uint32_t, long)
{
  return 0;
}

uint32_t links_inside(hd_dut *dut, uint32_t sw, hd_dut_link *links, uint32_t n)
{
  return read_links(*dut->switches[sw].top->rootp, links, n, 0);
}

const hd_dut_extension k_extension = {
#if VM_TRACE
    verilated_trace_open,
    verilated_trace_close,
#else
    nullptr,      nullptr,
#endif
    nullptr, // X and Z
    nullptr, // two states
    nullptr, // counters
    nullptr, // interrupt
#if VM_COVERAGE
    verilated_coverage_write,
#else
    nullptr,
#endif
    nullptr, // news
    nullptr, // many reads
    links_inside,
};

const hd_dut_ops k_ops = {
    HD_DUT_ABI,
    HD_FORM == 0   ? "verilator"
    : HD_FORM == 1 ? "netlist"
                   : "systemc",
    VERILATOR_PRODUCT " " VERILATOR_VERSION ", g++ " __VERSION__,
    HD_DUT_QUIESCENT | HD_DUT_SNAPSHOT | (VM_TRACE ? HD_DUT_WAVES : 0) |
        (VM_COVERAGE ? HD_DUT_COVERAGE : 0),
    create,
    destroy,
    reset,
    config_write,
    config_read,
    run,
    snapshot_save,
    snapshot_restore,
    &k_extension,
};

// The last line that was printed, "[30] %Error: hd_switch.v:8: Assertion failed in TOP.hd_switch:
// fifty\n".
thread_local char printed[512];

// Returns the message of the assertion that has failed in this line of the RTL, as ": fifty". "":
// the last printed line is no such message, or it is the default that Verilator prints if there is
// no message.
std::string message_of_line(int line)
{
  const std::string failed = ":" + std::to_string(line) + ": Assertion failed in ";
  const char *at = std::strstr(printed, failed.c_str());
  at = at ? std::strstr(at + failed.size(), ": ") : nullptr;
  std::string message = at ? std::string(at, std::strcspn(at, "\n")) : std::string();
  printed[0] = '\0';
  return message == ": 'assert' failed." ? std::string() : message;
}

} // namespace

#if HD_FORM != 2
// Writes the output of the RTL to the log of the run. Collects the output until the run has a log.
static void keep_printed(const char *text)
{
  static std::mutex lock;
  static std::string waiting, path;
  static std::FILE *file;
  static size_t room = HD_RTL_LOG_BYTES;
  const std::lock_guard<std::mutex> held(lock);
  const size_t n = strnlen(text, room);
  waiting.append(text, n);
  room -= n;
  const char *now = std::getenv(HD_RTL_LOG);
  if (now == nullptr || waiting.empty())
    return;
  if (path != now) {
    if (file != nullptr)
      std::fclose(file);
    path = now;
    file = std::fopen(now, "ae");
  }
  if (file != nullptr)
    hd_rtl_log_write(file, waiting.data(), waiting.size());
  waiting.clear();
}
#endif

int hd_rtl_print(const char *format, ...)
{
  va_list values, again;
  va_start(values, format);
  va_copy(again, values);
  std::vsnprintf(printed, sizeof printed, format, again);
  va_end(again);
#if HD_FORM == 2
  int n = std::vprintf(format, values);
#else
  char text[4096];
  int n = std::vsnprintf(text, sizeof text, format, values);
  keep_printed(text);
#endif
  va_end(values);
  return n;
}

// The runtime library calls these functions (VL_USER_FINISH, _STOP, _FATAL) instead of its own. Its
// own vl_finish ends the process with exit code 0 when the RTL calls $finish twice.
void vl_finish(const char *file, int line, const char *) VL_MT_UNSAFE
{
  throw std::runtime_error("the RTL called $finish at " + std::string(file) + ":" +
                           std::to_string(line));
}
void vl_stop(const char *file, int line, const char *) VL_MT_UNSAFE
{
  const std::string place = std::string(file) + ":" + std::to_string(line) + message_of_line(line);
#if HD_FORM == 2
  if (stopped_at.empty())
    stopped_at = place;
#else
  throw Stopped(place);
#endif
}
void vl_fatal(const char *file, int line, const char *, const char *message) VL_MT_UNSAFE
{
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + message);
}

#if HD_FORM != 2
#include "verilator_pinned.h"
#endif

extern "C" __attribute__((visibility("default"))) const hd_dut_ops *hd_dut_backend(void)
{
  return &k_ops;
}
