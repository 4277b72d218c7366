/* Derives a scenario's keys from the description of a whole network.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_internal.h"

#include "../host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct hd_wrap_network *n, const char *path, const char *value)
{
  n->settings[n->n++] = (struct hd_setting){path, value};
}

/* Replaces the whole fabric, since each topology has its own keys. */
static void fill(struct hd_wrap_network *n, const struct hd_wrap *w)
{
  const struct hd_wrap_takes takes = hd_wrap_takes(w);
  struct hd_text fabric = {0};
  hd_wrap_add_fabric(w, &fabric);
  n->fabric = hd_xstrdup(hd_text_chars(&fabric));
  hd_text_fini(&fabric);
  add(n, "fabric", n->fabric);
  add(n, "routing", "{algorithm: minimal}");
  snprintf(n->nodes, sizeof n->nodes, "%u", takes.ports);
  add(n, "switch.nodes", n->nodes);
  add(n, "run.mode", "closed");
  add(n, "run.compare", "packets");
  if (takes.vcs) {
    snprintf(n->vcs, sizeof n->vcs, "%u", takes.vcs);
    add(n, "switch.vcs", n->vcs);
  }
  if (takes.routes)
    add(n, "run.routes", takes.routes);
  if (takes.order)
    add(n, "run.order", takes.order);
  const uint32_t waits =
      w->reset_cycles + w->settle_cycles; /* waits in this time must not break P14 */
  if (waits > HD_NETWORK_HELD_CYCLES / 2) {
    snprintf(n->held, sizeof n->held, "%" PRIu32, waits + HD_NETWORK_HELD_CYCLES);
    add(n, "run.held_cycles", n->held);
  }
}

int hd_wrap_network(struct hd_wrap_network *network, const char *rtl, struct hd_error *err)
{
  struct hd_wrap *wrap = NULL;
  *network = (struct hd_wrap_network){.n = 0};
  if (!rtl || !hd_wrap_is_description(rtl))
    return HD_OK;
  const int status = hd_wrap_read(&wrap, rtl, err);
  if (!status && wrap->network)
    fill(network, wrap);
  hd_wrap_destroy(wrap);
  return status;
}

void hd_wrap_network_fini(struct hd_wrap_network *network)
{
  free(network->fabric);
}
