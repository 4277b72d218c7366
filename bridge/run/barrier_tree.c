/* Reads a barrier group's tree from the model, and computes how long its messages may delay each other.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Between two BSR nodes a message can take one of several ways (§8.4). So a message counts at
 * every switch and link that it may take.
 */
#include "barrier_tree.h"

#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

enum { NOWHERE = UINT32_MAX };

/* A switch's index in the tree, and the number of messages of a round that may pass it. */
struct site {
  uint32_t place; /* NOWHERE: no BSR node */
  uint32_t up, down;
  uint32_t stamp; /* number of the last step that reached this switch */
  bool shares;    /* two messages of a round may leave by one port */
};

struct reader {
  struct hd_barrier_tree *tree;
  const struct hd_topology *t;
  const struct hd_barrier_ways *ways;
  const struct hd_barrier_hardware *hardware;
  uint32_t *switches; /* [n of the tree] */
  struct site *sites; /* [n_switches] */
  /* [n_switches × ports]: messages of a round that may take this link; 3: three or more */
  uint8_t *uses;
  uint32_t *now,
      /* Switches that the ways reach after the links so far, and after one more */
      *then;
  uint32_t stamp;
};

/* ── the tree ─────────────────────────────────────────────────────────────── */

static void add_branch(struct reader *r, uint32_t sw, uint32_t parent, uint32_t before)
{
  uint32_t place = r->tree->n++;
  r->switches[place] = sw;
  r->sites[sw].place = place;
  r->tree->branches[place] = (struct hd_barrier_branch){.parent = parent, .before = before};
}

/* Reads the tree from the group's entries in the switches' tables. Returns false if they are not
 * a complete tree. */
static bool read_branches(struct reader *r, const struct hd_fabric *fabric, unsigned group,
                          uint32_t center)
{
  add_branch(r, center, 0, 0);
  for (uint32_t i = 0; i < r->tree->n; i++) {
    struct hd_group_view view;
    const struct hd_switch *sw = hd_fabric_switch(fabric, r->switches[i]);
    if (!sw || !hd_switch_look_group(sw, group, &view) || !view.bsr || !view.built)
      return false;
    struct hd_barrier_branch *b = &r->tree->branches[i];
    b->locals = (uint32_t)__builtin_popcount(view.local);
    for (unsigned left = view.child; left; left &= left - 1) {
      uint32_t child = view.child_address[__builtin_ctz(left)];
      if (child >= r->t->n_switches || r->sites[child].place != NOWHERE)
        return false;
      add_branch(r, child, i, b->children++);
    }
  }
  return true;
}

/* ── ways ─────────────────────────────────────────────────────────────────── */

/* Follows all ways from the `n` switches in r->now by one more link; all ways are equally long.
 * Returns the number of switches that are reached. With `count`, counts the links. Sets *shared
 * if another message may use one of the links, too. */
static uint32_t follow_links(struct reader *r, uint32_t n, uint32_t to, bool count, bool *shared)
{
  uint32_t reached = 0;
  r->stamp++;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t sw = r->now[i];
    for (unsigned ports = hd_barrier_way(r->ways, sw, to); ports; ports &= ports - 1) {
      size_t link = (size_t)sw * r->t->ports + (unsigned)__builtin_ctz(ports);
      uint32_t far = r->t->peers[link].index;
      if (count && r->uses[link] < 3)
        r->uses[link]++;
      if (count && r->uses[link] >= 2)
        r->sites[sw].shares = true;
      *shared |= r->uses[link] >= 2;
      if (r->sites[far].stamp == r->stamp)
        continue;
      r->sites[far].stamp = r->stamp;
      r->then[reached++] = far;
    }
  }
  uint32_t *swap = r->now;
  r->now = r->then;
  r->then = swap;
  return reached;
}

/* Returns the number of hops from one BSR node to another; NOWHERE: there is no way. Counts the
 * message at the links and switches that it may use.
 */
static uint32_t count_way(struct reader *r, uint32_t from, uint32_t to, bool up)
{
  uint32_t hops = 0, n = 1;
  bool shared = false;
  r->now[0] = from;
  while (r->now[0] != to) {
    n = follow_links(r, n, to, true, &shared);
    hops++;
    if (!n || hops > r->t->n_switches)
      return NOWHERE;
    for (uint32_t i = 0; i < n; i++)
      if (r->now[i] != to)
        *(up ? &r->sites[r->now[i]].up : &r->sites[r->now[i]].down) += 1;
  }
  return hops;
}

/* Returns the cycles for which one message may delay another at a switch: a step. If both may
 * want the same slot, the other also waits until the slot is empty and the remaining sources
 * have had their turn (§8.4, §8.5). */
static uint32_t delay_cycles(const struct reader *r, const struct site *site)
{
  if (!site->shares)
    return HD_BARRIER_STEP;
  return HD_BARRIER_STEP * (r->t->ports + 1) + r->hardware->message_flits +
         hd_barrier_rest_cycles(r->hardware) + 1;
}

/* Returns the cycles that a message may wait at this switch while others pass. During the
 * distribution, members that were released first already send their next round. */
static uint32_t wait_at(const struct reader *r, uint32_t sw, bool up)
{
  const struct site *site = &r->sites[sw];
  uint32_t others = site->up + (up ? 0 : site->down) - 1;
  if (site->place != NOWHERE) {
    const struct hd_barrier_branch *b = &r->tree->branches[site->place];
    others += (b->children + b->locals + 1) * (up ? 1 : 2);
  }
  return others * delay_cycles(r, site);
}

static void weigh_way(struct reader *r, uint32_t from, uint32_t to, bool up, uint32_t *rests,
                      uint32_t *wait)
{
  uint32_t n = 1;
  r->now[0] = from;
  while (r->now[0] != to) {
    bool shared = false;
    uint32_t most = 0;
    n = follow_links(r, n, to, false, &shared);
    *rests += shared;
    for (uint32_t i = 0; i < n && r->now[0] != to; i++) {
      uint32_t here = wait_at(r, r->now[i], up);
      most = here > most ? here : most;
    }
    *wait += most;
  }
}

static bool count_ways(struct reader *r)
{
  for (uint32_t i = 1; i < r->tree->n; i++) {
    struct hd_barrier_branch *b = &r->tree->branches[i];
    uint32_t child = r->switches[i], parent = r->switches[b->parent];
    b->hops_up = count_way(r, child, parent, true);
    b->hops_down = count_way(r, parent, child, false);
    if (b->hops_up == NOWHERE || b->hops_down == NOWHERE)
      return false;
  }
  return true;
}

static void weigh_ways(struct reader *r)
{
  for (uint32_t i = 0; i < r->tree->n; i++) {
    struct hd_barrier_branch *b = &r->tree->branches[i];
    const struct site *site = &r->sites[r->switches[i]];
    b->send_cycles = delay_cycles(r, site);
    b->passing_cycles = (site->up + site->down) * delay_cycles(r, site);
    if (!i)
      continue;
    uint32_t child = r->switches[i], parent = r->switches[b->parent];
    weigh_way(r, child, parent, true, &b->rests_up, &b->wait_up);
    weigh_way(r, parent, child, false, &b->rests_down, &b->wait_down);
  }
  for (size_t i = 0; i < (size_t)r->t->n_switches * r->t->ports; i++)
    if (r->uses[i] > HD_BARRIER_QUEUE)
      r->tree->unbounded = "more messages of a round may take one link than its queue holds";
}

/* ── the whole tree ─────────────────────────────────────────────────────────── */

static void reader_init(struct reader *r)
{
  size_t n = r->t->n_switches;
  r->switches = hd_xmalloc(3 * n * sizeof *r->switches);
  r->sites = hd_xcalloc(n, sizeof *r->sites);
  r->uses = hd_xcalloc(n * r->t->ports, sizeof *r->uses);
  r->tree->branches = hd_xmalloc(n * sizeof *r->tree->branches);
  r->now = r->switches + n;
  r->then = r->switches + 2 * n;
  for (size_t i = 0; i < n; i++)
    r->sites[i].place = NOWHERE;
}

static void reader_fini(struct reader *r)
{
  free(r->switches);
  free(r->sites);
  free(r->uses);
}

void hd_barrier_tree_read(struct hd_barrier_tree *tree, const struct hd_fabric *fabric,
                          const struct hd_topology *topology,
                          const struct hd_barrier_hardware *hardware, unsigned group,
                          uint32_t center)
{
  struct reader r = {
      .tree = tree, .t = topology, .ways = hd_fabric_barrier_ways(fabric), .hardware = hardware};
  *tree = (struct hd_barrier_tree){0};
  reader_init(&r);
  if (read_branches(&r, fabric, group, center) && count_ways(&r))
    weigh_ways(&r);
  else
    tree->n = 0;
  reader_fini(&r);
}

void hd_barrier_tree_fini(struct hd_barrier_tree *tree)
{
  free(tree->branches);
  *tree = (struct hd_barrier_tree){0};
}
