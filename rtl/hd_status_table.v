// Status table of the barrier unit: entries, fully associative by group (§8.2).
// SPDX-License-Identifier: Apache-2.0
//
// A record, from bit 0: group 5, bsr, root, built, failed, up, center 11, count 12, parent 11,
// then by port, one bit each: child, child_in, local, local_in, to_local, to_child, and the
// children's addresses, 11 bits each. Records are made and read in hd_barrier_decide and
// hd_barrier_unit, too; make lint sees that RECORD_* are the same everywhere.
//
// Invariant: no two valid entries have the same group.
`default_nettype none

module hd_status_table #(
    parameter PORTS    = 5,              // 2-16
    parameter GROUPS   = 4,              // 1-32
    parameter RECORD_W = 44 + 17 * PORTS // derived, not to be set
) (
    input  wire                clk,
    input  wire                rst,
    // lookup by group: the entry's place, otherwise the lowest free place
    input  wire [         4:0] group_i,
    output wire                hit_o,
    output wire                free_o,
    output wire [  GROUPS-1:0] place_o,
    // the record of that entry, 0 without one, or that of the lowest entry with a pending send
    input  wire                of_first_i,
    output wire [RECORD_W-1:0] record_o,
    // lowest entry with a pending send, and its record
    output wire                pending_o,
    output wire [  GROUPS-1:0] first_o,
    output wire [RECORD_W-1:0] first_record_o,
    // lookup by another group: to open, the lowest free place; to close, the entry
    input  wire [         4:0] cfg_group_i,
    output wire                cfg_hit_o,
    output wire [  GROUPS-1:0] cfg_place_o,
    // write
    input  wire                write_i,
    input  wire [  GROUPS-1:0] write_place_i,
    input  wire [RECORD_W-1:0] record_i,
    input  wire                close_i         // the entry of cfg_group_i
);

  localparam [GROUPS-1:0] NONE = {GROUPS{1'b0}};
  localparam [GROUPS-1:0] ONE = {{(GROUPS - 1) {1'b0}}, 1'b1};
  // places in a record
  localparam RECORD_GROUP = 0, RECORD_UP = 9;
  localparam RECORD_TO_LOCAL = 44 + 4 * PORTS;  // and to_child behind it

  reg [GROUPS-1:0] valid_q;
  wire [GROUPS-1:0] hit, cfg_hit, pending;
  wire [GROUPS*RECORD_W-1:0] records;
  genvar e;
  generate
    for (e = 0; e < GROUPS; e = e + 1) begin : entry
      reg [RECORD_W-1:0] record_q;
      always @(posedge clk) if (write_i && write_place_i[e]) record_q <= record_i;
      assign records[e*RECORD_W+:RECORD_W] = record_q;
      assign hit[e] = valid_q[e] && (record_q[RECORD_GROUP+:5] == group_i);
      assign cfg_hit[e] = valid_q[e] && (record_q[RECORD_GROUP+:5] == cfg_group_i);
      assign pending[e] = valid_q[e] && (record_q[RECORD_UP] || (record_q[RECORD_TO_LOCAL+:2*PORTS] != {2 * PORTS{1'b0}}));
    end
  endgenerate
  assign hit_o = hit != NONE;
  assign free_o = valid_q != ~NONE;
  assign place_o = hit_o ? hit : cfg_place_o;
  assign cfg_hit_o = cfg_hit != NONE;
  assign cfg_place_o = ~valid_q & (valid_q + ONE);
  wire [GROUPS-1:0] shown = of_first_i ? first_o : hit;
  assign pending_o = pending != NONE;
  assign first_o = pending & (~pending + ONE);

  reg [RECORD_W-1:0] first_record, found;
  integer i;
  always @* begin
    first_record = {RECORD_W{1'b0}};
    found = {RECORD_W{1'b0}};
    for (i = 0; i < GROUPS; i = i + 1) begin
      if (first_o[i]) first_record = first_record | records[i*RECORD_W+:RECORD_W];
      if (shown[i]) found = found | records[i*RECORD_W+:RECORD_W];
    end
  end
  assign first_record_o = first_record;
  assign record_o = found;

  always @(posedge clk)
    if (rst) valid_q <= NONE;
    else if (write_i) valid_q <= valid_q | write_place_i;
    else if (close_i) valid_q <= valid_q & ~cfg_hit;

`ifdef FORMAL
  // 1 §8.2: no two entries of one group; a lookup finds the entry, or says that there is none
  // 2 a group that was written and not closed since reads as it was written last, whatever
  //   happens to other groups
  // 3 the place offered for a new entry is the lowest free one
  reg f_started = 1'b0;
  always @(posedge clk) f_started <= 1'b1;
  (* anyconst *) reg [4:0] f_group;
  reg f_valid = 1'b0;
  reg [RECORD_W-1:0] f_record;
  wire f_mine = write_i && (record_i[RECORD_GROUP+:5] == f_group);
  always @(posedge clk)
    if (rst) f_valid <= 1'b0;
    else if (f_mine) begin
      f_valid  <= 1'b1;
      f_record <= record_i;
    end else if (!write_i && close_i && (cfg_group_i == f_group)) f_valid <= 1'b0;
  wire [GROUPS-1:0] f_at;
  genvar f;
  generate
    for (e = 0; e < GROUPS; e = e + 1) begin : f_entry
      for (f = 0; f < e; f = f + 1) begin : other
        always @*
          if (f_started)
            assert (!valid_q[e] || !valid_q[f] || (entry[e].record_q[RECORD_GROUP+:5] != entry[f].record_q[RECORD_GROUP+:5]));
      end
      assign f_at[e] = valid_q[e] && (entry[e].record_q[RECORD_GROUP+:5] == f_group);
      always @* if (f_started && f_at[e]) assert (entry[e].record_q == f_record);
`ifndef FORMAL_hd_status_table
      localparam RECORD_CHILD = 44;
      // the unit's records: who reports or is owed a message is a child or a member
      wire [6*PORTS-1:0] f_ports = entry[e].record_q[RECORD_CHILD+:6*PORTS];
      always @*
        if (f_started && valid_q[e]) begin
          assert (((f_ports[PORTS+:PORTS] | f_ports[5*PORTS+:PORTS]) & ~f_ports[0+:PORTS]) == 0);
          assert (((f_ports[3*PORTS+:PORTS] | f_ports[4*PORTS+:PORTS]) & ~f_ports[2*PORTS+:PORTS]) == 0);
        end
`endif
      if (e > 0) begin : f_lowest
        always @*
          if (f_started && !hit_o && place_o[e]) assert (&valid_q[e-1:0] && !valid_q[e]);
      end
    end
  endgenerate
  always @* begin
    if (!f_started) assume (rst);
    // a record goes to the place of its group's entry, or, if there is none, to a free one
`ifdef FORMAL_hd_status_table
    assume ((write_place_i & (write_place_i - 1'b1)) == NONE && write_place_i != NONE);
    if (write_i) assume ((f_write_hit != NONE) ? write_place_i == f_write_hit : (write_place_i & valid_q) == NONE);
`endif
    if (f_started) begin
      assert ((f_at & (f_at - 1'b1)) == NONE);
      assert (f_valid == (f_at != NONE));
      if (group_i == f_group) assert (hit_o == f_valid);
      if (cfg_group_i == f_group) assert (cfg_hit_o == f_valid);
      if (hit_o && (group_i == f_group) && !of_first_i) assert (record_o == f_record);
      if (!hit_o && !of_first_i) assert (record_o == {RECORD_W{1'b0}});
      if (of_first_i) assert (record_o == first_record_o);
      assert ((place_o & (place_o - 1'b1)) == NONE);
      assert ((first_o & (first_o - 1'b1)) == NONE && pending_o == (first_o != NONE));
    end
  end
  wire [GROUPS-1:0] f_write_hit;
  generate
    for (e = 0; e < GROUPS; e = e + 1) begin : f_write
      assign f_write_hit[e] = valid_q[e] && (entry[e].record_q[RECORD_GROUP+:5] == record_i[RECORD_GROUP+:5]);
    end
  endgenerate
`endif

endmodule

`default_nettype wire
