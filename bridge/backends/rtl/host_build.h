/* Compiles the shared object of a backend in C, such as one that stands for a simulator in processes of its own.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_HOST_BUILD_H
#define HD_HOST_BUILD_H

#include "dut_sources.h"
#include "../../host/tool_run.h"

#define HD_HOST_PRODUCT "hd_switch.so"

/** Adds the compiler's flags to the key. */
int hd_host_key(struct hd_dut_sources *sources, struct hd_error *err);

/** Compiles `sources` (C, relative to where->directory, at most 8, then NULL) with the switch's parameters
 *  (hd_switch_parameters) and further arguments (`defines`: "-DNAME=…", at
 *  most 8, then NULL) to HD_HOST_PRODUCT there. `where` says directory, log and who may stop it; `rtl`
 *  is for messages. HD_E_TOOL, HD_E_INTERRUPTED. */
int hd_host_compile(const struct hd_tool *where, const char *rtl,
                    const char parameters[HD_SWITCH_PARAMS][32], size_t n_parameters,
                    const char *const *defines, const char *const *sources, struct hd_error *err);

#endif
