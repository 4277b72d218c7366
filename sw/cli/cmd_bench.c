/* heddle bench: speed as ratios, measured side by side in one run.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Machines are noisy, so what is compared runs in turn, round by round, and each ratio
 * is the median over the rounds of the ratio within a round. That is why this is no campaign
 * (bridge/campaign/): workers beside each other would measure each other.
 */
#include "bench.h"
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_ROUNDS = 25 };

enum subject { BARE, FLAT, MODEL, LOCKSTEP, TWO_THREADS, N_SUBJECTS };

static const char *const subject_names[] = {"bare RTL, closed loop", "flat mesh RTL", "model alone",
                                            "decoupled lockstep", "decoupled lockstep, 2 threads"};

static const struct {
  enum subject above, below;
  double load, target;
} ratios[] = {
    {LOCKSTEP, BARE, 0.1, 0.85}, {LOCKSTEP, BARE, 0.01, 4}, {LOCKSTEP, FLAT, 0.1, 5},
    {MODEL, BARE, 0.1, 6},       {MODEL, BARE, 0.01, 25},   {TWO_THREADS, LOCKSTEP, 0.1, 1.6},
};

static const double loads[] = {0.01, 0.1, 0.3};
enum { N_LOADS = 3, N_RATIOS = sizeof ratios / sizeof *ratios };

struct arguments {
  const char *bare, *flat, *csv;
  uint64_t rounds, cycles;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct arguments *a = state->input;
  switch (key) {
  case 'b':
    a->bare = arg;
    return 0;
  case 'f':
    a->flat = arg;
    return 0;
  case 'o':
    a->csv = arg;
    return 0;
  case 'r':
    a->rounds = hd_cli_number(state, "rounds", arg, 1, MAX_ROUNDS);
    return 0;
  case 'c':
    a->cycles = hd_cli_number(state, "cycles", arg, 300, 10000000);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
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

/* Switch-cycles a second of every subject, load and round; 0: not measured. */
static double speed[N_SUBJECTS][N_LOADS][MAX_ROUNDS];

static int measure(const struct hd_bench *bench, const struct arguments *a, enum subject subject,
                   double load, double *speed_of, struct hd_bench_figure *figure,
                   struct hd_error *err)
{
  int status = HD_OK;
  *speed_of = 0;
  switch (subject) {
  case BARE:
  case FLAT: {
    const char *program = subject == BARE ? a->bare : a->flat;
    if (!program)
      return HD_OK;
    status = hd_bench_program(program, load, 4, subject == BARE ? a->cycles : a->cycles / 4 + 1,
                              bench->seed, figure, err);
    break;
  }
  case MODEL:
    status = hd_bench_model(bench, load, 4, a->cycles * 4, figure, err);
    break;
  default: {
    hd_cli_guard(true);
    status = hd_bench_lockstep(bench, load, 4, a->cycles, subject == LOCKSTEP ? 1 : 2, figure, err);
    hd_cli_guard(false);
  }
  }
  if (!status && figure->packets)
    *speed_of = (double)figure->switch_cycles / figure->seconds;
  return status;
}

static double ratio_of(size_t i, uint64_t rounds)
{
  double values[MAX_ROUNDS];
  size_t load = 0, n = 0;
  while (loads[load] != ratios[i].load)
    load++;
  for (uint64_t r = 0; r < rounds; r++)
    if (speed[ratios[i].below][load][r] > 0)
      values[n++] = speed[ratios[i].above][load][r] / speed[ratios[i].below][load][r];
  return n ? median(values, n) : 0;
}

static void print_results(uint64_t rounds, FILE *csv)
{
  printf("\n%-32s %12s %12s %12s\n", "million switch-cycles/s (median)", "load 0.01", "load 0.1",
         "load 0.3");
  fprintf(csv, "what,load,value,target\n");
  for (int s = 0; s < N_SUBJECTS; s++) {
    printf("%-32s", subject_names[s]);
    for (size_t l = 0; l < N_LOADS; l++) {
      double m = median(speed[s][l], rounds) / 1e6;
      if (m > 0)
        printf(" %12.2f", m);
      else
        printf(" %12s", "-");
      fprintf(csv, "\"%s, million switch-cycles/s\",%g,%.4f,\n", subject_names[s], loads[l], m);
    }
    printf("\n");
  }
  printf("\n%-58s %6s %8s %8s\n", "ratio", "load", "measured", "at least");
  for (size_t i = 0; i < N_RATIOS; i++) {
    char name[96];
    double ratio = ratio_of(i, rounds);
    snprintf(name, sizeof name, "%s / %s", subject_names[ratios[i].above],
             subject_names[ratios[i].below]);
    if (ratio > 0)
      printf("%-58s %6g %8.2f %8g\n", name, ratios[i].load, ratio, ratios[i].target);
    else
      printf("%-58s %6g %8s %8g\n", name, ratios[i].load, "-", ratios[i].target);
    fprintf(csv, "\"%s\",%g,%.4f,%g\n", name, ratios[i].load, ratio, ratios[i].target);
  }
}

/* The most that is accepted at any offered load. */
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

/* Accepted throughput at saturation beside an independent simulator's; and what it depends on:
 * the cycles until a buffer slot can be used again, T of specification §4.5. */
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
      int status = hd_bench_open(&bench, buffers[i].vcs, buffers[i].depth, false, err);
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

static int run_rounds(const struct hd_bench *bench, const struct arguments *a,
                      size_t *bytes_per_switch, struct hd_error *err)
{
  for (uint64_t r = 0; r < a->rounds; r++)
    for (size_t l = 0; l < N_LOADS; l++)
      for (int s = 0; s < N_SUBJECTS; s++) {
        struct hd_bench_figure figure = {0};
        fprintf(stderr, "\rround %llu of %llu, load %g: %-34s", (unsigned long long)r + 1,
                (unsigned long long)a->rounds, loads[l], subject_names[s]);
        int status = measure(bench, a, (enum subject)s, loads[l], &speed[s][l][r], &figure, err);
        if (status)
          return status;
        if (s == MODEL)
          *bytes_per_switch = figure.bytes_per_switch;
      }
  fprintf(stderr, "\r%70s\r", "");
  return HD_OK;
}

int hd_cmd_bench(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"bare", 'b', "PROGRAM", 0, "bare RTL in closed loop, as `make bench` builds it", 0},
      {"flat", 'f', "PROGRAM", 0, "flat mesh RTL, likewise", 0},
      {"csv", 'o', "FILE", 0, "write all figures to FILE", 0},
      {"rounds", 'r', "N", 0, "rounds, 1 to 25 (5)", 0},
      {"cycles", 'c', "N", 0, "cycles of each lockstep and bare run (10000)", 0},
      {0}};
  static const char doc[] =
      "Measures speed on an 8x8 mesh (2 virtual channels of 4 flits, 16-bit data, 4-flit packets, "
      "uniform): what is compared runs in turn, ratios are medians over rounds. `make bench` "
      "builds "
      "what it needs and calls it.\vExamples:\n  make bench\n  heddle bench --rounds 3";
  static const struct argp argp = {.options = options, .parser = parse, .doc = doc};
  struct arguments a = {.rounds = 5, .cycles = 10000};
  struct hd_bench bench;
  struct hd_error err = {""};
  size_t bytes = 0;
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  FILE *csv = fopen(a.csv ? a.csv : "/dev/null", "w");
  if (!csv) {
    hd_fail(&err, HD_E_IO, "cannot write %s", a.csv);
    return hd_cli_fail(HD_E_IO, &err);
  }
  int status = hd_bench_open(&bench, 2, 4, true, &err);
  if (!status)
    status = run_rounds(&bench, &a, &bytes, &err);
  if (!status) {
    print_results(a.rounds, csv);
    printf("\nmodel memory: %zu bytes a switch (less than 4096)\n", bytes);
    fprintf(csv, "model bytes a switch,,%zu,4096\n", bytes);
    status = print_saturation(csv, &err);
  }
  hd_bench_close(&bench);
  bool written = !ferror(csv);
  if (fclose(csv) || !written)
    status = hd_fail(&err, HD_E_IO, "cannot write %s", a.csv);
  return status ? hd_cli_fail(status, &err) : HD_EXIT_OK;
}
