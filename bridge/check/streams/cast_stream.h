/* Multicast in streams around one switch (specification §13).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CAST_STREAM_H
#define HD_CAST_STREAM_H

#include "../../dut.h"

enum { CAST_REGISTERS = 1 };

/** The header of a packet: many singles are multicast, and some longer packets, which have no way then. */
uint64_t hd_cast_stream_header(const struct hd_switch_params *p, uint64_t *rnd, uint64_t data,
                               bool single);

/** A write to an entry of the tree table, or to CAST. */
void hd_cast_stream_config(const struct hd_switch_params *p, uint64_t *rnd,
                           struct hd_config_event *e);

/** Writes of all of them; of a stream in whose neighbours break no rule the channel is mostly one that packets may take. */
void hd_cast_stream_tables(const struct hd_switch_params *p, uint64_t *rnd,
                           struct hd_config_event *tables, uint32_t *n);

#endif
