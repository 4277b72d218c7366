// Status table: lookup by group, lowest free place, lowest entry with a pending send, records (§8.2).
// SPDX-License-Identifier: Apache-2.0
module tb_status_table;
  parameter PORTS = 5, GROUPS = 4;
  localparam RECORD_W = 44 + 17 * PORTS, UP = 9, TO = 44 + 4 * PORTS, NAMES = GROUPS + 3 < 32 ? GROUPS + 3 : 32;
`include "check.svh"
  logic [4:0] group = 0, cfg_group = 0;
  logic hit, free, pending, of_first = 0, cfg_hit, write = 0, close = 0;
  logic [GROUPS-1:0] place, cfg_place, first, write_place = 0;
  logic [RECORD_W-1:0] record, first_record, next = 0;
  hd_status_table #(.PORTS(PORTS), .GROUPS(GROUPS)) dut (
    .clk(clk), .rst(rst), .group_i(group), .hit_o(hit), .free_o(free), .place_o(place),
    .pending_o(pending), .first_o(first), .first_record_o(first_record), .of_first_i(of_first), .record_o(record),
    .cfg_group_i(cfg_group), .cfg_hit_o(cfg_hit), .cfg_place_o(cfg_place),
    .write_i(write), .write_place_i(write_place), .record_i(next), .close_i(close));

  logic [RECORD_W-1:0] entries[0:GROUPS-1];
  logic valid[0:GROUPS-1];
  int where, cfg_where, lowest, sends, hits = 0, closed = 0, sent = 0, full = 0;

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
      group = random_below(NAMES);
      cfg_group = random_below(NAMES);
      of_first = random_below(3) == 0;
      where = -1;
      cfg_where = -1;
      lowest = -1;
      sends = -1;
      for (int i = GROUPS - 1; i >= 0; i--) begin
        if (valid[i] && entries[i][4:0] == group) where = i;
        if (valid[i] && entries[i][4:0] == cfg_group) cfg_where = i;
        if (!valid[i]) lowest = i;
        if (valid[i] && has_sends(entries[i])) sends = i;
      end
      for (int i = 0; i < RECORD_W; i += 32) next = next << 32 | RECORD_W'($unsigned($random(seed)));
      if (random_below(4)) {next[UP], next[TO+:2*PORTS]} = 0;
      next[4:0] = group;
      // a record is written to where its group was found or to the place that is offered
      write = random_below(3) == 0 && (where >= 0 || lowest >= 0);
      write_place = 1 << (where >= 0 ? where : lowest);
      close = !write && random_below(n / 500 % 2 ? 3 : 12) == 0;
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
      check_record("first record", first_record, sends >= 0 ? entries[sends] : 0);
      if (of_first) check_record("record of the first", record, sends >= 0 ? entries[sends] : 0);
      else check_record("record", record, where >= 0 ? entries[where] : 0);
      check("hit of the other group", cfg_hit, cfg_where >= 0);
      check("place to open", cfg_place, lowest >= 0 ? 1 << lowest : 0);
      if (rst) foreach (valid[i]) valid[i] = 0;
      else if (write) begin
        valid[where >= 0 ? where : lowest] = 1;
        entries[where >= 0 ? where : lowest] = next;
      end else if (close && cfg_where >= 0) begin
        valid[cfg_where] = 0;
        closed++;
      end
      step();
    end
    check("groups were found, closed, pending, without room",
      hits > 100 && closed > 100 && sent > 100 && (full > 100 || GROUPS > 8), 1);
    finish_bench($sformatf("status_table PORTS=%0d GROUPS=%0d", PORTS, GROUPS));
  end
endmodule
