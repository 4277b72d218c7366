/* Topologies: which switches and nodes are linked (specification chapter 5).
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

/** Limited by the 16 bits of a peer's index. Nodes: 2 … HD_MAX_COMPUTED_NODES of switch.h, or at most HD_MAX_NODES if
 *  switches have routing tables. */
enum { HD_MAX_SWITCHES = 65536 };

/** X(KIND, name): cmodel/topology has a file that defines hd_topology_kind_<name>, its descriptor; the kind is
 *  HD_TOPO_<KIND>. A new topology is its file and a line here, at the end, because databases and seeds of random tests
 *  depend on the order. */
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
  HD_FAMILY_TREES,          /* k, n and halves describe it completely (§5.2, §5.3) */
  HD_FAMILY_FAT_TREES,      /* shape.pods and shape.edge_nodes describe it completely (§5.20) */
  HD_FAMILY_BOTH_WAYS,      /* for a routing: all links of the kind go both ways */
  HD_FAMILY_OWN_RULE,       /* for a routing: the topology has a rule, `next_hop` */
  HD_FAMILY_RULE_BOTH_WAYS, /* for a routing: it has a rule, or is a mesh, and links go both ways */
  HD_FAMILY_FROM_TEXT,      /* for a routing: read from a file, which can have more than links */
  HD_FAMILY_REGULAR,        /* for a routing: it has a rule, or is one of the meshes or trees */
};

/** Parameters of a fabric, named like the keys of a scenario's `fabric`. A topology reads those that its descriptor
 *  lists. */
struct hd_topology_shape {
  uint32_t dims[8], n_dims;
  uint32_t k, n;
  uint32_t m, r;    /* Clos */
  uint32_t p, a, h; /* dragonfly */
  uint32_t pods, nodes, edge_nodes;
  char *file;
  uint32_t switches, degree;
  uint64_t graph_seed;
  uint32_t global_link_cycles; /* dragonfly; 0: the LINK of other links */
};

/** Returns the nodes of an edge switch of a FatTree (§5.20). */
static inline uint32_t hd_topology_edge_nodes(const struct hd_topology_shape *shape)
{
  return shape->edge_nodes ? shape->edge_nodes : shape->pods / 2;
}

/** Which packets an entry of a graph file's tables is for (§5.27). */
enum hd_topology_packets {
  HD_PACKETS_TO,   /* packets to a node */
  HD_PACKETS_FROM, /* packets from a node, in header mode 1 */
  HD_PACKETS_BY,   /* packets that go by a node, in header mode 3 */
};

/** One line of these tables. */
struct hd_topology_route {
  uint32_t line;
  uint16_t sw, first_node, last_node;
  uint16_t set;    /* further ports that can be chosen; 0: none */
  uint8_t in_port; /* HD_ANY_PORT: all input ports */
  uint8_t out_port;
  uint8_t channels; /* channels of the port; 0: all */
  uint8_t packets;  /* enum hd_topology_packets */
};
#define HD_ANY_PORT 0xff

/** Routing tables that a graph file carries, in the order of its lines; cmodel/routing makes tables of them. */
struct hd_topology_routes {
  char *name;                        /* name of the file, for errors; owned, NULL if there are no
                                      * tables */
  struct hd_topology_route *entries; /* owned */
  size_t n, capacity;
  uint32_t chosen_line; /* line that sets the channels of a chosen port; 0: none */
  uint8_t chosen;       /* channels of a chosen port; 0: all */
};

/** A fabric's links (§5). Plain data. `peers` and `senders` agree: a port's peer has that port as its sender. If all
 *  links go both ways, `senders` is `peers` and `node_exits` is `node_peers`. */
struct hd_topology {
  enum hd_topology_kind kind;
  uint32_t n_switches, n_nodes, ports; /* ports of every switch: the most that one needs, at least 2
                                        * */
  struct hd_peer *peers;               /* [n_switches][ports]: the peer that a port sends to, owned
                                        * */
  struct hd_peer *senders;             /* likewise: the peer that sends to a port, owned */
  struct hd_peer *node_peers;          /* [n_nodes]: the switch port that a node sends to, owned */
  struct hd_peer *node_exits;          /* [n_nodes]: the switch port that sends to a node, owned */
  uint8_t *link_cycles;  /* [n_switches][ports]: LINK of the link that leaves there (§1.5), 0: the
                          * fabric's LINK; NULL: all have the fabric's; owned */
  uint32_t k, n, halves; /* trees: arity, stages, 2 if it is extended */
  uint32_t n_dims, dims[8];         /* meshes */
  struct hd_topology_routes routes; /* of a graph file, which may have none */
  struct hd_topology_shape shape;   /* of hd_topology_build, without `file` */
};

/** Returns true if a link goes one way, or a node has its way in and its way out at different places (§5.12). */
static inline bool hd_topology_one_way(const struct hd_topology *t)
{
  return t->senders != t->peers;
}

/** The longest LINK that a link may have of its own, cycles. */
enum { HD_LINK_CYCLES_MAX = 128 };

/** Returns LINK of the link that leaves a port. `link`: LINK of links that have none of their own. */
static inline uint32_t hd_topology_link_cycles(const struct hd_topology *t, uint32_t sw,
                                               uint32_t port, uint32_t link)
{
  const uint32_t own = t->link_cycles ? t->link_cycles[(size_t)sw * t->ports + port] : 0;
  return own ? own : link;
}

/** Returns the largest LINK of the fabric. */
uint32_t hd_topology_longest_link(const struct hd_topology *t, uint32_t link);

/** A file's text of `length` bytes, not NUL-terminated; `name` is used in errors. */
struct hd_topology_text {
  const char *chars, *name;
  size_t length;
};

/** Figures of a fabric (§5.13). */
struct hd_topology_figures {
  uint32_t switches, nodes;
  uint64_t links;     /* links between switches; with one-way links: directions */
  uint64_t diameter;  /* most links between switches on a packet's shortest way */
  uint64_t distance;  /* that number of links, summed over all ordered pairs of different nodes */
  uint64_t bisection; /* links to cut between two halves of the nodes */
};
#define HD_NO_FIGURE UINT64_MAX

/** The next step of a packet, by a routing rule. */
struct hd_hop {
  uint32_t port;
  uint32_t
      channel_class; /* of the port's channels (§5.24); for a port to a node it means nothing */
};

/** Where a switch is drawn. Neighbours are about 1 apart. */
struct hd_topology_place {
  double x, y;
};

enum hd_topology_drawing {
  HD_DRAWN_FREELY, /* as a circle, or as rings by distance */
  HD_DRAWN_GRID,
  HD_DRAWN_LAYERS,
};

/** The description of one kind of topology, for scenarios, checks, reports and documents. */
struct hd_topology_descriptor {
  const char *name;    /* value of `fabric.topology` */
  const char *help;    /* what the topology is, as a part of a sentence */
  const char *section; /* section of the specification */
  const char *example; /* example of its keys */
  enum hd_topology_family family;
  const char *needs[4], *takes[4]; /* keys that it needs, and keys that have defaults; NULL after
                                    * the last */
  const char *blamed;              /* the key that an error of `build` names */
  bool from_text;                  /* built from the text of `file`, whose name errors give */
  /** Builds the topology. text: NULL unless from_text. HD_E_INPUT, HD_E_NOMEM; then *t is zeroed. */
  int (*build)(struct hd_topology *t, const struct hd_topology_shape *shape,
               const struct hd_topology_text *text, struct hd_error *err);
  /** Writes a short description, such as "8x8 mesh". */
  void (*describe)(const struct hd_topology_shape *shape, char *buf, size_t size);

  /* The functions below take topologies of hd_topology_build. */

  /** Sets the figures that have closed forms. The caller has set all to HD_NO_FIGURE. NULL: there are none.
   *  */
  void (*figures)(const struct hd_topology *t, struct hd_topology_figures *figures);
  /** Routes a packet for `node` out of a switch by the topology's own rule (§5.14): on a shortest way from
   *  each node to each other; in a dragonfly, on the shortest by one link between groups. NULL: there is no
   *  rule. */
  struct hd_hop (*next_hop)(const struct hd_topology *t, uint32_t sw, uint32_t node);
  /** Returns how many channel classes the rule needs in this shape to be free of deadlock (§5.24), 1 or more. next_hop
   *  gives smaller numbers. NULL: 1 in every shape. */
  uint32_t (*channel_classes)(const struct hd_topology *t);
  bool one_way; /* links go one way */
  bool
      layered; /* no circle of channels can arise from shortest ways, whichever ports they take: up, then down;
                   or one way */
  enum hd_topology_drawing drawing;
  /** Sets the places of all switches. Returns what the drawing looks like, as a part of a sentence, or NULL if this
   *  shape is drawn freely. NULL: all shapes are. */
  const char *(*place)(const struct hd_topology *t, struct hd_topology_place *at);
};

/** Returns the number of channel classes of the topology's rule (§5.24): 1 or more. */
uint32_t hd_topology_channel_classes(const struct hd_topology *t);

/** All topologies by kind; NULL follows the last. */
extern const struct hd_topology_descriptor *const hd_topologies[];

/** Returns the name of a kind; NULL beyond the last. */
const char *hd_topology_kind_name(unsigned kind);

/** Returns true if the topology has this key. *needed: a scenario must give it. */
bool hd_topology_takes(const struct hd_topology_descriptor *d, const char *key, bool *needed);

/** Builds a topology of a kind. For `text` and errors see `build`. */
int hd_topology_build(struct hd_topology *t, enum hd_topology_kind kind,
                      const struct hd_topology_shape *shape, const struct hd_topology_text *text,
                      struct hd_error *err);

/** Sets the closed forms of a topology of hd_topology_build; HD_NO_FIGURE: there is none. */
void hd_topology_closed_forms(const struct hd_topology *t, struct hd_topology_figures *figures);

/** Counts the figures. The bisection is HD_NO_FIGURE unless at most 16 groups of nodes stay together in every cut
 *  (§5.13). HD_E_NOMEM; HD_E_INPUT if no way leads from one node to another. */
int hd_topology_measure(const struct hd_topology *t, struct hd_topology_figures *figures,
                        struct hd_error *err);

/* The constructors. After a failure *t is zeroed. */

/** dims[n_dims], 1 <= n_dims <= 7, each >= 1, 2 … HD_MAX_COMPUTED_NODES nodes in all (§5.1). */
int hd_topology_mesh(struct hd_topology *t, const uint32_t *dims, uint32_t n_dims,
                     struct hd_error *err);

/** Builds a k-ary n-tree (§5.2), 2 <= k <= 8, 1 <= n <= 13, at most HD_MAX_COMPUTED_NODES nodes. */
int hd_topology_tree(struct hd_topology *t, uint32_t k, uint32_t n, struct hd_error *err);

/** Builds an extended k-ary n-tree (§5.3). */
int hd_topology_extended_tree(struct hd_topology *t, uint32_t k, uint32_t n, struct hd_error *err);

/** Builds a graph from CSV text of `length` bytes (§5.5), not NUL-terminated. Errors give `name` as the file's name.
 *  Refuses a graph that is not connected, and names an unreachable part. */
int hd_topology_graph(struct hd_topology *t, const char *text, size_t length, const char *name,
                      struct hd_error *err);

/** Random connected graph (§5.8): 2 … HD_MAX_NODES switches with a node each, linked to `degree` different others, with
 *  degree 2 … HD_MAX_PORTS − 1 and below the number of switches (two switches: 1). If switches · degree is odd, one
 *  switch has one link less. One seed always gives one graph. */
int hd_topology_irregular(struct hd_topology *t, uint32_t switches, uint32_t degree, uint64_t seed,
                          struct hd_error *err);

/** Gives every switch `ports` ports; the new ones have no link. HD_E_INPUT if `ports` is below t->ports or above
 *  HD_MAX_PORTS, HD_E_NOMEM; then *t is as before. */
int hd_topology_widen(struct hd_topology *t, uint32_t ports, struct hd_error *err);

/** Checks a topology. Returns 0 if peers and senders agree, every node has a way in and a way out, and links
 *  connect all switches, whichever way they go; otherwise HD_E_INPUT. Results of constructors always pass.
 *  */
int hd_topology_check(const struct hd_topology *t, struct hd_error *err);

/** Frees the memory of a topology; a zeroed struct is fine. */
void hd_topology_fini(struct hd_topology *t);

#endif
