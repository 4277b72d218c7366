/* The evolution of schedules: invariants of heuristics and mutation, fitness, seeds, budgets, and unusual networks.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../sw/schedules/chromosome.h"
#include "../lib/dice.h"
#include "../lib/schedule_fixture.h"
#include "../lib/test.h"

/* ── chromosomes ───────────────────────────────────────────────────────────── */

/* Pairs of transfers of one step on one link, pair by pair. */
static uint64_t conflicts(const struct encoding *e, const struct gene *genes)
{
  const struct ways *w = &e->p->ways;
  uint64_t n = 0;
  for (uint32_t a = 0; a < e->n; a++)
    for (uint32_t b = 0; b < a; b++)
      for (uint32_t i = 0; genes[a].step == genes[b].step && i < w->all[genes[a].way].n; i++)
        for (uint32_t k = 0; k < w->all[genes[b].way].n; k++) {
          uint32_t link = w->links[w->all[genes[a].way].first + i];
          n += link == w->links[w->all[genes[b].way].first + k] &&
               hd_way_link_counts(w->network, link);
        }
  return n;
}

/* The step after which a node has the message; −1: it is the source; INT64_MAX: never. */
static int64_t step_of_arrival(const struct hd_messages *m, const struct gene *genes,
                               uint32_t message, uint32_t node)
{
  const struct hd_message *all = &m->all[message];
  for (size_t d = all->first; d < all->first + all->n; d++)
    if (m->destinations[d] == node)
      return genes[d].step;
  return all->source == node ? -1 : INT64_MAX;
}

/* Asserts that each sender has the message, and that the way leads from it to the destination. */
static void must_be_admissible(struct encoding *e, const struct gene *genes, const char *after)
{
  const struct hd_messages *m = e->p->messages;
  for (uint32_t i = 0; i < m->n; i++)
    for (size_t d = m->all[i].first; d < m->all[i].first + m->all[i].n; d++) {
      const struct gene *g = &genes[d];
      size_t first;
      int n = hd_ways_of(&e->p->ways, g->from, m->destinations[d], &first, NULL);
      if (n <= 0 || g->way < first || g->way >= first + (size_t)n)
        fail_msg("%s: message %" PRIu32 " to n%" PRIu32 " takes the way of another pair", after, i,
                 m->destinations[d]);
      if (g->step >= e->steps || step_of_arrival(m, genes, i, g->from) >= g->step)
        fail_msg("%s: n%u sends message %" PRIu32 " in step %u without having it", after, g->from,
                 i, g->step);
    }
}

/* The first link of a transfer's way that carries only one transfer a step: with all ports the one after the node's switch. */
static uint32_t first_exclusive_link(const struct encoding *e, const struct gene *g)
{
  const struct way *way = &e->p->ways.all[g->way];
  const uint32_t *links = e->p->ways.links + way->first;
  uint32_t i = 0;
  while (i + 1 < way->n && !e->counts[links[i]])
    i++;
  return links[i];
}

static bool uses_link(const struct encoding *e, const struct gene *g, uint32_t link)
{
  const struct way *way = &e->p->ways.all[g->way];
  for (uint32_t i = 0; i < way->n; i++)
    if (e->p->ways.links[way->first + i] == link)
      return true;
  return false;
}

/* Nobody sends two messages to one node each over one of its links in a step, if there are steps enough for all that pass
 * this link. */
static void must_send_one_at_a_time(const struct encoding *e, const struct gene *genes)
{
  const struct hd_messages *m = e->p->messages;
  for (uint32_t a = 0; a < m->n; a++) {
    const struct gene *one = &genes[m->all[a].first];
    const uint32_t link = first_exclusive_link(e, one);
    uint32_t all = 0, together = 0;
    for (uint32_t b = 0; b < m->n && m->all[a].n == 1; b++) {
      const struct gene *other = &genes[m->all[b].first];
      if (m->all[b].n > 1)
        continue;
      all += uses_link(e, other, link);
      together += m->all[b].source == m->all[a].source && first_exclusive_link(e, other) == link &&
                  other->step == one->step;
    }
    if (all <= e->steps && together > 1)
      fail_msg("n%" PRIu32 " sends %" PRIu32 " messages over one link in a step", m->all[a].source,
               together);
  }
}

static void try_operators(struct encoding *e, struct dice *dice, uint64_t *compared)
{
  struct gene *genes = calloc(e->n, sizeof *genes), *other = calloc(e->n, sizeof *other);
  assert_non_null(genes);
  assert_non_null(other);
  hd_chromosome_draw(e, other);
  hd_chromosome_repair(e, other, true);
  hd_chromosome_draw(e, genes);
  for (int round = 0; round < 20; round++) {
    uint64_t left = hd_chromosome_repair(e, genes, !round);
    assert_int_equal(left, conflicts(e, genes));
    must_be_admissible(e, genes, "repair");
    must_send_one_at_a_time(e, genes);
    left = hd_chromosome_mutate(e, genes);
    assert_int_equal(left, conflicts(e, genes));
    must_be_admissible(e, genes, "mutation");
    assert_int_equal(e->status, 0);
    /* as children are: some genes of another one */
    for (uint32_t i = 0; i < e->n; i++)
      if (roll(dice, 4) == 0)
        genes[i] = other[i];
    (*compared)++;
  }
  free(genes);
  free(other);
}

/* An unusual network: some links are missing, and some pairs may have no route. */
static void draw_network(struct hd_topology *t, bool **failed, struct dice *dice, uint32_t i)
{
  switch (i % 4) {
  case 0:
    schedule_network(t, HD_TOPO_FOLDED_BUTTERFLY, 2 + i / 4 % 2);
    break;
  case 1:
    schedule_network(t, HD_TOPO_FULL_BINARY_TREE, 3);
    break;
  case 2:
    schedule_network(t, HD_TOPO_OMEGA, 3);
    break;
  default:
    assert_int_equal(hd_topology_irregular(t, 5 + i / 4 % 3, 2, i, NULL), 0);
  }
  *failed = calloc(hd_schedule_links(t), sizeof **failed);
  assert_non_null(*failed);
  for (uint32_t link = 0; i / 16 % 2 && link < t->n_switches * t->ports; link++)
    (*failed)[link] = t->peers[link].kind == HD_PEER_SWITCH && roll(dice, 12) == 0;
}

static void draw_messages(struct hd_messages *m, struct dice *dice, uint32_t nodes, uint32_t i)
{
  struct hd_text csv = {0};
  if (i % 3) {
    assert_int_equal(hd_messages_make(m, (enum hd_exchange)roll(dice, HD_EXCHANGES), nodes,
                                      roll(dice, nodes), NULL),
                     0);
    return;
  }
  schedule_draw_messages(dice, nodes, &csv);
  assert_int_equal(hd_messages_parse(m, hd_text_chars(&csv), csv.length, "drawn", nodes, NULL), 0);
  hd_text_fini(&csv);
}

TEST(operators_keep_schedules_admissible_and_count_conflicts)
{
  struct dice dice = {first_seed()};
  uint64_t compared = 0;
  uint32_t cases = n_cases(64), without = 0;
  print_message("seed %" PRIu64 "; HD_SEED=%" PRIu64 " replays it\n", dice.state, dice.state);
  for (uint32_t i = 0; i < cases; i++) {
    const struct hd_schedule_options options = {0};
    struct hd_topology t;
    struct hd_messages m;
    struct hd_schedule s;
    struct problem p;
    struct encoding e = {0};
    bool *failed;
    draw_network(&t, &failed, &dice, i);
    draw_messages(&m, &dice, t.n_nodes, i);
    const struct hd_schedule_network network = {
        .topology = &t, .failed = failed, .all_port = i / 8 % 2};
    int status = hd_problem_open(&p, &s, &network, &m, &options, &why);
    if (!status) {
      must(hd_encoding_open(&e, &p, i, &why));
      assert_int_equal(hd_encoding_steps(&e, s.bound + roll(&dice, 4)), 0);
      try_operators(&e, &dice, &compared);
    } else
      without++; /* failed links cut it off */
    hd_encoding_close(&e);
    hd_problem_close(&p);
    hd_schedule_fini(&s);
    hd_messages_fini(&m);
    hd_topology_fini(&t);
    free(failed);
  }
  print_message("%" PRIu64 " chromosomes compared; %" PRIu32 " of %" PRIu32
                " networks had no way for a message\n",
                compared, without, cases);
  assert_true(compared);
}

/* ── evolutions ────────────────────────────────────────────────────────────── */

static int evolve(struct hd_schedule *s, const struct hd_schedule_network *network,
                  const struct hd_messages *m, const struct hd_evolution *how,
                  struct hd_evolved *evolved)
{
  const struct hd_schedule_options options = {0};
  int status = hd_schedule_evolve(s, network, m, &options, how, evolved, &why);
  if (!status) {
    assert_in_range(s->steps, s->bound, UINT32_MAX);
    assert_true(s->steps == s->bound || s->open[0]);
    schedule_must_pass(s, network, m);
  } else if (status != HD_E_INPUT)
    fail_msg("%s", why.text);
  return status;
}

TEST(small_networks_are_solved)
{
  static const struct {
    enum hd_topology_kind kind;
    uint32_t n, steps, root;
    enum hd_exchange collective;
    bool all_port;
  } known[] = {
      {HD_TOPO_OMEGA, 3, 3, 0, HD_EXCHANGE_ONE_TO_ALL_BROADCAST, false},
      {HD_TOPO_OMEGA, 3, 7, 5, HD_EXCHANGE_ONE_TO_ALL_SCATTER, false},
      {HD_TOPO_OMEGA, 3, 7, 5, HD_EXCHANGE_ALL_TO_ONE_GATHER, false},
      {HD_TOPO_OMEGA, 3, 7, 0, HD_EXCHANGE_ALL_TO_ALL_SCATTER, false},
      {HD_TOPO_OMEGA, 3, 7, 0, HD_EXCHANGE_ALL_TO_ALL_BROADCAST, false},
      {HD_TOPO_FOLDED_BUTTERFLY, 3, 7, 0, HD_EXCHANGE_ALL_TO_ALL_SCATTER, false},
      {HD_TOPO_FOLDED_BUTTERFLY, 3, 7, 0, HD_EXCHANGE_ALL_TO_ALL_BROADCAST, false},
      {HD_TOPO_BINARY_TREE, 3, 16, 0, HD_EXCHANGE_ALL_TO_ALL_SCATTER, false},
      {HD_TOPO_FULL_BINARY_TREE, 4, 3, 7, HD_EXCHANGE_ONE_TO_ALL_BROADCAST, true},
      {HD_TOPO_FULL_BINARY_TREE, 4, 12, 3, HD_EXCHANGE_ONE_TO_ALL_SCATTER, true},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    CLEANUP(schedule_rig_close) struct schedule_rig r;
    struct hd_evolved evolved;
    schedule_rig_open(&r, known[i].kind, known[i].n, known[i].collective, known[i].root,
                      known[i].all_port);
    const struct hd_evolution how = {.seed = 1, .evaluations = 100000, .steps = known[i].steps};
    assert_int_equal(evolve(&r.s, &r.network, &r.m, &how, &evolved), 0);
    if (r.s.steps != known[i].steps || evolved.failed_steps)
      fail_msg("%s, n %" PRIu32 ", %s: %" PRIu32 " steps; %" PRIu64 " conflicts left in %" PRIu32,
               hd_topology_kind_name(known[i].kind), known[i].n,
               hd_exchange_name(known[i].collective), r.s.steps, evolved.conflicts, known[i].steps);
  }
}

TEST(the_same_seed_gives_the_same_schedule)
{
  CLEANUP(hd_topology_fini) struct hd_topology t;
  CLEANUP(hd_messages_fini) struct hd_messages m;
  struct hd_text csv[3] = {{0}};
  schedule_network(&t, HD_TOPO_FOLDED_BUTTERFLY, 3);
  assert_int_equal(hd_messages_make(&m, HD_EXCHANGE_ALL_TO_ALL_BROADCAST, t.n_nodes, 0, NULL), 0);
  const struct hd_schedule_network network = {.topology = &t};
  for (uint32_t i = 0; i < 3; i++) {
    const struct hd_evolution how = {.seed = 7 + i / 2, .evaluations = 3000};
    CLEANUP(hd_schedule_fini) struct hd_schedule s;
    struct hd_evolved evolved;
    assert_int_equal(evolve(&s, &network, &m, &how, &evolved), 0);
    assert_in_range(evolved.evaluations, 1, 3000 * evolved.attempts);
    hd_schedule_csv(&s, &t, &csv[i]);
  }
  assert_string_equal(hd_text_chars(&csv[0]), hd_text_chars(&csv[1]));
  assert_string_not_equal(hd_text_chars(&csv[0]), hd_text_chars(&csv[2]));
  for (int i = 0; i < 3; i++)
    hd_text_fini(&csv[i]);
}

/* Fewer steps than the bound are impossible. So all evaluations are made, and remaining conflicts are moved to
 * additional steps. */
TEST(remaining_conflicts_are_moved_to_additional_steps)
{
  const struct hd_evolution how = {.seed = 3, .evaluations = 600, .steps = 5};
  CLEANUP(schedule_rig_close) struct schedule_rig r;
  struct hd_evolved evolved;
  schedule_rig_open(&r, HD_TOPO_OMEGA, 3, HD_EXCHANGE_ALL_TO_ALL_BROADCAST, 0, false);
  assert_int_equal(evolve(&r.s, &r.network, &r.m, &how, &evolved), 0);
  assert_int_equal(evolved.evaluations, 600);
  assert_int_equal(evolved.failed_steps, 5);
  assert_in_range(evolved.conflicts, 1, UINT64_MAX);
  assert_in_range(r.s.steps, 7, UINT32_MAX);
}

static bool stop_after_500_calls(void *context)
{
  return ++*(uint32_t *)context > 500;
}

TEST(a_stopped_search_returns_the_schedule_that_it_has)
{
  for (uint32_t before = 0; before < 2; before++) {
    uint32_t asked = before ? 500 : 0;
    const struct hd_schedule_options options = {.stop = stop_after_500_calls, .context = &asked};
    const struct hd_evolution how = {.seed = 1, .evaluations = UINT64_MAX, .steps = 15};
    CLEANUP(schedule_rig_close) struct schedule_rig r;
    struct hd_evolved evolved;
    schedule_rig_open(&r, HD_TOPO_OMEGA, 4, HD_EXCHANGE_ALL_TO_ALL_SCATTER, 0, false);
    assert_int_equal(hd_schedule_evolve(&r.s, &r.network, &r.m, &options, &how, &evolved, &why),
                     HD_E_INTERRUPTED);
    assert_in_range(r.s.steps, 16, UINT32_MAX);
    schedule_must_pass(&r.s, &r.network, &r.m);
  }
}

TEST(odd_networks_end_with_a_schedule_or_an_error)
{
  struct dice dice = {first_seed() + 1};
  uint32_t cases = n_cases(96), found = 0;
  print_message("seed %" PRIu64 "; HD_SEED=%" PRIu64 " replays it\n", dice.state - 1,
                dice.state - 1);
  for (uint32_t i = 0; i < cases; i++) {
    struct hd_topology t;
    struct hd_tables tables = {0};
    struct hd_messages m;
    struct hd_schedule s;
    struct hd_evolved evolved;
    bool *failed;
    draw_network(&t, &failed, &dice, i);
    draw_messages(&m, &dice, t.n_nodes, i);
    bool routed = i % 4 == 3 && roll(&dice, 2);
    if (routed)
      assert_int_equal(hd_routing_build(&tables, &t, HD_ROUTE_UP_DOWN, false, 1, 0, NULL), 0);
    const struct hd_schedule_network network = {.topology = &t,
                                                .tables = routed ? &tables : NULL,
                                                .failed = routed ? NULL : failed,
                                                .all_port = i / 8 % 2};
    const struct hd_evolution how = {
        .seed = i, .evaluations = 1 + roll(&dice, 400), .steps = roll(&dice, 6)};
    found += !evolve(&s, &network, &m, &how, &evolved);
    hd_schedule_fini(&s);
    hd_messages_fini(&m);
    hd_tables_fini(&tables);
    hd_topology_fini(&t);
    free(failed);
  }
  print_message("%" PRIu32 " of %" PRIu32 " have a schedule\n", found, cases);
  assert_true(found);
}

TEST(too_many_steps_are_refused)
{
  const struct hd_evolution how = {.seed = 1, .evaluations = 100, .steps = UINT16_MAX + 1};
  CLEANUP(schedule_rig_close) struct schedule_rig r;
  struct hd_evolved evolved;
  schedule_rig_open(&r, HD_TOPO_OMEGA, 2, HD_EXCHANGE_ONE_TO_ALL_SCATTER, 0, false);
  assert_int_equal(evolve(&r.s, &r.network, &r.m, &how, &evolved), HD_E_INPUT);
}
