// Route pipeline: every header mode, with and without source tables (§1.3, §2.7), a channel kept from packets (§7.7), choices (§10.4), two ways (§10.9), branches (§13.3).
// SPDX-License-Identifier: Apache-2.0
module tb_route_unit;
  parameter ROUTE_CYCLES = 1, SOURCE_TABLE = 1, NODES = 20, BARRIER = 0, ADAPTIVE = 0, TREES = 0;
  localparam PORTS = 5, VCS = 3, DATA_W = 16, PORT_W = 3, NODE_W = $clog2(NODES);
`include "check.svh"
  logic valid = 0, write = 0;
  logic [2:0] kind = 0, kind_o;
  logic [1:0] vc = 0;
  logic [DATA_W-1:0] data = 0, data_o;
  logic [VCS-1:0] full = 0, first, second, push, mask;
  logic [PORT_W-1:0] port;
  logic [19:0] addr = 0;
  logic [15:0] wdata = 0, generator, g = 3;
  logic [PORTS*PORTS-1:0] freer = 0;
  logic some = 0, turns, chosen;
  logic [PORT_W-1:0] chosen_port;
  logic [2:0] cast = 0;
  logic [PORTS-1:0] branches;
  hd_route_unit #(.PORTS(PORTS), .VCS(VCS), .VC_W(2), .DATA_W(DATA_W), .NODES(NODES),
    .ROUTE_CYCLES(ROUTE_CYCLES), .SOURCE_TABLE(SOURCE_TABLE), .BARRIER(BARRIER), .ADAPTIVE(ADAPTIVE),
    .TREES(TREES), .PORT(4'd2)) dut (
    .clk(clk), .rst(rst), .valid_i(valid), .kind_i(kind), .vc_i(vc), .data_i(data), .full_i(full),
    .cfg_write_i(write), .cfg_addr_i(addr), .cfg_wdata_i(wdata), .freer_i(freer), .adapt_some_i(some), .first_o(first),
    .second_o(second), .push_o(push), .kind_o(kind_o), .data_o(data_o), .port_o(port), .mask_o(mask),
    .turns_o(turns), .chosen_o(chosen), .chosen_port_o(chosen_port), .generator_o(generator),
    .cast_i(cast), .branches_o(branches));

  localparam SETS = ADAPTIVE == 1 || ADAPTIVE == 2;
  logic [15:0] words[0:12287];  // [table: destination, source, sets][node]
  logic [15:0] trees[0:TREES];
  typedef struct packed {
    logic [VCS-1:0] push, mask;
    logic [2:0] kind;
    logic [DATA_W-1:0] data;
    logic [3:0] port;
    logic turns, chosen;
    logic [3:0] chosen_port;
    logic [PORTS-1:0] set, branches;
    logic [15:0] near;  // the destination's entry, of a packet that may decide
  } flit_t;
  flit_t stage[0:2], now, last, out;
  logic [PORTS-1:0] set;
  int free[PORTS], most, size, number, choices = 0, turned = 0, casts = 0, direct = 0, around = 0;
  logic [VCS-1:0] near_mask;

  // The route of §2.7 from the words as they were written.
  function automatic flit_t route(input logic [DATA_W-1:0] h, input logic [2:0] k);
    int d, s;
    logic [15:0] e;
    flit_t r;
    d = h[2+:NODE_W];
    s = h[2+NODE_W+:NODE_W];
    e = 0;
    r = 0;
    case (h[1:0])
      0: if (d < NODES) e = words[d];
      1:
      if (d < NODES) begin
        e = words[d];
        if (!e[12] && SOURCE_TABLE != 0 && s < NODES) e = words[4096+s];
      end
      2: e = {1'b1, 8'hff, 1'b0, h[4:2]};
      3:
      if (TREES != 0) begin
        // §13.3: what a single of mode 3 leaves by
        if (k == 3 && d < TREES) r.branches = trees[d] & ~(1 << 2);
        if (r.branches != 0 && cast < VCS && !(BARRIER == 5 && cast == VCS - 1)) r.mask = 1 << cast;
      end else if (SOURCE_TABLE != 0 && s < NODES) begin
        e = words[4096+s];
        if (!e[12]) begin
          r.turns = 1;
          e = d < NODES ? words[d] : 0;
        end
      end
    endcase
    if (e[12] && e[3:0] < PORTS) begin
      r.port = e[3:0];
      r.mask = e[4+:VCS];
      if (BARRIER == 5) r.mask[VCS-1] = 0;
    end
    if (ADAPTIVE == 3 && h[1:0] == 3) r.near = d < NODES ? words[d] : 0;
    if (SETS && h[1:0] == 0 && d < NODES) r.set = words[8192+d];
    return r;
  endfunction

  initial begin
    foreach (words[i]) words[i] = 0;
    foreach (stage[i]) stage[i] = 0;
    foreach (trees[i]) trees[i] = 0;
    step(); step();
    rst = 0;
    for (int n = 0; n < 20000; n++) begin
      valid = random_below(3) != 0;
      kind  = random_below(4) ? random_below(4) : random_below(8);
      vc    = random_below(4);
      data  = $random(seed);
      full  = random_below(4) ? 0 : random_below(8);
      write = random_below(2);
      addr  = {4'(1 << random_below(3)), 4'd2, 12'(random_below(NODES))};
      if (random_below(20) == 0) addr = 20'h52000;
      if (TREES != 0 && random_below(2)) begin
        addr = {4'd7, 4'(random_below(4) == 0), 12'(random_below(TREES + 2))};
        if (random_below(3)) data[1:0] = 3;
      end
      if (random_below(10) == 0) cast = random_below(random_below(3) ? VCS : 8);
      wdata = $random(seed);
      if (ADAPTIVE == 3 && random_below(4)) {wdata[12], wdata[3:0]} = {1'b1, 4'(random_below(6))};
      stage[2] = stage[1];
      last = stage[1];
      now = route(data, kind);
      now.push = (valid && vc < VCS && !full[vc]) ? 1 << vc : 0;
      now.kind = kind;
      now.data = data;
      stage[1] = now;
      if (write && addr[19:12] == 'h70 && addr[11:0] < TREES) trees[addr[11:0]] = wdata;
      if (write && addr[19:16] != 5 && addr[19:16] != 7) words[addr[19:17]*4096+addr[11:0]] = wdata;
      if (write && addr[19:16] == 5) g = wdata == 0 ? 1 : wdata;
      else if (last.chosen)
        for (int k = 0; k < 8; k++) g = g >> 1 ^ (g[0] ? 16'hB400 : 0);
      step();
      for (int o = 0; o < PORTS; o++) free[o] = random_below(3);
      for (int o = 0; o < PORTS; o++)
        for (int q = 0; q < PORTS; q++) freer[o*PORTS+q] = SETS ? free[o] > free[q] : random_below(2);
      some = random_below(8) != 0;
      #1;
      // §10.4: the choice of the flit that came in the last cycle
      set = now.set;
      if (now.push != 0 && kind[2:1] == 1 && set != 0 && some) begin
        most = 0;
        size = 0;
        for (int o = 0; o < PORTS; o++) if (set[o] && free[o] > most) most = free[o];
        for (int o = 0; o < PORTS; o++) if (set[o] && free[o] == most) size++;
        number = int'(g[7:0]) * size / 256;
        for (int o = PORTS - 1; o >= 0; o--)
          if (set[o] && free[o] == most) begin
            size--;
            if (size == number) now.chosen_port = o;
          end
        now.chosen = 1;
        stage[1] = now;
        choices++;
      end
      // §10.9: the decision of the flit that came in the last cycle, by what is compared in this one
      near_mask = now.near[4+:VCS];
      if (BARRIER == 5) near_mask[VCS-1] = 0;
      if (ADAPTIVE == 3 && now.push != 0 && some && data[1:0] == 3 && now.mask != 0 && !now.turns && now.near[12] &&
          now.near[3:0] < PORTS && near_mask != 0) begin
        if (freer[now.near[3:0]*PORTS+now.port]) begin
          now.turns = 1;
          now.port = now.near[3:0];
          now.mask = near_mask;
          direct++;
        end else around++;
        stage[1] = now;
      end
      if (ADAPTIVE != 0) check("generator", generator, SETS ? g : 0);
      out = stage[ROUTE_CYCLES];
      check("push", push, out.push);
      check("under way", first, now.push);
      if (push != 0) begin
        check("kind", kind_o, out.kind);
        check("data", data_o, out.data);
        check("mask", mask, out.mask);
        if (mask != 0 && out.branches == 0) check("port", port, out.port);
        if (mask != 0) check("branches", branches, out.branches);
        if (mask != 0 && out.branches != 0) casts++;
        check("turns", turns, out.turns);
        check("chosen", chosen, out.chosen);
        if (chosen) check("chosen port", chosen_port, out.chosen_port);
        if (out.turns && out.mask != 0) turned++;
      end
    end
    check("packets that chose", choices > 100, SETS);
    check("packets that decided", direct > 100 && around > 100, ADAPTIVE == 3);
    check("multicast flits", casts > 100, TREES != 0);
    check("packets that turned", turned > 20, SOURCE_TABLE != 0);
    finish_bench($sformatf("route_unit ROUTE_CYCLES=%0d SOURCE_TABLE=%0d NODES=%0d BARRIER=%0d ADAPTIVE=%0d TREES=%0d",
      ROUTE_CYCLES, SOURCE_TABLE, NODES, BARRIER, ADAPTIVE, TREES));
  end
endmodule
