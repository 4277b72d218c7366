/* A scenario: fabric, switch, routing, software, run, trace, budgets; from one YAML file.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/scenario.md lists every key. Loaded by libcyaml; what its schema cannot say (ranges,
 * keys that need each other) is checked here. Every error names file, line and
 * key and says what would be right.
 */
#ifndef HD_SCENARIO_H
#define HD_SCENARIO_H

#include "../../cmodel/fabric/fabric.h"
#include "../../sw/runtime/world.h"
#include "../lockstep/lockstep_mode.h"

/** A link or a switch that fails (specification §5.9). */
struct hd_scenario_fault {
  bool after_barrier; /* `when` counts barriers, otherwise it is a cycle */
  bool whole_switch;
  uint64_t when;
  uint32_t sw, port; /* port of the link */
  uint32_t line;
};

struct hd_scenario {
  char *name;
  char *path; /* of the file, or the name given to hd_scenario_parse */
  char *text; /* the file as it was read, for the run database */

  struct {
    enum hd_topology_kind topology;
    struct hd_topology_shape
        shape; /* its keys stand beside topology; file is relative to the scenario */
    uint32_t link_cycles;
  } fabric;

  struct hd_switch_params sw; /* switch: vcs 2, data_bits 16, depth_flits 4, route_cycles 1,
                                 arb_cycles 1, buffer_cycles 0, cut_flits 0, barrier none, groups 8;
                                 ports, nodes, switches and source_table are settled by
                                 hd_scenario_build; the first three may be given, when larger */
  struct {
    uint32_t idle_cycles; /* idle_cycles: 16; register IDLE (§8.6) */
  } barrier;

  struct {
    enum hd_routing_kind
        algorithm;       /* algorithm: dimension-order | s-mod-k | d-mod-k | up-down | shortest */
    bool always_top;     /* always_top: false */
    bool deadlock_check; /* deadlock_check: true */
  } routing;

  struct {
    const struct hd_program *program; /* program: uniform */
    uint64_t startup_cycles;          /* startup_cycles: 0 */
    uint32_t packet_bytes;            /* packet_bytes: 256 */
    struct hd_parameter *parameters;  /* parameters: {load: 0.1} */
    uint32_t n_parameters;
    uint32_t *parameter_lines; /* [n_parameters] */
  } software;

  uint64_t seed; /* seed: 1 */

  struct {
    uint64_t cycles;          /* cycles: 100000; the run ends here at the latest */
    uint32_t window_cycles;   /* window_cycles: 256; 1 … 4096 */
    uint32_t threads;         /* threads: 1; 1 … 64 */
    enum hd_mode mode;        /* mode: decoupled | closed */
    enum hd_compare compare;  /* compare: exact | order | packets (the last two: closed) */
    uint64_t watchdog_cycles; /* watchdog_cycles: 10000; 0: none */
    uint64_t warmup_cycles; /* warmup_cycles: 0; packets created before are not in the statistics */
    char *dut;              /* dut: verilator; NAME or NAME:options */
  } run;

  struct {
    bool packets;         /* packets: true */
    bool hops;            /* hops: false */
    bool waves;           /* waves: true; at a divergence */
    uint32_t wave_cycles; /* wave_cycles: 64; before and behind the divergence */
  } trace;

  struct {
    bool has_latency, has_blocked, has_barrier;
    uint64_t latency_cycles;      /* latency_cycles: 40; largest latency */
    uint64_t blocked_flit_cycles; /* blocked_flit_cycles: 0 */
    uint64_t barrier_cycles;      /* barrier_cycles: 200; longest barrier after a group's first */
  } budgets;

  struct hd_scenario_fault *faults; /* [n_faults], faults: [{cycle: 5000, link: "s3:1"}] */
  uint32_t n_faults;

  struct {
    /* for the messages of hd_scenario_build and hd_scenario_check */
    uint32_t shape, ports, nodes, switches, width, barrier, routing, program, packet_bytes,
        cut_flits;
  } lines;
};

/** Reads a scenario. 0, HD_E_INPUT, HD_E_IO, HD_E_NOMEM. The caller owns what *scenario
 *  holds and frees it by hd_scenario_fini, after failures too. */
int hd_scenario_read(struct hd_scenario *scenario, const char *path, struct hd_error *err);

/** The same from text; `path` names it in errors and is where relative files are looked for. */
int hd_scenario_parse(struct hd_scenario *scenario, const char *text, size_t length,
                      const char *path, struct hd_error *err);
void hd_scenario_fini(struct hd_scenario *scenario);

/** Builds topology and tables of a scenario, settles and checks scenario->sw, and carries out
 *  the deadlock rule. The caller frees both by their own fini; after failures both are zeroed. */
int hd_scenario_build(struct hd_scenario *scenario, struct hd_topology *topology,
                      struct hd_tables *tables, struct hd_error *err);

/** What `nodes` nodes of the scenario's software are made of; without `send`. Borrows from it. */
void hd_scenario_world(const struct hd_scenario *scenario, uint32_t nodes,
                       struct hd_world_params *params);

/** Refuses values that the program cannot do with so many nodes, by key and line (hd_world_check).
 *  Nothing is sent. Where the program reads a pipe, its own checks in the run must do. HD_E_INPUT,
 *  HD_E_NOMEM. */
int hd_scenario_check(const struct hd_scenario *scenario, uint32_t nodes, struct hd_error *err);

#endif
