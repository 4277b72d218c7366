// Signatures of a switch's outputs, one for each port and lane, and of quiescent_o (§9.6).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module hd_signature #(
    parameter PORTS  = 3,   // 2-16
    parameter VCS    = 2,   // 1-8
    parameter DATA_W = 16,  // 16, 32, 64
    parameter VC_W   = 1
) (
    input  wire                    clk,
    input  wire                    clear_i,
    input  wire                    step_i,    // a cycle's outputs are there
    input  wire [       PORTS-1:0] valid_i,
    input  wire [     PORTS*3-1:0] kind_i,
    input  wire [  PORTS*VC_W-1:0] vc_i,
    input  wire [PORTS*DATA_W-1:0] data_i,
    input  wire [   PORTS*VCS-1:0] credit_i,
    input  wire [       PORTS-1:0] barrier_credit_i,
    input  wire [     PORTS*7-1:0] count_i,
    input  wire                    quiescent_i,
    // all of them, the first in the lowest bits
    output wire [32*(PORTS*(DATA_W/16)+1)-1:0] all_o
);

  localparam LANES = DATA_W / 16;
  localparam N = PORTS * LANES + 1;

  // each port's count, a bit higher than that of the port before (§9.6)
  reg [30:0] counts;
  integer i;
  always @* begin
    counts = 31'd0;
    for (i = 0; i < PORTS; i = i + 1) counts = counts ^ ({24'd0, count_i[7*i+:7]} << i);
  end

  genvar p, j;
  wire [32*N-1:0] word;
  generate
    for (p = 0; p < PORTS; p = p + 1) begin : port
      wire [2:0] vc = {{(3 - VC_W) {1'b0}}, vc_i[p*VC_W+:VC_W]};
      wire [7:0] credit = {{(8 - VCS) {1'b0}}, credit_i[p*VCS+:VCS]};
      for (j = 0; j < LANES; j = j + 1) begin : lane
        wire [15:0] data = data_i[p*DATA_W+16*j+:16] & {16{valid_i[p]}};
        wire [15:0] rest;
        if (j == 0) begin : first
          assign rest = {
            barrier_credit_i[p], credit, valid_i[p], {vc, kind_i[3*p+:3]} & {6{valid_i[p]}}
          };
        end else begin : other
          assign rest = 16'd0;
        end
        assign word[32*(p*LANES+j)+:32] = {rest, data};
      end
    end
    assign word[32*(N-1)+:32] = {counts, quiescent_i};

    for (p = 0; p < N; p = p + 1) begin : signature
      reg [31:0] s;
      wire [9:0] h = s[31:22];
      assign all_o[32*p+:32] = s;
      always @(posedge clk)
        if (clear_i) s <= 32'd0;
        else if (step_i)
          s <= {s[21:0], 10'd0} ^ {h, 22'd0} ^ {20'd0, h, 2'd0} ^ {21'd0, h, 1'd0} ^ {22'd0, h} ^
              word[32*p+:32];
    end
  endgenerate

endmodule

`default_nettype wire
