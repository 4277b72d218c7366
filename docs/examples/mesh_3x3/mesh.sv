// A whole network: a mesh of routers with an endpoint at each, valid and ready at all ports.
// SPDX-License-Identifier: Apache-2.0
//
// Endpoint n is at x = n modulo Columns, y = n / Columns. Its pins are bit n, or part n, of each vector. A packet is any
// number of flits with the same destination; `last` marks its last one.
module mesh #(
    parameter int Columns = 3,
    parameter int Rows = 3,
    parameter int CoordW = 2,
    parameter int DataW = 16,
    parameter int Nodes = Columns * Rows
) (
    input logic clk,
    input logic rst_n,

    input  logic [       Nodes-1:0] in_valid,
    output logic [       Nodes-1:0] in_ready,
    input  logic [       Nodes-1:0] in_last,
    input  logic [Nodes*CoordW-1:0] in_x,
    input  logic [Nodes*CoordW-1:0] in_y,
    input  logic [ Nodes*DataW-1:0] in_data,

    output logic [      Nodes-1:0] out_valid,
    input  logic [      Nodes-1:0] out_ready,
    output logic [      Nodes-1:0] out_last,
    output logic [Nodes*DataW-1:0] out_data
);

  localparam int FlitW = 1 + 2 * CoordW + DataW;

  // What leaves each router, and what it takes: part node*5 + port.
  logic [Nodes*5-1:0] valid, ready;
  logic [Nodes*5*FlitW-1:0] flit;

  for (genvar n = 0; n < Nodes; n = n + 1) begin : g_node
    localparam int X = n % Columns;
    localparam int Y = n / Columns;
    // The neighbours' ports that face this router, east, west, north, south; at an edge nothing is there.
    localparam int East = (n + 1) * 5 + 2;
    localparam int West = (n - 1) * 5 + 1;
    localparam int North = (n + Columns) * 5 + 4;
    localparam int South = (n - Columns) * 5 + 3;
    logic [4:0] from_valid, to_ready;
    logic [5*FlitW-1:0] from_flit;

    mesh_router #(
        .X     (X),
        .Y     (Y),
        .CoordW(CoordW),
        .DataW (DataW)
    ) u_router (
        .clk      (clk),
        .rst_n    (rst_n),
        .in_valid (from_valid),
        .in_ready (ready[n*5+:5]),
        .in_flit  (from_flit),
        .out_valid(valid[n*5+:5]),
        .out_ready(to_ready),
        .out_flit (flit[n*5*FlitW+:5*FlitW])
    );

    assign from_valid[0] = in_valid[n];
    assign from_flit[0+:FlitW] = {
      in_last[n], in_y[n*CoordW+:CoordW], in_x[n*CoordW+:CoordW], in_data[n*DataW+:DataW]
    };
    assign in_ready[n] = ready[n*5];
    assign out_valid[n] = valid[n*5];
    assign out_last[n] = flit[n*5*FlitW+FlitW-1];
    assign out_data[n*DataW+:DataW] = flit[n*5*FlitW+:DataW];
    assign to_ready[0] = out_ready[n];

    if (X + 1 < Columns) begin : g_east
      assign from_valid[1] = valid[East];
      assign from_flit[1*FlitW+:FlitW] = flit[East*FlitW+:FlitW];
      assign to_ready[1] = ready[East];
    end else begin : g_no_east
      assign from_valid[1] = 0;
      assign from_flit[1*FlitW+:FlitW] = 0;
      assign to_ready[1] = 0;
    end
    if (X > 0) begin : g_west
      assign from_valid[2] = valid[West];
      assign from_flit[2*FlitW+:FlitW] = flit[West*FlitW+:FlitW];
      assign to_ready[2] = ready[West];
    end else begin : g_no_west
      assign from_valid[2] = 0;
      assign from_flit[2*FlitW+:FlitW] = 0;
      assign to_ready[2] = 0;
    end
    if (Y + 1 < Rows) begin : g_north
      assign from_valid[3] = valid[North];
      assign from_flit[3*FlitW+:FlitW] = flit[North*FlitW+:FlitW];
      assign to_ready[3] = ready[North];
    end else begin : g_no_north
      assign from_valid[3] = 0;
      assign from_flit[3*FlitW+:FlitW] = 0;
      assign to_ready[3] = 0;
    end
    if (Y > 0) begin : g_south
      assign from_valid[4] = valid[South];
      assign from_flit[4*FlitW+:FlitW] = flit[South*FlitW+:FlitW];
      assign to_ready[4] = ready[South];
    end else begin : g_no_south
      assign from_valid[4] = 0;
      assign from_flit[4*FlitW+:FlitW] = 0;
      assign to_ready[4] = 0;
    end
  end

endmodule
