// Heddle's monitor at the pins of xy_router, bound to every instance of it.
// SPDX-License-Identifier: Apache-2.0
module xy_router_monitor
  import xy_pkg::*;
(
    input logic                  clk_i,
    input logic                  rst_ni,
    input coord_t                here_i,
    input logic   [NumPorts-1:0] valid_i,
    input logic   [NumPorts-1:0] ready_o,
    input flit_t  [NumPorts-1:0] flit_i,
    input logic   [NumPorts-1:0] valid_o,
    input logic   [NumPorts-1:0] ready_i,
    input flit_t  [NumPorts-1:0] flit_o
);

  localparam int NodeWidth = 2 * CoordWidth;
  localparam int Nodes = 1 << NodeWidth;  // a node is its coordinates

  logic [NumPorts-1:0] in_first, in_last, out_first, out_last;
  logic [NumPorts*NodeWidth-1:0] in_node, out_node;
  logic [Nodes*NumPorts-1:0] routes;

  always_comb
    for (int p = 0; p < NumPorts; p++) begin
      in_first[p]  = flit_i[p].head;
      in_last[p]   = flit_i[p].tail;
      out_first[p] = flit_o[p].head;
      out_last[p]  = flit_o[p].tail;
      in_node[p*NodeWidth+:NodeWidth]  = flit_i[p].dst;
      out_node[p*NodeWidth+:NodeWidth] = flit_o[p].dst;
    end

  // The ways that a packet may take, from the rule that the router must keep and not from the router.
  always_comb
    for (int x = 0; x < 1 << CoordWidth; x++)
      for (int y = 0; y < 1 << CoordWidth; y++)
        routes[((x<<CoordWidth)+y)*NumPorts+:NumPorts] =
            (x > int'(here_i.x)) ? NumPorts'(1 << East) : (x < int'(here_i.x)) ? NumPorts'(1 << West) :
            (y > int'(here_i.y)) ? NumPorts'(1 << North) : (y < int'(here_i.y)) ? NumPorts'(1 << South) : NumPorts'(1 << Local);

  hd_monitor #(
      .PORTS (NumPorts),
      .DATA_W($bits(flit_t)),
      .NODES (Nodes),
      .ROUTED(1)
  ) u_rules (
      .clk(clk_i),
      .rst(!rst_ni),
      .in_valid(valid_i),
      .in_back(ready_o),
      .in_vc('0),
      .in_first,
      .in_last,
      .in_node,
      .in_data(flit_i),
      .out_valid(valid_o),
      .out_back(ready_i),
      .out_vc('0),
      .out_first,
      .out_last,
      .out_node,
      .out_data(flit_o),
      .routes
  );

endmodule

bind xy_router xy_router_monitor u_monitor (.*);
