/* Opens the RTL of parameter sets, builds it where it is new, and keeps it open.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "soak.h"

#include "../../host/memory.h"

#include <stdlib.h>
#include <string.h>

struct soak_opened {
  struct hd_switch_params params;
  struct hd_backend backend;
  struct soak_opened *next;
};

int hd_soak_backend(const struct soak_common *common, const struct hd_switch_params *params,
                    const struct hd_dut_ops **ops, struct hd_error *err)
{
  for (struct soak_opened *o = *common->opened; o; o = o->next)
    if (!memcmp(&o->params, params, sizeof *params)) {
      *ops = o->backend.ops;
      return HD_OK;
    }
  struct soak_opened *o = hd_xcalloc(1, sizeof *o);
  struct hd_backend_options options = {
      .rtl_dir = common->rtl_dir, .cache_dir = common->cache_dir, .quick = true};
  const int status =
      hd_backend_open(&o->backend, common->dut ? common->dut : "verilator", params, &options, err);
  if (status) {
    free(o);
    const bool known = status != HD_E_IO && status != HD_E_NOMEM && status != HD_E_INTERRUPTED;
    return known ? HD_E_TOOL : status;
  }
  o->params = *params;
  o->next = *common->opened;
  *common->opened = o;
  *ops = o->backend.ops;
  return HD_OK;
}

const struct hd_backend *hd_soak_backend_of(const struct soak_common *common,
                                            const struct hd_dut_ops *ops)
{
  const struct soak_opened *o = *common->opened;
  while (o && o->backend.ops != ops)
    o = o->next;
  return o ? &o->backend : NULL;
}

void hd_soak_backends_close(const struct soak_common *common)
{
  while (*common->opened) {
    struct soak_opened *o = *common->opened;
    *common->opened = o->next;
    hd_backend_close(&o->backend);
    free(o);
  }
}
