// A monitor for one router; bind it to the router or instantiate it in the bench: the rules at ports by DPI-C (docs/monitors.md).
// SPDX-License-Identifier: Apache-2.0
//
// The monitor samples all pins at the rising edge of the clock, as a register does. It reports the
// first broken rule by $error and is silent after that. Vectors begin with port 0 in the lowest
// bits, and each port with channel 0. Link libhd_watch.so or libhd_watch.a.
`default_nettype none

module hd_monitor #(
    parameter int PORTS = 5,   // 2-16
    parameter int VCS = 1,     // 1-8
    parameter int DATA_W = 32, // 1-1024
    parameter int NODES = 0,   // destinations that packets name, 0-2048
    parameter string LINKS = "ready",  // ready, credits, onoff
    parameter int DEPTH = 0,   // credits: slots of a channel, 1-254
    parameter int OFF_CYCLES = 1,  // onoff: flits may be sent for so many cycles after the channel went off
    parameter string ORDER = "",  // usual, channels, flows, pairs, none
    parameter int HELD_CYCLES = 0, // limit of rule P14; 0: 64; -1: the rule is off
    // limit of rule P15; 0: 64 * VCS; -1: the rule is off
    parameter int STARVED_HEADS = 0,
    parameter bit [PORTS-1:0] UNLINKED = '0,  // outputs that lead nowhere
    parameter bit NO_FIRST = 0, // the wires in_first and out_first do not exist
    parameter bit MAY_WITHDRAW = 0,  // ready: the router may withdraw what it offers
    // bits of a packet's first flit that the router does not change
    parameter bit [DATA_W-1:0] KEPT = '1,
    parameter bit ROUTED = 0, // `routes` is used
    // this many cycles without a flit at any port, then flits left inside are judged
    parameter int QUIET_CYCLES = 200,
    parameter int VC_W = (VCS > 1) ? $clog2(VCS) : 1,
    parameter int NODE_W = (NODES > 1) ? $clog2(NODES) : 1,
    parameter int ENTRIES = (NODES > 0) ? NODES : 1
) (
    input wire                     clk,
    input wire                     rst,       // 1: the router is reset
    // inputs of the router; in_back goes out: ready, a credit, or on
    input wire [        PORTS-1:0] in_valid,
    input wire [    PORTS*VCS-1:0] in_back,
    input wire [   PORTS*VC_W-1:0] in_vc,
    input wire [        PORTS-1:0] in_first,  // flit of a packet
    input wire [        PORTS-1:0] in_last,
    input wire [ PORTS*NODE_W-1:0] in_node, // destination; read with a first flit
    input wire [ PORTS*DATA_W-1:0] in_data,
    // outputs of the router; out_back comes in
    input wire [        PORTS-1:0] out_valid,
    input wire [    PORTS*VCS-1:0] out_back,
    input wire [   PORTS*VC_W-1:0] out_vc,
    input wire [        PORTS-1:0] out_first,
    input wire [        PORTS-1:0] out_last,
    input wire [ PORTS*NODE_W-1:0] out_node,
    input wire [ PORTS*DATA_W-1:0] out_data,
    // bit node*PORTS + port: packets for the node may leave by the port; read in the first cycle after a reset
    input wire [ENTRIES*PORTS-1:0] routes
);

  import "DPI-C" function chandle hd_pins_open(
      input int ports, input int vcs, input int data_bits, input int nodes, input string links, input int depth_flits,
      input int off_cycles, input string order, input int held_cycles, input int starved_heads, input int unlinked,
      input int no_first, input int may_withdraw, input int four_state, input bit [1023:0] kept);
  import "DPI-C" function void hd_pins_close(input chandle pins);
  import "DPI-C" function int hd_pins_route(
      input chandle pins, input int in_port, input int node, input int ports, input int channels);
  import "DPI-C" function void hd_pins_flit(
      input chandle pins, input int is_out, input int port, input int vc, input int first, input int last, input int node,
      input bit [1023:0] data);
  import "DPI-C" function void hd_pins_unknown(input chandle pins, input int is_out, input int is_back, input int port);
  import "DPI-C" function int hd_pins_cycle(input chandle pins, input bit [127:0] in_back, input bit [127:0] out_back);
  import "DPI-C" function void hd_pins_reset(input chandle pins);
  import "DPI-C" function int hd_pins_end(input chandle pins);
  import "DPI-C" function string hd_pins_says(input chandle pins);

  chandle pins;
  bit opened, routed, failed;
  int quiet;
  logic x = 1'bx; // a two-state simulator has no X

  task fail(input string what);
    if (!failed) $error("%m: %s", what);
    failed = 1;
  endtask

  task show(input bit is_out, input int port, input bit [VC_W-1:0] vc, input bit first, input bit last,
            input bit [NODE_W-1:0] node, input bit [DATA_W-1:0] data);
    hd_pins_flit(pins, 32'(is_out), port, 32'(vc), 32'(first), 32'(last), 32'(node), 1024'(data));
    quiet = 0;
  endtask

  task look;
    for (int p = 0; p < PORTS; p++) begin
      if ($isunknown(in_back[p*VCS+:VCS])) hd_pins_unknown(pins, 0, 1, p);
      if ($isunknown(out_back[p*VCS+:VCS])) hd_pins_unknown(pins, 1, 1, p);
      if ($isunknown(in_valid[p])) hd_pins_unknown(pins, 0, 0, p);
      if ($isunknown(out_valid[p])) hd_pins_unknown(pins, 1, 0, p);
      if (in_valid[p])
        show(0, p, in_vc[p*VC_W+:VC_W], in_first[p], in_last[p], in_node[p*NODE_W+:NODE_W], in_data[p*DATA_W+:DATA_W]);
      if (out_valid[p]) begin
        if ($isunknown({out_vc[p*VC_W+:VC_W], out_last[p], out_data[p*DATA_W+:DATA_W]})) hd_pins_unknown(pins, 1, 0, p);
        show(1, p, out_vc[p*VC_W+:VC_W], out_first[p], out_last[p], out_node[p*NODE_W+:NODE_W], out_data[p*DATA_W+:DATA_W]);
      end
    end
    if (quiet < QUIET_CYCLES) quiet++;
    if (hd_pins_cycle(pins, 128'(in_back), 128'(out_back)) != 0) fail(hd_pins_says(pins));
  endtask

  task route;
    for (int n = 0; n < ENTRIES; n++)
      if (hd_pins_route(pins, -1, n, 32'(routes[n*PORTS+:PORTS]), 0) != 0) fail(hd_pins_says(pins));
    routed = 1;
  endtask

  always @(posedge clk) begin
    if (!opened) begin
      pins = hd_pins_open(PORTS, VCS, DATA_W, NODES, LINKS, DEPTH, OFF_CYCLES, ORDER, HELD_CYCLES, STARVED_HEADS,
                          32'(UNLINKED), 32'(NO_FIRST), 32'(MAY_WITHDRAW), 32'($isunknown(x)), 1024'(KEPT));
      opened = 1;
    end
    if (rst !== 1'b0) begin
      hd_pins_reset(pins);
      routed = 0;
    end else begin
      if (ROUTED && !routed) route;
      if (!failed) look;
    end
  end

  final
    if (opened) begin
      if (quiet >= QUIET_CYCLES && hd_pins_end(pins) != 0) fail(hd_pins_says(pins));
      if (!failed && quiet >= QUIET_CYCLES) $display("%m: %s", hd_pins_says(pins));
      if (!failed && quiet < QUIET_CYCLES) $display("%m: %s; what is left inside was not judged", hd_pins_says(pins));
      hd_pins_close(pins);
    end

endmodule

`default_nettype wire
