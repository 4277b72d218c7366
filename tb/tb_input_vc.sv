// One input virtual channel: every row of the table of §2.4 and the requests of §10.5 and §13.4, by random flits and grants.
// SPDX-License-Identifier: Apache-2.0
module tb_input_vc;
  parameter PORTS = 3, VCS = 2, DEPTH = 3, SOURCE_TABLE = 0, ADAPTIVE = 0, TREES = 0;
  localparam DATA_W = 16, PORT_W = $clog2(PORTS);
`include "check.svh"
  logic first = 0, push = 0, grant = 0, starts, discard, full, busy;
  logic [2:0] kind = 0, kind_o, ovc;
  logic [DATA_W-1:0] data = 0;
  logic [PORT_W-1:0] port = 0;
  logic [PORTS-1:0] port_o, branches = 0, granted = 0, left = 0, room;
  logic [VCS-1:0] mask = 0, fit, taken = 0;
  logic [PORTS*VCS-1:0] credit = 0, free = 0;
  logic stays, goes;
  logic turn = 0, turns, chosen = 0;
  logic [PORT_W-1:0] chosen_port = 0;
  logic [VCS-1:0] adapt = 0, best;
  logic [3:0] errors, oport;
  logic [6:0] occupancy;
  logic [1:0] state;
  hd_input_vc #(.PORTS(PORTS), .VCS(VCS), .DATA_W(DATA_W), .DEPTH(DEPTH), .SOURCE_TABLE(SOURCE_TABLE),
    .ADAPTIVE(ADAPTIVE), .TREES(TREES)) dut (
    .clk(clk), .rst(rst), .first_i(first), .second_i(1'b0), .push_i(push), .kind_i(kind), .data_i(data),
    .port_i(port), .mask_i(mask), .turns_i(turn), .chosen_i(chosen), .chosen_port_i(chosen_port), .adapt_i(adapt),
    .turns_o(turns), .credit_i(credit), .free_i(free), .port_o(port_o), .fit_o(fit),
    .starts_o(starts), .kind_o(kind_o), .grants_i(granted), .pick_i(grant), .taken_i(taken),
    .discard_o(discard), .errors_o(errors), .full_o(full), .busy_o(busy), .occupancy_o(occupancy),
    .state_o(state), .oport_o(oport), .ovc_o(ovc),
    .branches_i(branches), .stays_o(stays));

  typedef struct packed {
    logic [2:0] kind;
    logic [DATA_W-1:0] data;
    logic [PORT_W-1:0] port;
    logic [VCS-1:0] mask;
    logic turns, chosen;
    logic [PORT_W-1:0] chosen_port;
    logic [PORTS-1:0] branches;
  } flit_t;
  logic [$bits(flit_t)-1:0] list[$];
  flit_t f, h;
  int at = 0, hold_port = 0, hold_vc = 0, w, to, escapes = 0, parts = 0;  // at: 0 idle, 1 open, 2 sink
  logic lost, ask;
  logic [VCS-1:0] want;
  logic [3:0] error;
  // the channels of a port
  function automatic logic [VCS-1:0] credit_at(input int o);
    return credit[o*VCS+:VCS];
  endfunction
  function automatic logic [VCS-1:0] free_at(input int o);
    return free[o*VCS+:VCS];
  endfunction
  initial begin
    step(); step();
    rst = 0;
    for (int n = 0; n < 20000; n++) begin
      credit = $random(seed);
      free = $random(seed) & credit;
      push = list.size() < DEPTH && random_below(2);
      first = push;  // it has its slot already (§2.3)
      f.kind = random_below(12) ? random_below(4) : random_below(8);
      f.data = $random(seed);
      f.port = random_below(PORTS);
      f.mask = random_below(1 << VCS);
      f.turns = random_below(2);
      f.branches = TREES != 0 && f.kind == 3 && random_below(2) ? random_below(1 << PORTS) : 0;
      if (f.branches != 0 && f.mask != 0) f.mask = 1 << random_below(VCS);
      f.chosen = random_below(2);
      f.chosen_port = random_below(PORTS);
      adapt = random_below(1 << VCS);
      {kind, data, port, mask} = {f.kind, f.data, PORT_W'(f.port), f.mask};
      branches = f.branches;
      {turn, chosen, chosen_port} = {f.turns, f.chosen, PORT_W'(f.chosen_port)};
      to = hold_port;
      // what must be wanted
      want  = 0;
      lost  = 0;
      error = 0;
      if (list.size() > 0) begin
        h = list[0];
        if (h.kind[2]) {lost, error} = {1'b1, 4'b1000};
        else if (at == 1) want = credit_at(hold_port) & (1 << hold_vc);
        else if (at == 2) {lost, error} = {1'b1, 1'b0, h.kind[1], 2'b00};
        else if (!h.kind[1]) {lost, error} = {1'b1, 4'b0010};
        else if (h.mask == 0 && !(ADAPTIVE && h.chosen)) {lost, error} = {1'b1, 4'b0001};
        else begin
          best = ADAPTIVE && h.chosen ? free_at(h.chosen_port) & adapt : 0;
          want = best != 0 ? best : free_at(h.port) & h.mask;
          to = best != 0 ? h.chosen_port : h.port;
          if (ADAPTIVE && h.chosen && best == 0 && want != 0) escapes++;
          // a multicast single asks for all branches that are left and have room (§13.4)
          if (h.branches != 0) begin
            room = 0;
            for (int o = 0; o < PORTS; o++) room[o] = left[o] && (free_at(o) & h.mask) != 0;
            want = room != 0 ? h.mask : 0;
          end
        end
      end
      grant = 0;
      granted = 0;
      #1 check("fit", fit, want);
      check("discard", discard, lost);
      check("errors", errors, error);
      check("occupancy", occupancy, list.size() + first);
      check("full", full, list.size() + first == DEPTH);
      check("busy", busy, list.size() + first > 0);
      check("state", state, at);
      if (at == 1) check("oport", oport, hold_port);
      if (at == 1) check("ovc", ovc, hold_vc);
      if (want != 0) begin
        check("port", port_o, at == 0 && h.branches != 0 ? room : 1 << to);
        check("starts", starts, at == 0);
        check("kind", kind_o, h.kind);
        if (at == 0) check("turns", turns, SOURCE_TABLE && h.turns);
        grant = random_below(2);
        taken = want & (~want + 1'b1);
        w = $clog2(taken);
        granted = 0;
        if (grant)
          while (granted == 0) granted = $random(seed) & port_o;
      end
      goes = grant;
      if (grant && at == 0 && h.branches != 0) begin
        left &= ~granted;
        goes = left == 0;
        if (!goes) parts++;
      end
      #1 if (grant) check("stays", stays, !goes);
      if (goes) begin
        h = list.pop_front();
        if (at == 0 && !h.kind[0]) begin
          at = 1;
          hold_port = to;
          hold_vc = w;
        end else if (h.kind[0]) at = 0;
      end
      if (lost) begin
        h = list.pop_front();
        if (!h.kind[2])
          if (h.kind[0]) at = 0;
          else if (h.kind[1]) at = 2;
      end
      if (push) list.push_back(f);
      // the branches of a new front
      if ((goes || lost || list.size() == 1 && push) && list.size() > 0) begin
        h = list[0];
        left = h.branches;
      end
      step();
    end
    if (ADAPTIVE) check("packets that went by their table entry", escapes > 10, 1);
    check("flits that left some of their branches", parts > 100, TREES != 0);
    finish_bench($sformatf("input_vc VCS=%0d DEPTH=%0d SOURCE_TABLE=%0d ADAPTIVE=%0d TREES=%0d", VCS, DEPTH, SOURCE_TABLE, ADAPTIVE, TREES));
  end
endmodule
