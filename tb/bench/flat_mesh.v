// The 8x8 mesh of the benchmark as one flat design: 64 switches and their links (§5.1).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module flat_mesh #(
    parameter SIDE   = 8,
    parameter VCS    = 2,
    parameter DATA_W = 16
) (
    input  wire                        clk,
    input  wire                        rst,
    // node side of port 0 of every switch
    input  wire [       SIDE*SIDE-1:0] node_valid_i,
    input  wire [     SIDE*SIDE*3-1:0] node_kind_i,
    input  wire [       SIDE*SIDE-1:0] node_vc_i,
    input  wire [SIDE*SIDE*DATA_W-1:0] node_data_i,
    output wire [   SIDE*SIDE*VCS-1:0] node_credit_o,
    output wire [       SIDE*SIDE-1:0] node_valid_o,
    output wire [     SIDE*SIDE*3-1:0] node_kind_o,
    output wire [       SIDE*SIDE-1:0] node_vc_o,
    output wire [SIDE*SIDE*DATA_W-1:0] node_data_o,
    input  wire [   SIDE*SIDE*VCS-1:0] node_credit_i,
    // configuration, one write line a switch
    input  wire [       SIDE*SIDE-1:0] cfg_write_i,
    input  wire [                19:0] cfg_addr_i,
    input  wire [                15:0] cfg_wdata_i
);

  localparam P = 5;

  genvar s;
  generate
    for (s = 0; s < SIDE * SIDE; s = s + 1) begin : at
      wire [P-1:0] valid, in_valid;
      wire [P*3-1:0] kind, in_kind;
      wire [P-1:0] vc, in_vc;
      wire [P*DATA_W-1:0] data, in_data;
      wire [P*VCS-1:0] credit, in_credit;
      wire [P-1:0] barrier_credit;
      wire [P*7-1:0] count;
      wire [15:0] rdata;
      wire quiescent;
      wire unused = &{1'b0, barrier_credit, count, rdata, quiescent};
      hd_switch #(
          .PORTS(P),
          .VCS(VCS),
          .DATA_W(DATA_W),
          .DEPTH(4),
          .NODES(SIDE * SIDE)
      ) u_switch (
          .clk(clk),
          .rst(rst),
          .in_valid_i(in_valid),
          .in_kind_i(in_kind),
          .in_vc_i(in_vc),
          .in_data_i(in_data),
          .in_credit_o(credit),
          .in_barrier_credit_o(barrier_credit),
          .in_count_o(count),
          .out_valid_o(valid),
          .out_kind_o(kind),
          .out_vc_o(vc),
          .out_data_o(data),
          .out_credit_i(in_credit),
          .out_barrier_credit_i({P{1'b0}}), // without barrier hardware there are no barrier credits
          .out_count_i({P * 7{1'b0}}),      // without a choice of ports there are no counts
          .cfg_write_i(cfg_write_i[s]),
          .cfg_read_i(1'b0),
          .cfg_addr_i(cfg_addr_i),
          .cfg_wdata_i(cfg_wdata_i),
          .cfg_rdata_o(rdata),
          .quiescent_o(quiescent)
      );

      assign in_valid[0] = node_valid_i[s];
      assign in_kind[2:0] = node_kind_i[s*3+:3];
      assign in_vc[0] = node_vc_i[s];
      assign in_data[DATA_W-1:0] = node_data_i[s*DATA_W+:DATA_W];
      assign in_credit[VCS-1:0] = node_credit_i[s*VCS+:VCS];
      assign node_valid_o[s] = valid[0];
      assign node_kind_o[s*3+:3] = kind[2:0];
      assign node_vc_o[s] = vc[0];
      assign node_data_o[s*DATA_W+:DATA_W] = data[DATA_W-1:0];
      assign node_credit_o[s*VCS+:VCS] = credit[VCS-1:0];
    end

    for (s = 0; s < SIDE * SIDE; s = s + 1) begin : link
      genvar p;
      for (p = 1; p < P; p = p + 1) begin : port
        // Port 1 looks to x+1, 2 to x-1, 3 to y+1, 4 to y-1; the far port looks back.
        localparam THERE = (p == 1) ? (s % SIDE < SIDE - 1) : (p == 2) ? (s % SIDE > 0)
                         : (p == 3) ? (s / SIDE < SIDE - 1) : (s / SIDE > 0);
        localparam FAR = (p == 1) ? s + 1 : (p == 2) ? s - 1 : (p == 3) ? s + SIDE : s - SIDE;
        localparam Q = (p % 2 == 1) ? p + 1 : p - 1;
        if (THERE) begin : wired
          assign at[s].in_valid[p] = at[FAR].valid[Q];
          assign at[s].in_kind[p*3+:3] = at[FAR].kind[Q*3+:3];
          assign at[s].in_vc[p] = at[FAR].vc[Q];
          assign at[s].in_data[p*DATA_W+:DATA_W] = at[FAR].data[Q*DATA_W+:DATA_W];
          assign at[s].in_credit[p*VCS+:VCS] = at[FAR].credit[Q*VCS+:VCS];
        end else begin : tied
          assign at[s].in_valid[p] = 1'b0;
          assign at[s].in_kind[p*3+:3] = 3'b000;
          assign at[s].in_vc[p] = 1'b0;
          assign at[s].in_data[p*DATA_W+:DATA_W] = {DATA_W{1'b0}};
          assign at[s].in_credit[p*VCS+:VCS] = {VCS{1'b0}};
          wire unused = &{1'b0, at[s].valid[p], at[s].kind[p*3+:3], at[s].vc[p],
                          at[s].data[p*DATA_W+:DATA_W], at[s].credit[p*VCS+:VCS]};
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
