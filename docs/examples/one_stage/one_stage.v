// A switch that is not Heddle's: the example of docs/your-own-switch.md.
// SPDX-License-Identifier: Apache-2.0
//
// One stage: what came in a cycle can leave in the next. A packet keeps its output until its last flit
// has left, so packets never mix on a link. At each output the input after the last packet's goes
// first, and at each input the lane after it, so none of them starves. Ports, reset and words are its
// own; hd_switch.v beside it fits them to Heddle's pins.
`default_nettype none

module one_stage #(
    parameter N        = 5,   // ports
    parameter LANES    = 2,   // virtual channels
    parameter W        = 16,  // bits of a flit's data
    parameter SLOTS    = 4,   // of each input lane
    parameter ENTRIES  = 16,  // of each routing table: nodes
    parameter SOURCES  = 0,   // 1: there are tables by source, for headers that say so
    parameter NODE_W   = 4,
    parameter LANE_W   = 1,
    parameter FLIT_W   = W + 2,         // {data, first, last}
    parameter ENTRY_W  = 1 + LANES + 4  // {there is a way, lanes, port}
) (
    input  wire                clk,
    input  wire                rst_n,
    input  wire [       N-1:0] push_i,
    input  wire [N*LANE_W-1:0] push_lane_i,
    input  wire [N*FLIT_W-1:0] push_flit_i,
    output reg  [ N*LANES-1:0] freed_o,      // a slot, by input lane
    output reg  [       N-1:0] send_o,
    output reg  [N*LANE_W-1:0] send_lane_o,
    output reg  [N*FLIT_W-1:0] send_flit_o,
    input  wire [ N*LANES-1:0] slot_i,       // a slot behind an output lane became free
    input  wire                table_write_i,
    input  wire                table_source_i,
    input  wire [         3:0] table_port_i,
    input  wire [        11:0] table_index_i,
    input  wire [ ENTRY_W-1:0] table_entry_i,
    output wire                empty_o
);

  localparam COUNT_W = $clog2(SLOTS + 1);
  localparam PLACE_W = (SLOTS > 1) ? $clog2(SLOTS) : 1;
  localparam [1:0] IDLE = 2'd0, OPEN = 2'd1, DROP = 2'd2;

  // routing tables of each input port; entries are 0, no way, until they are written
  reg [ENTRY_W-1:0] by_destination[0:N*ENTRIES-1];
  reg [ENTRY_W-1:0] by_source[0:N*ENTRIES-1];
  integer e;
  initial
    for (e = 0; e < N * ENTRIES; e = e + 1) begin
      by_destination[e] = {ENTRY_W{1'b0}};
      by_source[e] = {ENTRY_W{1'b0}};
    end
  always @(posedge clk)
    if (table_write_i && rst_n && (table_port_i < N) && (table_index_i < ENTRIES)) begin
      if (table_source_i) by_source[table_port_i*ENTRIES+table_index_i] <= table_entry_i;
      else by_destination[table_port_i*ENTRIES+table_index_i] <= table_entry_i;
    end

  // input lanes, [port*LANES + lane]
  reg [FLIT_W-1:0] slots[0:N*LANES*SLOTS-1];
  reg [PLACE_W-1:0] oldest[0:N*LANES-1];
  reg [COUNT_W-1:0] held[0:N*LANES-1];
  reg [1:0] state[0:N*LANES-1];
  reg [3:0] way_port[0:N*LANES-1];
  reg [LANE_W-1:0] way_lane[0:N*LANES-1];

  // outputs
  reg [COUNT_W-1:0] room[0:N*LANES-1];  // slots that are free behind [port*LANES + lane]
  reg [N-1:0] taken;  // by a packet that is on its way through
  reg [LANE_W-1:0] next_lane[0:N-1];
  reg [3:0] first_input[0:N-1];  // has priority at this output,
  reg [LANE_W-1:0] first_lane[0:N-1];  // and so has this lane of each input

  reg [N*LANES-1:0] filled;
  assign empty_o = (filled == {N * LANES{1'b0}}) && (send_o == {N{1'b0}}) && (freed_o == {N * LANES{1'b0}});

  // The way of the packet that begins with `flit`, by the tables of input `p`.
  function [ENTRY_W-1:0] way;
    input integer p;
    input [FLIT_W-1:0] flit;
    reg [1:0] mode;
    reg [NODE_W-1:0] to, from;
    begin
      mode = flit[3:2];
      to   = flit[4+:NODE_W];
      from = (SOURCES == 0) ? {NODE_W{1'b0}} : flit[(4+((SOURCES==0)?0:NODE_W))+:NODE_W];
      way  = {ENTRY_W{1'b0}};
      if (!mode[1] && (to < ENTRIES)) way = by_destination[p*ENTRIES+to];
      if ((SOURCES != 0) && (mode == 2'd1) && !way[ENTRY_W-1] && (from < ENTRIES)) way = by_source[p*ENTRIES+from];
      if (mode[1] || (way[3:0] >= N) || (way[4+:LANES] == 0)) way = {ENTRY_W{1'b0}};
    end
  endfunction

  // A lane of output `o` that a packet may take: in turn, of those in `lanes` with room. LANES: none.
  function integer lane_of;
    input integer o;
    input [LANES-1:0] lanes;
    integer k, w;
    begin
      lane_of = LANES;
      for (k = LANES - 1; k >= 0; k = k - 1) begin
        w = (next_lane[o] + k) % LANES;
        if (lanes[w] && (room[o*LANES+w] != 0)) lane_of = w;
      end
    end
  endfunction

  // What happens in a cycle, in the order of the text. What leaves comes before what enters, so that
  // it follows from the state at the cycle's start.
  integer o, k, p, j, v, q, w;
  reg [N-1:0] used;  // inputs that have sent
  reg [N*LANES-1:0] freed;
  reg [FLIT_W-1:0] flit;
  reg [ENTRY_W-1:0] entry;
  reg found;
  always @(posedge clk)
    if (!rst_n) begin
      for (q = 0; q < N * LANES; q = q + 1) begin
        oldest[q] = {PLACE_W{1'b0}};
        held[q] = {COUNT_W{1'b0}};
        state[q] = IDLE;
        way_port[q] = 4'd0;
        way_lane[q] = {LANE_W{1'b0}};
        room[q] = SLOTS[COUNT_W-1:0];
      end
      for (o = 0; o < N; o = o + 1) begin
        next_lane[o]  = {LANE_W{1'b0}};
        first_input[o] = 4'd0;
        first_lane[o] = {LANE_W{1'b0}};
      end
      taken = {N{1'b0}};
      filled <= {N * LANES{1'b0}};
      freed_o <= {N * LANES{1'b0}};
      send_o <= {N{1'b0}};
      send_lane_o <= {N * LANE_W{1'b0}};
      send_flit_o <= {N * FLIT_W{1'b0}};
    end else begin
      freed = {N * LANES{1'b0}};
      used = {N{1'b0}};
      send_o <= {N{1'b0}};

      // a packet without a way, or a flit without a packet, is dropped
      for (q = 0; q < N * LANES; q = q + 1) begin
        flit = slots[q*SLOTS+oldest[q]];
        entry = way(q / LANES, flit);
        if ((held[q] != 0) && ((state[q] == DROP) || ((state[q] == IDLE) && (!flit[1] || !entry[ENTRY_W-1])))) begin
          freed[q] = 1'b1;
          state[q] = flit[0] ? IDLE : DROP;
        end
      end

      // each output takes the first input, in turn, that has a flit for it
      for (o = 0; o < N; o = o + 1) begin
        found = 1'b0;
        for (k = 0; k < N; k = k + 1) begin
          p = (first_input[o] + k) % N;
          for (j = 0; j < LANES; j = j + 1) begin
            v = (first_lane[p] + j) % LANES;
            q = p * LANES + v;
            if (!found && !used[p] && (held[q] != 0) && !freed[q]) begin
              flit  = slots[q*SLOTS+oldest[q]];
              entry = way(p, flit);
              w = LANES;
              if (state[q] == OPEN) begin
                if ((way_port[q] == o) && (room[o*LANES+way_lane[q]] != 0)) w = way_lane[q];
              end else if ((entry[3:0] == o) && !taken[o]) w = lane_of(o, entry[4+:LANES]);
              if (w < LANES) begin
                found = 1'b1;
                used[p] = 1'b1;
                freed[q] = 1'b1;
                send_o[o] <= 1'b1;
                send_lane_o[o*LANE_W+:LANE_W] <= w[LANE_W-1:0];
                send_flit_o[o*FLIT_W+:FLIT_W] <= flit;
                if (state[q] == IDLE) begin
                  next_lane[o] = (w == LANES - 1) ? {LANE_W{1'b0}} : w[LANE_W-1:0] + 1'b1;
                  first_lane[p] = (v == LANES - 1) ? {LANE_W{1'b0}} : v[LANE_W-1:0] + 1'b1;
                  first_input[o] = (p == N - 1) ? 4'd0 : p[3:0] + 4'd1;
                end
                state[q] = flit[0] ? IDLE : OPEN;
                way_port[q] = o[3:0];
                way_lane[q] = w[LANE_W-1:0];
                taken[o] = !flit[0];
                room[o*LANES+w] = room[o*LANES+w] - 1'b1;
              end
            end
          end
        end
      end
      freed_o <= freed;

      // what left its lane, what comes in, and where slots became free
      for (q = 0; q < N * LANES; q = q + 1) begin
        if (freed[q]) begin
          oldest[q] = (oldest[q] == SLOTS - 1) ? {PLACE_W{1'b0}} : oldest[q] + 1'b1;
          held[q]   = held[q] - 1'b1;
        end
        if (slot_i[q]) room[q] = room[q] + 1'b1;
      end
      for (p = 0; p < N; p = p + 1) begin
        v = push_lane_i[p*LANE_W+:LANE_W];
        q = p * LANES + v;
        if (push_i[p] && (v < LANES) && (held[q] != SLOTS)) begin
          slots[q*SLOTS+(oldest[q]+held[q])%SLOTS] = push_flit_i[p*FLIT_W+:FLIT_W];
          held[q] = held[q] + 1'b1;
        end
      end
      for (q = 0; q < N * LANES; q = q + 1) filled[q] <= held[q] != 0;
    end

endmodule

`default_nettype wire
