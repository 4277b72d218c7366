/* Finds schedules and coded plans for the members of a communicator, once for all of them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The first member that asks finds them.
 */
#include "plan.h"

#include <stdio.h>
#include <string.h>

enum { CODED_MEMBERS = 1024, RANK_CHARACTERS = 8 };

static void *allocate_for_run(void *ep, size_t bytes)
{
  return hd_ep_alloc(ep, bytes);
}

/* ── a schedule ────────────────────────────────────────────────────────────── */

static enum hd_ep_exchange exchange_of(enum hd_collective collective)
{
  switch (collective) {
  case HD_COLLECTIVE_BROADCAST:
    return HD_EP_BROADCAST;
  case HD_COLLECTIVE_SCATTER:
    return HD_EP_SCATTER;
  case HD_COLLECTIVE_GATHER:
    return HD_EP_GATHER;
  case HD_COLLECTIVE_ALLGATHER:
    return HD_EP_ALLGATHER;
  default:
    return HD_EP_ALLTOALL;
  }
}

static void find_schedule(struct hd_ep *ep, const struct hd_ep_schedule_request *request,
                          struct hd_steps *steps)
{
  const struct hd_memory memory = {allocate_for_run, ep};
  struct hd_ep_schedule s;
  hd_ep_schedule(ep, request, &s);
  if (!s.steps) {
    snprintf(steps->why, sizeof steps->why, "%s", s.why);
    return;
  }
  if (s.steps > s.least && request->seconds > 0) {
    snprintf(
        steps->why, sizeof steps->why,
        "%u steps were found, at least %u are needed; %s; search for longer than %g seconds, or "
        "for 0, which takes what is found at once",
        s.steps, s.least, s.why, request->seconds);
    return;
  }
  struct hd_step_message *messages = hd_ep_alloc(ep, s.n * sizeof *messages);
  for (uint32_t i = 0; i < s.n; i++) {
    const struct hd_ep_transfer *t = &s.transfers[i];
    messages[i] = (struct hd_step_message){t->step, t->from, t->to, t->origin};
  }
  hd_steps_fill(steps, messages, s.n, (uint32_t)request->n, &memory);
  steps->least = s.least;
}

/* ── a box ─────────────────────────────────────────────────────────────────── */

static void find_coordinates(const struct hd_ep_grid *grid, int rank, int *at)
{
  for (int d = 0; d < grid->n_dims; d++, rank /= grid->dims[d - 1])
    at[d] = rank % grid->dims[d];
}

/* Finds the smallest box that contains all members. Returns false, with the reason, if it contains
 * other nodes, too. */
static bool find_box(struct hd_ep *ep, const int *ranks, int n, struct hd_coded_box *box,
                     struct hd_steps *steps)
{
  struct hd_ep_grid grid;
  int low[8], high[8], at[8];
  if (!hd_ep_grid(ep, &grid)) {
    snprintf(steps->why, sizeof steps->why,
             "the network has no coordinates; it needs a mesh, a torus or a hypercube");
    return false;
  }
  find_coordinates(&grid, ranks[0], low);
  find_coordinates(&grid, ranks[0], high);
  for (int i = 1; i < n; i++) {
    find_coordinates(&grid, ranks[i], at);
    for (int d = 0; d < grid.n_dims; d++) {
      low[d] = at[d] < low[d] ? at[d] : low[d];
      high[d] = at[d] > high[d] ? at[d] : high[d];
    }
  }
  char sides[8 * 12] = "";
  uint64_t nodes = 1;
  bool whole = true;
  box->n_dims = (uint32_t)grid.n_dims;
  for (int d = 0; d < grid.n_dims; d++) {
    box->dims[d] = (uint32_t)(high[d] - low[d] + 1);
    nodes *= box->dims[d];
    whole = whole && (int)box->dims[d] == grid.dims[d];
    snprintf(sides + strlen(sides), sizeof sides - strlen(sides), "%s%u", d ? "x" : "",
             box->dims[d]);
  }
  box->torus = grid.torus && whole;
  if (nodes != (uint64_t)n || n > CODED_MEMBERS) {
    snprintf(steps->why, sizeof steps->why,
             "the members are %d nodes of a box of %s; it needs all nodes of a box, at most %d", n,
             sides, CODED_MEMBERS);
    return false;
  }
  uint32_t *member = hd_ep_alloc(ep, (size_t)n * sizeof *member);
  for (int i = 0; i < n; i++) {
    uint32_t node = 0;
    find_coordinates(&grid, ranks[i], at);
    for (int d = grid.n_dims; d--;)
      node = node * box->dims[d] + (uint32_t)(at[d] - low[d]);
    member[node] = (uint32_t)i;
  }
  box->member = member;
  return true;
}

static void find_coded(struct hd_ep *ep, const int *ranks, int n, struct hd_steps *steps)
{
  const struct hd_memory memory = {allocate_for_run, ep};
  struct hd_coded_box box;
  struct hd_error err = {""};
  if (find_box(ep, ranks, n, &box, steps) && hd_coded_plan_make(steps, &box, &memory, &err))
    snprintf(steps->why, sizeof steps->why, "%.300s", err.text);
}

/* ── plans that members share ────────────────────────────────────────────── */

const struct hd_steps *hd_steps_find(struct hd_ep *ep, const struct hd_steps_request *r)
{
  const bool coded = r->algorithm == HD_ALGORITHM_NETWORK_CODED;
  const size_t room = 64 + (size_t)r->n * RANK_CHARACTERS;
  char *key = hd_ep_alloc(ep, room);
  const struct hd_ep_schedule_request request = {.exchange = exchange_of(r->collective),
                                                 .ranks = r->ranks,
                                                 .n = r->n,
                                                 .root = r->root,
                                                 .seconds = r->seconds};
  size_t at;
  if (coded)
    at = (size_t)snprintf(key, room, "coded");
  else
    at = (size_t)snprintf(key, room, "schedule %d %d %g", (int)request.exchange, r->root,
                          r->seconds);
  for (int i = 0; i < r->n; i++)
    at += (size_t)snprintf(key + at, room - at, " %d", r->ranks[i]);
  struct hd_steps *steps = hd_ep_shared(ep, key, sizeof *steps);
  if (!steps->initialised && coded)
    find_coded(ep, r->ranks, r->n, steps);
  else if (!steps->initialised)
    find_schedule(ep, &request, steps);
  steps->initialised = true;
  return steps;
}
