// Arty A7 with an Artix-7: switches behind the serial line of its USB port (§9).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module arty_top (
    input  wire       clk_100,    // 100 MHz
    input  wire       line_i,
    output wire       line_o,
    // button RESET, LEDs LD4 to LD7
    input  wire       reset_n_i,
    output wire [3:0] led_o
);

  // 100 MHz times 10, by 40: 25 MHz, on a global net
  wire clk, clk_made, feedback, locked;
  MMCME2_BASE #(
      .CLKIN1_PERIOD   (10.0),
      .CLKFBOUT_MULT_F (10.0),
      .CLKOUT0_DIVIDE_F(40.0)
  ) u_mmcm (
      .CLKIN1  (clk_100),
      .RST     (1'b0),
      .PWRDWN  (1'b0),
      .CLKFBIN (feedback),
      .CLKFBOUT(feedback),
      .CLKOUT0 (clk_made),
      .LOCKED  (locked)
  );
  hd_clock_buffer u_clk (
      .clk_i(clk_made),
      .clk_o(clk)
  );

  // Reset while the clock is not there yet or the button is pressed, and 64 cycles longer.
  wire good;
  hd_synchroniser #(
      .RESET(1'b0)
  ) u_reset (
      .clk     (clk),
      .rst     (1'b0),
      .signal_i(locked && reset_n_i),
      .signal_o(good)
  );
  reg [6:0] since_q = 7'd0;
  wire rst = !since_q[6];
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

  // 1.5 Hz: configured, and the clock runs
  reg [23:0] alive_q = 24'd0;
  always @(posedge clk) alive_q <= alive_q + 24'd1;
  assign led_o = {alive_q[23], !line_i, !line_o, busy};

endmodule

`default_nettype wire
