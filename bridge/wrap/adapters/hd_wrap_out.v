// Flits from one port of a router to Heddle, by credits; outputs are registers.
// SPDX-License-Identifier: Apache-2.0
//
// ready_o says for each channel whether the router may hand over a flit now. If the router does not
// mark heads (HEADS), the flit after a tail is a head.
`default_nettype none

module hd_wrap_out #(
    parameter CHANNELS = 1,
    parameter VC_W = 1,
    parameter DATA_W = 16,
    parameter DEPTH = 4,   // slots of the receiver's channels
    parameter HEADS = 0    // 1: head_i is not used
) (
    input  wire                clk,
    input  wire                rst,
    // the router's side
    input  wire                go_i,      // 0: the router must not be used yet
    input  wire                valid_i,   // only while its channel is ready
    input  wire                head_i,
    input  wire                tail_i,
    input  wire [    VC_W-1:0] vc_i,
    input  wire [  DATA_W-1:0] data_i,
    output wire [CHANNELS-1:0] ready_o,
    // Heddle's side (section 2.11)
    output reg                 valid_o,
    output reg  [         2:0] kind_o,
    output reg  [    VC_W-1:0] vc_o,
    output reg  [  DATA_W-1:0] data_o,
    input  wire [CHANNELS-1:0] credit_i
);

  wire take = valid_i && go_i;
  wire [CHANNELS-1:0] some;
  assign ready_o = some & {CHANNELS{go_i}};
  genvar v;
  generate
    for (v = 0; v < CHANNELS; v = v + 1) begin : channel
      hd_wrap_credits #(
          .SLOTS(DEPTH)
      ) u_credits (
          .clk    (clk),
          .rst    (rst),
          .spend_i(take && (vc_i == v[VC_W-1:0])),
          .gain_i (credit_i[v]),
          .some_o (some[v])
      );
    end
  endgenerate

  reg [CHANNELS-1:0] inside_q;  // a packet is under way
  wire head = (HEADS != 0) ? !inside_q[vc_i] : head_i;

  always @(posedge clk)
    if (rst) begin
      valid_o  <= 1'b0;
      kind_o   <= 3'd0;
      vc_o     <= {VC_W{1'b0}};
      data_o   <= {DATA_W{1'b0}};
      inside_q <= {CHANNELS{1'b0}};
    end else begin
      valid_o <= take;
      if (take) begin
        kind_o <= {1'b0, head, tail_i};
        vc_o <= vc_i;
        data_o <= data_i;
        inside_q[vc_i] <= !tail_i;
      end
    end

endmodule

`default_nettype wire
