/* Describes a cell of a netlist by names of the RTL: its expression, and its readers.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_MUTANT_LOGIC_H
#define HD_MUTANT_LOGIC_H

#include "../backends/lanes/lanes_netlist.h"

#include "../host/text.h"

/** Readers of each net. Borrows the netlist. */
struct hd_logic;
struct hd_logic *hd_logic_create(const struct hd_netlist *netlist);
void hd_logic_destroy(struct hd_logic *logic); /* NULL is fine */

/** Appends the function of a cell as a Verilog expression of nets that have names in the RTL; of a
 *  flip-flop, the expression that it takes. "…" stands for a part that is too long. `cell` counts
 *  look-up tables, then flip-flops. */
void hd_logic_expression(const struct hd_logic *logic, uint32_t cell, struct hd_text *text);

/** Appends the next readers of a cell's value: nets with a name, flip-flops and memories, separated
 *  by "; ". */
void hd_logic_readers(struct hd_logic *logic, uint32_t cell, struct hd_text *text);

#endif
