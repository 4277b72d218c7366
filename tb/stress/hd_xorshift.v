// Random bits for a bench in hardware: a 64-bit xorshift generator, a new word in each cycle.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_xorshift #(
    parameter STREAM = 0  // generators of one seed and different streams differ
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] seed_i,
    output wire [63:0] word_o
);

  localparam [31:0] NUMBER = STREAM;
  localparam [31:0] SPREAD = NUMBER * 32'h9e3779b9;

  reg [63:0] state_q;
  wire [63:0] first = state_q ^ (state_q << 13);
  wire [63:0] second = first ^ (first >> 7);
  // State 0 would never change, so bit 0 of the first state is 1.
  always @(posedge clk)
    if (rst) state_q <= {seed_i[63:32] ^ SPREAD[31:0], seed_i[31:1] ^ SPREAD[30:0], 1'b1};
    else state_q <= second ^ (second << 17);
  assign word_o = state_q;
  wire unused = &{1'b0, seed_i[0]};

endmodule

`default_nettype wire
