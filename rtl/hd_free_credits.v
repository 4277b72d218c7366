// Comparisons of the free credits of output ports, for adaptive routing (§10.4).
// SPDX-License-Identifier: Apache-2.0
//
// free(o) is the sum of the credits of port o over the channels of ADAPT, at most the cap. All input
// ports need the same comparisons, so each is made once and kept in a register: a head of cycle a
// chooses in a + 1, when `freer_o` shows the state at the start of a. So neither sums nor
// comparisons lengthen a path of the route pipeline. A port is freer than another if its sum is
// greater and the other's sum is below the cap. So sums are compared with the cap and with
// each other at the same time.
`default_nettype none

module hd_free_credits #(
    parameter PORTS = 5,  // 2-16
    parameter VCS   = 2   // 1-8
) (
    input  wire                   clk,
    input  wire                   rst,
    // credits of every output port, 7 bits a channel; channels whose credits are added (m_A); cap, 0 for none
    input  wire [PORTS*VCS*7-1:0] count_i,
    input  wire [        VCS-1:0] adapt_i,
    input  wire [            3:0] cap_i,
    // at the start of the last cycle: [o*PORTS + q] free(o) > free(q); m_A was not empty
    output reg  [PORTS*PORTS-1:0] freer_o,
    output reg                    adapt_some_o
);

  localparam SUM_W = 7 + $clog2(VCS + 1);
  localparam [VCS-1:0] NONE = {VCS{1'b0}};

  reg [PORTS*SUM_W-1:0] sums;
  reg [SUM_W-1:0] sum;
  reg [6:0] count;
  integer o, w;
  always @* begin
    sums  = {PORTS * SUM_W{1'b0}};
    sum   = {SUM_W{1'b0}};
    count = 7'd0;
    for (o = 0; o < PORTS; o = o + 1) begin
      sum = {SUM_W{1'b0}};
      for (w = 0; w < VCS; w = w + 1) begin
        count = count_i[(o*VCS+w)*7+:7] & {7{adapt_i[w]}};
        sum   = sum + {{(SUM_W - 7) {1'b0}}, count};
      end
      sums[o*SUM_W+:SUM_W] = sum;
    end
  end

  wire [PORTS*PORTS-1:0] freer;
  wire [PORTS-1:0] scarce;  // the port has fewer credits than the cap
  genvar g, h;
  generate
    for (g = 0; g < PORTS; g = g + 1) begin : port
      assign scarce[g] = (cap_i == 4'd0) || (sums[g*SUM_W+:SUM_W] < {{(SUM_W - 4) {1'b0}}, cap_i});
      for (h = 0; h < PORTS; h = h + 1) begin : than
        if (g == h) assign freer[g*PORTS+h] = 1'b0;
        else assign freer[g*PORTS+h] = (sums[g*SUM_W+:SUM_W] > sums[h*SUM_W+:SUM_W]) && scarce[h];
      end
    end
  endgenerate
  always @(posedge clk)
    if (rst) begin
      freer_o <= {PORTS * PORTS{1'b0}};
      adapt_some_o <= 1'b0;
    end else begin
      freer_o <= freer;
      adapt_some_o <= adapt_i != NONE;
    end

`ifdef FORMAL
  // The outputs are the comparisons of §10.4 with the credits, ADAPT and the cap of a cycle ago.
  reg f_started = 1'b0;
  reg [PORTS*VCS*7-1:0] f_count_q;
  reg [VCS-1:0] f_adapt_q = NONE;
  reg [3:0] f_cap_q = 4'd0;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_count_q <= count_i;
    f_adapt_q <= rst ? NONE : adapt_i;
    f_cap_q   <= cap_i;
  end
  reg [11:0] f_free, f_other;
  integer f_o, f_q, f_w;
  always @* begin
    if (!f_started) assume (rst);
    f_free  = 12'd0;
    f_other = 12'd0;
    if (f_started) begin
      assert (adapt_some_o == (f_adapt_q != NONE));
      for (f_o = 0; f_o < PORTS; f_o = f_o + 1)
        for (f_q = 0; f_q < PORTS; f_q = f_q + 1) begin
          f_free  = 12'd0;
          f_other = 12'd0;
          for (f_w = 0; f_w < VCS; f_w = f_w + 1)
            if (f_adapt_q[f_w]) begin
              f_free  = f_free + f_count_q[(f_o*VCS+f_w)*7+:7];
              f_other = f_other + f_count_q[(f_q*VCS+f_w)*7+:7];
            end
          if ((f_cap_q != 4'd0) && (f_free > f_cap_q)) f_free = {8'd0, f_cap_q};
          if ((f_cap_q != 4'd0) && (f_other > f_cap_q)) f_other = {8'd0, f_cap_q};
          assert (freer_o[f_o*PORTS+f_q] == (f_free > f_other));
        end
    end
  end
`endif

endmodule

`default_nettype wire
