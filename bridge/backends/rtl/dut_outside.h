/* Files outside of the RTL directory that the RTL includes, as a part of the cache key.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Only the tool that reads the RTL knows these files, and lists them after it has read them. The
 * cache keeps their names for each key (<cache>/<hash>.outside), and the next build adds the
 * content of the files to its key. If the tool has read other files than the key says, or a file
 * has changed, the build is not kept but repeated.
 *
 * In the build directory the link HD_OUTSIDE points to the RTL directory, so that `include
 * "../x.vh" is found there, after the copies in rtl/.
 */
#ifndef HD_DUT_OUTSIDE_H
#define HD_DUT_OUTSIDE_H

#include "dut_cache.h"
#include "dut_sources.h"

#define HD_OUTSIDE "outside"

/** Zeroed is empty. */
struct hd_outside {
  const char *rtl_dir; /* borrowed */
  char list[PATH_MAX]; /* path of the file with the names */
  char *lines;         /* lines of the key with hash and name of each file */
  unsigned begun;      /* number of builds that were repeated */
};
void hd_outside_fini(struct hd_outside *outside);

/** Adds the files that the last build of this key has read to the key of `sources`, which must be
 *  complete otherwise. If called again, replaces what it has added before. HD_E_NOMEM, HD_E_IO. */
int hd_outside_add(struct hd_outside *outside, struct hd_dut_sources *sources,
                   const char *cache_dir, const char *rtl_dir, struct hd_error *err);

/** Adds a line to `files` for each RTL file, among the sources or outside of them: hash, length in
 *  bytes, name. Does nothing if `files` is NULL. */
struct hd_text;
void hd_external_sources_list(const struct hd_outside *outside,
                              const struct hd_dut_sources *sources, struct hd_text *files);

/** Makes the link HD_OUTSIDE in the build directory. HD_E_IO. */
int hd_outside_link(const struct hd_outside *outside, const char *directory, struct hd_error *err);

/** Removes the link. */
void hd_outside_unlink(const char *directory);

/** Formats in which tools list the files that they have read. */
enum hd_outside_format {
  HD_OUTSIDE_VERILATOR, /* PREFIX__verFiles.dat */
  HD_OUTSIDE_ICARUS,    /* iverilog -Mall=FILE */
  HD_OUTSIDE_YOSYS,     /* yosys -E FILE */
};

/** Reads the tool's list `name` in the build directory and removes the link. *again: the build has
 *  read other files, or other content, than its key says; the caller abandons it and begins again
 *  with hd_outside_add. HD_E_INPUT: a file was found by chance next to the cache, or a file changes
 *  at each build. HD_E_IO, HD_E_NOMEM. */
int hd_outside_check(struct hd_outside *outside, const char *directory, const char *name,
                     enum hd_outside_format format, bool *again, struct hd_error *err);

#endif
