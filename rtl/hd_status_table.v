// Status table of the barrier unit: entries, fully associative by group (§8.2).
// SPDX-License-Identifier: Apache-2.0
//
// An entry has its group, the addresses of its parent and of its children, and a record. A record,
// from bit 0: bsr, root, built, failed, up, count 12, then by port, one bit each: child, child_in,
// local, local_in, to_local, to_child; with VALUES (§8.14) op 2, value 32, result_op 2, result 32. Records are made and read in hd_barrier_decide and
// hd_barrier_unit, too; `make lint` checks that RECORD_* are the same everywhere.
//
// Addresses stay in this module: a lookup says which of them equal the message's bsr, and where the first pending send
// goes. The center is the parent until the real parent is known (§8.3, up).
//
// An act always writes the record of its entry, changed or not. So a late decision changes data, not the enable of
// registers. A place without a valid entry may be written, too.
//
// Invariant: no two valid entries have the same group.
`default_nettype none

module hd_status_table #(
    parameter PORTS    = 5,                            // 2-16
    parameter GROUPS   = 4,                            // 1-32
    parameter VALUES   = 0,                            // 0-1
    parameter RECORD_W = 17 + 6 * PORTS + 68 * VALUES  // derived, not to be set
) (
    input  wire                clk,
    input  wire                rst,
    // lookup by group: position of the entry, or of the lowest free entry; its children and, as a bit, its parent whose
    // address is bsr_i
    input  wire [         4:0] group_i,
    input  wire [        10:0] bsr_i,
    output wire                hit_o,
    output wire                free_o,
    output wire [  GROUPS-1:0] place_o,
    output wire [   PORTS-1:0] named_o,
    output wire                by_parent_o,
    // the record of that entry, 0 without one; or the record of the lowest entry with a pending send
    input  wire                of_first_i,
    output wire [RECORD_W-1:0] record_o,
    // lowest entry with a pending send; its group; where it sends: up, or to the lowest child
    output wire                pending_o,
    output wire [  GROUPS-1:0] first_o,
    output wire [         4:0] first_group_o,
    output wire [        10:0] first_to_o,
    // configuration: opens an entry, if the group has none and one is free, or closes it
    input  wire [         4:0] cfg_group_i,
    input  wire [        10:0] cfg_center_i,
    input  wire [RECORD_W-1:0] cfg_record_i,
    input  wire                open_i,
    input  wire                close_i,
    output wire                cfg_hit_o,
    // act: writes the record of an entry, a new one if the group had none. The message's bsr becomes the address of the
    // child at this port, which creates the entry, or of the parent.
    input  wire                act_i,
    input  wire [  GROUPS-1:0] act_place_i,
    input  wire                act_new_i,
    input  wire [         4:0] act_group_i,
    input  wire [        10:0] act_bsr_i,
    input  wire [RECORD_W-1:0] act_record_i,
    input  wire [   PORTS-1:0] adopt_i,
    input  wire                follow_i
);

  localparam [GROUPS-1:0] NONE = {GROUPS{1'b0}};
  localparam [GROUPS-1:0] ONE = {{(GROUPS - 1) {1'b0}}, 1'b1};
  localparam [PORTS-1:0] NOBODY = {PORTS{1'b0}};
  // bit positions in a record
  localparam RECORD_UP = 4, RECORD_CHILD = 17;
  localparam RECORD_TO_LOCAL = 17 + 4 * PORTS;  // to_child follows to_local
  localparam RECORD_TO_CHILD = 17 + 5 * PORTS;

  reg [GROUPS-1:0] valid_q;
  wire [GROUPS-1:0] hit, cfg_hit, pending, shown, opened, acted;
  wire [GROUPS*RECORD_W-1:0] records;
  wire [GROUPS*5-1:0] groups;
  wire [GROUPS*11-1:0] tos;
  wire [GROUPS*PORTS-1:0] named;
  wire [GROUPS-1:0] by_parent;
  wire [GROUPS-1:0] cfg_place = ~valid_q & (valid_q + ONE);
  assign opened = cfg_place & {GROUPS{open_i && !cfg_hit_o}};
  assign acted = act_place_i & {GROUPS{act_i}};
  genvar e, q;
  generate
    for (e = 0; e < GROUPS; e = e + 1) begin : entry
      reg [4:0] group_q;
      reg [10:0] parent_q;
      reg [11*PORTS-1:0] address_q;
      reg [RECORD_W-1:0] record_q;
      always @(posedge clk)
        if (opened[e]) group_q <= cfg_group_i;
        else if (acted[e] && act_new_i) group_q <= act_group_i;
      always @(posedge clk)
        if (opened[e]) parent_q <= cfg_center_i;
        else if (acted[e] && follow_i) parent_q <= act_bsr_i;
      always @(posedge clk)
        if (opened[e]) record_q <= cfg_record_i;
        else if (acted[e]) record_q <= act_record_i;
      assign records[e*RECORD_W+:RECORD_W] = record_q;
      assign groups[e*5+:5] = group_q;
      assign hit[e] = valid_q[e] && (group_q == group_i);
      assign cfg_hit[e] = valid_q[e] && (group_q == cfg_group_i);
      assign pending[e] = valid_q[e] && (record_q[RECORD_UP] || (record_q[RECORD_TO_LOCAL+:2*PORTS] != {2 * PORTS{1'b0}}));
      assign by_parent[e] = parent_q == bsr_i;
      wire [PORTS-1:0] to_child = record_q[RECORD_TO_CHILD+:PORTS];
      for (q = 0; q < PORTS; q = q + 1) begin : child
        always @(posedge clk) if (acted[e] && adopt_i[q]) address_q[11*q+:11] <= act_bsr_i;
        assign named[e*PORTS+q] = record_q[RECORD_CHILD+q] && (address_q[11*q+:11] == bsr_i);
      end
      // the lowest child with a pending send; if there is none, the last child
      reg [10:0] lowest;
      integer c;
      always @* begin
        lowest = address_q[11*(PORTS-1)+:11];
        for (c = PORTS - 2; c >= 0; c = c - 1) if (to_child[c]) lowest = address_q[11*c+:11];
      end
      assign tos[e*11+:11] = record_q[RECORD_UP] ? parent_q : lowest;
    end
  endgenerate
  assign hit_o = hit != NONE;
  assign free_o = valid_q != ~NONE;
  assign place_o = hit_o ? hit : cfg_place;
  assign cfg_hit_o = cfg_hit != NONE;
  assign shown = of_first_i ? first_o : hit;
  assign pending_o = pending != NONE;
  assign first_o = pending & (~pending + ONE);

  reg [RECORD_W-1:0] found;
  reg [4:0] first_group;
  reg [10:0] first_to;
  reg [PORTS-1:0] found_named;
  integer i;
  always @* begin
    found = {RECORD_W{1'b0}};
    first_group = 5'd0;
    first_to = 11'd0;
    found_named = NOBODY;
    for (i = 0; i < GROUPS; i = i + 1) begin
      if (shown[i]) found = found | records[i*RECORD_W+:RECORD_W];
      if (first_o[i]) first_group = first_group | groups[i*5+:5];
      if (first_o[i]) first_to = first_to | tos[i*11+:11];
      if (hit[i]) found_named = found_named | named[i*PORTS+:PORTS];
    end
  end
  assign record_o = found;
  assign first_group_o = first_group;
  assign first_to_o = first_to;
  assign named_o = found_named;
  assign by_parent_o = (hit & by_parent) != NONE;

  always @(posedge clk)
    if (rst) valid_q <= NONE;
    else begin
      valid_q <= valid_q | opened | (acted & {GROUPS{adopt_i != NOBODY}});
      if (close_i) valid_q <= valid_q & ~cfg_hit;
    end

`ifdef FORMAL
  // 1 §8.2: no two entries of one group; a lookup finds the entry, or says that there is none
  // 2 an entry that was opened or made and not closed since has what was written last, whatever
  //   happens to other groups: record, parent, the address of each child
  // 3 the place offered for a new entry is the lowest free one
  // 4 an act writes to the place of its group's entry or, if there is none, to a free one
  reg f_started = 1'b0;
  always @(posedge clk) f_started <= 1'b1;
  (* anyconst *) reg [4:0] f_group;
  (* anyconst *) reg [3:0] f_port;
  reg f_valid = 1'b0, f_has_parent = 1'b0, f_has_address = 1'b0;
  reg [RECORD_W-1:0] f_record;
  reg [10:0] f_parent, f_address;
  wire f_opened = open_i && (cfg_group_i == f_group) && !f_valid && free_o;
  wire f_acted = act_i && (act_group_i == f_group) && (act_place_i != NONE);
  wire [PORTS-1:0] f_lowest = f_record[RECORD_TO_CHILD+:PORTS] & (~f_record[RECORD_TO_CHILD+:PORTS] + 1'b1);
  always @(posedge clk) begin
    if (rst) f_valid <= 1'b0;
    else if (f_opened || (f_acted && (adopt_i != NOBODY))) f_valid <= 1'b1;
    else if (close_i && (cfg_group_i == f_group)) f_valid <= 1'b0;
    if (f_opened) begin
      f_record <= cfg_record_i;
      f_parent <= cfg_center_i;
      f_has_parent <= 1'b1;
      f_has_address <= 1'b0;
    end else if (f_acted) begin
      f_record <= act_record_i;
      if (follow_i) f_parent <= act_bsr_i;
      if (adopt_i[f_port]) f_address <= act_bsr_i;
      f_has_parent <= follow_i || (!act_new_i && f_has_parent);
      f_has_address <= adopt_i[f_port] || (!act_new_i && f_has_address);
    end
  end
  wire [GROUPS-1:0] f_at, f_act_hit;
  genvar f;
  generate
    for (e = 0; e < GROUPS; e = e + 1) begin : f_entry
      for (f = 0; f < e; f = f + 1) begin : other
        always @*
          if (f_started)
            assert (!valid_q[e] || !valid_q[f] || (entry[e].group_q != entry[f].group_q));
      end
      assign f_at[e] = valid_q[e] && (entry[e].group_q == f_group);
      assign f_act_hit[e] = valid_q[e] && (entry[e].group_q == act_group_i);
      always @*
        if (f_started && f_at[e]) begin
          assert (entry[e].record_q == f_record);
          if (f_has_parent) assert (entry[e].parent_q == f_parent);
          if (f_has_address) assert (entry[e].address_q[11*f_port+:11] == f_address);
        end
`ifndef FORMAL_hd_status_table
      // A port that has reported, or to which a message is pending, is a child or a member.
      wire [6*PORTS-1:0] f_ports = entry[e].record_q[RECORD_CHILD+:6*PORTS];
      always @*
        if (f_started && valid_q[e]) begin
          assert (((f_ports[PORTS+:PORTS] | f_ports[5*PORTS+:PORTS]) & ~f_ports[0+:PORTS]) == 0);
          assert (((f_ports[3*PORTS+:PORTS] | f_ports[4*PORTS+:PORTS]) & ~f_ports[2*PORTS+:PORTS]) == 0);
        end
`endif
      if (e > 0) begin : f_lowest_free
        always @*
          if (f_started && !hit_o && place_o[e]) assert (&valid_q[e-1:0] && !valid_q[e]);
      end
    end
  endgenerate
  wire f_right_place = (act_place_i & (act_place_i - 1'b1)) == NONE &&
      (act_new_i ? (f_act_hit == NONE) && ((act_place_i & valid_q) == NONE) : act_place_i == f_act_hit);
  always @* begin
    if (!f_started) assume (rst);
    assume ({28'd0, f_port} < PORTS);
`ifdef FORMAL_hd_status_table
    assume (act_i ? f_right_place && !open_i && !close_i : !open_i || !close_i);
`else
    if (f_started && !rst) assert (act_i ? f_right_place && !open_i && !close_i : !open_i || !close_i);
`endif
    if (f_started) begin
      assert ((f_at & (f_at - 1'b1)) == NONE);
      assert (f_valid == (f_at != NONE));
      if (group_i == f_group) assert (hit_o == f_valid);
      if (cfg_group_i == f_group) assert (cfg_hit_o == f_valid);
      if (hit_o && (group_i == f_group)) begin
        if (!of_first_i) assert (record_o == f_record);
        if (f_has_parent) assert (by_parent_o == (f_parent == bsr_i));
        if (f_has_address) assert (named_o[f_port] == (f_record[RECORD_CHILD+f_port] && (f_address == bsr_i)));
      end
      if (!hit_o && !of_first_i) assert (record_o == {RECORD_W{1'b0}});
      if (!hit_o) assert (named_o == NOBODY && !by_parent_o);
      assert ((place_o & (place_o - 1'b1)) == NONE);
      assert ((first_o & (first_o - 1'b1)) == NONE && pending_o == (first_o != NONE));
      if ((first_o & f_at) != NONE) begin
        assert (first_group_o == f_group);
        if (of_first_i) assert (record_o == f_record);
        if (f_record[RECORD_UP] && f_has_parent) assert (first_to_o == f_parent);
        if (!f_record[RECORD_UP] && f_lowest[f_port] && f_has_address) assert (first_to_o == f_address);
      end
    end
  end
`endif

endmodule

`default_nettype wire
