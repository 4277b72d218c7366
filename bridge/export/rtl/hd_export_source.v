// Sends packets to random nodes into an AXI4-Stream, with contents that hd_export_sink can check.
// SPDX-License-Identifier: Apache-2.0
//
// The first beat of a packet is its number, above the sender's number. These two numbers and the
// destination form the seed. The number of beats and all other words follow from the seed. So the
// receiver can compute every word, and it notices a packet for another node.
//
// Senders and receivers add up the seeds of packets. When nothing is under way, the sums of all senders and of all
// receivers are equal, unless a packet was lost or came twice.
`default_nettype none

module hd_export_source #(
    parameter DATA_W  = 16,    // 16, 32, 64
    parameter NODE_W  = 6,     // bits of a node's number, 1-16
    parameter NODES   = 64,    // nodes of the fabric: destinations
    parameter NODE    = 0,     // number of this node
    parameter BEATS   = 4,     // most beats of a packet, 1-4
    parameter LOAD    = 64,    // a packet begins in LOAD of 256 free cycles
    parameter PACKETS = 0,     // number of packets to send; 0: no end
    parameter PAUSES  = 0      // 1: the stream pauses within packets, too
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              go_i,
    // stream
    output wire              tvalid_o,
    input  wire              tready_i,
    output wire [DATA_W-1:0] tdata_o,
    output wire              tlast_o,
    output wire [NODE_W-1:0] tdest_o,
    // packets sent, and the sum of their seeds
    output reg  [      31:0] count_o,
    output reg  [      31:0] sum_o,
    // all PACKETS are sent
    output wire              done_o
);

  localparam [31:0] OWN = NODE;
  localparam [31:0] COUNT = NODES;
  localparam [31:0] START = (NODE + 1) * 32'h9e3779b1;
  localparam [31:0] MOST = PACKETS;
  localparam [31:0] MOST_BEATS = BEATS;
  localparam [31:0] LAST_BEAT = BEATS - 1;
  localparam [31:0] LOAD_BITS = LOAD;
  localparam NUMBER_W = (DATA_W == 16) ? 16 - NODE_W : 16;

  // xorshift, 32 bits
  reg [31:0] random_q;
  wire [31:0] r1 = random_q ^ (random_q << 13);
  wire [31:0] r2 = r1 ^ (r1 >> 17);
  always @(posedge clk)
    if (rst) random_q <= (START == 32'd0) ? 32'd1 : START;
    else random_q <= r2 ^ (r2 << 5);

  // the packet
  reg busy_q, pause_q;
  reg [1:0] beat_q;
  reg [31:0] word_q, seed_q;
  reg [NODE_W-1:0] dest_q;
  wire [31:0] product = {16'd0, random_q[31:16]} * COUNT;
  wire [NODE_W-1:0] dest = product[16+:NODE_W];
  wire [NUMBER_W-1:0] number = count_o[NUMBER_W-1:0];
  wire [31:0] seed, next;
  hd_export_seed #(
      .NODE_W(NODE_W),
      .NUMBER_W(NUMBER_W)
  ) u_seed (
      .source_i(OWN[NODE_W-1:0]),
      .dest_i(dest),
      .number_i(number),
      .seed_o(seed)
  );
  hd_export_word u_word (
      .word_i(word_q),
      .next_o(next)
  );
  wire [1:0] last = ({1'b0, seed_q[1:0]} >= MOST_BEATS[2:0]) ? LAST_BEAT[1:0] : seed_q[1:0];
  wire [63:0] first = {{(64 - NUMBER_W - NODE_W) {1'b0}}, number, OWN[NODE_W-1:0]};
  wire [63:0] other = {word_q, word_q};

  assign done_o = (PACKETS != 0) && (count_o == MOST) && !busy_q;
  wire start = !busy_q && go_i && !done_o && ({24'd0, random_q[7:0]} < LOAD_BITS);
  wire beat = tvalid_o && tready_i;
  assign tvalid_o = busy_q && !pause_q;
  assign tdata_o = (beat_q == 2'd0) ? first[DATA_W-1:0] : other[DATA_W-1:0];
  assign tlast_o = beat_q == last;
  assign tdest_o = dest_q;
  wire unused = &{1'b0, product, first, other};

  always @(posedge clk)
    if (rst) begin
      busy_q  <= 1'b0;
      pause_q <= 1'b0;
      beat_q  <= 2'd0;
      count_o <= 32'd0;
      sum_o   <= 32'd0;
    end else begin
      if (start) busy_q <= 1'b1;
      else if (beat && tlast_o) busy_q <= 1'b0;
      if (beat) begin
        beat_q <= tlast_o ? 2'd0 : beat_q + 2'd1;
        if (tlast_o) begin
          count_o <= count_o + 32'd1;
          sum_o   <= sum_o + seed_q;
        end
      end
      // tvalid stays high until tready comes
      pause_q <= (PAUSES != 0) && (beat || pause_q) && random_q[9];
    end
  always @(posedge clk)
    if (start) begin
      dest_q <= dest;
      seed_q <= seed;
      word_q <= seed;
    end else if (beat) word_q <= next;

endmodule

`default_nettype wire
