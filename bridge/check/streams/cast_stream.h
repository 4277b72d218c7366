/* Draws multicast packets and writes for streams around one switch (specification §13).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CAST_STREAM_H
#define HD_CAST_STREAM_H

#include "../../dut.h"

enum { CAST_REGISTERS = 1 };

/** Returns a packet's header: many single flits become multicast, and so do some longer packets, which then have no way. */
uint64_t hd_cast_stream_header(const struct hd_switch_params *p, uint64_t *rnd, uint64_t data,
                               bool single);

/** Draws a write to an entry of the tree table, or to CAST. */
void hd_cast_stream_config(const struct hd_switch_params *p, uint64_t *rnd,
                           struct hd_config_event *e);

/** Adds writes to all entries of the tree table, and to CAST, mostly of a channel that exists. */
void hd_cast_stream_tables(const struct hd_switch_params *p, uint64_t *rnd,
                           struct hd_config_event *tables, uint32_t *n);

#endif
