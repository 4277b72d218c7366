/* What the parts of a wrapper's text share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WRAP_VERILOG_H
#define HD_WRAP_VERILOG_H

#include "wrap_internal.h"

/** Has the router this pin? */
bool hd_wrap_uses(const struct hd_wrap *wrap, unsigned side, unsigned pin);

/** Tests whether the pin's direction is against the flits'. */
bool hd_wrap_goes_back(unsigned pin);

/** The width of a pin at one port, as an expression. */
const char *hd_wrap_width(const struct hd_wrap *wrap, unsigned side, unsigned pin);

/** Tests whether each channel of a side has its own pins for flits, so that several channels may send in one cycle. */
bool hd_wrap_has_lanes(const struct hd_wrap *wrap, unsigned side);

/** Tests whether adapters keep flits that leave the router in a queue for each channel. */
bool hd_wrap_is_buffered(const struct hd_wrap *wrap);

/** Tests whether the credits of a side are numbers, not pulses. */
bool hd_wrap_counts_credits(const struct hd_wrap *wrap, unsigned side);

/** The bits of a field of a side, which is a part of its flits or a pin. NULL: the side has no such field. */
const char *hd_wrap_field_bits(const struct hd_wrap *wrap, unsigned side, unsigned field);
static inline bool hd_wrap_has_field(const struct hd_wrap *wrap, unsigned side, unsigned field)
{
  return hd_wrap_field_bits(wrap, side, field) != NULL;
}

/** Tests whether the router's data is, or may be, wider than Heddle's. */
bool hd_wrap_is_wide(const struct hd_wrap *wrap);

/** The prefix of the names of a side's vectors: "to" or "from". */
const char *hd_wrap_vector(unsigned side);

/** Adds a pattern's name with port `p` and channel `v`. */
void hd_wrap_add_base(const struct hd_wrap *wrap, const struct hd_wrap_pattern *pattern, uint32_t p,
                      uint32_t v, struct hd_text *t);

/** Calls `add` for each field and pin whose bits the description gives: `where` is flit, in or out, `least` are the bits
 *  that it must have, a width of Verilog, and `key` says what asks for them. */
typedef void hd_wrap_add_width(const char *where, const char *field, const char *width,
                               const char *least, const char *key, struct hd_text *t);
void hd_wrap_widths(const struct hd_wrap *wrap, hd_wrap_add_width *add, struct hd_text *t);

/** Tests whether the router has several channels, or as many as the scenario. */
bool hd_wrap_is_several(const struct hd_wrap *wrap);

/** The field of leaving flits that names their destination, which the router must not change: HD_WRAP_FIELD_DEST, or
 *  HD_WRAP_FIELD_COLUMN for column and row; 0: there is no such field. */
unsigned hd_wrap_shows_dest(const struct hd_wrap *wrap);

/** Adds a pin of port p in its vector: "to_data[p*(DATA_W)+:DATA_W]". */
void hd_wrap_slice(const struct hd_wrap *wrap, unsigned side, unsigned pin,
                   struct hd_text *verilog);

/** Adds the part of channel v of a pin with {vc}, at port p. */
void hd_wrap_lane_slice(const struct hd_wrap *wrap, unsigned side, unsigned pin,
                        struct hd_text *verilog);

/** Adds the logic that takes flits that leave port p. */
void hd_wrap_leaves(const struct hd_wrap *wrap, struct hd_text *verilog);

/** The vector of a pin as the router has it. */
void hd_wrap_name_vector(const struct hd_wrap *wrap, unsigned side, unsigned pin, char vector[64]);

/** Is it a signal against the flits? */
bool hd_wrap_goes_back(unsigned pin);

/** Adds the vectors of bundles, bundle_0 and so on, and what is in them. */
void hd_wrap_add_bundles(const struct hd_wrap *wrap, struct hd_text *verilog);

/** Adds the instance of the router, or its copies, whose pins are those vectors. */
void hd_wrap_router(const struct hd_wrap *wrap, struct hd_text *verilog);

/* wrap_links.c: how many links of a network are shown, and the logic that shows them. */
uint32_t hd_wrap_count_links(const struct hd_wrap *w);
/** Tests whether the routers' own flits name their destination. */
bool hd_wrap_links_have_dest(const struct hd_wrap *w);
void hd_wrap_add_links(const struct hd_wrap *w, struct hd_text *t);

#endif
