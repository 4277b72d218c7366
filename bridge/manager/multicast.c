/* Writes the trees of multicast groups into the switches (specification §13.3, §13.5).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../cmodel/routing/routing_cast.h"
#include "../host/memory.h"
#include "manager_internal.h"

/* Writes only the entries that change. */
int hd_manager_multicast_open(struct hd_manager *m, uint32_t tree, const uint32_t *members,
                              uint32_t n, uint64_t *ready, struct hd_error *err)
{
  const struct hd_topology *t = m->params.topology;
  uint16_t *entries = hd_xcalloc(t->n_switches, sizeof *entries);
  int status = hd_cast_tree(t, members, n, entries, err);
  if (!m->trees)
    m->trees = hd_xcalloc((size_t)t->n_switches * m->params.sw.trees, sizeof *m->trees);
  *ready = hd_fabric_cycle(m->fabric);
  for (uint32_t sw = 0; sw < t->n_switches && !status; sw++) {
    uint16_t *entry = &m->trees[(size_t)sw * m->params.sw.trees + tree];
    if (*entry != entries[sw])
      status = hd_manager_write(m, sw, HD_CFG_TREE(tree), entries[sw], ready, err);
    *entry = entries[sw];
  }
  free(entries);
  return status;
}

int hd_manager_multicast_close(struct hd_manager *m, uint32_t tree, struct hd_error *err)
{
  uint64_t done = 0;
  return hd_manager_multicast_open(m, tree, NULL, 0, &done, err);
}
