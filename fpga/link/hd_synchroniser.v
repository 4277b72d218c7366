// A signal from outside of the clock's domain, made safe to look at.
// SPDX-License-Identifier: Apache-2.0
//
// The only place where such a signal enters. The attribute tells vendors' tools to keep the registers next to each
// other and to leave the way to the first one out of timing; constraints find it by the name `meta_q`.
`default_nettype none

module hd_synchroniser #(
    parameter       STAGES = 3,    // at least 2
    parameter [0:0] RESET  = 1'b1
) (
    input  wire clk,
    input  wire rst,
    input  wire signal_i,  // asynchronous
    output wire signal_o
);

  (* ASYNC_REG = "TRUE" *) reg [STAGES-1:0] meta_q;
  assign signal_o = meta_q[STAGES-1];
  always @(posedge clk)
    if (rst) meta_q <= {STAGES{RESET}};
    else meta_q <= {meta_q[STAGES-2:0], signal_i};

endmodule

`default_nettype wire
