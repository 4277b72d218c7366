/* The programs, one a file.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROGRAMS_H
#define HD_PROGRAMS_H

#include "../endpoint.h"

extern const struct hd_program hd_program_barrier;
extern const struct hd_program hd_program_barrier_cs_tree;
extern const struct hd_program hd_program_barrier_so_tree;
extern const struct hd_program hd_program_barrier_star;
extern const struct hd_program hd_program_bit_complement;
extern const struct hd_program hd_program_broadcast;
extern const struct hd_program hd_program_hotspot;
extern const struct hd_program hd_program_neighbour;
extern const struct hd_program hd_program_pingpong;
extern const struct hd_program hd_program_replay;
extern const struct hd_program hd_program_shuffle;
extern const struct hd_program hd_program_tornado;
extern const struct hd_program hd_program_transpose;
extern const struct hd_program hd_program_uniform;

#endif
