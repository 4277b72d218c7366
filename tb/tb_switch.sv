// The switch as a whole: the diagrams and tables of chapters 2 and 3, choices and decisions (§10), cycle by cycle.
// SPDX-License-Identifier: Apache-2.0
//
// Every cycle all output events are put on a list, and each test says which events it wants in
// which cycle. A listed event that was not wanted fails like a wanted one that did not come.
// Counts (§10.8) are compared in every cycle with those of flits at the pins and of credits.
// Needs PORTS >= 4, DEPTH >= 4, NODES >= 8; with ADAPTIVE = 1 also VCS * DEPTH <= 15.
module tb_switch;
  parameter PORTS = 5, VCS = 2, DATA_W = 16, DEPTH = 4, NODES = 64, ROUTE_CYCLES = 1, ARB_CYCLES = 1;
  parameter BUFFER_CYCLES = 0, CUT_FLITS = 0, SOURCE_TABLE = 0, ADAPTIVE = 0;
  localparam SETS = ADAPTIVE == 1 || ADAPTIVE == 2;
  localparam VC_W = VCS > 1 ? $clog2(VCS) : 1, PORT_W = $clog2(PORTS), NODE_W = $clog2(NODES);
  // The grant of a head that comes in a is in a + R + 1, R with the first cycle of two of allocation
  localparam R = ROUTE_CYCLES + ARB_CYCLES - 1, D = BUFFER_CYCLES;
  localparam BODY = 0, TAIL = 1, HEAD = 2, SINGLE = 3;
`include "check.svh"
  logic [PORTS-1:0] in_valid = 0, out_valid;
  logic [PORTS*3-1:0] in_kind = 0, out_kind;
  logic [PORTS*VC_W-1:0] in_vc = 0, out_vc;
  logic [PORTS*DATA_W-1:0] in_data = 0, out_data;
  logic [PORTS*VCS-1:0] in_credit, out_credit = 0;
  logic [PORTS*7-1:0] in_count, out_count = 0;
  logic cfg_write = 0, cfg_read = 0, quiescent;
  logic [19:0] cfg_addr = 0;
  logic [15:0] cfg_wdata = 0, cfg_rdata;
  hd_switch #(.PORTS(PORTS), .VCS(VCS), .DATA_W(DATA_W), .DEPTH(DEPTH), .NODES(NODES),
    .ROUTE_CYCLES(ROUTE_CYCLES), .ARB_CYCLES(ARB_CYCLES), .BUFFER_CYCLES(BUFFER_CYCLES),
    .CUT_FLITS(CUT_FLITS), .SOURCE_TABLE(SOURCE_TABLE), .ADAPTIVE(ADAPTIVE)) dut (
    .clk(clk), .rst(rst), .in_valid_i(in_valid), .in_kind_i(in_kind), .in_vc_i(in_vc),
    .in_data_i(in_data), .in_credit_o(in_credit), .out_valid_o(out_valid), .out_kind_o(out_kind),
    .out_vc_o(out_vc), .out_data_o(out_data), .out_credit_i(out_credit),
    .in_count_o(in_count), .out_count_i(out_count), .cfg_write_i(cfg_write),
    .cfg_read_i(cfg_read), .cfg_addr_i(cfg_addr), .cfg_wdata_i(cfg_wdata),
    .cfg_rdata_o(cfg_rdata), .quiescent_o(quiescent));

  // events of a cycle: {cycle, 0 flit or 1 credit, port, vc, kind, data}
  typedef struct packed {
    logic [31:0] cycle;
    logic credit;
    logic [3:0] port;
    logic [3:0] vc;
    logic [2:0] kind;
    logic [63:0] data;
  } event_t;
  localparam EVENT_W = 32 + 1 + 4 + 4 + 3 + 64;
  logic [EVENT_W-1:0] seen[$];
  event_t e, got;

  // §10.8 from outside: the kinds of flits in each channel, which credits take from it, and whether a packet is
  // open or sinks there; packets inside at the start of this cycle, of the last one, of the one before
  logic [2:0] held[0:PORTS*VCS*DEPTH-1];
  int fill[0:PORTS*VCS-1];
  logic [PORTS*VCS-1:0] begun = 0;
  int packets = 0, packets_1 = 0, packets_2 = 0, counts_shown = 0;
  function automatic int capped(input int n);
    return n > 63 ? 63 : n;
  endfunction
  task automatic follow(input logic [PORTS-1:0] valid, input logic was_reset);
    logic [2:0] k;
    int room;
    packets_2 = packets_1;
    packets_1 = packets;
    for (int i = 0; i < PORTS * VCS; i++) begin
      // what came in the last cycle is judged by the room at its start
      room = DEPTH - fill[i];
      if (in_credit[i] === 1'b1) begin
        k = held[i*DEPTH];
        for (int j = 0; j < DEPTH - 1; j++) held[i*DEPTH+j] = held[i*DEPTH+j+1];
        fill[i]--;
        packets -= k == HEAD || k == SINGLE;
        if (!k[2] && (begun[i] || k[1])) begin
          packets += !k[0] - begun[i];
          begun[i] = !k[0];
        end
      end
      if (valid[i/VCS] && in_vc[i/VCS*VC_W+:VC_W] == i % VCS && room > 0) begin
        k = in_kind[i/VCS*3+:3];
        held[i*DEPTH+fill[i]] = k;
        fill[i]++;
        packets += k == HEAD || k == SINGLE;
      end
      if (was_reset) fill[i] = 0;
    end
    if (was_reset) {packets, packets_1, packets_2, begun} = 0;
    check("packets inside", dut.packets, ADAPTIVE == 2 ? packets : 0);
    if (ADAPTIVE == 2 && capped(packets_1) != capped(packets_2)) begin
      check("count shown", in_count[6:0], 64 | capped(packets_1));
      counts_shown++;
    end else check("no count shown", in_count[6:0], 0);
    check("counts of all ports", in_count, {PORTS{in_count[6:0]}});
  endtask

  task automatic tick;
    logic was_reset;
    was_reset = rst;
    step();
    follow(was_reset ? 0 : in_valid, was_reset);
    for (int o = 0; o < PORTS; o++) begin
      if (out_valid[o] !== 1'b0) begin
        e = {cycle, 1'b0, 4'(o), 4'(out_vc[o*VC_W+:VC_W]), out_kind[o*3+:3], 64'(out_data[o*DATA_W+:DATA_W])};
        seen.push_back(e);
      end
    end
    for (int o = 0; o < PORTS; o++) begin
      for (int v = 0; v < VCS; v++)
        if (in_credit[o*VCS+v] !== 1'b0) begin
          e = {cycle, 1'b1, 4'(o), 4'(v), 3'd0, 64'd0};
          seen.push_back(e);
        end
    end
    in_valid = 0;
    out_credit = 0;
    out_count = 0;
    cfg_write = 0;
    cfg_read = 0;
  endtask

  // what is at the pins in this cycle
  task automatic flit(input int p, input int v, input int k, input logic [63:0] d);
    in_valid[p] = 1;
    in_kind[p*3+:3] = k;
    in_vc[p*VC_W+:VC_W] = v;
    in_data[p*DATA_W+:DATA_W] = d;
  endtask
  task automatic write(input logic [19:0] a, input logic [15:0] d);
    cfg_write = 1;
    cfg_addr = a;
    cfg_wdata = d;
  endtask
  function automatic logic [15:0] entry(input int port, input int mask);
    return 16'h1000 | mask << 4 | port;
  endfunction
  task automatic read_is(input string what, input logic [19:0] a, input logic [15:0] want);
    cfg_read = 1;
    cfg_addr = a;
    tick();
    check(what, cfg_rdata, want);
  endtask

  // the event that must have been the next one
  task automatic want_flit(input int c, input int o, input int v, input int k, input logic [63:0] d);
    e = {c, 1'b0, 4'(o), 4'(v), 3'(k), d};
    got = 0;
    if (seen.size() > 0) got = seen.pop_front();
    check("flit {cycle, port, vc, kind, data}", got, e);
  endtask
  task automatic want_credit(input int c, input int p, input int v);
    e = {c, 1'b1, 4'(p), 4'(v), 3'd0, 64'd0};
    got = 0;
    if (seen.size() > 0) got = seen.pop_front();
    check("credit {cycle, port, vc}", got, e);
  endtask
  task automatic want_nothing_more;
    check("events beyond those wanted", seen.size(), 0);
    seen = {};
  endtask
  task automatic reset(input int cycles);
    rst = 1;
    repeat (cycles) tick();
    rst = 0;
    seen = {};
  endtask
  task automatic idle(input int cycles);
    repeat (cycles) tick();
  endtask

  // packets of one flit from input 2 to node 4, with generator g: they must leave by port o
  task automatic leaves_by(input string what, input logic [15:0] g, input int o);
    write({4'd5, 4'd2, 12'd0}, g);
    tick();
    flit(2, 0, SINGLE, 4 << 2);
    tick();
    idle(FAR);
    check({what, ": events"}, seen.size(), 2);
    while (seen.size() > 0) begin
      e = seen.pop_front();
      if (!e.credit) begin
        check(what, e.port, o);
        out_credit[o*VCS+e.vc] = 1;
      end
    end
    tick();
  endtask

  // packets of one flit from input 2 to node 4, by node 5: they must leave by port 0, to the destination, or by port 3
  localparam BY_5 = 3 | 4 << 2 | 5 << (2 + NODE_W);
  task automatic left_by(input string what, input int o);
    idle(FAR);
    check({what, ": events"}, seen.size(), 2);
    while (seen.size() > 0) begin
      e = seen.pop_front();
      if (!e.credit) begin
        check(what, e.port, o);
        check({what, ": header"}, e.data, o == 0 ? BY_5 & ~3 : BY_5);
        out_credit[e.port*VCS+e.vc] = 1;
      end
    end
    tick();
  endtask
  task automatic decides(input string what, input int bias, input int o);
    write(26, bias);
    tick();
    flit(2, 0, SINGLE, BY_5);
    tick();
    left_by(what, o);
  endtask
  // a flit leaves by port o, and its slot stays taken
  task automatic take(input int o);
    flit(1, 0, SINGLE, 2 | o << 2);
    tick();
    idle(FAR);
    check("events of a flit that takes a slot", seen.size(), 2);
    seen = {};
  endtask

  int a, c;
  localparam ALL = (1 << VCS) - 1, FULL = VCS * DEPTH, FAR = R + 6 + D;
  initial begin
    for (int w = 0; w < 3; w++) tick();
    seen = {};
    // §2.9: all outputs 0 after reset but quiescent_o
    check("outputs after reset are 0", {out_valid, in_credit, cfg_rdata, out_kind, out_vc} === 0, 1);
    check("data after reset is 0", out_data === 0, 1);
    check("quiescent after reset", quiescent, 1);
    rst = 0;
    tick();
    check("quiescent stays", quiescent, 1);

    // §3.3
    read_is("ID", 0, 16'h4844);
    read_is("VERSION", 1, 1);
    read_is("SHAPE", 2, DEPTH << 9 | VCS << 5 | PORTS);
    read_is("TIMING", 3, ADAPTIVE << 13 | CUT_FLITS << 6 | SOURCE_TABLE << 5 | BUFFER_CYCLES << 4 | ARB_CYCLES << 2 | ROUTE_CYCLES);
    read_is("WIDTH", 4, DATA_W);
    read_is("NODES", 5, NODES);
    read_is("no such register", 6, 0);
    read_is("registers are at port 0", 20'h01000, 0);
    read_is("tables cannot be read", 20'h10000, 0);
    check("quiescent after an access", quiescent, 0);
    tick();
    check("quiescent again", quiescent, 1);
    check("rdata stays", cfg_rdata, 0);

    // §2.2: a packet of four flits from port 1 to port 3; the entry is written in the cycle before
    write({4'd1, 4'd1, 12'd7}, entry(3, ALL));
    tick();
    a = cycle;
    for (int i = 0; i < FAR + 4; i++) begin
      if (i < 4) flit(1, 0, i == 0 ? HEAD : i == 3 ? TAIL : BODY, i == 0 ? 7 << 2 : 100 + i);
      check("quiescent", quiescent, i > R + 7 + D);
      tick();
    end
    for (c = a; c < a + FAR + 4; c++) begin
      if (c - a - R - 3 - D >= 0 && c - a - R - 3 - D < 4)
        want_flit(c, 3, 0, c == a + R + 3 + D ? HEAD : c == a + R + 6 + D ? TAIL : BODY, c == a + R + 3 + D ? 28 : 100 + c - a - R - 3 - D);
      if (c - a - R - 2 >= 0 && c - a - R - 2 < 4) want_credit(c, 1, 0);
    end
    want_nothing_more();

    // §1.4, §2.6: no slot downstream is left on channel 0; the second packet takes another
    // channel where there is one, otherwise it waits for credits
    a = cycle;
    for (int i = 0; i < 4; i++) begin
      flit(1, VCS - 1, i == 0 ? HEAD : i == 3 ? TAIL : BODY, i == 0 ? 7 << 2 : 200 + i);
      tick();
    end
    idle(FAR);
    if (VCS > 1) begin
      check("second packet came out", seen.size(), 8);
      for (int i = 0; i < 8; i++) begin
        e = seen.pop_front();
        check("channel of the second packet", e.vc, e.credit ? VCS - 1 : 1);
      end
    end else begin
      check("second packet waits", seen.size(), DEPTH >= 8 ? 8 : 2 * (DEPTH - 4));
      seen = {};
    end
    reset(2);
    check("tables survive reset: nothing is seen", seen.size(), 0);

    // Credits of port 3 run out after DEPTH flits; one credit lets one flit through, on time
    a = cycle;
    for (int i = 0; i < DEPTH; i++) begin
      flit(1, 0, i == 0 ? HEAD : BODY, 7 << 2);
      tick();
    end
    idle(FAR);
    check("DEPTH flits came out", seen.size(), 2 * DEPTH);
    seen = {};
    flit(1, 0, TAIL, 5);
    tick();
    idle(FAR);
    want_nothing_more();
    a = cycle;
    out_credit[3*VCS] = 1;
    tick();
    idle(FAR);
    want_credit(a + 2, 1, 0);
    want_flit(a + 3 + D, 3, 0, TAIL, 5);
    if (D == 0) want_nothing_more();
    seen = {};
    read_is("no errors so far", 8, 0);
    reset(1);

    // §2.5: inputs 0, 1, 2 want output 3 in the same cycle: in order of ports, from the pointer on
    for (int p = 0; p < 3; p++) begin
      write({4'd1, 4'(p), 12'd3}, entry(3, ALL));
      tick();
    end
    for (int round = 0; round < 2; round++) begin
      a = cycle;
      for (int p = 0; p < 3; p++) flit(p, 0, SINGLE, 3 << 2 | p << (2 + NODE_W));
      tick();
      idle(FAR);
      for (c = a; c < a + FAR; c++) begin
        if (c - a - R - 3 - D >= 0 && c - a - R - 3 - D < 3)
          want_flit(c, 3, (3 * round + c - a - R - 3 - D) % VCS, SINGLE, 12 | ((c - a - R - 3 - D) << (2 + NODE_W)));
        if (c - a - R - 2 >= 0 && c - a - R - 2 < 3) want_credit(c, c - a - R - 2, 0);
      end
      want_nothing_more();
      for (int i = 0; i < 3; i++) out_credit[3*VCS+(3*round+i)%VCS] = 1;
      if (VCS >= 3) tick();
      else for (int i = 0; i < 3; i++) begin
        out_credit[3*VCS+:VCS] = 1 << ((3 * round + i) % VCS);
        tick();
      end
    end
    seen = {};
    read_is("no errors after contention", 8, 0);

    // §2.8, one by one; every discarded flit gives its slot back
    a = cycle;
    flit(2, 0, TAIL, 0);
    tick();
    idle(FAR);
    want_credit(a + ROUTE_CYCLES + 2, 2, 0);
    want_nothing_more();
    read_is("orphan", 8, 16'h04);
    a = cycle;
    flit(2, 0, 4, 0);
    tick();
    idle(FAR);
    want_credit(a + ROUTE_CYCLES + 2, 2, 0);
    want_nothing_more();
    read_is("reserved beside orphan", 8, 16'h14);
    write(8, 16'h04);
    tick();
    read_is("a written 1 clears", 8, 16'h10);
    write(8, 16'h7f);
    tick();
    a = cycle;
    flit(2, 0, HEAD, 6 << 2);  // no entry
    tick();
    flit(2, 0, HEAD, 3 << 2);  // inside a packet that is being discarded
    tick();
    flit(2, 0, TAIL, 0);
    tick();
    idle(FAR);
    for (int i = 0; i < 3; i++) want_credit(a + ROUTE_CYCLES + 2 + i, 2, 0);
    want_nothing_more();
    read_is("unroutable and nested", 8, 16'h0a);
    write(8, 16'h7f);
    tick();
    out_credit[0] = 1;  // all slots are free already
    tick();
    read_is("credit", 8, 16'h20);
    out_credit[0] = 1;
    write(8, 16'h7f);
    tick();
    read_is("an error in the cycle of the clearing wins", 8, 16'h20);
    write(8, 16'h7f);
    tick();
    if ((1 << VC_W) > VCS) begin
      flit(2, VCS, SINGLE, 3 << 2);
      tick();
      read_is("channel", 8, 16'h40);
      idle(FAR);
      write(8, 16'h7f);
      tick();
      want_nothing_more();
    end
    // a packet that no credit lets out fills its buffer
    reset(1);
    for (int i = 0; i < 2 * DEPTH; i++) begin
      flit(1, 0, i == 0 ? HEAD : BODY, 7 << 2);
      tick();
      idle(R + 1);
    end
    read_is("buffer full, no error yet", 8, 0);
    flit(1, 0, TAIL, 0);
    tick();
    read_is("overflow", 8, 16'h01);
    for (int i = 0; i < DEPTH; i++) begin
      out_credit[3*VCS] = 1;
      tick();
    end
    idle(FAR);
    for (int i = 0; i < 4 * DEPTH; i++) begin
      e = seen.pop_front();
      if (!e.credit) check("kind behind the overflow", e.kind == TAIL, 0);
    end
    want_nothing_more();
    reset(1);

    // §1.3: source-routed: port 3 here, the rest of the way moves down
    a = cycle;
    flit(0, 0, SINGLE, 2 | 3 << 2 | 2 << (2 + PORT_W));
    tick();
    flit(0, 0, SINGLE, 3);
    tick();
    idle(FAR);
    for (c = a; c < a + FAR; c++) begin
      if (c == a + R + 3 + D) want_flit(c, 3, 0, SINGLE, 2 | 2 << 2);
      if (c == a + R + 2 || c == a + R + 3) want_credit(c, 0, 0);
    end
    want_nothing_more();
    read_is("mode 3 goes nowhere", 8, 16'h02);
    reset(1);

    // mode 1: destination where its entry is valid, otherwise the source
    if (DATA_W >= 2 + 2 * NODE_W) begin
      write({4'd2, 4'd0, 12'd5}, entry(2, ALL));
      tick();
      a = cycle;
      flit(0, 0, SINGLE, 1 | 3 << 2 | 5 << (2 + NODE_W));
      tick();
      flit(0, 0, SINGLE, 1 | 4 << 2 | 5 << (2 + NODE_W));
      tick();
      idle(FAR);
      c = 0;
      while (seen.size() > 0) begin
        e = seen.pop_front();
        if (!e.credit) begin
          check("mode 1 port", e.port, c == 0 ? 3 : 2);
          c++;
        end
      end
      check("mode 1 flits", c, SOURCE_TABLE ? 2 : 1);
      read_is("mode 1 errors", 8, SOURCE_TABLE ? 0 : 2);
    end

    // mode 3: the node to go by where its entry is valid; otherwise the header turns. Inside a packet it stays.
    if (SOURCE_TABLE != 0) begin
      reset(1);
      flit(0, 0, HEAD, 3 | 3 << 2 | 5 << (2 + NODE_W));
      tick();
      flit(0, 0, TAIL, 3);
      tick();
      idle(FAR);
      flit(0, 0, HEAD, 3 | 3 << 2 | 6 << (2 + NODE_W));
      tick();
      flit(0, 0, SINGLE, 3 | 3 << 2 | 6 << (2 + NODE_W));
      tick();
      idle(FAR);
      c = 0;
      while (seen.size() > 0) begin
        e = seen.pop_front();
        if (!e.credit) begin
          check("mode 3 port", e.port, c < 2 ? 2 : 3);
          check("mode 3 data", e.data, c == 0 ? 3 | 3 << 2 | 5 << (2 + NODE_W) : c == 1 ? 3 :
            (c == 2 ? 0 : 3) | 3 << 2 | 6 << (2 + NODE_W));
          c++;
        end
      end
      check("mode 3 flits", c, 4);
      read_is("mode 3 errors: nested", 8, 8);
      write({4'd2, 4'd0, 12'd6}, 16'h1ff0 | 4'd15);  // valid, without a legal port
      tick();
      flit(0, 0, SINGLE, 3 | 3 << 2 | 6 << (2 + NODE_W));
      tick();
      idle(FAR);
      check("mode 3 by a port that is not there", seen.size(), PORTS == 16 ? 2 : 1);
      seen = {};
      reset(1);
    end

    // §10: port sets, ADAPT, generator
    read_is("ADAPT after reset", 17, 0);
    write(17, 16'hffff);
    tick();
    read_is("ADAPT", 17, SETS ? 16'h0f00 | ALL : 0);
    if (SETS) begin
      reset(1);
      read_is("ADAPT is reset", 17, 0);
      write({4'd4, 4'd2, 12'd4}, 16'h000c);  // ports 2 and 3; the table entry says 0
      tick();
      write({4'd1, 4'd2, 12'd4}, entry(0, ALL));
      tick();
      seen = {};
      leaves_by("no channel may be taken", 16'h00ff, 0);
      write(17, ALL);
      tick();
      leaves_by("the lower half of draws", 16'h007f, 2);
      leaves_by("the upper half of draws", 16'h0080, 3);
      leaves_by("a generator of 0 is 1", 16'h0000, 2);
      write({4'd4, 4'd2, 12'd4}, 16'h000d);
      tick();
      leaves_by("the first third", 16'h0055, 0);
      leaves_by("the second third", 16'h0056, 2);
      leaves_by("the last third", 16'h00ab, 3);
      write({4'd4, 4'd2, 12'd4}, 16'h000c);
      tick();
      if (ADAPTIVE == 2) begin
        // a count comes in cycle a: a head of this cycle does not know yet, one of the next does
        out_count[3*7+:7] = 64 | 1;
        write({4'd5, 4'd2, 12'd0}, 16'h00ff);
        tick();
        leaves_by("a count that is known", 16'h00ff, 2);
        out_count[3*7+:7] = 5;  // without bit 6 it means nothing
        out_count[2*7+:7] = 64 | 1;
        tick();
        leaves_by("counts are equal", 16'h00ff, 3);
        out_count[2*7+:7] = 64 | 63;
        tick();
        leaves_by("the fullest", 16'h0000, 3);
        out_count[2*7+:7] = 64;
        out_count[3*7+:7] = 64 | 32;
        tick();
        leaves_by("0 is the least", 16'h00ff, 2);
        for (int late = 0; late < 2; late++) begin
          out_count[2*7+:7] = 64;
          out_count[3*7+:7] = 64;
          write({4'd5, 4'd2, 12'd0}, 16'h00ff);
          tick();
          if (late == 0) flit(2, 0, SINGLE, 4 << 2);
          out_count[3*7+:7] = 64 | 1;
          tick();
          if (late == 1) flit(2, 0, SINGLE, 4 << 2);
          check("a count is an active input", quiescent, 0);
          tick();
          idle(FAR);
          check("events of one flit", seen.size(), 2);
          while (seen.size() > 0) begin
            e = seen.pop_front();
            if (!e.credit) begin
              check("port by a count that has just come", e.port, late ? 2 : 3);
              out_credit[e.port*VCS+e.vc] = 1;
              tick();
            end
          end
        end
        tick();
        check("quiescent before a count", quiescent, 1);
        out_count[3*7+:7] = 64 | 1;
        tick();
        check("not quiescent by a count that changes nothing", quiescent, 0);
        tick();
        check("quiescent after a count", quiescent, 1);
        out_count[3*7+:7] = 64;
        tick();
        // credits play no part: port 3 has fewer, the draw decides
        flit(1, 0, SINGLE, 7 << 2);
        tick();
        idle(FAR);
        seen = {};
        leaves_by("credits play no part", 16'h00ff, 3);
        reset(1);
        write(17, ALL);
        tick();
        // a packet without a way is popped in a + ROUTE_CYCLES + 1, its credit visible in the next cycle, the count in the one after
        flit(3, 0, SINGLE, 6 << 2);
        tick();
        idle(ROUTE_CYCLES + 2);
        check("a count is shown", in_count[6:0], 64);
        check("not quiescent with a count at the pins", quiescent, 0);
        tick();
        check("not quiescent after it", quiescent, 0);
        tick();
        check("quiescent then", quiescent, 1);
        write(8, 16'h7f);
        tick();
        seen = {};
        // packets that wait: the count goes past its greatest value where there is room for them
        for (int i = 0; i < DEPTH; i++)
          for (int v = 0; v < VCS; v++) begin
            for (int p = 0; p < PORTS; p++) flit(p, v, i == 0 ? HEAD : random_below(8), 2 | 1 << 2);
            tick();
          end
        idle(DEPTH);
        c = packets;
        for (int w = 0; w < VCS; w++) out_credit[1*VCS+w] = 1;
        tick();
        idle(FAR);
        check("packets were inside", c > PORTS * (VCS - 1), 1);
        reset(1);
        write(17, ALL);
        tick();
      end
      // a flit is granted to port 3 in cycle a + R + 1: a head of this cycle does not know yet, one of the next does
      if (ADAPTIVE == 1) for (int late = 0; late < 2; late++) begin
        write({4'd5, 4'd2, 12'd0}, 16'h00ff);
        tick();
        flit(1, 0, SINGLE, 7 << 2);
        tick();
        idle(R + late);
        flit(2, 0, SINGLE, 4 << 2);
        tick();
        idle(FAR);
        c = 0;
        while (seen.size() > 0) begin
          e = seen.pop_front();
          if (!e.credit) begin
            c += e.port;
            out_credit[e.port*VCS+e.vc] = 1;
            tick();
          end
        end
        check("sum of the ports", c, late ? 5 : 6);
      end
      // port 3 has one credit less than port 2: they are equals if the cap is as small, for heads after it was written
      if (ADAPTIVE == 1) begin
        flit(1, 0, SINGLE, 7 << 2);
        tick();
        idle(FAR);
        check("events of the flit that takes a credit", seen.size(), 2);
        seen = {};
        write(17, FULL << 8 | ALL);
        tick();
        leaves_by("a cap as great as the credits of the freer port", 16'h00ff, 2);
        write(17, 1 << 8 | ALL);
        tick();
        leaves_by("a cap of 1", 16'h00ff, 3);
        for (int late = 0; late < 2; late++) begin
          write(17, ALL);
          tick();
          write({4'd5, 4'd2, 12'd0}, 16'h00ff);
          tick();
          if (late == 0) flit(2, 0, SINGLE, 4 << 2);
          write(17, (FULL - 1) << 8 | ALL);
          tick();
          if (late == 1) flit(2, 0, SINGLE, 4 << 2);
          tick();
          idle(FAR);
          check("events of one flit with a cap", seen.size(), 2);
          while (seen.size() > 0) begin
            e = seen.pop_front();
            if (!e.credit) begin
              check("port by a cap that has just come", e.port, late ? 3 : 2);
              out_credit[e.port*VCS+e.vc] = 1;
              tick();
            end
          end
        end
        reset(1);
        read_is("the cap is reset", 17, 0);
        seen = {};
      end
      // channel 0 alone, owned at both ports: by the table entry
      write(17, 1);
      tick();
      for (int o = 2; o < 4; o++) begin
        write({4'd1, 4'(o - 2), 12'd5}, entry(o, 1));
        tick();
        flit(o - 2, 0, HEAD, 5 << 2);
        tick();
      end
      idle(FAR);
      seen = {};
      leaves_by("chosen ports do not fit", 16'h00ff, 0);
      // without a way by the table the packet waits for the port that was chosen
      write({4'd1, 4'd2, 12'd4}, 0);
      tick();
      flit(2, 0, SINGLE, 4 << 2);
      tick();
      idle(FAR);
      check("the packet waits", seen.size(), 0);
      flit(0, 0, TAIL, 0);
      flit(1, 0, TAIL, 0);
      tick();
      idle(FAR);
      c = 0;
      while (seen.size() > 0) begin
        e = seen.pop_front();
        if (!e.credit && e.kind == SINGLE) c++;
      end
      check("the packet goes", c, 1);
      read_is("no errors by choices", 8, 0);
      read_is("the generator cannot be read", 20'h52000, 0);
    end
    reset(1);

    // §10.9: FIRST, BIAS, and the slots that are taken
    write(25, 16'hffff);
    tick();
    read_is("FIRST", 25, ADAPTIVE == 3 ? (1 << PORTS) - 1 : 0);
    write(26, 16'hffff);
    tick();
    read_is("BIAS", 26, ADAPTIVE == 3 ? 16'h03ff : 0);
    if (ADAPTIVE == 3) begin
      reset(1);
      read_is("FIRST is reset", 25, 0);
      read_is("BIAS is reset", 26, 0);
      write({4'd1, 4'd2, 12'd4}, entry(0, ALL));
      tick();
      write({4'd2, 4'd2, 12'd5}, entry(3, ALL));
      tick();
      seen = {};
      decides("no port decides", 0, 3);
      write(25, ~(1 << 2));
      tick();
      decides("this port does not decide", 1023, 3);
      write(25, 1 << 2);
      tick();
      decides("equals go to the destination", 0, 0);
      take(0);
      decides("one flit at the destination's port", 0, 3);
      decides("one flit, and a bias of one", 1, 0);
      take(3);
      decides("one flit at both", 0, 0);
      take(0);
      decides("as much as twice", 0, 0);
      take(0);
      decides("more than twice", 0, 3);
      decides("more than twice, and a bias of one", 1, 0);
      decides("the greatest bias", 1023, 0);
      for (int late = 0; late < 2; late++) begin
        write(26, 0);
        tick();
        tick();
        if (late == 0) flit(2, 0, SINGLE, BY_5);
        write(26, 1);
        tick();
        if (late == 1) flit(2, 0, SINGLE, BY_5);
        tick();
        left_by("a bias that has just come", late ? 0 : 3);
        write(26, 1);
        tick();
        if (late == 0) flit(2, 0, SINGLE, BY_5);
        write(25, 0);
        tick();
        if (late == 1) flit(2, 0, SINGLE, BY_5);
        tick();
        left_by("FIRST that has just come", late ? 3 : 0);
        write(25, 1 << 2);
        tick();
      end
      write({4'd1, 4'd2, 12'd4}, 16'h1000 | ALL << 4 | 15);  // valid; a port only where there are 16
      tick();
      flit(2, 0, SINGLE, BY_5);
      tick();
      idle(FAR);
      c = 0;
      while (seen.size() > 0) begin
        e = seen.pop_front();
        if (!e.credit) c = e.port;
      end
      check("a destination without a way", c, PORTS == 16 ? 15 : 3);
      read_is("no errors by decisions", 8, 0);
      write(20'h40000, 16'hffff);  // no port sets, no ADAPT: nothing is chosen
      tick();
      write(17, 16'hffff);
      tick();
      read_is("no ADAPT", 17, 0);
    end
    reset(1);

    check("counts were shown", counts_shown > 50, ADAPTIVE == 2);
    // §2.9: reset in full flight, then a packet as if nothing had been
    for (int i = 0; i < 3; i++) begin
      flit(1, 0, i == 0 ? HEAD : BODY, 7 << 2);
      tick();
    end
    reset(1);
    check("outputs after reset are 0", {out_valid, in_credit, out_kind, out_vc} === 0, 1);
    check("data after reset is 0", out_data === 0, 1);
    check("quiescent after reset", quiescent, 1);
    a = cycle;
    flit(1, 0, SINGLE, 7 << 2);
    tick();
    idle(FAR);
    if (D == 0) begin
      want_credit(a + R + 2, 1, 0);
      want_flit(a + R + 3, 3, 0, SINGLE, 28);
    end else check("packet after reset", seen.size(), 2);
    finish_bench($sformatf("switch PORTS=%0d VCS=%0d DATA_W=%0d DEPTH=%0d ROUTE_CYCLES=%0d D=%0d CUT_FLITS=%0d SOURCE_TABLE=%0d ADAPTIVE=%0d",
      PORTS, VCS, DATA_W, DEPTH, ROUTE_CYCLES, D, CUT_FLITS, SOURCE_TABLE, ADAPTIVE));
  end
endmodule
