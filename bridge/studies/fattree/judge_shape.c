/* Statements about the network itself: Sections 2.1 and 2.3.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fat_tree_study.h"

#include "../../host/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const uint32_t sizes[] = {4, 6, 8};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Calls `look` for each size of FatTree. A size that cannot be built counts as not measured. */
static void for_each_size(statement *s,
                          void (*look)(statement *s, const struct hd_topology *t, uint32_t k))
{
  for (int i = 0; i < SIZES; i++) {
    struct hd_topology t;
    const struct hd_topology_shape shape = {.pods = sizes[i]};
    if (hd_topology_build(&t, HD_TOPO_FAT_TREE, &shape, NULL, NULL)) {
      hd_study_check(s, false, 0, STUDY_AT_MOST, 0, "%" PRIu32 " pods", sizes[i]);
      continue;
    }
    look(s, &t, sizes[i]);
    hd_topology_fini(&t);
  }
}

static void look_at_switches(statement *s, const struct hd_topology *t, uint32_t k)
{
  hd_study_check(s, true, fabs(t->n_switches - 5 * k * k / 4.0), STUDY_AT_MOST, 0,
                 "%" PRIu32 " pods: %" PRIu32 " switches; off 5k²/4", k, t->n_switches);
}

static void judge_switches(const void *results, statement *s)
{
  (void)results;
  for_each_size(s, look_at_switches);
}

static void look_at_links(statement *s, const struct hd_topology *t, uint32_t k)
{
  uint32_t ends = 0;
  for (uint32_t i = 0; i < t->n_switches * t->ports; i++)
    ends += t->peers[i].kind == HD_PEER_SWITCH;
  hd_study_check(s, true, fabs(ends / 2.0 - k * k * k / 2.0), STUDY_AT_MOST, 0,
                 "%" PRIu32 " pods: %" PRIu32 " links between switches; off k³/2", k, ends / 2);
}

static void judge_links(const void *results, statement *s)
{
  (void)results;
  for_each_size(s, look_at_links);
}

static void look_at_nodes(statement *s, const struct hd_topology *t, uint32_t k)
{
  uint32_t all = 0, most = 0, left = t->n_switches * t->ports;
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    uint32_t nodes = 0;
    for (uint32_t port = 0; port < t->ports; port++) {
      nodes += t->peers[sw * t->ports + port].kind == HD_PEER_NODE;
      left -= t->peers[sw * t->ports + port].kind != HD_PEER_NONE;
    }
    all += nodes;
    most = nodes > most ? nodes : most;
  }
  hd_study_check(s, true, most, STUDY_AT_MOST, k / 2.0, "%" PRIu32 " pods: nodes of a switch", k);
  hd_study_check(s, true, fabs(all - k * k * k / 4.0), STUDY_AT_MOST, 0,
                 "%" PRIu32 " pods: %" PRIu32 " nodes; off k³/4", k, all);
  hd_study_check(s, true, left, STUDY_AT_MOST, 0, "%" PRIu32 " pods: ports left for more", k);
}

static void judge_nodes(const void *results, statement *s)
{
  (void)results;
  for_each_size(s, look_at_nodes);
}

/* Fills distance[n_switches] with the links from each switch to switch `to`. `queue` has space
 * for as many numbers. */
static void measure(const struct hd_topology *t, uint32_t to, uint32_t *distance, uint32_t *queue)
{
  uint32_t head = 0, tail = 0;
  for (uint32_t i = 0; i < t->n_switches; i++)
    distance[i] = UINT32_MAX;
  distance[to] = 0;
  for (queue[tail++] = to; head < tail; head++)
    for (uint32_t port = 0; port < t->ports; port++) {
      const struct hd_peer *peer = &t->peers[queue[head] * t->ports + port];
      if (peer->kind == HD_PEER_SWITCH && distance[peer->index] == UINT32_MAX) {
        distance[peer->index] = distance[queue[head]] + 1;
        queue[tail++] = peer->index;
      }
    }
}

/* Checks all up ports of edge switches on ways to other edge switches, and of aggregation
 * switches on ways to other pods. */
static void look_at_steps(statement *s, const struct hd_topology *t, uint32_t k)
{
  uint32_t h = k / 2, edges = k * h, choices = 0, longer = 0;
  uint32_t *distance = hd_xcalloc(2 * (size_t)t->n_switches, sizeof *distance);
  for (uint32_t to = 0; to < edges; to++) {
    measure(t, to, distance, distance + t->n_switches);
    for (uint32_t sw = 0; sw < 2 * edges; sw++) {
      if (sw < edges ? sw == to : (sw - edges) / h == to / h)
        continue;
      for (uint32_t port = h; port < k; port++, choices++)
        longer += distance[t->peers[sw * t->ports + port].index] + 1 != distance[sw];
    }
  }
  free(distance);
  hd_study_check(s, choices, longer, STUDY_AT_MOST, 0,
                 "%" PRIu32 " pods: choices of %" PRIu32 " that make the way longer", k, choices);
}

static void judge_minimal_steps(const void *results, statement *s)
{
  (void)results;
  for_each_size(s, look_at_steps);
}

const struct hd_study_judge fattree_judges_of_shape[] = {{"routers", judge_switches},
                                                         {"internal-links", judge_links},
                                                         {"external-links", judge_nodes},
                                                         {"minimal-steps", judge_minimal_steps},
                                                         {0}};
