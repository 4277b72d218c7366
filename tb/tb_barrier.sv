// Two switches: barriers of two members, with values or without, and packets that are preempted for them and arrive whole.
// SPDX-License-Identifier: Apache-2.0
//
// Switch 0: a member at port 0, a sender of long packets at port 1. Switch 1, the center: a
// member at port 1, a receiver at port 2. Ports 2 and 0 are linked; with one channel and BARRIER
// 1, 2 or 3 a message that meets a packet must preempt it. What must be seen: after each pair of
// arrivals, and not before the second, one release for each member; the packets' flits in order;
// on the link, requests and ends that take turns, four messages at most between them, and a
// message's flits without a gap.
module tb_barrier;
  parameter BARRIER = 1, DATA_W = 16, VCS = 1, DEPTH = 6, LINK = 1, ROUNDS = 100, ARB_CYCLES = 1, VALUES = 0;
  localparam PORTS = 3, VC_W = VCS > 1 ? $clog2(VCS) : 1, M = DATA_W == 16 ? 2 : 1;
  localparam BESIDE = BARRIER <= 2, GROUP = 3, TO = 2, FLITS = 40, FLIT_W = 3 + VC_W + DATA_W;
  localparam BODY = 0, TAIL = 1, HEAD = 2, FIRST = 4, LAST = 5, PADDING = 6, NULL = 7;
  localparam [63:0] ARRIVE = 64'h80000000 | GROUP << 4, RELEASED = ARRIVE | 1, FAILED = ARRIVE | 3;
`include "check.svh"
  // by switch: pins of the ports
  logic [PORTS-1:0] in_valid[0:1], out_valid[0:1], in_bar[0:1], out_bar[0:1];
  logic [PORTS*3-1:0] in_kind[0:1], out_kind[0:1];
  logic [PORTS*VC_W-1:0] in_vc[0:1], out_vc[0:1];
  logic [PORTS*DATA_W-1:0] in_data[0:1], out_data[0:1];
  logic [PORTS*VCS-1:0] in_credit[0:1], out_credit[0:1];
  logic cfg_write[0:1], cfg_read = 0, quiescent[0:1];
  logic [19:0] cfg_addr = 0;
  logic [15:0] cfg_wdata = 0, cfg_rdata[0:1];
  // what the nodes drive; the link drives the rest
  logic [PORTS-1:0] valid[0:1], give_bar[0:1];
  logic [2:0] kind[0:1][0:PORTS-1];
  logic [VC_W-1:0] vc[0:1][0:PORTS-1];
  logic [DATA_W-1:0] data[0:1][0:PORTS-1];
  logic [VCS-1:0] give[0:1][0:PORTS-1];
  // the two ends of the link: flits and credits, barrier credit on top
  logic end_valid[0:1];
  logic [FLIT_W-1:0] end_flit[0:1];
  logic [VCS:0] end_credit[0:1];
  generate
    for (genvar s = 0; s < 2; s++) begin : sw
      localparam HERE = s ? 0 : 2, THERE = s ? 2 : 0;  // the link's port at this end, at the other
      hd_switch #(.PORTS(PORTS), .VCS(VCS), .DATA_W(DATA_W), .DEPTH(DEPTH), .NODES(4),
        .BARRIER(BARRIER), .GROUPS(2), .SWITCHES(2), .VALUES(VALUES), .ARB_CYCLES(ARB_CYCLES)) dut (
        .clk(clk), .rst(rst), .in_valid_i(in_valid[s]), .in_kind_i(in_kind[s]), .in_vc_i(in_vc[s]),
        .in_data_i(in_data[s]), .in_credit_o(in_credit[s]), .in_barrier_credit_o(in_bar[s]),
        .out_valid_o(out_valid[s]), .out_kind_o(out_kind[s]), .out_vc_o(out_vc[s]),
        .out_data_o(out_data[s]), .out_credit_i(out_credit[s]), .out_barrier_credit_i(out_bar[s]),
        .cfg_write_i(cfg_write[s]), .cfg_read_i(cfg_read), .cfg_addr_i(cfg_addr),
        .cfg_wdata_i(cfg_wdata), .cfg_rdata_o(cfg_rdata[s]), .quiescent_o(quiescent[s]));
      // from this switch to the other
      hd_link #(.LINK(LINK), .FLIT_W(FLIT_W), .VCS(VCS + 1)) u_link (
        .clk(clk), .rst(rst), .valid_i(out_valid[s][HERE]),
        .flit_i({out_kind[s][HERE*3+:3], out_vc[s][HERE*VC_W+:VC_W], out_data[s][HERE*DATA_W+:DATA_W]}),
        .credit_o(end_credit[s]), .valid_o(end_valid[1-s]), .flit_o(end_flit[1-s]),
        .credit_i({in_bar[1-s][THERE], in_credit[1-s][THERE*VCS+:VCS]}));
      for (genvar p = 0; p < PORTS; p++) begin : port
        assign in_valid[s][p] = p == HERE ? end_valid[s] : valid[s][p];
        assign {in_kind[s][p*3+:3], in_vc[s][p*VC_W+:VC_W], in_data[s][p*DATA_W+:DATA_W]} =
            p == HERE ? end_flit[s] : {kind[s][p], vc[s][p], data[s][p]};
        assign {out_bar[s][p], out_credit[s][p*VCS+:VCS]} =
            p == HERE ? end_credit[s] : {give_bar[s][p], give[s][p]};
      end
    end
  endgenerate

  // a node's interface at each port: what is left to send of a message, credits (§7.10)
  int left[0:1][0:PORTS-1], slots[0:1][0:PORTS-1][0:VCS-1], places[0:1][0:PORTS-1];
  logic [63:0] held[0:1][0:PORTS-1], low[0:1][0:PORTS-1];
  // what came: releases by switch, data, the link
  int releases[0:1], refusals = 0, flits = 0, packets = 0, sent = 0, requests = 0, ends = 0, of_preemption = 0;
  int nulls = 0, flit_at = 0, last_first = -1;
  logic is_preempted = 0, wants_packet = 0;
  logic [7:0] slot_was = 0;  // a message that has a barrier credit, a cycle a bit
  logic [63:0] whole;
  // values (§8.14): what the members bring, the result; rounds in which the operators differ
  logic [1:0] op[0:1], result_op;
  logic [31:0] value[0:1], result;
  int differed = 0, results = 0;

  task automatic receive(input int s, input int p);
    int k, v;
    k = out_kind[s][p*3+:3];
    v = VCS > 1 ? out_vc[s][p*VC_W+:VC_W] : 0;
    if (!(BESIDE && k[2] && k != NULL)) give[s][p][v] = 1;  // §4.2, §7.9
    if (k == LAST) give_bar[s][p] = 1;
    if (k == FIRST) low[s][p] = out_data[s][p*DATA_W+:16];
    if (k == LAST) begin
      whole = M == 2 ? {out_data[s][p*DATA_W+:16], low[s][p][15:0]} : 64'(out_data[s][p*DATA_W+:DATA_W]);
      check("where a message comes out", p, s);
      if (whole == FAILED) refusals++;
      else begin
        check("message", whole, RELEASED | {result, 28'd0, result_op, 2'd0});
        releases[s]++;
      end
    end
    nulls += k == NULL;
    if (!k[2]) begin
      check("where data comes out", s == 1 && p == 2, 1);
      check("kind", k, flit_at == 0 ? HEAD : flit_at == FLITS - 1 ? TAIL : BODY);
      check("data", out_data[s][p*DATA_W+:DATA_W], flit_at == 0 ? TO << 2 : packets * FLITS + flit_at);
      packets += flit_at == FLITS - 1;
      flit_at = (flit_at + 1) % FLITS;
      flits++;
    end
  endtask

  // the link, at switch 0's output
  task automatic watch;
    int k;
    k = out_kind[0][2*3+:3];
    if (M == 2) check("a message's flits are not parted", last_first == cycle - 1, out_valid[0][2] && k == LAST);
    slot_was = slot_was << 1 | (sw[0].dut.out[2].slot && sw[0].dut.out[2].barrier_credit != 0);
    if (out_valid[0][2]) begin
      if (k == FIRST) last_first = cycle;
      if (k == HEAD && (BARRIER == 3 || BARRIER == 4)) begin  // §7.7
        check("no packet starts while a message waits for a channel", slot_was[2], 0);
      end
      if (k == PADDING) begin
        check("request and end take turns", is_preempted, out_data[0][2*DATA_W]);
        is_preempted = !out_data[0][2*DATA_W];
        requests += is_preempted;
        ends += !is_preempted;
        of_preemption = 0;
      end
      if (k == LAST && is_preempted) begin
        of_preemption++;
        check("messages of one preemption", of_preemption <= 4, 1);
      end
      if (is_preempted && VCS == 1 && BARRIER <= 3) check("no data on a channel that is preempted", k[2], 1);
    end
  endtask

  task automatic tick;
    step();
    for (int s = 0; s < 2; s++) begin
      valid[s] = 0;
      give_bar[s] = 0;
      for (int p = 0; p < PORTS; p++) begin
        give[s][p] = 0;
        for (int v = 0; v < VCS; v++) slots[s][p][v] += in_credit[s][p*VCS+v];
        places[s][p] += in_bar[s][p];
        if (p != (s ? 0 : 2) && out_valid[s][p]) receive(s, p);
      end
    end
    watch();
    for (int s = 0; s < 2; s++) begin
      cfg_write[s] = 0;
      speak(s, s ? 1 : 0);
    end
    cfg_read = 0;
    stream();
  endtask

  // a member's message, flit by flit
  task automatic speak(input int s, input int p);
    int v;
    v = BARRIER == 5 ? VCS - 1 : 0;
    if (left[s][p] > 0 && (left[s][p] < M || (places[s][p] > 0 && (BESIDE || slots[s][p][v] >= M)))) begin
      valid[s][p] = 1;
      vc[s][p] = v;
      kind[s][p] = left[s][p] == 1 ? LAST : FIRST;
      data[s][p] = M == 1 ? held[s][p] : left[s][p] == 2 ? held[s][p][15:0] : held[s][p][31:16];
      places[s][p] -= left[s][p] == M;
      if (!BESIDE) slots[s][p][v]--;
      left[s][p]--;
    end
  endtask
  task automatic arrive(input int s);
    held[s][s] = ARRIVE | {value[s], 28'd0, op[s], 2'd0};
    left[s][s] = M;
  endtask

  // the sender of packets: a flit where there is a slot, now and then a pause
  task automatic stream;
    if ((wants_packet || sent % FLITS != 0) && slots[0][1][0] > 0 && random_below(8)) begin
      valid[0][1] = 1;
      vc[0][1] = 0;
      kind[0][1] = sent % FLITS == 0 ? HEAD : sent % FLITS == FLITS - 1 ? TAIL : BODY;
      data[0][1] = sent % FLITS == 0 ? TO << 2 : sent;
      slots[0][1][0]--;
      sent++;
    end
  endtask

  task automatic write(input int s, input logic [19:0] a, input logic [15:0] d);
    cfg_write[s] = 1;
    cfg_addr = a;
    cfg_wdata = d;
    tick();
  endtask
  task automatic read_is(input string what, input logic [19:0] a, input logic [15:0] want0, input logic [15:0] want1);
    cfg_read = 1;
    cfg_addr = a;
    tick();
    check(what, cfg_rdata[0], want0);
    check(what, cfg_rdata[1], want1);
  endtask

  // what the members bring to the next round, and what must come of it
  task automatic bring(input int o0, input int o1);
    op[0] = o0;
    op[1] = o1;
    for (int s = 0; s < 2; s++) value[s] = op[s] == 0 ? 0 : random_below(3) ? $random(seed) : 32'hffffffff;
    result_op = op[0] == op[1] ? op[0] : 0;
    case (result_op)
      1: result = value[0] + value[1];
      2: result = value[0] < value[1] ? value[0] : value[1];
      3: result = value[0] > value[1] ? value[0] : value[1];
      default: result = 0;
    endcase
    differed += op[0] != op[1];
    results += result_op != 0;
  endtask
  task automatic released(input string what, input int n);
    check(what, releases[0], n);
    check(what, releases[1], n);
  endtask

  int first, wait_cycles;
  initial begin
    bring(0, 0);
    for (int s = 0; s < 2; s++) begin
      {valid[s], give_bar[s], cfg_write[s]} = 0;
      releases[s] = 0;
      for (int p = 0; p < PORTS; p++) begin
        {kind[s][p], vc[s][p], data[s][p], give[s][p], left[s][p]} = 0;
        places[s][p] = 2;
        for (int v = 0; v < VCS; v++) slots[s][p][v] = DEPTH;
      end
    end
    step(); step();
    rst = 0;
    read_is("BARRIER", 6, VALUES << 9 | 2 << 3 | BARRIER, VALUES << 9 | 2 << 3 | BARRIER);
    read_is("SWITCHES", 7, 2, 2);
    read_is("IDLE after reset", 9, 16, 16);
    read_is("LIVE after reset", 11, 7, 7);
    write(0, 20'h11002, 16'h1ff2);  // packets to node 2: port 2 of both switches
    write(1, 20'h10002, 16'h1ff2);
    write(1, 10, 1);                // SELF
    write(0, 20'h30001, 4);
    write(1, 20'h30000, 1);
    for (int s = 0; s < 2; s++) begin
      write(s, 9, 6);               // IDLE
      write(s, 12, 1);              // CENTER
      write(s, 13, 1);              // COUNT
      write(s, 14, 1 << s);         // LOCAL
      write(s, 15, GROUP);          // OPEN
    end
    read_is("SELF", 10, 0, 1);
    for (int round = 0; round < ROUNDS; round++) begin
      wants_packet = random_below(5) != 0;
      repeat (random_below(60)) tick();
      first = random_below(2);
      if (VALUES != 0 && round > 0) begin
        wait_cycles = random_below(4);
        bring(wait_cycles, random_below(5) ? wait_cycles : random_below(4));
      end
      arrive(first);
      repeat (random_below(50)) tick();
      released("nobody is released before all have arrived", round);
      arrive(1 - first);
      wait_cycles = 0;
      while ((releases[0] == round || releases[1] == round) && wait_cycles < 2000) begin
        tick();
        wait_cycles++;
      end
      released("everybody is released once", round + 1);
    end
    wants_packet = 0;
    repeat (400) tick();
    // what a member must not do: arrive twice
    read_is("errors", 8, 0, differed ? 16'h400 : 0);  // operators meet at the center
    check("operators differed", differed > 3, VALUES != 0);
    check("there were results", results > 30, VALUES != 0);
    write(1, 8, 16'h400);
    bring(0, 0);
    arrive(0);
    repeat (50) tick();
    arrive(0);
    repeat (50) tick();
    check("the second arrival is refused", refusals, 1);
    read_is("duplicate", 8, 16'h200, 0);
    write(0, 8, 16'h200);
    arrive(1);
    repeat (200) tick();
    released("the first arrival counts", ROUNDS + 1);
    write(0, 16, GROUP);            // CLOSE
    write(1, 16, GROUP);
    arrive(1);
    repeat (100) tick();
    check("a closed group refuses", refusals, 2);
    read_is("group", 8, 0, 16'h100);
    write(1, 8, 16'h100);
    repeat (20) tick();
    // what was sent has come, and nothing is left
    check("whole packets", sent % FLITS, 0);
    check("all flits", flits, sent);
    check("packets came", packets > ROUNDS / 4, 1);
    check("preemptions ended", requests, ends);
    check("channels were preempted", requests > ROUNDS / 10, VCS == 1 && BARRIER <= 3);
    check("null flits kept the path", nulls > 0, VCS == 1 && BARRIER <= 3);
    check("quiescent", {quiescent[0], quiescent[1]}, 3);
    for (int s = 0; s < 2; s++)
      for (int p = 0; p < PORTS; p++)
        if (p != (s ? 0 : 2)) begin
          check("barrier credits came back", places[s][p], 2);
          for (int v = 0; v < VCS; v++) check("credits came back", slots[s][p][v], DEPTH);
        end
    finish_bench($sformatf("barrier BARRIER=%0d VCS=%0d DATA_W=%0d LINK=%0d VALUES=%0d, %0d packets, %0d barriers, %0d preemptions, %0d null flits",
      BARRIER, VCS, DATA_W, LINK, VALUES, packets, ROUNDS + 1, requests, nulls));
  end
endmodule
