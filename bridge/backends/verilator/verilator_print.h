// Output of the RTL. This file is included before everything else (-include), so that Verilator's runtime prints by it.
// SPDX-License-Identifier: Apache-2.0
#ifndef HD_VERILATOR_PRINT_H
#define HD_VERILATOR_PRINT_H

// Prints as printf does, and keeps the text for vl_stop: a failing assertion prints its message right
// before it stops.
__attribute__((format(printf, 1, 2))) int hd_rtl_print(const char *format, ...);
#define VL_PRINTF hd_rtl_print

#endif
