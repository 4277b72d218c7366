/* Checks rules at the links inside of a network whose wrapper shows them (specification §6.8).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each switch inside is judged by its own ports, like a router in a bench. Its links use valid and
 * ready. Its outputs may depend on inputs of the same cycle.
 */
#include "lockstep_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Both ends of a link: a port of a switch, or a node. */
struct link {
  struct hd_peer from, to;
  uint8_t open;  /* channels on which a packet is under way */
  uint8_t named; /* channels on which the packet's header names node `dest` */
  uint16_t dest[HD_MAX_VCS];
  uint8_t ready_from, ready_to; /* the channels that the watch at each end saw ready last */
};

struct ports {
  struct hd_flit_event flits[2][HD_MAX_PORTS]; /* in, out */
  struct hd_credit_event credits[2][HD_MAX_PORTS];
  uint32_t n_flits[2], n_credits[2];
};

struct inside {
  struct hd_port_watch *watch;
  struct link *links;
  struct hd_dut_link *shown;
  struct ports *switches;
  uint32_t n_links, n_switches;
  uint8_t vcs;        /* of each link */
  uint32_t node_bits; /* bits of a node in a header (§1.3) */
  /* a wrong destination in the router's own fields, in this cycle; HD_PORT_NONE: none */
  struct hd_port_break broken;
};

enum { IN, OUT };

static uint32_t shown_links(const struct hd_lockstep *ls, struct hd_dut_link *links, uint32_t n)
{
  return ls->params.dut->extension->links(ls->dut, ls->first_switch, links, n);
}

/* True if the run checks rules and the RTL shows links. create() refuses RTL that shows fewer
 * links than the topology has. */
static bool are_shown(const struct hd_lockstep *ls)
{
  const struct hd_topology *t = ls->params.inside;
  const struct hd_dut_extension *e = ls->params.dut->extension;
  return ls->params.rules && t && t->n_switches && e && e->links && shown_links(ls, NULL, 0);
}

static void list_links(struct inside *in, const struct hd_topology *t)
{
  for (uint32_t i = 0; i < t->n_switches * t->ports; i++)
    if (t->peers[i].kind != HD_PEER_NONE)
      in->links[in->n_links++] = (struct link){.from = {.kind = HD_PEER_SWITCH,
                                                        .port = (uint8_t)(i % t->ports),
                                                        .index = (uint16_t)(i / t->ports)},
                                               .to = t->peers[i]};
  for (uint32_t node = 0; node < t->n_nodes; node++)
    in->links[in->n_links++] = (struct link){
        .from = {.kind = HD_PEER_NODE, .index = (uint16_t)node}, .to = t->node_peers[node]};
}

static int watch_switches(struct hd_lockstep *ls, struct inside *in, struct hd_error *err)
{
  const struct hd_lockstep_params *p = &ls->params;
  const struct hd_topology *t = p->inside;
  const bool choose = p->routes != HD_ROUTES_DIMENSION_ORDER;
  struct hd_port_watch_params watch = {.sw = ls->fabric_params.sw,
                                       .n_switches = t->n_switches,
                                       .peers = t->peers,
                                       .senders = t->senders,
                                       .order = p->order != HD_ORDER_USUAL ? p->order
                                                : choose                   ? HD_ORDER_NONE
                                                                           : HD_ORDER_FLOWS,
                                       .routes =
                                           p->routes == HD_ROUTES_TABLE ? HD_ROUTES_ANY : p->routes,
                                       .n_dims = t->n_dims,
                                       .ready_links = true,
                                       .same_cycle = true};
  watch.sw.ports = t->ports;
  watch.sw.vcs = in->vcs;
  memcpy(watch.dims, t->dims, t->n_dims * sizeof *watch.dims);
  return hd_port_watch_create(&in->watch, &watch, err);
}

static int create(struct hd_lockstep *ls, struct hd_error *err)
{
  const struct hd_topology *t = ls->params.inside;
  struct inside *in = ls->inside = calloc(1, sizeof *in);
  const size_t most = (size_t)t->n_switches * t->ports + t->n_nodes;
  if (in) {
    in->n_switches = t->n_switches;
    in->links = calloc(most, sizeof *in->links);
    in->shown = calloc(most, sizeof *in->shown);
    in->switches = calloc(t->n_switches, sizeof *in->switches);
  }
  if (!in || !in->links || !in->shown || !in->switches)
    return hd_fail(err, HD_E_NOMEM, "no memory to watch the links inside of a network");
  in->node_bits = hd_log2_ceil(ls->fabric_params.sw.nodes);
  list_links(in, t);
  if (shown_links(ls, NULL, 0) < in->n_links)
    return hd_fail(err, HD_E_INPUT, "the network shows fewer links than %s has, %u",
                   "what is inside (fabric.inside)", in->n_links);
  shown_links(ls, in->shown, in->n_links);
  in->vcs = in->shown[0].vcs;
  return watch_switches(ls, in, err);
}

static void destroy(struct hd_lockstep *ls)
{
  struct inside *in = ls->inside;
  if (!in)
    return;
  hd_port_watch_destroy(in->watch);
  free(in->links);
  free(in->shown);
  free(in->switches);
  free(in);
}

static void add_flit(struct inside *in, struct hd_peer at, int side, struct hd_flit_event e)
{
  if (at.kind != HD_PEER_SWITCH)
    return;
  struct ports *p = &in->switches[at.index];
  e.port = at.port;
  p->flits[side][p->n_flits[side]++] = e;
}

static void add_ready(struct inside *in, struct hd_peer at, int side, uint8_t ready)
{
  if (at.kind != HD_PEER_SWITCH)
    return;
  struct ports *p = &in->switches[at.index];
  p->credits[side][p->n_credits[side]++] = (struct hd_credit_event){.port = at.port, .vcs = ready};
}

/* Checks that the fields by which routers inside forward a flit name the same destination as
 * Heddle's header. */
static void compare_dest(struct inside *in, struct link *l, const struct hd_flit_event *e,
                         uint16_t dest_1, uint64_t cycle)
{
  const uint8_t channel = (uint8_t)(1u << e->vc);
  if (e->kind & HD_KIND_HEAD) {
    l->named = (uint8_t)((l->named & ~channel) | (e->data & 3 ? 0 : channel));
    l->dest[e->vc] = (uint16_t)(e->data >> 2 & ((UINT64_C(1) << in->node_bits) - 1));
  }
  if (!dest_1 || !(l->named & channel) || dest_1 - 1 == l->dest[e->vc] ||
      in->broken.rule != HD_PORT_NONE || l->from.kind != HD_PEER_SWITCH)
    return;
  in->broken = (struct hd_port_break){.rule = HD_PORT_DAMAGED,
                                      .cycle = cycle,
                                      .since = cycle,
                                      .sw = l->from.index,
                                      .port = l->from.port,
                                      .has_flit = true,
                                      .flit = *e};
  in->broken.flit.port = l->from.port;
  snprintf(in->broken.what, sizeof in->broken.what,
           "a flit of a packet to node %u left by port %u, and its own fields say node %u",
           l->dest[e->vc], l->from.port, dest_1 - 1u);
}

/* Gives the switches at both ends of a link the events of this cycle. `ready` is a level, so
 * only its changes are events. Some receivers raise `ready` only after `valid`. So low `ready`
 * without `valid` does not mean that the receiver is full. */
static void add_link(struct inside *in, struct link *l, const struct hd_dut_link *shown,
                     uint64_t cycle)
{
  const uint8_t channel = (uint8_t)(1u << shown->vc);
  const uint8_t ready = shown->ready ? channel : 0;
  const uint8_t takes = shown->valid ? ready : (uint8_t)((1u << in->vcs) - 1);
  if (ready != l->ready_from)
    add_ready(in, l->from, IN, ready);
  if (takes != l->ready_to)
    add_ready(in, l->to, OUT, takes);
  l->ready_from = ready;
  l->ready_to = takes;
  if (!shown->valid || !shown->ready)
    return;
  const struct hd_flit_event e = {
      .data = shown->data,
      .vc = shown->vc,
      .kind = (uint8_t)((l->open & channel ? 0 : HD_KIND_HEAD) | (shown->tail ? HD_KIND_TAIL : 0))};
  l->open = (uint8_t)((l->open & ~channel) | (shown->tail ? 0 : channel));
  compare_dest(in, l, &e, shown->dest_1, cycle);
  add_flit(in, l->from, OUT, e);
  add_flit(in, l->to, IN, e);
}

static struct hd_divergence divergence_inside(struct hd_port_break *broken)
{
  char what[sizeof broken->what];
  snprintf(what, sizeof what, "inside of the network: %.200s", broken->what);
  memcpy(broken->what, what, sizeof what);
  struct hd_divergence d = hd_rules_divergence(broken);
  d.inside = true;
  return d;
}

static int judge(struct hd_lockstep *ls, const struct hd_dut_job *job,
                 const struct hd_dut_expected *shown, struct hd_divergence *first)
{
  struct inside *in = ls->inside;
  struct hd_port_break broken;
  int status = HD_OK;
  (void)shown;
  /* the cycle was not simulated, and the links still show the one before */
  if (job->assertion.failed)
    return HD_OK;
  shown_links(ls, in->shown, in->n_links);
  memset(in->switches, 0, in->n_switches * sizeof *in->switches);
  in->broken.rule = HD_PORT_NONE;
  for (uint32_t i = 0; i < in->n_links; i++)
    add_link(in, &in->links[i], &in->shown[i], job->start);
  if (in->broken.rule != HD_PORT_NONE) {
    const struct hd_divergence d = divergence_inside(&in->broken);
    hd_divergence_keep(first, &d);
  }
  for (uint32_t sw = 0; sw < in->n_switches && !status; sw++) {
    const struct ports *p = &in->switches[sw];
    const struct hd_port_events e = {.start = job->start,
                                     .cycles = 1,
                                     .flits_in = p->flits[IN],
                                     .flits_out = p->flits[OUT],
                                     .credits_in = p->credits[IN],
                                     .credits_out = p->credits[OUT],
                                     .n_flits_in = p->n_flits[IN],
                                     .n_flits_out = p->n_flits[OUT],
                                     .n_credits_in = p->n_credits[IN],
                                     .n_credits_out = p->n_credits[OUT]};
    status = hd_port_watch_switch(in->watch, sw, &e, &broken);
    if (!status && broken.rule != HD_PORT_NONE) {
      const struct hd_divergence d = divergence_inside(&broken);
      hd_divergence_keep(first, &d);
    }
  }
  return status;
}

const struct comparator hd_compare_inside = {
    .is_needed = are_shown, .create = create, .destroy = destroy, .window = judge};

bool hd_inside_pending(const struct hd_lockstep *ls, struct hd_divergence *d)
{
  struct hd_port_break broken;
  if (!ls->inside || !hd_port_watch_pending(ls->inside->watch, &broken))
    return false;
  *d = divergence_inside(&broken);
  return true;
}

bool hd_inside_end(const struct hd_lockstep *ls, uint64_t cycle, struct hd_divergence *d)
{
  struct hd_port_break broken;
  if (!ls->inside || !hd_port_watch_end(ls->inside->watch, cycle, &broken))
    return false;
  *d = divergence_inside(&broken);
  return true;
}

size_t hd_inside_way(const struct hd_lockstep *ls, const struct hd_port_break *broken, char *way,
                     size_t size)
{
  return hd_port_watch_way(ls->inside->watch, broken, way, size);
}

bool hd_lockstep_watches_inside(const struct hd_lockstep *ls)
{
  return ls->inside != NULL;
}
