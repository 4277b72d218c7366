/* Synthesizes the RTL of a switch by Yosys, and keeps the result in the cache of built backends.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The key names Yosys, its script (with the parameters in it) and every source.
 */
#ifndef HD_YOSYS_BUILD_H
#define HD_YOSYS_BUILD_H

#include "../backend.h"
#include "dut_outside.h"

/** A command that ends Yosys where a signal has two drivers or depends on itself; what it says is kept. */
#define HD_YOSYS_CHECKED "check.txt"
#define HD_YOSYS_CHECK "tee -o " HD_YOSYS_CHECKED " check -assert\n"

/** A synthesis: its request, and the place of its result. Zeroed but for the first members; hd_yosys_fini frees the
 *  rest. */
struct hd_yosys {
  const struct hd_backend_options *options;
  const struct hd_switch_params *params;
  const char *what; /* for the one who waits, and in the key: "synthesising the netlist: generic" */
  const char *synthesis; /* commands for hd_switch as it was read; they write `product` */
  const char *product;   /* name of a file */
  const char
      *product_end; /* its last bytes: what Yosys has written on a full disk ends before them */
  char rtl_dir[PATH_MAX + 8];    /* where the RTL was read */
  struct hd_dut_sources sources; /* the caller may add some before the build */
  struct hd_outside outside;
  struct hd_cache_entry entry;
};

/** Finds `product` in the cache or makes it; it is in entry.directory then. Tells options->rtl_files.
 *  HD_E_TOOL with the end of Yosys' output, HD_E_INPUT where it makes no netlist of RTL that simulators take, HD_E_IO, HD_E_NOMEM, HD_E_INTERRUPTED. */
int hd_yosys_build(struct hd_yosys *yosys, struct hd_error *err);
void hd_yosys_fini(struct hd_yosys *yosys);

#endif
