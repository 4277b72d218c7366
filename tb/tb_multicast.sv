// The switch with multicast: each branch gets each flit once, in order, and the slot is credited with the last copy (§13.3, §13.4).
// SPDX-License-Identifier: Apache-2.0
//
// Singles alone, multicast ones and others, between neighbours that give credits at random. A flit has its input port, its
// channel and a number in its payload, so what leaves says what it is a copy of. Needs DATA_W 32, NODES 16, VCS >= 2.
module tb_multicast;
  parameter PORTS = 5, VCS = 3, DEPTH = 4, ROUTE_CYCLES = 1, BUFFER_CYCLES = 0, CUT_FLITS = 0, TREES = 6;
  localparam DATA_W = 32, NODES = 16, VC_W = $clog2(VCS), CAST = VCS - 1, SINGLE = 3;
`include "check.svh"
  logic [PORTS-1:0] in_valid = 0, out_valid;
  logic [PORTS*3-1:0] in_kind = 0, out_kind;
  logic [PORTS*VC_W-1:0] in_vc = 0, out_vc;
  logic [PORTS*DATA_W-1:0] in_data = 0, out_data;
  logic [PORTS*VCS-1:0] in_credit, out_credit = 0;
  logic cfg_write = 0, quiescent;
  logic [19:0] cfg_addr = 0;
  logic [15:0] cfg_wdata = 0;
  hd_switch #(.PORTS(PORTS), .VCS(VCS), .DATA_W(DATA_W), .DEPTH(DEPTH), .NODES(NODES), .ROUTE_CYCLES(ROUTE_CYCLES),
    .BUFFER_CYCLES(BUFFER_CYCLES), .CUT_FLITS(CUT_FLITS), .TREES(TREES)) dut (
    .clk(clk), .rst(rst), .in_valid_i(in_valid), .in_kind_i(in_kind), .in_vc_i(in_vc), .in_data_i(in_data),
    .in_credit_o(in_credit), .in_barrier_credit_o(), .in_count_o(), .out_valid_o(out_valid), .out_kind_o(out_kind),
    .out_vc_o(out_vc), .out_data_o(out_data), .out_credit_i(out_credit), .out_barrier_credit_i({PORTS{1'b0}}),
    .out_count_i({PORTS * 7{1'b0}}), .cfg_write_i(cfg_write), .cfg_read_i(1'b0), .cfg_addr_i(cfg_addr),
    .cfg_wdata_i(cfg_wdata), .cfg_rdata_o(), .quiescent_o(quiescent));

  logic [PORTS-1:0] trees[0:TREES-1];
  // by input channel: flits inside with the ports that they have yet to leave by; credits of this cycle
  // and of the two before (bit 0, 1, 2)
  logic [PORTS+DATA_W-1:0] list[0:PORTS*VCS*DEPTH-1];
  int fill[0:PORTS*VCS-1], sent[0:PORTS*VCS-1], credited[0:PORTS*VCS-1];
  logic [2:0] recent[0:PORTS*VCS-1];
  int taken[0:PORTS*VCS-1];  // slots behind an output channel
  int number = 0, copies = 0, apart = 0, together = 0;
  logic [PORTS-1:0] left;
  logic [DATA_W-1:0] data;

  task automatic write(input logic [19:0] a, input logic [15:0] d);
    {cfg_write, cfg_addr, cfg_wdata} = {1'b1, a, d};
    tick(0, 0);
    cfg_write = 0;
  endtask

  task automatic new_trees;
    for (int t = 0; t < TREES; t++) begin
      trees[t] = $random(seed);
      write({4'd7, 4'd0, 12'(t)}, {11'h7ff, 5'd0} << (PORTS - 5) | trees[t]);  // ports that are not there, too
    end
  endtask

  task automatic send(input int p, input int v, input logic [1:0] mode, input int to);
    data = {16'(number), 4'(p), 4'(v), 2'd0, 4'(to), mode};
    data[7:6] = number;
    left = mode == 3 ? trees[to] & ~(1 << p) : 1 << to % PORTS;
    if (left != 0) begin
      number++;
      in_valid[p] = 1;
      in_kind[p*3+:3] = SINGLE;
      in_vc[p*VC_W+:VC_W] = v;
      in_data[p*DATA_W+:DATA_W] = data;
      list[(p*VCS+v)*DEPTH+fill[p*VCS+v]] = {left, data};
      fill[p*VCS+v]++;
      sent[p*VCS+v]++;
    end
  endtask

  // a cycle: what neighbours send, of 100, and credits that they give; then what has left
  task automatic tick(input int load, input int giving);
    int i, w;
    for (int p = 0; p < PORTS; p++) begin
      i = random_below(VCS);
      if (sent[p*VCS+i] - credited[p*VCS+i] < DEPTH && fill[p*VCS+i] < DEPTH && random_below(100) < load)
        if (random_below(2)) send(p, i, 3, random_below(TREES));
        else send(p, i, 0, random_below(NODES));
    end
    out_credit = 0;
    for (int c = 0; c < PORTS * VCS; c++)
      if (taken[c] > 0 && random_below(100) < giving) begin
        out_credit[c] = 1;
        taken[c]--;
      end
    step();
    in_valid = 0;
    out_credit = 0;
    for (int c = 0; c < PORTS * VCS; c++)
      begin
        credited[c] += in_credit[c] !== 1'b0;
        recent[c] = {recent[c][1:0], in_credit[c]};
      end
    for (int o = 0; o < PORTS; o++)
      if (out_valid[o] !== 1'b0) begin
        w = out_vc[o*VC_W+:VC_W];
        taken[o*VCS+w]++;
        check("slots behind a channel", taken[o*VCS+w] <= DEPTH, 1);
        check("kind", out_kind[o*3+:3], SINGLE);
        data = out_data[o*DATA_W+:DATA_W];
        check("channel", w == CAST, data[1:0] == 3);
        i = data[15:12] * VCS + data[11:8];
        check("a flit of that channel is inside", fill[i] > 0, 1);
        check("front", data, list[i*DEPTH][DATA_W-1:0]);
        left = list[i*DEPTH][DATA_W+:PORTS];
        check("a branch that is left", left[o], 1);
        left[o] = 0;
        copies++;
        list[i*DEPTH][DATA_W+:PORTS] = left;
        if (left == 0) begin
          // §2.2: a grant shows as a credit before it shows as a flit
          check("credited with the last copy", recent[i][1+BUFFER_CYCLES], 1);
          for (int k = 1; k < DEPTH; k++) list[i*DEPTH+k-1] = list[i*DEPTH+k];
          fill[i]--;
        end
      end
    // a flit some of whose copies have left, at the end of a cycle
    for (int c = 0; c < PORTS * VCS; c++) begin
      left = list[c*DEPTH][DATA_W+:PORTS];
      data = list[c*DEPTH][DATA_W-1:0];
      if (fill[c] > 0 && data[1:0] == 3 && left != (trees[data[5:2]] & ~(1 << c / VCS))) apart++;
    end
  endtask

  initial begin
    foreach (fill[c]) {fill[c], sent[c], credited[c], taken[c], recent[c]} = 0;
    tick(0, 0);
    rst = 0;
    for (int p = 0; p < PORTS; p++)
      for (int n = 0; n < NODES; n++) write({4'd1, 4'(p), 12'(n)}, 16'h1000 | ((1 << CAST) - 1) << 4 | n % PORTS);
    write(20'd24, CAST);
    for (int round = 0; round < 16; round++) begin
      new_trees();
      for (int n = 0; n < 200; n++) tick(round % 4 == 0 ? 90 : 30, round % 3 == 0 ? 15 : 60);
      for (int n = 0; n < 400; n++) tick(0, 60);
      // §13.5: nothing stays inside once the neighbours give their slots back
      foreach (fill[c]) check("all has left", fill[c], 0);
      foreach (fill[c]) check("all is credited", credited[c], sent[c]);
      for (int n = 0; n < 40; n++) tick(0, 100);
      foreach (taken[c]) check("all slots are free", taken[c], 0);
      check("quiescent", quiescent, 1);
      // with room and nobody else all copies leave in one cycle
      for (int p = 0; p < PORTS; p++) begin
        left = trees[0] & ~(1 << p);
        if (left != 0) begin
          send(p, p % VCS, 3, 0);
          tick(0, 0);
          for (int n = 1; n < ROUTE_CYCLES + 3 + BUFFER_CYCLES; n++) begin
            check("not yet", out_valid, 0);
            tick(0, 0);
          end
          check("all copies at once", out_valid, trees[0] & ~(1 << p));
          for (int n = 0; n < 40; n++) tick(0, 100);
          together++;
        end
      end
    end
    check("flits whose copies left in several cycles", apart > 200, 1);
    check("flits whose copies left at once", together > 10, 1);
    finish_bench($sformatf("multicast PORTS=%0d VCS=%0d DEPTH=%0d TREES=%0d copies=%0d", PORTS, VCS, DEPTH, TREES, copies));
  end
endmodule
