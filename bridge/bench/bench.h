/* Measurements of heddle bench, one run at a time.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BENCH_H
#define HD_BENCH_H

#include "../backends/backend.h"
#include "../lockstep/lockstep.h"

enum { HD_BENCH_SEEDS = 8 }; /* most runs side by side */

/** The benchmark's fabric: 8×8 mesh, dimension order, 16-bit data, fastest timing. */
struct hd_bench {
  struct hd_topology topology;
  struct hd_tables tables;
  struct hd_fabric_params fabric;
  struct hd_backend verilator, lanes;
  struct hd_backend wide_lanes; /* with a lane for each switch of HD_BENCH_SEEDS runs */
  uint64_t seed;
};

/** Opens as many backends of verilator, lanes, and lanes of a wide word. */
int hd_bench_open(struct hd_bench *bench, uint32_t vcs, uint32_t depth_flits, unsigned duts,
                  struct hd_error *err);
void hd_bench_close(struct hd_bench *bench);

/** One measurement. */
struct hd_bench_figure {
  uint64_t switch_cycles;
  double seconds; /* processor time of this process; other work on the machine does not count */
  double wall_seconds;
  uint64_t packets;        /* received */
  double accepted;         /* flits received a node and cycle, first third left out */
  double evaluated;        /* share of switch-cycles that the DUT evaluated */
  size_t bytes_per_switch; /* memory of the model */
};

/** The model alone: `load` flits a node and cycle, uniform, packets of `flits`. */
int hd_bench_model(const struct hd_bench *bench, double load, uint32_t flits, uint64_t cycles,
                   struct hd_bench_figure *figure, struct hd_error *err);

/** A run with a backend: decoupled with full comparison, or in closed loop by packets. */
struct hd_bench_run {
  const struct hd_backend *backend;
  bool closed, rules; /* rules: those at ports are watched */
  uint32_t threads,
      seeds; /* above 1, for lanes alone: number of seeds that run side by side in one DUT */
};

/** One run or several; endpoint software `uniform` on every node. */
int hd_bench_lockstep(const struct hd_bench *bench, const struct hd_bench_run *run, double load,
                      uint32_t flits, uint64_t cycles, struct hd_bench_figure *figure,
                      struct hd_error *err);

/** A sweep of HD_BENCH_SEEDS runs on Verilator, a process each, by this command: `ranks` of mpirun, or with 1 one
 *  worker without MPI. The seconds are those on the wall, from the start of the command to its end. HD_E_TOOL: there is
 *  no mpirun, or it refused. */
int hd_bench_sweep(double load, uint32_t flits, uint64_t cycles, uint32_t ranks,
                   struct hd_bench_figure *figure, struct hd_error *err);

/** A program of tb/bench that prints "switch-cycles seconds packets", the seconds of its processor. */
int hd_bench_program(const char *path, double load, uint32_t flits, uint64_t cycles, uint64_t seed,
                     struct hd_bench_figure *figure, struct hd_error *err);

#endif
