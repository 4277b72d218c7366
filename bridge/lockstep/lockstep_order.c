/* Comparison by order: each output port and channel shows the same flits in the same order, each node
 * receives the same barrier messages, whenever they come (specification §6.2).
 * SPDX-License-Identifier: Apache-2.0
 *
 * For each channel one side is ahead; its flits wait in a queue for the other's.
 */
#include "lockstep_internal.h"

#include "../../cmodel/grow.h"

#include <stdlib.h>
#include <string.h>

struct waiting {
  struct hd_flit_event flit;
  uint64_t cycle;  /* in which it was shown */
  uint32_t packet; /* HD_PACKET_NONE: not known */
};

struct queue {
  struct waiting *flits;
  uint32_t first, n;
  size_t capacity;
  unsigned side; /* whose flits wait */
};

struct order {
  struct queue *queues;
  uint32_t n_queues, ports, vcs;
  bool barrier, coder;
};

struct order *hd_order_create(uint32_t n_switches, uint32_t ports, uint32_t vcs, bool barrier,
                              bool coder)
{
  struct order *o = calloc(1, sizeof *o);
  if (!o)
    return NULL;
  *o = (struct order){NULL, n_switches * ports * vcs, ports, vcs, barrier, coder};
  o->queues = calloc(o->n_queues, sizeof *o->queues);
  if (!o->queues) {
    free(o);
    return NULL;
  }
  return o;
}

void hd_order_destroy(struct order *o)
{
  if (!o)
    return;
  for (uint32_t i = 0; i < o->n_queues; i++)
    free(o->queues[i].flits);
  free(o->queues);
  free(o);
}

static bool push(struct queue *q, const struct hd_flit_event *flit, uint64_t cycle, uint32_t packet)
{
  if (q->first > q->n / 2) {
    memmove(q->flits, q->flits + q->first, (q->n - q->first) * sizeof *q->flits);
    q->n -= q->first;
    q->first = 0;
  }
  if (!HD_ROOM(q->flits, q->capacity, q->n, 1))
    return false;
  q->flits[q->n++] = (struct waiting){*flit, cycle, packet};
  return true;
}

static bool same(const struct hd_flit_event *a, const struct hd_flit_event *b)
{
  return a->data == b->data && a->kind == b->kind;
}

int hd_order_add(struct order *o, unsigned side, uint32_t sw, const struct hd_flit_event *flits,
                 const uint32_t *tags, uint32_t n, uint64_t start, struct hd_divergence *first)
{
  for (uint32_t i = 0; i < n; i++) {
    const struct hd_flit_event *flit = &flits[i];
    if ((o->barrier && (flit->kind & HD_KIND_RESERVED)) || (o->coder && flit->port == 0))
      continue;
    struct hd_divergence d = {.difference = HD_DIFF_FLIT,
                              .cycle = start + flit->cycle,
                              .sw = sw,
                              .port = flit->port,
                              .vc = flit->vc,
                              .has_expected = side == 0,
                              .has_got = side == 1,
                              .expected = *flit,
                              .got = *flit,
                              .packet = tags ? tags[i] : HD_PACKET_NONE};
    if (flit->port >= o->ports || flit->vc >= o->vcs) {
      if (hd_divergence_before(&d, first))
        *first = d;
      continue;
    }
    struct queue *q = &o->queues[(sw * o->ports + flit->port) * o->vcs + flit->vc];
    if (q->first == q->n || q->side == side) {
      q->side = side;
      if (!push(q, flit, d.cycle, d.packet))
        return HD_E_NOMEM;
      continue;
    }
    const struct waiting *waiting = &q->flits[q->first++];
    const struct hd_flit_event *other = &waiting->flit;
    if (same(other, flit))
      continue;
    d.has_expected = d.has_got = true;
    d.expected = side == 0 ? *flit : *other;
    d.got = side == 0 ? *other : *flit;
    if (side == 1)
      d.packet = waiting->packet;
    if (hd_divergence_before(&d, first))
      *first = d;
  }
  return HD_OK;
}

void hd_order_rest(const struct order *o, unsigned sides, uint64_t since,
                   struct hd_divergence *first)
{
  for (uint32_t i = 0; i < o->n_queues; i++) {
    const struct queue *q = &o->queues[i];
    uint32_t place = q->first;
    while (place < q->n && q->flits[place].cycle < since)
      place++;
    if (place == q->n || !(sides >> q->side & 1))
      continue;
    const struct waiting *w = &q->flits[place];
    struct hd_divergence d = {.difference = HD_DIFF_FLIT,
                              .cycle = w->cycle,
                              .sw = i / o->vcs / o->ports,
                              .port = w->flit.port,
                              .vc = w->flit.vc,
                              .has_expected = q->side == 0,
                              .has_got = q->side == 1,
                              .expected = w->flit,
                              .got = w->flit,
                              .packet = w->packet};
    if (hd_divergence_before(&d, first))
      *first = d;
  }
}

/* ── barrier messages of nodes ─────────────────────────────────────────────── */

/* Where the DUT has a timing of its own. Each node's messages are queues of the comparison by order: one
 * a group, as which group comes first is a matter of timing; by order one for all. */

enum { GROUPS = 32 };

int hd_messages_create(struct hd_lockstep *ls, struct hd_error *err)
{
  const struct hd_lockstep_params *p = &ls->params;
  if (p->compare == HD_COMPARE_EXACT || !ls->fabric_params.sw.barrier)
    return HD_OK;
  uint32_t queues = p->compare == HD_COMPARE_ORDER ? 1 : GROUPS;
  ls->messages = hd_order_create(p->topology->n_nodes, queues, 1, false, false);
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
  d.vc = 0xff;
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
  int status = add(ls, ls->reference, 0, cycle);
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
