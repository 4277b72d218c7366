/* Plans: their actions, and the numbering of members in teams.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plan.h"

#include <string.h>

void hd_plan_clear(struct hd_plan *plan)
{
  plan->n = 0;
  plan->scratch_used = 0;
  plan->op = NULL;
  plan->empty_messages = false;
}

/* If the memory is too small, it stays until the end of the run, because parts of it may be in
 * use. */
unsigned char *hd_plan_scratch(struct hd_plan *plan, size_t bytes)
{
  if (bytes > plan->scratch_bytes - plan->scratch_used) {
    size_t twice = 2 * plan->scratch_bytes;
    plan->scratch_bytes = bytes > twice ? bytes : twice;
    plan->scratch = hd_ep_alloc(plan->ep, plan->scratch_bytes);
    plan->scratch_used = 0;
  }
  unsigned char *piece = plan->scratch_bytes ? plan->scratch + plan->scratch_used : NULL;
  plan->scratch_used += bytes;
  return piece;
}

static void add_action(struct hd_plan *plan, struct hd_action action)
{
  if (plan->n == plan->capacity) {
    size_t capacity = plan->capacity ? 2 * plan->capacity : 16;
    struct hd_action *larger = hd_ep_alloc(plan->ep, capacity * sizeof *larger);
    if (plan->n)
      memcpy(larger, plan->actions, plan->n * sizeof *larger);
    plan->actions = larger;
    plan->capacity = capacity;
  }
  plan->actions[plan->n++] = action;
}

static size_t next_message_bytes(size_t left)
{
  return left < HD_PLAN_MESSAGE_BYTES ? left : HD_PLAN_MESSAGE_BYTES;
}

void hd_plan_send(struct hd_plan *plan, int peer, const void *from, size_t bytes)
{
  const unsigned char *at = from;
  if (!bytes && plan->empty_messages)
    add_action(plan, (struct hd_action){.kind = HD_ACTION_SEND, .peer = peer});
  for (size_t n; bytes; bytes -= n, at += n) {
    n = next_message_bytes(bytes);
    add_action(plan,
               (struct hd_action){.kind = HD_ACTION_SEND, .peer = peer, .from = at, .bytes = n});
  }
}

void hd_plan_multicast(struct hd_plan *plan, const void *from, size_t bytes)
{
  const unsigned char *at = from;
  for (size_t n; bytes; bytes -= n, at += n) {
    n = next_message_bytes(bytes);
    add_action(plan, (struct hd_action){.kind = HD_ACTION_MULTICAST, .from = at, .bytes = n});
  }
}

void hd_plan_receive(struct hd_plan *plan, int peer, void *to, size_t bytes)
{
  unsigned char *at = to;
  if (!bytes && plan->empty_messages)
    add_action(plan, (struct hd_action){.kind = HD_ACTION_RECEIVE, .peer = peer});
  for (size_t n; bytes; bytes -= n, at += n) {
    n = next_message_bytes(bytes);
    add_action(plan,
               (struct hd_action){.kind = HD_ACTION_RECEIVE, .peer = peer, .to = at, .bytes = n});
  }
}

void hd_plan_copy(struct hd_plan *plan, void *to, const void *from, size_t bytes)
{
  if (bytes)
    add_action(plan,
               (struct hd_action){.kind = HD_ACTION_COPY, .to = to, .from = from, .bytes = bytes});
}

void hd_plan_combine(struct hd_plan *plan, void *to, const void *from, size_t bytes)
{
  if (bytes)
    add_action(plan, (struct hd_action){
                         .kind = HD_ACTION_COMBINE, .to = to, .from = from, .bytes = bytes});
}

void hd_plan_end_round(struct hd_plan *plan)
{
  if (plan->n && plan->actions[plan->n - 1].kind != HD_ACTION_END_ROUND)
    add_action(plan, (struct hd_action){.kind = HD_ACTION_END_ROUND});
}

void hd_plan_barrier(struct hd_plan *plan)
{
  hd_plan_end_round(plan);
  add_action(plan, (struct hd_action){.kind = HD_ACTION_BARRIER});
  hd_plan_end_round(plan);
}

void hd_plan_arrive(struct hd_plan *plan, int lane, void *to, const void *from, size_t bytes)
{
  add_action(plan,
             (struct hd_action){
                 .kind = HD_ACTION_ARRIVE, .peer = lane, .to = to, .from = from, .bytes = bytes});
}

int hd_team_peer(const struct hd_team *team, int v)
{
  if (team->extra)
    v = v < team->extra ? 2 * v + 1 : v + team->extra;
  return (v + team->shift) % team->p;
}

struct hd_team hd_team_of_root(const struct hd_team *team, int root)
{
  return (struct hd_team){
      .n = team->n, .me = (team->me - root + team->n) % team->n, .p = team->p, .shift = root};
}

struct hd_parts hd_parts_of_blocks(int p, size_t bytes)
{
  return (struct hd_parts){.units = (size_t)p, .unit_bytes = bytes, .n = p};
}

struct hd_parts hd_parts_of_block(int n, size_t bytes, size_t element_bytes)
{
  return (struct hd_parts){.units = bytes / element_bytes, .unit_bytes = element_bytes, .n = n};
}
