/* Contention, found before a run.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "contention.h"

#include "../../bridge/host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct finder {
  const struct hd_topology *topology;
  const struct hd_tables *tables;
  const struct hd_slot_message *messages;
  size_t *order;  /* [n_messages] indices of messages, sorted by slot */
  size_t *holder; /* [links] 1 + the message that took the link first; 0: none */
  void (*each)(void *context, const struct hd_contention *contention);
  void *context;
  uint64_t n;
};

/* Notes that a message takes a link. A message of an earlier slot no longer holds it. */
static void occupy_link(struct finder *f, size_t message, struct hd_slot_link link)
{
  const struct hd_topology *t = f->topology;
  size_t number = link.from_node ? (size_t)t->n_switches * t->ports + link.index
                                 : (size_t)link.index * t->ports + link.port;
  size_t holder = f->holder[number];
  if (!holder || f->messages[holder - 1].slot != f->messages[message].slot) {
    f->holder[number] = message + 1;
    return;
  }
  f->n++;
  if (f->each)
    f->each(f->context, &(struct hd_contention){holder - 1, message, link});
}

static int fail_message(const struct hd_slot_message *m, const char *why, const struct hd_peer *at,
                        struct hd_error *err)
{
  return hd_fail(err, HD_E_INPUT,
                 "slot %" PRIu32 ": no way from n%" PRIu32 " to n%" PRIu32 ": %s s%u", m->slot,
                 m->source, m->destination, why, at->index);
}

static int follow_message(struct finder *f, size_t message, struct hd_error *err)
{
  const struct hd_topology *t = f->topology;
  const struct hd_slot_message *m = &f->messages[message];
  if (m->source >= t->n_nodes || m->destination >= t->n_nodes)
    return hd_fail(err, HD_E_INPUT,
                   "slot %" PRIu32 ": a message from n%" PRIu32 " to n%" PRIu32
                   "; nodes are 0 … %" PRIu32,
                   m->slot, m->source, m->destination, t->n_nodes - 1);
  if (m->source == m->destination)
    return HD_OK;
  struct hd_peer at = t->node_peers[m->source];
  occupy_link(f, message, (struct hd_slot_link){.from_node = true, .index = m->source});
  for (uint32_t hops = 0; hops < t->n_switches * t->ports; hops++) {
    uint16_t entry = hd_routing_entry(f->tables, &at, m->source, m->destination);
    uint32_t port = hd_routing_port(f->tables, entry, m->destination);
    if (!(entry >> 12 & 1) || port >= t->ports)
      return fail_message(m, "there is no routing table entry in", &at, err);
    occupy_link(f, message, (struct hd_slot_link){.index = at.index, .port = port});
    struct hd_peer next = t->peers[(size_t)at.index * t->ports + port];
    if (next.kind == HD_PEER_NODE && next.index == m->destination)
      return HD_OK;
    if (next.kind != HD_PEER_SWITCH)
      return fail_message(m, "it leaves the fabric elsewhere, at", &at, err);
    at = next;
  }
  return fail_message(m, "it goes in a circle, by", &at, err);
}

static int compare_slots(const void *left, const void *right, void *context)
{
  const size_t a = *(const size_t *)left, b = *(const size_t *)right;
  const struct hd_slot_message *messages = ((const struct finder *)context)->messages;
  if (messages[a].slot != messages[b].slot)
    return messages[a].slot < messages[b].slot ? -1 : 1;
  return (a > b) - (a < b);
}

int hd_contention_find(const struct hd_topology *topology, const struct hd_tables *tables,
                       const struct hd_slot_message *messages, size_t n_messages,
                       void (*each)(void *context, const struct hd_contention *contention),
                       void *context, uint64_t *n, struct hd_error *err)
{
  size_t links = (size_t)topology->n_switches * topology->ports + topology->n_nodes;
  struct finder f = {.topology = topology,
                     .tables = tables,
                     .messages = messages,
                     .order = hd_xcalloc(n_messages + 1, sizeof *f.order),
                     .holder = hd_xcalloc(links, sizeof *f.holder),
                     .each = each,
                     .context = context};
  int status = HD_OK;
  if (!hd_routing_is_fixed(tables))
    status =
        hd_fail(err, HD_E_INPUT,
                "packets of one pair of nodes take different ways, so no link is known that two "
                "messages need; legal: routings by which packets do not choose");
  for (size_t i = 0; !status && i < n_messages; i++)
    f.order[i] = i;
  if (!status)
    qsort_r(f.order, n_messages, sizeof *f.order, compare_slots, &f);
  for (size_t i = 0; !status && i < n_messages; i++)
    status = follow_message(&f, f.order[i], err);
  *n = f.n;
  free(f.order);
  free(f.holder);
  return status;
}

struct hd_link_name hd_contention_link(const struct hd_topology *t, const struct hd_slot_link *link)
{
  struct hd_link_name name;
  if (link->from_node) {
    snprintf(name.text, sizeof name.text, "n%" PRIu32 " to s%u", link->index,
             t->node_peers[link->index].index);
    return name;
  }
  const struct hd_peer *peer = &t->peers[(size_t)link->index * t->ports + link->port];
  snprintf(name.text, sizeof name.text, "s%" PRIu32 " port %" PRIu32 " to %c%u", link->index,
           link->port, peer->kind == HD_PEER_NODE ? 'n' : 's', peer->index);
  return name;
}
