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

/** X(KIND, name): cmodel/routing has a file that defines hd_routing_kind_<name>, its descriptor; the
 *  kind is HD_ROUTE_<KIND>. A new routing is its file and a line here. The first that fits a
 *  topology is that topology's default. */
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

/** The node that a packet goes by (§5.26); `drawn`: a random number of 32 bits. */
typedef uint32_t hd_draw_node(const struct hd_topology *t, uint32_t source, uint32_t destination,
                              uint32_t drawn);

/** Tables of a fabric; entries as written to the configuration port (§3.2), 0 = invalid. Where a rule gives the entries,
 *  none is stored: hd_routing_by_rule. */
struct hd_tables {
  uint32_t n_switches, ports, n_nodes;
  uint16_t *destination; /* [switch][input port][node], owned; NULL: `rule` gives the entries */
  uint16_t *source;      /* likewise; NULL, too, where no packet goes by source */
  uint16_t *sets;        /* port sets, likewise (§10.2); NULL where no packet chooses, owned */
  const struct hd_routing_descriptor *rule; /* NULL: entries are stored */
  const struct hd_topology *topology;       /* of the rule, borrowed */
  bool always_top;                          /* likewise (§5.4) */
  uint8_t mask;                             /* all channels of an entry of the rule */
  bool computes; /* switches compute the entries of the rule (§12): they get registers, no tables */
  bool
      is_network; /* the one switch is a whole network as DUT (§6.8): it has no entries, and node n is at port n */
  uint8_t adapt;       /* channels of a port that was chosen (§10.2) */
  uint8_t cap;         /* free credits from which on ports are equals (§10.4); 0: there is none */
  uint8_t cast_vc;     /* channel of multicast flits (§13.5); 0: there is no multicast */
  uint8_t header_mode; /* 0, 1 or 3 (§1.3): how network interfaces mark packets */
  hd_draw_node *draws; /* of mode 3; NULL otherwise */
  uint16_t *
      first; /* [switch]: input ports at which packets of mode 3 decide (§10.9); NULL: none, owned */
  uint16_t bias;       /* BIAS, where they decide */
  uint32_t packet_vcs; /* channels of a port that packets of one virtual network may take */
  uint32_t networks;   /* virtual networks (§5.28); 0: 1. Entries above are those of network 0 */
  uint32_t
      least_vcs; /* channels of a port that the routing needs (§5.24), the reserved ones among them */
};

/** One routing: all that scenarios, checks, reports and documents know of it. */
struct hd_routing_descriptor {
  const char *name;               /* of `routing.algorithm` */
  const char *help;               /* what it does, part of a sentence */
  const char *section;            /* of the specification */
  enum hd_topology_family family; /* that it is for; HD_FAMILY_ANY: all */
  bool by_source;                 /* it needs source tables; headers are of mode 1 (§1.3), */
  hd_draw_node *by_node; /* or of mode 3, and packets go by another node; NULL: they do not */
  bool adaptive; /* packets choose among ports by sets (§10.2), in mode 0; for these three of a
                                     fabric: hd_routing_needs */
  bool decides; /* packets of mode 3 decide at their first switch whether to go by a node (§10.9) */
  bool always_top;  /* it can send all packets to the last stage (§5.4) */
  bool goes_around; /* while a run goes on its tables become those of hd_routing_around (§5.10) */
  /** The entry for a destination at an input port, where a rule gives it; NULL: `fill` does. */
  uint16_t (*to)(const struct hd_tables *tables, uint32_t sw, uint32_t port, uint32_t node);
  /** The entry for a source, where a rule gives it; NULL: there are no source entries. */
  uint16_t (*from)(const struct hd_tables *tables, uint32_t sw, uint32_t port, uint32_t node);
  bool
      by_side; /* of a rule on trees: entries of up and down ports differ; otherwise all ports have the same */
  /** Fills tables of all invalid entries. `mask`: virtual channels of every entry. NULL: there is a rule. */
  int (*fill)(struct hd_tables *tables, const struct hd_topology *t, bool always_top, unsigned mask,
              struct hd_error *err);
};

/** By kind, NULL after the last. */
extern const struct hd_routing_descriptor *const hd_routings[];

/** NULL beyond the last. */
const char *hd_routing_kind_name(unsigned kind);

/** Can the routing make tables of the topology? */
bool hd_routing_fits(enum hd_routing_kind routing, enum hd_topology_kind topology);

/** The default routing of a topology. */
enum hd_routing_kind hd_routing_default(enum hd_topology_kind topology);

/** Properties of a routing's tables, besides entries by destination. */
struct hd_routing_needs {
  uint8_t header_mode; /* 0, 1 or 3 (§1.3); not 0: source tables */
  bool sets;           /* port sets (§10.2) */
};
struct hd_routing_needs hd_routing_needs(enum hd_routing_kind kind, const struct hd_topology *t);

/** "meshes", "trees", "all topologies". */
const char *hd_topology_family_name(enum hd_topology_family family);

/** Does every packet of a pair of nodes take the same way? Not where packets choose among ports, or go by
 *  another node. */
static inline bool hd_routing_is_fixed(const struct hd_tables *tables)
{
  return !tables->sets && tables->header_mode != 3;
}

/** At least 1. */
static inline uint32_t hd_routing_networks(const struct hd_tables *tables)
{
  return tables->networks ? tables->networks : 1;
}

/** Any node of the fabric. */
hd_draw_node hd_routing_draw_any;

/** One of the n_nodes draws, evenly spaced, that all nodes to go by of a pair are among. */
static inline uint32_t hd_routing_drawn(const struct hd_tables *tables, const struct hd_topology *t,
                                        uint32_t source, uint32_t destination, uint32_t which)
{
  return tables->draws(t, source, destination,
                       (uint32_t)((((uint64_t)which << 32) + t->n_nodes - 1) / t->n_nodes));
}

/** The header of a packet (§1.3, §4.3), not yet cut to the width of a flit. `number`: of the packet. Of a virtual
 *  network, source and destination are numbers of table entries (§5.28), and so becomes the node to go by. */
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

/** The node that a header of mode 3 says to go by, of whichever virtual network. */
static inline uint32_t hd_routing_by(uint64_t header, uint32_t n_nodes, unsigned node_bits)
{
  return (uint32_t)(header >> (2 + node_bits) & ((UINT64_C(1) << node_bits) - 1)) % n_nodes;
}

/** The header of a packet that goes by these output ports, one for each switch on its way (§1.3, mode 2).
 *  HD_E_INPUT: the way does not lead from source to destination, or a header of `data_bits` bits has no room for
 *  it. */
int hd_routing_way_header(const struct hd_topology *t, uint32_t data_bits, uint32_t source,
                          uint32_t destination, const uint8_t *ports, uint32_t n, uint64_t *header,
                          struct hd_error *err);

/** Fills the tables. `always_top`: where the routing can (§5.4). `vcs`: channels of a port, the last
 *  `reserved` of them not for packets; an entry allows all, or those of a class (§5.24). */
int hd_routing_build(struct hd_tables *tables, const struct hd_topology *t,
                     enum hd_routing_kind kind, bool always_top, uint32_t vcs, uint32_t reserved,
                     struct hd_error *err);

/** Does what hd_routing_build does, but stores no entries that a rule gives; then the topology stays borrowed. */
int hd_routing_by_rule(struct hd_tables *tables, const struct hd_topology *t,
                       enum hd_routing_kind kind, bool always_top, uint32_t vcs, uint32_t reserved,
                       struct hd_error *err);

/** Can switches compute the routes (§12.7)? Sets the parameters ROUTE and FIELDS; HD_E_INPUT says why not. */
int hd_routing_compute(const struct hd_topology *t, enum hd_routing_kind kind, bool always_top,
                       struct hd_switch_params *sw, struct hd_error *err);

/** Splits the channels that packets may take into virtual networks (§5.28): the number of channels of a port to be given
 *  to hd_routing_build and hd_routing_check, with which network 0 is made and checked, in *of_one. HD_E_INPUT: there
 *  are not as many for each, or the routing has none. */
int hd_routing_split(enum hd_routing_kind kind, const struct hd_topology *t, uint32_t networks,
                     uint32_t vcs, uint32_t reserved, uint32_t *of_one, struct hd_error *err);

/** Up-and-down tables without what is dead (§5.10): any mixture of the entries of these, and of those
 *  for less that is dead, obeys the deadlock rule. Entries without a way are invalid. */
int hd_routing_around(struct hd_tables *tables, const struct hd_topology *t,
                      const struct hd_dead *dead, uint32_t vcs, struct hd_error *err);

/** The deadlock rule (§5.6): 0, or HD_E_INPUT with the cycle of channels and how many channels are needed, or with a
 *  pair of nodes without a way or with a way that never ends, in err. `cut_through`: a head gets a channel
 *  only where its whole packet has room (CUT_FLITS > 0); it matters where packets choose among ports. */
int hd_routing_check(const struct hd_tables *tables, const struct hd_topology *t, uint32_t vcs,
                     bool cut_through, struct hd_error *err);

/** The entry for packets to a node, and from one, at an input port. */
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

/** The output port of a valid entry for packets to `node`. */
static inline uint32_t hd_routing_port(const struct hd_tables *tables, uint16_t entry,
                                       uint32_t node)
{
  return tables->is_network ? node : entry & 15;
}

/** The table entry that decides at switch and input port `at` about a packet of mode 0 or 1 (§2.7), or about one that
 *  has turned. */
static inline uint16_t hd_routing_entry(const struct hd_tables *tables, const struct hd_peer *at,
                                        uint32_t source, uint32_t destination)
{
  uint16_t entry = hd_routing_to(tables, at->index, at->port, destination);
  bool valid = entry >> 12 & 1;
  return valid || tables->header_mode != 1 ? entry
                                           : hd_routing_from(tables, at->index, at->port, source);
}

/** The table entry that decides about a packet of mode 3 that goes by node `by`; sets *turned when it has turned. */
static inline uint16_t hd_routing_entry_by(const struct hd_tables *tables, const struct hd_peer *at,
                                           uint32_t by, uint32_t destination, bool *turned)
{
  uint16_t entry = *turned ? 0 : hd_routing_from(tables, at->index, at->port, by);
  *turned = !(entry >> 12 & 1);
  return *turned ? hd_routing_to(tables, at->index, at->port, destination) : entry;
}

/** The way of a packet from source to destination, by destination and source tables alone: where packets choose
 *  among ports their way out (§5.6), and as if they turned at once where they go by another node. Switches into path[],
 *  at most max_hops; returns their number or a negative status. */
int hd_routing_path(const struct hd_tables *tables, const struct hd_topology *t, uint32_t source,
                    uint32_t destination, uint16_t *path, uint32_t max_hops, struct hd_error *err);

/** The way of a packet of mode 3, which goes by node `by`. */
int hd_routing_path_by(const struct hd_tables *tables, const struct hd_topology *t, uint32_t source,
                       uint32_t by, uint32_t destination, uint16_t *path, uint32_t max_hops,
                       struct hd_error *err);

void hd_tables_fini(struct hd_tables *tables);

/** A walk over the configuration writes (§3.2) that give switch `sw` its tables, or its registers of §12.6. */
struct hd_table_writes {
  const struct hd_tables *tables;
  const struct hd_tables
      *old; /* what the switch has; NULL: invalid entries alone, as at power-up */
  uint32_t sw;
  size_t next; /* starts at 0 */
};

/** The next write, in cycle 0; false: there are no more. Entries stay that are as in `old`, and those
 *  by source where `tables` have none. */
bool hd_table_writes_next(struct hd_table_writes *walk, struct hd_config_event *write);

/** Likewise those for what a reset undoes: channels of chosen ports and generators (§10.7), where packets
 *  choose. `old` is not looked at. */
bool hd_adapt_writes_next(struct hd_table_writes *walk, struct hd_config_event *write);

#endif
