/* make check-measure: how long does heddle check take to find planted bugs?
 * SPDX-License-Identifier: Apache-2.0
 *
 * usage: measure HEDDLE [--every N] [--from K] [--only TEXT] [--minutes M]
 *        [--directory DIR] [--list FILE]
 * Runs in the root of the tree. Each bug's switches are built anew; Verilator's runtime library is not.
 */
#include "../faults/plant.h"

#include "../../bridge/host/file.h"
#include "../../bridge/host/tool_run.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

struct arguments {
  const char *heddle, *only, *minutes, *directory;
  const char *lists[2]; /* of bugs; the second may be NULL */
  size_t every, from;
};

/* Outcome for a bug: the verdict of check.json, and the time it took. */
struct found {
  char verdict[32], by[128];
  double first_seconds; /* from the start to the first difference; < 0: none */
  double seconds, processor_seconds;
};

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Processor seconds of all processes that have ended. */
static double processor(void)
{
  struct rusage u;
  getrusage(RUSAGE_CHILDREN, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void read_json(const char *path, struct found *f)
{
  json_t *json = json_load_file(path, 0, NULL);
  json_t *first = json_object_get(json, "first_difference_seconds");
  const char *verdict = json_string_value(json_object_get(json, "verdict"));
  const char *by = json_string_value(
      json_object_get(json_array_get(json_object_get(json, "differences"), 0), "signature"));
  snprintf(f->verdict, sizeof f->verdict, "%s", verdict ? verdict : "no verdict");
  snprintf(f->by, sizeof f->by, "%s", by ? by : "");
  f->first_seconds = json_is_number(first) ? json_number_value(first) : -1;
  json_decref(json);
}

static int try_bug(const struct arguments *a, const struct fault *fault, struct found *f,
                   struct hd_error *err)
{
  char rtl[1024], out[1024], cache[1024], json[1100];
  const char *const argv[] = {
      a->heddle, "check",   rtl,   "--minutes", a->minutes,         "--failures", "1", "--out",
      out,       "--cache", cache, "--quiet",   "--shrink-seconds", "0",          NULL};
  const struct hd_tool tool = {.argv = argv, .package = "heddle"};
  int code = 0;
  snprintf(rtl, sizeof rtl, "%s/rtl/%s", a->directory, fault->name);
  snprintf(out, sizeof out, "%s/out/%s", a->directory, fault->name);
  snprintf(cache, sizeof cache, "%s/dut", a->directory);
  snprintf(json, sizeof json, "%s/check.json", out);
  int status = hd_tree_remove(out, err);
  if (!status)
    status = fault_plant(fault, "rtl", rtl, err);
  double began = now(), used = processor();
  if (!status)
    status = hd_tool_run(&tool, &code, err);
  f->seconds = now() - began;
  f->processor_seconds = processor() - used;
  if (!status)
    read_json(json, f);
  return status;
}

static int usage(void)
{
  fputs("usage: measure HEDDLE [--every N] [--from K] [--only TEXT] [--minutes M] [--directory "
        "DIR] [--list FILE]\n",
        stderr);
  return 2;
}

static void make_directories(const char *directory)
{
  static const char *const parts[] = {"", "/rtl", "/out"};
  char path[1024];
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    snprintf(path, sizeof path, "%s%s", directory, parts[i]);
    mkdir(path, 0777);
  }
}

static bool number(const char *text, size_t *value)
{
  char *end;
  *value = strtoul(text, &end, 10);
  return end != text && !*end;
}

static bool read_arguments(struct arguments *a, int argc, char **argv)
{
  bool fine = argc >= 2 && argc % 2 == 0;
  for (int i = 2; fine && i < argc; i += 2) {
    const char *value = argv[i + 1];
    if (!strcmp(argv[i], "--only"))
      a->only = value;
    else if (!strcmp(argv[i], "--minutes"))
      a->minutes = value;
    else if (!strcmp(argv[i], "--list"))
      a->lists[0] = value, a->lists[1] = NULL;
    else if (!strcmp(argv[i], "--directory") && strlen(value) < 900)
      a->directory = value;
    else if (!strcmp(argv[i], "--every"))
      fine = number(value, &a->every) && a->every;
    else
      fine = !strcmp(argv[i], "--from") && number(value, &a->from);
  }
  a->heddle = fine ? argv[1] : NULL;
  return fine;
}

int main(int argc, char **argv)
{
  struct arguments a = {.minutes = "5",
                        .directory = "build/check",
                        .lists = {"tests/faults/faults.txt", "tests/faults/faults-barrier.txt"},
                        .every = 1};
  struct fault_list list = {0};
  struct hd_error err = {""};
  unsigned found = 0, tried = 0;
  int status = 0;
  if (!read_arguments(&a, argc, argv))
    return usage();
  make_directories(a.directory);
  for (size_t i = 0; !status && i < 2 && a.lists[i]; i++)
    status = fault_list_read(&list, a.lists[i], &err);
  printf("%-29s %-8s %7s %9s  %s\n", "fault", "verdict", "first/s", "processor", "by");
  for (size_t i = a.from; !status && i < list.n; i += a.every) {
    struct found f = {.first_seconds = -1};
    if (a.only && !strstr(list.faults[i].name, a.only))
      continue;
    status = try_bug(&a, &list.faults[i], &f, &err);
    if (status)
      break;
    bool hit = !strcmp(f.verdict, "different");
    printf("%-29s %-8s %7.1f %9.1f  %s\n", list.faults[i].name, hit ? "found" : "MISSED",
           f.first_seconds, f.processor_seconds, hit ? f.by : f.verdict);
    fflush(stdout);
    tried++;
    found += hit;
  }
  if (status)
    printf("not ok: %s\n", err.text);
  else
    printf("%u of %u found within %s minutes each\n", found, tried, a.minutes);
  fault_list_fini(&list);
  return status || !tried || found != tried;
}
