/* The end of a run: judges it, explains a divergence, writes database and files.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../coverage/rtl_coverage.h"
#include "../host/memory.h"
#include "../page/run_page.h"
#include "../report/report.h"
#include "directory.h"
#include "fault_report.h"
#include "run_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Counts a packet that did not arrive up to cycle `limit`, and writes it into the database. Adds
 * 1 to *beyond instead if the packet was created after that. */
static int undelivered_row(struct hd_run *run, struct hd_rundb_packet p, uint64_t limit,
                           uint64_t *beyond, struct hd_error *err)
{
  if (p.created > limit) {
    /* The model was ahead of the divergence and created this packet after it. */
    (*beyond)++;
    return HD_OK;
  }
  run->report->undelivered++;
  hd_deliveries_missing(run->deliveries, p.created);
  if (hd_run_measures(run->report, p.created) &&
      (!run->oldest.flits || p.created < run->oldest.created))
    run->oldest = p;
  p.received = p.entered = UINT64_MAX;
  return run->scenario.trace.packets ? hd_rundb_packet(run->db, &p, err) : HD_OK;
}

static int write_undelivered(struct hd_run *run, uint64_t limit, struct hd_error *err)
{
  struct hd_fabric *fabric = hd_lockstep_fabric(run->lockstep);
  struct hd_run_report *report = run->report;
  uint64_t beyond = 0;
  int status = HD_OK;
  size_t n_pending;
  const struct hd_rundb_packet *pending = hd_deliveries_pending(run->deliveries, &n_pending);
  for (size_t i = 0; !status && i < n_pending; i++)
    status = undelivered_row(run, pending[i], limit, &beyond, err);
  uint64_t sent = report->counters.packets_sent;
  bool some = sent > report->counters.packets_received;
  /* Packets under way: all with a number below the oldest one were received or lost. */
  for (uint32_t number = hd_fabric_oldest_packet(fabric);
       !status && some && number < hd_fabric_next_packet(fabric); number++) {
    struct hd_packet packet;
    uint64_t created;
    if (hd_fabric_packet(fabric, number, &packet, &created))
      continue;
    const uint32_t n_nodes = packet.to ? run->topology.n_nodes : 1;
    for (uint32_t i = 0; !status && i < n_nodes; i++) {
      if (packet.to && !(packet.to[i / 64] >> i % 64 & 1))
        continue;
      const struct hd_rundb_packet row = {
          .number = number,
          .source = packet.source,
          .destination = packet.to ? i : packet.destination,
          .flits = packet.flits,
          .created = created,
          .traffic_class = packet.traffic_class,
          .synthetic = !packet.payload && !packet.bare && !packet.to,
      };
      status = undelivered_row(run, row, limit, &beyond, err);
    }
  }
  report->counters.packets_sent = sent - beyond;
  report->counters.packets_received = hd_deliveries_counted(run->deliveries);
  return status;
}

static int write_lost(struct hd_run *run, uint64_t limit, struct hd_error *err)
{
  size_t n;
  const struct hd_lost_packet *lost = hd_manager_lost(hd_software_manager(run->software), &n);
  int status = HD_OK;
  for (size_t i = 0; run->scenario.trace.packets && i < n && !status; i++) {
    const struct hd_loss *p = &lost[i].packet;
    if (lost[i].cycle > limit)
      continue;
    status = hd_rundb_packet(run->db,
                             &(struct hd_rundb_packet){.number = p->number,
                                                       .source = p->source,
                                                       .destination = p->destination,
                                                       .flits = p->flits,
                                                       .created = p->created,
                                                       .received = UINT64_MAX,
                                                       .entered = UINT64_MAX,
                                                       .synthetic = p->synthetic},
                             err);
  }
  return status;
}

/* Finds the link at whose end the most flit-cycles were blocked; the first one if several are
 * equal. */
static void find_most_blocked(struct hd_run *run)
{
  const uint64_t *blocked = hd_lockstep_blocked(run->lockstep);
  const struct hd_topology *t = &run->topology;
  uint32_t vcs = run->scenario.sw.vcs, inputs = t->n_switches * t->ports, worst = inputs;
  uint64_t most = 0;
  for (uint32_t i = 0; blocked && i < inputs; i++) {
    uint64_t n = 0;
    for (uint32_t vc = 0; vc < vcs; vc++)
      n += blocked[(size_t)i * vcs + vc];
    worst = n > most ? i : worst;
    most = n > most ? n : most;
  }
  if (worst == inputs)
    return;
  const struct hd_peer *from = &t->senders[worst];
  char port[24] = "";
  if (from->kind == HD_PEER_SWITCH)
    snprintf(port, sizeof port, " port %u", (unsigned)from->port);
  snprintf(run->report->blocked_most, sizeof run->report->blocked_most,
           "%llu on the link from %s %u%s to switch %u port %u", (unsigned long long)most,
           from->kind == HD_PEER_SWITCH ? "switch" : "node", (unsigned)from->index, port,
           (unsigned)(worst / t->ports), (unsigned)(worst % t->ports));
}

static void collect_counters(struct hd_run *run)
{
  struct hd_run_report *report = run->report;
  struct hd_world_counters world;
  hd_fabric_counters(hd_lockstep_fabric(run->lockstep), &report->counters);
  hd_world_counters(hd_software_world(run->software), &world);
  report->messages_sent = world.messages_sent;
  report->messages_received = world.messages_received;
  hd_world_open_operations(hd_software_world(run->software), &report->messages_not_taken,
                           &report->receives_open);
  report->n_dut_counters = hd_lockstep_dut_counters(run->lockstep, report->dut_counters);
  report->software_finished = hd_world_finished(hd_software_world(run->software));
  report->open_loop = !run->packets_real && report->counters.packets_sent;
  report->software_waits = !report->open_loop || world.barrier_groups;
  const struct hd_coverage *coverage = hd_lockstep_coverage(run->lockstep);
  if (coverage) /* NULL: not measured, as with an original */
    hd_coverage_add(&report->coverage, coverage, &run->scenario.sw);
  find_most_blocked(run);
}

/* Writes the coverage of the RTL into a file, and its sums into the report. Called before the
 * DUT replays anything. */
static int write_coverage(struct hd_run *run, struct hd_error *err)
{
  struct hd_run_report *report = run->report;
  struct hd_rtl_coverage set = {0};
  struct hd_text path = {0};
  hd_text_add(&path, "%s/" HD_RTL_COVERAGE_FILE, report->directory);
  int status = hd_lockstep_write_coverage(run->lockstep, path.chars, err);
  if (!status)
    status = hd_rtl_coverage_read(&set, path.chars, err);
  if (!status)
    status = hd_rtl_coverage_finish(&set, err);
  report->has_rtl_coverage = !status;
  report->rtl_coverage = hd_rtl_coverage_sums(&set);
  hd_rtl_coverage_fini(&set);
  hd_text_fini(&path);
  return status == HD_E_UNSUPPORTED ? HD_OK : status; /* UNSUPPORTED: the DUT was given up */
}

/* Adds the text that `explain` writes. It returns the length that it needs. */
static void add_wait(struct hd_text *text,
                     size_t (*explain)(const void *of, char *buf, size_t size), const void *of)
{
  size_t need = explain(of, NULL, 0) + 1;
  char *buf = hd_xmalloc(need);
  buf[0] = '\0';
  explain(of, buf, need);
  hd_text_add(text, "%s", buf);
  if (text->length && text->chars[text->length - 1] != '\n')
    hd_text_add(text, "\n");
  free(buf);
}

static size_t fabric_wait(const void *of, char *buf, size_t size)
{
  return hd_fabric_explain_wait(of, buf, size);
}

static size_t world_wait(const void *of, char *buf, size_t size)
{
  return hd_world_explain_wait(of, buf, size);
}

static void explain_wait(struct hd_run *run)
{
  if (run->report->result.circle[0])
    hd_text_add(&run->report->wait, "packets that wait for each other (rule P16):\n%s",
                run->report->result.circle);
  add_wait(&run->report->wait, fabric_wait, hd_lockstep_fabric(run->lockstep));
  add_wait(&run->report->wait, world_wait, hd_software_world(run->software));
}

/* Finds the packet of the divergence: it is under way in the fabric, or the model has received
 * it since. */
static void find_packet(const struct hd_run *run, struct hd_explanation *e)
{
  uint32_t number = e->divergence.packet;
  if (number == HD_PACKET_NONE || number == HD_PACKET_MADE)
    return;
  struct hd_fabric *fabric = hd_lockstep_fabric(run->lockstep);
  e->has_packet = !hd_fabric_packet(fabric, number, &e->packet, &e->created);
  size_t n_pending;
  const struct hd_rundb_packet *pending = hd_deliveries_pending(run->deliveries, &n_pending);
  for (size_t i = 0; !e->has_packet && i < n_pending; i++) {
    const struct hd_rundb_packet *p = &pending[i];
    if (p->number != number)
      continue;
    e->has_packet = true;
    e->created = p->created;
    e->packet =
        (struct hd_packet){.source = p->source, .destination = p->destination, .flits = p->flits};
  }
  e->packet.payload = NULL;
}

static void find_way(struct hd_run *run, struct hd_explanation *e)
{
  const struct hd_tables *tables = &run->tables;
  e->goes_by = tables->header_mode == 3;
  const unsigned node_bits = hd_log2_ceil(run->scenario.sw.nodes);
  const uint64_t header =
      e->packet.raw_header
          ? e->packet.header
          : hd_routing_header(tables->header_mode, tables->draws, &run->topology, node_bits,
                              e->packet.source, e->packet.destination, e->divergence.packet);
  e->by = hd_routing_by(header, run->topology.n_nodes, node_bits);
  int n = tables->sets ? 0
                       : hd_routing_path_by(tables, &run->topology, e->packet.source, e->by,
                                            e->packet.destination, e->path, HD_EXPLAIN_PATH, NULL);
  e->n_path = n > 0 ? (uint32_t)n : 0;
  if (e->own_timing) /* recorded hops are the model's, not the DUT's */
    return;
  if (run->scenario.trace.hops) {
    int status = hd_rundb_packet_hops(run->db, e->divergence.packet, &e->hops, &e->n_hops);
    if (status)
      e->n_hops = 0;
    e->all_hops = !status;
    return;
  }
  /* Without traced hops, only the hops of the divergent window are known. */
  hd_hops_of_packet(run->hops, e->divergence.packet, &e->hops, &e->n_hops);
}

static void explain_divergence(struct hd_run *run)
{
  struct hd_run_report *report = run->report;
  struct hd_explanation *e = &report->explanation;
  const struct hd_divergence *d = &report->result.divergence;
  report->explained = true;
  e->own_timing = run->scenario.run.compare != HD_COMPARE_EXACT;
  snprintf(e->broken_way, sizeof e->broken_way, "%s", report->result.way);
  e->divergence = *d;
  e->sw = run->scenario.sw;
  const struct hd_peer *far = /* where the credit goes to */
      d->difference == HD_DIFF_CREDIT || (d->difference == HD_DIFF_RULE && !d->has_got)
          ? run->topology.senders
          : run->topology.peers;
  if (!d->inside && d->sw < run->topology.n_switches && d->port < run->topology.ports)
    e->peer = far[d->sw * run->topology.ports + d->port];
  hd_explain_replay(e, run->lockstep); /* for a credit, also finds the packet */
  report->result.divergence.packet = e->divergence.packet;
  find_packet(run, e);
  if (e->has_packet)
    find_way(run, e);
  if (report->directory) {
    struct hd_text command = {0};
    hd_text_add_option(&command, "heddle replay ", report->directory);
    hd_report_add_dut(report, &command);
    e->replay_command = command.chars;
  }
  hd_explain_message(d, &report->message);
}

/* Writes the waves, and the database's rows about the divergence. */
static int keep_divergence(struct hd_run *run, int io_status, struct hd_error *io)
{
  const struct hd_divergence *d = &run->report->result.divergence;
  struct hd_run_watch watch = {run, io};
  struct hd_waves_watcher watcher;
  hd_run_watcher(&watch, d, &watcher);
  if (run->scenario.trace.waves)
    hd_run_write_waves(run, &watcher);
  if (!io_status)
    io_status = watcher.status;
  if (!io_status)
    io_status = hd_run_keep_divergence(run, &watcher, io);
  return io_status ? io_status : hd_rundb_divergence(run->db, d, io);
}

/* Judges whether the fabric carried the load. The latency without load (§4.5) is that of
 * Heddle's switch. For a DUT with its own timing it is multiplied by the DUT's least latency,
 * divided by the model's. With an original, or a whole network as DUT, no model runs; then the
 * divisor is the least latency without load. */
static void judge_load(const struct hd_run *run)
{
  struct hd_run_report *r = run->report;
  const uint64_t until = hd_run_measured_until(r);
  struct hd_load_phase phase = {.begin = r->warmup_cycles, .scale = 1};
  if (!hd_run_has_load(r) || until <= r->warmup_cycles)
    return;
  phase.cycles = until - r->warmup_cycles;
  if (r->has_model_latency && r->latency.n && r->model_latency.minimum)
    phase.scale = (double)r->latency.minimum / (double)r->model_latency.minimum;
  if ((r->against || run->scenario.fabric.inside) && r->latency.n && run->least_no_load)
    phase.scale = (double)r->latency.minimum / (double)run->least_no_load;
  hd_load_judge(&r->load, &phase, &r->verdict);
}

static void add_missed(struct hd_run_report *report, int *status, const char *what)
{
  hd_text_add(&report->message, "%s%s", report->message.length ? "; " : "", what);
  *status = HD_E_BUDGET;
}

/* Adds to the message that software waits until after the run's end. This happens, for example,
 * with a trace whose times do not begin near 0. */
static void add_late_start(struct hd_run *run)
{
  const uint64_t next = hd_world_next_cycle(hd_software_world(run->software));
  if (!run->report->counters.packets_sent && !run->report->counters.barriers_sent &&
      next > run->report->result.cycles)
    hd_text_add(&run->report->message,
                "; nothing was sent, for software waits until cycle %llu: let it begin earlier (a "
                "trace with cycles from 0), or take more run.cycles",
                (unsigned long long)next);
}

/* More cycles do not help where a node waits for what nobody sends. */
static void add_longest_wait(struct hd_run *run)
{
  char wait[160];
  hd_world_longest_wait(hd_software_world(run->software), wait, sizeof wait);
  if (*wait)
    hd_text_add(&run->report->message, "; the longest wait is that of %s", wait);
}

/* Judges the budget of latencies. A packet that has not arrived has at least the latency of its age. */
static void judge_latency(const struct hd_run *run, int *status)
{
  struct hd_run_report *report = run->report;
  const struct hd_rundb_packet *p = &run->oldest;
  const uint64_t age = p->flits ? report->result.cycles - p->created : 0;
  char text[256];
  if (!report->has_latency_budget)
    return;
  if (!report->latency.n && age <= report->latency_budget)
    add_missed(
        report, status,
        "budgets.latency_cycles: no packet was measured, so nothing shows that it is kept; run "
        "for longer (run.cycles), or measure earlier (run.warmup_cycles)");
  if (report->latency.maximum > report->latency_budget) {
    snprintf(text, sizeof text, "budgets.latency_cycles: largest latency is %s, allowed %llu",
             hd_count(report->latency.maximum, "cycle").text,
             (unsigned long long)report->latency_budget);
    add_missed(report, status, text);
  } else if (age > report->latency_budget) {
    snprintf(
        text, sizeof text,
        "budgets.latency_cycles: packet %u from node %u to node %u has not arrived %s after it "
        "was handed over, allowed %llu",
        p->number, p->source, p->destination, hd_count(age, "cycle").text,
        (unsigned long long)report->latency_budget);
    add_missed(report, status, text);
  }
}

/* Judges a run in which DUT and model agree: software may not have finished, or a budget may be
 * exceeded. */
static int judge_agreed(struct hd_run *run)
{
  struct hd_run_report *report = run->report;
  int status = HD_OK;
  char text[256];
  bool asleep = hd_lockstep_is_idle(run->lockstep) &&
                hd_world_next_cycle(hd_software_world(run->software)) == UINT64_MAX;
  if (!report->software_finished && asleep) {
    hd_text_add(&report->message,
                "software waits for what nobody sends: nothing is under way in cycle %llu",
                (unsigned long long)report->result.cycles);
    explain_wait(run);
    return HD_E_DEADLOCK;
  }
  bool cut = (report->software_waits && !report->software_finished) ||
             (!report->open_loop && report->undelivered);
  if (cut) {
    const bool over =
        report->measured_end && hd_deliveries_over(run->deliveries, report->result.cycles);
    snprintf(text, sizeof text, "in %s (%s) software has %sfinished; packets under way: %llu%s",
             hd_count(report->result.cycles - report->result.drain_cycles, "cycle").text,
             over ? "run.measure_cycles" : "run.cycles", report->software_finished ? "" : "not ",
             (unsigned long long)report->undelivered,
             over ? "; the run ends with its measuring phase" : "");
    add_missed(report, &status, text);
    if (!report->software_finished)
      add_longest_wait(run);
    add_late_start(run);
  }
  judge_latency(run, &status);
  if (report->has_blocked_budget && report->counters.blocked_flit_cycles > report->blocked_budget) {
    snprintf(text, sizeof text, "budgets.blocked_flit_cycles: %llu, allowed %llu; at most %s",
             (unsigned long long)report->counters.blocked_flit_cycles,
             (unsigned long long)report->blocked_budget, report->blocked_most);
    add_missed(report, &status, text);
  }
  bool any = false; /* a barrier was measured */
  for (uint32_t i = 0; i < report->n_barriers; i++) {
    const struct hd_run_barrier *b = &report->barriers[i];
    any |= b->later.n > 0;
    if (!report->has_barrier_budget || !b->later.n || b->later.maximum <= report->barrier_budget)
      continue;
    snprintf(text, sizeof text,
             "budgets.barrier_cycles: the longest barrier of group %u is %s, allowed %llu",
             b->group, hd_count(b->later.maximum, "cycle").text,
             (unsigned long long)report->barrier_budget);
    add_missed(report, &status, text);
  }
  if (report->has_barrier_budget && !any)
    add_missed(
        report, &status,
        "budgets.barrier_cycles: no barrier was measured, so nothing shows that it is kept; the "
        "first one of each group does not count");
  return status;
}

/* Tests whether nothing was compared. A comparison by order or packets uses only what nodes
 * received; other outputs of the DUT prove nothing. */
static bool nothing_compared(const struct hd_run *run)
{
  const struct hd_run_report *r = run->report;
  if (run->scenario.run.compare == HD_COMPARE_EXACT)
    return r->compared && !r->result.traffic_compared;
  return r->compared && !r->counters.packets_received && !r->counters.barriers_received;
}

/* Replaces the message about budgets: a run that compared nothing has neither kept nor exceeded
 * them. */
static int report_nothing_compared(struct hd_run_report *report)
{
  hd_text_fini(&report->message);
  hd_text_add(&report->message,
              "nothing was compared in %s: the DUT showed nothing that the %s has, too; let "
              "software send (software.parameters) or run for longer (run.cycles)",
              hd_count(report->result.cycles, "cycle").text, hd_run_reference(report));
  return HD_E_NOTHING;
}

/* Writes report.html from the database. */
static int write_page(struct hd_run *run, struct hd_error *err)
{
  struct hd_run_report *report = run->report;
  struct hd_text path = {0};
  if (run->options->no_page)
    return HD_OK;
  hd_text_add(&path, "%s/report.html", report->directory);
  int status = hd_run_page_write(report->directory, path.chars, err);
  hd_text_fini(&path);
  report->has_page = !status;
  return status;
}

static int write_files(struct hd_run *run, struct hd_error *err)
{
  run->report->has_reports = true; /* set before, since a CSV file lists the reports */
  int status = hd_report_write(run->report, run->report->directory, err);
  run->report->has_reports = !status;
  if (status || !run->options->packets_csv)
    return status;
  struct hd_text path = {0};
  hd_text_add(&path, "%s/packets.csv", run->report->directory);
  status = hd_rundb_packets_csv(run->db, path.chars, err);
  hd_text_fini(&path);
  hd_text_add(&path, "%s/pairs.csv", run->report->directory);
  if (!status)
    status =
        hd_rundb_pairs_csv(run->db, path.chars, run->report->warmup_cycles,
                           run->report->measured_end ? run->report->measured_end : UINT64_MAX, err);
  hd_text_fini(&path);
  run->report->has_packets_csv = !status;
  return status;
}

/* Adds to the message that files could not be written. A run that has passed fails then. Returns
 * the run's status. */
static int add_lost_results(struct hd_run_report *report, int status, int io_status,
                            const struct hd_error *io)
{
  if (!status)
    hd_text_fini(&report->message);
  else
    hd_text_add(&report->message, "; the run's results are not complete: ");
  hd_text_add(&report->message, "%s", io->text);
  return status ? status : io_status;
}

/* Writes the database, the page and the reports. Small reports may still find room on a disk
 * that has none for the database, so they are always tried. */
static int write_results(struct hd_run *run, int status, int io_status, struct hd_error *io)
{
  struct hd_run_report *report = run->report;
  report->status = status;
  if (run->options->results_only)
    return io_status ? add_lost_results(report, status, io_status, io) : status;
  if (!io_status && !hd_rundb_write_failed(run->db))
    io_status = hd_run_keep_results(run, io);
  if (!io_status && !hd_rundb_write_failed(run->db))
    io_status = write_page(run, io);
  if (io_status)
    report->status = status = add_lost_results(report, status, io_status, io);
  bool said = io_status != HD_OK;
  io_status = write_files(run, io);
  return io_status && !said ? add_lost_results(report, status, io_status, io) : status;
}

static void note_rtl_log(struct hd_run_report *report)
{
  struct hd_text path = {0};
  struct stat st;
  hd_text_add(&path, "%s/" HD_RUN_RTL_LOG, report->directory ? report->directory : "");
  if (report->directory && !stat(path.chars, &st) && st.st_size)
    hd_text_add(&report->notes, "the RTL printed %lld bytes: %s\n", (long long)st.st_size,
                path.chars);
  hd_text_fini(&path);
}

static void end_latencies(struct hd_run_report *report)
{
  hd_latency_end(&report->latency);
  hd_latency_end(&report->network_latency);
  hd_latency_end(&report->model_latency);
  for (uint32_t i = 0; i < report->n_classes; i++) {
    hd_latency_end(&report->classes[i].latency);
    hd_latency_end(&report->classes[i].network_latency);
  }
}

int hd_run_end(struct hd_run *run, int status, struct hd_error *err)
{
  struct hd_run_report *report = run->report;
  struct hd_error io = {0};
  /* The model may be two windows ahead when a run stops, so only compared cycles count. */
  bool ahead = report->compared && status;
  uint64_t limit = ahead ? report->result.cycles_compared : UINT64_MAX;
  const struct hd_fabric *fabric = hd_lockstep_fabric(run->lockstep);
  collect_counters(run);
  note_rtl_log(report);
  int io_status = HD_OK;
  hd_fault_report(hd_software_manager(run->software), fabric, limit, report);
  if (run->options->coverage && report->directory)
    io_status = write_coverage(run, &io);
  /* The run diverged, and its window could not be checked or written: the message names both
   * errors. */
  bool both = status == HD_E_DIVERGENCE && run->window_status;
  if (both) {
    io_status = run->window_status;
    io = run->window_error;
  }
  /* If the database failed in another way, err says how, and nothing more can be written into
   * it. */
  if (!both && run->db && hd_rundb_write_failed(run->db)) {
    end_latencies(report);
    hd_text_add(&report->message, "%s", err->text);
    return write_results(run, status, HD_OK, &io);
  }
  const struct hd_divergence *d = &report->result.divergence;
  if (!io_status)
    io_status = hd_run_flush(run, limit, &io);
  hd_run_add_rule_waves(report);
  if (status == HD_E_DIVERGENCE) {
    explain_divergence(run);
    if (d->difference == HD_DIFF_LOST)
      explain_wait(run);
    if (run->db) {
      hd_run_find_inside(run);
      io_status = keep_divergence(run, io_status, &io);
    }
  }
  if (!io_status)
    io_status = write_undelivered(run, limit, &io);
  if (!io_status)
    io_status = write_lost(run, limit, &io);
  if (!io_status) {
    hd_statistics_report(hd_software_world(run->software), limit, report);
    hd_barrier_watch_report(run->watch, limit, report);
  }
  end_latencies(report);
  hd_hops_report(run->hops, report);
  hd_hops_energy(run->hops, run->scenario.fabric.link_cycles, report);
  if (status == HD_OK && hd_lockstep_is_idle(run->lockstep)) {
    status = hd_tree_check_end(run->check, err);
    if (status)
      hd_text_add(&report->message, "%s", err->text);
  }
  const struct hd_tree_check_counts ruled = hd_tree_check_counts(run->check);
  report->rules_hold = run->check && status != HD_E_INVARIANT;
  report->ruled_messages = ruled.messages;
  report->ruled_rounds = ruled.rounds;
  if (status == HD_OK)
    status = judge_agreed(run);
  else if (status == HD_E_DEADLOCK) {
    hd_text_add(&report->message, "%s", err->text);
    explain_wait(run);
  } else if (status == HD_E_INTERRUPTED)
    hd_text_add(&report->message, "interrupted at cycle %llu%s%s",
                (unsigned long long)(report->compared ? report->result.cycles_compared
                                                      : report->result.cycles),
                report->directory ? ", results so far in " : "",
                report->directory ? report->directory : "");
  else if (status != HD_E_DIVERGENCE && !report->message.length)
    hd_text_add(&report->message, "%s", err->text);
  status = hd_fault_attribute_failure(report, hd_lockstep_is_idle(run->lockstep), status);
  report->nothing = status != HD_E_DIVERGENCE && nothing_compared(run);
  if ((status == HD_OK || status == HD_E_BUDGET) && report->nothing)
    status = report_nothing_compared(report);
  if (status == HD_OK || status == HD_E_BUDGET)
    judge_load(run);
  return write_results(run, status, io_status, &io);
}

/* ── waves of a window that the user asked for ────────────────────────────── */

int hd_run_window_end(struct hd_run *run, int status, struct hd_error *err)
{
  const struct hd_run_window *w = run->options->window;
  struct hd_run_report *report = run->report;
  /* A run that diverges or deadlocks has waves, too, up to its last cycle. */
  if (status && status != HD_E_DIVERGENCE && status != HD_E_DEADLOCK)
    return status;
  uint64_t last = hd_lockstep_last(run->lockstep);
  if (w->from > last)
    return hd_fail(err, HD_E_INPUT, "cycle %llu: the run ends with cycle %llu",
                   (unsigned long long)w->from, (unsigned long long)last);
  report->window_last = w->to < last ? w->to : last;
  struct hd_text title = {0};
  hd_text_add(&title, "%s, seed %llu, %s against the %s", report->name,
              (unsigned long long)report->seed, report->dut, hd_run_reference(report));
  status = hd_run_make_directory(w->dir, err);
  if (!status)
    status = hd_waves_write_window(run->lockstep, w->sw, w->from, w->to, w->mark, &run->scenario.sw,
                                   hd_text_chars(&title), w->dir, err);
  hd_text_fini(&title);
  report->has_waves = !status;
  return status;
}
