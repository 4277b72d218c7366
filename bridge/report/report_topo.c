/* Describes a fabric: distances, ways and link lists.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report_topo.h"

#include "../graphs/graphs.h"
#include "../host/memory.h"
#include "../render/render.h"

#include <stdlib.h>
#include <string.h>

static const struct hd_peer *peer_of(const struct hd_topology *t, uint32_t sw, uint32_t port)
{
  return &t->peers[(size_t)sw * t->ports + port];
}

/* Lengths of ways in switches: the longest, and sum and number for the mean. */
struct ways {
  uint32_t longest;
  uint64_t sum, n;
};

/* Measures the ways of all pairs of nodes by following the tables. */
static int ways_of_pairs(const struct hd_topology *t, const struct hd_tables *tables,
                         struct ways *ways, struct hd_error *err)
{
  uint16_t *path = hd_xmalloc(t->n_switches * sizeof *path);
  int status = HD_OK;
  for (uint32_t s = 0; s < t->n_nodes && status >= 0; s++)
    for (uint32_t d = 0; d < t->n_nodes && status >= 0; d++) {
      if (s == d)
        continue;
      status = hd_routing_path(tables, t, s, d, path, t->n_switches, err);
      if (status < 0)
        break;
      ways->sum += (uint64_t)status;
      ways->n++;
      ways->longest = (uint32_t)status > ways->longest ? (uint32_t)status : ways->longest;
    }
  free(path);
  return status < 0 ? status : HD_OK;
}

/* Lengths of the ways from one switch and input port to all destinations. */
struct turn {
  uint16_t *rest; /* [destination]: number of switches from here on; NULL: not yet computed */
  uint64_t sum;   /* sum of `rest` */
  /* A destination with the largest `rest`, that value, and the largest of the other destinations */
  uint32_t farthest, longest, second;
};

/* Returns the number of switches before the one in which packets from `source` by node `by`
 * turn, and sets *at to that switch. UINT32_MAX: they do not turn. */
static uint32_t before_turn(const struct hd_topology *t, const struct hd_tables *tables,
                            uint32_t source, uint32_t by, struct hd_peer *at)
{
  *at = t->node_peers[source];
  for (uint32_t n = 0; n < t->n_switches * t->ports; n++) {
    bool turned = false;
    uint16_t entry = hd_routing_entry_by(tables, at, by, by, &turned);
    if (turned)
      return n;
    if ((entry & 15u) >= t->ports)
      break;
    *at = *peer_of(t, at->index, entry & 15u);
    if (at->kind != HD_PEER_SWITCH)
      break;
  }
  return UINT32_MAX;
}

static void follow_turn(const struct hd_topology *t, const struct hd_tables *tables,
                        const struct hd_peer *at, struct turn *turn)
{
  turn->rest = hd_xcalloc(t->n_nodes, sizeof *turn->rest);
  for (uint32_t d = 0; d < t->n_nodes; d++) {
    uint32_t n = 0;
    for (struct hd_peer from = *at; from.kind == HD_PEER_SWITCH && n <= t->n_switches; n++) {
      uint32_t port = hd_routing_entry(tables, &from, 0, d) & 15u;
      from = *peer_of(t, from.index, port < t->ports ? port : 0);
    }
    turn->rest[d] = (uint16_t)n;
    turn->sum += n;
    if (n > turn->longest) {
      turn->second = turn->longest;
      turn->longest = n;
      turn->farthest = d;
    } else if (n > turn->second) {
      turn->second = n;
    }
  }
}

/* Measures the ways of packets that go by a drawn node first. The part after the turn depends on
 * the switch and port of the turn only, so it is computed once for each of these: there are too
 * many ways to follow every one. */
static int ways_by_nodes(const struct hd_topology *t, const struct hd_tables *tables,
                         struct ways *ways, struct hd_error *err)
{
  const size_t states = (size_t)t->n_switches * t->ports;
  struct turn *turns = hd_xcalloc(states, sizeof *turns);
  int status = HD_OK;
  for (uint32_t s = 0; s < t->n_nodes && !status; s++)
    for (uint32_t by = 0; by < t->n_nodes && !status; by++) {
      struct hd_peer at;
      uint32_t before = before_turn(t, tables, s, by, &at);
      if (before == UINT32_MAX) {
        status = hd_fail(err, HD_E_INPUT, "packets from n%u by n%u never turn", s, by);
        break;
      }
      struct turn *turn = &turns[(size_t)at.index * t->ports + at.port];
      if (!turn->rest)
        follow_turn(t, tables, &at, turn);
      uint32_t most = before + (turn->farthest == s ? turn->second : turn->longest);
      ways->sum += turn->sum - turn->rest[s] + (uint64_t)before * (t->n_nodes - 1);
      ways->n += t->n_nodes - 1;
      ways->longest = most > ways->longest ? most : ways->longest;
    }
  for (size_t i = 0; i < states; i++)
    free(turns[i].rest);
  free(turns);
  return status;
}

/* Writes the bisection by its closed form, or the one that a search finds. */
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

int hd_topo_summary(const struct hd_scenario *scenario, const struct hd_topology *t,
                    const struct hd_tables *tables, struct hd_text *text, struct hd_error *err)
{
  uint32_t unused = 0;
  double pairs = (double)t->n_nodes * (t->n_nodes - 1.0);
  bool by_nodes = tables->draws == hd_routing_draw_any; /* false: ways are the shortest */
  struct ways w = {0};
  struct hd_topology_figures counted;
  bool one_way = hd_topology_one_way(t);
  for (uint32_t i = 0; i < t->n_switches * t->ports; i++)
    unused += t->peers[i].kind == HD_PEER_NONE && t->senders[i].kind == HD_PEER_NONE;
  const bool counts = t->n_nodes <= HD_MAX_NODES; /* a larger network has too many pairs */
  int status = HD_OK;
  hd_topology_closed_forms(t, &counted);
  if (counts)
    status = hd_topology_measure(t, &counted, err);
  if (!status && counts)
    status = (by_nodes ? ways_by_nodes : ways_of_pairs)(t, tables, &w, err);
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
  if (t->link_cycles)
    hd_text_add(text, "  links of their own  up to %s\n",
                hd_count(hd_topology_longest_link(t, 0), "cycle").text);
  hd_text_add(text, "  diameter            %s between switches\n",
              hd_count(counted.diameter, "link").text);
  hd_text_add(text, "  average distance    %.3f links between switches, of a packet\n",
              (double)counted.distance / pairs);
  bisection(t, &counted, text);
  hd_text_add(text, "  routing             %s%s%s; ",
              hd_routing_kind_name(scenario->routing.algorithm),
              scenario->routing.always_top ? ", always to the top" : "",
              tables->computes ? ", computed by the switches" : "");
  if (counts)
    hd_text_add(text, "longest way%s %s, mean %.3f\n",
                by_nodes       ? ", by all nodes,"
                : tables->sets ? " out, by table entries,"
                               : "",
                hd_count(w.longest, "switch").text, w.n ? (double)w.sum / (double)w.n : 0.0);
  else
    hd_text_add(text, "figures are closed forms (§%s), ways were not followed\n",
                hd_topologies[t->kind]->section);
  hd_text_add(text, "  deadlock rule       %s\n",
              scenario->routing.deadlock_check ? "kept: no cycle of channels"
                                               : "not checked (routing.deadlock_check: false)");
  return HD_OK;
}

/* Adds the allowed channels, unless all are allowed. */
static void add_channels(uint32_t vcs, unsigned mask, struct hd_text *text)
{
  const unsigned all = (1u << vcs) - 1;
  if ((mask & all) == all)
    return;
  hd_text_add(text, " on vc");
  for (unsigned v = 0; v < vcs; v++)
    if (mask >> v & 1)
      hd_text_add(text, " %u", v);
}

/* Adds the ports that an adaptive switch can choose from. */
static void add_choices(const struct hd_topology *t, const struct hd_tables *tables,
                        const struct hd_peer *at, uint32_t destination, uint32_t vcs,
                        struct hd_text *text)
{
  size_t row = ((size_t)at->index * t->ports + at->port) * t->n_nodes;
  unsigned set = tables->sets[row + destination];
  const char *before = ", or chosen: port";
  for (uint32_t p = 0; p < t->ports; p++)
    if (set >> p & 1) {
      hd_text_add(text, "%s %u", before, p);
      before = " or";
    }
  if (set)
    add_channels(vcs, tables->adapt, text);
}

/* Says that a way is one of several, if packets of the pair can take others. */
static void add_other_ways(const struct hd_tables *tables, uint32_t source, uint32_t by,
                           uint32_t destination, struct hd_text *text)
{
  if (tables->sets)
    hd_text_add(text, "This is the way out, by table entries: each switch chooses among its ports "
                      "by free credits (§10.4).\n");
  if (tables->header_mode == 3)
    hd_text_add(text,
                "Each packet draws a node to go by. So goes one that draws node %u; --path "
                "%u:NODE:%u shows others.\n",
                by, source, destination);
}

/* Tests whether any packet of the pair goes by node *by. If *by is the source, and no packet
 * goes by that, sets *by to a node that some packets go by. */
static bool goes_by(const struct hd_topology *t, const struct hd_tables *tables, uint32_t source,
                    uint32_t *by, uint32_t destination)
{
  for (uint32_t i = 0; i < t->n_nodes; i++)
    if (hd_routing_drawn(tables, t, source, destination, i) == *by)
      return true;
  if (*by != source)
    return false;
  *by = hd_routing_drawn(tables, t, source, destination, 0);
  return true;
}

int hd_topo_path(const struct hd_topology *t, const struct hd_tables *tables, uint32_t vcs,
                 uint32_t source, uint32_t by, uint32_t destination, struct hd_text *text,
                 struct hd_error *err)
{
  const uint32_t most = 2 * t->n_switches;
  if (source >= t->n_nodes || by >= t->n_nodes || destination >= t->n_nodes)
    return hd_fail(err, HD_E_INPUT, "no way from node %u to node %u: nodes are 0 to %u", source,
                   by >= t->n_nodes ? by : destination, t->n_nodes - 1);
  if (tables->header_mode != 3 && by != source)
    return hd_fail(err, HD_E_INPUT,
                   "no way by node %u: with this routing no packet draws a node to go by", by);
  if (tables->header_mode == 3 && !goes_by(t, tables, source, &by, destination))
    return hd_fail(err, HD_E_INPUT, "no packet from node %u to node %u goes by node %u; some by %u",
                   source, destination, by, hd_routing_drawn(tables, t, source, destination, 0));
  uint16_t *path = hd_xmalloc(most * sizeof *path);
  int n = hd_routing_path_by(tables, t, source, by, destination, path, most, err);
  free(path);
  if (n < 0)
    return n;
  hd_text_add(text, "node %u\n", source);
  struct hd_peer at = t->node_peers[source];
  bool turned = tables->header_mode != 3, was = turned;
  for (int i = 0; i < n; i++) {
    uint16_t entry = was ? hd_routing_entry(tables, &at, source, destination)
                         : hd_routing_entry_by(tables, &at, by, destination, &turned);
    hd_text_add(text, "  switch %-5u in by port %-3u out by port %u", at.index, at.port,
                entry & 15u);
    add_channels(vcs, entry >> 4 & 0xff, text);
    if (tables->sets)
      add_choices(t, tables, &at, destination, vcs, text);
    hd_text_add(text, turned && !was ? ", turns\n" : "\n");
    was = turned;
    at = *peer_of(t, at.index, entry & 15u);
  }
  hd_text_add(text, "node %u: %s\n", destination, hd_count((uint64_t)n, "switch").text);
  add_other_ways(tables, source, by, destination, text);
  return HD_OK;
}

/* ── tables as in a graph file (§5.27) ───────────────────────────────────────── */

struct routes {
  const struct hd_topology *t;
  const struct hd_tables *tables;
  uint32_t vcs;
  struct hd_text *text;
};

static void list_bits(struct hd_text *text, unsigned set)
{
  const char *before = "";
  for (; set; set &= set - 1) {
    hd_text_add(text, "%s%d", before, __builtin_ctz(set));
    before = " ";
  }
}

static void list_channels(const struct routes *r, unsigned mask)
{
  const unsigned all = (1u << r->vcs) - 1;
  if ((mask & all) == all)
    hd_text_add(r->text, "*");
  else
    list_bits(r->text, mask & all);
}

/* Table entries of an input port, and its port sets. */
struct row {
  uint16_t *entries, *sets; /* sets NULL: the tables have none */
};

static void read_row(const struct routes *r, bool from, uint32_t sw, uint32_t port, struct row *row)
{
  const uint32_t n = r->t->n_nodes;
  for (uint32_t node = 0; node < n; node++)
    row->entries[node] = (from ? hd_routing_from : hd_routing_to)(r->tables, sw, port, node);
  if (row->sets)
    memcpy(row->sets, r->tables->sets + ((size_t)sw * r->t->ports + port) * n,
           n * sizeof *row->sets);
}

static bool same_rows(const struct routes *r, const struct row *a, const struct row *b)
{
  const size_t bytes = r->t->n_nodes * sizeof *a->entries;
  return !memcmp(a->entries, b->entries, bytes) && (!a->sets || !memcmp(a->sets, b->sets, bytes));
}

/* Lists one row. Neighbouring nodes with equal entries share a line. `port`: such as ":2", or
 * empty. */
static void list_row(const struct routes *r, const char *word, const struct row *of, uint32_t sw,
                     const char *port)
{
  const uint32_t n = r->t->n_nodes;
  const uint16_t *row = of->entries, *sets = of->sets;
  for (uint32_t first = 0, last; first < n; first = last + 1) {
    for (last = first;
         last + 1 < n && row[last + 1] == row[first] && (!sets || sets[last + 1] == sets[first]);
         last++)
      ;
    if (!(row[first] >> 12 & 1))
      continue;
    hd_text_add(r->text, "%s,s%u%s,n%u", word, sw, port, first);
    if (last > first)
      hd_text_add(r->text, "-%u", last);
    hd_text_add(r->text, ",%u,", row[first] & 15u);
    list_channels(r, row[first] >> 4 & 0xff);
    if (sets && sets[first]) {
      hd_text_add(r->text, ",");
      list_bits(r->text, sets[first]);
    }
    hd_text_add(r->text, "\n");
  }
}

/* Lists a switch's entries, only once if they are equal at all input ports that have a link.
 * rows[2]: memory for two rows. */
static void list_table(const struct routes *r, const char *word, bool from, uint32_t sw,
                       struct row rows[2])
{
  const struct hd_topology *t = r->t;
  const struct hd_peer *senders = t->senders + (size_t)sw * t->ports;
  uint32_t base = 0;
  bool same = true;
  while (base < t->ports && senders[base].kind == HD_PEER_NONE)
    base++;
  for (uint32_t p = base; p < t->ports && same; p++) {
    if (senders[p].kind == HD_PEER_NONE)
      continue;
    read_row(r, from, sw, p, &rows[p > base]);
    same = p == base || same_rows(r, &rows[0], &rows[1]);
  }
  for (uint32_t p = base; p < (same && base < t->ports ? base + 1 : t->ports); p++) {
    char port[12] = "";
    if (!same)
      snprintf(port, sizeof port, ":%u", p);
    if (senders[p].kind == HD_PEER_NONE)
      continue;
    read_row(r, from, sw, p, &rows[0]);
    list_row(r, word, &rows[0], sw, port);
  }
}

void hd_topo_routes(const struct hd_topology *t, const struct hd_tables *tables, uint32_t vcs,
                    struct hd_text *text)
{
  const struct routes r = {t, tables, vcs, text};
  const size_t n = t->n_nodes;
  uint16_t *room = hd_xcalloc(4 * n, sizeof *room);
  struct row to[2] = {{room, tables->sets ? room + 2 * n : NULL},
                      {room + n, tables->sets ? room + 3 * n : NULL}};
  struct row from[2] = {{room, NULL}, {room + n, NULL}};
  hd_graph_add_csv(t, text);
  if (tables->sets) {
    hd_text_add(text, "chosen,");
    list_channels(&r, tables->adapt);
    hd_text_add(text, "\n");
  }
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    list_table(&r, "to", false, sw, to);
    if (tables->header_mode)
      list_table(&r, tables->header_mode == 3 ? "by" : "from", true, sw, from);
  }
  free(room);
}

static char end_letter(const struct hd_peer *end)
{
  return end->kind == HD_PEER_NODE ? 'n' : 's';
}

static void dot_link(void *context, const struct hd_graph_link *link)
{
  const struct hd_peer *a = &link->a, *b = &link->b;
  hd_text_add(context, "  %c%u -- %c%u [", end_letter(a), a->index, end_letter(b), b->index);
  if (a->kind == HD_PEER_SWITCH)
    hd_text_add(context, "taillabel=\"%u\"%s", a->port, b->kind == HD_PEER_SWITCH ? ", " : "");
  if (b->kind == HD_PEER_SWITCH)
    hd_text_add(context, "headlabel=\"%u\"", b->port);
  if (link->cycles)
    hd_text_add(context, ", cycles=%u", (unsigned)link->cycles);
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
  hd_graph_for_links(topology, dot_link, text);
  hd_text_add(text, "}\n");
}

static void json_link(void *context, const struct hd_graph_link *l)
{
  bool out = l->b.kind == HD_PEER_NODE;
  const struct hd_peer *node = out ? &l->b : &l->a, *sw = out ? &l->a : &l->b;
  json_t *link = node->kind == HD_PEER_NODE
                     ? json_pack("{s:i,s:i,s:i}", "node", (int)node->index, "switch",
                                 (int)sw->index, "port", (int)sw->port)
                     : json_pack("{s:[i,i],s:[i,i]}", "switch", (int)l->a.index, (int)l->b.index,
                                 "port", (int)l->a.port, (int)l->b.port);
  if (l->cycles)
    json_object_set_new(link, "cycles", json_integer(l->cycles));
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
  hd_graph_for_links(t, json_link, links);
  json_t *json = json_pack("{s:s,s:i,s:i,s:i,s:o}", "name", name, "nodes", (int)t->n_nodes,
                           "switches", (int)t->n_switches, "ports", (int)t->ports, "links", links);
  return hd_json_add(json, 0, text, err);
}
