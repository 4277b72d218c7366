/* All programs, by name.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "programs.h"

#include <string.h>

#define PROGRAM(name) &hd_program_##name,
const struct hd_program *const hd_programs[] = {HD_PROGRAM_LIST(PROGRAM) NULL};
#undef PROGRAM

const struct hd_program *hd_program_find(const char *name)
{
  for (const struct hd_program *const *p = hd_programs; *p; p++)
    if (!strcmp((*p)->name, name))
      return *p;
  return NULL;
}
