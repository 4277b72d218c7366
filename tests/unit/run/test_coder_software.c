/* Endpoint software with XOR coders, on the model of a mesh: the manager assigns chains, and packets of software are
 * encoded and decoded (specification §11.12).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/run/software.h"
#include "../lib/switch_set.h"
#include "../lib/test.h"

enum { PLACES = 8, SIDE = 3 };

static uint64_t compared;
static bool no_return,
    always_top; /* tables without a way from a node to itself; by way of the top */

#define EXPECT(ep, condition)                               \
  do {                                                      \
    if (!(condition))                                       \
      hd_ep_abort(ep, "line %d: %s", __LINE__, #condition); \
    compared++;                                             \
  } while (0)

/* Runs the program on every node of a fabric until all have returned. */
static int run_on_topology(struct hd_topology *topology, enum hd_routing_kind routing,
                           uint32_t places, void (*run)(struct hd_ep *ep), struct hd_error *err)
{
  struct hd_scenario scenario = {.fabric.link_cycles = 1};
  struct hd_fabric_params fabric_params = {.link_cycles = 1};
  struct hd_program program = {.name = "test", .about = "a test", .main = run};
  struct hd_software_params p = {0};
  struct hd_software *software;
  struct hd_fabric *fabric;
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  int status = HD_OK;
  scenario.sw = (struct hd_switch_params){
      SIMPLE_SWITCH(topology->ports, 2, 32, 8, topology->n_nodes), .code_places = places};
  scenario.software.packet_bytes = 64;
  scenario.software.program = &program;
  scenario.routing.algorithm = routing;
  fabric_params.sw = scenario.sw;
  compared = 0;
  if (hd_routing_build(&tables, topology, routing, always_top, 2, 0, err))
    fail_msg("%s", err->text);
  for (uint32_t node = 0; no_return && node < topology->n_nodes; node++)
    tables.destination[((size_t)topology->node_peers[node].index * tables.ports +
                        topology->node_peers[node].port) *
                           tables.n_nodes +
                       node] = 0;
  if (hd_fabric_create(&fabric, &fabric_params, topology, &tables, err))
    fail_msg("%s", err->text);
  hd_software_of_scenario(&p, &scenario, topology, &tables);
  if (hd_software_create(&software, &p, err))
    fail_msg("%s", err->text);
  for (uint64_t cycle = 0; !status && !hd_world_finished(hd_software_world(software)); cycle++) {
    assert_true(cycle < 100000);
    status = hd_software_begin(software, fabric, cycle, err);
    if (!status)
      status = hd_fabric_step(fabric, err);
    if (!status)
      status = hd_software_end(software, fabric, cycle, err);
  }
  hd_software_destroy(software);
  hd_fabric_destroy(fabric);
  return status;
}

static int run_on_mesh(uint32_t places, void (*run)(struct hd_ep *ep), struct hd_error *err)
{
  CLEANUP(hd_topology_fini) struct hd_topology mesh;
  const uint32_t dims[2] = {SIDE, SIDE};
  if (hd_topology_mesh(&mesh, dims, 2, err))
    fail_msg("%s", err->text);
  int status = run_on_topology(&mesh, HD_ROUTE_DIMENSION_ORDER, places, run, err);
  return status;
}

static void run_well(uint32_t places, void (*run)(struct hd_ep *ep))
{
  must(run_on_mesh(places, run, &why));
  assert_true(compared > 0);
}

/* ── chains ────────────────────────────────────────────────────────────────── */

static struct hd_ep_chain open_chain(struct hd_ep *ep, uint32_t places, uint32_t first)
{
  struct hd_ep_chain chain;
  EXPECT(ep, hd_ep_chain_open(ep, places, &chain) == HD_EP_CHAIN_OPEN);
  EXPECT(ep, chain.first == first && chain.places == places);
  return chain;
}

static void give_places_away(struct hd_ep *ep)
{
  struct hd_ep_chain chain, a = open_chain(ep, 3, 0), b = open_chain(ep, 2, 3);
  EXPECT(ep, hd_ep_time(ep) == 5); /* a write a cycle, in force in the next one */
  EXPECT(ep, hd_ep_chain_open(ep, 4, &chain) == HD_EP_CHAIN_FULL);
  EXPECT(ep, hd_ep_chain_open(ep, PLACES + 1, &chain) == HD_EP_CHAIN_FULL);
  struct hd_ep_chain c = open_chain(ep, 3, 5);
  EXPECT(ep, hd_ep_chain_open(ep, 1, &chain) == HD_EP_CHAIN_FULL);
  hd_ep_chain_close(ep, &b);
  EXPECT(ep, hd_ep_chain_open(ep, 3, &chain) == HD_EP_CHAIN_FULL);
  hd_ep_chain_close(ep, &a);
  a = open_chain(ep, 4, 0); /* where two chains were */
  b = open_chain(ep, 1, 4);
  hd_ep_chain_close(ep, &c);
  open_chain(ep, 3, 5);
}

static void close_twice(struct hd_ep *ep)
{
  struct hd_ep_chain chain = open_chain(ep, 3, 0);
  hd_ep_chain_close(ep, &chain);
  hd_ep_chain_close(ep, &chain);
}

static void close_a_part(struct hd_ep *ep)
{
  struct hd_ep_chain chain = open_chain(ep, 3, 0);
  chain.places = 2;
  hd_ep_chain_close(ep, &chain);
}

TEST(places_of_a_coder_are_assigned_to_one_chain_at_a_time)
{
  run_well(PLACES, give_places_away);
  must_fail(run_on_mesh(PLACES, close_twice, &why), HD_E_SOFTWARE,
            "closes a chain of 3 places from 0 on, which is not open here");
  must_fail(run_on_mesh(PLACES, close_a_part, &why), HD_E_SOFTWARE,
            "closes a chain of 2 places from 0 on, which is not open here");
}

/* ── encoding and decoding ─────────────────────────────────────────────────── */

enum { DATA = 4 };

static uint64_t data_of(uint32_t i, uint32_t flit, uint32_t bits)
{
  return hd_mix64((uint64_t)i << 32 | flit) & ((UINT64_C(1) << bits) - 1);
}

static uint32_t flits_of(uint32_t i)
{
  return 1 + 5 * i % 16; /* 1, 6, 11, 16 */
}

static void check_data(struct hd_ep *ep, const struct hd_ep_packet *p, uint32_t i)
{
  struct hd_ep_layout l = hd_ep_packet_layout(ep);
  EXPECT(ep, p->flits == flits_of(i) && p->length == p->flits - 1);
  EXPECT(ep, p->head == data_of(i, 0, l.head_bits));
  for (uint32_t f = 1; f < p->flits; f++)
    EXPECT(ep, p->words[f - 1] == data_of(i, f, l.data_bits));
}

static void send_native(struct hd_ep *ep, int to, uint32_t i, uint32_t place)
{
  struct hd_ep_layout l = hd_ep_packet_layout(ep);
  uint64_t words[16];
  struct hd_ep_packet p = {.code = HD_EP_CODE_NATIVE,
                           .place = place,
                           .flits = flits_of(i),
                           .head = data_of(i, 0, l.head_bits),
                           .words = words};
  for (uint32_t f = 1; f < p.flits; f++)
    words[f - 1] = data_of(i, f, l.data_bits);
  hd_ep_packet_send(ep, to, &p);
}

/* Nodes 0 to 3 have a datum each. Node 0 encodes them, its own by a packet to itself, and node 8 decodes, which gets
 * datum `j` as it is; twice in the same chains. */
static void encode_and_decode(struct hd_ep *ep)
{
  int rank = hd_ep_rank(ep);
  struct hd_ep_packet p;
  hd_ep_wait_until(ep, 20);
  struct hd_ep_chain other = {0}, chain = {0};
  if (rank == 0 || rank == 8) {
    if (rank == 8)
      EXPECT(ep, hd_ep_chain_open(ep, 2, &other) == HD_EP_CHAIN_OPEN);
    chain = open_chain(ep, DATA, rank ? 2 : 0);
  }
  for (uint32_t j = 0; j < DATA; j++) {
    hd_ep_wait_until(ep, 100 + 1000 * (uint64_t)j);
    if (rank < DATA)
      send_native(ep, 0, (uint32_t)rank, (uint32_t)rank);
    if (rank == (int)j)
      send_native(ep, 8, j, 2 + j);
    for (uint32_t n = 0; rank == 0 && n < 2 * DATA - 1; n++) {
      hd_ep_packet_receive(ep, &p);
      if (p.code == HD_EP_CODE_NATIVE) {
        check_data(ep, &p, p.place);
        continue;
      }
      EXPECT(ep, p.code == HD_EP_CODE_CODED && p.place < DATA - 1);
      EXPECT(ep, p.length == ((flits_of(p.place) - 1) ^ (flits_of(p.place + 1) - 1)));
      p.place += p.place < j ? 2 : 3;
      hd_ep_packet_send(ep, 8, &p);
    }
    for (uint32_t n = 0, seen = 0; rank == 8 && n < 2 * DATA - 1; n++) {
      hd_ep_packet_receive(ep, &p);
      if (p.code == HD_EP_CODE_CODED)
        continue;
      check_data(ep, &p, p.place - 2);
      EXPECT(ep, !(seen >> p.place & 1));
      seen |= 1u << p.place;
    }
  }
  if (rank == 0 || rank == 8)
    hd_ep_chain_close(ep, &chain);
  EXPECT(ep, !hd_ep_packet_test(ep, &p));
}

TEST(a_datum_is_restored_from_coded_packets)
{
  run_well(PLACES, encode_and_decode);
  print_message("%llu comparisons\n", (unsigned long long)compared);
}

/* ── where there is no coder ───────────────────────────────────────────────── */

static void expect_no_coder(struct hd_ep *ep)
{
  struct hd_ep_chain chain;
  struct hd_ep_packet p = {.flits = 1, .head = 77};
  EXPECT(ep, hd_ep_chain_open(ep, 1, &chain) == HD_EP_CHAIN_UNSUPPORTED);
  EXPECT(ep, hd_ep_packet_layout(ep).places == 0 && hd_ep_packet_layout(ep).head_bits == 26);
  hd_ep_packet_send(ep, hd_ep_rank(ep), &p);
  hd_ep_packet_receive(ep, &p);
  EXPECT(ep, p.head == 77 && p.code == HD_EP_CODE_NONE);
}

static void second_node(struct hd_ep *ep)
{
  struct hd_ep_chain chain;
  enum hd_ep_chain_status opened = hd_ep_chain_open(ep, 1, &chain);
  EXPECT(ep, opened == (hd_ep_rank(ep) % 2 ? HD_EP_CHAIN_UNSUPPORTED : HD_EP_CHAIN_OPEN));
  EXPECT(ep, strstr(hd_ep_chain_text(opened), opened ? "port 0" : "open") != NULL);
}

static void to_itself(struct hd_ep *ep)
{
  struct hd_ep_packet p = {.flits = 1};
  hd_ep_packet_send(ep, hd_ep_rank(ep), &p);
  hd_ep_packet_receive(ep, &p);
  EXPECT(ep, p.flits == 1);
}

/* Packets of a node to itself come back, over links if the routing says so. Otherwise the run ends with an error. */
TEST(packets_that_a_node_sends_to_itself_come_back)
{
  CLEANUP(hd_topology_fini) struct hd_topology tree;
  run_well(0, to_itself);
  must(hd_topology_tree(&tree, 2, 3, &why));
  for (always_top = false;; always_top = true) {
    must(run_on_topology(&tree, HD_ROUTE_D_MOD_K, 0, to_itself, &why));
    if (always_top)
      break;
  }
  always_top = false;
  no_return = true;
  must_fail(run_on_mesh(0, to_itself, &why), HD_E_INPUT,
            "node 0 sends a packet to itself, and its switch has no table entry");
  no_return = false;
}

TEST(without_a_coder_no_chain_can_be_opened)
{
  CLEANUP(hd_topology_fini) struct hd_topology tree;
  run_well(0, expect_no_coder);
  if (hd_topology_tree(&tree, 2, 3, &why)) /* a leaf has nodes on its ports 0 and 1 */
    fail_msg("%s", why.text);
  must(run_on_topology(&tree, HD_ROUTE_D_MOD_K, PLACES, second_node, &why));
}
