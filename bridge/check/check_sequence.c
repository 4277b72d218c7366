/* Lists parameter sets, streams and scenarios of a check, those first that find most bugs soonest.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random scenarios use the sets of streams, too, where a fabric of such switches is possible. check_plan.c makes one
 * sequence of all lists.
 */
#include "check_internal.h"
#include "check_stress.h"

#include "streams/tape.h"
#include "../host/suggest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ── parameter sets ────────────────────────────────────────────────────────── */

/* Can random scenarios use the set? No routing both has source tables and chooses ports. A coder would need places for
 * all groups of a scenario, and larger heads. Scenarios with computed routes find their sets themselves. */
static bool makes_fabrics(const struct hd_switch_params *p)
{
  return p->ports >= (p->source_table ? 4 : 3) && p->nodes >= 4 &&
         (!p->barrier || p->switches >= 6) && !(p->source_table && p->adaptive) &&
         !p->code_places && !p->route;
}

/* Lists sets: those of the soak, stream sets that make fabrics, those of large scenarios, then the other stream sets. */
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
  c->n_drawn_sets = c->n_sets;
}

void hd_check_draw(const struct hd_check *c, uint32_t index, struct soak_case *drawn)
{
  if (!soak_computes(index) ||
      !hd_soak_draw_computed(drawn, c->sets, c->n_drawn_sets, c->params->seed, index))
    hd_soak_draw(drawn, c->sets, c->n_random_sets, CHECK_LARGE_EVERY, c->params->seed, index);
}

/* ── random scenarios ──────────────────────────────────────────────────────── */

/* Returns a rough measure of the time that a build takes. */
static uint32_t build_cost(const struct hd_switch_params *p)
{
  return p->ports * p->vcs * (p->barrier ? 2 + p->groups / 8 : 1);
}

/* Do streams need the set, too? */
static bool is_shared(const struct hd_check *c, uint32_t set)
{
  return set >= CHECK_SOAK_SETS &&
         (set < c->n_random_sets || set >= c->n_random_sets + SOAK_LARGE_SETS);
}

/* Does set `a` come before `b`? Sets that streams need, too, come first, then sets that are fast to build. */
static bool set_comes_first(const struct hd_check *c, uint32_t a, uint32_t b)
{
  bool shared_a = is_shared(c, a), shared_b = is_shared(c, b);
  if (shared_a != shared_b)
    return shared_a;
  return !shared_a && build_cost(&c->sets[a]) < build_cost(&c->sets[b]);
}

/* Orders random scenarios: first CHECK_BLOCK of each parameter set, then all others in the order of drawing. */
static void order_drawn(struct hd_check *c)
{
  static const uint32_t none = UINT32_MAX;
  uint8_t set_of[CHECK_DRAWN];
  _Static_assert(CHECK_NO_SET <= UINT8_MAX, "a set's number fits");
  bool taken[CHECK_DRAWN] = {false}, set_done[CHECK_NO_SET] = {false};
  struct soak_case drawn;
  uint32_t n = 0, n_sets = c->n_drawn_sets;
  for (uint32_t i = 0; i < CHECK_DRAWN; i++) {
    hd_check_draw(c, i, &drawn);
    set_of[i] = (uint8_t)drawn.set;
  }
  for (uint32_t round = 0; round < n_sets; round++) {
    uint32_t best = none;
    for (uint32_t s = 0; s < n_sets; s++)
      if (!set_done[s] && (best == none || set_comes_first(c, s, best)))
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

struct check_run hd_check_random_run(struct hd_check *c, enum check_kind kind, uint32_t place)
{
  struct soak_case drawn;
  uint32_t index = place < CHECK_DRAWN ? c->drawn[place] : place;
  hd_check_draw(c, index, &drawn);
  return (struct check_run){
      .kind = index % 10 == 9 ? CHECK_EVERY_CYCLE : kind, .index = index, .set = drawn.set};
}

/* ── streams ───────────────────────────────────────────────────────────────── */

/* Is it a style that shows most bugs, and soon? */
static bool is_main_style(enum hd_stream_style style)
{
  return style == HD_STREAM_LEGAL || style == HD_STREAM_ILLEGAL || style == HD_STREAM_NARROW ||
         style == HD_STREAM_WIDE;
}

uint32_t hd_check_stream(const struct hd_check *c, uint32_t index, struct hd_stream_case *stream)
{
  uint32_t listed = CHECK_STREAM_ROUNDS * hd_stream_cases(), beyond = index - listed;
  if (index >= c->first_aimed) { /* all styles into the aim's set, then all into each end set */
    const uint32_t first = index >= c->first_end ? c->first_end : c->first_aimed;
    const uint32_t set =
        index >= c->first_end ? c->end_set[(index - first) / HD_STREAM_STYLES] : c->aim.set;
    hd_stream_case_of(&c->sets[set], (enum hd_stream_style)((index - first) % HD_STREAM_STYLES),
                      stream);
    stream->seed = hd_mix64(hd_mix64(c->params->seed) + index);
    stream->set = hd_stream_sets() + set;
    return set;
  }
  if (index >= c->first_short) {
    hd_stream_opening(index - c->first_short, c->params->seed, stream);
    return c->stream_set[stream->set];
  }
  hd_stream_case(index, c->params->seed, stream);
  if (index < listed)
    return c->stream_set[stream->set];
  /* Streams beyond the lists take the remaining sets of random scenarios in turn. */
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

/* Lists streams: the main styles into all sets, then the other styles; main styles into sets of random scenarios; further
 * rounds of all. */
static void list_streams(struct hd_check *c)
{
  struct hd_stream_case stream;
  uint32_t n = hd_stream_cases(), listed = CHECK_STREAM_ROUNDS * n;
  c->first_short = listed + (CHECK_SOAK_SETS + SOAK_LARGE_SETS) * HD_STREAM_STYLES;
  c->first_aimed = c->first_short + hd_stream_openings();
  c->first_end = c->first_aimed + (c->aim.some ? HD_STREAM_STYLES : 0);
  c->n_streams = c->first_end + c->n_end_sets * HD_STREAM_STYLES;
  for (int others = 0; others < 2; others++) {
    for (uint32_t i = 0; i < n; i++) {
      hd_stream_case(i, c->params->seed, &stream);
      if (is_main_style(stream.style) != others)
        add_stream(c, i);
    }
    if (!others)
      c->n_main_streams = c->n_listed;
  }
  for (uint32_t i = listed; i < c->first_short; i++) {
    hd_check_stream(c, i, &stream);
    if (is_main_style(stream.style) && hd_stream_fits(&stream.params, stream.style))
      add_stream(c, i);
  }
  for (uint32_t i = n; i < listed; i++)
    add_stream(c, i);
}

struct check_run hd_check_stream_run(const struct hd_check *c, uint32_t index)
{
  struct hd_stream_case stream;
  uint32_t set = hd_check_stream(c, index, &stream);
  return (struct check_run){.kind = CHECK_STREAM, .index = index, .set = set};
}

/* ── scenarios of files ────────────────────────────────────────────────────── */

/* Returns the number of a set in `sets`, and adds the set if it is new. CHECK_NO_SET: there is no room. */
static uint32_t find_or_add_set(struct hd_check *c, const struct hd_switch_params *sw)
{
  uint32_t set = 0;
  while (set < c->n_sets && memcmp(&c->sets[set], sw, sizeof *sw))
    set++;
  if (set == c->n_sets && set < CHECK_NO_SET)
    c->sets[c->n_sets++] = *sw;
  return set;
}

/* Finds the sets of scenarios of files. A scenario is left out where there is no room for its set. */
static void list_files(struct hd_check *c)
{
  struct hd_switch_params sw;
  size_t n = 0;
  if (c->aim.some)
    c->aim.set = find_or_add_set(c, &c->aim.sw);
  for (size_t i = 0; i < c->n_stock; i++) {
    uint32_t set = n < CHECK_FILE_SETS ? find_or_add_set(c, &c->stock[i].sw) : CHECK_NO_SET;
    if (set == CHECK_NO_SET) {
      free(c->stock[i].path);
      continue;
    }
    c->file_set[n] = set;
    c->stock[n++] = c->stock[i];
  }
  c->n_stock = n;
  for (int k = 0; k < CHECK_KINDS; k++) {
    bool own = k == CHECK_LONG || k == CHECK_LARGE;
    c->own_set[k] = own && hd_check_scenario_switch((enum check_kind)k, &sw)
                        ? find_or_add_set(c, &sw)
                        : CHECK_NO_SET;
  }
}

/* ── the whole list, or one run alone ──────────────────────────────────────── */

static int only_stream(struct hd_check *c, struct hd_error *err)
{
  if (c->tape) {
    c->only = (struct check_run){.kind = CHECK_STREAM,
                                 .set = find_or_add_set(c, hd_tape_params(c->tape))};
    return c->only.set < CHECK_NO_SET ? HD_OK : hd_fail(err, HD_E_INTERNAL, "no room for a switch");
  }
  uint32_t stream = c->params->stream;
  if (stream >= c->n_streams)
    return hd_fail(err, HD_E_INPUT, "--stream %" PRIu32 ": there are streams 0 … %" PRIu32, stream,
                   c->n_streams - 1);
  struct hd_stream_case drawn;
  hd_check_stream(c, stream, &drawn);
  if (!hd_stream_fits(&drawn.params, drawn.style))
    return hd_fail(err, HD_E_INPUT,
                   "--stream %" PRIu32 ": its switch has nothing that this style of stream needs",
                   stream);
  c->only = hd_check_stream_run(c, stream);
  return HD_OK;
}

static int only_proof(struct hd_check *c, struct hd_error *err)
{
  struct hd_suggestion suggestion = {.given = c->params->proof, .length = strlen(c->params->proof)};
  uint32_t i = 0;
  for (; i < c->n_proofs && strcmp(c->proofs[i].name, c->params->proof); i++)
    hd_suggest(&suggestion, c->proofs[i].name);
  if (i == c->n_proofs)
    return hd_fail(err, HD_E_INPUT,
                   "--proof %s: there is no such proof%s; tb/formal.txt lists them",
                   c->params->proof, suggestion.text);
  if (!c->has_tool[CHECK_YOSYS])
    return hd_fail(err, HD_E_TOOL, "yosys is missing; install the package yosys");
  c->only = (struct check_run){.kind = CHECK_FORMAL, .index = i, .set = CHECK_NO_SET};
  return HD_OK;
}

int hd_check_sequence(struct hd_check *c, struct hd_error *err)
{
  list_sets(c);
  order_drawn(c);
  list_files(c);
  hd_check_list_ends(c, find_or_add_set);
  list_streams(c);
  c->has_only = c->params->has_stream || c->tape || c->params->proof || c->params->has_stress;
  hd_check_plan(c);
  return c->params->has_stream || c->tape ? only_stream(c, err)
         : c->params->proof               ? only_proof(c, err)
         : c->params->has_stress          ? hd_check_only_stress(c, err)
                                          : HD_OK;
}
