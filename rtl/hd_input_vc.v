// One input virtual channel: buffer, state, request, discarding, padding, branches (§2.3, §2.4, §7.5, §10.5, §13.4).
// SPDX-License-Identifier: Apache-2.0
//
// In every cycle the channel requests an output port for its front, and names the output virtual channels that could
// take it (`fit_o`: E of §2.5 for a new packet, its own channel for an open one). A fit that is not empty is a
// request. A new packet asks for the port that was chosen for it while a channel fits there, and otherwise for the
// port of its table entry (§10.5). A flit that cannot go on is discarded here without a request.
//
// The switch's longest path begins here and comes back with the grant. So the registers at its start hold one bit for
// each port. The grant is the last input of the registers at its end: it chooses between two next states that do not
// wait for it. (The states are masked and ORed: an `if` would become a clock enable and cost a look-up table more.)
//
// One set of registers holds port and channels of the open packet or, without one, of a new packet at the front. A
// multicast single has several ports, its remaining branches; it stays at the front until the last has granted it. The
// data of a flit waits in a memory of the port (hd_flit_memory). Where barrier messages pass through buffers, the
// buffers hold it, because messages are read in the cycle in which they are at the front.
`default_nettype none

module hd_input_vc #(
    parameter PORTS  = 5,   // 2-16
    parameter VCS    = 2,   // 1-8
    parameter DATA_W = 16,  // 16, 32, 64
    parameter DEPTH  = 4,   // 1-64
    parameter SOURCE_TABLE = 0,  // 0-1
    parameter ADAPTIVE = 0, // 0-2
    parameter BARRIER = 0,  // 0-5
    parameter ARB_CYCLES = 1,  // 1-2
    parameter TREES = 0,  // 0-32
    parameter ROW_W = (DEPTH > 1) ? $clog2(DEPTH) : 1  // derived, not to be set
) (
    input  wire                     clk,
    input  wire                     rst,
    // route pipeline: flits on their way to this buffer, and the flit that enters it now
    input  wire                     first_i,
    input  wire                     second_i,
    input  wire                     push_i,
    input  wire [              2:0] kind_i,
    input  wire [       DATA_W-1:0] data_i,
    input  wire [$clog2(PORTS)-1:0] port_i,
    input  wire [          VCS-1:0] mask_i,
    input  wire                     turns_i,
    input  wire                     chosen_i,
    input  wire [$clog2(PORTS)-1:0] chosen_port_i,
    input  wire [        PORTS-1:0] branches_i,
    // channels that a packet may take at a chosen port (m_A of §10.2)
    input  wire [          VCS-1:0] adapt_i,
    // output virtual channels, w of port o in bit o * VCS + w: with a credit; free for a new packet
    input  wire [    PORTS*VCS-1:0] credit_i,
    input  wire [    PORTS*VCS-1:0] free_i,
    // request: output port (one bit; for a multicast single, its branches with room), output virtual channels
    output wire [        PORTS-1:0] port_o,
    output wire [          VCS-1:0] fit_o,
    output wire                     starts_o,
    // with ARB_CYCLES 2 (§2.5): channels that a proposal of the front names; port of the standing proposal; 1: the
    // channel's front, or padding, still requests a port
    output wire [          VCS-1:0] mask_o,
    input  wire [        PORTS-1:0] asked_port_i,
    output wire                     stands_o,
    // 1: the channel requests a port, even if it lacks a credit
    output wire                     asks_o,
    // proposal of the flit after the front, for the case that the front is granted; 1: there is such a proposal
    output wire                     after_o,
    output wire [        PORTS-1:0] after_port_o,
    output wire [          VCS-1:0] after_mask_o,
    output wire                     after_starts_o,
    // the front: kind; 1: its header turns where the packet starts (§1.3); its data, if the buffer holds data
    output wire [              2:0] kind_o,
    output wire [       DATA_W-1:0] data_o,
    output wire                     turns_o,
    // rows in the port's memory: of the front, and of the next push
    output wire [        ROW_W-1:0] front_row_o,
    output wire [        ROW_W-1:0] push_row_o,
    // grants of the output ports (at most one, several for branches); 1: they are for this channel, and its front
    // leaves on channel `taken_i` (one bit). stays_o 1: a granted front stays, because it has branches left.
    input  wire [        PORTS-1:0] grants_i,
    input  wire                     pick_i,
    output wire                     granted_o,
    output wire                     stays_o,
    input  wire [          VCS-1:0] taken_i,
    // barrier: 1: the channel is preempted; 1: the front is a barrier or padding flit; 1: that flit is taken; 1: the
    // request is for a null flit of the padding generator
    input  wire                     preempted_i,
    output wire                     special_o,
    input  wire                     take_i,
    output wire                     padding_o,
    // 1: the front is discarded; error bits reserved, nested, orphan, unroutable
    output reg                      discard_o,
    output reg  [              3:0] errors_o,
    // 1: no slot is free; 1: some slot is taken
    output wire                     full_o,
    output wire                     busy_o,
    // §6.5
    output wire [              6:0] occupancy_o,
    output wire [              1:0] state_o,
    output wire [              3:0] oport_o,
    output wire [              2:0] ovc_o
`ifdef FORMAL
    ,
    output reg  [              7:0] f_inside_o  // packets here (§10.8), without those in the route pipeline
`endif
);

  localparam BARRIER_MOVING = 3, BARRIER_QUEUED = 4, BARRIER_RESERVED = 5;  // §7.1
  localparam THROUGH = (BARRIER == BARRIER_MOVING) || (BARRIER == BARRIER_QUEUED) || (BARRIER == BARRIER_RESERVED);
  localparam [2:0] KIND_NULL = 3'd7;  // §7.2
  localparam PORT_W = $clog2(PORTS);
  localparam FILL_W = $clog2(DEPTH + 1);
  // Fields of a buffer entry: data (THROUGH), kind, route, turn, chosen port.
  localparam KEPT_W = THROUGH ? DATA_W : 0;
  localparam PLAIN_W = VCS + PORT_W + 3 + KEPT_W;
  localparam TURN_W = (SOURCE_TABLE != 0) ? 1 : 0;
  localparam TREE_W = (TREES != 0) ? PORTS : 0;
  localparam ENTRY_W = PLAIN_W + TURN_W + TREE_W + ((ADAPTIVE != 0) ? 1 + PORT_W : 0);
  localparam [31:0] SLOTS = DEPTH;
  localparam [VCS-1:0] NONE = {VCS{1'b0}};
  localparam [PORTS-1:0] NOWHERE = {PORTS{1'b0}};
  localparam [PORTS-1:0] FIRST = {{(PORTS - 1) {1'b0}}, 1'b1};
  localparam [1:0] IDLE = 2'd0, OPEN = 2'd1, SINK = 2'd2;

  // buffer
`ifdef FORMAL
  wire [DEPTH*ENTRY_W-1:0] f_held;
`endif
  wire [ENTRY_W-1:0] entry, front, next;
  wire [FILL_W-1:0] fill;
  wire some, more;
  // The output ports grant in parallel, so each grant is combined with the pick on its own.
  wire granted = (grants_i & {PORTS{pick_i}}) != NOWHERE;
  assign granted_o = granted;
  hd_vc_buffer #(
      .WIDTH(ENTRY_W),
      .DEPTH(DEPTH)
  ) u_buffer (
      .clk(clk),
      .rst(rst),
      .push_i(push_i),
      .data_i(entry),
      .pop_i(granted && !padding_o && !stays_o),
      .early_pop_i(discard_o),
      .some_o(some),
      .data_o(front),
      .next_o(next),
      .more_o(more),
      .fill_o(fill),
      .front_row_o(front_row_o),
      .push_row_o(push_row_o)
`ifdef FORMAL
      ,
      .f_held_o(f_held)
`endif
  );
  // Only heads and singles have a route.
  wire opens = kind_i[2:1] == 2'd1;
  assign entry[KEPT_W+:PLAIN_W-KEPT_W] = {mask_i & {VCS{opens}}, port_i, kind_i};
  wire [2:0] next_kind = next[KEPT_W+:3];
  wire [PORTS-1:0] next_branches;
  wire [PORTS-1:0] next_route = (next_branches != NOWHERE) ? next_branches : FIRST << next[KEPT_W+3+:PORT_W];
  wire [VCS-1:0] next_mask = next[KEPT_W+3+PORT_W+:VCS];
  generate
    if (THROUGH) begin : with_data
      assign entry[DATA_W-1:0] = data_i;
      assign data_o = padding_o ? {DATA_W{1'b0}} : front[DATA_W-1:0];
    end else begin : without_data
      assign data_o = {DATA_W{1'b0}};
      wire unused_data = &{1'b0, data_i};
    end
  endgenerate
  wire unused_front = &{1'b0, front, next};

  // The front's request: kind, port, channels, and the port that was chosen for it, if any. `early` is 1 for a new
  // front that does not come with a grant.
  reg [2:0] kind_q;
  reg [PORTS-1:0] port_q;  // one bit; several for branches
  reg [VCS-1:0] mask_q;
  reg [1:0] state_q;
  wire idle = state_q == IDLE;
  wire open = state_q[0], sink = state_q[1];
  wire early = discard_o || (push_i && !some);
  wire [PORTS-1:0] choice;
  wire [PORTS-1:0] next_choice;
  wire casts;  // 1: the front is a multicast single
  generate
    if (TREES != 0) begin : trees
      assign entry[PLAIN_W+TURN_W+:PORTS] = branches_i & {PORTS{opens}};
      assign next_branches = next[PLAIN_W+TURN_W+:PORTS];
      reg casts_q;
      wire replaced = granted && !padding_o && !stays_o;
      always @(posedge clk) if (early || replaced) casts_q <= next_branches != NOWHERE;
      assign casts = casts_q && idle;
      assign stays_o = casts && ((port_q & ~grants_i) != NOWHERE);
    end else begin : no_trees
      assign next_branches = NOWHERE;
      assign casts = 1'b0;
      assign stays_o = 1'b0;
      wire unused_branches = &{1'b0, branches_i, casts};
    end
    if (SOURCE_TABLE != 0) begin : source
      reg turns_q;
      assign entry[PLAIN_W] = turns_i;
      wire kept = early ? next[PLAIN_W] : turns_q;
      always @(posedge clk) turns_q <= (next[PLAIN_W] && granted && !padding_o) || (kept && !(granted && !padding_o));
      assign turns_o = turns_q;
    end else begin : no_source
      assign turns_o = 1'b0;
      wire unused_turns = turns_i;
    end
    if (ADAPTIVE != 0) begin : adaptive
      assign entry[ENTRY_W-1-:1+PORT_W] = {chosen_i && opens, chosen_port_i};
      reg [PORTS-1:0] choice_q;
      assign next_choice = {{(PORTS - 1) {1'b0}}, next[ENTRY_W-1]} << next[ENTRY_W-2-:PORT_W];
      wire [PORTS-1:0] kept = early ? next_choice : choice_q;
      always @(posedge clk)
        choice_q <= (next_choice & {PORTS{granted && !padding_o}}) | (kept & ~{PORTS{granted && !padding_o}});
      assign choice = choice_q;
    end else begin : not_adaptive
      assign choice = NOWHERE;
      assign next_choice = NOWHERE;
      wire unused_adaptive = &{1'b0, chosen_i, chosen_port_i};
    end
  endgenerate
  wire [2:0] kind = kind_q;
  wire reserved = kind[2];
  wire filler = (BARRIER != 0) && (kind == KIND_NULL);
  wire tail = kind[0] && !filler && !padding_o;
  wire head = kind[1] && !filler;

  // A flit holds its slot from the cycle after its arrival on (§2.3).
  wire [6:0] occupancy = {{(7 - FILL_W) {1'b0}}, fill} + {6'd0, first_i} + {6'd0, second_i};
  assign full_o = occupancy == SLOTS[6:0];
  assign busy_o = some || first_i || second_i;

  // request of the front, by the state of the channel's packet (§2.4)
  assign starts_o = idle;
  wire unused_barrier = &{1'b0, preempted_i, take_i};
  assign special_o = THROUGH && some && reserved && !filler;
  assign padding_o = (BARRIER != 0) && preempted_i && !busy_o && (state_q == OPEN);
  assign kind_o = padding_o ? KIND_NULL : kind;
  wire goes_on = open && (padding_o || (some && !(reserved && !filler)));
  wire stands = some || padding_o;
  assign stands_o = stands && !special_o;
  reg [VCS-1:0] fit, choice_fit;
  wire by_choice = choice_fit != NONE;  // 1: a channel of the chosen port fits
  reg [PORTS-1:0] room;  // branches whose channel has room
  integer i;
  always @* begin
    fit        = NONE;
    choice_fit = NONE;
    room       = NOWHERE;
    if (stands) begin
      if (idle) begin
        for (i = 0; i < PORTS; i = i + 1) begin
          fit        = fit | ({VCS{port_q[i]}} & free_i[i*VCS+:VCS]);
          choice_fit = choice_fit | ({VCS{choice[i]}} & free_i[i*VCS+:VCS]);
          room[i]    = (free_i[i*VCS+:VCS] & mask_q) != NONE;
        end
        choice_fit = choice_fit & adapt_i;
      end else if (goes_on)
        for (i = 0; i < PORTS; i = i + 1) fit = fit | ({VCS{port_q[i]}} & credit_i[i*VCS+:VCS]);
      fit = fit & mask_q;
    end
  end
  assign port_o = by_choice ? choice : casts ? port_q & room : port_q;
  assign fit_o = by_choice ? choice_fit : fit;
  always @* begin
    discard_o = 1'b0;
    errors_o = 4'd0;
    if (some)
      if (reserved && !filler) begin
        discard_o = (BARRIER == 0) || take_i;
        errors_o  = (BARRIER == 0) ? 4'b1000 : 4'd0;
      end else if (sink) begin
        discard_o = 1'b1;
        errors_o  = {1'b0, head, 2'b00};
      end else if (idle)
        if (!head) begin
          discard_o = 1'b1;
          errors_o  = 4'b0010;
        end else if ((mask_q == NONE) && (choice == NOWHERE)) begin
          discard_o = 1'b1;
          errors_o  = 4'b0001;
        end
  end

  // Two cycles of allocation: a proposal is made a cycle before the request. The front makes one, and so does the flit
  // after it, which is used if the front is granted. A packet leaves by the port of its proposal.
  wire [PORTS-1:0] begun_port;
  generate
    if (ARB_CYCLES == 2) begin : two
      wire begins = idle && some;
      // A new packet after a tail proposes the same as it would as a front.
      reg [VCS-1:0] next_fit, next_choice_fit;
      integer n;
      always @* begin
        next_fit = NONE;
        next_choice_fit = NONE;
        if (tail)
          for (n = 0; n < PORTS; n = n + 1) begin
            next_fit = next_fit | ({VCS{next_route[n]}} & free_i[n*VCS+:VCS]);
            next_choice_fit = next_choice_fit | ({VCS{next_choice[n]}} & free_i[n*VCS+:VCS]);
          end
        next_fit = next_fit & next_mask;
        next_choice_fit = next_choice_fit & adapt_i;
      end
      wire next_by_choice = next_choice_fit != NONE;
      wire [VCS-1:0] next_all = next_by_choice ? adapt_i : next_mask;
      wire next_goes_on = !next_kind[2] || ((BARRIER != 0) && (next_kind == KIND_NULL));
      wire next_asks = tail ? next_by_choice || (next_fit != NONE) : next_goes_on;
      assign begun_port = asked_port_i;
      assign mask_o = !stands ? NONE : by_choice ? adapt_i : mask_q;
      assign asks_o = goes_on || (begins && !special_o && !discard_o);
      assign after_o = more && next_asks;
      assign after_port_o = !tail ? asked_port_i : next_by_choice ? next_choice : next_route;
      assign after_mask_o = tail ? next_all : taken_i;
      assign after_starts_o = tail;
    end else begin : one
      assign begun_port = port_o;
      assign mask_o = NONE;
      assign asks_o = 1'b0;
      assign after_o = 1'b0;
      assign after_port_o = NOWHERE;
      assign after_mask_o = NONE;
      assign after_starts_o = 1'b0;
      wire unused_two = &{1'b0, asked_port_i, more, next_choice};
    end
  endgenerate

  // Next state, while the channel has a flit: with a grant and without. An open packet keeps its port and its channel.
  wire awake = stands || push_i;
  wire renews = early && !open;
  function [1:0] state_kept(input discarded);
    begin
      state_kept = state_q;
      if (discarded && !reserved)
        if (tail) state_kept = IDLE;
        else if (head) state_kept = SINK;
    end
  endfunction
  always @(posedge clk)
    if (rst || awake) begin
      mask_q <= ((stays_o ? mask_q : tail ? next_mask : idle ? taken_i : mask_q) & {VCS{granted}}) |
          ((renews ? next_mask : mask_q) & ~{VCS{granted}});
      port_q <= ((stays_o ? port_q & ~grants_i : tail ? next_route : begun_port) & {PORTS{granted}}) |
          ((renews ? next_route : port_q) & ~{PORTS{granted}});
      state_q <= rst ? IDLE : ((tail ? IDLE : OPEN) & {2{granted}}) | (state_kept(discard_o) & ~{2{granted}});
      kind_q <= ((((padding_o && !early) || stays_o) ? kind_q : next_kind) & {3{granted}}) |
          ((early ? next_kind : kind_q) & ~{3{granted}});
    end

  // names of §6.5
  assign occupancy_o = occupancy;
  assign state_o = state_q;
  // (These are chains of expressions. A simulator evaluates them only while it writes waves.)
  genvar g;
  generate
    for (g = 0; g < VCS; g = g + 1) begin : encode
      wire [2:0] number;
      if (g == 0) assign number = 3'd0;
      else assign number = encode[g-1].number | ({3{mask_q[g]}} & g[2:0]);
    end
  endgenerate
  assign ovc_o = encode[VCS-1].number;
  generate
    for (g = 0; g < PORTS; g = g + 1) begin : encode_port
      wire [3:0] number;
      if (g == 0) assign number = 4'd0;
      else assign number = encode_port[g-1].number | ({4{port_q[g]}} & g[3:0]);
    end
  endgenerate
  assign oport_o = encode_port[PORTS-1].number;

`ifdef FORMAL
  // Invariants: no more flits than slots; a legal state; one channel while open.
  // §10.5: a new packet asks for a channel of the port that was chosen for it; for one of
  // its table's port where the other has none; it is unroutable where it has neither port.
  wire f_new = some && !reserved && idle && head;
  wire [PORT_W-1:0] route_port = front[KEPT_W+3+:PORT_W];
  wire [VCS-1:0] route_mask = front[KEPT_W+3+PORT_W+:VCS];
  wire chosen = (ADAPTIVE != 0) && front[ENTRY_W-1];
  wire [PORT_W-1:0] chosen_port = front[ENTRY_W-2-:PORT_W];
  wire [VCS-1:0] f_free_chosen, f_free_route;
  wire [VCS-1:0] f_first = chosen ? f_free_chosen & adapt_i : NONE;
  wire [VCS-1:0] f_escape = f_free_route & route_mask;
  generate
    for (g = 0; g < VCS; g = g + 1) begin : f_vc
      assign f_free_chosen[g] = (chosen_port < PORTS) && free_i[chosen_port*VCS+g];
      assign f_free_route[g]  = (route_port < PORTS) && free_i[route_port*VCS+g];
    end
  endgenerate
  // branches of each entry held; 1: the front has branches
  wire [DEPTH*PORTS-1:0] f_branches;
  wire f_casts_q;
  generate
    if (TREES != 0) assign f_casts_q = trees.casts_q;
    else assign f_casts_q = 1'b0;
    for (g = 0; g < DEPTH; g = g + 1) begin : f_held_at
      if (TREES != 0) assign f_branches[g*PORTS+:PORTS] = f_held[g*ENTRY_W+PLAIN_W+TURN_W+:PORTS];
      else assign f_branches[g*PORTS+:PORTS] = NOWHERE;
    end
  endgenerate
  // §10.8: heads and singles in the buffer, and the packet that is open or sinks
  integer f_i, f_e;
  always @* begin
    f_inside_o = {7'd0, state_q != IDLE};
    for (f_i = 0; f_i < DEPTH; f_i = f_i + 1)
      if (f_held[f_i*ENTRY_W+KEPT_W+1+:2] == 2'd1) f_inside_o = f_inside_o + 8'd1;
  end
  reg f_started = 1'b0;
  always @(posedge clk) f_started <= 1'b1;
  always @* begin
    if (!f_started) assume (rst);
    if (f_started) begin
      assert (occupancy <= SLOTS);
      assert (state_q != 2'd3);
      if (f_new && f_first != NONE) assert (fit_o == f_first && port_o == (FIRST << chosen_port));
      if (f_new && f_first == NONE && route_mask != NONE && !casts)
        assert (fit_o == f_escape && port_o == (FIRST << route_port));
      if (f_new) assert (discard_o == (!chosen && route_mask == NONE));
      if (f_new && f_first == NONE && route_mask == NONE) assert (fit_o == NONE);
      // The front's route is that of its entry. Only a head or single has a route. A chosen port exists.
      if (some && !open) assert (((f_branches[PORTS-1:0] != NOWHERE) || (port_q == (FIRST << route_port))) && mask_q == route_mask);
      if (some) assert (kind_q == front[KEPT_W+:3]);
      if (some && (SOURCE_TABLE != 0)) assert (turns_o == front[PLAIN_W]);
      if (some) assert (choice == (chosen ? FIRST << chosen_port : NOWHERE));
      for (f_e = 0; f_e < DEPTH; f_e = f_e + 1)
        if (f_held[f_e*ENTRY_W+KEPT_W+1+:2] != 2'd1) begin
          assert (f_held[f_e*ENTRY_W+KEPT_W+3+PORT_W+:VCS] == NONE);
          if (ADAPTIVE != 0) assert (!f_held[f_e*ENTRY_W+ENTRY_W-1]);
        end else if (ADAPTIVE != 0)
          assert (!f_held[f_e*ENTRY_W+ENTRY_W-1] || (f_held[f_e*ENTRY_W+ENTRY_W-2-:PORT_W] < PORTS));
      if (TREES != 0)
        for (f_e = 0; f_e < DEPTH; f_e = f_e + 1)
          if (f_branches[f_e*PORTS+:PORTS] != NOWHERE) begin
            assert (f_held[f_e*ENTRY_W+KEPT_W+:3] == 3'd3);
            assert (!(|(f_held[f_e*ENTRY_W+KEPT_W+3+PORT_W+:VCS] & (f_held[f_e*ENTRY_W+KEPT_W+3+PORT_W+:VCS] - 1'b1))));
          end
      if (some && !open && (f_branches[PORTS-1:0] != NOWHERE))
        assert ((port_q != NOWHERE) && ((port_q & ~f_branches[PORTS-1:0]) == NOWHERE));
      if (some) assert (f_casts_q == (f_branches[PORTS-1:0] != NOWHERE));
      if (open) begin
        assert (port_o == port_q);
        assert ((port_q != NOWHERE) && ((port_q & (port_q - 1'b1)) == NOWHERE));
        assert ((mask_q != NONE) && ((mask_q & (mask_q - 1'b1)) == NONE));
      end
    end
  end
  // two cycles: the grant answers a request of the present front
  wire f_answers = stands_o && !discard_o && (taken_i != NONE) && (idle ?
      ((asked_port_i == port_q) && ((taken_i & ~mask_q) == NONE)) || ((choice != NOWHERE) && (asked_port_i == choice)) :
      (asked_port_i == port_q) && (taken_i == mask_q));
`ifdef FORMAL_hd_input_vc
  // §2.5, §2.7, §10.5: any one packet is watched from the cycle in which its head enters the buffer. It leaves by the
  // port that was chosen for it, on a channel of ADAPT, or by the port of its table entry, on a channel of its mask,
  // whatever channel it came on. All its flits take the same way. So a table entry whose mask is a class of channels
  // (§5.24) puts its packets into that class.
  (* anyseq *) wire f_watch;
  localparam [1:0] F_NONE = 2'd0, F_WAITS = 2'd1, F_GOES = 2'd2;
  reg [1:0] f_packet_q = F_NONE;
  reg [7:0] f_ahead_q;  // flits ahead of the watched head
  reg [2:0] f_kind_q;
  reg [VCS-1:0] f_mask_q, f_vc_q;
  reg f_chosen_q;
  reg [PORT_W-1:0] f_route_q, f_choice_q;
  reg [PORTS-1:0] f_port_q;
  reg [PORTS-1:0] f_branches_q, f_served_q;  // branches of a watched multicast single, and those by which it has left
  wire f_pop = (granted && !padding_o && !stays_o) || discard_o;
  wire [ENTRY_W-1:0] f_entry = f_held[f_ahead_q*ENTRY_W+:ENTRY_W];
  wire f_asks = (f_packet_q == F_WAITS) && (f_ahead_q == 8'd0) && idle;
  always @(posedge clk)
    if (rst) f_packet_q <= F_NONE;
    else if (f_packet_q == F_NONE) begin
      if (f_watch && push_i && (kind_i[2:1] == 2'd1)) f_packet_q <= F_WAITS;
      f_ahead_q <= fill - {7'd0, f_pop};
      f_kind_q <= kind_i;
      {f_mask_q, f_route_q} <= {mask_i, port_i};
      {f_chosen_q, f_choice_q} <= {chosen_i, chosen_port_i};
      f_branches_q <= (TREES != 0) ? branches_i : NOWHERE;
      f_served_q <= NOWHERE;
    end else if (f_packet_q == F_WAITS) begin
      if (f_asks && granted) f_served_q <= f_served_q | grants_i;
      if (f_pop) f_ahead_q <= f_ahead_q - 8'd1;
      if (f_pop && (f_ahead_q == 8'd0)) f_packet_q <= (granted && idle && !tail) ? F_GOES : F_NONE;
      {f_port_q, f_vc_q} <= {port_o, taken_i};
    end else if (f_pop && tail) f_packet_q <= F_NONE;
  always @* begin
    // hd_route_unit proves these assumptions: a slot is free for each flit that comes, and the port of a route exists.
    assume (!push_i || first_i || second_i || !full_o);
    assume (occupancy <= SLOTS);
    assume ((mask_i == NONE) || (port_i < PORTS));
    assume (!chosen_i || (chosen_port_i < PORTS));
    assume ((branches_i == NOWHERE) || ((kind_i == 3'd3) && ((mask_i & (mask_i - 1'b1)) == NONE)));
    // A grant answers a request and gives one of the channels that fit.
    if (ARB_CYCLES == 1)
      assume (!granted || ((fit_o != NONE) && (taken_i != NONE) && ((taken_i & ~fit_o) == NONE)));
    else assume (!granted || f_answers);
    assume ((taken_i & (taken_i - 1'b1)) == NONE);
    if (TREES != 0) assume (!granted || ((grants_i & ~port_o) == NOWHERE));
    if (f_started) begin
      if (f_packet_q == F_WAITS) begin
        assert ((f_ahead_q < fill) && (f_kind_q[2:1] == 2'd1));
        assert (f_entry[KEPT_W+:VCS+PORT_W+3] == {f_mask_q, f_route_q, f_kind_q});
        if (ADAPTIVE != 0) assert (f_entry[ENTRY_W-1-:1+PORT_W] == {f_chosen_q, f_choice_q});
        assert (f_branches[f_ahead_q*PORTS+:PORTS] == f_branches_q);
      end
      if (f_asks) assert (discard_o == ((f_mask_q == NONE) && !((ADAPTIVE != 0) && f_chosen_q)));
      // §13.4: a multicast single leaves by each of its branches once, where there is room, and is popped then.
      if ((f_packet_q == F_WAITS) && (f_branches_q != NOWHERE)) begin
        assert (((f_served_q & ~f_branches_q) == NOWHERE) && (f_served_q != f_branches_q));
        assert ((f_served_q == NOWHERE) || f_asks);
        if (f_asks) assert (port_q == (f_branches_q & ~f_served_q));
        if (f_asks && granted) assert (((grants_i & f_served_q) == NOWHERE) && ((grants_i & ~f_branches_q) == NOWHERE));
        if (f_asks && granted) assert (f_pop == ((f_served_q | grants_i) == f_branches_q));
        if (f_asks && granted) assert (taken_i == (f_mask_q & taken_i));
      end else if (f_asks && granted)
        assert (((ADAPTIVE != 0) && f_chosen_q && (port_o == (FIRST << f_choice_q)) && ((taken_i & ~adapt_i) == NONE)) ||
            ((port_o == (FIRST << f_route_q)) && ((taken_i & ~f_mask_q) == NONE)));
      if (f_packet_q == F_GOES) begin
        assert ((state_q == OPEN) && (port_q == f_port_q) && (mask_q == f_vc_q));
        if (granted) assert ((port_o == f_port_q) && (taken_i == f_vc_q));
      end
    end
  end
`else
  always @*
    if (f_started && !rst && granted) assert ((ARB_CYCLES == 2) ? f_answers : (taken_i != NONE) && ((taken_i & ~fit_o) == NONE));
  always @*
    if (f_started && !rst && granted && (TREES != 0)) assert ((grants_i & ~port_o) == NOWHERE);
`endif
`endif

endmodule

`default_nettype wire
