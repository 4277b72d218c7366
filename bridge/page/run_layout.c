/* Positions of a fabric's switches in drawings: by its topology, or on a circle or rings.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "run_data.h"

#include "../host/memory.h"

#include <math.h>
#include <stdlib.h>

enum {
  CIRCLE_SWITCHES = 40, /* larger fabrics are drawn as rings */
};

static const double full_turn = 6.283185307179586;

/* ── topologies without positions ──────────────────────────────────────────── */

static void place_on_circle(const struct hd_run_data *d, struct hd_topology_place *at)
{
  double radius = fmax(1.2, d->n_switches * 1.15 / full_turn);
  for (uint32_t sw = 0; sw < d->n_switches; sw++) {
    double angle = full_turn * (sw / (double)d->n_switches - 0.25);
    at[sw] = (struct hd_topology_place){radius * cos(angle), radius * sin(angle)};
  }
}

/* Lists the switches in breadth-first order from switch 0. `distance` has their distances in the
 * same order. Returns the number of switches. */
static uint32_t breadth_first(const struct hd_run_data *d, uint32_t *order, uint32_t *distance,
                              uint32_t *first_link, bool *seen)
{
  uint32_t n = 0;
  size_t link = 0;
  for (uint32_t sw = 0; sw <= d->n_switches; sw++) {
    while (link < d->n_links && d->links[link].sw < sw)
      link++;
    first_link[sw] = (uint32_t)link;
  }
  for (uint32_t root = 0; root < d->n_switches;
       root++) { /* a damaged file may have several components */
    if (seen[root])
      continue;
    seen[root] = true;
    order[n] = root;
    distance[n++] = 0;
    for (uint32_t head = n - 1; head < n; head++)
      for (uint32_t l = first_link[order[head]]; l < first_link[order[head] + 1]; l++) {
        const struct hd_run_link *to = &d->links[l];
        if (to->to_node || seen[to->peer])
          continue;
        seen[to->peer] = true;
        order[n] = to->peer;
        distance[n++] = distance[head] + 1;
      }
  }
  return n;
}

static void place_on_rings(const struct hd_run_data *d, struct hd_topology_place *at)
{
  uint32_t *order = hd_xcalloc(d->n_switches, sizeof *order);
  uint32_t *distance = hd_xcalloc(d->n_switches, sizeof *distance);
  uint32_t *first_link = hd_xcalloc((size_t)d->n_switches + 1, sizeof *first_link);
  bool *seen = hd_xcalloc(d->n_switches, sizeof *seen);
  uint32_t n = breadth_first(d, order, distance, first_link, seen);
  double radius = 0;
  for (uint32_t i = 0; i < n;) {
    uint32_t end = i;
    while (end < n && distance[end] == distance[i])
      end++;
    if (i)
      radius = fmax(radius + 1.6, (end - i) * 1.05 / full_turn);
    for (uint32_t k = i; k < end; k++) {
      double angle = full_turn * ((k - i) / (double)(end - i) - 0.25);
      at[order[k]] = (struct hd_topology_place){radius * cos(angle), radius * sin(angle)};
    }
    i = end;
  }
  free(order);
  free(distance);
  free(first_link);
  free(seen);
}

const char *hd_run_layout(const struct hd_run_data *d, struct hd_topology_place *at)
{
  const char *what = d->fabric.n_switches == d->n_switches && d->topology && d->topology->place
                         ? d->topology->place(&d->fabric, at)
                         : NULL;
  if (what)
    return what;
  if (d->n_switches <= CIRCLE_SWITCHES) {
    place_on_circle(d, at);
    return "a circle, in the order of their numbers";
  }
  place_on_rings(d, at);
  return "rings by their distance from switch 0, which is in the middle";
}
