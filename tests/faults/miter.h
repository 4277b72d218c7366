/* The miter: two copies of the mutants' netlist side by side, and what has to be proved of them.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FAULTS_MITER_H
#define HD_FAULTS_MITER_H

#include "../../bridge/backends/backend.h"

/** What the mutant's state may be while it does the same (mutants/invariants.v). A proof with
 *  either is a proof; some mutants need the one, some the other. */
enum miter_level {
  MITER_STRICT, /* arbiters' and read pointers equal the RTL's */
  MITER_LOOSE,  /* the mutant may write them otherwise where they choose the same */
  MITER_LEVELS
};

/** Writes module `miter` into `path`: the netlist in `plain` (RTLIL, module hd_mutants without
 *  mutants, read for its ports) beside itself with any mutant of tried[], where tried[i] is
 *  mutant i + 1, or with none where no mutant is tried. Its output `fine` is 1 while both show the
 *  same. */
int miter_write(const char *path, const char *plain, const struct hd_switch_params *params,
                enum miter_level level, const bool *tried, size_t n, struct hd_error *err);

#endif
