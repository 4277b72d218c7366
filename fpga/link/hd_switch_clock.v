// The clock of a switch on a board: a register, and what puts it onto a clock net.
// SPDX-License-Identifier: Apache-2.0
//
// No logic is on the clock's way: it rises in the cycle after one with next_i and chosen_i. iCE40 and ECP5 put a net
// that clocks registers onto a global one by themselves, as Vivado does. For a family that needs a buffer by name
// (BUFG, DCCA) a board's folder has a module of this name, which fpga/build.sh takes instead of this one.
`default_nettype none

module hd_switch_clock (
    input  wire clk,
    input  wire rst,
    input  wire next_i,    // the clock is to be 1
    input  wire chosen_i,  // of this switch
    output wire clk_o
);

  reg clk_q;
  always @(posedge clk) clk_q <= !rst && next_i && chosen_i;
  assign clk_o = clk_q;

endmodule

`default_nettype wire
