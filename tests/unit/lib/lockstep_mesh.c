/* The mesh of 4×4 switches on which lockstep is tested, and a DUT that is slower than the model.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lockstep_mesh.h"
#include "switch_set.h"

void mesh_open(struct mesh *m)
{
  const uint32_t dims[] = {4, 4};
  *m = (struct mesh){.params = {.sw = {SIMPLE_SWITCH(5, 2, 16, 4, 16)}, .link_cycles = 1}};
  must(hd_topology_mesh(&m->topology, dims, 2, &why));
  must(hd_routing_build(&m->tables, &m->topology, HD_ROUTE_DIMENSION_ORDER, false, 2, 0, &why));
}

void mesh_close(struct mesh *m)
{
  hd_tables_fini(&m->tables);
  hd_topology_fini(&m->topology);
}

int mesh_run(const struct mesh *m, struct hd_lockstep_params params, uint64_t cycles,
             struct hd_lockstep_result *result, struct hd_error *err)
{
  struct hd_lockstep *lockstep;
  params.fabric = &m->params;
  params.topology = &m->topology;
  params.tables = &m->tables;
  int status = hd_lockstep_create(&lockstep, &params, err);
  if (!status) {
    status = hd_lockstep_run(lockstep, cycles, result, err);
    hd_lockstep_destroy(lockstep);
  }
  return status;
}

int slow_create(struct hd_dut **dut, const struct hd_switch_params *params, uint32_t count,
                const char *options, struct hd_error *err)
{
  struct hd_switch_params slow = *params;
  slow.route_cycles = slow.arb_cycles = 2;
  slow.buffer_cycles = 1;
  return hd_dut_model_backend()->create(dut, &slow, count, options, err);
}
