/* make soak: N random scenarios, RTL against model.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/soak.md says what is drawn and how to read what is printed.
 */
#include "soak.h"

#include "../../bridge/host/file.h"
#include "../../bridge/run/run.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORKERS = 64, ENOUGH_FOR_COVERAGE = 500, SETS = 18, CHANNELS = 24, LARGE = 64 };

struct soak {
  struct soak_common common;
  uint64_t seed;
  uint32_t count, first_set, n_sets, channels, large, workers, every, most_failures;
  double shrink_seconds;
  const char *heddle;
  bool has_only;
  uint32_t only;

  struct hd_switch_params sets[SOAK_MAX_SETS + SOAK_LARGE_SETS];
  struct soak_coverage *coverage;
  FILE *csv;
  uint32_t next, passed, failed, quiet, refused, every_variant_runs;
  uint64_t switch_cycles, evaluated_cycles, flits, events, blocked, barriers;
  double started, shown;
};

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
  (void)number;
  stopped = 1;
}

bool soak_stopped(void)
{
  return stopped;
}

/* ── failures ──────────────────────────────────────────────────────────────── */

/* Carries the written scenario out by the library behind `heddle run`, which explains and writes
 * waves. In a process of its own, as what runs there has failed before. */
static int replay(const struct soak *s, const char *yaml, const char *out_dir)
{
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    struct hd_run_options options = {.scenario_path = yaml,
                                     .rtl_dir = s->common.rtl_dir,
                                     .cache_dir = s->common.cache_dir,
                                     .out_dir = out_dir};
    struct hd_run_report report;
    struct hd_error err = {""};
    struct hd_text text = {0};
    int status = hd_run(&options, &report, &err);
    if (report.explained)
      hd_explain_divergence(&report.explanation, &text);
    printf("%s%s\n", hd_text_chars(&text), status ? err.text : "the run passed");
    hd_text_fini(&text);
    hd_run_report_fini(&report);
    exit(-status);
  }
  int code = 0;
  while (pid > 0 && waitpid(pid, &code, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(code) ? -WEXITSTATUS(code) : HD_E_INTERNAL;
}

static void print_command(const struct soak *s, const char *yaml)
{
  printf("  %s run %s", s->heddle, yaml);
  if (s->common.rtl_dir)
    printf(" --rtl %s", s->common.rtl_dir);
  printf("\n");
}

/* What the scenarios of a seed depend on, too. */
static void print_arguments(const struct soak *s)
{
  if (s->n_sets != SETS || s->first_set || s->channels != CHANNELS || s->large != LARGE ||
      s->common.rtl_dir)
    printf(" SOAK_ARGS=\"--first-set %" PRIu32 " --sets %" PRIu32 " --channels %" PRIu32
           " --large %" PRIu32 "%s%s\"",
           s->first_set, s->n_sets, s->channels, s->large, s->common.rtl_dir ? " --rtl " : "",
           s->common.rtl_dir ? s->common.rtl_dir : "");
  printf("\n");
}

static void report_failure(struct soak *s, const struct soak_case *original, bool every_variant,
                           const struct soak_result *first)
{
  struct soak_case small = *original;
  struct soak_result result = *first;
  struct hd_error err = {""};
  char name[96], small_name[128], run[SOAK_PATH], yaml[SOAK_PATH], small_yaml[SOAK_PATH];
  snprintf(name, sizeof name, "fail-%" PRIu64 "-%" PRIu32, s->seed, original->index);
  snprintf(small_name, sizeof small_name, "%s-small", name);
  snprintf(run, sizeof run, "%s/%s-run", s->common.directory, small_name);
  printf("not ok scenario %" PRIu32 " of seed %" PRIu64 ": %s: %s\n", original->index, s->seed,
         soak_outcome_name(first->outcome), first->message);
  fflush(stdout);
  if (soak_write(original, s->common.directory, name, yaml, &err)) {
    printf("  it could not be kept: %s\n", err.text);
    return;
  }
  soak_shrink(&small, every_variant, s->shrink_seconds, &s->common, &result);
  if (soak_write(&small, s->common.directory, small_name, small_yaml, &err)) {
    printf("  the small one could not be kept: %s\n", err.text);
    return;
  }
  printf("shrunk: %" PRIu32 " switches to %" PRIu32 ", %" PRIu32 " nodes to %" PRIu32 ", %" PRIu32
         " cycles to %" PRIu32 ", %" PRIu32 " channels to %" PRIu32 ": %s: %s\n",
         original->n_switches, small.n_switches, original->n_nodes, small.n_nodes, original->cycles,
         small.cycles, original->sw.vcs, small.sw.vcs, soak_outcome_name(result.outcome),
         result.message);
  if (hd_tree_remove(run, &err))
    printf("  %s\n", err.text);
  int status = replay(s, small_yaml, run);
  if (result.status && status != result.status && result.outcome < SOAK_CRASHED)
    printf("  replayed, it came to another end (%s)\n", hd_status_text(status));
  printf("replay the small one:\n");
  print_command(s, small_yaml);
  printf("or the scenario as it was drawn:\n");
  print_command(s, yaml);
  if (every_variant) {
    printf("or all its runs:\n  make soak SEED=%" PRIu64 " ONLY_SCENARIO=%" PRIu32, s->seed,
           original->index);
    print_arguments(s);
  }
  fflush(stdout);
}

/* ── the loop ──────────────────────────────────────────────────────────────── */

static void count(struct soak *s, const struct soak_job *job, const struct soak_result *r)
{
  if (r->outcome == SOAK_REFUSED) {
    s->refused++;
    return;
  }
  soak_csv_line(s->csv, &job->c, r, job->every_variant);
  s->switch_cycles += r->switch_cycles;
  s->evaluated_cycles += r->evaluated_cycles;
  s->flits += r->flits;
  s->events += r->events;
  s->blocked += r->blocked;
  s->barriers += r->barriers;
  if (r->outcome != SOAK_AGREED) {
    s->failed++;
    report_failure(s, &job->c, job->every_variant, r);
    return;
  }
  s->every_variant_runs += job->every_variant ? r->runs : 0;
  if (r->flits_in_order < SOAK_LEAST_FLITS) {
    s->quiet++;
  } else {
    s->passed++;
    soak_coverage_add(s->coverage, &job->c, r);
  }
}

static void show(struct soak *s, bool always)
{
  double now = soak_now(), seconds = now - s->started;
  if (!always && now < s->shown + (isatty(STDERR_FILENO) ? 1 : 10))
    return;
  s->shown = now;
  uint32_t done = s->passed + s->failed;
  double rate = seconds > 0 ? done / seconds : 0;
  fprintf(stderr,
          "soak: %" PRIu32 "/%" PRIu32
          " scenarios, %.1f/s, %.2f M switch-cycles, %.2f M flits, %" PRIu32
          " failed, %.0f s left\n",
          done, s->count, rate, 1e-6 * (double)s->switch_cycles, 1e-6 * (double)s->flits, s->failed,
          rate > 0 ? (s->count - done) / rate : 0);
}

static bool draw_next(struct soak *s, struct soak_job *job)
{
  /* Quiet and refused ones do not count; a soak of nothing else has to end, too. */
  if (s->next >= 4 * s->count + 20)
    return false;
  uint32_t index = s->has_only ? s->only : s->next;
  s->next++;
  soak_draw(&job->c, s->sets, s->n_sets, s->large, s->seed, index);
  job->every_variant = s->every && index % s->every == 0;
  return true;
}

static int run_all(struct soak *s, struct hd_error *err)
{
  struct soak_job *jobs = calloc(s->workers, sizeof *jobs);
  uint32_t running = 0;
  int status = jobs ? 0 : hd_fail(err, HD_E_NOMEM, "out of memory");
  while (!status && !stopped && s->failed < s->most_failures) {
    for (uint32_t i = 0; i < s->workers && !status; i++)
      if (!jobs[i].pid && s->passed + s->failed + running < s->count && draw_next(s, &jobs[i])) {
        status = soak_job_start(&jobs[i], &s->common, err);
        running += !status;
      }
    if (!running)
      break;
    struct soak_result result;
    int ended = soak_job_wait(jobs, s->workers, 500, &result);
    if (ended >= 0) {
      running--;
      count(s, &jobs[ended], &result);
    }
    show(s, false);
  }
  if (jobs)
    soak_jobs_kill(jobs, s->workers);
  free(jobs);
  return status;
}

/* ── the end ───────────────────────────────────────────────────────────────── */

static int write_summary(const struct soak *s, double build_seconds, struct hd_error *err)
{
  char path[SOAK_PATH];
  snprintf(path, sizeof path, "%s/summary.json", s->common.directory);
  FILE *f = fopen(path, "w");
  if (!f)
    return hd_fail(err, HD_E_IO, "%s: %s", path, strerror(errno));
  fprintf(f, "{\n  \"seed\": %" PRIu64 ", \"scenarios\": %" PRIu32 ", \"passed\": %" PRIu32,
          s->seed, s->count, s->passed);
  fprintf(f, ", \"failed\": %" PRIu32 ", \"quiet\": %" PRIu32 ", \"refused\": %" PRIu32 ",\n",
          s->failed, s->quiet, s->refused);
  fprintf(f,
          "  \"switch_cycles\": %" PRIu64 ", \"evaluated_cycles\": %" PRIu64 ", \"flits\": %" PRIu64
          ", \"events\": %" PRIu64 ", \"blocked\": %" PRIu64 ", \"barriers\": %" PRIu64 ",\n",
          s->switch_cycles, s->evaluated_cycles, s->flits, s->events, s->blocked, s->barriers);
  fprintf(f, "  \"every_way_runs\": %" PRIu32 ", \"build_seconds\": %.1f, \"seconds\": %.1f,\n",
          s->every_variant_runs, build_seconds, soak_now() - s->started);
  fprintf(f, "  \"covered\": {\n");
  soak_coverage_json(s->coverage, f);
  fprintf(f, "  }\n}\n");
  int failed = ferror(f);
  return fclose(f) || failed ? hd_fail(err, HD_E_IO, "%s: %s", path, strerror(errno)) : 0;
}

/* Prints the result; true when all is well. */
static bool conclude(struct soak *s)
{
  uint32_t failed = s->failed;
  soak_coverage_print(s->coverage, stdout);
  printf("%" PRIu64 " switch-cycles (%" PRIu64 " evaluated), %" PRIu64 " flits and %" PRIu64
         " events compared, %" PRIu64 " blocked flit-cycles, %" PRIu64
         " answers to members of barriers\n",
         s->switch_cycles, s->evaluated_cycles, s->flits, s->events, s->blocked, s->barriers);
  printf("quiet scenarios beside them (fewer than %d flits): %" PRIu32
         "; refused by the deadlock rule, or as nobody can be congested: %" PRIu32 "\n",
         SOAK_LEAST_FLITS, s->quiet, s->refused);
  printf("%" PRIu32
         " runs in every window, mode, thread count and on the model gave equal digests\n",
         s->every_variant_runs);
  if (!s->has_only && !s->failed && !stopped && s->passed < s->count) {
    printf("not ok: only %" PRIu32 " of %" PRIu32 " scenarios compared anything worth it\n",
           s->passed, s->count);
    failed++;
  }
  if (!s->has_only && !s->failed && !stopped && s->count >= ENOUGH_FOR_COVERAGE)
    failed += soak_coverage_holes(s->coverage, stdout) != 0;
  if (stopped)
    printf("interrupted\n");
  printf("results: %s/results.csv, %s/summary.json\n", s->common.directory, s->common.directory);
  printf("again: make soak N=%" PRIu32 " SEED=%" PRIu64, s->count, s->seed);
  print_arguments(s);
  printf("%" PRIu32 " passed, %" PRIu32 " failed, 0 skipped\n", s->passed, failed);
  return !failed && !stopped;
}

static int soak(struct soak *s, struct hd_error *err)
{
  char path[SOAK_PATH];
  if (mkdir(s->common.directory, 0777) && errno != EEXIST)
    return hd_fail(err, HD_E_IO, "%s: %s", s->common.directory, strerror(errno));
  snprintf(path, sizeof path, "%s/results.csv", s->common.directory);
  s->csv = fopen(path, "w");
  s->coverage = soak_coverage_create();
  if (!s->csv || !s->coverage)
    return hd_fail(err, HD_E_IO, "%s: %s", path, strerror(errno));
  soak_csv_head(s->csv);
  soak_sets(s->sets, s->first_set, s->n_sets, s->seed, s->channels);
  soak_large_sets(s->sets + s->n_sets, s->seed);
  double begin = soak_now();
  struct soak_case only;
  if (s->has_only)
    soak_draw(&only, s->sets, s->n_sets, s->large, s->seed, s->only);
  int status =
      soak_build(&s->common, s->has_only ? &s->sets[only.set] : s->sets,
                 s->has_only ? 1 : s->n_sets + (s->large ? SOAK_LARGE_SETS : 0), s->workers, err);
  s->started = s->shown = soak_now();
  if (!status)
    status = run_all(s, err);
  if (!status)
    status = write_summary(s, s->started - begin, err);
  if (fclose(s->csv) && !status)
    status = hd_fail(err, HD_E_IO, "%s: %s", path, strerror(errno));
  return status;
}

/* ── command line ──────────────────────────────────────────────────────────── */

static const struct argp_option options[] = {
    {"count", 'n', "N", 0, "scenarios (1000)", 0},
    {"seed", 's', "SEED", 0, "seed (1)", 0},
    {"first-set", 'i', "I", 0, "first parameter set; those from 8 on have barrier hardware (0)", 0},
    {"sets", 'p', "N", 0, "switch parameter sets (18)", 0},
    {"channels", 'v', "N", 0, "ports times virtual channels of a switch, at most (24)", 0},
    {"large", 'l', "N", 0, "every N-th scenario is a large one; 0: none (64)", 0},
    {"jobs", 'j', "N", 0, "scenarios at a time (2)", 0},
    {"every", 'e', "N", 0, "every N-th scenario runs in every way; 0: none (10)", 0},
    {"only", 'o', "I", 0, "scenario I alone, in every way", 0},
    {"rtl", 'r', "DIR", 0, "another RTL", 0},
    {"cache", 'c', "DIR", 0, "where built switches are kept", 0},
    {"out", 'd', "DIR", 0, "where files go (build/soak)", 0},
    {"failures", 'f', "N", 0, "stop after N failures (3)", 0},
    {"shrink-seconds", 't', "S", 0, "time for shrinking a failure (240)", 0},
    {"heddle", 'x', "PATH", 0, "command to name in replays (build/opt/heddle)", 0},
    {0}};

static uint64_t number(struct argp_state *state, const char *arg, uint64_t low, uint64_t high)
{
  char *end;
  errno = 0;
  unsigned long long value = strtoull(arg, &end, 10);
  if (*arg < '0' || *arg > '9' || *end || errno || value < low || value > high)
    argp_error(state, "%s: must be a whole number from %" PRIu64 " to %" PRIu64, arg, low, high);
  return value;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct soak *s = state->input;
  switch (key) {
  case 'n':
    s->count = (uint32_t)number(state, arg, 1, 100000000);
    return 0;
  case 's':
    s->seed = number(state, arg, 0, UINT64_MAX);
    return 0;
  case 'i':
    s->first_set = (uint32_t)number(state, arg, 0, SOAK_MAX_SETS);
    return 0;
  case 'p':
    s->n_sets = (uint32_t)number(state, arg, 1, SOAK_MAX_SETS);
    return 0;
  case 'v':
    s->channels = (uint32_t)number(state, arg, 6, HD_MAX_PORTS * HD_MAX_VCS);
    return 0;
  case 'l':
    s->large = (uint32_t)number(state, arg, 0, UINT32_MAX);
    return 0;
  case 'j':
    s->workers = (uint32_t)number(state, arg, 1, MOST_WORKERS);
    return 0;
  case 'e':
    s->every = (uint32_t)number(state, arg, 0, UINT32_MAX);
    return 0;
  case 'o':
    s->has_only = true;
    s->only = (uint32_t)number(state, arg, 0, UINT32_MAX);
    return 0;
  case 'r':
    s->common.rtl_dir = arg;
    return 0;
  case 'c':
    s->common.cache_dir = arg;
    return 0;
  case 'd':
    s->common.directory = arg;
    return 0;
  case 'f':
    s->most_failures = (uint32_t)number(state, arg, 1, UINT32_MAX);
    return 0;
  case 't':
    s->shrink_seconds = (double)number(state, arg, 0, 1000000);
    return 0;
  case 'x':
    s->heddle = arg;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int main(int argc, char **argv)
{
  static const struct argp argp = {
      .options = options,
      .parser = parse,
      .doc = "Random scenarios: the RTL must agree with the model cycle for cycle."};
  struct soak s = {.common = {.directory = "build/soak"},
                   .seed = 1,
                   .count = 1000,
                   .n_sets = SETS,
                   .channels = CHANNELS,
                   .large = LARGE,
                   .workers = 2,
                   .every = 10,
                   .most_failures = 3,
                   .shrink_seconds = 240,
                   .heddle = "build/opt/heddle"};
  struct hd_error err = {""};
  struct sigaction action = {.sa_handler = on_signal};
  argp_parse(&argp, argc, argv, 0, NULL, &s);
  if (s.has_only) {
    s.count = 1;
    s.every = 1;
  }
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  printf("soak: %" PRIu32 " scenarios over %" PRIu32 " parameter sets, seed %" PRIu64 "\n", s.count,
         s.n_sets, s.seed);
  int status = soak(&s, &err);
  bool fine = false;
  if (status)
    printf("soak: %s\nnot ok soak\n", err.text);
  else
    fine = conclude(&s);
  soak_coverage_destroy(s.coverage);
  soak_backends_close();
  return fine ? 0 : 1;
}
