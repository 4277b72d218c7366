/* Links that go one way, and nodes that send here and receive there (specification §5.12).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/switch_set.h"
#include "../lib/routing_fabric.h"
#include "../lib/test.h"

#include "../../../cmodel/fabric/fabric.h"

/* Four nodes enter on the left and leave on the right; port 1 of s0 sends to s3 and takes from n1. */
static const char two_stages[] = "n0,s0:0,one-way\nn1,s0:1,one-way\nn2,s1:0,one-way\n"
                                 "n3,s1:1, one-way \r\n"
                                 "s0:0,s2:0,one-way\ns0:1,s3:0,one-way\n"
                                 "s1:0,s2:1,one-way\ns1:1,s3:1,one-way\n"
                                 "s2:0,n0,one-way\ns2:1,n1,one-way\ns3:0,n2,one-way\n"
                                 "s3:1,n3,one-way\n";

static void build(struct hd_topology *t, const char *text)
{
  must(hd_topology_graph(t, text, strlen(text), "net.csv", &why));
  must(hd_topology_check(t, &why));
}

static void assert_end(struct hd_peer end, int kind, uint32_t index, uint32_t port)
{
  assert_int_equal(end.kind, kind);
  assert_int_equal(end.index, index);
  assert_int_equal(end.port, port);
}

TEST(links_of_graph_files_can_be_unidirectional)
{
  struct hd_topology t;
  build(&t, two_stages);
  assert_true(hd_topology_one_way(&t));
  assert_int_equal(t.ports, 2);
  assert_end(t.peers[0 * 2 + 1], HD_PEER_SWITCH, 3, 0);
  assert_end(t.senders[0 * 2 + 1], HD_PEER_NODE, 1, 0);
  assert_end(t.senders[3 * 2 + 0], HD_PEER_SWITCH, 0, 1);
  assert_end(t.peers[3 * 2 + 0], HD_PEER_NODE, 2, 0);
  assert_end(t.node_peers[2], HD_PEER_SWITCH, 1, 0);
  assert_end(t.node_exits[2], HD_PEER_SWITCH, 3, 0);
  must(hd_topology_widen(&t, 4, &why));
  assert_end(t.senders[3 * 4 + 0], HD_PEER_SWITCH, 0, 1);
  assert_end(t.senders[3 * 4 + 2], HD_PEER_NONE, 0, 0);
  must(hd_topology_check(&t, &why));
  t.senders[3 * 4 + 0].port = 0; /* what takes and what sends no longer agree */
  assert_int_equal(hd_topology_check(&t, &why), HD_E_INPUT);
  hd_topology_fini(&t);
  /* A free half is a place for a link in this direction, not for one in both. */
  build(&t, "n0,s0:0\nn1,s1:0\ns0:1,s1:1,one-way\ns1,s0,one-way\ns0,s1\n");
  assert_end(t.peers[0 * t.ports + 1], HD_PEER_SWITCH, 1, 1);
  assert_end(t.senders[0 * t.ports + 1], HD_PEER_SWITCH, 1, 1);
  assert_end(t.peers[1 * t.ports + 1], HD_PEER_SWITCH, 0, 1);
  assert_end(t.peers[0 * t.ports + 2], HD_PEER_SWITCH, 1, 2);
  hd_topology_fini(&t);
  build(&t, "n0,s0\nn1,s0\n");
  assert_false(hd_topology_one_way(&t));
  hd_topology_fini(&t);
}

TEST(errors_in_unidirectional_links_are_named)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"n0,s0\nn1,s0,one-way\n", "net.csv: node n1 has no way out: no link from a switch"},
      {"n0,s0\ns0,n1,one-way\n", "net.csv: node n1 has no way in: no link to a switch"},
      {"n0,s0\ns0,n1,one-way\nn1,s0,one-way\ns0,n1,one-way\n",
       "net.csv:4: node n1 has a second link; every node has exactly one, to a switch, or one way "
       "in and one way out"},
      {"n0,s0:0\ns0:1,s1:0,one-way\ns0:1,s2:0,one-way\n",
       "net.csv:3: port 1 of s0 is named twice; every link needs a port of its own"},
      {"n0,s0\ns0,s1,oneway\n", "net.csv:2: \"s1,oneway\": \",oneway\" is too much; write "
                                "s<switch>, n<node> or s<switch>:<port>"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_topology t;
    struct hd_error err = {""};
    assert_int_equal(hd_topology_graph(&t, cases[i].text, strlen(cases[i].text), "net.csv", &err),
                     HD_E_INPUT);
    assert_string_equal(err.text, cases[i].message);
    assert_null(t.peers);
  }
}

TEST(routes_follow_unidirectional_links)
{
  struct fabric f;
  build(&f.t, two_stages);
  route(&f, HD_ROUTE_SHORTEST, false, 1);
  for (uint32_t s = 0; s < 4; s++)
    for (uint32_t d = 0; d < 4; d++) {
      uint16_t path[4];
      assert_int_equal(hd_routing_path(&f.tables, &f.t, s, d, path, 4, &why), 2);
      assert_int_equal(path[0], s / 2);
      assert_int_equal(path[1], 2 + d / 2);
    }
  hd_tables_fini(&f.tables);
  must_fail(hd_routing_build(&f.tables, &f.t, HD_ROUTE_UP_DOWN, false, 1, 0, &why), HD_E_INPUT,
            "some go one way; legal: shortest");
  fabric_fini(&f);
  /* All ways round a ring of one direction: each channel waits for the next. */
  build(&f.t, "n0,s0:0\nn1,s1:0\nn2,s2:0\ns0:1,s1:1,one-way\ns1:1,s2:1,one-way\n"
              "s2:1,s0:1,one-way\n");
  must(hd_routing_build(&f.tables, &f.t, HD_ROUTE_SHORTEST, false, 1, 0, &why));
  must_say(hd_routing_check(&f.tables, &f.t, 1, false, &why), HD_E_INPUT,
           "can deadlock: 3 channels wait for each other (output port and "
           "virtual channel of each): s2 port 1 vc 0 → s0 port 1 vc 0 → s1 "
           "port 1 vc 0 → s2 port 1 vc 0");
  fabric_fini(&f);
  /* One way to n1, none back. */
  build(&f.t, "n0,s0:0\nn1,s1:0\ns0:1,s1:1,one-way\n");
  must(hd_routing_build(&f.tables, &f.t, HD_ROUTE_SHORTEST, false, 1, 0, &why));
  must_fail(hd_routing_check(&f.tables, &f.t, 1, false, &why), HD_E_INPUT, "no way from n1 to n0");
  fabric_fini(&f);
}

static struct hd_fabric_params params_for(const struct hd_topology *t)
{
  return (struct hd_fabric_params){.sw = {SIMPLE_SWITCH(t->ports, 1, 16, 4, t->n_nodes)},
                                   .link_cycles = 2};
}

/* Packets longer than all buffers on their way come through only if credits find back to their
 * senders; those of one node to another take the time of §4.5 over two switches. */
TEST(flits_and_credits_travel_over_unidirectional_links)
{
  enum { FLITS = 40 };
  CLEANUP(fabric_fini) struct fabric f;
  build(&f.t, two_stages);
  route(&f, HD_ROUTE_SHORTEST, false, 1);
  struct hd_fabric_params params = params_for(&f.t);
  struct hd_fabric *fabric;
  must(hd_fabric_create(&fabric, &params, &f.t, &f.tables, &why));
  uint32_t received = 0, sent = 0, n, number;
  for (uint32_t s = 0; s < 4; s++)
    for (uint32_t d = 0; d < 4; d++, sent++) {
      struct hd_packet packet = {.source = s, .destination = d, .flits = FLITS};
      must(hd_fabric_send(fabric, &packet, &number, &why));
    }
  for (uint32_t cycle = 0; cycle < 5000 && received < sent; cycle++) {
    must(hd_fabric_step(fabric, &why));
    const struct hd_delivery *d = hd_fabric_deliveries(fabric, &n);
    for (uint32_t i = 0; i < n; i++)
      assert_true(d[i].intact);
    received += n;
  }
  assert_int_equal(received, sent);
  while (!hd_fabric_idle(fabric))
    must(hd_fabric_step(fabric, &why));
  struct hd_packet alone = {.source = 3, .destination = 0, .flits = 1};
  must(hd_fabric_send(fabric, &alone, &number, &why));
  for (n = 0; !n; hd_fabric_deliveries(fabric, &n))
    must(hd_fabric_step(fabric, &why));
  const struct hd_delivery *d = hd_fabric_deliveries(fabric, &n);
  assert_int_equal(d->received - d->created, 2 + 2 * (1 + 1 + 1 + 2));
  hd_fabric_destroy(fabric);
}

TEST(barriers_and_faults_need_both_directions)
{
  CLEANUP(fabric_fini) struct fabric f;
  struct hd_fabric *fabric;
  build(&f.t, two_stages);
  route(&f, HD_ROUTE_SHORTEST, false, 1);
  struct hd_fabric_params params = params_for(&f.t);
  params.faults = true;
  must_fail(hd_fabric_create(&fabric, &params, &f.t, &f.tables, &why), HD_E_INPUT,
            "faults, but links that go one way");
  params = params_for(&f.t);
  params.sw.barrier = HD_BARRIER_QUEUED;
  params.sw.groups = 2;
  params.sw.switches = 4;
  must_fail(hd_fabric_create(&fabric, &params, &f.t, &f.tables, &why), HD_E_INPUT,
            "barrier hardware, but links that go one way");
}
