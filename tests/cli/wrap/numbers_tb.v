// Credits become numbers: each comes once, often several at a time, for its own channel.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`timescale 1ns / 1ns

module numbers_tb #(
    parameter CHANNELS = 3,
    parameter VC_W = 2,
    parameter BITS = 2,
    parameter ONE = 0
);
  reg clk = 1'b0, rst = 1'b1;
  always #5 clk = !clk;
  reg [CHANNELS-1:0] credit = 0;
  wire [CHANNELS*BITS-1:0] number;
  wire [VC_W-1:0] vc;
  wire idle;
  hd_wrap_credit_numbers #(
      .CHANNELS(CHANNELS),
      .VC_W    (VC_W),
      .BITS    (BITS),
      .ONE     (ONE)
  ) u_numbers (
      .clk     (clk),
      .rst     (rst),
      .credit_i(credit),
      .number_o(number),
      .vc_o    (vc),
      .idle_o  (idle)
  );
  integer given[0:CHANNELS-1], got[0:CHANNELS-1], v, tick = 0, seed = 1, several = 0, wrong = 0;
  initial for (v = 0; v < CHANNELS; v = v + 1) begin
    given[v] = 0;
    got[v] = 0;
  end
  always @(negedge clk) begin
    tick = tick + 1;
    rst = tick < 3;
    for (v = 0; v < CHANNELS; v = v + 1) begin
      if (!rst && (ONE == 0)) got[v] = got[v] + number[v*BITS+:BITS];
      if (!rst && (ONE == 0) && (number[v*BITS+:BITS] > 1)) several = several + 1;
    end
    if (!rst && (ONE != 0)) got[vc] = got[vc] + number[BITS-1:0];
    if (!rst && (ONE != 0) && (number[BITS-1:0] > 1)) several = several + 1;
    credit = 0;
    v = {$random(seed)} % (CHANNELS + 1);  // one at a time, as flits leave
    if ((tick > 4) && (tick < 1000) && (v < CHANNELS)) begin
      credit[v] = 1'b1;
      given[v] = given[v] + 1;
    end
    if (tick == 1100) begin
      for (v = 0; v < CHANNELS; v = v + 1) if ((given[v] != got[v]) || (got[v] < 100)) wrong = wrong + 1;
      if ((wrong == 0) && idle && (several > 50)) $display("ok numbers ONE=%0d: %0d of several slots", ONE, several);
      else $display("not ok numbers ONE=%0d: %0d wrong, idle %b, %0d of several slots", ONE, wrong, idle, several);
      $finish;
    end
  end
endmodule
