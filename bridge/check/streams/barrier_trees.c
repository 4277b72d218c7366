/* Draws barrier trees around one switch that are built and used round after round (§8.3).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "barrier_trees.h"

#include "stream_random.h"

/* Draws a switch. Most are in the barrier routing table. The switch only compares the numbers of others, so some of them
 * differ in one bit from a number in the table. */
static uint32_t any_switch(const struct hd_switch_params *p, uint64_t *rnd)
{
  const uint32_t sw = below(rnd, p->switches);
  return chance(rnd, 700)   ? sw
         : chance(rnd, 500) ? sw ^ 1u << below(rnd, 11)
                            : below(rnd, HD_MAX_BARRIER_SWITCHES);
}

static uint32_t any_ports(const struct hd_switch_params *p, uint64_t *rnd)
{
  return below(rnd, 1u << p->ports);
}

static void add_write(struct barrier_trees *t, uint32_t addr, uint32_t data)
{
  t->script[t->n_script++] = (struct hd_config_event){.addr = addr, .data = (uint16_t)data};
}

static void write_way(struct barrier_trees *t, const struct hd_switch_params *p, uint64_t *rnd,
                      uint32_t sw)
{
  if (sw < p->switches)
    add_write(t, HD_CFG_BARRIER_WAY(sw), 1 + below(rnd, (1u << p->ports) - 1));
}

static bool group_is_taken(const struct barrier_trees *t, uint32_t group)
{
  for (uint32_t i = 0; i < t->n; i++)
    if (t->trees[i].group == group)
      return true;
  return false;
}

static void add_tree(struct barrier_trees *t, const struct hd_switch_params *p, uint64_t *rnd)
{
  struct barrier_tree tree = {.group = below(rnd, HD_MAX_GROUPS)};
  tree.center = chance(rnd, 350) ? t->self : any_switch(p, rnd);
  tree.parent = any_switch(p, rnd);
  tree.children = any_ports(p, rnd);
  tree.parent_port = below(rnd, p->ports);
  while (group_is_taken(t, tree.group))
    tree.group = (tree.group + 1) % HD_MAX_GROUPS;
  tree.opened = tree.center == t->self || chance(rnd, 700);
  if (tree.opened)
    tree.members = any_ports(p, rnd);
  if (tree.opened && !tree.members)
    tree.members = 1u << below(rnd, p->ports);
  tree.extra = below(rnd, 2);
  for (uint32_t port = 0; port < p->ports; port++) {
    tree.addresses[port] = any_switch(p, rnd);
    if (tree.children >> port & 1)
      write_way(t, p, rnd, tree.addresses[port]);
  }
  write_way(t, p, rnd, tree.center);
  write_way(t, p, rnd, tree.parent);
  if (tree.opened) {
    add_write(t, HD_CFG_CENTER, tree.center);
    add_write(t, HD_CFG_COUNT,
              ((uint32_t)__builtin_popcount(tree.children) + tree.extra) ^
                  (chance(rnd, 100) ? 1u << below(rnd, 12) : 0));
    add_write(t, HD_CFG_LOCAL, tree.members);
    add_write(t, HD_CFG_OPEN, tree.group);
  }
  t->trees[t->n++] = tree;
}

void hd_barrier_trees_begin(struct barrier_trees *t, const struct hd_switch_params *p,
                            uint64_t *rnd)
{
  /* At times there is one tree more than the status table has entries. */
  const uint32_t places = p->groups + chance(rnd, 100);
  const uint32_t wanted = 1 + below(rnd, places < BARRIER_TREES ? places : BARRIER_TREES);
  *t = (struct barrier_trees){.self = any_switch(p, rnd)};
  add_write(t, HD_CFG_SELF, t->self);
  while (t->n < wanted)
    add_tree(t, p, rnd);
}

static void queue_message(struct barrier_neighbour *b, uint32_t tree, uint64_t message)
{
  if (b->n_due < BARRIER_DUE)
    b->due[b->n_due++] = (struct barrier_due){message, tree};
}

static void queue_reports(struct barrier_trees *t, uint32_t number,
                          const struct hd_switch_params *p, uint64_t *rnd,
                          struct barrier_neighbour *const neighbours[])
{
  struct barrier_tree *tree = &t->trees[number];
  tree->operator_ = p->values && tree->round ? below(rnd, 4) : HD_BARRIER_NO_VALUE;
  for (uint32_t port = 0; port < p->ports; port++) {
    const uint32_t child = tree->addresses[port];
    if (tree->members >> port & 1)
      queue_message(neighbours[port], number,
                    hd_barrier_stream_value(p, rnd, hd_barrier_local(HD_REDUCE, tree->group),
                                            tree->operator_));
    if (!(tree->children >> port & 1))
      continue;
    const uint32_t report = tree->round
                                ? hd_barrier_message(HD_REDUCE, 0, tree->group, t->self, child)
                                : hd_barrier_message(HD_INITIAL_REDUCE, chance(rnd, 200),
                                                     tree->group, tree->center, child);
    queue_message(neighbours[port], number,
                  hd_barrier_stream_value(p, rnd, report, tree->operator_));
  }
  if (!tree->round && tree->extra) {
    const uint32_t child = any_switch(p, rnd);
    queue_message(neighbours[below(rnd, p->ports)], number,
                  hd_barrier_message(HD_INITIAL_REDUCE, 2, tree->group, tree->center, child));
  }
}

static bool is_due(const struct hd_switch_params *p, uint32_t number,
                   struct barrier_neighbour *const neighbours[])
{
  for (uint32_t port = 0; port < p->ports; port++)
    for (uint32_t i = 0; i < neighbours[port]->n_due; i++)
      if (neighbours[port]->due[i].tree == number)
        return true;
  return false;
}

void hd_barrier_trees_step(struct barrier_trees *t, const struct hd_switch_params *p, uint64_t *rnd,
                           uint32_t cycle, struct barrier_neighbour *const neighbours[])
{
  if (cycle < t->n_script)
    return;
  for (uint32_t i = 0; i < t->n; i++) {
    struct barrier_tree *tree = &t->trees[i];
    if (cycle < tree->next || is_due(p, i, neighbours))
      continue;
    if (!tree->answer) {
      queue_reports(t, i, p, rnd, neighbours);
      tree->answer = true;
    } else { /* the parent answers; a root answers by itself */
      const bool fails = chance(rnd, 7);
      if (tree->center != t->self || fails)
        queue_message(
            neighbours[tree->parent_port], i,
            hd_barrier_stream_value(p, rnd,
                                    hd_barrier_message(fails ? HD_FAIL : HD_DISTRIBUTE, 0,
                                                       tree->group, t->self, tree->parent),
                                    tree->operator_));
      tree->answer = false;
      tree->round++;
    }
    tree->next = cycle + (tree->answer ? 20 : 0) + below(rnd, 40);
  }
}

bool hd_barrier_trees_config(const struct barrier_trees *t, const struct hd_switch_params *p,
                             uint64_t *rnd, uint32_t cycle, struct hd_config_event *e)
{
  const struct barrier_tree *tree = &t->trees[below(rnd, t->n)];
  if (cycle < t->n_script) {
    *e = t->script[cycle];
    return true;
  }
  if (!chance(rnd, 6))
    return false;
  switch (below(rnd, 6)) {
  case 0:
    *e = (struct hd_config_event){.addr = HD_CFG_IDLE, .data = (uint16_t)below(rnd, 40)};
    break;
  case 1:
    *e = (struct hd_config_event){.addr = HD_CFG_CLOSE, .data = (uint16_t)tree->group};
    break;
  case 2:
    *e = (struct hd_config_event){.addr = HD_CFG_OPEN, .data = (uint16_t)tree->group};
    break;
  case 3:
    e->addr = HD_CFG_BARRIER_WAY(below(rnd, p->switches));
    e->data = (uint16_t)any_ports(p, rnd);
    break;
  default:
    *e = (struct hd_config_event){
        .addr = HD_CFG_LIVE,
        .data = (uint16_t)(chance(rnd, 300) ? next_random(rnd) : (1u << p->ports) - 1)};
  }
  return true;
}
