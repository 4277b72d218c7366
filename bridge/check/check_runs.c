/* Carries out one run of each kind, and makes a failing scenario small.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_internal.h"
#include "check_stress.h"

#include "../host/file.h"
#include "../host/tool_run.h"
#include "../run/run.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── values ────────────────────────────────────────────────────────────────── */

void hd_check_put_count(struct hd_task_outcome *outcome, const char *key, uint64_t n)
{
  hd_task_outcome_add(outcome, key, NULL, &(struct hd_value){.type = HD_VALUE_COUNT, .number = n});
}

void hd_check_put_text(struct hd_task_outcome *outcome, const char *key, const char *text)
{
  hd_task_outcome_add(outcome, key, NULL, &(struct hd_value){.type = HD_VALUE_TEXT, .text = text});
}

void hd_check_put_points(struct hd_task_outcome *outcome, const struct hd_coverage_set *points)
{
  struct hd_text word = {0};
  if (points->runs)
    hd_coverage_word(points, &word);
  if (word.length)
    hd_check_put_text(outcome, "coverage", word.chars); /* as hd_soak_result_put does */
  hd_text_fini(&word);
}

/* ── the RTL in three tools ────────────────────────────────────────────────── */

/* Four switches: that of a mesh; the smallest; one with barrier messages; one with source tables and port sets. */
static const struct hd_switch_params lint_sets[CHECK_LINT_SETS] = {
    {.ports = 5,
     .vcs = 2,
     .data_bits = 16,
     .depth_flits = 4,
     .nodes = 64,
     .route_cycles = 1,
     .arb_cycles = 1},
    {.ports = 2,
     .vcs = 1,
     .data_bits = 16,
     .depth_flits = 1,
     .nodes = 2,
     .route_cycles = 1,
     .arb_cycles = 1},
    {.ports = 5,
     .vcs = 2,
     .data_bits = 16,
     .depth_flits = 4,
     .nodes = 64,
     .route_cycles = 1,
     .arb_cycles = 1,
     .barrier = HD_BARRIER_ANY,
     .groups = 4,
     .switches = 64},
    {.ports = 6,
     .vcs = 3,
     .data_bits = 64,
     .depth_flits = 8,
     .nodes = 200,
     .route_cycles = 2,
     .arb_cycles = 2,
     .buffer_cycles = 1,
     .cut_flits = 4,
     .source_table = 1,
     .adaptive = 1},
};

struct parameter {
  char text[64];
};

static size_t parameters(struct parameter *list, const struct hd_switch_params *p,
                         const char *before, const char *between)
{
  size_t n = 0;
#define PARAMETER(name, VERILOG, low, high, fallback, kind, part, ...)                       \
  if (hd_switch_has(p, HD_PART_##part))                                                      \
    snprintf(list[n++].text, sizeof list->text, "%s" #VERILOG "%s%" PRIu32, before, between, \
             p->name);
  HD_SWITCH_PARAM_LIST(PARAMETER)
#undef PARAMETER
  return n;
}

/* Finds the line of a log that names the error: the first line with "error", or else the first line. */
static void first_error(const char *log, char *line, size_t size)
{
  char *text = NULL;
  size_t length;
  snprintf(line, size, "it says nothing");
  if (hd_file_read(log, &text, &length, NULL))
    return;
  const char *at = strcasestr(text, "error");
  at = at ? at : text;
  while (at > text && at[-1] != '\n')
    at--;
  snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
  free(text);
}

/* Runs one tool with one parameter set. strict: Verilator fails at a warning, too. */
static int lint(const struct hd_check *c, uint32_t tool, uint32_t set, bool strict, const char *log,
                int *code, struct hd_error *err)
{
  enum { MOST = 48 };
  struct parameter list[32];
  const char *argv[MOST] = {hd_check_linters[tool]};
  struct hd_text script = {0};
  size_t n = 1;
  static const char *const verilator[] = {"--lint-only", "-y",           ".",
                                          "-I.",         "--top-module", "hd_switch"};
  static const char *const iverilog[] = {"-g2005", "-y",        ".",  "-I",       ".",
                                         "-s",     "hd_switch", "-o", "/dev/null"};
  static const char *const before[] = {"-G", "-Phd_switch.", "-set "};
  static const char *const between[] = {"=", "=", " "};
  size_t listed = parameters(list, &lint_sets[set], before[tool], between[tool]);
  if (tool == 2) {
    hd_text_add(&script, "read_verilog -I. hd_switch.v; chparam");
    for (size_t i = 0; i < listed; i++)
      hd_text_add(&script, " %s", list[i].text);
    hd_text_add(&script, " hd_switch; hierarchy -check -libdir . -top hd_switch; proc");
    argv[n++] = "-q";
    argv[n++] = "-p";
    argv[n++] = hd_text_chars(&script);
  } else {
    const char *const *fixed = tool ? iverilog : verilator;
    for (size_t i = 0; i < (tool ? sizeof iverilog : sizeof verilator) / sizeof *verilator; i++)
      argv[n++] = fixed[i];
    argv[n++] = tool == 1 || strict ? "-Wall" : "-Wno-fatal";
    for (size_t i = 0; i < listed; i++)
      argv[n++] = list[i].text;
    argv[n++] = "hd_switch.v";
  }
  argv[n] = NULL;
  const struct hd_tool run = {
      .argv = argv, .package = hd_check_linters[tool], .directory = c->rtl_dir, .log_path = log};
  int status = hd_tool_run(&run, code, err);
  hd_text_fini(&script);
  return status;
}

static void run_lint(const struct hd_check *c, const struct check_run *run,
                     struct hd_task_outcome *outcome)
{
  uint32_t tool = run->index % CHECK_LINTERS, set = run->index / CHECK_LINTERS;
  char absolute[4096], log[4200], line[400];
  struct hd_error err = {""};
  int code = 0;
  if (!realpath(c->directory, absolute)) {
    hd_task_outcome_fail(outcome, HD_E_IO, c->directory, "no directory");
    return;
  }
  snprintf(log, sizeof log, "%s/lint-%s-%" PRIu32 ".log", absolute, hd_check_linters[tool], set);
  unlink(log);
  int status = lint(c, tool, set, true, log, &code, &err);
  hd_check_put_warnings(outcome, log);
  if (!status && code && tool == 0) { /* find out whether it was a warning or an error */
    unlink(log);
    status = lint(c, tool, set, false, log, &code, &err);
  }
  if (!status && !code) {
    unlink(log);
    return;
  }
  if (hd_tool_lacks_space(log, line, sizeof line)) {
    hd_fail(&err, HD_E_IO, "%s: %.400s; log: %.300s", hd_check_linters[tool], line, log);
    hd_task_outcome_fail(outcome, HD_E_IO, err.text, "no space");
    return;
  }
  if (hd_directory_room(c->directory, &err) == HD_E_IO) {
    hd_task_outcome_fail(outcome, HD_E_IO, err.text, "no space");
    return;
  }
  first_error(log, line, sizeof line);
  hd_fail(&err, HD_E_TOOL, "%s: %.400s", hd_check_linters[tool], status ? err.text : line);
  hd_task_outcome_fail(outcome, HD_E_TOOL, err.text, "does not build");
}

static void run_formal(const struct hd_check *c, const struct check_run *run,
                       struct hd_task_outcome *outcome)
{
  const struct check_proof *proof = &c->proofs[run->index];
  char absolute[4096], log[4200], signature[80];
  struct hd_error err = {""};
  if (!realpath(c->directory, absolute)) {
    hd_task_outcome_fail(outcome, HD_E_IO, c->directory, "no directory");
    return;
  }
  snprintf(log, sizeof log, "%s/formal-%s.log", absolute, proof->name);
  enum check_proved proved = hd_check_prove(c, proof, log, &err);
  hd_check_put_count(outcome, "proved", proved == CHECK_PROVED);
  hd_check_put_count(outcome, "unproved", proved == CHECK_UNPROVED);
  hd_check_put_count(outcome, "unfit", proved == CHECK_UNFIT);
  snprintf(signature, sizeof signature, "a property of %s", proof->module);
  if (proved == CHECK_REFUTED)
    hd_task_outcome_fail(outcome, HD_E_DIVERGENCE, err.text, signature);
}

/* ── scenarios ─────────────────────────────────────────────────────────────── */

const char *hd_check_dut(const struct hd_check *c, enum check_kind kind)
{
  switch (kind) {
  case CHECK_EVERY_CYCLE:
  case CHECK_MIX_EVERY_CYCLE:
    return c->in_vhdl ? "ghdl:every-cycle" : "verilator:every-cycle";
  case CHECK_FOUR_STATE:
  case CHECK_UNKNOWN:
    return "icarus";
  default:
    return c->in_vhdl ? "ghdl" : "verilator";
  }
}

/* Runs a scenario as `heddle run` does, because the soak's runs do not give all results that are needed. */
static int run_quickly(const struct hd_check *c, const char *path, enum check_kind kind,
                       const struct hd_setting *setting, const char *out,
                       struct hd_run_report *report, struct hd_error *err)
{
  const struct hd_run_options options = {.scenario_path = path,
                                         .settings = setting,
                                         .n_settings = setting != NULL,
                                         .dut = hd_check_dut(c, kind),
                                         .rtl_dir = c->params->rtl_dir,
                                         .against = hd_check_against(c, kind),
                                         .cache_dir = c->params->cache_dir,
                                         .quick = !out,
                                         .out_dir = out,
                                         .results_only = !out};
  return hd_run(&options, report, err);
}

static void fail_by(struct hd_task_outcome *outcome, const struct hd_run_report *report, int status,
                    const struct hd_error *err, const char *path)
{
  struct hd_text signature = {0};
  hd_run_signature(report, &signature);
  hd_task_outcome_fail(outcome, status, err->text, hd_text_chars(&signature));
  hd_check_put_text(outcome, "file", path);
  hd_text_fini(&signature);
}

/* Did the RTL begin to simulate? A failure in the traffic before the reset comes before the scenario's first cycle, so
 * such a scenario is tried again without that traffic. */
static bool has_begun(const struct hd_check *c, const struct check_run *run, const char *path,
                      const struct hd_run_report *report)
{
  static const struct hd_setting unused = {"run.used_cycles", "0"};
  struct hd_run_report again;
  struct hd_error err;
  if (report->has_result || run->kind != CHECK_MIX_RESET)
    return report->has_result;
  run_quickly(c, path, run->kind, &unused, NULL, &again, &err);
  const bool begun = again.has_result;
  hd_run_report_fini(&again);
  return begun;
}

/* Judges the failure of a tool: before the first cycle the tool refuses the RTL, later the simulation ended by itself. */
static void fail_by_tool(const struct hd_check *c, const struct check_run *run, const char *path,
                         const struct hd_run_report *report, const struct hd_error *err,
                         struct hd_task_outcome *outcome)
{
  const bool begun = c->params->foreign && has_begun(c, run, path, report);
  hd_task_outcome_fail(outcome, begun ? HD_E_DIVERGENCE : HD_E_TOOL, err->text,
                       begun ? "a simulation that ends by itself" : "does not build");
  if (begun)
    hd_check_put_text(outcome, "file", path);
}

/* Did the original fail? In the cycle in which it fails, not all its outputs are known. So only earlier differences count
 * as differences. */
static bool is_fault_of_original(const struct hd_run_report *report)
{
  const struct hd_lockstep_result *r = &report->result;
  return r->original_fault[0] &&
         (r->divergence.difference == HD_DIFF_NONE || r->divergence.cycle >= r->original_cycles);
}

/* Runs the scenario of a file on RTL. */
static void run_file(const struct hd_check *c, const struct check_run *run, const char *path,
                     struct hd_task_outcome *outcome)
{
  struct hd_run_report report;
  struct hd_error err = {""};
  int status = run_quickly(c, path, run->kind, NULL, NULL, &report, &err);
  hd_check_put_count(outcome, "events", report.result.events_compared);
  hd_check_put_count(outcome, "switch_cycles", report.result.switch_cycles);
  hd_check_put_count(outcome, "ruled_messages", report.ruled_messages);
  hd_check_put_count(outcome, "ruled_rounds", report.ruled_rounds);
  hd_check_put_points(outcome, &report.coverage);
  if (status == HD_OK || status == HD_E_BUDGET)
    outcome->status = HD_OK;
  else if (is_fault_of_original(&report))
    hd_task_outcome_fail(outcome, HD_E_INVARIANT, report.result.original_fault,
                         hd_check_original_failed);
  else if (status == HD_E_TOOL)
    fail_by_tool(c, run, path, &report, &err, outcome);
  else
    fail_by(outcome, &report, status, &err, path);
  if (c->params->foreign)
    hd_check_put_router(c, run, path, &report, outcome);
  hd_run_report_fini(&report);
}

static bool is_drawn(const struct check_run *run)
{
  return run->kind == CHECK_RANDOM || run->kind == CHECK_EVERY_CYCLE;
}

/* Names the files of a run's scenario. what: "random" as it was drawn, "small", or "" for a scenario that is not drawn. */
static void name_of(const struct hd_check *c, const struct check_run *run, const char *what,
                    char name[64])
{
  if (is_drawn(run))
    snprintf(name, 64, "%s-%" PRIu64 "-%" PRIu32, what, c->params->seed, run->index);
  else
    snprintf(name, 64, "%s%s%s-%" PRIu32, what, *what ? "-" : "", hd_check_kind_name(run->kind),
             run->index);
}

static void path_of(const struct hd_check *c, const struct check_run *run, const char *what,
                    char path[4200])
{
  char name[64];
  name_of(c, run, what, name);
  snprintf(path, 4200, "%s/%s.yaml", c->directory, name);
}

/* Gives the path of the scenario as it was found, before shrinking. */
static void found_path(const struct hd_check *c, const struct check_run *run, char path[4200])
{
  if (is_drawn(run))
    path_of(c, run, "random", path);
  else if (run->kind == CHECK_STOCK)
    snprintf(path, 4200, "%s", c->stock[run->index].path);
  else
    path_of(c, run, "", path);
}

/* Writes the scenario of a run for which there is no file yet. */
static int write_scenario(const struct hd_check *c, const struct check_run *run, const char *path,
                          struct hd_error *err)
{
  char name[64], yaml[SOAK_PATH];
  if (run->kind == CHECK_AIMED)
    return hd_check_write_aimed(c, run->index, path, err);
  if (!hd_check_is_ruled(run->kind)) {
    const char *text = hd_check_scenario(run->kind);
    return hd_file_write(path, text, strlen(text), err);
  }
  name_of(c, run, "", name);
  return hd_check_write_ruled(c, run, c->directory, name, yaml, err);
}

static void run_written(const struct hd_check *c, const struct check_run *run,
                        struct hd_task_outcome *outcome)
{
  char path[4200], name[64];
  struct hd_error err = {""};
  found_path(c, run, path);
  int status = write_scenario(c, run, path, &err);
  if (status) {
    hd_task_outcome_fail(outcome, status, err.text, "cannot be written");
    return;
  }
  run_file(c, run, path, outcome);
  name_of(c, run, "", name);
  if (!outcome->failed)
    hd_soak_unlink(c->directory, name);
}

/* ── random scenarios ──────────────────────────────────────────────────────── */

struct soak_common hd_check_common(struct hd_check *c, enum check_kind kind)
{
  const bool ruled = c->params->foreign;
  return (struct soak_common){.rtl_dir = c->params->rtl_dir,
                              .against = hd_check_against(c, kind),
                              .cache_dir = c->params->cache_dir,
                              .directory = c->directory,
                              .dut =
                                  ruled || kind == CHECK_FOUR_STATE ? hd_check_dut(c, kind) : NULL,
                              .dut_options = kind == CHECK_EVERY_CYCLE ? "every-cycle" : NULL,
                              .by_command = ruled,
                              .opened = &c->opened};
}

void hd_check_build(struct hd_check *c, uint32_t set, struct hd_task_outcome *outcome)
{
  struct hd_error err = {""};
  const struct soak_common common = hd_check_common(c, CHECK_RANDOM);
  const struct hd_dut_ops *ops;
  int status = hd_soak_backend(&common, &c->sets[set], &ops, &err);
  if (status)
    hd_task_outcome_fail(outcome, status, err.text, "does not build");
  hd_soak_backends_close(&common);
}

const char hd_check_no_scenario[] = "no scenario";
const char hd_check_original_failed[] = "the original fails";

int hd_check_drawn(const struct soak_case *drawn, const char *directory, const char *name,
                   struct hd_error *err)
{
  struct soak_opened *opened = NULL;
  const struct soak_common common = {.directory = directory, .opened = &opened};
  struct soak_case exact = *drawn;
  struct soak_result result;
  char yaml[SOAK_PATH];
  exact.compare = HD_COMPARE_EXACT;
  int status = hd_soak_write(&exact, directory, name, yaml, err);
  if (status)
    return status;
  hd_soak_run_scenario(yaml, hd_dut_model_backend(), false, &common, &result);
  hd_soak_unlink(directory, name);
  if (result.outcome != SOAK_BROKEN)
    return 0;
  if (result.status == HD_E_IO || result.status == HD_E_NOMEM)
    return hd_fail(err, result.status, "%.800s", result.message);
  return hd_fail(err, HD_E_INTERNAL, "no switch can carry out a scenario that heddle drew: %.700s",
                 result.message);
}

static void run_random(struct hd_check *c, const struct check_run *run,
                       struct hd_task_outcome *outcome)
{
  static const struct hd_setting as_exact = {"run.compare", "exact"};
  struct soak_common common = hd_check_common(c, run->kind);
  struct soak_case drawn;
  struct soak_result result;
  struct hd_error err = {""};
  struct hd_run_report report;
  char name[64], yaml[SOAK_PATH];
  hd_check_draw(c, run->index, &drawn);
  snprintf(name, sizeof name, "random-%" PRIu64 "-%" PRIu32, c->params->seed, run->index);
  const struct hd_dut_ops *ops;
  int opened = hd_soak_backend(&common, &drawn.sw, &ops, &err);
  if (opened) {
    hd_task_outcome_fail(outcome, opened, err.text, "does not build");
    return;
  }
  if (hd_soak_write(&drawn, c->directory, name, yaml, &err)) {
    hd_task_outcome_fail(outcome, HD_E_IO, err.text, "cannot be written");
    return;
  }
  hd_soak_run_scenario(yaml, ops, false, &common, &result);
  hd_soak_result_put(&result, outcome);
  hd_soak_backends_close(&common);
  if (result.outcome == SOAK_AGREED || result.outcome == SOAK_REFUSED) {
    hd_soak_unlink(c->directory, name);
    return;
  }
  snprintf(name, sizeof name, "drawn-%" PRIu64 "-%" PRIu32, c->params->seed, run->index);
  int status = hd_check_drawn(&drawn, c->directory, name, &err);
  if (status) {
    hd_task_outcome_fail(outcome, status, err.text, hd_check_no_scenario);
    return;
  }
  bool exact = result.status == HD_E_DIVERGENCE;
  status = exact ? run_quickly(c, yaml, run->kind, &as_exact, NULL, &report, &err) : HD_OK;
  if (exact && status == HD_E_DIVERGENCE)
    fail_by(outcome, &report, status, &err, yaml);
  else { /* the model can carry the scenario out, so a refusal means that the RTL cannot */
    bool refused = result.status == HD_E_INPUT || result.status == HD_E_UNSUPPORTED ||
                   result.status == HD_E_INTERNAL;
    int code = result.status && !refused ? result.status : HD_E_DIVERGENCE;
    hd_task_outcome_fail(outcome, code, result.message, hd_soak_outcome_name(result.outcome));
    hd_check_put_text(outcome, "file", yaml);
  }
  if (exact)
    hd_run_report_fini(&report);
}

/* Copies a state's name without indices: "out[1].vc[0].owned" becomes "out.vc.owned". */
static void without_indices(const char *name, char *plain, size_t size)
{
  size_t n = 0;
  for (bool inside = false; *name && n + 1 < size; name++) {
    inside = *name == '[' || (inside && *name != ']');
    if (!inside && *name != ']')
      plain[n++] = *name;
  }
  plain[n] = '\0';
}

void hd_check_put_lead(struct hd_task_outcome *outcome, const char *key, uint64_t wrong,
                       uint64_t shown)
{
  char cycles[24];
  snprintf(cycles, sizeof cycles, "%" PRIu64, wrong < shown ? shown - wrong : 0);
  hd_check_put_text(outcome, key, cycles);
}

void hd_check_put_inside(struct hd_task_outcome *outcome, const struct hd_explanation *e)
{
  struct hd_text reason = {0}, headline = {0};
  hd_explain_reason(e, &reason);
  if (reason.length)
    hd_check_put_text(outcome, "reason", reason.chars);
  hd_text_fini(&reason);
  hd_explain_headline(e, &headline);
  hd_check_put_text(outcome, "headline", hd_text_chars(&headline));
  hd_text_fini(&headline);
  const struct hd_explain_inside *inside = &e->inside;
  struct hd_text text = {0};
  char plain[64];
  hd_explain_inside(e, &text);
  const char *line = hd_text_chars(&text);
  line += strspn(line, " ");
  if (*line) {
    text.chars[strcspn(text.chars, "\n")] = '\0';
    hd_check_put_text(outcome, "first_wrong", line);
  }
  if (inside->known) {
    without_indices(inside->states[inside->first].name, plain, sizeof plain);
    hd_check_put_text(outcome, "inside", plain);
    hd_check_put_lead(outcome, "inside_lead", inside->cycle, e->divergence.cycle);
  }
  hd_text_fini(&text);
}

/* ── steps on a scenario that failed ───────────────────────────────────────── */

/* A trial may last TRIAL_SECONDS longer than the search, because it may have no end. */
struct patience {
  double until;
};
enum { TRIAL_SECONDS = 5 };

static bool has_lost_patience(void *context)
{
  const struct patience *p = context;
  return hd_campaign_now() > p->until;
}

/* Draws the scenario again and makes it small. HD_E_NOTHING: it does not fail by itself. */
static int shrink_drawn(struct hd_check *c, const struct check_run *run, double seconds,
                        const struct soak_common *common, bool *unfinished, struct hd_error *err)
{
  struct soak_case drawn;
  struct soak_result result;
  char name[64], yaml[SOAK_PATH];
  const double began = hd_campaign_now();
  hd_check_draw(c, run->index, &drawn);
  hd_soak_try(&drawn, false, common, &result);
  if (result.outcome == SOAK_AGREED || result.outcome == SOAK_STOPPED)
    return HD_E_NOTHING;
  hd_soak_shrink(&drawn, false, seconds, common, &result);
  *unfinished = hd_campaign_now() > began + seconds;
  name_of(c, run, "small", name);
  return hd_soak_write(&drawn, c->directory, name, yaml, err);
}

/* Makes the scenario of a file small. A later search goes on from the result of the first one. */
static int shrink_file(const struct hd_check *c, const struct check_run *run, enum check_step step,
                       double seconds, const struct soak_common *common, bool *unfinished,
                       struct hd_error *err)
{
  char from[4200], small[4200];
  int status = HD_OK;
  found_path(c, run, from);
  path_of(c, run, "small", small);
  if (step == CHECK_STEP_SMALL_SOON || access(small, R_OK))
    status = hd_check_write_whole(from, NULL, 0, small, err);
  if (!status)
    status = hd_soak_shrink_file(small, seconds, common, unfinished, err);
  if (status)
    unlink(small);
  return status;
}

static void put_small(const struct hd_check *c, const struct check_run *run, const char *small,
                      struct hd_task_outcome *outcome)
{
  struct soak_size_of before = {0}, after = {0};
  struct hd_text told = {0};
  char from[4200];
  found_path(c, run, from);
  hd_check_put_text(outcome, "file", small);
  if (hd_soak_measure(from, &before, NULL) || hd_soak_measure(small, &after, NULL))
    return;
  hd_text_add(&told,
              "%" PRIu32 " switches to %" PRIu32 ", %" PRIu32 " nodes to %" PRIu32 ", %" PRIu64
              " cycles to %" PRIu64,
              before.switches, after.switches, before.nodes, after.nodes, before.cycles,
              after.cycles);
  hd_check_put_text(outcome, "small", hd_text_chars(&told));
  hd_text_fini(&told);
}

/* Reads a whole file; NULL: it cannot be read. The caller frees the text. */
static char *text_at(const char *path)
{
  char *text = NULL;
  size_t length;
  return hd_file_read(path, &text, &length, NULL) ? NULL : text;
}

/* Makes a scenario small for some seconds. "unfinished": the first search had no time to end, or a later search found a
 * smaller scenario that is to be explained. */
static void shrink_scenario(struct hd_check *c, const struct check_run *run, enum check_step step,
                            struct hd_task_outcome *outcome)
{
  const double seconds = hd_check_shrink_seconds(c, step);
  struct soak_common common = hd_check_common(c, run->kind);
  struct patience patience = {hd_campaign_now() + seconds + TRIAL_SECONDS};
  struct hd_error err = {""};
  char small[4200];
  bool unfinished = false;
  common.stop = has_lost_patience;
  common.context = &patience;
  path_of(c, run, "small", small);
  if (step == CHECK_STEP_SMALL_SOON)
    unlink(small); /* an earlier check in this directory may have left it */
  char *before = text_at(small);
  if (!(is_drawn(run) ? shrink_drawn(c, run, seconds, &common, &unfinished, &err)
                      : shrink_file(c, run, step, seconds, &common, &unfinished, &err))) {
    char *after = text_at(small);
    put_small(c, run, small, outcome);
    hd_check_put_count(outcome, "unfinished",
                       step == CHECK_STEP_SMALL_SOON ? unfinished
                                                     : !before || !after || strcmp(before, after));
    free(after);
  }
  free(before);
  hd_soak_backends_close(&common);
}

/* Explains the small scenario, or the found one where nothing was made small. */
static void explain_scenario(const struct hd_check *c, const struct check_run *run,
                             struct hd_task_outcome *outcome)
{
  char path[4200], name[64], out[4300];
  path_of(c, run, "small", path);
  if (c->params->shrink_seconds > 0 && !access(path, R_OK))
    name_of(c, run, "small", name);
  else {
    found_path(c, run, path);
    name_of(c, run, is_drawn(run) ? "random" : "", name);
  }
  snprintf(out, sizeof out, "%s/%s-run", c->directory, name);
  hd_check_explain_run(c, run->kind, path, out, outcome);
}

void hd_check_run_step(struct hd_check *c, const struct check_run *run, enum check_step step,
                       struct hd_task_outcome *outcome)
{
  if (hd_check_is_stream(run->kind))
    hd_check_run_stream_step(c, run, step, outcome);
  else if (step == CHECK_STEP_SMALL || step == CHECK_STEP_SMALL_SOON)
    shrink_scenario(c, run, step, outcome);
  else
    explain_scenario(c, run, outcome);
}

void hd_check_run_task(struct hd_check *c, const struct check_run *run,
                       struct hd_task_outcome *outcome)
{
  switch (run->kind) {
  case CHECK_LINT:
    run_lint(c, run, outcome);
    return;
  case CHECK_RANDOM:
  case CHECK_EVERY_CYCLE:
    run_random(c, run, outcome);
    return;
  case CHECK_STOCK:
    run_file(c, run, c->stock[run->index].path, outcome);
    return;
  case CHECK_AIMED:
  case CHECK_FOUR_STATE:
  case CHECK_LARGE:
  case CHECK_LONG:
  case CHECK_MIX:
  case CHECK_MIX_EVERY_CYCLE:
  case CHECK_MIX_HELD:
  case CHECK_MIX_RESET:
  case CHECK_MIX_LONG:
  case CHECK_UNKNOWN:
  case CHECK_SPEED:
  case CHECK_MIX_RANDOM:
    run_written(c, run, outcome);
    return;
  case CHECK_STREAM:
    hd_check_run_stream(c, run, outcome);
    return;
  case CHECK_STRESS:
    hd_check_run_stress(c, run, outcome);
    return;
  case CHECK_FORMAL:
    run_formal(c, run, outcome);
    return;
  case CHECK_EQUAL:
    hd_check_prove_equal(c, run->index, false, outcome);
    return;
  case CHECK_KINDS:
    return;
  }
}
