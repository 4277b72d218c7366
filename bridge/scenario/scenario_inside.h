/* Builds the fabric inside a network that is the DUT (specification §6.8): `fabric.inside` of a scenario.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Legal are "mesh 3x3", "torus 4x4x2", the name of a graph file (.csv, §5.5), and "unknown". The
 * links are only counted for reports; nothing is routed by them.
 */
#ifndef HD_SCENARIO_INSIDE_H
#define HD_SCENARIO_INSIDE_H

#include "scenario.h"

/** Legal values, for messages. */
#define HD_INSIDE_LEGAL "mesh 3x3, torus 4x4, a graph file NAME.csv, or unknown"

struct hd_inside {
  enum { HD_INSIDE_UNKNOWN, HD_INSIDE_GRID, HD_INSIDE_FILE } is;
  enum hd_topology_kind kind; /* mesh or torus, if it is a grid: */
  uint32_t dims[7], n_dims;
  uint32_t nodes;
};

/** Reads the value of the key. False: it is not legal. Opens no file. */
bool hd_inside_parse(struct hd_inside *inside, const char *text);

/** Builds the links inside from a legal value. The path of a graph file is relative to the file
 * `path`. HD_E_INPUT: there is no such topology; HD_E_IO. The caller frees *inner by
 * hd_topology_fini. */
int hd_inside_build(struct hd_topology *inner, const struct hd_inside *inside, const char *text,
                    const char *path, struct hd_error *err);

/** Builds the links inside; *inner is zeroed if they are unknown. HD_E_INPUT, with the
 *  scenario's line: there is no such topology, or it does not have `nodes` nodes; HD_E_IO. The
 *  caller frees *inner by hd_topology_fini. */
int hd_scenario_inside(const struct hd_scenario *scenario, uint32_t nodes,
                       struct hd_topology *inner, struct hd_error *err);

/** Returns the number of links on a shortest way between the switches of each pair of nodes,
 *  [n_nodes][n_nodes]. The caller frees it. */
uint16_t *hd_inside_distances(const struct hd_topology *inner);

#endif
