/* Loads a checked YAML text into a scenario by libcyaml.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_load.h"

#include <cyaml/cyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The sections of struct hd_scenario have no names of their own. */
typedef __typeof__(((struct hd_scenario *)0)->fabric) fabric_section;
typedef __typeof__(((struct hd_scenario *)0)->barrier) barrier_section;
typedef __typeof__(((struct hd_scenario *)0)->routing) routing_section;
typedef __typeof__(((struct hd_scenario *)0)->software) software_section;
typedef __typeof__(((struct hd_scenario *)0)->run) run_section;
typedef __typeof__(((struct hd_scenario *)0)->trace) trace_section;
typedef __typeof__(((struct hd_scenario *)0)->budgets) budgets_section;

static const cyaml_strval_t topologies[] = {{"mesh", HD_TOPO_MESH},
                                            {"tree", HD_TOPO_TREE},
                                            {"extended-tree", HD_TOPO_EXTENDED_TREE},
                                            {"graph", HD_TOPO_GRAPH},
                                            {"irregular", HD_TOPO_IRREGULAR}};
static const cyaml_strval_t algorithms[] = {{"dimension-order", HD_ROUTE_DIMENSION_ORDER},
                                            {"s-mod-k", HD_ROUTE_S_MOD_K},
                                            {"d-mod-k", HD_ROUTE_D_MOD_K},
                                            {"up-down", HD_ROUTE_UP_DOWN},
                                            {"shortest", HD_ROUTE_SHORTEST}};
static const cyaml_strval_t barriers[] = {
    {"none", HD_BARRIER_NONE},     {"any", HD_BARRIER_ANY},
    {"fixed", HD_BARRIER_FIXED},   {"moving", HD_BARRIER_MOVING},
    {"queued", HD_BARRIER_QUEUED}, {"reserved", HD_BARRIER_RESERVED}};
#define MODE(member, name) {name, HD_MODE_##member},
#define COMPARE(member, name) {name, HD_COMPARE_##member},
static const cyaml_strval_t modes[] = {HD_MODES(MODE)};
static const cyaml_strval_t compares[] = {HD_COMPARES(COMPARE)};

#define OPTIONAL CYAML_FLAG_OPTIONAL
#define TEXT (CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER)

static const cyaml_schema_value_t dim = {CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, uint32_t)};

static const cyaml_schema_field_t fabric_fields[] = {
    CYAML_FIELD_ENUM("topology", CYAML_FLAG_STRICT, fabric_section, topology, topologies,
                     COUNT(topologies)),
    CYAML_FIELD_SEQUENCE_COUNT("dims", OPTIONAL, fabric_section, shape.dims, shape.n_dims, &dim, 1,
                               7),
    CYAML_FIELD_UINT("k", OPTIONAL, fabric_section, shape.k),
    CYAML_FIELD_UINT("n", OPTIONAL, fabric_section, shape.n),
    CYAML_FIELD_STRING_PTR("file", TEXT, fabric_section, shape.file, 0, CYAML_UNLIMITED),
    CYAML_FIELD_UINT("switches", OPTIONAL, fabric_section, shape.switches),
    CYAML_FIELD_UINT("degree", OPTIONAL, fabric_section, shape.degree),
    CYAML_FIELD_UINT("graph_seed", OPTIONAL, fabric_section, shape.graph_seed),
    CYAML_FIELD_UINT("link_cycles", OPTIONAL, fabric_section, link_cycles),
    CYAML_FIELD_END};

static const cyaml_schema_field_t switch_fields[] = {
    CYAML_FIELD_UINT("ports", OPTIONAL, struct hd_switch_params, ports),
    CYAML_FIELD_UINT("nodes", OPTIONAL, struct hd_switch_params, nodes),
    CYAML_FIELD_UINT("vcs", OPTIONAL, struct hd_switch_params, vcs),
    CYAML_FIELD_UINT("data_bits", OPTIONAL, struct hd_switch_params, data_bits),
    CYAML_FIELD_UINT("depth_flits", OPTIONAL, struct hd_switch_params, depth_flits),
    CYAML_FIELD_UINT("route_cycles", OPTIONAL, struct hd_switch_params, route_cycles),
    CYAML_FIELD_UINT("arb_cycles", OPTIONAL, struct hd_switch_params, arb_cycles),
    CYAML_FIELD_UINT("buffer_cycles", OPTIONAL, struct hd_switch_params, buffer_cycles),
    CYAML_FIELD_UINT("cut_flits", OPTIONAL, struct hd_switch_params, cut_flits),
    CYAML_FIELD_ENUM("barrier", CYAML_FLAG_STRICT | OPTIONAL, struct hd_switch_params, barrier,
                     barriers, COUNT(barriers)),
    CYAML_FIELD_UINT("groups", OPTIONAL, struct hd_switch_params, groups),
    CYAML_FIELD_UINT("switches", OPTIONAL, struct hd_switch_params, switches),
    CYAML_FIELD_END};

static const cyaml_schema_field_t barrier_fields[] = {
    CYAML_FIELD_UINT("idle_cycles", OPTIONAL, barrier_section, idle_cycles), CYAML_FIELD_END};

static const cyaml_schema_field_t routing_fields[] = {
    CYAML_FIELD_ENUM("algorithm", CYAML_FLAG_STRICT | OPTIONAL, routing_section, algorithm,
                     algorithms, COUNT(algorithms)),
    CYAML_FIELD_BOOL("always_top", OPTIONAL, routing_section, always_top),
    CYAML_FIELD_BOOL("deadlock_check", OPTIONAL, routing_section, deadlock_check), CYAML_FIELD_END};

static const cyaml_schema_field_t software_fields[] = {
    CYAML_FIELD_IGNORE("program", CYAML_FLAG_DEFAULT),
    CYAML_FIELD_UINT("startup_cycles", OPTIONAL, software_section, startup_cycles),
    CYAML_FIELD_UINT("packet_bytes", OPTIONAL, software_section, packet_bytes),
    CYAML_FIELD_IGNORE("parameters", OPTIONAL), CYAML_FIELD_END};

static const cyaml_schema_field_t run_fields[] = {
    CYAML_FIELD_UINT("cycles", OPTIONAL, run_section, cycles),
    CYAML_FIELD_UINT("window_cycles", OPTIONAL, run_section, window_cycles),
    CYAML_FIELD_UINT("threads", OPTIONAL, run_section, threads),
    CYAML_FIELD_ENUM("mode", CYAML_FLAG_STRICT | OPTIONAL, run_section, mode, modes, COUNT(modes)),
    CYAML_FIELD_ENUM("compare", CYAML_FLAG_STRICT | OPTIONAL, run_section, compare, compares,
                     COUNT(compares)),
    CYAML_FIELD_UINT("watchdog_cycles", OPTIONAL, run_section, watchdog_cycles),
    CYAML_FIELD_UINT("warmup_cycles", OPTIONAL, run_section, warmup_cycles),
    CYAML_FIELD_STRING_PTR("dut", TEXT, run_section, dut, 0, CYAML_UNLIMITED),
    CYAML_FIELD_END};

static const cyaml_schema_field_t trace_fields[] = {
    CYAML_FIELD_BOOL("packets", OPTIONAL, trace_section, packets),
    CYAML_FIELD_BOOL("hops", OPTIONAL, trace_section, hops),
    CYAML_FIELD_BOOL("waves", OPTIONAL, trace_section, waves),
    CYAML_FIELD_UINT("wave_cycles", OPTIONAL, trace_section, wave_cycles), CYAML_FIELD_END};

static const cyaml_schema_field_t budgets_fields[] = {
    CYAML_FIELD_UINT("latency_cycles", OPTIONAL, budgets_section, latency_cycles),
    CYAML_FIELD_UINT("blocked_flit_cycles", OPTIONAL, budgets_section, blocked_flit_cycles),
    CYAML_FIELD_UINT("barrier_cycles", OPTIONAL, budgets_section, barrier_cycles), CYAML_FIELD_END};

static const cyaml_schema_field_t scenario_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct hd_scenario, name, 0,
                           CYAML_UNLIMITED),
    CYAML_FIELD_MAPPING("fabric", CYAML_FLAG_DEFAULT, struct hd_scenario, fabric, fabric_fields),
    CYAML_FIELD_MAPPING("switch", OPTIONAL, struct hd_scenario, sw, switch_fields),
    CYAML_FIELD_MAPPING("barrier", OPTIONAL, struct hd_scenario, barrier, barrier_fields),
    CYAML_FIELD_MAPPING("routing", OPTIONAL, struct hd_scenario, routing, routing_fields),
    CYAML_FIELD_MAPPING("software", CYAML_FLAG_DEFAULT, struct hd_scenario, software,
                        software_fields),
    CYAML_FIELD_UINT("seed", OPTIONAL, struct hd_scenario, seed),
    CYAML_FIELD_MAPPING("run", OPTIONAL, struct hd_scenario, run, run_fields),
    CYAML_FIELD_IGNORE("faults", OPTIONAL),
    CYAML_FIELD_MAPPING("trace", OPTIONAL, struct hd_scenario, trace, trace_fields),
    CYAML_FIELD_MAPPING("budgets", OPTIONAL, struct hd_scenario, budgets, budgets_fields),
    CYAML_FIELD_END};

static const cyaml_schema_value_t scenario_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct hd_scenario, scenario_fields)};

/* What libcyaml logs, on one line: the message, then where in the text. */
struct log {
  char text[512];
  size_t used;
};

__attribute__((format(printf, 3, 0))) static void keep_log(cyaml_log_t level, void *context,
                                                           const char *format, va_list args)
{
  struct log *log = context;
  size_t room = sizeof log->text - log->used;
  (void)level;
  int n = vsnprintf(log->text + log->used, room, format, args);
  if (n < 0)
    return;
  size_t written = (size_t)n < room ? (size_t)n : room - 1;
  for (char *c = log->text + log->used; written && *c; c++)
    if (*c == '\n')
      *c = ' ';
  log->used += written;
}

int hd_scenario_load(struct hd_scenario *scenario, const char *text, size_t length,
                     const char *name, struct hd_error *err)
{
  struct log log = {.used = 0};
  const cyaml_config_t config = {.log_fn = keep_log,
                                 .log_ctx = &log,
                                 .mem_fn = cyaml_mem,
                                 .log_level = CYAML_LOG_ERROR,
                                 .flags = CYAML_CFG_NO_ALIAS};
  struct hd_scenario *loaded = NULL;
  cyaml_err_t status = cyaml_load_data((const uint8_t *)text, length, &config, &scenario_schema,
                                       (cyaml_data_t **)&loaded, NULL);
  if (status == CYAML_ERR_OOM)
    return hd_fail(err, HD_E_NOMEM, "%s: out of memory", name);
  if (status != CYAML_OK || !loaded)
    return hd_fail(err, HD_E_INTERNAL, "%s: not loaded: %s: %s", name, cyaml_strerror(status),
                   log.text);
  *scenario = *loaded; /* with the texts it owns */
  free(loaded);
  return 0;
}
