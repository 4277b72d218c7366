// Compares the outputs of two switches in every cycle, and keeps the first difference.
// SPDX-License-Identifier: Apache-2.0
//
// If several outputs differ in one cycle, the first in this order is kept: flits, credits, counts, read data,
// quiescent_o. If several ports differ, the lowest is kept. FOREIGN = 1: flits count while they are valid, and credits.
`default_nettype none

module hd_stress_compare #(
    parameter PORTS   = 5,
    parameter VCS     = 2,
    parameter VC_W    = 1,
    parameter DATA_W  = 16,
    parameter FOREIGN = 0
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    compare_i,
    // outputs of the original (a) and of the changed switch (b)
    input  wire [   PORTS*VCS-1:0] a_in_credit_i,
    input  wire [       PORTS-1:0] a_in_barrier_credit_i,
    input  wire [     PORTS*7-1:0] a_in_count_i,
    input  wire [       PORTS-1:0] a_out_valid_i,
    input  wire [     PORTS*3-1:0] a_out_kind_i,
    input  wire [  PORTS*VC_W-1:0] a_out_vc_i,
    input  wire [PORTS*DATA_W-1:0] a_out_data_i,
    input  wire [            15:0] a_cfg_rdata_i,
    input  wire                    a_quiescent_i,
    input  wire [   PORTS*VCS-1:0] b_in_credit_i,
    input  wire [       PORTS-1:0] b_in_barrier_credit_i,
    input  wire [     PORTS*7-1:0] b_in_count_i,
    input  wire [       PORTS-1:0] b_out_valid_i,
    input  wire [     PORTS*3-1:0] b_out_kind_i,
    input  wire [  PORTS*VC_W-1:0] b_out_vc_i,
    input  wire [PORTS*DATA_W-1:0] b_out_data_i,
    input  wire [            15:0] b_cfg_rdata_i,
    input  wire                    b_quiescent_i,
    // result
    output reg  [            47:0] cycles_o,               // cycles compared
    output reg  [            47:0] flits_o,                // flits of the original in these cycles
    output reg                     differs_o,
    output reg  [            47:0] cycle_o,                // cycle of the first difference; the first cycle compared is 0
    output reg  [             2:0] what_o,                 // 1 flit, 2 credit, 3 count, 4 read data, 5 quiescent_o
    output reg  [             3:0] port_o,
    // by what_o: 1 {valid, kind, vc (3 bits), data}; 2 {barrier, credits}; 3 the count; 4 the data; 5 the bit
    output reg  [      DATA_W+6:0] original_o,
    output reg  [      DATA_W+6:0] changed_o
);

  localparam [2:0] FLIT = 3'd1, CREDIT = 3'd2, COUNT = 3'd3, READ = 3'd4, QUIESCENT = 3'd5;
  localparam W = DATA_W + 7;

  wire [PORTS-1:0] flit, credit, count;
  wire [PORTS*W-1:0] a_flit, b_flit, a_credit, b_credit, a_count, b_count;
  genvar p;
  generate
    for (p = 0; p < PORTS; p = p + 1) begin : at
      wire [2:0] a_vc, b_vc;
      if (VC_W == 3) begin : wide
        assign a_vc = a_out_vc_i[p*VC_W+:VC_W];
        assign b_vc = b_out_vc_i[p*VC_W+:VC_W];
      end else begin : narrow
        assign a_vc = {{(3 - VC_W) {1'b0}}, a_out_vc_i[p*VC_W+:VC_W]};
        assign b_vc = {{(3 - VC_W) {1'b0}}, b_out_vc_i[p*VC_W+:VC_W]};
      end
      wire a_counts = (FOREIGN == 0) || a_out_valid_i[p];
      wire b_counts = (FOREIGN == 0) || b_out_valid_i[p];
      assign a_flit[p*W+:W] = {W{a_counts}} &
          {a_out_valid_i[p], a_out_kind_i[p*3+:3], a_vc, a_out_data_i[p*DATA_W+:DATA_W]};
      assign b_flit[p*W+:W] = {W{b_counts}} &
          {b_out_valid_i[p], b_out_kind_i[p*3+:3], b_vc, b_out_data_i[p*DATA_W+:DATA_W]};
      assign a_credit[p*W+:W] = {{(W - 1 - VCS) {1'b0}}, a_in_barrier_credit_i[p], a_in_credit_i[p*VCS+:VCS]};
      assign b_credit[p*W+:W] = {{(W - 1 - VCS) {1'b0}}, b_in_barrier_credit_i[p], b_in_credit_i[p*VCS+:VCS]};
      assign a_count[p*W+:W] = {{DATA_W{1'b0}}, a_in_count_i[p*7+:7]};
      assign b_count[p*W+:W] = {{DATA_W{1'b0}}, b_in_count_i[p*7+:7]};
      assign flit[p] = a_flit[p*W+:W] != b_flit[p*W+:W];
      assign credit[p] = a_credit[p*W+:W] != b_credit[p*W+:W];
      assign count[p] = a_count[p*W+:W] != b_count[p*W+:W];
    end
  endgenerate

  wire [PORTS-1:0] ports = (flit != 0) ? flit : (credit != 0) ? credit : count;
  wire read = (FOREIGN == 0) && (a_cfg_rdata_i != b_cfg_rdata_i);
  wire quiescent = (FOREIGN == 0) && (a_quiescent_i != b_quiescent_i);
  wire differs = (ports != 0) || read || quiescent;
  reg [3:0] port;
  reg [3:0] leaving;  // flits of this cycle, at most 15
  integer i;
  always @* begin
    port = 4'd0;
    leaving = 4'd0;
    for (i = PORTS - 1; i >= 0; i = i - 1) begin
      if (ports[i]) port = i[3:0];
      if (a_out_valid_i[i] && (leaving != 4'd15)) leaving = leaving + 4'd1;
    end
  end
  wire [2:0] what = (flit != 0) ? FLIT : (credit != 0) ? CREDIT : (count != 0) ? COUNT : read ? READ : QUIESCENT;
  reg [W-1:0] a, b;
  always @*
    case (what)
      FLIT: {a, b} = {a_flit[port*W+:W], b_flit[port*W+:W]};
      CREDIT: {a, b} = {a_credit[port*W+:W], b_credit[port*W+:W]};
      COUNT: {a, b} = {a_count[port*W+:W], b_count[port*W+:W]};
      READ: {a, b} = {{(W - 16) {1'b0}}, a_cfg_rdata_i, {(W - 16) {1'b0}}, b_cfg_rdata_i};
      default: {a, b} = {{(W - 1) {1'b0}}, a_quiescent_i, {(W - 1) {1'b0}}, b_quiescent_i};
    endcase

  always @(posedge clk)
    if (rst) begin
      cycles_o <= 48'd0;
      flits_o <= 48'd0;
      differs_o <= 1'b0;
      cycle_o <= 48'd0;
      what_o <= 3'd0;
      port_o <= 4'd0;
      original_o <= {W{1'b0}};
      changed_o <= {W{1'b0}};
    end else if (compare_i) begin
      cycles_o <= cycles_o + 48'd1;
      flits_o  <= flits_o + {44'd0, leaving};
      if (differs && !differs_o) begin
        differs_o <= 1'b1;
        cycle_o <= cycles_o;
        what_o <= what;
        port_o <= (what == READ) || (what == QUIESCENT) ? 4'd0 : port;
        original_o <= a;
        changed_o <= b;
      end
    end

endmodule

`default_nettype wire
