/* Observed state: names (specification §6.5, §8.10, §11.14).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "states.h"

#include <stdio.h>
#include <string.h>

const struct hd_state hd_state_list[HD_STATES] = {
#define STATE(place, name, bits, when, part, member) \
  {#name, HD_PLACE_##place, bits, HD_STATE_##when, HD_PART_##part},
    HD_STATE_LIST(STATE)
#undef STATE
};

void hd_state_name(char name[HD_STATE_NAME], const struct hd_state *state, unsigned port,
                   unsigned vc)
{
  const char *leaf = state->name;
  switch (state->place) {
  case HD_PLACE_SWITCH:
    snprintf(name, HD_STATE_NAME, "%s", leaf);
    break;
  case HD_PLACE_IN_VC:
    snprintf(name, HD_STATE_NAME, "in[%u].vc[%u].%s", port, vc, leaf);
    break;
  case HD_PLACE_IN:
    snprintf(name, HD_STATE_NAME, "in[%u].%s", port, leaf);
    break;
  case HD_PLACE_OUT_VC:
    snprintf(name, HD_STATE_NAME, "out[%u].vc[%u].%s", port, vc, leaf);
    break;
  case HD_PLACE_OUT:
    snprintf(name, HD_STATE_NAME, "out[%u].%s", port, leaf);
    break;
  case HD_PLACE_UNIT:
    snprintf(name, HD_STATE_NAME, "unit.%s", leaf);
    break;
  case HD_PLACE_CODER:
    snprintf(name, HD_STATE_NAME, "coder.%s", leaf);
    break;
  }
}

const struct hd_state *hd_state_find(const char *name, unsigned *port, unsigned *vc)
{
  char text[HD_STATE_NAME];
  *port = *vc = 0;
  sscanf(name, "%*[^[][%u].vc[%u]", port, vc);
  for (size_t i = 0; i < HD_STATES && *port < HD_MAX_PORTS && *vc < HD_MAX_VCS; i++) {
    hd_state_name(text, &hd_state_list[i], *port, *vc);
    if (!strcmp(text, name))
      return &hd_state_list[i];
  }
  return NULL;
}

struct hd_state_count hd_state_count(const struct hd_state *state,
                                     const struct hd_switch_params *params)
{
  if (!hd_switch_has(params, state->part))
    return (struct hd_state_count){0, 0};
  switch (state->place) {
  case HD_PLACE_IN_VC:
  case HD_PLACE_OUT_VC:
    return (struct hd_state_count){params->ports, params->vcs};
  case HD_PLACE_IN:
  case HD_PLACE_OUT:
    return (struct hd_state_count){params->ports, 1};
  default:
    return (struct hd_state_count){1, 1};
  }
}

unsigned hd_state_bits(const struct hd_state *state, const struct hd_switch_params *params)
{
  if (state->place != HD_PLACE_SWITCH || state->part != HD_PART_PLAIN || params->code_places)
    return state->bits;
  return params->barrier ? HD_ERROR_BITS_BARRIER : HD_ERROR_BITS_PLAIN;
}

const char *hd_vc_state_name(uint32_t state)
{
  static const char *const names[HD_VC_STATES] = {"idle", "open", "sink"};
  return state < HD_VC_STATES ? names[state] : "?";
}
