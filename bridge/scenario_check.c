/* Checks a scenario's software before anything runs.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario.h"

#include <inttypes.h>
#include <string.h>

void hd_scenario_world(const struct hd_scenario *s, uint32_t nodes, struct hd_world_params *params)
{
  *params = (struct hd_world_params){
      .nodes = nodes,
      .data_bits = s->sw.data_bits,
      .packet_bytes = s->software.packet_bytes,
      .packet_flits = s->sw.cut_flits,
      .startup_cycles = s->software.startup_cycles,
      .seed = s->seed,
      .program = s->software.program,
      .parameters = s->software.parameters,
      .n_parameters = s->software.n_parameters,
  };
}

/* Line of what the software does not like; a default's is that of the program. */
static uint32_t line_of(const struct hd_scenario *s, const char *culprit, bool *given)
{
  static const char parameters[] = "parameters.";
  *given = true;
  if (!strcmp(culprit, "packet_bytes"))
    return s->lines.packet_bytes;
  if (!strcmp(culprit, "packet_flits"))
    return s->lines.cut_flits;
  if (strncmp(culprit, parameters, sizeof parameters - 1) != 0)
    return s->lines.program;
  for (uint32_t i = 0; i < s->software.n_parameters; i++)
    if (!strcmp(s->software.parameters[i].key, culprit + sizeof parameters - 1))
      return s->software.parameter_lines[i];
  *given = false;
  return s->lines.program;
}

int hd_scenario_check(const struct hd_scenario *s, uint32_t nodes, struct hd_error *err)
{
  struct hd_world_params params;
  struct hd_world_culprit culprit;
  struct hd_error inner = {""};
  bool given;
  hd_scenario_world(s, nodes, &params);
  int status = hd_world_check(&params, &culprit, &inner);
  if (!status)
    return 0;
  uint32_t line = line_of(s, culprit.name, &given);
  bool flits = !strcmp(culprit.name, "packet_flits");
  return hd_fail(err, status, "%s:%" PRIu32 ": %s%.60s: %s%.800s", s->path, line,
                 flits ? "" : "software.", flits ? "switch.cut_flits" : culprit.name,
                 given ? "" : "(default) ", inner.text);
}
