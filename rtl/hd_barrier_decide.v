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
    // ways (§8.4): some port leads there; the first way and any way, 0 while it has to wait
    input  wire                reachable_i,
    input  wire [   PORTS-1:0] first_i,
    input  wire [   PORTS-1:0] any_i,
    // slots that are open to this message
    input  wire [   PORTS-1:0] open_i,
    // verdict
    output reg                 done_o,
    output reg                 write_o,
    output wire [RECORD_W-1:0] record_o,
    output reg  [   PORTS-1:0] put_o,
    output reg  [        31:0] message_o,
    output reg                 any_o,       // goes by any way
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
        done_o = put_o != NOBODY;
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
    if (done_o)
      write_o = is_local ? arrived : is_here ? bsr && (arrived || release_ || (kind == FAIL)) : adopt;
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

endmodule

`default_nettype wire
