/* What happens in a run's cycles and windows: software, packets, hops, progress.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model runs ahead of the DUT by a window. So a delivery is first pending, and
 * counts only when the window in which it fell has agreed.
 */
#include "run_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double progress_seconds = 0.5;

double hd_run_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Keeps, for the hop that follows, the input port at which the packet will arrive. */
static int trail_start(struct hd_run *run, uint32_t number, uint32_t source, struct hd_error *err)
{
  if (number >= run->trails_cap) {
    size_t cap = run->trails_cap ? 2 * run->trails_cap : 4096;
    struct hd_run_trail *trails = realloc(run->trails, cap * sizeof *trails);
    if (!trails)
      return hd_fail(err, HD_E_NOMEM, "tracing hops: out of memory after %u packets", number);
    run->trails = trails;
    run->trails_cap = cap;
  }
  run->trails[number] = (struct hd_run_trail){.next_port = run->topology.node_peers[source].port};
  return HD_OK;
}

/* The network is still offered something: what was received meanwhile was so under load. */
static void note_offer(struct hd_run *run, uint64_t cycle)
{
  struct hd_run_report *report = run->report;
  if (cycle < report->offered_until)
    return;
  report->offered_until = cycle + 1;
  report->offered_flits += run->late_flits;
  run->late_flits = 0;
}

static int run_sent(void *context, const struct hd_packet *packet, uint32_t number, uint64_t cycle,
                    struct hd_error *err)
{
  struct hd_run *run = context;
  run->packets_real += packet->payload != NULL;
  note_offer(run, cycle);
  return run->scenario.trace.hops ? trail_start(run, number, packet->source, err) : HD_OK;
}

static void run_full(void *context, const struct hd_full_table *table)
{
  struct hd_run *run = context;
  hd_text_add(&run->report->notes,
              "cycle %" PRIu64 ": no room for a barrier group of %" PRIu32
              " members with center node %" PRIu32 ": the status table of switch %" PRIu32
              " is full (switch.groups: %" PRIu32 ")\n",
              table->cycle, table->members, table->center, table->sw, table->groups);
}

void hd_run_software_hooks(struct hd_run *run, struct hd_software_params *params)
{
  params->context = run;
  params->sent = run_sent;
  params->full = run_full;
}

static int run_cycle_begin(void *context, struct hd_fabric *fabric, uint64_t cycle,
                           struct hd_error *err)
{
  const struct hd_run *run = context;
  return hd_software_begin(run->software, fabric, cycle, err);
}

static int pending_add(struct hd_run *run, const struct hd_delivery *d, struct hd_error *err)
{
  if (run->pending_n == run->pending_cap) {
    size_t cap = run->pending_cap ? 2 * run->pending_cap : 1024;
    struct hd_rundb_packet *pending = realloc(run->pending, cap * sizeof *pending);
    if (!pending)
      return hd_fail(err, HD_E_NOMEM, "packets received: out of memory");
    run->pending = pending;
    run->pending_cap = cap;
  }
  run->pending[run->pending_n++] = (struct hd_rundb_packet){
      .number = d->number,
      .source = d->source,
      .destination = d->destination,
      .flits = d->flits,
      .created = d->created,
      .received = d->received,
      .synthetic = d->synthetic,
      .intact = d->intact,
  };
  return HD_OK;
}

static int run_cycle_end(void *context, struct hd_fabric *fabric, uint64_t cycle,
                         struct hd_error *err)
{
  struct hd_run *run = context;
  uint32_t n;
  const struct hd_delivery *deliveries = hd_fabric_deliveries(fabric, &n);
  for (uint32_t i = 0; i < n; i++) {
    run->report->not_intact += !deliveries[i].intact;
    int status =
        deliveries[i].number == HD_PACKET_NONE ? HD_OK : pending_add(run, &deliveries[i], err);
    if (status)
      return status;
  }
  return hd_software_end(run->software, fabric, cycle, err);
}

/* What the model would have done with the packets that a DUT of its own timing gets. */
static int run_model_cycle_end(void *context, const struct hd_fabric *model, uint64_t cycle,
                               struct hd_error *err)
{
  struct hd_run_report *report = ((struct hd_run *)context)->report;
  uint32_t n;
  const struct hd_delivery *d = hd_fabric_deliveries(model, &n);
  (void)cycle;
  report->has_model_latency = true;
  for (uint32_t i = 0; i < n; i++)
    if (d[i].created >= report->warmup_cycles &&
        hd_latency_add(&report->model_latency, d[i].received - d[i].created))
      return hd_fail(err, HD_E_NOMEM, "latencies: out of memory");
  return HD_OK;
}

static uint64_t run_next_cycle(void *context)
{
  const struct hd_run *run = context;
  return hd_software_next(run->software);
}

static bool run_finished(void *context)
{
  const struct hd_run *run = context;
  return hd_world_finished(hd_software_world(run->software));
}

int hd_run_flush(struct hd_run *run, uint64_t limit, struct hd_error *err)
{
  struct hd_run_report *report = run->report;
  size_t taken = 0;
  while (taken < run->pending_n && run->pending[taken].received <= limit) {
    const struct hd_rundb_packet *p = &run->pending[taken++];
    run->packets_taken++;
    if (p->received >= report->warmup_cycles) {
      report->measured_flits += p->flits;
      *(p->received < report->offered_until ? &report->offered_flits : &run->late_flits) +=
          p->flits;
    }
    if (p->created >= report->warmup_cycles &&
        hd_latency_add(&report->latency, p->received - p->created))
      return hd_fail(err, HD_E_NOMEM, "latencies: out of memory");
    int status = run->scenario.trace.packets ? hd_rundb_packet(run->db, p, err) : HD_OK;
    if (status)
      return status;
  }
  /* The rest, of the window that the model is ahead, moves down: room for two windows is enough. */
  run->pending_n -= taken;
  if (run->pending_n)
    memmove(run->pending, run->pending + taken, run->pending_n * sizeof *run->pending);
  return hd_run_statistics_flush(run, limit, err);
}

static void count_kind(struct hd_run_flits *flits, unsigned kind)
{
  if (!(kind & HD_KIND_RESERVED))
    flits->data++;
  else if (kind == HD_KIND_NULL)
    flits->null++;
  else if (kind == HD_KIND_PADDING)
    flits->padding++;
  else
    flits->barrier++;
}

/* Counts flits a link and by kind, and sorts the heads of all switches by cycle (counting sort: switches
 * come one after the other, each in order). */
static int window_heads(struct hd_run *run, const struct hd_record *record, uint32_t cycles,
                        bool keep, struct hd_error *err)
{
  uint32_t *counts = run->head_counts;
  if (keep)
    memset(counts, 0, (run->scenario.run.window_cycles + 2) * sizeof *counts);
  size_t n = 0;
  for (uint32_t sw = 0; sw < record->n_switches; sw++) {
    const struct hd_switch_record *r = &record->switches[sw];
    uint64_t *links = run->link_flits + (size_t)sw * run->topology.ports;
    for (uint32_t i = 0; i < r->n_flits_out && r->flits_out[i].cycle <= cycles; i++) {
      const struct hd_flit_event *flit = &r->flits_out[i];
      if (flit->port < run->topology.ports)
        links[flit->port]++;
      count_kind(&run->report->flits, flit->kind);
      if (keep && (flit->kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) == HD_KIND_HEAD) {
        counts[flit->cycle + 1]++;
        n++;
      }
    }
  }
  run->heads_n = 0;
  if (!n)
    return HD_OK;
  if (n > run->heads_cap) {
    struct hd_rundb_hop *heads = realloc(run->heads, n * sizeof *heads);
    if (!heads)
      return hd_fail(err, HD_E_NOMEM, "tracing hops: out of memory");
    run->heads = heads;
    run->heads_cap = n;
  }
  for (uint32_t c = 1; c <= cycles + 1; c++)
    counts[c] += counts[c - 1];
  for (uint32_t sw = 0; sw < record->n_switches; sw++) {
    const struct hd_switch_record *r = &record->switches[sw];
    for (uint32_t i = 0; i < r->n_flits_out && r->flits_out[i].cycle <= cycles; i++) {
      const struct hd_flit_event *flit = &r->flits_out[i];
      if ((flit->kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) != HD_KIND_HEAD)
        continue;
      run->heads[counts[flit->cycle]++] = (struct hd_rundb_hop){
          .packet = r->tags_out[i],
          .sw = (uint16_t)sw,
          .out_port = flit->port,
          .vc = flit->vc,
          .cycle = record->start + flit->cycle,
      };
    }
  }
  run->heads_n = n;
  return HD_OK;
}

static int write_hops(struct hd_run *run, struct hd_error *err)
{
  for (size_t i = 0; i < run->heads_n; i++) {
    struct hd_rundb_hop *hop = &run->heads[i];
    if (hop->packet >= run->trails_cap)
      continue;
    struct hd_run_trail *trail = &run->trails[hop->packet];
    hop->hop = trail->hops++;
    hop->in_port = trail->next_port;
    if (hop->out_port < run->topology.ports)
      trail->next_port = run->topology.peers[hop->sw * run->topology.ports + hop->out_port].port;
    int status = hd_rundb_hop(run->db, hop, err);
    if (status)
      return status;
  }
  return HD_OK;
}

static int run_window_agreed(void *context, const struct hd_record *record, uint32_t cycles,
                             struct hd_error *err)
{
  struct hd_run *run = context;
  bool hops = run->scenario.trace.hops;
  /* A window cut short is the divergent one: its heads show the packet's way. */
  int status = window_heads(run, record, cycles, hops || cycles < record->cycles, err);
  if (!status && hops)
    status = write_hops(run, err);
  if (!status)
    status = hd_run_flush(run, record->start + cycles, err);
  if (!status && run->db)
    status = hd_rundb_progress(run->db, record->start + cycles, hd_run_now(), err);
  return status;
}

static void show_progress(struct hd_run *run, uint64_t cycle, double now)
{
  struct hd_run_progress p = {
      .cycle = cycle,
      .cycles = run->scenario.run.cycles,
      .seconds = now - run->started,
      .seconds_left = -1.0,
      .phase = "running",
  };
  double step = now - run->last_progress;
  double rate = step > 0 ? (double)(cycle - run->last_progress_cycle) / step : 0;
  p.switch_cycles_per_second = rate * run->topology.n_switches;
  if (cycle && cycle < p.cycles && p.seconds > 0)
    p.seconds_left = (double)(p.cycles - cycle) * p.seconds / (double)cycle;
  run->last_progress = now;
  run->last_progress_cycle = cycle;
  run->options->progress(run->options->context, &p);
}

/* Once a window, so the clock is read seldom enough to cost nothing. */
static bool run_stop(void *context, uint64_t cycle)
{
  struct hd_run *run = context;
  double now = hd_run_now();
  if (run->options->progress && now - run->last_progress >= progress_seconds)
    show_progress(run, cycle, now);
  return run->options->stop && run->options->stop(run->options->context);
}

void hd_run_hooks(struct hd_run *run, struct hd_lockstep_hooks *hooks)
{
  *hooks = (struct hd_lockstep_hooks){
      .context = run,
      .cycle_begin = run_cycle_begin,
      .cycle_end = run_cycle_end,
      .model_cycle_end = run_model_cycle_end,
      .next_cycle = run_next_cycle,
      .finished = run_finished,
      .window_agreed = run_window_agreed,
      .stop = run_stop,
  };
}
