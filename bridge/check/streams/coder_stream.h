/* Packets for the XOR coder in streams around one switch (specification §11): code fields and places.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Most packets fit together so that pairs are made, and every kind of misuse of §11.9 is among them: a coder
 * stops no packet, so these streams are legal for everything else.
 */
#ifndef HD_CODER_STREAM_H
#define HD_CODER_STREAM_H

#include "switch_stream.h"

/** `header` with a code field for a packet of `flits` flits. */
uint64_t hd_coder_header(const struct hd_switch_params *p, uint64_t *rnd,
                         const struct stream_style *style, uint64_t header, uint32_t flits);

/** Flits of a packet: often few, up to more than a place keeps. */
uint32_t hd_coder_flits(uint64_t *rnd);

/** A write to a place, seldom beyond the last. */
void hd_coder_stream_config(const struct hd_switch_params *p, uint64_t *rnd,
                            const struct stream_style *style, struct hd_config_event *e);

/** Writes to each place of the coder; most writes open the place. */
void hd_coder_stream_tables(const struct hd_switch_params *p, uint64_t *rnd,
                            struct hd_config_event *tables, uint32_t *n);

#endif
