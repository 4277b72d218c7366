// The serial line as bytes: 8 data bits, no parity, one stop bit (§9.1).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_uart #(
    parameter CLOCKS_PER_BIT = 104  // at least 4
) (
    input  wire       clk,
    input  wire       rst,
    // line
    input  wire       line_i,      // asynchronous
    output wire       line_o,
    // bytes that came, a cycle each; rx_lost_o: one without stop bit
    output wire       rx_valid_o,
    output wire [7:0] rx_byte_o,
    output wire       rx_lost_o,
    // bytes to send: one is taken in a cycle with both
    input  wire       tx_valid_i,
    output wire       tx_ready_o,
    input  wire [7:0] tx_byte_i
);

  hd_uart_rx #(
      .CLOCKS_PER_BIT(CLOCKS_PER_BIT)
  ) rx (
      .clk    (clk),
      .rst    (rst),
      .line_i (line_i),
      .byte_o (rx_byte_o),
      .valid_o(rx_valid_o),
      .lost_o (rx_lost_o)
  );
  hd_uart_tx #(
      .CLOCKS_PER_BIT(CLOCKS_PER_BIT)
  ) tx (
      .clk    (clk),
      .rst    (rst),
      .valid_i(tx_valid_i),
      .ready_o(tx_ready_o),
      .byte_i (tx_byte_i),
      .line_o (line_o)
  );

endmodule

`default_nettype wire
