// The barrier unit, decisions included: every case of §8.3, ways and steps (§8.4-8.6).
// SPDX-License-Identifier: Apache-2.0
//
// Queues, slots and configuration hold anything, from few groups and switches so that all cases
// come often. The bench carries out chapter 8 on a table of its own, message by message, and
// says for every cycle what must leave a queue and what must be put into which slot. At the end
// all sources want one slot that is free only when one of them looks: none may starve.
module tb_barrier_unit;
  parameter PORTS = 5, GROUPS = 4, SWITCHES = 6, CYCLES = 40000, VALUES = 0;
  localparam MESSAGE_W = VALUES ? 64 : 32;
  localparam REDUCE = 0, DISTRIBUTE = 1, INITIAL = 2, FAIL = 3;
  localparam NAMES = GROUPS + 2 < 8 ? GROUPS + 2 : 8, NEAR = SWITCHES < 4 ? SWITCHES : 4;
`include "check.svh"
  logic [PORTS-1:0] some = 0, pop, slot = 0, may_start = 0, put, live;
  logic [MESSAGE_W*PORTS-1:0] messages = 0;
  logic [MESSAGE_W-1:0] message;
  logic cfg_write = 0, busy, act;
  logic [19:0] cfg_addr = 0;
  logic [15:0] cfg_wdata = 0, idle;
  logic [10:0] self;
  logic [4:0] errors, turn;
  logic [3:0] spread_shown;
  hd_barrier_unit #(.PORTS(PORTS), .GROUPS(GROUPS), .SWITCHES(SWITCHES), .VALUES(VALUES)) dut (
    .clk(clk), .rst(rst), .some_i(some), .messages_i(messages), .pop_o(pop), .slot_i(slot),
    .may_start_i(may_start), .put_o(put), .message_o(message), .cfg_write_i(cfg_write),
    .cfg_addr_i(cfg_addr), .cfg_wdata_i(cfg_wdata), .idle_o(idle), .self_o(self), .live_o(live),
    .errors_o(errors), .busy_o(busy), .act_o(act), .turn_o(turn),
    .spread_o(spread_shown));

  // status table (§8.2)
  logic valid[0:GROUPS-1], is_bsr[0:GROUPS-1], is_root[0:GROUPS-1], is_built[0:GROUPS-1];
  logic has_failed[0:GROUPS-1], up[0:GROUPS-1];
  logic [4:0] group[0:GROUPS-1];
  logic [10:0] center[0:GROUPS-1], parent[0:GROUPS-1], address[0:GROUPS*PORTS-1];
  int count[0:GROUPS-1];
  logic [PORTS-1:0] child[0:GROUPS-1], child_in[0:GROUPS-1], loc[0:GROUPS-1], loc_in[0:GROUPS-1];
  logic [PORTS-1:0] to_local[0:GROUPS-1], to_child[0:GROUPS-1];
  logic [1:0] op[0:GROUPS-1], result_op[0:GROUPS-1];
  logic [31:0] value[0:GROUPS-1], result[0:GROUPS-1];
  // registers, routing table, steps
  logic [PORTS-1:0] ways[0:SWITCHES-1], live_ports = -1, members = 0, way = 0;
  logic [10:0] own = 0, next_center = 0;
  logic [15:0] idle_limit = 16;
  int next_count = 0, at = 0, source = -1, entry = -1, spread = 0, q = 0, owed[0:PORTS-1];
  logic [4:0] sticky = 0, fresh;
  logic acting = 0;
  // of one cycle
  int e, p, o;
  logic [MESSAGE_W-1:0] m, want;
  logic [31:0] brought;  // value of the message, 0 without one
  logic [PORTS-1:0] want_put, want_pop;
  logic leaves;
  // how often: 0-3 types put, 4 branches, 5 tag 2, 6 releases, 7 refusals, 8 drops, 9 waits, 10
  // distributes out of turn, 11 in turn of a tree that is built, 12 refusals of a failed entry, 13
  // initial reduces of a port twice, 14 empty slots owed to another source; with VALUES 15-18 joined by operator,
  // 19 operators that differ, 20 values in a first round, 21 results of a value
  localparam CASES = VALUES ? 22 : 15;
  int seen[0:21];
  int kept = 0;  // looks at a slot whose turn is another source's
  // By a variable: with a constant index Icarus 11 takes the word for one out of bounds where the
  // index before it was.
  task automatic came(input int i);
    seen[i] = seen[i] + 1;
  endtask

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
    {op[i], value[i], result_op[i], result[i]} = 0;
    valid[i] = 1;
    group[i] = g;
  endtask
  // the first pending send of an entry: 0 none, 16 up, 32 to a child, 48 to a member; its port
  function automatic int pending_of(input int i);
    if (!valid[i]) return 0;
    if (up[i]) return 16;
    if (to_child[i] != 0) for (int k = 0; k < PORTS; k++) if (to_child[i][k]) return 32 + k;
    if (to_local[i] != 0) for (int k = 0; k < PORTS; k++) if (to_local[i][k]) return 48 + k;
    return 0;
  endfunction
  function automatic int pending;
    for (int i = 0; i < GROUPS; i++) if (valid[i] && (up[i] || to_child[i] != 0 || to_local[i] != 0)) return i;
    return -1;
  endfunction

  // whose turn a slot is (§8.4), for the source that acts
  function automatic logic is_open(input int i);
    if (!slot[i] && owed[i] >= 0 && owed[i] != source) kept++;
    return !slot[i] && (owed[i] < 0 || owed[i] == source);
  endfunction
  function automatic logic waits_for(input int i);
    if (owed[i] < 0) owed[i] = source;
    return 0;
  endfunction
  // ways (§8.4): port, or the port it waits for, less PORTS
  function automatic int first_way;
    for (int i = 0; i < PORTS; i++) if (way[i]) return is_open(i) ? i : i - PORTS;
    return -1;
  endfunction
  function automatic int any_way;
    int i, first, first_open;
    first = -1;
    first_open = -1;
    for (int k = 0; k < PORTS; k++) begin
      i = (spread + k) % PORTS;
      if (way[i]) begin
        if (first < 0) first = i;
        if (is_open(i)) begin
          if (may_start[i]) return i;
          if (first_open < 0) first_open = i;
        end
      end
    end
    return first_open >= 0 ? first_open : first - PORTS;
  endfunction
  // puts `want` on its way; 0: it waits
  function automatic logic goes(input logic any);
    int to;
    to = any ? any_way() : first_way();
    if (to < 0) return waits_for(to + PORTS);
    want_put[to] = 1;
    if (any) spread = (to + 1) % PORTS;
    return 1;
  endfunction
  function automatic logic goes_to(input int i);
    if (!is_open(i)) return waits_for(i);
    want_put[i] = 1;
    return 1;
  endfunction

  // §8.14
  task automatic join_value(input int i);
    if ((loc_in[i] | child_in[i]) == 0 || VALUES == 0) begin
      op[i] = m[3:2];
      value[i] = brought;
    end else if (op[i] != m[3:2]) begin
      {op[i], value[i]} = 0;
      fresh = PROTOCOL;
      came(19);
    end else begin
      came(15 + op[i]);
      case (op[i])
        1: value[i] = value[i] + brought;
        2: if (brought < value[i]) value[i] = brought;
        3: if (brought > value[i]) value[i] = brought;
        default: ;
      endcase
    end
  endtask
  task automatic release_entry(input int i);
    if (is_root[i]) {result_op[i], result[i]} = {op[i], value[i]};
    else {result_op[i], result[i]} = {m[3:2], brought};
    if (result_op[i] != 0) came(21);
    is_built[i] = 1;
    to_local[i] = loc[i];
    to_child[i] = child[i];
    loc_in[i] = 0;
    child_in[i] = 0;
    came(6);
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
    else if (e < 0 || !loc[e][p] || has_failed[e] || loc_in[e][p] || (VALUES && !is_built[e] && m[3:2] != 0)) begin
      want = {1'b1, 22'd0, m[8:4], 2'd0, 2'(FAIL)};
      leaves = goes_to(p);
      if (leaves) begin
        fresh = e < 0 || !loc[e][p] ? GROUP : has_failed[e] ? 0 : loc_in[e][p] ? DUPLICATE : PROTOCOL;
        if (fresh == PROTOCOL) came(20);
        came(7);
        if (fresh == 0) came(12);
      end
    end else begin
      join_value(e);
      loc_in[e][p] = 1;
      check_entry(e);
    end
  endtask

  // an initial reduce with tag 0 or 1 that goes on: entry e has a child at its port
  task automatic adopt;
    if (is_bsr[e]) begin
      want[3:2] = 2;
      came(5);
    end else if (m[3:2] == 0 && child[e] != 0) begin
      is_bsr[e] = 1;
      want[3:2] = 1;
      want[30:20] = own;
      came(4);
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
    else if (m[1:0] == INITIAL && m[3:2] == 0 && e >= 0 && child[e][p]) begin
      fresh = DUPLICATE;
      came(13);
    end else if (way == 0) fresh = UNREACHABLE;
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
        else if (m[3:2] == 0 && child[e][p]) fresh = DUPLICATE;
        else begin
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
            join_value(e);
            child_in[e][from] = 1;
            check_entry(e);
          end
        end
        DISTRIBUTE:
        if (is_root[e]) fresh = GROUP;
        else if (up[e] || (loc[e] & ~loc_in[e]) != 0 ||
                 (is_built[e] && ((child[e] & ~child_in[e]) != 0 || m[30:20] != parent[e]))) begin
          fresh = DUPLICATE;
          came(10);
        end else begin
          if (is_built[e]) came(11);
          parent[e] = m[30:20];
          release_entry(e);
        end
        default: begin
          has_failed[e] = 1;
          to_local[e] |= loc_in[e];
          loc_in[e] = 0;
        end
      endcase
  endtask

  // a pending send of the entry that was looked at; `leaves`: it is done or dropped
  task automatic send;
    int now;
    now = pending_of(entry) / 16;
    q = pending_of(entry) % 16;
    want = group[entry] << 4;
    case (now)
      1: want |= own << 20 | (is_built[entry] ? parent[entry] << 9 | REDUCE : center[entry] << 9 | INITIAL);
      2: want |= own << 20 | address[entry*PORTS+q] << 9 | DISTRIBUTE;
      default: begin want |= has_failed[entry] ? FAIL : DISTRIBUTE; want[31] = 1; end
    endcase
    if (VALUES && now == 1 && is_built[entry]) want |= {value[entry], 28'd0, op[entry], 2'd0};
    if (VALUES && (now == 2 || (now == 3 && !has_failed[entry]))) want |= {result[entry], 28'd0, result_op[entry], 2'd0};
    if (now == 0) leaves = 0;
    else if (now == 3) leaves = goes_to(q);
    else if (way == 0) begin
      fresh = UNREACHABLE;
      leaves = 1;
    end else leaves = goes(now == 2 || is_built[entry]);
    if (leaves)
      case (now)
        1: up[entry] = 0;
        2: to_child[entry][q] = 0;
        default: to_local[entry][q] = 0;
      endcase
  endtask

  task automatic configure;
    int i;
    foreach (owed[k]) owed[k] = -1;
    acting = 0;
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
      2, 3: {cfg_addr, cfg_wdata} = {20'd12, 16'(random_below(3) ? some_switch() : own)};
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
    logic [31:0] r, v;
    int i, k;
    r = {1'b0, some_switch(), random_below(2) ? own : some_switch(), some_group(), 2'(random_below(9) / 2), 2'(random_below(4))};
    if (random_below(3) == 0) begin
      r[31] = 1;  // what else a local message holds is not looked at
      if (random_below(8)) r[1:0] = REDUCE;
    end
    if (random_below(8) == 0) r = {1'b0, some_switch(), 11'((own + 1) % NEAR), some_group(), 2'd0, 2'(INITIAL)};
    i = random_below(GROUPS);
    for (int j = 0; j < GROUPS && !(valid[i] && is_bsr[i]); j++) i = (i + 1) % GROUPS;
    if (random_below(2) && valid[i] && is_bsr[i]) begin  // what an entry may wait for
      r = {1'b0, parent[i], own, group[i], 2'd0, 2'(DISTRIBUTE)};
      k = random_below(PORTS);
      if ((loc[i] & ~loc_in[i]) != 0 && random_below(3)) begin
        if (loc[i][port]) r = {1'b1, 22'd0, group[i], 2'd0, 2'(REDUCE)};
      end else if (is_root[i] && !is_built[i]) r[3:0] = {2'(random_below(2)), 2'(INITIAL)};
      else if ((child[i] & ~child_in[i]) != 0 && is_built[i] && random_below(8)) begin
        while (!child[i][k] || child_in[i][k]) k = (k + 1) % PORTS;
        {r[30:20], r[1:0]} = {address[i*PORTS+k], 2'(random_below(20) ? REDUCE : FAIL)};
      end
    end
    some[port] = 1;
    // the value, and an operator that an entry may have
    if (VALUES && r[1:0] != INITIAL && (is_built[i] || random_below(4) == 0))
      r[3:2] = (loc_in[i] | child_in[i]) != 0 && random_below(4) ? op[i] : random_below(4);
    v = random_below(2) ? value[i] + 3 - random_below(7) : $random(seed);
    messages[MESSAGE_W*port+:MESSAGE_W] = MESSAGE_W'({v, r});
  endtask

  task automatic start_over;
    foreach (valid[i]) valid[i] = 0;
    foreach (owed[i]) owed[i] = -1;
    live_ports = -1;
    {own, next_center, next_count, members, sticky, acting} = 0;
    idle_limit = 16;
    at = 0;
    spread = 0;
    {some, slot} = 0;
  endtask

  // one cycle with the inputs as they are
  task automatic cycle_is_right;
    #1;
    check("act", act, acting);
    check("turn", turn, at);
    check("spread", spread_shown, spread);
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
        m = messages[MESSAGE_W*source+:MESSAGE_W];
        o = m[19:9];
        if (source == PORTS) begin
          entry = pending();
          q = pending_of(entry);
          o = q >= 32 && q < 48 ? address[entry*PORTS+q-32] : is_built[entry] ? parent[entry] : center[entry];
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
        m = messages[MESSAGE_W*p+:MESSAGE_W];
        brought = VALUES && m[3:2] != 0 ? 32'(64'(m) >> 32) : 0;
        e = find(m[8:4]);
        if (m[31]) from_node();
        else if (m[19:9] != own) in_transit();
        else for_this_switch();
        want_pop[p] = leaves;
        if (leaves && fresh != 0) came(8);
        if (!leaves) came(9);
      end
      if (leaves) foreach (owed[i]) if (owed[i] == source) owed[i] = -1;
    end
    if (!rst) begin
      check("put", put, want_put);
      check("pop", pop, want_pop);
    end
    if (want_put != 0) begin
      check("message", message, want);
      came(want[1:0]);
    end
    sticky |= fresh;
    step();
    some &= ~want_pop;
    slot |= want_put;
    if (rst) start_over();
  endtask

  // All sources want slot t, which is emptied only in cycles in which `favourite` acts: whoever
  // acts then, each of them must get it once in a round of all.
  task automatic write(input logic [19:0] a, input logic [15:0] d);
    {cfg_write, cfg_addr, cfg_wdata} = {1'b1, a, d};
    cycle_is_right();
    cfg_write = 0;
  endtask
  task automatic nobody_starves(input int t, input int favourite);
    int since[0:PORTS], puts;
    rst = 1;
    cycle_is_right();
    rst = 0;
    puts = 0;
    foreach (since[i]) since[i] = 0;
    write(20'h30001, 1 << t);
    write(12, 1);              // an entry that is not the center's: `up` goes to switch 1
    write(13, 0);
    write(14, 1 << t);
    write(15, 31);
    may_start = $random(seed);
    slot[t] = 1;
    {some[t], messages[MESSAGE_W*t+:MESSAGE_W]} = {1'b1, MESSAGE_W'({1'b1, 31'(31 << 4)})};
    while (some[t]) cycle_is_right();
    for (int n = 0; n < 24 * (PORTS + 1) * (PORTS + 1); n++) begin
      for (int i = 0; i < PORTS; i++)
        if (!some[i]) begin
          some[i] = 1;
          case (random_below(i == t ? 3 : 2))
            0: messages[MESSAGE_W*i+:MESSAGE_W] = 1 << 9 | 7 << 4 | REDUCE;               // any way
            1: messages[MESSAGE_W*i+:MESSAGE_W] = 1 << 9 | 7 << 4 | 2 << 2 | INITIAL;     // first way
            default: messages[MESSAGE_W*i+:MESSAGE_W] = MESSAGE_W'({1'b1, 31'(7 << 4 | REDUCE)});        // fail back
          endcase
        end
      if (acting && source == favourite) slot[t] = 0;
      cycle_is_right();
      if (want_put[t]) begin
        puts++;
        foreach (since[i]) since[i] += 1;
        since[source] = 0;
        for (int i = 0; i < PORTS; i++) check("turns until a source gets the slot", since[i] <= PORTS, 1);
        if (puts == PORTS + 1) check("the table had its turn", pending(), -1);
      end
    end
    check("the slot was used", puts > 10 * PORTS, 1);
  endtask

  initial begin
    foreach (seen[i]) seen[i] = 0;
    foreach (ways[i]) ways[i] = 0;
    foreach (address[i]) address[i] = 0;
    foreach (parent[i]) {parent[i], center[i]} = 0;
    start_over(); step(); step();
    for (int n = 0; n < CYCLES; n++) begin
      rst = n % (CYCLES / 3) == CYCLES / 6;
      cfg_write = 0;
      if (n < 400 || random_below(n / 2000 % 2 ? 12 : n / 4000 % 2 ? 40 : 300) == 0) random_write();
      for (int i = 0; i < PORTS; i++) begin
        if (!some[i] && random_below(n / 1000 % 3 ? 8 : 40) == 0) random_message(i);
        if (slot[i] && random_below(n / 3000 % 2 ? 2 : n / 6000 % 2 ? 12 : 40) == 0) slot[i] = 0;
      end
      may_start = $random(seed);
      cycle_is_right();
    end
    seen[14] = kept;
    for (int i = 0; i < CASES; i++) check($sformatf("case %0d came often: %0d", i, seen[i]), seen[i] > (GROUPS == 1 || PORTS > 8 ? 0 : 20), 1);
    for (int k = 0; k < (PORTS > 8 ? 3 : 6); k++) nobody_starves(random_below(PORTS), k % PORTS);
    finish_bench($sformatf("barrier_unit PORTS=%0d GROUPS=%0d SWITCHES=%0d VALUES=%0d", PORTS, GROUPS, SWITCHES, VALUES));
  end
endmodule
