/* Describes every key of a scenario, checks a text against the keys, and copies its values.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_keys.h"
#include "../host/memory.h"
#include "../host/suggest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ── the table ─────────────────────────────────────────────────────────────── */

/* Largest legal run.cycles: digests shift cycle numbers by 24 bits (§6.4). */
#define MOST_CYCLES UINT64_C(1000000000000)

#define MEMBER(member)                                      \
  .offset = (uint16_t)offsetof(struct hd_scenario, member), \
  .size = (uint16_t)sizeof(((struct hd_scenario *)0)->member)
#define HAS(member) .has = (uint16_t)offsetof(struct hd_scenario, member)
#define RANGE(from, to) .low = from, .high = to
#define ABOUT(s, text) .section = s, .help = text
/* A key of the topology's shape. The topologies' descriptors tell which of them need it. */
#define SHAPE(name, from, to) \
  .path = "fabric." #name, .type = HD_KEY_NUMBER, MEMBER(fabric.shape.name), RANGE(from, to)
#define SECTION(name) .path = name, .type = HD_KEY_SECTION
#define NUMBER(name, member, from, to, u) \
  .path = name, .type = HD_KEY_NUMBER, MEMBER(member), RANGE(from, to), .unit = u
#define FLAG(name, member) .path = name, .type = HD_KEY_FLAG, MEMBER(member)
#define CHOICE(name, member, of) .path = name, .type = HD_KEY_CHOICE, MEMBER(member), .choice = of
#define TEXT(name, longest) .path = name, .type = HD_KEY_TEXT, RANGE(1, longest)

/* Keys of switch parameters, one macro for each way to give a value (cmodel/switch/params.h). */
#define SWITCH_NUMBER(name, from, to, otherwise, unit, section, about) \
  {NUMBER("switch." #name, sw.name, from, to, unit), .fallback = otherwise, ABOUT(section, about)},
#define SWITCH_LEAST(name, from, to, fallback, unit, section, about)                       \
  {NUMBER("switch." #name, sw.name, from, to, unit), .otherwise = "what the fabric needs", \
   ABOUT(section, about)},
#define SWITCH_POWER(name, from, to, otherwise, u, section, about) \
  {.path = "switch." #name,                                        \
   .type = HD_KEY_POWER,                                           \
   MEMBER(sw.name),                                                \
   RANGE(from, to),                                                \
   .fallback = otherwise,                                          \
   .unit = u,                                                      \
   ABOUT(section, about)},
#define SWITCH_CHOICE(name, from, to, fallback, unit, section, about) \
  {CHOICE("switch." #name, sw.name, hd_##name##_name), ABOUT(section, about)},
#define SWITCH_ROUTING(...)

static const struct hd_key keys[] = {
    {TEXT("name", 64), MEMBER(name), .required = true,
     ABOUT(NULL, "names the run, its directory and its reports")},

    {SECTION("fabric"), .required = true, ABOUT("5", "switches, nodes and links")},
    {CHOICE("fabric.topology", fabric.topology, hd_topology_kind_name), .required = true,
     ABOUT("5", "who is linked to whom")},
    {.path = "fabric.dims",
     .type = HD_KEY_LIST,
     MEMBER(fabric.shape.dims),
     RANGE(1, 7),
     .count = (uint16_t)offsetof(struct hd_scenario, fabric.shape.n_dims),
     .unit = "switches",
     ABOUT("5.1", "size in each dimension")},
    {.path = "fabric.dims[]", .type = HD_KEY_NUMBER, RANGE(1, HD_MAX_COMPUTED_NODES)},
    {SHAPE(k, 2, HD_MAX_ENDPOINTS),
     ABOUT("5.2", "arity: ports of a switch on each side of its stage; flattened butterfly: nodes "
                  "of a switch, and switches of a row")},
    {SHAPE(n, 1, HD_MAX_PORTS),
     ABOUT("5.2", "stages, levels or dimensions; Clos: nodes of a switch")},
    {SHAPE(m, 1, HD_MAX_PORTS), .unit = "switches", ABOUT("5.18", "middle switches")},
    {SHAPE(r, 1, HD_MAX_PORTS), .unit = "switches",
     ABOUT("5.18", "switches of the first stage, and of the last")},
    {SHAPE(pods, 2, HD_MAX_PORTS),
     ABOUT("5.20", "pods, an even number; switches have as many ports")},
    {SHAPE(nodes, 0, HD_MAX_COMPUTED_NODES), ABOUT("5.20", "nodes on the first places, 0: on all")},
    {SHAPE(edge_nodes, 0, HD_MAX_PORTS), .unit = "nodes",
     ABOUT("5.20", "nodes of each edge switch, 0: half as many as there are pods")},
    {SHAPE(p, 1, HD_MAX_PORTS), .unit = "nodes", ABOUT("5.23", "nodes of each switch")},
    {SHAPE(a, 1, HD_MAX_PORTS), .unit = "switches", ABOUT("5.23", "switches of a group")},
    {SHAPE(h, 1, HD_MAX_PORTS), .unit = "links",
     ABOUT("5.23", "links from each switch to other groups; there are a·h + 1 groups")},
    {SHAPE(global_link_cycles, 0, HD_LINK_CYCLES_MAX), .unit = "cycles",
     ABOUT("5.23", "LINK of links between groups, 0: that of all links")},
    {TEXT("fabric.file", 4096), MEMBER(fabric.shape.file),
     ABOUT("5.5",
           "file of links, relative to the scenario; its format follows from how it begins")},
    {SHAPE(switches, 2, HD_MAX_NODES), .unit = "switches",
     ABOUT("5.8", "switches of a random graph, a node on port 0 of each")},
    {SHAPE(degree, 1, HD_MAX_PORTS - 1), .fallback = 3, .unit = "links",
     ABOUT("5.8", "links from each switch to other switches; fewer than there are switches; if "
                  "switches times degree is odd, one switch has one link less")},
    {SHAPE(graph_seed, 0, UINT64_MAX), .fallback = 1, ABOUT("5.8", "which random graph")},
    {NUMBER("fabric.link_cycles", fabric.link_cycles, 1, 16, "cycles"), .fallback = 1,
     ABOUT("1.5", "time that a flit takes over a link (LINK), where it has none of its own")},
    {TEXT("fabric.inside", 4096), MEMBER(fabric.inside),
     ABOUT("6.8", "the fabric's one switch is a whole network as DUT, and what is inside of it: "
                  "mesh 3x3, torus 4x4, a graph "
                  "file (.csv) or unknown; for reports and rules, not for routing")},

    {SECTION("switch"), ABOUT("2.1", "parameters of every switch")},
#define SWITCH_KEY(name, VERILOG, low, high, fallback, kind, part, REGISTER, shift, unit, section, \
                   about)                                                                          \
  SWITCH_##kind(name, low, high, fallback, unit, section, about)
    HD_SWITCH_PARAM_LIST(SWITCH_KEY)
#undef SWITCH_KEY

        {SECTION("barrier"), ABOUT("8", "the barrier unit of every switch; needs switch.barrier")},
    {NUMBER("barrier.idle_cycles", barrier.idle_cycles, 1, UINT16_MAX, "cycles"),
     .fallback = HD_IDLE_AT_RESET,
     ABOUT("7.6", "a preempted channel continues its packet so many cycles after the last message "
                  "(register IDLE)")},

    {SECTION("routing"), ABOUT("5", "ways of packets")},
    {CHOICE("routing.algorithm", routing.algorithm, hd_routing_kind_name),
     .otherwise = "that of the topology", ABOUT("5", "how the switches' tables are made")},
    {CHOICE("routing.congestion", routing.congestion, hd_congestion_name),
     ABOUT("10.1", "for adaptive, and tables with sets of ports: what says how congested an output "
                   "port is: the free credits there, "
                   "or how many packets are inside the switch that it leads to")},
    {NUMBER("routing.credit_cap", routing.credit_cap, 0, HD_ADAPT_CAP_MOST, "credits"),
     ABOUT("10.4",
           "where packets choose by free credits: ports with at least so many are equals, and one "
           "of them is drawn; 0: the port with the most is taken")},
    {NUMBER("routing.bias", routing.bias, 0, HD_BIAS_MOST, "flits"),
     ABOUT("10.9", "for ugal: a packet goes by the node that was drawn where more flits wait on "
                   "the way to its "
                   "destination than twice those on that to the node, and these more")},
    {FLAG("routing.always_top", routing.always_top),
     ABOUT("5.4",
           "for s-mod-k and d-mod-k: packets go up to the last stage before they turn, not only to "
           "the nearest common ancestor")},
    {FLAG("routing.computed", routing.computed),
     ABOUT("12.7",
           "switches compute routes from their coordinates or digits, without tables: meshes and "
           "tori (all sizes but the last powers of two), hypercubes, trees (k a power of two); up "
           "to 65536 nodes, and switch.route_cycles may be 0")},
    {NUMBER("routing.virtual_networks", routing.virtual_networks, 1, HD_MAX_VCS, "networks"),
     .fallback = 1,
     ABOUT("5.28",
           "the virtual channels of a port are split into so many parts, and a packet keeps "
           "to one of them; software says to which. Not where packets choose among ports")},
    {FLAG("routing.deadlock_check", routing.deadlock_check), .fallback = true,
     ABOUT(
         "5.6",
         "refuse a fabric that can deadlock, or in which a pair of nodes has no path; the message "
         "names the cycle or the pair")},

    {SECTION("software"), .required = true, ABOUT("4", "what runs on the nodes")},
    {TEXT("software.program", 1024), .required = true,
     ABOUT(NULL,
           "program that runs on every node; `heddle programs` lists them; with a slash in it: a "
           "shared object, relative to the scenario")},
    {NUMBER("software.startup_cycles", software.startup_cycles, 0, 1000000000, "cycles"),
     ABOUT(NULL, "what each call costs that sends or receives a message")},
    {NUMBER("software.packet_bytes", software.packet_bytes, 1, 524288, "bytes"), .fallback = 256,
     ABOUT("4.3", "largest payload of a packet; longer messages are cut into packets")},
    {.path = "software.parameters",
     .type = HD_KEY_PARAMETERS,
     .otherwise = "none",
     ABOUT(NULL, "parameters of the program: numbers or texts; a value that looks like a number "
                 "is one unless it has quotes; a parameter `file` is relative to the scenario")},

    {NUMBER("seed", seed, 0, UINT64_MAX, NULL), .fallback = 1,
     ABOUT(NULL, "seed of all random numbers of the software")},

    {SECTION("run"), ABOUT("6", "how long, on what, and how it is compared")},
    {NUMBER("run.cycles", run.cycles, 1, MOST_CYCLES, "cycles"), .fallback = 100000,
     ABOUT("6.2",
           "the run ends here at the latest; with run.compare: order or packets, software is "
           "stopped here, and the run ends when all packets under way have arrived")},
    {NUMBER("run.window_cycles", run.window_cycles, 1, 4096, "cycles"), HAS(run.has_window),
     .fallback = 256, .otherwise = "256, less in fabrics of over 512 switches",
     ABOUT(NULL, "how far the model runs ahead of the DUT; changes no result")},
    {NUMBER("run.threads", run.threads, 1, 64, "threads"), .fallback = 1,
     ABOUT(NULL, "threads that evaluate the DUT's switches; changes no result")},
    {CHOICE("run.mode", run.mode, hd_mode_name),
     ABOUT(NULL, "closed: the DUT's outputs feed the DUT's inputs")},
    {CHOICE("run.compare", run.compare, hd_compare_name),
     ABOUT("6.2", "level of comparison; order and packets need closed mode")},
    {NUMBER("run.watchdog_cycles", run.watchdog_cycles, 0, MOST_CYCLES, "cycles"),
     .fallback = 10000,
     ABOUT(NULL, "so many cycles in which no flit moves are a deadlock; with run.compare: order or "
                 "packets they are a difference if the model goes on; 0: no watchdog")},
    {FLAG("run.rules", run.rules), .fallback = true,
     ABOUT("6.7", "watch the rules at ports, which need no model: credits, packets, tables, order, "
                  "progress")},
    {CHOICE("run.order", run.order, hd_port_order_name),
     ABOUT("6.7",
           "which packets a switch keeps in order (rule P12): of an input channel all (channels) "
           "or those to one node (flows), of an input port those of one source and destination "
           "(pairs) or of one virtual network (networks), or none; usual: with run.compare: exact "
           "channels, otherwise flows, or none where packets may choose among ports")},
    {CHOICE("run.routes", run.routes, hd_port_routes_name),
     ABOUT("6.7",
           "by which ways switches send packets on (rule P7): as the tables say, for switches "
           "without tables in dimension-order, by any minimal way, each link of which comes "
           "nearer to the node, or any way at all")},
    {NUMBER("run.held_cycles", run.held_cycles, 1, 1000000, "cycles"), .fallback = HD_HELD_CYCLES,
     ABOUT("6.7", "a flit that could leave its switch for more cycles, and does not, is held "
                  "(rule P14)")},
    {NUMBER("run.used_cycles", run.used_cycles, 0, 256, "cycles"),
     ABOUT(
         "2.9",
         "before the run each switch forwards packets for up to so many cycles, and is reset while "
         "they are inside; 0: it is new")},
    {NUMBER("run.warmup_cycles", run.warmup_cycles, 0, MOST_CYCLES, "cycles"),
     ABOUT(NULL, "packets created before this cycle are in no statistics; less than cycles")},
    {NUMBER("run.measure_cycles", run.measure_cycles, 0, MOST_CYCLES, "cycles"),
     ABOUT(
         NULL,
         "packets created in so many cycles after the warm-up are measured, and the run ends when "
         "they have all arrived; 0: all after the warm-up are")},
    {TEXT("run.dut", 4096), MEMBER(run.dut), .text = "auto",
     ABOUT(NULL,
           "backend, as NAME or NAME:options; none: the model alone; auto: verilator, which a "
           "sweep changes for lanes where that is sooner")},

    {.path = "faults",
     .type = HD_KEY_ROWS,
     RANGE(1, 200),
     .otherwise = "none",
     ABOUT("5.9", "links and switches that fail while the run goes on; needs run.compare: exact")},
    {SECTION("faults[]")},
    {.path = "faults[].cycle",
     .type = HD_KEY_NUMBER,
     RANGE(0, MOST_CYCLES),
     .unit = "cycle",
     .otherwise = "",
     ABOUT("5.9", "cycle in which it fails; either this key or after_barrier")},
    {.path = "faults[].after_barrier",
     .type = HD_KEY_NUMBER,
     RANGE(1, MOST_CYCLES),
     .unit = "rounds",
     .otherwise = "",
     ABOUT("5.9", "it fails after so many rounds of barriers, all groups together, when no barrier "
                  "message is under way; so none is lost; no node arrives at its next barrier "
                  "before that; needs switch.barrier")},
    {TEXT("faults[].link", 32), .otherwise = "",
     ABOUT("5.9",
           "the link at a port of a switch, as s3:1; it may lead to a node; either this key or "
           "switch")},
    {.path = "faults[].switch",
     .type = HD_KEY_NUMBER,
     RANGE(0, HD_MAX_SWITCHES - 1),
     .unit = "switch",
     .otherwise = "",
     ABOUT("5.9", "a switch with all its links; its nodes are cut off")},

    {SECTION("trace"), ABOUT("6", "what is recorded")},
    {FLAG("trace.packets", trace.packets), .fallback = true,
     ABOUT(NULL, "packets go into the run's database")},
    {FLAG("trace.hops", trace.hops),
     ABOUT(NULL,
           "every hop of every packet goes into the database, too; with run.compare: exact alone")},
    {FLAG("trace.waves", trace.waves), .fallback = true,
     ABOUT(NULL, "waves of RTL and model around a divergence")},
    {NUMBER("trace.wave_cycles", trace.wave_cycles, 1, 4096, "cycles"), .fallback = 64,
     ABOUT(NULL, "so many cycles before the divergence and so many after it")},

    {SECTION("budgets"), ABOUT("6", "what a run must keep to pass")},
    {NUMBER("budgets.latency_cycles", budgets.latency_cycles, 0, MOST_CYCLES, "cycles"),
     HAS(budgets.has_latency), .otherwise = "none",
     ABOUT(
         "4.4",
         "largest latency of a packet; one that has not arrived counts with its age; missed, too, "
         "where none is measured")},
    {NUMBER("budgets.blocked_flit_cycles", budgets.blocked_flit_cycles, 0, UINT64_MAX,
            "flit-cycles"),
     HAS(budgets.has_blocked), .otherwise = "none",
     ABOUT("6.3", "largest number of waiting flits, summed over all cycles")},
    {NUMBER("budgets.barrier_cycles", budgets.barrier_cycles, 0, MOST_CYCLES, "cycles"),
     HAS(budgets.has_barrier), .otherwise = "none",
     ABOUT(
         "8.11",
         "longest barrier as the network sees it; the first barrier of each group does not count. "
         "Missed, too, where none is measured")},

    {SECTION("energy"),
     ABOUT(NULL, "what events take; with any of these keys, reports say what the run took")},
#define ENERGY_KEY(name, NAME, u, about)                                                         \
  {NUMBER("energy." #name, energy.femtojoules[HD_ENERGY_##NAME], 0, UINT64_C(1000000000), "fJ"), \
   HAS(energy.has[HD_ENERGY_##NAME]), .otherwise = "none", ABOUT(NULL, about)},
    HD_ENERGY_LIST(ENERGY_KEY)
#undef ENERGY_KEY
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

static const char *key_in_section(const struct hd_key *key, const char *section)
{
  size_t n = strlen(section);
  if (strncmp(key->path, section, n) != 0 || (n && key->path[n] != '.'))
    return NULL;
  const char *name = key->path + n + (n > 0);
  return strpbrk(name, ".[") ? NULL : name;
}

static void write_fallback(const struct hd_key *key, char *buf, size_t size)
{
  switch (key->type) {
  case HD_KEY_TEXT:
    snprintf(buf, size, "%s", key->text);
    break;
  case HD_KEY_FLAG:
    snprintf(buf, size, "%s", key->fallback ? "true" : "false");
    break;
  case HD_KEY_CHOICE:
    snprintf(buf, size, "%s", key->choice((unsigned)key->fallback));
    break;
  default:
    snprintf(buf, size, "%" PRIu64, key->fallback);
  }
}

/* Lists the topologies that need a key of the shape, or those that only take it. */
static size_t list_topologies(const char *shape, bool needed, char *buf, size_t size)
{
  size_t used = 0;
  bool needs;
  *buf = '\0';
  for (size_t i = 0; hd_topologies[i] && used < size; i++)
    if (hd_topology_takes(hd_topologies[i], shape, &needs) && needs == needed)
      used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "",
                               hd_topologies[i]->name);
  return used;
}

const char *hd_key_default(const struct hd_key *key, char *buf, size_t size)
{
  const char *shape = hd_shape_key(key);
  char value[64], list[256];
  size_t used = 0;
  if (key->required || key->otherwise) {
    snprintf(buf, size, "%s", key->required ? "must be given" : key->otherwise);
    return buf;
  }
  if (shape && list_topologies(shape, true, list, sizeof list))
    used = (size_t)snprintf(buf, size, "needed by %s", list);
  if (shape && !list_topologies(shape, false, list, sizeof list))
    return buf;
  write_fallback(key, value, sizeof value);
  if (used < size)
    snprintf(buf + used, size - used, "%s%s%s%s%s", used ? "; " : "", value, shape ? " (" : "",
             shape ? list : "", shape ? ")" : "");
  return buf;
}

const char *hd_key_legal(const struct hd_key *key, char *buf, size_t size)
{
  size_t used = 0;
  buf[0] = '\0';
  switch (key->type) {
  case HD_KEY_NUMBER:
    snprintf(buf, size, "a whole number, %" PRIu64 " … %" PRIu64, key->low, key->high);
    break;
  case HD_KEY_POWER:
    for (uint64_t value = key->low; value <= key->high && used < size; value *= 2)
      used += (size_t)snprintf(buf + used, size - used, "%s%" PRIu64, used ? ", " : "", value);
    break;
  case HD_KEY_FLAG:
    snprintf(buf, size, "true, false");
    break;
  case HD_KEY_CHOICE:
    for (unsigned c = 0; key->choice(c) && used < size; c++)
      used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "", key->choice(c));
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
    for (size_t i = 0; i < KEYS && used < size; i++) {
      const char *name = key_in_section(&keys[i], key->path);
      if (name)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "", name);
    }
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

/* Returns the key of a path, whose items of lists have numbers. */
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

static int fail_value(const struct check *c, const struct hd_outline_entry *entry,
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
  struct hd_suggestion suggestion = {.given = entry->value};
  if (entry->kind == HD_OUTLINE_SCALAR && key->type == HD_KEY_CHOICE)
    suggestion.length = strlen(entry->value);
  for (unsigned i = 0; suggestion.length && key->choice(i); i++)
    hd_suggest(&suggestion, key->choice(i));
  return hd_fail(c->err, HD_E_INPUT, "%s:%" PRIu32 ": %s: %s%s; legal: %s", c->name, entry->line,
                 path.text, shape.text, suggestion.text, hd_key_legal(key, legal, sizeof legal));
}

static int fail_unknown_key(const struct check *c, const struct hd_outline_entry *entry)
{
  static const struct hd_key top = {.path = "", .type = HD_KEY_SECTION};
  const struct hd_outline_entry *parent = &c->outline->entries[entry->parent];
  char legal[256];
  struct hd_suggestion suggestion = {.given = entry->path, .length = strlen(entry->path)};
  hd_key_legal(*parent->path ? key_of(parent->path) : &top, legal, sizeof legal);
  for (const struct hd_key *k = keys; k < keys + KEYS; k++)
    if (key_in_section(k, parent->path))
      hd_suggest(&suggestion, k->path);
  /* Only descriptions of routers have this key (docs/wrap.md). */
  const char *where = strcmp(entry->path, "top") ? "" : "; give a description of a router to --rtl";
  return hd_fail(c->err, HD_E_INPUT, "%s:%" PRIu32 ": unknown key %s%s; legal%s%s: %s%s", c->name,
                 entry->line, hd_quote(entry->path).text, suggestion.text,
                 *parent->path ? " in " : "", parent->path, legal, where);
}

/* Tests for decimal digits within the range. A leading 0 is refused, since some readers of YAML
 * take it for octal. */
static bool number_legal(const struct hd_key *key, const char *text)
{
  if (!*text || strspn(text, "0123456789") != strlen(text) || (*text == '0' && text[1]))
    return false;
  errno = 0;
  unsigned long long value = strtoull(text, NULL, 10);
  bool power = value && (value & (value - 1)) == 0;
  return errno == 0 && value >= key->low && value <= key->high &&
         (key->type != HD_KEY_POWER || power);
}

static bool text_legal(const struct hd_key *key, const char *text)
{
  for (const char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      return false;
  return strlen(text) >= key->low && strlen(text) <= key->high;
}

/* Returns the index of a choice; negative: there is no such choice. */
static int choice_of(const struct hd_key *key, const char *text)
{
  for (unsigned c = 0; key->choice(c); c++)
    if (!strcmp(text, key->choice(c)))
      return (int)c;
  return -1;
}

static bool value_legal(const struct hd_key *key, const struct hd_outline_entry *entry)
{
  static const enum hd_outline_kind kinds[] = {
      [HD_KEY_SECTION] = HD_OUTLINE_MAPPING, [HD_KEY_PARAMETERS] = HD_OUTLINE_MAPPING,
      [HD_KEY_LIST] = HD_OUTLINE_SEQUENCE,   [HD_KEY_ROWS] = HD_OUTLINE_SEQUENCE,
      [HD_KEY_NUMBER] = HD_OUTLINE_SCALAR,   [HD_KEY_FLAG] = HD_OUTLINE_SCALAR,
      [HD_KEY_CHOICE] = HD_OUTLINE_SCALAR,   [HD_KEY_POWER] = HD_OUTLINE_SCALAR,
      [HD_KEY_TEXT] = HD_OUTLINE_SCALAR};
  if (entry->kind != kinds[key->type])
    return false;
  switch (key->type) {
  case HD_KEY_NUMBER:
  case HD_KEY_POWER:
    return number_legal(key, entry->value);
  case HD_KEY_FLAG:
    return !strcmp(entry->value, "true") || !strcmp(entry->value, "false");
  case HD_KEY_CHOICE:
    return choice_of(key, entry->value) >= 0;
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
    return value_legal(&parameter, entry) ? 0 : fail_value(c, entry, &parameter);
  const struct hd_key *key = key_of(entry->path);
  if (!key)
    return fail_unknown_key(c, entry);
  return value_legal(key, entry) ? 0 : fail_value(c, entry, key);
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

/* ── values ────────────────────────────────────────────────────────────────── */

static void store_number(void *member, size_t size, uint64_t value)
{
  uint8_t flag = (uint8_t)value;
  uint32_t word = (uint32_t)value;
  if (size == sizeof flag)
    memcpy(member, &flag, sizeof flag);
  else if (size == sizeof word)
    memcpy(member, &word, sizeof word);
  else
    memcpy(member, &value, sizeof value);
}

static uint64_t value_of(const struct hd_key *key, const char *text)
{
  switch (key->type) {
  case HD_KEY_FLAG:
    return *text == 't';
  case HD_KEY_CHOICE:
    return (uint64_t)choice_of(key, text);
  default:
    return strtoull(text, NULL, 10);
  }
}

static void store_list(struct hd_scenario *scenario, const struct hd_key *key,
                       const struct hd_outline *outline, const struct hd_outline_entry *list)
{
  uint32_t *items = (uint32_t *)(void *)((char *)scenario + key->offset), n = 0;
  for (uint32_t i = 0; list && i < outline->n; i++)
    if (outline->entries[i].parent == (uint32_t)(list - outline->entries))
      items[n++] = (uint32_t)strtoull(outline->entries[i].value, NULL, 10);
  store_number((char *)scenario + key->count, sizeof n, n);
}

void hd_scenario_fill(struct hd_scenario *scenario, const struct hd_outline *outline)
{
  for (size_t i = 0; i < KEYS; i++) {
    const struct hd_key *key = &keys[i];
    if (key->size == 0)
      continue;
    const struct hd_outline_entry *entry = hd_outline_find(outline, key->path);
    char *member = (char *)scenario + key->offset;
    if (key->has)
      store_number((char *)scenario + key->has, sizeof(bool), entry != NULL);
    if (key->type == HD_KEY_LIST) {
      store_list(scenario, key, outline, entry);
    } else if (key->type == HD_KEY_TEXT) {
      const char *text = entry ? entry->value : key->text;
      char *copy = text ? hd_xstrdup(text) : NULL;
      memcpy(member, &copy, sizeof copy);
    } else {
      store_number(member, key->size, entry ? value_of(key, entry->value) : key->fallback);
    }
  }
}

uint64_t hd_key_number(const struct hd_key *key, const struct hd_scenario *scenario)
{
  uint64_t value = 0;
  uint32_t word;
  const char *member = (const char *)scenario + key->offset;
  if (key->size == sizeof value) {
    memcpy(&value, member, sizeof value);
  } else if (key->size == sizeof word) {
    memcpy(&word, member, sizeof word);
    value = word;
  } else {
    value = (uint8_t)*member;
  }
  return value;
}

const char *hd_key_text(const struct hd_key *key, const struct hd_scenario *scenario)
{
  const char *text;
  memcpy(&text, (const char *)scenario + key->offset, sizeof text);
  return text;
}

uint32_t hd_key_items(const struct hd_key *key, const struct hd_scenario *scenario,
                      const uint32_t **items)
{
  uint32_t n;
  memcpy(&n, (const char *)scenario + key->count, sizeof n);
  *items = (const uint32_t *)(const void *)((const char *)scenario + key->offset);
  return n;
}
