/* Traffic patterns: the destinations of a node's packets.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each pattern is a descriptor (struct hd_pattern in programs.h). In patterns_ranks.c, the digits
 * of a rank give the destination; in patterns_drawn.c, a random number or a file; in
 * patterns_tables.c, a table of another tool. To add a pattern, write its descriptor and add a line
 * to HD_PATTERN_LIST. The page takes name, formula, legal numbers of nodes and parameters from
 * there.
 */
#ifndef HD_PROGRAMS_PATTERNS_H
#define HD_PROGRAMS_PATTERNS_H

#include "common.h"
#include "programs.h"

#define HD_PATTERN_EXTERN(name) extern const struct hd_pattern hd_pattern_##name;
HD_PATTERN_LIST(HD_PATTERN_EXTERN)
#undef HD_PATTERN_EXTERN

#define HD_DIMS_PARAMETER \
  "dims: sides of a grid with any number of dimensions, as 4x4x4 (columns × rows)"
#define HD_HOTSPOT_PARAMETERS                                                                 \
  "fraction: part of the packets that go to the hot node, 0 to 1; the rest is uniform (0.1)", \
      "node: the hot node, which itself sends uniformly (0)",                                 \
      "spots: several hot nodes, each with its part of the packets, as 3:0.2+17:0.1 (none)"
#define HD_ADVERSARIAL_PARAMETERS                  \
  "group: nodes of a group (none, must be given)", \
      "shift: number of groups from a source's to the destinations' (1)"
#define HD_PERMUTATION_PARAMETER \
  "permutation: number of the random permutation; the run's seed does not change it (1)"
#define HD_PATTERN_FILE_PARAMETER "file: file of the pattern, in its format (none, must be given)"
/** The parameters of all patterns, for programs that take any pattern. */
#define HD_PATTERN_PARAMETERS                                                             \
  HD_GRID_PARAMETER, HD_DIMS_PARAMETER, HD_HOTSPOT_PARAMETERS, HD_ADVERSARIAL_PARAMETERS, \
      HD_PERMUTATION_PARAMETER, HD_PATTERN_FILE_PARAMETER

/** The destinations of a node for one traffic class, and its load. */
struct hd_destinations {
  /** ≥ 0: the only destination; −1: pick() draws one */
  int fixed;
  /** returns another node, or −1: none at this moment */
  int (*pick)(struct hd_ep *ep, const void *context);
  const void *context;
  double weight; /* this node's load, relative to the mean of all nodes; 0: it sends nothing */
  double load;   /* mean load, if the scenario does not set one */
  bool load_is_packets; /* `load` is in packets a cycle instead of flits */
  bool pauses;          /* pick() may return −1 */
};

/** Returns the pattern that parameter `pattern` names for a class. Rejects the parameter if there
 *  is none of that name. */
const struct hd_pattern *hd_class_pattern(struct hd_ep *ep, uint32_t part);

/** Fills *to for this node and the class `part`. Ends the run if the pattern does not fit the
 *  number of nodes or its parameters. */
void hd_pattern_prepare(struct hd_ep *ep, const struct hd_pattern *pattern, uint32_t part,
                        struct hd_destinations *to);

/* ── parameters with a value for each class: "0.7 | 0.3" ─────────────────── */

/** Returns the number of values of a parameter. 0: it is not set. 1: all classes have the same. */
uint32_t hd_class_values(struct hd_ep *ep, const char *key);
/** Returns a class' value as text, which lives as long as the run. */
const char *hd_class_text(struct hd_ep *ep, const char *key, uint32_t part, const char *fallback);
/** Returns a class' value as a number. Ends the run if it is not from `least` to `most`. */
double hd_class_number(struct hd_ep *ep, const char *key, uint32_t part, double fallback,
                       double least, double most);
uint64_t hd_class_integer(struct hd_ep *ep, const char *key, uint32_t part, uint64_t fallback,
                          uint64_t least, uint64_t most);

enum { HD_WEIGHTED = 16 };
/** A list of at most HD_WEIGHTED whole numbers, each with a weight above 0, as "1:0.5+5:0.5". */
struct hd_weighted {
  uint32_t n;
  uint64_t values[HD_WEIGHTED];
  double until[HD_WEIGHTED]; /* sum of the weights up to this one */
};
void hd_class_weighted(struct hd_ep *ep, const char *key, uint32_t part, uint64_t least,
                       uint64_t most, struct hd_weighted *list);
/** Finds the value whose range of the cumulated weights contains `place`. Returns false if `place`
 *  is beyond the sum of the weights. */
bool hd_weighted_find(const struct hd_weighted *list, double place, uint64_t *value);

#endif
