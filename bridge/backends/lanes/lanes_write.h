/* Writes lane code: a netlist as straight-line C over machine words.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LANES_WRITE_H
#define HD_LANES_WRITE_H

#include "../../host/text.h"
#include "lanes_netlist.h"

/** Appends a C file to `code` that defines hd_lane_code (lanes_word.h) for a netlist of a switch
 *  with `params`. `pack` is the number of words in a vector: 2, 4 or 8 for words of 64 lanes, or 1,
 *  for words of any width. `with_faults` needs pack 1 and also defines hd_lane_fault_code
 *  (lanes_mutated.h). `rtl_dir` is for messages. HD_E_INPUT: a combinational loop, or an output
 *  that depends on a memory without a register between. */
int hd_lanes_write(const struct hd_netlist *netlist, const struct hd_switch_params *params,
                   uint32_t pack, bool with_faults, const char *rtl_dir, struct hd_text *code,
                   struct hd_error *err);

#endif
