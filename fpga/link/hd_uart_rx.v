// Serial receiver: 8 data bits, no parity, one stop bit (§9.1).
// SPDX-License-Identifier: Apache-2.0
//
// The line is sampled in the middle of each bit. A start bit that is gone by its middle is noise. A
// byte without stop bit is told as lost; the next one is looked for when the line is idle again.
`default_nettype none

module hd_uart_rx #(
    parameter CLOCKS_PER_BIT = 104  // at least 4
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       line_i,   // asynchronous
    output reg  [7:0] byte_o,
    output reg        valid_o,  // one cycle a byte
    output reg        lost_o    // one cycle for a byte without stop bit
);

  localparam COUNT_W = $clog2(CLOCKS_PER_BIT);
  localparam [31:0] BIT = CLOCKS_PER_BIT - 1;
  localparam [31:0] HALF = CLOCKS_PER_BIT / 2 - 1;

  reg [COUNT_W-1:0] wait_q;
  reg [3:0] bit_q;  // 0: idle, 1: start, 2-9: data, 10: stop, 11: until the line is idle
  wire line;
  hd_synchroniser #(
      .RESET(1'b0)  // a line that is low in reset must not look idle afterwards
  ) u_line (
      .clk     (clk),
      .rst     (rst),
      .signal_i(line_i),
      .signal_o(line)
  );
  wire now = wait_q == {COUNT_W{1'b0}};

  always @(posedge clk)
    if (rst) begin
      wait_q <= {COUNT_W{1'b0}};
      bit_q <= 4'd11;
      byte_o <= 8'd0;
      valid_o <= 1'b0;
      lost_o <= 1'b0;
    end else begin
      valid_o <= 1'b0;
      lost_o <= 1'b0;
      wait_q <= now ? BIT[COUNT_W-1:0] : wait_q - 1'b1;
      if (bit_q == 4'd0) begin
        wait_q <= HALF[COUNT_W-1:0];
        if (!line) bit_q <= 4'd1;
      end else if (bit_q == 4'd11) begin
        if (line) bit_q <= 4'd0;
      end else if (now) begin
        bit_q <= bit_q + 4'd1;
        if (bit_q == 4'd1) begin
          if (line) bit_q <= 4'd0;
        end else if (bit_q == 4'd10) begin
          valid_o <= line;
          lost_o  <= !line;
          bit_q   <= line ? 4'd0 : 4'd11;
        end else byte_o <= {line, byte_o[7:1]};
      end
    end

endmodule

`default_nettype wire
