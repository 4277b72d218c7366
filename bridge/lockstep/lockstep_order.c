/* Comparison by order (specification §6.2): both sides show equal flits in equal order on each output port and channel, and each node receives equal barrier messages, at any time.
 * SPDX-License-Identifier: Apache-2.0
 *
 * On each channel the flits of the side that is ahead wait in a queue for the other side's.
 */
#include "lockstep_internal.h"

#include "../../cmodel/grow.h"

#include <stdlib.h>
#include <string.h>

struct waiting {
  struct hd_flit_event flit;
  uint64_t cycle;  /* cycle in which the event was shown */
  uint32_t packet; /* HD_PACKET_NONE: not known */
};

struct queue {
  struct waiting *flits;
  uint32_t first, n;
  size_t capacity;
  unsigned side; /* the side whose flits wait */
};

struct order {
  struct queue *queues;
  uint32_t n_queues, ports, vcs;
  bool barrier, coder;
};

static struct order *create_order(uint32_t n_switches, uint32_t ports, uint32_t vcs, bool barrier,
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

static void destroy_order(struct order *o)
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

static bool equal_flits(const struct hd_flit_event *a, const struct hd_flit_event *b)
{
  return a->data == b->data && a->kind == b->kind;
}

/* Adds flits that the model (side 0) or the DUT (side 1) showed. tags[n]: their packets, as far
 * as the model knows them; NULL: not known. HD_E_NOMEM. */
static int add_flits(struct order *o, unsigned side, uint32_t sw, const struct hd_flit_event *flits,
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
      hd_divergence_keep(first, &d);
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
    if (equal_flits(other, flit))
      continue;
    d.has_expected = d.has_got = true;
    d.expected = side == 0 ? *flit : *other;
    d.got = side == 0 ? *other : *flit;
    if (side == 1)
      d.packet = waiting->packet;
    hd_divergence_keep(first, &d);
  }
  return HD_OK;
}

static void find_rest(const struct order *o, unsigned sides, uint64_t since,
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
    hd_divergence_keep(first, &d);
  }
}

static int create(struct hd_lockstep *ls, struct hd_error *err)
{
  const struct hd_switch_params *sw = &ls->fabric_params.sw;
  ls->order = create_order(ls->n_switches, sw->ports, sw->vcs, sw->barrier, sw->code_places);
  return ls->order ? HD_OK : hd_fail(err, HD_E_NOMEM, "no memory to compare by order");
}

static void destroy(struct hd_lockstep *ls)
{
  destroy_order(ls->order);
}

static int add_window(struct hd_lockstep *ls, const struct hd_dut_job *job,
                      const struct hd_dut_expected *shown, struct hd_divergence *first)
{
  return add_flits(ls->order, 1, job->sw, shown->flits, NULL, shown->n_flits, job->start, first);
}

static int add_cycle(struct hd_lockstep *ls, uint64_t cycle, struct hd_divergence *first)
{
  int status = HD_OK;
  for (uint32_t sw = 0; sw < ls->n_switches && !status; sw++) {
    const struct hd_switch_record *r = &ls->under_test->record.switches[sw];
    status = add_flits(ls->order, 0, sw, r->flits_out, r->tags_out, r->n_flits_out, cycle, first);
  }
  return status;
}

static void find_flit(const struct hd_lockstep *ls, unsigned sides, uint64_t since,
                      struct hd_divergence *first)
{
  find_rest(ls->order, sides, since, first);
}

const struct comparator hd_compare_order = {.create = create,
                                            .destroy = destroy,
                                            .window = add_window,
                                            .cycle = add_cycle,
                                            .rest = find_flit,
                                            .rest_place = HD_REST_ANYWHERE};

/* ── barrier messages of nodes ─────────────────────────────────────────────── */

/* In comparison by packets, messages of different groups may reach a node in another order. So
 * there each node has a queue for each group; comparison by order uses one queue for all groups. */

enum { GROUPS = 32 };

static bool has_messages(const struct hd_lockstep *ls)
{
  return ls->fabric_params.sw.barrier;
}

static int create_messages(struct hd_lockstep *ls, struct hd_error *err)
{
  const uint32_t queues = ls->params.compare == HD_COMPARE_ORDER ? 1 : GROUPS;
  const uint32_t nodes = ls->params.topology->n_nodes;
  ls->messages = create_order(nodes, queues, 1, false, false);
  return ls->messages ? HD_OK
                      : hd_fail(err, HD_E_NOMEM, "no memory to compare messages, %u nodes", nodes);
}

static void destroy_messages(struct hd_lockstep *ls)
{
  destroy_order(ls->messages);
}

/* Turns a difference of a queue into one at the node's port, with the messages as data. */
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

static int add_messages(struct hd_lockstep *ls, unsigned side, uint64_t cycle,
                        struct hd_divergence *first)
{
  uint32_t n;
  const struct hd_fabric *fabric = side ? ls->loop : ls->reference;
  const struct hd_barrier_delivery *d = hd_fabric_barrier_deliveries(fabric, &n);
  bool by_group = ls->params.compare == HD_COMPARE_PACKETS;
  for (uint32_t i = 0; i < n; i++) {
    struct hd_flit_event message = {
        .data = d[i].message, .port = by_group ? (uint8_t)(d[i].message >> 4 & (GROUPS - 1)) : 0};
    struct hd_divergence found = {.difference = HD_DIFF_NONE};
    int status = add_flits(ls->messages, side, d[i].node, &message, NULL, 1, cycle, &found);
    if (status)
      return status;
    if (found.difference == HD_DIFF_NONE)
      continue;
    found = at_node(ls, &found);
    hd_divergence_keep(first, &found);
  }
  return HD_OK;
}

static int add_both(struct hd_lockstep *ls, uint64_t cycle, struct hd_divergence *first)
{
  int status = add_messages(ls, 0, cycle, first);
  return status ? status : add_messages(ls, 1, cycle, first);
}

static void find_message(const struct hd_lockstep *ls, unsigned sides, uint64_t since,
                         struct hd_divergence *first)
{
  struct hd_divergence found = {.difference = HD_DIFF_NONE};
  find_rest(ls->messages, sides, since, &found);
  if (found.difference == HD_DIFF_NONE)
    return;
  found = at_node(ls, &found);
  hd_divergence_keep(first, &found);
}

const struct comparator hd_compare_messages = {.is_needed = has_messages,
                                               .create = create_messages,
                                               .destroy = destroy_messages,
                                               .cycle = add_both,
                                               .rest = find_message,
                                               .rest_place = HD_REST_NODES};
