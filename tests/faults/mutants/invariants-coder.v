// What is true of every reachable state of a switch with an XOR coder, and beside its mutant.
// SPDX-License-Identifier: Apache-2.0
//
// As invariants.v, for mutants of the coder (chapter 11), which leave all other registers alone.
`default_nettype none

// The pins of a memory with one port to write and one to read that needs no clock. The memory is not in the proof.
module hd_memory #(
    parameter SIZE = 2, OFFSET = 0, ABITS = 1, WIDTH = 1, RD_PORTS = 1, WR_PORTS = 1,
    parameter RD_CLK_ENABLE = 0, RD_CLK_POLARITY = 0, RD_CE_OVER_SRST = 0, RD_TRANSPARENCY_MASK = 0,
    parameter RD_COLLISION_X_MASK = 0, RD_WIDE_CONTINUATION = 0, RD_ARST_VALUE = 0, RD_SRST_VALUE = 0,
    parameter RD_INIT_VALUE = 0, WR_CLK_ENABLE = 1, WR_CLK_POLARITY = 1, WR_PRIORITY_MASK = 0,
    parameter WR_WIDE_CONTINUATION = 0
) (
    input  wire             RD_CLK, RD_EN, RD_ARST, RD_SRST, WR_CLK,
    input  wire [ABITS-1:0] RD_ADDR, WR_ADDR,
    output wire [WIDTH-1:0] RD_DATA,
    input  wire [WIDTH-1:0] WR_DATA, WR_EN
);

  generate
    if (RD_PORTS != 1 || WR_PORTS != 1 || RD_CLK_ENABLE || !WR_CLK_ENABLE || !WR_CLK_POLARITY || OFFSET != 0 ||
        SIZE != (1 << ABITS))
      hd_memory_of_another_kind u_other ();
  endgenerate

endmodule

// The same memory in both switches. At power-up both hold the same, as all registers do. While both are written the
// same, the same row of both holds the same, whatever that is. Of different rows they may read different things.
module hd_memory_pair #(
    parameter ABITS = 1, WIDTH = 1
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] row, other_row,  // anything
    input  wire [ABITS-1:0] g_RD_ADDR, h_RD_ADDR, g_WR_ADDR, h_WR_ADDR,
    output wire [WIDTH-1:0] g_RD_DATA, h_RD_DATA,
    input  wire [WIDTH-1:0] g_WR_DATA, h_WR_DATA, g_WR_EN, h_WR_EN,
    output reg              kept  // both were written the same in the cycle before, the reset's included
);

  assign g_RD_DATA = row;
  assign h_RD_DATA = (g_RD_ADDR == h_RD_ADDR) ? row : other_row;
  always @(posedge clk)
    kept <= (g_WR_EN == h_WR_EN) &&
        (g_WR_EN == 0 || ((g_WR_ADDR == h_WR_ADDR) && ((g_WR_DATA ^ h_WR_DATA) & g_WR_EN) == 0));

endmodule

// One switch alone.
module hd_coder_reachable #(
    parameter LOOSE = 0,
    parameter PORTS = 3, VCS = 2, DATA_W = 16, STAGES = 2, PLACES = 5, PLACE_W = 3, CYCLES = 2,
    parameter WATCH_W = 12 + PLACE_W, EVENT_W = 3 + PLACE_W
) (
    input  wire [ (PORTS+1)*STAGES-1:0] coder_select,
    input  wire                           picked, sending,
    input  wire [            PLACE_W-1:0] picked_pair, pair, place, its_place,
    input  wire                           above,
    input  wire [                    2:0] made_kind,
    input  wire [             DATA_W-1:0] made_data,
    input  wire [            PORTS*3-1:0] out_kind,
    input  wire [       PORTS*DATA_W-1:0] out_data,
    input  wire [                    3:0] last, flit,
    input  wire [               STAGES:0] made, upper,
    input  wire [             PLACES-1:0] filling, natives, codeds, work, high, pairs_from,
    input  wire [                VCS-1:0] watched,
    input  wire [        VCS*WATCH_W-1:0] watch,
    input  wire [             CYCLES-1:0] pending,
    input  wire [     CYCLES*EVENT_W-1:0] events,
    output reg                            ok
);

  // an arbiter's mask: all bits from the pointer on, none for 0; loosely, for 0 also bits 0 to any
  function mask_of_pointer(input [15:0] bits, input integer n);
    mask_of_pointer = bits[0] ? LOOSE && (bits & (bits + 16'd1)) == 16'd0 :
        (((bits << 1) & ((16'd1 << n) - 16'd1)) & ~bits) == 16'd0;
  endfunction

  // a packet for the upper or the lower place of a pair
  function of_pair(input its_upper, input [PLACE_W-1:0] its);
    of_pair = its_upper ? its != 0 && its < PLACES : its < PLACES - 1;
  endfunction

  integer d, v;
  reg [WATCH_W-1:0] w;
  reg [EVENT_W-1:0] e;
  reg [PORTS:0] s;
  always @* begin
    ok = mask_of_pointer(pairs_from, PLACES);
    // a place is in one state at most; the last one has no pair
    ok = ok && ((filling & natives) | (filling & codeds) | (natives & codeds)) == 0;
    ok = ok && !work[PLACES-1];
    if (picked) ok = ok && (picked_pair < PLACES - 1);
    if (sending) ok = ok && (pair < PLACES - 1) && (flit <= last);
    if (!sending) ok = ok && (flit == 0);
    // a flit that the coder was granted is on its way
    for (d = 0; d < STAGES; d = d + 1) begin
      s = coder_select[d*(PORTS+1)+:PORTS+1];
      ok = ok && (made[d] == s[PORTS]) && ((s & (s - 1'b1)) == 0);
    end
    ok = ok && ((upper & ~made) == 0);
    // 16 flits or more count as 16
    for (v = 0; v < VCS; v = v + 1) begin
      w = watch[v*WATCH_W+:WATCH_W];
      if (watched[v]) ok = ok && (w[WATCH_W-1-:5] <= 16);
    end
    // what the coder makes is of a pair, on its way to the pins and while it is watched: so nothing is made of the
    // last place with one above
    if (sending) ok = ok && (place == pair + above);
    if (made[0]) ok = ok && of_pair(upper[0], its_place);
    if (made[1] && made_kind[1]) ok = ok && of_pair(upper[1], made_data[DATA_W-3-:PLACE_W]);
    if (made[2] && out_kind[1]) ok = ok && of_pair(upper[2], out_data[DATA_W-3-:PLACE_W]);
    for (v = 0; v < VCS; v = v + 1) begin
      w = watch[v*WATCH_W+:WATCH_W];
      if (watched[v] && w[PLACE_W+2]) ok = ok && of_pair(w[PLACE_W+1], w[PLACE_W-1:0]);
    end
    for (d = 0; d < CYCLES; d = d + 1) begin
      e = events[d*EVENT_W+:EVENT_W];
      if (pending[d] && e[PLACE_W+2]) ok = ok && of_pair(e[PLACE_W+1], e[PLACE_W-1:0]);
    end
    if (!LOOSE) ok = ok && !high[PLACES-1];
  end

endmodule

// Two switches: where what they hold still matters, they hold the same.
module hd_coder_alike #(
    parameter LOOSE = 0,
    parameter VCS = 2, DATA_W = 16, STAGES = 2, PLACES = 5, PLACE_W = 3, CYCLES = 2,
    parameter WATCH_W = 12 + PLACE_W, EVENT_W = 3 + PLACE_W
) (
    input  wire                           same,  // what always has to be equal, is
    input  wire                           picked, sending,
    input  wire [                    3:0] flit,
    input  wire [               STAGES:0] made,
    input  wire [                VCS-1:0] watched,
    input  wire [             CYCLES-1:0] pending,
    input  wire [            PLACE_W-1:0] g_picked_pair, h_picked_pair, g_pair, h_pair, g_place, h_place,
    input  wire [            PLACE_W-1:0] g_its_place, h_its_place,
    input  wire                           g_picked_coded, h_picked_coded, g_picked_upper, h_picked_upper,
    input  wire                           g_coded, h_coded, g_above, h_above, g_even_in, h_even_in,
    input  wire                           g_odd_in, h_odd_in, g_pair_odd, h_pair_odd, g_starts, h_starts,
    input  wire                           g_tail, h_tail, g_its_coded, h_its_coded,
    input  wire [                    3:0] g_even_flits, h_even_flits, g_odd_flits, h_odd_flits, g_last, h_last,
    input  wire [                VCS-1:0] g_coder_vc, h_coder_vc,
    input  wire [                    2:0] g_made_kind, h_made_kind,
    input  wire [             DATA_W-1:0] g_made_data, h_made_data,
    input  wire [             PLACES-1:0] g_ends, h_ends, g_low, h_low, g_high, h_high,
    input  wire [             PLACES-1:0] g_pairs_from, h_pairs_from,
    input  wire [        VCS*WATCH_W-1:0] g_watch, h_watch,
    input  wire [     CYCLES*EVENT_W-1:0] g_events, h_events,
    input  wire [                   15:0] g_size, h_size,
    input  wire [         2*DATA_W-1:0] g_pair_data, h_pair_data,
    output reg                            ok
);

  // Arbiters' masks of one pointer.
  function pointer(input [15:0] a, input [15:0] b);
    pointer = (a == b) || (LOOSE && (a[0] || a == 16'd0) && (b[0] || b == 16'd0));
  endfunction

  integer d, v;
  always @* begin
    ok = same && pointer(g_pairs_from, h_pairs_from);
    if (picked)
      ok = ok && (g_picked_pair == h_picked_pair) && (g_picked_coded == h_picked_coded) &&
          (g_picked_upper == h_picked_upper) && (g_size == h_size);
    if (sending)
      ok = ok && (g_pair == h_pair) && (g_place == h_place) && (g_coded == h_coded) && (g_above == h_above) &&
          (g_even_flits == h_even_flits) && (g_odd_flits == h_odd_flits) && (g_last == h_last);
    if (flit != 0) ok = ok && (g_coder_vc == h_coder_vc);
    // a flit that was granted, and then at the crossbar
    if (made[0])
      ok = ok && (g_even_in == h_even_in) && (g_odd_in == h_odd_in) && (g_pair_odd == h_pair_odd) &&
          (g_starts == h_starts) && (g_tail == h_tail) && (g_its_coded == h_its_coded) &&
          (g_its_place == h_its_place) && (g_pair_data == h_pair_data);
    if (made[1]) ok = ok && (g_made_kind == h_made_kind) && (g_made_data == h_made_data);
    // the last place ends a chain, so nothing is above it, and nothing below the first
    ok = ok && (((g_ends ^ h_ends) & ((1 << (PLACES - 1)) - 1)) == 0) && (g_low >> 1 == h_low >> 1);
    ok = ok && (((g_high ^ h_high) & ((1 << (PLACES - 1)) - 1)) == 0);
    for (v = 0; v < VCS; v = v + 1)
      if (watched[v]) ok = ok && (g_watch[v*WATCH_W+:WATCH_W] == h_watch[v*WATCH_W+:WATCH_W]);
    for (d = 0; d < CYCLES; d = d + 1)
      if (pending[d]) ok = ok && (g_events[d*EVENT_W+:EVENT_W] == h_events[d*EVENT_W+:EVENT_W]);
  end

endmodule

`default_nettype wire
