/* Program collective: groups of nodes carry out collectives, and check every byte.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The content of a block depends only on its source, its destination and the number of the
 * operation. So the right result does not depend on the algorithm. The time of a repetition is
 * measured from the last member's beginning, start-up included, to the last member's end. With
 * `gap`, all members begin in the same cycle. The report has the prediction of the α–β model and
 * the model's lower bound beside it.
 *
 * Nodes share memory in which they note when a repetition begins and ends. Messages for that would
 * be measured, too.
 */
#include "common.h"
#include "programs.h"

#include "../collectives/collectives.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
  BYTES_MAX = 1 << 20,
  REPEAT_MAX = 1 << 16,
  GROUPS_MAX = 4096 / HD_COMM_TAGS,
  LEAST_PROBE = 1024, /* least number of bytes with which β is measured */
  SEARCH_SECONDS = 60,
  SEARCH_SECONDS_MAX = 1000000,
};

struct task {
  enum hd_collective collective;
  enum hd_algorithm algorithm;
  struct hd_collective_info info;
  const struct hd_operator *op; /* NULL: none is needed */
  int members, groups, root;    /* root −1: a different member in each repetition */
  /** sides of the box of members; n_sides 0: the members are any nodes */
  uint32_t n_sides, sides[8];
  size_t bytes;
  uint64_t under_way, repeat, gap;
  bool measure;
  double alpha, beta; /* used if they are not measured */
  double search;      /* algorithm schedule: seconds of the search */
  bool step_barrier;  /* algorithm schedule: there is a barrier before each step */
  /** number of values that barriers in the network reduce at once; 0: the algorithm does not use
   *  them */
  int lanes;
  bool needs_multicast; /* the algorithm needs multicast in the network */
};

/* A repetition of a group. */
struct repetition {
  uint64_t last_begin;
  int begun, ended;
};

/* A group, which all nodes share. The first node that needs it makes it. */
struct group {
  bool initialised;
  size_t most; /* alltoallv: largest number of bytes that a member sends or receives */
  struct repetition *repetitions; /* [repeat] */
  unsigned char *expected;        /* result of a reduction to all members, or NULL */
  uint64_t expected_number;       /* 1 + number of the operation that it belongs to; 0: none */
  int ranks[];                    /* [all nodes] the members first */
};

/* Progress of the run: number of memberships that have finished joining or a repetition; the cycle
 * in which the next repetition begins. */
struct progress {
  uint64_t n_finished, next_begin;
};

/* The buffers of an operation. */
struct buffers {
  unsigned char *send, *receive;
  size_t *send_bytes, *receive_bytes; /* alltoallv */
  size_t send_room, receive_room;
  struct hd_operation *operation;
};

/* This node's membership of a group. */
struct part {
  struct group *group;
  struct hd_comm *comm;
  struct hd_ep_barrier *barrier; /* NULL: none is needed */
  struct hd_ep_barrier *lanes[HD_COMM_LANES];
  struct hd_ep_multicast *multicast; /* likewise */
  unsigned char *block;              /* [bytes] memory for checks */
  struct buffers *buffers;           /* [under_way] */
};

/* ── parameters ────────────────────────────────────────────────────────────── */

/* Rejects a parameter that this collective does not use. */
static void reject_unused(struct hd_ep *ep, const struct task *t, const char *key,
                          const char *needs)
{
  if (hd_program_is_given(ep, key))
    hd_ep_reject(ep, key, "not with collective %s; it has no %s", t->info.name, needs);
}

static void read_collective(struct hd_ep *ep, struct task *t)
{
  const char *name = hd_ep_text(ep, "collective", "allreduce");
  char legal[256] = "";
  for (unsigned i = 0; (t->info = hd_collective_info(i)).name; i++) {
    t->collective = (enum hd_collective)i;
    if (!strcmp(t->info.name, name))
      return;
    snprintf(legal + strlen(legal), sizeof legal - strlen(legal), "%s%s", i ? ", " : "",
             t->info.name);
  }
  hd_ep_reject(ep, "collective", "%s; legal: %s", name, legal);
}

static void read_algorithm(struct hd_ep *ep, struct task *t)
{
  const char *name = hd_ep_text(ep, "algorithm", "auto");
  char legal[256] = "auto";
  for (unsigned i = 0; hd_algorithm_info(i).name; i++) {
    bool possible = !i || hd_method_possible(t->collective, (enum hd_algorithm)i, t->members);
    t->algorithm = (enum hd_algorithm)i;
    if (possible && !strcmp(hd_algorithm_info(i).name, name))
      return;
    if (possible && i)
      snprintf(legal + strlen(legal), sizeof legal - strlen(legal), ", %s",
               hd_algorithm_info(i).name);
  }
  hd_ep_reject(ep, "algorithm", "%s; legal for %s with %d members: %s", name, t->info.name,
               t->members, legal);
}

static void read_operator(struct hd_ep *ep, struct task *t)
{
  char legal[256] = "";
  if (!t->info.reduces) {
    reject_unused(ep, t, "operator", "operator");
    return;
  }
  const char *name = hd_ep_text(ep, "operator", "sum-u8");
  for (unsigned i = 0; (t->op = hd_operator_at(i)); i++) {
    if (!strcmp(t->op->name, name))
      break;
    snprintf(legal + strlen(legal), sizeof legal - strlen(legal), "%s%s", i ? ", " : "",
             t->op->name);
  }
  if (!t->op)
    hd_ep_reject(ep, "operator", "%s; legal: %s", name, legal);
  if (t->bytes % t->op->element_bytes)
    hd_ep_reject(ep, "bytes", "%zu; operator %s has elements of %zu bytes", t->bytes, t->op->name,
                 t->op->element_bytes);
}

static void read_root(struct hd_ep *ep, struct task *t)
{
  if (!t->info.rooted) {
    reject_unused(ep, t, "root", "root");
  } else if (!hd_program_is_given(ep, "root") || hd_ep_is_number(ep, "root")) {
    t->root = (int)hd_program_integer(ep, "root", 0, 0, (uint64_t)t->members - 1);
  } else {
    t->root = -1;
    if (strcmp(hd_ep_text(ep, "root", ""), "rotate"))
      hd_ep_reject(ep, "root", "'%s'; legal: rotate, or a member, 0 … %d",
                   hd_ep_text(ep, "root", ""), t->members - 1);
  }
}

static void read_costs(struct hd_ep *ep, struct task *t)
{
  t->measure = !hd_program_is_given(ep, "alpha") && !hd_program_is_given(ep, "beta");
  if (t->measure)
    return;
  if (!hd_program_is_given(ep, "alpha") || !hd_program_is_given(ep, "beta"))
    hd_ep_reject(ep, hd_program_is_given(ep, "alpha") ? "beta" : "alpha",
                 "none; give both, or neither, and they are measured");
  t->alpha = hd_program_number(ep, "alpha", 0, 0, 1e9);
  t->beta = hd_program_number(ep, "beta", 0, 0, 1e9);
}

/* Reads the parameters that only schedules have. */
static void read_schedule(struct hd_ep *ep, struct task *t)
{
  if (t->algorithm != HD_ALGORITHM_SCHEDULE && hd_program_is_given(ep, "search"))
    hd_ep_reject(ep, "search", "only with algorithm schedule; others do not search");
  if (t->algorithm != HD_ALGORITHM_SCHEDULE && hd_program_is_given(ep, "synchronise"))
    hd_ep_reject(ep, "synchronise", "only with algorithm schedule; others have no common steps");
  const char *synchronise = hd_ep_text(ep, "synchronise", "none");
  t->step_barrier = !strcmp(synchronise, "barrier");
  if (!t->step_barrier && strcmp(synchronise, "none"))
    hd_ep_reject(ep, "synchronise", "%s; legal: none, barrier", synchronise);
  if (t->step_barrier && t->under_way > 1)
    hd_ep_reject(ep, "under_way", "%" PRIu64 "; with synchronise: barrier it is 1", t->under_way);
  t->search = hd_program_number(ep, "search", SEARCH_SECONDS, 0, SEARCH_SECONDS_MAX);
}

static void read_lanes(struct hd_ep *ep, struct task *t)
{
  const enum hd_method_needs needs =
      t->algorithm ? hd_method_needs(t->collective, t->algorithm) : HD_NEEDS_NOTHING;
  t->needs_multicast = needs == HD_NEEDS_TREES;
  if (needs != HD_NEEDS_BARRIERS) {
    if (hd_program_is_given(ep, "at_once"))
      hd_ep_reject(ep, "at_once",
                   "only where algorithm in-network combines values; others send messages");
    return;
  }
  t->lanes = (int)hd_program_integer(ep, "at_once", 1, 1, HD_COMM_LANES);
  if (t->under_way > 1)
    hd_ep_reject(ep, "under_way", "%" PRIu64 "; with algorithm in-network it is 1", t->under_way);
}

/* Reads the size of a group, or the sides of its box. */
static void read_members(struct hd_ep *ep, struct task *t)
{
  if (!hd_program_is_given(ep, "box")) {
    t->members = hd_program_members(ep);
    return;
  }
  const uint32_t size = (uint32_t)hd_ep_size(ep);
  uint32_t members = 1;
  if (hd_program_is_given(ep, "members"))
    hd_ep_reject(ep, "members", "not with box, which says how many there are");
  t->n_sides = hd_program_sides(ep, "box", t->sides, sizeof t->sides / sizeof *t->sides, size);
  for (uint32_t d = 0; d < t->n_sides; d++)
    members = members > size ? members : members * t->sides[d];
  if (members > size)
    hd_ep_reject(ep, "box", "%s; there are %" PRIu32 " nodes", hd_ep_text(ep, "box", ""), size);
  t->members = (int)members;
}

static struct task read_task(struct hd_ep *ep)
{
  struct task t = {.members = 0};
  read_members(ep, &t);
  read_collective(ep, &t);
  read_algorithm(ep, &t);
  if (t.collective == HD_COLLECTIVE_BARRIER)
    reject_unused(ep, &t, "bytes", "bytes");
  else
    t.bytes = hd_program_integer(ep, "bytes", 256, 0, BYTES_MAX);
  read_operator(ep, &t);
  read_root(ep, &t);
  t.groups = (int)hd_program_integer(ep, "groups", 1, 1, GROUPS_MAX);
  t.under_way = hd_program_integer(ep, "under_way", 1, 1, HD_COMM_TAGS);
  t.repeat = hd_program_integer(ep, "repeat", 10, 1, REPEAT_MAX);
  t.gap = hd_program_integer(ep, "gap", 100, 0, HD_INTEGER_MAX);
  read_costs(ep, &t);
  read_schedule(ep, &t);
  read_lanes(ep, &t);
  return t;
}

/* ── groups ────────────────────────────────────────────────────────────────── */

/* Returns the bytes of the block from one member to another. For alltoallv it is 0 to 4 quarters of
 * `bytes`. */
static size_t block_bytes(const struct task *t, int from, int to)
{
  bool v = t->collective == HD_COLLECTIVE_ALLTOALLV;
  return v ? t->bytes * (size_t)((from * 7 + to * 3) % 5) / 4 : t->bytes;
}

static size_t most_bytes_of(const struct task *t)
{
  size_t most = 0;
  for (int i = 0; i < t->members; i++) {
    size_t out = 0, in = 0;
    for (int j = 0; j < t->members; j++)
      if (j != i) {
        out += block_bytes(t, i, j);
        in += block_bytes(t, j, i);
      }
    most = most > out ? most : out;
    most = most > in ? most : in;
  }
  return most;
}

/* Draws the place of the box, and the order of its nodes. */
static void draw_box(struct hd_ep *ep, const struct task *t, int *ranks)
{
  struct hd_ep_grid grid;
  int origin = 0, step = 1, n = 1;
  if (!hd_ep_grid(ep, &grid))
    hd_ep_reject(ep, "box",
                 "the network has no coordinates; it must be a mesh, a torus or a hypercube");
  if (grid.n_dims != (int)t->n_sides)
    hd_ep_reject(ep, "box", "sides: %" PRIu32 "; dimensions of the network: %d", t->n_sides,
                 grid.n_dims);
  ranks[0] = 0;
  for (int d = 0; d < grid.n_dims; step *= grid.dims[d++]) {
    const int side = (int)t->sides[d], room = grid.dims[d] - side;
    if (room < 0)
      hd_ep_reject(ep, "box", "side %d is %d; the network's is %d", d, side, grid.dims[d]);
    origin += step * (int)(hd_ep_random(ep) % (uint64_t)(room + 1));
    for (int i = n; i < n * side; i++)
      ranks[i] = ranks[i % n] + i / n * step;
    n *= side;
  }
  for (int i = 0; i < n; i++)
    ranks[i] += origin;
  for (int i = 0; i < n; i++) {
    const int with = i + (int)(hd_ep_random(ep) % (uint64_t)(n - i)), moved = ranks[i];
    ranks[i] = ranks[with];
    ranks[with] = moved;
  }
}

static struct group *group_of(struct hd_ep *ep, const struct task *t, int number)
{
  char key[32];
  int size = hd_ep_size(ep);
  snprintf(key, sizeof key, "collective %d", number);
  struct group *group = hd_ep_shared(ep, key, sizeof *group + (size_t)size * sizeof *group->ranks);
  if (group->initialised)
    return group;
  group->initialised = true;
  for (int i = 0; i < size; i++)
    group->ranks[i] = i;
  if (t->n_sides)
    draw_box(ep, t, group->ranks);
  else
    hd_program_draw(ep, group->ranks, 0, t->members);
  group->repetitions = hd_ep_alloc(ep, t->repeat * sizeof *group->repetitions);
  group->most = t->collective == HD_COLLECTIVE_ALLTOALLV ? most_bytes_of(t) : 0;
  if (t->info.reduces && t->collective != HD_COLLECTIVE_REDUCE_SCATTER)
    group->expected = hd_ep_alloc(ep, t->bytes);
  return group;
}

static bool is_member(const struct group *group, int members, int rank)
{
  for (int i = 0; i < members; i++)
    if (group->ranks[i] == rank)
      return true;
  return false;
}

/* Computes the bytes of a member's buffers. */
static void size_buffers(const struct task *t, int me, struct buffers *b)
{
  size_t all = (size_t)t->members * t->bytes;
  b->send_room = b->receive_room = t->bytes;
  switch (t->collective) {
  case HD_COLLECTIVE_SCATTER:
  case HD_COLLECTIVE_REDUCE_SCATTER:
    b->send_room = all;
    break;
  case HD_COLLECTIVE_GATHER:
  case HD_COLLECTIVE_ALLGATHER:
    b->receive_room = all;
    break;
  case HD_COLLECTIVE_ALLTOALL:
    b->send_room = b->receive_room = all;
    break;
  case HD_COLLECTIVE_ALLTOALLV:
    b->send_room = b->receive_room = 0;
    for (int i = 0; i < t->members; i++) {
      b->send_bytes[i] = block_bytes(t, me, i);
      b->receive_bytes[i] = block_bytes(t, i, me);
      b->send_room += b->send_bytes[i];
      b->receive_room += b->receive_bytes[i];
    }
    break;
  case HD_COLLECTIVE_BROADCAST:
  case HD_COLLECTIVE_REDUCE:
  case HD_COLLECTIVE_ALLREDUCE:
  case HD_COLLECTIVE_BARRIER:
  case HD_COLLECTIVES:
    break;
  }
}

/* The α–β model's prediction for a repetition. */
struct prediction {
  enum hd_algorithm algorithm;
  uint32_t steps; /* steps of a schedule or a coded plan; 0: another algorithm */
  double cycles, least;
};

/* Predicts the cycles of a repetition. In the model, its operations follow each other; its lower
 * bound is for all of them together. Returns false if the network does not have what the algorithm
 * needs. */
static bool predict(const struct task *t, const struct part *part, int root,
                    struct prediction *prediction, const char **why)
{
  const struct hd_collective_call call = {.collective = t->collective,
                                          .algorithm = t->algorithm,
                                          .root = root,
                                          .bytes = t->bytes,
                                          .op = t->op};
  struct hd_collective_shape shape;
  double k = (double)t->under_way;
  if (!hd_comm_shape(part->comm, &call, &shape, why))
    return false;
  *prediction = (struct prediction){
      .algorithm = t->algorithm ? t->algorithm : hd_method_choose(t->collective, &shape)};
  if (prediction->algorithm == HD_ALGORITHM_SCHEDULE)
    prediction->steps = shape.schedule_steps;
  else if (prediction->algorithm == HD_ALGORITHM_NETWORK_CODED)
    prediction->steps = shape.coded_steps;
  shape.bytes = t->bytes;
  shape.most = part->group->most;
  prediction->cycles = k * hd_method_cycles(t->collective, prediction->algorithm, &shape);
  shape.beta *= k;
  prediction->least = hd_collective_least_cycles(t->collective, &shape);
  return true;
}

/* Rejects the algorithm if the network does not have what it needs, for any of the roots. */
static void check_network(struct hd_ep *ep, const struct task *t, const struct part *part)
{
  const bool rotates = t->info.rooted && t->root < 0;
  const uint64_t roots = !rotates                           ? 1
                         : t->repeat < (uint64_t)t->members ? t->repeat
                                                            : (uint64_t)t->members;
  const char *why = "";
  struct prediction prediction;
  for (uint64_t i = 0; i < roots; i++)
    if (!predict(t, part, rotates ? (int)i : t->root, &prediction, &why))
      hd_ep_reject(ep, "algorithm", "%s: %s", hd_algorithm_info(t->algorithm).name, why);
}

static void join_group(struct hd_ep *ep, struct hd_collectives *collectives, const struct task *t,
                       int number, struct part *part)
{
  part->comm = hd_comm_create(collectives, part->group->ranks, t->members, number * HD_COMM_TAGS);
  hd_comm_set_search(part->comm, t->search);
  for (int i = 0; i < t->lanes && t->members > 1; i++)
    part->lanes[i] = hd_program_barrier_create(ep, "algorithm", part->group->ranks, t->members,
                                               HD_EP_CENTER_MIDDLE);
  if (part->lanes[0])
    hd_comm_set_lanes(part->comm, part->lanes, t->lanes);
  if (t->needs_multicast && t->members > 1) {
    part->multicast = hd_program_multicast_create(ep, "algorithm", part->group->ranks, t->members);
    hd_comm_set_multicast(part->comm, part->multicast);
  }
  part->block = hd_ep_alloc(ep, t->bytes);
  part->buffers = hd_ep_alloc(ep, t->under_way * sizeof *part->buffers);
  for (uint64_t i = 0; i < t->under_way; i++) {
    struct buffers *b = &part->buffers[i];
    b->send_bytes = hd_ep_alloc(ep, (size_t)t->members * sizeof *b->send_bytes);
    b->receive_bytes = hd_ep_alloc(ep, (size_t)t->members * sizeof *b->receive_bytes);
    size_buffers(t, hd_comm_index(part->comm), b);
    b->send = hd_ep_alloc(ep, b->send_room);
    b->receive = hd_ep_alloc(ep, b->receive_room);
  }
}

static void find_costs(struct hd_ep *ep, const struct task *t, struct part *part)
{
  if (t->measure)
    hd_comm_measure(part->comm, t->bytes > LEAST_PROBE ? t->bytes : LEAST_PROBE);
  else
    hd_comm_set_cost(part->comm, t->alpha, t->beta);
  if (part->lanes[0])
    hd_comm_measure_round(part->comm);
  if (hd_comm_index(part->comm))
    return;
  hd_ep_statistic(ep, "alpha", (uint64_t)(hd_comm_alpha(part->comm) + 0.5));
  hd_ep_statistic(ep, "beta of 1024 bytes", (uint64_t)(hd_comm_beta(part->comm) * 1024 + 0.5));
  if (part->lanes[0])
    hd_ep_statistic(ep, "round in the network", (uint64_t)(hd_comm_round_cycles(part->comm) + 0.5));
}

/* ── contents ──────────────────────────────────────────────────────────────── */

/* Returns the bytes of a member's block. In alltoallv, blocks differ. */
static size_t block_size(const size_t *sizes, const struct task *t, int member)
{
  return t->collective == HD_COLLECTIVE_ALLTOALLV ? sizes[member] : t->bytes;
}

/* Fills the blocks from this node to each member. */
static void fill_blocks(struct hd_ep *ep, const struct task *t, const struct group *group,
                        struct buffers *b, uint64_t number)
{
  unsigned char *at = b->send;
  for (int i = 0; i < t->members; at += block_size(b->send_bytes, t, i++))
    hd_program_fill(at, block_size(b->send_bytes, t, i), hd_ep_rank(ep), group->ranks[i], number);
}

/* Fills the buffer that a member contributes. The content depends on the member, and, if it is for
 * one member, on that one. */
static void fill_send_buffer(struct hd_ep *ep, const struct task *t, const struct group *group,
                             struct buffers *b, int root, uint64_t number)
{
  int rank = hd_ep_rank(ep);
  memset(b->receive, 0xa5, b->receive_room);
  switch (t->collective) {
  case HD_COLLECTIVE_BROADCAST:
    if (group->ranks[root] == rank)
      hd_program_fill(b->receive, t->bytes, rank, rank, number);
    break;
  case HD_COLLECTIVE_SCATTER:
  case HD_COLLECTIVE_REDUCE_SCATTER:
  case HD_COLLECTIVE_ALLTOALL:
  case HD_COLLECTIVE_ALLTOALLV:
    fill_blocks(ep, t, group, b, number);
    break;
  case HD_COLLECTIVE_GATHER:
  case HD_COLLECTIVE_ALLGATHER:
  case HD_COLLECTIVE_REDUCE:
  case HD_COLLECTIVE_ALLREDUCE:
  case HD_COLLECTIVE_BARRIER:
  case HD_COLLECTIVES:
    hd_program_fill(b->send, t->bytes, rank, rank, number);
    break;
  }
}

/* Computes the reduction of all members' contributions for `destination` (−1: for all), in the
 * order of members. */
static void combine_contributions(const struct task *t, const struct group *group,
                                  unsigned char *block, unsigned char *result, int destination,
                                  uint64_t number)
{
  for (int i = 0; i < t->members; i++) {
    int rank = group->ranks[i];
    unsigned char *to = i ? block : result;
    hd_program_fill(to, t->bytes, rank, destination < 0 ? rank : destination, number);
    if (i)
      t->op->combine(result, block, t->bytes / t->op->element_bytes);
  }
}

static void compare_block(struct hd_ep *ep, const struct task *t, const unsigned char *got,
                          const unsigned char *expected, uint64_t number)
{
  for (size_t i = 0; i < t->bytes; i++)
    if (got[i] != expected[i])
      hd_ep_abort(ep, "byte %zu of %s %" PRIu64 " is 0x%02x; 0x%02x is right", i, t->info.name,
                  number, got[i], expected[i]);
}

/* Checks the block from each member: for this node (`to_me`), or for all. */
static void verify_blocks(struct hd_ep *ep, const struct task *t, const struct group *group,
                          const struct buffers *b, bool to_me, uint64_t number)
{
  const unsigned char *at = b->receive;
  for (int i = 0; i < t->members; at += block_size(b->receive_bytes, t, i++)) {
    int from = group->ranks[i];
    hd_program_verify(ep, at, block_size(b->receive_bytes, t, i), from,
                      to_me ? hd_ep_rank(ep) : from, number);
  }
}

static void verify_result(struct hd_ep *ep, const struct task *t, const struct part *part,
                          const struct buffers *b, int root, uint64_t number)
{
  struct group *group = part->group;
  int rank = hd_ep_rank(ep), source = group->ranks[root];
  bool result = !t->info.rooted || source == rank;
  switch (t->collective) {
  case HD_COLLECTIVE_BROADCAST:
    hd_program_verify(ep, b->receive, t->bytes, source, source, number);
    break;
  case HD_COLLECTIVE_SCATTER:
    hd_program_verify(ep, b->receive, t->bytes, source, rank, number);
    break;
  case HD_COLLECTIVE_GATHER:
  case HD_COLLECTIVE_ALLGATHER:
    if (result)
      verify_blocks(ep, t, group, b, false, number);
    break;
  case HD_COLLECTIVE_ALLTOALL:
  case HD_COLLECTIVE_ALLTOALLV:
    verify_blocks(ep, t, group, b, true, number);
    break;
  case HD_COLLECTIVE_REDUCE:
  case HD_COLLECTIVE_ALLREDUCE:
    if (result && group->expected_number != number + 1) {
      combine_contributions(t, group, part->block, group->expected, -1, number);
      group->expected_number = number + 1;
    }
    if (result)
      compare_block(ep, t, b->receive, group->expected, number);
    break;
  case HD_COLLECTIVE_REDUCE_SCATTER: {
    unsigned char *block = b->send; /* the send buffer is not needed any more */
    combine_contributions(t, group, block, part->block, rank, number);
    compare_block(ep, t, b->receive, part->block, number);
    break;
  }
  case HD_COLLECTIVE_BARRIER:
  case HD_COLLECTIVES:
    break;
  }
}

/* ── repetitions ───────────────────────────────────────────────────────────── */

static void begin_repetition(struct hd_ep *ep, const struct task *t, struct part *part,
                             uint64_t number)
{
  struct repetition *r = &part->group->repetitions[number];
  int root = t->root < 0 ? (int)(number % (uint64_t)t->members) : t->root;
  r->begun++;
  r->last_begin = hd_ep_time(ep);
  for (uint64_t i = 0; i < t->under_way; i++) {
    struct buffers *b = &part->buffers[i];
    fill_send_buffer(ep, t, part->group, b, root, number * t->under_way + i);
    const struct hd_collective_call call = {.collective = t->collective,
                                            .algorithm = t->algorithm,
                                            .root = root,
                                            .send = b->send,
                                            .receive = b->receive,
                                            .bytes = t->bytes,
                                            .send_bytes = b->send_bytes,
                                            .receive_bytes = b->receive_bytes,
                                            .op = t->op};
    b->operation = hd_comm_start(part->comm, &call);
  }
}

static void end_repetition(struct hd_ep *ep, const struct task *t, struct part *part,
                           uint64_t number)
{
  struct repetition *r = &part->group->repetitions[number];
  int root = t->root < 0 ? (int)(number % (uint64_t)t->members) : t->root;
  for (uint64_t i = 0; i < t->under_way; i++)
    hd_operation_wait(part->buffers[i].operation);
  for (uint64_t i = 0; i < t->under_way; i++)
    verify_result(ep, t, part, &part->buffers[i], root, number * t->under_way + i);
  if (t->collective == HD_COLLECTIVE_BARRIER && r->begun < t->members)
    hd_ep_abort(ep, "barrier %" PRIu64 " released a member when only %d of %d had arrived", number,
                r->begun, t->members);
  if (++r->ended < t->members)
    return;
  struct prediction prediction;
  predict(t, part, root, &prediction, NULL);
  hd_ep_statistic(ep, hd_algorithm_info(prediction.algorithm).name, hd_ep_time(ep) - r->last_begin);
  hd_ep_statistic(ep, "alpha-beta model", (uint64_t)(prediction.cycles + 0.5));
  /* The lower bound is for messages; it does not hold if switches do the work. */
  hd_ep_statistic(
      ep, prediction.algorithm == HD_ALGORITHM_IN_NETWORK ? "bound of messages" : "lower bound",
      (uint64_t)(prediction.least + 0.5));
  if (prediction.steps)
    hd_ep_statistic(ep, "steps", prediction.steps);
}

/* Counts `parts` memberships of this node as ready. When all are ready, the next repetition begins
 * `gap` cycles later. */
static void wait_for_repetition(struct hd_ep *ep, const struct task *t, struct progress *progress,
                                uint64_t parts, uint64_t number)
{
  uint64_t all = (uint64_t)t->groups * (uint64_t)t->members;
  if (!t->gap)
    return;
  progress->n_finished += parts;
  if (progress->n_finished == all * (number + 1))
    progress->next_begin = hd_ep_time(ep) + t->gap;
  while (progress->n_finished < all * (number + 1))
    hd_ep_delay(ep, t->gap);
  hd_ep_wait_until(ep, progress->next_begin);
}

static void run(struct hd_ep *ep)
{
  const struct task t = read_task(ep);
  struct progress *progress = hd_ep_shared(ep, "collectives", sizeof *progress);
  struct hd_collectives *collectives = hd_collectives_create(ep);
  struct part *parts = hd_ep_alloc(ep, (size_t)t.groups * sizeof *parts);
  int n = 0;
  for (int g = 0; g < t.groups; g++) {
    struct group *group = group_of(ep, &t, g);
    if (!is_member(group, t.members, hd_ep_rank(ep)))
      continue;
    parts[n].group = group;
    join_group(ep, collectives, &t, g, &parts[n++]);
  }
  for (int i = 0; i < n; i++)
    check_network(ep, &t, &parts[i]);
  for (int i = 0; i < n && t.step_barrier && t.members > 1; i++) {
    parts[i].barrier = hd_program_barrier_create(ep, "synchronise", parts[i].group->ranks,
                                                 t.members, HD_EP_CENTER_LOWEST);
    hd_comm_set_barrier(parts[i].comm, parts[i].barrier);
  }
  for (int i = 0; i < n; i++)
    find_costs(ep, &t, &parts[i]);
  if (!n)
    return;
  for (uint64_t number = 0; number < t.repeat; number++) {
    wait_for_repetition(ep, &t, progress, (uint64_t)n, number);
    for (int i = 0; i < n; i++)
      begin_repetition(ep, &t, &parts[i], number);
    for (int i = 0; i < n; i++)
      end_repetition(ep, &t, &parts[i], number);
  }
  for (int i = 0; i < n; i++) {
    if (parts[i].barrier)
      hd_ep_barrier_destroy(ep, parts[i].barrier);
    if (parts[i].multicast)
      hd_ep_multicast_destroy(ep, parts[i].multicast);
    for (int lane = 0; lane < HD_COMM_LANES && parts[i].lanes[lane]; lane++)
      hd_ep_barrier_destroy(ep, parts[i].lanes[lane]);
  }
}

#define NAME(ENUMERATOR, name, ...) name " "
static const char *const parameters[] = {
    "collective: one of " HD_COLLECTIVE_LIST(NAME) "(allreduce)",
    "algorithm: one of " HD_ALGORITHM_LIST(NAME) "(auto)",
    "bytes: length of a block; the longest one of alltoallv; not with barrier (256)",
    "members: number of nodes in a group, or all; the seed chooses them (all)",
    "box: instead of members, sides of a box of nodes of a mesh, as 4x2; the seed chooses its "
    "place (none)",
    "groups: number of groups, each with its own members (1)",
    "root: a member by its number, or rotate: another one in each repetition (0)",
    "operator: of reductions, one of " HD_OPERATOR_LIST(NAME) "(sum-u8)",
    "under_way: number of operations of a group that are started at once (1)",
    "repeat: number of repetitions (10)",
    "gap: all begin a repetition in the same cycle, so many cycles after the end of the one "
    "before; 0: each member as soon as it can (100)",
    "alpha: cycles of an empty message, for the alpha-beta model (measured)",
    "beta: cycles that a byte adds (measured)",
    "search: for algorithm schedule, seconds of the search for the fewest steps; 0: the first "
    "schedule that is found, even with more steps (60)",
    "synchronise: for algorithm schedule, none, or barrier: members meet before each step (none)",
    "at_once: for algorithm in-network, number of values that are combined at once, each by a "
    "barrier group of its own (1)",
    NULL,
};
#undef NAME

const struct hd_program hd_program_collective = {
    .name = "collective",
    .about =
        "groups of nodes do collectives of MPI by an algorithm; parameters collective, "
        "algorithm, bytes, members, box, groups, root, operator, under_way, repeat, gap, alpha, "
        "beta, search, synchronise, at_once",
    .main = run,
    .parameters = parameters,
};
