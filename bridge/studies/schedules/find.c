/* The shortest schedule of each row: found, proved and checked.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_study.h"

#include "../../host/clock.h"
#include "../../host/file.h"
#include "../../host/memory.h"
#include "../../scenario/scenario.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEARCH_SECONDS = 600 };

struct carrier {
  struct schedules_results *results;
  const struct hd_study_arguments *how;
};

int schedules_topology(const char *network, struct hd_topology *topology, struct hd_error *err)
{
  struct hd_scenario scenario = {0};
  struct hd_text text = {0};
  int status = HD_OK;
  *topology = (struct hd_topology){0};
  if (!hd_scenario_add_network(network, &text))
    status = hd_fail(err, HD_E_INPUT, "%.90s: no such topology", network);
  hd_text_add(&text, "name: network\nsoftware: {program: uniform}\n");
  if (!status)
    status = hd_scenario_parse(&scenario, hd_text_chars(&text), text.length, "network", err);
  if (!status)
    status = hd_scenario_topology(&scenario, topology, err);
  hd_scenario_fini(&scenario);
  hd_text_fini(&text);
  return status;
}

/* ── one row ───────────────────────────────────────────────────────────────── */

int schedules_check(const struct schedules_row *row, const struct hd_topology *topology,
                    const struct hd_messages *messages, const struct hd_text *csv,
                    struct hd_schedule_found *found, struct hd_error *err)
{
  const struct hd_schedule_rules rules = {.topology = topology, .all_port = row->all_port};
  struct hd_schedule_need *needs = hd_xcalloc(messages->n_destinations + 1, sizeof *needs);
  size_t n = 0;
  for (size_t i = 0; i < messages->n; i++)
    for (uint32_t d = 0; d < messages->all[i].n; d++)
      needs[n++] = (struct hd_schedule_need){(uint32_t)i, messages->all[i].source,
                                             messages->destinations[messages->all[i].first + d]};
  int status =
      hd_schedule_check(&rules, needs, n, hd_text_chars(csv), csv->length, "schedule", found, err);
  free(needs);
  return status;
}

static void put_text(struct hd_task_outcome *outcome, const char *key, const char *text)
{
  hd_task_outcome_add(outcome, key, NULL, &(struct hd_value){.type = HD_VALUE_TEXT, .text = text});
}

static void put(const struct hd_schedule *schedule, const struct hd_schedule_found *found,
                const struct hd_topology *topology, double seconds, struct hd_task_outcome *outcome)
{
  hd_study_put(outcome, "steps", "steps", found->steps);
  hd_study_put(outcome, "bound", "steps", schedule->bound);
  hd_study_put(outcome, "transfers", "messages", (double)found->transfers);
  hd_study_put(outcome, "one way", NULL, hd_topology_one_way(topology));
  hd_study_put(outcome, "switches", "switches", topology->n_switches);
  hd_study_put(outcome, "ports", "ports", topology->ports);
  hd_study_put(outcome, "search", "s", seconds);
  put_text(outcome, "how", schedule->how);
  put_text(outcome, "reason", schedule->reason);
}

static int find(const struct schedules_row *row, const char *path, struct hd_task_outcome *outcome,
                struct hd_error *err)
{
  struct hd_topology topology;
  struct hd_messages messages = {0};
  struct hd_schedule schedule = {0};
  struct hd_schedule_found found = {0};
  struct hd_text csv = {0};
  double begin = hd_seconds_now();
  int status = schedules_topology(row->network, &topology, err);
  const struct hd_schedule_network network = {.topology = &topology, .all_port = row->all_port};
  const struct hd_schedule_options options = {.seconds = SEARCH_SECONDS, .solver = true};
  if (!status && topology.n_nodes != row->nodes)
    status = hd_fail(err, HD_E_INPUT, "%s has %" PRIu32 " nodes, not %" PRIu32, row->network,
                     topology.n_nodes, row->nodes);
  if (!status)
    status = hd_messages_make(&messages, row->kind, row->nodes, row->root, err);
  if (!status)
    status = hd_schedule_find(&schedule, &network, &messages, &options, err);
  if (!status) {
    hd_schedule_csv(&schedule, &topology, &csv);
    status = schedules_check(row, &topology, &messages, &csv, &found, err);
  }
  if (!status)
    status = hd_file_write(path, hd_text_chars(&csv), csv.length, err);
  if (!status && row->all_port && topology.n_nodes == topology.n_switches)
    status = schedules_write_ports(path, &schedule, &topology, err);
  if (!status)
    put(&schedule, &found, &topology, hd_seconds_now() - begin, outcome);
  hd_text_fini(&csv);
  hd_schedule_fini(&schedule);
  hd_messages_fini(&messages);
  hd_topology_fini(&topology);
  return status;
}

/* ── all rows ──────────────────────────────────────────────────────────────── */

static void describe(void *context, size_t index, struct hd_text *text)
{
  const struct schedules_row *row = &((const struct carrier *)context)->results->rows[index];
  char name[2 * SCHEDULES_NAME];
  schedules_row_name(row, name, sizeof name);
  hd_text_add(text, "schedule: %s\n", name);
  if (row->graph)
    hd_text_add(text, "graph: %016" PRIx64 "\n", row->graph);
}

static double work(void *context, size_t index)
{
  const struct schedules_row *row = &((const struct carrier *)context)->results->rows[index];
  return row->nodes * (row->kind == HD_EXCHANGE_ALL_TO_ALL_SCATTER ? row->evolution : 1.0);
}

static void run_task(void *context, size_t index, struct hd_task_outcome *outcome)
{
  const struct carrier *c = context;
  const struct schedules_row *row = &c->results->rows[index];
  char path[STUDY_PATH];
  struct hd_error err = {""};
  snprintf(path, sizeof path, "%s/%s.csv", c->how->study.directory, row->key);
  outcome->status = find(row, path, outcome, &err);
  if (outcome->status)
    hd_task_outcome_fail(outcome, outcome->status, err.text, NULL);
}

static void take_text(const struct hd_task_outcome *outcome, const char *key, char *text,
                      size_t size)
{
  const struct hd_value *value = hd_task_outcome_find(outcome, key);
  snprintf(text, size, "%s", value && value->type == HD_VALUE_TEXT ? value->text : "");
}

static int ended(void *context, size_t index, const struct hd_task_outcome *outcome,
                 struct hd_error *err)
{
  struct schedules_row *row = &((const struct carrier *)context)->results->rows[index];
  char name[2 * SCHEDULES_NAME];
  schedules_row_name(row, name, sizeof name);
  if (outcome->failed)
    return hd_fail(err, HD_E_INPUT, "%s: %.800s", name,
                   outcome->message ? outcome->message : hd_status_text(outcome->status));
  row->found = true;
  row->steps = (uint32_t)hd_study_value(outcome, "steps");
  row->bound = (uint32_t)hd_study_value(outcome, "bound");
  row->proved = row->steps == row->bound;
  row->transfers = (uint64_t)hd_study_value(outcome, "transfers");
  row->one_way = hd_study_value(outcome, "one way") > 0;
  row->switches = (uint32_t)hd_study_value(outcome, "switches");
  row->ports = (uint32_t)hd_study_value(outcome, "ports");
  row->seconds = hd_study_value(outcome, "search");
  take_text(outcome, "how", row->how, sizeof row->how);
  take_text(outcome, "reason", row->reason, sizeof row->reason);
  return HD_OK;
}

int schedules_find_all(struct schedules_results *r, const struct hd_study_arguments *how,
                       struct hd_error *err)
{
  struct carrier c = {r, how};
  const struct hd_study_tasks tasks = {.kind = "schedules",
                                       .n = r->n,
                                       .context = &c,
                                       .describe = describe,
                                       .work = work,
                                       .run_task = run_task,
                                       .ended = ended};
  for (size_t i = 0; i < r->n; i++)
    hd_study_key(&tasks, i, r->rows[i].key);
  return hd_study_run(&how->study, &tasks, err);
}
