// The pins of Heddle's switch around another one (docs/your-own-switch.md).
// SPDX-License-Identifier: Apache-2.0
//
// Ports as in section 2.11 of the specification; wires, and one register for quiescent_o.
`default_nettype none

module hd_switch #(
    parameter PORTS         = 5,
    parameter VCS           = 2,
    parameter DATA_W        = 16,
    parameter DEPTH         = 4,
    parameter NODES         = 16,
    parameter ROUTE_CYCLES  = 1,   // what follows is set by every build; this switch
    parameter ARB_CYCLES    = 1,   // has a timing of its own
    parameter BUFFER_CYCLES = 0,
    parameter CUT_FLITS     = 0,
    parameter SOURCE_TABLE  = 0,
    parameter ADAPTIVE      = 0,
    parameter VC_W          = (VCS > 1) ? $clog2(VCS) : 1
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [       PORTS-1:0] in_valid_i,
    input  wire [     PORTS*3-1:0] in_kind_i,
    input  wire [  PORTS*VC_W-1:0] in_vc_i,
    input  wire [PORTS*DATA_W-1:0] in_data_i,
    output wire [   PORTS*VCS-1:0] in_credit_o,
    output wire [       PORTS-1:0] out_valid_o,
    output wire [     PORTS*3-1:0] out_kind_o,
    output wire [  PORTS*VC_W-1:0] out_vc_o,
    output wire [PORTS*DATA_W-1:0] out_data_o,
    input  wire [   PORTS*VCS-1:0] out_credit_i,
    input  wire                    cfg_write_i,
    input  wire                    cfg_read_i,
    input  wire [            19:0] cfg_addr_i,
    input  wire [            15:0] cfg_wdata_i,
    output wire [            15:0] cfg_rdata_o,
    output reg                     quiescent_o
);

  localparam FLIT_W = DATA_W + 2;

  // kinds (section 1.2): bit 1 says head, bit 0 tail; bit 2 does not come here
  wire [PORTS*FLIT_W-1:0] push_flit, send_flit;
  genvar p;
  generate
    for (p = 0; p < PORTS; p = p + 1) begin : port
      assign push_flit[p*FLIT_W+:FLIT_W] = {in_data_i[p*DATA_W+:DATA_W], in_kind_i[3*p+:2]};
      assign out_data_o[p*DATA_W+:DATA_W] = send_flit[p*FLIT_W+2+:DATA_W];
      assign out_kind_o[3*p+:3] = {1'b0, send_flit[p*FLIT_W+:2]};
    end
  endgenerate

  wire empty;
  one_stage #(
      .N      (PORTS),
      .LANES  (VCS),
      .W      (DATA_W),
      .SLOTS  (DEPTH),
      .ENTRIES(NODES),
      .SOURCES(SOURCE_TABLE),
      .NODE_W ($clog2(NODES)),
      .LANE_W (VC_W)
  ) dut (
      .clk           (clk),
      .rst_n         (!rst),
      .push_i        (in_valid_i),
      .push_lane_i   (in_vc_i),
      .push_flit_i   (push_flit),
      .freed_o       (in_credit_o),
      .send_o        (out_valid_o),
      .send_lane_o   (out_vc_o),
      .send_flit_o   (send_flit),
      .slot_i        (out_credit_i),
      // tables (section 3.2): destination tables are 1, source tables 2
      .table_write_i (cfg_write_i && ((cfg_addr_i[19:16] == 4'd1) || (cfg_addr_i[19:16] == 4'd2))),
      .table_source_i(cfg_addr_i[17]),
      .table_port_i  (cfg_addr_i[15:12]),
      .table_index_i (cfg_addr_i[11:0]),
      .table_entry_i ({cfg_wdata_i[12], cfg_wdata_i[4+:VCS], cfg_wdata_i[3:0]}),
      .empty_o       (empty)
  );
  assign cfg_rdata_o = 16'd0;  // it has no registers to be read

  // 1 promises that nothing changes until an input is active (section 2.10). A switch that cannot
  // tell says 0 for ever and is evaluated in every cycle.
  always @(posedge clk)
    quiescent_o <= rst || (empty && (in_valid_i == 0) && (out_credit_i == 0) && !cfg_write_i && !cfg_read_i);

endmodule

`default_nettype wire
