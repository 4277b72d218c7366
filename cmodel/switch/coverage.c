/* The points of the specification by name, and the switches that can reach each one.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coverage.h"

#include "registers.h"

#include <string.h>

const struct hd_coverage_point hd_coverage_list[HD_POINTS] = {
#define POINT(NAME, section, by, when, name, about) \
  {section, name, about, sizeof #when > sizeof "true" ? #when : NULL, HD_COVERAGE_##by},
    HD_COVERAGE_LIST(POINT)
#undef POINT
};

/* The model finds the point of a register read by adding the register's address. */
#define READ_IN_ORDER(NAME, address, ...)                              \
  _Static_assert(HD_POINT_READ_##NAME == HD_POINT_READ_ID + (address), \
                 "the points of reads have the order of the registers");
HD_REGISTER_LIST(READ_IN_ORDER)
#undef READ_IN_ORDER

bool hd_coverage_possible(const struct hd_switch_params *params, enum hd_spec_point point)
{
  const uint32_t PORTS = params->ports, VCS = params->vcs, DATA_W = params->data_bits,
                 DEPTH = params->depth_flits, NODES = params->nodes, CUT_FLITS = params->cut_flits,
                 SOURCE_TABLE = params->source_table, ADAPTIVE = params->adaptive,
                 BARRIER = params->barrier, GROUPS = params->groups, SWITCHES = params->switches,
                 VALUES = params->values, CODE_PLACES = params->code_places, TREES = params->trees;
  const bool PORT_SETS = ADAPTIVE == 1 || ADAPTIVE == 2;
  switch (point) {
#define POSSIBLE(NAME, section, by, when, ...) \
  case HD_POINT_##NAME:                        \
    return (when) != 0;
    HD_COVERAGE_LIST(POSSIBLE)
#undef POSSIBLE
  case HD_POINTS:
    break;
  }
  return false;
}

enum hd_spec_point hd_coverage_find(const char *section, const char *name)
{
  unsigned i = 0;
  while (i < HD_POINTS &&
         (strcmp(hd_coverage_list[i].section, section) || strcmp(hd_coverage_list[i].name, name)))
    i++;
  return (enum hd_spec_point)i;
}
