/* The fabric model: creation and the cycle (specification chapters 2, 4, 5).
 * SPDX-License-Identifier: Apache-2.0
 *
 * In a cycle, switches and network interfaces first send, from the state at the cycle's
 * start. Then they take in what is at their pins. So the order of switches never
 * matters.
 */
#include "fabric_record.h"
#include "../switch/switch_base_path.h"

#include <stdlib.h>
#include <string.h>

static int check_params(const struct hd_fabric_params *params, const struct hd_topology *t,
                        const struct hd_tables *tables, struct hd_error *err)
{
  int status =
      (params->external_switches ? hd_dut_params_check : hd_switch_params_check)(&params->sw, err);
  if (status)
    return status;
  if (params->link_cycles < 1 || params->link_cycles > 16)
    return hd_fail(err, HD_E_INPUT, "link_cycles is %u, must be 1 to 16", params->link_cycles);
  if (params->sw.ports != t->ports)
    return hd_fail(err, HD_E_INPUT, "switches have %u ports, but the topology's have %u",
                   params->sw.ports, t->ports);
  if (params->sw.nodes < t->n_nodes * hd_routing_networks(tables))
    return hd_fail(err, HD_E_INPUT, "routing tables for %u nodes, but the fabric has %u%s",
                   params->sw.nodes, t->n_nodes * hd_routing_networks(tables),
                   hd_routing_networks(tables) > 1 ? " in its virtual networks" : "");
  if (tables->n_switches != t->n_switches || tables->ports != t->ports ||
      tables->n_nodes != t->n_nodes)
    return hd_fail(err, HD_E_INPUT, "routing tables of another topology");
  if (tables->computes != (params->sw.route != HD_ROUTE_BY_TABLE))
    return hd_fail(err, HD_E_INPUT,
                   tables->computes ? "computed routes, but switches with routing tables"
                                    : "routing tables, but switches that compute routes");
  if (tables->header_mode && !params->sw.source_table)
    return hd_fail(err, HD_E_INPUT, "routing by source, but switches without source tables");
  if (tables->sets && !hd_switch_has_sets(&params->sw))
    return hd_fail(err, HD_E_INPUT, "adaptive routing, but switches without port sets");
  if (!tables->first != (params->sw.adaptive != HD_ADAPTIVE_UGAL))
    return hd_fail(err, HD_E_INPUT, "tables and switches differ in whether packets decide (§10.9)");
  if (tables->cast_vc != (params->sw.trees ? hd_switch_cast_vc(&params->sw) : 0))
    return hd_fail(err, HD_E_INPUT, "tables and switches differ in multicast");
  if (params->sw.trees && hd_topology_one_way(t))
    return hd_fail(err, HD_E_INPUT, "multicast, but links that go one way (§13.5)");
  if (params->sw.trees && params->faults)
    return hd_fail(err, HD_E_INPUT, "multicast, but faults: its trees do not go around them");
  if (params->sw.barrier && params->sw.switches < t->n_switches)
    return hd_fail(err, HD_E_INPUT, "barrier routing tables for %u switches, but the fabric has %u",
                   params->sw.switches, t->n_switches);
  if (params->sw.barrier && hd_topology_one_way(t))
    return hd_fail(err, HD_E_INPUT, "barrier hardware, but links that go one way (§5.12)");
  if (params->sw.barrier && t->link_cycles)
    return hd_fail(err, HD_E_INPUT,
                   "barrier hardware, but links with a latency of their own (§1.5)");
  if (params->faults && hd_topology_one_way(t))
    return hd_fail(err, HD_E_INPUT, "faults, but links that go one way (§5.12)");
  if (params->barrier_idle_cycles > UINT16_MAX)
    return hd_fail(err, HD_E_INPUT, "barrier_idle_cycles is %u, must be 0 to %u",
                   params->barrier_idle_cycles, UINT16_MAX);
  return HD_OK;
}

static bool allocate_calendar(struct hd_fabric *f)
{
  size_t links = f->n_links;
  const uint32_t link = f->params.link_cycles,
                 longest = f->flit_hop + hd_topology_longest_link(f->topology, link) - link;
  f->n_slots = 2;
  while (f->n_slots <= longest)
    f->n_slots *= 2;
  f->calendar = calloc(f->n_slots, sizeof *f->calendar);
  if (!f->calendar)
    return false;
  for (uint32_t i = 0; i < f->n_slots; i++) {
    struct arrivals *a = &f->calendar[i];
    struct transit_flit *flits = malloc(links * sizeof *flits);
    struct transit_credit *credits = malloc(links * sizeof *credits);
    a->flits[HD_PEER_SWITCH] = flits;
    a->credits[HD_PEER_SWITCH] = credits;
    if (!flits || !credits)
      return false;
    a->flits[HD_PEER_NODE] = flits + f->room[HD_PEER_SWITCH];
    a->credits[HD_PEER_NODE] = credits + f->room[HD_PEER_SWITCH];
  }
  return true;
}

static bool allocate(struct hd_fabric *f)
{
  uint32_t n = f->topology->n_switches, nodes = f->topology->n_nodes, ports = f->topology->ports;
  f->due = calloc(n / 64 + 1, sizeof *f->due);
  f->node_set = calloc(nodes / 64 + 1, sizeof *f->node_set);
  f->injectors = calloc(nodes, sizeof *f->injectors);
  f->assemblies = calloc((size_t)nodes * f->params.sw.vcs, sizeof *f->assemblies);
  f->ejectors = calloc(nodes, sizeof *f->ejectors);
  f->ejector_set = calloc(nodes / 64 + 1, sizeof *f->ejector_set);
  f->n_packets = 64;
  f->packets = malloc(f->n_packets * sizeof *f->packets);
  for (uint32_t i = 0; f->packets && i < f->n_packets; i++)
    f->packets[i].number = HD_PACKET_NONE;
  f->quiescent = malloc(n * sizeof *f->quiescent);
  f->n_carry = calloc(n, sizeof *f->n_carry);
  f->carry_room = ports * (f->flit_hop + 1);
  f->carry = malloc((size_t)n * f->carry_room * sizeof *f->carry);
  f->carry_tags = malloc((size_t)n * f->carry_room * sizeof *f->carry_tags);
  f->scratch_flits = malloc(ports * sizeof *f->scratch_flits);
  f->scratch_credits = malloc(ports * sizeof *f->scratch_credits);
  f->scratch_tags = malloc(ports * sizeof *f->scratch_tags);
  if (!f->due || !f->node_set || !f->injectors || !f->assemblies || !f->ejectors ||
      !f->ejector_set || !f->packets || !f->quiescent || !f->n_carry || !f->carry ||
      !f->carry_tags || !f->scratch_flits || !f->scratch_credits || !f->scratch_tags ||
      !allocate_calendar(f) || !hd_fabric_barrier_allocate(f) || !hd_fabric_faults_allocate(f))
    return false;
  if (f->params.external_switches) {
    f->oldest_to = malloc((nodes + 1) * sizeof *f->oldest_to);
    f->youngest_to = malloc((nodes + 1) * sizeof *f->youngest_to);
    f->held = calloc((size_t)n * ports * f->params.sw.vcs, sizeof *f->held);
    if (!f->oldest_to || !f->youngest_to || !f->held)
      return false;
    memset(f->oldest_to, 0xff, (nodes + 1) * sizeof *f->oldest_to);
    memset(f->youngest_to, 0xff, (nodes + 1) * sizeof *f->youngest_to);
  } else {
    f->switch_size = hd_switch_size(&f->params.sw);
    f->switches = aligned_alloc(64, f->switch_size * n);
    if (!f->switches)
      return false;
    if (f->params.coverage) {
      f->coverage = calloc(1, sizeof *f->coverage);
      f->blocked = calloc((size_t)n * ports * f->params.sw.vcs, sizeof *f->blocked);
      if (!f->coverage || !f->blocked)
        return false;
    }
  }
  return true;
}

/* Lets the switches count coverage, if the fabric has it. */
static void cover_switches(struct hd_fabric *f)
{
  const struct hd_topology *t = f->topology;
  for (uint32_t sw = 0; f->switches && sw < t->n_switches; sw++) {
    unsigned nodes = 0;
    for (uint32_t port = 0; port < t->ports; port++)
      nodes |= (unsigned)(t->peers[sw * t->ports + port].kind == HD_PEER_NODE) << port;
    uint64_t *blocked = f->blocked ? f->blocked + (size_t)sw * t->ports * f->params.sw.vcs : NULL;
    hd_switch_cover(hd_fabric_block(f, sw), f->coverage, blocked, nodes);
  }
}

static void configure(struct hd_fabric *f, const struct hd_tables *tables)
{
  for (uint32_t sw = 0; sw < tables->n_switches; sw++) {
    struct hd_switch *s = hd_switch_init(f->switches + f->switch_size * sw, &f->params.sw);
    struct hd_table_writes walk = {.tables = tables, .sw = sw};
    struct hd_config_event write;
    while (hd_table_writes_next(&walk, &write))
      hd_switch_config_write(s, 0, write.addr, write.data);
    hd_switch_reset(s);
    walk.next = 0;
    while (hd_adapt_writes_next(&walk, &write))
      hd_switch_config_write(s, UINT64_MAX - 1, write.addr, write.data);
    if (f->barrier)
      hd_fabric_barrier_configure(f, sw);
  }
  cover_switches(f); /* so that the initial configuration writes are not counted */
  f->plain = !f->ends && !f->topology->link_cycles && hd_fabric_block(f, 0)->is_plain;
}

int hd_fabric_create(struct hd_fabric **fabric, const struct hd_fabric_params *params,
                     const struct hd_topology *topology, const struct hd_tables *tables,
                     struct hd_error *err)
{
  *fabric = NULL;
  int status = check_params(params, topology, tables, err);
  if (status)
    return status;
  struct hd_fabric *f = calloc(1, sizeof *f);
  if (!f)
    return hd_fail(err, HD_E_NOMEM, "no memory for a fabric");
  f->params = *params;
  f->topology = topology;
  f->flit_hop = 1 + hd_switch_grant_stages(&params->sw) + params->link_cycles;
  f->head_need = params->sw.cut_flits ? params->sw.cut_flits : 1;
  f->barrier_vc = params->sw.barrier == HD_BARRIER_RESERVED ? params->sw.vcs - 1 : HD_MAX_VCS;
  f->cast_vc = tables->cast_vc ? tables->cast_vc : HD_MAX_VCS;
  f->header_mode = tables->header_mode;
  f->draws = tables->draws;
  f->networks = hd_routing_networks(tables);
  f->network_vcs = f->networks > 1 ? tables->packet_vcs : HD_MAX_VCS;
  f->room[HD_PEER_SWITCH] = topology->n_switches * topology->ports;
  f->room[HD_PEER_NODE] = topology->n_nodes;
  f->n_links = f->room[HD_PEER_SWITCH] + f->room[HD_PEER_NODE];
  f->node_bits = hd_log2_ceil(params->sw.nodes);
  f->data_mask =
      params->sw.data_bits == 64 ? UINT64_MAX : (UINT64_C(1) << params->sw.data_bits) - 1;
  if (!allocate(f)) {
    hd_fabric_destroy(f);
    return hd_fail(err, HD_E_NOMEM, "no memory for a fabric of %u switches", topology->n_switches);
  }
  if (params->sw.barrier) {
    status = hd_barrier_ways_build(&f->ways, topology, NULL, err);
    if (status) {
      hd_fabric_destroy(f);
      return status;
    }
  }
  for (uint32_t i = 0; i < topology->n_nodes; i++) {
    f->injectors[i].first = HD_PACKET_NONE;
    memset(f->injectors[i].credit, (int)params->sw.depth_flits, HD_MAX_VCS);
  }
  for (uint32_t i = 0; i < topology->n_switches; i++)
    f->quiescent[i] = true;
  if (!params->external_switches)
    configure(f, tables);
  *fabric = f;
  return HD_OK;
}

void hd_fabric_destroy(struct hd_fabric *f)
{
  if (!f)
    return;
  if (f->packets)
    for (uint32_t i = 0; i < f->n_packets; i++)
      if (f->packets[i].number != HD_PACKET_NONE)
        free(f->packets[i].payload);
  if (f->assemblies)
    for (size_t i = 0; i < (size_t)f->topology->n_nodes * f->params.sw.vcs; i++)
      free(f->assemblies[i].words);
  for (uint32_t i = 0; f->calendar && i < f->n_slots; i++) {
    free(f->calendar[i].flits[HD_PEER_SWITCH]);
    free(f->calendar[i].credits[HD_PEER_SWITCH]);
  }
  hd_fabric_barrier_free(f);
  hd_fabric_faults_free(f);
  void *all[] = {f->calendar,
                 f->switches,
                 f->due,
                 f->injectors,
                 f->node_set,
                 f->assemblies,
                 f->ejectors,
                 f->ejector_set,
                 f->packets,
                 f->oldest_to,
                 f->youngest_to,
                 f->held,
                 f->deliveries,
                 f->carry,
                 f->carry_tags,
                 f->n_carry,
                 f->quiescent,
                 f->scratch_flits,
                 f->scratch_credits,
                 f->scratch_tags,
                 f->coverage,
                 f->blocked,
                 f};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free(all[i]);
}

/* Where the flits and credits of a cycle go, by enum hd_peer_kind: the ends of the lists of the cycle in which they
 * arrive. An event for no peer is dropped. */
struct outbox {
  struct transit_flit *flit[PEER_KINDS];
  struct transit_credit *credit[PEER_KINDS];
  struct hd_switch_output out;
};

/* Returns the next free element for a flit, or for a credit set. There is room: a switch of the model shows at most one
 * of each a port. */
INLINED struct transit_flit *next_flit(struct outbox *box, struct hd_peer far)
{
  return box->flit[far.kind]++;
}

INLINED struct transit_credit *next_credit(struct outbox *box, struct hd_peer far)
{
  return box->credit[far.kind]++;
}

/* Puts the outputs of a switch onto its links. */
INLINED void post_outputs(const struct hd_fabric *f, uint32_t sw, struct outbox *box)
{
  const struct hd_switch_output *out = &box->out;
  size_t first = (size_t)sw * f->topology->ports;
  const struct hd_peer *peers = f->topology->peers + first;
  const struct hd_peer *senders = f->topology->senders + first;
  for (uint32_t i = 0; i < out->n_flits; i++) {
    const struct hd_flit_event *e = &out->flits[i];
    const struct hd_peer far = peers[e->port];
    if (far.kind == HD_PEER_NONE)
      continue;
    struct transit_flit *flit = next_flit(box, far);
    flit->event = *e;
    flit->event.port = far.port;
    flit->tag = out->tags[i];
    flit->far = far;
  }
  for (uint32_t i = 0; i < out->n_credits; i++) {
    const struct hd_credit_event *e = &out->credits[i];
    const struct hd_peer far = senders[e->port];
    if (far.kind != HD_PEER_NONE)
      *next_credit(box, far) = (struct transit_credit){far, hd_credit_set(e)};
  }
}

/* Posts outputs where links have different latencies, so outputs of one cycle arrive in different cycles.
 */
static NOINLINE void post_by_latency(struct hd_fabric *f, uint32_t sw,
                                     const struct hd_switch_output *out)
{
  const size_t first = (size_t)sw * f->topology->ports;
  const uint64_t leaves = f->cycle + f->flit_hop - f->params.link_cycles;
  for (uint32_t i = 0; i < out->n_flits; i++) {
    const struct hd_flit_event *e = &out->flits[i];
    const struct hd_peer far = f->topology->peers[first + e->port];
    if (far.kind != HD_PEER_NONE)
      hd_fabric_post_flit(f, leaves + hd_fabric_link(f, hd_fabric_port(sw, e->port)), far, e->vc,
                          e->kind, e->data, out->tags[i]);
  }
  for (uint32_t i = 0; i < out->n_credits; i++) {
    const struct hd_credit_event *e = &out->credits[i];
    const struct hd_peer far = f->topology->senders[first + e->port];
    if (far.kind != HD_PEER_NONE)
      hd_fabric_post_credit(f, f->cycle + hd_fabric_link(f, far), far, hd_credit_set(e));
  }
}

/* The context that the cycle of a plain switch sends to: its links, and the record of its outputs. */
struct plain_outbox {
  struct outbox *box;
  const struct hd_peer *peers, *senders;
  struct hd_switch_record *record; /* NULL: nothing is recorded */
  uint32_t flit_cycle, credit_cycle;
};

INLINED void post_flit(void *to, unsigned output, struct granted flit)
{
  const struct plain_outbox *plain = to;
  const struct hd_peer far = plain->peers[output];
  if (far.kind != HD_PEER_NONE)
    *next_flit(plain->box, far) =
        (struct transit_flit){{flit.data, 0, far.port, flit.vc, flit.kind, 0}, flit.tag, far};
  if (plain->record) {
    struct hd_switch_record *r = plain->record;
    const uint32_t n = r->n_flits_out++;
    r->tags_out[n] = flit.tag;
    r->flits_out[n] = (struct hd_flit_event){flit.data, plain->flit_cycle, (uint8_t)output,
                                             flit.vc,   flit.kind,         0};
  }
}

INLINED void post_credits(void *to, unsigned port, unsigned vcs)
{
  const struct plain_outbox *plain = to;
  const struct hd_peer far = plain->senders[port];
  if (far.kind != HD_PEER_NONE)
    *next_credit(plain->box, far) = (struct transit_credit){far, (uint16_t)vcs};
  if (plain->record) {
    struct hd_switch_record *r = plain->record;
    r->credits_out[r->n_credits_out++] =
        (struct hd_credit_event){plain->credit_cycle, (uint8_t)port, (uint8_t)vcs, 0, 0};
  }
}

/* Runs plain switch `sw` for this cycle. Returns true if it must also advance in the next cycle. */
INLINED bool advance_plain(struct hd_fabric *f, uint32_t sw, struct outbox *box, bool recorded,
                           bool covered)
{
  struct hd_switch *s = hd_fabric_block(f, sw);
  const size_t first = (size_t)sw * f->topology->ports;
  struct plain_outbox plain = {
      .box = box, .peers = f->topology->peers + first, .senders = f->topology->senders + first};
  if (recorded) {
    const uint32_t now = (uint32_t)(f->cycle - f->record->start);
    plain.record = &f->record->switches[sw];
    plain.flit_cycle = now + s->flit_delay;
    plain.credit_cycle = now + 1;
    if (!hd_fabric_note_room(f, plain.record))
      plain.record = NULL;
  }
  f->counters.blocked_flit_cycles +=
      plain_cycle(s, f->cycle, &plain, post_flit, post_credits, covered);
  return s->fronts.word[0];
}

INLINED void advance_all_plain(struct hd_fabric *f, struct outbox *box, bool recorded, bool covered)
{
  for (uint32_t w = 0; w * 64 < f->topology->n_switches; w++) {
    uint64_t set = f->due[w].in[f->cycle % DUE_SLOTS], again = 0;
    f->due[w].in[f->cycle % DUE_SLOTS] = 0;
    for (; set; set &= set - 1) {
      const unsigned bit = (unsigned)__builtin_ctzll(set), word = w * 64;
      const uint64_t after = set & (set - 1);
      plain_prefetch(hd_fabric_block(f, word + (after ? (unsigned)__builtin_ctzll(after) : bit)));
      again |= (uint64_t)advance_plain(f, word + bit, box, recorded, covered) << bit;
    }
    f->due[w].in[(f->cycle + 1) % DUE_SLOTS] |= again;
  }
}

static NOINLINE void advance_all_unrecorded(struct hd_fabric *f, struct outbox *box)
{
  advance_all_plain(f, box, false, false);
}

static NOINLINE void advance_all_recorded(struct hd_fabric *f, struct outbox *box)
{
  advance_all_plain(f, box, true, false);
}

static NOINLINE void advance_all_covered(struct hd_fabric *f, struct outbox *box)
{
  advance_all_plain(f, box, f->record != NULL, true);
}

/* Runs switch `sw` for this cycle. */
INLINED void advance(struct hd_fabric *f, uint32_t sw, struct outbox *box)
{
  struct hd_switch *s = hd_fabric_block(f, sw);
  struct hd_switch_record *r = NULL;
  uint64_t start = 0;
  if (f->record) {
    r = &f->record->switches[sw];
    start = f->record->start;
    bool room = hd_fabric_note_room(f, r);
    box->out.flits = room ? r->flits_out + r->n_flits_out : f->scratch_flits;
    box->out.tags = room ? r->tags_out + r->n_flits_out : f->scratch_tags;
    box->out.credits = room ? r->credits_out + r->n_credits_out : f->scratch_credits;
    r = room ? r : NULL;
  }
  hd_switch_advance(s, f->cycle, start, &box->out);
  hd_fabric_advance_in(f, sw, f->cycle + 1,
                       s->extra ? s->active != 0 : !switch_set_is_empty(&s->fronts));
  f->counters.blocked_flit_cycles += box->out.blocked;
  if (!box->out.n_flits && !box->out.n_credits)
    return;
  f->counters.last_progress = f->cycle;
  if (f->topology->link_cycles)
    post_by_latency(f, sw, &box->out);
  else
    post_outputs(f, sw, box);
  if (r) {
    r->n_flits_out += box->out.n_flits;
    r->n_credits_out += box->out.n_credits;
  }
}

static void advance_all(struct hd_fabric *f, struct outbox *box)
{
  for (uint32_t w = 0; w * 64 < f->topology->n_switches; w++) {
    uint64_t set = f->due[w].in[f->cycle % DUE_SLOTS];
    f->due[w].in[f->cycle % DUE_SLOTS] = 0;
    for (; set; set &= set - 1)
      advance(f, w * 64 + (uint32_t)__builtin_ctzll(set), box);
  }
}

/* Counts a flit that an external switch takes in. hd_fabric_explain_wait shows the count. */
static void count_held(struct hd_fabric *f, const struct transit_flit *flit)
{
  bool beside = flit->event.kind >= HD_KIND_BARRIER && flit->event.kind <= HD_KIND_PADDING &&
                hd_barrier_beside(&f->params.sw); /* such a flit takes no slot */
  if (flit->event.vc < f->params.sw.vcs && !beside)
    f->held[hd_fabric_channel(f, flit->far.index, flit->far.port, flit->event.vc)]++;
}

/* Hands the flits that arrive in this cycle to plain switches. */
INLINED void take_plain_flits(struct hd_fabric *f, const struct arrivals *a, bool recorded,
                              bool covered)
{
  const uint64_t cycle = f->cycle;
  unsigned char *const switches = f->switches;
  const size_t size = f->switch_size;
  struct due_set *const due = f->due;
  const unsigned routed = (unsigned)(cycle + hd_fabric_block(f, 0)->route_delay) % DUE_SLOTS;
  const struct transit_flit *flit = a->flits[HD_PEER_SWITCH];
  const struct transit_flit *end = flit + a->n_flits[HD_PEER_SWITCH];
  for (; flit < end; flit++) {
    const uint32_t sw = flit->far.index;
    const struct hd_flit_event *e = &flit->event;
    if (recorded)
      hd_fabric_note_flit_in(f, sw, flit);
    struct hd_switch *s = (struct hd_switch *)(void *)(switches + size * sw);
    if (put_flit(s, cycle, e->port, e->vc, e->kind, e->data, flit->tag, false, covered, false))
      due[sw / 64].in[routed] |= UINT64_C(1) << sw % 64;
  }
}

/* Hands the credits that arrive in this cycle to plain switches. */
INLINED void take_plain_credits(struct hd_fabric *f, const struct arrivals *a, bool recorded)
{
  const uint64_t cycle = f->cycle;
  const struct transit_credit *credit = a->credits[HD_PEER_SWITCH];
  const struct transit_credit *end = credit + a->n_credits[HD_PEER_SWITCH];
  for (; credit < end; credit++) {
    struct hd_switch *s = hd_fabric_block(f, credit->far.index);
    if (recorded)
      hd_fabric_note_credit_in(f, credit->far.index, credit);
    if (__builtin_expect(f->coverage || !put_credit_plain(s, cycle, credit->far.port, credit->vcs),
                         0))
      hd_switch_put_credit(s, cycle, credit->far.port, credit->vcs);
  }
}

INLINED void take_flit(struct hd_fabric *f, const struct transit_flit *flit)
{
  uint32_t sw = flit->far.index;
  if (f->record)
    hd_fabric_note_flit_in(f, sw, flit);
  if (__builtin_expect(!f->switches, 0)) {
    count_held(f, flit);
    return;
  }
  struct hd_switch *s = hd_fabric_block(f, sw);
  const struct hd_flit_event *e = &flit->event;
  if (__builtin_expect(!s->extra, 1)) {
    bool came = put_flit(s, f->cycle, flit->far.port, e->vc, e->kind, e->data, flit->tag, false,
                         false, false);
    hd_fabric_advance_in(f, sw, f->cycle + s->route_delay, came);
  } else {
    hd_switch_put_flit(s, f->cycle, flit->far.port, e->vc, e->kind, e->data, flit->tag);
    hd_fabric_advance_in(f, sw, f->cycle + 1, s->active);
  }
  if (f->ends)
    hd_fabric_end_routed(f, s, flit);
}

INLINED void take_credit(struct hd_fabric *f, const struct transit_credit *credit)
{
  if (f->record)
    hd_fabric_note_credit_in(f, credit->far.index, credit);
  if (__builtin_expect(!f->switches, 0))
    return;
  struct hd_switch *s = hd_fabric_block(f, credit->far.index);
  if (__builtin_expect(s->extra || !put_credit_plain(s, f->cycle, credit->far.port, credit->vcs),
                       0))
    hd_switch_put_credit(s, f->cycle, credit->far.port, credit->vcs);
}

static void take_node_credit(struct hd_fabric *f, const struct transit_credit *credit)
{
  struct injector *in = &f->injectors[credit->far.index];
  for (unsigned left = credit->vcs & ((1u << f->params.sw.vcs) - 1); left; left &= left - 1) {
    const unsigned vc = (unsigned)__builtin_ctz(left);
    if (in->credit[vc] < f->params.sw.depth_flits)
      in->credit[vc]++;
  }
  if (f->barrier && (credit->vcs >> HD_BARRIER_CREDIT & 1)) {
    struct barrier_interface *b = &f->barrier[credit->far.index];
    if (b->credit < HD_BARRIER_QUEUE)
      b->credit++;
  }
}

void hd_fabric_take_flit(struct hd_fabric *f, const struct transit_flit *flit)
{
  take_flit(f, flit);
}

void hd_fabric_take_credit(struct hd_fabric *f, const struct transit_credit *credit)
{
  if (credit->far.kind == HD_PEER_SWITCH)
    take_credit(f, credit);
  else
    take_node_credit(f, credit);
}

static NOINLINE void take_all_plain_flits(struct hd_fabric *f, const struct arrivals *a)
{
  if (f->coverage)
    take_plain_flits(f, a, f->record != NULL, true);
  else if (f->record)
    take_plain_flits(f, a, true, false);
  else
    take_plain_flits(f, a, false, false);
}

static NOINLINE void take_all_plain_credits(struct hd_fabric *f, const struct arrivals *a)
{
  if (f->record)
    take_plain_credits(f, a, true);
  else
    take_plain_credits(f, a, false);
}

int hd_fabric_step_inputs(struct hd_fabric *f, struct hd_error *err)
{
  int status = HD_OK;
  f->n_deliveries = f->n_barrier_deliveries = 0;
  hd_fabric_inject(f);
  if (f->n_dead_ends)
    status = hd_fabric_ends_act(f, err);
  struct arrivals *a = &f->calendar[f->cycle & (f->n_slots - 1)];
  if (f->plain)
    take_all_plain_flits(f, a);
  for (uint32_t i = 0, n = f->plain ? 0 : a->n_flits[HD_PEER_SWITCH]; i < n; i++)
    if (!f->ends || !hd_fabric_end_flit(f, &a->flits[HD_PEER_SWITCH][i]))
      take_flit(f, &a->flits[HD_PEER_SWITCH][i]);
  for (uint32_t i = 0; i < a->n_flits[HD_PEER_NODE]; i++) {
    const struct transit_flit *flit = &a->flits[HD_PEER_NODE][i];
    if (f->ends && hd_fabric_end_flit(f, flit))
      continue;
    int s = hd_fabric_eject(f, flit, err);
    status = status ? status : s;
  }
  if (f->n_ejectors)
    hd_fabric_return_deferred_credits(f);
  if (f->plain)
    take_all_plain_credits(f, a);
  for (uint32_t i = 0, n = f->plain ? 0 : a->n_credits[HD_PEER_SWITCH]; i < n; i++)
    if (!f->ends || !hd_fabric_end_credit(f, &a->credits[HD_PEER_SWITCH][i]))
      take_credit(f, &a->credits[HD_PEER_SWITCH][i]);
  for (uint32_t i = 0; i < a->n_credits[HD_PEER_NODE]; i++) {
    const struct transit_credit *credit = &a->credits[HD_PEER_NODE][i];
    if (!f->ends || !hd_fabric_end_credit(f, credit))
      take_node_credit(f, credit);
  }
  if (f->n_configs)
    hd_fabric_config_now(f);
  f->under_way -= arrivals_n(a->n_flits) + arrivals_n(a->n_credits);
  memset(a->n_flits, 0, sizeof a->n_flits);
  memset(a->n_credits, 0, sizeof a->n_credits);
  if (f->losses_failed)
    return hd_fail(err, HD_E_NOMEM, "no memory for lost packets");
  return status;
}

void hd_fabric_step_done(struct hd_fabric *f)
{
  f->cycle++;
  f->n_handed = 0;
}

/* All links have the same LINK. So all flits of a cycle arrive together, and so do all credits. */
static void advance_switches(struct hd_fabric *f)
{
  struct arrivals *flits = &f->calendar[(f->cycle + f->flit_hop) & (f->n_slots - 1)];
  struct arrivals *credits = &f->calendar[(f->cycle + f->params.link_cycles) & (f->n_slots - 1)];
  struct outbox box = {.out = {f->scratch_flits, f->scratch_tags, f->scratch_credits, 0, 0, 0}};
  for (unsigned kind = HD_PEER_SWITCH; kind < PEER_KINDS; kind++) {
    box.flit[kind] = flits->flits[kind] + flits->n_flits[kind];
    box.credit[kind] = credits->credits[kind] + credits->n_credits[kind];
  }
  f->under_way -= arrivals_n(flits->n_flits) + arrivals_n(credits->n_credits);
  const uint32_t credits_before = arrivals_n(credits->n_credits);
  if (!f->plain)
    advance_all(f, &box);
  else if (f->coverage)
    advance_all_covered(f, &box);
  else if (f->record)
    advance_all_recorded(f, &box);
  else
    advance_all_unrecorded(f, &box);
  for (unsigned kind = HD_PEER_SWITCH; kind < PEER_KINDS; kind++) {
    flits->n_flits[kind] = (uint32_t)(box.flit[kind] - flits->flits[kind]);
    credits->n_credits[kind] = (uint32_t)(box.credit[kind] - credits->credits[kind]);
  }
  f->under_way += arrivals_n(flits->n_flits) + arrivals_n(credits->n_credits);
  if (arrivals_n(credits->n_credits) != credits_before) /* whatever moves gives a slot back */
    f->counters.last_progress = f->cycle;
}

int hd_fabric_step(struct hd_fabric *f, struct hd_error *err)
{
  struct outbox apart = {.out = {f->scratch_flits, f->scratch_tags, f->scratch_credits, 0, 0, 0}};
  if (f->n_configs)
    hd_fabric_config_ahead(f);
  if (f->topology->link_cycles)
    advance_all(f, &apart);
  else
    advance_switches(f);
  int status = hd_fabric_step_inputs(f, err);
  hd_fabric_step_done(f);
  return status;
}

/* A credit means that a flit has left the buffer. */
static void count_released(struct hd_fabric *f, uint32_t sw, const struct hd_credit_event *credit)
{
  for (uint32_t vc = 0; f->held && vc < f->params.sw.vcs; vc++) {
    uint32_t *held = &f->held[hd_fabric_channel(f, sw, credit->port, vc)];
    *held -= (credit->vcs >> vc & 1) && *held;
  }
}

void hd_fabric_put_outputs(struct hd_fabric *f, uint32_t sw, const struct hd_flit_event *flits,
                           uint32_t n_flits, const struct hd_credit_event *credits,
                           uint32_t n_credits)
{
  const struct hd_peer *peers = f->topology->peers + (size_t)sw * f->topology->ports;
  const struct hd_peer *senders = f->topology->senders + (size_t)sw * f->topology->ports;
  if (n_flits)
    f->counters.last_progress = f->cycle;
  for (uint32_t i = 0; i < n_flits; i++)
    if (flits[i].port < f->topology->ports)
      hd_fabric_post_flit(f, f->cycle + hd_fabric_link(f, hd_fabric_port(sw, flits[i].port)),
                          peers[flits[i].port], flits[i].vc, flits[i].kind, flits[i].data,
                          HD_PACKET_NONE);
  for (uint32_t i = 0; i < n_credits; i++)
    if (credits[i].port < f->topology->ports) {
      count_released(f, sw, &credits[i]);
      const struct hd_peer far = senders[credits[i].port];
      hd_fabric_post_credit(f, f->cycle + hd_fabric_link(f, far), far, hd_credit_set(&credits[i]));
    }
}

bool hd_fabric_idle(const struct hd_fabric *f)
{
  if (f->under_way || f->n_waiting || f->n_owed || !hd_fabric_ends_idle(f))
    return false;
  for (uint32_t w = 0; w * 64 < f->topology->n_nodes; w++)
    if (f->node_set[w])
      return false;
  for (uint32_t w = 0; w * 64 < f->topology->n_switches; w++)
    for (unsigned i = 0; i < DUE_SLOTS; i++)
      if (f->due[w].in[i])
        return false;
  return true;
}

void hd_fabric_skip(struct hd_fabric *f, uint64_t cycles)
{
  f->cycle += cycles;
  f->n_deliveries = f->n_barrier_deliveries = 0;
}

uint64_t hd_fabric_cycle(const struct hd_fabric *f)
{
  return f->cycle;
}

const struct hd_delivery *hd_fabric_deliveries(const struct hd_fabric *f, uint32_t *n)
{
  *n = f->n_deliveries;
  return f->deliveries;
}

void hd_fabric_counters(const struct hd_fabric *f, struct hd_fabric_counters *counters)
{
  /* The packet with the lowest number is also the oldest. */
  const struct packet *oldest = hd_fabric_find(f, f->oldest);
  *counters = f->counters;
  counters->oldest_created = oldest ? oldest->created : UINT64_MAX;
}

const struct hd_coverage *hd_fabric_coverage(const struct hd_fabric *f)
{
  return f->coverage;
}

const uint64_t *hd_fabric_blocked(const struct hd_fabric *f)
{
  return f->blocked;
}

const struct hd_switch *hd_fabric_switch(const struct hd_fabric *f, uint32_t sw)
{
  return f->switches ? hd_fabric_block(f, sw) : NULL;
}

size_t hd_fabric_bytes_per_switch(const struct hd_fabric *f)
{
  size_t calendar = (size_t)f->n_links * f->n_slots *
                    (sizeof(struct transit_flit) + sizeof(struct transit_credit));
  size_t carry =
      (size_t)f->topology->n_switches * f->carry_room * (sizeof *f->carry + sizeof *f->carry_tags);
  return f->switch_size + (calendar + carry) / f->topology->n_switches + sizeof(uint64_t);
}
