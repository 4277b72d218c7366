/* The runs of the study: their list, their scenarios, and their results.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mton_study.h"

#include "../../host/file.h"
#include "../../host/memory.h"
#include "../../run/run.h"
#include "../../../sw/contention/contention.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char kind[] = "m-to-n";
static const char sizes_name[] = "sizes.csv";

/* A message of 480 bytes in packets of 256 bytes has 64 flits, so it takes 64 cycles. These are
 * the 256 ns by which the paper counts 36 slots as 9.216 us. A packet of 256 bytes every 36
 * cycles has the 14.222 Gb/s of the paper's Fig. 7. */
enum {
  CASE_BYTES = 64,
  CASE_FLITS = 10,
  PACED_CYCLES = 36,
  SLOW_CYCLES = 205, /* a packet of 256 bytes every 205 cycles is 2.4967 Gb/s */
  MESSAGE_BYTES = 480,
  MESSAGE_FLITS = 64
};

/* Tests whether a destination gets twice as much. A compute node has two ports. Two of three
 * nodes use three processors, and one of the node's ports gets twice as much: 18 of 54 ports
 * (Section VI-A). The paper does not say which nodes and ports these are, so `way` from 1
 * chooses them. */
static bool doubled(uint32_t way, uint32_t destination)
{
  const uint32_t node = destination % 6 / 2, port = destination % 2, other = 2 - (way - 1) / 4;
  return way && node != other && port == ((way - 1) >> (node > other ? node - 1 : node) & 1);
}

/* ── runs to carry out ─────────────────────────────────────────────────────── */

static void want(struct mton_results *r, const struct mton_config *config)
{
  HD_XROOM(r->runs, r->capacity, r->n, 1);
  r->runs[r->n++] = (struct mton_run){.config = *config};
}

/* Sources are nodes 0 to M-1. Destinations begin at the next multiple of kⁿ⁻¹ = 4. If N nodes do
 * not fit there, some nodes are both source and destination. In the paper's example, the
 * destinations follow directly on the sources, from node 6. */
struct mton_config mton_case(uint32_t m, uint32_t n, uint32_t by_destination,
                             enum hd_mton_kind schedule)
{
  uint32_t behind = (m + 3) / 4 * 4, last = (SIDE - n) / 4 * 4;
  if (m == 6 && n == 10)
    behind = last = m;
  return (struct mton_config){.k = 2,
                              .n = 3,
                              .extended = 1,
                              .by_destination = by_destination,
                              .sources = m,
                              .destinations = n,
                              .first_destination = behind < last ? behind : last,
                              .schedule = schedule,
                              .bytes = CASE_BYTES,
                              .rounds = 1,
                              .slot_cycles = CASE_FLITS,
                              .rtl = 1};
}

bool mton_is_case(const struct mton_config *c)
{
  return c->slot_cycles == CASE_FLITS;
}

bool mton_closed_form_applies(const struct mton_config *c)
{
  return c->sources <= c->destinations && c->first_destination >= c->sources &&
         c->first_destination % 4 == 0;
}

static const struct {
  const char *name;
  struct mton_config config;
} experiments[MTON_EXPERIMENTS] = {
#define EXPERIMENT_1 .k = 2, .n = 3, .first_destination = 4, .bytes = PACKET_BYTES, .rtl = 1
#define EXPERIMENT_2                                                                         \
  .k = 4, .n = 3, .extended = 1, .sources = 48, .destinations = 54, .first_destination = 48, \
  .bytes = MESSAGE_BYTES, .rounds = 1, .doubled = 1, .rtl = 1
    [MTON_SINGLE] = {"one pair", {EXPERIMENT_1, .sources = 1, .destinations = 1, .rounds = 64}},
    [MTON_SINGLE_PACED] = {"one pair, a packet in 36 cycles",
                           {EXPERIMENT_1, .sources = 1, .destinations = 1, .rounds = 64,
                            .slot_cycles = PACED_CYCLES}},
    [MTON_HOT_SPOT] = {"2-to-1, packets at once",
                       {EXPERIMENT_1, .sources = 2, .destinations = 1, .rounds = 64}},
    [MTON_HOT_SPOT_SLOW] = {"2-to-1, a packet in 205 cycles",
                            {EXPERIMENT_1, .sources = 2, .destinations = 1, .rounds = 64,
                             .slot_cycles = SLOW_CYCLES}},
    [MTON_2_TO_2] = {"2-to-2, one hot spot",
                     {EXPERIMENT_1, .sources = 2, .destinations = 2, .rounds = 16,
                      .slot_cycles = 2 * PACED_CYCLES}},
    [MTON_2_TO_2_SHUFFLED] = {"2-to-2, scheduled",
                              {EXPERIMENT_1, .sources = 2, .destinations = 2, .rounds = 16,
                               .slot_cycles = 2 * PACED_CYCLES, .schedule = HD_MTON_PAPER}},
    [MTON_2_TO_4] = {"2-to-4, one hot spot",
                     {EXPERIMENT_1, .sources = 2, .destinations = 4, .rounds = 8,
                      .slot_cycles = 2 * PACED_CYCLES}},
    [MTON_2_TO_4_SHUFFLED] = {"2-to-4, scheduled",
                              {EXPERIMENT_1, .sources = 2, .destinations = 4, .rounds = 8,
                               .slot_cycles = 2 * PACED_CYCLES, .schedule = HD_MTON_PAPER}},
    [MTON_UNSCHEDULED] = {"48-to-54, unscheduled", {EXPERIMENT_2}},
    [MTON_VIRTUAL] = {"48-to-54, virtual destinations in one table",
                      {EXPERIMENT_2, .schedule = HD_MTON_VIRTUAL, .slot_cycles = MESSAGE_FLITS}},
    [MTON_PAPER] = {"48-to-54, the paper's transactions",
                    {EXPERIMENT_2, .schedule = HD_MTON_PAPER, .slot_cycles = MESSAGE_FLITS}},
    [MTON_PADDED] = {"48-to-54, padded transactions",
                     {EXPERIMENT_2, .schedule = HD_MTON_PADDED, .slot_cycles = MESSAGE_FLITS}},
    [MTON_MERGED] = {"48-to-54, one merged table",
                     {EXPERIMENT_2, .schedule = HD_MTON_MERGED, .slot_cycles = MESSAGE_FLITS}},
};

struct mton_config mton_experiment(enum mton_experiment experiment, bool quick)
{
  struct mton_config config = experiments[experiment].config;
  if (quick)
    config.rtl = 0;
  return config;
}

const char *mton_experiment_name(enum mton_experiment experiment)
{
  return experiments[experiment].name;
}

uint32_t mton_series(const struct mton_config *c)
{
  return mton_is_case(c) ? 0 : c->doubled ? c->destinations : c->destinations * c->rounds;
}

const struct mton_run *mton_find(const struct mton_results *r, enum mton_experiment experiment)
{
  struct mton_config config = mton_experiment(experiment, r->quick);
  for (size_t i = 0; i < r->n; i++)
    if (!memcmp(&r->runs[i].config, &config, sizeof config))
      return &r->runs[i];
  return NULL;
}

void mton_plan(struct mton_results *r, bool quick)
{
  static const enum hd_mton_kind kinds[] = {HD_MTON_PAPER, HD_MTON_PADDED};
  r->quick = quick;
  for (int i = 0; i < MTON_EXPERIMENTS; i++) {
    struct mton_config config = mton_experiment((enum mton_experiment)i, quick);
    want(r, &config);
  }
  for (uint32_t m = 1; m <= SIDE; m++)
    for (uint32_t n = 1; n <= SIDE; n++)
      for (uint32_t i = 0; i < 4; i++) {
        struct mton_config config = mton_case(m, n, i / 2, kinds[i % 2]);
        /* Quick runs take a diagonal through all sizes, and the paper's example. */
        bool some = (m + n) % 15 == 0 || (m == 6 && n == 10);
        if (!quick || some)
          want(r, &config);
      }
}

void mton_fini(struct mton_results *r)
{
  free(r->runs);
  *r = (struct mton_results){0};
}

/* ── scenarios ─────────────────────────────────────────────────────────────── */

struct carrier {
  struct mton_results *results;
  const struct hd_study_arguments *how;
};

static void scenario_of(const struct mton_config *c, struct hd_text *text)
{
  const char *routing = c->by_destination ? "d-mod-k" : "s-mod-k";
  /* RapidIO's switch has no virtual channels. Cases have the switch of
   * tests/scenarios/shuffle-6-to-10.yaml, so that its RTL may be in the cache already. */
  static const char experiment[] = "1, data_bits: 64, depth_flits: 8";
  static const char cases[] = "2, data_bits: 64, depth_flits: 16";
  hd_text_add(text,
              "# Made by make reproduce-m-to-n.\nname: m-to-n\n"
              "fabric: {topology: %s, k: %" PRIu32 ", n: %" PRIu32 "}\n"
              "switch: {vcs: %s}\n"
              "routing: {algorithm: %s, always_top: true}\n"
              "software: {program: shuffle, packet_bytes: %d, parameters: {sources: %" PRIu32
              ", destinations: %" PRIu32 ", first_destination: %" PRIu32 ", bytes: %" PRIu32
              ", rounds: %" PRIu32 ", schedule: %s, k: %" PRIu32 ", n: %" PRIu32 ", routing: %s",
              c->extended ? "extended-tree" : "tree", c->k, c->n,
              mton_is_case(c) ? cases : experiment, routing, PACKET_BYTES, c->sources,
              c->destinations, c->first_destination, c->bytes, c->rounds,
              hd_mton_kind_name(c->schedule), c->k, c->n, routing);
  if (c->slot_cycles)
    hd_text_add(text, ", start: by-slot, slot_cycles: %" PRIu32, c->slot_cycles);
  if (c->doubled)
    hd_text_add(text, ", file: %s", sizes_name);
  if (!mton_is_case(c))
    hd_text_add(text, ", pairs: %d", c->doubled ? 1 : 2);
  hd_text_add(text, "}}\nrun: {cycles: 1000000, dut: %s}\n", c->rtl ? "verilator" : "none");
}

static void scenario_at(void *context, size_t run, struct hd_text *text)
{
  const struct carrier *c = context;
  scenario_of(&c->results->runs[run].config, text);
}

static int write_sizes(const struct hd_study_arguments *how, struct hd_error *err)
{
  const struct mton_config c = experiments[MTON_PAPER].config;
  struct hd_text text = {0};
  hd_text_add(&text,
              "# Bytes from each source (line) to each destination (column), Experiment 2.\n");
  for (uint32_t i = 0; i < c.sources; i++)
    for (uint32_t j = 0; j < c.destinations; j++)
      hd_text_add(&text, "%d%s", (1 + doubled(c.doubled, j)) * MESSAGE_BYTES,
                  j + 1 < c.destinations ? "," : "\n");
  return hd_text_write(how->study.directory, sizes_name, &text, err);
}

/* ── the checker ───────────────────────────────────────────────────────────── */

static int build(const struct mton_config *c, struct hd_topology *topology,
                 struct hd_tables *tables, struct hd_error *err)
{
  int status = c->extended ? hd_topology_extended_tree(topology, c->k, c->n, err)
                           : hd_topology_tree(topology, c->k, c->n, err);
  if (!status)
    status = hd_routing_build(
        tables, topology, c->by_destination ? HD_ROUTE_D_MOD_K : HD_ROUTE_S_MOD_K, true, 2, 0, err);
  return status;
}

static int find(struct mton_run *run, const struct hd_mton_message *messages, size_t n,
                struct hd_error *err)
{
  struct hd_topology topology = {0};
  struct hd_tables tables = {0};
  struct hd_slot_message *followed = hd_xcalloc(n + 1, sizeof *followed);
  int status = build(&run->config, &topology, &tables, err);
  for (size_t i = 0; !status && i < n; i++)
    followed[i] =
        (struct hd_slot_message){messages[i].slot, messages[i].source, messages[i].destination};
  if (!status)
    status = hd_contention_find(&topology, &tables, followed, n, NULL, NULL, &run->contention, err);
  hd_tables_fini(&tables);
  hd_topology_fini(&topology);
  free(followed);
  return status;
}

int mton_check(struct mton_run *run, struct hd_error *err)
{
  const struct mton_config *c = &run->config;
  struct hd_mton_schedule schedule;
  size_t n;
  uint16_t *units = hd_xcalloc((size_t)c->sources * c->destinations, sizeof *units);
  for (uint32_t i = 0; i < c->sources * c->destinations; i++)
    units[i] = 1 + doubled(c->doubled, i % c->destinations);
  const struct hd_mton mton = {.sources = c->sources,
                               .destinations = c->destinations,
                               .first_destination = c->first_destination,
                               .kind = (enum hd_mton_kind)c->schedule,
                               .tree = {c->k, c->n, c->by_destination},
                               .units = units};
  int status = hd_mton_schedule(&schedule, &mton, err);
  if (!status) {
    struct hd_mton_message *messages = hd_mton_messages(&mton, &schedule, &n);
    status = find(run, messages, n, err);
    run->slots = schedule.slots;
    run->messages = n;
    free(messages);
  }
  hd_mton_schedule_fini(&schedule);
  free(units);
  return status;
}

/* ── one run ───────────────────────────────────────────────────────────────── */

/* Adds the latency of messages, from the call that sends a message to the arrival of its last
 * packet. In cases, each message is one packet. */
static void put_latency(const struct hd_run_report *report, struct hd_task_outcome *outcome)
{
  double least = (double)report->latency.minimum, most = (double)report->latency.maximum;
  double sum = (double)report->latency.sum, n = (double)report->latency.n;
  bool first = true;
  for (uint32_t i = 0; i < report->n_statistics; i++) {
    const struct hd_run_statistic *s = &report->statistics[i];
    if (strncmp(s->name, "latency ", 8))
      continue;
    if (first)
      least = (double)s->minimum, most = 0, sum = 0, n = 0;
    first = false;
    least = (double)s->minimum < least ? (double)s->minimum : least;
    most = (double)s->maximum > most ? (double)s->maximum : most;
    sum += s->mean * (double)s->n;
    n += (double)s->n;
  }
  hd_study_put(outcome, "least", "cycles", least);
  hd_study_put(outcome, "mean", "cycles", n > 0 ? sum / n : 0);
  hd_study_put(outcome, "most", "cycles", most);
}

static void series_key(char key[32], uint32_t series, uint32_t i)
{
  snprintf(key, 32, "series %" PRIu32 " %" PRIu32, series, i);
}

/* Returns the index of a packet of Experiment 1 among those of its source. A source sends to its
 * destinations in turn. With a schedule, source s begins with destination s. */
static uint32_t packet_of(const struct mton_config *c, uint32_t source, uint32_t destination,
                          uint32_t message)
{
  uint32_t from = c->schedule == HD_MTON_UNSCHEDULED ? 0 : source % c->destinations;
  return message * c->destinations + (destination + c->destinations - from) % c->destinations;
}

static void put_series(const struct mton_config *c, const struct hd_run_report *report,
                       struct hd_task_outcome *outcome)
{
  double series[2][MTON_SERIES] = {{0}};
  for (uint32_t i = 0; i < report->n_statistics; i++) {
    const struct hd_run_statistic *s = &report->statistics[i];
    unsigned source, node, message;
    if (!c->doubled && sscanf(s->name, "message %u of %u to %u", &message, &source, &node) == 3) {
      uint32_t at = packet_of(c, source, node - c->first_destination, message);
      if (source < 2 && at < MTON_SERIES)
        series[source][at] = s->mean;
    } else if (c->doubled && sscanf(s->name, "latency %u to %u", &source, &node) == 2) {
      double *least = &series[0][node - c->first_destination],
             *most = &series[1][node - c->first_destination];
      *least = *least > 0 && *least < (double)s->minimum ? *least : (double)s->minimum;
      *most = *most > (double)s->maximum ? *most : (double)s->maximum;
    }
  }
  for (uint32_t k = 0; k < 2; k++)
    for (uint32_t i = 0; i < mton_series(c); i++) {
      char key[32];
      series_key(key, k, i);
      hd_study_put(outcome, key, "cycles", series[k][i]);
    }
}

static void run_task(void *context, size_t index, struct hd_task_outcome *outcome)
{
  const struct carrier *c = context;
  struct hd_text text = {0};
  struct hd_run_report report;
  char path[STUDY_PATH];
  scenario_at(context, index, &text);
  /* The path is that of the scenario's file, because the file of sizes is beside it. */
  snprintf(path, sizeof path, "%s/%s.yaml", c->how->study.directory, c->results->runs[index].key);
  if (hd_study_scenario(path, &text, c->how->study.rtl_dir, NULL, &report, outcome)) {
    hd_study_put(outcome, "packets", "packets", (double)report.counters.packets_received);
    hd_study_put(outcome, "blocked", "flit-cycles", (double)report.counters.blocked_flit_cycles);
    hd_study_put(outcome, "cycles", "cycles", (double)report.result.cycles);
    put_latency(&report, outcome);
    put_series(&c->results->runs[index].config, &report, outcome);
  }
  hd_run_report_fini(&report);
}

static int ended(void *context, size_t index, const struct hd_task_outcome *outcome,
                 struct hd_error *err)
{
  const struct carrier *c = context;
  struct mton_run *run = &c->results->runs[index];
  (void)err;
  run->done = true;
  run->packets = (uint64_t)hd_study_value(outcome, "packets");
  run->blocked = (uint64_t)hd_study_value(outcome, "blocked");
  run->cycles = (uint64_t)hd_study_value(outcome, "cycles");
  run->least = hd_study_value(outcome, "least");
  run->mean = hd_study_value(outcome, "mean");
  run->most = hd_study_value(outcome, "most");
  for (uint32_t k = 0; k < 2; k++)
    for (uint32_t i = 0; i < mton_series(&run->config); i++) {
      char key[32];
      series_key(key, k, i);
      run->series[k][i] = hd_study_value(outcome, key);
    }
  return HD_OK;
}

/* Estimates the time of a run. Progress lines compute the remaining time from it. */
static double work_at(void *context, size_t index)
{
  const struct carrier *c = context;
  const struct mton_run *run = &c->results->runs[index];
  return 50 + (double)run->messages * (run->config.k == 4 ? 8 : 1);
}

int mton_run_all(struct mton_results *results, const struct hd_study_arguments *how,
                 struct hd_error *err)
{
  struct carrier c = {results, how};
  const struct hd_study_tasks tasks = {.kind = kind,
                                       .n = results->n,
                                       .context = &c,
                                       .describe = scenario_at,
                                       .work = work_at,
                                       .run_task = run_task,
                                       .ended = ended,
                                       .scenarios = true};
  int status = write_sizes(how, err);
  for (size_t i = 0; !status && i < results->n; i++) {
    hd_study_key(&tasks, i, results->runs[i].key);
    status = mton_check(&results->runs[i], err);
  }
  return status ? status : hd_study_run(&how->study, &tasks, err);
}
