// The clock of a switch on a Gowin FPGA: a register, and the buffer that puts it onto a global net.
// SPDX-License-Identifier: Apache-2.0
//
// Taken instead of fpga/link/hd_switch_clock.v. Without the buffer the clock would reach its registers at
// different times, and some would take what their neighbours are only about to have.
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
  BUFG u_buffer (
      .I(clk_q),
      .O(clk_o)
  );

endmodule

`default_nettype wire
