// Bytes from the line to the content of a frame (§9.1).
// SPDX-License-Identifier: Apache-2.0
//
// The content is written out as it comes; it is a request only when `got_o` says so. While
// `busy_i`, whole frames are ignored, also those of which only a part falls into it.
`default_nettype none

module hd_frame_rx (
    input  wire       clk,
    input  wire       rst,
    input  wire       busy_i,
    // from the line
    input  wire       valid_i,
    input  wire [7:0] byte_i,
    input  wire       lost_i,
    // content
    output wire       write_o,
    output wire [8:0] addr_o,
    output wire [7:0] data_o,
    // verdict, one cycle a frame; length without CRC
    output reg        got_o,
    output reg        bad_o,
    output reg  [8:0] length_o
);

  localparam [7:0] FLAG = 8'h7e, ESCAPE = 8'h7d;
  localparam [9:0] LONGEST = 10'd508, SHORTEST = 10'd8;

  reg [9:0] length_q;  // of the content so far; stays above LONGEST
  reg escape_q, wrong_q, some_q, ignore_q;
  wire flag = valid_i && (byte_i == FLAG);
  wire [31:0] crc;
  wire unused_busy;

  // the byte that the content gets
  wire plain = valid_i && !flag && (byte_i != ESCAPE);
  wire [7:0] value = escape_q ? byte_i ^ 8'h20 : byte_i;
  wire ill_escaped = valid_i && escape_q && (byte_i != 8'h5e) && (byte_i != 8'h5d);

  assign write_o = plain && !busy_i && !ignore_q && (length_q < LONGEST);
  assign addr_o  = length_q[8:0];
  assign data_o  = value;

  hd_crc32 check (
      .clk    (clk),
      .clear_i(rst || flag),
      .valid_i(plain),
      .byte_i (value),
      .busy_o (unused_busy),
      .crc_o  (crc)
  );

  wire good = !wrong_q && !escape_q && (length_q >= SHORTEST) && (length_q <= LONGEST) &&
              (crc == 32'hdebb20e3);

  always @(posedge clk) begin
    got_o <= 1'b0;
    bad_o <= 1'b0;
    if (rst) begin
      length_q <= 10'd0;
      length_o <= 9'd0;
      {escape_q, wrong_q, some_q, ignore_q} <= 4'b0000;
    end else begin
      if (busy_i) ignore_q <= 1'b1;
      if (valid_i && !flag || lost_i) some_q <= 1'b1;
      if (ill_escaped || lost_i) wrong_q <= 1'b1;
      if (valid_i) escape_q <= (byte_i == ESCAPE);
      if (plain && (length_q <= LONGEST)) length_q <= length_q + 10'd1;
      if (flag) begin
        length_q <= 10'd0;
        length_o <= length_q[8:0] - 9'd4;
        {escape_q, wrong_q, some_q} <= 3'b000;
        ignore_q <= busy_i;
        got_o <= some_q && good && !ignore_q && !busy_i;
        bad_o <= some_q && !good && !ignore_q && !busy_i;
      end
    end
  end

endmodule

`default_nettype wire
