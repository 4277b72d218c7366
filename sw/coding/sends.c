/* The rules of a plan: what a node sends after it has got an item.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_internal.h"

#include <stddef.h>

struct sending {
  const struct hd_coding *coding;
  struct hd_coding_send send; /* all but `to` */
  hd_coding_visit visit;
  void *context;
  /** box of the multicast; NULL: it goes to intermediate nodes of `level` */
  const struct coding_box *box;
  uint32_t level, first; /* first: the first sibling group */
};

static void send_to_node(void *context, const uint32_t *at)
{
  struct sending *s = context;
  s->send.to = hd_coding_box_node(s->coding, s->box, at);
  s->visit(s->context, &s->send);
}

static void send_to_intermediate(void *context, const uint32_t *at)
{
  struct sending *s = context;
  const uint32_t sibling = hd_coding_index(&s->coding->level[s->level].siblings, at);
  s->send.to = hd_coding_intermediate(s->coding, s->level, s->first + sibling);
  s->visit(s->context, &s->send);
}

static void in_box(struct sending *s, struct hd_coding_via as, const struct coding_box *box,
                   const uint32_t *root)
{
  const struct hd_coding *c = s->coding;
  uint32_t at[HD_CODING_DIMS];
  hd_coding_position(&c->network, s->send.from, at);
  for (uint32_t d = 0; d < c->network.n_dims; d++)
    at[d] -= box->origin[d];
  s->send.as = as;
  s->box = box;
  hd_coding_children(c->multicast, &box->grid, root, at, send_to_node, s);
}

/* Step B of the innermost level: the node is the root, or forwards. */
static void step_b(struct sending *s)
{
  const struct hd_coding *c = s->coding;
  const uint32_t *sources;
  uint32_t n, root[HD_CODING_DIMS];
  const struct coding_box box = hd_coding_inner(c, s->send.from, &sources, &n);
  hd_coding_position(&c->network, s->send.item.index, root);
  for (uint32_t d = 0; d < c->network.n_dims; d++)
    root[d] -= box.origin[d];
  in_box(s, (struct hd_coding_via){HD_CODING_B, (uint8_t)(c->n_levels ? c->n_levels - 1 : 0)}, &box,
         root);
}

/* Step D: a multicast of the intermediate node of `group`. */
static void step_d(struct sending *s, uint32_t level, uint32_t group)
{
  const struct hd_coding *c = s->coding;
  const struct coding_level *l = &c->level[level];
  uint32_t root[HD_CODING_DIMS], at[HD_CODING_DIMS];
  const uint32_t own = hd_coding_group(c, level, s->send.from);
  hd_coding_position(&l->siblings, group % l->n_siblings, root);
  hd_coding_position(&l->siblings, own % l->n_siblings, at);
  s->send.as = (struct hd_coding_via){HD_CODING_D, (uint8_t)level};
  s->level = level;
  s->first = own - own % l->n_siblings;
  hd_coding_children(c->multicast, &l->siblings, root, at, send_to_intermediate, s);
}

static void step_e(struct sending *s, uint32_t level)
{
  const struct hd_coding *c = s->coding;
  uint32_t sibling[HD_CODING_DIMS], root[HD_CODING_DIMS];
  const struct coding_box box =
      hd_coding_box(c, level, hd_coding_group(c, level, s->send.from), sibling);
  hd_coding_place(c, level, sibling, root);
  in_box(s, (struct hd_coding_via){HD_CODING_E, (uint8_t)level}, &box, root);
}

/* Step F: sends to those nodes of each other group whose number, modulo the number of sources, is
 * this source's. */
static void step_f(struct sending *s, uint32_t level)
{
  const struct hd_coding *c = s->coding;
  uint32_t siblings, n;
  const uint32_t own = hd_coding_group(c, level, s->send.from);
  const uint32_t first = hd_coding_siblings(c, level, s->send.from, &siblings);
  const uint32_t *sources = hd_coding_sources(c, level, own, &n);
  uint32_t number = 0;
  while (sources[number] != s->send.from)
    number++;
  s->send.as = (struct hd_coding_via){HD_CODING_F, (uint8_t)level};
  for (uint32_t i = 1; i < siblings; i++) {
    const struct coding_box box =
        hd_coding_box(c, level, first + (own - first + i) % siblings, NULL);
    const uint32_t members = hd_coding_size(&box.grid);
    for (uint32_t j = number; j < members; j += n) {
      uint32_t at[HD_CODING_DIMS];
      hd_coding_position(&box.grid, j, at);
      s->send.to = hd_coding_box_node(c, &box, at);
      s->visit(s->context, &s->send);
    }
  }
}

/* Returns true if the node is an intermediate node that sends a datum of its own group of `level`
 * in step D of the scheme without coding. */
static bool has_plain(const struct hd_coding *c, uint32_t level, uint32_t node,
                      struct hd_coding_via after)
{
  const bool deeper =
      after.step == HD_CODING_STEPS || after.step == HD_CODING_B || after.level > level;
  return c->scheme == HD_CODING_PLAIN && deeper &&
         hd_coding_intermediate(c, level, hd_coding_group(c, level, node)) == node;
}

void hd_coding_sends(const struct hd_coding *coding, uint32_t node, struct hd_coding_via after,
                     struct hd_coding_item item, hd_coding_visit visit, void *context)
{
  struct sending s = {.coding = coding, .visit = visit, .context = context};
  s.send = (struct hd_coding_send){.item = item, .after = after, .from = node};
  const bool own = after.step == HD_CODING_STEPS;
  if (item.what == HD_CODING_DATUM && (own || after.step == HD_CODING_B))
    step_b(&s);
  for (uint32_t level = coding->n_levels; level--;) {
    const bool here = after.level == level;
    if (item.what != HD_CODING_DATUM && own && item.level == level)
      step_d(&s, level, item.group);
    else if (item.what == HD_CODING_DATUM && has_plain(coding, level, node, after))
      step_d(&s, level, hd_coding_group(coding, level, node));
    else if (after.step == HD_CODING_D && here) {
      step_d(&s, level,
             item.what == HD_CODING_DATUM ? hd_coding_group(coding, level, item.index)
                                          : item.group);
      step_e(&s, level);
    } else if (after.step == HD_CODING_E && here)
      step_e(&s, level);
    if (item.what == HD_CODING_DATUM && own && coding->scheme == HD_CODING_CODED)
      step_f(&s, level);
  }
}

uint32_t hd_coding_receives(const struct hd_coding *coding, struct hd_coding_via as, uint32_t node)
{
  const uint32_t level = as.level, innermost = coding->n_levels ? coding->n_levels - 1 : 0;
  if (as.step == HD_CODING_B) {
    const uint32_t *sources;
    uint32_t n;
    hd_coding_inner(coding, node, &sources, &n);
    return level == innermost ? n - coding->is_source[node] : 0;
  }
  if (level >= coding->n_levels)
    return 0;
  uint32_t siblings, items = 0, groups = 0;
  const uint32_t own = hd_coding_group(coding, level, node);
  const uint32_t first = hd_coding_siblings(coding, level, node, &siblings);
  for (uint32_t g = first; g < first + siblings; g++) {
    uint32_t n;
    hd_coding_sources(coding, level, g, &n);
    if (g != own) {
      items += hd_coding_items(coding, level, g);
      groups += n > 0;
    }
  }
  const bool intermediate = hd_coding_intermediate(coding, level, own) == node;
  if (as.step == HD_CODING_F)
    return coding->scheme == HD_CODING_CODED ? groups : 0;
  return intermediate == (as.step == HD_CODING_D) ? items : 0;
}
