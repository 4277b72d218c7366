// A stress bench with its two switches, behind the pins of a switch: what bit lanes run, each lane with a seed of its own.
// SPDX-License-Identifier: Apache-2.0
//
// hd_original and hd_changed are the switches, elaborated with the same parameters. Writes of the configuration port
// set the seed (addresses 0 to 3) and start the bench (4: the kind of traffic). A flit leaves port 0 in the cycle after the
// one in which a difference was kept. Nothing else ever leaves. Reads give how many flits left the original: their
// lower half (address 0) and their upper half (1). With HD_STRESS_FOREIGN the switches are routers of any kind: before the
// start, writes of select 1 (routing tables) go to both, and those of select 15 list destinations, {port, 0, number}.
`default_nettype none

module hd_switch #(
    parameter PORTS         = 5,
    parameter VCS           = 2,
    parameter DATA_W        = 16,
    parameter DEPTH         = 4,
    parameter NODES         = 64,
    parameter ROUTE_CYCLES  = 1,
    parameter ARB_CYCLES    = 1,
    parameter BUFFER_CYCLES = 0,
    parameter CUT_FLITS     = 0,
    parameter SOURCE_TABLE  = 0,
    parameter ADAPTIVE      = 0,
    parameter BARRIER       = 0,
    parameter GROUPS        = 4,
    parameter SWITCHES      = 64,
    parameter VALUES        = 0,
    parameter CODE_PLACES   = 0,
    parameter CODE_CYCLES   = 0,
    parameter ROUTE         = 0,
    parameter FIELDS        = 1,
    parameter TREES         = 0,
    parameter VC_W          = (VCS > 1) ? $clog2(VCS) : 1  // derived, not to be set
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [       PORTS-1:0] in_valid_i,
    input  wire [     PORTS*3-1:0] in_kind_i,
    input  wire [  PORTS*VC_W-1:0] in_vc_i,
    input  wire [PORTS*DATA_W-1:0] in_data_i,
    output wire [   PORTS*VCS-1:0] in_credit_o,
    output wire [       PORTS-1:0] in_barrier_credit_o,
    output wire [     PORTS*7-1:0] in_count_o,
    output wire [       PORTS-1:0] out_valid_o,
    output wire [     PORTS*3-1:0] out_kind_o,
    output wire [  PORTS*VC_W-1:0] out_vc_o,
    output wire [PORTS*DATA_W-1:0] out_data_o,
    input  wire [   PORTS*VCS-1:0] out_credit_i,
    input  wire [       PORTS-1:0] out_barrier_credit_i,
    input  wire [     PORTS*7-1:0] out_count_i,
    input  wire                    cfg_write_i,
    input  wire                    cfg_read_i,
    input  wire [            19:0] cfg_addr_i,
    input  wire [            15:0] cfg_wdata_i,
    output wire [            15:0] cfg_rdata_o,
    output wire                    quiescent_o
);

`ifdef HD_STRESS_FOREIGN
  localparam FOREIGN = 1;
`else
  localparam FOREIGN = 0;
`endif
  localparam [3:0] OWN = 4'd0, TABLES = 4'd1, LIST = 4'd15;  // select
  wire [3:0] select = (FOREIGN != 0) ? cfg_addr_i[19:16] : OWN;

  reg [63:0] seed_q;
  reg [4:0] traffic_q;  // mixed, writes, resets, illegal, single, from bit 0 on
  reg go_q, told_q, tells_q;
  reg [15:0] rdata_q;
  wire differs;
  wire [47:0] flits;
  always @(posedge clk) begin
    if (cfg_write_i && (select == OWN) && !cfg_addr_i[2]) seed_q[16*cfg_addr_i[1:0]+:16] <= cfg_wdata_i;
    if (cfg_write_i && (select == OWN) && cfg_addr_i[2]) traffic_q <= cfg_wdata_i[4:0];
    go_q <= !rst && (go_q || (cfg_write_i && (select == OWN) && cfg_addr_i[2]));
    told_q <= !rst && differs;
    tells_q <= !rst && differs && !told_q;
    if (rst) rdata_q <= 16'd0;
    else if (cfg_read_i) rdata_q <= cfg_addr_i[0] ? flits[31:16] : flits[15:0];
  end
  assign out_valid_o = {{(PORTS - 1) {1'b0}}, tells_q};
  assign out_kind_o = {PORTS * 3{1'b0}};
  assign out_vc_o = {PORTS * VC_W{1'b0}};
  assign out_data_o = {PORTS * DATA_W{1'b0}};
  assign in_credit_o = {PORTS * VCS{1'b0}};
  assign in_barrier_credit_o = {PORTS{1'b0}};
  assign in_count_o = {PORTS * 7{1'b0}};
  assign cfg_rdata_o = rdata_q;
  assign quiescent_o = 1'b0;

  // from the bench to both
  wire bench_rst, bench_cfg_write, to_cfg_read;
  wire [19:0] bench_cfg_addr;
  wire [15:0] bench_cfg_wdata;
  wire [PORTS-1:0] to_valid, to_barrier_credit;
  wire [PORTS*3-1:0] to_kind;
  wire [PORTS*VC_W-1:0] to_vc;
  wire [PORTS*DATA_W-1:0] to_data;
  wire [PORTS*VCS-1:0] to_credit;
  wire [PORTS*7-1:0] to_count;
  // Tables are written before the bench resets the switches.
  wire before = (FOREIGN != 0) && !go_q;
  wire to_rst = before ? rst : bench_rst;
  wire to_cfg_write = before ? cfg_write_i && (select == TABLES) : bench_cfg_write;
  wire [19:0] to_cfg_addr = before ? cfg_addr_i : bench_cfg_addr;
  wire [15:0] to_cfg_wdata = before ? cfg_wdata_i : bench_cfg_wdata;
  // from the original (a) and from the changed one (b)
  wire [PORTS*VCS-1:0] a_credit, b_credit;
  wire [PORTS-1:0] a_barrier_credit, b_barrier_credit, a_valid, b_valid;
  wire [PORTS*7-1:0] a_count, b_count;
  wire [PORTS*3-1:0] a_kind, b_kind;
  wire [PORTS*VC_W-1:0] a_vc, b_vc;
  wire [PORTS*DATA_W-1:0] a_data, b_data;
  wire [15:0] a_cfg_rdata, b_cfg_rdata;
  wire a_quiescent, b_quiescent;
  hd_stress #(
      .PORTS(PORTS),
      .VCS(VCS),
      .DATA_W(DATA_W),
      .DEPTH(DEPTH),
      .NODES(NODES),
      .SOURCE_TABLE(SOURCE_TABLE),
      .ADAPTIVE(ADAPTIVE),
      .BARRIER(BARRIER),
      .CODE_PLACES(CODE_PLACES),
      .FOREIGN(FOREIGN)
  ) u_bench (
      .clk(clk),
      .rst(!go_q),
      .seed_i(seed_q),
      .mixed_i(traffic_q[0]),
      .writes_i(traffic_q[1]),
      .resets_i(traffic_q[2]),
      .illegal_i(traffic_q[3]),
      .single_i(traffic_q[4]),
      .dest_write_i(cfg_write_i && !go_q && (select == LIST)),
      .dest_port_i(cfg_addr_i[15:12]),
      .dest_number_i(cfg_addr_i[3:0]),
      .dest_node_i(cfg_wdata_i[12:0]),
      .rst_o(bench_rst),
      .in_valid_o(to_valid),
      .in_kind_o(to_kind),
      .in_vc_o(to_vc),
      .in_data_o(to_data),
      .out_credit_o(to_credit),
      .out_barrier_credit_o(to_barrier_credit),
      .out_count_o(to_count),
      .cfg_write_o(bench_cfg_write),
      .cfg_read_o(to_cfg_read),
      .cfg_addr_o(bench_cfg_addr),
      .cfg_wdata_o(bench_cfg_wdata),
      .a_in_credit_i(a_credit),
      .a_in_barrier_credit_i(a_barrier_credit),
      .a_in_count_i(a_count),
      .a_out_valid_i(a_valid),
      .a_out_kind_i(a_kind),
      .a_out_vc_i(a_vc),
      .a_out_data_i(a_data),
      .a_cfg_rdata_i(a_cfg_rdata),
      .a_quiescent_i(a_quiescent),
      .b_in_credit_i(b_credit),
      .b_in_barrier_credit_i(b_barrier_credit),
      .b_in_count_i(b_count),
      .b_out_valid_i(b_valid),
      .b_out_kind_i(b_kind),
      .b_out_vc_i(b_vc),
      .b_out_data_i(b_data),
      .b_cfg_rdata_i(b_cfg_rdata),
      .b_quiescent_i(b_quiescent),
      .cycles_o(),
      .flits_o(flits),
      .differs_o(differs),
      .cycle_o(),
      .what_o(),
      .port_o(),
      .original_o(),
      .changed_o()
  );
`ifdef HD_STRESS_FOREIGN
  assign {a_barrier_credit, b_barrier_credit, a_count, b_count} = {16 * PORTS{1'b0}};
`endif
  hd_original u_original (
      .clk(clk),
      .rst(to_rst),
      .in_valid_i(to_valid),
      .in_kind_i(to_kind),
      .in_vc_i(to_vc),
      .in_data_i(to_data),
      .in_credit_o(a_credit),
`ifndef HD_STRESS_FOREIGN
      .in_barrier_credit_o(a_barrier_credit),
      .in_count_o(a_count),
      .out_barrier_credit_i(to_barrier_credit),
      .out_count_i(to_count),
`endif
      .out_valid_o(a_valid),
      .out_kind_o(a_kind),
      .out_vc_o(a_vc),
      .out_data_o(a_data),
      .out_credit_i(to_credit),
      .cfg_write_i(to_cfg_write),
      .cfg_read_i(to_cfg_read),
      .cfg_addr_i(to_cfg_addr),
      .cfg_wdata_i(to_cfg_wdata),
      .cfg_rdata_o(a_cfg_rdata),
      .quiescent_o(a_quiescent)
  );
  hd_changed u_changed (
      .clk(clk),
      .rst(to_rst),
      .in_valid_i(to_valid),
      .in_kind_i(to_kind),
      .in_vc_i(to_vc),
      .in_data_i(to_data),
      .in_credit_o(b_credit),
`ifndef HD_STRESS_FOREIGN
      .in_barrier_credit_o(b_barrier_credit),
      .in_count_o(b_count),
      .out_barrier_credit_i(to_barrier_credit),
      .out_count_i(to_count),
`endif
      .out_valid_o(b_valid),
      .out_kind_o(b_kind),
      .out_vc_o(b_vc),
      .out_data_o(b_data),
      .out_credit_i(to_credit),
      .cfg_write_i(to_cfg_write),
      .cfg_read_i(to_cfg_read),
      .cfg_addr_i(to_cfg_addr),
      .cfg_wdata_i(to_cfg_wdata),
      .cfg_rdata_o(b_cfg_rdata),
      .quiescent_o(b_quiescent)
  );
  wire unused = &{1'b0, in_valid_i, in_kind_i, in_vc_i, in_data_i, out_credit_i, out_barrier_credit_i, out_count_i,
      cfg_addr_i, cfg_wdata_i, flits};

endmodule

`default_nettype wire
