// Round robin: after a request has won and `advance_i` is set, those above it come first.
// SPDX-License-Identifier: Apache-2.0
module onoff_arbiter #(
    parameter int N = 4
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic [N-1:0] request_i,
    input  logic         advance_i,
    output logic [N-1:0] grant_o     // one-hot, or 0 without a request
);

  logic [N-1:0] above_q;  // those above the last winner
  logic [N-1:0] first, chosen;

  assign first = request_i & above_q;
  assign chosen = (first != '0) ? first : request_i;
  assign grant_o = chosen & (~chosen + 1'b1);

  always_ff @(posedge clk_i)
    if (rst_i) above_q <= '0;
    else if (advance_i && (request_i != '0)) above_q <= ~(grant_o | (grant_o - 1'b1));

endmodule
