/* Dragonflies (§5.23).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "topology_build.h"

#include <inttypes.h>
#include <stdio.h>

static uint32_t groups_of(const struct hd_topology_shape *s)
{
  return s->a * s->h + 1;
}

/* Returns the port of router x of a group that leads to router y. */
static uint32_t local_port(const struct hd_topology_shape *s, uint32_t x, uint32_t y)
{
  return s->p + (y < x ? y : y - 1);
}

/* Gives global links a LINK of their own. */
static int delay_globals(struct hd_topology *t, const struct hd_topology_shape *shape,
                         struct hd_error *err)
{
  int status = 0;
  for (uint32_t sw = 0; !status && shape->global_link_cycles && sw < t->n_switches; sw++)
    for (uint32_t i = 0; !status && i < shape->h; i++)
      status =
          hd_topology_delay(t, sw, shape->p + shape->a - 1 + i, shape->global_link_cycles, err);
  return status;
}

static int build(struct hd_topology *t, const struct hd_topology_shape *shape,
                 const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  uint32_t p = shape->p, a = shape->a, h = shape->h;
  const uint32_t values[] = {p, a, h};
  for (int i = 0; i < 3; i++)
    if (values[i] < 1 || values[i] > HD_MAX_PORTS)
      return hd_fail(err, HD_E_INPUT, "%c of the dragonfly is %" PRIu32 "; legal: 1 … %d", "pah"[i],
                     values[i], HD_MAX_PORTS);
  uint32_t groups = groups_of(shape), first_global = p + a - 1;
  int status =
      hd_topology_alloc(t, HD_TOPO_DRAGONFLY, groups * a, groups * a * p, first_global + h, err);
  for (uint32_t node = 0; !status && node < t->n_nodes; node++)
    hd_topology_attach(t, node, node / p, node % p);
  for (uint32_t sw = 0; !status && sw < t->n_switches; sw++) {
    uint32_t group = sw / a, x = sw % a;
    for (uint32_t y = x + 1; y < a; y++)
      hd_topology_link(t, sw, local_port(shape, x, y), group * a + y, local_port(shape, y, x));
    for (uint32_t i = 0; i < h; i++) { /* global link c of a group is link a·h − 1 − c of the other
                                        * group */
      uint32_t c = x * h + i, back = a * h - 1 - c, far = (group + c + 1) % groups;
      if (far > group)
        hd_topology_link(t, sw, first_global + i, far * a + back / h, first_global + back % h);
    }
  }
  return status ? status : delay_globals(t, shape, err);
}

static void describe(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  snprintf(buf, size, "dragonfly (p %" PRIu32 ", a %" PRIu32 ", h %" PRIu32 ")", shape->p, shape->a,
           shape->h);
}

/* Routes to the router that has the link to the destination's group, over that link, and to the
 * destination's router. Packets take class 1 from the destination's group on. */
static struct hd_hop next_hop(const struct hd_topology *t, uint32_t sw, uint32_t node)
{
  const struct hd_topology_shape *s = &t->shape;
  uint32_t groups = groups_of(s), to = node / s->p, group = sw / s->a, x = sw % s->a;
  if (to == sw)
    return (struct hd_hop){.port = node % s->p};
  if (to / s->a == group)
    return (struct hd_hop){.port = local_port(s, x, to % s->a), .channel_class = s->a > 1};
  uint32_t c = (to / s->a + groups - group - 1) % groups;
  uint32_t port = c / s->h == x ? s->p + s->a - 1 + c % s->h : local_port(s, x, c / s->h);
  return (struct hd_hop){.port = port};
}

static uint32_t channel_classes(const struct hd_topology *t)
{
  return t->shape.a > 1 ? 2 : 1;
}

static void figures(const struct hd_topology *t, struct hd_topology_figures *f)
{
  const struct hd_topology_shape *s = &t->shape;
  uint64_t a = s->a, groups = groups_of(s);
  f->switches = (uint32_t)(groups * a);
  f->nodes = (uint32_t)(groups * a * s->p);
  f->links = groups * a * (a - 1 + s->h) / 2;
  if (s->a == 1) { /* then it is a complete graph */
    f->diameter = 1;
    f->distance = groups * (groups - 1) * s->p * s->p;
    f->bisection = groups / 2 * ((groups + 1) / 2);
  }
}

static const char *place(const struct hd_topology *t, struct hd_topology_place *at)
{
  if (t->shape.a == 1)
    return NULL;
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    at[sw] = (struct hd_topology_place){sw % t->shape.a, sw / t->shape.a};
  return "a row for each group";
}

const struct hd_topology_descriptor hd_topology_kind_dragonfly = {
    .name = "dragonfly",
    .help =
        "groups of a switches, linked with each other, p nodes and h links to other groups each",
    .section = "5.23",
    .example = "p: 2, a: 4, h: 2",
    .needs = {"p", "a", "h"},
    .takes = {"global_link_cycles"},
    .blamed = "a",
    .build = build,
    .describe = describe,
    .figures = figures,
    .next_hop = next_hop,
    .channel_classes = channel_classes,
    .drawing = HD_DRAWN_GRID,
    .place = place,
};
