/* Reads graphs in dot with Graphviz' library. This is a shared object of its own.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph_sink.h"

#include <cgraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hd_graph_library_fn hd_graph_library;

static char *said;
static size_t said_size;

static int keep_message(char *text)
{
  size_t used = strlen(said);
  for (; *text && used + 1 < said_size; text++)
    if (*text != '\n')
      said[used++] = *text;
  said[used] = '\0';
  return 0;
}

/* An attribute of a vertex or edge; NULL if missing or empty. */
static const char *attribute(void *object, const char *name)
{
  char *value = agget(object, (char *)(size_t)name);
  return value && *value ? value : NULL;
}

static int32_t number(void *object, const char *name)
{
  const char *text = attribute(object, name);
  char *end = NULL;
  long n = text ? strtol(text, &end, 10) : -1;
  return !text || *end || n < 0 || n > 65535 ? -1 : (int32_t)n;
}

static int by_order(const void *a, const void *b)
{
  Agedge_t *const *x = a, *const *y = b;
  uint64_t m = AGSEQ(*x), n = AGSEQ(*y);
  return (m > n) - (m < n);
}

static void give_vertices(Agraph_t *g, const struct hd_graph_sink *sink)
{
  for (Agnode_t *v = agfstnode(g); v; v = agnxtnode(g, v))
    sink->vertex(sink->context,
                 &(struct hd_graph_vertex){agnameof(v), attribute(v, "type"), number(v, "nodes")});
}

static int give_edges(Agraph_t *g, const struct hd_graph_sink *sink)
{
  size_t n = 0;
  Agedge_t **edges = calloc((size_t)agnedges(g) + 1, sizeof(Agedge_t *));
  if (!edges)
    return 1;
  for (Agnode_t *v = agfstnode(g); v; v = agnxtnode(g, v))
    for (Agedge_t *e = agfstout(g, v); e; e = agnxtout(g, e))
      edges[n++] = e;
  qsort(edges, n, sizeof *edges, by_order);
  for (size_t i = 0; i < n; i++) {
    const char *dir = attribute(edges[i], "dir");
    bool forward = dir ? !strcmp(dir, "forward") : agisdirected(g) != 0;
    /* Vertices have the sequence numbers 1 … n. */
    struct hd_graph_edge e = {(uint32_t)AGSEQ(agtail(edges[i])) - 1,
                              (uint32_t)AGSEQ(aghead(edges[i])) - 1,
                              number(edges[i], "taillabel"),
                              number(edges[i], "headlabel"),
                              forward,
                              false,
                              0};
    if (dir && !strcmp(dir, "back"))
      e = (struct hd_graph_edge){e.b, e.a, e.b_port, e.a_port, true, false, 0};
    const int32_t cycles = number(edges[i], "cycles");
    e.cycles = cycles > 0 ? (uint32_t)cycles : 0;
    sink->edge(sink->context, &e);
  }
  free(edges);
  return 0;
}

int hd_graph_library(const char *format, const char *text, size_t length,
                     const struct hd_graph_sink *sink, char *message, size_t size)
{
  char *copy = strndup(text, length);
  (void)format;
  said = message;
  said_size = size;
  *message = '\0';
  agseterrf(keep_message);
  Agraph_t *g = copy ? agmemread(copy) : NULL;
  int status = !g || *message;
  if (!status) {
    give_vertices(g, sink);
    status = give_edges(g, sink);
  }
  if (status && !*message)
    snprintf(message, size, "no graph in dot");
  if (g)
    agclose(g);
  agseterrf(NULL);
  free(copy);
  return status;
}
