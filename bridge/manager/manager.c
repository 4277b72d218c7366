/* Creates the manager, runs it cycle by cycle, and answers questions.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../host/memory.h"
#include "manager_internal.h"

struct hd_manager *hd_manager_create(const struct hd_manager_params *params)
{
  struct hd_manager *m = hd_xcalloc(1, sizeof *m);
  m->params = *params;
  m->params.faults = NULL;
  hd_manager_faults_init(m, params->faults, params->n_faults);
  return m;
}

void hd_manager_destroy(struct hd_manager *m)
{
  if (!m)
    return;
  hd_manager_forget_groups(m);
  free(m->entries);
  free(m->chains);
  free(m->trees);
  free(m->faults);
  hd_barrier_ways_fini(&m->ways);
  hd_tables_fini(&m->tables);
  free(m->live);
  free(m->lost);
  free(m->unreachable);
  free(m);
}

int hd_manager_write(struct hd_manager *m, uint32_t sw, uint32_t addr, uint16_t data,
                     uint64_t *ready, struct hd_error *err)
{
  uint64_t cycle;
  int status = hd_fabric_config(m->fabric, sw, addr, data, &cycle, err);
  if (!status && cycle + 1 > *ready)
    *ready = cycle + 1;
  return status;
}

const struct hd_barrier_ways *hd_manager_ways(const struct hd_manager *m)
{
  return m->ways.masks ? &m->ways : hd_fabric_barrier_ways(m->fabric);
}

const struct hd_tables *hd_manager_tables(const struct hd_manager *m)
{
  return m->tables.destination ? &m->tables : m->params.tables;
}

const struct hd_fault_state *hd_manager_faults(const struct hd_manager *m, uint32_t *n)
{
  *n = m->n_faults;
  return m->faults;
}

const struct hd_unreachable *hd_manager_unreachable(const struct hd_manager *m, uint32_t *n)
{
  *n = m->n_unreachable;
  return m->unreachable;
}

const struct hd_lost_packet *hd_manager_lost(const struct hd_manager *m, size_t *n)
{
  *n = m->lost_n;
  return m->lost;
}

uint32_t hd_manager_droppers(const struct hd_manager *m, const struct hd_fabric *fabric)
{
  uint32_t n = 0;
  for (uint32_t sw = 0; m->n_faults && sw < m->params.topology->n_switches; sw++)
    n += (hd_switch_config_read(hd_fabric_switch(fabric, sw), HD_CFG_ERRORS) &
          (HD_ERR_UNREACHABLE | HD_ERR_GROUP | HD_ERR_DUPLICATE | HD_ERR_TABLE)) != 0;
  return n;
}
