/* Routing: makes tables, and follows a packet through them (§2.7).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

#include "../switch/params.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DESCRIPTOR(KIND, name) &hd_routing_kind_##name,
const struct hd_routing_descriptor *const hd_routings[] = {HD_ROUTING_LIST(DESCRIPTOR) NULL};
#undef DESCRIPTOR

const char *hd_routing_kind_name(unsigned kind)
{
  return kind < HD_ROUTINGS ? hd_routings[kind]->name : NULL;
}

bool hd_routing_fits(enum hd_routing_kind routing, enum hd_topology_kind topology)
{
  const struct hd_topology_descriptor *t = hd_topologies[topology];
  enum hd_topology_family needed = hd_routings[routing]->family;
  switch (needed) {
  case HD_FAMILY_ANY:
    return true;
  case HD_FAMILY_BOTH_WAYS:
    return !t->one_way;
  case HD_FAMILY_OWN_RULE:
    return t->next_hop != NULL;
  case HD_FAMILY_RULE_BOTH_WAYS:
    return !t->one_way && (t->next_hop || t->family == HD_FAMILY_MESHES);
  case HD_FAMILY_FROM_TEXT:
    return t->from_text;
  case HD_FAMILY_REGULAR:
    return t->next_hop || t->family != HD_FAMILY_ANY;
  default:
    return needed == t->family;
  }
}

enum hd_routing_kind hd_routing_default(enum hd_topology_kind topology)
{
  unsigned kind = 0;
  while (!hd_routing_fits(kind, topology))
    kind++;
  return kind;
}

const char *hd_topology_family_name(enum hd_topology_family family)
{
  static const char *const names[] = {
      [HD_FAMILY_ANY] = "all topologies",
      [HD_FAMILY_MESHES] = "meshes",
      [HD_FAMILY_TREES] = "trees",
      [HD_FAMILY_FAT_TREES] = "FatTrees of k pods",
      [HD_FAMILY_BOTH_WAYS] = "topologies whose links go both ways",
      [HD_FAMILY_OWN_RULE] = "topologies that have a rule of their own",
      [HD_FAMILY_RULE_BOTH_WAYS] =
          "meshes and topologies that have a rule of their own and links both ways",
      [HD_FAMILY_FROM_TEXT] = "graph files",
      [HD_FAMILY_REGULAR] = "meshes, trees and topologies that have a rule of their own"};
  return names[family];
}

void hd_tables_fini(struct hd_tables *tables)
{
  free(tables->destination);
  free(tables->source);
  free(tables->sets);
  free(tables->first);
  memset(tables, 0, sizeof *tables);
}

struct hd_routing_needs hd_routing_needs(enum hd_routing_kind kind, const struct hd_topology *t)
{
  const struct hd_routing_descriptor *d = hd_routings[kind];
  struct hd_routing_needs needs = {(uint8_t)(d->by_node ? 3 : d->by_source), d->adaptive};
  for (size_t i = 0; d->family == HD_FAMILY_FROM_TEXT && i < t->routes.n; i++) {
    const struct hd_topology_route *r = &t->routes.entries[i];
    if (r->packets != HD_PACKETS_TO)
      needs.header_mode = r->packets == HD_PACKETS_FROM ? 1 : 3;
    needs.sets |= r->set != 0;
  }
  return needs;
}

static int tables_alloc(struct hd_tables *tables, const struct hd_topology *t,
                        struct hd_routing_needs needs, struct hd_error *err)
{
  const bool by_source = needs.header_mode;
  uint64_t entries = (uint64_t)t->n_switches * t->ports * t->n_nodes;
  memset(tables, 0, sizeof *tables);
  if (t->n_nodes > HD_MAX_NODES)
    return hd_fail(err, HD_E_INPUT, "%" PRIu32 " nodes; routing tables have at most %d entries",
                   t->n_nodes, HD_MAX_NODES);
  if (entries > HD_MAX_TABLE_ENTRIES)
    return hd_fail(err, HD_E_INPUT,
                   "%" PRIu32 " switches of %" PRIu32 " ports with %" PRIu32 " nodes need %" PRIu64
                   " routing table entries; at most %" PRIu64 " are legal",
                   t->n_switches, t->ports, t->n_nodes, entries, (uint64_t)HD_MAX_TABLE_ENTRIES);
  tables->n_switches = t->n_switches;
  tables->ports = t->ports;
  tables->n_nodes = t->n_nodes;
  tables->header_mode = needs.header_mode;
  tables->destination = calloc(entries, sizeof *tables->destination);
  if (by_source)
    tables->source = calloc(entries, sizeof *tables->source);
  if (needs.sets)
    tables->sets = calloc(entries, sizeof *tables->sets);
  if (!tables->destination || (by_source && !tables->source) || (needs.sets && !tables->sets)) {
    hd_tables_fini(tables);
    return hd_fail(err, HD_E_NOMEM, "out of memory for %" PRIu64 " routing table entries", entries);
  }
  return 0;
}

int hd_routing_way_header(const struct hd_topology *t, uint32_t data_bits, uint32_t source,
                          uint32_t destination, const uint8_t *ports, uint32_t n, uint64_t *header,
                          struct hd_error *err)
{
  const unsigned width = hd_log2_ceil(t->ports);
  struct hd_peer at = t->node_peers[source];
  *header = 2;
  if (2 + (uint64_t)n * width > data_bits)
    return hd_fail(err, HD_E_INPUT,
                   "a way of %" PRIu32 " switches needs a header of %" PRIu64
                   " bits, 2 and %u for each; flits have %" PRIu32 " (switch.data_bits)",
                   n, 2 + (uint64_t)n * width, width, data_bits);
  for (uint32_t i = 0; i < n; i++) {
    if (at.kind != HD_PEER_SWITCH)
      return hd_fail(err, HD_E_INPUT,
                     "the way from n%" PRIu32 " to n%" PRIu32 " ends after %" PRIu32
                     " of its %" PRIu32 " ports",
                     source, destination, i, n);
    const struct hd_peer *peer =
        ports[i] < t->ports ? &t->peers[(size_t)at.index * t->ports + ports[i]] : NULL;
    if (!peer || peer->kind == HD_PEER_NONE)
      return hd_fail(err, HD_E_INPUT,
                     "the way from n%" PRIu32 " to n%" PRIu32 " has port %u of s%u, which has no "
                     "link",
                     source, destination, ports[i], at.index);
    *header |= (uint64_t)ports[i] << (2 + i * width);
    at = *peer;
  }
  if (at.kind == HD_PEER_NODE && at.index == destination)
    return HD_OK;
  return hd_fail(err, HD_E_INPUT, "the way from n%" PRIu32 " to n%" PRIu32 " ends at %c%u", source,
                 destination, at.kind == HD_PEER_NODE ? 'n' : 's', at.index);
}

void hd_routing_store(struct hd_tables *tables, const struct hd_routing_descriptor *rule,
                      const struct hd_topology *t, bool always_top, unsigned mask)
{
  struct hd_tables by = *tables;
  const size_t row_bytes = t->n_nodes * sizeof *tables->destination;
  by.rule = rule;
  by.topology = t;
  by.always_top = always_top;
  by.mask = (uint8_t)mask;
  tables->least_vcs += hd_topology_channel_classes(t) - 1;
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    for (uint32_t port = 0; port < t->ports; port++) {
      const uint32_t same = hd_rule_port(&by, port);
      uint16_t *to = hd_table_row(tables->destination, tables, sw, port);
      uint16_t *from = rule->from ? hd_table_row(tables->source, tables, sw, port) : NULL;
      if (same < port) {
        memcpy(to, hd_table_row(tables->destination, tables, sw, same), row_bytes);
        if (from)
          memcpy(from, hd_table_row(tables->source, tables, sw, same), row_bytes);
        continue;
      }
      for (uint32_t node = 0; node < t->n_nodes; node++) {
        to[node] = rule->to(&by, sw, port, node);
        if (from)
          from[node] = rule->from(&by, sw, port, node);
      }
    }
}

/* Makes the checks that all functions which make tables share. */
static int check_build(const struct hd_topology *t, enum hd_routing_kind kind, bool always_top,
                       uint32_t vcs, uint32_t reserved, struct hd_error *err)
{
  if (vcs <= reserved || vcs > HD_MAX_VCS)
    return hd_fail(err, HD_E_INPUT, "%" PRIu32 " virtual channels; legal: %" PRIu32 " … %d", vcs,
                   reserved + 1, HD_MAX_VCS);
  if ((unsigned)kind >= HD_ROUTINGS)
    return hd_fail(err, HD_E_INPUT, "unknown routing algorithm %d", (int)kind);
  const struct hd_routing_descriptor *d = hd_routings[kind];
  if (!hd_routing_fits(kind, t->kind))
    return hd_fail(err, HD_E_INPUT, "%s routing is for %s alone", d->name,
                   hd_topology_family_name(d->family));
  if (always_top && !d->always_top)
    return hd_fail(err, HD_E_INPUT, "%s routing cannot send all packets to the top", d->name);
  return HD_OK;
}

int hd_routing_build(struct hd_tables *tables, const struct hd_topology *t,
                     enum hd_routing_kind kind, bool always_top, uint32_t vcs, uint32_t reserved,
                     struct hd_error *err)
{
  memset(tables, 0, sizeof *tables);
  int status = check_build(t, kind, always_top, vcs, reserved, err);
  if (!status)
    status = tables_alloc(tables, t, hd_routing_needs(kind, t), err);
  if (status)
    return status;
  const struct hd_routing_descriptor *d = hd_routings[kind];
  tables->packet_vcs = vcs - reserved;
  tables->least_vcs = reserved + 1;
  if (tables->header_mode == 3)
    tables->draws = d->by_node ? d->by_node : hd_routing_draw_any;
  if (d->to)
    hd_routing_store(tables, d, t, always_top, (1u << vcs) - 1);
  else
    status = d->fill(tables, t, always_top, (1u << vcs) - 1, err);
  if (status)
    hd_tables_fini(tables);
  return status;
}

int hd_routing_by_rule(struct hd_tables *tables, const struct hd_topology *t,
                       enum hd_routing_kind kind, bool always_top, uint32_t vcs, uint32_t reserved,
                       struct hd_error *err)
{
  if ((unsigned)kind >= HD_ROUTINGS || !hd_routings[kind]->to)
    return hd_routing_build(tables, t, kind, always_top, vcs, reserved, err);
  memset(tables, 0, sizeof *tables);
  int status = check_build(t, kind, always_top, vcs, reserved, err);
  if (status)
    return status;
  *tables = (struct hd_tables){.n_switches = t->n_switches,
                               .ports = t->ports,
                               .n_nodes = t->n_nodes,
                               .rule = hd_routings[kind],
                               .topology = t,
                               .always_top = always_top,
                               .mask = (uint8_t)((1u << vcs) - 1),
                               .header_mode = hd_routing_needs(kind, t).header_mode,
                               .packet_vcs = vcs - reserved,
                               .least_vcs = reserved + hd_topology_channel_classes(t)};
  return HD_OK;
}

int hd_routing_split(enum hd_routing_kind kind, const struct hd_topology *t, uint32_t networks,
                     uint32_t vcs, uint32_t reserved, uint32_t *of_one, struct hd_error *err)
{
  const struct hd_routing_needs needs = hd_routing_needs(kind, t);
  const uint32_t channels = vcs - reserved;
  *of_one = vcs;
  if (networks == 1)
    return HD_OK;
  if (needs.sets)
    return hd_fail(err, HD_E_INPUT,
                   "%" PRIu32
                   "; packets choose among ports, and packets of all networks would meet in the "
                   "channels of a chosen port (§5.28); legal with routing.algorithm: %s: 1",
                   networks, hd_routings[kind]->name);
  if (!networks || channels % networks)
    return hd_fail(err, HD_E_INPUT,
                   "%" PRIu32 "; packets may take %s of a port; legal: a divisor of that", networks,
                   hd_count(channels, "virtual channel").text);
  *of_one = channels / networks + reserved;
  return HD_OK;
}

int hd_routing_around(struct hd_tables *tables, const struct hd_topology *t,
                      const struct hd_dead *dead, uint32_t vcs, struct hd_error *err)
{
  int status = tables_alloc(tables, t, (struct hd_routing_needs){0}, err);
  if (!status)
    status = hd_routing_graph(tables, t, dead, true, (1u << vcs) - 1, err);
  if (status)
    hd_tables_fini(tables);
  return status;
}

/* Follows a packet through the tables. `turned`: it goes straight to its destination, without another node. */
static int find_path(const struct hd_tables *tables, const struct hd_topology *t, uint32_t source,
                     uint32_t by, uint32_t destination, bool turned, uint16_t *path,
                     uint32_t max_hops, struct hd_error *err)
{
  if (source >= t->n_nodes || destination >= t->n_nodes || by >= t->n_nodes)
    return hd_fail(err, HD_E_INPUT,
                   "no way from n%" PRIu32 " to n%" PRIu32 ": nodes are 0 … %" PRIu32, source,
                   destination, t->n_nodes - 1);
  struct hd_peer at = t->node_peers[source];
  for (uint32_t hops = 0; hops < max_hops;) {
    path[hops++] = at.index;
    uint16_t entry = turned ? hd_routing_entry(tables, &at, source, destination)
                            : hd_routing_entry_by(tables, &at, by, destination, &turned);
    uint32_t port = hd_routing_port(tables, entry, destination);
    if (!(entry >> 12 & 1) || !(entry >> 4 & 0xff) || port >= t->ports)
      return hd_fail(err, HD_E_INPUT,
                     "no way from n%" PRIu32 " to n%" PRIu32 ": s%u has no entry for it at input "
                     "port %u",
                     source, destination, at.index, at.port);
    struct hd_peer next = t->peers[(size_t)at.index * t->ports + port];
    if (next.kind == HD_PEER_NODE && next.index == destination)
      return (int)hops;
    if (next.kind != HD_PEER_SWITCH)
      return hd_fail(err, HD_E_INPUT,
                     "no way from n%" PRIu32 " to n%" PRIu32 ": s%u sends it to port %" PRIu32
                     ", which leads elsewhere",
                     source, destination, at.index, port);
    at = next;
  }
  return hd_fail(err, HD_E_INPUT,
                 "the way from n%" PRIu32 " to n%" PRIu32 " has more than %" PRIu32 " switches",
                 source, destination, max_hops);
}

int hd_routing_path(const struct hd_tables *tables, const struct hd_topology *t, uint32_t source,
                    uint32_t destination, uint16_t *path, uint32_t max_hops, struct hd_error *err)
{
  return find_path(tables, t, source, source, destination, true, path, max_hops, err);
}

int hd_routing_path_by(const struct hd_tables *tables, const struct hd_topology *t, uint32_t source,
                       uint32_t by, uint32_t destination, uint16_t *path, uint32_t max_hops,
                       struct hd_error *err)
{
  return find_path(tables, t, source, by, destination, tables->header_mode != 3, path, max_hops,
                   err);
}

/* Returns the entry of a virtual network (§5.28), made from that of network 0, whose channels come first. */
static uint16_t entry_of(const struct hd_tables *t, uint16_t entry, uint32_t network)
{
  const uint32_t channels = t->packet_vcs;
  if (hd_routing_networks(t) == 1)
    return entry;
  unsigned mask = (entry >> 4 & 0xff) & ((1u << channels) - 1);
  return (uint16_t)((entry & ~0xff0u) | mask << network * channels << 4);
}

enum table { TO, FROM, SET };

static uint16_t value_at(const struct hd_tables *t, enum table table, uint32_t sw, uint32_t port,
                         uint32_t node)
{
  if (!t)
    return 0;
  if (table == SET)
    return t->sets ? t->sets[((size_t)sw * t->ports + port) * t->n_nodes + node] : 0;
  return table == TO ? hd_routing_to(t, sw, port, node) : hd_routing_from(t, sw, port, node);
}

/* Finds the next entry of a table that differs from the old table, and makes the write for it. */
static bool entry_write(const struct hd_table_writes *walk, enum table table, size_t entry,
                        struct hd_config_event *write)
{
  static const uint32_t first[] = {
      [TO] = HD_CFG_DESTINATION(0, 0), [FROM] = HD_CFG_SOURCE(0, 0), [SET] = HD_CFG_PORT_SET(0, 0)};
  const struct hd_tables *t = walk->tables;
  const size_t row = t->n_nodes * hd_routing_networks(t);
  const uint32_t port = (uint32_t)(entry / row), node = (uint32_t)(entry % row);
  const uint16_t wanted = value_at(t, table, walk->sw, port, node % t->n_nodes);
  if (wanted == value_at(walk->old, table, walk->sw, port, node % t->n_nodes))
    return false;
  *write = (struct hd_config_event){.addr = first[table] | port << 12 | node,
                                    .data = entry_of(t, wanted, node / t->n_nodes)};
  return true;
}

bool hd_table_writes_next(struct hd_table_writes *walk, struct hd_config_event *write)
{
  const struct hd_tables *t = walk->tables;
  const size_t entries = (size_t)t->ports * t->n_nodes * hd_routing_networks(t);
  if (t->is_network)
    return false;
  if (t->computes)
    return hd_routing_register(t, walk->sw, walk->next++, write);
  while (walk->next < (t->sets ? 3 : 2) * entries) {
    const size_t next = walk->next++;
    const enum table table = next >= 2 * entries ? SET : next & 1 ? FROM : TO;
    if (entry_write(walk, table, table == SET ? next - 2 * entries : next / 2, write))
      return true;
  }
  if (!t->cast_vc || walk->old || walk->next++ > (t->sets ? 3 : 2) * entries)
    return false;
  *write = (struct hd_config_event){.addr = HD_CFG_CAST, .data = t->cast_vc};
  return true;
}

bool hd_adapt_writes_next(struct hd_table_writes *walk, struct hd_config_event *write)
{
  const struct hd_tables *t = walk->tables;
  const uint32_t next = (uint32_t)walk->next++;
  if (t->first && next < 2) {
    *write = next ? (struct hd_config_event){.addr = HD_CFG_BIAS, .data = t->bias}
                  : (struct hd_config_event){.addr = HD_CFG_FIRST, .data = t->first[walk->sw]};
    return true;
  }
  if (!t->sets || next > t->ports)
    return false;
  *write = (struct hd_config_event){.addr = HD_CFG_ADAPT,
                                    .data = (uint16_t)(t->adapt | t->cap << HD_ADAPT_CAP_SHIFT)};
  if (next)
    *write =
        (struct hd_config_event){.addr = HD_CFG_GENERATOR(next - 1),
                                 .data = (uint16_t)hd_mix64(16 * (uint64_t)walk->sw + next - 1)};
  return true;
}
