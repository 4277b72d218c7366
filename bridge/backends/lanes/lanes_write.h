/* Lane code: a netlist as straight-line C over machine words.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LANES_WRITE_H
#define HD_LANES_WRITE_H

#include "../../host/text.h"
#include "lanes_netlist.h"

/** Appends the C file with hd_lane_code (lanes_word.h) of a netlist of a switch of `params`. `pack`: so many words
 *  of 64 lanes are worked on at once where they are alike (2, 4, 8); 1 for any width of a word. With
 *  `mutable`, which needs 1, there is hd_lane_mutable (lanes_mutated.h), too. HD_E_INPUT: a combinational loop.
 *  `rtl_dir` is for messages. */
int hd_lanes_write(const struct hd_netlist *netlist, const struct hd_switch_params *params,
                   uint32_t pack, bool mutable, const char *rtl_dir, struct hd_text *code,
                   struct hd_error *err);

#endif
