// A node of a Heddle fabric in SystemC: network interface and TLM-2.0 sockets.
// SPDX-License-Identifier: Apache-2.0
//
// `inject` is a target socket: a write to it becomes a packet. `deliver` is an initiator socket:
// each packet that arrives becomes a write from it. Both support blocking and non-blocking
// transport.
//
// The interface follows specification chapter 4, flit by flit and credit by credit. cycle() is
// called at the rising edge that ends a cycle. It reads the pins of that cycle and writes what is
// visible in the next one.
#ifndef HEDDLE_ENDPOINT_H
#define HEDDLE_ENDPOINT_H

#include "heddle_packet.h"
#include "heddle_switch.h"

#include <deque>
#include <map>
#include <memory>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace heddle
{

class endpoint;

/** Functions of the fabric that an endpoint calls. */
struct fabric_services {
  virtual uint64_t cycle() const = 0;
  virtual uint32_t nodes() const = 0;
  virtual uint32_t most_flits() const = 0; // longest packet
  virtual endpoint &node(uint32_t number) = 0;
  /** next_header returns the header (§4.3) of the next packet; sent is called when a packet was
   *  made with it. */
  virtual uint64_t next_header(uint32_t source, uint32_t destination) = 0;
  virtual void sent(uint32_t source, uint32_t destination, const std::vector<uint64_t> &words) = 0;
  virtual void held(uint32_t node) = 0; // the node's target could take no packet in this cycle
  virtual void received(uint32_t node, const std::vector<uint64_t> &words) = 0;

protected:
  ~fabric_services() = default;
};

class endpoint : public sc_core::sc_module, tlm::tlm_mm_interface
{
  using payload = tlm::tlm_generic_payload;

  // A transaction that came in at `inject`.
  struct request {
    payload *transaction = nullptr;
    sc_core::sc_event *done = nullptr; // b_transport waits for it
    packet_info info;
    std::vector<uint64_t> words; // the packet's data, set when the fabric takes the request
  };
  using request_ptr = std::shared_ptr<request>;

  // A packet on its way into the target at `deliver`.
  struct arrival : payload {
    envelope head;
    std::vector<unsigned char> data;
    explicit arrival(tlm::tlm_mm_interface *owner) : payload(owner)
    {
    }
  };

  fabric_services &fabric;
  const uint32_t number;

  // Packets that go in, §4.1.
  /* ordered by the time at which they take effect */
  std::multimap<sc_core::sc_time, request_ptr> waiting;
  // requests that the fabric has taken; the first one may be partly sent
  std::deque<request_ptr> queue;
  // requests without an answer, by sequence number
  std::map<uint32_t, request_ptr> outstanding;
  // answers to non-blocking requests, sent one at a time
  std::deque<request_ptr> answers;
  uint32_t next_sequence = 0;
  size_t flits_sent = 0; // of the first request in the queue
  unsigned vc = 0, vc_next = 0;
  std::array<unsigned, VCS> slots; // free slots at the switch
  bool requesting = false;         // BEGIN_REQ came, END_REQ is due
  bool responding = false;         // BEGIN_RESP went, END_RESP is due

  // Packets that come out, §4.2 and §4.6.
  std::array<std::vector<uint64_t>, VCS> assembly;
  std::array<unsigned, VCS> owed = {};
  std::deque<arrival *> arrivals;
  payload *busy_with = nullptr; // delivery whose END_REQ the target has not sent
  tlm_utils::peq_with_cb_and_phase<endpoint> from_target;

  // ── inject ──

  tlm::tlm_response_status check(const payload &t) const
  {
    if (t.get_command() != tlm::TLM_WRITE_COMMAND)
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (t.get_address() >> 32 >= fabric.nodes())
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (t.get_byte_enable_ptr())
      return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (t.get_data_length() > UINT16_MAX || t.get_streaming_width() < t.get_data_length() ||
        packet_flits(t.get_data_length()) > fabric.most_flits())
      return tlm::TLM_BURST_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
  }

  void accept(payload &t, sc_core::sc_event *done, const sc_core::sc_time &delay)
  {
    auto r = std::make_shared<request>();
    r->transaction = &t;
    r->done = done;
    r->info.source = number;
    r->info.destination = static_cast<uint32_t>(t.get_address() >> 32);
    r->info.flits = packet_flits(t.get_data_length());
    waiting.emplace(sc_core::sc_time_stamp() + delay, r);
  }

  // b_transport returns after all of its time has passed. So no delay is left.
  void b_transport(payload &t, sc_core::sc_time &delay)
  {
    const tlm::tlm_response_status status = check(t);
    t.set_response_status(status);
    if (status != tlm::TLM_OK_RESPONSE)
      return;
    sc_core::sc_event done;
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    accept(t, &done, delay);
    sc_core::wait(done);
    delay = sc_core::SC_ZERO_TIME;
  }

  tlm::tlm_sync_enum nb_transport_fw(payload &t, tlm::tlm_phase &phase, sc_core::sc_time &delay)
  {
    if (phase == tlm::END_RESP) {
      responding = false;
      t.release();
      answer_next();
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ || requesting) {
      SC_REPORT_ERROR("/heddle/endpoint", phase == tlm::BEGIN_REQ
                                              ? "BEGIN_REQ before END_REQ of the last one"
                                              : "a phase that no initiator may send");
      return tlm::TLM_ACCEPTED;
    }
    const tlm::tlm_response_status status = check(t);
    if (status != tlm::TLM_OK_RESPONSE) {
      t.set_response_status(status);
      return tlm::TLM_COMPLETED;
    }
    t.acquire();
    requesting = true;
    accept(t, nullptr, delay);
    return tlm::TLM_ACCEPTED;
  }

  // Inputs that came before this clock edge belong to the cycle that the edge ends.
  void hand_over()
  {
    while (!waiting.empty() && waiting.begin()->first < sc_core::sc_time_stamp()) {
      const request_ptr r = waiting.begin()->second;
      waiting.erase(waiting.begin());
      envelope e;
      e.source = static_cast<uint16_t>(number);
      e.sequence = next_sequence++;
      e.offset = static_cast<uint32_t>(r->transaction->get_address());
      e.bytes = static_cast<uint16_t>(r->transaction->get_data_length());
      r->info.injected = fabric.cycle();
      r->words = packet_words(fabric.next_header(number, r->info.destination), e,
                              r->transaction->get_data_ptr());
      fabric.sent(number, r->info.destination, r->words);
      outstanding[e.sequence] = r;
      queue.push_back(r);
    }
  }

  // §4.1: decides by the credits at the start of the cycle.
  flit next_flit()
  {
    flit f;
    if (queue.empty())
      return f;
    const request &r = *queue.front();
    if (!flits_sent) {
      unsigned tried = 0;
      for (vc = vc_next; tried < VCS && slots[vc] < (HD_CUT_FLITS > 1 ? HD_CUT_FLITS : 1); tried++)
        vc = vc + 1 == VCS ? 0 : vc + 1;
      if (tried == VCS)
        return f;
      vc_next = vc + 1 == VCS ? 0 : vc + 1;
    } else if (!slots[vc]) {
      return f;
    }
    f.valid = true;
    f.vc = static_cast<uint8_t>(vc);
    f.data = r.words[flits_sent];
    f.kind = flits_sent ? 0 : 2;
    slots[vc]--;
    if (++flits_sent == r.words.size())
      f.kind |= 1;
    return f;
  }

  void end_request()
  {
    const request_ptr r = queue.front();
    queue.pop_front();
    flits_sent = 0;
    if (r->done)
      return;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time none = sc_core::SC_ZERO_TIME;
    requesting = false;
    inject->nb_transport_bw(*r->transaction, phase, none);
  }

  void answer_next()
  {
    while (!responding && !answers.empty()) {
      const request_ptr r = answers.front();
      answers.pop_front();
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time none = sc_core::SC_ZERO_TIME;
      responding = true;
      if (inject->nb_transport_bw(*r->transaction, phase, none) == tlm::TLM_ACCEPTED)
        return;
      responding = false;
      r->transaction->release();
    }
  }

  // The target at the destination has completed this packet's transaction.
  void answer(uint32_t sequence, tlm::tlm_response_status status, const packet_info &info)
  {
    const request_ptr r = outstanding.at(sequence);
    outstanding.erase(sequence);
    r->transaction->set_response_status(status);
    if (packet_info *own = r->transaction->get_extension<packet_info>())
      own->copy_from(info);
    if (r->done) {
      r->done->notify();
    } else {
      answers.push_back(r);
      answer_next();
    }
  }

  // ── deliver ──

  void receive(std::vector<uint64_t> &words)
  {
    fabric.received(number, words);
    auto *a = new arrival(this);
    const bool whole = packet_read(words, a->head, a->data) && a->head.source < fabric.nodes();
    const auto &from = whole ? fabric.node(a->head.source).outstanding : outstanding;
    const auto found = from.find(a->head.sequence);
    if (!whole || found == from.end() || found->second->info.destination != number) {
      SC_REPORT_ERROR("/heddle/endpoint", "a packet came that nobody sent here");
      delete a;
      return;
    }
    auto *info = new packet_info(found->second->info);
    info->received = fabric.cycle();
    a->set_extension(info);
    a->set_write();
    a->set_address(a->head.offset);
    a->set_data_ptr(a->data.data());
    a->set_data_length(static_cast<unsigned>(a->data.size()));
    a->set_streaming_width(static_cast<unsigned>(a->data.size()));
    a->acquire();
    arrivals.push_back(a);
  }

  void finish(arrival &a)
  {
    const packet_info &info = *a.get_extension<packet_info>();
    fabric.node(a.head.source).answer(a.head.sequence, a.get_response_status(), info);
  }

  // Delivers one packet at a clock edge if the target can take one.
  void deliver_next()
  {
    if (busy_with || arrivals.empty())
      return;
    arrival *a = arrivals.front();
    arrivals.pop_front();
    if (!deliver.size()) { // no target is bound
      a->set_response_status(tlm::TLM_OK_RESPONSE);
      finish(*a);
      a->release();
      return;
    }
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    busy_with = a;
    const tlm::tlm_sync_enum said = deliver->nb_transport_fw(*a, phase, delay);
    if (said == tlm::TLM_UPDATED)
      from_target.notify(*a, phase, delay);
    else if (said == tlm::TLM_COMPLETED)
      from_target.notify(*a, tlm::END_RESP, delay);
  }

  tlm::tlm_sync_enum nb_transport_bw(payload &t, tlm::tlm_phase &phase, sc_core::sc_time &delay)
  {
    from_target.notify(t, phase, delay);
    return tlm::TLM_ACCEPTED;
  }

  // END_RESP is the answer to a transaction completed early. Nobody waits for a further response.
  void target_said(payload &t, const tlm::tlm_phase &phase)
  {
    if (busy_with == &t)
      busy_with = nullptr; // a response implies that the request has ended
    if (phase == tlm::END_REQ)
      return;
    finish(static_cast<arrival &>(t));
    if (phase == tlm::BEGIN_RESP) {
      tlm::tlm_phase end = tlm::END_RESP;
      sc_core::sc_time none = sc_core::SC_ZERO_TIME;
      deliver->nb_transport_fw(t, end, none);
    }
    t.release();
  }

  void free(payload *t) override
  {
    delete static_cast<arrival *>(t);
  }

  // §4.2, §4.6: accepts a flit, returns the credits to send.
  credits eject(const flit &f, bool held)
  {
    credits give = 0;
    if (f.valid && (f.kind > 3 || f.vc >= VCS)) {
      SC_REPORT_ERROR("/heddle/endpoint", "a flit that is none of a data packet");
    } else if (f.valid) {
      owed[f.vc]++;
      std::vector<uint64_t> &words = assembly[f.vc];
      if (f.kind & 2)
        words.clear();
      words.push_back(f.data);
      if (f.kind & 1)
        receive(words);
    }
    for (unsigned v = 0; v < VCS && !held; v++)
      if (owed[v]) {
        owed[v]--;
        give |= static_cast<credits>(1u << v);
      }
    return give;
  }

public:
  tlm_utils::simple_target_socket_optional<endpoint> inject;
  tlm_utils::simple_initiator_socket_optional<endpoint> deliver;
  link_ports link;

  endpoint(sc_core::sc_module_name name, fabric_services &of, uint32_t node)
      : sc_module(name), fabric(of), number(node),
        from_target("from_target", this, &endpoint::target_said), inject("inject"),
        deliver("deliver")
  {
    slots.fill(HD_DEPTH);
    inject.register_b_transport(this, &endpoint::b_transport);
    inject.register_nb_transport_fw(this, &endpoint::nb_transport_fw);
    deliver.register_nb_transport_bw(this, &endpoint::nb_transport_bw);
  }

  /** Ends a cycle; called by the fabric at each rising edge. */
  void cycle()
  {
    const bool held = busy_with != nullptr;
    const credits freed = link.credits_in.read();
    if (held)
      fabric.held(number);
    hand_over();
    link.flit_out.write(next_flit());
    link.credits_out.write(eject(link.flit_in.read(), held));
    for (unsigned v = 0; v < VCS; v++)
      if (freed >> v & 1 && slots[v] < HD_DEPTH)
        slots[v]++;
    deliver_next();
    if (!queue.empty() && flits_sent == queue.front()->words.size())
      end_request();
  }

  /** Returns the number of packets without an answer, plus the transactions that wait to become
   *  packets. */
  size_t under_way() const
  {
    return outstanding.size() + waiting.size();
  }
};

} // namespace heddle

#endif
