// A switch whose clock is given step by step, behind a byte-wide register file.
// SPDX-License-Identifier: Apache-2.0
//
// Whatever drives a switch on a board (a UART's frames, a memory of stimuli, pins) sits in
// front of this core. It writes one cycle's inputs byte by byte, gives one edge of the
// switch's clock and reads the outputs byte by byte; so a cycle of the switch may take as
// long as a cable does, and its cycles are still exactly those of the specification.
//
//   write  stimulus: strobes, then payload, each from bit 0 of a byte on
//            strobes  in_valid, out_credit, out_barrier_credit, cfg_write, cfg_read, rst;
//                     cleared by the step that uses them, so an idle cycle is a step alone
//            payload  in_kind, in_vc, in_data, cfg_addr, cfg_wdata; kept
//   read   response: flags, then payload, likewise
//            flags    out_valid, in_credit, in_barrier_credit, quiescent
//            payload  out_kind, out_vc, out_data, cfg_rdata
//          192 on: what this is: 'H' 'D', version of this layout, PORTS, VCS, DATA_W, DEPTH,
//            ROUTE_CYCLES, ARB_CYCLES, BUFFER_CYCLES, CUT_FLITS, SOURCE_TABLE, BARRIER, GROUPS,
//            NODES (low byte first), SWITCHES (likewise), build hash (four bytes, likewise)
// Ports in a vector lie as §2.11 says, fields of a group behind each other without a gap.
//
// The switch's clock is a register on a clock net: low, and high in the cycle after step_i.
// The switch's registers see inputs that have been there for a cycle of clk and stay for
// another, and its outputs have two cycles until they are read; so the two clocks need no
// synchronisers, whatever the delay between them, and the RTL of the switch needs no enable.
//
//   cycle      0       1        2
//   step_i     1       0        0 (or the next step)
//   dut_clk    0       1        0
//   stimulus   stable  stable   strobes cleared, or as written in cycle 1
//   data_o                      (addr_i's byte of the response comes in cycle 3)
`default_nettype none

module hd_step_core #(
    parameter PORTS         = 5,   // as hd_switch
    parameter VCS           = 2,
    parameter DATA_W        = 16,
    parameter DEPTH         = 4,
    parameter NODES         = 64,
    parameter ROUTE_CYCLES  = 1,
    parameter ARB_CYCLES    = 1,
    parameter BUFFER_CYCLES = 0,
    parameter CUT_FLITS     = 0,
    parameter SOURCE_TABLE  = 0,
    parameter BARRIER       = 0,
    parameter GROUPS        = 4,
    parameter SWITCHES      = 64,
    parameter BUILD         = 32'd0  // hash of what this was built from
) (
    input  wire       clk,
    input  wire       rst,
    // register file
    input  wire       write_i,
    input  wire [7:0] addr_i,
    input  wire [7:0] data_i,
    output reg  [7:0] data_o,   // the byte at addr_i, a cycle later
    // one cycle of the switch; not heard while busy
    input  wire       step_i,
    output wire       busy_o
);

  localparam VC_W = (VCS > 1) ? $clog2(VCS) : 1;
  localparam LANES_W = PORTS * (3 + VC_W + DATA_W);
  localparam STROBES_W = PORTS * (VCS + 2) + 3;
  localparam STROBE_BYTES = (STROBES_W + 7) / 8;
  localparam INPUT_BYTES = (LANES_W + 36 + 7) / 8;
  localparam FLAGS_W = PORTS * (VCS + 2) + 1;
  localparam FLAG_BYTES = (FLAGS_W + 7) / 8;
  localparam OUTPUT_BYTES = (LANES_W + 16 + 7) / 8;
  localparam RESPONSE_BYTES = FLAG_BYTES + OUTPUT_BYTES;
  localparam [7:0] ABOUT = 8'd192;
  localparam ABOUT_BYTES = 22;
  localparam [7:0] LAYOUT = 8'd1;

  // stimulus
  reg [STROBE_BYTES*8-1:0] strobes_q;
  reg [INPUT_BYTES*8-1:0] inputs_q;
  genvar b;
  generate
    for (b = 0; b < STROBE_BYTES; b = b + 1) begin : strobe
      always @(posedge clk)
        if (rst) strobes_q[b*8+:8] <= 8'd0;
        else if (write_i && addr_i == b) strobes_q[b*8+:8] <= data_i;
        else if (busy_o) strobes_q[b*8+:8] <= 8'd0;
    end
    for (b = 0; b < INPUT_BYTES; b = b + 1) begin : in
      localparam AT = STROBE_BYTES + b;
      always @(posedge clk)
        if (write_i && addr_i == AT[7:0]) inputs_q[b*8+:8] <= data_i;
    end
  endgenerate

  // the switch's clock
  reg dut_clk_q = 1'b0;
  always @(posedge clk) dut_clk_q <= step_i && !dut_clk_q && !rst;
  assign busy_o = dut_clk_q;

  wire [FLAG_BYTES*8-1:0] flags;
  wire [OUTPUT_BYTES*8-1:0] outputs;
  hd_switch #(
      .PORTS(PORTS),
      .VCS(VCS),
      .DATA_W(DATA_W),
      .DEPTH(DEPTH),
      .NODES(NODES),
      .ROUTE_CYCLES(ROUTE_CYCLES),
      .ARB_CYCLES(ARB_CYCLES),
      .BUFFER_CYCLES(BUFFER_CYCLES),
      .CUT_FLITS(CUT_FLITS),
      .SOURCE_TABLE(SOURCE_TABLE),
      .BARRIER(BARRIER),
      .GROUPS(GROUPS),
      .SWITCHES(SWITCHES)
  ) u_switch (
      .clk(dut_clk_q),
      .rst(strobes_q[STROBES_W-1]),
      .in_valid_i(strobes_q[0+:PORTS]),
      .out_credit_i(strobes_q[PORTS+:PORTS*VCS]),
      .out_barrier_credit_i(strobes_q[PORTS*(VCS+1)+:PORTS]),
      .cfg_write_i(strobes_q[STROBES_W-3]),
      .cfg_read_i(strobes_q[STROBES_W-2]),
      .in_kind_i(inputs_q[0+:PORTS*3]),
      .in_vc_i(inputs_q[PORTS*3+:PORTS*VC_W]),
      .in_data_i(inputs_q[PORTS*(3+VC_W)+:PORTS*DATA_W]),
      .cfg_addr_i(inputs_q[LANES_W+:20]),
      .cfg_wdata_i(inputs_q[LANES_W+20+:16]),
      .out_valid_o(flags[0+:PORTS]),
      .in_credit_o(flags[PORTS+:PORTS*VCS]),
      .in_barrier_credit_o(flags[PORTS*(VCS+1)+:PORTS]),
      .quiescent_o(flags[FLAGS_W-1]),
      .out_kind_o(outputs[0+:PORTS*3]),
      .out_vc_o(outputs[PORTS*3+:PORTS*VC_W]),
      .out_data_o(outputs[PORTS*(3+VC_W)+:PORTS*DATA_W]),
      .cfg_rdata_o(outputs[LANES_W+:16])
  );
  generate
    if (FLAG_BYTES * 8 > FLAGS_W) begin : flag_gap
      assign flags[FLAG_BYTES*8-1:FLAGS_W] = 0;
    end
    if (OUTPUT_BYTES * 8 > LANES_W + 16) begin : output_gap
      assign outputs[OUTPUT_BYTES*8-1:LANES_W+16] = 0;
    end
  endgenerate

  // response, and what this is
  localparam [15:0] NODES_16 = NODES;
  localparam [15:0] SWITCHES_16 = SWITCHES;
  localparam [8*11-1:0] SHAPE = {
    GROUPS[7:0], BARRIER[7:0], SOURCE_TABLE[7:0], CUT_FLITS[7:0], BUFFER_CYCLES[7:0],
    ARB_CYCLES[7:0], ROUTE_CYCLES[7:0], DEPTH[7:0], DATA_W[7:0], VCS[7:0], PORTS[7:0]
  };
  wire [ABOUT_BYTES*8-1:0] about = {BUILD[31:0], SWITCHES_16, NODES_16, SHAPE, LAYOUT, "D", "H"};
  wire [RESPONSE_BYTES*8-1:0] response = {outputs, flags};
  reg [7:0] byte_read;
  integer i;
  always @* begin
    byte_read = 8'd0;
    for (i = 0; i < RESPONSE_BYTES; i = i + 1) if (addr_i == i[7:0]) byte_read = response[i*8+:8];
    for (i = 0; i < ABOUT_BYTES; i = i + 1) if (addr_i - ABOUT == i[7:0]) byte_read = about[i*8+:8];
  end
  always @(posedge clk) data_o <= byte_read;

  // bits that fill up bytes
  wire unused = &{1'b0, strobes_q, inputs_q};

endmodule

`default_nettype wire
