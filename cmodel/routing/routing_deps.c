/* The channel dependency graph: classes of channels, search for a cycle (§5.6).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"
#include "routing_deps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
enum { CYCLE_SHOWN = 24 }; /* most channels of a cycle that a message lists */

/* Puts two channels into one class if every mask has both or neither: each mask in turn splits the classes.
 */
static void find_classes(struct hd_deps *deps, const bool seen[256], uint32_t vcs)
{
  uint8_t class_of[HD_MAX_VCS] = {0};
  deps->n_classes = 1;
  for (unsigned mask = 1; mask < 256; mask++) {
    if (!seen[mask])
      continue;
    for (uint32_t c = 0, n = deps->n_classes; c < n; c++) {
      unsigned members = 0;
      for (uint32_t v = 0; v < vcs; v++)
        if (class_of[v] == c)
          members |= 1u << v;
      if (!(members & mask) || !(members & ~mask))
        continue;
      for (uint32_t v = 0; v < vcs; v++)
        if (members & mask & 1u << v)
          class_of[v] = (uint8_t)deps->n_classes;
      deps->n_classes++;
    }
  }
  for (uint32_t v = vcs; v-- > 0;)
    deps->first_vc[class_of[v]] = (uint8_t)v;
  for (unsigned mask = 0; mask < 256; mask++)
    for (uint32_t v = 0; v < vcs; v++)
      if (mask >> v & 1)
        deps->classes_of[mask] = (uint8_t)(deps->classes_of[mask] | 1u << class_of[v]);
}

/* Marks the masks of all entries, or of a rule's channel classes. */
static void see_masks(const struct hd_tables *tables, const struct hd_topology *t, bool seen[256])
{
  const size_t entries = (size_t)t->n_switches * t->ports * t->n_nodes;
  const uint32_t classes = hd_topology_channel_classes(t);
  for (uint32_t c = 0; tables->rule && c < classes; c++)
    seen[hd_class_mask(tables, tables->mask, classes, c)] = true;
  if (tables->rule)
    seen[tables->mask] = true;
  for (size_t i = 0; tables->destination && i < entries; i++)
    seen[tables->destination[i] >> 4 & 0xff] = true;
  for (size_t i = 0; tables->source && i < entries; i++)
    seen[tables->source[i] >> 4 & 0xff] = true;
  if (tables->sets)
    seen[tables->adapt] = true;
}

int hd_deps_init(struct hd_deps *deps, const struct hd_tables *tables, const struct hd_topology *t,
                 uint32_t vcs, struct hd_error *err)
{
  bool seen[256] = {false};
  memset(deps, 0, sizeof *deps);
  deps->t = t;
  deps->vcs = vcs;
  deps->least_vcs = tables->least_vcs;
  deps->n_states = t->n_switches * t->ports;
  see_masks(tables, t, seen);
  find_classes(deps, seen, vcs);
  deps->edges = calloc((size_t)deps->n_states * t->ports, sizeof *deps->edges);
  if (!deps->edges)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the deadlock check");
  return 0;
}

void hd_deps_fini(struct hd_deps *deps)
{
  free(deps->edges);
  memset(deps, 0, sizeof *deps);
}

/* Returns the successors of a vertex one by one. *at counts (output port, wanted class). NONE: no more. */
static uint32_t next_successor(const struct hd_deps *deps, uint32_t vertex, uint32_t *at)
{
  uint32_t state = vertex / HD_MAX_VCS, class = vertex % HD_MAX_VCS, ports = deps->t->ports;
  for (; *at < ports * HD_MAX_VCS; ++*at) {
    uint32_t port = *at / HD_MAX_VCS, wanted = *at % HD_MAX_VCS;
    uint64_t matrix = deps->edges[(size_t)state * ports + port];
    if (!(matrix >> (8 * class) & 0xff)) {
      *at |= HD_MAX_VCS - 1;
      continue;
    }
    if (!(matrix >> (8 * class + wanted) & 1))
      continue;
    ++*at;
    const struct hd_peer *peer = &deps->t->peers[(size_t)(state / ports) * ports + port];
    return (peer->index * ports + peer->port) * HD_MAX_VCS + wanted;
  }
  return NONE;
}

struct frame {
  uint32_t vertex, at;
};

/* Searches depth-first. Returns a vertex on some cycle; NONE: there is no cycle. */
static uint32_t depth_first(const struct hd_deps *deps, uint8_t *colour, struct frame *stack)
{
  enum { WHITE, GREY, BLACK };
  for (uint32_t root = 0; root < deps->n_states * HD_MAX_VCS; root++) {
    uint32_t depth = 0;
    if (colour[root] != WHITE)
      continue;
    colour[root] = GREY;
    stack[depth++] = (struct frame){root, 0};
    while (depth) {
      struct frame *top = &stack[depth - 1];
      uint32_t next = next_successor(deps, top->vertex, &top->at);
      if (next == NONE) {
        colour[top->vertex] = BLACK;
        depth--;
      } else if (colour[next] == GREY) {
        return next;
      } else if (colour[next] == WHITE) {
        colour[next] = GREY;
        stack[depth++] = (struct frame){next, 0};
      }
    }
  }
  return NONE;
}

/* Searches breadth-first from `start` back to itself. cycle[] gets the shortest cycle through it; returns its length.
 * */
static uint32_t shortest_cycle(const struct hd_deps *deps, uint32_t start, uint32_t *parent,
                               uint32_t *cycle)
{
  uint32_t head = 0, tail = 0, n = 0;
  for (uint32_t v = 0; v < deps->n_states * HD_MAX_VCS; v++)
    parent[v] = NONE;
  cycle[tail++] = start; /* cycle[] holds the queue until the way back is read */
  while (head < tail && parent[start] == NONE) {
    uint32_t vertex = cycle[head++], at = 0, next;
    while ((next = next_successor(deps, vertex, &at)) != NONE)
      if (parent[next] == NONE) {
        parent[next] = vertex;
        if (next != start)
          cycle[tail++] = next;
      }
  }
  uint32_t v = start;
  do {
    v = parent[v];
    n++;
  } while (v != start);
  for (uint32_t i = n; i-- > 0;) {
    v = parent[v];
    cycle[i] = v;
  }
  return n;
}

static int describe_cycle(const struct hd_deps *deps, const uint32_t *cycle, uint32_t n,
                          struct hd_error *err)
{
  char text[sizeof err->text];
  size_t used = 0;
  uint32_t shown = n <= CYCLE_SHOWN ? n : CYCLE_SHOWN;
  text[0] = '\0';
  for (uint32_t i = 0; i <= shown; i++) {
    uint32_t vertex = cycle[i < shown ? i : 0];
    if (i == shown && shown < n)
      used += (size_t)snprintf(text + used, sizeof text - used, "… %" PRIu32 " more → ", n - shown);
    /* Names a link by its sender, because a reader looks for it there in a drawing. */
    const struct hd_peer *sender = &deps->t->senders[vertex / HD_MAX_VCS];
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "s%u port %u vc %u%s", sender->index,
                         sender->port, deps->first_vc[vertex % HD_MAX_VCS], i < shown ? " → " : "");
  }
  char few[96] = "";
  if (deps->whole_way)
    snprintf(few, sizeof few,
             " with packets that choose but without virtual cut-through (switch.cut_flits)");
  if (deps->vcs < deps->least_vcs)
    snprintf(few, sizeof few, " with %s, where %" PRIu32 " are needed",
             hd_count(deps->vcs, "virtual channel").text, deps->least_vcs);
  return hd_fail(err, HD_E_INPUT,
                 "can deadlock%s: %" PRIu32
                 " channels wait for each other (output port and virtual channel of each): %s",
                 few, n, text);
}

int hd_deps_find_cycle(const struct hd_deps *deps, struct hd_error *err)
{
  size_t n_vertices = (size_t)deps->n_states * HD_MAX_VCS;
  uint8_t *colour = calloc(n_vertices, 1);
  struct frame *stack = malloc(n_vertices * sizeof *stack);
  int status = 0;
  if (!colour || !stack) {
    status = hd_fail(err, HD_E_NOMEM, "out of memory for the deadlock check");
  } else {
    uint32_t start = depth_first(deps, colour, stack);
    if (start != NONE) {
      uint32_t *words = (uint32_t *)stack; /* room for two words in each frame */
      uint32_t n = shortest_cycle(deps, start, words, words + n_vertices);
      status = describe_cycle(deps, words + n_vertices, n, err);
    }
  }
  free(colour);
  free(stack);
  return status;
}
