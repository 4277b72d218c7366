// Round-robin choice: the first request at or cyclically after a pointer (§2.5, §11.5).
// SPDX-License-Identifier: Apache-2.0
//
// Several sets of requests may share a pointer: a choice is made in each, and the pointer moves
// behind one of them. So who asks may learn what it would get before it is known who gets it.
//
// The pointer is kept as a mask: bit i is 1 where i >= pointer, and pointer 0 is the empty mask.
// Requests come late, the pointer is there from the start. So each of a few requesters looks at once
// whether any of those that come before it asks, which is two look-up tables for five of them. That
// is N * N bits; many requesters find the first bit of the requests from the pointer on with all
// requests above them, by doubling. The lowest bit of x is x & -x, too, but a subtraction becomes a
// chain of carries, in the midst of the switch's longest path. `next_o` shows the pointer as a
// number (§6.5).
//
// Invariants: a pick has at most one bit, a requested one, and has one whenever there is a
// request; the mask is a thermometer that never covers bit 0.
`default_nettype none

module hd_rr_arbiter #(
    parameter N      = 4,  // requesters, 1-256
    parameter NEXT_W = 4,  // bits of next_o, 1-8: holds N - 1
    parameter SETS   = 1   // sets of requests, at least 1
) (
    input  wire              clk,
    input  wire              rst,
    // requests and the choice among them, in the same cycle, one set after the other
    input  wire [SETS*N-1:0] req_i,
    output reg  [SETS*N-1:0] pick_o,
    // 1: the pointer moves behind the choice in this set (one bit)
    input  wire              advance_i,
    input  wire [  SETS-1:0] set_i,
    // pointer as a number
    output wire [NEXT_W-1:0] next_o
);

  localparam [N-1:0] NONE = {N{1'b0}};
  localparam [SETS*N-1:0] NOBODY = {SETS * N{1'b0}};
  localparam [N-1:0] FIRST = {{(N - 1) {1'b0}}, 1'b1};
  localparam FEW = 16;  // requesters that look at each other

  reg [N-1:0] from_q;

  integer s;
  reg [N-1:0] req;
  generate
    if (N <= FEW) begin : few
      integer r;
      reg [SETS*N-1:0] here;  // requester r of set s
      reg [N-1:0] below;  // those below r; in turn they come before it from the pointer on
      always @* begin
        pick_o = NOBODY;
        here   = {{(SETS * N - 1) {1'b0}}, 1'b1};
        req    = NONE;
        below  = NONE;
        if (req_i != NOBODY)
          for (s = 0; s < SETS; s = s + 1) begin
            req   = req_i[s*N+:N];
            below = NONE;
            for (r = 0; r < N; r = r + 1) begin
              if (req[r] && ((req & (from_q[r] ? from_q & below : from_q | below)) == NONE)) pick_o = pick_o | here;
              below = (below << 1) | FIRST;
              here  = here << 1;
            end
          end
      end
    end else begin : many
      // bits above the lowest one
      function [2*N-1:0] above(input [2*N-1:0] bits);
        integer k;
        begin
          above = bits << 1;
          for (k = 1; k < 2 * N; k = 2 * k) above = above | (above << k);
        end
      endfunction
      // requests from the pointer on, and all of them after these; the first
      reg [2*N-1:0] both, first;
      always @* begin
        pick_o = NOBODY;
        req    = NONE;
        both   = {2 * N{1'b0}};
        first  = {2 * N{1'b0}};
        if (req_i != NOBODY)
          for (s = 0; s < SETS; s = s + 1) begin
            req   = req_i[s*N+:N];
            both  = {req, req & from_q};
            first = both & ~above(both);
            pick_o[s*N+:N] = first[2*N-1:N] | first[N-1:0];
          end
      end
    end
  endgenerate

  // the pointer
  function [N-1:0] behind(input [N-1:0] choice);
    integer k;
    begin
      behind = choice << 1;
      for (k = 1; k < N; k = 2 * k) behind = behind | (behind << k);
    end
  endfunction
  reg [N-1:0] choice;
  integer c;
  always @* begin
    choice = NONE;
    if (advance_i) for (c = 0; c < SETS; c = c + 1) choice = choice | ({N{set_i[c]}} & pick_o[c*N+:N]);
  end
  always @(posedge clk)
    if (rst) from_q <= NONE;
    else if (advance_i) from_q <= behind(choice);

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
  // 1 the pointer is a legal one       2 one choice a set, a requested one, if there is any
  // 3 the choice is the one of §2.5    4 the pointer moves behind the choice of the set, or stays
  reg f_started = 1'b0;
  reg [7:0] f_next_q;
  reg [7:0] f_moved;
  integer f_k;
  always @* begin
    f_moved = next_o;
    for (f_k = 0; f_k < SETS; f_k = f_k + 1) if (advance_i && set_i[f_k]) f_moved = (f_choices[f_k*8+:8] + 1) % N;
  end
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_next_q  <= rst ? 8'd0 : f_moved;
  end
  always @* begin
    if (!f_started) assume (rst);
    if (f_started) begin
      assert (!from_q[0] && (((from_q << 1) & ~from_q) == NONE));
      assert (next_o == f_next_q);
    end
  end
  wire [SETS*8-1:0] f_choices;
  genvar g;
  generate
    for (g = 0; g < SETS; g = g + 1) begin : f_set
      wire [N-1:0] f_req = req_i[g*N+:N];
      reg [7:0] f_choice;
      integer f_r;
      always @* begin
        f_choice = 8'd0;
        for (f_r = N - 1; f_r >= 0; f_r = f_r - 1)
          if (f_req[(next_o+f_r)%N]) f_choice = (next_o + f_r) % N;
      end
      assign f_choices[g*8+:8] = f_choice;
      always @* begin
`ifdef FORMAL_hd_rr_arbiter
        assume (!advance_i || (set_i[g] ? (f_req != NONE) && (set_i == (1 << g)) : set_i != 0));
`else
        if (f_started && !rst)
          assert (!advance_i || (set_i[g] ? (f_req != NONE) && (set_i == (1 << g)) : set_i != 0));
`endif
        if (f_started)
          assert (pick_o[g*N+:N] == ((f_req == NONE) ? NONE : {{(N - 1) {1'b0}}, 1'b1} << f_choice));
      end
    end
  endgenerate
`endif

endmodule

`default_nettype wire
