/* Checks a scenario's software before anything runs.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

static struct hd_ep_layout layout_of(const struct hd_switch_params *sw)
{
  uint32_t taken = hd_header_bits(sw) + hd_code_bits(sw);
  return (struct hd_ep_layout){
      .data_bits = sw->data_bits,
      .header_bits = hd_header_bits(sw),
      .head_bits = sw->data_bits > taken ? sw->data_bits - taken : 0,
      .places = sw->code_places,
      .place_bits = sw->code_places ? hd_place_bits(sw) : 0,
      .place_shift = sw->code_places ? sw->data_bits - 2 - hd_place_bits(sw) : 0,
  };
}

void hd_scenario_world(const struct hd_scenario *s, uint32_t nodes, struct hd_world_params *params)
{
  const uint32_t trees = 1u << hd_log2_ceil(s->sw.nodes); /* trees that a header can name (§13.2) */
  *params = (struct hd_world_params){
      .nodes = nodes,
      .networks = s->routing.virtual_networks,
      .data_bits = s->sw.data_bits,
      .layout = layout_of(&s->sw),
      .packet_bytes = s->software.packet_bytes,
      .packet_flits = s->sw.cut_flits,
      .startup_cycles = s->software.startup_cycles,
      .seed = s->seed,
      .program = s->software.program,
      .parameters = s->software.parameters,
      .n_parameters = s->software.n_parameters,
      .barrier = s->sw.barrier != HD_BARRIER_NONE,
      .values = s->sw.barrier && s->sw.values,
      .trees = trees < s->sw.trees ? trees : s->sw.trees,
      .user_code = s->software.user_code,
  };
}

/* Returns the line of the setting that the software refuses. For a default, returns the line of
 * the program. */
static uint32_t line_of(const struct hd_scenario *s, const char *culprit, bool *given)
{
  static const char parameters[] = "parameters.";
  *given = true;
  if (!strcmp(culprit, "packet_bytes"))
    return hd_scenario_line(s, "software.packet_bytes");
  if (!strcmp(culprit, "packet_flits"))
    return hd_scenario_line(s, "switch.cut_flits");
  if (strncmp(culprit, parameters, sizeof parameters - 1) != 0)
    return hd_scenario_line(s, "software.program");
  for (uint32_t i = 0; i < s->software.n_parameters; i++)
    if (!strcmp(s->software.parameters[i].key, culprit + sizeof parameters - 1))
      return s->software.parameter_lines[i];
  *given = false;
  return hd_scenario_line(s, "software.program");
}

/* Tests whether the software reads a pipe. A check would consume its trace, which the run needs. */
static bool reads_a_pipe(const struct hd_scenario *s)
{
  struct stat info;
  for (uint32_t i = 0; i < s->software.n_parameters; i++) {
    const struct hd_parameter *p = &s->software.parameters[i];
    if (!strcmp(p->key, "file") && p->text && !stat(p->text, &info) && !S_ISREG(info.st_mode) &&
        !S_ISDIR(info.st_mode))
      return true;
  }
  return false;
}

int hd_scenario_check(const struct hd_scenario *s, uint32_t nodes, struct hd_error *err)
{
  struct hd_world_params params;
  struct hd_world_culprit culprit;
  struct hd_error inner = {""};
  struct hd_loaded_program *own = NULL;
  bool given;
  if (!s->software.program || reads_a_pipe(s)) /* not loaded: the scenario is not run here */
    return 0;
  hd_scenario_world(s, nodes, &params);
  /* The check uses a copy of the program, so that the run finds its global variables untouched. */
  int status = s->software.loaded ? hd_program_load(&own, &params.program, s->software.object,
                                                    s->software.user_code, err)
                                  : HD_OK;
  if (status) {
    hd_program_unload(own);
    return status;
  }
  status = hd_world_check(&params, &culprit, &inner);
  hd_program_unload(own);
  if (!status)
    return 0;
  uint32_t line = line_of(s, culprit.name, &given);
  bool flits = !strcmp(culprit.name, "packet_flits");
  return hd_fail(err, status, "%s:%" PRIu32 ": %s%.60s: %s%.800s", s->path, line,
                 flits ? "" : "software.", flits ? "switch.cut_flits" : culprit.name,
                 given ? "" : "(default) ", inner.text);
}
