// A router of the mesh: first along the row, then along the column.
// SPDX-License-Identifier: Apache-2.0
//
// Ports: 0 the endpoint, 1 east (x + 1), 2 west, 3 north (y + 1), 4 south. Every flit carries its destination, so all flits
// of a packet find the same way.
module mesh_router #(
    parameter int X = 0,
    parameter int Y = 0,
    parameter int CoordW = 2,
    parameter int DataW = 16,
    parameter int FlitW = 1 + 2 * CoordW + DataW  // {last, y, x, data}
) (
    input logic clk,
    input logic rst_n,

    input  logic [4:0] in_valid,
    output logic [4:0] in_ready,
    input  logic [5*FlitW-1:0] in_flit,

    output logic [4:0] out_valid,
    input  logic [4:0] out_ready,
    output logic [5*FlitW-1:0] out_flit
);

  logic [4:0] front_valid, front_ready;
  logic [5*FlitW-1:0] front;
  logic [24:0] request, grant;  // [output*5 + input]

  for (genvar i = 0; i < 5; i = i + 1) begin : g_in
    logic [CoordW-1:0] to_x, to_y;
    logic [4:0] way;

    mesh_fifo #(
        .Width(FlitW)
    ) u_fifo (
        .clk      (clk),
        .rst_n    (rst_n),
        .in_valid (in_valid[i]),
        .in_ready (in_ready[i]),
        .in_flit  (in_flit[i*FlitW+:FlitW]),
        .out_valid(front_valid[i]),
        .out_ready(front_ready[i]),
        .out_flit (front[i*FlitW+:FlitW])
    );

    assign to_x = front[i*FlitW+DataW+:CoordW];
    assign to_y = front[i*FlitW+DataW+CoordW+:CoordW];
    assign way  = (to_x > X) ? 5'b00010 : (to_x < X) ? 5'b00100 :
                  (to_y > Y) ? 5'b01000 : (to_y < Y) ? 5'b10000 : 5'b00001;

    assign front_ready[i] = (grant[i] && out_ready[0]) || (grant[5+i] && out_ready[1]) ||
                            (grant[10+i] && out_ready[2]) || (grant[15+i] && out_ready[3]) ||
                            (grant[20+i] && out_ready[4]);

    for (genvar o = 0; o < 5; o = o + 1) begin : g_way
      assign request[o*5+i] = front_valid[i] && way[o];
    end
  end

  for (genvar o = 0; o < 5; o = o + 1) begin : g_out
    mesh_arbiter u_arbiter (
        .clk    (clk),
        .rst_n  (rst_n),
        .request(request[o*5+:5]),
        .taken  (out_valid[o] && out_ready[o]),
        .last   (out_flit[o*FlitW+FlitW-1]),
        .grant  (grant[o*5+:5])
    );

    assign out_valid[o] = grant[o*5+:5] != 0;
    assign out_flit[o*FlitW+:FlitW] =
        (front[0*FlitW+:FlitW] & {FlitW{grant[o*5+0]}}) | (front[1*FlitW+:FlitW] & {FlitW{grant[o*5+1]}}) |
        (front[2*FlitW+:FlitW] & {FlitW{grant[o*5+2]}}) | (front[3*FlitW+:FlitW] & {FlitW{grant[o*5+3]}}) |
        (front[4*FlitW+:FlitW] & {FlitW{grant[o*5+4]}});
  end

endmodule
