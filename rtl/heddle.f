// RTL of the switch, in order: each module after those that it uses.
// SPDX-License-Identifier: Apache-2.0
rtl/hd_rr_arbiter.v
rtl/hd_vc_buffer.v
rtl/hd_route_table.v
rtl/hd_port_choice.v
rtl/hd_route_unit.v
rtl/hd_route_compute.v
rtl/hd_computed_unit.v
rtl/hd_input_vc.v
rtl/hd_barrier_in.v
rtl/hd_input_port.v
rtl/hd_crossbar.v
rtl/hd_output_port.v
rtl/hd_barrier_out.v
rtl/hd_status_table.v
rtl/hd_barrier_decide.v
rtl/hd_barrier_unit.v
rtl/hd_free_credits.v
rtl/hd_packet_count.v
rtl/hd_neighbour_counts.v
rtl/hd_code_watch.v
rtl/hd_code_places.v
rtl/hd_code_memory.v
rtl/hd_coder.v
rtl/hd_config.v
rtl/hd_switch.v
rtl/hd_link.v
