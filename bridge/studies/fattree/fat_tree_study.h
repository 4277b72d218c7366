/* make reproduce-fat-tree: what the adaptive fat tree paper says, held against RTL.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Li and Yang, "Adaptive FatTree". Reading order: networks.c (networks, routings, traffic), runs.c (which
 * runs, their scenarios, what came out), points.c (means, saturation), judge_shape.c and judge_load.c
 * (statements), statements.txt (their words), figures.c and report.c (files), main.c.
 *
 * A curve is a network, a routing and a traffic over the load. A point of a curve is the mean over several
 * seeds, with a 95 % confidence interval.
 */
#ifndef HD_FAT_TREE_STUDY_H
#define HD_FAT_TREE_STUDY_H

#include "../report.h"
#include "../study.h"

#include "../../report/estimate.h"
#include "../../../cmodel/topology/topology.h"

enum { FATTREE_MAX_SEEDS = 8, FATTREE_MAX_LOADS = 16 };

/* ── what is compared ──────────────────────────────────────────────────────── */

/** A mesh; a FatTree with k/2 nodes at each edge switch, or with one. */
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
  const char *name; /* of `routing.algorithm` */
  bool of_meshes;   /* or of FatTrees */
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
/** A transposition needs a square number of nodes. */
bool fattree_traffic_fits(enum fattree_traffic traffic, const struct fattree_network *network);
/** Part of a run's scenario: fabric, routing and software. */
void fattree_scenario_of(const struct fattree_network *network,
                         const struct fattree_routing *routing, enum fattree_traffic traffic,
                         double load, uint32_t seed, struct hd_text *text);

/* ── runs ──────────────────────────────────────────────────────────────────── */

#define FATTREE_ALL_OFFERED 0.95 /* accepted over offered: not saturated */

struct fattree_run {
  bool done, saturated;
  double latency, offered, accepted; /* cycles; flits a node and cycle */
  double blocked;                    /* flit-cycles for each packet */
};

struct fattree_point {
  uint32_t load_permille; /* flits a node and cycle */
  struct fattree_run runs[FATTREE_MAX_SEEDS];
  char key[17]; /* KEY.yaml is the scenario of the first seed */
};

struct fattree_curve {
  uint32_t network, routing; /* of the lists */
  enum fattree_traffic traffic;
  struct fattree_point points[FATTREE_MAX_LOADS];
};

struct fattree_results {
  struct fattree_curve *curves; /* [n], owned */
  uint32_t n, n_loads, seeds;
  bool quick;
};

/** Notes all curves; quick: a part of networks, traffics, loads and seeds. */
void fattree_plan(struct fattree_results *results, bool quick, uint32_t seeds);
int fattree_run_all(struct fattree_results *results, const struct hd_study_arguments *how,
                    struct hd_error *err);
void fattree_fini(struct fattree_results *results);

/* ── points ────────────────────────────────────────────────────────────────── */

/** Means over the seeds that were run; n is 0 if none was. */
struct hd_mean fattree_latency(const struct fattree_results *r, const struct fattree_point *point);
struct hd_mean fattree_accepted(const struct fattree_results *r, const struct fattree_point *point);
struct hd_mean fattree_offered(const struct fattree_results *r, const struct fattree_point *point);
struct hd_mean fattree_blocked(const struct fattree_results *r, const struct fattree_point *point);
/** A seed has been run. */
bool fattree_known(const struct fattree_results *r, const struct fattree_point *point);
/** More than half of the runs are saturated: not all measured packets arrived in time, or less than
 *  FATTREE_ALL_OFFERED of what was offered was accepted. The statements are on reception, so latency does not count, as it
 *  does for heddle sweep. */
bool fattree_saturated(const struct fattree_results *r, const struct fattree_point *point);

/** The curve of a network by its name; NULL: there is none. routing NULL: the network's first. */
const struct fattree_curve *fattree_find(const struct fattree_results *r, const char *network,
                                         const char *routing, enum fattree_traffic traffic);
/** The first seed has been run at all loads; others come after it. NULL: false. */
bool fattree_complete(const struct fattree_results *r, const struct fattree_curve *curve);
/** The saturation throughput: the most that is accepted at any load. */
struct hd_mean fattree_most_accepted(const struct fattree_results *r,
                                     const struct fattree_curve *curve);
/** The most that `a` accepts at any load over the most that `b` does, seed by seed: a seed has the same packets
 *  in both. n is 0 where no seed has been run at all loads of both. */
struct hd_mean fattree_accepted_ratio(const struct fattree_results *r,
                                      const struct fattree_curve *a, const struct fattree_curve *b);
/** The first load that saturates, permille; 0: none does. */
uint32_t fattree_saturates_at(const struct fattree_results *r, const struct fattree_curve *curve);

/* ── statements ────────────────────────────────────────────────────────────── */

typedef struct hd_study_statement statement;

extern const struct hd_study_judge fattree_judges_of_load[], fattree_judges_of_shape[];

/* ── files ─────────────────────────────────────────────────────────────────── */

/** The report, with sections saturation, uniform and traffic. */
extern const struct hd_study_report fattree_report;
/** Writes points.csv with all curves, and topologies, routings and traffic as csv, gp, svg and png. */
int fattree_write_figures(const void *results, const char *directory, struct hd_error *err);

#endif
