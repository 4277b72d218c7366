// Random neighbour that sends flits into one input port of a switch and keeps its credits (§1, §7).
// SPDX-License-Identifier: Apache-2.0
//
// Packets of different virtual channels mix, packets pause, and barrier messages and padding come between their flits.
// All of this is legal. With illegal_i any flit may come at any time. FOREIGN = 1: packets go by destination, to the
// nodes that dest_write_i has listed.
`default_nettype none

module hd_stress_source #(
    parameter PORTS        = 5,
    parameter VCS          = 2,
    parameter VC_W         = 1,
    parameter DATA_W       = 16,
    parameter DEPTH        = 4,
    parameter NODES        = 64,
    parameter SOURCE_TABLE = 0,
    parameter BARRIER      = 0,
    parameter CODE_PLACES  = 0,
    parameter FOREIGN      = 0,
    parameter PORT         = 0
) (
    input  wire              clk,
    input  wire              rst,          // reset of the bench, with seed_i
    input  wire              switch_rst_i, // reset of the switch: no packet is under way after it
    input  wire [      63:0] seed_i,
    // traffic
    input  wire              go_i,
    input  wire [       7:0] load_i,       // probability that an idle channel begins a packet, in 256ths; 255: always
    input  wire [       7:0] message_i,    // probability that a barrier message or padding is sent, in 256ths
    input  wire [       1:0] length_i,     // 0: single flits; 1, 2: up to 4, 8 flits; 3: up to 32
    input  wire [   VCS-1:0] lanes_i,      // channels on which packets may begin
    input  wire              illegal_i,
    // destinations (FOREIGN)
    input  wire              dest_write_i,
    input  wire [       3:0] dest_number_i,
    input  wire [      12:0] dest_node_i,    // bit 12: there is one
    // link
    output reg               valid_o,
    output reg  [       2:0] kind_o,
    output reg  [  VC_W-1:0] vc_o,
    output reg  [DATA_W-1:0] data_o,
    input  wire [   VCS-1:0] credit_i,
    input  wire              barrier_credit_i
);

  localparam BARRIER_ANY = 1, BARRIER_FIXED = 2, BARRIER_MOVING = 3, BARRIER_QUEUED = 4, BARRIER_RESERVED = 5;
  localparam BESIDE = (BARRIER == BARRIER_ANY) || (BARRIER == BARRIER_FIXED);
  localparam PADS = BESIDE || (BARRIER == BARRIER_MOVING);
  localparam TWO = DATA_W == 16;  // flits of a barrier message: M of §7.1
  localparam [2:0] BODY = 3'd0, TAIL = 3'd1, HEAD = 3'd2, SINGLE = 3'd3;
  localparam [2:0] FIRST = 3'd4, LAST = 3'd5, PADDING = 3'd6, NULL = 3'd7;
  localparam NODE_W = $clog2(NODES);
  localparam PORT_W = $clog2(PORTS);
  localparam PLACE_W = (CODE_PLACES > 1) ? $clog2(CODE_PLACES) : 1;
  localparam [31:0] LAST_VC = VCS - 1, SLOTS = DEPTH, PORTS_32 = PORTS, VCS_32 = VCS;

  wire [63:0] chance, word;
  hd_xorshift #(
      .STREAM(2 * PORT + 1)
  ) u_chance (
      .clk(clk),
      .rst(rst),
      .seed_i(seed_i),
      .word_o(chance)
  );
  hd_xorshift #(
      .STREAM(2 * PORT + 2)
  ) u_word (
      .clk(clk),
      .rst(rst),
      .seed_i(seed_i),
      .word_o(word)
  );

  // a random channel, and a random port
  wire [3:0] any_vc = {1'b0, chance[10:8]} & ((4'd1 << VC_W) - 4'd1);
  wire [3:0] some_vc = ({28'd0, any_vc} < VCS_32) ? any_vc : any_vc - VCS_32[3:0];
  wire [4:0] any_port = {1'b0, word[5:2]} & ((5'd1 << PORT_W) - 5'd1);
  wire [4:0] some_port = ({27'd0, any_port} < PORTS_32) ? any_port : any_port - PORTS_32[4:0];

  // packets
  wire [VCS-1:0] has_credit, has_two, under_way, spends, begins, goes_on;
  wire [5*VCS-1:0] lefts;
  wire starts_now = (load_i == 8'd255) || (chance[7:0] < load_i);
  wire padded;
  wire [2:0] padded_vc;
  wire [VCS-1:0] held = padded ? ({{(VCS - 1) {1'b0}}, 1'b1} << padded_vc) : {VCS{1'b0}};
  wire [VCS-1:0] reserved;
  wire has_destination;
  wire [VCS-1:0] can = has_credit & ~held & ~reserved &
      (under_way | (starts_now && has_destination ? lanes_i : {VCS{1'b0}}));
  // the first channel at or after a random one that can send
  reg [2:0] pick;
  integer i;
  always @* begin
    pick = 3'd0;
    for (i = VCS - 1; i >= 0; i = i - 1) if (can[i]) pick = i[2:0];
    for (i = VCS - 1; i >= 0; i = i - 1) if (can[i] && (i[3:0] >= some_vc)) pick = i[2:0];
  end
  wire [4:0] length_mask = (length_i == 2'd0) ? 5'd0 : (length_i == 2'd1) ? 5'd3 : (length_i == 2'd2) ? 5'd7 : 5'd31;
  wire [4:0] length = chance[15:11] & length_mask;  // flits after the first
  wire [4:0] left = lefts[pick*5+:5];
  wire [2:0] packet_kind = (left == 5'd0) ? ((length == 5'd0) ? SINGLE : HEAD) : (left == 5'd1) ? TAIL : BODY;

  // headers (§1.3, §11.2): random bits, except for the fields that a switch reads
  wire [NODE_W-1:0] destination, by;
  generate
    if (FOREIGN != 0) begin : listed
      reg [NODE_W:0] list_q[0:15];  // bit NODE_W: there is one
      always @(posedge clk) if (dest_write_i) list_q[dest_number_i] <= {dest_node_i[12], dest_node_i[NODE_W-1:0]};
      assign {has_destination, destination} = list_q[chance[19:16]];
      wire unused_node = &{1'b0, dest_node_i};
    end else begin : any
      hd_stress_node #(
          .NODES (NODES),
          .NODE_W(NODE_W)
      ) u_destination (
          .number_i(chance[19:16]),
          .node_o  (destination)
      );
      assign has_destination = 1'b1;
      wire unused_list = &{1'b0, dest_write_i, dest_number_i, dest_node_i};
    end
  endgenerate
  hd_stress_node #(
      .NODES (NODES),
      .NODE_W(NODE_W)
  ) u_by (
      .number_i(chance[23:20]),
      .node_o  (by)
  );
  wire [1:0] mode = (FOREIGN != 0) ? 2'd0 : (SOURCE_TABLE != 0) ? chance[25:24] : {chance[25:24] == 2'd2, 1'b0};
  wire [DATA_W-1:0] random = word[DATA_W-1:0];
  reg [DATA_W-1:0] header;
  always @* begin
    header = random;
    if (!illegal_i || chance[26]) begin
      header[1:0] = mode;
      if (mode == 2'd2) header[2+:PORT_W] = some_port[PORT_W-1:0];
      else header[2+:NODE_W] = destination;
    end
  end
  wire [DATA_W-1:0] sourced;  // header with a source, or with a node to go by
  generate
    if (SOURCE_TABLE != 0) begin : source
      localparam ABOVE = 2 + 2 * NODE_W;
      wire names = header[0] && (!illegal_i || chance[27]);
      if (ABOVE < DATA_W) begin : wider
        assign sourced = names ? {header[DATA_W-1:ABOVE], by, header[1+NODE_W:0]} : header;
      end else begin : all
        assign sourced = names ? {by, header[1+NODE_W:0]} : header;
      end
    end else begin : no_source
      assign sourced = header;
      wire unused_by = &{1'b0, by};
    end
  endgenerate
  wire [DATA_W-1:0] coded;
  generate
    if (CODE_PLACES != 0) begin : code
      // Few places are used, so that pairs arise. Most length fields are right.
      localparam [7:0] FEW = 8'd3, ALL = 8'd255;
      wire [PLACE_W-1:0] place = random[DATA_W-3-:PLACE_W] & (chance[28] ? ALL[PLACE_W-1:0] : FEW[PLACE_W-1:0]);
      wire [3:0] told = (chance[30:29] == 2'd0) ? random[DATA_W-3-PLACE_W-:4] : length[3:0];
      assign coded = (header[1:0] == 2'd2) ? sourced :
          {random[DATA_W-1-:2], place, told, sourced[DATA_W-7-PLACE_W:0]};
    end else begin : no_code
      assign coded = sourced;
    end
  endgenerate

  // barrier messages (§7, §8.1) and padding
  wire barrier_first, barrier_second, pads;
  wire [2:0] barrier_vc;
  wire [31:0] message;
  wire [15:0] second_half;
  generate
    if (BARRIER != 0) begin : barrier
      reg [1:0] credits_q;
      reg half_q, padded_q;
      reg [2:0] vc_q, padded_vc_q;
      reg [15:0] rest_q;
      wire asks = go_i && !illegal_i && (chance[39:32] < message_i);
      wire [2:0] preferred = (BARRIER == BARRIER_FIXED) ? 3'd0 :
          (BARRIER == BARRIER_RESERVED) ? LAST_VC[2:0] : padded_q ? padded_vc_q : some_vc[2:0];
      wire [VC_W-1:0] channel = preferred[VC_W-1:0];
      wire room = BESIDE || (TWO ? has_two[channel] : has_credit[channel]);
      wire free = (BARRIER != BARRIER_QUEUED) || !under_way[channel];
      assign barrier_second = half_q;
      assign barrier_first = asks && !half_q && (credits_q != 2'd0) && room && free && !(PADS && (chance[41:40] == 2'd0));
      assign barrier_vc = half_q ? vc_q : preferred;
      // Padding preempts a channel with a packet under way, or ends the preemption.
      assign pads = PADS && asks && !half_q && (chance[41:40] == 2'd0) && (BESIDE || has_credit[channel]) &&
          (padded_q || under_way[channel]);
      assign padded = padded_q;
      assign padded_vc = padded_vc_q;
      // Most messages are of few groups and few switches.
      wire few = chance[42];
      wire [10:0] near = {8'd0, word[42:40]}, origin = {8'd0, word[45:43]};
      assign message = (word[63:62] == 2'd0) ? {1'b1, 22'd0, few ? {3'd0, word[38:37]} : word[38:34], 2'd0, word[33:32] & {2{chance[43]}}} :
          {1'b0, few ? origin : word[60:50], few ? near : word[49:39], few ? {3'd0, word[38:37]} : word[38:34],
           word[36:35], word[33:32]};
      always @(posedge clk)
        if (rst || switch_rst_i) begin
          credits_q <= 2'd2;
          half_q <= 1'b0;
          padded_q <= 1'b0;
        end else begin
          half_q <= barrier_first && TWO;
          if (barrier_first) begin
            vc_q   <= barrier_vc;
            rest_q <= message[31:16];
          end
          if (barrier_credit_i && !barrier_first && (credits_q != 2'd2)) credits_q <= credits_q + 2'd1;
          if (!barrier_credit_i && barrier_first) credits_q <= credits_q - 2'd1;
          if (pads) begin
            padded_q <= !padded_q;
            padded_vc_q <= preferred;
          end
        end
      assign second_half = rest_q;
    end else begin : no_barrier
      assign barrier_first = 1'b0;
      assign barrier_second = 1'b0;
      assign barrier_vc = 3'd0;
      assign pads = 1'b0;
      assign padded = 1'b0;
      assign padded_vc = 3'd0;
      assign message = 32'd0;
      assign second_half = 16'd0;
      wire unused = &{1'b0, barrier_credit_i, message_i, has_two};
    end
  endgenerate
  wire [DATA_W-1:0] message_data;
  generate
    if (BARRIER == 0) begin : no_message
      assign message_data = {DATA_W{1'b0}};
      wire unused_message = &{1'b0, message, second_half};
    end else if (DATA_W == 16) begin : halves
      assign message_data = barrier_second ? second_half : message[15:0];
    end else if (DATA_W == 32) begin : whole
      assign message_data = message;
      wire unused_message = &{1'b0, second_half};
    end else begin : wide
      assign message_data = {{(DATA_W - 32) {1'b0}}, message};
      wire unused_message = &{1'b0, second_half};
    end
  endgenerate

  // One flit a cycle, in this order: an illegal one, the rest of a message, a message, padding, a packet's.
  wire wild = go_i && illegal_i && (chance[47:45] == 3'd0);
  wire control = barrier_first || barrier_second || pads;
  wire packet = go_i && !wild && !control && (can != {VCS{1'b0}});
  // With one channel vc_o stays 0: the contract has no events of a channel that does not exist (§6.1).
  wire [2:0] vc = wild ? ((VCS > 1) ? any_vc[2:0] : 3'd0) : control ? barrier_vc : pick;
  wire [2:0] kind = wild ? chance[50:48] :
      barrier_second ? LAST : barrier_first ? (TWO ? FIRST : LAST) : pads ? PADDING : packet_kind;
  genvar v;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : channel
      localparam [31:0] NUMBER = v;
      reg [6:0] credit_q;
      reg [4:0] left_q;
      wire here = vc == NUMBER[2:0];
      assign has_credit[v] = credit_q != 7'd0;
      assign has_two[v] = credit_q[6:1] != 6'd0;
      assign under_way[v] = left_q != 5'd0;
      assign lefts[v*5+:5] = left_q;
      assign reserved[v] = (BARRIER == BARRIER_RESERVED) && (v == VCS - 1);
      assign spends[v] = here && (packet || (control && !BESIDE) || (wild && has_credit[v]));
      assign begins[v] = here && packet && !under_way[v];
      assign goes_on[v] = here && packet && under_way[v];
      always @(posedge clk)
        if (rst || switch_rst_i) begin
          credit_q <= SLOTS[6:0];
          left_q   <= 5'd0;
        end else begin
          if (credit_i[v] && !spends[v] && (credit_q != SLOTS[6:0])) credit_q <= credit_q + 7'd1;
          if (!credit_i[v] && spends[v]) credit_q <= credit_q - 7'd1;
          if (begins[v]) left_q <= length;
          if (goes_on[v]) left_q <= left_q - 5'd1;
        end
    end
  endgenerate
  // Without valid_o the other pins have no meaning (§1.1), so they are random.
  always @(posedge clk) begin
    valid_o <= !rst && !switch_rst_i && (wild || control || packet);
    kind_o <= kind;
    vc_o <= vc[VC_W-1:0];
    data_o <= (barrier_first || barrier_second) ? message_data :
        pads ? {{(DATA_W - 1) {1'b0}}, padded} : kind[1] ? coded : random;
  end
  wire unused_bits = &{1'b0, chance, word, NULL, some_port};

endmodule

`default_nettype wire
