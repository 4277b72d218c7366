/* Lists of Heddle's files from which the Verilator backend and the stress bench are built.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VERILATOR_MANIFEST_H
#define HD_VERILATOR_MANIFEST_H

#include "../rtl/manifest.h"

/** C++, compiled together with the C++ that Verilator makes from the switch. */
#define HD_VERILATOR_SHIM(X)                   \
  X("bridge/backends/verilator/verilator.cpp") \
  X("cmodel/error.c")

/** Headers that Verilator's runtime library depends on. */
#define HD_VERILATOR_HEADERS(X)                      \
  X("bridge/backends/verilator/verilator_headers.h") \
  X("bridge/backends/verilator/verilator_print.h")

/** All headers that it includes. */
#define HD_VERILATOR_INCLUDED(X)                    \
  HD_RTL_INCLUDED(X)                                \
  X("bridge/backends/rtl/pins.h")                   \
  X("bridge/backends/rtl/switch_pins.h")            \
  HD_VERILATOR_HEADERS(X)                           \
  X("bridge/backends/verilator/pinned.h")           \
  X("bridge/backends/verilator/verilator_pinned.h") \
  X("bridge/backends/verilator/verilator_switch.h") \
  X("bridge/backends/verilator/verilator_window.h")

/** All files of the Verilator backend. */
#define HD_VERILATOR_MANIFEST(X) \
  HD_VERILATOR_SHIM(X)           \
  HD_VERILATOR_INCLUDED(X)

/** C++ around the stress bench. */
#define HD_STRESS_SHIM(X)                   \
  X("bridge/backends/verilator/stress.cpp") \
  X("cmodel/error.c")

/** All files of the stress bench. */
#define HD_STRESS_MANIFEST(X)             \
  HD_STRESS_VERILOG(X)                    \
  HD_STRESS_SHIM(X)                       \
  X("cmodel/error.h")                     \
  X("cmodel/port_event.h")                \
  X("cmodel/switch/params.h")             \
  X("bridge/backends/rtl/pins.h")         \
  HD_VERILATOR_HEADERS(X)                 \
  X("bridge/backends/verilator/pinned.h") \
  X("bridge/backends/verilator/stress.h")

#endif
