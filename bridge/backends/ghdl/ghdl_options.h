/* Options of GHDL for analysis and for runs.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_GHDL_OPTIONS_H
#define HD_GHDL_OPTIONS_H

/** VHDL-2008. Old habits, such as Synopsys' packages and shared variables, are allowed. */
#define HD_GHDL_OPTIONS "--std=08", "-fsynopsys", "-frelaxed"

#define HD_GHDL_MODULE_NAME "heddle.vpi"

/** Options of a run. No assertion ends the simulation: ghdl_print.c finds failed ones in the
 *  output. IEEE's packages would warn of X in each cycle, also where X is legal (§6.6). Delta
 *  cycles are practically unlimited, so a loop of signals without a register hangs, as in other
 *  simulators, until heddle's time limit. */
#define HD_GHDL_RUN                                                                \
  "--vpi=./" HD_GHDL_MODULE_NAME, "--assert-level=none", "--ieee-asserts=disable", \
      "--stop-delta=1000000000"

/** When a build has started GHDL, the module prints a line for each port: this text, name,
 *  direction (vpiInput …), bits. */
#define HD_GHDL_PORT "heddle port"

#endif
