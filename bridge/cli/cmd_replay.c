/* heddle replay RUN: carries out a recorded run again.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../backends/backend.h"
#include "../record/rundb.h"
#include "../wrap/wrap.h"

#include <stdio.h>
#include <string.h>

static const char doc[] =
    "Repeats a recorded run with the scenario and the settings in its run.db, in a new directory, "
    "and says whether digest and divergence are the same.\v"
    "The exit code is that of the new run: 0 if a divergence is gone. Options replace settings of "
    "the first run. If a graph or trace file has changed since the first run, replay refuses, "
    "because it would run another scenario.\n"
    "\n"
    "Examples:\n"
    "  heddle replay runs/mesh-8x8-uniform-1\n"
    "  heddle replay runs/mesh-8x8-uniform-1 --rtl rtl.fixed\n"
    "  heddle replay runs/mesh-8x8-uniform-1 --mode closed";

struct replay {
  struct hd_cli_run run;
  const char *of;
  bool force;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct replay *replay = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &replay->run;
    return 0;
  case 'f':
    replay->force = true;
    return 0;
  case ARGP_KEY_ARG:
  case ARGP_KEY_NO_ARGS:
    hd_cli_single_argument(state, "run", "its directory, such as runs/NAME-1", &replay->of, arg);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Prints a warning from the database. Control characters are escaped, because anybody may have
 * written it. */
static void warn(const char *text)
{
  fputs("heddle: warning: ", stderr);
  hd_cli_print_escaped(stderr, text);
  fputc('\n', stderr);
}

static void warn_of_rtl(const char *rtl_dir, const char *dut)
{
  struct hd_text text = {0};
  hd_text_add(&text, "the run's --rtl %s is left out: --dut %s does not take it", rtl_dir, dut);
  warn(hd_text_chars(&text));
  hd_text_fini(&text);
}

int hd_cli_restore(struct hd_run_options *o, const struct hd_rundb_info *info, struct hd_error *err)
{
  if (!o->dut && hd_backend_is_shared_object(info->dut)) {
    struct hd_text word = {0};
    hd_text_add_word(&word, info->dut);
    hd_fail(err, HD_E_INPUT,
            "the DUT of %.200s is a shared object, whose code would be run here; if you trust it, "
            "say so: --dut %.500s",
            info->path, hd_text_chars(&word));
    hd_text_fini(&word);
    return HD_E_INPUT;
  }
  o->scenario_path = info->scenario_path;
  o->scenario_text = info->scenario;
  if (!o->dut)
    o->dut = info->dut;
  if (!o->rtl_dir && hd_backend_builds_rtl(o->dut))
    o->rtl_dir = info->rtl_dir;
  else if (!o->rtl_dir && info->rtl_dir)
    warn_of_rtl(info->rtl_dir, o->dut);
  if (!o->against)
    o->against = info->against;
  if (!o->has_seed)
    o->seed = info->seed;
  if (!o->has_mode)
    o->mode = info->mode;
  o->has_seed = o->has_mode = true;
  if (!o->threads)
    o->threads = info->threads;
  if (!o->window_cycles)
    o->window_cycles = info->window_cycles;
  if (!o->cycles)
    o->cycles = info->cycles_limit;
  return HD_OK;
}

static void print_divergence(const struct hd_rundb_info *info, const struct hd_run_report *report)
{
  const struct hd_divergence *a = &info->divergence, *b = &report->result.divergence;
  bool again = report->explained;
  if (!info->has_divergence && !again)
    return;
  if (!info->has_divergence)
    printf("  replay              the first run had no divergence, this one has\n");
  else if (!again)
    printf("  replay              the divergence (cycle %llu, switch %u) is gone\n",
           (unsigned long long)a->cycle, a->sw);
  else if (a->cycle == b->cycle && a->sw == b->sw && a->port == b->port && a->vc == b->vc &&
           a->difference == b->difference)
    printf("  replay              same divergence\n");
  else {
    struct hd_text place = {0};
    hd_explain_place(a, &place);
    printf("  replay              another divergence: it was in cycle %llu, switch %u%s\n",
           (unsigned long long)a->cycle, a->sw, hd_text_chars(&place));
    hd_text_fini(&place);
  }
}

static void print_rtl(const struct hd_rundb_info *info, const struct hd_run_report *report)
{
  struct hd_text changes = {0};
  hd_rundb_rtl_changes(info, hd_text_chars(&report->rtl_files), &changes);
  if (changes.length)
    printf("  replay              other RTL than in the first run: %s\n", hd_text_chars(&changes));
  hd_text_fini(&changes);
}

static void print_comparison(const struct hd_rundb_info *info, const struct hd_run_report *report)
{
  char digest[24];
  if (!report->has_result)
    return;
  print_rtl(info, report);
  print_divergence(info, report);
  snprintf(digest, sizeof digest, "0x%016llx", (unsigned long long)report->result.digest);
  if (!info->digest || !strcmp(info->status, "interrupted"))
    printf("  replay              the first run was cut off (%s): no digest to compare\n",
           info->status);
  else if (!strcmp(info->digest, digest))
    printf("  replay              same digest\n");
  else
    printf("  replay              another digest: it was %s\n", info->digest);
}

static int files_same(const struct replay *replay, const struct hd_rundb_info *info,
                      struct hd_error *err)
{
  struct hd_error inner = {0};
  int status = hd_rundb_files_same(info, &inner);
  if (!status)
    return HD_OK;
  if (!replay->force)
    return hd_fail(err, status, "%.900s; --force replays with what is there now", inner.text);
  warn(inner.text);
  return HD_OK;
}

int hd_cmd_replay(int argc, char **argv)
{
  static const struct argp_child children[] = {
      {&hd_cli_run_argp, 0, NULL, 0}, {&hd_cli_verilator_argp, 0, NULL, 0}, {0}};
  static const struct argp_option options[] = {
      {"force", 'f', NULL, 0, "replay even if a graph or trace file has changed", 0}, {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "RUN", .doc = doc, .children = children};
  struct replay replay = {0};
  struct hd_rundb_info info;
  struct hd_run_report report;
  struct hd_error err = {0};
  char rtl[PATH_MAX], original[PATH_MAX];
  argp_parse(&argp, argc, argv, 0, NULL, &replay);
  int status = hd_rundb_read(&info, replay.of, &err);
  if (!status)
    status = files_same(&replay, &info, &err);
  if (!status)
    status = hd_cli_restore(&replay.run.options, &info, &err);
  if (!status)
    status = hd_wrap_resolve(&replay.run.options.rtl_dir, replay.run.options.cache_dir, rtl, &err);
  if (!status)
    status =
        hd_wrap_resolve(&replay.run.options.against, replay.run.options.cache_dir, original, &err);
  if (status) {
    hd_rundb_info_fini(&info);
    return hd_cli_fail(status, &err);
  }
  replay.run.options.replay_of = replay.of;
  int code = hd_cli_run(&replay.run, &report);
  if (!replay.run.quiet)
    print_comparison(&info, &report);
  hd_run_report_fini(&report);
  hd_rundb_info_fini(&info);
  return code;
}
