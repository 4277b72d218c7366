// The switch: wormhole or virtual cut-through, virtual channels, registered outputs (§2).
// SPDX-License-Identifier: Apache-2.0
//
// An input port routes the flits of its buffers and requests an output port, an output port grants one of its requests,
// and the flit crosses. With BARRIER the switch has a barrier unit, and barrier messages preempt channels (§7, §8).
// With ADAPTIVE it chooses among output ports by free credits or by neighbours' counts, or between two ways of a packet
// (§10). With CODE_PLACES it has an XOR coder next to the node of port 0 (§11). With ROUTE it computes routes instead
// of reading tables (§12). With TREES it sends copies of a flit by several ports (§13).
//
// Length: this module connects all units of a switch; most lines are their ports.
//
// The scopes in[p] and out[o] hold the ports and, under the names of §6.5, the state that waves and divergence reports
// show.
`default_nettype none

module hd_switch #(
    parameter PORTS         = 5,   // 2-16
    parameter VCS           = 2,   // 1-8
    parameter DATA_W        = 16,  // 16, 32, 64
    parameter DEPTH         = 4,   // 1-64
    parameter NODES         = 64,  // 2-65536
    parameter ROUTE_CYCLES  = 1,   // 0-2
    parameter ARB_CYCLES    = 1,   // 1-2
    parameter BUFFER_CYCLES = 0,   // 0-1
    parameter CUT_FLITS     = 0,   // 0-DEPTH
    parameter SOURCE_TABLE  = 0,   // 0-1
    parameter ADAPTIVE      = 0,   // 0-3
    parameter BARRIER       = 0,   // 0-5, §7.1
    parameter GROUPS        = 4,   // 1-32
    parameter SWITCHES      = 64,  // 2-2048
    parameter VALUES        = 0,   // 0-1, §8.14
    parameter CODE_PLACES   = 0,   // 0-256, §11.1
    parameter CODE_CYCLES   = 0,   // 0-63
    parameter ROUTE         = 0,   // 0-4, §12.1
    parameter FIELDS        = 1,   // 1-65535
    parameter TREES         = 0,   // 0-32, §13.1
    parameter VC_W          = (VCS > 1) ? $clog2(VCS) : 1  // derived, not to be set
) (
    input  wire                    clk,
    input  wire                    rst,
    // flits in; credits and the switch's own count back
    input  wire [       PORTS-1:0] in_valid_i,
    input  wire [     PORTS*3-1:0] in_kind_i,
    input  wire [  PORTS*VC_W-1:0] in_vc_i,
    input  wire [PORTS*DATA_W-1:0] in_data_i,
    output wire [   PORTS*VCS-1:0] in_credit_o,
    output wire [       PORTS-1:0] in_barrier_credit_o,
    output wire [     PORTS*7-1:0] in_count_o,
    // flits out; credits and the neighbours' counts back
    output wire [       PORTS-1:0] out_valid_o,
    output wire [     PORTS*3-1:0] out_kind_o,
    output wire [  PORTS*VC_W-1:0] out_vc_o,
    output wire [PORTS*DATA_W-1:0] out_data_o,
    input  wire [   PORTS*VCS-1:0] out_credit_i,
    input  wire [       PORTS-1:0] out_barrier_credit_i,
    input  wire [     PORTS*7-1:0] out_count_i,
    // configuration (§3)
    input  wire                    cfg_write_i,
    input  wire                    cfg_read_i,
    input  wire [            19:0] cfg_addr_i,
    input  wire [            15:0] cfg_wdata_i,
    output wire [            15:0] cfg_rdata_o,
    // 1: nothing can change until an input is active (§2.10)
    output reg                     quiescent_o
);

  localparam GRANT_STAGES = BUFFER_CYCLES;  // D of §2.1
  localparam BARRIER_MOVING = 3, BARRIER_QUEUED = 4, BARRIER_RESERVED = 5;  // §7.1
  localparam ADAPTIVE_WAYS = 3;  // §10.1
  localparam THROUGH = (BARRIER == BARRIER_MOVING) || (BARRIER == BARRIER_QUEUED) || (BARRIER == BARRIER_RESERVED);
  localparam LEAST_DEPTH = ((DATA_W == 16) ? 2 : 1) + ((BARRIER == BARRIER_MOVING) ? 2 : 0);
  localparam HEADER_W = 2 + $clog2(NODES) * ((SOURCE_TABLE == 0) ? 1 : 2);

  function integer ones(input [31:0] word);
    integer i;
    begin
      ones = 0;
      for (i = 0; i < 32; i = i + 1) if (word[i]) ones = ones + 1;
    end
  endfunction

  localparam MESSAGE_W = (VALUES != 0) ? 64 : 32;  // bits of a barrier message (§8.1)
  localparam PLACE_W = (CODE_PLACES > 1) ? $clog2(CODE_PLACES) : 1;
  localparam CODE_W = HEADER_W + 6 + PLACE_W;  // bits of header and code field (§11.2)

  // Illegal parameters end elaboration in every tool: the name of a missing module says what is wrong and what would be
  // right. LEGAL_PORTS is 0 then, so that no other message appears.
  localparam MOST_NODES = (ROUTE == 0) ? 2048 : 65536;
  localparam LEAST_ROUTE_CYCLES = (ROUTE == 0) ? 1 : 0;
  localparam ROUTE_MESH = 1, ROUTE_TORUS = 2, ROUTE_HYPERCUBE = 3, ROUTE_DIGITS = 4;  // §12.1
  localparam COORDINATES = (ROUTE == ROUTE_MESH) || (ROUTE == ROUTE_TORUS);
  localparam LEGAL_FIELDS = !COORDINATES || ((FIELDS % 2 == 1) && (FIELDS < (1 << $clog2(NODES))));
  localparam LEAST_PORTS = COORDINATES ? 1 + 2 * ones(FIELDS) : (ROUTE == ROUTE_HYPERCUBE) ? 1 + $clog2(NODES) : 2;
  localparam LEGAL = (PORTS >= 2) && (VCS >= 1) && (ARB_CYCLES >= 1) && (ROUTE_CYCLES >= LEAST_ROUTE_CYCLES) &&
      (NODES <= MOST_NODES) && (DATA_W >= HEADER_W) && LEGAL_FIELDS && (PORTS >= LEAST_PORTS) &&
      ((VALUES == 0) || (BARRIER == 0) || (DATA_W == 64));
  localparam LEGAL_PORTS = LEGAL ? PORTS : 0;
  localparam CODING = LEGAL && (CODE_PLACES >= 1) && (CODE_PLACES <= 256) && (DATA_W >= CODE_W);
  generate
    if (PORTS < 2 || PORTS > 16) begin : illegal_ports
      hd_switch_PORTS_must_be_2_to_16 illegal ();
    end
    if (VCS < 1 || VCS > 8) begin : illegal_vcs
      hd_switch_VCS_must_be_1_to_8 illegal ();
    end
    if (DATA_W != 16 && DATA_W != 32 && DATA_W != 64) begin : illegal_data_w
      hd_switch_DATA_W_must_be_16_or_32_or_64 illegal ();
    end
    if (DATA_W < HEADER_W) begin : illegal_header
      hd_switch_DATA_W_must_hold_the_header_2_plus_NODE_W_or_2_plus_2_NODE_W illegal ();
    end
    if (DEPTH < 1 || DEPTH > 64) begin : illegal_depth
      hd_switch_DEPTH_must_be_1_to_64 illegal ();
    end
    if (NODES < 2 || NODES > MOST_NODES) begin : illegal_nodes
      hd_switch_NODES_must_be_2_to_2048_or_to_65536_with_ROUTE illegal ();
    end
    if (ROUTE_CYCLES < LEAST_ROUTE_CYCLES || ROUTE_CYCLES > 2) begin : illegal_route_cycles
      hd_switch_ROUTE_CYCLES_must_be_1_to_2_or_0_to_2_with_ROUTE illegal ();
    end
    if (ARB_CYCLES < 1 || ARB_CYCLES > 2) begin : illegal_arb_cycles
      hd_switch_ARB_CYCLES_must_be_1_to_2 illegal ();
    end
    if (BUFFER_CYCLES < 0 || BUFFER_CYCLES > 1) begin : illegal_buffer_cycles
      hd_switch_BUFFER_CYCLES_must_be_0_to_1 illegal ();
    end
    if (CUT_FLITS < 0 || CUT_FLITS > DEPTH) begin : illegal_cut_flits
      hd_switch_CUT_FLITS_must_be_0_to_DEPTH illegal ();
    end
    if (SOURCE_TABLE < 0 || SOURCE_TABLE > 1) begin : illegal_source_table
      hd_switch_SOURCE_TABLE_must_be_0_to_1 illegal ();
    end
    if (ADAPTIVE < 0 || ADAPTIVE > 3) begin : illegal_adaptive
      hd_switch_ADAPTIVE_must_be_0_to_3 illegal ();
    end
    if (ADAPTIVE == ADAPTIVE_WAYS && SOURCE_TABLE == 0) begin : illegal_ways
      hd_switch_SOURCE_TABLE_must_be_1_with_ADAPTIVE_3 illegal ();
    end
    if (BARRIER < 0 || BARRIER > 5) begin : illegal_barrier
      hd_switch_BARRIER_must_be_0_to_5 illegal ();
    end
    if (BARRIER == BARRIER_RESERVED && VCS < 2) begin : illegal_reserved
      hd_switch_BARRIER_must_not_be_5_with_one_VC illegal ();
    end
    if (THROUGH && DEPTH < LEAST_DEPTH) begin : illegal_barrier_depth
      hd_switch_DEPTH_must_hold_a_barrier_message_and_2_more_for_BARRIER_3 illegal ();
    end
    if (GROUPS < 1 || GROUPS > 32) begin : illegal_groups
      hd_switch_GROUPS_must_be_1_to_32 illegal ();
    end
    if (SWITCHES < 2 || SWITCHES > 2048) begin : illegal_switches
      hd_switch_SWITCHES_must_be_2_to_2048 illegal ();
    end
    if (VALUES < 0 || VALUES > 1) begin : illegal_values
      hd_switch_VALUES_must_be_0_to_1 illegal ();
    end
    if (VALUES != 0 && BARRIER != 0 && DATA_W != 64) begin : illegal_value_width
      hd_switch_DATA_W_must_be_64_with_VALUES illegal ();
    end
    if (CODE_PLACES < 0 || CODE_PLACES > 256) begin : illegal_code_places
      hd_switch_CODE_PLACES_must_be_0_to_256 illegal ();
    end
    if (CODE_CYCLES < 0 || CODE_CYCLES > 63) begin : illegal_code_cycles
      hd_switch_CODE_CYCLES_must_be_0_to_63 illegal ();
    end
    if (CODE_PLACES != 0 && PORTS > 15) begin : illegal_code_ports
      hd_switch_PORTS_must_be_at_most_15_with_CODE_PLACES illegal ();
    end
    if (CODE_PLACES != 0 && DATA_W < CODE_W) begin : illegal_code_field
      hd_switch_DATA_W_must_hold_header_and_code_field_HEADER_W_plus_6_plus_PLACE_W illegal ();
    end
    if (ROUTE < 0 || ROUTE > 4) begin : illegal_route
      hd_switch_ROUTE_must_be_0_to_4 illegal ();
    end
    if (FIELDS < 1 || FIELDS > 65535 || !LEGAL_FIELDS) begin : illegal_fields
      hd_switch_FIELDS_must_be_1_to_65535_and_with_ROUTE_1_or_2_odd_and_below_2_to_NODE_W illegal ();
    end
    if (PORTS < LEAST_PORTS) begin : illegal_dimensions
      hd_switch_PORTS_must_be_2_for_each_dimension_and_1_or_NODE_W_and_1_with_ROUTE_3 illegal ();
    end
    if (ROUTE != 0 && ADAPTIVE != 0) begin : illegal_sets
      hd_switch_ADAPTIVE_must_be_0_with_ROUTE illegal ();
    end
    if (ROUTE != 0 && ROUTE != ROUTE_DIGITS && SOURCE_TABLE != 0) begin : illegal_source
      hd_switch_SOURCE_TABLE_must_be_0_with_ROUTE_1_to_3 illegal ();
    end
    if (TREES < 0 || TREES > 32) begin : illegal_trees
      hd_switch_TREES_must_be_0_to_32 illegal ();
    end
    if (TREES != 0 && (ROUTE != 0 || SOURCE_TABLE != 0 || ADAPTIVE != 0 || ARB_CYCLES != 1 || CODE_PLACES != 0)) begin : illegal_multicast
      hd_switch_ROUTE_SOURCE_TABLE_ADAPTIVE_CODE_PLACES_must_be_0_and_ARB_CYCLES_1_with_TREES illegal ();
    end
    if (VC_W != ((VCS > 1) ? $clog2(VCS) : 1)) begin : illegal_vc_w
      hd_switch_VC_W_is_derived_and_must_not_be_set illegal ();
    end
  endgenerate

  // configuration bus
  localparam [4:0] REG_ERRORS = 5'd8;
  wire clear = cfg_write_i && (cfg_addr_i == {15'd0, REG_ERRORS});
  localparam ERROR_W = CODING ? 16 : (BARRIER == 0) ? 7 : 12;
  wire [ERROR_W-1:0] errors;
  wire [15:0] idle, idle_next;
  wire [10:0] self;
  wire [PORTS-1:0] live;
  wire [VCS-1:0] adapt;
  wire [3:0] cap;
  wire [PORTS-1:0] firsts;
  wire [9:0] bias;
  wire [$clog2(NODES)-1:0] own, farthest, below;
  wire [15:0] digits;
  wire [2:0] cast;
  hd_config #(
      .PORTS(PORTS),
      .VCS(VCS),
      .DATA_W(DATA_W),
      .DEPTH(DEPTH),
      .NODES(NODES),
      .ROUTE_CYCLES(ROUTE_CYCLES),
      .ARB_CYCLES(ARB_CYCLES),
      .BUFFER_CYCLES(BUFFER_CYCLES),
      .CUT_FLITS(CUT_FLITS),
      .SOURCE_TABLE(SOURCE_TABLE),
      .ADAPTIVE(ADAPTIVE),
      .BARRIER(BARRIER),
      .GROUPS(GROUPS),
      .SWITCHES(SWITCHES),
      .VALUES(VALUES),
      .CODE_PLACES(CODE_PLACES),
      .CODE_CYCLES(CODE_CYCLES),
      .ROUTE(ROUTE),
      .FIELDS(FIELDS),
      .TREES(TREES),
      .ERROR_W(ERROR_W)
  ) u_config (
      .clk(clk),
      .rst(rst),
      .write_i(cfg_write_i),
      .read_i(cfg_read_i),
      .addr_i(cfg_addr_i),
      .wdata_i(cfg_wdata_i),
      .rdata_o(cfg_rdata_o),
      .errors_i(errors),
      .idle_i(idle),
      .self_i(self),
      .live_i(live),
      .adapt_o(adapt),
      .cap_o(cap),
      .first_o(firsts),
      .bias_o(bias),
      .own_o(own),
      .far_o(farthest),
      .below_o(below),
      .digits_o(digits),
      .cast_o(cast)
  );

  // Wires between ports. A wire with F bits a port has those of port p in [p*F+:F], port 0 lowest; channel v of a
  // port is bit v of its F. The sources of a request are the input ports and, above them, the coder.
  localparam SOURCES = PORTS + (CODING ? 1 : 0);

  // requests of the sources: output ports (one, or several for multicast); channels that fit; a packet begins, ends
  wire [PORTS*PORTS-1:0] request;
  wire coder_request;  // the coder requests output port 0 only
  wire [SOURCES*VCS-1:0] fit;
  wire [SOURCES-1:0] starts, tail;
  // answers of the output ports: granted source (at most one); the channel that each source would get
  wire [PORTS*SOURCES-1:0] grants;
  wire [PORTS*SOURCES*VCS-1:0] offers;
  // answers to the sources; an offer does not wait for the grant, which comes late
  reg [SOURCES-1:0] grant;
  reg [SOURCES*VCS-1:0] offer;
  // flits at the crossbar
  wire [SOURCES*3-1:0] cross_kind;
  wire [SOURCES*DATA_W-1:0] cross_data;
  // state of the output ports: channels that have a credit; channels free for a new packet; credits
  wire [PORTS*VCS-1:0] credited, free;
  wire [PORTS*VCS*7-1:0] credits;
  // adaptive routing (§10): comparisons of output ports; packets accepted, packets that left; counts of the neighbours
  wire [PORTS*PORTS-1:0] freer;
  wire adapt_some;
  wire [PORTS-1:0] decides;  // input ports whose packets decide between two ways (§10.9)
  wire [PORTS-1:0] accepted;
  wire [PORTS*2*VCS-1:0] left;
  wire [13:0] packets;  // N of §10.8
  wire [6:0] shown;
  wire [PORTS*6-1:0] neighbours;
  // barrier messages (§7, §8): queues of the input ports, the unit, slots of the output ports
  wire [PORTS-1:0] messages_some, popped;
  wire [PORTS*MESSAGE_W-1:0] messages;
  wire [MESSAGE_W-1:0] message;
  wire [PORTS-1:0] slots, may_start, put;
  // unfinished work (§2.10), errors (§2.8)
  wire [PORTS-1:0] in_busy, out_busy, count_comes;
  wire unit_busy, coder_busy;
  wire [PORTS*7-1:0] in_errors;
  wire [PORTS*2-1:0] barrier_errors;
  wire [PORTS-1:0] credit_errors;
  wire [4:0] unit_errors;
  wire [3:0] coder_errors;

`ifdef FORMAL
  wire [PORTS*16-1:0] f_inside;  // packets in each input port (§10.8)
  wire [VCS-1:0] f_coder_owned;  // the channel of output port 0 that the coder's packet owns
`endif

  genvar p, o, v;
  generate
    for (p = 0; p < LEGAL_PORTS; p = p + 1) begin : in
      // grants by output port; without multicast at most one port grants, and bit 0 stands for it
      wire [PORTS-1:0] granted;
      if (TREES != 0) begin : by_ports
        for (o = 0; o < PORTS; o = o + 1) begin : by
          assign granted[o] = grants[o*SOURCES+p];
        end
      end else begin : by_one
        assign granted = {{(PORTS - 1) {1'b0}}, grant[p]};
      end
      wire [7*VCS-1:0] occupancies;
      wire [2*VCS-1:0] states;
      wire [4*VCS-1:0] oports;
      wire [3*VCS-1:0] ovcs;
      wire [2:0] next;
      wire [VCS-1:0] preempted_vcs;
      wire [1:0] queued;
      wire [15:0] generator;
      hd_input_port #(
          .PORTS(PORTS),
          .VCS(VCS),
          .VC_W(VC_W),
          .DATA_W(DATA_W),
          .DEPTH(DEPTH),
          .NODES(NODES),
          .ROUTE_CYCLES(ROUTE_CYCLES),
          .GRANT_STAGES(GRANT_STAGES),
          .SOURCE_TABLE(SOURCE_TABLE),
          .ADAPTIVE(ADAPTIVE),
          .BARRIER(BARRIER),
          .VALUES(VALUES),
          .ARB_CYCLES(ARB_CYCLES),
          .ROUTE(ROUTE),
          .FIELDS(FIELDS),
          .TREES(TREES),
          .PORT(p[3:0])
      ) u_port (
          .clk(clk),
          .rst(rst),
          .valid_i(in_valid_i[p]),
          .kind_i(in_kind_i[p*3+:3]),
          .vc_i(in_vc_i[p*VC_W+:VC_W]),
          .data_i(in_data_i[p*DATA_W+:DATA_W]),
          .credit_o(in_credit_o[p*VCS+:VCS]),
          .cfg_write_i(cfg_write_i),
          .cfg_addr_i(cfg_addr_i),
          .cfg_wdata_i(cfg_wdata_i),
          .cfg_clear_i(clear),
          .errors_o(in_errors[p*7+:7]),
          .credit_i(credited),
          .free_i(free),
          .adapt_i(adapt),
          .freer_i(freer),
          .adapt_some_i((ADAPTIVE == ADAPTIVE_WAYS) ? decides[p] : adapt_some),
          .own_i(own),
          .far_i(farthest),
          .below_i(below),
          .digits_i(digits),
          .cast_i(cast),
          .request_o(request[p*PORTS+:PORTS]),
          .fit_o(fit[p*VCS+:VCS]),
          .starts_o(starts[p]),
          .tail_o(tail[p]),
          .grants_i(granted),
          .taken_i(offer[p*VCS+:VCS]),
          .cross_kind_o(cross_kind[p*3+:3]),
          .cross_data_o(cross_data[p*DATA_W+:DATA_W]),
          .message_some_o(messages_some[p]),
          .message_o(messages[p*MESSAGE_W+:MESSAGE_W]),
          .message_pop_i(popped[p]),
          .barrier_credit_o(in_barrier_credit_o[p]),
          .barrier_errors_o(barrier_errors[p*2+:2]),
          .accepted_o(accepted[p]),
          .left_o(left[p*2*VCS+:2*VCS]),
          .busy_o(in_busy[p]),
          .occupancy_o(occupancies),
          .state_o(states),
          .oport_o(oports),
          .ovc_o(ovcs),
          .next_o(next),
          .preempted_o(preempted_vcs),
          .queued_o(queued),
          .generator_o(generator)
`ifdef FORMAL
          ,
          .f_inside_o(f_inside[p*16+:16])
`endif
      );
      for (v = 0; v < VCS; v = v + 1) begin : vc
        wire [6:0] occupancy = occupancies[v*7+:7];
        wire [1:0] state = states[v*2+:2];
        wire [3:0] oport = oports[v*4+:4];
        wire [2:0] ovc = ovcs[v*3+:3];
        wire preempted = preempted_vcs[v];
        wire unused_view = &{1'b0, occupancy, state, oport, ovc, preempted};
      end
      wire unused_view = &{1'b0, next, queued, generator};
    end
  endgenerate

  generate
    for (o = 0; o < LEGAL_PORTS; o = o + 1) begin : out
      localparam REQUESTERS = (o == 0) ? SOURCES : PORTS;
      wire [REQUESTERS-1:0] requests, granted;
      wire [REQUESTERS*VCS-1:0] offered;
      for (p = 0; p < PORTS; p = p + 1) begin : from
        assign requests[p] = request[p*PORTS+o];
      end
      if (REQUESTERS > PORTS) begin : from_coder
        assign requests[PORTS] = coder_request;
      end
      assign grants[o*SOURCES+:SOURCES] = {{(SOURCES - REQUESTERS) {1'b0}}, granted};
      assign offers[o*SOURCES*VCS+:SOURCES*VCS] = {{(SOURCES - REQUESTERS) * VCS{1'b0}}, offered};
      wire [7*VCS-1:0] counts;
      wire [VCS-1:0] owners;
      wire [3:0] next;
      wire [2:0] vc_next;
      wire slot = slots[o];
      wire second, preempting;
      wire [2:0] preempt_vc, preempt_next, burst;
      wire [4:0] rest;
      wire [1:0] barrier_credit;
`ifdef FORMAL
      wire f_sends;
`endif
      hd_output_port #(
          .PORTS(REQUESTERS),
          .VCS(VCS),
          .VC_W(VC_W),
          .DATA_W(DATA_W),
          .DEPTH(DEPTH),
          .CUT_FLITS(CUT_FLITS),
          .BARRIER(BARRIER),
          .VALUES(VALUES),
          .ARB_CYCLES(ARB_CYCLES),
          .GRANT_STAGES(GRANT_STAGES)
      ) u_port (
          .clk(clk),
          .rst(rst),
          .request_i(requests),
          .fit_i(fit[REQUESTERS*VCS-1:0]),
          .starts_i(starts[REQUESTERS-1:0]),
          .tail_i(tail[REQUESTERS-1:0]),
          .grant_o(granted),
          .offer_o(offered),
          .credit_o(credited[o*VCS+:VCS]),
          .free_o(free[o*VCS+:VCS]),
          .cross_kind_i(cross_kind[REQUESTERS*3-1:0]),
          .cross_data_i(cross_data[REQUESTERS*DATA_W-1:0]),
          .put_i(put[o]),
          .message_i(message),
          .slot_o(slots[o]),
          .may_start_o(may_start[o]),
          .idle_next_i(idle_next),
          .valid_o(out_valid_o[o]),
          .kind_o(out_kind_o[o*3+:3]),
          .vc_o(out_vc_o[o*VC_W+:VC_W]),
          .data_o(out_data_o[o*DATA_W+:DATA_W]),
          .credit_i(out_credit_i[o*VCS+:VCS]),
          .barrier_credit_i(out_barrier_credit_i[o]),
          .clear_i(clear && cfg_wdata_i[5]),
          .error_o(credit_errors[o]),
          .busy_o(out_busy[o]),
          .count_o(counts),
          .owned_o(owners),
          .next_o(next),
          .vc_next_o(vc_next),
          .second_o(second),
          .preempting_o(preempting),
          .preempt_vc_o(preempt_vc),
          .preempt_next_o(preempt_next),
          .burst_o(burst),
          .rest_o(rest),
          .barrier_credit_o(barrier_credit)
`ifdef FORMAL
          ,
          .f_sends_o(f_sends)
`endif
      );
      assign credits[o*VCS*7+:VCS*7] = counts;
      assign count_comes[o] = (ADAPTIVE == 2) && out_count_i[o*7+6];
      for (v = 0; v < VCS; v = v + 1) begin : vc
        wire [6:0] credit = counts[v*7+:7];
        wire owned = owners[v];
        wire unused_view = &{1'b0, credit, owned};
      end
      wire [5:0] count = neighbours[o*6+:6];
      wire unused_view = &{1'b0, next, vc_next, count};
      wire unused_barrier = &{1'b0, slot, second, preempting, preempt_vc, preempt_next, burst, rest, barrier_credit};
    end
  endgenerate

  // One output port answers a source. For multicast several answer, with the same channel (§13.4). All others answer
  // 0.
  integer a;
  always @* begin
    grant = {SOURCES{1'b0}};
    offer = {SOURCES * VCS{1'b0}};
    for (a = 0; a < PORTS; a = a + 1) begin
      grant = grant | grants[a*SOURCES+:SOURCES];
      offer = offer | offers[a*SOURCES*VCS+:SOURCES*VCS];
    end
  end

  generate
    if (ADAPTIVE == 1) begin : by_credits
      hd_free_credits #(
          .PORTS(PORTS),
          .VCS(VCS)
      ) u_free (
          .clk(clk),
          .rst(rst),
          .count_i(credits),
          .adapt_i(adapt),
          .cap_i(cap),
          .freer_o(freer),
          .adapt_some_o(adapt_some)
      );
    end else if (ADAPTIVE == 2) begin : by_counts
      hd_neighbour_counts #(
          .PORTS(PORTS),
          .VCS(VCS)
      ) u_counts (
          .clk(clk),
          .rst(rst),
          .count_i(out_count_i),
          .adapt_i(adapt),
          .freer_o(freer),
          .adapt_some_o(adapt_some),
          .count_o(neighbours)
      );
      hd_packet_count #(
          .PORTS(PORTS),
          .VCS(VCS),
          .DEPTH(DEPTH)
      ) u_packets (
          .clk(clk),
          .rst(rst),
          .accepted_i(accepted),
          .left_i(left),
          .packets_o(packets),
          .shown_o(shown)
      );
    end else if (ADAPTIVE == ADAPTIVE_WAYS) begin : by_ways
      hd_way_choice #(
          .PORTS(PORTS),
          .VCS(VCS),
          .DEPTH(DEPTH)
      ) u_ways (
          .clk(clk),
          .rst(rst),
          .count_i(credits),
          .first_i(firsts),
          .bias_i(bias),
          .nearer_o(freer),
          .first_o(decides)
      );
      assign adapt_some = 1'b0;
    end else begin : not_adaptive
      assign freer = {PORTS * PORTS{1'b0}};
      assign adapt_some = 1'b0;
    end
    if (ADAPTIVE != ADAPTIVE_WAYS) begin : one_way
      assign decides = {PORTS{1'b0}};
    end
    if (ADAPTIVE != 2) begin : no_counts
      assign neighbours = {PORTS * 6{1'b0}};
      assign packets = 14'd0;
      assign shown = 7'd0;
    end
  endgenerate
  assign in_count_o = {PORTS{shown}};
  wire unused_adaptive = &{1'b0, credits, cap, firsts, bias, decides, adapt_some, accepted, left, out_count_i, packets};

  generate
    if (BARRIER != 0) begin : unit
      wire act;
      wire [4:0] turn;
      wire [3:0] spread;
      hd_barrier_unit #(
          .PORTS(PORTS),
          .GROUPS(GROUPS),
          .SWITCHES(SWITCHES),
          .VALUES(VALUES)
      ) u_unit (
          .clk(clk),
          .rst(rst),
          .some_i(messages_some),
          .messages_i(messages),
          .pop_o(popped),
          .slot_i(slots),
          .may_start_i(may_start),
          .put_o(put),
          .message_o(message),
          .cfg_write_i(cfg_write_i),
          .cfg_addr_i(cfg_addr_i),
          .cfg_wdata_i(cfg_wdata_i),
          .idle_o(idle),
          .idle_next_o(idle_next),
          .self_o(self),
          .live_o(live),
          .errors_o(unit_errors),
          .busy_o(unit_busy),
          .act_o(act),
          .turn_o(turn),
          .spread_o(spread)
      );
      wire unused_view = &{1'b0, act, turn, spread};
    end else begin : no_unit
      assign popped = {PORTS{1'b0}};
      assign put = {PORTS{1'b0}};
      assign message = {MESSAGE_W{1'b0}};
      assign idle = 16'd0;
      assign idle_next = 16'd0;
      assign self = 11'd0;
      assign live = {PORTS{1'b0}};
      assign unit_errors = 5'd0;
      assign unit_busy = 1'b0;
      wire unused_unit = &{1'b0, messages_some, messages, slots, may_start};
    end
  endgenerate

  generate
    if (CODING) begin : coder
      wire [8:0] waiting;
      wire [7:0] next;
      wire picked, sending;
      wire [3:0] flit;
      wire [VCS-1:0] owned;
      hd_coder #(
          .CODE_PLACES(CODE_PLACES),
          .CODE_CYCLES(CODE_CYCLES),
          .VCS(VCS),
          .VC_W(VC_W),
          .DATA_W(DATA_W),
          .HEADER_W(HEADER_W),
          .GRANT_STAGES(GRANT_STAGES),
          .BARRIER(BARRIER)
      ) u_coder (
          .clk(clk),
          .rst(rst),
          .valid_i(out_valid_o[0]),
          .kind_i(out_kind_o[2:0]),
          .vc_i(out_vc_o[VC_W-1:0]),
          .data_i(out_data_o[DATA_W-1:0]),
          .credit_i(credited[VCS-1:0]),
          .free_i(free[VCS-1:0]),
          .request_o(coder_request),
          .fit_o(fit[PORTS*VCS+:VCS]),
          .starts_o(starts[PORTS]),
          .tail_o(tail[PORTS]),
          .grant_i(grant[PORTS]),
          .taken_i(offer[PORTS*VCS+:VCS]),
          .owned_o(owned),
          .cross_kind_o(cross_kind[PORTS*3+:3]),
          .cross_data_o(cross_data[PORTS*DATA_W+:DATA_W]),
          .cfg_write_i(cfg_write_i),
          .cfg_addr_i(cfg_addr_i),
          .cfg_wdata_i(cfg_wdata_i[1:0]),
          .clear_i(cfg_wdata_i[15:12] & {4{clear}}),
          .errors_o(coder_errors),
          .busy_o(coder_busy),
          .waiting_o(waiting),
          .next_o(next),
          .picked_o(picked),
          .sending_o(sending),
          .flit_o(flit)
      );
      wire unused_view = &{1'b0, waiting, next, picked, sending, flit, owned};
`ifdef FORMAL
      assign f_coder_owned = owned;
`endif
    end else begin : no_coder
      assign coder_request = 1'b0;
      assign coder_errors = 4'd0;
      assign coder_busy = 1'b0;
      wire unused_coder = coder_request;
`ifdef FORMAL
      assign f_coder_owned = {VCS{1'b0}};
`endif
    end
  endgenerate

  // error register (§2.8, §8.7, §11.9): each port holds its own bits
  reg [15:0] all_errors;
  assign errors = all_errors[ERROR_W-1:0];
  wire unused_errors = &{1'b0, all_errors};
  integer e;
  always @* begin
    all_errors = {coder_errors, 12'd0};
    all_errors[5] = credit_errors != {PORTS{1'b0}};
    for (e = 0; e < PORTS; e = e + 1) all_errors[6:0] = all_errors[6:0] | in_errors[e*7+:7];
    if (BARRIER != 0) begin
      all_errors[11:7] = unit_errors;
      for (e = 0; e < PORTS; e = e + 1) begin
        all_errors[0]  = all_errors[0] | barrier_errors[e*2];
        all_errors[10] = all_errors[10] | barrier_errors[e*2+1];
      end
    end
  end

  always @(posedge clk)
    if (rst) quiescent_o <= 1'b1;
    else
      quiescent_o <= !(|in_valid_i) && !(|out_credit_i) && !cfg_write_i && !cfg_read_i &&
          !(|in_busy) && !(|out_busy) && !unit_busy && !coder_busy &&
          !((BARRIER != 0) && (|out_barrier_credit_i)) && !(|count_comes) && !shown[6];

`ifdef FORMAL
  // 1 §2.10: quiescent_o is 1 exactly when §2.10 says so, and a quiescent switch is empty. tb/formal.sh then
  //   shows, for every register, that it keeps its value while the switch is quiescent and its inputs are
  //   idle.
  // 2 §2.5: an output virtual channel is owned exactly when one open input virtual
  //   channel goes through it, or the coder (§11.6), and never by two
  // 3 §10.8: the count of packets is that of those that are inside, at most PORTS * VCS * (DEPTH + 1)
  reg f_started = 1'b0;
  always @(posedge clk) f_started <= 1'b1;
  wire [PORTS-1:0] f_comes;  // a count comes (§10.8)
  generate
    for (o = 0; o < PORTS; o = o + 1) begin : f_count
      assign f_comes[o] = (ADAPTIVE == 2) && out_count_i[o*7+6];
    end
  endgenerate
  wire f_idle_inputs = !rst && (in_valid_i == 0) && (out_credit_i == 0) &&
      ((BARRIER == 0) || (out_barrier_credit_i == 0)) && (f_comes == 0) && !cfg_write_i && !cfg_read_i;
  (* keep *) wire f_quiescent_and_idle = f_started && quiescent_o && f_idle_inputs;
  reg f_quiescent_q = 1'b1;
  reg [PORTS*VCS*7-1:0] f_credits_q;
  reg [VCS-1:0] f_adapt_q;
  reg [3:0] f_cap_q;
  reg [PORTS+9:0] f_ways_q;
  reg [PORTS*6-1:0] f_neighbours_q;
  reg [13:0] f_packets_q;
  reg [15:0] f_all_inside;
  integer f_k;
  always @(posedge clk) begin
    f_credits_q <= rst ? {PORTS * VCS{DEPTH[6:0]}} : credits;
    f_adapt_q <= rst ? {VCS{1'b0}} : adapt;
    f_cap_q <= rst ? 4'd0 : cap;
    f_ways_q <= rst ? {PORTS + 10{1'b0}} : {firsts, bias};
    f_neighbours_q <= rst ? {PORTS * 6{1'b0}} : neighbours;
    f_packets_q <= rst ? 14'd0 : packets;
  end
  reg [2:0] f_granted_q = 3'd0;  // 1: a grant was made 1, 2, 3 cycles ago
  wire [PORTS-1:0] f_occupied;
  // signals of §8.8
  wire [PORTS-1:0] f_sends, f_holds_message, f_preempts;
  wire f_barrier_empty = (f_holds_message == 0) && (f_preempts == 0) && (in_barrier_credit_o == 0) && !unit_busy;
  always @(posedge clk) begin
    f_granted_q <= rst ? 3'd0 : {f_granted_q[1:0], (grant != 0) || (f_sends != 0)};
    f_quiescent_q <= rst || (f_idle_inputs && (f_occupied == 0) && (out_valid_o == 0) &&
        (in_credit_o == 0) && (in_count_o == 0) && f_barrier_empty && !coder_busy &&
        ((f_granted_q & ~(~3'd0 << (GRANT_STAGES + 1))) == 3'd0));
  end
  wire [PORTS*VCS*PORTS*VCS-1:0] f_holds;  // [(o, w), (p, v)]: input channel (p, v) holds output channel (o, w)
  genvar w;
  generate
    for (p = 0; p < PORTS; p = p + 1) begin : f_in
      assign f_occupied[p] = in[p].occupancies != 0;
      assign f_sends[p] = out[p].f_sends;
      assign f_holds_message[p] = (in[p].queued != 0) || out[p].slot || out[p].second;
      assign f_preempts[p] = (in[p].preempted_vcs != 0) || out[p].preempting || (out[p].rest != 0);
      for (v = 0; v < VCS; v = v + 1) begin : vc
        for (o = 0; o < PORTS; o = o + 1) begin : out
          for (w = 0; w < VCS; w = w + 1) begin : vc
            assign f_holds[((o*VCS+w)*PORTS+p)*VCS+v] = (in[p].vc[v].state == 2'd1) &&
                (in[p].vc[v].oport == o) && (in[p].vc[v].ovc == w);
          end
        end
        always @*
          if (f_started && quiescent_o) assert (in[p].vc[v].occupancy == 7'd0);
      end
    end
    for (o = 0; o < PORTS; o = o + 1) begin : f_out
      for (w = 0; w < VCS; w = w + 1) begin : vc
        wire f_coder = (o == 0) && f_coder_owned[w];
        wire [PORTS*VCS-1:0] f_by = f_holds[(o*VCS+w)*PORTS*VCS+:PORTS*VCS];
        always @*
          if (f_started) begin
            assert (out[o].vc[w].owned == ((f_by != 0) || f_coder));
            assert (!f_coder || (f_by == 0));
            assert ((f_by & (f_by - 1'b1)) == 0);
          end
      end
    end
  endgenerate
  always @* begin
    if (!f_started) assume (rst);
    if (f_started) assert (quiescent_o == f_quiescent_q);
    // §10.4: choices use the credits, counts and ADAPT of the cycle before. In a quiescent switch these do not change.
    if (f_started && quiescent_o) assert (credits == f_credits_q && adapt == f_adapt_q && cap == f_cap_q);
    if (f_started && quiescent_o) assert ({firsts, bias} == f_ways_q);
    if (f_started && quiescent_o) assert (neighbours == f_neighbours_q && packets == f_packets_q);
    f_all_inside = 16'd0;
    for (f_k = 0; f_k < PORTS; f_k = f_k + 1) f_all_inside = f_all_inside + f_inside[f_k*16+:16];
    if (f_started && (ADAPTIVE == 2)) assert ({2'd0, packets} == f_all_inside);
    if (f_started) assert ((packets == f_packets_q) || (accepted != 0) || (in_credit_o != 0));
    if (f_started && quiescent_o) begin
      assert (in_busy == 0);
      assert (out_busy == 0);
      assert (in_credit_o == 0);
      assert (in_count_o == 0);
      assert (out_valid_o == 0);
    end
  end
`endif

endmodule

`default_nettype wire
