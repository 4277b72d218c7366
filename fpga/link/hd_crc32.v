// CRC-32 of a sequence of bytes, a bit a cycle (§9.1).
// SPDX-License-Identifier: Apache-2.0
//
// After a byte it is busy for eight cycles, far less than a byte takes on the line. Over bytes and
// their CRC, lowest byte first, the register comes to 0xdebb20e3.
`default_nettype none

module hd_crc32 (
    input  wire        clk,
    input  wire        clear_i,  // begin anew
    input  wire        valid_i,  // while not busy
    input  wire [ 7:0] byte_i,
    output wire        busy_o,
    output reg  [31:0] crc_o     // before the final inversion
);

  reg [7:0] byte_q;
  reg [3:0] left_q;
  assign busy_o = left_q != 4'd0;

  always @(posedge clk)
    if (clear_i) begin
      crc_o  <= 32'hffffffff;
      left_q <= 4'd0;
    end else if (valid_i) begin
      byte_q <= byte_i;
      left_q <= 4'd8;
    end else if (busy_o) begin
      left_q <= left_q - 4'd1;
      byte_q <= {1'b0, byte_q[7:1]};
      crc_o  <= {1'b0, crc_o[31:1]} ^ ((crc_o[0] ^ byte_q[0]) ? 32'hedb88320 : 32'd0);
    end

endmodule

`default_nettype wire
