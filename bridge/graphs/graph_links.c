/* Makes switches and nodes of a graph's vertices, makes links of its edges, and writes them as CSV.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph_links.h"

#include "../../cmodel/switch/params.h"
#include "../host/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A port has up to two edges, since a graph's links may go one way. */
enum { EDGES_MAX = 2 * HD_MAX_PORTS, NAME_SHOWN = 60 };

struct vertex {
  char *name;
  bool is_node;
  int32_t nodes;
  uint32_t number; /* of the switch or node */
  uint32_t n_edges, edges[EDGES_MAX];
};

struct edge {
  struct hd_graph_edge e;
  bool gone; /* it was merged into another edge */
};

struct hd_graph_links {
  const char *file;
  struct vertex *vertices;
  size_t n_vertices, cap_vertices;
  struct edge *edges;
  size_t n_edges, cap_edges;
  int status;
  struct hd_error err;
};

struct hd_graph_links *hd_graph_links_create(const char *name)
{
  struct hd_graph_links *g = hd_xcalloc(1, sizeof *g);
  g->file = name;
  return g;
}

void hd_graph_links_destroy(struct hd_graph_links *g)
{
  for (size_t i = 0; i < g->n_vertices; i++)
    free(g->vertices[i].name);
  free(g->vertices);
  free(g->edges);
  free(g);
}

static void refuse(struct hd_graph_links *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void refuse(struct hd_graph_links *g, const char *format, ...)
{
  char text[sizeof g->err.text];
  va_list args;
  if (g->status)
    return;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  g->status = hd_fail(&g->err, HD_E_INPUT, "%.200s: %.800s", g->file, text);
}

static bool is_end_of_network(const char *type)
{
  static const char *const ends[] = {"node",     "host",    "server", "endpoint",
                                     "terminal", "compute", "nic",    NULL};
  for (size_t i = 0; type && ends[i]; i++)
    if (!strcmp(type, ends[i]))
      return true;
  return false;
}

/* Reads names as Heddle writes them: "s12" or "n3". */
static bool own_name(const char *name, uint32_t *number)
{
  size_t digits = strspn(name + (*name != 0), "0123456789");
  if ((*name != 's' && *name != 'n') || !digits || digits > 6 || name[1 + digits])
    return false;
  *number = (uint32_t)strtoul(name + 1, NULL, 10);
  return true;
}

void hd_graph_links_vertex(void *context, const struct hd_graph_vertex *vertex)
{
  struct hd_graph_links *g = context;
  if (g->n_vertices >= HD_MAX_SWITCHES + HD_MAX_NODES) {
    refuse(g, "more than %d vertices; a fabric has at most %d switches and %d nodes",
           HD_MAX_SWITCHES + HD_MAX_NODES, HD_MAX_SWITCHES, HD_MAX_NODES);
    return;
  }
  HD_XROOM(g->vertices, g->cap_vertices, g->n_vertices, 1);
  g->vertices[g->n_vertices++] = (struct vertex){.name = hd_xstrndup(vertex->name, NAME_SHOWN),
                                                 .is_node = is_end_of_network(vertex->type),
                                                 .nodes = vertex->nodes < -1 ? -1 : vertex->nodes};
}

static struct hd_graph_edge *linked(const struct hd_graph_links *g, uint32_t a, uint32_t b)
{
  const struct vertex *v = &g->vertices[a];
  for (uint32_t i = 0; i < v->n_edges; i++) {
    struct hd_graph_edge *e = &g->edges[v->edges[i]].e;
    if (e->a == b || e->b == b)
      return e;
  }
  return NULL;
}

/* Merges two edges that are one link; the longer of their latencies counts. */
static void merge_edges(struct hd_graph_edge *into, const struct hd_graph_edge *edge)
{
  into->cycles = edge->cycles > into->cycles ? edge->cycles : into->cycles;
}

void hd_graph_links_edge(void *context, const struct hd_graph_edge *edge)
{
  struct hd_graph_links *g = context;
  if (g->status)
    return;
  if (edge->a >= g->n_vertices || edge->b >= g->n_vertices) {
    refuse(g, "an edge leads to a vertex that is not there");
    return;
  }
  if (edge->a == edge->b) {
    refuse(g, "vertex \"%s\" is linked to itself", g->vertices[edge->a].name);
    return;
  }
  struct hd_graph_edge *there = edge->once ? linked(g, edge->a, edge->b) : NULL;
  if (there) {
    merge_edges(there, edge);
    return;
  }
  for (int e = 0; e < 2; e++) {
    struct vertex *v = &g->vertices[e ? edge->b : edge->a];
    if (v->n_edges == EDGES_MAX) {
      refuse(g, "vertex \"%s\" has more than %d links; a switch has at most %d ports", v->name,
             HD_MAX_PORTS, HD_MAX_PORTS);
      return;
    }
    v->edges[v->n_edges++] = (uint32_t)g->n_edges;
  }
  HD_XROOM(g->edges, g->cap_edges, g->n_edges, 1);
  g->edges[g->n_edges++] = (struct edge){.e = *edge};
}

/* Numbers the vertices. Heddle's own names contain kind and number; other vertices are numbered
 * in the order of the file. */
static void number_vertices(struct hd_graph_links *g)
{
  uint32_t n[2] = {0, 0}, number;
  bool own = true, said = false;
  for (size_t i = 0; i < g->n_vertices; i++) {
    own &= own_name(g->vertices[i].name, &number);
    said |= g->vertices[i].is_node || g->vertices[i].nodes > 0;
  }
  for (size_t i = 0; i < g->n_vertices; i++) {
    struct vertex *v = &g->vertices[i];
    if (own)
      v->is_node = *v->name == 'n';
    said |= v->is_node;
    v->number = n[v->is_node]++;
    if (own)
      own_name(v->name, &v->number);
  }
  for (size_t i = 0; i < g->n_vertices; i++)
    if (g->vertices[i].nodes < 0)
      g->vertices[i].nodes = said ? 0 : 1;
}

/* Pairs the edges of a directed graph, in which a link in both directions is two edges. */
static void pair_edges(struct hd_graph_links *g)
{
  for (size_t i = 0; i < g->n_edges; i++) {
    struct edge *there = &g->edges[i];
    const struct vertex *v = &g->vertices[there->e.b];
    for (uint32_t j = 0; there->e.one_way && !there->gone && j < v->n_edges; j++) {
      struct edge *back = &g->edges[v->edges[j]];
      if (v->edges[j] > i && back->e.one_way && !back->gone && back->e.a == there->e.b &&
          back->e.b == there->e.a && back->e.a_port == there->e.b_port &&
          back->e.b_port == there->e.a_port) {
        back->gone = true;
        there->e.one_way = false;
        merge_edges(&there->e, &back->e);
      }
    }
  }
}

static void check_vertices(struct hd_graph_links *g)
{
  uint64_t nodes = 0;
  for (size_t i = 0; i < g->n_vertices && !g->status; i++) {
    const struct vertex *v = &g->vertices[i];
    uint64_t in = 0, out = 0;
    for (uint32_t j = 0; j < v->n_edges; j++) {
      const struct edge *edge = &g->edges[v->edges[j]];
      out += !edge->gone && (!edge->e.one_way || edge->e.a == i);
      in += !edge->gone && (!edge->e.one_way || edge->e.b == i);
    }
    uint64_t ports = in > out ? in : out;
    if (v->is_node && (in != 1 || out != 1))
      refuse(g,
             "node \"%s\" has %s; every node has exactly one, to a switch, or one way in and one "
             "way out",
             v->name, hd_count(v->n_edges, "link").text);
    if (!v->is_node && ports + (uint32_t)v->nodes > HD_MAX_PORTS)
      refuse(g, "switch \"%s\" (s%" PRIu32 ") has %s and %s; a switch has at most %d ports",
             v->name, v->number, hd_count(ports, "link").text,
             hd_count((uint32_t)v->nodes, "node").text, HD_MAX_PORTS);
    nodes += v->is_node ? 1 : (uint32_t)v->nodes;
  }
  if (nodes > HD_MAX_NODES)
    refuse(g, "%" PRIu64 " nodes; a fabric has at most %d", nodes, HD_MAX_NODES);
}

static void write_end(const struct hd_graph_links *g, uint32_t vertex, int32_t port,
                      struct hd_text *csv)
{
  const struct vertex *v = &g->vertices[vertex];
  hd_text_add(csv, "%c%" PRIu32, v->is_node ? 'n' : 's', v->number);
  if (!v->is_node && port >= 0)
    hd_text_add(csv, ":%" PRId32, port);
}

static void write_link(struct hd_graph_links *g, const struct hd_graph_edge *e, struct hd_text *csv)
{
  const struct vertex *a = &g->vertices[e->a], *b = &g->vertices[e->b];
  if (a->is_node && b->is_node)
    refuse(g, "nodes \"%s\" and \"%s\" are linked; a node's link leads to a switch", a->name,
           b->name);
  if (e->a_port >= HD_MAX_PORTS || e->b_port >= HD_MAX_PORTS)
    refuse(g, "the link from \"%s\" to \"%s\" names port %" PRId32 "; ports of a switch are 0 … %d",
           a->name, b->name, e->a_port >= HD_MAX_PORTS ? e->a_port : e->b_port, HD_MAX_PORTS - 1);
  if (e->cycles > HD_LINK_CYCLES_MAX)
    refuse(g, "the link from \"%s\" to \"%s\" takes %" PRIu32 " cycles; legal: 1 … %d", a->name,
           b->name, e->cycles, HD_LINK_CYCLES_MAX);
  write_end(g, e->a, e->a_port, csv);
  hd_text_add(csv, ",");
  write_end(g, e->b, e->b_port, csv);
  if (e->cycles && !a->is_node && !b->is_node)
    hd_text_add(csv, ",%" PRIu32, e->cycles);
  hd_text_add(csv, e->one_way ? ",one-way\n" : "\n");
}

int hd_graph_links_write(struct hd_graph_links *g, struct hd_text *csv, struct hd_error *err)
{
  uint32_t node = 0;
  if (!g->n_vertices)
    refuse(g, "no vertex in it");
  number_vertices(g);
  pair_edges(g);
  check_vertices(g);
  for (size_t i = 0; i < g->n_vertices && !g->status; i++) /* nodes first, as in topologies */
    node += g->vertices[i].is_node;
  for (size_t i = 0; i < g->n_vertices && !g->status; i++)
    for (int32_t j = 0; !g->vertices[i].is_node && j < g->vertices[i].nodes; j++)
      hd_text_add(csv, "n%" PRIu32 ",s%" PRIu32 "\n", node++, g->vertices[i].number);
  for (size_t i = 0; i < g->n_edges && !g->status; i++)
    if (!g->edges[i].gone)
      write_link(g, &g->edges[i].e, csv);
  if (g->status)
    *err = g->err;
  return g->status;
}
