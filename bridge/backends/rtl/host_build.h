/* Compiles the shared object of a backend in C: of lanes, and of simulators in processes of their
 * own.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_HOST_BUILD_H
#define HD_HOST_BUILD_H

#include "../backend.h"
#include "dut_cache.h"
#include "dut_sources.h"

#define HD_HOST_PRODUCT "hd_switch.so"

/** Adds the compiler's flags to the key. */
int hd_host_key(struct hd_dut_sources *sources, struct hd_error *err);

/** Compiles C files to HD_HOST_PRODUCT in the entry's temporary directory. `sources` are relative to
 *  that directory, at most 8, with NULL at the end. `parameters` are those of hd_switch_parameters,
 *  `defines` further arguments ("-DNAME=…"), at most 8, with NULL at the end. `rtl` is for messages. HD_E_TOOL,
 *  HD_E_INTERRUPTED. */
int hd_host_compile(const struct hd_cache_entry *entry, const struct hd_backend_options *options,
                    const char *rtl, const char parameters[HD_SWITCH_PARAMS][32],
                    size_t n_parameters, const char *const *defines, const char *const *sources,
                    struct hd_error *err);

#endif
