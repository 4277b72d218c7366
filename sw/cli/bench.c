/* What heddle bench measures, one run at a time.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"
#include "../programs/programs.h"

#include "../../bridge/host/tool_run.h"
#include "../runtime/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int hd_bench_open(struct hd_bench *b, uint32_t vcs, uint32_t depth_flits, unsigned duts,
                  struct hd_error *err)
{
  static const uint32_t dims[] = {8, 8};
  *b = (struct hd_bench){.seed = 1};
  b->fabric = (struct hd_fabric_params){.sw = {.ports = 5,
                                               .vcs = vcs,
                                               .data_bits = 16,
                                               .depth_flits = depth_flits,
                                               .nodes = 64,
                                               .route_cycles = 1,
                                               .arb_cycles = 1},
                                        .link_cycles = 1};
  int status = hd_topology_mesh(&b->topology, dims, 2, err);
  if (!status)
    status =
        hd_routing_build(&b->tables, &b->topology, HD_ROUTE_DIMENSION_ORDER, false, vcs, 0, err);
  if (!status && duts > 0)
    status = hd_backend_open(&b->verilator, "verilator", &b->fabric.sw, NULL, err);
  if (!status && duts > 1)
    status = hd_backend_open(&b->lanes, "lanes", &b->fabric.sw, NULL, err);
  return status;
}

void hd_bench_close(struct hd_bench *b)
{
  if (b->verilator.ops)
    hd_backend_close(&b->verilator);
  if (b->lanes.ops)
    hd_backend_close(&b->lanes);
  hd_tables_fini(&b->tables);
  hd_topology_fini(&b->topology);
}

static uint64_t next_random(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* Nodes of the same plainness as tb/bench/traffic.h. */
static int send_uniform(struct hd_fabric *fabric, uint64_t *random, uint64_t threshold,
                        uint32_t flits, struct hd_error *err)
{
  for (uint32_t node = 0; node < 64; node++) {
    if (next_random(&random[node]) >= threshold)
      continue;
    uint32_t to, number;
    do
      to = (uint32_t)(next_random(&random[node]) >> 58);
    while (to == node);
    struct hd_packet packet = {.source = node, .destination = to, .flits = flits};
    int status = hd_fabric_send(fabric, &packet, &number, err);
    if (status)
      return status;
  }
  return HD_OK;
}

int hd_bench_model(const struct hd_bench *b, double load, uint32_t flits, uint64_t cycles,
                   struct hd_bench_figure *figure, struct hd_error *err)
{
  struct hd_fabric *fabric;
  struct hd_fabric_counters c, warm = {0};
  uint64_t random[64], threshold = (uint64_t)(load / flits * 0x1p64);
  for (uint64_t i = 0; i < 64; i++)
    random[i] = (b->seed + i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  int status = hd_fabric_create(&fabric, &b->fabric, &b->topology, &b->tables, err);
  if (status)
    return status;
  double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  for (uint64_t i = 0; i < cycles && !status; i++) {
    if (i == cycles / 3)
      hd_fabric_counters(fabric, &warm);
    status = send_uniform(fabric, random, threshold, flits, err);
    if (!status)
      status = hd_fabric_step(fabric, err);
  }
  hd_fabric_counters(fabric, &c);
  *figure = (struct hd_bench_figure){.switch_cycles = cycles * 64,
                                     .seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start,
                                     .packets = c.packets_received,
                                     .accepted = (double)(c.flits_received - warm.flits_received) /
                                                 (double)(cycles - cycles / 3) / 64,
                                     .bytes_per_switch = hd_fabric_bytes_per_switch(fabric)};
  hd_fabric_destroy(fabric);
  return status;
}

static int send_packet(void *context, const struct hd_world_packet *sent)
{
  struct hd_packet packet = {.source = sent->source,
                             .destination = sent->destination,
                             .flits = sent->flits,
                             .payload = sent->payload};
  uint32_t number;
  return hd_fabric_send(*(struct hd_fabric **)context, &packet, &number, NULL);
}

static int run_software(void *context, struct hd_fabric *fabric, uint64_t cycle,
                        struct hd_error *err)
{
  (void)fabric;
  return hd_world_step(context, cycle, err);
}

static uint64_t next_cycle(void *context)
{
  return hd_world_next_cycle(context);
}

static int run_lockstep(const struct hd_bench *b, const struct hd_backend *backend,
                        struct hd_world *world, struct hd_fabric **fabric, uint64_t cycles,
                        uint32_t threads, struct hd_bench_figure *figure, struct hd_error *err)
{
  struct hd_lockstep *ls;
  struct hd_lockstep_result result;
  struct hd_lockstep_params params = {
      .fabric = &b->fabric,
      .topology = &b->topology,
      .tables = &b->tables,
      .dut = backend->ops,
      .window_cycles = 256,
      .threads = threads,
      .hooks = {.context = world, .cycle_begin = run_software, .next_cycle = next_cycle}};
  int status = hd_lockstep_create(&ls, &params, err);
  if (status)
    return status;
  *fabric = hd_lockstep_fabric(ls);
  double wall = seconds_of(CLOCK_MONOTONIC), start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  status = hd_lockstep_run(ls, cycles, &result, err);
  double took = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start;
  wall = seconds_of(CLOCK_MONOTONIC) - wall;
  struct hd_fabric_counters c;
  hd_fabric_counters(*fabric, &c);
  *figure =
      (struct hd_bench_figure){.switch_cycles = result.switch_cycles,
                               .seconds = took,
                               .wall_seconds = wall,
                               .packets = c.packets_received,
                               .evaluated = (double)result.evaluated_cycles /
                                            (double)(result.switch_cycles + !result.switch_cycles)};
  hd_lockstep_destroy(ls);
  return status;
}

int hd_bench_lockstep(const struct hd_bench *b, const struct hd_backend *backend, double load,
                      uint32_t flits, uint64_t cycles, uint32_t threads,
                      struct hd_bench_figure *figure, struct hd_error *err)
{
  static char load_key[] = "load", flits_key[] = "flits", cycles_key[] = "cycles";
  struct hd_fabric *fabric = NULL;
  struct hd_world *world;
  struct hd_parameter parameters[] = {{.key = load_key, .number = load},
                                      {.key = flits_key, .number = flits},
                                      {.key = cycles_key, .number = (double)cycles}};
  struct hd_world_params params = {.nodes = 64,
                                   .data_bits = b->fabric.sw.data_bits,
                                   .packet_bytes = 64,
                                   .seed = b->seed,
                                   .program = hd_program_find("uniform"),
                                   .parameters = parameters,
                                   .n_parameters = 3,
                                   .send = send_packet,
                                   .context = &fabric};
  int status = hd_world_create(&world, &params, err);
  if (status)
    return status;
  status = run_lockstep(b, backend, world, &fabric, cycles, threads, figure, err);
  hd_world_destroy(world);
  return status;
}

int hd_bench_program(const char *path, double load, uint32_t flits, uint64_t cycles, uint64_t seed,
                     struct hd_bench_figure *figure, struct hd_error *err)
{
  char load_text[32], flits_text[16], cycles_text[24], seed_text[24], line[128] = "";
  unsigned long long switch_cycles, packets;
  struct hd_error why = {""};
  snprintf(load_text, sizeof load_text, "%.9g", load);
  snprintf(flits_text, sizeof flits_text, "%u", flits);
  snprintf(cycles_text, sizeof cycles_text, "%llu", (unsigned long long)cycles);
  snprintf(seed_text, sizeof seed_text, "%llu", (unsigned long long)seed);
  const char *const argv[] = {path, load_text, flits_text, cycles_text, seed_text, NULL};
  if (hd_tool_first_line(argv, "", line, sizeof line, &why) ||
      sscanf(line, "%llu %lf %llu", &switch_cycles, &figure->seconds, &packets) != 3)
    return hd_fail(err, HD_E_TOOL, "%s failed; `make bench` builds it", path);
  figure->switch_cycles = switch_cycles;
  figure->packets = packets;
  return HD_OK;
}
