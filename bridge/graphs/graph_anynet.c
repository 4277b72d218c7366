/* Reads networks of BookSim: lines `router 0 node 0 node 1 router 1`. The first name of a line is one end of all its links.
 * SPDX-License-Identifier: Apache-2.0
 *
 * BookSim's rules hold. Two routers have one link, in both directions, however often a file names
 * it. A number after the router at a link's end is the latency in that direction. The link takes
 * the longer of both latencies.
 */
#include "graph_reader.h"

#include "../../cmodel/switch/params.h"
#include "../host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES, ROUTERS, KINDS };

struct reader {
  struct hd_graph_words words;
  struct hd_graph_sink *sink;
  uint32_t *vertices[KINDS]; /* vertex of each number, plus 1; 0: not named yet */
  uint32_t n_vertices;
};

static const uint32_t most[KINDS] = {HD_MAX_NODES - 1, HD_MAX_SWITCHES - 1};

static uint32_t vertex_of(struct reader *r, int kind, uint32_t number)
{
  uint32_t *vertex = &r->vertices[kind][number];
  char name[16];
  if (!*vertex) {
    snprintf(name, sizeof name, "%c%" PRIu32, kind == NODES ? 'n' : 's', number);
    r->sink->vertex(r->sink->context, &(struct hd_graph_vertex){name, NULL, -1});
    *vertex = ++r->n_vertices;
  }
  return *vertex - 1;
}

/* Reads `router 3` and a latency after it (0 without one), then the next word. */
static int read_end(struct reader *r, bool *more, int *kind, uint32_t *number, uint32_t *latency,
                    struct hd_error *err)
{
  struct hd_graph_words *w = &r->words;
  *latency = 0;
  *kind = !strcmp(w->word, "router");
  if (!*kind && strcmp(w->word, "node"))
    return hd_graph_fail(w, err, "\"%s\": legal: router or node, and a number", w->word);
  if (!hd_graph_word(w) || !hd_graph_number(w, most[*kind], number))
    return hd_graph_fail(w, err, "\"%s\": the number of a %s must follow; legal: 0 … %" PRIu32,
                         w->word, *kind ? "router" : "node", most[*kind]);
  *more = hd_graph_word(w);
  while (*more && !w->begins && hd_graph_number(w, UINT32_MAX, latency))
    *more = hd_graph_word(w);
  return HD_OK;
}

static int read_all(struct reader *r, struct hd_error *err)
{
  bool more = hd_graph_word(&r->words);
  uint32_t head = 0, number, latency;
  int head_kind = ROUTERS, kind;
  while (more) {
    bool begins = r->words.begins;
    int status = read_end(r, &more, &kind, &number, &latency, err);
    if (status)
      return status;
    if (!begins && kind == NODES && head_kind == NODES)
      return hd_graph_fail(&r->words, err, "a node's link leads to a router, not to node %" PRIu32,
                           number);
    uint32_t vertex = vertex_of(r, kind, number);
    if (begins) {
      head = vertex;
      head_kind = kind;
    } else {
      r->sink->edge(r->sink->context,
                    &(struct hd_graph_edge){head, vertex, -1, -1, false, true, latency});
    }
  }
  return HD_OK;
}

int hd_graph_read_anynet(const struct hd_topology_text *text, struct hd_graph_sink *sink,
                         struct hd_error *err)
{
  struct reader r = {.words = {.text = text}, .sink = sink};
  for (int k = 0; k < KINDS; k++)
    r.vertices[k] = hd_xcalloc(most[k] + 1, sizeof *r.vertices[k]);
  int status = read_all(&r, err);
  for (int k = 0; k < KINDS; k++)
    free(r.vertices[k]);
  return status;
}
