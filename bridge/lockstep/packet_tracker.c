/* Says where a packet that the DUT does not deliver was last seen (specification §6.2).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Packets have no numbers in a DUT with its own timing. So heads are counted: for each node and
 * switch, the packets to the node that have entered the switch and not left it.
 */
#include "lockstep_internal.h"

#include <stdlib.h>

enum { MOST_PLACES = 4 << 20, MOST_HOPS = 256 };

/* Packets to one node in one switch. */
struct place {
  uint64_t last; /* cycle in which the last one went in */
  int32_t inside;
};

struct packet_tracker {
  struct place *places; /* [n_switches][n_nodes] */
};

/* Creates the tracker. Larger fabrics are not tracked, since the table would be too large. */
static int create(struct hd_lockstep *ls, struct hd_error *err)
{
  size_t n = (size_t)ls->n_switches * ls->params.topology->n_nodes;
  if (n > MOST_PLACES)
    return HD_OK;
  ls->tracker = calloc(1, sizeof *ls->tracker);
  if (ls->tracker)
    ls->tracker->places = calloc(n, sizeof *ls->tracker->places);
  return ls->tracker && ls->tracker->places
             ? HD_OK
             : hd_fail(err, HD_E_NOMEM, "no memory to follow packets through %u switches",
                       ls->n_switches);
}

static void destroy(struct hd_lockstep *ls)
{
  if (ls->tracker)
    free(ls->tracker->places);
  free(ls->tracker);
}

static struct place *at(const struct hd_lockstep *ls, uint32_t sw, uint32_t node)
{
  return &ls->tracker->places[(size_t)sw * ls->params.topology->n_nodes + node];
}

/* Reads the destination of a head in all modes of §1.3 but 2. False: the flit is no head, or names
 * no node, as with multicast. */
static bool destination(const struct hd_lockstep *ls, const struct hd_flit_event *flit,
                        uint32_t *node)
{
  uint32_t bits = hd_log2_ceil(ls->fabric_params.sw.nodes);
  const uint32_t entry = (uint32_t)(flit->data >> 2 & ((UINT64_C(1) << bits) - 1));
  const uint32_t nodes = ls->params.topology->n_nodes;
  *node = entry % nodes; /* §5.28 */
  return (flit->kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) == HD_KIND_HEAD &&
         (flit->data & 3) != 2 && !(ls->fabric_params.sw.trees && (flit->data & 3) == 3) &&
         entry / nodes < hd_routing_networks(ls->params.tables);
}

static int count(struct hd_lockstep *ls, uint64_t cycle, struct hd_divergence *first)
{
  const struct hd_topology *t = ls->params.topology;
  uint32_t n, node;
  const struct hd_delivery *d = hd_fabric_deliveries(ls->loop, &n);
  (void)first;
  if (!ls->tracker)
    return HD_OK;
  for (uint32_t sw = 0; sw < ls->n_switches; sw++) {
    const struct hd_switch_record *r = &ls->loop_record.switches[sw];
    for (uint32_t i = 0; i < r->n_flits_in; i++) {
      struct hd_peer from = t->senders[(size_t)sw * t->ports + r->flits_in[i].port];
      if (!destination(ls, &r->flits_in[i], &node))
        continue;
      at(ls, sw, node)->inside++;
      at(ls, sw, node)->last = cycle;
      if (from.kind == HD_PEER_SWITCH)
        at(ls, from.index, node)->inside--;
    }
  }
  for (uint32_t i = 0; i < n; i++)
    if (d[i].intact && !d[i].made && !d[i].cast)
      at(ls, t->node_exits[d[i].node].index, d[i].node)->inside--;
  return HD_OK;
}

/* The switch's port that leads to the next switch on the way, or to the destination. */
static uint8_t port_to(const struct hd_topology *t, uint32_t sw, enum hd_peer_kind kind,
                       uint32_t index)
{
  for (uint32_t port = 0; port < t->ports; port++) {
    struct hd_peer peer = t->peers[(size_t)sw * t->ports + port];
    if (peer.kind == kind && peer.index == index)
      return (uint8_t)port;
  }
  return 0xff;
}

static void see_in(const struct hd_lockstep *ls, uint32_t sw, uint32_t node, uint8_t port,
                   struct hd_divergence *d)
{
  const struct place *place = at(ls, sw, node);
  d->lost.inside = (uint32_t)place->inside;
  d->lost.last = place->last;
  d->sw = sw;
  d->port = port;
}

/* Finds the last switch on the packet's way that packets to its destination entered and did not
 * leave. */
static void see_on_way(const struct hd_lockstep *ls, const struct hd_packet *p,
                       struct hd_divergence *d)
{
  const struct hd_topology *t = ls->params.topology;
  uint16_t path[MOST_HOPS];
  uint32_t by = hd_routing_by(p->header, t->n_nodes, hd_log2_ceil(ls->fabric_params.sw.nodes));
  int n = hd_routing_path_by(ls->params.tables, t, p->source, by, p->destination, path, MOST_HOPS,
                             NULL);
  for (int i = n - 1; i >= 0 && !d->lost.inside; i--)
    if (at(ls, path[i], p->destination)->inside > 0)
      see_in(ls, path[i], p->destination,
             i + 1 < n ? port_to(t, path[i], HD_PEER_SWITCH, path[i + 1])
                       : t->node_exits[p->destination].port,
             d);
}

/* For packets that choose their route: finds, among the switches that hold packets to this
 * destination, the one whose last packet entered longest ago. The output port is known only for
 * the last switch. */
static void see_anywhere(const struct hd_lockstep *ls, const struct hd_packet *p,
                         struct hd_divergence *d)
{
  const struct hd_peer *exit = &ls->params.topology->node_exits[p->destination];
  for (uint32_t sw = 0; sw < ls->n_switches; sw++) {
    const struct place *place = at(ls, sw, p->destination);
    if (place->inside > 0 && (!d->lost.inside || place->last < d->lost.last))
      see_in(ls, sw, p->destination, sw == exit->index ? exit->port : 0xff, d);
  }
}

/* Finds the oldest packet that the DUT has not delivered. The divergence is in the run's last
 * cycle, so any other event that is left over is reported before it. */
static void find_oldest(const struct hd_lockstep *ls, unsigned sides, uint64_t since,
                        struct hd_divergence *first)
{
  uint32_t number = hd_fabric_oldest_packet(ls->loop);
  struct hd_packet p;
  uint64_t created;
  if (number == HD_PACKET_NONE || hd_fabric_packet(ls->loop, number, &p, &created))
    return;
  (void)sides;
  (void)since;
  uint32_t sent = hd_fabric_packet_sent(ls->loop, number);
  const struct hd_topology *t = ls->params.topology;
  struct hd_peer place = sent ? t->node_exits[p.destination] : t->node_peers[p.source];
  struct hd_divergence d = {
      .difference = HD_DIFF_LOST,
      .cycle = hd_fabric_cycle(ls->loop),
      .sw = place.index,
      .port = place.port,
      .vc = 0xff,
      .packet = number,
      .has_expected = true,
      .expected = {.data = p.header,
                   .port = place.port,
                   .vc = 0xff,
                   .kind = p.flits == 1 ? HD_KIND_HEAD | HD_KIND_TAIL : HD_KIND_HEAD},
      .lost = {.source = p.source, .destination = p.destination, .flits = p.flits, .sent = sent}};
  if (sent && ls->tracker && !p.to)
    (ls->params.tables->sets ? see_anywhere : see_on_way)(ls, &p, &d);
  hd_divergence_keep(first, &d);
}

const struct comparator hd_compare_losses = {.create = create,
                                             .destroy = destroy,
                                             .cycle = count,
                                             .rest = find_oldest,
                                             .rest_place = HD_REST_ANYWHERE};

/* Checks for packets that the DUT's fabric received but nobody sent in that form (§6.2,
 * packets). */
static int check_arrivals(struct hd_lockstep *ls, uint64_t cycle, struct hd_divergence *first)
{
  uint32_t n;
  const struct hd_delivery *d = hd_fabric_deliveries(ls->loop, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (d[i].intact)
      continue;
    struct hd_peer at = ls->params.topology->node_exits[d[i].node];
    struct hd_divergence bad = {.difference = HD_DIFF_PACKET,
                                .cycle = cycle,
                                .sw = at.index,
                                .port = at.port,
                                .vc = 0xff,
                                .packet = d[i].number,
                                .has_got = true,
                                .got = {.data = d[i].words[0], .port = at.port}};
    hd_divergence_keep(first, &bad);
  }
  return HD_OK;
}

const struct comparator hd_compare_arrivals = {.cycle = check_arrivals};
