/* What a check came to: for people, as JSON and as JUnit.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_internal.h"

#include "../../bridge/host/file.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

int hd_check_verdict(const struct hd_check *c)
{
  if (c->unbuilt)
    return HD_E_TOOL;
  if (c->n_groups)
    return HD_E_DIVERGENCE;
  return c->events || c->proved ? HD_OK : HD_E_NOTHING;
}

static uint64_t runs(const struct hd_check *c)
{
  uint64_t n = 0;
  for (int k = 0; k < CHECK_KINDS; k++)
    n += c->kinds[k].ended;
  return n;
}

static void sentence(const struct hd_check *c, struct hd_text *text)
{
  switch (hd_check_verdict(c)) {
  case HD_OK:
    hd_text_add(text, "the same switch, as far as %s and %" PRIu64 " compared events can tell",
                hd_count(runs(c), "run").text, c->events);
    if (c->proved)
      hd_text_add(text, "; %s of its modules hold", hd_count(c->proved, "proof").text);
    return;
  case HD_E_DIVERGENCE:
    hd_text_add(text, "NOT the switch: %s of difference in %s",
                hd_count(hd_check_groups_kinds(c), "kind").text, hd_count(runs(c), "run").text);
    return;
  case HD_E_TOOL:
    hd_text_add(text, "the RTL does not build: %s", c->unbuilt);
    return;
  default:
    hd_text_add(text, "nothing was compared");
    return;
  }
}

/* ── what was not exercised ────────────────────────────────────────────────── */

/* The soak's own table of what it wants, a line each; the number of lines. To be freed. */
static uint32_t holes(const struct hd_check *c, char **lines)
{
  size_t size = 0;
  *lines = NULL;
  FILE *file = open_memstream(lines, &size);
  if (!file)
    return 0;
  uint32_t n = hd_soak_coverage_holes(c->coverage, file);
  fclose(file);
  return n;
}

static void missing_kinds(const struct hd_check *c, void (*name)(void *context, const char *what),
                          void *context)
{
  char line[160];
  for (int k = 0; k < CHECK_KINDS; k++) {
    const char *tool = k == CHECK_FOUR_STATE && !c->has_tool[1] ? " (iverilog is missing)"
                       : k == CHECK_FORMAL && !c->has_tool[2]   ? " (yosys is missing)"
                                                                : "";
    snprintf(line, sizeof line, "%s%s", hd_check_kind_about((enum check_kind)k), tool);
    if (!c->kinds[k].ended)
      name(context, line);
  }
  for (uint32_t t = 0; t < CHECK_LINTERS; t++) {
    snprintf(line, sizeof line, "elaboration in %s, which is missing", hd_check_linters[t]);
    if (!c->has_tool[t])
      name(context, line);
  }
  if (c->unfit) {
    snprintf(line, sizeof line, "%s: their modules, parameters or properties are not there",
             hd_count(c->unfit, "proof").text);
    name(context, line);
  }
  if (c->unproved) {
    snprintf(line, sizeof line, "%s: neither proved nor refuted",
             hd_count(c->unproved, "proof").text);
    name(context, line);
  }
  name(context, "synthesis, boards: not part of this check");
}

static void name_text(void *context, const char *what)
{
  hd_text_add(context, "  %s\n", what);
}

static void name_json(void *context, const char *what)
{
  json_array_append_new(context, json_string(what));
}

/* ── for people ────────────────────────────────────────────────────────────── */

static void command(const struct hd_check *c, const struct check_group *g, struct hd_text *text)
{
  if (g->kind == CHECK_STREAM || g->kind == CHECK_FORMAL) {
    hd_text_add(text, "heddle check ");
    if (c->params->rtl_dir)
      hd_text_add_word(text, c->params->rtl_dir);
    hd_text_add(text, "%s", c->params->rtl_dir ? " " : "");
    if (g->kind == CHECK_FORMAL)
      hd_text_add(text, "--proof %s", c->proofs[c->runs[g->run].index].name);
    else if (g->file) {
      hd_text_add(text, "--stream ");
      hd_text_add_word(text, g->file);
    } else
      hd_text_add(text, "--stream %" PRIu32 " --seed %" PRIu64, c->runs[g->run].index,
                  c->params->seed);
    return;
  }
  if (!g->file)
    return;
  hd_text_add(text, "heddle run ");
  hd_text_add_word(text, g->file);
  if (strcmp(hd_check_dut(g->kind), "verilator"))
    hd_text_add(text, " --dut %s", hd_check_dut(g->kind));
  if (c->params->rtl_dir) {
    hd_text_add(text, " --rtl ");
    hd_text_add_word(text, c->params->rtl_dir);
  }
}

static void wave_command(const struct check_group *g, struct hd_text *text)
{
  if (!g->waves)
    return;
  hd_text_add(text, "heddle wave ");
  hd_text_add_word(text, g->waves);
}

/* Groups of one kind as one: the first one's example, then where else it showed. */
static void group_text(const struct hd_check *c, uint32_t leader, struct hd_text *text)
{
  const struct check_group *g = &c->groups[leader];
  hd_text_add(text, "\n%" PRIu64 " × %s", g->n, g->signature);
  if (g->inside)
    hd_text_add(text, ", first wrong state %s", g->inside);
  hd_text_add(text, "\n  one of them: %s\n", g->sentence);
  if (g->small)
    hd_text_add(text, "  made small: %s\n", g->small);
  if (g->first_wrong)
    hd_text_add(text, "  %s\n", g->first_wrong);
  hd_text_add(text, "  ");
  command(c, g, text);
  hd_text_add(text, "\n");
  if (g->waves) {
    hd_text_add(text, "  ");
    wave_command(g, text);
    hd_text_add(text, "\n");
  }
  bool stream = g->kind == CHECK_STREAM;
  for (uint32_t i = 0; i < c->n_groups; i++) {
    const struct check_group *other = &c->groups[i];
    if (i == leader || other->leader != leader)
      continue;
    hd_text_add(text, "  also %" PRIu64 " × %s\n", other->n, other->signature);
    if (other->kind != CHECK_STREAM || stream)
      continue;
    hd_text_add(text, "    ");
    command(c, other, text);
    hd_text_add(text, "\n");
    stream = true; /* one stream is enough */
  }
}

void hd_check_text(const struct hd_check *c, struct hd_text *text)
{
  char *lines;
  sentence(c, text);
  hd_text_add(text, "\n");
  if (c->unbuilt)
    return;
  for (uint32_t i = 0; i < c->n_groups; i++)
    if (c->groups[i].leader == i)
      group_text(c, i, text);
  if (c->ungrouped)
    hd_text_add(text, "\n%" PRIu64 " more, of kinds beyond the first %d\n", c->ungrouped,
                CHECK_GROUPS);
  hd_text_add(text, "\nexercised:\n");
  for (int k = 0; k < CHECK_KINDS; k++)
    if (c->kinds[k].ended)
      hd_text_add(text, "  %6" PRIu64 " × %s%s\n", c->kinds[k].ended,
                  hd_check_kind_about((enum check_kind)k), c->kinds[k].failed ? " (failures)" : "");
  if (c->ruled_rounds)
    hd_text_add(
        text,
        "  rules T1 to T8 of the barrier's tree (specification 8.13): hold for %s at ports, %s\n",
        hd_count(c->ruled_messages, "message").text, hd_count(c->ruled_rounds, "round").text);
  if (c->warnings)
    hd_text_add(text, "  Verilator warns of the RTL with %s\n",
                hd_count(c->warnings, "parameter set").text);
  hd_text_add(text, "not exercised:\n");
  missing_kinds(c, name_text, text);
  if (hd_coverage_holes(&c->points)) {
    hd_text_add(text, "  ");
    hd_coverage_summary(&c->points, text);
    hd_text_add(text, "; check.json lists them\n");
  }
  uint32_t n = holes(c, &lines);
  if (n)
    hd_text_add(text, "  %s that random scenarios can have; check.json lists them\n",
                hd_count(n, "value").text);
  free(lines);
}

/* ── for machines ──────────────────────────────────────────────────────────── */

/* What shrinking left beside the scenario (check_shrink), seen from the check's directory; NULL: nothing.
 * To be freed. */
static char *run_of(const struct hd_check *c, const struct check_group *g)
{
  size_t directory = strlen(c->directory);
  const char *end =
      g->small && g->file && g->kind != CHECK_STREAM ? strstr(g->file, ".yaml") : NULL;
  char *run = NULL;
  if (!end || strncmp(g->file, c->directory, directory) || g->file[directory] != '/')
    return NULL;
  const char *name = g->file + directory + 1;
  return asprintf(&run, "%.*s-run", (int)(end - name), name) < 0 ? NULL : run;
}

/* Of the others of a kind. */
static json_t *also_json(const struct hd_check *c, uint32_t leader, uint64_t *failures)
{
  json_t *also = json_array();
  for (uint32_t i = 0; i < c->n_groups; i++) {
    const struct check_group *g = &c->groups[i];
    struct hd_text line = {0};
    if (i == leader || g->leader != leader)
      continue;
    *failures += g->n;
    command(c, g, &line);
    json_array_append_new(also, json_pack("{s:s, s:I, s:s, s:s, s:s*, s:s}", "signature",
                                          g->signature, "failures", (json_int_t)g->n, "kind",
                                          hd_check_kind_name(g->kind), "example", g->sentence,
                                          g->kind == CHECK_STREAM ? "stream" : "scenario", g->file,
                                          "command", hd_text_chars(&line)));
    hd_text_fini(&line);
  }
  return also;
}

static json_t *group_json(const struct hd_check *c, uint32_t leader)
{
  const struct check_group *g = &c->groups[leader];
  struct hd_text line = {0}, waves = {0};
  char *run = run_of(c, g);
  uint64_t failures = g->n;
  json_t *also = also_json(c, leader, &failures);
  command(c, g, &line);
  wave_command(g, &waves);
  json_t *json =
      json_pack("{s:s, s:I, s:s, s:s, s:s*, s:s*, s:s*, s:s*, s:s*, s:s, s:s*, s:o}", "signature",
                g->signature, "failures", (json_int_t)failures, "kind", hd_check_kind_name(g->kind),
                "example", g->sentence, g->kind == CHECK_STREAM ? "stream" : "scenario", g->file,
                "shrunk", g->small, "run", run, "first_wrong_state", g->inside, "first_wrong",
                g->first_wrong, "command", hd_text_chars(&line), "wave_command",
                g->waves ? hd_text_chars(&waves) : NULL, "also", also);
  free(run);
  hd_text_fini(&line);
  hd_text_fini(&waves);
  return json;
}

static json_t *holes_json(const struct hd_check *c)
{
  char *lines, *rest = NULL;
  json_t *json = json_array();
  holes(c, &lines);
  for (char *line = lines ? strtok_r(lines, "\n", &rest) : NULL; line;
       line = strtok_r(NULL, "\n", &rest))
    if (!strncmp(line, "not covered: ", 13))
      json_array_append_new(json, json_string(line + 13));
  free(lines);
  return json;
}

/* Points of the specification; NULL: no run says what it came by. */
static json_t *points_json(const struct hd_check *c)
{
  struct hd_text text = {0};
  if (c->points.runs)
    hd_coverage_json(&c->points, false, &text);
  json_t *json = text.length && !text.failed ? json_loads(text.chars, 0, NULL) : NULL;
  hd_text_fini(&text);
  return json;
}

/* What random scenarios had, by the soak's own table. */
static json_t *drawn_json(const struct hd_check *c)
{
  char *members = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&members, &size);
  if (!file)
    return json_object();
  fputs("{", file);
  hd_soak_coverage_json(c->coverage, file);
  fputs("}", file);
  fclose(file);
  json_t *json = members ? json_loads(members, 0, NULL) : NULL;
  free(members);
  return json ? json : json_object();
}

static int write_json(const struct hd_check *c, struct hd_error *err)
{
  static const char *const words[] = {"same", "different", "unbuilt", "nothing compared"};
  struct hd_text path = {0}, line = {0};
  int verdict = hd_check_verdict(c);
  const char *word = words[verdict == HD_OK             ? 0
                           : verdict == HD_E_DIVERGENCE ? 1
                           : verdict == HD_E_TOOL       ? 2
                                                        : 3];
  json_t *kinds = json_array(), *groups = json_array(), *missing = json_array();
  sentence(c, &line);
  for (int k = 0; k < CHECK_KINDS; k++)
    json_array_append_new(kinds, json_pack("{s:s, s:s, s:I, s:I, s:f}", "kind",
                                           hd_check_kind_name((enum check_kind)k), "about",
                                           hd_check_kind_about((enum check_kind)k), "runs",
                                           (json_int_t)c->kinds[k].ended, "failed",
                                           (json_int_t)c->kinds[k].failed, "seconds",
                                           c->kinds[k].seconds));
  for (uint32_t i = 0; i < c->n_groups; i++)
    if (c->groups[i].leader == i)
      json_array_append_new(groups, group_json(c, i));
  missing_kinds(c, name_json, missing);
  json_t *json =
      json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:s, s:o, s:o, s:o, s:o, s:o, s:o*}", "verdict",
                word, "sentence", hd_text_chars(&line), "seed", (json_int_t)c->params->seed, "runs",
                (json_int_t)runs(c), "events_compared", (json_int_t)c->events, "switch_cycles",
                (json_int_t)c->switch_cycles, "identity", hd_text_chars(&c->identity), "kinds",
                kinds, "differences", groups, "not_exercised", missing, "drawn", drawn_json(c),
                "not_drawn", holes_json(c), "coverage", points_json(c));
  if (c->failed)
    json_object_set_new(json, "first_difference_seconds", json_real(c->first_failed_seconds));
  hd_text_add(&path, "%s/check.json", c->directory);
  int status = !json || path.failed ? hd_fail(err, HD_E_NOMEM, "check.json: out of memory") : HD_OK;
  char *text = status ? NULL : json_dumps(json, JSON_INDENT(2));
  if (!status)
    status = text ? hd_file_write(path.chars, text, strlen(text), err)
                  : hd_fail(err, HD_E_NOMEM, "check.json: out of memory");
  free(text);
  json_decref(json);
  hd_text_fini(&path);
  hd_text_fini(&line);
  return status;
}

static void case_xml(const struct hd_check *c, int k, struct hd_text *xml)
{
  hd_text_add(xml, "  <testcase classname=\"heddle.check\" name=\"");
  hd_text_add_xml(xml, hd_check_kind_name((enum check_kind)k));
  hd_text_add(xml, "\" time=\"%.3f\">\n", c->kinds[k].seconds);
  if (!c->kinds[k].ended)
    hd_text_add(xml, "    <skipped message=\"not exercised\"/>\n");
  if (c->kinds[k].failed) {
    hd_text_add(xml, "    <failure message=\"%" PRIu64 " of %" PRIu64 " runs\">",
                c->kinds[k].failed, c->kinds[k].ended);
    for (uint32_t i = 0; i < c->n_groups; i++) {
      struct hd_text text = {0};
      if ((int)c->groups[i].kind == k && c->groups[i].leader == i)
        group_text(c, i, &text);
      hd_text_add_xml(xml, hd_text_chars(&text));
      hd_text_fini(&text);
    }
    hd_text_add(xml, c->unbuilt ? "" : "see check.json");
    if (c->unbuilt)
      hd_text_add_xml(xml, c->unbuilt);
    hd_text_add(xml, "</failure>\n");
  }
  hd_text_add(xml, "  </testcase>\n");
}

static int write_xml(const struct hd_check *c, struct hd_error *err)
{
  struct hd_text path = {0}, xml = {0};
  unsigned failed = 0, skipped = 0;
  for (int k = 0; k < CHECK_KINDS; k++) {
    failed += c->kinds[k].failed != 0;
    skipped += !c->kinds[k].ended;
  }
  hd_text_add(
      &xml,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"heddle check\" tests=\"%d\" "
      "failures=\"%u\" errors=\"0\" skipped=\"%u\">\n",
      CHECK_KINDS, failed, skipped);
  for (int k = 0; k < CHECK_KINDS; k++)
    case_xml(c, k, &xml);
  hd_text_add(&xml, "</testsuite>\n");
  hd_text_add(&path, "%s/check.xml", c->directory);
  int status = xml.failed || path.failed ? hd_fail(err, HD_E_NOMEM, "check.xml: out of memory")
                                         : hd_file_write(path.chars, xml.chars, xml.length, err);
  hd_text_fini(&xml);
  hd_text_fini(&path);
  return status;
}

int hd_check_write(const struct hd_check *c, struct hd_error *err)
{
  int status = write_json(c, err);
  return status ? status : write_xml(c, err);
}
