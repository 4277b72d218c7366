# Arty A7: pins and clocks of arty_top.v.
# SPDX-License-Identifier: Apache-2.0
set_property -dict {PACKAGE_PIN E3 IOSTANDARD LVCMOS33} [get_ports clk_100]
create_clock -name clk_100 -period 10.000 [get_ports clk_100]

# the FT2232H: its TXD is our input
set_property -dict {PACKAGE_PIN A9 IOSTANDARD LVCMOS33} [get_ports line_i]
set_property -dict {PACKAGE_PIN D10 IOSTANDARD LVCMOS33} [get_ports line_o]

# button RESET, 0 when pressed
set_property -dict {PACKAGE_PIN C2 IOSTANDARD LVCMOS33} [get_ports reset_n_i]

# LD4 to LD7
set_property -dict {PACKAGE_PIN H5 IOSTANDARD LVCMOS33} [get_ports {led_o[0]}]
set_property -dict {PACKAGE_PIN J5 IOSTANDARD LVCMOS33} [get_ports {led_o[1]}]
set_property -dict {PACKAGE_PIN T9 IOSTANDARD LVCMOS33} [get_ports {led_o[2]}]
set_property -dict {PACKAGE_PIN T10 IOSTANDARD LVCMOS33} [get_ports {led_o[3]}]

# Names of cells are those of build/fpga/arty.edf: `.` between levels, a flip-flop called by its net and _reg.
# Signals from outside end in hd_synchroniser, the only place with registers of this name.
set_false_path -to [get_pins -hierarchical -filter {NAME =~ *meta_q[0]_reg/D}]
set_property ASYNC_REG TRUE [get_cells -hierarchical -filter {NAME =~ *meta_q[*]_reg}]
set_false_path -to [get_ports {led_o[*] line_o}]

# A switch's clock is a register (hd_switch_clock) that changes with clk: half of its frequency at most. A fabric at speed
# has none.
create_generated_clock -name switch_clk -divide_by 2 -source [get_pins u_clk.u_buffer/O] [get_pins -quiet -hierarchical -filter {NAME =~ *u_clock.clk_q_reg/Q}]

set_property CFGBVS VCCO [current_design]
set_property CONFIG_VOLTAGE 3.3 [current_design]
