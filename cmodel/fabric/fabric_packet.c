/* Packets and network interfaces of the fabric model (specification chapter 4).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../grow.h"
#include "fabric_state.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PACKET_FLITS = 65535, MAX_UNDER_WAY = 1 << 24 };

/* The numbers of packets under way can span more than the table holds. Doubles the table until the element of the new
 * number is free. */
static int make_place(struct hd_fabric *f, uint32_t number, struct hd_error *err)
{
  while (f->packets[number & (f->n_packets - 1)].number != HD_PACKET_NONE) {
    uint32_t n = f->n_packets * 2;
    if (n > MAX_UNDER_WAY)
      return hd_fail(err, HD_E_INPUT,
                     "more than %d packets are under way or wait to be sent; send fewer, or take "
                     "fewer run.cycles",
                     MAX_UNDER_WAY);
    struct packet *bigger = n ? malloc((size_t)n * sizeof *bigger) : NULL;
    if (!bigger)
      return hd_fail(err, HD_E_NOMEM, "no memory for %u packets under way", n);
    for (uint32_t i = 0; i < n; i++)
      bigger[i].number = HD_PACKET_NONE;
    for (uint32_t i = 0; i < f->n_packets; i++)
      if (f->packets[i].number != HD_PACKET_NONE)
        bigger[f->packets[i].number & (n - 1)] = f->packets[i];
    free(f->packets);
    f->packets = bigger;
    f->n_packets = n;
  }
  return HD_OK;
}

static uint64_t make_header(const struct hd_fabric *f, const struct hd_packet *p, uint32_t number)
{
  if (p->raw_header)
    return p->header & f->data_mask;
  const uint32_t nodes = f->topology->n_nodes, first = p->network * nodes; /* §5.28 */
  uint64_t header = hd_routing_header(f->header_mode, f->draws, f->topology, f->node_bits,
                                      first + p->source, first + p->destination, number);
  if (!p->bare)
    return header & f->data_mask >> hd_code_bits(&f->params.sw); /* §11.12: without the code field,
                                                                  * so that no coder takes the
                                                                  * packet */
  uint64_t low = (UINT64_C(1) << hd_header_bits(&f->params.sw)) - 1;
  return ((header & low) | (p->header & ~low)) & f->data_mask;
}

/* Inserts the packet after all that wait with its priority or a higher one, and after a packet that
 * is already being sent (§4.1). */
static void enqueue(struct hd_fabric *f, struct injector *in, struct packet *p)
{
  const unsigned ahead = (unsigned)in->waiting >> p->priority;
  struct packet *before = hd_fabric_find(f, ahead ? in->last[p->priority + __builtin_ctz(ahead)]
                                            : in->sent ? in->first
                                                       : HD_PACKET_NONE);
  uint32_t *link = before ? &before->next : &in->first;
  p->next = *link;
  *link = in->last[p->priority] = p->number;
  in->waiting |= (uint8_t)(1u << p->priority);
}

static uint32_t count_nodes(const uint64_t *to, uint32_t n_nodes)
{
  uint32_t n = 0;
  for (uint32_t w = 0; w * 64 < n_nodes; w++)
    n += (uint32_t)__builtin_popcountll(to[w]);
  return n;
}

uint32_t hd_fabric_copies(const struct hd_packet *p, uint32_t n_nodes)
{
  return p->to ? count_nodes(p->to, n_nodes) : 1;
}

/* Checks a multicast flit (§13.2, §13.6). */
static int check_cast(const struct hd_fabric *f, const struct hd_packet *p, struct hd_error *err)
{
  if (f->cast_vc == HD_MAX_VCS)
    return hd_fail(err, HD_E_INPUT,
                   "a multicast packet needs switches with multicast (switch.trees)");
  if (p->flits != 1 || !p->raw_header || (p->header & 3) != 3)
    return hd_fail(err, HD_E_INPUT,
                   "a multicast packet of %u flits, header mode %u; legal: 1 and 3", p->flits,
                   (unsigned)(p->header & 3));
  return hd_fabric_copies(p, f->topology->n_nodes)
             ? HD_OK
             : hd_fail(err, HD_E_INPUT, "a multicast packet that nobody receives");
}

/* Copies the words of a packet other than its header: its set of destinations, or its payload. */
static int copy_words(const struct hd_fabric *f, const struct hd_packet *p, uint64_t **words,
                      struct hd_error *err)
{
  const uint64_t *from = p->to ? p->to : p->payload;
  const size_t n = p->to ? f->topology->n_nodes / 64 + 1 : p->flits - 1;
  *words = NULL;
  if (!from)
    return HD_OK;
  *words = malloc((n + 1) * sizeof **words);
  if (!*words)
    return hd_fail(err, HD_E_NOMEM, "no memory for a packet of %u flits", p->flits);
  memcpy(*words, from, n * sizeof **words);
  return HD_OK;
}

int hd_fabric_send(struct hd_fabric *f, const struct hd_packet *p, uint32_t *number,
                   struct hd_error *err)
{
  uint32_t nodes = f->topology->n_nodes;
  if (p->source >= nodes || p->destination >= nodes)
    return hd_fail(err, HD_E_INPUT, "packet from node %u to node %u, but nodes are 0 to %u",
                   p->source, p->destination, nodes - 1);
  if (p->flits < 1 || p->flits > MAX_PACKET_FLITS)
    return hd_fail(err, HD_E_INPUT, "packet of %u flits, must be 1 to %d", p->flits,
                   MAX_PACKET_FLITS);
  if (p->network >= f->networks)
    return hd_fail(err, HD_E_INPUT, "packet of virtual network %u, but there are %u", p->network,
                   f->networks);
  if (p->priority >= HD_PRIORITIES)
    return hd_fail(err, HD_E_INPUT, "packet of priority %u, must be 0 to %d", p->priority,
                   HD_PRIORITIES - 1);
  uint32_t cut = f->params.sw.cut_flits;
  if (cut && p->flits > cut)
    return hd_fail(err, HD_E_INPUT,
                   "packet of %s, but virtual cut-through is set up for at most %u (cut_flits)",
                   hd_count(p->flits, "flit").text, cut);
  if (f->next_number == HD_PACKET_MADE)
    return hd_fail(err, HD_E_INPUT, "more than %u packets in one run; take fewer run.cycles",
                   HD_PACKET_MADE);
  uint64_t *payload;
  int status = p->to ? check_cast(f, p, err) : HD_OK;
  if (!status)
    status = make_place(f, f->next_number, err);
  if (!status)
    status = copy_words(f, p, &payload, err);
  if (status)
    return status;
  const uint32_t destination = p->to ? nodes : p->destination; /* multicast has a list of its own */
  *number = f->next_number++;
  struct packet *q = &f->packets[*number & (f->n_packets - 1)];
  *q = (struct packet){.created = f->cycle,
                       .header = make_header(f, p, *number),
                       .payload = payload,
                       .number = *number,
                       .source = p->source,
                       .destination = destination,
                       .flits = p->flits,
                       .network = p->network,
                       .traffic_class = p->traffic_class,
                       .priority = p->priority,
                       .bare = p->bare,
                       .cast = p->to != NULL,
                       .older = HD_PACKET_NONE,
                       .younger = HD_PACKET_NONE};
  enqueue(f, &f->injectors[p->source], q);
  f->node_set[p->source / 64] |= UINT64_C(1) << p->source % 64;
  if (f->oldest_to) {
    q->older = f->youngest_to[destination];
    if (q->older == HD_PACKET_NONE)
      f->oldest_to[destination] = *number;
    else
      hd_fabric_find(f, q->older)->younger = *number;
    f->youngest_to[destination] = *number;
  }
  f->counters.packets_sent += hd_fabric_copies(p, nodes);
  f->counters.packets_of_others += p->network > 0;
  return HD_OK;
}

/* Sends this cycle's flit of one node (§4.1). */
static void inject_node(struct hd_fabric *f, uint32_t node)
{
  struct injector *in = &f->injectors[node];
  struct packet *p = hd_fabric_find(f, in->first);
  uint32_t vcs = f->params.sw.vcs;
  if (f->barrier && f->barrier[node].sent == f->cycle) {
    hd_fabric_cover(f, HD_POINT_INJECT_BEFORE);
    return;
  }
  if (in->sent == 0 && f->barrier && hd_fabric_barrier_first(f, node)) {
    hd_fabric_cover(f, HD_POINT_INJECT_FIRST);
    return;
  }
  if (in->sent == 0) {
    uint32_t tried = 0, vc = in->vc_next;
    while (tried < vcs && !hd_fabric_may_begin(f, in, p, vc)) {
      vc = vc + 1 == vcs ? 0 : vc + 1;
      tried++;
    }
    if (tried == vcs)
      return;
    if (in->last[p->priority] == p->number)
      in->waiting &= (uint8_t) ~(1u << p->priority);
    in->vc = (uint8_t)vc;
    in->vc_next = vc + 1 == vcs ? 0 : (uint8_t)(vc + 1);
    const uint64_t waited = f->cycle - p->created;
    p->waited = waited < UINT32_MAX ? (uint32_t)waited : UINT32_MAX;
  } else if (!in->credit[in->vc]) {
    return;
  }
  unsigned kind =
      (in->sent == 0 ? HD_KIND_HEAD : 0) | (in->sent + 1 == p->flits ? HD_KIND_TAIL : 0);
  hd_fabric_post_flit(f, f->cycle + f->params.link_cycles, f->topology->node_peers[node], in->vc,
                      (uint8_t)kind, hd_fabric_word(f, p, in->sent), p->number);
  in->credit[in->vc]--;
  f->counters.last_progress = f->cycle;
  if (++in->sent < p->flits)
    return;
  p->sent = true;
  in->sent = 0;
  in->first = p->next;
  if (in->first == HD_PACKET_NONE)
    f->node_set[node / 64] &= ~(UINT64_C(1) << node % 64);
  if (p->lost)
    hd_fabric_forget(f, p);
}

void hd_fabric_inject(struct hd_fabric *f)
{
  if (f->barrier)
    hd_fabric_barrier_inject(f);
  for (uint32_t w = 0; w * 64 < f->topology->n_nodes; w++)
    for (uint64_t set = f->node_set[w]; set; set &= set - 1)
      inject_node(f, w * 64 + (uint32_t)__builtin_ctzll(set));
}

static bool equal_words(const struct hd_fabric *f, const struct packet *p, const struct assembly *a)
{
  if (a->n != p->flits)
    return false;
  if (p->cast)
    return a->words[0] == p->header;
  const unsigned mode = p->header & 3;
  if (mode != 2 &&
      a->words[0] != (mode == 3 ? p->header - 3 : p->header)) /* §1.3: switches have cleared the
                                                               * mode of such a header */
    return false;
  for (uint32_t i = 1; i < a->n; i++)
    if (a->words[i] != hd_fabric_word(f, p, i))
      return false;
  return true;
}

static bool is_addressed_to(const struct packet *p, uint32_t node)
{
  return p->cast ? p->payload[node / 64] >> node % 64 & 1 : p->destination == node;
}

/* External switches carry no tags. This takes the oldest packet under way to the node that looks the same. So equal
 * packets can swap their latencies, but the sum stays the same. */
static uint32_t find_alike(const struct hd_fabric *f, uint32_t node, const struct assembly *a)
{
  const bool cast = f->cast_vc != HD_MAX_VCS && (a->words[0] & 3) == 3;
  uint32_t number = f->oldest_to[cast ? f->topology->n_nodes : node];
  while (number != HD_PACKET_NONE) {
    const struct packet *p = hd_fabric_find(f, number);
    if (p->sent && is_addressed_to(p, node) && equal_words(f, p, a))
      break;
    number = p->younger;
  }
  return number;
}

void hd_fabric_forget(struct hd_fabric *f, struct packet *p)
{
  if (f->oldest_to) {
    if (p->older == HD_PACKET_NONE)
      f->oldest_to[p->destination] = p->younger;
    else
      hd_fabric_find(f, p->older)->younger = p->younger;
    if (p->younger == HD_PACKET_NONE)
      f->youngest_to[p->destination] = p->older;
    else
      hd_fabric_find(f, p->younger)->older = p->older;
  }
  free(p->payload);
  p->number = HD_PACKET_NONE;
  /* Moves on to the lowest number under way. A run passes each number only once, so this is cheap. */
  while (f->oldest != f->next_number && !hd_fabric_find(f, f->oldest))
    f->oldest++;
}

/* Returns true if the coder of the node's switch made the packet (§11.12). External switches carry no tags: there, a
 * packet counts as the coder's if its head has a code. The caller has found that no such packet was sent. */
static bool is_from_coder(const struct hd_fabric *f, uint32_t node, const struct assembly *a)
{
  if (!f->oldest_to)
    return a->tag == HD_PACKET_MADE;
  const struct hd_switch_params *sw = &f->params.sw;
  uint64_t code = a->words[0] >> (sw->data_bits - 2);
  return sw->code_places && f->topology->node_exits[node].port == 0 && (a->words[0] & 3) != 2 &&
         (code == 1 || code == 2);
}

static int deliver(struct hd_fabric *f, uint32_t node, struct assembly *a, struct hd_error *err)
{
  if (!HD_ROOM(f->deliveries, f->cap_deliveries, f->n_deliveries, 1))
    return hd_fail(err, HD_E_NOMEM, "no memory for more than %u deliveries in a cycle",
                   f->n_deliveries);
  uint32_t number = f->oldest_to ? find_alike(f, node, a) : a->tag;
  struct packet *p = hd_fabric_find(f, number);
  if (f->ends && number < f->next_number && (!p || p->lost))
    return HD_OK; /* the rest that a fault has left of a packet (§5.9) */
  struct hd_delivery *d = &f->deliveries[f->n_deliveries++];
  *d = (struct hd_delivery){.number = HD_PACKET_NONE,
                            .node = node,
                            .flits = a->n,
                            .words = a->words,
                            .received = f->cycle};
  f->counters.last_received = f->cycle;
  if ((!p || !p->sent) && is_from_coder(f, node, a)) {
    d->made = d->intact = true;
    f->counters.packets_made++;
    return HD_OK;
  }
  f->counters.packets_received++;
  if (!p || !p->sent) {
    f->counters.packets_foreign++;
    return HD_OK;
  }
  d->number = number;
  d->source = p->source;
  d->destination = p->cast ? node : p->destination;
  d->cast = p->cast;
  d->created = p->created;
  d->entered = p->created + p->waited;
  d->traffic_class = p->traffic_class;
  d->bare = p->bare;
  d->synthetic = !p->payload && !p->bare;
  d->intact = is_addressed_to(p, node) && equal_words(f, p, a);
  if (!d->intact)
    f->counters.packets_foreign++;
  if (p->cast && d->intact)
    p->payload[node / 64] &= ~(UINT64_C(1) << node % 64);
  if (!p->cast || !count_nodes(p->payload, f->topology->n_nodes))
    hd_fabric_forget(f, p);
  return HD_OK;
}

int hd_fabric_eject(struct hd_fabric *f, const struct transit_flit *flit, struct hd_error *err)
{
  uint32_t node = flit->far.index;
  f->counters.last_progress = f->cycle;
  if (f->barrier && (flit->event.kind & HD_KIND_RESERVED))
    return hd_fabric_barrier_eject(f, flit, err);
  f->counters.flits_received++;
  if (flit->event.vc >= f->params.sw.vcs)
    return HD_OK;
  hd_fabric_give(f, node, 1u << flit->event.vc, 0);
  if (flit->event.kind & HD_KIND_RESERVED)
    return HD_OK;
  struct assembly *a = &f->assemblies[node * f->params.sw.vcs + flit->event.vc];
  if (flit->event.kind & HD_KIND_HEAD) {
    a->n = 0;
    a->tag = flit->tag;
  }
  if (!HD_ROOM(a->words, a->capacity, a->n, 1))
    return hd_fail(err, HD_E_NOMEM, "no memory to receive a packet of more than %u flits", a->n);
  a->words[a->n++] = flit->event.data;
  if (!(flit->event.kind & HD_KIND_TAIL) && a->n <= MAX_PACKET_FLITS)
    return HD_OK; /* a packet without an end is cut off at the longest legal length and then counts
                   * as foreign */
  int status = deliver(f, node, a, err);
  a->n = 0;
  return status;
}

int hd_fabric_packet(const struct hd_fabric *f, uint32_t number, struct hd_packet *packet,
                     uint64_t *created)
{
  const struct packet *p = hd_fabric_find(f, number);
  if (!p || p->lost)
    return HD_E_INPUT;
  *packet = (struct hd_packet){.source = p->source,
                               .destination = p->cast ? p->source : p->destination,
                               .flits = p->flits,
                               .network = p->network,
                               .traffic_class = p->traffic_class,
                               .priority = p->priority,
                               .payload = p->cast ? NULL : p->payload,
                               .to = p->cast ? p->payload : NULL,
                               .header = p->header,
                               .raw_header = true,
                               .bare = p->bare};
  *created = p->created;
  return HD_OK;
}

uint32_t hd_fabric_next_packet(const struct hd_fabric *f)
{
  return f->next_number;
}

uint32_t hd_fabric_oldest_packet(const struct hd_fabric *f)
{
  return f->oldest == f->next_number ? HD_PACKET_NONE : f->oldest;
}
