// Two channels that share nothing: each is an xy_router with pins of its own, and both send at once.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module xy_lanes #(
    parameter W  = 32,
    parameter FW = W + 13
) (
    input  wire             clk,
    input  wire             rst_n,
    input  wire [      3:0] my_x,
    input  wire [      3:0] my_y,
    input  wire [      9:0] in_valid,
    input  wire [10*FW-1:0] in_flit,
    output wire [      9:0] in_ready,
    output wire [      4:0] out_valid_0,
    output wire [      4:0] out_valid_1,
    output wire [ 5*FW-1:0] out_flit_0,
    output wire [ 5*FW-1:0] out_flit_1,
    input  wire [      4:0] out_ready_0,
    input  wire [      4:0] out_ready_1
);

  genvar v, p;
  generate
    for (v = 0; v < 2; v = v + 1) begin : channel
      wire [4:0] valid, ready, leaves;
      wire [5*FW-1:0] flit, left;
      for (p = 0; p < 5; p = p + 1) begin : port
        assign valid[p] = in_valid[2*p+v];
        assign flit[p*FW+:FW] = in_flit[(2*p+v)*FW+:FW];
        assign in_ready[2*p+v] = ready[p];
      end
      xy_router #(
          .W   (W),
          .FLOW(0)
      ) u_router (
          .clk      (clk),
          .rst_n    (rst_n),
          .my_x     (my_x),
          .my_y     (my_y),
          .in_valid (valid),
          .in_flit  (flit),
          .in_back  (ready),
          .out_valid(leaves),
          .out_flit (left),
          .out_back (v == 0 ? out_ready_0 : out_ready_1),
          .empty    ()
      );
    end
  endgenerate
  assign out_valid_0 = channel[0].leaves;
  assign out_valid_1 = channel[1].leaves;
  assign out_flit_0 = channel[0].left;
  assign out_flit_1 = channel[1].left;

endmodule

`default_nettype wire
