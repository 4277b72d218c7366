// A virtual platform: two initiators and a slow device talk over a mesh of RTL switches.
// SPDX-License-Identifier: Apache-2.0
//
// usage: two_initiators SCENARIO.yaml
// "cpu" sits at the first node and uses blocking transport, "dma" at the last and uses non-blocking
// transport with many transactions under way. Each writes into the other's memory; then both send a
// burst to the device in the middle, which takes a transaction in 60 cycles. Exit code 0: all data
// arrived where it belongs, in the cycles of the C model, and the device made the senders wait.
#include "heddle_fabric.h"

#include <cstdio>
#include <random>

namespace
{

using payload = tlm::tlm_generic_payload;
const sc_core::sc_time CYCLE(10, sc_core::SC_NS);
constexpr unsigned MESSAGES = 24, BURST = 12, DEVICE_CYCLES = 60, MEMORY_BYTES = 8192;

// Contents of an address, known to both ends.
unsigned char pattern_byte(unsigned writer, unsigned at)
{
  return static_cast<unsigned char>(at * 7 + writer * 101 + (at >> 8) * 13);
}

struct memory {
  std::vector<unsigned char> bytes = std::vector<unsigned char>(MEMORY_BYTES);
  unsigned writes = 0;

  void write(payload &t)
  {
    if (t.get_address() + t.get_data_length() > bytes.size()) {
      t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    std::memcpy(bytes.data() + t.get_address(), t.get_data_ptr(), t.get_data_length());
    writes++;
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

// Loosely timed: knows blocking transport alone.
struct simple_memory : sc_core::sc_module, memory {
  tlm_utils::simple_target_socket<simple_memory> socket;

  explicit simple_memory(sc_core::sc_module_name name) : sc_module(name), socket("socket")
  {
    socket.register_b_transport(this, &simple_memory::b_transport);
  }
  void b_transport(payload &t, sc_core::sc_time &)
  {
    write(t);
  }
};

// Non-blocking, with everything said in one call, for two cycles later.
struct early_memory : sc_core::sc_module, memory {
  tlm_utils::simple_target_socket<early_memory> socket;

  explicit early_memory(sc_core::sc_module_name name) : sc_module(name), socket("socket")
  {
    socket.register_nb_transport_fw(this, &early_memory::nb_transport_fw);
  }
  tlm::tlm_sync_enum nb_transport_fw(payload &t, tlm::tlm_phase &, sc_core::sc_time &delay)
  {
    write(t);
    delay += 2 * CYCLE;
    return tlm::TLM_COMPLETED;
  }
};

// Four phases: END_REQ when it can take the next write, the answer three cycles later.
struct device : sc_core::sc_module {
  tlm_utils::simple_target_socket<device> socket;
  tlm_utils::peq_with_cb_and_phase<device> later;
  unsigned writes = 0;

  explicit device(sc_core::sc_module_name name)
      : sc_module(name), socket("socket"), later("later", this, &device::due)
  {
    socket.register_nb_transport_fw(this, &device::nb_transport_fw);
  }
  tlm::tlm_sync_enum nb_transport_fw(payload &t, tlm::tlm_phase &phase, sc_core::sc_time &)
  {
    if (phase == tlm::BEGIN_REQ) {
      later.notify(t, tlm::END_REQ, DEVICE_CYCLES * CYCLE);
      later.notify(t, tlm::BEGIN_RESP, (DEVICE_CYCLES + 3) * CYCLE);
      return tlm::TLM_ACCEPTED;
    }
    return tlm::TLM_COMPLETED; // END_RESP
  }
  void due(payload &t, const tlm::tlm_phase &what)
  {
    tlm::tlm_phase phase = what;
    sc_core::sc_time none = sc_core::SC_ZERO_TIME;
    if (phase == tlm::BEGIN_RESP) {
      writes++;
      t.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    socket->nb_transport_bw(t, phase, none);
  }
};

// Counts what one initiator saw.
struct record {
  const char *who;
  unsigned ok = 0, refused = 0;
  uint64_t latency_sum = 0, latency_most = 0;
  sc_core::sc_time accept_most; // from BEGIN_REQ to END_REQ

  void add(const payload &t)
  {
    if (!t.is_response_ok()) {
      refused++;
      return;
    }
    const heddle::packet_info *const info = t.get_extension<heddle::packet_info>();
    const uint64_t latency = info->received - info->injected;
    ok++;
    latency_sum += latency;
    latency_most = std::max(latency_most, latency);
  }
  void print() const
  {
    std::printf(
        "%-4s %3u writes, latency mean %6.1f, maximum %4llu cycles; longest wait for END_REQ "
        "%4.0f cycles\n",
        who, ok, ok ? double(latency_sum) / ok : 0.0, static_cast<unsigned long long>(latency_most),
        accept_most / CYCLE);
  }
};

// A write that owns its data.
struct own_write : payload {
  std::vector<unsigned char> data;
  sc_core::sc_time began;

  own_write(tlm::tlm_mm_interface *owner, unsigned writer, uint32_t node, uint32_t at,
            unsigned bytes)
      : payload(owner), data(bytes)
  {
    for (unsigned i = 0; i < bytes; i++)
      data[i] = pattern_byte(writer, at + i);
    set_extension(new heddle::packet_info);
    set_write();
    set_address(heddle::address(node, at));
    set_data_ptr(data.data());
    set_data_length(bytes);
    set_streaming_width(bytes);
  }
};

// Traffic of an initiator: messages into the other's memory, then the burst to the device.
struct traffic {
  unsigned writer;
  uint32_t peer, slow;
  std::mt19937 random;
  unsigned number = 0, at = 0;

  bool next(uint32_t &node, uint32_t &offset, unsigned &bytes)
  {
    if (number == MESSAGES + BURST)
      return false;
    node = number < MESSAGES ? peer : slow;
    bytes = number < MESSAGES ? 1 + random() % 96 : 32;
    offset = at;
    at += bytes;
    number++;
    return true;
  }
};

// Loosely timed: one write after the other, each with a delay of its own in front.
struct cpu : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<cpu> socket;
  heddle::fabric &fabric;
  traffic work;
  record seen{"cpu"};
  bool done = false;

  SC_HAS_PROCESS(cpu);
  cpu(sc_core::sc_module_name name, heddle::fabric &of, const traffic &what)
      : sc_module(name), socket("socket"), fabric(of), work(what)
  {
    SC_THREAD(run);
  }
  void run()
  {
    uint32_t node, offset;
    unsigned bytes;
    wait(fabric.ready);
    while (work.next(node, offset, bytes)) {
      own_write t(nullptr, work.writer, node, offset, bytes);
      sc_core::sc_time delay = (work.random() % 5) * CYCLE;
      socket->b_transport(t, delay);
      seen.add(t);
      wait(delay);
    }
    own_write nowhere(nullptr, work.writer, fabric.nodes(), 0, 4);
    sc_core::sc_time delay;
    socket->b_transport(nowhere, delay);
    seen.refused += nowhere.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE;
    done = true;
  }
};

// Approximately timed: the next request as soon as END_REQ allows it.
struct dma : sc_core::sc_module, tlm::tlm_mm_interface {
  tlm_utils::simple_initiator_socket<dma> socket;
  heddle::fabric &fabric;
  traffic work;
  record seen{"dma"};
  unsigned outstanding = 0, outstanding_most = 0;
  bool done = false;
  sc_core::sc_event accepted, answered;

  SC_HAS_PROCESS(dma);
  dma(sc_core::sc_module_name name, heddle::fabric &of, const traffic &what)
      : sc_module(name), socket("socket"), fabric(of), work(what)
  {
    socket.register_nb_transport_bw(this, &dma::nb_transport_bw);
    SC_THREAD(run);
  }
  void run()
  {
    uint32_t node, offset;
    unsigned bytes;
    wait(fabric.ready);
    while (work.next(node, offset, bytes)) {
      auto *t = new own_write(this, work.writer, node, offset, bytes);
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      t->acquire();
      t->began = sc_core::sc_time_stamp();
      outstanding_most = std::max(outstanding_most, ++outstanding);
      if (socket->nb_transport_fw(*t, phase, delay) == tlm::TLM_ACCEPTED)
        wait(accepted);
    }
    while (outstanding)
      wait(answered);
    done = true;
  }
  tlm::tlm_sync_enum nb_transport_bw(payload &t, tlm::tlm_phase &phase, sc_core::sc_time &)
  {
    if (phase == tlm::END_REQ) {
      const auto &own = static_cast<own_write &>(t);
      seen.accept_most = std::max(seen.accept_most, sc_core::sc_time_stamp() - own.began);
      accepted.notify(sc_core::SC_ZERO_TIME);
      return tlm::TLM_ACCEPTED;
    }
    seen.add(t);
    outstanding--;
    answered.notify(sc_core::SC_ZERO_TIME);
    phase = tlm::END_RESP;
    t.release();
    return tlm::TLM_COMPLETED;
  }
  void free(payload *t) override
  {
    delete static_cast<own_write *>(t);
  }
};

unsigned wrong_bytes(const memory &m, unsigned writer, unsigned bytes)
{
  unsigned wrong = 0;
  for (unsigned i = 0; i < MEMORY_BYTES; i++)
    wrong += m.bytes[i] != (i < bytes ? pattern_byte(writer, i) : 0);
  return wrong;
}

bool must(bool holds, const char *what)
{
  std::printf("%s %s\n", holds ? "ok" : "not ok", what);
  return holds;
}

int run(const char *path)
{
  const heddle::plan plan(path);
  sc_core::sc_clock clock("clock", CYCLE);
  heddle::fabric mesh("mesh", plan);
  const uint32_t last = mesh.nodes() - 1, middle = mesh.nodes() / 2;
  cpu a("cpu", mesh, {1, last, middle, std::mt19937(1)});
  dma b("dma", mesh, {2, 0, middle, std::mt19937(2)});
  early_memory near("near");
  simple_memory far("far");
  device slow("slow");
  mesh.clk(clock);
  a.socket.bind(mesh.node(0).inject);
  b.socket.bind(mesh.node(last).inject);
  mesh.node(0).deliver.bind(near.socket);
  mesh.node(last).deliver.bind(far.socket);
  mesh.node(middle).deliver.bind(slow.socket);
  while ((!a.done || !b.done) && mesh.cycle() < 20000)
    sc_core::sc_start(100 * CYCLE);
  a.seen.print();
  b.seen.print();
  std::printf(
      "%u nodes, %llu cycles, %llu packets as the C model has them, up to %u of dma under way\n",
      mesh.nodes(), static_cast<unsigned long long>(mesh.cycle()),
      static_cast<unsigned long long>(mesh.packets_checked()), b.outstanding_most);
  constexpr unsigned ALL = MESSAGES + BURST;
  const unsigned from_cpu = a.work.at - BURST * 32, from_dma = b.work.at - BURST * 32;
  bool good = must(a.done && b.done && a.seen.ok == ALL && b.seen.ok == ALL,
                   "every write of both initiators was answered");
  good &= must(a.seen.refused == 1 && !b.seen.refused,
               "a write to a node that is not there was refused");
  good &= must(near.writes == MESSAGES && far.writes == MESSAGES && slow.writes == 2 * BURST,
               "each target had the writes meant for it");
  good &= must(!wrong_bytes(far, 1, from_cpu) && !wrong_bytes(near, 2, from_dma),
               "both memories hold every byte");
  good &= must(mesh.packets_checked() == 2 * ALL, "every packet arrived in the C model's cycle");
  good &= must(b.seen.accept_most > (DEVICE_CYCLES / 2) * CYCLE && b.outstanding_most > 2,
               "END_REQ was withheld while the slow target left no credits");
  return good ? 0 : 1;
}

} // namespace

int sc_main(int argc, char **argv)
{
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s SCENARIO.yaml\n", argv[0]);
    return 2;
  }
  try {
    return run(argv[1]);
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
