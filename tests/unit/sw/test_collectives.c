/* Collectives: every method delivers every byte, for any root and length, with several at once. Misuse is named.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/known_network.h"
#include "../lib/world_fixture.h"
#include "../lib/test.h"

#include "../../../sw/collectives/collectives.h"

enum { NODES = 20, MEMBERS = 17, GUARD = 8, LONGEST = 210 };

static int n_members; /* of the communicator of a test's software */

static struct hd_world_params line_params(struct fake_network *net)
{
  struct hd_world_params p = fake_params(net, NODES, NULL);
  known_network(&p);
  return p;
}

/* ── what must arrive ──────────────────────────────────────────────────────── */

/* Byte i of what member `from` has for member `to` (0 where it is for all). */
static unsigned char byte_of(int from, int to, size_t i)
{
  return (unsigned char)(from * 89 + to * 37 + (int)i * 11 + (int)(i >> 8) * 5 + 3);
}

/* Bytes from one member to another in alltoallv. */
static size_t v_bytes(int from, int to, size_t bytes)
{
  return bytes * (size_t)((from + 2 * to) % 3);
}

static uint32_t element_of(int from, int to, size_t i)
{
  uint32_t element = 0;
  for (size_t j = 0; j < 4; j++)
    element |= (uint32_t)byte_of(from, to, 4 * i + j) << 8 * j;
  return element;
}

/* Byte i of all members' contributions for `to`, combined. Written again here, without an operator of the library. */
static unsigned char combined_byte(const struct hd_operator *op, int p, int to, size_t i)
{
  uint32_t result = op == &hd_operator_min_u32 ? UINT32_MAX : 0;
  for (int from = 0; from < p; from++) {
    uint32_t element = element_of(from, to, i / 4);
    if (op == &hd_operator_sum_u8)
      result += byte_of(from, to, i);
    else if (op == &hd_operator_xor_u8)
      result ^= byte_of(from, to, i);
    else if (op == &hd_operator_sum_u32)
      result += element;
    else if (op == &hd_operator_min_u32)
      result = element < result ? element : result;
    else
      result = element > result ? element : result;
  }
  return (unsigned char)(op->element_bytes == 1 ? result : result >> 8 * (i % 4));
}

/* An operation with its buffers; a guard follows each. */
struct work {
  struct hd_collective_call call;
  unsigned char *send, *receive;
  size_t n_send, n_receive;
  size_t send_bytes[MEMBERS], receive_bytes[MEMBERS];
  struct hd_operation *operation;
};

static void put_contribution(unsigned char *to, size_t n, int from, int destination)
{
  for (size_t i = 0; i < n; i++)
    to[i] = byte_of(from, destination, i);
}

static void prepare_buffers(struct hd_ep *ep, struct work *w, const struct hd_comm *comm)
{
  int p = hd_comm_size(comm), me = hd_comm_index(comm);
  size_t bytes = w->call.bytes;
  enum hd_collective c = w->call.collective;
  bool to_each = c == HD_COLLECTIVE_ALLTOALL || c == HD_COLLECTIVE_REDUCE_SCATTER ||
                 (c == HD_COLLECTIVE_SCATTER && me == w->call.root);
  bool from_each = c == HD_COLLECTIVE_ALLTOALL || c == HD_COLLECTIVE_ALLGATHER ||
                   (c == HD_COLLECTIVE_GATHER && me == w->call.root);
  w->n_send = bytes * (size_t)(to_each ? p : 1);
  w->n_receive = bytes * (size_t)(from_each ? p : 1);
  if (c == HD_COLLECTIVE_ALLTOALLV) {
    w->n_send = w->n_receive = 0;
    for (int i = 0; i < p; i++) {
      w->n_send += w->send_bytes[i] = v_bytes(me, i, bytes);
      w->n_receive += w->receive_bytes[i] = v_bytes(i, me, bytes);
    }
  }
  w->send = hd_ep_alloc(ep, w->n_send + GUARD);
  w->receive = hd_ep_alloc(ep, w->n_receive + GUARD);
  memset(w->receive, 0xee, w->n_receive + GUARD);
  if (c == HD_COLLECTIVE_ALLTOALLV)
    for (int i = 0, at = 0; i < p; at += (int)w->send_bytes[i++])
      put_contribution(w->send + at, w->send_bytes[i], me, i);
  else
    for (int i = 0; i < (to_each ? p : 1); i++)
      put_contribution(w->send + (size_t)i * bytes, bytes, me, to_each ? i : 0);
  if (c == HD_COLLECTIVE_BROADCAST && me == w->call.root)
    put_contribution(w->receive, bytes, me, 0);
  w->call.send = w->send;
  w->call.receive = w->receive;
  w->call.send_bytes = w->send_bytes;
  w->call.receive_bytes = w->receive_bytes;
}

/* The byte that must be at place i of this member's receive buffer. */
static unsigned char right_byte(const struct work *w, int p, int me, size_t i)
{
  size_t bytes = w->call.bytes;
  bool result = me == w->call.root;
  switch (w->call.collective) {
  case HD_COLLECTIVE_BROADCAST:
    return byte_of(w->call.root, 0, i);
  case HD_COLLECTIVE_SCATTER:
    return byte_of(w->call.root, me, i);
  case HD_COLLECTIVE_GATHER:
    return result ? byte_of((int)(i / bytes), 0, i % bytes) : 0xee;
  case HD_COLLECTIVE_ALLGATHER:
    return byte_of((int)(i / bytes), 0, i % bytes);
  case HD_COLLECTIVE_REDUCE:
    return result ? combined_byte(w->call.op, p, 0, i) : 0xee;
  case HD_COLLECTIVE_ALLREDUCE:
    return combined_byte(w->call.op, p, 0, i);
  case HD_COLLECTIVE_REDUCE_SCATTER:
    return combined_byte(w->call.op, p, me, i);
  case HD_COLLECTIVE_ALLTOALL:
    return byte_of((int)(i / bytes), me, i % bytes);
  case HD_COLLECTIVE_ALLTOALLV: {
    int from = 0;
    for (; i >= w->receive_bytes[from]; from++)
      i -= w->receive_bytes[from];
    return byte_of(from, me, i);
  }
  case HD_COLLECTIVE_BARRIER:
  case HD_COLLECTIVES:
    break;
  }
  return 0xee;
}

static void check_work(struct hd_ep *ep, const struct work *w, const struct hd_comm *comm)
{
  int p = hd_comm_size(comm), me = hd_comm_index(comm);
  for (size_t i = 0; i < w->n_receive + GUARD; i++) {
    unsigned char expected = i < w->n_receive ? right_byte(w, p, me, i) : 0xee;
    if (w->receive[i] != expected)
      hd_ep_abort(ep, "%s by %s, root %d of %d, %zu bytes: byte %zu of member %d is %d, not %d",
                  hd_collective_info(w->call.collective).name,
                  hd_algorithm_info(w->call.algorithm).name, w->call.root, p, w->call.bytes, i, me,
                  w->receive[i], expected);
    compared++;
  }
  for (size_t i = 0; i < GUARD; i++)
    EXPECT(ep, !w->send[w->n_send + i]);
}

/* Members in another order than their ranks, from rank 1 on. */
static struct hd_comm *comm_of(struct hd_ep *ep, struct hd_collectives *collectives, int n,
                               int first_tag)
{
  int ranks[NODES];
  bool member = false;
  for (int i = 0; i < n; i++) {
    ranks[i] = 1 + (i * 5 + 3) % n;
    for (int j = 0; j < i; j++)
      if (ranks[j] == ranks[i]) /* where 5 and n have a common divisor */
        ranks[i] = 1 + (ranks[i] % n), j = -1;
    member = member || ranks[i] == hd_ep_rank(ep);
  }
  struct hd_comm *comm = member ? hd_comm_create(collectives, ranks, n, first_tag) : NULL;
  if (comm)
    hd_comm_set_search(comm, 0);
  return comm;
}

static void run_one_collective(struct hd_ep *ep, struct hd_comm *comm, struct work w)
{
  prepare_buffers(ep, &w, comm);
  hd_operation_wait(hd_comm_start(comm, &w.call));
  check_work(ep, &w, comm);
}

/* ── tests ─────────────────────────────────────────────────────────────────── */

/* Lengths: nothing, a byte, less than the members, odd, more than a packet (64 bytes). */
static void every_method(struct hd_ep *ep)
{
  static const size_t lengths[] = {0, 1, 7, 64, LONGEST - 1};
  struct hd_comm *comm = comm_of(ep, hd_collectives_create(ep), n_members, 128);
  struct hd_method_info m;
  if (!comm)
    return;
  for (unsigned i = 0; hd_method_info(i, &m); i++) {
    struct hd_collective_info info = hd_collective_info(m.collective);
    if (m.needs >= HD_NEEDS_BARRIERS || !hd_method_possible(m.collective, m.algorithm, n_members))
      continue; /* barriers: test_collective_network.c */
    for (size_t j = 0; j < sizeof lengths / sizeof *lengths; j++)
      for (int root = 0; root < n_members; root += info.rooted ? 1 + n_members / 4 : n_members)
        run_one_collective(
            ep, comm,
            (struct work){.call = {.collective = m.collective,
                                   .algorithm = m.algorithm,
                                   .root = root,
                                   .bytes = lengths[j],
                                   .op = j % 2 ? &hd_operator_sum_u8 : &hd_operator_xor_u8}});
  }
}

TEST(every_method_delivers_every_byte)
{
  uint64_t all = 0;
  for (n_members = 1; n_members <= MEMBERS; n_members++) {
    struct fake_network net = {.max_delay = 30};
    run_well(every_method, line_params(&net), &net);
    all += compared;
  }
  printf("%" PRIu64 " bytes compared\n", all);
}

/* Parts are cut between elements, also where there are fewer elements than members. */
static void every_operator(struct hd_ep *ep)
{
  static const struct hd_operator *const operators[] = {&hd_operator_sum_u32, &hd_operator_min_u32,
                                                        &hd_operator_max_u32};
  struct hd_comm *comm = comm_of(ep, hd_collectives_create(ep), n_members, 0);
  struct hd_method_info m;
  if (!comm)
    return;
  for (unsigned i = 0; hd_method_info(i, &m); i++) {
    if (!hd_collective_info(m.collective).reduces || m.needs >= HD_NEEDS_BARRIERS ||
        !hd_method_possible(m.collective, m.algorithm, n_members))
      continue;
    for (size_t j = 0; j < 3; j++)
      for (size_t bytes = 4; bytes < LONGEST; bytes += 72)
        run_one_collective(ep, comm,
                           (struct work){.call = {.collective = m.collective,
                                                  .algorithm = m.algorithm,
                                                  .root = n_members - 1,
                                                  .bytes = bytes,
                                                  .op = operators[j]}});
  }
}

TEST(every_operator_combines_whole_elements)
{
  static const int numbers[] = {2, 7, 8, 12};
  for (size_t i = 0; i < 4; i++) {
    struct fake_network net = {.max_delay = 30};
    n_members = numbers[i];
    run_well(every_operator, line_params(&net), &net);
  }
}

/* A block longer than a message of the endpoint API goes in several messages. */
static void long_block(struct hd_ep *ep)
{
  const size_t bytes = ((size_t)1 << 20) + 5;
  static const int ranks[] = {0, 1};
  struct hd_comm *comm = hd_comm_create(hd_collectives_create(ep), ranks, 2, 0);
  unsigned char *block = hd_ep_alloc(ep, bytes);
  if (!hd_comm_index(comm))
    put_contribution(block, bytes, 0, 0);
  hd_comm_broadcast(comm, block, bytes, 0);
  for (size_t i = 0; i < bytes; i++)
    EXPECT(ep, block[i] == byte_of(0, 0, i));
}

TEST(blocks_longer_than_a_message_are_sent_as_several_messages)
{
  struct fake_network net = {.fixed_delay = 3};
  struct hd_world_params p = fake_params(&net, 2, NULL);
  p.packet_bytes = 4096;
  run_well(long_block, p, &net);
}

/* Tests the calls that take their arguments directly instead of in a structure. */
static void calls(struct hd_ep *ep)
{
  enum { P = 5, N = 12 };
  struct hd_comm *comm = comm_of(ep, hd_collectives_create(ep), P, 0);
  if (!comm)
    return;
  int me = hd_comm_index(comm);
  EXPECT(ep, hd_comm_size(comm) == P);
  unsigned char send[P * N], receive[P * N];
  size_t out[P], in[P];
  for (int i = 0; i < P; i++)
    put_contribution(send + i * N, N, me, i);
  put_contribution(receive, N, 2, 0);
  if (me != 2)
    memset(receive, 0, sizeof receive);
  hd_comm_broadcast(comm, receive, N, 2);
  for (size_t i = 0; i < N; i++)
    EXPECT(ep, receive[i] == byte_of(2, 0, i));
  hd_comm_scatter(comm, send, receive, N, 3);
  for (size_t i = 0; i < N; i++)
    EXPECT(ep, receive[i] == byte_of(3, me, i));
  hd_comm_gather(comm, send, receive, N, 1);
  for (size_t i = 0; me == 1 && i < P * N; i++)
    EXPECT(ep, receive[i] == byte_of((int)i / N, 0, i % N));
  hd_comm_allgather(comm, send, receive, N);
  for (size_t i = 0; i < P * N; i++)
    EXPECT(ep, receive[i] == byte_of((int)i / N, 0, i % N));
  hd_comm_reduce(comm, send, receive, N, &hd_operator_sum_u32, 4);
  for (size_t i = 0; me == 4 && i < N; i++)
    EXPECT(ep, receive[i] == combined_byte(&hd_operator_sum_u32, P, 0, i));
  hd_comm_allreduce(comm, send, receive, N, &hd_operator_max_u32);
  for (size_t i = 0; i < N; i++)
    EXPECT(ep, receive[i] == combined_byte(&hd_operator_max_u32, P, 0, i));
  hd_comm_reduce_scatter(comm, send, receive, N, &hd_operator_xor_u8);
  for (size_t i = 0; i < N; i++)
    EXPECT(ep, receive[i] == combined_byte(&hd_operator_xor_u8, P, me, i));
  hd_comm_alltoall(comm, send, receive, N);
  for (size_t i = 0; i < P * N; i++)
    EXPECT(ep, receive[i] == byte_of((int)i / N, me, i % N));
  for (int i = 0; i < P; i++)
    out[i] = in[i] = N;
  memset(receive, 0, sizeof receive);
  hd_comm_alltoallv(comm, send, out, receive, in);
  for (size_t i = 0; i < P * N; i++)
    EXPECT(ep, receive[i] == byte_of((int)i / N, me, i % N));
  hd_comm_barrier(comm);
}

TEST(collective_calls_have_the_results_of_mpi)
{
  struct fake_network net = {.max_delay = 10};
  run_well(calls, line_params(&net), &net);
}

/* A late member delays all. No member leaves a barrier before the last one has arrived. */
static void barriers(struct hd_ep *ep)
{
  struct hd_collectives *collectives = hd_collectives_create(ep);
  struct hd_comm *comm = comm_of(ep, collectives, n_members, 0);
  struct hd_method_info m;
  uint64_t late = 0;
  if (!comm)
    return;
  for (unsigned i = 0; hd_method_info(i, &m); i++) {
    const struct hd_collective_call call = {.collective = HD_COLLECTIVE_BARRIER,
                                            .algorithm = m.algorithm};
    if (m.collective != HD_COLLECTIVE_BARRIER || m.needs >= HD_NEEDS_BARRIERS)
      continue;
    for (int last = 0; last < n_members; last++) {
      late += 5000;
      if (hd_comm_index(comm) == last)
        hd_ep_wait_until(ep, late);
      hd_operation_wait(hd_comm_start(comm, &call));
      EXPECT(ep, hd_ep_time(ep) >= late && hd_ep_time(ep) < late + 5000);
    }
  }
}

TEST(no_member_leaves_a_barrier_before_the_last_has_arrived)
{
  for (n_members = 2; n_members <= MEMBERS; n_members += 3) {
    struct fake_network net = {.max_delay = 30};
    run_well(barriers, line_params(&net), &net);
  }
}

/* Two groups with common members, many operations of each, which members end in different orders. A wait must also
 * advance the other operations, or members would wait for each other for ever. */
static void run_overlapping_groups(struct hd_ep *ep)
{
  enum { EACH = 24 };
  struct hd_collectives *collectives = hd_collectives_create(ep);
  struct hd_comm *comms[2] = {NULL, NULL};
  struct work works[2 * EACH];
  int rank = hd_ep_rank(ep), n = 0;
  for (int g = 0; g < 2; g++) {
    int ranks[11];
    for (int i = 0; i < 11; i++)
      ranks[i] = g ? 17 - i : i; /* 0 … 10, and 17 … 7 */
    if (g ? rank >= 7 && rank <= 17 : rank <= 10)
      comms[g] = hd_comm_create(collectives, ranks, 11, g * HD_COMM_TAGS);
  }
  for (int i = 0; i < 2 * EACH; i++) {
    struct hd_comm *comm = comms[i % 2];
    if (!comm)
      continue;
    works[n] = (struct work){.call = {.collective = (enum hd_collective)(i / 2 % HD_COLLECTIVES),
                                      .root = i % 11,
                                      .bytes = (size_t)i * 3,
                                      .op = &hd_operator_sum_u8}};
    prepare_buffers(ep, &works[n], comm);
    works[n].operation = hd_comm_start(comm, &works[n].call);
    n++;
  }
  for (int i = 0; i < n; i++) {
    struct work *w = &works[rank % 2 ? n - 1 - i : i];
    if (rank % 3)
      hd_operation_wait(w->operation);
    else
      while (!hd_operation_test(w->operation))
        ;
  }
  for (int i = 0; i < n; i++) {
    struct hd_comm *comm = comms[0] && comms[1] ? comms[i % 2] : comms[0] ? comms[0] : comms[1];
    check_work(ep, &works[i], comm);
  }
}

TEST(many_operations_of_overlapping_groups_are_under_way_at_once)
{
  struct fake_network net = {.max_delay = 200};
  run_well(run_overlapping_groups, line_params(&net), &net);
}

/* More operations than tags, one after the other: a tag is used again, and old messages are not taken for new
 * ones, though the root of a broadcast runs far ahead. */
static void run_ahead(struct hd_ep *ep)
{
  struct hd_comm *comm = comm_of(ep, hd_collectives_create(ep), 6, 0);
  if (!comm)
    return;
  for (int i = 0; i < 3 * HD_COMM_TAGS; i++) {
    unsigned char block[40] = {0};
    if (!hd_comm_index(comm))
      put_contribution(block, sizeof block, i, 0);
    hd_comm_broadcast(comm, block, sizeof block, 0);
    for (size_t j = 0; j < sizeof block; j++)
      EXPECT(ep, block[j] == byte_of(i, 0, j));
    if (hd_comm_index(comm))
      hd_ep_delay(ep, 50);
  }
}

TEST(tags_are_used_again_without_mixing)
{
  struct fake_network net = {.max_delay = 60};
  run_well(run_ahead, line_params(&net), &net);
}

/* 2,000 cycles of computing hide a broadcast that takes 600 by itself, and the other way around. */
static uint64_t cycles_alone, cycles_hidden;

static void overlap_with_computation(struct hd_ep *ep)
{
  struct hd_comm *comm = comm_of(ep, hd_collectives_create(ep), 8, 0);
  if (!comm)
    return;
  unsigned char block[64] = {0};
  uint64_t start = hd_ep_time(ep);
  hd_comm_broadcast(comm, block, sizeof block, 0);
  if (hd_ep_time(ep) - start > cycles_alone)
    cycles_alone = hd_ep_time(ep) - start;
  hd_ep_wait_until(ep, 10000);
  struct hd_operation *operation = hd_comm_ibroadcast(comm, block, sizeof block, 0);
  bool done = false;
  for (int i = 0; i < 200; i++) {
    hd_ep_delay(ep, 10);
    done = done || hd_operation_test(operation);
  }
  if (!done)
    hd_operation_wait(operation);
  if (hd_ep_time(ep) - 10000 > cycles_hidden)
    cycles_hidden = hd_ep_time(ep) - 10000;
  EXPECT(ep, done);
}

TEST(computation_overlaps_with_collectives_under_way)
{
  struct fake_network net = {.fixed_delay = 200};
  cycles_alone = cycles_hidden = 0;
  run_well(overlap_with_computation, line_params(&net), &net);
  assert_in_range(cycles_alone, 600, 700);
  assert_in_range(cycles_hidden, 2000, 2000 + 100);
}

/* ── what the network gives ────────────────────────────────────────────────── */

static const int *asked_ranks; /* ranks, and … */
static int n_asked_ranks;
static enum hd_algorithm asked_algorithm; /* … what is refused for them, or not */

/* Two steps of three messages are as few as any method has; three are not. AUTO is never refused. */
static void ask_for_shape(struct hd_ep *ep)
{
  bool member = false;
  for (int i = 0; i < n_asked_ranks; i++)
    member = member || asked_ranks[i] == hd_ep_rank(ep);
  if (!member)
    return;
  struct hd_comm *comm = hd_comm_create(hd_collectives_create(ep), asked_ranks, n_asked_ranks, 0);
  struct hd_collective_call call = {
      .collective = HD_COLLECTIVE_ALLGATHER, .algorithm = asked_algorithm, .bytes = 10};
  struct hd_collective_shape shape;
  const char *refusal = NULL;
  bool there = hd_comm_shape(comm, &call, &shape, &refusal);
  if (asked_algorithm == HD_ALGORITHM_NETWORK_CODED && n_asked_ranks == 3)
    EXPECT(ep, !there && strstr(refusal, "the members are 3 nodes of a box of 8"));
  if (asked_algorithm == HD_ALGORITHM_NETWORK_CODED && n_asked_ranks == 4)
    EXPECT(ep, there && shape.coded_steps >= 3 && !shape.schedule_steps);
  if (asked_algorithm == HD_ALGORITHM_SCHEDULE) /* a ring on a line */
    EXPECT(ep, there && shape.schedule_steps == (uint32_t)n_asked_ranks - 1 && !shape.coded_steps);
  call.algorithm = HD_ALGORITHM_AUTO;
  EXPECT(ep, hd_comm_shape(comm, &call, &shape, NULL));
  EXPECT(ep, shape.schedule_steps == (uint32_t)n_asked_ranks - 1);
  EXPECT(ep, hd_method_choose(call.collective, &shape) ==
                 (n_asked_ranks == 4 ? HD_ALGORITHM_RECURSIVE_DOUBLING : HD_ALGORITHM_SCHEDULE));
  shape.bytes = 100000;
  EXPECT(ep, hd_method_choose(call.collective, &shape) == HD_ALGORITHM_SCHEDULE);
  call.collective = HD_COLLECTIVE_ALLREDUCE;
  EXPECT(ep, hd_comm_shape(comm, &call, &shape, NULL) && !shape.schedule_steps);
}

TEST(algorithms_that_the_network_offers_are_chosen_others_refused)
{
  static const int far[] = {2, 9, 4}, near[] = {7, 4, 6, 5};
  static const enum hd_algorithm algorithms[] = {HD_ALGORITHM_SCHEDULE, HD_ALGORITHM_NETWORK_CODED};
  for (unsigned i = 0; i < 4; i++) {
    struct fake_network net = {.fixed_delay = 3};
    asked_ranks = i % 2 ? near : far;
    n_asked_ranks = i % 2 ? 4 : 3;
    asked_algorithm = algorithms[i / 2];
    run_well(ask_for_shape, line_params(&net), &net);
  }
}

/* ── misuse ────────────────────────────────────────────────────────────────── */

static const char *misuse_name; /* is to be done wrong */

static bool misuse_is(const char *name)
{
  return !strcmp(misuse_name, name);
}

static void misuse(struct hd_ep *ep)
{
  struct hd_collectives *collectives = hd_collectives_create(ep);
  const int all[] = {0, 1, 2}, twice[] = {0, 1, 1}, foreign[] = {1, 2, 9};
  unsigned char block[100] = {0}, other[100];
  if (misuse_is("twice"))
    hd_comm_create(collectives, twice, 3, 0);
  if (misuse_is("foreign"))
    hd_comm_create(collectives, foreign, 3, 0);
  if (misuse_is("without"))
    hd_comm_create(collectives, all, hd_ep_rank(ep) ? hd_ep_rank(ep) : 1, 0);
  if (misuse_is("none"))
    hd_comm_create(collectives, all, 0, 0);
  struct hd_comm *comm = hd_comm_create(collectives, all, 3, misuse_is("tags") ? 4033 : 4032);
  struct hd_collective_call call = {.collective = HD_COLLECTIVE_ALLREDUCE,
                                    .send = block,
                                    .receive = other,
                                    .bytes = 10,
                                    .op = &hd_operator_sum_u32};
  const size_t in[] = {1, 2, 3}, out[] = {2, 1, 0};
  if (misuse_is("elements"))
    hd_comm_start(comm, &call);
  call.op = NULL;
  if (misuse_is("operator"))
    hd_comm_start(comm, &call);
  if (misuse_is("root"))
    hd_comm_ibroadcast(comm, block, 10, 3);
  if (misuse_is("alltoallv"))
    hd_comm_ialltoallv(comm, block, in, other, out);
  if (misuse_is("alpha"))
    hd_comm_set_cost(comm, -1, 0);
  if (misuse_is("search"))
    hd_comm_set_search(comm, -1);
  call.collective = HD_COLLECTIVE_ALLGATHER;
  call.algorithm = HD_ALGORITHM_RECURSIVE_DOUBLING;
  if (misuse_is("power"))
    hd_comm_start(comm, &call);
  call.algorithm = HD_ALGORITHM_SCHEDULE;
  if (misuse_is("schedule"))
    hd_comm_start(comm, &call);
  call.algorithm = HD_ALGORITHM_NETWORK_CODED;
  if (misuse_is("coded"))
    hd_comm_start(comm, &call);
  call.collective = HD_COLLECTIVES;
  if (misuse_is("collective"))
    hd_comm_start(comm, &call);
  if (misuse_is("lengths"))
    hd_comm_broadcast(comm, block, hd_ep_rank(ep) == 2 ? 9 : 10, 0);
  if (misuse_is("ended")) {
    struct hd_operation *operation = hd_comm_ibarrier(comm);
    hd_operation_wait(operation);
    hd_operation_wait(operation);
  }
  for (int i = 0; misuse_is("many") && i <= HD_COMM_TAGS; i++)
    hd_comm_ibarrier(comm);
}

TEST(misuse_is_named)
{
  static const struct {
    const char *what, *expected_message;
  } cases[] = {
      {"twice", "communicator with rank 1 twice"},
      {"foreign", "communicator with rank 9; ranks are 0 to 2"},
      {"without", "communicator without this rank, 1"},
      {"none", "communicator of 0 members; 1 to 3 are possible"},
      {"tags", "communicator with tags from 4033 on; 0 to 4032 are possible"},
      {"elements", "allreduce of 10 bytes; operator sum-u32 has elements of 4"},
      {"operator", "allreduce without an operator"},
      {"root", "broadcast with root 3; members are 0 to 2"},
      {"alltoallv", "alltoallv in which this member sends itself another length"},
      {"alpha", "alpha -1, beta 0; both are at least 0"},
      {"power", "allgather cannot be done by algorithm recursive-doubling with 3 members"},
      {"search", "search for -1 seconds; it is at least 0"},
      {"schedule", "allgather by algorithm schedule: nothing is known of the network"},
      {"coded", "allgather by algorithm network-coded: the network has no coordinates"},
      {"collective", "there is no collective"},
      {"lengths", "10 bytes came from node 0; 9 were expected"},
      {"ended", "operation of a collective that was ended before"},
      {"many", "more than 64 collectives of a communicator under way"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    misuse_name = cases[i].what;
    run_badly(misuse, 3, HD_E_SOFTWARE, cases[i].expected_message);
  }
}
