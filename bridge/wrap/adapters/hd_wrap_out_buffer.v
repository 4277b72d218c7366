// Flits that a router sends without asking whether Heddle has a credit: kept until it has one.
// SPDX-License-Identifier: Apache-2.0
//
// For routers that are held back by a level, or that count on SLOTS slots and a pulse for each that becomes free.
// hd_wrap_out follows.
`default_nettype none

module hd_wrap_out_buffer #(
    parameter CHANNELS = 1,
    parameter VC_W = 1,
    parameter DATA_W = 16,
    parameter SLOTS = 8,  // flits of each channel
    parameter SLACK = 0   // on_o is 1 while more than so many slots are free
) (
    input  wire                clk,
    input  wire                rst,
    // the router's side
    input  wire                go_i,      // 0: it is being reset
    input  wire                valid_i,
    input  wire                head_i,
    input  wire                tail_i,
    input  wire [    VC_W-1:0] vc_i,
    input  wire [  DATA_W-1:0] data_i,
    output wire [CHANNELS-1:0] on_o,
    output reg  [CHANNELS-1:0] credit_o,  // a slot became free
    output reg  [CHANNELS-1:0] freed_o,   // a packet is here whole, its channel may take the next one
    // to hd_wrap_out
    input  wire [CHANNELS-1:0] ready_i,
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
  hd_wrap_queues #(
      .CHANNELS(CHANNELS),
      .VC_W    (VC_W),
      .WIDTH   (2 + DATA_W),
      .DEPTH   (SLOTS),
      .MARK    (DATA_W)
  ) u_queues (
      .clk     (clk),
      .rst     (rst),
      .push_i  (valid_i && go_i),
      .vc_i    (vc_i),
      .word_i  ({head_i, tail_i, data_i}),
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

  wire unused_tails = &{1'b0, tails};
  genvar v;
  generate
    for (v = 0; v < CHANNELS; v = v + 1) begin : channel
      assign on_o[v] = go_i && ({1'b0, held[v*COUNT_W+:COUNT_W]} + SLACK < SLOTS);
    end
  endgenerate

  always @(posedge clk) begin
    credit_o <= rst ? {CHANNELS{1'b0}} : popped;
    freed_o  <= {CHANNELS{1'b0}};
    if (!rst && go_i && valid_i && tail_i) freed_o[vc_i] <= 1'b1;
  end

endmodule

`default_nettype wire
