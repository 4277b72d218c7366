/* Connects endpoint software, which runs in a world, with a fabric and the fabric's manager.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Packets that software sends go to the fabric, calls for barrier groups to the manager. Each
 * cycle, software gets what the fabric has delivered and what faults have done.
 */
#ifndef HD_SOFTWARE_H
#define HD_SOFTWARE_H

#include "../backends/backend.h"
#include "../lockstep/lockstep.h"
#include "../manager/manager.h"
#include "../scenario/scenario.h"
#include "barrier_watch.h"

struct hd_software;

struct hd_software_params {
  struct hd_world_params world;           /* without hooks */
  struct hd_manager_params manager;       /* without hooks and faults */
  const struct hd_scenario_fault *faults; /* [n_faults], copied */
  uint32_t n_faults;
  struct hd_barrier_watch *watch; /* borrowed; NULL: barriers are not watched */
  void *context;
  /** Called when the fabric has accepted a packet in `cycle`. May be NULL. */
  int (*sent)(void *context, const struct hd_packet *packet, uint32_t number, uint64_t cycle,
              struct hd_error *err);
  /** As hd_manager_params.full. May be NULL. */
  void (*full)(void *context, const struct hd_full_table *table);
};

/** Fills in the parameters that a scenario gives, without watch and callbacks. Borrows scenario, topology and tables. */
void hd_software_of_scenario(struct hd_software_params *params, const struct hd_scenario *scenario,
                             const struct hd_topology *topology, const struct hd_tables *tables);

/** Fills in the parameters of lockstep that a scenario gives, for a DUT of this `quiescence`,
 *  but not DUT and hooks. Borrows fabric, topology and tables. */
void hd_lockstep_of_scenario(struct hd_lockstep_params *params, const struct hd_scenario *scenario,
                             const struct hd_fabric_params *fabric,
                             const struct hd_topology *topology, const struct hd_tables *tables,
                             enum hd_quiescence quiescence);

int hd_software_create(struct hd_software **software, const struct hd_software_params *params,
                       struct hd_error *err);
void hd_software_destroy(struct hd_software *software); /* NULL is fine */

/** Begins a cycle: faults strike, then software runs. */
int hd_software_begin(struct hd_software *software, struct hd_fabric *fabric, uint64_t cycle,
                      struct hd_error *err);
/** Ends a cycle: gives software what has arrived. Damaged packets are left out, since the
 *  comparison must find them. */
int hd_software_end(struct hd_software *software, const struct hd_fabric *fabric, uint64_t cycle,
                    struct hd_error *err);

/** Returns the next cycle in which software or a fault may act by itself; UINT64_MAX: none. */
uint64_t hd_software_next(const struct hd_software *software);

/** Return the world and the manager; borrowed. */
const struct hd_world *hd_software_world(const struct hd_software *software);
const struct hd_manager *hd_software_manager(const struct hd_software *software);

#endif
