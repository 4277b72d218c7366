// Route pipeline of one input port: takes a flit, reads the tables and decides the route (§2.2, §2.3, §2.7, §10.4).
// SPDX-License-Identifier: Apache-2.0
//
// A flit that is taken in cycle a leaves with its route in cycle a + ROUTE_CYCLES, and is written into
// its buffer at the end of that cycle. A route is an output port and a mask of output virtual channels;
// an empty mask means that the packet is unroutable. With ADAPTIVE a second port can be chosen; with
// ADAPTIVE 3 a packet that goes by a node can take the way to its destination instead (§10.9). A
// multicast single (§13) has several ports, its branches. Only the route of a head or single has a
// meaning.
`default_nettype none

module hd_route_unit #(
    parameter       PORTS        = 5,    // 2-16
    parameter       VCS          = 2,    // 1-8
    parameter       VC_W         = 1,    // max(1, clog2(VCS))
    parameter       DATA_W       = 16,   // 16, 32, 64
    parameter       NODES        = 64,   // 2-2048
    parameter       ROUTE_CYCLES = 1,    // 1-2
    parameter       SOURCE_TABLE = 0,    // 0-1
    parameter       ADAPTIVE     = 0,    // 0-3
    parameter       BARRIER      = 0,    // 0-5: with 5, packets never use channel VCS - 1
    parameter       TREES        = 0,    // 0-32
    parameter [3:0] PORT         = 4'd0  // this input port
) (
    input  wire                     clk,
    input  wire                     rst,
    // flit at the pins; virtual channels without a free slot
    input  wire                     valid_i,
    input  wire [              2:0] kind_i,
    input  wire [         VC_W-1:0] vc_i,
    input  wire [       DATA_W-1:0] data_i,
    input  wire [          VCS-1:0] full_i,
    // configuration bus
    input  wire                     cfg_write_i,
    input  wire [             19:0] cfg_addr_i,
    input  wire [             15:0] cfg_wdata_i,
    // CAST of §13.3
    input  wire [              2:0] cast_i,
    // comparisons of free credits or counts (hd_free_credits, hd_neighbour_counts). With ADAPTIVE 3: the comparisons of
    // hd_way_choice, and whether packets of this port decide.
    input  wire [  PORTS*PORTS-1:0] freer_i,
    input  wire                     adapt_some_i,
    // flits in the pipeline, one bit a virtual channel: first stage; 1: that flit is a head or single; second stage
    output wire [          VCS-1:0] first_o,
    output wire                     first_head_o,
    output wire [          VCS-1:0] second_o,
    // a flit and its route; `push_o` names the virtual channel whose buffer takes it
    output wire [          VCS-1:0] push_o,
    output wire [              2:0] kind_o,
    output wire [       DATA_W-1:0] data_o,
    output wire [$clog2(PORTS)-1:0] port_o,
    output wire [          VCS-1:0] mask_o,
    // 1: the header turns if the packet takes this route (§1.3); 1: a port was chosen; its number
    output wire                     turns_o,
    output wire                     chosen_o,
    output wire [$clog2(PORTS)-1:0] chosen_port_o,
    // branches of a multicast single; 0 for other flits
    output wire [        PORTS-1:0] branches_o,
    // §10.6
    output wire [             15:0] generator_o
);

  localparam PORT_W = $clog2(PORTS);
  localparam NODE_W = $clog2(NODES);
  localparam ENTRY_W = 1 + PORT_W + VCS;
  localparam [VCS-1:0] NONE = {VCS{1'b0}};
  localparam [VCS-1:0] ONE = {{(VCS - 1) {1'b0}}, 1'b1};
  localparam BARRIER_RESERVED = 5;  // §7.1
  localparam ADAPTIVE_WAYS = 3;  // §10.1
  localparam [VCS-1:0] PACKETS = (BARRIER == BARRIER_RESERVED) ? ~(ONE << (VCS - 1)) : ~NONE;  // §7.7
  localparam [2:0] SINGLE = 3'd3;  // §1.2
  localparam [PORTS-1:0] FIRST = {{(PORTS - 1) {1'b0}}, 1'b1};

  // stage 1: the flit and its table entries
  reg [VCS-1:0] take_q;
  reg [2:0] kind_q;
  reg [DATA_W-1:0] data_q;
  always @(posedge clk)
    if (rst) take_q <= NONE;
    else begin
      take_q <= NONE;
      if (valid_i) take_q <= (ONE << vc_i) & ~full_i;
    end
  always @(posedge clk)
    if (valid_i) begin
      kind_q <= kind_i;
      data_q <= data_i;
    end

  wire [ENTRY_W-1:0] by_destination;
  wire [ENTRY_W-1:0] by_source;
  wire in_range;  // 1: the header's first node is below NODES
`ifdef FORMAL
  wire [NODE_W-1:0] f_node;
  wire f_fresh;
`endif
  hd_route_table #(
      .PORTS(PORTS),
      .VCS(VCS),
      .NODES(NODES),
      .SELECT(4'd1),
      .PORT(PORT)
  ) u_destination (
      .clk(clk),
      .rst(rst),
      .read_i(valid_i),
      .index_i(data_i[2+:NODE_W]),
      .entry_o(by_destination),
      .in_range_o(in_range),
      .cfg_write_i(cfg_write_i),
      .cfg_addr_i(cfg_addr_i),
      .cfg_wdata_i(cfg_wdata_i)
`ifdef FORMAL
      ,
      .f_node_o(f_node),
      .f_fresh_o(f_fresh)
`endif
  );
  wire turns;
  wire nearer;  // 1: the packet goes straight to its destination, although the way by its node is routable
  generate
    if (ADAPTIVE == ADAPTIVE_WAYS) begin : ways
      // Selects the comparison of the two entries' ports. A way is routable if its entry leaves packets a channel
      // (§7.7). An entry without a legal port has an empty mask.
      wire by_node = (by_source[VCS-1:0] & PACKETS) != NONE;
      wire to_destination = (by_destination[VCS-1:0] & PACKETS) != NONE;
      reg [PORTS-1:0] row;
      reg less;
      integer i;
      always @* begin
        row  = {PORTS{1'b0}};
        less = 1'b0;
        for (i = 0; i < PORTS; i = i + 1)
          row = row | (freer_i[i*PORTS+:PORTS] & {PORTS{by_destination[VCS+:PORT_W] == i[PORT_W-1:0]}});
        for (i = 0; i < PORTS; i = i + 1) less = less || (row[i] && (by_source[VCS+:PORT_W] == i[PORT_W-1:0]));
      end
      assign nearer = adapt_some_i && by_node && to_destination && less;
    end else begin : one_way
      assign nearer = 1'b0;
    end
  endgenerate
  generate
    if (SOURCE_TABLE != 0) begin : source
      wire via_in_range;
`ifdef FORMAL
      wire [NODE_W-1:0] f_node;
      wire f_fresh;
`endif
      hd_route_table #(
          .PORTS(PORTS),
          .VCS(VCS),
          .NODES(NODES),
          .SELECT(4'd2),
          .PORT(PORT)
      ) u_source (
          .clk(clk),
          .rst(rst),
          .read_i(valid_i),
          .index_i(data_i[2+NODE_W+:NODE_W]),
          .entry_o(by_source),
          .in_range_o(via_in_range),
          .cfg_write_i(cfg_write_i),
          .cfg_addr_i(cfg_addr_i),
          .cfg_wdata_i(cfg_wdata_i)
`ifdef FORMAL
          ,
          .f_node_o(f_node),
          .f_fresh_o(f_fresh)
`endif
      );
      assign turns = (data_q[1:0] == 2'd3) && via_in_range && (!by_source[ENTRY_W-1] || nearer);
    end else begin : no_source
      assign by_source = {ENTRY_W{1'b0}};
      assign turns = 1'b0;
      wire unused_valid = &{1'b0, nearer, by_source[ENTRY_W-1]};
    end
  endgenerate

  // multicast (§13.3); an index beyond the table reads as an empty set
  wire casts;
  wire [PORTS-1:0] branches;
  wire [VCS-1:0] cast_mask;
  generate
    if (TREES != 0) begin : trees
      localparam ROWS = (TREES > 1) ? TREES : 2;
      localparam ROW_W = $clog2(ROWS);
      wire [PORTS-1:0] set;
      wire unused_in_range;
      reg [VCS-1:0] cast_q;  // register CAST as one bit; none if there is no such channel
      always @(posedge clk) if (valid_i) cast_q <= ONE << cast_i;
      wire [NODE_W+ROW_W-1:0] read = {{ROW_W{1'b0}}, data_i[2+:NODE_W]};
      wire known = {{(32 - NODE_W) {1'b0}}, data_q[2+:NODE_W]} < TREES;
`ifdef FORMAL
      wire [ROW_W-1:0] f_node;
      wire f_fresh;
`endif
      hd_route_table #(
          .PORTS(PORTS),
          .VCS(VCS),
          .NODES(ROWS),
          .SELECT(4'd7),
          .PORT(4'd0),
          .SETS(1)
      ) u_trees (
          .clk(clk),
          .rst(rst),
          .read_i(valid_i),
          .index_i(read[ROW_W-1:0]),
          .entry_o(set),
          .in_range_o(unused_in_range),
          .cfg_write_i(cfg_write_i),
          .cfg_addr_i(cfg_addr_i),
          .cfg_wdata_i(cfg_wdata_i)
`ifdef FORMAL
          ,
          .f_node_o(f_node),
          .f_fresh_o(f_fresh)
`endif
      );
      assign casts = data_q[1:0] == 2'd3;
      wire single = kind_q == SINGLE;
      assign branches = (casts && single && known) ? set & ~(FIRST << PORT) : {PORTS{1'b0}};
      assign cast_mask = (branches != {PORTS{1'b0}}) ? cast_q : NONE;
      wire unused_read = &{1'b0, read};
    end else begin : no_trees
      assign casts = 1'b0;
      assign branches = {PORTS{1'b0}};
      assign cast_mask = NONE;
      wire unused_cast = &{1'b0, cast_i, casts};
    end
  endgenerate

  // Decision: a table decides in modes 0, 1 and 3, the header in mode 2. Mode 1 uses the source's entry where the
  // destination's is invalid. Mode 3 uses the destination's entry where that of the node to go by is invalid. An index
  // beyond a table reads as invalid, so only these two ranges are checked. Without source tables nothing checks
  // validity: an invalid entry has an empty mask.
  wire [PORT_W-1:0] header_port = data_q[2+:PORT_W];
  reg [PORT_W-1:0] port;
  reg [VCS-1:0] mask;
  always @* begin
    port = {PORT_W{1'b0}};
    mask = NONE;
    if (take_q != NONE)
      if (data_q[1:0] == 2'd2) begin
        port = header_port;
        mask = {VCS{{{(32 - PORT_W) {1'b0}}, header_port} < PORTS}};
      end else if (casts) mask = cast_mask;
      else if (data_q[1] ? !turns : (SOURCE_TABLE != 0) && data_q[0] && in_range && !by_destination[ENTRY_W-1]) begin
        port = by_source[VCS+:PORT_W];
        mask = by_source[VCS-1:0];
      end else begin
        port = by_destination[VCS+:PORT_W];
        mask = by_destination[VCS-1:0];
      end
    if (BARRIER == BARRIER_RESERVED) mask[VCS-1] = 1'b0;  // §7.7
  end

  // choice among the ports of a set (§10.4); an index beyond the table reads as an empty set
  wire chosen;
  wire [PORT_W-1:0] chosen_port;
  generate
    if ((ADAPTIVE != 0) && (ADAPTIVE != ADAPTIVE_WAYS)) begin : adaptive
      wire [PORTS-1:0] set;
      wire unused_in_range;  // (not used: a set beyond the table reads as empty)
`ifdef FORMAL
      wire [NODE_W-1:0] f_node;
      wire f_fresh;
`endif
      hd_route_table #(
          .PORTS(PORTS),
          .VCS(VCS),
          .NODES(NODES),
          .SELECT(4'd4),
          .PORT(PORT),
          .SETS(1)
      ) u_sets (
          .clk(clk),
          .rst(rst),
          .read_i(valid_i),
          .index_i(data_i[2+:NODE_W]),
          .entry_o(set),
          .in_range_o(unused_in_range),
          .cfg_write_i(cfg_write_i),
          .cfg_addr_i(cfg_addr_i),
          .cfg_wdata_i(cfg_wdata_i)
`ifdef FORMAL
          ,
          .f_node_o(f_node),
          .f_fresh_o(f_fresh)
`endif
      );
      hd_port_choice #(
          .PORTS(PORTS),
          .PORT(PORT)
      ) u_choice (
          .clk(clk),
          .rst(rst),
          .choose_i((take_q != NONE) && (kind_q[2:1] == 2'd1) && (data_q[1:0] == 2'd0)),
          .set_i(set),
          .freer_i(freer_i),
          .adapt_some_i(adapt_some_i),
          .chosen_o(chosen),
          .port_o(chosen_port),
          .cfg_write_i(cfg_write_i),
          .cfg_addr_i(cfg_addr_i),
          .cfg_wdata_i(cfg_wdata_i),
          .generator_o(generator_o)
      );
    end else begin : not_adaptive
      assign chosen = 1'b0;
      assign chosen_port = {PORT_W{1'b0}};
      assign generator_o = 16'd0;
      wire unused_adaptive = &{1'b0, freer_i, adapt_some_i};
    end
  endgenerate

  assign first_o = take_q;
  assign first_head_o = (take_q != NONE) && (kind_q[2:1] == 2'd1);
  generate
    if (ROUTE_CYCLES == 1) begin : one
      assign second_o = NONE;
      assign push_o = take_q;
      assign kind_o = kind_q;
      assign data_o = data_q;
      assign port_o = port;
      assign mask_o = mask;
      assign turns_o = turns;
      assign chosen_o = chosen;
      assign chosen_port_o = chosen_port;
      assign branches_o = branches;
    end else begin : two
      reg [VCS-1:0] push_q;
      reg [2:0] kind2_q;
      reg [DATA_W-1:0] data2_q;
      reg [PORT_W-1:0] port2_q;
      reg [VCS-1:0] mask2_q;
      reg turns2_q;
      reg chosen2_q;
      reg [PORT_W-1:0] chosen_port2_q;
      reg [PORTS-1:0] branches2_q;
      always @(posedge clk)
        if (rst) push_q <= NONE;
        else push_q <= take_q;
      always @(posedge clk)
        if (take_q != NONE) begin
          kind2_q <= kind_q;
          data2_q <= data_q;
          port2_q <= port;
          mask2_q <= mask;
          turns2_q <= turns;
          chosen2_q <= chosen;
          chosen_port2_q <= chosen_port;
          branches2_q <= branches;
        end
      assign second_o = push_q;
      assign push_o = push_q;
      assign kind_o = kind2_q;
      assign data_o = data2_q;
      assign port_o = port2_q;
      assign mask_o = mask2_q;
      assign turns_o = turns2_q;
      assign chosen_o = chosen2_q;
      assign chosen_port_o = chosen_port2_q;
      assign branches_o = branches2_q;
    end
  endgenerate

`ifdef FORMAL
  // 1 a flit is taken where its channel has room, once, and comes out ROUTE_CYCLES later
  // 2 with the kind and data that it had at the pins
  // 3 with the route of §2.7, given what the tables answered for it
  // 4 with the choice that was made in the cycle after its arrival, which only a head or
  //   single of mode 0 makes, and which is a port
  // 5 the tables were read at the nodes of its header (each table proves that it answers with the word that was last
  //   written for that node)
  // 6 §10.4: a port that was chosen is in the set that was read, and none in it is less congested;
  //   one is chosen where the set is not empty and ADAPT has a channel
  // 7 §10.9: a packet of mode 3 goes to its destination although there is a way by its node where both are routable,
  //   its port decides, and the comparison of the two ports says so
  // 8 §13.3: a multicast single has the branches that were read for its tree, without its input port, and the channel
  //   CAST of the cycle in which it came; nothing else has branches
  reg f_started = 1'b0;
  reg [VCS-1:0] f_take_q = NONE, f_take2_q = NONE;
  reg [2:0] f_kind_q, f_kind2_q;
  reg [DATA_W-1:0] f_data_q, f_data2_q;
  reg [ENTRY_W-1:0] f_by_destination_q, f_by_source_q;
  reg f_chosen_q;
  reg f_nearer_q;
  reg [PORT_W-1:0] f_chosen_port_q;
  reg [2:0] f_cast_q, f_cast2_q;
  reg [PORTS-1:0] f_set_q;
  wire [PORTS-1:0] f_set_now;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_take_q <= (rst || !valid_i || (vc_i >= VCS) || full_i[vc_i]) ? NONE : ONE << vc_i;
    f_take2_q <= rst ? NONE : f_take_q;
    f_kind_q <= valid_i ? kind_i : f_kind_q;
    f_data_q <= valid_i ? data_i : f_data_q;
    f_cast_q <= valid_i ? cast_i : f_cast_q;
    if (f_take_q != NONE) begin
      f_kind2_q <= f_kind_q;
      f_data2_q <= f_data_q;
      f_cast2_q <= f_cast_q;
      f_set_q <= f_set_now;
      f_by_destination_q <= by_destination;
      f_by_source_q <= by_source;
      f_chosen_q <= chosen;
      f_nearer_q <= f_nearer_now;
      f_chosen_port_q <= chosen_port;
    end
  end
  // the decision of the cycle after the arrival, from the answers of the tables
  wire [NODE_W-1:0] f_first_q = data_q[2+:NODE_W];
  wire [PORT_W-1:0] f_near = by_destination[VCS+:PORT_W], f_far = by_source[VCS+:PORT_W];
  reg [VCS-1:0] f_near_mask, f_far_mask;
  reg f_nearer_now;
  always @* begin
    f_near_mask = by_destination[VCS-1:0];
    f_far_mask  = by_source[VCS-1:0];
    if (BARRIER == BARRIER_RESERVED) begin
      f_near_mask[VCS-1] = 1'b0;
      f_far_mask[VCS-1]  = 1'b0;
    end
    f_nearer_now = (ADAPTIVE == 3) && (SOURCE_TABLE == 1) && adapt_some_i && (f_near_mask != NONE) && (f_far_mask != NONE) &&
        (f_near < PORTS) && (f_far < PORTS) && (f_first_q < NODES) && (f_second_q < NODES) && freer_i[f_near*PORTS+f_far];
  end
  wire f_two = ROUTE_CYCLES == 2;
  wire [DATA_W-1:0] f_data = f_two ? f_data2_q : f_data_q;
  wire [2:0] f_cast = f_two ? f_cast2_q : f_cast_q;
  wire f_is_cast = ((f_two ? f_kind2_q : f_kind_q) == 3'd3) && (f_data[1:0] == 2'd3) && (f_data[2+:NODE_W] < TREES);
  wire [PORTS-1:0] f_others = ~(FIRST << PORT);
  wire [PORTS-1:0] f_branches = f_is_cast ? (f_two ? f_set_q : f_set_now) & f_others : {PORTS{1'b0}};
  wire [ENTRY_W-1:0] f_d = f_two ? f_by_destination_q : by_destination;
  wire [ENTRY_W-1:0] f_s = f_two ? f_by_source_q : by_source;
  reg [VCS-1:0] f_mask;
  reg [PORT_W-1:0] f_port;
  reg f_turns;
  wire f_nearer = f_two ? f_nearer_q : f_nearer_now;
  wire [NODE_W-1:0] f_second = f_data >> (2 + NODE_W), f_second_q = data_q >> (2 + NODE_W);
  always @* begin
    f_turns = 1'b0;
    f_mask = f_d[VCS-1:0];
    f_port = f_d[VCS+:PORT_W];
    case (f_data[1:0])
      2'd0: ;
      2'd1:
      if ((SOURCE_TABLE == 1) && !f_d[ENTRY_W-1] && (f_data[2+:NODE_W] < NODES)) begin
        f_mask = f_s[VCS-1:0];
        f_port = f_s[VCS+:PORT_W];
      end else if (!f_d[ENTRY_W-1]) f_mask = NONE;
      2'd2: begin
        f_port = f_data[2+:PORT_W];
        f_mask = (f_port < PORTS) ? ~NONE : NONE;
      end
      2'd3:
      if (TREES != 0) f_mask = ((f_branches != 0) && (f_cast < VCS)) ? ONE << f_cast : NONE;
      else if (SOURCE_TABLE == 0 || f_second >= NODES) f_mask = NONE;
      else if (f_s[ENTRY_W-1] && !f_nearer) begin
        f_mask = f_s[VCS-1:0];
        f_port = f_s[VCS+:PORT_W];
      end else f_turns = 1'b1;
    endcase
    if (BARRIER == BARRIER_RESERVED) f_mask[VCS-1] = 1'b0;  // §7.7
  end
  always @* begin
    if (!f_started) assume (rst);
    if (f_started) begin
      assert (take_q == f_take_q);
      if (f_take_q != NONE) assert (kind_q == f_kind_q && data_q == f_data_q);
      assert (push_o == (f_two ? f_take2_q : f_take_q));
      // An entry that is not valid has an empty mask, and an index at or above NODES reads as 0. hd_route_table proves
      // both (§2.7).
      assume (by_destination[ENTRY_W-1] || (by_destination[VCS-1:0] == NONE));
      if ((take_q != NONE) && (f_second_q >= NODES)) assume (by_source == 0);
      if (f_two && (f_take2_q != NONE)) begin
        assume (f_d[ENTRY_W-1] || (f_d[VCS-1:0] == NONE));
        if (f_second >= NODES) assume (f_s == 0);
      end
      if ((take_q != NONE) && (f_first_q >= NODES)) assume (by_destination == 0);
      assert (!chosen || ((ADAPTIVE != 0) && (ADAPTIVE != ADAPTIVE_WAYS) && (take_q != NONE) && (kind_q[2:1] == 2'b01) && (data_q[1:0] == 2'b00)));
      if (push_o != NONE) begin
        assert (kind_o == (f_two ? f_kind2_q : f_kind_q) && data_o == f_data);
        assert (mask_o == f_mask);
        if ((f_mask != NONE) && (f_branches == {PORTS{1'b0}})) assert (port_o == f_port);
        assert (turns_o == f_turns);
        assert (branches_o == f_branches);
        if (branches_o != {PORTS{1'b0}}) assert ((mask_o & (mask_o - 1'b1)) == NONE);
        assert (chosen_o == (f_two ? f_chosen_q : chosen));
        if (chosen_o) assert (chosen_port_o == (f_two ? f_chosen_port_q : chosen_port));
        if (chosen_o) assert (chosen_port_o < PORTS);
      end
      if (take_q != NONE) assert (f_fresh == (f_node == data_q[2+:NODE_W]));
    end
  end
  generate
    if (SOURCE_TABLE != 0) begin : f_source
      always @*
        if (f_started && (take_q != NONE)) assert (source.f_fresh == (source.f_node == f_second_q));
    end
    if (TREES != 0) begin : f_trees
      localparam ROW_W = (TREES > 2) ? $clog2(TREES) : 1;
      wire [NODE_W+ROW_W-1:0] f_tree = {{ROW_W{1'b0}}, data_q[2+:NODE_W]};
      assign f_set_now = trees.set;
      always @*
        if (f_started && (take_q != NONE)) begin
          assert (trees.f_fresh == (trees.f_node == f_tree[ROW_W-1:0]));
          assert ((trees.cast_q & (trees.cast_q - 1'b1)) == NONE);
        end
    end else begin : f_no_trees
      assign f_set_now = {PORTS{1'b0}};
    end
    if ((ADAPTIVE != 0) && (ADAPTIVE != ADAPTIVE_WAYS)) begin : f_adaptive
      always @*
        if (f_started && (take_q != NONE)) assert (adaptive.f_fresh == (adaptive.f_node == data_q[2+:NODE_W]));
`ifdef FORMAL_hd_route_unit
      (* anyseq *) wire [PORTS*4-1:0] f_free;  // the measure that is compared: any number for every port
      integer f_o, f_q;
      always @*
        for (f_o = 0; f_o < PORTS; f_o = f_o + 1)
          for (f_q = 0; f_q < PORTS; f_q = f_q + 1)
            assume (freer_i[f_o*PORTS+f_q] == (f_free[f_o*4+:4] > f_free[f_q*4+:4]));
      always @*
        if (f_started && (take_q != NONE) && (kind_q[2:1] == 2'd1) && (data_q[1:0] == 2'd0)) begin
          assert (chosen == (adapt_some_i && (adaptive.set != {PORTS{1'b0}})));
          if (chosen) assert ((chosen_port < PORTS) && adaptive.set[chosen_port]);
          for (f_o = 0; f_o < PORTS; f_o = f_o + 1)
            if (chosen && adaptive.set[f_o]) assert (!freer_i[f_o*PORTS+chosen_port]);
        end
`endif
    end
  endgenerate
`endif

endmodule

`default_nettype wire
