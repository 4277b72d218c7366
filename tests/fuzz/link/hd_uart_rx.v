// Stands in for the serial receiver in the link's fuzzer: bytes come from C.
// SPDX-License-Identifier: Apache-2.0
//
// The bits of a byte are the receiver's own bench's task (tb_board_line); without them a byte takes some
// clocks instead of hundreds.
`default_nettype none

module hd_uart_rx #(
    parameter CLOCKS_PER_BIT = 104
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       line_i,
    output reg  [7:0] byte_o,
    output reg        valid_o,
    output reg        lost_o
);

  import "DPI-C" function int hd_link_rx();
  wire unused = &{1'b0, line_i, CLOCKS_PER_BIT[0]};
  integer next;  // [7:0] byte, [8] valid, [9] lost

  always @(posedge clk) begin
    next = hd_link_rx();
    byte_o  <= next[7:0];
    valid_o <= next[8] && !rst;
    lost_o  <= next[9] && !rst;
  end

endmodule

`default_nettype wire
