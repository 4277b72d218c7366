/* Barrier groups of endpoint software: creation, arrival, release (endpoint_barrier.h).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each member names its group by the list of the members. The first one opens it in the switches. A
 * barrier message that has no path is dropped, and nobody is told. So every wait has a deadline.
 */
#include "runtime.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t usual_timeout_cycles = 1000000;

const char *hd_ep_barrier_text(enum hd_ep_barrier_status status)
{
  static const char *const texts[] = {
      [HD_EP_BARRIER_PASSED] = "passed",
      [HD_EP_BARRIER_PENDING] = "pending",
      [HD_EP_BARRIER_FAILED] = "refused by the switches",
      [HD_EP_BARRIER_TIMEOUT] = "no answer in time",
      [HD_EP_BARRIER_UNREACHABLE] = "no way between a member and the center",
      [HD_EP_BARRIER_FULL] =
          "no room: all group numbers are taken, or a status table on its ways is full",
      [HD_EP_BARRIER_CUT_OFF] = "a member is cut off",
      [HD_EP_BARRIER_UNSUPPORTED] = "the switches take no barrier messages (key switch.barrier)",
  };
  return texts[status];
}

/* ── members ──────────────────────────────────────────────────────────────── */

static struct hd_ep_barrier *find_part(struct hd_barrier_group *g, uint32_t rank)
{
  const uint32_t *found = bsearch(&rank, g->members, g->n, sizeof rank, hd_compare_ranks);
  return found ? &g->parts[found - g->members] : NULL;
}

static uint32_t rank_of(const struct hd_ep_barrier *part)
{
  return part->group->members[part - part->group->parts];
}

void hd_ep_sort_ranks(struct hd_ep *ep, const char *kind, const int *ranks, uint32_t n,
                      uint32_t *members, void *owned)
{
  const int size = hd_ep_size(ep);
  const int *bad = NULL;
  int twice = -1;
  bool self = false;
  for (uint32_t i = 0; i < n; i++) {
    if (ranks[i] < 0 || ranks[i] >= size)
      bad = &ranks[i];
    self |= ranks[i] == (int)ep->rank;
    members[i] = (uint32_t)ranks[i];
  }
  qsort(members, n, sizeof *members, hd_compare_ranks);
  for (uint32_t i = 1; i < n; i++)
    if (members[i] == members[i - 1])
      twice = (int)members[i];
  if (!bad && twice < 0 && self)
    return;
  free(owned);
  if (bad)
    hd_ep_abort(ep, "%s with node %d; nodes are 0 to %d", kind, *bad, size - 1);
  if (twice >= 0)
    hd_ep_abort(ep, "%s with node %d twice", kind, twice);
  hd_ep_abort(ep, "%s of %" PRIu32 " members, but this node is not one of them", kind, n);
}

/* Makes a group of these ranks. Ends the run if they cannot be a group. */
static struct hd_barrier_group *new_group(struct hd_ep *ep, const int *ranks, int n,
                                          const struct hd_ep_barrier_options *options)
{
  int size = hd_ep_size(ep);
  if (n < 1 || n > size)
    hd_ep_abort(ep, "barrier of %d members; there are %d nodes", n, size);
  struct hd_barrier_group *g =
      calloc(1, sizeof *g + (size_t)n * (sizeof *g->parts + sizeof *g->members));
  if (!g)
    hd_ep_fail(ep, HD_E_NOMEM, "no memory for a barrier of %d members", n);
  g->n = (uint32_t)n;
  g->members = (uint32_t *)(void *)(g->parts + n);
  g->options = *options;
  for (int i = 0; i < n; i++)
    g->parts[i].group = g;
  hd_ep_sort_ranks(ep, "barrier", ranks, g->n, g->members, g);
  if (options->center_rule != HD_EP_CENTER_RANK ||
      (options->center >= 0 && find_part(g, (uint32_t)options->center)))
    return g;
  free(g);
  hd_ep_abort(ep, "barrier with center %d, which is no member", options->center);
}

/* ── creation ─────────────────────────────────────────────────────────────── */

static bool same_members(const struct hd_barrier_group *a, const struct hd_barrier_group *b)
{
  return a->n == b->n && !memcmp(a->members, b->members, a->n * sizeof *a->members);
}

static uint32_t choose_center(struct hd_ep *ep, const struct hd_barrier_group *g)
{
  const struct hd_world_params *p = &ep->world->params;
  uint32_t place = 0;
  switch (g->options.center_rule) {
  case HD_EP_CENTER_RANK:
    return (uint32_t)g->options.center;
  case HD_EP_CENTER_MIDDLE: {
    int status = p->barrier_middle(p->context, g->members, g->n, &place);
    if (status)
      hd_ep_fail(ep, status, "the middle of a barrier group: %s", hd_status_text(status));
    break;
  }
  case HD_EP_CENTER_LOWEST:
    break;
  }
  return g->members[place];
}

/* Opens the group in the switches. The first member that creates it calls this. */
static void open_group(struct hd_ep *ep, struct hd_barrier_group *g)
{
  struct hd_world *world = ep->world;
  const struct hd_world_params *p = &world->params;
  struct hd_barrier_group **last = &world->groups;
  while (*last)
    last = &(*last)->next;
  *last = g;
  g->status = HD_EP_BARRIER_UNSUPPORTED;
  if (!p->barrier)
    return;
  g->status = HD_EP_BARRIER_FULL;
  if (world->group_numbers == UINT32_MAX)
    return;
  enum hd_ep_barrier_status opened = HD_EP_BARRIER_UNREACHABLE;
  g->number = (uint8_t)__builtin_ctz(~world->group_numbers);
  g->center = choose_center(ep, g);
  int status =
      p->barrier_open(p->context, g->number, g->members, g->n, g->center, &g->ready, &opened);
  if (status)
    hd_ep_fail(ep, status, "the network refused a barrier group of %" PRIu32 " members: %s", g->n,
               hd_status_text(status));
  g->status = opened;
  if (opened != HD_EP_BARRIER_PASSED)
    return;
  world->counters.barrier_groups++;
  world->group_numbers |= UINT32_C(1) << g->number;
  if (g->ready < world->group_closed)
    g->ready = world->group_closed;
}

static void unlink_group(struct hd_world *world, struct hd_barrier_group *g)
{
  struct hd_barrier_group **at = &world->groups;
  while (*at != g)
    at = &(*at)->next;
  *at = g->next;
  free(g);
}

enum hd_ep_barrier_status hd_ep_barrier_create(struct hd_ep *ep, const int *ranks, int n,
                                               const struct hd_ep_barrier_options *options,
                                               struct hd_ep_barrier **barrier)
{
  static const struct hd_ep_barrier_options zeros = {0};
  struct hd_world *world = ep->world;
  struct hd_barrier_group *wanted = new_group(ep, ranks, n, options ? options : &zeros);
  struct hd_barrier_group *g = world->groups;
  *barrier = NULL;
  if (world->checking) {
    free(wanted);
    if (!world->params.barrier)
      return HD_EP_BARRIER_UNSUPPORTED;
    hd_ep_stop_check(ep);
  }
  while (g && (!same_members(g, wanted) || find_part(g, ep->rank)->joined))
    g = g->next;
  if (g) {
    bool same = g->options.center_rule == wanted->options.center_rule &&
                (g->options.center_rule != HD_EP_CENTER_RANK ||
                 g->options.center == wanted->options.center);
    free(wanted);
    if (!same)
      hd_ep_abort(ep, "barrier with another center than the one that other members have chosen");
  } else {
    g = wanted;
    open_group(ep, g);
  }
  struct hd_ep_barrier *part = find_part(g, ep->rank);
  enum hd_ep_barrier_status status = (enum hd_ep_barrier_status)g->status;
  part->joined = true;
  g->n_joined++;
  if (status != HD_EP_BARRIER_PASSED) {
    if (g->n_joined == g->n)
      unlink_group(world, g);
    return status;
  }
  *barrier = part;
  hd_ep_wait_until(ep, g->ready);
  return HD_EP_BARRIER_PASSED;
}

int hd_ep_barrier_center(const struct hd_ep_barrier *barrier)
{
  return (int)barrier->group->center;
}

void hd_ep_barrier_destroy(struct hd_ep *ep, struct hd_ep_barrier *b)
{
  struct hd_world *world = ep->world;
  struct hd_barrier_group *g = b->group;
  if (b->state == HD_PART_ARRIVED || b->state == HD_PART_RELEASED)
    hd_ep_abort(ep, "barrier group %u is left with a round under way; wait for it first",
                g->number);
  b->left = true;
  if (++g->n_left < g->n)
    return;
  if (!g->broken) {
    uint64_t done;
    const struct hd_world_params *p = &world->params;
    int status = p->barrier_close(p->context, g->number, &done);
    if (status)
      hd_ep_fail(ep, status, "the network refused to end barrier group %u: %s", g->number,
                 hd_status_text(status));
    world->group_numbers &= ~(UINT32_C(1) << g->number);
    if (done > world->group_closed)
      world->group_closed = done;
  }
  unlink_group(world, g);
}

void hd_world_barriers_free(struct hd_world *world)
{
  for (struct hd_barrier_group *g = world->groups, *next; g; g = next) {
    next = g->next;
    free(g);
  }
}

/* ── rounds ───────────────────────────────────────────────────────────────── */

static void check_part(struct hd_ep *ep, const struct hd_ep_barrier *b)
{
  if (rank_of(b) != ep->rank || b->left)
    hd_ep_abort(
        ep,
        "barrier group %u was used with a handle of another node, or after this node had left it",
        b->group->number);
}

static enum hd_ep_barrier_status break_part(struct hd_ep_barrier *b, enum hd_ep_barrier_status why)
{
  b->state = HD_PART_BROKEN;
  b->why = (uint8_t)why;
  b->group->broken = true;
  return why;
}

/* Returns the current status of the member's round, and updates its state. */
static enum hd_ep_barrier_status update_status(const struct hd_ep *ep, struct hd_ep_barrier *b)
{
  uint64_t now = ep->world->now;
  switch ((enum hd_barrier_part)b->state) {
  case HD_PART_BROKEN:
    if (b->visible <= now)
      return (enum hd_ep_barrier_status)b->why;
    break;
  case HD_PART_RELEASED:
    if (b->visible > now)
      break;
    b->state = HD_PART_IDLE;
    return HD_EP_BARRIER_PASSED;
  case HD_PART_ARRIVED:
    if (b->deadline <= now)
      return break_part(b, HD_EP_BARRIER_TIMEOUT);
    break;
  case HD_PART_IDLE:
    break;
  }
  return HD_EP_BARRIER_PENDING;
}

bool hd_ep_barrier_reduces(const struct hd_ep *ep)
{
  return ep->world->params.values;
}

bool hd_ep_barrier_result(const struct hd_ep_barrier *b, uint32_t *value)
{
  *value = b->result;
  return b->has_result;
}

static enum hd_ep_barrier_status arrive(struct hd_ep *ep, struct hd_ep_barrier *b,
                                        enum hd_ep_reduction reduction, uint32_t value)
{
  check_part(ep, b);
  if (b->state == HD_PART_BROKEN)
    return (enum hd_ep_barrier_status)b->why;
  if (b->state != HD_PART_IDLE)
    hd_ep_abort(ep, "arrives at barrier group %u twice in one round; wait for it first",
                b->group->number);
  hd_ep_startup(ep);
  const struct hd_world_params *p = &ep->world->params;
  for (uint64_t ready; p->barrier_ready && (ready = p->barrier_ready(p->context)) > ep->world->now;)
    hd_ep_wait_until(ep, ready);
  if (b->group->ended)
    return break_part(b, (enum hd_ep_barrier_status)b->group->ended);
  uint64_t patience = b->group->options.timeout_cycles;
  b->state = HD_PART_ARRIVED;
  b->since = ep->world->now;
  b->deadline = hd_ep_saturating_deadline(ep, patience ? patience : usual_timeout_cycles);
  int status = p->barrier_arrive(p->context, ep->rank, b->group->number, reduction, value);
  if (status)
    hd_ep_fail(ep, status, "the network refused a barrier message: %s", hd_status_text(status));
  return HD_EP_BARRIER_PENDING;
}

enum hd_ep_barrier_status hd_ep_barrier_arrive(struct hd_ep *ep, struct hd_ep_barrier *b)
{
  return arrive(ep, b, HD_EP_REDUCE_NOTHING, 0);
}

enum hd_ep_barrier_status hd_ep_barrier_arrive_with(struct hd_ep *ep, struct hd_ep_barrier *b,
                                                    enum hd_ep_reduction reduction, uint32_t value)
{
  check_part(ep, b);
  if (!hd_ep_barrier_reduces(ep))
    hd_ep_abort(ep, "a value for barrier group %u, but switches combine none; set switch.values: 1",
                b->group->number);
  /* a fault in the first round makes another one necessary */
  while (!b->passed && b->state != HD_PART_BROKEN) {
    arrive(ep, b, HD_EP_REDUCE_NOTHING, 0);
    const enum hd_ep_barrier_status status = hd_ep_barrier_wait(ep, b);
    if (status != HD_EP_BARRIER_PASSED)
      return status;
  }
  return arrive(ep, b, reduction, value);
}

static void check_arrived(struct hd_ep *ep, const struct hd_ep_barrier *b)
{
  check_part(ep, b);
  if (b->state == HD_PART_IDLE)
    hd_ep_abort(ep, "waits at barrier group %u without having arrived", b->group->number);
}

enum hd_ep_barrier_status hd_ep_barrier_test(struct hd_ep *ep, struct hd_ep_barrier *b)
{
  check_arrived(ep, b);
  enum hd_ep_barrier_status status = update_status(ep, b);
  /* otherwise a loop of tests would never end */
  if (status == HD_EP_BARRIER_PENDING)
    hd_ep_delay(ep, 1);
  return status;
}

enum hd_ep_barrier_status hd_ep_barrier_wait_until(struct hd_ep *ep, struct hd_ep_barrier *b,
                                                   uint64_t cycle)
{
  check_arrived(ep, b);
  for (;;) {
    enum hd_ep_barrier_status status = update_status(ep, b);
    if (status != HD_EP_BARRIER_PENDING || cycle <= ep->world->now)
      return status;
    uint64_t until = b->state == HD_PART_ARRIVED ? b->deadline : b->visible;
    ep->wait_barrier = b;
    hd_ep_sleep_until(ep, until < cycle ? until : cycle, HD_EP_AT_BARRIER);
  }
}

enum hd_ep_barrier_status hd_ep_barrier_wait(struct hd_ep *ep, struct hd_ep_barrier *b)
{
  return hd_ep_barrier_wait_until(ep, b, UINT64_MAX);
}

static struct hd_barrier_group *group_of(const struct hd_world *world, uint32_t number)
{
  struct hd_barrier_group *g = world->groups;
  while (g && (g->status != HD_EP_BARRIER_PASSED || g->number != number))
    g = g->next;
  return g;
}

/* Wakes a member that waits, at b->visible, when it sees its release or failure. */
static void wake_member(struct hd_world *world, const struct hd_ep_barrier *b)
{
  struct hd_ep *ep = &world->eps[rank_of(b)];
  if (ep->state != HD_EP_AT_BARRIER || ep->wait_barrier != b || b->visible >= ep->until)
    return;
  hd_calendar_remove(&world->calendar, ep->until, ep->rank);
  ep->until = b->visible;
  hd_calendar_add(&world->calendar, b->visible, ep->rank);
}

void hd_world_barrier_end(struct hd_world *world, uint32_t number, enum hd_ep_barrier_status why,
                          uint64_t cycle)
{
  struct hd_barrier_group *g = group_of(world, number);
  if (!g)
    return;
  g->ended = (uint8_t)why;
  g->broken = true;
  for (uint32_t i = 0; i < g->n; i++) {
    struct hd_ep_barrier *b = &g->parts[i];
    if (b->state != HD_PART_ARRIVED)
      continue;
    b->visible = cycle + 1;
    break_part(b, why);
    wake_member(world, b);
  }
}

bool hd_world_first_round_over(const struct hd_world *world, uint32_t number)
{
  const struct hd_barrier_group *g = group_of(world, number);
  return !g || g->broken || g->n_passed == g->n;
}

enum hd_world_owed hd_world_owed(const struct hd_world *world, uint32_t number, uint32_t node)
{
  struct hd_barrier_group *g = group_of(world, number);
  const struct hd_ep_barrier *b = g ? find_part(g, node) : NULL;
  if (!b || b->state != HD_PART_ARRIVED)
    return HD_WORLD_OWED_NOTHING;
  return g->n_passed && !b->passed ? HD_WORLD_OWED_RELEASE : HD_WORLD_OWED_ARRIVAL;
}

void hd_world_first_round_restart(struct hd_world *world, uint32_t number)
{
  struct hd_barrier_group *g = group_of(world, number);
  for (uint32_t i = 0; g && i < g->n; i++)
    g->parts[i].passed = false;
  if (g)
    g->n_passed = 0;
}

int hd_world_barrier(struct hd_world *world, uint32_t node, uint32_t number,
                     const struct hd_world_answer *answer, uint64_t cycle, struct hd_error *err)
{
  struct hd_barrier_group *g = group_of(world, number);
  struct hd_ep_barrier *b = g ? find_part(g, node) : NULL;
  if (b && b->state == HD_PART_BROKEN)
    return 0; /* too late */
  if (!b || b->state != HD_PART_ARRIVED)
    return hd_fail(err, HD_E_INPUT,
                   "node %" PRIu32 ", cycle %" PRIu64 ": a barrier message of group %" PRIu32
                   ", at which it %s",
                   node, cycle, number, b ? "has not arrived" : "is no member");
  b->visible = cycle + 1;
  b->has_result = !answer->failed && answer->reduction;
  b->result = answer->result;
  if (answer->failed) {
    break_part(b, HD_EP_BARRIER_FAILED);
  } else {
    b->state = HD_PART_RELEASED;
    g->n_passed += !b->passed;
    b->passed = true;
    if (++g->n_released == g->n) {
      g->n_released = 0;
      world->counters.barriers++;
    }
  }
  wake_member(world, b);
  return 0;
}
