// xy_router with an interface of SystemVerilog for each direction of its links.
// SPDX-License-Identifier: Apache-2.0
module link_router (
    input logic clk,
    input logic rst_n,
    input logic [3:0] my_x,
    input logic [3:0] my_y,
    link_if.takes node_in,
    link_if.takes east_in,
    link_if.takes west_in,
    link_if.takes north_in,
    link_if.takes south_in,
    link_if.sends node_out,
    link_if.sends east_out,
    link_if.sends west_out,
    link_if.sends north_out,
    link_if.sends south_out
);
  xy_router #(
      .VCS (2),
      .W   (40),
      .FLOW(1)
  ) u_router (
      .clk,
      .rst_n,
      .my_x,
      .my_y,
      .in_valid ({south_in.valid, north_in.valid, west_in.valid, east_in.valid, node_in.valid}),
      .in_flit  ({south_in.flit, north_in.flit, west_in.flit, east_in.flit, node_in.flit}),
      .in_back  ({south_in.on, north_in.on, west_in.on, east_in.on, node_in.on}),
      .out_valid({south_out.valid, north_out.valid, west_out.valid, east_out.valid, node_out.valid}),
      .out_flit ({south_out.flit, north_out.flit, west_out.flit, east_out.flit, node_out.flit}),
      .out_back ({south_out.on, north_out.on, west_out.on, east_out.on, node_out.on}),
      .empty    ()
  );
endmodule
