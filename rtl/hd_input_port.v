// One input port: route pipeline, virtual channels, first step of allocation, and
// the way of a granted flit to the crossbar (§2.2-2.5).
// SPDX-License-Identifier: Apache-2.0
//
// All that depends on the pins goes straight into registers. The flit of a grant in
// cycle s is at `cross_*` in s + 1 + D for the output port that granted it.
`default_nettype none

module hd_input_port #(
    parameter PORTS         = 5,   // 2-16
    parameter VCS           = 2,   // 1-8
    parameter VC_W          = 1,   // max(1, clog2(VCS))
    parameter DATA_W        = 16,  // 16, 32, 64
    parameter DEPTH         = 4,   // 1-64
    parameter NODES         = 64,  // 2-2048
    parameter ROUTE_CYCLES  = 1,   // 1-2
    parameter GRANT_STAGES  = 0,   // D of §2.1, 0-2
    parameter SOURCE_TABLE  = 0    // 0-1
) (
    input  wire                     clk,
    input  wire                     rst,
    // link: flits in, credits back
    input  wire                     valid_i,
    input  wire [              2:0] kind_i,
    input  wire [         VC_W-1:0] vc_i,
    input  wire [       DATA_W-1:0] data_i,
    output reg  [          VCS-1:0] credit_o,
    // table writes
    input  wire                     destination_write_i,
    input  wire                     source_write_i,
    input  wire [$clog2(NODES)-1:0] index_i,
    input  wire [$clog2(PORTS)+VCS:0] entry_i,
    // error register: bits of §2.8 but credit; 1 clears
    input  wire [              6:0] clear_i,
    output wire [              6:0] errors_o,
    // output virtual channels: with a credit; free for a new packet
    input  wire [    PORTS*VCS-1:0] credit_i,
    input  wire [    PORTS*VCS-1:0] free_i,
    // request to the output ports (one bit), what it asks for
    output wire [        PORTS-1:0] request_o,
    output wire [          VCS-1:0] fit_o,
    output wire                     starts_o,
    output wire                     tail_o,
    // answer
    input  wire                     grant_i,
    input  wire [          VCS-1:0] taken_i,
    // to the crossbar
    output wire [              2:0] cross_kind_o,
    output wire [       DATA_W-1:0] cross_data_o,
    // a slot is taken, or a credit is at the pins
    output wire                     busy_o,
    // §6.5
    output wire [        7*VCS-1:0] occupancy_o,
    output wire [        2*VCS-1:0] state_o,
    output wire [        4*VCS-1:0] oport_o,
    output wire [        3*VCS-1:0] ovc_o,
    output wire [              3:0] next_o
);

  localparam PORT_W = $clog2(PORTS);

  // arrival (§2.3)
  wire [VCS-1:0] full;
  wire [VCS-1:0] addressed = {{(VCS - 1) {1'b0}}, valid_i} << vc_i;
  wire [VCS-1:0] first, second, push;
  wire [2:0] push_kind;
  wire [DATA_W-1:0] push_data;
  wire [PORT_W-1:0] push_port;
  wire [VCS-1:0] push_mask;
  hd_route_unit #(
      .PORTS(PORTS),
      .VCS(VCS),
      .DATA_W(DATA_W),
      .NODES(NODES),
      .ROUTE_CYCLES(ROUTE_CYCLES),
      .SOURCE_TABLE(SOURCE_TABLE)
  ) u_route (
      .clk(clk),
      .rst(rst),
      .valid_i(valid_i),
      .take_i(addressed & ~full),
      .kind_i(kind_i),
      .data_i(data_i),
      .destination_write_i(destination_write_i),
      .source_write_i(source_write_i),
      .index_i(index_i),
      .entry_i(entry_i),
      .first_o(first),
      .second_o(second),
      .push_o(push),
      .kind_o(push_kind),
      .data_o(push_data),
      .port_o(push_port),
      .mask_o(push_mask)
  );

  // virtual channels
  wire [VCS-1:0] request, starts, pop, busy, pick;
  wire [VCS*PORT_W-1:0] port;
  wire [VCS*VCS-1:0] fit;
  wire [VCS*3-1:0] kind;
  wire [VCS*DATA_W-1:0] data;
  wire [VCS*4-1:0] vc_errors;
  genvar v;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : vc
      hd_input_vc #(
          .PORTS(PORTS),
          .VCS(VCS),
          .DATA_W(DATA_W),
          .DEPTH(DEPTH)
      ) u_vc (
          .clk(clk),
          .rst(rst),
          .first_i(first[v]),
          .second_i(second[v]),
          .push_i(push[v]),
          .kind_i(push_kind),
          .data_i(push_data),
          .port_i(push_port),
          .mask_i(push_mask),
          .credit_i(credit_i),
          .free_i(free_i),
          .request_o(request[v]),
          .port_o(port[v*PORT_W+:PORT_W]),
          .fit_o(fit[v*VCS+:VCS]),
          .starts_o(starts[v]),
          .kind_o(kind[v*3+:3]),
          .data_o(data[v*DATA_W+:DATA_W]),
          .grant_i(grant_i && pick[v]),
          .taken_i(taken_i),
          .pop_o(pop[v]),
          .full_o(full[v]),
          .busy_o(busy[v]),
          .errors_o(vc_errors[v*4+:4]),
          .occupancy_o(occupancy_o[v*7+:7]),
          .state_o(state_o[v*2+:2]),
          .oport_o(oport_o[v*4+:4]),
          .ovc_o(ovc_o[v*3+:3])
      );
    end
  endgenerate

  // first step of allocation (§2.5)
  hd_rr_arbiter #(
      .N(VCS)
  ) u_arbiter (
      .clk(clk),
      .rst(rst),
      .req_i(request),
      .pick_o(pick),
      .advance_i(grant_i),
      .next_o(next_o)
  );
  reg [PORT_W-1:0] picked_port;
  reg [VCS-1:0] picked_fit;
  reg [2:0] picked_kind;
  reg [DATA_W-1:0] picked_data;
  reg [3:0] new_errors;
  integer i;
  always @* begin
    picked_port = {PORT_W{1'b0}};
    picked_fit  = {VCS{1'b0}};
    picked_kind = 3'd0;
    picked_data = {DATA_W{1'b0}};
    new_errors  = 4'd0;
    for (i = 0; i < VCS; i = i + 1) begin
      if (pick[i]) begin
        picked_port = port[i*PORT_W+:PORT_W];
        picked_fit  = fit[i*VCS+:VCS];
        picked_kind = kind[i*3+:3];
        picked_data = data[i*DATA_W+:DATA_W];
      end
      new_errors = new_errors | vc_errors[i*4+:4];
    end
  end
  wire any = request != {VCS{1'b0}};
  assign request_o = {{(PORTS - 1) {1'b0}}, any} << picked_port;
  assign fit_o = picked_fit;
  assign starts_o = (pick & starts) != {VCS{1'b0}};
  assign tail_o = picked_kind[0];

  // granted flit on its way to the crossbar: D + 1 registers
  genvar d;
  generate
    for (d = 0; d <= GRANT_STAGES; d = d + 1) begin : stage
      wire load;
      wire [2:0] load_kind;
      wire [DATA_W-1:0] load_data;
      reg valid_q;
      reg [2:0] kind_q;
      reg [DATA_W-1:0] data_q;
      if (d == 0) begin : first
        assign load = grant_i;
        assign load_kind = picked_kind;
        assign load_data = picked_data;
      end else begin : later
        assign load = stage[d-1].valid_q;
        assign load_kind = stage[d-1].kind_q;
        assign load_data = stage[d-1].data_q;
      end
      always @(posedge clk)
        if (rst) valid_q <= 1'b0;
        else valid_q <= load;
      always @(posedge clk)
        if (load) begin
          kind_q <= load_kind;
          data_q <= load_data;
        end
    end
  endgenerate
  assign cross_kind_o = stage[GRANT_STAGES].kind_q;
  assign cross_data_o = stage[GRANT_STAGES].data_q;
  wire unused_valid = stage[GRANT_STAGES].valid_q;

  // credits and errors
  always @(posedge clk)
    if (rst) credit_o <= {VCS{1'b0}};
    else credit_o <= pop;
  assign busy_o = (busy != {VCS{1'b0}}) || (credit_o != {VCS{1'b0}});

  reg [6:0] errors_q;
  assign errors_o = errors_q;
  always @(posedge clk)
    if (rst) errors_q <= 7'd0;
    else
      errors_q <= (errors_q & ~clear_i) | {
        valid_i && (addressed == {VCS{1'b0}}),
        1'b0,
        new_errors,
        (addressed & full) != {VCS{1'b0}}
      };

endmodule

`default_nettype wire
