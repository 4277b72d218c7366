/* Lists of files that backends built at run time share (CONTRIBUTING.md says what a manifest is).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RTL_MANIFEST_H
#define HD_RTL_MANIFEST_H

/** Headers that every such backend includes. */
#define HD_RTL_INCLUDED(X)                \
  X("bridge/job_cursor.h")                \
  X("bridge/post_reset_events.h")         \
  X("bridge/dut.h")                       \
  X("bridge/dut_extension.h")             \
  X("cmodel/error.h")                     \
  X("cmodel/grow.h")                      \
  X("cmodel/port_event.h")                \
  X("cmodel/switch/params.h")             \
  X("cmodel/switch/registers.h")          \
  X("bridge/backends/rtl/built_params.h") \
  X("bridge/backends/rtl/dut_options.h")  \
  X("bridge/backends/rtl/rtl_log.h")

/** Verilog of the stress bench, its top level last. */
#define HD_STRESS_VERILOG(X)         \
  X("tb/stress/hd_xorshift.v")       \
  X("tb/stress/hd_stress_node.v")    \
  X("tb/stress/hd_stress_source.v")  \
  X("tb/stress/hd_stress_sink.v")    \
  X("tb/stress/hd_stress_control.v") \
  X("tb/stress/hd_stress_compare.v") \
  X("tb/stress/hd_stress.v")

#endif
