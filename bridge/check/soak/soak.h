/* Soak: random scenarios, carried out on RTL and model, shrunk when they fail.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reading order: switch_sets.c (parameter sets); draw.c, computed_draw.c, graph.c, topology_draw.c, faults.c and
 * coverage_goals.c (a scenario); scenario_yaml.c and routing_tables.c (its text); run_scenario.c (one run of it);
 * backends.c (the RTL); plan.c and outcome.c (many scenarios, and their results); shrink.c and shrink_file.c (smaller
 * scenarios); coverage.c and spec_points.c (coverage); tests/soak/soak.c (main).
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
  SOAK_AIM_EVERY = 2, /* every second scenario is drawn for a point of the specification */
  SOAK_MAX_SWITCHES = 48,
  SOAK_MAX_NODES = 64,
  SOAK_MAX_LINKS = SOAK_MAX_SWITCHES * HD_MAX_PORTS / 2,
  SOAK_MAX_SETS = 64,
  SOAK_PAIR_SETS = 4 * HD_BARRIER_KINDS,
  SOAK_LARGE_SETS = 3,                     /* after the ordinary sets: for large scenarios */
  SOAK_CODER_SETS = 2,                     /* after the large sets: switches with an XOR coder */
  SOAK_COMPUTED_SETS = HD_ROUTE_KINDS - 1, /* after the coder sets: switches that compute routes */
  SOAK_MULTICAST_SETS = 2,                 /* after the computed sets: switches with multicast */
  SOAK_OTHER_SETS = SOAK_LARGE_SETS + SOAK_CODER_SETS + SOAK_COMPUTED_SETS + SOAK_MULTICAST_SETS,
  SOAK_SPECIAL_EVERY = 16, /* scenario of network coding, of computed routes, and of multicast */
  SOAK_MOST_WIDE = 260,    /* nodes and switches of a wide fabric */
  SOAK_LEAST_WIDE = 128,
  SOAK_MOST_LONG = 9, /* most nodes of a scenario that runs long */
  SOAK_MAX_FAULTS = 12,
  SOAK_PATH = 512,
  SOAK_LEAST_FLITS = 50, /* with fewer compared flits a scenario is quiet, and does not count */
};

/* ── random numbers ────────────────────────────────────────────────────────── */

/** Draws from low … high, uniformly. */
static inline uint32_t soak_between(struct hd_random *r, uint32_t low, uint32_t high)
{
  return low + (uint32_t)(((hd_random_next(r) >> 32) * ((uint64_t)high - low + 1)) >> 32);
}
/** True with probability percent / 100. */
static inline bool soak_chance(struct hd_random *r, uint32_t percent)
{
  return soak_between(r, 0, 99) < percent;
}
/** Draws from low … high. All octaves are equally likely, so small numbers are as likely as large ones. */
uint32_t hd_soak_octaves(struct hd_random *r, uint32_t low, uint32_t high);

static inline void soak_at_most(uint32_t *value, uint32_t most)
{
  *value = *value < most ? *value : most;
}
static inline void soak_at_least(uint32_t *value, uint32_t least)
{
  *value = *value > least ? *value : least;
}

/* ── a scenario ────────────────────────────────────────────────────────────── */

struct soak_graph {
  uint32_t n_switches, n_nodes, n_links;
  struct {
    uint16_t a, b;
    uint8_t a_port, b_port;
    uint8_t cycles; /* latency of the link; 0: that of the fabric */
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
/** Does the program inject data at a load? Program barrier does so between its rounds. */
static inline bool soak_has_load(enum soak_program program)
{
  return program < SOAK_SHUFFLE || program == SOAK_BARRIER;
}
/** The program's name in scenarios. */
const char *hd_soak_program_name(enum soak_program program);

/** The links that a fault of a link is drawn from. */
enum soak_links { SOAK_ALL_LINKS, SOAK_INNER_LINKS, SOAK_OUTER_LINKS };

struct soak_fault {
  uint32_t pick; /* picks one of the fabric's links or switches */
  uint32_t when; /* cycle; with after_barrier a number of rounds */
  bool whole_switch, after_barrier;
  enum soak_links links;
};

/** Large scenarios are rare. They find bugs that need large numbers or long runs. */
enum soak_size {
  SOAK_ORDINARY,
  SOAK_WIDE, /* hundreds of nodes or switches */
  SOAK_LONG  /* tens of thousands of cycles */
};

/** Parameters of program coding, besides `sources` and `flits`. */
struct soak_coding {
  uint32_t scheme, multicast;  /* hd_coding_scheme, hd_coding_multicast */
  uint32_t group[3], inner[3]; /* dimensions; inner[0] 0: no groups inside groups */
  uint32_t most_flits, xor_cycles, restore_cycles;
  bool software_encodes, software_decodes, sequential;
};

struct soak_case {
  uint32_t index, set;
  enum soak_size size;
  struct hd_switch_params sw; /* written to the file; source_table follows from the routing */
  enum hd_topology_kind topology;
  uint32_t dims[3], n_dims, k, n; /* mesh: dims; trees: k, n; irregular: n switches of degree k */
  uint32_t graph_seed;            /* irregular */
  struct soak_graph graph;        /* graph */
  struct hd_topology_shape shape; /* topologies that topology_draw.c draws */
  uint32_t shape_ports;           /* ports that a switch of `shape` needs */
  uint32_t n_switches, n_nodes;   /* follow from the topology */
  uint32_t link_cycles;
  enum hd_routing_kind algorithm;
  bool always_top;
  uint32_t credit_cap; /* cap on the free credits by which packets choose ports; 0: no cap */
  uint32_t bias;       /* towards the direct way, where packets decide between two ways */
  uint32_t networks;   /* virtual networks that share the channels of packets; at least 1 */
  enum soak_program program;
  /* Members below belong to the programs that their comments name. */
  double load;                           /* open loop, barrier */
  uint32_t flits, traffic_cycles;        /* open loop; barrier: flits */
  uint32_t columns;                      /* tornado, neighbour, transpose */
  uint32_t hot_node, hot_percent;        /* hotspot */
  uint32_t sources, destinations, first; /* shuffle; pingpong: first and destinations */
  uint32_t bytes, rounds;                /* messages; barrier: rounds */
  uint32_t groups, members;              /* barrier: groups, and members of each group */
  bool crowded;                          /* barrier: more groups than a status table has entries */
  uint32_t center;                       /* barrier: 0 lowest, 1 middle, 2 the node `first` */
  uint32_t compute, start;               /* barrier */
  uint32_t congested, congestion;        /* barrier: members whose interfaces are held; cycles */
  uint32_t idle_cycles;                  /* of switches with barrier messages */
  uint32_t n_rows;                       /* replay */
  uint32_t startup_cycles, packet_bytes;
  struct soak_coding coding;
  uint64_t seed;
  uint32_t cycles, window_cycles, threads;
  enum hd_mode mode;
  enum hd_compare compare; /* order or packets: the scenario also runs as heddle run does it */
  struct soak_fault faults[SOAK_MAX_FAULTS];
  uint32_t n_faults;
};

/** Draws the parameter sets of a seed from number `first` on, of at most `channels` (≥ 6) ports × virtual channels. Sets
 *  from number 8 on have barrier hardware. */
void hd_soak_sets(struct hd_switch_params *sets, uint32_t first, uint32_t n_sets, uint64_t seed,
                  uint32_t channels);

/** Draws the SOAK_PAIR_SETS parameter sets of hd_soak_draw_pair: for each kind of barrier hardware, and for none, one with
 *  tables by node, one in which packets choose ports, one with source tables, and one in which packets decide between two
 *  ways. */
void hd_soak_pair_sets(struct hd_switch_params *sets, uint64_t seed);

/** Draws the SOAK_LARGE_SETS parameter sets of large scenarios: 16 ports and source tables; barrier hardware with the
 *  largest tables; the smallest switch that makes a mesh. */
void hd_soak_large_sets(struct hd_switch_params *sets, uint64_t seed);

/** Draws the SOAK_COMPUTED_SETS parameter sets of switches that compute routes (§12), one for each kind. */
void hd_soak_computed_sets(struct hd_switch_params *sets, uint64_t seed);
/** Draws the SOAK_OTHER_SETS sets from `first` on: of large scenarios, coders, computed routes and multicast. */
void hd_soak_other_sets(struct hd_switch_params *first, uint64_t seed);
/** The name of an enum hd_route: "torus" for HD_ROUTE_BY_TORUS. */
const char *hd_soak_route_name(uint32_t route);

/** The least depth of an input buffer that the kind of barrier hardware needs (§7.1); at least 1. */
uint32_t hd_soak_least_depth(const struct hd_switch_params *params);

/** Draws scenario `index` with one of `n_sets` sets. Where `large` is not 0, every large-th scenario is a large one, with
 *  one of the SOAK_LARGE_SETS sets after them. */
void hd_soak_draw(struct soak_case *c, const struct hd_switch_params *sets, uint32_t n_sets,
                  uint32_t large, uint64_t seed, uint32_t index);
/** Draws scenario `index` of network coding, with one of the SOAK_CODER_SETS sets after the large ones. */
void hd_soak_draw_coding(struct soak_case *c, const struct hd_switch_params *sets, uint32_t n_sets,
                         uint64_t seed, uint32_t index);
/** Draws scenario `index` with one of the sets that compute routes; false: no set makes a fabric. */
bool hd_soak_draw_computed(struct soak_case *c, const struct hd_switch_params *sets,
                           uint32_t n_sets, uint64_t seed, uint32_t index);
/** Draws scenario `index` with one of the SOAK_MULTICAST_SETS sets in `sets`; c->set is its number there. */
void hd_soak_draw_multicast(struct soak_case *c, const struct hd_switch_params *sets, uint64_t seed,
                            uint32_t index);
/** Is that the number of a scenario with computed routes? */
static inline bool soak_computes(uint32_t index)
{
  return index % SOAK_SPECIAL_EVERY == SOAK_SPECIAL_EVERY / 4;
}
/** Where switches compute routes, sets their parameters for the fabric; false: the fabric cannot have such switches. */
bool hd_soak_computed_settle(struct soak_case *c);
/** The recipe that the scenario of that number follows (coverage_goals.c); NULL: it follows none. */
struct soak_recipe;
const struct soak_recipe *hd_soak_recipe_of(uint32_t index);
/** Returns one of the sets that fit the recipe, or `drawn` where none does. */
uint32_t hd_soak_recipe_set(const struct soak_recipe *recipe, const struct hd_switch_params *sets,
                            uint32_t n_sets, uint32_t drawn, struct hd_random *r);
/** Does the drawn fabric fit the recipe? */
bool hd_soak_recipe_fits(const struct soak_recipe *recipe, const struct soak_case *c);
/** Draws traffic and faults again by the recipe, if switch and fabric fit it. */
void hd_soak_recipe_follow(const struct soak_recipe *recipe, struct soak_case *c,
                           struct hd_random *r);

/** Draws run, traffic and faults of a scenario that has switch and fabric. recipe: the one that it follows, or NULL. */
void hd_soak_draw_on_fabric(struct soak_case *c, struct hd_random *r,
                            const struct soak_recipe *recipe);

/** Draws scenario `index` of those that go through all combinations of a topology, a routing that fits it, and a kind of
 *  barrier hardware, with one of the sets that have this hardware. */
void hd_soak_draw_pair(struct soak_case *c, const struct hd_switch_params *sets, uint32_t n_sets,
                       uint32_t large, uint64_t seed, uint32_t index);
/** The number of these combinations. */
uint32_t hd_soak_pairs(void);
/** Does the combination exist? One-way networks have no barrier hardware. */
bool hd_soak_pair_exists(enum hd_topology_kind topology, enum hd_routing_kind routing,
                         enum hd_barrier barrier);

/** Returns the channels of a port that one virtual network has, together with those that no packet may take (§5.28). */
static inline uint32_t soak_network_vcs(const struct soak_case *c)
{
  const uint32_t reserved = hd_switch_reserved_vcs(&c->sw);
  return (c->sw.vcs - reserved) / c->networks + reserved;
}

/** Returns the number of groups that multicast can have at once; 0: the switch has no multicast, or a flit has no room for
 *  tree, sender and a byte. A header can name at most as many trees as nodes (§13.2). */
static inline uint32_t soak_trees(const struct soak_case *c)
{
  const uint32_t bits = hd_log2_ceil(c->sw.nodes), most = 1u << bits;
  if (c->sw.data_bits < 2 + 2 * bits + 8)
    return 0;
  return c->sw.trees < most ? c->sw.trees : most;
}

/** Sets n_switches and n_nodes from the topology's numbers. 0 nodes: there is no such fabric. */
void hd_soak_settle(struct soak_case *c);

/* Topologies whose shape is given by keys (topology_draw.c). */
/** Is it such a topology? Those before it in HD_TOPOLOGY_LIST have their own members in soak_case. */
static inline bool soak_by_keys(enum hd_topology_kind kind)
{
  return kind > HD_TOPO_IRREGULAR;
}
/** Draws a shape of the kind, not yet settled. `free`: only shapes in which minimal routing needs one class of channels. */
void hd_soak_shape_draw(struct soak_case *c, enum hd_topology_kind kind, bool free,
                        struct hd_random *r);
/** Sets n_switches, n_nodes and shape_ports; they are 0 where there is no such fabric. */
void hd_soak_shape_settle(struct soak_case *c);
/** Gives the shape of any fabric but a graph. */
void hd_soak_shape_whole(const struct soak_case *c, struct hd_topology_shape *shape);
/** Draws different latencies of links, if the fabric has keys for them. */
void hd_soak_latencies_draw(struct soak_case *c, struct hd_random *r);
/** Do links have different latencies? */
bool hd_soak_has_latencies(const struct soak_case *c);
/** Gives all links the latency of the fabric. */
void hd_soak_latencies_drop(struct soak_case *c);
/** Writes the keys of the shape into a scenario. */
void hd_soak_shape_write(const struct soak_case *c, FILE *f);
/** Makes the shape smaller in way number i, if it can: then it sets *changed. False: there are no more ways. */
bool hd_soak_shape_smaller(struct soak_case *c, uint32_t i, bool *changed);
/** Returns the dimensions of a mesh or torus; *n gets their number. */
const uint32_t *hd_soak_dimensions(const struct soak_case *c, uint32_t *n);
/** Does the deadlock rule (§5.6) accept the fabric with its routing? */
bool hd_soak_is_legal(const struct soak_case *c);
/** Changes the traffic where it does not fit switch and nodes, as after shrinking. */
void hd_soak_fit_traffic(struct soak_case *c);

/** Draws faults for a scenario that is drawn otherwise. */
void hd_soak_draw_faults(struct soak_case *c, struct hd_random *r);
/** Appends the faults to the scenario's file. HD_E_IO. */
int hd_soak_write_faults(const struct soak_case *c, const char *yaml, struct hd_error *err);
/** Names the kinds of the faults: "none", "between rounds", "at any time", "both". */
const char *hd_soak_fault_label(const struct soak_case *c);

/** Draws a connected graph of switches with at most `ports` ports and 2 … max_nodes nodes. */
void hd_soak_graph_draw(struct soak_graph *g, struct hd_random *r, uint32_t ports,
                        uint32_t max_switches, uint32_t max_nodes);
/** Returns the number of ports that a switch of the graph must have. */
uint32_t hd_soak_graph_ports(const struct soak_graph *g);
/** Remove a link, a node, or a switch. False: no connected graph with two nodes would be left, and nothing changes. */
bool hd_soak_graph_drop_link(struct soak_graph *g, uint32_t link);
bool hd_soak_graph_drop_node(struct soak_graph *g, uint32_t node);
bool hd_soak_graph_drop_switch(struct soak_graph *g, uint32_t sw); /* also its links and nodes */
/** Gives every switch its lowest ports, in order. */
void hd_soak_graph_pack_ports(struct soak_graph *g);

/** Writes DIRECTORY/NAME.yaml and the files that it names (NAME.net.csv, NAME.trace.csv); yaml[] gets the path. 0 or
 *  HD_E_IO. */
int hd_soak_write(const struct soak_case *c, const char *directory, const char *name,
                  char yaml[SOAK_PATH], struct hd_error *err);
/** Writes the routing tables of a graph whose links are the text `links`: up-and-down routing, or, where packets choose
 *  ports, all shortest paths and a tree as escape path. */
void hd_soak_write_tables(const struct soak_case *c, const char *links, size_t length, FILE *f);
/** Writes the graph file: links, and the tables of routing `tables`. */
void hd_soak_write_graph(const struct soak_case *c, FILE *f);
void hd_soak_unlink(const char *directory, const char *name);

/* ── runs of a scenario ────────────────────────────────────────────────────── */

enum soak_outcome {
  SOAK_AGREED,
  SOAK_REFUSED,  /* by the deadlock rule, or by program barrier: too many congested members */
  SOAK_DIVERGED, /* RTL and model differ */
  SOAK_DIGEST,   /* RTL and model agree, but two runs of the scenario differ */
  SOAK_DAMAGED,  /* both agree, but a packet was lost or damaged, or a switch noted an error */
  SOAK_RULE,     /* both agree, but break a rule of the tree protocol (§8.13) */
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
  int status;                                               /* of the failed run, or HD_OK */
  uint32_t runs;                                            /* runs that were compared */
  uint64_t cycles, switch_cycles, evaluated_cycles, events; /* sums over all runs */
  uint64_t flits, flits_in_order;       /* output flits compared: in all runs; in the first run */
  uint64_t blocked, packets, delivered; /* in the first run */
  uint64_t barriers;                    /* answers to members in the first run */
  uint64_t made;                        /* packets that coders made in the first run */
  uint64_t of_others; /* packets of virtual networks other than 0 in the first run */
  uint64_t ruled_messages, ruled_rounds;         /* tested by rules T1 to T9 (§8.13) in all runs */
  uint64_t port_flits, port_credits, port_heads; /* tested by rules P1 to P16 (§6.7) in all runs */
  uint32_t struck, cut_off; /* faults that struck, members that they cut off, in the first run */
  uint64_t digest;          /* of the first run */
  uint64_t divergence_cycle;
  struct hd_coverage_set coverage; /* of the specification, by the first run */
  char message[800];
};

/** Limits of a described router, which smaller scenarios keep; 0: none. Beyond them a sound router fails, too. */
struct soak_limits {
  uint32_t columns;  /* of the only mesh in which it can route */
  uint32_t shortest; /* least flits of a packet */
};

/** Settings that all runs of a soak share. */
struct soak_common {
  const char *rtl_dir, *cache_dir;
  const char *against; /* as in hd_run_options, with by_command; NULL: the model is the reference */
  const char *directory;   /* for files */
  const char *dut;         /* backend for which RTL is built; NULL: verilator */
  const char *dut_options; /* NULL: the options after the colon of `dut` */
  struct soak_limits limits;
  bool by_command;             /* run only as `heddle run` does: there is no model for this RTL */
  struct soak_opened **opened; /* list of open backends, empty at first */
  void *context;
  bool (*stop)(void *context);                  /* Ctrl-C was pressed; may be NULL */
  void (*say)(void *context, const char *line); /* how far shrinking is; may be NULL */
};

/** Runs a written scenario on the RTL `ops`, compared cycle by cycle. every_variant: it also runs in all windows, modes and
 *  thread counts, on the model backend, and without a DUT. A scenario that compares by order or by packets also runs as
 *  `heddle run` does it. */
void hd_soak_run_scenario(const char *yaml, const struct hd_dut_ops *ops, bool every_variant,
                          const struct soak_common *common, struct soak_result *result);

/** Opens the RTL of a parameter set, builds it where it is new, and keeps it until hd_soak_backends_close. HD_E_TOOL: it
 *  does not build; HD_E_IO, HD_E_NOMEM, HD_E_INTERRUPTED: nobody knows whether it builds. */
int hd_soak_backend(const struct soak_common *common, const struct hd_switch_params *params,
                    const struct hd_dut_ops **ops, struct hd_error *err);
/** Returns the open backend with these operations; NULL: there is none. */
const struct hd_backend *hd_soak_backend_of(const struct soak_common *common,
                                            const struct hd_dut_ops *ops);
void hd_soak_backends_close(const struct soak_common *common);

/** Puts a result as values into an outcome. */
void hd_soak_result_put(const struct soak_result *result, struct hd_task_outcome *outcome);
/** Gets it back. An outcome without the values is that of a process that died, hung or was not begun. */
void hd_soak_result_get(struct soak_result *result, const struct hd_task_outcome *outcome);

/** Was Ctrl-C pressed? */
bool hd_soak_stopped(const struct soak_common *common);

/** Runs a scenario in a process of its own, so that a crash and a hang are results, too. SOAK_STOPPED: Ctrl-C, or the
 *  backend or the process could not be opened. */
void hd_soak_try(const struct soak_case *c, bool every_variant, const struct soak_common *common,
                 struct soak_result *result);

/** Does the same with the scenario of a file; `sw` is the switch that it needs. */
void hd_soak_try_file(const char *yaml, const struct hd_switch_params *sw,
                      const struct soak_common *common, struct soak_result *result);

/* ── a soak as a campaign ──────────────────────────────────────────────────── */

/** The first scenarios of a seed, until `count` of them count or `most_failures` fail. The caller puts seed, sets, large,
 *  every and only into the campaign's definition. */
struct soak_plan {
  const struct soak_common *common;
  /* n_sets ordinary sets, then those of hd_soak_other_sets. */
  struct hd_switch_params sets[SOAK_MAX_SETS + SOAK_OTHER_SETS];
  uint32_t n_sets, large;
  bool pairs; /* draw by hd_soak_draw_pair */
  uint64_t seed;
  uint32_t count, most_failures;
  uint32_t every; /* every N-th scenario runs in every variant; 0: none */
  bool has_only;  /* run scenario `only` alone, in every variant */
  uint32_t only;

  /* State of the plan; 0 at first. */
  uint32_t next_set, next, running, counted, failed;
  bool built[SOAK_MAX_SETS + SOAK_OTHER_SETS];
  char text[16];
};

/** Fills the campaign's plan, name, directory and patience; they borrow from `plan`. */
void hd_soak_plan_campaign(struct soak_plan *plan, struct hd_campaign *campaign);
/** Draws a scenario of the plan; true: it runs in every variant. */
bool hd_soak_plan_draw(const struct soak_plan *plan, uint32_t index, struct soak_case *c);
/** The plan draws no scenario with this number or a higher one. */
uint32_t hd_soak_plan_end(const struct soak_plan *plan);
/** Does the scenario count? One that is refused or quiet does not. */
bool hd_soak_counts(const struct soak_result *result);
/** Calls `take` for each result of the campaign, in the order of scenarios. The results do not depend on the number of
 *  workers, unless the campaign was interrupted. HD_E_IO, HD_E_INPUT. */
int hd_soak_plan_results(const struct soak_plan *plan,
                         void (*take)(void *context, const struct soak_case *c, bool every_variant,
                                      const struct soak_result *result),
                         void *context, struct hd_error *err);

/** Makes a failing scenario as small as it gets in `seconds`, and reports progress by common->say. *result is that of the
 *  given scenario, and then that of the small one. */
void hd_soak_shrink(struct soak_case *c, bool every_variant, double seconds,
                    const struct soak_common *common, struct soak_result *result);

struct soak_size_of {
  uint32_t switches, nodes;
  uint64_t cycles;
};
/** Gives the size of the scenario of a file. HD_E_INPUT, HD_E_IO. */
int hd_soak_measure(const char *path, struct soak_size_of *size, struct hd_error *err);
struct hd_outline; /* scenario/scenario_outline.h */

/** Tests whether a scenario keeps the limits: it has a mesh with these columns, or a row of at most as many nodes, and its
 *  software sends no shorter packets. `outline`: of the scenario's text. */
bool hd_soak_keeps(const struct soak_limits *limits, const struct hd_scenario *scenario,
                   const struct hd_outline *outline);

/** Makes a failing scenario of a file small, in about this number of seconds. The file must name other files by absolute
 *  paths; it always has the smallest scenario so far. *unfinished: there was no time to try all changes. HD_E_NOTHING: it
 *  does not fail by itself, and the file is of no use. HD_E_IO. */
int hd_soak_shrink_file(const char *path, double seconds, const struct soak_common *common,
                        bool *unfinished, struct hd_error *err);

/* ── coverage ──────────────────────────────────────────────────────────────── */

struct soak_coverage;
struct soak_coverage *hd_soak_coverage_create(void);
void hd_soak_coverage_destroy(struct soak_coverage *coverage);
void hd_soak_coverage_add(struct soak_coverage *coverage, const struct soak_case *c,
                          const struct soak_result *result);
/** The number of scenarios so far with this one's topology, routing and barrier hardware. */
uint32_t hd_soak_coverage_pair(const struct soak_coverage *coverage, const struct soak_case *c);
/** Prints the combinations of topology, routing and barrier hardware that fewer than `least` scenarios had, and returns
 *  their number. */
uint32_t hd_soak_coverage_pairs(const struct soak_coverage *coverage, uint32_t least, FILE *file);
/** Writes the coverage as a table, and as a JSON object. */
void hd_soak_coverage_print(const struct soak_coverage *coverage, FILE *file);
json_t *hd_soak_coverage_json(const struct soak_coverage *coverage);
/** A value that a soak should cover, such as a topology, a program, or the end of a range. */
struct soak_value {
  const char *dimension, *label;
};
/** Gives value `number`; false: there are no more. */
bool hd_soak_wanted(uint32_t number, struct soak_value *value);
/** Has a scenario had the value? */
bool hd_soak_covered(const struct soak_coverage *coverage, const struct soak_value *value);
/** May the scenario cover the value? It does, unless it is quiet or refused, or its faults come too late or cut off other
 *  members. */
bool hd_soak_may_cover(const struct soak_case *c, const struct soak_value *value);
/** Prints the wanted values that no scenario had, and returns their number. */
uint32_t hd_soak_coverage_holes(const struct soak_coverage *coverage, FILE *file);
/** Says why drawn scenarios cannot reach a point of the specification; NULL: they can. */
const char *hd_soak_out_of_reach(enum hd_spec_point point);
/** Counts points of the specification: those that scenarios can reach and should, and those of them that they reached. */
struct soak_points {
  uint32_t exercised, reachable;
};
struct soak_points hd_soak_points_count(const struct hd_coverage_set *set);
/** Prints the points that were not reached, those out of reach, and the counts. */
void hd_soak_points_print(const struct hd_coverage_set *set, FILE *file);
/** Are these enough points for that number of scenarios? */
bool hd_soak_points_suffice(struct soak_points points, uint32_t scenarios);
/** Write a CSV table with one line for each scenario. */
void hd_soak_csv_head(FILE *file);
void hd_soak_csv_line(FILE *file, const struct soak_case *c, const struct soak_result *result,
                      bool every_variant);

#endif
