/* A fabric model with barrier groups, driven without endpoint software; for tests.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "barrier_fabric.h"

void barrier_fabric_open(struct barrier_fabric *f, const struct hd_switch_params *sw,
                         uint32_t link_cycles, uint32_t idle)
{
  const uint32_t networks = f->networks ? f->networks : 1;
  f->params = (struct hd_fabric_params){
      .sw = *sw, .link_cycles = link_cycles, .barrier_idle_cycles = idle, .faults = f->faults};
  f->params.sw.ports = f->t.ports;
  f->params.sw.nodes = f->t.n_nodes * networks;
  f->params.sw.switches = f->t.n_switches < 2 ? 2 : f->t.n_switches;
  uint32_t vcs;
  must(hd_routing_split(HD_ROUTE_UP_DOWN, &f->t, networks, sw->vcs, 0, &vcs, &why));
  must(hd_routing_build(&f->tables, &f->t, HD_ROUTE_UP_DOWN, false, vcs, 0, &why));
  f->tables.networks = networks;
  must(hd_fabric_create(&f->fabric, &f->params, &f->t, &f->tables, &why));
}

void barrier_fabric_close(struct barrier_fabric *f)
{
  hd_fabric_destroy(f->fabric);
  hd_tables_fini(&f->tables);
  hd_topology_fini(&f->t);
}

struct hd_switch_params random_switch(struct dice *dice, unsigned barrier)
{
  struct hd_switch_params p = {.data_bits = roll(dice, 2) ? 16 : 32,
                               .depth_flits = 4 + roll(dice, 3),
                               .vcs = 2 + roll(dice, 2),
                               .route_cycles = 1 + roll(dice, 2),
                               .arb_cycles = 1 + roll(dice, 2),
                               .buffer_cycles = roll(dice, 2),
                               .barrier = barrier,
                               .groups = 4};
  return p;
}

void group_random(struct group *g, struct dice *dice, const struct hd_topology *t, unsigned id,
                  uint32_t rarity)
{
  *g = (struct group){.id = id};
  for (uint32_t node = 0; node < t->n_nodes && g->n_members < 64; node++)
    if (!roll(dice, rarity))
      g->members[g->n_members++] = node;
  if (!g->n_members)
    g->members[g->n_members++] = roll(dice, t->n_nodes);
  g->center = t->node_peers[g->members[roll(dice, g->n_members)]].index;
}

uint16_t group_local(const struct group *g, const struct hd_topology *t, uint32_t sw)
{
  unsigned local = 0;
  for (uint32_t i = 0; i < g->n_members; i++)
    if (t->node_peers[g->members[i]].index == sw)
      local |= 1u << t->node_peers[g->members[i]].port;
  return (uint16_t)local;
}

void group_open(const struct group *g, struct barrier_fabric *f)
{
  uint32_t switches = 0;
  for (uint32_t sw = 0; sw < f->t.n_switches; sw++)
    switches += group_local(g, &f->t, sw) != 0;
  for (uint32_t sw = 0; sw < f->t.n_switches; sw++) {
    uint16_t local = group_local(g, &f->t, sw);
    const uint16_t writes[][2] = {{HD_CFG_CENTER, (uint16_t)g->center},
                                  {HD_CFG_COUNT, (uint16_t)(switches - 1)},
                                  {HD_CFG_LOCAL, local},
                                  {HD_CFG_OPEN, (uint16_t)g->id}};
    for (int i = 0; local && i < 4; i++)
      must(hd_fabric_config(f->fabric, sw, writes[i][0], writes[i][1], NULL, &why));
  }
}

void group_begin(struct group *g, struct dice *dice, uint64_t now, uint32_t skew)
{
  g->arrived = g->released = g->failed = 0;
  for (uint32_t i = 0; i < g->n_members; i++)
    g->arrive[i] = now + 1 + roll(dice, skew);
}

bool group_done(const struct group *g)
{
  return g->released + g->failed == g->n_members;
}

void group_values(struct group *g, struct dice *dice)
{
  static const uint32_t ends[] = {0, 1, UINT32_MAX, INT32_MAX};
  g->operator_ = HD_BARRIER_SUM + roll(dice, 3);
  g->mixed = !roll(dice, 6) && g->n_members > 1;
  for (uint32_t i = 0; i < g->n_members; i++) {
    const uint32_t value = roll(dice, 2) ? ends[roll(dice, 4)] : roll(dice, UINT32_MAX);
    g->values[i] = value;
    if (!i || (g->operator_ == HD_BARRIER_MINIMUM && value < g->result) ||
        (g->operator_ == HD_BARRIER_MAXIMUM && value > g->result))
      g->result = value;
    else if (g->operator_ == HD_BARRIER_SUM)
      g->result += value;
  }
  if (g->mixed)
    g->result = 0;
}

static uint64_t arrival_of(const struct group *g, uint32_t member)
{
  const uint32_t message = hd_barrier_local(HD_REDUCE, g->id);
  return g->mixed && !member ? message
                             : hd_barrier_valued(message, g->operator_, g->values[member]);
}

/* All but operator and value is that of a local message; these are the result. */
static void check_answer(const struct group *g, uint64_t message)
{
  const uint64_t valued = UINT64_C(3) << 2 | (uint64_t)UINT32_MAX << 32;
  const bool released = (message & 3) == HD_DISTRIBUTE;
  assert_int_equal((message & ~valued) >> 9, UINT32_C(1) << 22);
  if (!released)
    return;
  assert_int_equal(hd_barrier_operator_of(message), g->mixed ? 0 : g->operator_);
  assert_int_equal(hd_barrier_value_of(message), g->result);
}

void groups_arrive(struct group *groups, uint32_t n, struct hd_fabric *fabric)
{
  uint64_t now = hd_fabric_cycle(fabric);
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = 0; i < groups[k].n_members; i++)
      if (groups[k].arrive[i] == now) {
        groups[k].arrived++;
        must(hd_fabric_barrier_send(fabric, groups[k].members[i], arrival_of(&groups[k], i), &why));
      }
}

void groups_receive(struct group *groups, uint32_t n, const struct hd_fabric *fabric)
{
  uint32_t received;
  const struct hd_barrier_delivery *d = hd_fabric_barrier_deliveries(fabric, &received);
  for (uint32_t j = 0; j < received; j++) {
    struct group *g = NULL;
    for (uint32_t k = 0; k < n; k++)
      if (groups[k].id == (d[j].message >> 4 & 31))
        g = &groups[k];
    assert_non_null(g);
    assert_int_equal(d[j].received + 1, hd_fabric_cycle(fabric));
    check_answer(g, d[j].message);
    assert_int_equal(g->arrived, g->n_members);
    if ((d[j].message & 3) == HD_DISTRIBUTE)
      g->released++;
    else
      g->failed++;
    assert_true(g->released + g->failed <= g->n_members);
  }
}

void groups_step(struct group *groups, uint32_t n, struct barrier_fabric *f)
{
  groups_arrive(groups, n, f->fabric);
  must(hd_fabric_step(f->fabric, &why));
  groups_receive(groups, n, f->fabric);
}
