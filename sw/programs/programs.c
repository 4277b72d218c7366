/* All programs, by name.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "programs.h"

#include "../runtime/world.h"

#include <string.h>

const struct hd_program *const hd_programs[] = {
    &hd_program_shuffle,         &hd_program_uniform,         &hd_program_hotspot,
    &hd_program_transpose,       &hd_program_bit_complement,  &hd_program_tornado,
    &hd_program_neighbour,       &hd_program_replay,          &hd_program_broadcast,
    &hd_program_pingpong,        &hd_program_barrier,         &hd_program_barrier_star,
    &hd_program_barrier_so_tree, &hd_program_barrier_cs_tree, NULL,
};

const struct hd_program *hd_program_find(const char *name)
{
  for (const struct hd_program *const *p = hd_programs; *p; p++)
    if (!strcmp((*p)->name, name))
      return *p;
  return NULL;
}
