// One output port: second step of allocation, virtual channels, credits, crossbar
// column and output register (§2.5, §2.6).
// SPDX-License-Identifier: Apache-2.0
//
// A grant in cycle s selects its input at the crossbar in s + 1 + D; the flit is
// visible in s + 2 + D.
`default_nettype none

module hd_output_port #(
    parameter PORTS        = 5,   // 2-16
    parameter VCS          = 2,   // 1-8
    parameter VC_W         = 1,   // max(1, clog2(VCS))
    parameter DATA_W       = 16,  // 16, 32, 64
    parameter DEPTH        = 4,   // 1-64
    parameter CUT_FLITS    = 0,   // 0-DEPTH
    parameter GRANT_STAGES = 0    // D of §2.1, 0-2
) (
    input  wire                    clk,
    input  wire                    rst,
    // requests of the input ports; what each asks for
    input  wire [       PORTS-1:0] request_i,
    input  wire [   PORTS*VCS-1:0] fit_i,
    input  wire [       PORTS-1:0] starts_i,
    input  wire [       PORTS-1:0] tail_i,
    // answer: at most one input, the output virtual channel
    output wire [       PORTS-1:0] grant_o,
    output wire [         VCS-1:0] taken_o,
    // virtual channels with a credit; free for a new packet
    output wire [         VCS-1:0] credit_o,
    output wire [         VCS-1:0] free_o,
    // granted flits at the crossbar
    input  wire [     PORTS*3-1:0] cross_kind_i,
    input  wire [PORTS*DATA_W-1:0] cross_data_i,
    // link: flits out, credits back
    output reg                     valid_o,
    output reg  [             2:0] kind_o,
    output reg  [        VC_W-1:0] vc_o,
    output reg  [      DATA_W-1:0] data_o,
    input  wire [         VCS-1:0] credit_i,
    // this port's share of the error register, bit credit; 1 clears it
    input  wire                    clear_i,
    output wire                    error_o,
    // a flit is on its way to the pins or at them
    output wire                    busy_o,
    // §6.5
    output wire [       7*VCS-1:0] count_o,
    output wire [         VCS-1:0] owned_o,
    output wire [             3:0] next_o,
    output wire [             3:0] vc_next_o
);

  localparam [VCS-1:0] NONE = {VCS{1'b0}};
  localparam [PORTS-1:0] NOBODY = {PORTS{1'b0}};
  localparam COUNT_W = $clog2(DEPTH + 1);
  localparam [31:0] SLOTS = DEPTH;
  localparam [31:0] ROOM = (CUT_FLITS == 0) ? 1 : CUT_FLITS;

  // second step of allocation: an input port, then its virtual channel
  wire granted = request_i != NOBODY;
  hd_rr_arbiter #(
      .N(PORTS)
  ) u_arbiter (
      .clk(clk),
      .rst(rst),
      .req_i(request_i),
      .pick_o(grant_o),
      .advance_i(granted),
      .next_o(next_o)
  );
  reg [VCS-1:0] fit;
  reg starts;
  reg tail;
  integer i;
  always @* begin
    fit = NONE;
    starts = 1'b0;
    tail = 1'b0;
    if (granted) begin
      for (i = 0; i < PORTS; i = i + 1) if (grant_o[i]) fit = fit_i[i*VCS+:VCS];
      starts = (grant_o & starts_i) != NOBODY;
      tail   = (grant_o & tail_i) != NOBODY;
    end
  end
  hd_rr_arbiter #(
      .N(VCS)
  ) u_vc_arbiter (
      .clk(clk),
      .rst(rst),
      .req_i(fit),
      .pick_o(taken_o),
      .advance_i(starts),
      .next_o(vc_next_o)
  );

  // owners and credits
  reg [VCS-1:0] owned_q;
  always @(posedge clk)
    if (rst) owned_q <= NONE;
    else if (granted && (tail != starts)) owned_q <= tail ? owned_q & ~taken_o : owned_q | taken_o;
  assign owned_o = owned_q;

  wire [VCS-1:0] all;
  genvar w;
  generate
    for (w = 0; w < VCS; w = w + 1) begin : vc
      reg [COUNT_W-1:0] count_q;
      assign all[w] = count_q == SLOTS[COUNT_W-1:0];
      always @(posedge clk)
        if (rst) count_q <= SLOTS[COUNT_W-1:0];
        else if (taken_o[w] != credit_i[w])
          if (taken_o[w]) count_q <= count_q - 1'b1;
          else if (!all[w]) count_q <= count_q + 1'b1;
      assign credit_o[w] = count_q != {COUNT_W{1'b0}};
      assign free_o[w] = !owned_q[w] && (count_q >= ROOM[COUNT_W-1:0]);
      assign count_o[w*7+:7] = {{(7 - COUNT_W) {1'b0}}, count_q};
    end
  endgenerate

  reg error_q;
  assign error_o = error_q;
  always @(posedge clk)
    if (rst) error_q <= 1'b0;
    else if ((credit_i & ~taken_o & all) != NONE) error_q <= 1'b1;
    else if (clear_i) error_q <= 1'b0;

  // the grant on its way to the crossbar
  genvar d;
  generate
    for (d = 0; d <= GRANT_STAGES; d = d + 1) begin : stage
      reg [PORTS-1:0] select_q;
      reg [VCS-1:0] vc_q;
      wire busy;
      if (d == 0) begin : first
        always @(posedge clk)
          if (rst) select_q <= NOBODY;
          else select_q <= grant_o;
        always @(posedge clk) if (granted) vc_q <= taken_o;
        assign busy = select_q != NOBODY;
      end else begin : later
        always @(posedge clk)
          if (rst) select_q <= NOBODY;
          else select_q <= stage[d-1].select_q;
        always @(posedge clk) if (stage[d-1].select_q != NOBODY) vc_q <= stage[d-1].vc_q;
        assign busy = stage[d-1].busy || (select_q != NOBODY);
      end
    end
  endgenerate

  // crossbar column and output register
  wire [PORTS-1:0] select = stage[GRANT_STAGES].select_q;
  wire [VCS-1:0] out_vc = stage[GRANT_STAGES].vc_q;
  wire crossing = select != NOBODY;
  wire [2:0] kind;
  wire [DATA_W-1:0] data;
  hd_crossbar #(
      .PORTS(PORTS),
      .WIDTH(3)
  ) u_kind (
      .select_i(select),
      .lanes_i(cross_kind_i),
      .lane_o(kind)
  );
  hd_crossbar #(
      .PORTS(PORTS),
      .WIDTH(DATA_W)
  ) u_data (
      .select_i(select),
      .lanes_i(cross_data_i),
      .lane_o(data)
  );
  reg [3:0] vc_number;
  integer n;
  always @* begin
    vc_number = 4'd0;
    if (crossing) for (n = 1; n < VCS; n = n + 1) if (out_vc[n]) vc_number = n[3:0];
  end
  wire unused_number = &{1'b0, vc_number[3:VC_W]};

  always @(posedge clk)
    if (rst) begin
      valid_o <= 1'b0;
      kind_o  <= 3'd0;
      vc_o    <= {VC_W{1'b0}};
      data_o  <= {DATA_W{1'b0}};
    end else begin
      valid_o <= crossing;
      if (crossing) begin
        kind_o <= kind;
        vc_o   <= vc_number[VC_W-1:0];
        data_o <= data;
      end
    end
  assign busy_o = valid_o || stage[GRANT_STAGES].busy;

endmodule

`default_nettype wire
