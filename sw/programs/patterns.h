/* Traffic patterns: to whom a node's packets go.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A pattern is a descriptor (struct hd_pattern of programs.h) in patterns_ranks.c, where a rank's digits say the
 * destination, or in patterns_drawn.c, where chance or a file does. Adding one is a descriptor and a line in
 * HD_PATTERN_LIST. Its name, formula, legal numbers of nodes and parameters are on the page from there.
 */
#ifndef HD_PROGRAMS_PATTERNS_H
#define HD_PROGRAMS_PATTERNS_H

#include "common.h"
#include "programs.h"

#define HD_PATTERN_EXTERN(name) extern const struct hd_pattern hd_pattern_##name;
HD_PATTERN_LIST(HD_PATTERN_EXTERN)
#undef HD_PATTERN_EXTERN

#define HD_DIMS_PARAMETER \
  "dims: sides of a grid of any number of dimensions, as 4x4x4 (columns × rows)"
#define HD_HOTSPOT_PARAMETERS                                                                 \
  "fraction: part of the packets that go to the hot node, 0 to 1; the rest is uniform (0.1)", \
      "node: the hot node, which itself sends uniformly (0)",                                 \
      "spots: several hot nodes with their parts of the packets, as 3:0.2+17:0.1 (none)"
#define HD_ADVERSARIAL_PARAMETERS                  \
  "group: nodes of a group (none, must be given)", \
      "shift: how many groups on the destinations are (1)"
#define HD_PERMUTATION_PARAMETER \
  "permutation: number of the random permutation; the run's seed does not change it (1)"
#define HD_PATTERN_FILE_PARAMETER \
  "file: CSV with what the pattern says of its lines (none, must be given)"
/** All of them, for programs that take any pattern. */
#define HD_PATTERN_PARAMETERS                                                             \
  HD_GRID_PARAMETER, HD_DIMS_PARAMETER, HD_HOTSPOT_PARAMETERS, HD_ADVERSARIAL_PARAMETERS, \
      HD_PERMUTATION_PARAMETER, HD_PATTERN_FILE_PARAMETER

/** The destinations of a node's class. */
struct hd_destinations {
  int fixed;                                          /* ≥ 0: always there; −1: */
  int (*pick)(struct hd_ep *ep, const void *context); /* a node other than this one; −1: none now */
  const void *context;
  double weight; /* of the load that all nodes have on average, this node's; 0: it is silent */
  double load;   /* where the scenario gives none */
  bool load_is_packets; /* that is packets a cycle instead of flits */
  bool pauses;          /* pick may give none */
};

/** The pattern of parameter `pattern`; ends the run where there is none of that name. */
const struct hd_pattern *hd_part_pattern(struct hd_ep *ep, uint32_t part);

/** Fills in `to` for this node, or ends the run where nodes or parameters do not fit. part: the class. */
void hd_pattern_prepare(struct hd_ep *ep, const struct hd_pattern *pattern, uint32_t part,
                        struct hd_destinations *to);

/* ── parameters that say something else for each class: "0.7 | 0.3" ────────── */

/** Values of a parameter: 0: it is not given, 1: one for all classes. */
uint32_t hd_parts(struct hd_ep *ep, const char *key);
/** A class' value, as text of the run. */
const char *hd_part_text(struct hd_ep *ep, const char *key, uint32_t part, const char *fallback);
/** A class' value as a number. Ends the run if the value is not in [least, most]. */
double hd_part_number(struct hd_ep *ep, const char *key, uint32_t part, double fallback,
                      double least, double most);
uint64_t hd_part_integer(struct hd_ep *ep, const char *key, uint32_t part, uint64_t fallback,
                         uint64_t least, uint64_t most);

enum { HD_WEIGHTED = 16 };
/** "1:0.5+5:0.5": whole numbers, at most `most`, each with a weight above 0. */
struct hd_weighted {
  uint32_t n;
  uint64_t values[HD_WEIGHTED];
  double until[HD_WEIGHTED]; /* sums of the weights */
};
void hd_part_weighted(struct hd_ep *ep, const char *key, uint32_t part, uint64_t least,
                      uint64_t most, struct hd_weighted *list);
/** Finds the value at `place` of the weights' sum; false: `place` is beyond the sum. */
bool hd_weighted_at(const struct hd_weighted *list, double place, uint64_t *value);

#endif
