/* Builds the Icarus backend of a parameter set, on demand.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_ICARUS_BUILD_H
#define HD_ICARUS_BUILD_H

#include "../backend.h"

/** What is simulated instead of the RTL directory: another backend's result, a netlist. NULL: what
 *  options->rtl_dir and options->dut_options say. */
struct hd_icarus_sources {
  const char *const *paths; /* Verilog files; among them they hold a module hd_switch */
  size_t n;
};

/** Path of the shared object for `params`, built when it is not in the cache. HD_E_TOOL (also: a
 *  tool is missing), HD_E_IO, HD_E_INPUT, HD_E_INTERRUPTED. */
int hd_icarus_build(const struct hd_switch_params *params, const struct hd_backend_options *options,
                    const struct hd_icarus_sources *sources, char *path, size_t size,
                    struct hd_error *err);

#endif
