/* Checks the two schedules that the paper prints on the paper's networks.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_study.h"

#include "../../host/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tables: a line for each source, in it a digit for each step, which is the destination. */
static const struct {
  const char *title, *network;
  enum hd_exchange kind;
  const char *to[SCHEDULES_PRINTED_NODES];
} tables[SCHEDULES_PRINTED] = {
    {"Table 2",
     "omega:k=2,n=3",
     HD_EXCHANGE_ALL_TO_ALL_BROADCAST,
     {"4215367", "5602473", "0137654", "6450721", "2763510", "1374206", "7541032", "3026145"}},
    {"Table 4",
     "folded-butterfly:k=2,n=3",
     HD_EXCHANGE_ALL_TO_ALL_SCATTER,
     {"2754631", "5367402", "6541370", "7610254", "3176025", "4203167", "1025743", "0432516"}},
};

/* Finds the fewest steps in which the pairs of a column can be done. Each pair is a message of
 * its own. */
static int column(const struct hd_topology *topology, int table, int step,
                  struct schedules_printed *p, struct hd_error *err)
{
  struct hd_text text = {0};
  struct hd_messages messages = {0};
  struct hd_schedule schedule = {0};
  const struct hd_schedule_network network = {.topology = topology};
  const struct hd_schedule_options options = {.seconds = 60, .solver = true};
  for (int source = 0; source < SCHEDULES_PRINTED_NODES; source++)
    hd_text_add(&text, "%d,%c\n", source, tables[table].to[source][step]);
  int status = hd_messages_parse(&messages, hd_text_chars(&text), text.length, tables[table].title,
                                 SCHEDULES_PRINTED_NODES, err);
  if (!status)
    status = hd_schedule_find(&schedule, &network, &messages, &options, err);
  p->steps[step] = schedule.steps;
  p->used[step] = (uint32_t)schedule.n_links;
  hd_schedule_fini(&schedule);
  hd_messages_fini(&messages);
  hd_text_fini(&text);
  return status;
}

/* Counts the pairs of different nodes in a table. */
static uint32_t count_pairs(int table)
{
  uint32_t n = 0;
  for (int source = 0; source < SCHEDULES_PRINTED_NODES; source++) {
    bool seen[SCHEDULES_PRINTED_NODES] = {false};
    for (int step = 0; step < SCHEDULES_PRINTED_STEPS; step++) {
      int to = tables[table].to[source][step] - '0';
      n += to != source && !seen[to];
      seen[to] = true;
    }
  }
  return n;
}

/* Counts the links: outputs of switches that have a peer, and one link for each node. */
static uint32_t count_links(const struct hd_topology *t)
{
  uint32_t n = t->n_nodes;
  for (size_t i = 0; i < (size_t)t->n_switches * t->ports; i++)
    n += t->peers[i].kind != HD_PEER_NONE;
  return n;
}

int schedules_print(struct schedules_results *r, struct hd_error *err)
{
  int status = HD_OK;
  for (int table = 0; !status && table < SCHEDULES_PRINTED; table++) {
    struct schedules_printed *p = &r->printed[table];
    struct hd_topology topology;
    *p = (struct schedules_printed){.title = tables[table].title,
                                    .network = tables[table].network,
                                    .kind = tables[table].kind,
                                    .pairs = count_pairs(table)};
    memcpy(p->to, tables[table].to, sizeof p->to);
    status = schedules_topology(p->network, &topology, err);
    if (!status)
      p->links = count_links(&topology);
    for (int step = 0; !status && step < SCHEDULES_PRINTED_STEPS; step++)
      status = column(&topology, table, step, p, err);
    hd_topology_fini(&topology);
  }
  return status;
}

/* ── schedules of the evolution ────────────────────────────────────────────── */

/* Reads a schedule whose lines are step,message,source,destination,links. In an all-to-all
 * broadcast, message i is that of node i. */
static bool fill(struct schedules_printed *p, const char *csv)
{
  const char *line = strchr(csv, '\n');
  for (int s = 0; s < SCHEDULES_PRINTED_NODES; s++)
    for (int t = 0; t < SCHEDULES_PRINTED_STEPS; t++)
      p->to_here[s][t] = UINT32_MAX;
  for (; line && line[1]; line = strchr(line + 1, '\n')) {
    uint32_t step, message, source, to;
    if (sscanf(line + 1, "%" SCNu32 ",%" SCNu32 ",%" SCNu32 ",%" SCNu32, &step, &message, &source,
               &to) != 4 ||
        step - 1 >= SCHEDULES_PRINTED_STEPS || source >= SCHEDULES_PRINTED_NODES)
      return false;
    p->to_here[source][step - 1] = to;
    p->of_here[source][step - 1] = p->kind == HD_EXCHANGE_ALL_TO_ALL_BROADCAST ? message : source;
  }
  return true;
}

int schedules_print_evolved(struct schedules_results *r, const char *runs, struct hd_error *err)
{
  int status = HD_OK;
  for (int table = 0; !status && table < SCHEDULES_PRINTED; table++) {
    struct schedules_printed *p = &r->printed[table];
    const struct schedules_row *row = schedules_find(r, p->network, p->kind, 0);
    const struct schedules_evolution *evolution = row ? schedules_upwards(row) : NULL;
    char path[STUDY_PATH], *csv;
    size_t length;
    if (!evolution || !evolution->done || evolution->steps > SCHEDULES_PRINTED_STEPS)
      continue;
    snprintf(path, sizeof path, "%s/%s.csv", runs, evolution->key);
    status = hd_file_read(path, &csv, &length, err);
    if (status)
      return status;
    p->evolved = fill(p, csv);
    free(csv);
  }
  return status;
}
