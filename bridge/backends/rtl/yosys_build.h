/* Synthesizes the RTL of a switch with Yosys, and keeps the result in the cache of built backends.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The cache key has Yosys' version, its scripts, which have the parameters, and all sources.
 */
#ifndef HD_YOSYS_BUILD_H
#define HD_YOSYS_BUILD_H

#include "build.h"

/** Command of Yosys that fails if a signal has two drivers or depends on itself. Its output is kept
 *  in a file. */
#define HD_YOSYS_CHECKED "check.txt"
#define HD_YOSYS_CHECK "tee -o " HD_YOSYS_CHECKED " check -assert\n"

/** A synthesis and its result. The caller sets the members up to product_end and zeroes the others.
 *  hd_yosys_fini frees them. */
struct hd_yosys {
  const struct hd_backend_options *options;
  const struct hd_switch_params *params;
  const char *what;        /* message and line of the key: "synthesising the netlist: generic" */
  const char *synthesis;   /* commands after the RTL was read; they write `product` */
  const char *product;     /* name of the file that they write */
  const char *product_end; /* its last bytes; if they are missing, the disk was full */
  struct hd_build base;    /* the caller may add sources before the build */
};

/** Builds `product`, unless the cache has it. It is then in base.entry.directory. Lists the RTL in
 *  options->rtl_files. HD_E_TOOL, with the end of Yosys' output. HD_E_INPUT: Yosys refuses RTL that
 *  simulators take. HD_E_IO, HD_E_NOMEM, HD_E_INTERRUPTED. */
int hd_yosys_build(struct hd_yosys *yosys, struct hd_error *err);
void hd_yosys_fini(struct hd_yosys *yosys);

#endif
