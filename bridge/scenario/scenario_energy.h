/* Lists events of a network that take energy (section `energy` of a scenario).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SCENARIO_ENERGY_H
#define HD_SCENARIO_ENERGY_H

/** Lines X(name, CONSTANT, unit of the count, description of the event). */
#define HD_ENERGY_LIST(X)                                                                \
  X(buffer, BUFFER, "flits",                                                             \
    "a packet's flit that passes a switch: written to an input's "                       \
    "buffer and read from it")                                                           \
  X(crossbar, CROSSBAR, "flits", "a flit of any kind that leaves a switch")              \
  X(link, LINK, "flit-cycles",                                                           \
    "a flit on a link that leads from a switch, for each cycle of "                      \
    "the link; links from nodes do not count")                                           \
  X(head, HEAD, "heads", "a packet's head that leaves a switch: routing and allocation") \
  X(clock, CLOCK, "switch-cycles", "a switch, for each cycle: clock and leakage")

enum hd_energy_event {
#define HD_ENERGY_EVENT(name, NAME, unit, help) HD_ENERGY_##NAME,
  HD_ENERGY_LIST(HD_ENERGY_EVENT)
#undef HD_ENERGY_EVENT
      HD_ENERGY_EVENTS
};

#endif
