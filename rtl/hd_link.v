// The register stages of a link of LINK cycles (§1.5), for flat fabrics.
// SPDX-License-Identifier: Apache-2.0
//
// The sender's output register counts as the first cycle, so this module has LINK - 1 stages; LINK = 1 is a plain
// wire. Flits go one way, credits the other.
`default_nettype none

module hd_link #(
    parameter LINK   = 1,  // length in cycles, 1-16
    parameter FLIT_W = 20, // bits of kind, vc and data together
    parameter VCS    = 2   // 1-8
) (
    input  wire              clk,
    input  wire              rst,
    // sender's end
    input  wire              valid_i,
    input  wire [FLIT_W-1:0] flit_i,
    output wire [   VCS-1:0] credit_o,
    // receiver's end
    output wire              valid_o,
    output wire [FLIT_W-1:0] flit_o,
    input  wire [   VCS-1:0] credit_i
);

  genvar d;
  generate
    if (LINK < 1 || LINK > 16) begin : illegal_link
      hd_link_LINK_must_be_1_to_16 illegal ();
    end
    for (d = 0; d < LINK; d = d + 1) begin : stage
      wire valid;
      wire [FLIT_W-1:0] flit;
      wire [VCS-1:0] credit;
      if (d == 0) begin : pins
        assign valid = valid_i;
        assign flit = flit_i;
        assign credit = credit_i;
      end else begin : register
        reg valid_q;
        reg [FLIT_W-1:0] flit_q;
        reg [VCS-1:0] credit_q;
        always @(posedge clk)
          if (rst) begin
            valid_q  <= 1'b0;
            credit_q <= {VCS{1'b0}};
          end else begin
            valid_q  <= stage[d-1].valid;
            credit_q <= stage[d-1].credit;
          end
        always @(posedge clk) if (stage[d-1].valid) flit_q <= stage[d-1].flit;
        assign valid = valid_q;
        assign flit = flit_q;
        assign credit = credit_q;
      end
    end
  endgenerate
  assign valid_o = stage[LINK-1].valid;
  assign flit_o = stage[LINK-1].flit;
  assign credit_o = stage[LINK-1].credit;
  generate
    if (LINK == 1) begin : wire_only
      wire unused = &{1'b0, clk, rst};
    end
  endgenerate

endmodule

`default_nettype wire
