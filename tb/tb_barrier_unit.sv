// The barrier unit, decisions included: every case of §8.3, ways and steps (§8.4-8.6).
// SPDX-License-Identifier: Apache-2.0
//
// Queues, slots and configuration hold anything, from few groups and switches so that all cases
// come often. The bench carries out chapter 8 on a table of its own, message by message, and
// says for every cycle what must leave a queue and what must be put into which slot.
module tb_barrier_unit;
  parameter PORTS = 5, GROUPS = 4, SWITCHES = 6, CYCLES = 40000;
  localparam REDUCE = 0, DISTRIBUTE = 1, INITIAL = 2, FAIL = 3;
  localparam NAMES = GROUPS + 2 < 8 ? GROUPS + 2 : 8, NEAR = SWITCHES < 4 ? SWITCHES : 4;
`include "check.svh"
  logic [PORTS-1:0] some = 0, pop, slot = 0, may_start = 0, put, live;
  logic [32*PORTS-1:0] messages = 0;
  logic [31:0] message;
  logic cfg_write = 0, busy, act;
  logic [19:0] cfg_addr = 0;
  logic [15:0] cfg_wdata = 0, idle;
  logic [10:0] self;
  logic [4:0] errors, turn;
  hd_barrier_unit #(.PORTS(PORTS), .GROUPS(GROUPS), .SWITCHES(SWITCHES)) dut (
    .clk(clk), .rst(rst), .some_i(some), .messages_i(messages), .pop_o(pop), .slot_i(slot),
    .may_start_i(may_start), .put_o(put), .message_o(message), .cfg_write_i(cfg_write),
    .cfg_addr_i(cfg_addr), .cfg_wdata_i(cfg_wdata), .idle_o(idle), .self_o(self), .live_o(live),
    .errors_o(errors), .busy_o(busy), .act_o(act), .turn_o(turn));

  // status table (§8.2)
  logic valid[0:GROUPS-1], is_bsr[0:GROUPS-1], is_root[0:GROUPS-1], is_built[0:GROUPS-1];
  logic has_failed[0:GROUPS-1], up[0:GROUPS-1];
  logic [4:0] group[0:GROUPS-1];
  logic [10:0] center[0:GROUPS-1], parent[0:GROUPS-1], address[0:GROUPS*PORTS-1];
  int count[0:GROUPS-1];
  logic [PORTS-1:0] child[0:GROUPS-1], child_in[0:GROUPS-1], loc[0:GROUPS-1], loc_in[0:GROUPS-1];
  logic [PORTS-1:0] to_local[0:GROUPS-1], to_child[0:GROUPS-1];
  // registers, routing table, steps
  logic [PORTS-1:0] ways[0:SWITCHES-1], live_ports = -1, members = 0, way = 0;
  logic [10:0] own = 0, next_center = 0;
  logic [15:0] idle_limit = 16;
  int next_count = 0, at = 0, source = -1, entry = -1, spread = 0, q = 0;
  logic [4:0] sticky = 0, fresh;
  logic acting = 0;
  // of one cycle
  int e, p, o;
  logic [31:0] m, want;
  logic [PORTS-1:0] want_put, want_pop;
  logic leaves, by_any;
  int seen[0:15];  // how often: types put 0-3, branches, tag 2, releases, refusals, drops, waits

  localparam TABLE = 1, GROUP = 2, DUPLICATE = 4, PROTOCOL = 8, UNREACHABLE = 16;

  function automatic int find(input logic [4:0] g);
    for (int i = 0; i < GROUPS; i++) if (valid[i] && group[i] == g) return i;
    return -1;
  endfunction
  function automatic int place;
    for (int i = 0; i < GROUPS; i++) if (!valid[i]) return i;
    return -1;
  endfunction
  task automatic make(input int i, input logic [4:0] g);
    {is_bsr[i], is_root[i], is_built[i], has_failed[i], up[i]} = 0;
    {center[i], parent[i], count[i], child[i], child_in[i], loc[i], loc_in[i], to_local[i], to_child[i]} = 0;
    valid[i] = 1;
    group[i] = g;
  endtask
  // the first pending send of an entry: 0 none, 16 up, 32 to a member, 48 to a child; its port
  function automatic int pending_of(input int i);
    if (!valid[i]) return 0;
    if (up[i]) return 16;
    for (int k = 0; k < PORTS; k++) if (to_local[i][k]) return 32 + k;
    for (int k = 0; k < PORTS; k++) if (to_child[i][k]) return 48 + k;
    return 0;
  endfunction
  function automatic int pending;
    for (int i = 0; i < GROUPS; i++) if (pending_of(i) != 0) return i;
    return -1;
  endfunction

  // ways (§8.4): port, or -1 while it must wait
  function automatic int first_way;
    for (int i = 0; i < PORTS; i++) if (way[i]) return slot[i] ? -1 : i;
    return -1;
  endfunction
  function automatic int any_way;
    int i;
    for (int k = 0; k < PORTS; k++) begin
      i = (spread + k) % PORTS;
      if (way[i] && !slot[i] && may_start[i]) return i;
    end
    for (int k = 0; k < PORTS; k++) begin
      i = (spread + k) % PORTS;
      if (way[i] && !slot[i]) return i;
    end
    return -1;
  endfunction
  // puts `want` on its way; 0: it waits
  function automatic logic goes(input logic any);
    int to;
    to = any ? any_way() : first_way();
    if (to < 0) return 0;
    want_put[to] = 1;
    if (any) spread = (to + 1) % PORTS;
    return 1;
  endfunction

  task automatic release_entry(input int i);
    is_built[i] = 1;
    to_local[i] = loc[i];
    to_child[i] = child[i];
    loc_in[i] = 0;
    child_in[i] = 0;
    seen[6]++;
  endtask
  task automatic check_entry(input int i);
    if ((loc[i] & ~loc_in[i]) == 0) begin
      if (!is_built[i]) begin
        if (!is_root[i]) up[i] = 1;
        else if (count[i] == 0) release_entry(i);
      end else if ((child[i] & ~child_in[i]) == 0) begin
        if (is_root[i]) release_entry(i);
        else up[i] = 1;
      end
    end
  endtask

  // §8.3, message m from port p; leaves = 0: it waits, and nothing has changed
  task automatic from_node;
    leaves = 1;
    if (m[1:0] != REDUCE) fresh = PROTOCOL;
    else if (e < 0 || !loc[e][p] || loc_in[e][p]) begin
      leaves = !slot[p];
      if (leaves) begin
        want_put[p] = 1;
        want = 1 << 31 | m[8:4] << 4 | FAIL;
        fresh = e < 0 || !loc[e][p] ? GROUP : DUPLICATE;
        seen[7]++;
      end
    end else begin
      loc_in[e][p] = 1;
      check_entry(e);
    end
  endtask

  // an initial reduce with tag 0 or 1 that goes on: entry e has a child at its port
  task automatic adopt;
    if (m[3:2] == 0 && child[e][p]) fresh = DUPLICATE;
    if (is_bsr[e]) begin
      want[3:2] = 2;
      seen[5]++;
    end else if (m[3:2] == 0 && child[e] != 0) begin
      is_bsr[e] = 1;
      want[3:2] = 1;
      want[30:20] = own;
      seen[4]++;
    end
    child[e][p] = 1;
    address[e*PORTS+p] = m[30:20];
  endtask

  task automatic in_transit;
    logic needs, is_new;
    needs = m[1:0] == INITIAL && m[3:2] <= 1;
    leaves = 1;
    want = m;
    if (m[1:0] == INITIAL && m[3:2] == 3) fresh = PROTOCOL;
    else if (needs && e >= 0 && is_built[e]) fresh = GROUP;
    else if (way == 0) fresh = UNREACHABLE;
    else begin
      leaves = goes(m[1:0] != INITIAL);
      if (leaves && needs) begin
        is_new = e < 0;
        if (is_new) e = place();
        if (e < 0) begin
          want[1:0] = FAIL;
          fresh = TABLE;
        end else begin
          if (is_new) make(e, m[8:4]);
          adopt();
        end
      end
    end
  endtask

  task automatic for_this_switch;
    int from;
    leaves = 1;
    if (e < 0 || !is_bsr[e]) fresh = GROUP;
    else
      case (m[1:0])
        INITIAL:
        if (!is_root[e] || is_built[e]) fresh = GROUP;
        else if (count[e] == 0) fresh = DUPLICATE;
        else if (m[3:2] == 3) fresh = PROTOCOL;
        else begin
          if (m[3:2] == 0 && child[e][p]) fresh = DUPLICATE;
          if (m[3:2] <= 1) begin
            child[e][p] = 1;
            address[e*PORTS+p] = m[30:20];
          end
          count[e]--;
          check_entry(e);
        end
        REDUCE: begin
          from = -1;
          for (int i = PORTS - 1; i >= 0; i--)
            if (child[e][i] && address[e*PORTS+i] == m[30:20]) from = i;
          if (!is_built[e] || from < 0) fresh = GROUP;
          else if (child_in[e][from]) fresh = DUPLICATE;
          else begin
            child_in[e][from] = 1;
            check_entry(e);
          end
        end
        DISTRIBUTE:
        if (is_root[e]) fresh = GROUP;
        else begin
          parent[e] = m[30:20];
          release_entry(e);
        end
        default: begin
          has_failed[e] = 1;
          to_local[e] = loc[e];
        end
      endcase
  endtask

  // a pending send of the entry that was looked at
  task automatic send;
    int now;
    logic went;
    now = pending_of(entry) / 16;
    q = pending_of(entry) % 16;
    want = group[entry] << 4;
    went = 0;
    if (now == 2) begin
      want |= 1 << 31 | (has_failed[entry] ? FAIL : DISTRIBUTE);
      if (!slot[q]) begin
        want_put[q] = 1;
        to_local[entry][q] = 0;
      end
    end else if (now != 0 && way == 0) begin
      fresh = UNREACHABLE;
      went = 1;
    end else if (now == 1) begin
      want |= own << 20 | (is_built[entry] ? parent[entry] << 9 | REDUCE : center[entry] << 9 | INITIAL);
      went = goes(is_built[entry]);
    end else if (now == 3) begin
      want |= own << 20 | address[entry*PORTS+q] << 9 | DISTRIBUTE;
      went = goes(1);
    end
    if (went && now == 1) up[entry] = 0;
    if (went && now == 3) to_child[entry][q] = 0;
  endtask

  task automatic configure;
    int i;
    case (cfg_addr)
      8: sticky &= ~cfg_wdata[11:7];
      9: idle_limit = cfg_wdata;
      10: own = cfg_wdata;
      11: live_ports = cfg_wdata;
      12: next_center = cfg_wdata;
      13: next_count = cfg_wdata[11:0];
      14: members = cfg_wdata;
      15: begin
        if (find(cfg_wdata[4:0]) >= 0) fresh = GROUP;
        else if (place() < 0) fresh = TABLE;
        else begin
          i = place();
          make(i, cfg_wdata[4:0]);
          is_bsr[i] = 1;
          is_root[i] = next_center == own;
          center[i] = next_center;
          count[i] = next_count;
          loc[i] = members;
        end
      end
      16: if (find(cfg_wdata[4:0]) >= 0) valid[find(cfg_wdata[4:0])] = 0;
      default:
      if (cfg_addr[19:12] == 8'h30 && cfg_addr[11:0] < SWITCHES) ways[cfg_addr[11:0]] = cfg_wdata;
    endcase
  endtask

  function automatic logic [10:0] some_switch;
    return random_below(12) ? random_below(NEAR) : random_below(2048);
  endfunction
  function automatic logic [4:0] some_group;
    return random_below(NAMES) * 5;
  endfunction
  task automatic random_write;
    cfg_write = 1;
    cfg_wdata = $random(seed);
    case (random_below(16))
      0: {cfg_addr, cfg_wdata} = {20'd10, 16'(random_below(20) ? 1 : some_switch())};
      1: {cfg_addr, cfg_wdata} = {20'd11, 16'(random_below(3) ? -1 : $random(seed))};
      2, 3: {cfg_addr, cfg_wdata} = {20'd12, 16'(random_below(2) ? own : some_switch())};
      4: {cfg_addr, cfg_wdata} = {20'd13, 16'(random_below(3))};
      5: {cfg_addr, cfg_wdata} = {20'd14, 16'(1 << random_below(PORTS) | 1 << random_below(PORTS))};
      6, 7: {cfg_addr, cfg_wdata} = {20'd15, 16'(some_group())};
      8, 9, 10, 11: {cfg_addr, cfg_wdata} = {20'd16, 16'(some_group())};
      12: cfg_addr = {8'h30, 12'(random_below(4) ? random_below(NEAR) : random_below(SWITCHES + 2))};
      13: cfg_addr = 8;
      14: cfg_addr = 9;
      default: cfg_addr = $random(seed);
    endcase
  endtask
  task automatic random_message(input int port);
    logic [31:0] r;
    r = {1'b0, some_switch(), random_below(2) ? own : some_switch(), some_group(), 2'(random_below(9) / 2), 2'(random_below(4))};
    if (random_below(3) == 0) begin
      r[31] = 1;  // what else a local message holds is not looked at
      if (random_below(8)) r[1:0] = REDUCE;
    end
    some[port] = 1;
    messages[32*port+:32] = r;
  endtask

  task automatic start_over;
    foreach (valid[i]) valid[i] = 0;
    live_ports = -1;
    {own, next_center, next_count, members, sticky, acting} = 0;
    idle_limit = 16;
    at = 0;
    spread = 0;
    some = 0;
    slot = 0;
  endtask

  initial begin
    foreach (seen[i]) seen[i] = 0;
    foreach (ways[i]) ways[i] = 0;
    start_over();
    step(); step();
    for (int n = 0; n < CYCLES; n++) begin
      rst = n % (CYCLES / 3) == CYCLES / 6;
      cfg_write = 0;
      if (n < 400 || random_below(n / 2000 % 2 ? 12 : 40) == 0) random_write();
      for (int i = 0; i < PORTS; i++) begin
        if (!some[i] && random_below(n / 1000 % 3 ? 8 : 40) == 0) random_message(i);
        if (slot[i] && random_below(n / 3000 % 2 ? 2 : 12) == 0) slot[i] = 0;
      end
      may_start = $random(seed);
      #1;
      check("act", act, acting);
      check("turn", turn, at);
      check("errors", errors, sticky);
      check("busy", busy, acting || pending() >= 0);
      check("IDLE", idle, idle_limit);
      check("SELF", self, own);
      check("LIVE", live, live_ports);
      {want_put, want_pop, fresh, leaves} = 0;
      if (rst) want_put = 0;
      else if (cfg_write) configure();
      else if (!acting) begin
        source = -1;
        for (int k = 0; k <= PORTS; k++) begin
          o = (at + k) % (PORTS + 1);
          if (source < 0 && (o < PORTS ? some[o] : pending() >= 0)) source = o;
        end
        acting = source >= 0;
        if (acting) begin
          m = messages[32*source+:32];
          o = m[19:9];
          if (source == PORTS) begin
            entry = pending();
            q = pending_of(entry);
            o = q >= 48 ? address[entry*PORTS+q-48] : is_built[entry] ? parent[entry] : center[entry];
          end
          way = o < SWITCHES ? ways[o] : 0;
        end
      end else begin
        way &= live_ports;
        acting = 0;
        at = (source + 1) % (PORTS + 1);
        if (source == PORTS) send();
        else begin
          p = source;
          m = messages[32*p+:32];
          e = find(m[8:4]);
          if (m[31]) from_node();
          else if (m[19:9] != own) in_transit();
          else for_this_switch();
          want_pop[p] = leaves;
          seen[8] += leaves && fresh != 0;
          seen[9] += !leaves;
        end
      end
      if (!rst) begin
        check("put", put, want_put);
        check("pop", pop, want_pop);
      end
      if (want_put != 0) begin
        check("message", message, want);
        seen[want[1:0]]++;
      end
      sticky |= fresh;
      step();
      some &= ~want_pop;
      slot |= want_put;
      if (rst) start_over();
    end
    for (int i = 0; i < 10; i++) check($sformatf("case %0d came often: %0d", i, seen[i]), seen[i] > (GROUPS == 1 ? 0 : 20), 1);
    finish_bench($sformatf("barrier_unit PORTS=%0d GROUPS=%0d SWITCHES=%0d", PORTS, GROUPS, SWITCHES));
  end
endmodule
