/* make faults: are bugs that are planted in the RTL found?
 * SPDX-License-Identifier: Apache-2.0
 *
 * usage: faults [--seed N] [--jobs N] [--only TEXT] [--list FILE] [--part K/N] [--dut NAME] [--alone]
 *        [--directory DIR]
 * Runs in the root of the tree; docs/faults.md says what it does.
 */
#include "suite.h"

#include "../../bridge/host/file.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

bool suite_wants(const struct suite *suite, const char *name)
{
  return !suite->only || strstr(name, suite->only);
}

enum { EXIT_INTERRUPTED = 130 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static volatile int stop;

static void on_signal(int number)
{
  (void)number;
  stop = 1;
}

static bool number(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 0);
  return !errno && end != text && !*end && *value >= least && *value <= most;
}

/* "2/3" */
static bool part(const char *text, struct suite *suite)
{
  int end = 0;
  bool ok = sscanf(text, "%3u/%3u%n", &suite->part, &suite->parts, &end) == 2 && !text[end] &&
            suite->part >= 1 && suite->part <= suite->parts;
  suite->part -= ok;
  return ok;
}

static int usage(void)
{
  fputs("usage: faults [--seed N] [--jobs 1…64] [--only TEXT] [--list FILE] [--part K/N]\n"
        "              [--dut NAME] [--alone] [--directory DIR]\n",
        stderr);
  return 2;
}

/* Adds a score. A bug that was not tried was not asked for (--only), or it is a failure of the suite. */
static void add(const struct suite *suite, const struct score *s, unsigned *passed,
                unsigned *failed)
{
  *passed += s->found;
  *failed += s->missed + s->failed + (suite->only ? 0 : s->untried);
}

int main(int argc, char **argv)
{
  struct suite suite = {
      .directory = "build/faults",
      .lists = {"tests/faults/faults.txt", "tests/faults/faults-barrier.txt",
                "tests/faults/faults-adaptive.txt", "tests/faults/faults-coder.txt",
                "tests/faults/faults-computed.txt", "tests/faults/faults-values.txt",
                "tests/faults/faults-multicast.txt"},
      .dut = "verilator",
      .seed = 1,
      .jobs = 2,
      .parts = 1,
      .stop = &stop};
  const struct sigaction action = {.sa_handler = on_signal};
  for (int i = 1; i < argc; i++) {
    uint64_t value = 0;
    bool last = i + 1 == argc;
    if (!strcmp(argv[i], "--alone")) {
      suite.alone = true;
    } else if (last) {
      return usage();
    } else if (!strcmp(argv[i], "--only")) {
      suite.only = argv[++i];
    } else if (!strcmp(argv[i], "--list")) {
      memset(suite.lists, 0, sizeof suite.lists);
      suite.lists[0] = argv[++i];
    } else if (!strcmp(argv[i], "--dut") && hd_backend_builds_rtl(argv[i + 1])) {
      suite.dut = argv[++i];
    } else if (!strcmp(argv[i], "--directory") && strlen(argv[i + 1]) < 400) {
      suite.directory = argv[++i];
    } else if (!strcmp(argv[i], "--seed") && number(argv[++i], 0, UINT64_MAX, &value)) {
      suite.seed = value;
    } else if (!strcmp(argv[i], "--jobs") && number(argv[++i], 1, 64, &value)) {
      suite.jobs = (unsigned)value;
    } else if (!strcmp(argv[i], "--part") && part(argv[++i], &suite)) {
      ;
    } else {
      return usage();
    }
  }
  char path[600];
  mkdir("build", 0777);
  mkdir(suite.directory, 0777);
  snprintf(path, sizeof path, "%s/rtl", suite.directory);
  mkdir(path, 0777);
  snprintf(suite.cache, sizeof suite.cache, "%s/dut", suite.directory);

  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  struct hd_error err = {""};
  struct score score = {0};
  unsigned passed = 0, failed = 0;
  double begin = now();
  printf("seed %llu; replay one: build/opt/faults --seed %llu --only NAME\n\n",
         (unsigned long long)suite.seed, (unsigned long long)suite.seed);
  int status = rigs_read("tests/faults/rigs.txt", &err);
  if (!status)
    status = run_faults(&suite, &score, &passed, &failed, &err);
  if (!status)
    add(&suite, &score, &passed, &failed);
  if (status == HD_E_INTERRUPTED) {
    fputs("faults: interrupted; the same command goes on\n", stderr);
    return EXIT_INTERRUPTED;
  }
  if (status) {
    printf("not ok: %s\n", err.text);
    failed++;
  }
  printf("%.0f s; %s/*.json and *.csv\n", now() - begin, suite.directory);
  printf("%u passed, %u failed, 0 skipped\n", passed, failed);
  return failed || !passed;
}
