/* Scenarios of files: those that come with Heddle, and the check's own.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_internal.h"

#include "../../bridge/host/install_root.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

static const char four_state[] =
    "name: reset\nfabric: {topology: mesh, dims: [2, 2]}\n"
    "switch: {vcs: 2, barrier: any, groups: 2}\n"
    "software: {program: barrier, parameters: {rounds: 3, compute: 20, load: 0.3}}\n"
    "run: {cycles: 2000, dut: icarus}\n";
static const char large[] =
    "name: large\nfabric: {topology: mesh, dims: [33, 32]}\nswitch: {vcs: 2, nodes: 2048}\n"
    "software: {program: uniform, parameters: {load: 0.05, flits: 4, cycles: 600}}\n"
    "run: {cycles: 2000, dut: verilator}\n";
static const char long_run[] =
    "name: long\nfabric: {topology: mesh, dims: [2]}\nswitch: {vcs: 1}\n"
    "software: {program: uniform, parameters: {load: 0.3, flits: 3, cycles: 1000000}}\n"
    "run: {cycles: 1010000, dut: verilator}\n";

const char *hd_check_scenario(enum check_kind kind)
{
  return kind == CHECK_FOUR_STATE ? four_state : kind == CHECK_LARGE ? large : long_run;
}

/* The switch that a scenario needs, and how many of it. False: it cannot be carried out. */
static bool look(struct hd_scenario *scenario, struct check_scenario *found)
{
  struct hd_topology topology;
  struct hd_tables tables;
  bool fits = !strcmp(scenario->run.dut, "none") || hd_backend_builds_rtl(scenario->run.dut);
  if (!fits || hd_scenario_build(scenario, &topology, &tables, NULL))
    return false;
  found->sw = scenario->sw;
  found->n_switches = topology.n_switches;
  hd_tables_fini(&tables);
  hd_topology_fini(&topology);
  return true;
}

bool hd_check_scenario_switch(enum check_kind kind, struct hd_switch_params *sw)
{
  struct hd_scenario scenario;
  struct check_scenario found = {0};
  const char *text = hd_check_scenario(kind);
  bool fits = !hd_scenario_parse(&scenario, text, strlen(text), hd_check_kind_name(kind), NULL) &&
              look(&scenario, &found);
  hd_scenario_fini(&scenario);
  *sw = found.sw;
  return fits;
}

static int by_size(const void *a, const void *b)
{
  const struct check_scenario *x = a, *y = b;
  return x->n_switches != y->n_switches ? (x->n_switches > y->n_switches ? 1 : -1)
                                        : strcmp(x->path, y->path);
}

/* Of a source tree, or of an installation. Those on boards are for boards. */
int hd_check_find_scenarios(struct hd_check *c, struct hd_error *err)
{
  char root[4096], pattern[4200];
  glob_t found = {0};
  int status = hd_install_root(root, sizeof root, err);
  if (status)
    return status;
  snprintf(pattern, sizeof pattern, "%s/scenarios/*.yaml", root);
  int none = glob(pattern, 0, NULL, &found);
  if (none) {
    snprintf(pattern, sizeof pattern, "%s/tests/scenarios/*.yaml", root);
    none = glob(pattern, 0, NULL, &found);
  }
  if (none)
    return HD_OK; /* the verdict says so */
  c->stock = calloc(found.gl_pathc, sizeof *c->stock);
  for (size_t i = 0; c->stock && i < found.gl_pathc; i++) {
    struct hd_scenario scenario;
    bool fits = !hd_scenario_read(&scenario, found.gl_pathv[i], NULL) &&
                look(&scenario, &c->stock[c->n_stock]);
    hd_scenario_fini(&scenario);
    if (fits && !(c->stock[c->n_stock++].path = strdup(found.gl_pathv[i])))
      status = hd_fail(err, HD_E_NOMEM, "check: out of memory");
  }
  globfree(&found);
  if (!c->stock)
    return hd_fail(err, HD_E_NOMEM, "check: out of memory");
  if (!status)
    qsort(c->stock, c->n_stock, sizeof *c->stock, by_size);
  return status;
}
