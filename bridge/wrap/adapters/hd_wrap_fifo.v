// A queue of DEPTH words; the oldest one is always at the output.
// SPDX-License-Identifier: Apache-2.0
//
// The sender must know that there is room. A push into a full queue ends the run with a message.
`default_nettype none

module hd_wrap_fifo #(
    parameter WIDTH = 8,
    parameter DEPTH = 4,                          // 1 or more
    parameter COUNT_W = $clog2(DEPTH + 1)
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               push_i,
    input  wire [  WIDTH-1:0] word_i,
    input  wire               pop_i,    // only while there is a word
    output wire [  WIDTH-1:0] word_o,
    output wire [COUNT_W-1:0] held_o    // number of words inside
);

  localparam PLACE_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam [PLACE_W-1:0] LAST = DEPTH[PLACE_W-1:0] - 1'b1;

  reg [WIDTH-1:0] words_q[0:DEPTH-1];
  reg [PLACE_W-1:0] oldest_q, next_q;
  reg [COUNT_W-1:0] held_q;

  assign word_o = words_q[oldest_q];
  assign held_o = held_q;

  always @(posedge clk) begin
    if (push_i) words_q[next_q] <= word_i;
    if (rst) begin
      oldest_q <= {PLACE_W{1'b0}};
      next_q   <= {PLACE_W{1'b0}};
      held_q   <= {COUNT_W{1'b0}};
    end else begin
      if (push_i) next_q <= (next_q == LAST) ? {PLACE_W{1'b0}} : next_q + 1'b1;
      if (pop_i) oldest_q <= (oldest_q == LAST) ? {PLACE_W{1'b0}} : oldest_q + 1'b1;
      if (push_i != pop_i) held_q <= push_i ? held_q + 1'b1 : held_q - 1'b1;
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk)
    if (!rst && push_i && (held_q == DEPTH[COUNT_W-1:0]) && !pop_i)
      $error("a flit came for which there is no room; the sender did not heed the flow control (%m)");
`endif

endmodule

`default_nettype wire
