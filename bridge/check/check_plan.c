/* The plan of a check: its stages, and how their items make up one sequence of runs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The plan goes for breadth first: elaboration, then a short stream into every parameter set, then depth. A stage is a
 * line of the table below. It says which items the stage has, and how many of them come in a turn of each phase. A phase
 * repeats its turn until the stages that are due in it have no item left. The sequence follows from the seed, the tools,
 * and the lists of scenarios and proofs. A free worker takes the first run of the sequence that can begin (check.c).
 */
#include "check_internal.h"
#include "../host/memory.h"
#include "check_stress.h"

#include <stdlib.h>

/* ── items of each stage ───────────────────────────────────────────────────── */

static struct check_run run_without_set(struct hd_check *c, enum check_kind kind, uint32_t place)
{
  (void)c;
  return (struct check_run){.kind = kind, .index = place, .set = CHECK_NO_SET};
}

static uint32_t linters(const struct hd_check *c)
{
  uint32_t n = 0;
  for (uint32_t tool = 0; tool < CHECK_LINTERS; tool++)
    n += c->has_tool[tool];
  return n;
}

static uint32_t count_lint(const struct hd_check *c)
{
  return CHECK_LINT_SETS * linters(c);
}

/* Item 0 is Verilator's lint of the first set: it comes first because it shows at once whether the files are valid RTL. */
static struct check_run elaboration(struct hd_check *c, enum check_kind kind, uint32_t place)
{
  uint32_t n = linters(c), tool = 0;
  for (uint32_t left = place % n; !c->has_tool[tool] || left; tool++)
    left -= c->has_tool[tool];
  return run_without_set(c, kind, tool + CHECK_LINTERS * (place / n));
}

static uint32_t count_equal(const struct hd_check *c)
{
  return c->has_tool[CHECK_YOSYS] ? c->equal.n : 0;
}

/* Runs of the aim: its scenario, then streams of all styles that fit its switch, then the scenario with other seeds. */
static uint32_t aimed_styles(const struct hd_check *c, uint32_t styles[HD_STREAM_STYLES])
{
  uint32_t n = 0;
  for (uint32_t style = 0; style < HD_STREAM_STYLES; style++)
    if (c->aim.some && hd_stream_fits(&c->aim.sw, (enum hd_stream_style)style))
      styles[n++] = style;
  return n;
}

static uint32_t count_aimed(const struct hd_check *c)
{
  uint32_t styles[HD_STREAM_STYLES];
  return aimed_styles(c, styles) + (c->aim.has_scenario ? CHECK_AIM_SEEDS : 0);
}

static struct check_run aimed_run(struct hd_check *c, enum check_kind kind, uint32_t place)
{
  uint32_t styles[HD_STREAM_STYLES], n = aimed_styles(c, styles), first = c->aim.has_scenario;
  if (place >= first && place - first < n)
    return hd_check_stream_run(c, c->first_aimed + styles[place - first]);
  return (struct check_run){.kind = kind, .index = place ? place - n : 0, .set = c->aim.set};
}

/* Runs that wait until their set is suspect are no items: hd_check_plan puts them before all others. */
static uint32_t count_ends(const struct hd_check *c)
{
  (void)c;
  return 0;
}

/* Lists runs into the switches of `end_set`: for each of them two streams and a run beside the original, then for each of
 * them streams of all other styles. `most`: room in `runs`. */
static uint32_t list_ends(struct hd_check *c, struct check_run runs[], uint32_t most)
{
  uint32_t n = 0;
  for (int others = 0; others < 2; others++)
    for (uint32_t k = 0; k < c->n_end_sets; k++) {
      for (uint32_t style = 0; style < HD_STREAM_STYLES; style++) {
        const bool first = style == HD_STREAM_LEGAL || style == HD_STREAM_ILLEGAL;
        if (first != others && n < most &&
            hd_stream_fits(&c->sets[c->end_set[k]], (enum hd_stream_style)style))
          runs[n++] = hd_check_stream_run(c, c->first_end + k * HD_STREAM_STYLES + style);
      }
      if (!others && n < most)
        runs[n++] = hd_check_stress_end(c, k);
    }
  return n;
}

static uint32_t count_short_streams(const struct hd_check *c)
{
  return c->first_aimed - c->first_short;
}

static struct check_run short_stream(struct hd_check *c, enum check_kind kind, uint32_t place)
{
  (void)kind;
  return hd_check_stream_run(c, c->first_short + place);
}

static uint32_t count_main_streams(const struct hd_check *c)
{
  return c->n_main_streams;
}

static struct check_run main_stream(struct hd_check *c, enum check_kind kind, uint32_t place)
{
  (void)kind;
  return hd_check_stream_run(c, c->streams[place]);
}

static uint32_t count_further_streams(const struct hd_check *c)
{
  return c->n_listed - c->n_main_streams;
}

static struct check_run further_stream(struct hd_check *c, enum check_kind kind, uint32_t place)
{
  return main_stream(c, kind, c->n_main_streams + place);
}

static uint32_t count_random(const struct hd_check *c)
{
  (void)c;
  return CHECK_NO_END;
}

static uint32_t count_stock(const struct hd_check *c)
{
  return (uint32_t)c->n_stock;
}

static struct check_run stock_scenario(struct hd_check *c, enum check_kind kind, uint32_t place)
{
  return (struct check_run){.kind = kind, .index = place, .set = c->file_set[place]};
}

static struct check_run own_scenario(struct hd_check *c, enum check_kind kind, uint32_t place)
{
  return (struct check_run){.kind = kind, .index = place, .set = c->own_set[kind]};
}

static uint32_t count_long(const struct hd_check *c)
{
  return c->own_set[CHECK_LONG] != CHECK_NO_SET;
}

static uint32_t count_large(const struct hd_check *c)
{
  return c->own_set[CHECK_LARGE] != CHECK_NO_SET;
}

static uint32_t count_four_state(const struct hd_check *c)
{
  return c->has_tool[CHECK_ICARUS];
}

static uint32_t count_formal(const struct hd_check *c)
{
  return c->has_tool[CHECK_YOSYS] ? c->n_proofs : 0;
}

/* ── the stages ────────────────────────────────────────────────────────────── */

const struct check_stage hd_check_model_stages[] = {
    STAGE("elaboration", "elaboration", LINT, count_lint, elaboration, BREADTH, 1, 1, 1, 1),
    STAGE("equal", "equality proof", EQUAL, count_equal, run_without_set, BREADTH, 4, 16, 6, 2),
    STAGE("aimed", "aimed run", AIMED, count_aimed, aimed_run, AIM, 4, 0, 0, 0),
    STAGE("ends", "open-proof run", STREAM, count_ends, NULL, AIM, 0, 0, 0, 0),
    STAGE("scenarios", "scenario", RANDOM, count_random, hd_check_random_run, REST, 0, 1, 1, 2),
    STAGE("sets", "short stream", STREAM, count_short_streams, short_stream, BREADTH, 0, 6, 1, 1),
    STAGE("streams", "stream", STREAM, count_main_streams, main_stream, DEPTH, 0, 2, 3, 1),
    STAGE("beside", "stress run", STRESS, hd_check_stress_runs, hd_check_stress_run, REST, 0, 1, 3,
          1),
    STAGE("stock", "stock scenario", STOCK, count_stock, stock_scenario, DEPTH, 0, 0, 1, 1),
    STAGE("four-state", "four-state scenario", FOUR_STATE, count_four_state, run_without_set, DEPTH,
          0, 0, 1, 1),
    STAGE("more-streams", "further stream", STREAM, count_further_streams, further_stream, REST, 0,
          0, 1, 1),
    STAGE("long", "long scenario", LONG, count_long, own_scenario, DEPTH, 0, 0, 1, 1),
    STAGE("proofs", "proof", FORMAL, count_formal, run_without_set, REST, 0, 0, 1, 1),
    STAGE("large", "large scenario", LARGE, count_large, own_scenario, REST, 0, 0, 0, 1),
    {.name = NULL},
};
enum { EQUAL = 1, ENDS = 3 /* places in the table above */ };
enum { STAGES = sizeof hd_check_model_stages / sizeof *hd_check_model_stages };
_Static_assert((int)STAGES <= (int)CHECK_STAGES, "check_internal.h has room for them");

bool hd_check_is_deep(const struct hd_check *c)
{
  return c->phase > CHECK_BREADTH;
}

void hd_check_plan(struct hd_check *c)
{
  for (uint32_t s = 0; s < hd_check_stages(c); s++)
    c->stages[s].size = c->judge->stages[s].count(c);
  if (!c->n_end_sets || c->has_only || c->params->proof_of)
    return;
  const uint32_t most = c->n_end_sets * (HD_STREAM_STYLES + 1);
  c->capacity = 2 * most;
  c->runs = hd_xcalloc(c->capacity, sizeof *c->runs);
  c->n_waiting = c->n_runs = c->first = list_ends(c, c->runs, most);
  for (uint64_t i = 0; i < c->n_waiting; i++)
    c->runs[i].stage = ENDS;
}

/* May the run begin? The first n_waiting runs may only when their set is suspect. */
static bool may_begin(const struct hd_check *c, uint64_t number)
{
  return number >= c->n_waiting || c->suspected[c->runs[number].set];
}

uint32_t hd_check_ends(const struct hd_check *c)
{
  uint32_t n = 0;
  for (uint64_t i = 0; i < c->n_waiting; i++)
    n += c->runs[i].given || may_begin(c, i);
  return n;
}

uint32_t hd_check_switches(const struct hd_check *c)
{
  bool needed[CHECK_NO_SET] = {false};
  uint32_t n = 0;
  for (uint64_t i = 0; i < c->n_runs; i++) {
    uint32_t set = c->runs[i].set;
    if (set == CHECK_NO_SET || needed[set] || !may_begin(c, i))
      continue;
    needed[set] = true;
    n++;
  }
  return n;
}

static bool has_more(const struct hd_check *c, uint32_t stage)
{
  return c->stages[stage].next < c->stages[stage].size;
}

/* Have all stages that are due in the phase handed out their items? The last phase never ends. */
static bool is_over(const struct hd_check *c, enum check_phase phase)
{
  bool over = phase != CHECK_REST;
  for (uint32_t s = 0; s < hd_check_stages(c); s++)
    over = over && !(c->judge->stages[s].due == phase && has_more(c, s));
  return over;
}

/* Returns the stage of the next item. `turn` counts the items of this turn, and also those of stages with none left. */
static uint32_t next_stage(struct hd_check *c)
{
  for (;;) {
    uint32_t before = 0;
    for (uint32_t s = 0; s < hd_check_stages(c); s++) {
      before += c->judge->stages[s].share[c->phase];
      if (c->turn < before && has_more(c, s)) {
        c->turn++;
        return s;
      }
      if (c->turn < before)
        c->turn = before;
    }
    c->turn = 0;
    while (is_over(c, (enum check_phase)c->phase))
      c->phase++;
  }
}

static struct check_run next_run(struct hd_check *c)
{
  if (c->has_only)
    return c->only;
  uint32_t stage = c->params->proof_of ? EQUAL : next_stage(c);
  const struct check_stage *from = &c->judge->stages[stage];
  struct check_run run = from->run(c, from->kind, c->stages[stage].next++);
  run.stage = (uint8_t)stage;
  return run;
}

void hd_check_extend(struct hd_check *c, uint64_t to)
{
  while (c->n_runs < to && !c->limit) {
    if (c->n_runs == c->capacity) {
      c->capacity = c->capacity ? 2 * c->capacity : 1024;
      c->runs = hd_xrealloc(c->runs, c->capacity * sizeof *c->runs);
    }
    struct check_run *run = &c->runs[c->n_runs++];
    *run = next_run(c);
    c->n_compared += hd_check_kinds[run->kind].compares;
    if (c->has_only || (c->params->runs && c->n_compared == c->params->runs) ||
        (c->params->proof_of && c->n_runs == c->equal.n))
      c->limit = c->n_runs;
  }
}
