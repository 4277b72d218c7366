/* Single measurements of heddle bench.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BENCH_H
#define HD_BENCH_H

#include "../backends/backend.h"
#include "../lockstep/lockstep.h"

enum { HD_BENCH_SEEDS = 8 }; /* largest number of runs in one batch */

/** The benchmark's fabric: an 8×8 mesh with dimension-order routing, 16-bit data and the fastest
 *  timing. */
struct hd_bench {
  struct hd_topology topology;
  struct hd_tables tables;
  struct hd_fabric_params fabric;
  struct hd_backend verilator, lanes;
  struct hd_backend wide_lanes; /* lanes for all switches of HD_BENCH_SEEDS runs */
  uint64_t seed;
};

/** Builds the fabric and opens the first `duts` of these backends: verilator, lanes, and lanes
 *  of a wide word. Call hd_bench_close in any case. */
int hd_bench_open(struct hd_bench *bench, uint32_t vcs, uint32_t depth_flits, unsigned duts,
                  struct hd_error *err);
void hd_bench_close(struct hd_bench *bench);

/** One measurement. */
struct hd_bench_figure {
  uint64_t switch_cycles;
  double seconds; /* processor time of this process, so that other processes do not count */
  double wall_seconds;
  uint64_t packets;        /* packets received */
  double accepted;         /* flits received a node and cycle, without the first third of the run */
  size_t bytes_per_switch; /* memory of the model */
};

/** Measures the model alone under uniform traffic: `load` flits a node and cycle, in packets of
 *  `flits` flits. */
int hd_bench_model(const struct hd_bench *bench, double load, uint32_t flits, uint64_t cycles,
                   struct hd_bench_figure *figure, struct hd_error *err);

/** A run with a backend: decoupled with full comparison, or in closed loop with comparison of
 *  packets. */
struct hd_bench_run {
  const struct hd_backend *backend;
  bool closed, rules;      /* rules: the rules at ports are checked, too */
  uint32_t threads, seeds; /* seeds: runs in one DUT; only lanes accept more than 1 */
};

/** Measures one run, or a batch of runs, with endpoint software `uniform` on every node. */
int hd_bench_lockstep(const struct hd_bench *bench, const struct hd_bench_run *run, double load,
                      uint32_t flits, uint64_t cycles, struct hd_bench_figure *figure,
                      struct hd_error *err);

/** Measures a sweep of HD_BENCH_SEEDS runs on Verilator by this command, with a process for each
 *  run. `ranks`: MPI ranks; 1: one worker without MPI. `seconds` is wall time, from the start of
 *  the command to its end. Errors: HD_E_IO; HD_E_TOOL if mpirun is missing or fails. */
int hd_bench_sweep(double load, uint32_t flits, uint64_t cycles, uint32_t ranks,
                   struct hd_bench_figure *figure, struct hd_error *err);

/** Runs a program of tb/bench, which prints "switch-cycles seconds packets"; its seconds are
 *  processor time. Errors: HD_E_TOOL. */
int hd_bench_program(const char *path, double load, uint32_t flits, uint64_t cycles, uint64_t seed,
                     struct hd_bench_figure *figure, struct hd_error *err);

#endif
