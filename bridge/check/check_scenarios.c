/* Finds and writes scenarios: those that come with Heddle, those of the check itself, and that of --scenario.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_internal.h"

#include "../host/file.h"
#include "../host/install_root.h"
#include "../host/memory.h"

#include <glob.h>
#include <inttypes.h>
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

/* Finds out which switch a scenario needs, and how many of them. False: it cannot be carried out on RTL. */
static bool find_switch(struct hd_scenario *scenario, struct check_scenario *found)
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
  bool fits = !hd_scenario_parse(&scenario, text, strlen(text), hd_check_kinds[kind].name, NULL) &&
              find_switch(&scenario, &found);
  hd_scenario_fini(&scenario);
  *sw = found.sw;
  return fits;
}

/* ── --scenario and --switch ───────────────────────────────────────────────── */

static int refuse_keys(const char *keys, struct hd_error *err)
{
  return hd_fail(err, HD_E_INPUT,
                 "--switch %s: give keys of a scenario's switch with their values, as "
                 "\"depth_flits: 16, vcs: 4\"",
                 keys);
}

/* Reads "depth_flits: 16, vcs: 4" as settings of a scenario. */
static int read_keys(struct check_aim *aim, const char *keys, struct hd_error *err)
{
  char *rest = NULL;
  if (snprintf(aim->text, sizeof aim->text, "%s", keys) >= (int)sizeof aim->text)
    return hd_fail(err, HD_E_INPUT, "--switch: longer than %zu bytes", sizeof aim->text - 1);
  for (char *key = strtok_r(aim->text, ",", &rest); key; key = strtok_r(NULL, ",", &rest)) {
    char *value = strchr(key, ':'), name[40];
    if (!value || sscanf(key, " %39[a-z_]", name) != 1 || aim->n == CHECK_AIM_KEYS)
      return refuse_keys(keys, err);
    value += 1 + strspn(value + 1, " ");
    snprintf(aim->paths[aim->n], sizeof *aim->paths, "switch.%s", name);
    aim->settings[aim->n] = (struct hd_setting){aim->paths[aim->n], value};
    aim->n++;
  }
  return aim->n ? HD_OK : refuse_keys(keys, err);
}

/* Finds the switch of the aim. Without a scenario it tries a fabric of five ports, then one of two, until the keys fit. */
static int find_aim_switch(const struct check_aim *aim, const char *path,
                           struct check_scenario *found, uint64_t *seed, struct hd_error *err)
{
  static const char *const fabrics[] = {
      "name: aim\nfabric: {topology: mesh, dims: [3, 3]}\nsoftware: {program: uniform}\n"
      "run: {dut: verilator}\n",
      "name: aim\nfabric: {topology: mesh, dims: [2]}\nsoftware: {program: uniform}\n"
      "run: {dut: verilator}\n"};
  int status = HD_OK;
  for (size_t i = 0; i < (path ? 1 : sizeof fabrics / sizeof *fabrics); i++) {
    struct hd_scenario scenario;
    status = hd_scenario_read_set(&scenario, path ? NULL : fabrics[i], path ? path : "--switch",
                                  aim->settings, aim->n, err);
    bool fits = !status && find_switch(&scenario, found);
    *seed = scenario.seed;
    hd_scenario_fini(&scenario);
    if (fits)
      return HD_OK;
  }
  return status ? status
                : hd_fail(err, HD_E_INPUT, "%s: no RTL can carry it out: see heddle scenario check",
                          path ? path : "--switch");
}

int hd_check_read_aim(struct hd_check *c, struct hd_error *err)
{
  struct check_aim *aim = &c->aim;
  struct check_scenario found = {0};
  const char *path = c->params->scenario;
  if (!path && !c->params->switch_keys)
    return HD_OK;
  aim->some = true;
  aim->has_scenario = path;
  int status = c->params->switch_keys ? read_keys(aim, c->params->switch_keys, err) : HD_OK;
  if (!status)
    status = find_aim_switch(aim, path, &found, &aim->seed, err);
  aim->sw = found.sw;
  if (!status && path) {
    char *bytes = NULL;
    size_t length;
    status = hd_file_read(path, &bytes, &length, err);
    if (!status)
      hd_text_add(&c->definition, "scenario %016" PRIx64 " ", hd_hash_bytes(bytes, length, 1));
    free(bytes);
  }
  if (c->params->switch_keys)
    hd_text_add(&c->definition, "switch %s ", c->params->switch_keys);
  return status;
}

struct scenario_copy {
  struct hd_setting settings[CHECK_AIM_KEYS + CHECK_SETTINGS + 3 + 8]; /* [n] */
  size_t n;
  char names[8][64], files[8][4096]; /* [n_files] */
  size_t n_files;
};

static int add_file(void *context, const char *key, const char *path, struct hd_error *err)
{
  struct scenario_copy *w = context;
  if (w->n_files == sizeof w->files / sizeof *w->files || !realpath(path, w->files[w->n_files]))
    return hd_fail(err, HD_E_IO, "%s: %s cannot be read", key, path);
  snprintf(w->names[w->n_files], sizeof *w->names, "%s", key);
  w->settings[w->n++] = (struct hd_setting){w->names[w->n_files], w->files[w->n_files]};
  w->n_files++;
  return HD_OK;
}

int hd_check_write_whole(const char *from, const struct hd_setting *settings, size_t n,
                         const char *path, struct hd_error *err)
{
  struct hd_scenario scenario;
  char *text = NULL, *result = NULL;
  size_t length = 0;
  struct scenario_copy *w = hd_xcalloc(1, sizeof *w);
  w->n = n;
  if (n)
    memcpy(w->settings, settings, n * sizeof *settings);
  int status = hd_scenario_read(&scenario, from, err);
  if (!status)
    status = hd_scenario_each_file(&scenario, add_file, w, err);
  hd_scenario_fini(&scenario);
  if (!status)
    status = hd_file_read(from, &text, &length, err);
  if (!status)
    status = hd_scenario_set(text, length, from, w->settings, w->n, &result, err);
  if (!status)
    status = hd_file_write(path, result, strlen(result), err);
  free(text);
  free(result);
  free(w);
  return status;
}

int hd_check_write_aimed(const struct hd_check *c, uint32_t index, const char *path,
                         struct hd_error *err)
{
  static const struct hd_setting ruled[] = {{"run.mode", "closed"}, {"run.compare", "packets"}};
  struct hd_setting settings[CHECK_AIM_KEYS + CHECK_SETTINGS + 3];
  size_t n = c->aim.n;
  char seed[24];
  memcpy(settings, c->aim.settings, n * sizeof *settings);
  for (size_t i = 0; c->params->foreign && i < sizeof ruled / sizeof *ruled; i++)
    settings[n++] = ruled[i];
  for (size_t i = 0; i < c->params->n_settings; i++)
    settings[n++] = c->params->settings[i];
  snprintf(seed, sizeof seed, "%" PRIu64, c->aim.seed + index);
  settings[n++] = (struct hd_setting){"seed", seed};
  return hd_check_write_whole(c->params->scenario, settings, n, path, err);
}

static int by_size(const void *a, const void *b)
{
  const struct check_scenario *x = a, *y = b;
  return x->n_switches != y->n_switches ? (x->n_switches > y->n_switches ? 1 : -1)
                                        : strcmp(x->path, y->path);
}

/* Scenarios are in the installation or in the source tree. Those for boards are left out. */
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
  c->stock = hd_xcalloc(found.gl_pathc, sizeof *c->stock);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    struct hd_scenario scenario;
    bool fits = !hd_scenario_read(&scenario, found.gl_pathv[i], NULL) &&
                find_switch(&scenario, &c->stock[c->n_stock]);
    hd_scenario_fini(&scenario);
    if (fits)
      c->stock[c->n_stock++].path = hd_xstrdup(found.gl_pathv[i]);
  }
  globfree(&found);
  qsort(c->stock, c->n_stock, sizeof *c->stock, by_size);
  return HD_OK;
}
