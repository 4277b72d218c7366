// xy_router with credits that name their channel, and ports in another order: x+1, x-1, y+1, y-1, node.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module xy_numbered #(
    parameter W  = 40,
    parameter FW = W + 13
) (
    input  wire            clk,
    input  wire            rst_n,
    input  wire [     3:0] my_x,
    input  wire [     3:0] my_y,
    input  wire [     4:0] in_valid,
    input  wire [5*FW-1:0] in_flit,
    output wire [     4:0] in_credit,
    output wire [     4:0] in_credit_vc,
    output wire [     4:0] out_valid,
    output wire [5*FW-1:0] out_flit,
    input  wire [     4:0] out_credit,
    input  wire [     4:0] out_credit_vc
);

  wire [9:0] in_back, out_back;
  wire [5*FW-1:0] left;
  wire [4:0] leaves;
  genvar p;
  generate
    for (p = 0; p < 5; p = p + 1) begin : port
      localparam FROM = (p + 1) % 5;  // port of xy_router
      assign in_credit[p] = |in_back[2*FROM+:2];
      assign in_credit_vc[p] = in_back[2*FROM+1];
      assign out_back[2*FROM+:2] = {out_credit[p] && out_credit_vc[p], out_credit[p] && !out_credit_vc[p]};
      assign out_valid[p] = leaves[FROM];
      assign out_flit[p*FW+:FW] = left[FROM*FW+:FW];
    end
  endgenerate

  xy_router #(
      .VCS (2),
      .W   (W),
      .FLOW(2),
      .NEXT(6)
  ) u_router (
      .clk      (clk),
      .rst_n    (rst_n),
      .my_x     (my_x),
      .my_y     (my_y),
      .in_valid ({in_valid[3:0], in_valid[4]}),
      .in_flit  ({in_flit[0+:4*FW], in_flit[4*FW+:FW]}),
      .in_back  (in_back),
      .out_valid(leaves),
      .out_flit (left),
      .out_back (out_back),
      .empty    ()
  );

endmodule

`default_nettype wire
