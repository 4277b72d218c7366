// ULX3S with an ECP5-85F: switches behind the serial line of its USB port US1 (§9).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module ulx3s_top (
    input  wire       clk,          // 25 MHz
    input  wire       line_i,
    output wire       line_o,
    // button FIRE1, LEDs, ESP32
    input  wire       reset_i,
    output wire [7:0] led_o,
    output wire       wifi_gpio0_o
);

  // 0 would make the board's ESP32 reset it
  assign wifi_gpio0_o = 1'b1;

  // Configuration sets registers to 0. The button gives another reset, as long as it is pressed.
  reg [6:0] since_q = 7'd0;
  wire pressed;
  wire rst = !since_q[6];
  hd_synchroniser #(
      .STAGES(2),
      .RESET (1'b0)
  ) u_button (
      .clk     (clk),
      .rst     (1'b0),
      .signal_i(reset_i),
      .signal_o(pressed)
  );
  always @(posedge clk) begin
    if (pressed) since_q <= 7'd0;
    else if (rst) since_q <= since_q + 7'd1;
  end

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
  // from D7 to D0
  assign led_o = {alive_q[23], 3'd0, rst, !line_i, !line_o, busy};

endmodule

`default_nettype wire
