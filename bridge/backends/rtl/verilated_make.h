/* Compiles C++ that Verilator has written, with Verilator's runtime library from the cache.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VERILATED_MAKE_H
#define HD_VERILATED_MAKE_H

#include "../backend.h"
#include "dut_cache.h"
#include "dut_sources.h"

/** Flags for make. OPT_FAST must be set, because its default (-Os) comes after any -O in CFLAGS and
 *  wins. FAST and SLOW set the compiler's options for code that runs in each cycle and for all
 *  other code. TWO_FILES joins Verilator's files into one of each kind, ONE_FILE joins all of
 *  them. */
#define HD_VERILATED_FAST(options) "OPT_FAST=" options " -include hd_fast.h"
#define HD_VERILATED_SLOW(options) "OPT_SLOW=" options " -include hd_slow.h"
#define HD_VERILATED_TWO_FILES "VM_USER_CLASSES=hd_fast", "VK_OBJS=hd_slow.o"
#define HD_VERILATED_ONE_FILE "VM_USER_CLASSES=hd_all", "VK_OBJS="
/** Verilator chooses how many files it writes. */
#define HD_VERILATED_MANY_FILES "VM_PARALLEL_BUILDS=1"

struct hd_verilated {
  const struct hd_backend_options *options;
  const struct hd_cache_entry *entry; /* in its temporary directory: obj/, where Verilator wrote */
  const char *cache_dir;              /* also keeps the runtime library */
  const char *tools;              /* lines of a key: versions of the tools, flags of Verilator */
  const char *rtl_dir;            /* the RTL, for messages */
  const char *prefix;             /* prefix of the files in obj/: "Vhd_switch" */
  const char *shim;               /* C++ files to compile with them: words, relative to obj/ */
  const char *headers;            /* text that includes the headers that all these files include */
  const char *const *own_headers; /* [n_own_headers], Heddle's own among them: names in `sources` */
  size_t n_own_headers;
  const struct hd_dut_sources *sources;
  /** Flags of make: those above, and OPT_GLOBAL=… for the library. NULL at the end. */
  const char *const *flags;
  const char *libraries; /* further libraries for the linker */
  const char *product;   /* name of the result; make writes it to obj/, then it is moved up */
};

/** Rules for make. The product's key must have them as a line. */
extern const char hd_verilated_rules[];

/** Builds the product in entry->temporary and removes obj/. HD_E_TOOL, HD_E_INTERRUPTED, HD_E_IO,
 *  HD_E_NOMEM. */
int hd_verilated_make(const struct hd_verilated *verilated, struct hd_error *err);

#endif
