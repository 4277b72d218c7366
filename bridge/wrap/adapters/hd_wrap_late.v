// Delays a number by LATE cycles.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_wrap_late #(
    parameter WIDTH = 4,
    parameter LATE = 1    // 0: no delay
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [WIDTH-1:0] number_i,
    output wire [WIDTH-1:0] number_o
);

  generate
    if (LATE == 0) begin : at_once
      assign number_o = number_i;
      wire unused = &{1'b0, clk, rst};
    end else begin : later
      reg [LATE*WIDTH-1:0] past_q;
      wire [(LATE+1)*WIDTH-1:0] past = {past_q, number_i};
      always @(posedge clk) past_q <= rst ? {LATE * WIDTH{1'b0}} : past[LATE*WIDTH-1:0];
      assign number_o = past_q[LATE*WIDTH-1-:WIDTH];
      wire unused = &{1'b0, past};
    end
  endgenerate

endmodule

`default_nettype wire
