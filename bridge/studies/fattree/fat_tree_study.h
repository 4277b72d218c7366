/* Study of the adaptive fat tree paper (make reproduce-fat-tree): its statements, judged by RTL.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Li and Yang, "Adaptive FatTree". Reading order: networks.c (networks, routings, traffic), runs.c
 * (the runs, their scenarios, their results), points.c (means, saturation), judge_shape.c and
 * judge_load.c (statements), statements.txt (their words), figures.c and report.c (files),
 * program.c (the command).
 *
 * A curve is a network, a routing and a traffic over the load. A point of a curve is the mean over
 * several seeds, with a 95 % confidence interval.
 */
#ifndef HD_FAT_TREE_STUDY_H
#define HD_FAT_TREE_STUDY_H

#include "../report.h"
#include "../study.h"

#include "../../report/estimate.h"
#include "../../../cmodel/topology/topology.h"

enum { FATTREE_MAX_SEEDS = 8, FATTREE_MAX_LOADS = 16 };

/* ── networks, routings, traffic ───────────────────────────────────────────── */

/** A mesh; a FatTree with k/2 nodes at each edge switch; a FatTree with one node at each. */
enum fattree_family { FATTREE_MESH, FATTREE_TREE, FATTREE_EDGE };

struct fattree_network {
  const char *name, *title;
  enum fattree_family family;
  struct hd_topology_shape shape;
  uint32_t nodes;
};
extern const struct fattree_network fattree_networks[];
extern const uint32_t fattree_n_networks;

struct fattree_routing {
  const char *name; /* the scenario's `routing.algorithm` */
  bool of_meshes;   /* for meshes; otherwise for FatTrees */
};
extern const struct fattree_routing fattree_routings[];
extern const uint32_t fattree_n_routings;

enum fattree_traffic {
  FATTREE_UNIFORM,
  FATTREE_PERMUTATION,
  FATTREE_HOT_SPOT,
  FATTREE_TRANSPOSE,
  FATTREE_TRAFFICS
};
const char *fattree_traffic_name(enum fattree_traffic traffic);
/** Tests whether the traffic is possible. A transposition needs a square number of nodes. */
bool fattree_traffic_fits(enum fattree_traffic traffic, const struct fattree_network *network);
/** Adds a part of a run's scenario: fabric, routing and software. */
void fattree_scenario_of(const struct fattree_network *network,
                         const struct fattree_routing *routing, enum fattree_traffic traffic,
                         double load, uint32_t seed, struct hd_text *text);

/* ── runs ──────────────────────────────────────────────────────────────────── */

#define FATTREE_ALL_OFFERED 0.95 /* accepted over offered, from which on a run is not saturated */

struct fattree_run {
  bool done, saturated;
  double latency, offered, accepted; /* cycles; flits a node and cycle */
  double blocked;                    /* flit-cycles a packet */
};

struct fattree_point {
  uint32_t load_permille; /* flits a node and cycle, in thousandths */
  struct fattree_run runs[FATTREE_MAX_SEEDS];
  char key[17]; /* KEY.yaml is the scenario of the first seed */
};

struct fattree_curve {
  uint32_t network, routing; /* indexes into the lists above */
  enum fattree_traffic traffic;
  struct fattree_point points[FATTREE_MAX_LOADS];
};

struct fattree_results {
  struct fattree_curve *curves; /* [n], owned */
  uint32_t n, n_loads, seeds;
  bool quick;
};

/** Adds all curves. A quick run has only some networks, kinds of traffic, loads and seeds. */
void fattree_plan(struct fattree_results *results, bool quick, uint32_t seeds);
int fattree_run_all(struct fattree_results *results, const struct hd_study_arguments *how,
                    struct hd_error *err);
void fattree_fini(struct fattree_results *results);

/* ── points ────────────────────────────────────────────────────────────────── */

/** Mean over the seeds that were run; `n` is 0 if no seed was run. */
struct hd_mean fattree_latency(const struct fattree_results *r, const struct fattree_point *point);
struct hd_mean fattree_accepted(const struct fattree_results *r, const struct fattree_point *point);
struct hd_mean fattree_offered(const struct fattree_results *r, const struct fattree_point *point);
struct hd_mean fattree_blocked(const struct fattree_results *r, const struct fattree_point *point);
/** Tests whether a seed has been run. */
bool fattree_known(const struct fattree_results *r, const struct fattree_point *point);
/** Tests whether more than half of the runs are saturated: not all measured packets arrived in
 *  time, or less than FATTREE_ALL_OFFERED of the offered load was accepted. Latency does not
 *  count here, as it does for heddle sweep, because the paper's statements are on reception. */
bool fattree_saturated(const struct fattree_results *r, const struct fattree_point *point);

/** Finds a curve by the network's name; NULL: there is none. If `routing` is NULL, the network's
 *  first routing is taken. */
const struct fattree_curve *fattree_find(const struct fattree_results *r, const char *network,
                                         const char *routing, enum fattree_traffic traffic);
/** Tests whether the first seed has been run at all loads. Other seeds run after it. Returns
 *  false for NULL. */
bool fattree_complete(const struct fattree_results *r, const struct fattree_curve *curve);
/** Returns the saturation throughput: the most that is accepted at any load. */
struct hd_mean fattree_most_accepted(const struct fattree_results *r,
                                     const struct fattree_curve *curve);
/** Returns the most that `a` accepts at any load over the most that `b` accepts. The ratio is
 *  computed for each seed, because a seed has the same packets in both. `n` is 0 if no seed has
 *  been run at all loads of both. */
struct hd_mean fattree_accepted_ratio(const struct fattree_results *r,
                                      const struct fattree_curve *a, const struct fattree_curve *b);
/** Returns the first load that saturates, in thousandths; 0: no load does. */
uint32_t fattree_saturates_at(const struct fattree_results *r, const struct fattree_curve *curve);

/* ── statements ────────────────────────────────────────────────────────────── */

typedef struct hd_study_statement statement;

extern const struct hd_study_judge fattree_judges_of_load[], fattree_judges_of_shape[];

/* ── files ─────────────────────────────────────────────────────────────────── */

/** Report with the sections saturation, uniform and traffic. */
extern const struct hd_study_report fattree_report;
/** Writes points.csv with all curves, and the figures topologies, routings and traffic as csv,
 *  gp, svg and png. */
int fattree_write_figures(const void *results, const char *directory, struct hd_error *err);

#endif
