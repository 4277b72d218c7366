/* Writes the results of a check: text, JSON and JUnit.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_internal.h"
#include "check_write_equal.h"

#include "../host/clock.h"
#include "../host/file.h"
#include "../host/memory.h"
#include "../render/render.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int hd_check_verdict(const struct hd_check *c)
{
  if (c->n_groups)
    return HD_E_DIVERGENCE;
  if (c->unbuilt)
    return HD_E_TOOL;
  if (c->inconclusive && c->inconclusive_status != HD_E_NOTHING)
    return c->inconclusive_status;
  const bool some = c->events || c->proved || hd_check_settled(c) || hd_check_asked_is_proved(c);
  return some && !hd_check_falls_short(c) && !hd_check_unmet(c) ? HD_OK : HD_E_NOTHING;
}

uint64_t hd_check_compared(const struct hd_check *c)
{
  uint64_t n = 0;
  for (int k = 0; k < CHECK_KINDS; k++)
    n += hd_check_kinds[k].compares ? c->kinds[k].ended : 0;
  return n;
}

static double run_seconds(const struct hd_check *c)
{
  double seconds = 0;
  for (int k = 0; k < CHECK_KINDS; k++)
    seconds += c->kinds[k].seconds;
  return seconds;
}

/* Adds the verdict where the RTL is the original by its text or by proofs. */
static void add_settled(const struct hd_check *c, struct hd_text *text)
{
  if (hd_check_equal_text_only(c))
    hd_text_add(text, "the same switch: its text is that of Heddle's rtl/, but for comments");
  else
    hd_text_add(
        text,
        "the same switch, as far as %s can tell: each changed module equals Heddle's with the "
        "proved parameter sets",
        hd_count(c->equal.n, "proof").text);
  if (c->events)
    hd_text_add(text, "; %s and %" PRIu64 " compared events agree",
                hd_count(hd_check_compared(c), "run").text, c->events);
}

static void add_verdict(const struct hd_check *c, struct hd_text *text)
{
  if (hd_check_verdict(c) == HD_OK && hd_check_settled(c)) {
    add_settled(c, text);
    return;
  }
  if (hd_check_verdict(c) == HD_OK && hd_check_asked_is_proved(c)) {
    hd_text_add(text, "proved equal to the original: %s, by %s; nothing else was checked",
                c->params->proof_of, hd_count(c->equal.n, "proof").text);
    return;
  }
  switch (hd_check_verdict(c)) {
  case HD_OK:
    c->judge->pass(c, text);
    return;
  case HD_E_DIVERGENCE:
    c->judge->fail(c, text);
    return;
  case HD_E_TOOL:
    hd_text_add(text, "the %s does not build: %s",
                hd_check_is_of_original(c->unbuilt) ? "original" : "RTL", c->unbuilt);
    return;
  case HD_E_NOTHING:
    if (hd_check_unmet(c)) {
      hd_text_add(text, "the check did less than was asked for: %s", hd_check_unmet(c));
      return;
    }
    if (!hd_check_falls_short(c)) {
      hd_text_add(text, "nothing was compared");
      if (c->equal.ended)
        hd_text_add(text, " by a run; %" PRIu32 " of %s left wires that may differ",
                    hd_check_equal_count(c, HD_EQUAL_OPEN), hd_count(c->equal.n, "proof").text);
      return;
    }
    hd_text_add(text, "the check did less than --require asks for: ");
    hd_check_add_short(c, text);
    hd_text_add(text, "; %s with %" PRIu64 " compared events showed no difference",
                hd_count(hd_check_compared(c), "run").text, c->events);
    return;
  case HD_E_INVARIANT:
    hd_text_add(text, "nothing is known of the RTL, because the original fails: %s",
                c->inconclusive_text);
    return;
  default:
    hd_text_add(text, "nothing is known of the RTL: %s: %s", hd_status_text(c->inconclusive_status),
                c->inconclusive_text);
    return;
  }
}

/* ── what was not exercised ────────────────────────────────────────────────── */

/* Gives the soak's goals that no random scenario reached, a line each, to be freed. Returns their number. */
static uint32_t list_holes(const struct hd_check *c, char **lines)
{
  size_t size = 0;
  *lines = NULL;
  FILE *file = open_memstream(lines, &size);
  if (!file)
    return 0;
  uint32_t n = hd_soak_coverage_holes(c->coverage, file);
  n +=
      hd_soak_coverage_pairs(c->coverage, 1, file); /* combinations of topology, routing, barrier */
  fclose(file);
  return n;
}

/* Lists kinds of run, proofs and tools that were not exercised. */
static void add_missing(const struct hd_check *c, const struct check_lines *lines)
{
  for (int k = 0; k < CHECK_KINDS; k++) {
    const bool four_state = k == CHECK_FOUR_STATE || k == CHECK_UNKNOWN;
    const char *tool = four_state && c->in_vhdl          ? " (GHDL is four-state in every run)"
                       : k == CHECK_STRESS && c->in_vhdl ? " (the bench is for Verilog)"
                       : four_state && !c->has_tool[CHECK_ICARUS]       ? " (iverilog is missing)"
                       : k == CHECK_FORMAL && !c->has_tool[CHECK_YOSYS] ? " (yosys is missing)"
                       : k == CHECK_STRESS && c->is_original && !c->params->foreign
                           ? " (this RTL is the original's)"
                           : "";
    if (!c->kinds[k].ended && hd_check_kind_is_used(c, (enum check_kind)k) &&
        (k != CHECK_AIMED || c->aim.has_scenario) && (k != CHECK_EQUAL || c->equal.n))
      hd_check_line(lines, "%s%s", hd_check_kinds[k].about, tool);
  }
  hd_check_equal_missing(c, lines);
  for (uint32_t t = 0; t < CHECK_LINTERS; t++)
    if (!c->has_tool[t] && hd_check_kind_is_used(c, CHECK_LINT))
      hd_check_line(lines, "elaboration in %s, which is missing", hd_check_linters[t]);
  if (c->unfit)
    hd_check_line(lines, "%s: their modules, parameters or properties are not there",
                  hd_count(c->unfit, "proof").text);
  if (c->unproved)
    hd_check_line(lines, "%s: neither proved nor refuted", hd_count(c->unproved, "proof").text);
  if (c->inconclusive)
    hd_check_line(lines, "%s that said nothing about the RTL: %.100s",
                  hd_count(c->inconclusive, "run").text, c->inconclusive_text);
  if (c->unbuilt)
    hd_check_line(lines, "a switch that does not build: %.120s", c->unbuilt);
  if (c->without_original)
    hd_check_line(lines, "%s: the original does not build with their parameters",
                  hd_count(c->without_original, "run beside the original").text);
  if (c->without_lanes && c->lanes_refusal)
    hd_check_line(lines, "%s in lanes: %.180s",
                  hd_count(c->without_lanes, "run beside the original").text, c->lanes_refusal);
  c->judge->missing(c, lines);
  hd_check_line(lines, "%s", c->judge->not_looked_at);
}

static void add_to_text(void *text, const char *line)
{
  hd_text_add(text, "  %s\n", line);
}

static void add_to_json(void *array, const char *line)
{
  json_array_append_new(array, hd_json_string(line));
}

void hd_check_line(const struct check_lines *lines, const char *format, ...)
{
  char line[400];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  line[strcspn(line, "\n")] = '\0';
  lines->add(lines->context, line);
}

/* ── for people ────────────────────────────────────────────────────────────── */

/* Adds the options of a check of any router. */
static void add_foreign(const struct hd_check *c, struct hd_text *text)
{
  hd_text_add(text, " --foreign%s", c->params->takes.classes ? " --classes" : "");
  for (size_t i = 0; i < c->params->n_settings; i++)
    hd_text_add(text, " --set %s=%s", c->params->settings[i].path, c->params->settings[i].value);
}

void hd_check_stream_command(const struct hd_check *c, const struct check_run *run,
                             const char *file, struct hd_text *text)
{
  const bool foreign = c->params->foreign;
  hd_text_add(text, "heddle check");
  if (foreign)
    add_foreign(c, text);
  hd_text_add_option(text, " ", foreign ? c->params->rtl_named : c->params->rtl_dir);
  if (file && !foreign) {
    hd_text_add_option(text, " --stream ", file);
    return;
  }
  hd_text_add(text, " --%s %" PRIu32 " --seed %" PRIu64, hd_check_kinds[run->kind].name, run->index,
              c->params->seed);
  /* The numbers of runs depend on these options, too. */
  hd_text_add_option(text, " --against ", foreign ? c->params->against_named : c->params->against);
  hd_text_add_option(text, " --scenario ", c->params->scenario);
  hd_text_add_option(text, " --switch ", c->params->switch_keys);
}

static void add_command(const struct hd_check *c, const struct check_group *g, struct hd_text *text)
{
  if (hd_check_is_stream(g->kind)) {
    hd_check_stream_command(c, &c->runs[g->run], g->found.file, text);
    return;
  }
  if (g->kind == CHECK_FORMAL) {
    hd_text_add(text, "heddle check");
    hd_text_add_option(text, " ", c->params->rtl_dir);
    hd_text_add(text, " --proof %s", c->proofs[c->runs[g->run].index].name);
    return;
  }
  if (!g->found.file)
    return;
  hd_text_add_option(text, "heddle run ", g->found.file);
  if (strcmp(hd_check_dut(c, g->kind), "verilator"))
    hd_text_add(text, " --dut %s", hd_check_dut(c, g->kind));
  hd_text_add_option(text, " --rtl ", c->params->rtl_named);
  if (hd_check_against(c, g->kind))
    hd_text_add_option(text, " --against ", c->params->against_named);
}

static void add_wave_command(const struct check_group *g, struct hd_text *text)
{
  hd_text_add_option(text, "heddle wave ", g->found.waves);
}

/* Ranks groups by what is known: a cause, only a wrong state, or neither. */
static unsigned cause_rank(const struct check_group *g)
{
  return g->found.cause ? 2 : g->found.inside ? 1 : 0;
}

/* Returns the cycles from the first wrong signal or state to the difference. */
static uint64_t lead_of(const struct check_group *g)
{
  const char *lead = g->found.cause ? g->found.cause_lead : g->found.inside_lead;
  return lead ? strtoull(lead, NULL, 10) : 0;
}

static int compare_causes(const struct check_group *x, const struct check_group *y)
{
  if (cause_rank(x) != cause_rank(y))
    return cause_rank(x) > cause_rank(y) ? -1 : 1;
  if (lead_of(x) != lead_of(y))
    return lead_of(x) > lead_of(y) ? -1 : 1;
  return x->run < y->run ? -1 : x->run > y->run;
}

/* Lists the leaders of all kinds in the order of the verdict: those first whose cause is known, and among them those with
 * the most cycles between cause and difference, because they are nearest to the bug. */
static uint32_t kinds_in_order(const struct hd_check *c, uint32_t order[CHECK_GROUPS])
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->n_groups; i++) {
    uint32_t at = n;
    if (c->groups[i].leader != i)
      continue;
    for (; at && compare_causes(&c->groups[i], &c->groups[order[at - 1]]) < 0; at--)
      order[at] = order[at - 1];
    order[at] = i;
    n++;
  }
  return n;
}

/* Adds the lines of a text with these blanks before each. */
static void add_indented(const char *lines, const char *blanks, struct hd_text *text)
{
  while (*lines) {
    const size_t n = strcspn(lines, "\n");
    hd_text_add(text, "%s%.*s\n", blanks, (int)n, lines);
    lines += n + (lines[n] == '\n');
  }
}

/* Adds the example's failure: as it is after shrinking, and as it was found. */
static void add_example(const struct hd_check *c, const struct check_group *g, struct hd_text *text)
{
  const bool ruled = c->params->foreign && g->found.headline;
  const bool small = g->found.sentence && strcmp(g->found.sentence, g->sentence) != 0;
  if (ruled) {
    hd_text_add(text, "  one of them:\n");
    add_indented(g->found.headline, "    ", text);
  } else
    hd_text_add(text, "  one of them: %s\n", small ? g->found.sentence : g->sentence);
  if (small)
    hd_text_add(text, "  (before it was made small: %s)\n", g->sentence);
  if (g->found.reason)
    hd_text_add(text, "  %s\n", g->found.reason);
  if (g->found.small)
    hd_text_add(text, "  made small: %s\n", g->found.small);
}

/* Adds one kind of difference: its example, then the other signatures that it has. */
static void add_kind(const struct hd_check *c, uint32_t leader, struct hd_text *text)
{
  const struct check_group *g = &c->groups[leader];
  hd_text_add(text, "\n%" PRIu64 " × %s", g->n, g->signature);
  if (g->found.inside)
    hd_text_add(text, ", first wrong state %s", g->found.inside);
  hd_text_add(text, "\n");
  if (g->found.cause)
    hd_text_add(text, "  cause: %s\n", g->found.cause);
  add_example(c, g, text);
  if (g->found.first_wrong && !c->params->foreign) /* a foreign router has no known states */
    hd_text_add(text, "  %s\n", g->found.first_wrong);
  if (g->found.causes) {
    hd_text_add(text, "  wrong first, beside the original RTL with the same inputs:\n");
    add_indented(g->found.causes, "    ", text);
  }
  if (g->found.warning)
    hd_text_add(text, "  Verilator says: %s\n", g->found.warning);
  hd_text_add(text, "  ");
  add_command(c, g, text);
  hd_text_add(text, "\n");
  if (g->found.waves) {
    hd_text_add(text, "  ");
    add_wave_command(g, text);
    hd_text_add(text, "\n");
  }
  bool stream = hd_check_is_stream(g->kind);
  for (uint32_t i = 0; i < c->n_groups; i++) {
    const struct check_group *other = &c->groups[i];
    if (i == leader || other->leader != leader)
      continue;
    hd_text_add(text, "  also %" PRIu64 " × %s\n", other->n, other->signature);
    if (!hd_check_is_stream(other->kind) || stream)
      continue;
    hd_text_add(text, "    ");
    add_command(c, other, text);
    hd_text_add(text, "\n");
    stream = true; /* the command of one stream is enough */
  }
}

/* Lists further results of runs: rules that held, and warnings of tools. */
static void add_notes(const struct hd_check *c, const struct check_lines *lines)
{
  if (c->ruled_rounds)
    hd_check_line(
        lines,
        "rules T1 to T9 of the barrier's tree (specification 8.13): hold for %s at ports, %s",
        hd_count(c->ruled_messages, "message").text, hd_count(c->ruled_rounds, "round").text);
  for (uint32_t i = 0; i < c->n_warnings; i++)
    hd_check_line(lines, "%s", c->warned[i].line);
  if (c->judge->notes)
    c->judge->notes(c, lines);
}

void hd_check_text(const struct hd_check *c, struct hd_text *text)
{
  const struct check_lines list = {add_to_text, text};
  char *lines;
  add_verdict(c, text);
  hd_text_add(text, "\n");
  if (hd_check_verdict(c) == HD_E_TOOL)
    return;
  hd_check_equal_text(c, text);
  uint32_t order[CHECK_GROUPS], n_kinds = kinds_in_order(c, order);
  for (uint32_t i = 0; i < n_kinds; i++)
    add_kind(c, order[i], text);
  if (c->ungrouped)
    hd_text_add(text, "\n%" PRIu64 " more failures, with signatures beyond the first %d\n",
                c->ungrouped, CHECK_GROUPS);
  hd_text_add(text, "\nexercised:\n");
  for (int k = 0; k < CHECK_KINDS; k++)
    if (c->kinds[k].ended)
      hd_text_add(text, "  %6" PRIu64 " × %s%s\n", c->kinds[k].ended, hd_check_kinds[k].about,
                  c->kinds[k].failed ? " (failures)" : "");
  add_notes(c, &list);
  if (c->stress_cycles)
    hd_text_add(text, "  beside the original: %s of two switches with the same inputs\n",
                hd_count(c->stress_cycles, "cycle").text);
  if (c->original_wrong)
    hd_text_add(text, "  the original differs from the model, and this RTL does not: %s\n",
                c->original_wrong);
  hd_check_reached_text(c, text);
  hd_text_add(text, "not exercised:\n");
  add_missing(c, &list);
  const bool by_model = hd_check_kind_is_used(c, CHECK_RANDOM);
  if (by_model && hd_coverage_holes(&c->points)) {
    hd_text_add(text, "  ");
    hd_coverage_summary(&c->points, text);
    hd_text_add(text, "; check.json lists them\n");
  }
  uint32_t n = list_holes(c, &lines);
  if (n && by_model)
    hd_text_add(text, "  %s that random scenarios can draw; check.json lists them\n",
                hd_count(n, "value").text);
  free(lines);
  if (c->build_seconds + c->step_seconds > 0)
    hd_text_add(text, "workers' time: %.1f s in builds, %.1f s in explanations, %.1f s in runs\n",
                c->build_seconds, c->step_seconds, run_seconds(c));
}

/* ── for machines ──────────────────────────────────────────────────────────── */

/* Returns the directory with the example's page, relative to that of the check; NULL: there is no page. */
static const char *page_directory(const struct hd_check *c, const struct check_group *g)
{
  const size_t n = strlen(c->directory);
  const bool below =
      g->found.run && !strncmp(g->found.run, c->directory, n) && g->found.run[n] == '/';
  return below ? g->found.run + n + 1 : NULL;
}

static void set_text(json_t *json, const char *key, const char *text)
{
  if (text && *text)
    json_object_set_new(json, key, json_string(text));
}

/* Returns a group's example in JSON. */
static json_t *example_json(const struct hd_check *c, const struct check_group *g,
                            uint64_t failures)
{
  struct hd_text line = {0};
  add_command(c, g, &line);
  json_t *json = json_pack("{s:s, s:I, s:s, s:s}", "signature", g->signature, "failures",
                           (json_int_t)failures, "kind", hd_check_kinds[g->kind].name, "example",
                           g->found.sentence ? g->found.sentence : g->sentence);
  set_text(json, "before_shrinking", g->found.sentence ? g->sentence : NULL);
  set_text(json, hd_check_is_stream(g->kind) ? "stream" : "scenario", g->found.file);
  set_text(json, "shrunk", g->found.small);
  set_text(json, "command", hd_text_chars(&line));
  set_text(json, "run", page_directory(c, g));
  set_text(json, "first_wrong_state", g->found.inside);
  set_text(json, "first_wrong", g->found.first_wrong);
  set_text(json, "headline", g->found.headline);
  set_text(json, "reason", g->found.reason);
  if (cause_rank(g))
    json_object_set_new(json, "lead_cycles", json_integer((json_int_t)lead_of(g)));
  set_text(json, "cause", g->found.cause);
  set_text(json, "no_cause", g->found.cause ? NULL : g->found.no_cause);
  hd_text_fini(&line);
  return json;
}

/* Returns the other groups of the leader's kind in JSON, and adds the number of their failures to *failures. */
static json_t *also_json(const struct hd_check *c, uint32_t leader, uint64_t *failures)
{
  json_t *also = json_array();
  for (uint32_t i = 0; i < c->n_groups; i++) {
    const struct check_group *g = &c->groups[i];
    if (i == leader || g->leader != leader)
      continue;
    *failures += g->n;
    json_array_append_new(also, example_json(c, g, g->n));
  }
  return also;
}

static json_t *group_json(const struct hd_check *c, uint32_t leader)
{
  const struct check_group *g = &c->groups[leader];
  struct hd_text waves = {0};
  uint64_t failures = g->n;
  json_t *also = also_json(c, leader, &failures), *json = example_json(c, g, failures);
  add_wave_command(g, &waves);
  json_object_set_new(json, "also", also);
  set_text(json, "causes", g->found.causes);
  set_text(json, "warning", g->found.warning);
  set_text(json, "wave_command", hd_text_chars(&waves));
  hd_text_fini(&waves);
  return json;
}

static json_t *holes_json(const struct hd_check *c)
{
  char *lines, *rest = NULL;
  json_t *json = json_array();
  list_holes(c, &lines);
  for (char *line = lines ? strtok_r(lines, "\n", &rest) : NULL; line;
       line = strtok_r(NULL, "\n", &rest))
    if (!strncmp(line, "not covered: ", 13))
      json_array_append_new(json, json_string(line + 13));
  free(lines);
  return json;
}

static json_t *plan_json(const struct hd_check *c)
{
  json_t *plan = json_array();
  for (uint32_t s = 0; s < hd_check_stages(c); s++) {
    struct check_reached r = hd_check_reached(c, s);
    json_t *stage = json_pack("{s:s, s:I, s:b}", "stage", r.name, "done", (json_int_t)r.ended,
                              "required", r.required);
    if (r.size < UINT32_MAX)
      json_object_set_new(stage, "of", json_integer(r.size));
    json_array_append_new(plan, stage);
  }
  return plan;
}

static int write_json(const struct hd_check *c, struct hd_error *err)
{
  const char *const words[] = {
      c->judge->passed, c->judge->failed(c),  "unbuilt", "nothing compared",
      "nothing known",  "less than required", "proved"};
  struct hd_text line = {0};
  int verdict = hd_check_verdict(c);
  const char *word =
      words[verdict == HD_OK && hd_check_asked_is_proved(c)                             ? 6
            : verdict == HD_OK                                                          ? 0
            : verdict == HD_E_DIVERGENCE                                                ? 1
            : verdict == HD_E_TOOL                                                      ? 2
            : verdict == HD_E_NOTHING && (hd_check_falls_short(c) || hd_check_unmet(c)) ? 5
            : verdict == HD_E_NOTHING                                                   ? 3
                                                                                        : 4];
  json_t *kinds = json_array(), *groups = json_array(), *missing = json_array(),
         *notes = json_array();
  add_verdict(c, &line);
  for (int k = 0; k < CHECK_KINDS; k++)
    if (hd_check_kind_is_used(c, (enum check_kind)k))
      json_array_append_new(
          kinds, json_pack("{s:s, s:s, s:I, s:I, s:f}", "kind", hd_check_kinds[k].name, "about",
                           hd_check_kinds[k].about, "runs", (json_int_t)c->kinds[k].ended, "failed",
                           (json_int_t)c->kinds[k].failed, "seconds", c->kinds[k].seconds));
  uint32_t order[CHECK_GROUPS], n_kinds = kinds_in_order(c, order);
  for (uint32_t i = 0; i < n_kinds; i++)
    json_array_append_new(groups, group_json(c, order[i]));
  add_missing(c, &(struct check_lines){add_to_json, missing});
  add_notes(c, &(struct check_lines){add_to_json, notes});
  json_t *json = json_pack(
      "{s:s, s:s, s:I, s:I, s:I, s:I, s:s, s:o, s:o, s:o, s:o, s:o, s:o*}", "verdict", word,
      "sentence", hd_text_chars(&line), "seed", (json_int_t)c->params->seed, "runs",
      (json_int_t)hd_check_compared(c), "events_compared", (json_int_t)c->events, "switch_cycles",
      (json_int_t)c->switch_cycles, "identity", hd_text_chars(&c->identity), "kinds", kinds,
      "differences", groups, "not_exercised", missing, "drawn", hd_soak_coverage_json(c->coverage),
      "not_drawn", hd_check_kind_is_used(c, CHECK_RANDOM) ? holes_json(c) : json_array(),
      "coverage", c->points.runs ? hd_coverage_json(&c->points, false) : NULL);
  json_t *more = json_pack(
      "{s:o, s:s, s:o*, s:o, s:f, s:f, s:f, s:I, s:o*, s:o*, s:o*}", "plan", plan_json(c),
      "question", c->judge->question, "router", c->judge->json ? c->judge->json(c) : NULL, "notes",
      notes, "seconds", hd_seconds_now() - c->started, "build_seconds", c->build_seconds,
      "explain_seconds", c->step_seconds, "cycles_beside_original", (json_int_t)c->stress_cycles,
      "original_wrong", c->original_wrong ? hd_json_string(c->original_wrong) : NULL, "equal",
      hd_check_equal_json(c), "first_difference_seconds",
      c->failed ? json_real(c->first_failed_seconds) : NULL);
  json_object_update_new(json, more);
  hd_text_fini(&line);
  return hd_json_write(c->directory, "check.json", json, 0, err);
}

/* Adds each group of failures in this kind of run, with its command. Returns the sentence of the first. */
static const char *failure_detail(const struct hd_check *c, int k, struct hd_text *text)
{
  const char *first = c->unbuilt;
  for (uint32_t i = 0; i < c->n_groups; i++) {
    const struct check_group *g = &c->groups[i];
    if ((int)g->kind != k)
      continue;
    if (!first)
      first = g->found.cause ? g->found.cause : g->found.sentence ? g->found.sentence : g->sentence;
    if (g->leader == i) {
      add_kind(c, i, text);
      continue;
    }
    hd_text_add(text, "\n%" PRIu64 " × %s\n", g->n, g->signature);
    add_example(c, g, text);
    hd_text_add(text, "  ");
    add_command(c, g, text);
    hd_text_add(text, "\n");
  }
  hd_text_add(text, "%ssee check.json", c->unbuilt ? c->unbuilt : "");
  return first ? first : "";
}

/* Why a kind of run has neither passed nor failed, or NULL. A proof that is open is no verdict. */
static const char *not_judged(const struct hd_check *c, int kind)
{
  if (!c->kinds[kind].ended)
    return "not exercised";
  if (c->kinds[kind].failed)
    return NULL;
  if (kind == CHECK_EQUAL && hd_check_equal_count(c, HD_EQUAL_PROVED) < c->equal.ended)
    return "some proofs left wires that may differ, which is no verdict";
  return kind == CHECK_FORMAL && !c->proved ? "no proof ended one way or the other" : NULL;
}

static int write_xml(const struct hd_check *c, bool interrupted, struct hd_error *err)
{
  struct hd_junit_case cases[CHECK_KINDS + 1];
  size_t n = 0;
  struct hd_text end = {0};
  struct hd_text xml = {0}, details[CHECK_KINDS] = {{0}}, messages[CHECK_KINDS] = {{0}};
  for (int k = 0; k < CHECK_KINDS; k++) {
    const bool failed = c->kinds[k].failed != 0;
    if (failed)
      hd_text_add(&messages[k], "%s (%" PRIu64 " of %" PRIu64 " runs)",
                  failure_detail(c, k, &details[k]), c->kinds[k].failed, c->kinds[k].ended);
    if (!hd_check_kind_is_used(c, (enum check_kind)k))
      continue;
    cases[n++] = (struct hd_junit_case){.name = hd_check_kinds[k].name,
                                        .seconds = c->kinds[k].seconds,
                                        .skipped = not_judged(c, k),
                                        .kind = failed ? "difference" : NULL,
                                        .message = hd_text_chars(&messages[k]),
                                        .detail = hd_text_chars(&details[k])};
  }
  const int verdict = hd_check_verdict(c);
  if (interrupted)
    hd_text_add(&end, "interrupted");
  else if (verdict && verdict != HD_E_DIVERGENCE)
    add_verdict(c, &end);
  if (end.length)
    cases[n++] = (struct hd_junit_case){.name = "the check came to its verdict",
                                        .kind = interrupted ? "interrupted" : "no verdict",
                                        .message = hd_text_chars(&end),
                                        .error = true};
  hd_junit_add(&(struct hd_junit){.name = "heddle check",
                                  .classname = "heddle.check",
                                  .seconds = run_seconds(c),
                                  .cases = cases,
                                  .n = n},
               &xml);
  for (int k = 0; k < CHECK_KINDS; k++) {
    hd_text_fini(&details[k]);
    hd_text_fini(&messages[k]);
  }
  hd_text_fini(&end);
  return hd_text_write(c->directory, "check.xml", &xml, err);
}

int hd_check_write(const struct hd_check *c, bool interrupted, struct hd_error *err)
{
  int status = write_json(c, err);
  return status ? status : write_xml(c, interrupted, err);
}
