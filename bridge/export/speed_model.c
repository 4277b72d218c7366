/* Runs a scenario on the model, with the signatures of its switches (specification 9.6, 9.7).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "speed_model.h"

#include "../backends/board/board_stimulus.h"
#include "../../sw/programs/programs.h"
#include "../host/memory.h"
#include "../run/software.h"

#include <stdlib.h>
#include <string.h>

struct hd_speed_model {
  struct hd_software *software;
  struct hd_fabric *fabric;
  struct hd_record record; /* events of the last window */
  struct hd_board_shape shape;
  uint32_t nodes, switches, n; /* n: signatures of one switch */
  uint32_t *signatures;        /* [switches * n] */
};

static struct hd_board_shape shape_of(const struct hd_switch_params *sw)
{
  return (struct hd_board_shape){.ports = sw->ports,
                                 .vcs = sw->vcs,
                                 .data_bits = sw->data_bits,
                                 .barrier = sw->barrier != 0,
                                 .counts = hd_switch_counts(sw)};
}

int hd_speed_scenario_read(struct hd_scenario *scenario, const char *path,
                           const struct hd_setting *settings, size_t n, struct hd_error *err)
{
  struct hd_setting *all = hd_xcalloc(n + 1, sizeof *all);
  if (n)
    memcpy(all, settings, n * sizeof *all);
  all[n] = (struct hd_setting){"software.parameters.cycles", "0"};
  int status = hd_scenario_read_set(scenario, NULL, path, settings, n, err);
  if (!status) {
    /* Other programs may lack such a parameter. The caller refuses them by name. */
    const bool ours = scenario->software.program == &hd_program_chip_traffic;
    hd_scenario_fini(scenario);
    *scenario = (struct hd_scenario){0};
    status = hd_scenario_read_set(scenario, NULL, path, all, ours ? n + 1 : n, err);
  }
  free(all);
  return status;
}

uint32_t hd_speed_signatures(const struct hd_scenario *scenario, uint32_t switches)
{
  const struct hd_board_shape shape = shape_of(&scenario->sw);
  return hd_board_signatures(&shape) * switches;
}

int hd_speed_model_create(struct hd_speed_model **model, const struct hd_scenario *scenario,
                          const struct hd_topology *topology, const struct hd_tables *tables,
                          struct hd_error *err)
{
  const struct hd_fabric_params params = hd_scenario_fabric(scenario);
  struct hd_speed_model *m = hd_xcalloc(1, sizeof *m);
  struct hd_software_params software;
  m->shape = shape_of(&scenario->sw);
  m->nodes = topology->n_nodes;
  m->switches = topology->n_switches;
  m->n = hd_board_signatures(&m->shape);
  m->signatures = hd_xcalloc((size_t)m->switches * m->n, sizeof *m->signatures);
  hd_software_of_scenario(&software, scenario, topology, tables);
  int status = hd_software_create(&m->software, &software, err);
  if (!status)
    status = hd_fabric_create(&m->fabric, &params, topology, tables, err);
  if (!status && hd_record_init(&m->record, m->switches))
    hd_memory_end();
  if (status)
    hd_speed_model_destroy(m);
  *model = status ? NULL : m;
  return status;
}

void hd_speed_model_destroy(struct hd_speed_model *m)
{
  if (!m)
    return;
  hd_record_fini(&m->record);
  hd_fabric_destroy(m->fabric);
  hd_software_destroy(m->software);
  free(m->signatures);
  free(m);
}

static struct hd_dut_expected expected_of(const struct hd_switch_record *r)
{
  return (struct hd_dut_expected){.flits = r->flits_out,
                                  .credits = r->credits_out,
                                  .toggles = r->toggles,
                                  .n_flits = r->n_flits_out,
                                  .n_credits = r->n_credits_out,
                                  .n_toggles = r->n_toggles,
                                  .quiescent = r->quiescent_at_start};
}

static void add_signatures(const struct hd_speed_model *m, uint32_t from, uint32_t to,
                           uint32_t *signatures)
{
  for (uint32_t sw = 0; sw < m->switches; sw++) {
    const struct hd_dut_expected expected = expected_of(&m->record.switches[sw]);
    hd_board_sign_continue(&m->shape, &expected, from, to, signatures + (size_t)sw * m->n);
  }
}

int hd_speed_model_run(struct hd_speed_model *m, uint32_t cycles, struct hd_error *err)
{
  int status = HD_OK;
  hd_fabric_record_begin(m->fabric, &m->record);
  for (uint32_t i = 0; i < cycles && !status; i++) {
    const uint64_t cycle = hd_fabric_cycle(m->fabric);
    status = hd_software_begin(m->software, m->fabric, cycle, err);
    if (!status)
      status = hd_fabric_step(m->fabric, err);
    if (!status)
      status = hd_software_end(m->software, m->fabric, cycle, err);
  }
  const int ended = hd_fabric_record_end(m->fabric, status ? NULL : err);
  status = status ? status : ended;
  if (!status)
    add_signatures(m, 0, cycles, m->signatures);
  return status;
}

const uint32_t *hd_speed_model_signatures(const struct hd_speed_model *m)
{
  return m->signatures;
}

void hd_speed_model_part(const struct hd_speed_model *m, uint32_t from, uint32_t to,
                         uint32_t *signatures)
{
  memset(signatures, 0, (size_t)m->switches * m->n * sizeof *signatures);
  add_signatures(m, from, to, signatures);
}

void hd_speed_model_packets(const struct hd_speed_model *m, uint64_t *sent, uint64_t *received,
                            uint64_t *barriers)
{
  struct hd_fabric_counters counters;
  hd_fabric_counters(m->fabric, &counters);
  *sent = counters.packets_sent;
  *received = counters.packets_received;
  *barriers = counters.barriers_received / m->nodes;
}
