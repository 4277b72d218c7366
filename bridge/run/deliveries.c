/* Keeps received packets until the DUT has agreed, then counts them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "deliveries.h"

#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

struct hd_deliveries {
  struct hd_run_report *report;
  struct hd_hops *hops;
  struct hd_rundb_packet *pending; /* [n], in order of time */
  size_t n, cap;
  uint64_t counted;    /* deliveries counted so far, whether measured or not */
  uint64_t late_flits; /* measured flits received since offered_until */
  uint16_t *between;   /* [n_nodes][n_nodes]: links between two nodes; NULL: not known */
  uint32_t n_nodes;
  uint64_t
      arrived; /* measured packets that the model has received or lost; it may be ahead of the DUT */
};

struct hd_deliveries *hd_deliveries_create(struct hd_run_report *report, struct hd_hops *hops)
{
  struct hd_deliveries *d = hd_xcalloc(1, sizeof *d);
  d->report = report;
  d->hops = hops;
  return d;
}

void hd_deliveries_destroy(struct hd_deliveries *d)
{
  if (!d)
    return;
  free(d->pending);
  free(d->between);
  free(d);
}

/* Called when the first packet of a class other than 0 is sent: all earlier packets were of
 * class 0. */
static void begin_classes(struct hd_run_report *report)
{
  struct hd_run_class *first = &report->classes[0];
  report->n_classes = 1;
  first->sent_flits = report->measured_sent_flits;
  first->received_flits = report->measured_flits;
  hd_latency_copy(&first->latency, &report->latency);
  hd_latency_copy(&first->network_latency, &report->network_latency);
}

void hd_deliveries_by_links(struct hd_deliveries *d, uint16_t *between, uint32_t n_nodes)
{
  struct hd_run_report *report = d->report;
  uint32_t most = 0;
  for (size_t i = 0; i < (size_t)n_nodes * n_nodes; i++)
    if (between[i] > most && between[i] != UINT16_MAX)
      most = between[i];
  d->between = between;
  d->n_nodes = n_nodes;
  report->n_distances = most + 1;
  report->distances = hd_xcalloc(report->n_distances, sizeof *report->distances);
}

static void count_links(struct hd_deliveries *d, const struct hd_rundb_packet *p)
{
  const uint32_t links = d->between[(size_t)p->source * d->n_nodes + p->destination];
  if (links >= d->report->n_distances)
    return;
  struct hd_run_distance *to = &d->report->distances[links];
  const uint64_t latency = p->received - p->created;
  to->minimum = to->packets && to->minimum < latency ? to->minimum : latency;
  to->maximum = to->maximum > latency ? to->maximum : latency;
  to->sum += latency;
  to->packets++;
}

/* The network was under load up to this packet, so flits received since the last one count as
 * received under load. */
void hd_deliveries_sent(struct hd_deliveries *d, const struct hd_packet *packet, uint64_t cycle,
                        uint64_t no_load)
{
  struct hd_run_report *report = d->report;
  const uint32_t number = packet->traffic_class;
  if (number && !report->n_classes)
    begin_classes(report);
  if (report->n_classes && number >= report->n_classes)
    report->n_classes = number + 1;
  if (hd_run_measures(report, cycle)) {
    report->measured_sent++;
    report->measured_sent_flits += packet->flits;
    if (report->n_classes)
      report->classes[number].sent_flits += packet->flits;
    hd_load_created(&report->load, cycle - report->warmup_cycles, packet->flits, no_load);
  }
  if (!report->offered_until)
    report->offered_from = cycle;
  if (cycle >= report->offered_until) {
    report->offered_until = cycle + 1;
    report->offered_flits += d->late_flits;
    d->late_flits = 0;
  }
}

void hd_deliveries_missing(struct hd_deliveries *d, uint64_t created)
{
  struct hd_run_report *report = d->report;
  if (hd_run_measures(report, created))
    hd_load_missing(&report->load, created - report->warmup_cycles,
                    report->result.cycles - created);
}

void hd_deliveries_lost(struct hd_deliveries *d, const struct hd_loss *packet)
{
  struct hd_run_report *report = d->report;
  if (!hd_run_measures(report, packet->created))
    return;
  d->arrived++;
  hd_load_lost(&report->load, packet->created - report->warmup_cycles, packet->flits);
}

bool hd_deliveries_over(const struct hd_deliveries *d, uint64_t cycle)
{
  return cycle >= d->report->measured_end && d->arrived == d->report->measured_sent;
}

static void add_delivery(struct hd_deliveries *d, const struct hd_delivery *delivery)
{
  HD_XROOM(d->pending, d->cap, d->n, 1);
  d->arrived += hd_run_measures(d->report, delivery->created);
  d->pending[d->n++] = (struct hd_rundb_packet){
      .number = delivery->number,
      .source = delivery->source,
      .destination = delivery->destination,
      .flits = delivery->flits,
      .created = delivery->created,
      .entered = delivery->entered,
      .traffic_class = delivery->traffic_class,
      .received = delivery->received,
      .synthetic = delivery->synthetic,
      .intact = delivery->intact,
  };
}

void hd_deliveries_add(struct hd_deliveries *d, const struct hd_fabric *fabric)
{
  uint32_t n;
  const struct hd_delivery *deliveries = hd_fabric_deliveries(fabric, &n);
  for (uint32_t i = 0; i < n; i++) {
    d->report->not_intact += !deliveries[i].intact;
    if (deliveries[i].number != HD_PACKET_NONE)
      add_delivery(d, &deliveries[i]);
  }
}

static void count_delivery(struct hd_deliveries *d, const struct hd_rundb_packet *p)
{
  struct hd_run_report *report = d->report;
  struct hd_run_class *of = report->n_classes ? &report->classes[p->traffic_class] : NULL;
  const uint32_t hops = hd_hops_remove(d->hops, p->number);
  d->counted++;
  if (hd_run_measures(report, p->received)) { /* received in the phase, whenever created */
    hd_load_received(&report->load, p->received - report->warmup_cycles, p->flits);
    report->measured_flits += p->flits;
    if (of)
      of->received_flits += p->flits;
    *(p->received < report->offered_until ? &report->offered_flits : &d->late_flits) += p->flits;
  }
  if (hd_run_measures(report, p->created)) {
    report->hops += hops;
    report->hops_packets += hops > 0;
    hd_latency_add(&report->latency, p->received - p->created);
    hd_latency_add(&report->network_latency, p->received - p->entered);
    if (of) {
      hd_latency_add(&of->latency, p->received - p->created);
      hd_latency_add(&of->network_latency, p->received - p->entered);
    }
    if (d->between)
      count_links(d, p);
    hd_load_latency(&report->load, p->created - report->warmup_cycles, p->received - p->created);
  }
}

int hd_deliveries_count(struct hd_deliveries *d, uint64_t limit, struct hd_rundb *db,
                        struct hd_error *err)
{
  size_t taken = 0;
  while (taken < d->n && d->pending[taken].received <= limit) {
    const struct hd_rundb_packet *p = &d->pending[taken++];
    count_delivery(d, p);
    const int status = db ? hd_rundb_packet(db, p, err) : HD_OK;
    if (status)
      return status;
  }
  /* Moves the entries that are still pending to the start, so that the array needs room for two
   * windows only. */
  d->n -= taken;
  if (d->n)
    memmove(d->pending, d->pending + taken, d->n * sizeof *d->pending);
  return HD_OK;
}

uint64_t hd_deliveries_counted(const struct hd_deliveries *d)
{
  return d->counted;
}

const struct hd_rundb_packet *hd_deliveries_pending(const struct hd_deliveries *d, size_t *n)
{
  *n = d->n;
  return d->pending;
}
