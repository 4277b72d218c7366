/* Memory of a run does not grow with its cycles.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Linked with --wrap, so that allocations of Heddle's own code come here: they are counted. Those of shared libraries do not.
 */
#include "../../bridge/backends/backend.h"
#include "../../bridge/run/latency.h"
#include "../../bridge/run/run.h"
#include "../../sw/runtime/world.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static atomic_llong live, peak; /* bytes */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *p);

static void *taken(void *p)
{
  long long now =
      atomic_fetch_add(&live, (long long)malloc_usable_size(p)) + (long long)malloc_usable_size(p);
  for (long long most = atomic_load(&peak);
       now > most && !atomic_compare_exchange_weak(&peak, &most, now);)
    ;
  return p;
}

void *__wrap_malloc(size_t size)
{
  void *p = __real_malloc(size);
  return p ? taken(p) : NULL;
}

void *__wrap_calloc(size_t n, size_t size)
{
  void *p = __real_calloc(n, size);
  return p ? taken(p) : NULL;
}

void *__wrap_realloc(void *old, size_t size)
{
  long long before = (long long)malloc_usable_size(old);
  void *p = __real_realloc(old, size);
  if (!p)
    return NULL;
  atomic_fetch_sub(&live, before);
  return taken(p);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
  void *p = __real_aligned_alloc(alignment, size);
  return p ? taken(p) : NULL;
}

char *__wrap_strdup(const char *text)
{
  size_t size = strlen(text) + 1;
  char *p = __wrap_malloc(size);
  return p ? memcpy(p, text, size) : NULL;
}

void __wrap_free(void *p)
{
  atomic_fetch_sub(&live, (long long)malloc_usable_size(p));
  __real_free(p);
}

/* ── a long run ────────────────────────────────────────────────────────────── */

#define UNIFORM "software: {program: uniform, parameters: {load: 0.3, flits: 2, cycles: 1000000}}\n"

/* The most bytes that a run of so many cycles holds at once; *packets: that it received. */
static long long bytes_of_run(const char *lines, const char *dut, enum hd_mode mode,
                              uint64_t cycles, uint64_t *packets)
{
  char text[1024], directory[] = "/tmp/heddle-memory-XXXXXX", path[64];
  struct hd_run_report report;
  struct hd_error err = {""};
  snprintf(text, sizeof text,
           "name: memory\n"
           "fabric: {topology: mesh, dims: [4, 4]}\n"
           "switch: {vcs: 2, data_bits: 32, depth_flits: 4}\n"
           "trace: {packets: false, hops: false, waves: false}\n%s",
           lines);
  assert_non_null(mkdtemp(directory));
  struct hd_run_options options = {.scenario_path = "memory.yaml",
                                   .scenario_text = text,
                                   .dut = dut,
                                   .has_mode = true,
                                   .mode = mode,
                                   .cycles = cycles,
                                   .window_cycles = 64,
                                   .out_dir = directory};
  long long before = atomic_load(&live);
  atomic_store(&peak, before);
  int status = hd_run(&options, &report, &err);
  if (status && status != HD_E_BUDGET) /* software that is cut off by run.cycles */
    fail_msg("%s: %s", dut, err.text);
  long long most = atomic_load(&peak) - before;
  assert_true(report.result.cycles == cycles);
  *packets = report.counters.packets_received;
  hd_run_report_fini(&report);
  static const char *const files[] = {"run.db",      "results.xml",    "report.json", "report.csv",
                                      "latency.csv", "statistics.csv", "barriers.csv"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    snprintf(path, sizeof path, "%s/%s", directory, files[i]);
    unlink(path);
  }
  rmdir(directory);
  return most;
}

static void memory_of_a_run_does_not_grow_with_its_cycles(void **state)
{
  (void)state;
  static const struct {
    const char *name, *lines, *dut;
    enum hd_mode mode;
  } cases[] = {
      {"model alone", UNIFORM, "none", HD_MODE_DECOUPLED},
      {"decoupled", UNIFORM, "model", HD_MODE_DECOUPLED},
      {"closed", UNIFORM, "model", HD_MODE_CLOSED},
      {"closed, by order", UNIFORM "run: {mode: closed, compare: order}\n", "model",
       HD_MODE_CLOSED},
      {"closed, by packets", UNIFORM "run: {mode: closed, compare: packets}\n", "model",
       HD_MODE_CLOSED},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint64_t packets[2];
    long long bytes[2];
    for (unsigned k = 0; k < 2; k++)
      bytes[k] =
          bytes_of_run(cases[i].lines, cases[i].dut, cases[i].mode, k ? 40000 : 10000, &packets[k]);
    printf("%s: %lld bytes for %llu packets, %lld for %llu\n", cases[i].name, bytes[0],
           (unsigned long long)packets[0], bytes[1], (unsigned long long)packets[1]);
    assert_true(packets[0] > 10000 && packets[1] > 3 * packets[0]);
    /* Packets under way are a matter of chance: their table may double. */
    assert_true(bytes[1] <= bytes[0] + 32768);
  }
}

static void latencies_are_counted_not_kept(void **state)
{
  (void)state;
  enum { DIFFERENT = 3000, EACH = 300 };
  struct hd_latency l = {0};
  for (uint64_t i = 0; i < (uint64_t)DIFFERENT * EACH; i++)
    assert_int_equal(hd_latency_add(&l, HD_LATENCY_NEAR + 7 * (i % DIFFERENT)), 0);
  assert_in_range(l.cap_far, DIFFERENT, 4 * DIFFERENT);
  for (unsigned percent = 1; percent <= 100; percent++)
    assert_int_equal(hd_latency_percentile(&l, percent),
                     HD_LATENCY_NEAR + 7 * (DIFFERENT / 100 * percent - 1));
  assert_int_equal(l.n_far, DIFFERENT);
  for (size_t i = 0; i < l.n_far; i++)
    assert_true(l.far[i].cycles == HD_LATENCY_NEAR + 7 * i && l.far[i].packets == EACH);
  hd_latency_fini(&l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_of_a_run_does_not_grow_with_its_cycles),
      cmocka_unit_test(latencies_are_counted_not_kept),
  };
  return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
