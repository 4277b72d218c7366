// Traffic on chip: at each node of a fabric a source, which sends as §4.1 says, and a sink (§9.8).
// SPDX-License-Identifier: Apache-2.0
//
// Vectors hold node n at n, the first one in the lowest bits. Cycle 0 is the first one without rst.
`default_nettype none

module hd_export_nodes #(
    parameter NODE_COUNT = 4,
    parameter VCS        = 2,   // 1-8
    parameter DATA_W     = 16,  // 16, 32, 64
    parameter DEPTH      = 4,   // 1-64
    parameter CUT_FLITS  = 0,   // 0-DEPTH
    parameter NODE_W     = 2,   // bits of a node's number in headers of mode 0 (§1.3)
    parameter SOURCE     = 1,   // 1: headers say the source, too
    parameter LOAD       = 64,  // a packet begins in LOAD of 256 cycles in which a source has none
    parameter BEATS      = 4,   // of a packet, at most, 1-4
    parameter VC_W       = (VCS > 1) ? $clog2(VCS) : 1  // derived, not to be set
) (
    input  wire                         clk,
    input  wire                         rst,
    // into the fabric
    output wire [       NODE_COUNT-1:0] valid_o,
    output wire [     NODE_COUNT*3-1:0] kind_o,
    output wire [  NODE_COUNT*VC_W-1:0] vc_o,
    output wire [NODE_COUNT*DATA_W-1:0] data_o,
    input  wire [   NODE_COUNT*VCS-1:0] credit_i,
    // out of it
    input  wire [       NODE_COUNT-1:0] valid_i,
    input  wire [  NODE_COUNT*VC_W-1:0] vc_i,
    output wire [   NODE_COUNT*VCS-1:0] credit_o
);

  genvar n;
  generate
    for (n = 0; n < NODE_COUNT; n = n + 1) begin : node
      wire valid, ready, last, done;
      wire [DATA_W-1:0] data;
      wire [NODE_W-1:0] dest;
      wire [31:0] count, sum;
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
          .tready_i(ready),
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
          .s_tvalid_i(valid),
          .s_tready_o(ready),
          .s_tdata_i (data),
          .s_tlast_i (last),
          .s_tdest_i (dest),
          .valid_o   (valid_o[n]),
          .kind_o    (kind_o[n*3+:3]),
          .vc_o      (vc_o[n*VC_W+:VC_W]),
          .data_o    (data_o[n*DATA_W+:DATA_W]),
          .credit_i  (credit_i[n*VCS+:VCS])
      );
      hd_export_drain #(
          .VCS(VCS)
      ) u_drain (
          .clk     (clk),
          .rst     (rst),
          .valid_i (valid_i[n]),
          .vc_i    (vc_i[n*VC_W+:VC_W]),
          .credit_o(credit_o[n*VCS+:VCS])
      );
    end
  endgenerate

endmodule

`default_nettype wire
