/* Reads the output of `heddle topo --links json`.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph_reader.h"

#include "../../cmodel/switch/params.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static int number_of(json_t *json, uint32_t most)
{
  json_int_t n = json_is_integer(json) ? json_integer_value(json) : -1;
  return n < 0 || n > (json_int_t)most ? -1 : (int)n;
}

static void give_vertices(const struct hd_graph_sink *sink, char letter, int n)
{
  char name[16];
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "%c%d", letter, i);
    sink->vertex(sink->context, &(struct hd_graph_vertex){name, NULL, -1});
  }
}

/* {"node": 0, "switch": 0, "port": 4}, or {"switch": [0, 1], "port": [0, 1]} */
static bool give_link(const struct hd_graph_sink *sink, int nodes, int switches, json_t *link)
{
  json_t *node = json_object_get(link, "node"), *sw = json_object_get(link, "switch"),
         *port = json_object_get(link, "port"), *way = json_object_get(link, "one_way"),
         *cycles = json_object_get(link, "cycles");
  int a = number_of(node ? node : json_array_get(sw, 0), (uint32_t)(node ? nodes : switches) - 1);
  int b = number_of(node ? sw : json_array_get(sw, 1), (uint32_t)switches - 1);
  int a_port = node ? -1 : number_of(json_array_get(port, 0), HD_MAX_PORTS - 1);
  int b_port = number_of(node ? port : json_array_get(port, 1), HD_MAX_PORTS - 1);
  if (a < 0 || b < 0 || b_port < 0 || (!node && a_port < 0) || (way && !json_is_string(way)) ||
      (cycles && number_of(cycles, HD_LINK_CYCLES_MAX) < 1))
    return false;
  struct hd_graph_edge e = {(uint32_t)(node ? a : nodes + a),
                            (uint32_t)(nodes + b),
                            a_port,
                            b_port,
                            way != NULL,
                            false,
                            cycles ? (uint32_t)json_integer_value(cycles) : 0};
  if (way && !strcmp(json_string_value(way), "to the node"))
    e = (struct hd_graph_edge){e.b, e.a, b_port, -1, true, false, 0};
  sink->edge(sink->context, &e);
  return true;
}

int hd_graph_read_json(const struct hd_topology_text *text, struct hd_graph_sink *sink,
                       struct hd_error *err)
{
  json_error_t error;
  json_t *json = json_loadb(text->chars, text->length, 0, &error),
         *links = json_object_get(json, "links"), *link;
  int nodes = number_of(json_object_get(json, "nodes"), HD_MAX_NODES);
  int switches = number_of(json_object_get(json, "switches"), HD_MAX_SWITCHES), status = HD_OK;
  size_t i;
  if (!json)
    return hd_fail(err, HD_E_INPUT, "%.200s:%d: %s", text->name, error.line, error.text);
  if (nodes < 1 || switches < 1 || !json_is_array(links)) {
    status = hd_fail(err, HD_E_INPUT,
                     "%.200s: no graph as `heddle topo --links json` writes it: that has nodes, "
                     "switches and links",
                     text->name);
  } else {
    give_vertices(sink, 'n', nodes);
    give_vertices(sink, 's', switches);
    json_array_foreach(links, i, link) if (!status && !give_link(sink, nodes, switches, link))
        status = hd_fail(
            err, HD_E_INPUT,
            "%.200s: links[%zu]: legal: node, switch and port, or two switches and their ports, "
            "as numbers of this fabric",
            text->name, i);
  }
  json_decref(json);
  return status;
}
