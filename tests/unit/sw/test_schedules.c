/* Schedules of collectives: as few steps as trying everything needs, on tiny networks; known figures on larger
 * ones; every schedule passes the check.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/sat/sat.h"
#include "../../../sw/schedules/schedules.h"
#include "../lib/dice.h"
#include "../lib/schedule_fixture.h"
#include "../lib/test.h"

enum { MOST_NEEDS = 6, MOST_TRIED_WAYS = 16, MOST_WAY = 8 };

static void find_schedule(struct hd_schedule *s, const struct hd_schedule_network *network,
                          const struct hd_messages *m, double seconds, bool solver)
{
  const struct hd_schedule_options options = {.seconds = seconds, .solver = solver};
  must(hd_schedule_find(s, network, m, &options, &why));
  assert_in_range(s->steps, s->bound, UINT32_MAX);
  assert_true(s->steps == s->bound || s->open[0]);
  schedule_must_pass(s, network, m);
}

/* ── trying everything ─────────────────────────────────────────────────────── */

struct tried_way {
  uint32_t links[MOST_WAY], n;
};

struct brute {
  const struct hd_topology *t;
  bool all_port;
  struct {
    uint32_t source, destination, message;
  } needs[MOST_NEEDS];
  uint32_t n;
  bool taken[512];
  int8_t memo[8][1 << MOST_NEEDS];
};

/* Lists all routes of at most `left` more links. The caller picks the shortest. */
static void list_routes(const struct hd_topology *t, uint32_t at, uint32_t to,
                        struct tried_way *way, uint32_t left, struct tried_way *found, uint32_t *n)
{
  for (uint32_t port = 0; left && port < t->ports; port++) {
    uint32_t link = at * t->ports + port;
    const struct hd_peer *peer = &t->peers[link];
    way->links[way->n++] = link;
    if (peer->kind == HD_PEER_NODE && peer->index == to) {
      assert_in_range(*n, 0, MOST_TRIED_WAYS - 1);
      found[(*n)++] = *way;
    } else if (peer->kind == HD_PEER_SWITCH)
      list_routes(t, peer->index, to, way, left - 1, found, n);
    way->n--;
  }
}

static uint32_t shortest_ways(const struct hd_topology *t, uint32_t from, uint32_t to,
                              struct tried_way *found)
{
  uint32_t n = 0;
  for (uint32_t length = 1; !n && length < MOST_WAY - 1; length++) {
    struct tried_way way = {.links = {t->n_switches * t->ports + from}, .n = 1};
    list_routes(t, t->node_peers[from].index, to, &way, length, found, &n);
  }
  return n;
}

static bool link_is_limited(const struct brute *b, uint32_t link)
{
  return !b->all_port ||
         (link < b->t->n_switches * b->t->ports && b->t->peers[link].kind != HD_PEER_NODE);
}

static bool needs_fit_in_steps(struct brute *b, uint32_t met, uint32_t steps);

/* Needs from `i` on may be met in this step; `before` were met in earlier ones. */
static bool needs_fit_in_step(struct brute *b, uint32_t i, uint32_t before, uint32_t met,
                              uint32_t steps)
{
  if (i == b->n)
    return needs_fit_in_steps(b, met, steps - 1);
  if (needs_fit_in_step(b, i + 1, before, met, steps))
    return true;
  if (before >> i & 1)
    return false;
  for (uint32_t h = 0; h <= b->n; h++) { /* n: the source */
    if (h < b->n && (b->needs[h].message != b->needs[i].message || !(before >> h & 1)))
      continue;
    uint32_t from = h < b->n ? b->needs[h].destination : b->needs[i].source;
    struct tried_way ways[MOST_TRIED_WAYS];
    uint32_t n = shortest_ways(b->t, from, b->needs[i].destination, ways);
    for (uint32_t w = 0; w < n; w++) {
      bool is_free = true, yes;
      for (uint32_t l = 0; l < ways[w].n; l++)
        is_free = is_free && !(b->taken[ways[w].links[l]] && link_is_limited(b, ways[w].links[l]));
      if (!is_free)
        continue;
      bool saved[sizeof b->taken];
      memcpy(saved, b->taken, sizeof saved);
      for (uint32_t l = 0; l < ways[w].n; l++)
        b->taken[ways[w].links[l]] = true;
      yes = needs_fit_in_step(b, i + 1, before, met | 1u << i, steps);
      memcpy(b->taken, saved, sizeof saved);
      if (yes)
        return true;
    }
  }
  return false;
}

static bool needs_fit_in_steps(struct brute *b, uint32_t met, uint32_t steps)
{
  if (met == (1u << b->n) - 1)
    return true;
  if (!steps)
    return false;
  int8_t *memo = &b->memo[steps][met];
  if (!*memo) {
    bool saved[sizeof b->taken];
    memcpy(saved, b->taken, sizeof saved);
    memset(b->taken, 0, sizeof b->taken);
    *memo = needs_fit_in_step(b, 0, met, met, steps) ? 1 : -1;
    memcpy(b->taken, saved, sizeof saved);
  }
  return *memo > 0;
}

static uint32_t fewest_steps(const struct hd_topology *t, const struct hd_messages *m,
                             bool all_port)
{
  static struct brute b;
  b = (struct brute){.t = t, .all_port = all_port};
  assert_in_range(hd_schedule_links(t), 1, sizeof b.taken);
  for (uint32_t i = 0; i < m->n; i++)
    for (uint32_t d = 0; d < m->all[i].n; d++) {
      b.needs[b.n].source = m->all[i].source;
      b.needs[b.n].destination = m->destinations[m->all[i].first + d];
      b.needs[b.n++].message = i;
    }
  for (uint32_t steps = 1; steps < 8; steps++)
    if (needs_fit_in_steps(&b, 0, steps))
      return steps;
  fail_msg("no schedule of 7 steps");
  return 0;
}

TEST(schedules_have_as_few_steps_as_an_exhaustive_search_finds)
{
  struct dice dice = {first_seed()};
  uint32_t cases = n_cases(160), proofs = 0, proved = 0;
  print_message("seed %" PRIu64 "; HD_SEED=%" PRIu64 " replays it\n", dice.state, dice.state);
  for (uint32_t i = 0; i < cases; i++) {
    struct hd_topology t;
    struct hd_messages m;
    struct hd_schedule s;
    struct hd_text csv = {0};
    const struct hd_topology_shape mesh = {.dims = {3, 2 + i / 5 % 2}, .n_dims = 2};
    switch (i % 5) {
    case 0:
      schedule_network(&t, HD_TOPO_OMEGA, 2);
      break;
    case 1:
      schedule_network(&t, HD_TOPO_BINARY_TREE, 2);
      break;
    case 2:
      schedule_network(&t, HD_TOPO_FULL_BINARY_TREE, 2 + i / 5 % 2);
      break;
    case 3: /* the only one where pairs have several ways of several links in common */
      assert_int_equal(hd_topology_build(&t, HD_TOPO_MESH, &mesh, NULL, NULL), 0);
      break;
    default:
      assert_int_equal(hd_topology_irregular(&t, 4 + i / 5 % 2, 2, i, NULL), 0);
    }
    schedule_draw_messages(&dice, t.n_nodes, &csv);
    must(hd_messages_parse(&m, hd_text_chars(&csv), csv.length, "drawn", t.n_nodes, &why));
    const struct hd_schedule_network network = {.topology = &t, .all_port = i / 8 % 2};
    find_schedule(&s, &network, &m, 30, true);
    uint32_t least = fewest_steps(&t, &m, network.all_port);
    if (s.bound > least || s.steps != least)
      fail_msg("case %" PRIu32 ": %" PRIu32 " steps, at least %" PRIu32 ", by trying %" PRIu32
               "\n%s",
               i, s.steps, s.bound, least, hd_text_chars(&csv));
    proofs += s.lemmas > 0;
    proved += s.steps == s.bound;
    hd_schedule_fini(&s);
    hd_messages_fini(&m);
    hd_text_fini(&csv);
    hd_topology_fini(&t);
  }
  print_message("%" PRIu32 " cases, %" PRIu32 " proved, %" PRIu32
                " by checked proofs of the solver\n",
                cases, proved, proofs);
  assert_true(proved);
  if (!one_seed())
    assert_true(proofs);
}

/* ── known figures ─────────────────────────────────────────────────────────── */

struct known {
  enum hd_topology_kind kind;
  uint32_t n;
  enum hd_exchange collective;
  uint32_t root;
  bool all_port;
  uint32_t steps;
};

/* By construction alone, without a search. */
TEST(constructions_take_the_fewest_steps)
{
  static const struct known known[] = {
      {HD_TOPO_OMEGA, 4, HD_EXCHANGE_ALL_TO_ALL_SCATTER, 0, false, 15},
      {HD_TOPO_OMEGA, 4, HD_EXCHANGE_ALL_TO_ALL_BROADCAST, 0, false, 15},
      {HD_TOPO_OMEGA, 4, HD_EXCHANGE_ONE_TO_ALL_BROADCAST, 5, false, 4},
      {HD_TOPO_BINARY_TREE, 4, HD_EXCHANGE_ALL_TO_ALL_SCATTER, 0, false, 64},
      {HD_TOPO_BINARY_TREE, 4, HD_EXCHANGE_ALL_TO_ALL_BROADCAST, 0, false, 15},
      {HD_TOPO_BINARY_TREE, 4, HD_EXCHANGE_ALL_TO_ONE_GATHER, 7, false, 15},
      {HD_TOPO_FOLDED_BUTTERFLY, 5, HD_EXCHANGE_ALL_TO_ALL_SCATTER, 0, false, 31},
      {HD_TOPO_FOLDED_BUTTERFLY, 7, HD_EXCHANGE_ALL_TO_ALL_SCATTER, 0, false, 127},
      {HD_TOPO_FOLDED_BUTTERFLY, 8, HD_EXCHANGE_ALL_TO_ALL_SCATTER, 0, false, 255},
      {HD_TOPO_FULL_BINARY_TREE, 4, HD_EXCHANGE_ALL_TO_ALL_SCATTER, 0, false, 56},
      {HD_TOPO_FULL_BINARY_TREE, 5, HD_EXCHANGE_ALL_TO_ALL_BROADCAST, 0, false, 30},
      {HD_TOPO_FULL_BINARY_TREE, 3, HD_EXCHANGE_ONE_TO_ALL_BROADCAST, 3, true, 3},
      {HD_TOPO_FULL_BINARY_TREE, 6, HD_EXCHANGE_ONE_TO_ALL_BROADCAST, 31, true, 5},
      {HD_TOPO_FULL_BINARY_TREE, 6, HD_EXCHANGE_ONE_TO_ALL_SCATTER, 3, true, 48},
      {HD_TOPO_FULL_BINARY_TREE, 6, HD_EXCHANGE_ONE_TO_ALL_SCATTER, 7, true, 56},
      {HD_TOPO_HYPERCUBE, 4, HD_EXCHANGE_ALL_TO_ALL_BROADCAST, 0, true, 4},
      {HD_TOPO_HYPERCUBE, 6, HD_EXCHANGE_ALL_TO_ALL_BROADCAST, 0, true, 11},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const struct known *k = &known[i];
    CLEANUP(schedule_rig_close) struct schedule_rig r;
    schedule_rig_open(&r, k->kind, k->n, k->collective, k->root, k->all_port);
    find_schedule(&r.s, &r.network, &r.m, 0, false);
    if (r.s.steps != k->steps || r.s.bound != k->steps)
      fail_msg("%s, n %" PRIu32 ", %s: %" PRIu32 " steps, at least %" PRIu32 "; known: %" PRIu32,
               hd_topology_kind_name(k->kind), k->n, hd_exchange_name(k->collective), r.s.steps,
               r.s.bound, k->steps);
  }
}

TEST(the_bound_of_an_oversubscribed_clos_follows_from_its_middle_links)
{
  const struct hd_topology_shape shape = {.n = 4, .m = 3, .r = 4};
  CLEANUP(hd_topology_fini) struct hd_topology t;
  struct hd_messages m;
  struct hd_schedule s;
  assert_int_equal(hd_topology_build(&t, HD_TOPO_CLOS, &shape, NULL, NULL), 0);
  assert_int_equal(hd_messages_make(&m, HD_EXCHANGE_ALL_TO_ALL_BROADCAST, t.n_nodes, 0, NULL), 0);
  const struct hd_schedule_network network = {.topology = &t};
  find_schedule(&s, &network, &m, 30, false);
  assert_int_equal(s.bound, 20); /* 4 nodes take 15 messages each by 3 links */
  hd_schedule_fini(&s);
  hd_messages_fini(&m);
  assert_int_equal(hd_messages_make(&m, HD_EXCHANGE_ALL_TO_ALL_SCATTER, t.n_nodes, 0, NULL), 0);
  find_schedule(&s, &network, &m, 0, false);
  assert_int_equal(s.bound, 20);
  assert_int_equal(s.steps, 20);
  schedule_must_pass(&s, &network, &m);
  hd_schedule_fini(&s);
  hd_messages_fini(&m);
}

/* Any pairs, some of them more than once, on any Clos network with any number of middle switches. */
TEST(pairs_on_a_clos_take_the_fewest_steps)
{
  struct dice dice = dice_begin("pairs_on_a_clos_take_the_fewest_steps", "test_schedules");
  unsigned constructed = 0;
  for (unsigned round = 0; round < n_cases(300); round++) {
    const struct hd_topology_shape shape = {
        .n = 1 + roll(&dice, 6), .m = 1 + roll(&dice, 6), .r = 2 + roll(&dice, 5)};
    struct hd_topology t;
    struct hd_messages m = {0};
    struct hd_schedule s;
    struct hd_text csv = {0};
    assert_int_equal(hd_topology_build(&t, HD_TOPO_CLOS, &shape, NULL, NULL), 0);
    const struct hd_schedule_network network = {.topology = &t, .all_port = roll(&dice, 2)};
    for (uint32_t i = 0, n = 1 + roll(&dice, 12 * t.n_nodes); t.n_nodes > 1 && i < n; i++) {
      uint32_t from = roll(&dice, t.n_nodes), to = roll(&dice, t.n_nodes - 1);
      hd_text_add(&csv, "%" PRIu32 ",%" PRIu32 "\n", from, to + (to >= from));
    }
    if (csv.length) {
      assert_int_equal(
          hd_messages_parse(&m, hd_text_chars(&csv), csv.length, "csv", t.n_nodes, NULL), 0);
      find_schedule(&s, &network, &m, 0, false);
      if (s.steps != s.bound)
        fail_msg("round %u: n %" PRIu32 ", m %" PRIu32 ", r %" PRIu32 ": %" PRIu32
                 " steps, bound %" PRIu32,
                 round, shape.n, shape.m, shape.r, s.steps, s.bound);
      schedule_must_pass(&s, &network, &m);
      constructed += strstr(s.how, "colours") != NULL;
      hd_schedule_fini(&s);
    }
    hd_text_fini(&csv);
    hd_messages_fini(&m);
    hd_topology_fini(&t);
  }
  assert_true(constructed > n_cases(300) / 10);
}

TEST(schedules_use_routes_of_the_tables_without_failed_links)
{
  CLEANUP(hd_topology_fini) struct hd_topology t;
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  CLEANUP(hd_messages_fini) struct hd_messages m;
  struct hd_schedule s;
  schedule_network(&t, HD_TOPO_FOLDED_BUTTERFLY, 3);
  assert_int_equal(hd_routing_build(&tables, &t, HD_ROUTE_UP_DOWN, false, 1, 0, NULL), 0);
  assert_int_equal(hd_messages_make(&m, HD_EXCHANGE_ALL_TO_ALL_SCATTER, t.n_nodes, 0, NULL), 0);
  const struct hd_schedule_network routed = {.topology = &t, .tables = &tables};
  find_schedule(&s, &routed, &m, 0, false);
  /* up-down tables use one root: every message across needs its links */
  assert_in_range(s.bound, 8, UINT32_MAX);
  hd_schedule_fini(&s);
  bool *failed = calloc(hd_schedule_links(&t), sizeof *failed);
  assert_non_null(failed);
  const uint32_t link = 2; /* s0:2, up */
  failed[link] = failed[t.peers[link].index * t.ports + t.peers[link].port] = true;
  const struct hd_schedule_network damaged = {.topology = &t, .failed = failed};
  find_schedule(&s, &damaged, &m, 0, false);
  assert_int_equal(s.bound, 12); /* 2 nodes send 6 messages each over the link that is left */
  hd_schedule_fini(&s);
  free(failed);
}

/* Only some of a pair's ways are tried where there are very many. What these have in common is no bound. */
TEST(bounds_hold_where_a_pair_has_very_many_routes)
{
  static const char text[] = "0,62\n1,63\n";
  const struct hd_topology_shape shape = {.dims = {8, 8}, .n_dims = 2};
  CLEANUP(hd_topology_fini) struct hd_topology t;
  CLEANUP(hd_messages_fini) struct hd_messages m;
  CLEANUP(hd_schedule_fini) struct hd_schedule s;
  assert_int_equal(hd_topology_build(&t, HD_TOPO_MESH, &shape, NULL, NULL), 0);
  assert_int_equal(hd_messages_parse(&m, text, sizeof text - 1, "f", t.n_nodes, NULL), 0);
  const struct hd_schedule_network network = {.topology = &t};
  find_schedule(&s, &network, &m, 0, false);
  assert_int_equal(s.bound, 1); /* one goes up first, the other one to the right */
}

static void find_on_mesh(uint32_t side, const char *text, double seconds, bool solver,
                         struct hd_schedule *s)
{
  const struct hd_topology_shape shape = {.dims = {side, side}, .n_dims = 2};
  CLEANUP(hd_topology_fini) struct hd_topology t;
  CLEANUP(hd_messages_fini) struct hd_messages m;
  assert_int_equal(hd_topology_build(&t, HD_TOPO_MESH, &shape, NULL, NULL), 0);
  assert_int_equal(hd_messages_parse(&m, text, strlen(text), "f", t.n_nodes, NULL), 0);
  find_schedule(s, &(struct hd_schedule_network){.topology = &t}, &m, seconds, solver);
}

/* Node x + 5·y is at (x, y). A message goes from corner to corner of a 5×5 mesh: it has 70 ways. Eight others have one way
 * each, and take the eight links from nodes with x + y = 3 to those with x + y = 4, all of which it needs one of. Without
 * one of the eight it gets past by one way alone, along the left and upper sides, or along the lower and right ones. */
TEST(all_routes_are_tried_where_a_pair_has_very_many)
{
  static const char others[] = "15,16\n11,12\n7,8\n3,13\n6,21\n2,17\n", corners[] = "0,24\n",
                    left[] = "10,20\n", lower[] = "1,4\n";
  const char *const sets[] = {left, lower, ""};
  char text[128];
  struct hd_schedule s;
  for (size_t i = 0; i < 2; i++) {
    snprintf(text, sizeof text, "%s%s%s", others, sets[i], corners);
    find_on_mesh(5, text, 30, true, &s);
    assert_int_equal(s.steps, 1);
    assert_int_equal(s.n, 8);
    hd_schedule_fini(&s);
  }
  snprintf(text, sizeof text, "%s%s%s%s", others, left, lower, corners);
  find_on_mesh(5, text, 30, true, &s);
  assert_int_equal(s.steps, 2);
  assert_int_equal(s.bound, 2);
  assert_true(s.by_solver && s.lemmas);
  hd_schedule_fini(&s);
}

/* Each node of the left half of a 4×4 mesh sends to two of the right half: 16 messages over 4 links. The halves are no
 * ranges of nodes. No two messages have all their ways over one link. */
TEST(the_bound_counts_messages_across_the_middle_of_a_mesh)
{
  char text[256] = "";
  CLEANUP(hd_schedule_fini) struct hd_schedule s;
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 2; x++)
      for (int other = 1; other < 3; other++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,%d\n", x + 4 * y,
                 2 + (x + other) % 2 + 4 * ((y + other) % 4));
  find_on_mesh(4, text, 0, false, &s);
  assert_int_equal(s.bound, 4);
  assert_non_null(strstr(s.reason, "nearer to"));
}

/* Stops when there is a schedule. */
static bool stop_when_found(void *context)
{
  return *(bool *)context;
}

static void note_first_schedule(void *context, const char *text)
{
  bool *found = context;
  *found = *found || strstr(text, "a list schedule");
}

TEST(a_stopped_search_returns_the_schedule_that_it_has)
{
  bool found = false;
  const struct hd_schedule_options options = {.seconds = 600,
                                              .solver = true,
                                              .stop = stop_when_found,
                                              .say = note_first_schedule,
                                              .context = &found};
  CLEANUP(schedule_rig_close) struct schedule_rig r;
  schedule_rig_open(&r, HD_TOPO_HYPERCUBE, 4, HD_EXCHANGE_ALL_TO_ALL_SCATTER, 0, false);
  assert_int_equal(hd_schedule_find(&r.s, &r.network, &r.m, &options, &why), HD_E_INTERRUPTED);
  assert_in_range(r.s.steps, r.s.bound + 1, UINT32_MAX);
  schedule_must_pass(&r.s, &r.network, &r.m);
  hd_schedule_fini(&r.s);
  /* if it is stopped before there is a schedule, the search says so */
  assert_int_equal(hd_schedule_find(&r.s, &r.network, &r.m, &options, &why), HD_E_INTERRUPTED);
  assert_int_equal(r.s.steps, 0);
}

/* ── some of the nodes ─────────────────────────────────────────────────────── */

static void check_schedule_among(const struct hd_schedule_network *network, struct dice *dice,
                                 enum hd_exchange kind, uint32_t n)
{
  const uint32_t nodes = network->topology->n_nodes;
  uint32_t members[64];
  CLEANUP(hd_messages_fini) struct hd_messages m;
  CLEANUP(hd_schedule_fini) struct hd_schedule s;
  for (uint32_t i = 0; i < nodes; i++)
    members[i] = i;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t with = i + roll(dice, nodes - i), moved = members[i];
    members[i] = members[with];
    members[with] = moved;
  }
  const uint32_t root = roll(dice, n);
  assert_int_equal(hd_messages_make_among(&m, kind, members, n, root, NULL), 0);
  assert_int_equal(m.root, members[root]);
  find_schedule(&s, network, &m, 0, false);
  if (kind == HD_EXCHANGE_ONE_TO_ALL_SCATTER || kind == HD_EXCHANGE_ALL_TO_ONE_GATHER)
    assert_int_equal(s.steps, n - 1);
  for (size_t i = 0; i < s.n; i++) {
    bool from = false, to = false;
    for (uint32_t k = 0; k < n; k++) {
      from = from || s.transfers[i].from == members[k];
      to = to || s.transfers[i].to == members[k];
    }
    assert_true(from && to);
  }
}

/* Nodes that are no members neither send nor receive, in whatever order the members are; constructions go by their
 * numbers. */
TEST(schedules_of_some_nodes_use_only_these_nodes)
{
  static const enum hd_topology_kind kinds[] = {HD_TOPO_MESH, HD_TOPO_OMEGA, HD_TOPO_TREE,
                                                HD_TOPO_FULL_BINARY_TREE};
  struct dice dice = dice_begin(__func__, "test_schedules");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const struct hd_topology_shape shape = {.k = 2, .n = 4, .dims = {4, 4}, .n_dims = 2};
    CLEANUP(hd_topology_fini) struct hd_topology t;
    CLEANUP(hd_tables_fini) struct hd_tables tables;
    assert_int_equal(hd_topology_build(&t, kinds[i], &shape, NULL, NULL), 0);
    assert_int_equal(hd_routing_build(&tables, &t, hd_routing_default(kinds[i]), false, 1, 0, NULL),
                     0);
    for (unsigned kind = 0; kind < HD_EXCHANGES; kind++)
      for (uint32_t n = 2; n <= t.n_nodes; n += 3)
        check_schedule_among(
            &(struct hd_schedule_network){.topology = &t, .tables = n % 2 ? &tables : NULL}, &dice,
            (enum hd_exchange)kind, n);
  }
}

/* Twice as much time, the same schedule: here the solver finds it. */
TEST(a_repeatable_search_does_not_depend_on_time)
{
  const struct hd_topology_shape shape = {.dims = {4, 4}, .n_dims = 2};
  struct hd_topology t;
  struct hd_tables tables;
  struct hd_messages m;
  struct hd_schedule s[2];
  struct hd_text csv[2] = {{0}, {0}};
  assert_int_equal(hd_topology_build(&t, HD_TOPO_MESH, &shape, NULL, NULL), 0);
  assert_int_equal(hd_messages_make(&m, HD_EXCHANGE_ALL_TO_ALL_SCATTER, 16, 0, NULL), 0);
  assert_int_equal(hd_routing_build(&tables, &t, HD_ROUTE_DIMENSION_ORDER, false, 1, 0, NULL), 0);
  const struct hd_schedule_network network = {.topology = &t, .tables = &tables};
  for (int i = 0; i < 2; i++) {
    const struct hd_schedule_options options = {
        .seconds = i ? 1000 : 500, .solver = true, .repeatable = true};
    must(hd_schedule_find(&s[i], &network, &m, &options, &why));
    assert_int_equal(s[i].steps, s[i].bound);
    assert_true(strstr(s[i].how, HD_SAT_NAME));
    hd_schedule_csv(&s[i], &t, &csv[i]);
  }
  assert_string_equal(hd_text_chars(&csv[0]), hd_text_chars(&csv[1]));
  for (int i = 0; i < 2; i++) {
    hd_text_fini(&csv[i]);
    hd_schedule_fini(&s[i]);
  }
  hd_messages_fini(&m);
  hd_tables_fini(&tables);
  hd_topology_fini(&t);
}

/* A node of a tree with all ports sends one message over each of its links: the heuristic that spreads what is too
 * much over the steps looks at links, so that the first chromosome has no conflict. */
TEST(an_evolution_spreads_a_scatter_over_the_ports_of_its_node)
{
  const struct hd_topology_shape shape = {.n = 6};
  CLEANUP(hd_topology_fini) struct hd_topology t;
  assert_int_equal(hd_topology_build(&t, HD_TOPO_FULL_BINARY_TREE, &shape, NULL, NULL), 0);
  const struct hd_schedule_network network = {.topology = &t, .all_port = true};
  for (uint64_t seed = 1; seed <= 5; seed++)
    for (uint32_t root = 0; root < 2; root++) {
      const struct hd_evolution how = {.seed = seed, .evaluations = 60, .steps = 32};
      const struct hd_schedule_options options = {0};
      CLEANUP(hd_messages_fini) struct hd_messages m;
      CLEANUP(hd_schedule_fini) struct hd_schedule s = {0};
      struct hd_evolved evolved;
      assert_int_equal(hd_messages_make(&m, HD_EXCHANGE_ONE_TO_ALL_SCATTER, 63, root, NULL), 0);
      assert_int_equal(hd_schedule_evolve(&s, &network, &m, &options, &how, &evolved, NULL), 0);
      assert_true(s.steps <= 32);
      assert_int_equal(evolved.conflicts, 0);
    }
}

/* ── messages ──────────────────────────────────────────────────────────────── */

TEST(collectives_consist_of_the_right_messages)
{
  static const struct {
    enum hd_exchange kind;
    size_t messages, destinations;
  } known[] = {{HD_EXCHANGE_ONE_TO_ALL_BROADCAST, 1, 4},
               {HD_EXCHANGE_ONE_TO_ALL_SCATTER, 4, 4},
               {HD_EXCHANGE_ALL_TO_ONE_GATHER, 4, 4},
               {HD_EXCHANGE_ALL_TO_ALL_BROADCAST, 5, 20},
               {HD_EXCHANGE_ALL_TO_ALL_SCATTER, 20, 20}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    CLEANUP(hd_messages_fini) struct hd_messages m;
    uint32_t pairs[5][5] = {{0}};
    assert_int_equal(hd_messages_make(&m, known[i].kind, 5, 3, NULL), 0);
    assert_int_equal(m.n, known[i].messages);
    assert_int_equal(m.n_destinations, known[i].destinations);
    for (size_t k = 0; k < m.n; k++)
      for (uint32_t d = 0; d < m.all[k].n; d++)
        pairs[m.all[k].source][m.destinations[m.all[k].first + d]]++;
    for (uint32_t a = 0; a < 5; a++)
      for (uint32_t b = 0; b < 5; b++) {
        bool from_root = known[i].kind <= HD_EXCHANGE_ONE_TO_ALL_SCATTER && a != 3;
        bool to_root = known[i].kind == HD_EXCHANGE_ALL_TO_ONE_GATHER && b != 3;
        assert_int_equal(pairs[a][b], a != b && !from_root && !to_root);
      }
  }
  assert_int_equal(hd_exchange_find("AAS"), HD_EXCHANGE_ALL_TO_ALL_SCATTER);
  assert_int_equal(hd_exchange_find("all"), HD_EXCHANGES);
}

TEST(errors_in_files_of_messages_are_named_by_line)
{
  static const struct {
    const char *text, *expected_message;
  } bad[] = {{"", "no message"},
             {"# none\n\nsource,destination\n", "no message"},
             {"0,1\n2\n", ":2: there is no destination"},
             {"0,9\n", ":1: there is no node 9"},
             {"0,1,1\n", "twice"},
             {"0,1\n3,3\n", ":2: the source is a destination"},
             {"0,-1\n", ":1: a node's number is missing"},
             {"0,1 2\n", "something else"},
             {"0;1\n", "something else"},
             {"0000000001,2\n", "there is no node 000000000…"},
             {"18446744073709551616,2\n", "there is no node 184467440…; nodes are 0 … 7"},
             {"0,1,\n", "a node's number is missing"}};
  struct hd_messages m;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    must_fail(hd_messages_parse(&m, bad[i].text, strlen(bad[i].text), "f", 8, &why), HD_E_INPUT,
              bad[i].expected_message);
    hd_messages_fini(&m);
  }
  static const char good[] = "\xef\xbb\xbfsource,destinations\n# one\n 0 , 1\r\n\n2,3,4,5";
  must(hd_messages_parse(&m, good, sizeof good - 1, "f", 8, &why));
  assert_int_equal(m.n, 2);
  assert_int_equal(m.all[1].n, 3);
  hd_messages_fini(&m);
}
