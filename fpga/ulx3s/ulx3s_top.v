// ULX3S with an ECP5-85F: switches behind the serial line of its USB port US1 (§9).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module ulx3s_top #(
    parameter        CLOCK_KHZ         = 25000,  // as hd_board
    parameter        CLOCKS_PER_BIT    = 25,
    parameter        SWITCHES_ON_BOARD = 4,
    parameter        IN_WORDS          = 4096,
    parameter        OUT_WORDS         = 4096,
    parameter [63:0] BUILD             = 64'd0,
    parameter        PORTS             = 5,
    parameter        VCS               = 2,
    parameter        DATA_W            = 16,
    parameter        DEPTH             = 4,
    parameter        NODES             = 4,
    parameter        ROUTE_CYCLES      = 1,
    parameter        ARB_CYCLES        = 1,
    parameter        BUFFER_CYCLES     = 0,
    parameter        CUT_FLITS         = 0,
    parameter        SOURCE_TABLE      = 0,
    parameter        ADAPTIVE          = 0,
    parameter        BARRIER           = 1,
    parameter        GROUPS            = 2,
    parameter        SWITCHES          = 4,
    parameter        VALUES            = 0,
    parameter        CODE_PLACES       = 0,
    parameter        CODE_CYCLES       = 0,
    parameter        ROUTE             = 0,
    parameter        FIELDS            = 1
) (
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
`ifdef FABRIC
  // a fabric at speed, which has its own parameters (heddle export --signatures)
  fabric #(
      .CLOCK_KHZ     (CLOCK_KHZ),
      .CLOCKS_PER_BIT(CLOCKS_PER_BIT)
  ) board (
      .clk   (clk),
      .rst   (rst),
      .line_i(line_i),
      .line_o(line_o),
      .busy_o(busy)
  );
`else
  hd_board #(
      .CLOCK_KHZ        (CLOCK_KHZ),
      .CLOCKS_PER_BIT   (CLOCKS_PER_BIT),
      .SWITCHES_ON_BOARD(SWITCHES_ON_BOARD),
      .IN_WORDS         (IN_WORDS),
      .OUT_WORDS        (OUT_WORDS),
      .BUILD            (BUILD),
      .PORTS            (PORTS),
      .VCS              (VCS),
      .DATA_W           (DATA_W),
      .DEPTH            (DEPTH),
      .NODES            (NODES),
      .ROUTE_CYCLES     (ROUTE_CYCLES),
      .ARB_CYCLES       (ARB_CYCLES),
      .BUFFER_CYCLES    (BUFFER_CYCLES),
      .CUT_FLITS        (CUT_FLITS),
      .SOURCE_TABLE     (SOURCE_TABLE),
      .ADAPTIVE         (ADAPTIVE),
      .BARRIER          (BARRIER),
      .GROUPS           (GROUPS),
      .SWITCHES         (SWITCHES),
      .VALUES           (VALUES),
      .CODE_PLACES      (CODE_PLACES),
      .CODE_CYCLES      (CODE_CYCLES),
      .ROUTE            (ROUTE),
      .FIELDS           (FIELDS)
  ) board (
      .clk   (clk),
      .rst   (rst),
      .line_i(line_i),
      .line_o(line_o),
      .busy_o(busy)
  );
`endif

  // 1.5 Hz: configured, and the clock runs
  reg [23:0] alive_q = 24'd0;
  always @(posedge clk) alive_q <= alive_q + 24'd1;
  // from D7 to D0
  assign led_o = {alive_q[23], 3'd0, rst, !line_i, !line_o, busy};

endmodule

`default_nettype wire
