/* Which runs a check consists of, and in which order: it follows from seed, tools, and
 * the lists of scenarios and proofs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Streams come first: a build of seconds and a play of one find most that is wrong with a switch. Their
 * sets serve random scenarios, too, where they make a fabric.
 */
#include "check_internal.h"

#include "streams/tape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ── parameter sets ────────────────────────────────────────────────────────── */

/* Do random scenarios fit in? No routing has source tables and chooses, too; and network coding, which switches with
 * coders are given, needs places for all of its groups and heads with room for what it says of them. */
static bool makes_fabrics(const struct hd_switch_params *p)
{
  return p->ports >= (p->source_table ? 4 : 3) && p->nodes >= 4 &&
         (!p->barrier || p->switches >= 6) && !(p->source_table && p->adaptive) && !p->code_places;
}

/* Sets of the soak, stream sets that make fabrics, those of large scenarios; then the other stream sets. */
static void list_sets(struct hd_check *c)
{
  struct hd_stream_case stream;
  uint32_t n = hd_stream_cases(), last = UINT32_MAX;
  hd_soak_sets(c->sets, 0, CHECK_SOAK_SETS, c->params->seed, CHECK_CHANNELS);
  c->n_random_sets = CHECK_SOAK_SETS;
  for (int others = 0; others < 2; others++) {
    for (uint32_t i = 0; i < n; i++) {
      hd_stream_case(i, c->params->seed, &stream);
      if (stream.set == last || makes_fabrics(&stream.params) == others ||
          c->n_sets == CHECK_NO_SET)
        continue;
      uint32_t *place = others ? &c->n_sets : &c->n_random_sets;
      last = stream.set;
      c->stream_set[last] = *place;
      c->sets[(*place)++] = stream.params;
    }
    if (!others) {
      hd_soak_large_sets(c->sets + c->n_random_sets, c->params->seed);
      c->n_sets = c->n_random_sets + SOAK_LARGE_SETS;
    }
    last = UINT32_MAX;
  }
}

void hd_check_draw(const struct hd_check *c, uint32_t index, struct soak_case *drawn)
{
  hd_soak_draw(drawn, c->sets, c->n_random_sets, CHECK_LARGE_EVERY, c->params->seed, index);
}

/* ── random scenarios ──────────────────────────────────────────────────────── */

/* What a build takes, roughly. */
static uint32_t cost(const struct hd_switch_params *p)
{
  return p->ports * p->vcs * (p->barrier ? 2 + p->groups / 8 : 1);
}

/* Does set `a` come before `b`? Those that streams need anyway, then cheap ones. */
static bool sooner(const struct hd_check *c, uint32_t a, uint32_t b)
{
  bool shared_a = a >= CHECK_SOAK_SETS && a < c->n_random_sets;
  bool shared_b = b >= CHECK_SOAK_SETS && b < c->n_random_sets;
  if (shared_a != shared_b)
    return shared_a;
  return !shared_a && cost(&c->sets[a]) < cost(&c->sets[b]);
}

/* Some scenarios of each set at first, then all as they are drawn. */
static void order_drawn(struct hd_check *c)
{
  static const uint32_t none = UINT32_MAX;
  uint8_t set_of[CHECK_DRAWN];
  bool taken[CHECK_DRAWN] = {false}, set_done[CHECK_NO_SET] = {false};
  struct soak_case drawn;
  uint32_t n = 0, n_sets = c->n_random_sets + SOAK_LARGE_SETS;
  for (uint32_t i = 0; i < CHECK_DRAWN; i++) {
    hd_check_draw(c, i, &drawn);
    set_of[i] = (uint8_t)drawn.set;
  }
  for (uint32_t round = 0; round < n_sets; round++) {
    uint32_t best = none;
    for (uint32_t s = 0; s < n_sets; s++)
      if (!set_done[s] && (best == none || sooner(c, s, best)))
        best = s;
    set_done[best] = true;
    uint32_t block = 0;
    for (uint32_t i = 0; i < CHECK_DRAWN && block < CHECK_BLOCK; i++)
      if (set_of[i] == best) {
        taken[i] = true;
        c->drawn[n++] = i;
        block++;
      }
  }
  for (uint32_t i = 0; i < CHECK_DRAWN; i++)
    if (!taken[i])
      c->drawn[n++] = i;
}

static struct check_run random_run(struct hd_check *c)
{
  struct soak_case drawn;
  uint32_t place = c->next_drawn++;
  uint32_t index = place < CHECK_DRAWN ? c->drawn[place] : place;
  hd_check_draw(c, index, &drawn);
  return (struct check_run){
      .kind = index % 10 == 9 ? CHECK_EVERY_CYCLE : CHECK_RANDOM, .index = index, .set = drawn.set};
}

/* ── streams ───────────────────────────────────────────────────────────────── */

/* Styles in which most bugs show, and soon. */
static bool telling(enum hd_stream_style style)
{
  return style == HD_STREAM_LEGAL || style == HD_STREAM_ILLEGAL || style == HD_STREAM_NARROW ||
         style == HD_STREAM_WIDE;
}

uint32_t hd_check_stream(const struct hd_check *c, uint32_t index, struct hd_stream_case *stream)
{
  uint32_t listed = CHECK_STREAM_ROUNDS * hd_stream_cases(), beyond = index - listed;
  hd_stream_case(index, c->params->seed, stream);
  if (index < listed)
    return c->stream_set[stream->set];
  /* Of the sets of random scenarios that are none of streams, in turn. */
  uint32_t set = beyond / HD_STREAM_STYLES;
  if (set >= CHECK_SOAK_SETS)
    set += c->n_random_sets - CHECK_SOAK_SETS;
  uint64_t seed = stream->seed;
  hd_stream_case_of(&c->sets[set], (enum hd_stream_style)(beyond % HD_STREAM_STYLES), stream);
  stream->seed = seed;
  stream->set = hd_stream_sets() + set;
  return set;
}

static void add_stream(struct hd_check *c, uint32_t index)
{
  if (c->n_listed < CHECK_STREAMS)
    c->streams[c->n_listed++] = index;
}

/* The telling styles of all sets, the others; sets of random scenarios; other streams of all sets. */
static void list_streams(struct hd_check *c)
{
  struct hd_stream_case stream;
  uint32_t n = hd_stream_cases(), listed = CHECK_STREAM_ROUNDS * n;
  c->n_streams = listed + (CHECK_SOAK_SETS + SOAK_LARGE_SETS) * HD_STREAM_STYLES;
  for (int others = 0; others < 2; others++) {
    for (uint32_t i = 0; i < n; i++) {
      hd_stream_case(i, c->params->seed, &stream);
      if (telling(stream.style) != others)
        add_stream(c, i);
    }
    if (!others)
      c->n_telling = c->n_listed;
  }
  c->n_first_streams = c->n_listed;
  for (uint32_t i = listed; i < c->n_streams; i++) {
    hd_check_stream(c, i, &stream);
    if (telling(stream.style) && hd_stream_fits(&stream.params, stream.style))
      add_stream(c, i);
  }
  for (uint32_t i = n; i < listed; i++)
    add_stream(c, i);
}

static struct check_run stream_run(const struct hd_check *c, uint32_t index)
{
  struct hd_stream_case stream;
  uint32_t set = hd_check_stream(c, index, &stream);
  return (struct check_run){.kind = CHECK_STREAM, .index = index, .set = set};
}

/* ── what comes once ───────────────────────────────────────────────────────── */

static void add_fixed(struct hd_check *c, enum check_kind kind, uint32_t index)
{
  if (c->n_fixed < CHECK_FIXED)
    c->fixed[c->n_fixed++] = (struct check_run){.kind = kind, .index = index, .set = CHECK_NO_SET};
}

/* The place of a set, which is added where it is new; CHECK_NO_SET: there is none left. */
static uint32_t set_of(struct hd_check *c, const struct hd_switch_params *sw)
{
  uint32_t set = 0;
  while (set < c->n_sets && memcmp(&c->sets[set], sw, sizeof *sw))
    set++;
  if (set == c->n_sets && set < CHECK_NO_SET)
    c->sets[c->n_sets++] = *sw;
  return set;
}

/* The same of a scenario with such switches. */
static void add_scenario(struct hd_check *c, enum check_kind kind, uint32_t index,
                         const struct hd_switch_params *sw)
{
  if (c->n_fixed == CHECK_FIXED)
    return;
  uint32_t set = set_of(c, sw);
  if (set == CHECK_NO_SET)
    return;
  c->fixed[c->n_fixed++] = (struct check_run){.kind = kind, .index = index, .set = set};
}

static void add_own(struct hd_check *c, enum check_kind kind)
{
  struct hd_switch_params sw;
  if (hd_check_scenario_switch(kind, &sw))
    add_scenario(c, kind, 0, &sw);
}

static void add_stock(struct hd_check *c, size_t from, size_t to)
{
  for (size_t i = from; i < to; i++)
    add_scenario(c, CHECK_STOCK, (uint32_t)i, &c->stock[i].sw);
}

static void list_fixed(struct hd_check *c)
{
  bool four_state = c->has_tool[1];
  for (uint32_t set = 0; set < CHECK_LINT_SETS; set++)
    for (uint32_t tool = 0; tool < CHECK_LINTERS; tool++)
      if (c->has_tool[tool] && set == 0)
        add_fixed(c, CHECK_LINT, tool + CHECK_LINTERS * set);
  if (four_state)
    add_fixed(c, CHECK_FOUR_STATE, 0);
  size_t half = c->n_stock / 2;
  add_stock(c, 0, half);
  add_own(c, CHECK_LONG);
  for (uint32_t set = 1; set < CHECK_LINT_SETS; set++)
    for (uint32_t tool = 0; tool < CHECK_LINTERS; tool++)
      if (c->has_tool[tool])
        add_fixed(c, CHECK_LINT, tool + CHECK_LINTERS * set);
  add_own(c, CHECK_LARGE);
  add_stock(c, half, c->n_stock);
  for (uint32_t i = 0; c->has_tool[2] && i < c->n_proofs; i++)
    add_fixed(c, CHECK_FORMAL, i);
}

/* ── the sequence ──────────────────────────────────────────────────────────── */

static int only_stream(struct hd_check *c, struct hd_error *err)
{
  if (c->tape) {
    c->only = (struct check_run){.kind = CHECK_STREAM, .set = set_of(c, hd_tape_params(c->tape))};
    return c->only.set < CHECK_NO_SET ? HD_OK : hd_fail(err, HD_E_INTERNAL, "no room for a switch");
  }
  uint32_t stream = c->params->stream;
  if (stream >= c->n_streams)
    return hd_fail(err, HD_E_INPUT, "--stream %" PRIu32 ": there are streams 0 … %" PRIu32, stream,
                   c->n_streams - 1);
  c->only = stream_run(c, stream);
  return HD_OK;
}

static int only_proof(struct hd_check *c, struct hd_error *err)
{
  uint32_t i = 0;
  while (i < c->n_proofs && strcmp(c->proofs[i].name, c->params->proof))
    i++;
  if (i == c->n_proofs)
    return hd_fail(err, HD_E_INPUT, "--proof %s: there is no such proof; tb/formal.txt lists them",
                   c->params->proof);
  if (!c->has_tool[2])
    return hd_fail(err, HD_E_TOOL, "yosys is missing; install the package yosys");
  c->only = (struct check_run){.kind = CHECK_FORMAL, .index = i, .set = CHECK_NO_SET};
  return HD_OK;
}

int hd_check_sequence(struct hd_check *c, struct hd_error *err)
{
  list_sets(c);
  order_drawn(c);
  list_fixed(c);
  list_streams(c);
  c->has_only = c->params->has_stream || c->tape || c->params->proof;
  return c->params->has_stream || c->tape ? only_stream(c, err)
         : c->params->proof               ? only_proof(c, err)
                                          : HD_OK;
}

/* Verilator's lint comes first: it says at once that the RTL is none. */
static struct check_run next_run(struct hd_check *c)
{
  enum { STREAM, RANDOM, FIXED };
  static const uint8_t opening[] = {STREAM, STREAM, RANDOM}, /* telling streams */
      middle[] = {STREAM, STREAM, FIXED, STREAM, RANDOM},    /* the other streams of their sets */
      rest[] = {RANDOM, FIXED, RANDOM, STREAM};
  uint64_t n = c->n_runs;
  if (c->has_only)
    return c->only;
  uint8_t what = !n                                    ? FIXED
                 : c->next_stream < c->n_telling       ? opening[n % sizeof opening]
                 : c->next_stream < c->n_first_streams ? middle[n % sizeof middle]
                                                       : rest[n % sizeof rest];
  if (what == FIXED && c->next_fixed < c->n_fixed)
    return c->fixed[c->next_fixed++];
  if (what == STREAM && c->next_stream < c->n_listed)
    return stream_run(c, c->streams[c->next_stream++]);
  return random_run(c);
}

bool hd_check_extend(struct hd_check *c, uint64_t to)
{
  while (c->n_runs < to) {
    if (c->n_runs == c->capacity) {
      uint64_t capacity = c->capacity ? 2 * c->capacity : 1024;
      struct check_run *runs = realloc(c->runs, capacity * sizeof *runs);
      if (!runs)
        return false;
      c->runs = runs;
      c->capacity = capacity;
    }
    c->runs[c->n_runs] = next_run(c);
    c->n_runs++;
  }
  return true;
}
