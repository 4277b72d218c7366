/* Draws packets for the XOR coder in streams around one switch (specification §11): code fields and places.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Most packets fit together, so that the coder makes pairs. Every misuse of §11.9 comes, too: a coder stops no packet, so
 * these streams are legal for all other units.
 */
#ifndef HD_CODER_STREAM_H
#define HD_CODER_STREAM_H

#include "switch_stream.h"

/** Returns `header` with a code field for a packet of `flits` flits. */
uint64_t hd_coder_header(const struct hd_switch_params *p, uint64_t *rnd,
                         const struct stream_style *style, uint64_t header, uint32_t flits);

/** Draws the number of flits of a packet: often few, at times more than a place keeps. */
uint32_t hd_coder_flits(uint64_t *rnd);

/** Draws a write to a place, seldom beyond the last one. */
void hd_coder_stream_config(const struct hd_switch_params *p, uint64_t *rnd,
                            const struct stream_style *style, struct hd_config_event *e);

/** Adds a write to each place of the coder; most writes open the place. */
void hd_coder_stream_tables(const struct hd_switch_params *p, uint64_t *rnd,
                            struct hd_config_event *tables, uint32_t *n);

#endif
