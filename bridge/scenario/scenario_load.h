/* Loads a checked YAML text into a scenario by libcyaml.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SCENARIO_LOAD_H
#define HD_SCENARIO_LOAD_H

#include "scenario.h"

/** Fills the members of *scenario whose keys are in the text and zeroes the others; program
 *  and parameters are left out. `name` is the file's name in messages. HD_E_NOMEM; what
 *  hd_scenario_check_keys() has passed cannot fail otherwise (HD_E_INTERNAL). */
int hd_scenario_load(struct hd_scenario *scenario, const char *text, size_t length,
                     const char *name, struct hd_error *err);

#endif
