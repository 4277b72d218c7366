/* A switch as gates: Yosys' netlist of the RTL, as Verilog.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_GATES_BUILD_H
#define HD_GATES_BUILD_H

#include "../backend.h"

/** Puts the path of a directory into `directory` whose hd_switch.v is the netlist of the RTL
 *  (options->rtl_dir) with `params`, synthesising it if the cache has none. `flow`: "generic"
 *  (Yosys' own gates), "ice40" or "ecp5" (LUTs, carries, flip-flops and RAMs of these devices).
 *  HD_E_TOOL with the end of the tool's output and the log's path; HD_E_INPUT, HD_E_IO,
 *  HD_E_NOMEM, HD_E_INTERRUPTED. */
int hd_netlist_build(const struct hd_switch_params *params,
                     const struct hd_backend_options *options, const char *flow, char *directory,
                     size_t size, struct hd_error *err);

#endif
