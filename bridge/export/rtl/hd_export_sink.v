// Receives packets of hd_export_source from an AXI4-Stream, and checks every word.
// SPDX-License-Identifier: Apache-2.0
//
// wrong_o rises at the first wrong word, packet end or sender's number, and stays high. The sums
// show lost and doubled packets (hd_export_source).
`default_nettype none

module hd_export_sink #(
    parameter DATA_W = 16,  // as in hd_export_source
    parameter NODE_W = 6,
    parameter NODE   = 0,
    parameter BEATS  = 4,
    parameter HAS_ID = 1,   // 1: tid contains the sender
    parameter PAUSES = 0    // 1: tready is sometimes low
) (
    input  wire              clk,
    input  wire              rst,
    // stream
    input  wire              tvalid_i,
    output wire              tready_o,
    input  wire [DATA_W-1:0] tdata_i,
    input  wire              tlast_i,
    input  wire [NODE_W-1:0] tid_i,
    // packets that arrived, and the sum of their seeds
    output reg  [      31:0] count_o,
    output reg  [      31:0] sum_o,
    output reg               wrong_o
);

  localparam [31:0] OWN = NODE;
  localparam [31:0] MOST_BEATS = BEATS;
  localparam [31:0] LAST_BEAT = BEATS - 1;
  localparam NUMBER_W = (DATA_W == 16) ? 16 - NODE_W : 16;

  reg [15:0] random_q;  // §10.3
  always @(posedge clk)
    if (rst) random_q <= OWN[15:0] ^ 16'h1d0f;
    else random_q <= random_q[0] ? (random_q >> 1) ^ 16'hB400 : random_q >> 1;
  assign tready_o = (PAUSES == 0) || (random_q == 16'd0) || random_q[3] || random_q[7];

  reg [1:0] beat_q;
  reg [31:0] word_q, seed_q;
  wire first = beat_q == 2'd0;
  wire [NODE_W-1:0] source = tdata_i[NODE_W-1:0];
  wire [31:0] from_first, next;
  hd_export_seed #(
      .NODE_W(NODE_W),
      .NUMBER_W(NUMBER_W)
  ) u_seed (
      .source_i(source),
      .dest_i(OWN[NODE_W-1:0]),
      .number_i(tdata_i[NODE_W+:NUMBER_W]),
      .seed_o(from_first)
  );
  wire [31:0] word = first ? from_first : word_q;
  wire [31:0] seed = first ? from_first : seed_q;
  hd_export_word u_word (
      .word_i(word),
      .next_o(next)
  );
  wire [1:0] last = ({1'b0, seed[1:0]} >= MOST_BEATS[2:0]) ? LAST_BEAT[1:0] : seed[1:0];
  wire [63:0] other = {word_q, word_q};
  wire beat = tvalid_i && tready_o;
  wire wrong_word = !first && (tdata_i != other[DATA_W-1:0]);
  wire wrong_end = tlast_i != (beat_q == last);
  wire wrong_id = (HAS_ID != 0) && first && (tid_i != source);
  wire unused = &{1'b0, other, tid_i};

  always @(posedge clk)
    if (rst) begin
      beat_q  <= 2'd0;
      count_o <= 32'd0;
      sum_o   <= 32'd0;
      wrong_o <= 1'b0;
    end else if (beat) begin
      beat_q <= tlast_i ? 2'd0 : beat_q + 2'd1;
      if (tlast_i) begin
        count_o <= count_o + 32'd1;
        sum_o   <= sum_o + seed;
      end
      if (wrong_word || wrong_end || wrong_id) wrong_o <= 1'b1;
    end
  always @(posedge clk)
    if (beat) begin
      word_q <= next;
      if (first) seed_q <= from_first;
    end

endmodule

`default_nettype wire
