/* Barriers by messages: the shape of their trees, no member leaves early, congestion delays them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=N replays a run.
 */
#include "../lib/runs.h"
#include "../lib/random_graph.h"

#include "../../../sw/programs/programs.h"
#include "../lib/fake_network.h"
#include "../lib/test.h"

static const struct hd_program *const programs[] = {
    &hd_program_barrier_star, &hd_program_barrier_so_tree, &hd_program_barrier_cs_tree};
enum { STAR, SO, CS, PROGRAMS };

/* ── the trees, by the messages of a round ─────────────────────────────────── */

enum { NODES = 60, COLUMNS = 10, NOBODY = -1 };

/* A network that records the parent of each node: the destination of the first message that the node sends. */
struct overheard {
  struct fake_network net; /* first: context of fake_send */
  int parent[NODES], messages[NODES], order[NODES], center;
  int told[NODES], turn[NODES]; /* how many children it has told; which of its parent's it was */
};

static struct overheard *overheard_round;

static int record_and_send(void *context, const struct hd_world_packet *sent)
{
  if (!overheard_round->messages[sent->source]++ && (int)sent->source != overheard_round->center)
    overheard_round->parent[sent->source] = (int)sent->destination;
  else
    overheard_round->turn[sent->destination] = ++overheard_round->told[sent->source];
  return fake_send(context, sent);
}

static int give_order(void *context, int *nodes)
{
  (void)context;
  memcpy(nodes, overheard_round->order, sizeof overheard_round->order);
  return 0;
}

/* A round of n members; who is one has a parent or is the center. */
static void record_round(struct overheard *o, struct dice *dice, const struct hd_program *program,
                         int n)
{
  struct hd_parameter parameters[] = {{.key = (char[]){"members"}, .number = n},
                                      {.key = (char[]){"rounds"}, .number = 1},
                                      {.key = (char[]){"center"}, .number = 0},
                                      {.key = (char[]){"columns"}, .number = COLUMNS}};
  uint64_t ended = 0;
  *o = (struct overheard){.center = (int)roll(dice, NODES)};
  overheard_round = o;
  parameters[2].number = o->center;
  for (int i = 0; i < NODES; i++) {
    int with = (int)roll(dice, (uint32_t)i + 1);
    o->parent[i] = NOBODY;
    o->order[i] = o->order[with];
    o->order[with] = i;
  }
  o->net.max_delay = 30;
  struct hd_world_params p = fake_params(&o->net, NODES, program);
  p.send = record_and_send;
  p.order = give_order;
  p.startup_cycles = roll(dice, 20);
  p.seed = roll(dice, UINT32_MAX);
  p.parameters = parameters;
  p.n_parameters = program == &hd_program_barrier_cs_tree ? 4 : 3;
  hd_random_seed(&o->net.random, p.seed, UINT32_MAX);
  int status = hd_world_create(&o->net.world, &p, &why);
  if (!status)
    status = fake_run(&o->net, 1000000, &ended, &why);
  if (status)
    print_error("%s\n", why.text);
  assert_int_equal(status, 0);
  assert_true(hd_world_finished(o->net.world));
  int members = 1, messages = 0;
  for (int i = 0; i < NODES; i++) {
    members += o->parent[i] != NOBODY;
    messages += o->messages[i];
  }
  assert_int_equal(members, n);
  assert_int_equal(messages, 2 * (n - 1)); /* one up and one down for each but the center */
  fake_fini(&o->net);
}

static int depth_of(const struct overheard *o, int node)
{
  int depth = 0;
  for (; node != o->center; node = o->parent[node], depth++) {
    assert_true(o->parent[node] != NOBODY);
    assert_true(depth < NODES);
  }
  return depth;
}

/* The step in which a node is released if each node releases one other in a step. */
static int step_of(const struct overheard *o, int node)
{
  int step = 0;
  for (; node != o->center; node = o->parent[node])
    step += o->turn[node];
  return step;
}

static bool is_member(const struct overheard *o, int node)
{
  return node == o->center || o->parent[node] != NOBODY;
}

static bool is_descendant(const struct overheard *o, int node, int ancestor)
{
  while (node != ancestor && node != o->center)
    node = o->parent[node];
  return node == ancestor;
}

/* Members below `ancestor` are neighbours in the order, which is cyclic. */
static void assert_range(const struct overheard *o, int ancestor)
{
  int last = NOBODY, changes = 0;
  for (int i = 0; i <= NODES; i++) {
    int node = o->order[i % NODES];
    if (!is_member(o, node))
      continue;
    int its = is_descendant(o, node, ancestor);
    changes += last != NOBODY && its != last;
    last = its;
  }
  assert_true(changes <= 2);
}

static int log2_ceil(int n)
{
  int bits = 0;
  while (1 << bits < n)
    bits++;
  return bits;
}

/* Next to its parent in its row towards the center's column, or the row's nearest to it and above it
 * the same of the next row with members. */
static void assert_cs(const struct overheard *o, int node)
{
  int parent = o->parent[node], cx = o->center % COLUMNS, cy = o->center / COLUMNS;
  int x = node % COLUMNS, y = node / COLUMNS, py = parent / COLUMNS;
  for (int i = 0; i < NODES; i++) {
    int ix = i % COLUMNS, iy = i / COLUMNS;
    if (!is_member(o, i) || i == node || i == parent)
      continue;
    if (y == py)
      assert_false(iy == y && (ix - x) * (ix - parent % COLUMNS) < 0); /* nobody between */
    else {
      assert_false(iy == y && abs(ix - cx) < abs(x - cx));
      assert_false(iy == py && abs(ix - cx) < abs(parent % COLUMNS - cx));
      assert_false((iy - y) * (iy - py) < 0);
    }
  }
  assert_true(y == py || abs(py - cy) < abs(y - cy));
}

TEST(barriers_by_messages_use_the_specified_trees)
{
  struct dice dice = dice_begin(__func__, "test_barrier_baselines");
  static struct overheard o;
  uint32_t branches = 0, deepest[PROGRAMS] = {0};
  for (int i = 0; i < 150; i++) {
    int which = i % PROGRAMS, n = i < 6 ? NODES : 1 + (int)roll(&dice, NODES);
    record_round(&o, &dice, programs[which], n);
    int steps = 0;
    for (int node = 0; node < NODES; node++) {
      if (!is_member(&o, node))
        continue;
      steps = step_of(&o, node) > steps ? step_of(&o, node) : steps;
      int depth = depth_of(&o, node);
      deepest[which] = depth > (int)deepest[which] ? (uint32_t)depth : deepest[which];
      if (which == SO)
        assert_range(&o, node);
      if (node == o.center)
        continue;
      branches++;
      if (which == STAR)
        assert_int_equal(o.parent[node], o.center);
      if (which == CS)
        assert_cs(&o, node);
    }
    if (which == SO)
      assert_int_equal(steps, log2_ceil(n));
  }
  printf("%u branches; depth of star, SO and CS trees at most %u, %u, %u\n", branches,
         deepest[STAR], deepest[SO], deepest[CS]);
  assert_int_equal(deepest[STAR], 1);
  assert_true(branches > 2000);
}

/* ── on switches ───────────────────────────────────────────────────────────── */

static struct hd_run_report measure(const char *program, const char *fabric, int members,
                                    const char *more, unsigned seed)
{
  struct hd_run_report r;
  char text[1024];
  snprintf(
      text, sizeof text,
      "name: baselines\nfabric: %s\nsoftware:\n  program: %s\n  startup_cycles: 20\n"
      "  parameters: {members: %d, rounds: 8%s}\nseed: %u\nrun: {dut: none, cycles: 1000000}\n",
      fabric, program, members, more, seed);
  run_text_well(text, &r);
  assert_int_equal(statistic(&r, "first barriers")->n, 1);
  assert_int_equal(statistic(&r, "later barriers")->n, 7);
  return r;
}

static const char *const fabrics[] = {
    "{topology: mesh, dims: [6, 6]}", "{topology: irregular, switches: 36}",
    "{topology: irregular, switches: 25, degree: 5, graph_seed: 3}", "{topology: tree, k: 2, n: 4}",
    "{topology: tree, k: 4, n: 2}"};
static const uint32_t sizes[] = {36, 36, 25, 16, 16};
enum { FABRICS = sizeof fabrics / sizeof *fabrics };

TEST(no_member_leaves_a_barrier_before_all_have_arrived)
{
  struct dice dice = dice_begin(__func__, "test_barrier_baselines");
  static const char *const mores[] = {"", ", compute: 300", ", load: 0.1, compute: 50",
                                      ", center: middle, align: 100"};
  uint64_t messages = 0;
  for (int i = 0; i < 60; i++) {
    int f = i / 3 % FABRICS, members = 2 + (int)roll(&dice, sizes[f] - 1);
    const struct hd_program *program = programs[i % PROGRAMS];
    struct hd_run_report r =
        measure(program->name, fabrics[f], members, mores[i / 15 % 4], roll(&dice, 1000000));
    assert_int_equal(r.messages_sent, 8 * 2 * (members - 1));
    assert_int_equal(r.messages_received, 8 * 2 * (members - 1));
    assert_true(statistic(&r, "later barriers")->minimum >= 2 * 20);
    messages += r.messages_received;
    hd_run_report_fini(&r);
  }
  printf("60 runs, %llu messages\n", (unsigned long long)messages);
}

/* Two members next to each other, nothing else under way: start-up and message up, the same down. */
TEST(the_shortest_barrier_takes_two_messages)
{
  for (int i = 0; i < PROGRAMS; i++) {
    CLEANUP(hd_run_report_fini)
    struct hd_run_report r = measure(programs[i]->name, "{topology: mesh, dims: [2, 2]}", 2,
                                     ", align: 500, center: 0", 4);
    uint64_t ways = statistic(&r, "later barriers")->maximum - 2 * 20;
    assert_int_equal(r.latency.n, 2 * 8);
    /* A message is seen in the cycle after it was received. */
    assert_int_equal(ways, 2 * (hd_latency_percentile(&r.latency, 500) + 1));
  }
}

TEST(congestion_delays_messages)
{
  for (int i = 0; i < 2 * PROGRAMS; i++) {
    double mean[2];
    for (int k = 0; k < 2; k++) {
      char more[96];
      snprintf(more, sizeof more, ", center: middle, congested: 15, congestion: %d",
               k ? 13000 : 3000);
      CLEANUP(hd_run_report_fini)
      struct hd_run_report r = measure(programs[i / 2]->name, fabrics[i % 2], 30, more, 1);
      mean[k] = statistic(&r, "later barriers")->mean;
    }
    printf("%s, %s: congested for 3000 cycles %.1f, for 13000 %.1f\n", programs[i / 2]->name,
           fabrics[i % 2], mean[0], mean[1]);
    assert_true(mean[0] >= 3000);
    assert_true(mean[1] - mean[0] >= 0.8 * 10000);
  }
}
