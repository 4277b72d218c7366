/* Reads the list `faults` of a scenario, and checks it against the fabric.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SCENARIO_FAULTS_H
#define HD_SCENARIO_FAULTS_H

#include "scenario.h"
#include "scenario_outline.h"

/** Reads the list from a text whose keys have been checked, after all other parts of the
 *  scenario. */
int hd_scenario_faults_read(struct hd_scenario *scenario, const struct hd_outline *outline,
                            const char *name, struct hd_error *err);

/** Refuses links and switches that the topology does not have. */
int hd_scenario_faults_check(const struct hd_scenario *scenario, const struct hd_topology *topology,
                             struct hd_error *err);

#endif
