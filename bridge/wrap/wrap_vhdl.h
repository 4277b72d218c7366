/* Parts of the entity hd_switch around a router in VHDL.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WRAP_VHDL_H
#define HD_WRAP_VHDL_H

#include "wrap_internal.h"

/** Tests whether VHDL has this expression of a description, too. */
bool hd_wrap_is_vhdl_expression(const char *text);

/** Appends the expression. Constants such as 4'd0 become vectors or, without `vector`, numbers.
 *  False: VHDL does not have it. */
bool hd_wrap_vhdl_expression(const char *text, bool vector, struct hd_text *vhdl);

/** Appends the bits of port `port`, an expression, in the vector of a pin. With `scalar` a
 *  single bit is no vector. */
void hd_wrap_vhdl_slice(const struct hd_wrap *wrap, unsigned side, unsigned pin, const char *port,
                        bool scalar, struct hd_text *vhdl);

/** Adds the instance of the router. */
void hd_wrap_vhdl_router(const struct hd_wrap *wrap, struct hd_text *vhdl);

#endif
