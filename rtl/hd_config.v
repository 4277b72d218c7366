// Configuration port: reads of the registers (§3.3). Writes go to the modules that hold the state: error bits and
// tables in the ports, places in the coder. ADAPT (§10.2) is kept here.
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
    parameter SOURCE_TABLE  = 0,
    parameter ADAPTIVE      = 0,
    parameter BARRIER       = 0,
    parameter GROUPS        = 4,
    parameter SWITCHES      = 64,
    parameter CODE_PLACES   = 0,
    parameter CODE_CYCLES   = 0,
    parameter ERROR_W       = 7    // bits of the error register
) (
    input  wire        clk,
    input  wire        rst,
    // pins
    input  wire        write_i,
    input  wire        read_i,
    input  wire [19:0] addr_i,
    input  wire [ 7:0] wdata_i,
    output reg  [15:0] rdata_o,
    // error register: contents
    input  wire [ERROR_W-1:0] errors_i,
    // barrier registers (§8.6)
    input  wire [15:0] idle_i,
    input  wire [10:0] self_i,
    input  wire [PORTS-1:0] live_i,
    // channels that a packet may take at a port that was chosen (m_A)
    output wire [VCS-1:0] adapt_o
);

  localparam [31:0] P = PORTS, V = VCS, W = DATA_W, D = DEPTH, N = NODES;
  localparam [31:0] R = ROUTE_CYCLES, A = ARB_CYCLES, B = BUFFER_CYCLES;
  localparam [31:0] C = CUT_FLITS, S = SOURCE_TABLE, F = ADAPTIVE;

  localparam BARRIER_RESERVED = 5;  // §7.1

  // registers (§3.3, §8.6, §11.1)
  localparam [4:0] REG_ID = 5'd0, REG_VERSION = 5'd1, REG_SHAPE = 5'd2, REG_TIMING = 5'd3;
  localparam [4:0] REG_WIDTH = 5'd4, REG_NODES = 5'd5, REG_BARRIER = 5'd6, REG_SWITCHES = 5'd7;
  localparam [4:0] REG_ERRORS = 5'd8, REG_IDLE = 5'd9, REG_SELF = 5'd10, REG_LIVE = 5'd11;
  localparam [4:0] REG_ADAPT = 5'd17, REG_CODER = 5'd18;

  // reads
  wire [15:0] barrier, adapt, coder;
  wire [16:0] errors = {{(17 - ERROR_W) {1'b0}}, errors_i};
  wire unused_error = &{1'b0, errors[16]};
  reg [15:0] value;
  always @*
    case (addr_i)
      {15'd0, REG_ID}: value = 16'h4844;
      {15'd0, REG_VERSION}: value = 16'h0001;
      {15'd0, REG_SHAPE}: value = {D[6:0], V[3:0], P[4:0]};
      {15'd0, REG_TIMING}: value = {1'd0, F[1:0], C[6:0], S[0], B[0], A[1:0], R[1:0]};
      {15'd0, REG_WIDTH}: value = {9'd0, W[6:0]};
      {15'd0, REG_NODES}: value = {4'd0, N[11:0]};
      {15'd0, REG_ERRORS}: value = errors[15:0];
      default: value = barrier | adapt | coder;
    endcase
  generate
    if (BARRIER != 0) begin : registers
      localparam [31:0] K = BARRIER, G = GROUPS, T = SWITCHES;
      wire [15:0] live;
      assign live[PORTS-1:0] = live_i;
      if (PORTS < 16) begin : above
        assign live[15:PORTS] = {(16 - PORTS) {1'b0}};
      end
      assign barrier = (addr_i == {15'd0, REG_BARRIER}) ? {7'd0, G[5:0], K[2:0]} :
          (addr_i == {15'd0, REG_SWITCHES}) ? {4'd0, T[11:0]} :
          (addr_i == {15'd0, REG_IDLE}) ? idle_i : (addr_i == {15'd0, REG_SELF}) ? {5'd0, self_i} :
          (addr_i == {15'd0, REG_LIVE}) ? live : 16'd0;
    end else begin : no_registers
      assign barrier = 16'd0;
      wire unused_barrier = &{1'b0, idle_i, self_i, live_i};
    end
  endgenerate
  generate
    if (ADAPTIVE != 0) begin : adaptive
      reg [VCS-1:0] adapt_q;
      wire here = addr_i == {15'd0, REG_ADAPT};
      always @(posedge clk)
        if (rst) adapt_q <= {VCS{1'b0}};
        else if (write_i && here) adapt_q <= wdata_i[VCS-1:0];
      assign adapt = here ? {{(16 - VCS) {1'b0}}, adapt_q} : 16'd0;
      if (BARRIER == BARRIER_RESERVED) begin : reserved
        assign adapt_o = {1'b0, adapt_q[VCS-2:0]};  // §7.7
      end else begin : all
        assign adapt_o = adapt_q;
      end
      wire unused_above = &{1'b0, wdata_i};
    end else begin : not_adaptive
      assign adapt = 16'd0;
      assign adapt_o = {VCS{1'b0}};
      wire unused_adaptive = &{1'b0, write_i, wdata_i};
    end
  endgenerate
  generate
    if (CODE_PLACES != 0) begin : coding
      localparam [31:0] K = CODE_PLACES, L = CODE_CYCLES;
      assign coder = (addr_i == {15'd0, REG_CODER}) ? {1'b0, L[5:0], K[8:0]} : 16'd0;
    end else begin : not_coding
      assign coder = 16'd0;
    end
  endgenerate
  always @(posedge clk)
    if (rst) rdata_o <= 16'd0;
    else if (read_i) rdata_o <= value;

endmodule

`default_nettype wire
