// Replays a run of Heddle's model at the nodes of an exported fabric, and compares the fabric's outputs with the model's.
// SPDX-License-Identifier: Apache-2.0
//
// For simulation. A row of FILE is an event: {cycle[31:0], what[3:0], node[15:0], kind[3:0],
// vc[7:0], data[63:0]} with what = 0 a flit into the network, 1 credits of a node, 2 a flit that
// must leave the network, 3 credits that it must give. Every output of the network is compared in
// each cycle. An output without a row is an error. Ends with PASS, or with FAIL and the first
// difference.
`default_nettype none

module hd_export_replay #(
    parameter NODE_COUNT = 16,
    parameter VCS        = 2,
    parameter VC_W       = 1,
    parameter DATA_W     = 16,
    parameter ROWS       = 1,
    parameter CYCLES     = 1,
    parameter FILE       = "replay.hex"
) (
    input  wire                         clk,
    input  wire                         ready_i,
    output reg                          rst_o,
    // into the network
    output reg  [       NODE_COUNT-1:0] in_valid_o,
    output reg  [     NODE_COUNT*3-1:0] in_kind_o,
    output reg  [  NODE_COUNT*VC_W-1:0] in_vc_o,
    output reg  [NODE_COUNT*DATA_W-1:0] in_data_o,
    input  wire [   NODE_COUNT*VCS-1:0] in_credit_i,
    // out of the network
    input  wire [       NODE_COUNT-1:0] out_valid_i,
    input  wire [     NODE_COUNT*3-1:0] out_kind_i,
    input  wire [  NODE_COUNT*VC_W-1:0] out_vc_i,
    input  wire [NODE_COUNT*DATA_W-1:0] out_data_i,
    output reg  [   NODE_COUNT*VCS-1:0] out_credit_o
);

  reg [127:0] rows[0:ROWS-1];
  initial $readmemh(FILE, rows);

  // the events of the cycle that begins now
  reg [NODE_COUNT-1:0] in_valid, out_valid;
  reg [NODE_COUNT*3-1:0] in_kind, out_kind;
  reg [NODE_COUNT*VC_W-1:0] in_vc, out_vc;
  reg [NODE_COUNT*DATA_W-1:0] in_data, out_data;
  reg [NODE_COUNT*VCS-1:0] in_credit, out_credit;
  integer at, cycle, since_reset, node, flits, n;
  reg [127:0] row;
  reg playing, more;

  task take_row;
    begin
      node = {16'd0, row[91:76]};
      case (row[95:92])
        4'd0: begin
          in_valid[node] = 1'b1;
          in_kind[node*3+:3] = row[74:72];
          in_vc[node*VC_W+:VC_W] = row[64+:VC_W];
          in_data[node*DATA_W+:DATA_W] = row[DATA_W-1:0];
        end
        4'd1: out_credit[node*VCS+:VCS] = row[64+:VCS];
        4'd2: begin
          out_valid[node] = 1'b1;
          out_kind[node*3+:3] = row[74:72];
          out_vc[node*VC_W+:VC_W] = row[64+:VC_W];
          out_data[node*DATA_W+:DATA_W] = row[DATA_W-1:0];
        end
        default: in_credit[node*VCS+:VCS] = row[64+:VCS];
      endcase
    end
  endtask

  task take_cycle;
    begin
      in_valid = {NODE_COUNT{1'b0}};
      out_valid = {NODE_COUNT{1'b0}};
      in_credit = {NODE_COUNT * VCS{1'b0}};
      out_credit = {NODE_COUNT * VCS{1'b0}};
      more = at < ROWS;
      while (more) begin
        row = rows[at];
        more = row[127:96] == cycle;
        if (more) begin
          take_row;
          at = at + 1;
          if (at == ROWS) more = 1'b0;
        end
      end
    end
  endtask

  task compare;
    for (n = 0; n < NODE_COUNT; n = n + 1) begin
      if (out_valid_i[n] !== out_valid[n] || (out_valid[n] && (out_kind_i[n*3+:3] !== out_kind[n*3+:3] ||
          out_vc_i[n*VC_W+:VC_W] !== out_vc[n*VC_W+:VC_W] ||
          out_data_i[n*DATA_W+:DATA_W] !== out_data[n*DATA_W+:DATA_W])))
        if (playing) begin
          $display("FAIL cycle %0d, node %0d: flit out is valid %b kind %b vc %0d data %h, must be valid %b kind %b vc %0d data %h",
              cycle, n, out_valid_i[n], out_kind_i[n*3+:3], out_vc_i[n*VC_W+:VC_W], out_data_i[n*DATA_W+:DATA_W],
              out_valid[n], out_kind[n*3+:3], out_vc[n*VC_W+:VC_W], out_data[n*DATA_W+:DATA_W]);
          playing = 1'b0;
        end
      if (in_credit_i[n*VCS+:VCS] !== in_credit[n*VCS+:VCS])
        if (playing) begin
          $display("FAIL cycle %0d, node %0d: credits in are %b, must be %b", cycle, n, in_credit_i[n*VCS+:VCS],
              in_credit[n*VCS+:VCS]);
          playing = 1'b0;
        end
      if (out_valid[n]) flits = flits + 1;
    end
  endtask

  initial begin
    rst_o = 1'b1;
    playing = 1'b0;
    at = 0;
    cycle = 0;
    flits = 0;
    since_reset = 0;
    in_valid_o = {NODE_COUNT{1'b0}};
    in_kind_o = {NODE_COUNT * 3{1'b0}};
    in_vc_o = {NODE_COUNT * VC_W{1'b0}};
    in_data_o = {NODE_COUNT * DATA_W{1'b0}};
    out_credit_o = {NODE_COUNT * VCS{1'b0}};
  end

  always @(posedge clk) begin
    since_reset = since_reset + 1;
    if (since_reset == 4) rst_o <= 1'b0;
    if (playing) begin
      compare;
      if (!playing) $stop;
      cycle = cycle + 1;
    end
    if (!playing && cycle == 0) playing = since_reset > 6 && ready_i;
    if (playing && cycle == CYCLES) begin
      if (flits == 0) $display("FAIL no flit was compared");
      else $display("PASS %0d cycles, %0d flits at %0d nodes as the model has them", cycle, flits, NODE_COUNT);
      playing = 1'b0;
      if (flits == 0) $stop;
      else $finish;
    end
    if (playing) begin
      take_cycle;
      in_valid_o <= in_valid;
      in_kind_o <= in_kind;
      in_vc_o <= in_vc;
      in_data_o <= in_data;
      out_credit_o <= out_credit;
    end
  end

endmodule

`default_nettype wire
