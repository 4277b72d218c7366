/* Finds a product in the cache or builds it, and runs the tools of the build.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BUILD_H
#define HD_BUILD_H

#include "../backend.h"
#include "../../host/tool_run.h"
#include "dut_cache.h"
#include "dut_outside.h"
#include "dut_sources.h"

/** A build: on what its product depends, and its entry in the cache. Zeroed before it begins. */
struct hd_build {
  const struct hd_backend_options *options;
  const char *rtl_dir; /* of the options, or Heddle's own */
  char root[PATH_MAX], own_rtl[PATH_MAX + 8];
  char cache_dir[PATH_MAX]; /* hd_build_find fills it */
  struct hd_dut_sources sources;
  struct hd_outside outside;
  struct hd_cache_entry entry;
};

/** Finds Heddle's sources and the RTL. HD_E_INPUT. */
int hd_build_begin(struct hd_build *build, const struct hd_backend_options *options,
                   struct hd_error *err);

/** Finds a product in the cache, or builds it, also again if its RTL includes files that are not in
 *  the key. The key of the sources must be complete. `make` builds the file `product` in
 *  entry.temporary, which has the sources; its *again is false at first, and becomes that of
 *  hd_outside_check. `path` gets the path. HD_E_IO, HD_E_INPUT (no
 *  place for a cache), HD_E_INTERRUPTED, HD_E_NOMEM; those of `make`. */
int hd_build_find(struct hd_build *build, const char *product,
                  int (*make)(void *context, bool *again, struct hd_error *err), void *context,
                  char *path, size_t size, struct hd_error *err);

/** Adds the RTL's files to options->rtl_files, if that is not NULL. */
void hd_build_list_rtl(const struct hd_build *build);

void hd_build_end(struct hd_build *build);

/** Returns a tool that works in the entry's temporary directory, writes to its log and ends when
 *  the options' `stop` says so. `package` and `argv` are borrowed. */
struct hd_tool hd_build_tool(const struct hd_cache_entry *entry,
                             const struct hd_backend_options *options, const char *package,
                             const char *const *argv);

/** Runs such a tool. `rtl` is for messages. HD_E_TOOL (an exit code other than 0),
 *  HD_E_INTERRUPTED. */
int hd_build_run(const struct hd_cache_entry *entry, const struct hd_backend_options *options,
                 const char *package, const char *const *argv, const char *rtl,
                 struct hd_error *err);

#endif
