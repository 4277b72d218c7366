/* What a fabric is: distances, ways and link lists.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report_topo.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const struct hd_peer *peer_of(const struct hd_topology *t, uint32_t sw, uint32_t port)
{
  return &t->peers[(size_t)sw * t->ports + port];
}

/* Longest and mean way by the tables, in switches, over all pairs. */
static int ways(const struct hd_topology *t, const struct hd_tables *tables, uint32_t *longest,
                double *mean, struct hd_error *err)
{
  uint16_t *path = malloc(t->n_switches * sizeof *path);
  if (!path)
    return hd_fail(err, HD_E_NOMEM, "topology: out of memory");
  uint64_t sum = 0, pairs = 0;
  int status = HD_OK;
  *longest = 0;
  for (uint32_t s = 0; s < t->n_nodes && status >= 0; s++)
    for (uint32_t d = 0; d < t->n_nodes && status >= 0; d++) {
      if (s == d)
        continue;
      status = hd_routing_path(tables, t, s, d, path, t->n_switches, err);
      if (status < 0)
        break;
      sum += (uint64_t)status;
      pairs++;
      *longest = (uint32_t)status > *longest ? (uint32_t)status : *longest;
    }
  free(path);
  *mean = pairs ? (double)sum / (double)pairs : 0.0;
  return status < 0 ? status : HD_OK;
}

/* The closed form, or what a search for it finds. */
static void bisection(const struct hd_topology *t, const struct hd_topology_figures *counted,
                      struct hd_text *text)
{
  struct hd_topology_figures closed;
  hd_topology_closed_forms(t, &closed);
  if (closed.bisection != HD_NO_FIGURE)
    hd_text_add(text, "  bisection           %s, in closed form (§%s)\n",
                hd_count(closed.bisection, "link").text, hd_topologies[t->kind]->section);
  else if (counted->bisection != HD_NO_FIGURE)
    hd_text_add(text, "  bisection           %s, the least of all halves of the nodes\n",
                hd_count(counted->bisection, "link").text);
  else
    hd_text_add(text, "  bisection           not computed: there is no closed form, and too many "
                      "halves to try all\n");
}

/* Where packets take other ways than the tables' entries say: what these are. */
static const char *open_ways(const struct hd_tables *tables)
{
  return tables->sets               ? " out, by table entries,"
         : tables->header_mode == 3 ? " after its turn"
                                    : "";
}

int hd_topo_summary(const struct hd_scenario *scenario, const struct hd_topology *t,
                    const struct hd_tables *tables, struct hd_text *text, struct hd_error *err)
{
  uint32_t unused = 0, longest = 0;
  double mean = 0, pairs = (double)t->n_nodes * (t->n_nodes - 1.0);
  struct hd_topology_figures counted;
  bool one_way = hd_topology_one_way(t);
  for (uint32_t i = 0; i < t->n_switches * t->ports; i++)
    unused += t->peers[i].kind == HD_PEER_NONE && t->senders[i].kind == HD_PEER_NONE;
  int status = hd_topology_measure(t, &counted, err);
  if (!status)
    status = ways(t, tables, &longest, &mean, err);
  if (status)
    return status;
  hd_text_add(text, "%s: %s\n", scenario->name, hd_topology_kind_name(t->kind));
  hd_text_add(text, "  nodes               %u\n", t->n_nodes);
  hd_text_add(text, "  switches            %u of %s; %s without a link\n", t->n_switches,
              hd_count(t->ports, "port").text, hd_count(unused, "port").text);
  hd_text_add(text, "  links               %u between switches, %u %s nodes, %s each%s\n",
              (unsigned)counted.links, t->n_nodes, one_way ? "from and to" : "to",
              hd_count(scenario->fabric.link_cycles, "cycle").text,
              one_way ? "; a direction each" : "");
  hd_text_add(text, "  diameter            %s between switches\n",
              hd_count(counted.diameter, "link").text);
  hd_text_add(text, "  average distance    %.3f links between switches, of a packet\n",
              (double)counted.distance / pairs);
  bisection(t, &counted, text);
  hd_text_add(text, "  routing             %s%s; longest way%s %s, mean %.3f\n",
              hd_routing_kind_name(scenario->routing.algorithm),
              scenario->routing.always_top ? ", always to the top" : "", open_ways(tables),
              hd_count(longest, "switch").text, mean);
  hd_text_add(text, "  deadlock rule       %s\n",
              scenario->routing.deadlock_check ? "kept: no cycle of channels"
                                               : "not checked (routing.deadlock_check: false)");
  return text->failed ? hd_fail(err, HD_E_NOMEM, "topology: out of memory") : HD_OK;
}

/* The ports of a set but the table entry's. */
static void add_choices(const struct hd_topology *t, const struct hd_tables *tables,
                        const struct hd_peer *at, uint32_t destination, uint32_t port,
                        struct hd_text *text)
{
  size_t row = ((size_t)at->index * t->ports + at->port) * t->n_nodes;
  for (uint32_t p = 0; tables->sets && p < t->ports; p++)
    if (p != port && tables->sets[row + destination] >> p & 1)
      hd_text_add(text, " or %u", p);
}

int hd_topo_path(const struct hd_topology *t, const struct hd_tables *tables, uint32_t source,
                 uint32_t destination, struct hd_text *text, struct hd_error *err)
{
  if (source >= t->n_nodes || destination >= t->n_nodes)
    return hd_fail(err, HD_E_INPUT, "no way from node %u to node %u: nodes are 0 to %u", source,
                   destination, t->n_nodes - 1);
  uint16_t *path = malloc(t->n_switches * sizeof *path);
  if (!path)
    return hd_fail(err, HD_E_NOMEM, "topology: out of memory");
  int n = hd_routing_path(tables, t, source, destination, path, t->n_switches, err);
  free(path);
  if (n < 0)
    return n;
  hd_text_add(text, "node %u\n", source);
  struct hd_peer at = t->node_peers[source];
  for (int i = 0; i < n; i++) {
    uint32_t port = hd_routing_entry(tables, &at, source, destination) & 15u;
    hd_text_add(text, "  switch %-5u in by port %-3u out by port %u", at.index, at.port, port);
    add_choices(t, tables, &at, destination, port, text);
    hd_text_add(text, "\n");
    at = *peer_of(t, at.index, port);
  }
  hd_text_add(text, "node %u: %s\n", destination, hd_count((uint64_t)n, "switch").text);
  if (tables->sets)
    hd_text_add(text,
                "This is the way out, by table entries; the ports after it can be chosen, too.\n");
  if (tables->header_mode == 3)
    hd_text_add(text,
                "A packet goes so once it has gone by another node, which each packet draws.\n");
  return text->failed ? hd_fail(err, HD_E_NOMEM, "topology: out of memory") : HD_OK;
}

/* A link as it is written: in both directions, or from `a` to `b`. */
struct topo_link {
  struct hd_peer a, b;
  bool one_way;
};

static bool same_end(const struct hd_peer *a, const struct hd_peer *b)
{
  return a->kind == b->kind && a->index == b->index && a->port == b->port;
}

/* Calls `each` for every link once. */
static void for_links(const struct hd_topology *t,
                      void (*each)(void *context, const struct topo_link *link), void *context)
{
  for (uint32_t n = 0; n < t->n_nodes; n++) {
    struct hd_peer node = {HD_PEER_NODE, 0, (uint16_t)n};
    struct topo_link in = {node, t->node_peers[n], false}, out = {t->node_exits[n], node, true};
    in.one_way = !same_end(&in.b, &out.a);
    each(context, &in);
    if (in.one_way)
      each(context, &out);
  }
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    for (uint32_t p = 0; p < t->ports; p++) {
      const struct hd_peer *peer = peer_of(t, sw, p);
      struct topo_link l = {{HD_PEER_SWITCH, (uint8_t)p, (uint16_t)sw}, *peer, false};
      l.one_way = !same_end(peer, &t->senders[(size_t)sw * t->ports + p]);
      if (peer->kind == HD_PEER_SWITCH &&
          (l.one_way || peer->index > sw || (peer->index == sw && peer->port > p)))
        each(context, &l);
    }
}

static void csv_end(struct hd_text *text, const struct hd_peer *end)
{
  if (end->kind == HD_PEER_NODE)
    hd_text_add(text, "n%u", end->index);
  else
    hd_text_add(text, "s%u:%u", end->index, end->port);
}

static void csv_link(void *context, const struct topo_link *link)
{
  csv_end(context, &link->a);
  hd_text_add(context, ",");
  csv_end(context, &link->b);
  hd_text_add(context, link->one_way ? ",one-way\n" : "\n");
}

void hd_topo_csv(const struct hd_topology *topology, struct hd_text *text)
{
  /* The format of a graph file (§5.5), so that a fabric can be taken out, changed and used. */
  for_links(topology, csv_link, text);
}

static char end_letter(const struct hd_peer *end)
{
  return end->kind == HD_PEER_NODE ? 'n' : 's';
}

static void dot_link(void *context, const struct topo_link *link)
{
  const struct hd_peer *a = &link->a, *b = &link->b;
  hd_text_add(context, "  %c%u -- %c%u [", end_letter(a), a->index, end_letter(b), b->index);
  if (a->kind == HD_PEER_SWITCH)
    hd_text_add(context, "taillabel=\"%u\"%s", a->port, b->kind == HD_PEER_SWITCH ? ", " : "");
  if (b->kind == HD_PEER_SWITCH)
    hd_text_add(context, "headlabel=\"%u\"", b->port);
  hd_text_add(context, link->one_way ? ", dir=forward];\n" : "];\n");
}

void hd_topo_dot(const struct hd_topology *topology, const char *name, struct hd_text *text)
{
  hd_text_add(text, "graph \"");
  for (const char *c = name; *c; c++)
    hd_text_add(text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
  hd_text_add(text, "\" {\n  node [shape=box];\n");
  for (uint32_t n = 0; n < topology->n_nodes; n++)
    hd_text_add(text, "  n%u [shape=circle];\n", n);
  for_links(topology, dot_link, text);
  hd_text_add(text, "}\n");
}

static void json_link(void *context, const struct topo_link *l)
{
  bool out = l->b.kind == HD_PEER_NODE;
  const struct hd_peer *node = out ? &l->b : &l->a, *sw = out ? &l->a : &l->b;
  json_t *link = node->kind == HD_PEER_NODE
                     ? json_pack("{s:i,s:i,s:i}", "node", (int)node->index, "switch",
                                 (int)sw->index, "port", (int)sw->port)
                     : json_pack("{s:[i,i],s:[i,i]}", "switch", (int)l->a.index, (int)l->b.index,
                                 "port", (int)l->a.port, (int)l->b.port);
  if (l->one_way)
    json_object_set_new(link, "one_way",
                        json_string(node->kind != HD_PEER_NODE ? "to the second switch"
                                    : out                      ? "to the node"
                                                               : "to the switch"));
  json_array_append_new(context, link);
}

int hd_topo_json(const struct hd_topology *t, const char *name, struct hd_text *text,
                 struct hd_error *err)
{
  json_t *links = json_array();
  for_links(t, json_link, links);
  json_t *json = json_pack("{s:s,s:i,s:i,s:i,s:o}", "name", name, "nodes", (int)t->n_nodes,
                           "switches", (int)t->n_switches, "ports", (int)t->ports, "links", links);
  char *chars = json ? json_dumps(json, JSON_INDENT(2) | JSON_PRESERVE_ORDER) : NULL;
  json_decref(json);
  if (chars)
    hd_text_add(text, "%s\n", chars);
  free(chars);
  return chars && !text->failed ? HD_OK : hd_fail(err, HD_E_NOMEM, "topology: out of memory");
}
