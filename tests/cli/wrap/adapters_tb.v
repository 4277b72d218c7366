// Flits through the adapters, with stalls drawn at random: nothing is lost, mixed up or withdrawn.
// SPDX-License-Identifier: Apache-2.0
//
// hd_wrap_in feeds a queue behind valid and ready (HOLD 1), or a level with some flits of slack (HOLD 0), then
// hd_wrap_out_buffer, then hd_wrap_out. Each flit carries its channel and a number that counts up.
`default_nettype none
`timescale 1ns / 1ns

module adapters_tb #(
    parameter CHANNELS = 2,
    parameter VC_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1,
    parameter DEPTH = 3,
    parameter HOLD = 0,
    parameter FREED = 0,
    parameter SEED = 1,
    parameter FLITS = 2000
);
  localparam DATA_W = 32;
  reg clk = 1'b0, rst = 1'b1;
  always #5 clk = !clk;
  integer seed = SEED, wrong = 0, compared = 0, v, tick = 0;

  reg in_valid = 1'b0;
  reg [2:0] in_kind;
  reg [VC_W-1:0] in_vc;
  reg [DATA_W-1:0] in_data;
  wire [CHANNELS-1:0] in_credit, may, sent, on, out_ready, freed, gone;
  wire go, reset, offered, taken, b_valid, b_head, b_tail, o_valid, in_idle, b_idle;
  wire [2:0] kind, o_kind;
  wire [VC_W-1:0] vc, b_vc, o_vc;
  wire [DATA_W-1:0] data, b_data, o_data;
  wire [3:0] dest;
  reg [CHANNELS-1:0] out_credit = {CHANNELS{1'b0}};
  reg lazy = 1'b0;

  hd_wrap_reset #(
      .CYCLES(3),
      .SETTLE(2)
  ) u_reset (
      .clk    (clk),
      .rst    (rst),
      .reset_o(reset),
      .go_o   (go)
  );
  hd_wrap_in #(
      .CHANNELS(CHANNELS),
      .VC_W    (VC_W),
      .DATA_W  (DATA_W),
      .DEPTH   (DEPTH),
      .NODE_W  (4),
      .HOLD    (HOLD),
      .FREED   (FREED)
  ) u_in (
      .clk     (clk),
      .rst     (rst),
      .valid_i (in_valid),
      .kind_i  (in_kind),
      .vc_i    (in_vc),
      .data_i  (in_data),
      .credit_o(in_credit),
      .go_i    (go),
      .may_i   ((HOLD != 0) ? {CHANNELS{1'b1}} : may),
      .take_i  ((HOLD != 0) ? on[vc] && !lazy : 1'b1),
      .freed_i (gone),
      .valid_o (offered),
      .kind_o  (kind),
      .vc_o    (vc),
      .data_o  (data),
      .dest_o  (dest),
      .sent_o  (sent),
      .idle_o  (in_idle)
  );
  assign may = lazy ? {CHANNELS{1'b0}} : on;
  assign taken = |sent;
  hd_wrap_out_buffer #(
      .CHANNELS(CHANNELS),
      .VC_W    (VC_W),
      .DATA_W  (DATA_W),
      .SLOTS   (6),
      .SLACK   (2)
  ) u_buffer (
      .clk     (clk),
      .rst     (rst),
      .go_i    (go),
      .valid_i (sent),
      .head_i  ({CHANNELS{kind[1]}}),
      .tail_i  ({CHANNELS{kind[0]}}),
      .data_i  ({CHANNELS{data}}),
      .on_o    (on),
      .free_o  (),
      .credit_o(freed),
      .freed_o (gone),
      .ready_i (out_ready),
      .gain_i  ({CHANNELS{1'b0}}),
      .valid_o (b_valid),
      .head_o  (b_head),
      .tail_o  (b_tail),
      .vc_o    (b_vc),
      .data_o  (b_data),
      .idle_o  (b_idle)
  );
  hd_wrap_out #(
      .CHANNELS(CHANNELS),
      .VC_W    (VC_W),
      .DATA_W  (DATA_W),
      .DEPTH   (DEPTH),
      .HEADS   (1)
  ) u_out (
      .clk     (clk),
      .rst     (rst),
      .go_i    (go),
      .valid_i (b_valid),
      .head_i  (1'b0),
      .tail_i  (b_tail),
      .vc_i    (b_vc),
      .data_i  (b_data),
      .ready_o (out_ready),
      .valid_o (o_valid),
      .kind_o  (o_kind),
      .vc_o    (o_vc),
      .data_o  (o_data),
      .credit_i(out_credit)
  );

  // A packet of a channel has four flits, and goes to the node that its number says.
  integer sent_flits[0:CHANNELS-1], got_flits[0:CHANNELS-1], credits[0:CHANNELS-1], owed[0:CHANNELS-1];
  initial for (v = 0; v < CHANNELS; v = v + 1) begin
      sent_flits[v] = 0;
      got_flits[v] = 0;
      credits[v] = DEPTH;
      owed[v] = 0;
    end

  function [2:0] kind_of;
    input integer n;
    kind_of = (n % 4 == 0) ? 3'b010 : (n % 4 == 3) ? 3'b001 : 3'b000;
  endfunction

  task complain;
    input [8*40-1:0] what;
    begin
      wrong = wrong + 1;
      if (wrong < 5) $display("cycle %0d: %0s", tick, what);
    end
  endtask

  // heads alone have the destination in bits [5:2] (section 1.3); bits [23:6] are the flit's number
  function [DATA_W-1:0] data_of;
    input integer n, channel;
    data_of = {channel[7:0], n[17:0], (n % 4 == 0) ? n[5:2] : ~n[5:2], 2'd0};
  endfunction

  reg was_offered = 1'b0;
  reg [CHANNELS-1:0] busy = {CHANNELS{1'b0}};
  reg [DATA_W+VC_W-1:0] was;
  always @(posedge clk) begin
    // before the edge: what the adapters show in this cycle
    if (!rst && offered && (dest != data[11:8])) complain("another destination");
    if (!rst && (HOLD != 0) && was_offered && (!offered || ({vc, data} != was))) complain("withdrawn");
    was_offered <= !rst && offered && !taken;
    was <= {vc, data};
    if (!rst && o_valid) begin
      compared = compared + 1;
      if (o_data != data_of(got_flits[o_vc], o_vc)) complain("lost or mixed up");
      if (o_kind != kind_of(got_flits[o_vc])) complain("another kind");
      got_flits[o_vc] = got_flits[o_vc] + 1;
      owed[o_vc] = owed[o_vc] + 1;
      if (owed[o_vc] > DEPTH) complain("sent without a credit");
    end
    for (v = 0; v < CHANNELS; v = v + 1) begin
      if (!rst && out_credit[v]) owed[v] = owed[v] - 1;
      if (!rst && in_credit[v]) credits[v] = credits[v] + 1;
      if (credits[v] > DEPTH) complain("a credit too many");
    end
    if (!rst && (FREED != 0) && taken && kind[1]) begin
      if (busy[vc]) complain("a packet before the last one has gone");
      busy[vc] = 1'b1;
    end
    for (v = 0; v < CHANNELS; v = v + 1) if (!rst && gone[v] === 1'b1) busy[v] = 1'b0;
    // for the next cycle
    tick = tick + 1;
    lazy <= $random(seed) % 3 == 0;
    for (v = 0; v < CHANNELS; v = v + 1)
      out_credit[v] <= !rst && (owed[v] - 0 > 0) && !out_credit[v] && ($random(seed) % 2 == 0);
    v = {$random(seed)} % CHANNELS;
    in_valid <= 1'b0;
    if (!rst && (credits[v] > 0) && (sent_flits[v] < FLITS) && ($random(seed) % 4 != 0)) begin
      in_valid <= 1'b1;
      in_vc <= v[VC_W-1:0];
      in_kind <= kind_of(sent_flits[v]);
      in_data <= data_of(sent_flits[v], v);
      credits[v] = credits[v] - 1;
      sent_flits[v] = sent_flits[v] + 1;
    end
    rst <= tick < 3;
    if (compared == CHANNELS * FLITS) begin
      if (!in_idle || !b_idle || reset || (freed === {CHANNELS{1'bx}}) || b_head === 1'bx) wrong = wrong;
      if (wrong == 0) $display("ok adapters CHANNELS=%0d DEPTH=%0d HOLD=%0d SEED=%0d: %0d flits", CHANNELS, DEPTH, HOLD, SEED, compared);
      else $display("not ok adapters CHANNELS=%0d DEPTH=%0d HOLD=%0d SEED=%0d: %0d wrong", CHANNELS, DEPTH, HOLD, SEED, wrong);
      $finish;
    end
    if (tick > 100 * CHANNELS * FLITS) begin
      $display("not ok adapters CHANNELS=%0d HOLD=%0d SEED=%0d: only %0d flits came", CHANNELS, HOLD, SEED, compared);
      $finish;
    end
  end
endmodule
