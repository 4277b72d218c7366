/* Plans of all-to-all broadcast on meshes and tori: network coding, and its rivals without it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The coding is hierarchical: in groups of nodes, and groups of groups.
 *
 * Each source has a datum that every node must get. The method is that of the paper on network
 * coding (Shalaby et al., Sections 3 and 6):
 *   A  the network is divided into groups, which are boxes of nodes; each group has an intermediate node
 *   B  in each group, every source multicasts its datum d
 *   C  the intermediate node encodes the data of its group's sources as *pairs*: d1⊕d2, d2⊕d3, …
 *   D  it multicasts the pairs to the intermediate nodes of the other groups
 *   E  these multicast them in their groups
 *   F  each node gets one datum of each other group directly from its source
 *   G  it restores the other data of that group from this datum and the pairs
 * In the recursive form, a group is divided again: the steps of level 1 replace step B of level 0.
 *
 * A plan is a set of rules, not a list: hd_coding_sends says what a node sends when it has got an
 * item. A program that carries out a plan asks it for each item that a node gets, so no memory
 * grows with the square of the network. hd_coding_walk follows the rules to the end, and visits
 * every send. hd_coding_formula computes the same numbers without them.
 *
 * Nodes are numbered as in specification §5.1 (§5.15 for tori). A hop is a link between two
 * switches. Paths are dimension-order, so they are as long as the distance. No node sends to
 * itself; how the datum of an intermediate node comes to its own encoder is not part of a plan.
 *
 * Reading order: coding.c (groups), multicast.c (which nodes forward to which), sends.c (rules),
 * count.c (hops by sends), line.c and formula.c (hops without sends), place.c (intermediate nodes,
 * shapes).
 */
#ifndef HD_CODING_H
#define HD_CODING_H

#include "../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_CODING_DIMS = 8, HD_CODING_LEVELS = 2, HD_CODING_MAX_SIDE = 1024 };

/** X(SCHEME, name, help) */
#define HD_CODING_SCHEME_LIST(X)                                                                  \
  X(FLAT, "flat", "no groups: every source multicasts its datum to all nodes")                    \
  X(CODED, "coded", "groups and network coding, steps A to G")                                    \
  X(PLAIN, "plain", "the same groups without coding: the data themselves in steps D and E, no F") \
  X(COMBINED, "combined", "as plain, but one message has all data of a group (message combining)")

#define HD_CODING_SCHEME_MEMBER(SCHEME, name, help) HD_CODING_##SCHEME,
enum hd_coding_scheme { HD_CODING_SCHEME_LIST(HD_CODING_SCHEME_MEMBER) HD_CODING_SCHEMES };
#undef HD_CODING_SCHEME_MEMBER

/** X(MULTICAST, name, help): how a node multicasts to a box of nodes, or to intermediate nodes. */
#define HD_CODING_MULTICAST_LIST(X)                                                              \
  X(ALL_AT_ONCE, "all-at-once", "the source sends to each destination")                          \
  X(TREE, "tree", "recursive halving, far dimensions first: who has it sends to the other half") \
  X(NEIGHBOUR, "neighbour", "from neighbour to neighbour, side by side: every send is one hop")

#define HD_CODING_MULTICAST_MEMBER(MULTICAST, name, help) HD_CODING_##MULTICAST,
enum hd_coding_multicast {
  HD_CODING_MULTICAST_LIST(HD_CODING_MULTICAST_MEMBER) HD_CODING_MULTICASTS
};
#undef HD_CODING_MULTICAST_MEMBER

/** Returns the name of a scheme ("coded") or a multicast ("tree"); NULL if there is no such
 *  number. */
const char *hd_coding_scheme_name(unsigned scheme);
const char *hd_coding_multicast_name(unsigned multicast);

/** Parameters of a plan. */
struct hd_coding_request {
  uint32_t n_dims, dims[HD_CODING_DIMS]; /* sides of the network */
  bool torus;
  enum hd_coding_scheme scheme;
  enum hd_coding_multicast multicast; /* multicast of steps B, D and E */
  /* Sides of the groups, by level. With one level, any sides that fit; if a side does not divide
   * the network's, the last group of that dimension is smaller. With two levels, each side must
   * divide the one above it. FLAT has no levels. */
  uint32_t n_levels, group[HD_CODING_LEVELS][HD_CODING_DIMS];
  /** [nodes] which nodes are sources; NULL: all. Only hd_coding_create reads it */
  const bool *sources;
  /* Allocates zeroed memory for the plan, which then must not be destroyed. NULL: calloc. */
  void *(*alloc)(void *context, size_t bytes);
  void *alloc_context;
};

struct hd_coding;

/** Makes a plan. It never changes, so several threads may use it. Returns HD_E_INPUT if sides do
 *  not fit or there is no source, or HD_E_NOMEM; *coding is then NULL. */
int hd_coding_create(struct hd_coding **coding, const struct hd_coding_request *request,
                     struct hd_error *err);
/** Destroys a plan whose memory is from calloc. NULL is allowed. */
void hd_coding_destroy(struct hd_coding *coding);

/** Sets request->group[0] to the shape of groups with the fewest hops by formula: among shapes with
 *  one level, with `members` nodes (0: any), whose sides divide the network's. Of several equal
 *  ones, the first in the order of sides. Returns HD_E_INPUT if there is none. */
int hd_coding_best_group(struct hd_coding_request *request, uint32_t members, struct hd_error *err);

/* ── groups ────────────────────────────────────────────────────────────────── */

uint32_t hd_coding_nodes(const struct hd_coding *coding);
uint32_t hd_coding_levels(const struct hd_coding *coding); /* number of levels; FLAT: 0 */
/** Returns the number of groups of a level in the whole network. */
uint32_t hd_coding_groups(const struct hd_coding *coding, uint32_t level);
/** Returns the node's group at a level. */
uint32_t hd_coding_group(const struct hd_coding *coding, uint32_t level, uint32_t node);
/** Returns the first of the *n consecutive groups that exchange data at this level with the node's
 *  group, itself included. */
uint32_t hd_coding_siblings(const struct hd_coding *coding, uint32_t level, uint32_t node,
                            uint32_t *n);
/** Returns the *n sources of a group, in order; the plan owns them. A group has *n − 1 pairs (0 if
 *  *n is 0): pair q combines sources q and q + 1. */
const uint32_t *hd_coding_sources(const struct hd_coding *coding, uint32_t level, uint32_t group,
                                  uint32_t *n);
uint32_t hd_coding_intermediate(const struct hd_coding *coding, uint32_t level, uint32_t group);
/** Returns the index of the source of another group whose datum the node gets directly in step F.
 *  The group must have sources. */
uint32_t hd_coding_native(const struct hd_coding *coding, uint32_t level, uint32_t group,
                          uint32_t node);
bool hd_coding_is_source(const struct hd_coding *coding, uint32_t node);

/* ── sends ─────────────────────────────────────────────────────────────────── */

enum hd_coding_what { HD_CODING_DATUM, HD_CODING_PAIR, HD_CODING_ALL_DATA };

/** The content of a packet. */
struct hd_coding_item {
  uint8_t what;   /* enum hd_coding_what */
  uint8_t level;  /* level of the group; datum: 0 */
  uint32_t group; /* the group of the pair or the data; datum: 0 */
  uint32_t index; /* datum: its source; pair: q; all data: 0 */
};

/** The steps in which nodes send. With FLAT, which has no groups, data are sent in step B of level
 *  0. */
enum hd_coding_step { HD_CODING_B, HD_CODING_D, HD_CODING_E, HD_CODING_F, HD_CODING_STEPS };
/** Returns the name of a step, "B" …; NULL if there is no such number. */
const char *hd_coding_step_name(unsigned step);

/** How a node has got an item: in a step of a level, or by itself. Its own items are its datum, and
 *  the pairs or all data that it has made as an intermediate node. */
struct hd_coding_via {
  uint8_t step; /* enum hd_coding_step; HD_CODING_STEPS: by itself */
  uint8_t level;
};

struct hd_coding_send {
  struct hd_coding_item item;
  struct hd_coding_via as;    /* the step to which the send belongs */
  struct hd_coding_via after; /* `from` sends the item after it has got it in this way */
  uint32_t from, to;
};

typedef void (*hd_coding_visit)(void *context, const struct hd_coding_send *send);

/** Visits the sends of `node` after it has got `item` by `after`, in the order in which they should
 *  leave. A node gets an item at most once by the same step. A datum that is restored in step G
 *  causes no send, but its intermediate node needs it for step C of the level above. */
void hd_coding_sends(const struct hd_coding *coding, uint32_t node, struct hd_coding_via after,
                     struct hd_coding_item item, hd_coding_visit visit, void *context);

/** Returns the number of items that a node gets in a step. */
uint32_t hd_coding_receives(const struct hd_coding *coding, struct hd_coding_via as, uint32_t node);

/** Visits every send, step by step from the innermost level: B, D, E, F. Each send comes after the
 *  one by which its sender got the item. */
void hd_coding_walk(const struct hd_coding *coding, hd_coding_visit visit, void *context);

/* ── hops ──────────────────────────────────────────────────────────────────── */

/** The number of sends, and of hops with one packet for each datum, by level and step. A message
 *  with all data of a group counts as one packet for each datum. */
struct hd_coding_hops {
  uint64_t sends[HD_CODING_LEVELS][HD_CODING_STEPS];
  uint64_t hops[HD_CODING_LEVELS][HD_CODING_STEPS];
};

/** Returns the distance of two nodes in links between switches. */
uint32_t hd_coding_distance(const struct hd_coding *coding, uint32_t from, uint32_t to);
/** Returns the number of packets of a send. */
uint32_t hd_coding_packets(const struct hd_coding *coding, const struct hd_coding_send *send);
/** Counts the hops send by send. */
void hd_coding_count(const struct hd_coding *coding, struct hd_coding_hops *hops);
/** Computes the hops by formula: by sums over sides instead of sends. */
void hd_coding_formula(const struct hd_coding *coding, struct hd_coding_hops *hops);

/** X(COUNT, help): which steps a count of hops includes. The paper does not say which step its
 *  figures leave out. */
#define HD_CODING_COUNT_LIST(X)                \
  X(ALL, "all steps, as Section 3 is written") \
  X(WITHOUT_E, "all steps but E")              \
  X(F_ALONE, "step F alone")                   \
  X(BETWEEN, "steps D and F: between groups")
#define HD_CODING_COUNT_MEMBER(COUNT, help) HD_CODING_COUNT_##COUNT,
enum hd_coding_counted { HD_CODING_COUNT_LIST(HD_CODING_COUNT_MEMBER) HD_CODING_COUNTS };
#undef HD_CODING_COUNT_MEMBER

uint64_t hd_coding_total(const struct hd_coding_hops *hops, enum hd_coding_counted counted);

#endif
