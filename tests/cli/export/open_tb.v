// hd_export_open writes into each switch with members what §9.8 says, in the cycles that it says, after each reset.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module open_tb;
  parameter SWITCHES = 4, PORTS = 3, CENTER = 1, COUNT = 2;
  localparam [SWITCHES*PORTS-1:0] LOCAL = 12'b101_000_110_011;  // switch 0 lowest
  localparam [31:0] CENTER_BITS = CENTER, COUNT_BITS = COUNT;
  reg clk = 0, rst = 1;
  always #5 clk = !clk;
  wire [SWITCHES-1:0] write;
  wire [SWITCHES*20-1:0] addr;
  wire [SWITCHES*16-1:0] data;
  wire done;
  hd_export_open #(
      .SWITCHES(SWITCHES), .PORTS(PORTS), .CENTER(CENTER), .COUNT(COUNT), .LOCAL(LOCAL)
  ) dut (
      .clk(clk), .rst(rst), .write_o(write), .addr_o(addr), .data_o(data), .done_o(done)
  );
  integer cycle = 0, at = 0, s, step, bad = 0, writes = 0;
  reg [PORTS-1:0] members;
  reg [35:0] want;
  always @(posedge clk) begin
    for (s = 0; s < SWITCHES; s = s + 1) begin
      members = LOCAL >> (s * PORTS);
      step = (s == CENTER || at == 0) ? at : at + 1;
      want = step == 0 ? {20'd12, CENTER_BITS[15:0]} : step == 1 ? {20'd13, COUNT_BITS[15:0]} :
          step == 2 ? {20'd14, 16'd0 | members} : {20'd15, 16'd0};
      if (write[s] !== (!rst && members != 0 && step < 4) || (write[s] && {addr[s*20+:20], data[s*16+:16]} !== want)) begin
        $display("cycle %0d: switch %0d: write %b addr %h data %h", cycle, s, write[s], addr[s*20+:20], data[s*16+:16]);
        bad = bad + 1;
      end
      writes = writes + write[s];
    end
    if (cycle > 0 && done !== (at >= 4)) begin
      $display("cycle %0d: done %b", cycle, done);
      bad = bad + 1;
    end
    at = rst ? 0 : at + 1;
    cycle = cycle + 1;
    // after four resets: one in the midst of the writes
    rst <= cycle < 3 || cycle == 20 || cycle == 23 || cycle == 40;
    if (cycle == 100) begin
      if (bad == 0) $display("ok open: %0d writes into %0d switches, after four resets", writes, SWITCHES);
      else $display("FAIL %0d differences", bad);
      $finish;
    end
  end
endmodule
