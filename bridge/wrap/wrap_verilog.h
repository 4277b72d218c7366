/* Functions that the parts of a wrapper's text share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WRAP_VERILOG_H
#define HD_WRAP_VERILOG_H

#include "wrap_internal.h"

/** Tests whether the router has this pin. */
bool hd_wrap_uses(const struct hd_wrap *wrap, unsigned side, unsigned pin);

/** Tests whether the pin runs against the flits. */
bool hd_wrap_goes_back(unsigned pin);

/** The width of a pin at one port, as an expression. */
const char *hd_wrap_width(const struct hd_wrap *wrap, unsigned side, unsigned pin);

/** Tests whether each channel of a side has its own pins for flits, so that several channels may send in one cycle. */
bool hd_wrap_has_lanes(const struct hd_wrap *wrap, unsigned side);

/** Tests whether adapters keep flits that leave the router in a queue for each channel. */
bool hd_wrap_is_buffered(const struct hd_wrap *wrap);

/** Tests whether the credits of a side are numbers, not pulses. */
bool hd_wrap_counts_credits(const struct hd_wrap *wrap, unsigned side);

/** The bits of a field of a side; the field is part of the flit or a pin. NULL: the side has no
 *  such field. */
const char *hd_wrap_field_bits(const struct hd_wrap *wrap, unsigned side, unsigned field);
static inline bool hd_wrap_has_field(const struct hd_wrap *wrap, unsigned side, unsigned field)
{
  return hd_wrap_field_bits(wrap, side, field) != NULL;
}

/** Tests whether the router's data may be wider than Heddle's. */
bool hd_wrap_is_wide(const struct hd_wrap *wrap);

/** The prefix of the names of a side's vectors: "to" or "from". */
const char *hd_wrap_vector(unsigned side);

/** Appends a pattern's name with port `p` and channel `v`. */
void hd_wrap_add_base(const struct hd_wrap *wrap, const struct hd_wrap_pattern *pattern, uint32_t p,
                      uint32_t v, struct hd_text *t);

/** Calls `add` for each field and pin with bits in the description. `where` is flit, in or out.
 *  `least` are the bits that it needs, as a Verilog expression. `key` is the key that needs
 *  them. */
typedef void hd_wrap_add_width(const char *where, const char *field, const char *width,
                               const char *least, const char *key, struct hd_text *t);
void hd_wrap_widths(const struct hd_wrap *wrap, hd_wrap_add_width *add, struct hd_text *t);

/** Tests whether the router has several channels, or as many as the scenario says. */
bool hd_wrap_is_several(const struct hd_wrap *wrap);

/** The field of leaving flits with their destination, which the router must not change:
 *  HD_WRAP_FIELD_DEST, or HD_WRAP_FIELD_COLUMN for column and row. 0: there is none. */
unsigned hd_wrap_shows_dest(const struct hd_wrap *wrap);

/** Appends a pin of port p in its vector: "to_data[p*(DATA_W)+:DATA_W]". */
void hd_wrap_slice(const struct hd_wrap *wrap, unsigned side, unsigned pin,
                   struct hd_text *verilog);

/** Appends the part of channel v of a pin with {vc}, at port p. */
void hd_wrap_lane_slice(const struct hd_wrap *wrap, unsigned side, unsigned pin,
                        struct hd_text *verilog);

/** Appends the logic that takes leaving flits of port p. */
void hd_wrap_leaves(const struct hd_wrap *wrap, struct hd_text *verilog);

/** Writes the name of the vector that is connected to a pin: "to_valid", or "to_valid_pins" if the
 *  router inverts the pin's level. */
void hd_wrap_name_vector(const struct hd_wrap *wrap, unsigned side, unsigned pin, char vector[64]);

/** Appends the vectors of bundles (bundle_0 and so on), and connects their parts. */
void hd_wrap_add_bundles(const struct hd_wrap *wrap, struct hd_text *verilog);

/** Appends the instance of the router, or of its copies. Their pins are connected with the
 *  vectors above. */
void hd_wrap_router(const struct hd_wrap *wrap, struct hd_text *verilog);

/* wrap_links.c */
/** Returns the number of a network's links that the wrapper shows; 0 without `links`. */
uint32_t hd_wrap_count_links(const struct hd_wrap *w);
/** Tests whether the routers' own flits name their destination. */
bool hd_wrap_links_have_dest(const struct hd_wrap *w);
/** Appends the logic that shows the links. */
void hd_wrap_add_links(const struct hd_wrap *w, struct hd_text *t);

#endif
