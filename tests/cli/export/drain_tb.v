// hd_export_drain gives the credit of each flit in the next cycle (§4.2).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module drain_tb;
  parameter VCS = 3, SEED = 1;
  localparam VC_W = (VCS > 1) ? $clog2(VCS) : 1;
  reg clk = 0, rst = 1, valid = 0;
  always #5 clk = !clk;
  reg [VC_W-1:0] vc = 0;
  reg [VCS-1:0] want = 0;
  wire [VCS-1:0] credit;
  hd_export_drain #(.VCS(VCS)) dut (.clk(clk), .rst(rst), .valid_i(valid), .vc_i(vc), .credit_o(credit));
  integer seed = SEED, cycle = 0, bad = 0, flits = 0;
  always @(posedge clk) begin
    if (cycle > 0 && credit !== want) begin
      $display("cycle %0d: credit %b, want %b", cycle, credit, want);
      bad = bad + 1;
    end
    want = (valid && !rst) ? 1 << vc : 0;
    flits = flits + (want != 0);
    cycle = cycle + 1;
    if (cycle == 1000) begin
      if (bad == 0) $display("ok drain: %0d flits, VCS %0d, seed %0d", flits, VCS, SEED);
      else $display("FAIL %0d differences, seed %0d", bad, SEED);
      $finish;
    end
  end
  always @(negedge clk) begin
    rst = cycle < 2 || $unsigned($random(seed)) % 20 == 0;
    valid = $random(seed);
    vc = $unsigned($random(seed)) % VCS;
  end
endmodule
