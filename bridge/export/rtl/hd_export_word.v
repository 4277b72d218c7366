// Computes the next word of a packet of hd_export_source from the word before.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_export_word (
    input  wire [31:0] word_i,
    output wire [31:0] next_o
);

  wire [31:0] a = word_i + 32'h9e3779b9;
  wire [31:0] b = a ^ (a << 7);
  assign next_o = b ^ (b >> 9);

endmodule

`default_nettype wire
