// Counts the free slots of one channel of a receiver.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_wrap_credits #(
    parameter SLOTS = 4,  // free slots after reset; 1 or more
    parameter GAIN_W = 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              spend_i,  // a flit was sent; only while some_o is 1
    input  wire [GAIN_W-1:0] gain_i,   // this many slots became free
    output wire              some_o
);

  localparam COUNT_W = $clog2(SLOTS + 1);
  localparam SUM_W = ((COUNT_W > GAIN_W) ? COUNT_W : GAIN_W) + 1;
  reg [COUNT_W-1:0] free_q;
  assign some_o = free_q != {COUNT_W{1'b0}};

  wire [SUM_W-1:0] sum = {{(SUM_W - COUNT_W) {1'b0}}, free_q} + {{(SUM_W - GAIN_W) {1'b0}}, gain_i};
  wire [SUM_W-1:0] left = sum - {{(SUM_W - 1) {1'b0}}, spend_i};
  always @(posedge clk) free_q <= rst ? SLOTS[COUNT_W-1:0] : left[COUNT_W-1:0];

`ifndef SYNTHESIS
  always @(posedge clk)
    if (!rst && (free_q <= SLOTS[COUNT_W-1:0]) && (sum > SLOTS[SUM_W-1:0]) && (left > SLOTS[SUM_W-1:0]))
      $error("a credit came for a slot that is free; the router gives more credits than it takes flits (%m)");
`endif

endmodule

`default_nettype wire
