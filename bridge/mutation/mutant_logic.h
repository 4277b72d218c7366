/* A cell of a netlist in words of the RTL: what it computes, and where that goes.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_MUTANT_LOGIC_H
#define HD_MUTANT_LOGIC_H

#include "../backends/lanes/lanes_netlist.h"

#include "../host/text.h"

/** Readers of each net; borrows the netlist. */
struct hd_logic;
struct hd_logic *hd_logic_create(const struct hd_netlist *netlist);
void hd_logic_destroy(struct hd_logic *logic); /* NULL is fine */

/** Appends what cell `cell` (look-up tables, then flip-flops) computes, as an expression of Verilog down to nets that the RTL
 *  has a name for, or a state; of a flip-flop what it takes. "…" stands for what is too far away. */
void hd_logic_expression(const struct hd_logic *logic, uint32_t cell, struct hd_text *text);

/** Appends the nets with a name, flip-flops and memories that its value goes into next, "; " between them. */
void hd_logic_readers(struct hd_logic *logic, uint32_t cell, struct hd_text *text);

#endif
