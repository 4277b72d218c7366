/* The programs of Heddle and its traffic patterns, as lists.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROGRAMS_H
#define HD_PROGRAMS_H

#include "../endpoint.h"

struct hd_destinations;

/** X(name): a file of sw/programs defines hd_program_<name>. `heddle programs` shows them in this
 *  order. To add a program, add its file and a line here. */
#define HD_PROGRAM_LIST(X) \
  X(shuffle)               \
  X(uniform)               \
  X(hotspot)               \
  X(transpose)             \
  X(bit_complement)        \
  X(tornado)               \
  X(neighbour)             \
  X(permutation)           \
  X(traffic)               \
  X(request_reply)         \
  X(chip_traffic)          \
  X(replay)                \
  X(broadcast)             \
  X(multicast)             \
  X(pingpong)              \
  X(barrier)               \
  X(barrier_star)          \
  X(barrier_so_tree)       \
  X(barrier_cs_tree)       \
  X(collective)            \
  X(schedule)              \
  X(coding)

#define HD_PROGRAM_EXTERN(name) extern const struct hd_program hd_program_##name;
HD_PROGRAM_LIST(HD_PROGRAM_EXTERN)
#undef HD_PROGRAM_EXTERN

/** All programs; NULL ends the list. hd_program_find returns the one with this name, or NULL. */
extern const struct hd_program *const hd_programs[];
const struct hd_program *hd_program_find(const char *name);

/** X(name): a file patterns_*.c defines hd_pattern_<name>. They are shown in this order. */
#define HD_PATTERN_LIST(X) \
  X(uniform)               \
  X(hotspot)               \
  X(transpose)             \
  X(bit_complement)        \
  X(bit_reverse)           \
  X(bit_shuffle)           \
  X(bit_rotation)          \
  X(tornado)               \
  X(neighbour)             \
  X(diagonal)              \
  X(adversarial)           \
  X(permutation)           \
  X(permutation_file)      \
  X(matrix)                \
  X(noxim)                 \
  X(weights)

/** A traffic pattern: the destinations of each node. */
struct hd_pattern {
  const char *name;              /* value of parameter `pattern` */
  const char *about;             /* one line */
  const char *formula;           /* destination d of source s */
  const char *counts;            /* the numbers of nodes that are legal */
  const char *const *parameters; /* as in struct hd_program; NULL: none */
  /** Fills *to with the destinations of this node. `part` is the traffic class. (patterns.h, which
   *  only programs include.) */
  void (*prepare)(struct hd_ep *ep, uint32_t part, struct hd_destinations *to);
};

/** All patterns; NULL ends the list. hd_pattern_find returns the one with this name, or NULL. */
extern const struct hd_pattern *const hd_patterns[];
const struct hd_pattern *hd_pattern_find(const char *name);

#endif
