// A queue for each channel. In turn, it offers a word of one channel that may go on.
// SPDX-License-Identifier: Apache-2.0
//
// With HOLD an offered word stays until it is taken: valid does not wait for ready. Without HOLD
// the channel is chosen anew in each cycle.
`default_nettype none

module hd_wrap_queues #(
    parameter CHANNELS = 1,
    parameter VC_W = 1,
    parameter WIDTH = 8,
    parameter DEPTH = 4,                     // words of each channel
    parameter HOLD = 0,
    parameter MARK = 0,                      // position of the bit that marks_o shows
    parameter COUNT_W = $clog2(DEPTH + 1)
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire [        CHANNELS-1:0] push_i,
    input  wire [  CHANNELS*WIDTH-1:0] word_i,   // each channel: the word that push_i appends
    input  wire [        CHANNELS-1:0] may_i,    // channels whose word may go on
    output wire                        valid_o,
    output wire [            VC_W-1:0] vc_o,
    output wire [           WIDTH-1:0] word_o,
    input  wire                        take_i,   // the offered word is taken
    output wire [        CHANNELS-1:0] popped_o, // channel of the word that is taken
    output wire [        CHANNELS-1:0] marks_o,  // bit MARK of each channel's oldest word
    output wire [CHANNELS*COUNT_W-1:0] held_o
);

  wire [CHANNELS*WIDTH-1:0] words;
  wire [CHANNELS-1:0] there;
  genvar v;
  generate
    for (v = 0; v < CHANNELS; v = v + 1) begin : channel
      hd_wrap_fifo #(
          .WIDTH(WIDTH),
          .DEPTH(DEPTH)
      ) u_fifo (
          .clk   (clk),
          .rst   (rst),
          .push_i(push_i[v]),
          .word_i(word_i[v*WIDTH+:WIDTH]),
          .pop_i (popped_o[v]),
          .word_o(words[v*WIDTH+:WIDTH]),
          .held_o(held_o[v*COUNT_W+:COUNT_W])
      );
      assign marks_o[v] = words[v*WIDTH+MARK];
      assign there[v] = held_o[v*COUNT_W+:COUNT_W] != {COUNT_W{1'b0}};
      assign popped_o[v] = valid_o && take_i && (vc_o == v[VC_W-1:0]);
    end
  endgenerate

  // the first channel at or after turn_q, with wrap-around
  reg [VC_W-1:0] turn_q, chosen;
  reg holding_q;
  wire [CHANNELS-1:0] ready = there & may_i;
  integer k;
  always @* begin
    chosen = turn_q;
    for (k = CHANNELS - 1; k >= 0; k = k - 1) if (ready[k]) chosen = k[VC_W-1:0];
    for (k = CHANNELS - 1; k >= 0; k = k - 1) if (ready[k] && (k[VC_W-1:0] >= turn_q)) chosen = k[VC_W-1:0];
    if ((HOLD != 0) && holding_q) chosen = turn_q;
  end
  assign valid_o = |ready;
  assign vc_o = chosen;
  assign word_o = words[chosen*WIDTH+:WIDTH];

  always @(posedge clk)
    if (rst) begin
      turn_q <= {VC_W{1'b0}};
      holding_q <= 1'b0;
    end else begin
      holding_q <= valid_o && !take_i;
      if (valid_o && take_i) turn_q <= (chosen == CHANNELS[VC_W-1:0] - 1'b1) ? {VC_W{1'b0}} : chosen + 1'b1;
      else if (valid_o && (HOLD != 0)) turn_q <= chosen;
    end

endmodule

`default_nettype wire
