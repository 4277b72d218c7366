/* Steps of a Verilator build: RTL to C++, then C++ to a shared object.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VERILATOR_STEPS_H
#define HD_VERILATOR_STEPS_H

#include "../rtl/dut_outside.h"
#include "verilator_build.h"

#define HD_VERILATOR_PRODUCT "hd_switch.so"
#define HD_VERILATOR_TRACE_LIST "src/trace.vlt" /* list of signals that are not traced */
#define HD_STRESS_DIRECTORY "src/tb/stress"
#define HD_SYSTEMC_PROGRAM "hd_switch_systemc" /* program that the shared object starts */

struct hd_verilator_job {
  const struct hd_backend_options *options;
  const struct hd_switch_params *params;
  enum hd_verilator_form form;
  const char *rtl_dir;   /* for messages */
  const char *cache_dir; /* also keeps the runtime library */
  const char *tools;     /* versions of the tools, a line each */
  const struct hd_dut_sources *sources;
  struct hd_outside *outside;
  const struct hd_cache_entry *entry;
  size_t n_parameters;
  char parameters[HD_SWITCH_PARAMS][32]; /* NAME=value */
};

/** Calls `tell` with each flag and rule on which the result depends. Stops if `tell` does not
 *  return 0, and returns its status. */
int hd_verilator_flags(const struct hd_verilator_job *job,
                       int (*tell)(void *context, const char *flag), void *context);

/** Builds HD_VERILATOR_PRODUCT in entry->temporary, to which the caller has written the sources.
 *  *again is that of hd_outside_check. */
int hd_verilator_steps(const struct hd_verilator_job *job, bool *again, struct hd_error *err);

#endif
