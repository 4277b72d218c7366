/* Runs a scenario on the model, with the signatures of its switches (specification 9.6, 9.7).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The run needs no simulator and no board. It keeps the port events of one window, so that a window can be narrowed.
 */
#ifndef HD_SPEED_MODEL_H
#define HD_SPEED_MODEL_H

#include "../scenario/scenario.h"
#include "../scenario/scenario_set.h"

#include <stdint.h>

struct hd_speed_model;

/** Like hd_scenario_read_set, but sources of program chip-traffic never end, as those on chip. */
int hd_speed_scenario_read(struct hd_scenario *scenario, const char *path,
                           const struct hd_setting *settings, size_t n, struct hd_error *err);

/** Creates the model. It borrows scenario, topology and tables. */
int hd_speed_model_create(struct hd_speed_model **model, const struct hd_scenario *scenario,
                          const struct hd_topology *topology, const struct hd_tables *tables,
                          struct hd_error *err);
void hd_speed_model_destroy(struct hd_speed_model *model); /* NULL is allowed */

/** The number of signatures of all switches: those of §9.6 of switch 0, then of switch 1, … */
uint32_t hd_speed_signatures(const struct hd_scenario *scenario, uint32_t switches);

/** Runs the next `cycles` cycles; they become the window. HD_E_SOFTWARE and other errors of the
 *  fabric. */
int hd_speed_model_run(struct hd_speed_model *model, uint32_t cycles, struct hd_error *err);

/** The signatures from cycle 0 to the end of the last window. Borrowed. */
const uint32_t *hd_speed_model_signatures(const struct hd_speed_model *model);

/** Fills signatures[hd_speed_signatures()] with signatures of only the cycles `from` to `to` - 1
 *  of the last window. */
void hd_speed_model_part(const struct hd_speed_model *model, uint32_t from, uint32_t to,
                         uint32_t *signatures);

/** Counts the packets that nodes have sent and received, and the barriers from which all nodes were
 *  released. */
void hd_speed_model_packets(const struct hd_speed_model *model, uint64_t *sent, uint64_t *received,
                            uint64_t *barriers);

#endif
