// One crossbar column: the lane that is selected, whatever the others hold (§2.2).
// SPDX-License-Identifier: Apache-2.0
module tb_crossbar;
  parameter PORTS = 5, WIDTH = 16;
`include "check.svh"
  logic [PORTS-1:0] select = 0;
  logic [PORTS*WIDTH-1:0] lanes = 0;
  logic [WIDTH-1:0] lane, value;
  hd_crossbar #(.PORTS(PORTS), .WIDTH(WIDTH)) dut (.select_i(select), .lanes_i(lanes), .lane_o(lane));

  int chosen;
  initial begin
    for (int n = 0; n < 4000; n++) begin
      // the lane after the last is none; lanes that are not selected may be unknown
      chosen = n < 2 * PORTS + 2 ? n % (PORTS + 1) : random_below(PORTS + 1);
      value = {$random(seed), $random(seed)};
      for (int i = 0; i < PORTS; i++) lanes[i*WIDTH+:WIDTH] = random_below(3) ? {$random(seed), $random(seed)} : 'x;
      if (chosen < PORTS) lanes[chosen*WIDTH+:WIDTH] = value;
      select = chosen < PORTS ? 1 << chosen : 0;
      #1 check($sformatf("lane %0d", chosen), lane, chosen < PORTS ? value : 0);
    end
    finish_bench($sformatf("crossbar PORTS=%0d WIDTH=%0d", PORTS, WIDTH));
  end
endmodule
