// Route pipeline of one input port: arrival, table read and decision (§2.2, §2.3, §2.7).
// SPDX-License-Identifier: Apache-2.0
//
// A flit that is taken in cycle a leaves with its route in cycle a + ROUTE_CYCLES,
// to be written into its buffer at the end of that cycle. A route is an output port
// and a mask of output virtual channels; the empty mask says unroutable. The route of
// anything but a head or single means nothing.
`default_nettype none

module hd_route_unit #(
    parameter       PORTS        = 5,    // 2-16
    parameter       VCS          = 2,    // 1-8
    parameter       VC_W         = 1,    // max(1, clog2(VCS))
    parameter       DATA_W       = 16,   // 16, 32, 64
    parameter       NODES        = 64,   // 2-2048
    parameter       ROUTE_CYCLES = 1,    // 1-2
    parameter       SOURCE_TABLE = 0,    // 0-1
    parameter       BARRIER      = 0,    // 0-5: 5 keeps channel VCS - 1 from packets
    parameter [3:0] PORT         = 4'd0  // this input port
) (
    input  wire                     clk,
    input  wire                     rst,
    // flit at the pins, virtual channels without a free slot
    input  wire                     valid_i,
    input  wire [              2:0] kind_i,
    input  wire [         VC_W-1:0] vc_i,
    input  wire [       DATA_W-1:0] data_i,
    input  wire [          VCS-1:0] full_i,
    // configuration bus
    input  wire                     cfg_write_i,
    input  wire [             19:0] cfg_addr_i,
    input  wire [             12:0] cfg_wdata_i,
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
  localparam [VCS-1:0] NONE = {VCS{1'b0}};
  localparam [VCS-1:0] ONE = {{(VCS - 1) {1'b0}}, 1'b1};

  // stage 1: the flit beside its table entries
  reg [VCS-1:0] take_q;
  reg [2:0] kind_q;
  reg [DATA_W-1:0] data_q;
  always @(posedge clk)
    if (rst) take_q <= NONE;
    else begin
      take_q <= NONE;
      if (valid_i) take_q <= (ONE << vc_i) & ~full_i;
    end
  always @(posedge clk)
    if (valid_i) begin
      kind_q <= kind_i;
      data_q <= data_i;
    end

  wire [ENTRY_W-1:0] by_destination;
  wire [ENTRY_W-1:0] by_source;
  hd_route_table #(
      .PORTS(PORTS),
      .VCS(VCS),
      .NODES(NODES),
      .SELECT(4'd1),
      .PORT(PORT)
  ) u_destination (
      .clk(clk),
      .rst(rst),
      .read_i(valid_i),
      .index_i(data_i[2+:NODE_W]),
      .entry_o(by_destination),
      .cfg_write_i(cfg_write_i),
      .cfg_addr_i(cfg_addr_i),
      .cfg_wdata_i(cfg_wdata_i)
  );
  generate
    if (SOURCE_TABLE != 0) begin : source
      hd_route_table #(
          .PORTS(PORTS),
          .VCS(VCS),
          .NODES(NODES),
          .SELECT(4'd2),
          .PORT(PORT)
      ) u_source (
          .clk(clk),
          .rst(rst),
          .read_i(valid_i),
          .index_i(data_i[2+NODE_W+:NODE_W]),
          .entry_o(by_source),
          .cfg_write_i(cfg_write_i),
          .cfg_addr_i(cfg_addr_i),
          .cfg_wdata_i(cfg_wdata_i)
      );
    end else begin : no_source
      assign by_source = {ENTRY_W{1'b0}};
    end
  endgenerate

  // Decision: modes 0 and 1 by table, mode 2 by the header, mode 3 nowhere. Mode 1
  // goes by the source where the destination's entry is invalid; rows above NODES
  // read as invalid, so only the destination's range has to be looked at.
  wire [PORT_W-1:0] header_port = data_q[2+:PORT_W];
  wire in_range = {{(32 - NODE_W) {1'b0}}, data_q[2+:NODE_W]} < NODES;
  reg [PORT_W-1:0] port;
  reg [VCS-1:0] mask;
  always @* begin
    port = {PORT_W{1'b0}};
    mask = NONE;
    if (take_q != NONE)
      if (data_q[1]) begin
        port = header_port;
        mask = {VCS{!data_q[0] && ({{(32 - PORT_W) {1'b0}}, header_port} < PORTS)}};
      end else if (data_q[0] && in_range && !by_destination[ENTRY_W-1]) begin
        port = by_source[VCS+:PORT_W];
        mask = by_source[VCS-1:0];
      end else begin
        port = by_destination[VCS+:PORT_W];
        mask = by_destination[VCS-1:0];
      end
    if (BARRIER == 5) mask[VCS-1] = 1'b0;  // §7.7
  end
  wire unused_valid = by_source[ENTRY_W-1];

  assign first_o = take_q;
  generate
    if (ROUTE_CYCLES == 1) begin : one
      assign second_o = NONE;
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
        if (rst) push_q <= NONE;
        else push_q <= take_q;
      always @(posedge clk)
        if (take_q != NONE) begin
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

`ifdef FORMAL
  // 1 a flit is taken where its channel has room, once, and comes out ROUTE_CYCLES later
  // 2 with the kind and data that it had at the pins
  // 3 with the route of §2.7, given what the tables answered for it
  reg f_started = 1'b0;
  reg [VCS-1:0] f_take_q = NONE, f_take2_q = NONE;
  reg [2:0] f_kind_q, f_kind2_q;
  reg [DATA_W-1:0] f_data_q, f_data2_q;
  reg [ENTRY_W-1:0] f_by_destination_q, f_by_source_q;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_take_q <= (rst || !valid_i || (vc_i >= VCS) || full_i[vc_i]) ? NONE : ONE << vc_i;
    f_take2_q <= rst ? NONE : f_take_q;
    f_kind_q <= valid_i ? kind_i : f_kind_q;
    f_data_q <= valid_i ? data_i : f_data_q;
    if (f_take_q != NONE) begin
      f_kind2_q <= f_kind_q;
      f_data2_q <= f_data_q;
      f_by_destination_q <= by_destination;
      f_by_source_q <= by_source;
    end
  end
  wire f_two = ROUTE_CYCLES == 2;
  wire [DATA_W-1:0] f_data = f_two ? f_data2_q : f_data_q;
  wire [ENTRY_W-1:0] f_d = f_two ? f_by_destination_q : by_destination;
  wire [ENTRY_W-1:0] f_s = f_two ? f_by_source_q : by_source;
  reg [VCS-1:0] f_mask;
  reg [PORT_W-1:0] f_port;
  always @* begin
    f_mask = f_d[VCS-1:0];
    f_port = f_d[VCS+:PORT_W];
    case (f_data[1:0])
      2'd0: ;
      2'd1:
      if ((SOURCE_TABLE == 1) && !f_d[ENTRY_W-1] && (f_data[2+:NODE_W] < NODES)) begin
        f_mask = f_s[VCS-1:0];
        f_port = f_s[VCS+:PORT_W];
      end else if (!f_d[ENTRY_W-1]) f_mask = NONE;
      2'd2: begin
        f_port = f_data[2+:PORT_W];
        f_mask = (f_port < PORTS) ? ~NONE : NONE;
      end
      2'd3: f_mask = NONE;
    endcase
  end
  always @* begin
    if (!f_started) assume (rst);
    if (f_started) begin
      assert (take_q == f_take_q);
      if (f_take_q != NONE) assert (kind_q == f_kind_q && data_q == f_data_q);
      assert (push_o == (f_two ? f_take2_q : f_take_q));
      // an entry that is not valid has no mask (proved of the table, §2.7)
      assume (by_destination[ENTRY_W-1] || (by_destination[VCS-1:0] == NONE));
      if (f_two && (f_take2_q != NONE)) assume (f_d[ENTRY_W-1] || (f_d[VCS-1:0] == NONE));
      if (push_o != NONE) begin
        assert (kind_o == (f_two ? f_kind2_q : f_kind_q) && data_o == f_data);
        assert (mask_o == f_mask);
        if (f_mask != NONE) assert (port_o == f_port);
      end
    end
  end
`endif

endmodule

`default_nettype wire
