/* Carries out one run of each kind, and makes a failing scenario small.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_internal.h"
#include "check_stress.h"

#include "../backends/rtl/dut_sources.h"
#include "../host/clock.h"
#include "../host/file.h"
#include "../host/tool_run.h"
#include "../run/run.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
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

#define SET(ports_, vcs_, bits, depth, nodes_, route, arb, ...)                             \
  {                                                                                         \
    .ports = ports_, .vcs = vcs_, .data_bits = bits, .depth_flits = depth, .nodes = nodes_, \
    .route_cycles = route, .arb_cycles = arb, __VA_ARGS__                                   \
  }

/* Four switches: that of a mesh; the smallest; one with barrier messages; one with source tables and port sets. */
static const struct hd_switch_params lint_sets[CHECK_LINT_SETS] = {
    SET(5, 2, 16, 4, 64, 1, 1, .barrier = HD_BARRIER_NONE),
    SET(2, 1, 16, 1, 2, 1, 1, .barrier = HD_BARRIER_NONE),
    SET(5, 2, 16, 4, 64, 1, 1, .barrier = HD_BARRIER_ANY, .groups = 4, .switches = 64),
    SET(6, 3, 64, 8, 200, 2, 2, .buffer_cycles = 1, .cut_flits = 4, .source_table = 1,
        .adaptive = 1),
};

/* Finds the line of a log that names the error: the first line with "error", or else the first line. */
static void first_error(const char *log, char *line, size_t size)
{
  char *text = NULL;
  size_t length;
  snprintf(line, size, "its log is empty");
  if (hd_file_read(log, &text, &length, NULL))
    return;
  const char *at = strcasestr(text, "error");
  at = at ? at : text;
  while (at > text && at[-1] != '\n')
    at--;
  snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
  free(text);
}

int hd_check_lint(const struct hd_check *c, enum check_linter tool,
                  const struct hd_switch_params *params, bool strict, const char *log, int *code,
                  struct hd_error *err)
{
  enum { OPTIONS = 12 };
  static const char *const options[CHECK_LINTERS][OPTIONS] = {
      {"--lint-only", "-y", ".", "-I.", "--top-module", "hd_switch"},
      {"-g2005", "-y", ".", "-I", ".", "-s", "hd_switch", "-o", "/dev/null", "-Wall"},
      {"-q", "-p"}};
  static const char *const before[] = {"-G", "-Phd_switch.", "-set "};
  char parameters[HD_SWITCH_PARAMS][32], words[HD_SWITCH_PARAMS][48];
  const char *argv[OPTIONS + HD_SWITCH_PARAMS + 4] = {hd_check_linters[tool]};
  struct hd_text script = {0};
  size_t n = 1;
  const size_t n_parameters = hd_switch_parameters(params, parameters);
  while (options[tool][n - 1]) {
    argv[n] = options[tool][n - 1];
    n++;
  }
  if (tool == CHECK_VERILATOR)
    argv[n++] = strict ? "-Wall" : "-Wno-fatal";
  hd_text_add(&script, "read_verilog -I. hd_switch.v; chparam");
  for (size_t i = 0; i < n_parameters; i++) {
    snprintf(words[i], sizeof words[i], "%s%s", before[tool], parameters[i]);
    if (tool == CHECK_YOSYS)
      words[i][strcspn(words[i], "=")] = ' ';
    else
      argv[n++] = words[i];
    hd_text_add(&script, " %s", words[i]);
  }
  hd_text_add(&script, " hd_switch; hierarchy -check -libdir . -top hd_switch; proc");
  argv[n] = tool == CHECK_YOSYS ? hd_text_chars(&script) : "hd_switch.v";
  const struct hd_tool run = {
      .argv = argv, .package = hd_check_linters[tool], .directory = c->rtl_dir, .log_path = log};
  int status = hd_tool_run(&run, code, err);
  hd_text_fini(&script);
  return status;
}

bool hd_check_result_path(const struct hd_check *c, struct hd_task_outcome *outcome,
                          char path[4200], const char *format, ...)
{
  char name[100];
  va_list args;
  va_start(args, format);
  vsnprintf(name, sizeof name, format, args);
  va_end(args);
  char directory[4096];
  if (!realpath(c->directory, directory)) {
    hd_task_outcome_fail(outcome, HD_E_IO, c->directory, "no directory");
    return false;
  }
  snprintf(path, 4200, "%s/%s", directory, name);
  return true;
}

static void run_lint(struct hd_check *c, const struct check_run *run,
                     struct hd_task_outcome *outcome)
{
  const enum check_linter tool = run->index % CHECK_LINTERS;
  const uint32_t set = run->index / CHECK_LINTERS;
  char log[4200], line[400];
  struct hd_error err = {""};
  int code = 0;
  if (!hd_check_result_path(c, outcome, log, "lint-%s-%" PRIu32 ".log", hd_check_linters[tool],
                            set))
    return;
  unlink(log);
  int status = hd_check_lint(c, tool, &lint_sets[set], true, log, &code, &err);
  hd_check_put_warnings(outcome, log);
  if (!status && code &&
      tool == CHECK_VERILATOR) { /* find out whether it was a warning or an error */
    unlink(log);
    status = hd_check_lint(c, tool, &lint_sets[set], false, log, &code, &err);
  }
  if (!status && !code) {
    unlink(log);
    return;
  }
  const bool lacks = hd_tool_lacks_space(log, line, sizeof line);
  if (lacks)
    hd_fail(&err, HD_E_IO, "%s: %.400s; log: %.300s", hd_check_linters[tool], line, log);
  if (lacks || hd_directory_room(c->directory, &err) == HD_E_IO) {
    hd_task_outcome_fail(outcome, HD_E_IO, err.text, "no space");
    return;
  }
  first_error(log, line, sizeof line);
  hd_fail(&err, HD_E_TOOL, "%s: %.400s", hd_check_linters[tool], status ? err.text : line);
  hd_task_outcome_fail(outcome, HD_E_TOOL, err.text, "does not build");
}

static void run_formal(struct hd_check *c, const struct check_run *run,
                       struct hd_task_outcome *outcome)
{
  const struct check_proof *proof = &c->proofs[run->index];
  char log[4200], signature[80];
  struct hd_error err = {""};
  if (!hd_check_result_path(c, outcome, log, "formal-%s.log", proof->name))
    return;
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

int hd_check_run_scenario(const struct hd_check *c, const char *path, enum check_kind kind,
                          const struct hd_setting *setting, struct hd_run_report *report,
                          struct hd_error *err)
{
  const struct hd_run_options options = {.scenario_path = path,
                                         .settings = setting,
                                         .n_settings = setting != NULL,
                                         .dut = hd_check_dut(c, kind),
                                         .rtl_dir = c->params->rtl_dir,
                                         .against = hd_check_against(c, kind),
                                         .cache_dir = c->params->cache_dir,
                                         .quick = true,
                                         .results_only = true};
  return hd_run(&options, report, err);
}

static void fail_with_signature(struct hd_task_outcome *outcome, const struct hd_run_report *report,
                                int status, const struct hd_error *err, const char *path)
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
  hd_check_run_scenario(c, path, run->kind, &unused, &again, &err);
  const bool begun = again.has_result;
  hd_run_report_fini(&again);
  return begun;
}

/* Does Icarus alone not finish a cycle? It takes blocks as sensitive to more than the language says (`sorry: constant
 * selects in always_* processes are not currently supported`), so sound RTL can loop without end there. Verilator must
 * carry out the same scenario. The words are those of backends/remote. */
static bool hangs_in_icarus_alone(const struct hd_check *c, const struct check_run *run,
                                  const char *path, const struct hd_error *err)
{
  struct hd_run_report again;
  struct hd_error why = {""};
  if (run->kind != CHECK_UNKNOWN || !strstr(err->text, "has not finished a cycle"))
    return false;
  const int status = hd_check_run_scenario(c, path, CHECK_MIX, NULL, &again, &why);
  hd_run_report_fini(&again);
  return status == HD_OK || status == HD_E_BUDGET;
}

/* Judges the failure of a tool: before the first cycle the tool refuses the RTL, later the simulation ended by itself. */
static void fail_by_tool(const struct hd_check *c, const struct check_run *run, const char *path,
                         const struct hd_run_report *report, const struct hd_error *err,
                         struct hd_task_outcome *outcome)
{
  const bool begun = c->params->foreign && has_begun(c, run, path, report) &&
                     !hangs_in_icarus_alone(c, run, path, err);
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
  int status = hd_check_run_scenario(c, path, run->kind, NULL, &report, &err);
  hd_check_put_count(outcome, "events", report.result.events_compared);
  hd_check_put_count(outcome, "switch_cycles", report.result.switch_cycles);
  hd_check_put_count(outcome, "ruled_messages", report.ruled_messages);
  hd_check_put_count(outcome, "ruled_rounds", report.ruled_rounds);
  hd_check_put_points(outcome, &report.coverage);
  const bool asked =
      run->kind == CHECK_AIMED && c->params->foreign; /* what a budget says is the user's */
  if (status == HD_E_BUDGET && asked) {
    hd_task_outcome_fail(outcome, status, err.text, "budget: of the scenario");
    hd_check_put_text(outcome, "file", path);
  } else if (status == HD_OK || status == HD_E_BUDGET)
    outcome->status = HD_OK;
  else if (is_fault_of_original(&report))
    hd_task_outcome_fail(outcome, HD_E_INVARIANT, report.result.original_fault,
                         hd_check_original_failed);
  else if (status == HD_E_TOOL)
    fail_by_tool(c, run, path, &report, &err, outcome);
  else
    fail_with_signature(outcome, &report, status, &err, path);
  if (c->params->foreign)
    hd_check_put_router(c, run, path, &report, outcome);
  hd_run_report_fini(&report);
}

/* Names the files of a run's scenario. what: "random" as it was drawn, "small", or "" for a scenario that is not drawn. */
static void name_of(const struct hd_check *c, const struct check_run *run, const char *what,
                    char name[64])
{
  if (hd_check_is_random(run->kind))
    snprintf(name, 64, "%s-%" PRIu64 "-%" PRIu32, what, c->params->seed, run->index);
  else
    snprintf(name, 64, "%s%s%s-%" PRIu32, what, *what ? "-" : "", hd_check_kinds[run->kind].name,
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
  if (hd_check_is_random(run->kind))
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

static void run_stock(struct hd_check *c, const struct check_run *run,
                      struct hd_task_outcome *outcome)
{
  run_file(c, run, c->stock[run->index].path, outcome);
}

static void run_written(struct hd_check *c, const struct check_run *run,
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

static struct soak_limits limits_of(const struct hd_check *c)
{
  return (struct soak_limits){.columns = hd_check_routes_itself(c) ? c->params->takes.columns : 0,
                              .shortest = c->params->takes.shortest};
}

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
                              .limits = limits_of(c),
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
  status = exact ? hd_check_run_scenario(c, yaml, run->kind, &as_exact, &report, &err) : HD_OK;
  if (exact && status == HD_E_DIVERGENCE)
    fail_with_signature(outcome, &report, status, &err, yaml);
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
  return hd_seconds_now() > p->until;
}

/* Draws the scenario again and makes it small. HD_E_NOTHING: it does not fail by itself. */
static int shrink_drawn(struct hd_check *c, const struct check_run *run, double seconds,
                        const struct soak_common *common, bool *unfinished, struct hd_error *err)
{
  struct soak_case drawn;
  struct soak_result result;
  char name[64], yaml[SOAK_PATH];
  const double began = hd_seconds_now();
  hd_check_draw(c, run->index, &drawn);
  hd_soak_try(&drawn, false, common, &result);
  if (result.outcome == SOAK_AGREED || result.outcome == SOAK_STOPPED)
    return HD_E_NOTHING;
  hd_soak_shrink(&drawn, false, seconds, common, &result);
  *unfinished = hd_seconds_now() > began + seconds;
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
  struct hd_text sizes = {0};
  char from[4200];
  found_path(c, run, from);
  hd_check_put_text(outcome, "file", small);
  if (hd_soak_measure(from, &before, NULL) || hd_soak_measure(small, &after, NULL))
    return;
  hd_text_add(&sizes,
              "%" PRIu32 " switches to %" PRIu32 ", %" PRIu32 " nodes to %" PRIu32 ", %" PRIu64
              " cycles to %" PRIu64,
              before.switches, after.switches, before.nodes, after.nodes, before.cycles,
              after.cycles);
  hd_check_put_text(outcome, "small", hd_text_chars(&sizes));
  hd_text_fini(&sizes);
}

/* Reads a whole file; NULL: it cannot be read. The caller frees the text. */
static char *read_text(const char *path)
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
  struct patience patience = {hd_seconds_now() + seconds + TRIAL_SECONDS};
  struct hd_error err = {""};
  char small[4200];
  bool unfinished = false;
  common.stop = has_lost_patience;
  common.context = &patience;
  path_of(c, run, "small", small);
  if (step == CHECK_STEP_SMALL_SOON)
    unlink(small); /* an earlier check in this directory may have left it */
  char *before = read_text(small);
  if (!(hd_check_is_random(run->kind)
            ? shrink_drawn(c, run, seconds, &common, &unfinished, &err)
            : shrink_file(c, run, step, seconds, &common, &unfinished, &err))) {
    char *after = read_text(small);
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
    name_of(c, run, hd_check_is_random(run->kind) ? "random" : "", name);
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

static void run_equal(struct hd_check *c, const struct check_run *run,
                      struct hd_task_outcome *outcome)
{
  hd_check_prove_equal(c, run->index, false, outcome);
}

void hd_check_run_task(struct hd_check *c, const struct check_run *run,
                       struct hd_task_outcome *outcome)
{
#define RUN(KIND, name, run, ...) run,
  static void (*const runs[CHECK_KINDS])(struct hd_check *, const struct check_run *,
                                         struct hd_task_outcome *) = {CHECK_KIND_LIST(RUN)};
#undef RUN
  runs[run->kind](c, run, outcome);
}
