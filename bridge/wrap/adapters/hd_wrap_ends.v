// Marks first and last flits of packets from a router that puts the length into the first flit.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_wrap_ends #(
    parameter CHANNELS = 1,
    parameter VC_W = 1,
    parameter LENGTH_W = 8,
    parameter REST = 0      // 1: the length does not count the head
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                take_i,    // the flit is taken
    input  wire [    VC_W-1:0] vc_i,
    input  wire [LENGTH_W-1:0] length_i,  // used only with heads
    output wire                head_o,
    output wire                tail_o
);

  reg [CHANNELS*LENGTH_W-1:0] left_q;  // number of flits after this one
  wire [LENGTH_W-1:0] left = left_q[vc_i*LENGTH_W+:LENGTH_W];
  wire [LENGTH_W-1:0] rest = ((REST != 0) || (length_i == {LENGTH_W{1'b0}})) ? length_i : length_i - 1'b1;
  wire [LENGTH_W-1:0] after = head_o ? rest : left - 1'b1;
  assign head_o = left == {LENGTH_W{1'b0}};
  assign tail_o = after == {LENGTH_W{1'b0}};

  always @(posedge clk)
    if (rst) left_q <= {CHANNELS * LENGTH_W{1'b0}};
    else if (take_i) left_q[vc_i*LENGTH_W+:LENGTH_W] <= after;

endmodule

`default_nettype wire
