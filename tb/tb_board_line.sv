// Line, frames and CRC of the board link (§9.1): what one side sends the other gets, or nothing.
// SPDX-License-Identifier: Apache-2.0
//
// The bench puts frames together by itself, damages some of them, and reads what hd_frame_tx sends by itself. Its bits are
// longer or shorter than the board's, by as much as a receiver with so few clocks a bit can stand.
module tb_board_line;
  parameter CLOCKS_PER_BIT = 4, FRAMES = 150;
  localparam OFF = CLOCKS_PER_BIT >= 16 ? CLOCKS_PER_BIT / 4 : CLOCKS_PER_BIT >= 7 ? 1 : 0;  // tenths of a clock, 2.5 %
`include "check.svh"
  logic [7:0] content[0:1535], sent[0:4095], got_bytes[0:511];
  int length, n_sent, got = 0, bad = 0, lost = 0, got_length = 0, bytes = 0;

  // to hd_frame_rx over the line
  logic rx_line = 1, ignore = 0;
  logic [7:0] rx_byte, frame_byte;
  logic rx_valid, rx_lost, write, frame_got, frame_bad;
  logic [8:0] addr, frame_length;
  hd_uart_rx #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT)) rx (.clk(clk), .rst(rst), .line_i(rx_line), .byte_o(rx_byte),
    .valid_o(rx_valid), .lost_o(rx_lost));
  hd_frame_rx frame_rx (.clk(clk), .rst(rst), .busy_i(ignore), .valid_i(rx_valid), .byte_i(rx_byte), .lost_i(rx_lost),
    .write_o(write), .addr_o(addr), .data_o(frame_byte), .got_o(frame_got), .bad_o(frame_bad),
    .length_o(frame_length));
  always @(posedge clk) begin
    if (write) got_bytes[addr] <= frame_byte;
    if (frame_got) got_length <= frame_length;
    got <= got + (frame_got === 1);
    bad <= bad + (frame_bad === 1);
    lost <= lost + (rx_lost === 1);
    bytes <= bytes + (rx_valid === 1);
  end

  // from hd_frame_tx
  logic start = 0, busy, tx_valid, tx_ready, tx_line;
  logic [8:0] base = 0, tx_length = 1, tx_addr;
  logic [7:0] tx_data, tx_byte;
  always @(posedge clk) tx_data <= content[(tx_addr - base) % 512];
  hd_frame_tx frame_tx (.clk(clk), .rst(rst), .start_i(start), .base_i(base), .length_i(tx_length), .busy_o(busy),
    .addr_o(tx_addr), .data_i(tx_data), .valid_o(tx_valid), .ready_i(tx_ready), .byte_o(tx_byte));
  hd_uart_tx #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT)) tx (.clk(clk), .rst(rst), .valid_i(tx_valid), .ready_o(tx_ready),
    .byte_i(tx_byte), .line_o(tx_line));

  logic speaks = 0;  // an answer is asked for
  always @(posedge clk) if (cycle > 3 && !speaks && tx_line !== 1) check("the line is idle", tx_line, 1);

  function automatic logic [31:0] crc32(input int n);
    crc32 = '1;
    for (int i = 0; i < n; i++) begin
      crc32 ^= content[i];
      repeat (8) crc32 = crc32[0] ? crc32 >> 1 ^ 32'hedb88320 : crc32 >> 1;
    end
    return ~crc32;
  endfunction

  task automatic line_byte(input logic [7:0] b, input logic stop);
    logic [9:0] bits = {stop, b, 1'b0};
    int bit_time = 10 * CLOCKS_PER_BIT + random_below(2 * OFF + 1) - OFF;  // a clock takes 10
    for (int i = 0; i < 10; i++) begin
      rx_line = bits[i];
      #(bit_time);
    end
    rx_line = 1;
    if (!stop) repeat (2 * CLOCKS_PER_BIT) step();
  endtask

  task automatic stuff(input logic [7:0] b);
    if (b == 8'h7e || b == 8'h7d) begin
      sent[n_sent++] = 8'h7d;
      b ^= 8'h20;
    end
    sent[n_sent++] = b;
  endtask

  // random content of n bytes
  task automatic make_frame(input int n);
    for (int i = 0; i < n; i++) content[i] = random_below(4) == 0 ? 8'h7d + random_below(2) : $random(seed);
    frame_content(n);
  endtask

  // content as it must be on the line
  task automatic frame_content(input int n);
    logic [31:0] crc = crc32(n);
    length = n;
    n_sent = 0;
    sent[n_sent++] = 8'h7e;
    for (int i = 0; i < n; i++) stuff(content[i]);
    for (int i = 0; i < 4; i++) stuff(crc[8*i+:8]);
    sent[n_sent++] = 8'h7e;
  endtask

  task automatic settle;
    repeat (12 * CLOCKS_PER_BIT) step();
  endtask

  // A frame in which one byte is damaged, lost or without stop bit never counts as good.
  task automatic damaged;
    int was_got = got, at, was_bad = bad, was_lost = lost, kind = random_below(4);
    make_frame(4 + random_below(12));
    at = 1 + random_below(n_sent - 2);
    for (int i = 0; i < n_sent; i++)
      if (i != at) line_byte(sent[i], 1);
      else if (kind == 0) line_byte(sent[i] ^ 8'd1 << random_below(8), 1);
      else if (kind == 1) line_byte(sent[i], 0);
      else if (kind == 2) begin line_byte(sent[i], 1); line_byte($random(seed), 1); end
    line_byte(8'h7e, 1);
    settle();
    // a doubled byte may be all there is behind an empty frame; nothing else is good
    check("damaged is not good", got - was_got, 0);
    check("damaged is bad", bad > was_bad, 1);
    check("lost", lost - was_lost, kind == 1);
  endtask

  task automatic sound(input int n);
    int was_got = got, was_bad = bad;
    make_frame(n);
    for (int i = 0; i < n_sent; i++) line_byte(sent[i], 1);
    settle();
    check("good", got - was_got, n >= 4 && n <= 504);
    check("bad", bad - was_bad, n < 4 || n > 504);
    if (n >= 4 && n <= 504) begin
      check("length", got_length, n);
      for (int i = 0; i < n; i++) check("content", got_bytes[i], content[i]);
    end
  endtask

  // A byte that is escaped without need makes a frame bad, and so does a byte more that has no stop bit.
  task automatic badly_sent(input logic without_stop);
    int was_got = got, was_bad = bad, was_lost = lost;
    make_frame(6);
    content[0] = 8'h41;
    frame_content(6);
    for (int i = 0; i < n_sent; i++) begin
      if (i == 1 && without_stop) line_byte($random(seed), 0);
      if (i == 1 && !without_stop) line_byte(8'h7d, 1);
      line_byte(i == 1 && !without_stop ? sent[i] ^ 8'h20 : sent[i], 1);
    end
    settle();
    check("badly sent is not good", got - was_got, 0);
    check("badly sent is bad", bad - was_bad, 1);
    check("lost of it", lost - was_lost, without_stop);
  endtask

  // A line that stays low is one byte without stop bit. After a reset it is nothing.
  task automatic low_line(input logic with_reset);
    int was_lost, was_bytes = bytes;
    rx_line = 0;
    repeat (3 * CLOCKS_PER_BIT) step();
    if (with_reset) begin
      rst = 1;
      repeat (5) step();
      rst = 0;
    end
    was_lost = lost;
    repeat (25 * CLOCKS_PER_BIT) step();
    check("lost while the line is low", lost - was_lost, !with_reset);
    check("no bytes from it", bytes, was_bytes);
    rx_line = 1;
    settle();
    line_byte(8'h7e, 1);  // ends the frame that the lost byte began
    settle();
  endtask

  task automatic ignored;
    int was_got = got, was_bad = bad, begins = random_below(3), ends;
    make_frame(8);
    ends = n_sent - 1 - random_below(3);
    for (int i = 0; i < n_sent; i++) begin
      ignore = i >= begins && i < ends;
      line_byte(sent[i], 1);
    end
    ignore = 0;
    settle();
    check("ignored", {got - was_got, bad - was_bad}, 0);
  endtask

  task automatic answered(input int n);
    logic [7:0] b;
    int waited;
    make_frame(n);
    base = random_below(2) ? 0 : 504;
    tx_length = n;
    speaks = 1;
    start = 1;
    step();
    start = 0;
    for (int i = 0; i < n_sent; i++) begin
      for (waited = 0; tx_line && waited < 100 * CLOCKS_PER_BIT; waited++) step();
      if (i > 0) check("the next byte comes at once", waited <= CLOCKS_PER_BIT, 1);
      repeat (CLOCKS_PER_BIT + CLOCKS_PER_BIT / 2) step();
      for (int k = 0; k < 8; k++) begin
        b[k] = tx_line;
        repeat (CLOCKS_PER_BIT) step();
      end
      check("stop bit", tx_line, 1);
      if (i + 1 < n_sent) check("busy", busy, 1);
      check("sent", b, sent[i]);
    end
    repeat (20 * CLOCKS_PER_BIT) begin
      step();
      check("silent", tx_line, 1);
    end
    check("done", busy, 0);
    speaks = 0;
  endtask

  initial begin
    foreach (content[i]) content[i] = 0;
    repeat (3) step();
    rst = 0;
    repeat (3) step();
    sound(4); sound(3); sound(504); sound(505); sound(1100);
    for (int n = 0; n < FRAMES; n++) begin
      sound(4 + random_below(20));
      damaged();
      sound(4);
      if (n % 4 == 0) ignored();
      if (n % 8 == 1) badly_sent(n % 16 == 1);
      if (n % 16 == 3) low_line(n % 32 == 3);
      if (n % 2 == 0) answered(1 + random_below(n % 8 ? 12 : 300));
    end
    rx_line = 0;  // a start bit that is gone by its middle is noise
    step();
    rx_line = 1;
    settle();
    sound(9);
    finish_bench($sformatf("board_line CLOCKS_PER_BIT=%0d", CLOCKS_PER_BIT));
  end
endmodule
