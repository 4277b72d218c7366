/* Counts the flits of each link, and records packets' ways.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hops.h"

#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

/* How far a packet's head has come. */
struct trail {
  uint16_t hops;
  uint8_t next_port; /* input port of the next switch */
};

/* A packet that was sent and not yet received. */
struct under_way {
  uint32_t number; /* HD_PACKET_NONE: none */
  uint32_t hops;   /* hops so far */
};
enum {
  /* Most packets in the network whose hops are counted. With more, a new packet replaces an old
   * one. */
  UNDER_WAY_MOST = 1 << 20
};

struct hd_hops {
  const struct hd_topology *topology;
  uint32_t vcs, window_cycles;
  bool traced;
  struct trail *trails; /* [trails_cap] by packet number, when hops are traced */
  size_t trails_cap;
  struct hd_rundb_hop *heads; /* [n] heads of one window, in order of time */
  size_t n, cap;
  uint32_t *counts; /* [window_cycles + 2] */
  uint64_t *links;  /* [n_switches × ports × vcs] */
  const struct hd_run_report *report;
  uint64_t *measured; /* [n_switches × ports]: flits of the measuring phase */
  bool numbered;
  struct under_way
      *under_way; /* [n_under_way], a power of two; the index is the packet's number modulo that */
  uint32_t n_under_way;
};

struct hd_hops *hd_hops_create(const struct hd_topology *topology, uint32_t vcs,
                               uint32_t window_cycles, bool numbered, bool traced,
                               const struct hd_run_report *report)
{
  struct hd_hops *h = hd_xcalloc(1, sizeof *h);
  h->topology = topology;
  h->vcs = vcs;
  h->window_cycles = window_cycles;
  h->traced = traced;
  h->numbered = numbered;
  h->links = hd_xcalloc((size_t)topology->n_switches * topology->ports * vcs, sizeof *h->links);
  h->report = report;
  h->measured = hd_xcalloc((size_t)topology->n_switches * topology->ports, sizeof *h->measured);
  h->counts = hd_xcalloc((size_t)window_cycles + 2, sizeof *h->counts);
  return h;
}

void hd_hops_destroy(struct hd_hops *h)
{
  if (!h)
    return;
  free(h->trails);
  free(h->heads);
  free(h->counts);
  free(h->links);
  free(h->measured);
  free(h->under_way);
  free(h);
}

static struct under_way *entry_of(const struct hd_hops *h, uint32_t number)
{
  return &h->under_way[number & (h->n_under_way - 1)];
}

static void resize_under_way(struct hd_hops *h, uint32_t n)
{
  struct under_way *old = h->under_way;
  const uint32_t n_old = h->n_under_way;
  h->under_way = hd_xmalloc(n * sizeof *h->under_way);
  h->n_under_way = n;
  for (uint32_t i = 0; i < n; i++)
    h->under_way[i].number = HD_PACKET_NONE;
  for (uint32_t i = 0; i < n_old; i++)
    if (old[i].number != HD_PACKET_NONE)
      *entry_of(h, old[i].number) = old[i];
  free(old);
}

static void add_under_way(struct hd_hops *h, uint32_t number)
{
  if (!h->n_under_way)
    resize_under_way(h, 64);
  while (entry_of(h, number)->number != HD_PACKET_NONE && h->n_under_way < UNDER_WAY_MOST)
    resize_under_way(h, 2 * h->n_under_way);
  *entry_of(h, number) = (struct under_way){number, 0};
}

static void count_hop(struct hd_hops *h, uint32_t number)
{
  if (h->n_under_way && number != HD_PACKET_NONE && entry_of(h, number)->number == number)
    entry_of(h, number)->hops++;
}

uint32_t hd_hops_remove(struct hd_hops *h, uint32_t number)
{
  if (!h->n_under_way || number == HD_PACKET_NONE || entry_of(h, number)->number != number)
    return 0;
  entry_of(h, number)->number = HD_PACKET_NONE;
  return entry_of(h, number)->hops;
}

/* Records, for the packet's first hop, the input port at which the packet enters the network. */
void hd_hops_start(struct hd_hops *h, uint32_t number, uint32_t source)
{
  if (h->numbered)
    add_under_way(h, number);
  if (!h->traced)
    return;
  HD_XROOM(h->trails, h->trails_cap, number, 1);
  h->trails[number] = (struct trail){.next_port = h->topology->node_peers[source].port};
}

static void count_kind(struct hd_run_flits *flits, unsigned kind)
{
  flits->heads += (kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) == HD_KIND_HEAD;
  if (!(kind & HD_KIND_RESERVED))
    flits->data++;
  else if (kind == HD_KIND_NULL)
    flits->null++;
  else if (kind == HD_KIND_PADDING)
    flits->padding++;
  else
    flits->barrier++;
}

static bool is_head(const struct hd_flit_event *flit)
{
  return (flit->kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) == HD_KIND_HEAD;
}

static void count_measured(struct hd_hops *h, uint32_t sw, const struct hd_flit_event *flit,
                           uint64_t cycle)
{
  if (!hd_run_measures(h->report, cycle) || flit->port >= h->topology->ports)
    return;
  h->measured[(size_t)sw * h->topology->ports + flit->port]++;
}

/* Counts flits by link and channel, and by kind. With `keep`, returns the number of heads, and
 * leaves the heads of cycle c in h->counts[c + 1]; otherwise returns 0. */
static size_t count_flits(struct hd_hops *h, const struct hd_record *record, uint32_t cycles,
                          bool keep, struct hd_run_flits *flits)
{
  size_t n = 0;
  if (keep)
    memset(h->counts, 0, (h->window_cycles + 2) * sizeof *h->counts);
  for (uint32_t sw = 0; sw < record->n_switches; sw++) {
    const struct hd_switch_record *r = &record->switches[sw];
    uint64_t *links = h->links + (size_t)sw * h->topology->ports * h->vcs;
    for (uint32_t i = 0; i < r->n_flits_out && r->flits_out[i].cycle <= cycles; i++) {
      const struct hd_flit_event *flit = &r->flits_out[i];
      if (flit->port < h->topology->ports && flit->vc < h->vcs)
        links[flit->port * h->vcs + flit->vc]++;
      count_kind(flits, flit->kind);
      count_measured(h, sw, flit, record->start + flit->cycle);
      if (is_head(flit))
        count_hop(h, r->tags_out[i]);
      if (keep && is_head(flit)) {
        h->counts[flit->cycle + 1]++;
        n++;
      }
    }
  }
  return n;
}

/* Sorts the heads of all switches by cycle. It is a counting sort: in one cycle, heads are in
 * the order of their switches. */
static void sort_heads(struct hd_hops *h, const struct hd_record *record, uint32_t cycles, size_t n)
{
  uint32_t *counts = h->counts;
  h->n = n;
  if (!n)
    return;
  HD_XROOM(h->heads, h->cap, 0, n);
  for (uint32_t c = 1; c <= cycles + 1; c++)
    counts[c] += counts[c - 1];
  for (uint32_t sw = 0; sw < record->n_switches; sw++) {
    const struct hd_switch_record *r = &record->switches[sw];
    for (uint32_t i = 0; i < r->n_flits_out && r->flits_out[i].cycle <= cycles; i++) {
      const struct hd_flit_event *flit = &r->flits_out[i];
      if (!is_head(flit))
        continue;
      h->heads[counts[flit->cycle]++] = (struct hd_rundb_hop){
          .packet = r->tags_out[i],
          .sw = (uint16_t)sw,
          .out_port = flit->port,
          .vc = flit->vc,
          .cycle = record->start + flit->cycle,
      };
    }
  }
}

static int write_hops(struct hd_hops *h, struct hd_rundb *db, struct hd_error *err)
{
  const struct hd_topology *t = h->topology;
  for (size_t i = 0; i < h->n; i++) {
    struct hd_rundb_hop *hop = &h->heads[i];
    if (hop->packet >= h->trails_cap)
      continue;
    struct trail *trail = &h->trails[hop->packet];
    hop->hop = trail->hops++;
    hop->in_port = trail->next_port;
    if (hop->out_port < t->ports)
      trail->next_port = t->peers[hop->sw * t->ports + hop->out_port].port;
    int status = hd_rundb_hop(db, hop, err);
    if (status)
      return status;
  }
  return HD_OK;
}

int hd_hops_window(struct hd_hops *h, const struct hd_record *record, uint32_t cycles,
                   struct hd_run_flits *flits, struct hd_rundb *db, struct hd_error *err)
{
  /* A window cut short is the divergent one: its heads show the packet's way. */
  bool keep = h->traced || cycles < record->cycles;
  size_t n = count_flits(h, record, cycles, keep, flits);
  sort_heads(h, record, cycles, n);
  return h->traced ? write_hops(h, db, err) : HD_OK;
}

const uint64_t *hd_hops_links(const struct hd_hops *h)
{
  return h->links;
}

void hd_hops_report(const struct hd_hops *h, struct hd_run_report *report)
{
  const struct hd_topology *t = h->topology;
  const uint64_t end = report->measured_end && report->measured_end < report->result.cycles
                           ? report->measured_end
                           : report->result.cycles;
  uint64_t links = 0, flits = 0, most = 0;
  for (size_t i = 0; i < (size_t)t->n_switches * t->ports; i++)
    if (t->peers[i].kind == HD_PEER_SWITCH) {
      links++;
      flits += h->measured[i];
      most = h->measured[i] > most ? h->measured[i] : most;
    }
  report->has_link_use = links && end > report->warmup_cycles;
  if (!report->has_link_use)
    return;
  const double cycles = (double)(end - report->warmup_cycles);
  report->link_use = (double)flits / ((double)links * cycles);
  report->link_use_most = (double)most / cycles;
}

void hd_hops_energy(const struct hd_hops *h, uint32_t link_cycles, struct hd_run_report *report)
{
  const struct hd_topology *t = h->topology;
  uint64_t *events = report->energy.events;
  for (size_t i = 0; i < (size_t)t->n_switches * t->ports * h->vcs; i++) {
    const uint32_t port = (uint32_t)(i / h->vcs);
    events[HD_ENERGY_CROSSBAR] += h->links[i];
    events[HD_ENERGY_LINK] +=
        h->links[i] * hd_topology_link_cycles(t, port / t->ports, port % t->ports, link_cycles);
  }
  events[HD_ENERGY_BUFFER] = report->flits.data;
  events[HD_ENERGY_HEAD] = report->flits.heads;
  events[HD_ENERGY_CLOCK] = report->result.cycles * t->n_switches;
}

void hd_hops_of_packet(const struct hd_hops *h, uint32_t packet, struct hd_rundb_hop **found,
                       uint32_t *n)
{
  size_t known = 0;
  *n = 0;
  for (size_t i = 0; i < h->n; i++)
    known += h->heads[i].packet == packet;
  if (!known)
    return;
  *found = hd_xcalloc(known, sizeof **found);
  for (size_t i = 0; i < h->n; i++)
    if (h->heads[i].packet == packet)
      (*found)[(*n)++] = h->heads[i];
}
