/* Making and ending a lockstep.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lockstep_state.h"

#include <stdlib.h>

/* What the model's switches started with (hd_fabric_create), behind the reset. */
static int configure_barrier(struct hd_lockstep *ls, struct hd_error *err)
{
  const struct hd_barrier_ways *ways = hd_fabric_barrier_ways(ls->model);
  const struct hd_dut_ops *ops = ls->params.dut;
  uint16_t idle = (uint16_t)ls->fabric_params.barrier_idle_cycles;
  int status = HD_OK;
  for (uint32_t sw = 0; ways && sw < ways->n_switches && !status; sw++) {
    for (uint32_t to = 0; to < ways->n_switches && !status; to++) {
      uint16_t mask = hd_barrier_way(ways, sw, to);
      if (mask)
        status = ops->config_write(ls->dut, sw, HD_CFG_BARRIER_WAY(to), mask, err);
    }
    if (!status)
      status = ops->config_write(ls->dut, sw, HD_CFG_SELF, (uint16_t)sw, err);
    if (!status && idle)
      status = ops->config_write(ls->dut, sw, HD_CFG_IDLE, idle, err);
  }
  return status;
}

/* Writes the routing tables to every switch of the DUT. Entries of 0 are what power-up left. */
static int configure(struct hd_lockstep *ls, struct hd_error *err)
{
  const struct hd_tables *t = ls->params.tables;
  const struct hd_dut_ops *ops = ls->params.dut;
  int status = ops->reset(ls->dut, err);
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    for (uint32_t port = 0; port < t->ports; port++)
      for (uint32_t node = 0; node < t->n_nodes && !status; node++) {
        size_t at = ((size_t)sw * t->ports + port) * t->n_nodes + node;
        if (t->destination[at])
          status = ops->config_write(ls->dut, sw, HD_CFG_DESTINATION(port, node),
                                     t->destination[at], err);
        if (!status && t->source && t->source[at])
          status = ops->config_write(ls->dut, sw, HD_CFG_SOURCE(port, node), t->source[at], err);
      }
  if (!status)
    status = ops->reset(ls->dut, err);
  return status ? status : configure_barrier(ls, err);
}

static int start_workers(struct hd_lockstep *ls, struct hd_error *err)
{
  bool all = ls->params.dut->capabilities & HD_DUT_BATCH;
  uint32_t share = ls->n_switches / (ls->params.threads * 8);
  ls->batch = all || ls->params.threads == 1 ? ls->n_switches : share ? share : 1;
  ls->at_once = all ? ls->n_switches : 1; /* else one switch's window stays in the cache */
  size_t events = (size_t)ls->at_once * ls->params.window_cycles * ls->fabric_params.sw.ports;
  size_t toggles = (size_t)ls->at_once * (ls->params.window_cycles + 1);
  ls->workers = calloc(ls->params.threads, sizeof *ls->workers);
  if (!ls->workers)
    return hd_fail(err, HD_E_NOMEM, "no memory for %u threads", ls->params.threads);
  for (uint32_t i = 0; i < ls->params.threads; i++) {
    struct worker *w = &ls->workers[i];
    w->jobs = calloc(ls->at_once, sizeof *w->jobs);
    w->asked = calloc(ls->at_once, sizeof *w->asked);
    w->expected = calloc(ls->at_once, sizeof *w->expected);
    w->unknown = calloc(ls->at_once, sizeof *w->unknown);
    w->flits = malloc(events * sizeof *w->flits);
    w->credits = malloc(events * sizeof *w->credits);
    w->toggles = malloc(toggles * sizeof *w->toggles);
    if (!w->jobs || !w->asked || !w->expected || !w->unknown || !w->flits || !w->credits ||
        !w->toggles)
      return hd_fail(err, HD_E_NOMEM, "no memory for a window of %u cycles of %u switches",
                     ls->params.window_cycles, ls->at_once);
  }
  return hd_pool_start(&ls->pool, ls->params.threads, err);
}

static int start_dut(struct hd_lockstep *ls, struct hd_error *err)
{
  const struct hd_lockstep_params *p = &ls->params;
  if (p->dut->abi != HD_DUT_ABI)
    return hd_fail(err, HD_E_INPUT, "backend %s was built for contract %u, this is %u",
                   p->dut->name, p->dut->abi, HD_DUT_ABI);
  int status = hd_contract_create(ls, err);
  if (!status) {
    hd_contract_enter(ls, "config_write");
    status = configure(ls, err);
    hd_contract_leave(ls);
  }
  if (!status && hd_history_init(ls))
    status = hd_fail(err, HD_E_NOMEM, "no memory for the history of %u switches", ls->n_switches);
  if (!status)
    status = start_workers(ls, err);
  if (!status && p->mode == HD_MODE_CLOSED) {
    struct hd_fabric_params loop = ls->fabric_params;
    loop.external_switches = true;
    status = hd_fabric_create(&ls->loop, &loop, p->topology, p->tables, err);
    if (!status && hd_record_init(&ls->loop_record, ls->n_switches))
      status = hd_fail(err, HD_E_NOMEM, "no memory for records");
  }
  if (!status && p->compare == HD_COMPARE_ORDER) {
    ls->order = hd_order_create(ls->n_switches, ls->fabric_params.sw.ports,
                                ls->fabric_params.sw.vcs, ls->fabric_params.sw.barrier);
    if (!ls->order)
      status = hd_fail(err, HD_E_NOMEM, "no memory to compare by order");
  }
  if (!status)
    status = hd_lost_create(ls, err);
  return status ? status : hd_messages_create(ls, err);
}

int hd_lockstep_create(struct hd_lockstep **lockstep, const struct hd_lockstep_params *params,
                       struct hd_error *err)
{
  *lockstep = NULL;
  if (params->compare != HD_COMPARE_EXACT && params->mode != HD_MODE_CLOSED)
    return hd_fail(err, HD_E_INPUT,
                   "comparison by order or packets needs closed loop (run.mode: closed)");
  if (!params->window_cycles || params->window_cycles > 4096)
    return hd_fail(err, HD_E_INPUT, "window_cycles is %u, must be 1 to 4096",
                   params->window_cycles);
  if (!params->threads || params->threads > HD_LOCKSTEP_THREADS)
    return hd_fail(err, HD_E_INPUT, "threads is %u, must be 1 to 64", params->threads);
  struct hd_lockstep *ls = calloc(1, sizeof *ls);
  if (!ls)
    return hd_fail(err, HD_E_NOMEM, "no memory for a lockstep");
  pthread_mutex_init(&ls->loop_lock, NULL);
  ls->params = *params;
  ls->fabric_params = *params->fabric;
  ls->fabric_params.external_switches = false;
  ls->params.fabric = &ls->fabric_params;
  if (params->mode == HD_MODE_CLOSED && params->dut)
    ls->params.window_cycles = 1;
  ls->n_switches = params->topology->n_switches;
  ls->block_size = hd_switch_size(&ls->fabric_params.sw);
  ls->digests = calloc(ls->n_switches, sizeof *ls->digests);
  int status = HD_OK;
  if (!ls->digests || hd_record_init(&ls->windows[0].record, ls->n_switches) ||
      hd_record_init(&ls->windows[1].record, ls->n_switches))
    status = hd_fail(err, HD_E_NOMEM, "no memory for records of %u switches", ls->n_switches);
  if (!status)
    status =
        hd_fabric_create(&ls->model, &ls->fabric_params, params->topology, params->tables, err);
  if (!status && params->dut)
    status = start_dut(ls, err);
  if (status) {
    hd_lockstep_destroy(ls);
    return status;
  }
  *lockstep = ls;
  return HD_OK;
}

void hd_lockstep_destroy(struct hd_lockstep *ls)
{
  if (!ls)
    return;
  hd_pool_stop(&ls->pool);
  for (uint32_t i = 0; ls->workers && i < ls->params.threads; i++) {
    struct worker *w = &ls->workers[i];
    free(w->jobs);
    free(w->asked);
    free(w->expected);
    free(w->unknown);
    free(w->flits);
    free(w->credits);
    free(w->toggles);
  }
  free(ls->workers);
  if (ls->dut) {
    hd_contract_enter(ls, "destroy");
    ls->params.dut->destroy(ls->dut);
    hd_contract_leave(ls);
  }
  hd_history_fini(ls);
  hd_order_destroy(ls->order);
  hd_order_destroy(ls->messages);
  hd_lost_destroy(ls->lost);
  hd_fabric_destroy(ls->model);
  hd_fabric_destroy(ls->loop);
  hd_record_fini(&ls->loop_record);
  hd_record_fini(&ls->windows[0].record);
  hd_record_fini(&ls->windows[1].record);
  pthread_mutex_destroy(&ls->loop_lock);
  free(ls->digests);
  free(ls);
}
