/* Options of GHDL, which its library is made with and runs with.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_GHDL_OPTIONS_H
#define HD_GHDL_OPTIONS_H

/** VHDL-2008; old habits, such as Synopsys' packages and shared variables, are allowed. */
#define HD_GHDL_OPTIONS "--std=08", "-fsynopsys", "-frelaxed"

#define HD_GHDL_MODULE_NAME "heddle.vpi"

/** Failed assertions are found in what is printed, so that none ends the simulation. IEEE's packages warn of X in each
 *  cycle, where X is legal (§6.6). A loop of signals without a register counts as hung, as in other simulators. */
#define HD_GHDL_RUN                                                                \
  "--vpi=./" HD_GHDL_MODULE_NAME, "--assert-level=none", "--ieee-asserts=disable", \
      "--stop-delta=1000000000"

/** When heddle has not started it, the module prints each port after this text: name, direction
 *  (vpiInput …), bits. */
#define HD_GHDL_PORT "heddle port"

#endif
