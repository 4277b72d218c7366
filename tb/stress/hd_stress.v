// Stress bench for two switches with the same pins: random neighbours, and a comparison in every cycle.
// SPDX-License-Identifier: Apache-2.0
//
// The original (a) and the changed switch (b) are instantiated outside and get the same inputs in every cycle: an
// output X_o of the bench goes to X_i of both, and inputs a_X_i and b_X_i come from their X_o. The neighbours react to
// the original's outputs. All outputs of the bench are registers, and it needs no model. So simulators, lanes and boards
// can use it. It is reset for one cycle, with a seed; a seed always gives the same traffic.
//
// FOREIGN = 1: the switches are a router of any kind, for which nobody has a model. It has its tables before the bench's
// reset ends, and gets nothing but packets by destination, of a list for each port: those that come by that port in a
// fabric. Flits are compared while they are valid, and credits; nothing is configured or read.
`default_nettype none

module hd_stress #(
    parameter PORTS        = 5,
    parameter VCS          = 2,
    parameter DATA_W       = 16,
    parameter DEPTH        = 4,
    parameter NODES        = 64,
    parameter SOURCE_TABLE = 0,
    parameter ADAPTIVE     = 0,
    parameter BARRIER      = 0,
    parameter CODE_PLACES  = 0,
    parameter FOREIGN      = 0,
    parameter VC_W         = (VCS > 1) ? $clog2(VCS) : 1  // derived, not to be set
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [            63:0] seed_i,
    // profile: traffic changes; configuration writes, resets and broken rules during traffic
    input  wire                    mixed_i,
    input  wire                    writes_i,
    input  wire                    resets_i,
    input  wire                    illegal_i,
    input  wire                    single_i,              // packets have one flit
    // FOREIGN: destinations of a port, sixteen numbers, written while rst is 1; bit 12 of the node: there is one
    input  wire                    dest_write_i,
    input  wire [             3:0] dest_port_i,
    input  wire [             3:0] dest_number_i,
    input  wire [            12:0] dest_node_i,
    // to both switches
    output wire                    rst_o,
    output wire [       PORTS-1:0] in_valid_o,
    output wire [     PORTS*3-1:0] in_kind_o,
    output wire [  PORTS*VC_W-1:0] in_vc_o,
    output wire [PORTS*DATA_W-1:0] in_data_o,
    output wire [   PORTS*VCS-1:0] out_credit_o,
    output wire [       PORTS-1:0] out_barrier_credit_o,
    output wire [     PORTS*7-1:0] out_count_o,
    output wire                    cfg_write_o,
    output wire                    cfg_read_o,
    output wire [            19:0] cfg_addr_o,
    output wire [            15:0] cfg_wdata_o,
    // from the original
    input  wire [   PORTS*VCS-1:0] a_in_credit_i,
    input  wire [       PORTS-1:0] a_in_barrier_credit_i,
    input  wire [     PORTS*7-1:0] a_in_count_i,
    input  wire [       PORTS-1:0] a_out_valid_i,
    input  wire [     PORTS*3-1:0] a_out_kind_i,
    input  wire [  PORTS*VC_W-1:0] a_out_vc_i,
    input  wire [PORTS*DATA_W-1:0] a_out_data_i,
    input  wire [            15:0] a_cfg_rdata_i,
    input  wire                    a_quiescent_i,
    // from the changed switch
    input  wire [   PORTS*VCS-1:0] b_in_credit_i,
    input  wire [       PORTS-1:0] b_in_barrier_credit_i,
    input  wire [     PORTS*7-1:0] b_in_count_i,
    input  wire [       PORTS-1:0] b_out_valid_i,
    input  wire [     PORTS*3-1:0] b_out_kind_i,
    input  wire [  PORTS*VC_W-1:0] b_out_vc_i,
    input  wire [PORTS*DATA_W-1:0] b_out_data_i,
    input  wire [            15:0] b_cfg_rdata_i,
    input  wire                    b_quiescent_i,
    // result (hd_stress_compare)
    output wire [            47:0] cycles_o,
    output wire [            47:0] flits_o,
    output wire                    differs_o,
    output wire [            47:0] cycle_o,
    output wire [             2:0] what_o,
    output wire [             3:0] port_o,
    output wire [      DATA_W+6:0] original_o,
    output wire [      DATA_W+6:0] changed_o
);

  wire go, keep, illegal;
  wire [7:0] load, pace, message;
  wire [1:0] length;
  wire [VCS-1:0] lanes;
  hd_stress_control #(
      .PORTS(PORTS),
      .VCS(VCS),
      .NODES(NODES),
      .SOURCE_TABLE(SOURCE_TABLE),
      .ADAPTIVE(ADAPTIVE),
      .BARRIER(BARRIER),
      .CODE_PLACES(CODE_PLACES),
      .FOREIGN(FOREIGN)
  ) u_control (
      .clk(clk),
      .rst(rst),
      .seed_i(seed_i),
      .mixed_i(mixed_i),
      .writes_i(writes_i),
      .resets_i(resets_i),
      .illegal_i(illegal_i),
      .switch_rst_o(rst_o),
      .cfg_write_o(cfg_write_o),
      .cfg_read_o(cfg_read_o),
      .cfg_addr_o(cfg_addr_o),
      .cfg_wdata_o(cfg_wdata_o),
      .go_o(go),
      .load_o(load),
      .pace_o(pace),
      .message_o(message),
      .length_o(length),
      .lanes_o(lanes),
      .keep_o(keep),
      .illegal_o(illegal)
  );

  // With illegal_i most often one port at a time breaks the rules.
  reg [11:0] turn_q;
  always @(posedge clk)
    if (rst) turn_q <= seed_i[19:8];
    else turn_q <= turn_q + 12'd1;
  genvar p;
  generate
    for (p = 0; p < PORTS; p = p + 1) begin : neighbour
      localparam [31:0] NUMBER = p;
      wire breaks = illegal && (turn_q[7] || (turn_q[11:8] == NUMBER[3:0]));
      hd_stress_source #(
          .PORTS(PORTS),
          .VCS(VCS),
          .VC_W(VC_W),
          .DATA_W(DATA_W),
          .DEPTH(DEPTH),
          .NODES(NODES),
          .SOURCE_TABLE(SOURCE_TABLE),
          .BARRIER(BARRIER),
          .CODE_PLACES(CODE_PLACES),
          .FOREIGN(FOREIGN),
          .PORT(p)
      ) u_source (
          .clk(clk),
          .rst(rst),
          .switch_rst_i(rst_o),
          .seed_i(seed_i),
          .go_i(go),
          .load_i(load),
          .message_i(message),
          .length_i(single_i ? 2'd0 : length),
          .lanes_i(lanes),
          .illegal_i(breaks),
          .dest_write_i(dest_write_i && (dest_port_i == NUMBER[3:0])),
          .dest_number_i(dest_number_i),
          .dest_node_i(dest_node_i),
          .valid_o(in_valid_o[p]),
          .kind_o(in_kind_o[p*3+:3]),
          .vc_o(in_vc_o[p*VC_W+:VC_W]),
          .data_o(in_data_o[p*DATA_W+:DATA_W]),
          .credit_i(a_in_credit_i[p*VCS+:VCS]),
          .barrier_credit_i(a_in_barrier_credit_i[p])
      );
      hd_stress_sink #(
          .VCS(VCS),
          .VC_W(VC_W),
          .ADAPTIVE(ADAPTIVE),
          .BARRIER(BARRIER),
          .STREAM(100 + p)
      ) u_sink (
          .clk(clk),
          .rst(rst),
          .switch_rst_i(rst_o),
          .seed_i(seed_i),
          .pace_i(pace),
          .keep_i(keep),
          .illegal_i(breaks),
          .valid_i(a_out_valid_i[p]),
          .kind_i(a_out_kind_i[p*3+:3]),
          .vc_i(a_out_vc_i[p*VC_W+:VC_W]),
          .credit_o(out_credit_o[p*VCS+:VCS]),
          .barrier_credit_o(out_barrier_credit_o[p]),
          .count_o(out_count_o[p*7+:7])
      );
    end
  endgenerate

  // The outputs after a reset are compared from the second cycle on.
  reg begun_q;
  always @(posedge clk)
    if (rst) begun_q <= 1'b0;
    else begun_q <= 1'b1;
  hd_stress_compare #(
      .PORTS(PORTS),
      .VCS(VCS),
      .VC_W(VC_W),
      .DATA_W(DATA_W),
      .FOREIGN(FOREIGN)
  ) u_compare (
      .clk(clk),
      .rst(rst),
      .compare_i(begun_q),
      .a_in_credit_i(a_in_credit_i),
      .a_in_barrier_credit_i(a_in_barrier_credit_i),
      .a_in_count_i(a_in_count_i),
      .a_out_valid_i(a_out_valid_i),
      .a_out_kind_i(a_out_kind_i),
      .a_out_vc_i(a_out_vc_i),
      .a_out_data_i(a_out_data_i),
      .a_cfg_rdata_i(a_cfg_rdata_i),
      .a_quiescent_i(a_quiescent_i),
      .b_in_credit_i(b_in_credit_i),
      .b_in_barrier_credit_i(b_in_barrier_credit_i),
      .b_in_count_i(b_in_count_i),
      .b_out_valid_i(b_out_valid_i),
      .b_out_kind_i(b_out_kind_i),
      .b_out_vc_i(b_out_vc_i),
      .b_out_data_i(b_out_data_i),
      .b_cfg_rdata_i(b_cfg_rdata_i),
      .b_quiescent_i(b_quiescent_i),
      .cycles_o(cycles_o),
      .flits_o(flits_o),
      .differs_o(differs_o),
      .cycle_o(cycle_o),
      .what_o(what_o),
      .port_o(port_o),
      .original_o(original_o),
      .changed_o(changed_o)
  );

endmodule

`default_nettype wire
