/* Statements about latency and reception over the load: Section 3.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fat_tree_study.h"

#include <math.h>

/* Limits that stand for words of the paper. */
static const double significant = 2; /* smallest ratio of a latency to that at the lowest load */
static const double great = 1.25;    /* smallest ratio of two accepted loads */
static const double much_less =
    0.8; /* largest ratio of two latencies, or of two counts of blocked flit-cycles */
static const double most_measured = 0.9; /* the highest load that is measured */

static const char *const trees[] = {"fat-tree-4", "fat-tree-6", "fat-tree-8"};
static const char *const edges[] = {"edge-4", "edge-6", "edge-8"};
static const char *const meshes[] = {"mesh-4x4", "mesh-8x4", "mesh-8x8"};
static const char *const both[] = {"position", "adaptive"};
enum { SIZES = 3, BOTH = 2 };

/* A mesh, and the smallest FatTree that has at least as many nodes. */
static const struct {
  const char *mesh, *tree;
} pairs[] = {{"mesh-4x4", "fat-tree-4"}, {"mesh-8x4", "fat-tree-6"}, {"mesh-8x8", "fat-tree-8"}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* Tests whether the network is part of this run. A quick run does not have all networks. */
static bool there(const struct fattree_results *r, const char *network)
{
  return fattree_find(r, network, NULL, FATTREE_UNIFORM) != NULL;
}

/* Returns the index of the highest load below the first one that saturates. */
static uint32_t last_below(const struct fattree_results *r, const struct fattree_curve *curve)
{
  uint32_t i = 0;
  while (i + 1 < r->n_loads && !fattree_saturated(r, &curve->points[i + 1]))
    i++;
  return i;
}

static double load_at(const struct fattree_curve *curve, uint32_t place)
{
  return curve->points[place].load_permille / 1000.0;
}

static double latency_at(const struct fattree_results *r, const struct fattree_curve *curve,
                         uint32_t place)
{
  return fattree_latency(r, &curve->points[place]).mean;
}

static double rise(const struct fattree_results *r, const struct fattree_curve *curve,
                   uint32_t place)
{
  return latency_at(r, curve, place) / latency_at(r, curve, 0);
}

/* Compares a FatTree with its mesh by the number that `of` returns, at the highest load that the
 * mesh accepts and, if lowest_too, at the lowest load of all. */
static void beside_meshes(const struct fattree_results *r, statement *s, const char *what,
                          bool lowest_too,
                          double (*of)(const struct fattree_results *r,
                                       const struct fattree_curve *curve, uint32_t place))
{
  for (int p = 0; p < PAIRS; p++)
    for (int i = 0; there(r, pairs[p].mesh) && i < BOTH; i++) {
      const struct fattree_curve *mesh = fattree_find(r, pairs[p].mesh, NULL, FATTREE_UNIFORM);
      const struct fattree_curve *tree = fattree_find(r, pairs[p].tree, both[i], FATTREE_UNIFORM);
      bool known = fattree_complete(r, mesh) && fattree_complete(r, tree);
      uint32_t highest = known ? last_below(r, mesh) : 0;
      for (int end = lowest_too ? 0 : 1; end < 2; end++) {
        uint32_t place = end ? highest : 0;
        hd_study_check(s, known, known ? of(r, tree, place) / of(r, mesh, place) : 0, STUDY_AT_MOST,
                       1, "%s, %s, at %.2f: %s over that of %s", pairs[p].tree, both[i],
                       load_at(mesh, place), what, pairs[p].mesh);
      }
    }
}

static void judge_lower(const void *results, statement *s)
{
  beside_meshes(results, s, "latency", true, latency_at);
}

static void judge_steady(const void *results, statement *s)
{
  beside_meshes(results, s, "rise", false, rise);
}

static void judge_meshes_rise(const void *results, statement *s)
{
  const struct fattree_results *r = results;
  for (int i = 0; i < SIZES; i++) {
    const struct fattree_curve *mesh = fattree_find(r, meshes[i], NULL, FATTREE_UNIFORM);
    if (!mesh)
      continue;
    bool known = fattree_complete(r, mesh);
    hd_study_check(s, known, known ? rise(r, mesh, r->n_loads - 1) : 0, STUDY_AT_LEAST, significant,
                   "%s: latency at %.2f over that at %.2f", meshes[i],
                   load_at(mesh, r->n_loads - 1), load_at(mesh, 0));
  }
}

static void judge_scale(const void *results, statement *s)
{
  const struct fattree_curve *small = fattree_find(results, "mesh-4x4", NULL, FATTREE_UNIFORM);
  const struct fattree_curve *large = fattree_find(results, "mesh-8x8", NULL, FATTREE_UNIFORM);
  bool meshes_known = fattree_complete(results, small) && fattree_complete(results, large);
  for (int i = 0; i < BOTH; i++) {
    const struct fattree_curve *few = fattree_find(results, "fat-tree-4", both[i], FATTREE_UNIFORM);
    const struct fattree_curve *many =
        fattree_find(results, "fat-tree-8", both[i], FATTREE_UNIFORM);
    bool known = meshes_known && fattree_complete(results, few) && fattree_complete(results, many);
    hd_study_check(s, known, known ? fattree_accepted_ratio(results, many, few).mean : 0,
                   STUDY_AT_LEAST,
                   meshes_known ? fattree_accepted_ratio(results, large, small).mean : 0,
                   "%s: accepted with 8 pods over 4; asked: mesh 8x8 over 4x4", both[i]);
  }
}

static void judge_linear(const void *results, statement *s)
{
  for (int n = 0; n < SIZES; n++)
    for (int i = 0; there(results, trees[n]) && i < BOTH; i++) {
      const struct fattree_curve *curve = fattree_find(results, trees[n], both[i], FATTREE_UNIFORM);
      bool known = fattree_complete(results, curve);
      hd_study_check(s, known, known ? load_at(curve, last_below(results, curve)) : 0,
                     STUDY_AT_LEAST, most_measured, "%s, %s: load up to which reception is linear",
                     trees[n], both[i]);
    }
}

static void judge_accepts_more(const void *results, statement *s)
{
  const struct fattree_results *r = results;
  for (int i = 0; i < SIZES; i++) {
    const struct fattree_curve *adaptive = fattree_find(r, trees[i], "adaptive", FATTREE_UNIFORM);
    const struct fattree_curve *position = fattree_find(r, trees[i], "position", FATTREE_UNIFORM);
    bool known = fattree_complete(r, adaptive) && fattree_complete(r, position);
    if (adaptive && position)
      hd_study_check(s, known, known ? fattree_accepted_ratio(r, adaptive, position).mean : 0,
                     STUDY_AT_LEAST, great, "%s: accepted, adaptive over position", trees[i]);
  }
}

static double blocked_at(const struct fattree_results *r, const struct fattree_curve *curve,
                         uint32_t place)
{
  return fattree_blocked(r, &curve->points[place]).mean;
}

/* Compares adaptive routing with routing by position at the highest load that position accepts.
 * There both receive what is offered. */
static void where_position_is_well(const struct fattree_results *r, statement *s,
                                   const char *const networks[SIZES], const char *what,
                                   double (*of)(const struct fattree_results *r,
                                                const struct fattree_curve *curve, uint32_t place))
{
  for (int n = 0; n < SIZES; n++) {
    const char *network = networks[n];
    if (!there(r, network))
      continue;
    const struct fattree_curve *position = fattree_find(r, network, "position", FATTREE_UNIFORM);
    const struct fattree_curve *adaptive = fattree_find(r, network, "adaptive", FATTREE_UNIFORM);
    bool known = fattree_complete(r, position) && fattree_complete(r, adaptive);
    uint32_t place = known ? last_below(r, position) : 0;
    hd_study_check(s, known, known ? of(r, adaptive, place) / of(r, position, place) : 0,
                   STUDY_AT_MOST, much_less, "%s at %.2f: %s, adaptive over position", network,
                   load_at(position, place), what);
  }
}

static void judge_alleviates(const void *results, statement *s)
{
  where_position_is_well(results, s, trees, "latency", latency_at);
}

static void judge_alleviates_one(const void *results, statement *s)
{
  where_position_is_well(results, s, edges, "latency", latency_at);
}

static void judge_competition(const void *results, statement *s)
{
  where_position_is_well(results, s, trees, "blocked flit-cycles a packet", blocked_at);
  where_position_is_well(results, s, edges, "blocked flit-cycles a packet", blocked_at);
}

static void judge_one_up_port(const void *results, statement *s)
{
  for (uint32_t i = 0; i < fattree_n_networks; i++) {
    const struct fattree_network *network = &fattree_networks[i];
    const struct fattree_curve *curve =
        fattree_find(results, network->name, "position", FATTREE_UNIFORM);
    double n = network->nodes, e = hd_topology_edge_nodes(&network->shape);
    if (!curve || network->family != FATTREE_TREE)
      continue;
    hd_study_check(s, fattree_complete(results, curve), fattree_most_accepted(results, curve).mean,
                   STUDY_AT_MOST, (n - 1) / (e * (n - e)), "%s: accepted by position",
                   network->name);
  }
}

/* Compares adaptive routing with a deterministic one on each network that has the traffic.
 * Adaptive routing accepts no less if the ratio is at most its confidence interval below 1. */
static void against(const struct fattree_results *r, statement *s,
                    const char *const networks[SIZES], const char *base,
                    enum fattree_traffic traffic)
{
  for (int n = 0; n < SIZES; n++) {
    const struct fattree_curve *adaptive = fattree_find(r, networks[n], "adaptive", traffic);
    const struct fattree_curve *other = fattree_find(r, networks[n], base, traffic);
    if (!adaptive || !other)
      continue;
    bool known = fattree_complete(r, adaptive) && fattree_complete(r, other);
    struct hd_mean ratio = {0};
    if (known)
      ratio = fattree_accepted_ratio(r, adaptive, other);
    hd_study_check(s, known, ratio.mean, STUDY_AT_LEAST,
                   1 - (isfinite(ratio.half_width) ? ratio.half_width : 0),
                   "%s, %s: accepted, adaptive over %s", networks[n], fattree_traffic_name(traffic),
                   base);
  }
}

static void judge_by_destination(const void *results, statement *s)
{
  for (enum fattree_traffic traffic = FATTREE_UNIFORM; traffic < FATTREE_TRAFFICS; traffic++)
    against(results, s, trees, "minimal", traffic);
}

static void judge_on_meshes(const void *results, statement *s)
{
  for (enum fattree_traffic traffic = FATTREE_UNIFORM; traffic < FATTREE_TRAFFICS; traffic++)
    against(results, s, meshes, "dimension-order", traffic);
}

const struct hd_study_judge fattree_judges_of_load[] = {
    {"lower-latency", judge_lower},
    {"more-consistent-latency", judge_steady},
    {"meshes-rise", judge_meshes_rise},
    {"scalability", judge_scale},
    {"linear-reception", judge_linear},
    {"adaptive-alleviates", judge_alleviates},
    {"adaptive-alleviates-one-node", judge_alleviates_one},
    {"avoids-competition", judge_competition},
    {"adaptive-accepts-more", judge_accepts_more},
    {"one-up-port", judge_one_up_port},
    {"adaptive-over-minimal", judge_by_destination},
    {"adaptive-on-meshes", judge_on_meshes},
    {0}};
