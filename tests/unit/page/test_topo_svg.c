/* Every topology of the list as a drawing: all of its switches, links and nodes, each in its place.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/page/topo_svg.h"
#include "../lib/well_formed.h"
#include "../lib/test.h"

/* Small shapes: each topology looks at its own keys. */
static const struct hd_topology_shape shape = {.dims = {4, 3},
                                               .n_dims = 2,
                                               .k = 2,
                                               .n = 3,
                                               .m = 3,
                                               .r = 4,
                                               .p = 2,
                                               .a = 2,
                                               .h = 2,
                                               .pods = 4,
                                               .switches = 12,
                                               .degree = 3,
                                               .graph_seed = 1};

static uint32_t assert_drawn(const struct hd_topology *t, const char *name)
{
  CLEANUP(hd_text_fini) struct hd_text text = {0}, page = {0};
  hd_topo_svg(t, name, &text);
  const char *svg = hd_text_chars(&text);
  hd_text_add(&page, "<!DOCTYPE html>%s", svg); /* as in a page, which is XML here */
  page_expect_well_formed(hd_text_chars(&page));
  uint32_t places = 0;
  for (uint32_t i = 0; i < t->n_nodes; i++)
    places += t->node_peers[i].index == t->node_exits[i].index ? 1 : 2;
  assert_int_equal(page_count(svg, "class=\"sw\""), t->n_switches);
  assert_int_equal(page_count(svg, "<circle"), places);
  assert_null(strstr(svg, "nan"));
  assert_null(strstr(svg, "flits"));
  /* Every pair of linked switches has a line; the other paths are of nodes. */
  uint32_t pairs = 0;
  for (uint32_t a = 0; a < t->n_switches; a++)
    for (uint32_t b = 0; b < a; b++) {
      bool linked = false;
      for (uint32_t p = 0; p < t->ports; p++) {
        const struct hd_peer *x = &t->peers[a * t->ports + p], *y = &t->peers[b * t->ports + p];
        linked |= (x->kind == HD_PEER_SWITCH && x->index == b) ||
                  (y->kind == HD_PEER_SWITCH && y->index == a);
      }
      pairs += linked;
    }
  assert_int_equal(page_count(svg, "<path"), pairs + places);
  return pairs;
}

TEST(every_topology_is_drawn_with_all_switches_links_and_nodes)
{
  uint32_t lines = 0;
  for (unsigned k = 0; k < HD_TOPOLOGIES; k++) {
    static const char net[] = "n0,s0,one-way\ns0,s1,one-way\ns1,n0,one-way\nn1,s0\ns1,s0\n";
    const struct hd_topology_text text = {net, "net.csv", sizeof net - 1};
    CLEANUP(hd_topology_fini) struct hd_topology t;
    must(hd_topology_build(&t, k, &shape, hd_topologies[k]->from_text ? &text : NULL, &why));
    lines += assert_drawn(&t, hd_topologies[k]->name);
  }
  printf("%u topologies, %u lines\n", HD_TOPOLOGIES, lines);
  assert_true(lines > 10 * HD_TOPOLOGIES);
}
