/* Callbacks of lockstep and of software for a run: packets, windows, progress.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "no_load.h"
#include "run_internal.h"
#include "../host/clock.h"

#include <inttypes.h>

/* Returns the latency without load; 0: not computed. It is not computed once software has sent
 * packets with a payload. From packet 4,096 on, only one in 17 is computed, to save time: 17 is
 * prime, so that sources that take turns are all included. */
static uint64_t no_load_of(const struct hd_run *run, const struct hd_packet *packet,
                           uint32_t number)
{
  enum { ALL_OF = 4096, THEN_ONE_OF = 17 };
  const bool asked = number < ALL_OF || number % THEN_ONE_OF == 0;
  return asked && !run->packets_real
             ? hd_no_load(&run->scenario, &run->topology, &run->tables, packet, number)
             : 0;
}

static int run_sent(void *context, const struct hd_packet *packet, uint32_t number, uint64_t cycle,
                    struct hd_error *err)
{
  struct hd_run *run = context;
  run->packets_real += packet->payload || packet->to;
  const uint64_t no_load = no_load_of(run, packet, number);
  if (no_load && (!run->least_no_load || no_load < run->least_no_load))
    run->least_no_load = no_load;
  for (uint32_t copies = hd_fabric_copies(packet, run->topology.n_nodes); copies; copies--)
    hd_deliveries_sent(run->deliveries, packet, cycle, no_load);
  (void)err;
  if (!packet->to) /* the hops of a multicast packet form a tree */
    hd_hops_start(run->hops, number, packet->source);
  return HD_OK;
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

/* Tells the deliveries of packets that faults have destroyed since the last cycle. */
static void note_lost(struct hd_run *run)
{
  size_t n;
  const struct hd_lost_packet *lost = hd_manager_lost(hd_software_manager(run->software), &n);
  for (; run->n_lost < n; run->n_lost++)
    hd_deliveries_lost(run->deliveries, &lost[run->n_lost].packet);
}

static int run_cycle_end(void *context, struct hd_fabric *fabric, uint64_t cycle,
                         struct hd_error *err)
{
  struct hd_run *run = context;
  hd_deliveries_add(run->deliveries, fabric);
  const int status = hd_software_end(run->software, fabric, cycle, err);
  if (run->scenario.n_faults)
    note_lost(run);
  return status;
}

/* Adds the latencies of a model that gets the same packets as a DUT with its own timing. */
static int run_model_cycle_end(void *context, const struct hd_fabric *model, uint64_t cycle,
                               struct hd_error *err)
{
  struct hd_run_report *report = ((struct hd_run *)context)->report;
  uint32_t n;
  const struct hd_delivery *d = hd_fabric_deliveries(model, &n);
  (void)cycle;
  (void)err;
  report->has_model_latency = true;
  for (uint32_t i = 0; i < n; i++)
    if (d[i].number != HD_PACKET_NONE && hd_run_measures(report, d[i].created))
      hd_latency_add(&report->model_latency, d[i].received - d[i].created);
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

static bool run_over(void *context, uint64_t cycle)
{
  const struct hd_run *run = context;
  return hd_deliveries_over(run->deliveries, cycle);
}

int hd_run_flush(struct hd_run *run, uint64_t limit, struct hd_error *err)
{
  struct hd_rundb *db = run->scenario.trace.packets ? run->db : NULL;
  int status = hd_deliveries_count(run->deliveries, limit, db, err);
  return status ? status
                : hd_statistics_flush(&run->statistics, hd_software_world(run->software), limit,
                                      run->db, err);
}

static int run_window_agreed(void *context, const struct hd_record *record, uint32_t cycles,
                             struct hd_error *err)
{
  struct hd_run *run = context;
  int status = hd_tree_check_window(run->check, record, cycles, err);
  if (!status)
    status = hd_hops_window(run->hops, record, cycles, &run->report->flits, run->db, err);
  if (!status)
    status = hd_run_flush(run, record->start + cycles, err);
  if (!status && run->db)
    status = hd_rundb_progress(run->db, record->start + cycles, hd_seconds_now(), err);
  run->window_status = status;
  if (status)
    run->window_error = *err;
  return status;
}

/* Called once a window, so that reading the clock costs almost nothing. */
static bool run_stop(void *context, uint64_t cycle)
{
  struct hd_run *run = context;
  hd_progress_report(&run->progress, run->options, cycle, run->scenario.run.cycles,
                     run->topology.n_switches);
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
      .over = run->scenario.run.measure_cycles ? run_over : NULL,
      .window_agreed = run_window_agreed,
      .stop = run_stop,
  };
}
