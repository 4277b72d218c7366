/* Files outside of the RTL directory that the RTL includes: what was built depends on them, too.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Only the tool that reads the RTL knows them, so their names come from its own list, after it has read
 * them. The cache keeps the names (<cache>/<hash>.outside) for each key; the next time what is in
 * these files is part of the key. A build whose list or whose files are not those of its key is not kept,
 * but begun again.
 *
 * In the build directory the link HD_OUTSIDE leads to the RTL directory: `include "../x.vh" is found by
 * it, after the copies in rtl/.
 */
#ifndef HD_DUT_OUTSIDE_H
#define HD_DUT_OUTSIDE_H

#include "dut_cache.h"
#include "dut_sources.h"

#define HD_OUTSIDE "outside"

/** Zeroed is empty. */
struct hd_outside {
  const char *rtl_dir; /* borrowed */
  char list[PATH_MAX]; /* where the names are kept */
  char *lines;         /* of the key */
  unsigned begun;      /* builds */
};
void hd_outside_fini(struct hd_outside *outside);

/** Adds to the key of `sources`, which is complete otherwise, what is in the files that the last build of
 *  it read. Takes the key from before away where it was called already. HD_E_NOMEM, HD_E_IO. */
int hd_outside_add(struct hd_outside *outside, struct hd_dut_sources *sources,
                   const char *cache_dir, const char *rtl_dir, struct hd_error *err);

/** Adds a line to `files` for each file of RTL among the sources and each outside of them: its hash, bytes
 *  and name. Does nothing without `files`. */
struct hd_text;
void hd_external_sources_list(const struct hd_outside *outside,
                              const struct hd_dut_sources *sources, struct hd_text *files);

/** Makes the link in the build directory. HD_E_IO. */
int hd_outside_link(const struct hd_outside *outside, const char *directory, struct hd_error *err);

/** Takes it away. */
void hd_outside_unlink(const char *directory);

/** The formats in which tools list the files that they have read. */
enum hd_outside_format {
  HD_OUTSIDE_VERILATOR, /* PREFIX__verFiles.dat */
  HD_OUTSIDE_ICARUS,    /* iverilog -Mall=FILE */
  HD_OUTSIDE_YOSYS,     /* yosys -E FILE */
};

/** Reads the list `name` in the build directory and takes the link away. *again: the build is not what its
 *  key says; abandon it, and begin with hd_outside_add again. HD_E_INPUT (a file that cannot be meant, or
 *  that changes all the time), HD_E_IO, HD_E_NOMEM. */
int hd_outside_check(struct hd_outside *outside, const char *directory, const char *name,
                     enum hd_outside_format format, bool *again, struct hd_error *err);

#endif
