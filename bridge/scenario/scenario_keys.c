/* Every key of a scenario: type, range, default; checks of a text against them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_keys.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const topologies[] = {"mesh",  "tree",      "extended-tree",
                                         "graph", "irregular", NULL};
static const char *const algorithms[] = {"dimension-order", "s-mod-k",  "d-mod-k",
                                         "up-down",         "shortest", NULL};
static const char *const barriers[] = {"none",   "any",      "fixed", "moving",
                                       "queued", "reserved", NULL};
static const char *const data_bits[] = {"16", "32", "64", NULL};
#define NAME(member, name) name,
static const char *const modes[] = {HD_MODES(NAME) NULL};
static const char *const compares[] = {HD_COMPARES(NAME) NULL};
#undef NAME

/* The largest cycle number of a run: digests shift it by 24 bits (§6.4). */
#define MOST_CYCLES UINT64_C(1000000000000)

#define MEMBER(member)                                      \
  .offset = (uint16_t)offsetof(struct hd_scenario, member), \
  .size = (uint16_t)sizeof(((struct hd_scenario *)0)->member)
#define SECTION(p, needed)                                \
  {                                                       \
    .path = p, .type = HD_KEY_SECTION, .required = needed \
  }
#define NUMBER(p, member, from, to, otherwise)                                 \
  {                                                                            \
    .path = p, .type = HD_KEY_NUMBER, MEMBER(member), .low = from, .high = to, \
    .fallback = otherwise                                                      \
  }
#define FLAG(p, member, otherwise)                                        \
  {                                                                       \
    .path = p, .type = HD_KEY_FLAG, MEMBER(member), .fallback = otherwise \
  }
#define CHOICE(p, member, of, otherwise)                                                   \
  {                                                                                        \
    .path = p, .type = HD_KEY_CHOICE, MEMBER(member), .choices = of, .fallback = otherwise \
  }

static const struct hd_key keys[] = {
    {.path = "name", .type = HD_KEY_TEXT, .required = true, .low = 1, .high = 64},
    SECTION("fabric", true),
    {.path = "fabric.topology", .type = HD_KEY_CHOICE, .required = true, .choices = topologies},
    {.path = "fabric.dims", .type = HD_KEY_LIST, .low = 1, .high = 7},
    {.path = "fabric.dims[]", .type = HD_KEY_NUMBER, .low = 1, .high = HD_MAX_NODES},
    {.path = "fabric.k", .type = HD_KEY_NUMBER, .low = 2, .high = HD_MAX_PORTS / 2},
    {.path = "fabric.n", .type = HD_KEY_NUMBER, .low = 1, .high = 11},
    {.path = "fabric.file", .type = HD_KEY_TEXT, .low = 1, .high = 4096},
    {.path = "fabric.switches", .type = HD_KEY_NUMBER, .low = 2, .high = HD_MAX_NODES},
    NUMBER("fabric.degree", fabric.shape.degree, 1, HD_MAX_PORTS - 1, 3),
    NUMBER("fabric.graph_seed", fabric.shape.graph_seed, 0, UINT64_MAX, 1),
    NUMBER("fabric.link_cycles", fabric.link_cycles, 1, 16, 1),
    SECTION("switch", false),
    {.path = "switch.ports", .type = HD_KEY_NUMBER, .low = 2, .high = HD_MAX_PORTS},
    {.path = "switch.nodes", .type = HD_KEY_NUMBER, .low = 2, .high = HD_MAX_NODES},
    NUMBER("switch.vcs", sw.vcs, 1, HD_MAX_VCS, 2),
    CHOICE("switch.data_bits", sw.data_bits, data_bits, 16),
    NUMBER("switch.depth_flits", sw.depth_flits, 1, HD_MAX_DEPTH, 4),
    NUMBER("switch.route_cycles", sw.route_cycles, 1, 2, 1),
    NUMBER("switch.arb_cycles", sw.arb_cycles, 1, 2, 1),
    NUMBER("switch.buffer_cycles", sw.buffer_cycles, 0, 1, 0),
    NUMBER("switch.cut_flits", sw.cut_flits, 0, HD_MAX_DEPTH, 0),
    CHOICE("switch.barrier", sw.barrier, barriers, HD_BARRIER_NONE),
    NUMBER("switch.groups", sw.groups, 1, HD_MAX_GROUPS, 8),
    {.path = "switch.switches", .type = HD_KEY_NUMBER, .low = 2, .high = HD_MAX_BARRIER_SWITCHES},
    SECTION("barrier", false),
    NUMBER("barrier.idle_cycles", barrier.idle_cycles, 1, UINT16_MAX, HD_IDLE_AT_RESET),
    SECTION("routing", false),
    /* The default hangs on the topology. */
    {.path = "routing.algorithm", .type = HD_KEY_CHOICE, .choices = algorithms},
    FLAG("routing.always_top", routing.always_top, false),
    FLAG("routing.deadlock_check", routing.deadlock_check, true),
    SECTION("software", true),
    {.path = "software.program", .type = HD_KEY_TEXT, .required = true, .low = 1, .high = 64},
    NUMBER("software.startup_cycles", software.startup_cycles, 0, 1000000000, 0),
    NUMBER("software.packet_bytes", software.packet_bytes, 1, 524288, 256),
    {.path = "software.parameters", .type = HD_KEY_PARAMETERS},
    NUMBER("seed", seed, 0, UINT64_MAX, 1),
    SECTION("run", false),
    NUMBER("run.cycles", run.cycles, 1, MOST_CYCLES, 100000),
    NUMBER("run.window_cycles", run.window_cycles, 1, 4096, 256),
    NUMBER("run.threads", run.threads, 1, 64, 1),
    CHOICE("run.mode", run.mode, modes, HD_MODE_DECOUPLED),
    CHOICE("run.compare", run.compare, compares, HD_COMPARE_EXACT),
    NUMBER("run.watchdog_cycles", run.watchdog_cycles, 0, MOST_CYCLES, 10000),
    NUMBER("run.warmup_cycles", run.warmup_cycles, 0, MOST_CYCLES, 0),
    {.path = "run.dut", .type = HD_KEY_TEXT, .low = 1, .high = 4096, .text = "verilator"},
    {.path = "faults", .type = HD_KEY_ROWS, .low = 1, .high = 200},
    SECTION("faults[]", false),
    {.path = "faults[].cycle", .type = HD_KEY_NUMBER, .high = MOST_CYCLES},
    {.path = "faults[].after_barrier", .type = HD_KEY_NUMBER, .low = 1, .high = MOST_CYCLES},
    {.path = "faults[].link", .type = HD_KEY_TEXT, .low = 1, .high = 32},
    {.path = "faults[].switch", .type = HD_KEY_NUMBER, .high = HD_MAX_SWITCHES - 1},
    SECTION("trace", false),
    FLAG("trace.packets", trace.packets, true),
    FLAG("trace.hops", trace.hops, false),
    FLAG("trace.waves", trace.waves, true),
    NUMBER("trace.wave_cycles", trace.wave_cycles, 1, 4096, 64),
    SECTION("budgets", false),
    {.path = "budgets.latency_cycles", .type = HD_KEY_NUMBER, .high = MOST_CYCLES},
    {.path = "budgets.blocked_flit_cycles", .type = HD_KEY_NUMBER, .high = UINT64_MAX},
    {.path = "budgets.barrier_cycles", .type = HD_KEY_NUMBER, .high = MOST_CYCLES},
};
enum { KEYS = sizeof keys / sizeof *keys };

const struct hd_key *hd_scenario_keys(size_t *n)
{
  *n = KEYS;
  return keys;
}

const char *hd_shape_key(const struct hd_key *key)
{
  bool needed;
  if (strncmp(key->path, "fabric.", strlen("fabric.")) != 0)
    return NULL;
  const char *name = key->path + strlen("fabric.");
  for (size_t i = 0; hd_topologies[i]; i++)
    if (hd_topology_takes(hd_topologies[i], name, &needed))
      return name;
  return NULL;
}

const char *hd_key_legal(const struct hd_key *key, char *buf, size_t size)
{
  size_t used = 0;
  buf[0] = '\0';
  switch (key->type) {
  case HD_KEY_NUMBER:
    snprintf(buf, size, "a whole number, %" PRIu64 " … %" PRIu64, key->low, key->high);
    break;
  case HD_KEY_FLAG:
    snprintf(buf, size, "true, false");
    break;
  case HD_KEY_CHOICE:
    for (const char *const *c = key->choices; *c && used < size; c++)
      used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "", *c);
    break;
  case HD_KEY_TEXT:
    snprintf(buf, size, "text of %" PRIu64 " … %" PRIu64 " bytes", key->low, key->high);
    break;
  case HD_KEY_LIST:
    snprintf(buf, size, "a list of %" PRIu64 " … %" PRIu64 " numbers, as [8, 8]", key->low,
             key->high);
    break;
  case HD_KEY_ROWS:
    snprintf(buf, size, "a list of %" PRIu64 " … %" PRIu64 " mappings", key->low, key->high);
    break;
  case HD_KEY_PARAMETERS:
    snprintf(buf, size, "keys and values, as {load: 0.1}");
    break;
  case HD_KEY_SECTION:
    for (size_t i = 0, n = strlen(key->path); i < KEYS && used < size; i++)
      if (strncmp(keys[i].path, key->path, n) == 0 && keys[i].path[n] == '.' &&
          !strchr(keys[i].path + n, '['))
        used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "",
                                 keys[i].path + n + 1);
    break;
  }
  return buf;
}

struct check {
  const struct hd_outline *outline;
  const char *name;
  struct hd_error *err;
};

static const struct hd_key *find_key(const char *path, size_t length)
{
  for (size_t i = 0; i < KEYS; i++)
    if (strncmp(keys[i].path, path, length) == 0 && keys[i].path[length] == '\0')
      return &keys[i];
  return NULL;
}

/* The key of a path, in which items of lists have numbers. */
static const struct hd_key *key_of(const char *path)
{
  char general[64];
  size_t n = 0;
  for (const char *p = path; *p && n < sizeof general - 1; p++) {
    general[n++] = *p;
    if (*p == '[')
      p += strspn(p + 1, "0123456789");
  }
  return find_key(general, n);
}

static int wrong(const struct check *c, const struct hd_outline_entry *entry,
                 const struct hd_key *key)
{
  static const char *const shapes[] = {"text", "a mapping", "a list"};
  char legal[256];
  struct hd_quote shape, path = hd_quote(entry->path);
  if (entry->kind == HD_OUTLINE_SCALAR && *entry->value)
    shape = hd_quote(entry->value);
  else
    snprintf(shape.text, sizeof shape.text, "%s",
             entry->kind == HD_OUTLINE_SCALAR ? "nothing" : shapes[entry->kind]);
  return hd_fail(c->err, HD_E_INPUT, "%s:%" PRIu32 ": %s: %s; legal: %s", c->name, entry->line,
                 path.text, shape.text, hd_key_legal(key, legal, sizeof legal));
}

static int unknown(const struct check *c, const struct hd_outline_entry *entry)
{
  const struct hd_outline_entry *parent = &c->outline->entries[entry->parent];
  char legal[256] = "name, fabric, switch, barrier, routing, software, seed, run, faults, trace, "
                    "budgets";
  if (*parent->path)
    hd_key_legal(key_of(parent->path), legal, sizeof legal);
  return hd_fail(c->err, HD_E_INPUT, "%s:%" PRIu32 ": unknown key %s; legal%s%s: %s", c->name,
                 entry->line, hd_quote(entry->path).text, *parent->path ? " in " : "", parent->path,
                 legal);
}

/* Decimal digits alone: a leading 0 would be octal to the loader. */
static bool number_legal(const struct hd_key *key, const char *text)
{
  if (!*text || strspn(text, "0123456789") != strlen(text) || (*text == '0' && text[1]))
    return false;
  errno = 0;
  unsigned long long value = strtoull(text, NULL, 10);
  return errno == 0 && value >= key->low && value <= key->high;
}

static bool text_legal(const struct hd_key *key, const char *text)
{
  for (const char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      return false;
  return strlen(text) >= key->low && strlen(text) <= key->high;
}

static bool value_legal(const struct hd_key *key, const struct hd_outline_entry *entry)
{
  static const enum hd_outline_kind kinds[] = {
      [HD_KEY_SECTION] = HD_OUTLINE_MAPPING, [HD_KEY_PARAMETERS] = HD_OUTLINE_MAPPING,
      [HD_KEY_LIST] = HD_OUTLINE_SEQUENCE,   [HD_KEY_ROWS] = HD_OUTLINE_SEQUENCE,
      [HD_KEY_NUMBER] = HD_OUTLINE_SCALAR,   [HD_KEY_FLAG] = HD_OUTLINE_SCALAR,
      [HD_KEY_CHOICE] = HD_OUTLINE_SCALAR,   [HD_KEY_TEXT] = HD_OUTLINE_SCALAR};
  if (entry->kind != kinds[key->type])
    return false;
  switch (key->type) {
  case HD_KEY_NUMBER:
    return number_legal(key, entry->value);
  case HD_KEY_FLAG:
    return !strcmp(entry->value, "true") || !strcmp(entry->value, "false");
  case HD_KEY_CHOICE:
    for (const char *const *c = key->choices; *c; c++)
      if (!strcmp(entry->value, *c))
        return true;
    return false;
  case HD_KEY_TEXT:
    return text_legal(key, entry->value);
  case HD_KEY_LIST:
  case HD_KEY_ROWS:
    return entry->children >= key->low && entry->children <= key->high;
  default:
    return true;
  }
}

static int check_entry(const struct check *c, const struct hd_outline_entry *entry)
{
  static const struct hd_key parameter = {.type = HD_KEY_TEXT, .high = 4096};
  const struct hd_outline_entry *parent = &c->outline->entries[entry->parent];
  if (!strcmp(parent->path, "software.parameters"))
    return value_legal(&parameter, entry) ? 0 : wrong(c, entry, &parameter);
  const struct hd_key *key = key_of(entry->path);
  if (!key)
    return unknown(c, entry);
  return value_legal(key, entry) ? 0 : wrong(c, entry, key);
}

int hd_scenario_check_keys(const struct hd_outline *outline, const char *name, struct hd_error *err)
{
  struct check c = {outline, name, err};
  if (outline->n == 0 || outline->entries[0].kind != HD_OUTLINE_MAPPING)
    return hd_fail(err, HD_E_INPUT,
                   "%s:1: a scenario is a mapping of keys; it needs name, fabric and software",
                   name);
  for (uint32_t i = 1; i < outline->n; i++) {
    int status = check_entry(&c, &outline->entries[i]);
    if (status)
      return status;
  }
  for (size_t i = 0; i < KEYS; i++) {
    if (!keys[i].required || hd_outline_find(outline, keys[i].path))
      continue;
    const struct hd_outline_entry *section = &outline->entries[0];
    const char *dot = strchr(keys[i].path, '.');
    char around[32], legal[256];
    if (dot) {
      snprintf(around, sizeof around, "%.*s", (int)(dot - keys[i].path), keys[i].path);
      section = hd_outline_find(outline, around);
    }
    return hd_fail(err, HD_E_INPUT, "%s:%" PRIu32 ": key %s is missing; %s %s", name,
                   section ? section->line : 1, keys[i].path,
                   keys[i].type == HD_KEY_SECTION ? "it holds" : "legal:",
                   hd_key_legal(&keys[i], legal, sizeof legal));
  }
  return 0;
}

int hd_scenario_defaults(struct hd_scenario *scenario, const struct hd_outline *outline,
                         struct hd_error *err)
{
  for (size_t i = 0; i < KEYS; i++) {
    const struct hd_key *key = &keys[i];
    if (key->size == 0 || hd_outline_find(outline, key->path))
      continue;
    char *member = (char *)scenario + key->offset;
    uint8_t flag = (uint8_t)key->fallback;
    uint32_t word = (uint32_t)key->fallback;
    if (key->size == sizeof flag)
      memcpy(member, &flag, sizeof flag);
    else if (key->size == sizeof word)
      memcpy(member, &word, sizeof word);
    else
      memcpy(member, &key->fallback, sizeof key->fallback);
  }
  if (!scenario->run.dut)
    scenario->run.dut = strdup(find_key("run.dut", strlen("run.dut"))->text);
  return scenario->run.dut ? 0 : hd_fail(err, HD_E_NOMEM, "out of memory");
}
