/* Fuzzes scenarios: any bytes give a scenario in range or an error that names the file.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../bridge/scenario/scenario.h"
#include "../../bridge/scenario/scenario_keys.h"
#include "fuzz.h"

static void require_message(const struct hd_error *err)
{
  require(memchr(err->text, 0, sizeof err->text) != NULL);
  require(strncmp(err->text, "f.yaml:", 7) == 0 && strlen(err->text) > 12);
  for (const char *c = err->text; *c; c++)
    require((unsigned char)*c >= ' ');
}

/* Everything that a run would rely on without asking again. */
static void require_range(const struct hd_scenario *s)
{
  size_t n;
  const struct hd_key *keys = hd_scenario_keys(&n);
  for (size_t i = 0; i < n; i++) {
    if (keys[i].type != HD_KEY_NUMBER || keys[i].size == 0)
      continue;
    uint64_t value = hd_key_number(&keys[i], s);
    bool may_be_absent = keys[i].otherwise || hd_shape_key(&keys[i]);
    require((value >= keys[i].low && value <= keys[i].high) || (value == 0 && may_be_absent));
  }
  require(s->name && *s->name && s->path && s->text && s->run.dut && *s->run.dut);
  require((s->software.program != NULL) != (s->software.object != NULL));
  require(s->sw.data_bits == 16 || s->sw.data_bits == 32 || s->sw.data_bits == 64);
  require(s->sw.cut_flits <= s->sw.depth_flits && s->run.warmup_cycles < s->run.cycles);
  require(s->fabric.topology != HD_TOPO_GRAPH || s->fabric.shape.file != NULL);
  for (uint32_t i = 0; i < s->software.n_parameters; i++)
    require(s->software.parameters[i].key != NULL);
  for (uint32_t i = 0; i < s->n_faults; i++)
    require(s->faults[i].line && s->faults[i].port < HD_MAX_PORTS);
  require(!s->n_faults || s->run.compare == HD_COMPARE_EXACT);
}

/* Small enough that the deadlock check takes no time beside parsing. */
static bool has_small_fabric(const struct hd_scenario *s)
{
  uint64_t nodes = 1;
  if (s->fabric.topology == HD_TOPO_GRAPH)
    return false;
  if (s->fabric.topology == HD_TOPO_IRREGULAR)
    return s->fabric.shape.switches <= 32;
  const struct hd_topology_shape *shape = &s->fabric.shape;
  if (!shape->n_dims)
    return shape->k <= 3 && shape->n <= 3 && shape->m <= 4 && shape->r <= 4 && shape->p <= 2 &&
           shape->a <= 2 && shape->h <= 2 && shape->pods <= 4;
  for (uint32_t d = 0; d < s->fabric.shape.n_dims; d++)
    nodes *= s->fabric.shape.dims[d];
  return nodes <= 32 || nodes > HD_MAX_COMPUTED_NODES;
}

/* Lets the program check its parameters. No file that the input names may be read. */
static void check_software(const struct hd_scenario *s, const struct hd_topology *topology)
{
  struct hd_error err = {""};
  require(hd_switch_params_check(&s->sw, &err) == 0 && s->sw.nodes >= topology->n_nodes);
  for (uint32_t i = 0; i < s->n_faults; i++)
    require(s->faults[i].sw < topology->n_switches && s->faults[i].port < topology->ports);
  for (uint32_t i = 0; i < s->software.n_parameters; i++)
    if (strcmp(s->software.parameters[i].key, "file") == 0)
      return;
  int status = hd_scenario_check(s, topology->n_nodes, &err);
  require(status == 0 || status == HD_E_INPUT);
  if (status)
    require_message(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hd_scenario s;
  struct hd_error err = {""};
  char *text = exact_copy(data, size);
  int status = hd_scenario_parse(&s, text, size, "f.yaml", &err);
  free(text);
  if (status) {
    require(status == HD_E_INPUT);
    require_message(&err);
  } else {
    require_range(&s);
    if (has_small_fabric(&s)) {
      struct hd_topology topology;
      struct hd_tables tables;
      status = hd_scenario_build(&s, &topology, &tables, &err);
      require(status == 0 || status == HD_E_INPUT);
      if (status)
        require_message(&err);
      else
        check_software(&s, &topology);
      hd_topology_fini(&topology);
      hd_tables_fini(&tables);
    }
  }
  hd_scenario_fini(&s);
  return 0;
}
