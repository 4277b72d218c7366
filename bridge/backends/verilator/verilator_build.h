/* Builds the Verilator backend of a parameter set, on demand.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VERILATOR_BUILD_H
#define HD_VERILATOR_BUILD_H

#include "../backend.h"

/** Form of the Verilated switch. */
enum hd_verilator_form {
  HD_VERILATOR_RTL,     /* hd_switch.v, which takes parameters */
  HD_VERILATOR_NETLIST, /* hd_switch.v of these parameters, as gates */
  HD_VERILATOR_SYSTEMC, /* hd_switch.v as a module of SystemC, in a program of its own that the shared
                             object starts */
  HD_VERILATOR_STRESS,         /* hd_stress.v, the bench for two switches (stress.h) */
  HD_VERILATOR_STRESS_FOREIGN, /* likewise for two routers of any kind */
};

static inline bool hd_verilator_is_stress(enum hd_verilator_form form)
{
  return form == HD_VERILATOR_STRESS || form == HD_VERILATOR_STRESS_FOREIGN;
}

/** Puts the path of the shared object for `params` into `path`, building it if the cache has
 *  none (hd_backend_open says what options mean; options->rtl_dir is where hd_switch.v is).
 *  HD_E_TOOL with the end of the tool's output and the log's path; HD_E_INPUT, HD_E_IO,
 *  HD_E_NOMEM, HD_E_INTERRUPTED. */
int hd_verilator_build(const struct hd_switch_params *params, enum hd_verilator_form form,
                       const struct hd_backend_options *options, char *path, size_t size,
                       struct hd_error *err);

#endif
