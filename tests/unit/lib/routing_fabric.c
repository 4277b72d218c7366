/* A routed fabric, for the tests of routing.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_fabric.h"

void route(struct fabric *f, enum hd_routing_kind kind, bool always_top, uint32_t vcs)
{
  int status = hd_routing_build(&f->tables, &f->t, kind, always_top, vcs, 0, &why);
  if (status)
    print_error("%s\n", why.text);
  assert_int_equal(status, 0);
  status = hd_routing_check(&f->tables, &f->t, vcs, false, &why);
  if (status)
    print_error("%s\n", why.text);
  assert_int_equal(status, 0);
}

void fabric_fini(struct fabric *f)
{
  hd_tables_fini(&f->tables);
  hd_topology_fini(&f->t);
}

uint32_t hops(const struct fabric *f, uint32_t s, uint32_t d)
{
  uint16_t path[MOST_HOPS];
  int n = hd_routing_path(&f->tables, &f->t, s, d, path, MOST_HOPS, &why);
  if (n < 0)
    print_error("%s\n", why.text);
  assert_true(n > 0);
  assert_int_equal(path[0], f->t.node_peers[s].index);
  assert_int_equal(path[n - 1], f->t.node_peers[d].index);
  return (uint32_t)n;
}

void ring(struct hd_topology *t, uint32_t n)
{
  char text[1024] = "";
  for (uint32_t i = 0; i < n; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "s%u:1,s%u:2\nn%u,s%u:0\n", i,
             (i + 1) % n, i, i);
  must(hd_topology_graph(t, text, strlen(text), "ring", &why));
}
