// The reset of a wrapped router. It is longer than Heddle's reset, and all pins stay idle for some cycles after it.
// SPDX-License-Identifier: Apache-2.0
//
// Heddle's reset lasts one cycle. Many routers register their reset, or count during it, and are
// ready only some cycles later. Flits that come meanwhile wait in the input adapters. The router is
// in reset from power-up on. Otherwise its assertions might read registers that have no value yet.
`default_nettype none

module hd_wrap_reset #(
    parameter CYCLES = 8,  // 0 or more: the router's reset lasts one cycle plus this many
    parameter SETTLE = 8   // 0 or more: idle cycles after that
) (
    input  wire clk,
    input  wire rst,
    output reg  reset_o,  // active high; a register, since it may be an asynchronous reset
    output wire go_o      // 1: the router may be used
);

  reg [15:0] left_q;
  initial begin
    left_q  = CYCLES[15:0] + SETTLE[15:0] + 16'd1;
    reset_o = 1'b1;
  end
  assign go_o = left_q == 16'd0;

  always @(posedge clk)
    if (rst) begin
      left_q  <= CYCLES[15:0] + SETTLE[15:0] + 16'd1;
      reset_o <= 1'b1;
    end else begin
      if (left_q != 16'd0) left_q <= left_q - 16'd1;
      reset_o <= left_q > SETTLE[15:0] + 16'd1;
    end

endmodule

`default_nettype wire
