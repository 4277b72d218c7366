/* A router that an argument names: what its description says of fabrics, packets and promises.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "router.h"

#include "../host/file.h"
#include "../wrap/wrap.h"

#include <stdlib.h>
#include <string.h>

static void set_unless_given(struct hd_check_params *p, struct hd_setting *settings,
                             const char *path, const char *value)
{
  size_t n = 0;
  while (n < p->n_settings && strcmp(settings[n].path, path) != 0)
    n++;
  if (!value || n < p->n_settings || n == HD_CHECK_SETTINGS)
    return;
  settings[p->n_settings++] = (struct hd_setting){path, value};
  p->settings = settings;
}

int hd_cli_router_read(struct hd_check_params *p, struct hd_setting *settings, struct hd_error *err)
{
  struct hd_wrap *wrap = NULL;
  if (!p->rtl_dir || !hd_wrap_is_description(p->rtl_dir))
    return HD_OK;
  const int status = hd_wrap_read(&wrap, p->rtl_dir, err);
  if (!status) {
    const struct hd_wrap_takes takes = hd_wrap_takes(wrap);
    p->foreign = true;
    p->takes.ports = takes.ports;
    p->takes.vcs = takes.vcs;
    p->takes.columns = takes.columns;
    p->takes.single = takes.single;
    set_unless_given(p, settings, "run.routes", takes.routes);
    set_unless_given(p, settings, "run.order", takes.order);
  }
  hd_wrap_destroy(wrap);
  return status;
}

bool hd_cli_is_router(const char *path)
{
  char *text = NULL;
  size_t length;
  if (!hd_wrap_is_description(path) || hd_file_read(path, &text, &length, NULL))
    return false;
  const bool is = !strncmp(text, "top:", 4) || strstr(text, "\ntop:");
  free(text);
  return is;
}
