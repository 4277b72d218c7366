// A flit is sent and its credit comes, which is right; then a credit comes that no flit was sent for.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`timescale 1ns / 1ns

module credits_tb;
  reg clk = 1'b0, rst = 1'b1, spend = 1'b0, gain = 1'b0;
  always #5 clk = !clk;
  wire some;
  hd_wrap_credits #(
      .SLOTS(3)
  ) u_credits (
      .clk    (clk),
      .rst    (rst),
      .spend_i(spend),
      .gain_i (gain),
      .some_o (some)
  );
  initial begin
    @(negedge clk) rst = 1'b0;
    spend = some;
    @(negedge clk) spend = 1'b0;
    gain = 1'b1;
    @(negedge clk) $display("one credit for one flit");
    @(negedge clk) $finish;
  end
endmodule
