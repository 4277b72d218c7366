/* A scenario: fabric, switch, routing, software, run, trace, budgets; from one YAML file.
 * SPDX-License-Identifier: Apache-2.0
 *
 * `heddle scenario` and docs/scenario.md list every key, from the table of scenario_keys.c. Every
 * error names file, line and key and says what would be right.
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
  bool after_barrier; /* `when` counts barriers, otherwise it is a cycle */
  bool whole_switch;
  uint64_t when;
  uint32_t sw, port; /* port of the link */
  uint32_t line;
};

/** Values by the names of their keys; types, ranges, defaults and meanings are in the table of
 *  scenario_keys.c. */
struct hd_scenario {
  char *name;
  char *path; /* path of the file, or the name given to hd_scenario_parse */
  char *text; /* text of the file, for the run database */

  struct {
    enum hd_topology_kind topology;
    struct hd_topology_shape
        shape; /* what the topology is built from; file is as in the scenario */
    uint32_t link_cycles;
    char *
        inside; /* of the one switch, which is a whole network (scenario_inside.h); NULL: it is none */
  } fabric;

  /* ports, nodes, switches (0: not given) and source_table are settled by hd_scenario_build. */
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
    bool
        is_default; /* the scenario names no algorithm: a graph file with tables is routed by them */
    bool deadlock_check;
  } routing;

  struct {
    const struct hd_program *program; /* NULL: of `object`, before hd_scenario_load_program */
    char *object;                     /* path of the shared object; NULL: a program of the list */
    struct hd_loaded_program *loaded; /* the loaded object; NULL: not loaded yet, or no object */
    uint64_t startup_cycles;
    uint32_t packet_bytes;
    struct hd_parameter *parameters;
    uint32_t n_parameters;
    uint32_t *parameter_lines; /* [n_parameters] */
    struct hd_user_code
        *user_code; /* where code of the program that runs is noted; NULL: nowhere */
  } software;

  uint64_t seed;

  struct {
    uint64_t cycles;
    uint32_t window_cycles;
    bool has_window; /* the scenario sets it, or hd_scenario_build does */
    uint32_t threads;
    enum hd_mode mode;
    enum hd_compare compare;
    uint64_t watchdog_cycles; /* 0: none */
    bool rules;               /* at ports (§6.7) */
    enum hd_port_order order;
    enum hd_port_routes routes;
    uint32_t held_cycles, used_cycles;
    uint64_t warmup_cycles;
    uint64_t measure_cycles; /* 0: to the run's end */
    char *dut;               /* NAME or NAME:options */
    bool dut_is_free;        /* the user named no DUT: it is verilator, and lanes may replace it */
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

  uint32_t *lines; /* lines of the table's keys, for hd_scenario_line */
};

/** Reads a scenario. 0, HD_E_INPUT, HD_E_IO. The caller owns what *scenario
 *  holds and frees it by hd_scenario_fini, after failures too. */
int hd_scenario_read(struct hd_scenario *scenario, const char *path, struct hd_error *err);

/** Reads a scenario from a text; `path` names it in errors and is where relative files are looked for. */
int hd_scenario_parse(struct hd_scenario *scenario, const char *text, size_t length,
                      const char *path, struct hd_error *err);
void hd_scenario_fini(struct hd_scenario *scenario);

/** Sets run.dut; "auto" is verilator, and leaves it free. */
void hd_scenario_set_dut(struct hd_scenario *scenario, const char *dut);

struct hd_text;

/** Visits the files that a scenario names: its graph, its program, its parameter `file`, each with its key and
 *  its path as seen from here. Ends with the first status that is not 0. */
typedef int hd_scenario_file_fn(void *context, const char *key, const char *path,
                                struct hd_error *err);
int hd_scenario_each_file(const struct hd_scenario *scenario, hd_scenario_file_fn *visit,
                          void *context, struct hd_error *err);

/** Adds ", KEY HASH" for each of these files, and for those that a --dut names ("mine.so:options", "bitstream:top.asc";
 *  NULL: the scenario's), to a line that says on what results depend. Files that cannot be read are left out: the run
 *  reports them. */
void hd_scenario_identify(const struct hd_scenario *scenario, const char *dut,
                          struct hd_text *identity);
/** Adds the hash of a file that a key's value names, looked for beside the scenario; nothing where it names none. */
void hd_scenario_identify_file(const char *scenario_path, const char *name,
                               struct hd_text *identity);

/** Line of a key of the table, or of the first of those around it that is in the text. */
uint32_t hd_scenario_line(const struct hd_scenario *scenario, const char *path);

/** Adds a network, "omega:k=2,n=3", as the lines `fabric:` of a scenario. False, and nothing is added: no topology
 *  is called so. */
bool hd_scenario_add_network(const char *network, struct hd_text *text);

/** Builds topology and tables of a scenario, completes and checks scenario->sw, and checks the deadlock rule.
 *  The caller frees topology and tables by their own fini; after failures both are zeroed. `tables` NULL: no tables are
 *  wanted, and the rule is not checked. */
int hd_scenario_build(struct hd_scenario *scenario, struct hd_topology *topology,
                      struct hd_tables *tables, struct hd_error *err);

/** Builds the topology alone: no routing has to suit it. HD_E_INPUT, HD_E_IO; then it is zeroed. */
int hd_scenario_topology(const struct hd_scenario *scenario, struct hd_topology *topology,
                         struct hd_error *err);

/** Parameters of the fabric of a scenario that hd_scenario_build has completed. */
struct hd_fabric_params hd_scenario_fabric(const struct hd_scenario *scenario);

/** Loads the program of a scenario whose software.program is a shared object; of others does nothing.
 *  Its code runs: only for those who want to carry the scenario out. Then its parameters are checked.
 *  `path` replaces the scenario's; NULL: as it is. HD_E_INPUT. */
int hd_scenario_load_program(struct hd_scenario *scenario, const char *path, struct hd_error *err);
/** Loads the program again if it is a shared object. Call it before each further run of the
 * scenario, because global variables keep their values from the run before. Errors as above;
 * hd_error has no line of the scenario. */
int hd_scenario_reload_program(struct hd_scenario *scenario, struct hd_error *err);

struct hd_loaded_program;
/** Loads a shared object with its own global variables, even if this process has loaded it already.
 * *loaded is for hd_program_unload, after failures too; *program is the object's. `user_code` may
 * be NULL, and outlives both. HD_E_INPUT, HD_E_IO. */
int hd_program_load(struct hd_loaded_program **loaded, const struct hd_program **program,
                    const char *path, struct hd_user_code *user_code, struct hd_error *err);
void hd_program_unload(struct hd_loaded_program *loaded);

/** The program has a parameter of that name. */
bool hd_scenario_program_has(const struct hd_program *program, const char *key);
/** Suggests the program's parameter whose name is nearest to `key`, if there is one. */
struct hd_suggestion hd_scenario_suggest_parameter(const struct hd_program *program,
                                                   const char *key);

/** Fills in the parameters of the world with the scenario's software on `nodes` nodes, without `send`. They
 *  borrow from the scenario. */
void hd_scenario_world(const struct hd_scenario *scenario, uint32_t nodes,
                       struct hd_world_params *params);

/** Refuses values with which the program cannot run on this number of nodes; the message names key and line
 *  (hd_world_check). Nothing is sent. If the program reads a pipe, only its checks during the run apply.
 *  HD_E_INPUT. */
int hd_scenario_check(const struct hd_scenario *scenario, uint32_t nodes, struct hd_error *err);

#endif
