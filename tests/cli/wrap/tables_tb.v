// An entry is written in one cycle after another of the replay and after it: the router gets the last value.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`timescale 1ns / 1ns

module tables_tb;
  reg clk = 1'b0, rst = 1'b1, write = 1'b0;
  always #5 clk = !clk;
  reg [19:0] addr = {4'd1, 4'd0, 12'd1};
  reg [15:0] data = 16'h1002;
  wire write_o, done;
  wire [19:0] addr_o;
  wire [15:0] data_o;
  hd_wrap_tables #(
      .PORTS(2),
      .NODES(4)
  ) u_tables (
      .clk    (clk),
      .rst    (rst),
      .write_i(write),
      .addr_i (addr),
      .data_i (data),
      .go_i   (1'b1),
      .write_o(write_o),
      .addr_o (addr_o),
      .data_o (data_o),
      .done_o (done)
  );
  reg [15:0] entry;  // the router's
  always @(negedge clk) if (write_o && (addr_o == addr)) entry = data_o;
  integer at, wrong = 0, compared = 0;

  // Writes `value` in cycle `at` after the reset, and waits for the end.
  task try;
    input [15:0] value;
    begin
      rst = 1'b1;
      @(negedge clk) rst = 1'b0;
      entry = 16'd0;
      repeat (at) @(negedge clk);
      write = 1'b1;
      data = value;
      @(negedge clk) write = 1'b0;
      while (!done) @(negedge clk);
      repeat (2) @(negedge clk);
      if (entry !== value) wrong = wrong + 1;
      compared = compared + 1;
    end
  endtask

  initial begin
    for (at = 0; at < 10; at = at + 1) begin
      try(16'h1002);
      try(16'h1003);
      try(16'h0000);
    end
    if (wrong == 0) $display("ok tables: %0d writes", compared);
    else $display("not ok tables: %0d of %0d writes are lost", wrong, compared);
    $finish;
  end
endmodule
