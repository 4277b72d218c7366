/* Builds the Verilator backend of a parameter set when it is needed.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VERILATOR_BUILD_H
#define HD_VERILATOR_BUILD_H

#include "../backend.h"

/** Input and result of a build. */
enum hd_verilator_form {
  HD_VERILATOR_RTL,     /* hd_switch.v as RTL, which takes parameters */
  HD_VERILATOR_NETLIST, /* hd_switch.v as a netlist of these parameters */
  HD_VERILATOR_SYSTEMC, /* RTL as a SystemC module, in a program that the shared object starts */
  HD_VERILATOR_STRESS,  /* hd_stress.v, the bench for two switches (stress.h) */
  HD_VERILATOR_STRESS_FOREIGN, /* hd_stress.v, for two routers of any kind */
};

static inline bool hd_verilator_is_stress(enum hd_verilator_form form)
{
  return form == HD_VERILATOR_STRESS || form == HD_VERILATOR_STRESS_FOREIGN;
}

/** Builds the shared object for `params`, unless the cache has it. `path` gets its path. `options`
 *  are those of hd_backend_open; options->rtl_dir has hd_switch.v. HD_E_TOOL, with the end of the
 *  tool's output and the log's path; HD_E_INPUT, HD_E_IO, HD_E_NOMEM, HD_E_INTERRUPTED. */
int hd_verilator_build(const struct hd_switch_params *params, enum hd_verilator_form form,
                       const struct hd_backend_options *options, char *path, size_t size,
                       struct hd_error *err);

#endif
