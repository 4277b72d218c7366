/* Topologies against their definitions; graph files, good and bad (specification chapter 5).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../cmodel/switch/switch.h"
#include "../../../cmodel/topology/topology.h"
#include "../lib/test.h"

static struct hd_peer peer_of(const struct hd_topology *t, uint32_t sw, uint32_t port)
{
  return t->peers[sw * t->ports + port];
}

static void assert_peer(const struct hd_topology *t, uint32_t sw, uint32_t port, int kind,
                        uint32_t index, uint32_t far_port)
{
  struct hd_peer p = peer_of(t, sw, port);
  assert_int_equal(p.kind, kind);
  assert_int_equal(p.index, index);
  assert_int_equal(p.port, far_port);
}

static void assert_consistent(const struct hd_topology *t)
{
  must(hd_topology_check(t, &why));
}

TEST(mesh_links_follow_coordinates)
{
  CLEANUP(hd_topology_fini) struct hd_topology t;
  const uint32_t dims[3] = {4, 3, 2};
  must(hd_topology_mesh(&t, dims, 3, &why));
  assert_int_equal(t.n_switches, 24);
  assert_int_equal(t.n_nodes, 24);
  assert_int_equal(t.ports, 7);
  uint32_t compared = 0;
  for (uint32_t z = 0; z < 2; z++)
    for (uint32_t y = 0; y < 3; y++)
      for (uint32_t x = 0; x < 4; x++) {
        uint32_t sw = x + 4 * (y + 3 * z);
        assert_peer(&t, sw, 0, HD_PEER_NODE, sw, 0);
        if (x < 3)
          assert_peer(&t, sw, 1, HD_PEER_SWITCH, sw + 1, 2);
        else
          assert_peer(&t, sw, 1, HD_PEER_NONE, 0, 0);
        if (y > 0)
          assert_peer(&t, sw, 4, HD_PEER_SWITCH, sw - 4, 3);
        else
          assert_peer(&t, sw, 4, HD_PEER_NONE, 0, 0);
        if (z == 0)
          assert_peer(&t, sw, 5, HD_PEER_SWITCH, sw + 12, 6);
        else
          assert_peer(&t, sw, 5, HD_PEER_NONE, 0, 0);
        compared += 4;
      }
  assert_int_equal(compared, 96);
  assert_consistent(&t);
}

TEST(trees_have_the_numbers_of_their_definition)
{
  uint32_t built = 0;
  for (uint32_t k = 2; k <= 8; k++)
    for (uint32_t n = 1, nodes = k, per_stage = 1; nodes <= 2048; n++, nodes *= k, per_stage *= k)
      for (uint32_t extended = 0; extended < 2; extended++) {
        CLEANUP(hd_topology_fini) struct hd_topology t;
        int status =
            extended ? hd_topology_extended_tree(&t, k, n, &why) : hd_topology_tree(&t, k, n, &why);
        assert_int_equal(status, 0);
        assert_int_equal(t.n_nodes, extended ? 2 * nodes : nodes);
        assert_int_equal(t.n_switches, extended ? (2 * n - 1) * per_stage : n * per_stage);
        assert_int_equal(t.ports, 2 * k);
        assert_consistent(&t);
        /* Every port of an extended tree is linked; in a plain one the last stage's up ports
         * are not. */
        uint32_t unlinked = 0;
        for (uint32_t i = 0; i < t.n_switches * t.ports; i++)
          unlinked += t.peers[i].kind == HD_PEER_NONE;
        assert_int_equal(unlinked, extended ? 0 : nodes);
        built++;
      }
  printf("%u trees\n", built);
  assert_true(built > 30);
}

TEST(tree_2_3_is_wired_as_drawn)
{
  struct hd_topology t;
  must(hd_topology_tree(&t, 2, 3, &why));
  assert_peer(&t, 1, 0, HD_PEER_NODE, 2, 0);
  assert_peer(&t, 1, 1, HD_PEER_NODE, 3, 0);
  /* Stage 0, label 01: up ports set digit 0; far down port is the old digit 1. */
  assert_peer(&t, 1, 2, HD_PEER_SWITCH, 4 + 0, 1);
  assert_peer(&t, 1, 3, HD_PEER_SWITCH, 4 + 1, 1);
  /* Stage 1, label 10: up ports set digit 1. */
  assert_peer(&t, 6, 2, HD_PEER_SWITCH, 8 + 0, 1);
  assert_peer(&t, 6, 3, HD_PEER_SWITCH, 8 + 2, 1);
  assert_peer(&t, 11, 2, HD_PEER_NONE, 0, 0);
  hd_topology_fini(&t);
  must(hd_topology_extended_tree(&t, 2, 3, &why));
  assert_int_equal(t.n_nodes, 16);
  assert_int_equal(t.n_switches, 20);
  /* Half 1 begins at switch 8 and node 8, the shared stage at switch 16. */
  assert_peer(&t, 8, 0, HD_PEER_NODE, 8, 0);
  assert_peer(&t, 6, 3, HD_PEER_SWITCH, 16 + 2, 1);
  assert_peer(&t, 14, 3, HD_PEER_SWITCH, 16 + 2, 3);
  hd_topology_fini(&t);
}

static int graph(struct hd_topology *t, const char *text, struct hd_error *err)
{
  /* A copy without NUL, so that reading past the end is seen by the sanitizer. */
  size_t n = strlen(text);
  char *copy = malloc(n + 1);
  assert_non_null(copy);
  CLEANUP(free_at) char *exact = realloc(copy, n ? n : 1);
  assert_non_null(exact);
  memcpy(exact, text, n);
  int status = hd_topology_graph(t, exact, n, "net.csv", err);
  return status;
}

TEST(ports_of_graph_files_are_assigned_lowest_free_first)
{
  struct hd_topology t;
  const char *text = "# a triangle\n\n"
                     "s0,s1\r\n"
                     " s1 , s2:3 \n"
                     "n0,s0:0\n"
                     "s2,s0\n"
                     "s1,n1\n"
                     "n2,s2";
  must(graph(&t, text, &why));
  assert_int_equal(t.n_switches, 3);
  assert_int_equal(t.n_nodes, 3);
  assert_int_equal(t.ports, 4);
  assert_peer(&t, 0, 0, HD_PEER_NODE, 0, 0); /* named, though on a later line */
  assert_peer(&t, 0, 1, HD_PEER_SWITCH, 1, 0);
  assert_peer(&t, 0, 2, HD_PEER_SWITCH, 2, 0);
  assert_peer(&t, 1, 1, HD_PEER_SWITCH, 2, 3);
  assert_peer(&t, 1, 2, HD_PEER_NODE, 1, 0);
  assert_peer(&t, 2, 1, HD_PEER_NODE, 2, 0);
  assert_peer(&t, 2, 2, HD_PEER_NONE, 0, 0);
  assert_consistent(&t);
  hd_topology_fini(&t);
  must(graph(&t, "\xef\xbb\xbfn0,s0\nn1,s0\n", &why));
  assert_int_equal(t.ports, 2);
  hd_topology_fini(&t);
}

TEST(errors_in_graph_files_are_named_by_line)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "net.csv: no link in it; write one a line, as n0,s0 or s0,s1"},
      {"# nothing\n\n", "net.csv: no link in it; write one a line, as n0,s0 or s0,s1"},
      {"s0 s1\n", "net.csv:1: \"s0 s1\" is no link; write two ends with a comma between, as s0,s1 "
                  "or n0,s0:2"},
      {"n0,s0\nn1,x1\n", "net.csv:2: \"x1\" is no end of a link; write s<switch>, n<node> or "
                         "s<switch>:<port>"},
      {"n0,s0\nn1,\n", "net.csv:2: \"\" is no end of a link; write s<switch>, n<node> or "
                       "s<switch>:<port>"},
      {"n0,s\n", "net.csv:1: \"s\": a number must follow the letter; legal: 0 … 65535"},
      {"n2048,s0\n", "net.csv:1: \"n2048\": node numbers are 0 … 2047"},
      {"n0,s65536\n", "net.csv:1: \"s65536\": switch numbers are 0 … 65535"},
      {"n0,s99999999999999999999\n",
       "net.csv:1: \"s99999999999999999999\": switch numbers are 0 … 65535"},
      {"n0:1,s0\n", "net.csv:1: \"n0:1\": a node has one link and no port numbers; write n0"},
      {"n0,s0:16\n", "net.csv:1: \"s0:16\": ports of a switch are 0 … 15"},
      {"n0,s0:\n", "net.csv:1: \"s0:\": ports of a switch are 0 … 15"},
      {"n0,s0,s1\n", "net.csv:1: \"s0,s1\": \",s1\" is too much; write s<switch>, n<node> or "
                     "s<switch>:<port>"},
      {"n0,n1\n", "net.csv:1: a node's link leads to a switch, not to node n1"},
      {"n0,s0\ns3,s3\n", "net.csv:2: s3 is linked to itself"},
      {"n0,s0:1\nn1,s0:1\n",
       "net.csv:2: port 1 of s0 is named twice; every link needs a port of its own"},
      {"n0,s0\nn1,s0\n\nn0,s0\n", "net.csv:4: node n0 has a second link; every node has exactly "
                                  "one, to a switch, or one way in "
                                  "and one way out"},
      {"n0,s0\nn2,s0\n", "net.csv: node n1 has no link to a switch"},
      {"n0,s0\n", "net.csv: the fabric has 1 node; legal: 2 … 65536"},
      {"s0,s1\n", "net.csv: the fabric has 0 nodes; legal: 2 … 65536"},
      {"n0,s0\nn1,s0\ns1,s2\n", "net.csv: not connected: switch s1 cannot be reached from s0 (1 of "
                                "3 switches can)"},
      {"n0,s0\nn1,s2\ns0,s2\n", "net.csv: not connected: switch s1 cannot be reached from s0 (2 of "
                                "3 switches can)"},
      {"n0,s0\n\x01\x02\xff,s0\n", "net.csv:2: \"???\" is no end of a link; write s<switch>, "
                                   "n<node> or s<switch>:<port>"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_topology_fini) struct hd_topology t;
    struct hd_error err = {""};
    assert_int_equal(graph(&t, cases[i].text, &err), HD_E_INPUT);
    assert_string_equal(err.text, cases[i].message);
    assert_null(t.peers);
  }
}

TEST(a_switch_of_seventeen_links_is_refused)
{
  char text[512] = "";
  for (int i = 0; i < 17; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "n%d,s0\n", i);
  struct hd_topology t;
  must_say(graph(&t, text, &why), HD_E_INPUT,
           "net.csv:17: s0 has more than 16 links; a switch has at most 16 ports");
}

TEST(sizes_out_of_range_are_refused)
{
  static const struct {
    uint32_t dims[8], n_dims;
    const char *message;
  } cases[] = {
      {{2}, 0, "the mesh has 0 dimensions; legal: 1 … 7"},
      {{2, 2, 2, 2, 2, 2, 2, 2}, 8, "the mesh has 8 dimensions; legal: 1 … 7"},
      {{4, 0}, 2, "dimension 1 of the mesh is 0; legal: 1 … 65536"},
      {{65537}, 1, "dimension 0 of the mesh is 65537; legal: 1 … 65536"},
      {{1024, 65}, 2, "the mesh has more than 65536 nodes; the product of dims must be 2 … 65536"},
      {{2048, 2048, 2048, 2048, 2048, 2048, 2048},
       7,
       "the mesh has more than 65536 nodes; the product of dims must be 2 … 65536"},
      {{1, 1}, 2, "the fabric has 1 node; legal: 2 … 65536"},
  };
  struct hd_topology t;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    must_say(hd_topology_mesh(&t, cases[i].dims, cases[i].n_dims, &why), HD_E_INPUT,
             cases[i].message);
  }
  must_say(hd_topology_tree(&t, 9, 1, &why), HD_E_INPUT,
           "k of the k-ary n-tree is 9; legal: 2 … 8");
  must_say(hd_topology_tree(&t, 2, 14, &why), HD_E_INPUT,
           "n of the k-ary n-tree is 14; legal: 1 … 13");
  must_say(hd_topology_extended_tree(&t, 8, 6, &why), HD_E_INPUT,
           "the extended k-ary n-tree with k = 8 and n = 6 has more than 65536 "
           "nodes; with this k, n is 1 … 5");
}

TEST(inconsistent_links_are_found)
{
  CLEANUP(hd_topology_fini) struct hd_topology t;
  const uint32_t dims[2] = {3, 3};
  must(hd_topology_mesh(&t, dims, 2, &why));
  struct hd_peer right = t.peers[1];
  t.peers[1].port = 4;
  assert_int_equal(hd_topology_check(&t, &why), HD_E_INPUT);
  t.peers[1] = right;
  t.node_peers[4].port = 1;
  assert_int_equal(hd_topology_check(&t, &why), HD_E_INPUT);
}
