// A network interface that receives (§4.2): accepts every flit at once and gives its credit back in the next cycle.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_export_drain #(
    parameter VCS  = 2,  // 1-8
    parameter VC_W = (VCS > 1) ? $clog2(VCS) : 1  // derived, not to be set
) (
    input  wire            clk,
    input  wire            rst,
    input  wire            valid_i,
    input  wire [VC_W-1:0] vc_i,
    output reg  [ VCS-1:0] credit_o
);

  genvar v;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : vc
      localparam [31:0] NUMBER = v;
      always @(posedge clk) credit_o[v] <= !rst && valid_i && (vc_i == NUMBER[VC_W-1:0]);
    end
  endgenerate

endmodule

`default_nettype wire
