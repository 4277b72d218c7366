/* Descriptor of the SystemC backend. verilator_build.c builds it as a variant of the Verilator
 * backend.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../backends.h"
#include "../rtl/dut_options.h"
#include "../rtl/dut_sources.h"
#include "../verilator/verilator_build.h"
#include "manifest.h"

#include <limits.h>

static int open_systemc(struct hd_backend *backend, const struct hd_switch_params *params,
                        const struct hd_backend_options *options, struct hd_error *err)
{
  char path[PATH_MAX];
  int status = hd_options_check("SystemC", HD_OPTIONS_SYSTEMC, options->dut_options, err);
  if (!status)
    status = hd_verilator_build(params, HD_VERILATOR_SYSTEMC, options, path, sizeof path, err);
  return status ? status : hd_backend_load(backend, path, err);
}

static const char *const k_own[] = {HD_SYSTEMC_MANIFEST(HD_OWN) NULL};

const struct hd_backend_kind hd_backend_kind_systemc = {
    .name = "systemc",
    .help = "the RTL as a module of SystemC, clocked by SystemC's kernel",
    .examples = "systemc",
    .simulator_options = HD_OPTIONS_SYSTEMC,
    .own = k_own,
    .builds_rtl = true,
    .as_written = true,
    .open = open_systemc,
};
