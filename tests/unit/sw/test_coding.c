/* Plans of network coding and other schemes: hops by formula equal hops of all sends, and every node gets every
 * datum.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../sw/coding/coding_internal.h"
#include "../../../cmodel/grow.h"
#include "../lib/dice.h"
#include "../lib/test.h"

/* ── cases ─────────────────────────────────────────────────────────────────── */

struct shape {
  uint32_t n_dims, dims[3], n_levels, group[2][3];
};

static const struct shape shapes[] = {
    {1, {2}, 1, {{1}}},
    {1, {9}, 1, {{4}}},
    {2, {2, 2}, 1, {{2, 1}}},
    {2, {4, 4}, 1, {{2, 2}}},
    {2, {4, 4}, 1, {{4, 1}}},
    {2, {5, 3}, 1, {{2, 2}}},
    {2, {8, 8}, 1, {{4, 2}}},
    {2, {8, 8}, 1, {{3, 5}}},
    {2, {7, 6}, 1, {{7, 2}}},
    {2, {6, 6}, 1, {{1, 1}}},
    {2, {6, 4}, 1, {{6, 4}}},
    {3, {3, 4, 2}, 1, {{2, 2, 2}}},
    {3, {4, 4, 4}, 1, {{2, 4, 1}}},
    {2, {8, 8}, 2, {{4, 4}, {2, 2}}},
    {2, {8, 8}, 2, {{4, 8}, {4, 2}}},
    {2, {6, 6}, 2, {{3, 6}, {1, 3}}},
    {3, {4, 4, 4}, 2, {{2, 4, 4}, {1, 2, 2}}},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, MOST = 64 };

static struct hd_coding_request request_of(const struct shape *shape, bool torus,
                                           enum hd_coding_scheme scheme,
                                           enum hd_coding_multicast multicast)
{
  struct hd_coding_request r = {
      .n_dims = shape->n_dims, .torus = torus, .scheme = scheme, .multicast = multicast};
  r.n_levels = scheme == HD_CODING_FLAT ? 0 : shape->n_levels;
  for (uint32_t d = 0; d < shape->n_dims; d++) {
    r.dims[d] = shape->dims[d];
    for (uint32_t level = 0; level < shape->n_levels; level++)
      r.group[level][d] = shape->group[level][d];
  }
  return r;
}

static struct hd_coding *make_plan(const struct hd_coding_request *request)
{
  struct hd_coding *coding;
  must(hd_coding_create(&coding, request, &why));
  return coding;
}

static void name_of(const struct hd_coding_request *r, uint32_t sources, char *text, size_t size)
{
  int n = snprintf(text, size, "%s %s %s", r->torus ? "torus" : "mesh",
                   hd_coding_scheme_name(r->scheme), hd_coding_multicast_name(r->multicast));
  for (uint32_t d = 0; d < r->n_dims; d++)
    n += snprintf(text + n, size - (size_t)n, " %u:%u:%u", r->dims[d], r->group[0][d],
                  r->group[1][d]);
  snprintf(text + n, size - (size_t)n, ", %u sources", sources);
}

/** Calls `check` for every shape, scheme and multicast, mesh and torus, all sources and some. */
static void for_all_plans(struct dice *dice,
                          void (*check)(const struct hd_coding *coding, const char *name))
{
  uint32_t plans = 0;
  for (uint32_t i = 0; i < SHAPES; i++)
    for (uint32_t scheme = 0; scheme < HD_CODING_SCHEMES; scheme++)
      for (uint32_t multicast = 0; multicast < HD_CODING_MULTICASTS; multicast++)
        for (uint32_t kind = 0; kind < 4; kind++) {
          struct hd_coding_request r =
              request_of(&shapes[i], kind & 1, (enum hd_coding_scheme)scheme,
                         (enum hd_coding_multicast)multicast);
          bool sources[MOST];
          uint32_t n = 0;
          for (uint32_t node = 0; node < MOST; node++)
            sources[node] = roll(dice, 3) == 0;
          sources[1] = true;
          r.sources = kind & 2 ? sources : NULL;
          struct hd_coding *coding = make_plan(&r);
          for (uint32_t node = 0; node < hd_coding_nodes(coding); node++)
            n += hd_coding_is_source(coding, node);
          char name[200];
          name_of(&r, n, name, sizeof name);
          check(coding, name);
          hd_coding_destroy(coding);
          plans++;
        }
  assert_int_equal(plans, SHAPES * HD_CODING_SCHEMES * HD_CODING_MULTICASTS * 4);
}

/* ── hops ──────────────────────────────────────────────────────────────────── */

static uint64_t compared;

static void formula_is_count(const struct hd_coding *coding, const char *name)
{
  struct hd_coding_hops formula, count;
  hd_coding_formula(coding, &formula);
  hd_coding_count(coding, &count);
  for (uint32_t level = 0; level < HD_CODING_LEVELS; level++)
    for (uint32_t step = 0; step < HD_CODING_STEPS; step++) {
      if (formula.sends[level][step] != count.sends[level][step] ||
          formula.hops[level][step] != count.hops[level][step])
        fail_msg("%s, level %u, step %s: by formula %" PRIu64 " sends, %" PRIu64
                 " hops; counted %" PRIu64 " and %" PRIu64,
                 name, level, hd_coding_step_name(step), formula.sends[level][step],
                 formula.hops[level][step], count.sends[level][step], count.hops[level][step]);
      compared += count.hops[level][step];
    }
}

TEST(hops_by_formula_equal_hops_of_all_sends)
{
  struct dice dice = dice_begin("hops_by_formula_equal_hops_of_all_sends", "test_coding");
  for_all_plans(&dice, formula_is_count);
  assert_true(compared > 1000000);
}

/* Groups of `members`, as square as they can be, as the paper has them. */
static uint64_t hops_of(uint32_t k, enum hd_coding_scheme scheme,
                        enum hd_coding_multicast multicast, uint32_t members,
                        enum hd_coding_counted counted)
{
  struct hd_coding_request r = {.n_dims = 2,
                                .dims = {k, k},
                                .scheme = scheme,
                                .multicast = multicast,
                                .n_levels = scheme != HD_CODING_FLAT,
                                .group = {{1, 1}}};
  for (uint32_t d = 0; r.group[0][0] * r.group[0][1] < members; d = 1 - d)
    r.group[0][d] *= 2;
  struct hd_coding *coding = make_plan(&r);
  struct hd_coding_hops hops;
  hd_coding_formula(coding, &hops);
  hd_coding_destroy(coding);
  return hd_coding_total(&hops, counted);
}

/* k²·(k/2·log2 k)·(1 + k); 2·(k³ − k)/3·k²; N·(N − 1). */
TEST(hops_of_other_schemes_equal_their_closed_forms)
{
  for (uint64_t log = 1, k = 2; k <= 64; log++, k *= 2) {
    const uint32_t side = (uint32_t)k;
    const uint64_t nodes = k * k;
    assert_int_equal(hops_of(side, HD_CODING_FLAT, HD_CODING_TREE, 0, HD_CODING_COUNT_ALL),
                     nodes * (k / 2 * log) * (1 + k));
    assert_int_equal(hops_of(side, HD_CODING_FLAT, HD_CODING_ALL_AT_ONCE, 0, HD_CODING_COUNT_ALL),
                     2 * (k * k * k - k) / 3 * nodes);
    assert_int_equal(hops_of(side, HD_CODING_FLAT, HD_CODING_NEIGHBOUR, 0, HD_CODING_COUNT_ALL),
                     nodes * (nodes - 1));
  }
}

/* The figures that the paper's text gives, and what its own steps come to. */
TEST(hops_equal_the_figures_of_the_paper)
{
  assert_int_equal(hops_of(32, HD_CODING_FLAT, HD_CODING_TREE, 0, HD_CODING_COUNT_ALL), 2703360);
  assert_int_equal(hops_of(32, HD_CODING_CODED, HD_CODING_TREE, 32, HD_CODING_COUNT_F_ALONE),
                   671744);
  uint64_t best = UINT64_MAX;
  uint32_t best_members = 0;
  for (uint32_t members = 2; members <= 128; members *= 2) {
    const uint64_t hops =
        hops_of(16, HD_CODING_CODED, HD_CODING_TREE, members, HD_CODING_COUNT_ALL);
    if (hops < best) {
      best = hops;
      best_members = members;
    }
  }
  assert_int_equal(best_members, 32);
  assert_true(best > 65280); /* the floor of unicasts */
}

/* ── carried out ───────────────────────────────────────────────────────────── */

struct packet {
  uint32_t to;
  struct hd_coding_via as;
  struct hd_coding_item item;
  uint64_t value;
};

struct execution {
  const struct hd_coding *coding;
  const char *name;
  struct packet *packets;
  size_t n, capacity;
  /* by node and source; by level, node, group and pair */
  uint64_t data[MOST][MOST], pairs[HD_CODING_LEVELS][MOST][MOST][MOST];
  bool has_datum[MOST][MOST], has_pair[HD_CODING_LEVELS][MOST][MOST][MOST];
  bool made[HD_CODING_LEVELS][MOST][MOST], all_made[HD_CODING_LEVELS][MOST];
  uint32_t got[HD_CODING_LEVELS][HD_CODING_STEPS][MOST];
  bool seen[HD_CODING_LEVELS][HD_CODING_STEPS][3][MOST][MOST][MOST]; /* what, node, group, index */
};

static uint64_t datum_of(uint32_t source)
{
  return (source + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t value_at(const struct execution *e, uint32_t node, struct hd_coding_item item)
{
  bool has = false;
  uint64_t value = 0;
  if (item.what == HD_CODING_DATUM) {
    has = e->has_datum[node][item.index];
    value = e->data[node][item.index];
  } else if (item.what == HD_CODING_PAIR) {
    has = e->has_pair[item.level][node][item.group][item.index];
    value = e->pairs[item.level][node][item.group][item.index];
  } else { /* the receiver takes the data as they are; the sender has to have them */
    uint32_t n;
    const uint32_t *sources = hd_coding_sources(e->coding, item.level, item.group, &n);
    has = true;
    for (uint32_t i = 0; i < n; i++)
      has = has && e->has_datum[node][sources[i]];
  }
  if (!has)
    fail_msg("%s: node %u sends what it has not got", e->name, node);
  return value;
}

static void post_send(void *context, const struct hd_coding_send *send)
{
  struct execution *e = context;
  if (send->from == send->to)
    fail_msg("%s: node %u sends to itself", e->name, send->to);
  assert_true(HD_ROOM(e->packets, e->capacity, e->n, 1));
  e->packets[e->n++] =
      (struct packet){send->to, send->as, send->item, value_at(e, send->from, send->item)};
}

static void take_item(struct execution *e, uint32_t node, struct hd_coding_via as,
                      struct hd_coding_item item)
{
  hd_coding_sends(e->coding, node, as, item, post_send, e);
}

/* Carries out step C, or the step of another scheme that takes its place. */
static void encode(struct execution *e, uint32_t node, uint32_t level)
{
  const struct hd_coding_via own = {HD_CODING_STEPS, 0};
  const uint32_t group = hd_coding_group(e->coding, level, node);
  uint32_t n, known = 0;
  const uint32_t *sources = hd_coding_sources(e->coding, level, group, &n);
  if (hd_coding_intermediate(e->coding, level, group) != node)
    return;
  for (uint32_t i = 0; i < n; i++)
    known += e->has_datum[node][sources[i]];
  if (e->coding->scheme == HD_CODING_COMBINED && n && known == n && !e->all_made[level][node]) {
    e->all_made[level][node] = true;
    take_item(e, node, own, (struct hd_coding_item){HD_CODING_ALL_DATA, (uint8_t)level, group, 0});
  }
  for (uint32_t q = 0; e->coding->scheme == HD_CODING_CODED && q + 1 < n; q++)
    if (!e->made[level][node][q] && e->has_datum[node][sources[q]] &&
        e->has_datum[node][sources[q + 1]]) {
      e->made[level][node][q] = true;
      e->has_pair[level][node][group][q] = true;
      e->pairs[level][node][group][q] = e->data[node][sources[q]] ^ e->data[node][sources[q + 1]];
      take_item(e, node, own, (struct hd_coding_item){HD_CODING_PAIR, (uint8_t)level, group, q});
    }
}

/* Step G: a pair and one of its data give the other. */
static bool decode(struct execution *e, uint32_t node, uint32_t level)
{
  bool more = false;
  uint32_t siblings, n;
  const uint32_t first = hd_coding_siblings(e->coding, level, node, &siblings);
  for (uint32_t g = first; g < first + siblings; g++) {
    const uint32_t *sources = hd_coding_sources(e->coding, level, g, &n);
    for (uint32_t q = 0; q + 1 < n; q++)
      if (e->has_pair[level][node][g][q] &&
          e->has_datum[node][sources[q]] != e->has_datum[node][sources[q + 1]]) {
        const bool low = e->has_datum[node][sources[q]];
        const uint32_t from = sources[low ? q : q + 1], to = sources[low ? q + 1 : q];
        e->has_datum[node][to] = true;
        e->data[node][to] = e->data[node][from] ^ e->pairs[level][node][g][q];
        more = true;
      }
  }
  return more;
}

static void receive_item(struct execution *e, const struct packet *p)
{
  bool *seen = &e->seen[p->as.level][p->as.step][p->item.what][p->to][p->item.group][p->item.index];
  if (*seen)
    fail_msg("%s: node %u gets the same twice in step %s", e->name, p->to,
             hd_coding_step_name(p->as.step));
  *seen = true;
  e->got[p->as.level][p->as.step][p->to]++;
  if (p->item.what == HD_CODING_DATUM) {
    e->has_datum[p->to][p->item.index] = true;
    e->data[p->to][p->item.index] = p->value;
  } else if (p->item.what == HD_CODING_PAIR) {
    e->has_pair[p->item.level][p->to][p->item.group][p->item.index] = true;
    e->pairs[p->item.level][p->to][p->item.group][p->item.index] = p->value;
  } else {
    uint32_t n;
    const uint32_t *sources = hd_coding_sources(e->coding, p->item.level, p->item.group, &n);
    for (uint32_t i = 0; i < n; i++) {
      e->has_datum[p->to][sources[i]] = true;
      e->data[p->to][sources[i]] = datum_of(sources[i]);
    }
  }
  take_item(e, p->to, p->as, p->item);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t level = 0; level < e->coding->n_levels; level++) {
      encode(e, p->to, level);
      more = decode(e, p->to, level) || more;
    }
  }
}

static uint64_t delivered;
static struct dice order;

static void execute_plan(const struct hd_coding *coding, const char *name)
{
  CLEANUP(free_at) struct execution *e = calloc(1, sizeof *e);
  assert_non_null(e);
  e->coding = coding;
  e->name = name;
  const uint32_t nodes = hd_coding_nodes(coding);
  for (uint32_t node = 0; node < nodes; node++)
    if (hd_coding_is_source(coding, node)) {
      e->has_datum[node][node] = true;
      e->data[node][node] = datum_of(node);
      take_item(e, node, (struct hd_coding_via){HD_CODING_STEPS, 0},
                (struct hd_coding_item){.index = node});
      for (uint32_t level = 0; level < coding->n_levels; level++)
        encode(e, node, level); /* of a group with one source */
    }
  while (e->n) {
    const size_t i = roll(&order, (uint32_t)e->n);
    const struct packet packet = e->packets[i];
    e->packets[i] = e->packets[--e->n];
    receive_item(e, &packet);
    delivered++;
  }
  for (uint32_t node = 0; node < nodes; node++) {
    for (uint32_t source = 0; source < nodes; source++)
      if (hd_coding_is_source(coding, source) &&
          (!e->has_datum[node][source] || e->data[node][source] != datum_of(source)))
        fail_msg("%s: node %u ends without datum %u", name, node, source);
    for (uint32_t level = 0; level < HD_CODING_LEVELS; level++)
      for (uint32_t step = 0; step < HD_CODING_STEPS; step++) {
        const uint32_t expected =
            hd_coding_receives(coding, (struct hd_coding_via){(uint8_t)step, (uint8_t)level}, node);
        if (e->got[level][step][node] != expected)
          fail_msg("%s: node %u gets %u in step %s of level %u, but expects %u", name, node,
                   e->got[level][step][node], hd_coding_step_name(step), level, expected);
      }
  }
  free(e->packets);
}

TEST(every_node_gets_every_datum)
{
  struct dice dice = dice_begin("every_node_gets_every_datum", "test_coding");
  order = dice;
  for_all_plans(&dice, execute_plan);
  assert_true(delivered > 100000);
}

/* ── the walk ──────────────────────────────────────────────────────────────── */

struct walked {
  bool got[HD_CODING_LEVELS][HD_CODING_STEPS][3][MOST][MOST][MOST];
  uint32_t last; /* order of the step */
};

static uint64_t sends_that_waited;

static void check_order_of_send(void *context, const struct hd_coding_send *s)
{
  struct walked *w = context;
  const uint32_t step = (HD_CODING_LEVELS - (uint32_t)s->as.level) * HD_CODING_STEPS + s->as.step;
  assert_true(step >= w->last);
  w->last = step;
  if (s->after.step < HD_CODING_STEPS) {
    assert_true(
        w->got[s->after.level][s->after.step][s->item.what][s->from][s->item.group][s->item.index]);
    sends_that_waited++;
  }
  w->got[s->as.level][s->as.step][s->item.what][s->to][s->item.group][s->item.index] = true;
}

static void walk_in_order(const struct hd_coding *coding, const char *name)
{
  (void)name;
  CLEANUP(free_at) struct walked *w = calloc(1, sizeof *w);
  assert_non_null(w);
  hd_coding_walk(coding, check_order_of_send, w);
  assert_true(w->last > 0);
}

TEST(a_walk_visits_each_send_after_the_sends_that_it_waits_for)
{
  struct dice dice =
      dice_begin("a_walk_visits_each_send_after_the_sends_that_it_waits_for", "test_coding");
  for_all_plans(&dice, walk_in_order);
  assert_true(sends_that_waited > 10000);
}

/* ── intermediate nodes ────────────────────────────────────────────────────── */

static uint64_t hops_between(const struct hd_coding *coding)
{
  struct hd_coding_hops hops;
  hd_coding_formula(coding, &hops);
  return hops.hops[0][HD_CODING_D] + hops.hops[0][HD_CODING_E];
}

/* Tries all choices of intermediate nodes in small groups, as the digits of a number. */
TEST(no_other_choice_of_intermediate_nodes_needs_fewer_hops)
{
  static const struct shape small[] = {{2, {8, 4}, 1, {{2, 2}}},
                                       {2, {6, 3}, 1, {{3, 1}}},
                                       {2, {9, 2}, 1, {{3, 2}}},
                                       {2, {6, 6}, 1, {{3, 3}}},
                                       {1, {16}, 1, {{4}}}};
  for (uint32_t i = 0; i < sizeof small / sizeof *small; i++)
    for (uint32_t multicast = 0; multicast < HD_CODING_MULTICASTS; multicast++) {
      struct hd_coding_request r =
          request_of(&small[i], false, HD_CODING_CODED, (enum hd_coding_multicast)multicast);
      struct hd_coding *coding = make_plan(&r);
      const uint64_t chosen = hops_between(coding);
      struct coding_level *l = &coding->level[0];
      bool more = true;
      uint32_t tried = 0;
      for (uint32_t d = 0; d < r.n_dims; d++)
        memset(l->place[d], 0, sizeof *l->place[d] * l->siblings.side[d]);
      while (more) {
        assert_true(hops_between(coding) >= chosen);
        tried++;
        more = false;
        for (uint32_t d = 0; d < r.n_dims && !more; d++)
          for (uint32_t g = 0; g < l->siblings.side[d] && !more; g++) {
            more = ++l->place[d][g] < l->side[d];
            if (!more)
              l->place[d][g] = 0;
          }
      }
      assert_true(tried > 1);
      hd_coding_destroy(coding);
    }
}

/* ── input ─────────────────────────────────────────────────────────────────── */

TEST(requests_that_do_not_fit_the_network_are_refused)
{
  static const bool none[16] = {false};
  const struct hd_coding_request good = {
      .n_dims = 2, .dims = {4, 4}, .scheme = HD_CODING_CODED, .n_levels = 1, .group = {{2, 2}}};
  struct hd_coding_request bad[7];
  for (uint32_t i = 0; i < 7; i++)
    bad[i] = good;
  bad[0].group[0][1] = 5;
  bad[1].group[0][0] = 0;
  bad[2].n_levels = 0;
  bad[3].scheme = HD_CODING_FLAT;
  bad[4].n_levels = 2; /* inner sides are 0 */
  bad[5].sources = none;
  bad[6].dims[0] = HD_CODING_MAX_SIDE + 1;
  for (uint32_t i = 0; i < 7; i++) {
    struct hd_coding *coding;
    struct hd_error err = {""};
    assert_int_equal(hd_coding_create(&coding, &bad[i], &err), HD_E_INPUT);
    assert_null(coding);
    assert_true(strlen(err.text) > 0);
  }
  struct hd_coding_request r = good;
  assert_int_equal(hd_coding_best_group(&r, 3, &why), HD_E_INPUT);
  must(hd_coding_best_group(&r, 8, &why));
  assert_int_equal(r.group[0][0] * r.group[0][1], 8);
}

/* Nobody has to destroy a plan in memory of its caller. */
struct blocks {
  void *all[64];
  uint32_t n;
};

static void *block(void *context, size_t bytes)
{
  struct blocks *b = context;
  assert_true(b->n < 64);
  return b->all[b->n++] = calloc(1, bytes);
}

TEST(a_plan_lives_in_its_callers_memory)
{
  struct blocks blocks = {.n = 0};
  struct hd_coding_request r = {.n_dims = 2,
                                .dims = {8, 8},
                                .scheme = HD_CODING_CODED,
                                .alloc = block,
                                .alloc_context = &blocks};
  must(hd_coding_best_group(&r, 0, &why));
  assert_int_equal(blocks.n, 0);
  struct hd_coding *coding = make_plan(&r);
  formula_is_count(coding, "8x8");
  assert_ptr_equal(coding, blocks.all[0]);
  hd_coding_destroy(coding);
  formula_is_count(coding, "8x8 after hd_coding_destroy");
  for (uint32_t i = 0; i < blocks.n; i++)
    free(blocks.all[i]);
}
