/* The check of the tree protocol's invariants (specification §8.13): it accepts correct rounds, and finds errors that
 * model and RTL would share.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The test records the ports of a fabric with barrier groups. Then it changes the record, as if model and RTL had
 * both made the same error. The check must name the broken rule. HD_SEED=N replays a run.
 */
#include "../lib/barrier_fabric.h"
#include "../lib/test.h"
#include "../../../bridge/invariants/tree_check.h"

enum { ROUNDS = 4, GROUP = 5, WINDOW = 64 };
enum { CHANGES = 40 }; /* of each kind; some have nothing to change, or break another rule first */

struct rig {
  struct barrier_fabric f;
  struct group g;
  struct hd_record record;
};

static void take_window(struct rig *r, struct hd_tree_check *check)
{
  must(hd_fabric_record_end(r->f.fabric, &why));
  if (check)
    must(hd_tree_check_window(check, &r->record, r->record.cycles, &why));
}

/* Runs rounds of one group. A check gets each window; without a check one record has all windows. */
static void rig_run(struct rig *r, struct dice *dice, unsigned barrier, uint32_t bits,
                    struct hd_tree_check **check)
{
  struct hd_switch_params sw = random_switch(dice, barrier);
  sw.data_bits = bits;
  sw.values = bits == 64;
  *r = (struct rig){.f = {.faults = true}};
  random_graph(&r->f.t, dice, 12 + roll(dice, 12), roll(dice, 8), 24, 6, false);
  barrier_fabric_open(&r->f, &sw, 1 + roll(dice, 3), 8);
  if (check)
    *check = hd_tree_check_create(&r->f.t, &r->f.params.sw);
  must(hd_record_init(&r->record, r->f.t.n_switches));
  do
    group_random(&r->g, dice, &r->f.t, GROUP, 3);
  while (r->g.n_members < 4);
  hd_fabric_record_begin(r->f.fabric, &r->record);
  group_open(&r->g, &r->f);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint64_t now = hd_fabric_cycle(r->f.fabric);
    group_begin(&r->g, dice, now + 8, 40);
    if (round && sw.values)
      group_values(&r->g, dice);
    while (!group_done(&r->g)) {
      groups_step(&r->g, 1, &r->f);
      if (!check || hd_fabric_cycle(r->f.fabric) % WINDOW)
        continue;
      take_window(r, *check);
      hd_fabric_record_begin(r->f.fabric, &r->record);
    }
  }
  take_window(r, check ? *check : NULL);
}

static void rig_end(struct rig *r)
{
  hd_record_fini(&r->record);
  barrier_fabric_close(&r->f);
}

TEST(correct_barrier_rounds_break_no_rule)
{
  struct dice dice = dice_begin("correct_barrier_rounds_break_no_rule", "test_tree_check");
  uint64_t messages = 0, rounds = 0;
  uint32_t n = n_cases(40);
  for (uint32_t i = 0; i < n; i++) {
    CLEANUP(rig_end) struct rig r;
    struct hd_tree_check *check;
    rig_run(&r, &dice, 1 + i % 5, 16u << i / 5 % 3, &check);
    must(hd_tree_check_end(check, &why));
    struct hd_tree_check_counts counts = hd_tree_check_counts(check);
    assert_int_equal(counts.rounds, ROUNDS);
    messages += counts.messages;
    rounds += counts.rounds;
    hd_tree_check_destroy(check);
  }
  printf("%llu messages, %llu rounds\n", (unsigned long long)messages, (unsigned long long)rounds);
  assert_true(messages > 100 * n);
}

/* ── what both could do wrong ─────────────────────────────────────────────── */

/* A message in the record: its switch, and its index in the list of flits that leave (OUT) or enter (IN). */
struct place {
  uint32_t sw, at;
};
enum side { OUT, IN };

static enum hd_barrier_type type_of(uint32_t m)
{
  return (enum hd_barrier_type)(m & 3);
}
static uint32_t tag_of(uint32_t m)
{
  return m >> 2 & 3;
}
static uint32_t to_of(uint32_t m)
{
  return m >> 9 & 0x7ff;
}
static uint32_t bsr_of(uint32_t m)
{
  return m >> 20 & 0x7ff;
}
static bool is_local(uint32_t m)
{
  return m >> 31;
}

typedef bool wanted_fn(uint32_t message, uint32_t sw);

static bool is_arrival(uint32_t m, uint32_t sw)
{
  (void)sw;
  return is_local(m) && type_of(m) == HD_REDUCE;
}
static bool is_release(uint32_t m, uint32_t sw)
{
  (void)sw;
  return is_local(m) && type_of(m) == HD_DISTRIBUTE;
}
static bool own_reduce(uint32_t m, uint32_t sw)
{
  return !is_local(m) && type_of(m) == HD_REDUCE && bsr_of(m) == sw;
}
static bool own_distribute(uint32_t m, uint32_t sw)
{
  return !is_local(m) && type_of(m) == HD_DISTRIBUTE && bsr_of(m) == sw;
}
static bool own_initial(uint32_t m, uint32_t sw)
{
  return !is_local(m) && type_of(m) == HD_INITIAL_REDUCE && bsr_of(m) == sw && !tag_of(m);
}
static bool is_distribute_to(uint32_t m, uint32_t sw)
{
  return !is_local(m) && type_of(m) == HD_DISTRIBUTE && to_of(m) == sw;
}
static bool is_in_transit(uint32_t m, uint32_t sw)
{
  return !is_local(m) && type_of(m) != HD_INITIAL_REDUCE && to_of(m) != sw && bsr_of(m) != sw;
}
static bool is_joined_branch(uint32_t m, uint32_t sw)
{
  return !is_local(m) && type_of(m) == HD_INITIAL_REDUCE && tag_of(m) == 2 && to_of(m) != sw;
}

/* Finds a random one of the messages that `wanted` accepts. Returns false if there is none. */
static bool find_message(struct rig *r, struct dice *dice, enum side side, wanted_fn *wanted,
                         struct place *found)
{
  uint32_t n = 0;
  for (uint32_t sw = 0; sw < r->record.n_switches; sw++) {
    const struct hd_switch_record *s = &r->record.switches[sw];
    const struct hd_flit_event *list = side == OUT ? s->flits_out : s->flits_in;
    for (uint32_t i = 0; i < (side == OUT ? s->n_flits_out : s->n_flits_in); i++)
      if (list[i].kind == HD_KIND_BARRIER_LAST && wanted((uint32_t)list[i].data, sw) &&
          !roll(dice, ++n))
        *found = (struct place){sw, i};
  }
  return n > 0;
}

static void drop_message(struct rig *r, enum side side, struct place p)
{
  struct hd_switch_record *s = &r->record.switches[p.sw];
  struct hd_flit_event *list = side == OUT ? s->flits_out : s->flits_in;
  uint32_t *n = side == OUT ? &s->n_flits_out : &s->n_flits_in;
  memmove(&list[p.at], &list[p.at + 1], (--*n - p.at) * sizeof *list);
}

/* The copy leaves in the next cycle. */
static void double_message(struct rig *r, struct place p)
{
  struct hd_switch_record *s = &r->record.switches[p.sw];
  struct hd_flit_event *list = realloc(s->flits_out, (s->n_flits_out + 1) * sizeof *list);
  assert_non_null(list);
  memmove(&list[p.at + 1], &list[p.at], (s->n_flits_out++ - p.at) * sizeof *list);
  list[p.at + 1].cycle++;
  s->flits_out = list;
  s->cap_flits_out = s->n_flits_out;
}

static bool drop_random_message(struct rig *r, struct dice *dice, enum side side, wanted_fn *wanted)
{
  struct place p;
  if (!find_message(r, dice, side, wanted, &p))
    return false;
  drop_message(r, side, p);
  return true;
}

static bool double_random_message(struct rig *r, struct dice *dice, wanted_fn *wanted)
{
  struct place p;
  if (!find_message(r, dice, OUT, wanted, &p))
    return false;
  double_message(r, p);
  return true;
}

static bool release_too_early(struct rig *r, struct dice *dice)
{
  struct place p;
  do /* at another switch, a report before the member's arrival breaks rule T4 first in most cases */
    if (!find_message(r, dice, IN, is_arrival, &p))
      return false;
  while (p.sw != r->g.center);
  drop_message(r, IN, p);
  return true;
}
static bool released_twice(struct rig *r, struct dice *dice)
{
  return double_random_message(r, dice, is_release);
}
static bool released_untold(struct rig *r, struct dice *dice)
{
  return drop_random_message(r, dice, IN, is_distribute_to);
}
static bool parent_before_child(struct rig *r, struct dice *dice)
{
  return drop_random_message(r, dice, OUT, own_reduce);
}
static bool reported_twice(struct rig *r, struct dice *dice)
{
  return double_random_message(r, dice, own_reduce);
}
static bool initial_twice(struct rig *r, struct dice *dice)
{
  return double_random_message(r, dice, own_initial);
}
static bool child_told_twice(struct rig *r, struct dice *dice)
{
  return double_random_message(r, dice, own_distribute);
}
static bool message_in_transit_doubled(struct rig *r, struct dice *dice)
{
  return double_random_message(r, dice, is_in_transit);
}
static bool message_in_transit_lost(struct rig *r, struct dice *dice)
{
  return drop_random_message(r, dice, OUT, is_in_transit);
}
/* In its last round: before, it would not arrive again. */
static bool member_forgotten(struct rig *r, struct dice *dice)
{
  struct place p;
  if (!find_message(r, dice, OUT, is_release, &p))
    return false;
  const struct hd_switch_record *s = &r->record.switches[p.sw];
  uint8_t port = s->flits_out[p.at].port;
  for (uint32_t i = p.at; i < s->n_flits_out; i++)
    if (s->flits_out[i].port == port && s->flits_out[i].kind == HD_KIND_BARRIER_LAST &&
        is_release((uint32_t)s->flits_out[i].data, p.sw))
      p.at = i;
  drop_message(r, OUT, p);
  return true;
}
static bool to_the_wrong_parent(struct rig *r, struct dice *dice)
{
  struct place p;
  if (!find_message(r, dice, OUT, own_reduce, &p))
    return false;
  uint64_t *data = &r->record.switches[p.sw].flits_out[p.at].data;
  uint32_t other = (to_of((uint32_t)*data) + 1) % r->f.t.n_switches;
  *data = (*data & ~(UINT64_C(0x7ff) << 9)) | (uint64_t)other << 9;
  return true;
}

/* A message passes the switch that has sent it, and joins there: the switch is below itself. */
static bool switch_is_its_own_ancestor(struct rig *r, struct dice *dice)
{
  struct place p;
  if (!find_message(r, dice, OUT, is_joined_branch, &p))
    return false;
  const uint64_t mask = UINT64_C(0x7ff) << 20, self = (uint64_t)p.sw << 20;
  struct hd_switch_record *s = &r->record.switches[p.sw];
  uint32_t old = (uint32_t)s->flits_out[p.at].data;
  for (uint32_t i = 0; i < s->n_flits_in; i++) {
    uint32_t in = (uint32_t)s->flits_in[i].data;
    if (s->flits_in[i].kind != HD_KIND_BARRIER_LAST || (in | 0xc) != (old | 0xc) || tag_of(in) > 1)
      continue;
    s->flits_in[i].data = (s->flits_in[i].data & ~mask) | self;
    s->flits_out[p.at].data = (s->flits_out[p.at].data & ~mask) | self;
    return true;
  }
  return false; /* it had joined before */
}

/* A link fails when the first reduction has left; the tree is used all the same. */
static bool fault_in_first_round(struct rig *r, struct dice *dice)
{
  struct place p;
  if (!find_message(r, dice, OUT, own_initial, &p))
    return false;
  struct hd_switch_record *s = &r->record.switches[p.sw];
  struct hd_config_event *list = realloc(s->configs_in, (s->n_configs_in + 1) * sizeof *list);
  assert_non_null(list);
  list[s->n_configs_in++] =
      (struct hd_config_event){.cycle = s->flits_out[p.at].cycle, .addr = HD_CFG_LIVE, .data = 1};
  s->configs_in = list;
  s->cap_configs_in = s->n_configs_in;
  return true;
}

/* A bit of a release's value, or of its operator; of a later round. */
static bool other_result(struct rig *r, struct dice *dice)
{
  struct place p;
  uint64_t *data;
  uint32_t tries = 0;
  do {
    if (!find_message(r, dice, OUT, is_release, &p) || ++tries > 200)
      return false;
    data = &r->record.switches[p.sw].flits_out[p.at].data;
  } while (!hd_barrier_operator_of(*data));
  *data ^= roll(dice, 3) ? UINT64_C(1) << (32 + roll(dice, 32)) : 1u << (2 + roll(dice, 2));
  return true;
}

TEST(each_rule_is_checked)
{
  /* `other_message`: text of another rule that may be broken first, depending on the changed event. */
  static const struct {
    const char *name, *rule, *other_message;
    bool (*change)(struct rig *r, struct dice *dice);
  } cases[] = {
      {"a round is released before a member has arrived", "rule T1", "rule T4", release_too_early},
      {"a member is released twice", "rule T2", "rule T2", released_twice},
      {"a switch releases without being told", "rule T3", "rule T8", released_untold},
      {"a switch reports before its child", "rule T4", "rule T5", parent_before_child},
      {"a switch reports twice", "rule T4", "rule T4", reported_twice},
      {"a member switch sends two initial reductions", "rule T4", "rule T4", initial_twice},
      {"a child is told twice", "rule T4", "rule T1", child_told_twice},
      {"a message is doubled on its way", "rule T5", "rule T5", message_in_transit_doubled},
      {"a reduction goes to another switch than the parent", "rule T5", "rule T5",
       to_the_wrong_parent},
      {"a switch joins its own branch", "rule T6", "rule T5", switch_is_its_own_ancestor},
      {"a half-built tree is used after a fault", "rule T7", "rule T7", fault_in_first_round},
      {"a message is lost on its way", "rule T8", "rule T8", message_in_transit_lost},
      {"a member is not released", "rule T8", "rule T1", member_forgotten},
      {"a member gets another result", "rule T9", "rule T9", other_result},
  };
  struct dice dice = dice_begin("each_rule_is_checked", "test_tree_check");
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    uint32_t first = 0, other = 0;
    for (uint32_t i = 0; i < CHANGES; i++) {
      CLEANUP(rig_end) struct rig r;
      struct hd_error err = {""};
      struct hd_tree_check *check;
      rig_run(&r, &dice, 1 + i % 5, cases[k].change == other_result ? 64 : 32, NULL);
      if (cases[k].change(&r, &dice)) {
        check = hd_tree_check_create(&r.f.t, &r.f.params.sw);
        int status = hd_tree_check_window(check, &r.record, r.record.cycles, &err);
        if (!status)
          status = hd_tree_check_end(check, &err);
        bool is_first = strstr(err.text, cases[k].rule);
        if (status != HD_E_INVARIANT || !(is_first || strstr(err.text, cases[k].other_message)))
          fail_msg("%s, case %u: %d, %s", cases[k].name, i, status, err.text);
        first += is_first;
        other += !is_first;
        hd_tree_check_destroy(check);
      }
    }
    printf("%s: %u times %s, %u times another\n", cases[k].name, first, cases[k].rule, other);
    assert_true(first > 2);
  }
}
