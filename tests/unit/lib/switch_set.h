/* A switch's parameters on one line, for tables of tests.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_SWITCH_SET_H
#define HD_TEST_SWITCH_SET_H

#include "../../../cmodel/switch/params.h"

/** Members of an initializer: a switch that routes and arbitrates in one cycle each. Other members may follow. */
#define SIMPLE_SWITCH(p, v, data, depth, n)                                            \
  .ports = (p), .vcs = (v), .data_bits = (data), .depth_flits = (depth), .nodes = (n), \
  .route_cycles = 1, .arb_cycles = 1

/** A whole initializer. Parameters that are not among these are 0. */
#define SWITCH_SET(p, v, data, depth, n, route, arb, buffer, cut, source, choice, way, entries,  \
                   sw)                                                                           \
  {                                                                                              \
    .ports = (p), .vcs = (v), .data_bits = (data), .depth_flits = (depth), .nodes = (n),         \
    .route_cycles = (route), .arb_cycles = (arb), .buffer_cycles = (buffer), .cut_flits = (cut), \
    .source_table = (source), .adaptive = (choice), .barrier = (way), .groups = (entries),       \
    .switches = (sw)                                                                             \
  }

#endif
