/* Endpoint software on a fabric: the world and the fabric's manager, put together.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The world's hooks end here: packets go to the fabric, barrier groups to the manager. Each cycle
 * brings back what the fabric delivered and what faults did.
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
  /** The fabric has taken a packet in `cycle`. May be NULL. */
  int (*sent)(void *context, const struct hd_packet *packet, uint32_t number, uint64_t cycle,
              struct hd_error *err);
  /** The callback of struct hd_manager_params of this name. */
  void (*full)(void *context, const struct hd_full_table *table);
};

/** Fills in the parameters that a scenario gives, without watch and callbacks. Borrows scenario, topology and tables. */
void hd_software_of_scenario(struct hd_software_params *params, const struct hd_scenario *scenario,
                             const struct hd_topology *topology, const struct hd_tables *tables);

/** Fills in the parameters of lockstep that a scenario gives, for a DUT of this `quiescence`; neither DUT nor hooks.
 *  Borrows fabric, topology and tables. */
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

/** The next cycle in which software or a fault may act by itself; UINT64_MAX: none. */
uint64_t hd_software_next(const struct hd_software *software);

/** Borrowed. */
const struct hd_world *hd_software_world(const struct hd_software *software);
const struct hd_manager *hd_software_manager(const struct hd_software *software);

#endif
