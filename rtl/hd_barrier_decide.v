// Decides about one barrier message: the next record of its group, and the way that the message takes (§8.3).
// SPDX-License-Identifier: Apache-2.0
//
// Combinational. With `done_o` the message leaves its queue in this cycle and its errors are recorded; if it goes on,
// `message_o` goes into the slot of the way that the outputs name. Without `done_o` the message waits. `record_o` is
// the group's next record in both cases.
`default_nettype none

module hd_barrier_decide #(
    parameter PORTS     = 5,                            // 2-16
    parameter VALUES    = 0,                            // 0-1
    parameter MESSAGE_W = (VALUES != 0) ? 64 : 32,      // derived, not to be set
    parameter RECORD_W  = 17 + 6 * PORTS + 68 * VALUES  // as in hd_status_table
) (
    // the message, its input port (one bit), this switch; 1: the switch is the destination
    input  wire [MESSAGE_W-1:0] message_i,
    input  wire [   PORTS-1:0] port_i,
    input  wire [        10:0] self_i,
    input  wire                here_i,
    // the record of the message's group (0: no entry); 1: the group has an entry; 1: the table has a free entry;
    // children, and 1: parent, whose address equals the message's bsr
    input  wire [RECORD_W-1:0] record_i,
    input  wire                hit_i,
    input  wire                free_i,
    input  wire [   PORTS-1:0] named_i,
    input  wire                by_parent_i,
    // ways (§8.4). reachable_i is 1 if a port leads to the destination. The *_fits_i are 1 if the message may enter the
    // slot of the first way, of any way, of its own input port.
    input  wire                reachable_i,
    input  wire                first_fits_i,
    input  wire                any_fits_i,
    input  wire                back_fits_i,
    // verdict on the message
    output reg                 done_o,
    output wire [RECORD_W-1:0] record_o,
    output reg                 adopt_o,      // adds the message's bsr as child at its port, maybe in a new entry
    output reg                 follow_o,     // sets the parent to the message's bsr
    output reg                 first_o,      // the message leaves by the first way, or waits for it
    output reg                 any_o,        // likewise, by any way
    output reg                 back_o,       // likewise, by its own port, as a failure
    output reg  [MESSAGE_W-1:0] message_o,
    output reg  [         4:0] errors_o      // error bits unreachable, protocol, duplicate, group, table
);

  localparam [PORTS-1:0] NOBODY = {PORTS{1'b0}};
  localparam [1:0] REDUCE = 2'd0, DISTRIBUTE = 2'd1, INITIAL = 2'd2, FAIL = 2'd3;
  // bit positions in a record and in a message
  localparam RECORD_BSR = 0, RECORD_ROOT = 1, RECORD_BUILT = 2, RECORD_FAILED = 3, RECORD_UP = 4;
  localparam RECORD_COUNT = 5, RECORD_CHILD = 17, RECORD_CHILD_IN = 17 + PORTS;
  localparam RECORD_LOCAL = 17 + 2 * PORTS, RECORD_LOCAL_IN = 17 + 3 * PORTS;
  localparam RECORD_TO_LOCAL = 17 + 4 * PORTS, RECORD_TO_CHILD = 17 + 5 * PORTS;
  localparam RECORD_OP = 17 + 6 * PORTS, RECORD_VALUE = 19 + 6 * PORTS;
  localparam RECORD_RESULT_OP = 51 + 6 * PORTS, RECORD_RESULT = 53 + 6 * PORTS;
  localparam MESSAGE_TYPE = 0, MESSAGE_TAG = 2, MESSAGE_GROUP = 4;
  localparam MESSAGE_BSR = 20, MESSAGE_LOCAL = 31, MESSAGE_VALUE = 32;
  localparam [4:0] TABLE = 5'd1, GROUP = 5'd2, DUPLICATE = 5'd4, PROTOCOL = 5'd8, UNREACHABLE = 5'd16;

  // fields of the message
  wire [1:0] kind = message_i[MESSAGE_TYPE+:2];
  wire [1:0] tag = message_i[MESSAGE_TAG+:2];
  wire is_local = message_i[MESSAGE_LOCAL];

  // fields of the record
  wire bsr = record_i[RECORD_BSR];
  wire root = record_i[RECORD_ROOT];
  wire built = record_i[RECORD_BUILT];
  wire failed = record_i[RECORD_FAILED];
  wire [11:0] count = record_i[RECORD_COUNT+:12];
  wire [PORTS-1:0] child = record_i[RECORD_CHILD+:PORTS];
  wire [PORTS-1:0] child_in = record_i[RECORD_CHILD_IN+:PORTS];
  wire [PORTS-1:0] members = record_i[RECORD_LOCAL+:PORTS];
  wire [PORTS-1:0] local_in = record_i[RECORD_LOCAL_IN+:PORTS];

  // The message reports for this child: the lowest whose address it has.
  wire [PORTS-1:0] reporter = named_i & (~named_i + {{(PORTS - 1) {1'b0}}, 1'b1});

  // 1: a distribute would come before this switch has reported, or from a switch that is not the parent
  wire early = record_i[RECORD_UP] || ((members & ~local_in) != NOBODY) ||
      (built && (((child & ~child_in) != NOBODY) || !by_parent_i));

  // values (§8.14): a member brings one before the tree is built; the message's operator differs from the others'
  wire too_early, differ;

  // next state of the record
  reg next_bsr, next_built, next_failed, next_up, arrived;
  reg [11:0] next_count;
  reg [PORTS-1:0] next_child, next_child_in, next_local_in, to_local, to_child;
  reg complete, release_, joins;
  always @* begin
    done_o = 1'b0;
    message_o = message_i;
    first_o = 1'b0;
    any_o = 1'b0;
    back_o = 1'b0;
    errors_o = 5'd0;
    next_bsr = bsr;
    next_built = built;
    next_failed = failed;
    next_up = record_i[RECORD_UP];
    next_count = count;
    next_child_in = child_in;
    next_local_in = local_in;
    to_local = record_i[RECORD_TO_LOCAL+:PORTS];
    to_child = record_i[RECORD_TO_CHILD+:PORTS];
    adopt_o = 1'b0;
    follow_o = 1'b0;
    arrived = 1'b0;
    release_ = 1'b0;

    if (is_local) begin
      done_o = 1'b1;
      if (kind != REDUCE) errors_o = PROTOCOL;
      else if (!failed && ((members & port_i & ~local_in) != NOBODY) && !too_early) begin
        next_local_in = local_in | port_i;
        arrived = 1'b1;
      end else begin
        back_o = 1'b1;
        done_o = back_fits_i;
        message_o = {MESSAGE_W{1'b0}};
        message_o[MESSAGE_LOCAL] = 1'b1;
        message_o[MESSAGE_GROUP+:5] = message_i[MESSAGE_GROUP+:5];
        message_o[MESSAGE_TYPE+:2] = FAIL;
        if ((members & port_i) == NOBODY) errors_o = GROUP;
        else if (!failed) errors_o = ((local_in & port_i) != NOBODY) ? DUPLICATE : PROTOCOL;
      end
    end else if (!here_i) begin
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
        any_o   = kind != INITIAL;
        first_o = kind == INITIAL;
        done_o  = any_o ? any_fits_i : first_fits_i;
        if ((kind == INITIAL) && (tag != 2'd2)) begin
          if (!hit_i && !free_i) begin
            message_o[MESSAGE_TYPE+:2] = FAIL;
            errors_o = TABLE;
          end else begin
            adopt_o = first_fits_i;
            if (bsr) message_o[MESSAGE_TAG+:2] = 2'd2;
            else if ((tag == 2'd0) && (child != NOBODY)) begin
              if (first_fits_i) next_bsr = 1'b1;
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
            adopt_o = !tag[1];
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
            follow_o = !built;
            release_ = 1'b1;
          end
          default: begin
            next_failed = 1'b1;
            to_local = to_local | local_in;
            next_local_in = NOBODY;
          end
        endcase
    end

    next_child = child | (port_i & {PORTS{adopt_o}});
    joins = arrived && (kind != INITIAL);
    if (joins && differ) errors_o = PROTOCOL;

    // check whether all have arrived, and release them
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

  // fields of the next record
  assign record_o[RECORD_BSR] = next_bsr;
  assign record_o[RECORD_ROOT] = root;
  assign record_o[RECORD_BUILT] = next_built;
  assign record_o[RECORD_FAILED] = next_failed;
  assign record_o[RECORD_UP] = next_up;
  assign record_o[RECORD_COUNT+:12] = next_count;
  assign record_o[RECORD_CHILD+:PORTS] = next_child;
  assign record_o[RECORD_CHILD_IN+:PORTS] = next_child_in;
  assign record_o[RECORD_LOCAL+:PORTS] = members;
  assign record_o[RECORD_LOCAL_IN+:PORTS] = next_local_in;
  assign record_o[RECORD_TO_LOCAL+:PORTS] = to_local;
  assign record_o[RECORD_TO_CHILD+:PORTS] = to_child;

  generate
    if (VALUES != 0) begin : values
      wire [1:0] op = record_i[RECORD_OP+:2];
      wire [31:0] value = record_i[RECORD_VALUE+:32];
      wire [1:0] joined_op;
      wire [31:0] joined_value;
      hd_barrier_value u_value (
          .op_i(op),
          .value_i(value),
          .first_i((local_in | child_in) == NOBODY),
          .with_op_i(tag),
          .with_value_i(message_i[MESSAGE_VALUE+:32]),
          .op_o(joined_op),
          .value_o(joined_value),
          .differ_o(differ)
      );
      assign too_early = !built && (tag != 2'd0);
      wire [1:0] next_op = joins ? joined_op : op;
      wire [31:0] next_value = joins ? joined_value : value;
      assign record_o[RECORD_OP+:2] = next_op;
      assign record_o[RECORD_VALUE+:32] = next_value;
      // At the center the last arrival may still be combined. Elsewhere the parent's message has the result.
      wire [31:0] told = (tag == 2'd0) ? 32'd0 : message_i[MESSAGE_VALUE+:32];
      assign record_o[RECORD_RESULT_OP+:2] = !release_ ? record_i[RECORD_RESULT_OP+:2] : root ? next_op : tag;
      assign record_o[RECORD_RESULT+:32] = !release_ ? record_i[RECORD_RESULT+:32] : root ? next_value : told;
    end else begin : no_values
      assign too_early = 1'b0;
      assign differ = 1'b0;
      wire unused_joins = joins;
    end
  endgenerate

`ifdef FORMAL_hd_barrier_decide
  // The rules of the tree protocol, which follow from §8.3:
  // 1 a message that waits or is dropped changes nothing, and one error is recorded at most; it goes
  //   one way
  // 2 the members and children of a round are released together, once all have arrived, and only by the parent or,
  //   at the center, by the last arrival
  // 3 no arrival is forgotten: it stands until its answer is pending, and a pending answer stays pending
  // 4 the tree only grows, one child a message, until it is built, and then no more; its root and
  //   members never change
  // 5 count falls by one for an initial reduce that ends here, and never grows
  // 6 a message goes on to its destination with its type, or as fail; its tag is 2 at most and never
  //   falls; nothing is sent for a message that has arrived, and a node is answered fail alone
  // 7 a report goes up once all have arrived; the first one goes with the last member
  // 8 §8.14: only an arrival changes the combined value; only a release sets the result; operators that differ are
  //   recorded, and the message arrives nevertheless; before the tree is built no member brings a value
  localparam MESSAGE_TO = 9;
  wire [PORTS-1:0] f_to_local = record_i[RECORD_TO_LOCAL+:PORTS], f_to_child = record_i[RECORD_TO_CHILD+:PORTS];
  wire f_up = record_i[RECORD_UP];
  wire [RECORD_W-1:0] f_next = record_o;
  wire f_write = (record_o != record_i) || adopt_o || follow_o;
  wire f_put = (first_o && first_fits_i) || (any_o && any_fits_i) || (back_o && back_fits_i);
  wire [PORTS-1:0] f_child = f_next[RECORD_CHILD+:PORTS], f_child_in = f_next[RECORD_CHILD_IN+:PORTS];
  wire [PORTS-1:0] f_local_in = f_next[RECORD_LOCAL_IN+:PORTS];
  wire [PORTS-1:0] f_next_to_local = f_next[RECORD_TO_LOCAL+:PORTS], f_next_to_child = f_next[RECORD_TO_CHILD+:PORTS];
  wire f_next_bsr = f_next[RECORD_BSR], f_next_built = f_next[RECORD_BUILT], f_next_up = f_next[RECORD_UP];
  wire f_for_us = !is_local && here_i;
  // arrived so far, with this message: members, and children, whose address it has, by port
  wire [PORTS-1:0] f_members_now = local_in | (is_local ? port_i : NOBODY);
  wire [PORTS-1:0] f_children_now = child_in | ((f_for_us && (kind == REDUCE)) ? named_i : NOBODY);
  wire f_all_here = (members & ~f_members_now) == NOBODY;
  wire f_all_below = (child & ~f_children_now) == NOBODY;
  wire f_told = ((f_next_to_local & ~f_to_local) | (f_next_to_child & ~f_to_child)) != NOBODY;
  wire f_released = f_told || (f_next_built && !built);
  wire [PORTS-1:0] f_arrived = f_child_in & ~child_in;
  always @* begin
    // hd_status_table and hd_barrier_unit prove these assumptions.
    assume (port_i != NOBODY && (port_i & (port_i - 1'b1)) == NOBODY);
    assume (hit_i || (record_i == {RECORD_W{1'b0}}));
    assume ((named_i & ~child) == NOBODY && (reachable_i || (!first_fits_i && !any_fits_i)));
    assume (((child_in | f_to_child) & ~child) == NOBODY && ((local_in | f_to_local) & ~members) == NOBODY);
    assert (((f_child_in | f_next_to_child) & ~f_child) == NOBODY);
    assert (((f_local_in | f_next_to_local) & ~members) == NOBODY);
    // property 1
    assert ((errors_o & (errors_o - 1'b1)) == 5'd0);
    assert ({1'b0, first_o} + {1'b0, any_o} + {1'b0, back_o} <= 2'd1);
    assert (done_o || !f_put);
    if (f_write) assert (done_o && errors_o == (f_differ ? PROTOCOL : 5'd0) && !back_o);
    if (f_for_us) assert (done_o);
    // property 2
    if (f_released && (f_for_us && (kind == FAIL))) assert (f_next_built == built && (f_next_to_local & ~f_to_local & ~local_in) == NOBODY);
    else if (f_released) begin
      assert (f_all_here && (!built || f_all_below));
      assert (f_next_built && f_next_to_local == members && f_next_to_child == f_child);
      assert (f_local_in == NOBODY && f_child_in == NOBODY);
      if (root) assert (is_local || (f_for_us && (kind == (built ? REDUCE : INITIAL))));
      else assert (f_for_us && (kind == DISTRIBUTE) && !f_up && (!built || by_parent_i) && (built || follow_o));
      if (root && !built) assert (f_next[RECORD_COUNT+:12] == 12'd0);
    end
    // property 3
    assert ((local_in & ~f_local_in & ~f_next_to_local) == NOBODY);
    assert ((child_in & ~f_child_in & ~f_next_to_child) == NOBODY);
    assert ((f_to_local & ~f_next_to_local) == NOBODY && (f_to_child & ~f_next_to_child) == NOBODY);
    assert (!f_up || f_next_up);
    assert ((f_arrived & (f_arrived - 1'b1)) == NOBODY);
    // An arrival is counted or answered at once. A failure is sent to all that have arrived.
    if (is_local && done_o && (kind == REDUCE))
      assert (back_o || ((f_local_in | f_next_to_local) & port_i) != NOBODY);
    if (is_local && f_write) assert ((local_in & port_i) == NOBODY && (members & port_i) != NOBODY && !failed);
    if (f_for_us && (kind == REDUCE) && (errors_o == 5'd0 || f_differ)) assert ((named_i & ~child_in) != NOBODY);
    if (f_for_us && (kind == FAIL) && errors_o == 5'd0)
      assert (f_next[RECORD_FAILED] && (local_in & ~f_next_to_local) == NOBODY);
    // property 4
    assert ((child & ~f_child) == NOBODY && (f_child & ~child & ~port_i) == NOBODY);
    if (built) assert (f_child == child && f_next_built);
    if (adopt_o)
      assert (!built && !is_local && (kind == INITIAL) && (((child & port_i) != NOBODY) ? tag == 2'd1 : !tag[1]));
    assert (f_child == (adopt_o ? child | port_i : child));
    assert (f_next[RECORD_ROOT] == root && f_next[RECORD_LOCAL+:PORTS] == members);
    assert ((!bsr || f_next_bsr) && (!failed || f_next[RECORD_FAILED]));
    // A second child means that branches meet in this switch. The switch reports that upwards.
    if (!bsr && f_next_bsr)
      assert (child != NOBODY && f_put && message_o[MESSAGE_TAG+:2] == 2'd1 && message_o[MESSAGE_BSR+:11] == self_i);
    if (follow_o) assert (f_next_built && !built && !root && f_for_us && (kind == DISTRIBUTE));
    // property 5
    if (f_next[RECORD_COUNT+:12] != count)
      assert (count != 12'd0 && f_next[RECORD_COUNT+:12] == count - 12'd1 && f_for_us && (kind == INITIAL) && root && !built);
    if (f_for_us && (kind == INITIAL) && errors_o == 5'd0) assert (f_next[RECORD_COUNT+:12] != count);
    // property 6
    if (f_for_us) assert (!first_o && !any_o && !back_o);
    if (f_put) begin
      assert (message_o[MESSAGE_LOCAL] == is_local && message_o[MESSAGE_GROUP+:5] == message_i[MESSAGE_GROUP+:5]);
      if (is_local) assert (message_o[MESSAGE_TYPE+:2] == FAIL && back_o && !f_write);
      else begin
        assert (message_o[MESSAGE_TO+:11] == message_i[MESSAGE_TO+:11]);
        assert (message_o[MESSAGE_TYPE+:2] == kind || (kind == INITIAL && message_o[MESSAGE_TYPE+:2] == FAIL && !hit_i && !free_i));
        assert (message_o[MESSAGE_TAG+:2] >= tag);
        if (kind == INITIAL) assert (message_o[MESSAGE_TAG+:2] <= 2'd2 && first_o);
        else assert (message_o == message_i && any_o);
        assert (errors_o == ((kind != message_o[MESSAGE_TYPE+:2]) ? TABLE : 5'd0));
        // a switch where branches meet is a BSR node; it adopts all children that come later
        if (f_write && bsr) assert (message_o[MESSAGE_TAG+:2] == 2'd2);
        if (f_write && (child != NOBODY) && tag == 2'd0) assert (f_next_bsr);
      end
    end
    // property 7
    if (!f_up && f_next_up) begin
      assert (f_all_here && (!built || f_all_below) && !root);
      if (!built) assert (is_local && (members & ~local_in) == port_i);
    end
  end
  // property 8
  wire f_arrives = is_local ? (kind == REDUCE) && !back_o :
      here_i && bsr && built && (kind == REDUCE) && (reporter != NOBODY) && ((reporter & child_in) == NOBODY);
  wire f_nobody_yet = (local_in | child_in) == NOBODY;
  wire f_differ;
  generate
    if (VALUES != 0) begin : f_values
      wire [1:0] f_op = record_i[RECORD_OP+:2], f_next_op = f_next[RECORD_OP+:2];
      wire [31:0] f_value = record_i[RECORD_VALUE+:32], f_next_value = f_next[RECORD_VALUE+:32];
      wire [31:0] f_with = (tag == 2'd0) ? 32'd0 : message_i[MESSAGE_VALUE+:32];
      wire f_same = f_next[RECORD_RESULT_OP+:34] == record_i[RECORD_RESULT_OP+:34];
      assign f_differ = f_arrives && !f_nobody_yet && (tag != f_op);
      always @* begin
        if (is_local && (kind == REDUCE) && !built && (tag != 2'd0)) assert (back_o && !f_write);
        if (!f_arrives) assert ((f_next_op == f_op) && (f_next_value == f_value));
        else if (f_nobody_yet) assert ((f_next_op == tag) && (f_next_value == f_with));
        else if (f_differ) assert ((f_next_op == 2'd0) && (f_next_value == 32'd0) && (errors_o == PROTOCOL));
        else assert ((f_next_op == f_op) && ((tag != 2'd1) || (f_next_value == f_value + f_with)));
        if (release_)
          assert (f_next[RECORD_RESULT_OP+:34] == (root ? {f_next_value, f_next_op} : {f_with, tag}));
        if (!release_) assert (f_same);
      end
    end else begin : f_no_values
      assign f_differ = 1'b0;
    end
  endgenerate
`endif

endmodule

`default_nettype wire
