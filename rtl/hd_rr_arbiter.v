// Round-robin choice: the first request at or cyclically after a pointer (§2.5, §11.5).
// SPDX-License-Identifier: Apache-2.0
//
// Several sets of requests may share a pointer: each set gets a choice of its own, and the pointer moves past one of
// them. So a requester can see what it would get before the winner is known. Requester r of set s is bit s * N + r.
//
// The pointer is kept as a mask: bit i is 1 where i >= pointer, and pointer 0 is the empty mask. Requests come
// late, the pointer is known from the start. Up to FEW requesters, each one checks in parallel whether one before
// it asks: two look-up tables for five requesters, but N * N bits. With more than FEW, the requests from the
// pointer on stand below all requests, and the first bit is found by doubling. The lowest bit of x is x & -x, too,
// but a subtraction becomes a chain of carries in the switch's longest path. `next_o` shows the pointer as a number
// (§6.5).
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
    // 1: the pointer moves past the choice in this set (one bit; none: it stays)
    input  wire              advance_i,
    input  wire [  SETS-1:0] set_i,
    // pointer as a number
    output wire [NEXT_W-1:0] next_o
);

  localparam [N-1:0] NONE = {N{1'b0}};
  localparam [SETS*N-1:0] NOBODY = {SETS * N{1'b0}};
  localparam FEW = 16;  // most requesters that are compared in parallel

  reg [N-1:0] from_q;

  generate
    if (N <= FEW) begin : few
      // For each requester, looks at the one d before it: is that at or after the pointer, has it the lower number,
      // does it come first? A requester is beaten if one that comes first asks.
      reg [N-1:0] theirs, less, first;
      reg [SETS*N-1:0] beaten;
      integer d;
      always @* begin
        pick_o = NOBODY;
        theirs = NONE;
        less   = ~NONE;
        first  = NONE;
        beaten = NOBODY;
        if (req_i != NOBODY) begin
          for (d = 1; d < N; d = d + 1) begin
            theirs = (from_q << d) | (from_q >> (N - d));
            less   = less << 1;
            first  = (from_q & theirs & less) | (~from_q & (theirs | less));
            beaten = beaten |
                ({SETS{first}} & (((req_i << d) & {SETS{less}}) | ((req_i >> (N - d)) & ~{SETS{less}})));
          end
          pick_o = req_i & ~beaten;
        end
      end
    end else begin : many
      // all bits above the lowest bit that is 1
      function [2*N-1:0] above(input [2*N-1:0] bits);
        integer k;
        begin
          above = bits << 1;
          for (k = 1; k < 2 * N; k = 2 * k) above = above | (above << k);
        end
      endfunction
      // Requests from the pointer on, and all requests above these; the first bit of both.
      reg [N-1:0] req;
      reg [2*N-1:0] both, first;
      integer r;
      always @* begin
        pick_o = NOBODY;
        req    = NONE;
        both   = {2 * N{1'b0}};
        first  = {2 * N{1'b0}};
        if (req_i != NOBODY)
          for (r = 0; r < SETS; r = r + 1) begin
            req = req_i[r*N+:N];
            both = {req, req & from_q};
            first = both & ~above(both);
            pick_o[r*N+:N] = first[2*N-1:N] | first[N-1:0];
          end
      end
    end
  endgenerate

  // the pointer
  function [N-1:0] after(input [N-1:0] choice);
    integer k;
    begin
      after = choice << 1;
      for (k = 1; k < N; k = 2 * k) after = after | (after << k);
    end
  endfunction
  // advance_i and set_i come late, so they are used last: they select the bits of the pointer that change.
  reg [N-1:0] turned;
  integer c;
  always @* begin
    turned = NONE;
    if (advance_i)
      for (c = 0; c < SETS; c = c + 1) turned = turned | ({N{set_i[c]}} & (after(pick_o[c*N+:N]) ^ from_q));
  end
  always @(posedge clk)
    if (rst) from_q <= NONE;
    else from_q <= from_q ^ turned;

  // This is a chain of expressions. A simulator evaluates it only while it writes waves.
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
  // 3 the choice is the one of §2.5    4 the pointer moves past the choice of the set, or stays
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
      wire [N-1:0] f_req = req_i[g*N+:N];
      wire [N-1:0] f_pick = pick_o[g*N+:N];
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
        assume (!advance_i || !set_i[g] || ((f_req != NONE) && (set_i == (1 << g))));
`else
        if (f_started && !rst)
          assert (!advance_i || !set_i[g] || ((f_req != NONE) && (set_i == (1 << g))));
`endif
        if (f_started)
          assert (f_pick == ((f_req == NONE) ? NONE : {{(N - 1) {1'b0}}, 1'b1} << f_choice));
      end
    end
  endgenerate
`endif

endmodule

`default_nettype wire
