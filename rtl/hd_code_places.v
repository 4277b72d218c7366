// Places of the XOR coder: their states, the ready pairs, configuration writes (§11.3, §11.5, §11.8).
// SPDX-License-Identifier: Apache-2.0
//
// All state is in vectors with a bit for each place, and numbers of places are decoded to one bit first. So the
// events of a cycle are a few operations on whole vectors, and the neighbours of places are a shifted vector.
//
// Invariant: a place is at most one of filling, native and coded; it is empty if it is none.
`default_nettype none

module hd_code_places #(
    parameter CODE_PLACES = 8,  // 1-256
    parameter PLACE_W     = 3   // max(1, clog2(CODE_PLACES))
) (
    input  wire               clk,
    input  wire               rst,
    // a head with a code, of a packet that the coder did not make; 1: the packet ends here and its length is wrong
    input  wire               ask_i,
    input  wire [        1:0] ask_code_i,
    input  wire [PLACE_W-1:0] ask_place_i,
    input  wire               ask_wrong_i,
    // the answer in the same cycle: 1: the packet is kept
    output wire               kept_o,
    // the coder drops a packet that it was watching
    input  wire               drop_i,
    input  wire [PLACE_W-1:0] drop_place_i,
    // a packet takes effect; 1: the coder made it; 1: it is for the upper place of its pair
    input  wire               done_i,
    input  wire               done_made_i,
    input  wire               done_upper_i,
    input  wire               done_coded_i,
    input  wire [PLACE_W-1:0] done_place_i,
    // 1: a pair is ready; the pair: the first at or cyclically after `next_o`; 1: its packet is coded, otherwise the
    // native packet of its upper (1) or lower (0) place; 1: the pair is picked now
    output wire               ready_o,
    output reg  [PLACE_W-1:0] pair_o,
    output wire               coded_o,
    output wire               upper_o,
    input  wire               pick_i,
    // configuration bus
    input  wire               cfg_write_i,
    input  wire [       19:0] cfg_addr_i,
    input  wire [        1:0] cfg_wdata_i,
    // error events of this cycle
    output wire               closed_o,
    output wire               occupied_o,
    output wire               incomplete_o,
    // 1: a pair is ready, or a place is spent
    output wire               busy_o,
    // §11.14
    output reg  [        8:0] waiting_o,
    output wire [        7:0] next_o
);

  localparam N = CODE_PLACES;
  localparam [3:0] SELECT = 4'd6;
  localparam [N-1:0] NONE = {N{1'b0}};
  localparam [N-1:0] ONE = {{(N - 1) {1'b0}}, 1'b1};
  localparam [N-1:0] TOP = ONE << (N - 1);

  // states of the places (§11.3)
  reg [N-1:0] open_q, last_q;
  reg [N-1:0] filling_q, native_q, coded_q;
  reg [N-1:0] low_q, high_q, work_q;
  wire [N-1:0] whole = native_q | coded_q;
  wire [N-1:0] taken = filling_q | whole;
  wire [N-1:0] ends = last_q | TOP;
  wire [N-1:0] begins = (ends << 1) | ONE;
  wire [N-1:0] spent = whole & (low_q | begins) & (high_q | ends);

  // ready pairs (§11.5)
  wire [N-1:0] native_above = native_q >> 1;
  wire [N-1:0] coded_above = coded_q >> 1;
  wire [N-1:0] both_native = native_q & native_above;
  wire [N-1:0] upper_coded = native_q & coded_above;
  wire [N-1:0] lower_coded = coded_q & native_above;
  wire [N-1:0] ready = (both_native | upper_coded | lower_coded) & ~(work_q | high_q | (low_q >> 1) | ends);
  wire [N-1:0] first;
  hd_rr_arbiter #(
      .N(N),
      .NEXT_W(8)
  ) u_arbiter (
      .clk(clk),
      .rst(rst),
      .req_i(ready),
      .pick_o(first),
      .advance_i(pick_i),
      .set_i(1'b1),
      .next_o(next_o)
  );
  assign ready_o = ready != NONE;
  assign coded_o = (first & both_native) != NONE;
  assign upper_o = (first & upper_coded) != NONE;
  integer i;
  always @* begin
    pair_o = {PLACE_W{1'b0}};
    if (ready_o) for (i = 1; i < N; i = i + 1) pair_o = pair_o | ({PLACE_W{first[i]}} & i[PLACE_W-1:0]);
  end
  wire [N-1:0] picked = first & {N{pick_i}};

  // the packet whose head arrives (§11.4, rules 4 to 6)
  wire [N-1:0] asked = (ONE << ask_place_i) & {N{ask_i && (ask_code_i != 2'd3)}};
  wire [N-1:0] asked_open = asked & open_q;
  wire [N-1:0] fill = asked_open & ~taken;
  assign kept_o = fill != NONE;
  assign closed_o = ask_i && (asked_open == NONE);
  assign occupied_o = (asked_open & taken) != NONE;

  // the packet that is dropped; the packet that takes effect, and its pair
  wire [N-1:0] dropped = (ONE << drop_place_i) & {N{drop_i}};
  wire [N-1:0] done = (ONE << done_place_i) & {N{done_i}};
  wire [N-1:0] made = (done_upper_i ? done >> 1 : done) & {N{done_made_i}};
  wire [N-1:0] to_native = done & {N{!done_coded_i}};
  wire [N-1:0] to_coded = done & {N{done_coded_i && !done_made_i}};

  // a configuration write (§11.3)
  wire write = cfg_write_i && (cfg_addr_i[19:12] == {SELECT, 4'd0}) && ({20'd0, cfg_addr_i[11:0]} < N);
  wire [N-1:0] written = (ONE << cfg_addr_i[PLACE_W-1:0]) & {N{write}};
  assign incomplete_o = (written & taken) != NONE;

  // The order is that of §11.8: a later assignment wins.
  always @(posedge clk)
    if (rst) begin
      open_q <= NONE;
      last_q <= NONE;
      filling_q <= NONE;
      native_q <= NONE;
      coded_q <= NONE;
      low_q <= NONE;
      high_q <= NONE;
      work_q <= NONE;
    end else begin
      open_q <= cfg_wdata_i[0] ? open_q | written : open_q & ~written;
      last_q <= cfg_wdata_i[1] ? last_q | written : last_q & ~written;
      filling_q <= ((filling_q & ~dropped) | (fill & {N{!ask_wrong_i}})) & ~(to_native | to_coded | written);
      native_q <= ((native_q & ~(spent | dropped | to_coded)) | to_native) & ~written;
      coded_q <= ((coded_q & ~(spent | dropped | to_native)) | to_coded) & ~written;
      low_q <= ((low_q & ~fill) | (made << 1)) & ~written;
      high_q <= ((high_q & ~fill) | made) & ~written;
      work_q <= (work_q & ~made) | picked;
    end

  assign busy_o = ready_o || (spent != NONE);

  integer k;
  always @* begin
    waiting_o = 9'd0;
    for (k = 0; k < N; k = k + 1) waiting_o = waiting_o + {8'd0, taken[k]};
  end

`ifdef FORMAL
  // For any place:
  // 1 §11.8: at the end of a cycle its state is what the rules, one after the other, make of it
  // 2 §11.5: a pair is ready, and becomes a packet, as the table says; the first one from `next_o` on is picked
  // 3 §11.4, §11.9: a packet is kept if its place is open and empty; otherwise an error is recorded
  // 4 a pair is not picked while it is being made
  reg f_started = 1'b0;
  (* anyconst *) reg [7:0] f_k;
  wire [8:0] f_above = f_k + 1;
  wire f_ends = last_q[f_k] || (f_k == N - 1);
  wire f_begins = (f_k == 0) || last_q[f_k-8'd1];
  reg [1:0] f_state, f_state_above;  // 0 empty, 1 filling, 2 native, 3 coded
  wire f_spent = f_state[1] && (low_q[f_k] || f_begins) && (high_q[f_k] || f_ends);
  wire f_free = !f_ends && !work_q[f_k] && !high_q[f_k] && !low_q[f_above];
  wire f_ready = f_free && ((f_state == 2 && f_state_above[1]) || (f_state == 3 && f_state_above == 2));
  wire f_asked = ask_i && (ask_place_i == f_k);
  wire f_fills = f_asked && (ask_code_i != 3) && open_q[f_k] && (f_state == 0);
  wire [8:0] f_pair = done_upper_i ? done_place_i - 9'd1 : {1'b0, done_place_i};
  wire f_write = cfg_write_i && (cfg_addr_i == {4'd6, 4'd0, 4'd0, f_k});
  reg [1:0] f_next;
  reg f_low, f_high, f_work, f_open, f_last;
  reg [1:0] f_next_q = 2'd0;
  reg f_low_q = 1'b0, f_high_q = 1'b0, f_work_q = 1'b0, f_open_q = 1'b0, f_last_q = 1'b0;
  wire [8:0] f_far = (f_k >= next_o) ? f_k - next_o : f_k + N - next_o;
  wire [8:0] f_pair_far = (pair_o >= next_o) ? pair_o - next_o : pair_o + N - next_o;
  always @* begin
    f_state = filling_q[f_k] ? 2'd1 : native_q[f_k] ? 2'd2 : coded_q[f_k] ? 2'd3 : 2'd0;
    f_state_above = 2'd0;
    if (f_above < N)
      f_state_above = filling_q[f_above] ? 2'd1 : native_q[f_above] ? 2'd2 : coded_q[f_above] ? 2'd3 : 2'd0;
    f_next = f_state;
    {f_low, f_high, f_work, f_open, f_last} = {low_q[f_k], high_q[f_k], work_q[f_k], open_q[f_k], last_q[f_k]};
    if (f_spent) f_next = 2'd0;
    if (drop_i && (drop_place_i == f_k)) f_next = 2'd0;
    if (f_fills) begin
      f_next = ask_wrong_i ? 2'd0 : 2'd1;
      {f_low, f_high} = 2'd0;
    end
    if (done_i && done_made_i) begin
      if (f_pair == f_k) {f_high, f_work} = 2'b10;
      if (f_pair + 9'd1 == f_k) f_low = 1'b1;
    end
    if (done_i && (done_place_i == f_k) && !(done_made_i && done_coded_i)) f_next = {1'b1, done_coded_i};
    if (f_write) begin
      f_next = 2'd0;
      {f_low, f_high} = 2'd0;
      {f_last, f_open} = cfg_wdata_i;
    end
    if (pick_i && (pair_o == f_k)) f_work = 1'b1;
  end
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_next_q  <= rst ? 2'd0 : f_next;
    {f_low_q, f_high_q, f_work_q, f_open_q, f_last_q} <= rst ? 5'd0 : {f_low, f_high, f_work, f_open, f_last};
  end
  always @* begin
    if (!f_started) assume (rst);
    assume (f_k < N);
`ifdef FORMAL_hd_code_places
    assume (!pick_i || ready_o);
    // A packet that takes effect has a place. One that the coder made has a pair.
    if (done_i) assume ((done_place_i < N) && !(done_made_i && done_upper_i && (done_place_i == 0)));
`endif
    if (f_started) begin
      assert ((filling_q & native_q) == NONE && (filling_q & coded_q) == NONE && (native_q & coded_q) == NONE);
`ifdef FORMAL_hd_code_places
      assert (f_state == f_next_q);
      assert ({low_q[f_k], high_q[f_k], work_q[f_k]} == {f_low_q, f_high_q, f_work_q});
      assert ({open_q[f_k], last_q[f_k]} == {f_open_q, f_last_q});
`endif
      if (f_ready) assert (ready_o && (f_far >= f_pair_far));
      if (ready_o && (pair_o == f_k)) begin
        assert (f_ready && !work_q[f_k]);
        assert (coded_o == ((f_state == 2) && (f_state_above == 2)));
        assert (upper_o == (f_state_above == 3));
      end
      if (ready_o || f_spent) assert (busy_o);
      if (f_asked) begin
        assert (kept_o == f_fills);
        assert (closed_o == ((ask_code_i == 3) || !open_q[f_k]));
        assert (occupied_o == (!closed_o && (f_state != 0)));
      end
      if (ask_i && (ask_place_i >= N)) assert (closed_o && !kept_o && !occupied_o);
      if (f_write) assert (incomplete_o == (f_state != 0));
      if (!cfg_write_i || (cfg_addr_i[11:0] >= N)) assert (!incomplete_o);
    end
  end
`endif

endmodule

`default_nettype wire
