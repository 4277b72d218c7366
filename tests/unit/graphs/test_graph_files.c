/* Graph files of other tools: the format is recognised by the beginning of the text. Each text becomes links or an
 * error with its line.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/graphs/graph_links.h"
#include "../../../bridge/graphs/graphs.h"
#include "../lib/test.h"

TEST(the_format_of_a_graph_file_is_recognised_by_its_beginning)
{
  static const struct {
    const char *text, *format;
  } cases[] = {{"graph [ directed 0 ]", "GML"},
               {"\xef\xbb\xbfgraph\n[", "GML"},
               {"Creator \"x\" graph [ ]", "GML"},
               {"graph {", "dot"},
               {"graph \"a [\" { }", "dot"},
               {"// c\n/* graph [ */ strict digraph x {}", "dot"},
               {"<?xml version='1.0'?>", "GraphML"},
               {" {\"nodes\": 2}", "JSON"},
               {"router 0 node 1", "anynet"},
               {"8 0 16\n", "ns-3"},
               {"# links\ns0,s1\n", "CSV"},
               {"node,s0", "anynet"},
               {"", "CSV"},
               {"/", "CSV"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(hd_graph_format_of(cases[i].text, strlen(cases[i].text))->name,
                        cases[i].format);
}

TEST(graph_files_become_links_or_an_error_with_its_line)
{
  static const struct {
    const char *text, *expected; /* CSV, or the error */
  } cases[] = {
      {"router 0 node 1 router 1 5\nnode 0 router 1\nrouter 1 router 0 7\n",
       "s0,n1\ns0,s1,7\nn0,s1\n"},
      {"router 0 node 1 router 1 129",
       "f: the link from \"s0\" to \"s1\" takes 129 cycles; legal: 1 … 128"},
      {"router 0 node 1\nrouter 0 router 0\n", "f: vertex \"s0\" is linked to itself"},
      {"node 0 node 1", "f:1: a node's link leads to a router, not to node 1"},
      {"node 0 router 0 router 1\n", "f: node \"n0\" has 2 links; every node has exactly one"},
      {"router", "f:1: \"\": the number of a router must follow; legal: 0 … 65535"},
      {"router 0\nswitch 1", "f:2: \"switch\": legal: router or node, and a number"},
      {"router 0 router 99999", "f:1: \"99999\": the number of a router must follow"},
      {"2 0 1\n0 1 1Gbps 0ms 0\n", "n0,s0\nn1,s1\ns0,s1\n"},
      {"2 0 1\n0 1 1Gbps 0ms 0\n7", "f:3: line 1 says 1 link, and more follows"},
      {"2 0 1\n0 2 1Gbps 0ms 0\n", "f:2: \"2\": an end of a link; legal: a whole number, 0 … 1"},
      {"2 0 1\n0 1 1Gbps\n", "f:3: a line is: two ends, rate, delay and error rate of a link"},
      {"0 0 1\n0 1 1Gbps 0ms 0\n", "f:1: no machine and no switch"},
      {"2 0 3\n", "f:2: the file ends before an end of a link"},
      {"{\"nodes\":1,\"switches\":1}", "f: no graph as `heddle topo --links json` writes it"},
      {"{\n\"nodes\":", "f:2: unexpected token near end of file"},
      {"{\"nodes\":1,\"switches\":2,\"links\":[{\"node\":0,\"switch\":0,\"port\":3,\"one_way\":"
       "\"to the "
       "node\"},{\"switch\":[0,1],\"port\":[2,1]},{\"node\":0,\"switch\":1,\"port\":0,\"one_way\":"
       "\"to "
       "the switch\"}]}",
       "s0:3,n0,one-way\ns0:2,s1:1\nn0,s1:0,one-way\n"},
      {"{\"nodes\":1,\"switches\":2,\"links\":[{\"switch\":[0,2],\"port\":[2,1]}]}",
       "f: links[0]: legal"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct hd_topology_text text = {cases[i].text, "f", strlen(cases[i].text)};
    CLEANUP(hd_text_fini) struct hd_text csv = {0};
    struct hd_error err = {""};
    int status = hd_graph_as_csv(&text, &csv, &err);
    if (strncmp(cases[i].expected, "f:", 2)) {
      assert_string_equal(err.text, "");
      assert_string_equal(csv.chars, cases[i].expected);
    } else {
      assert_int_equal(status, HD_E_INPUT);
      assert_null(csv.chars);
      if (strncmp(err.text, cases[i].expected, strlen(cases[i].expected)))
        assert_string_equal(err.text, cases[i].expected);
    }
  }
}

/* A star of so many leaves, each edge `times` over. */
static int star(uint32_t leaves, int32_t nodes, bool one_way, struct hd_text *csv,
                struct hd_error *err)
{
  struct hd_graph_links *links = hd_graph_links_create("star");
  hd_graph_links_vertex(links, &(struct hd_graph_vertex){"hub", NULL, nodes});
  for (uint32_t i = 1; i <= leaves; i++) {
    hd_graph_links_vertex(links, &(struct hd_graph_vertex){"leaf", i == 1 ? "host" : NULL, -1});
    hd_graph_links_edge(links, &(struct hd_graph_edge){0, i, -1, -1, one_way, false, 0});
    if (one_way)
      hd_graph_links_edge(links, &(struct hd_graph_edge){i, 0, -1, -1, true, false, 0});
  }
  int status = hd_graph_links_write(links, csv, err);
  hd_graph_links_destroy(links);
  return status;
}

TEST(hosts_are_nodes_and_opposite_edges_are_one_link)
{
  struct hd_text csv = {0};
  must(star(3, 2, true, &csv, &why));
  assert_string_equal(csv.chars, "n1,s0\nn2,s0\ns0,n0\ns0,s1\ns0,s2\n");
  hd_text_fini(&csv);
  must(star(16, 0, true, &csv, &why));
  hd_text_fini(&csv);
  must_fail(star(16, 1, true, &csv, &why), HD_E_INPUT,
            "switch \"hub\" (s0) has 16 links and 1 node");
  hd_text_fini(&csv);
  must_fail(star(40, 0, false, &csv, &why), HD_E_INPUT, "vertex \"hub\" has more than 16 links");
  hd_text_fini(&csv);
}
