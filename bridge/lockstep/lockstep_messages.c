/* Barrier messages that nodes receive, where the DUT has a timing of its own (specification §6.2).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each node's messages are queues of the comparison by order: one a group, as which group comes
 * first is a matter of timing; by order one for all.
 */
#include "lockstep_state.h"

enum { GROUPS = 32 };

int hd_messages_create(struct hd_lockstep *ls, struct hd_error *err)
{
  const struct hd_lockstep_params *p = &ls->params;
  if (p->compare == HD_COMPARE_EXACT || !ls->fabric_params.sw.barrier)
    return HD_OK;
  uint32_t queues = p->compare == HD_COMPARE_ORDER ? 1 : GROUPS;
  ls->messages = hd_order_create(p->topology->n_nodes, queues, 1, false);
  return ls->messages ? HD_OK
                      : hd_fail(err, HD_E_NOMEM, "no memory to compare messages, %u nodes",
                                p->topology->n_nodes);
}

/* The node's place, and the messages as data. */
static struct hd_divergence at_node(const struct hd_lockstep *ls, const struct hd_divergence *found)
{
  struct hd_peer at = ls->params.topology->node_peers[found->sw];
  struct hd_divergence d = *found;
  d.difference = HD_DIFF_BARRIER;
  d.sw = at.index;
  d.port = d.expected.port = d.got.port = at.port;
  return d;
}

static int add(struct hd_lockstep *ls, const struct hd_fabric *fabric, unsigned side,
               uint64_t cycle)
{
  uint32_t n;
  const struct hd_barrier_delivery *d = hd_fabric_barrier_deliveries(fabric, &n);
  bool by_group = ls->params.compare == HD_COMPARE_PACKETS;
  for (uint32_t i = 0; i < n; i++) {
    struct hd_flit_event message = {
        .data = d[i].message, .port = by_group ? (uint8_t)(d[i].message >> 4 & (GROUPS - 1)) : 0};
    struct hd_divergence found = {.difference = HD_DIFF_NONE};
    int status = hd_order_add(ls->messages, side, d[i].node, &message, NULL, 1, cycle, &found);
    if (status)
      return status;
    if (found.difference == HD_DIFF_NONE)
      continue;
    found = at_node(ls, &found);
    if (hd_divergence_before(&found, &ls->workers[0].first))
      ls->workers[0].first = found;
  }
  return HD_OK;
}

int hd_messages_add(struct hd_lockstep *ls, uint64_t cycle)
{
  if (!ls->messages)
    return HD_OK;
  int status = add(ls, ls->model, 0, cycle);
  return status ? status : add(ls, ls->loop, 1, cycle);
}

bool hd_messages_rest(const struct hd_lockstep *ls, unsigned sides, uint64_t since,
                      struct hd_divergence *first)
{
  struct hd_divergence found = {.difference = HD_DIFF_NONE};
  if (!ls->messages)
    return false;
  hd_order_rest(ls->messages, sides, since, &found);
  if (found.difference == HD_DIFF_NONE)
    return false;
  found = at_node(ls, &found);
  if (first && hd_divergence_before(&found, first))
    *first = found;
  return true;
}
