// Flits into AXI4-Stream: a network interface that receives (§4.2, §4.6), for an exported fabric.
// SPDX-License-Identifier: Apache-2.0
//
// Each channel has DEPTH slots, one for each credit of its sender (§1.4). Packets of several
// channels interleave on the link, but not in the stream: a packet that has begun continues up to
// its tail. The rest of a packet is never blocked by another packet, since a channel belongs to one
// packet at a time (§2.5). A flit that need not wait bypasses the slots, so its credit goes back in
// the next cycle (§4.2). While tready is 0, flits wait, and the network waits, too.
//
// Headers are removed. A packet without payload, a flit of reserved kind and a flit before the
// first head produce nothing in the stream.
`default_nettype none

module hd_export_depacketiser #(
    parameter VCS       = 2,   // 1-8
    parameter DATA_W    = 16,  // 16, 32, 64
    parameter DEPTH     = 4,   // 1-64
    parameter NODE_W    = 6,   // bits of a node's number in headers (§1.3)
    // lowest bit of the source in headers; 0: headers have no source, and tid is 0
    parameter SOURCE_AT = 8,
    parameter VC_W      = (VCS > 1) ? $clog2(VCS) : 1  // derived, not to be set
) (
    input  wire              clk,
    input  wire              rst,
    // link
    input  wire              valid_i,
    input  wire [       2:0] kind_i,
    input  wire [  VC_W-1:0] vc_i,
    input  wire [DATA_W-1:0] data_i,
    output reg  [   VCS-1:0] credit_o,
    // stream
    output reg               m_tvalid_o,
    input  wire              m_tready_i,
    output reg  [DATA_W-1:0] m_tdata_o,
    output reg               m_tlast_o,
    output reg  [NODE_W-1:0] m_tid_o
);

  localparam FLIT_W = 3 + DATA_W;
  localparam [2:0] KIND_HEAD = 3'b010;

  reg open_q;  // a packet is under way
  reg [VCS-1:0] channel_q;  // its channel, one-hot
  wire [VCS-1:0] some, pick, chosen;
  wire pop;
  wire [VCS*FLIT_W-1:0] fronts;

  genvar v;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : vc
      localparam [31:0] NUMBER = v;
      localparam FILL_W = $clog2(DEPTH + 1);
      localparam ROW_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;
      wire comes = valid_i && (vc_i == NUMBER[VC_W-1:0]);
      wire pops = pop && chosen[v];
      wire held, more;
      wire [FLIT_W-1:0] flit, next;
      wire [FILL_W-1:0] fill;
      wire [ROW_W-1:0] front_row, push_row;
      hd_vc_buffer #(
          .WIDTH(FLIT_W),
          .DEPTH(DEPTH)
      ) u_slots (
          .clk(clk),
          .rst(rst),
          .push_i(comes && (held || !pops)),
          .data_i({kind_i, data_i}),
          .pop_i(pops && held),
          .early_pop_i(1'b0),
          .some_o(held),
          .data_o(flit),
          .next_o(next),
          .more_o(more),
          .fill_o(fill),
          .front_row_o(front_row),
          .push_row_o(push_row)
      );
      assign some[v] = held || comes;
      assign fronts[v*FLIT_W+:FLIT_W] = held ? flit : {kind_i, data_i};
      wire unused_view = &{1'b0, more, next, fill, front_row, push_row};
    end
  endgenerate

  // the channel whose first flit is read
  wire [2:0] next_channel;
  hd_rr_arbiter #(
      .N(VCS),
      .NEXT_W(3)
  ) u_channel (
      .clk(clk),
      .rst(rst),
      .req_i(some),
      .pick_o(pick),
      .advance_i(pop && !open_q),
      .set_i(1'b1),
      .next_o(next_channel)
  );
  wire unused_next = &{1'b0, next_channel};
  assign chosen = open_q ? channel_q & some : pick;
  reg [FLIT_W-1:0] front;
  integer n;
  always @* begin
    front = {FLIT_W{1'b0}};
    for (n = 0; n < VCS; n = n + 1) if (chosen[n]) front = front | fronts[n*FLIT_W+:FLIT_W];
  end
  wire [2:0] kind = front[DATA_W+:3];

  wire here = chosen != {VCS{1'b0}};
  wire begins = here && !open_q && (kind == KIND_HEAD);
  wire payload = here && open_q && !kind[2];
  wire free = !m_tvalid_o || m_tready_i;
  assign pop = here && (!payload || free);

  always @(posedge clk)
    if (rst) open_q <= 1'b0;
    else if (begins) open_q <= 1'b1;
    else if (payload && free && kind[0]) open_q <= 1'b0;
  always @(posedge clk) if (begins) channel_q <= pick;
  generate
    if (SOURCE_AT != 0) begin : source
      // m_tid_o belongs to the beat that is shown, which may still be the previous packet's last
      // beat
      reg [NODE_W-1:0] source_q;
      always @(posedge clk) if (begins) source_q <= front[SOURCE_AT+:NODE_W];
      always @(posedge clk) if (payload && free) m_tid_o <= source_q;
    end else begin : no_source
      always @(posedge clk) m_tid_o <= {NODE_W{1'b0}};
    end
  endgenerate

  always @(posedge clk)
    if (rst) begin
      credit_o   <= {VCS{1'b0}};
      m_tvalid_o <= 1'b0;
    end else begin
      credit_o <= chosen & {VCS{pop}};
      if (free) m_tvalid_o <= payload;
    end
  always @(posedge clk)
    if (payload && free) begin
      m_tdata_o <= front[DATA_W-1:0];
      m_tlast_o <= kind[0];
    end

endmodule

`default_nettype wire
