// Configuration port: address map and registers (§3).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_config #(
    parameter PORTS         = 5,
    parameter VCS           = 2,
    parameter DATA_W        = 16,
    parameter DEPTH         = 4,
    parameter NODES         = 64,
    parameter ROUTE_CYCLES  = 1,
    parameter ARB_CYCLES    = 1,
    parameter BUFFER_CYCLES = 0,
    parameter CUT_FLITS     = 0,
    parameter SOURCE_TABLE  = 0
) (
    input  wire                     clk,
    input  wire                     rst,
    // pins
    input  wire                     write_i,
    input  wire                     read_i,
    input  wire [             19:0] addr_i,
    input  wire [             15:0] wdata_i,
    output reg  [             15:0] rdata_o,
    // table writes, one bit an input port; an entry as stored is {valid, port, mask},
    // with an empty mask where §2.7 makes it unroutable
    output wire [        PORTS-1:0] destination_write_o,
    output wire [        PORTS-1:0] source_write_o,
    output wire [$clog2(NODES)-1:0] index_o,
    output wire [$clog2(PORTS)+VCS:0] entry_o,
    // error register: 1 clears; contents
    output wire [              6:0] clear_o,
    input  wire [              6:0] errors_i
);

  localparam PORT_W = $clog2(PORTS);
  localparam NODE_W = $clog2(NODES);
  localparam [31:0] P = PORTS, V = VCS, W = DATA_W, D = DEPTH, N = NODES;
  localparam [31:0] R = ROUTE_CYCLES, A = ARB_CYCLES, B = BUFFER_CYCLES;
  localparam [31:0] C = CUT_FLITS, S = SOURCE_TABLE;
  localparam [19:0] ERRORS = 20'h00008;

  // writes; during reset there are none (§2.9)
  wire write = write_i && !rst;
  wire in_range = {20'd0, addr_i[11:0]} < NODES;
  wire [PORTS-1:0] port = {{(PORTS - 1) {1'b0}}, write && in_range} << addr_i[15:12];
  assign destination_write_o = port & {PORTS{addr_i[19:16] == 4'd1}};
  assign source_write_o = port & {PORTS{(addr_i[19:16] == 4'd2) && (SOURCE_TABLE != 0)}};
  assign index_o = addr_i[NODE_W-1:0];
  wire legal = wdata_i[12] && ({28'd0, wdata_i[3:0]} < PORTS);
  assign entry_o = {wdata_i[12], wdata_i[PORT_W-1:0], wdata_i[4+:VCS] & {VCS{legal}}};
  assign clear_o = wdata_i[6:0] & {7{write && (addr_i == ERRORS)}};
  wire unused_wdata = &{1'b0, wdata_i};

  // reads
  reg [15:0] value;
  always @*
    case (addr_i)
      20'h00000: value = 16'h4844;
      20'h00001: value = 16'h0001;
      20'h00002: value = {D[6:0], V[3:0], P[4:0]};
      20'h00003: value = {3'd0, C[6:0], S[0], B[0], A[1:0], R[1:0]};
      20'h00004: value = {9'd0, W[6:0]};
      20'h00005: value = {4'd0, N[11:0]};
      ERRORS: value = {9'd0, errors_i};
      default: value = 16'd0;
    endcase
  always @(posedge clk)
    if (rst) rdata_o <= 16'd0;
    else if (read_i) rdata_o <= value;

endmodule

`default_nettype wire
