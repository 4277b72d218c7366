// Bench of one input port: from table to request, choice of a channel, way to the crossbar, credits, errors
// (§2.2-2.5, §2.8); beside the data, messages and padding (§7.4, §7.5).
// SPDX-License-Identifier: Apache-2.0
//
// Flits on any channels, and grants, come at random. The bench keeps a list of flits for each channel, and
// derives from it what the port must request, pop, credit and record.
module tb_input_port;
  parameter PORTS = 5, VCS = 2, DEPTH = 4, NODES = 20, ROUTE_CYCLES = 1, GRANT_STAGES = 0, BARRIER = 0;
  parameter ARB_CYCLES = 1;
  localparam DATA_W = 16, VC_W = VCS > 1 ? $clog2(VCS) : 1, PORT_W = $clog2(PORTS), NODE_W = $clog2(NODES);
  localparam PORT = 2, FIRST = 4, LAST = 5, PADDING = 6, NULL = 7;
  localparam IDLE = 0, OPEN = 1, SINK = 2;
  localparam OVERFLOW = 1, UNROUTABLE = 2, ORPHAN = 4, NESTED = 8, RESERVED = 16, CHANNEL = 64;
`include "check.svh"
  logic valid = 0, write = 0, clear = 0, starts, tail, grant = 0, some, pop = 0, barrier_credit, busy;
  logic [2:0] kind = 0, cross_kind, next;
  logic [VC_W-1:0] vc = 0;
  logic [DATA_W-1:0] data = 0, cross_data;
  logic [VCS-1:0] credit, fit, taken = 0, preempted;
  logic [PORTS*VCS-1:0] has_credit = 0, is_free = 0;
  logic [19:0] addr = 0;
  logic [12:0] wdata = 0;
  logic [6:0] errors;
  logic [1:0] barrier_errors, queued;
  logic [PORTS-1:0] request;
  logic [31:0] message;
  logic [7*VCS-1:0] occupancy;
  logic [2*VCS-1:0] state;
  logic [4*VCS-1:0] oport;
  logic [3*VCS-1:0] ovc;
  hd_input_port #(.PORTS(PORTS), .VCS(VCS), .VC_W(VC_W), .DATA_W(DATA_W), .DEPTH(DEPTH), .NODES(NODES),
    .ROUTE_CYCLES(ROUTE_CYCLES), .GRANT_STAGES(GRANT_STAGES), .BARRIER(BARRIER), .ARB_CYCLES(ARB_CYCLES),
    .PORT(4'(PORT))) dut (
    .clk(clk), .rst(rst), .valid_i(valid), .kind_i(kind), .vc_i(vc), .data_i(data), .credit_o(credit),
    .cfg_write_i(write), .cfg_addr_i(addr), .cfg_wdata_i(wdata), .cfg_clear_i(clear), .errors_o(errors),
    .credit_i(has_credit), .free_i(is_free), .request_o(request), .fit_o(fit), .starts_o(starts), .tail_o(tail),
    .grants_i(grant ? request : PORTS'(0)), .taken_i(taken), .cross_kind_o(cross_kind), .cross_data_o(cross_data),
    .message_some_o(some), .message_o(message), .message_pop_i(pop), .barrier_credit_o(barrier_credit),
    .barrier_errors_o(barrier_errors), .busy_o(busy), .occupancy_o(occupancy), .state_o(state), .oport_o(oport),
    .ovc_o(ovc), .next_o(next), .preempted_o(preempted), .queued_o(queued));

  // fields of a flit: first cycle in its buffer 32, port of its route 8, its mask VCS, kind 3, data
  localparam FLIT_W = 32 + 8 + VCS + 3 + DATA_W;
  logic [FLIT_W-1:0] list[0:VCS*DEPTH-1];
  int fill[0:VCS-1];
  logic [31:0] ready;
  logic [7:0] to;
  logic [VCS-1:0] mask;
  logic [2:0] k;
  logic [DATA_W-1:0] d;
  logic [12:0] words[0:NODES-1];
  // by channel: state, its way, the port it requests, the channels it asks with
  int room_taken[0:VCS-1], at[0:VCS-1], hold_port[0:VCS-1], hold_vc[0:VCS-1], want_port[0:VCS-1], turn = 0, pick, w, n;
  logic [VCS-1:0] want[0:VCS-1], gone, given = 0, is_preempted = 0, null_flit;
  // two cycles of allocation: what the port saw in the cycle before, and what it may propose next
  int asked = -1, asked_port, next_port[0:VCS-1];
  logic [VCS-1:0] asked_set, next_set[0:VCS-1], requests;
  logic [2:0] ask_kind;
  logic [DATA_W-1:0] ask_data;
  logic [6:0] sticky = 0, fresh;
  // grants on their way to the crossbar: cycles since the grant, kind, data
  logic [GRANT_STAGES:0] crossing = 0;
  logic [2:0] way_kind[0:GRANT_STAGES];
  logic [DATA_W-1:0] way_data[0:GRANT_STAGES];
  // barrier messages
  logic [31:0] messages[$];
  logic [15:0] low[0:VCS-1];
  logic [1:0] barrier_sticky = 0, barrier_fresh;
  logic gave = 0, beside;
  logic [(1<<VC_W)-1:0] begun = 0;
  int held, n_popped = 0, n_nulls = 0, n_messages = 0, seen[0:6];

  // few nodes, so that most have a route; the last nodes, and numbers above them
  function automatic int some_node;
    return random_below(4) ? random_below(4) : NODES - 2 + random_below(4);
  endfunction

  task automatic front(input int v);
    {ready, to, mask, k, d} = list[v*DEPTH];
  endtask
  task automatic push(input int v, input logic [FLIT_W-1:0] flit);
    list[v*DEPTH+fill[v]] = flit;
    fill[v]++;
  endtask
  task automatic shift(input int v);
    for (int i = 0; i < DEPTH - 1; i++) list[v*DEPTH+i] = list[v*DEPTH+i+1];
    fill[v]--;
    gone[v] = 1;
  endtask

  // the flit at the pins: route, mask, list
  task automatic arrive;
    logic [12:0] e;
    int node;
    beside = BARRIER != 0 && kind[2] && kind != NULL;
    if (vc >= VCS) fresh |= CHANNEL;
    else if (beside)
      case (kind)
        PADDING:
        if (is_preempted[vc] == !data[0] || (BARRIER == 2 && vc != 0)) barrier_fresh[1] = 1;
        else is_preempted[vc] = !data[0];
        FIRST: low[vc] = data;
        default:
        if (held == 2) barrier_fresh[0] = 1;
        else begin
          messages.push_back({data, low[vc]});
          n_messages++;
        end
      endcase
    else if (room_taken[vc] == DEPTH) fresh |= OVERFLOW;
    else begin
      node = data[2+:NODE_W];
      e = 0;
      if (data[1:0] == 2) e = {1'b1, 8'hff, 4'(data[2+:PORT_W])};
      else if (node < NODES) e = words[node];
      if (!e[12] || e[3:0] >= PORTS) e = 0;
      push(vc, {32'(n + ROUTE_CYCLES + 1), 8'(e[3:0]), e[4+:VCS], kind, data});
    end
  endtask

  // channels of port o
  function automatic logic [VCS-1:0] at_port(input logic [PORTS*VCS-1:0] channels, input int o);
    return channels[o*VCS+:VCS];
  endfunction

  // Computes the request of channel v. A flit that cannot go on is discarded here, and the loss is recorded.
  task automatic look(input int v);
    logic lost, none;
    want[v] = 0;
    requests[v] = 1;
    null_flit[v] = is_preempted[v] && fill[v] == 0 && at[v] == OPEN;
    none = fill[v] == 0;
    if (!none) front(v);
    if (!none && ready > n) none = 1;
    lost = 0;
    if (null_flit[v] || (!none && at[v] == OPEN && (BARRIER != 0 || !k[2]))) begin
      want_port[v] = hold_port[v];
      want[v] = at_port(has_credit, hold_port[v]) & (1 << hold_vc[v]);
    end else if (!none) begin
      lost = 1;
      if (k[2] && BARRIER == 0) fresh |= RESERVED;
      else if (at[v] == SINK) begin
        if (k[1] && k != NULL) fresh |= NESTED;
        if (k[0] && k != NULL) at[v] = IDLE;
      end else if (!k[1] || k == NULL) fresh |= ORPHAN;
      else if (mask == 0) begin
        fresh |= UNROUTABLE;
        if (!k[0]) at[v] = SINK;
      end else begin
        lost = 0;
        want_port[v] = to;
        want[v] = at_port(is_free, to) & mask;
      end
    end else requests[v] = 0;
    if (lost) begin
      requests[v] = 0;
      shift(v);
    end
  endtask

  // Grants output channel w to the channel that was picked.
  task automatic go_on(input int v);
    if (ARB_CYCLES == 1) turn = (v + 1) % VCS;
    if (null_flit[v]) n_nulls++;
    else begin
      front(v);
      shift(v);
      n_popped++;
      if (at[v] == OPEN && k[1] && !k[2]) fresh |= NESTED;
      if (at[v] == IDLE && !k[0]) begin
        at[v] = OPEN;
        hold_port[v] = to;
        hold_vc[v] = w;
      end else if (k[0] && !k[2]) at[v] = IDLE;
    end
  endtask

  // §2.5, two cycles: makes the proposal for the next cycle
  task automatic propose;
    logic waits;  // the front made the proposal, so no other channel may go
    waits = asked >= 0 && requests[asked];
    foreach (want[v]) if (want[v] != 0) waits = 0;
    for (int v = 0; v < VCS; v++) begin
      next_set[v] = 0;
      if (fill[v] > 0) front(v);
      if (grant && v == asked) begin  // the flit after the granted one
        next_port[v] = at[v] == OPEN ? hold_port[v] : to;
        if (fill[v] > 0 && ready <= n)
          if (at[v] == OPEN) next_set[v] = !k[2] || BARRIER != 0 ? 1 << hold_vc[v] : 0;
          else if (k[1] && !k[2] && (at_port(is_free, to) & mask) != 0) next_set[v] = mask;
      end else if (want[v] != 0 || (v == asked && waits)) begin
        next_port[v] = want_port[v];
        next_set[v] = at[v] == OPEN ? 1 << hold_vc[v] : mask;
      end
    end
    if (grant || asked < 0 || (want[asked] == 0 && !waits)) begin
      asked = -1;
      for (int i = VCS - 1; i >= 0; i--) if (next_set[(turn+i)%VCS] != 0) asked = (turn + i) % VCS;
      if (asked >= 0) turn = (asked + 1) % VCS;
    end
    if (asked >= 0) {asked_port, asked_set} = {next_port[asked], next_set[asked]};
  endtask

  // state after a reset; tables keep their contents (§2.9)
  task automatic start_over;
    foreach (low[i]) low[i] = 0;
    foreach (at[i]) {fill[i], at[i], hold_port[i], hold_vc[i]} = 0;
    {turn, given, is_preempted, sticky, crossing, barrier_sticky, gave, begun} = 0;
    asked = -1;
    while (messages.size() > 0) messages.delete(0);
  endtask

  initial begin
    foreach (words[i]) words[i] = 0;
    foreach (seen[i]) seen[i] = 0;
    start_over();
    step(); step();
    rst = 0;
    for (n = 0; n < 10000; n++) begin
      rst = n % 1000 == 999;
      valid = random_below(4) != 0;
      vc = random_below(1 << VC_W);
      // mostly packets, and sometimes any kind of flit
      kind = random_below(BARRIER != 0 ? 3 : 8) ? {1'b0, !begun[vc], random_below(4) == 0} : random_below(8);
      if (valid && !kind[2]) begun[vc] = !kind[0];
      // tb_route_unit tests mode 3
      data = {$random(seed), 2'(random_below(3))};
      if (data[1:0] != 2) data[2+:NODE_W] = some_node();
      if (kind == PADDING) data[0] = is_preempted[vc] ^ (random_below(20) == 0);
      has_credit = {$random(seed), $random(seed), $random(seed), $random(seed)};
      is_free = {$random(seed), $random(seed), $random(seed), $random(seed)} & has_credit;
      write = !rst && random_below(4) == 0;
      addr = {4'd1, 4'(PORT), 12'(some_node())};
      wdata = $random(seed);
      if (random_below(4)) {wdata[12], wdata[3:0]} = {1'b1, 4'(random_below(PORTS))};
      clear = write && random_below(8) == 0;
      if (clear) addr = 8;
      pop = messages.size() > 0 && random_below(3) == 0;
      #1;
      // state at the start of the cycle
      check("credit", credit, given);
      check("errors", errors, sticky);
      check("in_next", next, turn);
      check("queue", {some, queued}, {messages.size() > 0, 2'(messages.size())});
      if (messages.size() > 0) check("message", message, messages[0]);
      check("barrier credit", barrier_credit, gave);
      check("barrier errors", barrier_errors, barrier_sticky);
      check("preempted", preempted, is_preempted);
      held = 0;
      for (int v = 0; v < VCS; v++) begin
        held += fill[v];
        room_taken[v] = fill[v];
        check("occupancy", occupancy[v*7+:7], fill[v]);
        check("state", state[v*2+:2], at[v]);
        if (at[v] == OPEN) check("way", {oport[v*4+:4], ovc[v*3+:3]}, {4'(hold_port[v]), 3'(hold_vc[v])});
      end
      check("busy", busy, held > 0 || given != 0 || crossing != 0 || messages.size() > 0 || is_preempted != 0 || gave);
      if (crossing[GRANT_STAGES]) begin
        check("kind at the crossbar", cross_kind, way_kind[GRANT_STAGES]);
        check("data at the crossbar", cross_data, way_data[GRANT_STAGES]);
      end
      // the request that it must show
      {fresh, gone, barrier_fresh} = 0;
      pick = -1;
      for (int v = 0; v < VCS; v++) look(v);
      if (ARB_CYCLES == 1) begin
        for (int i = 0; i < VCS; i++) if (pick < 0 && want[(turn+i)%VCS] != 0) pick = (turn + i) % VCS;
        if (pick >= 0) {asked_port, asked_set} = {want_port[pick], want[pick]};
        if (pick < 0) check("fit", fit, 0);
      end else if (asked >= 0) begin  // padding may have ended
        if (fill[asked] > 0) front(asked);
        if (null_flit[asked] || (fill[asked] > 0 && ready <= n)) pick = asked;
      end
      check("request", request, pick < 0 ? 0 : 1 << asked_port);
      if (pick >= 0) check("fit", fit, asked_set);
      if (pick >= 0) begin
        if (null_flit[pick]) {ask_kind, ask_data, k} = {3'(NULL), {DATA_W{1'b0}}, 3'(NULL)};
        else begin
          front(pick);
          {ask_kind, ask_data} = {k, d};
          if (at[pick] == IDLE && d[1:0] == 2) ask_data = {d[DATA_W-1:2] >> PORT_W, 2'd2};
        end
        check("starts", starts, at[pick] == IDLE);
        check("tail", tail, k[0] && !k[2]);
      end
      grant = pick >= 0 && random_below(3) != 0;
      if (grant) begin
        w = random_below(VCS);
        while (!asked_set[w]) w = (w + 1) % VCS;
        taken = 1 << w;
        go_on(pick);
      end else taken = 0;
      if (ARB_CYCLES == 2) propose();
      held = messages.size();
      if (valid) arrive();
      if (pop) messages.delete(0);
      // state at the start of the next cycle
      for (int i = GRANT_STAGES; i > 0; i--) {way_kind[i], way_data[i]} = {way_kind[i-1], way_data[i-1]};
      {way_kind[0], way_data[0]} = {ask_kind, ask_data};
      crossing = {crossing, grant};
      given = gone;
      gave = pop;
      for (int i = 0; i < 7; i++) seen[i] += fresh[i];
      if (clear) {sticky, barrier_sticky} = {sticky & ~wdata[6:0], barrier_sticky & ~{wdata[10], wdata[0]}};
      sticky |= fresh;
      barrier_sticky |= barrier_fresh;
      if (write && !clear && addr[11:0] < NODES) words[addr[11:0]] = wdata;
      step();
      if (rst) start_over();
    end
    check("flits went on", n_popped > 200, 1);
    check("padding filled gaps", n_nulls > 20, BARRIER != 0);
    check("messages came", n_messages > 20, BARRIER != 0);
    for (int i = 0; i < 7; i++)
      if (i != 5) check($sformatf("error %0d came: %0d", i, seen[i]), seen[i] > 0,
        i == 4 ? BARRIER == 0 : i == 6 ? VCS != 1 << VC_W : 1);
    finish_bench($sformatf("input_port PORTS=%0d VCS=%0d DEPTH=%0d BARRIER=%0d ARB_CYCLES=%0d", PORTS, VCS, DEPTH, BARRIER, ARB_CYCLES));
  end
endmodule
