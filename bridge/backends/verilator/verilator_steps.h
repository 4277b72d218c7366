/* The two steps of a Verilator build: RTL to C++, C++ to a shared object.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VERILATOR_STEPS_H
#define HD_VERILATOR_STEPS_H

#include "../rtl/dut_outside.h"
#include "verilator_build.h"

#define HD_VERILATOR_PRODUCT "hd_switch.so"
#define HD_VERILATOR_TRACE_LIST "src/trace.vlt" /* which signals waves show */
#define HD_STRESS_DIRECTORY "src/tb/stress"
#define HD_SYSTEMC_PROGRAM "hd_switch_systemc" /* what the shared object starts, beside it */

struct hd_verilator_job {
  const struct hd_backend_options *options;
  const struct hd_switch_params *params;
  enum hd_verilator_form form;
  const char *rtl_dir;   /* for messages */
  const char *cache_dir; /* where the runtime library is kept, too */
  const char *tools;     /* versions of what is used, as lines */
  const struct hd_dut_sources *sources;
  struct hd_outside *outside;
  const struct hd_cache_entry *entry;
  size_t n_parameters;
  char parameters[HD_SWITCH_PARAMS][32]; /* NAME=value */
};

/** Flags that the result depends on, one a call. Stops at a status that is not 0, returns it. */
int hd_verilator_flags(const struct hd_verilator_job *job,
                       int (*tell)(void *context, const char *flag), void *context);

/** Builds HD_VERILATOR_PRODUCT in entry->temporary, where the sources and the list are. *again: as
 *  hd_outside_check says. */
int hd_verilator_steps(const struct hd_verilator_job *job, bool *again, struct hd_error *err);

#endif
