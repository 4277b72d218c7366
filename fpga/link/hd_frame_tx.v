// The content of an answer to bytes on the line: flags, escapes, CRC (§9.1).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_frame_tx (
    input  wire       clk,
    input  wire       rst,
    input  wire       start_i,   // while not busy
    input  wire [8:0] base_i,    // where the content begins
    input  wire [8:0] length_i,  // without CRC, at least 1
    output wire       busy_o,
    // content: the byte at addr_o is there in the next cycle
    output wire [8:0] addr_o,
    input  wire [7:0] data_i,
    // to the line
    output reg        valid_o,
    input  wire       ready_i,
    output reg  [7:0] byte_o
);

  localparam [2:0] IDLE = 0, READ = 1, TAKE = 2, CONTENT = 3, CRC = 4, LAST = 5, FLAG = 6, DONE = 7;

  reg [2:0] state_q;
  reg [8:0] addr_q, left_q;
  reg [2:0] crc_left_q;
  reg escaped_q;  // the 0x7d before byte_o's value has been sent
  reg [7:0] value_q;
  wire [31:0] crc;
  wire crc_busy;
  wire sent = valid_o && ready_i;
  wire special = (value_q == 8'h7e) || (value_q == 8'h7d);
  wire [1:0] crc_at = 2'd0 - crc_left_q[1:0];  // 4, 3, 2, 1 left: byte 0, 1, 2, 3
  wire [7:0] crc_byte = ~crc[8*crc_at+:8];

  assign busy_o = state_q != IDLE;
  assign addr_o = addr_q;

  hd_crc32 check (
      .clk    (clk),
      .clear_i(start_i),
      .valid_i(state_q == TAKE && !crc_busy),
      .byte_i (data_i),
      .busy_o (crc_busy),
      .crc_o  (crc)
  );

  always @(posedge clk)
    if (rst) begin
      state_q <= IDLE;
      valid_o <= 1'b0;
      byte_o  <= 8'd0;
    end else begin
      if (sent) valid_o <= 1'b0;
      case (state_q)
        IDLE:
        if (start_i) begin
          addr_q <= base_i;
          left_q <= length_i;
          crc_left_q <= 3'd4;
          escaped_q <= 1'b0;
          byte_o <= 8'h7e;
          valid_o <= 1'b1;
          state_q <= READ;
        end
        READ: state_q <= TAKE;  // addr_o is there, data_i comes
        TAKE:
        if (!crc_busy) begin
          value_q <= data_i;
          addr_q  <= addr_q + 9'd1;
          left_q  <= left_q - 9'd1;
          state_q <= CONTENT;
        end
        CONTENT, CRC:
        if (!valid_o || sent) begin
          valid_o <= 1'b1;
          if (special && !escaped_q) begin
            byte_o <= 8'h7d;
            escaped_q <= 1'b1;
          end else begin
            byte_o <= escaped_q ? value_q ^ 8'h20 : value_q;
            escaped_q <= 1'b0;
            state_q <= (left_q != 9'd0) ? READ : LAST;
          end
        end
        LAST:
        if (!crc_busy) begin
          // the four bytes of the CRC, then the flag
          crc_left_q <= crc_left_q - 3'd1;
          value_q <= crc_byte;
          state_q <= (crc_left_q != 3'd0) ? CRC : FLAG;
        end
        FLAG:
        if (!valid_o || sent) begin
          valid_o <= 1'b1;
          byte_o  <= 8'h7e;
          state_q <= DONE;
        end
        default: if (sent) state_q <= IDLE;
      endcase
    end

endmodule

`default_nettype wire
