/* The tool's interfaces and links against the fabric model's.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rows of what interfaces do are only as true as the tool's own interfaces. So a stimulus that
 * consists of queues, receivers and links is played once more, as a fabric of the model, and both
 * must put the same flits and credits at every switch's pins in every cycle.
 */
#include "diagram.h"

#include "../../cmodel/fabric/fabric.h"

#include <stdlib.h>
#include <string.h>

struct surroundings {
  const struct diagram *d;
  struct hd_topology topology;
  struct hd_tables tables;
  struct hd_peer peers[MAX_SWITCHES * HD_MAX_PORTS], node_peers[MAX_SWITCHES * HD_MAX_PORTS];
  uint16_t *entries;
  uint8_t node[MAX_SWITCHES][HD_MAX_PORTS]; /* number + 1; 0: no interface */
};

static void add_node(struct surroundings *s, struct place at)
{
  struct hd_topology *t = &s->topology;
  if (s->node[at.sw][at.port])
    return;
  s->peers[at.sw * t->ports + at.port] = (struct hd_peer){HD_PEER_NODE, 0, (uint16_t)t->n_nodes};
  s->node_peers[t->n_nodes++] = (struct hd_peer){HD_PEER_SWITCH, at.port, at.sw};
  s->node[at.sw][at.port] = (uint8_t)t->n_nodes;
}

static int build(struct surroundings *s, struct hd_error *err)
{
  const struct diagram *d = s->d;
  struct hd_topology *t = &s->topology;
  *t = (struct hd_topology){.kind = HD_TOPO_GRAPH,
                            .n_switches = d->n_switches,
                            .ports = d->params.ports,
                            .peers = s->peers,
                            .senders = s->peers,
                            .node_peers = s->node_peers,
                            .node_exits = s->node_peers};
  for (uint32_t i = 0; i < d->n_joints; i++) {
    struct place a = d->joints[i].a, b = d->joints[i].b;
    s->peers[a.sw * t->ports + a.port] = (struct hd_peer){HD_PEER_SWITCH, b.port, b.sw};
    s->peers[b.sw * t->ports + b.port] = (struct hd_peer){HD_PEER_SWITCH, a.port, a.sw};
  }
  for (uint32_t sw = 0; sw < d->n_switches; sw++)
    for (uint32_t p = 0; p < t->ports; p++) {
      struct place at = {(uint8_t)sw, (uint8_t)p, NO_VC};
      for (uint32_t i = 0; i < d->n_sendings; i++)
        if (d->sendings[i].at.sw == sw && d->sendings[i].at.port == p)
          add_node(s, at);
      for (uint32_t i = 0; i < d->n_drains; i++)
        if (d->drains[i].sw == sw && d->drains[i].port == p)
          add_node(s, at);
    }
  s->entries = calloc((size_t)t->n_switches * t->ports * (t->n_nodes + 1), sizeof *s->entries);
  if (!s->entries)
    return hd_fail(err, HD_E_NOMEM, "out of memory");
  s->tables = (struct hd_tables){.n_switches = t->n_switches,
                                 .ports = t->ports,
                                 .n_nodes = t->n_nodes,
                                 .destination = s->entries};
  for (uint32_t i = 0; i < d->n_tables; i++) {
    uint32_t port = d->tables[i].addr >> 12 & 0xf, to = d->tables[i].addr & 0xfff;
    if (to >= t->n_nodes)
      return hd_fail(err, HD_E_INPUT, "%s: destination %u, but there are %u interfaces", d->name,
                     to, t->n_nodes);
    s->entries[(d->tables[i].sw * t->ports + port) * t->n_nodes + to] = d->tables[i].data;
  }
  return 0;
}

static int send_all(const struct surroundings *s, struct hd_fabric *fabric, uint32_t cycle,
                    struct hd_error *err)
{
  const struct diagram *d = s->d;
  for (uint32_t i = 0; i < d->n_sendings; i++) {
    const struct sending *sending = &d->sendings[i];
    uint64_t words[MAX_FLITS];
    uint32_t number;
    if (sending->cycle != cycle)
      continue;
    for (uint32_t k = 0; k < sending->n_flits; k++)
      words[k] = d->flits[sending->first + k].data;
    struct hd_packet packet = {.source = s->node[sending->at.sw][sending->at.port] - 1u,
                               .flits = sending->n_flits,
                               .payload = words + 1,
                               .header = words[0],
                               .raw_header = true};
    int status = hd_fabric_send(fabric, &packet, &number, err);
    if (status)
      return status;
  }
  return 0;
}

/* Input events of one switch and cycle, the fabric's against the tool's. */
static int compare(const struct diagram *d, const struct wires *w, const struct hd_switch_record *r,
                   uint32_t sw, uint32_t cycle, uint32_t *compared, struct hd_error *err)
{
  uint32_t flits = 0, credits = 0;
  bool same = true;
  for (uint32_t p = 0; p < d->params.ports; p++) {
    flits += w->in_valid[p];
    credits += w->out_credit[p] != 0;
  }
  for (uint32_t i = 0; i < r->n_flits_in; i++) {
    const struct hd_flit_event *a = &r->flits_in[i], *b = &w->in[a->port];
    same &= w->in_valid[a->port] && a->data == b->data && a->vc == b->vc && a->kind == b->kind;
  }
  for (uint32_t i = 0; i < r->n_credits_in; i++)
    same &= w->out_credit[r->credits_in[i].port] == r->credits_in[i].vcs;
  if (!same || flits != r->n_flits_in || credits != r->n_credits_in)
    return hd_fail(err, HD_E_DIVERGENCE,
                   "%s: cycle %u: interfaces or links put something else at switch %u's pins than "
                   "those of the fabric model",
                   d->name, cycle, sw);
  *compared += flits + credits;
  return 0;
}

static int play_fabric(const struct surroundings *s, const struct play *play, uint32_t *compared,
                       struct hd_error *err)
{
  const struct diagram *d = s->d;
  struct hd_fabric_params params = {.sw = d->params, .link_cycles = d->link_cycles};
  struct hd_fabric *fabric = NULL;
  struct hd_record record;
  int status = hd_fabric_create(&fabric, &params, &s->topology, &s->tables, err);
  if (status)
    return status;
  if (hd_record_init(&record, d->n_switches))
    status = hd_fail(err, HD_E_NOMEM, "out of memory");
  for (uint32_t cycle = 0; cycle <= d->cycles && !status; cycle++) {
    hd_fabric_record_begin(fabric, &record);
    status = send_all(s, fabric, cycle, err);
    if (!status)
      status = hd_fabric_step(fabric, err);
    if (!status)
      status = hd_fabric_record_end(fabric, err);
    for (uint32_t sw = 0; sw < d->n_switches && !status; sw++)
      status = compare(d, &play->wires[sw][cycle], &record.switches[sw], sw, cycle, compared, err);
  }
  hd_record_fini(&record);
  hd_fabric_destroy(fabric);
  return status;
}

int diagram_check_interfaces(const struct diagram *d, const struct play *play, uint32_t *compared,
                             struct hd_error *err)
{
  bool comparable = d->n_drains && !d->n_credits && !d->n_accesses;
  *compared = 0;
  for (uint32_t i = 0; i < d->n_sendings; i++)
    comparable &= d->sendings[i].queued;
  if (!comparable)
    return 0;
  struct surroundings *s = calloc(1, sizeof *s);
  if (!s)
    return hd_fail(err, HD_E_NOMEM, "out of memory");
  s->d = d;
  int status = build(s, err);
  if (!status)
    status = play_fabric(s, play, compared, err);
  if (!status && !*compared)
    status = hd_fail(err, HD_E_INTERNAL, "%s: nothing was compared", d->name);
  free(s->entries);
  free(s);
  return status;
}
