// Compares the flits queued beyond the output ports, for the choice between two ways of a packet (§10.9).
// SPDX-License-Identifier: Apache-2.0
//
// q(o) is the number of occupied slots beyond output port o, over all channels. A packet goes straight to its
// destination by port d, and not by a node through port s, if q(d) <= 2 q(s) + BIAS. All input ports need the same
// comparisons, so each is made once and kept in a register, as in hd_free_credits: a head of cycle a decides in a + 1,
// when `nearer_o` shows the state at the start of a. With f(o) of SLOTS slots free, the comparison is
// 2 f(s) <= SLOTS + BIAS + f(d). A BIAS above SLOTS decides like SLOTS, so it is limited to SLOTS beside the sums.
`default_nettype none

module hd_way_choice #(
    parameter PORTS = 5,  // 2-16
    parameter VCS   = 2,  // 1-8
    parameter DEPTH = 4   // 1-64
) (
    input  wire                   clk,
    input  wire                   rst,
    // credits of every output port, 7 bits a channel, each at most DEPTH
    input  wire [PORTS*VCS*7-1:0] count_i,
    // registers FIRST, BIAS
    input  wire [      PORTS-1:0] first_i,
    input  wire [            9:0] bias_i,
    // at the start of the last cycle: [d*PORTS + s]: q(d) <= 2 q(s) + BIAS; register FIRST
    output reg  [PORTS*PORTS-1:0] nearer_o,
    output reg  [      PORTS-1:0] first_o
);

  localparam [31:0] SLOTS = VCS * DEPTH;
  localparam SUM_W = $clog2(3 * VCS * DEPTH + 1);

  wire [31:0] bias = {22'd0, bias_i};
  wire [31:0] reach = SLOTS + ((bias < SLOTS) ? bias : SLOTS);
  wire unused_reach = &{1'b0, reach};

  reg [PORTS*SUM_W-1:0] free, reached;  // f(o), and SLOTS + BIAS + f(o)
  reg [SUM_W+6:0] sum;
  integer o, w;
  always @* begin
    free = {PORTS * SUM_W{1'b0}};
    reached = {PORTS * SUM_W{1'b0}};
    sum = {SUM_W + 7{1'b0}};
    for (o = 0; o < PORTS; o = o + 1) begin
      sum = {SUM_W + 7{1'b0}};
      for (w = 0; w < VCS; w = w + 1) sum = sum + {{SUM_W{1'b0}}, count_i[(o*VCS+w)*7+:7]};
      free[o*SUM_W+:SUM_W] = sum[SUM_W-1:0];
      reached[o*SUM_W+:SUM_W] = sum[SUM_W-1:0] + reach[SUM_W-1:0];
    end
  end
  wire unused_sum = &{1'b0, sum, free};

  wire [PORTS*PORTS-1:0] nearer;
  genvar d, s;
  generate
    for (d = 0; d < PORTS; d = d + 1) begin : port
      for (s = 0; s < PORTS; s = s + 1) begin : than
        if (d == s) assign nearer[d*PORTS+s] = 1'b1;
        // "Not less" takes half the look-up tables of <=. Bit 0 of `reached` decides nothing, since the other side is
        // even, but without it Yosys takes more of them.
        else assign nearer[d*PORTS+s] = !(reached[d*SUM_W+:SUM_W] < {free[s*SUM_W+:SUM_W-1], 1'b0});
      end
    end
  endgenerate
  always @(posedge clk)
    if (rst) begin
      nearer_o <= {PORTS * PORTS{1'b1}};  // as without a flit anywhere
      first_o  <= {PORTS{1'b0}};
    end else begin
      nearer_o <= nearer;
      first_o  <= first_i;
    end

`ifdef FORMAL
  // The outputs are FIRST and the comparisons of §10.9 with the credits and BIAS of a cycle ago.
  reg f_started = 1'b0;
  reg [PORTS*VCS*7-1:0] f_count_q;
  reg [9:0] f_bias_q;
  reg [PORTS-1:0] f_first_q;
  reg f_reset_q;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_count_q <= count_i;
    f_bias_q  <= bias_i;
    f_first_q <= first_i;
    f_reset_q <= rst;
  end
  reg [11:0] f_near, f_far;
  integer f_d, f_s, f_w;
  always @* begin
    if (!f_started) assume (rst);
    f_near = 12'd0;
    f_far  = 12'd0;
    for (f_w = 0; f_w < PORTS * VCS; f_w = f_w + 1) begin
`ifdef FORMAL_hd_way_choice
      assume (count_i[f_w*7+:7] <= DEPTH);
      assume (!f_started || (f_count_q[f_w*7+:7] <= DEPTH));
`else
      if (f_started) assert (count_i[f_w*7+:7] <= DEPTH);
      if (f_started && !f_reset_q) assert (f_count_q[f_w*7+:7] <= DEPTH);
`endif
    end
    if (f_started) begin
      assert (first_o == (f_reset_q ? {PORTS{1'b0}} : f_first_q));
      for (f_d = 0; f_d < PORTS; f_d = f_d + 1)
        for (f_s = 0; f_s < PORTS; f_s = f_s + 1) begin
          f_near = 12'd0;
          f_far  = {2'd0, f_bias_q};
          for (f_w = 0; f_w < VCS; f_w = f_w + 1) begin
            f_near = f_near + DEPTH - f_count_q[(f_d*VCS+f_w)*7+:7];
            f_far  = f_far + 2 * (DEPTH - f_count_q[(f_s*VCS+f_w)*7+:7]);
          end
          assert (nearer_o[f_d*PORTS+f_s] == (f_reset_q || (f_near <= f_far)));
        end
    end
  end
`endif

endmodule

`default_nettype wire
