// Status table: lookup by group, lowest free place, lowest entry with a pending send, records, addresses (§8.2).
// SPDX-License-Identifier: Apache-2.0
module tb_status_table;
  parameter PORTS = 5, GROUPS = 4;
  localparam RECORD_W = 17 + 6 * PORTS, UP = 4, CHILD = 17, TO = 17 + 4 * PORTS, TO_CHILD = 17 + 5 * PORTS;
  localparam NAMES = GROUPS + 3 < 32 ? GROUPS + 3 : 32;
`include "check.svh"
  logic [4:0] group = 0, cfg_group = 0, act_group = 0, first_group;
  logic [10:0] bsr = 0, act_bsr = 0, center = 0, first_to;
  logic hit, free, by_parent, pending, of_first = 0, cfg_hit, act = 0, act_new = 0, open = 0, close = 0, follow = 0;
  logic [GROUPS-1:0] place, first, act_place = 0;
  logic [PORTS-1:0] named, adopt = 0, want_named;
  logic [RECORD_W-1:0] record, next = 0;
  hd_status_table #(.PORTS(PORTS), .GROUPS(GROUPS)) dut (
    .clk(clk), .rst(rst), .group_i(group), .bsr_i(bsr), .hit_o(hit), .free_o(free), .place_o(place),
    .named_o(named), .by_parent_o(by_parent), .of_first_i(of_first), .record_o(record),
    .pending_o(pending), .first_o(first), .first_group_o(first_group), .first_to_o(first_to),
    .cfg_group_i(cfg_group), .cfg_center_i(center), .cfg_record_i(next), .open_i(open), .close_i(close),
    .cfg_hit_o(cfg_hit), .act_i(act), .act_place_i(act_place), .act_new_i(act_new), .act_group_i(act_group),
    .act_bsr_i(act_bsr), .act_record_i(next), .adopt_i(adopt), .follow_i(follow));

  // entries; what was never written is X
  logic [RECORD_W-1:0] records[0:GROUPS-1];
  logic [4:0] groups[0:GROUPS-1];
  logic [10:0] parents[0:GROUPS-1], addresses[0:GROUPS-1][0:PORTS-1], to;
  logic valid[0:GROUPS-1];
  int where, cfg_where, act_where, lowest, sends;
  int hits = 0, opened = 0, made = 0, closed = 0, sent = 0, full = 0, names = 0, parental = 0, in_vain = 0, directed = 0;

  function automatic logic has_sends(input logic [RECORD_W-1:0] r);
    return r[UP] || r[TO+:2*PORTS] != 0;
  endfunction
  // check() takes 128 bits; records of many ports have more
  task automatic check_record(input string what, input logic [RECORD_W-1:0] got, input logic [RECORD_W-1:0] want);
    for (int i = 0; i < RECORD_W; i += 64) check(what, 64'(got >> i), 64'(want >> i));
  endtask

  initial begin
    foreach (valid[i]) valid[i] = 0;
    step(); step();
    rst = 0;
    for (int n = 0; n < 20000; n++) begin
      {group, cfg_group, act_group} = {5'(random_below(NAMES)), 5'(random_below(NAMES)), 5'(random_below(NAMES))};
      // few addresses, so that some are equal, and some differ in one bit; all bits matter
      bsr = 11'd1 << random_below(12);
      act_bsr = 11'd1 << random_below(12);
      center = 11'd1 << random_below(12);
      of_first = random_below(3) == 0;
      {where, cfg_where, act_where, lowest, sends} = {5{32'hffffffff}};
      for (int i = GROUPS - 1; i >= 0; i--) begin
        if (valid[i] && groups[i] == group) where = i;
        if (valid[i] && groups[i] == cfg_group) cfg_where = i;
        if (valid[i] && groups[i] == act_group) act_where = i;
        if (!valid[i]) lowest = i;
        if (valid[i] && has_sends(records[i])) sends = i;
      end
      for (int i = 0; i < RECORD_W; i += 32) next = next << 32 | RECORD_W'($unsigned($random(seed)));
      if (random_below(4)) {next[UP], next[TO+:2*PORTS]} = 0;
      // an act writes where its group was found or to the place that is offered, which it may leave free; a
      // child has an address
      {act, open, close, follow, adopt, act_new} = 0;
      case (random_below(n / 500 % 2 ? 6 : 9))
        0, 1, 2: begin
          act = act_where >= 0 || lowest >= 0;
          act_new = act_where < 0;
          if (random_below(3)) adopt = 1 << random_below(PORTS);
          for (int q = 0; q < PORTS; q++)
            if (act_new || !records[act_where][CHILD+q]) next[CHILD+q] = adopt[q];
          next[TO_CHILD+:PORTS] &= next[CHILD+:PORTS];
          follow = random_below(2);
        end
        3: begin
          open = 1;
          {next[TO_CHILD+:PORTS], next[CHILD+:PORTS]} = 0;
        end
        4: close = 1;
        default: ;
      endcase
      act_place = act ? 1 << (act_new ? lowest : act_where) : 0;
      rst = n > 0 && n % 5000 == 0;
      #1;
      hits += where >= 0;
      sent += sends >= 0;
      full += lowest < 0;
      check("hit", hit, where >= 0);
      check("free", free, lowest >= 0);
      check("place", place, where >= 0 ? 1 << where : lowest >= 0 ? 1 << lowest : 0);
      check("pending", pending, sends >= 0);
      check("first", first, sends >= 0 ? 1 << sends : 0);
      if (sends >= 0) begin
        to = 11'bx;
        for (int q = PORTS - 1; q >= 0; q--) if (records[sends][TO_CHILD+q]) to = addresses[sends][q];
        if (records[sends][UP]) to = parents[sends];
        check("group of the first", first_group, groups[sends]);
        // up, an entry without parent sends nothing
        if (!$isunknown(to)) check("where it is sent", first_to, to);
        directed += !$isunknown(to);
      end
      if (of_first) check_record("record of the first", record, sends >= 0 ? records[sends] : 0);
      else check_record("record", record, where >= 0 ? records[where] : 0);
      want_named = 0;
      if (where >= 0)
        for (int q = 0; q < PORTS; q++) want_named[q] = records[where][CHILD+q] && addresses[where][q] === bsr;
      check("children of the address", named, want_named);
      names += named != 0;
      if (where < 0 || !$isunknown(parents[where])) check("the parent's address", by_parent, where >= 0 && parents[where] === bsr);
      parental += by_parent === 1;
      check("hit of the other group", cfg_hit, cfg_where >= 0);
      if (rst) foreach (valid[i]) valid[i] = 0;
      else if (open && cfg_where < 0 && lowest >= 0) begin
        valid[lowest] = 1;
        groups[lowest] = cfg_group;
        parents[lowest] = center;
        records[lowest] = next;
        opened++;
      end else if (act) begin
        in_vain += act_new && adopt == 0;
        if (act_new) act_where = lowest;
        if (act_new && adopt != 0) begin
          valid[lowest] = 1;
          groups[lowest] = act_group;
          parents[lowest] = 11'bx;  // has none yet
          made++;
        end
        if (valid[act_where]) begin
          records[act_where] = next;
          for (int q = 0; q < PORTS; q++) if (adopt[q]) addresses[act_where][q] = act_bsr;
          if (follow) parents[act_where] = act_bsr;
        end
      end else if (close && cfg_where >= 0) begin
        valid[cfg_where] = 0;
        closed++;
      end
      step();
    end
    check("groups were found, opened, made, closed, pending, without room",
      hits > 100 && opened > 100 && made > 100 && closed > 100 && sent > 100 && (full > 100 || GROUPS > 8), 1);
    check("children and parents were named and sent to, free places written",
      names > 100 && parental > 100 && directed > 100 && in_vain > 100, 1);
    finish_bench($sformatf("status_table PORTS=%0d GROUPS=%0d", PORTS, GROUPS));
  end
endmodule
