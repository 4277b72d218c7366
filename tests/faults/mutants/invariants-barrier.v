// What is true of every reachable state of a switch with barrier hardware, and beside its mutant.
// SPDX-License-Identifier: Apache-2.0
//
// As invariants.v, for mutants of the barrier hardware (chapters 7, 8), which leave the data's
// registers alone.
`default_nettype none

// One switch alone.
module hd_barrier_reachable #(
    parameter LOOSE = 0, BARRIER = 1,
    parameter PORTS = 3, VCS = 2, DATA_W = 16, DEPTH = (BARRIER == 3) ? 4 : 2, GROUPS = 2,
    parameter FILL_W = $clog2(DEPTH + 1), PORT_W = 2, SWITCHES = 4,
    parameter NODES = 4, ENTRY_W = 1 + PORT_W + VCS,
    parameter SLOT_W = VCS + PORT_W + 3 + DATA_W, RECORD_W = 17 + 6 * PORTS
) (
    input  wire [          PORTS*VCS-1:0] in_from, vc_from, preempt_from, take, owned,
    input  wire [        PORTS*PORTS-1:0] out_from,
    input  wire [            PORTS*3-1:0] kind,
    input  wire [      PORTS*ENTRY_W-1:0] by_destination,
    input  wire [PORTS*NODES*ENTRY_W-1:0] destinations,
    input  wire [              PORTS-1:0] stage_valid,
    input  wire [        PORTS*VCS*2-1:0] state,
    input  wire [    PORTS*VCS*PORTS-1:0] oport, route,
    input  wire [      PORTS*VCS*VCS-1:0] ovc, mask,
    input  wire [    PORTS*VCS*DEPTH-1:0] held,
    input  wire [   PORTS*VCS*FILL_W-1:0] count,
    input  wire [          PORTS*VCS-1:0] credited, free,
    input  wire [PORTS*VCS*DEPTH*SLOT_W-1:0] slots,
    input  wire [    PORTS*(PORTS+1)-1:0] select, owed_to,
    input  wire [            PORTS*2-1:0] queue_fill, place_count,
    input  wire [           PORTS*32-1:0] queue_front, queue_back,
    input  wire [              PORTS-1:0] slot, second, preempting, owed,
    input  wire [            PORTS*3-1:0] burst,
    input  wire [            PORTS*5-1:0] rest,
    input  wire [          PORTS*VCS-1:0] use_vc, preempt_vc,
    input  wire [           PORTS*16-1:0] idle_count,
    input  wire [                   15:0] idle,
    input  wire [              PORTS-1:0] over, sure, try, resting, in_order,
    input  wire [           PORTS*32-1:0] message,
    input  wire                           act,
    input  wire [                PORTS:0] source,
    input  wire [                PORTS:0] turn_from,
    input  wire [                   10:0] self,
    input  wire [             GROUPS-1:0] entry, valid,
    input  wire [              PORTS-1:0] spread_from, look_owed,
    input  wire [                   31:0] look_message,
    input  wire [           RECORD_W-1:0] look_record,
    input  wire                           look_known, look_here, look_parent,
    input  wire [              PORTS-1:0] look_named,
    input  wire [           GROUPS*5-1:0] groups,
    input  wire [          GROUPS*11-1:0] parents,
    input  wire [    GROUPS*11*PORTS-1:0] addresses,
    input  wire [    GROUPS*RECORD_W-1:0] records,
    input  wire [     SWITCHES*PORTS-1:0] barrier_ways,
    input  wire [              PORTS-1:0] ways,
    input  wire                           in_range,
    output reg                            ok
);

  function one_at_most(input [15:0] bits);
    one_at_most = (bits & (bits - 16'd1)) == 16'd0;
  endfunction
  function one(input [15:0] bits);
    one = (bits != 16'd0) && one_at_most(bits);
  endfunction
  function mask_of_pointer(input [15:0] bits, input integer n);
    mask_of_pointer = bits[0] ? LOOSE && (bits & (bits + 16'd1)) == 16'd0 :
        (((bits << 1) & ((16'd1 << n) - 16'd1)) & ~bits) == 16'd0;
  endfunction

  // a stored way is legal, or its mask is empty
  function way(input [PORT_W-1:0] port, input [VCS-1:0] channels);
    way = (channels == {VCS{1'b0}}) || (port < PORTS);
  endfunction

  integer p, v, w, q, g, i;
  reg [SLOT_W-1:0] front;
  reg [7:0] fill;
  reg [1:0] holders;
  reg [RECORD_W-1:0] r;
  reg [PORTS-1:0] some;
  reg pending, other, before;
  reg [GROUPS-1:0] found;
  reg [10:0] destination, from;
  reg directed;
  reg [4:0] look_group;
  reg [PORTS-1:0] name;
  reg parent;
  always @* begin
    ok = 1'b1;
    pending = 1'b0;
    before = 1'b0;
    other = 1'b0;
    for (g = 0; g < GROUPS; g = g + 1) begin
      r = records[g*RECORD_W+:RECORD_W];
      if (valid[g]) begin
        pending = pending || r[4] || (r[17+4*PORTS+:2*PORTS] != 0);
        // who has reported, or is to be sent something, is there; so is a parent
        ok = ok && ((r[17+PORTS+:PORTS] | r[17+5*PORTS+:PORTS]) & ~r[17+:PORTS]) == 0;
        ok = ok && ((r[17+3*PORTS+:PORTS] | r[17+4*PORTS+:PORTS]) & ~r[17+2*PORTS+:PORTS]) == 0;
        ok = ok && (!r[4] || r[2] || r[17+2*PORTS+:PORTS] != 0);
        for (i = 0; i < g; i = i + 1)
          if (valid[i]) ok = ok && (groups[i*5+:5] != groups[g*5+:5]);
      end
    end
    for (p = 0; p < PORTS; p = p + 1) begin
      // routing: in the table, read from it, in the buffers
      for (q = 0; q < NODES; q = q + 1)
        ok = ok && way(destinations[(p*NODES+q)*ENTRY_W+VCS+:PORT_W], destinations[(p*NODES+q)*ENTRY_W+:VCS]);
      if (take[p*VCS+:VCS] != 0)
        ok = ok && way(by_destination[p*ENTRY_W+VCS+:PORT_W], by_destination[p*ENTRY_W+:VCS]);
      ok = ok && mask_of_pointer(in_from[p*VCS+:VCS], VCS);
      ok = ok && mask_of_pointer(out_from[p*PORTS+:PORTS], PORTS);
      ok = ok && mask_of_pointer(vc_from[p*VCS+:VCS], VCS);
      ok = ok && mask_of_pointer(preempt_from[p*VCS+:VCS], VCS);
      ok = ok && one_at_most(take[p*VCS+:VCS]) && one_at_most(select[p*(PORTS+1)+:PORTS+1]);
      ok = ok && ((select[p*(PORTS+1)+:PORTS] & ~stage_valid) == 0);
      some[p] = queue_fill[p*2+:2] != 0;
      ok = ok && (queue_fill[p*2+:2] <= 2) && (place_count[p*2+:2] <= 2);
      ok = ok && (!second[p] || slot[p]) && one(preempt_vc[p*VCS+:VCS]);
      // loosely, of two channels the higher one counts
      ok = ok && (LOOSE ? use_vc[p*VCS+:VCS] != 0 : one(use_vc[p*VCS+:VCS]));
      ok = ok && (burst[p*3+:3] <= 4) && (rest[p*5+:5] <= 16);
      ok = ok && (idle_count[p*16+:16] != 0);
      if (!preempting[p]) ok = ok && (idle_count[p*16+:16] == 1);
      // a preemption is of a channel that a packet owns, and keeps it
      if (preempting[p]) ok = ok && ((preempt_vc[p*VCS+:VCS] & owned[p*VCS+:VCS]) != 0);
      if (preempting[p]) ok = ok && (rest[p*5+:5] == 0);
      // what is known of this cycle's sending
      ok = ok && (resting[p] == (rest[p*5+:5] != 0));
      // no message goes where no switch is
      if (slot[p]) ok = ok && (message[p*32+9+:11] < SWITCHES);
      // only where barrier messages share the data's channels does their order matter
      if (BARRIER >= 3)
        ok = ok && (in_order[p] == (slot[p] && !message[p*32+31] && message[p*32+:2] == 2'd2));
      if (idle_count[p*16+:16] != 16'hffff) ok = ok && (over[p] == (idle_count[p*16+:16] > idle));
      if (BARRIER < 3) begin
        ok = ok && (sure[p] == (second[p] || (!slot[p] ? preempting[p] && over[p] : preempting[p] ?
            burst[p*3+:3] == 4 || place_count[p*2+:2] != 0 : place_count[p*2+:2] != 0 && rest[p*5+:5] == 0)));
        ok = ok && (try[p] == (slot[p] && !second[p] && !preempting[p] && place_count[p*2+:2] != 0 && rest[p*5+:5] != 0));
      end
      for (v = 0; v < VCS; v = v + 1) begin
        i = p * VCS + v;
        fill = 0;
        for (q = 0; q < DEPTH; q = q + 1) fill = fill + held[i*DEPTH+q];
        // flits stand in line
        ok = ok && ((held[i*DEPTH+:DEPTH] & (held[i*DEPTH+:DEPTH] + 1'b1)) == 0);
        ok = ok && (fill + take[i] <= DEPTH) && (count[i*FILL_W+:FILL_W] <= DEPTH);
        // only a head or single has a way; that of the front is kept decoded
        for (q = 0; q < DEPTH; q = q + 1)
          if (held[i*DEPTH+q]) begin
            front = slots[(i*DEPTH+q)*SLOT_W+:SLOT_W];
            ok = ok && ((front[DATA_W+1] && !front[DATA_W+2]) ? way(front[DATA_W+3+:PORT_W], front[DATA_W+3+PORT_W+:VCS]) :
                front[DATA_W+3+PORT_W+:VCS] == 0);
          end
        front = slots[i*DEPTH*SLOT_W+:SLOT_W];
        if (held[i*DEPTH])
          ok = ok && (mask[i*VCS+:VCS] == front[DATA_W+3+PORT_W+:VCS]) &&
              (mask[i*VCS+:VCS] == 0 || route[i*PORTS+:PORTS] == (1 << front[DATA_W+3+:PORT_W]));
        // those that are shut are known before
        if (BARRIER < 3) begin
          ok = ok && (credited[i] == ((count[i*FILL_W+:FILL_W] != 0) && !sure[p] && !(preempting[p] && preempt_vc[i])));
          ok = ok && (free[i] == (!owned[i] && credited[i]));
        end
        // beside the buffers nothing but null flits of the reserved kinds goes into them
        if (BARRIER < 3)
          for (q = 0; q < DEPTH; q = q + 1) begin
            if (held[i*DEPTH+q] && slots[(i*DEPTH+q)*SLOT_W+DATA_W+2])
              ok = ok && (slots[(i*DEPTH+q)*SLOT_W+DATA_W+:2] == 2'd3);
          end
        if (BARRIER < 3 && take[i] && kind[p*3+2]) ok = ok && (kind[p*3+:2] == 2'd3);
        ok = ok && (state[i*2+:2] != 2'd3);
        if (state[i*2+:2] == 2'd1)
          ok = ok && one(oport[i*PORTS+:PORTS]) && one(ovc[i*VCS+:VCS]);
      end
      for (w = 0; w < VCS; w = w + 1) begin
        holders = 0;
        for (q = 0; q < PORTS * VCS; q = q + 1)
          if (state[q*2+:2] == 2'd1 && oport[q*PORTS+p] && ovc[q*VCS+w])
            holders = {holders != 0, 1'b1};
        ok = ok && (holders == {1'b0, owned[p*VCS+w]});
      end
    end
    // one source acts, one is behind, and who waits for a slot still has something for it
    ok = ok && mask_of_pointer(turn_from, PORTS + 1) && mask_of_pointer(spread_from, PORTS) && one_at_most(entry);
    if (act) ok = ok && one(source) && ((source & ~{pending, some}) == 0);
    // what was looked up is that of the message or of the lowest entry's first pending send
    destination = 11'd0;
    directed = 1'b0;
    look_group = 5'd0;
    from = look_message[20+:11];
    found = {GROUPS{1'b0}};
    for (p = 0; p < PORTS; p = p + 1)
      if (source[p]) begin
        destination = queue_front[p*32+9+:11];
        directed = 1'b1;
        look_group = queue_front[p*32+4+:5];
        for (g = 0; g < GROUPS; g = g + 1)
          found[g] = valid[g] && (groups[g*5+:5] == look_group);
      end
    name = {PORTS{1'b0}};
    parent = 1'b0;
    for (g = 0; g < GROUPS; g = g + 1)
      if (found[g]) begin
        parent = parents[g*11+:11] == from;
        for (p = 0; p < PORTS; p = p + 1)
          name[p] = records[g*RECORD_W+17+p] && (addresses[(g*PORTS+p)*11+:11] == from);
      end
    if (act && !source[PORTS])
      ok = ok && (look_named == name) && (look_parent == parent) && (look_here == (destination == self));
    // or the lowest free place
    if (found == {GROUPS{1'b0}}) found = ~valid & (valid + 1'b1);
    if (act && !source[PORTS]) ok = ok && (entry == found);
    // a send to a node has no destination
    if (source[PORTS])
      for (g = 0; g < GROUPS; g = g + 1) begin
        r = records[g*RECORD_W+:RECORD_W];
        other = valid[g] && (r[4] || (r[17+4*PORTS+:2*PORTS] != 0));
        if (act) ok = ok && (entry[g] == (other && !before));
        before = before || other;
        if (entry[g]) begin
          look_group = groups[g*5+:5];
          directed = r[4];
          destination = parents[g*11+:11];
          for (p = PORTS - 1; p >= 0; p = p - 1)
            if (!r[4] && r[17+5*PORTS+p]) begin
              directed = 1'b1;
              destination = addresses[(g*PORTS+p)*11+:11];
            end
        end
      end
    if (act) ok = ok && (look_message[4+:5] == look_group);
    if (act && directed)
      ok = ok && (in_range == (destination < SWITCHES)) && (!in_range || (look_message[9+:11] == destination &&
          ways == barrier_ways[destination[$clog2(SWITCHES)-1:0]*PORTS+:PORTS]));
    r = {RECORD_W{1'b0}};
    for (g = 0; g < GROUPS; g = g + 1) if (entry[g] && valid[g]) r = r | records[g*RECORD_W+:RECORD_W];
    if (act) ok = ok && (look_record == r);
    if (act && !source[PORTS]) ok = ok && (look_known == ((entry & valid) != 0));
    for (p = 0; p < PORTS; p = p + 1) begin
      if (act && source[p]) ok = ok && (look_message == queue_front[p*32+:32]);
      if (owed[p])
        ok = ok && one(owed_to[p*(PORTS+1)+:PORTS+1]) &&
            ((owed_to[p*(PORTS+1)+:PORTS+1] & ~{pending, some}) == 0);
      if (act && owed[p]) ok = ok && (look_owed[p] == ((owed_to[p*(PORTS+1)+:PORTS+1] & source) != 0));
    end
  end

endmodule

// Two switches: where what they hold still matters, they hold the same.
module hd_barrier_alike #(
    parameter LOOSE = 0, BARRIER = 1,
    parameter PORTS = 3, VCS = 2, DATA_W = 16, DEPTH = (BARRIER == 3) ? 4 : 2, GROUPS = 2,
    parameter FILL_W = $clog2(DEPTH + 1), PORT_W = 2,
    parameter SLOT_W = VCS + PORT_W + 3 + DATA_W, RECORD_W = 17 + 6 * PORTS
) (
    input  wire                       same,  // what always has to be equal, is
    input  wire [PORTS*VCS*DEPTH-1:0] held,
    input  wire [PORTS*VCS*PORTS-1:0] g_route, h_route,
    input  wire [  PORTS*VCS*VCS-1:0] g_mask, h_mask,
    input  wire [PORTS*VCS*DEPTH*SLOT_W-1:0] g_slots, h_slots,
    input  wire [          PORTS-1:0] slot, second, preempting, owed,
    input  wire [        PORTS*2-1:0] queue_fill,
    input  wire                       act,
    input  wire [         GROUPS-1:0] valid,
    input  wire [PORTS*(PORTS+1)-1:0] select,
    input  wire [          PORTS-1:0] stage_valid,
    input  wire [        PORTS*3-1:0] g_stage_kind, h_stage_kind,
    input  wire [   PORTS*DATA_W-1:0] g_stage_data, h_stage_data,
    input  wire [      PORTS*VCS-1:0] g_select_vc, h_select_vc,
    input  wire [       PORTS*32-1:0] g_queue_front, h_queue_front, g_queue_back, h_queue_back,
    input  wire [       PORTS*32-1:0] g_message, h_message,
    input  wire [          PORTS-1:0] g_in_order, h_in_order,
    input  wire [        PORTS*3-1:0] g_burst, h_burst, g_lane_kind, h_lane_kind,
    input  wire [   PORTS*DATA_W-1:0] g_lane_data, h_lane_data,
    input  wire [      PORTS*VCS-1:0] g_use_vc, h_use_vc, g_preempt_vc, h_preempt_vc,
    input  wire [      PORTS*VCS-1:0] g_preempt_from, h_preempt_from,
    input  wire [            PORTS:0] g_source, h_source,
    input  wire [         GROUPS-1:0] g_entry, h_entry,
    input  wire [            PORTS:0] g_turn_from, h_turn_from,
    input  wire [          PORTS-1:0] g_spread_from, h_spread_from,
    input  wire [PORTS*(PORTS+1)-1:0] g_owed_to, h_owed_to,
    input  wire [       GROUPS*5-1:0] g_groups, h_groups,
    input  wire [      GROUPS*11-1:0] g_parents, h_parents,
    input  wire [GROUPS*11*PORTS-1:0] g_addresses, h_addresses,
    input  wire [GROUPS*RECORD_W-1:0] g_records, h_records,
    output reg                        ok
);

  function pointer(input [15:0] a, input [15:0] b);
    pointer = (a == b) || (LOOSE && (a[0] || a == 16'd0) && (b[0] || b == 16'd0));
  endfunction

  integer p, g, i, r;
  reg [RECORD_W-1:0] a, b;
  always @* begin
    ok = same;
    // places of a buffer after the last flit hold anything
    for (i = 0; i < PORTS * VCS; i = i + 1) begin
      if (held[i*DEPTH])
        ok = ok && (g_route[i*PORTS+:PORTS] == h_route[i*PORTS+:PORTS]) && (g_mask[i*VCS+:VCS] == h_mask[i*VCS+:VCS]);
      for (r = 0; r < DEPTH; r = r + 1)
        if (held[i*DEPTH+r])
          ok = ok && (g_slots[(i*DEPTH+r)*SLOT_W+:SLOT_W] == h_slots[(i*DEPTH+r)*SLOT_W+:SLOT_W]);
    end
    for (p = 0; p < PORTS; p = p + 1) begin
      if (queue_fill[p*2+:2] != 0) ok = ok && (g_queue_front[p*32+:32] == h_queue_front[p*32+:32]);
      if (queue_fill[p*2+:2] == 2) ok = ok && (g_queue_back[p*32+:32] == h_queue_back[p*32+:32]);
      if (slot[p]) ok = ok && (g_message[p*32+:32] == h_message[p*32+:32]);
      if (BARRIER >= 3) ok = ok && (g_in_order[p] == h_in_order[p]);
      if (second[p])
        ok = ok && (g_use_vc[p*VCS+:VCS] >> LOOSE == h_use_vc[p*VCS+:VCS] >> LOOSE);
      if (preempting[p])
        ok = ok && (g_preempt_vc[p*VCS+:VCS] == h_preempt_vc[p*VCS+:VCS]) &&
            (g_burst[p*3+:3] == h_burst[p*3+:3]);
      ok = ok && pointer(g_preempt_from[p*VCS+:VCS], h_preempt_from[p*VCS+:VCS]);
      if (select[p*(PORTS+1)+PORTS])
        ok = ok && (g_lane_kind[p*3+:3] == h_lane_kind[p*3+:3]) &&
            (g_lane_data[p*DATA_W+:DATA_W] == h_lane_data[p*DATA_W+:DATA_W]);
      if (stage_valid[p])
        ok = ok && (g_stage_kind[p*3+:3] == h_stage_kind[p*3+:3]) &&
            (g_stage_data[p*DATA_W+:DATA_W] == h_stage_data[p*DATA_W+:DATA_W]);
      if (select[p*(PORTS+1)+:PORTS+1] != 0)
        ok = ok && (g_select_vc[p*VCS+:VCS] >> 1 == h_select_vc[p*VCS+:VCS] >> 1);
      if (owed[p])
        ok = ok && (g_owed_to[p*(PORTS+1)+:PORTS+1] == h_owed_to[p*(PORTS+1)+:PORTS+1]);
    end
    ok = ok && pointer(g_turn_from, h_turn_from) && pointer(g_spread_from, h_spread_from);
    if (act)
      ok = ok && (g_source == h_source) && (g_entry == h_entry);
    for (g = 0; g < GROUPS; g = g + 1) begin
      a = g_records[g*RECORD_W+:RECORD_W];
      b = h_records[g*RECORD_W+:RECORD_W];
      if (valid[g]) begin
        ok = ok && (a == b) && (g_groups[g*5+:5] == h_groups[g*5+:5]);
        // an entry that a message made has no parent until its tree is built
        if (a[1] || a[2] || a[17+2*PORTS+:PORTS] != 0) ok = ok && (g_parents[g*11+:11] == h_parents[g*11+:11]);
        for (p = 0; p < PORTS; p = p + 1)
          if (a[17+p]) ok = ok && (g_addresses[(g*PORTS+p)*11+:11] == h_addresses[(g*PORTS+p)*11+:11]);
      end
    end
  end

endmodule

`default_nettype wire
