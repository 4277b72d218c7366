/* Runs one scenario and checks its results.
 * SPDX-License-Identifier: Apache-2.0
 *
 * It uses the parts of `heddle run`, without database and report. A scenario that compares by order or by packets also
 * runs as a whole, as `heddle run` does it.
 */
#include "soak.h"

#include "../../host/file.h"
#include "../../invariants/tree_check.h"
#include "../../lockstep/lockstep.h"
#include "../../run/fault_report.h"
#include "../../run/run.h"
#include "../../run/software.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct variant {
  const char *name;
  const struct hd_dut_ops *ops;
  enum hd_mode mode;
  uint32_t window_cycles, threads;
  bool rtl; /* ops are the RTL's */
};

struct attempt {
  struct hd_scenario scenario;
  struct hd_topology topology;
  struct hd_tables tables;
  struct hd_software *software;
  struct hd_tree_check *check; /* of the present run */
  struct hd_run_report report; /* only its members about faults are filled in */
  struct soak_result *result;
  uint64_t flits, not_intact; /* of the present run */
  bool early; /* faults ended a run early; how much of it is compared depends on the window */
};

static int cycle_begin(void *context, struct hd_fabric *fabric, uint64_t cycle,
                       struct hd_error *err)
{
  const struct attempt *a = context;
  return hd_software_begin(a->software, fabric, cycle, err);
}

static int cycle_end(void *context, struct hd_fabric *fabric, uint64_t cycle, struct hd_error *err)
{
  struct attempt *a = context;
  uint32_t n;
  const struct hd_delivery *d = hd_fabric_deliveries(fabric, &n);
  for (uint32_t i = 0; i < n; i++)
    a->not_intact += !d[i].intact;
  return hd_software_end(a->software, fabric, cycle, err);
}

static uint64_t next_cycle(void *context)
{
  return hd_software_next(((const struct attempt *)context)->software);
}

static bool finished(void *context)
{
  return hd_world_finished(hd_software_world(((const struct attempt *)context)->software));
}

static int count_agreed(void *context, const struct hd_record *record, uint32_t cycles,
                        struct hd_error *err)
{
  struct attempt *a = context;
  for (uint32_t sw = 0; sw < record->n_switches; sw++) {
    const struct hd_switch_record *r = &record->switches[sw];
    for (uint32_t i = 0; i < r->n_flits_out && r->flits_out[i].cycle <= cycles; i++)
      a->flits++;
  }
  return hd_tree_check_window(a->check, record, cycles, err);
}

/* Checks conditions that hold in every run in which RTL and model agree. */
static void check_results(struct attempt *a, const struct variant *variant,
                          struct hd_lockstep *lockstep, const struct hd_lockstep_result *run)
{
  struct soak_result *r = a->result;
  struct hd_fabric *fabric = hd_lockstep_fabric(lockstep);
  struct hd_fabric_counters counters;
  hd_fabric_counters(fabric, &counters);
  bool ended = hd_world_finished(hd_software_world(a->software)) && hd_fabric_idle(fabric);
  uint64_t gone = a->report.packets_lost; /* packets that faults lost, as the report names them */
  uint64_t lost = ended ? counters.packets_sent - counters.packets_received - gone : 0;
  /* Each member that arrives gets one answer, unless a fault cut it off or lost a message. */
  uint64_t unanswered = ended ? counters.barriers_sent - counters.barriers_received : 0;
  if (a->report.n_unreachable || counters.barriers_lost || a->report.n_droppers ||
      a->report.n_renewals) /* members of a renewed group arrive twice */
    unanswered = 0;
  uint32_t struck = 0, errors = 0;
  for (uint32_t i = 0; i < a->report.n_faults; i++)
    struck += a->report.faults[i].struck;
  for (uint32_t sw = 0; sw < a->topology.n_switches; sw++)
    errors |= hd_switch_config_read(hd_fabric_switch(fabric, sw), HD_CFG_ERRORS);
  if (struck) /* faults may cause these errors: no way is left, or ways changed in a first round (5.10) */
    errors &= ~(uint32_t)(HD_ERR_UNROUTABLE | HD_ERR_UNREACHABLE | HD_ERR_GROUP | HD_ERR_DUPLICATE |
                          HD_ERR_TABLE);
  if (a->not_intact || counters.packets_foreign || lost || unanswered || errors) {
    r->outcome = SOAK_DAMAGED;
    snprintf(r->message, sizeof r->message,
             "%s: %" PRIu64 " packets damaged, %" PRIu64 " foreign, %" PRIu64 " lost, %" PRIu64
             " members without an answer, switches' error bits 0x%03" PRIx32,
             variant->name, a->not_intact, counters.packets_foreign, lost, unanswered, errors);
  }
  if (!r->runs) {
    r->flits_in_order = a->flits;
    r->blocked = counters.blocked_flit_cycles;
    r->packets = counters.packets_sent;
    r->delivered = counters.packets_received;
    r->barriers = counters.barriers_received;
    r->made = counters.packets_made;
    r->of_others = counters.packets_of_others;
    r->struck = struck;
    r->cut_off = a->report.n_unreachable;
    r->digest = run->digest;
  } else if (!a->early &&
             (run->digest != r->digest || a->flits != r->flits_in_order ||
              counters.packets_sent != r->packets || counters.packets_received != r->delivered ||
              counters.barriers_received != r->barriers || counters.packets_made != r->made)) {
    r->outcome = SOAK_DIGEST;
    snprintf(r->message, sizeof r->message,
             "%s: digest %016" PRIx64 ", %" PRIu64 " flits, %" PRIu64 " packets sent, %" PRIu64
             " received; the first run: %016" PRIx64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64,
             variant->name, run->digest, a->flits, counters.packets_sent, counters.packets_received,
             r->digest, r->flits_in_order, r->packets, r->delivered);
  }
  r->runs++;
}

/* Returns the outcome for a status. Only a run of program barrier finds out that it asks for too many congested members
 * or groups: then the scenario is refused. */
static enum soak_outcome outcome_of(int status, const struct hd_error *err)
{
  if (status && (strstr(err->text, "parameter congested: ") ||
                 strstr(err->text, "a status table on its ways is full")))
    return SOAK_REFUSED;
  switch (status) {
  case HD_OK:
    return SOAK_AGREED;
  case HD_E_DIVERGENCE:
    return SOAK_DIVERGED;
  case HD_E_DEADLOCK:
    return SOAK_STUCK;
  case HD_E_INVARIANT:
    return SOAK_RULE;
  default:
    return SOAK_BROKEN;
  }
}

/* Accepts a run that ended because faults cut off nodes or lost packets that others wait for. */
static int accept_end_by_faults(struct attempt *a, struct hd_lockstep *lockstep,
                                const struct hd_lockstep_result *run, bool compared, int status)
{
  if (!a->scenario.n_faults || status == HD_E_DIVERGENCE)
    return status;
  const struct hd_fabric *fabric = hd_lockstep_fabric(lockstep);
  struct hd_fabric_counters counters;
  hd_fabric_counters(fabric, &counters);
  a->report.counters = counters;
  hd_fault_report(hd_software_manager(a->software), fabric,
                  status && compared ? run->cycles_compared : UINT64_MAX, &a->report);
  if (!status ||
      hd_fault_attribute_failure(&a->report, hd_fabric_idle(fabric), status) != HD_E_FAULT)
    return status;
  a->early = true;
  return HD_OK;
}

static void run_variant(struct attempt *a, const struct variant *variant,
                        const struct soak_common *common)
{
  const struct hd_scenario *s = &a->scenario;
  struct soak_result *r = a->result;
  struct hd_error err = {""};
  struct hd_lockstep *lockstep = NULL;
  struct hd_lockstep_result run = {0};
  const struct hd_fabric_params fabric = hd_scenario_fabric(s);
  struct hd_lockstep_params params;
  const struct hd_backend *rtl = variant->rtl ? hd_soak_backend_of(common, variant->ops) : NULL;
  hd_lockstep_of_scenario(&params, s, &fabric, &a->topology, &a->tables,
                          rtl ? rtl->quiescence : HD_QUIESCENCE_UNUSED);
  params.dut = variant->ops;
  if (rtl)
    params.dut_options = common->dut_options ? common->dut_options : rtl->options;
  params.mode = variant->mode;
  params.compare = HD_COMPARE_EXACT;
  params.window_cycles = variant->window_cycles;
  params.threads = variant->threads;
  params.coverage = !r->runs;
  params.hooks = (struct hd_lockstep_hooks){.context = a,
                                            .cycle_begin = cycle_begin,
                                            .cycle_end = cycle_end,
                                            .next_cycle = next_cycle,
                                            .finished = finished,
                                            .window_agreed = count_agreed};
  struct hd_software_params software;
  hd_software_of_scenario(&software, s, &a->topology, &a->tables);
  a->flits = a->not_intact = 0;
  int status = hd_software_create(&a->software, &software, &err);
  if (!status)
    a->check = hd_tree_check_create(&a->topology, &s->sw);
  if (!status)
    status = hd_lockstep_create(&lockstep, &params, &err);
  if (!status)
    status = hd_lockstep_run(lockstep, s->run.cycles, &run, &err);
  if (!status && hd_fabric_idle(hd_lockstep_fabric(lockstep)))
    status = hd_tree_check_end(a->check, &err);
  if (lockstep)
    status = accept_end_by_faults(a, lockstep, &run, variant->ops != NULL, status);
  r->status = status;
  r->outcome = outcome_of(status, &err);
  if (status)
    snprintf(r->message, sizeof r->message, "%s: %.*s", variant->name, 700, err.text);
  r->divergence_cycle = run.divergence.cycle;
  r->flits += a->flits;
  r->cycles += run.cycles;
  r->switch_cycles += run.switch_cycles;
  r->evaluated_cycles += run.evaluated_cycles;
  r->events += run.events_compared;
  if (status != HD_E_INVARIANT) {
    const struct hd_tree_check_counts ruled = hd_tree_check_counts(a->check);
    r->ruled_messages += ruled.messages;
    r->ruled_rounds += ruled.rounds;
    r->port_flits += run.ports.of[HD_PORT_LINK];
    r->port_credits += run.ports.of[HD_PORT_SURPLUS];
    r->port_heads += run.ports.of[HD_PORT_ROUTE];
  }
  const struct hd_coverage *counts = lockstep ? hd_lockstep_coverage(lockstep) : NULL;
  if (counts)
    hd_coverage_add(&r->coverage, counts, &s->sw);
  if (!status)
    check_results(a, variant, lockstep, &run);
  hd_lockstep_destroy(lockstep);
  hd_software_destroy(a->software);
  hd_tree_check_destroy(a->check);
  a->software = NULL;
  a->check = NULL;
  hd_run_report_fini(&a->report);
}

/* Runs the scenario as `heddle run` does. It is no failure if software does not end in so few cycles, or sends nothing. */
static void run_command(const char *yaml, const struct soak_common *common, struct soak_result *r)
{
  struct hd_error err = {""};
  char directory[SOAK_PATH + 8];
  snprintf(directory, sizeof directory, "%s.run", yaml);
  const struct hd_run_options options = {.scenario_path = yaml,
                                         .dut = common->dut,
                                         .rtl_dir = common->rtl_dir,
                                         .against = common->against,
                                         .cache_dir = common->cache_dir,
                                         .out_dir = directory,
                                         .quick = true};
  struct hd_run_report report;
  int status = hd_tree_remove(directory, &err);
  if (!status) {
    status = hd_run(&options, &report, &err);
    r->runs++;
    r->cycles += report.result.cycles;
    r->switch_cycles += report.result.switch_cycles;
    r->evaluated_cycles += report.result.evaluated_cycles;
    r->events += report.result.events_compared;
    r->divergence_cycle = report.result.divergence.cycle;
    hd_run_report_fini(&report);
  }
  hd_tree_remove(directory, NULL);
  if (status == HD_E_BUDGET || status == HD_E_NOTHING)
    status = HD_OK;
  r->status = status;
  r->outcome = outcome_of(status, &err);
  if (status)
    snprintf(r->message, sizeof r->message, "as heddle run does it: %.*s", 700, err.text);
}

static int read_scenario(struct attempt *a, const char *yaml)
{
  struct hd_error err = {""};
  int status = hd_scenario_read(&a->scenario, yaml, &err);
  a->scenario.trace.packets = false; /* there is no database */
  if (!status)
    status = hd_scenario_build(&a->scenario, &a->topology, &a->tables, &err);
  if (!status)
    status = hd_scenario_load_program(&a->scenario, NULL, &err);
  if (!status)
    return 0;
  /* Only shortest paths, or a rule with too few channels, may have a cycle of channels (§5.6). All other routings are free
   * of such cycles by design. */
  bool may =
      a->scenario.routing.algorithm == HD_ROUTE_SHORTEST || strstr(err.text, "can deadlock with");
  bool refused = status == HD_E_INPUT && may && strstr(err.text, "routing.algorithm");
  a->result->outcome = refused ? SOAK_REFUSED : SOAK_BROKEN;
  a->result->status = status;
  snprintf(a->result->message, sizeof a->result->message, "%.*s", 700, err.text);
  return status;
}

void hd_soak_run_scenario(const char *yaml, const struct hd_dut_ops *ops, bool every_variant,
                          const struct soak_common *common, struct soak_result *result)
{
  static const uint32_t windows[] = {1, 7, 256, 4096};
  struct attempt a = {.result = result};
  *result = (struct soak_result){.outcome = SOAK_AGREED};
  if (!read_scenario(&a, yaml)) {
    const struct hd_scenario *s = &a.scenario;
    struct variant variant = {"as drawn",     ops, s->run.mode, s->run.window_cycles,
                              s->run.threads, true};
    if (!common->by_command)
      run_variant(&a, &variant, common);
    for (uint32_t i = 0;
         every_variant && !common->by_command && i < 12 && result->outcome == SOAK_AGREED; i++) {
      char name[64];
      /* Variants: RTL decoupled with four windows, then in closed loop, each with one and two threads; then the model
       * backend as DUT; then no DUT. */
      if (i < 10)
        variant = (struct variant){
            name,      ops, i < 8 ? HD_MODE_DECOUPLED : HD_MODE_CLOSED, windows[i / 2 % 4],
            1 + i % 2, true};
      else
        variant = (struct variant){
            name, i == 10 ? hd_dut_model_backend() : NULL, HD_MODE_DECOUPLED, 256, 1, false};
      snprintf(name, sizeof name, "%s %s, window %" PRIu32 ", threads %" PRIu32,
               i < 10    ? "RTL"
               : i == 10 ? "model backend"
                         : "model alone",
               variant.mode == HD_MODE_CLOSED ? "closed loop" : "decoupled", variant.window_cycles,
               variant.threads);
      run_variant(&a, &variant, common);
    }
    if (s->run.compare != HD_COMPARE_EXACT && result->outcome == SOAK_AGREED)
      run_command(yaml, common, result);
  }
  hd_tables_fini(&a.tables);
  hd_topology_fini(&a.topology);
  hd_scenario_fini(&a.scenario);
}
