// One output port: second step of allocation, virtual channels, credits, barrier messages,
// crossbar column and output register (§2.5, §2.6, §7.6).
// SPDX-License-Identifier: Apache-2.0
//
// A grant in cycle s selects its input at the crossbar in s + 1 + D; the flit is
// visible in s + 2 + D.
`default_nettype none

module hd_output_port #(
    parameter PORTS        = 5,   // 2-16
    parameter VCS          = 2,   // 1-8
    parameter VC_W         = 1,   // max(1, clog2(VCS))
    parameter DATA_W       = 16,  // 16, 32, 64
    parameter DEPTH        = 4,   // 1-64
    parameter CUT_FLITS    = 0,   // 0-DEPTH
    parameter BARRIER      = 0,   // 0-5
    parameter VALUES       = 0,   // 0-1
    parameter ARB_CYCLES   = 1,   // 1-2
    parameter GRANT_STAGES = 0,   // D of §2.1, 0-1
    parameter MESSAGE_W    = (VALUES != 0) ? 64 : 32  // derived, not to be set
) (
    input  wire                    clk,
    input  wire                    rst,
    // requests of the input ports; channels that fit, w of input p in bit p * VCS + w; 1: a packet begins, ends
    input  wire [       PORTS-1:0] request_i,
    input  wire [   PORTS*VCS-1:0] fit_i,
    input  wire [       PORTS-1:0] starts_i,
    input  wire [       PORTS-1:0] tail_i,
    // answer: at most one input; the output virtual channel that each input would get, in the order of fit_i
    output wire [       PORTS-1:0] grant_o,
    output wire [   PORTS*VCS-1:0] offer_o,
    // virtual channels that have a credit; virtual channels free for a new packet. With ARB_CYCLES 2, channels that may
    // have a credit, or may be free, in the next cycle (§2.5).
    output wire [         VCS-1:0] credit_o,
    output wire [         VCS-1:0] free_o,
    // granted flits at the crossbar
    input  wire [     PORTS*3-1:0] cross_kind_i,
    input  wire [PORTS*DATA_W-1:0] cross_data_i,
    // barrier unit (§8.5): a message for the slot, which is empty then; the value of register IDLE in the next cycle
    input  wire                    put_i,
    input  wire [   MESSAGE_W-1:0] message_i,
    output wire                    slot_o,
    output wire                    may_start_o,
    input  wire [            15:0] idle_next_i,
    // link: flits out, credits back
    output reg                     valid_o,
    output reg  [             2:0] kind_o,
    output reg  [        VC_W-1:0] vc_o,
    output reg  [      DATA_W-1:0] data_o,
    input  wire [         VCS-1:0] credit_i,
    input  wire                    barrier_credit_i,
    // this port's bit of the error register, credit; clear_i 1 clears it
    input  wire                    clear_i,
    output wire                    error_o,
    // 1: the port is not idle. It has a flit on its way to the pins or at them, a message or a preemption.
    output wire                    busy_o,
    // §6.5
    output wire [       7*VCS-1:0] count_o,
    output wire [         VCS-1:0] owned_o,
    output wire [             3:0] next_o,
    output wire [             2:0] vc_next_o,
    // §8.10
    output wire                    second_o,
    output wire                    preempting_o,
    output wire [             2:0] preempt_vc_o,
    output wire [             2:0] preempt_next_o,
    output wire [             2:0] burst_o,
    output wire [             4:0] rest_o,
    output wire [             1:0] barrier_credit_o
`ifdef FORMAL
    ,
    output wire                    f_sends_o  // 1: the barrier side sends a flit
`endif
);

  localparam [VCS-1:0] NONE = {VCS{1'b0}};
  localparam [PORTS-1:0] NOBODY = {PORTS{1'b0}};
  localparam COUNT_W = $clog2(DEPTH + 1);
  localparam [31:0] SLOTS = DEPTH;
  localparam [31:0] ROOM = (CUT_FLITS == 0) ? 1 : CUT_FLITS;
  localparam LANES = PORTS + ((BARRIER == 0) ? 0 : 1);  // lanes of crossbar II
  localparam [LANES-1:0] NO_LANE = {LANES{1'b0}};

  // Second step of allocation: picks an input port, and at the same time a virtual channel for each of them. Choosing
  // the channel after the grant would lengthen the switch's longest path.
  wire [VCS-1:0] credited, free;  // state in this cycle
  reg [PORTS-1:0] request;
  reg [PORTS*VCS-1:0] asked;
  integer p;
  wire granted = request != NOBODY;
  hd_rr_arbiter #(
      .N(PORTS)
  ) u_arbiter (
      .clk(clk),
      .rst(rst),
      .req_i(request),
      .pick_o(grant_o),
      .advance_i(granted),
      .set_i(1'b1),
      .next_o(next_o)
  );
  generate
    if (ARB_CYCLES == 2) begin : two
      // A request was made a cycle ago, so its channel may be owned by now.
      always @* begin
        request = NOBODY;
        asked   = {PORTS * VCS{1'b0}};
        if (request_i != NOBODY)
          for (p = 0; p < PORTS; p = p + 1) begin
            asked[p*VCS+:VCS] = fit_i[p*VCS+:VCS] & (starts_i[p] ? free : credited) & {VCS{request_i[p]}};
            request[p] = asked[p*VCS+:VCS] != NONE;
          end
      end
    end else begin : one
      always @* begin
        request = request_i;
        asked   = {PORTS * VCS{1'b0}};
        if (granted) for (p = 0; p < PORTS; p = p + 1) asked[p*VCS+:VCS] = fit_i[p*VCS+:VCS] & {VCS{request_i[p]}};
      end
    end
  endgenerate
  wire [VCS-1:0] taken;
  hd_rr_arbiter #(
      .N(VCS),
      .NEXT_W(3),
      .SETS(PORTS)
  ) u_vc_arbiter (
      .clk(clk),
      .rst(rst),
      .req_i(asked),
      .pick_o(offer_o),
      .advance_i(granted),
      .set_i(grant_o & starts_i),
      .next_o(vc_next_o)
  );
  hd_crossbar #(
      .PORTS(PORTS),
      .WIDTH(VCS)
  ) u_taken (
      .select_i(grant_o),
      .lanes_i(offer_o),
      .lane_o(taken)
  );
  // Owners. The grant comes late, so the change that a grant of each input would make is known before it, and these
  // changes are ORed. A tail releases an owned channel, a head takes another one.
  reg [VCS-1:0] owned_q;
  reg [VCS-1:0] turned;  // owned channels that are released, and others that are taken
  integer g;
  always @* begin
    turned = NONE;
    if (granted)
      for (g = 0; g < PORTS; g = g + 1)
        turned = turned | ({VCS{grant_o[g] && (starts_i[g] != tail_i[g])}} & offer_o[g*VCS+:VCS]);
  end
  always @(posedge clk)
    if (rst) owned_q <= NONE;
    else owned_q <= owned_q ^ turned;
  assign owned_o = owned_q;

  wire [VCS-1:0] all, spend;  // channels that have all credits; channels that lose one to a barrier flit
  wire [VCS-1:0] shut, shut_next, first_next;
  wire [LANES-1:0] lanes;  // grants of this cycle, by lane
  wire [LANES*3-1:0] lanes_kind;
  wire [LANES*DATA_W-1:0] lanes_data;
  wire sent;
  wire [VCS-1:0] sent_vc;
  wire barrier_busy, barrier_error;
  generate
    if (BARRIER != 0) begin : barrier
      wire send, late;
      wire [VCS-1:0] send_vc;
      wire [2:0] lane_kind;
      wire [DATA_W-1:0] lane_data;
      hd_barrier_out #(
          .VCS(VCS),
          .DATA_W(DATA_W),
          .BARRIER(BARRIER),
          .VALUES(VALUES),
          .GRANT_STAGES(GRANT_STAGES)
      ) u_barrier (
          .clk(clk),
          .rst(rst),
          .put_i(put_i),
          .message_i(message_i),
          .slot_o(slot_o),
          .may_start_o(may_start_o),
          .owned_i(owned_o),
          .count_i(count_o),
          .credit_i(barrier_credit_i),
          .idle_next_i(idle_next_i),
          .send_o(send),
          .send_vc_o(send_vc),
          .spend_o(spend),
          .shut_next_o(shut_next),
          .first_next_o(first_next),
          .late_o(late),
          .lane_kind_o(lane_kind),
          .lane_data_o(lane_data),
          .clear_i(clear_i),
          .error_o(barrier_error),
          .busy_o(barrier_busy),
          .second_o(second_o),
          .preempting_o(preempting_o),
          .preempt_vc_o(preempt_vc_o),
          .preempt_next_o(preempt_next_o),
          .burst_o(burst_o),
          .rest_o(rest_o),
          .barrier_credit_o(barrier_credit_o)
      );
      assign shut = {VCS{late}};
      assign sent = granted || send;
      assign sent_vc = taken | send_vc;
      assign lanes = {send, grant_o};
      assign lanes_kind = {lane_kind, cross_kind_i};
      assign lanes_data = {lane_data, cross_data_i};
    end else begin : no_barrier
      assign shut_next = NONE;
      assign first_next = NONE;
      assign shut = NONE;
      assign spend = NONE;
      assign sent = granted;
      assign sent_vc = taken;
      assign lanes = grant_o;
      assign lanes_kind = cross_kind_i;
      assign lanes_data = cross_data_i;
      assign barrier_busy = 1'b0;
      assign barrier_error = 1'b0;
      assign slot_o = 1'b0;
      assign may_start_o = 1'b0;
      assign second_o = 1'b0;
      assign preempting_o = 1'b0;
      assign preempt_vc_o = 3'd0;
      assign preempt_next_o = 3'd0;
      assign burst_o = 3'd0;
      assign rest_o = 5'd0;
      assign barrier_credit_o = 2'd0;
      wire unused_barrier = &{1'b0, put_i, message_i, idle_next_i, barrier_credit_i};
    end
  endgenerate
  // Requests begin with two facts about each channel: it has a credit; it is free for a new packet (not owned, with
  // enough credits). Both are kept in registers, so that a cycle does not begin with a comparison. If barrier hardware
  // has shut a channel, both are 0. (They are functions of the incoming credits, because a simulator evaluates a wire
  // more than once a cycle if it depends on pins.)
  wire [VCS-1:0] some, several, enough, nearly, more, level;  // credits > 0, > 1, >= ROOM, == ROOM - 1, > ROOM, == ROOM
  reg [VCS-1:0] some_q, free_q;
  function [VCS-1:0] some_next(input [VCS-1:0] credit);
    reg [VCS-1:0] left, kept;  // channels with credits enough after a grant on them; without a grant
    begin
      left = several | credit;
      kept = (spend & left) | (~spend & (some | credit));
      some_next = (taken & left) | (~taken & kept);
    end
  endfunction
  function [VCS-1:0] free_next(input [VCS-1:0] credit);
    reg [VCS-1:0] left, kept;
    reg [VCS-1:0] turned_free;  // owned channels that become free, and free ones that do not stay free
    integer k;
    begin
      left = (ROOM == 1) ? several | credit : more | (level & credit);
      kept = (spend & left) | (~spend & ((ROOM == 1) ? some | credit : enough | (nearly & credit)));
      turned_free = NONE;
      if (granted)
        for (k = 0; k < PORTS; k = k + 1)
          turned_free = turned_free | ({VCS{grant_o[k]}} & offer_o[k*VCS+:VCS] & (({VCS{tail_i[k]}} & left) ^ ~owned_q));
      free_next = ~owned_q & kept & ~turned_free;
      if (ARB_CYCLES == 1) free_next = free_next | (owned_q & turned_free);
    end
  endfunction
  always @(posedge clk)
    if (rst) begin
      some_q <= ~NONE;
      free_q <= ~NONE;
    end else begin
      some_q <= some_next(credit_i) & ~shut_next;
      free_q <= free_next(credit_i) & ~shut_next & ~first_next;
    end
  assign credited = some_q & ~shut;
  assign free = free_q & ~shut;
  generate
    if (ARB_CYCLES == 2) begin : soon
      // A channel is free for a new packet only if it was not owned in the cycle before, either. So every input has
      // seen it free before one of them gets it.
      wire [VCS-1:0] some_soon = some | credit_i;
      wire [VCS-1:0] room_soon = (ROOM == 1) ? some_soon : enough | (nearly & credit_i);
      if (BARRIER != 0) begin : barrier
        reg [VCS-1:0] shut_q, first_q;
        always @(posedge clk)
          if (rst) {shut_q, first_q} <= {NONE, NONE};
          else {shut_q, first_q} <= {shut_next, first_next};
        assign credit_o = some_soon & ~shut_q & ~shut;
        assign free_o = room_soon & ~owned_q & ~shut_q & ~first_q & ~shut;
      end else begin : no_barrier
        assign credit_o = some_soon;
        assign free_o = room_soon & ~owned_q;
      end
    end else begin : now
      assign credit_o = credited;
      assign free_o = free;
    end
  endgenerate
  genvar w;
  generate
    for (w = 0; w < VCS; w = w + 1) begin : vc
      reg [COUNT_W-1:0] count_q;
      // bits of the count that change
      function [COUNT_W-1:0] count_turned(input credit);
        reg [COUNT_W-1:0] left, kept;
        begin
          count_turned = {COUNT_W{1'b0}};
          if (granted || credit || (spend != NONE)) begin
            left = credit ? count_q : count_q - 1'b1;
            kept = spend[w] ? left : (credit && !all[w]) ? count_q + 1'b1 : count_q;
            count_turned = count_q ^ ((left & {COUNT_W{taken[w]}}) | (kept & ~{COUNT_W{taken[w]}}));
          end
        end
      endfunction
      assign all[w] = count_q == SLOTS[COUNT_W-1:0];
      always @(posedge clk)
        if (rst) count_q <= SLOTS[COUNT_W-1:0];
        else count_q <= count_q ^ count_turned(credit_i[w]);
      wire [31:0] count = {{(32 - COUNT_W) {1'b0}}, count_q};
      assign some[w] = (BARRIER == 0) ? some_q[w] : count != 0;
      assign several[w] = count > 1;
      assign enough[w] = count >= ROOM;
      assign nearly[w] = count == ROOM - 1;
      assign more[w] = count > ROOM;
      assign level[w] = count == ROOM;
      assign count_o[w*7+:7] = {{(7 - COUNT_W) {1'b0}}, count_q};
    end
  endgenerate

  reg error_q;
  function error_next(input [VCS-1:0] credit);
    begin
      error_next = error_q && !clear_i;
      if (credit != NONE) error_next = error_next || ((credit & ~taken & ~spend & all) != NONE);
    end
  endfunction
  assign error_o = error_q || barrier_error;
  always @(posedge clk)
    if (rst) error_q <= 1'b0;
    else error_q <= error_next(credit_i);

  // the granted selection on its way to the crossbar
  genvar d;
  generate
    for (d = 0; d <= GRANT_STAGES; d = d + 1) begin : stage
      reg [LANES-1:0] select_q;
      reg [VCS-1:0] vc_q;
      wire busy;
      if (d == 0) begin : first
        always @(posedge clk)
          if (rst) select_q <= NO_LANE;
          else select_q <= lanes;
        always @(posedge clk) if (sent) vc_q <= sent_vc;
        assign busy = select_q != NO_LANE;
      end else begin : later
        always @(posedge clk)
          if (rst) select_q <= NO_LANE;
          else select_q <= stage[d-1].select_q;
        always @(posedge clk) if (stage[d-1].select_q != NO_LANE) vc_q <= stage[d-1].vc_q;
        assign busy = stage[d-1].busy || (select_q != NO_LANE);
      end
    end
  endgenerate

  // crossbar column and output register
  wire [LANES-1:0] select = stage[GRANT_STAGES].select_q;
  wire [VCS-1:0] out_vc = stage[GRANT_STAGES].vc_q;
  wire crossing = select != NO_LANE;
  wire [2:0] kind;
  wire [DATA_W-1:0] data;
  hd_crossbar #(
      .PORTS(LANES),
      .WIDTH(3)
  ) u_kind (
      .select_i(select),
      .lanes_i(lanes_kind),
      .lane_o(kind)
  );
  hd_crossbar #(
      .PORTS(LANES),
      .WIDTH(DATA_W)
  ) u_data (
      .select_i(select),
      .lanes_i(lanes_data),
      .lane_o(data)
  );
  reg [3:0] vc_number;
  integer n;
  always @* begin
    vc_number = 4'd0;
    if (crossing) for (n = 1; n < VCS; n = n + 1) if (out_vc[n]) vc_number = n[3:0];
  end
  wire unused_number = &{1'b0, vc_number[3:VC_W]};

  always @(posedge clk)
    if (rst) begin
      valid_o <= 1'b0;
      kind_o  <= 3'd0;
      vc_o    <= {VC_W{1'b0}};
      data_o  <= {DATA_W{1'b0}};
    end else begin
      valid_o <= crossing;
      if (crossing) begin
        kind_o <= kind;
        vc_o   <= vc_number[VC_W-1:0];
        data_o <= data;
      end
    end
  assign busy_o = valid_o || stage[GRANT_STAGES].busy || barrier_busy;

`ifdef FORMAL
  // 1 one input is granted when any asks, on one of the channels that fit
  // 2 §1.4, §2.6: counts are DEPTH, less flits granted, plus credits, never above DEPTH,
  //   never below 0; a credit too many is recorded
  // 3 §2.5: owners change with heads and tails only
  //   with ARB_CYCLES 2, a channel that can be granted was shown as such in the cycle before, unless barrier
  //   hardware had shut it
  // 4 §2.2: the flit of a grant is at the pins 2 + D cycles later, and nothing else is
  reg f_started = 1'b0;
  always @(posedge clk) f_started <= 1'b1;
  integer f_i;
  reg [VCS-1:0] f_fit;
  reg f_starts, f_tail;
  always @* begin
    f_fit = NONE;
    f_starts = 1'b0;
    f_tail = 1'b0;
    for (f_i = 0; f_i < PORTS; f_i = f_i + 1)
      if (grant_o == (1 << f_i)) begin
        f_fit = fit_i[f_i*VCS+:VCS];
        f_starts = starts_i[f_i];
        f_tail = tail_i[f_i];
      end
  end
  wire [VCS-1:0] f_used = taken | f_spend;
  reg f_error_q = 1'b0;
  reg [VCS-1:0] f_owned_q = NONE, f_shut_q = NONE, f_first_q = NONE;
  reg [VCS-1:0] f_before_q = NONE;  // channels owned in the cycle before (ARB_CYCLES 2)
  reg [VCS-1:0] f_free_q = ~NONE, f_credit_q = ~NONE;
  reg [LANES*(3+GRANT_STAGES)-1:0] f_way = {LANES * (3 + GRANT_STAGES) {1'b0}};
  reg [VCS*(3+GRANT_STAGES)-1:0] f_way_vc;
  reg [2:0] f_kind_q = 3'd0;
  reg [DATA_W-1:0] f_data_q = {DATA_W{1'b0}};
  wire [LANES-1:0] f_cross = f_way[LANES*GRANT_STAGES+:LANES];
  wire [LANES-1:0] f_out = f_way[LANES*(GRANT_STAGES+1)+:LANES];
  always @(posedge clk) begin
    f_before_q <= (rst || (ARB_CYCLES == 1)) ? NONE : owned_q;
    f_free_q <= rst ? ~NONE : free_o | f_shut_q | f_first_q | shut;
    f_credit_q <= rst ? ~NONE : credit_o | f_shut_q | shut;
    f_error_q <= !rst && ((error_q && !clear_i) || ((credit_i & all & ~f_used) != NONE));
    f_owned_q <= rst ? NONE : !granted ? owned_q : (owned_q | (f_starts ? taken : NONE)) &
        ~(f_tail ? taken : NONE);
    f_shut_q <= rst ? NONE : shut_next;
    f_first_q <= rst ? NONE : first_next;
    f_way <= rst ? 0 : {f_way[LANES*(2+GRANT_STAGES)-1:0], lanes};
    f_way_vc <= {f_way_vc[VCS*(2+GRANT_STAGES)-1:0], sent_vc};
    if (rst) f_data_q <= {DATA_W{1'b0}};
    if (rst) f_kind_q <= 3'd0;
    for (f_i = 0; f_i < LANES; f_i = f_i + 1)
      if (f_cross[f_i] && !rst) begin
        f_kind_q <= lanes_kind[f_i*3+:3];
        f_data_q <= lanes_data[f_i*DATA_W+:DATA_W];
      end
  end
  always @* begin
    if (!f_started) assume (rst);
`ifdef FORMAL_hd_output_port
    assume (!put_i || !slot_o);
    for (f_i = 0; f_i < PORTS; f_i = f_i + 1)
      if (request_i[f_i]) begin
        assume (fit_i[f_i*VCS+:VCS] != NONE);
        if (!starts_i[f_i]) assume ((fit_i[f_i*VCS+:VCS] & ~owned_q) == NONE);
        if (ARB_CYCLES == 1) assume ((fit_i[f_i*VCS+:VCS] & ~(starts_i[f_i] ? free_o : credit_o)) == NONE);
      end
`endif
    if (f_started) begin
      assert ((grant_o & (grant_o - 1'b1)) == NOBODY && (grant_o & ~request_i) == NOBODY);
      assert ((grant_o == NOBODY) == (request == NOBODY));
      if (ARB_CYCLES == 1) assert (request == request_i);
      assert ((taken & (taken - 1'b1)) == NONE && (taken & ~f_fit) == NONE);
      assert ((offer_o & ~asked) == {PORTS * VCS{1'b0}});
      assert ((taken == NONE) == (f_fit == NONE));
      // §7.7: no packet is granted while a barrier flit is sent, and none on a preempted channel
      if (BARRIER != 0)
        assert (!(granted && f_sends_o) && (taken & f_shut_q) == NONE);
      assert (error_q == f_error_q);
      assert (owned_q == f_owned_q);
      assert (free_q == (~owned_q & ~f_before_q & f_room & ~f_shut_q & ~f_first_q) && some_q == (f_some & ~f_shut_q));
      assert ((taken & ~(f_starts ? free : credited)) == NONE);
      if (ARB_CYCLES == 2) begin
        assert (((free & ~f_free_q) | (credited & ~f_credit_q)) == NONE);
        assert ((free_o & (owned_q | f_shut_q | f_first_q | shut)) == NONE && (credit_o & (f_shut_q | shut)) == NONE);
      end
      assert (stage[0].select_q == f_way[LANES-1:0]);
      if (GRANT_STAGES > 0) assert (stage[GRANT_STAGES].select_q == f_cross);
      assert ((f_cross & (f_cross - 1'b1)) == NO_LANE);
      for (f_i = 0; f_i <= GRANT_STAGES; f_i = f_i + 1)
        assert ((f_way[LANES*f_i+:LANES] & (f_way[LANES*f_i+:LANES] - 1'b1)) == NO_LANE);
      assert (valid_o == (f_out != NO_LANE));
      assert (kind_o == f_kind_q && data_o == f_data_q);
      if (valid_o) assert (f_way_vc[VCS*(GRANT_STAGES+1)+:VCS] == (1 << vc_o));
    end
  end
  wire [VCS-1:0] f_some, f_room;
  wire [VCS-1:0] f_spend;  // credits that the barrier side takes
  generate
    if (BARRIER != 0) begin : f_barrier
      assign f_sends_o = barrier.send;
      assign f_spend = spend;
    end else begin : f_no_barrier
      assign f_sends_o = 1'b0;
      assign f_spend = spend;
    end
    for (d = 0; d <= GRANT_STAGES; d = d + 1) begin : f_stage
      always @*
        if (f_started && (f_way[LANES*d+:LANES] != NO_LANE)) begin
          assert (stage[d].vc_q == f_way_vc[VCS*d+:VCS]);
          assert ((stage[d].vc_q & (stage[d].vc_q - 1'b1)) == NONE && stage[d].vc_q != NONE);
        end
    end
    for (w = 0; w < VCS; w = w + 1) begin : f_vc
      assign f_some[w] = count_o[w*7+:7] != 7'd0;
      assign f_room[w] = (count_o[w*7+:7] >= CUT_FLITS) && f_some[w];
      reg [7:0] f_count_q = DEPTH;
      always @(posedge clk)
        if (rst) f_count_q <= DEPTH;
        else if ((count_o[w*7+:7] == DEPTH) && credit_i[w] && !f_used[w]) f_count_q <= DEPTH;
        else f_count_q <= count_o[w*7+:7] - {7'd0, f_used[w]} + {7'd0, credit_i[w]};
      always @*
        if (f_started) begin
          assert (count_o[w*7+:7] == f_count_q && f_count_q <= DEPTH);
          if (f_used[w]) assert (f_count_q != 0);
          if (taken[w] && f_starts) assert (!owned_q[w] && f_count_q >= CUT_FLITS);
          if (taken[w] && !f_starts) assert (owned_q[w]);
          // §7.6: a preempted channel keeps a credit for padding end, and one more while a second flit is due.
          if ((BARRIER == 3) && preempting_o && (preempt_vc_o == w)) assert (count_o[w*7+:7] > {6'd0, second_o});
        end
    end
  endgenerate
`endif

endmodule

`default_nettype wire
