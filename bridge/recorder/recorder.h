/* Records what an MPI program does, as a trace of a program (docs/traces.md).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A shared object with MPI's profiling interface (recorder_mpi.h) is loaded into each of the
 * program's processes. Each process writes its part into a directory. This file joins the parts to
 * one trace.
 */
#ifndef HD_RECORDER_H
#define HD_RECORDER_H

#include "../../cmodel/error.h"

#include <stdint.h>

struct hd_recorded {
  uint32_t ranks;
  uint64_t operations;
};

/** Runs the command (NULL-terminated), loads the shared object `plugin` into its processes, and
 *  writes the trace. HD_E_TOOL: the command cannot be run, fails, or is no MPI program that the
 *  shared object fits; HD_E_IO. */
int hd_record_program(char *const *command, const char *plugin, const char *trace,
                      struct hd_recorded *recorded, struct hd_error *err);

#endif
