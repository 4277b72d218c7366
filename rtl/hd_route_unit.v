// Route pipeline of one input port: table read and decision (§2.2, §2.7).
// SPDX-License-Identifier: Apache-2.0
//
// A flit that is taken in cycle a leaves with its route in cycle a + ROUTE_CYCLES,
// to be written into its buffer at the end of that cycle. A route is an output port
// and a mask of output virtual channels; the empty mask says unroutable. The route of
// anything but a head or single means nothing.
`default_nettype none

module hd_route_unit #(
    parameter PORTS        = 5,   // 2-16
    parameter VCS          = 2,   // 1-8
    parameter DATA_W       = 16,  // 16, 32, 64
    parameter NODES        = 64,  // 2-2048
    parameter ROUTE_CYCLES = 1,   // 1-2
    parameter SOURCE_TABLE = 0    // 0-1
) (
    input  wire                     clk,
    input  wire                     rst,
    // flit at the pins: `take_i` says on which virtual channel it is accepted, if at all
    input  wire                     valid_i,
    input  wire [          VCS-1:0] take_i,
    input  wire [              2:0] kind_i,
    input  wire [       DATA_W-1:0] data_i,
    // table writes; an entry is {valid, port, mask}
    input  wire                     destination_write_i,
    input  wire                     source_write_i,
    input  wire [$clog2(NODES)-1:0] index_i,
    input  wire [$clog2(PORTS)+VCS:0] entry_i,
    // flits under way here, one bit a virtual channel: newest, and second stage
    output wire [          VCS-1:0] first_o,
    output wire [          VCS-1:0] second_o,
    // flit with its route for the buffer of the virtual channel that `push_o` names
    output wire [          VCS-1:0] push_o,
    output wire [              2:0] kind_o,
    output wire [       DATA_W-1:0] data_o,
    output wire [$clog2(PORTS)-1:0] port_o,
    output wire [          VCS-1:0] mask_o
);

  localparam PORT_W = $clog2(PORTS);
  localparam NODE_W = $clog2(NODES);
  localparam ENTRY_W = 1 + PORT_W + VCS;

  // stage 1: the flit beside its table entries
  reg [VCS-1:0] take_q;
  reg [2:0] kind_q;
  reg [DATA_W-1:0] data_q;
  always @(posedge clk)
    if (rst) take_q <= {VCS{1'b0}};
    else take_q <= take_i;
  always @(posedge clk)
    if (valid_i) begin
      kind_q <= kind_i;
      data_q <= data_i;
    end

  wire [ENTRY_W-1:0] entry;
  generate
    if (SOURCE_TABLE != 0) begin : source
      // Mode 1 goes by the source where the destination's entry is invalid. Rows
      // above NODES read as invalid, so only the destination's range matters here.
      wire [ENTRY_W-1:0] by_destination;
      wire [ENTRY_W-1:0] by_source;
      hd_route_table #(
          .WIDTH(ENTRY_W),
          .NODES(NODES)
      ) u_destination (
          .clk(clk),
          .read_i(valid_i),
          .read_index_i(data_i[2+:NODE_W]),
          .entry_o(by_destination),
          .write_i(destination_write_i),
          .write_index_i(index_i),
          .entry_i(entry_i)
      );
      hd_route_table #(
          .WIDTH(ENTRY_W),
          .NODES(NODES)
      ) u_source (
          .clk(clk),
          .read_i(valid_i),
          .read_index_i(data_i[2+NODE_W+:NODE_W]),
          .entry_o(by_source),
          .write_i(source_write_i),
          .write_index_i(index_i),
          .entry_i(entry_i)
      );
      wire in_range = {{(32 - NODE_W) {1'b0}}, data_q[2+:NODE_W]} < NODES;
      wire ask_source = data_q[0] && in_range && !by_destination[ENTRY_W-1];
      assign entry = ask_source ? by_source : by_destination;
    end else begin : destination
      wire unused_source = source_write_i;
      hd_route_table #(
          .WIDTH(ENTRY_W),
          .NODES(NODES)
      ) u_destination (
          .clk(clk),
          .read_i(valid_i),
          .read_index_i(data_i[2+:NODE_W]),
          .entry_o(entry),
          .write_i(destination_write_i),
          .write_index_i(index_i),
          .entry_i(entry_i)
      );
    end
  endgenerate

  // decision: modes 0 and 1 by table, mode 2 by the header, mode 3 nowhere
  wire [PORT_W-1:0] header_port = data_q[2+:PORT_W];
  wire header_legal = !data_q[0] && ({{(32 - PORT_W) {1'b0}}, header_port} < PORTS);
  wire [PORT_W-1:0] port = data_q[1] ? header_port : entry[VCS+:PORT_W];
  wire [VCS-1:0] mask = data_q[1] ? {VCS{header_legal}} : entry[VCS-1:0] & {VCS{entry[ENTRY_W-1]}};

  assign first_o = take_q;
  generate
    if (ROUTE_CYCLES == 1) begin : one
      assign second_o = {VCS{1'b0}};
      assign push_o = take_q;
      assign kind_o = kind_q;
      assign data_o = data_q;
      assign port_o = port;
      assign mask_o = mask;
    end else begin : two
      reg [VCS-1:0] push_q;
      reg [2:0] kind2_q;
      reg [DATA_W-1:0] data2_q;
      reg [PORT_W-1:0] port2_q;
      reg [VCS-1:0] mask2_q;
      always @(posedge clk)
        if (rst) push_q <= {VCS{1'b0}};
        else push_q <= take_q;
      always @(posedge clk)
        if (take_q != {VCS{1'b0}}) begin
          kind2_q <= kind_q;
          data2_q <= data_q;
          port2_q <= port;
          mask2_q <= mask;
        end
      assign second_o = push_q;
      assign push_o = push_q;
      assign kind_o = kind2_q;
      assign data_o = data2_q;
      assign port_o = port2_q;
      assign mask_o = mask2_q;
    end
  endgenerate

endmodule

`default_nettype wire
