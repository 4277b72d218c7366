// Flits from Heddle into one port of a router with its own flow control.
// SPDX-License-Identifier: Apache-2.0
//
// Heddle's sender has DEPTH credits for each channel, so each queue has room for at least DEPTH
// flits. A flit's credit is given back when the router takes the flit or, with a larger ROOM, as
// soon as there is room for one more. Every flit is offered with the destination of its packet,
// which only Heddle's header contains (section 1.3).
`default_nettype none

module hd_wrap_in #(
    parameter CHANNELS = 1,
    parameter VC_W = 1,
    parameter DATA_W = 16,
    parameter DEPTH = 4,
    parameter NODE_W = 4,
    parameter HOLD = 0,    // 1: an offered flit stays until it is taken
    parameter ROOM = DEPTH,  // DEPTH or more: room for flits of each channel
    parameter SINGLE = 0,  // 1: the router knows only packets of one flit
    // 1: a packet waits until the packet before it in its channel has left the router's input
    parameter FREED = 0
) (
    input  wire                clk,
    input  wire                rst,
    // Heddle's side (section 2.11)
    input  wire                valid_i,
    input  wire [         2:0] kind_i,
    input  wire [    VC_W-1:0] vc_i,
    input  wire [  DATA_W-1:0] data_i,
    output reg  [CHANNELS-1:0] credit_o,
    // the router's side
    input  wire                go_i,     // 0: the router must not be used yet
    input  wire [CHANNELS-1:0] may_i,    // channels to which a flit may be sent now
    input  wire                take_i,   // the router takes the offered flit
    input  wire [CHANNELS-1:0] freed_i,  // FREED: the channel's packet has left the router's input
    output wire                valid_o,
    output wire [         2:0] kind_o,
    output wire [    VC_W-1:0] vc_o,
    output wire [  DATA_W-1:0] data_o,
    output wire [  NODE_W-1:0] dest_o,
    output wire [CHANNELS-1:0] sent_o,   // a flit of this channel is sent now
    output wire                idle_o
);

  localparam COUNT_W = $clog2(ROOM + 1);
  wire [CHANNELS*COUNT_W-1:0] held;
  wire [CHANNELS-1:0] heads, push, give;
  reg [CHANNELS-1:0] available_q;  // a channel of the router is free for a new packet
  hd_wrap_queues #(
      .CHANNELS(CHANNELS),
      .VC_W    (VC_W),
      .WIDTH   (3 + DATA_W),
      .DEPTH   (ROOM),
      .HOLD    (HOLD),
      .MARK    (DATA_W + 1)  // bit that marks heads
  ) u_queues (
      .clk     (clk),
      .rst     (rst),
      .push_i  (push),
      .word_i  ({CHANNELS{kind_i, data_i}}),
      .may_i   (may_i & {CHANNELS{go_i}} & (available_q | ~heads)),
      .valid_o (valid_o),
      .vc_o    (vc_o),
      .word_o  ({kind_o, data_o}),
      .take_i  (take_i),
      .popped_o(sent_o),
      .marks_o (heads),
      .held_o  (held)
  );
  assign idle_o = (held == {CHANNELS * COUNT_W{1'b0}}) && (credit_o == {CHANNELS{1'b0}});

  genvar v;
  generate
    for (v = 0; v < CHANNELS; v = v + 1) begin : channel
      assign push[v] = valid_i && (vc_i == v[VC_W-1:0]);
      if (ROOM == DEPTH) begin : as_taken
        assign give[v] = sent_o[v];
      end else begin : as_room  // each credit of the sender and each flit inside has its own place
        reg [COUNT_W-1:0] given_q;
        wire [COUNT_W:0] places = {1'b0, given_q} + {1'b0, held[v*COUNT_W+:COUNT_W]};
        assign give[v] = (given_q < DEPTH[COUNT_W-1:0]) && (sent_o[v] || (places < ROOM[COUNT_W:0]));
        always @(posedge clk)
          if (rst) given_q <= DEPTH[COUNT_W-1:0];
          else if (give[v] != push[v]) given_q <= give[v] ? given_q + 1'b1 : given_q - 1'b1;
      end
    end
  endgenerate

  reg [CHANNELS*NODE_W-1:0] dest_q;  // destination of the current packet of each channel
  assign dest_o = kind_o[1] ? data_o[2+:NODE_W] : dest_q[vc_o*NODE_W+:NODE_W];

  always @(posedge clk) begin
    available_q <= (rst || (FREED == 0)) ? {CHANNELS{1'b1}} : (available_q & ~(sent_o & heads)) | freed_i;
    credit_o <= rst ? {CHANNELS{1'b0}} : give;
    if (rst) dest_q <= {CHANNELS * NODE_W{1'b0}};
    else if (valid_o && take_i) dest_q[vc_o*NODE_W+:NODE_W] <= dest_o;
  end

`ifndef SYNTHESIS
  always @(posedge clk)
    if (!rst && valid_i && (SINGLE != 0) && (kind_i[1:0] != 2'b11))
      $error("the router takes packets of one flit alone (packet.single); let software send such (%m)");
`endif

endmodule

`default_nettype wire
