/* Builds lane code of a parameter set: Yosys turns RTL into a netlist, which becomes C, then a
 * shared object.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LANES_BUILD_H
#define HD_LANES_BUILD_H

#include "../backend.h"

#include <limits.h>

#define HD_LANES_NETLIST "hd_switch.json" /* output of the synthesis */
#define HD_LANES_CODE "src/bridge/backends/lanes/hd_switch.c"

/** Commands of Yosys that turn the flattened design into gates and flip-flops. Memories of at most
 *  16 rows become flip-flops, because they are read in most cycles. Larger ones, such as routing
 *  tables, stay memories, and are read only for the lanes whose read port is enabled. */
#define HD_LANES_GATES                   \
  "async2sync\n"                         \
  "opt\n"                                \
  "wreduce\n"                            \
  "opt\n"                                \
  "memory -nomap\n"                      \
  "opt_clean\n"                          \
  "memory_map t:$mem_v2 r:SIZE<=16 %i\n" \
  "opt -fast\n"                          \
  "techmap\n"                            \
  "simplemap\n"

/** A kind of code that is written from a netlist: plain lanes, or lanes for mutants. */
struct hd_lanes_flavour {
  const char *what;            /* hd_yosys.what of the synthesis */
  const char *synthesis;       /* commands after the RTL was read; they write HD_LANES_NETLIST */
  const char *building;        /* beginning of the message about the build */
  const char *const *own;      /* [n_own], Heddle's files from which it is built */
  const char *const *compiled; /* files to compile, HD_LANES_CODE among them; NULL ends it */
  size_t n_own;
  bool with_faults; /* cells can have faults (hd_lanes_write) */
};

struct hd_lanes_built {
  char object[PATH_MAX], netlist[PATH_MAX], rtl_dir[PATH_MAX + 8];
};

/** Finds the shared object and the netlist in the cache, or builds them. Errors are those of
 *  hd_backend_open. */
int hd_lanes_build(const struct hd_lanes_flavour *flavour, const struct hd_switch_params *params,
                   const struct hd_backend_options *options, struct hd_lanes_built *built,
                   struct hd_error *err);

#endif
