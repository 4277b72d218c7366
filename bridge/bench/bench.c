/* Carries out the single measurements of heddle bench.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"
#include "../../sw/programs/programs.h"

#include "../host/clock.h"
#include "../host/file.h"
#include "../host/text.h"
#include "../host/tool_run.h"
#include "../../sw/runtime/world.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double processor_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
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
  const struct hd_backend_options wide = {.switches = HD_BENCH_SEEDS * 64};
  if (!status && duts > 2)
    status = hd_backend_open(&b->wide_lanes, "lanes", &b->fabric.sw, &wide, err);
  return status;
}

void hd_bench_close(struct hd_bench *b)
{
  if (b->verilator.ops)
    hd_backend_close(&b->verilator);
  if (b->lanes.ops)
    hd_backend_close(&b->lanes);
  if (b->wide_lanes.ops)
    hd_backend_close(&b->wide_lanes);
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

/* Sends uniform traffic from nodes that are as simple as those of tb/bench/traffic.h, so that
 * the comparison is fair. */
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
  double start = processor_seconds();
  for (uint64_t i = 0; i < cycles && !status; i++) {
    if (i == cycles / 3)
      hd_fabric_counters(fabric, &warm);
    status = send_uniform(fabric, random, threshold, flits, err);
    if (!status)
      status = hd_fabric_step(fabric, err);
  }
  hd_fabric_counters(fabric, &c);
  *figure = (struct hd_bench_figure){.switch_cycles = cycles * 64,
                                     .seconds = processor_seconds() - start,
                                     .packets = c.packets_received,
                                     .accepted = (double)(c.flits_received - warm.flits_received) /
                                                 (double)(cycles - cycles / 3) / 64,
                                     .bytes_per_switch = hd_fabric_bytes_per_switch(fabric)};
  hd_fabric_destroy(fabric);
  return status;
}

/* One of the runs of a batch: its software and its fabric. */
struct batch_run {
  struct hd_world *world;
  struct hd_fabric *fabric;
};

static int send_packet(void *context, const struct hd_world_packet *sent)
{
  struct hd_packet packet = {.source = sent->source,
                             .destination = sent->destination,
                             .flits = sent->flits,
                             .payload = sent->payload};
  uint32_t number;
  return hd_fabric_send(((struct batch_run *)context)->fabric, &packet, &number, NULL);
}

static int run_software(void *context, struct hd_fabric *fabric, uint64_t cycle,
                        struct hd_error *err)
{
  (void)fabric;
  return hd_world_step(((struct batch_run *)context)->world, cycle, err);
}

static uint64_t next_cycle(void *context)
{
  return hd_world_next_cycle(((struct batch_run *)context)->world);
}

static int run_lockstep(const struct hd_bench *b, const struct hd_bench_run *run,
                        struct batch_run *runs, uint64_t cycles, struct hd_bench_figure *figure,
                        struct hd_error *err)
{
  const uint32_t seeds = run->seeds;
  struct hd_lockstep *locksteps[HD_BENCH_SEEDS];
  struct hd_lockstep_params params[HD_BENCH_SEEDS] = {{.threads = 0}};
  struct hd_lockstep_result results[HD_BENCH_SEEDS];
  struct hd_lockstep_turn turns[HD_BENCH_SEEDS];
  for (uint32_t i = 0; i < seeds; i++)
    params[i] = (struct hd_lockstep_params){
        .fabric = &b->fabric,
        .topology = &b->topology,
        .tables = &b->tables,
        .dut = run->backend->ops,
        .mode = run->closed ? HD_MODE_CLOSED : HD_MODE_DECOUPLED,
        .compare = run->closed ? HD_COMPARE_PACKETS : HD_COMPARE_EXACT,
        .rules = run->rules,
        .window_cycles = run->closed ? 1 : 256,
        .threads = run->threads,
        .hooks = {.context = &runs[i], .cycle_begin = run_software, .next_cycle = next_cycle}};
  int status = hd_lockstep_create_together(locksteps, params, seeds, err);
  if (status)
    return status;
  for (uint32_t i = 0; i < seeds; i++) {
    runs[i].fabric = hd_lockstep_fabric(locksteps[i]);
    turns[i] = (struct hd_lockstep_turn){
        .lockstep = locksteps[i], .cycles = cycles, .result = &results[i]};
  }
  double wall = hd_seconds_now(), start = processor_seconds();
  hd_lockstep_run_together(turns, seeds);
  *figure = (struct hd_bench_figure){.seconds = processor_seconds() - start,
                                     .wall_seconds = hd_seconds_now() - wall};
  for (uint32_t i = 0; i < seeds; i++) {
    struct hd_fabric_counters c;
    hd_fabric_counters(runs[i].fabric, &c);
    figure->switch_cycles += results[i].switch_cycles;
    figure->packets += c.packets_received;
    if (turns[i].status && !status) {
      status = turns[i].status;
      *err = turns[i].err;
    }
    hd_lockstep_destroy(locksteps[i]);
  }
  return status;
}

int hd_bench_lockstep(const struct hd_bench *b, const struct hd_bench_run *run, double load,
                      uint32_t flits, uint64_t cycles, struct hd_bench_figure *figure,
                      struct hd_error *err)
{
  const uint32_t seeds = run->seeds;
  char load_key[] = "load", flits_key[] = "flits", cycles_key[] = "cycles";
  struct batch_run runs[HD_BENCH_SEEDS] = {{NULL, NULL}};
  struct hd_parameter parameters[] = {{.key = load_key, .number = load},
                                      {.key = flits_key, .number = flits},
                                      {.key = cycles_key, .number = (double)cycles}};
  int status = HD_OK;
  for (uint32_t i = 0; i < seeds && !status; i++) {
    struct hd_world_params params = {.nodes = 64,
                                     .data_bits = b->fabric.sw.data_bits,
                                     .packet_bytes = 64,
                                     .seed = b->seed + i,
                                     .program = hd_program_find("uniform"),
                                     .parameters = parameters,
                                     .n_parameters = 3,
                                     .send = send_packet,
                                     .context = &runs[i]};
    status = hd_world_create(&runs[i].world, &params, err);
  }
  if (!status)
    status = run_lockstep(b, run, runs, cycles, figure, err);
  for (uint32_t i = 0; i < seeds && runs[i].world; i++)
    hd_world_destroy(runs[i].world);
  return status;
}

/* Writes a scenario with the benchmark's fabric and software, for the command heddle sweep. */
static int write_scenario(const char *path, double load, uint32_t flits, uint64_t cycles,
                          struct hd_error *err)
{
  const unsigned long long n = cycles;
  struct hd_text text = {0};
  hd_text_add(&text,
              "name: bench\n"
              "fabric: {topology: mesh, dims: [8, 8]}\n"
              "switch: {vcs: 2, data_bits: 16, depth_flits: 4}\n"
              "routing: {algorithm: dimension-order}\n"
              "software: {program: uniform, parameters: {load: %g, flits: %u, cycles: %llu}}\n"
              "run: {cycles: %llu, dut: verilator}\n",
              load, flits, n, n);
  return hd_text_write(NULL, path, &text, err);
}

static int run_sweep(const char *directory, uint32_t ranks, struct hd_error *err)
{
  char heddle[PATH_MAX], log[PATH_MAX], ranks_text[16], seeds_text[16];
  const ssize_t n = readlink("/proc/self/exe", heddle, sizeof heddle - 1);
  if (n < 0)
    return hd_fail(err, HD_E_IO, "bench: /proc/self/exe cannot be read");
  heddle[n] = '\0';
  snprintf(log, sizeof log, "%s/log", directory);
  snprintf(ranks_text, sizeof ranks_text, "%u", ranks);
  snprintf(seeds_text, sizeof seeds_text, "%d", HD_BENCH_SEEDS);
  const char *argv[20] = {"mpirun", "-n", ranks_text};
  size_t at = ranks > 1 ? 3 : 0;
  const char *const sweep[] = {heddle,      "sweep",   "bench.yaml", "--seeds", seeds_text,
                               "--no-html", "--quiet", "--out",      "sweep"};
  for (size_t i = 0; i < sizeof sweep / sizeof *sweep; i++)
    argv[at++] = sweep[i];
  if (ranks == 1) {
    argv[at++] = "--workers";
    argv[at++] = "1";
  }
  argv[at] = NULL;
  int code = 0;
  const int status = hd_tool_run(
      &(struct hd_tool){
          .argv = argv, .package = "openmpi-bin", .directory = directory, .log_path = log},
      &code, err);
  if (status || !code)
    return status;
  char end[700];
  hd_tool_log_end(log, end, sizeof end);
  return hd_fail(err, HD_E_TOOL, "%s ended with exit code %d: %s", argv[0], code, end);
}

int hd_bench_sweep(double load, uint32_t flits, uint64_t cycles, uint32_t ranks,
                   struct hd_bench_figure *figure, struct hd_error *err)
{
  char directory[PATH_MAX / 2], path[PATH_MAX];
  int status = hd_directory_temporary("hd_bench", directory, sizeof directory, err);
  if (status)
    return status;
  snprintf(path, sizeof path, "%s/bench.yaml", directory);
  status = write_scenario(path, load, flits, cycles, err);
  const double start = hd_seconds_now();
  if (!status)
    status = run_sweep(directory, ranks, err);
  *figure = (struct hd_bench_figure){
      .switch_cycles = HD_BENCH_SEEDS * cycles * 64,
      .packets = 1, /* not counted; the exit code says that every cycle was compared */
      .wall_seconds = hd_seconds_now() - start};
  figure->seconds = figure->wall_seconds;
  hd_tree_remove(directory, NULL);
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
