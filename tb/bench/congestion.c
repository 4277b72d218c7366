/* How much it costs that hardware knows its neighbours' counts late: measures of congestion in the model alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * usage: congestion [seeds]
 *
 * Four ways to choose a port, side by side on the same packets: the topology's rule, free credits, the
 * neighbours' counts as links carry them (§10.8), and the same counts known at once, as in the simulator of the
 * adaptive paper. The last is no switch that there could be: at the end of each cycle every switch is told what is
 * inside its neighbours then, so a head that comes in the next cycle finds it.
 * Prints CSV: mean latency below saturation, and flits received when as much as goes in is sent.
 */
#include "../../cmodel/fabric/fabric.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM_UP = 1500, MEASURED = 4000, MOST_SEEDS = 20 };
enum way { RULE, CREDITS, COUNT, AT_ONCE, WAYS };
static const char *const k_ways[] = {"rule", "credits", "count", "count at once"};

struct network {
  const char *name;
  enum hd_topology_kind kind;
  struct hd_topology_shape shape;
  enum hd_routing_kind rule;
  uint32_t vcs;
};
static const struct network k_networks[] = {
    {"FatTree of 4 pods", HD_TOPO_FAT_TREE, {.pods = 4}, HD_ROUTE_MINIMAL, 2},
    {"FatTree of 8 pods", HD_TOPO_FAT_TREE, {.pods = 8}, HD_ROUTE_MINIMAL, 2},
    {"mesh 8x8", HD_TOPO_MESH, {.dims = {8, 8}, .n_dims = 2}, HD_ROUTE_DIMENSION_ORDER, 3},
};

static const char *const k_traffic[] = {"uniform", "reversal", "hot spot"};
enum { TRAFFICS = sizeof k_traffic / sizeof *k_traffic };

struct outcome {
  double latency, received;
};

static void die(const struct hd_error *err)
{
  fprintf(stderr, "%s\n", err->text);
  exit(1);
}

static double drawn(uint64_t *random)
{
  *random += UINT64_C(0x9e3779b97f4a7c15);
  return (double)(hd_mix64(*random) >> 11) / 9007199254740992.0;
}

static uint32_t destination(unsigned traffic, uint32_t node, uint32_t nodes, uint64_t *random)
{
  uint32_t any = (uint32_t)(drawn(random) * nodes), bits = hd_log2_ceil(nodes), to = 0;
  if (traffic == 2)
    return drawn(random) < 0.1 ? nodes / 2 : any;
  if (traffic == 0)
    return any;
  for (uint32_t bit = 0; bit < bits; bit++)
    to |= (node >> bit & 1) << (bits - 1 - bit);
  return to < nodes ? to : any;
}

/* Every switch learns what is inside its neighbours now. */
static void tell(struct hd_fabric *f, const struct hd_topology *t)
{
  uint64_t now = hd_fabric_cycle(f) - 1;
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    struct hd_switch_view view;
    hd_switch_look(hd_fabric_switch(f, sw), &view);
    uint8_t count = view.packets < HD_COUNT_MOST ? (uint8_t)view.packets : HD_COUNT_MOST;
    for (uint32_t port = 0; port < t->ports; port++) {
      struct hd_peer to = t->senders[(size_t)sw * t->ports + port];
      if (to.kind == HD_PEER_SWITCH)
        hd_switch_put_credit((struct hd_switch *)(uintptr_t)hd_fabric_switch(f, to.index), now,
                             to.port, (unsigned)(HD_COUNT_SHOWN | count) << HD_COUNT_WIRES);
    }
  }
}

static struct outcome run(const struct network *n, enum way way, unsigned traffic, double load,
                          uint32_t flits, uint32_t link, uint64_t seed)
{
  struct hd_error err = {""};
  struct hd_topology t;
  struct hd_tables tables;
  struct hd_fabric *f;
  struct outcome o = {0, 0};
  uint64_t packets = 0, random = hd_mix64(seed);
  if (hd_topology_build(&t, n->kind, &n->shape, NULL, &err) ||
      hd_routing_build(&tables, &t, way == RULE ? n->rule : HD_ROUTE_ADAPTIVE, false, n->vcs, 0,
                       &err))
    die(&err);
  struct hd_fabric_params p = {.link_cycles = link,
                               .sw = {.ports = t.ports,
                                      .vcs = n->vcs,
                                      .data_bits = 32,
                                      .depth_flits = 8,
                                      .nodes = t.n_nodes,
                                      .route_cycles = 1,
                                      .arb_cycles = 1,
                                      .cut_flits = flits,
                                      .adaptive = way == RULE      ? HD_ADAPTIVE_NONE
                                                  : way == CREDITS ? HD_ADAPTIVE_CREDITS
                                                                   : HD_ADAPTIVE_COUNT}};
  if (hd_routing_check(&tables, &t, n->vcs, flits, &err) ||
      hd_fabric_create(&f, &p, &t, &tables, &err))
    die(&err);
  for (uint32_t c = 0; c < WARM_UP + MEASURED; c++) {
    for (uint32_t node = 0; node < t.n_nodes; node++) {
      struct hd_packet packet = {.source = node, .flits = flits};
      uint32_t number;
      if (drawn(&random) * flits >= load)
        continue;
      packet.destination = destination(traffic, node, t.n_nodes, &random);
      if (hd_fabric_send(f, &packet, &number, &err))
        die(&err);
    }
    if (hd_fabric_step(f, &err))
      die(&err);
    if (way == AT_ONCE)
      tell(f, &t);
    uint32_t got;
    const struct hd_delivery *d = hd_fabric_deliveries(f, &got);
    for (uint32_t i = 0; i < got && c >= WARM_UP; i++) {
      o.received += d[i].flits;
      o.latency += (double)(d[i].received - d[i].created);
      packets++;
    }
  }
  o.latency /= (double)(packets ? packets : 1);
  o.received /= (double)MEASURED * t.n_nodes;
  hd_fabric_destroy(f);
  hd_tables_fini(&tables);
  hd_topology_fini(&t);
  return o;
}

/* Mean of n values and half of its 95 % confidence interval (Student's t, n - 1 degrees of freedom). */
static void summary(const double *v, unsigned n, double *mean, double *half)
{
  static const double t[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262,
                             2.228, 2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093};
  double squares = 0;
  *mean = 0;
  for (unsigned i = 0; i < n; i++)
    *mean += v[i] / n;
  for (unsigned i = 0; i < n; i++)
    squares += (v[i] - *mean) * (v[i] - *mean);
  *half = n > 1 ? t[n - 1] * sqrt(squares / (n - 1) / n) : 0;
}

int main(int argc, char **argv)
{
  unsigned seeds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 5;
  static const double loads[] = {0.2, 0.4, 0.6, 1};
  if (seeds < 1 || seeds > MOST_SEEDS) {
    fprintf(stderr, "congestion: seeds are 1 to %d\n", MOST_SEEDS);
    return 2;
  }
  printf("network,traffic,flits,link,load,way,latency,latency_half,received,received_half,seeds\n");
  for (size_t n = 0; n < sizeof k_networks / sizeof *k_networks; n++)
    for (unsigned traffic = 0; traffic < TRAFFICS; traffic++)
      for (uint32_t link = 1; link <= 4; link += 3)
        for (size_t l = 0; l < sizeof loads / sizeof *loads; l++)
          for (unsigned way = 0; way < WAYS; way++) {
            double latency[MOST_SEEDS], received[MOST_SEEDS], m[2], half[2];
            for (unsigned s = 0; s < seeds; s++) {
              struct outcome o = run(&k_networks[n], way, traffic, loads[l], 4, link, s + 1);
              latency[s] = o.latency;
              received[s] = o.received;
            }
            summary(latency, seeds, &m[0], &half[0]);
            summary(received, seeds, &m[1], &half[1]);
            printf("%s,%s,4,%" PRIu32 ",%.2f,%s,%.2f,%.2f,%.4f,%.4f,%u\n", k_networks[n].name,
                   k_traffic[traffic], link, loads[l], k_ways[way], m[0], half[0], m[1], half[1],
                   seeds);
            fflush(stdout);
          }
  return 0;
}
