// A router of a two-dimensional mesh: XY routing, wormhole, valid and ready at each link.
// SPDX-License-Identifier: Apache-2.0
//
// Five ports (xy_pkg::port_e), each with a FIFO at its input. A router knows its own coordinates by
// pins and needs no table. A head's way is computed at the front of its FIFO. Its packet then holds
// the output until the tail has left. Outputs depend on registers alone.
module xy_router
  import xy_pkg::*;
#(
    parameter int unsigned FifoDepth = 4
) (
    input logic   clk_i,
    input logic   rst_ni,
    input coord_t here_i,  // constant after reset

    input  logic  [NumPorts-1:0] valid_i,
    output logic  [NumPorts-1:0] ready_o,
    input  flit_t [NumPorts-1:0] flit_i,

    output logic  [NumPorts-1:0] valid_o,
    input  logic  [NumPorts-1:0] ready_i,
    output flit_t [NumPorts-1:0] flit_o
);

  flit_t [NumPorts-1:0] front;
  logic [NumPorts-1:0] front_valid, front_ready;
  logic [NumPorts-1:0][NumPorts-1:0] wanted_by;  // [output][input]
  logic [NumPorts-1:0][NumPorts-1:0] popped_by;  // [output][input]

  for (genvar p = 0; p < NumPorts; p++) begin : gen_input
    port_e way;

    xy_fifo #(
        .Depth(FifoDepth)
    ) u_fifo (
        .clk_i,
        .rst_ni,
        .valid_i(valid_i[p]),
        .ready_o(ready_o[p]),
        .flit_i (flit_i[p]),
        .valid_o(front_valid[p]),
        .ready_i(front_ready[p]),
        .flit_o (front[p])
    );

    assign way = route_xy(front[p].dst, here_i);
    for (genvar o = 0; o < NumPorts; o++) begin : gen_way
      assign wanted_by[o][p] = front_valid[p] && front[p].head && (way == port_e'(o));
    end
  end

  // At most one output pops an input: a head wants one output, and a packet holds one.
  always_comb begin
    front_ready = '0;
    for (int unsigned o = 0; o < NumPorts; o++) front_ready |= popped_by[o];
  end

  for (genvar o = 0; o < NumPorts; o++) begin : gen_output
    xy_output u_output (
        .clk_i,
        .rst_ni,
        .head_i (wanted_by[o]),
        .valid_i(front_valid),
        .flit_i (front),
        .pop_o  (popped_by[o]),
        .valid_o(valid_o[o]),
        .ready_i(ready_i[o]),
        .flit_o (flit_o[o])
    );
  end

endmodule
