/* Selects the signals of the RTL that are in Verilator's waves.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VERILATOR_TRACE_H
#define HD_VERILATOR_TRACE_H

#include <stdbool.h>
#include <stddef.h>

/** Tests whether a line of Verilog declares a signal that is not traced. The line has `length`
 *  characters and no NUL. `top`: it is a line of hd_switch.v. */
bool hd_trace_line_is_off(const char *line, size_t length, bool top);

#endif
