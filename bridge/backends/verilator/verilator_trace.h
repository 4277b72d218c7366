/* Which signals of the RTL get into Verilator's waves.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VERILATOR_TRACE_H
#define HD_VERILATOR_TRACE_H

#include <stdbool.h>
#include <stddef.h>

/** True when a line of Verilog (not terminated) declares what is kept out of the waves. `top`:
 *  a line of the switch's own file. */
bool hd_trace_line_is_off(const char *line, size_t length, bool top);

#endif
