// The C model beside a SystemC fabric, which must deliver the same packets in the same cycles.
// SPDX-License-Identifier: Apache-2.0
#ifndef HEDDLE_MODEL_H
#define HEDDLE_MODEL_H

#define _Static_assert static_assert
extern "C" {
#include "../scenario/scenario.h"
}

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle
{

/** A scenario's fabric: links, tables and the switch's parameters. Throws std::runtime_error,
 *  which says what is wrong and where. */
class plan
{
  hd_scenario scenario = {};

  [[noreturn]] void fail(const char *text)
  {
    hd_tables_fini(&tables);
    hd_topology_fini(&topology);
    hd_scenario_fini(&scenario);
    throw std::runtime_error(text);
  }

public:
  hd_topology topology = {};
  hd_tables tables = {};

  explicit plan(const std::string &path)
  {
    hd_error err = {};
    if (hd_scenario_read(&scenario, path.c_str(), &err) ||
        hd_scenario_build(&scenario, &topology, &tables, &err))
      fail(err.text);
    if (scenario.n_faults || scenario.sw.barrier || topology.link_cycles)
      fail((path +
            ": a SystemC fabric has neither faults nor barrier messages, and one latency for "
            "all links")
               .c_str());
  }
  ~plan()
  {
    hd_tables_fini(&tables);
    hd_topology_fini(&topology);
    hd_scenario_fini(&scenario);
  }
  plan(const plan &) = delete;
  plan &operator=(const plan &) = delete;

  const hd_switch_params &sw() const
  {
    return scenario.sw;
  }
  unsigned link_cycles() const
  {
    return scenario.fabric.link_cycles;
  }
};

/** Follows a fabric cycle by cycle. Every function throws std::runtime_error if the model fails. */
class model
{
  hd_fabric *fabric = nullptr;
  std::map<uint32_t, std::vector<uint64_t>> arrived; // packets that arrived in this cycle, by node

  static void must(int status, const hd_error &err)
  {
    if (status)
      throw std::runtime_error(err.text);
  }

public:
  uint64_t packets = 0; // compared

  explicit model(const plan &of)
  {
    const hd_fabric_params params = {of.sw(), of.link_cycles(), 0, false, false};
    hd_error err = {};
    must(hd_fabric_create(&fabric, &params, &of.topology, &of.tables, &err), err);
  }
  ~model()
  {
    hd_fabric_destroy(fabric);
  }
  model(const model &) = delete;
  model &operator=(const model &) = delete;

  void send(uint32_t source, uint32_t destination, const std::vector<uint64_t> &words)
  {
    hd_packet packet = {};
    packet.source = source;
    packet.destination = destination;
    packet.flits = static_cast<uint32_t>(words.size());
    packet.payload = words.data() + 1;
    uint32_t number;
    hd_error err = {};
    must(hd_fabric_send(fabric, &packet, &number, &err), err);
  }
  void hold(uint32_t node)
  {
    hd_error err = {};
    must(hd_fabric_hold(fabric, node, 1, &err), err);
  }
  void received(uint32_t node, const std::vector<uint64_t> &words)
  {
    arrived[node] = words;
  }

  /** Ends a cycle. Returns "", or a sentence that says how the model differs. */
  std::string step()
  {
    hd_error err = {};
    const uint64_t cycle = hd_fabric_cycle(fabric);
    uint32_t n;
    must(hd_fabric_step(fabric, &err), err);
    const hd_delivery *const expected = hd_fabric_deliveries(fabric, &n);
    std::string text;
    for (uint32_t i = 0; i < n && text.empty(); i++) {
      const auto found = arrived.find(expected[i].node);
      const std::vector<uint64_t> words(expected[i].words, expected[i].words + expected[i].flits);
      if (found == arrived.end())
        text = "the model's node " + std::to_string(expected[i].node) +
               " receives a packet, the RTL's does not";
      else if (found->second != words)
        text = "node " + std::to_string(expected[i].node) +
               " receives another packet than the model's";
      else
        packets++;
      if (found != arrived.end())
        arrived.erase(found);
    }
    if (text.empty() && !arrived.empty())
      text = "node " + std::to_string(arrived.begin()->first) +
             " receives a packet, the model's does not";
    arrived.clear();
    return text.empty() ? text : "cycle " + std::to_string(cycle) + ": " + text;
  }
};

} // namespace heddle

#endif
