/* Schedules carried out by program schedule, on RTL in lockstep.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_study.h"

#include "../../host/file.h"
#include "../../run/run.h"
#include "../../scenario/scenario.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const schedules_means_names[SCHEDULES_MEANS] = {"time", "barrier", "settled", "none",
                                                            "ports"};

struct carrier {
  struct schedules_results *results;
  const struct hd_study_arguments *how;
};

/* In no network do the releases of a barrier differ by as many cycles. */
#define SETTLE ", settle_cycles: 32"
static const char *const synchronise[SCHEDULES_MEANS] = {"time", "barrier", "barrier" SETTLE,
                                                         "none", "time"};

static bool has_barriers(size_t index)
{
  return index % SCHEDULES_MEANS == SCHEDULES_BARRIER ||
         index % SCHEDULES_MEANS == SCHEDULES_SETTLED;
}

static const struct schedules_row *row_at(const struct carrier *c, size_t index)
{
  return &c->results->rows[index / SCHEDULES_MEANS];
}

static bool has_ports(size_t index)
{
  return index % SCHEDULES_MEANS == SCHEDULES_PORTS;
}

/* Leaves out barriers on one-way links: barrier messages go back by the links by which they
 * came. */
static bool wanted(void *context, size_t index)
{
  const struct schedules_row *row = row_at(context, index);
  if (has_ports(index))
    return schedules_has_ports(row);
  return row->found && !(has_barriers(index) && row->one_way);
}

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static uint32_t at_least(uint32_t value, uint32_t least)
{
  return value > least ? value : least;
}

/* All the paper's networks get switches with 4 ports and tables for 64 nodes, so that RTL is
 * built once without and once with barriers. A message's header has its way: 2 bits, and 2 bits
 * for each switch. */
static void scenario_at(void *context, size_t index, struct hd_text *text)
{
  const struct schedules_row *row = row_at(context, index);
  const char *graph = schedules_graph_file(row->network);
  char name[2 * SCHEDULES_NAME], network[2 * SCHEDULES_NAME];
  schedules_row_name(row, name, sizeof name);
  if (has_ports(index))
    snprintf(network, sizeof network, "graph:file=%s-graph.csv", row->key);
  else
    snprintf(network, sizeof network, "%s%s", graph ? "graph:file=" : row->network,
             graph ? base_name(graph) : "");
  hd_text_add(text, "# Made by make reproduce-schedules: %s.\nname: schedules\n", name);
  if (row->graph)
    hd_text_add(text, "# The file of its network: %016" PRIx64 ".\n", row->graph);
  hd_scenario_add_network(network, text);
  if (row->graph && row->one_way) /* one-way links have no default routing */
    hd_text_add(text, "routing: {algorithm: shortest}\n");
  const uint32_t links = row->ports - 1; /* of a node with an interface for each link */
  hd_text_add(
      text, "switch: {vcs: 2, data_bits: 64, depth_flits: 16, ports: %" PRIu32 ", nodes: %" PRIu32,
      has_ports(index) ? row->ports + links - 1 : at_least(row->ports, 4),
      has_ports(index) ? at_least(row->nodes * links, 192) : at_least(row->nodes, 64));
  if (has_barriers(index))
    hd_text_add(text, ", barrier: any, switches: %" PRIu32, at_least(row->switches, 128));
  hd_text_add(text,
              "}\nsoftware: {program: schedule, startup_cycles: 20, parameters: {file: %s%s.csv, "
              "bytes: 256, synchronise: %s",
              row->key, has_ports(index) ? "-ports" : "", synchronise[index % SCHEDULES_MEANS]);
  if (has_ports(index))
    hd_text_add(text, ", interfaces: %" PRIu32, links);
  hd_text_add(text, "}}\nrun: {cycles: 10000000, dut: verilator}\ntrace: {packets: false}\n");
}

static double work(void *context, size_t index)
{
  const struct schedules_row *row = row_at(context, index);
  return 50 + (double)row->nodes * row->steps * (has_barriers(index) ? 2 : 1);
}

/* ── one run ───────────────────────────────────────────────────────────────── */

static double sum_of(const struct hd_run_report *report, const char *name)
{
  for (uint32_t i = 0; i < report->n_statistics; i++)
    if (!strcmp(report->statistics[i].name, name))
      return report->statistics[i].mean * (double)report->statistics[i].n;
  return 0;
}

static void put_late(const struct hd_run_report *report, struct hd_task_outcome *outcome)
{
  double late = 0;
  for (uint32_t i = 0; i < report->n_statistics; i++)
    if (!strcmp(report->statistics[i].name, "late for a step"))
      late = (double)report->statistics[i].n;
  hd_study_put(outcome, "late", "nodes", late);
}

static void run_task(void *context, size_t index, struct hd_task_outcome *outcome)
{
  const struct carrier *c = context;
  const struct schedules_row *row = row_at(c, index);
  struct hd_text text = {0};
  struct hd_run_report report;
  char path[STUDY_PATH];
  scenario_at(context, index, &text);
  /* The path is that of the scenario's file, because the schedules are beside it. */
  snprintf(path, sizeof path, "%s/%s.yaml", c->how->study.directory,
           row->runs[index % SCHEDULES_MEANS].key);
  if (hd_study_scenario(path, &text, c->how->study.rtl_dir, NULL, &report, outcome)) {
    hd_study_put(outcome, "cycles", "cycles", sum_of(&report, "schedule"));
    hd_study_put(outcome, "model", "cycles", sum_of(&report, "alpha-beta model"));
    hd_study_put(outcome, "blocked", "flit-cycles", (double)report.counters.blocked_flit_cycles);
    put_late(&report, outcome);
  }
  hd_run_report_fini(&report);
}

static int ended(void *context, size_t index, const struct hd_task_outcome *outcome,
                 struct hd_error *err)
{
  const struct carrier *c = context;
  struct schedules_run *run =
      &c->results->rows[index / SCHEDULES_MEANS].runs[index % SCHEDULES_MEANS];
  (void)err;
  run->done = true;
  run->cycles = (uint64_t)hd_study_value(outcome, "cycles");
  run->model = (uint64_t)hd_study_value(outcome, "model");
  run->blocked = (uint64_t)hd_study_value(outcome, "blocked");
  run->late = (uint64_t)hd_study_value(outcome, "late");
  return HD_OK;
}

/* ── all runs ──────────────────────────────────────────────────────────────── */

/* Copies the files of networks beside the scenarios, which name them. */
static int copy_graphs(const struct carrier *c, struct hd_error *err)
{
  int status = HD_OK;
  for (size_t i = 0; !status && i < c->results->n; i++) {
    const char *file = schedules_graph_file(c->results->rows[i].network);
    char path[STUDY_PATH], *text;
    size_t length;
    if (!file)
      continue;
    snprintf(path, sizeof path, "%s/%s", c->how->study.directory, base_name(file));
    status = hd_file_read(file, &text, &length, err);
    if (status)
      return status;
    status = hd_file_write(path, text, length, err);
    free(text);
  }
  return status;
}

int schedules_run_all(struct schedules_results *r, const struct hd_study_arguments *how,
                      struct hd_error *err)
{
  struct carrier c = {r, how};
  const struct hd_study_tasks tasks = {.kind = "schedules-carried-out",
                                       .n = r->n * SCHEDULES_MEANS,
                                       .context = &c,
                                       .wanted = wanted,
                                       .describe = scenario_at,
                                       .work = work,
                                       .run_task = run_task,
                                       .ended = ended,
                                       .scenarios = true};
  for (size_t i = 0; i < tasks.n; i++) {
    struct schedules_run *run = &r->rows[i / SCHEDULES_MEANS].runs[i % SCHEDULES_MEANS];
    run->wanted = wanted(&c, i);
    hd_study_key(&tasks, i, run->key);
  }
  int status = copy_graphs(&c, err);
  return status ? status : hd_study_run(&how->study, &tasks, err);
}
