/* Finds a product in the cache or builds it, and runs the tools of the build.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "build.h"

#include "../../host/install_root.h"

#include <stdio.h>

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

int hd_build_begin(struct hd_build *b, const struct hd_backend_options *options,
                   struct hd_error *err)
{
  b->options = options;
  int status = hd_install_root(b->root, sizeof b->root, err);
  snprintf(b->own_rtl, sizeof b->own_rtl, "%s/rtl", b->root);
  b->rtl_dir = options->rtl_dir ? options->rtl_dir : b->own_rtl;
  return status;
}

int hd_build_find(struct hd_build *b, const char *product,
                  int (*make)(void *context, bool *again, struct hd_error *err), void *context,
                  char *path, size_t size, struct hd_error *err)
{
  int status = hd_install_cache(b->options->cache_dir, b->cache_dir, sizeof b->cache_dir, err);
  for (bool again = true; !status && again;) {
    again = false;
    status = hd_outside_add(&b->outside, &b->sources, b->cache_dir, b->rtl_dir, err);
    if (!status)
      status = hd_cache_open(&b->entry, b->cache_dir, b->sources.key, product, b->options->stop,
                             b->options->context, err);
    if (status || b->entry.hit)
      break;
    status = hd_sources_write(&b->sources, b->entry.temporary, err);
    if (!status)
      status = make(context, &again, err);
    status = status || again ? hd_cache_abandon(&b->entry, status, err)
                             : hd_cache_publish(&b->entry, err);
  }
  if (!status && (size_t)snprintf(path, size, "%s/%s", b->entry.directory, product) >= size)
    status = hd_fail(err, HD_E_IO, "path too long: %.200s", b->entry.directory);
  return status;
}

void hd_build_list_rtl(const struct hd_build *b)
{
  hd_external_sources_list(&b->outside, &b->sources, b->options->rtl_files);
}

void hd_build_end(struct hd_build *b)
{
  hd_outside_fini(&b->outside);
  hd_sources_fini(&b->sources);
}
