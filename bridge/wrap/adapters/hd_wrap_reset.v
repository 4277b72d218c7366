// The reset of a wrapped router: longer than Heddle's, and a time after it in which all pins stay idle.
// SPDX-License-Identifier: Apache-2.0
//
// Heddle's reset lasts one cycle. Many routers register theirs, or count in it, and are not ready before some cycles have
// passed. Flits that come meanwhile wait in the input adapters. The router is in reset from the beginning on, as a power-on
// reset does: it must not see a clock edge with registers that have no meaning yet, which its assertions may look at.
`default_nettype none

module hd_wrap_reset #(
    parameter CYCLES = 8,  // 0 or more: the router's reset lasts one cycle and as many more
    parameter SETTLE = 8   // 0 or more: cycles after that
) (
    input  wire clk,
    input  wire rst,
    output reg  reset_o,  // active high, a register: it may be an asynchronous reset
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
