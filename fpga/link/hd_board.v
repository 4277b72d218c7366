// Switches behind a serial line: what every board's top holds (§9).
// SPDX-License-Identifier: Apache-2.0
//
// Knows nothing of any board: a clock, a reset, a line in and out. A board with another way for bytes takes
// hd_board_core.
`default_nettype none

module hd_board #(
    parameter        CLOCK_KHZ         = 12000,
    parameter        CLOCKS_PER_BIT    = 104,   // at least 4
    parameter        SWITCHES_ON_BOARD = 1,     // 1-16
    parameter        IN_WORDS          = 1024,  // stimulus memory, a power of two, 16-32768
    parameter        OUT_WORDS         = 1024,  // answer memory, a power of two, 16-32768
    parameter [63:0] BUILD             = 64'd0,
    // of the switches, §2.1, §7.1 and §10.1
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
    parameter        FIELDS            = 1,
    parameter        TREES             = 0
) (
    input  wire clk,
    input  wire rst,
    input  wire line_i,
    output wire line_o,
    output wire busy_o
);

  generate
    if (CLOCKS_PER_BIT < 4) begin : illegal_clocks_per_bit
      hd_board_CLOCKS_PER_BIT_must_be_at_least_4 illegal ();
    end
  endgenerate

  wire rx_valid, rx_lost, tx_valid, tx_ready;
  wire [7:0] rx_byte, tx_byte;
  hd_uart #(
      .CLOCKS_PER_BIT(CLOCKS_PER_BIT)
  ) u_uart (
      .clk       (clk),
      .rst       (rst),
      .line_i    (line_i),
      .line_o    (line_o),
      .rx_valid_o(rx_valid),
      .rx_byte_o (rx_byte),
      .rx_lost_o (rx_lost),
      .tx_valid_i(tx_valid),
      .tx_ready_o(tx_ready),
      .tx_byte_i (tx_byte)
  );
  hd_board_core #(
      .CLOCK_KHZ        (CLOCK_KHZ),
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
      .FIELDS           (FIELDS),
      .TREES            (TREES)
  ) u_core (
      .clk       (clk),
      .rst       (rst),
      .rx_valid_i(rx_valid),
      .rx_byte_i (rx_byte),
      .rx_lost_i (rx_lost),
      .tx_valid_o(tx_valid),
      .tx_ready_i(tx_ready),
      .tx_byte_o (tx_byte),
      .busy_o    (busy_o)
  );

endmodule

`default_nettype wire
