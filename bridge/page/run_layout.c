/* Where the switches of a fabric are drawn: a grid, stages, a circle or rings.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "run_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  LINE_SWITCHES = 24,   /* a longer line is folded */
  FOLD_SWITCHES = 16,   /* into rows of so many */
  CIRCLE_SWITCHES = 40, /* more are drawn as rings */
  MOST_DIMS = 8
};

static const double full_turn = 6.283185307179586;

/* ── meshes ────────────────────────────────────────────────────────────────── */

static uint32_t dims_of(const struct hd_run_data *d, uint32_t dims[MOST_DIMS])
{
  uint32_t n = 0;
  uint64_t switches = 1;
  for (; n < MOST_DIMS; n++) {
    char key[32];
    snprintf(key, sizeof key, "fabric.dims.%u", n);
    const char *text = hd_run_data_parameter(d, key);
    if (!text)
      break;
    uint64_t dim = hd_run_data_number(text);
    if (!dim || dim > d->n_switches)
      return 0;
    dims[n] = (uint32_t)dim;
    switches *= dim;
    if (switches > d->n_switches)
      return 0;
  }
  return switches == d->n_switches ? n : 0;
}

/* Dimensions after the second lay copies of the grid side by side, in turn to the right and down. */
static const char *mesh(const struct hd_run_data *d, struct hd_run_point *at, const uint32_t *dims,
                        uint32_t n)
{
  bool folded = n == 1 && dims[0] > LINE_SWITCHES;
  for (uint32_t sw = 0; sw < d->n_switches; sw++) {
    if (folded) {
      uint32_t row = sw / FOLD_SWITCHES, place = sw % FOLD_SWITCHES;
      at[sw].x = row % 2 ? FOLD_SWITCHES - 1 - place : place;
      at[sw].y = row;
      continue;
    }
    double width = 1, height = 1, x = 0, y = 0;
    uint32_t rest = sw;
    for (uint32_t k = 0; k < n; k++) {
      double gap = k < 2 ? 0 : 1;
      double *place = k % 2 ? &y : &x, *size = k % 2 ? &height : &width;
      *place += rest % dims[k] * (*size + gap);
      *size = *size * dims[k] + gap * (dims[k] - 1);
      rest /= dims[k];
    }
    at[sw] = (struct hd_run_point){x, y};
  }
  return folded ? "a line, folded into rows"
         : n == 1
             ? "a line"
             : "a grid: dimension 0 to the right, dimension 1 down, further ones as copies of it";
}

/* ── trees ─────────────────────────────────────────────────────────────────── */

static const char *tree(const struct hd_run_data *d, struct hd_run_point *at, bool extended)
{
  uint64_t k = hd_run_data_number(hd_run_data_parameter(d, "fabric.k"));
  uint64_t n = hd_run_data_number(hd_run_data_parameter(d, "fabric.n"));
  uint64_t per_stage = 1, stages = (extended ? 2 : 1) * (n - 1) + 1;
  if (!n || n > 16 || k < 2 || k > 16)
    return NULL;
  for (uint64_t i = 1; i < n && per_stage <= d->n_switches; i++)
    per_stage *= k;
  if (stages * per_stage != d->n_switches)
    return NULL;
  double apart = fmax(1.8, fmin(5, (double)per_stage / 6));
  for (uint32_t sw = 0; sw < d->n_switches; sw++) {
    uint64_t stage = sw / per_stage; /* of both halves; the last is the shared one */
    uint64_t row = stage == stages - 1 ? n - 1 : stage % (n > 1 ? n - 1 : 1);
    bool upper = stage != stages - 1 && n > 1 && stage / (n - 1) == 1;
    uint64_t line = extended ? upper ? row : 2 * (n - 1) - row : n - 1 - row;
    at[sw] = (struct hd_run_point){(double)(sw % per_stage), apart * (double)line};
  }
  return extended ? "stages: the shared one in the middle, a half above and a half below it"
                  : "stages, the last one at the top";
}

/* ── whatever else ─────────────────────────────────────────────────────────── */

static void circle(const struct hd_run_data *d, struct hd_run_point *at)
{
  double radius = fmax(1.2, d->n_switches * 1.15 / full_turn);
  for (uint32_t sw = 0; sw < d->n_switches; sw++) {
    double angle = full_turn * (sw / (double)d->n_switches - 0.25);
    at[sw] = (struct hd_run_point){radius * cos(angle), radius * sin(angle)};
  }
}

/* Breadth first from switch 0, in order of distance; returns how many were reached. `distance`: those of
 * the order. */
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
  for (uint32_t root = 0; root < d->n_switches; root++) { /* a hostile file may have parts */
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

static bool rings(const struct hd_run_data *d, struct hd_run_point *at)
{
  uint32_t *order = calloc(d->n_switches, sizeof *order);
  uint32_t *distance = calloc(d->n_switches, sizeof *distance);
  uint32_t *first_link = calloc((size_t)d->n_switches + 1, sizeof *first_link);
  bool *seen = calloc(d->n_switches, sizeof *seen);
  bool whole = order && distance && first_link && seen;
  uint32_t n = whole ? breadth_first(d, order, distance, first_link, seen) : 0;
  double radius = 0;
  for (uint32_t i = 0; i < n;) {
    uint32_t end = i;
    while (end < n && distance[end] == distance[i])
      end++;
    if (i)
      radius = fmax(radius + 1.6, (end - i) * 1.05 / full_turn);
    for (uint32_t k = i; k < end; k++) {
      double angle = full_turn * ((k - i) / (double)(end - i) - 0.25);
      at[order[k]] = (struct hd_run_point){radius * cos(angle), radius * sin(angle)};
    }
    i = end;
  }
  free(order);
  free(distance);
  free(first_link);
  free(seen);
  return whole;
}

const char *hd_run_layout(const struct hd_run_data *d, struct hd_run_point *at)
{
  enum hd_topology_family family = d->topology ? d->topology->family : HD_FAMILY_ANY;
  uint32_t dims[MOST_DIMS];
  uint32_t n = family == HD_FAMILY_MESHES ? dims_of(d, dims) : 0;
  const char *what = n ? mesh(d, at, dims, n) : NULL;
  if (family == HD_FAMILY_TREES)
    what = tree(d, at, d->topology == hd_topologies[HD_TOPO_EXTENDED_TREE]);
  if (what)
    return what;
  if (d->n_switches <= CIRCLE_SWITCHES) {
    circle(d, at);
    return "a circle, in the order of their numbers";
  }
  return rings(d, at) ? "rings by their distance from switch 0, which is in the middle" : NULL;
}
