// The seed of a packet of hd_export_source, from its sender, its destination and its number.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_export_seed #(
    parameter NODE_W   = 6,  // 1-16
    parameter NUMBER_W = 10  // 1-16
) (
    input  wire [  NODE_W-1:0] source_i,
    input  wire [  NODE_W-1:0] dest_i,
    input  wire [NUMBER_W-1:0] number_i,
    output wire [        31:0] seed_o
);

  wire [31:0] source = {{(32 - NODE_W) {1'b0}}, source_i};
  wire [31:0] dest = {{(32 - NODE_W) {1'b0}}, dest_i};
  wire [31:0] number = {{(32 - NUMBER_W) {1'b0}}, number_i};
  wire [31:0] a = (source << 16) ^ (dest << 5) ^ number ^ 32'h5bd1e995;
  wire [31:0] b = a ^ (a << 13);
  wire [31:0] c = b ^ (b >> 17);
  assign seed_o = c ^ (c << 5);

endmodule

`default_nettype wire
