/* A fabric as an SVG file.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TOPO_SVG_H
#define HD_TOPO_SVG_H

#include "../../cmodel/topology/topology.h"
#include "../host/text.h"

/** Adds a topology of hd_topology_build as SVG: switches, links and nodes at the positions that
 *  the page of a run uses. */
void hd_topo_svg(const struct hd_topology *topology, const char *title, struct hd_text *text);

#endif
