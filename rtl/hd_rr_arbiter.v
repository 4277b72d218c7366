// Round-robin choice: the first request at or cyclically after a pointer (§2.5).
// SPDX-License-Identifier: Apache-2.0
//
// The pointer is kept as a mask: bit i is 1 where i >= pointer, and pointer 0 is
// the empty mask. So choosing is an AND and two lowest-bit tricks, and moving the
// pointer behind the choice needs no encoder. `next_o` shows it as a number (§6.5).
//
// Invariants: `pick_o` has at most one bit, a requested one, and has one whenever
// there is a request; the mask is a thermometer that never covers bit 0.
`default_nettype none

module hd_rr_arbiter #(
    parameter N = 4  // requesters, at least 1
) (
    input  wire         clk,
    input  wire         rst,
    // requests and the choice among them, in the same cycle
    input  wire [N-1:0] req_i,
    output wire [N-1:0] pick_o,
    // 1: the pointer moves behind the choice
    input  wire         advance_i,
    // pointer as a number
    output reg  [  3:0] next_o
);

  reg  [N-1:0] from_q;
  wire [N-1:0] at_or_after = req_i & from_q;
  wire [N-1:0] among = (at_or_after != {N{1'b0}}) ? at_or_after : req_i;
  assign pick_o = among & (~among + {{(N - 1) {1'b0}}, 1'b1});

  always @(posedge clk)
    if (rst) from_q <= {N{1'b0}};
    else if (advance_i) from_q <= ~(pick_o | (pick_o - {{(N - 1) {1'b0}}, 1'b1}));

  integer i;
  always @* begin
    next_o = 4'd0;
    for (i = N - 1; i > 0; i = i - 1) if (from_q[i]) next_o = i[3:0];
  end

endmodule

`default_nettype wire
