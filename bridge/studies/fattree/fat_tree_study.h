/* make reproduce-fat-tree: what the adaptive fat tree paper says, held against RTL.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Li and Yang, "Adaptive FatTree". Reading order: networks.c (networks, routings, traffic), runs.c (which
 * runs, their scenarios, what came out), points.c (means, saturation), judge_shape.c and judge_load.c
 * (statements), statements.c (their words), figures.c and report.c (files), main.c.
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

enum { FTS_MAX_SEEDS = 8, FTS_MAX_LOADS = 16 };

/* ── what is compared ──────────────────────────────────────────────────────── */

/** A mesh; a FatTree with k/2 nodes at each edge switch, or with one. */
enum fts_family { FTS_MESH, FTS_TREE, FTS_EDGE };

struct fts_network {
  const char *name, *title;
  enum fts_family family;
  struct hd_topology_shape shape;
  uint32_t nodes;
};
extern const struct fts_network fts_networks[];
extern const uint32_t fts_n_networks;

struct fts_routing {
  const char *name; /* of `routing.algorithm` */
  bool of_meshes;   /* or of FatTrees */
};
extern const struct fts_routing fts_routings[];
extern const uint32_t fts_n_routings;

enum fts_traffic { FTS_UNIFORM, FTS_PERMUTATION, FTS_HOT_SPOT, FTS_TRANSPOSE, FTS_TRAFFICS };
const char *fts_traffic_name(enum fts_traffic traffic);
/** A transposition needs a square number of nodes. */
bool fts_traffic_fits(enum fts_traffic traffic, const struct fts_network *network);
/** Part of a run's scenario: fabric, routing and software. */
void fts_scenario_of(const struct fts_network *network, const struct fts_routing *routing,
                     enum fts_traffic traffic, double load, uint32_t seed, struct hd_text *text);

/* ── runs ──────────────────────────────────────────────────────────────────── */

#define FTS_ALL_OFFERED 0.95 /* accepted over offered: not saturated */

struct fts_run {
  bool done, saturated;
  double latency, offered, accepted; /* cycles; flits a node and cycle */
  double blocked;                    /* flit-cycles for each packet */
};

struct fts_point {
  uint32_t load_permille; /* flits a node and cycle */
  struct fts_run runs[FTS_MAX_SEEDS];
  char key[17]; /* KEY.yaml is the scenario of the first seed */
};

struct fts_curve {
  uint32_t network, routing; /* of the lists */
  enum fts_traffic traffic;
  struct fts_point points[FTS_MAX_LOADS];
};

struct fts_results {
  struct fts_curve *curves; /* [n], owned */
  uint32_t n, n_loads, seeds;
  bool quick;
};

/** Notes all curves; quick: a part of networks, traffics, loads and seeds. */
void fts_plan(struct fts_results *results, bool quick, uint32_t seeds);
int fts_run_all(struct fts_results *results, const struct study_arguments *how,
                struct hd_error *err);
void fts_fini(struct fts_results *results);

/* ── points ────────────────────────────────────────────────────────────────── */

/** Over the seeds that have been run; n is 0 where there is none. */
struct hd_mean fts_latency(const struct fts_results *r, const struct fts_point *point);
struct hd_mean fts_accepted(const struct fts_results *r, const struct fts_point *point);
struct hd_mean fts_offered(const struct fts_results *r, const struct fts_point *point);
struct hd_mean fts_blocked(const struct fts_results *r, const struct fts_point *point);
/** A seed has been run. */
bool fts_known(const struct fts_results *r, const struct fts_point *point);
/** More than half of the runs are saturated: not all measured packets arrived in time, or less than
 *  FTS_ALL_OFFERED of what was offered was accepted. The statements are on reception, so latency does not count, as it
 *  does for heddle sweep. */
bool fts_saturated(const struct fts_results *r, const struct fts_point *point);

/** The curve of a network by its name; NULL: there is none. routing NULL: the network's first. */
const struct fts_curve *fts_find(const struct fts_results *r, const char *network,
                                 const char *routing, enum fts_traffic traffic);
/** The first seed has been run at all loads; others come after it. NULL: false. */
bool fts_complete(const struct fts_results *r, const struct fts_curve *curve);
/** The saturation throughput: the most that is accepted at any load. */
struct hd_mean fts_most_accepted(const struct fts_results *r, const struct fts_curve *curve);
/** The most that `a` accepts at any load over the most that `b` does, seed by seed: a seed has the same packets
 *  in both. n is 0 where no seed has been run at all loads of both. */
struct hd_mean fts_accepted_ratio(const struct fts_results *r, const struct fts_curve *a,
                                  const struct fts_curve *b);
/** The first load that saturates, permille; 0: none does. */
uint32_t fts_saturates_at(const struct fts_results *r, const struct fts_curve *curve);

/* ── statements ────────────────────────────────────────────────────────────── */

typedef const struct fts_results fts;
typedef struct study_statement statement;

extern const struct study_judge fts_judges_of_load[], fts_judges_of_shape[];

/* ── files ─────────────────────────────────────────────────────────────────── */

/** The report, with sections saturation, uniform and traffic. */
extern const struct study_report fts_report;
/** points.csv: all curves; topologies, routings and traffic as csv, gp, svg, png. */
int fts_write_figures(const void *results, const char *directory, struct hd_error *err);

#endif
