/* Routing: tables for every input port of every switch, and the deadlock rule
 * (specification §2.7, §5.1–5.6).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_ROUTING_H
#define HD_ROUTING_H

#include "../port_event.h"
#include "routing_dead.h"
#include "../switch/registers.h"
#include "../topology/topology.h"

/** X(KIND, name): cmodel/routing has a file that defines hd_routing_kind_<name>, its descriptor; the kind is
 *  HD_ROUTE_<KIND>. A new routing is its file and a line here. The first one that fits a topology is its default.
 *  */
#define HD_ROUTING_LIST(X)            \
  X(DIMENSION_ORDER, dimension_order) \
  X(S_MOD_K, s_mod_k)                 \
  X(D_MOD_K, d_mod_k)                 \
  X(MINIMAL, minimal)                 \
  X(POSITION, position)               \
  X(UP_DOWN, up_down)                 \
  X(SHORTEST, shortest)               \
  X(LAYERED, layered)                 \
  X(ADAPTIVE, adaptive)               \
  X(WEST_FIRST, west_first)           \
  X(ODD_EVEN, odd_even)               \
  X(VALIANT, valiant)                 \
  X(ROMM, romm)                       \
  X(O1TURN, o1turn)                   \
  X(UGAL, ugal)                       \
  X(TABLES, tables)

#define HD_ROUTING_MEMBER(KIND, name) HD_ROUTE_##KIND,
enum hd_routing_kind { HD_ROUTING_LIST(HD_ROUTING_MEMBER) HD_ROUTINGS };
#undef HD_ROUTING_MEMBER

/** Draws the node that a packet goes by (§5.26). `drawn`: a random number of 32 bits. */
typedef uint32_t hd_draw_node(const struct hd_topology *t, uint32_t source, uint32_t destination,
                              uint32_t drawn);

/** Tables of a fabric. Entries are as written to the configuration port (§3.2), 0 = invalid. If a rule gives the
 *  entries, none are stored: hd_routing_by_rule. */
struct hd_tables {
  uint32_t n_switches, ports, n_nodes;
  uint16_t *destination; /* [switch][input port][node], owned; NULL: `rule` gives the entries */
  uint16_t *source;      /* likewise; NULL also if no packet is routed by its source */
  uint16_t *sets;        /* port sets, likewise (§10.2); NULL where no packet chooses, owned */
  const struct hd_routing_descriptor *rule; /* NULL: entries are stored */
  const struct hd_topology *topology;       /* that the rule works on, borrowed */
  bool always_top;                          /* option of the rule (§5.4) */
  uint8_t mask;                             /* all channels that entries of the rule allow */
  bool computes; /* switches compute the entries of the rule (§12): they have registers and no
                  * tables */
  bool
      is_network; /* the only switch is a whole network as DUT (§6.8): it has no entries, and node n
                   * is at port n */
  uint8_t adapt;  /* channels that packets may take at a chosen port (§10.2) */
  uint8_t cap;    /* free credits from which on ports count as equal (§10.4); 0: no limit */
  uint8_t cast_vc;     /* channel of multicast flits (§13.5); 0: there is no multicast */
  uint8_t header_mode; /* 0, 1 or 3 (§1.3): how network interfaces mark packets */
  hd_draw_node *draws; /* draws the node to go by in mode 3; NULL in other modes */
  uint16_t *
      first; /* [switch]: input ports at which packets of mode 3 decide (§10.9); NULL: none, owned */
  uint16_t bias;       /* BIAS of that decision */
  uint32_t packet_vcs; /* channels of a port that packets of one virtual network may take */
  uint32_t networks;   /* virtual networks (§5.28); 0 means 1. The entries above are those of
                        * network 0 */
  uint32_t
      least_vcs; /* channels of a port that the routing needs (§5.24), including the reserved ones
                  * */
};

/** The description of one routing, for scenarios, checks, reports and documents. */
struct hd_routing_descriptor {
  const char *name;               /* value of `routing.algorithm` */
  const char *help;               /* what the routing does, as a part of a sentence */
  const char *section;            /* section of the specification */
  enum hd_topology_family family; /* topologies that it is for; HD_FAMILY_ANY: all */
  bool by_source;                 /* it needs source tables; headers are of mode 1 (§1.3) */
  hd_draw_node *by_node; /* draws the node that packets of mode 3 go by; NULL: they go by no node */
  bool adaptive; /* packets of mode 0 choose among the ports of a set (§10.2); hd_routing_needs
                  * decides these three for a fabric */
  bool decides; /* packets of mode 3 decide at their first switch whether to go by a node (§10.9) */
  bool always_top;  /* it can send all packets up to the last stage (§5.4) */
  bool goes_around; /* if something fails in a run, its tables become those of hd_routing_around
                     * (§5.10) */
  /** Returns the entry for a destination at an input port, if a rule gives it. NULL: `fill` makes the entries. */
  uint16_t (*to)(const struct hd_tables *tables, uint32_t sw, uint32_t port, uint32_t node);
  /** Returns the entry for a source, if a rule gives it. NULL: there are no source entries. */
  uint16_t (*from)(const struct hd_tables *tables, uint32_t sw, uint32_t port, uint32_t node);
  bool
      by_side; /* of a rule on trees: entries of up and down ports differ; otherwise all ports have the same */
  /** Fills tables whose entries are all invalid. `mask`: virtual channels of every entry. NULL: a rule gives the
   *  entries. */
  int (*fill)(struct hd_tables *tables, const struct hd_topology *t, bool always_top, unsigned mask,
              struct hd_error *err);
};

/** All routings by kind; NULL follows the last. */
extern const struct hd_routing_descriptor *const hd_routings[];

/** Returns the name of a kind; NULL beyond the last. */
const char *hd_routing_kind_name(unsigned kind);

/** Returns true if the routing can make tables of the topology. */
bool hd_routing_fits(enum hd_routing_kind routing, enum hd_topology_kind topology);

/** Returns the default routing of a topology. */
enum hd_routing_kind hd_routing_default(enum hd_topology_kind topology);

/** The tables that a routing needs besides entries by destination. */
struct hd_routing_needs {
  uint8_t header_mode; /* 0, 1 or 3 (§1.3); not 0: source tables */
  bool sets;           /* port sets (§10.2) */
};
struct hd_routing_needs hd_routing_needs(enum hd_routing_kind kind, const struct hd_topology *t);

/** Returns "meshes", "trees" or "all topologies"; static storage. */
const char *hd_topology_family_name(enum hd_topology_family family);

/** Returns true if all packets of a pair of nodes take the same way. False if packets choose among ports or go by
 *  another node. */
static inline bool hd_routing_is_fixed(const struct hd_tables *tables)
{
  return !tables->sets && tables->header_mode != 3;
}

/** Returns the number of virtual networks, at least 1. */
static inline uint32_t hd_routing_networks(const struct hd_tables *tables)
{
  return tables->networks ? tables->networks : 1;
}

/** Draws any node of the fabric. */
hd_draw_node hd_routing_draw_any;

/** Returns draw number `which` of n_nodes evenly spaced draws. Together they give all nodes that packets of a pair can
 *  go by. */
static inline uint32_t hd_routing_drawn(const struct hd_tables *tables, const struct hd_topology *t,
                                        uint32_t source, uint32_t destination, uint32_t which)
{
  return tables->draws(t, source, destination,
                       (uint32_t)((((uint64_t)which << 32) + t->n_nodes - 1) / t->n_nodes));
}

/** Makes the header of a packet (§1.3, §4.3), not yet cut to the width of a flit. `number`: the packet's. In a virtual
 *  network source and destination are numbers of table entries (§5.28), and the node to go by becomes one, too. */
static inline uint64_t hd_routing_header(unsigned mode, hd_draw_node *draws,
                                         const struct hd_topology *t, unsigned node_bits,
                                         uint32_t source, uint32_t destination, uint32_t number)
{
  const uint32_t n_nodes = t->n_nodes;
  unsigned at = 2 + node_bits;
  uint64_t header = mode | (uint64_t)destination << 2;
  if (mode == 1)
    header |= (uint64_t)source << at;
  if (mode == 3) { /* the node to go by */
    const uint64_t by = draws(t, source % n_nodes, destination % n_nodes,
                              (uint32_t)(hd_mix64((uint64_t)number << 16) >> 32));
    header |= (source - source % n_nodes + by) << at;
  }
  if (mode)
    at += node_bits;
  return at < 64 ? header | (uint64_t)number << at : header;
}

/** Returns the node to go by in a header of mode 3. The header may be of any virtual network. */
static inline uint32_t hd_routing_by(uint64_t header, uint32_t n_nodes, unsigned node_bits)
{
  return (uint32_t)(header >> (2 + node_bits) & ((UINT64_C(1) << node_bits) - 1)) % n_nodes;
}

/** The header of a packet that goes by these output ports, one for each switch on its way (§1.3, mode 2).
 *  HD_E_INPUT: the way does not lead from source to destination, or does not fit into a header of `data_bits` bits.
 *  */
int hd_routing_way_header(const struct hd_topology *t, uint32_t data_bits, uint32_t source,
                          uint32_t destination, const uint8_t *ports, uint32_t n, uint64_t *header,
                          struct hd_error *err);

/** Makes the tables. `always_top`: if the routing can (§5.4). `vcs`: channels of a port; packets never use the last
 *  `reserved` of them. An entry allows all other channels, or those of one class (§5.24). */
int hd_routing_build(struct hd_tables *tables, const struct hd_topology *t,
                     enum hd_routing_kind kind, bool always_top, uint32_t vcs, uint32_t reserved,
                     struct hd_error *err);

/** Does what hd_routing_build does, but stores no entries that a rule gives. Then `tables` borrow the topology. */
int hd_routing_by_rule(struct hd_tables *tables, const struct hd_topology *t,
                       enum hd_routing_kind kind, bool always_top, uint32_t vcs, uint32_t reserved,
                       struct hd_error *err);

/** Sets the parameters ROUTE and FIELDS if switches can compute the routes (§12.7). Otherwise HD_E_INPUT, and err says
 *  why not. */
int hd_routing_compute(const struct hd_topology *t, enum hd_routing_kind kind, bool always_top,
                       struct hd_switch_params *sw, struct hd_error *err);

/** Splits the channels that packets may take into virtual networks (§5.28). *of_one gets the channels of a port to pass
 *  to hd_routing_build and hd_routing_check, which make and check network 0 with them. HD_E_INPUT: the channels cannot
 *  be divided evenly, or the routing uses port sets and so has no virtual networks. */
int hd_routing_split(enum hd_routing_kind kind, const struct hd_topology *t, uint32_t networks,
                     uint32_t vcs, uint32_t reserved, uint32_t *of_one, struct hd_error *err);

/** Makes up-and-down tables that avoid dead links and switches (§5.10). Entries without a way are invalid. Any mixture
 *  of these entries and of those made while less was dead obeys the deadlock rule. */
int hd_routing_around(struct hd_tables *tables, const struct hd_topology *t,
                      const struct hd_dead *dead, uint32_t vcs, struct hd_error *err);

/** Checks the deadlock rule (§5.6). Returns 0, or HD_E_INPUT; err then has a cycle of channels and how many channels
 *  are needed, or a pair of nodes without a way or with an endless one. `cut_through`: a head only gets a channel with
 *  room for its whole packet (CUT_FLITS > 0), which matters if packets choose among ports. */
int hd_routing_check(const struct hd_tables *tables, const struct hd_topology *t, uint32_t vcs,
                     bool cut_through, struct hd_error *err);

/** Returns the entry for packets to a node at an input port; hd_routing_from: the entry for packets from it. */
static inline uint16_t hd_routing_to(const struct hd_tables *tables, uint32_t sw, uint32_t port,
                                     uint32_t node)
{
  if (tables->rule)
    return tables->rule->to(tables, sw, port, node);
  return tables->destination[((size_t)sw * tables->ports + port) * tables->n_nodes + node];
}
static inline uint16_t hd_routing_from(const struct hd_tables *tables, uint32_t sw, uint32_t port,
                                       uint32_t node)
{
  if (tables->rule)
    return tables->rule->from ? tables->rule->from(tables, sw, port, node) : 0;
  return tables->source
             ? tables->source[((size_t)sw * tables->ports + port) * tables->n_nodes + node]
             : 0;
}

/** Returns the output port of a valid entry for packets to `node`. */
static inline uint32_t hd_routing_port(const struct hd_tables *tables, uint16_t entry,
                                       uint32_t node)
{
  return tables->is_network ? node : entry & 15;
}

/** Returns the table entry that decides at switch and input port `at` about a packet of mode 0 or 1 (§2.7), or about
 *  one of mode 3 after its turn. */
static inline uint16_t hd_routing_entry(const struct hd_tables *tables, const struct hd_peer *at,
                                        uint32_t source, uint32_t destination)
{
  uint16_t entry = hd_routing_to(tables, at->index, at->port, destination);
  bool valid = entry >> 12 & 1;
  return valid || tables->header_mode != 1 ? entry
                                           : hd_routing_from(tables, at->index, at->port, source);
}

/** Returns the table entry that decides about a packet of mode 3 on its way to node `by`; sets *turned at the turn. */
static inline uint16_t hd_routing_entry_by(const struct hd_tables *tables, const struct hd_peer *at,
                                           uint32_t by, uint32_t destination, bool *turned)
{
  uint16_t entry = *turned ? 0 : hd_routing_from(tables, at->index, at->port, by);
  *turned = !(entry >> 12 & 1);
  return *turned ? hd_routing_to(tables, at->index, at->port, destination) : entry;
}

/** Follows a packet from source to destination by destination and source tables alone. If packets choose among ports,
 *  this is the way out (§5.6); if they go by another node, they turn at once here. Writes the switches into path[], at
 *  most max_hops; returns their number or a negative status. */
int hd_routing_path(const struct hd_tables *tables, const struct hd_topology *t, uint32_t source,
                    uint32_t destination, uint16_t *path, uint32_t max_hops, struct hd_error *err);

/** Does what hd_routing_path does, for a packet of mode 3 that goes by node `by`. */
int hd_routing_path_by(const struct hd_tables *tables, const struct hd_topology *t, uint32_t source,
                       uint32_t by, uint32_t destination, uint16_t *path, uint32_t max_hops,
                       struct hd_error *err);

void hd_tables_fini(struct hd_tables *tables);

/** A walk over the configuration writes (§3.2) that give switch `sw` its tables, or its registers of §12.6. */
struct hd_table_writes {
  const struct hd_tables *tables;
  const struct hd_tables
      *old; /* tables that the switch has; NULL: all entries are invalid, as at power-up */
  uint32_t sw;
  size_t next; /* starts at 0 */
};

/** Makes the next write, in cycle 0. False: there are no more. Entries equal to those in `old` get no write, nor do
 *  entries by source if `tables` have none. */
bool hd_table_writes_next(struct hd_table_writes *walk, struct hd_config_event *write);

/** Does the same for what a reset clears: channels of chosen ports and generators (§10.7), if packets choose; FIRST and
 *  BIAS, if packets decide (§10.9). Ignores `old`. */
bool hd_adapt_writes_next(struct hd_table_writes *walk, struct hd_config_event *write);

#endif
