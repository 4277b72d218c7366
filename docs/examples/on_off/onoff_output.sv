// An output port: chooses among inputs in turn and registers what leaves.
// SPDX-License-Identifier: Apache-2.0
module onoff_output #(
    parameter int PORTS  = 5,
    parameter int VCS    = 2,
    parameter int FLIT_W = 18,
    parameter int VC_W   = (VCS > 1) ? $clog2(VCS) : 1
) (
    input logic clk_i,
    input logic rst_i,

    input  logic [       PORTS-1:0] ask_i,
    input  logic [  PORTS*VC_W-1:0] vc_i,
    input  logic [PORTS*FLIT_W-1:0] flit_i,
    output logic [       PORTS-1:0] grant_o,
    output logic [         VCS-1:0] held_o,   // a packet is on its way through on the channel

    output logic              tx_valid_o,
    output logic [  VC_W-1:0] tx_vc_o,
    output logic [FLIT_W-1:0] tx_flit_o
);

  logic [VCS-1:0] held_q;
  logic [FLIT_W-1:0] flit;
  logic [VC_W-1:0] vc;

  assign held_o = held_q;

  onoff_arbiter #(
      .N(PORTS)
  ) u_turn (
      .clk_i,
      .rst_i,
      .request_i(ask_i),
      .advance_i(1'b1),
      .grant_o
  );

  always_comb begin
    flit = '0;
    vc = '0;
    for (int p = 0; p < PORTS; p++)
      if (grant_o[p]) begin
        flit = flit_i[p*FLIT_W+:FLIT_W];
        vc = vc_i[p*VC_W+:VC_W];
      end
  end

  always_ff @(posedge clk_i)
    if (rst_i) begin
      held_q <= '0;
      tx_valid_o <= 1'b0;
    end else begin
      tx_valid_o <= grant_o != '0;
      tx_vc_o <= vc;
      tx_flit_o <= flit;
      if (grant_o != '0) held_q[vc] <= !flit[1];
    end

endmodule
