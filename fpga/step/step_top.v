// iCE40-HX8K breakout board: the stepped switch with its register file at the pins.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module step_top #(
    parameter PORTS = 5,  // as hd_step_core
    parameter VCS = 2,
    parameter DATA_W = 16,
    parameter DEPTH = 4,
    parameter NODES = 64,
    parameter ROUTE_CYCLES = 1,
    parameter ARB_CYCLES = 1,
    parameter BUFFER_CYCLES = 0,
    parameter CUT_FLITS = 0,
    parameter SOURCE_TABLE = 0,
    parameter BARRIER = 0,
    parameter GROUPS = 4,
    parameter SWITCHES = 64,
    parameter BUILD = 64'd0,
    parameter CLOCK_KHZ = 12000,
    parameter CLOCKS_PER_BIT = 12
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       write_i,
    input  wire [7:0] addr_i,
    input  wire [7:0] data_i,
    output wire [7:0] data_o,
    input  wire       step_i,
    output wire       busy_o
);

  hd_step_core #(
      .PORTS(PORTS),
      .VCS(VCS),
      .DATA_W(DATA_W),
      .DEPTH(DEPTH),
      .NODES(NODES),
      .ROUTE_CYCLES(ROUTE_CYCLES),
      .ARB_CYCLES(ARB_CYCLES),
      .BUFFER_CYCLES(BUFFER_CYCLES),
      .CUT_FLITS(CUT_FLITS),
      .SOURCE_TABLE(SOURCE_TABLE),
      .BARRIER(BARRIER),
      .GROUPS(GROUPS),
      .SWITCHES(SWITCHES),
      .BUILD(BUILD)
  ) u_core (
      .clk(clk),
      .rst(rst),
      .write_i(write_i),
      .addr_i(addr_i),
      .data_i(data_i),
      .data_o(data_o),
      .step_i(step_i),
      .busy_o(busy_o)
  );

endmodule

`default_nettype wire
