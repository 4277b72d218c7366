/* Compiles C++ that Verilator has written, with Verilator's runtime library from the cache.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VERILATED_MAKE_H
#define HD_VERILATED_MAKE_H

#include "../backend.h"
#include "dut_cache.h"
#include "dut_sources.h"

/** Flags for make. OPT_FAST has a default (-Os), which would come behind any -O of CFLAGS and win. The first two
 *  are followed by further options of the compiler; in the last two what Verilator wrote is two files, what runs
 *  in each cycle and what does not, or one. */
#define HD_VERILATED_FAST(options) "OPT_FAST=" options " -include hd_fast.h"
#define HD_VERILATED_SLOW(options) "OPT_SLOW=" options " -include hd_slow.h"
#define HD_VERILATED_TWO_FILES "VM_USER_CLASSES=hd_fast", "VK_OBJS=hd_slow.o"
#define HD_VERILATED_ONE_FILE "VM_USER_CLASSES=hd_all", "VK_OBJS="
/** Verilator chooses how many files it writes. */
#define HD_VERILATED_MANY_FILES "VM_PARALLEL_BUILDS=1"

struct hd_verilated {
  const struct hd_backend_options *options;
  const struct hd_cache_entry *entry; /* in its temporary directory: obj/, where Verilator wrote */
  const char *cache_dir;              /* where the runtime library is kept, too */
  const char *tools;   /* versions of what is used, and flags of Verilator: lines of a key */
  const char *from;    /* what was Verilated, for messages */
  const char *prefix;  /* of the files in obj/: "Vhd_switch" */
  const char *shim;    /* compiled with them: words, as seen from obj/ */
  const char *headers; /* text that includes what all of these include */
  const char *const *own_headers; /* [n_own_headers], our own among them: names in `sources` */
  size_t n_own_headers;
  const struct hd_dut_sources *sources;
  const char *const
      *flags; /* of make, NULL-terminated: those above, and OPT_GLOBAL=… for the library */
  const char *libraries; /* of the linker, beside it */
  const char *product;   /* in obj/, as Verilator was told (-o); moved above it */
};

/** Rules for make that the product depends on: a line of its key. */
extern const char hd_verilated_rules[];

/** Builds the product in entry->temporary and removes obj/. HD_E_TOOL, HD_E_INTERRUPTED, HD_E_IO, HD_E_NOMEM. */
int hd_verilated_make(const struct hd_verilated *verilated, struct hd_error *err);

#endif
