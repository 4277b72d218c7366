// Compares the packet counts that the neighbours have shown, for adaptive routing (§10.4, §10.8).
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the last count of each neighbour. As in hd_free_credits, the alternative of ADAPTIVE 1, each
// comparison is made once for all input ports and kept in a register: a head of cycle a chooses in a + 1, when
// `freer_o` shows the state at the start of a.
`default_nettype none

module hd_neighbour_counts #(
    parameter PORTS = 5,  // 2-16
    parameter VCS   = 2   // 1-8
) (
    input  wire                   clk,
    input  wire                   rst,
    // from the neighbour of each port: bit 6: 1: a count comes; bits 5-0: the count
    input  wire [    PORTS*7-1:0] count_i,
    // channels that a packet may take at a chosen port (m_A)
    input  wire [        VCS-1:0] adapt_i,
    // at the start of the last cycle: [o*PORTS + q]: count[o] < count[q]; 1: m_A was not empty
    output reg  [PORTS*PORTS-1:0] freer_o,
    output reg                    adapt_some_o,
    // observed state (§10.6), 6 bits a port
    output wire [    PORTS*6-1:0] count_o
);

  localparam [VCS-1:0] NONE = {VCS{1'b0}};

  wire [PORTS*PORTS-1:0] freer;
  genvar o, q;
  generate
    for (o = 0; o < PORTS; o = o + 1) begin : port
      reg [5:0] count_q;
      always @(posedge clk)
        if (rst) count_q <= 6'd0;
        else if (count_i[o*7+6]) count_q <= count_i[o*7+:6];
      assign count_o[o*6+:6] = count_q;
      for (q = 0; q < PORTS; q = q + 1) begin : than
        if (o == q) assign freer[o*PORTS+q] = 1'b0;
        else assign freer[o*PORTS+q] = count_o[o*6+:6] < count_o[q*6+:6];
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
  // 1 a count is the last one that came, 0 before there is any
  // 2 the outputs are the comparisons of §10.4 with the counts and ADAPT of a cycle ago
  reg f_started = 1'b0;
  reg [PORTS*6-1:0] f_count_q = {PORTS * 6{1'b0}}, f_last_q = {PORTS * 6{1'b0}};
  reg [VCS-1:0] f_adapt_q = NONE;
  integer f_o, f_q;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_last_q <= rst ? {PORTS * 6{1'b0}} : f_count_q;
    f_adapt_q <= rst ? NONE : adapt_i;
    for (f_o = 0; f_o < PORTS; f_o = f_o + 1)
      if (count_i[f_o*7+6]) f_count_q[f_o*6+:6] <= count_i[f_o*7+:6];
    if (rst) f_count_q <= {PORTS * 6{1'b0}};
  end
  always @* begin
    if (!f_started) assume (rst);
    if (f_started) begin
      assert (count_o == f_count_q);
      assert (adapt_some_o == (f_adapt_q != NONE));
      for (f_o = 0; f_o < PORTS; f_o = f_o + 1)
        for (f_q = 0; f_q < PORTS; f_q = f_q + 1)
          assert (freer_o[f_o*PORTS+f_q] == (f_last_q[f_o*6+:6] < f_last_q[f_q*6+:6]));
    end
  end
`endif

endmodule

`default_nettype wire
