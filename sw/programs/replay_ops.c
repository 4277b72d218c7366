/* Replays a trace of a program: operations wait for each other as in the program.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each operation begins when the operations that it waits for have ended, in simulated time. A node
 * computes, sends, or takes part in a collective, one at a time; receives wait beside these.
 * Operations that have been read are in slots. When the last requirement of an operation is met,
 * its slot goes to a queue, and the operations of the queue are carried out in order. More
 * operations are read only when the queue is empty. So if each operation of a trace waits for the
 * one before it, one slot is enough.
 */
#include "replay_ops.h"

#include "common.h"
#include "ops.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  PIECE = 1 << 20,     /* longest message of the endpoint API, in bytes */
  MESSAGE_TAGS = 2048, /* the tags from here on are for collectives */
  GROUP_TAGS = 32,     /* ranges of HD_COMM_TAGS tags */
  WAITING = 4096,      /* most operations that wait in a trace that is read in parts */
  RANKS_SHOWN = 8,
};
#define NONE UINT32_MAX

/* State that all ranks share. The first rank that needs it reads the file. */
struct shared {
  struct hd_ops ops;
  /** the rank that called last; any rank will do, since memory belongs to the run */
  struct hd_ep *ep;
  bool is_open;
  double cycle_ns, scale;
  enum hd_algorithm algorithm;
  unsigned char *bytes; /* [PIECE] content of all messages */
  /* Times of the ranks. The rank that ends last reports them. */
  uint32_t n_ended;
  uint64_t *finish, *compute, *wait, *collectives, *waited_for;
  uint64_t *in_call; /* [call][rank] */
};

struct slot {
  struct hd_op op;
  uint64_t number; /* number of the operation; shows whether the slot was used again */
  bool has_begun;
  uint32_t missing; /* requirements */
  uint32_t first_edge;
  uint32_t next_free;
};

/* `to` waits until an operation has ended, or, with `begun`, until it has begun. */
struct edge {
  uint32_t to, next;
  bool begun;
};

struct label {
  uint32_t slot;
  uint64_t number;
};

struct node {
  struct hd_ep *ep;
  struct shared *shared;
  struct hd_ops_reader reader;
  uint32_t rank;
  bool has_after;
  struct slot *slots;
  size_t n_slots, cap_slots;
  uint32_t free_slot;
  struct edge *edges;
  size_t n_edges, cap_edges;
  uint32_t free_edge;
  struct label *labels; /* [labels of the rank] by label */
  uint32_t *queue;      /* ring of slots that may begin */
  size_t queue_begin, n_queued, cap_queue;
  uint32_t *open; /* slots of the open receives, in the order in which they began */
  hd_ep_request *requests;
  size_t n_open, cap_open, cap_requests;
  uint32_t n_waiting;
  struct label last; /* the operation that was read last */
  bool last_is_nonblocking;
  double carry; /* fraction of a cycle of computing that has not passed yet */
  struct hd_collectives *collectives;
  struct hd_comm **comms; /* [HD_OPS_GROUPS] created when they are first used */
  unsigned char *send_buffer, *receive_buffer;
  size_t buffer_bytes;
};

static void *allocate(void *context, size_t bytes)
{
  const struct shared *shared = context;
  return hd_ep_alloc(shared->ep, bytes ? bytes : 1);
}

static void *make_room(struct hd_ep *ep, void *items, size_t *capacity, size_t n, size_t size)
{
  if (n < *capacity)
    return items;
  *capacity = *capacity ? 2 * *capacity : 16;
  void *larger = hd_ep_alloc(ep, *capacity * size);
  if (n)
    memcpy(larger, items, n * size);
  return larger;
}

/* ── the trace ────────────────────────────────────────────────────────────── */

static enum hd_algorithm algorithm_of(struct hd_ep *ep)
{
  const char *name = hd_ep_text(ep, "algorithm", "auto");
  for (unsigned a = 0; hd_algorithm_info(a).name; a++)
    if (!strcmp(name, hd_algorithm_info(a).name))
      return (enum hd_algorithm)a;
  hd_ep_reject(ep, "algorithm", "'%s'; heddle collectives lists the algorithms", name);
}

static struct shared *open_trace(struct hd_ep *ep, const char *path, const char *text,
                                 size_t length)
{
  struct shared *shared = hd_ep_shared(ep, "replay ops", sizeof *shared);
  struct hd_ops *ops = &shared->ops;
  const size_t nodes = (size_t)hd_ep_size(ep);
  struct hd_csv_error error;
  shared->ep = ep;
  if (shared->is_open)
    return shared;
  shared->cycle_ns = hd_program_number(ep, "cycle_ns", 1, 1e-6, 1e9);
  shared->scale = hd_program_number(ep, "scale", 1, 1e-6, 1000);
  shared->algorithm = algorithm_of(ep);
  ops->path = path;
  ops->text = text;
  ops->length = length;
  ops->allocate = allocate;
  ops->context = shared;
  ops->most_ranks = (uint32_t)nodes;
  if (hd_ops_open(ops, &error))
    hd_ep_reject(ep, "file", "%s:%" PRIu32 ": %s", path, error.line, error.text);
  shared->bytes = hd_ep_alloc(ep, PIECE);
  hd_program_fill(shared->bytes, PIECE, 0, 0, 0);
  uint64_t **const times[] = {&shared->finish, &shared->compute, &shared->wait,
                              &shared->collectives, &shared->waited_for};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    *times[i] = hd_ep_alloc(ep, nodes * sizeof **times[i]);
  shared->in_call = hd_ep_alloc(ep, ops->n_calls * nodes * sizeof *shared->in_call);
  shared->is_open = true;
  return shared;
}

/* ── slots and their requirements ─────────────────────────────────────────── */

static uint32_t new_slot(struct node *n)
{
  uint32_t slot = n->free_slot;
  if (slot != NONE) {
    n->free_slot = n->slots[slot].next_free;
    return slot;
  }
  n->slots = make_room(n->ep, n->slots, &n->cap_slots, n->n_slots, sizeof *n->slots);
  return (uint32_t)n->n_slots++;
}

static void enqueue(struct node *n, uint32_t slot)
{
  if (n->n_queued == n->cap_queue) {
    size_t capacity = n->cap_queue;
    uint32_t *queue = hd_ep_alloc(n->ep, (capacity ? 2 * capacity : 16) * sizeof *queue);
    for (size_t i = 0; i < n->n_queued; i++)
      queue[i] = n->queue[(n->queue_begin + i) % capacity];
    n->queue = queue;
    n->queue_begin = 0;
    n->cap_queue = capacity ? 2 * capacity : 16;
  }
  n->queue[(n->queue_begin + n->n_queued++) % n->cap_queue] = slot;
}

/* Returns true if an operation has not ended. Its slot is then still in use. */
static bool has_not_ended(const struct node *n, const struct label *label)
{
  return label->number && n->slots[label->slot].number == label->number;
}

static void add_dependency(struct node *n, uint32_t slot, const struct label *on, bool begun)
{
  uint32_t e = n->free_edge;
  struct slot *from = &n->slots[on->slot];
  if (!has_not_ended(n, on) || (begun && from->has_begun))
    return;
  if (e != NONE) {
    n->free_edge = n->edges[e].next;
  } else {
    n->edges = make_room(n->ep, n->edges, &n->cap_edges, n->n_edges, sizeof *n->edges);
    e = (uint32_t)n->n_edges++;
  }
  n->edges[e] = (struct edge){slot, from->first_edge, begun};
  from->first_edge = e;
  n->slots[slot].missing++;
}

/* Releases the operations that wait for this one to begin, or, with `ended`, all that wait for
 * it. */
static void release_waiting(struct node *n, uint32_t slot, bool ended)
{
  uint32_t kept = NONE, next, order = NONE;
  /* reverses the list, in which the newest edge is first */
  for (uint32_t e = n->slots[slot].first_edge; e != NONE; e = next) {
    next = n->edges[e].next;
    n->edges[e].next = order;
    order = e;
  }
  for (uint32_t e = order; e != NONE; e = next) {
    next = n->edges[e].next;
    if (!ended && !n->edges[e].begun) {
      n->edges[e].next = kept;
      kept = e;
      continue;
    }
    if (!--n->slots[n->edges[e].to].missing) {
      enqueue(n, n->edges[e].to);
      n->n_waiting--;
    }
    n->edges[e].next = n->free_edge;
    n->free_edge = e;
  }
  n->slots[slot].first_edge = kept;
}

static void end_operation(struct node *n, uint32_t slot)
{
  release_waiting(n, slot, true);
  n->slots[slot].number = 0;
  n->slots[slot].next_free = n->free_slot;
  n->free_slot = slot;
}

/* Reads the next operation of the rank. Returns false if there is none. */
static bool read_next(struct node *n)
{
  struct hd_op op;
  struct hd_csv_error error;
  int more = hd_ops_next(&n->reader, &op, &error);
  if (more < 0)
    hd_ep_abort(n->ep, "%s:%" PRIu32 ": %s", n->shared->ops.path, error.line, error.text);
  if (!more)
    return false;
  if (n->shared->scale != 1 && op.kind != HD_OP_COMPUTE)
    op.amount = (uint64_t)ceil((double)op.amount * n->shared->scale);
  const uint32_t slot = new_slot(n);
  n->slots[slot] =
      (struct slot){.op = op, .number = n->reader.n - n->reader.left, .first_edge = NONE};
  if (!op.has_after)
    add_dependency(n, slot, &n->last, n->last_is_nonblocking);
  for (uint32_t i = 0; i < op.n_after; i++)
    add_dependency(n, slot, &n->labels[op.after[i]], false);
  for (uint32_t i = 0; i < op.n_begun; i++)
    add_dependency(n, slot, &n->labels[op.begun[i]], true);
  n->last = (struct label){slot, n->slots[slot].number};
  n->last_is_nonblocking = op.is_nonblocking;
  if (op.label != HD_OPS_NO_LABEL)
    n->labels[op.label] = n->last;
  if (n->slots[slot].missing)
    n->n_waiting++;
  else
    enqueue(n, slot);
  return true;
}

/* ── operations ───────────────────────────────────────────────────────────── */

static int tag_of(const struct hd_op *op)
{
  return (int)(op->tag % MESSAGE_TAGS);
}

static void send(struct node *n, const struct hd_op *op)
{
  uint64_t left = op->amount;
  do {
    size_t piece = left < PIECE ? (size_t)left : PIECE;
    hd_ep_send(n->ep, (int)op->peer, tag_of(op), n->shared->bytes, piece);
    left -= piece;
  } while (left);
}

/* Posts a receive for the next piece of a message. It has no buffer, because the content does not
 * matter. */
static void post_receive(struct node *n, uint32_t slot)
{
  const struct hd_op *op = &n->slots[slot].op;
  n->open = make_room(n->ep, n->open, &n->cap_open, n->n_open, sizeof *n->open);
  n->requests = make_room(n->ep, n->requests, &n->cap_requests, n->n_open, sizeof *n->requests);
  hd_ep_request request = hd_ep_ireceive(n->ep, (int)op->peer, tag_of(op), NULL, 0);
  n->open[n->n_open] = slot;
  n->requests[n->n_open++] = request;
}

static void delay_for_computation(struct node *n, const struct hd_op *op)
{
  double cycles = (double)op->amount / n->shared->cycle_ns + n->carry;
  uint64_t whole = cycles < 9e15 ? (uint64_t)cycles : UINT64_C(9000000000000000);
  n->carry = cycles - (double)whole;
  hd_ep_delay(n->ep, whole);
  n->shared->compute[n->rank] += whole;
}

static struct hd_comm *comm_of(struct node *n, uint32_t number)
{
  const struct hd_ops_group *group = n->shared->ops.groups[number];
  if (!n->collectives) {
    n->collectives = hd_collectives_create(n->ep);
    n->comms = hd_ep_alloc(n->ep, HD_OPS_GROUPS * sizeof(struct hd_comm *));
  }
  /* Members of two groups use these groups in the same order, so the groups may share tags. */
  if (!n->comms[number])
    n->comms[number] = hd_comm_create(n->collectives, group->ranks, (int)group->n,
                                      MESSAGE_TAGS + (int)(number % GROUP_TAGS) * HD_COMM_TAGS);
  return n->comms[number];
}

static void need_buffers(struct node *n, size_t bytes)
{
  size_t capacity = n->buffer_bytes ? n->buffer_bytes : 4096;
  while (capacity < bytes)
    capacity *= 2;
  if (capacity == n->buffer_bytes)
    return;
  n->send_buffer = hd_ep_alloc(n->ep, capacity);
  n->receive_buffer = hd_ep_alloc(n->ep, capacity);
  n->buffer_bytes = capacity;
}

/* Carries out a collective. One with large blocks is done in several, so that no message is too
 * long. */
static void run_collective(struct node *n, const struct hd_op *op)
{
  struct hd_comm *comm = comm_of(n, op->group);
  const size_t members = (size_t)hd_comm_size(comm), most = PIECE / members;
  const struct hd_ops_group *group = n->shared->ops.groups[op->group];
  uint64_t left = op->amount;
  int root = 0;
  for (uint32_t i = 0; i < group->n; i++)
    root = group->ranks[i] == (int)op->peer ? (int)i : root;
  do {
    size_t piece = left < most ? (size_t)left : most;
    need_buffers(n, piece * members);
    struct hd_collective_call call = {.collective = op->collective,
                                      .algorithm = n->shared->algorithm,
                                      .root = root,
                                      .send = n->send_buffer,
                                      .receive = n->receive_buffer,
                                      .bytes = piece,
                                      .op = &hd_operator_sum_u8};
    struct hd_collective_shape shape;
    if (!hd_method_possible(call.collective, call.algorithm, (int)members) ||
        !hd_comm_shape(comm, &call, &shape, NULL))
      call.algorithm = HD_ALGORITHM_AUTO;
    hd_operation_wait(hd_comm_start(comm, &call));
    left -= piece;
  } while (left);
}

static void begin_operation(struct node *n, uint32_t slot)
{
  const struct hd_op op = n->slots[slot].op;
  const uint64_t now = hd_ep_time(n->ep);
  n->slots[slot].has_begun = true;
  switch ((enum hd_op_kind)op.kind) {
  case HD_OP_RECEIVE:
    post_receive(n, slot);
    release_waiting(n, slot, false);
    return;
  case HD_OP_SEND:
    send(n, &op);
    break;
  case HD_OP_COMPUTE:
    release_waiting(n, slot, false);
    delay_for_computation(n, &op);
    break;
  case HD_OP_COLLECTIVE:
    run_collective(n, &op);
    n->shared->collectives[n->rank] += hd_ep_time(n->ep) - now;
    n->shared->in_call[op.call * (size_t)hd_ep_size(n->ep) + n->rank] += hd_ep_time(n->ep) - now;
    break;
  case HD_OP_WAIT:
    break;
  }
  end_operation(n, slot);
}

/* ── waiting ──────────────────────────────────────────────────────────────── */

/* Ends the open receive with index `i`, or posts its next piece. */
static void end_piece(struct node *n, size_t i, const struct hd_ep_status *status)
{
  const uint32_t slot = n->open[i];
  struct slot *s = &n->slots[slot];
  /** amount: bytes that have not come yet */
  const uint64_t piece = s->op.amount < PIECE ? s->op.amount : PIECE;
  if (status->bytes != piece)
    hd_ep_abort(n->ep,
                "%s:%" PRIu32 ": a message of %zu bytes from rank %" PRIu32
                "; the trace says %" PRIu64,
                n->shared->ops.path, s->op.line, status->bytes, s->op.peer, piece);
  n->n_open--;
  memmove(n->open + i, n->open + i + 1, (n->n_open - i) * sizeof *n->open);
  memmove(n->requests + i, n->requests + i + 1, (n->n_open - i) * sizeof *n->requests);
  s->op.amount -= piece;
  if (s->op.amount)
    post_receive(n, slot);
  else
    end_operation(n, slot);
}

/* Returns the MPI call in which the rank waits: that of a `wait` operation, or else that of the
 * receive that ended the waiting. */
static uint16_t waiting_call(const struct node *n, uint32_t ended)
{
  const struct slot *first = NULL;
  for (size_t i = 0; n->n_waiting && i < n->n_slots; i++) {
    const struct slot *s = &n->slots[i];
    if (s->number && s->missing && (!first || s->number < first->number))
      first = s;
  }
  return first && first->op.kind == HD_OP_WAIT ? first->op.call : n->slots[ended].op.call;
}

static void handle_arrivals(struct node *n, bool wait)
{
  struct hd_ep_status status;
  const uint64_t since = hd_ep_time(n->ep);
  for (size_t i; (i = hd_ep_wait_any(n->ep, n->requests, n->n_open, wait, &status)) < n->n_open;
       wait = false) {
    const uint64_t waited = hd_ep_time(n->ep) - since;
    if (wait) {
      const uint16_t call = waiting_call(n, n->open[i]);
      n->shared->wait[n->rank] += waited;
      n->shared->waited_for[n->slots[n->open[i]].op.peer] += waited;
      n->shared->in_call[call * (size_t)hd_ep_size(n->ep) + n->rank] += waited;
    }
    end_piece(n, i, &status);
  }
}

static void run_operations(struct node *n)
{
  const uint32_t waiting = n->shared->ops.goal ? UINT32_MAX : n->has_after ? WAITING : 1;
  bool more = true;
  for (;;) {
    if (n->n_queued) {
      const uint32_t slot = n->queue[n->queue_begin];
      n->queue_begin = (n->queue_begin + 1) % n->cap_queue;
      n->n_queued--;
      begin_operation(n, slot);
      if (n->n_waiting && n->n_open)
        handle_arrivals(n, false);
    } else if (!more || n->n_waiting >= waiting || !(more = read_next(n))) {
      if (!n->n_open)
        break;
      handle_arrivals(n, true);
    }
  }
}

/* ── the report ───────────────────────────────────────────────────────────── */

static void report_ranks(struct hd_ep *ep, const char *name, const uint64_t *values, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    hd_ep_statistic(ep, name, values[i]);
}

static void report_waited_for(struct hd_ep *ep, struct shared *shared)
{
  for (int shown = 0; shown < RANKS_SHOWN; shown++) {
    uint32_t most = 0;
    char name[40];
    for (uint32_t i = 1; i < shared->ops.n_ranks; i++)
      most = shared->waited_for[i] > shared->waited_for[most] ? i : most;
    if (!shared->waited_for[most])
      return;
    snprintf(name, sizeof name, "waited for rank %" PRIu32, most);
    hd_ep_statistic(ep, name, shared->waited_for[most]);
    shared->waited_for[most] = 0;
  }
}

static void report(struct hd_ep *ep, struct shared *shared)
{
  const uint32_t ranks = shared->ops.n_ranks;
  const size_t nodes = (size_t)hd_ep_size(ep);
  report_ranks(ep, "finish of ranks", shared->finish, ranks);
  report_ranks(ep, "computing of ranks", shared->compute, ranks);
  report_ranks(ep, "waiting of ranks", shared->wait, ranks);
  report_ranks(ep, "collective of ranks", shared->collectives, ranks);
  for (uint32_t c = 1; c < shared->ops.n_calls; c++) {
    char name[100];
    bool any = false;
    for (uint32_t i = 0; i < ranks; i++)
      any |= shared->in_call[c * nodes + i] != 0;
    snprintf(name, sizeof name, "in %s", shared->ops.calls[c]);
    if (any)
      report_ranks(ep, name, shared->in_call + c * nodes, ranks);
  }
  report_waited_for(ep, shared);
}

void hd_replay_ops(struct hd_ep *ep, const char *path, const char *text, size_t length)
{
  struct shared *shared = open_trace(ep, path, text, length);
  struct node n = {.ep = ep,
                   .shared = shared,
                   .rank = (uint32_t)hd_ep_rank(ep),
                   .free_slot = NONE,
                   .free_edge = NONE};
  if (n.rank >= shared->ops.n_ranks)
    return;
  hd_ops_reader_init(&n.reader, &shared->ops, n.rank);
  n.has_after = shared->ops.ranks[n.rank].has_after;
  n.labels = hd_ep_alloc(ep, shared->ops.ranks[n.rank].labels * sizeof *n.labels + 1);
  run_operations(&n);
  if (n.n_waiting)
    hd_ep_abort(ep, "%s: %" PRIu32 " operations of rank %" PRIu32 " can never begin", path,
                n.n_waiting, n.rank);
  shared->finish[n.rank] = hd_ep_time(ep);
  if (++shared->n_ended == shared->ops.n_ranks)
    report(ep, shared);
}
