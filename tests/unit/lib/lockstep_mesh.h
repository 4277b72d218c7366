/* The mesh of 4×4 switches on which lockstep is tested, and a DUT that is slower than the model.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_LOCKSTEP_MESH_H
#define HD_TEST_LOCKSTEP_MESH_H

#include "../../../bridge/backends/backend.h"
#include "../../../bridge/lockstep/lockstep.h"
#include "test.h"

CLEANUP_OF(struct hd_lockstep, hd_lockstep_destroy)

/** A node on each switch, at port 0, and routes by dimension. `params` may be changed before a run. */
struct mesh {
  struct hd_topology topology;
  struct hd_tables tables;
  struct hd_fabric_params params;
};
void mesh_open(struct mesh *m);
void mesh_close(struct mesh *m);

/** Carries out a run. `params` name all but the fabric. Returns the status of creating or of running it. */
int mesh_run(const struct mesh *m, struct hd_lockstep_params params, uint64_t cycles,
             struct hd_lockstep_result *result, struct hd_error *err);

/** `create` of the model with longer pipelines. */
int slow_create(struct hd_dut **dut, const struct hd_switch_params *params, uint32_t count,
                const char *options, struct hd_error *err);

#endif
