// A wrapped router that gets no input: while it says that it is quiescent, its reset does not move on.
// SPDX-License-Identifier: Apache-2.0
`include "hd_switch.v"
`default_nettype none
`timescale 1ns / 1ns

module quiescent_tb;
  reg clk = 1'b0, rst = 1'b1;
  always #5 clk = !clk;
  integer tick = 0, wrong = 0, calm = 0;
  wire quiescent;
  hd_switch u_switch (
      .clk         (clk),
      .rst         (rst),
      .in_valid_i  (5'd0),
      .in_kind_i   (15'd0),
      .in_vc_i     (5'd0),
      .in_data_i   (160'd0),
      .out_credit_i(10'd0),
      .cfg_write_i (1'b0),
      .cfg_read_i  (1'b0),
      .cfg_addr_i  (20'd0),
      .cfg_wdata_i (16'd0),
      .quiescent_o (quiescent)
  );
  wire [16:0] now = {u_switch.u_reset.left_q, u_switch.u_reset.reset_o};
  reg [16:0] was;
  reg promised = 1'b0;
  always @(negedge clk) begin
    if (promised && (now !== was)) wrong = wrong + 1;
    was = now;
    rst = tick < 2;
    promised = !rst && quiescent;
    calm = calm + promised;
    tick = tick + 1;
    if (tick == 40) begin
      if (wrong == 0 && calm > 0) $display("ok quiescent in %0d cycles", calm);
      else $display("not ok: quiescent in %0d cycles, and %0d times its reset went on", calm, wrong);
      $finish;
    end
  end
endmodule
