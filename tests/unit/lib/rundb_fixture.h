/* Run databases for the tests of rundb and diff, in a directory of their own.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RUNDB_FIXTURE_H
#define HD_RUNDB_FIXTURE_H

#include "../../../bridge/record/rundb_internal.h"

#include "test.h"

struct fixture {
  char directory[64], path[3][96];
  struct hd_topology topology;
  struct hd_scenario scenario;
  struct hd_program program;
  struct hd_parameter parameters[2];
};

int fixture_setup(void **state);

int fixture_teardown(void **state);

struct hd_rundb *fixture_create(struct fixture *f, int i);

/** Packet n of the fixture's traffic. */
struct hd_rundb_packet fixture_packet(uint32_t n);

void fixture_finish(struct fixture *f, struct hd_rundb *db, uint64_t digest);

#endif
