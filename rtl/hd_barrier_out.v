// Barrier side of one output port: a message's way onto the link, and preemptions (§7.6).
// SPDX-License-Identifier: Apache-2.0
//
// A flit that is sent in cycle s is at `lane_*` in s + 1 + D, like the flit of a grant. The lane serves
// both the barrier unit and the padding generator, which have a lane each in the paper's crossbar II.
//
// Packets must know early whether a barrier flit takes the link. `shut_next_o` says so a cycle ahead. Where a flit
// depends on owners or credits, which change until the end of that cycle, `late_o` says so in the cycle itself.
`default_nettype none

module hd_barrier_out #(
    parameter VCS          = 2,   // 1-8
    parameter DATA_W       = 16,  // 16, 32, 64
    parameter BARRIER      = 1,   // 1-5
    parameter VALUES       = 0,   // 0-1
    parameter GRANT_STAGES = 0,   // D of §2.1, 0-1
    parameter MESSAGE_W    = (VALUES != 0) ? 64 : 32  // derived, not to be set
) (
    input  wire              clk,
    input  wire              rst,
    // from the barrier unit: a message for the slot. The slot is empty then.
    input  wire              put_i,
    input  wire [MESSAGE_W-1:0] message_i,
    output wire              slot_o,
    output wire              may_start_o,
    // state of the output's virtual channels
    input  wire [   VCS-1:0] owned_i,
    input  wire [ 7*VCS-1:0] count_i,
    // barrier credit
    input  wire              credit_i,
    // register IDLE, its value in the next cycle
    input  wire [      15:0] idle_next_i,
    // in this cycle: 1: a flit is sent; its channel; the channel that loses a credit
    output wire              send_o,
    output reg  [   VCS-1:0] send_vc_o,
    output wire [   VCS-1:0] spend_o,
    // for the next cycle: channels on which no packet may send; further channels on which no packet may begin
    output wire [   VCS-1:0] shut_next_o,
    output wire [   VCS-1:0] first_next_o,
    // 1: a flit is sent in this cycle that shut_next_o did not announce
    output wire              late_o,
    // at the crossbar
    output wire [       2:0] lane_kind_o,
    output wire [DATA_W-1:0] lane_data_o,
    // error bit credit; clear_i 1 clears it
    input  wire              clear_i,
    output wire              error_o,
    // 1: a message is held, a channel is preempted, or preemptions pause
    output wire              busy_o,
    // §8.10
    output wire              second_o,
    output wire              preempting_o,
    output wire [       2:0] preempt_vc_o,
    output wire [       2:0] preempt_next_o,
    output wire [       2:0] burst_o,
    output wire [       4:0] rest_o,
    output wire [       1:0] barrier_credit_o
);

  localparam [VCS-1:0] NONE = {VCS{1'b0}};
  localparam [VCS-1:0] ONE = {{(VCS - 1) {1'b0}}, 1'b1};
  // kinds of transport (§7.1)
  localparam BARRIER_ANY = 1, BARRIER_FIXED = 2, BARRIER_MOVING = 3, BARRIER_QUEUED = 4, BARRIER_RESERVED = 5;
  localparam BESIDE = (BARRIER == BARRIER_ANY) || (BARRIER == BARRIER_FIXED);
  localparam PREEMPTS = BESIDE || (BARRIER == BARRIER_MOVING);
  localparam SHARES = (BARRIER == BARRIER_MOVING) || (BARRIER == BARRIER_QUEUED);  // channels and slots with data
  localparam TWO = DATA_W == 16;  // a message has two flits (M of §7.1)
  localparam [6:0] FLITS = TWO ? 7'd2 : 7'd1;

  localparam [2:0] KIND_FIRST = 3'd4, KIND_LAST = 3'd5, KIND_PADDING = 3'd6;  // §7.2
  localparam MESSAGE_TYPE = 0, MESSAGE_LOCAL = 31;  // bit positions in a message (§8.1)
  localparam [1:0] INITIAL = 2'd2;
  localparam [2:0] MOST = 3'd4;  // most messages of one preemption
  localparam [4:0] REST = 5'd16;  // length of the pause after a preemption that was ended early, cycles

  reg slot_q, second_q, preempting_q;
  reg [2:0] burst_q;
  reg [4:0] rest_q;
  reg [MESSAGE_W-1:0] message_q;
  reg [VCS-1:0] use_vc_q, preempt_vc_q;
  reg [15:0] idle_q;
  reg sure_q, try_q;  // a flit is sent; a flit is sent if some channel allows it
  reg over_q;  // no message came for IDLE cycles
  reg resting_q;  // rest_q is not 0
  reg in_order_q;  // the slot holds an initial reduction
  wire some_credit;
  assign slot_o = slot_q;
  assign second_o = second_q;
  assign preempting_o = preempting_q;

  // channels with credits enough for a message to start, to go on, to preempt (table of §7.6)
  wire [VCS-1:0] room_start, room_go_on, room_preempt;
  genvar v;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : vc
      assign room_start[v] = count_i[v*7+:7] >= FLITS;
      assign room_go_on[v] = count_i[v*7+:7] > FLITS;
      assign room_preempt[v] = count_i[v*7+:7] > FLITS + 7'd1;
    end
  endgenerate
  // Initial reductions use channel 0 alone, so that they keep their order (BARRIER 3, 4).
  wire [VCS-1:0] mine = (SHARES && in_order_q) ? ONE : ~NONE;
  wire [VCS-1:0] unowned = ~owned_i & mine & (BESIDE ? ~NONE : room_start);
  reg [VCS-1:0] fit, preemptable;  // channels on which a message may start; it takes the lowest
  always @* begin
    fit = NONE;
    preemptable = NONE;
    case (BARRIER)
      BARRIER_ANY: begin
        fit = preempting_q ? preempt_vc_q : unowned;
        if (unowned == NONE) preemptable = ~NONE;
      end
      BARRIER_FIXED: begin
        if (preempting_q || !owned_i[0]) fit = ONE;
        if (owned_i[0]) preemptable = ONE;
      end
      BARRIER_MOVING: begin
        fit = preempting_q ? preempt_vc_q & room_go_on & mine : unowned;
        if (unowned == NONE) preemptable = owned_i & room_preempt & mine;
      end
      BARRIER_QUEUED: fit = unowned;
      BARRIER_RESERVED: fit[VCS-1] = room_start[VCS-1];
      default: ;
    endcase
    if (preempting_q) begin
      preemptable = NONE;
      if (burst_q == MOST) fit = NONE;
    end
    if (!some_credit) preemptable = NONE;
  end
  wire [VCS-1:0] start = fit & (~fit + ONE);
  wire unused_room = &{1'b0, room_go_on, room_preempt, mine, unowned, preemptable};
  assign may_start_o = some_credit && (fit != NONE);

  // rules 1 to 5 of §7.6
  wire last = second_q;
  wire starts = !second_q && slot_q && may_start_o;
  wire preempts = !second_q && slot_q && !may_start_o && !resting_q && (preemptable != NONE);
  wire early = preempting_q && !second_q && slot_q && !may_start_o &&
      ((burst_q == MOST) || (BARRIER == BARRIER_MOVING));
  wire ends = early || (preempting_q && !slot_q && over_q);

  // send_o is (last || starts || preempts || ends), computed from registers of the cycle before where possible
  reg able;
  always @*
    case (BARRIER)
      BARRIER_ANY: able = owned_i != ~NONE;
      BARRIER_FIXED: able = !owned_i[0];
      BARRIER_MOVING: able = (unowned != NONE) || (!resting_q && ((owned_i & room_preempt & mine) != NONE));
      BARRIER_RESERVED: able = room_start[VCS-1];
      default: able = unowned != NONE;
    endcase
  assign late_o = try_q && able;
  assign send_o = sure_q || late_o;

  wire [VCS-1:0] preempt_pick;
  generate
    if (PREEMPTS) begin : preempter
      hd_rr_arbiter #(
          .N(VCS),
          .NEXT_W(3)
      ) u_arbiter (
          .clk(clk),
          .rst(rst),
          .req_i(preemptable),
          .pick_o(preempt_pick),
          .advance_i(preempts),
          .set_i(1'b1),
          .next_o(preempt_next_o)
      );
    end else begin : no_preempter
      assign preempt_pick   = NONE;
      assign preempt_next_o = 3'd0;
    end
  endgenerate

  reg [2:0] kind;
  reg [DATA_W-1:0] data;
  always @* begin
    kind = KIND_PADDING;
    data = {DATA_W{1'b0}};
    send_vc_o = NONE;
    if (last) begin
      kind = KIND_LAST;
      data[15:0] = message_q[31:16];
      send_vc_o = use_vc_q;
    end else if (starts) begin
      kind = TWO ? KIND_FIRST : KIND_LAST;
      data[15:0] = message_q[15:0];
      send_vc_o = start;
    end else if (preempts) send_vc_o = preempt_pick;
    else if (ends) begin
      data[0] = 1'b1;
      send_vc_o = preempt_vc_q;
    end
    if (!TWO && starts) data = {DATA_W{1'b0}} | whole;
  end
  wire [DATA_W-1:0] whole;
  generate
    if (TWO) begin : narrow
      assign whole = {DATA_W{1'b0}};
    end else if (DATA_W == MESSAGE_W) begin : fits
      assign whole = message_q;
    end else begin : wide
      assign whole = {{(DATA_W - MESSAGE_W) {1'b0}}, message_q};
    end
  endgenerate
  assign spend_o = BESIDE ? NONE : send_vc_o;

  // state in the next cycle
  wire slot_kept = slot_q && !last && (TWO || !starts);
  wire second_next = starts && TWO;
  wire preempting_next = (preempts || ends) ? preempts : preempting_q;
  wire [VCS-1:0] preempt_vc_next = preempts ? preempt_pick : preempt_vc_q;
  wire [2:0] burst_next = preempts ? 3'd0 : burst_q + {2'd0, starts && preempting_q};
  wire [4:0] rest_next = early ? REST : rest_q - {4'd0, rest_q != 5'd0};
  wire quiet = preempting_q && !slot_q && !ends;
  wire over_next = quiet ? idle_q >= idle_next_i : idle_next_i == 16'd0;
  wire in_order_next = put_i ? !message_i[MESSAGE_LOCAL] && (message_i[MESSAGE_TYPE+:2] == INITIAL) : in_order_q;
  wire some_credit_next;
  always @(posedge clk)
    if (rst) begin
      slot_q <= 1'b0;
      second_q <= 1'b0;
      preempting_q <= 1'b0;
      use_vc_q <= ONE;
      preempt_vc_q <= ONE;
      idle_q <= 16'd1;
      over_q <= 1'b0;
      burst_q <= 3'd0;
      rest_q <= 5'd0;
      resting_q <= 1'b0;
      in_order_q <= 1'b0;
    end else begin
      slot_q <= put_i || slot_kept;
      second_q <= second_next;
      if (starts) use_vc_q <= start;
      preempt_vc_q <= preempt_vc_next;
      preempting_q <= preempting_next;
      burst_q <= burst_next;
      rest_q <= rest_next;
      resting_q <= rest_next != 5'd0;
      in_order_q <= (put_i || slot_kept) && in_order_next;
      if (!quiet) idle_q <= 16'd1;
      else if (idle_q != 16'hffff) idle_q <= idle_q + 16'd1;
      over_q <= over_next;
    end

  // Is a flit sent in the next cycle? put_i is the last input to settle, so both answers are prepared.
  wire at_most = burst_next == MOST;
  wire at_once = BESIDE && (rest_next == 5'd0);  // it preempts a channel if none is free
  wire goes_on = preempting_next && ((BARRIER == BARRIER_MOVING) || at_most || some_credit_next);
  wire sure_full = goes_on || (!preempting_next && some_credit_next && at_once);
  wire try_full = !preempting_next && some_credit_next && !at_once;
  wire sure_kept = second_next || (slot_kept ? sure_full : preempting_next && over_next);
  wire sure_next = put_i ? sure_full : sure_kept;
  wire try_next = try_full && (put_i || (slot_kept && !second_next));
  always @(posedge clk)
    if (rst) begin
      sure_q <= 1'b0;
      try_q  <= 1'b0;
    end else begin
      sure_q <= sure_next;
      try_q  <= try_next;
    end
  assign shut_next_o = {VCS{sure_next}} | (preempting_next ? preempt_vc_next : NONE);
  always @(posedge clk) if (put_i) message_q <= message_i;

  // barrier credits (§7.3)
  reg [1:0] count_q;
  reg error_q;
  always @(posedge clk)
    if (rst) count_q <= 2'd2;
    else if (starts != credit_i)
      if (starts) count_q <= count_q - 2'd1;
      else if (count_q != 2'd2) count_q <= count_q + 2'd1;
  always @(posedge clk)
    if (rst) error_q <= 1'b0;
    else if (credit_i && !starts && (count_q == 2'd2)) error_q <= 1'b1;
    else if (clear_i) error_q <= 1'b0;
  assign some_credit = count_q != 2'd0;
  assign some_credit_next = credit_i || count_q[1] || (count_q[0] && !starts);
  assign barrier_credit_o = count_q;
  assign error_o = error_q;
  // §7.7: a message that only waits for a channel goes before new packets, on all channels that it may use.
  assign first_next_o = (SHARES && (put_i || slot_kept) && some_credit_next) ? (in_order_next ? ONE : ~NONE) : NONE;

  // flit on its way to the crossbar: D + 1 registers
  genvar d;
  generate
    for (d = 0; d <= GRANT_STAGES; d = d + 1) begin : lane_stage
      wire load;
      reg [2:0] kind_q;
      reg [DATA_W-1:0] data_q;
      if (d == 0) begin : first
        assign load = send_o;
        always @(posedge clk)
          if (load) begin
            kind_q <= kind;
            data_q <= data;
          end
      end else begin : later
        // load_q keeps this stage from copying a value that reset left in the stage before (§2.10).
        reg load_q;
        always @(posedge clk)
          if (rst) load_q <= 1'b0;
          else load_q <= lane_stage[d-1].load;
        assign load = load_q;
        always @(posedge clk)
          if (load) begin
            kind_q <= lane_stage[d-1].kind_q;
            data_q <= lane_stage[d-1].data_q;
          end
      end
    end
  endgenerate
  assign lane_kind_o = lane_stage[GRANT_STAGES].kind_q;
  assign lane_data_o = lane_stage[GRANT_STAGES].data_q;

  assign busy_o = slot_q || preempting_q || resting_q;
  assign burst_o = burst_q;
  assign rest_o  = rest_q;

  // names of §8.10
  generate
    for (v = 0; v < VCS; v = v + 1) begin : encode
      wire [2:0] number;
      if (v == 0) assign number = 3'd0;
      else assign number = encode[v-1].number | ({3{preempt_vc_q[v]}} & v[2:0]);
    end
  endgenerate
  assign preempt_vc_o = encode[VCS-1].number;

`ifdef FORMAL
  // 1 §7.6: a message's flits leave in consecutive cycles, on one channel, with the room that
  //   they need; a message in the slot stays until its last flit is sent
  // 2 while a channel is preempted, messages leave on it and nowhere else; requests and ends alternate
  // 3 only a channel that a packet owns is preempted, and only where none is free; a preemption ends
  //   after IDLE cycles without a message, or early (rule 5)
  // 4 §7.3: barrier credits stay from 0 to 2
  reg f_started = 1'b0, f_second_q = 1'b0, f_slot_q = 1'b0;
  reg [VCS-1:0] f_vc_q = ONE, f_preempted_q = NONE;
  reg [MESSAGE_W-1:0] f_message_q;
  reg [15:0] f_idle_q = 16'd16;
  reg [VCS-1:0] f_shut_q = NONE, f_first_q = NONE;
  reg [16:0] f_quiet = 17'd0;  // cycles without a message since the preemption
  reg [2:0] f_burst = 3'd0;  // messages of this preemption
  reg [4:0] f_rest = 5'd0;  // remaining cycles of the pause
  wire sure = preempting_q ? (BARRIER == BARRIER_MOVING) || (burst_q == MOST) || some_credit :
      BESIDE && some_credit && (rest_q == 5'd0);
  wire f_message = send_o && (kind != KIND_PADDING);
  wire f_end = send_o && (kind == KIND_PADDING) && data[0];
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_second_q <= !rst && send_o && (kind == KIND_FIRST);
    f_slot_q <= !rst && (put_i || (slot_q && !(send_o && (kind == KIND_LAST))));
    f_vc_q <= send_vc_o;
    if (put_i) f_message_q <= message_i;
    if (rst) f_preempted_q <= NONE;
    else if (send_o && (kind == KIND_PADDING)) f_preempted_q <= data[0] ? NONE : send_vc_o;
    if (rst || (send_o && (kind == KIND_PADDING) && !data[0])) f_burst <= 3'd0;
    else if (f_message && !second_o && (f_preempted_q != NONE)) f_burst <= f_burst + 3'd1;
    f_rest <= rst ? 5'd0 : (f_end && slot_o) ? 5'd16 : f_rest - {4'd0, f_rest != 5'd0};
    f_idle_q <= rst ? 16'd16 : idle_next_i;
    f_shut_q <= rst ? NONE : shut_next_o;
    f_first_q <= rst ? NONE : first_next_o;
    f_quiet <= (rst || slot_q || !preempting_q || ends) ? 17'd0 : (f_quiet[16] ? f_quiet : f_quiet + 17'd1);
  end
  always @* begin
    if (!f_started) assume (rst);
`ifdef FORMAL_hd_barrier_out
    assume (!put_i || !slot_o);
`else
    if (f_started && !rst) assert (!put_i || !slot_o);
`endif
    if (f_started) begin
      assert (slot_o == f_slot_q && second_o == f_second_q && (!second_o || slot_o));
      if (slot_o) assert (message_q == f_message_q);
      assert ((send_vc_o & (send_vc_o - 1'b1)) == NONE && send_o == (send_vc_o != NONE));
      assert ((preempt_vc_q & (preempt_vc_q - 1'b1)) == NONE && preempt_vc_q != NONE);
      assert ((use_vc_q & (use_vc_q - 1'b1)) == NONE && use_vc_q != NONE);
      assert ((preempting_q ? preempt_vc_q : NONE) == f_preempted_q);
      assert (send_o == (last || starts || preempts || ends));
      assert (sure_q == (last || (slot_q ? sure : preempting_q && over_q)));
      assert (try_q == (slot_q && !second_q && !preempting_q && some_credit && !(BESIDE && (rest_q == 5'd0))));
      assert (over_q == (f_quiet >= {1'b0, f_idle_q}) || f_quiet[16]);
      if (f_quiet[16]) assert (over_q);
      assert ((f_shut_q | {VCS{late_o}}) == (f_preempted_q | {VCS{send_o}}));
      if (second_o) assert (send_o && kind == KIND_LAST && use_vc_q == f_vc_q && send_vc_o == f_vc_q);
      if (f_message && (f_preempted_q != NONE)) assert (send_vc_o == f_preempted_q);
      if (f_message && !second_o && !BESIDE) assert ((send_vc_o & room_start) != NONE);
      if (f_message && !second_o) assert (some_credit);
      if (f_message && !second_o && (f_preempted_q == NONE) && (BARRIER != BARRIER_RESERVED))
        assert ((send_vc_o & owned_i) == NONE);
      if (send_o && (kind == KIND_PADDING) && !data[0]) begin
        assert (f_preempted_q == NONE && slot_o && (send_vc_o & owned_i) != NONE);
        if (BARRIER == BARRIER_ANY) assert (&owned_i);
        if (BARRIER == BARRIER_MOVING) assert ((send_vc_o & room_preempt) != NONE);
        assert (some_credit);
      end
      if (f_end && !slot_o) assert (f_preempted_q == send_vc_o && f_quiet >= {1'b0, f_idle_q});
      if (f_end && slot_o) assert (f_preempted_q == send_vc_o && ((f_burst == 3'd4) || (BARRIER == BARRIER_MOVING)));
      assert (resting_q == (f_rest != 5'd0));
      assert (in_order_q == (slot_o && !message_q[MESSAGE_LOCAL] && (message_q[MESSAGE_TYPE+:2] == INITIAL)));
      assert (burst_o == f_burst && rest_o == f_rest && f_burst <= 3'd4 && f_rest <= 5'd16);
      if (preempts) assert (f_rest == 5'd0);
      // an initial reduction that shares its channel with data leaves on channel 0
      if (SHARES && slot_o && !message_q[MESSAGE_LOCAL] && (message_q[MESSAGE_TYPE+:2] == INITIAL))
        if (f_message && !second_o) assert (send_vc_o == ONE);
      // No packet may begin on a channel on which a message could start. For an initial reduction that is channel 0.
      if (SHARES && slot_o && some_credit && !preempting_q) assert ((start & ~f_first_q) == NONE && f_first_q[0]);
      if (SHARES && slot_o && !message_q[MESSAGE_LOCAL] && (message_q[MESSAGE_TYPE+:2] == INITIAL))
        assert ((f_first_q & ~ONE) == NONE);
      if (!SHARES || !slot_o || !some_credit) assert (f_first_q == NONE);
      assert (idle_q == ((f_quiet >= 17'h0fffe) ? 16'hffff : f_quiet[15:0] + 16'd1));
      assert (barrier_credit_o <= 2'd2);
      if (BARRIER == BARRIER_FIXED) assert ((f_preempted_q & ~ONE) == NONE);
      if (!PREEMPTS) assert (f_preempted_q == NONE && !preempting_q);
    end
  end
`endif

endmodule

`default_nettype wire
