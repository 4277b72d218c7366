// Buffer of one input virtual channel: a first-in first-out queue (§2.3).
// SPDX-License-Identifier: Apache-2.0
//
// The front is read without a cycle of its own, so that it can be granted in its first cycle in the buffer
// (§2.2). `next_o` shows the next front a cycle ahead, so that its fields can be registers, too. The
// entries form a ring and do not move: writes are known early, and a pop, which comes late, only moves a
// pointer.
//
// A pop that is known early has an input of its own. The late pop is used last: it chooses between two next states that
// do not wait for it. These are masked and ORed, because `if (pop_i) fill_q <= ...` would become a clock enable and
// cost a look-up table more. Signals that are known early are enables, so that a simulator skips an empty buffer.
//
// Credits keep the sender from overfilling it, so there is no full flag. The caller compares the fill count with DEPTH,
// because the route pipeline counts, too (§2.3).
//
// Preconditions: no push at fill DEPTH without a pop, no pop at fill 0, no early pop beside a late one.
`default_nettype none

module hd_vc_buffer #(
    parameter WIDTH = 16,  // bits of an entry, at least 1
    parameter DEPTH = 4,   // entries, 1-64
    parameter ROW_W = (DEPTH > 1) ? $clog2(DEPTH) : 1  // derived, not to be set
) (
    input  wire                             clk,
    input  wire                             rst,
    // push side
    input  wire                             push_i,
    input  wire [                WIDTH-1:0] data_i,
    // pop side: `data_o` is the front while some_o is 1; `next_o` is the front of the next cycle, after a pop or after
    // a push into the empty buffer
    input  wire                             pop_i,
    input  wire                             early_pop_i,
    output wire                             some_o,
    output wire [                WIDTH-1:0] data_o,
    output wire [                WIDTH-1:0] next_o,
    // 1: after a pop an entry is left, and next_o is that entry
    output wire                             more_o,
    // number of entries held
    output wire [$clog2(DEPTH + 1)-1:0] fill_o,
    // rows of the front and of the next push, for a memory with the same order
    output wire [                ROW_W-1:0] front_row_o,
    output wire [                ROW_W-1:0] push_row_o
`ifdef FORMAL
    ,
    output wire [    DEPTH*WIDTH-1:0] f_held_o  // the entries, the front lowest
`endif
);

  localparam FILL_W = (DEPTH > 0) ? $clog2(DEPTH + 1) : 1;
  localparam [31:0] LAST = DEPTH - 1;
  localparam [FILL_W-1:0] EMPTY = {FILL_W{1'b0}};
  localparam [FILL_W-1:0] ONE = 1;
  localparam [ROW_W-1:0] FIRST = {ROW_W{1'b0}};

  // number of the row after `row`: entry 0 follows entry DEPTH - 1
  localparam POWER = DEPTH == (1 << ROW_W);  // 1: the number wraps by itself
  function [ROW_W-1:0] after(input [ROW_W-1:0] row);
    after = (!POWER && (row == LAST[ROW_W-1:0])) ? FIRST : row + 1'b1;
  endfunction

  reg [WIDTH-1:0] mem[0:DEPTH-1];
  reg [ROW_W-1:0] front_q, push_q;
  reg [FILL_W-1:0] fill_q;
  reg some_q;

  always @(posedge clk)
    if (rst || some_q || push_i) begin
      some_q <= !rst && (push_i || ((pop_i || early_pop_i) ? fill_q != ONE : some_q));
      front_q <= rst ? FIRST : (after(front_q) & {ROW_W{pop_i}}) |
          ((early_pop_i ? after(front_q) : front_q) & ~{ROW_W{pop_i}});
      fill_q <= rst ? EMPTY : ((push_i ? fill_q : fill_q - 1'b1) & {FILL_W{pop_i}}) |
          (((push_i == early_pop_i) ? fill_q : push_i ? fill_q + 1'b1 : fill_q - 1'b1) & ~{FILL_W{pop_i}});
    end
  // (an entry that a reset writes is never read)
  always @(posedge clk)
    if (rst || push_i) begin
      mem[push_q] <= data_i;
      push_q <= rst ? FIRST : after(push_q);
    end

  assign fill_o = fill_q;
  assign some_o = some_q;
  assign data_o = mem[front_q];
  assign more_o = (fill_q >> 1) != EMPTY;
  assign next_o = more_o ? mem[after(front_q)] : data_i;
  assign front_row_o = front_q;
  assign push_row_o = push_q;

`ifdef FORMAL
  localparam [31:0] SLOTS = DEPTH;
  // The contents equal a plain list: pushes append, pops take the first entry. Entry i of the list is in row
  // (front + i) mod DEPTH.
  wire f_pop = pop_i || early_pop_i;
  reg f_started = 1'b0;
  integer f_fill = 0;
  reg f_moved_q;
  reg [WIDTH-1:0] f_next_q, f_data_q;
  reg [WIDTH-1:0] f_list[0:DEPTH];
  integer f_i;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_moved_q <= f_pop || (push_i && !some_o);
    f_next_q <= next_o;
    f_data_q <= data_o;
    f_fill <= rst ? 0 : f_fill + (push_i ? 1 : 0) - (f_pop ? 1 : 0);
    for (f_i = 0; f_i < DEPTH; f_i = f_i + 1)
      if (push_i && (f_i == f_fill - (f_pop ? 1 : 0))) f_list[f_i] <= data_i;
      else if (f_pop) f_list[f_i] <= f_list[f_i+1];
  end
  always @* begin
    if (!f_started) assume (rst);
`ifdef FORMAL_hd_vc_buffer
    assume (!(push_i && !f_pop && (fill_o == SLOTS[FILL_W-1:0])));
    assume (!(f_pop && (fill_o == EMPTY)));
    assume (!(pop_i && early_pop_i));
`else
    if (f_started && !rst) begin
      assert (!(push_i && !f_pop && (fill_o == SLOTS[FILL_W-1:0])));
      assert (!(f_pop && (fill_o == EMPTY)));
      assert (!(pop_i && early_pop_i));
    end
`endif
    if (f_started) begin
      assert (f_fill >= 0 && f_fill <= DEPTH && fill_o == f_fill);
      assert (some_o == (f_fill > 0) && more_o == (f_fill > 1));
      if (f_fill > 0) assert (data_o == f_list[0]);
      if (f_fill > 0) assert (data_o == (f_moved_q ? f_next_q : f_data_q));
    end
  end
  genvar i;
  generate
    for (i = 0; i < DEPTH; i = i + 1) begin : f_held
      assign f_held_o[i*WIDTH+:WIDTH] = (i < f_fill) ? f_list[i] : {WIDTH{1'b0}};
    end
  endgenerate
  localparam [7:0] F_DEPTH = DEPTH;  // a solver takes long over remainders of 32 bits
  reg [7:0] f_at;
  integer f_r;
  always @* begin
    f_at = front_q + fill_q;
    f_at = f_at % F_DEPTH;
    if (f_started) begin
      assert (front_q < DEPTH && push_q < DEPTH && fill_q == f_fill);
      assert (push_q == f_at);
      for (f_r = 0; f_r < DEPTH; f_r = f_r + 1) begin
        f_at = front_q + f_r;
        f_at = f_at % F_DEPTH;
        if (f_r < f_fill) assert (mem[f_at] == f_list[f_r]);
      end
    end
  end
`endif

endmodule

`default_nettype wire
