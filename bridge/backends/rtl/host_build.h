/* Compiles the shared object of a backend in C: of lanes, and of simulators in processes of their
 * own.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_HOST_BUILD_H
#define HD_HOST_BUILD_H

#include "dut_sources.h"
#include "../../host/tool_run.h"

#define HD_HOST_PRODUCT "hd_switch.so"

/** Adds the compiler's flags to the key. */
int hd_host_key(struct hd_dut_sources *sources, struct hd_error *err);

/** Compiles C files to HD_HOST_PRODUCT in where->directory. `sources` are relative to that
 *  directory, at most 8, with NULL at the end. `parameters` are those of hd_switch_parameters,
 *  `defines` further arguments ("-DNAME=…"), at most 8, with NULL at the end. `where` also has the
 *  log and the function that stops the compiler. `rtl` is for messages. HD_E_TOOL,
 *  HD_E_INTERRUPTED. */
int hd_host_compile(const struct hd_tool *where, const char *rtl,
                    const char parameters[HD_SWITCH_PARAMS][32], size_t n_parameters,
                    const char *const *defines, const char *const *sources, struct hd_error *err);

#endif
