// Tang Nano 9K with a GW1NR-9C: switches behind the serial line of its USB port (§9).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tangnano9k_top (
    input  wire       clk,        // 27 MHz
    input  wire       line_i,
    output wire       line_o,
    // button S1, 0 when pressed; LEDs, which light at 0
    input  wire       reset_n_i,
    output wire [5:0] led_n_o
);

  // Configuration sets registers to 0. The button gives another reset, as long as it is pressed.
  reg [6:0] since_q = 7'd0;
  wire good;
  wire rst = !since_q[6];
  hd_synchroniser #(
      .STAGES(2),
      .RESET (1'b0)
  ) u_button (
      .clk     (clk),
      .rst     (1'b0),
      .signal_i(reset_n_i),
      .signal_o(good)
  );
  always @(posedge clk)
    if (!good) since_q <= 7'd0;
    else if (rst) since_q <= since_q + 7'd1;

  wire busy;
  hd_board board (
      .clk   (clk),
      .rst   (rst),
      .line_i(line_i),
      .line_o(line_o),
      .busy_o(busy)
  );

  // 1.6 Hz: configured, and the clock runs
  reg [23:0] alive_q = 24'd0;
  always @(posedge clk) alive_q <= alive_q + 24'd1;
  assign led_n_o = ~{alive_q[23], 1'b0, rst, !line_i, !line_o, busy};

endmodule

`default_nettype wire
