// All mutants of hd_switch in one netlist; the plusarg +mutant=N picks one, 0 is none.
// SPDX-License-Identifier: Apache-2.0
//
// The netlist is made for one set of parameters; they are given here only because the
// builder of backends gives them.
`default_nettype none

module hd_switch #(
    parameter PORTS         = 3,
    parameter VCS           = 2,
    parameter DATA_W        = 16,
    parameter DEPTH         = 3,
    parameter NODES         = 5,
    parameter ROUTE_CYCLES  = 2,
    parameter ARB_CYCLES    = 2,
    parameter BUFFER_CYCLES = 0,
    parameter CUT_FLITS     = 2,
    parameter SOURCE_TABLE  = 1,
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
    output wire                    quiescent_o
);

  reg [31:0] mutant;
  initial if (!$value$plusargs("mutant=%d", mutant)) mutant = 0;

  hd_mutants u_mutants (
      .mutsel(mutant[11:0]),
      .clk(clk),
      .rst(rst),
      .in_valid_i(in_valid_i),
      .in_kind_i(in_kind_i),
      .in_vc_i(in_vc_i),
      .in_data_i(in_data_i),
      .in_credit_o(in_credit_o),
      .out_valid_o(out_valid_o),
      .out_kind_o(out_kind_o),
      .out_vc_o(out_vc_o),
      .out_data_o(out_data_o),
      .out_credit_i(out_credit_i),
      .cfg_write_i(cfg_write_i),
      .cfg_read_i(cfg_read_i),
      .cfg_addr_i(cfg_addr_i),
      .cfg_wdata_i(cfg_wdata_i),
      .cfg_rdata_o(cfg_rdata_o),
      .quiescent_o(quiescent_o)
  );

endmodule

`default_nettype wire
