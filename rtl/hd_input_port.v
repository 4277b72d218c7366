// One input port: route pipeline, virtual channels, first step of allocation, and
// the way of a granted flit to the crossbar (§2.2-2.5).
// SPDX-License-Identifier: Apache-2.0
//
// Signals from the pins go straight into registers. Only a computed route may be made from them before that (§12.2).
// The flit of a grant in cycle s is at `cross_*` in s + 1 + D for the output port that granted it.
`default_nettype none

module hd_input_port #(
    parameter       PORTS        = 5,    // 2-16
    parameter       VCS          = 2,    // 1-8
    parameter       VC_W         = 1,    // max(1, clog2(VCS))
    parameter       DATA_W       = 16,   // 16, 32, 64
    parameter       DEPTH        = 4,    // 1-64
    parameter       NODES        = 64,   // 2-65536
    parameter       ROUTE_CYCLES = 1,    // 0-2
    parameter       GRANT_STAGES = 0,    // D of §2.1, 0-1
    parameter       SOURCE_TABLE = 0,    // 0-1
    parameter       ADAPTIVE     = 0,    // 0-3
    parameter       BARRIER      = 0,    // 0-5
    parameter       VALUES       = 0,    // 0-1
    parameter       ARB_CYCLES   = 1,    // 1-2
    parameter       ROUTE        = 0,    // 0-4
    parameter       FIELDS       = 1,    // §12.1
    parameter       TREES        = 0,    // 0-32
    parameter [3:0] PORT         = 4'd0, // this input port
    parameter       MESSAGE_W    = (VALUES != 0) ? 64 : 32  // derived, not to be set
) (
    input  wire                 clk,
    input  wire                 rst,
    // link: flits in, credits back
    input  wire                 valid_i,
    input  wire [          2:0] kind_i,
    input  wire [     VC_W-1:0] vc_i,
    input  wire [   DATA_W-1:0] data_i,
    output reg  [      VCS-1:0] credit_o,
    // configuration bus; cfg_clear_i 1: this write clears error bits
    input  wire                 cfg_write_i,
    input  wire [         19:0] cfg_addr_i,
    input  wire [         15:0] cfg_wdata_i,  // (bit 10 clears protocol)
    input  wire                 cfg_clear_i,
    // this port's bits of the error register, all but credit
    output wire [          6:0] errors_o,
    // output virtual channels, w of port o in bit o * VCS + w: with a credit; free for a new packet
    input  wire [PORTS*VCS-1:0] credit_i,
    input  wire [PORTS*VCS-1:0] free_i,
    // choice of a port (§10): channels allowed at a chosen port; comparisons of ports
    input  wire [      VCS-1:0] adapt_i,
    input  wire [PORTS*PORTS-1:0] freer_i,
    input  wire                 adapt_some_i,
    // registers that routes are computed from (§12.6)
    input  wire [$clog2(NODES)-1:0] own_i,
    input  wire [$clog2(NODES)-1:0] far_i,
    input  wire [$clog2(NODES)-1:0] below_i,
    input  wire [         15:0] digits_i,
    // CAST of §13.3
    input  wire [          2:0] cast_i,
    // request to the output ports (one bit; several for a multicast single); channels that fit; 1: the first flit, the
    // last flit of a packet
    output wire [    PORTS-1:0] request_o,
    output wire [      VCS-1:0] fit_o,
    output wire                 starts_o,
    output wire                 tail_o,
    // answer: grants by output port with TREES, otherwise at most one, in any bit; the output virtual channel
    input  wire [    PORTS-1:0] grants_i,
    input  wire [      VCS-1:0] taken_i,
    // to the crossbar
    output wire [          2:0] cross_kind_o,
    output wire [   DATA_W-1:0] cross_data_o,
    // barrier queue (§7.4); credit for it; error bits overflow, protocol
    output wire                 message_some_o,
    output wire [MESSAGE_W-1:0] message_o,
    input  wire                 message_pop_i,
    output wire                 barrier_credit_o,
    output wire [          1:0] barrier_errors_o,
    // in the last cycle (§10.8): 1: a head or single was accepted; for each channel: a flit that counts left, a packet
    // that was open or sinking left
    output wire                 accepted_o,
    output wire [    2*VCS-1:0] left_o,
    // 1: the port is not idle. It has a flit in a slot or on its way to the crossbar, a credit at the pins, a message
    // in the barrier queue or a preemption.
    output wire                 busy_o,
    // §6.5
    output wire [    7*VCS-1:0] occupancy_o,
    output wire [    2*VCS-1:0] state_o,
    output wire [    4*VCS-1:0] oport_o,
    output wire [    3*VCS-1:0] ovc_o,
    output wire [          2:0] next_o,
    output wire [      VCS-1:0] preempted_o,
    output wire [          1:0] queued_o,
    output wire [         15:0] generator_o
`ifdef FORMAL
    ,
    output reg  [         15:0] f_inside_o  // packets inside this port (§10.8)
`endif
);

  localparam PORT_W = $clog2(PORTS);
  localparam ROW_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam [VCS-1:0] NONE = {VCS{1'b0}};
  localparam [VCS-1:0] ONE = {{(VCS - 1) {1'b0}}, 1'b1};

  // arrival and routing
  localparam [2:0] KIND_NULL = 3'd7;  // §7.2
  localparam BARRIER_ANY = 1, BARRIER_FIXED = 2;  // §7.1
  localparam BESIDE = (BARRIER == BARRIER_ANY) || (BARRIER == BARRIER_FIXED);
  localparam THROUGH = (BARRIER != 0) && !BESIDE;
  localparam CHOOSING = (ADAPTIVE == 3) ? 0 : ADAPTIVE;  // port sets and their choice (§10.2)
  wire valid = valid_i && (!BESIDE || !kind_i[2] || (kind_i == KIND_NULL));
  wire [VCS-1:0] full;
  wire [VCS-1:0] first, second, push;
  wire [2:0] push_kind;
  wire [DATA_W-1:0] push_data;
  wire [PORT_W-1:0] push_port;
  wire [VCS-1:0] push_mask;
  wire push_turns, push_chosen;
  wire [PORT_W-1:0] push_chosen_port;
  wire [PORTS-1:0] push_branches;
  generate
    if (ROUTE == 0) begin : tables
      hd_route_unit #(
          .PORTS(PORTS),
          .VCS(VCS),
          .VC_W(VC_W),
          .DATA_W(DATA_W),
          .NODES(NODES),
          .ROUTE_CYCLES(ROUTE_CYCLES),
          .SOURCE_TABLE(SOURCE_TABLE),
          .ADAPTIVE(ADAPTIVE),
          .BARRIER(BARRIER),
          .TREES(TREES),
          .PORT(PORT)
      ) u_route (
          .clk(clk),
          .rst(rst),
          .valid_i(valid),
          .kind_i(kind_i),
          .vc_i(vc_i),
          .data_i(data_i),
          .full_i(full),
          .cfg_write_i(cfg_write_i),
          .cfg_addr_i(cfg_addr_i),
          .cfg_wdata_i(cfg_wdata_i),
          .cast_i(cast_i),
          .freer_i(freer_i),
          .adapt_some_i(adapt_some_i),
          .first_o(first),
          .first_head_o(accepted_o),
          .second_o(second),
          .push_o(push),
          .kind_o(push_kind),
          .data_o(push_data),
          .port_o(push_port),
          .mask_o(push_mask),
          .turns_o(push_turns),
          .chosen_o(push_chosen),
          .chosen_port_o(push_chosen_port),
          .branches_o(push_branches),
          .generator_o(generator_o)
      );
      wire unused_computed = &{1'b0, own_i, far_i, below_i, digits_i};
    end else begin : computed
      hd_computed_unit #(
          .PORTS(PORTS),
          .VCS(VCS),
          .VC_W(VC_W),
          .DATA_W(DATA_W),
          .NODES(NODES),
          .ROUTE_CYCLES(ROUTE_CYCLES),
          .ROUTE(ROUTE),
          .FIELDS(FIELDS),
          .SOURCE_TABLE(SOURCE_TABLE),
          .BARRIER(BARRIER)
      ) u_route (
          .clk(clk),
          .rst(rst),
          .valid_i(valid),
          .kind_i(kind_i),
          .vc_i(vc_i),
          .data_i(data_i),
          .full_i(full),
          .own_i(own_i),
          .far_i(far_i),
          .below_i(below_i),
          .digits_i(digits_i),
          .first_o(first),
          .second_o(second),
          .push_o(push),
          .kind_o(push_kind),
          .data_o(push_data),
          .port_o(push_port),
          .mask_o(push_mask)
      );
      assign accepted_o = 1'b0;  // (counts are for ADAPTIVE alone)
      assign push_turns = 1'b0;
      assign push_chosen = 1'b0;
      assign push_chosen_port = {PORT_W{1'b0}};
      assign push_branches = {PORTS{1'b0}};
      assign generator_o = 16'd0;
      wire unused_tables = &{1'b0, cfg_write_i, cfg_addr_i, cfg_wdata_i, freer_i, adapt_some_i, cast_i};
    end
  endgenerate

  // virtual channels
  wire grant = grants_i != {PORTS{1'b0}};
  wire [VCS-1:0] granted;  // by virtual channel
  wire [VCS-1:0] request, starts, turns, discard, busy, pick, special, take, padding, keeps;
  wire [VCS*PORTS-1:0] port, after_port;
  wire [VCS*VCS-1:0] fit, mask, after_mask;
  wire [VCS-1:0] stands, asks, after, after_starts;
  wire asking;  // 1: the channel in `pick` requests an output port
  wire [VCS*3-1:0] kind;
  wire [VCS*DATA_W-1:0] data;
  wire [VCS*ROW_W-1:0] front_rows, push_rows;
  wire [VCS*4-1:0] vc_errors;
`ifdef FORMAL
  wire [VCS*8-1:0] f_inside;
`endif
  genvar v;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : vc
      hd_input_vc #(
          .PORTS(PORTS),
          .VCS(VCS),
          .DATA_W(DATA_W),
          .DEPTH(DEPTH),
          .SOURCE_TABLE(SOURCE_TABLE),
          .ADAPTIVE(CHOOSING),
          .BARRIER(BARRIER),
          .ARB_CYCLES(ARB_CYCLES),
          .TREES(TREES)
      ) u_vc (
          .clk(clk),
          .rst(rst),
          .first_i(first[v]),
          .second_i(second[v]),
          .push_i(push[v]),
          .kind_i(push_kind),
          .data_i(push_data),
          .port_i(push_port),
          .mask_i(push_mask),
          .turns_i(push_turns),
          .chosen_i(push_chosen),
          .chosen_port_i(push_chosen_port),
          .branches_i(push_branches),
          .adapt_i(adapt_i),
          .credit_i(credit_i),
          .free_i(free_i),
          .port_o(port[v*PORTS+:PORTS]),
          .fit_o(fit[v*VCS+:VCS]),
          .starts_o(starts[v]),
          .mask_o(mask[v*VCS+:VCS]),
          .asked_port_i(request_o),
          .stands_o(stands[v]),
          .asks_o(asks[v]),
          .after_o(after[v]),
          .after_port_o(after_port[v*PORTS+:PORTS]),
          .after_mask_o(after_mask[v*VCS+:VCS]),
          .after_starts_o(after_starts[v]),
          .kind_o(kind[v*3+:3]),
          .data_o(data[v*DATA_W+:DATA_W]),
          .turns_o(turns[v]),
          .front_row_o(front_rows[v*ROW_W+:ROW_W]),
          .push_row_o(push_rows[v*ROW_W+:ROW_W]),
          .grants_i(grants_i),
          .pick_i(pick[v]),
          .granted_o(granted[v]),
          .taken_i(taken_i),
          .stays_o(keeps[v]),
          .preempted_i(preempted_o[v]),
          .special_o(special[v]),
          .take_i(take[v]),
          .padding_o(padding[v]),
          .discard_o(discard[v]),
          .errors_o(vc_errors[v*4+:4]),
          .full_o(full[v]),
          .busy_o(busy[v]),
          .occupancy_o(occupancy_o[v*7+:7]),
          .state_o(state_o[v*2+:2]),
          .oport_o(oport_o[v*4+:4]),
          .ovc_o(ovc_o[v*3+:3])
`ifdef FORMAL
          ,
          .f_inside_o(f_inside[v*8+:8])
`endif
      );
      assign request[v] = fit[v*VCS+:VCS] != NONE;
    end
  endgenerate

  // First step of allocation (§2.5). With two cycles it is made for the next cycle. The grant comes late, so both cases
  // are prepared: that the present request is granted, and that it is not.
  wire [ARB_CYCLES*VCS-1:0] eligible, picks;
  wire [ARB_CYCLES-1:0] set;
  wire advance;
  hd_rr_arbiter #(
      .N(VCS),
      .NEXT_W(3),
      .SETS(ARB_CYCLES)
  ) u_arbiter (
      .clk(clk),
      .rst(rst),
      .req_i(eligible),
      .pick_o(picks),
      .advance_i(advance),
      .set_i(set),
      .next_o(next_o)
  );
  reg [PORTS-1:0] picked_port;
  reg [VCS-1:0] picked_fit;
  reg [2:0] picked_kind;
  reg [DATA_W-1:0] picked_data;  // THROUGH: data of the picked front
  reg picked_starts;
  generate
    if (ARB_CYCLES == 2) begin : two
      reg [VCS-1:0] ask_q;  // the channel that asks (one bit)
      reg [PORTS-1:0] port_q;  // the output port that it asks for (one bit)
      reg [VCS-1:0] mask_q;
      reg starts_q;
      wire [VCS-1:0] stays = ask_q & request;
      wire [VCS-1:0] others = (request & ~ask_q) | (after & ask_q);
      wire [VCS-1:0] if_granted, pick_anew;
      wire [VCS-1:0] waits = (request != NONE) ? NONE : ask_q & asks;
      wire [VCS-1:0] if_not = ((stays != NONE) ? stays : pick_anew) | waits;
      assign eligible = {others, request};
      assign {if_granted, pick_anew} = picks;
      assign set = grant ? 2'b10 : 2'b01;
      assign advance = grant ? others != NONE : (request != NONE) && (stays == NONE);
      integer k;
      reg [PORTS-1:0] granted_port, other_port;
      reg [VCS-1:0] granted_mask, other_mask;
      always @* begin
        granted_port = {PORTS{1'b0}};
        granted_mask = NONE;
        other_port   = {PORTS{1'b0}};
        other_mask   = NONE;
        for (k = 0; k < VCS; k = k + 1) begin
          granted_port = granted_port |
              ({PORTS{if_granted[k]}} & (ask_q[k] ? after_port[k*PORTS+:PORTS] : port[k*PORTS+:PORTS]));
          granted_mask = granted_mask |
              ({VCS{if_granted[k]}} & (ask_q[k] ? after_mask[k*VCS+:VCS] : mask[k*VCS+:VCS]));
          other_port = other_port | ({PORTS{if_not[k]}} & port[k*PORTS+:PORTS]);
          other_mask = other_mask | ({VCS{if_not[k]}} & mask[k*VCS+:VCS]);
        end
      end
      wire granted_starts = (if_granted & ((after_starts & ask_q) | (starts & ~ask_q))) != NONE;
      wire other_starts = (if_not & starts) != NONE;
      always @(posedge clk)
        if (rst) begin
          ask_q <= NONE;
          port_q <= {PORTS{1'b0}};
          mask_q <= NONE;
          starts_q <= 1'b0;
        end else begin
          ask_q <= grant ? if_granted : if_not;
          port_q <= grant ? granted_port : other_port;
          mask_q <= grant ? granted_mask : other_mask;
          starts_q <= grant ? granted_starts : other_starts;
        end
      assign pick = ask_q;
      assign asking = ask_q != NONE;
      // A request for padding falls away when padding has ended (§7.5).
      assign request_o = ((BARRIER == 0) || ((ask_q & stands) != NONE)) ? port_q : {PORTS{1'b0}};
      assign fit_o = mask_q;
      assign starts_o = starts_q;
      wire unused_one = &{1'b0, picked_port, picked_fit};
    end else begin : one
      assign eligible = request;
      assign set = 1'b1;
      assign advance = grant;
      assign pick = picks;
      assign asking = request != NONE;
      assign request_o = picked_port;
      assign fit_o = picked_fit;
      assign starts_o = picked_starts;
      wire unused_two = &{1'b0, mask, asks, after, after_port, after_mask, after_starts};
    end
  endgenerate
  integer i;
  always @* begin
    picked_fit = NONE;
    picked_kind = 3'd0;
    picked_data = {DATA_W{1'b0}};
    picked_starts = 1'b0;
    picked_port = {PORTS{1'b0}};
    if (asking) begin
      for (i = 0; i < VCS; i = i + 1) begin
        picked_port = picked_port | ({PORTS{pick[i]}} & port[i*PORTS+:PORTS]);
        picked_fit  = picked_fit | ({VCS{pick[i]}} & fit[i*VCS+:VCS]);
        picked_kind = picked_kind | ({3{pick[i]}} & kind[i*3+:3]);
        picked_data = picked_data | ({DATA_W{pick[i]}} & data[i*DATA_W+:DATA_W]);
      end
      picked_starts = (pick & starts) != NONE;
    end
  end
  assign tail_o = picked_kind[0] && !picked_kind[2];

  // Granted flit on its way to the crossbar: D + 1 registers. The first loads in every cycle in which a front may be
  // picked, because request and grant come too late to enable it. The data comes from the memory. Where barrier
  // messages pass through the buffers, it comes from the buffers.
  wire load = stands != NONE;
  reg starts_q, turns_q;  // 1: the flit starts a packet; 1: its header turns
  wire null_flit;  // 1: it is a null flit (padding)
  wire [DATA_W-1:0] read_data;
  always @(posedge clk)
    if (load) begin
      starts_q <= picked_starts;
      turns_q  <= (pick & starts & turns) != NONE;
    end
  generate
    if (THROUGH) begin : held
      reg [DATA_W-1:0] data_q;
      always @(posedge clk) if (load) data_q <= picked_data;
      assign read_data = data_q;
      assign null_flit = 1'b0;
      wire unused_rows = &{1'b0, front_rows, push_rows};
    end else begin : stored
      hd_flit_memory #(
          .VCS(VCS),
          .ROW_W(ROW_W),
          .WIDTH(DATA_W)
      ) u_memory (
          .clk(clk),
          .write_i(push),
          .write_rows_i(push_rows),
          .data_i(push_data),
          .read_i(load),
          .channel_i(pick),
          .read_rows_i(front_rows),
          .data_o(read_data)
      );
      if (BARRIER != 0) begin : pads
        reg null_q;
        always @(posedge clk) if (load) null_q <= (pick & padding) != NONE;
        assign null_flit = null_q;
      end else begin : no_pads
        assign null_flit = 1'b0;
      end
      wire unused_held = &{1'b0, data, picked_data};
    end
  endgenerate
  reg [DATA_W-1:0] sent_data;
  always @* begin
    sent_data = null_flit ? {DATA_W{1'b0}} : read_data;
    if (starts_q) begin
      // A source-routed head drops the port number that it has used (§1.3).
      if (read_data[1:0] == 2'd2) sent_data = {{PORT_W{1'b0}}, read_data[DATA_W-1:2+PORT_W], 2'd2};
      // A head that goes by a node turns at that node's switch, and goes to its destination from there.
      if (turns_q) sent_data[1:0] = 2'd0;
    end
  end
  genvar d;
  generate
    for (d = 0; d <= GRANT_STAGES; d = d + 1) begin : stage
      wire loaded;
      wire [2:0] kind_of;
      wire [DATA_W-1:0] data_of;
      reg valid_q;
      reg [2:0] kind_q;
      assign kind_of = kind_q;
      if (d == 0) begin : first
        always @(posedge clk)
          if (rst) valid_q <= 1'b0;
          else valid_q <= grant;
        always @(posedge clk) if (load) kind_q <= picked_kind;
        assign loaded = valid_q;
        assign data_of = sent_data;
      end else begin : later
        reg [DATA_W-1:0] data_q;
        always @(posedge clk)
          if (rst) valid_q <= 1'b0;
          else valid_q <= stage[d-1].valid_q;
        always @(posedge clk)
          if (stage[d-1].valid_q) begin
            kind_q <= stage[d-1].kind_of;
            data_q <= stage[d-1].data_of;
          end
        assign loaded  = valid_q || stage[d-1].loaded;
        assign data_of = data_q;
      end
    end
  endgenerate
  assign cross_kind_o = stage[GRANT_STAGES].kind_of;
  assign cross_data_o = stage[GRANT_STAGES].data_of;

  // credits: every flit popped frees a slot
  always @(posedge clk)
    if (rst) credit_o <= NONE;
    else credit_o <= (granted & ~padding & ~keeps) | discard;
  wire barrier_busy;
  assign busy_o = (|busy) || (|credit_o) || stage[GRANT_STAGES].loaded || barrier_busy;

  // Packets that leave (§10.8): the grant comes late, so every cycle of a request stores what a pop of each front would
  // subtract.
  generate
    if (ADAPTIVE == 2) begin : counted
      reg [2*VCS-1:0] leaves_q;
      for (v = 0; v < VCS; v = v + 1) begin : vc
        wire [2:0] front = kind[v*3+:3];
        wire stays = starts[v] && !front[0];  // a head leaves its packet open or sinking
        always @(posedge clk)
          if (asking || (discard != NONE))
            leaves_q[2*v+:2] <= {(front[2:1] == 2'd1) && !stays, !front[2] && front[0] && !starts[v]};
        assign left_o[2*v+:2] = leaves_q[2*v+:2] & {2{credit_o[v]}};
      end
    end else begin : not_counted
      assign left_o = {2 * VCS{1'b0}};
    end
  endgenerate

  // barrier messages
  generate
    if (BARRIER != 0) begin : barrier
      hd_barrier_in #(
          .VCS(VCS),
          .VC_W(VC_W),
          .DATA_W(DATA_W),
          .BARRIER(BARRIER),
          .VALUES(VALUES)
      ) u_barrier (
          .clk(clk),
          .rst(rst),
          .valid_i(valid_i),
          .kind_i(kind_i),
          .vc_i(vc_i),
          .data_i(data_i),
          .front_i(special),
          .front_kind_i(kind),
          .front_data_i(data),
          .take_o(take),
          .preempted_o(preempted_o),
          .some_o(message_some_o),
          .message_o(message_o),
          .pop_i(message_pop_i),
          .credit_o(barrier_credit_o),
          .clear_i({cfg_wdata_i[10] && cfg_clear_i, cfg_wdata_i[0] && cfg_clear_i}),
          .errors_o(barrier_errors_o),
          .busy_o(barrier_busy),
          .queued_o(queued_o)
      );
    end else begin : no_barrier
      assign take = NONE;
      assign preempted_o = NONE;
      assign message_some_o = 1'b0;
      assign message_o = {MESSAGE_W{1'b0}};
      assign barrier_credit_o = 1'b0;
      assign barrier_errors_o = 2'd0;
      assign barrier_busy = 1'b0;
      assign queued_o = 2'd0;
      wire unused_barrier = &{1'b0, special, message_pop_i};
    end
  endgenerate

  // errors (§2.8)
  wire [VCS-1:0] addressed = ONE << vc_i;
  reg [6:0] errors_q;
  assign errors_o = errors_q;
  reg [3:0] discard_errors;
  integer e;
  always @* begin
    discard_errors = 4'd0;
    if (discard != NONE)
      for (e = 0; e < VCS; e = e + 1) discard_errors = discard_errors | vc_errors[e*4+:4];
  end
  wire nested = (picked_kind[2:1] == 2'd1) && !picked_starts;
  always @(posedge clk)
    if (rst) errors_q <= 7'd0;
    else if (cfg_clear_i || valid_i || asking || (discard != NONE))
      errors_q <= (errors_q & ~(cfg_wdata_i[6:0] & {7{cfg_clear_i}})) | {
        valid_i && (addressed == NONE),
        1'b0,
        discard_errors[3],
        discard_errors[2] || (grant && nested),
        discard_errors[1:0],
        valid && ((addressed & full) != NONE)
      };

`ifdef FORMAL
  // 1 §2.3: occupancy counts flits accepted less credits given back
  // 2 §2.4: every pop is of a flit that is there, and discarding needs no grant
  // 3 §10.8: left_o shows the popped flit, if it counts, and the packet that was open or sinking and is no more;
  //   accepted_o shows heads and singles that were accepted
  // 4 §2.8: an error bit stays until it is cleared; overflow and channel are recorded at once
  // 5 §10.8: at most DEPTH + 1 packets are inside each channel
  // 6 §2.5: the port's request is the request of the channel that was picked
  // 7 §2.5, two cycles: the port asks when a channel was eligible or a flit follows the one that was granted; a
  //   channel that is eligible and not granted asks again, and so does one that waits while no other is eligible
  // 8 §2.5, two cycles: a new packet is proposed only if one of the channels that it names was free then; one that
  //   waits is an exception
  integer f_k;
  always @* begin
    f_inside_o = {15'd0, accepted_o};
    if ((second != NONE) && (push_kind[2:1] == 2'd1)) f_inside_o = f_inside_o + 16'd1;
    for (f_k = 0; f_k < VCS; f_k = f_k + 1) f_inside_o = f_inside_o + {8'd0, f_inside[f_k*8+:8]};
  end
  reg f_started = 1'b0;
  reg [6:0] f_errors_q = 7'd0;
  reg f_overflow_q = 1'b0;
  reg f_channel_q = 1'b0;
  reg f_accepted_q = 1'b0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_errors_q <= rst ? 7'd0 : errors_q & ~(cfg_clear_i ? cfg_wdata_i[6:0] : 7'd0);
    f_overflow_q <= !rst && valid_i && (vc_i < VCS) && full[vc_i] && valid;
    f_accepted_q <= !rst && valid && (vc_i < VCS) && !full[vc_i] && ((kind_i == 3'd2) || (kind_i == 3'd3));
    f_channel_q <= !rst && valid_i && (vc_i >= VCS);
  end
  wire f_waits = (ARB_CYCLES == 2) && !grant && (request == NONE) && ((pick & asks) != NONE);
  reg f_asks_q = 1'b0, f_stays_q = 1'b0, f_waits_q = 1'b0;
  reg [PORTS*VCS-1:0] f_free_q;
  reg [VCS-1:0] f_were_free;
  always @* begin
    f_were_free = NONE;
    for (f_k = 0; f_k < PORTS; f_k = f_k + 1)
      f_were_free = f_were_free | (fit_o & {VCS{request_o[f_k]}} & f_free_q[f_k*VCS+:VCS]);
  end
  reg [VCS-1:0] f_pick_q;
  always @(posedge clk) begin
    f_asks_q <= !rst && (((request & ~pick) != NONE) || ((pick & (grant ? after : request)) != NONE) || f_waits);
    f_stays_q <= !rst && !grant && (((pick & request) != NONE) || f_waits);
    f_waits_q <= !rst && f_waits;
    f_free_q <= free_i;
    f_pick_q <= pick;
  end
  always @* begin
    if (!f_started) assume (rst);
`ifdef FORMAL_hd_input_port
    // A grant answers a request and gives one of the channels that fit.
    if (request_o == {PORTS{1'b0}}) assume (!grant);
    assume (!grant || ((taken_i & fit_o) == taken_i && taken_i != NONE));
    assume ((taken_i & (taken_i - 1'b1)) == NONE);
    if (TREES != 0) assume ((grants_i & ~request_o) == {PORTS{1'b0}});
    assume (!message_pop_i || message_some_o);
`endif
    if (f_started) begin
      assert ((errors_q & f_errors_q) == f_errors_q);
      assert (!f_overflow_q || errors_q[0]);
      assert (!f_channel_q || errors_q[6]);
      assert (accepted_o == ((ROUTE == 0) && f_accepted_q));
      assert (f_inside_o <= VCS * (DEPTH + 1));
      assert (!errors_q[5]);
      if (TREES == 0) assert ((request_o & (request_o - 1'b1)) == {PORTS{1'b0}});
      if (ARB_CYCLES == 1) assert ((request_o == {PORTS{1'b0}}) == (request == NONE));
      else assert ((request_o == {PORTS{1'b0}}) ? (BARRIER != 0) || !asking : asking);
      assert ((discard & request) == NONE);
      if (ARB_CYCLES == 2) begin
        assert ((pick & (pick - 1'b1)) == NONE);
        assert (asking == f_asks_q);
        assert (!f_stays_q || (pick == f_pick_q));
        if ((request_o != {PORTS{1'b0}}) && starts_o && !f_waits_q) assert (f_were_free != NONE);
      end
    end
  end
  generate
    for (v = 0; v < VCS; v = v + 1) begin : f_vc
      reg [6:0] f_taken = 7'd0;
      wire f_accept = valid && (vc_i == v) && (occupancy_o[v*7+:7] < DEPTH);
      wire f_pop = discard[v] || (grant && pick[v] && !padding[v] && !keeps[v]);
      reg f_pop_q = 1'b0, f_open_q = 1'b0;
      reg [2:0] f_kind_q = 3'd0;
      always @(posedge clk) begin
        f_kind_q <= kind[v*3+:3];
        f_open_q <= !rst && (state_o[2*v+:2] != 2'd0);
        f_taken <= rst ? 7'd0 : f_taken + {6'd0, f_accept} - {6'd0, f_pop};
        f_pop_q <= !rst && f_pop;
      end
      always @*
        if (f_started) begin
          assert (occupancy_o[v*7+:7] == f_taken);
          assert (credit_o[v] == f_pop_q);
          if ((ARB_CYCLES == 1) && pick[v] && (request != NONE))
            assert (fit_o == fit[v*VCS+:VCS] && request_o == port[v*PORTS+:PORTS]);
          if ((ARB_CYCLES == 2) && pick[v] && ((BARRIER == 0) || stands[v])) begin
            assert (stands[v] && !discard[v] && (starts_o == starts[v]));
            if ((CHOOSING == 0) || !starts_o)
              assert (fit_o == mask[v*VCS+:VCS] && request_o == port[v*PORTS+:PORTS]);
          end
          if (ADAPTIVE == 2)
            assert ({1'b0, left_o[2*v]} + {1'b0, left_o[2*v+1]} + {1'b0, state_o[2*v+:2] != 2'd0} ==
                {1'b0, f_pop_q && ((f_kind_q == 3'd2) || (f_kind_q == 3'd3))} + {1'b0, f_open_q});
        end
    end
  endgenerate
`endif

endmodule

`default_nettype wire
