/* A scenario: fabric, switch, routing, software, run, trace and budgets, read from a YAML file.
 * SPDX-License-Identifier: Apache-2.0
 *
 * `heddle scenario` and docs/scenario.md list every key, from the table of scenario_keys.c.
 * Every error names file, line and key, and tells what would be right.
 */
#ifndef HD_SCENARIO_H
#define HD_SCENARIO_H

#include "../../cmodel/fabric/fabric.h"
#include "../../sw/runtime/world.h"
#include "../host/suggest.h"
#include "../host/text.h"
#include "../lockstep/lockstep_mode.h"
#include "../watch/port_order.h"
#include "scenario_energy.h"

/** A link or a switch that fails (specification §5.9). */
struct hd_scenario_fault {
  bool after_barrier; /* `when` counts barriers; otherwise it is a cycle */
  bool whole_switch;
  uint64_t when;
  uint32_t sw, port; /* port of the link */
  uint32_t line;
};

/** Values of a scenario; members are named like their keys. Types, ranges, defaults and meanings
 *  are in the table of scenario_keys.c. */
struct hd_scenario {
  char *name;
  char *path; /* path of the file, or the name given to hd_scenario_parse */
  char *text; /* text of the file, for the run database */

  struct {
    enum hd_topology_kind topology;
    /* Parameters of the topology; `file` is as written in the scenario */
    struct hd_topology_shape shape;
    uint32_t link_cycles;
    /* Topology inside the only switch, which is a whole network (scenario_inside.h); NULL: the
     * switch is none */
    char *inside;
  } fabric;

  /* hd_scenario_build sets ports, nodes, switches (0: not given) and source_table. */
  struct hd_switch_params sw;

  struct {
    uint32_t idle_cycles;
  } barrier;

  struct {
    enum hd_routing_kind algorithm;
    uint32_t congestion; /* an index of HD_CONGESTION_LIST */
    uint32_t credit_cap;
    uint32_t bias;
    uint32_t virtual_networks;
    bool always_top;
    bool computed; /* switches have no tables (§12) */
    /* The scenario names no algorithm, so a graph file with tables is routed by them */
    bool is_default;
    bool deadlock_check;
  } routing;

  struct {
    const struct hd_program *program; /* NULL: in `object`, which hd_scenario_load_program has
                                         not loaded yet */
    char *object;                     /* path of the shared object; NULL: the program is built
                                         into Heddle */
    struct hd_loaded_program *loaded; /* the loaded object; NULL: not loaded yet, or no object */
    uint64_t startup_cycles;
    uint32_t packet_bytes;
    struct hd_parameter *parameters;
    uint32_t n_parameters;
    uint32_t *parameter_lines; /* [n_parameters] */
    /* Record of calls of the program; NULL: none */
    struct hd_user_code *user_code;
  } software;

  uint64_t seed;

  struct {
    uint64_t cycles;
    uint32_t window_cycles;
    bool has_window; /* the scenario or hd_scenario_build has set window_cycles */
    uint32_t threads;
    enum hd_mode mode;
    enum hd_compare compare;
    uint64_t watchdog_cycles; /* 0: none */
    bool rules;               /* check the rules at ports (§6.7) */
    enum hd_port_order order;
    enum hd_port_routes routes;
    uint32_t held_cycles, used_cycles;
    uint64_t warmup_cycles;
    uint64_t measure_cycles; /* 0: to the run's end */
    char *dut;               /* NAME or NAME:options */
    bool dut_is_free;        /* the user has named no DUT: it is verilator, and lanes may replace
                                it */
  } run;

  struct {
    bool packets;
    bool hops;
    bool waves;
    uint32_t wave_cycles;
  } trace;

  struct {
    bool has_latency, has_blocked, has_barrier;
    uint64_t latency_cycles;
    uint64_t blocked_flit_cycles;
    uint64_t barrier_cycles;
  } budgets;

  struct {
    bool has[HD_ENERGY_EVENTS];
    uint64_t femtojoules[HD_ENERGY_EVENTS];
  } energy;

  struct hd_scenario_fault *faults; /* [n_faults] */
  uint32_t n_faults;

  uint32_t *lines; /* lines of the keys, for hd_scenario_line */
};

/** Reads a scenario. HD_E_INPUT, HD_E_IO. The caller frees *scenario by hd_scenario_fini, after
 *  failures too. */
int hd_scenario_read(struct hd_scenario *scenario, const char *path, struct hd_error *err);

/** Reads a scenario from a text. `path` names it in errors, and relative paths of files start
 *  there. */
int hd_scenario_parse(struct hd_scenario *scenario, const char *text, size_t length,
                      const char *path, struct hd_error *err);
void hd_scenario_fini(struct hd_scenario *scenario);

/** Sets run.dut. "auto" sets verilator, which lanes may replace. */
void hd_scenario_set_dut(struct hd_scenario *scenario, const char *dut);

struct hd_text;

/** Calls `visit` for each file that a scenario names: its graph, its program, its parameter
 *  `file`, with its key and its path relative to the working directory. Stops at the first
 *  status that is not 0 and returns that. */
typedef int hd_scenario_file_fn(void *context, const char *key, const char *path,
                                struct hd_error *err);
int hd_scenario_each_file(const struct hd_scenario *scenario, hd_scenario_file_fn *visit,
                          void *context, struct hd_error *err);

/** Adds ", KEY HASH" for each of these files to a line that names everything on which results
 *  depend. It does so, too, for files that a --dut names ("mine.so:options",
 *  "bitstream:top.asc"; NULL: the scenario's). Leaves out files that cannot be read: the run
 *  reports them. */
void hd_scenario_identify(const struct hd_scenario *scenario, const char *dut,
                          struct hd_text *identity);
/** Adds the hash of a file that a key's value names, relative to the scenario; adds nothing if
 *  the value names no file. */
void hd_scenario_identify_file(const char *scenario_path, const char *name,
                               struct hd_text *identity);

/** Returns the line of a key; if the text does not have it, that of the nearest section around
 *  it. */
uint32_t hd_scenario_line(const struct hd_scenario *scenario, const char *path);

/** Adds a network, such as "omega:k=2,n=3", as lines `fabric:` of a scenario. False: there is no
 *  topology of that name, and nothing is added. */
bool hd_scenario_add_network(const char *network, struct hd_text *text);

/** Builds the topology and tables of a scenario, completes and checks scenario->sw, and checks
 *  the deadlock rule. The caller frees both by their own fini; after failures they are zeroed.
 *  `tables` NULL: builds no tables and does not check the rule. */
int hd_scenario_build(struct hd_scenario *scenario, struct hd_topology *topology,
                      struct hd_tables *tables, struct hd_error *err);

/** Builds only the topology; no routing needs to suit it. HD_E_INPUT, HD_E_IO; then it is
 *  zeroed. */
int hd_scenario_topology(const struct hd_scenario *scenario, struct hd_topology *topology,
                         struct hd_error *err);

/** Returns the parameters of the fabric. hd_scenario_build must have completed the scenario. */
struct hd_fabric_params hd_scenario_fabric(const struct hd_scenario *scenario);

/** Loads the program if software.program is a shared object, and then checks its parameters;
 *  otherwise does nothing. This runs code of the object, so call it only to carry the scenario
 *  out. `path` replaces the scenario's; NULL: it does not. HD_E_INPUT. */
int hd_scenario_load_program(struct hd_scenario *scenario, const char *path, struct hd_error *err);
/** Loads the program again if it is a shared object. Call it before each further run of the
 * scenario, because global variables keep their values from the run before. HD_E_INPUT; the
 * message has no line of the scenario. */
int hd_scenario_reload_program(struct hd_scenario *scenario, struct hd_error *err);

struct hd_loaded_program;
/** Loads a shared object with its own global variables, even if this process has loaded it
 * already. hd_program_unload frees *loaded, after failures too; *program belongs to the object.
 * `user_code` may be NULL, and must outlive both. HD_E_INPUT, HD_E_IO. */
int hd_program_load(struct hd_loaded_program **loaded, const struct hd_program **program,
                    const char *path, struct hd_user_code *user_code, struct hd_error *err);
void hd_program_unload(struct hd_loaded_program *loaded);

/** Tests whether the program has a parameter of that name. */
bool hd_scenario_program_has(const struct hd_program *program, const char *key);
/** Suggests the program's parameter whose name is nearest to `key`, if there is one. */
struct hd_suggestion hd_scenario_suggest_parameter(const struct hd_program *program,
                                                   const char *key);

/** Fills in the parameters of a world that runs the scenario's software on `nodes` nodes, all
 *  but `send`. They borrow from the scenario. */
void hd_scenario_world(const struct hd_scenario *scenario, uint32_t nodes,
                       struct hd_world_params *params);

/** Refuses values with which the program cannot run on this number of nodes (hd_world_check);
 *  the message names key and line. Sends nothing. If the program reads a pipe, the run itself
 *  must do the check. HD_E_INPUT. */
int hd_scenario_check(const struct hd_scenario *scenario, uint32_t nodes, struct hd_error *err);

#endif
