// iCE40-HX8K breakout board: switches behind the serial port of its USB connector (§9).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hx8k_top (
    input  wire clk,     // 12 MHz
    input  wire line_i,
    output wire line_o,
    output wire busy_o,
    output wire alive_o
);

  // Configuration sets registers to 0. Block RAM may be read only some microseconds after it.
  reg [6:0] since_q = 7'd0;
  wire rst = !since_q[6];
  always @(posedge clk) if (rst) since_q <= since_q + 7'd1;

  // 0.7 Hz: configured, and the clock runs
  reg [23:0] alive_q = 24'd0;
  always @(posedge clk) alive_q <= alive_q + 24'd1;
  assign alive_o = alive_q[23];

  hd_board board (
      .clk   (clk),
      .rst   (rst),
      .line_i(line_i),
      .line_o(line_o),
      .busy_o(busy_o)
  );

endmodule

`default_nettype wire
