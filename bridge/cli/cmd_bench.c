/* heddle bench: measures speed as ratios, in one run.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Machines are noisy. So the subjects run in turn, round by round, and each ratio is the median
 * of the ratios of all rounds. The bench is no campaign (bridge/campaign/), because workers that
 * run at the same time would disturb each other. Subjects with one thread are measured in
 * processor time, which does not count while another process has the processor.
 *
 * --at-least is for `make test`, on machines that also do other work. It measures only subjects
 * with one thread, and takes the fastest round of each. If a ratio is too low, it measures
 * again, in up to 25 rounds, before it fails.
 */
#include "cli.h"

#include "../backends/backends.h"
#include "../bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_ROUNDS = 25 };

enum subject {
  BARE,
  FLAT,
  MODEL,
  LOCKSTEP,
  RULED,
  TWO_THREADS,
  LANES,
  LANES_8_SEEDS,
  CLOSED,
  CLOSED_RULED,
  ONE_PROCESS,
  TWO_RANKS,
  N_SUBJECTS
};

static const char *const subject_names[] = {"bare RTL, closed loop",
                                            "flat mesh RTL",
                                            "model alone",
                                            "decoupled lockstep",
                                            "decoupled lockstep, rules",
                                            "decoupled lockstep, 2 threads",
                                            "decoupled lockstep, lanes",
                                            "decoupled lockstep, lanes, 8 seeds",
                                            "closed loop",
                                            "closed loop, rules",
                                            "sweep of 8 seeds, 1 process",
                                            "sweep of 8 seeds, 2 ranks"};

/* Target 0: none. `judged`: `make test` judges the ratio. Its subjects have one thread and are
 * built in seconds, and its goal is reached on processors of any width (docs/performance.md). */
static const struct {
  enum subject above, below;
  double load, target;
  bool judged;
} ratios[] = {
    {LOCKSTEP, BARE, 0.1, 0.85, true},
    {LOCKSTEP, BARE, 0.01, 4, true},
    {LOCKSTEP, FLAT, 0.1, 5, false},
    {MODEL, BARE, 0.1, 6, true},
    {MODEL, BARE, 0.01, 25, true},
    {TWO_THREADS, LOCKSTEP, 0.1, 1.8, false},
    {LANES, MODEL, 0.1, 0.5, false},
    {LANES, MODEL, 0.3, 0.5, false},
    {LANES, BARE, 0.1, 4, true},
    {LANES, BARE, 0.3, 0, false},
    {LANES, BARE, 0.01, 8, true},
    {LANES, LOCKSTEP, 0.1, 4, true},
    {LANES_8_SEEDS, LANES, 0.1, 0, false},
    {TWO_RANKS, ONE_PROCESS, 0.1, 1.8, false},
    {RULED, LOCKSTEP, 0.1, 0.85, true},
    {RULED, LOCKSTEP, 0.3, 0.85, false},
    {CLOSED_RULED, CLOSED, 0.1, 0.7, true},
};

static const double loads[] = {0.01, 0.1, 0.3};
enum { N_LOADS = 3, N_RATIOS = sizeof ratios / sizeof *ratios };

struct arguments {
  const char *bare, *flat, *csv;
  /* at_least: percent of the goals; 0: measures everything and judges nothing */
  uint64_t rounds, cycles, at_least;
};

static const struct hd_cli_store stores[] = {
    HD_CLI_LETTER('b', HD_CLI_TEXT(struct arguments, bare)),
    HD_CLI_LETTER('f', HD_CLI_TEXT(struct arguments, flat)),
    HD_CLI_LETTER('o', HD_CLI_TEXT(struct arguments, csv)),
    HD_CLI_NUMBER('r', struct arguments, rounds, "rounds", 1, MAX_ROUNDS),
    HD_CLI_NUMBER('c', struct arguments, cycles, "cycles", 300, 10000000),
    HD_CLI_NUMBER('l', struct arguments, at_least, "at-least", 1, 100000),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  return hd_cli_store(stores, state->input, key, arg, state);
}

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(const double *values, size_t n)
{
  double sorted[MAX_ROUNDS];
  for (size_t i = 0; i < n; i++)
    sorted[i] = values[i];
  qsort(sorted, n, sizeof *sorted, by_value);
  return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

static bool is_sweep(enum subject subject)
{
  return subject == ONE_PROCESS || subject == TWO_RANKS;
}

/* Switch-cycles per second of every subject, load and round, by processor time, and for lockstep
 * also by wall time; 0: not measured. */
static double speed[N_SUBJECTS][N_LOADS][MAX_ROUNDS], wall_speed[N_SUBJECTS][N_LOADS][MAX_ROUNDS];

/* Tests whether wall time counts for a subject, because it has several threads or processes. */
static bool by_wall(enum subject subject)
{
  return subject == TWO_THREADS || is_sweep(subject);
}

/* Measures a sweep. If mpirun is missing or refuses to run, leaves the subject out and says so
 * once. */
static int measure_sweep(const struct arguments *a, enum subject subject, double load,
                         double *wall_speed_of)
{
  struct hd_bench_figure figure;
  static bool skipped[N_SUBJECTS];
  struct hd_error why = {""};
  if (skipped[subject])
    return HD_OK;
  if (!hd_bench_sweep(load, 4, a->cycles * 8, subject == TWO_RANKS ? 2 : 1, &figure, &why)) {
    *wall_speed_of = (double)figure.switch_cycles / figure.wall_seconds;
  } else {
    skipped[subject] = true;
    fprintf(stderr, "\r%70s\rSKIP %s: %s\n", "", subject_names[subject], why.text);
  }
  return HD_OK;
}

static int measure_subject(const struct hd_bench *bench, const struct arguments *a,
                           enum subject subject, double load, double *speed_of,
                           double *wall_speed_of, struct hd_bench_figure *figure,
                           struct hd_error *err)
{
  uint64_t cycles =
      load < 0.1 ? a->cycles * 4 : a->cycles; /* simulates more cycles at low load, where they
                                                 take less time */
  int status = HD_OK;
  *speed_of = *wall_speed_of = 0;
  switch (subject) {
  case BARE:
  case FLAT: {
    const char *program = subject == BARE ? a->bare : a->flat;
    if (!program)
      return HD_OK;
    status = hd_bench_program(program, load, 4, subject == BARE ? cycles : cycles / 4 + 1,
                              bench->seed, figure, err);
    break;
  }
  case MODEL:
    status = hd_bench_model(bench, load, 4, cycles * 4, figure, err);
    break;
  case ONE_PROCESS:
  case TWO_RANKS:
    return measure_sweep(a, subject, load, wall_speed_of);
  default: {
    const struct hd_bench_run run = {.backend = subject == LANES           ? &bench->lanes
                                                : subject == LANES_8_SEEDS ? &bench->wide_lanes
                                                                           : &bench->verilator,
                                     .closed = subject == CLOSED || subject == CLOSED_RULED,
                                     .rules = subject == RULED || subject == CLOSED_RULED,
                                     .threads = subject == TWO_THREADS ? 2 : 1,
                                     .seeds = subject == LANES_8_SEEDS ? HD_BENCH_SEEDS : 1};
    status = hd_bench_lockstep(bench, &run, load, 4, cycles, figure, err);
  }
  }
  if (!status && figure->packets)
    *speed_of = (double)figure->switch_cycles / figure->seconds;
  if (!status && figure->packets && figure->wall_seconds > 0)
    *wall_speed_of = (double)figure->switch_cycles / figure->wall_seconds;
  return status;
}

static double ratio_of(size_t i, uint64_t rounds)
{
  double values[MAX_ROUNDS];
  size_t load = 0, n = 0;
  while (loads[load] != ratios[i].load)
    load++;
  bool wall = by_wall(ratios[i].above);
  const double *above = (wall ? wall_speed : speed)[ratios[i].above][load];
  const double *below = (wall ? wall_speed : speed)[ratios[i].below][load];
  for (uint64_t r = 0; r < rounds; r++)
    if (above[r] > 0 && below[r] > 0)
      values[n++] = above[r] / below[r];
  return n ? median(values, n) : 0;
}

static void name_ratio(size_t i, char name[96])
{
  snprintf(name, 96, "%s / %s", subject_names[ratios[i].above], subject_names[ratios[i].below]);
}

/* Writes a line of the CSV, with an empty value if nothing was measured. */
static void write_figure(FILE *csv, const char *what, const char *unit, double load, double value,
                         const char *target)
{
  fprintf(csv, "\"%s%s\",%g,", what, unit, load);
  if (value > 0)
    fprintf(csv, "%.4f", value);
  fprintf(csv, ",%s\n", target);
}

static void print_results(uint64_t rounds, FILE *csv)
{
  printf("\n%-34s %12s %12s %12s\n", "million switch-cycles/s (median)", "load 0.01", "load 0.1",
         "load 0.3");
  fprintf(csv, "what,load,value,target\n");
  for (int s = 0; s < N_SUBJECTS; s++) {
    printf("%-34s", subject_names[s]);
    for (size_t l = 0; l < N_LOADS; l++) {
      double m = median((by_wall((enum subject)s) ? wall_speed : speed)[s][l], rounds) / 1e6;
      if (m > 0)
        printf(" %12.2f", m);
      else
        printf(" %12s", "-");
      write_figure(csv, subject_names[s], ", million switch-cycles/s", loads[l], m, "");
    }
    printf("\n");
  }
  printf("\n%-58s %6s %8s %8s\n", "ratio", "load", "measured", "at least");
  for (size_t i = 0; i < N_RATIOS; i++) {
    char name[96], measured[24] = "-", target[24] = "-";
    double ratio = ratio_of(i, rounds);
    name_ratio(i, name);
    if (ratio > 0)
      snprintf(measured, sizeof measured, "%.2f", ratio);
    if (ratios[i].target > 0)
      snprintf(target, sizeof target, "%g", ratios[i].target);
    printf("%-58s %6g %8s %8s\n", name, ratios[i].load, measured, target);
    write_figure(csv, name, "", ratios[i].load, ratio, ratios[i].target > 0 ? target : "");
  }
}

/* Finds the highest accepted load at any offered load. */
static int peak_accepted(const struct hd_bench *bench, double *peak, struct hd_error *err)
{
  int status = HD_OK;
  *peak = 0;
  for (double load = 0.32; load < 0.5 && !status; load += 0.04) {
    struct hd_bench_figure figure = {0};
    status = hd_bench_model(bench, load, 1, 12000, &figure, err);
    if (figure.accepted > *peak)
      *peak = figure.accepted;
  }
  return status;
}

/* Prints the accepted throughput at saturation beside that of an independent simulator. It
 * depends on the cycles until a buffer slot can be used again, T of specification §4.5. */
static int print_saturation(FILE *csv, struct hd_error *err)
{
  static const struct {
    uint32_t vcs, depth;
    double other;
  } buffers[] = {{2, 4, 0.325}, {4, 8, 0.42}};
  static const struct {
    uint32_t route, arb, buffer;
  } timings[] = {{1, 1, 0}, {1, 2, 0}, {1, 2, 1}, {2, 2, 1}};
  printf("\npeak accepted flits/node/cycle, 1-flit packets, by the cycles T until a slot is used "
         "again\n"
         "%-34s",
         "");
  for (size_t t = 0; t < 4; t++)
    printf("   T = %u", timings[t].arb - 1 + timings[t].buffer + timings[t].route + 5);
  printf("   other simulator\n");
  for (size_t i = 0; i < 2; i++) {
    printf("  %u virtual channels of %u flits    ", buffers[i].vcs, buffers[i].depth);
    for (size_t t = 0; t < 4; t++) {
      struct hd_bench bench;
      double peak = 0;
      int status = hd_bench_open(&bench, buffers[i].vcs, buffers[i].depth, 0, err);
      bench.fabric.sw.route_cycles = timings[t].route;
      bench.fabric.sw.arb_cycles = timings[t].arb;
      bench.fabric.sw.buffer_cycles = timings[t].buffer;
      if (!status)
        status = peak_accepted(&bench, &peak, err);
      hd_bench_close(&bench);
      if (status)
        return status;
      unsigned turn = timings[t].arb - 1 + timings[t].buffer + timings[t].route + 5;
      printf(" %7.3f", peak);
      fprintf(csv, "\"peak accepted, %u channels of %u, T = %u\",,%.4f,%g\n", buffers[i].vcs,
              buffers[i].depth, turn, peak, buffers[i].other);
    }
    printf(" %17.3f\n", buffers[i].other);
  }
  return HD_OK;
}

static bool without_lanes; /* true: lanes cannot be built */

static bool is_judged(size_t i)
{
  return ratios[i].judged && !(without_lanes && ratios[i].above == LANES);
}

static bool is_wanted(const struct arguments *a, enum subject subject, double load)
{
  if (is_sweep(subject) && load != 0.1)
    return false;
  bool wanted = !a->at_least;
  for (size_t i = 0; i < N_RATIOS; i++)
    wanted |= is_judged(i) && ratios[i].load == load &&
              (ratios[i].above == subject || ratios[i].below == subject);
  return wanted;
}

static int run_rounds(const struct hd_bench *bench, const struct arguments *a, uint64_t from,
                      uint64_t to, size_t *bytes_per_switch, struct hd_error *err)
{
  for (uint64_t r = from; r < to; r++)
    for (size_t l = 0; l < N_LOADS; l++)
      for (int s = 0; s < N_SUBJECTS; s++) {
        struct hd_bench_figure figure = {0};
        if (!is_wanted(a, (enum subject)s, loads[l]))
          continue;
        if (!a->at_least)
          fprintf(stderr, "\rround %llu of %llu, load %g: %-34s", (unsigned long long)r + 1,
                  (unsigned long long)to, loads[l], subject_names[s]);
        int status = measure_subject(bench, a, (enum subject)s, loads[l], &speed[s][l][r],
                                     &wall_speed[s][l][r], &figure, err);
        if (status)
          return status;
        if (s == MODEL)
          *bytes_per_switch = figure.bytes_per_switch;
      }
  if (!a->at_least)
    fprintf(stderr, "\r%70s\r", "");
  return HD_OK;
}

/* Returns the ratio of the fastest rounds. Other work on the machine can only make a subject
 * slower, and does not slow both alike. */
static double best_ratio(size_t i, uint64_t rounds)
{
  size_t load = 0;
  while (loads[load] != ratios[i].load)
    load++;
  double above = 0, below = 0;
  for (uint64_t r = 0; r < rounds; r++) {
    above = speed[ratios[i].above][load][r] > above ? speed[ratios[i].above][load][r] : above;
    below = speed[ratios[i].below][load][r] > below ? speed[ratios[i].below][load][r] : below;
  }
  return below > 0 ? above / below : 0;
}

static double least(const struct arguments *a, size_t i)
{
  return ratios[i].target * (double)a->at_least / 100;
}

/* Prints a line for each ratio, like those of a test. */
static bool print_verdicts(const struct arguments *a, uint64_t rounds)
{
  bool good = true;
  for (size_t i = 0; i < N_RATIOS; i++) {
    char name[96];
    double ratio = best_ratio(i, rounds);
    if (!is_judged(i))
      continue;
    name_ratio(i, name);
    printf("%s %s at load %g: %.2f in %llu rounds, goal %g, must be %.3g\n",
           ratio < least(a, i) ? "not ok" : "ok", name, ratios[i].load, ratio,
           (unsigned long long)rounds, ratios[i].target, least(a, i));
    good &= ratio >= least(a, i);
  }
  return good;
}

/* Carries out --at-least: if a ratio is too low, doubles the number of rounds, up to MAX_ROUNDS. */
static int judge(const struct hd_bench *bench, const struct arguments *a, bool *good,
                 struct hd_error *err)
{
  size_t bytes;
  uint64_t from = 0, to = a->rounds;
  for (*good = false;;) {
    int status = run_rounds(bench, a, from, to, &bytes, err);
    if (status)
      return status;
    bool low = false;
    for (size_t i = 0; i < N_RATIOS; i++)
      low |= is_judged(i) && best_ratio(i, to) < least(a, i);
    if (!low || to == MAX_ROUNDS)
      break;
    from = to;
    to = 2 * to < MAX_ROUNDS ? 2 * to : MAX_ROUNDS;
  }
  *good = print_verdicts(a, to);
  return HD_OK;
}

int hd_cmd_bench(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"bare", 'b', "PROGRAM", 0,
       "measure this program, too: bare RTL in closed loop, as `make bench` builds it", 0},
      {"flat", 'f', "PROGRAM", 0,
       "measure this program, too: flat mesh RTL, as `make bench` builds it", 0},
      {"csv", 'o', "FILE", 0,
       "write all figures to FILE; a figure that was not measured is left empty", 0},
      {"rounds", 'r', "N", 0, "measure N rounds, 1 to 25 (5)", 0},
      {"cycles", 'c', "N", 0,
       "run N cycles in each lockstep and bare run (10000); four times as many at load 0.01", 0},
      {"at-least", 'l', "PERCENT", 0,
       "measure only ratios of subjects with one thread; end with exit code 1 if a ratio stays "
       "below PERCENT % of its goal",
       0},
      {0}};
  static const char doc[] =
      "Measures speed on an 8x8 mesh (2 virtual channels of 4 flits, 16-bit data, 4-flit packets, "
      "uniform). The subjects run in turn, and ratios are medians over rounds. `make bench` builds "
      "what this command needs and calls it.\vExamples:\n  make bench\n  heddle bench --rounds 3";
  static const struct argp argp = {.options = options, .parser = parse, .doc = doc};
  struct arguments a = {.rounds = 5, .cycles = 10000};
  struct hd_bench bench;
  struct hd_error err = {""};
  size_t bytes = 0;
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  if (a.at_least && a.csv) {
    hd_fail(&err, HD_E_INPUT, "--csv has medians, which --at-least does not take; leave one out");
    return hd_cli_fail(HD_E_INPUT, &err);
  }
  FILE *csv = fopen(a.csv ? a.csv : "/dev/null", "w");
  if (!csv) {
    hd_fail(&err, HD_E_IO, "cannot write %s", a.csv);
    return hd_cli_fail(HD_E_IO, &err);
  }
  if (hd_building_unoptimised())
    fputs("heddle bench: HEDDLE_UNOPTIMISED is set: RTL is slower than it could be\n", stderr);
  int status = hd_bench_open(&bench, 2, 4, a.at_least ? 2 : 3, &err);
  bool good = true;
  if (a.at_least && status == HD_E_TOOL && bench.verilator.ops) { /* lanes need Yosys */
    printf("SKIP %s: %s\n", subject_names[LANES], err.text);
    without_lanes = true;
    status = HD_OK;
  }
  if (!status && a.at_least)
    status = a.bare ? judge(&bench, &a, &good, &err)
                    : hd_fail(&err, HD_E_INPUT, "--at-least needs --bare");
  else if (!status)
    status = run_rounds(&bench, &a, 0, a.rounds, &bytes, &err);
  if (!status && !a.at_least) {
    print_results(a.rounds, csv);
    printf("\nmodel memory: %zu bytes a switch (less than 4096), of the switches' state alone\n",
           bytes);
    fprintf(csv, "model bytes a switch,,%zu,4096\n", bytes);
    status = print_saturation(csv, &err);
  }
  hd_bench_close(&bench);
  bool written = !ferror(csv);
  if (fclose(csv) || !written)
    status = hd_fail(&err, HD_E_IO, "cannot write %s", a.csv);
  return status ? hd_cli_fail(status, &err) : good ? HD_EXIT_OK : HD_EXIT_DIFFERENT;
}
