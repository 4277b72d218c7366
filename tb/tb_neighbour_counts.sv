// Counts that neighbours show: each kept until the next one, and their comparisons a cycle old (§10.4, §10.8).
// SPDX-License-Identifier: Apache-2.0
module tb_neighbour_counts;
  parameter PORTS = 5, VCS = 2;
`include "check.svh"
  logic [PORTS*7-1:0] counts = 0;
  logic [VCS-1:0] adapt = 0;
  logic [PORTS*PORTS-1:0] freer;
  logic some;
  logic [PORTS*6-1:0] known;
  hd_neighbour_counts #(.PORTS(PORTS), .VCS(VCS)) dut (
    .clk(clk), .rst(rst), .count_i(counts), .adapt_i(adapt), .freer_o(freer), .adapt_some_o(some), .count_o(known));

  int count[PORTS], old[PORTS];
  logic [127:0] want;
  initial begin
    step(); step();
    rst = 0;
    foreach (count[o]) count[o] = 0;
    for (int n = 0; n < 10000; n++) begin
      rst = random_below(50) == 0;
      adapt = random_below(1 << VCS);
      counts = {$random(seed), $random(seed), $random(seed), $random(seed)};
      for (int o = 0; o < PORTS; o++) begin
        old[o] = rst ? 0 : count[o];
        if (random_below(2)) counts[o*7+:6] = n % 2 ? random_below(3) : 63 - random_below(2) * random_below(64);
        counts[o*7+6] = random_below(4) == 0;
        if (rst) count[o] = 0;
        else if (counts[o*7+6]) count[o] = counts[o*7+:6];
      end
      step();
      check("channels", some, !rst && adapt != 0);
      for (int o = 0; o < PORTS; o++) begin
        check("count", known[o*6+:6], count[o]);
        want = 0;
        for (int q = 0; q < PORTS; q++) want[q] = !rst && old[o] < old[q];
        check("freer", freer[o*PORTS+:PORTS], want);
      end
    end
    finish_bench($sformatf("neighbour_counts PORTS=%0d VCS=%0d", PORTS, VCS));
  end
endmodule
