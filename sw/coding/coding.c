/* The groups of a plan, their sources and their intermediate nodes.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_internal.h"

#include <stdlib.h>
#include <string.h>

#define CODING_MEMBER(MEMBER, name, help) name,
static const char *const scheme_names[] = {HD_CODING_SCHEME_LIST(CODING_MEMBER)};
static const char *const multicast_names[] = {HD_CODING_MULTICAST_LIST(CODING_MEMBER)};
#undef CODING_MEMBER

const char *hd_coding_scheme_name(unsigned scheme)
{
  return scheme < HD_CODING_SCHEMES ? scheme_names[scheme] : NULL;
}

const char *hd_coding_multicast_name(unsigned multicast)
{
  return multicast < HD_CODING_MULTICASTS ? multicast_names[multicast] : NULL;
}

const char *hd_coding_step_name(unsigned step)
{
  static const char *const names[] = {"B", "D", "E", "F"};
  return step < HD_CODING_STEPS ? names[step] : NULL;
}

/* ── coordinates ───────────────────────────────────────────────────────────── */

uint32_t hd_coding_size(const struct coding_grid *grid)
{
  uint32_t size = 1;
  for (uint32_t d = 0; d < grid->n_dims; d++)
    size *= grid->side[d];
  return size;
}

void hd_coding_position(const struct coding_grid *grid, uint32_t index, uint32_t *at)
{
  for (uint32_t d = 0; d < grid->n_dims; d++) {
    at[d] = index % grid->side[d];
    index /= grid->side[d];
  }
}

uint32_t hd_coding_index(const struct coding_grid *grid, const uint32_t *at)
{
  uint32_t index = 0;
  for (uint32_t d = grid->n_dims; d--;)
    index = index * grid->side[d] + at[d];
  return index;
}

struct coding_box hd_coding_box(const struct hd_coding *coding, uint32_t level, uint32_t group,
                                uint32_t *sibling)
{
  const struct coding_level *l = &coding->level[level];
  struct coding_box box = {.grid = coding->network};
  if (level)
    box = hd_coding_box(coding, level - 1, group / l->n_siblings, NULL);
  uint32_t at[HD_CODING_DIMS];
  hd_coding_position(&l->siblings, group % l->n_siblings, at);
  for (uint32_t d = 0; d < coding->network.n_dims; d++) {
    const uint32_t begin = at[d] * l->side[d], left = box.grid.side[d] - begin;
    box.origin[d] += begin;
    box.grid.side[d] = left < l->side[d] ? left : l->side[d];
    box.grid.ring[d] = coding->network.ring[d] && box.grid.side[d] == coding->network.side[d];
    if (sibling)
      sibling[d] = at[d];
  }
  return box;
}

uint32_t hd_coding_box_node(const struct hd_coding *coding, const struct coding_box *box,
                            const uint32_t *at)
{
  uint32_t node[HD_CODING_DIMS];
  for (uint32_t d = 0; d < coding->network.n_dims; d++)
    node[d] = box->origin[d] + at[d];
  return hd_coding_index(&coding->network, node);
}

void hd_coding_place(const struct hd_coding *coding, uint32_t level, const uint32_t *sibling,
                     uint32_t *at)
{
  for (uint32_t d = 0; d < coding->network.n_dims; d++)
    at[d] = coding->level[level].place[d][sibling[d]];
}

struct coding_box hd_coding_inner(const struct hd_coding *coding, uint32_t node,
                                  const uint32_t **sources, uint32_t *n)
{
  if (!coding->n_levels) {
    *sources = coding->everything.sources;
    *n = coding->n_sources;
    return (struct coding_box){.grid = coding->network};
  }
  const uint32_t level = coding->n_levels - 1, group = hd_coding_group(coding, level, node);
  *sources = hd_coding_sources(coding, level, group, n);
  return hd_coding_box(coding, level, group, NULL);
}

/* ── groups ────────────────────────────────────────────────────────────────── */

uint32_t hd_coding_nodes(const struct hd_coding *coding)
{
  return coding->n_nodes;
}

uint32_t hd_coding_levels(const struct hd_coding *coding)
{
  return coding->n_levels;
}

uint32_t hd_coding_groups(const struct hd_coding *coding, uint32_t level)
{
  return coding->level[level].n_groups;
}

uint32_t hd_coding_group(const struct hd_coding *coding, uint32_t level, uint32_t node)
{
  uint32_t at[HD_CODING_DIMS], sibling[HD_CODING_DIMS], group = 0;
  hd_coding_position(&coding->network, node, at);
  for (uint32_t i = 0; i <= level; i++) {
    const struct coding_level *l = &coding->level[i];
    for (uint32_t d = 0; d < coding->network.n_dims; d++) {
      sibling[d] = at[d] / l->side[d];
      at[d] %= l->side[d];
    }
    group = group * l->n_siblings + hd_coding_index(&l->siblings, sibling);
  }
  return group;
}

static uint32_t number_in_group(const struct hd_coding *coding, uint32_t level, uint32_t node)
{
  const struct coding_box box =
      hd_coding_box(coding, level, hd_coding_group(coding, level, node), NULL);
  uint32_t at[HD_CODING_DIMS];
  hd_coding_position(&coding->network, node, at);
  for (uint32_t d = 0; d < coding->network.n_dims; d++)
    at[d] -= box.origin[d];
  return hd_coding_index(&box.grid, at);
}

uint32_t hd_coding_siblings(const struct hd_coding *coding, uint32_t level, uint32_t node,
                            uint32_t *n)
{
  const uint32_t group = hd_coding_group(coding, level, node);
  *n = coding->level[level].n_siblings;
  return group - group % *n;
}

const uint32_t *hd_coding_sources(const struct hd_coding *coding, uint32_t level, uint32_t group,
                                  uint32_t *n)
{
  const struct coding_level *l = &coding->level[level];
  *n = l->first[group + 1] - l->first[group];
  return l->sources + l->first[group];
}

uint32_t hd_coding_intermediate(const struct hd_coding *coding, uint32_t level, uint32_t group)
{
  uint32_t sibling[HD_CODING_DIMS], at[HD_CODING_DIMS];
  const struct coding_box box = hd_coding_box(coding, level, group, sibling);
  hd_coding_place(coding, level, sibling, at);
  return hd_coding_box_node(coding, &box, at);
}

uint32_t hd_coding_native(const struct hd_coding *coding, uint32_t level, uint32_t group,
                          uint32_t node)
{
  uint32_t n;
  hd_coding_sources(coding, level, group, &n);
  return number_in_group(coding, level, node) % n;
}

bool hd_coding_is_source(const struct hd_coding *coding, uint32_t node)
{
  return coding->is_source[node];
}

uint32_t hd_coding_items(const struct hd_coding *coding, uint32_t level, uint32_t group)
{
  const uint32_t packets = hd_coding_item_packets(coding, level, group);
  return coding->scheme == HD_CODING_COMBINED ? packets > 0 : packets;
}

uint32_t hd_coding_item_packets(const struct hd_coding *coding, uint32_t level, uint32_t group)
{
  uint32_t n;
  hd_coding_sources(coding, level, group, &n);
  return n && coding->scheme == HD_CODING_CODED ? n - 1 : n;
}

/* ── making a plan ─────────────────────────────────────────────────────────── */

static void *from_heap(void *context, size_t bytes)
{
  (void)context;
  return calloc(1, bytes);
}

void *hd_coding_memory(const struct hd_coding *coding, size_t bytes)
{
  return coding->alloc(coding->alloc_context, bytes);
}

/* Lists the sources by group, in the order of their positions. With level HD_CODING_LEVELS, all
 * nodes are one group. */
static bool find_sources(struct hd_coding *c, struct coding_level *l, uint32_t level)
{
  uint32_t n = 0;
  l->sources = hd_coding_memory(c, sizeof *l->sources * c->n_sources);
  l->first = hd_coding_memory(c, sizeof *l->first * (l->n_groups + 1));
  if (!l->sources || !l->first)
    return false;
  for (uint32_t g = 0; g < l->n_groups; g++) {
    const struct coding_box box = level < HD_CODING_LEVELS
                                      ? hd_coding_box(c, level, g, NULL)
                                      : (struct coding_box){.grid = c->network};
    const uint32_t size = hd_coding_size(&box.grid);
    l->first[g] = n;
    for (uint32_t i = 0; i < size; i++) {
      uint32_t at[HD_CODING_DIMS];
      hd_coding_position(&box.grid, i, at);
      const uint32_t node = hd_coding_box_node(c, &box, at);
      if (c->is_source[node])
        l->sources[n++] = node;
    }
  }
  l->first[l->n_groups] = n;
  return true;
}

static int make_level(struct hd_coding *c, uint32_t level, const uint32_t *sides,
                      struct hd_error *err)
{
  struct coding_level *l = &c->level[level];
  const uint32_t *above = level ? c->level[level - 1].side : c->network.side;
  l->siblings.n_dims = c->network.n_dims;
  for (uint32_t d = 0; d < c->network.n_dims; d++) {
    if (!sides[d] || sides[d] > above[d])
      return hd_fail(err, HD_E_INPUT, "a group has side %u in dimension %u; 1 to %u would be right",
                     sides[d], d, above[d]);
    if (c->n_levels > 1 && above[d] % sides[d])
      return hd_fail(err, HD_E_INPUT,
                     "in the recursive form side %u of a group must divide side %u above it",
                     sides[d], above[d]);
    l->side[d] = sides[d];
    l->siblings.side[d] = (above[d] + sides[d] - 1) / sides[d];
    l->siblings.step[d] = sides[d];
    l->siblings.ring[d] = c->network.ring[d] && above[d] == c->network.side[d];
  }
  l->n_siblings = hd_coding_size(&l->siblings);
  l->n_groups = l->n_siblings * (level ? c->level[level - 1].n_groups : 1);
  if (!find_sources(c, l, level) || !hd_coding_choose(c, level))
    return hd_fail(err, HD_E_NOMEM, "no memory for groups");
  return 0;
}

static int init_plan(struct hd_coding *c, const struct hd_coding_request *r, struct hd_error *err)
{
  if (!r->n_dims || r->n_dims > HD_CODING_DIMS)
    return hd_fail(err, HD_E_INPUT, "a network has 1 to %d dimensions, not %u", HD_CODING_DIMS,
                   r->n_dims);
  uint64_t nodes = 1;
  c->network.n_dims = r->n_dims;
  for (uint32_t d = 0; d < r->n_dims; d++) {
    if (!r->dims[d] || r->dims[d] > HD_CODING_MAX_SIDE || nodes * r->dims[d] > UINT32_MAX / 4)
      return hd_fail(err, HD_E_INPUT, "a network of side %u in dimension %u is too large or empty",
                     r->dims[d], d);
    nodes *= r->dims[d];
    c->network.side[d] = r->dims[d];
    c->network.step[d] = 1;
    c->network.ring[d] = r->torus;
  }
  if (r->n_levels > HD_CODING_LEVELS || (r->scheme == HD_CODING_FLAT) != !r->n_levels)
    return hd_fail(err, HD_E_INPUT, "%s has %s of groups, not %u", scheme_names[r->scheme],
                   r->scheme == HD_CODING_FLAT ? "no level" : "1 or 2 levels", r->n_levels);
  c->n_nodes = (uint32_t)nodes;
  c->n_levels = r->n_levels;
  c->scheme = r->scheme;
  c->multicast = r->multicast;
  c->is_source = hd_coding_memory(c, sizeof *c->is_source * c->n_nodes);
  if (!c->is_source)
    return hd_fail(err, HD_E_NOMEM, "no memory for %u nodes", c->n_nodes);
  for (uint32_t node = 0; node < c->n_nodes; node++) {
    c->is_source[node] = !r->sources || r->sources[node];
    c->n_sources += c->is_source[node];
  }
  if (!c->n_sources)
    return hd_fail(err, HD_E_INPUT, "no node is a source");
  c->everything.n_groups = 1;
  if (!find_sources(c, &c->everything, HD_CODING_LEVELS))
    return hd_fail(err, HD_E_NOMEM, "no memory for %u sources", c->n_sources);
  int status = 0;
  for (uint32_t level = 0; !status && level < r->n_levels; level++)
    status = make_level(c, level, r->group[level], err);
  return status;
}

int hd_coding_create(struct hd_coding **coding, const struct hd_coding_request *request,
                     struct hd_error *err)
{
  void *(*const alloc)(void *, size_t) = request->alloc ? request->alloc : from_heap;
  struct hd_coding *c = *coding = alloc(request->alloc_context, sizeof *c);
  if (!c)
    return hd_fail(err, HD_E_NOMEM, "no memory for a plan");
  c->alloc = alloc;
  c->alloc_context = request->alloc_context;
  int status = init_plan(c, request, err);
  if (status) {
    hd_coding_destroy(c);
    *coding = NULL;
  }
  return status;
}

static void level_free(struct coding_level *l)
{
  for (uint32_t d = 0; d < HD_CODING_DIMS; d++)
    free(l->place[d]);
  free(l->sources);
  free(l->first);
}

void hd_coding_destroy(struct hd_coding *coding)
{
  if (!coding || coding->alloc != from_heap)
    return;
  for (uint32_t level = 0; level < HD_CODING_LEVELS; level++)
    level_free(&coding->level[level]);
  level_free(&coding->everything);
  free(coding->is_source);
  free(coding);
}
