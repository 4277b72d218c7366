/* Lists of Heddle's files from which the lanes backend is built.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LANES_MANIFEST_H
#define HD_LANES_MANIFEST_H

#include "../rtl/manifest.h"

/** C, compiled with the lane code of a switch. */
#define HD_LANES_HOST(X)                    \
  X("bridge/backends/lanes/lanes_dut.c")    \
  X("bridge/backends/lanes/lanes_group.c")  \
  X("bridge/backends/lanes/lanes_window.c") \
  X("cmodel/error.c")

/** Headers that the C includes. */
#define HD_LANES_INCLUDED(X)                   \
  HD_RTL_INCLUDED(X)                           \
  X("bridge/backends/lanes/lanes_dut.h")       \
  X("bridge/backends/lanes/lanes_group.h")     \
  X("bridge/backends/lanes/lanes_pins.h")      \
  X("bridge/backends/lanes/lanes_transpose.h") \
  X("bridge/backends/lanes/lanes_word.h")

/** Verilog of the stress bench (lanes_stress.c). Its top level takes the place of a switch. */
#define HD_LANES_STRESS_TOP(X) X("tb/stress/hd_stress_lanes.v")
#define HD_LANES_STRESS(X) \
  HD_LANES_STRESS_TOP(X)   \
  HD_STRESS_VERILOG(X)

/** All files of the lanes backend, without the stress bench. */
#define HD_LANES_MANIFEST(X) \
  HD_LANES_HOST(X)           \
  HD_LANES_INCLUDED(X)

#endif
