// Configuration port: reads of the registers (§3.3). Most state is elsewhere: error bits and tables in ports, barrier
// registers in the unit, places in the coder. Here are ADAPT (§10.2), FIRST, BIAS (§10.9), CAST and those of §12.6.
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
    parameter VALUES        = 0,
    parameter CODE_PLACES   = 0,
    parameter CODE_CYCLES   = 0,
    parameter ROUTE         = 0,
    parameter FIELDS        = 1,
    parameter TREES         = 0,
    parameter ERROR_W       = 7    // bits of the error register
) (
    input  wire        clk,
    input  wire        rst,
    // pins
    input  wire        write_i,
    input  wire        read_i,
    input  wire [19:0] addr_i,
    input  wire [15:0] wdata_i,
    output reg  [15:0] rdata_o,
    // contents of the error register
    input  wire [ERROR_W-1:0] errors_i,
    // barrier registers (§8.6)
    input  wire [15:0] idle_i,
    input  wire [10:0] self_i,
    input  wire [PORTS-1:0] live_i,
    // channels that a packet may take at a chosen port (m_A)
    output wire [VCS-1:0] adapt_o,
    // free credits up to which a choice distinguishes ports (§10.4); 0: no limit
    output wire [3:0] cap_o,
    // input ports at which packets decide between two ways, and the bias of that decision (§10.9)
    output wire [PORTS-1:0] first_o,
    output wire [9:0] bias_o,
    // registers of §12.6
    output wire [$clog2(NODES)-1:0] own_o,
    output wire [$clog2(NODES)-1:0] far_o,
    output wire [$clog2(NODES)-1:0] below_o,
    output wire [15:0] digits_o,
    // CAST of §13.3
    output wire [2:0] cast_o
);

  localparam [31:0] P = PORTS, V = VCS, W = DATA_W, D = DEPTH, N = NODES;
  localparam [31:0] R = ROUTE_CYCLES, A = ARB_CYCLES, B = BUFFER_CYCLES;
  localparam [31:0] C = CUT_FLITS, S = SOURCE_TABLE, F = ADAPTIVE, H = ROUTE, E = TREES;

  localparam BARRIER_RESERVED = 5;  // §7.1

  localparam ROUTE_TORUS = 2, ROUTE_DIGITS = 4;  // §12.1
  localparam ADAPTIVE_WAYS = 3;  // §10.1

  // registers (§3.3, §8.6, §11.1, §12.6)
  localparam [4:0] REG_ID = 5'd0, REG_VERSION = 5'd1, REG_SHAPE = 5'd2, REG_TIMING = 5'd3;
  localparam [4:0] REG_WIDTH = 5'd4, REG_NODES = 5'd5, REG_BARRIER = 5'd6, REG_SWITCHES = 5'd7;
  localparam [4:0] REG_ERRORS = 5'd8, REG_IDLE = 5'd9, REG_SELF = 5'd10, REG_LIVE = 5'd11;
  localparam [4:0] REG_ADAPT = 5'd17, REG_CODER = 5'd18, REG_FIELDS = 5'd19;
  localparam [4:0] REG_OWN = 5'd20, REG_FAR = 5'd21, REG_BELOW = 5'd22, REG_DIGITS = 5'd23, REG_CAST = 5'd24;
  localparam [4:0] REG_FIRST = 5'd25, REG_BIAS = 5'd26;

  // values that a read returns
  wire [15:0] barrier, adapt, ways, coder, fields;
  wire [16:0] errors = {{(17 - ERROR_W) {1'b0}}, errors_i};
  wire unused_error = &{1'b0, errors[16]};
  reg [15:0] value;
  always @*
    case (addr_i)
      {15'd0, REG_ID}: value = 16'h4844;
      {15'd0, REG_VERSION}: value = 16'h0001;
      {15'd0, REG_SHAPE}: value = {D[6:0], V[3:0], P[4:0]};
      {15'd0, REG_TIMING}: value = {1'd0, F[1:0], C[6:0], S[0], B[0], A[1:0], R[1:0]};
      {15'd0, REG_WIDTH}: value = {E[5:0], H[2:0], W[6:0]};
      {15'd0, REG_NODES}: value = N[15:0];
      {15'd0, REG_ERRORS}: value = errors[15:0];
      default: value = barrier | adapt | ways | coder | fields;
    endcase
  generate
    if (BARRIER != 0) begin : registers
      localparam [31:0] K = BARRIER, G = GROUPS, T = SWITCHES, U = VALUES;
      wire [15:0] live;
      assign live[PORTS-1:0] = live_i;
      if (PORTS < 16) begin : above
        assign live[15:PORTS] = {(16 - PORTS) {1'b0}};
      end
      assign barrier = (addr_i == {15'd0, REG_BARRIER}) ? {6'd0, U[0], G[5:0], K[2:0]} :
          (addr_i == {15'd0, REG_SWITCHES}) ? {4'd0, T[11:0]} :
          (addr_i == {15'd0, REG_IDLE}) ? idle_i : (addr_i == {15'd0, REG_SELF}) ? {5'd0, self_i} :
          (addr_i == {15'd0, REG_LIVE}) ? live : 16'd0;
    end else begin : no_registers
      assign barrier = 16'd0;
      wire unused_barrier = &{1'b0, idle_i, self_i, live_i};
    end
  endgenerate
  generate
    if ((ADAPTIVE != 0) && (ADAPTIVE != ADAPTIVE_WAYS)) begin : adaptive
      reg [VCS-1:0] adapt_q;
      wire here = addr_i == {15'd0, REG_ADAPT};
      always @(posedge clk)
        if (rst) adapt_q <= {VCS{1'b0}};
        else if (write_i && here) adapt_q <= wdata_i[VCS-1:0];
      reg [3:0] cap_q;
      always @(posedge clk)
        if (rst) cap_q <= 4'd0;
        else if (write_i && here) cap_q <= wdata_i[11:8];
      assign cap_o = cap_q;
      assign adapt = here ? {4'd0, cap_q, 8'd0} | {{(16 - VCS) {1'b0}}, adapt_q} : 16'd0;
      if (BARRIER == BARRIER_RESERVED) begin : reserved
        assign adapt_o = {1'b0, adapt_q[VCS-2:0]};  // §7.7
      end else begin : all
        assign adapt_o = adapt_q;
      end
      wire unused_above = &{1'b0, wdata_i};
    end else begin : not_adaptive
      assign adapt = 16'd0;
      assign adapt_o = {VCS{1'b0}};
      assign cap_o = 4'd0;
      wire unused_adaptive = &{1'b0, write_i, wdata_i};  // (in switches with tables)
    end
  endgenerate
  generate
    if (ADAPTIVE == ADAPTIVE_WAYS) begin : deciding
      reg [PORTS-1:0] first_q;
      reg [9:0] bias_q;
      wire here_first = addr_i == {15'd0, REG_FIRST};
      wire here_bias = addr_i == {15'd0, REG_BIAS};
      always @(posedge clk)
        if (rst) first_q <= {PORTS{1'b0}};
        else if (write_i && here_first) first_q <= wdata_i[PORTS-1:0];
      always @(posedge clk)
        if (rst) bias_q <= 10'd0;
        else if (write_i && here_bias) bias_q <= wdata_i[9:0];
      assign first_o = first_q;
      assign bias_o = bias_q;
      wire [PORTS+15:0] first = {16'd0, first_q};
      assign ways = here_first ? first[15:0] : here_bias ? {6'd0, bias_q} : 16'd0;
      wire unused_first = &{1'b0, first};
    end else begin : not_deciding
      assign first_o = {PORTS{1'b0}};
      assign bias_o = 10'd0;
      assign ways = 16'd0;
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
  // Registers that routes are computed from. Like tables, they are 0 at power-up, and reset leaves them alone.
  generate
    if (ROUTE != 0) begin : computed
      localparam [31:0] L = FIELDS;
      localparam NODE_W = $clog2(NODES);
      assign fields = (addr_i == {15'd0, REG_FIELDS}) ? L[15:0] : 16'd0;
      reg [NODE_W-1:0] own_q;
      initial own_q = {NODE_W{1'b0}};
      always @(posedge clk) if (write_i && !rst && (addr_i == {15'd0, REG_OWN})) own_q <= wdata_i[NODE_W-1:0];
      assign own_o = own_q;
    end else begin : not_computed
      assign fields = 16'd0;
      assign own_o = {$clog2(NODES) {1'b0}};
    end
    if (ROUTE == ROUTE_TORUS) begin : torus
      localparam NODE_W = $clog2(NODES);
      reg [NODE_W-1:0] far_q;
      initial far_q = {NODE_W{1'b0}};
      always @(posedge clk) if (write_i && !rst && (addr_i == {15'd0, REG_FAR})) far_q <= wdata_i[NODE_W-1:0];
      assign far_o = far_q;
    end else begin : not_torus
      assign far_o = {$clog2(NODES) {1'b0}};
    end
    if (ROUTE == ROUTE_DIGITS) begin : digits
      localparam NODE_W = $clog2(NODES);
      reg [NODE_W-1:0] below_q;
      reg [15:0] digits_q;
      initial begin
        below_q = {NODE_W{1'b0}};
        digits_q = 16'd0;
      end
      always @(posedge clk)
        if (write_i && !rst) begin
          if (addr_i == {15'd0, REG_BELOW}) below_q <= wdata_i[NODE_W-1:0];
          if (addr_i == {15'd0, REG_DIGITS}) digits_q <= wdata_i;
        end
      assign below_o = below_q;
      assign digits_o = digits_q;
    end else begin : not_digits
      assign below_o = {$clog2(NODES) {1'b0}};
      assign digits_o = 16'd0;
    end
  endgenerate
  generate
    if (TREES != 0) begin : trees
      reg [2:0] cast_q;
      initial cast_q = 3'd0;
      always @(posedge clk) if (write_i && !rst && (addr_i == {15'd0, REG_CAST})) cast_q <= wdata_i[2:0];
      assign cast_o = cast_q;
    end else begin : no_trees
      assign cast_o = 3'd0;
    end
  endgenerate
  always @(posedge clk)
    if (rst) rdata_o <= 16'd0;
    else if (read_i) rdata_o <= value;

endmodule

`default_nettype wire
