/* Fixtures for tests of bit lanes: a switch that has everything, and netlists of a few cells.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_LANES_FIXTURE_H
#define HD_TEST_LANES_FIXTURE_H

#include "../../../cmodel/switch/params.h"

/** All kinds of memories and units in few gates: buffers are memories that are read without a clock. */
extern const struct hd_switch_params lanes_whole;

/** The switch of lanes_netlist: 2 ports and a channel. */
extern const struct hd_switch_params lanes_few;

/** The JSON of a switch of 2 ports and a channel with `cells`; all outputs are net 9, rst is net 10, the inputs those
 *  from 11 on. The caller frees it. */
char *lanes_netlist(const char *cells);

#endif
