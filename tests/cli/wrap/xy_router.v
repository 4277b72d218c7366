// A router for a mesh with the flow control that FLOW says: 0 valid and ready, 1 a level, 2 credits, 3 free slots.
// SPDX-License-Identifier: Apache-2.0
//
// Flits are {head, tail, channel[2:0], x[3:0], y[3:0], data}. Packets keep their channel. Ports: node, x+1, x-1, y+1, y-1.
`default_nettype none

module xy_router #(
    parameter N = 5,
    parameter VCS = 1,
    parameter W = 32,
    parameter FLOW = 0,
    parameter SLOTS = 8,       // of each input channel
    parameter NEXT = 4,        // FLOW 2: slots behind each output channel
    parameter LATE = 0,        // FLOW 3: 1: the numbers are a cycle late
    parameter BW = 1,          // FLOW 2: bits of a credit, which is a number; 3: of the number of free slots
    parameter FW = W + 13
) (
    input  wire             clk,
    input  wire             rst_n,
    input  wire [      3:0] my_x,
    input  wire [      3:0] my_y,
    input  wire [    N-1:0] in_valid,
    input  wire [ N*FW-1:0] in_flit,
    output reg  [N*VCS*BW-1:0] in_back,
    output reg  [    N-1:0] out_valid,
    output reg  [ N*FW-1:0] out_flit,
    input  wire [N*VCS*BW-1:0] out_back,
    output reg              empty
);

  localparam Q = N * VCS;
  reg [FW-1:0] words[0:Q*SLOTS-1];
  reg [7:0] first[0:Q-1], held[0:Q-1], free[0:Q-1], owner[0:Q-1], owed[0:Q-1], turn;
  reg [Q-1:0] sent, sent_before, sent_older;  // FLOW 3: flits that the number of free slots does not count yet
  reg [Q-1:0] under_way, popped;
  reg [3:0] way[0:Q-1];
  reg rst_q;  // registered, as in many routers
  always @(posedge clk) rst_q <= rst_n;

  function [3:0] route;
    input [FW-1:0] flit;
    reg [3:0] x, y;
    begin
      {x, y} = flit[W+:8];
      x = flit[W+4+:4];
      y = flit[W+:4];
      route = (x > my_x) ? 4'd1 : (x < my_x) ? 4'd2 : (y > my_y) ? 4'd3 : (y < my_y) ? 4'd4 : 4'd0;
    end
  endfunction

  integer o, k, p, q, c;
  reg [N-1:0] used;
  reg [FW-1:0] flit;
  reg [3:0] to;
  reg found, some;
  always @(posedge clk)
    if (!rst_q) begin
      for (q = 0; q < Q; q = q + 1) begin
        first[q] = 8'd0;
        held[q] = 8'd0;
        free[q] = NEXT[7:0];
        owner[q] = 8'hff;
        owed[q] = 8'd0;
        way[q] = 4'd0;
      end
      under_way = {Q{1'b0}};
      turn = 8'd0;
      sent = {Q{1'b0}};
      sent_before = {Q{1'b0}};
      sent_older = {Q{1'b0}};
      in_back <= {Q * BW{1'b0}};
      out_valid <= {N{1'b0}};
      out_flit <= {N * FW{1'b0}};
      empty <= 1'b1;
    end else begin
      popped = {Q{1'b0}};
      used = {N{1'b0}};
      if (FLOW == 2) for (q = 0; q < Q; q = q + 1) free[q] = free[q] + out_back[q*BW+:BW];
      if (FLOW == 3) for (q = 0; q < Q; q = q + 1) free[q] = (out_back[q*BW+:BW] > sent[q] + sent_before[q] + ((LATE != 0) && sent_older[q])) ? 8'd1 : 8'd0;
      sent_older = sent_before;
      sent_before = sent;
      sent = {Q{1'b0}};
      for (o = 0; o < N; o = o + 1)
        if (!((FLOW == 0) && out_valid[o] && !out_back[o*VCS+out_flit[o*FW+W+8+:3]])) begin
          found = 1'b0;
          for (k = 0; k < Q; k = k + 1) begin
            q = (turn + k) % Q;
            c = q % VCS;
            flit = words[q*SLOTS+first[q]];
            to = under_way[q] ? way[q] : route(flit);
            if (!found && (held[q] != 8'd0) && !used[q/VCS] && (to == o) &&
                (under_way[q] ? (owner[o*VCS+c] == q) : (owner[o*VCS+c] == 8'hff)) &&
                ((FLOW == 0) || ((FLOW == 1) ? out_back[o*VCS+c] : (free[o*VCS+c] != 8'd0)))) begin
              found = 1'b1;
              used[q/VCS] = 1'b1;
              popped[q] = 1'b1;
              out_flit[o*FW+:FW] <= flit;
              way[q] = to;
              under_way[q] = !flit[FW-2];
              owner[o*VCS+c] = flit[FW-2] ? 8'hff : q[7:0];
              free[o*VCS+c] = free[o*VCS+c] - 8'd1;
              sent[o*VCS+c] = 1'b1;
              first[q] = (first[q] == SLOTS - 1) ? 8'd0 : first[q] + 8'd1;
              held[q] = held[q] - 8'd1;
            end
          end
          out_valid[o] <= found;
        end
      turn = (turn == Q - 1) ? 8'd0 : turn + 8'd1;
      for (p = 0; p < N; p = p + 1) begin
        flit = in_flit[p*FW+:FW];
        q = p * VCS + flit[W+8+:3];
        if (in_valid[p] && ((FLOW != 0) || in_back[q])) begin
          words[q*SLOTS+(first[q]+held[q])%SLOTS] = flit;
          held[q] = held[q] + 8'd1;
        end
      end
      some = 1'b0;
      for (q = 0; q < Q; q = q + 1) begin
        if (FLOW != 3) owed[q] = (BW > 1) ? owed[q] + popped[q] : 8'd0;
        some = some || (held[q] != 8'd0) || (owed[q] != 8'd0);
        if ((FLOW == 2) && (BW > 1)) begin  // in every third cycle
          in_back[q*BW+:BW] <= (turn % 3 == 0) ? owed[q] : 8'd0;
          if (turn % 3 == 0) owed[q] = 8'd0;
        end else if (FLOW == 3) begin
          in_back[q*BW+:BW] <= (LATE != 0) ? owed[q] : SLOTS - held[q];
          owed[q] = SLOTS - held[q];
        end
        else in_back[q] <= (FLOW == 2) ? popped[q] : (FLOW == 1) ? (held[q] + 8'd2 < SLOTS) : (held[q] < SLOTS);
      end
      empty <= !some;
    end

endmodule

`default_nettype wire
