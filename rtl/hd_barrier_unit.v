// Barrier unit: carries out messages and pending sends in turn, and finds their ways (§8.3-8.6).
// SPDX-License-Identifier: Apache-2.0
//
// A step takes two cycles, *look* and *act*. In look the unit picks a source, copies its entry and reads the barrier
// routing table. In act it carries out the message or the send, or leaves it for its next turn. Only a configuration
// write can change the table between the two, and the unit looks again after it. So an act never uses old entries, and
// the paths of each cycle begin in registers.
`default_nettype none

module hd_barrier_unit #(
    parameter PORTS     = 5,                       // 2-16
    parameter GROUPS    = 4,                       // 1-32
    parameter SWITCHES  = 64,                      // 2-2048
    parameter VALUES    = 0,                       // 0-1
    parameter MESSAGE_W = (VALUES != 0) ? 64 : 32  // derived, not to be set
) (
    input  wire                clk,
    input  wire                rst,
    // barrier queues
    input  wire [   PORTS-1:0] some_i,
    input  wire [MESSAGE_W*PORTS-1:0] messages_i,
    output wire [   PORTS-1:0] pop_o,
    // state of the slots of the output ports
    input  wire [   PORTS-1:0] slot_i,
    input  wire [   PORTS-1:0] may_start_i,
    output wire [   PORTS-1:0] put_o,
    output wire [MESSAGE_W-1:0] message_o,
    // configuration bus; registers for reading
    input  wire                cfg_write_i,
    input  wire [        19:0] cfg_addr_i,
    input  wire [        15:0] cfg_wdata_i,
    output reg  [        15:0] idle_o,
    output wire [        15:0] idle_next_o,  // its value in the next cycle
    output reg  [        10:0] self_o,
    output reg  [   PORTS-1:0] live_o,
    // error register, bits 11-7
    output wire [         4:0] errors_o,
    // 1: a send is pending, or a step is in act
    output wire                busy_o,
    // §8.10
    output wire                act_o,
    output wire [         4:0] turn_o,
    output wire [         3:0] spread_o
);

  localparam [PORTS-1:0] NOBODY = {PORTS{1'b0}};
  localparam RECORD_W = 17 + 6 * PORTS + 68 * VALUES;
  localparam SWITCH_W = $clog2(SWITCHES);
  localparam ROWS = 1 << SWITCH_W;

  // bit positions in a record (hd_status_table) and in a message (§8.1); types of messages
  localparam RECORD_BSR = 0, RECORD_ROOT = 1, RECORD_BUILT = 2, RECORD_FAILED = 3, RECORD_UP = 4;
  localparam RECORD_COUNT = 5, RECORD_LOCAL = 17 + 2 * PORTS;
  localparam RECORD_TO_LOCAL = 17 + 4 * PORTS, RECORD_TO_CHILD = 17 + 5 * PORTS;
  localparam RECORD_OP = 17 + 6 * PORTS, RECORD_VALUE = 19 + 6 * PORTS;
  localparam RECORD_RESULT_OP = 51 + 6 * PORTS, RECORD_RESULT = 53 + 6 * PORTS;
  localparam MESSAGE_TYPE = 0, MESSAGE_GROUP = 4, MESSAGE_TO = 9, MESSAGE_BSR = 20;
  localparam MESSAGE_LOCAL = 31;
  localparam [1:0] REDUCE = 2'd0, DISTRIBUTE = 2'd1, INITIAL = 2'd2, FAIL = 2'd3;

  // numbers of the registers
  localparam [4:0] REG_ERRORS = 5'd8, REG_IDLE = 5'd9, REG_SELF = 5'd10, REG_LIVE = 5'd11;
  localparam [4:0] REG_CENTER = 5'd12, REG_COUNT = 5'd13, REG_LOCAL = 5'd14, REG_OPEN = 5'd15;
  localparam [4:0] REG_CLOSE = 5'd16;

  // configuration (§8.6): the unit pauses in a cycle with a configuration write
  reg [10:0] center_q;
  reg [11:0] count_q;
  reg [PORTS-1:0] members_q;
  wire write = cfg_write_i && !rst;
  wire [5:0] select = (cfg_addr_i[19:5] == 15'd0) ? {write, cfg_addr_i[4:0]} : 6'd0;
  wire open = select == {1'b1, REG_OPEN};
  wire close = select == {1'b1, REG_CLOSE};
  assign idle_next_o = (select == {1'b1, REG_IDLE}) ? cfg_wdata_i : idle_o;
  always @(posedge clk) idle_o <= rst ? 16'd16 : idle_next_o;
  always @(posedge clk)
    if (rst) begin
      self_o <= 11'd0;
      live_o <= ~NOBODY;
      center_q <= 11'd0;
      count_q <= 12'd0;
      members_q <= NOBODY;
    end else
      case (select)
        {1'b1, REG_SELF}: self_o <= cfg_wdata_i[10:0];
        {1'b1, REG_LIVE}: live_o <= cfg_wdata_i[PORTS-1:0];
        {1'b1, REG_CENTER}: center_q <= cfg_wdata_i[10:0];
        {1'b1, REG_COUNT}: count_q <= cfg_wdata_i[11:0];
        {1'b1, REG_LOCAL}: members_q <= cfg_wdata_i[PORTS-1:0];
        default: ;
      endcase

  // state of the step
  reg act_q;
  reg [PORTS:0] source_q;
  reg [GROUPS-1:0] entry_q;
  wire pending;
  wire [GROUPS-1:0] first_pending;
  wire [PORTS:0] sources = {pending, some_i};
  wire look = !act_q && !cfg_write_i && (sources != {(PORTS + 1) {1'b0}});
  wire act = act_q && !cfg_write_i;
  // In look, these are the first source with work from `turn` on, and the first with a message. The second is known
  // earlier because it does not wait for `pending`. In act, the source is the same, and `turn` moves past it.
  wire [PORTS:0] source, with_message;
  wire [PORTS:0] looking = act_q ? source_q : sources;
  hd_rr_arbiter #(
      .N(PORTS + 1),
      .NEXT_W(5),
      .SETS(2)
  ) u_turn (
      .clk(clk),
      .rst(rst),
      .req_i({1'b0, some_i, looking}),
      .pick_o({with_message, source}),
      .advance_i(act),
      .set_i(2'b01),
      .next_o(turn_o)
  );
  wire unused_message = &{1'b0, with_message[PORTS]};
  always @(posedge clk)
    if (rst) begin
      act_q <= 1'b0;
      source_q <= {(PORTS + 1) {1'b0}};
      entry_q <= {GROUPS{1'b0}};
    end else if (look) begin
      act_q <= 1'b1;
      source_q <= source;
      entry_q <= source[PORTS] ? first_pending : place;
    end else if (act_q) act_q <= 1'b0;
  assign act_o = act_q;

  // message of the source that look has picked
  reg [MESSAGE_W-1:0] message;
  integer i;
  always @* begin
    message = {MESSAGE_W{1'b0}};
    for (i = 0; i < PORTS; i = i + 1)
      if (with_message[i]) message = message | messages_i[MESSAGE_W*i+:MESSAGE_W];
  end

  // Results of look: the message (for a send only its group and destination are set) and its entry.
  wire hit, place_free, by_parent, cfg_hit;
  wire [GROUPS-1:0] place;
  wire [PORTS-1:0] named;
  wire [4:0] first_group;
  wire [10:0] first_to;
  wire [10:0] destination = source[PORTS] ? first_to : message[MESSAGE_TO+:11];
  wire [RECORD_W-1:0] found;
  reg [MESSAGE_W-1:0] message_q;
  reg [RECORD_W-1:0] record_q;
  reg [PORTS-1:0] named_q;
  reg here_q, known_q, by_parent_q;
  always @(posedge clk)
    if (look) begin
      message_q <= message;
      message_q[MESSAGE_TO+:11] <= destination;
      if (source[PORTS]) message_q[MESSAGE_GROUP+:5] <= first_group;
      here_q <= message[MESSAGE_TO+:11] == self_o;
      record_q <= found;
      known_q <= hit;
      named_q <= named;
      by_parent_q <= by_parent;
    end
  wire from_table = source_q[PORTS];
  reg [RECORD_W-1:0] opened, next;
  wire [PORTS-1:0] adopt;
  wire follow;
  hd_status_table #(
      .PORTS (PORTS),
      .GROUPS(GROUPS),
      .VALUES(VALUES)
  ) u_table (
      .clk(clk),
      .rst(rst),
      .group_i(message[MESSAGE_GROUP+:5]),
      .bsr_i(message[MESSAGE_BSR+:11]),
      .hit_o(hit),
      .free_o(place_free),
      .place_o(place),
      .named_o(named),
      .by_parent_o(by_parent),
      .of_first_i(source[PORTS]),
      .record_o(found),
      .pending_o(pending),
      .first_o(first_pending),
      .first_group_o(first_group),
      .first_to_o(first_to),
      .cfg_group_i(cfg_wdata_i[4:0]),
      .cfg_center_i(center_q),
      .cfg_record_i(opened),
      .open_i(open),
      .close_i(close),
      .cfg_hit_o(cfg_hit),
      .act_i(act),
      .act_place_i(entry_q),
      .act_new_i(!from_table && !known_q),
      .act_group_i(message_q[MESSAGE_GROUP+:5]),
      .act_bsr_i(message_q[MESSAGE_BSR+:11]),
      .act_record_i(next),
      .adopt_i(adopt),
      .follow_i(follow)
  );
  assign busy_o = act_q || pending;
  always @* begin
    opened = {RECORD_W{1'b0}};
    opened[RECORD_BSR] = 1'b1;
    opened[RECORD_ROOT] = center_q == self_o;
    opened[RECORD_COUNT+:12] = count_q;
    opened[RECORD_LOCAL+:PORTS] = members_q;
  end

  // first pending send of the entry
  wire up = record_q[RECORD_UP];
  wire built = record_q[RECORD_BUILT];
  wire [PORTS-1:0] to_local = record_q[RECORD_TO_LOCAL+:PORTS];
  wire [PORTS-1:0] to_child = record_q[RECORD_TO_CHILD+:PORTS];
  wire [PORTS-1:0] one_local = to_local & (~to_local + {{(PORTS - 1) {1'b0}}, 1'b1});
  wire [PORTS-1:0] one_child = to_child & (~to_child + {{(PORTS - 1) {1'b0}}, 1'b1});

  // ways (§8.4): read in look
  reg [PORTS-1:0] mem[0:ROWS-1];
  reg [PORTS-1:0] ways_q;
  reg in_range_q;
  integer r;
  initial for (r = 0; r < ROWS; r = r + 1) mem[r] = NOBODY;
  always @(posedge clk) begin
    if (look) begin
      ways_q <= mem[destination[SWITCH_W-1:0]];
      in_range_q <= {21'd0, destination} < SWITCHES;
    end
    if (write && (cfg_addr_i[19:12] == 8'h30) && ({20'd0, cfg_addr_i[11:0]} < SWITCHES))
      mem[cfg_addr_i[SWITCH_W-1:0]] <= cfg_wdata_i[PORTS-1:0];
  end
  wire [PORTS-1:0] ways = in_range_q ? ways_q & live_o : NOBODY;
  wire reachable = ways != NOBODY;
  wire [PORTS-1:0] lowest = ways & (~ways + {{(PORTS - 1) {1'b0}}, 1'b1});
  // empty slots that are not kept for another source
  reg [PORTS-1:0] owed_q;  // slots kept for a source
  reg [PORTS-1:0] owed_to_source_q;  // slots kept for the source that acts
  wire [PORTS-1:0] owed_to_source;
  always @(posedge clk) if (look) owed_to_source_q <= owed_to_source;
  wire [PORTS-1:0] vacant = ~slot_i & (~owed_q | owed_to_source_q);
  wire [PORTS-1:0] first_way = lowest & vacant;
  wire [PORTS-1:0] ready = ways & vacant;
  wire [PORTS-1:0] quick = ready & may_start_i;
  wire first_fits = first_way != NOBODY;
  wire any_fits = ready != NOBODY;
  // The first way from `spread` on: of the quick ways, of the ready ways, and of all ways.
  wire quickly = quick != NOBODY;
  wire went_any;
  wire [PORTS-1:0] any_quick, any_ready, any_first;
  hd_rr_arbiter #(
      .N(PORTS),
      .SETS(3)
  ) u_spread (
      .clk(clk),
      .rst(rst),
      .req_i({ways, ready, quick}),
      .pick_o({any_first, any_ready, any_quick}),
      .advance_i(went_any),
      .set_i({1'b0, !quickly, quickly}),
      .next_o(spread_o)
  );
  wire [PORTS-1:0] any_way = quickly ? any_quick : any_ready;

  // decision about the message of the act
  wire decided_done, decided_adopt, decided_follow, decided_first, decided_any, decided_back;
  wire [RECORD_W-1:0] decided;
  wire [MESSAGE_W-1:0] decided_message;
  wire [4:0] decided_errors;
  hd_barrier_decide #(
      .PORTS (PORTS),
      .VALUES(VALUES)
  ) u_decide (
      .message_i(message_q),
      .port_i(source_q[PORTS-1:0]),
      .self_i(self_o),
      .here_i(here_q),
      .record_i(record_q),
      .hit_i(known_q),
      .free_i(place_free),
      .named_i(named_q),
      .by_parent_i(by_parent_q),
      .reachable_i(reachable),
      .first_fits_i(first_fits),
      .any_fits_i(any_fits),
      .back_fits_i((source_q[PORTS-1:0] & vacant) != NOBODY),
      .done_o(decided_done),
      .record_o(decided),
      .adopt_o(decided_adopt),
      .follow_o(decided_follow),
      .first_o(decided_first),
      .any_o(decided_any),
      .back_o(decided_back),
      .message_o(decided_message),
      .errors_o(decided_errors)
  );

  // the way that this source needs: any, the first, or the one to a node
  wire to_node = from_table ? !up && (to_child == NOBODY) : decided_back;
  wire by_any = from_table ? (up ? built : (to_child != NOBODY)) : decided_any;
  wire by_first = from_table ? up && !built : decided_first;
  wire [PORTS-1:0] node = from_table ? one_local : source_q[PORTS-1:0];
  wire [PORTS-1:0] put = {PORTS{act}} &
      (({PORTS{to_node}} & node & vacant) | ({PORTS{by_any}} & any_way) | ({PORTS{by_first}} & first_way));

  // result of the act
  wire lost = !reachable && (up || (to_child != NOBODY));  // 1: a pending send has no way
  wire gone = lost || (by_any && any_fits) || (by_first && first_fits) || (to_node && ((node & vacant) != NOBODY));
  wire done = from_table ? gone : decided_done;
  reg [MESSAGE_W-1:0] send;
  reg [4:0] errors;
  always @* begin
    next = decided;
    send = decided_message;
    errors = decided_errors;
    if (from_table) begin
      next = record_q;
      send = {MESSAGE_W{1'b0}};
      send[MESSAGE_GROUP+:5] = message_q[MESSAGE_GROUP+:5];
      if (!to_node) send[MESSAGE_TO+:11] = message_q[MESSAGE_TO+:11];
      if (!to_node) send[MESSAGE_BSR+:11] = self_o;
      if (up) begin
        send[MESSAGE_TYPE+:2] = built ? REDUCE : INITIAL;
        next[RECORD_UP] = !gone;
      end else if (to_child != NOBODY) begin
        send[MESSAGE_TYPE+:2] = DISTRIBUTE;
        next[RECORD_TO_CHILD+:PORTS] = to_child & ~(one_child & {PORTS{gone}});
      end else begin
        send[MESSAGE_TYPE+:2] = record_q[RECORD_FAILED] ? FAIL : DISTRIBUTE;
        send[MESSAGE_LOCAL] = 1'b1;
        next[RECORD_TO_LOCAL+:PORTS] = to_local & ~(one_local & {PORTS{gone}});
      end
      errors = {lost, 4'd0};
    end
    if (!act || !done) errors = 5'd0;
    if (open) errors = {3'd0, cfg_hit, !cfg_hit && !place_free};
  end
  assign adopt = source_q[PORTS-1:0] & {PORTS{decided_adopt}};
  assign follow = !from_table && decided_follow;
  assign went_any = act && by_any && any_fits;
  wire [PORTS-1:0] pop = source_q[PORTS-1:0] & {PORTS{act && decided_done}};
  assign put_o = put;
  generate
    if (VALUES != 0) begin : values
      // §8.14: a report carries the values combined so far, an answer carries the result.
      wire carries = from_table && (up ? built : (to_child != NOBODY) || !record_q[RECORD_FAILED]);
      wire [1:0] op = up ? record_q[RECORD_OP+:2] : record_q[RECORD_RESULT_OP+:2];
      wire [31:0] value = up ? record_q[RECORD_VALUE+:32] : record_q[RECORD_RESULT+:32];
      assign message_o = send | {value & {32{carries}}, 28'd0, op & {2{carries}}, 2'd0};
    end else begin : no_values
      assign message_o = send;
    end
  endgenerate
  assign pop_o = pop;

  // The slot that a source waits for is kept for that source (§8.4).
  wire waits = act && !done;
  wire [PORTS-1:0] wanted = to_node ? node : by_any ? any_first : lowest;
  genvar o;
  generate
    for (o = 0; o < PORTS; o = o + 1) begin : slot
      reg [PORTS:0] to_q;  // source for which the slot is kept
      assign owed_to_source[o] = (to_q & source) != {(PORTS + 1) {1'b0}};
      always @(posedge clk)
        if (rst) owed_q[o] <= 1'b0;
        else if (cfg_write_i) owed_q[o] <= 1'b0;
        else if (act && done && owed_to_source_q[o]) owed_q[o] <= 1'b0;
        else if (waits && wanted[o]) owed_q[o] <= 1'b1;
      always @(posedge clk) if (waits && wanted[o] && !owed_q[o]) to_q <= source_q;
    end
  endgenerate

  // errors (§8.7)
  reg [4:0] errors_q;
  wire clear = select == {1'b1, REG_ERRORS};
  always @(posedge clk)
    if (rst) errors_q <= 5'd0;
    else errors_q <= (errors_q & ~(cfg_wdata_i[11:7] & {5{clear}})) | errors;
  assign errors_o = errors_q;

`ifdef FORMAL
  // 1 §8.5: one source acts, and it still has the message or the send that it had in look
  // 2 a message is put into one slot, an empty one, and leaves a queue that holds one
  // 3 in a cycle with a configuration write nothing leaves and nothing is put
  // 4 §8.4: a slot is kept for one source at most, which still has something for it
  // 5 hd_barrier_decide and hd_status_table get the entry of the message or of the send, the children and the
  //   parent that the message names, and the ways that are open
  reg f_started = 1'b0;
  wire [PORTS-1:0] f_owed;
  always @(posedge clk) f_started <= 1'b1;
  always @* begin
    if (!f_started) assume (rst);
    if (f_started) begin
      if (act_q) begin
        assert (source_q != 0 && (source_q & (source_q - 1'b1)) == 0);
        assert ((source_q & ~sources) == 0);
        if (source_q[PORTS]) assert (entry_q == first_pending);
      end
      assert ((entry_q & (entry_q - 1'b1)) == 0);
      assert ((put & slot_i) == NOBODY && (put & (put - 1'b1)) == NOBODY);
      assert ((pop & ~some_i) == NOBODY && (pop & (pop - 1'b1)) == NOBODY);
      if (cfg_write_i) assert (put == NOBODY && pop == NOBODY);
      assert (turn_o <= PORTS);
      assert ((put & owed_q & ~owed_to_source_q) == NOBODY);
      assert (act_q ? owed_to_source_q == f_owed : 1'b1);
      if (act) assert (first_fits == (first_way != NOBODY) && any_fits == (any_way != NOBODY));
      if (act && !from_table) begin
        if (!known_q) assert (record_q == {RECORD_W{1'b0}} && named_q == NOBODY);
        assert ((first_way & (first_way - 1'b1)) == NOBODY && (any_way & (any_way - 1'b1)) == NOBODY);
        assert (((first_way | any_way) & ~vacant) == NOBODY && (reachable || ((first_way | any_way) == NOBODY)));
      end
    end
  end
  generate
    for (o = 0; o < PORTS; o = o + 1) begin : f_slot
      assign f_owed[o] = (slot[o].to_q & source_q) != 0;
      always @*
        if (f_started && owed_q[o]) begin
          assert ((slot[o].to_q & (slot[o].to_q - 1'b1)) == 0 && slot[o].to_q != 0);
          assert ((slot[o].to_q & ~sources) == 0);
        end
    end
  endgenerate
`endif

endmodule

`default_nettype wire
