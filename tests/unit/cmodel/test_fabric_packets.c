/* Packets at the interfaces of the fabric model: when they enter the network, their numbers and heads.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random tests take their seed from HD_SEED: HD_SEED=7 build/opt/unit/test_fabric_packets
 */
#include "../../../cmodel/fabric/fabric_state.h"

#include "../lib/dice.h"
#include "../lib/fabric_net.h"
#include "../lib/test.h"

#include <time.h>

static uint64_t seed_of_run(void)
{
  uint64_t seed = first_seed();
  print_message("seed %llu: HD_SEED=%llu build/opt/unit/test_fabric_packets\n",
                (unsigned long long)seed, (unsigned long long)seed);
  return seed;
}

/* With buffers that never let it wait for credits, a packet leaves the interface when those before it have left. */
TEST(packets_enter_the_network_when_earlier_ones_have_left_the_interface)
{
  enum { PACKETS = 6, FLITS = 5 };
  const uint32_t dims[] = {4, 4};
  struct net n = {.params = params_of(2, 16, 16, 1, 1, 0, 1)};
  uint32_t number, received, compared = 0;
  must(hd_topology_mesh(&n.topology, dims, 2, &why));
  net_open(&n, HD_ROUTE_DIMENSION_ORDER, false);
  for (uint32_t i = 0; i < PACKETS; i++) {
    const struct hd_packet packet = {
        .source = 3, .destination = 8, .flits = FLITS, .traffic_class = (uint8_t)(i % 3)};
    must(hd_fabric_send(n.fabric, &packet, &number, &why));
  }
  while (!hd_fabric_idle(n.fabric)) {
    net_step(&n);
    const struct hd_delivery *d = hd_fabric_deliveries(n.fabric, &received);
    for (uint32_t i = 0; i < received; i++, compared++) {
      assert_int_equal(d[i].created, 0);
      assert_int_equal(d[i].entered, FLITS * d[i].number);
      assert_int_equal(d[i].traffic_class, d[i].number % 3);
    }
  }
  assert_int_equal(compared, PACKETS);
  net_close(&n);
}

/* Compares the oldest packet with a search over all packets. Then so many packets are under way that such a search in
 * each call would take minutes of processor time. */
TEST(finding_the_oldest_packet_does_not_search_all_packets)
{
  const uint32_t dims[] = {4, 4};
  CLEANUP(net_close) struct net n = {.params = params_of(2, 16, 4, 1, 1, 0, 1)};
  struct hd_fabric_counters c;
  struct hd_packet packet;
  uint32_t sent = 0, compared = 0;
  srand((unsigned)seed_of_run());
  must(hd_topology_mesh(&n.topology, dims, 2, &why));
  net_open(&n, HD_ROUTE_DIMENSION_ORDER, false);
  for (unsigned cycle = 0; cycle < 600 || !hd_fabric_idle(n.fabric); cycle++) {
    if (cycle < 500 && rand() % 8 == 0)
      sent =
          net_send(&n, (uint32_t)rand() % 16, (uint32_t)rand() % 16, 1 + (uint32_t)rand() % 40) + 1;
    net_step(&n);
    uint64_t created, oldest = UINT64_MAX;
    uint32_t lowest = HD_PACKET_NONE;
    for (uint32_t i = sent; i-- > 0;)
      if (!hd_fabric_packet(n.fabric, i, &packet, &created)) {
        oldest = created < oldest ? created : oldest;
        lowest = i;
      }
    hd_fabric_counters(n.fabric, &c);
    assert_true(c.oldest_created == oldest);
    assert_int_equal(hd_fabric_oldest_packet(n.fabric), lowest);
    compared += lowest != HD_PACKET_NONE;
  }
  assert_true(compared > 400);
  uint32_t first = net_send(&n, 0, 1, 1);
  for (unsigned i = 1; i < 100000; i++)
    net_send(&n, 0, 1, 1);
  clock_t start = clock();
  for (unsigned i = 0; i < 200000; i++) {
    hd_fabric_counters(n.fabric, &c);
    assert_int_equal(hd_fabric_oldest_packet(n.fabric), first);
  }
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  print_message("%u cycles with packets under way; 200000 calls took %.3f s\n", compared, seconds);
  assert_true(seconds < 5);
}

/* The numbers of a run are over: the last packet still arrives, the next one is refused. */
TEST(sending_is_refused_when_packet_numbers_are_used_up)
{
  const uint32_t dims[] = {2, 2};
  CLEANUP(net_close) struct net n = {.params = params_of(2, 16, 4, 1, 1, 0, 1)};
  struct hd_packet packet = {.source = 0, .destination = 3, .flits = 2};
  uint32_t number, received = 0, deliveries;
  must(hd_topology_mesh(&n.topology, dims, 2, &why));
  net_open(&n, HD_ROUTE_DIMENSION_ORDER, false);
  n.fabric->next_number = n.fabric->oldest = HD_PACKET_MADE - 1;
  must(hd_fabric_send(n.fabric, &packet, &number, &why));
  assert_int_equal(number, HD_PACKET_MADE - 1);
  must_fail(hd_fabric_send(n.fabric, &packet, &number, &why), HD_E_INPUT,
            "more than 4294967294 packets");
  for (int i = 0; i < 100; i++) {
    must(hd_fabric_step(n.fabric, &why));
    const struct hd_delivery *d = hd_fabric_deliveries(n.fabric, &deliveries);
    received += deliveries;
    if (deliveries)
      assert_int_equal(d->number, HD_PACKET_MADE - 1);
  }
  assert_int_equal(received, 1);
  assert_true(hd_fabric_idle(n.fabric));
}

/* §11.12: a header's number ends below the code field, so no coder keeps the packet. */
TEST(coders_never_store_packets_of_programs)
{
  const uint32_t dims[] = {2, 2};
  CLEANUP(net_close) struct net n = {.params = params_of(1, 16, 4, 1, 1, 0, 1)};
  n.params.sw.code_places = 2; /* a code field of 7 bits; 5 are left for the number */
  must(hd_topology_mesh(&n.topology, dims, 2, &why));
  net_open(&n, HD_ROUTE_DIMENSION_ORDER, false);
  for (uint32_t i = 0; i < 2048; i++) { /* from 1024 on the number would reach the code */
    latency_alone(&n, i % 4, 3 - i % 4, 1 + i % 3);
    struct hd_switch *sw = hd_fabric_block(n.fabric, 3 - i % 4);
    assert_int_equal(hd_switch_config_read(sw, HD_CFG_ERRORS), 0);
  }
  struct hd_packet packet = {.source = 0,
                             .destination = 3,
                             .flits = 1,
                             .header = 0x400c,
                             .raw_header = true}; /* native, for a place that is closed */
  uint32_t number;
  must(hd_fabric_send(n.fabric, &packet, &number, &why));
  while (!hd_fabric_idle(n.fabric))
    net_step(&n);
  assert_int_equal(hd_switch_config_read(hd_fabric_block(n.fabric, 3), HD_CFG_ERRORS),
                   HD_ERR_CLOSED);
}

/* §4.1: of those that wait in the cycle in which it enters the network, each packet has the highest priority, and of these
 * it came first. */
TEST(packets_of_higher_priority_enter_first)
{
  enum { PACKETS = 2000 };
  static struct {
    uint64_t created, entered;
    uint8_t priority;
  } of[PACKETS];
  CLEANUP(net_close) struct net n = {.params = params_of(2, 16, 4, 1, 1, 0, 1)};
  uint64_t random = seed_of_run(), overtook = 0;
  uint32_t sent = 0, received = 0, deliveries;
  must(hd_topology_mesh(&n.topology, (const uint32_t[]){2, 2}, 2, &why));
  net_open(&n, HD_ROUTE_DIMENSION_ORDER, false);
  struct hd_packet packet = {.priority = HD_PRIORITIES, .destination = 1, .flits = 1};
  must_say(hd_fabric_send(n.fabric, &packet, &sent, &why), HD_E_INPUT,
           "packet of priority 8, must be 0 to 7");
  while (received < PACKETS) {
    for (uint32_t i = 0; i < 2 && sent < PACKETS && next_random(&random) % 4 == 0; i++) {
      packet = (struct hd_packet){.destination = 1 + (uint32_t)(next_random(&random) % 3),
                                  .flits = 1 + (uint32_t)(next_random(&random) % 4),
                                  .priority = (uint8_t)(next_random(&random) % HD_PRIORITIES)};
      of[sent].created = hd_fabric_cycle(n.fabric);
      of[sent].priority = packet.priority;
      must(hd_fabric_send(n.fabric, &packet, &sent, &why));
      sent++;
    }
    net_step(&n);
    const struct hd_delivery *d = hd_fabric_deliveries(n.fabric, &deliveries);
    for (uint32_t i = 0; i < deliveries; i++, received++)
      of[d[i].number].entered = d[i].entered;
  }
  for (uint32_t a = 0; a < PACKETS; a++)
    for (uint32_t b = 0; b < PACKETS; b++) {
      if (of[b].created > of[a].entered || of[b].entered <= of[a].entered)
        continue; /* not there with it */
      assert_true(of[b].priority < of[a].priority || (of[b].priority == of[a].priority && b > a));
      overtook += b < a;
    }
  print_message("%llu packets overtaken\n", (unsigned long long)overtook);
  assert_true(overtook > PACKETS);
}

/* §4.3: the head above HEADER_W is software's, and the delivery says that the packet was bare. */
TEST(bare_packets_have_the_head_that_software_gave)
{
  const uint32_t dims[] = {2, 2};
  CLEANUP(net_close) struct net n = {.params = params_of(1, 32, 4, 1, 1, 0, 1)};
  uint32_t number, n_deliveries = 0;
  n.params.sw.code_places = 2;
  must(hd_topology_mesh(&n.topology, dims, 2, &why));
  net_open(&n, HD_ROUTE_DIMENSION_ORDER, false);
  for (uint32_t i = 0; i < 64; i++) {
    const uint64_t word = i, head = UINT64_C(0xa5a5a5a5) * (i + 1) & 0x01fffff0; /* no code */
    struct hd_packet packet = {.source = i % 4,
                               .destination = i / 4 % 4, /* itself, too */
                               .flits = 1 + i / 32,
                               .payload = i / 32 ? &word : NULL,
                               .header = head | 15,
                               .bare = true};
    const struct hd_delivery *d;
    must(hd_fabric_send(n.fabric, &packet, &number, &why));
    do {
      net_step(&n);
      d = hd_fabric_deliveries(n.fabric, &n_deliveries);
    } while (!n_deliveries);
    assert_true(d->bare && d->intact && !d->synthetic && !d->made);
    assert_int_equal(d->number, number);
    assert_int_equal(d->words[0], head | (i / 4 % 4) << 2);
    assert_int_equal(d->flits, packet.flits);
    assert_true(d->flits == 1 || d->words[1] == word);
    latency_alone(&n, 0, 3, 1); /* whose head is its own again */
  }
}
