// iCE40-HX8K breakout board: switches behind the serial port of its USB connector (§9).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hx8k_top #(
    parameter        CLOCK_KHZ         = 12000,  // as hd_board
    parameter        CLOCKS_PER_BIT    = 104,
    parameter        SWITCHES_ON_BOARD = 1,
    parameter        IN_WORDS          = 1024,
    parameter        OUT_WORDS         = 1024,
    parameter [63:0] BUILD             = 64'd0,
    parameter        PORTS             = 3,
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
    parameter        BARRIER           = 0,
    parameter        GROUPS            = 1,
    parameter        SWITCHES          = 2,
    parameter        VALUES            = 0,
    parameter        CODE_PLACES       = 0,
    parameter        CODE_CYCLES       = 0,
    parameter        ROUTE             = 0,
    parameter        FIELDS            = 1
) (
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
      .busy_o(busy_o)
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
      .busy_o(busy_o)
  );
`endif

endmodule

`default_nettype wire
