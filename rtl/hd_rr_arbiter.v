// Round-robin choice: the first request at or cyclically after a pointer (§2.5, §11.5).
// SPDX-License-Identifier: Apache-2.0
//
// Several sets of requests may share a pointer: a choice is made in each, and the pointer moves
// behind one of them. So who asks may learn what it would get before it is known who gets it.
// Requester r of set s is bit r * SETS + s, so that a simulator looks at all sets at once.
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
    // requests and the choice among them, in the same cycle
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
  localparam FEW = 16;  // requesters that look at each other

  reg [N-1:0] from_q;

  integer r;
  reg [SETS*N-1:0] from;  // the mask for each set
  generate
    if (N <= FEW) begin : few
      integer d;
      // for each requester the one d before it: is it from the pointer on, is its number less; does
      // any that comes before ask
      reg [SETS*N-1:0] theirs, less, beaten;
      always @* begin
        pick_o = NOBODY;
        from   = NOBODY;
        theirs = NOBODY;
        less   = ~NOBODY;
        beaten = NOBODY;
        if (req_i != NOBODY) begin
          for (r = 0; r < N; r = r + 1) from[r*SETS+:SETS] = {SETS{from_q[r]}};
          for (d = 1; d < N; d = d + 1) begin
            less   = less << SETS;
            theirs = (from << (d * SETS)) | (from >> ((N - d) * SETS));
            beaten = beaten | (((req_i << (d * SETS)) | (req_i >> ((N - d) * SETS))) &
                ((from & theirs & less) | (~from & (theirs | less))));
          end
          pick_o = req_i & ~beaten;
        end
      end
    end else begin : many
      // bits above the lowest one of each set
      function [2*SETS*N-1:0] above(input [2*SETS*N-1:0] bits);
        integer k;
        begin
          above = bits << SETS;
          for (k = 1; k < 2 * N; k = 2 * k) above = above | (above << (k * SETS));
        end
      endfunction
      // requests from the pointer on, and all of them after these; the first
      reg [2*SETS*N-1:0] both, first;
      always @* begin
        pick_o = NOBODY;
        from   = NOBODY;
        both   = {2 * SETS * N{1'b0}};
        first  = {2 * SETS * N{1'b0}};
        if (req_i != NOBODY) begin
          for (r = 0; r < N; r = r + 1) from[r*SETS+:SETS] = {SETS{from_q[r]}};
          both   = {req_i, req_i & from};
          first  = both & ~above(both);
          pick_o = first[2*SETS*N-1:SETS*N] | first[SETS*N-1:0];
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
    if (advance_i) for (c = 0; c < N; c = c + 1) choice[c] = (set_i & pick_o[c*SETS+:SETS]) != {SETS{1'b0}};
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
  localparam [8:0] F_N = N;  // a solver takes long over remainders of 32 bits
  integer f_k;
  always @* begin
    f_moved = next_o;
    for (f_k = 0; f_k < SETS; f_k = f_k + 1) if (advance_i && set_i[f_k]) f_moved = ({1'b0, f_choices[f_k*8+:8]} + 9'd1) % F_N;
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
      wire [N-1:0] f_req, f_pick;
      for (i = 0; i < N; i = i + 1) begin : f_requester
        assign f_req[i]  = req_i[i*SETS+g];
        assign f_pick[i] = pick_o[i*SETS+g];
      end
      reg [7:0] f_choice;
      reg [8:0] f_at;
      integer f_r;
      always @* begin
        f_choice = 8'd0;
        f_at = 9'd0;
        for (f_r = N - 1; f_r >= 0; f_r = f_r - 1) begin
          f_at = next_o + f_r;
          f_at = f_at % F_N;
          if (f_req[f_at]) f_choice = f_at;
        end
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
          assert (f_pick == ((f_req == NONE) ? NONE : {{(N - 1) {1'b0}}, 1'b1} << f_choice));
      end
    end
  endgenerate
`endif

endmodule

`default_nettype wire
