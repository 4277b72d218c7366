/* The list of programs, one a file.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROGRAMS_H
#define HD_PROGRAMS_H

#include "../endpoint.h"

/** X(name): sw/programs has a file that defines hd_program_<name>; in the order in which `heddle programs`
 *  shows them. A new program is its file and a line here. */
#define HD_PROGRAM_LIST(X) \
  X(shuffle)               \
  X(uniform)               \
  X(hotspot)               \
  X(transpose)             \
  X(bit_complement)        \
  X(tornado)               \
  X(neighbour)             \
  X(permutation)           \
  X(replay)                \
  X(broadcast)             \
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

#endif
