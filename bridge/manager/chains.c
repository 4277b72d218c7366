/* Assigns places of XOR coders to software (specification §11.12).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "manager_internal.h"

#include "../host/memory.h"

/* The chains of the coder at `node`, or NULL: this node has no coder. */
static uint16_t *chains_at(const struct hd_manager *m, uint32_t node)
{
  struct hd_peer exit = m->params.topology->node_exits[node];
  return m->chains && exit.port == 0 ? m->chains + (size_t)exit.index * m->params.sw.code_places
                                     : NULL;
}

static int write_places(struct hd_manager *m, uint32_t node, uint32_t first, uint32_t n,
                        uint16_t data, uint16_t data_of_last, uint64_t *ready, struct hd_error *err)
{
  uint32_t sw = m->params.topology->node_exits[node].index;
  int status = HD_OK;
  for (uint32_t i = 0; i < n && !status; i++)
    status = hd_manager_write(m, sw, HD_CFG_PLACE(first + i), i + 1 < n ? data : data_of_last,
                              ready, err);
  return status;
}

int hd_manager_chain_open(struct hd_manager *m, uint32_t node, uint32_t places, uint32_t *first,
                          uint64_t *ready, enum hd_ep_chain_status *opened, struct hd_error *err)
{
  uint32_t all = m->params.sw.code_places, at = 0;
  *opened = HD_EP_CHAIN_UNSUPPORTED;
  if (all && !m->chains)
    m->chains = hd_xcalloc((size_t)m->params.topology->n_switches * all, sizeof *m->chains);
  uint16_t *chains = chains_at(m, node);
  if (!chains)
    return HD_OK;
  *opened = HD_EP_CHAIN_FULL;
  if (places > all)
    return HD_OK;
  uint32_t room = 0; /* free places in a row from `at` on */
  while (at + places <= all && room < places)
    if (chains[at + room]) {
      at += room + chains[at + room];
      room = 0;
    } else {
      room++;
    }
  if (room < places)
    return HD_OK;
  *opened = HD_EP_CHAIN_OPEN;
  *first = at;
  chains[at] = (uint16_t)places;
  return write_places(m, node, at, places, HD_PLACE_OPEN, HD_PLACE_OPEN | HD_PLACE_LAST, ready,
                      err);
}

int hd_manager_chain_close(struct hd_manager *m, uint32_t node, uint32_t first, uint32_t places,
                           uint64_t *done, bool *open, struct hd_error *err)
{
  uint16_t *chains = chains_at(m, node);
  *open = chains && places && first < m->params.sw.code_places && chains[first] == places;
  if (!*open)
    return HD_OK;
  chains[first] = 0;
  return write_places(m, node, first, places, 0, 0, done, err);
}
