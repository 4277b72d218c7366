// Serial sender: 8 data bits, no parity, one stop bit (§9.1).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_uart_tx #(
    parameter CLOCKS_PER_BIT = 104  // at least 4
) (
    input  wire       clk,
    input  wire       rst,
    // a byte is taken in a cycle with both
    input  wire       valid_i,
    output wire       ready_o,
    input  wire [7:0] byte_i,
    output wire       line_o
);

  localparam COUNT_W = $clog2(CLOCKS_PER_BIT);
  localparam [31:0] BIT = CLOCKS_PER_BIT - 1;

  reg [COUNT_W-1:0] wait_q;
  reg [3:0] left_q;  // bits that have not begun, the stop bit among them
  reg [8:0] bits_q;  // the one on the line is the lowest
  wire now = wait_q == {COUNT_W{1'b0}};

  assign ready_o = now && (left_q == 4'd0);
  assign line_o  = bits_q[0];

  always @(posedge clk)
    if (rst) begin
      wait_q <= {COUNT_W{1'b0}};
      left_q <= 4'd0;
      bits_q <= 9'h1ff;
    end else if (!now) wait_q <= wait_q - 1'b1;
    else if (left_q != 4'd0) begin
      wait_q <= BIT[COUNT_W-1:0];
      left_q <= left_q - 4'd1;
      bits_q <= {1'b1, bits_q[8:1]};
    end else if (valid_i) begin
      wait_q <= BIT[COUNT_W-1:0];
      left_q <= 4'd9;
      bits_q <= {byte_i, 1'b0};
    end

endmodule

`default_nettype wire
