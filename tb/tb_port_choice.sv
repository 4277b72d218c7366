// Choice of a port and generator: §10.3 and §10.4 as written, by random sets and free credits.
// SPDX-License-Identifier: Apache-2.0
module tb_port_choice;
  parameter PORTS = 5, PORT = 2;
  localparam PORT_W = $clog2(PORTS);
`include "check.svh"
  logic choose = 0, some = 0, chosen, write = 0;
  logic [PORTS-1:0] set = 0;
  logic [PORTS*PORTS-1:0] freer = 0;
  logic [PORT_W-1:0] port;
  logic [19:0] addr = 0;
  logic [15:0] wdata = 0, generator, g;
  hd_port_choice #(.PORTS(PORTS), .PORT(PORT)) dut (
    .clk(clk), .rst(rst), .choose_i(choose), .set_i(set), .freer_i(freer), .adapt_some_i(some), .chosen_o(chosen),
    .port_o(port), .cfg_write_i(write), .cfg_addr_i(addr), .cfg_wdata_i(wdata), .generator_o(generator));

  int free[PORTS];
  int most, size, number, want, equals = 0, draws = 0;
  logic any;
  logic [PORTS-1:0] below[3];
  logic [PORTS*PORTS-1:0] freer_next;  // pins change once a cycle: each change of a bit would run through the unit
  logic [65535:0] visited;

  function automatic logic [15:0] steps(input logic [15:0] from);
    logic b;
    for (int k = 0; k < 8; k++) begin
      b = from[0];
      from = from >> 1;
      if (b) from = from ^ 16'hB400;
    end
    return from;
  endfunction

  initial begin
    step(); step();
    rst = 0;
    g = 1 + PORT;
    for (int n = 0; n < 6000; n++) begin
      rst = random_below(200) == 0;
      choose = random_below(4) != 0;
      some = random_below(8) != 0;
      set = random_below(8) ? $random(seed) : random_below(2) ? 0 : ~0;
      for (int o = 0; o < PORTS; o++) free[o] = random_below(n % 3 + 1);
      // [f] the ports with fewer free than f: those than which a port with f is freer
      for (int f = 0; f < 3; f++) for (int o = 0; o < PORTS; o++) below[f][o] = free[o] < f;
      for (int o = 0; o < PORTS; o++) freer_next[o*PORTS+:PORTS] = below[free[o]];
      freer = freer_next;
      write = random_below(4) == 0;
      addr = {random_below(4) ? 4'd5 : 4'd4, random_below(4) ? 4'(PORT) : 4'(PORT + 1), 12'(random_below(8) == 0)};
      wdata = random_below(4) ? $random(seed) : 0;
      // the set T of the greatest, and the one that the generator draws
      any = choose && some && set != 0;
      most = -1;
      size = 0;
      for (int o = 0; o < PORTS; o++) if (set[o] && free[o] > most) most = free[o];
      for (int o = 0; o < PORTS; o++) if (set[o] && free[o] == most) size++;
      number = int'(g[7:0]) * size / 256;
      want = 0;
      for (int o = PORTS - 1; o >= 0; o--)
        if (set[o] && free[o] == most) begin
          size--;
          if (size == number) want = o;
        end
      #1 check("chosen", chosen, any);
      check("generator", generator, g);
      if (any) begin
        check("port", port, want);
        draws++;
        if (number > 0) equals++;
      end
      if (rst) g = 1 + PORT;
      else if (write && addr == {4'd5, 4'(PORT), 12'd0}) g = wdata == 0 ? 1 : wdata;
      else if (any) g = steps(g);
      step();
    end
    check("draws beyond the first of T", equals > 100 && draws > 1000, 1);
    // §10.3: by choices alone the generator takes every value but 0, each once. How it steps knows no parameter, and
    // is compared above for every number of ports: one of them is enough here.
    if (PORTS == 2) begin
      rst = 0;
      write = 0;
      choose = 1;
      some = 1;
      set = 1;
      visited = 1;
      for (int n = 0; n < 65535; n++) begin
        visited[generator] = 1;
        step();
      end
      check("every value was there", &visited, 1);
    end
    finish_bench($sformatf("port_choice PORTS=%0d PORT=%0d", PORTS, PORT));
  end
endmodule
