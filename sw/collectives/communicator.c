/* Communicators, and the execution of a node's operations.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Operations take the tags of their communicator in turn. An operation may take a tag only when the
 * earlier one with that tag has ended on this member. So messages of the two are never mixed up.
 */
#include "plan.h"

#include <math.h>
#include <string.h>

enum { TAGS = 4096 };

struct hd_operation {
  struct hd_operation *next; /* next open operation, in the order of starting; or next free one */
  struct hd_comm *comm;
  struct hd_plan plan;
  size_t first, at; /* indices of actions: first one of the round; the receive that is waited for */
  size_t end;       /* end of the round, if `posted` */
  bool posted, done;
  int tag;
};

struct hd_collectives {
  struct hd_ep *ep;
  struct hd_operation *under_way, *free;
};

/* A plan for the network that this node has asked for. */
struct known_steps {
  struct known_steps *next;
  enum hd_collective collective;
  enum hd_algorithm algorithm;
  int root;
  double seconds;
  const struct hd_steps *steps;
};

struct hd_comm {
  struct hd_collectives *collectives;
  int n, me, first_tag;
  double alpha, beta, search_seconds, round_cycles;
  struct known_steps *known;
  struct hd_ep_barrier *barrier; /* for steps of schedules; NULL: none */
  struct hd_ep_barrier *lanes[HD_COMM_LANES];
  int n_lanes;
  struct hd_ep_multicast *multicast; /* NULL: none */
  /** the open operation that uses `barrier` or `lanes`; NULL: none */
  const struct hd_operation *barrier_user;
  uint64_t started; /* number of operations so far */
  /** the open operation with each tag; NULL: none */
  const struct hd_operation *of_tag[HD_COMM_TAGS];
  int ranks[];
};

/* ── communicators ─────────────────────────────────────────────────────────── */

struct hd_collectives *hd_collectives_create(struct hd_ep *ep)
{
  struct hd_collectives *collectives = hd_ep_alloc(ep, sizeof *collectives);
  collectives->ep = ep;
  return collectives;
}

struct hd_comm *hd_comm_create(struct hd_collectives *collectives, const int *ranks, int n,
                               int first_tag)
{
  struct hd_ep *ep = collectives->ep;
  int size = hd_ep_size(ep);
  if (n < 1 || n > size)
    hd_ep_abort(ep, "communicator of %d members; 1 to %d are possible", n, size);
  if (first_tag < 0 || first_tag > TAGS - HD_COMM_TAGS)
    hd_ep_abort(ep, "communicator with tags from %d on; 0 to %d are possible", first_tag,
                TAGS - HD_COMM_TAGS);
  struct hd_comm *comm = hd_ep_alloc(ep, sizeof *comm + (size_t)n * sizeof *comm->ranks);
  bool *taken = hd_ep_alloc(ep, (size_t)size * sizeof *taken);
  comm->collectives = collectives;
  comm->n = n;
  comm->me = -1;
  comm->first_tag = first_tag;
  hd_comm_set_cost(comm, 100, 0.5);
  hd_comm_set_search(comm, 60);
  comm->round_cycles = comm->alpha;
  for (int i = 0; i < n; i++) {
    if (ranks[i] < 0 || ranks[i] >= size)
      hd_ep_abort(ep, "communicator with rank %d; ranks are 0 to %d", ranks[i], size - 1);
    if (taken[ranks[i]])
      hd_ep_abort(ep, "communicator with rank %d twice", ranks[i]);
    taken[ranks[i]] = true;
    comm->ranks[i] = ranks[i];
    if (ranks[i] == hd_ep_rank(ep))
      comm->me = i;
  }
  if (comm->me < 0)
    hd_ep_abort(ep, "communicator without this rank, %d", hd_ep_rank(ep));
  return comm;
}

int hd_comm_size(const struct hd_comm *comm)
{
  return comm->n;
}

int hd_comm_index(const struct hd_comm *comm)
{
  return comm->me;
}

void hd_comm_set_cost(struct hd_comm *comm, double alpha, double beta)
{
  if (!(alpha >= 0 && beta >= 0 && isfinite(alpha) && isfinite(beta)))
    hd_ep_abort(comm->collectives->ep, "alpha %g, beta %g; both are at least 0", alpha, beta);
  comm->alpha = alpha;
  comm->beta = beta;
}

void hd_comm_set_search(struct hd_comm *comm, double seconds)
{
  if (!(seconds >= 0 && isfinite(seconds)))
    hd_ep_abort(comm->collectives->ep, "search for %g seconds; it is at least 0", seconds);
  comm->search_seconds = seconds;
}

void hd_comm_set_barrier(struct hd_comm *comm, struct hd_ep_barrier *barrier)
{
  if (comm->barrier_user)
    hd_ep_abort(comm->collectives->ep, "the barrier is changed while an operation uses it");
  comm->barrier = barrier;
}

void hd_comm_set_lanes(struct hd_comm *comm, struct hd_ep_barrier *const *barriers, int n)
{
  if (comm->barrier_user)
    hd_ep_abort(comm->collectives->ep, "the lanes are changed while an operation uses them");
  if (n < 1 || n > HD_COMM_LANES)
    hd_ep_abort(comm->collectives->ep, "%d lanes; 1 to %d are possible", n, HD_COMM_LANES);
  memcpy(comm->lanes, barriers, (size_t)n * sizeof *barriers);
  comm->n_lanes = n;
}

void hd_comm_set_multicast(struct hd_comm *comm, struct hd_ep_multicast *group)
{
  comm->multicast = group;
}

double hd_comm_alpha(const struct hd_comm *comm)
{
  return comm->alpha;
}

double hd_comm_beta(const struct hd_comm *comm)
{
  return comm->beta;
}

double hd_comm_round_cycles(const struct hd_comm *comm)
{
  return comm->round_cycles;
}

/* ── plans for the network ───────────────────────────────────────────────── */

static const struct hd_steps *
find_steps(struct hd_comm *comm, const struct hd_collective_call *call, enum hd_algorithm algorithm)
{
  const bool rooted = hd_collective_info(call->collective).rooted;
  struct known_steps key = {.collective = call->collective,
                            .algorithm = algorithm,
                            .root = rooted ? call->root : 0,
                            .seconds = call->algorithm ? comm->search_seconds : 0};
  for (const struct known_steps *k = comm->known; k; k = k->next)
    if (k->collective == key.collective && k->algorithm == key.algorithm && k->root == key.root &&
        !(k->seconds < key.seconds) && !(k->seconds > key.seconds))
      return k->steps;
  struct known_steps *new = hd_ep_alloc(comm->collectives->ep, sizeof *new);
  key.steps =
      hd_steps_find(comm->collectives->ep, &(struct hd_steps_request){.collective = key.collective,
                                                                      .algorithm = key.algorithm,
                                                                      .ranks = comm->ranks,
                                                                      .n = comm->n,
                                                                      .root = key.root,
                                                                      .seconds = key.seconds});
  key.next = comm->known;
  *new = key;
  comm->known = new;
  return key.steps;
}

/* Returns the reduction of the switches for an operator. They have none for the other operators. */
static enum hd_ep_reduction reduction_of(const struct hd_operator *op)
{
  return op == &hd_operator_sum_u32   ? HD_EP_REDUCE_SUM
         : op == &hd_operator_min_u32 ? HD_EP_REDUCE_MINIMUM
         : op == &hd_operator_max_u32 ? HD_EP_REDUCE_MAXIMUM
                                      : HD_EP_REDUCE_NOTHING;
}

/* Adds to *shape what the cost of multicast depends on. Returns false if the communicator has no
 * multicast group. */
static bool fill_multicast(const struct hd_comm *comm, struct hd_collective_shape *shape,
                           const char **why)
{
  shape->cast_bytes = comm->multicast ? hd_ep_multicast_bytes(comm->collectives->ep) : 0;
  if (why && !comm->multicast)
    *why = "the communicator has no multicast group in the network";
  return comm->multicast;
}

/* Adds to *shape what the cost of rounds in the network depends on. Returns false if the network
 * cannot carry out the call. */
static bool fill_rounds(const struct hd_comm *comm, const struct hd_collective_call *call,
                        struct hd_collective_shape *shape, const char **why)
{
  const bool reduces = hd_collective_info(call->collective).reduces;
  const char *lacks = NULL;
  if (!comm->n_lanes)
    lacks = "the communicator has no barriers in the network";
  else if (reduces && !hd_ep_barrier_reduces(comm->collectives->ep))
    lacks = "the switches combine no values; set switch.values: 1, and data_bits: 64";
  else if (reduces && call->op && !reduction_of(call->op))
    lacks = "switches combine by sum-u32, min-u32 and max-u32 alone";
  shape->values = (uint32_t)comm->n_lanes;
  shape->round_cycles = comm->round_cycles;
  if (why && lacks)
    *why = lacks;
  return !lacks;
}

bool hd_comm_shape(struct hd_comm *comm, const struct hd_collective_call *call,
                   struct hd_collective_shape *shape, const char **why)
{
  /* alltoallv: members do not know each other's sizes, so AUTO must not depend on them. */
  const bool v = call->collective == HD_COLLECTIVE_ALLTOALLV;
  const enum hd_algorithm algorithm = call->algorithm;
  const bool coded = algorithm == HD_ALGORITHM_NETWORK_CODED, automatic = !algorithm;
  *shape = (struct hd_collective_shape){.members = comm->n,
                                        .bytes = v && automatic ? 1 : call->bytes,
                                        .alpha = comm->alpha,
                                        .beta = comm->beta};
  if (algorithm == HD_ALGORITHM_IN_NETWORK && comm->n > 1)
    return hd_method_needs(call->collective, algorithm) == HD_NEEDS_TREES
               ? fill_multicast(comm, shape, why)
               : fill_rounds(comm, call, shape, why);
  const bool asks = automatic
                        ? comm->n <= HD_COMM_AUTO &&
                              hd_method_possible(call->collective, HD_ALGORITHM_SCHEDULE, comm->n)
                        : coded || algorithm == HD_ALGORITHM_SCHEDULE;
  if (comm->n < 2 || !asks)
    return true;
  /* AUTO never uses a coded plan: it has at least p − 1 steps, and `ring` has no more. */
  const struct hd_steps *steps =
      find_steps(comm, call, coded ? HD_ALGORITHM_NETWORK_CODED : HD_ALGORITHM_SCHEDULE);
  if (coded)
    shape->coded_steps = steps->n_steps;
  else if (!automatic || steps->n_steps == steps->least)
    shape->schedule_steps = steps->n_steps;
  if (why)
    *why = steps->why;
  return automatic || steps->n_steps;
}

/* ── execution ───────────────────────────────────────────────────────────── */

static void arrive_at_lane(const struct hd_operation *o, const struct hd_action *a)
{
  struct hd_ep *ep = o->comm->collectives->ep;
  struct hd_ep_barrier *lane = o->comm->lanes[a->peer];
  uint32_t value;
  if (!a->bytes) {
    hd_ep_barrier_arrive(ep, lane);
    return;
  }
  memcpy(&value, a->from, sizeof value);
  hd_ep_barrier_arrive_with(ep, lane, reduction_of(o->plan.op), value);
}

static void post_round(struct hd_operation *o)
{
  struct hd_ep *ep = o->comm->collectives->ep;
  struct hd_action *actions = o->plan.actions;
  for (o->end = o->first; o->end < o->plan.n && actions[o->end].kind != HD_ACTION_END_ROUND;)
    o->end++;
  for (size_t i = o->first; i < o->end; i++)
    if (actions[i].kind == HD_ACTION_SEND)
      hd_ep_send(ep, o->comm->ranks[actions[i].peer], o->tag, actions[i].from, actions[i].bytes);
    else if (actions[i].kind == HD_ACTION_MULTICAST)
      hd_ep_multicast_send(ep, o->comm->multicast, o->tag, actions[i].from, actions[i].bytes);
  for (size_t i = o->first; i < o->end; i++)
    if (actions[i].kind == HD_ACTION_BARRIER)
      hd_ep_barrier_arrive(ep, o->comm->barrier);
    else if (actions[i].kind == HD_ACTION_ARRIVE)
      arrive_at_lane(o, &actions[i]);
    else if (actions[i].kind == HD_ACTION_RECEIVE)
      actions[i].request = hd_ep_ireceive(ep, o->comm->ranks[actions[i].peer], o->tag,
                                          actions[i].to, actions[i].bytes);
  o->at = o->first;
  o->posted = true;
}

/* Returns true if all members have come to the barrier. */
static bool barrier_passed(const struct hd_operation *o, struct hd_ep_barrier *barrier, bool block)
{
  struct hd_ep *ep = o->comm->collectives->ep;
  const enum hd_ep_barrier_status status =
      block ? hd_ep_barrier_wait(ep, barrier) : hd_ep_barrier_test(ep, barrier);
  if (status != HD_EP_BARRIER_PASSED && status != HD_EP_BARRIER_PENDING)
    hd_ep_abort(ep, "collective: a barrier in the network: %s", hd_ep_barrier_text(status));
  return status == HD_EP_BARRIER_PASSED;
}

/* Returns true if the barrier's round has ended, and stores its result. */
static bool take_result(const struct hd_operation *o, const struct hd_action *a, bool block)
{
  struct hd_ep_barrier *lane = o->comm->lanes[a->peer];
  uint32_t result;
  if (!barrier_passed(o, lane, block))
    return false;
  if (!a->bytes)
    return true;
  if (!hd_ep_barrier_result(lane, &result))
    hd_ep_abort(o->comm->collectives->ep,
                "collective: members named different operators; do all give the same arguments?");
  memcpy(a->to, &result, sizeof result);
  return true;
}

/* Returns true if all messages and barriers of the round have come. */
static bool receive_round(struct hd_operation *o, bool block)
{
  struct hd_ep *ep = o->comm->collectives->ep;
  for (; o->at < o->end; o->at++) {
    const struct hd_action *a = &o->plan.actions[o->at];
    struct hd_ep_status status;
    if (a->kind == HD_ACTION_BARRIER && !barrier_passed(o, o->comm->barrier, block))
      return false;
    if (a->kind == HD_ACTION_ARRIVE && !take_result(o, a, block))
      return false;
    if (a->kind != HD_ACTION_RECEIVE)
      continue;
    if (block)
      hd_ep_wait(ep, a->request, &status);
    else if (!hd_ep_test(ep, a->request, &status))
      return false;
    if (status.bytes != a->bytes)
      hd_ep_abort(ep,
                  "collective: %zu bytes came from node %d; %zu were expected. Do all members pass "
                  "the same arguments?",
                  status.bytes, status.source, a->bytes);
  }
  return true;
}

static void finish_round(struct hd_operation *o)
{
  const struct hd_operator *op = o->plan.op;
  for (size_t i = o->first; i < o->end; i++) {
    const struct hd_action *a = &o->plan.actions[i];
    if (a->kind == HD_ACTION_COPY)
      memcpy(a->to, a->from, a->bytes);
    else if (a->kind == HD_ACTION_COMBINE)
      op->combine(a->to, a->from, a->bytes / op->element_bytes);
  }
  o->first = o->end + 1;
  o->posted = false;
}

/* Carries out the operation as far as is possible without waiting; with `block`, to its end. */
static void advance(struct hd_operation *o, bool block)
{
  while (o->first < o->plan.n) {
    if (!o->posted)
      post_round(o);
    if (!receive_round(o, block))
      return;
    finish_round(o);
  }
  o->done = true;
  if (o->comm->barrier_user == o)
    o->comm->barrier_user = NULL;
  o->comm->of_tag[o->tag - o->comm->first_tag] = NULL;
  struct hd_operation **link = &o->comm->collectives->under_way;
  while (*link != o)
    link = &(*link)->next;
  *link = o->next;
}

void hd_collectives_progress(struct hd_collectives *collectives)
{
  struct hd_operation *o = collectives->under_way;
  while (o) {
    struct hd_operation *next = o->next;
    advance(o, false);
    o = next;
  }
}

static void check_handle(const struct hd_operation *o)
{
  if (!o->comm)
    hd_ep_abort(o->plan.ep, "operation of a collective that was ended before");
}

/* Keeps the memory of an operation that has ended, for the next one. */
static void recycle_operation(struct hd_operation *o)
{
  struct hd_collectives *collectives = o->comm->collectives;
  o->comm = NULL;
  o->next = collectives->free;
  collectives->free = o;
}

bool hd_operation_test(struct hd_operation *operation)
{
  struct hd_operation *o = operation;
  check_handle(o);
  if (!o->done)
    hd_collectives_progress(o->comm->collectives);
  if (!o->done)
    return false;
  recycle_operation(o);
  return true;
}

void hd_operation_wait(struct hd_operation *operation)
{
  struct hd_operation *o = operation;
  check_handle(o);
  struct hd_collectives *collectives = o->comm->collectives;
  while (!o->done)
    if (collectives->under_way == o && !o->next)
      advance(o, true);
    else
      hd_collectives_progress(collectives);
  recycle_operation(o);
}

/* ── starting ──────────────────────────────────────────────────────────────── */

static void check_call(const struct hd_comm *comm, const struct hd_collective_call *call)
{
  struct hd_ep *ep = comm->collectives->ep;
  struct hd_collective_info info = hd_collective_info(call->collective);
  const char *algorithm = hd_algorithm_info(call->algorithm).name;
  if (!info.name || !algorithm)
    hd_ep_abort(ep, "there is no collective %d with algorithm %d", (int)call->collective,
                (int)call->algorithm);
  if (call->algorithm != HD_ALGORITHM_AUTO &&
      !hd_method_possible(call->collective, call->algorithm, comm->n))
    hd_ep_abort(ep, "%s cannot be done by algorithm %s with %d members", info.name, algorithm,
                comm->n);
  if (info.rooted && (call->root < 0 || call->root >= comm->n))
    hd_ep_abort(ep, "%s with root %d; members are 0 to %d", info.name, call->root, comm->n - 1);
  if (info.reduces && !call->op)
    hd_ep_abort(ep, "%s without an operator", info.name);
  if (info.reduces && call->bytes % call->op->element_bytes)
    hd_ep_abort(ep, "%s of %zu bytes; operator %s has elements of %zu", info.name, call->bytes,
                call->op->name, call->op->element_bytes);
  if (call->collective == HD_COLLECTIVE_ALLTOALLV &&
      (!call->send_bytes || !call->receive_bytes ||
       call->send_bytes[comm->me] != call->receive_bytes[comm->me]))
    hd_ep_abort(
        ep,
        "alltoallv in which this member sends itself another length than it receives from itself");
}

static struct hd_operation *new_operation(struct hd_comm *comm)
{
  struct hd_collectives *collectives = comm->collectives;
  struct hd_operation *o = collectives->free;
  int tag = (int)(comm->started % HD_COMM_TAGS);
  if (comm->of_tag[tag])
    hd_ep_abort(collectives->ep,
                "more than %d collectives of a communicator under way; wait for some",
                HD_COMM_TAGS);
  if (o)
    collectives->free = o->next;
  else
    o = hd_ep_alloc(collectives->ep, sizeof *o);
  struct hd_plan plan = o->plan;
  *o = (struct hd_operation){.comm = comm, .plan = plan, .tag = comm->first_tag + tag};
  o->plan.ep = collectives->ep;
  hd_plan_clear(&o->plan);
  comm->of_tag[tag] = o;
  comm->started++;
  return o;
}

static enum hd_algorithm choose_algorithm(struct hd_comm *comm,
                                          const struct hd_collective_call *call)
{
  struct hd_collective_shape shape;
  const char *why = "";
  if (!hd_comm_shape(comm, call, &shape, &why))
    hd_ep_abort(comm->collectives->ep, "%s by algorithm %s: %s",
                hd_collective_info(call->collective).name, hd_algorithm_info(call->algorithm).name,
                why);
  return call->algorithm ? call->algorithm : hd_method_choose(call->collective, &shape);
}

static void build_plan(struct hd_comm *comm, const struct hd_collective_call *call,
                       struct hd_operation *o)
{
  const enum hd_algorithm algorithm = choose_algorithm(comm, call);
  struct hd_team team = {.n = comm->n, .me = comm->me, .p = comm->n};
  if (comm->n > 1 &&
      (algorithm == HD_ALGORITHM_SCHEDULE || algorithm == HD_ALGORITHM_NETWORK_CODED))
    team.steps = find_steps(comm, call, algorithm);
  team.lanes = comm->n_lanes;
  team.step_barrier = algorithm == HD_ALGORITHM_SCHEDULE && comm->barrier;
  const bool alone =
      team.step_barrier || hd_method_needs(call->collective, algorithm) == HD_NEEDS_BARRIERS;
  if (alone && comm->barrier_user)
    hd_ep_abort(comm->collectives->ep,
                "two operations under way that use barriers in the network; wait for one");
  if (alone)
    comm->barrier_user = o;
  hd_method_builder(call->collective, algorithm)(&o->plan, &team, call);
}

struct hd_operation *hd_comm_start(struct hd_comm *comm, const struct hd_collective_call *call)
{
  check_call(comm, call);
  struct hd_collectives *collectives = comm->collectives;
  struct hd_operation *o = new_operation(comm), **link = &collectives->under_way;
  bool v = call->collective == HD_COLLECTIVE_ALLTOALLV;
  o->plan.op = call->op;
  if (v || call->bytes || call->collective == HD_COLLECTIVE_BARRIER)
    build_plan(comm, call, o);
  while (*link)
    link = &(*link)->next;
  *link = o;
  advance(o, false);
  return o;
}

/* ── α and β ───────────────────────────────────────────────────────────────── */

/* Returns half the round trip of messages of `bytes` bytes between member 0 and the last one. */
static double measure_one_way(struct hd_comm *comm, unsigned char *block, size_t bytes)
{
  struct hd_ep *ep = comm->collectives->ep;
  int other = comm->ranks[comm->me ? 0 : comm->n - 1];
  uint64_t start = hd_ep_time(ep);
  if (comm->me)
    hd_ep_receive(ep, other, comm->first_tag, block, bytes, NULL);
  hd_ep_send(ep, other, comm->first_tag, block, bytes);
  if (!comm->me)
    hd_ep_receive(ep, other, comm->first_tag, block, bytes, NULL);
  return (double)(hd_ep_time(ep) - start) / 2;
}

/* The first exchange is not measured. It only makes both members ready for the second one. */
void hd_comm_measure(struct hd_comm *comm, size_t bytes)
{
  struct hd_ep *ep = comm->collectives->ep;
  double cost[2] = {comm->alpha, comm->beta};
  if (!bytes || bytes > HD_PLAN_MESSAGE_BYTES)
    hd_ep_abort(ep, "measuring with %zu bytes; 1 to %d are possible", bytes, HD_PLAN_MESSAGE_BYTES);
  if (comm->n == 1)
    return;
  if (!comm->me || comm->me == comm->n - 1) {
    unsigned char *block = hd_ep_alloc(ep, bytes);
    measure_one_way(comm, block, 0);
    cost[0] = measure_one_way(comm, block, 0);
    cost[1] = (measure_one_way(comm, block, bytes) - cost[0]) / (double)bytes;
  }
  const struct hd_collective_call tell = {.collective = HD_COLLECTIVE_BROADCAST,
                                          .algorithm = HD_ALGORITHM_BINOMIAL,
                                          .receive = cost,
                                          .bytes = sizeof cost};
  hd_operation_wait(hd_comm_start(comm, &tell));
  hd_comm_set_cost(comm, cost[0], cost[1] > 0 ? cost[1] : 0);
}

/* The first round builds the trees, the second one makes members begin together, and the third one
 * is measured, on all barriers at once. */
void hd_comm_measure_round(struct hd_comm *comm)
{
  struct hd_ep *ep = comm->collectives->ep;
  uint64_t start = 0;
  for (int round = 0; round < 3; round++) {
    start = hd_ep_time(ep);
    for (int i = 0; i < comm->n_lanes; i++)
      hd_ep_barrier_arrive(ep, comm->lanes[i]);
    for (int i = 0; i < comm->n_lanes; i++)
      if (hd_ep_barrier_wait(ep, comm->lanes[i]) != HD_EP_BARRIER_PASSED)
        hd_ep_abort(ep, "a barrier in the network did not come to its end");
  }
  comm->round_cycles = (double)(hd_ep_time(ep) - start);
}
