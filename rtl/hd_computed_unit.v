// Route pipeline of one input port without tables: takes a flit and computes its route (§2.2, §2.3, §12.2).
// SPDX-License-Identifier: Apache-2.0
//
// The route is computed from the pins, in the cycle in which the flit is taken. With ROUTE_CYCLES 0 the flit leaves in
// the same cycle and is written into its buffer at the end of that cycle. Otherwise it leaves ROUTE_CYCLES later. An
// empty mask means that the packet is unroutable. Only the route of a head or single has a meaning.
`default_nettype none

module hd_computed_unit #(
    parameter PORTS        = 5,   // 2-16
    parameter VCS          = 2,   // 1-8
    parameter VC_W         = 1,   // max(1, clog2(VCS))
    parameter DATA_W       = 16,  // 16, 32, 64
    parameter NODES        = 64,  // nodes, 2-65536
    parameter ROUTE_CYCLES = 0,   // 0-2
    parameter ROUTE        = 1,   // 1-4
    parameter FIELDS       = 1,   // ROUTE 1, 2: bits of a node number at which a coordinate begins
    parameter SOURCE_TABLE = 0,   // 0-1
    parameter BARRIER      = 0    // 0-5
) (
    input  wire                     clk,
    input  wire                     rst,
    // flit at the pins; virtual channels without a free slot
    input  wire                     valid_i,
    input  wire [              2:0] kind_i,
    input  wire [         VC_W-1:0] vc_i,
    input  wire [       DATA_W-1:0] data_i,
    input  wire [          VCS-1:0] full_i,
    // registers of §12.6
    input  wire [$clog2(NODES)-1:0] own_i,
    input  wire [$clog2(NODES)-1:0] far_i,
    input  wire [$clog2(NODES)-1:0] below_i,
    input  wire [             15:0] digits_i,
    // flits in the pipeline, one bit a virtual channel: first stage, second stage
    output wire [          VCS-1:0] first_o,
    output wire [          VCS-1:0] second_o,
    // a flit and its route; `push_o` names the virtual channel whose buffer takes it
    output wire [          VCS-1:0] push_o,
    output wire [              2:0] kind_o,
    output wire [       DATA_W-1:0] data_o,
    output wire [$clog2(PORTS)-1:0] port_o,
    output wire [          VCS-1:0] mask_o
);

  localparam FLIT_W = VCS + $clog2(PORTS) + 3 + DATA_W;
  localparam [VCS-1:0] NONE = {VCS{1'b0}};
  localparam [VCS-1:0] ONE = {{(VCS - 1) {1'b0}}, 1'b1};

  wire [$clog2(PORTS)-1:0] port;
  wire [VCS-1:0] mask;
  hd_route_compute #(
      .PORTS(PORTS),
      .VCS(VCS),
      .DATA_W(DATA_W),
      .NODES(NODES),
      .ROUTE(ROUTE),
      .FIELDS(FIELDS),
      .SOURCE_TABLE(SOURCE_TABLE),
      .BARRIER(BARRIER)
  ) u_compute (
      .data_i(data_i),
      .own_i(own_i),
      .far_i(far_i),
      .below_i(below_i),
      .digits_i(digits_i),
      .port_o(port),
      .mask_o(mask)
  );

  // stage 0 is the pins, the others are registers
  genvar s;
  generate
    for (s = 0; s <= ROUTE_CYCLES; s = s + 1) begin : stage
      wire [VCS-1:0] take;
      wire [FLIT_W-1:0] flit;
      if (s == 0) begin : pins
        assign take = valid_i ? (ONE << vc_i) & ~full_i : NONE;
        assign flit = {mask, port, kind_i, data_i};
      end else begin : registers
        reg [VCS-1:0] take_q;
        reg [FLIT_W-1:0] flit_q;
        always @(posedge clk)
          if (rst) take_q <= NONE;
          else take_q <= stage[s-1].take;
        always @(posedge clk) if (stage[s-1].take != NONE) flit_q <= stage[s-1].flit;
        assign take = take_q;
        assign flit = flit_q;
      end
    end
    if (ROUTE_CYCLES >= 1) begin : has_first
      assign first_o = stage[1].take;
    end else begin : no_first
      assign first_o = NONE;
      wire unused_clock = &{1'b0, clk, rst};
    end
    if (ROUTE_CYCLES == 2) begin : has_second
      assign second_o = stage[2].take;
    end else begin : no_second
      assign second_o = NONE;
    end
  endgenerate
  assign push_o = stage[ROUTE_CYCLES].take;
  assign {mask_o, port_o, kind_o, data_o} = stage[ROUTE_CYCLES].flit;

`ifdef FORMAL
  // 1 a flit is taken where its channel has room, once, and comes out ROUTE_CYCLES later
  // 2 with the kind and data that it had at the pins
  // 3 with the route that was computed in the cycle in which it was taken (hd_route_compute proves that it is that of
  //   §12.2)
  reg f_started = 1'b0;
  wire [VCS-1:0] f_take = (!valid_i || (vc_i >= VCS) || full_i[vc_i]) ? NONE : ONE << vc_i;
  wire [FLIT_W-1:0] f_flit = {mask, port, kind_i, data_i};
  reg [VCS-1:0] f_take1_q = NONE, f_take2_q = NONE;
  reg [FLIT_W-1:0] f_flit1_q, f_flit2_q;
  always @(posedge clk) begin
    f_started <= 1'b1;
    {f_take1_q, f_take2_q} <= rst ? {NONE, NONE} : {f_take, f_take1_q};
    {f_flit1_q, f_flit2_q} <= {f_flit, f_flit1_q};
  end
  always @* begin
    if (!f_started) assume (rst);
    if (f_started) begin
      assert (first_o == ((ROUTE_CYCLES >= 1) ? f_take1_q : NONE));
      assert (second_o == ((ROUTE_CYCLES == 2) ? f_take2_q : NONE));
      assert (push_o == ((ROUTE_CYCLES == 0) ? f_take : (ROUTE_CYCLES == 1) ? f_take1_q : f_take2_q));
      if (push_o != NONE)
        assert ({mask_o, port_o, kind_o, data_o} ==
            ((ROUTE_CYCLES == 0) ? f_flit : (ROUTE_CYCLES == 1) ? f_flit1_q : f_flit2_q));
    end
  end
`endif

endmodule

`default_nettype wire
