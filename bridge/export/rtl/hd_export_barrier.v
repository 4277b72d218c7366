// A member of barrier group 0 on chip: decides when it arrives (§9.8), and is a network interface for its messages (§7.9, §7.10).
// SPDX-License-Identifier: Apache-2.0
//
// It is for BARRIER 1 and 2. Their messages start on channel 0 and use none of its credits. At most
// one message is under way, so there is no queue.
`default_nettype none

module hd_export_barrier #(
    parameter VCS    = 2,   // 1-8
    parameter DATA_W = 16,  // 16, 32, 64
    parameter NODE   = 0,   // number of this node
    // bits of the random wait before an arrival, 0-16
    parameter GAP    = 6,
    parameter VC_W   = (VCS > 1) ? $clog2(VCS) : 1  // derived, not to be set
) (
    input  wire              clk,
    input  wire              rst,
    // from the fabric
    input  wire              valid_i,
    input  wire [       2:0] kind_i,
    input  wire [  VC_W-1:0] vc_i,
    input  wire [DATA_W-1:0] data_i,
    output reg               credit_o,
    // to the fabric; sends_o: a flit is sent in this cycle, so nothing else may be sent
    output wire              sends_o,
    output reg               valid_o,
    output reg  [       2:0] kind_o,
    output wire [DATA_W-1:0] data_o,
    input  wire              credit_i
);

  localparam [2:0] KIND_FIRST = 3'b100, KIND_LAST = 3'b101;
  localparam TWO = DATA_W == 16;  // flits of a message
  localparam [8:0] RELEASED = 9'd1;  // bits 8-0 of a release (distribute of group 0)
  localparam [31:0] START = (NODE + 1) * 32'h85ebca6b;

  // ── released ──
  // The node does not read bits 30-9 of a local message (§8.1).
  wire last = valid_i && (kind_i == KIND_LAST);
  wire low = data_i[8:0] == RELEASED;
  wire released;
  generate
    if (TWO) begin : halves
      reg [VCS-1:0] low_q;  // by channel: the first flit of a release has come
      integer v;
      assign released = last && low_q[vc_i] && data_i[15];
      always @(posedge clk)
        if (rst) low_q <= {VCS{1'b0}};
        else if (valid_i && (kind_i == KIND_FIRST))
          for (v = 0; v < VCS; v = v + 1) if (vc_i == v[VC_W-1:0]) low_q[v] <= low;
      wire unused = &{1'b0, data_i};
    end else begin : whole
      assign released = last && low && data_i[31];
      wire unused = &{1'b0, vc_i, data_i};
    end
  endgenerate
  always @(posedge clk) credit_o <= !rst && last;

  // ── when it arrives ──
  reg [31:0] random_q;  // xorshift
  wire [31:0] r1 = random_q ^ (random_q << 13);
  wire [31:0] r2 = r1 ^ (r1 >> 17);
  wire [15:0] wait_bits = random_q[31:16] >> (16 - GAP);
  reg draw_q;   // a wait is drawn in this cycle
  reg waits_q;
  reg [15:0] left_q;
  wire arrive = waits_q && (left_q == 16'd0);
  always @(posedge clk)
    if (rst) begin
      random_q <= (START == 32'd0) ? 32'd1 : START;
      draw_q   <= 1'b1;
      waits_q  <= 1'b0;
    end else begin
      random_q <= r2 ^ (r2 << 5);
      draw_q   <= released;
      if (draw_q) waits_q <= 1'b1;
      else if (arrive) waits_q <= 1'b0;
    end
  always @(posedge clk) left_q <= draw_q ? wait_bits : left_q - 16'd1;

  // ── into the network ──
  reg  [1:0] count_q;  // barrier credits
  reg due_q, second_q;
  wire start = (arrive || due_q) && !second_q && (count_q != 2'd0);
  assign sends_o = start || second_q;
  always @(posedge clk)
    if (rst) begin
      count_q  <= 2'd2;
      due_q    <= 1'b0;
      second_q <= 1'b0;
      valid_o  <= 1'b0;
      kind_o   <= 3'd0;
    end else begin
      if (start != credit_i) count_q <= start ? count_q - 2'd1 : (count_q == 2'd2) ? 2'd2 : count_q + 2'd1;
      due_q    <= (arrive || due_q) && !start;
      second_q <= TWO && start;
      valid_o  <= sends_o;
      kind_o   <= (TWO && start) ? KIND_FIRST : KIND_LAST;
    end
  // A local reduce of group 0 has only bit 31 set.
  generate
    if (TWO) begin : second
      assign data_o = {kind_o == KIND_LAST, 15'd0};
    end else begin : first
      assign data_o = {{(DATA_W - 32) {1'b0}}, 1'b1, 31'd0};
    end
  endgenerate

endmodule

`default_nettype wire
