// hd_switch with a register at every pin, for measuring how fast it could be clocked.
// SPDX-License-Identifier: Apache-2.0
//
// A switch has more pins than a package. Its inputs are a shift register here, its outputs are captured
// in another, so every path of the switch begins and ends at a register, and four pins are
// enough. Each of these registers takes a logic cell beside the switch's.
`default_nettype none

module pins #(
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
    parameter TREES         = 0
) (
    input  wire clk,
    input  wire bit_i,
    input  wire shift_i,
    output wire bit_o
);

  localparam VC_W = (VCS > 1) ? $clog2(VCS) : 1;
  localparam LINK_W = PORTS * (1 + 3 + VC_W + DATA_W);
  localparam CREDIT_W = PORTS * VCS + ((BARRIER == 0) ? 0 : PORTS);
  localparam COUNT_W = (ADAPTIVE == 2) ? PORTS * 7 : 0;
  localparam IN_W = 1 + COUNT_W + LINK_W + CREDIT_W + 1 + 1 + 20 + 16;
  localparam OUT_W = COUNT_W + CREDIT_W + LINK_W + 16 + 1;

  reg [IN_W-1:0] in_q;
  always @(posedge clk) in_q <= {in_q[IN_W-2:0], bit_i};

  wire rst, cfg_write, cfg_read;
  wire [19:0] cfg_addr;
  wire [15:0] cfg_wdata;
  wire [15:0] cfg_rdata;
  wire [PORTS-1:0] in_valid, out_valid, in_barrier_credit, out_barrier_credit;
  wire [PORTS*3-1:0] in_kind, out_kind;
  wire [PORTS*VC_W-1:0] in_vc, out_vc;
  wire [PORTS*DATA_W-1:0] in_data, out_data;
  wire [PORTS*VCS-1:0] in_credit, out_credit;
  wire quiescent;
  wire [PORTS*7-1:0] in_count, out_count;
  wire [OUT_W-1:0] out;
  generate
    if (BARRIER != 0) begin : barrier
      assign {rst, in_valid, in_kind, in_vc, in_data, out_credit, out_barrier_credit, cfg_write, cfg_read, cfg_addr,
              cfg_wdata} = in_q[IN_W-COUNT_W-1:0];
      assign out[OUT_W-COUNT_W-1:0] = {in_credit, in_barrier_credit, out_valid, out_kind, out_vc, out_data, cfg_rdata, quiescent};
    end else begin : no_barrier
      assign {rst, in_valid, in_kind, in_vc, in_data, out_credit, cfg_write, cfg_read, cfg_addr, cfg_wdata} = in_q[IN_W-COUNT_W-1:0];
      assign out_barrier_credit = {PORTS{1'b0}};
      assign out[OUT_W-COUNT_W-1:0] = {in_credit, out_valid, out_kind, out_vc, out_data, cfg_rdata, quiescent};
    end
    if (COUNT_W != 0) begin : counts
      assign out_count = in_q[IN_W-1-:COUNT_W];
      assign out[OUT_W-1-:COUNT_W] = in_count;
    end else begin : no_counts
      assign out_count = {PORTS * 7{1'b0}};
    end
  endgenerate
  hd_switch #(
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
      .ADAPTIVE(ADAPTIVE),
      .BARRIER(BARRIER),
      .GROUPS(GROUPS),
      .SWITCHES(SWITCHES),
      .VALUES(VALUES),
      .CODE_PLACES(CODE_PLACES),
      .CODE_CYCLES(CODE_CYCLES),
      .ROUTE(ROUTE),
      .FIELDS(FIELDS),
      .TREES(TREES)
  ) u_switch (
      .clk(clk),
      .rst(rst),
      .in_valid_i(in_valid),
      .in_kind_i(in_kind),
      .in_vc_i(in_vc),
      .in_data_i(in_data),
      .in_credit_o(in_credit),
      .in_barrier_credit_o(in_barrier_credit),
      .in_count_o(in_count),
      .out_valid_o(out_valid),
      .out_kind_o(out_kind),
      .out_vc_o(out_vc),
      .out_data_o(out_data),
      .out_credit_i(out_credit),
      .out_barrier_credit_i(out_barrier_credit),
      .out_count_i(out_count),
      .cfg_write_i(cfg_write),
      .cfg_read_i(cfg_read),
      .cfg_addr_i(cfg_addr),
      .cfg_wdata_i(cfg_wdata),
      .cfg_rdata_o(cfg_rdata),
      .quiescent_o(quiescent)
  );

  reg [OUT_W-1:0] out_q;
  always @(posedge clk) out_q <= shift_i ? {out_q[OUT_W-2:0], 1'b0} : out;
  assign bit_o = out_q[OUT_W-1];

endmodule

`default_nettype wire
