/* Irregular networks: random connected graphs in which all switches have the same degree (§5.8).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A ring with chords has the wanted degrees. Exchanging the ends of two links keeps all degrees. So no attempt is ever
 * thrown away, whatever the degree.
 */
#include "../port_event.h"
#include "topology_build.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 10 };

struct draw {
  uint64_t state;
};

static uint32_t draw(struct draw *d, uint32_t below)
{
  d->state += UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)((hd_mix64(d->state) >> 32) * below >> 32);
}

struct edge {
  uint32_t a, b;
};

struct mixer {
  uint32_t n, degree;
  struct edge *edges;
  uint32_t n_edges;
  uint32_t *far; /* [switch][degree]: neighbours; the first taken[switch] are valid */
  uint32_t *taken;
  uint32_t *queue; /* switches that the search has reached */
  bool *seen;
};

static uint32_t *far_of(const struct mixer *m, uint32_t sw)
{
  return m->far + (size_t)sw * m->degree;
}

static bool has_edge(const struct mixer *m, uint32_t a, uint32_t b)
{
  for (uint32_t i = 0; i < m->taken[a]; i++)
    if (far_of(m, a)[i] == b)
      return true;
  return false;
}

static void add_edge(struct mixer *m, uint32_t a, uint32_t b)
{
  m->edges[m->n_edges++] = (struct edge){a, b};
  far_of(m, a)[m->taken[a]++] = b;
  far_of(m, b)[m->taken[b]++] = a;
}

static void init_mixer(struct mixer *m)
{
  uint32_t n = m->n, half = n / 2;
  for (uint32_t step = 1; step <= m->degree / 2; step++)
    for (uint32_t i = 0; i < n; i++)
      add_edge(m, i, (i + step) % n);
  if (m->degree % 2 == 0)
    return;
  /* An odd degree needs one more link for each switch, to the switch opposite. If n is odd, one switch stays without.
   * */
  for (uint32_t i = 0; i < half; i++)
    if (n % 2 == 0)
      add_edge(m, i, i + half);
    else
      add_edge(m, (uint32_t)((uint64_t)2 * i * half % n),
               (uint32_t)((uint64_t)(2 * i + 1) * half % n));
}

static void replace_edge(const struct mixer *m, uint32_t sw, uint32_t before, uint32_t after)
{
  uint32_t *far = far_of(m, sw);
  while (*far != before)
    far++;
  *far = after;
}

static void swap_edges(struct mixer *m, struct draw *d)
{
  for (uint32_t i = 0; i < m->n_edges; i++) {
    struct edge *e = &m->edges[draw(d, m->n_edges)], *f = &m->edges[draw(d, m->n_edges)];
    uint32_t a = e->a, b = e->b, flip = draw(d, 2);
    uint32_t x = flip ? f->b : f->a, y = flip ? f->a : f->b;
    if (a == x || b == y || has_edge(m, a, x) || has_edge(m, b, y) || e == f)
      continue;
    replace_edge(m, a, b, x);
    replace_edge(m, b, a, y);
    replace_edge(m, x, y, a);
    replace_edge(m, y, x, b);
    *e = (struct edge){a, x};
    *f = (struct edge){b, y};
  }
}

static bool is_connected(struct mixer *m)
{
  uint32_t tail = 0;
  for (uint32_t sw = 0; sw < m->n; sw++)
    m->seen[sw] = false;
  m->queue[tail++] = 0;
  m->seen[0] = true;
  for (uint32_t head = 0; head < tail; head++)
    for (uint32_t i = 0; i < m->taken[m->queue[head]]; i++) {
      uint32_t far = far_of(m, m->queue[head])[i];
      if (!m->seen[far])
        m->queue[tail++] = far;
      m->seen[far] = true;
    }
  return tail == m->n;
}

static int make_links(struct mixer *m, uint64_t seed)
{
  struct draw d = {seed};
  m->edges = malloc((size_t)m->n * m->degree / 2 * sizeof *m->edges);
  m->far = malloc((size_t)m->n * m->degree * sizeof *m->far);
  m->taken = calloc(m->n, sizeof *m->taken);
  m->queue = malloc(m->n * sizeof *m->queue);
  m->seen = malloc(m->n * sizeof *m->seen);
  if (!m->edges || !m->far || !m->taken || !m->queue || !m->seen)
    return HD_E_NOMEM;
  init_mixer(m);
  /* Exchanges lead from any graph of these degrees to any other, and the ring at the start is connected, so this ends.
   */
  for (uint32_t round = 0; round < ROUNDS || !is_connected(m); round++)
    swap_edges(m, &d);
  return 0;
}

static void mixer_fini(struct mixer *m)
{
  free(m->edges);
  free(m->far);
  free(m->taken);
  free(m->queue);
  free(m->seen);
}

int hd_topology_irregular(struct hd_topology *t, uint32_t switches, uint32_t degree, uint64_t seed,
                          struct hd_error *err)
{
  struct mixer m = {.n = switches, .degree = degree};
  int status = hd_topology_alloc(t, HD_TOPO_IRREGULAR, switches, switches, degree + 1, err);
  if (status)
    return status;
  uint32_t least = switches > 2 ? 2 : 1;
  uint32_t most = switches - 1 < HD_MAX_PORTS - 1 ? switches - 1 : HD_MAX_PORTS - 1;
  if (degree < least || degree > most)
    status = hd_fail(err, HD_E_INPUT,
                     "%" PRIu32 " switches cannot be linked to %" PRIu32
                     " others each and all be connected; legal: %" PRIu32 " … %" PRIu32,
                     switches, degree, least, most);
  else if (make_links(&m, seed))
    status = hd_fail(err, HD_E_NOMEM, "out of memory for %" PRIu32 " switches", switches);
  if (status) {
    hd_topology_fini(t);
  } else {
    uint32_t *next = m.taken; /* from here on: the next free port of each switch */
    for (uint32_t sw = 0; sw < switches; sw++) {
      hd_topology_attach(t, sw, sw, 0);
      next[sw] = 1;
    }
    for (uint32_t i = 0; i < m.n_edges; i++) {
      const struct edge *e = &m.edges[i];
      hd_topology_link(t, e->a, next[e->a], e->b, next[e->b]);
      next[e->a]++;
      next[e->b]++;
    }
  }
  mixer_fini(&m);
  return status;
}

static int build(struct hd_topology *t, const struct hd_topology_shape *shape,
                 const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  return hd_topology_irregular(t, shape->switches, shape->degree, shape->graph_seed, err);
}

static void describe(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  snprintf(buf, size, "irregular network of degree %" PRIu32 ", graph seed %" PRIu64, shape->degree,
           shape->graph_seed);
}

const struct hd_topology_descriptor hd_topology_kind_irregular = {
    .name = "irregular",
    .help = "a random connected graph, a node at each switch",
    .section = "5.8",
    .example = "switches: 12, degree: 3",
    .needs = {"switches"},
    .takes = {"degree", "graph_seed"},
    .blamed = "degree",
    .build = build,
    .describe = describe,
};
