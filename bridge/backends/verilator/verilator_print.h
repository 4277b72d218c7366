// Output of the RTL: makes Verilator's runtime print by hd_rtl_print.
// SPDX-License-Identifier: Apache-2.0
//
// The compiler includes this file before all others (-include).
#ifndef HD_VERILATOR_PRINT_H
#define HD_VERILATOR_PRINT_H

// Prints like printf, and keeps the text for vl_stop: an assertion that fails prints its message
// just before it stops.
__attribute__((format(printf, 1, 2))) int hd_rtl_print(const char *format, ...);
#define VL_PRINTF hd_rtl_print

#endif
