// Route pipeline without tables: every kind of computed route, every header mode, and when a flit comes out (§12.2-12.5).
// SPDX-License-Identifier: Apache-2.0
module tb_computed_unit;
  parameter ROUTE = 1, ROUTE_CYCLES = 0, PORTS = 5, VCS = 3, NODES = 16, FIELDS = 5, SOURCE_TABLE = 0, BARRIER = 0, DATA_W = 16;
  localparam PORT_W = $clog2(PORTS), NODE_W = $clog2(NODES), PACKET_VCS = VCS - (BARRIER == 5), VC_W = VCS > 1 ? $clog2(VCS) : 1;
`include "check.svh"
  logic valid = 0;
  logic [2:0] kind = 0, kind_o;
  logic [VC_W-1:0] vc = 0;
  logic [DATA_W-1:0] data = 0, data_o;
  logic [VCS-1:0] full = 0, first, second, push, mask;
  logic [PORT_W-1:0] port;
  logic [NODE_W-1:0] own = 0, far = 0, below = 0;
  logic [15:0] digits = 0;
  hd_computed_unit #(.PORTS(PORTS), .VCS(VCS), .VC_W(VC_W), .DATA_W(DATA_W), .NODES(NODES), .ROUTE_CYCLES(ROUTE_CYCLES),
    .ROUTE(ROUTE), .FIELDS(FIELDS), .SOURCE_TABLE(SOURCE_TABLE), .BARRIER(BARRIER)) dut (
    .clk(clk), .rst(rst), .valid_i(valid), .kind_i(kind), .vc_i(vc), .data_i(data), .full_i(full), .own_i(own), .far_i(far),
    .below_i(below), .digits_i(digits), .first_o(first), .second_o(second), .push_o(push), .kind_o(kind_o), .data_o(data_o),
    .port_o(port), .mask_o(mask));

  typedef struct packed {
    logic [VCS-1:0] push, mask;
    logic [2:0] kind;
    logic [DATA_W-1:0] data;
    logic [31:0] port;
  } flit_t;
  flit_t now, first_stage = 0, second_stage = 0;
  int routed = 0, lost = 0;

  // The route of chapter 12, field after field.
  function automatic flit_t route(input logic [DATA_W-1:0] h);
    flit_t r;
    int y, z, width, at, dimension, yd, xd, fd, up, all, low;
    all = (1 << PACKET_VCS) - 1;
    low = (1 << PACKET_VCS / 2) - 1;
    y = h[2+:NODE_W];
    z = y;
    if (SOURCE_TABLE != 0 && h[1:0] == 1) z = (h >> (2 + NODE_W)) & ((1 << NODE_W) - 1);
    r = 0;
    r.mask = all;
    r.port = 0;
    if (ROUTE == 4) begin
      if (((y ^ own) & below) == 0) r.port = (y >> digits[3:0]) & digits[7:4];
      else r.port = (digits[15:12] + 1) | ((z >> digits[11:8]) & digits[15:12]);
    end else begin
      at = 0;
      dimension = 0;
      while (at < NODE_W) begin
        width = 1;
        while (ROUTE != 3 && at + width < NODE_W && !FIELDS[at+width]) width++;
        yd = (y >> at) % (1 << width);
        xd = (own >> at) % (1 << width);
        fd = (far >> at) % (1 << width);
        if (yd != xd) begin
          up = yd > xd;
          // up to the coordinates from xd + 1 to fd, counted around the ring
          if (ROUTE == 2) up = (yd - xd - 1 + (1 << width)) % (1 << width) < (fd - xd + (1 << width)) % (1 << width);
          r.port = ROUTE == 3 ? 1 + dimension : up ? 1 + 2 * dimension : 2 + 2 * dimension;
          if (ROUTE == 2 && PACKET_VCS > 1) r.mask = (up == 1) == (yd > xd) ? all & ~low : low;
          at = NODE_W;
        end
        at += width;
        dimension++;
      end
    end
    if (y >= NODES || h[1:0] == 3 || (h[1:0] == 1 && SOURCE_TABLE == 0)) r.mask = 0;
    if (h[1:0] == 2) begin
      r.port = h[2+:PORT_W];
      r.mask = all;
    end
    if (r.port >= PORTS) r.mask = 0;
    route = r;
  endfunction

  initial begin
    step(); step();
    rst = 0;
    for (int n = 0; n < 20000; n++) begin
      rst = n > 15000 && random_below(50) == 0;
      if (random_below(20) == 0) begin
        {own, far, below, digits} = {$random(seed), $random(seed), $random(seed)};
        if (random_below(2)) digits = {4'd1, 4'(random_below(NODE_W)), 4'd1, 4'(random_below(NODE_W))};
      end
      valid = random_below(4) != 0;
      kind  = $random(seed);
      vc    = $random(seed);
      full  = $random(seed) & $random(seed);
      data  = {$random(seed), $random(seed)};
      if (random_below(2)) data[1:0] = 0;
      if (random_below(4) == 0) data[2+:NODE_W] = own ^ (1 << random_below(NODE_W));
      now = route(data);
      now.kind = kind;
      now.data = data;
      now.push = 0;
      if (valid && vc < VCS && !full[vc]) now.push = 1 << vc;
      #1;
      check("first", first, ROUTE_CYCLES > 0 ? first_stage.push : 0);
      check("second", second, ROUTE_CYCLES == 2 ? second_stage.push : 0);
      compare(ROUTE_CYCLES == 0 ? now : ROUTE_CYCLES == 1 ? first_stage : second_stage);
      step();
      second_stage = first_stage;
      first_stage = now;
      if (rst) begin
        first_stage.push = 0;
        second_stage.push = 0;
      end
    end
    check("routed", routed > 1000, 1);
    check("lost", lost > 100, 1);
    finish_bench($sformatf("computed_unit ROUTE=%0d ROUTE_CYCLES=%0d PORTS=%0d NODES=%0d", ROUTE, ROUTE_CYCLES, PORTS, NODES));
  end

  task automatic compare(input flit_t f);
    check("push", push, f.push);
    if (f.push != 0) begin
      check("flit", {kind_o, data_o}, {f.kind, f.data});
      check("mask", mask, f.mask);
      if (f.mask != 0) check("port", port, f.port);
      if (f.mask != 0) routed++;
      else lost++;
    end
  endtask
endmodule
