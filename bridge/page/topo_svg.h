/* A fabric as a drawing of its own.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TOPO_SVG_H
#define HD_TOPO_SVG_H

#include "../../cmodel/topology/topology.h"
#include "../host/text.h"

/** Switches, links and nodes of a topology of hd_topology_build as SVG, placed as on the page of a run. */
void hd_topo_svg(const struct hd_topology *topology, const char *title, struct hd_text *text);

#endif
