// A fabric of Heddle switches in SystemC, with TLM-2.0 sockets at its nodes.
// SPDX-License-Identifier: Apache-2.0
//
// docs/systemc.md is the guide. Switches are RTL, links are signals, nodes are endpoints
// (heddle_endpoint.h). Reset and configuration go through the switches' pins; then cycle 0 begins.
// The C model runs beside it and must agree in every cycle.
#ifndef HEDDLE_FABRIC_H
#define HEDDLE_FABRIC_H

#include "heddle_endpoint.h"
#include "heddle_model.h"

namespace heddle
{

class fabric : public sc_core::sc_module, fabric_services
{
  const plan &shape;
  std::vector<std::unique_ptr<switch_module>> switches;
  std::vector<std::unique_ptr<endpoint>> endpoints;
  std::vector<std::shared_ptr<void>> parts; // owns signals and link delays
  std::unique_ptr<model> beside;

  // Signals of a switch's configuration port.
  struct configuration {
    sc_core::sc_signal<bool> write;
    sc_core::sc_signal<uint32_t> address;
    sc_core::sc_signal<uint16_t> data;
    std::vector<hd_config_event> writes;
  };
  std::vector<std::unique_ptr<configuration>> configurations;
  sc_core::sc_signal<bool> reset{"reset", true};

  uint64_t edges = 0, cycles = 0; // clock edges since the start; cycles that have ended
  uint64_t begin_edges = 0;       // clock edge at which cycle 0 begins
  uint32_t numbers = 0;           // packets numbered so far

  template <typename T> sc_core::sc_signal<T> &make_signal()
  {
    auto signal = std::make_shared<sc_core::sc_signal<T>>(sc_core::sc_gen_unique_name("wire"));
    parts.push_back(signal);
    return *signal;
  }

  // Connects one direction: `to` shows `from`'s value LINK − 1 cycles later (§1.5).
  template <typename T> void connect(sc_core::sc_out<T> &from, sc_core::sc_in<T> &to)
  {
    sc_core::sc_signal<T> &near = make_signal<T>();
    from(near);
    if (shape.link_cycles() == 1) {
      to(near);
      return;
    }
    auto delay =
        std::make_shared<link_delay<T>>(sc_core::sc_gen_unique_name("link"), shape.link_cycles());
    parts.push_back(delay);
    sc_core::sc_signal<T> &far = make_signal<T>();
    delay->clk(clk);
    delay->in(near);
    delay->out(far);
    to(far);
  }
  // Connects one direction of a link: flits forward, credits back.
  void connect(link_ports &from, link_ports &to)
  {
    connect(from.flit_out, to.flit_in);
    connect(to.credits_out, from.credits_in);
  }
  void leave_sender_open(link_ports &port)
  {
    port.flit_out(make_signal<flit>());
    port.credits_in(make_signal<credits>());
  }
  void leave_receiver_open(link_ports &port)
  {
    port.flit_in(make_signal<flit>());
    port.credits_out(make_signal<credits>());
  }

  static void must_fit(const hd_switch_params &p)
  {
    if (!hd_built_for(&p))
      throw std::runtime_error("this program was built for another scenario's switch; build it "
                               "with this scenario");
  }

  void add_switch(uint32_t s)
  {
    switches.push_back(std::make_unique<switch_module>(("switch_" + std::to_string(s)).c_str()));
    configurations.push_back(std::make_unique<configuration>());
    switch_module &sw = *switches.back();
    configuration &c = *configurations.back();
    sw.clk(clk);
    sw.rst(reset);
    sw.config_write(c.write);
    sw.config_address(c.address);
    sw.config_data(c.data);
    hd_table_writes walk = {&shape.tables, nullptr, s, 0};
    for (hd_config_event write; hd_table_writes_next(&walk, &write);)
      c.writes.push_back(write);
    walk.next = 0;
    for (hd_config_event write; hd_adapt_writes_next(&walk, &write);)
      c.writes.push_back(write);
    begin_edges = std::max<uint64_t>(begin_edges, 2 + c.writes.size() + 1);
  }

  void connect_switch(uint32_t s)
  {
    for (uint32_t port = 0; port < PORTS; port++) {
      const size_t at = size_t{s} * shape.topology.ports + port;
      const hd_peer &peer = shape.topology.peers[at], &sender = shape.topology.senders[at];
      link_ports &own = switches[s]->links[port];
      if (peer.kind == HD_PEER_SWITCH)
        connect(own, switches[peer.index]->links[peer.port]);
      else if (peer.kind == HD_PEER_NODE)
        connect(own, endpoints[peer.index]->link);
      else
        leave_sender_open(own);
      if (sender.kind == HD_PEER_NODE)
        connect(endpoints[sender.index]->link, own);
      // a link from a switch was connected when that switch was visited
      else if (sender.kind == HD_PEER_NONE)
        leave_receiver_open(own);
    }
  }

  // Two clock edges with reset, then one write for each switch at each edge, then one edge without
  // a write.
  void configure()
  {
    reset.write(edges < 2);
    for (auto &c : configurations) {
      const bool due = edges >= 2 && edges - 2 < c->writes.size();
      c->write.write(due);
      if (due) {
        c->address.write(c->writes[edges - 2].addr);
        c->data.write(c->writes[edges - 2].data);
      }
    }
    if (++edges == begin_edges)
      ready.notify(sc_core::SC_ZERO_TIME);
  }

  void edge()
  {
    if (edges < begin_edges) {
      configure();
      return;
    }
    edges++;
    for (auto &e : endpoints)
      e->cycle();
    if (beside) {
      const std::string differs = beside->step();
      if (!differs.empty()) {
        beside.reset();
        SC_REPORT_ERROR("/heddle/fabric", differs.c_str());
      }
    }
    cycles++;
  }

  // ── for the endpoints ──

  uint64_t next_header(uint32_t source, uint32_t destination) override
  {
    uint64_t header = hd_routing_header(shape.tables.header_mode, shape.tables.draws,
                                        &shape.topology, hd_log2_ceil(HD_NODES), source,
                                        destination, static_cast<uint32_t>(numbers)); // §4.3
    numbers++;
    return header & ~uint64_t{0} >> (64 - DATA_W + hd_code_bits(&shape.sw())); // §11.12
  }
  void sent(uint32_t source, uint32_t destination, const std::vector<uint64_t> &words) override
  {
    if (beside)
      beside->send(source, destination, words);
  }
  void held(uint32_t node) override
  {
    if (beside)
      beside->hold(node);
  }
  void received(uint32_t node, const std::vector<uint64_t> &words) override
  {
    if (beside)
      beside->received(node, words);
  }
  uint32_t most_flits() const override
  {
    return HD_CUT_FLITS ? HD_CUT_FLITS : UINT16_MAX;
  }

public:
  sc_core::sc_in<bool> clk{"clk"};
  /** Notified when cycle 0 begins. Earlier transactions wait for it. */
  sc_core::sc_event ready;

  SC_HAS_PROCESS(fabric);
  /** The fabric borrows the plan for its whole life. `with_model`: the C model runs beside it,
   *  and a difference is reported as an error (/heddle/fabric). */
  fabric(sc_core::sc_module_name name, const plan &of, bool with_model = true)
      : sc_module(name), shape(of)
  {
    must_fit(of.sw());
    if (with_model)
      beside = std::make_unique<model>(of);
    fabric_services &services = *this;
    for (uint32_t n = 0; n < of.topology.n_nodes; n++)
      endpoints.push_back(
          std::make_unique<endpoint>(("node_" + std::to_string(n)).c_str(), services, n));
    for (uint32_t s = 0; s < of.topology.n_switches; s++)
      add_switch(s);
    for (uint32_t s = 0; s < of.topology.n_switches; s++)
      connect_switch(s);
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }

  /** Node `number`, with its sockets `inject` and `deliver`. */
  endpoint &node(uint32_t number) override
  {
    return *endpoints.at(number);
  }
  uint32_t nodes() const override
  {
    return shape.topology.n_nodes;
  }
  /** The current cycle. 0 until cycle 0 begins. */
  uint64_t cycle() const override
  {
    return cycles;
  }
  /** The number of packets that arrived as in the model. */
  uint64_t packets_checked() const
  {
    return beside ? beside->packets : 0;
  }
};

} // namespace heddle

#endif
