/* Program collective: groups of nodes do collectives, and check every byte that they get.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bytes are made from who sends them to whom in which operation alone, so what must arrive does not depend on the
 * algorithm. The time of a repetition goes from its last beginning, start-up included, to its last end; with `gap`
 * all members begin in the same cycle. Beside it stand what the α–β model says, and the model's lower bound.
 *
 * Nodes know from one another when a repetition begins and ends by memory that they share. No message is
 * needed for that, so none is measured.
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
  LEAST_PROBE = 1024, /* bytes that β is measured with, at least */
};

struct task {
  enum hd_collective collective;
  enum hd_algorithm algorithm;
  struct hd_collective_info info;
  const struct hd_operator *op; /* NULL: none is needed */
  int members, groups, root;    /* root −1: another one in each repetition */
  size_t bytes;
  uint64_t under_way, repeat, gap;
  bool measure;
  double alpha, beta; /* where they are not measured */
};

/* A repetition of a group. */
struct repetition {
  uint64_t last_begin;
  int begun, ended;
};

/* A group, known to all nodes; whoever comes first makes it. */
struct group {
  bool made;
  size_t most; /* alltoallv: bytes that a member sends to others, or receives from them */
  struct repetition *repetitions; /* [repeat] */
  unsigned char *expected;        /* result of a reduction to everybody, or NULL; */
  uint64_t expected_number;       /* of the operation with this number; 0: of none */
  int ranks[];                    /* [all nodes], members first */
};

/* Of the whole run: memberships whose repetitions, or joining, are over; the cycle of the next ones. */
struct progress {
  uint64_t over, begin;
};

/* Memory of an operation. */
struct buffers {
  unsigned char *send, *receive;
  size_t *send_bytes, *receive_bytes; /* alltoallv */
  size_t send_room, receive_room;
  struct hd_operation *operation;
};

/* This node's part of a group. */
struct part {
  struct group *group;
  struct hd_comm *comm;
  enum hd_algorithm algorithm; /* of the names in the report */
  double cycles, least;        /* of a repetition, in the model */
  unsigned char *block;        /* [bytes] for a check */
  struct buffers *buffers;     /* [under_way] */
};

/* ── parameters ────────────────────────────────────────────────────────────── */

static bool given(struct hd_ep *ep, const char *key)
{
  return hd_ep_is_number(ep, key) || hd_ep_text(ep, key, NULL);
}

/* What this collective has no use for must not be there. */
static void refuse(struct hd_ep *ep, const struct task *t, const char *key, const char *needs)
{
  if (given(ep, key))
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
    refuse(ep, t, "operator", "operator");
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
    refuse(ep, t, "root", "root");
  } else if (!given(ep, "root") || hd_ep_is_number(ep, "root")) {
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
  t->measure = !given(ep, "alpha") && !given(ep, "beta");
  if (t->measure)
    return;
  if (!given(ep, "alpha") || !given(ep, "beta"))
    hd_ep_reject(ep, given(ep, "alpha") ? "beta" : "alpha",
                 "none; give both, or neither, and they are measured");
  t->alpha = hd_program_number(ep, "alpha", 0, 0, 1e9);
  t->beta = hd_program_number(ep, "beta", 0, 0, 1e9);
}

static struct task read_task(struct hd_ep *ep)
{
  struct task t = {.members = hd_program_members(ep)};
  read_collective(ep, &t);
  read_algorithm(ep, &t);
  if (t.collective == HD_COLLECTIVE_BARRIER)
    refuse(ep, &t, "bytes", "bytes");
  else
    t.bytes = hd_program_integer(ep, "bytes", 256, 0, BYTES_MAX);
  read_operator(ep, &t);
  read_root(ep, &t);
  t.groups = (int)hd_program_integer(ep, "groups", 1, 1, GROUPS_MAX);
  t.under_way = hd_program_integer(ep, "under_way", 1, 1, HD_COMM_TAGS);
  t.repeat = hd_program_integer(ep, "repeat", 10, 1, REPEAT_MAX);
  t.gap = hd_program_integer(ep, "gap", 100, 0, HD_INTEGER_MAX);
  read_costs(ep, &t);
  return t;
}

/* ── groups ────────────────────────────────────────────────────────────────── */

/* Bytes of the block from one member to another: 0, 1, 2, 3 or 4 quarters of `bytes` for alltoallv. */
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

static struct group *group_of(struct hd_ep *ep, const struct task *t, int number)
{
  char key[32];
  int size = hd_ep_size(ep);
  snprintf(key, sizeof key, "collective %d", number);
  struct group *group = hd_ep_shared(ep, key, sizeof *group + (size_t)size * sizeof *group->ranks);
  if (group->made)
    return group;
  group->made = true;
  for (int i = 0; i < size; i++)
    group->ranks[i] = i;
  hd_program_draw(ep, group->ranks, 0, t->members);
  group->repetitions = hd_ep_alloc(ep, t->repeat * sizeof *group->repetitions);
  group->most = t->collective == HD_COLLECTIVE_ALLTOALLV ? most_bytes_of(t) : 0;
  if (t->info.reduces && t->collective != HD_COLLECTIVE_REDUCE_SCATTER)
    group->expected = hd_ep_alloc(ep, t->bytes);
  return group;
}

static bool takes_part(const struct group *group, int members, int rank)
{
  for (int i = 0; i < members; i++)
    if (group->ranks[i] == rank)
      return true;
  return false;
}

/* Bytes of a member's buffers. */
static void find_rooms(const struct task *t, int me, struct buffers *b)
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

/* Operations of a repetition follow one another in the model; its bounds hold for all of them together. */
static void predict(struct hd_ep *ep, const struct task *t, struct part *part)
{
  struct hd_collective_shape shape = {.members = t->members,
                                      .bytes = t->bytes,
                                      .most = part->group->most,
                                      .alpha = hd_comm_alpha(part->comm),
                                      .beta = hd_comm_beta(part->comm)};
  double k = (double)t->under_way;
  part->algorithm = t->algorithm ? t->algorithm : hd_method_choose(t->collective, &shape);
  part->cycles = k * hd_method_cycles(t->collective, part->algorithm, &shape);
  shape.beta *= k;
  part->least = hd_collective_least_cycles(t->collective, &shape);
  if (hd_comm_index(part->comm))
    return;
  hd_ep_statistic(ep, "alpha", (uint64_t)(shape.alpha + 0.5));
  hd_ep_statistic(ep, "beta of 1024 bytes", (uint64_t)(shape.beta / k * 1024 + 0.5));
}

static void join(struct hd_ep *ep, struct hd_collectives *collectives, const struct task *t,
                 int number, struct part *part)
{
  part->comm = hd_comm_create(collectives, part->group->ranks, t->members, number * HD_COMM_TAGS);
  part->block = hd_ep_alloc(ep, t->bytes);
  part->buffers = hd_ep_alloc(ep, t->under_way * sizeof *part->buffers);
  for (uint64_t i = 0; i < t->under_way; i++) {
    struct buffers *b = &part->buffers[i];
    b->send_bytes = hd_ep_alloc(ep, (size_t)t->members * sizeof *b->send_bytes);
    b->receive_bytes = hd_ep_alloc(ep, (size_t)t->members * sizeof *b->receive_bytes);
    find_rooms(t, hd_comm_index(part->comm), b);
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
  predict(ep, t, part);
}

/* ── contents ──────────────────────────────────────────────────────────────── */

/* Where the blocks of a buffer begin and end. */
static size_t room_of(const size_t *sizes, const struct task *t, int member)
{
  return t->collective == HD_COLLECTIVE_ALLTOALLV ? sizes[member] : t->bytes;
}

/* One block to each member, from this node. */
static void fill_blocks(struct hd_ep *ep, const struct task *t, const struct group *group,
                        struct buffers *b, uint64_t number)
{
  unsigned char *at = b->send;
  for (int i = 0; i < t->members; at += room_of(b->send_bytes, t, i++))
    hd_program_fill(at, room_of(b->send_bytes, t, i), hd_ep_rank(ep), group->ranks[i], number);
}

/* What a member contributes goes to itself, by its contents; or to the member that its block is for. */
static void fill(struct hd_ep *ep, const struct task *t, const struct group *group,
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

/* What all members contribute for `destination` (−1: for everybody), combined in their order. */
static void combine_all(const struct task *t, const struct group *group, unsigned char *block,
                        unsigned char *result, int destination, uint64_t number)
{
  for (int i = 0; i < t->members; i++) {
    int rank = group->ranks[i];
    unsigned char *to = i ? block : result;
    hd_program_fill(to, t->bytes, rank, destination < 0 ? rank : destination, number);
    if (i)
      t->op->combine(result, block, t->bytes / t->op->element_bytes);
  }
}

static void expect(struct hd_ep *ep, const struct task *t, const unsigned char *got,
                   const unsigned char *expected, uint64_t number)
{
  for (size_t i = 0; i < t->bytes; i++)
    if (got[i] != expected[i])
      hd_ep_abort(ep, "byte %zu of %s %" PRIu64 " is 0x%02x; 0x%02x is right", i, t->info.name,
                  number, got[i], expected[i]);
}

/* Each member's block, to this node or to everybody. */
static void verify_blocks(struct hd_ep *ep, const struct task *t, const struct group *group,
                          const struct buffers *b, bool to_me, uint64_t number)
{
  const unsigned char *at = b->receive;
  for (int i = 0; i < t->members; at += room_of(b->receive_bytes, t, i++)) {
    int from = group->ranks[i];
    hd_program_verify(ep, at, room_of(b->receive_bytes, t, i), from, to_me ? hd_ep_rank(ep) : from,
                      number);
  }
}

static void verify(struct hd_ep *ep, const struct task *t, const struct part *part,
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
      combine_all(t, group, part->block, group->expected, -1, number);
      group->expected_number = number + 1;
    }
    if (result)
      expect(ep, t, b->receive, group->expected, number);
    break;
  case HD_COLLECTIVE_REDUCE_SCATTER: {
    unsigned char *block = b->send; /* it is not needed any more */
    combine_all(t, group, block, part->block, rank, number);
    expect(ep, t, b->receive, part->block, number);
    break;
  }
  case HD_COLLECTIVE_BARRIER:
  case HD_COLLECTIVES:
    break;
  }
}

/* ── repetitions ───────────────────────────────────────────────────────────── */

static void begin(struct hd_ep *ep, const struct task *t, struct part *part, uint64_t number)
{
  struct repetition *r = &part->group->repetitions[number];
  int root = t->root < 0 ? (int)(number % (uint64_t)t->members) : t->root;
  r->begun++;
  r->last_begin = hd_ep_time(ep);
  for (uint64_t i = 0; i < t->under_way; i++) {
    struct buffers *b = &part->buffers[i];
    fill(ep, t, part->group, b, root, number * t->under_way + i);
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

static void end(struct hd_ep *ep, const struct task *t, struct part *part, uint64_t number)
{
  struct repetition *r = &part->group->repetitions[number];
  int root = t->root < 0 ? (int)(number % (uint64_t)t->members) : t->root;
  for (uint64_t i = 0; i < t->under_way; i++)
    hd_operation_wait(part->buffers[i].operation);
  for (uint64_t i = 0; i < t->under_way; i++)
    verify(ep, t, part, &part->buffers[i], root, number * t->under_way + i);
  if (t->collective == HD_COLLECTIVE_BARRIER && r->begun < t->members)
    hd_ep_abort(ep, "barrier %" PRIu64 " is left when %d of %d members have come", number, r->begun,
                t->members);
  if (++r->ended < t->members)
    return;
  hd_ep_statistic(ep, hd_algorithm_info(part->algorithm).name, hd_ep_time(ep) - r->last_begin);
  hd_ep_statistic(ep, "alpha-beta model", (uint64_t)(part->cycles + 0.5));
  hd_ep_statistic(ep, "lower bound", (uint64_t)(part->least + 0.5));
}

/* This node is through with something; when all are, the next repetition begins `gap` cycles later. */
static void pass(struct hd_ep *ep, const struct task *t, struct progress *progress, uint64_t parts,
                 uint64_t number)
{
  uint64_t all = (uint64_t)t->groups * (uint64_t)t->members;
  if (!t->gap)
    return;
  progress->over += parts;
  if (progress->over == all * (number + 1))
    progress->begin = hd_ep_time(ep) + t->gap;
  while (progress->over < all * (number + 1))
    hd_ep_delay(ep, t->gap);
  hd_ep_wait_until(ep, progress->begin);
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
    if (!takes_part(group, t.members, hd_ep_rank(ep)))
      continue;
    parts[n].group = group;
    join(ep, collectives, &t, g, &parts[n++]);
  }
  for (int i = 0; i < n; i++)
    find_costs(ep, &t, &parts[i]);
  if (!n)
    return;
  for (uint64_t number = 0; number < t.repeat; number++) {
    pass(ep, &t, progress, (uint64_t)n, number);
    for (int i = 0; i < n; i++)
      begin(ep, &t, &parts[i], number);
    for (int i = 0; i < n; i++)
      end(ep, &t, &parts[i], number);
  }
}

#define NAME(ENUMERATOR, name, ...) name " "
static const char *const parameters[] = {
    "collective: one of " HD_COLLECTIVE_LIST(NAME) "(allreduce)",
    "algorithm: one of " HD_ALGORITHM_LIST(NAME) "(auto)",
    "bytes: length of a block; the largest of alltoallv, not with barrier (256)",
    "members: number of nodes in a group, or all; the seed chooses them (all)",
    "groups: number of groups, each with its own members (1)",
    "root: a member by its number, or rotate: another one in each repetition (0)",
    "operator: of reductions, one of " HD_OPERATOR_LIST(NAME) "(sum-u8)",
    "under_way: operations of a group that are started at once (1)",
    "repeat: how often all of it is done (10)",
    "gap: all begin a repetition in the same cycle, so many cycles after the end of the one "
    "before; 0: each by itself (100)",
    "alpha: cycles of an empty message, for the alpha-beta model (measured)",
    "beta: cycles that a byte adds (measured)",
    NULL,
};
#undef NAME

const struct hd_program hd_program_collective = {
    .name = "collective",
    .about = "groups of nodes do collectives of MPI by an algorithm; parameters collective, "
             "algorithm, bytes, members, groups, root, operator, under_way, repeat, gap, alpha, "
             "beta",
    .main = run,
    .parameters = parameters,
};
