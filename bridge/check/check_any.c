/* Checks a router that nobody has a model of: its switches, mixes of traffic, and the plan of the check.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Switches, fabrics and traffic are tables; a mix takes one line of each. Random scenarios are those of the soak. The
 * rules at ports (§6.7) and the delivery of packets judge every scenario, so kinds of run differ only in the way in which
 * they are carried out.
 */
#include "check_internal.h"

#include "../host/file.h"
#include "../host/memory.h"
#include "check_stress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ── switches ──────────────────────────────────────────────────────────────── */

#define SWITCH(ports_, vcs_, bits, depth, nodes_, tables)                                   \
  {                                                                                         \
    .ports = ports_, .vcs = vcs_, .data_bits = bits, .depth_flits = depth, .nodes = nodes_, \
    .route_cycles = 1, .arb_cycles = 1, .source_table = tables                              \
  }

/* An ordinary switch first; then both ends of ports, channels, width and depth. Each set is built once. */
static const struct hd_switch_params switches[] = {
    SWITCH(5, 2, 32, 4, 16, 0),  SWITCH(5, 1, 16, 2, 16, 0),  SWITCH(4, 2, 64, 8, 16, 1),
    SWITCH(5, 4, 32, 3, 64, 0),  SWITCH(5, 1, 32, 1, 16, 0),  SWITCH(8, 2, 16, 16, 64, 0),
    SWITCH(3, 1, 64, 5, 16, 0),  SWITCH(5, 3, 64, 7, 32, 0),  SWITCH(5, 8, 16, 4, 16, 0),
    SWITCH(16, 1, 32, 4, 64, 0), SWITCH(5, 2, 32, 64, 64, 0),
};
enum { SWITCHES = sizeof switches / sizeof *switches };

void hd_check_set_text(const struct hd_switch_params *sw, char *text, size_t size)
{
  snprintf(text, size, "%s, %s x %s of %" PRIu32 " bits, %" PRIu32 " nodes%s%s",
           hd_count(sw->ports, "port").text, hd_count(sw->vcs, "VC").text,
           hd_count(sw->depth_flits, "flit").text, sw->data_bits, sw->nodes,
           sw->source_table ? ", source tables" : "", sw->cut_flits ? ", cut-through" : "");
}

/* ── fabrics and traffic ───────────────────────────────────────────────────── */

#define FABRIC(topology, routing) \
  "fabric: {topology: " topology "}\nrouting: {algorithm: " routing "}\n"
#define MESH(dims) FABRIC("mesh, dims: [" dims "]", "dimension-order")

static const struct check_fabric fabrics[] = {
    {5, 1, 16, 4, false, MESH("4, 4")},
    {4, 1, 16, 0, false, FABRIC("extended-tree, k: 2, n: 3", "d-mod-k")},
    {4, 1, 16, 0, true,
     FABRIC("extended-tree, k: 2, n: 3, link_cycles: 2", "s-mod-k, always_top: true")},
    {5, 2, 16, 0, false, FABRIC("torus, dims: [4, 4]", "minimal")},
    {4, 1, 12, 0, false, FABRIC("irregular, switches: 12, degree: 3, graph_seed: 7", "up-down")},
    {5, 1, 16, 0, false, FABRIC("hypercube, n: 4, link_cycles: 3", "minimal")},
    {5, 1, 9, 0, false, FABRIC("mesh, dims: [3, 3]", "up-down")},
    {3, 1, 5, 5, false, MESH("5")},
    {5, 1, 32, 8, false, MESH("8, 4")},
    {5, 1, 9, 3, false, MESH("3, 3")},
    {5, 1, 4, 2, false, MESH("2, 2")},
    {8, 1, 32, 0, false, FABRIC("extended-tree, k: 4, n: 2", "d-mod-k")},
    {16, 1, 64, 0, false, FABRIC("clos, n: 8, m: 8, r: 8", "minimal")},
};
enum { FABRICS = sizeof fabrics / sizeof *fabrics };

enum need { ANY_NODES, POWER_OF_TWO, SQUARE };

/* Short and long packets, low loads and loads above saturation, and groups that are idle before all their nodes send. */
static const struct traffic {
  const char *program, *load; /* load NULL: messages, whose packets have an envelope (§4.3) */
  uint32_t flits;             /* with a load */
  const char *parameters;     /* further parameters of the program */
  enum need nodes;
} traffic[] = {
    {"uniform", "0.1", 4, "", ANY_NODES},
    {"uniform", "1.0", 3, "", ANY_NODES},
    {"hotspot", "0.5", 2, ", fraction: 0.6, node: 3", ANY_NODES},
    {"collective", NULL, 0, "collective: alltoall, bytes: 60, repeat: 4, gap: 300", ANY_NODES},
    {"permutation", "0.8", 5, ", permutation: 3", ANY_NODES},
    {"uniform", "0.5", 1, "", ANY_NODES},
    {"bit-complement", "0.6", 4, "", POWER_OF_TWO},
    {"shuffle", NULL, 0, "sources: 4, destinations: 3, first_destination: 1, bytes: 200, rounds: 3",
     ANY_NODES},
    {"uniform", "0.4", 40, "", ANY_NODES},
    {"hotspot", "1.0", 1, ", fraction: 0.9", ANY_NODES},
    {"transpose", "0.9", 3, "", SQUARE},
    {"broadcast", NULL, 0, "root: 2, bytes: 120, rounds: 6", ANY_NODES},
    {"permutation", "1.0", 1, ", permutation: 11", ANY_NODES},
    {"tornado", "0.7", 6, "", SQUARE},
    {"uniform", "0.02", 7, "", ANY_NODES},
    {"collective", NULL, 0, "collective: gather, bytes: 40, repeat: 4, root: 1, gap: 200",
     ANY_NODES},
    {"neighbour", "0.9", 2, "", SQUARE},
    {"uniform", "1.0", 9, "", ANY_NODES},
};
enum { TRAFFIC = sizeof traffic / sizeof *traffic };

/* Loads that fill all channels on the way to nodes which give no credits. Most packets have several flits, so that a
 * channel is often full in the middle of a packet. */
static const struct traffic held_traffic[] = {
    {"uniform", "1.0", 7, "", ANY_NODES},
    {"permutation", "0.8", 5, ", permutation: 5", ANY_NODES},
    {"uniform", "0.6", 3, "", ANY_NODES},
    {"hotspot", "1.0", 2, ", fraction: 0.3, node: 1", ANY_NODES},
};
enum { HELD_TRAFFIC = sizeof held_traffic / sizeof *held_traffic };

bool hd_check_routes_itself(const struct hd_check *c)
{
  bool itself = false;
  for (size_t i = 0; i < c->params->n_settings; i++)
    if (!strcmp(c->params->settings[i].path, "run.routes"))
      itself = strcmp(c->params->settings[i].value, hd_port_routes_name(HD_ROUTES_TABLE)) != 0;
  return itself;
}

static bool fits(const struct hd_check *c, const struct check_fabric *f,
                 const struct hd_switch_params *sw)
{
  if (c->params->takes.network)
    return sw->ports == f->ports && sw->nodes == f->nodes;
  const uint32_t columns = c->params->takes.columns;
  const bool knows =
      !hd_check_routes_itself(c) || (f->columns && (!columns || f->columns == columns));
  const bool keeps = f->vcs == 1 || c->params->takes.classes;
  return knows && keeps && sw->ports >= f->ports && sw->vcs >= f->vcs && sw->nodes >= f->nodes &&
         (sw->source_table != 0) == f->by_source;
}

/* Returns fabric number `turn` of those that fit the switch, modulo their number; NULL: none fits. */
static const struct check_fabric *fabric_for(const struct hd_check *c,
                                             const struct hd_switch_params *sw, uint32_t turn)
{
  const struct check_fabric *found[FABRICS];
  const bool network = c->params->takes.network != NULL;
  const struct check_fabric *all = network ? c->networks : fabrics;
  const uint32_t of_all = network ? CHECK_NETWORKS : FABRICS;
  uint32_t n = 0;
  for (uint32_t i = 0; i < of_all; i++)
    if (fits(c, &all[i], sw))
      found[n++] = &all[i];
  return n ? found[turn % n] : NULL;
}

/* Sets the parameters that the router's description or --switch fixes. False: there is no such switch, or no fabric of
 * the table fits it. */
static bool apply_fixed_params(const struct hd_check *c, struct hd_switch_params *sw,
                               struct hd_error *err)
{
  const struct check_aim *aim = &c->aim;
  if (c->params->takes.network) {
    sw->ports = sw->nodes = c->params->takes.ports;
    sw->source_table = 0;
  } else if (c->params->takes.ports && sw->ports > c->params->takes.ports) {
    sw->ports = c->params->takes.ports;
  }
  if (c->params->takes.vcs)
    sw->vcs = c->params->takes.vcs;
  if (c->params->takes.data_bits && sw->data_bits > c->params->takes.data_bits)
    sw->data_bits = c->params->takes.data_bits;
  if (c->params->takes.nodes && sw->nodes > c->params->takes.nodes)
    sw->nodes = c->params->takes.nodes;
  for (size_t k = 0; k < aim->n; k++)
    for (size_t i = 0; i < HD_SWITCH_PARAMS; i++)
      if (!strcmp(hd_switch_param_list[i].name, strchr(aim->settings[k].path, '.') + 1))
        hd_switch_param_set(sw, i, (uint32_t)strtoul(aim->settings[k].value, NULL, 10));
  if ((c->params->takes.network ? hd_dut_params_check : hd_switch_params_check)(sw, err))
    return false;
  if (sw->cut_flits && sw->cut_flits < c->params->takes.shortest) {
    hd_fail(err, HD_E_INPUT, "cut_flits: %" PRIu32 ", and packet.shortest is %" PRIu32,
            sw->cut_flits, c->params->takes.shortest);
    return false;
  }
  if (!fabric_for(c, sw, 0) && c->params->takes.columns)
    hd_fail(err, HD_E_INPUT, "the check has no mesh of %" PRIu32 " columns for such switches",
            c->params->takes.columns);
  else if (!fabric_for(c, sw, 0))
    hd_fail(err, HD_E_INPUT, "no fabric of the check is made of such switches");
  return fabric_for(c, sw, 0) != NULL;
}

/* A described network is the only fabric. With long links its endpoints send and receive with gaps. */
static void list_networks(struct hd_check *c)
{
  static const char *const links[CHECK_NETWORKS] = {"1", "3"};
  const char *fabric = c->params->takes.network;
  const uint8_t n = (uint8_t)c->params->takes.ports;
  for (size_t i = 0; fabric && i < CHECK_NETWORKS; i++) {
    struct hd_text text = {0};
    hd_text_add(&text, "fabric: %.*s, link_cycles: %s}\nrouting: {algorithm: minimal}\n",
                (int)strlen(fabric) - 1, fabric, links[i]);
    c->network_keys[i] = text.chars;
    c->networks[i] = (struct check_fabric){n, 1, n, 0, false, text.chars};
  }
}

/* A network has one parameter, the buffers at its endpoints. Each of its builds takes minutes. */
static bool suits_network(const struct hd_switch_params *sw)
{
  return sw->depth_flits == 1 || sw->depth_flits == 4 || sw->depth_flits == 16;
}

static int list_switches(struct hd_check *c, struct hd_error *err)
{
  const char *keys = c->params->switch_keys;
  struct hd_error why = {""};
  list_networks(c);
  for (uint32_t i = 0; i < SWITCHES; i++) {
    struct hd_switch_params sw = switches[i];
    uint32_t same = 0;
    /* In every second set the depth is the number of slots that the router assumes, so that a lost credit shows (§6.7). */
    if (i % 2 == 0 && c->params->takes.slots && c->params->takes.slots <= HD_MAX_DEPTH)
      sw.depth_flits = c->params->takes.slots;
    if ((c->params->takes.network && !suits_network(&switches[i])) ||
        !apply_fixed_params(c, &sw, &why))
      continue;
    while (same < c->n_sets && memcmp(&c->sets[same], &sw, sizeof sw) != 0)
      same++;
    c->sets[same] = sw;
    c->n_sets += same == c->n_sets;
  }
  c->n_random_sets = c->n_sets;
  return c->n_sets ? HD_OK
                   : hd_fail(err, HD_E_INPUT, "%s%s: %.500s", keys ? "--switch " : "",
                             keys ? keys : c->params->rtl_dir, why.text);
}

/* Returns the most flits that a packet may have; 0: any number. */
static uint32_t max_packet_flits(const struct hd_check *c, const struct hd_switch_params *sw)
{
  const uint32_t longest = c->params->takes.longest;
  if (c->params->takes.single)
    return 1;
  return longest && (!sw->cut_flits || longest < sw->cut_flits) ? longest : sw->cut_flits;
}

/* Returns the flits of the shortest packet of a message: head and envelope (§4.3). */
static uint32_t least_of_messages(const struct hd_switch_params *sw)
{
  return 1 + 64 / sw->data_bits;
}

static uint32_t flits_of(const struct hd_check *c, const struct traffic *t,
                         const struct hd_switch_params *sw)
{
  const uint32_t most = max_packet_flits(c, sw), least = c->params->takes.shortest;
  const uint32_t flits = most && most < t->flits ? most : t->flits;
  return flits < least ? least : flits;
}

static bool traffic_fits(const struct hd_check *c, const struct traffic *t,
                         const struct check_fabric *f, const struct hd_switch_params *sw)
{
  const uint32_t most = max_packet_flits(c, sw);
  static const uint8_t squares[] = {9, 16, 25, 36, 64};
  const bool cut = !t->load && ((most && most <= least_of_messages(sw)) ||
                                least_of_messages(sw) < c->params->takes.shortest);
  const bool few = f->nodes < 4 && *t->parameters; /* parameters name nodes */
  return !cut && !few &&
         (t->nodes == ANY_NODES ||
          (t->nodes == POWER_OF_TWO ? !(f->nodes & (f->nodes - 1))
                                    : memchr(squares, f->nodes, sizeof squares) != NULL));
}

/* ── scenarios ─────────────────────────────────────────────────────────────── */

static void add_switch(const struct hd_switch_params *sw, struct hd_text *text)
{
  const char *before = "switch: {";
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++) {
    const struct hd_switch_param *d = &hd_switch_param_list[i];
    const uint32_t value = hd_switch_param_get(sw, i);
    if (d->part != HD_PART_PLAIN || d->kind == HD_PARAM_ROUTING ||
        value > d->high) /* ports of a network follow from its fabric */
      continue;
    hd_text_add(text, "%s%s: %" PRIu32, before, d->name, value);
    before = ", ";
  }
  hd_text_add(text, "}\n");
}

/* Returns the cycles in which software sends. Packets that are under way at the end still arrive (§6.2). */
static uint32_t cycles_of(const struct hd_check *c, enum check_kind kind)
{
  const bool is_slow = kind == CHECK_UNKNOWN ||
                       (c->in_vhdl && kind != CHECK_SPEED); /* some hundred cycles a second */
  return kind == CHECK_MIX_LONG ? 50000 : is_slow ? 600 : 2000;
}

static void add_run(const struct hd_check *c, enum check_kind kind, struct hd_text *text)
{
  hd_text_add(text, "run: {mode: closed, compare: packets, dut: \"%s\", cycles: %" PRIu32,
              hd_check_dut(c, kind), cycles_of(c, kind));
  if (kind == CHECK_MIX_RESET)
    hd_text_add(text, ", used_cycles: 40");
  if (kind == CHECK_SPEED)
    hd_text_add(text, ", warmup_cycles: 500");
  hd_text_add(text, "}\n");
}

/* Adds holds that are long enough to fill all channels of four inputs over one link, and for P14 to be sure (§6.7). */
static void add_holds(const struct hd_switch_params *sw, struct hd_text *text)
{
  const uint32_t hold = 160 + 4 * sw->depth_flits * sw->vcs;
  hd_text_add(text, ", hold_cycles: %" PRIu32 ", hold_every: %" PRIu32, hold, hold + 100);
}

static void add_software(const struct hd_check *c, const struct traffic *t,
                         const struct check_run *run, struct hd_text *text)
{
  const uint32_t most = max_packet_flits(c, &c->sets[run->set]);
  const uint32_t bits = c->sets[run->set].data_bits;
  hd_text_add(text, "software: {program: %s, ", t->program);
  if (c->params->takes.longest && !t->load) /* head and envelope (§4.3) count as flits, too */
    hd_text_add(text, "packet_bytes: %" PRIu32 ", ", (most - 1 - 64 / bits) * (bits / 8));
  hd_text_add(text, "parameters: {");
  if (t->load)
    hd_text_add(text, "load: %s, flits: %" PRIu32 ", cycles: %" PRIu32, t->load,
                flits_of(c, t, &c->sets[run->set]), cycles_of(c, run->kind));
  if (run->kind == CHECK_MIX_HELD)
    add_holds(&c->sets[run->set], text);
  hd_text_add(text, "%s}}\n", t->parameters);
}

static void add_scenario(const struct hd_check *c, const struct check_run *run,
                         const struct check_fabric *f, const struct traffic *t,
                         struct hd_text *text)
{
  hd_text_add(text, "name: %s-%" PRIu32 "\n%s", hd_check_kinds[run->kind].name, run->index,
              f->keys);
  add_switch(&c->sets[run->set], text);
  add_software(c, t, run, text);
  hd_text_add(text, "seed: %" PRIu64 "\n", c->params->seed * CHECK_STREAMS + run->index);
  add_run(c, run->kind, text);
}

/* Returns the set of mix `i`, where there are `n` kinds of traffic. Two switches are used in turn, so that one is built
 * while the other runs. */
static uint32_t set_of_mix(const struct hd_check *c, uint32_t i, uint32_t n)
{
  const uint32_t round = i / n;
  return (round / 2 * 2 + (i + round) % 2) % c->n_random_sets;
}

static void add_mix(const struct hd_check *c, const struct check_run *run, struct hd_text *text)
{
  const struct hd_switch_params *sw = &c->sets[run->set];
  const bool held = run->kind == CHECK_MIX_HELD;
  const struct traffic *table = held ? held_traffic : traffic;
  const uint32_t n = held ? HELD_TRAFFIC : TRAFFIC;
  const uint32_t place = run->index % n;
  const struct check_fabric *f = fabric_for(c, sw, place + run->index / n);
  uint32_t t = place;
  while (!traffic_fits(c, &table[t], f, sw))
    t = (t + 1) % n;
  add_scenario(c, run, f, &table[t], text);
}

/* Adds a scenario with a low load, or, where the run's index is odd, with as much as nodes can send. */
static void add_speed(const struct hd_check *c, const struct check_run *run, struct hd_text *text)
{
  static const struct traffic loads[] = {{"uniform", "0.02", 4, "", ANY_NODES},
                                         {"uniform", "1.0", 4, "", ANY_NODES}};
  add_scenario(c, run, fabric_for(c, &c->sets[run->set], 0), &loads[run->index % 2], text);
}

/* Tests whether the routing is free of deadlock with a single channel, so that packets may take any channel. */
static bool needs_no_classes(const struct soak_case *drawn)
{
  struct soak_case one = *drawn;
  one.sw.vcs = 1;
  return drawn->networks == 1 && hd_soak_is_legal(&one);
}

/* Draws a scenario of the soak. Scenarios with odd numbers are drawn for barriers, which such routers do not have, so
 * only even numbers are taken. A fabric that can deadlock is no fault of the router, so another one is drawn. */
static void draw_any(const struct hd_check *c, uint32_t index, struct soak_case *drawn)
{
  enum { OTHERS = 1 << 20 };
  do {
    hd_soak_draw(drawn, c->sets, c->n_random_sets, 0, c->params->seed, SOAK_AIM_EVERY * index);
    index += OTHERS;
  } while (!hd_soak_is_legal(drawn) || !(c->params->takes.classes || needs_no_classes(drawn)));
  drawn->mode = HD_MODE_CLOSED;
  drawn->compare = HD_COMPARE_PACKETS;
  drawn->n_faults = 0;
}

static int write_drawn(const struct hd_check *c, const struct check_run *run, const char *directory,
                       const char *name, char path[SOAK_PATH], struct hd_error *err)
{
  struct soak_case drawn;
  draw_any(c, run->index, &drawn);
  return hd_soak_write(&drawn, directory, name, path, err);
}

int hd_check_write_ruled(const struct hd_check *c, const struct check_run *run,
                         const char *directory, const char *name, char path[SOAK_PATH],
                         struct hd_error *err)
{
  struct hd_text text = {0};
  int status = HD_OK;
  if (run->kind == CHECK_MIX_RANDOM) {
    status = write_drawn(c, run, directory, name, path, err);
  } else {
    (run->kind == CHECK_SPEED ? add_speed : add_mix)(c, run, &text);
    snprintf(path, SOAK_PATH, "%s/%s.yaml", directory, name);
    status = hd_file_write(path, hd_text_chars(&text), text.length, err);
    hd_text_fini(&text);
  }
  if (!status && c->params->n_settings)
    status = hd_check_write_whole(path, c->params->settings, c->params->n_settings, path, err);
  return status;
}

int hd_check_write_mixes(const struct hd_check_params *params, const char *directory, uint32_t n,
                         struct hd_error *err)
{
  struct hd_check *c;
  int status = hd_check_create(&c, params, err);
  for (uint32_t i = 0; i < n && !status; i++) {
    const struct check_run run = {.kind = CHECK_MIX, .index = i, .set = 0};
    char name[24], path[SOAK_PATH];
    snprintf(name, sizeof name, "mix-%" PRIu32, i);
    status = hd_check_write_ruled(c, &run, directory, name, path, err);
  }
  hd_check_destroy(c);
  return status;
}

/* ── the plan ──────────────────────────────────────────────────────────────── */

enum { ROUNDS = 3 /* rounds of all mixes and switches, each with other seeds */ };

static uint32_t count_mixes(const struct hd_check *c)
{
  return ROUNDS * TRAFFIC * c->n_random_sets;
}

static uint32_t count_mixes_once(const struct hd_check *c)
{
  return TRAFFIC * c->n_random_sets;
}

/* Four-state runs name a set, too, although Icarus needs no build: a set that Verilator refuses is skipped there as well. */
static struct check_run mix_run(struct hd_check *c, enum check_kind kind, uint32_t place)
{
  const uint32_t n = kind == CHECK_MIX_HELD ? HELD_TRAFFIC : TRAFFIC;
  return (struct check_run){.kind = kind, .index = place, .set = set_of_mix(c, place, n)};
}

static uint32_t count_held(const struct hd_check *c)
{
  return ROUNDS * HELD_TRAFFIC * c->n_random_sets;
}

static uint32_t count_long(const struct hd_check *c)
{
  return c->in_vhdl ? 0 : c->n_random_sets;
}

/* All long mixes have the traffic that saturates the fabric: line 1 of `traffic`. */
static struct check_run long_mix(struct hd_check *c, enum check_kind kind, uint32_t place)
{
  return mix_run(c, kind, place * TRAFFIC + 1);
}

static uint32_t count_unknown(const struct hd_check *c)
{
  enum { FOUR_STATE_MIXES = 12 };
  return c->has_tool[CHECK_ICARUS] && !c->in_vhdl ? FOUR_STATE_MIXES : 0;
}

static uint32_t count_speeds(const struct hd_check *c)
{
  return 2 * c->n_random_sets;
}

static struct check_run speed_run(struct hd_check *c, enum check_kind kind, uint32_t place)
{
  (void)c;
  return (struct check_run){.kind = kind, .index = place, .set = place / 2};
}

static uint32_t count_drawn(const struct hd_check *c)
{
  (void)c;
  return CHECK_NO_END;
}

/* Lists random scenarios, or further mixes with other seeds where the router takes few fabrics or short packets. */
static struct check_run random_run(struct hd_check *c, enum check_kind kind, uint32_t place)
{
  if (hd_check_routes_itself(c) || c->params->takes.single || c->params->takes.longest ||
      c->params->takes.shortest || c->params->takes.network)
    return mix_run(c, CHECK_MIX, count_mixes(c) + place);
  struct soak_case scenario;
  draw_any(c, place, &scenario);
  return (struct check_run){.kind = kind, .index = place, .set = scenario.set};
}

static uint32_t count_aimed(const struct hd_check *c)
{
  return c->aim.has_scenario ? CHECK_AIM_SEEDS : 0;
}

static struct check_run aimed_scenario(struct hd_check *c, enum check_kind kind, uint32_t place)
{
  return (struct check_run){.kind = kind, .index = place, .set = c->aim.set};
}

/* For both judges of any router. */
const struct check_stage hd_check_rules_stages[] = {
    STAGE("aimed", "aimed run", AIMED, count_aimed, aimed_scenario, AIM, 4, 0, 0, 0),
    STAGE("mixes", "traffic mix", MIX, count_mixes, mix_run, DEPTH, 0, 6, 4, 2),
    STAGE("holds", "held mix", MIX_HELD, count_held, mix_run, DEPTH, 0, 2, 2, 1),
    STAGE("reset", "reset mix", MIX_RESET, count_mixes_once, mix_run, DEPTH, 0, 1, 1, 1),
    STAGE("four-state", "four-state mix", UNKNOWN, count_unknown, mix_run, BREADTH, 0, 1, 1, 1),
    STAGE("speed", "speed figure", SPEED, count_speeds, speed_run, BREADTH, 0, 1, 1, 1),
    STAGE("every-cycle", "every-cycle mix", MIX_EVERY_CYCLE, count_mixes_once, mix_run, DEPTH, 0, 1,
          1, 1),
    STAGE("beside", "stress run", STRESS, hd_check_stress_runs, hd_check_stress_run, REST, 0, 1, 1,
          1),
    STAGE("scenarios", "scenario", MIX_RANDOM, count_drawn, random_run, REST, 0, 2, 3, 3),
    STAGE("long", "long mix", MIX_LONG, count_long, long_mix, REST, 0, 0, 1, 1),
    {.name = NULL},
};
_Static_assert(sizeof hd_check_rules_stages / sizeof *hd_check_rules_stages <= CHECK_STAGES,
               "check_internal.h has room for them");

/* Adds what the user says of the router to the definition of the check, because all runs follow from it. */
static void add_promises(struct hd_check *c)
{
  hd_text_add(&c->definition, " takes %u %u %u %d %d", c->params->takes.ports, c->params->takes.vcs,
              c->params->takes.columns, c->params->takes.single, c->params->takes.classes);
  if (c->params->takes.longest)
    hd_text_add(&c->definition, " longest %u", c->params->takes.longest);
  if (c->params->takes.shortest)
    hd_text_add(&c->definition, " shortest %u", c->params->takes.shortest);
  if (c->params->takes.slots)
    hd_text_add(&c->definition, " slots %u", c->params->takes.slots);
  if (c->params->takes.data_bits || c->params->takes.nodes)
    hd_text_add(&c->definition, " of %u bits, %u nodes", c->params->takes.data_bits,
                c->params->takes.nodes);
  if (c->params->takes.network)
    hd_text_add(&c->definition, " network %s", c->params->takes.network);
  hd_text_add(&c->definition, " foreign, iverilog %d, budget %g %g", c->has_tool[CHECK_ICARUS],
              c->params->budget.latency_cycles, c->params->budget.accepted);
  for (size_t i = 0; i < c->params->n_settings; i++)
    hd_text_add(&c->definition, " %s=%s", c->params->settings[i].path,
                c->params->settings[i].value);
}

/* Such a check has no streams, no scenarios that come with Heddle, and no original. The switch of --scenario comes after
 * the sets of random scenarios, so that these do not draw it. */
int hd_check_prepare_any(struct hd_check *c, struct hd_error *err)
{
  const int status = list_switches(c, err);
  add_promises(c);
  c->is_original = true;
  if (!status && c->aim.has_scenario) {
    c->aim.set = c->n_sets;
    c->sets[c->n_sets++] = c->aim.sw;
  }
  if (!status)
    hd_check_plan(c);
  return status;
}

int hd_check_prepare_original(struct hd_check *c, struct hd_error *err)
{
  int status = hd_check_find_original(c, err);
  hd_text_add(&c->definition, " against");
  if (c->params->has_stress)
    hd_text_add(&c->definition, " stress %" PRIu32, c->params->stress);
  if (!status)
    status = hd_check_prepare_any(c, err);
  c->has_only = c->params->has_stress;
  return status || !c->has_only ? status : hd_check_only_stress(c, err);
}
