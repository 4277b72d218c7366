// The clock of a switch on a board: a register, and what puts it onto a clock net.
// SPDX-License-Identifier: Apache-2.0
//
// No logic is on the clock's way: it rises in the cycle after one with next_i and chosen_i.
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
  hd_clock_buffer u_buffer (
      .clk_i(clk_q),
      .clk_o(clk_o)
  );

endmodule

`default_nettype wire
