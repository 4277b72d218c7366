/* The endpoint API: links, coordinates and schedules of the network (endpoint_network.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_rank(struct hd_ep *ep, int rank)
{
  if (rank < 0 || rank >= hd_ep_size(ep))
    hd_ep_abort(ep, "asks about node %d; nodes are 0 to %d", rank, hd_ep_size(ep) - 1);
}

static void check_network_status(struct hd_ep *ep, int status)
{
  if (status)
    hd_ep_fail(ep, status, "the network gave no answer about its links: %s",
               hd_status_text(status));
}

struct hd_ep_link hd_ep_link(struct hd_ep *ep, int source, int destination)
{
  const struct hd_world_params *p = &ep->world->params;
  struct hd_ep_link link = {.node = -1};
  check_rank(ep, source);
  check_rank(ep, destination);
  hd_ep_stop_check(ep);
  check_network_status(ep, p->link
                               ? p->link(p->context, (uint32_t)source, (uint32_t)destination, &link)
                               : HD_E_INPUT);
  return link;
}

struct hd_ep_link hd_ep_barrier_link(struct hd_ep *ep, const struct hd_ep_barrier *barrier,
                                     int member)
{
  const struct hd_world_params *p = &ep->world->params;
  const struct hd_barrier_group *g = barrier->group;
  struct hd_ep_link link = {.node = -1};
  check_rank(ep, member);
  check_network_status(ep, p->barrier_link ? p->barrier_link(p->context, g->members, g->n,
                                                             g->center, (uint32_t)member, &link)
                                           : HD_E_INPUT);
  return link;
}

void hd_ep_order(struct hd_ep *ep, int *order)
{
  const struct hd_world_params *p = &ep->world->params;
  hd_ep_stop_check(ep);
  check_network_status(ep, p->order ? p->order(p->context, order) : HD_E_INPUT);
}

int hd_ep_middle(struct hd_ep *ep, const int *ranks, int n)
{
  const struct hd_world_params *p = &ep->world->params;
  if (n < 1 || n > hd_ep_size(ep))
    hd_ep_abort(ep, "the middle of %d nodes; there are %d", n, hd_ep_size(ep));
  uint32_t *nodes = hd_ep_alloc(ep, (size_t)n * sizeof *nodes), place = 0;
  for (int i = 0; i < n; i++) {
    check_rank(ep, ranks[i]);
    nodes[i] = (uint32_t)ranks[i];
  }
  qsort(nodes, (size_t)n, sizeof *nodes, hd_compare_ranks);
  hd_ep_stop_check(ep);
  check_network_status(ep, p->barrier_middle
                               ? p->barrier_middle(p->context, nodes, (uint32_t)n, &place)
                               : HD_E_INPUT);
  return (int)nodes[place];
}

bool hd_ep_grid(struct hd_ep *ep, struct hd_ep_grid *grid)
{
  const struct hd_world_params *p = &ep->world->params;
  hd_ep_stop_check(ep);
  return p->grid && p->grid(p->context, grid);
}

/* ── schedules ─────────────────────────────────────────────────────────────── */

struct search {
  const struct hd_world_params *params;
  const struct hd_ep_schedule_request *request;
  struct hd_ep_schedule *schedule;
  struct hd_ep_transfer *transfers;
  int status;
};

/* Searches on the stack of hd_world_step's caller, because a search needs more stack than a node's
 * software has. */
static void run_search(void *argument)
{
  struct search *s = argument;
  s->status = s->params->schedule(s->params->context, s->request, s->schedule, &s->transfers);
}

void hd_ep_schedule(struct hd_ep *ep, const struct hd_ep_schedule_request *request,
                    struct hd_ep_schedule *schedule)
{
  struct search s = {.params = &ep->world->params, .request = request, .schedule = schedule};
  if (request->n < 2 || request->root < 0 || request->root >= request->n)
    hd_ep_abort(ep,
                "schedule for %d members with root %d; there must be two, and one of them the root",
                request->n, request->root);
  for (int i = 0; i < request->n; i++)
    check_rank(ep, request->ranks[i]);
  hd_ep_stop_check(ep);
  *schedule = (struct hd_ep_schedule){0};
  if (!s.params->schedule) {
    snprintf(schedule->why, sizeof schedule->why, "nothing is known of the network");
    return;
  }
  ep->world->outside.argument = &s;
  ep->world->outside.run = run_search;
  hd_ep_yield(ep);
  check_network_status(ep, s.status);
  if (schedule->n) {
    struct hd_ep_transfer *copy = hd_ep_alloc(ep, schedule->n * sizeof *copy);
    memcpy(copy, s.transfers, schedule->n * sizeof *copy);
    schedule->transfers = copy;
  }
  free(s.transfers);
}
