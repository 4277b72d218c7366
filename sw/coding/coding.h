/* Plans of all-to-all broadcast on meshes and tori: hierarchical network coding, and its rivals without coding.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each source has a datum that every node is to get. From the paper on network coding (Shalaby et al., Sections 3
 * and 6; charter, E1–E3). Its steps are
 *   A  the network is divided into groups, boxes of nodes; one node of each is its intermediate node
 *   B  in each group every source multicasts its datum d
 *   C  the intermediate node encodes d1⊕d2, d2⊕d3 … of its group's sources, one *pair* each
 *   D  it multicasts the pairs to the intermediate nodes of the other groups
 *   E  these multicast them in their groups
 *   F  each node gets one datum of each other group from the source itself
 *   G  it restores the others of that group from this one and from the pairs
 * In the recursive form a group is divided again: level 1 is what stands in the place of step B of level 0.
 *
 * A plan is rules, not a list: hd_coding_sends says what a node sends once it has something. Whoever carries a plan
 * out asks it for each thing that a node gets, so nothing grows with the square of the network. hd_coding_walk
 * follows the same rules to the end and visits every send. hd_coding_formula comes to the same numbers
 * without them.
 *
 * Nodes have the numbers of specification §5.1 (§5.15 for tori). A hop is a link between two switches; ways are
 * dimension-order, so as long as the distance. No node sends to itself: how an intermediate node's own datum
 * comes to its encoder is not part of a plan.
 *
 * Reading order: coding.c (groups), multicast.c (who forwards to whom), sends.c (rules), count.c (hops by sends),
 * line.c and formula.c (hops without sends), place.c (intermediate nodes, shapes).
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

/** The ways in which a node multicasts in a box of nodes, or among intermediate nodes. X(MULTICAST,
 *  name, help) */
#define HD_CODING_MULTICAST_LIST(X)                                                              \
  X(ALL_AT_ONCE, "all-at-once", "the source sends to each destination")                          \
  X(TREE, "tree", "recursive halving, far dimensions first: who has it sends to the other half") \
  X(NEIGHBOUR, "neighbour", "from neighbour to neighbour, side by side: every send is one hop")

#define HD_CODING_MULTICAST_MEMBER(MULTICAST, name, help) HD_CODING_##MULTICAST,
enum hd_coding_multicast {
  HD_CODING_MULTICAST_LIST(HD_CODING_MULTICAST_MEMBER) HD_CODING_MULTICASTS
};
#undef HD_CODING_MULTICAST_MEMBER

/** "coded", "tree" …; NULL beyond the last. */
const char *hd_coding_scheme_name(unsigned scheme);
const char *hd_coding_multicast_name(unsigned multicast);

/** Parameters of a plan. */
struct hd_coding_request {
  uint32_t n_dims, dims[HD_CODING_DIMS]; /* k, k … */
  bool torus;
  enum hd_coding_scheme scheme;
  enum hd_coding_multicast multicast; /* of steps B, D and E */
  /* Sides of the groups, by level. With one level any that fit: the last group of a side is smaller where it
   * does not divide the network's. With more levels each must divide the one above. FLAT has no levels. */
  uint32_t n_levels, group[HD_CODING_LEVELS][HD_CODING_DIMS];
  const bool *sources; /* [nodes], of the caller, read by hd_coding_create alone; NULL: all nodes */
  /* Allocates the plan's memory, zeroed; the plan then needs no hd_coding_destroy. NULL: calloc. */
  void *(*alloc)(void *context, size_t bytes);
  void *alloc_context;
};

struct hd_coding;

/** Makes a plan; it never changes, so any number of threads may use it. HD_E_INPUT: sides that do not fit, no
 *  source; HD_E_NOMEM. Then *coding is NULL. */
int hd_coding_create(struct hd_coding **coding, const struct hd_coding_request *request,
                     struct hd_error *err);
/** Destroys a plan whose memory is from calloc; NULL is fine. */
void hd_coding_destroy(struct hd_coding *coding);

/** The shape whose plan has the fewest hops by formula among those with `members` nodes (0: any), with one level,
 *  that divide the network; the first of equals, sides in order of dimension. Fills request->group[0]. HD_E_INPUT:
 *  there is none. */
int hd_coding_best_group(struct hd_coding_request *request, uint32_t members, struct hd_error *err);

/* ── groups ────────────────────────────────────────────────────────────────── */

uint32_t hd_coding_nodes(const struct hd_coding *coding);
uint32_t hd_coding_levels(const struct hd_coding *coding); /* 0: FLAT */
/** Groups of a level in the whole network. */
uint32_t hd_coding_groups(const struct hd_coding *coding, uint32_t level);
/** The node's group of a level. */
uint32_t hd_coding_group(const struct hd_coding *coding, uint32_t level, uint32_t node);
/** Groups that exchange data with a node's group at this level: *n from the returned one on, its own among them. */
uint32_t hd_coding_siblings(const struct hd_coding *coding, uint32_t level, uint32_t node,
                            uint32_t *n);
/** Sources of a group in order; *n of them. A group has *n − 1 pairs (none with *n = 0): pair q is of sources q and q + 1.
 *  The plan owns them. */
const uint32_t *hd_coding_sources(const struct hd_coding *coding, uint32_t level, uint32_t group,
                                  uint32_t *n);
uint32_t hd_coding_intermediate(const struct hd_coding *coding, uint32_t level, uint32_t group);
/** Step F: which of the sources of another group, by its number among them, the node gets as it is. The group
 *  has sources. */
uint32_t hd_coding_native(const struct hd_coding *coding, uint32_t level, uint32_t group,
                          uint32_t node);
bool hd_coding_is_source(const struct hd_coding *coding, uint32_t node);

/* ── sends ─────────────────────────────────────────────────────────────────── */

enum hd_coding_what { HD_CODING_DATUM, HD_CODING_PAIR, HD_CODING_ALL_DATA };

/** Contents of a packet. */
struct hd_coding_item {
  uint8_t what;   /* enum hd_coding_what */
  uint8_t level;  /* of the group; datum: 0 */
  uint32_t group; /* the group to which pair or data belong; datum: 0 */
  uint32_t index; /* datum: the source's node; pair: q; all data: 0 */
};

/** The steps that send. Data of FLAT come in step B of level 0, which has no groups. */
enum hd_coding_step { HD_CODING_B, HD_CODING_D, HD_CODING_E, HD_CODING_F, HD_CODING_STEPS };
/** "B" …; NULL beyond the last. */
const char *hd_coding_step_name(unsigned step);

/** The origin of an item that a node has: received in a step of a level, or its own. Its own items
 *  are its datum from the start, and pairs or all data that it has made as intermediate node. */
struct hd_coding_via {
  uint8_t step; /* enum hd_coding_step; HD_CODING_STEPS: of itself */
  uint8_t level;
};

struct hd_coding_send {
  struct hd_coding_item item;
  struct hd_coding_via as;    /* the step that it is part of */
  struct hd_coding_via after; /* `from` sends it once it has got the item so */
  uint32_t from, to;
};

typedef void (*hd_coding_visit)(void *context, const struct hd_coding_send *send);

/** Visits the sends of `node` after it has got `item` via `after`: one call for each send, in the order in which they
 *  should leave. A node gets an item at most once via the same step. A datum that step G restores allows no
 *  send of its own, but its intermediate node needs it for step C of the level above. */
void hd_coding_sends(const struct hd_coding *coding, uint32_t node, struct hd_coding_via after,
                     struct hd_coding_item item, hd_coding_visit visit, void *context);

/** The number of items that a node gets in a step. */
uint32_t hd_coding_receives(const struct hd_coding *coding, struct hd_coding_via as, uint32_t node);

/** Visits every send, step after step from the innermost level: B, D, E, F. A send comes after the one that it waits
 *  for. */
void hd_coding_walk(const struct hd_coding *coding, hd_coding_visit visit, void *context);

/* ── hops ──────────────────────────────────────────────────────────────────── */

/** Sends, and hops of one packet for each datum, by level and step. A message with all data of a group is that many
 *  packets. */
struct hd_coding_hops {
  uint64_t sends[HD_CODING_LEVELS][HD_CODING_STEPS];
  uint64_t hops[HD_CODING_LEVELS][HD_CODING_STEPS];
};

/** Links between the switches of two nodes. */
uint32_t hd_coding_distance(const struct hd_coding *coding, uint32_t from, uint32_t to);
/** Packets of a send. */
uint32_t hd_coding_packets(const struct hd_coding *coding, const struct hd_coding_send *send);
/** Counted send by send. */
void hd_coding_count(const struct hd_coding *coding, struct hd_coding_hops *hops);
/** Computes the hops by formula: sums over sides, not over sends. */
void hd_coding_formula(const struct hd_coding *coding, struct hd_coding_hops *hops);

/** Ways to count the hops of a plan. The paper's figures do not say which step they leave out. X(COUNT, help) */
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
