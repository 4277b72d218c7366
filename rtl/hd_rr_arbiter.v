// Round-robin choice: the first request at or cyclically after a pointer (§2.5, §11.5).
// SPDX-License-Identifier: Apache-2.0
//
// The pointer is kept as a mask: bit i is 1 where i >= pointer, and pointer 0 is
// the empty mask. So choosing is finding the first bit of the requests from the pointer
// on with all requests above them, and moving the pointer behind the choice needs no
// encoder. `next_o` shows it as a number (§6.5).
//
// Both are prefixes, "a bit below is 1", by doubling. The lowest bit of x is x & -x, too,
// but a subtraction becomes a chain of carries, in the midst of the switch's longest path.
//
// Invariants: `pick_o` has at most one bit, a requested one, and has one whenever
// there is a request; the mask is a thermometer that never covers bit 0.
`default_nettype none

module hd_rr_arbiter #(
    parameter N      = 4,  // requesters, 1-256
    parameter NEXT_W = 4   // bits of next_o, 1-8: holds N - 1
) (
    input  wire              clk,
    input  wire              rst,
    // requests and the choice among them, in the same cycle
    input  wire [     N-1:0] req_i,
    output reg  [     N-1:0] pick_o,
    // 1: the pointer moves behind the choice
    input  wire              advance_i,
    // pointer as a number
    output wire [NEXT_W-1:0] next_o
);

  localparam [N-1:0] NONE = {N{1'b0}};
  localparam [2*N-1:0] NEITHER = {2 * N{1'b0}};

  reg [N-1:0] from_q;

  // bits above the lowest one, for the choice and for the pointer
  function [2*N-1:0] above(input [2*N-1:0] bits);
    integer k;
    begin
      above = bits << 1;
      for (k = 1; k < 2 * N; k = 2 * k) above = above | (above << k);
    end
  endfunction
  function [N-1:0] behind(input [N-1:0] choice);
    integer k;
    begin
      behind = choice << 1;
      for (k = 1; k < N; k = 2 * k) behind = behind | (behind << k);
    end
  endfunction

  // requests from the pointer on, and all of them after these; the first
  reg [2*N-1:0] both, first;
  always @* begin
    both   = NEITHER;
    first  = NEITHER;
    pick_o = NONE;
    if (req_i != NONE) begin
      both   = {req_i, req_i & from_q};
      first  = both & ~above(both);
      pick_o = first[2*N-1:N] | first[N-1:0];
    end
  end

  always @(posedge clk)
    if (rst) from_q <= NONE;
    else if (advance_i) from_q <= behind(pick_o);

  // A chain of expressions, which a simulator evaluates only while it writes waves.
  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : encode
      wire [NEXT_W-1:0] number;
      if (i == 0) assign number = {NEXT_W{1'b0}};
      else assign number = encode[i-1].number | ({NEXT_W{from_q[i] & ~from_q[i-1]}} & i[NEXT_W-1:0]);
    end
  endgenerate
  assign next_o = encode[N-1].number;

`ifdef FORMAL
  // 1 the pointer is a legal one       2 one choice, a requested one, if there is any
  // 3 the choice is the one of §2.5    4 the pointer moves behind the choice, or stays
  reg f_started = 1'b0;
  reg [7:0] f_next_q;
  reg [7:0] f_choice;
  integer f_k;
  always @* begin
    f_choice = 8'd0;
    for (f_k = N - 1; f_k >= 0; f_k = f_k - 1)
      if (req_i[(next_o+f_k)%N]) f_choice = (next_o + f_k) % N;
  end
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_next_q  <= rst ? 8'd0 : advance_i ? (f_choice + 1) % N : next_o;
  end
  always @* begin
    if (!f_started) assume (rst);
`ifdef FORMAL_hd_rr_arbiter
    assume (!advance_i || (req_i != NONE));
`else
    if (f_started && !rst) assert (!advance_i || (req_i != NONE));
`endif
    if (f_started) begin
      assert (!from_q[0] && (((from_q << 1) & ~from_q) == NONE));
      assert (next_o == f_next_q);
      assert (pick_o == ((req_i == NONE) ? NONE : {{(N - 1) {1'b0}}, 1'b1} << f_choice));
    end
  end
`endif

endmodule

`default_nettype wire
