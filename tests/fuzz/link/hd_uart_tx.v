// Stands in for the serial sender in the link's fuzzer: bytes go to C, which may make it wait.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_uart_tx #(
    parameter CLOCKS_PER_BIT = 104
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       valid_i,
    output wire       ready_o,
    input  wire [7:0] byte_i,
    output wire       line_o
);

  import "DPI-C" function int hd_link_tx(input int byte_taken);  // -1: none; returns ready
  wire unused = &{1'b0, CLOCKS_PER_BIT[0]};
  reg ready_q;
  assign ready_o = ready_q;
  assign line_o  = 1'b1;

  always @(posedge clk)
    if (rst) ready_q <= 1'b0;
    else ready_q <= hd_link_tx((valid_i && ready_q) ? {24'd0, byte_i} : -32'sd1) != 0;

endmodule

`default_nettype wire
