/* The memory of a run does not grow with its cycles. Functions that get no memory end cleanly.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Linked with --wrap, so that allocations of Heddle's own code come here: they are counted, filled with garbage, and
 * one of them can fail. Those of shared libraries do not.
 */
#include "../../../bridge/backends/backend.h"
#include "../../../bridge/host/file.h"
#include "../../../bridge/report/latency.h"
#include "../../../bridge/run/run.h"
#include "../../../cmodel/routing/routing.h"
#include "../../../sw/runtime/world.h"
#include "../lib/switch_set.h"
#include "../lib/test.h"

#include <malloc.h>
#include <stdatomic.h>

static atomic_llong bytes_live, bytes_peak; /* bytes */
static atomic_llong allocations_until_failure =
    -1; /* allocations until one fails; < 0: none does */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *p);

static bool allocation_fails(void)
{
  return atomic_load(&allocations_until_failure) >= 0 &&
         atomic_fetch_sub(&allocations_until_failure, 1) == 0;
}

static void *count_allocation(void *p)
{
  long long now = atomic_fetch_add(&bytes_live, (long long)malloc_usable_size(p)) +
                  (long long)malloc_usable_size(p);
  for (long long most = atomic_load(&bytes_peak);
       now > most && !atomic_compare_exchange_weak(&bytes_peak, &most, now);)
    ;
  return p;
}

void *__wrap_malloc(size_t size)
{
  void *p = allocation_fails() ? NULL : __real_malloc(size);
  return p ? count_allocation(memset(p, 0xa5, size)) : NULL;
}

void *__wrap_calloc(size_t n, size_t size)
{
  void *p = allocation_fails() ? NULL : __real_calloc(n, size);
  return p ? count_allocation(p) : NULL;
}

void *__wrap_realloc(void *old, size_t size)
{
  long long before = (long long)malloc_usable_size(old);
  void *p = allocation_fails() ? NULL : __real_realloc(old, size);
  if (!p)
    return NULL;
  atomic_fetch_sub(&bytes_live, before);
  return count_allocation(p);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
  void *p = allocation_fails() ? NULL : __real_aligned_alloc(alignment, size);
  return p ? count_allocation(memset(p, 0xa5, size)) : NULL;
}

char *__wrap_strdup(const char *text)
{
  size_t size = strlen(text) + 1;
  char *p = __wrap_malloc(size);
  return p ? memcpy(p, text, size) : NULL;
}

void __wrap_free(void *p)
{
  atomic_fetch_sub(&bytes_live, (long long)malloc_usable_size(p));
  __real_free(p);
}

/* ── a long run ────────────────────────────────────────────────────────────── */

#define UNIFORM "software: {program: uniform, parameters: {load: 0.3, flits: 2, cycles: 1000000}}\n"

/* The most bytes that a run of so many cycles holds at once; *packets: that it received. */
static long long bytes_of_run(const char *lines, const char *dut, enum hd_mode mode,
                              uint64_t cycles, uint64_t *packets)
{
  char text[1024], directory[] = "/tmp/heddle-memory-XXXXXX";
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
  long long before = atomic_load(&bytes_live);
  atomic_store(&bytes_peak, before);
  int status = hd_run(&options, &report, &err);
  if (status && status != HD_E_BUDGET) /* software that is cut off by run.cycles */
    fail_msg("%s: %s", dut, err.text);
  long long most = atomic_load(&bytes_peak) - before;
  assert_true(report.result.cycles - report.result.drain_cycles == cycles);
  *packets = report.counters.packets_received;
  hd_run_report_fini(&report);
  assert_int_equal(hd_tree_remove(directory, NULL), 0);
  return most;
}

TEST(memory_of_a_run_does_not_grow_with_its_cycles)
{
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
    /* The number of packets under way is random, so their table may double. */
    assert_true(bytes[1] <= bytes[0] + 32768);
  }
}

TEST(latencies_are_counted_and_not_stored)
{
  enum { DIFFERENT = 3000, EACH = 300 };
  CLEANUP(hd_latency_fini) struct hd_latency l = {0};
  for (uint64_t i = 0; i < (uint64_t)DIFFERENT * EACH; i++)
    hd_latency_add(&l, HD_LATENCY_NEAR + 7 * (i % DIFFERENT));
  assert_in_range(l.cap_far, DIFFERENT, 4 * DIFFERENT);
  for (unsigned percent = 1; percent <= 100; percent++)
    assert_int_equal(hd_latency_percentile(&l, 10 * percent),
                     HD_LATENCY_NEAR + 7 * (DIFFERENT / 100 * percent - 1));
  assert_int_equal(l.n_far, DIFFERENT);
  for (size_t i = 0; i < l.n_far; i++)
    assert_true(l.far[i].cycles == HD_LATENCY_NEAR + 7 * i && l.far[i].packets == EACH);
}

/* ── no memory ─────────────────────────────────────────────────────────────── */

static struct hd_topology mesh;
static struct hd_tables tables;

static int make_topology(struct hd_error *err)
{
  struct hd_topology t;
  int status = hd_topology_irregular(&t, 12, 3, 1, err);
  if (!status)
    hd_topology_fini(&t);
  return status;
}

static int make_one_way(struct hd_error *err)
{
  const struct hd_topology_shape shape = {.k = 2, .n = 2};
  struct hd_topology_figures figures;
  struct hd_topology t;
  int status = hd_topology_build(&t, HD_TOPO_OMEGA, &shape, NULL, err);
  if (status)
    return status;
  status = hd_topology_measure(&t, &figures, err);
  if (!status)
    status = hd_topology_widen(&t, 4, err);
  hd_topology_fini(&t);
  return status;
}

static int make_tables(struct hd_error *err)
{
  struct hd_tables made;
  int status = hd_routing_build(&made, &mesh, HD_ROUTE_UP_DOWN, false, 2, 0, err);
  if (status)
    return status;
  status = hd_routing_check(&made, &mesh, 2, false, err);
  hd_tables_fini(&made);
  return status;
}

static struct hd_fabric_params fabric_params(bool external, bool faults)
{
  return (struct hd_fabric_params){.sw = {SIMPLE_SWITCH(5, 2, 16, 4, 16), .switches = 16,
                                          .groups = 4,
                                          .barrier = external ? HD_BARRIER_NONE : HD_BARRIER_ANY},
                                   .link_cycles = 1,
                                   .external_switches = external,
                                   .faults = faults};
}

static int make_fabric(bool external, struct hd_error *err)
{
  struct hd_fabric_params params = fabric_params(external, !external);
  struct hd_fabric *fabric;
  int status = hd_fabric_create(&fabric, &params, &mesh, &tables, err);
  if (status)
    return status;
  /* The packet that is copied, and the packet that it is copied into. */
  struct hd_packet packet = {
      .source = 0, .destination = 15, .flits = 3, .payload = (uint64_t[2]){0}};
  uint32_t number;
  status = hd_fabric_send(fabric, &packet, &number, err);
  for (int i = 0; i < 60 && !status; i++)
    status = hd_fabric_step(fabric, err);
  hd_fabric_destroy(fabric);
  return status;
}

static int make_own_fabric(struct hd_error *err)
{
  return make_fabric(false, err);
}

static int make_external_fabric(struct hd_error *err)
{
  return make_fabric(true, err);
}

static int make_lockstep(enum hd_mode mode, enum hd_compare compare, struct hd_error *err)
{
  struct hd_fabric_params fabric = fabric_params(true, false);
  struct hd_lockstep_params params = {.fabric = &fabric,
                                      .topology = &mesh,
                                      .tables = &tables,
                                      .dut = hd_dut_model_backend(),
                                      .mode = mode,
                                      .compare = compare,
                                      .window_cycles = 16,
                                      .threads = 2};
  struct hd_lockstep *lockstep;
  int status = hd_lockstep_create(&lockstep, &params, err);
  if (!status)
    hd_lockstep_destroy(lockstep);
  return status;
}

static int make_decoupled(struct hd_error *err)
{
  return make_lockstep(HD_MODE_DECOUPLED, HD_COMPARE_EXACT, err);
}

static int make_by_order(struct hd_error *err)
{
  return make_lockstep(HD_MODE_CLOSED, HD_COMPARE_ORDER, err);
}

static int make_by_packets(struct hd_error *err)
{
  return make_lockstep(HD_MODE_CLOSED, HD_COMPARE_PACKETS, err);
}

/* Each allocation fails once. The function must report it, free all its memory, and free nothing that was not
 * allocated. */
TEST(every_failed_allocation_is_reported_and_leaks_nothing)
{
  static const struct {
    const char *name;
    int (*make)(struct hd_error *err);
  } cases[] = {
      {"topology", make_topology},
      {"one-way topology, its figures", make_one_way},
      {"tables", make_tables},
      {"fabric", make_own_fabric},
      {"fabric of external switches", make_external_fabric},
      {"lockstep, decoupled", make_decoupled},
      {"lockstep, by order", make_by_order},
      {"lockstep, by packets", make_by_packets},
  };
  struct hd_error err = {""};
  assert_int_equal(hd_topology_mesh(&mesh, (uint32_t[2]){4, 4}, 2, &err), 0);
  assert_int_equal(hd_routing_build(&tables, &mesh, HD_ROUTE_DIMENSION_ORDER, false, 2, 0, &err),
                   0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    long long before = atomic_load(&bytes_live), failed = 0;
    for (;; failed++) {
      err.text[0] = '\0';
      atomic_store(&allocations_until_failure, failed);
      int status = cases[i].make(&err);
      bool failing = atomic_exchange(&allocations_until_failure, -1) < 0;
      if (status != (failing ? HD_E_NOMEM : HD_OK) || (failing && !err.text[0]))
        fail_msg("%s, allocation %lld: status %d, '%s'", cases[i].name, failed, status, err.text);
      if (atomic_load(&bytes_live) != before)
        fail_msg("%s, allocation %lld: %lld bytes are left", cases[i].name, failed,
                 (long long)atomic_load(&bytes_live) - before);
      if (!failing)
        break;
    }
    printf("%s: %lld allocations failed\n", cases[i].name, failed);
    assert_true(failed > 0);
  }
  hd_tables_fini(&tables);
  hd_topology_fini(&mesh);
}
