/* Runs a tool that builds an entry of the cache.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BUILD_TOOL_H
#define HD_BUILD_TOOL_H

#include "../backend.h"
#include "../../host/tool_run.h"
#include "dut_cache.h"

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
