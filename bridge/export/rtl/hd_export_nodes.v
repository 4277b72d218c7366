// Traffic on chip: at each node of a fabric a source, which sends as in §4.1, and a sink (§9.8).
// SPDX-License-Identifier: Apache-2.0
//
// With BARRIER each node is also a member of barrier group 0. Vectors hold node n at index n, node
// 0 in the lowest bits. The first cycle without rst is cycle 0, or cycle 4 with BARRIER.
`default_nettype none

module hd_export_nodes #(
    parameter NODE_COUNT = 4,
    parameter VCS        = 2,   // 1-8
    parameter DATA_W     = 16,  // 16, 32, 64
    parameter DEPTH      = 4,   // 1-64
    parameter CUT_FLITS  = 0,   // 0-DEPTH
    parameter NODE_W     = 2,   // bits of a node's number in headers of mode 0 (§1.3)
    parameter SOURCE     = 1,   // 1: headers contain the source
    // a source without a packet begins one in LOAD of 256 cycles
    parameter LOAD       = 64,
    parameter BEATS      = 4,   // most beats of a packet, 1-4
    parameter BARRIER    = 0,   // BARRIER of the switches, 0-2
    parameter GAP        = 6,   // bits of a wait before a node arrives at a barrier, 0-16
    parameter VC_W       = (VCS > 1) ? $clog2(VCS) : 1  // derived, not to be set
) (
    input  wire                         clk,
    input  wire                         rst,
    // to the fabric
    output wire [       NODE_COUNT-1:0] valid_o,
    output wire [     NODE_COUNT*3-1:0] kind_o,
    output wire [  NODE_COUNT*VC_W-1:0] vc_o,
    output wire [NODE_COUNT*DATA_W-1:0] data_o,
    input  wire [   NODE_COUNT*VCS-1:0] credit_i,
    input  wire [       NODE_COUNT-1:0] barrier_credit_i,
    // from the fabric
    input  wire [       NODE_COUNT-1:0] valid_i,
    input  wire [     NODE_COUNT*3-1:0] kind_i,
    input  wire [  NODE_COUNT*VC_W-1:0] vc_i,
    input  wire [NODE_COUNT*DATA_W-1:0] data_i,
    output wire [   NODE_COUNT*VCS-1:0] credit_o,
    output wire [       NODE_COUNT-1:0] barrier_credit_o
);

  genvar n;
  generate
    for (n = 0; n < NODE_COUNT; n = n + 1) begin : node
      wire valid, ready, last, done;
      wire [DATA_W-1:0] data;
      wire [NODE_W-1:0] dest;
      wire [31:0] count, sum;
      wire [2:0] kind;
      wire [VC_W-1:0] vc;
      wire [DATA_W-1:0] packet_data, message_data;
      wire sends, packet_valid, message_valid;
      wire [2:0] message_kind;
      // the flit takes a slot, since it is no message and no padding control
      wire slot = (BARRIER == 0) || !kind_i[n*3+2] || (kind_i[n*3+:2] == 2'b11);
      hd_export_source #(
          .DATA_W(DATA_W),
          .NODE_W(NODE_W),
          .NODES (NODE_COUNT),
          .NODE  (n),
          .BEATS (BEATS),
          .LOAD  (LOAD)
      ) u_source (
          .clk     (clk),
          .rst     (rst),
          .go_i    (1'b1),
          .tvalid_o(valid),
          .tready_i(ready && !sends),
          .tdata_o (data),
          .tlast_o (last),
          .tdest_o (dest),
          .count_o (count),
          .sum_o   (sum),
          .done_o  (done)
      );
      wire unused = &{1'b0, count, sum, done};
      hd_export_packetiser #(
          .VCS      (VCS),
          .DATA_W   (DATA_W),
          .DEPTH    (DEPTH),
          .CUT_FLITS(CUT_FLITS),
          .NODE_W   (NODE_W),
          .NODES    (NODE_COUNT),
          .NODE     (n),
          .SOURCE   (SOURCE)
      ) u_packetiser (
          .clk       (clk),
          .rst       (rst),
          .go_i      (1'b1),
          .s_tvalid_i(valid && !sends),
          .s_tready_o(ready),
          .s_tdata_i (data),
          .s_tlast_i (last),
          .s_tdest_i (dest),
          .valid_o   (packet_valid),
          .kind_o    (kind),
          .vc_o      (vc),
          .data_o    (packet_data),
          .credit_i  (credit_i[n*VCS+:VCS])
      );
      // Messages start on channel 0.
      assign valid_o[n] = packet_valid || message_valid;
      assign kind_o[n*3+:3] = message_valid ? message_kind : kind;
      assign vc_o[n*VC_W+:VC_W] = message_valid ? {VC_W{1'b0}} : vc;
      assign data_o[n*DATA_W+:DATA_W] = message_valid ? message_data : packet_data;
      if (BARRIER != 0) begin : member
        hd_export_barrier #(
            .VCS   (VCS),
            .DATA_W(DATA_W),
            .NODE  (n),
            .GAP   (GAP)
        ) u_barrier (
            .clk     (clk),
            .rst     (rst),
            .valid_i (valid_i[n]),
            .kind_i  (kind_i[n*3+:3]),
            .vc_i    (vc_i[n*VC_W+:VC_W]),
            .data_i  (data_i[n*DATA_W+:DATA_W]),
            .credit_o(barrier_credit_o[n]),
            .sends_o (sends),
            .valid_o (message_valid),
            .kind_o  (message_kind),
            .data_o  (message_data),
            .credit_i(barrier_credit_i[n])
        );
      end else begin : no_member
        assign {sends, message_valid, message_kind, message_data, barrier_credit_o[n]} = {(DATA_W + 6) {1'b0}};
        wire unused_pins = &{1'b0, barrier_credit_i[n], kind_i[n*3+:3], data_i[n*DATA_W+:DATA_W]};
      end
      hd_export_drain #(
          .VCS(VCS)
      ) u_drain (
          .clk     (clk),
          .rst     (rst),
          .valid_i (valid_i[n] && slot),
          .vc_i    (vc_i[n*VC_W+:VC_W]),
          .credit_o(credit_o[n*VCS+:VCS])
      );
    end
  endgenerate

endmodule

`default_nettype wire
