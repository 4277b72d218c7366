/* Run databases for the tests of rundb and diff, in a directory of their own.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rundb_fixture.h"
#include "switch_set.h"

int fixture_setup(void **state)
{
  struct fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  *state = f;
  snprintf(f->directory, sizeof f->directory, "/tmp/heddle-rundb-XXXXXX");
  assert_non_null(mkdtemp(f->directory));
  for (int i = 0; i < 3; i++)
    snprintf(f->path[i], sizeof f->path[i], "%s/run%d.db", f->directory, i);
  f->program = (struct hd_program){.name = "uniform"};
  /* Strings that live as long as the fixture. */
  static char names[][16] = {"small", "small.yaml", "name: small\n", "model",
                             "load",  "file",       "it's"};
  f->parameters[0] = (struct hd_parameter){.key = names[4], .number = 0.1};
  f->parameters[1] = (struct hd_parameter){.key = names[5], .text = names[6]};
  f->scenario = (struct hd_scenario){
      .name = names[0],
      .path = names[1],
      .text = names[2],
      .fabric = {.topology = HD_TOPO_MESH,
                 .shape = {.dims = {2, 2}, .n_dims = 2},
                 .link_cycles = 1},
      .sw = {SIMPLE_SWITCH(5, 2, 16, 4, 4)},
      .software = {.program = &f->program,
                   .packet_bytes = 256,
                   .parameters = f->parameters,
                   .n_parameters = 2},
      .seed = UINT64_MAX - 1, /* more than SQLite's integers hold */
      .run = {.cycles = 1000, .window_cycles = 7, .threads = 2, .dut = names[3]},
  };
  uint32_t dims[2] = {2, 2};
  assert_int_equal(hd_topology_mesh(&f->topology, dims, 2, NULL), 0);
  return 0;
}

int fixture_teardown(void **state)
{
  CLEANUP(free_at) struct fixture *f = *state;
  for (int i = 0; i < 3; i++) {
    static const char *const ends[] = {"-wal", "-shm"};
    for (int k = 0; k < 2; k++) {
      char log[112];
      snprintf(log, sizeof log, "%s%s", f->path[i], ends[k]);
      unlink(log);
    }
    unlink(f->path[i]);
  }
  rmdir(f->directory);
  hd_topology_fini(&f->topology);
  return 0;
}

struct hd_rundb *fixture_create(struct fixture *f, int i)
{
  struct hd_rundb *db;
  struct hd_rundb_start start = {
      .scenario = &f->scenario, .topology = &f->topology, .dut_about = "the model"};
  must(hd_rundb_create(&db, f->path[i], &start, &why));
  return db;
}

struct hd_rundb_packet fixture_packet(uint32_t n)
{
  return (struct hd_rundb_packet){.number = n,
                                  .source = n % 4,
                                  .destination = (n + 1) % 4,
                                  .flits = 4,
                                  .created = 10 * n,
                                  .received = 10 * n + 12,
                                  .synthetic = true,
                                  .intact = true};
}

void fixture_finish(struct fixture *f, struct hd_rundb *db, uint64_t digest)
{
  const struct hd_rundb_result results[] = {
      {"status", NULL, true, {.type = HD_VALUE_WORD, .text = "passed"}},
      {"cycles", "cycles", true, {.type = HD_VALUE_COUNT, .number = 1000}},
      {"cycles_compared", "cycles", true, {.type = HD_VALUE_COUNT, .number = 1000}},
      {"digest", NULL, true, {.type = HD_VALUE_HEX, .number = digest}},
      {"packets_sent", "packets", true, {.type = HD_VALUE_COUNT, .number = 3}},
      {"latency.mean", "cycles", true, {.type = HD_VALUE_REAL, .real = 12.5}},
      {"quiescent", NULL, false, {.type = HD_VALUE_NONE}},
  };
  struct hd_rundb_end end = {.results = results, .n_results = sizeof results / sizeof *results};
  must(hd_rundb_finish(db, &f->topology, &end, &why));
  hd_rundb_close(db);
}
