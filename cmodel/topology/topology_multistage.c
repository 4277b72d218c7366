/* Omega and Butterfly networks: stages of k × k switches that are entered on one side and left on the
 * other (§5.17).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A *place* is (switch, port) of a stage: k · switch + port. The two networks differ in how the places where packets
 * leave a stage are wired to the places where they enter the next.
 */
#include "topology_build.h"

#include <inttypes.h>
#include <stdio.h>

/* Makes the perfect shuffle: moves all digits up by one, and the highest to the lowest. */
static uint32_t perfect_shuffle(uint32_t place, uint32_t k, uint32_t n)
{
  uint32_t weight = hd_power(k, n - 1);
  return place % weight * k + place / weight;
}

/* Exchanges digit 0 and digit i. */
static uint32_t exchange_digits(uint32_t place, uint32_t k, uint32_t i)
{
  uint32_t weight = hd_power(k, i), low = place % k, high = hd_digit(place, k, i);
  return i ? place - low - high * weight + high + low * weight : place;
}

static struct hd_peer switch_port_at(uint32_t k, uint32_t per_stage, uint32_t stage, uint32_t place)
{
  return hd_switch_end(stage * per_stage + place / k, place % k);
}

static int build(struct hd_topology *t, enum hd_topology_kind kind,
                 const struct hd_topology_shape *shape, struct hd_error *err)
{
  bool omega = kind == HD_TOPO_OMEGA;
  uint32_t k = shape->k, n = shape->n;
  int status =
      hd_topology_check_power(omega ? "Omega network" : "Butterfly", k, HD_MAX_PORTS, n, err);
  if (status)
    return status;
  uint32_t per_stage = hd_power(k, n - 1), nodes = per_stage * k;
  status = hd_topology_alloc(t, kind, n * per_stage, nodes, k, err);
  if (!status)
    status = hd_topology_part(t, err);
  for (uint32_t i = 0; !status && i < nodes; i++) {
    hd_topology_send(t, hd_node_end(i),
                     switch_port_at(k, per_stage, 0, omega ? perfect_shuffle(i, k, n) : i));
    for (uint32_t l = 0; l + 1 < n; l++)
      hd_topology_send(
          t, switch_port_at(k, per_stage, l, i),
          switch_port_at(k, per_stage, l + 1,
                         omega ? perfect_shuffle(i, k, n) : exchange_digits(i, k, n - 1 - l)));
    hd_topology_send(t, switch_port_at(k, per_stage, n - 1, i), hd_node_end(i));
  }
  return status;
}

static int build_omega(struct hd_topology *t, const struct hd_topology_shape *shape,
                       const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  return build(t, HD_TOPO_OMEGA, shape, err);
}

static int build_butterfly(struct hd_topology *t, const struct hd_topology_shape *shape,
                           const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  return build(t, HD_TOPO_BUTTERFLY, shape, err);
}

static void describe_omega(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  snprintf(buf, size, "Omega network of %" PRIu32 " stages of %" PRIu32 "x%" PRIu32 " switches",
           shape->n, shape->k, shape->k);
}

static void describe_butterfly(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  snprintf(buf, size, "Butterfly of %" PRIu32 " stages of %" PRIu32 "x%" PRIu32 " switches",
           shape->n, shape->k, shape->k);
}

/* Routes by the destination's digits, the highest first. */
static struct hd_hop next_hop(const struct hd_topology *t, uint32_t sw, uint32_t node)
{
  uint32_t k = t->shape.k, n = t->shape.n, stage = sw / hd_power(k, n - 1);
  return (struct hd_hop){.port = hd_digit(node, k, n - 1 - stage)};
}

static void figures(const struct hd_topology *t, struct hd_topology_figures *f)
{
  uint64_t k = t->shape.k, n = t->shape.n, nodes = hd_power((uint32_t)k, (uint32_t)n);
  f->switches = (uint32_t)(n * nodes / k);
  f->nodes = (uint32_t)nodes;
  f->links = (n - 1) * nodes;
  f->diameter = n - 1;
  f->distance = nodes * (nodes - 1) * (n - 1);
}

static const char *place(const struct hd_topology *t, struct hd_topology_place *at)
{
  uint32_t per_stage = t->n_switches / t->shape.n;
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    at[sw] =
        (struct hd_topology_place){sw % per_stage, hd_topology_apart(per_stage) * (sw / per_stage)};
  return "stages, entered at the top and left at the bottom";
}

const struct hd_topology_descriptor hd_topology_kind_omega = {
    .name = "omega",
    .help = "an Omega network: n stages of k × k switches, a shuffle before each, links one way",
    .section = "5.17",
    .example = "k: 2, n: 3",
    .needs = {"k", "n"},
    .blamed = "n",
    .build = build_omega,
    .describe = describe_omega,
    .figures = figures,
    .next_hop = next_hop,
    .one_way = true,
    .layered = true,
    .drawing = HD_DRAWN_LAYERS,
    .place = place,
};

const struct hd_topology_descriptor hd_topology_kind_butterfly = {
    .name = "butterfly",
    .help = "a Butterfly: n stages of k × k switches, an exchange between two, links one way",
    .section = "5.17",
    .example = "k: 2, n: 3",
    .needs = {"k", "n"},
    .blamed = "n",
    .build = build_butterfly,
    .describe = describe_butterfly,
    .figures = figures,
    .next_hop = next_hop,
    .one_way = true,
    .layered = true,
    .drawing = HD_DRAWN_LAYERS,
    .place = place,
};
