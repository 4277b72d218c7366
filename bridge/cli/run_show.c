/* Carries out runs for a command: options, progress, signals, and output at the end.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"
#include "guard.h"

#include "../backends/backends.h"
#include "../host/clock.h"
#include "../report/report.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { KEY_DUT = 1000, KEY_SET, KEY_SEED, KEY_THREADS, KEY_WINDOW, KEY_MODE, KEY_CYCLES };

static const struct argp_option options[] = {
    {"dut", KEY_DUT, "NAME[:OPTIONS]", 0, "choose the device under test (DUT)",
     0}, /* filter_help adds the values */
    {"program", HD_CLI_TEXT(struct hd_cli_run, options.program), "FILE.so", 0,
     "load the endpoint software from FILE.so, if software.program is a shared object", 0},
    {"set", KEY_SET, "KEY=VALUE", 0,
     "set a key of the scenario, such as software.parameters.load=0.2; may be repeated", 0},
    {"seed", KEY_SEED, "N", 0, "set the seed of all random numbers", 0},
    {"threads", KEY_THREADS, "N", 0, "evaluate the DUT with N threads, 1 to 64", 0},
    {"window", KEY_WINDOW, "CYCLES", 0, "let the model run CYCLES cycles ahead, 1 to 4096", 0},
    {"mode", KEY_MODE, "MODE", 0,
     "choose what the inputs of the DUT's switches get: decoupled (what the model computed) or "
     "closed (what other switches of the DUT send)",
     0},
    {"cycles", KEY_CYCLES, "N", 0, "end after N cycles at the latest", 0},
    {"rtl", HD_CLI_TEXT(struct hd_cli_run, options.rtl_dir), "DIR", 0,
     "use the switch in DIR instead of Heddle's own rtl/: Verilog, or VHDL for --dut ghdl. DIR may "
     "also be the description of a router (heddle wrap)",
     0},
    {"against", HD_CLI_TEXT(struct hd_cli_run, options.against), "DIR", 0,
     "run the RTL in DIR in closed loop instead of the model, and compare the DUT with it in every "
     "cycle",
     0},
    {"cache", HD_CLI_TEXT(struct hd_cli_run, options.cache_dir), "DIR", 0,
     "keep built backends in DIR (build/dut; installed: ~/.cache/heddle)", 0},
    {"out", HD_CLI_TEXT(struct hd_cli_run, options.out_dir), "DIR", 0,
     "write the run into DIR (runs/NAME-N with the next free N)", 0},
    {"csv", HD_CLI_FLAG(struct hd_cli_run, options.packets_csv), NULL, 0,
     "write packets.csv and pairs.csv, too", 0},
    {"coverage", HD_CLI_FLAG(struct hd_cli_run, options.coverage), NULL, 0,
     "count which lines of the RTL are executed and which bits change; heddle coverage shows them",
     0},
    {"no-html", HD_CLI_FLAG(struct hd_cli_run, options.no_page), NULL, 0,
     "do not write report.html", 0},
    {"plot", HD_CLI_FLAG(struct hd_cli_run, plot), NULL, 0, "draw latency.svg, too (needs gnuplot)",
     0},
    {"progress", HD_CLI_FLAG(struct hd_cli_run, show_progress), NULL, 0,
     "show progress even if stderr is not a terminal", 0},
    {"quiet", 'q', NULL, 0, "print errors only", 0},
    {0},
};

static const struct hd_cli_store stores[] = {
    HD_CLI_LETTER('q', HD_CLI_FLAG(struct hd_cli_run, quiet)),
    HD_CLI_LETTER(KEY_DUT, HD_CLI_TEXT(struct hd_cli_run, options.dut)),
    HD_CLI_NUMBER(KEY_THREADS, struct hd_cli_run, options.threads, "--threads", 1, 64),
    HD_CLI_NUMBER(KEY_WINDOW, struct hd_cli_run, options.window_cycles, "--window", 1, 4096),
    HD_CLI_NUMBER(KEY_CYCLES, struct hd_cli_run, options.cycles, "--cycles", 1, INT64_MAX),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct hd_cli_run *run = state->input;
  struct hd_run_options *o = run ? &run->options : NULL;
  switch (key) {
  case KEY_SET:
    hd_cli_setting(state, arg, run->settings, &o->n_settings);
    o->settings = run->settings;
    break;
  case KEY_SEED:
    o->seed = hd_cli_number(state, "--seed", arg, 0, UINT64_MAX);
    o->has_seed = true;
    break;
  case KEY_MODE:
    if (strcmp(arg, "decoupled") && strcmp(arg, "closed"))
      argp_error(state, "--mode %s: must be decoupled or closed", arg);
    o->mode = strcmp(arg, "closed") ? HD_MODE_DECOUPLED : HD_MODE_CLOSED;
    o->has_mode = true;
    break;
  default:
    return hd_cli_store(stores, run, key, arg, state);
  }
  return 0;
}

/* Adds the names of DUTs to the help of --dut. argp frees the result if it is not `text`. */
static char *filter_help(int key, const char *text, void *input)
{
  (void)input;
  if (key != KEY_DUT)
    return (char *)(uintptr_t)text;
  struct hd_text help = {0};
  hd_text_add(&help, "%s: ", text);
  for (const struct hd_backend_kind *const *k = hd_backend_kinds; *k; k++)
    hd_text_add(&help, "%s%s%s, ", (*k)->name, (*k)->argument ? ":" : "",
                (*k)->argument ? (*k)->argument : "");
  hd_text_add(&help, "a shared object, or none; `heddle backends` explains each");
  return help.chars;
}

const struct argp hd_cli_run_argp = {
    .options = options, .parser = parse, .help_filter = filter_help};

/* ── signals ───────────────────────────────────────────────────────────────── */

static volatile sig_atomic_t stop_asked;
static double asked; /* seconds at the first signal */

/* A second signal ends the process at once. But `timeout` sends one to Heddle and one to its
 * process group immediately afterwards; these two count as one. */
static void on_signal(int number)
{
  const int error = errno;
  const double now = hd_seconds_now();
  if (!stop_asked)
    asked = now;
  stop_asked = 1;
  if (now - asked >= 1e-3 * HD_CLI_SAME_SIGNAL_MS &&
      !hd_cli_is_guarded()) { /* a watching process ends this one itself */
    signal(number, SIG_DFL);
    raise(number); /* ends the process when this handler returns */
  }
  errno = error;
}

bool hd_cli_stopped(void)
{
  return stop_asked || hd_cli_is_told_to_stop();
}

static bool stop(void *context)
{
  (void)context;
  return hd_cli_stopped();
}

/* ── progress ──────────────────────────────────────────────────────────────── */

struct display {
  bool terminal, shown, quiet, often;
  double built_seconds; /* seconds shown in the last message about a build */
};

/* Shows how long a build has taken. The line that announced it names the thing before its colon. */
void hd_cli_show_building(const char *what, double seconds, bool often, double *told)
{
  enum { SELDOM_SECONDS = 10 };
  bool terminal = isatty(STDERR_FILENO);
  *told = seconds < *told ? 0 : *told; /* another build has begun */
  if (!terminal && !often && seconds - *told < SELDOM_SECONDS)
    return;
  *told = seconds;
  fputs(terminal ? "\r\033[K" : "", stderr);
  fprintf(stderr, "%.*s, %.0f s%s", (int)strcspn(what, ":"), what, seconds, terminal ? "" : "\n");
  fflush(stderr);
}

static void building(void *context, const char *what, double seconds)
{
  struct display *display = context;
  hd_cli_show_building(what, seconds, display->often, &display->built_seconds);
  display->shown = true;
}

static void say(void *context, const char *line)
{
  struct display *display = context;
  fputs(display->shown && display->terminal ? "\r\033[K" : "", stderr);
  hd_cli_print_escaped(stderr, line);
  fputc('\n', stderr);
  display->shown = false;
}

static void show_left(double seconds)
{
  unsigned long s = (unsigned long)(seconds + 0.5);
  if (seconds < 0)
    return;
  if (s >= 3600)
    fprintf(stderr, ", %lu:%02lu:%02lu left", s / 3600, s / 60 % 60, s % 60);
  else
    fprintf(stderr, ", %lu:%02lu left", s / 60, s % 60);
}

static void progress(void *context, const struct hd_run_progress *p)
{
  struct display *display = context;
  if (p->call) {
    fprintf(stderr, "%s%s for %.0f s%s", display->terminal ? "\r\033[K" : "", p->call,
            p->call_seconds, display->terminal ? "" : "\n");
    fflush(stderr);
    display->shown = true;
    return;
  }
  fprintf(stderr, "%scycle %llu of %llu, %.3g switch-cycles/s", display->terminal ? "\r\033[K" : "",
          (unsigned long long)p->cycle, (unsigned long long)p->cycles, p->switch_cycles_per_second);
  show_left(p->seconds_left);
  if (!display->terminal)
    fprintf(stderr, "\n");
  fflush(stderr);
  display->shown = true;
}

/* ── the run ───────────────────────────────────────────────────────────────── */

static int plot(const struct hd_cli_run *run, const struct hd_run_report *report)
{
  struct hd_error err = {0};
  if (!report->latency.n)
    return HD_EXIT_OK;
  int status = hd_report_plot(report->directory, &err);
  if (status == HD_E_TOOL)
    fprintf(stderr, "SKIP latency.svg: %s\n", err.text);
  else if (status)
    return hd_cli_fail(status, &err);
  else if (!run->quiet)
    printf("  %-20s%s/latency.svg\n", "plot", report->directory);
  return HD_EXIT_OK;
}

static void print_report(const struct hd_run_report *report)
{
  struct hd_text text = {0};
  if (report->explained) {
    hd_explain_divergence(&report->explanation, &text);
    hd_text_add(&text, "\n");
  }
  hd_text_add(&text, "%s", hd_text_chars(&report->wait));
  hd_report_table(report, &text);
  hd_cli_print_escaped(stdout, hd_text_chars(&text));
  hd_text_fini(&text);
}

/* Ends the process while the DUT or software is still in its call, so nothing may be freed or
 * unloaded. */
static void give_up(void *context, const struct hd_run_report *report, const struct hd_error *err)
{
  const struct display *display = context;
  if (display->shown && display->terminal)
    fprintf(stderr, "\r\033[K");
  if (!display->quiet && report->has_result)
    print_report(report);
  _exit(hd_cli_end(hd_cli_close_output(hd_cli_fail(report->status, err))));
}

/* Handles SIGHUP like SIGINT and SIGTERM, so that a closed terminal leaves no running tools and no
 * unfinished database; nohup still works. */
void hd_cli_catch_signals(void)
{
  struct sigaction action = {.sa_handler = on_signal}, before;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, NULL);
}

static void prepare(struct hd_cli_run *run, struct display *display)
{
  *display = (struct display){
      .terminal = isatty(STDERR_FILENO), .quiet = run->quiet, .often = run->show_progress};
  hd_cli_catch_signals();
  bool show = !run->quiet && (display->terminal || run->show_progress);
  run->options.context = display;
  run->options.stop = stop;
  if (!run->options.say)
    run->options.say = run->quiet ? NULL : say;
  run->options.progress = show ? progress : NULL;
  run->options.building = run->quiet ? NULL : building;
  run->options.abandon = give_up;
}

int hd_cli_run(struct hd_cli_run *run, struct hd_run_report *report)
{
  struct display display;
  struct hd_error err = {0};
  prepare(run, &display);
  int status = hd_run(&run->options, report, &err);
  if (display.shown && display.terminal)
    fprintf(stderr, "\r\033[K");
  if (!run->quiet)
    print_report(report);
  int code = status ? hd_cli_fail(status, &err) : HD_EXIT_OK;
  int plotted = run->plot && report->has_result ? plot(run, report) : HD_EXIT_OK;
  return code ? code : plotted;
}

/* ── several seeds ─────────────────────────────────────────────────────────── */

static void print_seed(const struct hd_batch_run *turn)
{
  const struct hd_run_report *r = turn->report;
  struct hd_text text = {0};
  hd_text_add(&text, "  seed %-6llu %s", (unsigned long long)r->seed, hd_run_verdict(r));
  if (r->has_result)
    hd_text_add(&text, " after %s, %s received",
                hd_count(r->compared ? r->result.cycles_compared : r->result.cycles, "cycle").text,
                hd_count(r->counters.packets_received, "packet").text);
  if (r->latency.n)
    hd_text_add(&text, ", mean latency %.2f cycles%s", hd_latency_mean(&r->latency),
                r->verdict.state == HD_LOAD_SATURATED ? ", saturated" : "");
  if (r->has_result)
    hd_text_add(&text, ", digest %016llx", (unsigned long long)r->result.digest);
  if (!r->has_result && turn->status)
    hd_text_add(&text, ": %s", turn->err.text);
  hd_text_add(&text, "%s%s\n", r->directory ? ": " : "", r->directory ? r->directory : "");
  hd_cli_print_escaped(stdout, hd_text_chars(&text));
  hd_text_fini(&text);
}

static void print_seeds(const struct hd_batch_run *turns, uint32_t n, double seconds)
{
  uint32_t passed = 0;
  uint64_t switch_cycles = 0;
  /* Name of the scenario, from a run that has read it */
  const char *name = NULL;
  bool compared = false;
  for (uint32_t i = 0; i < n; i++) {
    const struct hd_run_report *r = turns[i].report;
    name = name ? name : r->name;
    passed += !turns[i].status;
    compared |= r->compared || !r->has_result;
    switch_cycles += r->compared ? r->result.switch_cycles : r->result.cycles * r->n_switches;
  }
  printf("%s: %u of %s %s\n", name ? name : "no run", passed, hd_count(n, "seed").text,
         compared ? "passed" : "carried out");
  for (uint32_t i = 0; i < n; i++)
    print_seed(&turns[i]);
  printf("  %.3g switch-cycles in all; %.2f s with building and reports\n", (double)switch_cycles,
         seconds);
}

/* Returns the worst run: RTL that differs goes before all other failures. */
static const struct hd_batch_run *worst(const struct hd_batch_run *turns, uint32_t n)
{
  const struct hd_batch_run *worst = NULL;
  for (uint32_t i = 0; i < n; i++)
    if (turns[i].status &&
        (!worst || (turns[i].status == HD_E_DIVERGENCE && worst->status != HD_E_DIVERGENCE)))
      worst = &turns[i];
  return worst;
}

int hd_cli_run_seeds(struct hd_cli_run *run)
{
  struct hd_run_options each[HD_RUN_TOGETHER];
  struct hd_run_report reports[HD_RUN_TOGETHER];
  struct hd_batch_run turns[HD_RUN_TOGETHER];
  struct display display;
  prepare(run, &display);
  run->options.out_by_seed = true;
  for (uint32_t i = 0; i < run->seeds; i++) {
    each[i] = run->options;
    each[i].seed_add = i;
    turns[i] = (struct hd_batch_run){.options = &each[i], .report = &reports[i]};
    run->options.progress = NULL; /* all runs are about as far as the first */
  }
  const double began = hd_seconds_now();
  hd_run_batch(turns, run->seeds);
  const double seconds = hd_seconds_now() - began;
  if (display.shown && display.terminal)
    fprintf(stderr, "\r\033[K");
  const struct hd_batch_run *failed = worst(turns, run->seeds);
  if (!run->quiet && failed && failed->report->has_result) {
    print_report(failed->report);
    printf("\n");
  }
  bool some = false; /* a run has begun */
  for (uint32_t i = 0; i < run->seeds; i++)
    some |= reports[i].has_result;
  if (!run->quiet && some)
    print_seeds(turns, run->seeds, seconds);
  int code = failed ? hd_cli_fail(failed->status, &failed->err) : HD_EXIT_OK;
  for (uint32_t i = 0; i < run->seeds; i++) {
    int plotted = run->plot && reports[i].has_result ? plot(run, &reports[i]) : HD_EXIT_OK;
    code = code ? code : plotted;
    hd_run_report_fini(&reports[i]);
  }
  return code;
}
