/* Reads graphs in GML and GraphML with igraph. This is a shared object of its own.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph_sink.h"

#include <igraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hd_graph_library_fn hd_graph_library;

static char *said;
static size_t said_size;

static void keep_error(const char *reason, const char *file, int line, igraph_error_t error)
{
  (void)file, (void)line, (void)error;
  if (!*said)
    snprintf(said, said_size, "%s", reason);
  IGRAPH_FINALLY_FREE();
}

static void no_warning(const char *reason, const char *file, int line)
{
  (void)reason, (void)file, (void)line;
}

enum { LABEL, ID, TYPE, NODES, ATTRIBUTES };

/* The attributes of vertices that are read. igraph does not keep which end of an edge is written
 * first, so an edge cannot give ports. */
struct attribute {
  const char *name;
  igraph_attribute_type_t type; /* UNSPECIFIED: the file has no such attribute */
};

static void find_types(const igraph_t *g, struct attribute *attributes)
{
  igraph_strvector_t names[3];
  igraph_vector_int_t types[3];
  for (int i = 0; i < 3; i++) {
    igraph_strvector_init(&names[i], 0);
    igraph_vector_int_init(&types[i], 0);
  }
  igraph_cattribute_list(g, &names[0], &types[0], &names[1], &types[1], &names[2], &types[2]);
  for (int a = 0; a < ATTRIBUTES; a++) {
    for (igraph_integer_t i = 0; i < igraph_strvector_size(&names[1]); i++)
      if (!strcmp(igraph_strvector_get(&names[1], i), attributes[a].name))
        attributes[a].type = (igraph_attribute_type_t)VECTOR(types[1])[i];
  }
  for (int i = 0; i < 3; i++) {
    igraph_strvector_destroy(&names[i]);
    igraph_vector_int_destroy(&types[i]);
  }
}

/* The attribute's value as text in `buffer`; NULL if missing. */
static const char *text_of(const igraph_t *g, const struct attribute *a, igraph_integer_t i,
                           char *buffer, size_t size)
{
  if (a->type == IGRAPH_ATTRIBUTE_STRING)
    snprintf(buffer, size, "%s", VAS(g, a->name, i));
  else if (a->type == IGRAPH_ATTRIBUTE_NUMERIC)
    snprintf(buffer, size, "%.0f", (double)VAN(g, a->name, i));
  else
    return NULL;
  return *buffer && strcmp(buffer, "nan") ? buffer : NULL;
}

static int32_t number_of(const igraph_t *g, const struct attribute *a, igraph_integer_t i)
{
  char buffer[32], *end = NULL;
  const char *text = text_of(g, a, i, buffer, sizeof buffer);
  long n = text ? strtol(text, &end, 10) : -1;
  return !text || *end || n < 0 || n > 65535 ? -1 : (int32_t)n;
}

static void give_graph(const igraph_t *g, const struct hd_graph_sink *sink)
{
  struct attribute a[ATTRIBUTES] = {[LABEL] = {.name = "label"},
                                    [ID] = {.name = "id"},
                                    [TYPE] = {.name = "type"},
                                    [NODES] = {.name = "nodes"}};
  const igraph_integer_t vertices = igraph_vcount(g), edges = igraph_ecount(g);
  char name[128], type[32];
  find_types(g, a);
  for (igraph_integer_t i = 0; i < vertices; i++) {
    const char *label = text_of(g, &a[LABEL], i, name, sizeof name);
    if (!label)
      label = text_of(g, &a[ID], i, name, sizeof name);
    sink->vertex(sink->context, &(struct hd_graph_vertex){
                                    label ? label : "", text_of(g, &a[TYPE], i, type, sizeof type),
                                    number_of(g, &a[NODES], i)});
  }
  for (igraph_integer_t i = 0; i < edges; i++) {
    /* FROM has the larger number if the edge has no direction. */
    const bool directed = igraph_is_directed(g);
    const uint32_t a_end = (uint32_t)(directed ? IGRAPH_FROM(g, i) : IGRAPH_TO(g, i));
    const uint32_t b_end = (uint32_t)(directed ? IGRAPH_TO(g, i) : IGRAPH_FROM(g, i));
    sink->edge(sink->context, &(struct hd_graph_edge){a_end, b_end, -1, -1, directed, false, 0});
  }
}

int hd_graph_library(const char *format, const char *text, size_t length,
                     const struct hd_graph_sink *sink, char *message, size_t size)
{
  igraph_t g;
  FILE *file = fmemopen((void *)(size_t)text, length, "r");
  said = message;
  said_size = size;
  *message = '\0';
  igraph_set_attribute_table(&igraph_cattribute_table);
  igraph_set_error_handler(keep_error);
  igraph_set_warning_handler(no_warning);
  int status = !file || (strcmp(format, "GML") ? igraph_read_graph_graphml(&g, file, 0)
                                               : igraph_read_graph_gml(&g, file));
  if (!status) {
    give_graph(&g, sink);
    igraph_destroy(&g);
  } else if (!*message) {
    snprintf(message, size, "no graph in %s", format);
  }
  if (file)
    fclose(file);
  return status != 0;
}
