// Lengths of packets that wait to enter a router. A packet may begin when its last flit is here.
// SPDX-License-Identifier: Apache-2.0
//
// For routers that need a packet's length in its head. hd_wrap_in keeps the flits.
`default_nettype none

module hd_wrap_lengths #(
    parameter CHANNELS = 1,
    parameter VC_W = 1,
    parameter LONGEST = 8,  // flits of a packet
    parameter ROOM = 8,     // room for flits of each channel, and so for packets
    parameter LENGTH_W = $clog2(LONGEST + 1)
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                valid_i,   // a flit comes
    input  wire                tail_i,
    input  wire [    VC_W-1:0] vc_i,
    input  wire [CHANNELS-1:0] done_i,    // the last flit of a packet is sent to the router
    input  wire [    VC_W-1:0] asked_i,   // channel whose length is read
    output wire [CHANNELS-1:0] whole_o,   // the channel's oldest packet is here whole
    output wire [LENGTH_W-1:0] length_o   // length of the oldest packet of channel asked_i
);

  localparam HELD_W = $clog2(ROOM + 1);
  wire [CHANNELS*LENGTH_W-1:0] lengths;
  assign length_o = lengths[asked_i*LENGTH_W+:LENGTH_W];
  genvar v;
  generate
    for (v = 0; v < CHANNELS; v = v + 1) begin : channel
      reg [LENGTH_W-1:0] count_q;  // flits so far of the packet that comes in
      wire [HELD_W-1:0] held;
      wire here = valid_i && (vc_i == v[VC_W-1:0]);
      hd_wrap_fifo #(
          .WIDTH(LENGTH_W),
          .DEPTH(ROOM)
      ) u_fifo (
          .clk   (clk),
          .rst   (rst),
          .push_i(here && tail_i),
          .word_i(count_q + 1'b1),
          .pop_i (done_i[v]),
          .word_o(lengths[v*LENGTH_W+:LENGTH_W]),
          .held_o(held)
      );
      assign whole_o[v] = held != {HELD_W{1'b0}};
      always @(posedge clk)
        if (rst) count_q <= {LENGTH_W{1'b0}};
        else if (here) count_q <= tail_i ? {LENGTH_W{1'b0}} : count_q + 1'b1;
`ifndef SYNTHESIS
      always @(posedge clk)
        if (!rst && here && !tail_i && (count_q == LONGEST[LENGTH_W-1:0] - 1'b1))
          $error("a packet is longer than packet.longest, %0d flits; let software send shorter ones (%m)", LONGEST);
`endif
    end
  endgenerate

endmodule

`default_nettype wire
