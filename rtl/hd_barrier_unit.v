// Barrier unit: takes messages and pending sends in turn, and finds their ways (§8.3-8.6).
// SPDX-License-Identifier: Apache-2.0
//
// Two cycles a step. In look a source is taken, its entry is copied and the barrier routing table
// read; in act the message, or the send, is carried out, or it waits for its next turn. Nothing
// but a configuration write changes the table between the two, and after one it looks again. So what
// is looked up is never older than what acts, and each cycle's paths begin in registers.
`default_nettype none

module hd_barrier_unit #(
    parameter PORTS    = 5,  // 2-16
    parameter GROUPS   = 4,  // 1-32
    parameter SWITCHES = 64  // 2-2048
) (
    input  wire                clk,
    input  wire                rst,
    // barrier queues
    input  wire [   PORTS-1:0] some_i,
    input  wire [32*PORTS-1:0] messages_i,
    output wire [   PORTS-1:0] pop_o,
    // slots of the output ports
    input  wire [   PORTS-1:0] slot_i,
    input  wire [   PORTS-1:0] may_start_i,
    output wire [   PORTS-1:0] put_o,
    output wire [        31:0] message_o,
    // configuration bus; registers for reading
    input  wire                cfg_write_i,
    input  wire [        19:0] cfg_addr_i,
    input  wire [        15:0] cfg_wdata_i,
    output reg  [        15:0] idle_o,
    output wire [        15:0] idle_next_o,  // in the next cycle
    output reg  [        10:0] self_o,
    output reg  [   PORTS-1:0] live_o,
    // error bits 11-7
    output wire [         4:0] errors_o,
    // something is pending, or it acts
    output wire                busy_o,
    // §8.10
    output wire                act_o,
    output wire [         4:0] turn_o,
    output wire [         3:0] spread_o
);

  localparam [PORTS-1:0] NOBODY = {PORTS{1'b0}};
  localparam RECORD_W = 44 + 17 * PORTS;
  localparam SWITCH_W = $clog2(SWITCHES);
  localparam ROWS = 1 << SWITCH_W;

  // places in a record (hd_status_table) and in a message (§8.1), types of messages
  localparam RECORD_GROUP = 0, RECORD_BSR = 5, RECORD_ROOT = 6, RECORD_BUILT = 7, RECORD_FAILED = 8;
  localparam RECORD_UP = 9, RECORD_CENTER = 10, RECORD_COUNT = 21, RECORD_PARENT = 33;
  localparam RECORD_LOCAL = 44 + 2 * PORTS, RECORD_TO_LOCAL = 44 + 4 * PORTS;
  localparam RECORD_TO_CHILD = 44 + 5 * PORTS, RECORD_ADDRESS = 44 + 6 * PORTS;
  localparam MESSAGE_TYPE = 0, MESSAGE_GROUP = 4, MESSAGE_TO = 9, MESSAGE_BSR = 20;
  localparam MESSAGE_LOCAL = 31;
  localparam [1:0] REDUCE = 2'd0, DISTRIBUTE = 2'd1, INITIAL = 2'd2, FAIL = 2'd3;

  // registers
  localparam [4:0] REG_ERRORS = 5'd8, REG_IDLE = 5'd9, REG_SELF = 5'd10, REG_LIVE = 5'd11;
  localparam [4:0] REG_CENTER = 5'd12, REG_COUNT = 5'd13, REG_LOCAL = 5'd14, REG_OPEN = 5'd15;
  localparam [4:0] REG_CLOSE = 5'd16;

  // configuration (§8.6): the unit stands still in a cycle with a write
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

  // step
  reg act_q;
  reg [PORTS:0] source_q;
  reg [GROUPS-1:0] entry_q;
  wire pending;
  wire [GROUPS-1:0] first_pending;
  wire [PORTS:0] sources = {pending, some_i};
  wire look = !act_q && !cfg_write_i && (sources != {(PORTS + 1) {1'b0}});
  wire act = act_q && !cfg_write_i;
  // in look the first source with work from turn on, and the first with a message, which need not
  // wait for pending; in act that source again, and turn moves behind it
  wire [PORTS:0] source, with_message;
  hd_rr_arbiter #(
      .N(PORTS + 1),
      .NEXT_W(5),
      .SETS(2)
  ) u_turn (
      .clk(clk),
      .rst(rst),
      .req_i({1'b0, some_i, act_q ? source_q : sources}),
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

  // the message that is looked at
  reg [31:0] message;
  integer i;
  always @* begin
    message = 32'd0;
    for (i = 0; i < PORTS; i = i + 1) if (with_message[i]) message = message | messages_i[32*i+:32];
  end

  // status table; what look has found in it
  wire hit, place_free, cfg_hit;
  wire [GROUPS-1:0] place, cfg_place;
  wire [RECORD_W-1:0] found, waiting, decided;
  reg [31:0] message_q;
  reg [RECORD_W-1:0] record_q;
  reg known_q;
  always @(posedge clk)
    if (look) begin
      message_q <= message;
      record_q <= found;
      known_q <= hit;
    end
  reg table_write;
  reg [GROUPS-1:0] table_place;
  reg [RECORD_W-1:0] table_record;
  hd_status_table #(
      .PORTS (PORTS),
      .GROUPS(GROUPS)
  ) u_table (
      .clk(clk),
      .rst(rst),
      .group_i(message[MESSAGE_GROUP+:5]),
      .hit_o(hit),
      .free_o(place_free),
      .place_o(place),
      .of_first_i(source[PORTS]),
      .record_o(found),
      .pending_o(pending),
      .first_o(first_pending),
      .first_record_o(waiting),
      .cfg_group_i(cfg_wdata_i[4:0]),
      .cfg_hit_o(cfg_hit),
      .cfg_place_o(cfg_place),
      .write_i(table_write),
      .write_place_i(table_place),
      .record_i(table_record),
      .close_i(close)
  );
  assign busy_o = act_q || pending;

  // the first pending send of an entry, and in look its destination
  wire up = record_q[RECORD_UP];
  wire built = record_q[RECORD_BUILT];
  wire [PORTS-1:0] to_local = record_q[RECORD_TO_LOCAL+:PORTS];
  wire [PORTS-1:0] to_child = record_q[RECORD_TO_CHILD+:PORTS];
  wire [PORTS-1:0] one_local = to_local & (~to_local + {{(PORTS - 1) {1'b0}}, 1'b1});
  wire [PORTS-1:0] one_child = to_child & (~to_child + {{(PORTS - 1) {1'b0}}, 1'b1});
  reg [10:0] target;
  integer c;
  always @* begin
    target = waiting[RECORD_BUILT] ? waiting[RECORD_PARENT+:11] : waiting[RECORD_CENTER+:11];
    if (!waiting[RECORD_UP])
      for (c = PORTS - 1; c >= 0; c = c - 1)
        if (waiting[RECORD_TO_CHILD+c]) target = waiting[RECORD_ADDRESS+11*c+:11];
  end

  // ways (§8.4): read in look
  reg [PORTS-1:0] mem[0:ROWS-1];
  reg [PORTS-1:0] ways_q;
  reg in_range_q;
  reg [10:0] destination_q;
  integer r;
  initial for (r = 0; r < ROWS; r = r + 1) mem[r] = NOBODY;
  wire [10:0] destination = source[PORTS] ? target : message[MESSAGE_TO+:11];
  always @(posedge clk) begin
    if (look) begin
      ways_q <= mem[destination[SWITCH_W-1:0]];
      destination_q <= destination;
      in_range_q <= {21'd0, destination} < SWITCHES;
    end
    if (write && (cfg_addr_i[19:12] == 8'h30) && ({20'd0, cfg_addr_i[11:0]} < SWITCHES))
      mem[cfg_addr_i[SWITCH_W-1:0]] <= cfg_wdata_i[PORTS-1:0];
  end
  wire [PORTS-1:0] ways = in_range_q ? ways_q & live_o : NOBODY;
  wire reachable = ways != NOBODY;
  wire [PORTS-1:0] lowest = ways & (~ways + {{(PORTS - 1) {1'b0}}, 1'b1});
  // slots that are open to the source: empty, and not kept for another
  reg [PORTS-1:0] owed_q;  // kept for somebody
  reg [PORTS-1:0] owed_to_source_q;  // while it acts
  wire [PORTS-1:0] owed_to_source;
  always @(posedge clk) if (look) owed_to_source_q <= owed_to_source;
  wire [PORTS-1:0] vacant = ~slot_i & (~owed_q | owed_to_source_q);
  wire [PORTS-1:0] first_way = lowest & vacant;
  wire [PORTS-1:0] ready = ways & vacant;
  wire [PORTS-1:0] quick = ready & may_start_i;
  wire first_fits = first_way != NOBODY;
  wire any_fits = ready != NOBODY;
  // the first from spread on, of those that are quick, or ready; and if all were vacant
  wire quickly = quick != NOBODY;
  reg went_any;
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

  // a message acts
  wire decided_done, decided_write, decided_any, decided_back;
  wire [PORTS-1:0] decided_put;
  wire [31:0] decided_message;
  wire [4:0] decided_errors;
  hd_barrier_decide #(
      .PORTS(PORTS)
  ) u_decide (
      .message_i(message_q),
      .port_i(source_q[PORTS-1:0]),
      .self_i(self_o),
      .record_i(record_q),
      .hit_i(known_q),
      .free_i(place_free),
      .reachable_i(reachable),
      .first_i(first_way),
      .any_i(any_way),
      .first_fits_i(first_fits),
      .any_fits_i(any_fits),
      .open_i(vacant),
      .done_o(decided_done),
      .write_o(decided_write),
      .record_o(decided),
      .put_o(decided_put),
      .message_o(decided_message),
      .any_o(decided_any),
      .back_o(decided_back),
      .errors_o(decided_errors)
  );

  // what is carried out
  wire from_table = source_q[PORTS];
  wire lost = !reachable && (up || (to_child != NOBODY));
  reg [PORTS-1:0] put;
  reg sent;  // from the table
  reg [31:0] send;
  reg [4:0] errors;
  reg [PORTS-1:0] pop;
  always @* begin
    put = NOBODY;
    send = decided_message;
    went_any = 1'b0;
    sent = 1'b0;
    errors = 5'd0;
    pop = NOBODY;
    table_write = 1'b0;
    table_place = entry_q;
    table_record = decided;
    if (open) begin
      table_place = cfg_place;
      errors = {3'd0, cfg_hit, !cfg_hit && !place_free};
      table_write = !cfg_hit && place_free;
      table_record = {RECORD_W{1'b0}};
      table_record[RECORD_GROUP+:5] = cfg_wdata_i[4:0];
      table_record[RECORD_BSR] = 1'b1;
      table_record[RECORD_ROOT] = center_q == self_o;
      table_record[RECORD_CENTER+:11] = center_q;
      table_record[RECORD_COUNT+:12] = count_q;
      table_record[RECORD_LOCAL+:PORTS] = members_q;
    end else if (act && from_table) begin
      table_record = record_q;
      send = 32'd0;
      send[MESSAGE_GROUP+:5] = record_q[RECORD_GROUP+:5];
      if (up) begin
        put = built ? any_way : first_way;
        sent = built ? any_fits : first_fits;
        went_any = built && any_fits;
        send[MESSAGE_TYPE+:2] = built ? REDUCE : INITIAL;
        send[MESSAGE_TO+:11] = destination_q;
        send[MESSAGE_BSR+:11] = self_o;
        table_record[RECORD_UP] = 1'b0;
      end else if (to_child != NOBODY) begin
        put = any_way;
        sent = any_fits;
        went_any = any_fits;
        send[MESSAGE_TYPE+:2] = DISTRIBUTE;
        send[MESSAGE_TO+:11] = destination_q;
        send[MESSAGE_BSR+:11] = self_o;
        table_record[RECORD_TO_CHILD+:PORTS] = to_child & ~one_child;
      end else begin
        put = one_local & vacant;
        sent = put != NOBODY;
        send[MESSAGE_TYPE+:2] = record_q[RECORD_FAILED] ? FAIL : DISTRIBUTE;
        send[MESSAGE_LOCAL] = 1'b1;
        table_record[RECORD_TO_LOCAL+:PORTS] = to_local & ~one_local;
      end
      errors = {lost, 4'd0};
      table_write = lost || sent;
    end else if (act && decided_done) begin
      put = decided_put;
      went_any = decided_any;
      errors = decided_errors;
      pop = source_q[PORTS-1:0];
      table_write = decided_write;
    end
  end
  assign put_o = put;
  assign message_o = send;
  assign pop_o = pop;

  // the slot that a source waits for is kept for it (§8.4)
  wire done = from_table ? lost || sent : decided_done;
  wire waits = act && !done;
  wire by_any = from_table ? (up ? built : (to_child != NOBODY)) : decided_any;
  wire to_node = from_table ? !up && (to_child == NOBODY) : decided_back;
  wire [PORTS-1:0] node = from_table ? one_local : source_q[PORTS-1:0];
  wire [PORTS-1:0] wanted = to_node ? node : by_any ? any_first : lowest;
  genvar o;
  generate
    for (o = 0; o < PORTS; o = o + 1) begin : slot
      reg [PORTS:0] to_q;  // whom it is kept for
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
  // 1 §8.5: one source acts, and what it had in look it has still
  // 2 a message is put into one slot, an empty one, and leaves a queue that holds one
  // 3 in a cycle with a configuration write nothing leaves and nothing is put
  // 4 §8.4: a slot is kept for one source, which still has something for it, and for nobody else
  // 5 what hd_barrier_decide is shown with a message: its group's entry, ways that are open
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
        assert (known_q ? record_q[RECORD_GROUP+:5] == message_q[MESSAGE_GROUP+:5] : record_q == {RECORD_W{1'b0}});
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
