// One output port: choice, owners, credits, crossbar timing (§2.5, §2.6, §2.2).
// SPDX-License-Identifier: Apache-2.0
module tb_output_port;
  parameter PORTS = 5, VCS = 2, DEPTH = 4, CUT_FLITS = 0, GRANT_STAGES = 0, ARB_CYCLES = 1;
  localparam DATA_W = 16, VC_W = VCS > 1 ? $clog2(VCS) : 1, ROOM = CUT_FLITS == 0 ? 1 : CUT_FLITS;
`include "check.svh"
  logic [PORTS-1:0] request = 0, starts = 0, tail = 0, grant;
  logic [PORTS*VCS-1:0] fit = 0, offer;
  logic [VCS-1:0] has_credit, is_free, credit = 0, owned;
  logic [PORTS*3-1:0] cross_kind = 0;
  logic [PORTS*DATA_W-1:0] cross_data = 0;
  logic valid, clear = 0, error, busy;
  logic [2:0] kind;
  logic [VC_W-1:0] vc;
  logic [DATA_W-1:0] data;
  logic [7*VCS-1:0] count;
  logic [3:0] next;
  logic [2:0] vc_next;
  hd_output_port #(.PORTS(PORTS), .VCS(VCS), .VC_W(VC_W), .DATA_W(DATA_W), .DEPTH(DEPTH),
    .CUT_FLITS(CUT_FLITS), .GRANT_STAGES(GRANT_STAGES), .ARB_CYCLES(ARB_CYCLES)) dut (
    .clk(clk), .rst(rst), .request_i(request), .fit_i(fit), .starts_i(starts), .tail_i(tail),
    .grant_o(grant), .offer_o(offer), .credit_o(has_credit), .free_o(is_free),
    .cross_kind_i(cross_kind), .cross_data_i(cross_data), .valid_o(valid), .kind_o(kind), .vc_o(vc),
    .data_o(data), .credit_i(credit), .clear_i(clear), .error_o(error), .busy_o(busy),
    .count_o(count), .owned_o(owned), .next_o(next), .vc_next_o(vc_next));

  int sum, counts[0:VCS-1], at = 0, vc_at = 0, p, w, free_ones;
  logic held[0:VCS-1], rests[0:VCS-1];
  logic [PORTS-1:0] asks;  // what can have something of what it asks for
  logic [PORTS*VCS-1:0] can;
  logic bad = 0, under_way;
  int quiet = 0;  // cycles without a request
  logic [VCS-1:0] mask;
  int way_p[0:3], way_w[0:3];
  int out_p = -1, out_w = 0, out_kind = 0, out_data = 0;
  // what input i would get
  function automatic logic [VCS-1:0] offered(input int i);
    return offer[i*VCS+:VCS];
  endfunction
  initial begin
    foreach (counts[i]) counts[i] = DEPTH;
    foreach (held[i]) {held[i], rests[i]} = 0;
    foreach (way_p[i]) way_p[i] = -1;
    step(); step();
    rst = 0;
    for (int n = 0; n < 5000; n++) begin
      quiet = quiet > 0 ? quiet - 1 : random_below(16) == 0 ? GRANT_STAGES + 3 : 0;
      // requests that an input could make in this state
      for (int i = 0; i < PORTS; i++) begin
        starts[i] = random_below(2);
        tail[i] = random_below(2);
        mask = random_below(1 << VCS);
        for (int v = 0; v < VCS; v++) begin
          if (ARB_CYCLES == 1 && starts[i] && (held[v] || counts[v] < ROOM)) mask[v] = 0;
          if (!starts[i] && (!held[v] || (ARB_CYCLES == 1 && counts[v] == 0))) mask[v] = 0;
        end
        if (!starts[i]) mask &= ~(mask - 1'b1);
        fit[i*VCS+:VCS] = mask;
        request[i] = mask != 0 && quiet == 0 && random_below(2);
        // with two cycles of allocation it is asked for on the state of the cycle before
        for (int v = 0; v < VCS; v++)
          if (ARB_CYCLES == 2 && (starts[i] ? held[v] || rests[v] || counts[v] < ROOM : counts[v] == 0)) mask[v] = 0;
        can[i*VCS+:VCS] = request[i] ? mask : 0;
        asks[i] = request[i] && mask != 0;
      end
      cross_kind = $random(seed);
      for (int i = 0; i < PORTS; i++) cross_data[i*DATA_W+:DATA_W] = $random(seed);
      credit = random_below(2) ? random_below(1 << VCS) : 0;
      clear  = random_below(20) == 0;
      #1;
      p = -1;
      w = -1;
      for (int k = 0; k < PORTS; k++) if (p < 0 && asks[(at + k) % PORTS]) p = (at + k) % PORTS;
      if (p >= 0)
        for (int k = 0; k < VCS; k++)
          if (w < 0 && can[p*VCS+(starts[p] ? (vc_at + k) % VCS : k)]) w = starts[p] ? (vc_at + k) % VCS : k;
      check("grant", grant, p < 0 ? 0 : 1 << p);
      if (p >= 0) check("taken", offered(p), 1 << w);
      // what each that asks would get, whether it is granted or not
      for (int i = 0; i < PORTS; i++) begin
        mask = 0;
        for (int k = VCS - 1; k >= 0; k--) if (can[i*VCS+(vc_at+k)%VCS]) mask = 1 << ((vc_at + k) % VCS);
        check("offer", offered(i), mask);
      end
      check("next", next, at);
      check("vc_next", vc_next, vc_at);
      for (int v = 0; v < VCS; v++) begin
        check("count", count[v*7+:7], counts[v]);
        check("owned", owned[v], held[v]);
        sum = counts[v] + (ARB_CYCLES == 2 && credit[v]);
        check("credit", has_credit[v], sum > 0);
        check("free", is_free[v], !held[v] && sum >= ROOM);
      end
      check("error", error, bad);
      // the way to the pins: a grant crosses D + 1 cycles later
      if (clear) bad = 0;
      for (int d = 3; d > 0; d--) begin
        way_p[d] = way_p[d-1];
        way_w[d] = way_w[d-1];
      end
      way_p[0] = p;
      way_w[0] = w;
      out_p = way_p[GRANT_STAGES+1];
      if (out_p >= 0) begin
        out_w = way_w[GRANT_STAGES+1];
        out_kind = cross_kind[out_p*3+:3];
        out_data = cross_data[out_p*DATA_W+:DATA_W];
      end
      foreach (held[i]) rests[i] = held[i];
      if (p >= 0) begin
        at = (p + 1) % PORTS;
        if (starts[p]) vc_at = (w + 1) % VCS;
        if (starts[p] && !tail[p]) held[w] = 1;
        if (!starts[p] && tail[p]) held[w] = 0;
      end
      for (int v = 0; v < VCS; v++) begin
        sum = counts[v] + credit[v] - (v == w);
        if (sum > DEPTH) bad = 1;
        counts[v] = sum > DEPTH ? DEPTH : sum;
      end
      step();
      check("valid", valid, out_p >= 0);
      check("vc", vc, out_w);
      check("kind", kind, out_kind);
      check("data", data, out_data);
      under_way = 0;
      for (int d = 0; d <= GRANT_STAGES + 1; d++) if (way_p[d] >= 0) under_way = 1;
      check("busy", busy, under_way);
    end
    finish_bench($sformatf("output_port PORTS=%0d VCS=%0d DEPTH=%0d CUT_FLITS=%0d GRANT_STAGES=%0d ARB_CYCLES=%0d",
                           PORTS, VCS, DEPTH, CUT_FLITS, GRANT_STAGES, ARB_CYCLES));
  end
endmodule
