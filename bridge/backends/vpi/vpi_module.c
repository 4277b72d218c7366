/* Builds the VPI module of a backend.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "vpi_module.h"

#include "../../host/file.h"
#include "../rtl/build.h"

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

struct module_build {
  struct hd_build base;
  const struct hd_vpi_module *module;
};

static int make(void *context, bool *again, struct hd_error *err)
{
  const struct module_build *b = context;
  const struct hd_vpi_module *m = b->module;
  (void)again;
  return hd_build_run(&b->base.entry, m->options, m->package, m->argv, b->base.root, err);
}

static int find_module(const struct hd_vpi_module *m, char *path, size_t size, struct hd_error *err)
{
  struct module_build b = {.module = m};
  struct hd_dut_sources *own = &b.base.sources;
  int status = hd_build_begin(&b.base, m->options, err);
  if (!status)
    status = hd_vpi_module_key(m, own, err);
  if (!status)
    status = hd_sources_add_own(own, b.base.root, m->own, m->n_own, err);
  if (!status)
    status = hd_key_add_sources(own, err);
  if (!status)
    status = hd_build_find(&b.base, m->product, make, &b, path, size, err);
  hd_build_end(&b.base);
  return status;
}

int hd_vpi_module_add(const struct hd_vpi_module *m, const char *directory, struct hd_error *err)
{
  char path[2 * PATH_MAX], *bytes = NULL;
  size_t length = 0;
  int status = find_module(m, path, sizeof path, err);
  if (!status)
    status = hd_file_read(path, &bytes, &length, err);
  if (!status) {
    snprintf(path, sizeof path, "%s/%s", directory, m->product);
    status = hd_file_write(path, bytes, length, err);
  }
  free(bytes);
  return status;
}
