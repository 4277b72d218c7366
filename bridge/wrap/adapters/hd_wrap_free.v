// Decides whether a flit may be sent to a channel that shows its number of free slots.
// SPDX-License-Identifier: Apache-2.0
//
// The number is LATE cycles old, so it does not count flits sent since then.
`default_nettype none

module hd_wrap_free #(
    parameter BITS = 4,
    parameter LATE = 1  // 0: the number counts a flit one cycle after it was sent
) (
    input  wire            clk,
    input  wire            rst,
    input  wire [BITS-1:0] free_i,
    input  wire            spend_i,  // a flit is sent
    output wire            some_o
);

  // bit k: a flit was sent k + 1 cycles ago; the number already counts the highest bit's flit
  reg [LATE:0] sent_q;
  reg [31:0] uncounted;
  integer k;
  always @* begin
    uncounted = 32'd0;
    for (k = 0; k < LATE; k = k + 1) uncounted = uncounted + {31'd0, sent_q[k]};
  end
  assign some_o = {{(32 - BITS) {1'b0}}, free_i} > uncounted;

  generate
    if (LATE == 0) begin : at_once
      always @(posedge clk) sent_q <= !rst && spend_i;
      wire unused = sent_q[0];
    end else begin : later
      always @(posedge clk) sent_q <= rst ? {LATE + 1{1'b0}} : {sent_q[LATE-1:0], spend_i};
      wire unused = sent_q[LATE];
    end
  endgenerate

endmodule

`default_nettype wire
