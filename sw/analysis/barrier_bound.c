/* The longest duration of a barrier, along its tree: reductions up, distributions down (§8.11).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "barrier_bound.h"

#include <stdlib.h>

enum { SOURCES = 16 }; /* ports of a switch */

/* A BSR node in a round: the cycles in which its messages are in its queues, in ascending order,
 * and the cycle in which it sends. */
struct place {
  uint64_t queued[SOURCES];
  uint32_t n_queued;
  uint64_t pending;
};

uint32_t hd_barrier_hop_cycles(const struct hd_barrier_hardware *h)
{
  return h->message_flits + h->grant_stages + h->link_cycles + 3 + h->buffer_cycles;
}

uint32_t hd_barrier_preempt_cycles(const struct hd_barrier_hardware *h)
{
  return h->preempts ? 1 : 0;
}

/* The sum of the end of the preemption before, its rest, and the request. */
uint32_t hd_barrier_rest_cycles(const struct hd_barrier_hardware *h)
{
  return h->preempts ? 1 + HD_BARRIER_REST + 1 : 0;
}

/* cycles_to_queue: from a member's software to the queue of its switch. cycles_to_software: back. */
static uint32_t cycles_to_queue(const struct hd_barrier_hardware *h)
{
  return h->message_flits + h->link_cycles + h->buffer_cycles;
}

static uint32_t cycles_to_software(const struct hd_barrier_hardware *h)
{
  return h->message_flits + h->grant_stages + h->link_cycles + 3;
}

/* Returns true if messages of several rounds can use one preemption. They cannot if it ends before the next message can
 * come; a round of one switch is too short for that. */
static bool preemption_spans_rounds(const struct hd_barrier_hardware *h, uint32_t n)
{
  return n == 1 || h->idle_cycles > 3 * hd_barrier_hop_cycles(h) + h->link_cycles + 2;
}

static uint64_t cycles_on_way(const struct hd_barrier_hardware *h, uint32_t n, uint32_t hops,
                              uint32_t rests, uint32_t wait)
{
  uint32_t rested = preemption_spans_rounds(h, n) ? hops : rests;
  return (uint64_t)hops * hd_barrier_hop_cycles(h) +
         (uint64_t)(hops - rested) * hd_barrier_preempt_cycles(h) +
         (uint64_t)rested * hd_barrier_rest_cycles(h) + wait;
}

static void insert(struct place *p, uint64_t cycle)
{
  uint32_t i = p->n_queued++;
  for (; i && p->queued[i - 1] > cycle; i--)
    p->queued[i] = p->queued[i - 1];
  p->queued[i] = cycle;
}

/* Returns the cycle in which the unit has processed all messages. It takes a step for each message,
 * and does not idle while one is there. So there is an arrival from which on it has processed all
 * later ones without a pause. */
static uint64_t last_processed(const struct place *p)
{
  uint64_t last = 0;
  for (uint32_t i = 0; i < p->n_queued; i++) {
    uint64_t taken = p->queued[i] + (uint64_t)HD_BARRIER_STEP * (p->n_queued - i);
    if (taken > last)
      last = taken;
  }
  return last;
}

/* Returns the delay by messages of the next round. Members and children that were released first
 * may arrive again, and each costs a step, before the last one is released. That happens if all
 * sends take as long as the way there and back. */
static uint64_t next_round(const struct hd_barrier_hardware *h, const struct hd_barrier_branch *b)
{
  uint32_t sends = b->children + b->locals, steps = 0;
  uint32_t member = cycles_to_software(h) + cycles_to_queue(h);
  uint32_t child = 2 * hd_barrier_hop_cycles(h) + 2 * HD_BARRIER_STEP + member;
  if (b->children && (sends - 1) * b->send_cycles + b->passing_cycles > child)
    steps += b->children;
  if (b->locals > 1 && (b->locals - 1) * b->send_cycles + b->passing_cycles >= member)
    steps += b->locals - 1;
  return (uint64_t)steps * b->send_cycles;
}

uint32_t hd_barrier_farthest_hops(const struct hd_barrier_branch *branches, uint32_t n)
{
  uint32_t most = 0;
  for (uint32_t i = 1; i < n; i++) {
    uint32_t distance = 0;
    for (uint32_t at = i; at; at = branches[at].parent)
      distance += branches[at].hops_up;
    if (distance > most)
      most = distance;
  }
  return most;
}

static void reduce(const struct hd_barrier_hardware *h, const struct hd_barrier_branch *branches,
                   uint32_t n, struct place *places)
{
  for (uint32_t i = n; i-- > 0;) {
    const struct hd_barrier_branch *b = &branches[i];
    for (uint32_t l = 0; l < b->locals; l++)
      insert(&places[i], cycles_to_queue(h));
    places[i].pending = last_processed(&places[i]) + b->passing_cycles;
    if (i)
      insert(&places[b->parent],
             places[i].pending + cycles_on_way(h, n, b->hops_up, b->rests_up, b->wait_up));
  }
}

static uint64_t distribute(const struct hd_barrier_hardware *h,
                           const struct hd_barrier_branch *branches, uint32_t n,
                           struct place *places)
{
  uint64_t worst = 0;
  uint32_t preempt =
      preemption_spans_rounds(h, n) ? hd_barrier_rest_cycles(h) : hd_barrier_preempt_cycles(h);
  for (uint32_t i = 0; i < n; i++) {
    const struct hd_barrier_branch *b = &branches[i];
    if (i)
      places[i].pending =
          places[b->parent].pending + (uint64_t)b->before * branches[b->parent].send_cycles +
          cycles_on_way(h, n, b->hops_down, b->rests_down, b->wait_down) + HD_BARRIER_STEP;
    places[i].pending += b->passing_cycles + next_round(h, b);
    if (!b->locals)
      continue;
    uint64_t seen = places[i].pending + (uint64_t)(b->children + b->locals - 1) * b->send_cycles +
                    cycles_to_software(h) + preempt;
    if (seen > worst)
      worst = seen;
  }
  return worst;
}

uint64_t hd_barrier_worst_latency(const struct hd_barrier_hardware *hardware,
                                  const struct hd_barrier_branch *branches, uint32_t n)
{
  struct place *places = calloc(n, sizeof *places);
  if (!places)
    return 0;
  reduce(hardware, branches, n, places);
  uint64_t worst = distribute(hardware, branches, n, places);
  free(places);
  return worst;
}
