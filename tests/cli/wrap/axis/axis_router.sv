// A mesh router with AXI4-Stream at its ports, in SystemVerilog: unpacked arrays, a package.
// SPDX-License-Identifier: Apache-2.0
module axis_router
  import axis_pkg::*;
#(
    parameter int N = 5,
    parameter int W = 32
) (
    input  logic         aclk,
    input  logic         aresetn,
    input  logic [  3:0] my_x,
    input  logic [  3:0] my_y,
    input  logic         s_tvalid[N],
    output logic         s_tready[N],
    input  logic [W-1:0] s_tdata [N],
    input  logic         s_tlast [N],
    input  logic [  5:0] s_tdest [N],
    output logic         m_tvalid[N],
    input  logic         m_tready[N],
    output logic [W-1:0] m_tdata [N],
    output logic         m_tlast [N]
);
  localparam int FW = W + $bits(top_t);
  logic [N*FW-1:0] in_flit, out_flit;
  logic [N-1:0] in_valid, in_back, out_valid, out_back;

  for (genvar p = 0; p < N; p++) begin : port
    top_t top;
    logic first_q;  // the next flit begins a packet
    always_ff @(posedge aclk)
      if (!aresetn) first_q <= 1'b1;
      else if (s_tvalid[p] && s_tready[p]) first_q <= s_tlast[p];
    assign top = '{head: first_q, tail: s_tlast[p], channel: 3'd0, x: {2'd0, s_tdest[p][1:0]}, y: s_tdest[p][5:2]};
    assign in_flit[p*FW+:FW] = {top, s_tdata[p]};
    assign in_valid[p] = s_tvalid[p];
    assign s_tready[p] = in_back[p];
    assign m_tvalid[p] = out_valid[p];
    assign out_back[p] = m_tready[p];
    assign m_tdata[p] = out_flit[p*FW+:W];
    assign m_tlast[p] = out_flit[p*FW+FW-2];
  end

  xy_router #(
      .N(N),
      .W(W),
      .FLOW(0)
  ) u_router (
      .clk  (aclk),
      .rst_n(aresetn),
      .empty(),
      .*
  );
endmodule
