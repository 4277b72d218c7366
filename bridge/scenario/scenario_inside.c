/* Builds the fabric inside a network that is the DUT.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_inside.h"

#include "../host/file.h"
#include "../host/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_file(const char *text)
{
  const size_t n = strlen(text);
  return n > 4 && !strcmp(text + n - 4, ".csv");
}

/* Reads sizes of dimensions, such as "3x3". */
static bool read_dims(struct hd_inside *inside, const char *at)
{
  inside->nodes = 1;
  while (inside->n_dims < sizeof inside->dims / sizeof *inside->dims) {
    const size_t digits = strspn(at, "0123456789");
    const uint32_t size = digits && digits < 5 ? (uint32_t)strtoul(at, NULL, 10) : 0;
    if (!size || inside->nodes * size > HD_MAX_NODES)
      return false;
    inside->dims[inside->n_dims++] = size;
    inside->nodes *= size;
    at += digits;
    if (!*at)
      return inside->nodes >= 2;
    if (*at++ != 'x')
      return false;
  }
  return false;
}

bool hd_inside_parse(struct hd_inside *inside, const char *text)
{
  *inside = (struct hd_inside){.is = HD_INSIDE_UNKNOWN};
  if (!strcmp(text, "unknown"))
    return true;
  inside->is = is_file(text) ? HD_INSIDE_FILE : HD_INSIDE_GRID;
  if (inside->is == HD_INSIDE_FILE)
    return true;
  inside->kind = !strncmp(text, "torus ", 6) ? HD_TOPO_TORUS : HD_TOPO_MESH;
  const char *name = hd_topology_kind_name(inside->kind);
  const size_t n = strlen(name);
  return !strncmp(text, name, n) && text[n] == ' ' && read_dims(inside, text + n + 1);
}

static int fail_inside(const struct hd_scenario *s, int status, const char *what,
                       struct hd_error *err)
{
  return hd_fail(err, status, "%s:%" PRIu32 ": fabric.inside: %s", s->path,
                 hd_scenario_line(s, "fabric.inside"), what);
}

int hd_inside_build(struct hd_topology *inner, const struct hd_inside *inside, const char *text,
                    const char *path, struct hd_error *err)
{
  struct hd_topology_shape shape = {.n_dims = inside->n_dims};
  memcpy(shape.dims, inside->dims, sizeof inside->dims);
  if (inside->is != HD_INSIDE_FILE)
    return hd_topology_build(inner, inside->kind, &shape, NULL, err);
  shape.n_dims = 0;
  char *chars = NULL, *file = hd_file_beside(path, text);
  size_t length = 0;
  int status = hd_file_regular(file, 1 << 20, &chars, &length, err);
  if (!status) {
    const struct hd_topology_text graph = {chars, file, length};
    status = hd_topology_build(inner, HD_TOPO_GRAPH, &shape, &graph, err);
  }
  free(chars);
  free(file);
  return status;
}

int hd_scenario_inside(const struct hd_scenario *s, uint32_t nodes, struct hd_topology *inner,
                       struct hd_error *err)
{
  struct hd_inside inside;
  struct hd_error why = {""};
  char what[300];
  int status = HD_OK;
  memset(inner, 0, sizeof *inner);
  if (!hd_inside_parse(&inside, s->fabric.inside)) /* hd_scenario_read has refused this already */
    return fail_inside(s, HD_E_INTERNAL, HD_INSIDE_LEGAL, err);
  if (inside.is == HD_INSIDE_UNKNOWN)
    return HD_OK;
  status = hd_inside_build(inner, &inside, s->fabric.inside, s->path, &why);
  if (status)
    fail_inside(s, status, why.text, err);
  if (status || inner->n_nodes == nodes)
    return status;
  snprintf(what, sizeof what, "it has %" PRIu32 " nodes, the network has %" PRIu32 " endpoints",
           inner->n_nodes, nodes);
  hd_topology_fini(inner);
  return fail_inside(s, HD_E_INPUT, what, err);
}

/* Sets far[] to the number of links from switch `from` to each switch, by breadth-first search. */
static void count_links(const struct hd_topology *t, uint32_t from, uint16_t *far, uint32_t *queue)
{
  uint32_t n = 0;
  memset(far, 0xff, t->n_switches * sizeof *far);
  far[from] = 0;
  queue[n++] = from;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t port = 0; port < t->ports; port++) {
      const struct hd_peer *to = &t->peers[(size_t)queue[i] * t->ports + port];
      if (to->kind != HD_PEER_SWITCH || far[to->index] != UINT16_MAX)
        continue;
      far[to->index] = (uint16_t)(far[queue[i]] + 1);
      queue[n++] = to->index;
    }
}

uint16_t *hd_inside_distances(const struct hd_topology *t)
{
  uint16_t *far = hd_xmalloc(t->n_switches * sizeof *far);
  uint32_t *queue = hd_xmalloc(t->n_switches * sizeof *queue);
  uint16_t *distances = hd_xmalloc((size_t)t->n_nodes * t->n_nodes * sizeof *distances);
  for (uint32_t source = 0; source < t->n_nodes; source++) {
    count_links(t, t->node_peers[source].index, far, queue);
    for (uint32_t node = 0; node < t->n_nodes; node++)
      distances[(size_t)source * t->n_nodes + node] = far[t->node_exits[node].index];
  }
  free(far);
  free(queue);
  return distances;
}
