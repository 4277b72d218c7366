/* Messages to multicast groups, on the model of fabrics (sw/endpoint_multicast.h): each other member gets each message once,
 * whole and in order, among other traffic; groups, trees and misuse.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/test.h"
#include "../lib/world_fixture.h"

enum { NODES = 16, TREES = 3, DELAY = 7, MOST = 1 << 16 };

/* A network that delivers each copy after DELAY cycles, and counts opened and closed trees. */
struct copy {
  uint64_t due, header;
  uint32_t node;
};
static struct {
  struct fake_network net;
  struct copy copies[MOST];
  uint32_t first, n, opened, closed, trees;
  uint64_t ready, change; /* bits that change in each header */
} hardware;

static int send_copies(void *context, const struct hd_world_packet *p)
{
  (void)context;
  if (!p->to)
    return fake_send(&hardware.net, p);
  for (uint32_t node = 0; node < NODES; node++)
    if (p->to[0] >> node & 1) {
      if (hardware.n == MOST)
        return HD_E_NOMEM;
      hardware.copies[hardware.n++] =
          (struct copy){hardware.net.now + DELAY, p->header ^ hardware.change, node};
    }
  return p->flits == 1 ? HD_OK : HD_E_INPUT;
}

static int multicast_open(void *context, uint32_t tree, const uint32_t *members, uint32_t n,
                          uint64_t *ready)
{
  (void)context;
  if (hardware.trees >> tree & 1 || tree >= TREES || n < 1 || members[n - 1] >= NODES)
    return HD_E_INTERNAL;
  hardware.trees |= 1u << tree;
  hardware.opened++;
  *ready = hardware.ready;
  return HD_OK;
}

static int multicast_close(void *context, uint32_t tree)
{
  (void)context;
  hardware.trees &= ~(1u << tree);
  hardware.closed++;
  return HD_OK;
}

static int run_world(struct hd_error *err)
{
  struct hd_world *world = hardware.net.world;
  int status = HD_OK;
  for (uint64_t idle = 0; !status && !hd_world_finished(world) && idle < 100000;
       hardware.net.now++) {
    status = hd_world_step(world, hardware.net.now, err);
    idle = hardware.first < hardware.n || hd_world_next_cycle(world) != UINT64_MAX ? 0 : idle + 1;
    for (; !status && hardware.first < hardware.n &&
           hardware.copies[hardware.first].due == hardware.net.now;
         hardware.first++)
      status =
          hd_world_deliver_multicast(world, hardware.copies[hardware.first].node,
                                     hardware.copies[hardware.first].header, hardware.net.now, err);
    if (hardware.first == hardware.n)
      hardware.first = hardware.n = 0;
  }
  return status ? status : hd_world_finished(world) ? HD_OK : HD_E_DEADLOCK;
}

static int try_run(void (*run)(struct hd_ep *ep), uint32_t trees, uint32_t data_bits,
                   struct hd_error *err)
{
  const struct hd_program program = program_of(run);
  struct hd_world_params p = fake_params(&hardware.net, NODES, &program);
  const uint64_t ready = hardware.ready, change = hardware.change;
  memset(&hardware, 0, sizeof hardware);
  hardware.ready = ready;
  hardware.change = change;
  p.send = send_copies;
  p.trees = trees;
  p.data_bits = data_bits;
  p.layout.header_bits = 2 + 4;
  p.multicast_open = multicast_open;
  p.multicast_close = multicast_close;
  create(&hardware.net, &p);
  const int status = run_world(err);
  fake_fini(&hardware.net);
  return status;
}

static void runs_well(void (*run)(struct hd_ep *ep), uint32_t data_bits)
{
  must(try_run(run, TREES, data_bits, &why));
  assert_true(compared > 0);
}

static void runs_badly(void (*run)(struct hd_ep *ep), const char *expected_message)
{
  assert_int_not_equal(try_run(run, TREES, 32, &why), 0);
  if (!strstr(why.text, expected_message))
    fail_msg("'%s' is not in '%s'", expected_message, why.text);
}

static int all_ranks(int *ranks)
{
  for (int i = 0; i < NODES; i++)
    ranks[i] = NODES - 1 - i;
  return NODES;
}

/* ── messages ──────────────────────────────────────────────────────────────── */

static const size_t lengths[] = {0, 1, 5, 6, 7, 64, 300};
enum { LENGTHS = sizeof lengths / sizeof *lengths, TAG = 4095 };

/* All send messages of all lengths; each receives all others', from one after the other. */
static void sends_to_all(struct hd_ep *ep)
{
  unsigned char bytes[300];
  int ranks[NODES];
  struct hd_ep_multicast *group;
  EXPECT(ep, hd_ep_multicast_create(ep, ranks, all_ranks(ranks), &group) == HD_EP_MULTICAST_OPEN);
  EXPECT(ep, hd_ep_time(ep) >= hardware.ready);
  for (unsigned i = 0; i < LENGTHS; i++) {
    fill(bytes, lengths[i], hd_ep_rank(ep), 0, i);
    hd_ep_multicast_send(ep, group, TAG, bytes, lengths[i]);
  }
  for (int from = 0; from < NODES; from++)
    for (unsigned i = 0; from != hd_ep_rank(ep) && i < LENGTHS; i++) {
      unsigned char wanted[300];
      struct hd_ep_status status;
      hd_ep_receive(ep, from, TAG, bytes, sizeof bytes, &status);
      fill(wanted, lengths[i], from, 0, i);
      EXPECT(ep, status.source == from && status.tag == TAG && status.bytes == lengths[i]);
      EXPECT(ep, !memcmp(bytes, wanted, lengths[i]));
    }
  hd_ep_multicast_destroy(ep, group);
}

TEST(every_member_except_the_sender_receives_each_message_in_order)
{
  hardware.ready = 50;
  runs_well(sends_to_all, 32);
  runs_well(sends_to_all, 64);
  assert_int_equal(hardware.opened, 1);
  assert_int_equal(hardware.closed, 1);
  assert_int_equal(hardware.trees, 0);
  hardware.ready = 0;
}

/* Groups one after the other take the same tree; three at once take three, and there is none for a fourth. */
static void opens_many(struct hd_ep *ep)
{
  struct hd_ep_multicast *group[TREES + 1];
  int ranks[NODES];
  const int n = all_ranks(ranks);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < TREES; i++)
      EXPECT(ep, !hd_ep_multicast_create(ep, ranks, n, &group[i]));
    EXPECT(ep, hd_ep_multicast_create(ep, ranks, n, &group[TREES]) == HD_EP_MULTICAST_FULL);
    for (int i = 0; i < TREES; i++)
      hd_ep_multicast_destroy(ep, group[i]);
    hd_ep_delay(ep, 10);
  }
}

static void creates_group_of_one(struct hd_ep *ep)
{
  const int rank = hd_ep_rank(ep);
  struct hd_ep_multicast *group;
  if (rank >= TREES)
    return;
  EXPECT(ep, !hd_ep_multicast_create(ep, &rank, 1, &group));
  hd_ep_multicast_send(ep, group, 1, "x", 1);
  EXPECT(ep, hd_ep_multicast_bytes(ep) == (32 - 10) / 8);
}

TEST(multicast_trees_are_assigned_and_released)
{
  runs_well(opens_many, 32);
  assert_int_equal(hardware.opened, 3 * TREES);
  assert_int_equal(hardware.closed, 3 * TREES);
  runs_well(creates_group_of_one, 32);
}

/* A message that nobody has received keeps the tree. */
static void leaves_early(struct hd_ep *ep)
{
  struct hd_ep_multicast *group;
  int ranks[NODES];
  EXPECT(ep, !hd_ep_multicast_create(ep, ranks, all_ranks(ranks), &group));
  if (!hd_ep_rank(ep))
    hd_ep_multicast_send(ep, group, 1, "x", 1);
  hd_ep_multicast_destroy(ep, group);
  hd_ep_delay(ep, 100);
}

TEST(a_tree_with_messages_under_way_is_not_released)
{
  runs_well(leaves_early, 32);
  assert_int_equal(hardware.closed, 0);
  assert_int_equal(hardware.trees, 1);
}

/* ── what is refused ───────────────────────────────────────────────────────── */

static void finds_no_multicast(struct hd_ep *ep)
{
  struct hd_ep_multicast *group;
  int ranks[NODES];
  EXPECT(ep, !hd_ep_multicast_bytes(ep));
  EXPECT(ep, hd_ep_multicast_create(ep, ranks, all_ranks(ranks), &group) ==
                 HD_EP_MULTICAST_UNSUPPORTED);
}

static void finds_no_room(struct hd_ep *ep)
{
  struct hd_ep_multicast *group;
  int ranks[NODES];
  EXPECT(ep, hd_ep_multicast_create(ep, ranks, all_ranks(ranks), &group) == HD_EP_MULTICAST_NARROW);
}

static void names_a_stranger(struct hd_ep *ep)
{
  struct hd_ep_multicast *group;
  const int ranks[] = {hd_ep_rank(ep), NODES};
  hd_ep_multicast_create(ep, ranks, 2, &group);
}

static void uses_another_part(struct hd_ep *ep)
{
  static struct hd_ep_multicast *first;
  struct hd_ep_multicast *group;
  int ranks[NODES];
  hd_ep_multicast_create(ep, ranks, all_ranks(ranks), &group);
  if (!hd_ep_rank(ep))
    first = group;
  hd_ep_delay(ep, 5);
  hd_ep_multicast_send(ep, first, 1, "x", 1);
}

TEST(misuse_is_named)
{
  must(try_run(finds_no_multicast, 0, 32, &why));
  must(try_run(finds_no_room, TREES, 16, &why));
  runs_badly(names_a_stranger, "multicast group with node 16; nodes are 0 to 15");
  runs_badly(
      uses_another_part,
      "multicast group 0 was used with a handle of another node, or after this node had left it");
}

/* Flips a bit of the tree, the sender, the tag or a byte of the message. The flit then belongs to no message. */
TEST(a_flit_that_belongs_to_no_message_is_refused)
{
  static const unsigned bits[] = {2, 6, 10, 28};
  for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
    hardware.change = UINT64_C(1) << bits[i];
    runs_badly(sends_to_all, "is no part of a message under way");
  }
  hardware.change = 0;
}
