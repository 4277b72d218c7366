/* A fabric as an SVG file: the drawing of a run's page, without a run.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "topo_svg.h"

#include "../host/memory.h"

#include "run_data.h"

#include <stdlib.h>

struct hd_run_data hd_run_data_alone(const struct hd_topology *t)
{
  struct hd_run_data d = {.topology = hd_topologies[t->kind],
                          .fabric = *t,
                          .n_switches = t->n_switches,
                          .n_nodes = t->n_nodes};
  d.links = hd_xcalloc((size_t)t->n_switches * t->ports, sizeof *d.links);
  for (uint32_t i = 0; i < t->n_switches * t->ports; i++) {
    const struct hd_peer *peer = &t->peers[i];
    if (peer->kind != HD_PEER_NONE)
      d.links[d.n_links++] = (struct hd_run_link){.sw = i / t->ports,
                                                  .port = i % t->ports,
                                                  .peer = peer->index,
                                                  .peer_port = peer->port,
                                                  .to_node = peer->kind == HD_PEER_NODE};
  }
  return d;
}

void hd_topo_svg(const struct hd_topology *t, const char *title, struct hd_text *text)
{
  struct hd_run_data d = hd_run_data_alone(t);
  hd_run_fabric_svg(&d, title, text);
  free(d.links);
}
