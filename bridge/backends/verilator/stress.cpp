// Runs the stress bench with two switches: copies pins between them in each cycle.
// SPDX-License-Identifier: Apache-2.0
//
// Compiled into a shared object with the Verilated hd_stress of one parameter set. The compiler's
// command line defines the parameters as HD_PORTS, HD_VCS, …
#ifndef _Static_assert
#define _Static_assert static_assert
#endif
#include "stress.h"

#include "../rtl/pins.h"
#include "Vhd_stress.h"
#include "verilated.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

namespace
{

constexpr unsigned PORTS = HD_PORTS;
constexpr unsigned VCS = HD_VCS;
constexpr unsigned DATA_W = HD_DATA_W;
constexpr unsigned VC_W = VCS <= 2 ? 1 : VCS <= 4 ? 2 : 3;
constexpr unsigned SHOWN_W = DATA_W + 7; // hd_stress_compare.v
using shown_t = hd::bits_t<SHOWN_W>;

// X(pin of a switch, port of the bench)
#define INPUTS(X)                               \
  X(rst, rst_o)                                 \
  X(in_valid_i, in_valid_o)                     \
  X(in_kind_i, in_kind_o)                       \
  X(in_vc_i, in_vc_o)                           \
  X(in_data_i, in_data_o)                       \
  X(out_credit_i, out_credit_o)                 \
  X(out_barrier_credit_i, out_barrier_credit_o) \
  X(out_count_i, out_count_o)                   \
  X(cfg_write_i, cfg_write_o)                   \
  X(cfg_read_i, cfg_read_o)                     \
  X(cfg_addr_i, cfg_addr_o)                     \
  X(cfg_wdata_i, cfg_wdata_o)
#define OUTPUTS(X)                            \
  X(in_credit_o, in_credit_i)                 \
  X(in_barrier_credit_o, in_barrier_credit_i) \
  X(in_count_o, in_count_i)                   \
  X(out_valid_o, out_valid_i)                 \
  X(out_kind_o, out_kind_i)                   \
  X(out_vc_o, out_vc_i)                       \
  X(out_data_o, out_data_i)                   \
  X(cfg_rdata_o, cfg_rdata_i)                 \
  X(quiescent_o, quiescent_i)

struct Bench {
  VerilatedContext context; // declared before `top`, so that it outlives it
  std::unique_ptr<Vhd_stress> top;
  const hd_stress_job &job;
  struct Side {
    const hd_pinned_ops *ops;
    hd_pinned *pinned = nullptr;
    ~Side()
    {
      ops->destroy(pinned);
    }
  } original, changed;

  explicit Bench(const hd_stress_job &of) : job(of), original{of.original}, changed{of.changed}
  {
    const char *name[] = {"hd_stress"};
    context.commandArgs(1, name);
    Verilated::threadContextp(&context);
    top = std::make_unique<Vhd_stress>(&context, "");
  }

  int begin(hd_error *err)
  {
    int status = changed.ops->create(&changed.pinned, 2, err);
    status = status ? status : lacks(original.ops->create(&original.pinned, 1, err));
    if (status)
      return status;
      // Checks the size of each pin. With the right width Verilator chooses the same type for it
      // everywhere.
#define MATCHES(pin, port, value)                                        \
  for (const hd_pinned *p : {original.pinned, changed.pinned})           \
    if (p->pins[HD_PIN_##pin] && p->bytes[HD_PIN_##pin] != sizeof value) \
      return hd_fail(err, HD_E_INPUT, "the switch has another width of pin " #pin);
#define IN_MATCHES(pin, port) MATCHES(pin, port, top->port)
#define OUT_MATCHES(pin, port) MATCHES(pin, port, top->a_##port)
    INPUTS(IN_MATCHES)
    OUTPUTS(OUT_MATCHES)
    top->seed_i = job.traffic.seed;
    top->mixed_i = job.traffic.mixed;
    top->writes_i = job.traffic.writes;
    top->resets_i = job.traffic.resets;
    top->illegal_i = job.traffic.illegal;
    top->single_i = job.router && job.router->single;
    top->rst = 1;
    clock();
    status = job.router ? set_up(*job.router, err) : 0;
    top->rst = 0;
    return status;
  }

  void put(hd_pin pin, uint32_t value) const
  {
    for (const hd_pinned *p : {original.pinned, changed.pinned})
      std::memcpy(p->pins[pin], &value, p->bytes[pin]);
  }

  // An assertion of the original that fails before any input means that it does not support the
  // parameters.
  static int lacks(int status_of_original)
  {
    return status_of_original == HD_E_TOOL ? HD_E_UNSUPPORTED : status_of_original;
  }

  int clock_both(hd_error *err) const
  {
    const int status = changed.ops->clock(changed.pinned, err);
    return status ? status : lacks(original.ops->clock(original.pinned, err));
  }

  // Writes the lists of destinations, resets both routers and writes their tables. The bench begins
  // with another reset.
  int set_up(const hd_stress_router &router, hd_error *err)
  {
    for (unsigned port = 0; port < PORTS; port++)
      for (unsigned number = 0; number < HD_STRESS_NODES; number++) {
        top->dest_write_i = 1;
        top->dest_port_i = port & 15;
        top->dest_number_i = number & 15;
        top->dest_node_i = router.nodes[port][number];
        clock();
      }
    top->dest_write_i = 0;
    put(HD_PIN_rst, 1);
    int status = clock_both(err);
    put(HD_PIN_rst, 0);
    for (uint32_t i = 0; !status && i < router.n_writes; i++) {
      put(HD_PIN_cfg_write_i, 1);
      put(HD_PIN_cfg_addr_i, router.writes[i].addr);
      put(HD_PIN_cfg_wdata_i, router.writes[i].data);
      status = clock_both(err);
    }
    put(HD_PIN_cfg_write_i, 0);
    Verilated::threadContextp(&context);
    return status;
  }

  void clock()
  {
    top->clk = 0;
    top->eval();
    top->clk = 1;
    top->eval();
  }

  template <typename Port> static void carry(Port &to, const hd_pinned *from, hd_pin pin)
  {
    if (from->pins[pin])
      std::memcpy(&to, from->pins[pin], sizeof to);
  }
  template <typename Port> static void carry(const hd_pinned *to, hd_pin pin, const Port &from)
  {
    if (to->pins[pin])
      std::memcpy(to->pins[pin], &from, sizeof from);
  }

  // Copies each pin's value of this cycle from the side that drives it to the side that reads it.
  void carry_all()
  {
    const hd_pinned *const a = original.pinned, *const b = changed.pinned;
#define OUT(pin, port)                   \
  carry(top->a_##port, a, HD_PIN_##pin); \
  carry(top->b_##port, b, HD_PIN_##pin);
#define IN(pin, port)                \
  carry(a, HD_PIN_##pin, top->port); \
  carry(b, HD_PIN_##pin, top->port);
    OUTPUTS(OUT)
    INPUTS(IN)
  }

  void tell() const
  {
    hd_stress_inputs in = {};
    in.reset = top->rst_o;
    in.write = top->cfg_write_o;
    in.read = top->cfg_read_o;
    in.address = top->cfg_addr_o;
    in.data = top->cfg_wdata_o;
    for (unsigned port = 0; port < PORTS; port++) {
      if (hd::lane_read<1>(top->in_valid_o, port)) {
        hd_flit_event &e = in.flits[in.n_flits++];
        e.data = hd::lane_read<DATA_W>(top->in_data_o, port);
        e.port = static_cast<uint8_t>(port);
        e.vc = static_cast<uint8_t>(hd::lane_read<VC_W>(top->in_vc_o, port));
        e.kind = static_cast<uint8_t>(hd::lane_read<3>(top->in_kind_o, port));
      }
      hd_credit_event credit = {};
      credit.port = static_cast<uint8_t>(port);
      const auto credits = hd::vector_read<PORTS * VCS>(top->out_credit_o);
      credit.vcs = static_cast<uint8_t>(credits >> (port * VCS) & ((1u << VCS) - 1));
      credit.barrier = static_cast<uint8_t>(hd::lane_read<1>(top->out_barrier_credit_o, port));
      const auto counts = hd::vector_read<PORTS * HD_COUNT_BITS>(top->out_count_o);
      credit.count =
          static_cast<uint8_t>(counts >> (port * HD_COUNT_BITS) & ((1u << HD_COUNT_BITS) - 1));
      if (hd_credit_set(&credit))
        in.credits[in.n_credits++] = credit;
    }
    job.see(job.context, &in);
  }

  static std::string shown(unsigned what, const shown_t &value)
  {
    char text[80];
    const uint64_t low = static_cast<uint64_t>(value);
    if (what == HD_STRESS_FLIT) {
      const unsigned head = static_cast<unsigned>(value >> DATA_W);
      const uint64_t data = DATA_W == 64 ? low : low & ((UINT64_C(1) << (DATA_W % 64)) - 1);
      std::snprintf(text, sizeof text, "%s, kind %u, vc %u, data 0x%" PRIx64,
                    head >> 6 ? "a flit" : "no flit", head >> 3 & 7, head & 7, data);
    } else {
      std::snprintf(text, sizeof text, "0x%" PRIx64, low);
    }
    return text;
  }

  void report(hd_stress_found &found) const
  {
    static const char *const names[] = {
        "", "output port", "credits of input port", "count of port", "cfg_rdata_o", "quiescent_o"};
    char place[40];
    found.cycles = top->cycles_o;
    found.flits = top->flits_o;
    if (!top->differs_o)
      return;
    const unsigned what = top->what_o;
    found.difference = static_cast<hd_stress_difference>(what);
    found.cycle = top->cycle_o;
    found.port = top->port_o;
    std::snprintf(place, sizeof place, what < HD_STRESS_READ ? "%s %u" : "%s", names[what],
                  found.port);
    std::snprintf(found.text, sizeof found.text,
                  "cycle %" PRIu64 ", %s: the original shows %s, the changed switch %s",
                  found.cycle, place,
                  shown(what, hd::vector_read<SHOWN_W>(top->original_o)).c_str(),
                  shown(what, hd::vector_read<SHOWN_W>(top->changed_o)).c_str());
  }

  int run(hd_stress_found &found, hd_error *err)
  {
    int status = begin(err);
    for (uint64_t cycle = 0; !status && cycle < job.traffic.cycles && !top->differs_o; cycle++) {
      carry_all();
      if (job.see)
        tell();
      hd_error stopped = {""};
      status = original.ops->clock(original.pinned, &stopped);
      if (status)
        return hd_fail(err, status == HD_E_TOOL ? HD_E_INVARIANT : status,
                       "the original failed in cycle %" PRIu64 ": %s", cycle, stopped.text);
      if (changed.ops->clock(changed.pinned, &stopped)) {
        report(found);
        found.difference = HD_STRESS_ASSERTION;
        found.cycle = found.cycles;
        std::snprintf(found.text, sizeof found.text, "cycle %" PRIu64 ": %s", found.cycle,
                      stopped.text);
        return 0;
      }
      Verilated::threadContextp(&context);
      clock();
    }
    if (!status)
      report(found);
    return status;
  }
};

} // namespace

void vl_finish(const char *, int, const char *) VL_MT_UNSAFE
{
}
void vl_stop(const char *file, int line, const char *) VL_MT_UNSAFE
{
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line));
}
void vl_fatal(const char *file, int line, const char *, const char *message) VL_MT_UNSAFE
{
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + message);
}

int hd_rtl_print(const char *, ...)
{
  return 0;
}

extern "C" __attribute__((visibility("default"))) int
hd_stress_run(const hd_stress_job *job, hd_stress_found *found, hd_error *err)
{
  *found = {};
  try {
    return Bench(*job).run(*found, err);
  } catch (const std::bad_alloc &) {
    return hd_fail(err, HD_E_NOMEM, "out of memory in the stress bench");
  } catch (const std::exception &e) {
    return hd_fail(err, HD_E_TOOL, "Verilator: %s", e.what());
  }
}
