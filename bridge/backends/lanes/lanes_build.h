/* Builds lane code of a parameter set: RTL to a netlist by Yosys, that to C, that to a shared object.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LANES_BUILD_H
#define HD_LANES_BUILD_H

#include "../backend.h"

#include <limits.h>

#define HD_LANES_NETLIST "hd_switch.json" /* what the synthesis writes */
#define HD_LANES_CODE "src/bridge/backends/lanes/hd_switch.c"

/** Yosys' commands up to gates and flip-flops, after `flatten`. Memories of few rows become flip-flops: they are
 *  read in most cycles. Routing tables and the like stay memories, and are read for the lanes in which somebody
 *  asks. */
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

/** A kind of code that is made of a netlist. */
struct hd_lanes_flavour {
  const char *what;            /* of the synthesis, as struct hd_yosys has it */
  const char *synthesis;       /* after the RTL was read; writes HD_LANES_NETLIST */
  const char *building;        /* for the one who waits */
  const char *const *own;      /* Heddle's files that it is built from: [n_own] */
  const char *const *compiled; /* of these, and HD_LANES_CODE; then NULL */
  size_t n_own;
  bool mutable; /* hd_lanes_write */
};

struct hd_lanes_built {
  char object[PATH_MAX], netlist[PATH_MAX], rtl_dir[PATH_MAX + 8];
};

/** Finds shared object and netlist in the cache or makes them. Errors as hd_backend_open. */
int hd_lanes_build(const struct hd_lanes_flavour *flavour, const struct hd_switch_params *params,
                   const struct hd_backend_options *options, struct hd_lanes_built *built,
                   struct hd_error *err);

#endif
