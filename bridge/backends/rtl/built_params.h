/* Switch parameters for which this code is compiled. The compiler's command line defines HD_PORTS,
 * HD_VCS, …
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BUILT_PARAMS_H
#define HD_BUILT_PARAMS_H

#include "../../../cmodel/switch/params.h"

#ifndef HD_BARRIER /* not defined for RTL without barrier messages */
#define HD_BARRIER 0
#define HD_GROUPS 0
#define HD_SWITCHES 0
#define HD_VALUES 0
#endif
#ifndef HD_CODE_PLACES /* not defined for RTL without a coder */
#define HD_CODE_PLACES 0
#define HD_CODE_CYCLES 0
#endif
#ifndef HD_ROUTE /* not defined for RTL that routes by tables */
#define HD_ROUTE 0
#define HD_FIELDS 0
#endif

#ifndef HD_TREES /* not defined for RTL without multicast */
#define HD_TREES 0
#endif

/** Tests whether this code was compiled for a switch of `params`. */
static inline bool hd_built_for(const struct hd_switch_params *params)
{
#define HD_BUILT(name, VERILOG, low, high, fallback, kind, part, ...)                  \
  &&((HD_PART_##part == HD_PART_BARRIER && !params->barrier && !(HD_BARRIER)) ||       \
     (HD_PART_##part == HD_PART_CODER && !params->code_places && !(HD_CODE_PLACES)) || \
     (HD_PART_##part == HD_PART_COMPUTED && !params->route && !(HD_ROUTE)) ||          \
     (HD_PART_##part == HD_PART_CAST && !params->trees && !(HD_TREES)) ||              \
     params->name == (HD_##VERILOG))
  return true HD_SWITCH_PARAM_LIST(HD_BUILT);
#undef HD_BUILT
}

#endif
