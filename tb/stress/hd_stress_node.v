// Destinations of a stress bench: sixteen nodes, with small numbers, powers of two, and the last numbers.
// SPDX-License-Identifier: Apache-2.0
//
// Few destinations are enough: their table entries are written quickly, and powers of two reveal wrong address bits.
`default_nettype none

module hd_stress_node #(
    parameter NODES  = 64,
    parameter NODE_W = 6
) (
    input  wire [       3:0] number_i,
    output reg  [NODE_W-1:0] node_o
);

  localparam [31:0] COUNT = NODES;
  reg [31:0] node;
  always @* begin
    case (number_i)
      4'd0, 4'd1, 4'd2: node = {28'd0, number_i};
      4'd13: node = COUNT - 32'd1;
      4'd14: node = COUNT - 32'd2;
      4'd15: node = (COUNT >> 1) + 32'd1;
      default: node = 32'd1 << (number_i - 4'd1);
    endcase
    if (node >= COUNT) node = {28'd0, number_i};
    if (node >= COUNT) node = COUNT - 32'd1;
    node_o = node[NODE_W-1:0];
  end
  wire unused = &{1'b0, node};

endmodule

`default_nettype wire
