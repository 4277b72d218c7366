/* Draws writes to the registers of computed routes in streams around one switch (specification §12.6).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_ROUTE_STREAM_H
#define HD_ROUTE_STREAM_H

#include "switch_stream.h"

enum { ROUTE_REGISTERS = 4 /* registers that are written with the tables */ };

/** Draws a write to a routing register. `any`: its value may send packets to ports that do not exist. */
void hd_route_stream_config(const struct hd_switch_params *p, uint64_t *rnd, bool any,
                            struct hd_config_event *e);

/** Adds a write to each of these registers. */
void hd_route_stream_tables(const struct hd_switch_params *p, uint64_t *rnd, bool any,
                            struct hd_config_event *tables, uint32_t *n);

#endif
