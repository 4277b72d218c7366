/* Explains a failure: waves, the first wrong state, and what was wrong first beside the original RTL.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Switches for explanations are built without optimisation, because each does one run, and with waves of all signals.
 * The original (--against, or Heddle's own RTL) gets the same inputs as the checked RTL.
 */
#include "check_internal.h"

#include "../backends/rtl/dut_sources.h"
#include "../host/clock.h"
#include "../host/file.h"
#include "../page/stream_page.h"
#include "../host/tool_run.h"
#include "../run/run.h"
#include "../waves/suspects.h"
#include "streams/tape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BACK = 1024 /* cycles before a divergence that the waves of both RTLs cover */ };
static const char all_signals[] = "verilator:all-signals";

double hd_check_left(const struct hd_check *c)
{
  return c->params->seconds > 0 ? c->started + c->params->seconds - hd_seconds_now() : 1e9;
}

/* Tests whether an explanation has to do without a new build. It may end HD_CHECK_GRACE_SECONDS after the check's time;
 * the last PLAIN_SECONDS of these are for an explanation on the switch that is already built. */
static bool too_late(void *check)
{
  enum { PLAIN_SECONDS = 5 };
  return hd_check_left(check) < -(double)(HD_CHECK_GRACE_SECONDS - PLAIN_SECONDS);
}

/* ── the original ──────────────────────────────────────────────────────────── */

static void put_no_cause(struct hd_task_outcome *outcome, const struct hd_error *err)
{
  hd_check_put_text(outcome, "no_cause", err->text);
}

static const char no_time[] = "there was no time to build a switch that shows its signals";

/* Finds the first warning in a log of Verilator that names a suspect or its line: "%Warning-WIDTH: ./hd_x.v:7:9: …". */
static const char *find_warning(const char *log, const struct hd_suspect *suspect, size_t *length)
{
  char place[HD_RTL_WORD + 16], name[HD_RTL_WORD + 4];
  snprintf(place, sizeof place, "%s:%u:", suspect->signal.file, suspect->signal.line);
  snprintf(name, sizeof name, "'%s'", suspect->signal.name);
  for (const char *line = log; *line; line += *length + (line[*length] == '\n')) {
    *length = strcspn(line, "\n");
    const bool of_file = memmem(line, *length, suspect->signal.file, strlen(suspect->signal.file));
    if (!strncmp(line, "%Warning", 8) && of_file &&
        (memmem(line, *length, place, strlen(place)) || memmem(line, *length, name, strlen(name))))
      return line;
  }
  return NULL;
}

/* Puts the first warning of Verilator about a suspected signal or its line. */
static void put_warning(const struct hd_check *c, const struct hd_switch_params *params,
                        const struct hd_suspects *cause, const char *out,
                        struct hd_task_outcome *outcome)
{
  char directory[4096], log[4200], *text = NULL;
  size_t length;
  int code;
  if (!realpath(out, directory))
    return;
  snprintf(log, sizeof log, "%s/lint.log", directory);
  unlink(log);
  if (hd_check_lint(c, CHECK_VERILATOR, params, true, log, &code, NULL) ||
      hd_file_read(log, &text, &length, NULL))
    return;
  for (uint32_t i = 0; i < cause->n; i++) {
    const char *line = find_warning(text, &cause->suspects[i], &length);
    char *found = line ? strndup(line, length) : NULL;
    if (found)
      hd_check_put_text(outcome, "warning", found);
    free(found);
    if (line)
      break;
  }
  free(text);
  unlink(log);
}

/* Sorts the suspects again, so that signals which a proof left open come first. */
static void mark_unproved(const struct hd_check *c, struct hd_suspects *cause)
{
  for (uint32_t i = 0; i < cause->n; i++)
    cause->suspects[i].unproved =
        hd_check_equal_is_open(c, cause->suspects[i].signal.module, cause->suspects[i].signal.name);
  hd_suspects_sort(cause);
}

static void put_text(struct hd_task_outcome *outcome, const char *key, struct hd_text *text)
{
  hd_check_put_text(outcome, key, hd_text_chars(text));
  hd_text_fini(text);
}

/* Puts three values: "cause", the first suspect as a sentence; "causes", all suspects with their lines of the RTL;
 * "suspects", their names MODULE.NAME, separated by blanks. */
static void put_cause(const struct hd_suspects *cause, const struct hd_suspect_sources *sources,
                      struct hd_task_outcome *outcome)
{
  struct hd_text first = {0}, all = {0}, names = {0};
  char line[160];
  hd_suspect_text(&cause->suspects[0], true, &first);
  for (uint32_t i = 0; i < cause->n; i++) {
    const struct hd_suspect *s = &cause->suspects[i];
    hd_rtl_line(sources->rtl, &s->signal, line, sizeof line);
    hd_text_add(&all, "%s", i ? "\n" : "");
    hd_suspect_text(s, false, &all);
    hd_text_add(&all, "\n  %s:%u  %s", s->signal.file, s->signal.line, line);
    hd_text_add(&names, "%s%s.%s", i ? " " : "", s->signal.module, s->signal.name);
  }
  put_text(outcome, "cause", &first);
  put_text(outcome, "causes", &all);
  put_text(outcome, "suspects", &names);
}

/* Compares two files of waves and puts what was wrong first, then removes the files. The ports differ in cycle `shown`. */
static int find_cause(const struct hd_check *c, const struct hd_switch_params *params,
                      const char *const paths[2], bool merged, uint64_t first, uint64_t shown,
                      const char *out, struct hd_task_outcome *outcome, struct hd_error *err)
{
  static const struct hd_wave_map inside = {"rtl.internal", "rtl.internal"};
  struct hd_suspect_sources sources;
  struct hd_suspects cause;
  struct hd_wave_diff diff = {0};
  int status = hd_suspect_sources_read(&sources, c->rtl_dir, c->original_dir, err);
  if (!status)
    status = hd_wave_diff(&diff, paths[0], paths[1], &inside, merged, err);
  if (!status)
    status = hd_suspects_find(&cause, &sources, &diff, merged ? 1000 : 2, first, err);
  if (!status) {
    mark_unproved(c, &cause);
    put_cause(&cause, &sources, outcome);
    hd_check_put_lead(outcome, "cause_lead", cause.suspects[0].cycle, shown);
    put_warning(c, params, &cause, out, outcome);
  }
  hd_wave_diff_fini(&diff);
  hd_suspect_sources_free(&sources);
  for (unsigned k = 0; k < 2; k++)
    unlink(paths[k]);
  return status;
}

/* Start values of registers, tried in this order. Random values ("") differ between the two RTLs and hide where data was
 * wrong first, but a register that reset forgets may show only with them. */
static const char *const start_values[] = {"zeros", ""};
enum { START_VALUES = sizeof start_values / sizeof *start_values };

/* ── streams ───────────────────────────────────────────────────────────────── */

/* Ways to play a stream for an explanation. Icarus needs no compiler and plays a small stream within a second; registers
 * start with X in both RTLs. PLAIN is the switch that the run was played on: it is built, but shows only its ports. */
enum simulator { ICARUS, VERILATOR, PLAIN };

bool hd_check_is_quick(const struct hd_check *c, const struct hd_tape *tape)
{
  enum { MOST_INPUTS = 400, MOST_CYCLES = 400 };
  const struct hd_tape_size size = hd_tape_size(tape);
  return c->has_tool[CHECK_ICARUS] && size.inputs <= MOST_INPUTS && size.cycles <= MOST_CYCLES;
}

static int open_traced(const struct hd_check *c, enum simulator simulator, const char *rtl_dir,
                       const struct hd_switch_params *params, struct hd_backend *backend,
                       struct hd_error *err)
{
  const struct hd_backend_options options = {.rtl_dir = rtl_dir,
                                             .cache_dir = c->params->cache_dir,
                                             .unoptimised = simulator != PLAIN,
                                             .quick = simulator == PLAIN,
                                             .stop = simulator == PLAIN ? NULL : too_late,
                                             .context = (void *)(uintptr_t)c};
  const char *const names[] = {"icarus", all_signals, "verilator"};
  return hd_backend_open(backend, names[simulator], params, &options, err);
}

int hd_check_open(const struct hd_check *c, bool quick, const struct hd_switch_params *params,
                  struct hd_backend *backend, struct hd_error *err)
{
  return open_traced(c, quick ? ICARUS : VERILATOR, c->params->rtl_dir, params, backend, err);
}

/* Opens the checked RTL, and for a router without a model also the original, which takes the model's place. */
static int open_sides(const struct hd_check *c, enum simulator simulator,
                      const struct hd_switch_params *params, struct hd_backend *backend,
                      struct hd_backend *original, struct hd_error *err)
{
  int status = open_traced(c, simulator, c->rtl_dir, params, backend, err);
  if (status || !c->params->foreign)
    return status;
  status = open_traced(c, simulator, c->original_dir, params, original, err);
  if (status)
    hd_backend_close(backend);
  return status;
}

static int find_tape_cause(const struct hd_check *c, enum simulator simulator, struct hd_tape *tape,
                           const struct hd_tape_dut *dut, uint64_t shown, const char *out,
                           struct hd_task_outcome *outcome, struct hd_error *err)
{
  char rtl_path[4400], original_path[4400];
  struct hd_backend backend = {0};
  uint64_t first = 0;
  if (c->is_original && !c->params->foreign)
    return HD_OK;
  snprintf(rtl_path, sizeof rtl_path, "%s/rtl.fst", out);
  snprintf(original_path, sizeof original_path, "%s/original.fst", out);
  const char *const paths[2] = {rtl_path, original_path};
  int status = open_traced(c, simulator, c->original_dir, hd_tape_params(tape), &backend, err);
  if (status)
    return status;
  struct hd_tape_dut duts[2] = {*dut, {backend.ops, backend.options}};
  status = HD_E_NOTHING;
  for (unsigned k = 0; k < START_VALUES && status == HD_E_NOTHING; k++) {
    if (simulator == VERILATOR)
      duts[0].options = duts[1].options = start_values[k];
    if (c->params->foreign)
      hd_tape_set_reference(tape, &duts[1]);
    status = hd_tape_trace(tape, duts, paths, &first, err);
    if (!status)
      status = find_cause(c, hd_tape_params(tape), paths, false, first, shown, out, outcome, err);
  }
  hd_tape_set_reference(tape, NULL);
  hd_backend_close(&backend);
  return status;
}

/* Adds a value of the waves around the difference to the page. */
static int add_signal(void *page, const struct hd_waves_value *v)
{
  const struct hd_rundb_signal signal = {v->signal, v->cycle, v->model, v->dut, v->differs};
  hd_stream_page_signal(page, &signal);
  return HD_OK;
}

/* Writes the page and the explanation as text. */
static int write_page(const struct hd_check *c, const struct check_run *run,
                      struct hd_stream_page *page, const struct hd_explanation *e,
                      const char *title, const char *file, const char *out,
                      struct hd_task_outcome *outcome, struct hd_error *err)
{
  const struct hd_explain_inside *in = &e->inside;
  struct hd_text text = {0}, commands = {0};
  char path[4400], *stream = NULL;
  size_t length;
  hd_explain_divergence(e, &text);
  hd_check_stream_command(c, run, file, &commands);
  hd_text_add_option(&commands, "\nheddle wave ", out);
  snprintf(path, sizeof path, "%s/explanation.txt", out);
  int status = hd_file_write(path, hd_text_chars(&text), text.length, err);
  if (!status)
    status = hd_file_read(file, &stream, &length, err);
  const struct hd_stream_page_text shown = {
      .title = title,
      .sentence = hd_task_outcome_text(outcome, "sentence"),
      .explanation = hd_text_chars(&text),
      .cause = hd_task_outcome_text(outcome, "cause"),
      .causes = hd_task_outcome_text(outcome, "causes"),
      .no_cause = hd_task_outcome_text(outcome, "no_cause"),
      .first_state = in->known ? in->states[in->first].name : NULL,
      .first_state_cycle = in->cycle,
      .commands = hd_text_chars(&commands),
      .stream = stream,
      .cycle = e->divergence.cycle,
      .port = e->divergence.port,
  };
  snprintf(path, sizeof path, "%s/report.html", out);
  if (!status)
    status = hd_stream_page_write(page, &shown, path, err);
  free(stream);
  hd_text_fini(&text);
  hd_text_fini(&commands);
  return status;
}

/* Shows the tape's difference in one simulator. False: nothing differs there, or the simulator cannot show it. */
static bool show_tape(const struct hd_check *c, const struct check_run *run,
                      enum simulator simulator, struct hd_tape *tape, const char *title,
                      const char *file, const char *out, struct hd_task_outcome *outcome)
{
  struct hd_backend backend = {0}, original = {0};
  struct hd_error err = {""};
  struct hd_explanation *explanation = calloc(1, sizeof *explanation);
  struct hd_stream_page *page = hd_stream_page_create();
  struct hd_waves_watcher watcher = {.context = page, .value = add_signal};
  bool shown = false;
  if (explanation && page &&
      !open_sides(c, simulator, hd_tape_params(tape), &backend, &original, &err)) {
    const struct hd_tape_dut dut = {backend.ops, backend.options},
                             beside = {original.ops, original.options};
    hd_tape_set_reference(tape, original.ops ? &beside : NULL);
    shown = !hd_tape_show(tape, &dut, title, out, &watcher, explanation, &err);
    if (shown) {
      hd_check_put_text(outcome, "waves", out);
      hd_check_put_inside(outcome, explanation);
      if (simulator == PLAIN)
        hd_check_put_text(outcome, "no_cause", no_time);
      else if (find_tape_cause(c, simulator, tape, &dut, explanation->divergence.cycle, out,
                               outcome, &err))
        put_no_cause(outcome, &err);
      if (!write_page(c, run, page, explanation, title, file, out, outcome, &err))
        hd_check_put_text(outcome, "run", out);
    }
    hd_tape_set_reference(tape, NULL);
    hd_backend_close(&backend);
    hd_backend_close(&original);
  }
  if (explanation)
    hd_explanation_fini(explanation);
  free(explanation);
  hd_stream_page_destroy(page);
  return shown;
}

void hd_check_explain_tape(const struct hd_check *c, const struct check_run *run,
                           struct hd_tape *tape, const char *title, const char *file,
                           const char *out, struct hd_task_outcome *outcome)
{
  struct hd_error err = {""};
  hd_tree_remove(out, &err);
  if (mkdir(out, 0777))
    return;
  enum simulator simulator = hd_check_is_quick(c, tape) ? ICARUS : VERILATOR;
  while (!show_tape(c, run, simulator, tape, title, file, out, outcome) && simulator != PLAIN)
    simulator++;
}

/* ── scenarios ─────────────────────────────────────────────────────────────── */

/* Records waves of the differing switch in one RTL. */
static int run_window(const struct hd_check *c, const char *yaml, const char *rtl_dir,
                      const char *start, const struct hd_run_window *window, struct hd_error *err)
{
  char dut[64];
  snprintf(dut, sizeof dut, "%s%s%s", all_signals, *start ? "," : "", start);
  const struct hd_run_options options = {.scenario_path = yaml,
                                         .dut = dut,
                                         .rtl_dir = rtl_dir,
                                         .cache_dir = c->params->cache_dir,
                                         .unoptimised = true,
                                         .window = window,
                                         .results_only = true,
                                         .stop = too_late,
                                         .context = (void *)(uintptr_t)c};
  struct hd_run_report report;
  int status = hd_run(&options, &report, err);
  if (report.has_waves || status == HD_E_BUDGET || status == HD_E_DIVERGENCE)
    status = report.has_waves ? HD_OK : HD_E_UNSUPPORTED;
  hd_run_report_fini(&report);
  return status;
}

static int compare_windows(const struct hd_check *c, const char *yaml,
                           const struct hd_switch_params *params, const struct hd_divergence *d,
                           const char *start, const char *out, struct hd_task_outcome *outcome,
                           struct hd_error *err)
{
  const uint64_t first = d->cycle > BACK ? d->cycle - BACK : 0;
  char directories[2][4400], paths[2][4420];
  int status = HD_OK;
  for (unsigned k = 0; !status && k < 2; k++) {
    snprintf(directories[k], sizeof directories[k], "%s/%s", out, k ? "original" : "rtl");
    snprintf(paths[k], sizeof paths[k], "%s/%s/waves.fst", out, k ? "original" : "rtl");
    const struct hd_run_window window = {d->sw, first, d->cycle, d->cycle, directories[k]};
    status = run_window(c, yaml, k ? c->original_dir : c->rtl_dir, start, &window, err);
  }
  const char *const both[2] = {paths[0], paths[1]};
  if (!status)
    status = find_cause(c, params, both, true, first, d->cycle, out, outcome, err);
  for (unsigned k = 0; k < 2; k++)
    hd_tree_remove(directories[k], NULL);
  return status;
}

static int find_run_cause(const struct hd_check *c, const char *yaml,
                          const struct hd_switch_params *params, const struct hd_divergence *d,
                          const char *out, struct hd_task_outcome *outcome, struct hd_error *err)
{
  if (c->is_original)
    return HD_OK;
  int status = HD_E_NOTHING;
  for (unsigned k = 0; k < START_VALUES && status == HD_E_NOTHING; k++)
    status = compare_windows(c, yaml, params, d, start_values[k], out, outcome, err);
  return status;
}

/* Do the waves of such runs show all signals anyway? Icarus and GHDL always record all of them. */
static bool shows_all(const struct hd_check *c, enum check_kind kind)
{
  return c->in_vhdl || kind == CHECK_FOUR_STATE || kind == CHECK_UNKNOWN;
}

static bool evaluates_all(enum check_kind kind)
{
  return kind == CHECK_EVERY_CYCLE || kind == CHECK_MIX_EVERY_CYCLE;
}

/* Runs the scenario with waves of all signals; or, where `plain`, on the switch that is already built. */
static int explained_run(const struct hd_check *c, enum check_kind kind, bool plain,
                         const char *yaml, const char *out, struct hd_run_report *report,
                         struct hd_error *err)
{
  const bool traced = !shows_all(c, kind);
  const struct hd_run_options options = {.scenario_path = yaml,
                                         .dut = plain || !traced ? hd_check_dut(c, kind)
                                                : evaluates_all(kind)
                                                    ? "verilator:every-cycle,all-signals"
                                                    : all_signals,
                                         .rtl_dir = c->params->rtl_dir,
                                         .against = hd_check_against(c, kind),
                                         .cache_dir = c->params->cache_dir,
                                         .unoptimised = !plain,
                                         .quick = plain,
                                         .out_dir = out,
                                         .stop = plain ? NULL : too_late,
                                         .context = (void *)(uintptr_t)c};
  hd_tree_remove(out, NULL);
  return hd_run(&options, report, err);
}

/* Runs the scenario with every cycle evaluated, as a switch with waves is. If it passes then, quiescent_o is wrong. */
static void blame_quiescence(const struct hd_check *c, const char *yaml,
                             struct hd_task_outcome *outcome)
{
  struct hd_run_report report;
  struct hd_error err = {""};
  const int status = hd_check_run_scenario(c, yaml, CHECK_MIX_EVERY_CYCLE, NULL, &report, &err);
  if (status == HD_OK || status == HD_E_BUDGET)
    hd_check_put_text(outcome, "reason",
                      "with each cycle evaluated it keeps the rules: quiescent_o is 1 while "
                      "something can change (specification 2.10)");
  hd_run_report_fini(&report);
}

void hd_check_explain_run(const struct hd_check *c, enum check_kind kind, const char *yaml,
                          const char *out, struct hd_task_outcome *outcome)
{
  struct hd_run_report report;
  struct hd_error err = {""};
  bool traced = !shows_all(c, kind);
  int status = explained_run(c, kind, false, yaml, out, &report, &err);
  if (!report.explained && too_late((void *)(uintptr_t)c)) {
    hd_run_report_fini(&report);
    status = explained_run(c, kind, true, yaml, out, &report, &err);
    hd_check_put_text(outcome, "no_cause", no_time);
    traced = false;
  }
  if (!report.explained && c->params->foreign && !shows_all(c, kind)) {
    hd_run_report_fini(&report);
    status = explained_run(c, kind, true, yaml, out, &report, &err);
    traced = false;
    blame_quiescence(c, yaml, outcome);
  }
  if (report.directory)
    hd_check_put_text(outcome, "run", out);
  if (report.has_waves)
    hd_check_put_text(outcome, "waves", out);
  if (report.explained) {
    hd_check_put_inside(outcome, &report.explanation);
    hd_check_put_text(outcome, "sentence", err.text);
  }
  if (report.explanation.cause[0])
    hd_check_put_text(outcome, "cause", report.explanation.cause);
  if (status == HD_E_DIVERGENCE && report.explained && traced &&
      find_run_cause(c, yaml, &report.explanation.sw, &report.result.divergence, out, outcome,
                     &err))
    put_no_cause(outcome, &err);
  hd_run_report_fini(&report);
}
