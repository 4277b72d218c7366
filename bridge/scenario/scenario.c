/* Reads scenarios: checks that need more than one key, and parameters of the program.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_faults.h"
#include "../host/file.h"
#include "../host/memory.h"
#include "scenario_inside.h"
#include "scenario_keys.h"
#include "scenario_outline.h"
#include "../../sw/programs/programs.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
  struct hd_scenario *s;
  struct hd_outline outline;
  const char *name;
  struct hd_error *err;
};

/* Returns the line of a key; if the text does not have it, that of the nearest section around
 * it. */
static uint32_t line_of(const struct reading *r, const char *path)
{
  char around[64];
  snprintf(around, sizeof around, "%s", path);
  for (;;) {
    const struct hd_outline_entry *entry = hd_outline_find(&r->outline, around);
    if (entry)
      return entry->line;
    char *dot = strrchr(around, '.');
    around[dot ? dot - around : 0] = '\0';
  }
}

static bool given(const struct reading *r, const char *path)
{
  return hd_outline_find(&r->outline, path) != NULL;
}

#define FAIL_AT(r, path, ...) fail_at(r, path, line_of(r, path), __VA_ARGS__)

__attribute__((format(printf, 4, 5))) static int fail_at(const struct reading *r, const char *path,
                                                         uint32_t line, const char *format, ...)
{
  char text[800];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return hd_fail(r->err, HD_E_INPUT, "%s:%" PRIu32 ": %s: %s", r->name, line, path, text);
}

/* ── fabric and routing ────────────────────────────────────────────────────── */

/* Adds an item to a list in words: "a", "a and b", "a, b and c". */
static void add_to_list(char *list, size_t size, const char *more, bool last)
{
  size_t used = strlen(list);
  snprintf(list + used, size - used, "%s%s", !used ? "" : last ? " and " : ", ", more);
}

static void list_keys(const struct hd_topology_descriptor *d, char *list, size_t size)
{
  const char *keys[8];
  size_t n = 0;
  for (int i = 0; i < 4 && d->needs[i]; i++)
    keys[n++] = d->needs[i];
  for (int i = 0; i < 4 && d->takes[i]; i++)
    keys[n++] = d->takes[i];
  *list = '\0';
  for (size_t i = 0; i < n; i++)
    add_to_list(list, size, keys[i], i + 1 == n);
}

/* Checks that the text has all keys of the shape that the topology needs, and none that it does
 * not take. */
static int check_fabric(const struct reading *r)
{
  const struct hd_topology_descriptor *d = hd_topologies[r->s->fabric.topology];
  size_t n;
  const struct hd_key *keys = hd_scenario_keys(&n);
  for (size_t i = 0; i < n; i++) {
    bool needed;
    const char *key = hd_shape_key(&keys[i]);
    if (!key)
      continue;
    bool its = hd_topology_takes(d, key, &needed);
    if (needed && !given(r, keys[i].path))
      return FAIL_AT(r, "fabric.topology", "%s needs the key %s", d->name, keys[i].path);
    if (!its && given(r, keys[i].path)) {
      char list[128];
      list_keys(d, list, sizeof list);
      return FAIL_AT(r, keys[i].path, "topology %s has no such key; it has %s", d->name, list);
    }
  }
  return 0;
}

/* Lists names of routings: those for a family (*n of them), or those that can go to the top. */
static void list_routings(enum hd_topology_family family, bool always_top, char *list, size_t size,
                          size_t *n)
{
  size_t last = 0;
  *n = 0;
  *list = '\0';
  for (size_t pass = 0; pass < 2; pass++)
    for (size_t i = 0; hd_routings[i]; i++) {
      if (always_top ? !hd_routings[i]->always_top : hd_routings[i]->family != family)
        continue;
      if (pass)
        add_to_list(list, size, hd_routings[i]->name, i == last);
      else
        last = i;
      *n += pass;
    }
}

static int check_routing(const struct reading *r)
{
  struct hd_scenario *s = r->s;
  enum hd_topology_kind topology = s->fabric.topology;
  static const char *const of_sets[] = {"routing.congestion", "routing.credit_cap"};
  char list[256], legal[256] = "";
  size_t n;
  s->routing.is_default = !given(r, "routing.algorithm");
  if (s->routing.is_default)
    s->routing.algorithm = hd_routing_default(topology);
  const struct hd_routing_descriptor *d = hd_routings[s->routing.algorithm];
  if (!hd_routing_fits(s->routing.algorithm, topology)) {
    list_routings(d->family, false, list, sizeof list, &n);
    for (unsigned i = 0; i < HD_ROUTINGS; i++)
      if (hd_routing_fits(i, topology))
        add_to_list(legal, sizeof legal, hd_routings[i]->name, false);
    return FAIL_AT(r, "routing.algorithm", "%s %s for %s; legal for this topology: %s", list,
                   n > 1 ? "are" : "is", hd_topology_family_name(d->family), legal);
  }
  list_routings(HD_FAMILY_ANY, true, list, sizeof list, &n);
  if (s->routing.always_top && !d->always_top)
    return FAIL_AT(r, "routing.always_top", "true is for the algorithms %s alone; legal: false",
                   list);
  /* A graph file may have sets of ports. */
  bool may_have_sets = s->routing.algorithm == HD_ROUTE_TABLES ||
                       (s->routing.is_default && topology == HD_TOPO_GRAPH);
  for (size_t k = 0; k < sizeof of_sets / sizeof *of_sets; k++)
    if (given(r, of_sets[k]) && !d->adaptive && !may_have_sets) {
      for (size_t i = 0; hd_routings[i]; i++)
        if (hd_routings[i]->adaptive || i == HD_ROUTE_TABLES)
          add_to_list(legal, sizeof legal, hd_routings[i]->name, false);
      return FAIL_AT(r, of_sets[k], "is for algorithms by which packets choose: %s", legal);
    }
  if (given(r, "routing.bias") && !d->decides)
    return FAIL_AT(r, "routing.bias", "is for the algorithm %s", hd_routings[HD_ROUTE_UGAL]->name);
  if (s->routing.credit_cap && s->routing.congestion != 0)
    return FAIL_AT(r, "routing.credit_cap",
                   "%" PRIu32
                   "; by routing.congestion: %s ports are not compared by credits; legal: 0",
                   s->routing.credit_cap, hd_congestion_name(s->routing.congestion));
  s->sw.source_table = d->by_source;
  s->sw.adaptive = d->adaptive  ? HD_ADAPTIVE_CREDITS + s->routing.congestion
                   : d->decides ? HD_ADAPTIVE_UGAL
                                : HD_ADAPTIVE_NONE;
  return 0;
}

/* Returns the key that gives a switch this part. */
static const char *part_key(enum hd_part part)
{
  return part == HD_PART_CODER  ? "switch.code_places"
         : part == HD_PART_CAST ? "switch.trees"
                                : "switch.barrier";
}

/* Checks fabric.inside: with a whole network as DUT only endpoints are allowed, because Heddle
 * knows no switches inside that do more than pass packets on. */
static int check_inside(const struct reading *r)
{
  struct hd_scenario *s = r->s;
  struct hd_inside inside;
  if (!s->fabric.inside)
    return 0;
  if (!hd_inside_parse(&inside, s->fabric.inside))
    return FAIL_AT(r, "fabric.inside", "%s; legal: " HD_INSIDE_LEGAL,
                   hd_quote(s->fabric.inside).text);
  if (s->run.compare != HD_COMPARE_PACKETS)
    return FAIL_AT(r, "run.compare", "%s; a whole network (fabric.inside) is compared by packets",
                   hd_compare_name(s->run.compare));
  const char *beyond = s->sw.barrier                     ? "switch.barrier"
                       : s->sw.code_places               ? "switch.code_places"
                       : s->n_faults                     ? "faults"
                       : s->sw.trees                     ? "switch.trees"
                       : s->routing.computed             ? "routing.computed"
                       : s->routing.virtual_networks > 1 ? "routing.virtual_networks"
                                                         : NULL;
  if (beyond)
    return FAIL_AT(r, beyond, "%s; a whole network (fabric.inside) has none of Heddle's switches",
                   "is set");
  if (!given(r, "run.held_cycles"))
    s->run.held_cycles = HD_NETWORK_HELD_CYCLES;
  return 0;
}

/* Checks multicast; `settle_switch` checks the fabric and its routing. */
static int check_trees(const struct reading *r)
{
  const struct hd_scenario *s = r->s;
  const uint32_t reserved = hd_switch_reserved_vcs(&s->sw);
  if (s->sw.vcs <= reserved)
    return FAIL_AT(r, "switch.trees",
                   "multicast has a virtual channel of its own: switch.vcs must be %" PRIu32
                   " or more",
                   reserved + 1);
  if (s->routing.computed)
    return FAIL_AT(r, "switch.trees", "not with routing.computed; multicast needs routing tables");
  if (s->trace.hops)
    return FAIL_AT(
        r, "trace.hops",
        "not with switch.trees; a multicast flit goes several ways, and hops are of one");
  return 0;
}

static int check_rest(const struct reading *r)
{
  const struct hd_scenario *s = r->s;
  if (s->sw.cut_flits > s->sw.depth_flits)
    return FAIL_AT(r, "switch.cut_flits",
                   "%" PRIu32 " is more than depth_flits; legal: 0 … %" PRIu32, s->sw.cut_flits,
                   s->sw.depth_flits);
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++) {
    char path[64];
    snprintf(path, sizeof path, "switch.%s", hd_switch_param_list[i].name);
    const char *key = part_key(hd_switch_param_list[i].part);
    if (!hd_switch_param_used(&s->sw, i) && strcmp(path, key) != 0 && given(r, path))
      return FAIL_AT(r, path, "needs the key %s", key);
  }
  if (s->sw.trees) {
    const int status = check_trees(r);
    if (status)
      return status;
  }
  if (given(r, "barrier") && !s->sw.barrier)
    return FAIL_AT(r, "barrier", "needs the key switch.barrier");
  if (s->sw.barrier == HD_BARRIER_RESERVED && s->sw.vcs < 2)
    return FAIL_AT(r, "switch.barrier", "reserved needs 2 virtual channels or more (switch.vcs)");
  uint32_t slots = (s->sw.barrier >= HD_BARRIER_MOVING) * hd_barrier_flits(&s->sw) +
                   (s->sw.barrier == HD_BARRIER_MOVING ? 2 : 0);
  if (s->sw.depth_flits < slots)
    return FAIL_AT(r, "switch.barrier",
                   "%s needs %" PRIu32 " flits of buffer or more (switch.depth_flits)",
                   hd_outline_find(&r->outline, "switch.barrier")->value, slots);
  if (s->run.compare != HD_COMPARE_EXACT && s->run.mode != HD_MODE_CLOSED)
    return FAIL_AT(r, "run.compare", "%s is for mode: closed; legal in mode decoupled: exact",
                   hd_compare_name(s->run.compare));
  bool needed;
  if (s->run.routes == HD_ROUTES_DIMENSION_ORDER && !s->fabric.inside &&
      !hd_topology_takes(hd_topologies[s->fabric.topology], "dims", &needed))
    return FAIL_AT(r, "run.routes", "dimension-order is for mesh and torus, this is %s",
                   hd_topology_kind_name(s->fabric.topology));
  if (s->run.warmup_cycles >= s->run.cycles)
    return FAIL_AT(r, "run.warmup_cycles",
                   "%" PRIu64 " is not less than cycles; legal: 0 … %" PRIu64, s->run.warmup_cycles,
                   s->run.cycles - 1);
  if (s->run.measure_cycles > s->run.cycles - s->run.warmup_cycles)
    return FAIL_AT(
        r, "run.measure_cycles",
        "%" PRIu64 " with %" PRIu64 " cycles of warm-up is more than cycles; legal: 0 … %" PRIu64,
        s->run.measure_cycles, s->run.warmup_cycles, s->run.cycles - s->run.warmup_cycles);
  return 0;
}

/* ── software ──────────────────────────────────────────────────────────────── */

static int find_program(const struct reading *r)
{
  const char *name = hd_outline_find(&r->outline, "software.program")->value;
  /* Reading a scenario must not run its code; hd_scenario_load_program does that. */
  if (strchr(name, '/')) {
    r->s->software.object = hd_file_beside(r->s->path, name);
    return 0;
  }
  r->s->software.program = hd_program_find(name);
  if (r->s->software.program)
    return 0;
  if (hd_pattern_find(name))
    return FAIL_AT(r, "software.program",
                   "%s is a traffic pattern; write program: traffic, parameters: {pattern: %s}",
                   name, name);
  char list[512] = "";
  size_t used = 0;
  struct hd_suggestion suggestion = {.given = name, .length = strlen(name)};
  for (const struct hd_program *const *p = hd_programs; *p; p++)
    hd_suggest(&suggestion, (*p)->name);
  for (const struct hd_program *const *p = hd_programs; *p && used < sizeof list; p++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", (*p)->name);
  return FAIL_AT(
      r, "software.program",
      "no program is called %s%s; legal: %s, or the path of a shared object with a slash in it",
      hd_quote(name).text, suggestion.text, list);
}

/* A line of the program's list begins with the key and a colon. */
bool hd_scenario_program_has(const struct hd_program *program, const char *key)
{
  size_t n = strlen(key);
  for (const char *const *p = program->parameters; p && *p; p++)
    if (strncmp(*p, key, n) == 0 && (*p)[n] == ':')
      return true;
  return false;
}

struct hd_suggestion hd_scenario_suggest_parameter(const struct hd_program *program,
                                                   const char *key)
{
  struct hd_suggestion suggestion = {.given = key, .length = strlen(key)};
  for (const char *const *p = program->parameters; p && *p; p++) {
    char name[HD_SUGGEST_NAME + 1];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(*p, ":"), *p);
    hd_suggest(&suggestion, name);
  }
  return suggestion;
}

static int unknown_parameter(const struct reading *r, const struct hd_outline_entry *entry)
{
  char list[600] = "";
  size_t used = 0;
  const struct hd_program *program = r->s->software.program;
  for (const char *const *p = program->parameters; p && *p && used < sizeof list; p++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%.*s", used ? ", " : "",
                             (int)strcspn(*p, ":"), *p);
  return fail_at(r, hd_quote(entry->path).text, entry->line,
                 "program %s has no such parameter%s; legal: %s", program->name,
                 hd_scenario_suggest_parameter(program, strrchr(entry->path, '.') + 1).text,
                 used ? list : "none");
}

/* Tests whether the value is unquoted and has the form of a JSON number. */
static bool is_number(const struct hd_outline_entry *entry)
{
  const char *c = entry->value, *start;
  if (!entry->plain)
    return false;
  c += *c == '-' || *c == '+';
  start = c;
  c += strspn(c, "0123456789");
  if (c == start)
    return false;
  if (*c == '.') {
    start = ++c;
    c += strspn(c, "0123456789");
    if (c == start)
      return false;
  }
  if (*c == 'e' || *c == 'E') {
    c++;
    c += *c == '-' || *c == '+';
    start = c;
    c += strspn(c, "0123456789");
    if (c == start)
      return false;
  }
  return *c == '\0';
}

static int read_parameter(const struct reading *r, const struct hd_outline_entry *entry)
{
  const char *key = entry->path + strlen("software.parameters.");
  struct hd_parameter *p = &r->s->software.parameters[r->s->software.n_parameters];
  if (r->s->software.program && !hd_scenario_program_has(r->s->software.program, key))
    return unknown_parameter(r, entry);
  r->s->software.parameter_lines[r->s->software.n_parameters++] = entry->line;
  p->key = hd_xstrdup(key);
  if (is_number(entry)) {
    p->number = strtod(entry->value, NULL);
    if (!isfinite(p->number))
      return fail_at(r, hd_quote(entry->path).text, entry->line, "%s is too large a number",
                     hd_quote(entry->value).text);
  } else {
    /* A relative path of a file starts at the scenario, not at the reader's directory. */
    p->text =
        strcmp(key, "file") ? hd_xstrdup(entry->value) : hd_file_beside(r->s->path, entry->value);
  }
  return 0;
}

static int read_software(const struct reading *r)
{
  int status = find_program(r);
  const struct hd_outline_entry *section = hd_outline_find(&r->outline, "software.parameters");
  if (status || !section || section->children == 0)
    return status;
  r->s->software.parameters = hd_xcalloc(section->children, sizeof *r->s->software.parameters);
  r->s->software.parameter_lines = hd_xcalloc(section->children, sizeof(uint32_t));
  for (uint32_t i = 0; i < r->outline.n && status == 0; i++)
    if (r->outline.entries[i].parent == (uint32_t)(section - r->outline.entries))
      status = read_parameter(r, &r->outline.entries[i]);
  return status;
}

/* ── the whole scenario ──────────────────────────────────────────────────────── */

static void keep_lines(const struct reading *r)
{
  size_t n;
  const struct hd_key *keys = hd_scenario_keys(&n);
  r->s->lines = hd_xmalloc(n * sizeof *r->s->lines);
  for (size_t i = 0; i < n; i++)
    r->s->lines[i] = line_of(r, keys[i].path);
}

uint32_t hd_scenario_line(const struct hd_scenario *scenario, const char *path)
{
  size_t n, i = 0;
  const struct hd_key *keys = hd_scenario_keys(&n);
  while (strcmp(keys[i].path, path))
    i++;
  return scenario->lines[i];
}

void hd_scenario_set_dut(struct hd_scenario *s, const char *dut)
{
  s->run.dut_is_free = !strcmp(dut, "auto");
  char *copy = hd_xstrdup(s->run.dut_is_free ? "verilator" : dut);
  free(s->run.dut);
  s->run.dut = copy;
}

static int parse(struct reading *r, const char *text, size_t length)
{
  struct hd_scenario *s = r->s;
  int status = hd_outline_read(&r->outline, text, length, r->name, r->err);
  if (status == 0)
    status = hd_scenario_check_keys(&r->outline, r->name, r->err);
  if (status)
    return status;
  s->path = hd_xstrdup(r->name);
  s->text = hd_xmalloc(length + 1);
  memcpy(s->text, text, length);
  s->text[length] = '\0';
  hd_scenario_fill(s, &r->outline);
  hd_scenario_set_dut(s, s->run.dut);
  keep_lines(r);
  status = check_fabric(r);
  if (status == 0)
    status = check_routing(r);
  if (status == 0)
    status = check_inside(r);
  if (status == 0)
    status = check_rest(r);
  if (status == 0)
    status = hd_scenario_faults_read(s, &r->outline, r->name, r->err);
  return status ? status : read_software(r);
}

int hd_scenario_parse(struct hd_scenario *scenario, const char *text, size_t length,
                      const char *path, struct hd_error *err)
{
  struct reading r = {.s = scenario, .name = path, .err = err};
  memset(scenario, 0, sizeof *scenario);
  int status = parse(&r, text, length);
  hd_outline_fini(&r.outline);
  return status;
}

int hd_scenario_read(struct hd_scenario *scenario, const char *path, struct hd_error *err)
{
  char *text;
  size_t length;
  memset(scenario, 0, sizeof *scenario);
  int status = hd_file_regular(path, HD_SCENARIO_BYTES, &text, &length, err);
  if (status)
    return status;
  status = hd_scenario_parse(scenario, text, length, path, err);
  free(text);
  return status;
}

void hd_scenario_fini(struct hd_scenario *scenario)
{
  for (uint32_t i = 0; i < scenario->software.n_parameters; i++) {
    free(scenario->software.parameters[i].key);
    free(scenario->software.parameters[i].text);
  }
  free(scenario->software.parameters);
  free(scenario->software.parameter_lines);
  free(scenario->software.object);
  hd_program_unload(scenario->software.loaded);
  free(scenario->name);
  free(scenario->path);
  free(scenario->text);
  free(scenario->lines);
  free(scenario->fabric.shape.file);
  free(scenario->fabric.inside);
  free(scenario->faults);
  free(scenario->run.dut);
  memset(scenario, 0, sizeof *scenario);
}
