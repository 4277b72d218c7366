// Free slots behind one channel.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_wrap_credits #(
    parameter SLOTS = 4  // 1 or more: free after reset
) (
    input  wire clk,
    input  wire rst,
    input  wire spend_i,  // a flit was sent: only while some_o is 1
    input  wire gain_i,   // a slot became free
    output wire some_o
);

  localparam COUNT_W = $clog2(SLOTS + 1);
  reg [COUNT_W-1:0] free_q;
  assign some_o = free_q != {COUNT_W{1'b0}};

  always @(posedge clk)
    if (rst) free_q <= SLOTS[COUNT_W-1:0];
    else if (spend_i != gain_i) free_q <= gain_i ? free_q + 1'b1 : free_q - 1'b1;

`ifndef SYNTHESIS
  always @(posedge clk)
    if (!rst && gain_i && !spend_i && (free_q == SLOTS[COUNT_W-1:0])) begin
      $display("%m: a credit came for a slot that is free; the router gives more credits than it takes flits");
      $stop;
    end
`endif

endmodule

`default_nettype wire
