// Sends credits to a router as numbers: in every second cycle the number of slots that became free since the last number.
// SPDX-License-Identifier: Apache-2.0
//
// So numbers above one are common. With ONE all channels share the number and use it in turn.
`default_nettype none

module hd_wrap_credit_numbers #(
    parameter CHANNELS = 1,
    parameter VC_W = 1,
    parameter BITS = 2,  // bits of a number; a number of one bit is a pulse
    parameter ONE = 0    // 1: a single number, for channel vc_o
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire [     CHANNELS-1:0] credit_i,  // a slot became free
    output reg  [CHANNELS*BITS-1:0] number_o,  // ONE: in the lowest bits
    output reg  [         VC_W-1:0] vc_o,
    output wire                     idle_o
);

  localparam [31:0] MOST = (BITS < 8) ? (1 << BITS) - 1 : 255;
  reg [CHANNELS*16-1:0] waits_q;
  reg even_q;
  assign idle_o = (waits_q == {CHANNELS * 16{1'b0}}) && (number_o == {CHANNELS * BITS{1'b0}});

  // the channel whose turn it is: the next one with free slots to report
  reg [VC_W-1:0] chosen;
  integer k;
  always @* begin
    chosen = vc_o;
    for (k = CHANNELS - 1; k >= 0; k = k - 1) if (waits_q[k*16+:16] != 16'd0) chosen = k[VC_W-1:0];
    for (k = CHANNELS - 1; k >= 0; k = k - 1)
      if ((waits_q[k*16+:16] != 16'd0) && (k[VC_W-1:0] > vc_o)) chosen = k[VC_W-1:0];
  end

  wire [CHANNELS*BITS-1:0] numbers;  // numbers that are sent now
  always @(posedge clk) begin
    even_q <= !rst && !even_q;
    number_o <= rst ? {CHANNELS * BITS{1'b0}} : (ONE == 0) ? numbers : numbers >> (chosen * BITS);
    vc_o <= rst ? {VC_W{1'b0}} : even_q ? chosen : vc_o;
  end

  genvar v;
  generate
    for (v = 0; v < CHANNELS; v = v + 1) begin : channel
      wire [15:0] waits = waits_q[v*16+:16];
      wire [15:0] goes = !even_q || ((ONE != 0) && (chosen != v[VC_W-1:0])) ? 16'd0 : (waits > MOST[15:0]) ? MOST[15:0] : waits;
      wire unused = &{1'b0, goes};
      assign numbers[v*BITS+:BITS] = goes[BITS-1:0];
      always @(posedge clk) waits_q[v*16+:16] <= rst ? 16'd0 : waits - goes + {15'd0, credit_i[v]};
    end
  endgenerate

endmodule

`default_nettype wire
