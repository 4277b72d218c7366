// Comparisons of free credits: a cycle old, over the channels of ADAPT alone, up to the cap (§10.4).
// SPDX-License-Identifier: Apache-2.0
module tb_free_credits;
  parameter PORTS = 5, VCS = 2;
`include "check.svh"
  logic [PORTS*VCS*7-1:0] counts = 0;
  logic [VCS-1:0] adapt = 0;
  logic [3:0] cap = 0;
  logic [PORTS*PORTS-1:0] freer;
  logic some;
  hd_free_credits #(.PORTS(PORTS), .VCS(VCS)) dut (
    .clk(clk), .rst(rst), .count_i(counts), .adapt_i(adapt), .cap_i(cap), .freer_o(freer), .adapt_some_o(some));

  int free[PORTS], capped = 0;
  logic [127:0] want;
  logic [PORTS*VCS*7-1:0] counts_next;  // pins change once a cycle: each change of a bit would run through the unit
  initial begin
    step(); step();
    rst = 0;
    check("reset", {freer === 0, some}, 2);
    for (int n = 0; n < 2000; n++) begin
      rst = random_below(50) == 0;
      adapt = random_below(1 << VCS);
      cap = random_below(2) ? random_below(16) : random_below(4);
      for (int o = 0; o < PORTS; o++) begin
        free[o] = 0;
        for (int w = 0; w < VCS; w++) begin
          counts_next[(o*VCS+w)*7+:7] = n % 3 == 0 ? random_below(3) : n % 3 == 1 ? random_below(9) : 64 - random_below(2) * random_below(65);
          if (adapt[w]) free[o] += counts_next[(o*VCS+w)*7+:7];
        end
        if (cap != 0 && free[o] > cap) begin
          free[o] = cap;
          capped++;
        end
      end
      counts = counts_next;
      step();
      check("channels", some, !rst && adapt != 0);
      for (int o = 0; o < PORTS; o++) begin
        want = 0;
        for (int q = 0; q < PORTS; q++) want[q] = !rst && free[o] > free[q];
        check("freer", freer[o*PORTS+:PORTS], want);
      end
    end
    check("ports with more free credits than the cap", capped > 100, 1);
    finish_bench($sformatf("free_credits PORTS=%0d VCS=%0d", PORTS, VCS));
  end
endmodule
