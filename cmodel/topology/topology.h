/* Topologies: who is linked to whom (specification chapter 5).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TOPOLOGY_H
#define HD_TOPOLOGY_H

#include "../error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_peer_kind { HD_PEER_NONE, HD_PEER_SWITCH, HD_PEER_NODE };

/** The far end of a port's link. */
struct hd_peer {
  uint8_t kind;   /* enum hd_peer_kind */
  uint8_t port;   /* port of the far switch; 0 for a node */
  uint16_t index; /* switch or node number */
};

/** An index of a peer is 16 bits wide. Nodes: 2 … HD_MAX_COMPUTED_NODES of switch.h; where switches have routing tables
 *  at most HD_MAX_NODES. */
enum { HD_MAX_SWITCHES = 65536 };

/** X(KIND, name): cmodel/topology has a file that defines hd_topology_kind_<name>, its descriptor;
 *  the kind is HD_TOPO_<KIND>. A new topology is its file and a line here, at the end: databases
 *  and seeds of random tests know the order. */
#define HD_TOPOLOGY_LIST(X)                   \
  X(MESH, mesh)                               \
  X(TREE, tree)                               \
  X(EXTENDED_TREE, extended_tree)             \
  X(GRAPH, graph)                             \
  X(IRREGULAR, irregular)                     \
  X(TORUS, torus)                             \
  X(HYPERCUBE, hypercube)                     \
  X(OMEGA, omega)                             \
  X(BUTTERFLY, butterfly)                     \
  X(CLOS, clos)                               \
  X(BINARY_TREE, binary_tree)                 \
  X(FULL_BINARY_TREE, full_binary_tree)       \
  X(FAT_TREE, fat_tree)                       \
  X(FOLDED_BUTTERFLY, folded_butterfly)       \
  X(FLATTENED_BUTTERFLY, flattened_butterfly) \
  X(DRAGONFLY, dragonfly)                     \
  X(CONCENTRATED_MESH, concentrated_mesh)     \
  X(CONCENTRATED_TORUS, concentrated_torus)

#define HD_TOPOLOGY_MEMBER(KIND, name) HD_TOPO_##KIND,
enum hd_topology_kind { HD_TOPOLOGY_LIST(HD_TOPOLOGY_MEMBER) HD_TOPOLOGIES };
#undef HD_TOPOLOGY_MEMBER

/** Structure of a topology that a routing may rely on, besides the links. */
enum hd_topology_family {
  HD_FAMILY_ANY,            /* nothing */
  HD_FAMILY_MESHES,         /* nodes have coordinates of `dims`, ports are those of §5.1 */
  HD_FAMILY_TREES,          /* k, n and halves say all (§5.2, §5.3) */
  HD_FAMILY_FAT_TREES,      /* shape.pods and shape.edge_nodes say all (§5.20) */
  HD_FAMILY_BOTH_WAYS,      /* of a routing: the kind's links all go both ways */
  HD_FAMILY_OWN_RULE,       /* of a routing: the topology has a rule, `next_hop` */
  HD_FAMILY_RULE_BOTH_WAYS, /* of a routing: it has a rule, or is a mesh, and links go both ways */
  HD_FAMILY_FROM_TEXT, /* of a routing: the topology is read from a file, which can say more than links */
  HD_FAMILY_REGULAR, /* of a routing: it has a rule, or is one of the meshes or trees */
};

/** Parameters of a fabric, named like the keys of a scenario's `fabric`. A topology reads those that its descriptor
 *  names. */
struct hd_topology_shape {
  uint32_t dims[8], n_dims;
  uint32_t k, n;
  uint32_t m, r;    /* Clos */
  uint32_t p, a, h; /* dragonfly */
  uint32_t pods, nodes, edge_nodes;
  char *file;
  uint32_t switches, degree;
  uint64_t graph_seed;
  uint32_t global_link_cycles; /* dragonfly; 0: as others */
};

/** Nodes of an edge switch of a FatTree (§5.20). */
static inline uint32_t hd_topology_edge_nodes(const struct hd_topology_shape *shape)
{
  return shape->edge_nodes ? shape->edge_nodes : shape->pods / 2;
}

/** Packets that an entry of a graph file's tables is for (§5.27). */
enum hd_topology_packets {
  HD_PACKETS_TO,   /* a node */
  HD_PACKETS_FROM, /* a node, in header mode 1 */
  HD_PACKETS_BY,   /* a node to go by, in header mode 3 */
};

/** A line of them. */
struct hd_topology_route {
  uint32_t line;
  uint16_t sw, first_node, last_node;
  uint16_t set;    /* ports that can be chosen, too; 0: none */
  uint8_t in_port; /* HD_ANY_PORT: all */
  uint8_t out_port;
  uint8_t channels; /* of the port; 0: all */
  uint8_t packets;  /* enum hd_topology_packets */
};
#define HD_ANY_PORT 0xff

/** Routing tables that a graph file carries, in the order of its lines; cmodel/routing makes tables of them. */
struct hd_topology_routes {
  char *name;                        /* of the file, for errors; owned, NULL where there are none */
  struct hd_topology_route *entries; /* owned */
  size_t n, capacity;
  uint32_t chosen_line; /* that says the channels of a chosen port; 0: none */
  uint8_t chosen;       /* these; 0: all */
};

/** A fabric's links (§5). Plain data: where a port sends to and what sends to a port agree. Where all
 *  links go both ways, `senders` is `peers` and `node_exits` is `node_peers`. */
struct hd_topology {
  enum hd_topology_kind kind;
  uint32_t n_switches, n_nodes, ports; /* ports a switch, the largest that is needed, at least 2 */
  struct hd_peer *peers;               /* [n_switches][ports]: where a port sends to, owned */
  struct hd_peer *senders;             /* likewise: what sends to a port, owned */
  struct hd_peer *node_peers;          /* [n_nodes]: the switch port that a node sends to, owned */
  struct hd_peer *node_exits;          /* [n_nodes]: the switch port that sends to it, owned */
  uint8_t *link_cycles;  /* [n_switches][ports]: LINK of the link that leaves there (§1.5), 0: the
                           fabric's; NULL: of all; owned */
  uint32_t k, n, halves; /* trees: arity, stages, 2 where it is extended */
  uint32_t n_dims, dims[8];         /* meshes */
  struct hd_topology_routes routes; /* of a graph file, which may have none */
  struct hd_topology_shape shape;   /* of hd_topology_build; without `file` */
};

/** Does a link go one way, or a node in here and out there (§5.12)? */
static inline bool hd_topology_one_way(const struct hd_topology *t)
{
  return t->senders != t->peers;
}

/** The longest LINK that a link may have of its own. */
enum { HD_LINK_CYCLES_MAX = 128 };

/** LINK of the link that leaves a port; `link`: that of links without one of their own. */
static inline uint32_t hd_topology_link_cycles(const struct hd_topology *t, uint32_t sw,
                                               uint32_t port, uint32_t link)
{
  const uint32_t own = t->link_cycles ? t->link_cycles[(size_t)sw * t->ports + port] : 0;
  return own ? own : link;
}

/** The largest LINK of the fabric. */
uint32_t hd_topology_longest_link(const struct hd_topology *t, uint32_t link);

/** A file's text of `length` bytes, not NUL-terminated; `name` is used in errors. */
struct hd_topology_text {
  const char *chars, *name;
  size_t length;
};

/** Figures of a fabric (§5.13). */
struct hd_topology_figures {
  uint32_t switches, nodes;
  uint64_t links;     /* between switches; of a fabric with links that go one way: directions */
  uint64_t diameter;  /* links between switches on a shortest way of a packet, the largest */
  uint64_t distance;  /* the same, summed over all pairs of a source and another destination */
  uint64_t bisection; /* links to cut between two halves of the nodes */
};
#define HD_NO_FIGURE UINT64_MAX

/** The next step of a packet by a rule of routing. */
struct hd_hop {
  uint32_t port;
  uint32_t
      channel_class; /* of the port's channels (§5.24); for a port to a node it means nothing */
};

/** The place at which a switch is drawn; neighbours are about 1 apart. */
struct hd_topology_place {
  double x, y;
};

enum hd_topology_drawing {
  HD_DRAWN_FREELY, /* as a circle, or rings by distance */
  HD_DRAWN_GRID,
  HD_DRAWN_LAYERS,
};

/** One kind of topology: all that scenarios, checks, reports and documents know of it. */
struct hd_topology_descriptor {
  const char *name;    /* of `fabric.topology` */
  const char *help;    /* what it is, part of a sentence */
  const char *section; /* of the specification */
  const char *example; /* of its keys */
  enum hd_topology_family family;
  const char *needs[4], *takes[4]; /* its keys, and those that have defaults; NULL after the last */
  const char *blamed;              /* the key that errors of build are about */
  bool from_text;                  /* built from the text of `file`, which its errors name */
  /** text: NULL unless from_text. HD_E_INPUT, HD_E_NOMEM; then *t is zeroed. */
  int (*build)(struct hd_topology *t, const struct hd_topology_shape *shape,
               const struct hd_topology_text *text, struct hd_error *err);
  /** Writes a short description, such as "8x8 mesh". */
  void (*describe)(const struct hd_topology_shape *shape, char *buf, size_t size);

  /* The functions below take topologies of hd_topology_build. */

  /** Closed forms; what has none is left at HD_NO_FIGURE, which the caller has put everywhere. NULL: there is
   *  none. */
  void (*figures)(const struct hd_topology *t, struct hd_topology_figures *figures);
  /** The topology's rule of routing (§5.14): how a packet for `node` leaves a switch. It leads from each node
   *  to each other on a shortest way; of a dragonfly, on the shortest by one link between groups. NULL: it
   *  has none. */
  struct hd_hop (*next_hop)(const struct hd_topology *t, uint32_t sw, uint32_t node);
  /** The channel classes that the rule needs in this shape to be free of deadlock (§5.24), 1 or
   *  more; next_hop gives smaller numbers. NULL: 1 in every shape. */
  uint32_t (*channel_classes)(const struct hd_topology *t);
  bool one_way; /* links go one way */
  bool
      layered; /* no circle of channels can arise from shortest ways, whichever ports they take: up, then down;
                   or one way */
  enum hd_topology_drawing drawing;
  /** Places of all switches; what it looks like, part of a sentence. NULL: where it is drawn freely; for a
   *  shape that is. */
  const char *(*place)(const struct hd_topology *t, struct hd_topology_place *at);
};

/** Number of channel classes by the topology's rule (§5.24): 1 or more. */
uint32_t hd_topology_channel_classes(const struct hd_topology *t);

/** All topologies by kind; NULL follows the last. */
extern const struct hd_topology_descriptor *const hd_topologies[];

/** NULL beyond the last. */
const char *hd_topology_kind_name(unsigned kind);

/** Does the topology have this key? *needed: a scenario must give it. */
bool hd_topology_takes(const struct hd_topology_descriptor *d, const char *key, bool *needed);

/** Builds a topology of a kind. text: as for `build`, likewise the errors. */
int hd_topology_build(struct hd_topology *t, enum hd_topology_kind kind,
                      const struct hd_topology_shape *shape, const struct hd_topology_text *text,
                      struct hd_error *err);

/** The closed forms of a topology of hd_topology_build; HD_NO_FIGURE: there is none. */
void hd_topology_closed_forms(const struct hd_topology *t, struct hd_topology_figures *figures);

/** Counts the figures. It finds the bisection only where the switches without which no node can be are at most 16
 *  (§5.13), otherwise HD_NO_FIGURE. HD_E_NOMEM; HD_E_INPUT where no way leads from one node to another. */
int hd_topology_measure(const struct hd_topology *t, struct hd_topology_figures *figures,
                        struct hd_error *err);

/* The constructors themselves. After a failure *t is zeroed. */

/** dims[n_dims], 1 <= n_dims <= 7, each >= 1, 2 … HD_MAX_COMPUTED_NODES nodes in all (§5.1). */
int hd_topology_mesh(struct hd_topology *t, const uint32_t *dims, uint32_t n_dims,
                     struct hd_error *err);

/** k-ary n-tree (§5.2), 2 <= k <= 8, 1 <= n <= 13, at most HD_MAX_COMPUTED_NODES nodes. */
int hd_topology_tree(struct hd_topology *t, uint32_t k, uint32_t n, struct hd_error *err);

/** Extended k-ary n-tree (§5.3). */
int hd_topology_extended_tree(struct hd_topology *t, uint32_t k, uint32_t n, struct hd_error *err);

/** A graph from CSV text of `length` bytes (§5.5), not NUL-terminated; `name` is used in
 *  errors as file name. Refuses what is not connected, naming an unreachable part. */
int hd_topology_graph(struct hd_topology *t, const char *text, size_t length, const char *name,
                      struct hd_error *err);

/** Random connected graph (§5.8): 2 … HD_MAX_NODES switches with a node each, linked to `degree`
 *  different others, 2 … HD_MAX_PORTS − 1 of them and fewer than there are switches (two switches: 1).
 *  Where switches · degree is odd, one switch has one link less. The same seed, the same graph. */
int hd_topology_irregular(struct hd_topology *t, uint32_t switches, uint32_t degree, uint64_t seed,
                          struct hd_error *err);

/** Gives every switch `ports` ports, those beyond t->ports without a link. HD_E_INPUT where
 *  that are fewer than t->ports or more than HD_MAX_PORTS, HD_E_NOMEM; then *t is as before. */
int hd_topology_widen(struct hd_topology *t, uint32_t ports, struct hd_error *err);

/** 0 when where ports send to and what sends to them agree, every node has a way in and a way out, and
 *  every switch is connected with all others by links, whichever way they go; HD_E_INPUT otherwise.
 *  Constructors' results always are. */
int hd_topology_check(const struct hd_topology *t, struct hd_error *err);

/** Frees what the constructors allocated; a zeroed struct is fine. */
void hd_topology_fini(struct hd_topology *t);

#endif
