/* The parameter sets of streams contain every possible pair of limits (lowest or highest values) of two parameters of
 * a switch with routing tables, every triple of timings and kinds that a switch can have, and every kind of computed route.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A pair counts where both parameters do: a switch without barrier hardware has no number of groups. A pair is
 * impossible if no limits of the other parameters make a legal switch. Impossible pairs are printed.
 */
#include "../../../bridge/check/streams/streams.h"
#include "../lib/test.h"

enum { MOST_ENDS = 8, MOST_SETS = 80 };

static struct hd_switch_params sets[MOST_SETS];
static uint32_t n_sets;

static int list_sets(void **state)
{
  (void)state;
  struct hd_stream_case c;
  for (uint32_t i = 0; i < hd_stream_cases(); i++) {
    hd_stream_case(i, 1, &c);
    if (c.set == n_sets && n_sets < MOST_SETS)
      sets[n_sets++] = c.params;
  }
  return n_sets != hd_stream_sets();
}

/* Returns the limits of a parameter: all values of a choice; the lowest and highest of a number, and 1 for places of
 * a coder. */
static size_t ends_of(size_t param, uint32_t ends[MOST_ENDS])
{
  const struct hd_switch_param *d = &hd_switch_param_list[param];
  const uint32_t low = strcmp(d->name, "route_cycles") ? d->low : 1;
  const uint32_t high = strcmp(d->name, "nodes") ? d->high : HD_MAX_NODES;
  bool choice = d->kind == HD_PARAM_CHOICE || d->kind == HD_PARAM_ROUTING;
  size_t n = 0;
  if (d->part == HD_PART_COMPUTED ||
      d->part == HD_PART_CAST) { /* a switch with tables, without multicast */
    ends[n++] = d->low;
    return n;
  }
  for (uint32_t value = low; value <= high && n < MOST_ENDS; value++)
    if (choice || value == low || value == high || (value == 1 && !strcmp(d->name, "code_places")))
      ends[n++] = value;
  return n;
}

/* Every switch has the parameters that say whether a part exists. */
static bool parameter_counts(const struct hd_switch_params *p, size_t param)
{
  const char *name = hd_switch_param_list[param].name;
  return hd_switch_param_used(p, param) || !strcmp(name, "barrier") || !strcmp(name, "code_places");
}

struct pair {
  size_t param[2];
  uint32_t value[2];
};

static bool has_pair(const struct hd_switch_params *p, const struct pair *pair)
{
  for (unsigned k = 0; k < 2; k++)
    if (!parameter_counts(p, pair->param[k]) ||
        hd_switch_param_get(p, pair->param[k]) != pair->value[k])
      return false;
  return true;
}

/* Returns true if some legal switch has both values. Tries all limits of the other parameters, from parameter `from`
 * on. */
static bool some_switch_has_pair(struct hd_switch_params *p, const struct pair *pair, size_t from)
{
  uint32_t ends[MOST_ENDS];
  if (from == HD_SWITCH_PARAMS)
    return has_pair(p, pair) && !hd_switch_params_check(p, NULL);
  size_t n = ends_of(from, ends);
  for (unsigned k = 0; k < 2; k++)
    if (pair->param[k] == from) {
      ends[0] = pair->value[k];
      n = 1;
    }
  /* Tries the highest value first, because it is legal most often. */
  for (size_t i = n; i--;) {
    hd_switch_param_set(p, from, ends[i]);
    if (some_switch_has_pair(p, pair, from + 1))
      return true;
  }
  return false;
}

static void print_pair(const char *what, const struct pair *pair)
{
  print_message("%s: %s %u with %s %u\n", what, hd_switch_param_list[pair->param[0]].name,
                pair->value[0], hd_switch_param_list[pair->param[1]].name, pair->value[1]);
}

TEST(every_pair_of_parameter_limits_is_in_a_parameter_set)
{
  uint32_t pairs = 0, impossible = 0, missing = 0, ends[2][MOST_ENDS];
  for (size_t a = 0; a < HD_SWITCH_PARAMS; a++)
    for (size_t b = a + 1; b < HD_SWITCH_PARAMS; b++) {
      if (hd_switch_param_list[b].part >= HD_PART_COMPUTED) /* the last of the list */
        continue;
      size_t n[2] = {ends_of(a, ends[0]), ends_of(b, ends[1])};
      for (size_t i = 0; i < n[0] * n[1]; i++, pairs++) {
        const struct pair pair = {{a, b}, {ends[0][i / n[1]], ends[1][i % n[1]]}};
        struct hd_switch_params p = {0};
        uint32_t set = 0;
        while (set < n_sets && !has_pair(&sets[set], &pair))
          set++;
        if (set < n_sets)
          continue;
        bool can = some_switch_has_pair(&p, &pair, 0);
        print_pair(can ? "in no set" : "no switch has", &pair);
        missing += can;
        impossible += !can;
      }
    }
  print_message("%u pairs of ends in %u sets; %u more that no switch can have\n",
                pairs - missing - impossible, n_sets, impossible);
  assert_int_equal(missing, 0);
  assert_true(impossible < 20); /* otherwise possible pairs were taken for impossible ones */
}

/* ── triples of timings and kinds ──────────────────────────────────────────── */

/* Timings and kinds of a switch: they decide when a flit moves, and what it waits for. A route is either computed or
 * not; cut-through is there or not. */
static const struct {
  const char *name;
  uint32_t low, values;
} timings[] = {{"route", 0, 2},         {"route_cycles", 0, 3}, {"arb_cycles", 1, 2},
               {"buffer_cycles", 0, 2}, {"cut_flits", 0, 2},    {"barrier", 0, HD_BARRIER_KINDS},
               {"adaptive", 0, 4}};
enum { TIMINGS = sizeof timings / sizeof *timings, MOST_VALUES = 8 };

typedef bool triples[TIMINGS][TIMINGS][TIMINGS][MOST_VALUES][MOST_VALUES][MOST_VALUES];

static size_t param_of(size_t timing)
{
  size_t param = 0;
  while (strcmp(hd_switch_param_list[param].name, timings[timing].name) != 0)
    param++;
  return param;
}

static void note_triples(triples *noted, const struct hd_switch_params *p)
{
  uint32_t of[TIMINGS];
  for (size_t i = 0; i < TIMINGS; i++) {
    const uint32_t value = hd_switch_param_get(p, param_of(i)) - timings[i].low;
    of[i] = value < timings[i].values ? value : timings[i].values - 1;
  }
  for (size_t a = 0; a < TIMINGS; a++)
    for (size_t b = a + 1; b < TIMINGS; b++)
      for (size_t c = b + 1; c < TIMINGS; c++)
        (*noted)[a][b][c][of[a]][of[b]][of[c]] = true;
}

/* Notes the triples of all switches that agree with `p` in the timings before `from`. */
static void note_legal(triples *noted, struct hd_switch_params *p, size_t from)
{
  if (from == TIMINGS) {
    p->source_table = p->adaptive == HD_ADAPTIVE_UGAL;
    if (!hd_switch_params_check(p, NULL))
      note_triples(noted, p);
    return;
  }
  for (uint32_t value = 0; value < timings[from].values; value++) {
    hd_switch_param_set(p, param_of(from), timings[from].low + value);
    note_legal(noted, p, from + 1);
  }
}

static uint32_t count_missing(const triples *legal, const triples *found, size_t a, size_t b,
                              size_t c)
{
  uint32_t missing = 0;
  for (uint32_t i = 0; i < MOST_VALUES; i++)
    for (uint32_t j = 0; j < MOST_VALUES; j++)
      for (uint32_t k = 0; k < MOST_VALUES; k++) {
        if (!(*legal)[a][b][c][i][j][k] || (*found)[a][b][c][i][j][k])
          continue;
        print_message("in no set: %s %u, %s %u, %s %u\n", timings[a].name, timings[a].low + i,
                      timings[b].name, timings[b].low + j, timings[c].name, timings[c].low + k);
        missing++;
      }
  return missing;
}

TEST(every_triple_of_timings_and_kinds_is_in_a_parameter_set)
{
  static triples legal, found;
  uint32_t missing = 0;
  struct hd_switch_params p = {.ports = 5,
                               .vcs = 2,
                               .data_bits = 32,
                               .depth_flits = 4,
                               .nodes = 16,
                               .groups = 2,
                               .switches = 8,
                               .fields = 1};
  note_legal(&legal, &p, 0);
  for (uint32_t i = 0; i < n_sets; i++)
    note_triples(&found, &sets[i]);
  for (size_t a = 0; a < TIMINGS; a++)
    for (size_t b = a + 1; b < TIMINGS; b++)
      for (size_t c = b + 1; c < TIMINGS; c++)
        missing += count_missing((const triples *)&legal, (const triples *)&found, a, b, c);
  assert_int_equal(missing, 0);
}

/* ── computed routes, multicast ────────────────────────────────────────────── */

TEST(every_kind_of_computed_route_is_in_a_parameter_set)
{
  unsigned seen[HD_ROUTE_KINDS] = {0}, cycles[3] = {0}, through = 0, beside = 0, coders = 0;
  for (uint32_t i = 0; i < n_sets; i++) {
    const struct hd_switch_params *p = &sets[i];
    assert_int_equal(hd_switch_params_check(p, NULL), 0);
    seen[p->route]++;
    if (!p->route)
      continue;
    cycles[p->route_cycles]++;
    through += p->barrier && !hd_barrier_beside(p) && !p->route_cycles;
    beside += p->barrier && hd_barrier_beside(p) && !p->route_cycles;
    coders += p->code_places && !p->route_cycles;
  }
  for (unsigned route = 0; route < HD_ROUTE_KINDS; route++)
    assert_true(seen[route]);
  assert_true(cycles[0] && cycles[1] && cycles[2] && through && beside && coders);
}

TEST(parameter_sets_combine_multicast_with_each_barrier_kind)
{
  bool with[HD_BARRIER_KINDS] = {false}, cut[2] = {false}, delays[2] = {false},
       one_channel_more = false;
  uint32_t fewest = UINT32_MAX, most = 0;
  for (uint32_t i = 0; i < n_sets; i++) {
    const struct hd_switch_params *p = &sets[i];
    if (!p->trees)
      continue;
    fewest = p->trees < fewest ? p->trees : fewest;
    most = p->trees > most ? p->trees : most;
    with[p->barrier] = cut[p->cut_flits != 0] = delays[p->buffer_cycles] = true;
    one_channel_more |= p->vcs == 2;
  }
  for (unsigned barrier = 0; barrier < HD_BARRIER_KINDS; barrier++)
    assert_true(with[barrier]);
  assert_true(cut[0] && cut[1] && delays[0] && delays[1] && one_channel_more);
  assert_true(fewest == 1 && most == HD_MAX_TREES);
}

int main(void)
{
  return tests_run(list_sets, NULL);
}
