// Own count: what was accepted less what left, shown for one cycle when it changes below 63 (§10.8).
// SPDX-License-Identifier: Apache-2.0
module tb_packet_count;
  parameter PORTS = 5, VCS = 2, DEPTH = 4;
`include "check.svh"
  localparam MOST = PORTS * VCS * (DEPTH + 1);
  logic [PORTS-1:0] accepted = 0;
  logic [2*PORTS*VCS-1:0] left = 0;
  logic [13:0] packets;
  logic [6:0] shown;
  hd_packet_count #(.PORTS(PORTS), .VCS(VCS), .DEPTH(DEPTH)) dut (
    .clk(clk), .rst(rst), .accepted_i(accepted), .left_i(left), .packets_o(packets), .shown_o(shown));

  function automatic int capped(input int of);
    return of > 63 ? 63 : of;
  endfunction

  int inside_now = 0, last = 0, most = 0, shows = 0, turns = 0;
  logic fills = 1;
  initial begin
    step(); step();
    rst = 0;
    for (int n = 0; n < 8000; n++) begin
      rst = random_below(800) == 0;
      accepted = 0;
      left = 0;
      last = inside_now;
      // it fills to the brim, then it drains to nothing
      if (random_below(4)) begin
        for (int p = 0; p < PORTS; p++)
          if (inside_now < MOST && random_below(fills ? 2 : 8) == 0) begin
            accepted[p] = 1;
            inside_now++;
          end
        for (int i = 0; i < 2 * PORTS * VCS; i++)
          if (inside_now > 0 && random_below(fills ? 32 * VCS : 4 * VCS) == 0) begin
            left[i] = 1;
            inside_now--;
          end
      end
      if (random_below(500) == 0)  // all at once
        for (int i = 0; i < 2 * PORTS * VCS; i++)
          if (inside_now > 0 && !left[i]) begin
            left[i] = 1;
            inside_now--;
          end
      if (inside_now == MOST || inside_now == 0) begin
        turns += fills == (inside_now == MOST);
        fills = inside_now == 0;
      end
      if (inside_now > most) most = inside_now;
      #1 check("packets", packets, inside_now);
      step();
      if (rst) begin
        inside_now = 0;
        last = 0;
      end
      check("shown", shown, capped(inside_now) != capped(last) ? 64 | capped(inside_now) : 0);
      shows += shown[6];
    end
    check($sformatf("it was full and empty: %0d times, at most %0d", turns, most), turns > 2 && most == MOST, 1);
    check("counts were shown", shows > 100, 1);
    finish_bench($sformatf("packet_count PORTS=%0d VCS=%0d DEPTH=%0d", PORTS, VCS, DEPTH));
  end
endmodule
