// The stress bench, as seen from the top of the tree; both switches stand outside.
// SPDX-License-Identifier: Apache-2.0
tb/stress/hd_xorshift.v
tb/stress/hd_stress_node.v
tb/stress/hd_stress_source.v
tb/stress/hd_stress_sink.v
tb/stress/hd_stress_control.v
tb/stress/hd_stress_compare.v
tb/stress/hd_stress.v
