// Route pipeline: every header mode, with and without source tables (§1.3, §2.7), a channel kept from packets (§7.7).
// SPDX-License-Identifier: Apache-2.0
module tb_route_unit;
  parameter ROUTE_CYCLES = 1, SOURCE_TABLE = 1, NODES = 20, BARRIER = 0;
  localparam PORTS = 5, VCS = 3, DATA_W = 16, PORT_W = 3, NODE_W = $clog2(NODES);
`include "check.svh"
  logic valid = 0, write = 0;
  logic [2:0] kind = 0, kind_o;
  logic [1:0] vc = 0;
  logic [DATA_W-1:0] data = 0, data_o;
  logic [VCS-1:0] full = 0, first, second, push, mask;
  logic [PORT_W-1:0] port;
  logic [19:0] addr = 0;
  logic [12:0] wdata = 0;
  hd_route_unit #(.PORTS(PORTS), .VCS(VCS), .VC_W(2), .DATA_W(DATA_W), .NODES(NODES),
    .ROUTE_CYCLES(ROUTE_CYCLES), .SOURCE_TABLE(SOURCE_TABLE), .BARRIER(BARRIER),
    .PORT(4'd2)) dut (
    .clk(clk), .rst(rst), .valid_i(valid), .kind_i(kind), .vc_i(vc), .data_i(data), .full_i(full),
    .cfg_write_i(write), .cfg_addr_i(addr), .cfg_wdata_i(wdata), .first_o(first),
    .second_o(second), .push_o(push), .kind_o(kind_o), .data_o(data_o), .port_o(port), .mask_o(mask));

  logic [12:0] words[0:8191];  // [source table][node]
  typedef struct packed {
    logic [VCS-1:0] push, mask;
    logic [2:0] kind;
    logic [DATA_W-1:0] data;
    logic [3:0] port;
  } flit_t;
  flit_t stage[0:2], now, out;

  // The route of §2.7 from the words as they were written.
  function automatic flit_t route(input logic [DATA_W-1:0] h);
    int d, s;
    logic [12:0] e;
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
      3: ;
    endcase
    if (e[12] && e[3:0] < PORTS) begin
      r.port = e[3:0];
      r.mask = e[4+:VCS];
      if (BARRIER == 5) r.mask[VCS-1] = 0;
    end
    return r;
  endfunction

  initial begin
    foreach (words[i]) words[i] = 0;
    foreach (stage[i]) stage[i] = 0;
    step(); step();
    rst = 0;
    for (int n = 0; n < 20000; n++) begin
      valid = random_below(3) != 0;
      kind  = random_below(4);
      vc    = random_below(4);
      data  = $random(seed);
      full  = random_below(4) ? 0 : random_below(8);
      write = random_below(2);
      addr  = {random_below(2) ? 4'd1 : 4'd2, 4'd2, 12'(random_below(NODES))};
      wdata = $random(seed);
      stage[2] = stage[1];
      now = route(data);
      now.push = (valid && vc < VCS && !full[vc]) ? 1 << vc : 0;
      now.kind = kind;
      now.data = data;
      stage[1] = now;
      if (write) words[{addr[17], addr[11:0]}] = wdata;
      step();
      out = stage[ROUTE_CYCLES];
      check("push", push, out.push);
      check("under way", first, now.push);
      if (push != 0) begin
        check("kind", kind_o, out.kind);
        check("data", data_o, out.data);
        check("mask", mask, out.mask);
        if (mask != 0) check("port", port, out.port);
      end
    end
    finish_bench($sformatf("route_unit ROUTE_CYCLES=%0d SOURCE_TABLE=%0d NODES=%0d BARRIER=%0d",
      ROUTE_CYCLES, SOURCE_TABLE, NODES, BARRIER));
  end
endmodule
