/* Soak: random scenarios, carried out on RTL and model, shrunk when they fail.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reading order: switch_sets.c (parameter sets), draw.c, computed_draw.c, graph.c, topology_draw.c, faults.c and coverage_goals.c
 * (a scenario), scenario_yaml.c (its text), run_scenario.c (one run of it), backends.c (the RTL), plan.c (many of them), shrink.c,
 * shrink_file.c, coverage.c and spec_points.c (what was covered), outcome.c (results on their way); tests/soak/soak.c (main).
 *
 * Scenario i of seed s is a function of (s, i, parameter sets) alone.
 */
#ifndef HD_SOAK_H
#define HD_SOAK_H

#include "../../backends/backend.h"
#include "../../campaign/campaign.h"
#include "../../coverage/coverage_set.h"
#include "../../scenario/scenario.h"
#include "../../../sw/runtime/random.h"

#include <stdio.h>

enum {
  SOAK_AIM_EVERY = 2,
  SOAK_MAX_SWITCHES = 48,
  SOAK_MAX_NODES = 64,
  SOAK_MAX_LINKS = SOAK_MAX_SWITCHES * HD_MAX_PORTS / 2,
  SOAK_MAX_SETS = 64,
  SOAK_PAIR_SETS = 4 * HD_BARRIER_KINDS,
  SOAK_LARGE_SETS = 3,                     /* beside them, for large scenarios */
  SOAK_CODER_SETS = 2,                     /* after the large sets: switches with an XOR coder */
  SOAK_COMPUTED_SETS = HD_ROUTE_KINDS - 1, /* after the coder sets: switches that compute routes */
  SOAK_MULTICAST_SETS = 2,                 /* after the computed sets: switches with multicast */
  SOAK_OTHER_SETS = SOAK_LARGE_SETS + SOAK_CODER_SETS + SOAK_COMPUTED_SETS + SOAK_MULTICAST_SETS,
  SOAK_SPECIAL_EVERY = 16, /* scenario of network coding, of computed routes, and of multicast */
  SOAK_MOST_WIDE = 260,    /* nodes and switches of a wide fabric */
  SOAK_LEAST_WIDE = 128,
  SOAK_MOST_LONG = 9, /* nodes of a fabric that runs long */
  SOAK_MAX_FAULTS = 12,
  SOAK_PATH = 512,
  SOAK_LEAST_FLITS = 50, /* fewer flits compared: the scenario counts as quiet, not as passed */
};

/* ── random numbers ────────────────────────────────────────────────────────── */

/** Uniform in low … high. */
static inline uint32_t soak_between(struct hd_random *r, uint32_t low, uint32_t high)
{
  return low + (uint32_t)(((hd_random_next(r) >> 32) * ((uint64_t)high - low + 1)) >> 32);
}
/** True with probability percent / 100. */
static inline bool soak_chance(struct hd_random *r, uint32_t percent)
{
  return soak_between(r, 0, 99) < percent;
}
/** low … high, every octave alike: small numbers as likely as large ones. */
uint32_t hd_soak_octaves(struct hd_random *r, uint32_t low, uint32_t high);

/* ── a scenario ────────────────────────────────────────────────────────────── */

struct soak_graph {
  uint32_t n_switches, n_nodes, n_links;
  struct {
    uint16_t a, b;
    uint8_t a_port, b_port;
    uint8_t cycles; /* 0: as others */
  } links[SOAK_MAX_LINKS];
  struct {
    uint16_t sw;
    uint8_t port;
  } nodes[SOAK_MAX_NODES];
};

enum soak_program {
  SOAK_UNIFORM,
  SOAK_HOTSPOT,
  SOAK_TRANSPOSE,
  SOAK_BIT_COMPLEMENT,
  SOAK_TORNADO,
  SOAK_NEIGHBOUR,
  SOAK_SHUFFLE,
  SOAK_REPLAY,
  SOAK_BROADCAST,
  SOAK_PINGPONG,
  SOAK_BARRIER,
  SOAK_COLLECTIVE,
  SOAK_CODING,
  SOAK_MULTICAST,
  SOAK_PROGRAMS
};
/** Injects data at a load; barrier does so between its rounds. */
static inline bool soak_has_load(enum soak_program program)
{
  return program < SOAK_SHUFFLE || program == SOAK_BARRIER;
}
/** The program's name in scenarios. */
const char *hd_soak_program_name(enum soak_program program);

/** The links that a fault of a link is drawn from. */
enum soak_links { SOAK_ALL_LINKS, SOAK_INNER_LINKS, SOAK_OUTER_LINKS };

struct soak_fault {
  uint32_t pick; /* among the fabric's links or switches */
  uint32_t when; /* cycle, or rounds */
  bool whole_switch, after_barrier;
  enum soak_links links;
};

/** Large scenarios are rare: they find what needs large numbers, or time. */
enum soak_size {
  SOAK_ORDINARY,
  SOAK_WIDE, /* hundreds of nodes or switches */
  SOAK_LONG  /* tens of thousands of cycles */
};

/** Parameters of program coding, besides `sources` and `flits`. */
struct soak_coding {
  uint32_t scheme, multicast;  /* hd_coding_scheme, hd_coding_multicast */
  uint32_t group[3], inner[3]; /* sides; inner[0] 0: no groups inside of groups */
  uint32_t most_flits, xor_cycles, restore_cycles;
  bool software_encodes, software_decodes, sequential;
};

struct soak_case {
  uint32_t index, set;
  enum soak_size size;
  struct hd_switch_params sw; /* all of it is written; source_table follows from the routing */
  enum hd_topology_kind topology;
  uint32_t dims[3], n_dims, k, n; /* meshes, trees; irregular: n switches of degree k */
  uint32_t graph_seed;            /* irregular */
  struct soak_graph graph;        /* graphs */
  struct hd_topology_shape shape; /* of the topologies that topology_draw.c draws */
  uint32_t shape_ports;           /* ports that a switch of the shape needs */
  uint32_t n_switches, n_nodes;   /* of the topology */
  uint32_t link_cycles;
  enum hd_routing_kind algorithm;
  bool always_top;
  uint32_t credit_cap; /* on free credits, by which packets choose; 0: no cap */
  uint32_t bias;       /* where they decide between two ways */
  uint32_t networks;   /* virtual networks that share the channels of packets; at least 1 */
  enum soak_program program;
  double load;                           /* open loop, barrier */
  uint32_t flits, traffic_cycles;        /* open loop; barrier: flits */
  uint32_t columns;                      /* tornado, neighbour, transpose */
  uint32_t hot_node, hot_percent;        /* hotspot */
  uint32_t sources, destinations, first; /* shuffle; pingpong: first and destinations */
  uint32_t bytes, rounds;                /* messages; barrier: rounds */
  uint32_t groups, members;              /* barrier: groups, members of each */
  bool crowded;                          /* there are more groups than a status table has entries */
  uint32_t center;                       /* barrier: 0 lowest, 1 middle, 2 the node `first` */
  uint32_t compute, start;               /* barrier */
  uint32_t congested, congestion;        /* barrier: members behind held interfaces; cycles */
  uint32_t idle_cycles;                  /* of switches with barrier messages */
  uint32_t n_rows;                       /* replay */
  uint32_t startup_cycles, packet_bytes;
  struct soak_coding coding;
  uint64_t seed;
  uint32_t cycles, window_cycles, threads;
  enum hd_mode mode;
  enum hd_compare compare; /* order or packets: the case also runs once more by heddle run */
  struct soak_fault faults[SOAK_MAX_FAULTS];
  uint32_t n_faults;
};

/** Switch parameter sets of a seed from number `first` on, of at most `channels` (≥ 6) ports ×
 *  virtual channels. Those from 8 on have barrier hardware. */
void hd_soak_sets(struct hd_switch_params *sets, uint32_t first, uint32_t n_sets, uint64_t seed,
                  uint32_t channels);

/** The SOAK_PAIR_SETS parameter sets of hd_soak_draw_pair: for each way of barrier messages onto a link, and none, one
 *  with tables by node, one that routes adaptively, one with tables by source. */
void hd_soak_pair_sets(struct hd_switch_params *sets, uint64_t seed);

/** The SOAK_LARGE_SETS parameter sets of large scenarios: 16 ports and source tables; barrier hardware
 *  with the largest tables; the smallest switch that makes a mesh. */
void hd_soak_large_sets(struct hd_switch_params *sets, uint64_t seed);

/** The SOAK_COMPUTED_SETS parameter sets of switches that compute routes (§12), one for each kind. */
void hd_soak_computed_sets(struct hd_switch_params *sets, uint64_t seed);
/** Behind `first` sets the SOAK_OTHER_SETS sets of large scenarios, of coders, of computed routes and of multicast. */
void hd_soak_other_sets(struct hd_switch_params *first, uint64_t seed);
/** "torus" of HD_ROUTE_BY_TORUS. */
const char *hd_soak_route_name(uint32_t route);

/** Slots that the way of barrier messages onto a link takes (§7.1). */
uint32_t hd_soak_least_depth(const struct hd_switch_params *params);

/** Scenario `index` over one of `n_sets` sets; where `large` is not 0, every large-th is a large one,
 *  over one of the SOAK_LARGE_SETS sets after them. */
void hd_soak_draw(struct soak_case *c, const struct hd_switch_params *sets, uint32_t n_sets,
                  uint32_t large, uint64_t seed, uint32_t index);
/** Scenario `index` of network coding, over one of the SOAK_CODER_SETS sets behind the large ones. */
void hd_soak_draw_coding(struct soak_case *c, const struct hd_switch_params *sets, uint32_t n_sets,
                         uint64_t seed, uint32_t index);
/** Scenario `index` over those of the sets that compute routes and make a fabric; false: none of them does. */
bool hd_soak_draw_computed(struct soak_case *c, const struct hd_switch_params *sets,
                           uint32_t n_sets, uint64_t seed, uint32_t index);
/** Scenario `index` over one of the SOAK_MULTICAST_SETS sets, c->set among them. */
void hd_soak_draw_multicast(struct soak_case *c, const struct hd_switch_params *sets, uint64_t seed,
                            uint32_t index);
/** Is the scenario of that number one of computed routes? */
static inline bool soak_computes(uint32_t index)
{
  return index % SOAK_SPECIAL_EVERY == SOAK_SPECIAL_EVERY / 4;
}
/** Where switches compute routes, makes them those of the fabric; false: it cannot have such switches. */
bool hd_soak_computed_settle(struct soak_case *c);
/** The recipe that the scenario of that number follows (coverage_goals.c); NULL: it follows none. */
struct soak_recipe;
const struct soak_recipe *hd_soak_recipe_of(uint32_t index);
/** One of the sets that the recipe is for; `drawn` where none is. */
uint32_t hd_soak_recipe_set(const struct soak_recipe *recipe, const struct hd_switch_params *sets,
                            uint32_t n_sets, uint32_t drawn, struct hd_random *r);
/** Is the drawn fabric one of those? */
bool hd_soak_recipe_fits(const struct soak_recipe *recipe, const struct soak_case *c);
/** Draws traffic and faults anew where switch and fabric are what the recipe is for. */
void hd_soak_recipe_follow(const struct soak_recipe *recipe, struct soak_case *c,
                           struct hd_random *r);

/** Run, traffic and faults of a scenario that has switch and fabric; recipe: NULL, or the one that it follows. */
void hd_soak_draw_on_fabric(struct soak_case *c, struct hd_random *r,
                            const struct soak_recipe *recipe);

/** Scenario `index` of those that go over all pairs of a topology and a routing that fits it with each kind of
 *  barrier hardware, over the sets that have it. */
void hd_soak_draw_pair(struct soak_case *c, const struct hd_switch_params *sets, uint32_t n_sets,
                       uint32_t large, uint64_t seed, uint32_t index);
/** How many of them there are, and are these one of them? One-way networks have no barrier hardware. */
uint32_t hd_soak_pairs(void);
bool hd_soak_pair_exists(enum hd_topology_kind topology, enum hd_routing_kind routing,
                         enum hd_barrier barrier);

/** Channels of a port that one virtual network has, and those that are not for packets (§5.28). */
static inline uint32_t soak_network_vcs(const struct soak_case *c)
{
  const uint32_t reserved = hd_switch_reserved_vcs(&c->sw);
  return (c->sw.vcs - reserved) / c->networks + reserved;
}

/** Groups that multicast can have at once; 0: none, or a flit has no room for tree, sender and a byte. A header names no
 *  more trees than nodes (§13.2). */
static inline uint32_t soak_trees(const struct soak_case *c)
{
  const uint32_t bits = hd_log2_ceil(c->sw.nodes), most = 1u << bits;
  if (c->sw.data_bits < 2 + 2 * bits + 8)
    return 0;
  return c->sw.trees < most ? c->sw.trees : most;
}

/** Fills n_switches and n_nodes from the shape; graphs have them. 0 nodes: there is no such fabric. */
void hd_soak_settle(struct soak_case *c);

/* Topologies that are drawn by their keys (topology_draw.c). */
/** Is it one of them? Those before it in HD_TOPOLOGY_LIST have members of their own in soak_case. */
static inline bool soak_by_keys(enum hd_topology_kind kind)
{
  return kind > HD_TOPO_IRREGULAR;
}
/** A shape of the kind, not yet settled; small ones where `free` is to be free of deadlock. */
void hd_soak_shape_draw(struct soak_case *c, enum hd_topology_kind kind, bool free,
                        struct hd_random *r);
/** n_switches, n_nodes and shape_ports; 0 where there is no such fabric. */
void hd_soak_shape_settle(struct soak_case *c);
/** The shape of any fabric but a graph. */
void hd_soak_shape_whole(const struct soak_case *c, struct hd_topology_shape *shape);
/** Gives links latencies of their own, where the fabric has keys for them. */
void hd_soak_latencies_draw(struct soak_case *c, struct hd_random *r);
/** Do some have them? */
bool hd_soak_has_latencies(const struct soak_case *c);
/** Takes them away. */
void hd_soak_latencies_drop(struct soak_case *c);
/** The keys of the shape, as a scenario has them. */
void hd_soak_shape_write(const struct soak_case *c, FILE *f);
/** The i-th way to make it smaller; false: there are no more. *changed: this one does. */
bool hd_soak_shape_smaller(struct soak_case *c, uint32_t i, bool *changed);
/** Sides of a mesh or torus; *n gets their number. */
const uint32_t *hd_soak_sides(const struct soak_case *c, uint32_t *n);
/** Does the deadlock rule (§5.6) take the fabric with its routing? */
bool hd_soak_is_legal(const struct soak_case *c);
/** Makes the traffic fit the nodes that there are (after shrinking). */
void hd_soak_fit_traffic(struct soak_case *c);

/** Faults for a scenario that is drawn; appends them to its file; what kinds they are. */
void hd_soak_draw_faults(struct soak_case *c, struct hd_random *r);
int hd_soak_write_faults(const struct soak_case *c, const char *yaml, struct hd_error *err);
const char *hd_soak_fault_label(const struct soak_case *c);

/** A random connected graph of switches with at most `ports` ports and 2 … max_nodes nodes. */
void hd_soak_graph_draw(struct soak_graph *g, struct hd_random *r, uint32_t ports,
                        uint32_t max_switches, uint32_t max_nodes);
/** Ports a switch must have. */
uint32_t hd_soak_graph_ports(const struct soak_graph *g);
/** Take something out; false: then it would be no connected graph of two nodes. */
bool hd_soak_graph_drop_link(struct soak_graph *g, uint32_t link);
bool hd_soak_graph_drop_node(struct soak_graph *g, uint32_t node);
bool hd_soak_graph_drop_switch(struct soak_graph *g,
                               uint32_t sw); /* with all its links and nodes */
/** Gives every switch its lowest ports, in order. */
void hd_soak_graph_pack_ports(struct soak_graph *g);

/** Writes DIRECTORY/NAME.yaml and what it refers to (NAME.net.csv, NAME.trace.csv); yaml[] gets
 *  the path. 0 or HD_E_IO. */
int hd_soak_write(const struct soak_case *c, const char *directory, const char *name,
                  char yaml[SOAK_PATH], struct hd_error *err);
/** A graph file of links, and of tables for them: up-and-down, or, in switches that choose, all shortest ways and a tree. */
void hd_soak_write_tables(const struct soak_case *c, const char *links, size_t length, FILE *f);
/** The graph file alone. */
void hd_soak_write_graph(const struct soak_case *c, FILE *f);
void hd_soak_unlink(const char *directory, const char *name);

/* ── carrying it out ───────────────────────────────────────────────────────── */

enum soak_outcome {
  SOAK_AGREED,
  SOAK_REFUSED,  /* the deadlock rule refuses the routing, the program so many congested members */
  SOAK_DIVERGED, /* RTL and model differ */
  SOAK_DIGEST,   /* they agree, but runs of one scenario differ among themselves */
  SOAK_DAMAGED,  /* they agree, but a packet was lost or damaged, or a switch recorded an error */
  SOAK_RULE,     /* they agree, but break a rule of the tree protocol (§8.13) */
  SOAK_STUCK,    /* deadlock or livelock */
  SOAK_BROKEN,   /* the scenario could not be carried out */
  SOAK_CRASHED,  /* the process died */
  SOAK_HUNG,     /* the process did not end */
  SOAK_STOPPED,  /* Ctrl-C */
  SOAK_OUTCOMES
};
const char *hd_soak_outcome_name(enum soak_outcome outcome);

struct soak_result {
  enum soak_outcome outcome;
  int status;                                               /* of the library */
  uint32_t runs;                                            /* that were compared */
  uint64_t cycles, switch_cycles, evaluated_cycles, events; /* of all runs together */
  uint64_t flits, flits_in_order;       /* output flits compared: all runs; the first run */
  uint64_t blocked, packets, delivered; /* of the first run */
  uint64_t barriers;                    /* answers to members in the first run */
  uint64_t made;                        /* packets that coders made in the first run */
  uint64_t of_others; /* packets of virtual networks other than 0 in the first run */
  uint64_t ruled_messages, ruled_rounds; /* for which rules T1 to T9 (§8.13) hold: all runs */
  uint64_t port_flits, port_credits,
      port_heads;           /* for which rules P1 to P16 (§6.7) hold: all runs */
  uint32_t struck, cut_off; /* faults, members of barrier groups: likewise */
  uint64_t digest;
  uint64_t divergence_cycle;
  struct hd_coverage_set coverage; /* of the specification, by the first run */
  char message[800];
};

/** Settings that all runs of a soak share. */
struct soak_common {
  const char *rtl_dir, *cache_dir;
  const char *against;   /* with by_command, as hd_run_options; NULL: the reference is the model */
  const char *directory; /* for files */
  const char *dut;       /* the backend that RTL is built for; NULL: verilator */
  const char *dut_options;     /* NULL: those that `dut` has after its colon */
  bool by_command;             /* runs by `heddle run` only: there is no model for this RTL */
  struct soak_opened **opened; /* list of backends that are open, at first empty */
  void *context;
  bool (*stop)(void *context);                  /* Ctrl-C was pressed; may be NULL */
  void (*say)(void *context, const char *line); /* how far shrinking is; may be NULL */
};

/** Runs a written scenario: once compared cycle by cycle; where `every_variant` is set in all
 *  windows, modes, thread counts and on the model backend, too; and where it says order or packets,
 *  as the library behind `heddle run` does it. `ops` is the RTL. */
void hd_soak_run_scenario(const char *yaml, const struct hd_dut_ops *ops, bool every_variant,
                          const struct soak_common *common, struct soak_result *result);

/** The RTL of a parameter set, built when it is new. Kept until soak_backends_close. HD_E_TOOL: it does not
 *  build; HD_E_IO, HD_E_INTERRUPTED: that cannot be told. */
int hd_soak_backend(const struct soak_common *common, const struct hd_switch_params *params,
                    const struct hd_dut_ops **ops, struct hd_error *err);
/** The open backend of such an RTL; NULL: there is none. */
const struct hd_backend *hd_soak_backend_of(const struct soak_common *common,
                                            const struct hd_dut_ops *ops);
void hd_soak_backends_close(const struct soak_common *common);

/** A result as values of an outcome, and back: one without them is of a process that died. */
void hd_soak_result_put(const struct soak_result *result, struct hd_task_outcome *outcome);
void hd_soak_result_get(struct soak_result *result, const struct hd_task_outcome *outcome);

bool hd_soak_stopped(const struct soak_common *common);

/** Runs a scenario in a process of its own: a crash and a hang are results, too. SOAK_STOPPED: Ctrl-C, or
 *  there is no such process. */
void hd_soak_try(const struct soak_case *c, bool every_variant, const struct soak_common *common,
                 struct soak_result *result);

/** Tries a scenario from a file likewise; `sw` is the switch that it needs. */
void hd_soak_try_file(const char *yaml, const struct hd_switch_params *sw,
                      const struct soak_common *common, struct soak_result *result);

/* ── a soak as a campaign ──────────────────────────────────────────────────── */

/** The first scenarios of a seed of which `count` count, or `most_failures` fail. All that follows from
 *  seed, sets, large, every and only is the caller's to put into the campaign's definition. */
struct soak_plan {
  const struct soak_common *common;
  struct hd_switch_params sets[SOAK_MAX_SETS + SOAK_OTHER_SETS]; /* the others after n_sets */
  uint32_t n_sets, large;
  bool pairs; /* hd_soak_draw_pair */
  uint64_t seed;
  uint32_t count, most_failures;
  uint32_t every; /* every N-th runs in every variant; 0: none */
  bool has_only;  /* scenario `only` alone, in every variant */
  uint32_t only;

  /* The plan's own; 0 at first. */
  uint32_t next_set, next, running, counted, failed;
  bool built[SOAK_MAX_SETS + SOAK_OTHER_SETS];
  char text[16];
};

/** Fills the campaign's plan, name, directory and patience; they borrow from `plan`. */
void hd_soak_plan_campaign(struct soak_plan *plan, struct hd_campaign *campaign);
/** Draws a scenario of the plan; true: it runs in every variant. */
bool hd_soak_plan_draw(const struct soak_plan *plan, uint32_t index, struct soak_case *c);
/** The first index of scenarios that the plan never draws. */
uint32_t hd_soak_plan_end(const struct soak_plan *plan);
/** Does it count, or is it refused or quiet? */
bool hd_soak_counts(const struct soak_result *result);
/** Hands over the results of the campaign in the order of scenarios: the same whatever the number of
 *  workers, unless it was interrupted. HD_E_IO, HD_E_INPUT. */
int hd_soak_plan_results(const struct soak_plan *plan,
                         void (*take)(void *context, const struct soak_case *c, bool every_variant,
                                      const struct soak_result *result),
                         void *context, struct hd_error *err);

/** Makes a failing scenario as small as it gets in `seconds`, and says how far it is. *result is
 *  what the small one came to. */
void hd_soak_shrink(struct soak_case *c, bool every_variant, double seconds,
                    const struct soak_common *common, struct soak_result *result);

struct soak_size_of {
  uint32_t switches, nodes;
  uint64_t cycles;
};
/** Size of the scenario of a file. HD_E_INPUT, HD_E_IO. */
int hd_soak_measure(const char *path, struct soak_size_of *size, struct hd_error *err);
/** Makes a failing scenario of a file small, whatever it is of, in about so many seconds; the file has the smallest so
 *  far at any time. Other files that it names, it names by whole paths. *unfinished: there was no time for all.
 *  HD_E_NOTHING: it does not fail by itself, and the file is of no use. HD_E_IO. */
int hd_soak_shrink_file(const char *path, double seconds, const struct soak_common *common,
                        bool *unfinished, struct hd_error *err);

/* ── what was covered ──────────────────────────────────────────────────────── */

struct soak_coverage;
struct soak_coverage *hd_soak_coverage_create(void);
void hd_soak_coverage_destroy(struct soak_coverage *coverage);
void hd_soak_coverage_add(struct soak_coverage *coverage, const struct soak_case *c,
                          const struct soak_result *result);
/** Scenarios so far of this one's topology, routing and barrier hardware. */
uint32_t hd_soak_coverage_pair(const struct soak_coverage *coverage, const struct soak_case *c);
/** Pairs of a topology and a routing that fewer than `least` scenarios had, by name; their number. */
uint32_t hd_soak_coverage_pairs(const struct soak_coverage *coverage, uint32_t least, FILE *file);
/** A table for people; and the same as a JSON object. */
void hd_soak_coverage_print(const struct soak_coverage *coverage, FILE *file);
json_t *hd_soak_coverage_json(const struct soak_coverage *coverage);
/** A value that a soak should cover: a topology, routing, program, mode, end of a range and the like. */
struct soak_value {
  const char *dimension, *label;
};
/** The value of that number; false: there are no more. */
bool hd_soak_wanted(uint32_t number, struct soak_value *value);
bool hd_soak_covered(const struct soak_coverage *coverage, const struct soak_value *value);
/** May the scenario cover it? It does unless it is quiet or refused, or its faults come too late or cut off
 *  other members. */
bool hd_soak_may_cover(const struct soak_case *c, const struct soak_value *value);
/** Names the wanted values that no scenario had; their number. */
uint32_t hd_soak_coverage_holes(const struct soak_coverage *coverage, FILE *file);
/** Why drawn scenarios cannot come by a point of the specification; NULL: they can. */
const char *hd_soak_out_of_reach(enum hd_spec_point point);
/** How many of the points that the scenarios could reach they did reach. */
struct soak_points {
  uint32_t exercised, reachable;
};
struct soak_points hd_soak_points_count(const struct hd_coverage_set *set);
/** Names those that they did not reach, and those out of reach, and prints the count. */
void hd_soak_points_print(const struct hd_coverage_set *set, FILE *file);
/** Are they enough for so many scenarios? */
bool hd_soak_points_suffice(struct soak_points points, uint32_t scenarios);
/** One line a scenario. */
void hd_soak_csv_head(FILE *file);
void hd_soak_csv_line(FILE *file, const struct soak_case *c, const struct soak_result *result,
                      bool every_variant);

#endif
