/* M-to-N schedules and the contention checker check each other, in all small cases on whole fabrics.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../sw/contention/contention.h"
#include "../../../sw/mton/mton.h"
#include "../lib/dice.h"
#include "../lib/test.h"

struct tree {
  struct hd_topology topology;
  struct hd_tables tables;
  struct hd_mton_tree mton;
};

static void tree_open(struct tree *t, uint32_t k, uint32_t n, bool by_destination)
{
  *t = (struct tree){.mton = {k, n, by_destination}};
  assert_int_equal(hd_topology_extended_tree(&t->topology, k, n, NULL), 0);
  assert_int_equal(hd_routing_build(&t->tables, &t->topology,
                                    by_destination ? HD_ROUTE_D_MOD_K : HD_ROUTE_S_MOD_K, true, 1,
                                    0, NULL),
                   0);
}

static void tree_close(struct tree *t)
{
  hd_tables_fini(&t->tables);
  hd_topology_fini(&t->topology);
}

/* ── messages of a schedule ───────────────────────────────────────────────── */

struct messages {
  struct hd_slot_message *all;
  size_t n;
  uint32_t slots;
};

static struct messages messages_of(const struct hd_mton *m)
{
  CLEANUP(hd_mton_schedule_fini) struct hd_mton_schedule s;
  must(hd_mton_schedule(&s, m, &why));
  struct messages result = {.slots = s.slots};
  CLEANUP(free_at) struct hd_mton_message *made = hd_mton_messages(m, &s, &result.n);
  result.all = calloc(result.n + 1, sizeof *result.all);
  assert_non_null(result.all);
  for (size_t i = 0; i < result.n; i++)
    result.all[i] = (struct hd_slot_message){made[i].slot, made[i].source, made[i].destination};
  return result;
}

static uint64_t contentions(const struct tree *t, const struct hd_mton *m)
{
  struct messages messages = messages_of(m);
  uint64_t n;
  assert_int_equal(
      hd_contention_find(&t->topology, &t->tables, messages.all, messages.n, NULL, NULL, &n, NULL),
      0);
  free(messages.all);
  return n;
}

/* Each source sends all that it has for each destination, one message a slot; by a schedule no destination
 * gets two in a slot. */
static void assert_complete(const struct hd_mton *m)
{
  const bool takes_turns = m->kind != HD_MTON_UNSCHEDULED && m->kind != HD_MTON_VIRTUAL;
  struct messages messages = messages_of(m);
  uint32_t pairs[64][64] = {{0}};
  CLEANUP(free_at)
  uint8_t *sends = calloc((size_t)messages.slots * 64, 1),
          *gets = calloc((size_t)messages.slots * 64, 1);
  for (size_t i = 0; i < messages.n; i++) {
    const struct hd_slot_message *a = &messages.all[i];
    assert_true(a->source >= m->first && a->source - m->first < m->sources);
    assert_true(a->destination >= m->first_destination &&
                a->destination - m->first_destination < m->destinations);
    pairs[a->source - m->first][a->destination - m->first_destination]++;
    assert_int_equal(sends[(size_t)a->slot * 64 + a->source - m->first]++, 0);
    if (takes_turns)
      assert_int_equal(gets[(size_t)a->slot * 64 + a->destination - m->first_destination]++, 0);
  }
  for (uint32_t i = 0; i < m->sources; i++)
    for (uint32_t j = 0; j < m->destinations; j++)
      assert_int_equal(pairs[i][j], m->units ? m->units[i * m->destinations + j] : 1);
  assert_true(!takes_turns || messages.slots >= hd_mton_least_slots(m));
  free(messages.all);
}

/* ── tests ────────────────────────────────────────────────────────────────── */

TEST(every_message_is_sent_once)
{
  uint16_t units[20 * 20];
  srand(12);
  for (unsigned kind = 0; kind < HD_MTON_KINDS; kind++)
    for (uint32_t m = 1; m <= 20; m += m > 8 ? 3 : 1)
      for (uint32_t n = 1; n <= 20; n += n > 8 ? 3 : 1)
        for (int unequal = 0; unequal < 2; unequal++) {
          for (size_t i = 0; i < 400; i++)
            units[i] = (uint16_t)(rand() % 4);
          struct hd_mton mton = {m, n, 3, 7, (enum hd_mton_kind)kind, {2, 4, n % 2}, NULL};
          mton.units = unequal ? units : NULL;
          assert_complete(&mton);
        }
}

/* Compares the closed form with the links and tables of the fabric. */
TEST(the_closed_form_predicts_contention)
{
  static const struct {
    uint32_t k, n, most;
  } trees[] = {{2, 3, 8}, {2, 4, 16}, {2, 5, 32}, {3, 3, 27}, {4, 2, 16}, {4, 3, 64}};
  uint32_t with = 0, without = 0;
  for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
    for (int d = 0; d < 2; d++) {
      CLEANUP(tree_close) struct tree t;
      tree_open(&t, trees[i].k, trees[i].n, d);
      for (uint32_t n = 1; n <= trees[i].most; n++)
        for (uint32_t m = 1; m <= n; m++) {
          struct hd_mton mton = {m, n, 0, trees[i].most, HD_MTON_PAPER, t.mton, NULL};
          bool contends = contentions(&t, &mton);
          if (contends != hd_mton_contends(&t.mton, m, n))
            fail_msg("%u-ary %u-tree, %s, %u-to-%u: %d", trees[i].k, trees[i].n,
                     d ? "D-mod-k" : "S-mod-k", m, n, contends);
          *(contends ? &with : &without) += 1;
        }
    }
  assert_true(with > 100 && without > 100);
}

/* hd_mton_clash over all pairs of a table, at any nodes. */
static bool some_pair_contends(const struct hd_mton *m)
{
  for (uint32_t p = 0; p < m->destinations; p++)
    for (uint32_t q = 0; q < p; q++)
      if (hd_mton_clash(&m->tree, m->first, m->sources, m->destinations, p,
                        m->first_destination + p, q, m->first_destination + q))
        return true;
  return false;
}

TEST(contentions_found_are_those_that_the_fabric_shows)
{
  uint32_t compared = 0;
  for (int d = 0; d < 2; d++) {
    CLEANUP(tree_close) struct tree t;
    tree_open(&t, 2, 4, d);
    for (uint32_t m = 1; m <= 15; m++)
      for (uint32_t n = m; n <= 17; n++)
        for (uint32_t first = 0; first + m <= 15; first++) {
          struct hd_mton mton = {m, n, first, 15, HD_MTON_PAPER, t.mton, NULL};
          assert_int_equal(some_pair_contends(&mton), contentions(&t, &mton) > 0);
          mton.first = 31 - m;
          mton.first_destination = first;
          if (first + n <= mton.first) {
            assert_int_equal(some_pair_contends(&mton), contentions(&t, &mton) > 0);
            compared++;
          }
        }
  }
  assert_true(compared > 500);
}

TEST(padded_and_merged_tables_do_not_contend)
{
  uint32_t longer = 0;
  for (int d = 0; d < 2; d++) {
    CLEANUP(tree_close) struct tree t;
    tree_open(&t, 2, 3, d);
    for (uint32_t m = 1; m <= n_cases(16); m++)
      for (uint32_t n = 1; n <= 16; n++)
        for (uint32_t first = 0; first + m <= 16; first += 3)
          for (uint32_t to = 0; to + n <= 16; to++) {
            struct hd_mton mton = {m, n, first, to, HD_MTON_PADDED, t.mton, NULL};
            if (contentions(&t, &mton))
              fail_msg("padded, %s, %u-to-%u from %u to %u", d ? "D-mod-k" : "S-mod-k", m, n, first,
                       to);
            mton.kind = HD_MTON_MERGED;
            if (contentions(&t, &mton))
              fail_msg("merged, %s, %u-to-%u from %u to %u", d ? "D-mod-k" : "S-mod-k", m, n, first,
                       to);
            CLEANUP(hd_mton_schedule_fini) struct hd_mton_schedule s;
            assert_int_equal(hd_mton_schedule(&s, &mton, NULL), 0);
            /* all messages fit (kⁿ⁻¹ = 4) */
            assert_true(s.slots < (m > n ? m : n) + 8);
            longer += s.slots > hd_mton_least_slots(&mton);
          }
  }
  assert_true(longer > 0);
}

/* Experiment 2 of the paper: 48 sources, 54 destinations behind them, 18 of these get twice as much. */
TEST(doubling_the_share_of_18_destinations_takes_96_slots)
{
  static uint16_t units[48][54];
  CLEANUP(tree_close) struct tree t;
  tree_open(&t, 4, 3, false);
  for (int draw = 0; draw < 20; draw++) {
    uint32_t doubled = 0;
    bool twice[54] = {false};
    srand((unsigned)draw);
    while (doubled < 18) {
      /* first as the paper's nodes have them: of three nodes with two ports each, two have one such port */
      uint32_t j = draw ? (uint32_t)rand() % 54 : doubled / 2 * 6 + doubled % 2 * 2;
      doubled += !twice[j];
      twice[j] = true;
    }
    for (uint32_t i = 0; i < 48; i++)
      for (uint32_t j = 0; j < 54; j++)
        units[i][j] = twice[j] ? 2 : 1;
    struct hd_mton mton = {48, 54, 0, 48, HD_MTON_PAPER, t.mton, units[0]};
    assert_complete(&mton);
    struct messages paper = messages_of(&mton);
    assert_int_equal(paper.slots, 108);
    free(paper.all);
    mton.kind =
        HD_MTON_VIRTUAL; /* a source is never idle, but a destination stands in the table twice */
    assert_complete(&mton);
    struct messages together = messages_of(&mton);
    assert_int_equal(together.slots, 72);
    free(together.all);
    assert_true(contentions(&t, &mton) > 0);
    mton.kind = HD_MTON_MERGED;
    assert_complete(&mton);
    assert_int_equal(hd_mton_least_slots(&mton), 96);
    struct messages merged = messages_of(&mton);
    assert_int_equal(merged.slots, 96);
    free(merged.all);
    assert_int_equal(contentions(&t, &mton), 0);
  }
}

TEST(a_merged_table_of_too_many_messages_is_refused)
{
  static const uint16_t units[3] = {4096, 4096, 1};
  CLEANUP(hd_mton_schedule_fini) struct hd_mton_schedule s;
  struct hd_mton mton = {1, 3, 0, 4, HD_MTON_MERGED, {2, 3, false}, units};
  must_fail(hd_mton_schedule(&s, &mton, &why), HD_E_INPUT,
            "8193 messages a source; legal: up to 8192");
  mton.kind = HD_MTON_PADDED;
  must(hd_mton_schedule(&s, &mton, &why));
}

/* 18 to 18 in a 4-ary 3-tree, a phase of the paper's: it contends. */
TEST(the_papers_own_phases_contend)
{
  CLEANUP(tree_close) struct tree t;
  tree_open(&t, 4, 3, false);
  struct hd_mton mton = {18, 18, 0, 48, HD_MTON_PAPER, t.mton, NULL};
  assert_true(contentions(&t, &mton) > 0);
  mton.kind = HD_MTON_PADDED;
  assert_int_equal(contentions(&t, &mton), 0);
}

struct found {
  struct hd_contention first;
  int n;
};

static void note_contention(void *context, const struct hd_contention *c)
{
  struct found *found = context;
  if (!found->n++)
    found->first = *c;
}

/* Section IV-B of the paper: pod 0 to pod 3 send to pod 4 at once. */
TEST(a_contention_is_reported_with_messages_and_link)
{
  CLEANUP(tree_close) struct tree t;
  tree_open(&t, 2, 3, false);
  const struct hd_slot_message messages[] = {{7, 0, 4}, {3, 0, 4}, {7, 3, 4}, {3, 1, 5}, {7, 4, 4}};
  struct found found = {{0}, 0};
  uint64_t n;
  assert_int_equal(
      hd_contention_find(&t.topology, &t.tables, messages, 5, note_contention, &found, &n, NULL),
      0);
  assert_int_equal(n, 1);
  assert_int_equal(found.n, 1);
  assert_int_equal(found.first.first, 0);
  assert_int_equal(found.first.second, 2);
  assert_false(found.first.link.from_node);
  assert_string_equal(hd_contention_link(&t.topology, &found.first.link).text, "s2 port 0 to n4");
  const struct hd_slot_message twice[] = {{0, 2, 9}, {0, 2, 8}};
  found.n = 0;
  assert_int_equal(
      hd_contention_find(&t.topology, &t.tables, twice, 2, note_contention, &found, &n, NULL), 0);
  assert_true(n >= 1 && found.first.link.from_node);
  assert_string_equal(hd_contention_link(&t.topology, &found.first.link).text, "n2 to s1");
  const struct hd_slot_message nobody[] = {{5, 2, 16}};
  must_say(hd_contention_find(&t.topology, &t.tables, nobody, 1, NULL, NULL, &n, &why), HD_E_INPUT,
           "slot 5: a message from n2 to n16; nodes are 0 … 15");
}

/* The checker knows nothing of the fabric's kind. In this mesh two routes share a link. */
TEST(the_contention_checker_works_on_any_fabric)
{
  CLEANUP(hd_topology_fini) struct hd_topology mesh;
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  struct found found = {{0}, 0};
  uint64_t n;
  assert_int_equal(hd_topology_mesh(&mesh, (const uint32_t[]){4, 4}, 2, NULL), 0);
  assert_int_equal(hd_routing_build(&tables, &mesh, HD_ROUTE_DIMENSION_ORDER, false, 1, 0, NULL),
                   0);
  const struct hd_slot_message messages[] = {{0, 0, 2}, {0, 1, 3}, {0, 5, 4}};
  assert_int_equal(
      hd_contention_find(&mesh, &tables, messages, 3, note_contention, &found, &n, NULL), 0);
  assert_int_equal(n, 1);
  assert_int_equal(found.first.link.index, 1);
}

TEST(the_contention_checker_refuses_adaptive_routing)
{
  CLEANUP(hd_topology_fini) struct hd_topology mesh;
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  uint64_t n;
  assert_int_equal(hd_topology_mesh(&mesh, (const uint32_t[]){4, 4}, 2, NULL), 0);
  assert_int_equal(hd_routing_build(&tables, &mesh, HD_ROUTE_ADAPTIVE, false, 2, 0, NULL), 0);
  const struct hd_slot_message message = {0, 0, 5};
  must_fail(hd_contention_find(&mesh, &tables, &message, 1, NULL, NULL, &n, &why), HD_E_INPUT,
            "different ways");
}

TEST(files_of_message_sizes_are_read_or_refused_by_line)
{
  static const struct {
    const char *text, *expected_message; /* NULL: it is good */
  } cases[] = {
      {"# bytes\n1, 256,257\n\n0,512 ,1024\r\n", NULL},
      {"1,2,3\n4,5,6", NULL},
      {"1,2\n4,5,6\n", "line 1: it must have 3"},
      {"1,2,3,4\n4,5,6\n", "line 1: it must have 3"},
      {"1,2,3\n4,x,6\n", "line 2: no whole number of bytes for destination 1"},
      {"1,2,3\n4,,6\n", "line 2: no whole number"},
      {"1,2,3\n", "sizes for 1 of 2 sources"},
      {"1,2,3\n4,5,6\n7,8,9\n", "line 3: more than 2 sources"},
      {"1,2,3\n4,5,99999999999999999999\n", "line 2: more than 1048576 bytes"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint16_t units[6];
    struct hd_error err = {""};
    int status = hd_mton_sizes(cases[i].text, strlen(cases[i].text), 2, 3, 256, units, &err);
    assert_int_equal(status, cases[i].expected_message ? HD_E_INPUT : 0);
    if (cases[i].expected_message && !strstr(err.text, cases[i].expected_message))
      fail_msg("case %zu: %s", i, err.text);
    if (!i) {
      const uint16_t expected[] = {1, 1, 2, 0, 2, 4};
      assert_memory_equal(units, expected, sizeof expected);
    }
  }
}
