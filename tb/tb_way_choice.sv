// Comparisons of the flits beyond output ports: a cycle old, over all channels, with the bias (§10.9).
// SPDX-License-Identifier: Apache-2.0
module tb_way_choice;
  parameter PORTS = 5, VCS = 2, DEPTH = 4;
`include "check.svh"
  logic [PORTS*VCS*7-1:0] counts;
  logic [PORTS-1:0] first = 0, decides;
  logic [9:0] bias = 0;
  logic [PORTS*PORTS-1:0] nearer;
  hd_way_choice #(.PORTS(PORTS), .VCS(VCS), .DEPTH(DEPTH)) dut (
    .clk(clk), .rst(rst), .count_i(counts), .first_i(first), .bias_i(bias), .nearer_o(nearer), .first_o(decides));

  int taken[PORTS], ties = 0, far = 0;
  logic [127:0] want;
  logic [PORTS*VCS*7-1:0] counts_next;  // pins change once a cycle: each change of a bit would run through the unit
  initial begin
    counts = {PORTS * VCS{7'(DEPTH)}};
    step(); step();
    rst = 0;
    check("reset", {&nearer, decides}, 1 << PORTS);
    for (int n = 0; n < 2000; n++) begin
      rst = random_below(50) == 0;
      first = $random(seed);
      case (n % 4)
        0: bias = random_below(4);
        1: bias = random_below(2 * VCS * DEPTH + 2);
        2: bias = random_below(1024);
        3: bias = 0;
      endcase
      for (int o = 0; o < PORTS; o++) begin
        taken[o] = 0;
        for (int w = 0; w < VCS; w++) begin
          counts_next[(o*VCS+w)*7+:7] = DEPTH - (random_below(3) ? random_below(DEPTH + 1) : random_below(3) ? 0 : DEPTH);
          taken[o] += DEPTH - counts_next[(o*VCS+w)*7+:7];
        end
      end
      counts = counts_next;
      step();
      check("input ports that decide", decides, rst ? 0 : first);
      for (int d = 0; d < PORTS; d++) begin
        want = 0;
        for (int s = 0; s < PORTS; s++) begin
          want[s] = rst || taken[d] <= 2 * taken[s] + bias;
          if (taken[d] == 2 * taken[s] + bias && d != s) ties++;
          if (taken[d] > 2 * taken[s] + bias) far++;
        end
        check("nearer", nearer[d*PORTS+:PORTS], want);
      end
    end
    check("ties", ties > 20, 1);
    check("ways by the node", far > 100, 1);
    finish_bench($sformatf("way_choice PORTS=%0d VCS=%0d DEPTH=%0d", PORTS, VCS, DEPTH));
  end
endmodule
