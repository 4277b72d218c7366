// AXI4-Stream into flits: a network interface that sends (§4.1), for an exported fabric.
// SPDX-License-Identifier: Apache-2.0
//
// A stream's packet becomes a header and a flit for each beat. The header is sent in the first cycle
// in which the first beat is valid and a channel has room. Then the beats follow on this channel,
// one for each credit. tdest is read in the packet's first beat. tready depends only on registers.
//
// A packet holds its channels up to tlast, so the sender should not pause within a packet. With
// CUT_FLITS a packet has at most CUT_FLITS - 1 beats (§2.1).
`default_nettype none

module hd_export_packetiser #(
    parameter VCS       = 2,   // 1-8
    parameter DATA_W    = 16,  // 16, 32, 64
    parameter DEPTH     = 4,   // 1-64
    parameter CUT_FLITS = 0,   // 0-DEPTH
    parameter NODE_W    = 6,   // bits of a node's number in headers (§1.3)
    parameter MODE      = 0,   // mode of headers: 0, 1, 3
    parameter NODES     = 64,  // nodes of the fabric; a packet of mode 3 goes by one of them
    parameter NODE      = 0,   // number of this node
    // 1: headers of modes 0 and 3 contain the source in their free bits
    parameter SOURCE    = 1,
    parameter VC_W      = (VCS > 1) ? $clog2(VCS) : 1  // derived, not to be set
) (
    input  wire              clk,
    input  wire              rst,
    // 0: no new packet begins
    input  wire              go_i,
    // stream
    input  wire              s_tvalid_i,
    output wire              s_tready_o,
    input  wire [DATA_W-1:0] s_tdata_i,
    input  wire              s_tlast_i,
    input  wire [NODE_W-1:0] s_tdest_i,
    // link
    output reg               valid_o,
    output reg  [       2:0] kind_o,
    output reg  [  VC_W-1:0] vc_o,
    output reg  [DATA_W-1:0] data_o,
    input  wire [   VCS-1:0] credit_i
);

  localparam [2:0] KIND_BODY = 3'b000, KIND_TAIL = 3'b001, KIND_HEAD = 3'b010;
  localparam COUNT_W = $clog2(DEPTH + 1);
  localparam [31:0] SLOTS = DEPTH;
  localparam [31:0] ROOM = (CUT_FLITS > 1) ? CUT_FLITS : 1;
  localparam [31:0] OWN = NODE;
  localparam [31:0] MODE_BITS = MODE;

  // channels: credits (§1.4), and the channel of the next packet
  reg busy_q;  // a packet is under way
  reg [VCS-1:0] channel_q;  // its channel, one-hot
  wire [VCS-1:0] credit, room, pick;
  wire start, beat;
  genvar v;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : vc
      reg [COUNT_W-1:0] count_q;
      wire taken = (start && pick[v]) || (beat && channel_q[v]);
      always @(posedge clk)
        if (rst) count_q <= SLOTS[COUNT_W-1:0];
        else if (taken != credit_i[v]) count_q <= taken ? count_q - 1'b1 : count_q + 1'b1;
      assign credit[v] = count_q != {COUNT_W{1'b0}};
      assign room[v] = count_q >= ROOM[COUNT_W-1:0];
    end
  endgenerate
  wire [2:0] next;
  hd_rr_arbiter #(
      .N(VCS),
      .NEXT_W(3)
  ) u_channel (
      .clk(clk),
      .rst(rst),
      .req_i(room),
      .pick_o(pick),
      .advance_i(start),
      .set_i(1'b1),
      .next_o(next)
  );
  wire unused_next = &{1'b0, next};

  assign start = !busy_q && go_i && s_tvalid_i && (room != {VCS{1'b0}});
  assign s_tready_o = busy_q && ((credit & channel_q) != {VCS{1'b0}});
  assign beat = s_tready_o && s_tvalid_i;
  always @(posedge clk)
    if (rst) busy_q <= 1'b0;
    else if (start) busy_q <= 1'b1;
    else if (beat && s_tlast_i) busy_q <= 1'b0;
  always @(posedge clk) if (start) channel_q <= pick;

  // header (§1.3)
  wire [15:0] by;
  wire [63:0] header;
  wire [NODE_W-1:0] second = (MODE == 3) ? by[NODE_W-1:0] : ((MODE == 1) || (SOURCE != 0)) ? OWN[NODE_W-1:0] :
      {NODE_W{1'b0}};
  wire [NODE_W-1:0] third = ((MODE == 3) && (SOURCE != 0)) ? OWN[NODE_W-1:0] : {NODE_W{1'b0}};
  assign header = {{(62 - 3 * NODE_W) {1'b0}}, third, second, s_tdest_i, MODE_BITS[1:0]};
  wire unused_header = &{1'b0, header, by};
  generate
    if (MODE == 3) begin : go_by
      // the node to go by: a 16-bit generator (§10.3) times the number of nodes
      localparam [31:0] SEED = NODE + 1;
      localparam [31:0] COUNT = NODES;
      reg  [15:0] random_q;
      wire [31:0] product = {16'd0, random_q} * {16'd0, COUNT[15:0]};
      always @(posedge clk)
        if (rst) random_q <= SEED[15:0];
        else random_q <= random_q[0] ? (random_q >> 1) ^ 16'hB400 : random_q >> 1;
      assign by = product[31:16];
      wire unused_product = &{1'b0, product};
    end else begin : straight
      assign by = 16'd0;
    end
  endgenerate

  reg [VC_W-1:0] number;  // number of the channel
  integer n;
  always @* begin
    number = {VC_W{1'b0}};
    for (n = 0; n < VCS; n = n + 1) if (busy_q ? channel_q[n] : pick[n]) number = number | n[VC_W-1:0];
  end
  always @(posedge clk)
    if (rst) begin
      valid_o <= 1'b0;
      kind_o  <= 3'd0;
      vc_o    <= {VC_W{1'b0}};
      data_o  <= {DATA_W{1'b0}};
    end else begin
      valid_o <= start || beat;
      if (start || beat) begin
        kind_o <= start ? KIND_HEAD : s_tlast_i ? KIND_TAIL : KIND_BODY;
        vc_o   <= number;
        data_o <= start ? header[DATA_W-1:0] : s_tdata_i;
      end
    end

endmodule

`default_nettype wire
