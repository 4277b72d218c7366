/* Chooses Verilator or lanes for runs whose backend the user has not named.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The first runs are on Verilator, and their time is measured. If the other runs would end sooner
 * in lanes, the time of the build included, a process builds lanes while runs go on. Runs that are
 * handed out afterwards are in lanes. Both backends give the same results, so it does not matter
 * which run has which. If the first runs in lanes take longer than the last ones on Verilator, the
 * others are on Verilator again. MPI ranks always use Verilator.
 */
#include "../backends/backend.h"
#include "../host/clock.h"
#include "../host/memory.h"
#include "../host/processes.h"
#include "../run/run.h"
#include "sweep_internal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Estimates, used until both times are measured. docs/performance.md has values of one machine. */
static const double first_time_ratio = 0.5; /* time of a run in lanes over its time on Verilator */
static const double first_build_seconds = 20;
static const double first_least_gain = 2; /* seconds; a smaller gain is not worth a build */
enum {
  TIMED = 2,   /* runs on Verilator before lanes are considered */
  PROVED = 4,  /* runs in lanes before they are compared with Verilator */
  AT_ONCE = 16 /* points whose scenarios are read between two runs */
};

/* The building process, and its answer in memory that both processes share. */
struct hd_sweep_build {
  struct hd_processes process;
  uint32_t group;
  double began;
  struct {
    int status;
    struct hd_error err;
  } * end;
};

static double number_or(const char *name, double otherwise)
{
  const char *text = getenv(name);
  char *end = NULL;
  const double number = text ? strtod(text, &end) : 0;
  return text && end != text && !*end && number >= 0 ? number : otherwise;
}

/* ── groups ────────────────────────────────────────────────────────────────── */

static uint32_t group_of(struct hd_sweep *s, const struct hd_switch_params *sw, uint32_t switches)
{
  for (size_t i = 0; i < s->n_groups; i++)
    if (!memcmp(&s->groups[i].sw, sw, sizeof *sw) && s->groups[i].switches == switches)
      return (uint32_t)i;
  HD_XROOM(s->groups, s->capacity_groups, s->n_groups, 1);
  s->groups[s->n_groups] =
      (struct hd_sweep_group){.sw = *sw, .switches = switches, .build_seconds = -1};
  return (uint32_t)s->n_groups++;
}

/* Finds the group of a point. If its scenario is refused, the point gets no group, and its runs
 * report the reason. */
static void find_group(struct hd_sweep *s, struct hd_point *p)
{
  struct hd_scenario scenario;
  struct hd_topology topology;
  struct hd_error err = {""};
  char *text = NULL;
  if ((s->params->dut && strcmp(s->params->dut, "auto") != 0) ||
      hd_sweep_point_text(s, p, 0, &text, &err))
    return;
  if (!hd_scenario_parse(&scenario, text, strlen(text), s->params->scenario_path, &err) &&
      (s->params->dut || scenario.run.dut_is_free) && scenario.run.mode == HD_MODE_DECOUPLED &&
      !hd_scenario_build(&scenario, &topology, NULL, &err)) {
    const uint32_t room = hd_backend_max_switches(HD_SWEEP_LANES);
    p->switches = topology.n_switches;
    p->group = group_of(s, &scenario.sw, p->switches < room ? room : p->switches);
    hd_topology_fini(&topology);
  }
  hd_scenario_fini(&scenario);
  free(text);
}

static void find_groups(struct hd_sweep *s, size_t to)
{
  for (; s->grouped < s->n && s->grouped < to; s->grouped++)
    find_group(s, &s->points[s->grouped]);
}

static struct hd_sweep_group *point_group(const struct hd_sweep *s, const struct hd_point *p)
{
  return p && p->group != HD_SWEEP_NO_GROUP ? &s->groups[p->group] : NULL;
}

bool hd_sweep_has_lanes(const struct hd_sweep *s, const struct hd_point *p)
{
  const struct hd_sweep_group *g = point_group(s, p);
  return g && g->state == HD_SWEEP_IN_LANES;
}

/* Returns the number of the group's runs that are not yet handed out, as far as it is known. */
static uint64_t runs_left(const struct hd_sweep *s, uint32_t group)
{
  const uint32_t seeds = hd_sweep_least_seeds(s);
  uint64_t left = 0;
  for (size_t i = s->task_point; i < s->grouped; i++)
    if (s->points[i].group == group && s->points[i].started < seeds)
      left += seeds - s->points[i].started;
  return left;
}

/* ── times of runs ─────────────────────────────────────────────────────────── */

static void pace_add(struct hd_sweep_pace *pace, double seconds)
{
  pace->seconds[pace->n++ % HD_SWEEP_PACE] = seconds;
}

static double pace_mean(const struct hd_sweep_pace *pace)
{
  const uint64_t n = pace->n < HD_SWEEP_PACE ? pace->n : HD_SWEEP_PACE;
  double sum = 0;
  for (uint64_t i = 0; i < n; i++)
    sum += pace->seconds[i];
  return n ? sum / (double)n : 0;
}

double hd_sweep_gain(uint64_t left, uint32_t workers, double verilator, double lanes, double build)
{
  const double runs = (double)left;
  const double meanwhile =
      verilator > 0 ? build * (workers - 1) / verilator : 0; /* one core is busy with the build */
  const double rest = runs > meanwhile ? runs - meanwhile : 0;
  return runs * verilator / workers - (build + rest * lanes / workers);
}

/* Returns the time of a run in lanes over its time on Verilator, as measured in the first group
 * that has both. */
static double time_ratio(const struct hd_sweep *s)
{
  for (size_t i = 0; i < s->n_groups; i++)
    if (s->groups[i].lanes.n && s->groups[i].verilator.n)
      return pace_mean(&s->groups[i].lanes) / pace_mean(&s->groups[i].verilator);
  return first_time_ratio;
}

static double gain_of(const struct hd_sweep *s, uint32_t group, double build)
{
  const double verilator = pace_mean(&s->groups[group].verilator);
  return hd_sweep_gain(runs_left(s, group), s->workers, verilator, verilator * time_ratio(s),
                       build);
}

void hd_sweep_lanes_ended(struct hd_sweep *s, struct hd_point *p,
                          const struct hd_task_outcome *outcome)
{
  const struct hd_value *dut = hd_task_outcome_find(outcome, "dut");
  const struct hd_value *opened = hd_task_outcome_find(outcome, HD_SWEEP_OPENED);
  find_groups(s, (size_t)(p - s->points) + 1);
  struct hd_sweep_group *g = point_group(s, p);
  if (!g || !dut || dut->type != HD_VALUE_TEXT ||
      !opened) /* the build failed, or the run is from an older version */
    return;
  const double seconds = outcome->seconds - (opened->type == HD_VALUE_REAL ? opened->real : 0);
  pace_add(!strcmp(dut->text, HD_SWEEP_LANES) ? &g->lanes : &g->verilator,
           seconds > 0 ? seconds : 0);
  if (g->state == HD_SWEEP_IN_LANES && g->lanes.n >= PROVED && g->verilator.n &&
      pace_mean(&g->lanes) > pace_mean(&g->verilator))
    g->state = HD_SWEEP_SLOWER;
}

/* ── the build ─────────────────────────────────────────────────────────────── */

static bool at_once(void *context)
{
  (void)context;
  return true;
}

/* Builds lanes in a process of its own. With `at_once`, the build stops before it makes
 * anything, but finds lanes that were built before. */
_Noreturn static void build_and_report(const struct hd_sweep *s)
{
  const struct hd_sweep_params *p = s->params;
  const struct hd_sweep_group *g = &s->groups[s->build->group];
  const struct hd_backend_options options = {
      .rtl_dir = p->rtl_dir,
      .cache_dir = p->cache_dir,
      .switches = g->switches,
      .quick = p->quick,
      .stop = g->state == HD_SWEEP_CHECKING_CACHE ? at_once : NULL,
  };
  struct hd_backend backend;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  s->build->end->status =
      hd_backend_open(&backend, HD_SWEEP_LANES, &g->sw, &options, &s->build->end->err);
  _exit(0);
}

static bool is_busy(const struct hd_sweep *s)
{
  return s->build && s->build->process.n;
}

static void start_build(struct hd_sweep *s, uint32_t group, enum hd_sweep_group_state state)
{
  struct hd_sweep_group *g = &s->groups[group];
  if (!s->build) {
    s->build = hd_xcalloc(1, sizeof *s->build);
    s->build->end = mmap(NULL, sizeof *s->build->end, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  }
  struct hd_sweep_build *b = s->build;
  if (b->end == MAP_FAILED)
    return;
  b->group = group;
  b->began = hd_seconds_now();
  b->end->status = HD_E_INTERNAL;
  snprintf(b->end->err.text, sizeof b->end->err.text, "the process that built lanes died");
  g->state = state;
  const pid_t pid = hd_processes_start(&b->process, group);
  if (pid == 0)
    build_and_report(s);
  if (pid > 0)
    setpgid(pid, pid);
  else
    g->state = HD_SWEEP_ON_VERILATOR;
}

/* Evaluates the answer of the building process. */
static void end_build(struct hd_sweep *s)
{
  const struct hd_sweep_build *b = s->build;
  struct hd_sweep_group *g = &s->groups[b->group];
  const bool looked = g->state == HD_SWEEP_CHECKING_CACHE;
  const int status = b->end->status;
  g->cache_checked = true;
  if (!status) {
    g->state = HD_SWEEP_IN_LANES;
    g->build_seconds = looked ? 0 : hd_seconds_now() - b->began;
    s->build_seconds = looked ? s->build_seconds : g->build_seconds;
  } else if (looked && status == HD_E_INTERRUPTED)
    g->state = HD_SWEEP_ON_VERILATOR;
  else {
    g->state = HD_SWEEP_REFUSED;
    g->refusal = hd_xstrdup(b->end->err.text);
  }
}

static void check_build(struct hd_sweep *s)
{
  uint64_t group;
  int how;
  if (is_busy(s) &&
      hd_processes_wait(&s->build->process, s->waits_for_lanes ? -1 : 0, &group, &how))
    end_build(s);
}

/* Ends a build that is under way. */
static void stop_build(struct hd_sweep *s)
{
  uint64_t group;
  int how;
  if (!is_busy(s))
    return;
  const pid_t pid = s->build->process.running[0].pid;
  kill(-pid, SIGKILL); /* kills the processes that it started, too */
  kill(pid, SIGKILL);
  while (is_busy(s))
    hd_processes_wait(&s->build->process, -1, &group, &how);
}

void hd_sweep_lanes_fini(struct hd_sweep *s)
{
  stop_build(s);
  if (s->build && s->build->end != MAP_FAILED)
    munmap(s->build->end, sizeof *s->build->end);
  free(s->build);
  for (size_t i = 0; i < s->n_groups; i++)
    free(s->groups[i].refusal);
  free(s->groups);
}

/* ── decisions ─────────────────────────────────────────────────────────────── */

static void decide_backend(struct hd_sweep *s, uint32_t group)
{
  struct hd_sweep_group *g = &s->groups[group];
  if (g->state != HD_SWEEP_ON_VERILATOR || g->verilator.n < TIMED || is_busy(s))
    return;
  if (!g->cache_checked && gain_of(s, group, 0) >= s->least_gain_seconds)
    start_build(s, group, HD_SWEEP_CHECKING_CACHE);
  else if (g->cache_checked && gain_of(s, group, s->build_seconds) >= s->least_gain_seconds)
    start_build(s, group, HD_SWEEP_BUILDING);
}

void hd_sweep_lanes_begin(struct hd_sweep *s, const struct hd_campaign *campaign)
{
  s->workers = hd_campaign_workers(campaign);
  s->build_seconds = number_or("HEDDLE_LANES_BUILD_SECONDS", first_build_seconds);
  s->waits_for_lanes = number_or("HEDDLE_LANES_WAIT", 0) >
                       /* Tests set HEDDLE_LANES_WAIT, so that the result is the same on any
                        * machine. */
                       0;
  s->least_gain_seconds = number_or("HEDDLE_LANES_GAIN_SECONDS", first_least_gain);
}

uint32_t hd_sweep_batch_size(void *context)
{
  struct hd_sweep *s = context;
  find_groups(s, s->task_point + 1);
  find_groups(s, s->grouped + AT_ONCE);
  check_build(s);
  const struct hd_point *p = &s->points[s->task_point];
  if (p->group != HD_SWEEP_NO_GROUP)
    decide_backend(s, p->group);
  if (!hd_sweep_has_lanes(s, p))
    return s->runs_a_dut > 1 ? s->runs_a_dut : 1;
  const uint32_t side_by_side = hd_backend_max_switches(HD_SWEEP_LANES) / p->switches;
  const uint64_t left = 1 + runs_left(s, p->group); /* 1: this run has been handed out */
  const uint32_t most = side_by_side < HD_RUN_TOGETHER ? side_by_side : HD_RUN_TOGETHER;
  return left < most ? (uint32_t)left : most > 1 ? most : 1;
}

const char *hd_sweep_lanes_why(const struct hd_sweep_group *g)
{
  switch (g->state) {
  case HD_SWEEP_IN_LANES:
  case HD_SWEEP_ON_VERILATOR:
    return g->lanes.n ? "the remaining runs ended sooner in lanes, even with the time of the build"
                      : "too few runs were left, so lanes and their build would take longer";
  case HD_SWEEP_CHECKING_CACHE:
  case HD_SWEEP_BUILDING:
    return "the runs had ended before lanes were built";
  case HD_SWEEP_SLOWER:
    return "the first runs in lanes took longer than those on Verilator";
  case HD_SWEEP_REFUSED:
    break;
  }
  return g->refusal ? g->refusal : "lanes cannot be built";
}

void hd_sweep_lanes_switch(const struct hd_sweep_group *g, struct hd_text *text)
{
  hd_text_add(text, "%u ports, %u VCs of %u flits, %u bits", g->sw.ports, g->sw.vcs,
              g->sw.depth_flits, g->sw.data_bits);
}

void hd_sweep_backends(const struct hd_sweep *s, struct hd_text *text)
{
  for (size_t i = 0; i < s->n_groups; i++) {
    const struct hd_sweep_group *g = &s->groups[i];
    if (!g->verilator.n && !g->lanes.n)
      continue;
    hd_text_add(text, "  %-20s", "backend");
    if (g->verilator.n)
      hd_text_add(text, "verilator %s", hd_count(g->verilator.n, "run").text);
    if (g->lanes.n)
      hd_text_add(text, "%slanes %s", g->verilator.n ? ", " : "", hd_count(g->lanes.n, "run").text);
    if (s->n_groups > 1) {
      hd_text_add(text, " (");
      hd_sweep_lanes_switch(g, text);
      hd_text_add(text, ")");
    }
    hd_text_add(text, ": ");
    for (const char *c = hd_sweep_lanes_why(g); *c; c++)
      hd_text_add(text, "%c", *c == '\n' ? ' ' : *c);
    if (g->verilator.n && g->lanes.n)
      hd_text_add(text, "; a run took %.2f s on Verilator and %.2f s in lanes",
                  pace_mean(&g->verilator), pace_mean(&g->lanes));
    if (g->build_seconds > 0)
      hd_text_add(text, ", to build them %.0f s", g->build_seconds);
    hd_text_add(text, "\n");
  }
}
