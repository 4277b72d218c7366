// Routing table: what is written, by whom, and what a read in the cycle of a write shows (§3.2, §2.2, §10.2).
// SPDX-License-Identifier: Apache-2.0
module tb_route_table;
  parameter PORTS = 5, VCS = 3, NODES = 20, SETS = 0;
  localparam PORT_W = $clog2(PORTS), SELECT = SETS ? 4 : 1;
`include "check.svh"
  logic read = 0, write = 0;
  logic [$clog2(NODES)-1:0] index = 0;
  logic [(SETS ? PORTS : PORT_W + VCS + 1)-1:0] entry;
  logic [19:0] addr = 0;
  logic [15:0] wdata = 0;
  hd_route_table #(.PORTS(PORTS), .VCS(VCS), .NODES(NODES), .SELECT(SELECT), .PORT(4'd3), .SETS(SETS)) dut (
    .clk(clk), .rst(rst), .read_i(read), .index_i(index), .entry_o(entry), .in_range_o(in_range),
    .cfg_write_i(write), .cfg_addr_i(addr), .cfg_wdata_i(wdata));
  logic [15:0] words[0:4095];
  logic [15:0] shown = 0;
  logic any = 0, legal, below = 0, in_range;
  initial begin
    foreach (words[i]) words[i] = 0;
    step(); step();
    rst = 0;
    for (int n = 0; n < 20000; n++) begin
      rst   = n > 15000 && random_below(50) == 0;
      read  = random_below(2);
      index = random_below(1 << $clog2(NODES));
      write = random_below(2);
      addr  = {random_below(8) ? 4'(SELECT) : 4'd2, random_below(8) ? 4'd3 : 4'd2, 12'(random_below(NODES + 8))};
      if (random_below(3) == 0) addr[$clog2(NODES)-1:0] = index;
      wdata = $random(seed);
      if (read) begin
        shown = index < NODES ? words[index] : 0;
        any   = 1;
        below = index < NODES;
      end
      if (write && !rst && addr[19:12] == {4'(SELECT), 4'd3} && addr[11:0] < NODES) words[addr[11:0]] = wdata;
      step();
      if (any) check("in range", in_range, below);
      if (any && SETS) check("set", entry, shown[PORTS-1:0]);
      else if (any) begin
        legal = shown[12] && shown[3:0] < PORTS && shown[4+:VCS] != 0;
        check("valid", entry[PORT_W+VCS], shown[12]);
        check("routable", entry[VCS-1:0] != 0, legal);
        if (legal) check("route", entry[PORT_W+VCS-1:0], {shown[PORT_W-1:0], shown[4+:VCS]});
      end
    end
    finish_bench($sformatf("route_table PORTS=%0d VCS=%0d NODES=%0d SETS=%0d", PORTS, VCS, NODES, SETS));
  end
endmodule
