// Keeps flits until Heddle has a credit, for routers that send without asking for one.
// SPDX-License-Identifier: Apache-2.0
//
// It serves routers that a level or ready for each channel holds back, routers that use SLOTS slots
// by credits, and routers that read the number of free slots. Flits of several channels may come at
// once. hd_wrap_out follows.
//
// If the router uses as many slots as Heddle's receiver has, both count the same slots: a credit of
// the receiver becomes a credit of the router. So if the router loses a credit, a slot of the
// receiver stays empty, and the rules notice that. Otherwise a slot is free again as soon as its
// flit has left this buffer.
`default_nettype none

module hd_wrap_out_buffer #(
    parameter CHANNELS = 1,
    parameter VC_W = 1,
    parameter DATA_W = 16,
    parameter SLOTS = 8,  // flits of each channel
    parameter DEPTH = 0,  // slots of each channel of Heddle's receiver
    parameter SLACK = 0,  // on_o is 1 while more than this many slots are free
    parameter FREE_W = $clog2(SLOTS + 1)
) (
    input  wire                clk,
    input  wire                rst,
    // the router's side
    input  wire                go_i,      // 0: the router must not be used yet
    input  wire [CHANNELS-1:0] valid_i,
    input  wire [CHANNELS-1:0] head_i,
    input  wire [CHANNELS-1:0] tail_i,
    input  wire [CHANNELS*DATA_W-1:0] data_i,
    output wire [CHANNELS-1:0] on_o,
    output wire [CHANNELS*FREE_W-1:0] free_o,  // number of free slots
    output reg  [CHANNELS-1:0] credit_o,  // a slot became free
    // a whole packet is here, so its channel may take the next one
    output reg  [CHANNELS-1:0] freed_o,
    // to hd_wrap_out
    input  wire [CHANNELS-1:0] ready_i,
    input  wire [CHANNELS-1:0] gain_i,  // the receiver's credits
    output wire                valid_o,
    output wire                head_o,
    output wire                tail_o,
    output wire [    VC_W-1:0] vc_o,
    output wire [  DATA_W-1:0] data_o,
    output wire                idle_o
);

  localparam COUNT_W = $clog2(SLOTS + 1);
  wire [CHANNELS*COUNT_W-1:0] held;
  wire [CHANNELS-1:0] popped, tails;
  wire [CHANNELS*(2+DATA_W)-1:0] words;
  hd_wrap_queues #(
      .CHANNELS(CHANNELS),
      .VC_W    (VC_W),
      .WIDTH   (2 + DATA_W),
      .DEPTH   (SLOTS),
      .MARK    (DATA_W)
  ) u_queues (
      .clk     (clk),
      .rst     (rst),
      .push_i  (valid_i & {CHANNELS{go_i}}),
      .word_i  (words),
      .may_i   (ready_i),
      .valid_o (valid_o),
      .vc_o    (vc_o),
      .word_o  ({head_o, tail_o, data_o}),
      .take_i  (1'b1),
      .popped_o(popped),
      .marks_o (tails),
      .held_o  (held)
  );
  assign idle_o = (held == {CHANNELS * COUNT_W{1'b0}}) && (credit_o == {CHANNELS{1'b0}});

  localparam SAME = (SLOTS == DEPTH);  // router and receiver count the same slots
  wire unused_inputs = &{1'b0, tails, gain_i};
  genvar v;
  generate
    for (v = 0; v < CHANNELS; v = v + 1) begin : channel
      wire [31:0] held_of_v = {{(32 - COUNT_W) {1'b0}}, held[v*COUNT_W+:COUNT_W]};
      wire [31:0] free_of_v = go_i ? SLOTS - held_of_v : 32'd0;
      wire unused = &{1'b0, free_of_v};
      assign words[v*(2+DATA_W)+:2+DATA_W] = {head_i[v], tail_i[v], data_i[v*DATA_W+:DATA_W]};
      assign on_o[v] = go_i && (held_of_v + SLACK < SLOTS);
      assign free_o[v*FREE_W+:FREE_W] = free_of_v[FREE_W-1:0];
`ifndef SYNTHESIS
      always @(posedge clk)
        if (SAME && !rst && (held_of_v != 32'd0) && !ready_i[v] && go_i)
          $error("a flit came for which there is no room; the sender did not heed the flow control (%m)");
`endif
    end
  endgenerate

  always @(posedge clk) begin
    credit_o <= rst ? {CHANNELS{1'b0}} : SAME ? gain_i : popped;
    freed_o  <= (rst || !go_i) ? {CHANNELS{1'b0}} : valid_i & tail_i;
  end

endmodule

`default_nettype wire
