// Barrier side of one input port: the barrier queue, and the set of preempted channels (§7.3-7.5).
// SPDX-License-Identifier: Apache-2.0
//
// With BARRIER 1 and 2, barrier and padding flits bypass the buffers and are read at the pins. With 3, 4
// and 5 they pass through the buffers and are read at the fronts. In both cases a flit is one event of its
// channel: first flit, last flit, padding request or padding end.
`default_nettype none

module hd_barrier_in #(
    parameter VCS       = 2,                       // 1-8
    parameter VC_W      = 1,                       // max(1, clog2(VCS))
    parameter DATA_W    = 16,                      // 16, 32, 64
    parameter BARRIER   = 1,                       // 1-5
    parameter VALUES    = 0,                       // 0-1
    parameter MESSAGE_W = (VALUES != 0) ? 64 : 32  // derived, not to be set
) (
    input  wire                  clk,
    input  wire                  rst,
    // pins
    input  wire                  valid_i,
    input  wire [           2:0] kind_i,
    input  wire [      VC_W-1:0] vc_i,
    input  wire [    DATA_W-1:0] data_i,
    // barrier and padding flits at the fronts of the channels, and those of them that are taken
    input  wire [       VCS-1:0] front_i,
    input  wire [     VCS*3-1:0] front_kind_i,
    input  wire [VCS*DATA_W-1:0] front_data_i,
    output wire [       VCS-1:0] take_o,
    // channels that are preempted
    output wire [       VCS-1:0] preempted_o,
    // barrier queue
    output wire                  some_o,
    output wire [ MESSAGE_W-1:0] message_o,
    input  wire                  pop_i,
    output wire                  credit_o,
    // error bits overflow, protocol; clear_i 1 clears them
    input  wire [           1:0] clear_i,
    output wire [           1:0] errors_o,
    // 1: a message is held, a channel is preempted or a credit is at the pins
    output wire                  busy_o,
    // observed state (§8.10)
    output wire [           1:0] queued_o
);

  localparam [VCS-1:0] NONE = {VCS{1'b0}};
  localparam [VCS-1:0] ONE = {{(VCS - 1) {1'b0}}, 1'b1};
  // kinds of transport (§7.1)
  localparam BARRIER_ANY = 1, BARRIER_FIXED = 2, BARRIER_MOVING = 3;
  localparam BESIDE = (BARRIER == BARRIER_ANY) || (BARRIER == BARRIER_FIXED);
  localparam PREEMPTS = BESIDE || (BARRIER == BARRIER_MOVING);
  localparam TWO = DATA_W == 16;  // a message has two flits (M of §7.1)
  localparam [VCS-1:0] PREEMPTABLE = (BARRIER == BARRIER_FIXED) ? ONE : PREEMPTS ? ~NONE : NONE;

  localparam [2:0] KIND_FIRST = 3'd4, KIND_LAST = 3'd5, KIND_NULL = 3'd7;  // §7.2

  // events by channel
  wire [VCS-1:0] event_, padding, ends, first, last;
  wire [VCS*DATA_W-1:0] data;
  wire full;
  genvar v;
  generate
    if (BESIDE) begin : pins
      assign event_ = (valid_i && kind_i[2] && (kind_i != KIND_NULL)) ? ONE << vc_i : NONE;
      assign padding = event_ & {VCS{kind_i[1]}};
      assign first = event_ & {VCS{kind_i == KIND_FIRST}};
      assign last = event_ & {VCS{kind_i == KIND_LAST}};
      assign data = {VCS{data_i}};
      assign take_o = NONE;
      wire unused_front = &{1'b0, front_i, front_kind_i, front_data_i};
    end else begin : fronts
      wire [VCS-1:0] want;
      for (v = 0; v < VCS; v = v + 1) begin : vc
        assign padding[v] = front_i[v] && front_kind_i[v*3+1];
        assign first[v] = front_i[v] && (front_kind_i[v*3+:2] == KIND_FIRST[1:0]);
        assign want[v] = front_i[v] && (front_kind_i[v*3+:2] == KIND_LAST[1:0]);
        wire unused_kind = front_kind_i[v*3+2];
      end
      // The queue takes one last flit a cycle: that of the lowest channel.
      assign last = full ? NONE : want & (~want + ONE);
      assign data = front_data_i;
      assign event_ = padding | first | last;
      assign take_o = event_;
      wire unused_pins = &{1'b0, valid_i, kind_i, vc_i, data_i};
    end
    for (v = 0; v < VCS; v = v + 1) begin : vc
      assign ends[v] = padding[v] && data[v*DATA_W];
    end
  endgenerate

  // preemptions (§7.4)
  reg [VCS-1:0] preempted_q;
  wire [VCS-1:0] wrong_padding = padding & (~PREEMPTABLE | (preempted_q ^ ends));
  always @(posedge clk)
    if (rst) preempted_q <= NONE;
    else if ((padding & ~wrong_padding) != NONE) preempted_q <= preempted_q ^ (padding & ~wrong_padding);
  assign preempted_o = preempted_q;

  // the message that the last flit completes
  wire [VCS*MESSAGE_W-1:0] whole;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : channel
      if (TWO) begin : two
        reg [15:0] low_q;
        always @(posedge clk)
          if (rst) low_q <= 16'd0;
          else if (first[v]) low_q <= data[v*DATA_W+:16];
        assign whole[v*32+:32] = {data[v*DATA_W+:16], low_q};  // (VALUES needs 32 bits a flit or more)
      end else begin : one
        assign whole[v*MESSAGE_W+:MESSAGE_W] = data[v*DATA_W+:MESSAGE_W];
      end
    end
    if (!TWO && (DATA_W > MESSAGE_W)) begin : wide
      for (v = 0; v < VCS; v = v + 1) begin : vc
        wire unused_data = &{1'b0, data[v*DATA_W+32+:32]};
      end
    end
  endgenerate
  reg [MESSAGE_W-1:0] message;
  integer i;
  always @* begin
    message = {MESSAGE_W{1'b0}};
    for (i = 0; i < VCS; i = i + 1) if (last[i]) message = whole[i*MESSAGE_W+:MESSAGE_W];
  end

  // queue of two
  reg [1:0] fill_q;
  reg [MESSAGE_W-1:0] front_q, back_q;
  assign full = fill_q == 2'd2;
  wire push = (last != NONE) && !full;
  assign some_o = fill_q != 2'd0;
  assign message_o = front_q;
  assign queued_o = fill_q;
  always @(posedge clk)
    if (rst) fill_q <= 2'd0;
    else if (push != pop_i) fill_q <= push ? fill_q + 2'd1 : fill_q - 2'd1;
  always @(posedge clk) begin
    if (pop_i) front_q <= back_q;
    if (push) begin
      if (fill_q == (pop_i ? 2'd1 : 2'd0)) front_q <= message;
      back_q <= message;
    end
  end

  reg credit_q;
  always @(posedge clk)
    if (rst) credit_q <= 1'b0;
    else credit_q <= pop_i;
  assign credit_o = credit_q;
  assign busy_o = some_o || (preempted_q != NONE) || credit_o;

  // errors (§8.7)
  reg [1:0] errors_q;
  wire wrong = (wrong_padding != NONE) || (!TWO && (first != NONE));
  always @(posedge clk)
    if (rst) errors_q <= 2'd0;
    else errors_q <= (errors_q & ~clear_i) | {wrong, (last != NONE) && full};
  assign errors_o = errors_q;

`ifdef FORMAL
  // 1 §7.4: messages leave the queue unchanged and in order; a message that finds the queue full is refused
  //   and recorded at the pins, and waits at the front of its buffer with BARRIER 3, 4, 5
  // 2 §7.3: a barrier credit for each message that leaves, in the next cycle
  // 3 §7.4: only channels that may be preempted are preempted; a request or an end out of turn changes
  //   nothing and is recorded
  reg f_started = 1'b0, f_pop_q = 1'b0, f_wrong_q = 1'b0, f_full_q = 1'b0;
  reg [VCS-1:0] f_preempted_q = NONE;
  reg [MESSAGE_W-1:0] f_list[0:1];
  reg [1:0] f_fill = 2'd0;
  integer f_v;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_pop_q <= !rst && pop_i;
    f_fill <= rst ? 2'd0 : f_fill + {1'b0, last != NONE && f_fill < 2'd2} - {1'b0, pop_i};
    if (pop_i) f_list[0] <= f_list[1];
    if (last != NONE && f_fill < 2'd2) f_list[(f_fill==2'd1 && !pop_i)?1 : 0] <= message;
    f_full_q  <= !rst && last != NONE && f_fill == 2'd2;
    f_wrong_q <= 1'b0;
    for (f_v = 0; f_v < VCS; f_v = f_v + 1) begin
      if (padding[f_v] && PREEMPTABLE[f_v] && (data[f_v*DATA_W] == f_preempted_q[f_v]))
        f_preempted_q[f_v] <= !data[f_v*DATA_W];
      else if (padding[f_v]) f_wrong_q <= !rst;
      if (rst) f_preempted_q[f_v] <= 1'b0;
    end
  end
  always @* begin
    if (!f_started) assume (rst);
`ifdef FORMAL_hd_barrier_in
    assume (!pop_i || some_o);
`else
    if (f_started && !rst) assert (!pop_i || some_o);
`endif
    if (f_started) begin
      assert (f_fill <= 2'd2 && queued_o == f_fill);
      assert (some_o == (f_fill != 2'd0));
      if (f_fill != 2'd0) assert (message_o == f_list[0]);
      if (f_fill == 2'd2) assert (back_q == f_list[1]);
      assert (credit_o == f_pop_q);
      assert (preempted_o == f_preempted_q && (preempted_o & ~PREEMPTABLE) == NONE);
      assert (!f_wrong_q || errors_o[1]);
      assert (!f_full_q || errors_o[0]);
      if (!BESIDE) assert (!f_full_q && (last & (last - 1'b1)) == NONE);
    end
  end
`endif

endmodule

`default_nettype wire
