/* make soak: N random scenarios, RTL against model.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/soak.md says what is drawn and how to read what is printed.
 */
#include "../../bridge/check/soak/soak.h"

#include "../../bridge/host/file.h"
#include "../../bridge/host/memory.h"
#include "../../bridge/render/render.h"
#include "../../bridge/run/run.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Limits of drawing for one value that is asked for. */
enum { MOST_DRAWS = 20000, MOST_TRIALS = 60 };
enum { MOST_WORKERS = 64, ENOUGH_FOR_COVERAGE = 300, SETS = 18, CHANNELS = 24, LARGE = 64 };

/* A scenario that failed. */
struct failure {
  struct soak_case c;
  struct soak_result result;
  bool every_variant;
  struct failure *next;
};

struct soak {
  struct soak_common common;
  struct soak_plan plan;
  uint32_t first_set, channels, workers;
  uint32_t pairs; /* scenarios of each pair; 0: they are drawn otherwise */
  bool go_on;     /* with what an interrupted soak has left in the directory */
  double shrink_seconds;
  const char *heddle;

  struct soak_coverage *coverage;
  struct hd_coverage_set points;
  FILE *csv;
  struct failure *failures, **last; /* owned */
  uint32_t passed, failed, quiet, refused, every_variant_runs;
  uint32_t beyond; /* scenarios after the N, for what they left out */
  uint64_t switch_cycles, evaluated_cycles, flits, events, blocked, barriers;
  uint64_t ruled_messages, ruled_rounds, port_flits, port_credits, port_heads;
};

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
  (void)number;
  stopped = 1;
}

static bool was_stopped(void *context)
{
  (void)context;
  return stopped;
}

static void say(void *context, const char *line)
{
  (void)context;
  fprintf(stderr, "soak: %s\n", line);
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
                                     .dut = s->common.dut,
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
  if (s->common.dut)
    printf(" --dut %s", s->common.dut);
  printf("\n");
}

/* Prints the arguments that the scenarios of a seed depend on, and how to go on. */
static void print_arguments(const struct soak *s, bool go_on)
{
  const struct soak_plan *p = &s->plan;
  bool own = p->n_sets != SETS || s->first_set || s->channels != CHANNELS || p->large != LARGE ||
             s->common.rtl_dir || s->pairs || s->common.dut;
  if (own || go_on)
    printf(" SOAK_ARGS=\"%s", go_on ? own ? "--continue " : "--continue" : "");
  if (own)
    printf("--first-set %" PRIu32 " --sets %" PRIu32 " --channels %" PRIu32 " --large %" PRIu32
           "%s%s",
           s->first_set, p->n_sets, s->channels, p->large, s->common.rtl_dir ? " --rtl " : "",
           s->common.rtl_dir ? s->common.rtl_dir : "");
  if (s->pairs)
    printf(" --pairs %" PRIu32, s->pairs);
  if (s->common.dut)
    printf(" --dut %s", s->common.dut);
  printf("%s\n", own || go_on ? "\"" : "");
}

static void report_failure(struct soak *s, const struct soak_case *original, bool every_variant,
                           const struct soak_result *first)
{
  struct soak_case small = *original;
  struct soak_result result = *first;
  struct hd_error err = {""};
  char name[96], small_name[128], run[SOAK_PATH], yaml[SOAK_PATH], small_yaml[SOAK_PATH];
  snprintf(name, sizeof name, "fail-%" PRIu64 "-%" PRIu32, s->plan.seed, original->index);
  snprintf(small_name, sizeof small_name, "%s-small", name);
  snprintf(run, sizeof run, "%s/%s-run", s->common.directory, small_name);
  printf("not ok scenario %" PRIu32 " of seed %" PRIu64 ": %s: %s\n", original->index, s->plan.seed,
         hd_soak_outcome_name(first->outcome), first->message);
  fflush(stdout);
  if (hd_soak_write(original, s->common.directory, name, yaml, &err)) {
    printf("  it could not be kept: %s\n", err.text);
    return;
  }
  hd_soak_shrink(&small, every_variant, s->shrink_seconds, &s->common, &result);
  if (hd_soak_write(&small, s->common.directory, small_name, small_yaml, &err)) {
    printf("  the small one could not be kept: %s\n", err.text);
    return;
  }
  printf("shrunk: %" PRIu32 " switches to %" PRIu32 ", %" PRIu32 " nodes to %" PRIu32 ", %" PRIu32
         " cycles to %" PRIu32 ", %" PRIu32 " channels to %" PRIu32 ": %s: %s\n",
         original->n_switches, small.n_switches, original->n_nodes, small.n_nodes, original->cycles,
         small.cycles, original->sw.vcs, small.sw.vcs, hd_soak_outcome_name(result.outcome),
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
    printf("or all its runs:\n  make soak SEED=%" PRIu64 " ONLY_SCENARIO=%" PRIu32, s->plan.seed,
           original->index);
    print_arguments(s, false);
  }
  fflush(stdout);
}

static void report_failures(struct soak *s)
{
  for (struct failure *f; (f = s->failures);) {
    report_failure(s, &f->c, f->every_variant, &f->result);
    s->failures = f->next;
    free(f);
  }
}

/* ── results ───────────────────────────────────────────────────────────────── */

static void keep_failure(struct soak *s, const struct soak_case *c, bool every_variant,
                         const struct soak_result *r)
{
  struct failure *f = hd_xmalloc(sizeof *f);
  s->failed++;
  *f = (struct failure){*c, *r, every_variant, NULL};
  *s->last = f;
  s->last = &f->next;
}

static void add_result(void *context, const struct soak_case *c, bool every_variant,
                       const struct soak_result *r)
{
  struct soak *s = context;
  if (r->outcome == SOAK_REFUSED) {
    s->refused++;
    return;
  }
  hd_soak_csv_line(s->csv, c, r, every_variant);
  s->switch_cycles += r->switch_cycles;
  s->evaluated_cycles += r->evaluated_cycles;
  s->flits += r->flits;
  s->events += r->events;
  s->blocked += r->blocked;
  s->barriers += r->barriers;
  s->ruled_messages += r->ruled_messages;
  s->ruled_rounds += r->ruled_rounds;
  s->port_flits += r->port_flits;
  s->port_credits += r->port_credits;
  s->port_heads += r->port_heads;
  if (r->outcome != SOAK_AGREED) {
    keep_failure(s, c, every_variant, r);
    return;
  }
  s->every_variant_runs += every_variant ? r->runs : 0;
  if (r->flits_in_order < SOAK_LEAST_FLITS) {
    s->quiet++;
    return;
  }
  s->passed++;
  hd_soak_coverage_add(s->coverage, c, r);
  hd_coverage_merge(&s->points, &r->coverage);
}

/* ── the end ───────────────────────────────────────────────────────────────── */

#define SUMMARY_COLUMNS(X)                                      \
  X("seed", COUNT, NULL, s->plan.seed, true)                    \
  X("scenarios", COUNT, NULL, s->plan.count, true)              \
  X("passed", COUNT, NULL, s->passed, true)                     \
  X("failed", COUNT, NULL, s->failed, true)                     \
  X("quiet", COUNT, NULL, s->quiet, true)                       \
  X("refused", COUNT, NULL, s->refused, true)                   \
  X("switch_cycles", COUNT, NULL, s->switch_cycles, true)       \
  X("evaluated_cycles", COUNT, NULL, s->evaluated_cycles, true) \
  X("flits", COUNT, NULL, s->flits, true)                       \
  X("events", COUNT, NULL, s->events, true)                     \
  X("blocked", COUNT, NULL, s->blocked, true)                   \
  X("barriers", COUNT, NULL, s->barriers, true)                 \
  X("ruled_messages", COUNT, NULL, s->ruled_messages, true)     \
  X("ruled_rounds", COUNT, NULL, s->ruled_rounds, true)         \
  X("port_flits", COUNT, NULL, s->port_flits, true)             \
  X("port_credits", COUNT, NULL, s->port_credits, true)         \
  X("port_heads", COUNT, NULL, s->port_heads, true)             \
  X("every_way_runs", COUNT, NULL, s->every_variant_runs, true) \
  X("points", COUNT, NULL, points->exercised, true)             \
  X("points_in_reach", COUNT, NULL, points->reachable, true)

static int write_summary(const struct soak *s, const struct soak_points *points,
                         struct hd_error *err)
{
  static const struct hd_column columns[] = {SUMMARY_COLUMNS(HD_PLAIN_COLUMN)};
  json_t *summary = hd_json_row(HD_COLUMNS(columns), HD_PLAIN_ROW(SUMMARY_COLUMNS));
  json_object_set_new(summary, "covered", hd_soak_coverage_json(s->coverage));
  return hd_json_write(s->common.directory, "summary.json", summary, 0, err);
}

/* Returns true if such a soak must cover points, and not only find no failure. */
static bool has_to_cover(const struct soak *s)
{
  return !s->plan.has_only && !s->failed && !stopped;
}

/* Prints the result; true when all is well. */
static bool conclude(struct soak *s, const struct soak_points *points)
{
  uint32_t failed = s->failed, count = s->plan.count;
  hd_soak_coverage_print(s->coverage, stdout);
  printf("%" PRIu64 " switch-cycles (%" PRIu64 " evaluated), %" PRIu64 " flits and %" PRIu64
         " events compared, %" PRIu64 " blocked flit-cycles, %" PRIu64
         " answers to members of barriers\n",
         s->switch_cycles, s->evaluated_cycles, s->flits, s->events, s->blocked, s->barriers);
  printf("rules T1 to T9 of specification 8.13 hold for %" PRIu64
         " barrier messages at ports and %" PRIu64 " rounds\n",
         s->ruled_messages, s->ruled_rounds);
  printf("rules P1 to P16 of specification 6.7 hold for %" PRIu64 " flits, %" PRIu64
         " credits and %" PRIu64 " heads that left switches\n",
         s->port_flits, s->port_credits, s->port_heads);
  printf(
      "quiet scenarios beside them (fewer than %d flits): %" PRIu32
      "; refused by the deadlock rule, as nobody can be congested, or as a status table is full: "
      "%" PRIu32 "\n",
      SOAK_LEAST_FLITS, s->quiet, s->refused);
  if (s->beyond)
    printf("%" PRIu32 " scenarios more, for what the first %" PRIu32 " left out\n", s->beyond,
           count);
  printf("%" PRIu32
         " runs in every window, mode, thread count and on the model gave equal digests\n",
         s->every_variant_runs);
  if (has_to_cover(s) && s->passed < count) {
    printf("not ok: only %" PRIu32 " of %" PRIu32 " scenarios compared anything worth it\n",
           s->passed, count);
    failed++;
  }
  hd_soak_points_print(&s->points, stdout);
  if (has_to_cover(s) && !s->pairs && !hd_soak_points_suffice(*points, count)) {
    printf("not ok: too few points of the specification for so many scenarios\n");
    failed++;
  }
  if (has_to_cover(s) && s->pairs)
    failed += hd_soak_coverage_pairs(s->coverage, s->pairs, stdout) != 0;
  else if (has_to_cover(s) && count >= ENOUGH_FOR_COVERAGE)
    failed += hd_soak_coverage_holes(s->coverage, stdout) != 0;
  printf("results: %s/results.csv, %s/summary.json\n", s->common.directory, s->common.directory);
  printf("%s: make soak N=%" PRIu32 " SEED=%" PRIu64, stopped ? "interrupted; go on" : "again",
         count, s->plan.seed);
  print_arguments(s, stopped);
  printf("%" PRIu32 " passed, %" PRIu32 " failed, 0 skipped\n", s->passed, failed);
  return !failed && !stopped;
}

static void show(void *context, const struct hd_campaign_progress *progress)
{
  struct hd_text text = {0};
  hd_campaign_progress_add(progress, &text);
  say(context, hd_text_chars(&text));
  hd_text_fini(&text);
}

static int run_campaign(struct soak *s, struct hd_error *err)
{
  const struct soak_plan *p = &s->plan;
  struct hd_text definition = {0}, identity = {0};
  struct hd_campaign_result result;
  hd_text_add(&definition,
              "make soak with seed %" PRIu64 ", sets from %" PRIu32 ": %" PRIu32
              ", channels %" PRIu32 ", large %" PRIu32 ", every %" PRIu32 ", pairs %" PRIu32,
              p->seed, s->first_set, p->n_sets, s->channels, p->large, p->every, s->pairs);
  if (p->has_only)
    hd_text_add(&definition, ", only %" PRIu32, p->only);
  if (s->common.dut)
    hd_text_add(&definition, ", on %s", s->common.dut);
  int status = hd_campaign_identity(&identity, s->common.rtl_dir, err);
  struct hd_campaign campaign = {.command = hd_text_chars(&definition),
                                 .definition = hd_text_chars(&definition),
                                 .identity = hd_text_chars(&identity),
                                 .afresh = !s->go_on,
                                 .workers = s->workers,
                                 .progress = show,
                                 .progress_seconds = isatty(STDERR_FILENO) ? 1 : 10,
                                 .stop = was_stopped};
  hd_soak_plan_campaign(&s->plan, &campaign);
  if (!status)
    status = hd_campaign_run(&campaign, &result, err);
  hd_text_fini(&definition);
  hd_text_fini(&identity);
  return status == HD_E_INTERRUPTED && stopped ? HD_OK : status;
}

/* ── after the N scenarios ─────────────────────────────────────────────────── */

/* Chance may leave out a value that is asked for, or a point of the specification. So more is drawn, with the numbers
 * from where the plan ends, one at a time: the same whatever the number of workers. */

static bool goes_on(const struct soak *s)
{
  return !s->failed && !stopped;
}

static void run_beyond(struct soak *s, const struct soak_case *c)
{
  struct soak_result result;
  hd_soak_try(c, false, &s->common, &result);
  s->beyond++;
  if (result.outcome != SOAK_STOPPED)
    add_result(s, c, false, &result);
}

static void cover_value(struct soak *s, const struct soak_value *value)
{
  struct soak_case c;
  uint32_t index = hd_soak_plan_end(&s->plan), trials = 0;
  for (uint32_t i = 0; i < MOST_DRAWS && trials < MOST_TRIALS; i++) {
    if (!goes_on(s) || hd_soak_covered(s->coverage, value))
      return;
    hd_soak_plan_draw(&s->plan, index + i, &c);
    if (hd_soak_may_cover(&c, value)) {
      trials++;
      run_beyond(s, &c);
    }
  }
}

/* Draws anew the pairs of topology, routing and barrier hardware whose scenarios were quiet or refused. */
static void cover_pairs(struct soak *s)
{
  const uint32_t n = hd_soak_pairs(), end = (hd_soak_plan_end(&s->plan) + n - 1) / n * n;
  struct soak_case c;
  for (uint32_t pair = 0; pair < n; pair++)
    for (uint32_t trial = 0; trial < MOST_TRIALS && goes_on(s); trial++) {
      hd_soak_plan_draw(&s->plan, end + trial * n + pair, &c);
      if (hd_soak_coverage_pair(s->coverage, &c) >= s->pairs)
        break;
      run_beyond(s, &c);
    }
}

static void cover(struct soak *s)
{
  struct soak_value value;
  struct soak_case c;
  const uint32_t count = s->plan.count, end = hd_soak_plan_end(&s->plan);
  if (s->pairs && !s->plan.has_only && s->passed >= s->pairs * hd_soak_pairs())
    cover_pairs(s);
  if (s->plan.has_only || s->pairs || count < ENOUGH_FOR_COVERAGE || s->passed < count)
    return;
  for (uint32_t i = 0; goes_on(s) && hd_soak_wanted(i, &value); i++)
    cover_value(s, &value);
  for (uint32_t i = 0; i < 2 * count && goes_on(s); i++) {
    if (hd_soak_points_suffice(hd_soak_points_count(&s->points), count))
      return;
    hd_soak_plan_draw(&s->plan, end + MOST_DRAWS + i, &c);
    run_beyond(s, &c);
  }
}

static int read_results(struct soak *s, struct hd_error *err)
{
  char path[SOAK_PATH];
  snprintf(path, sizeof path, "%s/results.csv", s->common.directory);
  s->csv = fopen(path, "w");
  if (!s->csv)
    return hd_fail(err, HD_E_IO, "%s: %s", path, strerror(errno));
  hd_soak_csv_head(s->csv);
  int status = hd_soak_plan_results(&s->plan, add_result, s, err);
  if (!status)
    cover(s);
  if (fclose(s->csv) && !status)
    status = hd_fail(err, HD_E_IO, "%s: %s", path, strerror(errno));
  return status;
}

/* True when all is well. */
static bool soak(struct soak *s)
{
  struct hd_error err = {""};
  struct soak_points points = {0};
  if (s->pairs)
    hd_soak_pair_sets(s->plan.sets, s->plan.seed);
  else
    hd_soak_sets(s->plan.sets, s->first_set, s->plan.n_sets, s->plan.seed, s->channels);
  hd_soak_other_sets(s->plan.sets + s->plan.n_sets, s->plan.seed);
  s->last = &s->failures;
  s->coverage = hd_soak_coverage_create();
  int status = s->coverage ? run_campaign(s, &err) : hd_fail(&err, HD_E_NOMEM, "out of memory");
  if (!status)
    status = read_results(s, &err);
  if (!status) {
    points = hd_soak_points_count(&s->points);
    status = write_summary(s, &points, &err);
  }
  if (status) {
    printf("soak: %s\nnot ok soak\n", err.text);
    return false;
  }
  report_failures(s);
  return conclude(s, &points);
}

/* ── command line ──────────────────────────────────────────────────────────── */

static const struct argp_option options[] = {
    {"count", 'n', "N", 0, "scenarios (1000)", 0},
    {"seed", 's', "SEED", 0, "seed (1)", 0},
    {"first-set", 'i', "I", 0, "first parameter set; those from 8 on have barrier hardware (0)", 0},
    {"sets", 'p', "N", 0, "switch parameter sets (18)", 0},
    {"channels", 'v', "N", 0, "ports times virtual channels of a switch, at most (24)", 0},
    {"large", 'l', "N", 0,
     "every N-th scenario is a large one; 0: none, and neither network coding nor computed routes "
     "(64)",
     0},
    {"jobs", 'j', "N", 0, "scenarios at a time (2)", 0},
    {"every", 'e', "N", 0, "every N-th scenario runs in every way; 0: none (10)", 0},
    {"pairs", 'a', "N", 0,
     "N scenarios for each topology, each routing that fits it and each kind of barrier hardware, "
     "instead of --count, --first-set, --sets and --channels",
     0},
    {"only", 'o', "I", 0, "scenario I alone, in every way", 0},
    {"rtl", 'r', "DIR", 0, "another RTL", 0},
    {"dut", 'b', "NAME", 0, "the backend that it is built for, as heddle run takes it (verilator)",
     0},
    {"cache", 'c', "DIR", 0, "where built switches are kept", 0},
    {"out", 'd', "DIR", 0, "where files go (build/soak)", 0},
    {"failures", 'f', "N", 0, "stop after N failures (3)", 0},
    {"shrink-seconds", 't', "S", 0, "time for shrinking a failure (240)", 0},
    {"continue", 'g', NULL, 0, "go on with the soak that was interrupted", 0},
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
    s->plan.count = (uint32_t)number(state, arg, 1, 100000000);
    return 0;
  case 's':
    s->plan.seed = number(state, arg, 0, UINT64_MAX);
    return 0;
  case 'i':
    s->first_set = (uint32_t)number(state, arg, 0, SOAK_MAX_SETS);
    return 0;
  case 'p':
    s->plan.n_sets = (uint32_t)number(state, arg, 1, SOAK_MAX_SETS);
    return 0;
  case 'v':
    s->channels = (uint32_t)number(state, arg, 6, HD_MAX_PORTS * HD_MAX_VCS);
    return 0;
  case 'l':
    s->plan.large = (uint32_t)number(state, arg, 0, UINT32_MAX);
    return 0;
  case 'j':
    s->workers = (uint32_t)number(state, arg, 1, MOST_WORKERS);
    return 0;
  case 'e':
    s->plan.every = (uint32_t)number(state, arg, 0, UINT32_MAX);
    return 0;
  case 'a':
    s->plan.pairs = true;
    s->pairs = (uint32_t)number(state, arg, 1, 100000);
    return 0;
  case 'o':
    s->plan.has_only = true;
    s->plan.only = (uint32_t)number(state, arg, 0, UINT32_MAX);
    return 0;
  case 'r':
    s->common.rtl_dir = arg;
    return 0;
  case 'b':
    if (!hd_backend_builds_rtl(arg))
      argp_error(state, "%s: is no backend that is built from RTL", arg);
    s->common.dut = strcmp(arg, "verilator") ? arg : NULL;
    return 0;
  case 'c':
    s->common.cache_dir = arg;
    return 0;
  case 'd':
    s->common.directory = arg;
    return 0;
  case 'f':
    s->plan.most_failures = (uint32_t)number(state, arg, 1, UINT32_MAX);
    return 0;
  case 't':
    s->shrink_seconds = (double)number(state, arg, 0, 1000000);
    return 0;
  case 'g':
    s->go_on = true;
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
  struct soak_opened *opened = NULL;
  struct soak s = {
      .common = {.directory = "build/soak", .opened = &opened, .stop = was_stopped, .say = say},
      .plan = {.common = &s.common,
               .seed = 1,
               .count = 1000,
               .n_sets = SETS,
               .large = LARGE,
               .every = 10,
               .most_failures = 3},
      .channels = CHANNELS,
      .workers = 2,
      .shrink_seconds = 240,
      .heddle = "build/opt/heddle"};
  struct sigaction action = {.sa_handler = on_signal};
  argp_parse(&argp, argc, argv, 0, NULL, &s);
  if (s.pairs) {
    s.plan.n_sets = SOAK_PAIR_SETS;
    s.plan.count = s.pairs * hd_soak_pairs();
  }
  if (s.plan.has_only)
    s.plan.count = 1;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  printf("soak: %" PRIu32 " scenarios over %" PRIu32 " parameter sets, seed %" PRIu64 "\n",
         s.plan.count, s.plan.n_sets, s.plan.seed);
  bool fine = soak(&s);
  hd_soak_coverage_destroy(s.coverage);
  hd_soak_backends_close(&s.common);
  return fine ? 0 : 1;
}
