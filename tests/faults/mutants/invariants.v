// What is true of every reachable state, of one switch and of a switch beside its mutant.
// SPDX-License-Identifier: Apache-2.0
//
// A proof by induction starts in any state that these let through, so they say what the
// mutant may rely on. They need no trust: the proof includes that they hold after reset
// and stay true. tests/faults/miter.c packs the registers of the flat netlist into these
// vectors; index order is port, then virtual channel or stage, then row.
`default_nettype none

// One switch alone.
module hd_reachable #(
    parameter ADAPTIVE = 0,
    parameter LOOSE = 0,  // 1: a pointer may be written in any way that chooses the same
    parameter PORTS = 3, VCS = 2, DATA_W = 16, DEPTH = 3, NODES = 5, STAGES = 2, CUT_FLITS = 2,
    parameter NODE_W = 3, PORT_W = 2, FILL_W = 2, COUNT_W = 2, ROWS = NODES,
    parameter ENTRY_W = 1 + PORT_W + VCS, TURN = VCS + PORT_W + 3 + DATA_W,
    parameter SLOT_W = TURN + 1 + ((ADAPTIVE != 0) ? 1 + PORT_W : 0)
) (
    input  wire [            PORTS*7-1:0] errors,
    input  wire [          PORTS*VCS-1:0] in_from, take, push,
    input  wire [          PORTS*VCS-1:0] ask, ask_mask,
    input  wire [        PORTS*PORTS-1:0] ask_port,
    input  wire [              PORTS-1:0] ask_starts,
    input  wire [            PORTS*3-1:0] kind, kind2,
    input  wire [       PORTS*DATA_W-1:0] data, data2,
    input  wire [      PORTS*ENTRY_W-1:0] by_destination, by_source,
    input  wire [       PORTS*PORT_W-1:0] port2,
    input  wire [          PORTS*VCS-1:0] mask2,
    input  wire [              PORTS-1:0] turns2, in_range, via_in_range, set_in_range, chosen2,
    input  wire [       PORTS*PORT_W-1:0] chosen_port2,
    input  wire [           PORTS*16-1:0] generator,
    input  wire [        PORTS*PORTS-1:0] freer,
    input  wire [$clog2(PORTS*VCS*(DEPTH+1)+1)-1:0] packets,
    input  wire [                    5:0] own_count,
    input  wire [ PORTS*ROWS*ENTRY_W-1:0] destinations, sources,
    input  wire [        PORTS*VCS*2-1:0] state,
    input  wire [    PORTS*VCS*PORTS-1:0] oport, route, choice,
    input  wire [      PORTS*VCS*VCS-1:0] mask,
    input  wire [      PORTS*VCS*VCS-1:0] ovc,
    input  wire [    PORTS*VCS*DEPTH-1:0] held,
    input  wire [PORTS*VCS*DEPTH*SLOT_W-1:0] slots,
    input  wire [          PORTS*VCS-1:0] owned,
    input  wire [ PORTS*STAGES*PORTS-1:0] select,
    input  wire [   PORTS*STAGES*VCS-1:0] select_vc,
    input  wire [        PORTS*PORTS-1:0] out_from,
    input  wire [          PORTS*VCS-1:0] vc_from,
    input  wire [  PORTS*VCS*COUNT_W-1:0] count,
    input  wire [          PORTS*VCS-1:0] credited, free,
    input  wire [       PORTS*STAGES-1:0] stage_valid,
    input  wire [     PORTS*STAGES*3-1:0] stage_kind,
    // which slots hold a flit, which stages one that an output port awaits
    output reg  [    PORTS*VCS*DEPTH-1:0] occupied,
    output reg  [       PORTS*STAGES-1:0] awaited,
    output reg                            ok
);

  // at most one bit
  function one_at_most(input [15:0] bits);
    one_at_most = (bits & (bits - 16'd1)) == 16'd0;
  endfunction
  // an arbiter's mask: all bits from the pointer on, none for 0; loosely, for 0 also bits 0 to any
  function mask_of_pointer(input [15:0] bits, input integer n);
    mask_of_pointer = bits[0] ? LOOSE && (bits & (bits + 16'd1)) == 16'd0 :
        (((bits << 1) & ((16'd1 << n) - 16'd1)) & ~bits) == 16'd0;
  endfunction
  // a stored way is legal, or its mask is empty
  function way(input [PORT_W-1:0] port, input [VCS-1:0] channels);
    way = (channels == {VCS{1'b0}}) || (port < PORTS);
  endfunction
  function entry(input [ENTRY_W-1:0] e);
    entry = ((e[VCS-1:0] == {VCS{1'b0}}) || e[ENTRY_W-1]) && way(e[VCS+:PORT_W], e[VCS-1:0]);
  endfunction

  integer p, v, d, r, q, w, i;
  reg [7:0] fill;
  reg [1:0] holders;  // [1]: more than one
  reg [SLOT_W-1:0] slot;
  always @* begin
    ok = 1'b1;
    occupied = 0;
    awaited = 0;
    if (ADAPTIVE == 2) ok = ok && (own_count == packets);  // which is below 63 here
    for (p = 0; p < PORTS; p = p + 1) begin
      ok = ok && mask_of_pointer(in_from[p*VCS+:VCS], VCS);
      ok = ok && mask_of_pointer(out_from[p*PORTS+:PORTS], PORTS);
      ok = ok && mask_of_pointer(vc_from[p*VCS+:VCS], VCS);
      ok = ok && one_at_most(take[p*VCS+:VCS]) && one_at_most(push[p*VCS+:VCS]);
      // the credit bit is the output port's; every channel number is legal where VCS = 2
      ok = ok && (errors[p*7+5+:2] == 2'd0);
      // routing
      ok = ok && way(port2[p*PORT_W+:PORT_W], mask2[p*VCS+:VCS] & {VCS{push[p*VCS+:VCS] != 0 &&
          kind2[p*3+1] && !kind2[p*3+2]}});
      // only mode 3 turns
      if (push[p*VCS+:VCS] != 0 && kind2[p*3+1] && !kind2[p*3+2] && data2[p*DATA_W+:2] != 2'd3)
        ok = ok && !turns2[p];
      for (r = 0; r < ROWS; r = r + 1) begin
        ok = ok && entry(destinations[(p*ROWS+r)*ENTRY_W+:ENTRY_W]);
        ok = ok && entry(sources[(p*ROWS+r)*ENTRY_W+:ENTRY_W]);
      end
      // an entry that was read beyond the last node means nothing
      if (take[p*VCS+:VCS] != 0 && kind[p*3+1] && !kind[p*3+2]) begin
        ok = ok && (in_range[p] == (data[p*DATA_W+2+:NODE_W] < NODES));
        if (ADAPTIVE != 0) ok = ok && (set_in_range[p] == in_range[p]);
        ok = ok && (via_in_range[p] == (data[p*DATA_W+2+NODE_W+:NODE_W] < NODES));
        if (in_range[p]) ok = ok && entry(by_destination[p*ENTRY_W+:ENTRY_W]);
        if (via_in_range[p]) ok = ok && entry(by_source[p*ENTRY_W+:ENTRY_W]);
      end
      // a port that was chosen is one, and only mode 0 chooses
      if (ADAPTIVE != 0) begin
        ok = ok && (generator[p*16+:16] != 16'd0) && !freer[p*PORTS+p];
        if (push[p*VCS+:VCS] != 0 && kind2[p*3+1] && !kind2[p*3+2] && chosen2[p])
          ok = ok && (chosen_port2[p*PORT_W+:PORT_W] < PORTS) && (data2[p*DATA_W+:2] == 2'd0);
      end
      ok = ok && one_at_most(ask[p*VCS+:VCS]);
      if (ask[p*VCS+:VCS] == 0) ok = ok && (ask_port[p*PORTS+:PORTS] == 0);
      // input virtual channels
      for (v = 0; v < VCS; v = v + 1) begin
        i = p * VCS + v;
        fill = 0;
        for (r = 0; r < DEPTH; r = r + 1) fill = fill + held[i*DEPTH+r];
        // flits stand in line
        ok = ok && ((held[i*DEPTH+:DEPTH] & (held[i*DEPTH+:DEPTH] + 1'b1)) == 0);
        ok = ok && (fill + take[i] + push[i] <= DEPTH);
        for (r = 0; r < DEPTH; r = r + 1) begin
          occupied[i*DEPTH+r] = held[i*DEPTH+r];
          slot = slots[(i*DEPTH+r)*SLOT_W+:SLOT_W];
          // only a head or single has a way
          if (held[i*DEPTH+r])
            if (slot[DATA_W+1] && !slot[DATA_W+2])
              ok = ok && way(slot[DATA_W+3+:PORT_W], slot[DATA_W+3+PORT_W+:VCS]) &&
                  (slot[1:0] == 2'd3 || !slot[TURN]) &&
                  (ADAPTIVE == 0 || !slot[SLOT_W-1] || (slot[TURN+1+:PORT_W] < PORTS && slot[1:0] == 2'd0));
            else
              ok = ok && (slot[DATA_W+3+PORT_W+:VCS] == 0) && (ADAPTIVE == 0 || !slot[SLOT_W-1]);
          // that of the front is kept decoded
          if (held[i*DEPTH] && r == 0)
            ok = ok && (mask[i*VCS+:VCS] == slot[DATA_W+3+PORT_W+:VCS]) &&
                (mask[i*VCS+:VCS] == 0 || route[i*PORTS+:PORTS] == (1 << slot[DATA_W+3+:PORT_W])) &&
                (ADAPTIVE == 0 || choice[i*PORTS+:PORTS] == (slot[SLOT_W-1] ? 1 << slot[TURN+1+:PORT_W] : 0));
        end
        // What is asked for is what the front wants (§2.5, two cycles), whatever ADAPT was; loosely, for a
        // front that is discarded, no channel of any port or of none. The pointer is behind who asks.
        if (ask[i])
          ok = ok && held[i*DEPTH] && (in_from[p*VCS+:VCS] == ({VCS{1'b1}} << (v + 1)) ||
              (LOOSE && v == VCS - 1 && in_from[p*VCS]));
        if (ask[i] && LOOSE && ask_mask[p*VCS+:VCS] == 0)
          ok = ok && (state[i*2+:2] == 2'd0) && (mask[i*VCS+:VCS] == 0) &&
              (ADAPTIVE == 0 || choice[i*PORTS+:PORTS] == 0);
        else if (ask[i]) begin
          ok = ok && !slots[i*DEPTH*SLOT_W+DATA_W+2] && (ask_mask[p*VCS+:VCS] != 0) &&
              (ask_port[p*PORTS+:PORTS] != 0);
          ok = ok && (state[i*2+:2] == (ask_starts[p] ? 2'd0 : 2'd1));
          if (!ask_starts[p])
            ok = ok && (ask_port[p*PORTS+:PORTS] == oport[i*PORTS+:PORTS]) &&
                (ask_mask[p*VCS+:VCS] == ovc[i*VCS+:VCS]);
          else
            ok = ok && slots[i*DEPTH*SLOT_W+DATA_W+1] &&
                ((ask_port[p*PORTS+:PORTS] == route[i*PORTS+:PORTS] &&
                  ask_mask[p*VCS+:VCS] == mask[i*VCS+:VCS]) ||
                 (ADAPTIVE != 0 && choice[i*PORTS+:PORTS] != 0 && ask_port[p*PORTS+:PORTS] == choice[i*PORTS+:PORTS]));
        end
        ok = ok && (state[i*2+:2] != 2'd3);
        if (state[i*2+:2] == 2'd1) begin
          ok = ok && (oport[i*PORTS+:PORTS] != 0) && one_at_most(oport[i*PORTS+:PORTS]);
          ok = ok && (ovc[i*VCS+:VCS] != 0) && one_at_most(ovc[i*VCS+:VCS]);
        end
      end
      // output virtual channels: owned by exactly one open packet, or by none
      for (w = 0; w < VCS; w = w + 1) begin
        ok = ok && (count[(p*VCS+w)*COUNT_W+:COUNT_W] <= DEPTH);
        ok = ok && (credited[p*VCS+w] == (count[(p*VCS+w)*COUNT_W+:COUNT_W] != 0));
        // a channel that is not owned may rest
        ok = ok && (!free[p*VCS+w] || (!owned[p*VCS+w] && count[(p*VCS+w)*COUNT_W+:COUNT_W] >= CUT_FLITS));
        holders = 0;
        for (q = 0; q < PORTS * VCS; q = q + 1)
          if (state[q*2+:2] == 2'd1 && oport[q*PORTS+p] && ovc[q*VCS+w])
            holders = {holders != 0, 1'b1};
        ok = ok && (holders == {1'b0, owned[p*VCS+w]});
      end
      // grant pipeline
      for (d = 0; d < STAGES; d = d + 1) begin
        ok = ok && one_at_most(select[(p*STAGES+d)*PORTS+:PORTS]);
        if (select[(p*STAGES+d)*PORTS+:PORTS] != 0)
          ok = ok && one_at_most(select_vc[(p*STAGES+d)*VCS+:VCS] >> 1);
        holders = 0;
        for (q = 0; q < PORTS; q = q + 1)
          if (select[(q*STAGES+d)*PORTS+p]) holders = {holders != 0, 1'b1};
        ok = ok && !holders[1];
        awaited[p*STAGES+d] = holders != 0;
        // the last one but says busy, as the output port does
        ok = ok && (stage_valid[p*STAGES+d] == awaited[p*STAGES+d] ||
                    (LOOSE && d == STAGES - 1 && awaited[p*STAGES+d]));
        // reserved kinds are never granted
        if (holders != 0) ok = ok && !stage_kind[(p*STAGES+d)*3+2];
      end
    end
  end

endmodule

// Two switches: where what they hold still matters, they hold the same.
module hd_alike #(
    parameter ADAPTIVE = 0,
    parameter LOOSE = 0,  // 1: they may write a pointer differently where it chooses the same
    parameter PORTS = 3, VCS = 2, DATA_W = 16, DEPTH = 3, NODES = 5, STAGES = 2,
    parameter NODE_W = 3, PORT_W = 2, FILL_W = 2, COUNT_W = 2, ROWS = NODES,
    parameter ENTRY_W = 1 + PORT_W + VCS, TURN = VCS + PORT_W + 3 + DATA_W,
    parameter SLOT_W = TURN + 1 + ((ADAPTIVE != 0) ? 1 + PORT_W : 0)
) (
    input  wire                             same,  // what always has to be equal, is
    input  wire [        PORTS*PORTS-1:0] g_out_from, h_out_from,
    input  wire [          PORTS*VCS-1:0] g_in_from, h_in_from, g_vc_from, h_vc_from,
    input  wire [          PORTS*VCS-1:0] take, push,
    input  wire [          PORTS*VCS-1:0] g_ask, h_ask, g_ask_mask, h_ask_mask,
    input  wire [        PORTS*PORTS-1:0] g_ask_port, h_ask_port,
    input  wire [              PORTS-1:0] g_ask_starts, h_ask_starts,
    input  wire [        PORTS*VCS*2-1:0] state,
    input  wire [    PORTS*VCS*DEPTH-1:0] occupied,
    input  wire [       PORTS*STAGES-1:0] awaited,
    input  wire [ PORTS*STAGES*PORTS-1:0] g_select, h_select,
    input  wire [            PORTS*3-1:0] g_kind, h_kind, g_kind2, h_kind2,
    input  wire [       PORTS*DATA_W-1:0] g_data, h_data, g_data2, h_data2,
    input  wire [      PORTS*ENTRY_W-1:0] g_by_destination, h_by_destination,
    input  wire [      PORTS*ENTRY_W-1:0] g_by_source, h_by_source,
    input  wire [ PORTS*ROWS*ENTRY_W-1:0] g_destinations, h_destinations, g_sources, h_sources,
    input  wire [       PORTS*PORT_W-1:0] g_port2, h_port2,
    input  wire [          PORTS*VCS-1:0] g_mask2, h_mask2,
    input  wire [              PORTS-1:0] g_turns2, h_turns2, g_in_range, h_in_range,
    input  wire [              PORTS-1:0] g_set_in_range, h_set_in_range,
    input  wire [              PORTS-1:0] g_via_in_range, h_via_in_range, g_chosen2, h_chosen2,
    input  wire [       PORTS*PORT_W-1:0] g_chosen_port2, h_chosen_port2,
    input  wire [        PORTS*PORTS-1:0] g_set, h_set,
    input  wire [        PORTS*2*VCS-1:0] g_leaves, h_leaves,
    input  wire [          PORTS*VCS-1:0] credited_back,
    input  wire [    PORTS*VCS*PORTS-1:0] g_oport, h_oport, g_route, h_route, g_choice, h_choice,
    input  wire [      PORTS*VCS*VCS-1:0] g_mask, h_mask,
    input  wire [      PORTS*VCS*VCS-1:0] g_ovc, h_ovc,
    input  wire [PORTS*VCS*DEPTH*SLOT_W-1:0] g_slots, h_slots,
    input  wire [   PORTS*STAGES*VCS-1:0] g_select_vc, h_select_vc,
    input  wire [     PORTS*STAGES*3-1:0] g_stage_kind, h_stage_kind,
    input  wire [PORTS*STAGES*DATA_W-1:0] g_stage_data, h_stage_data,
    output reg                              ok
);

  // Routes: equal masks, and equal ports unless the mask is empty.
  function way(input [PORT_W-1:0] port1, input [VCS-1:0] mask1,
                 input [PORT_W-1:0] port2, input [VCS-1:0] mask2);
    way = (mask1 == mask2) && ((mask1 == {VCS{1'b0}}) || (port1 == port2));
  endfunction

  // No one looks at an entry for a node beyond the last.
  function entry(input [NODE_W-1:0] node, input [ENTRY_W-1:0] a, input [ENTRY_W-1:0] b);
    entry = node >= NODES || (a[ENTRY_W-1] == b[ENTRY_W-1] &&
        way(a[VCS+:PORT_W], a[VCS-1:0], b[VCS+:PORT_W], b[VCS-1:0]));
  endfunction

  // Ports that were chosen: equal, unless there is none.
  function choice(input chosen1, input [PORT_W-1:0] port1, input chosen2, input [PORT_W-1:0] port2);
    choice = (ADAPTIVE == 0) || ((chosen1 == chosen2) && (!chosen1 || (port1 == port2)));
  endfunction

  // Kinds: all reserved ones are one.
  function kinds(input [2:0] a, input [2:0] b);
    kinds = a[2] ? b[2] : a == b;
  endfunction

  // Arbiters' masks of one pointer.
  function pointer(input [15:0] a, input [15:0] b);
    pointer = (a == b) || (LOOSE && (a[0] || a == 16'd0) && (b[0] || b == 16'd0));
  endfunction

  integer p, v, d, r, i;
  reg [SLOT_W-1:0] a, b;
  reg head;
  always @* begin
    ok = same;
    for (p = 0; p < PORTS; p = p + 1) begin
      for (r = 0; r < ROWS; r = r + 1)
        ok = ok && entry(r, g_destinations[(p*ROWS+r)*ENTRY_W+:ENTRY_W],
                         h_destinations[(p*ROWS+r)*ENTRY_W+:ENTRY_W]) &&
            entry(r, g_sources[(p*ROWS+r)*ENTRY_W+:ENTRY_W], h_sources[(p*ROWS+r)*ENTRY_W+:ENTRY_W]);
      if (take[p*VCS+:VCS] != 0) begin
        head = g_kind[p*3+1] && !g_kind[p*3+2];
        ok = ok && kinds(g_kind[p*3+:3], h_kind[p*3+:3]);
        ok = ok && (g_kind[p*3+2] || g_data[p*DATA_W+:DATA_W] == h_data[p*DATA_W+:DATA_W]);
        if (head && ADAPTIVE != 0 && g_data[p*DATA_W+:2] == 2'd0 && g_data[p*DATA_W+2+:NODE_W] < NODES)
          ok = ok && (g_set[p*PORTS+:PORTS] == h_set[p*PORTS+:PORTS]);
        if (head)
          ok = ok && entry(g_data[p*DATA_W+2+:NODE_W], g_by_destination[p*ENTRY_W+:ENTRY_W],
                           h_by_destination[p*ENTRY_W+:ENTRY_W]) &&
              entry(g_data[p*DATA_W+2+NODE_W+:NODE_W], g_by_source[p*ENTRY_W+:ENTRY_W],
                    h_by_source[p*ENTRY_W+:ENTRY_W]);
      end
      if (push[p*VCS+:VCS] != 0) begin
        ok = ok && kinds(g_kind2[p*3+:3], h_kind2[p*3+:3]);
        ok = ok && (g_kind2[p*3+2] || g_data2[p*DATA_W+:DATA_W] == h_data2[p*DATA_W+:DATA_W]);
        if (g_kind2[p*3+1] && !g_kind2[p*3+2])
          ok = ok && way(g_port2[p*PORT_W+:PORT_W], g_mask2[p*VCS+:VCS],
                           h_port2[p*PORT_W+:PORT_W], h_mask2[p*VCS+:VCS]) &&
              (g_mask2[p*VCS+:VCS] == 0 || g_turns2[p] == h_turns2[p]) &&
              choice(g_chosen2[p], g_chosen_port2[p*PORT_W+:PORT_W], h_chosen2[p], h_chosen_port2[p*PORT_W+:PORT_W]);
      end
      if (ADAPTIVE == 2)
        for (v = 0; v < VCS; v = v + 1)
          if (credited_back[p*VCS+v])
            ok = ok && (g_leaves[(p*VCS+v)*2+:2] == h_leaves[(p*VCS+v)*2+:2]);
      // no channel of any port is as good as nothing
      if (!LOOSE || g_ask_mask[p*VCS+:VCS] != 0 || h_ask_mask[p*VCS+:VCS] != 0)
        ok = ok && (g_ask[p*VCS+:VCS] == h_ask[p*VCS+:VCS]) &&
            (g_ask_port[p*PORTS+:PORTS] == h_ask_port[p*PORTS+:PORTS]);
      if (g_ask[p*VCS+:VCS] != 0)
        ok = ok && (g_ask_mask[p*VCS+:VCS] == h_ask_mask[p*VCS+:VCS]) && (g_ask_starts[p] == h_ask_starts[p]);
      ok = ok && pointer(g_in_from[p*VCS+:VCS], h_in_from[p*VCS+:VCS]);
      ok = ok && pointer(g_vc_from[p*VCS+:VCS], h_vc_from[p*VCS+:VCS]);
      ok = ok && pointer(g_out_from[p*PORTS+:PORTS], h_out_from[p*PORTS+:PORTS]);
      for (v = 0; v < VCS; v = v + 1) begin
        i = p * VCS + v;
        if (state[i*2+:2] == 2'd1)
          ok = ok && (g_oport[i*PORTS+:PORTS] == h_oport[i*PORTS+:PORTS]) &&
              (g_ovc[i*VCS+:VCS] == h_ovc[i*VCS+:VCS]);
        // the way of the front, which only a head or single has
        if (occupied[i*DEPTH])
          ok = ok && (g_mask[i*VCS+:VCS] == h_mask[i*VCS+:VCS]) &&
              (g_mask[i*VCS+:VCS] == 0 || g_route[i*PORTS+:PORTS] == h_route[i*PORTS+:PORTS]) &&
              (ADAPTIVE == 0 || g_choice[i*PORTS+:PORTS] == h_choice[i*PORTS+:PORTS]);
        for (r = 0; r < DEPTH; r = r + 1)
          if (occupied[i*DEPTH+r]) begin
            a = g_slots[(i*DEPTH+r)*SLOT_W+:SLOT_W];
            b = h_slots[(i*DEPTH+r)*SLOT_W+:SLOT_W];
            ok = ok && kinds(a[DATA_W+:3], b[DATA_W+:3]);
            ok = ok && (a[DATA_W+2] || a[DATA_W-1:0] == b[DATA_W-1:0]);
            if (a[DATA_W+1] && !a[DATA_W+2])
              ok = ok && way(a[DATA_W+3+:PORT_W], a[DATA_W+3+PORT_W+:VCS],
                               b[DATA_W+3+:PORT_W], b[DATA_W+3+PORT_W+:VCS]) &&
                  (a[DATA_W+3+PORT_W+:VCS] == 0 || a[TURN] == b[TURN]) &&
                  choice(a[SLOT_W-1], a[SLOT_W-2-:PORT_W], b[SLOT_W-1], b[SLOT_W-2-:PORT_W]);
          end
      end
      for (d = 0; d < STAGES; d = d + 1) begin
        i = p * STAGES + d;
        if (awaited[i])
          ok = ok && (g_stage_kind[i*3+:3] == h_stage_kind[i*3+:3]) &&
              (g_stage_data[i*DATA_W+:DATA_W] == h_stage_data[i*DATA_W+:DATA_W]);
        ok = ok && (g_select[i*PORTS+:PORTS] == h_select[i*PORTS+:PORTS]);
        if (g_select[i*PORTS+:PORTS] != 0)
          ok = ok && (g_select_vc[i*VCS+:VCS] >> 1 == h_select_vc[i*VCS+:VCS] >> 1);
      end
    end
  end

endmodule

`default_nettype wire
