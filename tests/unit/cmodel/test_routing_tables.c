/* Routing tables in graph files: what is wrong is named by its line, what can deadlock is refused (specification §5.27).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../cmodel/routing/routing.h"
#include "../lib/test.h"

/* Two switches, three nodes; lines of tables begin with the fourth line. */
#define LINKS "s0:3,s1:3\nn0,s0:0\nn1,s0:1\nn2,s1:0\n"
#define TABLES "to,s0,n0,0,*\nto,s0,n1,1,*\nto,s0,n2,3,0\nto,s1,n0-1,3,*\nto,s1,n2,0,*\n"

/* Builds tables for two channels and checks them. */
static int tables_of(const char *text, struct hd_topology *t, struct hd_tables *tables,
                     struct hd_error *err)
{
  memset(tables, 0, sizeof *tables);
  int status = hd_topology_graph(t, text, strlen(text), "net.csv", err);
  if (!status)
    status = hd_routing_build(tables, t, HD_ROUTE_TABLES, false, 2, 0, err);
  if (!status)
    status = hd_routing_check(tables, t, 2, true, err);
  return status;
}

TEST(table_entries_are_those_of_the_lines_of_the_file)
{
  struct hd_topology t;
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  const char *text = LINKS TABLES "chosen,1\n"
                                  "# node 1 is on switch 0\n";
  assert_int_equal(tables_of(text, &t, &tables, &why), HD_E_INPUT); /* chosen, but no sets */
  hd_topology_fini(&t);
  text = LINKS "chosen , 1\r\n"
               "to , s0 , n0 , 0 , *\n\nto,s0,n1,1,0 1\nto,s0,n2,3,0,3\nto,s1:0,n0-1,3,0-1,3\n"
               "to,s1,n2,0,*\n";
  must(tables_of(text, &t, &tables, &why));
  assert_int_equal(t.ports, 4);
  assert_int_equal(tables.header_mode, 0);
  assert_null(tables.source);
  assert_int_equal(tables.adapt, 2);
  unsigned valid = 0;
  for (uint32_t sw = 0; sw < 2; sw++)
    for (uint32_t port = 0; port < 4; port++)
      for (uint32_t node = 0; node < 3; node++) {
        const size_t i = (sw * 4 + port) * 3 + node;
        const uint16_t there = sw == 0     ? node == 0   ? hd_table_entry(0, 3)
                                             : node == 1 ? hd_table_entry(1, 3)
                                                         : hd_table_entry(3, 1)
                                   : node == 2 ? hd_table_entry(0, 3)
                               : port == 0 ? hd_table_entry(3, 3)
                                           : 0;
        assert_int_equal(tables.destination[i], there);
        assert_int_equal(tables.sets[i], there && (there & 15) == 3 ? 8 : 0);
        valid += there != 0;
      }
  assert_int_equal(valid, 18);
  hd_topology_fini(&t);
}

TEST(errors_in_routing_tables_are_named_by_line)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "it has links alone, but no routing tables; these are lines such as to,s0,n3,1,*"},
      {"to\n", "net.csv:5: \"to\" is followed by 0 values; legal: switch, nodes, output port, "
               "channels, and ports that can be chosen, as to,s0:2,n4-7,1,0,1 3"},
      {"to,s0,n0,0,*,1,2\n",
       "net.csv:5: \"to\" is followed by 6 values; legal: switch, nodes, output port, channels, "
       "and ports that can be chosen, as to,s0:2,n4-7,1,0,1 3"},
      {"to,n0,n0,0,*\n",
       "net.csv:5: \"n0\"; legal: a switch, or one of its input ports, as s0 or s0:2"},
      {"to,s0:16,n0,0,*\n",
       "net.csv:5: \"s0:16\"; legal: a switch, or one of its input ports, as s0 or s0:2"},
      {"to,s0,n2-1,0,*\n", "net.csv:5: \"n2-1\"; legal: a node or several, as n3 or n3-7"},
      {"to,s0,n0,16,*\n", "net.csv:5: \"16\"; legal: an output port, 0 … 15"},
      {"to,s0,n0,,*\n", "net.csv:5: \"\"; legal: an output port, 0 … 15"},
      {"to,s0,n0,0,8\n", "net.csv:5: \"8\"; legal: virtual channels, as 0 or 0 2-3, or * for all"},
      {"to,s0,n0,0,0x\n",
       "net.csv:5: \"0x\"; legal: virtual channels, as 0 or 0 2-3, or * for all"},
      {"to,s0,n0,0,\n", "net.csv:5: \"\"; legal: virtual channels, as 0 or 0 2-3, or * for all"},
      {"to,s0,n0,0,0,3-1\n", "net.csv:5: \"3-1\"; legal: ports that can be chosen, as 1 or 1 3-4"},
      {"to,s2,n0,0,*\n", "net.csv:5: no link leads to switch s2; legal: s0 … s1"},
      {"to,s0,n1-3,0,*\n", "net.csv:5: no link leads to node n3; legal: n0 … n2"},
      {"to,s0:2,n0,0,*\n", "net.csv:5: no link leads to input port 2 of s0"},
      {"to,s0:9,n0,0,*\n", "net.csv:5: no link leads to input port 9 of s0"},
      {"to,s0,n0,2,*\n", "net.csv:5: no link leads away from port 2 of s0"},
      {"chosen,*\nto,s0,n0,0,*,0 15\n", "net.csv:6: no link leads away from port 15 of s0"},
      {"to,s0,n0,0,*,0\n", "net.csv:5: ports that can be chosen, but no line says on which "
                           "channels, as chosen,1-3"},
      {"chosen,1\nchosen,0\n", "net.csv:6: the channels of chosen ports were given in line 5"},
      {"chosen\n", "net.csv:5: \"chosen\" is followed by 0 values; legal: the channels of ports "
                   "that packets choose, as chosen,1-3"},
      {"chosen,1\n" TABLES,
       "net.csv:5: channels of chosen ports, but no line has ports that can be chosen"},
      {"by,s0,n0,0,*,0\n", "net.csv:5: \"by\" has ports that can be chosen; only packets by their "
                           "destination choose, with \"to\""},
      {"from,s0,n0,3,*\nby,s0,n0,3,*\n", "net.csv:6: \"by\", but line 5 has \"from\"; packets have "
                                         "a node to go by or their source in "
                                         "the header, not both"},
      {"from,s0,n0,3,*\nchosen,1\nto,s0,n0,0,*,0\n",
       "net.csv:5: \"from\", but line 7 has ports that can be chosen; packets with their source in "
       "the header do not choose"},
      {TABLES "to,s0:3,n2,3,1\n",
       "net.csv:10: packets to n2 have an entry at input port 3 of s0 by line 7 already"},
      {"to,s0,n0,0,2\n", "net.csv:5: a channel that packets do not have; legal: 0 … 1"},
      {"chosen,2\nto,s0,n0,0,*,0\n", "net.csv:5: a channel that packets do not have; legal: 0 … 1"},
      {"to,s0,n0,0,*\n", "no way from n1 to n0: s1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases - 1; i++) {
    CLEANUP(hd_topology_fini) struct hd_topology t;
    struct hd_tables tables;
    struct hd_error err = {""};
    char text[512];
    snprintf(text, sizeof text, LINKS "%s", cases[i].text);
    assert_int_equal(tables_of(text, &t, &tables, &err), HD_E_INPUT);
    assert_string_equal(err.text, cases[i].message);
  }
}

/* A ring of three switches, one way around, where a packet is on channel 1 from s2 on; `at_s2`: of the link from s2. */
static int ring(const char *at_s2, struct hd_error *err)
{
  CLEANUP(hd_topology_fini) struct hd_topology t;
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  char text[1024];
  snprintf(text, sizeof text,
           "s0:1,s1:2\ns1:1,s2:2\ns2:1,s0:2\nn0,s0:0\nn1,s1:0\nn2,s2:0\n"
           "to,s0,n0,0,*\nto,s1,n1,0,*\nto,s2,n2,0,*\n"
           "to,s0:0,n1-2,1,0\nto,s0:2,n1,1,1\nto,s1,n2,1,0\nto,s1:0,n0,1,0\nto,s1:2,n0,1,0\n%s",
           at_s2);
  int status = tables_of(text, &t, &tables, err);
  return status;
}

TEST(routing_tables_of_graph_files_obey_the_deadlock_rule)
{
  must(ring("to,s2,n0-1,1,1\n", &why));
  if (ring("to,s2,n0-1,1,*\n", &why)) /* of a packet on channel 0 nobody waits for channel 1 */
    fail_msg("%s", why.text);
  must_say(ring("to,s2,n0,1,1\n", &why), HD_E_INPUT,
           "no way from n2 to n1: s2 has no entry for it at input port 0");
  must_say(ring("to,s2,n1,1,1\nto,s2:0,n0,1,1\nto,s2:2,n0,2,1\nto,s1:1,n0,1,0\n", &why), HD_E_INPUT,
           "the way from n1 to n0 never ends: it comes to s2 port 2 again and again");
}

TEST(tables_of_a_ring_with_one_channel_are_refused_with_their_cycle)
{
  CLEANUP(hd_topology_fini) struct hd_topology t;
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  const char *text = "s0:1,s1:2\ns1:1,s2:2\ns2:1,s0:2\nn0,s0:0\nn1,s1:0\nn2,s2:0\n"
                     "to,s0,n0,0,*\nto,s1,n1,0,*\nto,s2,n2,0,*\n"
                     "to,s0,n1-2,1,0\nto,s1,n0,1,0\nto,s1,n2,1,0\nto,s2,n0-1,1,0\n";
  must_fail(tables_of(text, &t, &tables, &why), HD_E_INPUT,
            "can deadlock: 3 channels wait for each other");
  assert_non_null(strstr(why.text, "s2 port 1 vc 0"));
}

TEST(packets_must_turn_at_their_intermediate_node_before_they_leave)
{
  struct hd_topology t;
  struct hd_tables tables;
  const char *to = LINKS "to,s0,n0,0,*\nto,s0,n1,1,*\nto,s0,n2,3,1\nto,s1,n0-1,3,1\nto,s1,n2,0,*\n";
  char text[512];
  snprintf(text, sizeof text, "%sby,s0,n2,3,0\nby,s1,n0-1,3,0\n", to);
  must(tables_of(text, &t, &tables, &why));
  assert_int_equal(tables.header_mode, 3);
  hd_tables_fini(&tables);
  hd_topology_fini(&t);
  snprintf(text, sizeof text, "%sby,s0,n2,3,0\nby,s1,n0-1,3,0\nby,s1:3,n2,0,0\n", to);
  must_say(tables_of(text, &t, &tables, &why), HD_E_INPUT,
           "no way for packets to n2: s1 port 3 sends them to a port that leads elsewhere");
  hd_tables_fini(&tables);
  hd_topology_fini(&t);
}
