// What a barrier message does to its group's entry, and where it goes on (§8.3).
// SPDX-License-Identifier: Apache-2.0
//
// Combinational. `done_o`: the message leaves its queue now, the record is written where
// `write_o`, `put_o` names the slot that gets `message_o`, and the errors are recorded.
// Otherwise it waits, and nothing changes.
`default_nettype none

module hd_barrier_decide #(
    parameter PORTS    = 5,              // 2-16
    parameter RECORD_W = 44 + 17 * PORTS // of hd_status_table
) (
    // the message, its input port (one bit), this switch
    input  wire [        31:0] message_i,
    input  wire [   PORTS-1:0] port_i,
    input  wire [        10:0] self_i,
    // its group's entry (0: none); is there one; is a place free
    input  wire [RECORD_W-1:0] record_i,
    input  wire                hit_i,
    input  wire                free_i,
    // ways (§8.4): some port leads there; the first way and any way, 0 while it has to wait; whether
    // they are not 0, as this is known earlier
    input  wire                reachable_i,
    input  wire [   PORTS-1:0] first_i,
    input  wire [   PORTS-1:0] any_i,
    input  wire                first_fits_i,
    input  wire                any_fits_i,
    // slots that are open to this message
    input  wire [   PORTS-1:0] open_i,
    // verdict
    output reg                 done_o,
    output reg                 write_o,
    output wire [RECORD_W-1:0] record_o,
    output reg  [   PORTS-1:0] put_o,
    output reg  [        31:0] message_o,
    output reg                 any_o,       // goes, or waits to go, by any way
    output reg                 back_o,      // fails back to its port
    output reg  [         4:0] errors_o     // unreachable, protocol, duplicate, group, table
);

  localparam [PORTS-1:0] NOBODY = {PORTS{1'b0}};
  localparam [1:0] REDUCE = 2'd0, DISTRIBUTE = 2'd1, INITIAL = 2'd2, FAIL = 2'd3;
  // places in a record and in a message
  localparam RECORD_GROUP = 0, RECORD_BSR = 5, RECORD_ROOT = 6, RECORD_BUILT = 7, RECORD_FAILED = 8;
  localparam RECORD_UP = 9, RECORD_CENTER = 10, RECORD_COUNT = 21, RECORD_PARENT = 33;
  localparam RECORD_CHILD = 44, RECORD_CHILD_IN = 44 + PORTS, RECORD_LOCAL = 44 + 2 * PORTS;
  localparam RECORD_LOCAL_IN = 44 + 3 * PORTS, RECORD_TO_LOCAL = 44 + 4 * PORTS;
  localparam RECORD_TO_CHILD = 44 + 5 * PORTS, RECORD_ADDRESS = 44 + 6 * PORTS;
  localparam MESSAGE_TYPE = 0, MESSAGE_TAG = 2, MESSAGE_GROUP = 4, MESSAGE_TO = 9;
  localparam MESSAGE_BSR = 20, MESSAGE_LOCAL = 31;
  localparam [4:0] TABLE = 5'd1, GROUP = 5'd2, DUPLICATE = 5'd4, PROTOCOL = 5'd8, UNREACHABLE = 5'd16;

  // message
  wire [1:0] kind = message_i[MESSAGE_TYPE+:2];
  wire [1:0] tag = message_i[MESSAGE_TAG+:2];
  wire [10:0] bsr_node = message_i[MESSAGE_BSR+:11];
  wire is_local = message_i[MESSAGE_LOCAL];
  wire is_here = message_i[MESSAGE_TO+:11] == self_i;

  // record
  wire unused_group = &{1'b0, record_i[RECORD_GROUP+:5]};
  wire bsr = record_i[RECORD_BSR];
  wire root = record_i[RECORD_ROOT];
  wire built = record_i[RECORD_BUILT];
  wire failed = record_i[RECORD_FAILED];
  wire [11:0] count = record_i[RECORD_COUNT+:12];
  wire [PORTS-1:0] child = record_i[RECORD_CHILD+:PORTS];
  wire [PORTS-1:0] child_in = record_i[RECORD_CHILD_IN+:PORTS];
  wire [PORTS-1:0] members = record_i[RECORD_LOCAL+:PORTS];
  wire [PORTS-1:0] local_in = record_i[RECORD_LOCAL_IN+:PORTS];
  wire [11*PORTS-1:0] addresses = record_i[RECORD_ADDRESS+:11*PORTS];

  // the child that reports: the lowest with its address
  reg [PORTS-1:0] named, reporter;
  integer i;
  always @* begin
    for (i = 0; i < PORTS; i = i + 1) named[i] = child[i] && (addresses[11*i+:11] == bsr_node);
    reporter = named & (~named + {{(PORTS - 1) {1'b0}}, 1'b1});
  end

  // a distribute that this switch has not reported for
  wire early = record_i[RECORD_UP] || ((members & ~local_in) != NOBODY) ||
      (built && (((child & ~child_in) != NOBODY) || (bsr_node != record_i[RECORD_PARENT+:11])));

  // the entry's next state
  reg next_bsr, next_built, next_failed, next_up, adopt, arrived;
  reg [11:0] next_count;
  reg [10:0] next_parent;
  reg [PORTS-1:0] next_child, next_child_in, next_local_in, to_local, to_child;
  reg complete, release_;
  reg [4:0] group;
  always @* begin
    done_o = 1'b0;
    write_o = 1'b0;
    put_o = NOBODY;
    message_o = message_i;
    any_o = 1'b0;
    back_o = 1'b0;
    errors_o = 5'd0;
    group = message_i[MESSAGE_GROUP+:5];
    next_bsr = bsr;
    next_built = built;
    next_failed = failed;
    next_up = record_i[RECORD_UP];
    next_count = count;
    next_parent = record_i[RECORD_PARENT+:11];
    next_child_in = child_in;
    next_local_in = local_in;
    to_local = record_i[RECORD_TO_LOCAL+:PORTS];
    to_child = record_i[RECORD_TO_CHILD+:PORTS];
    adopt = 1'b0;  // the message's bsr is the child at this port
    arrived = 1'b0;
    release_ = 1'b0;

    if (is_local) begin
      done_o = 1'b1;
      if (kind != REDUCE) errors_o = PROTOCOL;
      else if (!failed && ((members & port_i & ~local_in) != NOBODY)) begin
        next_local_in = local_in | port_i;
        arrived = 1'b1;
      end else begin
        back_o = 1'b1;
        done_o = (open_i & port_i) != NOBODY;
        put_o = port_i & open_i;
        message_o = 32'd0;
        message_o[MESSAGE_LOCAL] = 1'b1;
        message_o[MESSAGE_GROUP+:5] = group;
        message_o[MESSAGE_TYPE+:2] = FAIL;
        if ((members & port_i) == NOBODY) errors_o = GROUP;
        else if (!failed) errors_o = DUPLICATE;
      end
    end else if (!is_here) begin
      if ((kind == INITIAL) && (tag == 2'd3)) begin
        done_o   = 1'b1;
        errors_o = PROTOCOL;
      end else if ((kind == INITIAL) && (tag != 2'd2) && built) begin
        done_o   = 1'b1;
        errors_o = GROUP;
      end else if ((kind == INITIAL) && (tag == 2'd0) && ((child & port_i) != NOBODY)) begin
        done_o   = 1'b1;
        errors_o = DUPLICATE;
      end else if (!reachable_i) begin
        done_o   = 1'b1;
        errors_o = UNREACHABLE;
      end else begin
        any_o  = kind != INITIAL;
        put_o  = any_o ? any_i : first_i;
        done_o = any_o ? any_fits_i : first_fits_i;
        if ((kind == INITIAL) && (tag != 2'd2)) begin
          if (!hit_i && !free_i) begin
            message_o[MESSAGE_TYPE+:2] = FAIL;
            errors_o = TABLE;
          end else begin
            adopt = 1'b1;
            if (bsr) message_o[MESSAGE_TAG+:2] = 2'd2;
            else if ((tag == 2'd0) && (child != NOBODY)) begin
              next_bsr = 1'b1;
              message_o[MESSAGE_TAG+:2] = 2'd1;
              message_o[MESSAGE_BSR+:11] = self_i;
            end
          end
        end
      end
    end else begin
      done_o = 1'b1;
      if (!bsr) errors_o = GROUP;
      else
        case (kind)
          INITIAL:
          if (!root || built) errors_o = GROUP;
          else if (count == 12'd0) errors_o = DUPLICATE;
          else if (tag == 2'd3) errors_o = PROTOCOL;
          else if ((tag == 2'd0) && ((child & port_i) != NOBODY)) errors_o = DUPLICATE;
          else begin
            adopt = !tag[1];
            next_count = count - 12'd1;
            arrived = 1'b1;
          end
          REDUCE:
          if (!built || (reporter == NOBODY)) errors_o = GROUP;
          else if ((reporter & child_in) != NOBODY) errors_o = DUPLICATE;
          else begin
            next_child_in = child_in | reporter;
            arrived = 1'b1;
          end
          DISTRIBUTE:
          if (root) errors_o = GROUP;
          else if (early) errors_o = DUPLICATE;
          else begin
            next_parent = bsr_node;
            release_ = 1'b1;
          end
          default: begin
            next_failed = 1'b1;
            to_local = to_local | local_in;
            next_local_in = NOBODY;
          end
        endcase
    end

    next_child = child | (port_i & {PORTS{adopt}});

    // what is complete has arrived: the write need not wait for the check
    if (done_o)
      write_o = is_local ? arrived : is_here ? bsr && (arrived || release_ || (kind == FAIL)) : adopt;

    // check and release
    complete = arrived && ((members & ~next_local_in) == NOBODY) &&
        (!built || ((child & ~next_child_in) == NOBODY));
    if (complete)
      if (!root) next_up = 1'b1;
      else if (built || (next_count == 12'd0)) release_ = 1'b1;
    if (release_) begin
      next_built = 1'b1;
      to_local = members;
      to_child = next_child;
      next_local_in = NOBODY;
      next_child_in = NOBODY;
    end
  end

  // the record
  reg [11*PORTS-1:0] next_addresses;
  integer j;
  always @* begin
    next_addresses = addresses;
    for (j = 0; j < PORTS; j = j + 1)
      if (adopt && port_i[j]) next_addresses[11*j+:11] = bsr_node;
  end
  assign record_o[RECORD_GROUP+:5] = group;
  assign record_o[RECORD_BSR] = next_bsr;
  assign record_o[RECORD_ROOT] = root;
  assign record_o[RECORD_BUILT] = next_built;
  assign record_o[RECORD_FAILED] = next_failed;
  assign record_o[RECORD_UP] = next_up;
  assign record_o[RECORD_CENTER+:11] = record_i[RECORD_CENTER+:11];
  assign record_o[RECORD_COUNT+:12] = next_count;
  assign record_o[RECORD_PARENT+:11] = next_parent;
  assign record_o[RECORD_CHILD+:PORTS] = next_child;
  assign record_o[RECORD_CHILD_IN+:PORTS] = next_child_in;
  assign record_o[RECORD_LOCAL+:PORTS] = members;
  assign record_o[RECORD_LOCAL_IN+:PORTS] = next_local_in;
  assign record_o[RECORD_TO_LOCAL+:PORTS] = to_local;
  assign record_o[RECORD_TO_CHILD+:PORTS] = to_child;
  assign record_o[RECORD_ADDRESS+:11*PORTS] = next_addresses;

`ifdef FORMAL_hd_barrier_decide
  // The tree protocol's rules, which follow from §8.3 and are said in other words:
  // 1 a message that waits or is dropped changes nothing, and one error is recorded at most
  // 2 the members and children of a round are released when all have arrived, all of them at once, and by
  //   nobody but the parent or, at the center, by the last that arrives
  // 3 nobody who has arrived is forgotten: an arrival stands until its answer is pending; what is
  //   pending stays pending
  // 4 the tree only grows, one child a message, until it is built, and then no more; its root and
  //   members never change
  // 5 count falls by one for an initial reduce that came to its end, and never grows
  // 6 a message goes on to its destination with its type, or as fail; its tag is 2 at most and never
  //   falls; nothing is sent for a message that has arrived, and a node is answered fail alone
  // 7 a report goes up once all have arrived; the first one goes with the last member
  wire [PORTS-1:0] f_to_local = record_i[RECORD_TO_LOCAL+:PORTS], f_to_child = record_i[RECORD_TO_CHILD+:PORTS];
  wire f_up = record_i[RECORD_UP];
  wire [RECORD_W-1:0] f_next = write_o ? record_o : record_i;
  wire [PORTS-1:0] f_child = f_next[RECORD_CHILD+:PORTS], f_child_in = f_next[RECORD_CHILD_IN+:PORTS];
  wire [PORTS-1:0] f_local_in = f_next[RECORD_LOCAL_IN+:PORTS];
  wire [PORTS-1:0] f_next_to_local = f_next[RECORD_TO_LOCAL+:PORTS], f_next_to_child = f_next[RECORD_TO_CHILD+:PORTS];
  wire f_next_bsr = f_next[RECORD_BSR], f_next_built = f_next[RECORD_BUILT], f_next_up = f_next[RECORD_UP];
  wire f_for_us = !is_local && is_here;
  // who counts as arrived with this message: the member at its port; the child whose address it bears
  wire [PORTS-1:0] f_members_now = local_in | (is_local ? port_i : NOBODY);
  wire [PORTS-1:0] f_children_now = child_in | ((f_for_us && (kind == REDUCE)) ? named : NOBODY);
  wire f_all_here = (members & ~f_members_now) == NOBODY;
  wire f_all_below = (child & ~f_children_now) == NOBODY;
  wire f_told = ((f_next_to_local & ~f_to_local) | (f_next_to_child & ~f_to_child)) != NOBODY;
  wire f_released = f_told || (f_next_built && !built);
  wire [PORTS-1:0] f_arrived = f_child_in & ~child_in;
  integer f_i;
  always @* begin
    // what the table and the unit see to, and prove
    assume (port_i != NOBODY && (port_i & (port_i - 1'b1)) == NOBODY);
    assume (hit_i || (record_i == {RECORD_W{1'b0}}));
    if (hit_i) assume (record_i[RECORD_GROUP+:5] == message_i[MESSAGE_GROUP+:5]);
    assume ((first_i & (first_i - 1'b1)) == NOBODY && (any_i & (any_i - 1'b1)) == NOBODY);
    assume (first_fits_i == (first_i != NOBODY) && any_fits_i == (any_i != NOBODY));
    assume (((first_i | any_i) & ~open_i) == NOBODY && (reachable_i || ((first_i | any_i) == NOBODY)));
    assume (((child_in | f_to_child) & ~child) == NOBODY && ((local_in | f_to_local) & ~members) == NOBODY);
    assert (((f_child_in | f_next_to_child) & ~f_child) == NOBODY);
    assert (((f_local_in | f_next_to_local) & ~members) == NOBODY);
    // 1
    assert ((errors_o & (errors_o - 1'b1)) == 5'd0);
    assert (done_o || (put_o == NOBODY));
    if (write_o) assert (done_o && errors_o == 5'd0 && !back_o);
    if (f_for_us) assert (done_o);
    // 2
    if (f_released && (f_for_us && (kind == FAIL))) assert (f_next_built == built && (f_next_to_local & ~f_to_local & ~local_in) == NOBODY);
    else if (f_released) begin
      assert (f_all_here && (!built || f_all_below));
      assert (f_next_built && f_next_to_local == members && f_next_to_child == f_child);
      assert (f_local_in == NOBODY && f_child_in == NOBODY);
      if (root) assert (is_local || (f_for_us && (kind == (built ? REDUCE : INITIAL))));
      else assert (f_for_us && (kind == DISTRIBUTE) && !f_up && (!built || (bsr_node == record_i[RECORD_PARENT+:11])));
      if (root && !built) assert (f_next[RECORD_COUNT+:12] == 12'd0);
    end
    // 3
    assert ((local_in & ~f_local_in & ~f_next_to_local) == NOBODY);
    assert ((child_in & ~f_child_in & ~f_next_to_child) == NOBODY);
    assert ((f_to_local & ~f_next_to_local) == NOBODY && (f_to_child & ~f_next_to_child) == NOBODY);
    assert (!f_up || f_next_up);
    assert ((f_arrived & (f_arrived - 1'b1)) == NOBODY);
    // who arrives is counted, or answered at once; who has arrived is told of a failure
    if (is_local && done_o && (kind == REDUCE))
      assert (back_o ? put_o == port_i : write_o && ((f_local_in | f_next_to_local) & port_i) != NOBODY);
    if (is_local && write_o) assert ((local_in & port_i) == NOBODY && (members & port_i) != NOBODY && !failed);
    if (f_for_us && (kind == REDUCE) && errors_o == 5'd0) assert (write_o && (named & ~child_in) != NOBODY);
    if (f_for_us && (kind == FAIL) && errors_o == 5'd0)
      assert (write_o && f_next[RECORD_FAILED] && (local_in & ~f_next_to_local) == NOBODY);
    // 4
    assert ((child & ~f_child) == NOBODY && (f_child & ~child & ~port_i) == NOBODY);
    if (built) assert (f_child == child && f_next_built);
    for (f_i = 0; f_i < PORTS; f_i = f_i + 1)
      if (f_next[RECORD_ADDRESS+11*f_i+:11] != addresses[11*f_i+:11])
        assert (port_i[f_i] && !built && !is_local && (kind == INITIAL) && (child[f_i] ? tag == 2'd1 : !tag[1]) &&
            f_next[RECORD_ADDRESS+11*f_i+:11] == bsr_node);
    assert (f_next[RECORD_ROOT] == root && f_next[RECORD_LOCAL+:PORTS] == members);
    assert (f_next[RECORD_CENTER+:11] == record_i[RECORD_CENTER+:11]);
    if (write_o) assert (record_o[RECORD_GROUP+:5] == message_i[MESSAGE_GROUP+:5]);
    assert ((!bsr || f_next_bsr) && (!failed || f_next[RECORD_FAILED]));
    // a switch sees that branches meet by the second child, and says so upwards
    if (!bsr && f_next_bsr)
      assert (child != NOBODY && put_o != NOBODY && message_o[MESSAGE_TAG+:2] == 2'd1 && message_o[MESSAGE_BSR+:11] == self_i);
    if (f_next[RECORD_PARENT+:11] != record_i[RECORD_PARENT+:11]) assert (f_released && !built && !root);
    // 5
    if (f_next[RECORD_COUNT+:12] != count)
      assert (count != 12'd0 && f_next[RECORD_COUNT+:12] == count - 12'd1 && f_for_us && (kind == INITIAL) && root && !built);
    if (f_for_us && (kind == INITIAL) && errors_o == 5'd0) assert (f_next[RECORD_COUNT+:12] != count);
    // 6
    assert ((put_o & (put_o - 1'b1)) == NOBODY && (put_o & ~open_i) == NOBODY);
    if (f_for_us) assert (put_o == NOBODY);
    if (put_o != NOBODY) begin
      assert (message_o[MESSAGE_LOCAL] == is_local && message_o[MESSAGE_GROUP+:5] == message_i[MESSAGE_GROUP+:5]);
      if (is_local) assert (message_o[MESSAGE_TYPE+:2] == FAIL && put_o == port_i && !write_o);
      else begin
        assert (message_o[MESSAGE_TO+:11] == message_i[MESSAGE_TO+:11]);
        assert (message_o[MESSAGE_TYPE+:2] == kind || (kind == INITIAL && message_o[MESSAGE_TYPE+:2] == FAIL && !hit_i && !free_i));
        assert (message_o[MESSAGE_TAG+:2] >= tag);
        if (kind == INITIAL) assert (message_o[MESSAGE_TAG+:2] <= 2'd2 && put_o == first_i && !any_o);
        else assert (message_o == message_i && put_o == any_i);
        assert (errors_o == ((kind != message_o[MESSAGE_TYPE+:2]) ? TABLE : 5'd0));
        // where branches meet is a BSR node; it takes all children that come after
        if (write_o && bsr) assert (message_o[MESSAGE_TAG+:2] == 2'd2);
        if (write_o && (child != NOBODY) && tag == 2'd0) assert (f_next_bsr);
      end
    end
    // 7
    if (!f_up && f_next_up) begin
      assert (f_all_here && (!built || f_all_below) && !root);
      if (!built) assert (is_local && (members & ~local_in) == port_i);
    end
  end
`endif

endmodule

`default_nettype wire
