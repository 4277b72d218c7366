/* The list of programs, one a file.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROGRAMS_H
#define HD_PROGRAMS_H

#include "../endpoint.h"

struct hd_destinations;

/** X(name): a file of sw/programs defines hd_program_<name>; in the order in which `heddle programs`
 *  shows them. A new program is its file and a line here; a new pattern of traffic is a line below. */
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

/** All of them, NULL after the last; and one by its name, NULL when there is none. */
extern const struct hd_program *const hd_programs[];
const struct hd_program *hd_program_find(const char *name);

/** X(name): the file patterns_…c has hd_pattern_<name>; in the order in which they are shown. */
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

/** A traffic pattern: to whom node s of n sends. */
struct hd_pattern {
  const char *name;              /* of parameter `pattern` */
  const char *about;             /* one line */
  const char *formula;           /* destination d of source s */
  const char *counts;            /* legal numbers of nodes */
  const char *const *parameters; /* as struct hd_program; NULL: none */
  /** patterns.h, which programs alone see. */
  void (*prepare)(struct hd_ep *ep, uint32_t part, struct hd_destinations *to);
};

/** All of them, NULL after the last; and one by its name, NULL when there is none. */
extern const struct hd_pattern *const hd_patterns[];
const struct hd_pattern *hd_pattern_find(const char *name);

#endif
