// Buffer of one input virtual channel: a first-in first-out queue (§2.3).
// SPDX-License-Identifier: Apache-2.0
//
// The front is read without a cycle of its own, so that it can be granted in the first cycle in which it is in the
// buffer (§2.2). `next_o` shows the next front a cycle ahead, so that its decoded fields can be registers, too. Up to
// LINE places form a line: a pop moves each flit one place forward, a push fills the first empty place, and the front
// is a register. Such a place costs a look-up table before its flip-flops, less than the read port of a memory, and
// takes no time. More places form a memory, in which flits do not move and for which devices have block RAM.
//
// Credits keep the sender from overfilling it, so there is no full flag. The caller compares the fill count with DEPTH,
// because the route pipeline counts, too (§2.3).
//
// Preconditions: no push at fill DEPTH without a pop, no pop at fill 0.
`default_nettype none

module hd_vc_buffer #(
    parameter WIDTH = 16,  // bits of an entry, at least 1
    parameter DEPTH = 4    // entries, 1-64
) (
    input  wire                             clk,
    input  wire                             rst,
    // in
    input  wire                             push_i,
    input  wire [                WIDTH-1:0] data_i,
    // out: `data_o` is the front while some_o; `next_o` is the front of the next cycle after a pop, or after a push into
    // the empty buffer
    input  wire                             pop_i,
    output wire                             some_o,
    output wire [                WIDTH-1:0] data_o,
    output wire [                WIDTH-1:0] next_o,
    // a pop leaves an entry, and next_o is it
    output wire                             more_o,
    // entries held
    output wire [$clog2(DEPTH + 1)-1:0] fill_o
`ifdef FORMAL
    ,
    output wire [    DEPTH*WIDTH-1:0] f_held_o  // the entries, the front lowest
`endif
);

  localparam FILL_W = $clog2(DEPTH + 1);
`ifdef FORMAL
  localparam [31:0] SLOTS = DEPTH;
`endif

  localparam LINE = 4;
  genvar i;
  generate
    if (DEPTH >= 1 && DEPTH <= LINE) begin : line
      // place 0 is the front; places after the last flit hold anything
      localparam [DEPTH-1:0] FIRST = {{(DEPTH - 1) {1'b0}}, 1'b1};
      reg [DEPTH-1:0] held_q;  // taken places
      for (i = 0; i < DEPTH; i = i + 1) begin : place
        reg [WIDTH-1:0] flit_q;
        wire [WIDTH-1:0] next;
        if (i == DEPTH - 1) begin : last
          assign next = data_i;
        end else begin : inner
          assign next = held_q[i+1] ? place[i+1].flit_q : data_i;
        end
        always @(posedge clk) if (push_i || pop_i) if (pop_i || !held_q[i]) flit_q <= next;
      end
      always @(posedge clk)
        if (rst) held_q <= {DEPTH{1'b0}};
        else if (push_i != pop_i) held_q <= push_i ? (held_q << 1) | FIRST : held_q >> 1;
      integer n;
      reg [FILL_W-1:0] fill;
      always @* begin
        fill = {FILL_W{1'b0}};
        if (held_q[0]) for (n = 0; n < DEPTH; n = n + 1) fill = fill + {{(FILL_W - 1) {1'b0}}, held_q[n]};
      end
      assign fill_o = fill;
      assign some_o = held_q[0];
      assign data_o = place[0].flit_q;
      assign next_o = place[0].next;
      if (DEPTH > 1) begin : several
        assign more_o = held_q[1];
      end else begin : single
        assign more_o = 1'b0;
      end
    end else begin : ring
      localparam PTR_W = $clog2(DEPTH);
      localparam [31:0] LAST = DEPTH - 1;
      localparam [31:0] ALONE = 1;
      reg [FILL_W-1:0] fill_q;
      reg [WIDTH-1:0] mem[0:DEPTH-1];
      reg [PTR_W-1:0] head_q;
      reg [PTR_W-1:0] tail_q;
      wire [PTR_W-1:0] second = (head_q == LAST[PTR_W-1:0]) ? {PTR_W{1'b0}} : head_q + 1'b1;
      always @(posedge clk)
        if (rst) begin
          fill_q <= {FILL_W{1'b0}};
          head_q <= {PTR_W{1'b0}};
          tail_q <= {PTR_W{1'b0}};
        end else if (push_i || pop_i) begin
          if (!pop_i) fill_q <= fill_q + 1'b1;
          if (!push_i) fill_q <= fill_q - 1'b1;
          if (push_i) tail_q <= (tail_q == LAST[PTR_W-1:0]) ? {PTR_W{1'b0}} : tail_q + 1'b1;
          if (pop_i) head_q <= second;
        end
      always @(posedge clk) if (push_i) mem[tail_q] <= data_i;
      assign fill_o = fill_q;
      assign some_o = fill_q != {FILL_W{1'b0}};
      assign data_o = mem[head_q];
      assign more_o = fill_q > ALONE[FILL_W-1:0];
      assign next_o = more_o ? mem[second] : data_i;
    end
  endgenerate

`ifdef FORMAL
  // The contents equal a plain list: pushes append, pops take the first entry. Entry i of the list is in place i, or
  // in row (head + i) mod DEPTH.
  reg f_started = 1'b0;
  integer f_fill = 0;
  reg f_moved_q;
  reg [WIDTH-1:0] f_next_q, f_data_q;
  reg [WIDTH-1:0] f_list[0:DEPTH];
  integer f_i;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_moved_q <= pop_i || (push_i && !some_o);
    f_next_q <= next_o;
    f_data_q <= data_o;
    f_fill <= rst ? 0 : f_fill + (push_i ? 1 : 0) - (pop_i ? 1 : 0);
    for (f_i = 0; f_i < DEPTH; f_i = f_i + 1)
      if (push_i && (f_i == f_fill - (pop_i ? 1 : 0))) f_list[f_i] <= data_i;
      else if (pop_i) f_list[f_i] <= f_list[f_i+1];
  end
  always @* begin
    if (!f_started) assume (rst);
`ifdef FORMAL_hd_vc_buffer
    assume (!(push_i && !pop_i && (fill_o == SLOTS[FILL_W-1:0])));
    assume (!(pop_i && (fill_o == {FILL_W{1'b0}})));
`else
    if (f_started && !rst) begin
      assert (!(push_i && !pop_i && (fill_o == SLOTS[FILL_W-1:0])));
      assert (!(pop_i && (fill_o == {FILL_W{1'b0}})));
    end
`endif
    if (f_started) begin
      assert (f_fill >= 0 && f_fill <= DEPTH && fill_o == f_fill);
      assert (some_o == (f_fill > 0) && more_o == (f_fill > 1));
      if (f_fill > 0) assert (data_o == f_list[0]);
      if (f_fill > 0) assert (data_o == (f_moved_q ? f_next_q : f_data_q));
    end
  end
  generate
    for (i = 0; i < DEPTH; i = i + 1) begin : f_held
      assign f_held_o[i*WIDTH+:WIDTH] = (i < f_fill) ? f_list[i] : {WIDTH{1'b0}};
    end
    if (DEPTH >= 1 && DEPTH <= LINE) begin : f_line
      always @* if (f_started) assert (line.held_q == ~(~0 << f_fill));
      for (i = 0; i < DEPTH; i = i + 1) begin : place
        always @* if (f_started && (i < f_fill)) assert (line.place[i].flit_q == f_list[i]);
      end
    end else begin : f_ring
      localparam [7:0] F_DEPTH = DEPTH;  // a solver takes long over remainders of 32 bits
      reg [7:0] f_at;
      integer f_r;
      always @* begin
        f_at = ring.head_q + ring.fill_q;
        f_at = f_at % F_DEPTH;
        if (f_started) begin
          assert (ring.head_q < DEPTH && ring.tail_q < DEPTH && ring.fill_q == f_fill);
          assert (ring.tail_q == f_at);
          for (f_r = 0; f_r < DEPTH; f_r = f_r + 1) begin
            f_at = ring.head_q + f_r;
            f_at = f_at % F_DEPTH;
            if (f_r < f_fill) assert (ring.mem[f_at] == f_list[f_r]);
          end
        end
      end
    end
  endgenerate
`endif

endmodule

`default_nettype wire
