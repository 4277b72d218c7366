/* Builds the VPI module of a backend.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "vpi_module.h"

#include "../../host/file.h"
#include "../rtl/build_tool.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hd_vpi_module_key(const struct hd_vpi_module *m, struct hd_dut_sources *sources,
                      struct hd_error *err)
{
  static const char *const ask_compiler[] = {"gcc", "--version", NULL};
  int status = hd_key_add(sources, m->simulator, m->about, err);
  if (!status)
    status = hd_key_add_tool(sources, "compiler", ask_compiler, "gcc", err);
  for (const char *const *arg = m->argv; *arg && !status; arg++)
    status = hd_key_add(sources, "module", *arg, err);
  return status;
}

static int compile(const struct hd_vpi_module *m, const struct hd_dut_sources *own,
                   struct hd_cache_entry *entry, struct hd_error *err)
{
  int status = hd_sources_write(own, entry->temporary, err);
  if (!status)
    status = hd_build_run(entry, m->options, m->package, m->argv, m->root, err);
  return status ? hd_cache_abandon(entry, status, err) : hd_cache_publish(entry, err);
}

static int find_entry(const struct hd_vpi_module *m, struct hd_cache_entry *entry,
                      struct hd_error *err)
{
  struct hd_dut_sources own = {.n = 0};
  int status = hd_vpi_module_key(m, &own, err);
  if (!status)
    status = hd_sources_add_own(&own, m->root, m->own, m->n_own, err);
  if (!status)
    status = hd_key_add_sources(&own, err);
  if (!status)
    status = hd_cache_open(entry, m->cache_dir, own.key, m->product, m->options->stop,
                           m->options->context, err);
  if (!status && !entry->hit)
    status = compile(m, &own, entry, err);
  hd_sources_fini(&own);
  return status;
}

int hd_vpi_module_add(const struct hd_vpi_module *m, const char *directory, struct hd_error *err)
{
  struct hd_cache_entry entry;
  char path[2 * PATH_MAX], *bytes = NULL;
  size_t length = 0;
  int status = find_entry(m, &entry, err);
  if (!status) {
    snprintf(path, sizeof path, "%s/%s", entry.directory, m->product);
    status = hd_file_read(path, &bytes, &length, err);
  }
  if (!status) {
    snprintf(path, sizeof path, "%s/%s", directory, m->product);
    status = hd_file_write(path, bytes, length, err);
  }
  free(bytes);
  return status;
}
