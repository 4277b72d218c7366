/* Runs a tool that builds an entry of the cache.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "build_tool.h"

struct hd_tool hd_build_tool(const struct hd_cache_entry *entry,
                             const struct hd_backend_options *options, const char *package,
                             const char *const *argv)
{
  return (struct hd_tool){.argv = argv,
                          .package = package,
                          .directory = entry->temporary,
                          .log_path = entry->log,
                          .stop = options->stop,
                          .context = options->context};
}

int hd_build_run(const struct hd_cache_entry *entry, const struct hd_backend_options *options,
                 const char *package, const char *const *argv, const char *rtl,
                 struct hd_error *err)
{
  const struct hd_tool tool = hd_build_tool(entry, options, package, argv);
  return hd_tool_must(&tool, rtl, err);
}
